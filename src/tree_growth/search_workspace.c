#include "search_workspace.h"
#include "node_kernel.h"
#include <string.h>

void mn_set_sorted_buffers(mn_search_workspace *ws, uint64_t *pairs)
{
  ws->key = (uint32_t *)(void *)pairs;
  ws->id = ws->key + ws->rows;
}

size_t mn_search_pairs_size(size_t rows)
{
  return 2 * (rows + MN_ROW_PADDING);
}

void mn_search_workspace_attach(const mn_split_settings *settings, uint64_t *pairs, size_t rows,
                                mn_search_workspace *ws)
{
  ws->rows = rows;
  ws->pair[0] = pairs;
  ws->pair[1] = pairs + rows + MN_ROW_PADDING;
  ws->value = (double *)(void *)ws->pair[0]; /* with random thresholds nothing is sorted at the same time */
  ws->class_word = ws->pair[1];
  if (!settings->random_thresholds) ws->raw_key = (uint32_t *)(void *)ws->pair[1];
  mn_set_sorted_buffers(ws, ws->pair[0]);
}

static mn_status make_level_arrays(mn_context *ctx, size_t rows, mn_search_workspace *ws)
{
  ws->levels.left = MN_RAW(ctx, uint32_t, rows, 1);
  ws->levels.score = MN_RAW(ctx, double, rows, 1);
  ws->levels.start = MN_RAW(ctx, uint32_t, rows + 1, 3);
  if (!ws->levels.left || !ws->levels.score || !ws->levels.start) return MN_NO_MEMORY;
  ws->levels.order = ws->levels.start + rows + 1;
  ws->levels.id = ws->levels.order + rows + 1;
  return MN_OK;
}

/* Arrays for quantized and for sparse columns, where there are any. */
static mn_status make_column_arrays(mn_context *ctx, const mn_tree_columns *c, size_t rows, mn_search_workspace *ws)
{
  ws->quantized.stride = mn_padded_rows(rows);
  if (c->quantized) {
    ws->quantized.columns = MN_RAW(ctx, uint16_t, MN_QUANTIZED_COLUMNS, ws->quantized.stride);
    MN_CHECK_ALLOC(ws->quantized.columns);
  }
  if (c->sparse) {
    ws->sparse.entry = MN_RAW(ctx, uint32_t, rows, 2);
    MN_CHECK_ALLOC(ws->sparse.entry);
    ws->sparse.index = ws->sparse.entry + rows;
  }
  return MN_OK;
}

mn_status mn_search_workspace_make(mn_context *ctx, const mn_split_settings *settings, size_t rows, size_t stride,
                                   mn_search_workspace *ws)
{
  const mn_tree_columns *c = settings->columns;
  bool levels = false, missing = false;
  for (size_t j = 0; j < c->features; j++) {
    levels = levels || c->is_factor[j];
    missing = missing || c->has_missing[j];
  }
  *ws = (mn_search_workspace){ .token = { .ctx = ctx }, .left = MN_RAW(ctx, double, settings->width, 2) };
  MN_CHECK_ALLOC(ws->left);
  ws->right = ws->left + settings->width;
  if (settings->random_thresholds) {
    ws->raw_key = MN_RAW(ctx, uint32_t, rows, 1);
    MN_CHECK_ALLOC(ws->raw_key);
  }
  MN_TRY(make_column_arrays(ctx, c, rows, ws));
  if (missing) {
    ws->raw_id = MN_RAW(ctx, uint32_t, rows, 1);
    MN_CHECK_ALLOC(ws->raw_id);
  }
  if (levels) MN_TRY(make_level_arrays(ctx, rows, ws));
  if (settings->criterion == MN_CRITERION_ABSOLUTE_ERROR) {
    ws->y.fenwick_weight = MN_RAW(ctx, double, rows, 5);
    ws->y.position = MN_RAW(ctx, uint32_t, stride, 1);
    if (!ws->y.fenwick_weight || !ws->y.position) return MN_NO_MEMORY;
    ws->y.fenwick_sum = ws->y.fenwick_weight + 2 * rows;
    ws->y.sorted = ws->y.fenwick_weight + 4 * rows;
  }
  return MN_OK;
}

int mn_compare_codes(const void *a, const void *b)
{
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* --- sorting --- */

static unsigned bit_width(uint32_t range)
{
  unsigned bits = 0;
  while (range > 0) {
    bits++;
    range >>= 1;
  }
  return bits;
}

/* Radix sort of pairs (key << 32 | id) with keys below 2^bits, by digits of at most 11 bits, fewer for few rows. NULL:
 * cancelled. Each pass counts its own digits, unlike argsort.c, where the digit size is a constant: one count for all
 * passes made fitting a tree 6 to 10 percent slower. */
static const uint64_t *sort_pairs(mn_search_workspace *ws, size_t n, unsigned bits)
{
  const unsigned max_digit = n > 4096 ? 11 : 7, passes = (bits + max_digit - 1) / max_digit;
  const unsigned digit = (bits + passes - 1) / passes;
  const uint32_t mask = (1U << digit) - 1;
  uint64_t *from = ws->pair[0], *to = ws->pair[1];
  for (unsigned pass = 0; pass < passes; pass++) {
    const unsigned shift = 32 + pass * digit;
    uint32_t start[1 << 11];
    memset(start, 0, ((size_t)mask + 1) * sizeof *start);
    mn_chunk p = { 0 };
    while (mn_next_chunk(&ws->token, n, &p))
      for (size_t i = p.begin; i < p.end; i++) start[from[i] >> shift & mask]++;
    if (p.end < n) return NULL;
    for (uint32_t d = 0, sum = 0; d <= mask; d++) {
      const uint32_t count = start[d];
      start[d] = sum;
      sum += count;
    }
    p = (mn_chunk){ 0 };
    while (mn_next_chunk(&ws->token, n, &p))
      for (size_t i = p.begin; i < p.end; i++) to[start[from[i] >> shift & mask]++] = from[i];
    if (p.end < n) return NULL;
    uint64_t *swap = from;
    from = to;
    to = swap;
  }
  return from;
}

bool mn_sort_rows(mn_search_workspace *ws, const uint32_t *raw_id, size_t n, uint32_t low, uint32_t high)
{
  mn_set_sorted_buffers(ws, ws->pair[0]);
  if (low == high) {
    memcpy(ws->key, ws->raw_key, n * sizeof *ws->key);
    memcpy(ws->id, raw_id, n * sizeof *ws->id);
    return true;
  }
  if (n <= MN_SMALL_SORT) {
    mn_sort_small(n, ws->raw_key, raw_id, ws->key, ws->id);
    return true;
  }
  for (size_t i = 0; i < n; i++) ws->pair[0][i] = (uint64_t)(ws->raw_key[i] - low) << 32 | raw_id[i];
  const uint64_t *sorted = sort_pairs(ws, n, bit_width(high - low));
  if (!sorted) return false;
  mn_set_sorted_buffers(ws, sorted == ws->pair[0] ? ws->pair[1] : ws->pair[0]);
  for (size_t i = 0; i < n; i++) {
    ws->key[i] = (uint32_t)(sorted[i] >> 32) + low;
    ws->id[i] = (uint32_t)sorted[i];
  }
  return true;
}
