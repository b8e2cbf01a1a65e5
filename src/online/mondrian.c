/* Learning: all rows at once (fit), batches (partial_fit), one row in place (update).
 *
 * Trees take the random numbers of a row by its number and theirs, so how rows are put in batches, and the number of
 * threads, change nothing. fit draws trees from all rows at once: other trees than those of partial_fit, of the same
 * distribution. */
#include "../core/finite.h"
#include "../core/nearest_name.h"
#include "../core/threads.h"
#include "../linear/linear.h"
#include "mondrian_store.h"
#include "widen.h"
#include <string.h>

enum { ROWS_A_POLL = 1 << 10 };

/* Row 0 is what fit draws; the first row of a batch counts as 1. */
static mn_rng stream_of(const mn_mondrian *m, size_t row, size_t tree)
{
  return mn_stream(m->seed, (uint64_t)row * mn_mondrian_trees(m) + tree);
}

static void put_row(const mn_data *data, size_t i, size_t place, const mn_mondrian_places *to)
{
  memcpy(mn_row(&to->x, place), mn_row(&data->x, i), data->features * sizeof *data->x.at);
  to->y.at[place] = data->code ? data->code[i] : data->y.at[i];
  to->weight.at[place] = mn_weight(data, i);
}

/* All rows, into their places from `first` on. */
static mn_status put_rows(mn_context *ctx, mn_mondrian *m, const mn_data *data, size_t first,
                          const mn_mondrian_places *to)
{
  for (size_t i = 0; i < data->rows; i++) {
    if (i % ROWS_A_POLL == 0) MN_TRY(mn_poll(ctx));
    put_row(data, i, first + i, to);
    if (!data->code) mn_mondrian_count_y(m, data->y.at[i], mn_weight(data, i));
  }
  return MN_OK;
}

static mn_mondrian_places places_of(const mn_mondrian *m)
{
  return (mn_mondrian_places){ .next = m->next, .x = m->x, .y = m->y, .weight = m->weight };
}

static mn_status make_trees(mn_context *ctx, mn_mondrian *m)
{
  m->noise = 1;
  m->horizon = isnan(m->lifetime) ? (double)INFINITY : m->lifetime;
  MN_TRY(mn_indexes_init(ctx, &m->root, (size_t)m->n_estimators));
  MN_TRY(mn_indexes_init(ctx, &m->boxed, (size_t)m->n_estimators));
  return mn_indexes_init(ctx, &m->used, (size_t)m->n_estimators);
}

static mn_status want_places(mn_context *ctx, mn_mondrian *m, size_t places)
{
  mn_mondrian_places made;
  if (places <= m->weight.size) return MN_OK;
  MN_TRY(mn_mondrian_make_places(ctx, m, places, &made));
  mn_mondrian_take_places(ctx, m, &made);
  return MN_OK;
}

/* Slots and boxes of each tree: what there is room for, or what is wanted. */
struct extent {
  size_t slots, boxes;
};

static struct extent extent_of(const mn_mondrian *m)
{
  return (struct extent){ m->time.size / mn_mondrian_trees(m), m->lower.rows / mn_mondrian_trees(m) };
}

static struct extent larger(struct extent a, struct extent b)
{
  return (struct extent){ a.slots > b.slots ? a.slots : b.slots, a.boxes > b.boxes ? a.boxes : b.boxes };
}

static bool fits(struct extent wanted, struct extent has)
{
  return wanted.slots <= has.slots && wanted.boxes <= has.boxes;
}

static struct extent room_for(struct extent has, struct extent wanted)
{
  return (struct extent){ mn_room_for(has.slots, wanted.slots), mn_room_for(has.boxes, wanted.boxes) };
}

static struct extent after_step(const mn_mondrian_tree *t, const mn_mondrian_step *step)
{
  return (struct extent){ (size_t)*t->used + mn_mondrian_needs(step), (size_t)*t->boxed + step->boxes };
}

static mn_status want_slots(mn_context *ctx, mn_mondrian *m, struct extent wanted)
{
  mn_mondrian_slots made;
  const struct extent to = larger(extent_of(m), wanted);
  if (fits(wanted, extent_of(m))) return MN_OK;
  MN_TRY(mn_mondrian_make_slots(ctx, m, to.slots, to.boxes, &made));
  mn_mondrian_take_slots(ctx, m, &made);
  return MN_OK;
}

static mn_status check_rows(mn_context *ctx, const mn_mondrian *m, const mn_data *data)
{
  const size_t rows = (size_t)m->n_rows + data->rows;
  char number[MN_NUMBER_SIZE];
  size_t i;
  if (rows > (size_t)INT32_MAX / 4)
    return mn_fail(ctx, MN_BAD_DATA, "%s: at most 2^29 rows can be learned, got %zu", m->base.class->name, rows);
  MN_TRY(mn_find_beyond(ctx, data->rows * data->features, data->x.at, MN_MONDRIAN_LARGEST, &i));
  if (i < data->rows * data->features)
    return mn_fail(ctx, MN_BAD_DATA,
                   "%s: X must hold numbers below 1e300, for sums of their distances to be numbers too, got %s in row "
                   "%zu, column %zu",
                   m->base.class->name, mn_format_number(number, data->x.at[i]), i / data->features + 1,
                   i % data->features + 1);
  return mn_check_y_magnitudes(ctx, &m->base, data);
}

/* What the nodes know rests on scales of all rows: all anew when these have changed. */
static void tally_tree(void *work, size_t tree, size_t worker)
{
  (void)worker;
  const mn_mondrian_tree t = mn_mondrian_tree_of(work, tree);
  mn_mondrian_tally_all(&t);
}

/* --- all rows at once --- */

struct drawing {
  const mn_mondrian *m;
  mn_context **child;     /* workers                                     */
  mn_mondrian_room *room; /* workers                                     */
  mn_mondrian_room *kept; /* trees: rows and buds as they were drawn     */
  size_t *buds;           /* trees                                       */
};

/* The tree has no nodes yet; t knows the rows and the settings. */
static mn_mondrian_tree seedling(const mn_mondrian *m)
{
  mn_mondrian_tree t = { .x = m->x.at, .y = m->y.at, .weight = m->weight.at, .features = m->base.n_features };
  t.values = m->base.classes ? mn_levels_size(m->base.classes) : 3;
  t.lifetime = m->horizon;
  t.min_weight = (double)m->min_samples_split;
  t.labels = m->base.classes != NULL;
  return t;
}

static mn_status draw_tree(struct drawing *w, size_t tree, size_t worker)
{
  mn_context *ctx = w->child[worker];
  mn_mondrian_room *room = &w->room[worker], *kept = &w->kept[tree];
  const mn_mondrian_tree t = seedling(w->m);
  const size_t n = (size_t)w->m->n_rows;
  mn_rng rng = stream_of(w->m, 0, tree);
  MN_TRY(mn_error_status(ctx));
  if (!room->rows) MN_TRY(mn_mondrian_room_make(ctx, n, t.features, room));
  room->token.ctx = ctx;
  for (size_t i = 0; i < n; i++) room->rows[i] = (int32_t)i;
  w->buds[tree] = mn_mondrian_draw(&t, &rng, 0, n, room);
  kept->rows = MN_RAW(ctx, int32_t, n, 1);
  kept->bud = MN_RAW(ctx, mn_bud, w->buds[tree], 1);
  if (!kept->rows || !kept->bud) return MN_NO_MEMORY;
  memcpy(kept->rows, room->rows, n * sizeof *kept->rows);
  memcpy(kept->bud, room->bud, w->buds[tree] * sizeof *kept->bud);
  return MN_OK;
}

static void draw_task(void *work, size_t tree, size_t worker)
{
  (void)draw_tree(work, tree, worker); /* the context of the worker keeps why */
}

static void plant_root(const mn_mondrian_tree *t, size_t buds, const mn_mondrian_room *room)
{
  *t->root = 0;
  *t->used = 1;
  t->parent[0] = t->box[0] = -1;
  mn_mondrian_plant(t, 0, buds, room);
}

static void plant_task(void *work, size_t tree, size_t worker)
{
  (void)worker;
  const struct drawing *w = work;
  const mn_mondrian_tree t = mn_mondrian_tree_of(w->m, tree);
  plant_root(&t, w->buds[tree], &w->kept[tree]);
}

static mn_status draw_all(mn_context *ctx, struct drawing *w, mn_mondrian *m, size_t workers)
{
  const size_t trees = mn_mondrian_trees(m);
  struct extent most = { 1, 1 };
  MN_TRY(mn_worker_contexts_new(ctx, workers, w->child));
  MN_TRY(mn_parallel(ctx, trees, draw_task, w));
  MN_TRY(mn_worker_contexts_status(ctx, workers, w->child));
  for (size_t i = 0; i < trees; i++)
    most = larger(most, (struct extent){ w->buds[i], mn_mondrian_large(w->kept[i].bud, w->buds[i]) });
  MN_TRY(want_slots(ctx, m, most));
  return mn_parallel(ctx, trees, plant_task, w);
}

mn_status mn_mondrian_fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_mondrian *m = self;
  const size_t threads = mn_threads(ctx), trees = (size_t)m->n_estimators, workers = threads < trees ? threads : trees;
  struct drawing w = { .m = m };
  w.child = MN_NEW(ctx, mn_context *, workers, 1);
  w.room = MN_NEW(ctx, mn_mondrian_room, workers, 1);
  w.kept = MN_NEW(ctx, mn_mondrian_room, trees, 1);
  w.buds = MN_NEW(ctx, size_t, trees, 1);
  if (!w.child || !w.room || !w.kept || !w.buds) return MN_NO_MEMORY;
  MN_TRY(check_rows(ctx, m, data));
  MN_TRY(make_trees(ctx, m));
  MN_TRY(want_places(ctx, m, data->rows));
  const mn_mondrian_places places = places_of(m);
  m->n_rows = (int64_t)data->rows;
  MN_TRY(put_rows(ctx, m, data, 0, &places));
  const mn_status status = draw_all(ctx, &w, m, workers);
  mn_worker_contexts_free(workers, w.child);
  MN_TRY(status);
  if (data->code || !mn_mondrian_new_scale(m)) return MN_OK;
  return mn_parallel(ctx, trees, tally_tree, m);
}

/* --- batches --- */

enum { ROWS_AT_ONCE = 256 };

struct learning {
  mn_context *ctx;
  const mn_mondrian *m;
  mn_mondrian_room *room; /* workers                                          */
  size_t end, *at;        /* rows to be learned; trees: the next row             */
  struct extent *needs;   /* trees: what it wants for that, if it was stopped; 0 */
};

static void learn_task(void *work, size_t tree, size_t worker)
{
  const struct learning *w = work;
  const mn_mondrian_tree t = mn_mondrian_tree_of(w->m, tree);
  mn_mondrian_room *room = &w->room[worker];
  for (w->needs[tree] = (struct extent){ 0, 0 }; w->at[tree] < w->end; w->at[tree]++) {
    const size_t row = w->at[tree];
    mn_rng rng = stream_of(w->m, row + 1, tree);
    const mn_mondrian_step step = mn_mondrian_plan(&t, &rng, row, room);
    const struct extent needs = after_step(&t, &step);
    if (mn_cancelled(w->ctx)) return; /* the plan may be half made */
    if (!fits(needs, (struct extent){ t.slots, t.boxes })) {
      w->needs[tree] = needs;
      return;
    }
    mn_mondrian_do(&t, &step, row, room);
  }
}

/* Rows up to w->end into all trees, which are given more slots as they need them. */
static mn_status learn_to(mn_context *ctx, mn_mondrian *m, struct learning *w)
{
  const size_t trees = mn_mondrian_trees(m);
  for (;;) {
    struct extent needs = { 0, 0 };
    MN_TRY(mn_parallel(ctx, trees, learn_task, w));
    for (size_t i = 0; i < trees; i++) needs = larger(needs, w->needs[i]);
    if (needs.slots == 0) return MN_OK;
    MN_TRY(want_slots(ctx, m, room_for(extent_of(m), needs)));
  }
}

/* The first row of all: a leaf in each tree. */
static mn_status learn_first(mn_context *ctx, mn_mondrian *m)
{
  int32_t row = 0;
  mn_bud bud = { .end = 1 };
  mn_mondrian_room room = { .rows = &row, .bud = &bud };
  MN_TRY(want_slots(ctx, m, (struct extent){ 2, 1 }));
  for (size_t i = 0; i < mn_mondrian_trees(m); i++) {
    const mn_mondrian_tree t = mn_mondrian_tree_of(m, i);
    bud.time = t.lifetime;
    plant_root(&t, 1, &room);
  }
  return MN_OK;
}

mn_status mn_mondrian_partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_mondrian *m = self;
  const size_t old = (size_t)m->n_rows, end = old + data->rows, workers = mn_threads(ctx);
  struct learning w = { .ctx = ctx, .m = m };
  MN_TRY(check_rows(ctx, m, data));
  if (!m->root.at) MN_TRY(make_trees(ctx, m));
  MN_TRY(want_places(ctx, m, mn_room_for(m->weight.size, end)));
  const size_t trees = mn_mondrian_trees(m);
  const mn_mondrian_places places = places_of(m);
  MN_TRY(put_rows(ctx, m, data, old, &places));
  if (old == 0) MN_TRY(learn_first(ctx, m));
  w.room = MN_NEW(ctx, mn_mondrian_room, workers, 1);
  w.at = MN_NEW(ctx, size_t, trees, 1);
  w.needs = MN_NEW(ctx, struct extent, trees, 1);
  if (!w.room || !w.at || !w.needs) return MN_NO_MEMORY;
  for (size_t i = 0; i < workers; i++) {
    MN_TRY(mn_mondrian_room_make(ctx, end, data->features, &w.room[i]));
    w.room[i].token = (mn_cancel_token){ ctx, i };
  }
  for (size_t i = 0; i < trees; i++) w.at[i] = old > 0 ? old : 1;
  m->n_rows = (int64_t)end;
  while (w.end < end) {
    const size_t last = (w.end > old ? w.end : old) + ROWS_AT_ONCE;
    w.end = last < end ? last : end;
    MN_TRY(learn_to(ctx, m, &w));
    MN_TRY(mn_poll(ctx));
  }
  if (data->code || !mn_mondrian_new_scale(m)) return MN_OK;
  return mn_parallel(ctx, trees, tally_tree, m);
}

/* --- one row, in place --- */

/* The place behind the rows, as it was. */
static void clear_row(const mn_mondrian *m, size_t row)
{
  memset(mn_row(&m->x, row), 0, m->x.cols * sizeof *m->x.at);
  m->y.at[row] = m->weight.at[row] = 0;
}

/* Rows in the leaf that the new row may wake. */
static size_t rows_to_draw(const mn_mondrian_tree *t, size_t row)
{
  const int32_t leaf = mn_mondrian_leaf(t, t->x + row * t->features);
  if (!mn_mondrian_paused(t, leaf) || mn_mondrian_paused_with(t, leaf, row)) return 1;
  return (size_t)t->held[leaf] + 1;
}

/* What all trees will do: nothing is changed but scratch. */
static mn_status plan_all(mn_context *ctx, const mn_mondrian *m, const mn_mondrian_places *places,
                          mn_mondrian_room *room, mn_mondrian_step *step, struct extent *wanted)
{
  const size_t row = (size_t)m->n_rows;
  *wanted = (struct extent){ 0, 0 };
  for (size_t i = 0; i < mn_mondrian_trees(m); i++) {
    mn_mondrian_tree t = mn_mondrian_tree_of(m, i);
    mn_rng rng = stream_of(m, row + 1, i);
    t.x = places->x.at;
    t.y = places->y.at;
    t.weight = places->weight.at;
    MN_TRY(mn_mondrian_room_make(ctx, rows_to_draw(&t, row), t.features, &room[i]));
    room[i].token.ctx = ctx;
    step[i] = mn_mondrian_plan(&t, &rng, row, &room[i]);
    MN_TRY(mn_error_status(ctx)); /* cancelled: the plan may be half made */
    *wanted = larger(*wanted, after_step(&t, &step[i]));
  }
  return MN_OK;
}

/* From here on nothing fails. */
static void do_all(mn_mondrian *m, const mn_mondrian_room *room, const mn_mondrian_step *step)
{
  const size_t row = (size_t)m->n_rows++, trees = mn_mondrian_trees(m);
  for (size_t i = 0; i < trees; i++) {
    const mn_mondrian_tree t = mn_mondrian_tree_of(m, i);
    mn_mondrian_do(&t, &step[i], row, &room[i]);
  }
  if (m->base.classes) return;
  mn_mondrian_count_y(m, m->y.at[row], m->weight.at[row]);
  if (!mn_mondrian_new_scale(m)) return;
  for (size_t i = 0; i < trees; i++) tally_tree(m, i, 0);
}

mn_status mn_mondrian_update(mn_context *ctx, void *self, const mn_data *data)
{
  mn_mondrian *m = self;
  const size_t row = (size_t)m->n_rows, trees = mn_mondrian_trees(m), has = m->weight.size;
  const struct extent had = extent_of(m);
  struct extent wanted;
  mn_mondrian_step *step = MN_RAW(ctx, mn_mondrian_step, trees, 1);
  mn_mondrian_room *room = MN_RAW(ctx, mn_mondrian_room, trees, 1);
  mn_mondrian_places places = places_of(m);
  mn_mondrian_slots more;
  if (!step || !room) return MN_NO_MEMORY;
  MN_TRY(check_rows(ctx, m, data));
  if (row == has) MN_TRY(mn_mondrian_make_places(ctx, m, mn_room_for(has, row + 1), &places));
  put_row(data, 0, row, &places);
  mn_status status = plan_all(ctx, m, &places, room, step, &wanted);
  const struct extent to = status == MN_OK ? room_for(had, wanted) : had;
  if (status == MN_OK && !fits(wanted, had)) status = mn_mondrian_make_slots(ctx, m, to.slots, to.boxes, &more);
  if (status != MN_OK) {
    if (row == has)
      mn_mondrian_free_places(ctx, &places);
    else
      clear_row(m, row);
    return status;
  }
  if (row == has) mn_mondrian_take_places(ctx, m, &places);
  if (!fits(wanted, had)) mn_mondrian_take_slots(ctx, m, &more);
  do_all(m, room, step);
  return MN_OK;
}
