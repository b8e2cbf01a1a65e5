/* What estimators do that have learned centers, k x features, and assign rows to the nearest one. */
#ifndef MN_CLUSTER_CENTERS_H
#define MN_CLUSTER_CENTERS_H
#include "../model/class.h"
#include "../model/program.h"

/* The index of the nearest center of each row of X, dense or sparse; and the Euclidean distances to all of them. */
mn_status mn_centers_predict(mn_context *ctx, const mn_matrix *centers, const mn_data *data, mn_matrix *out);
mn_status mn_centers_transform(mn_context *ctx, const mn_matrix *centers, const mn_data *data, mn_matrix *out);

/* Both as exported programs. */
void mn_centers_export(const mn_matrix *centers, mn_action action, mn_program *program);

/* Replace learned fields: centers (k x d), labels (n), counts (k). */
mn_status mn_centers_store(mn_context *ctx, size_t n, size_t d, size_t k, const double *centers, const int32_t *label,
                           const double *counts, mn_matrix *out_centers, mn_indexes *out_labels, mn_vector *out_counts);

/* A step of mini-batch k-means: move each center to the mean of all rows that were ever assigned to it, from the sums
 * and total weights of further rows; counts is the weight of all. Returns the sum of the squared movements. */
double mn_centers_move(size_t k, size_t d, const double *sums, const double *totals, double *centers, double *counts);

/* MN_BAD_ARGUMENT, beginning with `who`, if there are fewer rows than clusters, or if `start`, which may be empty, is
 * not n_clusters x features. */
mn_status mn_centers_check(mn_context *ctx, const char *who, int64_t n_clusters, const mn_matrix *start,
                           const mn_data *data);

/* MN_BAD_DATA, beginning with `who`, if the inertia is not finite because squared distances overflow. */
mn_status mn_centers_check_inertia(mn_context *ctx, const char *who, double inertia);

/* For .warning: fewer than n_clusters clusters have rows, because rows of X are equal. */
void mn_centers_warning(int64_t n_clusters, const mn_vector *counts, mn_text_buffer *text);
void mn_centers_label_warning(int64_t n_clusters, const mn_indexes *labels, mn_text_buffer *text);

#endif
