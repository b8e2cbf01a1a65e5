/* The searches of Boruvka's algorithm, and what they share with its rounds. Internal to src/spanning_tree. */
#ifndef MN_SPANNING_TREE_BORUVKA_H
#define MN_SPANNING_TREE_BORUVKA_H
#include "../core/threads.h"
#include "spanning_tree.h"
#include <stdatomic.h>
#include <string.h>

/* The least edge of a row, from the row at one position to that at another. */
typedef struct mn_row_edge {
  double weight, distance;
  int32_t target; /* a position; -1: none known, and no edge is below `weight` */
} mn_row_edge;

typedef struct mn_boruvka_rounds {
  const mn_space *space;
  const mn_neighbor_tree *tree;
  const mn_points *rows;
  const double *embedded;
  mn_context *ctx;
  bool exact;
  size_t n, levels;
  mn_blocks blocks;                 /* of positions                                                            */
  double *core;                     /* n, by position                                                          */
  double *node_core;                /* by node: the least core distance                                        */
  size_t above[MN_TREE_LEVELS + 1]; /* by level: mn_tree_above                                          */
  int32_t *node_component;          /* by node: the component of all its rows, or -1                           */
  int32_t *component;               /* n, by position                                                          */
  int32_t *parent;                  /* n, by row: disjoint sets                                                */
  mn_row_edge *best;                /* n, by position                                                          */
  mn_known_neighbors known;
  bool *exhausted;         /* n, by position: all known neighbors are in its component                */
  int32_t *place;          /* n, by row: its position                                                 */
  _Atomic uint64_t *bound; /* by component: bits of a weight that its least edge does not exceed      */
  int32_t *size;           /* by component                                                            */
  double largest;          /* size of a component that takes part in the round                        */
} mn_boruvka_rounds;

static inline double mn_larger(double a, double b)
{
  return a > b ? a : b;
}

/* A weight that the least edge of a component does not exceed: INFINITY at first, then ever lower. Bits of numbers >= 0
 * are ordered as the numbers. */
static inline double mn_component_bound(const mn_boruvka_rounds *w, int32_t component)
{
  const uint64_t bits = atomic_load_explicit(&w->bound[component], memory_order_relaxed);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline void mn_component_lower(const mn_boruvka_rounds *w, int32_t component, double weight)
{
  uint64_t bits, old = atomic_load_explicit(&w->bound[component], memory_order_relaxed);
  memcpy(&bits, &weight, sizeof bits);
  while (bits < old && !atomic_compare_exchange_weak(&w->bound[component], &old, bits)) {
  }
}

static inline mn_edge mn_edge_of_row(const mn_boruvka_rounds *w, size_t position, const mn_row_edge *edge)
{
  return mn_edge_between(edge->weight, edge->distance, w->tree->row.at[position], w->tree->row.at[edge->target]);
}

/* Whether the component is small enough to take part in the round. */
static inline bool mn_takes_part(const mn_boruvka_rounds *w, int32_t component)
{
  return w->size[component] <= w->largest;
}

/* Find the least edges of the rows of a leaf to other components, as far as the components may need them. For
 * mn_parallel, on mn_boruvka_rounds. */
void mn_boruvka_search_leaf(void *work, size_t leaf, size_t worker);

#endif
