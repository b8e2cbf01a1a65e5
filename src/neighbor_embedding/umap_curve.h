/* The weight of a pair of rows at distance d in the embedding of UMAP: q(d) = 1 / (1 + a d^(2b)). */
#ifndef MN_NEIGHBOR_EMBEDDING_UMAP_CURVE_H
#define MN_NEIGHBOR_EMBEDDING_UMAP_CURVE_H
#include "../core/context.h"

/* a and b of the least-squares fit of q to 1 for d < min_dist, and exp(-(d - min_dist) / spread) beyond, at 300 points
 * from 0 to 3 spread. */
mn_status mn_umap_curve(mn_context *ctx, const char *who, double min_dist, double spread, double *a, double *b);

#endif
