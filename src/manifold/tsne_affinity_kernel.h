/* Loops of tsne_affinities.h over the neighbors of one row. No argument is checked; arrays must not overlap. */
#ifndef MN_MANIFOLD_TSNE_AFFINITY_KERNEL_H
#define MN_MANIFOLD_TSNE_AFFINITY_KERNEL_H
#include <stddef.h>

/* p = exp(-beta d); sum[0] = sum of p, sum[1] = sum of d p. d >= 0; one is 0. */
void mn_tsne_gaussian(size_t k, double beta, const double *restrict d, double *restrict p, double *restrict sum);

#endif
