/* The number of components by the evidence of probabilistic PCA, with Laplace's approximation:
 *
 *     p(X | k) ~ p(U) prod_{i<=k} l_i^(-n/2) v^(-n (p-k) / 2) (2 pi)^((m+k)/2) |A|^(-1/2) n^(-k/2)
 *
 * where l are the variances, v the mean of those beyond k, m = p k - k (k + 1) / 2 the dimension of the rotations, and
 *
 *     |A| = prod_{i<=k} prod_{j>i} (1 / l*_j - 1 / l*_i) (l_i - l_j) n,      l*_j = l_j for j <= k, else v.
 *
 * Minka, Automatic choice of dimensionality for PCA, NIPS 13 (2000). */
#include "../stats/special.h"
#include "pca.h"

/* Differences of equal variances count as this fraction of them, and variances of this fraction of the first as 0. */
static const double rounding = 1e-15;

/* log (a - b), a >= b. */
static double log_difference(double a, double b)
{
  return log(fmax(a - b, rounding * a));
}

mn_status mn_pca_log_evidence(mn_context *ctx, size_t p, double n, const double *variance, double *out)
{
  const double log_pi = 1.14472988584940017414, log_2 = 0.69314718055994530942;
  double *below = MN_NEW(ctx, double, p, 1);
  MN_CHECK_ALLOC(below);
  for (size_t i = 0; i < p; i++) /* log of the product of l_i - l_j over j > i */
    for (size_t j = i + 1; j < p; j++) below[i] += log_difference(variance[i], variance[j]);
  double prior = 0, logs = 0, products = 0, within = 0;
  for (size_t k = 1; k < p; k++) {
    const double last = variance[k - 1], others = (double)(p - k), d = (double)(p - k + 1);
    out[k - 1] = -INFINITY;
    if (!(last > rounding * variance[0])) continue;
    prior += mn_lgamma(d / 2) - log_pi * d / 2 - log_2;
    logs += log(last);
    products += below[k - 1];
    for (size_t i = 0; i + 1 < k; i++) within += log_difference(1 / last, 1 / variance[i]);
    double sum = 0;
    for (size_t j = k; j < p; j++) sum += variance[j];
    const double v = fmax(sum / others, rounding * variance[0]);
    double beyond = 0;
    for (size_t i = 0; i < k; i++) beyond += others * log_difference(1 / v, 1 / variance[i]);
    const double m = (double)p * (double)k - (double)k * ((double)k + 1) / 2;
    const double curvature = products + within + beyond + m * log(n);
    out[k - 1] = prior - n / 2 * logs - n / 2 * others * log(v) + (log_2 + log_pi) * (m + (double)k) / 2 -
                 curvature / 2 - (double)k / 2 * log(n);
  }
  return MN_OK;
}

mn_status mn_pca_most_evident(mn_context *ctx, size_t p, double n, const double *variance, size_t *count)
{
  double *evidence = MN_RAW(ctx, double, p, 1);
  MN_CHECK_ALLOC(evidence);
  MN_TRY(mn_pca_log_evidence(ctx, p, n, variance, evidence));
  *count = 1;
  for (size_t k = 2; k < p; k++)
    if (evidence[k - 1] > evidence[*count - 1]) *count = k;
  return MN_OK;
}

mn_status mn_pca_evidence(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                          mn_results *results)
{
  (void)data;
  (void)options;
  const struct mn_pca *m = self;
  const size_t p = m->base.n_features;
  mn_vector *out;
  if (m->explained_variance.size < p || p < 2)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "PCA: evidence requires the variances of all of at least 2 components, got %zu of %zu; fit with "
                   "n_components = nil and choose = \"given\" to at least as many rows as columns",
                   m->explained_variance.size, p);
  MN_TRY(mn_result_vector(ctx, results, "evidence", p - 1, &out));
  return mn_pca_log_evidence(ctx, p, m->n, m->explained_variance.at, out->at);
}
