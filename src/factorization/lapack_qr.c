#include "lapack.h"
#include "lapack_table.h"
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* Workspace of the size that a LAPACK query returned as a double. */
static double *workspace(mn_context *ctx, double wanted_size, int *size)
{
  *size = wanted_size > 1 ? (int)wanted_size : 1;
  return MN_RAW(ctx, double, (size_t)*size, 1);
}

struct economy_qr {
  const mn_lapack *lapack;
  size_t m, n, k;
  double *a, *tau; /* m x n and k, column-major */
};

static void copy_r(const struct economy_qr *e, const double *sign, double *r)
{
  for (size_t i = 0; i < e->k; i++) {
    for (size_t j = 0; j < i; j++) r[i * e->n + j] = 0;
    for (size_t j = i; j < e->n; j++) r[i * e->n + j] = sign[i] * e->a[j * e->m + i];
  }
}

static mn_status form_q(mn_context *ctx, const struct economy_qr *e, const double *sign, double *q)
{
  const int m = (int)e->m, k = (int)e->k;
  int size, info, query = -1;
  double wanted_size;
  e->lapack->dorgqr(&m, &k, &k, e->a, &m, e->tau, &wanted_size, &query, &info);
  double *work = workspace(ctx, wanted_size, &size);
  MN_CHECK_ALLOC(work);
  e->lapack->dorgqr(&m, &k, &k, e->a, &m, e->tau, work, &size, &info);
  for (size_t j = 0; j < e->k; j++)
    for (size_t i = 0; i < e->m; i++) e->a[j * e->m + i] *= sign[j];
  mn_transpose_into(e->k, e->m, e->a, e->m, q, e->k);
  return MN_OK;
}

static mn_status economy_qr(mn_context *ctx, struct economy_qr *e, const double *x, double *q, double *r)
{
  int m, n, size, info, query = -1;
  double wanted_size;
  MN_TRY(mn_lapack_int(ctx, "QR: the number of rows", e->m, &m));
  MN_TRY(mn_lapack_int(ctx, "QR: the number of columns", e->n, &n));
  MN_CHECK_ALLOC(e->a = MN_RAW(ctx, double, e->m, e->n));
  MN_CHECK_ALLOC(e->tau = MN_RAW(ctx, double, e->k, 1));
  double *sign = MN_RAW(ctx, double, e->k, 1);
  MN_CHECK_ALLOC(sign);
  e->lapack->dgeqrf(&m, &n, e->a, &m, e->tau, &wanted_size, &query, &info);
  double *work = workspace(ctx, wanted_size, &size);
  MN_CHECK_ALLOC(work);
  mn_transpose_into(e->m, e->n, x, e->n, e->a, e->m);
  e->lapack->dgeqrf(&m, &n, e->a, &m, e->tau, work, &size, &info);
  for (size_t i = 0; i < e->k; i++) sign[i] = e->a[i * e->m + i] < 0 ? -1 : 1;
  if (r) copy_r(e, sign, r);
  return q ? form_q(ctx, e, sign, q) : MN_OK;
}

mn_status mn_qr(mn_context *ctx, size_t m, size_t n, const double *x, double *q, double *r)
{
  struct economy_qr e = { .m = m, .n = n, .k = m < n ? m : n };
  if (e.k == 0) return MN_OK;
  MN_TRY(mn_lapack_get(ctx, &e.lapack));
  if (!mn_all_finite(m * n, x)) return mn_fail(ctx, MN_BAD_DATA, "QR: the matrix must be finite, got nan or inf");
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_status status = economy_qr(ctx, &e, x, q, r);
  mn_scratch_release(ctx, mark);
  return status;
}

/* R with its columns scaled to norm 1 and pivoted: R inv(D) P = Q T. All column-major. */
struct pivoted {
  const mn_lapack *lapack;
  size_t p, m, rank;
  int order, columns, rank_int;
  double *norm; /* p: D                                     */
  double *t;    /* p x p: T, and the reflectors of Q below  */
  double *tau;  /* p                                        */
  double *c;    /* p x m: Q' qty, then the solution         */
  int *pivot;   /* p, 1-based: column of X at each place    */
  double *work;
  int size;
};

static mn_status allocate_pivoted(mn_context *ctx, struct pivoted *s)
{
  int info, query = -1;
  double factor, apply, reduce_to_triangle, rz_apply;
  MN_CHECK_ALLOC(s->norm = MN_RAW(ctx, double, s->p, 1));
  MN_CHECK_ALLOC(s->t = MN_RAW(ctx, double, s->p, s->p));
  MN_CHECK_ALLOC(s->tau = MN_RAW(ctx, double, s->p, 1));
  MN_CHECK_ALLOC(s->c = MN_RAW(ctx, double, s->p, s->m));
  MN_CHECK_ALLOC(s->pivot = MN_NEW(ctx, int, s->p, 1));
  const int none = 0;
  s->lapack->dgeqp3(&s->order, &s->order, s->t, &s->order, s->pivot, s->tau, &factor, &query, &info);
  s->lapack->dormqr("L", "T", &s->order, &s->columns, &s->order, s->t, &s->order, s->tau, s->c, &s->order, &apply,
                    &query, &info, 1, 1);
  s->lapack->dtzrzf(&s->order, &s->order, s->t, &s->order, s->tau, &reduce_to_triangle, &query, &info);
  s->lapack->dormrz("L", "T", &s->order, &s->columns, &s->order, &none, s->t, &s->order, s->tau, s->c, &s->order,
                    &rz_apply, &query, &info, 1, 1);
  const double min_work = 64.0 * (double)(s->p + s->m); /* a smaller order may need more workspace than a larger one */
  MN_CHECK_ALLOC(s->work = workspace(ctx, fmax(fmax(fmax(factor, apply), fmax(reduce_to_triangle, rz_apply)), min_work),
                                     &s->size));
  return MN_OK;
}

static void factor(struct pivoted *s, const double *r, const double *qty, double tolerance)
{
  const size_t p = s->p;
  int info;
  for (size_t j = 0; j < p; j++) {
    double largest = 0, sum = 0; /* scaled, so that squares neither overflow nor underflow */
    for (size_t i = 0; i <= j; i++) largest = fmax(largest, fabs(r[i * p + j]));
    for (size_t i = 0; i <= j && largest > 0; i++) sum += (r[i * p + j] / largest) * (r[i * p + j] / largest);
    s->norm[j] = largest > 0 ? largest * sqrt(sum) : 1;
    for (size_t i = 0; i < p; i++) s->t[j * p + i] = i <= j ? r[i * p + j] / s->norm[j] : 0;
  }
  s->lapack->dgeqp3(&s->order, &s->order, s->t, &s->order, s->pivot, s->tau, s->work, &s->size, &info);
  mn_transpose_into(p, s->m, qty, s->m, s->c, p);
  s->lapack->dormqr("L", "T", &s->order, &s->columns, &s->order, s->t, &s->order, s->tau, s->c, &s->order, s->work,
                    &s->size, &info, 1, 1);
  s->rank = 0;
  while (s->rank < p && fabs(s->t[s->rank * p + s->rank]) > tolerance * fabs(s->t[0])) s->rank++;
  s->rank_int = (int)s->rank;
}

/* Undo the column scaling, so that the norm of the unscaled coef is minimized: [T11 T12] D = [T 0] Z. */
static void reduce_to_triangle(struct pivoted *s)
{
  int info;
  for (size_t j = 0; j < s->p; j++) {
    const double norm = s->norm[s->pivot[j] - 1];
    for (size_t i = 0; i <= j && i < s->rank; i++) s->t[j * s->p + i] *= norm;
  }
  for (size_t j = 0; j < s->p; j++) s->norm[j] = 1;
  s->lapack->dtzrzf(&s->rank_int, &s->order, s->t, &s->order, s->tau, s->work, &s->size, &info);
}

static void solve(struct pivoted *s, double *residual)
{
  const size_t p = s->p;
  const double one = 1;
  const int dropped = s->order - s->rank_int;
  int info;
  for (size_t j = 0; j < s->m; j++)
    for (size_t i = s->rank; i < p; i++) {
      if (residual) residual[j] += s->c[j * p + i] * s->c[j * p + i];
      s->c[j * p + i] = 0;
    }
  if (s->rank == 0) return;
  if (dropped > 0) reduce_to_triangle(s);
  s->lapack->dtrsm("L", "U", "N", "N", &s->rank_int, &s->columns, &one, s->t, &s->order, s->c, &s->order, 1, 1, 1, 1);
  if (dropped > 0)
    s->lapack->dormrz("L", "T", &s->order, &s->columns, &s->rank_int, &dropped, s->t, &s->order, s->tau, s->c,
                      &s->order, s->work, &s->size, &info, 1, 1);
}

static mn_status report(mn_context *ctx, const struct pivoted *s, mn_rank *found)
{
  int info;
  found->rank = s->rank;
  found->rcond = 0;
  for (size_t j = 0; found->pivot && j < s->p; j++) found->pivot[j] = (int32_t)s->pivot[j] - 1;
  if (s->rank == 0) return MN_OK;
  double *work = MN_RAW(ctx, double, s->rank, 3);
  MN_CHECK_ALLOC(work);
  int *iwork = MN_RAW(ctx, int, s->rank, 1);
  MN_CHECK_ALLOC(iwork);
  s->lapack->dtrcon("1", "U", "N", &s->rank_int, s->t, &s->order, &found->rcond, work, iwork, &info, 1, 1, 1);
  return MN_OK;
}

static mn_status solve_r(mn_context *ctx, struct pivoted *s, const double *r, const double *qty, double tolerance,
                         double *coef, double *residual, mn_rank *found)
{
  MN_TRY(mn_lapack_int(ctx, "least squares: the number of columns of X", s->p, &s->order));
  MN_TRY(mn_lapack_int(ctx, "least squares: the number of columns of y", s->m, &s->columns));
  MN_TRY(allocate_pivoted(ctx, s));
  factor(s, r, qty, tolerance > 0 ? tolerance : ((double)s->p + 100) * DBL_EPSILON);
  if (found) MN_TRY(report(ctx, s, found));
  solve(s, residual);
  for (size_t j = 0; j < s->p; j++) {
    const size_t column = (size_t)s->pivot[j] - 1;
    for (size_t c = 0; c < s->m; c++) coef[column * s->m + c] = s->c[c * s->p + j] / s->norm[column];
  }
  return MN_OK;
}

mn_status mn_solve_r(mn_context *ctx, size_t p, size_t m, const double *r, const double *qty, double tolerance,
                     double *coef, double *residual, mn_rank *found)
{
  struct pivoted s = { .p = p, .m = m };
  if (p == 0) {
    if (found) *found = (mn_rank){ .pivot = found->pivot };
    return MN_OK;
  }
  MN_TRY(mn_lapack_get(ctx, &s.lapack));
  if (!mn_all_finite(p * p, r) || !mn_all_finite(p * m, qty))
    return mn_fail(ctx, MN_BAD_DATA, "least squares: R and Q'y must be finite, got nan or inf");
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_status status = solve_r(ctx, &s, r, qty, tolerance, coef, residual, found);
  mn_scratch_release(ctx, mark);
  return status;
}

static mn_status least_squares(mn_context *ctx, const mn_rows *rows, double tolerance, double *coef, double *residual,
                               mn_rank *found)
{
  double *r = MN_RAW(ctx, double, rows->p, rows->p);
  MN_CHECK_ALLOC(r);
  double *qty = MN_RAW(ctx, double, rows->p, rows->m);
  MN_CHECK_ALLOC(qty);
  MN_TRY(mn_tall_qr(ctx, rows, r, qty, residual));
  return mn_solve_r(ctx, rows->p, rows->m, r, qty, tolerance, coef, residual, found);
}

mn_status mn_least_squares(mn_context *ctx, const mn_rows *rows, double tolerance, double *coef, double *residual,
                           mn_rank *found)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_status status = least_squares(ctx, rows, tolerance, coef, residual, found);
  mn_scratch_release(ctx, mark);
  return status;
}
