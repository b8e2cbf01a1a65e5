#include "adam_kernel.h"
#include "../core/clones.h"
#include <math.h>

MN_CLONES(void, mn_adam_step,
          (const mn_adam *adam, size_t blocks, const float *restrict force, float *restrict mean,
           float *restrict square, float *restrict y),
          (adam, blocks, force, mean, square, y))
{
  const float keep1 = adam->beta1, keep2 = adam->beta2, rate = adam->rate, epsilon = adam->epsilon;
  for (size_t b = 0; b < blocks; b++)
    for (size_t i = b * MN_ADAM_LANES; i < (b + 1) * MN_ADAM_LANES; i++) {
      mean[i] = keep1 * mean[i] + (1 - keep1) * force[i];
      square[i] = keep2 * square[i] + (1 - keep2) * force[i] * force[i];
      y[i] += rate * mean[i] / (sqrtf(square[i]) + epsilon);
    }
}
