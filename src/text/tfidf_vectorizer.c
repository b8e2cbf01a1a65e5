/* Turns documents into TF-IDF values of their terms: CountVectorizer followed by TfidfTransformer. */
#include "vectorizer.h"

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_vectorizer *m = self;
  double *documents = NULL;
  MN_TRY(mn_learn_terms(ctx, m, data, m->tf_idf.use_idf ? &documents : NULL));
  MN_TRY(mn_learn_idf(ctx, data->rows, m->fitted_vocabulary.terms.size, documents, &m->tf_idf));
  return data->transformed && data->transformed->start ? mn_apply_tf_idf(ctx, &m->tf_idf, data->transformed) : MN_OK;
}

static mn_status transform_sparse(mn_context *ctx, const void *self, const mn_data *data, mn_csr *out)
{
  const mn_vectorizer *m = self;
  MN_TRY(mn_count_terms(ctx, m, data, out));
  return mn_apply_tf_idf(ctx, &m->tf_idf, out);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const mn_vectorizer *m = self;
  MN_TRY(mn_check_vectorizer(ctx, self));
  if (m->tf_idf.idf.size == 0 || m->tf_idf.idf.size == m->fitted_vocabulary.terms.size) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "TfidfVectorizer: idf does not match the terms");
}

static const mn_param params[] = { MN_VECTORIZER_PARAMS, MN_TF_IDF_PARAMS(mn_vectorizer, tf_idf), MN_END };

static const mn_field fields[] = {
  MN_VOCABULARY_FIELDS(mn_vectorizer, fitted_vocabulary),
  MN_TF_IDF_FIELD(mn_vectorizer, tf_idf, "terms?"),
  MN_END,
};

const mn_class mn_tfidf_vectorizer = {
  .name = "TfidfVectorizer",
  .family = "text",
  .brief = "Turns documents into sparse TF-IDF weights of their terms.",
  .objective = "z_ij = tf_ij idf_j / |row i|, idf_j = log((1 + n) / (1 + n_j)) + 1",
  .source = "Spärck Jones, Journal of Documentation 28 (1972)",
  .notes = "The same as CountVectorizer followed by TfidfTransformer. X is a list of strings, a Factor, or one "
           "column of a Frame. Terms are sorted by code point; letters and lower case are those of Unicode. For "
           "custom tokens, join them with spaces in Lua and set analyzer = \"whitespace\". The English stop words "
           "are not those of scikit-learn. max_df = 1 means all documents, min_df = 1 one document. A document "
           "without known terms is a row of zeros.",
  .example = "local texts = { \"win a prize\", \"see you at lunch\", \"a prize for you\", \"lunch at home\" }\n"
             "local model = ml.Pipeline{ ml.TfidfVectorizer{}, ml.LinearSVC{} }\n"
             "model:fit(texts, { \"spam\", \"ham\", \"spam\", \"ham\" })\n"
             "print(model:predict{ \"a prize at lunch\", \"win you\" })",
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
  .check = check,
  .derive = mn_derive_vectorizer,
  .export = mn_no_text_export,
};
