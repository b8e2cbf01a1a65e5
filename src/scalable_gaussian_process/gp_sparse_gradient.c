/* The gradient of a sparse log likelihood. With S = Q + Lambda, alpha = inv(S) r and M = sum over the targets of
 * alpha alpha' - inv(S), it is, for any change of the kernel,
 *
 *     sum_ui W_ui dk(z_u, x_i) + sum_uv U_uv dk(z_u, z_v) + sum_i w_i (v_i dk(x_i, x_i) + t_i dnoise_i) / 2
 *     v_i = - e / lambda_i, t_i = M_ii + e (k(x_i, x_i) - q_i) / lambda_i^2      variational
 *     v_i = t_i = M_ii                                                          FITC
 *     W = inv(L') F,   f_i = w_i (mu alpha_i - inv(B) a_i e / lambda_i - v_i a_i)
 *     U = - symmetric part of inv(L') T inv(L),   T = lower triangle of sum_i f_i a_i', its diagonal halved
 *
 * as the derivative of a_i = inv(L) k(Z, x_i) passes through the Cholesky factor: Murray, Differentiation of the
 * Cholesky decomposition (2016). F is the gradient by a also of the uncollapsed bound of Hensman, Fusi & Lawrence, UAI
 * 2013, for a posterior of u with mean mu and covariance inv(B), which need not be the best one.
 *
 * For the best one and constant noise, W = (e / lambda) inv(L') (I - inv(B)) inv(L) k(Z, x) + coef alpha', and
 * sum_i f_i a_i' = e (G - I + inv(B)) + mu mu'. */
#include "gp_sparse.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include <math.h>
#include <string.h>

static const double two_pi = 6.28318530717958647693;

struct work {
  mn_context *ctx;
  const mn_kernel *kernel;
  const mn_sparse_problem *p;
  const mn_sparse_state *s;
  size_t m, thetas;
  double *inverse;       /* m x m: inv(B)                         */
  double *inner;         /* m x m: sum_i f_i a_i'                 */
  double *closed;        /* m x m: with constant noise; or NULL   */
  double *f, *t;         /* m x block                             */
  double *alpha;         /* block x q                             */
  double *function;      /* block: weights of k(x, x)             */
  double *noise;         /* block: of the noise                   */
  double *part, *part_z; /* thetas; m x d                        */
  double *g, *gz;
  double expected; /* sum of the expected log likelihoods of the rows */
};

static mn_status new_work(mn_context *ctx, struct work *w)
{
  const mn_sparse_state *s = w->s;
  const size_t m = s->m, n = mn_sparse_block_rows(m);
  w->m = m;
  w->thetas = mn_kernel_free_count(w->kernel);
  w->inverse = MN_RAW(ctx, double, m, m);
  w->inner = MN_NEW(ctx, double, m, m);
  w->f = MN_RAW(ctx, double, m, n);
  w->t = MN_RAW(ctx, double, m, n);
  w->alpha = MN_RAW(ctx, double, n, s->q);
  w->function = MN_RAW(ctx, double, n, 1);
  w->noise = MN_RAW(ctx, double, n, 1);
  w->part = MN_RAW(ctx, double, w->thetas + 1, 1);
  w->part_z = MN_RAW(ctx, double, m, s->z.d);
  if (!w->inverse || !w->inner || !w->f || !w->t || !w->alpha || !w->function || !w->noise || !w->part || !w->part_z)
    return MN_NO_MEMORY;
  memcpy(w->inverse, s->factor, m * m * sizeof *w->inverse);
  return mn_chol_inverse(ctx, m, w->inverse);
}

static void add(size_t n, const double *from, double *to)
{
  for (size_t i = 0; i < n; i++) to[i] += from[i];
}

/* The derivatives that `weights` (m x n) of k(Z, x) give. */
static mn_status add_cross(struct work *w, const mn_kernel_rows *rows, const double *weights, double factor_z)
{
  const mn_sparse_state *s = w->s;
  MN_TRY(mn_kernel_cross_gradient_dot(w->ctx, w->kernel, &s->z, rows, weights, rows->n, w->part,
                                      w->gz ? w->part_z : NULL));
  add(w->thetas, w->part, w->g);
  for (size_t i = 0; w->gz && i < w->m * s->z.d; i++) w->gz[i] += factor_z * w->part_z[i];
  return MN_OK;
}

static mn_status add_diagonal(struct work *w, const mn_sparse_block *b)
{
  MN_TRY(mn_kernel_diagonal_gradient_dot(w->ctx, w->kernel, &b->rows, w->function, w->noise, w->part));
  add(w->thetas, w->part, w->g);
  return MN_OK;
}

/* alpha_i = (r_i - k(x_i, Z) coef) / lambda_i, with k(x_i, Z) coef = a_i' mean. `a`: either, m x n. */
static mn_status find_alpha(struct work *w, const mn_sparse_block *b, const double *a, const double *coef)
{
  const size_t q = w->s->q, c = w->s->columns;
  for (size_t i = 0; i < b->n; i++)
    for (size_t t = 0; t < q; t++) {
      double r = b->r[i * c + t];
      for (size_t j = 0; j < c - q; j++) r -= b->r[i * c + q + j] * w->s->b[j * q + t];
      w->alpha[i * q + t] = r;
    }
  MN_TRY(mn_gemm(w->ctx, true, false, b->n, q, w->m, -1, a, b->n, coef, q, 1, w->alpha, q));
  for (size_t i = 0; i < b->n; i++)
    for (size_t t = 0; t < q; t++) w->alpha[i * q + t] /= b->lambda[i];
  return MN_OK;
}

static double square_of(size_t n, const double *v)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += v[i] * v[i];
  return sum;
}

/* Any noise, and any posterior of u. */
static mn_status add_block(struct work *w, mn_sparse_block *b)
{
  const mn_sparse_state *s = w->s;
  const size_t m = w->m, n = b->n, q = s->q;
  const double e = (double)q;
  double *quad = b->weight; /* a_i' inv(B) a_i, after the weights were used */
  MN_TRY(mn_gemm(w->ctx, false, false, m, n, m, 1, w->inverse, m, b->a, n, 0, w->t, n));
  MN_TRY(find_alpha(w, b, b->a, s->mean));
  for (size_t i = 0; i < n; i++) w->function[i] = 0;
  for (size_t k = 0; k < m; k++)
    for (size_t i = 0; i < n; i++) w->function[i] += b->a[k * n + i] * w->t[k * n + i];
  for (size_t i = 0; i < n; i++) {
    const double lambda = b->lambda[i], weight = b->weight[i];
    const double middle = square_of(q, w->alpha + i * q) - e * (1 / lambda - w->function[i] / (lambda * lambda));
    w->expected -= weight / 2 *
                   (e * log(two_pi * lambda) + lambda * square_of(q, w->alpha + i * q) +
                    e * (b->function[i] - b->q[i] + w->function[i]) / lambda);
    const double v = w->p->fitc ? middle : -e / lambda;
    const double t = w->p->fitc ? middle : middle + e * (b->function[i] - b->q[i]) / (lambda * lambda);
    w->function[i] = weight * v / 2;
    w->noise[i] = weight * t / 2;
    for (size_t j = 0; j < q; j++) w->alpha[i * q + j] *= weight;
    quad[i] = weight * e / lambda;
  }
  for (size_t k = 0; k < m; k++)
    for (size_t i = 0; i < n; i++) w->f[k * n + i] = -quad[i] * w->t[k * n + i] - 2 * w->function[i] * b->a[k * n + i];
  MN_TRY(mn_gemm(w->ctx, false, true, m, n, q, 1, s->mean, q, w->alpha, q, 1, w->f, n));
  MN_TRY(mn_gemm(w->ctx, false, true, m, m, n, 1, w->f, n, b->a, n, 1, w->inner, m));
  MN_TRY(mn_chol_upper(w->ctx, m, n, s->l, w->f));
  MN_TRY(add_cross(w, &b->rows, w->f, 1));
  return add_diagonal(w, b);
}

/* --- constant noise and the best posterior --- */

/* z := inv(L') z inv(L) for a symmetric z. */
static mn_status unwhiten(mn_context *ctx, size_t m, const double *l, double *z)
{
  MN_TRY(mn_chol_upper(ctx, m, m, l, z));
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < i; j++) {
      const double other = z[i * m + j];
      z[i * m + j] = z[j * m + i];
      z[j * m + i] = other;
    }
  return mn_chol_upper(ctx, m, m, l, z);
}

static mn_status begin_closed(struct work *w)
{
  const mn_sparse_state *s = w->s;
  const size_t m = w->m, q = s->q;
  const double e = (double)q, lambda = s->sums.least_noise;
  w->closed = MN_RAW(w->ctx, double, m, m);
  MN_CHECK_ALLOC(w->closed);
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m; j++) {
      const double unit = i == j, inverse = w->inverse[i * m + j];
      w->closed[i * m + j] = e / lambda * (unit - inverse);
      w->inner[i * m + j] = e * (s->sums.gram[i * m + j] - unit + inverse);
    }
  MN_TRY(mn_gemm(w->ctx, false, true, m, m, q, 1, s->mean, q, s->mean, q, 1, w->inner, m));
  return unwhiten(w->ctx, m, s->l, w->closed);
}

/* The mean over the rows of a_i' inv(B) a_i / lambda^2, in proportion to the weights: what the sum needs. */
static double mean_quad(const struct work *w)
{
  double trace = (double)w->m;
  for (size_t i = 0; i < w->m; i++) trace -= w->inverse[i * w->m + i];
  return trace / (w->s->sums.least_noise * w->s->sums.weight);
}

static mn_status add_closed_block(struct work *w, mn_sparse_block *b)
{
  const mn_sparse_state *s = w->s;
  const size_t m = w->m, n = b->n, q = s->q;
  const double e = (double)q, lambda = s->sums.least_noise, quad = mean_quad(w);
  MN_TRY(mn_kernel_cross(w->ctx, w->kernel, &s->z, &b->rows, b->a, n));
  MN_TRY(find_alpha(w, b, b->a, s->coef));
  for (size_t i = 0; i < n; i++) {
    const double weight = b->weight[i], square = square_of(q, w->alpha + i * q);
    w->function[i] = -weight * e / (2 * lambda);
    w->noise[i] =
        weight / 2 * (square - e / lambda + e * quad + e * s->sums.slack / (s->sums.weight * lambda * lambda));
    for (size_t j = 0; j < q; j++) w->alpha[i * q + j] *= weight;
  }
  MN_TRY(mn_gemm(w->ctx, false, false, m, n, m, 1, w->closed, m, b->a, n, 0, w->f, n));
  if (w->p->weights) mn_sparse_scale_columns(m, n, b->weight, w->f);
  MN_TRY(mn_gemm(w->ctx, false, true, m, n, q, 1, s->coef, q, w->alpha, q, 1, w->f, n));
  MN_TRY(add_cross(w, &b->rows, w->f, 1));
  return add_diagonal(w, b);
}

/* What U gives. */
static mn_status add_inducing(struct work *w)
{
  const size_t m = w->m;
  double *u = w->inner;
  for (size_t i = 0; i < m; i++) /* minus the symmetric part of T */
    for (size_t j = 0; j <= i; j++) u[i * m + j] = u[j * m + i] = -0.5 * u[i * m + j];
  MN_TRY(unwhiten(w->ctx, m, w->s->l, u));
  return add_cross(w, &w->s->z, u, 2);
}

/* Read the rows in blocks, with the closed formulas or without. */
static mn_status run(mn_context *ctx, struct work *w, bool closed)
{
  const mn_sparse_state *s = w->s;
  const mn_sparse_problem *p = w->p;
  mn_sparse_block b;
  MN_TRY(new_work(ctx, w));
  MN_TRY(mn_sparse_block_new(ctx, s, &b));
  if (closed) MN_TRY(begin_closed(w));
  memset(w->g, 0, w->thetas * sizeof *w->g);
  if (w->gz) memset(w->gz, 0, s->m * s->z.d * sizeof *w->gz);
  for (size_t begin = 0; begin < p->rows.n; begin += b.n) {
    const mn_mark inner = mn_scratch_mark(ctx);
    MN_TRY(closed ? mn_sparse_read_rows(ctx, w->kernel, p, s, begin, &b)
                  : mn_sparse_read(ctx, w->kernel, p, s, begin, &b));
    MN_TRY(closed ? add_closed_block(w, &b) : add_block(w, &b));
    mn_scratch_release(ctx, inner);
    MN_TRY(mn_poll(ctx));
  }
  return add_inducing(w);
}

mn_status mn_sparse_gradient(mn_context *ctx, const mn_kernel *kernel, const mn_sparse_problem *p,
                             const mn_sparse_state *s, double *g, double *gz)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct work w = { .ctx = ctx, .kernel = kernel, .p = p, .s = s, .g = g, .gz = gz };
  MN_TRY(run(ctx, &w, !p->fitc && s->sums.most_noise <= s->sums.least_noise));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_sparse_batch_gradient(mn_context *ctx, const mn_kernel *kernel, const mn_sparse_problem *p,
                                   const mn_sparse_state *s, double *expected, double *g, double *gz)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct work w = { .ctx = ctx, .kernel = kernel, .p = p, .s = s, .g = g, .gz = gz };
  MN_TRY(run(ctx, &w, false));
  *expected = w.expected;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
