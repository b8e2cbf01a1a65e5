#include "ldpc_decode.h"
#include "../core/threads.h"
#include <math.h>
#include <string.h>

mn_status mn_ldpc_block_new(mn_context *ctx, const mn_ldpc_code *code, const mn_ldpc_decoder *d, mn_ldpc_block *b)
{
  const size_t n = code->n, edges = mn_ldpc_edges(code), largest = mn_ldpc_largest_check(code) + 1;
  const size_t lanes = mn_ldpc_lanes(d);
  *b = (mn_ldpc_block){ .llr = MN_RAW(ctx, double, n, lanes) };
  if (d->bytes) {
    b->post8 = MN_RAW(ctx, int8_t, n, lanes);
    b->message8 = MN_RAW(ctx, int8_t, edges + 1, lanes);
    b->work8 = MN_RAW(ctx, int8_t, largest, lanes);
    b->kept8 = MN_RAW(ctx, int8_t, n, lanes);
    return b->llr && b->post8 && b->message8 && b->work8 && b->kept8 ? MN_OK : MN_NO_MEMORY;
  }
  b->post = MN_RAW(ctx, double, n, lanes);
  b->next = MN_RAW(ctx, double, n, lanes);
  b->message = MN_RAW(ctx, double, edges + 1, lanes);
  b->work = MN_RAW(ctx, double, 3 * largest, lanes);
  b->kept = MN_RAW(ctx, double, n, lanes);
  return b->llr && b->post && b->next && b->message && b->work && b->kept ? MN_OK : MN_NO_MEMORY;
}

static void start(const mn_ldpc_code *code, const mn_ldpc_decoder *d, mn_ldpc_block *b)
{
  const size_t lanes = mn_ldpc_lanes(d), n = code->n * lanes, edges = mn_ldpc_edges(code) * lanes;
  if (d->bytes) {
    memset(b->message8, 0, edges * sizeof *b->message8);
    for (size_t i = 0; i < n; i++) {
      const double value = b->llr[i] * d->resolution, most = MN_LDPC_MOST_BIT;
      b->post8[i] = (int8_t)rint(value < -most ? -most : value > most ? most : value);
    }
    return;
  }
  memset(b->message, 0, edges * sizeof *b->message);
  memcpy(b->post, b->llr, n * sizeof *b->post);
}

static void iterate(const mn_ldpc_code *code, const mn_ldpc_decoder *d, mn_ldpc_block *b)
{
  if (d->bytes) {
    mn_ldpc_min_sum_bytes(code, b->post8, b->message8, b->work8);
    return;
  }
  if (!d->flooding) {
    mn_ldpc_iterate(code, &d->update, b->post, NULL, b->message, b->work);
    return;
  }
  memcpy(b->next, b->llr, code->n * MN_LDPC_WIDE_LANES * sizeof *b->next);
  mn_ldpc_iterate(code, &d->update, b->post, b->next, b->message, b->work);
  double *kept = b->post;
  b->post = b->next;
  b->next = kept;
}

/* A word keeps the log odds with which it first satisfied all checks. */
static void keep(const mn_ldpc_code *code, const mn_ldpc_decoder *d, mn_ldpc_block *b, size_t w)
{
  const size_t lanes = mn_ldpc_lanes(d);
  for (size_t j = 0; j < code->n; j++) {
    if (d->bytes)
      b->kept8[j * lanes + w] = b->post8[j * lanes + w];
    else
      b->kept[j * lanes + w] = b->post[j * lanes + w];
  }
}

/* Note the words that now satisfy all checks. Returns whether all have done so. */
static bool test(const mn_ldpc_code *code, const mn_ldpc_decoder *d, mn_ldpc_block *b, size_t iteration)
{
  bool all = true;
  if (d->bytes)
    mn_ldpc_test_bytes(code, b->post8, b->unsatisfied);
  else
    mn_ldpc_test(code, b->post, b->unsatisfied);
  for (size_t w = 0; w < mn_ldpc_lanes(d); w++) {
    if (b->iterations[w] >= 0) continue;
    if (b->unsatisfied[w]) {
      all = false;
      continue;
    }
    b->iterations[w] = (int32_t)iteration;
    keep(code, d, b, w);
  }
  return all;
}

void mn_ldpc_decode_block(const mn_ldpc_code *code, const mn_ldpc_decoder *d, mn_ldpc_block *b)
{
  const size_t lanes = mn_ldpc_lanes(d);
  bool all = false;
  for (size_t w = 0; w < lanes; w++) b->iterations[w] = -1;
  start(code, d, b);
  if (d->early_stop) all = test(code, d, b, 0);
  for (size_t i = 1; i <= d->max_iter && !all; i++) {
    iterate(code, d, b);
    if (d->early_stop || i == d->max_iter) all = test(code, d, b, i);
  }
  for (size_t w = 0; w < lanes; w++) {
    b->unsatisfied[w] = b->iterations[w] < 0;
    if (!b->unsatisfied[w]) continue;
    b->iterations[w] = (int32_t)d->max_iter;
    keep(code, d, b, w);
  }
}

/* --- many words --- */

struct work {
  const mn_ldpc_code *code;
  const mn_ldpc_decoder *d;
  mn_ldpc_block *block; /* for each worker */
  size_t words;
  const double *llr;
  double *post, *iterations, *satisfied;
};

static void decode_task(void *user, size_t index, size_t worker)
{
  const struct work *s = user;
  const size_t lanes = mn_ldpc_lanes(s->d), first = index * lanes, n = s->code->n;
  const size_t count = s->words - first < lanes ? s->words - first : lanes;
  mn_ldpc_block *b = &s->block[worker];
  for (size_t j = 0; j < n; j++)
    for (size_t w = 0; w < lanes; w++) b->llr[j * lanes + w] = s->llr[(first + (w < count ? w : 0)) * n + j];
  mn_ldpc_decode_block(s->code, s->d, b);
  for (size_t w = 0; w < count; w++) {
    for (size_t j = 0; j < n; j++) s->post[(first + w) * n + j] = mn_ldpc_log_odds(s->d, b, j, w);
    s->iterations[first + w] = b->iterations[w];
    s->satisfied[first + w] = !b->unsatisfied[w];
  }
}

mn_status mn_ldpc_decode(mn_context *ctx, const mn_ldpc_code *code, const mn_ldpc_decoder *d, size_t words,
                         const double *llr, double *post, double *iterations, double *satisfied)
{
  const size_t lanes = mn_ldpc_lanes(d), workers = mn_threads(ctx);
  struct work s = { .code = code, .d = d, .words = words, .llr = llr, .post = post, .iterations = iterations };
  s.satisfied = satisfied;
  s.block = MN_RAW(ctx, mn_ldpc_block, workers, 1);
  MN_CHECK_ALLOC(s.block);
  for (size_t i = 0; i < workers; i++) MN_TRY(mn_ldpc_block_new(ctx, code, d, &s.block[i]));
  return mn_parallel(ctx, (words + lanes - 1) / lanes, decode_task, &s);
}
