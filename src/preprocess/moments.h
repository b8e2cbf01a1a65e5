/* Means and squared deviations of columns, weighted, missing values passed over, in one pass over memory. */
#ifndef MN_PREPROCESS_MOMENTS_H
#define MN_PREPROCESS_MOMENTS_H
#include "../model/data.h"

/* Of each column: the weight of the values that are there, their mean, and the sum of their squared deviations from it
 * in units of `unit`^2. The unit is 1 unless the squares would leave the range of a double; then it is a power of two.
 * Nothing seen yet: all 0, unit 1. */
struct mn_moments {
  double *count, *mean, *square, *unit;
};

mn_status mn_new_moments(mn_context *ctx, size_t cols, struct mn_moments *m);

/* Adds the rows of `data` to `sum`. The result depends on the rows and their order, not on threads. A column whose
 * values are all equal has square == 0 and mean == that value, exactly. */
mn_status mn_add_moments(mn_context *ctx, const mn_data *data, struct mn_moments *sum);

/* Square root of the mean square of column j, as good where the variance itself is out of range; 0 for no values. */
double mn_spread(const struct mn_moments *m, size_t j);

/* What brings column j to spread 1: the spread; but 1 where that is none, or what rounding of equal values may have
 * made (0.1 + 0.2 against 0.3). */
double mn_unit_of(const struct mn_moments *m, size_t j);

#endif
