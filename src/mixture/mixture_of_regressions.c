/* Mixture of linear regressions with constant weights: see experts.h. */
#include "../model/interval.h"
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
    .brief = "the mean of y in each component",
    .returns = "Matrix (rows x components)",
    .needs = MN_NEEDS_X,
    .run = mn_experts_predict_each },
  { .name = "posterior",
    .brief = "from which component rows come whose y is known, and how likely their y are",
    .returns = "responsibilities (rows x components), log_density (rows)",
    .needs = MN_NEEDS_X | MN_NEEDS_Y,
    .run = mn_experts_posterior },
  MN_PREDICT_INTERVAL(", which are quantiles of the mixture", mn_experts_interval),
  { .name = NULL },
};

static const mn_param params[] = {
  MN_COUNT(mn_experts, n_components, 2, MN_AT_LEAST(1), "how many regressions"),
  MN_FLAG(mn_experts, fit_intercept, true, "each learns a constant term"),
  MN_FLAG(mn_experts, equal_variance, false, "all components have one variance"),
  MN_EXPERTS_MIN_VARIANCE,
  MN_CHOICE(mn_experts, init, MN_EXPERTS_ROWS, mn_experts_inits,
            "rows: each component begins as the regression through a few random rows; k-means++: with the rows nearest "
            "to spread centers; random: with random rows"),
  MN_EXPERTS_ROUNDS(30, 1e-10),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(mn_experts, coef, "components x features", "weights of each regression"),
  MN_VECTOR(mn_experts, intercept, "components", "constant term of each"),
  MN_VECTOR(mn_experts, variance, "components", "variance of y about each"),
  MN_VECTOR(mn_experts, weights, "components", "share of each; they add up to 1, the largest first"),
  MN_MATRIX(mn_experts, responsibilities, "rows x components", "probability that each row of fit comes from each"),
  MN_EXPERTS_LIKELIHOOD("", "independent coefficients, variances and shares"),
  MN_END,
};

const mn_class mn_mixture_of_regressions = {
  .name = "MixtureOfRegressions",
  .family = "linear",
  .brief = "Several linear regressions at once, when it is not known which row follows which.",
  .objective = "-sum_i w_i log sum_k weight_k N(y_i | x_i b_k + c_k, variance_k)",
  .source = "De Veaux, Comput. Statist. Data Anal. 8 (1989); Dempster, Laird & Rubin (1977)",
  .notes =
      "predict gives the mean over the components, sum_k weight_k (x b_k + c_k): predict_each and posterior tell them "
      "apart. The likelihood has no bound where a component passes through few rows exactly, so variances are held "
      "above min_variance, and a start that ends there is kept only when all do. EM finds local optima: raise n_init, "
      "or compare seeds. As flexmix and mixtools define it; the objective is minus the log likelihood.",
  .example = "local X, y = { {1}, {2}, {3}, {4}, {1}, {2}, {3}, {4} }, { 1, 2.1, 2.9, 4, 8, 7.1, 5.9, 5 }\n"
             "local model = ml.MixtureOfRegressions{}:fit(X, y)\n"
             "print(model.coef, model:posterior(X, y).responsibilities)",
  .capabilities = MN_REGRESS | MN_ITERATE | MN_RANDOM,
  .accepts = MN_WEIGHTS,
  .size = sizeof(mn_experts),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  .predict = mn_experts_predict,
  .export = mn_experts_export,
  .check = mn_experts_check,
};
