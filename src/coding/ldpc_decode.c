#include "ldpc_decode.h"
#include "../core/threads.h"
#include <string.h>

mn_status mn_ldpc_block_new(mn_context *ctx, const mn_ldpc_code *code, const mn_ldpc_decoder *d, mn_ldpc_block *b)
{
  const size_t n = code->n, edges = mn_ldpc_edges(code), largest = mn_ldpc_largest_check(code) + 1;
  const size_t lanes = mn_ldpc_lanes(d);
  *b = (mn_ldpc_block){ 0 };
  if (d->bytes) {
    b->post8 = MN_RAW(ctx, int8_t, n, lanes);
    b->message8 = MN_RAW(ctx, int8_t, edges + 1, lanes);
    b->work8 = MN_RAW(ctx, int8_t, largest, lanes);
    b->kept8 = MN_RAW(ctx, int8_t, n, lanes);
    return b->post8 && b->message8 && b->work8 && b->kept8 ? MN_OK : MN_NO_MEMORY;
  }
  b->channel = MN_RAW(ctx, double, n, lanes);
  b->post = MN_RAW(ctx, double, n, lanes);
  b->next = MN_RAW(ctx, double, n, lanes);
  b->message = MN_RAW(ctx, double, edges + 1, lanes);
  b->work = MN_RAW(ctx, double, 3 * largest, lanes);
  b->kept = MN_RAW(ctx, double, n, lanes);
  return b->channel && b->post && b->next && b->message && b->work && b->kept ? MN_OK : MN_NO_MEMORY;
}

static void start(const mn_ldpc_code *code, const mn_ldpc_decoder *d, mn_ldpc_block *b)
{
  const size_t lanes = mn_ldpc_lanes(d), n = code->n, edges = mn_ldpc_edges(code) * lanes;
  if (d->bytes) {
    memset(b->message8, 0, edges * sizeof *b->message8);
    mn_ldpc_quantize(n, b->llr, d->resolution, b->post8);
    return;
  }
  memset(b->message, 0, edges * sizeof *b->message);
  for (size_t j = 0; j < n; j++)
    for (size_t w = 0; w < lanes; w++) b->channel[j * lanes + w] = b->llr[w][j];
  memcpy(b->post, b->channel, n * lanes * sizeof *b->post);
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
  memcpy(b->next, b->channel, code->n * MN_LDPC_WIDE_LANES * sizeof *b->next);
  mn_ldpc_iterate(code, &d->update, b->post, b->next, b->message, b->work);
  double *kept = b->post;
  b->post = b->next;
  b->next = kept;
}

/* Keep the log odds of the words w with select[w] = -1. */
static void keep(const mn_ldpc_code *code, const mn_ldpc_decoder *d, mn_ldpc_block *b, const int8_t *select)
{
  if (d->bytes) {
    mn_ldpc_keep_bytes(code->n, select, b->post8, b->kept8);
    return;
  }
  for (size_t w = 0; w < MN_LDPC_WIDE_LANES; w++)
    for (size_t j = w; select[w] && j < code->n * MN_LDPC_WIDE_LANES; j += MN_LDPC_WIDE_LANES) b->kept[j] = b->post[j];
}

/* Note the words that now satisfy all checks: these keep their log odds. Returns whether all words have done so. */
static bool test(const mn_ldpc_code *code, const mn_ldpc_decoder *d, mn_ldpc_block *b, size_t iteration)
{
  int8_t select[MN_LDPC_LANES];
  size_t open = 0, selected = 0;
  if (d->bytes)
    mn_ldpc_test_bytes(code, b->post8, b->unsatisfied);
  else
    mn_ldpc_test(code, b->post, b->unsatisfied);
  for (size_t w = 0; w < mn_ldpc_lanes(d); w++) {
    const bool was_open = b->iterations[w] < 0;
    select[w] = was_open && !b->unsatisfied[w] ? -1 : 0;
    if (select[w]) b->iterations[w] = (int32_t)iteration;
    open += was_open && !select[w];
    selected += select[w] != 0;
  }
  if (selected) keep(code, d, b, select);
  return open == 0;
}

/* The words that never satisfied all checks keep their last log odds. */
static void finish(const mn_ldpc_code *code, const mn_ldpc_decoder *d, mn_ldpc_block *b)
{
  int8_t select[MN_LDPC_LANES];
  bool any = false;
  for (size_t w = 0; w < mn_ldpc_lanes(d); w++) {
    b->unsatisfied[w] = b->iterations[w] < 0;
    select[w] = b->unsatisfied[w] ? -1 : 0;
    if (b->unsatisfied[w]) b->iterations[w] = (int32_t)d->max_iter;
    any |= b->unsatisfied[w] != 0;
  }
  if (any) keep(code, d, b, select);
}

void mn_ldpc_decode_block(const mn_ldpc_code *code, const mn_ldpc_decoder *d, mn_ldpc_block *b)
{
  bool all = false;
  for (size_t w = 0; w < mn_ldpc_lanes(d); w++) b->iterations[w] = -1;
  start(code, d, b);
  if (d->early_stop) all = test(code, d, b, 0);
  for (size_t i = 1; i <= d->max_iter && !all; i++) {
    iterate(code, d, b);
    if (d->early_stop || i == d->max_iter) all = test(code, d, b, i);
  }
  finish(code, d, b);
}

/* --- many words --- */

struct work {
  const mn_ldpc_code *code;
  const mn_ldpc_decoder *d;
  mn_ldpc_block *block; /* for each worker */
  size_t words;
  const double *llr;
  const mn_ldpc_decoded *out;
};

static void decode_task(void *user, size_t index, size_t worker)
{
  const struct work *s = user;
  const size_t lanes = mn_ldpc_lanes(s->d), first = index * lanes, n = s->code->n;
  const size_t count = s->words - first < lanes ? s->words - first : lanes;
  mn_ldpc_block *b = &s->block[worker];
  for (size_t w = 0; w < lanes; w++) b->llr[w] = s->llr + (first + (w < count ? w : 0)) * n;
  mn_ldpc_decode_block(s->code, s->d, b);
  if (s->d->bytes) mn_ldpc_separate(n, count, b->kept8, s->out->bytes + first * n);
  for (size_t w = 0; w < count; w++) {
    for (size_t j = 0; j < n && !s->d->bytes; j++) s->out->llr[(first + w) * n + j] = b->kept[j * lanes + w];
    s->out->iterations[first + w] = b->iterations[w];
    s->out->satisfied[first + w] = !b->unsatisfied[w];
  }
}

mn_status mn_ldpc_decode(mn_context *ctx, const mn_ldpc_code *code, const mn_ldpc_decoder *d, size_t words,
                         const double *llr, const mn_ldpc_decoded *out)
{
  const size_t lanes = mn_ldpc_lanes(d), workers = mn_threads(ctx);
  struct work s = { .code = code, .d = d, .words = words, .llr = llr, .out = out };
  s.block = MN_RAW(ctx, mn_ldpc_block, workers, 1);
  MN_CHECK_ALLOC(s.block);
  for (size_t i = 0; i < workers; i++) MN_TRY(mn_ldpc_block_new(ctx, code, d, &s.block[i]));
  return mn_parallel(ctx, (words + lanes - 1) / lanes, decode_task, &s);
}

/* --- decoded words in 8 bits --- */

struct unpacking {
  mn_blocks blocks; /* of words */
  size_t n, k;
  const int32_t *place;
  const int8_t *bytes;
  double *out;
  double value[256]; /* of a byte, by its bits */
};

static void unpack_task(void *user, size_t index, size_t worker)
{
  (void)worker;
  const struct unpacking *s = user;
  for (size_t i = mn_block_begin(&s->blocks, index); i < mn_block_end(&s->blocks, index); i++) {
    const int8_t *in = s->bytes + i * s->n;
    double *out = s->out + i * s->k;
    for (size_t j = 0; j < s->k; j++) out[j] = s->value[(uint8_t)in[s->place ? (size_t)s->place[j] : j]];
  }
}

mn_status mn_ldpc_bits(mn_context *ctx, size_t n, size_t words, const int8_t *bytes, size_t k, const int32_t *place,
                       double *out)
{
  struct unpacking s = { mn_make_blocks(words, MN_LDPC_LANES, 1024), n, k, place, bytes, out, { 0 } };
  for (int i = -128; i < 128; i++) s.value[(uint8_t)i] = i < 0;
  return mn_parallel(ctx, s.blocks.count, unpack_task, &s);
}

mn_status mn_ldpc_unpack(mn_context *ctx, size_t n, size_t words, const int8_t *bytes, double resolution, double *out)
{
  struct unpacking s = { mn_make_blocks(words, MN_LDPC_LANES, 1024), n, n, NULL, bytes, out, { 0 } };
  for (int i = -128; i < 128; i++) s.value[(uint8_t)i] = i / resolution;
  return mn_parallel(ctx, s.blocks.count, unpack_task, &s);
}
