/* Low-density parity-check codes: words x of n bits with H x = 0 modulo 2, for a sparse matrix H of m checks.
 *
 * Gallager, Low-Density Parity-Check Codes (1963); Richardson & Urbanke, Modern Coding Theory (2008). */
#ifndef MN_CODING_LDPC_CODE_H
#define MN_CODING_LDPC_CODE_H
#include "../core/context.h"

/* A view of H: check i contains the bits bit[start[i]] .. bit[start[i + 1] - 1]. */
typedef struct mn_ldpc_code {
  size_t n, m;
  const int32_t *start; /* m + 1 */
  const int32_t *bit;   /* start[m], from 0; a check has each bit at most once */
} mn_ldpc_code;

static inline size_t mn_ldpc_edges(const mn_ldpc_code *code)
{
  return (size_t)code->start[code->m];
}
size_t mn_ldpc_largest_check(const mn_ldpc_code *code);

/* A systematic encoder: the bits of a word that carry the message, and the others as sums of these. */
typedef struct mn_ldpc_encoder {
  size_t rank, k, words; /* k = n - rank bits of message; 64-bit words of a row */
  int32_t *message_bit;  /* k, ascending                                        */
  int32_t *parity_bit;   /* rank                                                */
  uint64_t *sum;         /* rank x words: the message bits that add up to each parity bit, as bits of a word of n */
} mn_ldpc_encoder;

/* Gaussian elimination of H, which prefers parity bits at the end of the word. O(m^2 n / 64); scratch of ctx. */
mn_status mn_ldpc_encoder_new(mn_context *ctx, const mn_ldpc_code *code, mn_ldpc_encoder *encoder);

/* word (n bits, 0 or 1) of a message (k bits, 0 or 1). bits: scratch of `words` words. */
void mn_ldpc_encode(const mn_ldpc_encoder *encoder, const mn_ldpc_code *code, const double *message, uint64_t *bits,
                    double *word);

/* Number of checks that a word does not satisfy. */
size_t mn_ldpc_unsatisfied(const mn_ldpc_code *code, const double *word);

/* Progressive edge growth: a code whose bits are in `weight` checks each, with long cycles (Hu, Eleftheriou & Arnold,
 * IEEE Trans. Inf. Theory 51 (2005)). Ties are broken by the stream `seed`. checks: n x weight, from 0. */
mn_status mn_ldpc_grow(mn_context *ctx, size_t n, size_t m, size_t weight, int64_t seed, int32_t *checks);

#endif
