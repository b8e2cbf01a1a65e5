/* What growing a tree (grow.c) and making its final form (settle.c) share. */
#ifndef MN_TREE_GROWTH_GROW_PARTS_H
#define MN_TREE_GROWTH_GROW_PARTS_H
#include "grow.h"
#include <stdatomic.h>

/* A node that waits to be split: rows at[begin .. end-1]. */
struct mn_open_node {
  uint32_t begin, end, depth, node;
  uint64_t key;     /* names its random numbers */
  double low, high; /* of its value, for monotone constraints */
  uint64_t groups;  /* that hold all columns on the way, for interaction constraints */
};

/* A node while it grows. Until the tree is done the words of a leaf with a block hold the range of its rows, and those
 * of a split by levels the range of the rows that go left. */
struct mn_growing_node {
  int32_t word[MN_NODE_WORDS];
  double cover, impurity, value; /* value: of the first target, or the share of the second class */
};

/* What one thread works with. */
struct mn_thread_state {
  mn_search_workspace bench;
  uint64_t *pairs;   /* of the bench, for the rows of a subtree */
  double *sum;       /* width */
  uint32_t *feature; /* features: an order of all, which every node leaves as it was */
  uint32_t *swapped; /* features */
  struct mn_open_node *stack;
  size_t stack_room;            /* all that a subtree can need */
  struct mn_growing_node *node; /* of a subtree: 2 for each of its rows */
  /* the rows of a subtree, copied close together */
  mn_packed *rank; /* features, in `ranks` */
  uint8_t *ranks;
  uint32_t *id, *at, *y_rank;
  double **value, *values, *weight, *y; /* value: features, in `values` */
  int32_t *code;
};

/* A subtree that grows by itself. */
struct mn_subtree {
  struct mn_open_node root; /* node: that of the upper tree */
  size_t nodes, first;      /* how many, its root among them, and where they stand in room->lower */
};

struct mn_grow_workspace {
  size_t small; /* nodes of at most so many rows grow by themselves; 0: none */
  size_t workers;
  struct mn_thread_state *gear;          /* workers */
  uint32_t *at, *spare;                  /* rows */
  uint32_t *place;                       /* rows: the inverse of at, where a column is kept as few; else NULL */
  struct mn_growing_node *upper, *lower; /* nodes; `lower`, of 2 rows, is where subtrees come to in any order. What it
                                    shares memory with is done before: */
  uint64_t *pairs;                       /* of all benches, while they are laid for all rows */
  size_t upper_size, upper_room;
  atomic_size_t lower_size;
  struct mn_subtree *job;
  size_t jobs, jobs_room;
  struct mn_growing_node *few_nodes; /* what every tree begins with; one that needs more takes it from scratch */
  struct mn_subtree *few_jobs;
  mn_split *split; /* features: found in parallel */
  bool *constant;
};

/* Where a stack of nodes grows: the whole tree above its small subtrees, or one of these. */
struct mn_subtree_growth {
  const mn_growth_settings *growth;
  const mn_training_view *ground;
  struct mn_thread_state *gear;
  mn_grow_workspace *room;
  mn_context *ctx;            /* NULL: within a task, search alone */
  uint32_t *at, *spare, base; /* base: where at[0] stands in room->at */
  struct mn_growing_node *node;
  size_t nodes;
  double total; /* weight of all rows of the tree */
};

/* Sum up the node, and look for its split if it may have one: s->found. t->sum is room of the caller. */
mn_status mn_examine_node(struct mn_subtree_growth *p, const struct mn_open_node *item, mn_node_stats *t, mn_split *s);

/* Part the rows; child: the two sides, whose nodes are made. */
void mn_split_node(struct mn_subtree_growth *p, const struct mn_open_node *item, const mn_node_stats *t, mn_split *s,
                   struct mn_open_node child[2]);

void mn_make_leaf(struct mn_subtree_growth *p, const struct mn_open_node *item, const mn_node_stats *t);

double mn_rows_weight(const struct mn_subtree_growth *p, uint32_t begin, uint32_t end); /* of rows at[begin .. end-1] */

/* The final form of what has grown in the room. */
mn_status mn_finalize_tree(mn_context *ctx, const mn_growth_settings *growth, mn_grow_workspace *room,
                           const mn_training_view *rows, mn_grown_tree *out);

#endif
