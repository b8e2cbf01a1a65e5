#include "conformal.h"
#include "../core/threads.h"
#include "../stats/argsort.h"
#include <math.h>

static const double rounding = 1e-12; /* of level (n + 1), relative */

static double weight_of(const double *weights, size_t i)
{
  return weights ? weights[i] : 1;
}

static double needed_weight(size_t n, const double *weights, double level)
{
  double total = 1;
  for (size_t i = 0; i < n; i++) total += weight_of(weights, i);
  return level * total * (1 - rounding);
}

mn_status mn_conformal_quantile(mn_context *ctx, size_t n, const double *score, const double *weights, double level,
                                double *q)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  size_t *order = MN_RAW(ctx, size_t, n, 1);
  MN_CHECK_ALLOC(order);
  MN_TRY(mn_argsort(ctx, n, score, 1, order));
  const double needed = needed_weight(n, weights, level);
  double sum = 0;
  *q = INFINITY;
  for (size_t i = 0; i < n && *q == (double)INFINITY; i++) {
    sum += weight_of(weights, order[i]);
    if (sum >= needed) *q = score[order[i]];
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- CV+ --- */

struct interval_work {
  mn_context *ctx;
  const mn_held_out *h;
  const double *prediction;
  double *low, *high;
  double needed;
  double *value;    /* threads x n     */
  uint64_t *buffer; /* threads x 2 n   */
  mn_blocks blocks;
};

/* The value at which the cumulative weight reaches `needed`, or infinity. */
static double upper_end(const struct interval_work *w, const mn_cancel_token *token, const double *value,
                        uint64_t *buffer)
{
  const size_t n = w->h->n;
  size_t count;
  const uint32_t *order = mn_argsort_numbers(token, n, value, 1, buffer, &count);
  double sum = 0;
  for (size_t i = 0; order && i < count; i++) {
    const size_t at = order[i] & ~MN_TIED;
    sum += weight_of(w->h->weights, at);
    if (sum >= w->needed) return value[at];
  }
  return INFINITY;
}

static void interval_block(void *work, size_t block, size_t worker)
{
  const struct interval_work *w = work;
  const mn_held_out *h = w->h;
  const mn_cancel_token token = { w->ctx, worker };
  double *value = w->value + worker * h->n;
  uint64_t *buffer = w->buffer + worker * 2 * h->n;
  for (size_t t = mn_block_begin(&w->blocks, block); t < mn_block_end(&w->blocks, block); t++) {
    const double *prediction = w->prediction + t * h->members;
    if (!mn_task_should_continue(&token)) return;
    for (size_t i = 0; i < h->n; i++) value[i] = prediction[(size_t)h->member[i] - 1] + h->residual[i];
    w->high[t] = upper_end(w, &token, value, buffer);
    for (size_t i = 0; i < h->n; i++) value[i] = h->residual[i] - prediction[(size_t)h->member[i] - 1];
    w->low[t] = -upper_end(w, &token, value, buffer);
  }
}

mn_status mn_held_out_intervals(mn_context *ctx, const mn_held_out *h, size_t tests, const double *prediction,
                                double level, double *low, double *high)
{
  const size_t threads = mn_threads(ctx);
  const mn_mark mark = mn_scratch_mark(ctx);
  struct interval_work w = { .ctx = ctx, .h = h, .prediction = prediction, .low = low, .high = high };
  w.needed = needed_weight(h->n, h->weights, level);
  w.value = MN_RAW(ctx, double, threads, h->n);
  w.buffer = MN_RAW(ctx, uint64_t, threads, 2 * h->n);
  if (!w.value || !w.buffer) return MN_NO_MEMORY;
  w.blocks = mn_make_blocks(tests, 1 + 20000 / (h->n + 1), SIZE_MAX);
  MN_TRY(mn_parallel(ctx, w.blocks.count, interval_block, &w));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- scores of labels --- */

/* Sort the columns of a row by probability, highest first; ties keep their order. */
static void rank_columns(size_t k, const double *p, size_t *order)
{
  for (size_t c = 0; c < k; c++) {
    size_t at = c;
    for (; at > 0 && p[order[at - 1]] < p[c]; at--) order[at] = order[at - 1];
    order[at] = c;
  }
}

mn_status mn_score_labels(mn_context *ctx, const mn_label_scores *s, size_t n, size_t k, const double *p, double *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  size_t *order = MN_RAW(ctx, size_t, k, 1);
  MN_CHECK_ALLOC(order);
  for (size_t i = 0; i < n; i++) {
    const double *row = p + i * k, u = s->u ? s->u[i] : 1;
    double above = 0;
    if (i % 4096 == 0) MN_TRY(mn_poll(ctx));
    if (s->form == MN_ADAPTIVE) rank_columns(k, row, order);
    for (size_t r = 0; r < k; r++) {
      const size_t c = s->form == MN_ADAPTIVE ? order[r] : r;
      const double extra = s->penalty * fmax((double)(r + 1) - s->free_rank, 0);
      out[i * k + c] = s->form == MN_LAC ? 1 - row[c] : above + u * row[c] + extra;
      above += row[c];
    }
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
