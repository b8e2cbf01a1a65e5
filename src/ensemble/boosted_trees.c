/* The trees of a boosted model as tables that can be read, and written for others. */
#include "boosted.h"

enum { TREE, NODE, LEFT, RIGHT, FEATURE, THRESHOLD, MISSING_LEFT, VALUE, COVER, COLUMNS };
static const char *const names[COLUMNS] = { "nodes.tree",         "nodes.node",    "nodes.left",
                                            "nodes.right",        "nodes.feature", "nodes.threshold",
                                            "nodes.missing_left", "nodes.value",   "nodes.cover" };

enum { LEVEL = 2, GOES_LEFT, LEVEL_COLUMNS };
static const char *const level_names[LEVEL_COLUMNS] = { "levels.tree", "levels.node", "levels.level",
                                                        "levels.goes_left" };

static bool splits_by_levels(const int32_t *w)
{
  return mn_node_left(w) > 0 && w[3] & MN_BY_LEVELS;
}

static size_t levels_of(const mn_boosted *b, const int32_t *w)
{
  const mn_levels_list *list = &b->model->feature_levels;
  const size_t feature = (size_t)w[2];
  return feature < list->size && list->at[feature] ? mn_levels_size(list->at[feature]) : 0;
}

static void put_node(const mn_boosted *b, size_t tree, size_t node, size_t at, mn_vector *const *out)
{
  const int32_t *w = mn_tree_root(b->trees, tree) + MN_NODE_WORDS * node;
  const size_t left = mn_node_left(w);
  const bool leaf = left == 0;
  out[TREE]->at[at] = (double)tree + 1;
  out[NODE]->at[at] = (double)node + 1;
  out[LEFT]->at[at] = leaf ? 0 : (double)left + 1;
  out[RIGHT]->at[at] = leaf ? 0 : (double)left + 2;
  out[FEATURE]->at[at] = leaf ? 0 : w[2] + 1;
  out[THRESHOLD]->at[at] = leaf || splits_by_levels(w) ? (double)NAN : mn_node_real(w);
  out[MISSING_LEFT]->at[at] = !leaf && w[3] & MN_MISSING_LEFT ? 1 : 0;
  out[VALUE]->at[at] = leaf ? mn_node_real(w) : (double)NAN;
  out[COVER]->at[at] = b->trees->cover.at[at];
}

/* The levels of the node, as rows of their table from `at` on; how many. out NULL: these are only counted. */
static size_t put_levels(const mn_boosted *b, size_t tree, size_t node, size_t at, mn_vector *const *out)
{
  const int32_t *w = mn_tree_root(b->trees, tree) + MN_NODE_WORDS * node;
  const size_t n = splits_by_levels(w) ? levels_of(b, w) : 0;
  for (size_t code = 0; out && code < n; code++) {
    out[TREE]->at[at + code] = (double)tree + 1;
    out[NODE]->at[at + code] = (double)node + 1;
    out[LEVEL]->at[at + code] = (double)code + 1;
    out[GOES_LEFT]->at[at + code] = mn_node_goes_left(b->trees, w, (double)code);
  }
  return n;
}

mn_status mn_boosted_trees(mn_context *ctx, const mn_boosted *b, mn_results *results)
{
  mn_vector *nodes[COLUMNS], *levels[LEVEL_COLUMNS];
  const size_t trees = mn_trees_count(b->trees);
  size_t n = 0, at = 0, at_level = 0;
  for (size_t c = 0; c < COLUMNS; c++)
    MN_TRY(mn_result_vector(ctx, results, names[c], b->trees->cover.size, &nodes[c]));
  for (size_t t = 0; t < trees; t++)
    for (size_t i = 0; i < mn_tree_nodes(b->trees, t); i++) n += put_levels(b, t, i, 0, NULL);
  for (size_t c = 0; c < LEVEL_COLUMNS; c++) MN_TRY(mn_result_vector(ctx, results, level_names[c], n, &levels[c]));
  for (size_t t = 0; t < trees; t++)
    for (size_t i = 0; i < mn_tree_nodes(b->trees, t); i++) {
      put_node(b, t, i, at++, nodes);
      at_level += put_levels(b, t, i, at_level, levels);
    }
  return MN_OK;
}
