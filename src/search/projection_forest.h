/* Trees of random projections: Dasgupta & Freund, STOC (2008). A node is split at the median of the projections of its
 * rows onto the line through two of them, drawn at random, so near rows mostly stay together and all leaves have nearly
 * the same size. */
#ifndef MN_SEARCH_PROJECTION_FOREST_H
#define MN_SEARCH_PROJECTION_FOREST_H
#include "../core/context.h"
#include "candidates.h"

/* Some trees with 2^levels leaves over n rows (n x width float32 numbers; width: see hnsw_kernel.h). */
typedef struct mn_projection_forest {
  size_t n, width, levels, trees;
  const float *rows;
  mn_candidate *order; /* trees x n: `index` are the rows, leaf by leaf */
} mn_projection_forest;

/* A forest of up to `trees` trees, in scratch; nothing is built. */
mn_status mn_projection_forest_init(mn_context *ctx, mn_projection_forest *f, size_t n, size_t width, size_t levels,
                                    size_t trees, const float *rows);

/* Build `count` <= trees trees; tree t uses the random stream first + t. */
mn_status mn_projection_forest_build(mn_context *ctx, mn_projection_forest *f, size_t first, size_t count);

/* Where leaf `leaf` <= 2^levels begins. */
static inline size_t mn_projection_leaf(const mn_projection_forest *f, size_t leaf)
{
  return (size_t)((uint64_t)leaf * f->n >> f->levels);
}

#endif
