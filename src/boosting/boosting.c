#include "boosting.h"
#include "../tree_growth/interaction_groups.h"
#include "boost_rows.h"
#include "dart.h"
#include "held_out.h"
#include <string.h>

const char *const mn_boost_grows[] = { "leaf", "depth", NULL };
const char *const mn_boost_stops[] = { "auto", "yes", "no", NULL };
const char *const mn_boosters[] = { "gbtree", "dart", NULL };
const char *const mn_dart_norms[] = { "tree", "forest", NULL };

enum { AUTO_ROWS = 10000, STREAM_TREES = 2 };

/* Where the mean is exp(f), the most that one tree may change f by, but for the learning rate. */
static const double largest_log_step = 10;

static bool has_log_link(mn_boost_loss_kind loss)
{
  return loss == MN_BOOST_POISSON || loss == MN_BOOST_GAMMA || loss == MN_BOOST_TWEEDIE;
}

static mn_status check_constraints(mn_context *ctx, const struct mn_boosting *m, const mn_data *data)
{
  const char *who = m->base.class->name;
  const mn_vector *monotone = &m->monotonic_cst;
  if (monotone->at && monotone->size != data->features)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: monotonic_cst must have a value for each of the %zu columns, got %zu",
                   who, data->features, monotone->size);
  for (size_t f = 0; f < monotone->size; f++) {
    if (monotone->at[f] != rint(monotone->at[f]))
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: monotonic_cst must be -1, 0 or 1, got %g at %zu", who, monotone->at[f],
                     f + 1);
    if (monotone->at[f] != 0 && data->levels && data->levels[f])
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: monotonic_cst must be 0 for a factor, got %g for column %zu", who,
                     monotone->at[f], f + 1);
  }
  return MN_OK;
}

/* What a row is in the limits of a leaf: 1, or the mean weight where that is less, so that weights which are shares do
 * not leave trees without splits. */
static double row_unit(const mn_boost_rows *rows)
{
  return fmin((double)rows->total * rows->count_unit / (double)rows->n, 1);
}

static mn_boost_rules rules_of(const struct mn_boosting *m, const mn_boost_rows *rows, const mn_matrix *together)
{
  return (mn_boost_rules){
    .grow = m->grow,
    .max_leaves = (size_t)m->max_leaf_nodes,
    .max_depth = m->max_depth == MN_UNSET ? SIZE_MAX : (size_t)m->max_depth,
    .least_count = fmax(m->min_samples_leaf * row_unit(rows) / rows->count_unit, 1),
    .all_count = (double)rows->total,
    .largest_value = has_log_link(rows->loss) ? largest_log_step : INFINITY,
    .least_hessian = m->min_child_weight * row_unit(rows),
    .l1 = m->l1_regularization,
    .l2 = m->l2_regularization,
    .gamma = m->min_split_gain,
    .rate = m->learning_rate,
    .smooth = m->cat_smooth,
    .colsample_tree = m->colsample_bytree,
    .colsample_level = m->colsample_bylevel,
    .colsample_node = m->colsample_bynode,
    .seed = m->seed,
    .monotone = m->monotonic_cst.size > 0 ? m->monotonic_cst.at : NULL,
    .together = together,
  };
}

static mn_status without_bound(mn_context *ctx, const struct mn_boosting *m)
{
  return mn_fail(ctx, MN_BAD_DATA, "%s: the predictions grow without bound; lower learning_rate, or scale y",
                 m->base.class->name);
}

/* One tree for each output, all from the gradients at the beginning of the round. */
static mn_status grow_round(mn_context *ctx, const struct mn_boosting *m, mn_boost_rows *rows, mn_grower *grower,
                            bool sets, uint64_t round, mn_boost_builder *trees)
{
  if (m->subsample < 1) MN_TRY(mn_boost_draw(ctx, rows, m->subsample, m->seed, round));
  for (size_t k = 0; k < rows->outputs; k++) {
    mn_boost_gradients gradients;
    if (!(rows->size[k].g_most < INFINITY && rows->size[k].h_sum < INFINITY)) return without_bound(ctx, m);
    MN_TRY(mn_boost_fix(ctx, rows, k, &gradients));
    MN_TRY(mn_boost_begin(ctx, trees, mn_grower_nodes(grower), sets));
    const uint64_t stream = STREAM_TREES + round * rows->outputs + k;
    MN_TRY(mn_boost_grow(ctx, grower, &gradients, stream, trees));
    MN_TRY(mn_boost_search(ctx, rows, grower, m, trees));
    bool overflows;
    MN_TRY(mn_boost_add(ctx, rows, k, grower, trees, &overflows));
    if (overflows) return without_bound(ctx, m);
  }
  return mn_boost_look(ctx, rows);
}

/* No loss of the last rounds is below the one before them by more than tol. */
static bool has_stalled(const struct mn_boosting *m, const double *held, size_t rounds)
{
  const size_t patience = (size_t)m->n_iter_no_change;
  if (rounds < patience + 1) return false;
  for (size_t k = rounds - patience; k < rounds; k++)
    if (held[k] < held[rounds - patience - 1] - m->tol) return false;
  return true;
}

/* Another round may be luckier. */
static bool draws(const struct mn_boosting *m)
{
  const double columns = fmin(m->colsample_bytree, fmin(m->colsample_bylevel, m->colsample_bynode));
  return m->subsample < 1 || columns < 1 || m->booster == MN_BOOSTER_DART;
}

/* NDCG is the same for many scores: only without gradients there is nothing more to learn. */
static bool has_converged(const struct mn_boosting *m, const mn_boost_rows *rows, const double *held)
{
  const mn_report *r = &m->base.report;
  if (rows->rank && !held) return r->n_iter > 0 && rows->size[0].g_most == 0;
  if (held) return has_stalled(m, held, (size_t)r->n_iter);
  return r->n_iter > 0 && !draws(m) && r->change == 0;
}

static mn_status keep_held(mn_context *ctx, struct mn_boosting *m, const double *held)
{
  const size_t rounds = (size_t)m->base.report.n_iter;
  mn_vector_free(mn_context_memory(ctx), &m->validation_trace);
  if (!held) return MN_OK;
  MN_TRY(mn_vector_init(ctx, &m->validation_trace, rounds));
  memcpy(m->validation_trace.at, held, rounds * sizeof *held);
  return MN_OK;
}

static mn_status learn(mn_context *ctx, struct mn_boosting *m, mn_boost_rows *rows, mn_grower *grower, bool sets,
                       mn_boost_builder *trees)
{
  mn_report *r = &m->base.report;
  double *held = rows->learns ? MN_RAW(ctx, double, (size_t)m->max_iter, 1) : NULL, before;
  mn_dart *dart = NULL;
  if (rows->learns && !held) return MN_NO_MEMORY;
  if (held && m->validation_trace.size > 0)
    memcpy(held, m->validation_trace.at, m->validation_trace.size * sizeof *held);
  r->advice = NULL; /* max_iter trees are what was ordered */
  if (m->booster == MN_BOOSTER_DART) MN_TRY(mn_dart_make(ctx, m, trees, rows, &dart));
  MN_TRY(mn_boost_look(ctx, rows));
  r->converged = has_converged(m, rows, held);
  while (!r->converged && r->n_iter < m->max_iter) {
    const size_t round = (size_t)r->n_iter;
    before = rows->learned;
    if (dart) MN_TRY(mn_dart_drop(ctx, dart));
    MN_TRY(grow_round(ctx, m, rows, grower, sets, round, trees));
    if (dart) MN_TRY(mn_dart_scale(ctx, dart));
    r->change = before - rows->learned;
    if (held) held[round] = rows->held;
    const bool go_on = mn_round(ctx, r, m->max_iter, rows->learned);
    r->converged = has_converged(m, rows, held);
    if (!go_on) break;
  }
  MN_TRY(mn_error_status(ctx));
  if (dart) MN_TRY(mn_dart_keep(ctx, dart));
  return keep_held(ctx, m, held);
}

static mn_status weigh_features(mn_context *ctx, struct mn_boosting *m)
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

static bool stops_early(const struct mn_boosting *m, const mn_boost_rows *r)
{
  const size_t rows = r->n, parts = r->rank ? r->rank->groups : rows;
  return parts > 1 && (m->early_stopping == MN_STOP_YES || (m->early_stopping == MN_STOP_AUTO && rows > AUTO_ROWS));
}

/* The scores of the trees that warm_start goes on from. */
static mn_status resume(mn_context *ctx, const struct mn_boosting *m, mn_boost_rows *rows)
{
  const char *who = m->base.class->name;
  const int64_t rounds = m->base.report.n_iter;
  if (m->max_iter < rounds)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: max_iter must be >= the %lld rounds that warm_start goes on from, got %lld", who,
                   (long long)rounds, (long long)m->max_iter);
  if (rows->learns && (int64_t)m->validation_trace.size != rounds)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: early_stopping must be as it was for warm_start to go on from %lld rounds", who,
                   (long long)rounds);
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_matrix raw = { .at = MN_NEW(ctx, double, rows->n, rows->outputs), .rows = rows->n, .cols = rows->outputs };
  MN_CHECK_ALLOC(raw.at);
  MN_TRY(mn_boosting_raw(ctx, m, rows->data, &raw));
  for (size_t k = 0; k < rows->outputs; k++)
    for (size_t i = 0; i < rows->n; i++) rows->score[k * rows->n + i] = mn_row(&raw, i)[k];
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status prepare(mn_context *ctx, struct mn_boosting *m, const mn_data *data, mn_boost_loss_kind loss,
                         double shape, mn_boost_rows *rows)
{
  const size_t outputs = mn_decisions(&m->base);
  if (data->rows > UINT32_MAX)
    return mn_fail(ctx, MN_BAD_DATA, "%s: X must have fewer than 2^32 rows, got %zu", m->base.class->name, data->rows);
  MN_TRY(check_constraints(ctx, m, data));
  MN_TRY(mn_boosted_check_init(ctx, &m->base, data, outputs));
  MN_TRY(mn_boost_rows_make(ctx, data, loss, shape, loss == MN_BOOST_SOFTMAX ? outputs : 1, rows));
  if (loss == MN_BOOST_RANK) {
    const size_t k = m->lambdarank_truncation_level == MN_UNSET ? SIZE_MAX : (size_t)m->lambdarank_truncation_level;
    MN_TRY(mn_lambda_rank_make(ctx, data, k, m->lambdarank_norm, &rows->rank));
  }
  if (stops_early(m, rows)) MN_TRY(mn_boost_hold_out(ctx, rows, m->validation_fraction, m->seed));
  if (m->subsample < 1) {
    rows->used = MN_RAW(ctx, uint8_t, data->rows, 1);
    MN_CHECK_ALLOC(rows->used);
  }
  if (m->base.fitted) return resume(ctx, m, rows);
  MN_TRY(mn_vector_init(ctx, &m->start, rows->outputs));
  return mn_boost_start(ctx, rows, m->start.at);
}

mn_status mn_boosting_fit(mn_context *ctx, struct mn_boosting *m, const mn_data *data, mn_boost_loss_kind loss,
                          double shape)
{
  const char *who = m->base.class->name;
  mn_boost_builder trees = { 0 };
  mn_boost_rows rows;
  mn_bins bins;
  mn_grower *grower;
  mn_matrix together;
  mn_data known = *data;
  if (m->base.fitted) MN_TRY(mn_known_levels(ctx, data, &known));
  data = &known;
  MN_TRY(prepare(ctx, m, data, loss, shape, &rows));
  MN_TRY(mn_bins_make(ctx, who, data, (size_t)m->max_bins, m->seed, &bins));
  const bool grouped = mn_groups_are_set(&m->interaction_cst);
  if (grouped) MN_TRY(mn_interaction_groups_make(ctx, &m->base, &m->interaction_cst, data->features, &together));
  const mn_boost_rules rules = rules_of(m, &rows, grouped ? &together : NULL);
  MN_TRY(mn_grower_make(ctx, &bins, &rules, &grower));
  MN_TRY(learn(ctx, m, &rows, grower, data->levels != NULL, &trees));
  MN_TRY(mn_boost_keep(ctx, who, &trees, &m->trees, &m->gain));
  return weigh_features(ctx, m);
}

bool mn_boosting_goes_on(const void *self)
{
  return ((const struct mn_boosting *)self)->warm_start;
}

mn_boosted mn_boosting_view(const struct mn_boosting *m)
{
  return (mn_boosted){ .model = &m->base,
                       .trees = &m->trees,
                       .start = &m->start,
                       .exponential = m->base.class->capabilities & MN_REGRESS && m->loss >= MN_BOOST_POISSON,
                       .undo = m->drop_factor.size > 0 ? mn_dart_undo : NULL };
}

mn_status mn_boosting_raw(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_boosted b = mn_boosting_view(self);
  return mn_boosted_raw(ctx, &b, data, out);
}

mn_status mn_boosting_check(mn_context *ctx, const void *self)
{
  const mn_boosted b = mn_boosting_view(self);
  MN_TRY(mn_boosted_check(ctx, &b));
  const size_t rounds = mn_trees_count(b.trees) / b.start->size;
  if (b.model->report.n_iter != (int64_t)rounds)
    return mn_fail(ctx, MN_BAD_FILE, "%s: %zu rounds of trees, not %lld", b.model->class->name, rounds,
                   (long long)b.model->report.n_iter);
  return mn_dart_check(ctx, self);
}
