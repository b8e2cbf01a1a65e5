/* Loops over the coefficients in stochastic gradient descent, for dense rows. Arguments are not checked; arrays must
 * not overlap. */
#ifndef MN_SGD_SGD_KERNEL_H
#define MN_SGD_SGD_KERNEL_H
#include <stddef.h>

/* sum_j x_j v_j */
double mn_sgd_dot(size_t p, const double *restrict x, const double *restrict v);

/* v += c x; then *square = |v|^2 and *absolute = |v|_1. */
void mn_sgd_add(size_t p, double c, const double *restrict x, double *restrict v, double *square, double *absolute);

/* v += c x */
void mn_sgd_axpy(size_t p, double c, const double *restrict x, double *restrict v);

/* Soft-threshold the coefficients scale v by the L1 penalty that is due and not yet paid by each.
 *
 *   due    penalty that each coefficient would have paid by now had it never been 0
 *   v      p, in and out
 *   paid   p, in and out: penalty paid by coefficient j, negative where it was positive */
void mn_sgd_l1_step(size_t p, double due, double scale, double *restrict v, double *restrict paid);

#endif
