/* Quantiles: the inverses of the incomplete gamma and beta functions.
 *
 * Solved for v = log x (gamma) or v = log x / (1 - x) (beta). The density of v is log-concave in both cases, so the
 * logarithm g(v) of either tail is concave, and Newton's method on g(v) = log t converges from anywhere; Halley's
 * correction makes it cubic, a bracket guards against rounding. Always the smaller tail is solved for: the larger one
 * has no digits left to tell neighbouring points apart. */
#include "special.h"
#include "special_parts.h"
#include <float.h>
#include <math.h>

/* The tail at z = e^v. */
typedef struct here {
  double value, log_value; /* T and log T                             */
  double log_density;      /* of v                                    */
  double drift;            /* derivative of log_density in v          */
} here;

typedef struct problem {
  double a, b, t; /* b is not used by gamma */
  bool upper;
  here (*at)(const struct problem *p, double z);
} problem;

/* log T(v) - log t: where T and t are close, from their difference, since far out their logarithms are large. */
static double log_ratio(here h, double t)
{
  const double relative = (h.value - t) / t;
  return fabs(relative) < 0.5 ? log1p(relative) : h.log_value - log(t);
}

/* Halley's step in v for g = log T - log t with g' = w (or -w for an upper tail) and g'' = g' (drift - g'). */
static double halley_step(double g, double slope, double drift)
{
  const double newton = -g / slope, bend = 0.5 * newton * (drift - slope);
  return newton / fmax(1 + bend, 0.5);
}

/* The z at which the tail is t. */
static double solve(const problem *p, double z)
{
  double low = DBL_MIN, high = DBL_MAX; /* the answer lies between, or is one of them */
  for (int i = 0; i < 200; i++) {
    const here h = p->at(p, z);
    const double g = log_ratio(h, p->t), w = exp(h.log_density - h.log_value);
    if (g == 0) return z;
    if ((g < 0) == p->upper)
      high = z;
    else
      low = z;
    const double step = halley_step(g, p->upper ? -w : w, h.drift), next = z * exp(step);
    if (fabs(step) < 1e-10) return next;
    z = next > low && next < high ? next : sqrt(low) * sqrt(high);
    if (!(high > low * (1 + DBL_EPSILON))) break;
  }
  return z;
}

/* ---------- gamma ---------- */

static here gamma_at(const problem *p, double x)
{
  const mn_gamma_point point = mn_gamma_point_at(p->a, x, 0);
  const mn_tails tails = mn_gamma_tails(point);
  return (here){ .value = p->upper ? tails.upper : tails.lower,
                 .log_value = p->upper ? tails.log_upper : tails.log_lower,
                 .log_density = mn_gamma_log_power(point),
                 .drift = -point.excess };
}

/* E. B. Wilson & M. M. Hilferty (1931); near 0 the leading power, whose log x is given. */
static double gamma_start(const problem *p, double log_power)
{
  const double z = p->upper ? mn_normal_isf(p->t) : mn_normal_quantile(p->t);
  const double root = 1 - 1 / (9 * p->a) + z / (3 * sqrt(p->a)), hilferty = p->a * root * root * root;
  if (p->a >= 1 && root > 0.3) return hilferty;
  if (log_power < 0) return exp(log_power);
  return fmax(hilferty, 1);
}

double mn_gamma_solve(double a, double t, bool upper)
{
  if (t == 0 || t == 1) return (t == 0) == upper ? INFINITY : 0;
  const problem p = { .a = a, .t = t > 0.5 ? 1 - t : t, .upper = (t > 0.5) != upper, .at = gamma_at };
  const double log_power = ((p.upper ? log1p(-p.t) : log(p.t)) + mn_lgamma1p(a)) / a;
  if (log_power < -700) return exp(log_power);
  return solve(&p, gamma_start(&p, log_power));
}

double mn_gamma_p_inverse(double a, double p)
{
  return a > 0 && a < INFINITY && p >= 0 && p <= 1 ? mn_gamma_solve(a, p, false) : NAN;
}

double mn_gamma_q_inverse(double a, double q)
{
  return a > 0 && a < INFINITY && q >= 0 && q <= 1 ? mn_gamma_solve(a, q, true) : NAN;
}

/* ---------- beta ---------- */

static here beta_at(const problem *p, double odds)
{
  const mn_beta_point point = mn_beta_point_at_odds(p->a, p->b, odds);
  const mn_tails tails = mn_beta_tails(point);
  return (here){
    .value = tails.lower, .log_value = tails.log_lower, .log_density = mn_beta_log_power(point), .drift = -point.excess
  };
}

double mn_beta_log_far_quantile(double a, double b, double t)
{
  return (log(t) + mn_lgamma1p(a) - mn_lgamma_ratio(b, a)) / a;
}

/* Abramowitz & Stegun 26.5.22 where both shapes exceed 1, else the leading power. */
static double beta_start(const problem *p, double log_power)
{
  if (!(p->a > 1 && p->b > 1)) return exp(fmin(log_power, 0));
  const double z = mn_normal_isf(p->t), ra = 1 / (2 * p->a - 1), rb = 1 / (2 * p->b - 1);
  const double l = (z * z - 3) / 6, h = 2 / (ra + rb);
  const double w = z * sqrt(fmax(h + l, 0)) / h - (rb - ra) * (l + 5.0 / 6 - 2 / (3 * h));
  return p->a / p->b * exp(-2 * w);
}

/* The odds below which the probability is t <= 1/2. */
static double beta_lower_odds(double a, double b, double t)
{
  const problem p = { .a = a, .b = b, .t = t, .upper = false, .at = beta_at };
  const double log_power = mn_beta_log_far_quantile(a, b, t);
  if (log_power < -700) return exp(log_power);
  return solve(&p, fmax(beta_start(&p, log_power), DBL_MIN));
}

double mn_beta_solve(double a, double b, double t, bool upper)
{
  if (t == 0 || t == 1) return (t == 0) == upper ? INFINITY : 0;
  if (t > 0.5) {
    t = 1 - t;
    upper = !upper;
  }
  return upper ? 1 / beta_lower_odds(b, a, t) : beta_lower_odds(a, b, t);
}

static double beta_inverse(double a, double b, double t, bool upper)
{
  if (!(a > 0 && a < INFINITY && b > 0 && b < INFINITY && t >= 0 && t <= 1)) return NAN;
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
