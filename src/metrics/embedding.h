/* How well points in few dimensions tell of the points they stand for. */
#ifndef MN_METRICS_EMBEDDING_H
#define MN_METRICS_EMBEDDING_H
#include "distances.h"

/* 1 - 2 / (n k (2 n - 3 k - 1)) sum_i sum_{j among the k nearest to i by `low`} max(0, rank of j by `high` - k): are
 * neighbours in the picture neighbours in truth? With the two exchanged: continuity. Ties go to the lower row.
 *
 *   low, high  points of the same n rows
 *   k          neighbours, at most n / 2
 *
 * n^2 distances of either, over the threads. Venna & Kaski, ICANN 2001. MN_NO_MEMORY for 33 rows of n a thread. */
mn_status mn_trustworthiness(mn_context *ctx, const mn_points *high, const mn_points *low, size_t k, double *value);

/* Sums over ordered pairs of (distance by high - distance by low)^2 and of distance by high ^2, a pair weighing
 * w_i w_j (NULL: all 1). */
mn_status mn_stress_sums(mn_context *ctx, const mn_points *high, const mn_points *low, const double *w, double sums[2]);

#endif
