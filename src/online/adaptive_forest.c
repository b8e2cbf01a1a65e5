/* Gomes et al., Adaptive random forests for evolving data stream classification (Machine Learning 106, 2017). Errors
 * are watched by the test of Frias-Blanco et al. (IEEE TKDE 27, 2015: HDDM-A) instead of ADWIN: it keeps four numbers
 * rather than a window, and its bound holds for any stream of zeros and ones.
 *
 * Trees take the random numbers of a row by its number and theirs, so how rows are put in batches, and the number of
 * threads, change nothing; fit is one batch. */
#include "adaptive_forest.h"
#include "../core/threads.h"
#include "../linear/linear.h"
#include "widen.h"
#include <string.h>

enum { ROWS_AT_ONCE = 256, STORE_INDEXES = 3 };

static const mn_adaptive_kind *kind_of(const mn_adaptive_forest *m)
{
  return m->base.classes ? &mn_label_trees : &mn_value_trees;
}

static size_t watched_of(const mn_adaptive_forest *m, size_t p)
{
  double wanted = isnan(m->max_features) ? floor(sqrt((double)p)) + 1 : m->max_features;
  if (wanted < 1) wanted = fmax(1, wanted * (double)p);
  return wanted < (double)p ? (size_t)wanted : p;
}

/* --- memory --- */

struct slots {
  mn_indexes index[STORE_INDEXES];
  mn_vector cut, looked;
  mn_matrix table[MN_ADAPTIVE_TABLES];
};

static struct slots slots_of(const mn_adaptive_forest *m)
{
  return (struct slots){
    .index = { m->child, m->feature, m->observed },
    .cut = m->cut,
    .looked = m->looked,
    .table = { m->table[0], m->table[1], m->table[2] },
  };
}

static void free_slots(mn_context *ctx, struct slots *s)
{
  mn_memory *memory = mn_context_memory(ctx);
  for (size_t i = 0; i < STORE_INDEXES; i++) mn_indexes_free(memory, &s->index[i]);
  for (size_t i = 0; i < MN_ADAPTIVE_TABLES; i++) mn_matrix_free(memory, &s->table[i]);
  mn_vector_free(memory, &s->cut);
  mn_vector_free(memory, &s->looked);
}

static mn_status fill_slots(mn_context *ctx, const mn_adaptive_forest *m, size_t count, struct slots *made)
{
  const struct slots old = slots_of(m);
  const size_t stores = m->used.size;
  const size_t watched = m->cut.size > 0 ? mn_watched(m) : watched_of(m, m->base.n_features);
  const size_t each[STORE_INDEXES] = { 2, 1, watched };
  size_t cols[MN_ADAPTIVE_TABLES];
  kind_of(m)->cols(m, watched, cols);
  if (count > (size_t)INT32_MAX / 2)
    return mn_fail(ctx, MN_BAD_DATA, "%s: a tree must have fewer than 2^30 nodes", m->base.class->name);
  for (size_t i = 0; i < STORE_INDEXES; i++)
    MN_TRY(mn_widen_indexes(ctx, &old.index[i], stores, each[i] * count, &made->index[i]));
  for (size_t i = 0; i < MN_ADAPTIVE_TABLES; i++)
    MN_TRY(mn_widen_matrix(ctx, &old.table[i], cols[i], stores, count, &made->table[i]));
  MN_TRY(mn_widen_vector(ctx, &old.cut, stores, count, &made->cut));
  return mn_widen_vector(ctx, &old.looked, stores, count, &made->looked);
}

/* Nothing has changed where it fails. */
static mn_status want_slots(mn_context *ctx, mn_adaptive_forest *m, size_t count)
{
  struct slots made = { 0 }, old = slots_of(m);
  if (m->cut.size > 0 && count <= mn_slots(m)) return MN_OK;
  const mn_status status = fill_slots(ctx, m, count, &made);
  free_slots(ctx, status == MN_OK ? &old : &made);
  if (status != MN_OK) return status;
  m->child = made.index[0];
  m->feature = made.index[1];
  m->observed = made.index[2];
  m->cut = made.cut;
  m->looked = made.looked;
  for (size_t i = 0; i < MN_ADAPTIVE_TABLES; i++) m->table[i] = made.table[i];
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
  MN_TRY(mn_matrix_init(ctx, &m->errors, trees, kind_of(m)->errors));
  MN_TRY(want_slots(ctx, m, 3));
  for (size_t i = 0; i < trees; i++) {
    mn_rng rng = stream_of(m, 0, i);
    kind_of(m)->begin(m, 2 * i, &rng);
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

static enum change watch(const mn_adaptive_forest *m, double *e, double error)
{
  e[0]++;
  e[1] += error;
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
  const mn_adaptive_kind *kind;
  const mn_data *data;
  void **room;            /* workers                            */
  size_t first, end, *at; /* number of row 0; rows; trees: next */
};

static bool has_room(const mn_adaptive_forest *m, size_t tree)
{
  const size_t slots = mn_slots(m);
  return (size_t)m->used.at[2 * tree] + 2 <= slots && (size_t)m->used.at[2 * tree + 1] + 2 <= slots;
}

/* The tree that learns beside the other takes its place; where there is none, one begins. */
static void change_tree(const mn_adaptive_forest *m, size_t tree, enum change change, mn_rng *rng)
{
  const size_t front = mn_front(m, tree), back = front ^ 1;
  if (change == NO_CHANGE) return;
  if (m->used.at[back] == 0) kind_of(m)->begin(m, back, rng);
  if (change != DRIFT) return;
  m->front.at[tree] ^= 1;
  m->used.at[front] = 0;
  if (m->drifts.at[tree] < INT32_MAX) m->drifts.at[tree]++; /* a file may say anything */
  memset(mn_row(&m->errors, tree), 0, m->errors.cols * sizeof *m->errors.at);
}

static void learn_row(const struct learning *w, size_t tree, size_t i, size_t worker)
{
  const mn_adaptive_forest *m = w->m;
  mn_rng rng = stream_of(m, w->first + i + 1, tree);
  double error;
  if (w->kind->judge(m, tree, w->data, i, w->room[worker], &error))
    change_tree(m, tree, watch(m, mn_row(&m->errors, tree), error), &rng);
  for (size_t store = 2 * tree; store < 2 * tree + 2; store++) {
    const double weight = mn_weight(w->data, i) * poisson(&rng, m->lambda);
    if (weight > 0 && m->used.at[store] > 0) w->kind->learn(m, store, &rng, w->data, i, weight, w->room[worker]);
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
    if (!done) MN_TRY(want_slots(ctx, m, 2 * (mn_slots(m)) + 2));
  }
  return MN_OK;
}

static mn_status prepare(mn_context *ctx, mn_adaptive_forest *m, const mn_data *data, size_t workers,
                         struct learning *w)
{
  *w = (struct learning){ .m = m, .kind = kind_of(m), .data = data, .first = (size_t)m->n_rows };
  w->room = MN_NEW(ctx, void *, workers, 1);
  w->at = MN_NEW(ctx, size_t, m->front.size, 1);
  if (!w->room || !w->at) return MN_NO_MEMORY;
  for (size_t i = 0; i < workers; i++) MN_TRY(w->kind->room(ctx, m, &w->room[i]));
  return MN_OK;
}

/* Numbers whose squares are added up must have some. */
static mn_status check_squares(mn_context *ctx, const mn_adaptive_forest *m, const mn_data *data)
{
  MN_TRY(mn_check_magnitudes(ctx, &m->base, data));
  return m->base.classes ? MN_OK : mn_check_y_magnitudes(ctx, &m->base, data);
}

mn_status mn_adaptive_fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_adaptive_forest *m = self;
  struct learning w;
  MN_TRY(check_squares(ctx, m, data));
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
  MN_TRY(check_squares(ctx, m, data));
  MN_TRY(prepare(ctx, m, data, 1, &w));
  for (size_t i = 0; i < m->front.size; i++) room = room && has_room(m, i);
  if (!room) MN_TRY(want_slots(ctx, m, 2 * (mn_slots(m)) + 2));
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

static bool is_sound_node(const mn_adaptive_forest *m, size_t store, int32_t node)
{
  const size_t at = store * mn_slots(m) + (size_t)node, watched = mn_watched(m), p = m->base.n_features;
  const int32_t left = m->child.at[2 * at], right = m->child.at[2 * at + 1], used = m->used.at[store];
  for (size_t j = 0; j < watched; j++) {
    const int32_t column = m->observed.at[at * watched + j];
    if (column < 0 || (size_t)column >= p) return false;
  }
  if (m->feature.at[at] < 0 || (size_t)m->feature.at[at] >= p) return false;
  if (left == -1 && right == -1) return true;
  return left > node && right > node && left < used && right < used;
}

static bool are_sound_sizes(const mn_adaptive_forest *m)
{
  const size_t trees = m->front.size, slots = m->cut.size;
  size_t cols[MN_ADAPTIVE_TABLES];
  if (trees == 0 || m->used.size != 2 * trees || slots == 0 || slots % (2 * trees) != 0) return false;
  if (m->child.size != 2 * slots || m->observed.size % slots != 0 || m->observed.size == 0) return false;
  kind_of(m)->cols(m, mn_watched(m), cols);
  for (size_t i = 0; i < MN_ADAPTIVE_TABLES; i++)
    if (m->table[i].cols != cols[i]) return false;
  return mn_watched(m) <= m->base.n_features && m->errors.cols == kind_of(m)->errors && m->n_rows > 0;
}

mn_status mn_adaptive_check(mn_context *ctx, const void *self)
{
  const mn_adaptive_forest *m = self;
  bool sound = are_sound_sizes(m) && are_numbers(m->cut.size, m->cut.at) && are_numbers(m->cut.size, m->looked.at);
  sound = sound && kind_of(m)->is_sound(m);
  for (size_t i = 0; sound && i < m->used.size; i++) {
    const int32_t front = m->front.at[i / 2], used = m->used.at[i];
    sound = used >= 0 && (size_t)used <= mn_slots(m) && (front == 0 || front == 1) && m->drifts.at[i / 2] >= 0;
    sound = sound && (used > 0 || (size_t)front != i % 2);
    for (int32_t node = 0; sound && node < used; node++) sound = is_sound_node(m, i, node);
  }
  return sound ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "%s: its trees are not sound", m->base.class->name);
}
