#include "boost_rows.h"
#include "../core/finite_kernel.h"
#include "../stats/argsort.h"
#include "../stats/quantile.h"
#include "../linalg/reduce.h"
#include "../histogram/hist_narrow_kernel.h"
#include "huber_center.h"
#include <string.h>

enum { GRADIENT_BLOCK = 1024, MAX_GRADIENT_BLOCKS = 4096 };
enum { ADD_BLOCK = 32768, MAX_ADD_BLOCKS = 64, ADD_WINDOW = 4096, ADD_ROWS_PER_LEAF = 16 };
enum { STREAM_HELD_OUT = 1, STREAM_ROUNDS = UINT32_C(1) << 31 };

static const double max_total = 2147483648.0;

static bool are_integral(const double *weights, size_t n)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    if (weights[i] != floor(weights[i])) return false;
    sum += weights[i];
  }
  return sum < max_total;
}

/* Bounds on a scale, such that it and its inverse are normal numbers. */
static const int max_exponent = 1000;
static const double min_unit = 0x1p-1074; /* smallest positive double */
static const double min_narrow = 0x1p-1000;

/* Counts are integers: fractional weights are rounded to 1/256 of the mean weight or finer. */
static mn_status count_rows(mn_context *ctx, mn_boost_rows *r)
{
  const double *weights = r->data->weights;
  r->total_count = (int64_t)r->n;
  r->count_unit = 1;
  if (!weights) return MN_OK;
  r->counts = MN_RAW(ctx, int64_t, r->n, 1);
  MN_CHECK_ALLOC(r->counts);
  r->integral_weights = are_integral(weights, r->n);
  double sum = 0;
  for (size_t i = 0; i < r->n; i++) sum += weights[i];
  if (!r->integral_weights)
    r->count_unit = fmax(exp2(ceil(log2(sum / fmin(256.0 * (double)r->n, max_total)))), min_unit);
  r->total_count = 0;
  for (size_t i = 0; i < r->n; i++) r->total_count += r->counts[i] = (int64_t)(weights[i] / r->count_unit + 0.5);
  return MN_OK;
}

static mn_status allocate_buffers(mn_context *ctx, mn_boost_rows *r)
{
  const size_t n = r->n, k = r->outputs;
  r->score = MN_RAW(ctx, double, k, n);
  r->gh = MN_RAW(ctx, int64_t, 2, n);
  r->stats = MN_RAW(ctx, mn_loss_stats, k, 1);
  r->block_stats = MN_RAW(ctx, mn_loss_stats, r->blocks.count, k);
  r->loss_sums = MN_RAW(ctx, double, r->blocks.count, 4);
  r->workspace = MN_RAW(ctx, double, 4 * mn_threads(ctx), r->blocks.size);
  if (!r->score || !r->gh || !r->stats || !r->block_stats || !r->loss_sums || !r->workspace) return MN_NO_MEMORY;
  if (r->loss == MN_BOOST_SOFTMAX) {
    r->log_sum_exp = MN_RAW(ctx, double, n, 1);
    MN_CHECK_ALLOC(r->log_sum_exp);
  }
  if (r->loss == MN_BOOST_RANK) {
    r->g = MN_RAW(ctx, double, n, 1);
    r->h = MN_RAW(ctx, double, n, 1);
    if (!r->g || !r->h) return MN_NO_MEMORY;
  }
  return MN_OK;
}

mn_status mn_boost_rows_make(mn_context *ctx, const mn_data *data, mn_boost_loss_kind loss, double shape,
                             size_t outputs, mn_boost_rows *rows)
{
  *rows = (mn_boost_rows){ .data = data,
                           .loss = loss,
                           .shape = shape,
                           .n = data->rows,
                           .outputs = outputs,
                           .y = loss == MN_BOOST_LOGISTIC || loss == MN_BOOST_SOFTMAX ? NULL : data->y.at,
                           .blocks = mn_make_blocks(data->rows, GRADIENT_BLOCK, MAX_GRADIENT_BLOCKS) };
  MN_TRY(allocate_buffers(ctx, rows));
  return count_rows(ctx, rows);
}

mn_status mn_boost_hold_out(mn_context *ctx, mn_boost_rows *rows, double share, int64_t seed)
{
  const size_t n = rows->rank ? rows->rank->groups : rows->n;
  mn_rng rng = mn_stream(seed, STREAM_HELD_OUT);
  size_t wanted = (size_t)(share * (double)n + 0.5);
  rows->in_training = MN_RAW(ctx, uint8_t, rows->n, 1);
  MN_CHECK_ALLOC(rows->in_training);
  if (wanted == 0) wanted = 1;
  for (size_t i = 0; i < n; i++) {
    if (i % MN_CHUNK == 0) MN_TRY(mn_poll(ctx));
    const bool held_out = mn_random_below(&rng, n - i) < wanted;
    const size_t first = rows->rank ? rows->rank->begin[i] : i, last = rows->rank ? rows->rank->begin[i + 1] : i + 1;
    memset(rows->in_training + first, !held_out, last - first);
    wanted -= held_out;
  }
  rows->in_round = rows->in_training;
  return MN_OK;
}

static double weight_of(const mn_boost_rows *r, size_t i)
{
  return r->in_training && !r->in_training[i] ? 0 : mn_weight(r->data, i);
}

/* --- initial constants --- */

static mn_status initial_quantile(mn_context *ctx, const mn_boost_rows *r, double *start)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const double level = r->loss == MN_BOOST_QUANTILE ? r->shape : 0.5;
  double *y = MN_RAW(ctx, double, r->n, 1), *w = MN_RAW(ctx, double, r->n, 1);
  size_t n = 0;
  if (!y || !w) return MN_NO_MEMORY;
  for (size_t i = 0; i < r->n; i++) {
    if (r->in_training && !r->in_training[i]) continue;
    y[n] = r->y[i];
    w[n++] = mn_weight(r->data, i);
  }
  const double *weights = r->data->weights ? w : NULL;
  MN_TRY(mn_quantiles(ctx, n, y, weights, 1, &level, start));
  if (r->loss == MN_BOOST_HUBER) {
    for (size_t i = 0; i < n; i++) y[i] -= *start;
    *start += mn_huber_center(&(mn_cancel_token){ .ctx = ctx }, n, y, weights, r->shape, 0, 0);
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static void initial_softmax(const mn_boost_rows *r, double *start)
{
  double total = 0;
  memset(start, 0, r->outputs * sizeof *start);
  for (size_t i = 0; i < r->n; i++) {
    start[r->data->code[i]] += weight_of(r, i);
    total += weight_of(r, i);
  }
  for (size_t c = 0; c < r->outputs; c++) start[c] = log(fmax(start[c] / total, 1e-10));
}

static double initial_mean(const mn_boost_rows *r)
{
  double total = 0, mean = 0;
  for (size_t i = 0; i < r->n; i++) {
    const double w = weight_of(r, i);
    if (w == 0) continue;
    total += w;
    mean += w / total * ((r->y ? r->y[i] : r->data->code[i]) - mean);
  }
  if (r->loss == MN_BOOST_SQUARED) return mean;
  if (r->loss == MN_BOOST_LOGISTIC) {
    mean = fmin(fmax(mean, 1e-10), 1 - 1e-10);
    return log(mean / (1 - mean));
  }
  return log(fmax(mean, 1e-300));
}

static double raw_base_score(const mn_boost_rows *r, double base_score)
{
  if (r->loss == MN_BOOST_LOGISTIC) return log(base_score / (1 - base_score));
  return r->loss == MN_BOOST_POISSON || r->loss == MN_BOOST_GAMMA || r->loss == MN_BOOST_TWEEDIE ? log(base_score)
                                                                                                 : base_score;
}

mn_status mn_boost_set_scores(mn_context *ctx, mn_boost_rows *rows, const double *start)
{
  for (size_t k = 0; k < rows->outputs; k++) {
    MN_TRY(mn_poll(ctx));
    for (size_t i = 0; i < rows->n; i++) rows->score[k * rows->n + i] = start[k] + mn_boost_init_score(rows, i, k);
  }
  return MN_OK;
}

mn_status mn_boost_init_scores(mn_context *ctx, mn_boost_rows *rows, double base_score, double *start)
{
  const bool median =
      rows->loss == MN_BOOST_ABSOLUTE || rows->loss == MN_BOOST_QUANTILE || rows->loss == MN_BOOST_HUBER;
  if (rows->data->init_score.at)
    memset(start, 0, rows->outputs * sizeof *start);
  else if (!isnan(base_score))
    for (size_t k = 0; k < rows->outputs; k++) start[k] = raw_base_score(rows, base_score);
  else if (rows->loss == MN_BOOST_SOFTMAX)
    initial_softmax(rows, start);
  else if (median)
    MN_TRY(initial_quantile(ctx, rows, start));
  else
    *start = rows->loss == MN_BOOST_RANK ? 0 : initial_mean(rows); /* the order does not depend on a constant */
  return mn_boost_set_scores(ctx, rows, start);
}

/* --- gradients --- */

/* Buffers for one block of rows, one set per worker. */
struct block_buffers {
  double *y, *g, *h, *l;
};

static struct block_buffers buffers_of(const mn_boost_rows *r, size_t worker)
{
  const size_t size = r->blocks.size;
  double *at = r->workspace + 4 * worker * size;
  return (struct block_buffers){ .y = at, .g = at + size, .h = at + 2 * size, .l = at + 3 * size };
}

/* Gradients of an output for rows begin .. begin + n - 1, and losses if requested (except softmax). They are recomputed
 * from the scores in every round: this takes no more time than reading them from memory, and with many classes storing
 * them would dominate the memory of a fit. The scores of an output do not change before the tree of the round has been
 * grown. */
static void compute_gradients(const mn_boost_rows *r, size_t output, size_t begin, size_t n, int losses,
                              struct block_buffers *at)
{
  const double *score = r->score + output * r->n + begin, *y = r->y ? r->y + begin : at->y;
  if (r->loss == MN_BOOST_RANK) {
    at->g = r->g + begin;
    at->h = r->h + begin;
    return;
  }
  if (r->loss == MN_BOOST_SOFTMAX) {
    mn_loss_softmax_class(n, (int32_t)output, r->data->code + begin, score, r->log_sum_exp + begin, at->g, at->h);
    return;
  }
  for (size_t i = 0; !r->y && i < n; i++) at->y[i] = r->data->code[begin + i];
  mn_loss_rows(r->loss, r->shape, n, y, score, at->g, at->h, at->l, losses);
}

/* Loss and weight of the training rows, and of the held-out rows. */
static void add_losses(const mn_boost_rows *r, size_t begin, size_t n, const double *l, double sums[4])
{
  memset(sums, 0, 4 * sizeof *sums);
  if (!r->in_training && !r->data->weights) {
    sums[0] = mn_sum_values(n, l);
    sums[1] = (double)n;
    return;
  }
  for (size_t i = 0; i < n; i++) {
    const size_t part = r->in_training && !r->in_training[begin + i] ? 2 : 0;
    const double w = mn_weight(r->data, begin + i);
    sums[part] += w * l[i];
    sums[part + 1] += w;
  }
}

static void gradient_block(void *work, size_t block, size_t worker)
{
  mn_boost_rows *r = work;
  const size_t begin = mn_block_begin(&r->blocks, block), n = mn_block_end(&r->blocks, block) - begin, k = r->outputs;
  const double *weights = r->data->weights ? r->data->weights + begin : NULL;
  struct block_buffers at = buffers_of(r, worker);
  if (r->loss == MN_BOOST_RANK) memset(at.l, 0, n * sizeof *at.l); /* ranking losses are per group, not per row */
  if (r->loss == MN_BOOST_SOFTMAX)
    mn_loss_softmax(n, k, r->n, r->data->code + begin, r->score + begin, r->log_sum_exp + begin, at.l);
  for (size_t c = 0; c < k; c++) {
    mn_loss_stats *stats = r->block_stats + block * k + c;
    compute_gradients(r, c, begin, n, 1, &at);
    mn_compute_loss_stats(n, at.g, at.h, weights, !r->integral_weights, stats);
    if (!mn_all_finite(n, at.g) || !mn_all_finite(n, at.h))
      stats->g_max = INFINITY; /* the kernel is compiled with -ffast-math and may miss it */
  }
  add_losses(r, begin, n, at.l, r->loss_sums + 4 * block);
}

mn_status mn_boost_update_gradients(mn_context *ctx, mn_boost_rows *rows)
{
  if (rows->rank) MN_TRY(mn_lambda_rank_gradients(ctx, rows->rank, rows->score, rows->g, rows->h));
  MN_TRY(mn_parallel(ctx, rows->blocks.count, gradient_block, rows));
  double total[4] = { 0 };
  memset(rows->stats, 0, rows->outputs * sizeof *rows->stats);
  for (size_t b = 0; b < rows->blocks.count; b++) {
    for (size_t k = 0; k < 4; k++) total[k] += rows->loss_sums[4 * b + k];
    for (size_t c = 0; c < rows->outputs; c++) {
      const mn_loss_stats *part = rows->block_stats + b * rows->outputs + c;
      rows->stats[c].g_max = fmax(rows->stats[c].g_max, part->g_max);
      rows->stats[c].h_max = fmax(rows->stats[c].h_max, part->h_max);
      rows->stats[c].g_sum += part->g_sum;
      rows->stats[c].h_sum += part->h_sum;
    }
  }
  rows->train_loss = total[0] / total[1];
  rows->validation_loss = total[3] > 0 ? total[2] / total[3] : NAN;
  if (rows->rank) {
    rows->train_loss = mn_lambda_rank_loss(rows->rank, rows->in_training, 1);
    rows->validation_loss = rows->in_training ? mn_lambda_rank_loss(rows->rank, rows->in_training, 0) : NAN;
  }
  if (!rows->eval) return MN_OK;
  MN_TRY(mn_boost_update_gradients(ctx, rows->eval));
  rows->validation_loss = rows->eval->train_loss;
  return MN_OK;
}

mn_status mn_boost_sample_rows(mn_context *ctx, mn_boost_rows *rows, double share, int64_t seed, uint64_t round)
{
  mn_rng rng = mn_stream(seed, STREAM_ROUNDS + round);
  mn_chunk p = { 0 };
  while (mn_next_chunk(&(mn_cancel_token){ .ctx = ctx }, rows->n, &p))
    for (size_t i = p.begin; i < p.end; i++)
      rows->in_round[i] = mn_random_uniform(&rng) < share && (!rows->in_training || rows->in_training[i]);
  return mn_error_status(ctx);
}

/* --- fixed point --- */

struct quantize_task {
  const mn_boost_rows *rows;
  size_t output;
  double g_scale, h_scale;
  unsigned bits;
  bool narrow;
};

static void quantize_block(void *work, size_t block, size_t worker)
{
  const struct quantize_task *f = work;
  const mn_boost_rows *r = f->rows;
  const size_t begin = mn_block_begin(&r->blocks, block), n = mn_block_end(&r->blocks, block) - begin;
  struct block_buffers at = buffers_of(r, worker);
  const uint8_t *in_round = r->in_round ? r->in_round + begin : NULL;
  const bool fractions = r->counts && !r->integral_weights;
  compute_gradients(r, f->output, begin, n, 0, &at);
  if (f->narrow) {
    mn_narrow_quantize(begin, n, at.g, at.h, f->g_scale, f->h_scale, in_round, (uint64_t *)r->gh + begin);
    return;
  }
  mn_hist_quantize(n, at.g, at.h, f->g_scale, f->h_scale, f->bits, r->counts ? r->counts + begin : NULL,
                   fractions ? r->data->weights + begin : NULL, in_round, r->gh + 2 * begin);
}

/* 2^e, reduced if it would overflow (weights near the smallest double). */
static double scale_of(int e)
{
  return ldexp(1, e > max_exponent ? max_exponent : e);
}

/* The smallest e with x < 2^e, for x > 0. */
static int exponent(double x)
{
  int e = 0;
  frexp(x, &e);
  return e;
}

/* Narrow gradients are accurate enough for many rows without outliers: rounding then adds less than a thousandth of the
 * sampling variance to the variance of a sum of gradients. */
static bool can_be_narrow(const mn_boost_rows *rows, const mn_loss_stats *stats)
{
  enum { MANY_ROWS = 65536, UNEVEN = 64 };
  if (rows->n < MANY_ROWS || rows->counts || rows->exact) return false;
  const double n = (double)rows->n;
  return stats->g_max > min_narrow && stats->h_max > min_narrow && n * stats->g_max <= UNEVEN * stats->g_sum &&
         n * stats->h_max <= UNEVEN * stats->h_sum;
}

/* Scales are powers of two that make good use of 63 bits: no sum over total_bits rows overflows, and one row has at
 * most 50 bits. */
mn_status mn_boost_quantize_gradients(mn_context *ctx, mn_boost_rows *rows, size_t output, mn_boost_gradients *out)
{
  const int total_bits =
      exponent((double)(rows->total_count > (int64_t)rows->n ? rows->total_count : (int64_t)rows->n));
  const int bits = 62 - total_bits;
  const mn_loss_stats *stats = &rows->stats[output];
  const int g_max = 61 - total_bits < 50 ? 61 - total_bits : 50, h_max = bits - 2 < 50 ? bits - 2 : 50;
  struct quantize_task f = { .rows = rows, .output = output, .bits = (unsigned)bits, .g_scale = 1, .h_scale = 1 };
  f.narrow = can_be_narrow(rows, stats);
  if (f.narrow) {
    f.g_scale = MN_NARROW_MAX / stats->g_max;
    f.h_scale = MN_NARROW_MAX / stats->h_max;
  } else {
    if (stats->g_max > 0) f.g_scale = scale_of(g_max - exponent(stats->g_max));
    if (stats->h_sum > 0) f.h_scale = scale_of(h_max - exponent(stats->h_sum));
  }
  *out = (mn_boost_gradients){ .gh = rows->gh,
                               .g_unit = 1 / f.g_scale,
                               .h_unit = 1 / f.h_scale,
                               .bits = (unsigned)bits,
                               .narrow = f.narrow,
                               .count_unit = rows->count_unit };
  return mn_parallel(ctx, rows->blocks.count, quantize_block, &f);
}

/* --- leaves --- */

/* A range of rows is processed in windows that fit into the first-level cache: the rows of one leaf are scattered, so
 * adding one leaf at a time would read total_bits scores from memory for each leaf. */
struct add_task {
  const mn_boost_leaf *leaf;
  size_t leaves;
  const mn_boost_builder *trees;
  double *score;
  mn_blocks blocks;
  size_t window;
  size_t *next;    /* workers x leaves: next row of each leaf to be processed */
  bool *overflows; /* blocks */
};

/* Larger raw predictions overflow in every loss. */
static const double max_score = 1e300;

/* Add the value to rows k, k + 1, ... of a leaf that lie before `end`. Returns the first row not processed. */
static size_t add_leaf(const mn_boost_leaf *leaf, size_t k, size_t end, double value, double *restrict score,
                       bool *finite)
{
  for (; k < leaf->count && leaf->rows[k] < end; k++) {
    const double sum = score[leaf->rows[k]] + value;
    score[leaf->rows[k]] = sum;
    *finite &= fabs(sum) < max_score;
  }
  return k;
}

static void add_block(void *work, size_t block, size_t worker)
{
  const struct add_task *w = work;
  const size_t begin = mn_block_begin(&w->blocks, block), end = mn_block_end(&w->blocks, block);
  size_t *next = w->next + worker * w->leaves;
  bool finite = true;
  for (size_t k = 0; k < w->leaves; k++) next[k] = mn_lower_bound(w->leaf[k].rows, w->leaf[k].count, (uint32_t)begin);
  for (size_t from = begin; from < end; from += w->window) {
    const size_t to = end - from < w->window ? end : from + w->window;
    for (size_t k = 0; k < w->leaves; k++) {
      const double value = mn_node_real(mn_boost_node(w->trees, w->leaf[k].node));
      next[k] = add_leaf(&w->leaf[k], next[k], to, value, w->score, &finite);
    }
  }
  w->overflows[block] = !finite;
}

mn_status mn_boost_update_scores(mn_context *ctx, mn_boost_rows *rows, size_t output, const mn_grower *grower,
                                 const mn_boost_builder *trees, bool *overflows)
{
  struct add_task w = { .trees = trees, .score = rows->score + output * rows->n };
  const mn_mark mark = mn_scratch_mark(ctx);
  w.leaves = mn_grower_leaves(grower, &w.leaf);
  w.window = ADD_ROWS_PER_LEAF * w.leaves > ADD_WINDOW ? ADD_ROWS_PER_LEAF * w.leaves : ADD_WINDOW;
  w.blocks = mn_make_blocks(rows->n, ADD_BLOCK, MAX_ADD_BLOCKS);
  w.next = MN_RAW(ctx, size_t, mn_threads(ctx), w.leaves);
  MN_CHECK_ALLOC(w.next);
  w.overflows = MN_NEW(ctx, bool, w.blocks.count, 1);
  MN_CHECK_ALLOC(w.overflows);
  MN_TRY(mn_parallel(ctx, w.blocks.count, add_block, &w));
  *overflows = false;
  for (size_t b = 0; b < w.blocks.count; b++) *overflows |= w.overflows[b];
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
