/* Initial centers of k-means. */
#ifndef MN_CLUSTER_KMEANS_START_H
#define MN_CLUSTER_KMEANS_START_H
#include "../core/rng.h"
#include "../model/data.h"

/* k rows of X as centers (k x d) by greedy k-means++: each further center is the best of 2 + log k rows drawn with
 * probability proportional to their squared distance from the centers so far. Arthur & Vassilvitskii, SODA 2007,
 * sections 2.2, 7. */
mn_status mn_kmeans_plus_plus(mn_context *ctx, const mn_data *data, size_t k, mn_rng *rng, double *centers);

/* k distinct rows, drawn with probability proportional to their weights. */
mn_status mn_kmeans_random_rows(mn_context *ctx, const mn_data *data, size_t k, mn_rng *rng, double *centers);

#endif
