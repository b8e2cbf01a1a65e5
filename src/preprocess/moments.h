/* Weighted means and squared deviations of columns, ignoring missing values, in one pass over memory. */
#ifndef MN_PREPROCESS_MOMENTS_H
#define MN_PREPROCESS_MOMENTS_H
#include "../model/data.h"

/* For each column the sum of the weights of its values, their mean, and the sum of squared deviations from it in units
 * of unit^2. The unit is 1 unless the squares would overflow or underflow; then it is a power of two. Without values:
 * all 0, unit 1. `low` is what rounding took from the mean: tiles whose means differ little would be merged with its
 * error. */
struct mn_moments {
  double *count, *mean, *square, *low, *unit;
};

mn_status mn_moments_init(mn_context *ctx, size_t cols, struct mn_moments *m);

/* Add the rows of `data` to `sum`. The result depends on the rows and their order, not on the number of threads. A
 * column whose values are all equal has square == 0 and mean equal to that value, exactly. */
mn_status mn_moments_add(mn_context *ctx, const mn_data *data, struct mn_moments *sum);

/* The same for sparse X: values that are not stored are 0. */
mn_status mn_moments_add_sparse(mn_context *ctx, const mn_data *data, struct mn_moments *sum);

/* Standard deviation of column j, accurate even if the variance overflows or underflows; 0 without values. */
double mn_moments_std(const struct mn_moments *m, size_t j);

/* Divisor that scales column j to standard deviation 1: the standard deviation, or 1 if that is 0 or within the
 * rounding error of equal values (0.1 + 0.2 and 0.3). */
double mn_moments_scale(const struct mn_moments *m, size_t j);

#endif
