/* Measures of how well an embedding in few dimensions represents the original points. */
#ifndef MN_METRICS_EMBEDDING_H
#define MN_METRICS_EMBEDDING_H
#include "distances.h"

/* 1 - 2 / (k (2 n - 3 k - 1) sum_i w_i) sum_i w_i sum_{j among the k nearest to i by `low`} max(0, rank of j by `high`
 * - k): whether neighbors in the embedding are neighbors in the original space. With both exchanged it is the
 * continuity. Ties are broken by the lowest row.
 *
 *   low, high  points of the same n rows
 *   k          number of neighbors, at most n / 2
 *   w          n: share of each row in the mean, whose neighbors count 1 each; their sum > 0. NULL: all 1
 *
 * n^2 distances of each, in parallel. Venna & Kaski, ICANN 2001. MN_NO_MEMORY for 33 rows of n a thread. */
mn_status mn_trustworthiness(mn_context *ctx, const mn_distance_points *high, const mn_distance_points *low, size_t k,
                             const double *w, double *value);

/* sums = sum_ij w_i w_j (high_ij - low_ij)^2, sum_ij w_i w_j high_ij^2 of the distances; w NULL: all 1. */
mn_status mn_stress_sums(mn_context *ctx, const mn_distance_points *high, const mn_distance_points *low,
                         const double *w, double sums[2]);

#endif
