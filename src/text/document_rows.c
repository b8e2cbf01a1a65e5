#include "document_rows.h"
#include "../core/worker_pool.h"

enum { MAX_BLOCKS = 1 << 10 };

static mn_status grow(mn_context *ctx, mn_row_part *part)
{
  const size_t capacity = part->capacity ? 2 * part->capacity : 1024;
  int32_t *column = mn_resize_array(ctx, part->column, sizeof *column, capacity);
  MN_CHECK_ALLOC(column);
  part->column = column;
  double *value = mn_resize_array(ctx, part->value, sizeof *value, capacity);
  MN_CHECK_ALLOC(value);
  part->value = value;
  part->capacity = capacity;
  return MN_OK;
}

mn_status mn_add_entry(mn_context *ctx, mn_row_part *part, int32_t column, double value)
{
  if (part->size == part->capacity) MN_TRY(grow(ctx, part));
  part->column[part->size] = column;
  part->value[part->size++] = value;
  return MN_OK;
}

/* --- reading --- */

struct reading {
  const mn_data *data;
  mn_document_reader read;
  const void *reader;
  mn_document_rows *out;
};

static mn_status read_block(mn_context *ctx, void *work, size_t item, size_t worker)
{
  enum { POLL_EVERY = 64 };
  static const mn_label none = { .kind = MN_LABEL_TEXT, .as.text = { .bytes = "" } };
  const struct reading *w = work;
  mn_document_rows *rows = w->out;
  mn_row_part *part = &rows->part[worker];
  rows->part_of[item] = worker;
  for (size_t i = mn_block_begin(&rows->blocks, item); i < mn_block_end(&rows->blocks, item); i++) {
    const mn_label text = w->data->levels ? mn_levels_at(w->data->levels[0], (size_t)w->data->x.at[i]) : none;
    if (i % POLL_EVERY == 0) MN_TRY(mn_poll(ctx));
    rows->begin[i] = part->size;
    MN_TRY(w->read(ctx, w->reader, i, text.as.text.bytes, text.as.text.size, part));
    rows->end[i] = part->size;
  }
  return MN_OK;
}

mn_status mn_read_documents(mn_context *ctx, const mn_data *data, mn_document_reader read, const void *reader,
                            mn_document_rows *out)
{
  *out = (mn_document_rows){ .rows = data->rows, .blocks = mn_make_blocks(data->rows, 1, MAX_BLOCKS) };
  const size_t parts = mn_pool_size(ctx, out->blocks.count);
  mn_row_part *part = MN_NEW(ctx, mn_row_part, parts, 1);
  out->part_of = MN_RAW(ctx, size_t, out->blocks.count, 1);
  out->begin = MN_RAW(ctx, size_t, data->rows, 1);
  out->end = MN_RAW(ctx, size_t, data->rows, 1);
  if (!part || !out->part_of || !out->begin || !out->end) return MN_NO_MEMORY;
  out->part = part;
  out->parts = parts;
  struct reading w = { .data = data, .read = read, .reader = reader, .out = out };
  return mn_pool_run(ctx, out->blocks.count, read_block, &w);
}

void mn_document_rows_free(mn_memory *memory, mn_document_rows *rows)
{
  for (size_t p = 0; p < rows->parts; p++) {
    mn_free(memory, rows->part[p].column);
    mn_free(memory, rows->part[p].value);
    mn_term_index_free(memory, &rows->part[p].table);
  }
  rows->parts = 0;
}

/* --- rows sorted by column --- */

/* Shell sort (Ciura's gaps): in place, for rows of any length. */
static void shell_sort(size_t n, int32_t *column, double *value)
{
  static const size_t gaps[] = { 1750701, 776591, 344289, 152801, 67759, 30029, 13313, 5901, 2615,
                                 1158,    510,    230,    102,    57,    23,    10,    4,    1 };
  for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++) {
    const size_t gap = gaps[g];
    for (size_t i = gap; i < n; i++) {
      const int32_t c = column[i];
      const double v = value[i];
      size_t k = i;
      for (; k >= gap && column[k - gap] > c; k -= gap) {
        column[k] = column[k - gap];
        value[k] = value[k - gap];
      }
      column[k] = c;
      value[k] = v;
    }
  }
}

enum { BUCKETS = 64, SHORT_ROW = 256 };

/* Sort a row of at most SHORT_ROW entries, with columns below `cols`: by 64 ranges of columns first, which leaves
 * little for the insertion sort. */
static void bucket_sort(size_t n, size_t cols, int32_t *column, double *value)
{
  uint16_t end[BUCKETS + 1] = { 0 };
  uint8_t bucket[SHORT_ROW];
  int32_t c[SHORT_ROW];
  double v[SHORT_ROW];
  const uint64_t scale = ((uint64_t)BUCKETS << 32) / cols;
  for (size_t k = 0; k < n; k++) {
    bucket[k] = (uint8_t)((uint64_t)column[k] * scale >> 32);
    end[bucket[k] + 1]++;
  }
  for (size_t b = 0; b < BUCKETS; b++) end[b + 1] = (uint16_t)(end[b + 1] + end[b]);
  for (size_t k = 0; k < n; k++) {
    const size_t to = end[bucket[k]]++;
    c[to] = column[k];
    v[to] = value[k];
  }
  for (size_t i = 0; i < n; i++) {
    size_t k = i;
    for (; k > 0 && column[k - 1] > c[i]; k--) {
      column[k] = column[k - 1];
      value[k] = value[k - 1];
    }
    column[k] = c[i];
    value[k] = v[i];
  }
}

static void sort_entries(size_t n, size_t cols, int32_t *column, double *value)
{
  if (n <= SHORT_ROW)
    bucket_sort(n, cols, column, value);
  else
    shell_sort(n, column, value);
}

/* Add the values of equal columns, which are adjacent; returns how many columns remain. */
static size_t merge_entries(size_t n, int32_t *column, double *value)
{
  size_t kept = 0;
  for (size_t k = 0; k < n; k++) {
    if (kept > 0 && column[kept - 1] == column[k]) {
      value[kept - 1] += value[k];
      continue;
    }
    column[kept] = column[k];
    value[kept++] = value[k];
  }
  return kept;
}

/* Replace the columns, and drop entries without one; returns how many remain. */
static size_t map_entries(const int32_t *map, size_t n, int32_t *column, double *value)
{
  size_t kept = 0;
  for (size_t k = 0; k < n; k++) {
    const int32_t c = map[column[k]];
    column[kept] = c;
    value[kept] = value[k];
    kept += c >= 0;
  }
  return kept;
}

struct sorting {
  mn_document_rows *rows;
  const int32_t *const *column;
  size_t cols;
  mn_csr *out;
};

static void sort_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct sorting *w = work;
  const size_t p = w->rows->part_of[block];
  mn_row_part *part = &w->rows->part[p];
  for (size_t i = mn_block_begin(&w->rows->blocks, block); i < mn_block_end(&w->rows->blocks, block); i++) {
    const size_t begin = w->rows->begin[i];
    int32_t *column = part->column + begin;
    double *value = part->value + begin;
    size_t n = w->rows->end[i] - begin;
    if (n == 0) continue;
    if (w->column) n = map_entries(w->column[p], n, column, value);
    sort_entries(n, w->cols, column, value);
    w->rows->end[i] = begin + merge_entries(n, column, value);
  }
}

static void copy_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct sorting *w = work;
  const mn_row_part *part = &w->rows->part[w->rows->part_of[block]];
  for (size_t i = mn_block_begin(&w->rows->blocks, block); i < mn_block_end(&w->rows->blocks, block); i++) {
    const size_t begin = w->rows->begin[i], n = w->rows->end[i] - begin, to = w->out->start[i];
    if (n == 0) continue;
    memcpy(w->out->col + to, part->column + begin, n * sizeof *part->column);
    memcpy(w->out->at + to, part->value + begin, n * sizeof *part->value);
  }
}

mn_status mn_rows_to_csr(mn_context *ctx, mn_document_rows *rows, const int32_t *const *column, size_t cols,
                         mn_csr *out)
{
  struct sorting w = { .rows = rows, .column = column, .cols = cols, .out = out };
  size_t entries = 0;
  MN_TRY(mn_parallel(ctx, rows->blocks.count, sort_block, &w));
  for (size_t i = 0; i < rows->rows; i++) entries += rows->end[i] - rows->begin[i];
  MN_TRY(mn_csr_init(ctx, out, rows->rows, cols, entries));
  for (size_t i = 0; i < rows->rows; i++) out->start[i + 1] = out->start[i] + rows->end[i] - rows->begin[i];
  return mn_parallel(ctx, rows->blocks.count, copy_block, &w);
}
