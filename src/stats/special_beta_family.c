/* Distributions based on the incomplete beta function: beta, F, t, binomial. */
#include "special.h"
#include "special_parts.h"
#include <math.h>

/* ---------- beta ---------- */

static mn_tails beta_tails(double x, double a, double b)
{
  if (isnan(x) || !mn_is_shape(a) || !mn_is_shape(b)) return mn_tails_nan();
  if (x <= 0) return mn_tails_at_lower_end();
  return x >= 1 ? mn_tails_at_upper_end() : mn_beta_tails(mn_beta_point_at(a, b, x));
}

double mn_beta_logpdf(double x, double a, double b)
{
  if (isnan(x) || !mn_is_shape(a) || !mn_is_shape(b)) return NAN;
  if (x == 0 && a <= 1) return a < 1 ? INFINITY : log(b);
  if (x == 1 && b <= 1) return b < 1 ? INFINITY : log(a);
  if (x <= 0 || x >= 1) return -INFINITY;
  return mn_beta_log_power(mn_beta_point_at(a, b, x)) - log(x) - log1p(-x);
}

double mn_beta_pdf(double x, double a, double b)
{
  return exp(mn_beta_logpdf(x, a, b));
}

double mn_beta_cdf(double x, double a, double b)
{
  return beta_tails(x, a, b).lower;
}

double mn_beta_sf(double x, double a, double b)
{
  return beta_tails(x, a, b).upper;
}

double mn_beta_logcdf(double x, double a, double b)
{
  return beta_tails(x, a, b).log_lower;
}

double mn_beta_logsf(double x, double a, double b)
{
  return beta_tails(x, a, b).log_upper;
}

double mn_beta_quantile(double p, double a, double b)
{
  return mn_beta_i_inverse(a, b, p);
}

double mn_beta_isf(double q, double a, double b)
{
  return mn_beta_ic_inverse(a, b, q);
}

/* ---------- F: x = d1 f / (d1 f + d2) is beta with a = d1 / 2, b = d2 / 2 ---------- */

/* Degrees of freedom; values above the largest shape are treated as infinite, from which they do not differ. */
static double clamp_df(double df)
{
  return df > 1e100 ? INFINITY : df;
}

static bool is_valid_df(double df)
{
  return mn_is_shape(df) || df == INFINITY;
}

/* Whether f is so far out that x or 1 - x underflows; log_odds = log(a f / b). */
static bool is_far(double log_f, double log_odds)
{
  return !(fabs(log_f) < 700 && fabs(log_odds) < 690);
}

static mn_beta_point point_at_f(double a, double b, double f)
{
  const double odds = f * (a / b), y = 1 / (1 + odds);
  return (mn_beta_point){ a, b, odds < 1 ? odds * y : 1 / (1 + 1 / odds), y, a * y * (f - 1) };
}

/* The tails at f >= 0, which may have overflowed; log_f has not. */
static mn_tails ratio_tails(double a, double b, double f, double log_f)
{
  const double log_odds = log_f + log(a / b);
  if (!is_far(log_f, log_odds)) return mn_beta_tails(point_at_f(a, b, f));
  return log_f < 0 ? mn_beta_far_tails(a, b, log_odds) : mn_tails_swap(mn_beta_far_tails(b, a, -log_odds));
}

/* One infinite d: the other variable is chi-square divided by its degrees of freedom. */
static mn_tails f_limit_tails(double f, double d1, double d2)
{
  if (isinf(d1) && isinf(d2)) return mn_tails_nan();
  if (isinf(d1)) return mn_tails_swap(f_limit_tails(1 / f, d2, d1));
  const double x = f * (0.5 * d1), x_low = fma(f, 0.5 * d1, -x);
  if (x == 0) return mn_tails_at_lower_end();
  return isinf(x) ? mn_tails_at_upper_end() : mn_gamma_tails(mn_gamma_point_at(0.5 * d1, x, x_low));
}

static mn_tails f_tails(double f, double d1, double d2)
{
  d1 = clamp_df(d1), d2 = clamp_df(d2);
  if (isnan(f) || !(is_valid_df(d1) && is_valid_df(d2))) return mn_tails_nan();
  if (f <= 0) return mn_tails_at_lower_end();
  if (isinf(f)) return mn_tails_at_upper_end();
  if (isinf(d1) || isinf(d2)) return f_limit_tails(f, d1, d2);
  return ratio_tails(0.5 * d1, 0.5 * d2, f, log(f));
}

double mn_f_logpdf(double x, double d1, double d2)
{
  if (isnan(x) || !mn_is_shape(d1) || !mn_is_shape(d2)) return NAN;
  if (x == 0 && d1 <= 2) return d1 < 2 ? INFINITY : 0;
  if (x <= 0 || isinf(x)) return -INFINITY;
  const double a = 0.5 * d1, b = 0.5 * d2, log_x = log(x), log_odds = log_x + log(a / b);
  if (!is_far(log_x, log_odds)) return mn_beta_log_power(point_at_f(a, b, x)) - log_x;
  if (log_x < 0) return log(a) + mn_beta_far_tails(a, b, log_odds).log_lower - log_x;
  return log(b) + mn_beta_far_tails(b, a, -log_odds).log_lower - log_x;
}

double mn_f_pdf(double x, double d1, double d2)
{
  return exp(mn_f_logpdf(x, d1, d2));
}

double mn_f_cdf(double x, double d1, double d2)
{
  return f_tails(x, d1, d2).lower;
}

double mn_f_sf(double x, double d1, double d2)
{
  return f_tails(x, d1, d2).upper;
}

double mn_f_logcdf(double x, double d1, double d2)
{
  return f_tails(x, d1, d2).log_lower;
}

double mn_f_logsf(double x, double d1, double d2)
{
  return f_tails(x, d1, d2).log_upper;
}

static double f_inverse(double t, double d1, double d2, bool upper)
{
  d1 = clamp_df(d1), d2 = clamp_df(d2);
  if (!(is_valid_df(d1) && is_valid_df(d2) && t >= 0 && t <= 1) || (isinf(d1) && isinf(d2))) return NAN;
  if (isinf(d2)) return mn_gamma_solve(0.5 * d1, t, upper) / (0.5 * d1);
  if (isinf(d1)) return 0.5 * d2 / mn_gamma_solve(0.5 * d2, t, !upper);
  return mn_beta_solve(0.5 * d1, 0.5 * d2, t, upper) * (d2 / d1);
}

double mn_f_quantile(double p, double d1, double d2)
{
  return f_inverse(p, d1, d2, false);
}

double mn_f_isf(double q, double d1, double d2)
{
  return f_inverse(q, d1, d2, true);
}

/* ---------- t: t^2 is F with 1 and df ---------- */

static mn_tails t_tails(double x, double df)
{
  df = clamp_df(df);
  if (isnan(x) || !is_valid_df(df)) return mn_tails_nan();
  if (isinf(df))
    return (mn_tails){ .lower = mn_normal_cdf(x),
                       .upper = mn_normal_sf(x),
                       .log_lower = mn_normal_logcdf(x),
                       .log_upper = mn_normal_logsf(x) };
  const mn_tails both = isinf(x) ? mn_tails_at_upper_end() : ratio_tails(0.5, 0.5 * df, x * x, 2 * log(fabs(x)));
  const double outer = 0.5 * both.upper;
  const mn_tails t = { .lower = outer,
                       .upper = 0.5 + 0.5 * both.lower,
                       .log_lower = both.log_upper - MN_LOG_2,
                       .log_upper = log1p(-outer) + 0.0 };
  return x < 0 ? t : mn_tails_swap(t);
}

double mn_t_logpdf(double x, double df)
{
  df = clamp_df(df);
  if (isnan(x) || !is_valid_df(df)) return NAN;
  if (isinf(df)) return mn_normal_logpdf(x);
  if (isinf(x)) return -INFINITY;
  const double q = x * x / df, log1p_q = q < 1e300 ? log1p(q) : 2 * log(fabs(x)) - log(df);
  return mn_lgamma_ratio(0.5 * df, 0.5) - 0.5 * log(MN_PI * df) - 0.5 * (df + 1) * log1p_q;
}

double mn_t_pdf(double x, double df)
{
  return exp(mn_t_logpdf(x, df));
}

double mn_t_cdf(double x, double df)
{
  return t_tails(x, df).lower;
}

double mn_t_sf(double x, double df)
{
  return t_tails(x, df).upper;
}

double mn_t_logcdf(double x, double df)
{
  return t_tails(x, df).log_lower;
}

double mn_t_logsf(double x, double df)
{
  return t_tails(x, df).log_upper;
}

/* The t >= 0 that |T| exceeds with probability `both`. */
static double t_two_sided(double both, double df)
{
  const double log_y = both > 0 ? mn_beta_log_far_quantile(0.5 * df, 0.5, log(both)) : -INFINITY;
  if (log_y < -600) return exp(0.5 * (log(df) - log_y)); /* t^2 may overflow where t does not */
  return sqrt(mn_beta_solve(0.5, 0.5 * df, both, true)) * sqrt(df);
}

double mn_t_quantile(double p, double df)
{
  df = clamp_df(df);
  if (!(p >= 0 && p <= 1 && is_valid_df(df))) return NAN;
  if (isinf(df)) return mn_normal_quantile(p);
  return p < 0.5 ? -t_two_sided(2 * p, df) : t_two_sided(2 * (1 - p), df);
}

double mn_t_isf(double q, double df)
{
  return 0 - mn_t_quantile(q, df);
}

/* ---------- binomial: P(K > k) = I_p(k + 1, n - k), DLMF 8.17.5 ---------- */

static bool binomial_domain(double k, double n, double p)
{
  return !isnan(k) && n >= 0 && n <= 1e100 && n == floor(n) && p >= 0 && p <= 1;
}

static mn_tails binomial_tails(double k, double n, double p)
{
  if (!binomial_domain(k, n, p)) return mn_tails_nan();
  if (k < 0) return mn_tails_at_lower_end();
  if (k >= n || p == 0) return mn_tails_at_upper_end();
  if (p == 1) return mn_tails_at_lower_end();
  k = floor(k);
  return mn_tails_swap(mn_beta_tails(mn_beta_point_at(k + 1, n - k, p)));
}

double mn_binomial_logpmf(double k, double n, double p)
{
  if (!binomial_domain(k, n, p)) return NAN;
  if (!(k >= 0 && k <= n && k == floor(k))) return -INFINITY;
  if (p == 0 || p == 1) return k == (p == 0 ? 0 : n) ? 0 : -INFINITY;
  if (k == 0) return n * log1p(-p);
  if (k == n) return n * log(p);
  return mn_beta_log_power(mn_beta_point_at(k, n - k, p)) + log(n / k) - log(n - k);
}

double mn_binomial_pmf(double k, double n, double p)
{
  return exp(mn_binomial_logpmf(k, n, p));
}

double mn_binomial_cdf(double k, double n, double p)
{
  return binomial_tails(k, n, p).lower;
}

double mn_binomial_sf(double k, double n, double p)
{
  return binomial_tails(k, n, p).upper;
}
