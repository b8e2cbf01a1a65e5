#include "lambda_rank_kernel.h"
#include "../core/clones.h"
#include <math.h>

/* Where the better one stands first the pair counts by 1 / (1 + exp(s_a - s_b)), else by 1 / (1 + exp(s_b - s_a)).
 * Rows that are alike have a weight of 0. */
MN_CLONES(double, mn_lambda_pairs,
          (size_t a, size_t n, const double *restrict score, const double *restrict gain,
           const double *restrict discount, double ideal, double least, double *restrict g, double *restrict h),
          (a, n, score, gain, discount, ideal, least, g, h))
{
  const double score_a = score[a], gain_a = gain[a], discount_a = discount[a], share = 1 / ideal, most = 700;
  double sum = 0, g_a = 0, h_a = 0;
  for (size_t b = a + 1; b < n; b++) {
    const double apart = score_a - score[b], better = gain_a - gain[b];
    const double p = 1 / (1 + exp(fmin(better > 0 ? apart : -apart, most)));
    const double swap = fabs(better * (discount_a - discount[b])) * share / (least > 0 ? least + apart : 1);
    const double lambda = p * swap, curve = 2 * p * (1 - p) * swap, down = better > 0 ? lambda : -lambda;
    g[b] += down;
    h[b] += curve;
    g_a -= down;
    h_a += curve;
    sum += lambda;
  }
  g[a] += g_a;
  h[a] += h_a;
  return 2 * sum;
}
