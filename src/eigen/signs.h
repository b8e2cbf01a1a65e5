/* Signs of eigenvectors and of components, which solvers leave open. */
#ifndef MN_EIGEN_SIGNS_H
#define MN_EIGEN_SIGNS_H
#include <stddef.h>

/* Make the element of largest magnitude in each row of v (k x p) positive, the first one of several. */
void mn_fix_signs(size_t k, size_t p, double *v);

#endif
