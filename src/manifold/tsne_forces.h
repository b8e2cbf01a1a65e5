/* The gradient of the Kullback-Leibler divergence of t-SNE,
 *
 *     dC/dy_i = 2 (nu + 1) / nu (sum_j p_ij u_ij (y_i - y_j) - 1 / Z sum_j w_ij u_ij (y_i - y_j)),    Z = sum_ij w_ij,
 *
 * with u and w of tsne_kernel.h: van der Maaten & Hinton, JMLR 9 (2008); for any nu van der Maaten, AISTATS (2009). */
#ifndef MN_MANIFOLD_TSNE_FORCES_H
#define MN_MANIFOLD_TSNE_FORCES_H
#include "tsne_grid.h"
#include "tsne_kernel.h"
#include "tsne_tree.h"

typedef enum mn_tsne_method { MN_TSNE_AUTO, MN_TSNE_EXACT, MN_TSNE_BARNES_HUT, MN_TSNE_FFT } mn_tsne_method;

typedef struct mn_tsne_forces {
  size_t n, dims;
  double dof, angle;
  mn_tsne_method method;          /* not auto                                   */
  const double *dense;            /* n x n: p of the method exact; else NULL    */
  mn_tsne_graph graph;            /* p of the other methods                     */
  double *y;                      /* n x dims: the map                          */
  double *attraction, *repulsion; /* n x dims, out: the two sums        */
  double normalization;           /* out: Z                             */
  double divergence;              /* out, if asked for                  */

  double entropy, mass; /* sum of p log p and of p                      */
  float *single;        /* n x dims: y in float32                       */
  double *columns;      /* dims x n: y of the method exact              */
  double *workspace;    /* 2 n for each worker, of the method exact     */
  double *similarity;   /* n: sum of w of each row                      */
  double *parts;        /* log sums of the blocks                       */
  mn_blocks blocks;
  mn_tsne_grid grid;
  mn_tsne_tree tree;
} mn_tsne_forces;

/* Allocate for the given n, dims, dof, method, and p; `spacing` of the grid. */
mn_status mn_tsne_forces_init(mn_context *ctx, mn_tsne_forces *f, double spacing);

/* Compute the sums at f->y, and the divergence on request. */
mn_status mn_tsne_forces_find(mn_context *ctx, mn_tsne_forces *f, bool divergence);

#endif
