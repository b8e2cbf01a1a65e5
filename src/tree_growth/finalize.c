#include "finalize.h"
#include "../core/threads.h"

/* Copy the structure and the cover of a node. Nodes of a subtree, except its root, move to the positions from `base`
 * on, so the indices of their children change; base 0: they do not. */
static void copy_structure(const struct mn_growing_node *from, mn_grown_tree *to, size_t at, size_t base)
{
  int32_t *w = to->node + MN_NODE_WORDS * at;
  memcpy(w, from->word, sizeof from->word);
  const size_t left = mn_node_left(w);
  if (base > 0 && left > 0) mn_node_set_left(w, base + left - 1);
  to->cover[at] = from->cover;
}

/* Copy the other statistics of a node. */
static void copy_stats(const struct mn_growing_node *from, mn_grown_tree *to, size_t at, size_t base)
{
  (void)base;
  to->impurity[at] = from->impurity;
  to->mean[at] = from->value;
}

/* Copy the nodes of the upper tree, then those of the subtrees. The root of a subtree replaces its node in the upper
 * tree; its other nodes are appended. */
static inline mn_status join_nodes(mn_context *ctx, const mn_grow_workspace *ws, mn_grown_tree *out,
                                   void (*copy)(const struct mn_growing_node *, mn_grown_tree *, size_t, size_t))
{
  size_t base = ws->upper_size;
  mn_chunk chunk = { 0 };
  while (mn_next_chunk(&(mn_cancel_token){ .ctx = ctx }, base, &chunk))
    for (size_t i = chunk.begin; i < chunk.end; i++) copy(&ws->upper[i], out, i, 0);
  for (const struct mn_subtree *subtree = ws->subtree; subtree < ws->subtree + ws->subtrees; subtree++) {
    const struct mn_growing_node *from = ws->lower + subtree->first;
    MN_TRY(mn_poll(ctx));
    copy(from, out, subtree->root.node, base);
    for (size_t i = 1; i < subtree->nodes; i++) copy(from + i, out, base + i - 1, base);
    base += subtree->nodes - 1;
  }
  return mn_poll(ctx);
}

/* The mean of each target, or the share of each class, of the rows of a leaf. */
static void leaf_values(const mn_split_settings *settings, const mn_training_view *view, const uint32_t *rows,
                        const int32_t *w, double *value)
{
  double total = 0;
  memset(value, 0, settings->width * sizeof *value);
  for (int32_t i = w[MN_NODE_LOW]; i < w[MN_NODE_HIGH]; i++) {
    const uint32_t row = rows[i];
    const double weight = view->weight ? view->weight[row] : 1;
    total += weight;
    if (view->code)
      value[view->code[row]] += weight;
    else
      for (size_t t = 0; t < settings->width; t++) value[t] += weight * view->y[row * settings->width + t];
  }
  for (size_t t = 0; t < settings->width; t++) value[t] = value[t] / total + (view->code ? 0 : settings->center[t]);
}

static mn_status finalize_leaves(mn_context *ctx, const mn_split_settings *settings, const mn_grow_workspace *ws,
                                 const mn_training_view *view, mn_grown_tree *out)
{
  const bool shares = view->code && settings->monotone; /* leaves hold the share of the second class */
  for (size_t i = 0; i < out->nodes; i++) {
    const int32_t *w = out->node + MN_NODE_WORDS * i;
    out->blocks += mn_is_leaf_of(w, MN_LEAF_BLOCK) || (shares && mn_node_left(w) == 0);
  }
  out->value = MN_RAW(ctx, double, out->blocks, settings->width);
  MN_CHECK_ALLOC(out->value);
  size_t block = 0;
  for (size_t i = 0; i < out->nodes; i++) {
    int32_t *w = out->node + MN_NODE_WORDS * i;
    double *value = out->value + block * settings->width;
    if (i % MN_CHUNK == 0) MN_TRY(mn_poll(ctx));
    if (shares && mn_node_left(w) == 0) {
      value[1] = mn_node_real(w);
      value[0] = 1 - value[1];
    } else if (mn_is_leaf_of(w, MN_LEAF_BLOCK)) {
      leaf_values(settings, view, ws->rows, w, value);
    } else {
      continue;
    }
    mn_node_set_leaf_index(w, MN_LEAF_BLOCK, block++);
  }
  return MN_OK;
}

/* Memory for the levels of one split, as long as the longest factor. bits are 0 between calls. */
struct level_buffer {
  uint32_t *bits, *code;
};

/* Encode the levels of the rows that go left. Returns the number of words; writes nothing if `to` is NULL. The time is
 * proportional to the number of rows of the node, not of levels of the factor. */
static size_t write_levels(const mn_split_settings *settings, const mn_training_view *view, const uint32_t *rows,
                           const int32_t *w, const struct level_buffer *buffer, int32_t *to, int32_t *size)
{
  const uint32_t missing = settings->columns->distinct[mn_node_feature(w)];
  size_t codes = 0;
  for (int32_t i = w[MN_NODE_LOW]; i < w[MN_NODE_HIGH]; i++) {
    const uint32_t code = mn_packed_get(view->rank[mn_node_feature(w)], rows[i]);
    if (code == missing || buffer->bits[code / 32] >> code % 32 & 1) continue;
    buffer->bits[code / 32] |= 1U << code % 32;
    buffer->code[codes++] = code;
  }
  for (size_t k = 0; k < codes; k++) buffer->bits[buffer->code[k] / 32] = 0;
  return mn_subset_encode(buffer->code, codes, to, size);
}

static mn_status finalize_levels(mn_context *ctx, const mn_split_settings *settings, const mn_grow_workspace *ws,
                                 const mn_training_view *view, mn_grown_tree *out)
{
  const mn_tree_columns *c = settings->columns;
  uint32_t max_levels = 0;
  int32_t size;
  for (size_t j = 0; j < c->features; j++)
    if (c->is_factor[j] && c->distinct[j] > max_levels) max_levels = c->distinct[j];
  if (max_levels == 0) return MN_OK;
  const struct level_buffer buffer = { MN_NEW(ctx, uint32_t, max_levels / 32 + 1, 1),
                                       MN_RAW(ctx, uint32_t, max_levels, 1) };
  if (!buffer.bits || !buffer.code) return MN_NO_MEMORY;
  for (size_t i = 0; i < out->nodes; i++) {
    int32_t *w = out->node + MN_NODE_WORDS * i;
    if (!mn_is_level_split(w)) continue;
    MN_TRY(mn_poll(ctx));
    out->levels += write_levels(settings, view, ws->rows, w, &buffer, NULL, &size);
  }
  out->subset = MN_RAW(ctx, int32_t, out->levels, 1);
  MN_CHECK_ALLOC(out->subset);
  for (size_t i = 0, at = 0; i < out->nodes; i++) {
    int32_t *w = out->node + MN_NODE_WORDS * i;
    if (!mn_is_level_split(w)) continue;
    MN_TRY(mn_poll(ctx));
    const size_t words = write_levels(settings, view, ws->rows, w, &buffer, out->subset + at, &size);
    w[MN_NODE_LOW] = (int32_t)at;
    w[MN_NODE_HIGH] = size;
    at += words;
  }
  return MN_OK;
}

mn_status mn_finalize_tree(mn_context *ctx, const mn_growth_settings *settings, mn_grow_workspace *ws,
                           const mn_training_view *view, mn_grown_tree *out)
{
  *out = (mn_grown_tree){ .nodes = ws->upper_size };
  for (size_t j = 0; j < ws->subtrees; j++) out->nodes += ws->subtree[j].nodes - 1;
  out->node = MN_RAW(ctx, int32_t, out->nodes, MN_NODE_WORDS);
  out->cover = MN_RAW(ctx, double, out->nodes, 1);
  if (!out->node || !out->cover) return MN_NO_MEMORY;
  MN_TRY(join_nodes(ctx, ws, out, copy_structure));
  MN_TRY(finalize_leaves(ctx, &settings->split, ws, view, out));
  MN_TRY(finalize_levels(ctx, &settings->split, ws, view, out));
  out->impurity = MN_RAW(ctx, double, out->nodes, 2);
  MN_CHECK_ALLOC(out->impurity);
  out->mean = out->impurity + out->nodes;
  return join_nodes(ctx, ws, out, copy_stats);
}
