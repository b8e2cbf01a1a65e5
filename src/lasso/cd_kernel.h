/* Sweeps of coordinate descent. No argument is checked; arrays must not overlap. */
#ifndef MN_LASSO_CD_KERNEL_H
#define MN_LASSO_CD_KERNEL_H
#include <stdbool.h>
#include <stddef.h>

/* One sweep of coordinate descent on 1/2 b'Gb - c'b + sum_j l1_j |b_j| + l2/2 |b|^2, updating g = c - G b.
 *
 *   gram      k x k, rows ld apart, symmetric
 *   l1        k, finite
 *   positive  constrain b >= 0
 *   b, g      k, in and out
 *
 * Returns the largest delta_j^2 (G_jj + l2), twice the largest gain of a step. A coordinate without curvature is not
 * changed. */
double mn_cd_sweep(size_t k, const double *restrict gram, size_t ld, const double *restrict l1, double l2,
                   bool positive, double *restrict b, double *restrict g);

/* y -= a x; sum_i x_i y_i. */
void mn_cd_subtract(size_t n, double a, const double *restrict x, double *restrict y);
double mn_cd_dot(size_t n, const double *restrict x, const double *restrict y);

/* The same for a column of a sparse matrix: values x at rows i. */
void mn_cd_subtract_sparse(size_t n, double a, const double *restrict x, const int *restrict i, double *restrict y);
double mn_cd_dot_sparse(size_t n, const double *restrict x, const int *restrict i, const double *restrict y);

#endif
