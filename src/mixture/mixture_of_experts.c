/* Mixture of linear experts with gates, on one level or on several: see experts.h. */
#include "../model/interval.h"
#include "experts.h"

static const mn_operation operations[] = {
  MN_EXPERTS_GATE_PROBA,
  { .name = "predict_each",
    .brief = "the mean of y by each expert",
    .returns = "Matrix (rows x experts)",
    .needs = MN_NEEDS_X,
    .run = mn_experts_predict_each },
  { .name = "posterior",
    .brief = "from which expert rows come whose y is known, and how likely their y are",
    .returns = "responsibilities (rows x experts), log_density (rows)",
    .needs = MN_NEEDS_X | MN_NEEDS_Y,
    .run = mn_experts_posterior },
  MN_PREDICT_INTERVAL(", which are quantiles of the mixture", mn_experts_interval),
  { .name = NULL },
};

static const mn_param params[] = {
  MN_COUNT(mn_experts, n_experts, 2, MN_CLOSED(2, 1000), "ways that each gate leads: on one level, how many experts"),
  MN_EXPERTS_LEVELS,
  MN_PENALTY(mn_experts, gate_penalty, 1e-3, MN_AT_LEAST(0),
             "half of it times the squared weights of the gates, for columns of variance 1: what keeps a gate finite "
             "where it could part the rows without an error"),
  MN_EXPERTS_CONSTANT,
  MN_FLAG(mn_experts, equal_variance, false, "all experts have one variance"),
  MN_EXPERTS_MIN_VARIANCE,
  MN_CHOICE(mn_experts, init, MN_EXPERTS_PLUS_PLUS, mn_experts_inits,
            "k-means++: each gate begins by parting its rows by spread centers; rows: each expert as the regression "
            "through a few random rows; random: with random rows"),
  MN_EXPERTS_ROUNDS(10, 1e-8),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(mn_experts, coef, "experts x features", "weights of each expert"),
  MN_VECTOR(mn_experts, intercept, "experts", "constant term of each"),
  MN_VECTOR(mn_experts, variance, "experts", "variance of y about each"),
  MN_EXPERTS_GATE_FIELDS,
  MN_EXPERTS_LIKELIHOOD(", without the penalty", "independent coefficients of experts and gates, and variances"),
  MN_END,
};

const mn_class mn_mixture_of_experts = {
  .name = "MixtureOfExperts",
  .family = "linear",
  .brief = "Linear regressions among which gates share out the rows by where they lie; hierarchical, too.",
  .objective = "-sum_i w_i log sum_k g_k(x_i) N(y_i | x_i b_k + c_k, variance_k) + gate_penalty / 2 |v|^2, g a softmax "
               "of x v, or a product of them along the levels",
  .source =
      "Jacobs, Jordan, Nowlan & Hinton, Neural Computation 3 (1991); Jordan & Jacobs, Neural Computation 6 (1994)",
  .notes =
      "predict gives sum_k g_k(x) (x b_k + c_k); experts are numbered from left to right. By generalised EM: experts "
      "by weighted least squares, gates by steps of Newton's method that never raise the objective, which is minus the "
      "log likelihood with the penalty. A hard border makes steep gates; gate_penalty bounds them. Variances are held "
      "above min_variance, and a start that ends there is kept only when all do. EM finds local optima: raise n_init, "
      "or compare seeds.",
  .example = "local X, y = {}, {}\n"
             "for i = 1, 40 do X[i], y[i] = { i / 10 }, math.abs(i / 10 - 2) + 0.05 * (i % 3) end\n"
             "local model = ml.MixtureOfExperts{}:fit(X, y)\n"
             "print(model:predict{ {0.5}, {3.5} }, model:gate_proba{ {0.5}, {3.5} })",
  .capabilities = MN_REGRESS | MN_ITERATE | MN_RANDOM,
  .accepts = MN_WEIGHTS,
  .size = sizeof(mn_experts),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = mn_experts_fit_tree,
  .predict = mn_experts_predict,
  .export = mn_experts_export,
  .check = mn_experts_check,
};
