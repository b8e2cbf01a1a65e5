#include "alias.h"
#include "../factorization/lapack.h"
#include <float.h>
#include <math.h>
#include <string.h>

struct basis {
  size_t p, rank;
  double *q;            /* p x p: orthonormal rows                                 */
  double *r;            /* p x p: row j holds column j in terms of the basis       */
  size_t *independent;  /* p: the column that each row of q was made from          */
  bool *is_independent; /* p */
};

static mn_status basis_init(mn_context *ctx, size_t p, struct basis *b)
{
  b->p = p;
  b->q = MN_RAW(ctx, double, p, p);
  b->r = MN_RAW(ctx, double, p, p);
  b->independent = MN_RAW(ctx, size_t, p, 1);
  b->is_independent = MN_RAW(ctx, bool, p, 1);
  return b->q && b->r && b->independent && b->is_independent ? MN_OK : MN_NO_MEMORY;
}

/* Subtract from v its projections on the basis, and add their lengths to `length`. */
static void project(const struct basis *b, double *v, double *length)
{
  for (size_t k = 0; k < b->rank; k++) {
    const double *q = b->q + k * b->p;
    double dot = 0;
    for (size_t i = 0; i < b->p; i++) dot += q[i] * v[i];
    for (size_t i = 0; i < b->p; i++) v[i] -= dot * q[i];
    length[k] += dot;
  }
}

static void find_basis(const double *column, double tolerance, struct basis *b)
{
  const size_t p = b->p;
  memset(b->r, 0, p * p * sizeof *b->r);
  b->rank = 0;
  for (size_t j = 0; j < p; j++) {
    double *v = b->q + b->rank * p, *length = b->r + j * p, square = 0;
    memcpy(v, column + j * p, p * sizeof *v);
    project(b, v, length);
    project(b, v, length);
    for (size_t i = 0; i < p; i++) square += v[i] * v[i];
    const double norm = sqrt(square);
    b->is_independent[j] = norm > tolerance;
    if (!b->is_independent[j]) continue;
    for (size_t i = 0; i < p; i++) v[i] /= norm;
    length[b->rank] = norm;
    b->independent[b->rank++] = j;
  }
}

/* Solve R t = length for a dependent column: its coefficients in terms of the independent ones. */
static void solve_combination(const struct basis *b, const double *length, double *out)
{
  double *t = out; /* sparse in out: t of basis row k is stored at the column it was made from */
  for (size_t k = b->rank; k-- > 0;) {
    double rest = length[k];
    for (size_t l = k + 1; l < b->rank; l++) rest -= b->r[b->independent[l] * b->p + k] * t[b->independent[l]];
    t[b->independent[k]] = rest / b->r[b->independent[k] * b->p + k];
  }
}

static mn_status invert(mn_context *ctx, const struct basis *b, double *inverse)
{
  const size_t p = b->p, rank = b->rank;
  double *l = MN_NEW(ctx, double, rank, rank);
  MN_CHECK_ALLOC(l);
  for (size_t i = 0; i < rank; i++) memcpy(l + i * rank, b->r + b->independent[i] * p, (i + 1) * sizeof *l);
  MN_TRY(mn_chol_inverse(ctx, rank, l));
  for (size_t i = 0; i < rank; i++)
    for (size_t j = 0; j < rank; j++) inverse[b->independent[i] * p + b->independent[j]] = l[i * rank + j];
  return MN_OK;
}

mn_status mn_alias_find(mn_context *ctx, size_t p, const double *column, size_t max_rank, double tolerance,
                        mn_alias *out)
{
  struct basis b;
  MN_TRY(basis_init(ctx, p, &b));
  find_basis(column, tolerance, &b);
  for (; b.rank > max_rank; tolerance *= 10) find_basis(column, tolerance, &b);
  *out = (mn_alias){ .rank = b.rank,
                     .dependent = MN_RAW(ctx, int32_t, p - b.rank, 1),
                     .combination = MN_NEW(ctx, double, p - b.rank, p),
                     .inverse = MN_NEW(ctx, double, p, p),
                     .basis = MN_NEW(ctx, double, p, p) };
  if (!out->dependent || !out->combination || !out->inverse || !out->basis) return MN_NO_MEMORY;
  for (size_t k = 0; k < b.rank; k++) memcpy(out->basis + b.independent[k] * p, b.q + k * p, p * sizeof *b.q);
  for (size_t j = 0, d = 0; j < p; j++) {
    if (b.is_independent[j]) continue;
    out->dependent[d] = (int32_t)j;
    solve_combination(&b, b.r + j * p, out->combination + d++ * p);
  }
  return invert(ctx, &b, out->inverse);
}

double mn_column_norm(size_t n, const double *x)
{
  double largest = 0, sum = 0;
  for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  if (!(largest > 0)) return 1;
  for (size_t i = 0; i < n; i++) sum += x[i] / largest * (x[i] / largest);
  return largest * sqrt(sum);
}

mn_status mn_alias_find_unscaled(mn_context *ctx, size_t p, const double *column, size_t max_rank, double *scale,
                                 mn_alias *out)
{
  double *scaled = MN_RAW(ctx, double, p, p);
  MN_CHECK_ALLOC(scaled);
  for (size_t j = 0; j < p; j++) {
    scale[j] = mn_column_norm(p, column + j * p);
    for (size_t k = 0; k < p; k++) scaled[j * p + k] = column[j * p + k] / scale[j];
  }
  MN_TRY(mn_alias_find(ctx, p, scaled, max_rank, (double)(p + 100) * DBL_EPSILON, out));
  for (size_t d = 0; d < p - out->rank; d++)
    for (size_t j = 0; j < p; j++) out->combination[d * p + j] *= scale[out->dependent[d]] / scale[j];
  return MN_OK;
}
