/* Probabilities of linear classifiers whose decisions are log-odds: the sigmoid of the one decision of two classes, or
 * the softmax of the decisions of several classes. */
#include "../linalg/row_softmax.h"
#include "linear.h"

/* Stable in both tails: log(1 + exp(-|z|)) never overflows. */
static void binary_log_proba(const double *z, size_t n, mn_matrix *out)
{
  for (size_t i = 0; i < n; i++) {
    const double log_sum = log1p(exp(-fabs(z[i])));
    out->at[2 * i + 1] = (z[i] < 0 ? z[i] : 0) - log_sum;
    out->at[2 * i] = (z[i] > 0 ? -z[i] : 0) - log_sum;
  }
}

mn_status mn_linear_log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  if (out->cols > 2) {
    MN_TRY(mn_linear_predict(ctx, self, data, out));
    mn_row_log_softmax(out->rows, out->cols, out->at);
    return MN_OK;
  }
  mn_matrix z = { .at = MN_RAW(ctx, double, data->rows, 1), .rows = data->rows, .cols = 1 };
  MN_CHECK_ALLOC(z.at);
  MN_TRY(mn_linear_predict(ctx, self, data, &z));
  binary_log_proba(z.at, data->rows, out);
  return MN_OK;
}

mn_status mn_linear_export_proba(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_linear *m = self;
  if (action == MN_DECISION_FUNCTION) return mn_linear_export(ctx, self, action, program);
  if (action != MN_PREDICT_LOG_PROBA) return MN_OK;
  if (m->intercept.size > 1) {
    MN_TRY(mn_linear_export(ctx, self, action, program));
    mn_program_code(program, "log_softmax(outputs, out)");
    return MN_OK;
  }
  mn_linear_program(m, program);
  mn_program_code(program, "real z = intercept[0] + dot(features, x, 0, coef, 0)"
                           " real rest = log1p(exp(-abs(z)))"
                           " out[1] = (z < 0 ? z : 0.0) - rest"
                           " out[0] = (z > 0 ? -z : 0.0) - rest");
  return MN_OK;
}
