#include "principal_start.h"
#include "../eigen/lanczos.h"
#include "../eigen/principal_axes.h"
#include "../eigen/signs.h"
#include "../linalg/csr.h"
#include "../linalg/product.h"
#include <math.h>
#include <string.h>

/* Of sparse rows; a start needs no more accuracy. */
static const double tolerance = 1e-8;
enum { MAX_RESTARTS = 100 };

struct centered_rows {
  size_t n, d;
  const mn_csr *x;
  mn_csr transposed;
  double *mean; /* d */
};

static void transpose(size_t rows, size_t cols, const double *from, double *to)
{
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < cols; j++) to[j * rows + i] = from[i * cols + j];
}

/* out (count x to) = v A' for `count` rows v, where A is X (to = n) or its transpose (to = d). */
static mn_status multiply(mn_context *ctx, const struct centered_rows *r, bool by_rows, size_t count, const double *v,
                          double *out)
{
  const size_t from = by_rows ? r->d : r->n, to = by_rows ? r->n : r->d;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *columns = MN_RAW(ctx, double, from, count), *product = MN_RAW(ctx, double, to, count);
  if (!columns || !product) return MN_NO_MEMORY;
  transpose(count, from, v, columns);
  MN_TRY(mn_csr_multiply(ctx, by_rows ? r->x : &r->transposed, count, columns, product));
  transpose(to, count, product, out);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* scores (count x n) = v (X - 1 mean')'. */
static mn_status project(mn_context *ctx, const struct centered_rows *r, size_t count, const double *v, double *scores)
{
  MN_TRY(multiply(ctx, r, true, count, v, scores));
  for (size_t c = 0; c < count; c++) {
    double shift = 0;
    for (size_t j = 0; j < r->d; j++) shift += v[c * r->d + j] * r->mean[j];
    for (size_t i = 0; i < r->n; i++) scores[c * r->n + i] -= shift;
  }
  return MN_OK;
}

/* y = x S, S = (X - 1 mean')' (X - 1 mean'). */
static mn_status apply_scatter(mn_context *ctx, void *user, size_t count, const double *x, double *y)
{
  const struct centered_rows *r = user;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *scores = MN_RAW(ctx, double, count, r->n);
  MN_CHECK_ALLOC(scores);
  MN_TRY(project(ctx, r, count, x, scores));
  MN_TRY(multiply(ctx, r, false, count, scores, y));
  for (size_t c = 0; c < count; c++) {
    double total = 0;
    for (size_t i = 0; i < r->n; i++) total += scores[c * r->n + i];
    for (size_t j = 0; j < r->d; j++) y[c * r->d + j] -= total * r->mean[j];
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status make_rows(mn_context *ctx, const mn_data *data, struct centered_rows *r)
{
  *r = (struct centered_rows){ .n = data->rows, .d = data->features, .x = data->sparse };
  r->mean = MN_NEW(ctx, double, r->d, 1);
  MN_CHECK_ALLOC(r->mean);
  MN_TRY(mn_csr_transpose_scratch(ctx, r->x, &r->transposed));
  for (size_t e = 0; e < r->x->start[r->n]; e++) r->mean[r->x->col[e]] += r->x->at[e] / (double)r->n;
  return MN_OK;
}

/* scores (count x n) of sparse rows. */
static mn_status score_sparse(mn_context *ctx, const mn_data *data, size_t count, double *vectors, double *scores)
{
  double *values = MN_RAW(ctx, double, count, 1);
  struct centered_rows r;
  bool converged;
  MN_CHECK_ALLOC(values);
  MN_TRY(make_rows(ctx, data, &r));
  const mn_eigenproblem problem = { .n = r.d,
                                    .k = count,
                                    .end = MN_LARGEST,
                                    .apply = apply_scatter,
                                    .user = &r,
                                    .tolerance = tolerance,
                                    .max_iter = MAX_RESTARTS };
  MN_TRY(mn_eigs(ctx, &problem, values, vectors, &converged));
  mn_fix_signs(count, r.d, vectors);
  return project(ctx, &r, count, vectors, scores);
}

static mn_status score_dense(mn_context *ctx, const mn_data *data, size_t count, double *vectors, double *scores)
{
  const size_t n = data->rows, d = data->features;
  double *mean = MN_RAW(ctx, double, d, 1), *values = MN_RAW(ctx, double, count, 1), trace;
  if (!mean || !values) return MN_NO_MEMORY;
  MN_TRY(mn_principal_axes(ctx, n, d, data->x.at, NULL, count, mean, values, vectors, &trace));
  MN_TRY(mn_gemm(ctx, false, true, count, n, d, 1, vectors, d, data->x.at, d, 0, scores, n));
  for (size_t c = 0; c < count; c++) {
    double shift = 0;
    for (size_t j = 0; j < d; j++) shift += vectors[c * d + j] * mean[j];
    for (size_t i = 0; i < n; i++) scores[c * n + i] -= shift;
  }
  return MN_OK;
}

mn_status mn_principal_start(mn_context *ctx, const mn_data *data, size_t k, double *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t n = data->rows, side = n < data->features ? n : data->features, count = k < side ? k : side;
  double *vectors = MN_RAW(ctx, double, count, data->features), *scores = MN_RAW(ctx, double, count, n);
  if (!vectors || !scores) return MN_NO_MEMORY;
  MN_TRY((data->sparse ? score_sparse : score_dense)(ctx, data, count, vectors, scores));
  memset(out, 0, n * k * sizeof *out);
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < count; c++) out[i * k + c] = scores[c * n + i];
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
