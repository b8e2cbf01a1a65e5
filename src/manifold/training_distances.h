/* Distances of the rows of methods that start from distances of any metric. */
#ifndef MN_MANIFOLD_TRAINING_DISTANCES_H
#define MN_MANIFOLD_TRAINING_DISTANCES_H
#include "../model/class.h"
#include "../search/distance_matrix.h"

/* Fails for so many rows that n x n numbers fit into no memory; `advice` says what to do instead. */
mn_status mn_check_pairs(mn_context *ctx, const char *who, size_t n, const char *advice);

/* out (n x n) = distances of the training rows; with the metric precomputed X, which is checked. */
mn_status mn_training_distances(mn_context *ctx, const char *who, mn_metric metric, const mn_data *data, double *out);

/* Keep a copy of the training rows in the model, from whose distances new rows are placed; precomputed: none. */
mn_status mn_keep_training_rows(mn_context *ctx, mn_metric metric, const mn_data *data, mn_matrix *training);

/* Check the training rows of a loaded model of n rows. */
mn_status mn_check_training_rows(mn_context *ctx, const mn_estimator *model, mn_metric metric, size_t n,
                                 const mn_matrix *training);

/* Place `rows` new rows, given their distances to all training rows: rows x training rows. */
typedef mn_status (*mn_place)(mn_context *ctx, const void *self, size_t rows, const double *distance, double *out);

/* Call `place` for chunks of the rows of X. `training` has the training rows, unless the metric is precomputed. */
mn_status mn_place_rows(mn_context *ctx, const char *who, mn_metric metric, const mn_matrix *training,
                        const mn_data *data, mn_place place, const void *self, mn_matrix *out);

#endif
