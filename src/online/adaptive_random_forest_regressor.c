/* Adaptive random forest for regression (Gomes, Barddal, Boiko Ferreira & Bifet, Adaptive random forests for data
 * stream regression, ESANN 2018); learning is in adaptive_forest.c. */
#include "../core/threads.h"
#include "adaptive_export.h"
#include "regression_tree.h"

enum { BLOCK_ROWS = 64 };

struct predict_task {
  const mn_adaptive_forest *m;
  const mn_data *data;
  mn_matrix *out;
  mn_blocks blocks;
};

static void predict_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct predict_task *w = work;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    double sum = 0, trees = 0, value;
    for (size_t tree = 0; tree < w->m->foreground.size; tree++) {
      const mn_regression_tree t = mn_regression_tree_view(w->m, mn_foreground_store(w->m, tree));
      if (!mn_regression_tree_predict(&t, mn_row(&w->data->x, i), &value)) continue;
      sum += value;
      trees++;
    }
    mn_row(w->out, i)[0] = trees > 0 ? sum / trees : mn_regression_default(w->m);
  }
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  struct predict_task w = {
    .m = self, .data = data, .out = out, .blocks = mn_make_blocks(data->rows, BLOCK_ROWS, SIZE_MAX)
  };
  return mn_parallel(ctx, w.blocks.count, predict_block, &w);
}

/* --- export: the foreground trees that have learned any row --- */

static bool has_learned(const mn_regression_tree *t)
{
  return *t->used > 1 || t->stats[MN_NODE_WEIGHT] > 0;
}

struct leaf_tables {
  int32_t *is_linear;
  double *mean, *low, *high, *slope, *center;
};

static mn_status make_leaf_tables(mn_context *ctx, size_t nodes, size_t n_observed, struct leaf_tables *out)
{
  out->is_linear = MN_NEW(ctx, int32_t, nodes, 1);
  out->mean = MN_NEW(ctx, double, nodes, 3 + 2 * n_observed);
  if (!out->is_linear || !out->mean) return MN_NO_MEMORY;
  out->low = out->mean + nodes;
  out->high = out->low + nodes;
  out->slope = out->high + nodes;
  out->center = out->slope + nodes * n_observed;
  return MN_OK;
}

static void fill_leaf(const mn_regression_tree *t, int32_t node, size_t at, struct leaf_tables *out)
{
  const double *stats = t->stats + (size_t)node * MN_NODE_STATS;
  out->is_linear[at] = mn_leaf_is_linear(t, node);
  out->mean[at] = stats[MN_NODE_MEAN];
  out->low[at] = stats[MN_NODE_MIN];
  out->high[at] = stats[MN_NODE_MAX];
  for (size_t j = 0; j < t->n_observed; j++) {
    const mn_leaf_slope *slope = &t->slope[(size_t)node * t->n_observed + j];
    out->slope[at * t->n_observed + j] = slope->slope;
    out->center[at * t->n_observed + j] = slope->mean;
  }
}

static void write_leaves(mn_program *program, size_t nodes, size_t n_observed, const struct leaf_tables *l)
{
  mn_program_indexes(program, "line", nodes, l->is_linear);
  mn_program_reals(program, "mean", nodes, l->mean);
  mn_program_reals(program, "low", nodes, l->low);
  mn_program_reals(program, "high", nodes, l->high);
  mn_program_reals(program, "slope", nodes * n_observed, l->slope);
  mn_program_reals(program, "center", nodes * n_observed, l->center);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_adaptive_forest *m = self;
  mn_adaptive_splits s;
  struct leaf_tables leaf_tables;
  size_t trees = 0;
  if (action != MN_PREDICT) return MN_OK;
  size_t *store = MN_RAW(ctx, size_t, m->foreground.size, 1);
  MN_CHECK_ALLOC(store);
  for (size_t i = 0; i < m->foreground.size; i++) {
    const mn_regression_tree t = mn_regression_tree_view(m, mn_foreground_store(m, i));
    if (has_learned(&t)) store[trees++] = mn_foreground_store(m, i);
  }
  if (trees == 0) {
    mn_program_real(program, "mean", mn_regression_default(m));
    mn_program_code(program, "out[0] = mean");
    return MN_OK;
  }
  MN_TRY(mn_adaptive_collect_splits(ctx, m, trees, store, &s));
  MN_TRY(make_leaf_tables(ctx, s.nodes, s.n_observed, &leaf_tables));
  for (size_t i = 0; i < trees; i++) {
    const mn_regression_tree t = mn_regression_tree_view(m, store[i]);
    for (int32_t node = 0; node < *t.used; node++) fill_leaf(&t, node, (size_t)s.first[i] + (size_t)node, &leaf_tables);
  }
  mn_adaptive_write_splits(program, &s);
  write_leaves(program, s.nodes, s.n_observed, &leaf_tables);
  mn_program_code(program, "out[0] = 0.0"
                           " for tree < trees {" MN_ADAPTIVE_DESCENT " real value = mean[at]");
  mn_program_code(program, " if line[at] > 0 {"
                           "   for j < watched {"
                           "     int b = at * watched + j"
                           "     value += slope[b] * (x[observed[b]] - center[b])"
                           "   }"
                           "   if value >= low[at] { } else { value = low[at] }"
                           "   if value > high[at] { value = high[at] }"
                           " }"
                           " out[0] += value }"
                           " out[0] = out[0] / trees");
  return MN_OK;
}

static const char *const leaf_predictions[] = { "adaptive", "mean", NULL };

static const mn_param params[] = {
  MN_ADAPTIVE_PARAMS(
      leaf_predictions,
      "adaptive: a linear model in leaves where it was more accurate recently than the mean; mean: always the mean",
      "tie threshold: the best split is made once the Hoeffding bound on the ratio of gains is below this"),
  MN_END,
};

static const mn_field fields[] = {
  MN_ADAPTIVE_FIELDS,
  MN_ADAPTIVE_TABLE(MN_STATS_TABLE, "sums", "slots x sums"),
  MN_ADAPTIVE_TABLE(MN_SLOPES_TABLE, "lines", "slots x lines"),
  MN_ADAPTIVE_TABLE(MN_BINS_TABLE, "bins", "slots x bins"),
  MN_ADAPTIVE_ERRORS,
  MN_END,
};

static double rmse_of(const double *errors)
{
  return errors[MN_REGRESSION_ROWS] > 0 ? sqrt(errors[MN_REGRESSION_SQUARES] / errors[MN_REGRESSION_ROWS])
                                        : (double)NAN;
}

static mn_status structure(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                           mn_results *results)
{
  (void)data;
  (void)options;
  return mn_adaptive_structure(ctx, self, "rmse", rmse_of, results);
}

static const mn_operation operations[] = {
  { .name = "structure",
    .brief =
        "leaves of each tree, its root mean squared error on rows before they were learned, and how often it was replaced",
    .returns = "leaves (trees), rmse (trees), drifts (trees)",
    .run = structure },
  { .name = NULL },
};

const mn_class mn_adaptive_random_forest_regressor = {
  .name = "AdaptiveRandomForestRegressor",
  .family = "tree",
  .brief = "Adaptive random forest regressor for streams, with drift detection.",
  .objective = "y(x) = mean over the trees of the mean of y, or a linear model, in the leaf of x",
  .source = "Gomes et al., ESANN (2018); Ikonomovska, Gama & Dzeroski, Data Mining and Knowledge Discovery 23 (2011)",
  .notes = "Requires hundreds of samples, because a leaf is split only when the best split is certain enough. "
           "Samples are not stored; memory grows with the number of leaves. "
           "fit is one batch, and batches of any size give the same result. "
           "Splits reduce the variance of y; linear models are clipped to the range of y. "
           "Drift is detected by the test of Frias-Blanco et al. (2015) instead of ADWIN. "
           "For few samples MondrianForestRegressor learns more, but it does not forget.",
  .example = "local forest, points = ml.AdaptiveRandomForestRegressor { seed = 1 }, ml.random(2000, 2, 1)\n"
             "for i = 1, 2000 do\n"
             "   local a, b = points:get(i, 1), points:get(i, 2)\n"
             "   forest:partial_fit({ { a, b } }, { 3 * a - b })\n"
             "end\n"
             "print(forest:predict { { 0.2, 0.3 }, { 0.9, 0.8 } })",
  .capabilities = MN_REGRESS | MN_RANDOM | MN_ADDITIVE,
  .accepts = MN_WEIGHTS | MN_WEIGHTS_SCALE,
  .params = params,
  .fields = fields,
  .operations = operations,
  MN_ADAPTIVE_CLASS,
  .predict = predict,
  .export = export,
};
