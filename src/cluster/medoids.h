/* The k-medoids problem for a matrix of distances: choose k of n rows to minimize
 *
 *     L = sum_o w_o min_i d(m_i, o) */
#ifndef MN_CLUSTER_MEDOIDS_H
#define MN_CLUSTER_MEDOIDS_H
#include "../model/class.h"

/* FasterPAM: swap a medoid for any other row as soon as that lowers L. PAM: the best of all swaps in each iteration.
 * Alternate: each medoid moves to the row of its cluster with the least sum of distances, as in Lloyd's algorithm. */
enum { MN_MEDOIDS_FASTERPAM, MN_MEDOIDS_PAM, MN_MEDOIDS_ALTERNATE };

typedef struct mn_medoid_problem {
  size_t n, k;
  const double *distance; /* n x n, symmetric, 0 on the diagonal */
  const double *w;        /* n                                   */
} mn_medoid_problem;

/* Greedy start: each further medoid lowers L the most. Deterministic; k n^2 operations. */
mn_status mn_medoids_build(mn_context *ctx, const mn_medoid_problem *p, int32_t *medoid);

/* Improve k distinct medoids until no swap lowers L.
 *
 *   medoid  k, in and out: rows
 *   label   n, out: index of the nearest medoid; ties are broken by the lowest index
 *   report  rounds: passes over all rows as candidates, swaps, or moves of all medoids. objective: L */
mn_status mn_medoids_improve(mn_context *ctx, const mn_medoid_problem *p, int64_t method, int64_t max_iter,
                             int32_t *medoid, int32_t *label, mn_report *report);

#endif
