#include "sparse_column.h"
#include "../stats/argsort.h"
#include <math.h>
#include <string.h>

mn_status mn_few_room(mn_context *ctx, const mn_tree_columns *c, size_t rows, mn_search_workspace *b)
{
  if (!c->few) return MN_OK;
  b->few_entry = MN_RAW(ctx, uint32_t, rows, 2);
  MN_CHECK_ALLOC(b->few_entry);
  b->few_at = b->few_entry + rows;
  return MN_OK;
}

static size_t entry_of(const mn_sparse_column *few, uint32_t row)
{
  const size_t at = mn_first_from(few->named, few->size, row);
  return at < few->size && few->named[at] == row ? few->entry[at] : SIZE_MAX;
}

/* Of a long column and a small node the rows are looked up, else all entries are gone through. */
static bool looks_up(const mn_sparse_column *few, size_t n)
{
  enum { STEPS = 16 }; /* of looking one up */
  return few->size > STEPS * n;
}

/* The entries of the column among the rows of a node, by value unless they are looked up, and which of its rows they
 * are: into few_entry and few_at of the bench. Returns how many; some are left out where the operation was cancelled.
 */
static size_t find(const mn_sparse_column *few, const mn_training_view *g, const uint32_t *id, size_t n,
                   mn_search_workspace *b)
{
  const uint32_t begin = g->place[id[0]];
  size_t found = 0;
  mn_chunk p = { 0 };
  if (looks_up(few, n)) {
    for (size_t i = 0; i < n; i++) {
      const size_t entry = entry_of(few, id[i]);
      if (entry == SIZE_MAX) continue;
      b->few_entry[found] = (uint32_t)entry;
      b->few_at[found++] = (uint32_t)i;
    }
    return found;
  }
  while (mn_next_chunk(&b->token, few->size, &p))
    for (size_t i = p.begin; i < p.end; i++) {
      const uint32_t at = g->place[few->row[i]] - begin; /* of a row that stands before: beyond all */
      if (at >= n) continue;
      b->few_entry[found] = (uint32_t)i;
      b->few_at[found++] = at;
    }
  return found;
}

/* A cut of which s->left holds the sums. */
static void try_cut(mn_scan *s, double weight, double count, uint32_t rank, uint32_t last, uint32_t next,
                    mn_split *split)
{
  const double proxy = mn_scan_split_proxy(s, weight, count);
  if (!(proxy > s->best + s->tolerance)) return;
  s->best = split->proxy = proxy;
  split->found = true;
  split->rank = rank;
  split->last = last;
  split->next = next;
  split->threshold = INFINITY; /* made of the two rows in the end */
}

static size_t end_of_group(const mn_search_workspace *b, size_t i, size_t n)
{
  const uint32_t key = b->key[i];
  while (i < n && b->key[i] == key) i++;
  return i;
}

/* The n rows that have a value, sorted, among those with 0. The sums of these are those of the node without the
 * others'. */
static void scan(mn_scan *s, const mn_sparse_column *few, size_t n, size_t zeros, const mn_search_workspace *b,
                 mn_split *split)
{
  const mn_node_stats *t = s->tally;
  const size_t width = s->rules->width;
  const uint32_t *id = b->id;
  double weight = 0, count = 0, above_weight = 0, above_count = 0;
  size_t i = 0, end;
  memset(s->left, 0, width * sizeof *s->left);
  for (; i < n && b->key[i] < few->zero; i = end) {
    end = end_of_group(b, i, n);
    mn_add_rows(s->rules, s->ground, id + i, NULL, end - i, s->left, &weight, &count);
    const bool zero_next = zeros > 0 && (end == n || b->key[end] > few->zero);
    if (zero_next || end < n)
      try_cut(s, weight, count, b->key[i], id[end - 1], zero_next ? MN_ZERO_ROW : id[end], split);
  }
  if (zeros > 0) {
    memset(s->right, 0, width * sizeof *s->right);
    mn_add_rows(s->rules, s->ground, id + i, NULL, n - i, s->right, &above_weight, &above_count);
    for (size_t c = 0; c < width; c++) s->left[c] = t->sum[c] - s->right[c];
    weight = t->weight - above_weight;
    count = t->count - above_count;
    if (i < n) try_cut(s, weight, count, few->zero, MN_ZERO_ROW, id[i], split);
  }
  for (; i < n && (end = end_of_group(b, i, n)) < n; i = end) {
    mn_add_rows(s->rules, s->ground, id + i, NULL, end - i, s->left, &weight, &count);
    try_cut(s, weight, count, b->key[i], id[end - 1], id[end], split);
  }
}

/* key and id of the bench, ascending by key. False: cancelled. */
static bool lay_entries(const mn_sparse_column *few, const uint32_t *id, size_t n, size_t found, mn_search_workspace *b)
{
  uint32_t low = UINT32_MAX, high = 0;
  if (!looks_up(few, n)) {
    mn_set_sorted_buffers(b, b->pair[0]);
    for (size_t i = 0; i < found; i++) {
      b->key[i] = few->rank[b->few_entry[i]];
      b->id[i] = id[b->few_at[i]];
    }
    return true;
  }
  for (size_t i = 0; i < found; i++) {
    const uint32_t key = few->rank[b->few_entry[i]];
    b->raw_key[i] = key;
    b->few_at[i] = id[b->few_at[i]];
    low = key < low ? key : low;
    high = key > high ? key : high;
  }
  return mn_sort_rows(b, b->few_at, found, low, high);
}

void mn_search_sparse_column(mn_scan *s, const mn_sparse_column *few, const uint32_t *id, size_t n,
                             mn_search_workspace *b, mn_split *split, bool *constant)
{
  const size_t found = find(few, s->ground, id, n, b);
  *constant = true;
  if (found == 0 || !lay_entries(few, id, n, found, b)) return;
  *constant = found == n && b->key[0] == b->key[n - 1];
  if (!*constant) scan(s, few, found, n - found, b, split);
}

/* Summed up are those on the side where 0 is not. */
void mn_draw_sparse_threshold(mn_scan *s, const mn_sparse_column *few, const uint32_t *id, size_t n, double u,
                              mn_search_workspace *b, mn_split *split, bool *constant)
{
  const mn_node_stats *t = s->tally;
  const size_t found = find(few, s->ground, id, n, b), width = s->rules->width;
  double low = found < n ? 0 : INFINITY, high = found < n ? 0 : -INFINITY, weight = 0, count = 0;
  for (size_t i = 0; i < found; i++) {
    const double value = few->value[b->few_entry[i]];
    low = fmin(low, value);
    high = fmax(high, value);
  }
  *constant = !(low < high);
  if (*constant) return;
  split->threshold = mn_threshold_between(low, high, u);
  const bool zero_left = 0 <= split->threshold;
  size_t others = 0;
  for (size_t i = 0; i < found; i++)
    if ((few->value[b->few_entry[i]] <= split->threshold) != zero_left) b->few_at[others++] = id[b->few_at[i]];
  memset(s->left, 0, width * sizeof *s->left);
  mn_add_rows(s->rules, s->ground, b->few_at, NULL, others, s->left, &weight, &count);
  if (zero_left) {
    for (size_t c = 0; c < width; c++) s->left[c] = t->sum[c] - s->left[c];
    weight = t->weight - weight;
    count = t->count - count;
  }
  split->proxy = mn_scan_split_proxy(s, weight, count);
  split->found = split->proxy > -INFINITY;
}

bool mn_sparse_ranks(const mn_sparse_column *few, const mn_training_view *g, const uint32_t *id, size_t n,
                     mn_search_workspace *b, uint32_t *to)
{
  const size_t found = find(few, g, id, n, b);
  if (found == 0) return false;
  for (size_t i = 0; i < n; i++) to[i] = few->zero;
  for (size_t i = 0; i < found; i++) to[b->few_at[i]] = few->rank[b->few_entry[i]];
  return true;
}

bool mn_sparse_values(const mn_sparse_column *few, const mn_training_view *g, const uint32_t *id, size_t n,
                      mn_search_workspace *b, double *to)
{
  const size_t found = find(few, g, id, n, b);
  if (found == 0) return false;
  memset(to, 0, n * sizeof *to);
  for (size_t i = 0; i < found; i++) to[b->few_at[i]] = few->value[b->few_entry[i]];
  return true;
}

void mn_sparse_left_mask(const mn_sparse_column *few, const mn_training_view *g, const uint32_t *id, size_t n,
                         const mn_split *s, mn_search_workspace *b, uint32_t *left)
{
  const size_t found = find(few, g, id, n, b);
  const bool drawn = few->value != NULL;
  const uint32_t zero = drawn ? 0 <= s->threshold : few->zero <= s->rank;
  for (size_t i = 0; i < n; i++) left[i] = zero;
  for (size_t i = 0; i < found; i++) {
    const size_t entry = b->few_entry[i];
    left[b->few_at[i]] = drawn ? few->value[entry] <= s->threshold : few->rank[entry] <= s->rank;
  }
}
