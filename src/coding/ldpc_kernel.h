/* Message passing of many words at once: word w of a block is lane w of every array. */
#ifndef MN_CODING_LDPC_KERNEL_H
#define MN_CODING_LDPC_KERNEL_H
#include "ldpc_code.h"

enum { MN_LDPC_LANES = 64, MN_LDPC_WIDE_LANES = 8 };

/* Largest absolute values of 8-bit messages from bits and from checks. Their sum and difference fit. */
enum { MN_LDPC_MOST_BIT = 80, MN_LDPC_MOST_CHECK = 23 };

/* One iteration of layered min-sum in 8 bits. Each outgoing message is 3/4 of the least incoming one, without the one
 * from the same bit.
 *
 *   post     n x 64, the logarithms of odds, updated
 *   message  edges x 64, from checks to bits, updated
 *   work     largest check x 64 */
void mn_ldpc_min_sum_bytes(const mn_ldpc_code *code, int8_t *post, int8_t *message, int8_t *work);

/* post (n x 64) := `resolution` times the log odds of each bit, rounded, at most MN_LDPC_MOST_BIT. llr[w]: those of
 * word w, n of them. */
void mn_ldpc_quantize(size_t n, const double *const *llr, double resolution, int8_t *post);

/* kept := post for the words w with select[w] = -1; 0: as it was. */
void mn_ldpc_keep_bytes(size_t n, const int8_t *select, const int8_t *post, int8_t *kept);

/* words (count x n) := the first `count` columns of kept (n x 64), as rows. */
void mn_ldpc_separate(size_t n, size_t count, const int8_t *kept, int8_t *words);

/* unsatisfied[w], nonzero if a check of word w is not satisfied: a bit that is undecided (0) satisfies none. */
void mn_ldpc_test_bytes(const mn_ldpc_code *code, const int8_t *post, int8_t *unsatisfied);

/* How checks are updated in double precision: sum-product, or min-sum times `scale` less `offset`. */
typedef struct mn_ldpc_update {
  bool min_sum;
  double scale, offset;
} mn_ldpc_update;

/* One iteration in double precision on 8 lanes. next: n x 8 for flooding, which holds the channel's logarithms of odds
 * on entry, and those of the bits on return; NULL: layered. work: 3 x largest check x 8. */
void mn_ldpc_iterate(const mn_ldpc_code *code, const mn_ldpc_update *update, double *post, double *next,
                     double *message, double *work);

void mn_ldpc_test(const mn_ldpc_code *code, const double *post, int8_t *unsatisfied);

#endif
