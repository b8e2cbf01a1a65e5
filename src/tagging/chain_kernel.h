/* Hot loops over the tokens of a sequence. Rows of values by tag are padded to `ld` doubles, a multiple of
 * MN_TAG_LANES, with zeros; arrays of them are aligned to 64 bytes. E are the exponentials of state scores, M those of
 * transitions.
 */
#ifndef MN_TAGGING_CHAIN_KERNEL_H
#define MN_TAGGING_CHAIN_KERNEL_H
#include "../core/clones.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MN_TAG_LANES = 8 };

/* Scores of the tags of n tokens, whose features begin at start[0]:
 *     score[t, l] = sum_a x_ta w[pair (a, l)] */
void mn_chain_scores(size_t n, const size_t *start, const int32_t *col, const double *value, const int32_t *first,
                     const int32_t *label, const double *w, size_t classes, size_t ld, double *score);

/* g[pair (a, l)] += factor[t] x_ta p[t, l]; factor NULL: 1. */
void mn_chain_add_expected(size_t n, const size_t *start, const int32_t *col, const double *value, const int32_t *first,
                           const int32_t *label, const double *p, const double *factor, size_t classes, size_t ld,
                           double *g);

/* score[t, l] = exp(score[t, l] - max_l score[t, l]), at least exp(-300); returns the sum of the maxima. */
double mn_chain_exp(size_t n, size_t classes, size_t ld, double *score);

/* Scaled forward recursion: alpha[t] sums to 1. Returns the log of the sum over all sequences of tags. */
double mn_chain_forward(size_t n, size_t classes, size_t ld, const double *m, const double *e, double *alpha);

/* Scaled backward recursion. p[t, l]: probability of tag l. e becomes u, for which that of tags i, j at t - 1, t is
 * alpha[t-1, i] M[i, j] u[t, j]. mt: M transposed. */
void mn_chain_backward(size_t n, size_t classes, size_t ld, const double *mt, const double *alpha, double *e,
                       double *p);

/* sum[i, j] += sum_t alpha[t-1, i] u[t, j]. sum: rows of ld, classes rounded up to a multiple of 4. */
void mn_chain_add_pairs(size_t n, size_t classes, size_t ld, const double *alpha, const double *u, double *sum);

/* score[t] = softmax of score[t] + transitions[tag[t-1]]; no transitions if they are NULL, or for the first token
 * unless the sequence began before it. loss[t] = log of the sum of the exponentials. */
void mn_chain_softmax(size_t n, size_t classes, size_t ld, const double *transitions, bool continues,
                      const int32_t *tag, double *score, double *loss);

/* Transitions to one token, classes x ld, that depend on its features. place[label]: where a transition stands. */

/* score[i, j] += factor sum_b x_b w[pair (b, i, j)], over n entries. */
void mn_chain_add_feature_scores(size_t n, const int32_t *col, const double *value, const int32_t *first,
                                 const int32_t *label, const double *w, double factor, const int32_t *place,
                                 double *score);

/* g[pair (b, i, j)] += x_b pairs[i, j]. */
void mn_chain_add_feature_pairs(size_t n, const int32_t *col, const double *value, const int32_t *first,
                                const int32_t *label, const int32_t *place, const double *pairs, double *g);

/* m = exp(score - max score), at least exp(-300); returns the maximum. */
double mn_chain_exp_transitions(size_t classes, size_t ld, const double *score, double *m);

/* mn_chain_forward from one token to the next: alpha, of which the log of the scale is returned. */
double mn_chain_forward_step(size_t classes, size_t ld, const double *m, const double *e, const double *before,
                             double *alpha);

/* mn_chain_backward from one token to the one before: e becomes u; beta_before is scaled. alpha_before: of the token
 * before. */
void mn_chain_backward_step(size_t classes, size_t ld, const double *m, const double *alpha_before, double *e,
                            const double *beta, double *beta_before);

/* pairs[i, j] = alpha[i] m[i, j] u[j]: the probabilities of transitions; sums += pairs. */
void mn_chain_pairs(size_t classes, size_t ld, const double *m, const double *alpha, const double *u, double *pairs,
                    double *sums);

/* One step of Viterbi's algorithm: to[j] = score[j] + max_i from[i] + transitions[i, j]; back[j]: the lowest such i. */
void mn_chain_best_step(size_t classes, size_t ld, const double *transitions, const double *from, const double *score,
                        double *to, int32_t *back);

#endif
