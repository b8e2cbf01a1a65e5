/* Standard errors of quantile regression. */
#ifndef MN_ROBUST_QUANTILE_INFERENCE_H
#define MN_ROBUST_QUANTILE_INFERENCE_H
#include "../model/data.h"
#include "../core/context.h"

enum mn_quantile_figure {
  MN_QUANTILE_QUARTILES,    /* minimum, quartiles and maximum of the residuals      */
  MN_QUANTILE_DF = 5,       /* sum of the weights minus the number of coefficients  */
  MN_QUANTILE_BANDWIDTH,    /* of the kernel, in units of y; 0 for an exact fit     */
  MN_QUANTILE_MEAN_DENSITY, /* of the errors at the fit                             */
  MN_QUANTILE_TOTAL,        /* sum of the weights                                   */
  MN_QUANTILE_FIGURES
};

/* Powell's sandwich (se = "ker" of summary.rq in R's quantreg), which allows errors whose density f_i depends on x_i.
 * With X including the constant and weights that count rows,
 *
 *     cov(b) = q (1 - q) inv(H) X'WX inv(H),   H = sum_i w_i f_i x_i x_i',   f_i = phi(r_i / h) / h,
 *     h = min(sd(r), IQR(r) / 1.34) (z(q + d) - z(q - d)),   d = n^(-1/3) z(0.975)^(2/3) (1.5 phi^2 / (2 z^2 +
 * 1))^(1/3)
 *
 * where z is the normal quantile and phi its density at z(q); d of Hall & Sheather (J. R. Statist. Soc. B 50, 1988) is
 * halved until q - d and q + d are quantiles. Powell (1991); Koenker, Quantile Regression (2005), section 3.4.2.
 *
 *   residual   data->rows
 *   std_error  coefficients, the intercept first where there is one, out: NaN if the columns of X are collinear, the
 *              degrees of freedom are not positive or at least half of the rows are fitted exactly
 *   figure     MN_QUANTILE_FIGURES, out */
mn_status mn_quantile_inference(mn_context *ctx, const mn_data *data, double quantile, bool intercept,
                                const double *residual, double *std_error, double *figure);

#endif
