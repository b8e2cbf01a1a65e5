/* Loops over rows for linear predictors. No argument is checked; arrays must not overlap. */
#ifndef MN_LINEAR_LINEAR_KERNEL_H
#define MN_LINEAR_LINEAR_KERNEL_H
#include <stddef.h>

/* Predictions out_i = start + sum_j x_ij b_j.
 *
 *   x    n x p, row-major
 *   b    p
 *   out  n, `step` apart
 *
 * Reads x once. */
void mn_linear_rows(size_t n, size_t p, const double *restrict x, const double *restrict b, double start,
                    double *restrict out, size_t step);

/* Residuals of centered rows, and the gradient with respect to b.
 *
 *   x, y       n x p; n values `step` apart
 *   w          n, or NULL: all 1
 *   mean, b    p
 *   y_mean     of y
 *   residual   n, out, may be NULL: r_i = (y_i - y_mean) - (x_i - mean) b
 *   gradient   p, in and out, may be NULL: sum_i w_i r_i (x_i - mean) is added
 *
 * Returns sum_i w_i r_i^2. Reads x once. */
double mn_linear_residuals(size_t n, size_t p, const double *restrict x, const double *restrict y, size_t step,
                           const double *restrict w, const double *restrict mean, double y_mean,
                           const double *restrict b, double *restrict residual, double *restrict gradient);

/* g += X'r for X (n x p) and one vector r (n). */
void mn_row_gradient(size_t n, size_t p, const double *restrict x, const double *restrict r, double *restrict g);

#endif
