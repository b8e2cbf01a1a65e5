#include "search.h"
#include "draw.h"
#include "node_stats.h"
#include "sparse_column.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- gathering --- */

/* Ranks of a sparse column in the rows of a node; none if all values are 0. */
static struct mn_gathered_rows gather_sparse(const mn_sparse_column *column, const mn_training_view *view,
                                             const uint32_t *id, size_t n, mn_search_workspace *ws)
{
  struct mn_gathered_rows r = { .id = id, .n = n, .low = UINT32_MAX };
  if (!mn_sparse_ranks(column, view, id, n, ws, ws->raw_key)) return (struct mn_gathered_rows){ .n = 0 };
  for (size_t i = 0; i < n; i++) {
    r.low = ws->raw_key[i] < r.low ? ws->raw_key[i] : r.low;
    r.high = ws->raw_key[i] > r.high ? ws->raw_key[i] : r.high;
  }
  return r;
}

/* Ranks of a dense column in the rows of a node; none if cancelled. */
static struct mn_gathered_rows gather(const mn_split_settings *settings, const mn_training_view *view,
                                      const uint32_t *id, size_t n, size_t j, mn_search_workspace *ws)
{
  const mn_packed rank = view->rank[j];
  const uint32_t none = settings->columns->distinct[j];
  struct mn_gathered_rows r = { .id = id, .n = n, .low = UINT32_MAX };
  mn_chunk p = { 0 };
  if (!settings->columns->has_missing[j]) {
    while (mn_next_chunk(&ws->token, n, &p))
      for (size_t i = p.begin; i < p.end; i++) {
        const uint32_t key = mn_packed_get(rank, id[i]);
        ws->raw_key[i] = key;
        r.low = key < r.low ? key : r.low;
        r.high = key > r.high ? key : r.high;
      }
    return p.end == n ? r : (struct mn_gathered_rows){ .n = 0 };
  }
  r.n = 0;
  while (mn_next_chunk(&ws->token, n, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      const uint32_t key = mn_packed_get(rank, id[i]);
      if (key == none) {
        ws->raw_id[n - ++r.n_missing] = id[i];
        continue;
      }
      ws->raw_key[r.n] = key;
      ws->raw_id[r.n++] = id[i];
      r.low = key < r.low ? key : r.low;
      r.high = key > r.high ? key : r.high;
    }
  if (p.end < n) return (struct mn_gathered_rows){ .n = 0 };
  r.id = ws->raw_id;
  r.missing = ws->raw_id + r.n;
  return r;
}

/* --- numbers --- */

static mn_scan make_scan(const mn_split_settings *settings, const mn_training_view *view, const mn_node_stats *stats,
                         size_t j, const struct mn_gathered_rows *rows, mn_search_workspace *ws)
{
  return (mn_scan){ .settings = settings,
                    .view = view,
                    .stats = stats,
                    .key = ws->key,
                    .id = ws->id,
                    .n = rows->n,
                    .missing = rows->missing,
                    .n_missing = rows->n_missing,
                    .monotone = settings->monotone ? settings->monotone[j] : 0,
                    .left = ws->left,
                    .right = ws->right,
                    .tolerance = mn_proxy_tolerance(settings, stats),
                    .best = -INFINITY };
}

/* Scan with the rows without a value on the right, then on the left. True if a better threshold than s->best was
 * found: *n_left rows are left of it. */
static bool scan_both_sides(mn_scan *s, mn_search_workspace *ws, size_t *n_left, bool *missing_left)
{
  bool found = false;
  for (int left = 0; left < (s->n_missing > 0 ? 2 : 1); left++) {
    s->missing_left = left == 1;
    mn_scan_thresholds(s, ws);
    if (s->n_left == 0) continue;
    found = true;
    *n_left = s->n_left;
    *missing_left = s->missing_left;
  }
  return found;
}

static void search_numbers(mn_scan *s, mn_search_workspace *ws, mn_split *split)
{
  size_t n_left = 0;
  if (!scan_both_sides(s, ws, &n_left, &split->missing_left)) return;
  split->found = true;
  split->proxy = s->best;
  split->last_rank = s->key[n_left - 1];
  split->last_row = s->id[n_left - 1];
  split->next_row = n_left < s->n ? s->id[n_left] : MN_NO_NEXT_ROW;
  split->threshold = INFINITY;
}

/* --- factors ---
 *
 * Levels are sorted by their mean of y or their share of a class, and then split like numbers. For one target and for
 * two classes no other partition of the levels is better (Fisher, JASA 53, 1958; Breiman et al. 1984, section 4.2); for
 * more classes or targets, each is tried in turn. */

static size_t find_levels(mn_search_workspace *ws, size_t n)
{
  size_t levels = 0;
  for (size_t i = 0; i < n; i++)
    if (i == 0 || ws->key[i] != ws->key[i - 1]) ws->levels.start[levels++] = (uint32_t)i;
  ws->levels.start[levels] = (uint32_t)n;
  return levels;
}

static void score_levels(const mn_split_settings *settings, const mn_training_view *view, mn_search_workspace *ws,
                         size_t levels, size_t output)
{
  for (size_t l = 0; l < levels; l++) {
    double weight = 0, sum = 0;
    for (size_t i = ws->levels.start[l]; i < ws->levels.start[l + 1]; i++) {
      const uint32_t row = ws->levels.id[i];
      const double w = view->weight ? view->weight[row] : 1;
      weight += w;
      sum += w * (view->code ? (double)((size_t)view->code[row] == output) : view->y[row * settings->width + output]);
    }
    ws->levels.score[l] = sum / weight;
  }
}

/* Order of the levels: by score, ties by the lower code. */
static bool comes_later(const mn_search_workspace *ws, uint32_t x, uint32_t y)
{
  const double p = ws->levels.score[x], q = ws->levels.score[y];
  return p > q || (!(p < q) && x > y);
}

static void sift_down(mn_search_workspace *ws, size_t at, size_t n)
{
  uint32_t *o = ws->levels.order;
  for (size_t child; (child = 2 * at + 1) < n; at = child) {
    if (child + 1 < n && comes_later(ws, o[child + 1], o[child])) child++;
    if (!comes_later(ws, o[child], o[at])) return;
    const uint32_t swap = o[at];
    o[at] = o[child];
    o[child] = swap;
  }
}

/* Heapsort: no recursion and no bad worst case. */
static void sort_levels(mn_search_workspace *ws, size_t levels)
{
  for (size_t l = 0; l < levels; l++) ws->levels.order[l] = (uint32_t)l;
  for (size_t l = levels / 2; l-- > 0;) sift_down(ws, l, levels);
  for (size_t n = levels; n-- > 1;) {
    const uint32_t swap = ws->levels.order[0];
    ws->levels.order[0] = ws->levels.order[n];
    ws->levels.order[n] = swap;
    sift_down(ws, 0, n);
  }
}

/* Sort the rows by the order of their levels; key is the index in that order. */
static void sort_rows_by_level(mn_search_workspace *ws, size_t levels)
{
  size_t at = 0;
  for (size_t o = 0; o < levels; o++)
    for (size_t l = ws->levels.order[o], i = ws->levels.start[l]; i < ws->levels.start[l + 1]; i++) {
      ws->key[at] = (uint32_t)o;
      ws->id[at++] = ws->levels.id[i];
    }
}

static void search_levels(mn_scan *s, mn_search_workspace *ws, mn_packed rank, mn_split *split)
{
  const size_t levels = find_levels(ws, s->n), width = s->settings->width;
  const bool classes = s->view->code != NULL;
  memcpy(ws->levels.id, ws->id, s->n * sizeof *ws->id);
  for (size_t output = classes && width == 2; output < width; output++) {
    size_t n_left = 0;
    score_levels(s->settings, s->view, ws, levels, output);
    sort_levels(ws, levels);
    sort_rows_by_level(ws, levels);
    if (!scan_both_sides(s, ws, &n_left, &split->missing_left)) continue;
    split->found = split->by_levels = true;
    split->proxy = s->best;
    split->levels = ws->key[n_left - 1] + 1;
    for (size_t o = 0; o < split->levels; o++)
      ws->levels.left[o] = mn_packed_get(rank, ws->levels.id[ws->levels.start[ws->levels.order[o]]]);
    qsort(ws->levels.left, split->levels, sizeof *ws->levels.left, mn_compare_codes);
  }
}

/* --- one feature --- */

/* Use the order of all rows of X that is kept for all fits. False: it does not apply to this node. */
static bool search_presorted(const mn_split_settings *settings, const mn_training_view *view, size_t n, size_t j,
                             mn_scan *s, mn_search_workspace *ws, mn_split *split, bool *constant)
{
  const mn_tree_columns *c = settings->columns;
  if (!c->order || n < c->rows || view->stride < c->rows || settings->random_thresholds || c->is_factor[j] ||
      c->has_missing[j])
    return false;
  *constant = c->distinct[j] == 1;
  if (*constant) return true;
  mn_set_sorted_buffers(ws, ws->pair[0]);
  const mn_packed order = c->order[j];
  const uint64_t *starts = c->value_starts + j * mn_row_bitmap_words(n);
  uint32_t key = UINT32_MAX; /* the first row begins the first value */
  for (size_t i = 0; i < n; i++) {
    key += starts[i / 64] >> i % 64 & 1;
    ws->key[i] = key;
    ws->id[i] = mn_packed_get(order, i);
  }
  s->key = ws->key;
  s->id = ws->id;
  search_numbers(s, ws, split);
  return true;
}

static struct mn_gathered_rows all_rows(const uint32_t *id, size_t n)
{
  return (struct mn_gathered_rows){ .id = id, .n = n };
}

/* Search or draw a split from the gathered rows. */
static void search_gathered(mn_scan *s, const struct mn_gathered_rows *rows, size_t j, uint64_t key, bool draw,
                            mn_search_workspace *ws, mn_split *split, bool *constant)
{
  const bool levels = s->settings->columns->is_factor[j];
  if (draw) {
    if (levels)
      mn_draw_levels(rows, key, ws);
    else
      *constant = !mn_draw_threshold(s->settings, s->view, rows, j, key, ws, split);
    if (!*constant) mn_score_drawn_split(s, rows, j, ws, split);
    return;
  }
  if (!mn_sort_rows(ws, rows->id, rows->n, rows->low, rows->high)) return;
  s->key = ws->key;
  s->id = ws->id;
  if (levels)
    search_levels(s, ws, s->view->rank[j], split);
  else
    search_numbers(s, ws, split);
}

void mn_search_feature(const mn_split_settings *settings, const mn_training_view *view, const uint32_t *id, size_t n,
                       const mn_node_stats *stats, size_t j, uint64_t key, mn_search_workspace *ws, mn_split *split,
                       bool *constant)
{
  const bool levels = settings->columns->is_factor[j], missing = settings->columns->has_missing[j];
  const bool plain_draw = settings->random_thresholds && !levels && !missing; /* ranks are not read */
  *split = (mn_split){ .feature = j, .proxy = -INFINITY };
  *constant = true;
  if (n > MN_CHUNK && !mn_task_should_continue(&ws->token)) return; /* the statistics may be incomplete */
  const mn_sparse_column *column = mn_sparse_column_of(settings->columns, j);
  if (plain_draw && stats->class_word && !column) {
    *constant = !mn_search_class_words(settings, view, id, n, stats, j, key, ws, split);
    return;
  }
  mn_scan whole = make_scan(settings, view, stats, j, &(struct mn_gathered_rows){ .n = n }, ws);
  if (column && mn_sparse_search_supports(settings->criterion)) {
    if (settings->random_thresholds)
      mn_draw_sparse_threshold(&whole, column, id, n, mn_hash_uniform(key), ws, split, constant);
    else
      mn_search_sparse_column(&whole, column, id, n, ws, split, constant);
    return;
  }
  if (search_presorted(settings, view, n, j, &whole, ws, split, constant)) return;
  const struct mn_gathered_rows rows = plain_draw ? all_rows(id, n)
                                       : column   ? gather_sparse(column, view, id, n, ws)
                                                  : gather(settings, view, id, n, j, ws);
  mn_scan s = make_scan(settings, view, stats, j, &rows, ws);
  *constant = !plain_draw && (rows.n == 0 || (rows.low == rows.high && rows.n_missing == 0));
  if (*constant) return;
  const bool draw = settings->random_thresholds && (plain_draw || rows.low < rows.high);
  search_gathered(&s, &rows, j, key, draw, ws, split, constant);
}
