/* Eigenvectors of a small symmetric matrix, for tasks, which have no scratch. */
#ifndef MN_LINALG_SMALL_EIGEN_H
#define MN_LINALG_SMALL_EIGEN_H
#include <stddef.h>

/* All eigenpairs by Jacobi's rotations, in descending order; about 20 n^3 flops. For n up to about 100.
 *
 *   a        n x n, symmetric; overwritten
 *   values   n, out
 *   vectors  n x n, out: row i is the unit vector of values[i] */
void mn_small_eigen(size_t n, double *a, double *values, double *vectors);

#endif
