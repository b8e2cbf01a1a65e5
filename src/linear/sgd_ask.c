/* From the class of a model and its data to what stochastic gradient descent is asked: scores and the steps to them. */
#include "sgd.h"

/* The passive-aggressive classes: their loss says which of the two steps. */
static bool is_aggressive(const mn_class *class)
{
  return class == &mn_passive_aggressive_classifier || class == &mn_passive_aggressive_regressor;
}

static void choose_steps(const mn_sgd *m, mn_sgd_problem *p)
{
  const mn_class *class = m->linear.base.class;
  if (is_aggressive(class)) {
    p->loss = p->classifies ? MN_SGD_HINGE : MN_SGD_EPSILON_INSENSITIVE;
    p->penalty = MN_SGD_NO_PENALTY;
    p->schedule = m->loss == 0 ? MN_SGD_PA1 : MN_SGD_PA2;
  } else if (class == &mn_perceptron) {
    p->loss = MN_SGD_PERCEPTRON;
    p->penalty = m->penalty;
    p->schedule = MN_SGD_CONSTANT;
  } else {
    p->loss = (p->classifies ? 0 : MN_SGD_SQUARED_ERROR) + m->loss;
    p->penalty = m->penalty;
    p->schedule = m->learning_rate;
  }
}

/* Two classes have y = -1 and 1; of more, each has a score of its own against all others. */
static void ask_for_classes(const mn_data *data, size_t scores, double *y)
{
  const size_t n = data->rows;
  for (size_t c = 0; c < scores; c++) {
    const size_t own = scores == 1 ? 1 : c;
    for (size_t i = 0; i < n; i++) y[c * n + i] = (size_t)data->code[i] == own ? 1 : -1;
  }
}

static void ask_for_targets(const mn_data *data, size_t scores, double *y)
{
  for (size_t i = 0; i < data->rows; i++)
    for (size_t t = 0; t < scores; t++) y[t * data->rows + i] = data->y.at[i * scores + t];
}

mn_status mn_sgd_ask(mn_context *ctx, const mn_sgd *m, const mn_data *data, mn_sgd_problem *problem)
{
  const mn_estimator *base = &m->linear.base;
  const bool classifies = (base->class->does & MN_CLASSIFY) != 0;
  const size_t scores = classifies ? mn_decisions(base) : data->y.cols;
  double *y = MN_RAW(ctx, double, scores, data->rows);
  MN_NEED(y);
  (classifies ? ask_for_classes : ask_for_targets)(data, scores, y);
  *problem = (mn_sgd_problem){ .data = data, .scores = scores, .y = y, .classifies = classifies };
  choose_steps(m, problem);
  return MN_OK;
}

mn_status mn_sgd_export_scores(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  return action == MN_DECISION_FUNCTION ? mn_linear_export(ctx, self, action, program) : MN_OK;
}
