/* Bayesian ridge regression from moments, about the means of the training rows. With C the moments about the means,
 *
 *     C_xx = V' diag(e) V,     b = V' (alpha e / (lambda + alpha e) * V C_xy / e),
 *
 * where alpha and lambda maximize the evidence (bayesian/evidence.h). A draw from the posterior has, in this basis,
 * b_k ~ N(mean, 1 / (lambda + alpha e_k)), and the prior N(0, 1 / lambda) in all other directions. */
#include "../bayesian/evidence.h"
#include "../linalg/lapack.h"
#include "iterative.h"
#include <string.h>

enum { MAX_STEPS = 300 };
static const double STEP_TOL = 1e-8, PRIOR = 1e-6;

struct regression {
  size_t q;                     /* predictors */
  double n;                     /* sum of weights */
  double *mean, *cross;         /* q + 1: means; q: C_xy */
  double *value, *basis, *b_ls; /* q; q x q; q */
  double yy;                    /* C_yy */
};

/* Means and moments about them. */
static mn_status center(mn_context *ctx, const mn_moment_matrix *s, struct regression *r, double *c)
{
  const size_t q = s->predictors, order = q + 2;
  r->q = q;
  r->n = s->at[order * order - 1];
  r->mean = MN_RAW(ctx, double, q + 1, 1);
  r->cross = MN_RAW(ctx, double, q, 1);
  if (!r->mean || !r->cross) return MN_NO_MEMORY;
  for (size_t k = 0; k <= q; k++) r->mean[k] = s->at[k * order + q + 1] / r->n;
  for (size_t k = 0; k < q; k++) {
    for (size_t l = 0; l < q; l++) c[k * q + l] = s->at[k * order + l] - r->n * r->mean[k] * r->mean[l];
    r->cross[k] = s->at[k * order + q] - r->n * r->mean[k] * r->mean[q];
  }
  r->yy = fmax(s->at[q * order + q] - r->n * r->mean[q] * r->mean[q], 0);
  return MN_OK;
}

/* Least squares in the directions whose eigenvalues exceed rounding error. */
static mn_status decompose(mn_context *ctx, struct regression *r, double *c, mn_evidence *e)
{
  const size_t q = r->q;
  r->value = MN_RAW(ctx, double, q, 1);
  r->basis = MN_RAW(ctx, double, q, q);
  r->b_ls = MN_RAW(ctx, double, q, 1);
  if (!r->value || !r->basis || !r->b_ls) return MN_NO_MEMORY;
  MN_TRY(mn_eigh(ctx, q, q, MN_LARGEST, c, r->value, r->basis));
  const double threshold = r->value[0] * DBL_EPSILON * (double)(q + 100);
  double rest = r->yy;
  size_t kept = 0;
  for (; kept < q && r->value[kept] > threshold; kept++) {
    double sum = 0;
    for (size_t j = 0; j < q; j++) sum += r->basis[kept * q + j] * r->cross[j];
    r->b_ls[kept] = sum / r->value[kept];
    rest -= sum * r->b_ls[kept];
  }
  *e = (mn_evidence){ .p = q,
                      .kept = kept,
                      .n = r->n,
                      .rest = fmax(rest, 0),
                      .value = r->value,
                      .b_ls = r->b_ls,
                      .alpha_1 = PRIOR,
                      .alpha_2 = PRIOR,
                      .lambda_1 = PRIOR,
                      .lambda_2 = PRIOR };
  return MN_OK;
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

/* Add a draw from the prior in the directions outside of the basis. */
static void draw_outside(mn_rng *rng, const struct regression *r, size_t kept, double lambda, double *coef)
{
  const size_t q = r->q;
  for (size_t k = kept; k < q; k++) { /* mn_eigh returns all vectors */
    const double z = mn_random_normal(rng) / sqrt(lambda);
    for (size_t j = 0; j < q; j++) coef[j] += z * r->basis[k * q + j];
  }
}

/* A draw of the noise variance, scaled inverse chi-squared, then of the coefficients. */
static void draw(mn_rng *rng, const struct regression *r, const mn_evidence *e, mn_precisions *t, double *coef,
                 double *noise)
{
  const size_t q = r->q;
  const double freedom = fmax(e->n - t->gamma, 1);
  t->alpha = 2 * mn_random_gamma(rng, freedom / 2) / (t->rss + 2 * PRIOR);
  for (size_t k = 0; k < e->kept; k++) {
    const double sd = 1 / sqrt(t->lambda + t->alpha * e->value[k]);
    const double b = mn_evidence_coef(e, t, k) + sd * mn_random_normal(rng);
    for (size_t j = 0; j < q; j++) coef[j] += b * r->basis[k * q + j];
  }
  draw_outside(rng, r, e->kept, t->lambda, coef);
  *noise = 1 / sqrt(t->alpha);
}

mn_status mn_moment_regression(mn_context *ctx, const mn_moment_matrix *moments, mn_rng *rng, double *coef,
                               double *intercept, double *noise)
{
  const size_t q = moments->predictors;
  struct regression r = { 0 };
  mn_evidence e;
  double *c = MN_RAW(ctx, double, q, q);
  MN_CHECK_ALLOC(c);
  MN_TRY(center(ctx, moments, &r, c));
  MN_TRY(decompose(ctx, &r, c, &e));
  mn_precisions t = maximize(&e, r.yy);
  memset(coef, 0, q * sizeof *coef);
  *noise = 0;
  if (rng)
    draw(rng, &r, &e, &t, coef, noise);
  else
    for (size_t k = 0; k < e.kept; k++) {
      const double b = mn_evidence_coef(&e, &t, k);
      for (size_t j = 0; j < q; j++) coef[j] += b * r.basis[k * q + j];
    }
  *intercept = r.mean[q] + (rng ? *noise / sqrt(e.n) * mn_random_normal(rng) : 0);
  for (size_t k = 0; k < q; k++) *intercept -= coef[k] * r.mean[k];
  return MN_OK;
}
