#include "vectorizer.h"
#include "../model/program.h"
#include <stdio.h>
#include <stdlib.h>

/* The numbers of documents that min_df and max_df stand for. */
static mn_status term_limits(mn_context *ctx, const mn_vectorizer *m, size_t rows, struct mn_term_limits *out)
{
  const double n = (double)rows, min = m->min_df < 1 ? m->min_df * n : m->min_df;
  const double max = m->max_df <= 1 ? m->max_df * n : m->max_df;
  *out = (struct mn_term_limits){
    .min_documents = min, .max_documents = max, .max_features = m->max_features, .binary = m->binary
  };
  if (min <= max) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT,
                 "%s: min_df = %.10g is more documents than max_df = %.10g (%.10g and %.10g of %zu); lower min_df",
                 m->base.class->name, m->min_df, m->max_df, min, max, rows);
}

/* The number of rows with each column. */
static mn_status count_rows(mn_context *ctx, const mn_csr *x, double **documents)
{
  *documents = MN_NEW(ctx, double, x->cols, 1);
  MN_CHECK_ALLOC(*documents);
  for (size_t k = 0; k < x->start[x->rows]; k++) (*documents)[x->col[k]]++;
  return MN_OK;
}

static mn_status set_terms(mn_context *ctx, mn_vectorizer *m, const mn_data *data, const mn_term_source *source,
                           double **documents)
{
  mn_csr counts = { 0 };
  const mn_names *terms = &m->vocabulary.name;
  if (terms->size == 0)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: vocabulary must have terms, got none", m->base.class->name);
  MN_TRY(mn_vocabulary_set(ctx, m->base.class->name, terms, &m->fitted_vocabulary));
  if (!documents) return MN_OK;
  MN_TRY(mn_vocabulary_count(ctx, data, source, &m->fitted_vocabulary, m->binary, &counts));
  const mn_status status = count_rows(ctx, &counts, documents);
  if (status == MN_OK && data->transformed)
    *data->transformed = counts;
  else
    mn_csr_free(mn_context_memory(ctx), &counts);
  return status;
}

mn_status mn_learn_terms(mn_context *ctx, mn_vectorizer *m, const mn_data *data, double **documents)
{
  mn_analyzer analyzer;
  struct mn_term_limits limits;
  double *unused;
  const mn_term_source source = { .who = m->base.class->name, .analyzer = &analyzer };
  MN_TRY(mn_analyzer_init(ctx, m->base.class->name, &m->text, &analyzer));
  MN_TRY(term_limits(ctx, m, data->rows, &limits));
  if (mn_columns_are_set(&m->vocabulary)) return set_terms(ctx, m, data, &source, documents);
  if (!documents) documents = &unused;
  return mn_vocabulary_learn(ctx, data, &source, &limits, &m->fitted_vocabulary, documents, data->transformed);
}

mn_status mn_count_terms(mn_context *ctx, const mn_vectorizer *m, const mn_data *data, mn_csr *out)
{
  mn_analyzer analyzer;
  const mn_term_source source = { .who = m->base.class->name, .analyzer = &analyzer };
  MN_TRY(mn_analyzer_init(ctx, m->base.class->name, &m->text, &analyzer));
  return mn_vocabulary_count(ctx, data, &source, &m->fitted_vocabulary, m->binary, out);
}

size_t mn_vectorizer_outputs(const void *self)
{
  return ((const mn_vectorizer *)self)->fitted_vocabulary.terms.size;
}

void mn_vectorizer_output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  (void)inputs;
  snprintf(text, size, "%s", ((const mn_vectorizer *)self)->fitted_vocabulary.terms.at[j]);
}

mn_status mn_check_vectorizer(mn_context *ctx, const void *self)
{
  const mn_vectorizer *m = self;
  return mn_vocabulary_is_valid(&m->fitted_vocabulary)
             ? MN_OK
             : mn_fail(ctx, MN_BAD_FILE, "%s: the terms are invalid", m->base.class->name);
}

mn_status mn_derive_vectorizer(mn_context *ctx, void *self)
{
  return mn_vocabulary_derive(ctx, &((mn_vectorizer *)self)->fitted_vocabulary);
}

mn_status mn_no_text_export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)action;
  (void)program;
  return mn_cannot_export(ctx, self, "exported code takes numbers, not texts");
}

/* --- terms_of --- */

struct entry {
  double value;
  int32_t column;
};

/* By descending value, ties by term. */
static int by_value(const void *left, const void *right)
{
  const struct entry *a = left, *b = right;
  if (a->value != b->value) return a->value > b->value ? -1 : 1;
  return a->column - b->column;
}

static mn_status list_terms(mn_context *ctx, const mn_vectorizer *m, const mn_csr *x, mn_results *results)
{
  const size_t n = x->start[x->rows];
  mn_indexes *document;
  mn_vector *value;
  const char **term = MN_RAW(ctx, const char *, n, 1);
  struct entry *entry = MN_RAW(ctx, struct entry, n, 1);
  if (!term || !entry) return MN_NO_MEMORY;
  MN_TRY(mn_result_indexes(ctx, results, "terms.document", n, &document));
  for (size_t i = 0, k = 0; i < x->rows; i++) {
    for (; k < x->start[i + 1]; k++) {
      entry[k].value = x->at[k];
      entry[k].column = x->col[k];
      document->at[k] = (int32_t)i;
    }
    if (k > x->start[i]) qsort(entry + x->start[i], k - x->start[i], sizeof *entry, by_value);
  }
  for (size_t k = 0; k < n; k++) term[k] = m->fitted_vocabulary.terms.at[entry[k].column];
  MN_TRY(mn_result_names(ctx, results, "terms.term", term, n));
  MN_TRY(mn_result_vector(ctx, results, "terms.value", n, &value));
  for (size_t k = 0; k < n; k++) value->at[k] = entry[k].value;
  return MN_OK;
}

static mn_status terms_of(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                          mn_results *results)
{
  const mn_vectorizer *m = self;
  mn_csr x = { 0 };
  (void)options;
  mn_status status = m->base.class->transform_sparse(ctx, self, data, &x);
  if (status == MN_OK) status = list_terms(ctx, m, &x, results);
  mn_csr_free(mn_context_memory(ctx), &x);
  return status;
}

const mn_operation mn_vectorizer_operations[] = {
  { .name = "terms_of",
    .brief = "The terms of each document that have a column, by descending value",
    .returns = "Frame: document, term, value",
    .needs = MN_NEEDS_X,
    .run = terms_of },
  { .name = NULL },
};
