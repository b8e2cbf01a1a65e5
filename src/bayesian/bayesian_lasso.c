/* The Bayesian lasso: a Laplace prior on the coefficients given the noise variance,
 *
 *     y = x b + c + noise of variance s2,    p(b | s2) = prod_j lambda / (2 s) exp(-lambda |b_j| / s),
 *
 * for columns centered and scaled to length 1; p(c, s2) = 1 / s2, and lambda^2 ~ Gamma(lambda_shape, lambda_rate)
 * unless it is given. The posterior mode given lambda and s2 is the lasso. With b_j ~ N(0, s2 d_j) and d_j exponential
 * with rate lambda^2 / 2 the conditionals are
 *
 *     1 / d_j ~ inverse Gaussian with mean lambda s / |b_j| and shape lambda^2,
 *     lambda^2 ~ Gamma(p + lambda_shape, lambda_rate + sum_j d_j / 2).
 *
 * Park & Casella, Journal of the American Statistical Association 103 (2008). */
#include "gibbs.h"

struct bayesian_lasso {
  mn_gibbs gibbs;
  double penalty, lambda_shape, lambda_rate;
  double lambda;
};

/* lambda is kept between this and its inverse. */
static const double max_lambda = 1e30;

static double clamp_lambda(double lambda)
{
  return fmin(fmax(lambda, 1 / max_lambda), max_lambda);
}

static void draw_variances(mn_gibbs_state *state)
{
  const double lambda = state->global, sigma = sqrt(state->s2);
  for (size_t j = 0; j < state->p; j++)
    state->d[j] = 1 / mn_random_inverse_gaussian(&state->random, lambda * sigma / fabs(state->b[j]), lambda * lambda);
}

static void start(const mn_gibbs *gibbs, mn_gibbs_state *state)
{
  const struct bayesian_lasso *m = (const struct bayesian_lasso *)gibbs;
  const double drawn = exp(mn_random_normal(&state->random));
  state->global = clamp_lambda(isnan(m->penalty) ? drawn : m->penalty);
  for (size_t j = 0; j < state->p; j++)
    state->d[j] = 2 / (state->global * state->global) * mn_random_exponential(&state->random);
}

/* Minus infinity if lambda is given: then its scale is not sampled. */
static double log_density(const mn_gibbs *gibbs, const mn_gibbs_state *state, double scale)
{
  const struct bayesian_lasso *m = (const struct bayesian_lasso *)gibbs;
  const double lambda = state->global / scale;
  return isnan(m->penalty) ? 2 * m->lambda_shape * log(lambda) - m->lambda_rate * lambda * lambda : -INFINITY;
}

static void rescale(const mn_gibbs *gibbs, mn_gibbs_state *state, double scale)
{
  (void)gibbs;
  state->global = clamp_lambda(state->global / scale);
}

static void draw(const mn_gibbs *gibbs, mn_gibbs_state *state)
{
  const struct bayesian_lasso *m = (const struct bayesian_lasso *)gibbs;
  draw_variances(state);
  if (!isnan(m->penalty)) return;
  double sum = 0;
  for (size_t j = 0; j < state->p; j++) sum += state->d[j];
  const double square =
      mn_random_gamma(&state->random, (double)state->p + m->lambda_shape) / (m->lambda_rate + sum / 2);
  state->global = clamp_lambda(sqrt(square));
}

static const mn_gibbs_prior laplace = {
  .unit_length = true, .start = start, .draw = draw, .log_density = log_density, .rescale = rescale
};

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct bayesian_lasso *m = self;
  MN_TRY(mn_gibbs_fit(ctx, &m->gibbs, data, &laplace));
  return mn_gibbs_median(ctx, &m->gibbs, &m->lambda);
}

static mn_status samples(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  (void)data;
  (void)options;
  return mn_gibbs_samples(ctx, self, "lambda", results);
}

static const mn_operation operations[] = { MN_GIBBS_OPERATIONS(samples, "lambda") };

static const mn_param params[] = {
  MN_REAL(struct bayesian_lasso, penalty, MN_UNSET_REAL, MN_GREATER_THAN(0),
          "fixed lambda; nil: sampled with the coefficients"),
  MN_REAL(struct bayesian_lasso, lambda_shape, 1, MN_GREATER_THAN(0),
          "shape of the Gamma prior on lambda^2; ignored if penalty is set"),
  MN_REAL(struct bayesian_lasso, lambda_rate, 1.78, MN_GREATER_THAN(0),
          "rate of the Gamma prior on lambda^2; ignored if penalty is set"),
  MN_GIBBS_PARAMS,
  MN_END,
};

static const mn_field fields[] = {
  MN_GIBBS_FIELDS,
  MN_NUMBER(struct bayesian_lasso, lambda, "posterior median of lambda, or penalty if it is set"),
  MN_END,
};

const mn_class mn_bayesian_lasso = {
  .name = "BayesianLasso",
  .family = "linear",
  .brief = "Linear regression with a Laplace prior, by Gibbs sampling (Bayesian lasso).",
  .objective =
      "draws from p(b, c, s2, lambda | y), p(b_j | s2) = lambda / (2 s) exp(-lambda |b_j| / s); the trace is -2 log p(y | b, c, s2), averaged over the chains",
  .source = "Park & Casella, Journal of the American Statistical Association 103 (2008)",
  .notes =
      "coef holds posterior means, so predict returns the mean of the predictive distribution; see also coef_median, coef_lower and coef_upper. "
      "lambda and the defaults of its prior refer to columns scaled to length 1, as in the paper. "
      "Converged means that the R-hat of every parameter is at most 1.01 and its effective sample size at least min_ess. "
      "A constant column gets coefficient 0. The draws are saved with the model.",
  .example = "local X = ml.normal(60, 3, 1)\n"
             "local model = ml.BayesianLasso{}:fit(X, X:col(1) * 2 + ml.normal(60, nil, 2))\n"
             "print(model.coef, model.coef_lower, model.coef_upper, model.worst_r_hat)",
  .capabilities = MN_REGRESS | MN_ITERATE | MN_NOISY_OBJECTIVE | MN_RANDOM,
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct bayesian_lasso),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  MN_GIBBS_CLASS,
};
