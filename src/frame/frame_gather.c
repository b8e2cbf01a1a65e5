#include "frame.h"
#include "../core/threads.h"
#include <math.h>

/* All columns have the same blocks, so block b holds rows of column b / (blocks of a column). */
struct work {
  const mn_column_copy *column;
  const int32_t *row;
  mn_blocks blocks;
};

static void gather_numbers(const mn_column_copy *t, const int32_t *row, size_t begin, size_t end)
{
  const double *from = t->from.number;
  const size_t step = t->from.step;
  for (size_t i = begin; i < end; i++) t->number[i] = row[i] == MN_NO_ROW ? (double)NAN : from[(size_t)row[i] * step];
}

static void gather_codes(const mn_column_copy *t, const int32_t *row, size_t begin, size_t end)
{
  for (size_t i = begin; i < end; i++) t->code[i] = row[i] == MN_NO_ROW ? -1 : t->from.code[row[i]];
}

static void gather_block(void *work, size_t block, size_t worker)
{
  const struct work *w = work;
  const mn_column_copy *t = &w->column[block / w->blocks.count];
  const size_t part = block % w->blocks.count;
  const size_t begin = mn_block_begin(&w->blocks, part), end = mn_block_end(&w->blocks, part);
  (void)worker;
  if (t->from.number)
    gather_numbers(t, w->row, begin, end);
  else
    gather_codes(t, w->row, begin, end);
}

mn_status mn_frame_gather_rows(mn_context *ctx, size_t columns, const mn_column_copy *column, const int32_t *row,
                               size_t n)
{
  enum { ROWS = 1 << 16, MAX_BLOCKS = 1 << 12, SERIAL_MAX = 1 << 15 };
  struct work w = { .column = column, .row = row, .blocks = mn_make_blocks(n, ROWS, MAX_BLOCKS) };
  const size_t blocks = columns * w.blocks.count;
  if (blocks > 0 && n > SERIAL_MAX / columns) return mn_parallel(ctx, blocks, gather_block, &w);
  for (size_t block = 0; block < blocks; block++) gather_block(&w, block, 0); /* too little for threads */
  return MN_OK;
}

static bool same_numbers(const mn_view *a, const mn_view *b, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    const double x = a->number[i * a->step], y = b->number[i * b->step];
    if (x != y && !(isnan(x) && isnan(y))) return false;
  }
  return true;
}

static bool same_label(const mn_view *a, const mn_view *b, size_t i)
{
  if (a->code[i] < 0 || b->code[i] < 0) return a->code[i] < 0 && b->code[i] < 0;
  if (a->levels == b->levels) return a->code[i] == b->code[i];
  return mn_label_compare(mn_levels_at(a->levels, (size_t)a->code[i]), mn_levels_at(b->levels, (size_t)b->code[i])) ==
         0;
}

static void copy_to_rows(const mn_view *v, size_t begin, size_t end, size_t columns, double *out)
{
  if (v->number)
    for (size_t i = begin; i < end; i++) out[i * columns] = v->number[i * v->step];
  else
    for (size_t i = begin; i < end; i++) out[i * columns] = v->code[i] < 0 ? (double)NAN : v->code[i];
}

/* Rows of a block that stays in cache. */
static size_t block_rows(size_t columns)
{
  enum { BLOCK_VALUES = 1 << 14 };
  return columns < BLOCK_VALUES ? BLOCK_VALUES / (columns + 1) + 1 : 1;
}

void mn_frame_to_rows(size_t rows, size_t columns, const mn_view *column, double *out)
{
  const size_t block = block_rows(columns);
  for (size_t begin = 0; begin < rows; begin += block) {
    const size_t end = rows - begin < block ? rows : begin + block;
    for (size_t j = 0; j < columns; j++) copy_to_rows(&column[j], begin, end, columns, out + j);
  }
}

mn_status mn_frame_from_rows(mn_context *ctx, size_t rows, size_t columns, const double *x, double *const *column)
{
  const size_t block = block_rows(columns);
  for (size_t begin = 0; begin < rows; begin += block) {
    const size_t end = rows - begin < block ? rows : begin + block;
    MN_TRY(mn_poll(ctx));
    for (size_t j = 0; j < columns; j++)
      for (size_t i = begin; column[j] && i < end; i++) column[j][i] = x[i * columns + j];
  }
  return MN_OK;
}

bool mn_frame_equal(const mn_view *a, const mn_view *b, size_t n)
{
  if (!a->number != !b->number) return false;
  if (a->number) return same_numbers(a, b, n);
  for (size_t i = 0; i < n; i++)
    if (!same_label(a, b, i)) return false;
  return true;
}
