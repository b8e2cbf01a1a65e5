/* The parameters of a Gaussian mixture while EM updates them, and what the E step derives from them. */
#include "../factorization/lapack.h"
#include "gaussian.h"
#include "gaussian_kernel.h"
#include <string.h>

size_t mn_gaussians_size(size_t k, size_t p, bool diagonal)
{
  const size_t width = diagonal ? p : p * p;
  return 1 + k * (p + 2 * width + 3) + p * p;
}

mn_gaussians mn_gaussians_view(size_t k, size_t p, bool diagonal, double *state)
{
  mn_gaussians g = { .k = k, .p = p, .width = diagonal ? p : p * p, .diagonal = diagonal };
  g.noise = state;
  g.weight = g.noise + 1;
  g.start = g.weight + k;
  g.volume = g.start + k;
  g.mean = g.volume + k;
  g.covariance = g.mean + k * p;
  g.root = g.covariance + k * g.width;
  g.orientation = g.root + k * g.width;
  return g;
}

/* The upper triangular R with R R' = inv(covariance), and log det R. False: the covariance is not positive definite. */
static mn_status factor(mn_context *ctx, size_t p, const double *covariance, double *root, double *log_det, bool *valid)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *l = MN_RAW(ctx, double, p, p), *inverse = MN_NEW(ctx, double, p, p);
  size_t minor;
  if (!l || !inverse) return MN_NO_MEMORY;
  memcpy(l, covariance, p * p * sizeof *l);
  MN_TRY(mn_chol_try(ctx, p, l, NULL, &minor));
  *valid = minor == 0;
  /* What rounding leaves of a variance that other columns explain is no variance. */
  for (size_t j = 0; *valid && j < p; j++)
    *valid = l[j * (p + 1)] * l[j * (p + 1)] > 100 * DBL_EPSILON * covariance[j * (p + 1)];
  if (*valid) {
    for (size_t j = 0; j < p; j++) inverse[j * p + j] = 1;
    MN_TRY(mn_chol_lower(ctx, p, p, l, inverse));
    for (size_t i = 0; i < p; i++)
      for (size_t j = 0; j < p; j++) root[i * p + j] = j >= i ? inverse[j * p + i] : 0;
    *log_det = -mn_chol_logdet(p, l) / 2;
    *valid = isfinite(*log_det);
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static bool factor_diagonal(size_t p, const double *variance, double *root, double *log_det)
{
  *log_det = 0;
  for (size_t j = 0; j < p; j++) {
    if (!(variance[j] > 0)) return false;
    root[j] = 1 / sqrt(variance[j]);
    *log_det -= log(variance[j]) / 2;
  }
  return isfinite(*log_det);
}

mn_status mn_gaussians_factor(mn_context *ctx, const mn_gaussians *g, size_t *singular)
{
  const double log_two_pi = 1.83787706640934548356;
  *singular = 0;
  for (size_t k = 0; k < g->k; k++) {
    const double *covariance = g->covariance + k * g->width;
    double *root = g->root + k * g->width, log_det;
    bool valid = true;
    if (g->diagonal)
      valid = factor_diagonal(g->p, covariance, root, &log_det);
    else
      MN_TRY(factor(ctx, g->p, covariance, root, &log_det, &valid));
    if (!valid) {
      *singular = k + 1;
      return MN_OK;
    }
    g->start[k] = fmax(log(g->weight[k]), MN_LEAST_LOG / 2) + log_det - (double)g->p / 2 * log_two_pi;
  }
  return MN_OK;
}

mn_gaussian_sums mn_gaussian_sums_view(const mn_gaussians *g, double *at)
{
  mn_gaussian_sums s = { .size = g->k * (1 + g->p + g->width) + 3, .count = at };
  s.sum = s.count + g->k;
  s.scatter = s.sum + g->k * g->p;
  s.noise = s.scatter + g->k * g->width;
  s.loglik = s.noise + 1;
  s.hard = s.loglik + 1;
  return s;
}

mn_status mn_gaussian_sums_init(mn_context *ctx, const mn_gaussians *g, mn_gaussian_sums *sums)
{
  double *at = MN_NEW(ctx, double, g->k *(1 + g->p + g->width) + 3, 1);
  MN_CHECK_ALLOC(at);
  *sums = mn_gaussian_sums_view(g, at);
  return MN_OK;
}
