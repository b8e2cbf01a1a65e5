#include "lars_set.h"
#include "../linalg/product.h"
#include "../linalg/reduce.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { INITIAL_CAPACITY = 16 };

static mn_status grow(mn_context *ctx, mn_lars_set *set)
{
  size_t capacity = set->capacity > 0 ? 2 * set->capacity : INITIAL_CAPACITY;
  if (capacity > set->max_size) capacity = set->max_size;
  mn_lars_set grown = *set;
  grown.column = MN_RAW(ctx, size_t, capacity, 1);
  grown.sign = MN_RAW(ctx, double, capacity, 1);
  grown.qv = MN_RAW(ctx, double, capacity, 1);
  grown.part = MN_RAW(ctx, double, capacity, 1);
  grown.q = MN_RAW(ctx, double, capacity, set->n);
  grown.r = MN_RAW(ctx, double, capacity, capacity);
  grown.capacity = capacity;
  if (!grown.column || !grown.sign || !grown.qv || !grown.part || !grown.q || !grown.r) return MN_NO_MEMORY;
  for (size_t k = 0; k < set->size; k++) {
    grown.column[k] = set->column[k];
    grown.sign[k] = set->sign[k];
    grown.qv[k] = set->qv[k];
    memcpy(grown.q + k * set->n, set->q + k * set->n, set->n * sizeof *grown.q);
    memcpy(grown.r + k * capacity, set->r + k * set->capacity, set->size * sizeof *grown.r);
  }
  *set = grown;
  return MN_OK;
}

mn_status mn_lars_set_init(mn_context *ctx, mn_lars_set *set, size_t n, size_t max_size, const double *v)
{
  *set = (mn_lars_set){ .n = n, .max_size = max_size, .v = v };
  return max_size > 0 ? grow(ctx, set) : MN_OK;
}

/* Subtract from z its projection on Q, whose coefficients are added to `part`. */
static mn_status subtract_projection(mn_context *ctx, const mn_lars_set *set, double *z, double *part)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t k = set->size, n = set->n;
  double *projection = MN_RAW(ctx, double, k, 1);
  MN_CHECK_ALLOC(projection);
  MN_TRY(mn_gemv(ctx, false, k, n, 1, set->q, n, z, 0, projection));
  MN_TRY(mn_gemv(ctx, true, k, n, -1, set->q, n, projection, 1, z));
  for (size_t i = 0; i < k; i++) part[i] += projection[i];
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_lars_set_orthogonalize(mn_context *ctx, mn_lars_set *set, const double *z, double square,
                                    double min_fraction, bool *independent)
{
  *independent = false;
  if (set->size == set->max_size) return MN_OK;
  if (set->size == set->capacity) MN_TRY(grow(ctx, set));
  const size_t k = set->size, n = set->n;
  double *q = set->q + k * n, *part = set->part;
  memcpy(q, z, n * sizeof *q);
  memset(part, 0, k * sizeof *part);
  /* Orthogonalize twice: after one pass the rest of a nearly dependent column may not be orthogonal. */
  for (int pass = 0; pass < 2; pass++) MN_TRY(subtract_projection(ctx, set, q, part));
  const double rest = mn_dot_values(n, q, q);
  for (size_t i = 0; i < k; i++) set->r[i * set->capacity + k] = part[i];
  for (size_t i = 0; i < k; i++) set->r[k * set->capacity + i] = 0;
  set->r[k * set->capacity + k] = sqrt(rest);
  *independent = rest > min_fraction * square;
  if (!*independent) return MN_OK;
  for (size_t i = 0; i < n; i++) q[i] /= sqrt(rest);
  return MN_OK;
}

void mn_lars_set_add(mn_lars_set *set, size_t column, double sign)
{
  const size_t k = set->size++;
  set->column[k] = column;
  set->sign[k] = sign;
  set->qv[k] = mn_dot_values(set->n, set->q + k * set->n, set->v);
}

/* Givens rotation of rows i and i + 1 of Q and R that makes R upper triangular in column i. */
static void rotate(mn_lars_set *set, size_t i)
{
  const size_t capacity = set->capacity, n = set->n;
  double *upper = set->r + i * capacity, *lower = upper + capacity, *q = set->q + i * n;
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
  const size_t after = --set->size - position;
  memmove(set->column + position, set->column + position + 1, after * sizeof *set->column);
  memmove(set->sign + position, set->sign + position + 1, after * sizeof *set->sign);
  for (size_t i = 0; i <= set->size; i++) {
    double *row = set->r + i * set->capacity + position;
    memmove(row, row + 1, after * sizeof *row);
  }
  for (size_t i = position; i < set->size; i++) rotate(set, i);
}

/* x := R^-1 x */
static void solve_r(const mn_lars_set *set, double *x)
{
  for (size_t i = set->size; i-- > 0;) {
    const double *row = set->r + i * set->capacity;
    for (size_t j = i + 1; j < set->size; j++) x[i] -= row[j] * x[j];
    x[i] /= row[i];
  }
}

/* x := R^-T x */
static void solve_r_transposed(const mn_lars_set *set, double *x)
{
  for (size_t i = 0; i < set->size; i++) {
    const double *row = set->r + i * set->capacity;
    x[i] /= row[i];
    for (size_t j = i + 1; j < set->size; j++) x[j] -= row[j] * x[i];
  }
}

mn_status mn_lars_set_solve(mn_context *ctx, const mn_lars_set *set, double *u, double *d, double *residual,
                            double *direction)
{
  const size_t k = set->size, n = set->n, bytes = k * sizeof *u;
  memcpy(residual, set->v, n * sizeof *residual);
  memset(direction, 0, n * sizeof *direction);
  if (k == 0) return MN_OK;
  memcpy(u, set->qv, bytes);
  memcpy(d, set->sign, bytes);
  MN_TRY(mn_gemv(ctx, true, k, n, -1, set->q, n, u, 1, residual));
  solve_r(set, u);
  solve_r_transposed(set, d);
  MN_TRY(mn_gemv(ctx, true, k, n, 1, set->q, n, d, 0, direction));
  solve_r(set, d);
  return MN_OK;
}
