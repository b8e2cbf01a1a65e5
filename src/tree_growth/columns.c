#include "columns.h"
#include "../core/threads.h"
#include "../linalg/csr.h"
#include "../stats/argsort.h"
#include "../model/fit_cache.h"
#include <math.h>
#include <string.h>

struct work {
  mn_context *ctx;
  const mn_data *data;
  mn_tree_columns *out;
  mn_csr turned;  /* sparse X: features x rows */
  double *value;  /* workers x rows: a column of sparse X that is not kept; or NULL */
  uint64_t *room; /* workers x 2 rows */
};

/* A column where it stands, or, of sparse X or where values are kept, in v. Its elements are `step` apart. */
static const double *read_column(const struct work *w, size_t j, double *v, size_t *step)
{
  const mn_csr *s = &w->turned;
  const size_t n = w->data->rows;
  *step = v ? 1 : w->data->features;
  if (!v) return w->data->x.at + j;
  if (w->data->sparse) {
    memset(v, 0, n * sizeof *v);
    for (size_t k = s->start[j]; k < s->start[j + 1]; k++) v[s->col[k]] = s->at[k];
  } else {
    for (size_t i = 0; i < n; i++) v[i] = mn_row(&w->data->x, i)[j];
  }
  return v;
}

/* Ranks in the memory of column j, now that it is known how many there are. */
static mn_packed rank_up_to(mn_tree_columns *c, size_t j, uint32_t distinct)
{
  c->distinct[j] = distinct;
  c->rank[j] = mn_packed_view(c->rank[j].at, distinct);
  return c->rank[j];
}

static void rank_factor(mn_tree_columns *out, size_t j, const mn_levels *levels, const double *v, size_t step)
{
  const uint32_t distinct = (uint32_t)mn_levels_size(levels);
  const mn_packed rank = rank_up_to(out, j, distinct);
  for (size_t i = 0; i < out->rows; i++) {
    const double code = v[i * step];
    mn_packed_set(rank, i, code >= 0 ? (uint32_t)code : distinct);
    out->missing[j] = out->missing[j] || !(code >= 0);
  }
}

static void rank_numbers(struct work *w, size_t j, size_t worker, const double *v, size_t step)
{
  const size_t n = w->data->rows;
  mn_tree_columns *out = w->out;
  size_t present;
  const mn_cancel_token token = { w->ctx, worker };
  const uint32_t *order = mn_argsort_numbers(&token, n, v, step, w->room + worker * 2 * n, &present);
  if (!order) return;
  uint32_t all = 0, distinct = 0;
  for (size_t s = 0; s < present; s++) all += (order[s] & MN_TIED) == 0;
  const mn_packed rank = rank_up_to(out, j, all);
  uint64_t *starts = out->order ? out->starts + j * mn_row_bitmap_words(n) : NULL;
  if (starts) memset(starts, 0, mn_row_bitmap_words(n) * sizeof *starts);
  for (size_t s = 0; s < present; s++) {
    const uint32_t row = order[s] & ~MN_TIED;
    if (s % MN_CHUNK == MN_CHUNK - 1 && !mn_task_should_continue(&token)) return;
    if (row == order[s]) {
      if (out->sorted) out->sorted[j][distinct] = v[row * step] + 0.0;
      distinct++;
    }
    mn_packed_set(rank, row, distinct - 1);
    if (!out->order) continue;
    mn_packed_set(out->order[j], s, row);
    if (row == order[s]) starts[s / 64] |= UINT64_C(1) << s % 64;
  }
  out->missing[j] = present < n;
  for (size_t i = 0; present < n && i < n; i++)
    if (isnan(v[i * step])) mn_packed_set(rank, i, all);
}

/* Ranks among all values of the column, 0 being one of them. */
static void rank_few(struct work *w, size_t j, size_t worker, mn_sparse_column *few)
{
  const mn_csr *s = &w->turned;
  const mn_cancel_token token = { w->ctx, worker };
  double *v = w->value + worker * w->data->rows;
  size_t n = 0;
  for (size_t k = s->start[j]; k < s->start[j + 1]; k++) {
    if (!(s->at[k] < 0) && !(s->at[k] > 0)) continue;
    few->named[n] = (uint32_t)s->col[k];
    v[n++] = s->at[k];
  }
  const uint32_t *order = mn_argsort_numbers(&token, n, v, 1, w->room + worker * 2 * w->data->rows, &n);
  if (!order) return;
  uint32_t distinct = 0;
  bool below = true; /* 0 */
  for (size_t k = 0; k < n; k++) {
    const uint32_t from = order[k] & ~MN_TIED;
    if (below && v[from] > 0) {
      few->zero = distinct++;
      below = false;
    }
    distinct += from == order[k];
    few->row[k] = few->named[from];
    few->rank[k] = distinct - 1;
    few->entry[from] = (uint32_t)k;
    if (few->value) few->value[k] = v[from];
  }
  if (below) few->zero = distinct++;
  w->out->distinct[j] = distinct;
}

static bool has_missing(size_t n, const double *v)
{
  for (size_t i = 0; i < n; i++)
    if (isnan(v[i])) return true;
  return false;
}

static void rank_column(void *work, size_t j, size_t worker)
{
  struct work *w = work;
  const size_t n = w->data->rows;
  const mn_levels *levels = w->data->levels ? w->data->levels[j] : NULL;
  size_t step;
  w->out->by_levels[j] = levels != NULL;
  w->out->missing[j] = false;
  if (mn_sparse_column_of(w->out, j)) {
    rank_few(w, j, worker, &w->out->few[j]);
    return;
  }
  double *room = w->out->value ? w->out->value[j] : w->value ? w->value + worker * n : NULL;
  const double *v = read_column(w, j, room, &step);
  if (levels)
    rank_factor(w->out, j, levels, v, step);
  else if (w->out->value && !has_missing(n, v))
    w->out->distinct[j] = 0; /* where cuts are drawn, ranks are read only beside missing values */
  else
    rank_numbers(w, j, worker, v, step);
}

/* Room for the distinct values: a sparse column has no more than it stores, and 0. */
static mn_status make_sorted(mn_context *ctx, const mn_data *data, mn_tree_columns *out)
{
  const mn_csr *s = data->sparse;
  const size_t n = data->rows, p = data->features;
  size_t *stored = MN_NEW(ctx, size_t, p, 1);
  out->sorted = MN_RAW(ctx, double *, p, 1);
  if (!stored || !out->sorted) return MN_NO_MEMORY;
  for (size_t k = 0; s && k < s->start[s->rows]; k++) stored[s->col[k]]++;
  for (size_t j = 0; j < p; j++) {
    const bool factor = data->levels && data->levels[j];
    const size_t most = s && stored[j] < n ? stored[j] + 1 : n;
    out->sorted[j] = factor ? NULL : MN_RAW(ctx, double, most, 1);
    if (!factor) MN_CHECK_ALLOC(out->sorted[j]);
  }
  return MN_OK;
}

/* Ranks go up to the number of levels, and of distinct values. */
static uint32_t greatest_rank(const mn_data *data, size_t j)
{
  const size_t levels = data->levels && data->levels[j] ? mn_levels_size(data->levels[j]) : 0;
  return (uint32_t)(levels > data->rows ? levels : data->rows);
}

/* One block: a head for each feature, then ranks and, where they are wanted, orders. */
enum { HEAD = 2 * sizeof(mn_packed) + sizeof(uint32_t) + 2 * sizeof(bool) };

static size_t size_of_head(size_t p)
{
  return (p * HEAD + 63) / 64 * 64;
}

static size_t size_of_arrays(const mn_data *data, bool ordered, const mn_sparse_column *few)
{
  size_t bytes = size_of_head(data->features);
  for (size_t j = 0; j < data->features; j++)
    if (!few || !few[j].row) bytes += (ordered ? 2 : 1) * mn_packed_size(data->rows, greatest_rank(data, j));
  if (ordered) bytes += data->features * mn_row_bitmap_words(data->rows) * sizeof(uint64_t);
  return bytes;
}

static uint8_t *place_packed(mn_packed *column, uint8_t *at, size_t n, uint32_t greatest)
{
  *column = mn_packed_view(at, greatest);
  return at + mn_packed_size(n, greatest);
}

static void place_arrays(char *block, bool ordered, mn_tree_columns *out)
{
  const size_t p = out->features, n = out->rows;
  mn_packed *head = (mn_packed *)(void *)block;
  uint8_t *at = (uint8_t *)block + size_of_head(p);
  out->rank = head;
  out->order = ordered ? head + p : NULL;
  out->distinct = (uint32_t *)(void *)(head + 2 * p);
  out->missing = (bool *)(out->distinct + p);
  out->by_levels = out->missing + p;
  for (size_t j = 0; j < p; j++) {
    const uint32_t greatest = greatest_rank(&out->data, j);
    if (mn_sparse_column_of(out, j)) continue;
    at = place_packed(&out->rank[j], at, n, greatest);
    if (ordered) at = place_packed(&out->order[j], at, n, greatest);
  }
  out->starts = ordered ? (uint64_t *)(void *)at : NULL;
}

static mn_status make_columns(mn_context *ctx, struct work *w)
{
  const size_t n = w->data->rows, p = w->data->features, workers = mn_threads(ctx);
  const mn_mark mark = mn_scratch_mark(ctx);
  if (w->data->sparse) {
    w->value = MN_RAW(ctx, double, workers, n);
    MN_CHECK_ALLOC(w->value);
  }
  w->room = MN_RAW(ctx, uint64_t, workers, 2 * n);
  MN_CHECK_ALLOC(w->room);
  if (w->data->sparse) MN_TRY(mn_csr_turn(ctx, w->data->sparse, &w->turned));
  MN_TRY(mn_parallel(ctx, p, rank_column, w));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* What is half made must not be found there later. */
static mn_status find_on_shelf(mn_context *ctx, const mn_data *data, mn_tree_columns *out)
{
  static const char *const kind_of_item = "tree columns";
  mn_tree_columns *kept = mn_fit_cache_find(data->cache, kind_of_item, data);
  if (!kept) {
    void *item;
    const size_t bytes = size_of_arrays(data, true, NULL), behind = (sizeof *out + 63) / 64 * 64;
    struct work w = { .ctx = ctx, .data = data, .out = out };
    MN_TRY(mn_fit_cache_make(ctx, data->cache, kind_of_item, data, behind + bytes, &item));
    *out = (mn_tree_columns){ .rows = data->rows, .features = data->features, .data = *data };
    place_arrays((char *)item + behind, true, out);
    const mn_status status = make_columns(ctx, &w);
    if (status != MN_OK) mn_fit_cache_free(mn_context_memory(ctx), data->cache);
    MN_TRY(status);
    kept = item;
    *kept = *out;
    kept->data = (mn_data){ .rows = out->rows }; /* of this fit only */
  }
  *out = *kept;
  out->data = *data;
  return MN_OK;
}

/* --- some rows of what lies on the cache --- */

struct picking {
  mn_context *ctx;
  const mn_tree_columns *all;
  const size_t *kept;
  uint32_t *place; /* rows of `all`: which of the kept ones, or LEFT_OUT */
  mn_tree_columns *out;
};

static const uint32_t LEFT_OUT = UINT32_MAX;

static void pick_codes(const struct picking *w, size_t j)
{
  const uint32_t none = w->all->distinct[j];
  const mn_packed rank = rank_up_to(w->out, j, none);
  for (size_t i = 0; i < w->out->rows; i++) {
    const uint32_t code = mn_packed_get(w->all->rank[j], w->kept[i]);
    mn_packed_set(rank, i, code);
    w->out->missing[j] = w->out->missing[j] || code == none;
  }
}

static size_t count_present(const mn_tree_columns *c, size_t j)
{
  size_t present = 0;
  for (size_t i = 0; i < c->rows; i++) present += mn_packed_get(c->rank[j], i) != c->distinct[j];
  return present;
}

/* The order of all rows without those left out is that of the others. */
static void pick_order(const struct picking *w, size_t j, const mn_cancel_token *token)
{
  const mn_tree_columns *all = w->all;
  mn_tree_columns *out = w->out;
  const uint64_t *all_starts = all->starts + j * mn_row_bitmap_words(all->rows);
  uint64_t *starts = out->starts + j * mn_row_bitmap_words(out->rows);
  const size_t n = out->rows, present = all->missing[j] ? count_present(all, j) : all->rows;
  const mn_packed rank = rank_up_to(out, j, all->distinct[j] < n ? all->distinct[j] : (uint32_t)n);
  uint32_t distinct = 0;
  size_t next = 0;
  bool begins = false;
  memset(starts, 0, mn_row_bitmap_words(n) * sizeof *starts);
  for (size_t s = 0; s < present; s++) {
    if (s % MN_CHUNK == MN_CHUNK - 1 && !mn_task_should_continue(token)) return;
    begins = begins || all_starts[s / 64] >> s % 64 & 1;
    const uint32_t row = w->place[mn_packed_get(all->order[j], s)];
    if (row == LEFT_OUT) continue;
    distinct += begins;
    if (begins) starts[next / 64] |= UINT64_C(1) << next % 64;
    begins = false;
    mn_packed_set(rank, row, distinct - 1);
    mn_packed_set(out->order[j], next++, row);
  }
  out->distinct[j] = distinct;
  out->missing[j] = next < n;
  for (size_t i = 0; next < n && i < n; i++)
    if (mn_packed_get(all->rank[j], w->kept[i]) == all->distinct[j]) mn_packed_set(rank, i, distinct);
}

static void pick_column(void *work, size_t j, size_t worker)
{
  const struct picking *w = work;
  const mn_cancel_token token = { w->ctx, worker };
  w->out->by_levels[j] = w->all->by_levels[j];
  w->out->missing[j] = false;
  if (w->all->by_levels[j])
    pick_codes(w, j);
  else
    pick_order(w, j, &token);
}

/* Rows of weight 0 were left out: what is said of the others is read off, nothing is sorted. */
static mn_status pick_rows(mn_context *ctx, const mn_data *data, mn_tree_columns *out)
{
  mn_tree_columns all;
  MN_TRY(find_on_shelf(ctx, data->unfiltered, &all));
  char *block = MN_RAW(ctx, char, size_of_arrays(data, true, NULL), 1);
  MN_CHECK_ALLOC(block);
  place_arrays(block, true, out);
  const mn_mark mark = mn_scratch_mark(ctx);
  struct picking w = { .ctx = ctx, .all = &all, .kept = data->kept_rows, .out = out };
  w.place = MN_RAW(ctx, uint32_t, all.rows, 1);
  MN_CHECK_ALLOC(w.place);
  for (size_t i = 0; i < all.rows; i++) w.place[i] = LEFT_OUT;
  for (size_t i = 0; i < data->rows; i++) w.place[data->kept_rows[i]] = (uint32_t)i;
  MN_TRY(mn_parallel(ctx, out->features, pick_column, &w));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- sparse X --- */

/* Values of each column besides 0; SIZE_MAX: some are missing. */
static mn_status count_values(mn_context *ctx, const mn_csr *s, size_t **out)
{
  size_t *count = MN_NEW(ctx, size_t, s->cols, 1);
  MN_CHECK_ALLOC(count);
  for (size_t i = 0; i < s->rows; i++) {
    if (i % MN_CHUNK == 0) MN_TRY(mn_poll(ctx));
    for (size_t k = s->start[i]; k < s->start[i + 1]; k++) {
      size_t *of = &count[s->col[k]];
      if (isnan(s->at[k]))
        *of = SIZE_MAX;
      else if (*of < SIZE_MAX && (s->at[k] < 0 || s->at[k] > 0))
        ++*of;
    }
  }
  *out = count;
  return MN_OK;
}

/* Columns of which few rows have a value are kept as these, where they are half of all columns or more: small subtrees
 * are then not copied close together. Where more rows have one, small nodes are sooner searched in whole columns; above
 * all for drawn cuts, which sort nothing. */
static mn_status plan_few(mn_context *ctx, const mn_data *data, bool values, mn_sparse_column **out)
{
  const size_t p = data->features, most = data->rows / (values ? 32 : 16);
  size_t *count, all = 0, columns = 0;
  if (!data->sparse) return MN_OK;
  mn_sparse_column *few = MN_NEW(ctx, mn_sparse_column, p, 1);
  MN_CHECK_ALLOC(few);
  MN_TRY(count_values(ctx, data->sparse, &count));
  for (size_t j = 0; j < p; j++) {
    if (count[j] > most) continue;
    few[j].size = count[j];
    all += count[j];
    columns++;
  }
  if (columns == 0 || 2 * columns < p) return MN_OK;
  uint32_t *row = MN_RAW(ctx, uint32_t, all + 1, 4);
  double *value = values ? MN_RAW(ctx, double, all + 1, 1) : NULL;
  if (!row || (values && !value)) return MN_NO_MEMORY;
  uint32_t *rank = row + all + 1, *named = rank + all + 1, *entry = named + all + 1;
  for (size_t j = 0, at = 0; j < p; j++) {
    if (count[j] > most) continue;
    few[j].row = row + at;
    few[j].rank = rank + at;
    few[j].named = named + at;
    few[j].entry = entry + at;
    if (values) few[j].value = value + at;
    at += few[j].size;
  }
  *out = few;
  return MN_OK;
}

/* Room for the values of the columns that are kept whole. */
static mn_status make_values(mn_context *ctx, mn_tree_columns *out)
{
  size_t whole = 0;
  for (size_t j = 0; j < out->features; j++) whole += !mn_sparse_column_of(out, j);
  out->value = MN_NEW(ctx, double *, out->features, 1);
  double *block = MN_RAW(ctx, double, whole > 0 ? whole : 1, out->rows);
  if (!out->value || !block) return MN_NO_MEMORY;
  for (size_t j = 0; j < out->features; j++) {
    if (mn_sparse_column_of(out, j)) continue;
    out->value[j] = block;
    block += out->rows;
  }
  return MN_OK;
}

mn_status mn_tree_columns_make(mn_context *ctx, const char *who, const mn_data *data, int wanted, mn_tree_columns *out)
{
  const size_t n = data->rows, p = data->features;
  const size_t most = 1 << 28; /* two nodes for each row can be counted */
  struct work w = { .ctx = ctx, .data = data, .out = out };
  if (n > most) return mn_fail(ctx, MN_BAD_DATA, "%s: X must have at most %zu rows, got %zu", who, most, n);
  *out = (mn_tree_columns){ .rows = n, .features = p, .data = *data };
  if (wanted != MN_COLUMNS_SORTED) MN_TRY(plan_few(ctx, data, wanted == MN_COLUMNS_VALUES, &out->few));
  if (data->cache && wanted == MN_COLUMNS_RANKS && !out->few)
    return data->unfiltered ? pick_rows(ctx, data, out) : find_on_shelf(ctx, data, out);
  char *block = MN_RAW(ctx, char, size_of_arrays(data, false, out->few), 1);
  MN_CHECK_ALLOC(block);
  memset(block, 0, size_of_head(p)); /* nothing is there of columns that are not kept whole */
  place_arrays(block, false, out);
  if (wanted == MN_COLUMNS_SORTED) MN_TRY(make_sorted(ctx, data, out));
  if (wanted == MN_COLUMNS_VALUES) MN_TRY(make_values(ctx, out));
  return make_columns(ctx, &w);
}

static bool has_gap(const mn_tree_columns *c, size_t j, const double *weights)
{
  if (!c->missing[j] || !weights) return c->missing[j];
  for (size_t i = 0; i < c->rows; i++)
    if (weights[i] > 0 && mn_packed_get(c->rank[j], i) == c->distinct[j]) return true;
  return false;
}

mn_status mn_features_with_missing(mn_context *ctx, const mn_tree_columns *c, const double *weights, mn_indexes *gaps)
{
  for (size_t j = 0; j < c->features; j++) {
    if (!has_gap(c, j, weights)) continue;
    if (!gaps->at) MN_TRY(mn_indexes_init(ctx, gaps, c->features));
    gaps->at[j] = 1;
  }
  return MN_OK;
}
