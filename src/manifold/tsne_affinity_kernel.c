#include "tsne_affinity_kernel.h"
#include "../core/clones.h"
#include <math.h>

MN_CLONES(void, mn_tsne_gaussian,
          (size_t k, double beta, const double *restrict d, double *restrict p, double *restrict sum),
          (k, beta, d, p, sum))
{
  double total = 0, product = 0;
  for (size_t j = 0; j < k; j++) {
    const double exponent = beta * d[j] < 700 ? beta * d[j] : 700;
    p[j] = exp(-exponent);
    total += p[j];
    product += d[j] * p[j];
  }
  sum[0] = total;
  sum[1] = product;
}
