/* Trees with a branch for each level of a factor: ID3 and C4.5.
 *
 * Nodes stand as in a walk by breadth: the children of a node side by side, behind all that came before. A node with
 * children asks about `feature`: a number goes to the first child where x <= cut and to the second elsewhere, a level
 * to the child that has it. A level that no row of the node had has no child: the answer is that of the node itself. A
 * row whose value is missing, or is a level that fit did not see, goes to all children, in parts that are their
 * shares. */
#ifndef MN_MULTIWAY_MULTIWAY_H
#define MN_MULTIWAY_MULTIWAY_H
#include "../model/class.h"
#include "../model/operation.h"
#include "../model/program.h"
#include <string.h>

typedef struct mn_multiway {
  mn_estimator base;
  int64_t max_depth; /* what the user sets */
  double confidence_factor, min_num_obj;
  bool unpruned, subtree_raising, use_laplace;
  mn_indexes feature;  /* nodes: the column that is asked; 0 in a leaf                           */
  mn_indexes first;    /* nodes: its first child; 0: a leaf                                      */
  mn_indexes children; /* nodes: how many                                                        */
  mn_vector cut;       /* nodes: where a number is split; NaN: by levels                         */
  mn_vector level;     /* nodes: the code of its level, ascending among the children of one node */
  mn_vector share;     /* nodes: of the rows of its parent whose value is known                  */
  mn_vector cover;     /* nodes: weight of the rows of fit that came there                       */
  mn_vector gain;      /* nodes: information gain of the split, in bits; 0 in a leaf             */
  mn_matrix counts;    /* nodes x classes: weight of each class                                  */
  mn_vector feature_importances;
} mn_multiway;

#define MN_MULTIWAY_FIELDS                                                                                             \
  MN_INDEXES(mn_multiway, feature, "tree_nodes < features", NULL),                                                     \
      MN_INDEXES(mn_multiway, first, "tree_nodes < tree_nodes", NULL),                                                 \
      MN_INDEXES(mn_multiway, children, "tree_nodes", NULL), MN_VECTOR(mn_multiway, cut, "tree_nodes", NULL),          \
      MN_VECTOR(mn_multiway, level, "tree_nodes", NULL), MN_VECTOR(mn_multiway, share, "tree_nodes", NULL),            \
      MN_VECTOR(mn_multiway, cover, "tree_nodes", NULL), MN_VECTOR(mn_multiway, gain, "tree_nodes", NULL),             \
      MN_MATRIX(mn_multiway, counts, "tree_nodes x classes", NULL),                                                    \
      MN_VECTOR(mn_multiway, feature_importances, "features",                                                          \
                "share of each column in the information gained; all 0 where nothing was split")

static inline size_t mn_multiway_nodes(const mn_multiway *m)
{
  return m->cover.size;
}
static inline bool mn_multiway_is_leaf(const mn_multiway *m, size_t i)
{
  return m->first.at[i] == 0;
}
static inline bool mn_multiway_by_levels(const mn_multiway *m, size_t i)
{
  return isnan(m->cut.at[i]);
}

/* Is the value a number, or a level that fit saw? */
static inline bool mn_multiway_knows(const mn_multiway *m, size_t i, double value)
{
  return mn_multiway_by_levels(m, i) ? value >= 0 : !isnan(value);
}

/* The child of node i to which a value that it knows goes; 0: there is none for this level. */
size_t mn_multiway_child(const mn_multiway *m, size_t i, double value);

/* depth[i] and, unless it is NULL, parent[i] of all nodes (of the root: 0). Returns the largest depth. */
size_t mn_multiway_family(const mn_multiway *m, int32_t *depth, int32_t *parent);

/* Share of class c at node i. */
double mn_multiway_value(const mn_multiway *m, size_t i, size_t c);

/* - sum_c p_c log2 p_c of node i. */
double mn_multiway_entropy(const mn_multiway *m, size_t i);

mn_status mn_multiway_log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_multiway_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);
mn_status mn_multiway_check(mn_context *ctx, const void *self);
extern const mn_operation mn_multiway_operations[];

#endif
