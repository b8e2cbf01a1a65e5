#include "lapack.h"
#include "lapack_blocked.h"
#include "../core/threads.h"
#include <math.h>
#include <string.h>

enum {
  MIN_BLOCKED_COLUMNS = 16, /* right-hand sides       */
  PASS_ROWS = 256           /* that a thread passes over */
};

/* The 1-norm of a symmetric matrix from its lower triangle; NaN or infinite when an element is. */
static mn_status symmetric_norm(mn_context *ctx, size_t n, const double *a, double *norm)
{
  double *sum = MN_NEW(ctx, double, n, 1);
  MN_CHECK_ALLOC(sum);
  for (size_t i = 0; i < n; i++) {
    double row = 0;
    for (size_t j = 0; j < i; j++) {
      row += fabs(a[i * n + j]);
      sum[j] += fabs(a[i * n + j]);
    }
    sum[i] += row + fabs(a[i * n + i]);
  }
  *norm = 0;
  for (size_t i = 0; i < n; i++)
    if (!(sum[i] <= *norm)) *norm = sum[i];
  return MN_OK;
}

/* Passes over a triangle, whose rows are divided among threads. */
struct pass {
  mn_blocks rows;
  double *a;
  size_t *first; /* of each block: the row with NaN or infinity, counted from 1; 0: none */
};

static void find_not_finite(void *work, size_t block, size_t worker)
{
  const struct pass *p = work;
  (void)worker;
  p->first[block] = 0;
  for (size_t i = mn_block_begin(&p->rows, block); i < mn_block_end(&p->rows, block) && p->first[block] == 0; i++)
    if (!mn_all_finite(i + 1, p->a + i * p->rows.n)) p->first[block] = i + 1;
}

/* The order of the smallest leading minor with NaN or infinity; 0 if all are finite. */
static mn_status first_not_finite(mn_context *ctx, size_t n, const double *a, size_t *minor)
{
  struct pass p = { .rows = mn_make_blocks(n, PASS_ROWS, n), .a = (double *)a }; /* read only */
  MN_CHECK_ALLOC(p.first = MN_RAW(ctx, size_t, p.rows.count, 1));
  MN_TRY(mn_parallel(ctx, p.rows.count, find_not_finite, &p));
  *minor = 0;
  for (size_t block = 0; block < p.rows.count && *minor == 0; block++) *minor = p.first[block];
  return MN_OK;
}

static void clear_rows(void *work, size_t block, size_t worker)
{
  const struct pass *p = work;
  const size_t n = p->rows.n;
  (void)worker;
  for (size_t i = mn_block_begin(&p->rows, block); i < mn_block_end(&p->rows, block); i++)
    memset(p->a + i * n + i + 1, 0, (n - i - 1) * sizeof *p->a);
}

static mn_status clear_above_diagonal(mn_context *ctx, size_t n, double *a)
{
  struct pass p = { .rows = mn_make_blocks(n, PASS_ROWS, n), .a = a };
  return mn_parallel(ctx, p.rows.count, clear_rows, &p);
}

/* The lower triangle onto the upper one, by blocks that fit the cache. */
static void copy_above_diagonal(size_t n, double *a)
{
  enum { SQUARE = 32 };
  for (size_t i0 = 0; i0 < n; i0 += SQUARE)
    for (size_t j0 = 0; j0 <= i0; j0 += SQUARE)
      for (size_t j = j0; j < j0 + SQUARE && j < n; j++)
        for (size_t i = i0 > j + 1 ? i0 : j + 1; i < i0 + SQUARE && i < n; i++) a[j * n + i] = a[i * n + j];
}

static mn_status estimate_rcond(mn_context *ctx, const mn_lapack *lapack, int n, const double *l, double norm,
                                double *rcond)
{
  double *work = MN_RAW(ctx, double, (size_t)n, 3);
  MN_CHECK_ALLOC(work);
  int *iwork = MN_RAW(ctx, int, (size_t)n, 1);
  MN_CHECK_ALLOC(iwork);
  int info;
  lapack->dpocon("U", &n, l, &n, &norm, rcond, work, iwork, &info, 1);
  return MN_OK;
}

static mn_status factor(mn_context *ctx, const mn_lapack *lapack, size_t n, double *a, double *rcond, size_t *minor)
{
  int order, info;
  double norm = 0;
  MN_TRY(mn_lapack_int(ctx, "Cholesky: the order of the matrix", n, &order));
  if (rcond) MN_TRY(symmetric_norm(ctx, n, a, &norm));
  if (n >= MN_CHOL_BLOCKED_MIN) {
    MN_TRY(mn_blocked_chol(ctx, lapack, n, a, minor));
  } else {
    lapack->dpotrf("U", &order, a, &order, &info, 1);
    *minor = info > 0 ? (size_t)info : 0;
  }
  if (*minor > 0) return MN_OK;
  MN_TRY(clear_above_diagonal(ctx, n, a));
  return rcond ? estimate_rcond(ctx, lapack, order, a, norm, rcond) : MN_OK;
}

mn_status mn_chol_try(mn_context *ctx, size_t n, double *a, double *rcond, size_t *minor)
{
  *minor = 0;
  if (rcond) *rcond = 1;
  if (n == 0) return MN_OK;
  const mn_lapack *lapack;
  MN_TRY(mn_lapack_get(ctx, &lapack));
  if (rcond) *rcond = 0;
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_status status = first_not_finite(ctx, n, a, minor);
  if (status == MN_OK && *minor == 0) status = factor(ctx, lapack, n, a, rcond, minor);
  mn_scratch_release(ctx, mark);
  return status;
}

mn_status mn_chol(mn_context *ctx, size_t n, double *a, double *rcond)
{
  size_t minor;
  MN_TRY(mn_chol_try(ctx, n, a, rcond, &minor));
  if (minor == 0) return MN_OK;
  return mn_fail(ctx, MN_SINGULAR,
                 "Cholesky: the matrix must be positive definite, got a leading minor of order %zu that is not > 0",
                 minor);
}

/* Solves for many right-hand sides of a large system. */
static mn_status solve_blocked(mn_context *ctx, const mn_lapack *lapack, size_t n, size_t m, const double *l, double *b,
                               bool lower, bool upper)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_status status = lower ? mn_blocked_lower(ctx, lapack, n, m, l, b) : MN_OK;
  if (status == MN_OK && upper) status = mn_blocked_upper(ctx, lapack, n, m, l, b);
  mn_scratch_release(ctx, mark);
  return status;
}

/* Solve with one triangle after the other. The memory of B is the column-major m x n matrix B', and that of L is U =
 * L', so inv(L) B is B' inv(U), and inv(L') B is B' inv(U'). */
static mn_status solve(mn_context *ctx, size_t n, size_t m, const double *l, double *b, bool lower, bool upper)
{
  if (n == 0 || m == 0) return MN_OK;
  const mn_lapack *lapack;
  int order, columns;
  const int step = 1;
  const double one = 1;
  MN_TRY(mn_lapack_get(ctx, &lapack));
  MN_TRY(mn_lapack_int(ctx, "Cholesky: the order of the matrix", n, &order));
  MN_TRY(mn_lapack_int(ctx, "Cholesky: the number of right-hand sides", m, &columns));
  if (n >= MN_CHOL_BLOCKED_MIN && m >= MIN_BLOCKED_COLUMNS) return solve_blocked(ctx, lapack, n, m, l, b, lower, upper);
  if (m == 1) {
    if (lower) lapack->dtrsv("U", "T", "N", &order, l, &order, b, &step, 1, 1, 1);
    if (upper) lapack->dtrsv("U", "N", "N", &order, l, &order, b, &step, 1, 1, 1);
    return MN_OK;
  }
  if (lower) lapack->dtrsm("R", "U", "N", "N", &columns, &order, &one, l, &order, b, &columns, 1, 1, 1, 1);
  if (upper) lapack->dtrsm("R", "U", "T", "N", &columns, &order, &one, l, &order, b, &columns, 1, 1, 1, 1);
  return MN_OK;
}

mn_status mn_chol_apply(mn_context *ctx, size_t n, size_t m, const double *l, double *b)
{
  return solve(ctx, n, m, l, b, true, true);
}

mn_status mn_chol_lower(mn_context *ctx, size_t n, size_t m, const double *l, double *b)
{
  return solve(ctx, n, m, l, b, true, false);
}

mn_status mn_chol_upper(mn_context *ctx, size_t n, size_t m, const double *l, double *b)
{
  return solve(ctx, n, m, l, b, false, true);
}

mn_status mn_chol_solve(mn_context *ctx, size_t n, size_t m, double *a, double *b, double *rcond)
{
  MN_TRY(mn_chol(ctx, n, a, rcond));
  return mn_chol_apply(ctx, n, m, a, b);
}

mn_status mn_chol_inverse_lower(mn_context *ctx, size_t n, const double *l, double *inverse)
{
  if (n == 0) return MN_OK;
  const mn_lapack *lapack;
  int order, info;
  MN_TRY(mn_lapack_get(ctx, &lapack));
  MN_TRY(mn_lapack_int(ctx, "Cholesky: the order of the matrix", n, &order));
  for (size_t i = 0; i < n; i++)
    if (!(l[i * n + i] > 0))
      return mn_fail(ctx, MN_SINGULAR, "Cholesky: the diagonal of the factor must be > 0, but not in row %zu", i + 1);
  if (n >= MN_CHOL_BLOCKED_MIN) {
    const mn_mark mark = mn_scratch_mark(ctx);
    const mn_status status = mn_blocked_inverse(ctx, lapack, n, l, inverse);
    mn_scratch_release(ctx, mark);
    return status;
  }
  if (inverse != l) memcpy(inverse, l, n * n * sizeof *inverse);
  lapack->dpotri("U", &order, inverse, &order, &info, 1);
  return MN_OK;
}

mn_status mn_chol_inverse(mn_context *ctx, size_t n, double *a)
{
  MN_TRY(mn_chol_inverse_lower(ctx, n, a, a));
  copy_above_diagonal(n, a);
  return MN_OK;
}

double mn_chol_logdet(size_t n, const double *l)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += log(l[i * n + i]);
  return 2 * sum;
}
