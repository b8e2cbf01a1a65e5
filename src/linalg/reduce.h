/* Sums, means, variances and extremes of all values, of each row, or of each column. Blocks depend on the shape alone
 * and are added in order, so results do not depend on the number of threads; the number of lanes is fixed, so they do
 * not depend on the CPU. */
#ifndef MN_LINALG_REDUCE_H
#define MN_LINALG_REDUCE_H
#include "../core/matrix.h"

/* Sixteen partial sums over blocks of fixed size. NaN and infinity propagate as in IEEE 754. */
double mn_sum_values(size_t n, const double *x);
double mn_dot_values(size_t n, const double *x, const double *y);

/* The same sum, bit for bit, in parallel for long arrays. */
mn_status mn_dot(mn_context *ctx, size_t n, const double *x, const double *y, double *dot);

/* |x|_2, computed without overflow or underflow. */
mn_status mn_norm2(mn_context *ctx, size_t n, const double *x, double *norm);

typedef enum mn_axis { MN_WHOLE, MN_EACH_ROW, MN_EACH_COLUMN } mn_axis;

typedef enum mn_reduction {
  MN_SUM,      /* 0 if empty */
  MN_MEAN,     /* NaN if empty */
  MN_MIN,      /* NaN if there is one; +inf if empty */
  MN_MAX,      /* NaN if there is one; -inf if empty */
  MN_VARIANCE, /* sum (x - mean)^2 / (n - ddof), in two passes with correction; NaN when n <= ddof */
  MN_STD       /* square root of the variance */
} mn_reduction;

/* out: 1, x->rows or x->cols values. MN_NO_MEMORY for partial results; MN_CANCELLED. */
mn_status mn_reduce(mn_context *ctx, mn_reduction what, mn_axis axis, double ddof, const mn_matrix *x, double *out);

#endif
