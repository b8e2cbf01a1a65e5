#include "umap_curve.h"
#include "../stats/nonlinear.h"
#include <float.h>
#include <math.h>

enum { POINTS = 300, PARAMETERS = 2 };

/* theta = (log a, b), since a > 0. */
static mn_status evaluate(mn_context *ctx, void *user, const double *theta, double *f, double *jacobian)
{
  (void)ctx;
  const double *distance = user;
  for (size_t i = 0; i < POINTS; i++) {
    const double power = distance[i] > 0 ? exp(theta[0] + 2 * theta[1] * log(distance[i])) : 0;
    f[i] = 1 / (1 + power);
    if (!jacobian) continue;
    const double slope = -power * f[i] * f[i];
    jacobian[i * PARAMETERS] = power > 0 ? slope : 0;
    jacobian[i * PARAMETERS + 1] = power > 0 ? 2 * log(distance[i]) * slope : 0;
  }
  return MN_OK;
}

mn_status mn_umap_curve(mn_context *ctx, const char *who, double min_dist, double spread, double *a, double *b)
{
  double distance[POINTS], target[POINTS], theta[PARAMETERS] = { 0, 1 }, covariance[PARAMETERS * PARAMETERS];
  char wide[MN_NUMBER_SIZE], factor[MN_NUMBER_SIZE];
  for (size_t i = 0; i < POINTS; i++) {
    /* in units of spread, where the curve is a' x^(2b) with a' = a spread^(2b) */
    distance[i] = 3 * (double)i / (POINTS - 1);
    target[i] = distance[i] < min_dist / spread ? 1 : exp(-(distance[i] - min_dist / spread));
  }
  const double low[] = { -50, 1e-3 }, high[] = { 50, 100 };
  const mn_nonlinear problem = { .n = POINTS,
                                 .p = PARAMETERS,
                                 .y = target,
                                 .lower = low,
                                 .upper = high,
                                 .evaluate = evaluate,
                                 .user = distance,
                                 .analytic = true,
                                 .tol = 1e-10,
                                 .max_iter = 500 };
  mn_nonlinear_result result;
  MN_TRY(mn_nonlinear_fit(ctx, &problem, theta, covariance, &result));
  if (!result.converged && !result.stalled)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: no curve fits min_dist and spread; min_dist must be less than 3 spread",
                   who);
  *b = theta[1];
  *a = exp(theta[0] - 2 * theta[1] * log(spread));
  if (*a >= FLT_MIN && *a <= FLT_MAX) return MN_OK; /* the layout has floats */
  return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: spread must be nearer to 1, got %s, with which the curve has a = %s", who,
                 mn_format_number(wide, spread), mn_format_number(factor, *a));
}
