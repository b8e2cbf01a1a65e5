/* Quantiles: the inverses of the incomplete gamma and beta functions.
 *
 * They are solved for v = log x (gamma) or v = log x / (1 - x) (beta). The density of v is log-concave in both cases,
 * so the logarithm g(v) of either tail is concave, and Newton iteration on g(v) = log t converges from any start.
 * Halley's correction makes it cubic, and a bracket guards against rounding. The smaller tail is always the one solved
 * for, because the larger one is too flat to resolve neighboring points. */
#include "special.h"
#include "special_parts.h"
#include <float.h>
#include <math.h>

/* The tail T at z = e^v. */
typedef struct tail_point {
  double value, log_value; /* T and log T                          */
  double slope;            /* d log T / dv                         */
  double density_slope;    /* d log density / dv                   */
} tail_point;

typedef struct problem {
  double a, b, t; /* b is not used by gamma */
  bool upper;
  tail_point (*at)(const struct problem *p, double z);
} problem;

/* log T(v) - log t. Computed from T - t if the two are close, since far out their logarithms are large. */
static double log_ratio(tail_point h, double t)
{
  const double relative = (h.value - t) / t;
  return fabs(relative) < 0.5 ? log1p(relative) : h.log_value - log(t);
}

/* A Halley step in v for g = log T - log t with g' = slope and g'' = slope (density_slope - slope). */
static double halley_step(double g, double slope, double density_slope)
{
  const double newton = -g / slope, correction = 0.5 * newton * (density_slope - slope);
  return newton / fmin(fmax(1 + correction, 0.5),
                       2); /* limited to between half and twice a Newton step, in case rounding spoils the correction */
}

/* The z with tail t. */
static double solve(const problem *p, double z)
{
  double low = DBL_MIN, high = DBL_MAX; /* the bracket, ends included */
  for (int i = 0; i < 200; i++) {
    const tail_point h = p->at(p, z);
    const double g = log_ratio(h, p->t);
    if (g == 0) return z;
    if ((g < 0) == p->upper)
      high = z;
    else
      low = z;
    const double step = halley_step(g, h.slope, h.density_slope), next = z * exp(step);
    if (fabs(step) < 1e-10) return next;
    z = i < 50 && next > low && next < high ? next : sqrt(low) * sqrt(high);
    if (!(high > low * (1 + DBL_EPSILON))) break;
  }
  return z;
}

/* ---------- gamma ---------- */

static tail_point gamma_at(const problem *p, double x)
{
  const mn_gamma_point point = mn_gamma_point_at(p->a, x, 0);
  const mn_tails tails = mn_gamma_tails(point);
  return (tail_point){ .value = p->upper ? tails.upper : tails.lower,
                       .log_value = p->upper ? tails.log_upper : tails.log_lower,
                       .slope = p->upper ? -tails.fall : tails.rise,
                       .density_slope = -point.excess };
}

/* A start: Wilson & Hilferty (1931); near 0 the leading power, with the given log x; far out for a < 1 the bound Q(a,
 * x) < x^(a-1) e^-x / Gamma(a). */
static double gamma_start(const problem *p, double log_power)
{
  const double z = p->upper ? mn_normal_isf(p->t) : mn_normal_quantile(p->t);
  const double root = 1 - 1 / (9 * p->a) + z / (3 * sqrt(p->a));
  if (p->a >= 1 && root > 0.3) return p->a * root * root * root;
  const double far = -log(p->t) - mn_lgamma(p->a);
  if (p->a < 1 && p->upper && far > 1) return far;
  return exp(fmin(log_power, 0));
}

/* log x at which the leading power of the lower tail has the given value. */
static double gamma_log_power(const problem *p)
{
  return ((p->upper ? log1p(-p->t) : log(p->t)) + mn_lgamma1p(p->a)) / p->a;
}

double mn_gamma_solve(double a, double t, bool upper)
{
  if (t == 0 || t == 1) return (t == 0) == upper ? INFINITY : 0;
  const problem p = { .a = a, .t = t > 0.5 ? 1 - t : t, .upper = (t > 0.5) != upper, .at = gamma_at };
  const double log_power = gamma_log_power(&p);
  if (log_power < -700) return exp(log_power);
  return solve(&p, gamma_start(&p, log_power));
}

double mn_gamma_p_inverse(double a, double p)
{
  return mn_is_shape(a) && p >= 0 && p <= 1 ? mn_gamma_solve(a, p, false) : NAN;
}

double mn_gamma_q_inverse(double a, double q)
{
  return mn_is_shape(a) && q >= 0 && q <= 1 ? mn_gamma_solve(a, q, true) : NAN;
}

/* ---------- beta ---------- */

static tail_point beta_at(const problem *p, double odds)
{
  const mn_beta_point point = mn_beta_point_at_odds(p->a, p->b, odds);
  const mn_tails tails = mn_beta_tails(point);
  return (tail_point){
    .value = tails.lower, .log_value = tails.log_lower, .slope = tails.rise, .density_slope = -point.excess
  };
}

double mn_beta_log_far_quantile(double a, double b, double log_t)
{
  return (log_t + mn_lgamma1p(a) - mn_lgamma_ratio(b, a)) / a;
}

/* A start: Abramowitz & Stegun 26.5.22 if both shapes exceed 1; for small b, 1 - x is nearly gamma over a; for small a
 * the leading power. */
static double beta_start(const problem *p, double log_power)
{
  if (p->a > 1 && p->b > 1) {
    const double z = mn_normal_isf(p->t), ra = 1 / (2 * p->a - 1), rb = 1 / (2 * p->b - 1);
    const double l = (z * z - 3) / 6, h = 2 / (ra + rb);
    const double w = z * sqrt(fmax(h + l, 0)) / h - (rb - ra) * (l + 5.0 / 6 - 2 / (3 * h));
    return p->a / p->b * exp(-2 * w);
  }
  if (p->a > 1) {
    const problem swapped = { .a = p->b, .t = p->t, .upper = true };
    return p->a / gamma_start(&swapped, gamma_log_power(&swapped));
  }
  return exp(fmin(log_power, 0));
}

/* The odds with lower tail t <= 1/2. */
static double beta_lower_odds(double a, double b, double t, double log_power)
{
  const problem p = { .a = a, .b = b, .t = t, .upper = false, .at = beta_at };
  return solve(&p, fmin(fmax(beta_start(&p, log_power), 1e-300), 1e300));
}

double mn_beta_solve(double a, double b, double t, bool upper)
{
  if (t == 0 || t == 1) return (t == 0) == upper ? INFINITY : 0;
  const double log_t = log(t), log_complement = log1p(-t);
  const double low = mn_beta_log_far_quantile(a, b, upper ? log_complement : log_t);  /* of x  */
  const double high = mn_beta_log_far_quantile(b, a, upper ? log_t : log_complement); /* of 1 - x */
  if (low < -700) return exp(low);
  if (high < -700) return exp(-high);
  const double s = t > 0.5 ? 1 - t : t;
  return (t > 0.5) != upper ? 1 / beta_lower_odds(b, a, s, high) : beta_lower_odds(a, b, s, low);
}

static double beta_inverse(double a, double b, double t, bool upper)
{
  if (!(mn_is_shape(a) && mn_is_shape(b) && t >= 0 && t <= 1)) return NAN;
  const double odds = mn_beta_solve(a, b, t, upper);
  return odds < 1 ? odds / (1 + odds) : 1 / (1 + 1 / odds);
}

double mn_beta_i_inverse(double a, double b, double p)
{
  return beta_inverse(a, b, p, false);
}

double mn_beta_ic_inverse(double a, double b, double q)
{
  return beta_inverse(a, b, q, true);
}
