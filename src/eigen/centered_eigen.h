/* Eigenpairs of a symmetric matrix whose rows and columns are centered: H K H, H = I - 1 1' / n. */
#ifndef MN_EIGEN_CENTERED_EIGEN_H
#define MN_EIGEN_CENTERED_EIGEN_H
#include "../core/context.h"

/* The `count` largest eigenvalues of H K H, descending.
 *
 *   tolerance  of block Lanczos (lanczos.h), for few pairs of a large matrix; 0: LAPACK finds all of them
 *   mean       n: means of the rows of K
 *   k          n x n, overwritten
 *   values     count, out
 *   vectors    count x n, out: row c is the unit vector of values[c]; its element of largest magnitude is positive
 *
 * LAPACK finds what Lanczos does not. */
mn_status mn_centered_eigen(mn_context *ctx, size_t n, size_t count, double tolerance, const double *mean, double *k,
                            double *values, double *vectors);

/* A bound on the rounding error of the eigenvalues, from the largest sum of magnitudes in a row of K. */
double mn_eigenvalue_rounding(size_t n, const double *k);

/* Set to 0 the eigenvalues that are not above 1e-12 of the first, or not above `rounding`: if centering leaves nothing
 * of K, or only negative eigenvalues, the first is rounding error itself. Returns the number of the others. */
size_t mn_clip_eigenvalues(size_t count, double rounding, double *values);

#endif
