#include "lars_set.h"
#include "../linalg/product.h"
#include "../linalg/reduce.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { FIRST_ROOM = 16 };

static mn_status grow(mn_context *ctx, mn_lars_set *set)
{
  size_t room = set->room > 0 ? 2 * set->room : FIRST_ROOM;
  if (room > set->most) room = set->most;
  mn_lars_set more = *set;
  more.column = MN_RAW(ctx, size_t, room, 1);
  more.sign = MN_RAW(ctx, double, room, 1);
  more.qv = MN_RAW(ctx, double, room, 1);
  more.part = MN_RAW(ctx, double, room, 1);
  more.q = MN_RAW(ctx, double, room, set->n);
  more.r = MN_RAW(ctx, double, room, room);
  more.room = room;
  if (!more.column || !more.sign || !more.qv || !more.part || !more.q || !more.r) return MN_NO_MEMORY;
  for (size_t k = 0; k < set->size; k++) {
    more.column[k] = set->column[k];
    more.sign[k] = set->sign[k];
    more.qv[k] = set->qv[k];
    memcpy(more.q + k * set->n, set->q + k * set->n, set->n * sizeof *more.q);
    memcpy(more.r + k * room, set->r + k * set->room, set->size * sizeof *more.r);
  }
  *set = more;
  return MN_OK;
}

mn_status mn_lars_set_init(mn_context *ctx, mn_lars_set *set, size_t n, size_t most, const double *v)
{
  *set = (mn_lars_set){ .n = n, .most = most, .v = v };
  return most > 0 ? grow(ctx, set) : MN_OK;
}

/* z less its part in Q, which is added to `part`. */
static mn_status take_off(mn_context *ctx, const mn_lars_set *set, double *z, double *part)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t k = set->size, n = set->n;
  double *now = MN_RAW(ctx, double, k, 1);
  MN_CHECK_ALLOC(now);
  MN_TRY(mn_gemv(ctx, false, k, n, 1, set->q, n, z, 0, now));
  MN_TRY(mn_gemv(ctx, true, k, n, -1, set->q, n, now, 1, z));
  for (size_t i = 0; i < k; i++) part[i] += now[i];
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_lars_set_orthogonalize(mn_context *ctx, mn_lars_set *set, const double *z, double square, double least, bool *fits)
{
  *fits = false;
  if (set->size == set->most) return MN_OK;
  if (set->size == set->room) MN_TRY(grow(ctx, set));
  const size_t k = set->size, n = set->n;
  double *q = set->q + k * n, *part = set->part;
  memcpy(q, z, n * sizeof *q);
  memset(part, 0, k * sizeof *part);
  /* Twice: after once, what is left of a column that is all but dependent need not be orthogonal. */
  for (int turn = 0; turn < 2; turn++) MN_TRY(take_off(ctx, set, q, part));
  const double left = mn_dot_values(n, q, q);
  for (size_t i = 0; i < k; i++) set->r[i * set->room + k] = part[i];
  for (size_t i = 0; i < k; i++) set->r[k * set->room + i] = 0;
  set->r[k * set->room + k] = sqrt(left);
  *fits = left > least * square;
  if (!*fits) return MN_OK;
  for (size_t i = 0; i < n; i++) q[i] /= sqrt(left);
  return MN_OK;
}

void mn_lars_set_add(mn_lars_set *set, size_t column, double sign)
{
  const size_t k = set->size++;
  set->column[k] = column;
  set->sign[k] = sign;
  set->qv[k] = mn_dot_values(set->n, set->q + k * set->n, set->v);
}

/* Rows i and i + 1 of Q and R turned so that R has nothing below its diagonal in column i. */
static void rotate(mn_lars_set *set, size_t i)
{
  const size_t room = set->room, n = set->n;
  double *upper = set->r + i * room, *lower = upper + room, *q = set->q + i * n;
  const double length = hypot(upper[i], lower[i]);
  const double c = length > 0 ? upper[i] / length : 1, s = length > 0 ? lower[i] / length : 0;
  for (size_t j = i; j < set->size; j++) {
    const double a = upper[j], b = lower[j];
    upper[j] = c * a + s * b;
    lower[j] = c * b - s * a;
  }
  lower[i] = 0;
  for (size_t j = 0; j < n; j++) {
    const double a = q[j], b = q[n + j];
    q[j] = c * a + s * b;
    q[n + j] = c * b - s * a;
  }
  const double a = set->qv[i], b = set->qv[i + 1];
  set->qv[i] = c * a + s * b;
  set->qv[i + 1] = c * b - s * a;
}

void mn_lars_set_remove(mn_lars_set *set, size_t position)
{
  const size_t behind = --set->size - position;
  memmove(set->column + position, set->column + position + 1, behind * sizeof *set->column);
  memmove(set->sign + position, set->sign + position + 1, behind * sizeof *set->sign);
  for (size_t i = 0; i <= set->size; i++) {
    double *row = set->r + i * set->room + position;
    memmove(row, row + 1, behind * sizeof *row);
  }
  for (size_t i = position; i < set->size; i++) rotate(set, i);
}

/* x := R^-1 x, and x := R^-T x. */
static void back(const mn_lars_set *set, double *x)
{
  for (size_t i = set->size; i-- > 0;) {
    const double *row = set->r + i * set->room;
    for (size_t j = i + 1; j < set->size; j++) x[i] -= row[j] * x[j];
    x[i] /= row[i];
  }
}

static void forth(const mn_lars_set *set, double *x)
{
  for (size_t i = 0; i < set->size; i++) {
    const double *row = set->r + i * set->room;
    x[i] /= row[i];
    for (size_t j = i + 1; j < set->size; j++) x[j] -= row[j] * x[i];
  }
}

mn_status mn_lars_set_solve(mn_context *ctx, const mn_lars_set *set, double *u, double *d, double *residual,
                            double *toward)
{
  const size_t k = set->size, n = set->n, bytes = k * sizeof *u;
  memcpy(residual, set->v, n * sizeof *residual);
  memset(toward, 0, n * sizeof *toward);
  if (k == 0) return MN_OK;
  memcpy(u, set->qv, bytes);
  memcpy(d, set->sign, bytes);
  MN_TRY(mn_gemv(ctx, true, k, n, -1, set->q, n, u, 1, residual));
  back(set, u);
  forth(set, d);
  MN_TRY(mn_gemv(ctx, true, k, n, 1, set->q, n, d, 0, toward));
  back(set, d);
  return MN_OK;
}
