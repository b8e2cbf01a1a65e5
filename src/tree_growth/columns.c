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
  mn_csr transposed; /* of sparse X: features x rows */
  double *value;     /* workers x rows: a dense copy of a column of sparse X; or NULL */
  uint64_t *buffer;  /* workers x 2 rows: for sorting */
};

/* A column as an array with the given step between elements: in place, or copied to v unless that is NULL. */
static const double *read_column(const struct work *w, size_t j, double *v, size_t *step)
{
  const mn_csr *s = &w->transposed;
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

/* Set the number of distinct values of column j, and with it how many bytes a rank takes. */
static mn_packed set_rank_width(mn_tree_columns *c, size_t j, uint32_t distinct)
{
  c->distinct[j] = distinct;
  c->rank[j] = mn_packed_view(c->rank[j].at, distinct);
  return c->rank[j];
}

static void rank_factor(mn_tree_columns *out, size_t j, const mn_levels *levels, const double *v, size_t step)
{
  const uint32_t distinct = (uint32_t)mn_levels_size(levels);
  const mn_packed rank = set_rank_width(out, j, distinct);
  for (size_t i = 0; i < out->rows; i++) {
    const double code = v[i * step];
    mn_packed_set(rank, i, code >= 0 ? (uint32_t)code : distinct);
    out->has_missing[j] = out->has_missing[j] || !(code >= 0);
  }
}

static void rank_numbers(struct work *w, size_t j, size_t worker, const double *v, size_t step)
{
  const size_t n = w->data->rows;
  mn_tree_columns *out = w->out;
  size_t present;
  const mn_cancel_token token = { w->ctx, worker };
  const uint32_t *order = mn_argsort_numbers(&token, n, v, step, w->buffer + worker * 2 * n, &present);
  if (!order) return;
  uint32_t all = 0, distinct = 0;
  for (size_t s = 0; s < present; s++) all += (order[s] & MN_TIED) == 0;
  const mn_packed rank = set_rank_width(out, j, all);
  uint64_t *starts = out->order ? out->value_starts + j * mn_row_bitmap_words(n) : NULL;
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
  out->has_missing[j] = present < n;
  for (size_t i = 0; present < n && i < n; i++)
    if (isnan(v[i * step])) mn_packed_set(rank, i, all);
}

/* Ranks among all values of a sparse column, including 0. */
static void rank_sparse_column(struct work *w, size_t j, size_t worker, mn_sparse_column *column)
{
  const mn_csr *s = &w->transposed;
  const mn_cancel_token token = { w->ctx, worker };
  double *v = w->value + worker * w->data->rows;
  size_t n = 0;
  for (size_t k = s->start[j]; k < s->start[j + 1]; k++) {
    if (!(s->at[k] < 0) && !(s->at[k] > 0)) continue;
    column->sorted_row[n] = (uint32_t)s->col[k];
    v[n++] = s->at[k];
  }
  const uint32_t *order = mn_argsort_numbers(&token, n, v, 1, w->buffer + worker * 2 * w->data->rows, &n);
  if (!order) return;
  uint32_t distinct = 0;
  bool below_zero = true;
  for (size_t k = 0; k < n; k++) {
    const uint32_t from = order[k] & ~MN_TIED;
    if (below_zero && v[from] > 0) {
      column->zero_rank = distinct++;
      below_zero = false;
    }
    distinct += from == order[k];
    column->row[k] = column->sorted_row[from];
    column->rank[k] = distinct - 1;
    column->sorted_entry[from] = (uint32_t)k;
    if (column->value) column->value[k] = v[from];
  }
  if (below_zero) column->zero_rank = distinct++;
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
  w->out->is_factor[j] = levels != NULL;
  w->out->has_missing[j] = false;
  if (mn_sparse_column_of(w->out, j)) {
    rank_sparse_column(w, j, worker, &w->out->sparse[j]);
    return;
  }
  double *buffer = w->out->value ? w->out->value[j] : w->value ? w->value + worker * n : NULL;
  const double *v = read_column(w, j, buffer, &step);
  if (levels)
    rank_factor(w->out, j, levels, v, step);
  else if (w->out->value && !has_missing(n, v))
    w->out->distinct[j] = 0; /* with random thresholds, ranks are read only of columns with missing values */
  else
    rank_numbers(w, j, worker, v, step);
}

/* Memory for the distinct values: of a sparse column, at most those it stores and 0. */
static mn_status alloc_sorted(mn_context *ctx, const mn_data *data, mn_tree_columns *out)
{
  const mn_csr *s = data->sparse;
  const size_t n = data->rows, p = data->features;
  size_t *stored = MN_NEW(ctx, size_t, p, 1);
  out->sorted = MN_RAW(ctx, double *, p, 1);
  if (!stored || !out->sorted) return MN_NO_MEMORY;
  for (size_t k = 0; s && k < s->start[s->rows]; k++) stored[s->col[k]]++;
  for (size_t j = 0; j < p; j++) {
    const bool factor = data->levels && data->levels[j];
    const size_t max = s && stored[j] < n ? stored[j] + 1 : n;
    out->sorted[j] = factor ? NULL : MN_RAW(ctx, double, max, 1);
    if (!factor) MN_CHECK_ALLOC(out->sorted[j]);
  }
  return MN_OK;
}

/* The largest rank, which means missing: at most the number of levels, or of rows. */
static uint32_t max_rank(const mn_data *data, size_t j)
{
  const size_t levels = data->levels && data->levels[j] ? mn_levels_size(data->levels[j]) : 0;
  return (uint32_t)(levels > data->rows ? levels : data->rows);
}

/* Layout of one memory block: for each feature a header, then the ranks and, if wanted, the orders. */
enum { HEADER = 2 * sizeof(mn_packed) + sizeof(uint32_t) + 2 * sizeof(bool) };

static size_t header_size(size_t p)
{
  return (p * HEADER + 63) / 64 * 64;
}

static size_t arrays_size(const mn_data *data, bool ordered, const mn_sparse_column *sparse)
{
  size_t bytes = header_size(data->features);
  for (size_t j = 0; j < data->features; j++)
    if (!sparse || !sparse[j].row) bytes += (ordered ? 2 : 1) * mn_packed_size(data->rows, max_rank(data, j));
  if (ordered) bytes += data->features * mn_row_bitmap_words(data->rows) * sizeof(uint64_t);
  return bytes;
}

static uint8_t *place_column(mn_packed *column, uint8_t *at, size_t n, uint32_t max)
{
  *column = mn_packed_view(at, max);
  return at + mn_packed_size(n, max);
}

static void place_arrays(char *block, bool ordered, mn_tree_columns *out)
{
  const size_t p = out->features, n = out->rows;
  mn_packed *head = (mn_packed *)(void *)block;
  uint8_t *at = (uint8_t *)block + header_size(p);
  out->rank = head;
  out->order = ordered ? head + p : NULL;
  out->distinct = (uint32_t *)(void *)(head + 2 * p);
  out->has_missing = (bool *)(out->distinct + p);
  out->is_factor = out->has_missing + p;
  for (size_t j = 0; j < p; j++) {
    const uint32_t max = max_rank(&out->data, j);
    if (mn_sparse_column_of(out, j)) continue;
    at = place_column(&out->rank[j], at, n, max);
    if (ordered) at = place_column(&out->order[j], at, n, max);
  }
  out->value_starts = ordered ? (uint64_t *)(void *)at : NULL;
}

static mn_status make_columns(mn_context *ctx, struct work *w)
{
  const size_t n = w->data->rows, p = w->data->features, workers = mn_threads(ctx);
  const mn_mark mark = mn_scratch_mark(ctx);
  if (w->data->sparse) {
    w->value = MN_RAW(ctx, double, workers, n);
    MN_CHECK_ALLOC(w->value);
  }
  w->buffer = MN_RAW(ctx, uint64_t, workers, 2 * n);
  MN_CHECK_ALLOC(w->buffer);
  if (w->data->sparse) MN_TRY(mn_csr_transpose_scratch(ctx, w->data->sparse, &w->transposed));
  MN_TRY(mn_parallel(ctx, p, rank_column, w));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- columns kept for further fits --- */

/* Find the columns in the cache, or make them there. After an error the cache is emptied, so that no later fit finds
 * incomplete columns. */
static mn_status columns_from_cache(mn_context *ctx, const mn_data *data, mn_tree_columns *out)
{
  static const char *const kind_of_item = "tree columns";
  mn_tree_columns *kept = mn_fit_cache_find(data->cache, kind_of_item, data);
  if (!kept) {
    void *item;
    const size_t bytes = arrays_size(data, true, NULL), header = (sizeof *out + 63) / 64 * 64;
    struct work w = { .ctx = ctx, .data = data, .out = out };
    MN_TRY(mn_fit_cache_make(ctx, data->cache, kind_of_item, data, header + bytes, &item));
    *out = (mn_tree_columns){ .rows = data->rows, .features = data->features, .data = *data };
    place_arrays((char *)item + header, true, out);
    const mn_status status = make_columns(ctx, &w);
    if (status != MN_OK) mn_fit_cache_free(mn_context_memory(ctx), data->cache);
    MN_TRY(status);
    kept = item;
    *kept = *out;
    kept->data = (mn_data){ .rows = out->rows }; /* pointers into the data of this fit must not stay */
  }
  *out = *kept;
  out->data = *data;
  return MN_OK;
}

struct subset_work {
  mn_context *ctx;
  const mn_tree_columns *all;
  const size_t *kept;
  uint32_t *new_row; /* rows of `all`: index among the kept rows, or NOT_KEPT */
  mn_tree_columns *out;
};

static const uint32_t NOT_KEPT = UINT32_MAX;

static void subset_codes(const struct subset_work *w, size_t j)
{
  const uint32_t none = w->all->distinct[j];
  const mn_packed rank = set_rank_width(w->out, j, none);
  for (size_t i = 0; i < w->out->rows; i++) {
    const uint32_t code = mn_packed_get(w->all->rank[j], w->kept[i]);
    mn_packed_set(rank, i, code);
    w->out->has_missing[j] = w->out->has_missing[j] || code == none;
  }
}

static size_t count_present(const mn_tree_columns *c, size_t j)
{
  size_t present = 0;
  for (size_t i = 0; i < c->rows; i++) present += mn_packed_get(c->rank[j], i) != c->distinct[j];
  return present;
}

/* The kept rows in the order of all rows. */
static void subset_order(const struct subset_work *w, size_t j, const mn_cancel_token *token)
{
  const mn_tree_columns *all = w->all;
  mn_tree_columns *out = w->out;
  const uint64_t *all_starts = all->value_starts + j * mn_row_bitmap_words(all->rows);
  uint64_t *starts = out->value_starts + j * mn_row_bitmap_words(out->rows);
  const size_t n = out->rows, present = all->has_missing[j] ? count_present(all, j) : all->rows;
  const mn_packed rank = set_rank_width(out, j, all->distinct[j] < n ? all->distinct[j] : (uint32_t)n);
  uint32_t distinct = 0;
  size_t next = 0;
  bool begins = false;
  memset(starts, 0, mn_row_bitmap_words(n) * sizeof *starts);
  for (size_t s = 0; s < present; s++) {
    if (s % MN_CHUNK == MN_CHUNK - 1 && !mn_task_should_continue(token)) return;
    begins = begins || all_starts[s / 64] >> s % 64 & 1;
    const uint32_t row = w->new_row[mn_packed_get(all->order[j], s)];
    if (row == NOT_KEPT) continue;
    distinct += begins;
    if (begins) starts[next / 64] |= UINT64_C(1) << next % 64;
    begins = false;
    mn_packed_set(rank, row, distinct - 1);
    mn_packed_set(out->order[j], next++, row);
  }
  out->distinct[j] = distinct;
  out->has_missing[j] = next < n;
  for (size_t i = 0; next < n && i < n; i++)
    if (mn_packed_get(all->rank[j], w->kept[i]) == all->distinct[j]) mn_packed_set(rank, i, distinct);
}

static void subset_column(void *work, size_t j, size_t worker)
{
  const struct subset_work *w = work;
  const mn_cancel_token token = { w->ctx, worker };
  w->out->is_factor[j] = w->all->is_factor[j];
  w->out->has_missing[j] = false;
  if (w->all->is_factor[j])
    subset_codes(w, j);
  else
    subset_order(w, j, &token);
}

/* Columns of the rows with positive weight, taken from the columns of all rows without sorting. */
static mn_status columns_of_subset(mn_context *ctx, const mn_data *data, mn_tree_columns *out)
{
  mn_tree_columns all;
  MN_TRY(columns_from_cache(ctx, data->unfiltered, &all));
  char *block = MN_RAW(ctx, char, arrays_size(data, true, NULL), 1);
  MN_CHECK_ALLOC(block);
  place_arrays(block, true, out);
  const mn_mark mark = mn_scratch_mark(ctx);
  struct subset_work w = { .ctx = ctx, .all = &all, .kept = data->kept_rows, .out = out };
  w.new_row = MN_RAW(ctx, uint32_t, all.rows, 1);
  MN_CHECK_ALLOC(w.new_row);
  for (size_t i = 0; i < all.rows; i++) w.new_row[i] = NOT_KEPT;
  for (size_t i = 0; i < data->rows; i++) w.new_row[data->kept_rows[i]] = (uint32_t)i;
  MN_TRY(mn_parallel(ctx, out->features, subset_column, &w));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- sparse X --- */

/* Number of nonzeros of each column; SIZE_MAX if some values are missing. */
static mn_status count_nonzeros(mn_context *ctx, const mn_csr *s, size_t **out)
{
  size_t *count = MN_NEW(ctx, size_t, s->cols, 1);
  MN_CHECK_ALLOC(count);
  for (size_t i = 0; i < s->rows; i++) {
    if (i % MN_CHUNK == 0) MN_TRY(mn_poll(ctx));
    for (size_t k = s->start[i]; k < s->start[i + 1]; k++) {
      size_t *n = &count[s->col[k]];
      if (isnan(s->at[k]))
        *n = SIZE_MAX;
      else if (*n < SIZE_MAX && (s->at[k] < 0 || s->at[k] > 0))
        ++*n;
    }
  }
  *out = count;
  return MN_OK;
}

/* Choose the columns to store sparse: those with few nonzeros, if they are at least half of all columns, since small
 * subtrees are then not copied. With more nonzeros, small nodes are searched faster in dense columns, above all for
 * random thresholds, which sort nothing. */
static mn_status plan_sparse_columns(mn_context *ctx, const mn_data *data, bool values, mn_sparse_column **out)
{
  const size_t p = data->features, max_count = data->rows / (values ? 32 : 16);
  size_t *count, all = 0, columns = 0;
  if (!data->sparse) return MN_OK;
  mn_sparse_column *sparse = MN_NEW(ctx, mn_sparse_column, p, 1);
  MN_CHECK_ALLOC(sparse);
  MN_TRY(count_nonzeros(ctx, data->sparse, &count));
  for (size_t j = 0; j < p; j++) {
    if (count[j] > max_count) continue;
    sparse[j].size = count[j];
    all += count[j];
    columns++;
  }
  if (columns == 0 || 2 * columns < p) return MN_OK;
  uint32_t *row = MN_RAW(ctx, uint32_t, all + 1, 4);
  double *value = values ? MN_RAW(ctx, double, all + 1, 1) : NULL;
  if (!row || (values && !value)) return MN_NO_MEMORY;
  uint32_t *rank = row + all + 1, *named = rank + all + 1, *entry = named + all + 1;
  for (size_t j = 0, at = 0; j < p; j++) {
    if (count[j] > max_count) continue;
    sparse[j].row = row + at;
    sparse[j].rank = rank + at;
    sparse[j].sorted_row = named + at;
    sparse[j].sorted_entry = entry + at;
    if (values) sparse[j].value = value + at;
    at += sparse[j].size;
  }
  *out = sparse;
  return MN_OK;
}

/* Memory for the values of the dense columns. */
static mn_status alloc_values(mn_context *ctx, mn_tree_columns *out)
{
  size_t dense = 0;
  for (size_t j = 0; j < out->features; j++) dense += !mn_sparse_column_of(out, j);
  out->value = MN_NEW(ctx, double *, out->features, 1);
  double *block = MN_RAW(ctx, double, dense > 0 ? dense : 1, out->rows);
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
  const size_t max_rows = 1 << 28; /* a tree has up to two nodes for each row */
  struct work w = { .ctx = ctx, .data = data, .out = out };
  if (n > max_rows) return mn_fail(ctx, MN_BAD_DATA, "%s: X must have at most %zu rows, got %zu", who, max_rows, n);
  *out = (mn_tree_columns){ .rows = n, .features = p, .data = *data };
  if (wanted != MN_COLUMNS_SORTED) MN_TRY(plan_sparse_columns(ctx, data, wanted == MN_COLUMNS_VALUES, &out->sparse));
  if (data->cache && wanted == MN_COLUMNS_RANKS && !out->sparse)
    return data->unfiltered ? columns_of_subset(ctx, data, out) : columns_from_cache(ctx, data, out);
  char *block = MN_RAW(ctx, char, arrays_size(data, false, out->sparse), 1);
  MN_CHECK_ALLOC(block);
  memset(block, 0, header_size(p)); /* sparse columns have no arrays here */
  place_arrays(block, false, out);
  if (wanted == MN_COLUMNS_SORTED) MN_TRY(alloc_sorted(ctx, data, out));
  if (wanted == MN_COLUMNS_VALUES) MN_TRY(alloc_values(ctx, out));
  return make_columns(ctx, &w);
}

static bool has_missing_row(const mn_tree_columns *c, size_t j, const double *weights)
{
  if (!c->has_missing[j] || !weights) return c->has_missing[j];
  for (size_t i = 0; i < c->rows; i++)
    if (weights[i] > 0 && mn_packed_get(c->rank[j], i) == c->distinct[j]) return true;
  return false;
}

mn_status mn_features_with_missing(mn_context *ctx, const mn_tree_columns *c, const double *weights, mn_indexes *flags)
{
  for (size_t j = 0; j < c->features; j++) {
    if (!has_missing_row(c, j, weights)) continue;
    if (!flags->at) MN_TRY(mn_indexes_init(ctx, flags, c->features));
    flags->at[j] = 1;
  }
  return MN_OK;
}
