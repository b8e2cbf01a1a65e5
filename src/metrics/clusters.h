/* Measures of a clustering without true labels. Labels are clusters 0 .. k - 1; a weight k counts as k equal rows,
 * NULL: all 1. */
#ifndef MN_METRICS_CLUSTERS_H
#define MN_METRICS_CLUSTERS_H
#include "distances.h"

/* The silhouette of each row: (b - a) / max(a, b), a the mean distance to the other rows of its cluster, b to those of
 * the nearest other cluster; 0 for a row that is alone in its cluster.
 *
 *   d    columns of x; with MN_PRECOMPUTED n, and x holds distances
 *   out  n
 *
 * n^2 distances in tiles, in parallel. Rousseeuw, J. Comput. Appl. Math. 20 (1987). MN_NO_MEMORY for two copies
 * of x, and for each thread a tile and 64 k sums. */
mn_status mn_silhouettes(mn_context *ctx, mn_distance distance, size_t n, size_t d, size_t k, const double *x,
                         const int32_t *label, const double *w, double *out);

/* Dispersion between clusters divided by that within clusters, each divided by its degrees of freedom; 1 if there is
 * none within. Calinski & Harabasz, Communications in Statistics 3 (1974). */
mn_status mn_calinski_harabasz(mn_context *ctx, size_t n, size_t d, size_t k, const double *x, const int32_t *label,
                               const double *w, double *score);

/* Mean over clusters i of max_j (s_i + s_j) / |c_i - c_j|, s_i the mean distance to the center c_i: lower is better.
 * Davies & Bouldin, IEEE PAMI 1 (1979). */
mn_status mn_davies_bouldin(mn_context *ctx, size_t n, size_t d, size_t k, const double *x, const int32_t *label,
                            const double *w, double *score);

#endif
