#include "hmm_pass.h"
#include <string.h>

struct long_run {
  const mn_hmm_work *w;
  size_t task, first, n;
  double *b, *alpha, *beta, *total, *shift, *offset, *scale;
  double *work;     /* lanes */
  double *emission; /* workers x emission workspace */
  size_t emission_size;
  mn_hmm_rows rows;
  mn_blocks blocks;
  double *parts, *least; /* blocks x (pairs, emissions); blocks */
  size_t part_size;
};

static void run_densities(void *work, size_t block, size_t worker)
{
  struct long_run *r = work;
  const size_t begin = mn_block_begin(&r->blocks, block), end = mn_block_end(&r->blocks, block);
  double *b = r->b + begin * r->w->view->layout.w;
  mn_hmm_log_densities(&r->w->densities, r->first + begin, r->first + end, r->emission + worker * r->emission_size, b);
  mn_hmm_normalize(end - begin, r->w->view->layout.w, b, r->offset + begin);
}

/* The rows in pieces, so that the task can be cancelled. */
static void run_direction(void *work, size_t direction, size_t worker)
{
  struct long_run *r = work;
  const mn_hmm_work *w = r->w;
  const size_t k = w->view->k, lanes = w->view->layout.w;
  const mn_cancel_token token = { .ctx = w->ctx, .worker = worker };
  if (direction == 0) {
    for (size_t t = 1; t < r->n && mn_task_should_continue(&token); t += MN_CHUNK)
      mn_hmm_forward(t, r->n - t < MN_CHUNK ? r->n : t + MN_CHUNK, k, lanes, w->a, &r->rows, r->alpha, r->total,
                     r->shift);
    return;
  }
  for (size_t l = 0; l < lanes; l++) r->beta[(r->n - 1) * lanes + l] = l < k;
  for (size_t end = r->n; end > 1 && mn_task_should_continue(&token);) {
    const size_t first = end - 1 < MN_CHUNK ? 0 : end - 1 - MN_CHUNK;
    mn_hmm_backward(first, end, 0, k, lanes, w->transposed, &r->rows, r->beta, r->scale, r->work);
    end = first + 1;
  }
}

static void run_posterior(void *work, size_t block, size_t worker)
{
  struct long_run *r = work;
  const mn_hmm_work *w = r->w;
  const size_t k = w->view->k, lanes = w->view->layout.w;
  const size_t begin = mn_block_begin(&r->blocks, block), end = mn_block_end(&r->blocks, block);
  double *pairs = w->pass->sums ? r->parts + block * r->part_size : NULL;
  r->least[block] = mn_hmm_posterior(begin, end, r->n - 1, 0, k, lanes, &r->rows, r->beta, r->scale, r->alpha, pairs);
  if (pairs)
    mn_hmm_add_emissions(&w->densities, r->first + begin, r->first + end, r->alpha + begin * lanes,
                         r->emission + worker * r->emission_size, pairs + lanes * lanes, w->given);
}

static mn_status make_run(mn_context *ctx, struct long_run *r)
{
  const mn_hmm_view *v = r->w->view;
  const size_t lanes = v->layout.w;
  r->blocks = mn_make_blocks(r->n, MN_HMM_LONG_CHUNK, 256);
  r->emission_size = (mn_hmm_emission_workspace(&v->layout) + 7) / 8 * 8;
  r->part_size = lanes * lanes + v->layout.stats;
  r->b = MN_RAW(ctx, double, r->n, lanes);
  r->alpha = MN_RAW(ctx, double, r->n, lanes);
  r->beta = MN_RAW(ctx, double, r->n, lanes);
  r->total = MN_RAW(ctx, double, r->n, 4);
  r->work = MN_RAW(ctx, double, lanes, 1);
  r->emission = MN_RAW(ctx, double, mn_threads(ctx), r->emission_size);
  r->parts = MN_NEW(ctx, double, r->blocks.count, r->part_size);
  r->least = MN_NEW(ctx, double, r->blocks.count, 1);
  if (!r->b || !r->alpha || !r->beta || !r->total || !r->work || !r->emission || !r->parts || !r->least)
    return MN_NO_MEMORY;
  r->shift = r->total + r->n;
  r->offset = r->shift + r->n;
  r->scale = r->offset + r->n;
  r->rows = (mn_hmm_rows){ .at = r->b };
  return MN_OK;
}

static mn_status run_in_logs(mn_context *ctx, struct long_run *r)
{
  const mn_hmm_work *w = r->w;
  const mn_cancel_token token = { .ctx = ctx };
  double *space = MN_RAW(ctx, double, mn_hmm_log_workspace(&w->graph, r->n), 1);
  MN_CHECK_ALLOC(space);
  for (size_t begin = 0; begin < r->n; begin += MN_CHUNK) {
    const size_t end = r->n - begin < MN_CHUNK ? r->n : begin + MN_CHUNK;
    mn_hmm_log_densities(&w->densities, r->first + begin, r->first + end, r->emission,
                         r->b + begin * w->view->layout.w);
  }
  const bool possible = mn_hmm_run_in_logs(w, r->task, r->first, r->n, r->b, r->alpha, space, &token);
  if (w->pass->sums && possible)
    mn_hmm_add_emissions(&w->densities, r->first, r->first + r->n, r->alpha, r->emission,
                         mn_hmm_part_at(w, r->task).emissions, w->given);
  mn_hmm_write_posterior(w, r->first, r->n, r->alpha);
  return mn_poll(ctx);
}

static bool is_accurate(const struct long_run *r)
{
  for (size_t t = 0; t < r->n; t++)
    if (!(r->total[t] > MN_HMM_LEAST_SUM)) return false;
  for (size_t i = 0; r->w->backward && i < r->blocks.count; i++)
    if (!(r->least[i] > MN_HMM_LEAST_SUM)) return false;
  return true;
}

static void begin_forward(struct long_run *r)
{
  const mn_hmm_view *v = r->w->view;
  const size_t lanes = v->layout.w;
  const double *density = r->rows.at + (r->rows.row ? (size_t)r->rows.row[0] : 0) * lanes;
  r->total[0] = 0;
  for (size_t l = 0; l < lanes; l++) {
    r->alpha[l] = l < v->k ? v->chain[l] * density[l] : 0;
    r->total[0] += r->alpha[l];
  }
}

mn_status mn_hmm_run_long(mn_hmm_work *w, size_t task, size_t first, size_t n)
{
  mn_context *ctx = w->ctx;
  const mn_mark mark = mn_scratch_mark(ctx);
  struct long_run r = { .w = w, .task = task, .first = first, .n = n };
  const size_t pairs = w->view->layout.w * w->view->layout.w;
  MN_TRY(make_run(ctx, &r));
  const bool direct = w->densities.direct != NULL;
  if (direct)
    r.rows = (mn_hmm_rows){ .at = w->densities.direct, .row = w->densities.data->code[0] + first };
  else
    MN_TRY(mn_parallel(ctx, r.blocks.count, run_densities, &r));
  begin_forward(&r);
  MN_TRY(mn_parallel(ctx, w->backward ? 2 : 1, run_direction, &r));
  const double loglik = mn_hmm_write_forward(w, first, n, r.alpha, r.total, r.shift, direct ? NULL : r.offset);
  if (w->backward) MN_TRY(mn_parallel(ctx, r.blocks.count, run_posterior, &r));
  if (!is_accurate(&r)) {
    MN_TRY(run_in_logs(ctx, &r));
    mn_scratch_release(ctx, mark);
    return MN_OK;
  }
  const mn_hmm_part part = mn_hmm_part_at(w, task);
  *part.loglik += loglik;
  for (size_t s = 0; w->pass->sums && s < w->view->k; s++) part.counts[s] += r.alpha[s];
  for (size_t b = 0; w->pass->sums && b < r.blocks.count; b++) {
    const double *from = r.parts + b * r.part_size;
    for (size_t i = 0; i < pairs; i++) part.pairs[i] += from[i];
    for (size_t i = 0; i < w->view->layout.stats; i++) part.emissions[i] += from[pairs + i];
  }
  mn_hmm_write_posterior(w, first, n, r.alpha);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
