/* k-modes and k-prototypes: k-means for categories, and for numbers and categories together. Minimize
 *
 *     sum_i w_i d(x_i, c_l(i)),    d(x, c) = sum over numeric j (x_j - c_j)^2 + gamma (number of others with x_j !=
 * c_j)
 *
 * by alternately assigning rows and moving centers to the means and the most frequent categories of their rows. */
#ifndef MN_CLUSTER_PROTOTYPES_H
#define MN_CLUSTER_PROTOTYPES_H
#include "../model/operation.h"

enum { MN_PROTOTYPES_PLUS_PLUS, MN_PROTOTYPES_RANDOM, MN_PROTOTYPES_CAO };

typedef struct mn_prototype_settings {
  size_t k;
  int64_t init, n_init, max_iter, seed;
  double gamma;
  const bool *categorical; /* features */
} mn_prototype_settings;

/* In scratch, but for the trace of the report, which the caller owns. A category in a center is the code + 1 of a
 * factor, or the value of a column of numbers. */
typedef struct mn_prototype_result {
  double *centers, *counts; /* k x features; k */
  int32_t *label;           /* rows            */
  double cost;
  mn_report report;
} mn_prototype_result;

/* The best of n_init starts. k is at most the number of rows. */
mn_status mn_prototypes_run(mn_context *ctx, const mn_prototype_settings *s, const mn_data *data,
                            mn_prototype_result *out);

/* Distances to all centers (k x features), rows x k; the nearest is found with ties broken by the lowest index. A
 * category that fit has not seen differs from all. */
mn_status mn_prototypes_distances(mn_context *ctx, const mn_matrix *centers, const bool *categorical, double gamma,
                                  const mn_data *data, mn_matrix *out);
mn_status mn_prototypes_nearest(mn_context *ctx, const mn_matrix *centers, const bool *categorical, double gamma,
                                const mn_data *data, mn_matrix *out);

/* For .check: whether the categories of factor columns are levels. */
mn_status mn_prototypes_check(mn_context *ctx, const mn_estimator *model, const mn_matrix *centers);

/* The centers as a table with the labels of the categories, the result "text". */
mn_status mn_prototypes_summary(mn_context *ctx, const mn_estimator *model, const mn_matrix *centers,
                                const mn_vector *counts, mn_results *results);

#endif
