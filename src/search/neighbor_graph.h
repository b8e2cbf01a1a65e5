/* A graph of near rows that is being improved (neighbor_descent.h). Internal to src/search.
 *
 * Distances are squared and computed in float32. A list has the nearest nodes found so far, nearest first, ties in
 * order of the nodes. */
#ifndef MN_SEARCH_NEIGHBOR_GRAPH_H
#define MN_SEARCH_NEIGHBOR_GRAPH_H
#include "../core/context.h"
#include "../linalg/gemm.h"
#include "projection_forest.h"

typedef struct mn_near {
  float distance;
  uint32_t link; /* a node, and MN_NEW_LINK if it was added since links were last followed */
} mn_near;

#define MN_NEW_LINK (UINT32_C(1) << 31)
#define MN_NO_LINK (MN_NEW_LINK - 1)

static inline uint32_t mn_linked_node(uint32_t link)
{
  return link & ~MN_NEW_LINK;
}

/* Node p is row order[p] of the matrix. */
typedef struct mn_neighbor_graph {
  mn_context *ctx;
  size_t n, k;     /* nodes; entries of a list */
  size_t d, width; /* columns; columns padded with 0, see hnsw_kernel.h */
  int32_t *order;  /* n */
  float *rows;     /* n x width, in the order of the nodes */
  mn_near *list;   /* n x k, in the order of the matrix; MN_NO_LINK at the end if fewer were found */
} mn_neighbor_graph;

static inline mn_near *mn_near_list(const mn_neighbor_graph *g, size_t node)
{
  return g->list + (size_t)g->order[node] * g->k;
}

static inline const float *mn_node_row(const mn_neighbor_graph *g, size_t node)
{
  return g->rows + node * g->width;
}

/* A 64-byte aligned piece of `bytes` from memory at *at, which moves behind it. */
static inline void *mn_next_piece(char **at, size_t bytes)
{
  char *piece = *at;
  *at += mn_round_up(bytes, 64);
  return piece;
}

/* Merge `count` candidates, in any order and perhaps several times, into a list of k. The candidates are reordered.
 * `work`: k entries. Returns how many were added. */
size_t mn_near_merge(mn_near *list, size_t k, mn_candidate *candidate, size_t count, mn_near *work);

/* Build `trees` trees over the nodes, from random stream `first` on, and merge the nodes of each leaf. */
mn_status mn_graph_join_leaves(mn_neighbor_graph *g, mn_projection_forest *f, size_t first, size_t trees);

/* Follow links until hardly any is added. */
mn_status mn_graph_descend(mn_neighbor_graph *g);

/* The fraction of the nearest nodes of a sample that is in the graph. */
mn_status mn_graph_recall(const mn_neighbor_graph *g, double *recall);

#endif
