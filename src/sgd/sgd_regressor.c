/* Linear regression by stochastic gradient descent. Minimize over b and c, for each target,
 *
 *     1/n sum_i w_i loss(y_i, x_i b + c) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2)
 *
 * by a step against the gradient of one row at a time (sgd_steps.h). */
#include "sgd.h"
#include "../linear/coef_summary.h"

static const mn_param params[] = {
  MN_SGD_PARAMS(mn_linear_loss_names + MN_LOSS_SQUARED_ERROR, 0, MN_SGD_INVSCALING, 0.25),
  MN_END,
};

static const mn_field fields[] = {
  MN_SGD_FIELDS("targets"),
  MN_END,
};

const mn_class mn_sgd_regressor = {
  .name = "SGDRegressor",
  .family = "linear",
  .brief = "Linear regression by stochastic gradient descent, for large or streamed data.",
  .objective = "1/n sum_i w_i loss(y_i, x_i b + c) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2)",
  .source = "Bottou, Stochastic Gradient Descent Tricks (2012); Tsuruoka, Tsujii & Ananiadou, ACL 2009, for L1",
  .notes =
      "Losses with r = y - z: squared_error r^2 / 2; huber r^2 / 2, linear beyond epsilon; epsilon_insensitive max(0, |r| - epsilon), or its square. " MN_SGD_NOTES,
  .example = "local X = { {-1}, {0}, {1}, {2} }\n"
             "local model = ml.SGDRegressor{ alpha = 0, eta0 = 0.1, max_iter = 100 }:fit(X, { -2, 1, 4, 7 })\n"
             "print(model:predict{ {3} })",
  .capabilities = MN_REGRESS | MN_ITERATE | MN_RANDOM | MN_NOISY_OBJECTIVE,
  .accepts = MN_WEIGHTS | MN_WEIGHTS_SCALE | MN_SPARSE | MN_MULTITARGET,
  .params = params,
  .fields = fields,
  MN_SGD_REGRESSOR,
};
