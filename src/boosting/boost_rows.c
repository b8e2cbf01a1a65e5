#include "boost_rows.h"
#include "../core/finite_kernel.h"
#include "../stats/argsort.h"
#include "../stats/quantile.h"
#include "../linalg/reduce.h"
#include "../histogram/hist_narrow_kernel.h"
#include "huber_center.h"
#include <string.h>

enum { LOOK_BLOCK = 1024, MOST_LOOKS = 4096 };
enum { ADD_BLOCK = 32768, MOST_ADDS = 64, ADD_WINDOW = 4096, ADD_ROWS = 16 };
enum { STREAM_HELD = 1, STREAM_ROUNDS = UINT32_C(1) << 31 };

static const double whole_limit = 2147483648.0;

static bool are_whole(const double *weights, size_t n)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    if (weights[i] != floor(weights[i])) return false;
    sum += weights[i];
  }
  return sum < whole_limit;
}

/* Of a scale: it and its inverse are normal numbers. */
static const int most_exponent = 1000;
static const double least_unit = 0x1p-1074; /* the least double there is */
static const double least_narrow = 0x1p-1000;

/* Counts are whole numbers: those of fractional weights are rounded, to a 256th of the mean weight or finer. */
static mn_status count_rows(mn_context *ctx, mn_boost_rows *r)
{
  const double *weights = r->data->weights;
  r->total = (int64_t)r->n;
  r->count_unit = 1;
  if (!weights) return MN_OK;
  r->times = MN_RAW(ctx, int64_t, r->n, 1);
  MN_CHECK_ALLOC(r->times);
  r->whole = are_whole(weights, r->n);
  double sum = 0;
  for (size_t i = 0; i < r->n; i++) sum += weights[i];
  if (!r->whole) r->count_unit = fmax(exp2(ceil(log2(sum / fmin(256.0 * (double)r->n, whole_limit)))), least_unit);
  r->total = 0;
  for (size_t i = 0; i < r->n; i++) r->total += r->times[i] = (int64_t)(weights[i] / r->count_unit + 0.5);
  return MN_OK;
}

static mn_status take_memory(mn_context *ctx, mn_boost_rows *r)
{
  const size_t n = r->n, k = r->outputs;
  r->score = MN_RAW(ctx, double, k, n);
  r->gh = MN_RAW(ctx, int64_t, 2, n);
  r->size = MN_RAW(ctx, mn_loss_sizes, k, 1);
  r->size_part = MN_RAW(ctx, mn_loss_sizes, r->blocks.count, k);
  r->sums = MN_RAW(ctx, double, r->blocks.count, 4);
  r->room = MN_RAW(ctx, double, 4 * mn_threads(ctx), r->blocks.size);
  if (!r->score || !r->gh || !r->size || !r->size_part || !r->sums || !r->room) return MN_NO_MEMORY;
  if (r->loss == MN_BOOST_SOFTMAX) {
    r->level = MN_RAW(ctx, double, n, 1);
    MN_CHECK_ALLOC(r->level);
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
                           .blocks = mn_make_blocks(data->rows, LOOK_BLOCK, MOST_LOOKS) };
  MN_TRY(take_memory(ctx, rows));
  return count_rows(ctx, rows);
}

mn_status mn_boost_hold_out(mn_context *ctx, mn_boost_rows *rows, double share, int64_t seed)
{
  const size_t n = rows->rank ? rows->rank->groups : rows->n;
  mn_rng rng = mn_stream(seed, STREAM_HELD);
  size_t wanted = (size_t)(share * (double)n + 0.5);
  rows->learns = MN_RAW(ctx, uint8_t, rows->n, 1);
  MN_CHECK_ALLOC(rows->learns);
  if (wanted == 0) wanted = 1;
  for (size_t i = 0; i < n; i++) {
    if (i % MN_CHUNK == 0) MN_TRY(mn_poll(ctx));
    const bool held = mn_random_below(&rng, n - i) < wanted;
    const size_t first = rows->rank ? rows->rank->begin[i] : i, last = rows->rank ? rows->rank->begin[i + 1] : i + 1;
    memset(rows->learns + first, !held, last - first);
    wanted -= held;
  }
  rows->used = rows->learns;
  return MN_OK;
}

static double weight_of(const mn_boost_rows *r, size_t i)
{
  return r->learns && !r->learns[i] ? 0 : mn_weight(r->data, i);
}

/* --- the constants to begin with --- */

static mn_status middle(mn_context *ctx, const mn_boost_rows *r, double *start)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const double level = r->loss == MN_BOOST_QUANTILE ? r->shape : 0.5;
  double *y = MN_RAW(ctx, double, r->n, 1), *w = MN_RAW(ctx, double, r->n, 1);
  size_t n = 0;
  if (!y || !w) return MN_NO_MEMORY;
  for (size_t i = 0; i < r->n; i++) {
    if (r->learns && !r->learns[i]) continue;
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

static void class_logs(const mn_boost_rows *r, double *start)
{
  double total = 0;
  memset(start, 0, r->outputs * sizeof *start);
  for (size_t i = 0; i < r->n; i++) {
    start[r->data->code[i]] += weight_of(r, i);
    total += weight_of(r, i);
  }
  for (size_t c = 0; c < r->outputs; c++) start[c] = log(fmax(start[c] / total, 1e-10));
}

static double mean_link(const mn_boost_rows *r)
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

mn_status mn_boost_start(mn_context *ctx, mn_boost_rows *rows, double *start)
{
  const bool median =
      rows->loss == MN_BOOST_ABSOLUTE || rows->loss == MN_BOOST_QUANTILE || rows->loss == MN_BOOST_HUBER;
  if (rows->data->init_score.at)
    memset(start, 0, rows->outputs * sizeof *start);
  else if (rows->loss == MN_BOOST_SOFTMAX)
    class_logs(rows, start);
  else if (median)
    MN_TRY(middle(ctx, rows, start));
  else
    *start = rows->loss == MN_BOOST_RANK ? 0 : mean_link(rows); /* no order depends on it */
  for (size_t k = 0; k < rows->outputs; k++) {
    MN_TRY(mn_poll(ctx));
    for (size_t i = 0; i < rows->n; i++) rows->score[k * rows->n + i] = start[k] + mn_boost_init(rows, i, k);
  }
  return MN_OK;
}

/* --- gradients --- */

/* Of a block of rows, in the room of a worker. */
struct block_room {
  double *y, *g, *h, *l;
};

static struct block_room room_of(const mn_boost_rows *r, size_t worker)
{
  const size_t size = r->blocks.size;
  double *at = r->room + 4 * worker * size;
  return (struct block_room){ .y = at, .g = at + size, .h = at + 2 * size, .l = at + 3 * size };
}

/* Gradients of an output for rows begin .. begin + n - 1, and where these are wanted losses, but of softmax. They are
 * not kept, for they are made of the scores in no more time than memory would take to bring them, and of many classes
 * they would be most of what a fit needs: the score of an output stays as it is until the round has grown its tree. */
static void differentiate(const mn_boost_rows *r, size_t output, size_t begin, size_t n, int losses,
                          struct block_room *at)
{
  const double *score = r->score + output * r->n + begin, *y = r->y ? r->y + begin : at->y;
  if (r->loss == MN_BOOST_RANK) {
    at->g = r->g + begin;
    at->h = r->h + begin;
    return;
  }
  if (r->loss == MN_BOOST_SOFTMAX) {
    mn_loss_softmax_class(n, (int32_t)output, r->data->code + begin, score, r->level + begin, at->g, at->h);
    return;
  }
  for (size_t i = 0; !r->y && i < n; i++) at->y[i] = r->data->code[begin + i];
  mn_loss_rows(r->loss, r->shape, n, y, score, at->g, at->h, at->l, losses);
}

/* Loss and weight of the rows that learn, and of those held out. */
static void add_losses(const mn_boost_rows *r, size_t begin, size_t n, const double *l, double sums[4])
{
  memset(sums, 0, 4 * sizeof *sums);
  if (!r->learns && !r->data->weights) {
    sums[0] = mn_sum_values(n, l);
    sums[1] = (double)n;
    return;
  }
  for (size_t i = 0; i < n; i++) {
    const size_t part = r->learns && !r->learns[begin + i] ? 2 : 0;
    const double w = mn_weight(r->data, begin + i);
    sums[part] += w * l[i];
    sums[part + 1] += w;
  }
}

static void look_block(void *work, size_t block, size_t worker)
{
  mn_boost_rows *r = work;
  const size_t begin = mn_block_begin(&r->blocks, block), n = mn_block_end(&r->blocks, block) - begin, k = r->outputs;
  const double *weights = r->data->weights ? r->data->weights + begin : NULL;
  struct block_room at = room_of(r, worker);
  if (r->loss == MN_BOOST_RANK) memset(at.l, 0, n * sizeof *at.l); /* it has groups, not rows */
  if (r->loss == MN_BOOST_SOFTMAX)
    mn_loss_softmax(n, k, r->n, r->data->code + begin, r->score + begin, r->level + begin, at.l);
  for (size_t c = 0; c < k; c++) {
    mn_loss_sizes *sizes = r->size_part + block * k + c;
    differentiate(r, c, begin, n, 1, &at);
    mn_loss_size(n, at.g, at.h, weights, !r->whole, sizes);
    if (!mn_all_finite(n, at.g) || !mn_all_finite(n, at.h)) sizes->g_most = INFINITY; /* fast maths may not see it */
  }
  add_losses(r, begin, n, at.l, r->sums + 4 * block);
}

mn_status mn_boost_look(mn_context *ctx, mn_boost_rows *rows)
{
  if (rows->rank) MN_TRY(mn_lambda_rank_look(ctx, rows->rank, rows->score, rows->g, rows->h));
  MN_TRY(mn_parallel(ctx, rows->blocks.count, look_block, rows));
  double total[4] = { 0 };
  memset(rows->size, 0, rows->outputs * sizeof *rows->size);
  for (size_t b = 0; b < rows->blocks.count; b++) {
    for (size_t k = 0; k < 4; k++) total[k] += rows->sums[4 * b + k];
    for (size_t c = 0; c < rows->outputs; c++) {
      const mn_loss_sizes *part = rows->size_part + b * rows->outputs + c;
      rows->size[c].g_most = fmax(rows->size[c].g_most, part->g_most);
      rows->size[c].h_most = fmax(rows->size[c].h_most, part->h_most);
      rows->size[c].g_sum += part->g_sum;
      rows->size[c].h_sum += part->h_sum;
    }
  }
  rows->learned = total[0] / total[1];
  rows->held = total[3] > 0 ? total[2] / total[3] : NAN;
  if (rows->rank) {
    rows->learned = mn_lambda_rank_loss(rows->rank, rows->learns, 1);
    rows->held = rows->learns ? mn_lambda_rank_loss(rows->rank, rows->learns, 0) : NAN;
  }
  return MN_OK;
}

mn_status mn_boost_draw(mn_context *ctx, mn_boost_rows *rows, double share, int64_t seed, uint64_t round)
{
  mn_rng rng = mn_stream(seed, STREAM_ROUNDS + round);
  mn_chunk p = { 0 };
  while (mn_next_chunk(&(mn_cancel_token){ .ctx = ctx }, rows->n, &p))
    for (size_t i = p.begin; i < p.end; i++)
      rows->used[i] = mn_random_uniform(&rng) < share && (!rows->learns || rows->learns[i]);
  return mn_error_status(ctx);
}

/* --- fixed point --- */

struct fixing {
  const mn_boost_rows *rows;
  size_t output;
  double g_scale, h_scale;
  unsigned bits;
  bool narrow;
};

static void fix_block(void *work, size_t block, size_t worker)
{
  const struct fixing *f = work;
  const mn_boost_rows *r = f->rows;
  const size_t begin = mn_block_begin(&r->blocks, block), n = mn_block_end(&r->blocks, block) - begin;
  struct block_room at = room_of(r, worker);
  const uint8_t *used = r->used ? r->used + begin : NULL;
  const bool fractions = r->times && !r->whole;
  differentiate(r, f->output, begin, n, 0, &at);
  if (f->narrow) {
    mn_narrow_quantize(begin, n, at.g, at.h, f->g_scale, f->h_scale, used, (uint64_t *)r->gh + begin);
    return;
  }
  mn_hist_quantize(n, at.g, at.h, f->g_scale, f->h_scale, f->bits, r->times ? r->times + begin : NULL,
                   fractions ? r->data->weights + begin : NULL, used, r->gh + 2 * begin);
}

/* 2^e, or less where it would be infinite (of weights near the least numbers there are). */
static double scale_of(int e)
{
  return ldexp(1, e > most_exponent ? most_exponent : e);
}

/* Of a number > 0: the least e with x < 2^e. */
static int exponent(double x)
{
  int e = 0;
  frexp(x, &e);
  return e;
}

/* Many rows, of which none is far beyond the mean: what rounding adds to the variance of a sum of gradients is then
 * below a thousandth of what the rows themselves give it. */
static bool may_be_narrow(const mn_boost_rows *rows, const mn_loss_sizes *size)
{
  enum { MANY_ROWS = 65536, UNEVEN = 64 };
  if (rows->n < MANY_ROWS || rows->times) return false;
  const double n = (double)rows->n;
  return size->g_most > least_narrow && size->h_most > least_narrow && n * size->g_most <= UNEVEN * size->g_sum &&
         n * size->h_most <= UNEVEN * size->h_sum;
}

/* Scales are powers of two that use the 63 bits well: no sum over all rows overflows, and one row has 50 at most. */
mn_status mn_boost_fix(mn_context *ctx, mn_boost_rows *rows, size_t output, mn_boost_gradients *out)
{
  const int all = exponent((double)(rows->total > (int64_t)rows->n ? rows->total : (int64_t)rows->n));
  const int bits = 62 - all;
  const mn_loss_sizes *size = &rows->size[output];
  const int g_most = 61 - all < 50 ? 61 - all : 50, h_most = bits - 2 < 50 ? bits - 2 : 50;
  struct fixing f = { .rows = rows, .output = output, .bits = (unsigned)bits, .g_scale = 1, .h_scale = 1 };
  f.narrow = may_be_narrow(rows, size);
  if (f.narrow) {
    f.g_scale = MN_NARROW_MAX / size->g_most;
    f.h_scale = MN_NARROW_MAX / size->h_most;
  } else {
    if (size->g_most > 0) f.g_scale = scale_of(g_most - exponent(size->g_most));
    if (size->h_sum > 0) f.h_scale = scale_of(h_most - exponent(size->h_sum));
  }
  *out = (mn_boost_gradients){ .gh = rows->gh,
                               .g_unit = 1 / f.g_scale,
                               .h_unit = 1 / f.h_scale,
                               .bits = (unsigned)bits,
                               .narrow = f.narrow,
                               .count_unit = rows->count_unit };
  return mn_parallel(ctx, rows->blocks.count, fix_block, &f);
}

/* --- leaves --- */

/* A range of rows, a window of it at a time: all leaves pass over it while it is in the first cache, for a leaf alone
 * has a row here and a row there, and would bring all scores from afar again. */
struct adding {
  const mn_boost_leaf_rows *leaf;
  size_t leaves;
  const mn_boost_builder *trees;
  double *score;
  mn_blocks blocks;
  size_t window;
  size_t *next;    /* workers x leaves: the first row of a leaf that is not yet done */
  bool *overflows; /* blocks */
};

/* No loss works with larger raw predictions. */
static const double largest_score = 1e300;

/* Rows of a leaf from `k` on, as far as they lie before `end`; the first one behind. */
static size_t add_leaf(const mn_boost_leaf_rows *leaf, size_t k, size_t end, double value, double *restrict score,
                       bool *within)
{
  for (; k < leaf->count && leaf->rows[k] < end; k++) {
    const double sum = score[leaf->rows[k]] + value;
    score[leaf->rows[k]] = sum;
    *within &= fabs(sum) < largest_score;
  }
  return k;
}

static void add_block(void *work, size_t block, size_t worker)
{
  const struct adding *w = work;
  const size_t begin = mn_block_begin(&w->blocks, block), end = mn_block_end(&w->blocks, block);
  size_t *next = w->next + worker * w->leaves;
  bool within = true;
  for (size_t k = 0; k < w->leaves; k++) next[k] = mn_first_from(w->leaf[k].rows, w->leaf[k].count, (uint32_t)begin);
  for (size_t from = begin; from < end; from += w->window) {
    const size_t to = end - from < w->window ? end : from + w->window;
    for (size_t k = 0; k < w->leaves; k++) {
      const double value = mn_node_real(mn_boost_node(w->trees, w->leaf[k].node));
      next[k] = add_leaf(&w->leaf[k], next[k], to, value, w->score, &within);
    }
  }
  w->overflows[block] = !within;
}

mn_status mn_boost_add(mn_context *ctx, mn_boost_rows *rows, size_t output, const mn_grower *grower,
                       const mn_boost_builder *trees, bool *overflows)
{
  struct adding w = { .trees = trees, .score = rows->score + output * rows->n };
  const mn_mark mark = mn_scratch_mark(ctx);
  w.leaves = mn_grower_leaves(grower, &w.leaf);
  w.window = ADD_ROWS * w.leaves > ADD_WINDOW ? ADD_ROWS * w.leaves : ADD_WINDOW;
  w.blocks = mn_make_blocks(rows->n, ADD_BLOCK, MOST_ADDS);
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
