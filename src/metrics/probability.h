/* Measures of probabilities and scores of classes, a row of k for each row of data. Codes are columns, 0-based. A
 * weight stands for as many equal rows; NULL: all 1. Means are over all weight, which must be > 0. */
#ifndef MN_METRICS_PROBABILITY_H
#define MN_METRICS_PROBABILITY_H
#include "../core/context.h"

/* MN_BAD_DATA, with row and column, unless all are from 0 to 1 and, where k > 1, rows add up to 1 within 1e-6. */
mn_status mn_check_probabilities(mn_context *ctx, size_t n, size_t k, const double *p);

/* Mean of -log p of the true class, p kept within eps .. 1 - eps, eps = 2^-52. k = 1: p is that of class 1 of 0, 1. */
double mn_log_loss(size_t n, size_t k, const int32_t *code, const double *p, const double *w);

/* Mean over rows of sum_c (p_c - [true class is c])^2. k = 1: of (p - code)^2, code 0 or 1. Brier, Monthly Weather
 * Review 78 (1950). */
double mn_brier(size_t n, size_t k, const int32_t *code, const double *p, const double *w);

/* Weight of the rows whose true class is among the `top` highest scores; of equal scores the lower column is higher. */
double mn_top_hits(size_t n, size_t k, const int32_t *code, const double *score, const double *w, size_t top);

/* Mean of max(0, 1 - margin), the margin being the score of the true class less the highest of the others; k = 1: the
 * score itself, with sign + for code 1 and - for 0. Crammer & Singer, JMLR 2 (2001). */
double mn_hinge(size_t n, size_t k, const int32_t *code, const double *score, const double *w);

/* Reliability of the probabilities p of class 1 of 0, 1, in bins of equal width, or (quantile) of equal numbers.
 *
 *   weight, p_sum, y_sum  out: `bins` each: of the rows, of p, of class 1, in each bin; a value on an edge belongs to
 *                         the bin below
 *
 * MN_NO_MEMORY for the quantiles. */
mn_status mn_calibration(mn_context *ctx, size_t n, const int32_t *code, const double *p, const double *w, size_t bins,
                         bool quantile, double *weight, double *p_sum, double *y_sum);

#endif
