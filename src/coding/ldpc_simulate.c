#include "ldpc_simulate.h"
#include "../core/rng.h"
#include "../core/threads.h"
#include <math.h>

enum { BLOCKS = 16 }; /* of a round */

struct simulation {
  const mn_ldpc_code *code;
  const mn_ldpc_decoder *d;
  const mn_channel *channel;
  int64_t seed;
  size_t first;         /* number of the first word of the round */
  mn_ldpc_block *block; /* for each worker                       */
  double *received;     /* for each worker, lanes x n            */
  mn_ldpc_errors part[BLOCKS];
};

/* Log odds of 0 against 1 of a received bit that was 0. Certain bits of the erasure channel have odds of e^30. */
static double receive(const mn_channel *channel, mn_rng *rng)
{
  const double level = channel->level;
  switch (channel->kind) {
  case MN_CHANNEL_AWGN: return 2 * (1 + level * mn_random_normal(rng)) / (level * level);
  case MN_CHANNEL_BSC: {
    const double odds = log((1 - level) / level);
    return mn_random_uniform(rng) < level ? -odds : odds;
  }
  default: return mn_random_uniform(rng) < level ? 0 : 30;
  }
}

static void simulate_block(void *user, size_t index, size_t worker)
{
  struct simulation *s = user;
  const size_t lanes = mn_ldpc_lanes(s->d), n = s->code->n;
  mn_ldpc_block *b = &s->block[worker];
  mn_ldpc_errors *part = &s->part[index];
  for (size_t w = 0; w < lanes; w++) {
    double *word = s->received + (worker * lanes + w) * n;
    mn_rng rng = mn_stream(s->seed, s->first + index * lanes + w);
    for (size_t j = 0; j < n; j++) word[j] = receive(s->channel, &rng);
    b->llr[w] = word;
  }
  mn_ldpc_decode_block(s->code, s->d, b);
  *part = (mn_ldpc_errors){ .words = lanes };
  for (size_t w = 0; w < lanes; w++) {
    size_t wrong = 0;
    for (size_t j = 0; j < n; j++) wrong += !(mn_ldpc_log_odds(s->d, b, j, w) > 0);
    part->bit_errors += wrong;
    part->squares += (double)wrong * (double)wrong;
    part->word_errors += wrong > 0;
    part->iterations += b->iterations[w];
  }
}

mn_status mn_ldpc_simulate(mn_context *ctx, const mn_ldpc_code *code, const mn_ldpc_decoder *d,
                           const mn_channel *channel, int64_t seed, size_t words, size_t word_errors,
                           mn_ldpc_errors *errors)
{
  const size_t workers = mn_threads(ctx), round = BLOCKS * mn_ldpc_lanes(d);
  struct simulation s = { .code = code, .d = d, .channel = channel, .seed = seed };
  s.block = MN_RAW(ctx, mn_ldpc_block, workers, 1);
  s.received = MN_RAW(ctx, double, workers *mn_ldpc_lanes(d), code->n);
  MN_CHECK_ALLOC(s.block && s.received);
  for (size_t i = 0; i < workers; i++) MN_TRY(mn_ldpc_block_new(ctx, code, d, &s.block[i]));
  *errors = (mn_ldpc_errors){ 0 };
  for (; errors->words < words && errors->word_errors < word_errors; s.first += round) {
    MN_TRY(mn_parallel(ctx, BLOCKS, simulate_block, &s));
    for (size_t i = 0; i < BLOCKS; i++) {
      errors->words += s.part[i].words;
      errors->word_errors += s.part[i].word_errors;
      errors->bit_errors += s.part[i].bit_errors;
      errors->squares += s.part[i].squares;
      errors->iterations += s.part[i].iterations;
    }
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}
