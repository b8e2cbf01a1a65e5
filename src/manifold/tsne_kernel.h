/* Forces between rows of a t-SNE map of `dims` dimensions. With u = 1 / (1 + |y_i - y_j|^2 / dof),
 *
 *     attraction   sum_j p_ij u (y_i - y_j)
 *     repulsion    sum_j w u (y_i - y_j),      w = u^((dof + 1) / 2)
 *
 * No argument is checked; arrays must not overlap. */
#ifndef MN_MANIFOLD_TSNE_KERNEL_H
#define MN_MANIFOLD_TSNE_KERNEL_H
#include "tsne_affinities.h"

/* out (n x dims), rows begin .. end - 1 = attraction, for y (n x dims) and 1 <= dims <= 3. */
void mn_tsne_attract(const mn_tsne_graph *g, size_t dims, size_t begin, size_t end, const float *y, double dof,
                     double *out);

/* sum over rows begin .. end - 1 of sum_j p_ij log(1 / u). */
double mn_tsne_log_sum(const mn_tsne_graph *g, size_t dims, size_t begin, size_t end, const float *y, double dof);

/* One point against n others. */
typedef struct mn_tsne_pairs {
  size_t n, dims;
  const double *y;  /* dims x n                        */
  const double *at; /* dims: the point                 */
  const double *p;  /* n, or NULL: no attraction       */
  double dof;
  double *work;                   /* 2 n                             */
  double *attraction, *repulsion; /* dims, out          */
  double similarity;              /* out: sum of w      */
  double log_sum;                 /* out: sum of p log(1 / u) */
} mn_tsne_pairs;
void mn_tsne_all_pairs(mn_tsne_pairs *s);

#endif
