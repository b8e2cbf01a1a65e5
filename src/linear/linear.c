#include "linear.h"
#include "../core/finite.h"
#include "../core/threads.h"
#include "../linalg/ordered.h"
#include "../linalg/product.h"
#include "linear_kernel.h"
#include <string.h>

enum {
  BLOCK_VALUES = 1 << 15,
  MAX_BLOCKS = 256,
  MIN_GEMM_OUTPUTS = 4, /* below, dot products are faster than a matrix product */
  MAX_DOT_ROWS = 8      /* up to this many rows are always predicted by dot products */
};

mn_status mn_linear_init(mn_context *ctx, mn_linear *m, size_t outputs, size_t features)
{
  MN_TRY(mn_matrix_init(ctx, &m->coef, outputs, features));
  return mn_vector_init(ctx, &m->intercept, outputs);
}

mn_rows mn_linear_problem(const mn_data *data, const double *mean)
{
  return (mn_rows){ .n = data->rows,
                    .p = data->features,
                    .m = data->y.cols,
                    .x = data->x.at,
                    .y = data->y.at,
                    .weights = data->weights,
                    .x_center = mean,
                    .y_center = mean ? mean + data->features : NULL };
}

/* Add to the means of `cols` columns the mean deviation from them: removes the rounding errors of running updates. */
static mn_status correct_means(mn_context *ctx, const mn_data *data, double total, const double *x, size_t stride,
                               size_t cols, double *mean)
{
  enum { COLUMNS = 32 };
  const mn_cancel_token token = { .ctx = ctx };
  double rest[COLUMNS];
  for (size_t from = 0; from < cols; from += COLUMNS) {
    const size_t width = cols - from < COLUMNS ? cols - from : COLUMNS;
    mn_chunk c = { 0 };
    memset(rest, 0, sizeof rest);
    while (mn_next_chunk(&token, data->rows, &c))
      for (size_t i = c.begin; i < c.end; i++) {
        const double share = mn_weight(data, i) / total, *row = x + i * stride + from;
        if (share == 0) continue; /* held out in a fold */
        for (size_t j = 0; j < width; j++) rest[j] += share * (row[j] - mean[from + j]);
      }
    for (size_t j = 0; j < width; j++) mean[from + j] += rest[j];
  }
  return mn_poll(ctx);
}

mn_status mn_linear_means(mn_context *ctx, const mn_data *data, double *mean, double *total)
{
  const size_t p = data->features, q = data->y.cols, chunk = BLOCK_VALUES / (p > 0 ? p : 1) + 1;
  double sum = 0;
  for (size_t i = 0; i < data->rows; i++) {
    const double w = mn_weight(data, i);
    if (i % chunk == 0) MN_TRY(mn_poll(ctx));
    if (w == 0) continue; /* held out in a fold */
    sum += w;
    for (size_t j = 0; j < p; j++) mean[j] += w / sum * (data->x.at[i * p + j] - mean[j]);
    for (size_t t = 0; t < q; t++) mean[p + t] += w / sum * (data->y.at[i * q + t] - mean[p + t]);
  }
  if (total) *total = sum;
  if (!(sum > 0)) return MN_OK;
  MN_TRY(correct_means(ctx, data, sum, data->x.at, p, p, mean));
  return correct_means(ctx, data, sum, data->y.at, q, q, mean + p);
}

/* Blocks of about BLOCK_VALUES values. */
static mn_blocks row_blocks(size_t rows, size_t cols)
{
  return mn_make_blocks(rows, BLOCK_VALUES / (cols > 0 ? cols : 1) + 1, SIZE_MAX);
}

struct predict_work {
  const mn_linear *m;
  const mn_data *data;
  const mn_matrix *out;
  mn_blocks blocks;
};

static void predict_dense(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct predict_work *w = work;
  const size_t p = w->data->features, begin = mn_block_begin(&w->blocks, block), end = mn_block_end(&w->blocks, block);
  for (size_t t = 0; t < w->out->cols; t++)
    mn_ordered_dots(end - begin, p, w->data->x.at + begin * p, w->m->coef.at + t * p, w->m->intercept.at[t],
                    w->out->at + begin * w->out->cols + t, w->out->cols);
}

static void predict_sparse(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct predict_work *w = work;
  const mn_csr *s = w->data->sparse;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++)
    for (size_t t = 0; t < w->out->cols; t++) {
      const double *b = w->m->coef.at + t * s->cols;
      double sum = w->m->intercept.at[t];
      for (size_t e = s->start[i]; e < s->start[i + 1]; e++) sum += s->at[e] * b[s->col[e]];
      w->out->at[i * w->out->cols + t] = sum;
    }
}

mn_status mn_linear_predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_linear *m = self;
  const size_t n = data->rows, p = data->features, t = out->cols;
  struct predict_work w = { .m = m, .data = data, .out = out, .blocks = row_blocks(n, p) };
  if (data->sparse) return mn_parallel(ctx, w.blocks.count, predict_sparse, &w);
  if (t < MIN_GEMM_OUTPUTS || n <= MAX_DOT_ROWS || n * p < BLOCK_VALUES)
    return mn_parallel(ctx, w.blocks.count, predict_dense, &w);
  for (size_t i = 0; i < n; i++) memcpy(mn_row(out, i), m->intercept.at, t * sizeof *out->at);
  return mn_gemm(ctx, false, true, n, t, p, 1, data->x.at, p, m->coef.at, p, 1, out->at, t);
}

void mn_linear_program(const mn_linear *m, mn_program *program)
{
  mn_program_reals(program, "coef", m->coef.rows * m->coef.cols, m->coef.at);
  mn_program_reals(program, "intercept", m->intercept.size, m->intercept.at);
}

mn_status mn_linear_export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)ctx;
  (void)action;
  mn_linear_program(self, program);
  mn_program_code(program, "for t < outputs { out[t] = intercept[t] + dot(features, x, 0, coef, t * features) }");
  return MN_OK;
}

struct gradient_work {
  const mn_data *data;
  size_t target;
  const double *mean, *b;
  double *residual, *rss, *gradient; /* of each block; gradient: blocks x p */
  mn_blocks blocks;
};

static void gradient_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct gradient_work *w = work;
  const mn_data *d = w->data;
  const size_t p = d->features, begin = mn_block_begin(&w->blocks, block), end = mn_block_end(&w->blocks, block);
  w->rss[block] =
      mn_linear_residuals(end - begin, p, d->x.at + begin * p, d->y.at + begin * d->y.cols + w->target, d->y.cols,
                          d->weights ? d->weights + begin : NULL, w->mean, w->mean[p + w->target], w->b,
                          w->residual ? w->residual + begin : NULL, w->gradient ? w->gradient + block * p : NULL);
}

mn_status mn_linear_gradient(mn_context *ctx, const mn_data *data, size_t target, const double *mean, const double *b,
                             double *residual, double *gradient, double *rss)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t p = data->features;
  struct gradient_work w = { .data = data, .target = target, .mean = mean, .b = b, .residual = residual };
  w.blocks = mn_make_blocks(data->rows, BLOCK_VALUES / (p > 0 ? p : 1) + 1, MAX_BLOCKS);
  w.rss = MN_NEW(ctx, double, w.blocks.count, 1);
  w.gradient = gradient ? MN_NEW(ctx, double, w.blocks.count, p) : NULL;
  if (!w.rss || (gradient && !w.gradient)) return MN_NO_MEMORY;
  MN_TRY(mn_parallel(ctx, w.blocks.count, gradient_block, &w));
  mn_sum_blocks(w.blocks.count, 1, w.rss, rss);
  if (gradient) mn_sum_blocks(w.blocks.count, p, w.gradient, gradient);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
