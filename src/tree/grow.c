/* Nodes are split depth first from a stack, or, with a limit on the leaves, the best one first from a heap.
 *
 * Large nodes are searched with a thread for each feature. Small ones become jobs: the rows of such a subtree are
 * copied close together, so that all its columns stay in cache, and jobs run beside each other. Random numbers are
 * named by the path to a node. So a tree does not depend on the number of threads. */
#include "grow_parts.h"
#include "../core/threads.h"
#include <math.h>

enum { BLOCK_VALUES = 1 << 16, MOST_SMALL = 4096, LEAST_SMALL = 64, PARALLEL_VALUES = 1 << 15 };

/* --- room --- */

static mn_status make_gear(mn_context *ctx, const mn_growth *g, size_t small, struct mn_gear *gear)
{
  const mn_columns *c = g->rules.columns;
  const size_t p = c->features, n = c->rows, stack = n / (small + 1) + 2 > small + 2 ? n / (small + 1) + 2 : small + 2;
  MN_TRY(mn_bench_make(ctx, &g->rules, n, n, &gear->bench));
  gear->sum = MN_RAW(ctx, double, g->rules.width, 1);
  gear->feature = MN_RAW(ctx, uint32_t, p, 2);
  gear->stack = MN_RAW(ctx, struct mn_item, stack, 1);
  if (!gear->sum || !gear->feature || !gear->stack) return MN_NO_MEMORY;
  gear->swapped = gear->feature + p;
  for (size_t j = 0; j < p; j++) gear->feature[j] = (uint32_t)j;
  if (small == 0) return MN_OK;
  gear->rank = MN_RAW(ctx, uint32_t, p + 3, small);
  gear->value = MN_RAW(ctx, double, (c->value ? p : 0) + g->rules.width + 1, small);
  gear->code = MN_RAW(ctx, int32_t, small, 1);
  if (!gear->rank || !gear->value || !gear->code) return MN_NO_MEMORY;
  gear->id = gear->rank + p * small;
  gear->at = gear->id + small;
  gear->y_rank = gear->at + small;
  gear->weight = gear->value + (c->value ? p * small : 0);
  gear->y = gear->weight + small;
  return MN_OK;
}

static mn_status make_nodes(mn_context *ctx, size_t room, struct mn_nodes *nodes)
{
  nodes->word = MN_RAW(ctx, int32_t, room, MN_NODE_WORDS);
  nodes->cover = MN_RAW(ctx, double, room, 3);
  if (!nodes->word || !nodes->cover) return MN_NO_MEMORY;
  nodes->impurity = nodes->cover + room;
  nodes->value = nodes->impurity + room;
  return MN_OK;
}

/* Small subtrees are copied only where most of what is copied is then read. */
static size_t small_rows(const mn_growth *g)
{
  const size_t p = g->rules.columns->features, rows = BLOCK_VALUES / p;
  if (g->max_leaves > 0 || p / 16 > g->max_features) return 0;
  return rows < LEAST_SMALL ? LEAST_SMALL : rows > MOST_SMALL ? MOST_SMALL : rows;
}

mn_status mn_room_make(mn_context *ctx, const mn_growth *g, mn_room **out)
{
  const size_t n = g->rules.columns->rows, p = g->rules.columns->features;
  mn_room *room = MN_NEW(ctx, mn_room, 1, 1);
  MN_NEED(room);
  room->small = small_rows(g);
  room->workers = mn_threads(ctx);
  room->gear = MN_NEW(ctx, struct mn_gear, room->workers, 1);
  room->at = MN_RAW(ctx, uint32_t, n, 2);
  room->job = MN_RAW(ctx, struct mn_job, n, 1);
  room->split = MN_RAW(ctx, mn_split, p, 1);
  room->constant = MN_RAW(ctx, bool, p, 1);
  if (!room->gear || !room->at || !room->job || !room->split || !room->constant) return MN_NO_MEMORY;
  room->spare = room->at + n;
  MN_TRY(make_nodes(ctx, 2 * n, &room->upper));
  if (room->small > 0) MN_TRY(make_nodes(ctx, 2 * n, &room->lower));
  for (size_t w = 0; w < room->workers; w++) MN_TRY(make_gear(ctx, g, room->small, &room->gear[w]));
  *out = room;
  return MN_OK;
}

/* --- one node --- */

/* Where a stack of nodes grows: the whole tree above its small subtrees, or one of these. */
struct plot {
  const mn_growth *growth;
  const mn_ground *ground;
  struct mn_gear *gear;
  mn_room *room;
  mn_context *ctx;            /* NULL: within a task, search alone */
  uint32_t *at, *spare, base; /* base: where at[0] stands in room->at */
  struct mn_nodes nodes;
  double total; /* weight of all rows of the tree */
};

static uint64_t child_key(uint64_t key, uint64_t side)
{
  uint64_t x = (key << 1 | side) ^ 0x9E3779B97F4A7C15;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return (x ^ x >> 31) + key;
}

struct features_work {
  const struct plot *plot;
  const struct mn_item *item;
  const mn_tally *tally;
};

static void search_task(void *work, size_t block, size_t worker)
{
  const struct features_work *w = work;
  const struct plot *p = w->plot;
  const size_t j = p->gear->feature[block];
  mn_search(&p->growth->rules, p->ground, p->at + w->item->begin, w->item->end - w->item->begin, w->tally, j,
            child_key(w->item->key, j + 2), &p->room->gear[worker].bench, &p->room->split[block],
            &p->room->constant[block]);
}

/* Draw the next feature of the node to the place `drawn`. */
static void draw(struct mn_gear *gear, mn_rng *rng, size_t drawn, size_t p)
{
  const size_t from = drawn + mn_random_below(rng, p - drawn);
  const uint32_t j = gear->feature[from];
  gear->swapped[drawn] = (uint32_t)from;
  gear->feature[from] = gear->feature[drawn];
  gear->feature[drawn] = j;
}

static void put_back(struct mn_gear *gear, size_t drawn)
{
  while (drawn-- > 0) {
    const size_t from = gear->swapped[drawn];
    const uint32_t j = gear->feature[drawn];
    gear->feature[drawn] = gear->feature[from];
    gear->feature[from] = j;
  }
}

static void keep_better(const struct plot *p, const mn_tally *t, const mn_split *split, mn_split *best)
{
  if (!split->found) return;
  if (!best->found || mn_is_better(&p->growth->rules, t, split->proxy, best->proxy)) *best = *split;
}

/* The best split of a node; max_features columns are tried, and more until one is not constant. */
static mn_status find(struct plot *p, const struct mn_item *item, const mn_tally *t, mn_split *best)
{
  const mn_growth *g = p->growth;
  const size_t features = g->rules.columns->features, n = item->end - item->begin;
  const bool all = g->max_features >= features;
  struct features_work w = { .plot = p, .item = item, .tally = t };
  mn_rng rng = mn_stream((int64_t)(item->key >> 1), 0);
  size_t drawn = 0, tried = 0;
  bool varied = false;
  mn_status status = MN_OK;
  *best = (mn_split){ .found = false };
  if (p->ctx && p->room->workers > 1 && n * g->max_features >= PARALLEL_VALUES) {
    while (!all && drawn < g->max_features) draw(p->gear, &rng, drawn, features), drawn++;
    status = mn_parallel(p->ctx, g->max_features, search_task, &w);
    for (; status == MN_OK && tried < g->max_features; tried++) {
      keep_better(p, t, &p->room->split[tried], best);
      varied = varied || !p->room->constant[tried];
    }
  }
  for (; status == MN_OK && tried < features && (tried < g->max_features || !varied); tried++) {
    mn_split split;
    bool constant;
    if (!all) draw(p->gear, &rng, drawn, features), drawn++;
    const size_t j = p->gear->feature[tried];
    mn_search(&g->rules, p->ground, p->at + item->begin, n, t, j, child_key(item->key, j + 2), &p->gear->bench, &split,
              &constant);
    keep_better(p, t, &split, best);
    varied = varied || !constant;
  }
  put_back(p->gear, drawn);
  return status;
}

static bool among(const mn_bench *b, size_t n, uint32_t code)
{
  size_t low = 0, high = n;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (b->levels[middle] < code)
      low = middle + 1;
    else
      high = middle;
  }
  return low < n && b->levels[low] == code;
}

static bool goes_left(const struct plot *p, const mn_split *s, uint32_t rank, double value)
{
  const mn_rules *rules = &p->growth->rules;
  if (rank == rules->columns->distinct[s->feature]) return s->missing_left;
  if (s->by_levels) return among(&p->gear->bench, s->levels, rank);
  return rules->random ? value <= s->threshold : rank <= s->rank;
}

/* The rows that go left before those that go right, each in their order. Returns where the right ones begin. */
static uint32_t part_rows(struct plot *p, const struct mn_item *item, const mn_split *s)
{
  const mn_columns *c = p->growth->rules.columns;
  const mn_ground *g = p->ground;
  const uint32_t *rank = g->rank + s->feature * g->stride;
  const double *value = p->growth->rules.random ? g->value + s->feature * g->stride : NULL;
  const bool plain = !s->by_levels && !c->missing[s->feature];
  uint32_t left = item->begin, right = 0;
  for (uint32_t i = item->begin; i < item->end; i++) {
    const uint32_t id = p->at[i];
    bool go;
    if (plain)
      go = value ? value[id] <= s->threshold : rank[id] <= s->rank;
    else
      go = goes_left(p, s, rank[id], value ? value[id] : 0);
    p->at[left] = id;
    p->spare[right] = id;
    left += go;
    right += !go;
  }
  memcpy(p->at + left, p->spare, right * sizeof *p->at);
  return left;
}

static double weight_of(const struct plot *p, uint32_t begin, uint32_t end)
{
  double sum = 0;
  if (!p->ground->weight) return (double)(end - begin);
  for (uint32_t i = begin; i < end; i++) sum += p->ground->weight[p->at[i]];
  return sum;
}

/* The lighter side of a split by levels goes left, so that levels which the node did not see go with most rows. */
static uint32_t lighter_left(struct plot *p, const struct mn_item *item, uint32_t middle, mn_split *s)
{
  const uint32_t n = middle - item->begin;
  if (!(weight_of(p, item->begin, middle) > weight_of(p, middle, item->end))) return middle;
  memcpy(p->spare, p->at + item->begin, n * sizeof *p->at);
  memmove(p->at + item->begin, p->at + middle, (item->end - middle) * sizeof *p->at);
  memcpy(p->at + item->end - n, p->spare, n * sizeof *p->at);
  s->missing_left = !s->missing_left;
  return item->end - n;
}

/* Did rows without a value of the feature pass the node? */
static bool saw_missing(const struct plot *p, const struct mn_item *item, size_t j)
{
  const mn_columns *c = p->growth->rules.columns;
  if (!c->missing[j]) return false;
  for (uint32_t i = item->begin; i < item->end; i++)
    if (p->ground->rank[j * p->ground->stride + p->at[i]] == c->distinct[j]) return true;
  return false;
}

static void bound_children(struct plot *p, const struct mn_item *item, uint32_t middle, size_t j, struct mn_item *child)
{
  const mn_rules *rules = &p->growth->rules;
  double value[2];
  if (!rules->monotone || rules->monotone[j] == 0) return;
  for (int side = 0; side < 2; side++) {
    mn_tally t = { .sum = p->gear->sum };
    const uint32_t begin = side ? middle : item->begin, end = side ? item->end : middle;
    mn_tally_rows(rules, p->ground, p->at + begin, end - begin, &p->gear->bench, &t);
    value[side] = fmin(fmax(t.value, item->low), item->high);
  }
  const double between = value[0] / 2 + value[1] / 2;
  child[rules->monotone[j] < 0].high = between;
  child[rules->monotone[j] > 0].low = between;
}

/* Split the node; child: its two sides, whose nodes are made. */
static void split_node(struct plot *p, const struct mn_item *item, const mn_tally *t, mn_split *s,
                       struct mn_item child[2])
{
  const size_t left = p->nodes.size;
  int32_t *w = p->nodes.word + MN_NODE_WORDS * item->node;
  if (s->by_levels) { /* the levels that go left, which other searches have overwritten */
    bool constant;
    const size_t j = s->feature;
    mn_search(&p->growth->rules, p->ground, p->at + item->begin, item->end - item->begin, t, j,
              child_key(item->key, j + 2), &p->gear->bench, s, &constant);
  }
  const bool missing = saw_missing(p, item, s->feature);
  uint32_t middle = part_rows(p, item, s);
  if (s->by_levels) middle = lighter_left(p, item, middle, s);
  if (!missing) s->missing_left = weight_of(p, item->begin, middle) > weight_of(p, middle, item->end);
  mn_node_split(w, s->feature, s->threshold, left, s->missing_left);
  if (s->by_levels) {
    w[0] = (int32_t)(p->base + item->begin);
    w[1] = (int32_t)(p->base + middle);
    w[3] |= MN_BY_LEVELS;
  }
  p->nodes.size += 2;
  for (uint32_t side = 0; side < 2; side++)
    child[side] = (struct mn_item){ .begin = side ? middle : item->begin,
                                    .end = side ? item->end : middle,
                                    .depth = item->depth + 1,
                                    .node = (uint32_t)left + side,
                                    .key = child_key(item->key, side),
                                    .low = item->low,
                                    .high = item->high };
  bound_children(p, item, middle, s->feature, child);
}

static void make_leaf(struct plot *p, const struct mn_item *item, const mn_tally *t)
{
  const mn_rules *rules = &p->growth->rules;
  int32_t *w = p->nodes.word + MN_NODE_WORDS * item->node;
  const double value = fmin(fmax(t->value, item->low), item->high);
  if (!p->ground->code && rules->width == 1) {
    mn_node_leaf(w, value + rules->center[0]);
  } else if (p->ground->code && rules->monotone) {
    mn_node_leaf(w, value); /* the share of the second class */
  } else if (p->ground->code && t->pure) {
    size_t c = 0;
    while (!(t->sum[c] > 0)) c++;
    mn_node_leaf_at(w, MN_LEAF_PURE, c);
  } else {
    mn_node_leaf_at(w, MN_LEAF_BLOCK, p->base + item->begin);
    w[1] = (int32_t)(p->base + item->end);
  }
}

/* Sum up the node, and look for its split if it may have one. */
static mn_status examine(struct plot *p, const struct mn_item *item, mn_tally *t, mn_split *s)
{
  const mn_growth *g = p->growth;
  const uint32_t n = item->end - item->begin;
  t->low = item->low;
  t->high = item->high;
  mn_tally_rows(&g->rules, p->ground, p->at + item->begin, n, &p->gear->bench, t);
  p->nodes.cover[item->node] = t->weight;
  p->nodes.impurity[item->node] = t->impurity;
  p->nodes.value[item->node] = fmin(fmax(t->value, item->low), item->high) + (g->rules.center ? g->rules.center[0] : 0);
  s->found = false;
  if (t->pure || n < 2 || item->depth >= g->max_depth || t->count < g->min_split || t->count < 2 * g->rules.min_leaf)
    return MN_OK;
  MN_TRY(find(p, item, t, s));
  if (s->found && mn_split_gain(&g->rules, t, s) / p->total + 1e-15 < g->min_decrease) s->found = false;
  return MN_OK;
}

/* --- depth first --- */

/* Grow all that is on the stack of the gear. Small nodes become jobs where the plot is the upper tree. */
static mn_status grow_stack(struct plot *p, size_t stacked)
{
  struct mn_item *stack = p->gear->stack, child[2];
  while (stacked > 0) {
    const struct mn_item item = stack[--stacked];
    mn_tally t = { .sum = p->gear->sum };
    mn_split s;
    if (p->ctx) MN_TRY(mn_poll(p->ctx));
    if (p->ctx && item.end - item.begin <= p->room->small) {
      p->room->job[p->room->jobs++] = (struct mn_job){ .root = item };
      continue;
    }
    MN_TRY(examine(p, &item, &t, &s));
    if (!s.found) {
      make_leaf(p, &item, &t);
      continue;
    }
    split_node(p, &item, &t, &s, child);
    stack[stacked++] = child[1];
    stack[stacked++] = child[0];
  }
  return MN_OK;
}

struct jobs_work {
  const mn_growth *growth;
  const mn_ground *rows;
  mn_room *room;
  const double *weight;
  double total;
};

/* The rows of a job, close together. */
static mn_ground copy_rows(const struct jobs_work *w, const struct mn_job *job, struct mn_gear *gear)
{
  const mn_rules *rules = &w->growth->rules;
  const mn_ground *from = w->rows;
  const size_t n = job->root.end - job->root.begin, p = rules->columns->features;
  const uint32_t *at = w->room->at + job->root.begin;
  for (size_t i = 0; i < n; i++) {
    gear->id[i] = at[i];
    gear->at[i] = (uint32_t)i;
  }
  for (size_t j = 0; j < p; j++) {
    const uint32_t *rank = from->rank + j * from->stride;
    const bool drawn = rules->random && !rules->columns->by_levels[j] && !rules->columns->missing[j];
    for (size_t i = 0; !drawn && i < n; i++) gear->rank[j * n + i] = rank[at[i]]; /* where cuts are drawn, not read */
    if (!from->value) continue;
    const double *value = from->value + j * from->stride;
    for (size_t i = 0; i < n; i++) gear->value[j * n + i] = value[at[i]];
  }
  for (size_t i = 0; i < n; i++) {
    if (w->weight) gear->weight[i] = w->weight[at[i]];
    if (from->code) gear->code[i] = from->code[at[i]];
    if (from->y) memcpy(gear->y + i * rules->width, from->y + at[i] * rules->width, rules->width * sizeof *gear->y);
    if (from->y_rank) gear->y_rank[i] = from->y_rank[at[i]];
  }
  return (mn_ground){ .rank = gear->rank,
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
  struct mn_job *job = &w->room->job[block];
  struct mn_gear *gear = &w->room->gear[worker];
  const mn_ground ground = copy_rows(w, job, gear);
  const size_t first = 2 * (size_t)job->root.begin, n = job->root.end - job->root.begin;
  struct plot p = { .growth = w->growth,
                    .ground = &ground,
                    .gear = gear,
                    .room = w->room,
                    .at = gear->at,
                    .spare = w->room->spare + job->root.begin,
                    .base = job->root.begin,
                    .total = w->total };
  p.nodes = (struct mn_nodes){ .word = w->room->lower.word + first * MN_NODE_WORDS,
                               .cover = w->room->lower.cover + first,
                               .impurity = w->room->lower.impurity + first,
                               .value = w->room->lower.value + first,
                               .size = 1 };
  gear->stack[0] = job->root;
  gear->stack[0].begin = gear->stack[0].node = 0;
  gear->stack[0].end = (uint32_t)n;
  (void)grow_stack(&p, 1); /* alone it cannot fail */
  job->nodes = p.nodes.size;
  for (size_t i = 0; i < n; i++) w->room->at[job->root.begin + i] = gear->id[gear->at[i]];
}

/* --- best first --- */

struct candidate {
  struct mn_item item;
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
static mn_status consider(struct plot *p, const struct mn_item *item, struct candidate *heap, size_t *n, size_t *order)
{
  mn_tally t = { .sum = p->gear->sum };
  struct candidate c = { .item = *item, .order = (*order)++ };
  MN_TRY(mn_poll(p->ctx));
  MN_TRY(examine(p, item, &t, &c.split));
  make_leaf(p, item, &t);
  if (!c.split.found) return MN_OK;
  c.gain = mn_split_gain(&p->growth->rules, &t, &c.split);
  heap_push(heap, (*n)++, &c);
  return MN_OK;
}

static mn_status grow_best_first(struct plot *p, const struct mn_item *root)
{
  const size_t rows = root->end - root->begin, most = p->growth->max_leaves < rows ? p->growth->max_leaves : rows;
  struct candidate *heap = MN_RAW(p->ctx, struct candidate, most + 1, 1);
  size_t n = 0, order = 0, leaves = 1;
  MN_NEED(heap);
  MN_TRY(consider(p, root, heap, &n, &order));
  while (n > 0 && leaves < most) {
    struct candidate c = heap[0];
    struct mn_item child[2];
    mn_tally t = { .sum = p->gear->sum, .low = c.item.low, .high = c.item.high };
    heap_pop(heap, --n);
    mn_tally_rows(&p->growth->rules, p->ground, p->at + c.item.begin, c.item.end - c.item.begin, &p->gear->bench, &t);
    split_node(p, &c.item, &t, &c.split, child);
    leaves++;
    for (int side = 0; side < 2; side++) MN_TRY(consider(p, &child[side], heap, &n, &order));
  }
  return MN_OK;
}

/* --- a tree --- */

mn_status mn_grow(mn_context *ctx, const mn_growth *growth, mn_room *room, const mn_ground *rows, const double *weight,
                  uint64_t seed, mn_grown *out)
{
  mn_ground ground = *rows;
  struct mn_item root = { .key = seed, .low = -INFINITY, .high = INFINITY };
  struct plot p = { .growth = growth,
                    .ground = &ground,
                    .gear = room->gear,
                    .room = room,
                    .ctx = ctx,
                    .at = room->at,
                    .spare = room->spare,
                    .nodes = room->upper };
  ground.weight = weight;
  for (size_t i = 0; i < growth->rules.columns->rows; i++)
    if (!weight || weight[i] > 0) room->at[root.end++] = (uint32_t)i;
  room->jobs = 0;
  p.nodes.size = 1;
  p.total = weight_of(&p, 0, root.end);
  const mn_mark mark = mn_scratch_mark(ctx);
  if (growth->max_leaves > 0) {
    MN_TRY(grow_best_first(&p, &root));
  } else {
    p.gear->stack[0] = root;
    MN_TRY(grow_stack(&p, 1));
  }
  mn_scratch_release(ctx, mark);
  room->upper.size = p.nodes.size;
  struct jobs_work w = { .growth = growth, .rows = rows, .room = room, .weight = weight, .total = p.total };
  MN_TRY(mn_parallel(ctx, room->jobs, grow_job, &w));
  return mn_settle(ctx, growth, room, &ground, out);
}
