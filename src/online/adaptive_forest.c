/* Gomes et al., Adaptive random forests for evolving data stream classification (Machine Learning 106, 2017). Errors
 * are monitored by the test of Frias-Blanco et al. (IEEE TKDE 27, 2015: HDDM-A) instead of ADWIN: it needs four numbers
 * rather than a window, and its bound holds for any stream of values in [0, 1].
 *
 * The random stream of a row and a tree depends on their indices only, so batches and threads do not change the result;
 * fit is one batch. */
#include "adaptive_forest.h"
#include "../core/threads.h"
#include "../linear/linear.h"
#include "resize_parts.h"
#include <string.h>

enum { BATCH_ROWS = 256, STORE_INDEXES = 3 };

static const mn_adaptive_tree_type *tree_type(const mn_adaptive_forest *m)
{
  return m->base.classes ? &mn_classification_trees : &mn_regression_trees;
}

static size_t observed_count(const mn_adaptive_forest *m, size_t p)
{
  double wanted = isnan(m->max_features) ? floor(sqrt((double)p)) + 1 : m->max_features;
  if (wanted < 1) wanted = fmax(1, wanted * (double)p);
  return wanted < (double)p ? (size_t)wanted : p;
}

/* --- memory --- */

struct slots {
  mn_indexes index[STORE_INDEXES];
  mn_vector threshold, last_weight;
  mn_matrix table[MN_ADAPTIVE_TABLES];
};

static struct slots slots_of(const mn_adaptive_forest *m)
{
  return (struct slots){
    .index = { m->child, m->feature, m->observed },
    .threshold = m->threshold,
    .last_weight = m->last_weight,
    .table = { m->table[0], m->table[1], m->table[2] },
  };
}

static void free_slots(mn_context *ctx, struct slots *s)
{
  mn_memory *memory = mn_context_memory(ctx);
  for (size_t i = 0; i < STORE_INDEXES; i++) mn_indexes_free(memory, &s->index[i]);
  for (size_t i = 0; i < MN_ADAPTIVE_TABLES; i++) mn_matrix_free(memory, &s->table[i]);
  mn_vector_free(memory, &s->threshold);
  mn_vector_free(memory, &s->last_weight);
}

static mn_status fill_slots(mn_context *ctx, const mn_adaptive_forest *m, size_t count, struct slots *grown)
{
  const struct slots old = slots_of(m);
  const size_t stores = m->used.size;
  const size_t n_observed = m->threshold.size > 0 ? mn_observed_per_leaf(m) : observed_count(m, m->base.n_features);
  const size_t per_slot[STORE_INDEXES] = { 2, 1, n_observed };
  size_t cols[MN_ADAPTIVE_TABLES];
  tree_type(m)->cols(m, n_observed, cols);
  if (count > (size_t)INT32_MAX / 2)
    return mn_fail(ctx, MN_BAD_DATA, "%s: a tree needs 2^30 or more nodes", m->base.class->name);
  for (size_t i = 0; i < STORE_INDEXES; i++)
    MN_TRY(mn_resize_parts_indexes(ctx, &old.index[i], stores, per_slot[i] * count, &grown->index[i]));
  for (size_t i = 0; i < MN_ADAPTIVE_TABLES; i++)
    MN_TRY(mn_resize_parts_matrix(ctx, &old.table[i], cols[i], stores, count, &grown->table[i]));
  MN_TRY(mn_resize_parts_vector(ctx, &old.threshold, stores, count, &grown->threshold));
  return mn_resize_parts_vector(ctx, &old.last_weight, stores, count, &grown->last_weight);
}

/* On failure nothing has changed. */
static mn_status ensure_slots(mn_context *ctx, mn_adaptive_forest *m, size_t count)
{
  struct slots grown = { 0 }, old = slots_of(m);
  if (m->threshold.size > 0 && count <= mn_slots_per_store(m)) return MN_OK;
  const mn_status status = fill_slots(ctx, m, count, &grown);
  free_slots(ctx, status == MN_OK ? &old : &grown);
  if (status != MN_OK) return status;
  m->child = grown.index[0];
  m->feature = grown.index[1];
  m->observed = grown.index[2];
  m->threshold = grown.threshold;
  m->last_weight = grown.last_weight;
  for (size_t i = 0; i < MN_ADAPTIVE_TABLES; i++) m->table[i] = grown.table[i];
  return MN_OK;
}

static mn_rng stream_of(const mn_adaptive_forest *m, size_t row, size_t tree)
{
  return mn_stream(m->seed, (uint64_t)row * m->foreground.size + tree);
}

static mn_status init_trees(mn_context *ctx, mn_adaptive_forest *m)
{
  const size_t trees = (size_t)m->n_estimators;
  MN_TRY(mn_indexes_init(ctx, &m->foreground, trees));
  MN_TRY(mn_indexes_init(ctx, &m->drifts, trees));
  MN_TRY(mn_indexes_init(ctx, &m->used, 2 * trees));
  MN_TRY(mn_matrix_init(ctx, &m->errors, trees, tree_type(m)->errors));
  MN_TRY(ensure_slots(ctx, m, 3));
  for (size_t i = 0; i < trees; i++) {
    mn_rng rng = stream_of(m, 0, i);
    tree_type(m)->init(m, 2 * i, &rng);
  }
  return MN_OK;
}

/* --- errors --- */

enum change { NO_CHANGE, WARNING, DRIFT };

/* Whether the mean error has increased since its minimum. e: number of errors and their sum, in total and at the
 * minimum. */
static bool has_increased(const double *e, double delta)
{
  if (!(e[2] > 0 && e[0] > e[2])) return false;
  const double m = (e[0] - e[2]) / (e[2] * e[0]);
  return e[1] / e[0] - e[3] / e[2] >= sqrt(m / 2 * log(2 / delta));
}

static enum change monitor(const mn_adaptive_forest *m, double *e, double error)
{
  e[0]++;
  e[1] += error;
  const double log_term = log(1 / m->drift_delta) / 2;
  if (!(e[2] > 0) || e[3] / e[2] + sqrt(log_term / e[2]) >= e[1] / e[0] + sqrt(log_term / e[0])) {
    e[2] = e[0];
    e[3] = e[1];
  }
  if (has_increased(e, m->drift_delta)) return DRIFT;
  return has_increased(e, m->warning_delta) ? WARNING : NO_CHANGE;
}

/* --- learning --- */

static double poisson(mn_rng *rng, double mean)
{
  const double end = exp(-mean);
  double n = 0, product = mn_random_uniform(rng);
  for (; product > end; n++) product *= mn_random_uniform(rng);
  return n;
}

struct learning_task {
  const mn_adaptive_forest *m;
  const mn_adaptive_tree_type *type;
  const mn_data *data;
  void **workspace;         /* workers */
  size_t first, end, *next; /* number of row 0; end of the batch; trees: next row */
};

static bool has_free_slots(const mn_adaptive_forest *m, size_t tree)
{
  const size_t slots = mn_slots_per_store(m);
  return (size_t)m->used.at[2 * tree] + 2 <= slots && (size_t)m->used.at[2 * tree + 1] + 2 <= slots;
}

/* On a warning start a background tree; on a drift let it replace the foreground tree. */
static void handle_drift(const mn_adaptive_forest *m, size_t tree, enum change change, mn_rng *rng)
{
  const size_t foreground = mn_foreground_store(m, tree), background = foreground ^ 1;
  if (change == NO_CHANGE) return;
  if (m->used.at[background] == 0) tree_type(m)->init(m, background, rng);
  if (change != DRIFT) return;
  m->foreground.at[tree] ^= 1;
  m->used.at[foreground] = 0;
  if (m->drifts.at[tree] < INT32_MAX) m->drifts.at[tree]++; /* may be any number in a loaded model */
  memset(mn_row(&m->errors, tree), 0, m->errors.cols * sizeof *m->errors.at);
}

static void learn_row(const struct learning_task *w, size_t tree, size_t i, size_t worker)
{
  const mn_adaptive_forest *m = w->m;
  mn_rng rng = stream_of(m, w->first + i + 1, tree);
  double error;
  if (w->type->evaluate(m, tree, w->data, i, w->workspace[worker], &error))
    handle_drift(m, tree, monitor(m, mn_row(&m->errors, tree), error), &rng);
  for (size_t store = 2 * tree; store < 2 * tree + 2; store++) {
    const double weight = mn_weight(w->data, i) * poisson(&rng, m->lambda);
    if (weight > 0 && m->used.at[store] > 0) w->type->learn(m, store, &rng, w->data, i, weight, w->workspace[worker]);
  }
}

static void learn_task(void *work, size_t tree, size_t worker)
{
  const struct learning_task *w = work;
  for (; w->next[tree] < w->end && has_free_slots(w->m, tree); w->next[tree]++)
    learn_row(w, tree, w->next[tree], worker);
}

static mn_status learn_batch(mn_context *ctx, mn_adaptive_forest *m, struct learning_task *w)
{
  for (bool done = false; !done;) {
    MN_TRY(mn_parallel(ctx, m->foreground.size, learn_task, w));
    done = true;
    for (size_t i = 0; i < m->foreground.size; i++) done = done && w->next[i] == w->end;
    if (!done) MN_TRY(ensure_slots(ctx, m, 2 * (mn_slots_per_store(m)) + 2));
  }
  return MN_OK;
}

static mn_status prepare(mn_context *ctx, mn_adaptive_forest *m, const mn_data *data, size_t workers,
                         struct learning_task *w)
{
  *w = (struct learning_task){ .m = m, .type = tree_type(m), .data = data, .first = (size_t)m->n_rows };
  w->workspace = MN_NEW(ctx, void *, workers, 1);
  w->next = MN_NEW(ctx, size_t, m->foreground.size, 1);
  if (!w->workspace || !w->next) return MN_NO_MEMORY;
  for (size_t i = 0; i < workers; i++) MN_TRY(w->type->workspace(ctx, m, &w->workspace[i]));
  return MN_OK;
}

/* Squares of X, and of y for regression, must not overflow. */
static mn_status check_magnitudes(mn_context *ctx, const mn_adaptive_forest *m, const mn_data *data)
{
  MN_TRY(mn_check_magnitudes(ctx, &m->base, data));
  return m->base.classes ? MN_OK : mn_check_y_magnitudes(ctx, &m->base, data);
}

mn_status mn_adaptive_fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_adaptive_forest *m = self;
  struct learning_task w;
  MN_TRY(check_magnitudes(ctx, m, data));
  if (!m->foreground.at) MN_TRY(init_trees(ctx, m));
  MN_TRY(prepare(ctx, m, data, mn_threads(ctx), &w));
  m->n_rows += (int64_t)data->rows;
  while (w.end < data->rows) {
    w.end = w.end + BATCH_ROWS < data->rows ? w.end + BATCH_ROWS : data->rows;
    MN_TRY(learn_batch(ctx, m, &w));
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

mn_status mn_adaptive_update(mn_context *ctx, void *self, const mn_data *data)
{
  mn_adaptive_forest *m = self;
  struct learning_task w;
  bool has_space = true;
  MN_TRY(check_magnitudes(ctx, m, data));
  MN_TRY(prepare(ctx, m, data, 1, &w));
  for (size_t i = 0; i < m->foreground.size; i++) has_space = has_space && has_free_slots(m, i);
  if (!has_space) MN_TRY(ensure_slots(ctx, m, 2 * (mn_slots_per_store(m)) + 2));
  for (size_t i = 0; i < m->foreground.size; i++) learn_row(&w, i, 0, 0);
  m->n_rows++;
  return MN_OK;
}

/* --- after loading --- */

static bool all_finite(size_t n, const double *at)
{
  for (size_t i = 0; i < n; i++)
    if (!isfinite(at[i])) return false;
  return true;
}

static bool is_valid_node(const mn_adaptive_forest *m, size_t store, int32_t node)
{
  const size_t at = store * mn_slots_per_store(m) + (size_t)node, n_observed = mn_observed_per_leaf(m),
               p = m->base.n_features;
  const int32_t left = m->child.at[2 * at], right = m->child.at[2 * at + 1], used = m->used.at[store];
  for (size_t j = 0; j < n_observed; j++) {
    const int32_t column = m->observed.at[at * n_observed + j];
    if (column < 0 || (size_t)column >= p) return false;
  }
  if (m->feature.at[at] < 0 || (size_t)m->feature.at[at] >= p) return false;
  if (left == -1 && right == -1) return true;
  return left > node && right > node && left < used && right < used;
}

static bool sizes_are_valid(const mn_adaptive_forest *m)
{
  const size_t trees = m->foreground.size, slots = m->threshold.size;
  size_t cols[MN_ADAPTIVE_TABLES];
  if (trees == 0 || m->used.size != 2 * trees || slots == 0 || slots % (2 * trees) != 0) return false;
  if (m->child.size != 2 * slots || m->observed.size % slots != 0 || m->observed.size == 0) return false;
  tree_type(m)->cols(m, mn_observed_per_leaf(m), cols);
  for (size_t i = 0; i < MN_ADAPTIVE_TABLES; i++)
    if (m->table[i].cols != cols[i]) return false;
  return mn_observed_per_leaf(m) <= m->base.n_features && m->errors.cols == tree_type(m)->errors && m->n_rows > 0;
}

mn_status mn_adaptive_check(mn_context *ctx, const void *self)
{
  const mn_adaptive_forest *m = self;
  bool valid = sizes_are_valid(m) && all_finite(m->threshold.size, m->threshold.at) &&
               all_finite(m->threshold.size, m->last_weight.at);
  valid = valid && tree_type(m)->is_valid(m);
  for (size_t i = 0; valid && i < m->used.size; i++) {
    const int32_t foreground = m->foreground.at[i / 2], used = m->used.at[i];
    valid = used >= 0 && (size_t)used <= mn_slots_per_store(m) && (foreground == 0 || foreground == 1) &&
            m->drifts.at[i / 2] >= 0;
    valid = valid && (used > 0 || (size_t)foreground != i % 2);
    for (int32_t node = 0; valid && node < used; node++) valid = is_valid_node(m, i, node);
  }
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "%s: the trees are invalid", m->base.class->name);
}
