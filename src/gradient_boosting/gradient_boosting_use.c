/* Fitted models of gradient boosting over exact trees: raw predictions, checks after loading, operations. */
#include "gradient_boosting.h"

bool mn_gradient_boosting_can_resume(const void *self)
{
  return ((const mn_gradient_boosting *)self)->warm_start;
}

mn_boosted mn_gradient_boosting_view(const mn_gradient_boosting *m)
{
  return (mn_boosted){ .model = &m->tree.base,
                       .trees = &m->tree.trees,
                       .start = &m->start,
                       .exponential = m->tree.base.class->capabilities & MN_REGRESS && m->loss >= MN_GRADIENT_POISSON };
}

mn_status mn_gradient_boosting_raw(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_boosted b = mn_gradient_boosting_view(self);
  return mn_boosted_raw(ctx, &b, data, out);
}

mn_status mn_gradient_boosting_check(mn_context *ctx, const void *self)
{
  const mn_gradient_boosting *m = self;
  const mn_boosted b = mn_gradient_boosting_view(m);
  MN_TRY(mn_boosted_check(ctx, &b));
  const size_t rounds = mn_trees_count(&m->tree.trees) / m->start.size;
  if (!m->tree.trees.impurity.at || m->train_score.size != rounds || (int64_t)rounds != m->tree.base.report.n_iter)
    return mn_fail(ctx, MN_BAD_FILE, "%s: the file has %zu rounds of trees but %zu training scores",
                   m->tree.base.class->name, rounds, m->train_score.size);
  return MN_OK;
}

mn_status mn_gradient_boosting_derive(mn_context *ctx, void *self)
{
  (void)ctx;
  mn_gradient_boosting *m = self;
  m->best_iteration = mn_best_round(&m->validation_trace);
  return MN_OK;
}

static mn_status shap(mn_context *ctx, const void *self, const mn_data *data, const void *options, mn_results *results)
{
  (void)options;
  const mn_boosted b = mn_gradient_boosting_view(self);
  return mn_boosted_shap(ctx, &b, data, results);
}

static mn_status staged(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results)
{
  (void)options;
  const mn_boosted b = mn_gradient_boosting_view(self);
  return mn_boosted_staged(ctx, &b, data, results);
}

static mn_status trees(mn_context *ctx, const void *self, const mn_data *data, const void *options, mn_results *results)
{
  (void)data;
  (void)options;
  const mn_boosted b = mn_gradient_boosting_view(self);
  return mn_node_tables(ctx, b.model, b.trees, results);
}

const mn_operation mn_gradient_boosting_operations[] = {
  MN_BOOSTED_OPERATIONS(shap, staged, trees),
  { .name = "apply",
    .brief = "leaf of each sample in each tree",
    .returns = "Matrix (rows x trees): node numbers; for one tree Vector: rows",
    .needs = MN_NEEDS_X,
    .run = mn_tree_apply },
  { .name = NULL },
};
