/* Numbers from a stream (Gomes, Barddal, Boiko Ferreira & Bifet, Adaptive random forests for data stream regression,
 * ESANN 2018): what adaptive_forest.c learns, asked. */
#include "../core/threads.h"
#include "adaptive_export.h"
#include "value_tree.h"

enum { BLOCK_ROWS = 64 };

struct asking {
  const mn_adaptive_forest *m;
  const mn_data *data;
  mn_matrix *out;
  mn_blocks blocks;
};

static void ask_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct asking *w = work;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    double sum = 0, trees = 0, value;
    for (size_t tree = 0; tree < w->m->front.size; tree++) {
      const mn_value_tree t = mn_value_tree_of(w->m, mn_front(w->m, tree));
      if (!mn_value_predict(&t, mn_row(&w->data->x, i), &value)) continue;
      sum += value;
      trees++;
    }
    mn_row(w->out, i)[0] = trees > 0 ? sum / trees : mn_value_default(w->m);
  }
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  struct asking w = { .m = self, .data = data, .out = out, .blocks = mn_make_blocks(data->rows, BLOCK_ROWS, SIZE_MAX) };
  return mn_parallel(ctx, w.blocks.count, ask_block, &w);
}

/* --- export: the trees that answer, behind each other, but those that have not seen a row --- */

static bool knows(const mn_value_tree *t)
{
  return *t->used > 1 || t->sums[MN_NODE_WEIGHT] > 0;
}

struct leaves {
  int32_t *line;
  double *mean, *low, *high, *slope, *center;
};

static mn_status make_leaves(mn_context *ctx, size_t nodes, size_t watched, struct leaves *out)
{
  out->line = MN_NEW(ctx, int32_t, nodes, 1);
  out->mean = MN_NEW(ctx, double, nodes, 3 + 2 * watched);
  if (!out->line || !out->mean) return MN_NO_MEMORY;
  out->low = out->mean + nodes;
  out->high = out->low + nodes;
  out->slope = out->high + nodes;
  out->center = out->slope + nodes * watched;
  return MN_OK;
}

static void fill_leaf(const mn_value_tree *t, int32_t node, size_t at, struct leaves *out)
{
  const double *sums = t->sums + (size_t)node * MN_NODE_SUMS;
  out->line[at] = mn_leaf_is_line(t, node);
  out->mean[at] = sums[MN_NODE_MEAN];
  out->low[at] = sums[MN_NODE_LOW];
  out->high[at] = sums[MN_NODE_HIGH];
  for (size_t j = 0; j < t->watched; j++) {
    const mn_slope *slope = &t->slope[(size_t)node * t->watched + j];
    out->slope[at * t->watched + j] = slope->slope;
    out->center[at * t->watched + j] = slope->mean;
  }
}

static void put_leaves(mn_program *program, size_t nodes, size_t watched, const struct leaves *l)
{
  mn_program_indexes(program, "line", nodes, l->line);
  mn_program_reals(program, "mean", nodes, l->mean);
  mn_program_reals(program, "low", nodes, l->low);
  mn_program_reals(program, "high", nodes, l->high);
  mn_program_reals(program, "slope", nodes * watched, l->slope);
  mn_program_reals(program, "center", nodes * watched, l->center);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_adaptive_forest *m = self;
  mn_adaptive_splits s;
  struct leaves leaves;
  size_t trees = 0;
  if (action != MN_PREDICT) return MN_OK;
  size_t *store = MN_RAW(ctx, size_t, m->front.size, 1);
  MN_CHECK_ALLOC(store);
  for (size_t i = 0; i < m->front.size; i++) {
    const mn_value_tree t = mn_value_tree_of(m, mn_front(m, i));
    if (knows(&t)) store[trees++] = mn_front(m, i);
  }
  if (trees == 0) {
    mn_program_real(program, "mean", mn_value_default(m));
    mn_program_code(program, "out[0] = mean");
    return MN_OK;
  }
  MN_TRY(mn_adaptive_splits_of(ctx, m, trees, store, &s));
  MN_TRY(make_leaves(ctx, s.nodes, s.watched, &leaves));
  for (size_t i = 0; i < trees; i++) {
    const mn_value_tree t = mn_value_tree_of(m, store[i]);
    for (int32_t node = 0; node < *t.used; node++) fill_leaf(&t, node, (size_t)s.first[i] + (size_t)node, &leaves);
  }
  mn_adaptive_put_splits(program, &s);
  put_leaves(program, s.nodes, s.watched, &leaves);
  mn_program_code(program, "out[0] = 0.0"
                           " for tree < trees {" MN_ADAPTIVE_WALK " real value = mean[at]");
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
  MN_ADAPTIVE_PARAMS(leaf_predictions,
                     "how a leaf answers: by a line where that has been nearer of late, or always by its mean",
                     "the best split is made, too, once the ratio of its gain to the next is known as closely as this"),
  MN_END,
};

static const mn_field fields[] = {
  MN_ADAPTIVE_FIELDS,
  MN_ADAPTIVE_TABLE(MN_SUMS_TABLE, "sums", "slots x sums"),
  MN_ADAPTIVE_TABLE(MN_LINES_TABLE, "lines", "slots x lines"),
  MN_ADAPTIVE_TABLE(MN_BINS_TABLE, "bins", "slots x bins"),
  MN_ADAPTIVE_ERRORS,
  MN_END,
};

static double rmse_of(const double *errors)
{
  return errors[MN_VALUES_SEEN] > 0 ? sqrt(errors[MN_VALUES_SQUARES] / errors[MN_VALUES_SEEN]) : (double)NAN;
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
    .brief = "of each tree: its leaves, the root mean squared error of rows before they were learned, and how often "
             "another took its place",
    .returns = "leaves (trees), rmse (trees), drifts (trees)",
    .run = structure },
  { .name = NULL },
};

const mn_class mn_adaptive_random_forest_regressor = {
  .name = "AdaptiveRandomForestRegressor",
  .family = "tree",
  .brief = "Trees that learn numbers from a stream, each row once, and are changed for others when it has changed.",
  .objective = "y(x) = mean over the trees of the mean of y, or the line, in the leaf of x",
  .source = "Gomes et al., ESANN (2018); Ikonomovska, Gama & Dzeroski, Data Mining and Knowledge Discovery 23 (2011)",
  .notes =
      "Needs rows by the hundred: a leaf is split when it is sure of the split. Memory grows with the leaves, not with "
      "the rows, which are not kept. fit is one batch, and batches of any size give what it gives. A split lowers the "
      "variance of y; a column is cut between 16 places that follow its values (Ben-Haim & Tom-Tov, JMLR 11, 2010). "
      "Lines go no further than y has been. Change is found by the test of Frias-Blanco et al. (2015) in place of "
      "ADWIN, "
      "in absolute errors over the mean distance of y from its mean. Of few rows MondrianForestRegressor learns more, "
      "but it does not forget.",
  .example = "local forest, points = ml.AdaptiveRandomForestRegressor { seed = 1 }, ml.random(2000, 2, 1)\n"
             "for i = 1, 2000 do\n"
             "   local a, b = points:get(i, 1), points:get(i, 2)\n"
             "   forest:partial_fit({ { a, b } }, { 3 * a - b })\n"
             "end\n"
             "print(forest:predict { { 0.2, 0.3 }, { 0.9, 0.8 } })",
  .capabilities = MN_REGRESS | MN_RANDOM | MN_ADDITIVE,
  .accepts = MN_WEIGHTS | MN_WEIGHTS_SCALE,
  .size = sizeof(mn_adaptive_forest),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = mn_adaptive_fit,
  .partial_fit = mn_adaptive_fit,
  .update = mn_adaptive_update,
  .predict = predict,
  .export = export,
  .check = mn_adaptive_check,
};
