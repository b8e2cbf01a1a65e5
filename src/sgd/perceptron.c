/* The perceptron: a row on the wrong side, or on the line, moves the line by eta0 y x. Minimise
 *
 *     1/n sum_i w_i max(0, -y_i (x_i b + c)) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2),      y = -1 or 1
 *
 * by steps of constant rate, one row at a time (sgd_walk.h); without a penalty the rate changes the length of the
 * weights only, not what they predict. */
#include "sgd.h"
#include "../linear/coef_summary.h"

static const mn_param params[] = {
  MN_SGD_PENALTY_PARAMS(MN_SGD_NO_PENALTY, "strength of the penalty"),
  MN_SGD_ROUND_PARAMS,
  MN_REAL(mn_sgd, eta0, 1, MN_GREATER_THAN(0), "rate of the steps"),
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
  .brief = "Linear classifier that learns from its mistakes, one row at a time.",
  .objective =
      "1/n sum_i w_i max(0, -y_i (x_i b + c)) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2), y = -1 or 1",
  .source =
      "Rosenblatt, Psychological Review 65 (1958); Novikoff (1962): where a line parts the classes with margin g, "
      "it makes at most (max |x| / g)^2 mistakes",
  .notes =
      "SGDClassifier with the loss 'perceptron', the learning_rate 'constant' and no penalty by default, as in "
      "scikit-learn. A mistake moves the weights by eta0 y x; without a penalty eta0 sets their length only. Of more "
      "than two classes each has a score of its own against all others. Where no line parts the classes the steps "
      "never come to rest, and the end is that of tol. A weight scales the step of its row: weight 2 is not the row "
      "twice. Sparse rows give what dense ones give.",
  .example = "local X, y = { {-2}, {-1}, {1}, {2} }, { 'no', 'no', 'yes', 'yes' }\n"
             "print(ml.Perceptron{}:fit(X, y):predict{ {-3}, {3} })",
  .capabilities = MN_CLASSIFY | MN_ITERATE | MN_RANDOM | MN_NOISY_OBJECTIVE,
  .accepts = MN_WEIGHTS | MN_WEIGHTS_SCALE | MN_SPARSE | MN_CLASS_WEIGHT,
  .size = sizeof(mn_sgd),
  .params = params,
  .fields = fields,
  .operations = mn_sgd_coef_operations,
  .fit = mn_sgd_fit,
  .partial_fit = mn_sgd_partial_fit,
  .decision = mn_linear_predict,
  .export = mn_sgd_export_scores,
  .check = mn_sgd_check,
};
