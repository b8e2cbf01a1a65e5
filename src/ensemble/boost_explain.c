/* What a boosted model can tell of itself: Shapley values, importances, predictions after each round. */
#include "../tree/shap.h"
#include "boosting.h"

static mn_status shap(mn_context *ctx, const void *self, const mn_data *data, const void *options, mn_results *results)
{
  (void)options;
  const struct mn_boosting *m = self;
  const size_t outputs = m->start.size;
  mn_matrix *values;
  mn_vector *base;
  MN_TRY(mn_result_matrix(ctx, results, "values", data->rows, outputs * data->features, &values));
  MN_TRY(mn_result_vector(ctx, results, "base", outputs, &base));
  for (size_t c = 0; c < outputs; c++) base->at[c] = m->start.at[c];
  MN_TRY(mn_trees_mean(ctx, &m->trees, outputs, 1, 1, base->at));
  return mn_trees_shap(ctx, &m->trees, data, outputs, 1, 1, values);
}

static mn_status staged(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results)
{
  (void)options;
  const struct mn_boosting *m = self;
  const size_t outputs = m->start.size, trees = mn_trees_count(&m->trees);
  const bool link = m->base.class->does & MN_REGRESS && m->loss >= MN_BOOST_POISSON;
  mn_matrix *out;
  MN_TRY(mn_result_matrix(ctx, results, "values", data->rows, trees, &out));
  for (size_t i = 0; i < data->rows; i++) {
    double *row = mn_row(out, i);
    for (size_t t = 0; t < trees; t++) {
      const double before = t < outputs ? m->start.at[t] : row[t - outputs];
      const int32_t *root = mn_tree_root(&m->trees, t);
      row[t] = before + mn_node_real(root + MN_NODE_WORDS * mn_tree_leaf(&m->trees, t, mn_row(&data->x, i)));
    }
    for (size_t t = 0; link && t < trees; t++) row[t] = exp(row[t]);
    if (i % 256 == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

struct importance_options {
  int64_t kind;
};
enum { BY_GAIN, BY_SPLIT, BY_COVER };
static const char *const kinds[] = { "gain", "split", "cover", NULL };
static const mn_param importance_params[] = {
  MN_CHOICE(struct importance_options, kind, BY_GAIN, kinds,
            "gain: sum of what the splits gained; split: how many there are; cover: weight of the rows they saw"),
  MN_END,
};

static mn_status importances(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                             mn_results *results)
{
  (void)data;
  const struct mn_boosting *m = self;
  const int64_t kind = ((const struct importance_options *)options)->kind;
  mn_vector *out;
  MN_TRY(mn_result_vector(ctx, results, "importances", m->base.n_features, &out));
  for (size_t i = 0; i < m->gain.size; i++) {
    const int32_t *w = m->trees.node.at + MN_NODE_WORDS * i;
    if (mn_node_left(w) == 0) continue;
    out->at[w[2]] += kind == BY_GAIN ? m->gain.at[i] : kind == BY_COVER ? m->trees.cover.at[i] : 1;
  }
  return MN_OK;
}

const mn_operation mn_boosting_operations[] = {
  { .name = "shap",
    .brief = "what each column adds to the raw prediction of a row (TreeSHAP); values and base add up to it",
    .returns = "values (rows x features; of several classes those of one behind those of another), base (decisions)",
    .needs = MN_NEEDS_X,
    .run = shap },
  { .name = "staged",
    .brief = "the prediction after each round; of a classifier the decision function",
    .returns = "values (rows x rounds; of several classes rows x rounds classes)",
    .needs = MN_NEEDS_X,
    .run = staged },
  { .name = "importances",
    .brief = "how much each column is used, in three ways",
    .returns = "importances (features)",
    .options = importance_params,
    .options_size = sizeof(struct importance_options),
    .run = importances },
  { .name = NULL },
};
