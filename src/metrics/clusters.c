/* Measures based on cluster centers. Silhouettes are in silhouette.c. */
#include "clusters.h"
#include <math.h>

static double weight_of(const double *w, size_t i)
{
  return w ? w[i] : 1;
}

/* Means of the clusters (k x d), their weights (k), and the overall mean (d, may be NULL). */
static void find_centers(size_t n, size_t d, size_t k, const double *x, const int32_t *label, const double *w,
                         double *mean, double *weight, double *overall)
{
  double total = 0;
  for (size_t i = 0; i < n; i++) {
    double *sum = mean + (size_t)label[i] * d;
    weight[label[i]] += weight_of(w, i);
    for (size_t f = 0; f < d; f++) sum[f] += weight_of(w, i) * x[i * d + f];
  }
  for (size_t c = 0; c < k; c++) {
    total += weight[c];
    for (size_t f = 0; f < d; f++) {
      if (overall) overall[f] += mean[c * d + f];
      if (weight[c] > 0) mean[c * d + f] /= weight[c];
    }
  }
  for (size_t f = 0; overall && f < d; f++) overall[f] /= total;
}

static double squared_distance(size_t d, const double *a, const double *b)
{
  double sum = 0;
  for (size_t f = 0; f < d; f++) sum += (a[f] - b[f]) * (a[f] - b[f]);
  return sum;
}

mn_status mn_calinski_harabasz(mn_context *ctx, size_t n, size_t d, size_t k, const double *x, const int32_t *label,
                               const double *w, double *score)
{
  double *mean = MN_NEW(ctx, double, k, d), *weight = MN_NEW(ctx, double, k, 1), *overall = MN_NEW(ctx, double, d, 1);
  double within = 0, between = 0, total = 0;
  MN_CHECK_ALLOC(mean);
  MN_CHECK_ALLOC(weight);
  MN_CHECK_ALLOC(overall);
  find_centers(n, d, k, x, label, w, mean, weight, overall);
  for (size_t i = 0; i < n; i++)
    within += weight_of(w, i) * squared_distance(d, x + i * d, mean + (size_t)label[i] * d);
  for (size_t c = 0; c < k; c++) {
    total += weight[c];
    if (weight[c] > 0) between += weight[c] * squared_distance(d, mean + c * d, overall);
  }
  *score = within > 0 ? between * (total - (double)k) / (within * (double)(k - 1)) : 1;
  return MN_OK;
}

mn_status mn_davies_bouldin(mn_context *ctx, size_t n, size_t d, size_t k, const double *x, const int32_t *label,
                            const double *w, double *score)
{
  double *mean = MN_NEW(ctx, double, k, d), *weight = MN_NEW(ctx, double, k, 1), *spread = MN_NEW(ctx, double, k, 1);
  double sum = 0;
  MN_CHECK_ALLOC(mean);
  MN_CHECK_ALLOC(weight);
  MN_CHECK_ALLOC(spread);
  find_centers(n, d, k, x, label, w, mean, weight, NULL);
  for (size_t i = 0; i < n; i++)
    spread[label[i]] += weight_of(w, i) * sqrt(squared_distance(d, x + i * d, mean + (size_t)label[i] * d));
  for (size_t c = 0; c < k; c++) spread[c] /= weight[c];
  for (size_t a = 0; a < k; a++) {
    double worst = 0;
    for (size_t b = 0; b < k; b++) {
      const double apart = sqrt(squared_distance(d, mean + a * d, mean + b * d));
      if (a != b && apart > 0) worst = fmax(worst, (spread[a] + spread[b]) / apart);
    }
    sum += worst;
  }
  *score = sum / (double)k;
  return MN_OK;
}
