/* All eigenvalues of a symmetric matrix and a few of its vectors, through its tridiagonal form. Internal to
 * lapack_eigen.c. */
#ifndef MN_FACTORIZATION_LAPACK_PARTIAL_EIGEN_H
#define MN_FACTORIZATION_LAPACK_PARTIAL_EIGEN_H
#include "lapack_table.h"
#include <stdbool.h>

typedef struct mn_partial_eigen {
  const mn_lapack *lapack;
  int n, k;
  bool largest;    /* the vectors of the k largest values, else of the k smallest               */
  double *a;       /* n x n, in: the lower triangle is read; overwritten                        */
  double *values;  /* n, out: all eigenvalues, ascending                                        */
  double *vectors; /* k x n, out: row i is the vector of the i-th of the k values, ascending; NULL: none */
  double *work;    /* mn_partial_eigen_work values  */
  int work_size;
  int *iwork; /* mn_partial_eigen_iwork values */
} mn_partial_eigen;

/* Sizes of the workspaces, from lapack, n and k. */
int mn_partial_eigen_work(const mn_partial_eigen *s);
size_t mn_partial_eigen_iwork(const mn_partial_eigen *s);

/* Solve. Allocates nothing. False: a vector has not converged, or squares of the elements would overflow or underflow.
 *
 * Householder tridiagonalization, the Pal-Walker-Kahan QR iteration for the values, inverse iteration for the vectors:
 * LAPACK dsytrd, dsterf, dstein, dormtr. The steps of dsyevr, which finds the k values by bisection instead; that takes
 * longer, and the other values are needed as well. */
bool mn_partial_eigen_solve(mn_partial_eigen *s);

#endif
