/* Hot loops of kernel regression. No argument is checked; arrays must not overlap; coordinates are finite and at most
 * MN_MAX_COORDINATE. Coordinates of rows are stored by columns: z[j * n + i]. */
#ifndef MN_SMOOTHING_LOCAL_FIT_KERNEL_H
#define MN_SMOOTHING_LOCAL_FIT_KERNEL_H
#include "kernel_shape.h"
#include <stdint.h>

#define MN_MAX_COORDINATE 1e100 /* so that squares and cubes do not overflow */

/* out_i = |z_i - q|^2, n rows of d coordinates. */
void mn_column_distances2(size_t n, size_t d, const double *restrict z, const double *restrict q, double *restrict out);

/* w_i = prod_j K(|z_ij - q_j|), divided by the scale whose logarithm is returned: it is 0 for compact kernels, and for
 * the others such that the largest w_i is 1. */
double mn_product_kernel(mn_kernel_shape shape, size_t n, size_t d, const double *restrict z, const double *restrict q,
                         double *restrict w);

/* w_i = (1 - (d_i / h)^3)^3 where d_i < h, else 0, from squares of distances and h. */
void mn_tricube_weights(size_t n, const double *restrict distance2, double h2, double *restrict w);

/* w_i *= factor_i; returns the largest. */
double mn_multiply_weights(size_t n, const double *restrict factor, double *restrict w);
double mn_largest(size_t n, const double *w);

/* sum_i x_i y_i, and sum_i x_i^2 f_i (f NULL: all 1). */
double mn_fast_dot(size_t n, const double *restrict x, const double *restrict y);
double mn_fast_norm2(size_t n, const double *restrict x, const double *restrict f);

/* The polynomial fitted by least squares, as weights of y: its value at a point is sum_i l_i y_i.
 *
 *   m, terms  rows; terms of the polynomial, of which the first is 1
 *   root      m, > 0: square roots of the weights of the rows
 *   x         coordinates of the rows about any center: x[j * ld + i]
 *   at        coordinates of the point about this center
 *   parent, variable  terms: term t is term parent[t] times coordinate variable[t], t > 0
 *   basis, value      workspace: terms x m, terms
 *   l                 m, out
 *
 * Gram-Schmidt with reorthogonalization: a new basis function is the product of an orthonormal one and a coordinate
 * (Brubeck, Nakatsukasa & Trefethen, SIAM Review 63, 2021), so that powers do not make the problem ill-conditioned. A
 * term that depends on earlier ones is dropped. */
void mn_local_polynomial(size_t m, size_t terms, const double *restrict root, const double *restrict x, size_t ld,
                         const double *restrict at, const int32_t *parent, const int32_t *variable,
                         double *restrict basis, double *restrict value, double *restrict l);

#endif
