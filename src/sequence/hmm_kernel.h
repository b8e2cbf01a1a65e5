/* Loops of hidden Markov models over rows. The lanes of a vector are states: arrays of `w` values per row, w being the
 * number of states rounded up by mn_hmm_lanes, whose surplus lanes have transitions of probability 0. */
#ifndef MN_SEQUENCE_HMM_KERNEL_H
#define MN_SEQUENCE_HMM_KERNEL_H
#include <stddef.h>
#include <stdint.h>

/* Logarithms below this stand for that of 0. */
#define MN_HMM_LOG_ZERO (-1e300)
#define MN_HMM_IMPOSSIBLE (-1e290)

static inline size_t mn_hmm_lanes(size_t states)
{
  return states <= 4 ? 4 : (states + 7) / 8 * 8;
}

/* Densities of rows. Row t: at[(row ? row[t] : t) * w ...]. */
typedef struct mn_hmm_rows {
  const double *at;
  const int32_t *row; /* or NULL */
} mn_hmm_rows;

/* b = exp(b - largest), and the largest of each row; -inf and what is far below are 0. */
void mn_hmm_normalize(size_t n, size_t w, double *b, double *largest);

/* alpha_t = 2^-shift_t (alpha_{t-1} A) b_t for t = first .. n-1, where 2^shift_t is the power of two next to the sum
 * of alpha_{t-1}; total_t is the sum of alpha_t. A: w x w, 0 outside of k x k. alpha_{first-1} and total_{first-1} are
 * given. */
void mn_hmm_forward(size_t first, size_t n, size_t k, size_t w, const double *a, const mn_hmm_rows *b, double *alpha,
                    double *total, double *shift);

/* beta_t = scale_t A (b_{t+1} beta_{t+1}) for t = n-2 .. first, scale_t being a power of two. `a` is the transpose of
 * A, w x w. `beta` and `scale` begin at row `origin`; beta_{n-1} is given. work: w. */
void mn_hmm_backward(size_t first, size_t n, size_t origin, size_t k, size_t w, const double *a, const mn_hmm_rows *b,
                     double *beta, double *scale, double *work);

/* gamma_t = alpha_t beta_t / sum, in place of alpha_t, for t = first .. end-1; and for the pairs of rows t, t + 1 with
 * t < last: pairs_ij += alpha_t(i) b_{t+1}(j) beta_{t+1}(j) scale_t / sum, without A_ij. Returns the smallest sum.
 * pairs: w x w, or NULL. `beta` and `scale` begin at row `origin`. */
double mn_hmm_posterior(size_t first, size_t end, size_t last, size_t origin, size_t k, size_t w, const mn_hmm_rows *b,
                        const double *beta, const double *scale, double *alpha, double *pairs);

/* The likeliest states: delta_t(j) = max_i (delta_{t-1}(i) + log A_ij) + log b_t(j), and the first i that attains the
 * maximum, for t = 1 .. n-1. a: k x w. delta: 2 x w, row 0 given; on return the last row is in delta[(n-1) % 2]. */
void mn_hmm_viterbi(size_t n, size_t k, size_t w, const double *a, const mn_hmm_rows *log_b, double *delta,
                    uint16_t *from);

/* Gaussian log densities: x is n x p; mean p x c, root p(p+1)/2 x c (upper triangular R by rows, precision = R R'; its
 * diagonal, p x c, if `diagonal`), start c; c components in lanes. work: p x c. out: n x c. */
void mn_hmm_gaussian_logs(size_t n, size_t p, size_t c, int diagonal, const double *x, const double *mean,
                          const double *root, const double *start, double *work, double *out);

/* Sums over rows of weights (n x c), weighted x - mean (p x c), and the upper triangle of its products by rows (or
 * squares). */
void mn_hmm_gaussian_sums(size_t n, size_t p, size_t c, int diagonal, const double *x, const double *mean,
                          const double *weight, double *work, double *count, double *sum, double *scatter);

/* table (codes x w) += weights (n x w) of the rows of each code. */
void mn_hmm_category_sums(size_t n, size_t w, const int32_t *code, const double *weight, double *table);

/* The log density of each of `w` states with `mix` components: out = log sum_m exp(log_component), n x (mix w) to
 * n x w. */
void mn_hmm_mix(size_t n, size_t mix, size_t w, const double *component, double *out);

/* component = state weight * exp(component - out), the weights of the components. */
void mn_hmm_unmix(size_t n, size_t mix, size_t w, const double *state, const double *out, double *component);

#endif
