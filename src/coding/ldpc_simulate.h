/* Error rates of a code over channels without memory, by simulation of the word of zeros: decoders and channels are
 * symmetric, so every word has the same error rates. */
#ifndef MN_CODING_LDPC_SIMULATE_H
#define MN_CODING_LDPC_SIMULATE_H
#include "ldpc_decode.h"

typedef enum mn_channel_kind { MN_CHANNEL_AWGN, MN_CHANNEL_BSC, MN_CHANNEL_BEC } mn_channel_kind;

/* AWGN: +-1 plus normal noise of this standard deviation. BSC: bits flip with this probability. BEC: bits are erased
 * with this probability. */
typedef struct mn_channel {
  mn_channel_kind kind;
  double level;
} mn_channel;

typedef struct mn_ldpc_errors {
  size_t words, word_errors, bit_errors;
  double squares;    /* sum over words of the square of their bit errors */
  double iterations; /* sum over words */
} mn_ldpc_errors;

/* Simulate words until `word_errors` of them have errors, or there are `words`; always whole rounds of 16 blocks. The
 * noise of a word depends on the seed and its number. Errors are in any of the n bits. */
mn_status mn_ldpc_simulate(mn_context *ctx, const mn_ldpc_code *code, const mn_ldpc_decoder *d,
                           const mn_channel *channel, int64_t seed, size_t words, size_t word_errors,
                           mn_ldpc_errors *errors);

#endif
