/* What the two decision trees share. */
#ifndef MN_TREE_DECISION_TREE_H
#define MN_TREE_DECISION_TREE_H
#include "model.h"

mn_status mn_decision_tree_fit(mn_context *ctx, void *self, const mn_data *data);
mn_status mn_decision_tree_check(mn_context *ctx, const void *self);
mn_status mn_decision_tree_derive(mn_context *ctx, void *self); /* n_leaves and depth */
extern const mn_operation mn_decision_tree_operations[];

#define MN_DECISION_TREE_COUNT(member, text)                                                                           \
  {                                                                                                                    \
    .name = #member, .kind = MN_KIND_COUNT, .offset = offsetof(mn_tree_model, member), .shape = "", .brief = (text),   \
    .derived = true                                                                                                    \
  }
#define MN_DECISION_TREE_FIELDS                                                                                        \
  MN_TREE_FIELDS, MN_TREE_MISSING_FIELD, MN_DECISION_TREE_COUNT(n_leaves, "number of leaves"),                         \
      MN_DECISION_TREE_COUNT(depth, "number of splits on the longest path from the root to a leaf")

#define MN_DECISION_TREE_PARAMS(criteria)                                                                                                  \
  MN_TREE_PARAMS(criteria),                                                                                                                \
      MN_CHOICE(                                                                                                                           \
          mn_tree_model, splitter, MN_SPLITTER_BEST, mn_splitters,                                                                         \
          "best: the best threshold of each column; random: one threshold per column, drawn between its minimum and maximum in the node"), \
      MN_REAL(mn_tree_model, max_features, MN_UNSET_REAL, MN_GREATER_THAN(0),                                                              \
              "number of columns tried at each node, drawn at random; below 1: a share of all columns; nil: all")

#endif
