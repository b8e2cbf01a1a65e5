/* Laplacian-regularized least squares for strata that are nodes of a graph:
 *
 *     minimize  sum_k [ 1/2 t_k' A_k t_k - r_k' t_k ] + smoothness / 2 sum_(k,l) |t_k - t_l|^2
 *
 * over t_k, q values for each of k strata. Solved on a tree by message passing: everything beyond a stratum is again
 * such a quadratic in it, (P, v), and crosses an edge as P (I + P / s)^-1 and (I + P / s)^-1 v, which neither cancels
 * nor overflows for any smoothness s. A complete graph is equivalent to a star around the mean with edges of weight k
 * s; a ring is a chain with one more edge, added by the Woodbury identity. */
#ifndef MN_PIECEWISE_STRATIFIED_SOLVE_H
#define MN_PIECEWISE_STRATIFIED_SOLVE_H
#include "../core/context.h"

enum { MN_CHAIN, MN_RING, MN_COMPLETE };

/*   k, q  number of strata, values of each
 *   a     k x q x q, in: symmetric, positive semidefinite; overwritten
 *   r     k x q, in: right-hand sides; out: the solution, of minimum norm if it is not unique
 *
 * The cost is proportional to k q^3. */
mn_status mn_stratified_solve(mn_context *ctx, int64_t graph, double smoothness, size_t k, size_t q, double *a,
                              double *r);
#endif
