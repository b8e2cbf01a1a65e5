#include "sparse_column.h"
#include "node_stats.h"
#include "../stats/argsort.h"
#include <math.h>
#include <string.h>

static size_t find_row(const mn_sparse_column *column, uint32_t row)
{
  const size_t at = mn_lower_bound(column->sorted_row, column->size, row);
  return at < column->size && column->sorted_row[at] == row ? column->sorted_entry[at] : SIZE_MAX;
}

/* For a long column and a small node, look up the rows; otherwise read all entries. */
static bool looks_up_rows(const mn_sparse_column *column, size_t n)
{
  enum { LOOKUP_COST = 16 };
  return column->size > LOOKUP_COST * n;
}

/* Find the entries of the column in the rows of a node: sparse.entry is the entry, sparse.index the index of its row in
 * the node. They are sorted by value unless the rows are looked up. Returns how many; incomplete if cancelled. */
static size_t find_entries(const mn_sparse_column *column, const mn_training_view *view, const uint32_t *id, size_t n,
                           mn_search_workspace *ws)
{
  const uint32_t begin = view->position[id[0]];
  size_t found = 0;
  mn_chunk p = { 0 };
  if (looks_up_rows(column, n)) {
    for (size_t i = 0; i < n; i++) {
      const size_t entry = find_row(column, id[i]);
      if (entry == SIZE_MAX) continue;
      ws->sparse.entry[found] = (uint32_t)entry;
      ws->sparse.index[found++] = (uint32_t)i;
    }
    return found;
  }
  while (mn_next_chunk(&ws->token, column->size, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      const uint32_t index = view->position[column->row[i]] - begin; /* wraps for rows before the node */
      if (index >= n) continue;
      ws->sparse.entry[found] = (uint32_t)i;
      ws->sparse.index[found++] = index;
    }
  return found;
}

/* Keep the split between two ranks if it is better, with s->left the sums of its left side. */
static void try_split(mn_scan *s, double weight, double count, uint32_t rank, uint32_t last_row, uint32_t next_row,
                      mn_split *split)
{
  const double proxy = mn_scan_split_proxy(s, weight, count);
  if (!(proxy > s->best + s->tolerance)) return;
  s->best = split->proxy = proxy;
  split->found = true;
  split->last_rank = rank;
  split->last_row = last_row;
  split->next_row = next_row;
  split->threshold = INFINITY; /* later computed from the two rows */
}

static size_t end_of_group(const mn_search_workspace *ws, size_t i, size_t n)
{
  const uint32_t key = ws->key[i];
  while (i < n && ws->key[i] == key) i++;
  return i;
}

/* Score the thresholds between the n sorted nonzero entries and the rows with 0 among them. The sums of the rows with 0
 * are those of the node less those of the others. */
static void scan(mn_scan *s, const mn_sparse_column *column, size_t n, size_t zeros, const mn_search_workspace *ws,
                 mn_split *split)
{
  const mn_node_stats *stats = s->stats;
  const size_t width = s->settings->width;
  const uint32_t *id = ws->id;
  double weight = 0, count = 0, above_weight = 0, above_count = 0;
  size_t i = 0, end;
  memset(s->left, 0, width * sizeof *s->left);
  for (; i < n && ws->key[i] < column->zero_rank; i = end) {
    end = end_of_group(ws, i, n);
    mn_add_rows(s->settings, s->view, id + i, NULL, end - i, s->left, &weight, &count);
    const bool zero_next = zeros > 0 && (end == n || ws->key[end] > column->zero_rank);
    if (zero_next || end < n)
      try_split(s, weight, count, ws->key[i], id[end - 1], zero_next ? MN_ZERO_ROW : id[end], split);
  }
  if (zeros > 0) {
    memset(s->right, 0, width * sizeof *s->right);
    mn_add_rows(s->settings, s->view, id + i, NULL, n - i, s->right, &above_weight, &above_count);
    for (size_t c = 0; c < width; c++) s->left[c] = stats->sum[c] - s->right[c];
    weight = stats->weight - above_weight;
    count = stats->count - above_count;
    if (i < n) try_split(s, weight, count, column->zero_rank, MN_ZERO_ROW, id[i], split);
  }
  for (; i < n && (end = end_of_group(ws, i, n)) < n; i = end) {
    mn_add_rows(s->settings, s->view, id + i, NULL, end - i, s->left, &weight, &count);
    try_split(s, weight, count, ws->key[i], id[end - 1], id[end], split);
  }
}

/* Write the entries found to ws->key and ws->id, ascending by key. False: cancelled. */
static bool sort_entries(const mn_sparse_column *column, const uint32_t *id, size_t n, size_t found,
                         mn_search_workspace *ws)
{
  uint32_t low = UINT32_MAX, high = 0;
  if (!looks_up_rows(column, n)) {
    mn_set_sorted_buffers(ws, ws->pair[0]);
    for (size_t i = 0; i < found; i++) {
      ws->key[i] = column->rank[ws->sparse.entry[i]];
      ws->id[i] = id[ws->sparse.index[i]];
    }
    return true;
  }
  for (size_t i = 0; i < found; i++) {
    const uint32_t key = column->rank[ws->sparse.entry[i]];
    ws->raw_key[i] = key;
    ws->sparse.index[i] = id[ws->sparse.index[i]];
    low = key < low ? key : low;
    high = key > high ? key : high;
  }
  return mn_sort_rows(ws, ws->sparse.index, found, low, high);
}

void mn_search_sparse_column(mn_scan *s, const mn_sparse_column *column, const uint32_t *id, size_t n,
                             mn_search_workspace *ws, mn_split *split, bool *constant)
{
  const size_t found = find_entries(column, s->view, id, n, ws);
  *constant = true;
  if (found == 0 || !sort_entries(column, id, n, found, ws)) return;
  *constant = found == n && ws->key[0] == ws->key[n - 1];
  if (!*constant) scan(s, column, found, n - found, ws, split);
}

/* Only the rows on the side without the zeros are summed. */
void mn_draw_sparse_threshold(mn_scan *s, const mn_sparse_column *column, const uint32_t *id, size_t n, double u,
                              mn_search_workspace *ws, mn_split *split, bool *constant)
{
  const mn_node_stats *stats = s->stats;
  const size_t found = find_entries(column, s->view, id, n, ws), width = s->settings->width;
  double low = found < n ? 0 : INFINITY, high = found < n ? 0 : -INFINITY, weight = 0, count = 0;
  for (size_t i = 0; i < found; i++) {
    const double value = column->value[ws->sparse.entry[i]];
    low = fmin(low, value);
    high = fmax(high, value);
  }
  *constant = !(low < high);
  if (*constant) return;
  split->threshold = mn_threshold_between(low, high, u);
  const bool zero_left = 0 <= split->threshold;
  size_t others = 0;
  for (size_t i = 0; i < found; i++)
    if ((column->value[ws->sparse.entry[i]] <= split->threshold) != zero_left)
      ws->sparse.index[others++] = id[ws->sparse.index[i]];
  memset(s->left, 0, width * sizeof *s->left);
  mn_add_rows(s->settings, s->view, ws->sparse.index, NULL, others, s->left, &weight, &count);
  if (zero_left) {
    for (size_t c = 0; c < width; c++) s->left[c] = stats->sum[c] - s->left[c];
    weight = stats->weight - weight;
    count = stats->count - count;
  }
  split->proxy = mn_scan_split_proxy(s, weight, count);
  split->found = split->proxy > -INFINITY;
}

bool mn_sparse_ranks(const mn_sparse_column *column, const mn_training_view *view, const uint32_t *id, size_t n,
                     mn_search_workspace *ws, uint32_t *to)
{
  const size_t found = find_entries(column, view, id, n, ws);
  if (found == 0) return false;
  for (size_t i = 0; i < n; i++) to[i] = column->zero_rank;
  for (size_t i = 0; i < found; i++) to[ws->sparse.index[i]] = column->rank[ws->sparse.entry[i]];
  return true;
}

bool mn_sparse_values(const mn_sparse_column *column, const mn_training_view *view, const uint32_t *id, size_t n,
                      mn_search_workspace *ws, double *to)
{
  const size_t found = find_entries(column, view, id, n, ws);
  if (found == 0) return false;
  memset(to, 0, n * sizeof *to);
  for (size_t i = 0; i < found; i++) to[ws->sparse.index[i]] = column->value[ws->sparse.entry[i]];
  return true;
}

void mn_sparse_left_mask(const mn_sparse_column *column, const mn_training_view *view, const uint32_t *id, size_t n,
                         const mn_split *s, mn_search_workspace *ws, uint32_t *left)
{
  const size_t found = find_entries(column, view, id, n, ws);
  const bool drawn = column->value != NULL;
  const uint32_t zero = drawn ? 0 <= s->threshold : column->zero_rank <= s->last_rank;
  for (size_t i = 0; i < n; i++) left[i] = zero;
  for (size_t i = 0; i < found; i++) {
    const size_t entry = ws->sparse.entry[i];
    left[ws->sparse.index[i]] = drawn ? column->value[entry] <= s->threshold : column->rank[entry] <= s->last_rank;
  }
}
