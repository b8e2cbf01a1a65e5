/* Sums, means, spreads and extremes: of all values, of each row, of each column. Blocks are cut by shape alone and
 * added in order, so results do not depend on the number of threads; lanes are fixed, so they do not depend on the CPU.
 */
#ifndef MN_LINALG_REDUCE_H
#define MN_LINALG_REDUCE_H
#include "../core/matrix.h"

/* Sixteen sums side by side over blocks of fixed size. NaN and infinity spread as in IEEE 754. */
double mn_sum_values(size_t n, const double *x);
double mn_dot_values(size_t n, const double *x, const double *y);

/* Over the threads of the context for long arrays; the same bits as above. */
mn_status mn_total(mn_context *ctx, size_t n, const double *x, double *sum);
mn_status mn_dot(mn_context *ctx, size_t n, const double *x, const double *y, double *dot);

/* |x|_2 without overflow or underflow on the way. */
mn_status mn_norm2(mn_context *ctx, size_t n, const double *x, double *norm);

typedef enum mn_axis { MN_WHOLE, MN_EACH_ROW, MN_EACH_COLUMN } mn_axis;

typedef enum mn_reduction {
  MN_SUM,      /* 0 of nothing */
  MN_MEAN,     /* NaN of nothing */
  MN_MIN,      /* NaN where there is one; +inf of nothing */
  MN_MAX,      /* NaN where there is one; -inf of nothing */
  MN_VARIANCE, /* sum (x - mean)^2 / (n - ddof), in two passes with correction; NaN when n <= ddof */
  MN_STD       /* its root */
} mn_reduction;

/* out: 1, x->rows or x->cols values. MN_NO_MEMORY for the parts of blocks; MN_CANCELLED. */
mn_status mn_reduce(mn_context *ctx, mn_reduction what, mn_axis axis, double ddof, const mn_matrix *x, double *out);

#endif
