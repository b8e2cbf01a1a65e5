/* Loops of linear support vector machines. Arguments are not checked; arrays must not overlap.
 *
 *   x    values of a row, n of them
 *   col  their columns, ascending, or NULL: 0 .. n-1 */
#ifndef MN_LINEAR_SVM_KERNEL_H
#define MN_LINEAR_SVM_KERNEL_H
#include <stddef.h>
#include <stdint.h>

/* sum x v */
double mn_svm_row_dot(size_t n, const double *restrict x, const int32_t *restrict col, const double *restrict v);

/* v += a x */
void mn_svm_row_add(size_t n, double a, const double *restrict x, const int32_t *restrict col, double *restrict v);

/* v += a x and square += h x^2 */
void mn_svm_row_add_squares(size_t n, double a, double h, const double *restrict x, const int32_t *restrict col,
                            double *restrict v, double *restrict square);

/* For k classes, with v of k values for each column: z (k) += x v; and v += x step. */
void mn_svm_row_scores(size_t n, size_t k, const double *restrict x, const int32_t *restrict col,
                       const double *restrict v, double *restrict z);
void mn_svm_row_step(size_t n, size_t k, const double *restrict x, const int32_t *restrict col,
                     const double *restrict step, double *restrict v);

/* Squared losses of n scores z + shift dz (dz NULL: 1), with tube half as wide as the zone without loss.
 *
 *   slope      n, out: derivative of each loss by its score
 *   curvature  n, out: second derivative
 *   along      out: sum slope dz and sum curvature dz^2
 *
 * Returns the sum of the losses. slope and curvature may both be NULL. */
double mn_svm_squared_losses(size_t n, double tube, double shift, const double *restrict z, const double *restrict dz,
                             const double *restrict target, const double *restrict up, const double *restrict down,
                             double *restrict slope, double *restrict curvature, double *restrict along);

#endif
