#include "boost_sorted.h"
#include "../core/threads.h"
#include "../histogram/bins_kernel.h"
#include <math.h>
#include <string.h>

struct sort_workspace {
  uint64_t *key, *other;
  double *row, *other_row; /* row numbers: the payload of the sort */
};

struct sort_task {
  const mn_data *data;
  const mn_bins *bins;
  mn_sorted_columns *s;
  struct sort_workspace *ws; /* workers */
  uint32_t *distinct;        /* features */
};

/* Levels that fit does not know count as missing. */
static bool is_missing(double x, bool categorical)
{
  return isnan(x) || (categorical && x < 0);
}

static void sort_column(void *work, size_t feature, size_t worker)
{
  const struct sort_task *t = work;
  const struct sort_workspace *ws = &t->ws[worker];
  const size_t rows = t->s->rows;
  const bool categorical = t->bins->categorical[feature];
  uint32_t *order = t->s->initial + feature * rows, *rank = t->s->rank + feature * rows;
  double *value = t->s->value[feature];
  size_t n = 0, missing = rows, distinct = 0;
  for (size_t i = 0; i < rows; i++) {
    const double x = mn_element(t->data, i, feature);
    if (is_missing(x, categorical)) continue;
    ws->key[n] = mn_sort_key(x);
    ws->row[n++] = (double)i;
  }
  mn_sort_keys(n, ws->key, ws->other, ws->row, ws->other_row);
  for (size_t k = 0; k < n; k++) {
    if (k == 0 || ws->key[k] != ws->key[k - 1]) value[distinct++] = mn_sort_key_value(ws->key[k]);
    order[k] = (uint32_t)ws->row[k];
    rank[order[k]] = (uint32_t)(categorical ? value[distinct - 1] : (double)(distinct - 1));
  }
  t->distinct[feature] = (uint32_t)distinct;
  const uint32_t last = categorical ? t->bins->count[feature] : (uint32_t)distinct;
  for (size_t i = rows; i-- > 0;) {
    if (!is_missing(mn_element(t->data, i, feature), categorical)) continue;
    rank[i] = last;
    order[--missing] = (uint32_t)i;
  }
}

static mn_status alloc_columns(mn_context *ctx, const mn_data *data, mn_bins *bins, mn_sorted_columns *s)
{
  const size_t rows = data->rows, features = data->features;
  *bins = (mn_bins){ .rows = rows, .features = features };
  bins->count = MN_NEW(ctx, uint32_t, features, 1);
  bins->cell = MN_NEW(ctx, uint32_t, features + 1, 1);
  bins->categorical = MN_NEW(ctx, bool, features, 1);
  *s = (mn_sorted_columns){ .rows = rows, .features = features };
  s->value = MN_NEW(ctx, double *, features, 1);
  s->rank = MN_RAW(ctx, uint32_t, features, rows);
  s->initial = MN_RAW(ctx, uint32_t, features, rows);
  s->row = MN_RAW(ctx, uint32_t, features, rows);
  s->right_rows = MN_RAW(ctx, uint32_t, mn_threads(ctx), rows);
  s->side = MN_NEW(ctx, uint8_t, rows + MN_BINS_PADDING, 1);
  if (!bins->count || !bins->cell || !bins->categorical || !s->value || !s->rank || !s->initial || !s->row ||
      !s->right_rows || !s->side)
    return MN_NO_MEMORY;
  for (size_t f = 0; f < features; f++) {
    s->value[f] = MN_RAW(ctx, double, rows, 1);
    MN_CHECK_ALLOC(s->value[f]);
  }
  return MN_OK;
}

static mn_status make_workspaces(mn_context *ctx, struct sort_task *t)
{
  const size_t workers = mn_threads(ctx), rows = t->s->rows;
  t->ws = MN_NEW(ctx, struct sort_workspace, workers, 1);
  t->distinct = MN_NEW(ctx, uint32_t, t->s->features, 1);
  if (!t->ws || !t->distinct) return MN_NO_MEMORY;
  for (size_t k = 0; k < workers; k++) {
    struct sort_workspace *ws = &t->ws[k];
    ws->key = MN_RAW(ctx, uint64_t, rows, 1);
    ws->other = MN_RAW(ctx, uint64_t, rows, 1);
    ws->row = MN_RAW(ctx, double, rows, 1);
    ws->other_row = MN_RAW(ctx, double, rows, 1);
    if (!ws->key || !ws->other || !ws->row || !ws->other_row) return MN_NO_MEMORY;
  }
  return MN_OK;
}

mn_status mn_sorted_columns_make(mn_context *ctx, const char *who, const mn_data *data, mn_bins *bins,
                                 mn_sorted_columns **out)
{
  mn_sorted_columns *s = MN_NEW(ctx, mn_sorted_columns, 1, 1);
  MN_CHECK_ALLOC(s);
  *out = s;
  MN_TRY(alloc_columns(ctx, data, bins, s));
  MN_TRY(mn_bins_add_factors(ctx, who, data, MN_MAX_BINS, bins));
  const mn_mark mark = mn_scratch_mark(ctx);
  struct sort_task t = { .data = data, .bins = bins, .s = s };
  MN_TRY(make_workspaces(ctx, &t));
  MN_TRY(mn_parallel(ctx, data->features, sort_column, &t));
  for (size_t f = 0; f < data->features; f++)
    if (!bins->categorical[f]) bins->count[f] = t.distinct[f];
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

void mn_sorted_columns_reset(mn_sorted_columns *s)
{
  memcpy(s->row, s->initial, s->features * s->rows * sizeof *s->row);
}

void mn_sorted_columns_partition(mn_sorted_columns *s, size_t feature, size_t begin, size_t n, size_t worker)
{
  uint32_t *row = s->row + feature * s->rows + begin, *right_rows = s->right_rows + worker * s->rows;
  size_t left = 0, right = 0;
  for (size_t i = 0; i < n; i++) {
    const uint32_t at = row[i];
    const bool goes_left = s->side[at];
    row[left] = right_rows[right] = at;
    left += goes_left;
    right += !goes_left;
  }
  memcpy(row + left, right_rows, right * sizeof *row);
}
