/* Mixture of logistic experts with gates on one or several levels: see experts.h. */
#include "experts_classify.h"

static const mn_operation operations[] = {
  MN_EXPERTS_GATE_PROBA,
  { .name = "expert_proba",
    .brief = "class probabilities by one expert alone",
    .returns = "Matrix (rows x classes)",
    .needs = MN_NEEDS_X,
    .options = mn_expert_options_params,
    .options_size = sizeof(mn_expert_options),
    .run = mn_experts_expert_proba },
  { .name = "posterior",
    .brief = "responsibilities of the experts for rows with known labels, and the log probability of the label",
    .returns = "responsibilities (rows x experts), log_density (rows)",
    .needs = MN_NEEDS_X | MN_NEEDS_Y,
    .run = mn_experts_label_posterior },
  { .name = NULL },
};

static const mn_param params[] = {
  MN_COUNT(mn_experts, n_experts, 2, MN_CLOSED(1, 1000),
           "branches of each gate; with one level, the number of experts; 1 means a single logistic regression"),
  MN_EXPERTS_LEVELS,
  MN_PENALTY(
      mn_experts, expert_penalty, 0.1, MN_AT_LEAST(0),
      "L2 penalty on the coefficients of the experts (expert_penalty / 2 times their squares, for columns of variance 1); equals 1 / C of LogisticRegression"),
  MN_PENALTY(
      mn_experts, gate_penalty, 0.1, MN_AT_LEAST(0),
      "L2 penalty on the coefficients of the gates (gate_penalty / 2 times their squares, for columns of variance 1); far below expert_penalty, each expert tends to predict one class"),
  MN_EXPERTS_FIT_INTERCEPT,
  MN_EXPERTS_INIT,
  MN_EXPERTS_EM_PARAMS(20, 1e-8),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(mn_experts, coef, "outputs x features",
            "coefficients of the experts, expert after expert: "
            "with two classes one row for the second class, with more a row for each class"),
  MN_VECTOR(mn_experts, intercept, "outputs", "intercepts, in the same order"),
  MN_EXPERTS_GATE_FIELDS,
  MN_EXPERTS_LIKELIHOOD(", without the penalties", "number of independent coefficients of experts and gates"),
  MN_END,
};

const mn_class mn_mixture_of_experts_classifier = {
  .name = "MixtureOfExpertsClassifier",
  .family = "linear",
  .brief = "Mixture of logistic experts whose gates depend on x, on one or several levels.",
  .objective =
      "-sum_i w_i log sum_k g_k(x_i) p_k(y_i | x_i) + expert_penalty / 2 |B|^2 + gate_penalty / 2 |v|^2, p_k a softmax of x B_k + c_k, g a softmax of x v, or the product of softmaxes along the levels",
  .source =
      "Jacobs, Jordan, Nowlan & Hinton, Neural Computation 3 (1991); Jordan & Jacobs, Neural Computation 6 (1994)",
  .notes = "predict_proba returns sum_k g_k(x) p_k; experts are numbered from left to right. "
           "One expert equals LogisticRegression{ C = 1 / expert_penalty } on columns of variance 1. "
           "Fitted by L-BFGS on the objective from n_init starts, which never increases it. "
           "There are local optima: increase n_init or compare seeds.",
  .example = "local X, y = {}, {}\n"
             "for i = -20, 20 do X[#X + 1], y[#y + 1] = { i / 10 }, math.abs(i) < 8 and 'near' or 'far' end\n"
             "local model = ml.MixtureOfExpertsClassifier{ expert_penalty = 0.1 }:fit(X, y)\n"
             "print(model:predict{ {-1.5}, {0}, {1.5} }, model:gate_proba{ {-1.5}, {1.5} })",
  .capabilities = MN_CLASSIFY | MN_ITERATE | MN_RANDOM,
  .accepts = MN_WEIGHTS | MN_CLASS_WEIGHT,
  .size = sizeof(mn_experts),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = mn_experts_fit_tree,
  .log_proba = mn_experts_log_proba,
  .export = mn_experts_label_export,
  .check = mn_experts_check,
};
