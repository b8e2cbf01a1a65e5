/* Nodes of trees, and levels of factor splits, as tables for the operation trees. Trees, nodes, features and levels are
 * counted from 1. */
#include "node_tables.h"

enum { TREE, NODE, LEFT, RIGHT, FEATURE, THRESHOLD, MISSING_LEFT, VALUE, COVER, COLUMNS };
static const char *const names[COLUMNS] = { "nodes.tree",         "nodes.node",    "nodes.left",
                                            "nodes.right",        "nodes.feature", "nodes.threshold",
                                            "nodes.missing_left", "nodes.value",   "nodes.cover" };

enum { LEVEL = 2, GOES_LEFT, LEVEL_COLUMNS };
static const char *const level_names[LEVEL_COLUMNS] = { "levels.tree", "levels.node", "levels.level",
                                                        "levels.goes_left" };

enum { NODES_PER_POLL = 1 << 10 };

/* The columns to fill; out[VALUE] is NULL where leaves have several values. */
struct tables {
  const mn_estimator *model;
  const mn_trees *trees;
  mn_vector *out[COLUMNS], *level[LEVEL_COLUMNS];
};

static size_t factor_levels(const mn_estimator *model, const int32_t *w)
{
  const mn_levels_list *list = &model->feature_levels;
  const size_t feature = mn_node_feature(w);
  return feature < list->size && list->at[feature] ? mn_levels_size(list->at[feature]) : 0;
}

static void put_node(const struct tables *t, size_t tree, size_t node, size_t at)
{
  const int32_t *word = mn_tree_root(t->trees, tree) + MN_NODE_WORDS * node;
  const size_t left = mn_node_left(word);
  const bool leaf = left == 0;
  mn_vector *const *out = t->out;
  out[TREE]->at[at] = (double)tree + 1;
  out[NODE]->at[at] = (double)node + 1;
  out[LEFT]->at[at] = leaf ? 0 : (double)left + 1;
  out[RIGHT]->at[at] = leaf ? 0 : (double)left + 2;
  out[FEATURE]->at[at] = leaf ? 0 : (double)mn_node_feature(word) + 1;
  out[THRESHOLD]->at[at] = leaf || mn_is_level_split(word) ? (double)NAN : mn_node_real(word);
  out[MISSING_LEFT]->at[at] = !leaf && mn_node_missing_left(word) ? 1 : 0;
  if (out[VALUE]) out[VALUE]->at[at] = leaf ? mn_node_real(word) : (double)NAN;
  out[COVER]->at[at] = t->trees->cover.at[at];
}

/* Write the levels of a node to the table of levels, beginning at row `at`. Returns their number. */
static size_t put_levels(const struct tables *t, size_t tree, size_t node, size_t at)
{
  const int32_t *word = mn_tree_root(t->trees, tree) + MN_NODE_WORDS * node;
  const size_t n = mn_is_level_split(word) ? factor_levels(t->model, word) : 0;
  for (size_t code = 0; code < n; code++) {
    t->level[TREE]->at[at + code] = (double)tree + 1;
    t->level[NODE]->at[at + code] = (double)node + 1;
    t->level[LEVEL]->at[at + code] = (double)code + 1;
    t->level[GOES_LEFT]->at[at + code] = mn_value_goes_left(t->trees, word, (double)code);
  }
  return n;
}

static size_t count_levels(const mn_estimator *model, const mn_trees *trees)
{
  size_t n = 0;
  for (size_t i = 0; i < trees->cover.size; i++) {
    const int32_t *word = trees->node.at + MN_NODE_WORDS * i;
    n += mn_is_level_split(word) ? factor_levels(model, word) : 0;
  }
  return n;
}

static mn_status fill_tables(mn_context *ctx, const mn_estimator *model, const mn_trees *trees, bool one_value,
                             mn_results *results)
{
  struct tables t = { .model = model, .trees = trees };
  const size_t n = count_levels(model, trees);
  size_t at = 0, at_level = 0;
  for (size_t c = 0; c < COLUMNS; c++)
    if (c != VALUE || one_value) MN_TRY(mn_result_vector(ctx, results, names[c], trees->cover.size, &t.out[c]));
  for (size_t c = 0; c < LEVEL_COLUMNS; c++) MN_TRY(mn_result_vector(ctx, results, level_names[c], n, &t.level[c]));
  for (size_t tree = 0; tree < mn_trees_count(trees); tree++)
    for (size_t i = 0; i < mn_tree_nodes(trees, tree); i++) {
      if (at % NODES_PER_POLL == 0) MN_TRY(mn_poll(ctx));
      put_node(&t, tree, i, at++);
      at_level += put_levels(&t, tree, i, at_level);
    }
  return MN_OK;
}

mn_status mn_node_tables(mn_context *ctx, const mn_estimator *model, const mn_trees *trees, mn_results *results)
{
  return fill_tables(ctx, model, trees, true, results);
}

mn_status mn_node_tables_wide(mn_context *ctx, const mn_estimator *model, const mn_trees *trees, size_t width,
                              mn_results *results)
{
  mn_matrix *values;
  MN_TRY(fill_tables(ctx, model, trees, false, results));
  MN_TRY(mn_result_matrix(ctx, results, "values", trees->cover.size, width, &values));
  for (size_t i = 0; i < trees->cover.size; i++) {
    const int32_t *word = trees->node.at + MN_NODE_WORDS * i;
    double *to = mn_row(values, i);
    if (i % NODES_PER_POLL == 0) MN_TRY(mn_poll(ctx));
    for (size_t c = 0; c < width; c++) to[c] = mn_node_left(word) > 0 ? (double)NAN : 0;
    if (mn_node_left(word) == 0) mn_add_leaf(trees, word, width, 1, to);
  }
  return MN_OK;
}
