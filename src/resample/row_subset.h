/* Some rows of the data, and neighbors among them. All memory is scratch. */
#ifndef MN_RESAMPLE_ROW_SUBSET_H
#define MN_RESAMPLE_ROW_SUBSET_H
#include "resampler.h"

typedef struct mn_row_subset {
  size_t n, *row; /* indices in the data, ascending */
  mn_matrix x;    /* n x features                   */
} mn_row_subset;

mn_status mn_subset_of_class(mn_context *ctx, const mn_data *data, size_t c, mn_row_subset *out);
mn_status mn_subset_kept(mn_context *ctx, const mn_data *data, const bool *keep, mn_row_subset *out);

/* All rows, without a copy of X, and the flags to keep each. */
mn_status mn_all_rows(mn_context *ctx, const mn_data *data, mn_row_subset *out, bool **keep);

/* For each query the k nearest rows of x, nearest first, and their distances; ties are broken by the lowest index.
 * queries NULL: the rows of x, each of which is not its own neighbor. *found, *distance (or NULL): queries x k. */
mn_status mn_nearest_of(mn_context *ctx, const mn_matrix *x, const mn_matrix *queries, size_t k, int32_t **found,
                        double **distance);

/* For the n rows of x with these indices, the k nearest other rows of x. *found: n x k. k <= x->rows - 1. */
mn_status mn_nearest_others(mn_context *ctx, const mn_matrix *x, const size_t *row, size_t n, size_t k,
                            int32_t **found);

/* For n rows of class c, how many of their k nearest other rows are of other classes: *others, n. */
mn_status mn_count_others(mn_context *ctx, const mn_data *data, size_t c, const size_t *row, size_t n, size_t k,
                          size_t **others);

/* Checks of fit: each class that gets rows has more than k; the data have more rows than k. `param` is that of k. */
mn_status mn_check_class_neighbors(mn_context *ctx, const mn_resampler *m, const char *param, int64_t k);
mn_status mn_check_neighbors(mn_context *ctx, const mn_resampler *m, const mn_data *data, const char *param, int64_t k);

#endif
