/* Hot loops of kernel density estimation: kernels of reduced distances r, with u^2 = factor * r if r is the square of a
 * distance (`squared`), else u = factor * r. Values are exp(shift) K(u); compact kernels have no shift. */
#ifndef MN_SMOOTHING_DENSITY_SUM_KERNEL_H
#define MN_SMOOTHING_DENSITY_SUM_KERNEL_H
#include "kernel_shape.h"

typedef struct mn_scaled_shape {
  mn_kernel_shape shape;
  bool squared;
  double factor, shift;
} mn_scaled_shape;

/* sum_i w_i K_i; w NULL: all 1. */
double mn_shape_sum(const mn_scaled_shape *s, size_t n, const double *restrict r, const double *restrict w);

/* out_i = K_i */
void mn_shape_values(const mn_scaled_shape *s, size_t n, const double *restrict r, double *restrict out);

#endif
