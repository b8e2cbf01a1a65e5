/* Groups of features that may occur together on a path from the root to a leaf: interaction constraints. */
#ifndef MN_TREE_GROWTH_INTERACTION_GROUPS_H
#define MN_TREE_GROWTH_INTERACTION_GROUPS_H
#include "../model/class.h"

enum { MN_MAX_GROUPS = 64 };

/* The groups that were given to `model` as a matrix groups x features, positive for a feature of the group, with one
 * more group of all features that are in none. In scratch. Fails if a table has not one column for each of X, or if a
 * list names a column that X has not. */
mn_status mn_interaction_groups_make(mn_context *ctx, const mn_estimator *model, const mn_feature_groups *given,
                                     size_t features, mn_matrix *groups);

/* For each feature, a bit set of the groups that contain it. In scratch. Fails with more than MN_MAX_GROUPS groups. */
mn_status mn_interaction_group_bits(mn_context *ctx, const char *who, const mn_matrix *groups, const uint64_t **bits);

#endif
