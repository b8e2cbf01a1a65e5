/* Mixture of logistic experts with gates, on one level or on several: see experts.h. */
#include "experts_labels.h"

static const mn_operation operations[] = {
  MN_EXPERTS_GATE_PROBA,
  { .name = "expert_proba",
    .brief = "the probability of each class by one expert alone",
    .returns = "Matrix (rows x classes)",
    .needs = MN_NEEDS_X,
    .options = mn_expert_options_params,
    .options_size = sizeof(mn_expert_options),
    .run = mn_experts_expert_proba },
  { .name = "posterior",
    .brief = "from which expert rows come whose label is known, and the log probability of that label",
    .returns = "responsibilities (rows x experts), log_density (rows)",
    .needs = MN_NEEDS_X | MN_NEEDS_Y,
    .run = mn_experts_label_posterior },
  { .name = NULL },
};

static const mn_param params[] = {
  MN_COUNT(mn_experts, n_experts, 2, MN_CLOSED(1, 1000),
           "ways that each gate leads: on one level, how many experts; 1: one logistic regression"),
  MN_EXPERTS_LEVELS,
  MN_PENALTY(mn_experts, expert_penalty, 0.1, MN_AT_LEAST(0),
             "half of it times the squared weights of the experts, for columns of variance 1: 1 / C of "
             "LogisticRegression"),
  MN_PENALTY(mn_experts, gate_penalty, 0.1, MN_AT_LEAST(0),
             "half of it times the squared weights of the gates, for columns of variance 1; where it is far below "
             "expert_penalty, it pays to have experts of one class each, and the gate tell the classes"),
  MN_EXPERTS_CONSTANT,
  MN_CHOICE(mn_experts, init, MN_EXPERTS_PLUS_PLUS, mn_experts_inits,
            "k-means++: each gate begins by parting its rows by spread centers; rows: each expert as the regression "
            "of a few random rows; random: with random rows"),
  MN_EXPERTS_ROUNDS(10, 1e-8),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(
      mn_experts, coef, "outputs x features",
      "weights of the experts, one after the other: of two classes a row for each, for the second class; of more, "
      "a row for each class of each"),
  MN_VECTOR(mn_experts, intercept, "outputs", "constant terms, likewise"),
  MN_EXPERTS_GATE_FIELDS,
  MN_EXPERTS_LIKELIHOOD(", without the penalties", "independent coefficients of experts and gates"),
  MN_END,
};

const mn_class mn_mixture_of_experts_classifier = {
  .name = "MixtureOfExpertsClassifier",
  .family = "linear",
  .brief = "Logistic regressions among which gates share out the rows by where they lie; hierarchical, too.",
  .objective =
      "-sum_i w_i log sum_k g_k(x_i) p_k(y_i | x_i) + expert_penalty / 2 |B|^2 + gate_penalty / 2 |v|^2, p_k a "
      "softmax of x B_k + c_k, g a softmax of x v, or a product of them along the levels",
  .source =
      "Jacobs, Jordan, Nowlan & Hinton, Neural Computation 3 (1991); Jordan & Jacobs, Neural Computation 6 (1994)",
  .notes =
      "predict_proba gives sum_k g_k(x) p_k; experts are numbered from left to right. With one expert it is "
      "LogisticRegression{ C = 1 / expert_penalty } of columns of variance 1. By generalised EM: experts and gates by "
      "steps of Newton's method that never raise the objective, which is minus the log likelihood with both "
      "penalties. Labels tell less of the experts than numbers do, so that EM goes slowly where they overlap, and has "
      "local optima: raise n_init, or compare seeds. A step of an expert solves for (classes - 1) (columns + 1) "
      "unknowns at once: up to a few hundred.",
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
