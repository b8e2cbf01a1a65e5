/* Lakshminarayanan, Roy & Teh, Mondrian Forests: Efficient Online Random Forests (NIPS 27, 2014): algorithms 1 and 2
 * draw a block, 3 and 4 work in one row. Both go down in loops. */
#include "mondrian.h"
#include <string.h>

mn_status mn_mondrian_room_make(mn_context *ctx, size_t n, size_t features, mn_mondrian_room *room)
{
  room->rows = MN_RAW(ctx, int32_t, n, 2);
  room->bud = MN_RAW(ctx, mn_bud, n, 2);
  room->low = MN_RAW(ctx, double, features, 2);
  if (!room->rows || !room->bud || !room->low) return MN_NO_MEMORY;
  room->aside = room->rows + n;
  room->token = (mn_cancel_token){ 0 };
  room->high = room->low + features;
  return MN_OK;
}

enum { BETWEEN_POLLS = 1 << 20 }; /* values read */

/* --- drawing a block --- */

static double box_of(const mn_mondrian_tree *t, const int32_t *rows, size_t n, double *low, double *high)
{
  const size_t p = t->features;
  double sum = 0;
  memcpy(low, t->x + (size_t)rows[0] * p, p * sizeof *low);
  memcpy(high, low, p * sizeof *low);
  for (size_t i = 1; i < n; i++) {
    const double *x = t->x + (size_t)rows[i] * p;
    for (size_t j = 0; j < p; j++) {
      low[j] = x[j] < low[j] ? x[j] : low[j];
      high[j] = x[j] > high[j] ? x[j] : high[j];
    }
  }
  for (size_t j = 0; j < p; j++) sum += high[j] - low[j];
  return sum;
}

/* From low on, and below high: so that a row at either end goes to its own side. */
static double between(mn_rng *rng, double low, double high)
{
  const double cut = low + mn_random_uniform(rng) * (high - low);
  return cut < high ? cut : nextafter(high, low);
}

/* Rows up to the cut first, all in their order. Returns how many. */
static int32_t part_rows(const mn_mondrian_tree *t, const mn_bud *bud, mn_mondrian_room *room)
{
  int32_t left = bud->begin, right = 0;
  for (int32_t i = bud->begin; i < bud->end; i++) {
    const int32_t row = room->rows[i];
    if (t->x[(size_t)row * t->features + (size_t)bud->feature] <= bud->cut)
      room->rows[left++] = row;
    else
      room->aside[right++] = row;
  }
  memcpy(room->rows + left, room->aside, (size_t)right * sizeof *room->rows);
  return left;
}

/* The time and place of the cut of a block, or false: it is a leaf. */
static bool draw_cut(const mn_mondrian_tree *t, mn_rng *rng, double start, mn_bud *bud, mn_mondrian_room *room)
{
  const size_t n = (size_t)(bud->end - bud->begin), p = t->features;
  bud->left = bud->feature = 0;
  bud->cut = 0;
  bud->time = t->lifetime;
  if (n == 1 || mn_mondrian_rows_pause(t, room->rows + bud->begin, n)) return false;
  const double sides = box_of(t, room->rows + bud->begin, n, room->low, room->high);
  if (!(sides > 0)) return false;
  const double time = start + mn_random_exponential(rng) / sides;
  if (!(time < t->lifetime)) return false;
  double u = mn_random_uniform(rng) * sides;
  size_t chosen = p;
  for (size_t j = 0; j < p; j++) {
    const double side = room->high[j] - room->low[j];
    if (!(side > 0)) continue;
    chosen = j; /* the last one, should rounding leave u above all */
    if (u < side) break;
    u -= side;
  }
  bud->time = time;
  bud->feature = (int32_t)chosen;
  bud->cut = between(rng, room->low[chosen], room->high[chosen]);
  return true;
}

size_t mn_mondrian_draw(const mn_mondrian_tree *t, mn_rng *rng, double start, size_t n, mn_mondrian_room *room)
{
  mn_bud *bud = room->bud;
  size_t buds = 1, values = 0;
  bud[0] = (mn_bud){ .parent = -1, .end = (int32_t)n };
  for (size_t i = 0; i < buds; i++) {
    values += (size_t)(bud[i].end - bud[i].begin) * t->features;
    if (values > BETWEEN_POLLS) {
      if (!mn_task_should_continue(&room->token)) break;
      values = 0;
    }
    if (!draw_cut(t, rng, i > 0 ? bud[bud[i].parent].time : start, &bud[i], room)) continue;
    const int32_t middle = part_rows(t, &bud[i], room);
    bud[i].left = (int32_t)buds;
    bud[buds++] = (mn_bud){ .parent = (int32_t)i, .begin = bud[i].begin, .end = middle };
    bud[buds++] = (mn_bud){ .parent = (int32_t)i, .begin = middle, .end = bud[i].end };
  }
  return buds;
}

size_t mn_mondrian_large(const mn_bud *bud, size_t buds)
{
  size_t large = 0;
  for (size_t k = 0; k < buds; k++) large += bud[k].end - bud[k].begin > MN_FEW_ROWS;
  return large;
}

/* --- putting it in its place --- */

static void join_leaf(const mn_mondrian_tree *t, int32_t leaf, size_t row)
{
  t->next[row] = t->head[leaf];
  t->head[leaf] = (int32_t)row;
  t->held[leaf]++;
  mn_mondrian_tally_row(t, leaf, row);
}

static void empty_node(const mn_mondrian_tree *t, int32_t node, int32_t parent, double time)
{
  t->child[2 * node] = t->child[2 * node + 1] = t->head[node] = t->box[node] = -1;
  t->parent[node] = parent;
  t->feature[node] = t->held[node] = 0;
  t->cut[node] = 0;
  t->time[node] = time;
  memset(mn_mondrian_tally(t, node), 0, t->values * sizeof *t->tally);
}

static void fill_leaf(const mn_mondrian_tree *t, int32_t leaf, const int32_t *rows, size_t n)
{
  mn_mondrian_box_leaf(t, leaf, rows, n);
  for (size_t i = 0; i < n; i++) join_leaf(t, leaf, (size_t)rows[i]);
}

void mn_mondrian_plant(const mn_mondrian_tree *t, int32_t node, size_t buds, const mn_mondrian_room *room)
{
  const int32_t first = *t->used - 1; /* where bud 0 would stand: bud k > 0 stands at first + k */
  const mn_bud *bud = room->bud;
  const int32_t box = t->box[node];
  empty_node(t, node, t->parent[node], bud[0].time);
  t->box[node] = box; /* that of a leaf of so many rows */
  for (size_t k = 1; k < buds; k++)
    empty_node(t, first + (int32_t)k, bud[k].parent == 0 ? node : first + bud[k].parent, bud[k].time);
  for (size_t k = buds; k-- > 0;) {
    const int32_t at = k == 0 ? node : first + (int32_t)k;
    if (bud[k].left == 0) {
      fill_leaf(t, at, room->rows + bud[k].begin, (size_t)(bud[k].end - bud[k].begin));
      continue;
    }
    t->feature[at] = bud[k].feature;
    t->cut[at] = bud[k].cut;
    t->child[2 * at] = first + bud[k].left;
    t->child[2 * at + 1] = first + bud[k].left + 1;
    mn_mondrian_box_split(t, at, (size_t)(bud[k].end - bud[k].begin));
    mn_mondrian_tally_children(t, at);
  }
  *t->used += (int32_t)buds - 1;
}

/* --- one row more --- */

int32_t mn_mondrian_leaf(const mn_mondrian_tree *t, const double *x)
{
  int32_t node = *t->root;
  while (!mn_mondrian_is_leaf(t, node)) node = mn_mondrian_goes_to(t, node, x);
  return node;
}

/* Draw a leaf that was paused, with the new row in it. */
static mn_mondrian_step wake(const mn_mondrian_tree *t, mn_rng *rng, int32_t leaf, double start, size_t row,
                             mn_mondrian_room *room)
{
  size_t n = 0;
  for (int32_t i = t->head[leaf]; i >= 0; i = t->next[i]) room->rows[n++] = i;
  room->rows[n++] = (int32_t)row;
  const size_t buds = mn_mondrian_draw(t, rng, start, n, room), boxes = mn_mondrian_large(room->bud, buds) + 1;
  return (mn_mondrian_step){ .kind = MN_WAKES, .node = leaf, .buds = buds, .boxes = boxes };
}

/* Where a row outside a box parts from it: a column in proportion to how far outside it lies, and a place there. */
static mn_mondrian_step branch(const mn_mondrian_tree *t, mn_rng *rng, int32_t node, double time, const double *x,
                               double outside, mn_mondrian_room *room)
{
  const double *low = room->low, *high = room->high;
  double u = mn_random_uniform(rng) * outside;
  size_t chosen = 0;
  mn_mondrian_box(t, node, room->low, room->high);
  for (size_t j = 0; j < t->features; j++) {
    const double out = x[j] < low[j] ? low[j] - x[j] : x[j] - high[j];
    if (!(out > 0)) continue;
    chosen = j;
    if (u < out) break;
    u -= out;
  }
  const bool below = x[chosen] < low[chosen];
  const double cut = below ? between(rng, x[chosen], low[chosen]) : between(rng, high[chosen], x[chosen]);
  return (mn_mondrian_step){
    .kind = MN_BRANCHES, .node = node, .feature = (int32_t)chosen, .cut = cut, .time = time, .boxes = 1
  };
}

mn_mondrian_step mn_mondrian_plan(const mn_mondrian_tree *t, mn_rng *rng, size_t row, mn_mondrian_room *room)
{
  const double *x = t->x + row * t->features;
  int32_t node = *t->root;
  double start = 0;
  for (;;) {
    const bool leaf = mn_mondrian_is_leaf(t, node);
    if (leaf && mn_mondrian_paused(t, node)) {
      if (!mn_mondrian_paused_with(t, node, row)) return wake(t, rng, node, start, row, room);
      return (mn_mondrian_step){ .kind = MN_JOINS, .node = node, .boxes = 1 };
    }
    const double outside = mn_mondrian_outside(t, node, x);
    if (outside > 0) {
      const double time = start + mn_random_exponential(rng) / outside;
      if (time < t->time[node]) return branch(t, rng, node, time, x, outside, room);
    }
    if (leaf) return (mn_mondrian_step){ .kind = MN_JOINS, .node = node, .boxes = 1 };
    start = t->time[node];
    node = mn_mondrian_goes_to(t, node, x);
  }
}

size_t mn_mondrian_needs(const mn_mondrian_step *step)
{
  return step->kind == MN_JOINS ? 0 : step->kind == MN_BRANCHES ? 2 : step->buds - 1;
}

/* A new node between `step->node` and its parent, with the row in a leaf of its own on the other side. */
static void grow_branch(const mn_mondrian_tree *t, const mn_mondrian_step *step, size_t row)
{
  const int32_t old = step->node, above = t->parent[old], made = *t->used, leaf = made + 1, number = (int32_t)row;
  const bool left = t->x[row * t->features + (size_t)step->feature] <= step->cut;
  *t->used += 2;
  empty_node(t, made, above, step->time);
  empty_node(t, leaf, made, t->lifetime);
  fill_leaf(t, leaf, &number, 1);
  t->feature[made] = step->feature;
  t->cut[made] = step->cut;
  t->child[2 * made] = left ? leaf : old;
  t->child[2 * made + 1] = left ? old : leaf;
  t->parent[old] = made;
  if (above < 0)
    *t->root = made;
  else
    t->child[2 * above + (t->child[2 * above] != old)] = made;
  if (t->box[old] >= 0) mn_mondrian_box_split(t, made, MN_FEW_ROWS + 1);
}

void mn_mondrian_do(const mn_mondrian_tree *t, const mn_mondrian_step *step, size_t row, const mn_mondrian_room *room)
{
  switch (step->kind) {
  case MN_JOINS: join_leaf(t, step->node, row); break;
  case MN_BRANCHES: grow_branch(t, step, row); break;
  case MN_WAKES: mn_mondrian_plant(t, step->node, step->buds, room); break;
  }
  mn_mondrian_box_way(t, t->x + row * t->features);
  mn_mondrian_tally_up(t, step->node);
}
