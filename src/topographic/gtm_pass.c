#include "gtm.h"
#include "../linalg/product.h"
#include "gtm_kernel.h"
#include "../stats/special.h"
#include <string.h>

enum { BLOCK_ROWS = 256, MAX_BLOCKS = 16, CHUNK_ROWS = 64 };

/* Buffers of one worker. */
struct buffers {
  double *x;       /* chunk x p: rows minus origin, 0 where missing         */
  double *present; /* chunk x p: weight where a value is present, else 0    */
  double *score;   /* chunk x stride                                        */
  void *product;
};

struct work {
  const mn_gtm_pass *pass;
  mn_blocks blocks;
  size_t stride;          /* k, rounded up to full lanes                    */
  const double *half;     /* stride: -|y_k|^2 / 2v; -1e300 at the end       */
  const double *squares;  /* k x p: -y_kj^2 / 2v, if values are missing     */
  struct buffers *buffer; /* workers                                        */
  double *part;           /* blocks x sums                                  */
};

size_t mn_gtm_sums_size(const mn_gtm_pass *pass)
{
  return pass->k * (pass->missing ? pass->p : 1) + pass->k * pass->p + 3;
}

mn_gtm_sums mn_gtm_sums_of(const mn_gtm_pass *pass, double *sums)
{
  double *rx = sums + pass->k * (pass->missing ? pass->p : 1);
  return (mn_gtm_sums){ sums, rx, rx + pass->k * pass->p };
}

bool mn_gtm_has_missing(const mn_data *data)
{
  for (size_t i = 0; i < data->rows * data->features; i++)
    if (isnan(data->x.at[i])) return true;
  return false;
}

/* Read a row; |x|^2 and the number of its values. */
static void read_row(const mn_gtm_pass *pass, size_t i, double *x, double *present, double *square, size_t *values)
{
  const double *from = mn_row(&pass->data->x, i);
  *square = 0;
  *values = 0;
  for (size_t j = 0; j < pass->p; j++) {
    const bool missing = isnan(from[j]);
    x[j] = missing ? 0 : from[j] - pass->origin[j];
    present[j] = !missing;
    *square += x[j] * x[j];
    *values += !missing;
  }
}

/* Scores of the nodes, log responsibilities but for a constant of each row. */
static void find_scores(const struct work *w, struct buffers *b, size_t rows)
{
  const mn_gtm_pass *pass = w->pass;
  const size_t k = pass->k, p = pass->p;
  for (size_t i = 0; i < rows; i++) memcpy(b->score + i * w->stride, w->half, w->stride * sizeof *w->half);
  if (pass->missing)
    mn_gemm_serial(false, true, rows, k, p, 1, b->present, p, w->squares, p, 0, b->score, w->stride, b->product);
  mn_gemm_serial(false, true, rows, k, p, 1 / pass->noise_variance, b->x, p, pass->y, p, 1, b->score, w->stride,
                 b->product);
}

/* Mean, mode, variance and entropy of the posterior distribution of row i over the nodes. */
static void describe(const mn_gtm_pass *pass, size_t i, const double *r)
{
  const size_t k = pass->k, q = pass->q;
  size_t largest = 0;
  double entropy = 0;
  for (size_t c = 0; c < k; c++) {
    if (r[c] > r[largest]) largest = c;
    if (r[c] > 0) entropy -= r[c] * log(r[c]);
  }
  for (size_t d = 0; d < q; d++) {
    double mean = 0, variance = 0;
    for (size_t c = 0; c < k; c++) mean += r[c] * pass->latent[c * q + d];
    for (size_t c = 0; pass->variance && c < k; c++)
      variance += r[c] * (pass->latent[c * q + d] - mean) * (pass->latent[c * q + d] - mean);
    if (pass->mean) pass->mean[i * q + d] = mean;
    if (pass->mode) pass->mode[i * q + d] = pass->latent[largest * q + d];
    if (pass->variance) pass->variance[i * q + d] = variance;
  }
  if (pass->entropy) pass->entropy[i] = entropy;
}

/* Add the rows of a chunk, whose responsibilities are in the scores, multiplied by their weights first. */
static void add_rows(const struct work *w, struct buffers *b, size_t begin, size_t rows, double *part)
{
  const mn_gtm_pass *pass = w->pass;
  const size_t k = pass->k, p = pass->p;
  const mn_gtm_sums sums = mn_gtm_sums_of(pass, part);
  for (size_t i = 0; i < rows; i++) {
    double *r = b->score + i * w->stride;
    const double weight = mn_weight(pass->data, begin + i);
    for (size_t c = 0; c < k; c++) r[c] *= weight;
    for (size_t c = 0; !pass->missing && c < k; c++) sums.weight[c] += r[c];
  }
  if (pass->missing)
    mn_gemm_serial(true, false, k, p, rows, 1, b->score, w->stride, b->present, p, 1, sums.weight, p, b->product);
  mn_gemm_serial(true, false, k, p, rows, 1, b->score, w->stride, b->x, p, 1, sums.rx, p, b->product);
}

static void run_chunk(const struct work *w, struct buffers *b, size_t begin, size_t rows, double *part)
{
  const mn_gtm_pass *pass = w->pass;
  const double v = pass->noise_variance;
  double square[CHUNK_ROWS];
  size_t values[CHUNK_ROWS];
  for (size_t i = 0; i < rows; i++)
    read_row(pass, begin + i, b->x + i * pass->p, b->present + i * pass->p, &square[i], &values[i]);
  find_scores(w, b, rows);
  for (size_t i = 0; i < rows; i++) {
    double *r = b->score + i * w->stride;
    const double log_sum = mn_gtm_softmax(w->stride / MN_GTM_LANES, r), weight = mn_weight(pass->data, begin + i);
    const double log_density =
        log_sum - log((double)pass->k) - square[i] / (2 * v) - (double)values[i] / 2 * (MN_LOG_2PI + log(v));
    if (pass->log_density) pass->log_density[begin + i] = log_density;
    if (pass->responsibility) memcpy(pass->responsibility + (begin + i) * pass->k, r, pass->k * sizeof *r);
    if (pass->mean || pass->mode || pass->variance || pass->entropy) describe(pass, begin + i, r);
    if (!part) continue;
    double *scalars = mn_gtm_sums_of(pass, part).scalars;
    scalars[0] += weight * log_density;
    scalars[1] += weight * square[i];
    scalars[2] += weight * (double)values[i];
  }
  if (part) add_rows(w, b, begin, rows, part);
}

static void run_block(void *work, size_t block, size_t worker)
{
  const struct work *w = work;
  const size_t end = mn_block_end(&w->blocks, block);
  double *part = w->part ? w->part + block * mn_gtm_sums_size(w->pass) : NULL;
  for (size_t begin = mn_block_begin(&w->blocks, block); begin < end; begin += CHUNK_ROWS)
    run_chunk(w, &w->buffer[worker], begin, end - begin < CHUNK_ROWS ? end - begin : CHUNK_ROWS, part);
}

static mn_status make_buffers(mn_context *ctx, struct work *w)
{
  const size_t k = w->pass->k, p = w->pass->p, workers = mn_threads(ctx);
  const size_t one = mn_gemm_serial_bytes(CHUNK_ROWS, k, p), other = mn_gemm_serial_bytes(k, p, CHUNK_ROWS);
  w->buffer = MN_NEW(ctx, struct buffers, workers, 1);
  MN_CHECK_ALLOC(w->buffer);
  for (size_t i = 0; i < workers; i++) {
    w->buffer[i] = (struct buffers){ .x = MN_RAW(ctx, double, CHUNK_ROWS, p),
                                     .present = MN_RAW(ctx, double, CHUNK_ROWS, p),
                                     .score = MN_RAW(ctx, double, CHUNK_ROWS, w->stride),
                                     .product = mn_scratch_raw(ctx, 1, one > other ? one : other, 1) };
    if (!w->buffer[i].x || !w->buffer[i].present || !w->buffer[i].score || !w->buffer[i].product) return MN_NO_MEMORY;
  }
  return MN_OK;
}

/* What the scores need of the centers. If values are missing, the squares enter by a product with the values present.
 */
static mn_status prepare(mn_context *ctx, struct work *w)
{
  const mn_gtm_pass *pass = w->pass;
  const size_t k = pass->k, p = pass->p;
  double *half = MN_NEW(ctx, double, w->stride, 1), *squares = MN_RAW(ctx, double, k, pass->missing ? p : 0);
  if (!half || !squares) return MN_NO_MEMORY;
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++) {
      const double s = -pass->y[c * p + j] * pass->y[c * p + j] / (2 * pass->noise_variance);
      if (pass->missing) squares[c * p + j] = s;
      half[c] += s;
    }
  for (size_t c = k; c < w->stride; c++) half[c] = -1e300;
  w->half = half;
  w->squares = squares;
  return make_buffers(ctx, w);
}

mn_status mn_gtm_run_pass(mn_context *ctx, const mn_gtm_pass *pass)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t size = mn_gtm_sums_size(pass);
  struct work w = { .pass = pass,
                    .blocks = mn_make_blocks(pass->data->rows, BLOCK_ROWS, MAX_BLOCKS),
                    .stride = (pass->k + MN_GTM_LANES - 1) / MN_GTM_LANES * MN_GTM_LANES };
  MN_TRY(prepare(ctx, &w));
  if (pass->sums) MN_CHECK_ALLOC(w.part = MN_NEW(ctx, double, w.blocks.count, size));
  MN_TRY(mn_parallel(ctx, w.blocks.count, run_block, &w));
  if (pass->sums) mn_sum_blocks(w.blocks.count, size, w.part, pass->sums);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
