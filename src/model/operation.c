#include "operation.h"

static mn_result *next_result(mn_results *results, const char *name, mn_kind kind)
{
  mn_result *r = &results->at[results->size];
  *r = (mn_result){ .name = name, .kind = kind };
  return r;
}

static bool is_full(mn_context *ctx, const mn_results *results)
{
  if (results->size < MN_MAX_RESULTS) return false;
  mn_fail(ctx, MN_NO_MEMORY, "an operation has more than %d results", MN_MAX_RESULTS);
  return true;
}

void mn_result_real(mn_results *results, const char *name, double value)
{
  if (results->size == MN_MAX_RESULTS) return;
  next_result(results, name, MN_KIND_REAL)->as.real = value;
  results->size++;
}

void mn_result_count(mn_results *results, const char *name, int64_t value)
{
  if (results->size == MN_MAX_RESULTS) return;
  next_result(results, name, MN_KIND_COUNT)->as.count = value;
  results->size++;
}

mn_status mn_result_vector(mn_context *ctx, mn_results *results, const char *name, size_t size, mn_vector **out)
{
  if (is_full(ctx, results)) return MN_NO_MEMORY;
  mn_result *r = next_result(results, name, MN_KIND_VECTOR);
  MN_TRY(mn_vector_init(ctx, &r->as.vector, size));
  results->size++;
  *out = &r->as.vector;
  return MN_OK;
}

mn_status mn_result_matrix(mn_context *ctx, mn_results *results, const char *name, size_t rows, size_t cols,
                           mn_matrix **out)
{
  if (is_full(ctx, results)) return MN_NO_MEMORY;
  mn_result *r = next_result(results, name, MN_KIND_MATRIX);
  MN_TRY(mn_matrix_init(ctx, &r->as.matrix, rows, cols));
  results->size++;
  *out = &r->as.matrix;
  return MN_OK;
}

mn_status mn_result_indexes(mn_context *ctx, mn_results *results, const char *name, size_t size, mn_indexes **out)
{
  if (is_full(ctx, results)) return MN_NO_MEMORY;
  mn_result *r = next_result(results, name, MN_KIND_INDEXES);
  MN_TRY(mn_indexes_init(ctx, &r->as.indexes, size));
  results->size++;
  *out = &r->as.indexes;
  return MN_OK;
}

mn_status mn_result_csr(mn_context *ctx, mn_results *results, const char *name, mn_csr **out)
{
  if (is_full(ctx, results)) return MN_NO_MEMORY;
  *out = &next_result(results, name, MN_KIND_CSR)->as.csr;
  results->size++;
  return MN_OK;
}

mn_status mn_result_names(mn_context *ctx, mn_results *results, const char *name, const char *const *from, size_t size)
{
  if (is_full(ctx, results)) return MN_NO_MEMORY;
  MN_TRY(mn_names_init(ctx, &next_result(results, name, MN_KIND_NAMES)->as.names, from, size));
  results->size++;
  return MN_OK;
}

mn_status mn_result_text(mn_context *ctx, mn_results *results, const char *name, const char *bytes, size_t size)
{
  if (is_full(ctx, results)) return MN_NO_MEMORY;
  MN_TRY(mn_text_init(ctx, &next_result(results, name, MN_KIND_TEXT)->as.text, bytes, size));
  results->size++;
  return MN_OK;
}

void mn_results_free(mn_memory *memory, mn_results *results)
{
  for (size_t i = 0; i < results->size; i++) mn_value_free(memory, results->at[i].kind, &results->at[i].as);
  results->size = 0;
}

const mn_param mn_sample_params[] = {
  MN_COUNT(mn_sample_options, n, 1, MN_CLOSED(1, INT32_MAX), "number of rows"),
  MN_SEED(mn_sample_options, seed),
  MN_END,
};
