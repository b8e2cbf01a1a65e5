/* Mixture of linear experts with gates on one or several levels: see experts.h. */
#include "../actions/interval.h"
#include "experts.h"

static const mn_operation operations[] = {
  MN_EXPERTS_GATE_PROBA,
  { .name = "predict_each",
    .brief = "mean of y by each expert",
    .returns = "Matrix (rows x experts)",
    .needs = MN_NEEDS_X,
    .run = mn_experts_predict_each },
  { .name = "posterior",
    .brief = "responsibilities of the experts for rows with known y, and the log density of y",
    .returns = "responsibilities (rows x experts), log_density (rows)",
    .needs = MN_NEEDS_X | MN_NEEDS_Y,
    .run = mn_experts_posterior },
  MN_PREDICT_INTERVAL(", which are quantiles of the mixture", mn_experts_interval),
  { .name = NULL },
};

static const mn_param params[] = {
  MN_COUNT(mn_experts, n_experts, 2, MN_CLOSED(2, 1000),
           "branches of each gate; with one level, the number of experts"),
  MN_EXPERTS_LEVELS,
  MN_PENALTY(
      mn_experts, gate_penalty, 1e-3, MN_AT_LEAST(0),
      "L2 penalty on the coefficients of the gates (gate_penalty / 2 times their squares, for columns of variance 1); keeps gates finite if they can separate the rows"),
  MN_EXPERTS_FIT_INTERCEPT,
  MN_FLAG(mn_experts, equal_variance, false, "use one variance for all experts"),
  MN_EXPERTS_MIN_VARIANCE,
  MN_EXPERTS_INIT,
  MN_EXPERTS_EM_PARAMS(20, 1e-8),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(mn_experts, coef, "experts x features", "coefficients of each expert"),
  MN_VECTOR(mn_experts, intercept, "experts", "intercept of each expert"),
  MN_VECTOR(mn_experts, variance, "experts", "noise variance of each expert"),
  MN_EXPERTS_GATE_FIELDS,
  MN_EXPERTS_LIKELIHOOD(", without the penalty",
                        "number of independent coefficients of experts and gates, and variances"),
  MN_END,
};

const mn_class mn_mixture_of_experts = {
  .name = "MixtureOfExperts",
  .family = "linear",
  .brief = "Mixture of linear experts whose gates depend on x, on one or several levels.",
  .objective =
      "-sum_i w_i log sum_k g_k(x_i) N(y_i | x_i b_k + c_k, variance_k) + gate_penalty / 2 |v|^2, g a softmax of x v, or the product of softmaxes along the levels",
  .source =
      "Jacobs, Jordan, Nowlan & Hinton, Neural Computation 3 (1991); Jordan & Jacobs, Neural Computation 6 (1994)",
  .notes =
      "predict returns sum_k g_k(x) (x b_k + c_k); experts are numbered from left to right. "
      "Fitted by generalized EM: experts by weighted least squares, gates by Newton steps that never increase the objective. "
      "gate_penalty bounds the slopes of gates at hard borders. "
      "Variances are at least min_variance, and a start that reaches it is kept only if all do. "
      "EM finds local optima: increase n_init or compare seeds.",
  .example = "local X, y = {}, {}\n"
             "for i = 1, 40 do X[i], y[i] = { i / 10 }, math.abs(i / 10 - 2) + 0.05 * (i % 3) end\n"
             "local model = ml.MixtureOfExperts{}:fit(X, y)\n"
             "print(model:predict{ {0.5}, {3.5} }, model:gate_proba{ {0.5}, {3.5} })",
  .capabilities = MN_REGRESS | MN_ITERATE | MN_RANDOM,
  .accepts = MN_WEIGHTS,
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = mn_experts_fit_tree,
  MN_EXPERTS_REGRESSOR,
};
