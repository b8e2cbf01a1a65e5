/* Prune a grown tree: bottom-up, remove splits of two leaves whose gain is below a minimum. */
#ifndef MN_BOOSTING_BOOST_PRUNE_H
#define MN_BOOSTING_BOOST_PRUNE_H
#include "../core/context.h"
#include "boost_node.h"
#include "boost_trees.h"

typedef struct mn_boost_pruner mn_boost_pruner;

/* rows: the two buffers that hold the rows of the leaves. */
mn_status mn_boost_pruner_make(mn_context *ctx, const mn_boost_settings *settings, size_t max_leaves,
                               uint32_t *const rows[2], mn_boost_pruner **out);

/* To be called before a leaf is split: its value is needed if the split is removed. */
void mn_boost_pruner_note(mn_boost_pruner *pruner, const mn_boost_leaf *leaf);

/* Prune the last tree of `trees`, whose leaves are leaf[0..leaves-1]. Returns how many are left. */
size_t mn_boost_prune(mn_boost_pruner *pruner, mn_boost_leaf *leaf, size_t leaves, mn_boost_builder *trees);

#endif
