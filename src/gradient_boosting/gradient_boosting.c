#include "gradient_boosting.h"
#include "../core/rng.h"
#include "../boosting/held_out.h"
#include "../tree_structure/tree_predict.h"
#include <string.h>

enum { STREAM_ROWS, STREAM_TREES, STREAM_HELD_OUT };

const char *const mn_boost_init_choices[] = { "constant", "zero", NULL };

/* One value per round, in scratch. */
struct series {
  double *at;
  size_t size, capacity;
};

struct boosting {
  mn_gradient_boosting *m;
  mn_data train, held_out; /* held_out: the evaluation set or held-out rows; rows is 0 if there are none */
  mn_gradient_loss train_loss, validation_loss;
  mn_tree_problem problem;
  mn_grow_workspace *workspace;
  double center, first_oob;
  double *weight; /* rows: 0 if not drawn; NULL: all 1 */
  uint8_t *used;  /* rows: 1 if drawn; NULL: all are */
  mn_grown_tree *tree;
  size_t trees, tree_capacity;
  int32_t *leaf; /* leaf of each training row, then of each held-out row, in the tree just grown */
  struct series train_score, oob_scores, oob_improvement, validation_trace;
};

static mn_status append(mn_context *ctx, struct series *s, double value)
{
  if (s->size == s->capacity) {
    const size_t capacity = s->capacity > 0 ? 2 * s->capacity : 64;
    double *at = MN_GROW(ctx, s->at, s->size, capacity);
    MN_CHECK_ALLOC(at);
    s->at = at;
    s->capacity = capacity;
  }
  s->at[s->size++] = value;
  return MN_OK;
}

static mn_status reserve_trees(mn_context *ctx, struct boosting *b, size_t more)
{
  if (b->trees + more <= b->tree_capacity) return MN_OK;
  const size_t capacity = 2 * (b->trees + more);
  mn_grown_tree *tree = MN_GROW(ctx, b->tree, b->trees, capacity);
  MN_CHECK_ALLOC(tree);
  b->tree = tree;
  b->tree_capacity = capacity;
  return MN_OK;
}

/* --- one tree --- */

/* Draw rows, or whole groups, without replacement; the others are out-of-bag. */
static void draw_rows(struct boosting *b, size_t round)
{
  const mn_lambda_rank *rank = b->train_loss.rank;
  const size_t n = rank ? rank->groups : b->train.rows;
  size_t wanted = (size_t)(b->m->subsample * (double)n);
  mn_rng rng = mn_stream(b->m->tree.seed, STREAM_ROWS + 3 * round);
  if (wanted == 0) wanted = 1;
  for (size_t i = 0; i < n; i++) {
    const bool drawn = mn_random_below(&rng, n - i) < wanted;
    const size_t end = rank ? rank->begin[i + 1] : i + 1;
    wanted -= drawn;
    for (size_t row = rank ? rank->begin[i] : i; row < end; row++) {
      b->used[row] = drawn;
      b->weight[row] = drawn ? mn_weight(&b->train, row) : 0;
    }
  }
}

/* Use the centered negative gradients of output k as the target of the next tree. */
static void set_targets(struct boosting *b, size_t k, double *y)
{
  const double *target = b->train_loss.negative_gradient + k * b->train_loss.n, *weight = b->weight;
  double total = 0, mean = 0;
  for (size_t i = 0; i < b->train_loss.n; i++) {
    const double w = weight ? weight[i] : 1;
    if (!(w > 0)) continue;
    total += w;
    mean += w / total * (target[i] - mean);
  }
  for (size_t i = 0; i < b->train_loss.n; i++) y[i] = target[i] - mean;
  b->center = mean;
  b->problem.settings.split.min_leaf_weight = b->m->tree.min_weight_fraction_leaf * total;
}

/* Group the rows used in the round by leaf: those of node i are row[start[i]] .. row[start[i + 1] - 1]. */
static void group_by_leaf(const struct boosting *b, size_t nodes, uint32_t *start, uint32_t *row)
{
  const size_t n = b->train_loss.n;
  memset(start, 0, (nodes + 1) * sizeof *start);
  for (size_t i = 0; i < n; i++) start[b->leaf[i]] += !b->used || b->used[i];
  for (size_t i = 1; i <= nodes; i++) start[i] += start[i - 1];
  for (size_t i = n; i-- > 0;)
    if (!b->used || b->used[i]) row[--start[b->leaf[i]]] = (uint32_t)i;
}

/* Line search: set each leaf to its optimal value times the learning rate. */
static mn_status set_leaf_values(mn_context *ctx, struct boosting *b, size_t k, mn_grown_tree *tree)
{
  uint32_t *start = MN_RAW(ctx, uint32_t, tree->nodes + 1, 1), *row = MN_RAW(ctx, uint32_t, b->train_loss.n, 1);
  if (!start || !row) return MN_NO_MEMORY;
  group_by_leaf(b, tree->nodes, start, row);
  for (size_t i = 0; i < tree->nodes; i++) {
    int32_t *w = tree->node + MN_NODE_WORDS * i;
    double value;
    if (mn_node_left(w) > 0) continue;
    MN_TRY(mn_poll(ctx));
    MN_TRY(mn_gradient_loss_leaf_value(ctx, &b->train_loss, k, row + start[i], start[i + 1] - start[i], mn_node_real(w),
                                       &value));
    mn_node_set_leaf(w, b->m->learning_rate * value);
  }
  return MN_OK;
}

static mn_status add_tree(const struct boosting *b, const mn_grown_tree *tree, const int32_t *leaf,
                          mn_gradient_loss *loss, size_t k, mn_context *ctx)
{
  double *score = loss->score + k * loss->n;
  for (size_t i = 0; i < loss->n; i++) {
    score[i] += mn_node_real(tree->node + MN_NODE_WORDS * (size_t)leaf[i]);
    if (!(fabs(score[i]) < 1e300))
      return mn_fail(ctx, MN_BAD_DATA, "%s: the predictions diverge; decrease learning_rate or rescale y",
                     b->m->tree.base.class->name);
  }
  return MN_OK;
}

/* Find the leaf of each row in a tree that is not stored in the model yet. */
static mn_status find_leaves(mn_context *ctx, struct boosting *b, const mn_grown_tree *tree)
{
  int32_t ends[2] = { 0, (int32_t)tree->nodes };
  const mn_trees one = { .root = { ends, 2 },
                         .node = { tree->node, MN_NODE_WORDS * tree->nodes },
                         .subset = { tree->subset, tree->levels },
                         .cover = { tree->cover, tree->nodes } };
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(mn_trees_leaves(ctx, &one, &b->train, b->leaf));
  if (b->held_out.rows > 0) MN_TRY(mn_trees_leaves(ctx, &one, &b->held_out, b->leaf + b->train.rows));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status grow_tree(mn_context *ctx, struct boosting *b, size_t round, size_t k)
{
  const mn_tree_model *settings = &b->m->tree;
  mn_rng rng = mn_stream(settings->seed, STREAM_TREES + 3 * (round * b->train_loss.outputs + k));
  MN_TRY(reserve_trees(ctx, b, 1));
  mn_grown_tree *tree = &b->tree[b->trees];
  set_targets(b, k, b->train_loss.workspace);
  MN_TRY(mn_poll(ctx));
  b->problem.view.y = b->train_loss.workspace;
  MN_TRY(mn_grow(ctx, &b->problem.settings, b->workspace, &b->problem.view, b->weight, mn_random_u64(&rng), tree));
  if (settings->ccp_alpha > 0) MN_TRY(mn_prune(ctx, settings->ccp_alpha, 1, tree));
  b->trees++;
  MN_TRY(find_leaves(ctx, b, tree));
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(set_leaf_values(ctx, b, k, tree));
  mn_scratch_release(ctx, mark);
  MN_TRY(add_tree(b, tree, b->leaf, &b->train_loss, k, ctx));
  return b->held_out.rows > 0 ? add_tree(b, tree, b->leaf + b->train.rows, &b->validation_loss, k, ctx) : MN_OK;
}

/* --- one round --- */

/* scikit-learn's train_score doubles the squared error and the binary log loss. */
static double score_factor(const mn_gradient_loss *loss)
{
  return loss->kind == MN_GRADIENT_SQUARED || (loss->kind == MN_GRADIENT_LOG_LOSS && loss->outputs == 1) ? 2 : 1;
}

static mn_status append_losses(mn_context *ctx, struct boosting *b, size_t round)
{
  const double factor = score_factor(&b->train_loss);
  MN_TRY(mn_gradient_loss_update(ctx, &b->train_loss));
  MN_TRY(append(ctx, &b->train_score, factor * mn_gradient_loss_mean(&b->train_loss, b->used, 1)));
  if (b->used) {
    const double before = round > 0 ? b->oob_scores.at[round - 1] : b->first_oob;
    const double after = factor * mn_gradient_loss_mean(&b->train_loss, b->used, 0);
    MN_TRY(append(ctx, &b->oob_scores, after));
    MN_TRY(append(ctx, &b->oob_improvement, before - after));
  }
  if (b->held_out.rows == 0) return MN_OK;
  b->validation_loss.delta = b->train_loss.delta;
  MN_TRY(mn_gradient_loss_update(ctx, &b->validation_loss));
  return append(ctx, &b->validation_trace, mn_gradient_loss_mean(&b->validation_loss, NULL, 0));
}

static mn_status run_round(mn_context *ctx, struct boosting *b, size_t round)
{
  if (b->used) draw_rows(b, round);
  MN_TRY(mn_gradient_loss_update_delta(ctx, &b->train_loss));
  MN_TRY(mn_gradient_loss_update(ctx, &b->train_loss));
  MN_TRY(mn_poll(ctx));
  if (b->used && round == 0)
    b->first_oob = score_factor(&b->train_loss) * mn_gradient_loss_mean(&b->train_loss, b->used, 0);
  for (size_t k = 0; k < b->train_loss.outputs; k++) MN_TRY(grow_tree(ctx, b, round, k));
  return append_losses(ctx, b, round);
}

/* Stopping rule of scikit-learn: a round must improve on at least one of the last n_iter_no_change improvements. */
static bool has_stalled(const mn_gradient_boosting *m, const struct series *held, double tol, double *best)
{
  const size_t patience = (size_t)m->n_iter_no_change;
  for (size_t k = 0; k < patience && k < held->size + 1; k++) best[k] = INFINITY;
  for (size_t round = 0; round < held->size; round++) {
    bool better = false;
    const size_t known = round + 1 < patience ? round + 1 : patience;
    for (size_t k = 0; k < known && !better; k++) better = held->at[round] + tol < best[k];
    if (!better) return true;
    best[round % patience] = held->at[round];
  }
  return false;
}

static mn_status boost(mn_context *ctx, struct boosting *b)
{
  mn_gradient_boosting *m = b->m;
  mn_report *r = &m->tree.base.report;
  const bool draws = b->used || b->problem.settings.max_features < b->train.features;
  r->advice = NULL; /* reaching n_estimators is not a failure to converge */
  r->converged = false;
  for (;;) {
    const mn_mark mark = mn_scratch_mark(ctx);
    if (b->held_out.rows > 0 && m->n_iter_no_change != MN_UNSET) {
      double *best = MN_RAW(ctx, double, b->validation_trace.size + 1, 1);
      MN_CHECK_ALLOC(best);
      r->converged = has_stalled(m, &b->validation_trace, m->tol / score_factor(&b->train_loss), best);
    }
    mn_scratch_release(ctx, mark);
    if (r->converged || r->n_iter >= m->n_estimators) break;
    const double before = mn_gradient_loss_mean(&b->train_loss, NULL, 0);
    MN_TRY(run_round(ctx, b, (size_t)r->n_iter));
    const double after = mn_gradient_loss_mean(&b->train_loss, NULL, 0);
    r->change = before - after;
    const bool keep_going = mn_round(ctx, r, m->n_estimators, after);
    if (b->held_out.rows == 0 && !draws && b->tree[b->trees - 1].nodes == 1 && b->train_loss.outputs == 1 &&
        r->change == 0) {
      r->converged = true;
      break;
    }
    if (!keep_going) break;
  }
  return mn_error_status(ctx);
}

/* --- before and after --- */

static mn_status prepare_growth(mn_context *ctx, struct boosting *b)
{
  mn_tree_model shape = b->m->tree; /* each tree has one real target, whatever the task */
  mn_data reals = b->train;
  shape.base.classes = NULL;
  shape.base.n_targets = 1;
  reals.y = (mn_matrix){ .at = b->train_loss.score, .rows = reals.rows, .cols = 1 };
  MN_TRY(mn_tree_problem_make(ctx, &shape, &reals, reals.features, false, &b->problem));
  b->problem.settings.split.columns = &b->problem.columns;
  b->problem.settings.split.center = &b->center;
  b->leaf = MN_RAW(ctx, int32_t, b->train.rows + b->held_out.rows, 1);
  MN_CHECK_ALLOC(b->leaf);
  if (b->m->subsample < 1) {
    b->used = MN_RAW(ctx, uint8_t, reals.rows, 1);
    b->weight = MN_RAW(ctx, double, reals.rows, 1);
    if (!b->used || !b->weight) return MN_NO_MEMORY;
  } else if (reals.weights) {
    b->weight = MN_RAW(ctx, double, reals.rows, 1);
    MN_CHECK_ALLOC(b->weight);
    memcpy(b->weight, reals.weights, reals.rows * sizeof *b->weight);
  }
  return mn_grow_workspace_make(ctx, &b->problem.settings, &b->workspace);
}

/* Initial raw predictions: the start, and the trees of earlier fits. */
static mn_status compute_scores(mn_context *ctx, const mn_gradient_boosting *m, const mn_data *data,
                                mn_gradient_loss *loss)
{
  const size_t k = loss->outputs;
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_matrix raw = { .at = MN_NEW(ctx, double, loss->n, k), .rows = loss->n, .cols = k };
  MN_CHECK_ALLOC(raw.at);
  MN_TRY(mn_gradient_boosting_raw(ctx, m, data, &raw));
  for (size_t c = 0; c < k; c++)
    for (size_t i = 0; i < loss->n; i++) loss->score[c * loss->n + i] = raw.at[i * k + c];
  mn_scratch_release(ctx, mark);
  MN_TRY(mn_poll(ctx));
  return mn_gradient_loss_update(ctx, loss);
}

static mn_status make_loss(mn_context *ctx, const mn_gradient_boosting *m, mn_gradient_loss_kind kind,
                           const mn_data *data, mn_gradient_loss *loss)
{
  const size_t outputs = kind == MN_GRADIENT_LOG_LOSS ? mn_decisions(&m->tree.base) : 1;
  const size_t k = m->lambdarank_truncation_level == MN_UNSET ? SIZE_MAX : (size_t)m->lambdarank_truncation_level;
  MN_TRY(mn_gradient_loss_make(ctx, kind, kind == MN_GRADIENT_TWEEDIE ? m->power : m->alpha, outputs, data, loss));
  return kind == MN_GRADIENT_RANK ? mn_gradient_loss_set_ranking(ctx, data, k, m->lambdarank_norm, loss) : MN_OK;
}

static mn_status prepare(mn_context *ctx, struct boosting *b, const mn_data *data, mn_gradient_loss_kind kind)
{
  mn_gradient_boosting *m = b->m;
  const size_t outputs = kind == MN_GRADIENT_LOG_LOSS ? mn_decisions(&m->tree.base) : 1;
  MN_TRY(mn_boosted_check_init_score(ctx, &m->tree.base, data, outputs));
  b->train = *data;
  if (data->eval)
    b->held_out = *data->eval;
  else if (m->n_iter_no_change != MN_UNSET)
    MN_TRY(mn_hold_out(ctx, data, m->validation_fraction, mn_stream(m->tree.seed, STREAM_HELD_OUT), &b->train,
                       &b->held_out));
  MN_TRY(make_loss(ctx, m, kind, &b->train, &b->train_loss));
  if (b->held_out.rows > 0) MN_TRY(make_loss(ctx, m, kind, &b->held_out, &b->validation_loss));
  MN_TRY(prepare_growth(ctx, b));
  if (!m->tree.base.fitted) {
    MN_TRY(mn_vector_init(ctx, &m->start, outputs));
    if (m->init == 0 && !data->init_score.at) MN_TRY(mn_gradient_loss_initial(ctx, &b->train_loss, m->start.at));
  }
  MN_TRY(compute_scores(ctx, m, &b->train, &b->train_loss));
  return b->held_out.rows > 0 ? compute_scores(ctx, m, &b->held_out, &b->validation_loss) : MN_OK;
}

static mn_status resume(mn_context *ctx, struct boosting *b)
{
  const mn_gradient_boosting *m = b->m;
  const char *who = m->tree.base.class->name;
  const int64_t rounds = m->tree.base.report.n_iter;
  const mn_vector *from[] = { &m->train_score, &m->oob_scores, &m->oob_improvement, &m->validation_trace };
  struct series *to[] = { &b->train_score, &b->oob_scores, &b->oob_improvement, &b->validation_trace };
  if (m->n_estimators < rounds)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: n_estimators must be at least the %lld rounds already fitted (warm_start), got %lld", who,
                   (long long)rounds, (long long)m->n_estimators);
  if (m->start.size != b->train_loss.outputs || (b->used && (int64_t)m->oob_scores.size != rounds))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: loss and subsample must be the same as in the first fit (warm_start)",
                   who);
  if (b->held_out.rows > 0 && (int64_t)m->validation_trace.size != rounds)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: n_iter_no_change or eval must be set from the first round on (warm_start)", who);
  for (size_t s = 0; s < 4; s++)
    for (size_t i = 0; i < from[s]->size; i++) MN_TRY(append(ctx, to[s], from[s]->at[i]));
  return MN_OK;
}

static mn_status store_series(mn_context *ctx, const struct series *from, mn_vector *to)
{
  mn_vector_free(mn_context_memory(ctx), to);
  *to = (mn_vector){ 0 };
  if (from->size == 0) return MN_OK;
  MN_TRY(mn_vector_init(ctx, to, from->size));
  memcpy(to->at, from->at, from->size * sizeof *to->at);
  return MN_OK;
}

static mn_status compute_importances(mn_context *ctx, mn_gradient_boosting *m)
{
  const mn_trees *t = &m->tree.trees;
  mn_vector *share = &m->tree.feature_importances;
  double sum = 0;
  mn_vector_free(mn_context_memory(ctx), share);
  MN_TRY(mn_vector_init(ctx, share, m->tree.base.n_features));
  for (size_t k = 0; k < mn_trees_count(t); k++) {
    const size_t first = (size_t)t->root.at[k];
    const mn_grown_tree one = { .node = t->node.at + MN_NODE_WORDS * first,
                                .cover = t->cover.at + first,
                                .impurity = t->impurity.at + first,
                                .nodes = mn_tree_nodes(t, k) };
    mn_add_importances(&one, share->at);
  }
  for (size_t j = 0; j < share->size; j++) sum += share->at[j];
  for (size_t j = 0; j < share->size && sum > 0; j++) share->at[j] /= sum;
  return MN_OK;
}

mn_status mn_gradient_boosting_fit(mn_context *ctx, mn_gradient_boosting *m, const mn_data *data,
                                   mn_gradient_loss_kind kind)
{
  struct boosting *b = MN_NEW(ctx, struct boosting, 1, 1);
  mn_data known = *data;
  MN_CHECK_ALLOC(b);
  b->m = m;
  if (m->tree.base.fitted) MN_TRY(mn_mask_unknown_levels(ctx, data, &known));
  MN_TRY(prepare(ctx, b, &known, kind));
  if (m->tree.base.fitted) MN_TRY(resume(ctx, b));
  MN_TRY(boost(ctx, b));
  MN_TRY(mn_append_trees(ctx, m->tree.base.class->name, b->tree, b->trees, 1, &m->tree.trees));
  MN_TRY(store_series(ctx, &b->train_score, &m->train_score));
  MN_TRY(store_series(ctx, &b->oob_scores, &m->oob_scores));
  MN_TRY(store_series(ctx, &b->oob_improvement, &m->oob_improvement));
  MN_TRY(store_series(ctx, &b->validation_trace, &m->validation_trace));
  MN_TRY(mn_gradient_boosting_derive(ctx, m));
  return compute_importances(ctx, m);
}
