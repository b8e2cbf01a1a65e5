#include "dense.h"
#include "lapack.h"
#include "lapack_solve.h"
#include "lapack_thread.h"
#include "../linalg/product.h"
#include <float.h>
#include <math.h>

static mn_status fail_singular(mn_context *ctx, size_t n, const double *a, size_t rank)
{
  char condition[MN_NUMBER_SIZE];
  double *s = MN_RAW(ctx, double, n, 1);
  if (!s) return MN_NO_MEMORY;
  MN_TRY(mn_svd(ctx, n, n, a, NULL, s, NULL));
  return mn_fail(
      ctx, MN_SINGULAR,
      "the matrix is singular to working precision: rank %zu of %zu, condition number %s; use pinv for a least-squares solution",
      rank, n, mn_format_number(condition, s[0] / s[n - 1]));
}

mn_status mn_solve(mn_context *ctx, size_t n, size_t m, const double *a, const double *b, double *x)
{
  const mn_rows rows = { .n = n, .p = n, .m = m, .x = a, .y = b };
  double *residual = MN_RAW(ctx, double, m, 1);
  mn_rank found = { .rank = n };
  if (!residual) return MN_NO_MEMORY;
  if (n >= MN_LONG_ORDER)
    MN_TRY(mn_lapack_solve(ctx, n, m, a, b, x, &found.rank));
  else if (n > 0)
    MN_TRY(mn_least_squares(ctx, &rows, 0, x, residual, &found));
  return found.rank == n ? MN_OK : fail_singular(ctx, n, a, found.rank);
}

mn_status mn_pinv(mn_context *ctx, size_t m, size_t n, const double *a, double tolerance, double *out)
{
  const size_t k = m < n ? m : n;
  double *u = MN_RAW(ctx, double, m, k), *s = MN_RAW(ctx, double, k, 1), *vt = MN_RAW(ctx, double, k, n);
  if (!u || !s || !vt) return MN_NO_MEMORY;
  MN_TRY(mn_svd(ctx, m, n, a, u, s, vt));
  if (tolerance < 0) tolerance = (double)(m > n ? m : n) * DBL_EPSILON;
  for (size_t i = 0; i < k; i++) {
    const double factor = s[i] > tolerance * s[0] ? 1 / s[i] : 0;
    for (size_t j = 0; j < n; j++) vt[i * n + j] *= factor;
  }
  return mn_gemm(ctx, true, true, n, m, k, 1, vt, n, u, k, 0, out, m);
}
