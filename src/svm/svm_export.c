/* Exported programs: sums over support vectors, in the order of mn_svm_sums for a few rows. */
#include "../model/kernel_program.h"
#include "svc.h"

/* coef, vectors x functions. */
static mn_status add_coefficients(mn_context *ctx, const mn_svm *m, mn_program *program)
{
  const size_t functions = m->dual_coef.rows, vectors = m->dual_coef.cols;
  double *coef = MN_RAW(ctx, double, vectors, functions);
  MN_CHECK_ALLOC(coef);
  for (size_t k = 0; k < vectors; k++)
    for (size_t f = 0; f < functions; f++) coef[k * functions + f] = mn_row(&m->dual_coef, f)[k];
  mn_program_count(program, "n", vectors);
  mn_program_count(program, "width", functions);
  mn_program_reals(program, "coef", vectors * functions, coef);
  return MN_OK;
}

mn_status mn_svm_program(mn_context *ctx, const mn_svm *m, const char *add, mn_program *program)
{
  if (m->model.sparse_x.rows > 0) return mn_cannot_export(ctx, &m->model.base, "it was fitted on sparse X");
  if (m->support.size == 0) return MN_OK;
  MN_TRY(add_coefficients(ctx, m, program));
  mn_program_code(program, " for i < n {");
  MN_TRY(mn_kernel_program(ctx, &m->model.base, &m->model.fitted_kernel, m->support.size, m->model.x.at, program));
  mn_program_code(program, add);
  mn_program_code(program, " }");
  return MN_OK;
}

mn_status mn_svm_export_sum(mn_context *ctx, const mn_svm *m, const char *finish, mn_program *program)
{
  mn_program_code(program, "for c < outputs { out[c] = 0.0 }");
  MN_TRY(mn_svm_program(ctx, m, " for c < outputs { out[c] += k * coef[i * width + c] }", program));
  mn_program_code(program, finish);
  return MN_OK;
}

/* Votes of the pairs; sum: classes x width, of the support vectors of each class. */
static mn_status export_pairs(mn_context *ctx, const mn_svm *m, mn_program *program)
{
  int32_t *owner = MN_RAW(ctx, int32_t, m->support.size + 1, 1);
  MN_CHECK_ALLOC(owner);
  size_t k = 0;
  for (size_t c = 0; c < m->n_support.size; c++)
    for (size_t i = 0; i < (size_t)m->n_support.at[c]; i++) owner[k++] = (int32_t)c;
  mn_program_count(program, "pairs", m->intercept.size);
  if (k > 0) mn_program_indexes(program, "owner", k, owner);
  mn_program_code(program, "reals sum[outputs * (outputs - 1)] reals d[pairs]");
  MN_TRY(mn_svm_program(ctx, m, " for c < width { sum[owner[i] * width + c] += k * coef[i * width + c] }", program));
  mn_program_code(program, " int p = 0 for i < outputs { out[i] = 0.0 }"
                           " for i < outputs { for j = i + 1 < outputs {"
                           "   d[p] = intercept[p]"
                           "   d[p] += sum[i * (outputs - 1) + j - 1]"
                           "   d[p] += sum[j * (outputs - 1) + i]"
                           "   out[i] += d[p] out[j] -= d[p] p += 1 } }"
                           " for i < outputs { out[i] /= 3.0 * (abs(out[i]) + 1.0) }"
                           " p = 0"
                           " for i < outputs { for j = i + 1 < outputs {"
                           "   if d[p] > 0.0 { out[i] += 1.0 } else { out[j] += 1.0 } p += 1 } }");
  return MN_OK;
}

mn_status mn_svc_export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_svm *m = self;
  if (action != MN_DECISION_FUNCTION) return MN_OK;
  mn_program_reals(program, "intercept", m->intercept.size, m->intercept.at);
  if (m->pairwise) return export_pairs(ctx, m, program);
  return mn_svm_export_sum(ctx, m, " for c < outputs { out[c] += intercept[c] }", program);
}
