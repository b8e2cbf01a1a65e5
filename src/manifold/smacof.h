/* Multidimensional scaling by majorization (SMACOF): coordinates z that minimize the stress
 *
 *     sum_{i<j} w_ij (delta_ij - d_ij(Z))^2,      d_ij(Z) = |z_i - z_j|.
 *
 * Each iteration replaces Z by its Guttman transform,
 *
 *     Z := V+ B(Z) Z,      (B(Z) Z)_i = sum_j w_ij (delta_ij / d_ij) (z_i - z_j),      terms with d_ij = 0 left out,
 *
 * with the Laplacian V of the weights, V_ij = -w_ij, V_ii = sum_j w_ij, which never increases the stress. With weights
 * 1 V+ is 1/n on centered coordinates. In non-metric scaling delta are the disparities (disparities.h) of the distances
 * of the last iteration. de Leeuw, in Recent Developments in Statistics (1977); Borg & Groenen, Modern Multidimensional
 * Scaling (2005), chapters 8 and 9. */
#ifndef MN_MANIFOLD_SMACOF_H
#define MN_MANIFOLD_SMACOF_H
#include "../core/threads.h"
#include "../model/class.h"
#include "disparities.h"

typedef struct mn_smacof {
  /* The problem, from the caller. */
  size_t n, k;
  const double *delta;   /* n x n given distances                            */
  const double *weights; /* n x n, symmetric, >= 0, diagonal 0; NULL: all 1  */
  bool nonmetric, split_ties;
  double tol; /* stop when the stress decreases by at most this fraction of `total` */
  int64_t max_iter;

  /* Set by mn_smacof_init. */
  double total;                 /* sum of w_ij delta_ij^2, in non-metric scaling of w_ij, over pairs */
  const double *target;         /* n x n: delta, or the disparities                                  */
  double *inverse;              /* n x n: inv(V + 1 1' / n); NULL without weights                    */
  double *disparity, *distance; /* n x n, or NULL                                            */
  double *z, *next;             /* n x k: coordinates, and their Guttman transform           */
  double *product;              /* n x k: B Z                                                */
  double *points;               /* k x n: the coordinates transposed                         */
  double *stress;               /* n: sum over j of each row                                 */
  mn_blocks blocks;
  mn_disparities order;
} mn_smacof;

/* Prepare: scratch memory. Errors begin with `who`: weights that leave parts of the rows unconnected. */
mn_status mn_smacof_init(mn_context *ctx, const char *who, mn_smacof *s);

/* Iterate from s->z to the result in s->z, which is centered; the stress is r->objective. */
mn_status mn_smacof_run(mn_context *ctx, mn_smacof *s, mn_report *r);

/* out (k x n) = z (n x k) transposed. */
void mn_points_by_column(size_t n, size_t k, const double *z, double *out);

/* One row for each q < rows, placed by the same majorization with n points fixed:
 *
 *     z := sum_j w_j (p_j + delta_j (z - p_j) / |z - p_j|) / sum_j w_j
 *
 * from the position of the point with the least delta, until a step is short compared with the mean delta.
 *
 *   delta     rows x n
 *   weights   rows x n; NULL: all 1
 *   fixed     n x k
 *   out       rows x k */
mn_status mn_place_by_majorization(mn_context *ctx, size_t rows, const double *delta, const double *weights,
                                   const mn_matrix *fixed, double *out);

#endif
