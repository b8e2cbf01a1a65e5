/* A few eigenvalues at one end of the spectrum of a large symmetric operator, by block Lanczos with thick restarts. The
 * operator is seen through its products with blocks of vectors only, so it may be dense, sparse or implicit. */
#ifndef MN_EIGEN_LANCZOS_H
#define MN_EIGEN_LANCZOS_H
#include "../factorization/lapack.h"

/* y = x A for `count` vectors: x and y are count x n, one vector per row, and do not overlap. */
typedef mn_status (*mn_operator)(mn_context *ctx, void *user, size_t count, const double *x, double *y);

typedef struct mn_eigenproblem {
  size_t n, k;         /* order; number of pairs, at most n                           */
  mn_spectrum_end end; /* MN_LARGEST: in descending order; MN_SMALLEST: ascending     */
  mn_operator apply;
  void *user;
  double tolerance; /* |A v - value v| <= tolerance * largest |value| for each pair   */
  int64_t max_iter; /* restarts                                                       */
} mn_eigenproblem;

/* Solve the problem.
 *
 *   values     k, out
 *   vectors    k x n, out: row i is the unit vector of values[i]; its sign is arbitrary
 *   converged  out: false if max_iter restarts did not reach the tolerance; values and vectors are the best found
 *
 * A block of several vectors finds multiple eigenvalues, and reads A once for all of them. The start is a fixed random
 * block, so the same problem gives the same result. Small problems (4 k >= n or n < 200) are solved by mn_eigh on the
 * full matrix, which takes n products. Memory is scratch: about (3 k + 32) n values.
 *
 * Wu & Simon, SIAM J. Matrix Anal. Appl. 22 (2000), thick restarts; Golub & Van Loan, section 10.3.6, blocks. */
mn_status mn_eigs(mn_context *ctx, const mn_eigenproblem *problem, double *values, double *vectors, bool *converged);

#endif
