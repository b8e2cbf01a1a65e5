/* Turns documents into counts of terms. */
#include "vectorizer.h"

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  return mn_learn_terms(ctx, self, data, NULL);
}

static mn_status transform_sparse(mn_context *ctx, const void *self, const mn_data *data, mn_csr *out)
{
  return mn_count_terms(ctx, self, data, out);
}

static const mn_param params[] = { MN_VECTORIZER_PARAMS, MN_END };

static const mn_field fields[] = { MN_VOCABULARY_FIELDS(mn_vectorizer, fitted_vocabulary), MN_END };

const mn_class mn_count_vectorizer = {
  .name = "CountVectorizer",
  .family = "text",
  .brief = "Turns documents into sparse counts of their terms.",
  .objective = "z_ij = occurrences of term j in document i",
  .source = "Salton, Wong, Yang, Communications of the ACM 18 (1975)",
  .notes = "X is a list of strings, a Factor, or one column of a Frame. Columns are sorted by code point; letters, "
           "digits and lower case are those of Unicode; invalid UTF-8 is read as U+FFFD. For custom tokens, join "
           "them with spaces in Lua and set analyzer = \"whitespace\". The English stop words are not those of "
           "scikit-learn. max_df = 1 means all documents, min_df = 1 one document.",
  .example = "local words = ml.CountVectorizer{}:fit{ \"red fish\", \"blue fish\" }\n"
             "print(table.concat(words:output_names(), \" \"))\n"
             "print(words:transform{ \"fish fish blue\" }:todense())",
  .capabilities = MN_TRANSFORM,
  .accepts = MN_TEXTS,
  .size = sizeof(mn_vectorizer),
  .params = params,
  .fields = fields,
  .operations = mn_vectorizer_operations,
  .fit = fit,
  .transform_sparse = transform_sparse,
  .outputs = mn_vectorizer_outputs,
  .output_name = mn_vectorizer_output_name,
  .check = mn_check_vectorizer,
  .derive = mn_derive_vectorizer,
  .export = mn_no_text_export,
};
