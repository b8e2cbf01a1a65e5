#include "model.h"
#include "../model/columns.h"
#include "../linear/linear.h"
#include "../stats/argsort.h"
#include "../tree_growth/quantized_columns.h"
#include "../tree_growth/interaction_groups.h"
#include "../tree_structure/shap.h"
#include "../tree_structure/tree_predict.h"

const char *const mn_class_criteria[] = { "gini", "entropy", "log_loss", NULL };
const char *const mn_real_criteria[] = { "squared_error", "friedman_mse", "poisson", "absolute_error", NULL };
const char *const mn_splitters[] = { "best", "random", NULL };

size_t mn_tree_width(const mn_tree_model *m)
{
  return m->base.classes ? mn_levels_size(m->base.classes) : m->base.n_targets;
}

static mn_criterion tree_criterion(const mn_tree_model *m)
{
  static const mn_criterion of_classes[] = { MN_CRITERION_GINI, MN_CRITERION_ENTROPY, MN_CRITERION_ENTROPY };
  static const mn_criterion of_reals[] = { MN_CRITERION_SQUARED_ERROR, MN_CRITERION_FRIEDMAN_MSE, MN_CRITERION_POISSON,
                                           MN_CRITERION_ABSOLUTE_ERROR };
  return m->base.classes ? of_classes[m->criterion] : of_reals[m->criterion];
}

/* --- y --- */

static mn_status check_y(mn_context *ctx, const mn_tree_model *m, const mn_data *data, mn_criterion criterion)
{
  const char *who = m->base.class->name;
  double sum = 0;
  char number[MN_NUMBER_SIZE];
  if (criterion == MN_CRITERION_ABSOLUTE_ERROR && data->y.cols > 1)
    return mn_fail(ctx, MN_BAD_DATA, "%s: y must have 1 column with criterion absolute_error, got %zu", who,
                   data->y.cols);
  MN_TRY(mn_check_y_magnitudes(ctx, &m->base, data));
  if (criterion != MN_CRITERION_POISSON) return MN_OK;
  for (size_t i = 0; i < data->rows * data->y.cols; i++) {
    sum += data->y.at[i];
    if (data->y.at[i] < 0)
      return mn_fail(ctx, MN_BAD_DATA, "%s: y must be >= 0 with criterion poisson, got %s in row %zu", who,
                     mn_format_number(number, data->y.at[i]), i / data->y.cols + 1);
  }
  if (sum > 0) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA, "%s: y must have a value > 0 with criterion poisson, got only 0", who);
}

/* Center y, so that sums of squares lose no digits. */
static mn_status center_y(mn_context *ctx, const mn_data *data, mn_tree_problem *problem)
{
  const size_t n = data->rows, k = data->y.cols;
  mn_split_settings *settings = &problem->settings.split;
  double *center = MN_NEW(ctx, double, k, 1), *y = MN_RAW(ctx, double, n, k);
  if (!center || !y) return MN_NO_MEMORY;
  for (size_t i = 0; i < n && settings->criterion != MN_CRITERION_POISSON; i++) {
    if (i % MN_CHUNK == 0) MN_TRY(mn_poll(ctx));
    for (size_t t = 0; t < k; t++) center[t] += mn_weight(data, i) / problem->total_weight * data->y.at[i * k + t];
  }
  for (size_t i = 0; i < n * k; i++) y[i] = data->y.at[i] - center[i % k];
  settings->center = center;
  problem->view.y = y;
  if (settings->criterion != MN_CRITERION_ABSOLUTE_ERROR) return MN_OK;
  uint32_t *rank = MN_RAW(ctx, uint32_t, n, 1), at = 0;
  const mn_mark mark = mn_scratch_mark(ctx);
  uint64_t *buffer = MN_RAW(ctx, uint64_t, n, 2);
  size_t numbers;
  if (!rank || !buffer) return MN_NO_MEMORY;
  const uint32_t *order = mn_argsort_numbers(&(mn_cancel_token){ .ctx = ctx }, n, y, 1, buffer, &numbers);
  if (!order) return mn_poll(ctx);
  for (size_t i = 0; i < n; i++) {
    if (i > 0 && !(order[i] & MN_TIED)) at++;
    rank[order[i] & ~MN_TIED] = at;
  }
  mn_scratch_release(ctx, mark);
  problem->view.y_rank = rank;
  return MN_OK;
}

/* Tabulate x log x of integers if all weights are integers. */
static mn_status tabulate_x_log_x(mn_context *ctx, const mn_data *data, mn_tree_problem *problem)
{
  const double max_size = 1 << 22;
  if (problem->settings.split.criterion != MN_CRITERION_ENTROPY || !(problem->total_weight < max_size)) return MN_OK;
  for (size_t i = 0; data->weights && i < data->rows; i++)
    if (data->weights[i] < floor(data->weights[i]) || data->weights[i] > floor(data->weights[i])) return MN_OK;
  const size_t size = (size_t)problem->total_weight + 1;
  double *table = MN_NEW(ctx, double, size, 1);
  MN_CHECK_ALLOC(table);
  for (size_t i = 1; i < size; i++) table[i] = (double)i * log((double)i);
  problem->settings.split.x_log_x = table;
  problem->settings.split.x_log_x_size = size;
  return MN_OK;
}

/* --- settings --- */

/* A count, or a share of `all` if the value is below 1. */
static mn_status resolve_count(mn_context *ctx, const mn_tree_model *m, const char *name, double value, double all,
                               double *out)
{
  char number[MN_NUMBER_SIZE];
  *out = value < 1 ? ceil(value * all) : value;
  if (value < 1 || !(value > floor(value))) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must be an integer >= 1 or a share below 1, got %s", m->base.class->name,
                 name, mn_format_number(number, value));
}

static mn_status read_monotone(mn_context *ctx, const mn_tree_model *m, size_t features, const int8_t **out)
{
  const char *who = m->base.class->name;
  const double *given;
  char number[MN_NUMBER_SIZE];
  MN_TRY(mn_find_column_values(ctx, &m->base, "monotonic_cst", &m->monotonic_cst, 0, &given));
  if (!given) return MN_OK;
  if (mn_tree_width(m) > (m->base.classes ? 2 : 1))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: monotonic_cst requires %s, got %zu", who,
                   m->base.classes ? "two classes" : "one target", mn_tree_width(m));
  int8_t *monotone = MN_RAW(ctx, int8_t, features, 1);
  MN_CHECK_ALLOC(monotone);
  for (size_t j = 0; j < features; j++) {
    if (fabs(given[j]) > 0 && fabs(given[j]) < 1)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: monotonic_cst must be -1, 0 or 1, got %s for column %zu", who,
                     mn_format_number(number, given[j]), j + 1);
    monotone[j] = (int8_t)given[j];
    if (monotone[j] != 0 && m->base.feature_levels.size > 0 && m->base.feature_levels.at[j])
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: monotonic_cst must be 0 for a factor, got %d for column %zu", who,
                     monotone[j], j + 1);
  }
  *out = monotone;
  return MN_OK;
}

static mn_status read_groups(mn_context *ctx, const mn_tree_model *m, size_t features, const uint64_t **out)
{
  mn_matrix groups;
  if (!mn_groups_are_set(&m->interaction_cst)) return MN_OK;
  MN_TRY(mn_interaction_groups_make(ctx, &m->base, &m->interaction_cst, features, &groups));
  return mn_interaction_group_bits(ctx, m->base.class->name, &groups, out);
}

static size_t limit_or(int64_t value, size_t unset)
{
  return value == MN_UNSET ? unset : (size_t)value;
}

static mn_status read_settings(mn_context *ctx, const mn_tree_model *m, const mn_data *data, size_t features,
                               mn_tree_problem *problem)
{
  mn_growth_settings *g = &problem->settings;
  double rows = 0, max_features = (double)features;
  for (size_t i = 0; i < data->rows; i++) rows += fmax(1, mn_weight(data, i));
  if (!isnan(m->max_features))
    MN_TRY(resolve_count(ctx, m, "max_features", m->max_features, (double)data->features, &max_features));
  MN_TRY(resolve_count(ctx, m, "min_samples_split", m->min_samples_split, rows, &g->min_split_rows));
  MN_TRY(resolve_count(ctx, m, "min_samples_leaf", m->min_samples_leaf, rows, &g->split.min_leaf_rows));
  MN_TRY(read_monotone(ctx, m, data->features, &g->split.monotone));
  MN_TRY(read_groups(ctx, m, data->features, &g->split.groups));
  g->min_split_rows = fmax(2, g->min_split_rows);
  g->max_features = max_features < (double)data->features ? (size_t)fmax(1, max_features) : data->features;
  g->max_depth = limit_or(m->max_depth, SIZE_MAX);
  g->max_leaves = limit_or(m->max_leaf_nodes, 0);
  g->min_decrease = m->min_impurity_decrease;
  g->split.min_leaf_weight = m->min_weight_fraction_leaf * problem->total_weight;
  return MN_OK;
}

mn_status mn_tree_problem_make(mn_context *ctx, const mn_tree_model *m, const mn_data *data, size_t features,
                               bool random, mn_tree_problem *problem)
{
  *problem = (mn_tree_problem){
    .settings.split = { .criterion = tree_criterion(m), .random_thresholds = random, .width = mn_tree_width(m) }
  };
  problem->total_weight = mn_total_weight(data);
  MN_TRY(read_settings(ctx, m, data, features, problem));
  if (!m->base.classes) MN_TRY(check_y(ctx, m, data, problem->settings.split.criterion));
  MN_TRY(mn_tree_columns_make(ctx, m->base.class->name, data, random ? MN_COLUMNS_VALUES : MN_COLUMNS_RANKS,
                              &problem->columns));
  if (random && data->features / 16 <= problem->settings.max_features)
    MN_TRY(mn_quantize_columns(ctx, &problem->columns));
  problem->settings.split.columns = &problem->columns;
  problem->view =
      (mn_training_view){ .rank = problem->columns.rank, .value = problem->columns.value, .stride = data->rows };
  if (!m->base.classes) return center_y(ctx, data, problem);
  problem->view.code = data->code;
  return tabulate_x_log_x(ctx, data, problem);
}

/* --- use --- */

enum { ROWS_PER_POLL = 256 };

static double tree_share(const mn_tree_model *m)
{
  return 1 / (double)mn_trees_count(&m->trees);
}

mn_status mn_log_shares(mn_context *ctx, mn_matrix *sums)
{
  for (size_t i = 0; i < sums->rows; i++) {
    double *row = mn_row(sums, i), sum = 0;
    if (i % ROWS_PER_POLL == 0) MN_TRY(mn_poll(ctx));
    for (size_t c = 0; c < sums->cols; c++) sum += row[c];
    for (size_t c = 0; c < sums->cols; c++) row[c] = log(row[c] / sum);
  }
  return MN_OK;
}

mn_status mn_tree_log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_tree_model *m = self;
  MN_TRY(mn_trees_sum(ctx, &m->trees, data, out->cols, 1, out));
  return mn_log_shares(ctx, out);
}

mn_status mn_tree_predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_tree_model *m = self;
  return mn_trees_sum(ctx, &m->trees, data, out->cols, tree_share(m), out);
}

mn_status mn_tree_shap(mn_context *ctx, const void *self, const mn_data *data, const void *options, mn_results *results)
{
  (void)options;
  const mn_tree_model *m = self;
  const size_t width = mn_tree_width(m);
  const double scale = tree_share(m);
  mn_matrix *values;
  mn_vector *base;
  MN_TRY(mn_result_matrix(ctx, results, "values", data->rows, width * data->features, &values));
  MN_TRY(mn_result_vector(ctx, results, "base", width, &base));
  MN_TRY(mn_trees_expected_value(ctx, &m->trees, width, width, scale, base->at));
  return mn_trees_shap(ctx, &m->trees, data, width, width, scale, values);
}

mn_status mn_tree_tables(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  (void)data;
  (void)options;
  const mn_tree_model *m = self;
  return mn_node_tables_wide(ctx, &m->base, &m->trees, mn_tree_width(m), results);
}

mn_status mn_tree_apply(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results)
{
  (void)options;
  const mn_tree_model *m = self;
  const size_t trees = mn_trees_count(&m->trees);
  int32_t *leaf = MN_RAW(ctx, int32_t, data->rows, trees);
  mn_matrix *out;
  mn_indexes *one;
  MN_CHECK_ALLOC(leaf);
  MN_TRY(mn_trees_leaves(ctx, &m->trees, data, leaf));
  if (trees == 1) {
    MN_TRY(mn_result_indexes(ctx, results, "leaf", data->rows, &one));
    memcpy(one->at, leaf, data->rows * sizeof *leaf);
    return MN_OK;
  }
  MN_TRY(mn_result_matrix(ctx, results, "leaves", data->rows, trees, &out));
  mn_chunk p = { 0 };
  while (mn_next_chunk(&(mn_cancel_token){ .ctx = ctx }, data->rows * trees, &p))
    for (size_t i = p.begin; i < p.end; i++) out->at[i] = leaf[i] + 1;
  return mn_error_status(ctx);
}

void mn_add_importances(const mn_grown_tree *tree, double *importance)
{
  for (size_t i = 0; i < tree->nodes; i++) {
    const int32_t *w = tree->node + MN_NODE_WORDS * i;
    const size_t left = mn_node_left(w);
    if (left == 0) continue;
    const double before = tree->cover[i] * tree->impurity[i];
    const double after = tree->cover[left] * tree->impurity[left] + tree->cover[left + 1] * tree->impurity[left + 1];
    importance[mn_node_feature(w)] += (before - after) / tree->cover[0];
  }
}

mn_status mn_tree_model_check(mn_context *ctx, const void *self)
{
  const mn_tree_model *m = self;
  return mn_trees_check(ctx, &m->base, &m->trees, mn_tree_width(m));
}
