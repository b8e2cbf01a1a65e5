/* Mondrian forests: model, tree view and functions shared by the classifier and the regressor.
 *
 * A Mondrian tree splits the box of its rows at random, independently of y. A block whose box has sides of lengths
 * s_1 .. s_p is split after an exponential time with rate s_1 + ... + s_p, in a feature drawn in proportion to the
 * sides, at a threshold drawn uniformly. So a tree can be extended by a later row: only splits in the part of its path
 * outside the boxes are drawn, and the tree is distributed like one drawn from all rows at once.
 *
 * Splitting of a block is paused while its rows need no split: they have one class, or fewer than min_samples_split. A
 * row that ends the pause has the block sampled from all of its rows; therefore rows are stored. Boxes of blocks of a
 * few rows are not stored, but computed from the rows (mondrian_box.c). */
#ifndef MN_ONLINE_MONDRIAN_H
#define MN_ONLINE_MONDRIAN_H
#include "../core/rng.h"
#include "../core/threads.h"
#include "../model/class.h"
#include "../model/operation.h"
#include "../model/program.h"

typedef struct mn_mondrian {
  mn_estimator base;
  int64_t n_estimators, seed; /* parameters */
  double lifetime;
  double discount;           /* classifier */
  int64_t min_samples_split; /* regressor */
  /* Learned fields. All trees have the same number of slots for nodes, tree after tree; capacities grow by doubling.
   * Nodes, rows and links are indices within a tree; -1: none. */
  int64_t n_rows;                    /* rows learned; the capacity may be larger */
  mn_indexes root, used;             /* trees: root node; number of nodes */
  mn_indexes child;                  /* 2 per slot, -1 in a leaf */
  mn_indexes parent, feature;        /* slots */
  mn_indexes head, row_count;        /* slots: first row of a leaf; number of its rows */
  mn_indexes next;                   /* rows of each tree: next row in the same leaf */
  mn_vector threshold, time;         /* slots: x <= threshold goes left; time of the split */
  mn_indexes box, box_count;         /* slots: index of the box in lower and upper, or -1; trees: number of boxes */
  mn_matrix lower, upper;            /* boxes x features, see mondrian_box.c */
  mn_matrix stats;                   /* slots x values, see mondrian_stats.c */
  mn_matrix x;                       /* row capacity x features */
  mn_vector y, weight;               /* row capacity */
  double horizon;                    /* the lifetime with which learning began */
  double slope, noise;               /* regressor: see mondrian_stats.c */
  double y_weight, y_mean, y_square; /* regressor: moments of y */
} mn_mondrian;

#define MN_MONDRIAN_PARAMS                                                                                             \
  MN_COUNT(mn_mondrian, n_estimators, 100, MN_CLOSED(1, 100000), "number of trees"),                                   \
      MN_REAL(mn_mondrian, lifetime, MN_UNSET_REAL, MN_GREATER_THAN(0),                                                \
              "splits occur up to this time, in 1 / units of X; nil: unlimited"),                                      \
      MN_SEED(mn_mondrian, seed)

/* Internal fields; names in archives may differ from the members. */
#define MN_MONDRIAN_INTERNAL(kind_, member, name_, shape_)                                                             \
  {                                                                                                                    \
    .name = (name_), .kind = (kind_), .offset = offsetof(mn_mondrian, member), .shape = (shape_)                       \
  }
#define MN_MONDRIAN_FIELDS                                                                                             \
  MN_INTEGER(mn_mondrian, n_rows, "number of rows learned"),                                                           \
      MN_MONDRIAN_INTERNAL(MN_KIND_INDEXES, root, "root", "trees"),                                                    \
      MN_MONDRIAN_INTERNAL(MN_KIND_INDEXES, used, "used", "trees"),                                                    \
      MN_MONDRIAN_INTERNAL(MN_KIND_INDEXES, child, "child", "links"),                                                  \
      MN_MONDRIAN_INTERNAL(MN_KIND_INDEXES, parent, "parent", "slots"),                                                \
      MN_MONDRIAN_INTERNAL(MN_KIND_INDEXES, feature, "feature", "slots"),                                              \
      MN_MONDRIAN_INTERNAL(MN_KIND_INDEXES, head, "head", "slots"),                                                    \
      MN_MONDRIAN_INTERNAL(MN_KIND_INDEXES, row_count, "held", "slots"),                                               \
      MN_MONDRIAN_INTERNAL(MN_KIND_INDEXES, next, "next", "chains"),                                                   \
      MN_MONDRIAN_INTERNAL(MN_KIND_VECTOR, threshold, "cut", "slots"),                                                 \
      MN_MONDRIAN_INTERNAL(MN_KIND_VECTOR, time, "time", "slots"), MN_DERIVED(MN_KIND_INDEXES, mn_mondrian, box),      \
      MN_DERIVED(MN_KIND_INDEXES, mn_mondrian, box_count), MN_DERIVED(MN_KIND_MATRIX, mn_mondrian, lower),             \
      MN_DERIVED(MN_KIND_MATRIX, mn_mondrian, upper),                                                                  \
      MN_MONDRIAN_INTERNAL(MN_KIND_MATRIX, stats, "tally", "slots x values"),                                          \
      MN_MONDRIAN_INTERNAL(MN_KIND_MATRIX, x, "x", "stored_rows x features"),                                          \
      MN_MONDRIAN_INTERNAL(MN_KIND_VECTOR, y, "y", "stored_rows"),                                                     \
      MN_MONDRIAN_INTERNAL(MN_KIND_VECTOR, weight, "weight", "stored_rows"),                                           \
      MN_MONDRIAN_INTERNAL(MN_KIND_REAL, horizon, "horizon", "")

/* View of one tree of a forest. */
typedef struct mn_mondrian_tree {
  int32_t *root, *used, *box_count;
  int32_t *child, *parent, *feature, *head, *row_count, *next, *box;
  double *threshold, *time, *lower, *upper, *stats;
  const double *x, *y, *weight;
  size_t features, values, slots, boxes;
  double lifetime, min_weight;
  double slope, noise;
  bool is_classifier;
} mn_mondrian_tree;

mn_mondrian_tree mn_mondrian_tree_view(const mn_mondrian *m, size_t tree);

static inline size_t mn_mondrian_trees(const mn_mondrian *m)
{
  return m->root.size;
}
static inline bool mn_mondrian_is_leaf(const mn_mondrian_tree *t, int32_t node)
{
  return t->child[2 * node] < 0;
}
static inline int32_t mn_mondrian_child(const mn_mondrian_tree *t, int32_t node, const double *x)
{
  return t->child[2 * node + !(x[t->feature[node]] <= t->threshold[node])];
}
static inline double *mn_mondrian_stats(const mn_mondrian_tree *t, int32_t node)
{
  return t->stats + (size_t)node * t->values;
}

/* --- boxes: mondrian_box.c --- */

enum { MN_UNBOXED_ROWS = 3 }; /* blocks with more rows store their box */

/* Compute the box of a node. */
void mn_mondrian_box(const mn_mondrian_tree *t, int32_t node, double *low, double *high);

/* L1 distance of x from the box of the node. */
double mn_mondrian_distance(const mn_mondrian_tree *t, int32_t node, const double *x);

/* Bound on the values of X, such that the sides of boxes and their sums are finite. */
#define MN_MONDRIAN_MAX_X 1e300

/* Sum of the sides of the box of all rows. */
double mn_mondrian_root_extent(const mn_mondrian_tree *t);

/* Store the box of a node with n rows, from its rows or from its children, unless n is small. */
void mn_mondrian_box_leaf(const mn_mondrian_tree *t, int32_t leaf, const int32_t *rows, size_t n);
void mn_mondrian_box_split(const mn_mondrian_tree *t, int32_t node, size_t n);

/* After x was added to the tree: extend the boxes on its path; one of them may be new. */
void mn_mondrian_extend_boxes(const mn_mondrian_tree *t, const double *x);

/* Recompute all boxes. */
mn_status mn_mondrian_derive(mn_context *ctx, void *self);

/* --- node statistics of y: mondrian_stats.c --- */

/* Whether the block of this leaf is paused, and whether it stays paused if the row is added. */
bool mn_mondrian_is_paused(const mn_mondrian_tree *t, int32_t leaf);
bool mn_mondrian_stays_paused(const mn_mondrian_tree *t, int32_t leaf, size_t row);

/* The same for a block of rows without a node. */
bool mn_mondrian_rows_are_paused(const mn_mondrian_tree *t, const int32_t *rows, size_t n);

void mn_mondrian_add_row_stats(const mn_mondrian_tree *t, int32_t leaf, size_t row);
void mn_mondrian_merge_stats(const mn_mondrian_tree *t, int32_t node);
/* Update the ancestors of the node. */
void mn_mondrian_update_ancestors(const mn_mondrian_tree *t, int32_t node);
/* Recompute all statistics, after slope or noise has changed. */
void mn_mondrian_recompute_stats(const mn_mondrian_tree *t);

/* Prior variance of the mean of a node at `time`, in units of the variance of y: s(t), from 1 to 2. */
double mn_mondrian_variance(double slope, double time);

/* Add y to the moments; update slope and noise, and return whether the statistics must be recomputed. */
void mn_mondrian_add_y(mn_mondrian *m, double y, double weight);
bool mn_mondrian_update_scale(mn_mondrian *m);

/* --- growing: mondrian_grow.c --- */

/* A node of a sampled block, before it is inserted. Children are adjacent; left 0: a leaf. */
typedef struct mn_block_node {
  double threshold, time;
  int32_t parent, left, feature, begin, end; /* rows[begin] to before rows[end] */
} mn_block_node;

/* The effect of a new row on a tree. */
typedef struct mn_mondrian_extension {
  /* The row joins a leaf; splits off above a node; or ends the pause of a leaf, whose block is sampled. */
  enum { MN_JOIN_LEAF, MN_SPLIT_EDGE, MN_RESAMPLE_LEAF } kind;
  int32_t node, feature;
  double threshold, time;
  size_t nodes; /* MN_RESAMPLE_LEAF: number of nodes of the block */
  size_t boxes; /* maximum number of new boxes */
} mn_mondrian_extension;

/* Workspace to sample a block of `n` rows. */
typedef struct mn_mondrian_workspace {
  int32_t *rows, *right_rows; /* n */
  mn_block_node *block;       /* 2n */
  double *low, *high;         /* features */
  mn_cancel_token token;      /* polled for large blocks */
} mn_mondrian_workspace;

mn_status mn_mondrian_workspace_make(mn_context *ctx, size_t n, size_t features, mn_mondrian_workspace *workspace);

/* Sample the block of workspace->rows[0..n-1], which begins at time `start`. Returns its number of nodes; the block is
 * incomplete if the operation was cancelled. */
size_t mn_mondrian_sample_block(const mn_mondrian_tree *t, mn_rng *rng, double start, size_t n,
                                mn_mondrian_workspace *workspace);

/* Number of nodes of a block that store their box. */
size_t mn_mondrian_count_boxed(const mn_block_node *block, size_t nodes);

/* Insert a sampled block in the place of the leaf `node`, using free slots. */
void mn_mondrian_insert_block(const mn_mondrian_tree *t, int32_t node, size_t nodes,
                              const mn_mondrian_workspace *workspace);

/* The leaf reached by x. */
int32_t mn_mondrian_leaf(const mn_mondrian_tree *t, const double *x);

/* Determine the effect of row `row` without changing the tree; a sampled block is in the workspace, whose capacity must
 * be the rows of the leaf plus one. */
mn_mondrian_extension mn_mondrian_plan_extension(const mn_mondrian_tree *t, mn_rng *rng, size_t row,
                                                 mn_mondrian_workspace *workspace);

/* Number of slots that an extension needs. */
size_t mn_mondrian_slots_needed(const mn_mondrian_extension *extension);

void mn_mondrian_extend(const mn_mondrian_tree *t, const mn_mondrian_extension *extension, size_t row,
                        const mn_mondrian_workspace *workspace);

/* --- estimator functions: mondrian_fit.c --- */

mn_status mn_mondrian_fit(mn_context *ctx, void *self, const mn_data *data);
mn_status mn_mondrian_partial_fit(mn_context *ctx, void *self, const mn_data *data);
mn_status mn_mondrian_update(mn_context *ctx, void *self, const mn_data *data);

/* Check a loaded model (mondrian_check.c). */
mn_status mn_mondrian_check(mn_context *ctx, const void *self);

/* The operation `structure`: leaves and depth of each tree. */
mn_status mn_mondrian_structure(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                mn_results *results);
/* Members of the class tables. */
#define MN_MONDRIAN_CLASS                                                                                              \
  .size = sizeof(mn_mondrian), .fit = mn_mondrian_fit, .partial_fit = mn_mondrian_partial_fit,                         \
  .update = mn_mondrian_update, .check = mn_mondrian_check, .derive = mn_mondrian_derive

#define MN_MONDRIAN_STRUCTURE                                                                                          \
  {                                                                                                                    \
    .name = "structure", .brief = "number of leaves and depth of each tree",                                           \
    .returns = "leaves (trees), depth (trees)", .run = mn_mondrian_structure                                           \
  }

/* --- exported programs: mondrian_export.c --- */

/* The nodes of all trees in one numbering from 1; 0 is above the roots. */
typedef struct mn_mondrian_node_map {
  size_t nodes;    /* including node 0 */
  int32_t *base;   /* trees: node k of a tree is base + k */
  int32_t *parent; /* nodes */
  double *time;    /* nodes; 0 for node 0 */
} mn_mondrian_node_map;

/* Write the tables `first`, `child`, `feature`, `cut`, `time`, `lower` and `upper`. */
mn_status mn_mondrian_program(mn_context *ctx, const mn_mondrian *m, mn_program *program, mn_mondrian_node_map *map);

/* Write a loop over the path of a row in each tree. In its body `at` and `from` are a node and its parent, and `parts`
 * is the probability that the row branches off between them, given that it reached `from`, which has probability
 * `stays`. The body goes between begin and end. */
void mn_mondrian_write_loop_begin(mn_program *program);
void mn_mondrian_write_loop_end(mn_program *program);

/* List the root and its descendants, parents before children: order[0..used-1]. Returns their number. */
int32_t mn_mondrian_breadth_first(const mn_mondrian_tree *t, int32_t *order);

#endif
