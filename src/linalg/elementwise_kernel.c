#include "elementwise_kernel.h"
#include <math.h>

/* The constant inner count avoids a remainder loop, which would compute values by another function than the rest. */
#define MN_KERNEL(name, expression)                                                                                    \
  MN_CLONES(void, name, (size_t blocks, const double *x, double *y), (blocks, x, y))                                   \
  {                                                                                                                    \
    for (size_t b = 0; b < blocks; b++, x += MN_VECTOR_LANES, y += MN_VECTOR_LANES) {                                  \
      double v[MN_VECTOR_LANES];                                                                                       \
      for (int i = 0; i < MN_VECTOR_LANES; i++) v[i] = x[i];                                                           \
      for (int i = 0; i < MN_VECTOR_LANES; i++) v[i] = (expression);                                                   \
      for (int i = 0; i < MN_VECTOR_LANES; i++) y[i] = v[i];                                                           \
    }                                                                                                                  \
  }

MN_KERNEL(mn_kernel_exp, exp(v[i]))
MN_KERNEL(mn_kernel_expm1, expm1(v[i]))
MN_KERNEL(mn_kernel_log, log(v[i]))
MN_KERNEL(mn_kernel_log1p, log1p(v[i]))
MN_KERNEL(mn_kernel_sin, sin(v[i]))
MN_KERNEL(mn_kernel_cos, cos(v[i]))
MN_KERNEL(mn_kernel_tanh, tanh(v[i]))
MN_KERNEL(mn_kernel_sigmoid, 1 / (1 + exp(-v[i])))
