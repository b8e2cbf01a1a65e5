/* Sums of kernels over the rows of a tree: log sum_i w_i K(distance(x_i, q) / h) for many points q, with a bound on the
 * error.
 *
 * The tree is descended nearest nodes first. The kernels of the rows of a node lie between those of its largest and its
 * smallest distance from q; where the difference, summed over all nodes treated so, is within the tolerance, the middle
 * is taken for all rows of the node. Gray & Moore, SIAM International Conference on Data Mining (2003). */
#ifndef MN_SMOOTHING_DENSITY_SUM_H
#define MN_SMOOTHING_DENSITY_SUM_H
#include "../search/neighbor_tree.h"
#include "kernel_shape.h"

typedef struct mn_density {
  const mn_space *space;
  const mn_neighbor_tree *tree;
  const double *weights; /* n, by position in the tree; NULL: all 1 */
  bool counts;           /* they are: see mn_left_out               */
  const double *sums;    /* of the nodes: mn_tree_weight_sums       */
  const size_t *place;   /* n: position of each row                 */
  mn_kernel_shape shape;
  double bandwidth;
  double atol, rtol; /* |error| <= atol + rtol * sum, of the sum */
} mn_density;

/* Prepare sums over a tree, in scratch; weights (n) are by row, or NULL. The caller sets shape, bandwidth and
 * tolerances.
 */
mn_status mn_density_prepare(mn_context *ctx, const mn_space *space, const mn_neighbor_tree *tree,
                             const double *weights, mn_density *density);

/* log_sum[i] for n embedded points; -inf where a compact kernel reaches no row. leave_out: the points are the rows of
 * the tree in order, and row i is left out of sum i. An rtol below rounding counts as rounding. */
mn_status mn_density_log_sums(mn_context *ctx, const mn_density *density, size_t n, const double *points,
                              bool leave_out, double *log_sum);

#endif
