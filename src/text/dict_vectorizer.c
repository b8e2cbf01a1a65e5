/* Turns rows of named values into columns: one for each name of numbers, one for each text of a name. */
#include "../linalg/csr.h"
#include "vectorizer.h"
#include <stdio.h>

struct dict_vectorizer {
  mn_estimator base;
  bool sparse;
  mn_text separator;
  mn_vocabulary fitted_vocabulary;
};

static mn_term_source source_of(const struct dict_vectorizer *m)
{
  return (mn_term_source){ .who = m->base.class->name, .separator = m->separator.bytes ? m->separator.bytes : "=" };
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct dict_vectorizer *m = self;
  const struct mn_term_limits limits = { .max_documents = (double)INFINITY, .max_features = MN_UNSET };
  const mn_term_source source = source_of(m);
  double *rows;
  return mn_vocabulary_learn(ctx, data, &source, &limits, &m->fitted_vocabulary, &rows,
                             m->sparse ? data->transformed : NULL);
}

static mn_status transform_sparse(mn_context *ctx, const void *self, const mn_data *data, mn_csr *out)
{
  const struct dict_vectorizer *m = self;
  const mn_term_source source = source_of(m);
  return mn_vocabulary_count(ctx, data, &source, &m->fitted_vocabulary, false, out);
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  mn_csr made = { 0 };
  const mn_status status = transform_sparse(ctx, self, data, &made);
  if (status == MN_OK) mn_csr_to_dense(&made, out);
  mn_csr_free(mn_context_memory(ctx), &made);
  return status;
}

static bool outputs_sparse(const void *self)
{
  return ((const struct dict_vectorizer *)self)->sparse;
}

static size_t outputs(const void *self)
{
  return ((const struct dict_vectorizer *)self)->fitted_vocabulary.terms.size;
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  (void)inputs;
  snprintf(text, size, "%s", ((const struct dict_vectorizer *)self)->fitted_vocabulary.terms.at[j]);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct dict_vectorizer *m = self;
  return mn_vocabulary_is_valid(&m->fitted_vocabulary)
             ? MN_OK
             : mn_fail(ctx, MN_BAD_FILE, "DictVectorizer: the terms are invalid");
}

static mn_status derive(mn_context *ctx, void *self)
{
  return mn_vocabulary_derive(ctx, &((struct dict_vectorizer *)self)->fitted_vocabulary);
}

static const mn_param params[] = {
  MN_FLAG(struct dict_vectorizer, sparse, true, "return a Sparse instead of a Matrix"),
  MN_STRING(struct dict_vectorizer, separator, "text between name and value in the name of a column; nil: '='"),
  MN_END,
};

static const mn_field fields[] = { MN_VOCABULARY_FIELDS(struct dict_vectorizer, fitted_vocabulary), MN_END };

const mn_class mn_dict_vectorizer = {
  .name = "DictVectorizer",
  .family = "text",
  .brief = "Turns tables of named values into columns, one per numeric name or string value.",
  .objective = "z_ij = value of name j in row i",
  .source = "Pedregosa et al., JMLR 12 (2011)",
  .notes = "X is a list of tables from name to number, boolean, string or list of strings. A string v under the name "
           "k sets the column \"k=v\" to 1, and a string without a name its own column. Columns are sorted by code "
           "point. Absent names are 0, and names unknown to fit are ignored.",
  .example = "local rows = { { city = \"Oslo\", age = 31 }, { city = \"Bergen\", age = 44 } }\n"
             "local dict = ml.DictVectorizer{ sparse = false }:fit(rows)\n"
             "print(table.concat(dict:output_names(), \" \"))\n"
             "print(dict:transform(rows))",
  .capabilities = MN_TRANSFORM,
  .accepts = MN_TEXTS | MN_RECORDS,
  .size = sizeof(struct dict_vectorizer),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .transform_sparse = transform_sparse,
  .outputs_sparse = outputs_sparse,
  .outputs = outputs,
  .output_name = output_name,
  .check = check,
  .derive = derive,
  .export = mn_no_text_export,
};
