/* Nodes are split depth first from a stack, or, with a limit on the leaves, the best one first from a heap.
 *
 * Large nodes are searched with a thread for each feature. Small ones become jobs: the rows of such a subtree are
 * copied close together, so that all its columns stay in cache, and jobs run beside each other. Random numbers are
 * named by the path to a node. So a tree does not depend on the number of threads. */
#include "grow_parts.h"
#include "../core/threads.h"
#include <math.h>

enum { BLOCK_VALUES = 1 << 16, MOST_SMALL = 4096, LEAST_SMALL = 64, FEW = 64 };

/* --- room --- */

static mn_status make_gear(mn_context *ctx, const mn_growth_settings *g, size_t small, struct mn_thread_state *gear)
{
  const mn_tree_columns *c = g->rules.columns;
  const size_t p = c->features, n = c->rows, stack = n / (small + 1) + 2 > small + 2 ? n / (small + 1) + 2 : small + 2;
  MN_TRY(mn_search_workspace_make(ctx, &g->rules, n, n, &gear->bench));
  gear->sum = MN_RAW(ctx, double, g->rules.width, 1);
  gear->feature = MN_RAW(ctx, uint32_t, p, 2);
  gear->stack = MN_RAW(ctx, struct mn_open_node, stack, 1);
  gear->stack_room = stack;
  if (!gear->sum || !gear->feature || !gear->stack) return MN_NO_MEMORY;
  gear->swapped = gear->feature + p;
  for (size_t j = 0; j < p; j++) gear->feature[j] = (uint32_t)j;
  if (small == 0) return MN_OK;
  gear->pairs = MN_RAW(ctx, uint64_t, mn_search_pairs_size(small), 1);
  MN_CHECK_ALLOC(gear->pairs);
  uint32_t *ranks = MN_RAW(ctx, uint32_t, p + 3, small);
  gear->rank = MN_RAW(ctx, mn_packed, p, 1);
  gear->value = MN_RAW(ctx, double *, p, 1);
  gear->values = MN_RAW(ctx, double, (c->value ? p : 0) + g->rules.width + 1, small);
  gear->code = MN_RAW(ctx, int32_t, small, 1);
  gear->node = MN_RAW(ctx, struct mn_growing_node, small, 2);
  if (!ranks || !gear->rank || !gear->value || !gear->values || !gear->code || !gear->node) return MN_NO_MEMORY;
  gear->ranks = (uint8_t *)ranks;
  gear->id = ranks + p * small;
  gear->at = gear->id + small;
  gear->y_rank = gear->at + small;
  gear->weight = gear->values + (c->value ? p * small : 0);
  gear->y = gear->weight + small;
  return MN_OK;
}

/* Small subtrees are copied only where most of what is copied is then read, and no column is kept as few. */
static size_t small_rows(const mn_growth_settings *g)
{
  const size_t p = g->rules.columns->features, rows = BLOCK_VALUES / p;
  if (g->max_leaves > 0 || p / 16 > g->max_features || g->rules.columns->few) return 0;
  return rows < LEAST_SMALL ? LEAST_SMALL : rows > MOST_SMALL ? MOST_SMALL : rows;
}

/* What the benches hold above the subtrees is done with before there is a node of these. */
static mn_status make_lower(mn_context *ctx, mn_grow_workspace *room, size_t n)
{
  const size_t pairs = room->workers * mn_search_pairs_size(n) * sizeof(uint64_t);
  const size_t nodes = room->small > 0 ? 2 * n * sizeof(struct mn_growing_node) : 0;
  char *both = MN_RAW(ctx, char, pairs > nodes ? pairs : nodes, 1);
  MN_CHECK_ALLOC(both);
  room->pairs = (uint64_t *)(void *)both;
  room->lower = (struct mn_growing_node *)(void *)both;
  return MN_OK;
}

static void lay_benches(const mn_split_settings *rules, mn_grow_workspace *room, bool upper)
{
  const size_t n = rules->columns->rows;
  for (size_t w = 0; w < room->workers; w++) {
    struct mn_thread_state *gear = &room->gear[w];
    if (upper)
      mn_search_workspace_attach(rules, room->pairs + w * mn_search_pairs_size(n), n, &gear->bench);
    else
      mn_search_workspace_attach(rules, gear->pairs, room->small, &gear->bench);
  }
}

mn_status mn_grow_workspace_make(mn_context *ctx, const mn_growth_settings *g, mn_grow_workspace **out)
{
  const size_t n = g->rules.columns->rows, p = g->rules.columns->features;
  mn_grow_workspace *room = MN_NEW(ctx, mn_grow_workspace, 1, 1);
  MN_CHECK_ALLOC(room);
  room->small = small_rows(g);
  room->workers = mn_threads(ctx);
  room->gear = MN_NEW(ctx, struct mn_thread_state, room->workers, 1);
  room->at = MN_RAW(ctx, uint32_t, n, 2);
  room->split = MN_RAW(ctx, mn_split, p, 1);
  room->constant = MN_RAW(ctx, bool, p, 1);
  room->few_nodes = MN_RAW(ctx, struct mn_growing_node, FEW, 1);
  room->few_jobs = MN_RAW(ctx, struct mn_subtree, FEW, 1);
  if (!room->gear || !room->at || !room->split || !room->constant || !room->few_nodes || !room->few_jobs)
    return MN_NO_MEMORY;
  room->spare = room->at + n;
  if (g->rules.columns->few) {
    room->place = MN_RAW(ctx, uint32_t, n, 1);
    MN_CHECK_ALLOC(room->place);
  }
  MN_TRY(make_lower(ctx, room, n));
  for (size_t w = 0; w < room->workers; w++) {
    MN_TRY(make_gear(ctx, g, room->small, &room->gear[w]));
    room->gear[w].bench.token.worker = w;
  }
  *out = room;
  return MN_OK;
}

/* Room for two nodes more, where there is less twice as much; the old one goes with the tree. Within a subtree there is
 * enough. */
static mn_status want_children(struct mn_subtree_growth *p)
{
  mn_grow_workspace *room = p->room;
  if (!p->ctx || p->nodes + 2 <= room->upper_room) return MN_OK;
  struct mn_growing_node *node = MN_GROW(p->ctx, p->node, p->nodes, 2 * room->upper_room);
  MN_CHECK_ALLOC(node);
  p->node = room->upper = node;
  room->upper_room *= 2;
  return MN_OK;
}

/* The node will grow by itself. */
static mn_status leave_for_later(mn_context *ctx, mn_grow_workspace *room, const struct mn_open_node *item)
{
  if (room->jobs == room->jobs_room) {
    struct mn_subtree *job = MN_GROW(ctx, room->job, room->jobs, 2 * room->jobs_room);
    MN_CHECK_ALLOC(job);
    room->job = job;
    room->jobs_room *= 2;
  }
  room->job[room->jobs++] = (struct mn_subtree){ .root = *item };
  return MN_OK;
}

/* --- depth first --- */

/* Room for two items more on the stack of the upper tree: where it is a chain to the left, each node of it leaves one
 * there, however few rows that has. The longer one goes with the tree. */
static mn_status want_items(struct mn_subtree_growth *p, struct mn_open_node **stack, size_t stacked, size_t *room)
{
  if (!p->ctx || stacked + 2 <= *room) return MN_OK;
  struct mn_open_node *longer = MN_GROW(p->ctx, *stack, stacked, 2 * *room);
  MN_CHECK_ALLOC(longer);
  *stack = longer;
  *room *= 2;
  return MN_OK;
}

/* Grow all that is on the stack of the gear. Small nodes become jobs where the plot is the upper tree. */
static mn_status grow_stack(struct mn_subtree_growth *p, size_t stacked)
{
  struct mn_open_node *stack = p->gear->stack, child[2];
  size_t room = p->gear->stack_room;
  while (stacked > 0) {
    const struct mn_open_node item = stack[--stacked];
    mn_node_stats t = { .sum = p->gear->sum };
    mn_split s;
    if (p->ctx) MN_TRY(mn_poll(p->ctx));
    if (p->ctx && item.end - item.begin <= p->room->small) {
      MN_TRY(leave_for_later(p->ctx, p->room, &item));
      continue;
    }
    MN_TRY(mn_examine_node(p, &item, &t, &s));
    if (!s.found) {
      mn_make_leaf(p, &item, &t);
      continue;
    }
    MN_TRY(want_children(p));
    MN_TRY(want_items(p, &stack, stacked, &room));
    mn_split_node(p, &item, &t, &s, child);
    stack[stacked++] = child[1];
    stack[stacked++] = child[0];
  }
  return MN_OK;
}

struct jobs_work {
  const mn_growth_settings *growth;
  const mn_training_view *rows;
  mn_grow_workspace *room;
  const double *weight;
  double total;
};

/* Values of the rows at[0..n-1], a column behind the other. Where X has rows, a row at a time: it is a few lines of
 * cache, while each column is another line for nearly each row. */
static void copy_values(const mn_tree_columns *c, double *const *value, const uint32_t *at, size_t n, double *to)
{
  enum { AHEAD = 8, LINE = 8 };
  const size_t p = c->features;
  const double *x = c->data.x.at;
  if (!x) {
    for (size_t j = 0; j < p; j++)
      for (size_t i = 0; i < n; i++) to[j * n + i] = value[j][at[i]];
    return;
  }
  for (size_t i = 0; i < n; i++) {
    const double *row = x + at[i] * p, *ahead = x + at[i + AHEAD < n ? i + AHEAD : i] * p;
    for (size_t j = 0; j < p; j += LINE) __builtin_prefetch(ahead + j);
    for (size_t j = 0; j < p; j++) to[j * n + i] = row[j];
  }
}

/* The rows of a job, close together. */
static mn_training_view copy_rows(const struct jobs_work *w, const struct mn_subtree *job, struct mn_thread_state *gear)
{
  const mn_split_settings *rules = &w->growth->rules;
  const mn_training_view *from = w->rows;
  const size_t n = job->root.end - job->root.begin, p = rules->columns->features;
  const uint32_t *at = w->room->at + job->root.begin;
  for (size_t i = 0; i < n; i++) {
    gear->id[i] = at[i];
    gear->at[i] = (uint32_t)i;
  }
  for (size_t j = 0; j < p; j++) {
    const bool drawn = rules->random && !rules->columns->by_levels[j] && !rules->columns->missing[j];
    const mn_packed rank = from->rank[j], near = mn_packed_view(gear->ranks + j * n * sizeof(uint32_t), UINT32_MAX);
    gear->rank[j] = near;
    for (size_t i = 0; !drawn && i < n; i++) mn_packed_set(near, i, mn_packed_get(rank, at[i])); /* else not read */
  }
  if (from->value) copy_values(rules->columns, from->value, at, n, gear->values);
  for (size_t j = 0; from->value && j < p; j++) gear->value[j] = gear->values + j * n;
  for (size_t i = 0; i < n; i++) {
    if (w->weight) gear->weight[i] = w->weight[at[i]];
    if (from->code) gear->code[i] = from->code[at[i]];
    if (from->y) memcpy(gear->y + i * rules->width, from->y + at[i] * rules->width, rules->width * sizeof *gear->y);
    if (from->y_rank) gear->y_rank[i] = from->y_rank[at[i]];
  }
  return (mn_training_view){ .row = gear->id,
                             .rank = gear->rank,
                             .value = from->value ? gear->value : NULL,
                             .stride = n,
                             .weight = w->weight ? gear->weight : NULL,
                             .code = from->code ? gear->code : NULL,
                             .y = from->y ? gear->y : NULL,
                             .y_rank = from->y_rank ? gear->y_rank : NULL };
}

static void grow_job(void *work, size_t block, size_t worker)
{
  const struct jobs_work *w = work;
  struct mn_subtree *job = &w->room->job[block];
  struct mn_thread_state *gear = &w->room->gear[worker];
  const mn_training_view ground = copy_rows(w, job, gear);
  const size_t n = job->root.end - job->root.begin;
  struct mn_subtree_growth p = { .growth = w->growth,
                                 .ground = &ground,
                                 .gear = gear,
                                 .room = w->room,
                                 .at = gear->at,
                                 .spare = w->room->spare + job->root.begin,
                                 .base = job->root.begin,
                                 .node = gear->node,
                                 .nodes = 1,
                                 .total = w->total };
  gear->stack[0] = job->root;
  gear->stack[0].begin = gear->stack[0].node = 0;
  gear->stack[0].end = (uint32_t)n;
  (void)grow_stack(&p, 1); /* alone it cannot fail */
  job->nodes = p.nodes;
  job->first = atomic_fetch_add(&w->room->lower_size, p.nodes);
  memcpy(w->room->lower + job->first, p.node, p.nodes * sizeof *p.node);
  for (size_t i = 0; i < n; i++) w->room->at[job->root.begin + i] = gear->id[gear->at[i]];
}

/* --- best first --- */

struct candidate {
  struct mn_open_node item;
  mn_split split;
  double gain;
  size_t order;
};

static bool goes_first(const struct candidate *a, const struct candidate *b)
{
  return a->gain > b->gain || (!(a->gain < b->gain) && a->order < b->order);
}

static void heap_push(struct candidate *heap, size_t n, const struct candidate *new)
{
  size_t at = n;
  for (; at > 0 && goes_first(new, &heap[(at - 1) / 2]); at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
  heap[at] = *new;
}

static void heap_pop(struct candidate *heap, size_t n) /* n: left after it */
{
  const struct candidate last = heap[n];
  size_t at = 0;
  for (size_t child; (child = 2 * at + 1) < n; at = child) {
    if (child + 1 < n && goes_first(&heap[child + 1], &heap[child])) child++;
    if (!goes_first(&heap[child], &last)) break;
    heap[at] = heap[child];
  }
  heap[at] = last;
}

/* A leaf for now; a candidate where it can be split. */
static mn_status consider(struct mn_subtree_growth *p, const struct mn_open_node *item, struct candidate *heap,
                          size_t *n, size_t *order)
{
  mn_node_stats t = { .sum = p->gear->sum };
  struct candidate c = { .item = *item, .order = (*order)++ };
  MN_TRY(mn_poll(p->ctx));
  MN_TRY(mn_examine_node(p, item, &t, &c.split));
  mn_make_leaf(p, item, &t);
  if (!c.split.found) return MN_OK;
  c.split.step = NULL; /* gone before its turn comes */
  c.gain = mn_split_gain(&p->growth->rules, &t, &c.split);
  heap_push(heap, (*n)++, &c);
  return MN_OK;
}

static mn_status grow_best_first(struct mn_subtree_growth *p, const struct mn_open_node *root)
{
  const size_t rows = root->end - root->begin, most = p->growth->max_leaves < rows ? p->growth->max_leaves : rows;
  struct candidate *heap = MN_RAW(p->ctx, struct candidate, most + 1, 1);
  size_t n = 0, order = 0, leaves = 1;
  MN_CHECK_ALLOC(heap);
  MN_TRY(consider(p, root, heap, &n, &order));
  while (n > 0 && leaves < most) {
    struct candidate c = heap[0];
    struct mn_open_node child[2];
    mn_node_stats t = { .sum = p->gear->sum, .low = c.item.low, .high = c.item.high };
    heap_pop(heap, --n);
    mn_compute_node_stats(&p->growth->rules, p->ground, p->at + c.item.begin, c.item.end - c.item.begin,
                          &p->gear->bench, &t);
    MN_TRY(want_children(p));
    mn_split_node(p, &c.item, &t, &c.split, child);
    leaves++;
    for (int side = 0; side < 2; side++) MN_TRY(consider(p, &child[side], heap, &n, &order));
  }
  return MN_OK;
}

/* --- a tree --- */

/* The rows that weigh, and where each stands. */
static uint32_t lay_rows(mn_grow_workspace *room, size_t rows, const double *weight)
{
  uint32_t n = 0;
  for (size_t i = 0; i < rows; i++) {
    const bool there = !weight || weight[i] > 0;
    if (room->place) room->place[i] = there ? n : MN_NO_POSITION;
    if (there) room->at[n++] = (uint32_t)i;
  }
  return n;
}

mn_status mn_grow(mn_context *ctx, const mn_growth_settings *growth, mn_grow_workspace *room,
                  const mn_training_view *rows, const double *weight, uint64_t seed, mn_grown_tree *out)
{
  mn_training_view ground = *rows;
  struct mn_open_node root = { .key = seed, .low = -INFINITY, .high = INFINITY, .groups = UINT64_MAX };
  struct mn_subtree_growth p = { .growth = growth,
                                 .ground = &ground,
                                 .gear = room->gear,
                                 .room = room,
                                 .ctx = ctx,
                                 .at = room->at,
                                 .spare = room->spare,
                                 .node = room->few_nodes,
                                 .nodes = 1 };
  ground.weight = weight;
  ground.place = room->place;
  root.end = lay_rows(room, growth->rules.columns->rows, weight);
  room->upper = room->few_nodes;
  room->job = room->few_jobs;
  room->jobs = 0;
  room->upper_room = room->jobs_room = FEW;
  atomic_store(&room->lower_size, 0);
  p.total = mn_rows_weight(&p, 0, root.end);
  lay_benches(&growth->rules, room, true);
  if (growth->max_leaves > 0) {
    MN_TRY(grow_best_first(&p, &root));
  } else {
    p.gear->stack[0] = root;
    MN_TRY(grow_stack(&p, 1));
  }
  room->upper_size = p.nodes;
  if (room->jobs > 0) lay_benches(&growth->rules, room, false);
  struct jobs_work w = { .growth = growth, .rows = rows, .room = room, .weight = weight, .total = p.total };
  MN_TRY(mn_parallel(ctx, room->jobs, grow_job, &w));
  return mn_finalize_tree(ctx, growth, room, &ground, out);
}
