/* Least squares of strata that are neighbours in a graph:
 *
 *     minimise  sum_k [ 1/2 t_k' A_k t_k - r_k' t_k ] + smoothness / 2 sum_(k,l) |t_k - t_l|^2
 *
 * over t_k, q values for each of k strata. Solved along a tree by messages: what all that lies behind a stratum says of
 * it is again such a quadratic, P and v, and crosses an edge as P (I + P / s)^-1 and (I + P / s)^-1 v. That neither
 * subtracts nor overflows, however large the smoothness s is. A complete graph is a star about their mean, with edges
 * of k s; a ring is a chain, and one edge more by the identity of Woodbury. */
#ifndef MN_PIECEWISE_STRATIFIED_H
#define MN_PIECEWISE_STRATIFIED_H
#include "../core/context.h"

enum { MN_CHAIN, MN_RING, MN_COMPLETE };

/* k, q      strata, values of each
 * a         k x q x q, in: symmetric, positive semidefinite; overwritten
 * r         k x q, in: the right-hand sides; out: the solution, of minimum norm where it is not determined
 * Work grows with k q^3. */
mn_status mn_stratified_solve(mn_context *ctx, int64_t graph, double smoothness, size_t k, size_t q, double *a,
                              double *r);
#endif
