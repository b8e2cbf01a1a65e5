/* Platt scaling: the probability of the second of two classes as a sigmoid of a score s,
 *
 *     p(s) = 1 / (1 + exp(-(coef s + intercept))),
 *
 * of maximum likelihood for the targets (n_+ + 1) / (n_+ + 2) and 1 / (n_- + 2) in place of 1 and 0.
 *
 * Platt (1999); Lin, Lin & Weng, Machine Learning 68 (2007). */
#include "../model/class.h"
#include "../model/program.h"
#include "logistic_curve.h"

struct sigmoid_calibration {
  mn_estimator base;
  double coef, intercept; /* learned fields */
};

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct sigmoid_calibration *m = self;
  double *target = MN_RAW(ctx, double, data->rows, 1), count[2], coef[2];
  MN_CHECK_ALLOC(target);
  mn_count_codes(data, count);
  for (size_t i = 0; i < data->rows; i++) target[i] = mn_platt_target(data->code[i] > 0, count);
  const mn_logistic_curve curve = {
    .n = data->rows, .terms = 1, .term = data->x.at, .target = target, .weights = data->weights
  };
  MN_TRY(mn_fit_logistic_curve(ctx, &curve, coef, NULL));
  m->coef = coef[0];
  m->intercept = coef[1];
  return MN_OK;
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  (void)ctx;
  const struct sigmoid_calibration *m = self;
  for (size_t i = 0; i < data->rows; i++) mn_log_sigmoid(data->x.at[i] * m->coef + m->intercept, mn_row(out, i));
  return MN_OK;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)ctx;
  const struct sigmoid_calibration *m = self;
  if (action != MN_PREDICT_LOG_PROBA) return MN_OK;
  mn_program_real(program, "coef", m->coef);
  mn_program_real(program, "intercept", m->intercept);
  mn_program_code(program, "real z = x[0] * coef + intercept real tail = log1p(exp(-abs(z)))"
                           " out[0] = (-z < 0 ? -z : 0.0) - tail out[1] = (z < 0 ? z : 0.0) - tail");
  return MN_OK;
}

static const mn_param params[] = { MN_END };

static const mn_field fields[] = {
  MN_NUMBER(struct sigmoid_calibration, coef, "slope of the log-odds"),
  MN_NUMBER(struct sigmoid_calibration, intercept, "log-odds at score 0"),
  MN_END,
};

const mn_class mn_sigmoid_calibration = {
  .name = "SigmoidCalibration",
  .family = "probability",
  .brief = "Platt scaling: probabilities of two classes as a sigmoid of a score.",
  .objective = "p(s) = 1 / (1 + exp(-(coef s + intercept)))",
  .source = "Platt (1999); Lin, Lin & Weng, Machine Learning 68 (2007)",
  .notes = "X is one column: the scores of the second class, such as a decision function on rows that the classifier "
           "was not fitted to. CalibratedClassifier does this with cross-validation. The sigmoid is that of "
           "scikit-learn, whose a and b are -coef and -intercept.",
  .example = "local scores, y = { {-2}, {-1}, {0}, {1}, {2} }, { 'no', 'no', 'yes', 'no', 'yes' }\n"
             "print(ml.SigmoidCalibration{}:fit(scores, y):predict_proba{ {0.5} })",
  .capabilities = MN_CLASSIFY,
  .accepts = MN_WEIGHTS | MN_ONE_COLUMN | MN_BINARY_ONLY,
  .size = sizeof(struct sigmoid_calibration),
  .params = params,
  .fields = fields,
  .fit = fit,
  .log_proba = log_proba,
  .export = export,
};
