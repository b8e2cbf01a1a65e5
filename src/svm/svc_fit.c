#include "../core/worker_pool.h"
#include "svc.h"
#include <string.h>

struct problems {
  const mn_svm *m;
  const mn_data *data;
  mn_svm_solver solve;
  size_t classes, problems, functions;
  size_t *order, *begin;   /* rows by class; where each class begins, classes + 1 */
  double *coef;            /* functions x rows                                   */
  mn_svm_problem *outcome; /* problems                                           */
  double *slope;           /* problems x 2, or NULL                              */
};

/* The classes of a problem: for one against the rest, negative is SIZE_MAX. */
struct sides {
  size_t positive, negative;
};

static struct sides sides_of(const struct problems *w, size_t problem)
{
  if (w->classes == 2) return (struct sides){ 1, 0 };
  if (w->m->multi_class == MN_SVM_OVR) return (struct sides){ problem, SIZE_MAX };
  size_t i = 0;
  while (problem >= w->classes - 1 - i) problem -= w->classes - 1 - i++;
  return (struct sides){ i, i + 1 + problem };
}

/* The function to which a row of this class belongs in a problem. */
static size_t function_of(const struct problems *w, struct sides s, size_t class)
{
  if (w->classes == 2) return 0;
  if (s.negative == SIZE_MAX) return s.positive;
  return class == s.positive ? s.negative - 1 : s.positive;
}

/* The rows of a problem, in their order: index (rows), or NULL for all. */
static mn_status rows_of(mn_context *ctx, const struct problems *w, struct sides s, size_t **index, size_t *count)
{
  const mn_data *data = w->data;
  *index = NULL;
  *count = data->rows;
  if (w->classes == 2 || s.negative == SIZE_MAX) return MN_OK;
  *count = w->begin[s.positive + 1] - w->begin[s.positive] + w->begin[s.negative + 1] - w->begin[s.negative];
  *index = MN_RAW(ctx, size_t, *count, 1);
  MN_CHECK_ALLOC(*index);
  for (size_t i = 0, k = 0; i < data->rows; i++) {
    const size_t class = (size_t)data->code[i];
    if (class == s.positive || class == s.negative) (*index)[k++] = i;
  }
  return MN_OK;
}

static mn_status solve_problem(mn_context *ctx, const struct problems *w, size_t problem)
{
  const mn_data *data = w->data;
  const struct sides s = sides_of(w, problem);
  mn_svm_problem *q = &w->outcome[problem];
  size_t *index, n;
  MN_TRY(rows_of(ctx, w, s, &index, &n));
  double *y = MN_RAW(ctx, double, 3, n), *weights = y + n;
  MN_CHECK_ALLOC(y);
  q->rows = mn_kernel_rows_of(data);
  if (index) {
    const mn_kernel_rows all = q->rows;
    MN_TRY(mn_kernel_select_rows(ctx, &w->m->model.fitted_kernel, &all, n, index, &q->rows));
  }
  for (size_t k = 0; k < n; k++) {
    const size_t i = index ? index[k] : k;
    y[k] = (size_t)data->code[i] == s.positive ? 1 : -1;
    weights[k] = mn_weight(data, i);
  }
  q->y = y;
  q->weights = data->weights ? weights : NULL;
  q->coef = y + 2 * n;
  MN_TRY(w->solve(ctx, w->m, q));
  for (size_t k = 0; k < n; k++) {
    const size_t i = index ? index[k] : k;
    w->coef[function_of(w, s, (size_t)data->code[i]) * data->rows + i] = q->coef[k];
  }
  return w->slope ? mn_svm_fit_slopes(ctx, w->m, w->solve, q, problem, w->slope + 2 * problem) : MN_OK;
}

static mn_status task(mn_context *ctx, void *work, size_t item, size_t worker)
{
  (void)worker;
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(solve_problem(ctx, work, item));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status sort_by_class(mn_context *ctx, struct problems *w)
{
  const mn_data *data = w->data;
  w->order = MN_RAW(ctx, size_t, data->rows, 1);
  w->begin = MN_NEW(ctx, size_t, w->classes + 1, 1);
  if (!w->order || !w->begin) return MN_NO_MEMORY;
  size_t to = 0;
  for (size_t c = 0; c < w->classes; c++) {
    w->begin[c] = to;
    for (size_t i = 0; i < data->rows; i++)
      if ((size_t)data->code[i] == c) w->order[to++] = i;
  }
  w->begin[w->classes] = to;
  return MN_OK;
}

/* Kernels that are functions of the host stay on the calling thread. */
static mn_status solve_all(mn_context *ctx, struct problems *w)
{
  if (!mn_kernel_has(&w->m->model.fitted_kernel, MN_KERNEL_FUNCTION)) return mn_pool_run(ctx, w->problems, task, w);
  for (size_t p = 0; p < w->problems; p++) MN_TRY(task(ctx, w, p, 0));
  return MN_OK;
}

/* With several programs the trace has an entry for each of them that is solved: the sum of all objectives. */
static mn_status merge_reports(mn_context *ctx, mn_svm *m, const struct problems *w)
{
  mn_report *r = &m->model.base.report;
  double objective = 0;
  for (size_t p = 0; p < w->problems; p++) objective += w->outcome[p].start;
  for (size_t p = 0; p < w->problems && w->problems > 1; p++) {
    objective += w->outcome[p].objective - w->outcome[p].start;
    if (!mn_record_round(ctx, r, objective)) return MN_NO_MEMORY;
  }
  if (w->problems > 1) {
    r->n_iter = 0;
    (void)mn_report_progress(ctx, (double)w->problems, (double)w->problems, objective);
  }
  r->objective = 0;
  r->converged = true;
  for (size_t p = 0; p < w->problems; p++) mn_svm_report(m, &w->outcome[p]);
  return MN_OK;
}

static mn_status store_problems(mn_context *ctx, mn_svm *m, const struct problems *w)
{
  MN_TRY(mn_vector_init(ctx, &m->intercept, w->problems));
  MN_TRY(mn_vector_init(ctx, &m->margin, w->problems));
  m->pairwise = w->classes > 2 && m->multi_class == MN_SVM_OVO;
  if (w->slope) {
    MN_TRY(mn_vector_init(ctx, &m->slope_below, w->problems));
    MN_TRY(mn_vector_init(ctx, &m->slope_above, w->problems));
  }
  for (size_t p = 0; p < w->problems; p++) {
    m->intercept.at[p] = w->outcome[p].intercept;
    m->margin.at[p] = w->outcome[p].square > 0 ? 1 / sqrt(w->outcome[p].square) : 0;
    if (!w->slope) continue;
    m->slope_below.at[p] = w->slope[2 * p];
    m->slope_above.at[p] = w->slope[2 * p + 1];
  }
  MN_TRY(mn_svm_store(ctx, m, w->data, w->functions, w->coef, w->order));
  MN_TRY(mn_vector_init(ctx, &m->n_support, w->classes));
  for (size_t k = 0; k < m->support.size; k++) m->n_support.at[w->data->code[m->support.at[k]]]++;
  return MN_OK;
}

mn_status mn_svc_fit(mn_context *ctx, mn_svm *m, const mn_data *data, mn_svm_solver solve)
{
  const size_t k = data->classes;
  struct problems w = { .m = m, .data = data, .solve = solve, .classes = k };
  MN_TRY(mn_kernel_model_resolve(ctx, &m->model, false, data));
  w.problems = k == 2 ? 1 : m->multi_class == MN_SVM_OVR ? k : k * (k - 1) / 2;
  w.functions = k == 2 ? 1 : m->multi_class == MN_SVM_OVR ? k : k - 1;
  MN_TRY(sort_by_class(ctx, &w));
  w.coef = MN_NEW(ctx, double, w.functions, data->rows);
  w.outcome = MN_NEW(ctx, mn_svm_problem, w.problems, 1);
  if (!w.coef || !w.outcome) return MN_NO_MEMORY;
  if (m->probability) {
    w.slope = MN_NEW(ctx, double, w.problems, 2);
    MN_CHECK_ALLOC(w.slope);
  }
  m->model.base.report.advice = mn_smo_advice;
  if (w.problems == 1) {
    w.outcome[0].report = &m->model.base.report;
    MN_TRY(solve_problem(ctx, &w, 0));
  } else {
    MN_TRY(solve_all(ctx, &w));
  }
  MN_TRY(merge_reports(ctx, m, &w));
  return store_problems(ctx, m, &w);
}
