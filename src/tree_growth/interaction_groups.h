/* Groups of columns that may meet on a way from the root to a leaf, as interaction constraints name them. */
#ifndef MN_TREE_GROWTH_INTERACTION_GROUPS_H
#define MN_TREE_GROWTH_INTERACTION_GROUPS_H
#include "../model/class.h"

enum { MN_MAX_GROUPS = 64 };

/* The groups that were given to `model`, groups x features, above 0 for a column of the group, and one of the columns
 * that are in none. In scratch. Refused unless a table has a column for each of X, and lists have columns of X. */
mn_status mn_interaction_groups_make(mn_context *ctx, const mn_estimator *model, const mn_feature_groups *given,
                                     size_t features, mn_matrix *groups);

/* For each column the bits of the groups that hold it. In scratch. Refused where there are more than MN_MAX_GROUPS. */
mn_status mn_interaction_group_bits(mn_context *ctx, const char *who, const mn_matrix *groups, const uint64_t **bits);

#endif
