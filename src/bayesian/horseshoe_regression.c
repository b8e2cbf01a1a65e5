/* Linear regression with the horseshoe prior, which shrinks most coefficients toward 0 and leaves large ones alone,
 *
 *     y = x b + c + noise of variance s2,    b_j ~ N(0, s2 tau^2 l_j^2),    l_j ~ C+(0, 1),    tau ~ C+(0, tau_scale),
 *
 * for columns centered and scaled to variance 1; p(c, s2) = 1 / s2. The square of a half-Cauchy variable is inverse
 * Gamma given an inverse Gamma auxiliary variable. With auxiliary variables v_j and x all conditionals are inverse
 * Gamma:
 *
 *     l_j^2 ~ IG(1, 1 / v_j + b_j^2 / (2 tau^2 s2)),              v_j ~ IG(1, 1 + 1 / l_j^2),
 *     tau^2 ~ IG((p + 1) / 2, 1 / x + sum_j b_j^2 / l_j^2 / (2 s2)),    x ~ IG(1, 1 / tau_scale^2 + 1 / tau^2).
 *
 * Carvalho, Polson & Scott, Biometrika 97 (2010); Makalic & Schmidt, IEEE Signal Processing Letters 23 (2016). */
#include "gibbs.h"

struct horseshoe {
  mn_gibbs gibbs;
  double tau_scale;
  double tau;
};

/* Squares are kept between this and its inverse. */
static const double max_square = 1e60;

static double clamp_square(double square)
{
  return fmin(fmax(square, 1 / max_square), max_square);
}

/* A draw from IG(1, rate). */
static double draw_inverse_gamma(mn_rng *random, double rate)
{
  return clamp_square(rate / mn_random_exponential(random));
}

static void start(const mn_gibbs *gibbs, mn_gibbs_state *state)
{
  const struct horseshoe *m = (const struct horseshoe *)gibbs;
  state->global = sqrt(clamp_square(m->tau_scale * m->tau_scale)) * exp(mn_random_normal(&state->random) - 1);
  state->auxiliary_global = 1;
  for (size_t j = 0; j < state->p; j++) {
    state->local[j] = exp(mn_random_normal(&state->random));
    state->auxiliary[j] = 1;
    state->d[j] = state->local[j] * state->global * state->global;
  }
}

static double log_density(const mn_gibbs *gibbs, const mn_gibbs_state *state, double scale)
{
  const struct horseshoe *m = (const struct horseshoe *)gibbs;
  const double tau = state->global * scale, ratio = tau / m->tau_scale;
  return log(tau) - log1p(ratio * ratio);
}

static void draw_auxiliary_global(const struct horseshoe *m, mn_gibbs_state *state, double square)
{
  state->auxiliary_global =
      draw_inverse_gamma(&state->random, clamp_square(1 / (m->tau_scale * m->tau_scale)) + 1 / square);
}

/* The auxiliary variable of tau is drawn again, because it was integrated out in the step of the scale. */
static void rescale(const mn_gibbs *gibbs, mn_gibbs_state *state, double scale)
{
  state->global = sqrt(clamp_square(state->global * state->global * scale * scale));
  draw_auxiliary_global((const struct horseshoe *)gibbs, state, state->global * state->global);
}

static void draw(const mn_gibbs *gibbs, mn_gibbs_state *state)
{
  const struct horseshoe *m = (const struct horseshoe *)gibbs;
  mn_rng *random = &state->random;
  double square = state->global * state->global, sum = 0;
  for (size_t j = 0; j < state->p; j++) {
    const double share = state->b[j] * state->b[j] / (2 * state->s2);
    state->local[j] = draw_inverse_gamma(random, 1 / state->auxiliary[j] + share / square);
    state->auxiliary[j] = draw_inverse_gamma(random, 1 + 1 / state->local[j]);
    sum += share / state->local[j];
  }
  square = clamp_square((1 / state->auxiliary_global + sum) / mn_random_gamma(random, ((double)state->p + 1) / 2));
  draw_auxiliary_global(m, state, square);
  state->global = sqrt(square);
  for (size_t j = 0; j < state->p; j++) state->d[j] = state->local[j] * square;
}

static const mn_gibbs_prior half_cauchy = {
  .start = start, .draw = draw, .log_density = log_density, .rescale = rescale
};

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct horseshoe *m = self;
  MN_TRY(mn_gibbs_fit(ctx, &m->gibbs, data, &half_cauchy));
  return mn_gibbs_median(ctx, &m->gibbs, &m->tau);
}

static mn_status samples(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  (void)data;
  (void)options;
  return mn_gibbs_samples(ctx, self, "tau", results);
}

static const mn_operation operations[] = { MN_GIBBS_OPERATIONS(samples, "tau") };

static const mn_param params[] = {
  MN_PENALTY(struct horseshoe, tau_scale, 1, MN_GREATER_THAN(0), "scale of the half-Cauchy prior on tau"),
  MN_GIBBS_PARAMS,
  MN_END,
};

static const mn_field fields[] = {
  MN_GIBBS_FIELDS,
  MN_NUMBER(struct horseshoe, tau,
            "posterior median of tau, the global scale of the coefficients relative to the noise"),
  MN_END,
};

const mn_class mn_horseshoe_regression = {
  .name = "HorseshoeRegression",
  .family = "linear",
  .brief = "Sparse linear regression with the horseshoe prior, by Gibbs sampling.",
  .objective =
      "draws from p(b, c, s2, l, tau | y), b_j ~ N(0, s2 tau^2 l_j^2), half-Cauchy l_j and tau; the trace is -2 log p(y | b, c, s2), averaged over the chains",
  .source =
      "Carvalho, Polson & Scott, Biometrika 97 (2010); Makalic & Schmidt, IEEE Signal Processing Letters 23 (2016); "
      "Bhattacharya, Chakraborty & Mallick, Biometrika 103 (2016) with fewer rows than columns",
  .notes =
      "coef holds posterior means, so predict returns the mean of the predictive distribution. "
      "tau refers to columns of variance 1. "
      "If about k of p columns matter, set tau_scale to k / (p - k) / sqrt(n) (Piironen & Vehtari 2017). "
      "Converged means that the R-hat of every parameter is at most 1.01 and its effective sample size at least min_ess. "
      "A constant column gets coefficient 0. The draws are saved with the model.",
  .example = "local X = ml.normal(60, 8, 1)\n"
             "local model = ml.HorseshoeRegression{}:fit(X, X:col(1) * 2 + ml.normal(60, nil, 2))\n"
             "print(model.coef, model.coef_lower, model.coef_upper, model.worst_r_hat)",
  .capabilities = MN_REGRESS | MN_ITERATE | MN_NOISY_OBJECTIVE | MN_RANDOM,
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct horseshoe),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  MN_GIBBS_CLASS,
};
