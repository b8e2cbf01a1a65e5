#include "lambda_rank_kernel.h"
#include "../core/clones.h"
#include <math.h>

/* A pair is weighted by 1 / (1 + exp(s_better - s_worse)). Pairs of equal gain contribute 0. */
MN_CLONES(double, mn_lambda_pairs,
          (size_t a, size_t n, const double *restrict score, const double *restrict gain,
           const double *restrict discount, double ideal, double damping, double *restrict g, double *restrict h),
          (a, n, score, gain, discount, ideal, damping, g, h))
{
  const double score_a = score[a], gain_a = gain[a], discount_a = discount[a], share = 1 / ideal, max_exponent = 700;
  double sum = 0, g_a = 0, h_a = 0;
  for (size_t b = a + 1; b < n; b++) {
    const double distance = score_a - score[b], gain_difference = gain_a - gain[b];
    const double p = 1 / (1 + exp(fmin(gain_difference > 0 ? distance : -distance, max_exponent)));
    const double swap =
        fabs(gain_difference * (discount_a - discount[b])) * share / (damping > 0 ? damping + distance : 1);
    const double lambda = p * swap, hessian = 2 * p * (1 - p) * swap,
                 signed_lambda = gain_difference > 0 ? lambda : -lambda;
    g[b] += signed_lambda;
    h[b] += hessian;
    g_a -= signed_lambda;
    h_a += hessian;
    sum += lambda;
  }
  g[a] += g_a;
  h[a] += h_a;
  return 2 * sum;
}
