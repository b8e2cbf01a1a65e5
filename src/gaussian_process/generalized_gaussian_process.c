/* Gaussian process regression with a likelihood that is not normal, by Laplace's approximation (gp_latent_model.h):
 *
 *     poisson    y ~ Poisson(exp(b + f)),       b = log(mean of y)
 *     student_t  y ~ b + f + scale t(df),       b = median of y
 *
 * With f ~ N(m, v) at a row, the mean of y is exp(b + m + v / 2), or b + m. */
#include "../actions/interval.h"
#include "../model/program.h"
#include "../stats/quantile.h"
#include "../stats/special.h"
#include "gp_latent_model.h"

struct generalized_gp {
  mn_gp_latent_model latent;
  int64_t likelihood;
  double df;
  mn_vector y;          /* learned: rows */
  double offset, scale; /* b; scale of student_t */
};

enum { POISSON, STUDENT_T };
static const char *const likelihoods[] = { "poisson", "student_t", NULL };

/* --- fit --- */

static mn_status problem_of(mn_context *ctx, const void *model, size_t f, mn_gp_latent *problem)
{
  const struct generalized_gp *m = model;
  const mn_matrix *x = &m->latent.x;
  (void)ctx, (void)f;
  *problem = (mn_gp_latent){ .who = m->latent.base.class->name,
                             .rows = { .n = x->rows, .d = x->cols, .x = x->at },
                             .y = m->y.at,
                             .offset = m->offset,
                             .likelihood = { .family = m->likelihood == POISSON ? MN_GP_POISSON : MN_GP_STUDENT,
                                             .df = m->df,
                                             .scale = m->scale },
                             .inference = MN_GP_LAPLACE };
  return MN_OK;
}

static void keep_scale(void *model, const mn_gp_latent *problem)
{
  ((struct generalized_gp *)model)->scale = problem->likelihood.scale;
}

/* b, and a first scale: that of the median absolute deviation of normal y. */
static mn_status find_location(mn_context *ctx, struct generalized_gp *m)
{
  const size_t n = m->y.size;
  static const double half = 0.5;
  double sum = 0, deviation, *distance = MN_RAW(ctx, double, n, 1);
  MN_CHECK_ALLOC(distance);
  m->scale = 1;
  for (size_t i = 0; i < n; i++) sum += m->y.at[i];
  m->offset = log(fmax(sum, 0.5) / (double)n);
  if (m->likelihood == POISSON) return MN_OK;
  MN_TRY(mn_quantiles(ctx, n, m->y.at, NULL, 1, &half, &m->offset));
  for (size_t i = 0; i < n; i++) distance[i] = fabs(m->y.at[i] - m->offset);
  MN_TRY(mn_quantiles(ctx, n, distance, NULL, 1, &half, &deviation));
  deviation /= mn_normal_quantile(0.75);
  if (deviation > 0) m->scale = deviation / 2;
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct generalized_gp *m = self;
  MN_TRY(mn_vector_init(ctx, &m->y, data->rows));
  for (size_t i = 0; i < data->rows; i++) {
    m->y.at[i] = data->y.at[i];
    if (m->likelihood == POISSON && !(m->y.at[i] >= 0))
      return mn_fail(ctx, MN_BAD_DATA,
                     "GeneralizedGaussianProcess: y must be >= 0 for likelihood 'poisson', got %g in row %zu",
                     m->y.at[i], i + 1);
  }
  MN_TRY(find_location(ctx, m));
  return mn_gp_latent_fit(ctx, &m->latent, data, 1, problem_of, keep_scale);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct generalized_gp *m = self;
  if (!(m->scale > 0))
    return mn_fail(ctx, MN_BAD_FILE, "GeneralizedGaussianProcess: the archive has a scale that is not > 0");
  return mn_gp_latent_check(ctx, &m->latent);
}

/* --- predictions --- */

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct generalized_gp *m = self;
  const bool counts = m->likelihood == POISSON;
  double *variance = counts ? MN_RAW(ctx, double, data->rows, 1) : NULL;
  if (counts) MN_CHECK_ALLOC(variance);
  MN_TRY(mn_gp_latent_model_moments(ctx, &m->latent, data, 0, out->at, variance));
  for (size_t i = 0; i < data->rows; i++) {
    const double mean = m->offset + out->at[i];
    out->at[i] = counts ? exp(mean + variance[i] / 2) : mean;
  }
  return MN_OK;
}

struct interval_options {
  double level;
};

static const mn_param interval_params[] = {
  MN_REAL(struct interval_options, level, 0.95, MN_OPEN(0, 1), "probability of the intervals"),
  MN_END,
};

/* Of the function in units of y: its median and quantiles. */
static mn_status intervals(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                           mn_results *results)
{
  const struct generalized_gp *m = self;
  const struct interval_options *o = options;
  const size_t rows = data->rows;
  mn_vector *fit, *low, *high;
  double *mean = MN_RAW(ctx, double, rows, 1), *variance = MN_RAW(ctx, double, rows, 1);
  if (!mean || !variance) return MN_NO_MEMORY;
  MN_TRY(mn_result_vector(ctx, results, "intervals.fit", rows, &fit));
  MN_TRY(mn_result_vector(ctx, results, "intervals.low", rows, &low));
  MN_TRY(mn_result_vector(ctx, results, "intervals.high", rows, &high));
  MN_TRY(mn_gp_latent_model_moments(ctx, &m->latent, data, 0, mean, variance));
  const double z = mn_normal_quantile(0.5 + o->level / 2);
  for (size_t i = 0; i < rows; i++) {
    const double at = m->offset + mean[i], width = z * sqrt(variance[i]);
    const bool counts = m->likelihood == POISSON;
    fit->at[i] = counts ? exp(at) : at;
    low->at[i] = counts ? exp(at - width) : at - width;
    high->at[i] = counts ? exp(at + width) : at + width;
  }
  return MN_OK;
}

static mn_status latent(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results)
{
  const struct generalized_gp *m = self;
  (void)options;
  return mn_gp_latent_results(ctx, &m->latent, data, m->offset, results);
}

static mn_status likelihood(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                            mn_results *results)
{
  const struct generalized_gp *m = self;
  const struct mn_gp_theta_option *o = options;
  (void)data;
  return mn_gp_likelihood_results(ctx, &m->latent, &o->theta, problem_of, results);
}

static const mn_operation operations[] = {
  { .name = "intervals",
    .brief = "credible intervals of the function in units of y: of the rate for poisson, of the center for student_t",
    .returns = "intervals (Frame of fit, low, high); fit is the median",
    .needs = MN_NEEDS_X,
    .options = interval_params,
    .options_size = sizeof(struct interval_options),
    .run = intervals },
  { .name = "latent",
    .brief = "mean and variance of the latent function: of log(rate) for poisson",
    .returns = "mean, variance (rows x 1)",
    .needs = MN_NEEDS_X,
    .run = latent },
  { .name = "log_marginal_likelihood",
    .brief = "approximate log marginal likelihood and its gradient at given hyperparameters of the kernel",
    .returns = "value, gradient (free hyperparameters)",
    .options = mn_gp_theta_params,
    .options_size = sizeof(struct mn_gp_theta_option),
    .run = likelihood },
  { .name = NULL },
};

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct generalized_gp *m = self;
  (void)action, (void)program;
  return mn_cannot_export(ctx, &m->latent.base, "the variance of its function needs a rows x rows factor");
}

static const mn_param params[] = {
  MN_GP_LATENT_PARAMS,
  MN_CHOICE(struct generalized_gp, likelihood, POISSON, likelihoods,
            "poisson: counts, with the logarithm of their rate as function; student_t: errors with outliers"),
  MN_REAL(struct generalized_gp, df, 4, MN_GREATER_THAN(0), "degrees of freedom of student_t"),
  MN_END,
};

static const mn_field fields[] = {
  MN_GP_LATENT_FIELDS("functions"),
  MN_NUMBER(struct generalized_gp, offset, "constant added to the function"),
  MN_NUMBER(struct generalized_gp, scale, "estimated scale of student_t; 1 for poisson"),
  MN_LEARNED(MN_KIND_VECTOR, struct generalized_gp, y, "rows", NULL),
  MN_END,
};

const mn_class mn_generalized_gaussian_process = {
  .name = "GeneralizedGaussianProcess",
  .family = "gaussian process",
  .brief = "Gaussian process regression for counts, or for data with outliers.",
  .objective = "maximize log p(y | X), with y ~ Poisson(exp(b + f)) or y = b + f + scale t(df), f ~ GP(0, k)",
  .source = "Rasmussen & Williams, Gaussian Processes for Machine Learning (2006), section 3.4; Hartmann & Vanhatalo, "
            "Statistics and Computing 29 (2019)",
  .notes = "Laplace's approximation, which for student_t takes the expected information in place of the second "
           "derivative. The constant b is log(mean of y), or the median; it is not estimated with the hyperparameters. "
           "The scale of student_t is. predict is the mean of y given the data, for poisson exp(m + v / 2). A fit "
           "stores one n x n matrix, works with three more, and takes O(n^3) time an iteration.",
  .example = "local X, y = ml.range(1, 6):as_column(), { 1, 0, 2, 5, 9, 8 }\n"
             "local model = ml.GeneralizedGaussianProcess{ kernel = 'rbf' }:fit(X, y)\n"
             "print(model:intervals(X))",
  .capabilities = MN_REGRESS | MN_RANDOM | MN_ITERATE,
  .size = sizeof(struct generalized_gp),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  .predict = predict,
  .export = export,
  .check = check,
  .derive = mn_gp_latent_derive,
};
