#include "distance_powers_kernel.h"
#include "../core/clones.h"
#include <math.h>

MN_CLONES(void, mn_block_powers,
          (double p, size_t count, size_t capacity, size_t d, const double *restrict points, const double *restrict q,
           double *restrict out),
          (p, count, capacity, d, points, q, out))
{
  for (size_t i = 0; i < count; i++) out[i] = 0;
  for (size_t j = 0; j < d; j++)
    for (size_t i = 0; i < count; i++) out[i] += pow(fabs(points[j * capacity + i] - q[j]), p);
}
