/* Random splits: Geurts, Ernst & Wehenkel, Machine Learning 63 (2006). */
#include "draw.h"
#include "node_kernel.h"
#include "node_stats.h"
#include "quantized_columns.h"
#include "sparse_column.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t mix(uint64_t x)
{
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return x ^ x >> 31;
}

double mn_hash_uniform(uint64_t key)
{
  return (double)(mix(key + 0x9E3779B97F4A7C15) >> 11) * 0x1p-53;
}

/* Each level goes left with probability 1/2, drawn again while all levels of the node are on one side. The node has two
 * or more levels; if no draw separates them, the lowest goes left. */
void mn_draw_levels(const struct mn_gathered_rows *rows, uint64_t key, mn_search_workspace *ws)
{
  enum { MAX_DRAWS = 64 };
  uint32_t *left = ws->key; /* free: nothing is sorted at the same time */
  size_t n = 0;
  for (int draw = 0; draw < MAX_DRAWS && (n == 0 || n == rows->n); draw++, key = mix(key + 1)) {
    n = 0;
    for (size_t i = 0; i < rows->n; i++) n += left[i] = mix(key ^ mix((uint64_t)ws->raw_key[i] + 1)) & 1;
  }
  for (size_t i = 0; (n == 0 || n == rows->n) && i < rows->n; i++) left[i] = ws->raw_key[i] == rows->low;
  memcpy(ws->raw_key, left, rows->n * sizeof *left);
}

/* Draw a threshold between the smallest and the largest value of column j, and leave the values in ws->value, unless
 * quantized values are in ws->quantized.column. False: all values are equal. */
static bool draw_threshold(const mn_split_settings *settings, const mn_training_view *view, const uint32_t *id,
                           size_t n, size_t j, uint64_t key, mn_search_workspace *ws, mn_split *split)
{
  const mn_sparse_column *column = mn_sparse_column_of(settings->columns, j);
  double low, high, *to = ws->value;
  split->quantized = ws->quantized.column;
  if (ws->quantized.column)
    return mn_draw_quantized_threshold(settings->columns, j, id, n, mn_hash_uniform(key), ws->quantized.column,
                                       &split->threshold, &split->last_quantized);
  if (column) {
    if (!mn_sparse_values(column, view, id, n, ws, to)) return false;
  } else {
    const double *value = view->value[j];
#pragma GCC unroll 4
    for (size_t i = 0; i < n; i++) to[i] = value[id[i]];
  }
  for (size_t i = n; i < mn_padded_rows(n); i++) to[i] = to[0];
  mn_min_max(mn_padded_rows(n), to, &low, &high);
  split->threshold = mn_threshold_between(low, high, mn_hash_uniform(key));
  return low < high;
}

bool mn_draw_threshold(const mn_split_settings *settings, const mn_training_view *view,
                       const struct mn_gathered_rows *rows, size_t j, uint64_t key, mn_search_workspace *ws,
                       mn_split *split)
{
  if (!draw_threshold(settings, view, rows->id, rows->n, j, key, ws, split)) return false;
  if (split->quantized)
    mn_mark_quantized_left(rows->n, split->quantized, split->last_quantized, ws->raw_key);
  else
    mn_mark_left(rows->n, ws->value, split->threshold, ws->raw_key);
  return true;
}

bool mn_search_class_words(const mn_split_settings *settings, const mn_training_view *view, const uint32_t *id,
                           size_t n, const mn_node_stats *stats, size_t j, uint64_t key, mn_search_workspace *ws,
                           mn_split *split)
{
  const size_t all = mn_padded_rows(n), width = settings->width;
  mn_scan s = { .settings = settings, .view = view, .stats = stats, .left = ws->left, .right = ws->right };
  double weight = 0;
  s.monotone = settings->monotone ? settings->monotone[j] : 0;
  if (!draw_threshold(settings, view, id, n, j, key, ws, split)) return false;
  for (size_t c = 0; c < width; c++) s.left[c] = 0;
  for (size_t i = 0; i < all; i += MN_MAX_CLASS_WORDS) {
    const size_t some = all - i < MN_MAX_CLASS_WORDS ? all - i : MN_MAX_CLASS_WORDS;
    const uint64_t *word = stats->class_word + i;
    mn_add_class_word(split->quantized
                          ? mn_sum_class_words_quantized_left(some, split->quantized + i, split->last_quantized, word)
                          : mn_sum_class_words_left(some, ws->value + i, split->threshold, word),
                      width, s.left);
  }
  for (size_t c = 0; c < width; c++) weight += s.left[c];
  split->proxy = mn_scan_split_proxy(&s, weight, weight);
  split->found = split->proxy > -INFINITY;
  return true;
}

/* Collect the levels that go left. */
static void collect_left_levels(const struct mn_gathered_rows *rows, mn_packed rank, mn_search_workspace *ws,
                                mn_split *split)
{
  size_t n = 0, kept = 0;
  for (size_t i = 0; i < rows->n; i++)
    if (ws->raw_key[i]) ws->levels.left[n++] = mn_packed_get(rank, rows->id[i]);
  qsort(ws->levels.left, n, sizeof *ws->levels.left, mn_compare_codes);
  for (size_t i = 0; i < n; i++)
    if (i == 0 || ws->levels.left[i] != ws->levels.left[i - 1]) ws->levels.left[kept++] = ws->levels.left[i];
  split->by_levels = true;
  split->levels = kept;
}

/* Score a drawn split by the absolute error: the rows that go left come first, with one threshold between. */
static void scan_drawn(mn_scan *s, const struct mn_gathered_rows *rows, mn_search_workspace *ws)
{
  size_t at = 0;
  for (uint32_t side = 0; side < 2; side++)
    for (size_t i = 0; i < rows->n; i++)
      if (ws->raw_key[i] != side) {
        ws->key[at] = side;
        ws->id[at++] = rows->id[i];
      }
  mn_scan_thresholds(s, ws);
}

void mn_score_drawn_split(mn_scan *s, const struct mn_gathered_rows *rows, size_t j, mn_search_workspace *ws,
                          mn_split *split)
{
  const mn_training_view *view = s->view;
  for (int side = 0; side < (rows->n_missing > 0 ? 2 : 1); side++) {
    double weight = 0, count = 0, proxy;
    s->missing_left = side == 1;
    if (s->settings->criterion == MN_CRITERION_ABSOLUTE_ERROR) {
      s->best = -INFINITY;
      scan_drawn(s, rows, ws);
      proxy = s->best;
    } else {
      memset(s->left, 0, s->settings->width * sizeof *s->left);
      mn_chunk p = { 0 };
      while (mn_next_chunk(&ws->token, rows->n, &p))
        mn_add_rows(s->settings, view, rows->id + p.begin, ws->raw_key + p.begin, p.end - p.begin, s->left, &weight,
                    &count);
      if (s->missing_left)
        mn_add_rows(s->settings, view, rows->missing, NULL, rows->n_missing, s->left, &weight, &count);
      proxy = mn_scan_split_proxy(s, weight, count);
    }
    if (!(proxy > (split->found ? split->proxy + s->tolerance : -INFINITY))) continue;
    split->found = true;
    split->proxy = proxy;
    split->missing_left = s->missing_left;
  }
  if (split->found && s->settings->columns->is_factor[j]) collect_left_levels(rows, view->rank[j], ws, split);
}
