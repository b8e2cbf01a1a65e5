/* From what has grown to the final form: subtrees behind the upper tree, values of leaves, levels of splits. */
#include "grow_parts.h"
#include "search_parts.h"
#include <stdlib.h>

/* What forms the tree. The children of a subtree's nodes, counted from 1 there, begin at `base`. */
static void set_form(const struct mn_growing_node *from, mn_grown_tree *to, size_t at, size_t base)
{
  int32_t *w = to->node + MN_NODE_WORDS * at;
  memcpy(w, from->word, sizeof from->word);
  const size_t left = mn_node_left(w);
  if (base > 0 && left > 0) w[3] = (int32_t)((uint32_t)(base + left - 1) << 2 | ((uint32_t)w[3] & 3));
  to->cover[at] = from->cover;
}

/* What is known of its rows besides. */
static void set_values(const struct mn_growing_node *from, mn_grown_tree *to, size_t at, size_t base)
{
  (void)base;
  to->impurity[at] = from->impurity;
  to->mean[at] = from->value;
}

/* The upper tree, and behind it the subtrees, whose roots have their place in the upper tree. */
static inline mn_status put_together(mn_context *ctx, const mn_grow_workspace *room, mn_grown_tree *out,
                                     void (*set)(const struct mn_growing_node *, mn_grown_tree *, size_t, size_t))
{
  size_t base = room->upper_size;
  mn_chunk p = { 0 };
  while (mn_next_chunk(&(mn_cancel_token){ .ctx = ctx }, base, &p))
    for (size_t i = p.begin; i < p.end; i++) set(&room->upper[i], out, i, 0);
  for (const struct mn_subtree *job = room->job; job < room->job + room->jobs; job++) {
    const struct mn_growing_node *from = room->lower + job->first;
    MN_TRY(mn_poll(ctx));
    set(from, out, job->root.node, base);
    for (size_t i = 1; i < job->nodes; i++) set(from + i, out, base + i - 1, base);
    base += job->nodes - 1;
  }
  return mn_poll(ctx);
}

static bool is_block(const int32_t *w)
{
  return mn_node_left(w) == 0 && w[3] == MN_LEAF_BLOCK;
}

static bool is_by_levels(const int32_t *w)
{
  return mn_node_left(w) > 0 && w[3] & MN_LEVEL_SPLIT;
}

/* The mean of each target, or the share of each class, of the rows of a leaf. */
static void leaf_block(const mn_split_settings *rules, const mn_training_view *g, const uint32_t *at, const int32_t *w,
                       double *value)
{
  double total = 0;
  memset(value, 0, rules->width * sizeof *value);
  for (int32_t i = w[0]; i < w[1]; i++) {
    const double weight = g->weight ? g->weight[at[i]] : 1;
    total += weight;
    if (g->code)
      value[g->code[at[i]]] += weight;
    else
      for (size_t t = 0; t < rules->width; t++) value[t] += weight * g->y[at[i] * rules->width + t];
  }
  for (size_t t = 0; t < rules->width; t++) value[t] = value[t] / total + (g->code ? 0 : rules->center[t]);
}

static mn_status settle_leaves(mn_context *ctx, const mn_split_settings *rules, const mn_grow_workspace *room,
                               const mn_training_view *g, mn_grown_tree *out)
{
  const bool shares = g->code && rules->monotone; /* leaves hold the share of the second class */
  for (size_t i = 0; i < out->nodes; i++) {
    const int32_t *w = out->node + MN_NODE_WORDS * i;
    out->blocks += is_block(w) || (shares && mn_node_left(w) == 0);
  }
  out->value = MN_RAW(ctx, double, out->blocks, rules->width);
  MN_CHECK_ALLOC(out->value);
  size_t block = 0;
  for (size_t i = 0; i < out->nodes; i++) {
    int32_t *w = out->node + MN_NODE_WORDS * i;
    double *value = out->value + block * rules->width;
    if (i % MN_CHUNK == 0) MN_TRY(mn_poll(ctx));
    if (shares && mn_node_left(w) == 0) {
      value[1] = mn_node_real(w);
      value[0] = 1 - value[1];
    } else if (is_block(w)) {
      leaf_block(rules, g, room->at, w, value);
    } else {
      continue;
    }
    mn_node_set_leaf_index(w, MN_LEAF_BLOCK, block++);
  }
  return MN_OK;
}

size_t mn_split_subset(const uint32_t *code, size_t n, int32_t *to, int32_t *size)
{
  uint32_t last = 0;
  for (size_t k = 0; k < n; k++) last = code[k] > last ? code[k] : last;
  const size_t words = n > 0 ? last / 32 + 1 : 0;
  const bool as_list = words > n;
  *size = as_list ? -(int32_t)n : (int32_t)words;
  if (!to || n == 0) return as_list ? n : words;
  if (as_list) {
    memcpy(to, code, n * sizeof *to);
    qsort(to, n, sizeof *to, mn_compare_codes);
    return n;
  }
  memset(to, 0, words * sizeof *to);
  for (size_t k = 0; k < n; k++) to[code[k] / 32] = (int32_t)((uint32_t)to[code[k] / 32] | UINT32_C(1) << code[k] % 32);
  return words;
}

/* Room for the levels of one split. Both are as long as the longest factor; bits are 0 before and after. */
struct level_room {
  uint32_t *bits, *code;
};

/* The levels of the rows that go left. Time goes with the rows of the node, not with the levels that there are. */
static size_t write_levels(const mn_split_settings *rules, const mn_training_view *g, const uint32_t *at, int32_t *w,
                           const struct level_room *room, int32_t *to, int32_t *size)
{
  const uint32_t none = rules->columns->distinct[w[2]];
  size_t codes = 0;
  for (int32_t i = w[0]; i < w[1]; i++) {
    const uint32_t code = mn_packed_get(g->rank[w[2]], at[i]);
    if (code == none || room->bits[code / 32] >> code % 32 & 1) continue;
    room->bits[code / 32] |= 1U << code % 32;
    room->code[codes++] = code;
  }
  for (size_t k = 0; k < codes; k++) room->bits[room->code[k] / 32] = 0;
  return mn_split_subset(room->code, codes, to, size);
}

static mn_status settle_levels(mn_context *ctx, const mn_split_settings *rules, const mn_grow_workspace *grown,
                               const mn_training_view *g, mn_grown_tree *out)
{
  uint32_t most = 0;
  int32_t size;
  for (size_t j = 0; j < rules->columns->features; j++)
    if (rules->columns->by_levels[j] && rules->columns->distinct[j] > most) most = rules->columns->distinct[j];
  if (most == 0) return MN_OK;
  const struct level_room room = { MN_NEW(ctx, uint32_t, most / 32 + 1, 1), MN_RAW(ctx, uint32_t, most, 1) };
  if (!room.bits || !room.code) return MN_NO_MEMORY;
  for (size_t i = 0; i < out->nodes; i++) {
    int32_t *w = out->node + MN_NODE_WORDS * i;
    if (!is_by_levels(w)) continue;
    MN_TRY(mn_poll(ctx));
    out->levels += write_levels(rules, g, grown->at, w, &room, NULL, &size);
  }
  out->subset = MN_RAW(ctx, int32_t, out->levels, 1);
  MN_CHECK_ALLOC(out->subset);
  for (size_t i = 0, at = 0; i < out->nodes; i++) {
    int32_t *w = out->node + MN_NODE_WORDS * i;
    if (!is_by_levels(w)) continue;
    MN_TRY(mn_poll(ctx));
    const size_t words = write_levels(rules, g, grown->at, w, &room, out->subset + at, &size);
    w[0] = (int32_t)at;
    w[1] = size;
    at += words;
  }
  return MN_OK;
}

mn_status mn_finalize_tree(mn_context *ctx, const mn_growth_settings *growth, mn_grow_workspace *room,
                           const mn_training_view *rows, mn_grown_tree *out)
{
  *out = (mn_grown_tree){ .nodes = room->upper_size };
  for (size_t j = 0; j < room->jobs; j++) out->nodes += room->job[j].nodes - 1;
  out->node = MN_RAW(ctx, int32_t, out->nodes, MN_NODE_WORDS);
  out->cover = MN_RAW(ctx, double, out->nodes, 1);
  if (!out->node || !out->cover) return MN_NO_MEMORY;
  MN_TRY(put_together(ctx, room, out, set_form));
  MN_TRY(settle_leaves(ctx, &growth->rules, room, rows, out));
  MN_TRY(settle_levels(ctx, &growth->rules, room, rows, out));
  out->impurity = MN_RAW(ctx, double, out->nodes, 2);
  MN_CHECK_ALLOC(out->impurity);
  out->mean = out->impurity + out->nodes;
  return put_together(ctx, room, out, set_values);
}

void mn_add_importances(const mn_grown_tree *tree, double *add)
{
  for (size_t i = 0; i < tree->nodes; i++) {
    const int32_t *w = tree->node + MN_NODE_WORDS * i;
    const size_t left = mn_node_left(w);
    if (left == 0) continue;
    const double before = tree->cover[i] * tree->impurity[i];
    const double after = tree->cover[left] * tree->impurity[left] + tree->cover[left + 1] * tree->impurity[left + 1];
    add[w[2]] += (before - after) / tree->cover[0];
  }
}
