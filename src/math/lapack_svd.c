#include "lapack.h"
#include "lapack_table.h"
#include <string.h>

/* The memory of X is the column-major n x m matrix X' = V diag(s) U': its left vectors are our vt, its right ones our
 * u, each already laid out as we want it. */
struct problem {
  const mn_lapack *lapack;
  size_t m, n, k;
  int rows, cols, rank; /* of X': n, m, k */
  const double *x;
  double *a, *u, *s, *vt;
};

static mn_status too_large(mn_context *ctx, const struct problem *p)
{
  return mn_fail(ctx, MN_BAD_ARGUMENT, "singular values: %zu x %zu is too large for 32-bit work space", p->m, p->n);
}

static mn_status by_halves(mn_context *ctx, const struct problem *p, bool *converged)
{
  const char *const job = p->u ? "S" : "N";
  int info, ask = -1;
  double asked;
  int *iwork = MN_RAW(ctx, int, 8, p->k);
  MN_NEED(iwork);
  memcpy(p->a, p->x, p->m * p->n * sizeof *p->a);
  p->lapack->dgesdd(job, &p->rows, &p->cols, p->a, &p->rows, p->s, p->vt, &p->rows, p->u, &p->rank, &asked, &ask, iwork,
                    &info, 1);
  if (!(asked >= 1 && asked <= INT32_MAX)) return too_large(ctx, p);
  const int size = (int)asked;
  double *work = MN_RAW(ctx, double, (size_t)size, 1);
  MN_NEED(work);
  p->lapack->dgesdd(job, &p->rows, &p->cols, p->a, &p->rows, p->s, p->vt, &p->rows, p->u, &p->rank, work, &size, iwork,
                    &info, 1);
  *converged = info == 0;
  return MN_OK;
}

static mn_status by_steps(mn_context *ctx, const struct problem *p)
{
  const char *const job = p->u ? "S" : "N";
  int info, ask = -1;
  double asked;
  memcpy(p->a, p->x, p->m * p->n * sizeof *p->a);
  p->lapack->dgesvd(job, job, &p->rows, &p->cols, p->a, &p->rows, p->s, p->vt, &p->rows, p->u, &p->rank, &asked, &ask,
                    &info, 1, 1);
  if (!(asked >= 1 && asked <= INT32_MAX)) return too_large(ctx, p);
  const int size = (int)asked;
  double *work = MN_RAW(ctx, double, (size_t)size, 1);
  MN_NEED(work);
  p->lapack->dgesvd(job, job, &p->rows, &p->cols, p->a, &p->rows, p->s, p->vt, &p->rows, p->u, &p->rank, work, &size,
                    &info, 1, 1);
  return info == 0 ? MN_OK : mn_fail(ctx, MN_SINGULAR, "singular values: LAPACK dgesvd did not converge");
}

static mn_status decompose(mn_context *ctx, struct problem *p)
{
  bool converged = false;
  MN_TRY(mn_lapack_int(ctx, "singular values: the number of rows", p->m, &p->cols));
  MN_TRY(mn_lapack_int(ctx, "singular values: the number of columns", p->n, &p->rows));
  p->rank = (int)p->k;
  MN_NEED(p->a = MN_RAW(ctx, double, p->m, p->n));
  if (p->u && !p->vt) MN_NEED(p->vt = MN_RAW(ctx, double, p->k, p->n));
  if (p->vt && !p->u) MN_NEED(p->u = MN_RAW(ctx, double, p->m, p->k));
  MN_TRY(by_halves(ctx, p, &converged));
  return converged ? MN_OK : by_steps(ctx, p);
}

/* Without U, a tall X and its R have the same answer. */
static mn_status shorten(mn_context *ctx, struct problem *p)
{
  const mn_rows rows = { .n = p->m, .p = p->n, .x = p->x };
  double *r = MN_RAW(ctx, double, p->n, p->n);
  MN_NEED(r);
  MN_TRY(mn_tall_qr(ctx, &rows, r, NULL, NULL));
  p->x = r;
  p->m = p->n;
  return MN_OK;
}

mn_status mn_svd(mn_context *ctx, size_t m, size_t n, const double *x, double *u, double *s, double *vt)
{
  struct problem p = { .m = m, .n = n, .k = m < n ? m : n, .x = x, .u = u, .s = s, .vt = vt };
  if (p.k == 0) return MN_OK;
  MN_TRY(mn_lapack_get(ctx, &p.lapack));
  if (!mn_all_finite(m * n, x))
    return mn_fail(ctx, MN_BAD_DATA, "singular values: the matrix must be finite, got nan or inf");
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_status status = !u && m > n ? shorten(ctx, &p) : MN_OK;
  if (status == MN_OK) status = decompose(ctx, &p);
  mn_scratch_release(ctx, mark);
  return status;
}
