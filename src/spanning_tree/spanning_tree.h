/* The minimum spanning tree of all rows, in memory proportional to their number.
 *
 * Edges have the weight max(distance(a, b), core_a, core_b): the distance itself without core distances, else the
 * mutual reachability distance of Campello, Moulavi & Sander, PAKDD 2013. Edges of equal weight are ordered by
 * distance, then by the rows they join, so the tree is unique; it depends on the order of the rows only where weights
 * and distances are both equal. Few columns: Boruvka's algorithm on a k-d tree, as in March, Ram & Gray, KDD 2010. Else
 * Prim's algorithm, which computes all distances. */
#ifndef MN_SPANNING_TREE_SPANNING_TREE_H
#define MN_SPANNING_TREE_SPANNING_TREE_H
#include "../search/neighbor_index.h"
#include <math.h>

/* An edge between two rows, a < b. */
typedef struct mn_edge {
  double weight, distance;
  int32_t a, b;
} mn_edge;

/* Whether edge x comes before y. */
static inline bool mn_edge_is_less(mn_edge x, mn_edge y)
{
  if (x.weight < y.weight || x.weight > y.weight) return x.weight < y.weight;
  if (x.distance < y.distance || x.distance > y.distance) return x.distance < y.distance;
  return x.a < y.a || (x.a == y.a && x.b < y.b);
}

static inline mn_edge mn_edge_between(double weight, double distance, int32_t i, int32_t j)
{
  return (mn_edge){ weight, distance, i < j ? i : j, i < j ? j : i };
}

/* Nearest other rows that are known already, to begin with. */
typedef struct mn_known_neighbors {
  size_t k;               /* 0: none */
  const int32_t *row;     /* n x k, nearest first */
  const double *distance; /* n x k */
} mn_known_neighbors;

/* The n - 1 edges of the tree of n >= 1 rows, in ascending order.
 *
 *   index  of these rows by this metric, is used if it is a k-d tree; NULL: none is at hand
 *   core   n core distances; NULL: all 0
 *   edges  n - 1, out
 *
 * Errors begin with `who`. MN_CANCELLED, MN_NO_MEMORY. */
mn_status mn_spanning_tree(mn_context *ctx, const char *who, mn_metric metric, const mn_points *rows,
                           const mn_neighbor_index *index, const double *core, mn_known_neighbors known,
                           mn_edge *edges);

/* Sort edges. */
mn_status mn_sort_edges(mn_context *ctx, size_t n, mn_edge *edges);

enum { MN_SPANNING_TREE_WIDTH = 16 };

/* Boruvka's algorithm on an index with a k-d tree of at most this many columns; edges in any order. Internal. */
mn_status mn_boruvka(mn_context *ctx, const mn_neighbor_index *index, const mn_points *rows, const double *core,
                     mn_known_neighbors known, mn_edge *edges);

#endif
