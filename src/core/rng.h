/* Random numbers by counting: Philox4x32-10 (Salmon et al., SC'11) from Random123.
 *
 * A stream is named by (seed, stream) and owes nothing to any other: tree 17 or restart 3 takes its own by index, so
 * results do not depend on which thread did what. */
#ifndef MN_CORE_RNG_H
#define MN_CORE_RNG_H
#include <stddef.h>
#include <stdint.h>

typedef struct mn_rng {
  uint64_t seed, stream, counter;
  uint32_t word[4];
  unsigned left; /* words not yet used */
  double spare;  /* second normal of a pair */
  int has_spare;
} mn_rng;

mn_rng mn_stream(int64_t seed, uint64_t stream);

uint32_t mn_random_u32(mn_rng *r);
uint64_t mn_random_u64(mn_rng *r);

/* In [0, 1), 53 random bits. */
double mn_random_uniform(mn_rng *r);

/* In 0 .. n-1, without bias (Lemire 2019). n >= 1. */
size_t mn_random_below(mn_rng *r, size_t n);

/* Standard normal (polar method of Marsaglia). */
double mn_random_normal(mn_rng *r);

/* Standard exponential. */
double mn_random_exponential(mn_rng *r);

/* Gamma of shape > 0 and scale 1 (Marsaglia & Tsang 2000). */
double mn_random_gamma(mn_rng *r, double shape);

/* Inverse Gaussian of mean > 0 and shape > 0, variance mean^3 / shape (Michael, Schucany & Haas 1976). The mean may be
 * infinite: then the inverse of a Gamma of shape 1/2 and rate shape / 2. */
double mn_random_inverse_gaussian(mn_rng *r, double mean, double shape);

/* Shuffle v[0..n-1] (Fisher-Yates). */
void mn_shuffle(mn_rng *r, size_t *v, size_t n);

/* An index 0..n-1 with probability proportional to weight[i] >= 0; n-1 when all are 0. */
size_t mn_random_weighted(mn_rng *r, const double *weight, size_t n);

/* The same of weights that were summed up: running[i] = weight[0] + ... + weight[i]. For many draws. */
size_t mn_random_cumulative(mn_rng *r, const double *running, size_t n);

#endif
