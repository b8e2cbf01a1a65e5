/* Set up the problem of stochastic gradient descent from the class of a model and its data; class probabilities. */
#include "../linalg/row_softmax.h"
#include "sgd.h"

/* The passive-aggressive classes: their loss selects the kind of step. */
static bool is_passive_aggressive(const mn_class *class)
{
  return class == &mn_passive_aggressive_classifier || class == &mn_passive_aggressive_regressor;
}

static void set_loss_and_schedule(const mn_sgd *m, mn_sgd_problem *p)
{
  const mn_class *class = m->linear.base.class;
  if (is_passive_aggressive(class)) {
    p->loss = p->classifies ? MN_LOSS_HINGE : MN_LOSS_EPSILON_INSENSITIVE;
    p->penalty = MN_SGD_NO_PENALTY;
    p->schedule = m->loss == 0 ? MN_SGD_PA1 : MN_SGD_PA2;
  } else if (class == &mn_perceptron) {
    p->loss = MN_LOSS_PERCEPTRON;
    p->penalty = m->penalty;
    p->schedule = MN_SGD_CONSTANT;
  } else {
    p->loss = (p->classifies ? 0 : MN_LOSS_SQUARED_ERROR) + m->loss;
    p->penalty = m->penalty;
    p->schedule = m->learning_rate;
  }
}

/* Two classes have y = -1 and 1; with more, each class has a score against the rest. */
static void class_targets(const mn_data *data, size_t scores, double *y)
{
  const size_t n = data->rows;
  for (size_t c = 0; c < scores; c++) {
    const size_t score = scores == 1 ? 1 : c;
    for (size_t i = 0; i < n; i++) y[c * n + i] = (size_t)data->code[i] == score ? 1 : -1;
  }
}

static void value_targets(const mn_data *data, size_t scores, double *y)
{
  for (size_t i = 0; i < data->rows; i++)
    for (size_t t = 0; t < scores; t++) y[t * data->rows + i] = data->y.at[i * scores + t];
}

mn_status mn_sgd_targets(mn_context *ctx, const mn_estimator *base, const mn_data *data, mn_sgd_problem *problem)
{
  const bool classifies = (base->class->capabilities & MN_CLASSIFY) != 0;
  const size_t scores = classifies ? mn_decisions(base) : data->y.cols;
  double *y = MN_RAW(ctx, double, scores, data->rows);
  MN_CHECK_ALLOC(y);
  (classifies ? class_targets : value_targets)(data, scores, y);
  *problem = (mn_sgd_problem){ .data = data, .scores = scores, .y = y, .classifies = classifies };
  return MN_OK;
}

mn_status mn_sgd_make_problem(mn_context *ctx, const mn_sgd *m, const mn_data *data, mn_sgd_problem *problem)
{
  MN_TRY(mn_sgd_targets(ctx, &m->linear.base, data, problem));
  set_loss_and_schedule(m, problem);
  problem->parameter = m->epsilon;
  return MN_OK;
}

/* Log probability of class 1 implied by the loss. */
static double log_probability(int64_t loss, double z)
{
  if (loss == MN_LOSS_MODIFIED_HUBER)
    return log((fmin(fmax(z, -1), 1) + 1) / 2); /* Zhang, Annals of Statistics 32, 2004 */
  const double odds =
      loss == MN_LOSS_EXPONENTIAL ? 2 * z : z; /* Friedman, Hastie & Tibshirani, same journal 28, 2000 */
  return (odds < 0 ? odds : 0) - log1p(exp(-fabs(odds)));
}

mn_status mn_sgd_log_proba(mn_context *ctx, const mn_linear *m, int64_t loss, const mn_data *data, mn_matrix *out)
{
  const size_t scores = m->coef.rows;
  mn_matrix z = { .at = MN_RAW(ctx, double, data->rows, scores), .rows = data->rows, .cols = scores };
  MN_CHECK_ALLOC(z.at);
  MN_TRY(mn_linear_predict(ctx, m, data, &z));
  for (size_t i = 0; i < data->rows; i++)
    for (size_t c = 0; c < out->cols; c++) {
      const double score = scores > 1 ? z.at[i * scores + c] : c == 1 ? z.at[i] : -z.at[i];
      out->at[i * out->cols + c] = log_probability(loss, score);
    }
  mn_row_log_softmax(out->rows, out->cols, out->at);
  return MN_OK;
}

/* log_probability of each out[c], normalized to sum to 1. */
static const char *probability_program(int64_t loss)
{
  if (loss == MN_LOSS_MODIFIED_HUBER)
    return "for c < outputs { out[c] = log((clamp(out[c], -1.0, 1.0) + 1.0) / 2.0) } log_softmax(outputs, out)";
  if (loss == MN_LOSS_EXPONENTIAL)
    return "for c < outputs { real odds = 2.0 * out[c]"
           " out[c] = (odds < 0 ? odds : 0.0) - log1p(exp(-abs(odds))) } log_softmax(outputs, out)";
  return "for c < outputs { real odds = out[c]"
         " out[c] = (odds < 0 ? odds : 0.0) - log1p(exp(-abs(odds))) } log_softmax(outputs, out)";
}

mn_status mn_sgd_export_proba(mn_context *ctx, const mn_linear *m, int64_t loss, mn_action action, mn_program *program)
{
  if (action == MN_DECISION_FUNCTION) return mn_linear_export(ctx, m, action, program);
  if (action != MN_PREDICT_LOG_PROBA) return MN_OK;
  if (m->coef.rows > 1) {
    MN_TRY(mn_linear_export(ctx, m, action, program));
  } else {
    mn_linear_program(m, program);
    mn_program_code(program, "real z = intercept[0] + dot(features, x, 0, coef, 0) out[0] = -z out[1] = z");
  }
  mn_program_code(program, probability_program(loss));
  return MN_OK;
}

mn_status mn_sgd_export_scores(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  return action == MN_DECISION_FUNCTION ? mn_linear_export(ctx, self, action, program) : MN_OK;
}
