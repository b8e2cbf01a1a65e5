/* Families of one column. Densities and samples are those of stats/distribution.h. */
#include "mixture_family.h"
#include "../stats/distribution.h"
#include "../stats/special.h"
#include <stdio.h>
#include <string.h>

static const double least_probability = 1e-12;

static const mn_distribution *find(const mn_distribution *table, const char *name)
{
  while (strcmp(table->name, name) != 0) table++;
  return table;
}

static void one_parameter(mn_mixture_block *b)
{
  b->shown = b->size = 1;
  b->stats = 1;
}
static void two_parameters(mn_mixture_block *b)
{
  b->shown = b->size = b->stats = 2;
}
static int64_t count_shown(const mn_mixture_block *b)
{
  return (int64_t)b->shown;
}
static mn_status derive_nothing(mn_context *ctx, const mn_mixture_block *b, double *t)
{
  (void)ctx, (void)b, (void)t;
  return MN_OK;
}
static const char *refuse_nothing(const mn_mixture_block *b, const double *x, size_t *at)
{
  (void)b, (void)x, (void)at;
  return NULL;
}
static void add_value(const mn_mixture_block *b, const double *t, const double *x, double w, double *stats)
{
  (void)b, (void)t;
  stats[0] += w * x[0];
}
static void name_single(const char *what, size_t column, const char *const *columns, char *text, size_t size)
{
  snprintf(text, size, "%s of %s", what, columns[column]);
}

/* --- gaussian: mean, variance. Statistics about the mean of the E step. --- */

static double gaussian_log_density(const mn_mixture_block *b, const double *t, const double *x)
{
  (void)b;
  return mn_normal_logpdf((x[0] - t[0]) / sqrt(t[1])) - log(t[1]) / 2;
}
static void gaussian_add(const mn_mixture_block *b, const double *t, const double *x, double w, double *stats)
{
  (void)b;
  const double z = x[0] - t[0];
  stats[0] += w * z;
  stats[1] += w * z * z;
}
static mn_status gaussian_maximize(mn_context *ctx, const mn_mixture_block *b, double total, const double *stats,
                                   double *t)
{
  (void)ctx;
  const double moved = stats[0] / total;
  t[0] += moved;
  t[1] = fmax(stats[1] / total - moved * moved, 0) + b->floor;
  t[1] = fmax(t[1], DBL_MIN);
  return MN_OK;
}
static void gaussian_begin(const mn_mixture_block *b, const double *mean, const double *variance, double *t)
{
  (void)b;
  t[0] = mean[0];
  t[1] = fmax(variance[0], DBL_MIN);
}
static void gaussian_sample(const mn_mixture_block *b, const double *t, mn_rng *rng, double *x)
{
  (void)b;
  x[0] = t[0] + sqrt(t[1]) * mn_random_normal(rng);
}
static void gaussian_name(const mn_mixture_block *b, size_t i, const char *const *columns, char *text, size_t size)
{
  name_single(i == 0 ? "mean" : "variance", b->column[0], columns, text, size);
}

/* --- poisson, exponential: mean --- */

static const char *refuse_fraction(const mn_mixture_block *b, const double *x, size_t *at)
{
  (void)b, (void)at;
  return x[0] >= 0 && x[0] <= 0x1p53 && !(floor(x[0]) < x[0]) ? NULL : "a count: 0, 1, 2, ...";
}
static double poisson_log_density(const mn_mixture_block *b, const double *t, const double *x)
{
  (void)b;
  return mn_poisson_logpmf(x[0], t[0]);
}
static mn_status mean_maximize(mn_context *ctx, const mn_mixture_block *b, double total, const double *stats, double *t)
{
  (void)ctx, (void)b;
  t[0] = fmax(stats[0] / total, least_probability);
  return MN_OK;
}
static void poisson_sample(const mn_mixture_block *b, const double *t, mn_rng *rng, double *x)
{
  (void)b;
  x[0] = find(mn_discrete_distributions, "poisson")->sample(t, rng);
}
static void mean_name(const mn_mixture_block *b, size_t i, const char *const *columns, char *text, size_t size)
{
  (void)i;
  name_single("mean", b->column[0], columns, text, size);
}

static const char *refuse_negative(const mn_mixture_block *b, const double *x, size_t *at)
{
  (void)b, (void)at;
  return x[0] >= 0 ? NULL : ">= 0";
}
static double exponential_log_density(const mn_mixture_block *b, const double *t, const double *x)
{
  (void)b;
  return -log(t[0]) - x[0] / t[0];
}
static void exponential_sample(const mn_mixture_block *b, const double *t, mn_rng *rng, double *x)
{
  (void)b;
  x[0] = t[0] * mn_random_exponential(rng);
}

/* --- bernoulli: p --- */

static const char *refuse_not_flag(const mn_mixture_block *b, const double *x, size_t *at)
{
  (void)b, (void)at;
  return !(x[0] < 0) && !(x[0] > 0 && x[0] < 1) && !(x[0] > 1) ? NULL : "0 or 1";
}
static double bernoulli_log_density(const mn_mixture_block *b, const double *t, const double *x)
{
  (void)b;
  return x[0] > 0 ? log(t[0]) : log1p(-t[0]);
}
static mn_status bernoulli_maximize(mn_context *ctx, const mn_mixture_block *b, double total, const double *stats,
                                    double *t)
{
  (void)ctx, (void)b;
  t[0] = fmin(fmax(stats[0] / total, least_probability), 1 - least_probability);
  return MN_OK;
}
static void bernoulli_sample(const mn_mixture_block *b, const double *t, mn_rng *rng, double *x)
{
  (void)b;
  x[0] = mn_random_uniform(rng) < t[0];
}
static void probability_name(const mn_mixture_block *b, size_t i, const char *const *columns, char *text, size_t size)
{
  (void)i;
  name_single("p", b->column[0], columns, text, size);
}

/* --- categorical: the probability of each level --- */

static void categorical_layout(mn_mixture_block *b)
{
  b->shown = b->size = b->stats = b->levels;
}
static int64_t categorical_free(const mn_mixture_block *b)
{
  return (int64_t)b->levels - 1;
}
static double categorical_log_density(const mn_mixture_block *b, const double *t, const double *x)
{
  (void)b;
  return log(t[(size_t)x[0]]);
}
static void categorical_add(const mn_mixture_block *b, const double *t, const double *x, double w, double *stats)
{
  (void)b, (void)t;
  stats[(size_t)x[0]] += w;
}
static mn_status categorical_maximize(mn_context *ctx, const mn_mixture_block *b, double total, const double *stats,
                                      double *t)
{
  (void)ctx;
  for (size_t l = 0; l < b->levels; l++) t[l] = fmax(stats[l] / total, least_probability);
  return MN_OK;
}
static void categorical_sample(const mn_mixture_block *b, const double *t, mn_rng *rng, double *x)
{
  x[0] = (double)mn_random_weighted(rng, t, b->levels);
}
static void categorical_name(const mn_mixture_block *b, size_t i, const char *const *columns, char *text, size_t size)
{
  snprintf(text, size, "p of %s = %zu", columns[b->column[0]], i);
}

/* --- gamma: shape, scale --- */

static const char *refuse_not_positive(const mn_mixture_block *b, const double *x, size_t *at)
{
  (void)b, (void)at;
  return x[0] > 0 ? NULL : "> 0";
}
static double gamma_log_density(const mn_mixture_block *b, const double *t, const double *x)
{
  (void)b;
  return mn_gamma_logpdf(x[0], t[0], t[1]);
}
static void gamma_add(const mn_mixture_block *b, const double *t, const double *x, double w, double *stats)
{
  (void)b, (void)t;
  stats[0] += w * x[0];
  stats[1] += w * log(x[0]);
}
/* log k - digamma(k) = log mean - mean log: Minka, Estimating a Gamma distribution (2002). */
static mn_status gamma_maximize(mn_context *ctx, const mn_mixture_block *b, double total, const double *stats,
                                double *t)
{
  (void)ctx, (void)b;
  const double mean = stats[0] / total, s = fmax(log(mean) - stats[1] / total, 1e-9);
  double k = (3 - s + sqrt((s - 3) * (s - 3) + 24 * s)) / (12 * s);
  for (int round = 0; round < 50; round++) {
    const double next = 1 / (1 / k + (log(k) - mn_digamma(k) - s) / (k * k * (1 / k - mn_trigamma(k))));
    const bool done = fabs(next - k) <= 4 * DBL_EPSILON * k;
    k = next > 0 ? next : k / 2;
    if (done) break;
  }
  t[0] = k;
  t[1] = mean / k;
  return MN_OK;
}
static void gamma_sample(const mn_mixture_block *b, const double *t, mn_rng *rng, double *x)
{
  (void)b;
  x[0] = t[1] * mn_random_gamma(rng, t[0]);
}
static void gamma_name(const mn_mixture_block *b, size_t i, const char *const *columns, char *text, size_t size)
{
  name_single(i == 0 ? "shape" : "scale", b->column[0], columns, text, size);
}

static const mn_mixture_family gaussian = { .name = "gaussian",
                                            .layout = two_parameters,
                                            .free_parameters = count_shown,
                                            .refuse = refuse_nothing,
                                            .log_density = gaussian_log_density,
                                            .add = gaussian_add,
                                            .maximize = gaussian_maximize,
                                            .derive = derive_nothing,
                                            .begin = gaussian_begin,
                                            .sample = gaussian_sample,
                                            .parameter_name = gaussian_name };
static const mn_mixture_family poisson = { .name = "poisson",
                                           .layout = one_parameter,
                                           .free_parameters = count_shown,
                                           .refuse = refuse_fraction,
                                           .log_density = poisson_log_density,
                                           .add = add_value,
                                           .maximize = mean_maximize,
                                           .derive = derive_nothing,
                                           .sample = poisson_sample,
                                           .parameter_name = mean_name };
static const mn_mixture_family exponential = { .name = "exponential",
                                               .layout = one_parameter,
                                               .free_parameters = count_shown,
                                               .refuse = refuse_negative,
                                               .log_density = exponential_log_density,
                                               .add = add_value,
                                               .maximize = mean_maximize,
                                               .derive = derive_nothing,
                                               .sample = exponential_sample,
                                               .parameter_name = mean_name };
static const mn_mixture_family bernoulli = { .name = "bernoulli",
                                             .layout = one_parameter,
                                             .free_parameters = count_shown,
                                             .refuse = refuse_not_flag,
                                             .log_density = bernoulli_log_density,
                                             .add = add_value,
                                             .maximize = bernoulli_maximize,
                                             .derive = derive_nothing,
                                             .sample = bernoulli_sample,
                                             .parameter_name = probability_name };
static const mn_mixture_family categorical = { .name = "categorical",
                                               .layout = categorical_layout,
                                               .free_parameters = categorical_free,
                                               .refuse = refuse_fraction,
                                               .log_density = categorical_log_density,
                                               .add = categorical_add,
                                               .maximize = categorical_maximize,
                                               .derive = derive_nothing,
                                               .sample = categorical_sample,
                                               .parameter_name = categorical_name };
static const mn_mixture_family gamma_family = { .name = "gamma",
                                                .layout = two_parameters,
                                                .free_parameters = count_shown,
                                                .refuse = refuse_not_positive,
                                                .log_density = gamma_log_density,
                                                .add = gamma_add,
                                                .maximize = gamma_maximize,
                                                .derive = derive_nothing,
                                                .sample = gamma_sample,
                                                .parameter_name = gamma_name };

const mn_mixture_family *const mn_mixture_families[] = { &gaussian,
                                                         &poisson,
                                                         &bernoulli,
                                                         &categorical,
                                                         &exponential,
                                                         &gamma_family,
                                                         &mn_family_multinomial,
                                                         &mn_family_student_t,
                                                         &mn_family_von_mises_fisher,
                                                         NULL };
