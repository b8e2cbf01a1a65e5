/* Disparities of non-metric multidimensional scaling: the numbers nearest to the distances of an embedding whose order
 * is that of the given distances. Kruskal, Psychometrika 29 (1964), 115-129. */
#ifndef MN_MANIFOLD_DISPARITIES_H
#define MN_MANIFOLD_DISPARITIES_H
#include "../core/context.h"

/* Pairs of rows in the order of their given distances. Scratch memory; `delta` and `weights` are borrowed. */
typedef struct mn_disparities {
  size_t n;
  const double *delta;   /* n x n                                        */
  const double *weights; /* n x n, or NULL: all 1                        */
  size_t count;          /* pairs i < j of positive weight               */
  size_t *pair;          /* count: i n + j, in ascending order of delta  */
  bool split_ties;       /* pairs with equal delta may differ (Kruskal's primary approach), else they are equal
                            (secondary)                                  */
  double total;          /* sum of the weights of the pairs              */
  double *value, *weight;
  size_t *end, *order, *sorted; /* count: workspace                      */
} mn_disparities;

mn_status mn_disparities_init(mn_context *ctx, size_t n, const double *delta, const double *weights, bool split_ties,
                              mn_disparities *s);

/* out (n x n, symmetric) = disparities of the distances d (n x n), scaled so that the weighted sum of their squares
 * over pairs is s->total; 0 for pairs of weight 0. */
mn_status mn_compute_disparities(mn_context *ctx, mn_disparities *s, const double *d, double *out);

/* The monotone regression of d on delta, with the secondary approach to ties, as knots in ascending order: *count pairs
 * of *at and *value in scratch, scaled as the disparities. */
mn_status mn_disparity_knots(mn_context *ctx, mn_disparities *s, const double *d, size_t *count, double **at,
                             double **value);

#endif
