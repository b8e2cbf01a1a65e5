/* The constant v with the lowest Huber loss for n numbers r,
 *
 *     min over v of   sum_i w_i rho(r_i - v) + l2 v^2 / 2 + l1 |v|,      rho(d) = |d| <= delta ? d^2 / 2
 *                                                                               : delta (|d| - delta / 2)
 *
 * which lies between the mean (large delta) and the median (small delta). w NULL: all 1. Returns 0 if n is 0, the
 * numbers are infinite, or the operation was cancelled.
 *
 * Huber, Annals of Mathematical Statistics 35 (1964). */
#ifndef MN_BOOSTING_HUBER_CENTER_H
#define MN_BOOSTING_HUBER_CENTER_H
#include "../core/threads.h"

double mn_huber_center(const mn_cancel_token *token, size_t n, const double *r, const double *w, double delta,
                       double l1, double l2);

#endif
