/* Loops along a column for coordinate descent. Arguments are not checked; arrays must not overlap.
 *
 *   x     values of the column, n of them
 *   row   their rows, or NULL: 0 .. n-1
 *   pair  curvature and step of each row's score, interleaved so that one memory access finds both */
#ifndef MN_LOSS_DESCENT_KERNEL_H
#define MN_LOSS_DESCENT_KERNEL_H
#include <stddef.h>
#include <stdint.h>

/* sum x curvature step */
double mn_descent_dot(size_t n, const double *restrict x, const int32_t *restrict row, const double *restrict pair);

/* step += a x */
void mn_descent_add(size_t n, double a, const double *restrict x, const int32_t *restrict row, double *restrict pair);

/* *gradient = sum x step; *diagonal = sum x^2 curvature */
void mn_descent_gradient_diagonal(size_t n, const double *restrict x, const int32_t *restrict row,
                                  const double *restrict pair, double *restrict gradient, double *restrict diagonal);

#endif
