/* Distances between rows with missing values: over the columns where both rows have a value. */
#ifndef MN_IMPUTE_NAN_DISTANCES_H
#define MN_IMPUTE_NAN_DISTANCES_H
#include "../core/matrix.h"

enum { MN_NAN_LANES = 8 };

typedef enum mn_nan_metric { MN_NAN_EUCLIDEAN, MN_NAN_MANHATTAN } mn_nan_metric;

/* Copy rows to groups of eight: value j of row i is out[(i / 8 * cols + j) * 8 + i % 8]. The last group is filled up
 * with NaN. `out`: mn_nan_size(x) values. */
size_t mn_nan_size(const mn_matrix *x);
void mn_nan_pack(const mn_matrix *x, double *out);

/* out[i] = the reduced distance of row i from the query q: the mean of (x_j - q_j)^2, or of |x_j - q_j|, over the
 * columns where both have a value; NaN if there are none. Sums run over the columns in order, without fused
 * multiply-add, so results are the same on every CPU and in exported programs.
 *
 *   groups    groups of eight rows, from mn_nan_pack
 *   present   n_present columns where q has a value */
void mn_nan_distances(mn_nan_metric metric, size_t groups, size_t cols, const double *rows, const double *q,
                      size_t n_present, const int32_t *present, double *out);

#endif
