/* The affinities of t-SNE: conditional probabilities of neighbors, with the width of each Gaussian found by bisection,
 *
 *     p_j|i ~ exp(-beta_i d_ij^2),    -sum_j p_j|i log p_j|i = log(perplexity),
 *
 * and their symmetric mean p_ij = (p_j|i + p_i|j) / (2 n). Of several perplexities the conditional probabilities are
 * averaged. */
#ifndef MN_MANIFOLD_TSNE_AFFINITIES_H
#define MN_MANIFOLD_TSNE_AFFINITIES_H
#include "../model/class.h"
#include "../search/neighbor_index.h"

typedef struct mn_perplexities {
  size_t count;
  const double *at; /* count, >= 1 */
} mn_perplexities;

/* Neighbors that have noticeable probability: 3 perplexities, at most `most`, at least 1. */
size_t mn_tsne_neighbors(mn_perplexities perplexities, size_t most);

/* p_j|i of one row, from its distances to k >= 1 others.
 *
 *   distance  k, in; squared distances above the least on return
 *   p         k, out; work: k values */
void mn_tsne_conditional(mn_perplexities perplexities, size_t k, double *distance, double *p, double *work);

/* The distances of all pairs as p_ij in place (n x n). */
mn_status mn_tsne_dense_affinities(mn_context *ctx, mn_perplexities perplexities, size_t n, double *p);

/* A symmetric matrix with zero diagonal and sum 1, in float32. Scratch. */
typedef struct mn_tsne_graph {
  size_t n;
  size_t *start; /* n + 1                          */
  int32_t *col;  /* start[n], ascending in each row */
  float *p;
} mn_tsne_graph;

/* p_ij from the k nearest neighbors of each row: found and distance are n x k; distance is overwritten. */
mn_status mn_tsne_sparse_affinities(mn_context *ctx, mn_perplexities perplexities, size_t n, size_t k,
                                    const int32_t *found, double *distance, mn_tsne_graph *graph);

#endif
