#include "svm.h"
#include "../kernel_methods/kernel_model.h"
#include <string.h>

mn_status mn_svm_resolve(mn_context *ctx, mn_svm *m, const mn_data *data)
{
  const mn_kernel_settings settings = { .gamma = m->gamma, .degree = m->degree, .coef0 = m->coef0 };
  return mn_kernel_resolve(ctx, &m->base, &m->kernel, &settings, data, &m->fitted_kernel);
}

static bool is_precomputed(const mn_svm *m)
{
  return mn_kernel_has(&m->fitted_kernel, MN_KERNEL_PRECOMPUTED);
}

/* --- support vectors --- */

static bool has_coefficient(size_t functions, size_t n, const double *coef, size_t i)
{
  for (size_t f = 0; f < functions; f++)
    if (coef[f * n + i] != 0) return true;
  return false;
}

static mn_status store_sparse(mn_context *ctx, mn_svm *m, const mn_csr *x)
{
  size_t values = 0;
  for (size_t k = 0; k < m->support.size; k++) values += x->start[m->support.at[k] + 1] - x->start[m->support.at[k]];
  MN_TRY(mn_csr_init(ctx, &m->sparse_vectors, m->support.size, x->cols, values));
  mn_csr *s = &m->sparse_vectors;
  for (size_t k = 0; k < m->support.size; k++) {
    const size_t from = x->start[m->support.at[k]], n = x->start[m->support.at[k] + 1] - from;
    if (n > 0) {
      memcpy(s->col + s->start[k], x->col + from, n * sizeof *x->col);
      memcpy(s->at + s->start[k], x->at + from, n * sizeof *x->at);
    }
    s->start[k + 1] = s->start[k] + n;
  }
  return MN_OK;
}

static mn_status store_vectors(mn_context *ctx, mn_svm *m, const mn_data *data)
{
  const size_t vectors = m->support.size;
  if (is_precomputed(m)) {
    MN_TRY(mn_indexes_init(ctx, &m->place, vectors));
    const size_t *place = mn_kernel_rows_of(data).place;
    for (size_t k = 0; k < vectors; k++) m->place.at[k] = place ? (int32_t)place[m->support.at[k]] : m->support.at[k];
    return MN_OK;
  }
  if (data->sparse) return store_sparse(ctx, m, data->sparse);
  MN_TRY(mn_matrix_init(ctx, &m->support_vectors, vectors, data->features));
  for (size_t k = 0; k < vectors; k++)
    memcpy(mn_row(&m->support_vectors, k), mn_row(&data->x, (size_t)m->support.at[k]), data->features * sizeof(double));
  return MN_OK;
}

mn_status mn_svm_store(mn_context *ctx, mn_svm *m, const mn_data *data, size_t functions, const double *coef,
                       const size_t *order)
{
  const size_t n = data->rows;
  size_t vectors = 0;
  for (size_t i = 0; i < n; i++) vectors += has_coefficient(functions, n, coef, i);
  if (vectors == 0) return MN_OK;
  MN_TRY(mn_indexes_init(ctx, &m->support, vectors));
  MN_TRY(mn_matrix_init(ctx, &m->dual_coef, functions, vectors));
  for (size_t k = 0, to = 0; k < n; k++) {
    const size_t i = order ? order[k] : k;
    if (!has_coefficient(functions, n, coef, i)) continue;
    m->support.at[to] = (int32_t)i;
    for (size_t f = 0; f < functions; f++) mn_row(&m->dual_coef, f)[to] = coef[f * n + i];
    to++;
  }
  return store_vectors(ctx, m, data);
}

/* --- fit --- */

void mn_svm_report(mn_svm *m, const mn_svm_problem *q)
{
  mn_report *r = &m->base.report;
  r->n_iter = q->n_iter > r->n_iter ? q->n_iter : r->n_iter;
  r->converged = r->converged && q->converged;
  r->objective += q->objective;
  r->change = fmax(r->change, q->violation);
  m->duality_gap += q->gap;
}

const char mn_smo_advice[] = "raise max_iter, scale the columns of X to similar ranges, or use a smaller C";

mn_status mn_svm_fit_single(mn_context *ctx, mn_svm *m, const mn_data *data, mn_svm_solver solve, mn_svm_problem *q)
{
  MN_TRY(mn_svm_resolve(ctx, m, data));
  q->rows = mn_kernel_rows_of(data);
  q->weights = data->weights;
  q->report = &m->base.report;
  q->coef = MN_RAW(ctx, double, data->rows, 1);
  MN_CHECK_ALLOC(q->coef);
  m->base.report.advice = mn_smo_advice;
  MN_TRY(solve(ctx, m, q));
  m->base.report.objective = 0;
  m->base.report.converged = true;
  mn_svm_report(m, q);
  MN_TRY(mn_vector_init(ctx, &m->intercept, 1));
  m->intercept.at[0] = q->intercept;
  return mn_svm_store(ctx, m, data, 1, q->coef, NULL);
}

/* --- sums over support vectors --- */

/* Support vectors begin .. end-1, as right operand of the kernel. */
static mn_status vectors_of(mn_context *ctx, const mn_svm *m, size_t begin, size_t end, mn_kernel_rows *rows)
{
  *rows = (mn_kernel_rows){ .n = end - begin, .d = m->base.n_features };
  if (is_precomputed(m)) {
    size_t *place = MN_RAW(ctx, size_t, end - begin, 1);
    MN_CHECK_ALLOC(place);
    for (size_t k = begin; k < end; k++) place[k - begin] = (size_t)m->place.at[k];
    rows->place = place;
  } else if (m->sparse_vectors.rows > 0) {
    mn_csr *view = MN_NEW(ctx, mn_csr, 1, 1);
    MN_CHECK_ALLOC(view);
    *view = m->sparse_vectors;
    view->start += begin;
    view->rows = end - begin;
    rows->sparse = view;
  } else {
    rows->x = mn_row(&m->support_vectors, begin);
  }
  return MN_OK;
}

mn_status mn_svm_sums(mn_context *ctx, const mn_svm *m, const mn_data *data, size_t begin, size_t end, double *out)
{
  const size_t functions = m->dual_coef.rows, vectors = end - begin;
  if (vectors == 0) return MN_OK;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *coef = MN_RAW(ctx, double, vectors, functions);
  MN_CHECK_ALLOC(coef);
  for (size_t k = 0; k < vectors; k++)
    for (size_t f = 0; f < functions; f++) coef[k * functions + f] = mn_row(&m->dual_coef, f)[begin + k];
  const mn_kernel_rows left = { .n = data->rows, .d = data->features, .x = data->x.at, .sparse = data->sparse };
  mn_kernel_rows right;
  MN_TRY(vectors_of(ctx, m, begin, end, &right));
  MN_TRY(mn_kernel_product(ctx, &m->fitted_kernel, &left, &right, functions, coef, out));
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
  const char *name = m->base.class->name;
  const size_t vectors = m->support.size;
  const bool precomputed = is_precomputed(m);
  const size_t stored = precomputed                  ? m->place.size
                        : m->sparse_vectors.rows > 0 ? m->sparse_vectors.rows
                                                     : m->support_vectors.rows;
  if (!mn_kernel_is_set(&m->fitted_kernel) || m->fitted_kernel.nodes == 0)
    return mn_fail(ctx, MN_BAD_FILE, "%s: the archive has no kernel", name);
  MN_TRY(mn_kernel_check(ctx, name, &m->fitted_kernel, m->base.n_features));
  if (stored != vectors || m->dual_coef.cols != vectors ||
      (m->sparse_vectors.rows > 0 && m->support_vectors.rows > 0) || (!precomputed && m->place.size > 0))
    return mn_fail(ctx, MN_BAD_FILE, "%s: the support vectors of the archive do not match", name);
  for (size_t k = 0; k < m->place.size; k++)
    if (m->place.at[k] < 0 || (size_t)m->place.at[k] >= m->base.n_features)
      return mn_fail(ctx, MN_BAD_FILE, "%s: a support vector of the archive is no column of X", name);
  const bool finite = all_finite(m->dual_coef.at, m->dual_coef.rows * vectors) &&
                      all_finite(m->support_vectors.at, m->support_vectors.rows * m->support_vectors.cols) &&
                      all_finite(m->intercept.at, m->intercept.size);
  if (!finite) return mn_fail(ctx, MN_BAD_FILE, "%s: the archive has values that are not finite", name);
  return MN_OK;
}
