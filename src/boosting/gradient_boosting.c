#include "gradient_boosting.h"
#include "../core/rng.h"
#include "held_out.h"
#include <string.h>

enum { STREAM_ROWS, STREAM_TREES, STREAM_HELD };

const char *const mn_boost_inits[] = { "constant", "zero", NULL };

/* One value a round, in scratch. */
struct series {
  double *at;
  size_t size, room;
};

struct boosting {
  mn_gradient_boosting *m;
  mn_data learned, held; /* held.rows is 0 where none is held out */
  mn_line line, check;   /* where both kinds of rows stand        */
  mn_tree_problem lesson;
  mn_grow_workspace *room;
  double center, first_oob;
  double *weight; /* rows: 0 for those that were not drawn; NULL: all 1 */
  uint8_t *used;  /* rows, or NULL: all are                             */
  mn_grown_tree *tree;
  size_t trees, tree_room;
  int32_t *leaf; /* of the rows, those held out behind those learned from, after a tree has grown */
  struct series train, oob, gain, held_loss;
};

static mn_status note(mn_context *ctx, struct series *s, double value)
{
  if (s->size == s->room) {
    const size_t room = s->room > 0 ? 2 * s->room : 64;
    double *at = MN_GROW(ctx, s->at, s->size, room);
    MN_CHECK_ALLOC(at);
    s->at = at;
    s->room = room;
  }
  s->at[s->size++] = value;
  return MN_OK;
}

static mn_status tree_room(mn_context *ctx, struct boosting *b, size_t more)
{
  if (b->trees + more <= b->tree_room) return MN_OK;
  const size_t room = 2 * (b->trees + more);
  mn_grown_tree *tree = MN_GROW(ctx, b->tree, b->trees, room);
  MN_CHECK_ALLOC(tree);
  b->tree = tree;
  b->tree_room = room;
  return MN_OK;
}

/* --- one tree --- */

/* Rows of the round, or whole groups, without replacement; what is left out is judged by. */
static void draw_rows(struct boosting *b, size_t round)
{
  const mn_lambda_rank *rank = b->line.rank;
  const size_t n = rank ? rank->groups : b->learned.rows;
  size_t wanted = (size_t)(b->m->subsample * (double)n);
  mn_rng rng = mn_stream(b->m->tree.seed, STREAM_ROWS + 3 * round);
  if (wanted == 0) wanted = 1;
  for (size_t i = 0; i < n; i++) {
    const bool drawn = mn_random_below(&rng, n - i) < wanted;
    const size_t end = rank ? rank->begin[i + 1] : i + 1;
    wanted -= drawn;
    for (size_t row = rank ? rank->begin[i] : i; row < end; row++) {
      b->used[row] = drawn;
      b->weight[row] = drawn ? mn_weight(&b->learned, row) : 0;
    }
  }
}

/* Slopes of output k about their mean, as y of the next tree. */
static void take_slopes(struct boosting *b, size_t k, double *y)
{
  const double *slope = b->line.slope + k * b->line.n, *weight = b->weight;
  double total = 0, mean = 0;
  for (size_t i = 0; i < b->line.n; i++) {
    const double w = weight ? weight[i] : 1;
    if (!(w > 0)) continue;
    total += w;
    mean += w / total * (slope[i] - mean);
  }
  for (size_t i = 0; i < b->line.n; i++) y[i] = slope[i] - mean;
  b->center = mean;
  b->lesson.growth.rules.min_leaf_weight = b->m->tree.min_weight_fraction_leaf * total;
}

/* rows: those that the tree was grown on, leaf after leaf; the node i has row[start[i]] .. row[start[i + 1] - 1]. */
static void by_leaf(const struct boosting *b, size_t nodes, uint32_t *start, uint32_t *row)
{
  const size_t n = b->line.n;
  memset(start, 0, (nodes + 1) * sizeof *start);
  for (size_t i = 0; i < n; i++) start[b->leaf[i]] += !b->used || b->used[i];
  for (size_t i = 1; i <= nodes; i++) start[i] += start[i - 1];
  for (size_t i = n; i-- > 0;)
    if (!b->used || b->used[i]) row[--start[b->leaf[i]]] = (uint32_t)i;
}

/* The line search: each leaf its value, times the learning rate. */
static mn_status set_leaves(mn_context *ctx, struct boosting *b, size_t k, mn_grown_tree *tree)
{
  uint32_t *start = MN_RAW(ctx, uint32_t, tree->nodes + 1, 1), *row = MN_RAW(ctx, uint32_t, b->line.n, 1);
  if (!start || !row) return MN_NO_MEMORY;
  by_leaf(b, tree->nodes, start, row);
  for (size_t i = 0; i < tree->nodes; i++) {
    int32_t *w = tree->node + MN_NODE_WORDS * i;
    double value;
    if (mn_node_left(w) > 0) continue;
    MN_TRY(mn_poll(ctx));
    MN_TRY(mn_line_leaf(ctx, &b->line, k, row + start[i], start[i + 1] - start[i], mn_node_real(w), &value));
    mn_node_set_leaf(w, b->m->learning_rate * value);
  }
  return MN_OK;
}

static mn_status add_tree(const struct boosting *b, const mn_grown_tree *tree, const int32_t *leaf, mn_line *line,
                          size_t k, mn_context *ctx)
{
  double *score = line->score + k * line->n;
  for (size_t i = 0; i < line->n; i++) {
    score[i] += mn_node_real(tree->node + MN_NODE_WORDS * (size_t)leaf[i]);
    if (!(fabs(score[i]) < 1e300))
      return mn_fail(ctx, MN_BAD_DATA, "%s: the predictions grow without bound; lower learning_rate, or scale y",
                     b->m->tree.base.class->name);
  }
  return MN_OK;
}

/* Where the rows end in a tree that is not among the learned ones yet. */
static mn_status find_leaves(mn_context *ctx, struct boosting *b, const mn_grown_tree *tree)
{
  int32_t ends[2] = { 0, (int32_t)tree->nodes };
  const mn_trees one = { .root = { ends, 2 },
                         .node = { tree->node, MN_NODE_WORDS * tree->nodes },
                         .subset = { tree->subset, tree->levels },
                         .cover = { tree->cover, tree->nodes } };
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(mn_trees_leaves(ctx, &one, &b->learned, b->leaf));
  if (b->held.rows > 0) MN_TRY(mn_trees_leaves(ctx, &one, &b->held, b->leaf + b->learned.rows));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status grow_tree(mn_context *ctx, struct boosting *b, size_t round, size_t k)
{
  const mn_tree_model *settings = &b->m->tree;
  mn_rng rng = mn_stream(settings->seed, STREAM_TREES + 3 * (round * b->line.outputs + k));
  MN_TRY(tree_room(ctx, b, 1));
  mn_grown_tree *tree = &b->tree[b->trees];
  take_slopes(b, k, b->line.room);
  MN_TRY(mn_poll(ctx));
  b->lesson.ground.y = b->line.room;
  MN_TRY(mn_grow(ctx, &b->lesson.growth, b->room, &b->lesson.ground, b->weight, mn_random_u64(&rng), tree));
  if (settings->ccp_alpha > 0) MN_TRY(mn_prune(ctx, settings->ccp_alpha, 1, tree));
  b->trees++;
  MN_TRY(find_leaves(ctx, b, tree));
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(set_leaves(ctx, b, k, tree));
  mn_scratch_release(ctx, mark);
  MN_TRY(add_tree(b, tree, b->leaf, &b->line, k, ctx));
  return b->held.rows > 0 ? add_tree(b, tree, b->leaf + b->learned.rows, &b->check, k, ctx) : MN_OK;
}

/* --- one round --- */

/* scikit-learn's train_score counts squares and the log loss of two classes twice. */
static double factor_of(const mn_line *line)
{
  return line->kind == MN_LINE_SQUARED || (line->kind == MN_LINE_LOG_LOSS && line->outputs == 1) ? 2 : 1;
}

static mn_status note_losses(mn_context *ctx, struct boosting *b, size_t round)
{
  const double factor = factor_of(&b->line);
  MN_TRY(mn_line_look(ctx, &b->line));
  MN_TRY(note(ctx, &b->train, factor * mn_line_mean(&b->line, b->used, 1)));
  if (b->used) {
    const double before = round > 0 ? b->oob.at[round - 1] : b->first_oob;
    const double after = factor * mn_line_mean(&b->line, b->used, 0);
    MN_TRY(note(ctx, &b->oob, after));
    MN_TRY(note(ctx, &b->gain, before - after));
  }
  if (b->held.rows == 0) return MN_OK;
  b->check.delta = b->line.delta;
  MN_TRY(mn_line_look(ctx, &b->check));
  return note(ctx, &b->held_loss, mn_line_mean(&b->check, NULL, 0));
}

static mn_status one_round(mn_context *ctx, struct boosting *b, size_t round)
{
  if (b->used) draw_rows(b, round);
  MN_TRY(mn_line_tune(ctx, &b->line));
  MN_TRY(mn_line_look(ctx, &b->line));
  MN_TRY(mn_poll(ctx));
  if (b->used && round == 0) b->first_oob = factor_of(&b->line) * mn_line_mean(&b->line, b->used, 0);
  for (size_t k = 0; k < b->line.outputs; k++) MN_TRY(grow_tree(ctx, b, round, k));
  return note_losses(ctx, b, round);
}

/* The rule of scikit-learn: a round must be better than one of the last n_iter_no_change that were. */
static bool has_stalled(const mn_gradient_boosting *m, const struct series *held, double tol, double *best)
{
  const size_t room = (size_t)m->n_iter_no_change;
  for (size_t k = 0; k < room && k < held->size + 1; k++) best[k] = INFINITY;
  for (size_t round = 0; round < held->size; round++) {
    bool better = false;
    const size_t known = round + 1 < room ? round + 1 : room;
    for (size_t k = 0; k < known && !better; k++) better = held->at[round] + tol < best[k];
    if (!better) return true;
    best[round % room] = held->at[round];
  }
  return false;
}

static mn_status learn(mn_context *ctx, struct boosting *b)
{
  mn_gradient_boosting *m = b->m;
  mn_report *r = &m->tree.base.report;
  const bool draws = b->used || b->lesson.growth.max_features < b->learned.features;
  r->advice = NULL; /* n_estimators trees are what was ordered */
  r->converged = false;
  for (;;) {
    const mn_mark mark = mn_scratch_mark(ctx);
    if (b->held.rows > 0) {
      double *best = MN_RAW(ctx, double, b->held_loss.size + 1, 1);
      MN_CHECK_ALLOC(best);
      r->converged = has_stalled(m, &b->held_loss, m->tol / factor_of(&b->line), best);
    }
    mn_scratch_release(ctx, mark);
    if (r->converged || r->n_iter >= m->n_estimators) break;
    const double before = mn_line_mean(&b->line, NULL, 0);
    MN_TRY(one_round(ctx, b, (size_t)r->n_iter));
    const double after = mn_line_mean(&b->line, NULL, 0);
    r->change = before - after;
    const bool go_on = mn_round(ctx, r, m->n_estimators, after);
    if (b->held.rows == 0 && !draws && b->tree[b->trees - 1].nodes == 1 && b->line.outputs == 1 && r->change == 0) {
      r->converged = true;
      break;
    }
    if (!go_on) break;
  }
  return mn_error_status(ctx);
}

/* --- before and after --- */

static mn_status make_lesson(mn_context *ctx, struct boosting *b)
{
  mn_tree_model shape = b->m->tree; /* a tree for one real target, whatever is boosted */
  mn_data reals = b->learned;
  shape.base.classes = NULL;
  shape.base.n_targets = 1;
  reals.y = (mn_matrix){ .at = b->line.score, .rows = reals.rows, .cols = 1 };
  MN_TRY(mn_tree_problem_make(ctx, &shape, &reals, reals.features, false, &b->lesson));
  b->lesson.growth.rules.columns = &b->lesson.columns;
  b->lesson.growth.rules.center = &b->center;
  b->leaf = MN_RAW(ctx, int32_t, b->learned.rows + b->held.rows, 1);
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
  return mn_grow_workspace_make(ctx, &b->lesson.growth, &b->room);
}

/* The raw predictions that there are: the start, and the trees of earlier fits. */
static mn_status take_scores(mn_context *ctx, const mn_gradient_boosting *m, const mn_data *data, mn_line *line)
{
  const size_t k = line->outputs;
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_matrix raw = { .at = MN_NEW(ctx, double, line->n, k), .rows = line->n, .cols = k };
  MN_CHECK_ALLOC(raw.at);
  MN_TRY(mn_gradient_boosting_raw(ctx, m, data, &raw));
  for (size_t c = 0; c < k; c++)
    for (size_t i = 0; i < line->n; i++) line->score[c * line->n + i] = raw.at[i * k + c];
  mn_scratch_release(ctx, mark);
  MN_TRY(mn_poll(ctx));
  return mn_line_look(ctx, line);
}

static mn_status make_line(mn_context *ctx, const mn_gradient_boosting *m, mn_line_kind kind, const mn_data *data,
                           mn_line *line)
{
  const size_t outputs = kind == MN_LINE_LOG_LOSS ? mn_decisions(&m->tree.base) : 1;
  const size_t k = m->lambdarank_truncation_level == MN_UNSET ? SIZE_MAX : (size_t)m->lambdarank_truncation_level;
  MN_TRY(mn_line_make(ctx, kind, kind == MN_LINE_TWEEDIE ? m->power : m->alpha, outputs, data, line));
  return kind == MN_LINE_RANK ? mn_line_rank(ctx, data, k, m->lambdarank_norm, line) : MN_OK;
}

static mn_status prepare(mn_context *ctx, struct boosting *b, const mn_data *data, mn_line_kind kind)
{
  mn_gradient_boosting *m = b->m;
  const size_t outputs = kind == MN_LINE_LOG_LOSS ? mn_decisions(&m->tree.base) : 1;
  MN_TRY(mn_boosted_check_init(ctx, &m->tree.base, data, outputs));
  b->learned = *data;
  if (m->n_iter_no_change != MN_UNSET)
    MN_TRY(mn_hold_out(ctx, data, m->validation_fraction, mn_stream(m->tree.seed, STREAM_HELD), &b->learned, &b->held));
  MN_TRY(make_line(ctx, m, kind, &b->learned, &b->line));
  if (b->held.rows > 0) MN_TRY(make_line(ctx, m, kind, &b->held, &b->check));
  MN_TRY(make_lesson(ctx, b));
  if (!m->tree.base.fitted) {
    MN_TRY(mn_vector_init(ctx, &m->start, outputs));
    if (m->init == 0 && !data->init_score.at) MN_TRY(mn_line_start(ctx, &b->line, m->start.at));
  }
  MN_TRY(take_scores(ctx, m, &b->learned, &b->line));
  return b->held.rows > 0 ? take_scores(ctx, m, &b->held, &b->check) : MN_OK;
}

static mn_status resume(mn_context *ctx, struct boosting *b)
{
  const mn_gradient_boosting *m = b->m;
  const char *who = m->tree.base.class->name;
  const int64_t rounds = m->tree.base.report.n_iter;
  const mn_vector *from[] = { &m->train_score, &m->oob_scores, &m->oob_improvement, &m->validation_trace };
  struct series *to[] = { &b->train, &b->oob, &b->gain, &b->held_loss };
  if (m->n_estimators < rounds)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: n_estimators must be >= the %lld rounds that warm_start goes on from, got %lld", who,
                   (long long)rounds, (long long)m->n_estimators);
  if (m->start.size != b->line.outputs || (b->used && (int64_t)m->oob_scores.size != rounds))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: warm_start goes on with the loss and the subsample of the first rounds",
                   who);
  if (b->held.rows > 0 && (int64_t)m->validation_trace.size != rounds)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: n_iter_no_change must be there from the first round on for warm_start",
                   who);
  for (size_t s = 0; s < 4; s++)
    for (size_t i = 0; i < from[s]->size; i++) MN_TRY(note(ctx, to[s], from[s]->at[i]));
  return MN_OK;
}

static mn_status keep_series(mn_context *ctx, const struct series *from, mn_vector *to)
{
  mn_vector_free(mn_context_memory(ctx), to);
  *to = (mn_vector){ 0 };
  if (from->size == 0) return MN_OK;
  MN_TRY(mn_vector_init(ctx, to, from->size));
  memcpy(to->at, from->at, from->size * sizeof *to->at);
  return MN_OK;
}

static mn_status weigh_features(mn_context *ctx, mn_gradient_boosting *m)
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

mn_status mn_gradient_boosting_fit(mn_context *ctx, mn_gradient_boosting *m, const mn_data *data, mn_line_kind kind)
{
  struct boosting *b = MN_NEW(ctx, struct boosting, 1, 1);
  mn_data known = *data;
  MN_CHECK_ALLOC(b);
  b->m = m;
  if (m->tree.base.fitted) MN_TRY(mn_known_levels(ctx, data, &known));
  MN_TRY(prepare(ctx, b, &known, kind));
  if (m->tree.base.fitted) MN_TRY(resume(ctx, b));
  MN_TRY(learn(ctx, b));
  MN_TRY(mn_append_trees(ctx, m->tree.base.class->name, b->tree, b->trees, 1, &m->tree.trees));
  MN_TRY(keep_series(ctx, &b->train, &m->train_score));
  MN_TRY(keep_series(ctx, &b->oob, &m->oob_scores));
  MN_TRY(keep_series(ctx, &b->gain, &m->oob_improvement));
  MN_TRY(keep_series(ctx, &b->held_loss, &m->validation_trace));
  return weigh_features(ctx, m);
}
