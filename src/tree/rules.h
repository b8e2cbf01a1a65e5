/* Operations of single trees: text, rules and table of nodes. */
#ifndef MN_TREE_RULES_H
#define MN_TREE_RULES_H
#include "model.h"

mn_status mn_tree_text(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                       mn_results *results);
mn_status mn_tree_rules(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results);
mn_status mn_tree_table(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results);

#define MN_TREE_TEXT_OPERATIONS                                                                                        \
  { .name = "text",                                                                                                    \
    .brief = "the tree as indented text, with the value, certainty and weight of each leaf",                           \
    .returns = "text; \"or missing\" marks the side of rows without a value, if there were any in fit",                \
    .run = mn_tree_text },                                                                                             \
      { .name = "rules",                                                                                               \
        .brief = "one rule for each leaf, in which each bound occurs once",                                            \
        .returns =                                                                                                     \
            "Frame of rule (\"or missing\" if rows without a value satisfy it, and there were any in fit), answer, "   \
            "cover (weight of the training rows), impurity",                                                           \
        .run = mn_tree_rules },                                                                                        \
  {                                                                                                                    \
    .name = "nodes", .brief = "table of all nodes, the root first; children are node numbers from 1",                  \
    .returns =                                                                                                         \
        "Frame of question (true: left), answer, depth, left, right, feature, threshold, missing_left, cover, "        \
        "impurity, value (largest share of a class, or first target; of a split, the weighted mean of its "            \
        "leaves); if there were missing values in fit, has_missing (1: rows without a value of the feature reach "     \
        "the node)",                                                                                                   \
    .run = mn_tree_table                                                                                               \
  }

#endif
