#include "singular.h"
#include "../linalg/csr.h"
#include "../eigen/lanczos.h"
#include "../linalg/product.h"

enum { MAX_RESTARTS = 300 };

/* Largest residual of a squared singular value, as a fraction of the largest one. */
static const double tolerance = 1e-13;

static void transpose(size_t rows, size_t cols, const double *a, double *out)
{
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < cols; j++) out[j * rows + i] = a[i * cols + j];
}

/* Subtract from y the product of x and the matrix of rank one: y -= (x b) a', b as long as a row of x. */
static void subtract_outer(size_t count, size_t from, size_t to, const double *b, const double *a, const double *x,
                           double *y)
{
  for (size_t c = 0; c < count; c++) {
    double along = 0;
    for (size_t i = 0; i < from; i++) along += x[c * from + i] * b[i];
    for (size_t j = 0; j < to; j++) y[c * to + j] -= along * a[j];
  }
}

/* The product without left right'. */
static mn_status multiply(mn_context *ctx, const struct mn_svd_operand *a, bool by_transpose, size_t count,
                          const double *x, double *y)
{
  const size_t from = by_transpose ? a->cols : a->rows, to = by_transpose ? a->rows : a->cols;
  if (!a->sparse) return mn_gemm(ctx, false, by_transpose, count, to, from, 1, x, from, a->dense, a->cols, 0, y, to);
  const mn_mark mark = mn_scratch_mark(ctx);
  double *in = MN_RAW(ctx, double, from, count), *out = MN_RAW(ctx, double, to, count);
  if (!in || !out) return MN_NO_MEMORY;
  transpose(count, from, x, in);
  MN_TRY(mn_csr_multiply(ctx, by_transpose ? a->sparse : &a->transposed, count, in, out));
  transpose(to, count, out, y);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_svd_multiply(mn_context *ctx, const struct mn_svd_operand *a, bool by_transpose, size_t count,
                          const double *x, double *y)
{
  MN_TRY(multiply(ctx, a, by_transpose, count, x, y));
  if (a->left && by_transpose) subtract_outer(count, a->cols, a->rows, a->right, a->left, x, y);
  if (a->left && !by_transpose) subtract_outer(count, a->rows, a->cols, a->left, a->right, x, y);
  return MN_OK;
}

/* y = x A'A, or x A A' if A has fewer rows than columns. */
static mn_status apply_gram(mn_context *ctx, void *user, size_t count, const double *x, double *y)
{
  const struct mn_svd_operand *a = user;
  const mn_mark mark = mn_scratch_mark(ctx);
  const bool tall = a->rows >= a->cols;
  double *between = MN_RAW(ctx, double, count, tall ? a->rows : a->cols);
  MN_CHECK_ALLOC(between);
  MN_TRY(mn_svd_multiply(ctx, a, tall, count, x, between));
  MN_TRY(mn_svd_multiply(ctx, a, !tall, count, between, y));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* The eigenvectors by LAPACK, when Lanczos does not converge. */
static mn_status solve_densely(mn_context *ctx, struct mn_svd_operand *a, size_t order, size_t k, double *values,
                               double *vectors)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *identity = MN_NEW(ctx, double, order, order), *gram = MN_RAW(ctx, double, order, order);
  if (!identity || !gram) return MN_NO_MEMORY;
  for (size_t i = 0; i < order; i++) identity[i * order + i] = 1;
  MN_TRY(apply_gram(ctx, a, order, identity, gram));
  MN_TRY(mn_eigh(ctx, order, k, MN_LARGEST, gram, values, vectors));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Orthonormal rows that span the k largest singular vectors of the shorter side of A. */
static mn_status find_subspace(mn_context *ctx, struct mn_svd_operand *a, size_t k, double *vectors)
{
  const size_t order = a->rows < a->cols ? a->rows : a->cols;
  bool converged;
  double *values = MN_RAW(ctx, double, k, 1);
  MN_CHECK_ALLOC(values);
  const mn_eigenproblem problem = { .n = order,
                                    .k = k,
                                    .end = MN_LARGEST,
                                    .apply = apply_gram,
                                    .user = a,
                                    .tolerance = tolerance,
                                    .max_iter = MAX_RESTARTS };
  MN_TRY(mn_eigs(ctx, &problem, values, vectors, &converged));
  return converged ? MN_OK : solve_densely(ctx, a, order, k, values, vectors);
}

/* s and V' (k x cols) of A from the span of `subspace`. */
static mn_status solve_within(mn_context *ctx, const struct mn_svd_operand *a, size_t k, const double *subspace,
                              double *s, double *v)
{
  const bool tall = a->rows >= a->cols;
  double *product = MN_RAW(ctx, double, k, tall ? a->rows : a->cols), *u = MN_RAW(ctx, double, k, k);
  if (!product || !u) return MN_NO_MEMORY;
  MN_TRY(mn_svd_multiply(ctx, a, tall, k, subspace, product));
  if (!tall) return mn_svd(ctx, k, a->cols, product, NULL, s, v);
  MN_TRY(mn_svd(ctx, k, a->rows, product, u, s, NULL));
  return mn_gemm(ctx, true, false, k, a->cols, k, 1, u, k, subspace, a->cols, 0, v, a->cols);
}

mn_status mn_largest_singular(mn_context *ctx, struct mn_svd_operand *a, size_t k, double *s, double *v)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *subspace = MN_RAW(ctx, double, k, a->rows < a->cols ? a->rows : a->cols);
  MN_CHECK_ALLOC(subspace);
  MN_TRY(find_subspace(ctx, a, k, subspace));
  MN_TRY(solve_within(ctx, a, k, subspace, s, v));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
