/* Measures of predicted numbers. y and p are n x q, row-major, finite, a column for each target; results are one number
 * for each target. A weight stands for as many equal rows; NULL: all 1; their sum must be > 0. */
#ifndef MN_METRICS_ERRORS_H
#define MN_METRICS_ERRORS_H
#include "../core/context.h"

/* What is averaged over rows. */
typedef enum mn_loss {
  MN_LOSS_SQUARED,     /* (y - p)^2                                                            */
  MN_LOSS_ABSOLUTE,    /* |y - p|                                                              */
  MN_LOSS_RELATIVE,    /* |y - p| / |y|, y = 0 taken as 2^-52                                  */
  MN_LOSS_LOG_SQUARED, /* (log (1 + y) - log (1 + p))^2, both > -1                             */
  MN_LOSS_PINBALL,     /* alpha (y - p) where y > p, else (1 - alpha) (p - y)                  */
  MN_LOSS_TWEEDIE      /* unit deviance of the given power: 0 normal, 1 Poisson, 2 gamma       */
} mn_loss;

/* MN_BAD_DATA, with the row, where a loss is not defined: see above, and for Tweedie p > 0 unless the power is 0, and
 * y >= 0 for a power from 1 to 2 (excluded), y > 0 from 2 on. A power between 0 and 1 is MN_BAD_ARGUMENT. */
mn_status mn_check_loss(mn_context *ctx, mn_loss loss, double parameter, size_t n, size_t q, const double *y,
                        const double *p);

/* mean: out, q. `parameter` is alpha or the power. MN_NO_MEMORY for the sums of blocks. */
mn_status mn_mean_loss(mn_context *ctx, mn_loss loss, double parameter, size_t n, size_t q, const double *y,
                       const double *p, const double *w, double *mean);

/* median: out, q: of |y - p|. The mean of the two middle ones where the weight divides evenly. */
mn_status mn_median_error(mn_context *ctx, size_t n, size_t q, const double *y, const double *p, const double *w,
                          double *median);

/* most: out, q: of |y - p| among rows of a weight > 0. */
void mn_max_error(size_t n, size_t q, const double *y, const double *p, const double *w, double *most);

/* The sums that R2 (centered false) and explained variance (true: the mean error is taken off) are made of.
 *
 *   rest   out: q; sum_i w_i (y_i - p_i [- their mean])^2
 *   whole  out: q; sum_i w_i (y_i - mean y)^2
 */
void mn_sums_of_squares(size_t n, size_t q, const double *y, const double *p, const double *w, bool centered,
                        double *rest, double *whole);

#endif
