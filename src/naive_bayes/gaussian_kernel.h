/* Loops of Gaussian naive Bayes. No argument is checked; arrays must not overlap. */
#ifndef MN_NAIVE_BAYES_GAUSSIAN_KERNEL_H
#define MN_NAIVE_BAYES_GAUSSIAN_KERNEL_H
#include <stddef.h>
#include <stdint.h>

/* First and second moments of each class about a shift.
 *
 *   x            n x p; read once
 *   code         n: class of each row, 0..k-1
 *   w            n, or NULL: all 1
 *   shift        k x p
 *   count        k, in and out: weights are added
 *   sum, square  k x p, in and out: w (x - shift) and w (x - shift)^2 are added */
void mn_class_moments(size_t n, size_t p, const double *restrict x, const int32_t *restrict code,
                      const double *restrict w, const double *restrict shift, double *restrict count,
                      double *restrict sum, double *restrict square);

#endif
