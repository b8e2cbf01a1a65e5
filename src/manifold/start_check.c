#include "start_check.h"

mn_status mn_check_start(mn_context *ctx, const char *who, size_t n, size_t k, const mn_matrix *start)
{
  if (!start->at) return MN_OK;
  if (start->rows != n || start->cols != k)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: start must be rows x n_components = %zu x %zu, got %zu x %zu", who, n, k,
                   start->rows, start->cols);
  for (size_t e = k; e < n * k; e++)
    if (start->at[e] < start->at[e - k] || start->at[e] > start->at[e - k]) return MN_OK;
  if (n < 2) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: start must have different rows, got %zu equal rows; use random positions",
                 who, n);
}
