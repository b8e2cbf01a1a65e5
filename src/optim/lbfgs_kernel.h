/* Vector loops of L-BFGS. */
#ifndef MN_OPTIM_LBFGS_KERNEL_H
#define MN_OPTIM_LBFGS_KERNEL_H
#include <stddef.h>

/* to += factor * from over n values. */
void mn_lbfgs_add(size_t n, double factor, const double *restrict from, double *restrict to);

/* Sum of a b over n values; a and b may be the same. */
double mn_lbfgs_dot(size_t n, const double *a, const double *b);

#endif
