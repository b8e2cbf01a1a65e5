#include "argsort.h"
#include "special.h"
#include "tests.h"
#include <math.h>
#include <string.h>

static double polynomial(const double *c, int n, double x)
{
  double value = 0;
  for (int i = n; i-- > 0;) value = value * x + c[i];
  return value;
}

/* The coefficients of the differences x[n-1-i] - x[i], i < n / 2. */
static void shapiro_coefficients(size_t n, double *a)
{
  static const double c1[] = { 0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056 };
  static const double c2[] = { 0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633 };
  const size_t half = n / 2, first = n > 5 ? 2 : 1;
  if (n == 3) {
    a[0] = sqrt(0.5);
    return;
  }
  double sum = 0;
  for (size_t i = 0; i < half; i++) {
    a[i] = mn_normal_quantile(((double)i + 0.625) / ((double)n + 0.25));
    sum += 2 * a[i] * a[i];
  }
  const double inverse = 1 / sqrt((double)n), norm = sqrt(sum);
  const double a1 = polynomial(c1, 6, inverse) - a[0] / norm, a2 = polynomial(c2, 6, inverse) - a[1] / norm;
  double rest = sum - 2 * a[0] * a[0], scale = 1 - 2 * a1 * a1;
  if (n > 5) {
    rest -= 2 * a[1] * a[1];
    scale -= 2 * a2 * a2;
    a[1] = a2;
  }
  for (size_t i = first; i < half; i++) a[i] = -a[i] / sqrt(rest / scale);
  a[0] = a1;
}

static double shapiro_p(size_t size, double w)
{
  static const double c3[] = { 0.544, -0.39978, 0.025054, -6.714e-4 };
  static const double c4[] = { 1.3822, -0.77857, 0.062767, -0.0020322 };
  static const double c5[] = { -1.5861, -0.31082, -0.083751, 0.0038915 };
  static const double c6[] = { -0.4803, -0.082676, 0.0030302 };
  const double n = (double)size, log_n = log(n);
  if (size == 3) return fmax(0, 1.90985931710274 * (asin(sqrt(w)) - 1.04719755119660));
  double y = log1p(-w);
  if (size > 11) return mn_normal_sf((y - polynomial(c5, 4, log_n)) / exp(polynomial(c6, 3, log_n)));
  const double gamma = 0.459 * n - 2.273;
  if (y >= gamma) return 1e-99;
  y = -log(gamma - y);
  return mn_normal_sf((y - polynomial(c3, 4, n)) / exp(polynomial(c4, 4, n)));
}

mn_status mn_shapiro_test(mn_context *ctx, size_t n, const double *x, mn_test *out)
{
  double *a = MN_RAW(ctx, double, n / 2 + 1, 1), mean = 0, sum = 0, squares = 0;
  *out = mn_test_none();
  if (!a) return MN_NO_MEMORY;
  shapiro_coefficients(n, a);
  for (size_t i = 0; i < n; i++) mean += (x[i] - mean) / (double)(i + 1);
  for (size_t i = 0; i < n; i++) squares += (x[i] - mean) * (x[i] - mean);
  for (size_t i = 0; i < n / 2; i++) sum += a[i] * (x[n - 1 - i] - x[i]);
  out->statistic = fmin(sum * sum / squares, 1);
  out->p = shapiro_p(n, out->statistic);
  return MN_OK;
}

/* --- Kolmogorov and Smirnov, one sample --- */

/* P(D+ >= d) of n values: Birnbaum & Tingey, Ann. Math. Stat. 22 (1951). */
static double one_sided_tail(double n, double d)
{
  if (d <= 0) return 1;
  if (d >= 1) return 0;
  double sum = exp(n * log1p(-d));
  for (double j = 1; j <= floor(n * (1 - d)); j++) {
    const double rest = 1 - d - j / n;
    if (rest <= 0) break;
    sum += exp(log(d) + mn_lgamma(n + 1) - mn_lgamma(j + 1) - mn_lgamma(n - j + 1) + (j - 1) * log(d + j / n) +
               (n - j) * log(rest));
  }
  return fmin(sum, 1);
}

/* c = a b of order m, scaled to avoid overflow; *exponent counts powers of 10^140. */
static void multiply_scaled(size_t m, const double *a, const double *b, double *c, int *exponent)
{
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m; j++) {
      c[i * m + j] = 0;
      for (size_t k = 0; k < m; k++) c[i * m + j] += a[i * m + k] * b[k * m + j];
    }
  if (c[(m / 2) * m + m / 2] < 1e140) return;
  for (size_t k = 0; k < m * m; k++) c[k] *= 1e-140;
  (*exponent)++;
}

/* The matrix H of Marsaglia, Tsang & Wang. */
static void fill_h(size_t m, double h, double *a)
{
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m; j++) a[i * m + j] = i + 1 >= j;
  for (size_t i = 0; i < m; i++) {
    a[i * m] -= pow(h, (double)i + 1);
    a[(m - 1) * m + i] -= pow(h, (double)(m - i));
  }
  a[(m - 1) * m] += 2 * h - 1 > 0 ? pow(2 * h - 1, (double)m) : 0;
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m && j <= i; j++) a[i * m + j] /= mn_gamma((double)(i - j) + 2);
}

/* P(D < d): Marsaglia, Tsang & Wang, J. Stat. Software 8 (2003). */
static mn_status two_sided_cdf(mn_context *ctx, size_t n, double d, double *out)
{
  const size_t k = (size_t)((double)n * d) + 1, m = 2 * k - 1;
  double *a = MN_RAW(ctx, double, m, m), *power = MN_NEW(ctx, double, m, m), *work = MN_RAW(ctx, double, m, m);
  int a_exponent = 0, exponent = 0;
  if (!a || !power || !work) return MN_NO_MEMORY;
  fill_h(m, (double)k - (double)n * d, a);
  for (size_t i = 0; i < m; i++) power[i * m + i] = 1;
  for (size_t left = n; left > 0; left /= 2) {
    MN_TRY(mn_poll(ctx));
    if (left % 2 == 1) {
      exponent += a_exponent;
      multiply_scaled(m, power, a, work, &exponent);
      memcpy(power, work, m * m * sizeof *work);
    }
    a_exponent *= 2;
    multiply_scaled(m, a, a, work, &a_exponent);
    memcpy(a, work, m * m * sizeof *work);
  }
  double log_value = log(power[(k - 1) * m + k - 1]) + 140 * log(10) * exponent;
  *out = exp(log_value + mn_lgamma((double)n + 1) - (double)n * log((double)n));
  return MN_OK;
}

/* The limit of P(D >= d) for large samples, t = sqrt(n) d. */
static double kolmogorov_tail(double t)
{
  double sum = 0;
  if (t < 0.2) return 1;
  for (int k = 1; k <= 100; k++) sum += (k % 2 == 1 ? 2 : -2) * exp(-2.0 * k * k * t * t);
  return fmin(fmax(sum, 0), 1);
}

/* For n d^2 >= 4 the probability that both one-sided statistics reach d is negligible. Large samples: the limit at a
 * corrected t, to about 6 digits; Vrbik, Pioneer J. Theor. Appl. Statistics 15 (2018). */
static mn_status two_sided_tail(mn_context *ctx, size_t n, double d, double *p)
{
  enum { MAX_EXACT = 2000 };
  const double t = sqrt((double)n) * d;
  double below = 0;
  if (n > MAX_EXACT || t >= 2) {
    const double corrected = t + 1 / (6 * sqrt((double)n)) + (t - 1) / (4 * (double)n);
    *p = n > MAX_EXACT && t < 2 ? kolmogorov_tail(corrected) : fmin(1, 2 * one_sided_tail((double)n, d));
    return MN_OK;
  }
  MN_TRY(two_sided_cdf(ctx, n, d, &below));
  *p = fmin(fmax(1 - below, 0), 1);
  return MN_OK;
}

mn_status mn_ks_test(mn_context *ctx, size_t n, const double *u, mn_alternative alternative, mn_test *out)
{
  double above = 0, below = 0;
  *out = mn_test_none();
  for (size_t i = 0; i < n; i++) {
    above = fmax(above, ((double)i + 1) / (double)n - u[i]);
    below = fmax(below, u[i] - (double)i / (double)n);
  }
  out->exact = true;
  out->statistic = alternative == MN_GREATER ? above : alternative == MN_LESS ? below : fmax(above, below);
  if (alternative == MN_TWO_SIDED) return two_sided_tail(ctx, n, out->statistic, &out->p);
  out->p = one_sided_tail((double)n, out->statistic);
  return MN_OK;
}

/* --- two samples --- */

/* Both samples in ascending order. */
typedef struct pooled {
  size_t n, m;
  bool *step;          /* n + m + 1: step[k]: the k-th value differs from the next */
  double above, below; /* largest differences of the distribution functions  */
} pooled;

static mn_status pool_samples(mn_context *ctx, size_t n, const double *x, size_t m, const double *y, pooled *out)
{
  double *both = MN_RAW(ctx, double, n + m, 1);
  size_t *order = MN_RAW(ctx, size_t, n + m, 1);
  bool *step = MN_NEW(ctx, bool, n + m + 1, 1);
  if (!both || !order || !step) return MN_NO_MEMORY;
  *out = (pooled){ .n = n, .m = m, .step = step };
  memcpy(both, x, n * sizeof *x);
  memcpy(both + n, y, m * sizeof *y);
  MN_TRY(mn_argsort(ctx, n + m, both, 1, order));
  double of_x = 0, of_y = 0;
  for (size_t k = 0; k < n + m; k++) {
    of_x += order[k] < n;
    of_y += order[k] >= n;
    step[k + 1] = k + 1 == n + m || both[order[k]] < both[order[k + 1]];
    if (!step[k + 1]) continue;
    const double off = of_x / (double)n - of_y / (double)m;
    out->above = fmax(out->above, off);
    out->below = fmax(out->below, -off);
  }
  return MN_OK;
}

/* Whether the difference after i values of x and j of y reaches d. */
static bool reaches(const pooled *s, size_t i, size_t j, double d, mn_alternative alternative)
{
  const double off = (double)i / (double)s->n - (double)j / (double)s->m;
  if (!s->step[i + j]) return false;
  return (alternative == MN_TWO_SIDED ? fabs(off) : alternative == MN_GREATER ? off : -off) >= d;
}

/* The probability that a random order of the samples reaches d, given the ties: Schroeer & Trenkler, Comp. Stat. & Data
 * Analysis 20 (1995). */
static mn_status exact_tail(mn_context *ctx, const pooled *s, double statistic, mn_alternative alternative, double *p)
{
  const double n = (double)s->n, m = (double)s->m, d = (0.5 + floor(statistic * n * m - 1e-7)) / (n * m);
  double *u = MN_NEW(ctx, double, s->m + 1, 1);
  if (!u) return MN_NO_MEMORY;
  for (size_t j = 1; j <= s->m; j++) u[j] = reaches(s, 0, j, d, alternative) ? 1 : u[j - 1];
  for (size_t i = 1; i <= s->n; i++) {
    if (reaches(s, i, 0, d, alternative)) u[0] = 1;
    for (size_t j = 1; j <= s->m; j++) {
      const double of_x = (double)i / (double)(i + j);
      u[j] = reaches(s, i, j, d, alternative) ? 1 : of_x * u[j] + (1 - of_x) * u[j - 1];
    }
    MN_TRY(mn_poll(ctx));
  }
  *p = u[s->m];
  return MN_OK;
}

mn_status mn_ks_test_two(mn_context *ctx, size_t n, const double *x, size_t m, const double *y,
                         const mn_test_options *options, mn_test *out)
{
  enum { MAX_EXACT = 1 << 22 };
  const mn_alternative alternative = options->alternative;
  pooled s;
  *out = mn_test_none();
  MN_TRY(pool_samples(ctx, n, x, m, y, &s));
  out->statistic = alternative == MN_GREATER ? s.above : alternative == MN_LESS ? s.below : fmax(s.above, s.below);
  out->exact = options->exact < 0 ? n <= MAX_EXACT / m : options->exact;
  if (out->exact) return exact_tail(ctx, &s, out->statistic, alternative, &out->p);
  const double size = (double)n * (double)m / (double)(n + m);
  out->p = alternative == MN_TWO_SIDED ? kolmogorov_tail(sqrt(size) * out->statistic)
                                       : fmin(1, exp(-2 * size * out->statistic * out->statistic));
  return MN_OK;
}
