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

/* The decisions d of all pairs, and the scores of the classes by votes; sum: classes x width, of the support vectors of
 * each class. */
static mn_status export_pairs(mn_context *ctx, const mn_svm *m, mn_program *program)
{
  int32_t *owner = MN_RAW(ctx, int32_t, m->support.size + 1, 1);
  MN_CHECK_ALLOC(owner);
  size_t k = 0;
  for (size_t c = 0; c < m->n_support.size; c++)
    for (size_t i = 0; i < (size_t)m->n_support.at[c]; i++) owner[k++] = (int32_t)c;
  if (k > 0) mn_program_indexes(program, "owner", k, owner);
  mn_program_code(program, "reals sum[outputs * (outputs - 1)] reals score[outputs]");
  MN_TRY(mn_svm_program(ctx, m, " for c < width { sum[owner[i] * width + c] += k * coef[i * width + c] }", program));
  mn_program_code(program, " int p = 0"
                           " for i < outputs { for j = i + 1 < outputs {"
                           "   d[p] = intercept[p]"
                           "   d[p] += sum[i * (outputs - 1) + j - 1]"
                           "   d[p] += sum[j * (outputs - 1) + i]"
                           "   score[i] += d[p] score[j] -= d[p] p += 1 } }"
                           " for i < outputs { score[i] /= 3.0 * (abs(score[i]) + 1.0) }"
                           " p = 0"
                           " for i < outputs { for j = i + 1 < outputs {"
                           "   if d[p] > 0.0 { score[i] += 1.0 } else { score[j] += 1.0 } p += 1 } }");
  return MN_OK;
}

/* The decisions d of the problems "one class against the others", which are also the scores; one for two classes. */
static mn_status export_single(mn_context *ctx, const mn_svm *m, mn_program *program)
{
  MN_TRY(mn_svm_program(ctx, m, " for c < problems { d[c] += k * coef[i * width + c] }", program));
  mn_program_code(program, " for c < problems { d[c] += intercept[c] }");
  return MN_OK;
}

/* s[p]: the sigmoid of d[p]. */
static void export_sigmoids(const mn_svm *m, mn_program *program)
{
  mn_program_reals(program, "below", m->slope_below.size, m->slope_below.at);
  mn_program_reals(program, "above", m->slope_above.size, m->slope_above.at);
  mn_program_code(program, " reals s[problems]"
                           " for c < problems {"
                           "   real z = d[c] * (d[c] < 0.0 ? below[c] : above[c])"
                           "   real e = exp(-abs(z))"
                           "   s[c] = (z < 0.0 ? e : 1.0) / (1.0 + e) }");
}

static void export_two_classes(const mn_svm *m, mn_program *program)
{
  mn_program_real(program, "below", m->slope_below.at[0]);
  mn_program_real(program, "above", m->slope_above.at[0]);
  mn_program_code(program, " real z = d[0] * (d[0] < 0.0 ? below : above)"
                           " real tail = log1p(exp(-abs(z)))"
                           " out[0] = -(z > 0.0 ? z + tail : tail)"
                           " out[1] = -(z > 0.0 ? tail : tail - z)");
}

/* mn_svm_couple */
static void export_coupling(size_t classes, mn_program *program)
{
  mn_program_count(program, "most", classes > 100 ? classes : 100);
  mn_program_code(program, " reals pair[outputs * outputs] p = 0"
                           " for i < outputs { for j = i + 1 < outputs {"
                           "   real one = s[p] < 1e-7 ? 1e-7 : s[p]"
                           "   if one > 1.0 - 1e-7 { one = 1.0 - 1e-7 }"
                           "   pair[i * outputs + j] = one pair[j * outputs + i] = 1.0 - one p += 1 } }"
                           " reals q[outputs * outputs] reals qp[outputs]"
                           " for i < outputs { out[i] = 1.0 / (outputs + 0.0)"
                           "   for j < outputs { if j != i {"
                           "     q[i * outputs + i] += pair[j * outputs + i] * pair[j * outputs + i]"
                           "     q[i * outputs + j] = -pair[j * outputs + i] * pair[i * outputs + j] } } }");
  mn_program_code(program, " int active = 1 int round = 0"
                           " while active == 1 and round < most {"
                           "   real pqp = 0.0 real worst = 0.0"
                           "   for i < outputs { qp[i] = 0.0"
                           "     for j < outputs { qp[i] += q[i * outputs + j] * out[j] }"
                           "     pqp += out[i] * qp[i] }"
                           "   for i < outputs { real gap = abs(qp[i] - pqp) if gap > worst { worst = gap } }"
                           "   if worst < 1e-12 / (outputs + 0.0) { active = 0 }"
                           "   else { for i < outputs {"
                           "     real step = (pqp - qp[i]) / q[i * outputs + i]"
                           "     out[i] += step"
                           "     pqp = (pqp + step * (step * q[i * outputs + i] + 2.0 * qp[i])) / (1.0 + step)"
                           "           / (1.0 + step)"
                           "     for j < outputs { qp[j] = (qp[j] + step * q[i * outputs + j]) / (1.0 + step)"
                           "       out[j] /= 1.0 + step } } }"
                           "   round += 1 }");
}

/* mn_svm_make_largest for the class of the largest score, then logarithms. */
static void export_largest(mn_program *program)
{
  mn_program_code(program, " int best = 0"
                           " for c < outputs { if score[c] > score[best] { best = c } }"
                           " real total = out[best] real mean = total real members = 1.0 int more = 1"
                           " while more == 1 {"
                           "   int next = -1"
                           "   for i < outputs {"
                           "     if i != best and out[i] > mean and (next < 0 or out[i] > out[next]) { next = i } }"
                           "   if next < 0 { more = 0 }"
                           "   else { total += out[next] members += 1.0 mean = total / members"
                           "     out[next] = -1.0 - out[next] } }"
                           " for i < outputs { if i == best or out[i] < 0.0 { out[i] = mean } out[i] = log(out[i]) }");
}

static mn_status export_log_proba(mn_context *ctx, const mn_svm *m, mn_program *program)
{
  const size_t classes = mn_levels_size(m->model.base.classes);
  if (m->slope_below.size == 0) return MN_OK;
  mn_program_code(program, "reals d[problems] ");
  MN_TRY(m->pairwise ? export_pairs(ctx, m, program) : export_single(ctx, m, program));
  if (classes == 2) {
    export_two_classes(m, program);
    return MN_OK;
  }
  export_sigmoids(m, program);
  if (m->pairwise)
    export_coupling(classes, program);
  else
    mn_program_code(program, " real sum = 0.0 reals score[outputs]"
                             " for c < outputs { score[c] = d[c] out[c] = s[c] < 1e-7 ? 1e-7 : s[c] sum += out[c] }"
                             " for c < outputs { out[c] /= sum }");
  export_largest(program);
  return MN_OK;
}

mn_status mn_svc_export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_svm *m = self;
  if (action != MN_DECISION_FUNCTION && action != MN_PREDICT_LOG_PROBA) return MN_OK;
  mn_program_reals(program, "intercept", m->intercept.size, m->intercept.at);
  mn_program_count(program, "problems", m->intercept.size);
  if (action == MN_PREDICT_LOG_PROBA) return export_log_proba(ctx, m, program);
  if (!m->pairwise) return mn_svm_export_sum(ctx, m, " for c < outputs { out[c] += intercept[c] }", program);
  mn_program_code(program, "reals d[problems] ");
  MN_TRY(export_pairs(ctx, m, program));
  mn_program_code(program, " for c < outputs { out[c] = score[c] }");
  return MN_OK;
}
