/* Regression errors. y and p are n x q, row-major and finite, with a column for each target; results have one number
 * for each target. A weight k counts as k equal rows; NULL: all 1; their sum must be > 0. */
#ifndef MN_METRICS_ERRORS_H
#define MN_METRICS_ERRORS_H
#include "../core/context.h"

/* The loss that is averaged over rows. */
typedef enum mn_loss {
  MN_LOSS_SQUARED,     /* (y - p)^2                                                            */
  MN_LOSS_ABSOLUTE,    /* |y - p|                                                              */
  MN_LOSS_RELATIVE,    /* |y - p| / max(|y|, 2^-52)                                            */
  MN_LOSS_LOG_SQUARED, /* (log (1 + y) - log (1 + p))^2, both > -1                             */
  MN_LOSS_PINBALL,     /* alpha (y - p) where y > p, else (1 - alpha) (p - y)                  */
  MN_LOSS_TWEEDIE      /* unit deviance of the given power: 0 normal, 1 Poisson, 2 gamma       */
} mn_loss;

/* MN_BAD_DATA, with the row, if a loss is not defined: see above; Tweedie requires p > 0 unless the power is 0, y >= 0
 * for 1 <= power < 2, and y > 0 for power >= 2. A power between 0 and 1 is MN_BAD_ARGUMENT. */
mn_status mn_check_loss(mn_context *ctx, mn_loss loss, double parameter, size_t n, size_t q, const double *y,
                        const double *p);

/* mean: out, q. `parameter` is alpha or the power. MN_NO_MEMORY for the sums of blocks. */
mn_status mn_mean_loss(mn_context *ctx, mn_loss loss, double parameter, size_t n, size_t q, const double *y,
                       const double *p, const double *w, double *mean);

/* median: out, q: of |y - p|; the mean of two values if the weight divides evenly between them. */
mn_status mn_median_error(mn_context *ctx, size_t n, size_t q, const double *y, const double *p, const double *w,
                          double *median);

/* max: out, q: of |y - p| over the rows of weight > 0. */
void mn_max_error(size_t n, size_t q, const double *y, const double *p, const double *w, double *max);

/* The sums of squares for R2 (centered false) and explained variance (centered true: the mean error is subtracted).
 *
 *   residual  out, q: sum_i w_i (y_i - p_i [- mean error])^2
 *   total     out, q: sum_i w_i (y_i - mean y)^2
 */
void mn_sums_of_squares(size_t n, size_t q, const double *y, const double *p, const double *w, bool centered,
                        double *residual, double *total);

#endif
