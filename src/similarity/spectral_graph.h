/* Graphs of similar rows and the eigenvectors of their normalized Laplacians,
 *
 *     I - D^-1/2 W D^-1/2,      D = diag(W 1),
 *
 * with weights W_ij of edges between different rows. */
#ifndef MN_SIMILARITY_SPECTRAL_GRAPH_H
#define MN_SIMILARITY_SPECTRAL_GRAPH_H
#include "../model/class.h"

enum { MN_AFFINITY_RBF, MN_AFFINITY_NEIGHBORS, MN_AFFINITY_PRECOMPUTED };
extern const char *const mn_affinity_names[];

typedef struct mn_affinity {
  int64_t kind;
  double gamma;       /* rbf: exp(-gamma d^2)                                                             */
  size_t n_neighbors; /* neighbors: 1 for rows that are neighbors of each other, 1/2 if one is; itself counts */
} mn_affinity;

/* D^-1/2 W D^-1/2, dense or sparse; its diagonal is 0. Scratch memory. */
typedef struct mn_spectral_graph {
  size_t n;
  double *dense; /* n x n, or NULL                         */
  mn_csr sparse; /* or empty                               */
  double *root;  /* n: sqrt(D_ii); 1 for a row without edges */
} mn_spectral_graph;

/* Errors begin with `who`. precomputed: X has the similarities, which are checked. */
mn_status mn_spectral_graph_init(mn_context *ctx, const char *who, mn_affinity affinity, const mn_data *data,
                                 mn_spectral_graph *g);

/* The k smallest eigenvalues of the normalized Laplacian, ascending.
 *
 *   tolerance  largest error of an eigenvector, relative to the largest eigenvalue of the matrix that is multiplied:
 *              2 I minus the Laplacian, or for many rows of a sparse graph its inverse
 *   values     k, out
 *   vectors    k x n, out: unit vectors; the largest element of D^-1/2 v in magnitude is positive */
mn_status mn_spectral_vectors(mn_context *ctx, const char *who, const mn_spectral_graph *g, size_t k, double tolerance,
                              double *values, double *vectors);

/* The number of connected parts. */
mn_status mn_spectral_parts(mn_context *ctx, const mn_spectral_graph *g, size_t *parts);

#endif
