#include "ica_kernel.h"
#include "../core/clones.h"
#include <math.h>

/* Beyond this, tanh is 1 in double precision. */
static const double largest = 20;

/* tanh(v) = 1 - 2 / (exp(2 v) + 1), within 2e-16: the contrast does not need the relative accuracy of tanh near 0. */
MN_CLONES(double, mn_ica_logcosh, (size_t n, double alpha, const double *restrict w, double *restrict y),
          (n, alpha, w, y))
{
  double slope = 0;
  for (size_t i = 0; i < n; i++) {
    double v = alpha * y[i];
    v = v > largest ? largest : v;
    v = v < -largest ? -largest : v;
    const double g = 1 - 2 / (exp(2 * v) + 1);
    const double weight = w ? w[i] : 1;
    slope += weight * (1 - g * g);
    y[i] = weight * g;
  }
  return alpha * slope;
}

MN_CLONES(double, mn_ica_exp, (size_t n, double alpha, const double *restrict w, double *restrict y), (n, alpha, w, y))
{
  double slope = 0;
  (void)alpha;
  for (size_t i = 0; i < n; i++) {
    const double square = y[i] * y[i], weight = w ? w[i] : 1, e = weight * exp(-square / 2);
    slope += (1 - square) * e;
    y[i] *= e;
  }
  return slope;
}

MN_CLONES(double, mn_ica_cube, (size_t n, double alpha, const double *restrict w, double *restrict y), (n, alpha, w, y))
{
  double slope = 0;
  (void)alpha;
  for (size_t i = 0; i < n; i++) {
    const double square = (w ? w[i] : 1) * y[i] * y[i];
    slope += 3 * square;
    y[i] *= square;
  }
  return slope;
}
