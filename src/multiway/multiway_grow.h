/* Growing a multiway tree: grow, collapse and prune (C4.5), store in the learned fields. */
#ifndef MN_MULTIWAY_MULTIWAY_GROW_H
#define MN_MULTIWAY_MULTIWAY_GROW_H
#include "../core/threads.h"
#include "../tree_growth/columns.h"
#include "../tree_growth/weighted_row.h"
#include "multiway.h"

enum { MN_NO_NODE = -1 };

/* A node of a growing tree. Children follow their parent, in a list sorted by level. */
typedef struct mn_multiway_node {
  int32_t first, next; /* first child and next sibling, or MN_NO_NODE */
  size_t feature;
  double threshold;        /* NaN: split by levels */
  uint32_t threshold_rank; /* numbers: last rank that goes to the first child */
  uint32_t level;          /* level of the parent's factor; 0 and 1 for the sides of a threshold */
  double share, gain;
  double errors;             /* C4.5: estimated errors of the subtree */
  bool has_fractional_cases; /* C4.5: some cases below have fractional weights, because of missing values */
  size_t begin, end;         /* leaf: its cases in leaf_cases */
} mn_multiway_node;

/* Growable array of cases. */
typedef struct mn_cases {
  mn_weighted_row *at;
  size_t size, capacity;
} mn_cases;

/* Split selection. */
typedef struct mn_multiway_settings {
  bool by_gain_ratio; /* C4.5: maximize the gain ratio among gains of at least the mean; ID3: maximize the gain */
  double min_cases;
  size_t max_depth;
  bool keep_cases; /* store the cases of leaves, for subtree raising */
} mn_multiway_settings;

/* A branch of a split and its cases. */
typedef struct mn_branch {
  uint32_t level;
  double weight;     /* of the rows whose value is known */
  size_t begin, end; /* its cases in the stack */
} mn_branch;

typedef struct mn_multiway_growth {
  const char *who; /* name of the estimator, for error messages */
  const mn_multiway_settings *settings;
  const mn_tree_columns *columns;
  const int32_t *code;
  size_t rows, classes;
  double total;
  mn_multiway_node *node; /* size */
  double *counts;         /* size x classes */
  size_t size, capacity;
  mn_cases stack; /* cases of nodes still to be split */
  mn_cases leaf_cases;
  mn_weighted_row *sorted, *sort_buffer; /* rows: workspace */
  uint32_t *key, *key_buffer;
  mn_branch *branch; /* rows + 2 */
  double *x_log2_x;  /* of 0 .. table_size - 1; see mn_growing_tree_tabulate_logs */
  double table_size;
} mn_multiway_growth;

/* The best split by one feature. */
typedef struct mn_feature_split {
  bool valid;
  double gain, ratio; /* gain: bits per unit of weight; ratio: gain / split information */
  uint32_t threshold_rank;
  double threshold;
} mn_feature_split;

/* Workspace for evaluating features, one per thread. */
typedef struct mn_feature_search {
  mn_cancel_token token;
  mn_weighted_row *sorted, *sort_buffer; /* rows */
  uint32_t *key, *key_buffer;
  double *left, *right; /* classes: weight on each side of a threshold */
  double *side_terms;   /* classes: sum of x log2 x over both sides */
} mn_feature_search;

mn_status mn_feature_search_make(mn_context *ctx, size_t worker, size_t rows, size_t classes, mn_feature_search *out);

/* Tabulate x log2 x of integers, once tree->total is known. Optional: faster, with identical results. */
mn_status mn_growing_tree_tabulate_logs(mn_context *ctx, mn_multiway_growth *tree);

/* Find the best split by feature j of a node with class counts `counts`. */
void mn_evaluate_feature(const mn_multiway_growth *tree, mn_feature_search *search, const mn_weighted_row *cases,
                         size_t n, const double *counts, size_t j, mn_feature_split *split);

mn_status mn_growing_tree_grow(mn_context *ctx, mn_multiway_growth *tree, const mn_data *data);

/* Fit: from X and y to the learned fields of `m`. */
mn_status mn_multiway_fit(mn_context *ctx, mn_multiway *m, const mn_data *data, const mn_multiway_settings *settings);

/* C4.5: replace subtrees that make no fewer training errors than a leaf would. */
mn_status mn_growing_tree_collapse(mn_context *ctx, mn_multiway_growth *tree);

/* C4.5's pessimistic pruning, with subtree raising if the cases of leaves were stored. */
mn_status mn_growing_tree_prune(mn_context *ctx, mn_multiway_growth *tree, double confidence);

/* --- shared by growing and pruning --- */

mn_status mn_growing_tree_add(mn_context *ctx, mn_multiway_growth *tree, size_t *at);
mn_status mn_cases_reserve(mn_context *ctx, const mn_multiway_growth *tree, mn_cases *cases, size_t size);

/* Partition the cases from `begin` to the end of the stack by the split of node `at` into tree->branch[0..*branches-1],
 * sorted by level; the cases of the branches are then in the stack from `begin` on. A case whose value is missing goes
 * to all branches, with fractional weights. extra_weight: NULL, or for each node the weight of known cases it has
 * besides these. */
mn_status mn_growing_tree_partition(mn_context *ctx, mn_multiway_growth *tree, size_t at, size_t begin,
                                    const double *extra_weight, size_t *branches);

static inline double *mn_growing_counts(const mn_multiway_growth *tree, size_t at)
{
  return tree->counts + at * tree->classes;
}

#endif
