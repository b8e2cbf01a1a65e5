/* Directions of largest variance of weighted rows, for methods that start from them. */
#ifndef MN_EIGEN_PRINCIPAL_AXES_H
#define MN_EIGEN_PRINCIPAL_AXES_H
#include "../core/context.h"

/* Of n rows of p finite values, with weights w (n; NULL: all 1) and mean m:
 *
 *     S = sum_i w_i (x_i - m)(x_i - m)' / sum_i w_i
 *
 *   k        number of axes, at most p
 *   mean     p, out
 *   values   k, out: the largest eigenvalues of S, descending, >= 0
 *   vectors  k x p, out: row c is the unit vector of values[c]; its element of largest magnitude is positive. Without
 *            any variance they are the first k coordinate axes
 *   trace    out: sum of all eigenvalues
 *
 * By LAPACK from S for up to 1,500 columns and more rows, else by block Lanczos (lanczos.h) from products with the
 * rows. MN_BAD_DATA if squares overflow. */
mn_status mn_principal_axes(mn_context *ctx, size_t n, size_t p, const double *x, const double *w, size_t k,
                            double *mean, double *values, double *vectors, double *trace);

#endif
