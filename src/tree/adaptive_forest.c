/* Gomes et al., Adaptive random forests for evolving data stream classification (Machine Learning 106, 2017). Errors
 * are watched by the test of Frias-Blanco et al. (IEEE TKDE 27, 2015: HDDM-A) instead of ADWIN: it keeps four numbers
 * rather than a window, and its bound holds for any stream of zeros and ones.
 *
 * Trees take the random numbers of a row by its number and theirs, so how rows are put in batches, and the number of
 * threads, change nothing; fit is one batch. */
#include "adaptive_forest.h"
#include "../core/threads.h"
#include "../linear/linear.h"
#include "parts.h"
#include <string.h>

enum { ROWS_AT_ONCE = 256, STORE_INDEXES = 3, STORE_TABLES = 3 };

size_t mn_watched(const mn_adaptive_forest *m, size_t p)
{
  double wanted = isnan(m->max_features) ? floor(sqrt((double)p)) + 1 : m->max_features;
  if (wanted < 1) wanted = fmax(1, wanted * (double)p);
  return wanted < (double)p ? (size_t)wanted : p;
}

mn_hoeffding_tree mn_hoeffding_tree_of(const mn_adaptive_forest *m, size_t store)
{
  const size_t slots = m->cut.size / m->used.size, first = store * slots, classes = m->tally.cols;
  const size_t watched = m->observed.size / m->cut.size;
  return (mn_hoeffding_tree){
    .used = m->used.at + store,
    .child = m->child.at + 2 * first,
    .feature = m->feature.at + first,
    .observed = m->observed.at + first * watched,
    .cut = m->cut.at + first,
    .looked = m->looked.at + first,
    .tally = m->tally.at + first * classes,
    .right = m->right.at + first * 2,
    .moments = m->moments.at + first * m->moments.cols,
    .classes = classes,
    .features = m->base.n_features,
    .watched = watched,
    .slots = slots,
    .grace = (double)m->grace_period,
    .delta = m->delta,
    .tau = m->tau,
    .adaptive = m->leaf_prediction == MN_LEAF_ADAPTIVE,
  };
}

double mn_vote_of(const mn_adaptive_forest *m, size_t tree)
{
  const double *e = mn_row(&m->errors, tree);
  return (e[5] + 1) / (e[4] + 2);
}

/* --- memory --- */

struct slots {
  mn_indexes index[STORE_INDEXES];
  mn_vector cut, looked;
  mn_matrix table[STORE_TABLES];
};

static struct slots slots_of(const mn_adaptive_forest *m)
{
  return (struct slots){
    .index = { m->child, m->feature, m->observed },
    .cut = m->cut,
    .looked = m->looked,
    .table = { m->tally, m->right, m->moments },
  };
}

static void free_slots(mn_context *ctx, struct slots *s)
{
  mn_memory *memory = mn_context_memory(ctx);
  for (size_t i = 0; i < STORE_INDEXES; i++) mn_indexes_free(memory, &s->index[i]);
  for (size_t i = 0; i < STORE_TABLES; i++) mn_matrix_free(memory, &s->table[i]);
  mn_vector_free(memory, &s->cut);
  mn_vector_free(memory, &s->looked);
}

static mn_status fill_slots(mn_context *ctx, const mn_adaptive_forest *m, size_t count, struct slots *made)
{
  const struct slots old = slots_of(m);
  const size_t stores = m->used.size, classes = mn_levels_size(m->base.classes);
  const size_t watched = m->cut.size > 0 ? m->observed.size / m->cut.size : mn_watched(m, m->base.n_features);
  const size_t each[STORE_INDEXES] = { 2, 1, watched };
  const size_t cols[STORE_TABLES] = { classes, 2, mn_moments(watched, classes) };
  if (count > (size_t)INT32_MAX / 2) return mn_fail(ctx, MN_NO_MEMORY, "a tree of 2^30 nodes or more");
  for (size_t i = 0; i < STORE_INDEXES; i++)
    MN_TRY(mn_widen_indexes(ctx, &old.index[i], stores, each[i] * count, &made->index[i]));
  for (size_t i = 0; i < STORE_TABLES; i++)
    MN_TRY(mn_widen_matrix(ctx, &old.table[i], cols[i], stores, count, &made->table[i]));
  MN_TRY(mn_widen_vector(ctx, &old.cut, stores, count, &made->cut));
  return mn_widen_vector(ctx, &old.looked, stores, count, &made->looked);
}

/* Nothing has changed where it fails. */
static mn_status want_slots(mn_context *ctx, mn_adaptive_forest *m, size_t count)
{
  struct slots made = { 0 }, old = slots_of(m);
  if (m->cut.size > 0 && count <= m->cut.size / m->used.size) return MN_OK;
  const mn_status status = fill_slots(ctx, m, count, &made);
  free_slots(ctx, status == MN_OK ? &old : &made);
  if (status != MN_OK) return status;
  m->child = made.index[0];
  m->feature = made.index[1];
  m->observed = made.index[2];
  m->cut = made.cut;
  m->looked = made.looked;
  m->tally = made.table[0];
  m->right = made.table[1];
  m->moments = made.table[2];
  return MN_OK;
}

static mn_rng stream_of(const mn_adaptive_forest *m, size_t row, size_t tree)
{
  return mn_stream(m->seed, (uint64_t)row * m->front.size + tree);
}

static mn_status begin(mn_context *ctx, mn_adaptive_forest *m)
{
  const size_t trees = (size_t)m->n_estimators;
  MN_TRY(mn_indexes_init(ctx, &m->front, trees));
  MN_TRY(mn_indexes_init(ctx, &m->drifts, trees));
  MN_TRY(mn_indexes_init(ctx, &m->used, 2 * trees));
  MN_TRY(mn_matrix_init(ctx, &m->errors, trees, MN_ERRORS));
  MN_TRY(want_slots(ctx, m, 3));
  for (size_t i = 0; i < trees; i++) {
    const mn_hoeffding_tree t = mn_hoeffding_tree_of(m, 2 * i);
    mn_rng rng = stream_of(m, 0, i);
    mn_hoeffding_begin(&t, &rng);
  }
  return MN_OK;
}

/* --- errors --- */

enum change { NO_CHANGE, WARNING, DRIFT };

/* Has the mean of the errors grown since it was least? e: errors and rows since the beginning, and at that time. */
static bool has_grown(const double *e, double delta)
{
  if (!(e[2] > 0 && e[0] > e[2])) return false;
  const double m = (e[0] - e[2]) / (e[2] * e[0]);
  return e[1] / e[0] - e[3] / e[2] >= sqrt(m / 2 * log(2 / delta));
}

static enum change watch(const mn_adaptive_forest *m, double *e, bool wrong)
{
  e[0]++;
  e[1] += wrong;
  const double unsure = log(1 / m->drift_delta) / 2;
  if (!(e[2] > 0) || e[3] / e[2] + sqrt(unsure / e[2]) >= e[1] / e[0] + sqrt(unsure / e[0])) {
    e[2] = e[0];
    e[3] = e[1];
  }
  if (has_grown(e, m->drift_delta)) return DRIFT;
  return has_grown(e, m->warning_delta) ? WARNING : NO_CHANGE;
}

/* --- learning --- */

static double poisson(mn_rng *rng, double mean)
{
  const double end = exp(-mean);
  double n = 0, product = mn_random_uniform(rng);
  for (; product > end; n++) product *= mn_random_uniform(rng);
  return n;
}

struct learning {
  const mn_adaptive_forest *m;
  const mn_data *data;
  mn_leaf_scores *scores; /* workers                            */
  double **p;             /* workers                            */
  size_t first, end, *at; /* number of row 0; rows; trees: next */
};

static bool has_room(const mn_adaptive_forest *m, size_t tree)
{
  const size_t slots = m->cut.size / m->used.size;
  return (size_t)m->used.at[2 * tree] + 2 <= slots && (size_t)m->used.at[2 * tree + 1] + 2 <= slots;
}

/* The tree that learns beside the other takes its place; where there is none, one begins. */
static void change_tree(const mn_adaptive_forest *m, size_t tree, enum change change, mn_rng *rng)
{
  const size_t front = 2 * tree + (size_t)m->front.at[tree], back = front ^ 1;
  if (change == NO_CHANGE) return;
  if (m->used.at[back] == 0) {
    const mn_hoeffding_tree t = mn_hoeffding_tree_of(m, back);
    mn_hoeffding_begin(&t, rng);
  }
  if (change != DRIFT) return;
  m->front.at[tree] ^= 1;
  m->used.at[front] = 0;
  if (m->drifts.at[tree] < INT32_MAX) m->drifts.at[tree]++; /* a file may say anything */
  memset(mn_row(&m->errors, tree), 0, MN_ERRORS * sizeof *m->errors.at);
}

static void learn_row(const struct learning *w, size_t tree, size_t i, size_t worker)
{
  const mn_adaptive_forest *m = w->m;
  const double *x = mn_row(&w->data->x, i);
  const size_t code = (size_t)w->data->code[i];
  mn_rng rng = stream_of(m, w->first + i + 1, tree);
  double *p = w->p[worker], *e = mn_row(&m->errors, tree);
  mn_hoeffding_tree t = mn_hoeffding_tree_of(m, 2 * tree + (size_t)m->front.at[tree]);
  mn_hoeffding_predict(&t, x, &w->scores[worker], p);
  size_t guess = 0;
  for (size_t k = 1; k < t.classes; k++)
    if (p[k] > p[guess]) guess = k;
  e[4]++;
  e[5] += guess == code;
  change_tree(m, tree, watch(m, e, guess != code), &rng);
  for (size_t store = 2 * tree; store < 2 * tree + 2; store++) {
    const double weight = mn_weight(w->data, i) * poisson(&rng, m->lambda);
    t = mn_hoeffding_tree_of(m, store);
    if (weight > 0 && *t.used > 0) mn_hoeffding_learn(&t, &rng, x, code, weight, &w->scores[worker], p);
  }
}

static void learn_task(void *work, size_t tree, size_t worker)
{
  const struct learning *w = work;
  for (; w->at[tree] < w->end && has_room(w->m, tree); w->at[tree]++) learn_row(w, tree, w->at[tree], worker);
}

static mn_status learn_to(mn_context *ctx, mn_adaptive_forest *m, struct learning *w)
{
  for (bool done = false; !done;) {
    MN_TRY(mn_parallel(ctx, m->front.size, learn_task, w));
    done = true;
    for (size_t i = 0; i < m->front.size; i++) done = done && w->at[i] == w->end;
    if (!done) MN_TRY(want_slots(ctx, m, 2 * (m->cut.size / m->used.size) + 2));
  }
  return MN_OK;
}

static mn_status prepare(mn_context *ctx, mn_adaptive_forest *m, const mn_data *data, size_t workers,
                         struct learning *w)
{
  const size_t classes = data->classes, watched = m->observed.size / m->cut.size;
  *w = (struct learning){ .m = m, .data = data, .first = (size_t)m->n_rows };
  w->scores = MN_NEW(ctx, mn_leaf_scores, workers, 1);
  w->p = MN_NEW(ctx, double *, workers, 1);
  w->at = MN_NEW(ctx, size_t, m->front.size, 1);
  if (!w->scores || !w->p || !w->at) return MN_NO_MEMORY;
  for (size_t i = 0; i < workers; i++) MN_TRY(mn_leaf_scores_make(ctx, watched, classes, &w->scores[i], &w->p[i]));
  return MN_OK;
}

mn_status mn_adaptive_fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_adaptive_forest *m = self;
  struct learning w;
  MN_TRY(mn_need_squares(ctx, &m->base, data));
  if (!m->front.at) MN_TRY(begin(ctx, m));
  MN_TRY(prepare(ctx, m, data, mn_threads(ctx), &w));
  m->n_rows += (int64_t)data->rows;
  while (w.end < data->rows) {
    w.end = w.end + ROWS_AT_ONCE < data->rows ? w.end + ROWS_AT_ONCE : data->rows;
    MN_TRY(learn_to(ctx, m, &w));
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

mn_status mn_adaptive_update(mn_context *ctx, void *self, const mn_data *data)
{
  mn_adaptive_forest *m = self;
  struct learning w;
  bool room = true;
  MN_TRY(mn_need_squares(ctx, &m->base, data));
  MN_TRY(prepare(ctx, m, data, 1, &w));
  for (size_t i = 0; i < m->front.size; i++) room = room && has_room(m, i);
  if (!room) MN_TRY(want_slots(ctx, m, 2 * (m->cut.size / m->used.size) + 2));
  for (size_t i = 0; i < m->front.size; i++) learn_row(&w, i, 0, 0);
  m->n_rows++;
  return MN_OK;
}

/* --- after loading --- */

static bool are_numbers(size_t n, const double *at)
{
  for (size_t i = 0; i < n; i++)
    if (!isfinite(at[i])) return false;
  return true;
}

static bool is_sound_node(const mn_hoeffding_tree *t, int32_t node)
{
  const int32_t left = t->child[2 * node], right = t->child[2 * node + 1];
  for (size_t j = 0; j < t->watched; j++) {
    const int32_t column = t->observed[(size_t)node * t->watched + j];
    if (column < 0 || (size_t)column >= t->features) return false;
  }
  if (t->feature[node] < 0 || (size_t)t->feature[node] >= t->features) return false;
  if (left == -1 && right == -1) return true;
  return left > node && right > node && left < *t->used && right < *t->used;
}

/* Weights and squares are no less than 0. */
static bool are_sound_numbers(const mn_adaptive_forest *m)
{
  if (!are_numbers(m->cut.size, m->cut.at) || !are_numbers(m->cut.size, m->looked.at)) return false;
  const mn_matrix *tables[] = { &m->tally, &m->right, &m->errors };
  for (size_t i = 0; i < 3; i++)
    for (size_t k = 0; k < tables[i]->rows * tables[i]->cols; k++)
      if (!(tables[i]->at[k] >= 0 && tables[i]->at[k] < INFINITY)) return false;
  const size_t each = 2 + 3 * m->tally.cols;
  for (size_t k = 0; k < m->moments.rows * m->moments.cols; k++) {
    const size_t place = k % each;
    if (!isfinite(m->moments.at[k])) return false;
    if (place >= 2 && (place - 2) % 3 != 1 && m->moments.at[k] < 0) return false;
  }
  return true;
}

static bool are_sound_sizes(const mn_adaptive_forest *m)
{
  const size_t trees = m->front.size, slots = m->cut.size, classes = mn_levels_size(m->base.classes);
  if (trees == 0 || m->used.size != 2 * trees || slots == 0 || slots % (2 * trees) != 0) return false;
  if (m->child.size != 2 * slots || m->observed.size % slots != 0 || m->observed.size == 0) return false;
  return m->tally.cols == classes && m->right.cols == 2 && m->errors.cols == MN_ERRORS && m->n_rows > 0 &&
         m->moments.cols == mn_moments(m->observed.size / slots, classes);
}

mn_status mn_adaptive_check(mn_context *ctx, const void *self)
{
  const mn_adaptive_forest *m = self;
  bool sound = are_sound_sizes(m) && are_sound_numbers(m);
  for (size_t i = 0; sound && i < m->used.size; i++) {
    const mn_hoeffding_tree t = mn_hoeffding_tree_of(m, i);
    const int32_t front = m->front.at[i / 2];
    sound = *t.used >= 0 && (size_t)*t.used <= t.slots && (front == 0 || front == 1) && m->drifts.at[i / 2] >= 0;
    sound = sound && t.watched <= t.features && (*t.used > 0 || (size_t)front != i % 2);
    for (int32_t node = 0; sound && node < *t.used; node++) sound = is_sound_node(&t, node);
  }
  return sound ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "%s: its trees are not sound", m->base.class->name);
}
