/* Columns of X centered about their weighted means and divided by their root mean squares, [1 Z], in which Gram
 * matrices are well-conditioned; and covariances of coefficients brought back to the columns of X. */
#ifndef MN_LINEAR_SCALED_COLUMNS_H
#define MN_LINEAR_SCALED_COLUMNS_H
#include "../core/context.h"
#include "../model/data.h"

typedef struct mn_scaled_columns {
  size_t p;
  bool intercept;      /* without one, the means are 0                              */
  double *mean, *norm; /* p: norm is infinite for a constant column, whose Z is 0 */
} mn_scaled_columns;

/* Means and root mean squares of dense or sparse X, in scratch memory. */
mn_status mn_scaled_columns_init(mn_context *ctx, const mn_data *data, bool intercept, mn_scaled_columns *s);

/* Rows first .. first + count - 1 of [1 Z]. buffer: features, used for sparse X. */
void mn_scaled_rows(const mn_scaled_columns *s, const mn_data *data, size_t first, size_t count, double *buffer,
                    double *out);

/* All rows of [1 Z] of dense X. */
mn_status mn_scaled_matrix(mn_context *ctx, const mn_scaled_columns *s, const mn_data *data, double *out);

/* In place: the covariance of `blocks` vectors of coefficients of [1 Z], one after the other, to that of [1 X]. */
void mn_unscale_covariance(const mn_scaled_columns *s, size_t blocks, double *v);

#endif
