/* Loops over the weights of stochastic gradient descent, for dense rows. No argument is checked; arrays must not
 * overlap. */
#ifndef MN_SGD_SGD_KERNEL_H
#define MN_SGD_SGD_KERNEL_H
#include <stddef.h>

/* sum_j x_j v_j */
double mn_sgd_dot(size_t p, const double *restrict x, const double *restrict v);

/* v += c x; then *square = |v|^2 and *absolute = |v|_1. */
void mn_sgd_add(size_t p, double c, const double *restrict x, double *restrict v, double *square, double *absolute);

/* v += c x */
void mn_sgd_add_only(size_t p, double c, const double *restrict x, double *restrict v);

/* The weights scale v pulled towards 0, and no further, by what is due to each in L1 penalty and not yet paid.
 *
 *   due    what each weight would have paid by now if it had never been 0
 *   v      p, in and out
 *   paid   p, in and out: what weight j has paid, negative where it was positive */
void mn_sgd_pull(size_t p, double due, double scale, double *restrict v, double *restrict paid);

#endif
