/* Internals shared by the special*.c files. */
#ifndef MN_STATS_SPECIAL_PARTS_H
#define MN_STATS_SPECIAL_PARTS_H
#include <stdbool.h>

#define MN_PI 3.14159265358979323846
#define MN_LOG_2 0.693147180559945309417
#define MN_LOG_SQRT_2PI 0.918938533204672741780 /* log(2 pi) / 2 */
#define MN_SQRT_2PI 2.50662827463100050242
#define MN_INV_SQRT_2PI 0.398942280401432677940

/* Whether v is a valid shape or number of degrees of freedom. Outside these bounds products of parameters would
 * overflow or underflow. */
static inline bool mn_is_shape(double v)
{
  return v >= 5e-101 && v <= 1e100;
}

/* log Gamma(1 + z), z > -1, accurate relative to its value also near z = 0 and z = 1. */
double mn_lgamma1p(double z);

/* log Gamma(b + a) / Gamma(b), a > 0, b > 0, accurate relative to its value also when a is small. */
double mn_lgamma_ratio(double b, double a);

/* The error of Stirling's formula: log Gamma(a) - [(a - 1/2) log a - a + log(2 pi) / 2], a > 0. */
double mn_stirling_error(double a);

/* Both tails of a distribution at a point and their logarithms (which do not underflow), with full relative accuracy.
 * rise = density / lower and fall = density / upper, where the density is that of log x (gamma) or log x / (1 - x)
 * (beta); the quantile solver uses them. */
typedef struct mn_tails {
  double lower, upper, log_lower, log_upper, rise, fall;
} mn_tails;

mn_tails mn_tails_nan(void);
mn_tails mn_tails_at_lower_end(void); /* all probability lies above */
mn_tails mn_tails_at_upper_end(void);
mn_tails mn_tails_swap(mn_tails t);

/* A point of the gamma distribution with scale 1: x > 0, with full relative accuracy of x - a. */
typedef struct mn_gamma_point {
  double a, x, excess;
} mn_gamma_point;

mn_gamma_point mn_gamma_point_at(double a, double x, double x_low); /* the point x + x_low, |x_low| <= ulp(x) */
mn_tails mn_gamma_tails(mn_gamma_point p);
double mn_gamma_log_power(mn_gamma_point p);           /* log x^a e^-x / Gamma(a): the density of log x */
double mn_gamma_solve(double a, double t, bool upper); /* the x whose lower (or upper) tail is t, 0 <= t <= 1 */

/* A point of the beta distribution: x + y = 1, 0 < x < 1, and excess = b x - a y, all with full relative accuracy. */
typedef struct mn_beta_point {
  double a, b, x, y, excess;
} mn_beta_point;

mn_beta_point mn_beta_point_at(double a, double b, double x);
mn_beta_point mn_beta_point_at_odds(double a, double b, double odds); /* odds = x / y */
mn_tails mn_beta_tails(mn_beta_point p);
mn_tails mn_beta_far_tails(double a, double b, double log_x); /* for x so small that 1 - x rounds to 1 */
double mn_beta_log_power(mn_beta_point p);                    /* log x^a y^b / B(a, b): the density of log(x / y) */

/* log x for the x with this log lower tail, if x is so small that 1 - x rounds to 1. */
double mn_beta_log_far_quantile(double a, double b, double log_t);
double mn_beta_solve(double a, double b, double t, bool upper); /* the odds whose lower (or upper) tail is t */

#endif
