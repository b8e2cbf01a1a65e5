#include "gtm_kernel.h"
#include "../core/clones.h"
#include <math.h>

MN_CLONES(double, mn_gtm_softmax, (size_t blocks, double *score), (blocks, score))
{
  const size_t n = blocks * MN_GTM_LANES;
  if (n == 0) return -INFINITY;
  double largest = score[0], sum = 0;
  for (size_t i = 0; i < n; i++) largest = score[i] > largest ? score[i] : largest;
  for (size_t i = 0; i < n; i++) {
    score[i] = exp(score[i] - largest);
    sum += score[i];
  }
  for (size_t i = 0; i < n; i++) score[i] /= sum;
  /* cppcheck-suppress invalidFunctionArg ; the largest term is 1 */
  return largest + log(sum);
}
