/* Learning: all rows at once (fit), batches (partial_fit), one row in place (update).
 *
 * The random stream of a row and a tree depends on their indices only, so batches and threads do not change the result.
 * fit samples trees from all rows at once: different trees than partial_fit, with the same distribution. */
#include "../core/finite.h"
#include "../core/nearest_name.h"
#include "../core/threads.h"
#include "../linear/linear.h"
#include "mondrian_storage.h"
#include "resize_parts.h"
#include <string.h>

enum { ROWS_PER_POLL = 1 << 10 };

/* Row 0 is the stream of fit; the first row of partial_fit is row 1. */
static mn_rng stream_of(const mn_mondrian *m, size_t row, size_t tree)
{
  return mn_stream(m->seed, (uint64_t)row * mn_mondrian_trees(m) + tree);
}

static void copy_row(const mn_data *data, size_t i, size_t position, const mn_mondrian_rows *target)
{
  memcpy(mn_row(&target->x, position), mn_row(&data->x, i), data->features * sizeof *data->x.at);
  target->y.at[position] = data->code ? data->code[i] : data->y.at[i];
  target->weight.at[position] = mn_weight(data, i);
}

/* Copy all rows, to positions from `first` on. */
static mn_status copy_rows(mn_context *ctx, mn_mondrian *m, const mn_data *data, size_t first,
                           const mn_mondrian_rows *target)
{
  for (size_t i = 0; i < data->rows; i++) {
    if (i % ROWS_PER_POLL == 0) MN_TRY(mn_poll(ctx));
    copy_row(data, i, first + i, target);
    if (!data->code) mn_mondrian_add_y(m, data->y.at[i], mn_weight(data, i));
  }
  return MN_OK;
}

static mn_mondrian_rows rows_of(const mn_mondrian *m)
{
  return (mn_mondrian_rows){ .next = m->next, .x = m->x, .y = m->y, .weight = m->weight };
}

static mn_status make_trees(mn_context *ctx, mn_mondrian *m)
{
  m->noise = 1;
  m->horizon = isnan(m->lifetime) ? (double)INFINITY : m->lifetime;
  MN_TRY(mn_indexes_init(ctx, &m->root, (size_t)m->n_estimators));
  MN_TRY(mn_indexes_init(ctx, &m->box_count, (size_t)m->n_estimators));
  return mn_indexes_init(ctx, &m->used, (size_t)m->n_estimators);
}

static mn_status ensure_rows(mn_context *ctx, mn_mondrian *m, size_t count)
{
  mn_mondrian_rows grown;
  if (count <= m->weight.size) return MN_OK;
  MN_TRY(mn_mondrian_alloc_rows(ctx, m, count, &grown));
  mn_mondrian_set_rows(ctx, m, &grown);
  return MN_OK;
}

/* Slots and boxes per tree, available or needed. */
struct capacity {
  size_t slots, boxes;
};

static struct capacity capacity_of(const mn_mondrian *m)
{
  return (struct capacity){ m->time.size / mn_mondrian_trees(m), m->lower.rows / mn_mondrian_trees(m) };
}

static struct capacity max_capacity(struct capacity a, struct capacity b)
{
  return (struct capacity){ a.slots > b.slots ? a.slots : b.slots, a.boxes > b.boxes ? a.boxes : b.boxes };
}

static bool fits(struct capacity needed, struct capacity available)
{
  return needed.slots <= available.slots && needed.boxes <= available.boxes;
}

static struct capacity grow_capacity(struct capacity available, struct capacity needed)
{
  return (struct capacity){ mn_grown_capacity(available.slots, needed.slots),
                            mn_grown_capacity(available.boxes, needed.boxes) };
}

static struct capacity capacity_after(const mn_mondrian_tree *t, const mn_mondrian_extension *extension)
{
  return (struct capacity){ (size_t)*t->used + mn_mondrian_slots_needed(extension),
                            (size_t)*t->box_count + extension->boxes };
}

static mn_status ensure_slots(mn_context *ctx, mn_mondrian *m, struct capacity needed)
{
  mn_mondrian_slots grown;
  const struct capacity target = max_capacity(capacity_of(m), needed);
  if (fits(needed, capacity_of(m))) return MN_OK;
  MN_TRY(mn_mondrian_alloc_slots(ctx, m, target.slots, target.boxes, &grown));
  mn_mondrian_set_slots(ctx, m, &grown);
  return MN_OK;
}

static mn_status check_rows(mn_context *ctx, const mn_mondrian *m, const mn_data *data)
{
  const size_t rows = (size_t)m->n_rows + data->rows;
  char number[MN_NUMBER_SIZE];
  size_t i;
  if (rows > (size_t)INT32_MAX / 4)
    return mn_fail(ctx, MN_BAD_DATA, "%s: at most 2^29 rows can be learned, got %zu", m->base.class->name, rows);
  MN_TRY(mn_find_beyond(ctx, data->rows * data->features, data->x.at, MN_MONDRIAN_MAX_X, &i));
  if (i < data->rows * data->features)
    return mn_fail(
        ctx, MN_BAD_DATA,
        "%s: X must be below 1e300 in absolute value (distances must not overflow), got %s in row %zu, column %zu",
        m->base.class->name, mn_format_number(number, data->x.at[i]), i / data->features + 1, i % data->features + 1);
  return mn_check_y_magnitudes(ctx, &m->base, data);
}

/* Recompute the statistics of a tree, after slope or noise has changed. */
static void recompute_tree(void *work, size_t tree, size_t worker)
{
  (void)worker;
  const mn_mondrian_tree t = mn_mondrian_tree_view(work, tree);
  mn_mondrian_recompute_stats(&t);
}

/* --- all rows at once --- */

struct sampling_task {
  const mn_mondrian *m;
  mn_context **contexts;            /* workers */
  mn_mondrian_workspace *workspace; /* workers */
  mn_mondrian_workspace *sampled;   /* trees: rows and nodes of the sampled block */
  size_t *nodes;                    /* trees */
};

/* View of a tree without nodes, for sampling. */
static mn_mondrian_tree untrained_view(const mn_mondrian *m)
{
  mn_mondrian_tree t = { .x = m->x.at, .y = m->y.at, .weight = m->weight.at, .features = m->base.n_features };
  t.values = m->base.classes ? mn_levels_size(m->base.classes) : 3;
  t.lifetime = m->horizon;
  t.min_weight = (double)m->min_samples_split;
  t.is_classifier = m->base.classes != NULL;
  return t;
}

static mn_status sample_tree(struct sampling_task *w, size_t tree, size_t worker)
{
  mn_context *ctx = w->contexts[worker];
  mn_mondrian_workspace *workspace = &w->workspace[worker], *sampled = &w->sampled[tree];
  const mn_mondrian_tree t = untrained_view(w->m);
  const size_t n = (size_t)w->m->n_rows;
  mn_rng rng = stream_of(w->m, 0, tree);
  MN_TRY(mn_error_status(ctx));
  if (!workspace->rows) MN_TRY(mn_mondrian_workspace_make(ctx, n, t.features, workspace));
  workspace->token.ctx = ctx;
  for (size_t i = 0; i < n; i++) workspace->rows[i] = (int32_t)i;
  w->nodes[tree] = mn_mondrian_sample_block(&t, &rng, 0, n, workspace);
  sampled->rows = MN_RAW(ctx, int32_t, n, 1);
  sampled->block = MN_RAW(ctx, mn_block_node, w->nodes[tree], 1);
  if (!sampled->rows || !sampled->block) return MN_NO_MEMORY;
  memcpy(sampled->rows, workspace->rows, n * sizeof *sampled->rows);
  memcpy(sampled->block, workspace->block, w->nodes[tree] * sizeof *sampled->block);
  return MN_OK;
}

static void sample_task(void *work, size_t tree, size_t worker)
{
  (void)sample_tree(work, tree, worker); /* the error is in the context of the worker */
}

static void insert_root(const mn_mondrian_tree *t, size_t nodes, const mn_mondrian_workspace *workspace)
{
  *t->root = 0;
  *t->used = 1;
  t->parent[0] = t->box[0] = -1;
  mn_mondrian_insert_block(t, 0, nodes, workspace);
}

static void insert_task(void *work, size_t tree, size_t worker)
{
  (void)worker;
  const struct sampling_task *w = work;
  const mn_mondrian_tree t = mn_mondrian_tree_view(w->m, tree);
  insert_root(&t, w->nodes[tree], &w->sampled[tree]);
}

static mn_status sample_trees(mn_context *ctx, struct sampling_task *w, mn_mondrian *m, size_t workers)
{
  const size_t trees = mn_mondrian_trees(m);
  struct capacity max = { 1, 1 };
  MN_TRY(mn_worker_contexts_new(ctx, workers, w->contexts));
  MN_TRY(mn_parallel(ctx, trees, sample_task, w));
  MN_TRY(mn_worker_contexts_status(ctx, workers, w->contexts));
  for (size_t i = 0; i < trees; i++)
    max =
        max_capacity(max, (struct capacity){ w->nodes[i], mn_mondrian_count_boxed(w->sampled[i].block, w->nodes[i]) });
  MN_TRY(ensure_slots(ctx, m, max));
  return mn_parallel(ctx, trees, insert_task, w);
}

mn_status mn_mondrian_fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_mondrian *m = self;
  const size_t threads = mn_threads(ctx), trees = (size_t)m->n_estimators, workers = threads < trees ? threads : trees;
  struct sampling_task w = { .m = m };
  w.contexts = MN_NEW(ctx, mn_context *, workers, 1);
  w.workspace = MN_NEW(ctx, mn_mondrian_workspace, workers, 1);
  w.sampled = MN_NEW(ctx, mn_mondrian_workspace, trees, 1);
  w.nodes = MN_NEW(ctx, size_t, trees, 1);
  if (!w.contexts || !w.workspace || !w.sampled || !w.nodes) return MN_NO_MEMORY;
  MN_TRY(check_rows(ctx, m, data));
  MN_TRY(make_trees(ctx, m));
  MN_TRY(ensure_rows(ctx, m, data->rows));
  const mn_mondrian_rows rows_view = rows_of(m);
  m->n_rows = (int64_t)data->rows;
  MN_TRY(copy_rows(ctx, m, data, 0, &rows_view));
  const mn_status status = sample_trees(ctx, &w, m, workers);
  mn_worker_contexts_free(workers, w.contexts);
  MN_TRY(status);
  if (data->code || !mn_mondrian_update_scale(m)) return MN_OK;
  return mn_parallel(ctx, trees, recompute_tree, m);
}

/* --- batches --- */

enum { BATCH_ROWS = 256 };

struct learning_task {
  mn_context *ctx;
  const mn_mondrian *m;
  mn_mondrian_workspace *workspace; /* workers */
  size_t end, *next;                /* end of the batch; trees: next row */
  struct capacity *needs;           /* trees: capacity needed to continue; 0: none */
};

static void learn_task(void *work, size_t tree, size_t worker)
{
  const struct learning_task *w = work;
  const mn_mondrian_tree t = mn_mondrian_tree_view(w->m, tree);
  mn_mondrian_workspace *workspace = &w->workspace[worker];
  for (w->needs[tree] = (struct capacity){ 0, 0 }; w->next[tree] < w->end; w->next[tree]++) {
    const size_t row = w->next[tree];
    mn_rng rng = stream_of(w->m, row + 1, tree);
    const mn_mondrian_extension extension = mn_mondrian_plan_extension(&t, &rng, row, workspace);
    const struct capacity needs = capacity_after(&t, &extension);
    if (mn_cancelled(w->ctx)) return; /* the plan may be incomplete */
    if (!fits(needs, (struct capacity){ t.slots, t.boxes })) {
      w->needs[tree] = needs;
      return;
    }
    mn_mondrian_extend(&t, &extension, row, workspace);
  }
}

/* Let all trees learn the rows up to w->end, enlarging the storage as needed. */
static mn_status learn_batch(mn_context *ctx, mn_mondrian *m, struct learning_task *w)
{
  const size_t trees = mn_mondrian_trees(m);
  for (;;) {
    struct capacity needs = { 0, 0 };
    MN_TRY(mn_parallel(ctx, trees, learn_task, w));
    for (size_t i = 0; i < trees; i++) needs = max_capacity(needs, w->needs[i]);
    if (needs.slots == 0) return MN_OK;
    MN_TRY(ensure_slots(ctx, m, grow_capacity(capacity_of(m), needs)));
  }
}

/* The very first row: each tree becomes a leaf. */
static mn_status learn_first(mn_context *ctx, mn_mondrian *m)
{
  int32_t row = 0;
  mn_block_node block = { .end = 1 };
  mn_mondrian_workspace workspace = { .rows = &row, .block = &block };
  MN_TRY(ensure_slots(ctx, m, (struct capacity){ 2, 1 }));
  for (size_t i = 0; i < mn_mondrian_trees(m); i++) {
    const mn_mondrian_tree t = mn_mondrian_tree_view(m, i);
    block.time = t.lifetime;
    insert_root(&t, 1, &workspace);
  }
  return MN_OK;
}

mn_status mn_mondrian_partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_mondrian *m = self;
  const size_t old = (size_t)m->n_rows, end = old + data->rows, workers = mn_threads(ctx);
  struct learning_task w = { .ctx = ctx, .m = m };
  MN_TRY(check_rows(ctx, m, data));
  if (!m->root.at) MN_TRY(make_trees(ctx, m));
  MN_TRY(ensure_rows(ctx, m, mn_grown_capacity(m->weight.size, end)));
  const size_t trees = mn_mondrian_trees(m);
  const mn_mondrian_rows rows_view = rows_of(m);
  MN_TRY(copy_rows(ctx, m, data, old, &rows_view));
  if (old == 0) MN_TRY(learn_first(ctx, m));
  w.workspace = MN_NEW(ctx, mn_mondrian_workspace, workers, 1);
  w.next = MN_NEW(ctx, size_t, trees, 1);
  w.needs = MN_NEW(ctx, struct capacity, trees, 1);
  if (!w.workspace || !w.next || !w.needs) return MN_NO_MEMORY;
  for (size_t i = 0; i < workers; i++) {
    MN_TRY(mn_mondrian_workspace_make(ctx, end, data->features, &w.workspace[i]));
    w.workspace[i].token = (mn_cancel_token){ ctx, i };
  }
  for (size_t i = 0; i < trees; i++) w.next[i] = old > 0 ? old : 1;
  m->n_rows = (int64_t)end;
  while (w.end < end) {
    const size_t last = (w.end > old ? w.end : old) + BATCH_ROWS;
    w.end = last < end ? last : end;
    MN_TRY(learn_batch(ctx, m, &w));
    MN_TRY(mn_poll(ctx));
  }
  if (data->code || !mn_mondrian_update_scale(m)) return MN_OK;
  return mn_parallel(ctx, trees, recompute_tree, m);
}

/* --- one row, in place --- */

/* Clear the element after the last row. */
static void clear_row(const mn_mondrian *m, size_t row)
{
  memset(mn_row(&m->x, row), 0, m->x.cols * sizeof *m->x.at);
  m->y.at[row] = m->weight.at[row] = 0;
}

/* Number of rows in the leaf whose pause the new row may end. */
static size_t rows_to_sample(const mn_mondrian_tree *t, size_t row)
{
  const int32_t leaf = mn_mondrian_leaf(t, t->x + row * t->features);
  if (!mn_mondrian_is_paused(t, leaf) || mn_mondrian_stays_paused(t, leaf, row)) return 1;
  return (size_t)t->row_count[leaf] + 1;
}

/* Plan the extensions of all trees; changes only scratch. */
static mn_status plan_trees(mn_context *ctx, const mn_mondrian *m, const mn_mondrian_rows *rows_view,
                            mn_mondrian_workspace *workspace, mn_mondrian_extension *extension, struct capacity *needed)
{
  const size_t row = (size_t)m->n_rows;
  *needed = (struct capacity){ 0, 0 };
  for (size_t i = 0; i < mn_mondrian_trees(m); i++) {
    mn_mondrian_tree t = mn_mondrian_tree_view(m, i);
    mn_rng rng = stream_of(m, row + 1, i);
    t.x = rows_view->x.at;
    t.y = rows_view->y.at;
    t.weight = rows_view->weight.at;
    MN_TRY(mn_mondrian_workspace_make(ctx, rows_to_sample(&t, row), t.features, &workspace[i]));
    workspace[i].token.ctx = ctx;
    extension[i] = mn_mondrian_plan_extension(&t, &rng, row, &workspace[i]);
    MN_TRY(mn_error_status(ctx)); /* if cancelled, the plan may be incomplete */
    *needed = max_capacity(*needed, capacity_after(&t, &extension[i]));
  }
  return MN_OK;
}

/* Extend all trees; cannot fail. */
static void extend_trees(mn_mondrian *m, const mn_mondrian_workspace *workspace, const mn_mondrian_extension *extension)
{
  const size_t row = (size_t)m->n_rows++, trees = mn_mondrian_trees(m);
  for (size_t i = 0; i < trees; i++) {
    const mn_mondrian_tree t = mn_mondrian_tree_view(m, i);
    mn_mondrian_extend(&t, &extension[i], row, &workspace[i]);
  }
  if (m->base.classes) return;
  mn_mondrian_add_y(m, m->y.at[row], m->weight.at[row]);
  if (!mn_mondrian_update_scale(m)) return;
  for (size_t i = 0; i < trees; i++) recompute_tree(m, i, 0);
}

mn_status mn_mondrian_update(mn_context *ctx, void *self, const mn_data *data)
{
  mn_mondrian *m = self;
  const size_t row = (size_t)m->n_rows, trees = mn_mondrian_trees(m), available = m->weight.size;
  const struct capacity old_capacity = capacity_of(m);
  struct capacity needed;
  mn_mondrian_extension *extension = MN_RAW(ctx, mn_mondrian_extension, trees, 1);
  mn_mondrian_workspace *workspace = MN_RAW(ctx, mn_mondrian_workspace, trees, 1);
  mn_mondrian_rows rows_view = rows_of(m);
  mn_mondrian_slots slots;
  if (!extension || !workspace) return MN_NO_MEMORY;
  MN_TRY(check_rows(ctx, m, data));
  if (row == available) MN_TRY(mn_mondrian_alloc_rows(ctx, m, mn_grown_capacity(available, row + 1), &rows_view));
  copy_row(data, 0, row, &rows_view);
  mn_status status = plan_trees(ctx, m, &rows_view, workspace, extension, &needed);
  const struct capacity target = status == MN_OK ? grow_capacity(old_capacity, needed) : old_capacity;
  if (status == MN_OK && !fits(needed, old_capacity))
    status = mn_mondrian_alloc_slots(ctx, m, target.slots, target.boxes, &slots);
  if (status != MN_OK) {
    if (row == available)
      mn_mondrian_free_rows(ctx, &rows_view);
    else
      clear_row(m, row);
    return status;
  }
  if (row == available) mn_mondrian_set_rows(ctx, m, &rows_view);
  if (!fits(needed, old_capacity)) mn_mondrian_set_slots(ctx, m, &slots);
  extend_trees(m, workspace, extension);
  return MN_OK;
}
