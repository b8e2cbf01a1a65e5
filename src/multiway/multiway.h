/* Trees with a branch for each level of a factor: ID3 and C4.5.
 *
 * Nodes are stored in breadth-first order: the children of a node are contiguous and follow those of earlier nodes. An
 * inner node tests `feature`: a number goes to the first child if x <= threshold, otherwise to the second; a level goes
 * to its own child. If no training row of the node had that level, there is no child, and the node itself gives the
 * prediction. A row whose value is missing, or a level unknown to fit, goes to all children with fractional weights,
 * their shares. */
#ifndef MN_MULTIWAY_MULTIWAY_H
#define MN_MULTIWAY_MULTIWAY_H
#include "../model/class.h"
#include "../model/operation.h"
#include "../model/program.h"
#include <string.h>

typedef struct mn_multiway {
  mn_estimator base;
  int64_t max_depth; /* parameters */
  double confidence_factor, min_num_obj;
  bool unpruned, subtree_raising, use_laplace;
  mn_indexes feature;  /* nodes: feature that is tested; 0 in a leaf */
  mn_indexes first;    /* nodes: first child; 0 in a leaf */
  mn_indexes children; /* nodes: number of children */
  mn_vector threshold; /* nodes: threshold of a number; NaN: split by levels */
  mn_vector level;     /* nodes: code of the level, ascending among the children of a node */
  mn_vector share;     /* nodes: fraction of the rows of the parent whose value is known */
  mn_vector cover;     /* nodes: weight of the training rows */
  mn_vector gain;      /* nodes: information gain of the split, in bits; 0 in a leaf */
  mn_matrix counts;    /* nodes x classes: weight of each class */
  mn_vector feature_importances;
} mn_multiway;

/* In archives its name is cut. */
#define MN_MULTIWAY_THRESHOLD                                                                                          \
  {                                                                                                                    \
    .name = "cut", .kind = MN_KIND_VECTOR, .offset = offsetof(mn_multiway, threshold), .shape = "tree_nodes"           \
  }
#define MN_MULTIWAY_FIELDS                                                                                             \
  MN_INDEXES(mn_multiway, feature, "tree_nodes < features", NULL),                                                     \
      MN_INDEXES(mn_multiway, first, "tree_nodes < tree_nodes", NULL),                                                 \
      MN_INDEXES(mn_multiway, children, "tree_nodes", NULL), MN_MULTIWAY_THRESHOLD,                                    \
      MN_VECTOR(mn_multiway, level, "tree_nodes", NULL), MN_VECTOR(mn_multiway, share, "tree_nodes", NULL),            \
      MN_VECTOR(mn_multiway, cover, "tree_nodes", NULL), MN_VECTOR(mn_multiway, gain, "tree_nodes", NULL),             \
      MN_MATRIX(mn_multiway, counts, "tree_nodes x classes", NULL),                                                    \
      MN_VECTOR(mn_multiway, feature_importances, "features",                                                          \
                "share of each feature in the total information gain; all 0 if nothing was split")

/* Members of the class tables. */
#define MN_MULTIWAY_CLASS                                                                                              \
  .size = sizeof(mn_multiway), .operations = mn_multiway_operations, .log_proba = mn_multiway_log_proba,               \
  .export = mn_multiway_export, .check = mn_multiway_check

static inline size_t mn_multiway_nodes(const mn_multiway *m)
{
  return m->cover.size;
}
static inline bool mn_multiway_is_leaf(const mn_multiway *m, size_t i)
{
  return m->first.at[i] == 0;
}
static inline bool mn_multiway_is_categorical(const mn_multiway *m, size_t i)
{
  return isnan(m->threshold.at[i]);
}

/* Whether the value is a number, or a level seen by fit. */
static inline bool mn_multiway_is_known(const mn_multiway *m, size_t i, double value)
{
  return mn_multiway_is_categorical(m, i) ? value >= 0 : !isnan(value);
}

/* Child of node i for a known value; 0: there is none for this level. */
size_t mn_multiway_child(const mn_multiway *m, size_t i, double value);

/* Compute depth[i] and, unless NULL, parent[i] of all nodes (0 for the root). Returns the maximum depth. */
size_t mn_multiway_depths(const mn_multiway *m, int32_t *depth, int32_t *parent);

/* - sum_c p_c log2 p_c of node i. */
double mn_multiway_entropy(const mn_multiway *m, size_t i);

mn_status mn_multiway_log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_multiway_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);
mn_status mn_multiway_check(mn_context *ctx, const void *self);
extern const mn_operation mn_multiway_operations[];

#endif
