/* Fitted models of histogram gradient boosting: raw predictions, checks after loading, operations. */
#include "dart.h"
#include "hist_gradient_boosting.h"

bool mn_hist_gradient_boosting_can_resume(const void *self)
{
  return ((const struct mn_hist_gradient_boosting *)self)->warm_start;
}

mn_boosted mn_hist_gradient_boosting_view(const struct mn_hist_gradient_boosting *m)
{
  return (mn_boosted){ .model = &m->base,
                       .trees = &m->trees,
                       .start = &m->start,
                       .exponential = m->base.class->capabilities & MN_REGRESS && m->loss >= MN_BOOST_POISSON,
                       .unscale = m->drop_factor.size > 0 ? mn_dart_unscale : NULL };
}

mn_status mn_hist_gradient_boosting_raw(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_boosted b = mn_hist_gradient_boosting_view(self);
  return mn_boosted_raw(ctx, &b, data, out);
}

mn_status mn_hist_gradient_boosting_check(mn_context *ctx, const void *self)
{
  const mn_boosted b = mn_hist_gradient_boosting_view(self);
  MN_TRY(mn_boosted_check(ctx, &b));
  const size_t rounds = mn_trees_count(b.trees) / b.start->size;
  if (b.model->report.n_iter != (int64_t)rounds)
    return mn_fail(ctx, MN_BAD_FILE, "%s: the file has %zu rounds of trees, expected %lld", b.model->class->name,
                   rounds, (long long)b.model->report.n_iter);
  return mn_dart_check(ctx, self);
}

mn_status mn_hist_gradient_boosting_derive(mn_context *ctx, void *self)
{
  (void)ctx;
  struct mn_hist_gradient_boosting *m = self;
  m->best_iteration = mn_best_round(&m->validation_trace);
  return MN_OK;
}

static mn_status shap(mn_context *ctx, const void *self, const mn_data *data, const void *options, mn_results *results)
{
  (void)options;
  const mn_boosted b = mn_hist_gradient_boosting_view(self);
  return mn_boosted_shap(ctx, &b, data, results);
}

static mn_status staged(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results)
{
  (void)options;
  const mn_boosted b = mn_hist_gradient_boosting_view(self);
  return mn_boosted_staged(ctx, &b, data, results);
}

static mn_status trees(mn_context *ctx, const void *self, const mn_data *data, const void *options, mn_results *results)
{
  (void)data;
  (void)options;
  const mn_boosted b = mn_hist_gradient_boosting_view(self);
  return mn_node_tables(ctx, b.model, b.trees, results);
}

struct importance_options {
  int64_t kind;
};
enum { BY_GAIN, BY_SPLIT, BY_COVER };
static const char *const importance_kinds[] = { "gain", "split", "cover", NULL };
static const mn_param importance_params[] = {
  MN_CHOICE(struct importance_options, kind, BY_GAIN, importance_kinds,
            "gain: total gain of the splits; split: number of splits; cover: weight of the samples in the split nodes"),
  MN_END,
};

static mn_status importances(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                             mn_results *results)
{
  (void)data;
  const struct mn_hist_gradient_boosting *m = self;
  const int64_t kind = ((const struct importance_options *)options)->kind;
  mn_vector *out;
  MN_TRY(mn_result_vector(ctx, results, "importances", m->base.n_features, &out));
  for (size_t i = 0; i < m->gain.size; i++) {
    const int32_t *w = m->trees.node.at + MN_NODE_WORDS * i;
    if (mn_node_left(w) == 0) continue;
    out->at[mn_node_feature(w)] += kind == BY_GAIN ? m->gain.at[i] : kind == BY_COVER ? m->trees.cover.at[i] : 1;
  }
  return MN_OK;
}

const mn_operation mn_hist_gradient_boosting_operations[] = {
  MN_BOOSTED_OPERATIONS(shap, staged, trees),
  { .name = "importances",
    .brief = "importance of each feature, by gain, number of splits or cover",
    .returns = "Vector: features",
    .options = importance_params,
    .options_size = sizeof(struct importance_options),
    .run = importances },
  { .name = NULL },
};
