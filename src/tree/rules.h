/* A tree in words: operations of the single trees. */
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
    .brief = "the tree as indented text: how many rows of fit (as weight) ended in each leaf, and how sure it is",     \
    .returns = "text; \"or missing\" on the side of rows without a value, where fit saw such rows",                    \
    .run = mn_tree_text },                                                                                             \
      { .name = "rules",                                                                                               \
        .brief = "one rule for each leaf, in which each bound is said once",                                           \
        .returns = "a Frame of rule (\"or missing\" where rows without a value keep it, and fit saw such "             \
                   "rows), answer, cover (weight of the rows of fit there), impurity",                                 \
        .run = mn_tree_rules },                                                                                        \
  {                                                                                                                    \
    .name = "nodes", .brief = "all nodes, the root first: children by number, 1-based; left where the answer is yes",  \
    .returns = "a Frame of question, answer, depth, left, right, feature, threshold, missing_left, cover, "            \
               "impurity, value (largest share of a class, or first target; where a node is split, the mean of its "   \
               "leaves by their weights, also under absolute_error, whose leaves hold medians); where fit saw "        \
               "missing values has_missing (1: rows without a value of the feature come there)",                       \
    .run = mn_tree_table                                                                                               \
  }

#endif
