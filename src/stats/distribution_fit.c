/* Maximum likelihood estimates that need an iterative search, and the KL divergence of Student's t. */
#include "../optim/brent.h"
#include "distribution.h"
#include "special.h"
#include <float.h>
#include <math.h>

/* Weighted mean of log x, or of log (1 - x). */
static double mean_log(size_t n, const double *x, const double *w, double count, double (*log_of)(double))
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += (w ? w[i] : 1) / count * log_of(x[i]);
  return sum;
}

static double log_complement(double x)
{
  return log1p(-x);
}

/* --- gamma --- */

/* Solves log k - digamma(k) = log mean - mean log by Newton iteration on 1 / k, from a start accurate to 1%: Minka
 * (2002). */
mn_status mn_gamma_fit(mn_context *ctx, size_t n, const double *x, const double *w, double *p)
{
  double count, mean, variance;
  mn_distribution_moments(n, x, w, &count, &mean, &variance);
  if (!isnan(p[0])) {
    p[1] = mean / p[0];
    return MN_OK;
  }
  const double mean_of_logs = mean_log(n, x, w, count, log), s = log(mean) - mean_of_logs;
  if (!(s > 0 && s < INFINITY))
    return mn_fail(ctx, MN_BAD_DATA, "gamma: values must be > 0 and differ; otherwise the shape is not finite");
  double k = (3 - s + sqrt((s - 3) * (s - 3) + 24 * s)) / (12 * s);
  for (int round = 0; round < 50; round++) {
    const double next =
        1 / (1 / k + (mean_of_logs - log(mean) + log(k) - mn_digamma(k)) / (k * k * (1 / k - mn_trigamma(k))));
    const bool done = fabs(next - k) <= 4 * DBL_EPSILON * k;
    k = next > 0 ? next : k / 2;
    if (done) break;
  }
  p[0] = k;
  p[1] = mean / k;
  return MN_OK;
}

/* --- beta --- */

/* Solves digamma(a) - digamma(a + b) = mean log x, and the same for b and 1 - x, by Newton steps in log a and log b,
 * halved while the likelihood decreases, from the moment estimates. The log-likelihood is concave in a and b. */
mn_status mn_beta_fit(mn_context *ctx, size_t n, const double *x, const double *w, double *p)
{
  double count, mean, variance;
  mn_distribution_moments(n, x, w, &count, &mean, &variance);
  const double first = mean_log(n, x, w, count, log), second = mean_log(n, x, w, count, log_complement);
  if (!(variance > 1e-14 * mean * mean) || !isfinite(first) || !isfinite(second))
    return mn_fail(ctx, MN_BAD_DATA, "beta: values must differ and lie between 0 and 1 (exclusive)");
  const double sum = fmax(mean * (1 - mean) / variance - 1, 1e-3);
  double a = mean * sum, b = (1 - mean) * sum, value = -mn_lbeta(a, b) + (a - 1) * first + (b - 1) * second;
  for (int round = 0; round < 200; round++) {
    const double digamma_sum = mn_digamma(a + b), trigamma_sum = mn_trigamma(a + b);
    const double ga = first - mn_digamma(a) + digamma_sum, gb = second - mn_digamma(b) + digamma_sum;
    const double haa = mn_trigamma(a) - trigamma_sum, hbb = mn_trigamma(b) - trigamma_sum,
                 det = haa * hbb - trigamma_sum * trigamma_sum;
    const double da = (hbb * ga + trigamma_sum * gb) / det, db = (trigamma_sum * ga + haa * gb) / det;
    const double before = value;
    double length = 1;
    for (int halvings = 0; halvings < 60; halvings++, length /= 2) {
      const double na = a * exp(fmax(fmin(length * da / a, 3), -3)), nb = b * exp(fmax(fmin(length * db / b, 3), -3));
      value = -mn_lbeta(na, nb) + (na - 1) * first + (nb - 1) * second;
      if (!(value >= before - 1e-13 * fabs(before))) continue;
      a = na;
      b = nb;
      break;
    }
    if (fabs(da) <= 1e-14 * a && fabs(db) <= 1e-14 * b) break;
  }
  p[0] = a;
  p[1] = b;
  return MN_OK;
}

/* --- Student's t --- */

struct student {
  mn_context *ctx;
  size_t n;
  const double *x, *w;
  double count, location, scale;
};

/* Maximum likelihood location and scale at df, by the accelerated EM algorithm of Kent, Tyler & Vardi, Commun. Statist.
 * Simul. 23 (1994). Returns false if the scale tends to 0. */
static bool fit_location_scale(struct student *s, double df)
{
  double m = s->location, scale = s->scale;
  for (int round = 0; round < 2000; round++) {
    double total = 0, sum = 0, square = 0;
    for (size_t i = 0; i < s->n; i++) {
      const double z = (s->x[i] - m) / scale, u = (s->w ? s->w[i] : 1) * (df + 1) / (df + z * z);
      total += u;
      sum += u * z;
      square += u * z * z;
    }
    const double shift = sum / total, next = scale * sqrt(fmax(square / total - shift * shift, 0));
    m += scale * shift;
    if (!(next > 1e-12 * s->scale)) return false;
    const bool converged = fabs(shift) <= 1e-13 && fabs(next / scale - 1) <= 1e-13;
    scale = next;
    if (converged) break;
  }
  s->location = m;
  s->scale = scale;
  return true;
}

/* Minus the profile log-likelihood at df = exp(x). */
static double negative_profile(void *user, double x)
{
  struct student s = *(struct student *)user;
  const double df = exp(x);
  double sum = 0;
  if (!fit_location_scale(&s, df)) return INFINITY;
  for (size_t i = 0; i < s.n; i++)
    sum += (s.w ? s.w[i] : 1) * (mn_t_logpdf((s.x[i] - s.location) / s.scale, df) - log(s.scale));
  return -sum;
}

/* The derivative of the profile log-likelihood with respect to df; location and scale do not contribute, since they are
 * optimal. */
static double profile_slope(void *user, double x)
{
  struct student s = *(struct student *)user;
  const double df = exp(x), constant = mn_digamma((df + 1) / 2) - mn_digamma(df / 2) - 1 / df;
  double sum = 0;
  if (!fit_location_scale(&s, df)) return (double)NAN;
  for (size_t i = 0; i < s.n; i++) {
    const double z = (s.x[i] - s.location) / s.scale, square = z * z;
    sum += (s.w ? s.w[i] : 1) * (constant - log1p(square / df) + (df + 1) * square / (df * (df + square)));
  }
  return sum;
}

/* Find the best df on a grid, then the root of the slope next to it. */
static mn_status find_df(mn_context *ctx, struct student *s, double *df)
{
  static const double grid[] = { 1, 1.5, 2, 3, 4, 6, 9, 15, 30, 100, 1000, 1e4 };
  enum { GRID = sizeof grid / sizeof *grid };
  size_t best = 0;
  double min_value = INFINITY;
  for (size_t k = 0; k < GRID; k++) {
    const double value = negative_profile(s, log(grid[k]));
    if (value < min_value) best = k;
    min_value = fmin(value, min_value);
    MN_TRY(mn_poll(ctx));
  }
  const double low = best > 0 ? log(grid[best - 1]) : log(0.1), high = log(grid[best < GRID - 1 ? best + 1 : GRID - 1]);
  const double below = profile_slope(s, low), above = profile_slope(s, high);
  if (best == GRID - 1 || above > 0)
    return mn_fail(
        ctx, MN_BAD_DATA,
        "student_t: the values have no heavier tails than the normal distribution, so df cannot be estimated; fit a normal, or pass df");
  if (!(below > 0) || !isfinite(min_value))
    return mn_fail(ctx, MN_BAD_DATA, "student_t: the likelihood is unbounded as df decreases; pass df");
  double x;
  MN_TRY(mn_brent_root(ctx, profile_slope, s, low, high, 0, &x));
  *df = exp(x);
  return MN_OK;
}

mn_status mn_student_fit(mn_context *ctx, size_t n, const double *x, const double *w, double *p)
{
  struct student s = { .ctx = ctx, .n = n, .x = x, .w = w };
  double variance;
  mn_distribution_moments(n, x, w, &s.count, &s.location, &variance);
  s.scale = sqrt(variance);
  if (!(s.scale > 0)) return mn_fail(ctx, MN_BAD_DATA, "student_t: values must differ");
  if (isnan(p[0])) MN_TRY(find_df(ctx, &s, &p[0]));
  if (!fit_location_scale(&s, p[0]))
    return mn_fail(ctx, MN_BAD_DATA, "student_t: too many values are equal; the scale tends to 0");
  p[1] = s.location;
  p[2] = s.scale;
  return MN_OK;
}

/* The integrand p log(p / q) + q - p >= 0, at distance z from the location of p and d from that of q. */
static double divergence_integrand(const double *p, const double *q, double z, double d)
{
  const double lp = mn_t_logpdf(z / p[2], p[0]) - log(p[2]), lq = mn_t_logpdf(d / q[2], q[0]) - log(q[2]);
  return exp(lp) * (lp - lq) + exp(lq) - exp(lp);
}

/* Integrates between the two locations and outwards from them by the double exponential rule, which resolves all scales
 * near the ends of its intervals: Takahasi & Mori (1974). */
double mn_student_kl(const double *p, const double *q)
{
  const double gap = fabs(q[1] - p[1]), unit = sqrt(p[2]) * sqrt(q[2]), step = 1.0 / 32;
  double sum = 0;
  for (int i = -176; i <= 176; i++) {
    const double t = i * step, u = 1.57079632679489661923 * sinh(t), du = 1.57079632679489661923 * cosh(t);
    if (fabs(u) < 650) {
      const double r = unit * exp(u), dr = r * du;
      const double outer = divergence_integrand(p, q, r, gap + r) + divergence_integrand(p, q, gap + r, r);
      if (isfinite(outer * dr)) sum += dr * outer;
    }
    if (!(gap > 0)) continue;
    const double share = 1 / (1 + exp(-2 * u)), complement = 1 / (1 + exp(2 * u));
    const double weight = gap * 2 * share * complement * du;
    if (weight > 0) sum += weight * divergence_integrand(p, q, gap * share, gap * complement);
  }
  return sum * step;
}
