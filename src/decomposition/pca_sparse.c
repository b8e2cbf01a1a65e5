/* Principal components of sparse rows, which stay sparse: the singular values of
 *
 *     diag(sqrt(w)) (X - 1 mean') = S - root mean'
 *
 * from its products with vectors (singular.h). */
#include "../linalg/csr.h"
#include "components.h"
#include "pca.h"
#include "singular.h"

/* Means of the columns, and the total variance times n - 1. */
static mn_status find_moments(mn_context *ctx, struct mn_pca *m, const mn_data *data, double *mean, double *total)
{
  const mn_csr *s = data->sparse;
  double *stored = MN_NEW(ctx, double, data->features, 1); /* weight of the rows with a value in the column */
  MN_CHECK_ALLOC(stored);
  m->n = mn_total_weight(data);
  for (size_t i = 0; i < data->rows; i++)
    for (size_t e = s->start[i]; e < s->start[i + 1]; e++) mean[s->col[e]] += mn_weight(data, i) / m->n * s->at[e];
  *total = 0;
  for (size_t i = 0; i < data->rows; i++)
    for (size_t e = s->start[i]; e < s->start[i + 1]; e++) {
      const double rest = s->at[e] - mean[s->col[e]];
      *total += mn_weight(data, i) * rest * rest;
      stored[s->col[e]] += mn_weight(data, i);
    }
  for (size_t j = 0; j < data->features; j++) *total += fmax(m->n - stored[j], 0) * mean[j] * mean[j];
  return mn_poll(ctx);
}

/* The rows times sqrt(w). */
static mn_status weight_rows(mn_context *ctx, const mn_data *data, double *root, mn_csr *out)
{
  *out = *data->sparse;
  for (size_t i = 0; i < data->rows; i++) root[i] = sqrt(mn_weight(data, i));
  if (!data->weights) return MN_OK;
  out->at = MN_RAW(ctx, double, out->start[data->rows], 1);
  MN_CHECK_ALLOC(out->at);
  for (size_t i = 0; i < data->rows; i++)
    for (size_t e = out->start[i]; e < out->start[i + 1]; e++) out->at[e] = root[i] * data->sparse->at[e];
  return MN_OK;
}

mn_status mn_pca_solve_sparse(mn_context *ctx, struct mn_pca *m, const mn_data *data, size_t k)
{
  const size_t n = data->rows, p = data->features;
  double *mean = MN_NEW(ctx, double, p, 1), *root = MN_RAW(ctx, double, n, 1), total;
  struct mn_pca_solution f = {
    .count = k, .variance = MN_RAW(ctx, double, k, 1), .vectors = MN_RAW(ctx, double, k, p), .rank = n < p ? n : p
  };
  mn_csr rows;
  if (!mean || !root || !f.variance || !f.vectors) return MN_NO_MEMORY;
  MN_TRY(find_moments(ctx, m, data, mean, &total));
  MN_TRY(weight_rows(ctx, data, root, &rows));
  struct mn_svd_operand a = { .rows = n, .cols = p, .sparse = &rows, .left = root, .right = mean };
  MN_TRY(mn_csr_transpose_scratch(ctx, &rows, &a.transposed));
  MN_TRY(mn_largest_singular(ctx, &a, k, f.variance, f.vectors));
  for (size_t c = 0; c < k; c++) f.variance[c] *= f.variance[c] / (m->n - 1);
  f.total = total / (m->n - 1);
  if (k < f.rank) f.moments[2] = (double)NAN;
  return mn_pca_store(ctx, m, &f, mean);
}
