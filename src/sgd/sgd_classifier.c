/* Linear classifiers by stochastic gradient descent: support vector machines, logistic regression, perceptrons. Two
 * classes have y = -1 and 1; with more classes each has a score against the rest. Minimize
 *
 *     1/n sum_i w_i loss(y_i, x_i b + c) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2)
 *
 * by a step against the gradient of one row at a time (sgd_steps.h). */
#include "sgd.h"
#include "../linear/coef_summary.h"

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_sgd *m = self;
  return mn_sgd_log_proba(ctx, &m->linear, m->loss, data, out);
}

static bool supports(const void *self, mn_action action)
{
  const int64_t loss = ((const mn_sgd *)self)->loss;
  const bool has_probabilities = loss == MN_LOSS_LOG_LOSS || loss == MN_LOSS_MODIFIED_HUBER;
  return has_probabilities || (action != MN_PREDICT_PROBA && action != MN_PREDICT_LOG_PROBA);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_sgd *m = self;
  return supports(self, action) ? mn_sgd_export_proba(ctx, &m->linear, m->loss, action, program) : MN_OK;
}

static const mn_param params[] = {
  MN_SGD_PARAMS(mn_linear_loss_names, MN_LOSS_HINGE, MN_SGD_OPTIMAL, 0.5),
  MN_END,
};

static const mn_field fields[] = {
  MN_SGD_FIELDS("decisions"),
  MN_END,
};

const mn_class mn_sgd_classifier = {
  .name = "SGDClassifier",
  .family = "linear",
  .brief = "Linear classifier by stochastic gradient descent, for large or streamed data.",
  .objective = "1/n sum_i w_i loss(y_i, x_i b + c) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2), y = -1 or 1",
  .source = "Bottou, Stochastic Gradient Descent Tricks (2012); Tsuruoka, Tsujii & Ananiadou, ACL 2009, for L1",
  .notes =
      "Losses with m = y z: hinge max(0, 1 - m); squared_hinge its square; log_loss log(1 + exp(-m)); modified_huber the squared hinge, linear below m = -1; perceptron max(0, -m); and those of SGDRegressor. " MN_SGD_NOTES
      "log_loss and modified_huber have probabilities.",
  .example = "local X, y = { {-2}, {-1}, {1}, {2} }, { 'no', 'no', 'yes', 'yes' }\n"
             "print(ml.SGDClassifier{ loss = 'log_loss' }:fit(X, y):predict{ {-3}, {3} })",
  .capabilities = MN_CLASSIFY | MN_ITERATE | MN_RANDOM | MN_NOISY_OBJECTIVE,
  .accepts = MN_WEIGHTS | MN_WEIGHTS_SCALE | MN_SPARSE | MN_CLASS_WEIGHT,
  .params = params,
  .fields = fields,
  MN_SGD_CLASSIFIER,
  .log_proba = log_proba,
  .supports = supports,
  .supports_when = "loss = 'log_loss' or 'modified_huber'",
  .export = export,
};
