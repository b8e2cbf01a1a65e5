/* Measures of class probabilities and scores, n x k. Codes are 0-based columns. A weight k counts as k equal rows;
 * NULL: all 1. The sum of weights must be > 0. */
#ifndef MN_METRICS_PROBABILITY_H
#define MN_METRICS_PROBABILITY_H
#include "../core/context.h"

/* MN_BAD_DATA, with row and column, unless all values are from 0 to 1 and, if k > 1, rows sum to 1 within 1e-6. */
mn_status mn_check_probabilities(mn_context *ctx, size_t n, size_t k, const double *p);

/* Mean of -log p of the true class, p clipped to eps .. 1 - eps, eps = 2^-52. k = 1: p is the probability of code 1. */
double mn_log_loss(size_t n, size_t k, const int32_t *code, const double *p, const double *w);

/* Mean over rows of sum_c (p_c - [c is the true class])^2. k = 1: mean of (p - code)^2. Brier, Monthly Weather Review
 * 78 (1950). */
double mn_brier(size_t n, size_t k, const int32_t *code, const double *p, const double *w);

/* Weight of the rows whose true class is among the `top` highest scores; ties are broken by the lowest column. */
double mn_top_hits(size_t n, size_t k, const int32_t *code, const double *score, const double *w, size_t top);

/* Mean of max(0, 1 - margin), where the margin is the score of the true class minus the highest other score; k = 1: the
 * score for code 1, minus the score for code 0. Crammer & Singer, JMLR 2 (2001). */
double mn_hinge(size_t n, size_t k, const int32_t *code, const double *score, const double *w);

/* Calibration of the probabilities p of code 1, in bins of equal width or (quantile) of equal numbers of rows.
 *
 *   weight, p_sum, y_sum  out, `bins` each: the weight of the rows, the weighted sum of p, and the weight of code 1 in
 *                         each bin; a value on an edge belongs to the lower bin
 *
 * MN_NO_MEMORY for the quantiles. */
mn_status mn_calibration(mn_context *ctx, size_t n, const int32_t *code, const double *p, const double *w, size_t bins,
                         bool quantile, double *weight, double *p_sum, double *y_sum);

#endif
