/* One Bayesian ridge regression of IterativeImputer, about the means of the training rows. With C the moments about the
 * means,
 *
 *     C_xx = V' diag(e) V,     b = V' (alpha e / (lambda + alpha e) * V C_xy / e),
 *
 * where alpha and lambda maximize the evidence (bayesian/evidence.h). With fewer rows than predictors, Z centered,
 * e and u are the eigenvalues and eigenvectors of Z Z', and V = u Z / sqrt(e). A draw from the posterior has, in this
 * basis, b_k ~ N(mean, 1 / (lambda + alpha e_k)), and the prior N(0, 1 / lambda) in all other directions. */
#include "../bayesian/evidence.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "iterative.h"
#include <string.h>

enum { MAX_STEPS = 300 };
static const double STEP_TOL = 1e-8, PRIOR = 1e-6;

struct regression {
  size_t q, kept;               /* predictors; eigenvalues above rounding error */
  double n, yy;                 /* sum of weights; C_yy */
  double *mean;                 /* q + 1 */
  double *value, *basis, *b_ls; /* kept, kept x q, kept: e, V, and least squares in this basis */
};

static mn_status allocate(mn_context *ctx, struct regression *r, size_t q, size_t directions)
{
  r->q = q;
  r->mean = MN_NEW(ctx, double, q + 1, 1);
  r->value = MN_RAW(ctx, double, directions, 1);
  r->basis = MN_RAW(ctx, double, directions, q);
  r->b_ls = MN_RAW(ctx, double, directions, 1);
  return r->mean && r->value && r->basis && r->b_ls ? MN_OK : MN_NO_MEMORY;
}

/* The number of eigenvalues above rounding error. */
static size_t count_kept(const struct regression *r, size_t directions)
{
  const double threshold = r->value[0] * DBL_EPSILON * (double)(r->q + 100);
  size_t kept = 0;
  while (kept < directions && r->value[kept] > threshold) kept++;
  return kept;
}

/* Moments about the means: C_xx to c, q x q, and C_xy to cross. */
static void center_moments(const double *s, struct regression *r, double *c, double *cross)
{
  const size_t q = r->q, order = q + 2;
  r->n = s[order * order - 1];
  for (size_t k = 0; k <= q; k++) r->mean[k] = s[k * order + q + 1] / r->n;
  for (size_t k = 0; k < q; k++) {
    for (size_t l = 0; l < q; l++) c[k * q + l] = s[k * order + l] - r->n * r->mean[k] * r->mean[l];
    cross[k] = s[k * order + q] - r->n * r->mean[k] * r->mean[q];
  }
  r->yy = fmax(s[q * order + q] - r->n * r->mean[q] * r->mean[q], 0);
}

static mn_status decompose_moments(mn_context *ctx, const mn_training *data, struct regression *r)
{
  const size_t q = data->predictors;
  double *c = MN_RAW(ctx, double, q, q), *cross = MN_RAW(ctx, double, q, 1);
  if (!c || !cross) return MN_NO_MEMORY;
  MN_TRY(allocate(ctx, r, q, q));
  center_moments(data->moments, r, c, cross);
  MN_TRY(mn_eigh(ctx, q, q, MN_LARGEST, c, r->value, r->basis));
  r->kept = count_kept(r, q);
  for (size_t k = 0; k < r->kept; k++) {
    double sum = 0;
    for (size_t j = 0; j < q; j++) sum += r->basis[k * q + j] * cross[j];
    r->b_ls[k] = sum / r->value[k];
  }
  return MN_OK;
}

/* Subtract the means from the rows, in place, and multiply by the roots of the weights. */
static void center_rows(const mn_training *data, struct regression *r)
{
  const size_t q = r->q, width = q + 2, n = data->n_rows;
  for (size_t i = 0; i < n; i++) {
    const double w = data->weights ? data->weights[i] : 1, *row = data->rows + i * width;
    r->n += w;
    for (size_t k = 0; k <= q; k++) r->mean[k] += w * row[k];
  }
  for (size_t k = 0; k <= q; k++) r->mean[k] /= r->n;
  for (size_t i = 0; i < n; i++) {
    double *row = data->rows + i * width;
    const double root = data->weights ? sqrt(data->weights[i]) : 1;
    for (size_t k = 0; k <= q; k++) row[k] = root * (row[k] - r->mean[k]);
    r->yy += row[q] * row[q];
  }
}

static mn_status decompose_rows(mn_context *ctx, const mn_training *data, struct regression *r)
{
  const size_t q = data->predictors, width = q + 2, n = data->n_rows;
  double *products = MN_RAW(ctx, double, n, n), *u = MN_RAW(ctx, double, n, n);
  if (!products || !u) return MN_NO_MEMORY;
  MN_TRY(allocate(ctx, r, q, n));
  center_rows(data, r);
  MN_TRY(mn_gemm(ctx, false, true, n, n, q, 1, data->rows, width, data->rows, width, 0, products, n));
  MN_TRY(mn_eigh(ctx, n, n, MN_LARGEST, products, r->value, u));
  r->kept = count_kept(r, n);
  for (size_t k = 0; k < r->kept; k++) {
    const double root = sqrt(r->value[k]);
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
      sum += u[k * n + i] * data->rows[i * width + q];
      u[k * n + i] /= root;
    }
    r->b_ls[k] = sum / root;
  }
  return mn_gemm(ctx, false, false, r->kept, q, n, 1, u, n, data->rows, width, 0, r->basis, q);
}

static mn_evidence evidence_of(const struct regression *r)
{
  mn_evidence e = { .p = r->q,
                    .kept = r->kept,
                    .n = r->n,
                    .rest = r->yy,
                    .value = r->value,
                    .b_ls = r->b_ls,
                    .alpha_1 = PRIOR,
                    .alpha_2 = PRIOR,
                    .lambda_1 = PRIOR,
                    .lambda_2 = PRIOR };
  for (size_t k = 0; k < r->kept; k++) e.rest -= r->value[k] * r->b_ls[k] * r->b_ls[k];
  e.rest = fmax(e.rest, 0);
  return e;
}

static mn_precisions maximize(const mn_evidence *e, double yy)
{
  mn_precisions t = mn_precisions_at(e, 1 / (yy / e->n + DBL_EPSILON), 1);
  for (int i = 0; i < MAX_STEPS; i++) {
    const mn_precisions next = mn_precisions_step(e, &t);
    const double change = mn_precisions_change(e, &t, &next);
    t = next;
    if (change <= STEP_TOL) break;
  }
  return t;
}

/* Add a draw from the prior in the directions outside of the basis: a draw in all directions, less its part inside. */
static mn_status draw_outside(mn_context *ctx, mn_rng *rng, const struct regression *r, double lambda, double *coef)
{
  const size_t q = r->q;
  double *z = MN_RAW(ctx, double, q, 1);
  MN_CHECK_ALLOC(z);
  for (size_t j = 0; j < q; j++) z[j] = mn_random_normal(rng) / sqrt(lambda);
  for (size_t k = 0; k < r->kept; k++) {
    const double *v = r->basis + k * q;
    double inside = 0;
    for (size_t j = 0; j < q; j++) inside += v[j] * z[j];
    for (size_t j = 0; j < q; j++) z[j] -= inside * v[j];
  }
  for (size_t j = 0; j < q; j++) coef[j] += z[j];
  return MN_OK;
}

/* A draw of the noise variance, scaled inverse chi-squared, then of the coefficients. */
static mn_status draw(mn_context *ctx, mn_rng *rng, const struct regression *r, const mn_evidence *e, mn_precisions *t,
                      double *coef)
{
  const size_t q = r->q;
  const double freedom = fmax(e->n - t->gamma, 1);
  t->alpha = 2 * mn_random_gamma(rng, freedom / 2) / (t->rss + 2 * PRIOR);
  for (size_t k = 0; k < r->kept; k++) {
    const double sd = 1 / sqrt(t->lambda + t->alpha * r->value[k]);
    const double b = mn_evidence_coef(e, t, k) + sd * mn_random_normal(rng);
    for (size_t j = 0; j < q; j++) coef[j] += b * r->basis[k * q + j];
  }
  return r->kept < q ? draw_outside(ctx, rng, r, t->lambda, coef) : MN_OK;
}

mn_status mn_ridge_step(mn_context *ctx, const mn_training *data, mn_rng *rng, double *coef, double *intercept,
                        double *noise)
{
  const size_t q = data->predictors;
  struct regression r = { 0 };
  MN_TRY(data->n_rows > 0 ? decompose_rows(ctx, data, &r) : decompose_moments(ctx, data, &r));
  const mn_evidence e = evidence_of(&r);
  mn_precisions t = maximize(&e, r.yy);
  memset(coef, 0, q * sizeof *coef);
  if (rng) MN_TRY(draw(ctx, rng, &r, &e, &t, coef));
  for (size_t k = 0; !rng && k < r.kept; k++) {
    const double b = mn_evidence_coef(&e, &t, k);
    for (size_t j = 0; j < q; j++) coef[j] += b * r.basis[k * q + j];
  }
  *noise = rng ? 1 / sqrt(t.alpha) : 0;
  *intercept = r.mean[q] + (rng ? *noise / sqrt(e.n) * mn_random_normal(rng) : 0);
  for (size_t k = 0; k < q; k++) *intercept -= coef[k] * r.mean[k];
  return MN_OK;
}
