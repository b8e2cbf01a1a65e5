#include "quantized_columns.h"
#include "sparse_column.h"
#include "search_parts.h"
#include "node_kernel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void mn_set_sorted_buffers(mn_search_workspace *b, uint64_t *pairs)
{
  b->key = (uint32_t *)(void *)pairs;
  b->id = b->key + b->rows;
}

size_t mn_search_pairs_size(size_t rows)
{
  return 2 * (rows + MN_ROW_PADDING);
}

void mn_search_workspace_attach(const mn_split_settings *rules, uint64_t *pairs, size_t rows, mn_search_workspace *b)
{
  b->rows = rows;
  b->pair[0] = pairs;
  b->pair[1] = pairs + rows + MN_ROW_PADDING;
  b->value = (double *)(void *)b->pair[0]; /* where cuts are drawn, nothing is sorted meanwhile */
  b->vote = b->pair[1];
  if (!rules->random) b->raw_key = (uint32_t *)(void *)b->pair[1];
  mn_set_sorted_buffers(b, b->pair[0]);
}

mn_status mn_search_workspace_make(mn_context *ctx, const mn_split_settings *rules, size_t rows, size_t stride,
                                   mn_search_workspace *b)
{
  const mn_tree_columns *c = rules->columns;
  bool levels = false, missing = false;
  for (size_t j = 0; j < c->features; j++) {
    levels = levels || c->by_levels[j];
    missing = missing || c->missing[j];
  }
  *b = (mn_search_workspace){ .token = { .ctx = ctx }, .left = MN_RAW(ctx, double, rules->width, 2) };
  MN_CHECK_ALLOC(b->left);
  b->right = b->left + rules->width;
  if (rules->random) {
    b->raw_key = MN_RAW(ctx, uint32_t, rows, 1);
    MN_CHECK_ALLOC(b->raw_key);
  }
  MN_TRY(mn_coarse_room(ctx, c, rows, b));
  MN_TRY(mn_few_room(ctx, c, rows, b));
  if (missing) {
    b->raw_id = MN_RAW(ctx, uint32_t, rows, 1);
    MN_CHECK_ALLOC(b->raw_id);
  }
  if (levels) {
    b->levels = MN_RAW(ctx, uint32_t, rows, 1);
    MN_CHECK_ALLOC(b->levels);
    b->level_score = MN_RAW(ctx, double, rows, 1);
    b->level_start = MN_RAW(ctx, uint32_t, rows + 1, 3);
    if (!b->level_score || !b->level_start) return MN_NO_MEMORY;
    b->level_order = b->level_start + rows + 1;
    b->level_id = b->level_order + rows + 1;
  }
  if (rules->criterion == MN_CRITERION_ABSOLUTE_ERROR) {
    b->tree_weight = MN_RAW(ctx, double, rows, 5);
    b->y_place = MN_RAW(ctx, uint32_t, stride, 1);
    if (!b->tree_weight || !b->y_place) return MN_NO_MEMORY;
    b->tree_sum = b->tree_weight + 2 * rows;
    b->y_sorted = b->tree_weight + 4 * rows;
  }
  return MN_OK;
}

int mn_compare_codes(const void *a, const void *b)
{
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* --- sorting --- */

static unsigned bits_of(uint32_t range)
{
  unsigned bits = 0;
  while (range > 0) {
    bits++;
    range >>= 1;
  }
  return bits;
}

/* By digits of at most 11 bits, fewer for few rows: keys are below 2^bits. NULL: cancelled. Unlike order.c, where
 * digits are constants, each pass counts its own: all at once were 6 to 10 percent more instructions of the fit of a
 * tree. */
static const uint64_t *sort_pairs(mn_search_workspace *b, size_t n, unsigned bits)
{
  const unsigned most = n > 4096 ? 11 : 7, passes = (bits + most - 1) / most, digit = (bits + passes - 1) / passes;
  const uint32_t mask = (1U << digit) - 1;
  uint64_t *from = b->pair[0], *to = b->pair[1];
  for (unsigned pass = 0; pass < passes; pass++) {
    const unsigned shift = 32 + pass * digit;
    uint32_t start[1 << 11];
    memset(start, 0, ((size_t)mask + 1) * sizeof *start);
    mn_chunk p = { 0 };
    while (mn_next_chunk(&b->token, n, &p))
      for (size_t i = p.begin; i < p.end; i++) start[from[i] >> shift & mask]++;
    if (p.end < n) return NULL;
    for (uint32_t d = 0, sum = 0; d <= mask; d++) {
      const uint32_t count = start[d];
      start[d] = sum;
      sum += count;
    }
    p = (mn_chunk){ 0 };
    while (mn_next_chunk(&b->token, n, &p))
      for (size_t i = p.begin; i < p.end; i++) to[start[from[i] >> shift & mask]++] = from[i];
    if (p.end < n) return NULL;
    uint64_t *swap = from;
    from = to;
    to = swap;
  }
  return from;
}

bool mn_sort_rows(mn_search_workspace *b, const uint32_t *raw_id, size_t n, uint32_t low, uint32_t high)
{
  mn_set_sorted_buffers(b, b->pair[0]);
  if (low == high) {
    memcpy(b->key, b->raw_key, n * sizeof *b->key);
    memcpy(b->id, raw_id, n * sizeof *b->id);
    return true;
  }
  if (n <= MN_SMALL_SORT) {
    mn_sort_small(n, b->raw_key, raw_id, b->key, b->id);
    return true;
  }
  for (size_t i = 0; i < n; i++) b->pair[0][i] = (uint64_t)(b->raw_key[i] - low) << 32 | raw_id[i];
  const uint64_t *sorted = sort_pairs(b, n, bits_of(high - low));
  if (!sorted) return false;
  mn_set_sorted_buffers(b, sorted == b->pair[0] ? b->pair[1] : b->pair[0]);
  for (size_t i = 0; i < n; i++) {
    b->key[i] = (uint32_t)(sorted[i] >> 32) + low;
    b->id[i] = (uint32_t)sorted[i];
  }
  return true;
}

/* Of a column that is kept as few; none where all have 0. */
static struct mn_gathered_rows gather_few(const mn_sparse_column *few, const mn_training_view *g, const uint32_t *id,
                                          size_t n, mn_search_workspace *b)
{
  struct mn_gathered_rows r = { .id = id, .n = n, .low = UINT32_MAX };
  if (!mn_sparse_ranks(few, g, id, n, b, b->raw_key)) return (struct mn_gathered_rows){ .n = 0 };
  for (size_t i = 0; i < n; i++) {
    r.low = b->raw_key[i] < r.low ? b->raw_key[i] : r.low;
    r.high = b->raw_key[i] > r.high ? b->raw_key[i] : r.high;
  }
  return r;
}

/* None where the operation was cancelled. */
static struct mn_gathered_rows gather(const mn_split_settings *rules, const mn_training_view *g, const uint32_t *id,
                                      size_t n, size_t j, mn_search_workspace *b)
{
  const mn_packed rank = g->rank[j];
  const uint32_t none = rules->columns->distinct[j];
  struct mn_gathered_rows r = { .id = id, .n = n, .low = UINT32_MAX };
  mn_chunk p = { 0 };
  if (!rules->columns->missing[j]) {
    while (mn_next_chunk(&b->token, n, &p))
      for (size_t i = p.begin; i < p.end; i++) {
        const uint32_t key = mn_packed_get(rank, id[i]);
        b->raw_key[i] = key;
        r.low = key < r.low ? key : r.low;
        r.high = key > r.high ? key : r.high;
      }
    return p.end == n ? r : (struct mn_gathered_rows){ .n = 0 };
  }
  r.n = 0;
  while (mn_next_chunk(&b->token, n, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      const uint32_t key = mn_packed_get(rank, id[i]);
      if (key == none) {
        b->raw_id[n - ++r.n_missing] = id[i];
        continue;
      }
      b->raw_key[r.n] = key;
      b->raw_id[r.n++] = id[i];
      r.low = key < r.low ? key : r.low;
      r.high = key > r.high ? key : r.high;
    }
  if (p.end < n) return (struct mn_gathered_rows){ .n = 0 };
  r.id = b->raw_id;
  r.missing = b->raw_id + r.n;
  return r;
}

/* --- cuts --- */

static mn_scan scan_of(const mn_split_settings *rules, const mn_training_view *g, const mn_node_stats *t, size_t j,
                       const struct mn_gathered_rows *rows, mn_search_workspace *b)
{
  return (mn_scan){ .rules = rules,
                    .ground = g,
                    .tally = t,
                    .key = b->key,
                    .id = b->id,
                    .n = rows->n,
                    .missing = rows->missing,
                    .n_missing = rows->n_missing,
                    .monotone = rules->monotone ? rules->monotone[j] : 0,
                    .left = b->left,
                    .right = b->right,
                    .tolerance = mn_proxy_tolerance(rules, t),
                    .best = -INFINITY };
}

/* Both places for the missing rows. True when a better cut than s->best was found. */
static bool scan_both(mn_scan *s, mn_search_workspace *b, size_t *at, bool *missing_left)
{
  bool found = false;
  for (int left = 0; left < (s->n_missing > 0 ? 2 : 1); left++) {
    s->missing_left = left == 1;
    mn_scan_thresholds(s, b);
    if (s->at == 0) continue;
    found = true;
    *at = s->at;
    *missing_left = s->missing_left;
  }
  return found;
}

static void search_numbers(mn_scan *s, mn_search_workspace *b, mn_split *split)
{
  size_t at = 0;
  if (!scan_both(s, b, &at, &split->missing_left)) return;
  split->found = true;
  split->proxy = s->best;
  split->rank = s->key[at - 1];
  split->last = s->id[at - 1];
  split->next = at < s->n ? s->id[at] : MN_NO_NEXT_ROW;
  split->threshold = INFINITY;
}

/* --- factors: levels ordered by their mean of y (or share of a class), then cut like numbers. For one target and for
 * two classes no other division of the levels is better (Fisher, JASA 53, 1958; Breiman et al. 1984, section 4.2); for
 * more classes the shares of each class are tried in turn. --- */

static size_t find_levels(mn_search_workspace *b, size_t n)
{
  size_t levels = 0;
  for (size_t i = 0; i < n; i++)
    if (i == 0 || b->key[i] != b->key[i - 1]) b->level_start[levels++] = (uint32_t)i;
  b->level_start[levels] = (uint32_t)n;
  return levels;
}

static void score_levels(const mn_split_settings *rules, const mn_training_view *g, mn_search_workspace *b,
                         size_t levels, size_t way)
{
  for (size_t l = 0; l < levels; l++) {
    double weight = 0, sum = 0;
    for (size_t i = b->level_start[l]; i < b->level_start[l + 1]; i++) {
      const uint32_t row = b->level_id[i];
      const double w = g->weight ? g->weight[row] : 1;
      weight += w;
      sum += w * (g->code ? (double)((size_t)g->code[row] == way) : g->y[row * rules->width + way]);
    }
    b->level_score[l] = sum / weight;
  }
}

/* level_order: by score, the lower code among equals (heap sort: no recursion, no worst case). */
static bool comes_later(const mn_search_workspace *b, uint32_t x, uint32_t y)
{
  const double p = b->level_score[x], q = b->level_score[y];
  return p > q || (!(p < q) && x > y);
}

static void sink(mn_search_workspace *b, size_t at, size_t n)
{
  uint32_t *o = b->level_order;
  for (size_t child; (child = 2 * at + 1) < n; at = child) {
    if (child + 1 < n && comes_later(b, o[child + 1], o[child])) child++;
    if (!comes_later(b, o[child], o[at])) return;
    const uint32_t swap = o[at];
    o[at] = o[child];
    o[child] = swap;
  }
}

static void order_levels(mn_search_workspace *b, size_t levels)
{
  for (size_t l = 0; l < levels; l++) b->level_order[l] = (uint32_t)l;
  for (size_t l = levels / 2; l-- > 0;) sink(b, l, levels);
  for (size_t n = levels; n-- > 1;) {
    const uint32_t swap = b->level_order[0];
    b->level_order[0] = b->level_order[n];
    b->level_order[n] = swap;
    sink(b, 0, n);
  }
}

/* Rows by the order of their levels; key is the place in that order. code: of each level. */
static void lay_out(mn_search_workspace *b, size_t levels)
{
  size_t at = 0;
  for (size_t o = 0; o < levels; o++)
    for (size_t l = b->level_order[o], i = b->level_start[l]; i < b->level_start[l + 1]; i++) {
      b->key[at] = (uint32_t)o;
      b->id[at++] = b->level_id[i];
    }
}

static void search_levels(mn_scan *s, mn_search_workspace *b, mn_packed rank, mn_split *split)
{
  const size_t levels = find_levels(b, s->n), width = s->rules->width;
  const bool classes = s->ground->code != NULL;
  memcpy(b->level_id, b->id, s->n * sizeof *b->id);
  for (size_t way = classes && width == 2; way < width; way++) {
    size_t at = 0;
    score_levels(s->rules, s->ground, b, levels, way);
    order_levels(b, levels);
    lay_out(b, levels);
    if (!scan_both(s, b, &at, &split->missing_left)) continue;
    split->found = split->by_levels = true;
    split->proxy = s->best;
    split->levels = b->key[at - 1] + 1;
    for (size_t o = 0; o < split->levels; o++)
      b->levels[o] = mn_packed_get(rank, b->level_id[b->level_start[b->level_order[o]]]);
    qsort(b->levels, split->levels, sizeof *b->levels, mn_compare_codes);
  }
}

/* The rows of all X as they were ordered once for all fits. False: they are not these. */
static bool search_ordered(const mn_split_settings *rules, const mn_training_view *g, size_t n, size_t j, mn_scan *s,
                           mn_search_workspace *b, mn_split *split, bool *constant)
{
  const mn_tree_columns *c = rules->columns;
  if (!c->order || n < c->rows || g->stride < c->rows || rules->random || c->by_levels[j] || c->missing[j])
    return false;
  *constant = c->distinct[j] == 1;
  if (*constant) return true;
  mn_set_sorted_buffers(b, b->pair[0]);
  const mn_packed order = c->order[j];
  const uint64_t *starts = c->starts + j * mn_row_bitmap_words(n);
  uint32_t key = UINT32_MAX; /* the first value begins with the first row */
  for (size_t i = 0; i < n; i++) {
    key += starts[i / 64] >> i % 64 & 1;
    b->key[i] = key;
    b->id[i] = mn_packed_get(order, i);
  }
  s->key = b->key;
  s->id = b->id;
  search_numbers(s, b, split);
  return true;
}

static struct mn_gathered_rows all_rows(const uint32_t *id, size_t n)
{
  return (struct mn_gathered_rows){ .id = id, .n = n };
}

void mn_search_feature(const mn_split_settings *rules, const mn_training_view *g, const uint32_t *id, size_t n,
                       const mn_node_stats *t, size_t j, uint64_t key, mn_search_workspace *b, mn_split *split,
                       bool *constant)
{
  const bool levels = rules->columns->by_levels[j], missing = rules->columns->missing[j];
  const bool plain_draw = rules->random && !levels && !missing; /* ranks are not read */
  *split = (mn_split){ .feature = j, .proxy = -INFINITY };
  *constant = true;
  if (n > MN_CHUNK && !mn_task_should_continue(&b->token)) return; /* the tally may have been left too */
  const mn_sparse_column *few = mn_sparse_column_of(rules->columns, j);
  if (plain_draw && t->vote && !few) {
    *constant = !mn_search_class_words(rules, g, id, n, t, j, key, b, split);
    return;
  }
  mn_scan whole = scan_of(rules, g, t, j, &(struct mn_gathered_rows){ .n = n }, b);
  if (few && mn_sparse_search_supports(rules->criterion)) {
    if (rules->random)
      mn_draw_sparse_threshold(&whole, few, id, n, mn_hash_uniform(key), b, split, constant);
    else
      mn_search_sparse_column(&whole, few, id, n, b, split, constant);
    return;
  }
  if (search_ordered(rules, g, n, j, &whole, b, split, constant)) return;
  const struct mn_gathered_rows rows = plain_draw ? all_rows(id, n)
                                       : few      ? gather_few(few, g, id, n, b)
                                                  : gather(rules, g, id, n, j, b);
  mn_scan s = scan_of(rules, g, t, j, &rows, b);
  *constant = !plain_draw && (rows.n == 0 || (rows.low == rows.high && rows.n_missing == 0));
  if (*constant) return;
  if (rules->random && (plain_draw || rows.low < rows.high)) {
    if (levels)
      mn_draw_levels(&rows, key, b);
    else
      *constant = !mn_draw_threshold(rules, g, &rows, j, key, b, split);
    if (!*constant) mn_score_drawn_split(&s, &rows, j, b, split);
    return;
  }
  if (!mn_sort_rows(b, rows.id, rows.n, rows.low, rows.high)) return;
  s.key = b->key;
  s.id = b->id;
  if (levels)
    search_levels(&s, b, g->rank[j], split);
  else
    search_numbers(&s, b, split);
}
