/* Inner loops over the columns of row-major data.
 *
 * Rows of a narrow matrix do not fill a vector register, so these loops process `groups` of `width` values: a group is
 * one or more adjacent rows, and per-column arrays are repeated for each row of a group (mn_group_rows). */
#ifndef MN_PREPROCESS_COLUMNS_KERNEL_H
#define MN_PREPROCESS_COLUMNS_KERNEL_H
#include "../core/clones.h"
#include <stddef.h>
#include <stdint.h>

/* Number of rows in a group, so that it has at least 16 values. */
static inline size_t mn_group_rows(size_t cols)
{
  return cols >= 16 ? 1 : (15 + cols) / cols;
}

/* sum[t] += x, count[t] += 1 over the finite values. */
void mn_sum_groups(size_t groups, size_t width, const double *restrict x, double *restrict sum, double *restrict count);

/* rest[t] += x - mean[t], square[t] += (x - mean[t])^2 over the finite values. */
void mn_square_groups(size_t groups, size_t width, const double *restrict x, const double *restrict mean,
                      double *restrict rest, double *restrict square);

/* The same with a weight for each row. */
void mn_sum_weighted(size_t rows, size_t cols, const double *restrict x, const double *restrict weight,
                     double *restrict sum, double *restrict count);
void mn_square_weighted(size_t rows, size_t cols, const double *restrict x, const double *restrict weight,
                        const double *restrict mean, double *restrict rest, double *restrict square);

/* Extend low[t] and high[t] to the finite values. */
void mn_range_groups(size_t groups, size_t width, const double *restrict x, double *restrict low,
                     double *restrict high);

/* Largest |x| of n values, none of them NaN. */
double mn_largest_absolute(size_t n, const double *restrict x);

/* out = 1 where x > threshold, else 0 */
void mn_exceeds(size_t n, const double *restrict x, double threshold, double *restrict out);

#endif
