/* Turns rows of named values into hashed columns. */
#include "hashing.h"
#include "vectorizer.h"

struct feature_hasher {
  mn_estimator base;
  mn_hashing hashing;
};

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  (void)ctx;
  (void)self;
  (void)data;
  return MN_OK;
}

static mn_status transform_sparse(mn_context *ctx, const void *self, const mn_data *data, mn_csr *out)
{
  const struct feature_hasher *m = self;
  const mn_term_source source = { .who = m->base.class->name, .separator = "=" };
  return mn_hash_documents(ctx, &m->hashing, data, &source, out);
}

static size_t outputs(const void *self)
{
  return (size_t)((const struct feature_hasher *)self)->hashing.n_columns;
}

static const mn_param params[] = { MN_HASHING_PARAMS(struct feature_hasher, hashing), MN_END };

static const mn_field fields[] = { MN_END };

const mn_class mn_feature_hasher = {
  .name = "FeatureHasher",
  .family = "text",
  .brief = "Turns tables of named values into sparse rows of hashed columns.",
  .objective = "column = |MurmurHash3(name)| mod n",
  .source = "Weinberger et al., ICML (2009)",
  .notes = "Requires no fit. X is a list of tables from name to number, boolean, string or list of strings. A string "
           "v under the name k sets the column \"k=v\" to 1, and a string without a name its own column. n_columns "
           "is n_features of scikit-learn; hashes and signs are the same.",
  .example = "local rows = { { city = \"Oslo\", age = 31 }, { city = \"Bergen\", age = 44 } }\n"
             "print(ml.FeatureHasher{ n_columns = 8 }:transform(rows):todense())",
  .capabilities = MN_TRANSFORM,
  .accepts = MN_TEXTS | MN_RECORDS | MN_STATELESS,
  .size = sizeof(struct feature_hasher),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform_sparse = transform_sparse,
  .outputs = outputs,
  .export = mn_no_text_export,
};
