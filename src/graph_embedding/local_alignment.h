/* Local problems of locally linear embedding: for a row and its k nearest neighbors, a positive semidefinite matrix
 * that says how far coordinates of these rows are from what the method allows. Their sum is minimized over all rows.
 *
 * - standard: (z_i - sum_a w_a z_a)^2, with weights of sum 1 that reconstruct the row.
 *   Roweis & Saul, Science 290 (2000)
 * - modified: the same for several vectors of weights. Zhang & Wang, NIPS 19 (2006)
 * - hessian: the squared Hessian of z as a function on the tangent space. Donoho & Grimes, PNAS 100 (2003)
 * - ltsa: the part of z that is not linear on the tangent space. Zhang & Zha, SIAM J. Sci. Comput. 26 (2004) */
#ifndef MN_GRAPH_EMBEDDING_LOCAL_ALIGNMENT_H
#define MN_GRAPH_EMBEDDING_LOCAL_ALIGNMENT_H
#include "../core/matrix.h"

enum { MN_LLE_STANDARD, MN_LLE_MODIFIED, MN_LLE_HESSIAN, MN_LLE_LTSA };

typedef struct mn_local {
  size_t k, d, components; /* neighbors, columns of X, coordinates */
  int64_t method;
  double reg, eta; /* regularization of the weights; of modified: see mn_local_ratio */
  bool distances;  /* rows have their distances to all rows (d of them) in place of coordinates */
} mn_local;

/* Whether the row itself is part of the problem, after its neighbors. */
bool mn_local_has_row(const mn_local *s);

/* Numbers of workspace that the functions below need. */
size_t mn_local_workspace(const mn_local *s);

/* Weights of sum 1 of the neighbors whose combination is nearest to the row, regularized by reg times the trace of
 * their Gram matrix.
 *
 *   x          d: the row
 *   rows       the rows, d columns
 *   neighbors  k
 *   weights    out: k */
void mn_local_weights(const mn_local *s, const double *x, const double *rows, const int32_t *neighbors, double *weights,
                      double *work);

/* Of modified: the sum of the eigenvalues beyond `components` of the Gram matrix of the neighbors, over that of the
 * others; its median over the rows is eta. */
double mn_local_ratio(const mn_local *s, const double *x, const double *rows, const int32_t *neighbors, double *work);

/* out (m x m) = the matrix; m = k, or k + 1 with the row itself. */
void mn_local_matrix(const mn_local *s, const double *x, const double *rows, const int32_t *neighbors, double *out,
                     double *work);

#endif
