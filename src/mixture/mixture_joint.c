/* Joint families of several columns: multinomial, Student's t, von Mises-Fisher. */
#include "../factorization/lapack.h"
#include "../stats/multivariate.h"
#include "../stats/special.h"
#include "mixture_family.h"
#include <stdio.h>
#include <string.h>

static const double least_probability = 1e-12, log_two_pi = 1.83787706640934548356;

/* --- multinomial: probabilities of the columns --- */

static void multinomial_layout(mn_mixture_block *b)
{
  b->shown = b->size = b->stats = b->d;
}
static int64_t multinomial_free(const mn_mixture_block *b)
{
  return (int64_t)b->d - 1;
}
static const char *multinomial_refuse(const mn_mixture_block *b, const double *x, size_t *at)
{
  for (size_t j = 0; j < b->d; j++)
    if (!(x[j] >= 0 && x[j] <= 0x1p53 && !(floor(x[j]) < x[j]))) {
      *at = j;
      return "counts: 0, 1, 2, ...";
    }
  return NULL;
}
static double log_density_of_counts(const mn_mixture_block *b, const double *t, const double *x)
{
  double total = 0, sum = 0;
  for (size_t j = 0; j < b->d; j++) {
    total += x[j];
    if (x[j] > 0) sum += x[j] * log(t[j]) - mn_lgamma(x[j] + 1);
  }
  return sum + mn_lgamma(total + 1);
}
static void multinomial_add(const mn_mixture_block *b, const double *t, const double *x, double w, double *stats)
{
  (void)t;
  for (size_t j = 0; j < b->d; j++) stats[j] += w * x[j];
}
static mn_status multinomial_maximize(mn_context *ctx, const mn_mixture_block *b, double total, const double *stats,
                                      double *t)
{
  (void)ctx, (void)total;
  double sum = 0;
  for (size_t j = 0; j < b->d; j++) sum += stats[j];
  for (size_t j = 0; j < b->d && sum > 0; j++) t[j] = fmax(stats[j] / sum, least_probability);
  return MN_OK;
}
static mn_status derive_nothing(mn_context *ctx, const mn_mixture_block *b, double *t)
{
  (void)ctx, (void)b, (void)t;
  return MN_OK;
}
/* Column by column: each is binomial given those before it. */
static void sample_counts(const mn_mixture_block *b, const double *t, mn_rng *rng, double *x)
{
  double left = b->trials, sum = 0;
  for (size_t j = 0; j < b->d; j++) sum += t[j];
  for (size_t j = 0; j < b->d; j++) {
    const double p = j + 1 < b->d ? fmin(t[j] / sum, 1) : 1;
    x[j] = left > 0 ? mn_binomial_draw(left, p, rng) : 0;
    left -= x[j];
    sum -= t[j];
  }
}
static void multinomial_name(const mn_mixture_block *b, size_t i, const char *const *columns, char *text, size_t size)
{
  snprintf(text, size, "p of %s", columns[b->column[i]]);
}

const mn_mixture_family mn_family_multinomial = { .name = "multinomial",
                                                  .joint = true,
                                                  .layout = multinomial_layout,
                                                  .free_parameters = multinomial_free,
                                                  .refuse = multinomial_refuse,
                                                  .log_density = log_density_of_counts,
                                                  .add = multinomial_add,
                                                  .maximize = multinomial_maximize,
                                                  .derive = derive_nothing,
                                                  .sample = sample_counts,
                                                  .parameter_name = multinomial_name };

/* --- Student's t: location, scale matrix, degrees of freedom; derived: L with L L' = scale, and a constant.
 *
 * x is normal with covariance scale / u for a latent u ~ Gamma(df / 2, df / 2), whose expectation given x is
 * (df + d) / (df + distance^2). Liu & Rubin, Statistica Sinica 5 (1995). --- */

struct student {
  double *location, *scale, *df, *factor, *constant;
};

static struct student student_view(const mn_mixture_block *b, const double *t)
{
  double *at = (double *)(uintptr_t)t;
  const size_t d = b->d;
  return (struct student){ at, at + d, at + d + d * d, at + d + d * d + 1, at + d + 2 * d * d + 1 };
}
static void student_layout(mn_mixture_block *b)
{
  b->shown = b->d + b->d * b->d + 1;
  b->size = b->shown + b->d * b->d + 1;
  b->stats = b->d + b->d * b->d + 2; /* sums of u z, u z z', u, and log u - u */
}
static int64_t student_free(const mn_mixture_block *b)
{
  return (int64_t)(b->d + b->d * (b->d + 1) / 2 + 1);
}
static const char *refuse_nothing(const mn_mixture_block *b, const double *x, size_t *at)
{
  (void)b, (void)x, (void)at;
  return NULL;
}

enum { MAX_DIMENSION = MN_MAX_STUDENT_COLUMNS };

/* |inv(L) (x - location)|^2 */
static double student_distance2(const mn_mixture_block *b, const struct student *s, const double *x)
{
  double z[MAX_DIMENSION], square = 0;
  for (size_t i = 0; i < b->d; i++) {
    double sum = x[i] - s->location[i];
    for (size_t j = 0; j < i; j++) sum -= s->factor[i * b->d + j] * z[j];
    z[i] = sum / s->factor[i * b->d + i];
    square += z[i] * z[i];
  }
  return square;
}
static double student_log_density(const mn_mixture_block *b, const double *t, const double *x)
{
  const struct student s = student_view(b, t);
  return *s.constant - (*s.df + (double)b->d) / 2 * log1p(student_distance2(b, &s, x) / *s.df);
}
static void student_add(const mn_mixture_block *b, const double *t, const double *x, double w, double *stats)
{
  const struct student s = student_view(b, t);
  const size_t d = b->d;
  const double u = (*s.df + (double)d) / (*s.df + student_distance2(b, &s, x));
  for (size_t i = 0; i < d; i++) {
    const double z = x[i] - s.location[i];
    stats[i] += w * u * z;
    for (size_t j = 0; j <= i; j++) stats[d + i * d + j] += w * u * z * (x[j] - s.location[j]);
  }
  stats[d + d * d] += w * u;
  stats[d + d * d + 1] += w * (log(u) - u);
}

/* The df with log(df / 2) - digamma(df / 2) + 1 + mean(log u - u) + digamma((old + d) / 2) - log((old + d) / 2) = 0, by
 * bisection on its logarithm. */
static double solve_df(double d, double old, double mean)
{
  const double rest = 1 + mean + mn_digamma((old + d) / 2) - log((old + d) / 2);
  double low = log(0.1), high = log(1e3);
  for (int round = 0; round < 80; round++) {
    const double middle = (low + high) / 2, half = exp(middle) / 2;
    if (log(half) - mn_digamma(half) + rest > 0)
      low = middle;
    else
      high = middle;
  }
  return exp((low + high) / 2);
}
static mn_status student_maximize(mn_context *ctx, const mn_mixture_block *b, double total, const double *stats,
                                  double *t)
{
  (void)ctx;
  const struct student s = student_view(b, t);
  const size_t d = b->d;
  const double u = stats[d + d * d];
  for (size_t i = 0; i < d; i++) {
    for (size_t j = 0; j <= i; j++) {
      const double sum = (stats[d + i * d + j] - stats[i] * stats[j] / u) / total;
      s.scale[i * d + j] = s.scale[j * d + i] = sum;
    }
    s.scale[i * (d + 1)] = fmax(s.scale[i * (d + 1)], 0) + b->floor;
    s.location[i] += stats[i] / u;
  }
  *s.df = solve_df((double)d, *s.df, stats[d + d * d + 1] / total);
  return MN_OK;
}
static mn_status student_derive(mn_context *ctx, const mn_mixture_block *b, double *t)
{
  const struct student s = student_view(b, t);
  const size_t d = b->d;
  memcpy(s.factor, s.scale, d * d * sizeof *s.factor);
  size_t minor;
  MN_TRY(mn_chol_try(ctx, d, s.factor, NULL, &minor));
  if (minor > 0)
    return mn_fail(ctx, MN_SINGULAR,
                   "MixtureModel: the scale of a student_t component is singular; increase reg_covar");
  *s.constant = mn_lgamma((*s.df + (double)d) / 2) - mn_lgamma(*s.df / 2) -
                (double)d / 2 * (log(*s.df) + log_two_pi - log(2)) - mn_chol_logdet(d, s.factor) / 2;
  return MN_OK;
}
static void student_begin(const mn_mixture_block *b, const double *mean, const double *variance, double *t)
{
  const struct student s = student_view(b, t);
  memcpy(s.location, mean, b->d * sizeof *mean);
  for (size_t i = 0; i < b->d; i++) s.scale[i * (b->d + 1)] = variance[i] > 0 ? variance[i] : 1;
  *s.df = 30;
}
static void student_sample(const mn_mixture_block *b, const double *t, mn_rng *rng, double *x)
{
  const struct student s = student_view(b, t);
  double z[MAX_DIMENSION];
  const double scale = sqrt(*s.df / (2 * mn_random_gamma(rng, *s.df / 2)));
  for (size_t i = 0; i < b->d; i++) {
    z[i] = mn_random_normal(rng);
    x[i] = s.location[i];
    for (size_t j = 0; j <= i; j++) x[i] += scale * s.factor[i * b->d + j] * z[j];
  }
}
static void student_name(const mn_mixture_block *b, size_t i, const char *const *columns, char *text, size_t size)
{
  const size_t d = b->d, at = i - d;
  if (i < d)
    snprintf(text, size, "location of %s", columns[b->column[i]]);
  else if (i < d + d * d)
    snprintf(text, size, "scale of %s, %s", columns[b->column[at / d]], columns[b->column[at % d]]);
  else
    snprintf(text, size, "df");
}

const mn_mixture_family mn_family_student_t = { .name = "student_t",
                                                .joint = true,
                                                .layout = student_layout,
                                                .free_parameters = student_free,
                                                .refuse = refuse_nothing,
                                                .log_density = student_log_density,
                                                .add = student_add,
                                                .maximize = student_maximize,
                                                .derive = student_derive,
                                                .begin = student_begin,
                                                .sample = student_sample,
                                                .parameter_name = student_name };

/* --- von Mises-Fisher: mean direction, concentration; derived: the logarithm of the normalizing constant. Rows have
 * length 1. Banerjee et al., J. Machine Learning Research 6 (2005). --- */

static const double max_concentration = 1e6;

/* log I_v(x) for v >= 0, x > 0: the power series about its largest term, all terms of which are positive. */
static double log_bessel(double v, double x)
{
  const double square = x * x / 4, peak = floor(fmax((sqrt(v * v + x * x) - v) / 2, 0));
  double sum = 1, term = 1;
  for (double j = peak + 1; term > 1e-17 * sum; j++) sum += term *= square / (j * (j + v));
  term = 1;
  for (double j = peak; j > 0 && term > 1e-17 * sum; j--) sum += term *= j * (j + v) / square;
  return (2 * peak + v) * log(x / 2) - mn_lgamma(peak + 1) - mn_lgamma(peak + v + 1) + log(sum);
}
static void fisher_layout(mn_mixture_block *b)
{
  b->shown = b->d + 1;
  b->size = b->d + 2;
  b->stats = b->d;
}
static int64_t fisher_free(const mn_mixture_block *b)
{
  return (int64_t)b->d;
}
static const char *fisher_refuse(const mn_mixture_block *b, const double *x, size_t *at)
{
  double square = 0;
  for (size_t j = 0; j < b->d; j++) square += x[j] * x[j];
  *at = b->d;
  return fabs(square - 1) <= 1e-6 ? NULL : "rows of length 1 (see Normalizer)";
}
static double fisher_log_density(const mn_mixture_block *b, const double *t, const double *x)
{
  double cosine = 0;
  for (size_t j = 0; j < b->d; j++) cosine += t[j] * x[j];
  return t[b->d + 1] + t[b->d] * cosine;
}
/* The concentration with I_{d/2}(c) / I_{d/2-1}(c) = r, by Newton's method from Banerjee's approximation. */
static double solve_concentration(double d, double r)
{
  const double low = 1e-10;
  if (!(r < 1)) return max_concentration;
  double c = fmin(fmax(r * (d - r * r) / (1 - r * r), low), max_concentration);
  for (int round = 0; round < 50; round++) {
    const double ratio = exp(log_bessel(d / 2, c) - log_bessel(d / 2 - 1, c));
    const double next = fmin(fmax(c - (ratio - r) / (1 - ratio * ratio - (d - 1) / c * ratio), c / 2), 2 * c);
    const bool done = fabs(next - c) <= 1e-14 * c;
    c = fmin(fmax(next, low), max_concentration);
    if (done) break;
  }
  return c;
}
static mn_status fisher_maximize(mn_context *ctx, const mn_mixture_block *b, double total, const double *stats,
                                 double *t)
{
  (void)ctx;
  double square = 0;
  for (size_t j = 0; j < b->d; j++) square += stats[j] * stats[j];
  const double length = sqrt(square);
  if (length > 0)
    for (size_t j = 0; j < b->d; j++) t[j] = stats[j] / length;
  t[b->d] = solve_concentration((double)b->d, fmin(length / total, 1));
  return MN_OK;
}
static mn_status fisher_derive(mn_context *ctx, const mn_mixture_block *b, double *t)
{
  (void)ctx;
  const double half = (double)b->d / 2, c = t[b->d];
  t[b->d + 1] = (half - 1) * log(c) - half * log_two_pi - log_bessel(half - 1, c);
  return MN_OK;
}
static void fisher_name(const mn_mixture_block *b, size_t i, const char *const *columns, char *text, size_t size)
{
  if (i < b->d)
    snprintf(text, size, "direction of %s", columns[b->column[i]]);
  else
    snprintf(text, size, "concentration");
}

/* The cosine to the mean direction, by rejection: Wood, Comm. Statist. Simulation 23 (1994). */
static double fisher_cosine(double d, double c, mn_rng *rng)
{
  const double b = (d - 1) / (2 * c + sqrt(4 * c * c + (d - 1) * (d - 1))), x = (1 - b) / (1 + b);
  const double least = c * x + (d - 1) * log(1 - x * x);
  if (!(d > 1)) return mn_random_uniform(rng) * (1 + exp(-2 * c)) < 1 ? 1 : -1;
  for (;;) {
    const double one = mn_random_gamma(rng, (d - 1) / 2), two = mn_random_gamma(rng, (d - 1) / 2);
    const double z = one / (one + two), cosine = (1 - (1 + b) * z) / (1 - (1 - b) * z);
    if (c * cosine + (d - 1) * log(1 - x * cosine) - least >= log(mn_random_uniform(rng))) return cosine;
  }
}
/* With a uniform direction at a right angle to the mean. */
static void fisher_sample(const mn_mixture_block *b, const double *t, mn_rng *rng, double *x)
{
  const double cosine = fisher_cosine((double)b->d, t[b->d], rng);
  double along = 0, square = 0, length2 = 0;
  for (size_t j = 0; j < b->d; j++) {
    x[j] = mn_random_normal(rng);
    along += x[j] * t[j];
  }
  for (size_t j = 0; j < b->d; j++) {
    x[j] -= along * t[j];
    square += x[j] * x[j];
  }
  const double scale = square > 0 ? sqrt(fmax(1 - cosine * cosine, 0) / square) : 0;
  for (size_t j = 0; j < b->d; j++) {
    x[j] = cosine * t[j] + scale * x[j];
    length2 += x[j] * x[j];
  }
  for (size_t j = 0; j < b->d; j++) x[j] /= sqrt(length2);
}

const mn_mixture_family mn_family_von_mises_fisher = { .name = "von_mises_fisher",
                                                       .joint = true,
                                                       .layout = fisher_layout,
                                                       .free_parameters = fisher_free,
                                                       .refuse = fisher_refuse,
                                                       .log_density = fisher_log_density,
                                                       .add = multinomial_add,
                                                       .maximize = fisher_maximize,
                                                       .derive = fisher_derive,
                                                       .sample = fisher_sample,
                                                       .parameter_name = fisher_name };
