/* Data structures of a tree while it grows. */
#ifndef MN_TREE_GROWTH_GROW_WORKSPACE_H
#define MN_TREE_GROWTH_GROW_WORKSPACE_H
#include "../tree_structure/tree.h"
#include "growth_settings.h"
#include "search_workspace.h"
#include <stdatomic.h>

/* A node that is still to be split: rows[begin .. end-1]. */
struct mn_open_node {
  uint32_t begin, end, depth, node;
  uint64_t key;     /* selects its random numbers                                             */
  double low, high; /* bounds of its value under monotone constraints                         */
  uint64_t groups;  /* interaction groups that contain all columns on the path from the root  */
};

/* A node of a growing tree. Until the tree is finalized, LOW and HIGH of a leaf with a block of values hold the range
 * of its rows, and those of a split by levels the range of the rows that go left. */
struct mn_growing_node {
  int32_t word[MN_NODE_WORDS];
  double cover, impurity, value; /* value: of the first target, or share of the second class */
};

/* Memory of one thread. */
struct mn_thread_state {
  mn_search_workspace search;
  uint64_t *pairs;   /* for the rows of a subtree                                     */
  double *sum;       /* width                                                         */
  uint32_t *feature; /* features: a permutation, restored after every node            */
  uint32_t *swapped; /* features                                                      */
  struct mn_open_node *stack;
  size_t stack_capacity;        /* sufficient for a subtree                              */
  struct mn_growing_node *node; /* nodes of a subtree: 2 for each row                    */
  /* a compact copy of the rows of a subtree */
  mn_packed *rank; /* features, in `ranks` */
  uint8_t *ranks;
  uint32_t *id, *rows, *y_rank;
  double **value, *values, *weight, *y; /* value: features, in `values` */
  int32_t *code;
};

/* A subtree that is grown by one task. */
struct mn_subtree {
  struct mn_open_node root; /* its node number is that in the upper tree                      */
  size_t nodes, first;      /* number of nodes with the root; index of the first in ws->lower */
};

struct mn_grow_workspace {
  size_t max_subtree_rows; /* nodes of at most this many rows become subtrees; 0: none */
  size_t workers;
  struct mn_thread_state *thread; /* workers                                                                  */
  uint32_t *rows, *buffer;        /* rows of X in the order of the nodes; as many more                        */
  uint32_t *position;             /* inverse of `rows`, for sparse columns; or NULL                           */
  struct mn_growing_node *upper;  /* nodes above the subtrees                                                 */
  struct mn_growing_node *lower;  /* nodes of the subtrees, in any order; shares memory with `pairs`          */
  uint64_t *pairs;                /* of all threads, for all rows; not in use any more when subtrees grow     */
  size_t upper_size, upper_capacity;
  atomic_size_t lower_size;
  struct mn_subtree *subtree;
  size_t subtrees, subtrees_capacity;
  struct mn_growing_node *initial_nodes; /* what each tree starts with; larger arrays are allocated as needed */
  struct mn_subtree *initial_subtrees;
  mn_split *split; /* features: results of a parallel search */
  bool *constant;
};

enum { MN_INITIAL_NODES = 64 };

/* Attach memory for sorting to all threads, for the upper tree or for subtrees. */
void mn_grow_workspace_attach(const mn_split_settings *settings, mn_grow_workspace *ws, bool upper);

/* State of growing the upper tree, or one subtree. */
struct mn_subtree_growth {
  const mn_growth_settings *settings;
  const mn_training_view *view;
  struct mn_thread_state *thread;
  mn_grow_workspace *ws;
  mn_context *ctx;                    /* NULL in a subtree: this runs in a task      */
  uint32_t *rows, *buffer, first_row; /* first_row: index of rows[0] in ws->rows     */
  struct mn_growing_node *node;
  size_t nodes;
  double total_weight; /* of all rows of the tree */
};

#endif
