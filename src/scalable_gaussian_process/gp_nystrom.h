/* The approximation of a kernel matrix by some of its columns, with a diagonal added:
 *
 *     P = L L' + D,   L L' = K_nr inv(K_rr) K_rn,   D = noise + White
 *
 * L is the pivoted Cholesky factor of K without White, whose pivots are the rows r. P preconditions A = K + noise, and
 * is a first approximation of its determinant. Harbrecht, Peters & Schneider, Applied Numerical Mathematics 62 (2012);
 * Gardner, Pleiss, Bindel, Weinberger & Wilson, NeurIPS 31 (2018). */
#ifndef MN_SCALABLE_GAUSSIAN_PROCESS_GP_NYSTROM_H
#define MN_SCALABLE_GAUSSIAN_PROCESS_GP_NYSTROM_H
#include "../kernel/kernel.h"

typedef struct mn_nystrom {
  const mn_kernel *kernel;
  const mn_kernel_rows *rows; /* n */
  size_t rank;
  size_t *pivot;  /* rank                                      */
  double *l;      /* rank x n: L'                              */
  double *d;      /* n                                         */
  double *inner;  /* rank x rank: the factor of I + L'inv(D) L */
  double log_det; /* of P                                      */
  double jitter;  /* what was added to the noise to make it at least 1e-8 of the diagonal of K */
} mn_nystrom;

/* noise: beside White. At most `rank` columns, in scratch. log_det is NaN if K has a diagonal element that is not
 * finite or is negative. */
mn_status mn_nystrom_new(mn_context *ctx, const mn_kernel *kernel, const mn_kernel_rows *rows, double noise,
                         size_t rank, mn_nystrom *p);

/* out = inv(P) b, n x m; out may be b. */
mn_status mn_nystrom_solve(mn_context *ctx, const mn_nystrom *p, size_t m, const double *b, double *out);

/* z: n x m, columns drawn from N(0, P). */
mn_status mn_nystrom_draw(mn_context *ctx, const mn_nystrom *p, int64_t seed, size_t m, double *z);

/* g_j += tr(inv(P) dP / dtheta_j) - sum_i v_i'(dP / dtheta_j) v_i / m for the columns of v, n x m, and the free
 * log-hyperparameters. */
mn_status mn_nystrom_gradient(mn_context *ctx, const mn_nystrom *p, size_t m, const double *v, double *g);

#endif
