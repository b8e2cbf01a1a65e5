#include "hist_gradient_boosting.h"
#include "../model/columns.h"
#include "../tree_growth/interaction_groups.h"
#include "boost_rows.h"
#include "dart.h"
#include "held_out.h"
#include <string.h>

const char *const mn_boost_growth_orders[] = { "leaf", "depth", NULL };
const char *const mn_boost_stop_choices[] = { "auto", "yes", "no", NULL };
const char *const mn_boosters[] = { "gbtree", "dart", NULL };
const char *const mn_dart_normalizations[] = { "tree", "forest", NULL };
const char *const mn_tree_methods[] = { "hist", "exact", NULL };

enum { EARLY_STOPPING_ROWS = 10000, STREAM_TREES = 2 };

/* With a log link, maximum change of f by one tree, before the learning rate. */
static const double max_log_step = 10;

static bool has_log_link(mn_boost_loss_kind loss)
{
  return loss == MN_BOOST_POISSON || loss == MN_BOOST_GAMMA || loss == MN_BOOST_TWEEDIE;
}

/* These losses set leaf values by a line search, so a step of the gradient is not in the unit of y. */
static bool has_line_search(mn_boost_loss_kind loss)
{
  return loss == MN_BOOST_ABSOLUTE || loss == MN_BOOST_QUANTILE || loss == MN_BOOST_HUBER;
}

static double max_leaf_value(const struct mn_hist_gradient_boosting *m, mn_boost_loss_kind loss)
{
  if (m->max_delta_step > 0 && !has_line_search(loss)) return m->max_delta_step;
  return has_log_link(loss) ? max_log_step : INFINITY;
}

static mn_status check_base_score(mn_context *ctx, const struct mn_hist_gradient_boosting *m, mn_boost_loss_kind loss)
{
  const double score = m->base_score;
  char number[MN_NUMBER_SIZE];
  if (loss == MN_BOOST_LOGISTIC && !(isnan(score) || (score > 0 && score < 1)))
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: base_score must be a probability above 0 and below 1 for two classes, got %s",
                   m->base.class->name, mn_format_number(number, score));
  if (has_log_link(loss) && !(isnan(score) || score > 0))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: base_score must be > 0 for a loss with a log link, got %s",
                   m->base.class->name, mn_format_number(number, score));
  return MN_OK;
}

/* The monotonic constraint of each feature; NULL without any. */
static mn_status find_constraints(mn_context *ctx, const struct mn_hist_gradient_boosting *m, const mn_data *data,
                                  const double **monotone)
{
  const char *who = m->base.class->name;
  MN_TRY(mn_find_column_values(ctx, &m->base, "monotonic_cst", &m->monotonic_cst, 0, monotone));
  for (size_t f = 0; *monotone && f < data->features; f++) {
    const double value = (*monotone)[f];
    if (value != rint(value))
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: monotonic_cst must be -1, 0 or 1, got %g at %zu", who, value, f + 1);
    if (value != 0 && data->levels && data->levels[f])
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: monotonic_cst must be 0 for a factor, got %g for feature %zu", who,
                     value, f + 1);
  }
  return MN_OK;
}

/* Unit of min_samples_leaf and min_child_weight: 1, or the mean weight if that is smaller, so that weights that sum to
 * 1 do not prevent all splits. */
static double weight_unit(const mn_boost_rows *rows)
{
  return fmin((double)rows->total_count * rows->count_unit / (double)rows->n, 1);
}

static mn_boost_settings settings_of(const struct mn_hist_gradient_boosting *m, const mn_boost_rows *rows,
                                     const mn_matrix *interaction_groups)
{
  return (mn_boost_settings){
    .grow = m->grow,
    .max_leaves = (size_t)m->max_leaf_nodes,
    .max_depth = m->max_depth == MN_UNSET ? SIZE_MAX : (size_t)m->max_depth,
    .min_count = fmax(m->min_samples_leaf * weight_unit(rows) / rows->count_unit, 1),
    .total_count = (double)rows->total_count,
    .max_value = max_leaf_value(m, rows->loss),
    .min_hessian = m->min_child_weight * weight_unit(rows),
    .l1 = m->l1_regularization,
    .l2 = m->l2_regularization,
    .gamma = m->prune ? 0 : m->min_split_gain,
    .prune_gain = m->prune ? m->min_split_gain : 0,
    .learning_rate = m->learning_rate,
    .cat_smooth = m->cat_smooth,
    .colsample_tree = m->colsample_bytree,
    .colsample_level = m->colsample_bylevel,
    .colsample_node = m->colsample_bynode,
    .seed = m->seed,
    .monotone = rows->monotone,
    .interaction_groups = interaction_groups,
  };
}

static mn_status diverges(mn_context *ctx, const struct mn_hist_gradient_boosting *m)
{
  return mn_fail(ctx, MN_BAD_DATA, "%s: the predictions diverge; decrease learning_rate or rescale y",
                 m->base.class->name);
}

/* Grow one tree for each output, all from the gradients at the beginning of the round. */
static mn_status grow_round(mn_context *ctx, const struct mn_hist_gradient_boosting *m, mn_boost_rows *rows,
                            mn_grower *grower, bool sets, uint64_t round, mn_boost_builder *trees)
{
  if (m->subsample < 1) MN_TRY(mn_boost_sample_rows(ctx, rows, m->subsample, m->seed, round));
  for (size_t k = 0; k < rows->outputs; k++) {
    mn_boost_gradients gradients;
    if (!(rows->stats[k].g_max < INFINITY && rows->stats[k].h_sum < INFINITY)) return diverges(ctx, m);
    MN_TRY(mn_boost_quantize_gradients(ctx, rows, k, &gradients));
    MN_TRY(mn_boost_begin_tree(ctx, trees, mn_grower_max_nodes(grower), sets));
    const uint64_t stream = STREAM_TREES + round * rows->outputs + k;
    MN_TRY(mn_boost_grow(ctx, grower, &gradients, stream, trees));
    MN_TRY(mn_boost_optimize_leaves(ctx, rows, grower, m, trees));
    bool overflows;
    MN_TRY(mn_boost_update_scores(ctx, rows, k, grower, trees, &overflows));
    if (overflows) return diverges(ctx, m);
    if (rows->eval) MN_TRY(mn_boost_update_eval(ctx, rows->eval, k, trees));
  }
  return mn_boost_update_gradients(ctx, rows);
}

/* Whether none of the last n_iter_no_change losses is below the one before them by more than tol. */
static bool has_stalled(const struct mn_hist_gradient_boosting *m, const double *trace, size_t rounds)
{
  const size_t patience = (size_t)m->n_iter_no_change;
  if (rounds < patience + 1) return false;
  for (size_t k = rounds - patience; k < rounds; k++)
    if (trace[k] < trace[rounds - patience - 1] - m->tol) return false;
  return true;
}

/* With random draws, a round without progress may be followed by one with progress. */
static bool is_random(const struct mn_hist_gradient_boosting *m)
{
  const double columns = fmin(m->colsample_bytree, fmin(m->colsample_bylevel, m->colsample_bynode));
  return m->subsample < 1 || columns < 1 || m->booster == MN_BOOSTER_DART;
}

/* NDCG is constant over ranges of scores, so ranking converges only when all gradients are 0. */
static bool has_converged(const struct mn_hist_gradient_boosting *m, const mn_boost_rows *rows, const double *trace)
{
  const mn_report *r = &m->base.report;
  if (m->early_stopping == MN_STOP_NEVER) trace = NULL; /* an evaluation set is recorded only */
  if (rows->rank && !trace) return r->n_iter > 0 && rows->stats[0].g_max == 0;
  if (trace) return has_stalled(m, trace, (size_t)r->n_iter);
  return r->n_iter > 0 && !is_random(m) && r->change == 0;
}

static mn_status store_validation_trace(mn_context *ctx, struct mn_hist_gradient_boosting *m, const double *trace)
{
  const size_t rounds = (size_t)m->base.report.n_iter;
  mn_vector_free(mn_context_memory(ctx), &m->validation_trace);
  if (!trace) return MN_OK;
  MN_TRY(mn_vector_init(ctx, &m->validation_trace, rounds));
  memcpy(m->validation_trace.at, trace, rounds * sizeof *trace);
  return MN_OK;
}

static mn_status boost(mn_context *ctx, struct mn_hist_gradient_boosting *m, mn_boost_rows *rows, mn_grower *grower,
                       bool sets, mn_boost_builder *trees)
{
  mn_report *r = &m->base.report;
  const bool validates = rows->in_training || rows->eval;
  double *trace = validates ? MN_RAW(ctx, double, (size_t)m->max_iter, 1) : NULL, before;
  mn_dart *dart = NULL;
  if (validates && !trace) return MN_NO_MEMORY;
  if (trace && m->validation_trace.size > 0)
    memcpy(trace, m->validation_trace.at, m->validation_trace.size * sizeof *trace);
  r->advice = NULL; /* reaching max_iter is not a failure to converge */
  if (m->booster == MN_BOOSTER_DART) MN_TRY(mn_dart_make(ctx, m, trees, rows, &dart));
  MN_TRY(mn_boost_update_gradients(ctx, rows));
  r->converged = has_converged(m, rows, trace);
  while (!r->converged && r->n_iter < m->max_iter) {
    const size_t round = (size_t)r->n_iter;
    before = rows->train_loss;
    if (dart) MN_TRY(mn_dart_drop(ctx, dart));
    MN_TRY(grow_round(ctx, m, rows, grower, sets, round, trees));
    if (dart) MN_TRY(mn_dart_scale(ctx, dart));
    r->change = before - rows->train_loss;
    if (trace) trace[round] = rows->validation_loss;
    const bool proceed = mn_round(ctx, r, m->max_iter, rows->train_loss);
    r->converged = has_converged(m, rows, trace);
    if (!proceed) break;
  }
  MN_TRY(mn_error_status(ctx));
  if (dart) MN_TRY(mn_dart_store(ctx, dart));
  return store_validation_trace(ctx, m, trace);
}

static mn_status compute_importances(mn_context *ctx, struct mn_hist_gradient_boosting *m)
{
  double total = 0;
  mn_vector_free(mn_context_memory(ctx), &m->feature_importances);
  MN_TRY(mn_vector_init(ctx, &m->feature_importances, m->base.n_features));
  for (size_t i = 0; i < m->gain.size; i++) {
    m->feature_importances.at[m->trees.node.at[MN_NODE_WORDS * i + 2]] += m->gain.at[i];
    total += m->gain.at[i];
  }
  for (size_t f = 0; f < m->feature_importances.size && total > 0; f++) m->feature_importances.at[f] /= total;
  return MN_OK;
}

static bool stops_early(const struct mn_hist_gradient_boosting *m, const mn_boost_rows *r)
{
  const size_t rows = r->n, parts = r->rank ? r->rank->groups : rows;
  return parts > 1 && !r->data->eval &&
         (m->early_stopping == MN_STOP_ALWAYS || (m->early_stopping == MN_STOP_AUTO && rows > EARLY_STOPPING_ROWS));
}

/* Scores of the existing trees. */
static mn_status resume_scores(mn_context *ctx, const struct mn_hist_gradient_boosting *m, mn_boost_rows *rows)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_matrix raw = { .at = MN_NEW(ctx, double, rows->n, rows->outputs), .rows = rows->n, .cols = rows->outputs };
  MN_CHECK_ALLOC(raw.at);
  MN_TRY(mn_hist_gradient_boosting_raw(ctx, m, rows->data, &raw));
  for (size_t k = 0; k < rows->outputs; k++)
    for (size_t i = 0; i < rows->n; i++) rows->score[k * rows->n + i] = mn_row(&raw, i)[k];
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Continue a fit (warm_start). */
static mn_status resume(mn_context *ctx, const struct mn_hist_gradient_boosting *m, mn_boost_rows *rows)
{
  const char *who = m->base.class->name;
  const int64_t rounds = m->base.report.n_iter;
  if (m->max_iter < rounds)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: max_iter must be at least the %lld rounds already fitted (warm_start), got %lld", who,
                   (long long)rounds, (long long)m->max_iter);
  if ((rows->in_training || rows->data->eval) && (int64_t)m->validation_trace.size != rounds)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: early_stopping and eval must be the same as in the first %lld rounds (warm_start)", who,
                   (long long)rounds);
  MN_TRY(resume_scores(ctx, m, rows));
  return rows->eval ? resume_scores(ctx, m, rows->eval) : MN_OK;
}

static mn_status make_rows(mn_context *ctx, const struct mn_hist_gradient_boosting *m, const mn_data *data,
                           mn_boost_loss_kind loss, double shape, mn_boost_rows *rows)
{
  const size_t k = m->lambdarank_truncation_level == MN_UNSET ? SIZE_MAX : (size_t)m->lambdarank_truncation_level;
  const size_t outputs = loss == MN_BOOST_SOFTMAX ? mn_decisions(&m->base) : 1;
  MN_TRY(mn_boost_rows_make(ctx, data, loss, shape, outputs, rows));
  rows->exact = m->tree_method == MN_METHOD_EXACT;
  return loss == MN_BOOST_RANK ? mn_lambda_rank_make(ctx, data, k, m->lambdarank_norm, &rows->rank) : MN_OK;
}

static mn_status prepare(mn_context *ctx, struct mn_hist_gradient_boosting *m, const mn_data *data,
                         mn_boost_loss_kind loss, double shape, mn_boost_rows *rows)
{
  if (data->rows > UINT32_MAX)
    return mn_fail(ctx, MN_BAD_DATA, "%s: X must have fewer than 2^32 rows, got %zu", m->base.class->name, data->rows);
  const double *monotone;
  MN_TRY(find_constraints(ctx, m, data, &monotone));
  MN_TRY(check_base_score(ctx, m, loss));
  MN_TRY(mn_boosted_check_init_score(ctx, &m->base, data, mn_decisions(&m->base)));
  MN_TRY(make_rows(ctx, m, data, loss, shape, rows));
  rows->monotone = monotone;
  if (data->eval) {
    rows->eval = MN_NEW(ctx, mn_boost_rows, 1, 1);
    MN_CHECK_ALLOC(rows->eval);
    MN_TRY(make_rows(ctx, m, data->eval, loss, shape, rows->eval));
  }
  if (stops_early(m, rows)) MN_TRY(mn_boost_hold_out(ctx, rows, m->validation_fraction, m->seed));
  if (m->subsample < 1) {
    rows->in_round = MN_RAW(ctx, uint8_t, data->rows, 1);
    MN_CHECK_ALLOC(rows->in_round);
  }
  if (m->base.fitted) return resume(ctx, m, rows);
  MN_TRY(mn_vector_init(ctx, &m->start, rows->outputs));
  MN_TRY(mn_boost_init_scores(ctx, rows, m->base_score, m->start.at));
  return rows->eval ? mn_boost_set_scores(ctx, rows->eval, m->start.at) : MN_OK;
}

mn_status mn_hist_gradient_boosting_fit(mn_context *ctx, struct mn_hist_gradient_boosting *m, const mn_data *data,
                                        mn_boost_loss_kind loss, double shape)
{
  const char *who = m->base.class->name;
  mn_boost_builder trees = { 0 };
  mn_boost_rows rows;
  mn_bins bins;
  mn_sorted_columns *sorted = NULL;
  mn_grower *grower;
  mn_matrix interaction_groups;
  mn_data known = *data;
  if (m->base.fitted) MN_TRY(mn_mask_unknown_levels(ctx, data, &known));
  data = &known;
  MN_TRY(prepare(ctx, m, data, loss, shape, &rows));
  if (m->tree_method == MN_METHOD_EXACT)
    MN_TRY(mn_sorted_columns_make(ctx, who, data, &bins, &sorted));
  else
    MN_TRY(mn_bins_make(ctx, who, data, (size_t)m->max_bins, m->seed, &bins));
  const bool grouped = mn_groups_are_set(&m->interaction_cst);
  if (grouped)
    MN_TRY(mn_interaction_groups_make(ctx, &m->base, &m->interaction_cst, data->features, &interaction_groups));
  const mn_boost_settings settings = settings_of(m, &rows, grouped ? &interaction_groups : NULL);
  MN_TRY(mn_grower_make(ctx, &bins, sorted, &settings, &grower));
  MN_TRY(boost(ctx, m, &rows, grower, data->levels != NULL, &trees));
  MN_TRY(mn_boost_store_trees(ctx, who, &trees, &m->trees, &m->gain));
  MN_TRY(mn_hist_gradient_boosting_derive(ctx, m));
  return compute_importances(ctx, m);
}
