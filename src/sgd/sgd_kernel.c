#include "sgd_kernel.h"
#include "../core/clones.h"
#include <math.h>

MN_CLONES(double, mn_sgd_dot, (size_t p, const double *restrict x, const double *restrict v), (p, x, v))
{
  double sum = 0;
  for (size_t j = 0; j < p; j++) sum += x[j] * v[j];
  return sum;
}

MN_CLONES(void, mn_sgd_add,
          (size_t p, double c, const double *restrict x, double *restrict v, double *square, double *absolute),
          (p, c, x, v, square, absolute))
{
  double squares = 0, sum = 0;
  for (size_t j = 0; j < p; j++) {
    v[j] += c * x[j];
    squares += v[j] * v[j];
    sum += fabs(v[j]);
  }
  *square = squares;
  *absolute = sum;
}

MN_CLONES(void, mn_sgd_axpy, (size_t p, double c, const double *restrict x, double *restrict v), (p, c, x, v))
{
  for (size_t j = 0; j < p; j++) v[j] += c * x[j];
}

MN_CLONES(void, mn_sgd_l1_step, (size_t p, double due, double scale, double *restrict v, double *restrict paid),
          (p, due, scale, v, paid))
{
  const double inverse = 1 / scale;
  for (size_t j = 0; j < p; j++) {
    const double old = v[j], down = old - (due + paid[j]) * inverse, up = old + (due - paid[j]) * inverse;
    const double positive = down > 0 ? down : 0, negative = up < 0 ? up : 0;
    v[j] = old > 0 ? positive : old < 0 ? negative : 0;
    paid[j] += scale * (v[j] - old);
  }
}
