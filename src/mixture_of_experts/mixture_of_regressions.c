/* Mixture of linear regressions with constant mixing weights: see experts.h. */
#include "../actions/interval.h"
#include "experts.h"

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_experts *m = self;
  if ((uint64_t)m->n_components > data->rows)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "MixtureOfRegressions: n_components must be at most the number of rows, %zu, got %lld", data->rows,
                   (long long)m->n_components);
  return mn_experts_fit(ctx, m, data, (size_t)m->n_components, 0, 0);
}

static const mn_operation operations[] = {
  { .name = "predict_each",
    .brief = "mean of y in each component",
    .returns = "Matrix (rows x components)",
    .needs = MN_NEEDS_X,
    .run = mn_experts_predict_each },
  { .name = "posterior",
    .brief = "responsibilities of the components for rows with known y, and the log density of y",
    .returns = "responsibilities (rows x components), log_density (rows)",
    .needs = MN_NEEDS_X | MN_NEEDS_Y,
    .run = mn_experts_posterior },
  MN_PREDICT_INTERVAL(", which are quantiles of the mixture", mn_experts_interval),
  { .name = NULL },
};

static const mn_param params[] = {
  MN_COUNT(mn_experts, n_components, 2, MN_AT_LEAST(1), "number of components"),
  MN_FLAG(mn_experts, fit_intercept, true, "learn an intercept for each component"),
  MN_FLAG(mn_experts, equal_variance, false, "use one variance for all components"),
  MN_EXPERTS_MIN_VARIANCE,
  MN_CHOICE(
      mn_experts, init, MN_EXPERTS_INIT_ROWS, mn_experts_inits,
      "rows: each component is fitted to a few random rows; k-means++: rows are assigned to k-means++ centers; random: each row is assigned to a random component; mixed: k-means++, random and rows in turn"),
  MN_EXPERTS_EM_PARAMS(30, 1e-10),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(mn_experts, coef, "components x features", "coefficients of each component"),
  MN_VECTOR(mn_experts, intercept, "components", "intercept of each component"),
  MN_VECTOR(mn_experts, variance, "components", "noise variance of each component"),
  MN_VECTOR(mn_experts, weights, "components", "mixing weight of each component, in decreasing order; they sum to 1"),
  MN_MATRIX(mn_experts, responsibilities, "rows x components", "probability of each component for each training row"),
  MN_EXPERTS_LIKELIHOOD("", "number of independent coefficients, variances and mixing weights"),
  MN_END,
};

const mn_class mn_mixture_of_regressions = {
  .name = "MixtureOfRegressions",
  .family = "linear",
  .brief = "Mixture of linear regressions: a linear model for each latent component.",
  .objective = "-sum_i w_i log sum_k weight_k N(y_i | x_i b_k + c_k, variance_k)",
  .source = "De Veaux, Comput. Statist. Data Anal. 8 (1989); Dempster, Laird & Rubin (1977)",
  .notes =
      "predict returns the mean over the components, sum_k weight_k (x b_k + c_k); see predict_each and posterior for single components. "
      "The likelihood is unbounded if a component fits a few rows exactly, so variances are at least min_variance, and a start that reaches it is kept only if all do. "
      "EM finds local optima: increase n_init or compare seeds. "
      "The model is that of flexmix and mixtools.",
  .example = "local X, y = { {1}, {2}, {3}, {4}, {1}, {2}, {3}, {4} }, { 1, 2.1, 2.9, 4, 8, 7.1, 5.9, 5 }\n"
             "local model = ml.MixtureOfRegressions{}:fit(X, y)\n"
             "print(model.coef, model:posterior(X, y).responsibilities)",
  .capabilities = MN_REGRESS | MN_ITERATE | MN_RANDOM,
  .accepts = MN_WEIGHTS,
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  MN_EXPERTS_REGRESSOR,
};
