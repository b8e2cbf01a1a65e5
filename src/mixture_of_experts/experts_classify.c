/* Predictions of mixtures of logistic experts. */
#include "../linalg/ordered.h"
#include "../linalg/row_softmax.h"
#include "experts_classify.h"

/* Log probabilities of the labels by one expert. With two classes there is a score for the second only. */
static void expert_log_proba(const mn_experts *m, const double *row, size_t expert, size_t classes, double *out)
{
  const size_t p = m->coef.cols, decisions = mn_decisions(&m->base), first = classes - decisions;
  out[0] = 0;
  for (size_t c = 0; c < decisions; c++) {
    const size_t d = expert * decisions + c;
    out[first + c] = m->intercept.at[d] + mn_ordered_dot(p, row, m->coef.at + d * p);
  }
  mn_row_log_softmax(1, classes, out);
}

/* log sum_k exp(joint_k), for k values `step` apart. */
static double log_sum_exp(size_t k, size_t step, const double *joint)
{
  double largest = joint[0];
  for (size_t e = 1; e < k; e++) largest = fmax(largest, joint[e * step]);
  double sum = exp(joint[0] - largest);
  for (size_t e = 1; e < k; e++) sum += exp(joint[e * step] - largest);
  return largest + log(sum);
}

/* Log gate probability plus log probability of each label, for each expert: experts x classes, in the workspace of a
 * worker, which begins with the values of the gates. */
static double *joint_log_proba(const mn_experts *m, const double *row, size_t classes, double *workspace)
{
  const double *gate = mn_experts_log_gates(m, row, workspace);
  double *joint = workspace + m->gate_coef.rows;
  for (size_t e = 0; e < mn_experts_count(m); e++) {
    expert_log_proba(m, row, e, classes, joint + e * classes);
    for (size_t c = 0; c < classes; c++) joint[e * classes + c] += gate[e];
  }
  return joint;
}

static size_t count_classes(const mn_experts *m)
{
  return mn_levels_size(m->base.classes);
}

static size_t workspace_size(const mn_experts *m)
{
  return m->gate_coef.rows + mn_experts_count(m) * count_classes(m);
}

static void log_proba_block(void *work, size_t block, size_t worker)
{
  const mn_experts_row_task *w = work;
  const size_t classes = count_classes(w->m), k = mn_experts_count(w->m);
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const double *joint = joint_log_proba(w->m, mn_row(&w->data->x, i), classes, w->workspace + worker * w->width);
    double *out = w->out + i * classes;
    for (size_t c = 0; c < classes; c++) out[c] = log_sum_exp(k, classes, joint + c);
    mn_row_log_softmax(1, classes, out);
  }
}

mn_status mn_experts_log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  mn_experts_row_task w = { .m = self, .data = data, .width = workspace_size(self), .out = out->at };
  return mn_experts_run_blocks(ctx, &w, log_proba_block);
}

const mn_param mn_expert_options_params[] = {
  MN_COUNT(mn_expert_options, expert, 1, MN_AT_LEAST(1), "index of the expert, from 1"),
  MN_END,
};

mn_status mn_experts_expert_proba(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                  mn_results *results)
{
  const mn_experts *m = self;
  const int64_t expert = ((const mn_expert_options *)options)->expert;
  const size_t classes = count_classes(m);
  mn_matrix *out;
  if ((uint64_t)expert > mn_experts_count(m))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: expert must be at most the number of experts, %zu, got %lld",
                   m->base.class->name, mn_experts_count(m), (long long)expert);
  MN_TRY(mn_result_matrix(ctx, results, "expert_proba", data->rows, classes, &out));
  for (size_t i = 0; i < data->rows; i++) {
    double *row = mn_row(out, i);
    expert_log_proba(m, mn_row(&data->x, i), (size_t)expert - 1, classes, row);
    for (size_t c = 0; c < classes; c++) row[c] = exp(row[c]);
  }
  return mn_poll(ctx);
}

mn_status mn_experts_label_posterior(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                     mn_results *results)
{
  (void)options;
  const mn_experts *m = self;
  const size_t k = mn_experts_count(m), classes = count_classes(m);
  mn_matrix *out;
  mn_vector *density;
  double *workspace = MN_RAW(ctx, double, workspace_size(m), 1);
  MN_CHECK_ALLOC(workspace);
  MN_TRY(mn_result_matrix(ctx, results, "responsibilities", data->rows, k, &out));
  MN_TRY(mn_result_vector(ctx, results, "log_density", data->rows, &density));
  for (size_t i = 0; i < data->rows; i++) {
    const double *joint = joint_log_proba(m, mn_row(&data->x, i), classes, workspace) + data->code[i];
    density->at[i] = log_sum_exp(k, classes, joint);
    for (size_t e = 0; e < k; e++) mn_row(out, i)[e] = exp(joint[e * classes] - density->at[i]);
  }
  return mn_poll(ctx);
}

mn_status mn_experts_label_export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)ctx;
  const mn_experts *m = self;
  if (action != MN_PREDICT_LOG_PROBA) return MN_OK;
  mn_experts_export_gates(m, program);
  mn_program_reals(program, "coef", m->coef.rows * m->coef.cols, m->coef.at);
  mn_program_reals(program, "intercept", m->intercept.size, m->intercept.at);
  mn_program_count(program, "experts", mn_experts_count(m));
  mn_program_count(program, "decisions", mn_decisions(&m->base));
  mn_program_code(program, "reals joint[experts * outputs] reals one[outputs]"
                           " for k < experts {"
                           "   one[0] = 0.0"
                           "   for c < decisions {"
                           "     one[outputs - decisions + c] = intercept[k * decisions + c]"
                           "       + dot(features, x, 0, coef, (k * decisions + c) * features)"
                           "   }"
                           "   log_softmax(outputs, one)"
                           "   for c < outputs {"
                           "     joint[k * outputs + c] = one[c] + score[children - experts + k]"
                           "   }"
                           " }"
                           " for c < outputs {"
                           "   real largest = joint[c] real sum = 0.0"
                           "   for k = 1 < experts {"
                           "     largest = joint[k * outputs + c] > largest ? joint[k * outputs + c] : largest"
                           "   }"
                           "   for k < experts { sum += exp(joint[k * outputs + c] - largest) }"
                           "   out[c] = largest + log(sum)"
                           " }"
                           " log_softmax(outputs, out)");
  return MN_OK;
}
