/* Counter-based random numbers: Philox4x32-10 (Salmon et al., SC'11) from Random123.
 *
 * A stream is identified by (seed, stream) and independent of all others: tree 17 or restart 3 uses the stream of its
 * index, so results do not depend on which thread runs what. */
#ifndef MN_CORE_RNG_H
#define MN_CORE_RNG_H
#include <stddef.h>
#include <stdint.h>

typedef struct mn_rng {
  uint64_t seed, stream, counter;
  uint32_t word[4];
  unsigned left; /* unused words of word[] */
  double spare;  /* the second normal of a pair, if has_spare */
  int has_spare;
} mn_rng;

mn_rng mn_stream(int64_t seed, uint64_t stream);

uint32_t mn_random_u32(mn_rng *r);
uint64_t mn_random_u64(mn_rng *r);

/* Uniform in [0, 1), with 53 random bits. */
double mn_random_uniform(mn_rng *r);

/* Uniform in 0 .. n-1, unbiased (Lemire 2019). n >= 1. */
size_t mn_random_below(mn_rng *r, size_t n);

/* Standard normal (polar method of Marsaglia). */
double mn_random_normal(mn_rng *r);

/* Standard exponential. */
double mn_random_exponential(mn_rng *r);

/* Gamma of shape > 0 and scale 1 (Marsaglia & Tsang 2000). */
double mn_random_gamma(mn_rng *r, double shape);

/* Inverse Gaussian of mean > 0 and shape > 0, variance mean^3 / shape (Michael, Schucany & Haas 1976). The mean may be
 * infinite: the limit is 1 / Gamma(1/2, rate shape / 2). */
double mn_random_inverse_gaussian(mn_rng *r, double mean, double shape);

/* Shuffle v[0..n-1] (Fisher-Yates). */
void mn_shuffle(mn_rng *r, size_t *v, size_t n);

/* An index 0..n-1 with probability proportional to weight[i] >= 0; n-1 if all weights are 0. */
size_t mn_random_weighted(mn_rng *r, const double *weight, size_t n);

/* The same from cumulative[i] = weight[0] + ... + weight[i], in O(log n), for many draws. */
size_t mn_random_cumulative(mn_rng *r, const double *cumulative, size_t n);

#endif
