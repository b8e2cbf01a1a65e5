/* Turns documents into counts of hashed terms. */
#include "hashing.h"
#include "vectorizer.h"

struct hashing_vectorizer {
  mn_estimator base;
  mn_text_params text;
  mn_hashing hashing;
  bool binary;
  int64_t norm;
};

/* Check the settings here too, so that fit rejects what transform would reject. */
static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  const struct hashing_vectorizer *m = self;
  mn_analyzer analyzer;
  (void)data;
  return mn_analyzer_init(ctx, m->base.class->name, &m->text, &analyzer);
}

static mn_status transform_sparse(mn_context *ctx, const void *self, const mn_data *data, mn_csr *out)
{
  const struct hashing_vectorizer *m = self;
  mn_analyzer analyzer;
  const mn_term_source source = { .who = m->base.class->name, .analyzer = &analyzer };
  MN_TRY(mn_analyzer_init(ctx, source.who, &m->text, &analyzer));
  MN_TRY(mn_hash_documents(ctx, &m->hashing, data, &source, out));
  for (size_t k = 0; m->binary && k < out->start[out->rows]; k++) out->at[k] = 1;
  return mn_normalize_rows(ctx, (enum mn_row_norm)m->norm, out);
}

static size_t outputs(const void *self)
{
  return (size_t)((const struct hashing_vectorizer *)self)->hashing.n_columns;
}

static const mn_param params[] = {
  MN_TEXT_PARAMS(struct hashing_vectorizer, text),
  MN_HASHING_PARAMS(struct hashing_vectorizer, hashing),
  MN_FLAG(struct hashing_vectorizer, binary, false, "count each column at most once per document"),
  MN_CHOICE(struct hashing_vectorizer, norm, MN_NORM_L2, mn_row_norm_names, "norm that each row is divided by"),
  MN_END,
};

static const mn_field fields[] = { MN_END };

const mn_class mn_hashing_vectorizer = {
  .name = "HashingVectorizer",
  .family = "text",
  .brief = "Turns documents into sparse counts of hashed terms, without a vocabulary.",
  .objective = "column = |MurmurHash3(term)| mod n",
  .source = "Weinberger et al., ICML (2009)",
  .notes = "Requires no fit. n_columns is n_features of scikit-learn; hashes and signs are the same. X is a list of "
           "strings, a Factor, or one column of a Frame. For custom tokens, join them with spaces in Lua and set "
           "analyzer = \"whitespace\".",
  .example =
      "print(ml.HashingVectorizer{ n_columns = 8, norm = \"none\" }:transform{ \"red fish blue fish\" }:todense())",
  .capabilities = MN_TRANSFORM,
  .accepts = MN_TEXTS | MN_STATELESS,
  .size = sizeof(struct hashing_vectorizer),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform_sparse = transform_sparse,
  .outputs = outputs,
  .export = mn_no_text_export,
};
