#include "classes.h"
#include <math.h>
#include <string.h>

double mn_class_totals(size_t n, size_t k, const int32_t *truth, const int32_t *predicted, const double *w,
                       double *hits, double *true_sum, double *predicted_sum)
{
  double total = 0;
  for (size_t c = 0; c < k; c++) hits[c] = true_sum[c] = predicted_sum[c] = 0;
  for (size_t i = 0; i < n; i++) {
    const double weight = w ? w[i] : 1;
    total += weight;
    if (truth[i] >= 0) true_sum[truth[i]] += weight;
    if (predicted[i] >= 0) predicted_sum[predicted[i]] += weight;
    if (truth[i] >= 0 && truth[i] == predicted[i]) hits[truth[i]] += weight;
  }
  return total;
}

double mn_multilabel_totals(size_t n, size_t k, const double *y, const double *predicted, const double *w, double *hits,
                            double *true_sum, double *predicted_sum, double *same, double *wrong)
{
  double total = 0;
  *same = *wrong = 0;
  for (size_t c = 0; c < k; c++) hits[c] = true_sum[c] = predicted_sum[c] = 0;
  for (size_t i = 0; i < n; i++) {
    const double weight = w ? w[i] : 1;
    double off = 0;
    for (size_t c = 0; c < k; c++) {
      const bool is = y[i * k + c] != 0, predicts = predicted[i * k + c] != 0;
      if (is) true_sum[c] += weight;
      if (predicts) predicted_sum[c] += weight;
      if (is && predicts) hits[c] += weight;
      off += is != predicts;
    }
    total += weight;
    *wrong += weight * off;
    if (off == 0) *same += weight;
  }
  return total;
}

mn_status mn_confusion(mn_context *ctx, size_t n, size_t k, const int32_t *truth, const int32_t *predicted,
                       const double *w, double *count)
{
  for (size_t i = 0; i < k; i++) {
    MN_TRY(mn_poll(ctx)); /* the first write to much memory is expensive */
    memset(count + i * k, 0, k * sizeof *count);
  }
  for (size_t i = 0; i < n; i++)
    if (truth[i] >= 0 && predicted[i] >= 0) count[(size_t)truth[i] * k + (size_t)predicted[i]] += w ? w[i] : 1;
  return MN_OK;
}

static double disagreement(size_t i, size_t j, int power)
{
  const double d = i > j ? (double)(i - j) : (double)(j - i);
  return power == 0 ? d > 0 : power == 1 ? d : d * d;
}

mn_status mn_kappa(mn_context *ctx, size_t n, size_t k, const int32_t *truth, const int32_t *predicted, const double *w,
                   int power, double *kappa)
{
  double *true_sum = MN_NEW(ctx, double, k, 1), *predicted_sum = MN_NEW(ctx, double, k, 1);
  double observed = 0, expected = 0, total = 0;
  MN_CHECK_ALLOC(true_sum);
  MN_CHECK_ALLOC(predicted_sum);
  for (size_t i = 0; i < n; i++) {
    const double weight = w ? w[i] : 1;
    if (truth[i] < 0 || predicted[i] < 0) continue;
    true_sum[truth[i]] += weight;
    predicted_sum[predicted[i]] += weight;
    total += weight;
    observed += weight * disagreement((size_t)truth[i], (size_t)predicted[i], power);
  }
  for (size_t i = 0; i < k; i++) {
    MN_TRY(mn_poll(ctx));
    for (size_t j = 0; j < k; j++) expected += true_sum[i] * predicted_sum[j] * disagreement(i, j, power);
  }
  *kappa = expected > 0 ? 1 - observed * total / expected : (double)NAN;
  return MN_OK;
}
