#include "decision_tree.h"
#include "rules.h"
#include "../tree_structure/tree_predict.h"

mn_status mn_decision_tree_fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_tree_model *m = self;
  mn_tree_problem problem;
  mn_grow_workspace *ws;
  mn_grown_tree tree;
  double sum = 0;
  MN_TRY(mn_tree_problem_make(ctx, m, data, data->features, m->splitter == MN_SPLITTER_RANDOM, &problem));
  MN_TRY(mn_grow_workspace_make(ctx, &problem.settings, &ws));
  MN_TRY(mn_grow(ctx, &problem.settings, ws, &problem.view, data->weights, (uint64_t)m->seed, &tree));
  if (m->ccp_alpha > 0) MN_TRY(mn_prune(ctx, m->ccp_alpha, mn_tree_width(m), &tree));
  MN_TRY(mn_append_trees(ctx, m->base.class->name, &tree, 1, mn_tree_width(m), &m->trees));
  MN_TRY(mn_vector_init(ctx, &m->feature_importances, data->features));
  MN_TRY(mn_features_with_missing(ctx, &problem.columns, data->weights, &m->gaps));
  mn_add_importances(&tree, m->feature_importances.at);
  for (size_t j = 0; j < data->features; j++) sum += m->feature_importances.at[j];
  for (size_t j = 0; j < data->features && sum > 0; j++) m->feature_importances.at[j] /= sum;
  return mn_decision_tree_derive(ctx, self);
}

mn_status mn_decision_tree_derive(mn_context *ctx, void *self)
{
  mn_tree_model *m = self;
  const size_t n = mn_tree_nodes(&m->trees, 0);
  int32_t *depth = MN_RAW(ctx, int32_t, n, 1);
  MN_CHECK_ALLOC(depth);
  m->depth = (int64_t)mn_tree_depths(&m->trees, 0, depth);
  m->n_leaves = (int64_t)(n + 1) / 2;
  return MN_OK;
}

mn_status mn_decision_tree_check(mn_context *ctx, const void *self)
{
  const mn_tree_model *m = self;
  MN_TRY(mn_tree_model_check(ctx, self));
  if (mn_trees_count(&m->trees) == 1 && m->trees.impurity.at) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "%s: the file must contain one tree with impurities", m->base.class->name);
}

static mn_status cost_complexity_path(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                      mn_results *results)
{
  (void)data;
  (void)options;
  const mn_tree_model *m = self;
  const size_t n = mn_tree_nodes(&m->trees, 0);
  const mn_grown_tree tree = {
    .node = m->trees.node.at, .cover = m->trees.cover.at, .impurity = m->trees.impurity.at, .nodes = n
  };
  double *alpha = MN_RAW(ctx, double, n, 1), *impurity = MN_RAW(ctx, double, n, 1);
  size_t steps;
  mn_vector *out;
  if (!alpha || !impurity) return MN_NO_MEMORY;
  MN_TRY(mn_pruning_path(ctx, &tree, alpha, impurity, &steps));
  MN_TRY(mn_result_vector(ctx, results, "ccp_alphas", steps, &out));
  memcpy(out->at, alpha, steps * sizeof *alpha);
  MN_TRY(mn_result_vector(ctx, results, "impurities", steps, &out));
  memcpy(out->at, impurity, steps * sizeof *impurity);
  return MN_OK;
}

/* The paths of all rows, one after the other. */
static mn_status decision_path(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                               mn_results *results)
{
  (void)options;
  const mn_tree_model *m = self;
  const size_t n = mn_tree_nodes(&m->trees, 0), rows = data->rows;
  const int32_t *root = mn_tree_root(&m->trees, 0);
  int32_t *leaf = MN_RAW(ctx, int32_t, rows, 1), *depth = MN_RAW(ctx, int32_t, n, 1),
          *parent = MN_RAW(ctx, int32_t, n, 1);
  mn_indexes *node, *start;
  size_t total = 0;
  if (!leaf || !depth || !parent) return MN_NO_MEMORY;
  MN_TRY(mn_trees_leaves(ctx, &m->trees, data, leaf));
  mn_tree_depths(&m->trees, 0, depth);
  for (size_t i = 0; i < n; i++) {
    const size_t left = mn_node_left(root + MN_NODE_WORDS * i);
    if (left > 0) parent[left] = parent[left + 1] = (int32_t)i;
  }
  for (size_t i = 0; i < rows; i++) total += (size_t)depth[leaf[i]] + 1;
  if (total > INT32_MAX)
    return mn_fail(ctx, MN_BAD_DATA,
                   "%s: decision_path must have paths of fewer than 2^31 nodes in total, got %zu; pass fewer rows",
                   m->base.class->name, total);
  MN_TRY(mn_result_indexes(ctx, results, "node", total, &node));
  MN_TRY(mn_result_indexes(ctx, results, "start", rows + 1, &start));
  for (size_t i = 0; i < rows; i++) {
    int32_t at = leaf[i], last = start->at[i] + depth[at];
    start->at[i + 1] = last + 1;
    for (; last > start->at[i]; at = parent[at]) node->at[last--] = at;
    node->at[last] = at;
  }
  return MN_OK;
}

const mn_operation mn_decision_tree_operations[] = {
  { .name = "apply",
    .brief = "the leaf of each row",
    .returns = "Vector: the number of a node for each row",
    .needs = MN_NEEDS_X,
    .run = mn_tree_apply },
  { .name = "decision_path",
    .brief = "the path of each row from the root to its leaf",
    .returns =
        "node: all paths, one after the other; start: rows + 1, the position in node at which the path of each row begins",
    .needs = MN_NEEDS_X,
    .run = decision_path },
  { .name = "cost_complexity_path",
    .brief = "the values of ccp_alpha at which subtrees are pruned, and the impurity of the remaining leaves",
    .returns = "ccp_alphas, impurities: one value for each step; the first is the full tree",
    .run = cost_complexity_path },
  MN_TREE_SHAP,
  MN_TREE_TABLES,
  MN_TREE_TEXT_OPERATIONS,
  { .name = NULL },
};
