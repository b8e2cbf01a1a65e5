/* Loops of logistic regression. Arguments are not checked; arrays must not overlap. */
#ifndef MN_LOGISTIC_LOGISTIC_KERNEL_H
#define MN_LOGISTIC_LOGISTIC_KERNEL_H
#include <stddef.h>
#include <stdint.h>

/* Two classes: loss of scores z, with first and second derivative.
 *
 *   z          n, in: scores; out: w_i (p_i - y_i), the derivative
 *   code       n: 0 or 1, the class
 *   w          n, or NULL: all 1
 *   curvature  n, out, may be NULL: w_i p_i (1 - p_i)
 *
 * Returns sum_i w_i log(1 + exp(-s_i z_i)), s = -1 or 1. */
double mn_logistic_loss(size_t n, double *restrict z, const int32_t *restrict code, const double *restrict w,
                        double *restrict curvature);

/* The same for n scores of signed weights v (negative for class 0), with the loss of each.
 *
 *   v     n: weights, with the sign of the class
 *   z     n, in: scores; out: |v_i| (p_i - y_i)
 *   loss  n, out */
void mn_signed_logistic_loss(size_t n, const float *restrict v, double *restrict z, double *restrict loss);

/* sum[0..width-1] += the columns of rows (n x width), summed. */
void mn_add_row_sums(size_t n, size_t width, const double *restrict rows, double *restrict sum);

/* Sum of n values. */
double mn_residual_sum(size_t n, const double *restrict r);

/* k classes.
 *
 *   z  n x width, in: scores in the first k of each row; out: w_i (p_ic - y_ic), then zeros
 *
 * Returns sum_i w_i (log sum_c exp z_ic - z_i,code). */
double mn_softmax_loss(size_t n, size_t k, size_t width, double *restrict z, const int32_t *restrict code,
                       const double *restrict w);

/* Products with narrow matrices that read x once; `width` is a multiple of 4 (columns beyond the classes are zeros): z
 * = x b + start, and g += x' r.
 *
 *   x      n x p
 *   b, g   p x width
 *   start  width
 *   z, r   n x width */
void mn_thin_scores(size_t n, size_t p, size_t width, const double *restrict x, const double *restrict b,
                    const double *restrict start, double *restrict z);
void mn_thin_gradient(size_t n, size_t p, size_t width, const double *restrict x, const double *restrict r,
                      double *restrict g);

#endif
