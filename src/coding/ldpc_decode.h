/* Decoding by belief propagation: words in blocks, one block a task. */
#ifndef MN_CODING_LDPC_DECODE_H
#define MN_CODING_LDPC_DECODE_H
#include "ldpc_kernel.h"

typedef struct mn_ldpc_decoder {
  bool bytes;    /* 8-bit layered min-sum with 3/4; else double precision */
  bool flooding; /* all checks from the bits of the iteration before; else layered */
  mn_ldpc_update update;
  double resolution; /* units of an 8-bit value per unit of a log odds */
  size_t max_iter;
  bool early_stop; /* end a block when all its words satisfy all checks */
} mn_ldpc_decoder;

static inline size_t mn_ldpc_lanes(const mn_ldpc_decoder *d)
{
  return d->bytes ? MN_LDPC_LANES : MN_LDPC_WIDE_LANES;
}

/* Memory of one block. */
typedef struct mn_ldpc_block {
  const double *llr[MN_LDPC_LANES]; /* in: the channel's log odds of 0 against 1, n of each word          */
  double *channel;                  /* double precision: n x lanes, the same                              */
  double *post, *next, *message;    /* n, n, edges x lanes                                                */
  double *work;                     /* 3 x largest check x lanes                                          */
  double *kept;                     /* n x lanes: log odds of the bits, out                               */
  int8_t *post8, *message8, *work8, *kept8;
  int8_t unsatisfied[MN_LDPC_LANES]; /* out: nonzero where a check was never satisfied                    */
  int32_t iterations[MN_LDPC_LANES]; /* out: until all checks were satisfied                              */
} mn_ldpc_block;

mn_status mn_ldpc_block_new(mn_context *ctx, const mn_ldpc_code *code, const mn_ldpc_decoder *d, mn_ldpc_block *block);

/* Decode block->llr. The log odds of bit j of word w are mn_ldpc_log_odds. */
void mn_ldpc_decode_block(const mn_ldpc_code *code, const mn_ldpc_decoder *d, mn_ldpc_block *block);

static inline double mn_ldpc_log_odds(const mn_ldpc_decoder *d, const mn_ldpc_block *b, size_t j, size_t w)
{
  return d->bytes ? b->kept8[j * MN_LDPC_LANES + w] / d->resolution : b->kept[j * MN_LDPC_WIDE_LANES + w];
}

/* Decoded words: of double precision llr, the log odds of the bits (words x n); of 8 bits `bytes`, these times the
 * resolution. For each word its iterations, and whether all checks are satisfied. */
typedef struct mn_ldpc_decoded {
  double *llr;
  int8_t *bytes;
  double *iterations, *satisfied;
} mn_ldpc_decoded;

/* Decode words x n log odds. */
mn_status mn_ldpc_decode(mn_context *ctx, const mn_ldpc_code *code, const mn_ldpc_decoder *d, size_t words,
                         const double *llr, const mn_ldpc_decoded *out);

/* out (words x k) := the bits number place[0..k-1], from 0, of decoded words in 8 bits; place NULL: all, k = n. */
mn_status mn_ldpc_bits(mn_context *ctx, size_t n, size_t words, const int8_t *bytes, size_t k, const int32_t *place,
                       double *out);

/* out (words x n) := the log odds of decoded words in 8 bits. */
mn_status mn_ldpc_unpack(mn_context *ctx, size_t n, size_t words, const int8_t *bytes, double resolution, double *out);

#endif
