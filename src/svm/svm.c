#include "svm.h"
#include "../kernel_methods/kernel_model.h"
#include <string.h>

/* --- support vectors --- */

static bool has_coefficient(size_t functions, size_t n, const double *coef, size_t i)
{
  for (size_t f = 0; f < functions; f++)
    if (coef[f * n + i] != 0) return true;
  return false;
}

mn_status mn_svm_store(mn_context *ctx, mn_svm *m, const mn_data *data, size_t functions, const double *coef,
                       const size_t *order)
{
  const size_t n = data->rows;
  size_t vectors = 0;
  for (size_t i = 0; i < n; i++) vectors += has_coefficient(functions, n, coef, i);
  if (vectors == 0) return MN_OK;
  size_t *row = MN_RAW(ctx, size_t, vectors, 1);
  MN_CHECK_ALLOC(row);
  MN_TRY(mn_indexes_init(ctx, &m->support, vectors));
  MN_TRY(mn_matrix_init(ctx, &m->dual_coef, functions, vectors));
  for (size_t k = 0, to = 0; k < n; k++) {
    const size_t i = order ? order[k] : k;
    if (!has_coefficient(functions, n, coef, i)) continue;
    row[to] = i;
    m->support.at[to] = (int32_t)i;
    for (size_t f = 0; f < functions; f++) mn_row(&m->dual_coef, f)[to] = coef[f * n + i];
    to++;
  }
  return mn_kernel_model_store(ctx, &m->model, data, row, vectors);
}

/* --- fit --- */

void mn_svm_report(mn_svm *m, const mn_svm_problem *q)
{
  mn_report *r = &m->model.base.report;
  r->n_iter = q->n_iter > r->n_iter ? q->n_iter : r->n_iter;
  r->converged = r->converged && q->converged;
  r->objective += q->objective;
  r->change = fmax(r->change, q->violation);
  m->duality_gap += q->gap;
}

void mn_svm_warning(const void *self, mn_text_buffer *text)
{
  if (isnan(((const mn_svm *)self)->duality_gap))
    mn_text_printf(text, "kernel is not positive semidefinite for these rows, so a better solution may exist and "
                         "duality_gap is unknown; use another kernel, or other parameters of it");
}

const char mn_smo_advice[] = "raise max_iter, scale the columns of X to similar ranges, or use a smaller C";

mn_status mn_svm_fit_single(mn_context *ctx, mn_svm *m, const mn_data *data, mn_svm_solver solve, mn_svm_problem *q)
{
  MN_TRY(mn_kernel_model_resolve(ctx, &m->model, false, data));
  q->rows = mn_kernel_rows_of(data);
  q->weights = data->weights;
  q->report = &m->model.base.report;
  q->coef = MN_RAW(ctx, double, data->rows, 1);
  MN_CHECK_ALLOC(q->coef);
  m->model.base.report.advice = mn_smo_advice;
  MN_TRY(solve(ctx, m, q));
  m->model.base.report.objective = 0;
  m->model.base.report.converged = true;
  mn_svm_report(m, q);
  MN_TRY(mn_vector_init(ctx, &m->intercept, 1));
  m->intercept.at[0] = q->intercept;
  return mn_svm_store(ctx, m, data, 1, q->coef, NULL);
}

/* --- sums over support vectors --- */

mn_status mn_svm_sums(mn_context *ctx, const mn_svm *m, const mn_data *data, size_t begin, size_t end, double *out)
{
  const size_t functions = m->dual_coef.rows, vectors = end - begin;
  if (vectors == 0) return MN_OK;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *coef = MN_RAW(ctx, double, vectors, functions);
  MN_CHECK_ALLOC(coef);
  for (size_t k = 0; k < vectors; k++)
    for (size_t f = 0; f < functions; f++) coef[k * functions + f] = mn_row(&m->dual_coef, f)[begin + k];
  const mn_kernel_rows left = mn_kernel_rows_of(data);
  mn_kernel_rows right;
  MN_TRY(mn_kernel_model_rows(ctx, &m->model, begin, end, &right));
  MN_TRY(mn_kernel_product(ctx, &m->model.fitted_kernel, &left, &right, functions, coef, out));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- after loading --- */

static bool all_finite(const double *v, size_t n)
{
  bool finite = true;
  for (size_t i = 0; i < n; i++) finite = finite && isfinite(v[i]);
  return finite;
}

mn_status mn_svm_check(mn_context *ctx, const void *self)
{
  const mn_svm *m = self;
  const char *name = m->model.base.class->name;
  const size_t vectors = m->support.size;
  MN_TRY(mn_kernel_model_check(ctx, self));
  if (mn_kernel_model_count(&m->model) != vectors || m->dual_coef.cols != vectors)
    return mn_fail(ctx, MN_BAD_FILE, "%s: the support vectors of the archive do not match", name);
  const bool finite = all_finite(m->dual_coef.at, m->dual_coef.rows * vectors) &&
                      all_finite(m->model.x.at, m->model.x.rows * m->model.x.cols) &&
                      all_finite(m->intercept.at, m->intercept.size);
  if (!finite) return mn_fail(ctx, MN_BAD_FILE, "%s: the archive has values that are not finite", name);
  return MN_OK;
}
