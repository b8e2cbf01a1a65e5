/* The perceptron: a misclassified row, or one on the decision boundary, moves the coefficients by eta0 y x. Minimize
 *
 *     1/n sum_i w_i max(0, -y_i (x_i b + c)) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2),      y = -1 or 1
 *
 * by steps of constant size, one row at a time (sgd_steps.h); without a penalty the step size scales the coefficients
 * but does not change predictions. */
#include "sgd.h"
#include "../linear/coef_summary.h"

static const mn_param params[] = {
  MN_SGD_PENALTY_PARAMS(MN_SGD_NO_PENALTY, "strength of the penalty"),
  MN_SGD_ROUND_PARAMS,
  MN_REAL(mn_sgd, eta0, 1, MN_GREATER_THAN(0), "step size"),
  MN_SGD_END_PARAMS,
  MN_END,
};

static const mn_field fields[] = {
  MN_SGD_FIELDS("decisions"),
  MN_END,
};

const mn_class mn_perceptron = {
  .name = "Perceptron",
  .family = "linear",
  .brief = "Linear classifier that updates on each misclassified row (perceptron).",
  .objective =
      "1/n sum_i w_i max(0, -y_i (x_i b + c)) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2), y = -1 or 1",
  .source =
      "Rosenblatt, Psychological Review 65 (1958); Novikoff (1962): at most (max |x| / g)^2 mistakes on classes separable with margin g",
  .notes =
      "SGDClassifier with loss 'perceptron', learning_rate 'constant' and no penalty by default, as in scikit-learn. "
      "A mistake moves the coefficients by eta0 y x; without a penalty eta0 only scales them. "
      "With more than two classes each has a score against the rest. "
      "If the classes are not separable the steps never converge, and tol decides when to stop. "
      "Row weights scale the step of a row: weight 2 is not the same as the row twice.",
  .example = "local X, y = { {-2}, {-1}, {1}, {2} }, { 'no', 'no', 'yes', 'yes' }\n"
             "print(ml.Perceptron{}:fit(X, y):predict{ {-3}, {3} })",
  .capabilities = MN_CLASSIFY | MN_ITERATE | MN_RANDOM | MN_NOISY_OBJECTIVE,
  .accepts = MN_WEIGHTS | MN_WEIGHTS_SCALE | MN_SPARSE | MN_CLASS_WEIGHT,
  .params = params,
  .fields = fields,
  MN_SGD_CLASSIFIER,
  .export = mn_sgd_export_scores,
};
