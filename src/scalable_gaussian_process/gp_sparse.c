#include "gp_sparse.h"
#include "../kernel/kernel_value.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "../gaussian_process/gp_mean.h"
#include <float.h>
#include <math.h>
#include <string.h>

static const double two_pi = 6.28318530717958647693;

mn_status mn_sparse_new(mn_context *ctx, const mn_sparse_problem *p, const mn_kernel_rows *z, mn_sparse_state *s)
{
  const size_t m = z->n, q = p->q, h = mn_gp_mean_columns(p->mean, p->rows.d), columns = q + h;
  *s = (mn_sparse_state){ .m = m,
                          .q = q,
                          .columns = columns,
                          .z = *z,
                          .l = MN_RAW(ctx, double, m, m),
                          .sums = { .gram = MN_NEW(ctx, double, m, m),
                                    .cross = MN_NEW(ctx, double, m, columns),
                                    .square = MN_NEW(ctx, double, columns, columns) },
                          .factor = MN_RAW(ctx, double, m, m),
                          .basis = MN_RAW(ctx, double, m, columns),
                          .mean = MN_RAW(ctx, double, m, q),
                          .coef = MN_RAW(ctx, double, m, q),
                          .b = MN_NEW(ctx, double, h + 1, q),
                          .precision = MN_NEW(ctx, double, h + 1, h + 1) };
  return s->l && s->sums.gram && s->sums.cross && s->sums.square && s->factor && s->basis && s->mean && s->coef &&
                 s->b && s->precision
             ? MN_OK
             : MN_NO_MEMORY;
}

/* Without jitter only if K_uu is far from singular, so that hyperparameters that differ little have the same jitter. */
mn_status mn_sparse_prior(mn_context *ctx, const mn_kernel *kernel, mn_sparse_state *s, bool *failed)
{
  static const double far_from_singular = 1e-12;
  const size_t m = s->m;
  double rcond, trace = 0;
  *failed = true;
  for (double part = 0; *failed && part <= 1e-2; part = part > 0 ? 10 * part : 1e-10) {
    size_t minor;
    MN_TRY(mn_kernel_cross(ctx, kernel, &s->z, &s->z, s->l, m));
    if (part <= 0)
      for (size_t i = 0; i < m; i++) trace += s->l[i * m + i];
    s->jitter = part * trace / (double)m;
    for (size_t i = 0; i < m; i++) s->l[i * m + i] += s->jitter;
    MN_TRY(mn_chol_try(ctx, m, s->l, &rcond, &minor));
    *failed = minor > 0 || !(rcond > (part > 0 ? DBL_EPSILON : far_from_singular));
  }
  return MN_OK;
}

mn_status mn_sparse_prior_again(mn_context *ctx, const mn_kernel *kernel, double jitter, mn_sparse_state *s,
                                bool *failed)
{
  size_t minor;
  MN_TRY(mn_kernel_cross(ctx, kernel, &s->z, &s->z, s->l, s->m));
  s->jitter = jitter;
  for (size_t i = 0; i < s->m; i++) s->l[i * s->m + i] += jitter;
  MN_TRY(mn_chol_try(ctx, s->m, s->l, NULL, &minor));
  *failed = minor > 0;
  return MN_OK;
}

mn_status mn_sparse_features(mn_context *ctx, const mn_kernel *kernel, const mn_sparse_state *s,
                             const mn_kernel_rows *rows, double *a)
{
  MN_TRY(mn_kernel_cross(ctx, kernel, &s->z, rows, a, rows->n));
  return mn_chol_lower(ctx, s->m, rows->n, s->l, a);
}

/* --- blocks of rows --- */

size_t mn_sparse_block_rows(size_t m)
{
  enum { BLOCK_VALUES = 1 << 19, MULTIPLE = 384 };
  const size_t rows = BLOCK_VALUES / (m + 1) / MULTIPLE * MULTIPLE;
  return rows > MULTIPLE ? rows : MULTIPLE;
}

mn_status mn_sparse_block_new(mn_context *ctx, const mn_sparse_state *s, mn_sparse_block *b)
{
  const size_t n = mn_sparse_block_rows(s->m);
  *b = (mn_sparse_block){ .a = MN_RAW(ctx, double, s->m, n),
                          .function = MN_RAW(ctx, double, n, 1),
                          .noise = MN_RAW(ctx, double, n, 1),
                          .q = MN_RAW(ctx, double, n, 1),
                          .lambda = MN_RAW(ctx, double, n, 1),
                          .r = MN_RAW(ctx, double, n, s->columns),
                          .weight = MN_RAW(ctx, double, n, 1) };
  return b->a && b->function && b->noise && b->q && b->lambda && b->r && b->weight ? MN_OK : MN_NO_MEMORY;
}

void mn_sparse_scale_columns(size_t rows, size_t cols, const double *factor, double *a)
{
  for (size_t k = 0; k < rows; k++)
    for (size_t i = 0; i < cols; i++) a[k * cols + i] *= factor[i];
}

mn_status mn_sparse_read_rows(mn_context *ctx, const mn_kernel *kernel, const mn_sparse_problem *p,
                              const mn_sparse_state *s, size_t begin, mn_sparse_block *b)
{
  const size_t step = mn_sparse_block_rows(s->m), left = p->rows.n - begin;
  b->begin = begin;
  b->n = left < step ? left : step;
  b->rows = (mn_kernel_rows){ .n = b->n, .d = p->rows.d, .x = p->rows.x + begin * p->rows.d };
  MN_TRY(mn_kernel_diagonal_parts(ctx, kernel, &b->rows, b->function, b->noise));
  for (size_t i = 0; i < b->n; i++) {
    double *r = b->r + i * s->columns;
    memcpy(r, p->y + (begin + i) * p->q, p->q * sizeof *r);
    mn_gp_mean_row(p->mean, p->rows.d, b->rows.x + i * p->rows.d, r + p->q);
    b->weight[i] = p->weights ? p->weights[begin + i] : 1;
    b->noise[i] += p->noise;
    b->lambda[i] = b->noise[i];
  }
  return MN_OK;
}

mn_status mn_sparse_read(mn_context *ctx, const mn_kernel *kernel, const mn_sparse_problem *p, const mn_sparse_state *s,
                         size_t begin, mn_sparse_block *b)
{
  MN_TRY(mn_sparse_read_rows(ctx, kernel, p, s, begin, b));
  MN_TRY(mn_sparse_features(ctx, kernel, s, &b->rows, b->a));
  memset(b->q, 0, b->n * sizeof *b->q);
  for (size_t k = 0; k < s->m; k++)
    for (size_t i = 0; i < b->n; i++) b->q[i] += b->a[k * b->n + i] * b->a[k * b->n + i];
  for (size_t i = 0; p->fitc && i < b->n; i++) b->lambda[i] += fmax(b->function[i] - b->q[i], 0);
  return MN_OK;
}

/* --- sums --- */

void mn_sparse_clear(mn_sparse_state *s)
{
  mn_sparse_sums *t = &s->sums;
  memset(t->gram, 0, s->m * s->m * sizeof *t->gram);
  memset(t->cross, 0, s->m * s->columns * sizeof *t->cross);
  memset(t->square, 0, s->columns * s->columns * sizeof *t->square);
  t->weight = t->log_noise = t->trace = t->slack = t->most_noise = 0;
  t->least_noise = INFINITY;
}

static void add_numbers(const mn_sparse_problem *p, const mn_sparse_block *b, mn_sparse_sums *t)
{
  for (size_t i = 0; i < b->n; i++) {
    const double rest = b->weight[i] * (b->function[i] - b->q[i]);
    t->weight += b->weight[i];
    t->log_noise += b->weight[i] * log(two_pi * b->lambda[i]);
    t->trace += p->fitc ? 0 : rest / b->lambda[i];
    t->slack += rest;
    t->least_noise = fmin(t->least_noise, b->lambda[i]);
    t->most_noise = fmax(t->most_noise, b->lambda[i]);
  }
}

/* gram += a a' (a: m x n), half of which is computed from the rows of a'. */
static mn_status add_gram(mn_context *ctx, size_t m, size_t n, const double *a, double *gram)
{
  enum { SQUARE = 16 };
  const mn_mark mark = mn_scratch_mark(ctx);
  double *rows = MN_RAW(ctx, double, n, m), *part = MN_RAW(ctx, double, m, m);
  if (!rows || !part) return MN_NO_MEMORY;
  for (size_t k0 = 0; k0 < m; k0 += SQUARE)
    for (size_t i0 = 0; i0 < n; i0 += SQUARE)
      for (size_t i = i0; i < n && i < i0 + SQUARE; i++)
        for (size_t k = k0; k < m && k < k0 + SQUARE; k++) rows[i * m + k] = a[k * n + i];
  MN_TRY(mn_syrk(ctx, n, m, rows, m, NULL, NULL, part, m));
  for (size_t e = 0; e < m * m; e++) gram[e] += part[e];
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_sparse_add(mn_context *ctx, const mn_kernel *kernel, const mn_sparse_problem *p, mn_sparse_state *s)
{
  const size_t m = s->m, c = s->columns;
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_sparse_block b;
  MN_TRY(mn_sparse_block_new(ctx, s, &b));
  for (size_t begin = 0; begin < p->rows.n; begin += b.n) {
    const mn_mark inner = mn_scratch_mark(ctx);
    MN_TRY(mn_sparse_read(ctx, kernel, p, s, begin, &b));
    add_numbers(p, &b, &s->sums);
    for (size_t i = 0; i < b.n; i++) {
      b.q[i] = sqrt(b.weight[i] / b.lambda[i]);
      for (size_t j = 0; j < c; j++) b.r[i * c + j] *= b.q[i];
    }
    mn_sparse_scale_columns(m, b.n, b.q, b.a);
    MN_TRY(add_gram(ctx, m, b.n, b.a, s->sums.gram));
    MN_TRY(mn_gemm(ctx, false, false, m, c, b.n, 1, b.a, b.n, b.r, c, 1, s->sums.cross, c));
    MN_TRY(mn_gemm(ctx, true, false, c, c, b.n, 1, b.r, c, b.r, c, 1, s->sums.square, c));
    mn_scratch_release(ctx, inner);
    MN_TRY(mn_poll(ctx));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- what follows from the sums --- */

/* R of the sums with scale I + G in place of I + G: factor, basis = inv(factor factor') C, rest = D - C' basis. */
static mn_status reduce(mn_context *ctx, const mn_sparse_state *s, double scale, double *factor, double *basis,
                        double *rest, bool *failed)
{
  const size_t m = s->m, c = s->columns;
  size_t minor;
  memcpy(factor, s->sums.gram, m * m * sizeof *factor);
  for (size_t i = 0; i < m; i++) factor[i * m + i] += scale;
  MN_TRY(mn_chol_try(ctx, m, factor, NULL, &minor));
  *failed = minor > 0;
  if (*failed) return MN_OK;
  memcpy(basis, s->sums.cross, m * c * sizeof *basis);
  MN_TRY(mn_chol_lower(ctx, m, c, factor, basis));
  memcpy(rest, s->sums.square, c * c * sizeof *rest);
  MN_TRY(mn_gemm(ctx, true, false, c, c, m, -1, basis, c, basis, c, 1, rest, c));
  return mn_chol_upper(ctx, m, c, factor, basis);
}

mn_status mn_sparse_solve(mn_context *ctx, mn_sparse_state *s)
{
  const size_t m = s->m, q = s->q, c = s->columns, h = c - q;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *rest = MN_RAW(ctx, double, c, c), square = 0;
  bool failed;
  MN_CHECK_ALLOC(rest);
  s->log_likelihood = (double)NAN;
  MN_TRY(reduce(ctx, s, 1, s->factor, s->basis, rest, &failed));
  if (!failed) MN_TRY(mn_gp_eliminate_mean(ctx, q, c, rest, s->precision, s->b, &square, &failed));
  mn_scratch_release(ctx, mark);
  if (failed) return MN_OK;
  for (size_t k = 0; k < m; k++) {
    const double *basis = s->basis + k * c;
    for (size_t t = 0; t < q; t++) {
      double value = basis[t];
      for (size_t j = 0; j < h; j++) value -= basis[q + j] * s->b[j * q + t];
      s->mean[k * q + t] = s->coef[k * q + t] = value;
    }
  }
  MN_TRY(mn_chol_upper(ctx, m, q, s->l, s->coef));
  s->log_likelihood = -0.5 * (square + (double)q * (mn_chol_logdet(m, s->factor) + s->sums.log_noise + s->sums.trace));
  return MN_OK;
}

mn_status mn_sparse_evaluate(mn_context *ctx, const mn_kernel *kernel, const mn_sparse_problem *p, mn_sparse_state *s)
{
  bool failed;
  s->log_likelihood = (double)NAN;
  MN_TRY(mn_sparse_prior(ctx, kernel, s, &failed));
  if (failed) return MN_OK;
  mn_sparse_clear(s);
  MN_TRY(mn_sparse_add(ctx, kernel, p, s));
  return s->sums.least_noise > 0 ? mn_sparse_solve(ctx, s) : MN_OK;
}

mn_status mn_sparse_upper_bound(mn_context *ctx, const mn_sparse_state *s, double *bound)
{
  const size_t m = s->m, q = s->q, c = s->columns, h = c - q;
  const double scale = 1 + fmax(s->sums.slack, 0) / s->sums.least_noise;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *factor = MN_RAW(ctx, double, m, m), *basis = MN_RAW(ctx, double, m, c), *rest = MN_RAW(ctx, double, c, c),
         *precision = MN_RAW(ctx, double, h + 1, h + 1), *b = MN_RAW(ctx, double, h + 1, q), square = 0;
  bool failed;
  if (!factor || !basis || !rest || !precision || !b) return MN_NO_MEMORY;
  MN_TRY(reduce(ctx, s, scale, factor, basis, rest, &failed));
  if (!failed) MN_TRY(mn_gp_eliminate_mean(ctx, q, c, rest, precision, b, &square, &failed));
  *bound =
      failed ? (double)NAN : -0.5 * (square / scale + (double)q * (mn_chol_logdet(m, s->factor) + s->sums.log_noise));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
