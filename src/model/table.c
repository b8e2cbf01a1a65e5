#include "table.h"
#include "../core/threads.h"
#include "../linalg/csr.h"
#include <string.h>

static mn_status new_csr(mn_context *ctx, size_t rows, size_t cols, size_t nonzeros, mn_csr **out)
{
  mn_csr *s = MN_RAW(ctx, mn_csr, 1, 1);
  MN_CHECK_ALLOC(s);
  *s = (mn_csr){ .rows = rows, .cols = cols };
  s->start = MN_NEW(ctx, size_t, rows + 1, 1);
  s->col = MN_RAW(ctx, int32_t, nonzeros, 1);
  s->at = MN_RAW(ctx, double, nonzeros, 1);
  if (!s->start || !s->col || !s->at) return MN_NO_MEMORY;
  *out = s;
  return MN_OK;
}

static mn_status sparse_rows(mn_context *ctx, const mn_csr *from, const size_t *row, size_t n, const mn_csr **out)
{
  size_t nonzeros = 0;
  mn_csr *to;
  for (size_t i = 0; i < n; i++) nonzeros += from->start[row[i] + 1] - from->start[row[i]];
  MN_TRY(new_csr(ctx, n, from->cols, nonzeros, &to));
  for (size_t i = 0; i < n; i++) {
    const size_t first = from->start[row[i]], size = from->start[row[i] + 1] - first;
    memcpy(to->col + to->start[i], from->col + first, size * sizeof *to->col);
    memcpy(to->at + to->start[i], from->at + first, size * sizeof *to->at);
    to->start[i + 1] = to->start[i] + size;
  }
  *out = to;
  return MN_OK;
}

mn_status mn_table_append(mn_context *ctx, const mn_table *x, const size_t *row, size_t n, const mn_matrix *more,
                          mn_table *out)
{
  const mn_csr *given;
  mn_csr *all;
  MN_TRY(sparse_rows(ctx, x->sparse, row, n, &given));
  size_t at = given->start[n];
  MN_TRY(new_csr(ctx, n + more->rows, x->cols, at + mn_count_nonzeros(more), &all));
  memcpy(all->start, given->start, (n + 1) * sizeof *all->start);
  memcpy(all->col, given->col, at * sizeof *all->col);
  memcpy(all->at, given->at, at * sizeof *all->at);
  for (size_t i = 0; i < more->rows; i++) {
    for (size_t j = 0; j < x->cols; j++) {
      const double value = mn_row(more, i)[j];
      if (value == 0) continue;
      all->col[at] = (int32_t)j;
      all->at[at++] = value;
    }
    all->start[n + i + 1] = at;
  }
  *out = *x;
  out->rows = all->rows;
  out->sparse = all;
  return MN_OK;
}

size_t mn_table_find_column(const mn_table *x, const char *name)
{
  size_t j = 0;
  while (j < x->cols && strcmp(x->names[j], name) != 0) j++;
  return j;
}

mn_status mn_table_rows(mn_context *ctx, const mn_table *x, const size_t *row, size_t n, mn_table *out)
{
  *out = *x;
  out->rows = n;
  if (x->sparse) return sparse_rows(ctx, x->sparse, row, n, &out->sparse);
  out->dense = (mn_matrix){ .at = MN_RAW(ctx, double, n, x->cols), .rows = n, .cols = x->cols };
  MN_CHECK_ALLOC(out->dense.at);
  mn_gather_rows(&x->dense, row, n, &out->dense);
  return MN_OK;
}

mn_status mn_data_rows(mn_context *ctx, const mn_data *data, const size_t *row, size_t n, mn_data *out)
{
  const mn_table all = { .dense = data->x, .sparse = data->sparse, .rows = data->rows, .cols = data->features };
  mn_table selected;
  *out = *data;
  out->rows = n;
  out->original = NULL;
  MN_TRY(mn_table_rows(ctx, &all, row, n, &selected));
  out->x = selected.dense;
  out->sparse = selected.sparse;
  if (data->y.at) {
    out->y = (mn_matrix){ .at = MN_RAW(ctx, double, n, data->y.cols), .rows = n, .cols = data->y.cols };
    MN_CHECK_ALLOC(out->y.at);
    mn_gather_rows(&data->y, row, n, &out->y);
  }
  if (data->folds) {
    double *folds = MN_RAW(ctx, double, n, 1);
    MN_CHECK_ALLOC(folds);
    for (size_t i = 0; i < n; i++) folds[i] = data->folds[row[i]];
    out->folds = folds;
  }
  if (data->init_score.at) {
    out->init_score.at = MN_RAW(ctx, double, n, data->init_score.cols);
    MN_CHECK_ALLOC(out->init_score.at);
    out->init_score.rows = n;
    mn_gather_rows(&data->init_score, row, n, &out->init_score);
  }
  double *weight = data->weights ? MN_RAW(ctx, double, n, 1) : NULL;
  int32_t *code = data->code ? MN_RAW(ctx, int32_t, n, 1) : NULL;
  if ((data->weights && !weight) || (data->code && !code)) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) {
    if (weight) weight[i] = data->weights[row[i]];
    if (code) code[i] = data->code[row[i]];
  }
  out->weights = weight;
  out->code = code;
  return MN_OK;
}

static mn_status sparse_columns(mn_context *ctx, const mn_csr *from, const int32_t *col, size_t n, const mn_csr **out)
{
  int32_t *place = MN_RAW(ctx, int32_t, from->cols, 1);
  MN_CHECK_ALLOC(place);
  for (size_t j = 0; j < from->cols; j++) place[j] = -1;
  for (size_t j = 0; j < n; j++) place[col[j]] = (int32_t)j;
  mn_csr *to;
  MN_TRY(new_csr(ctx, from->rows, n, from->start[from->rows], &to));
  for (size_t i = 0; i < from->rows; i++) {
    size_t next = to->start[i];
    for (size_t e = from->start[i]; e < from->start[i + 1]; e++) {
      if (place[from->col[e]] < 0) continue;
      to->col[next] = place[from->col[e]];
      to->at[next++] = from->at[e];
    }
    mn_csr_sort_row(to->col + to->start[i], to->at + to->start[i], next - to->start[i]);
    to->start[i + 1] = next;
  }
  *out = to;
  return MN_OK;
}

mn_status mn_table_columns(mn_context *ctx, const mn_table *x, const int32_t *col, size_t n, mn_table *out)
{
  const char **names = x->names ? MN_RAW(ctx, const char *, n, 1) : NULL;
  const mn_levels **levels = x->levels ? MN_RAW(ctx, const mn_levels *, n, 1) : NULL;
  if ((x->names && !names) || (x->levels && !levels)) return MN_NO_MEMORY;
  bool factors = false;
  for (size_t j = 0; j < n; j++) {
    if (names) names[j] = x->names[col[j]];
    if (levels) levels[j] = x->levels[col[j]];
    factors = factors || (levels && levels[j]);
  }
  *out = (mn_table){ .rows = x->rows, .cols = n, .names = names, .levels = factors ? levels : NULL };
  if (x->sparse) return sparse_columns(ctx, x->sparse, col, n, &out->sparse);
  out->dense = (mn_matrix){ .at = MN_RAW(ctx, double, x->rows, n), .rows = x->rows, .cols = n };
  MN_CHECK_ALLOC(out->dense.at);
  for (size_t i = 0; i < x->rows; i++)
    for (size_t j = 0; j < n; j++) out->dense.at[i * n + j] = x->dense.at[i * x->cols + (size_t)col[j]];
  return MN_OK;
}

static size_t stored(const mn_table *x)
{
  return x->sparse ? x->sparse->start[x->rows] : x->rows * x->cols;
}

static size_t count_stored(const mn_table *part, size_t parts)
{
  size_t values = 0;
  for (size_t p = 0; p < parts; p++) values += stored(&part[p]);
  return values;
}

static size_t count_columns(const mn_table *part, size_t parts)
{
  size_t cols = 0;
  for (size_t p = 0; p < parts; p++) cols += part[p].cols;
  return cols;
}

double mn_table_density(const mn_table *part, size_t parts, size_t rows)
{
  const size_t cols = count_columns(part, parts);
  return rows * cols > 0 ? (double)count_stored(part, parts) / (double)(rows * cols) : 1;
}

/* --- tables side by side, sparse --- */

enum { JOIN_ROWS = 4096 }; /* in a block */

struct join {
  const mn_table *part;
  size_t parts;
  mn_csr *to; /* start[i + 1]: out of count_block the values of row i, into fill_block the end of row i */
  mn_blocks blocks;
};

static bool is_stored(double value)
{
  return !(value >= 0 && value <= 0); /* NaN is */
}

static size_t row_values(const mn_table *x, size_t i)
{
  size_t values = 0;
  if (x->sparse) return x->sparse->start[i + 1] - x->sparse->start[i];
  for (size_t j = 0; j < x->cols; j++) values += is_stored(x->dense.at[i * x->cols + j]);
  return values;
}

static void count_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct join *w = work;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    size_t values = 0;
    for (size_t p = 0; p < w->parts; p++) values += row_values(&w->part[p], i);
    w->to->start[i + 1] = values;
  }
}

/* Write row i of part x from `next` on, its columns shifted by `first`; returns the end. */
static size_t add_row(const mn_table *x, size_t i, size_t first, mn_csr *to, size_t next)
{
  if (x->sparse) {
    for (size_t e = x->sparse->start[i]; e < x->sparse->start[i + 1]; e++) {
      to->col[next] = (int32_t)(first + (size_t)x->sparse->col[e]);
      to->at[next++] = x->sparse->at[e];
    }
    return next;
  }
  for (size_t j = 0; j < x->cols; j++) {
    const double value = x->dense.at[i * x->cols + j];
    if (!is_stored(value)) continue;
    to->col[next] = (int32_t)(first + j);
    to->at[next++] = value;
  }
  return next;
}

static void fill_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct join *w = work;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    size_t next = w->to->start[i], first = 0;
    for (size_t p = 0; p < w->parts; p++) {
      next = add_row(&w->part[p], i, first, w->to, next);
      first += w->part[p].cols;
    }
  }
}

/* The rows of `to`, which has room for all values of the parts. */
static mn_status fill_join(mn_context *ctx, const mn_table *part, size_t parts, mn_csr *to)
{
  struct join w = { .part = part, .parts = parts, .to = to, .blocks = mn_make_blocks(to->rows, JOIN_ROWS, SIZE_MAX) };
  MN_TRY(mn_parallel(ctx, w.blocks.count, count_block, &w));
  for (size_t i = 0; i < to->rows; i++) to->start[i + 1] += to->start[i];
  return mn_parallel(ctx, w.blocks.count, fill_block, &w);
}

static mn_status join_sparse(mn_context *ctx, const mn_table *part, size_t parts, mn_table *out)
{
  mn_csr *to;
  MN_TRY(new_csr(ctx, out->rows, out->cols, count_stored(part, parts), &to));
  out->sparse = to;
  return fill_join(ctx, part, parts, to);
}

mn_status mn_table_join_sparse(mn_context *ctx, const mn_table *part, size_t parts, size_t rows, mn_csr *out)
{
  MN_TRY(mn_csr_init(ctx, out, rows, count_columns(part, parts), count_stored(part, parts)));
  const mn_status status = fill_join(ctx, part, parts, out);
  if (status != MN_OK) mn_csr_free(mn_context_memory(ctx), out);
  return status;
}

/* Copy part x to the columns from `first` on of a zeroed matrix. */
static void place_dense(const mn_table *x, size_t first, mn_matrix *to)
{
  for (size_t i = 0; i < to->rows; i++) {
    double *row = mn_row(to, i) + first;
    if (x->sparse)
      for (size_t e = x->sparse->start[i]; e < x->sparse->start[i + 1]; e++)
        row[(size_t)x->sparse->col[e]] = x->sparse->at[e];
    else if (x->cols > 0)
      memcpy(row, mn_row(&x->dense, i), x->cols * sizeof *row);
  }
}

static mn_status join_dense(mn_context *ctx, const mn_table *part, size_t parts, mn_table *out)
{
  out->dense = (mn_matrix){ .at = MN_NEW(ctx, double, out->rows, out->cols), .rows = out->rows, .cols = out->cols };
  const mn_levels **levels = MN_NEW(ctx, const mn_levels *, out->cols, 1);
  if (!out->dense.at || !levels) return MN_NO_MEMORY;
  size_t first = 0;
  for (size_t p = 0; p < parts; p++) {
    place_dense(&part[p], first, &out->dense);
    for (size_t j = 0; part[p].levels && j < part[p].cols; j++) {
      levels[first + j] = part[p].levels[j];
      if (levels[first + j]) out->levels = levels;
    }
    first += part[p].cols;
  }
  return MN_OK;
}

/* The only part with columns; NULL if there are several. */
static const mn_table *only_part(const mn_table *part, size_t parts)
{
  const mn_table *only = NULL;
  for (size_t p = 0; p < parts; p++) {
    if (part[p].cols == 0) continue;
    if (only) return NULL;
    only = &part[p];
  }
  return only;
}

mn_status mn_table_hconcat(mn_context *ctx, const mn_table *part, size_t parts, size_t rows, bool sparse,
                           const char *const *names, mn_table *out)
{
  const mn_table *only = only_part(part, parts);
  if (only && !only->sparse && !sparse && only->dense.rows == rows) { /* no copy */
    *out = *only;
    out->names = names;
    return MN_OK;
  }
  *out = (mn_table){ .rows = rows, .cols = count_columns(part, parts), .names = names };
  return sparse ? join_sparse(ctx, part, parts, out) : join_dense(ctx, part, parts, out);
}
