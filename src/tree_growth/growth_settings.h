/* Settings and memory for growing trees. */
#ifndef MN_TREE_GROWTH_GROWTH_SETTINGS_H
#define MN_TREE_GROWTH_GROWTH_SETTINGS_H
#include "search_types.h"

typedef struct mn_growth_settings {
  mn_split_settings split;
  size_t max_depth, max_features;
  size_t max_leaves; /* 0: no limit; otherwise the leaf with the largest gain is split next */
  double min_split_rows, min_decrease;
} mn_growth_settings;

typedef struct mn_grow_workspace mn_grow_workspace;

/* Memory for trees that grow one after the other, for the threads of `ctx`. In scratch. */
mn_status mn_grow_workspace_make(mn_context *ctx, const mn_growth_settings *settings, mn_grow_workspace **out);

#endif
