/* Temperature scaling. */
#ifndef MN_CALIBRATION_TEMPERATURE_H
#define MN_CALIBRATION_TEMPERATURE_H
#include "../core/context.h"

/* The inverse temperature b, from e^-10 to e^10, that minimizes sum_i w_i -log softmax(b x_i)[code_i]. The loss is
 * convex in b.
 *
 *   x        n x k scores (logits), finite
 *   code     n, 0..k-1
 *   weights  n, or NULL
 *   inverse  out; 1 if all scores of each row are equal
 *
 * Guo, Pleiss, Sun & Weinberger, ICML (2017). */
mn_status mn_fit_temperature(mn_context *ctx, size_t n, size_t k, const double *x, const int32_t *code,
                             const double *weights, double *inverse);

#endif
