#include "column_values.h"
#include "../core/finite_kernel.h"
#include <math.h>
#include <string.h>

/* Columns gathered at a time: the eight values of a cache line. */
enum { STRIP = 8, GATHER_ROWS = 8192, TILE_ROWS = 512 };

struct strip {
  const mn_data *data;
  size_t first, cols;
  struct mn_column_values column[STRIP];
  mn_column_task task;
  void *work;
  mn_blocks blocks;
};

/* Gather all values of the columns of a strip, including missing ones, so that blocks of rows have fixed positions. */
static void gather_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  struct strip *s = work;
  const mn_matrix *x = &s->data->x;
  const size_t last = mn_block_end(&s->blocks, block);
  for (size_t begin = mn_block_begin(&s->blocks, block); begin < last; begin += TILE_ROWS) {
    const size_t end = last - begin < TILE_ROWS ? last : begin + TILE_ROWS; /* cache lines are reused for all columns */
    for (size_t c = 0; c < s->cols; c++) {
      const double *from = x->at + s->first + c;
      for (size_t i = begin; i < end; i++) s->column[c].at[i] = from[i * x->cols];
      if (s->column[c].weight)
        memcpy(s->column[c].weight + begin, s->data->weights + begin, (end - begin) * sizeof(double));
    }
  }
}

static bool is_missing(double x, bool factor)
{
  return isnan(x) || (factor && x < 0);
}

/* Remove missing values. */
static void remove_missing(struct mn_column_values *c, size_t rows, bool factor)
{
  size_t n = 0;
  c->missing = 0;
  c->size = rows;
  if (!factor && mn_all_finite(rows, c->at)) return;
  for (size_t i = 0; i < rows; i++) {
    const double x = c->at[i];
    const bool missing = is_missing(x, factor);
    if (c->weight && missing) c->missing += c->weight[i];
    if (c->weight) c->weight[n] = c->weight[i];
    c->at[n] = x;
    n += !missing;
  }
  if (!c->weight) c->missing = (double)(rows - n);
  c->size = n;
}

static void process_column(void *work, size_t block, size_t worker)
{
  struct strip *s = work;
  const size_t j = s->first + block;
  s->column[block].token.worker = worker;
  remove_missing(&s->column[block], s->data->rows, s->data->levels && s->data->levels[j]);
  s->task(s->work, j, &s->column[block]);
}

mn_status mn_for_each_column(mn_context *ctx, const mn_data *data, mn_column_task task, mn_column_finish finish,
                             void *work)
{
  struct strip s = { .data = data, .task = task, .work = work };
  const size_t strip = data->features < STRIP ? data->features : STRIP;
  double *at[STRIP] = { NULL }, *weight[STRIP] = { NULL };
  for (size_t c = 0; c < strip; c++) {
    at[c] = MN_RAW(ctx, double, data->rows, 1);
    weight[c] = data->weights ? MN_RAW(ctx, double, data->rows, 1) : NULL;
    if (!at[c] || (data->weights && !weight[c])) return MN_NO_MEMORY;
  }
  s.blocks = mn_make_blocks(data->rows, GATHER_ROWS, SIZE_MAX);
  for (s.first = 0; s.first < data->features; s.first += s.cols) {
    s.cols = data->features - s.first < STRIP ? data->features - s.first : STRIP;
    for (size_t c = 0; c < s.cols; c++)
      s.column[c] = (struct mn_column_values){ .at = at[c], .weight = weight[c], .token = { .ctx = ctx } };
    MN_TRY(mn_parallel(ctx, s.blocks.count, gather_block, &s));
    MN_TRY(mn_parallel(ctx, s.cols, process_column, &s));
    for (size_t c = 0; finish && c < s.cols; c++) {
      MN_TRY(mn_poll(ctx));
      MN_TRY(finish(ctx, work, s.first + c, &s.column[c]));
    }
  }
  return MN_OK;
}

mn_status mn_frequency_weights(mn_context *ctx, const mn_data *given, mn_data *data)
{
  *data = *given;
  if (!given->weights) return MN_OK;
  double mean = 0;
  for (size_t i = 0; i < given->rows; i++) mean += given->weights[i] / (double)given->rows;
  if (!(mean < 1)) return MN_OK;
  double *weight = MN_RAW(ctx, double, given->rows, 1);
  MN_CHECK_ALLOC(weight);
  for (size_t i = 0; i < given->rows; i++) weight[i] = given->weights[i] / mean;
  data->weights = weight;
  return MN_OK;
}
