/* What a boosted model can tell of itself: Shapley values, importances, predictions after each round. */
#include "../tree_structure/shap.h"
#include "boosted.h"
#include "boosting.h"

mn_status mn_boosted_shap(mn_context *ctx, const mn_boosted *b, const mn_data *data, mn_results *results)
{
  const size_t outputs = b->start->size;
  mn_matrix *values;
  mn_vector *base;
  MN_TRY(mn_result_matrix(ctx, results, "values", data->rows, outputs * data->features, &values));
  MN_TRY(mn_result_vector(ctx, results, "base", outputs, &base));
  for (size_t c = 0; c < outputs; c++) base->at[c] = b->start->at[c];
  MN_TRY(mn_trees_expected_value(ctx, b->trees, outputs, 1, 1, base->at));
  return mn_trees_shap(ctx, b->trees, data, outputs, 1, 1, values);
}

/* row[t] becomes the raw prediction after tree t. With undo, trees were scaled later on: from the last round down. */
static void add_up(const mn_boosted *b, const double *adds, size_t trees, double *row)
{
  const size_t outputs = b->start->size;
  for (size_t t = 0; t < trees; t++) row[t] = (t < outputs ? b->start->at[t] : row[t - outputs]) + adds[t];
}

static void add_up_scaled(const mn_boosted *b, double *adds, size_t trees, double *row)
{
  const size_t outputs = b->start->size;
  for (size_t round = trees / outputs; round-- > 0;) {
    for (size_t c = 0; c < outputs; c++) {
      double sum = b->start->at[c];
      for (size_t t = c; t <= round * outputs + c; t += outputs) sum += adds[t];
      row[round * outputs + c] = sum;
    }
    b->undo((const struct mn_boosting *)b->model, round, adds);
  }
}

mn_status mn_boosted_staged(mn_context *ctx, const mn_boosted *b, const mn_data *data, mn_results *results)
{
  const size_t trees = mn_trees_count(b->trees);
  double *adds = MN_RAW(ctx, double, trees, 1), *room = MN_RAW(ctx, double, data->features, 1);
  mn_matrix *out;
  if (!adds || !room) return MN_NO_MEMORY;
  MN_TRY(mn_result_matrix(ctx, results, "values", data->rows, trees, &out));
  for (size_t i = 0; i < data->rows; i++) {
    const double *x = mn_dense_row(data, i, room);
    double *row = mn_row(out, i);
    for (size_t t = 0; t < trees; t++) {
      const int32_t *root = mn_tree_root(b->trees, t);
      adds[t] = mn_node_real(root + MN_NODE_WORDS * mn_tree_leaf(b->trees, t, x));
    }
    if (b->undo)
      add_up_scaled(b, adds, trees, row);
    else
      add_up(b, adds, trees, row);
    for (size_t t = 0; b->exponential && t < trees; t++) row[t] = exp(row[t]);
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

static mn_status shap(mn_context *ctx, const void *self, const mn_data *data, const void *options, mn_results *results)
{
  (void)options;
  const mn_boosted b = mn_boosting_view(self);
  return mn_boosted_shap(ctx, &b, data, results);
}

static mn_status staged(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results)
{
  (void)options;
  const mn_boosted b = mn_boosting_view(self);
  return mn_boosted_staged(ctx, &b, data, results);
}

static mn_status trees(mn_context *ctx, const void *self, const mn_data *data, const void *options, mn_results *results)
{
  (void)data;
  (void)options;
  const mn_boosted b = mn_boosting_view(self);
  return mn_node_tables(ctx, b.model, b.trees, results);
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
  MN_BOOSTED_OPERATIONS(shap, staged, trees),
  { .name = "importances",
    .brief = "how much each column is used, by gain, number of splits or cover",
    .returns = "Vector: features",
    .options = importance_params,
    .options_size = sizeof(struct importance_options),
    .run = importances },
  { .name = NULL },
};
