#include "gp_latent_model.h"
#include "../model/part_rounds.h"
#include "gp_kernel.h"
#include <string.h>

const mn_param mn_gp_theta_params[] = {
  MN_REALS(struct mn_gp_theta_option, theta, MN_NO_LIMITS(),
           "logarithms of the free hyperparameters, for all functions; nil: those of the fit"),
  MN_END,
};

static const char *name_of(const mn_gp_latent_model *m)
{
  return m->base.class->name;
}

/* --- fit --- */

/* Minus the log likelihood of each function at the first hyperparameters; *sum: of all. */
static mn_status start_values(mn_context *ctx, const mn_gp_latent_model *m, mn_gp_problem_of_function problem_of,
                              double *start, double *sum)
{
  const size_t functions = m->dual_coef.rows;
  mn_gp_posterior p;
  mn_gp_latent problem;
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(mn_gp_posterior_new(ctx, m->x.rows, &p));
  *sum = 0;
  for (size_t f = 0; f < functions; f++) {
    MN_TRY(problem_of(ctx, m, f, &problem));
    MN_TRY(mn_gp_latent_solve(ctx, &m->fitted_kernel, &problem, &p));
    start[f] = -p.log_likelihood;
    *sum += start[f];
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static bool note(void *rounds, double log_likelihood)
{
  return mn_part_round(rounds, -log_likelihood);
}

static mn_status optimize(mn_context *ctx, const mn_gp_latent_model *m, mn_kernel *kernel, mn_gp_latent *problem,
                          mn_part_rounds *rounds)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_gp_search search = { .restarts = (size_t)m->n_restarts,
                          .max_iter = (size_t)m->max_iter,
                          .tol = m->tol,
                          .seed = m->seed,
                          .converged = true,
                          .note = note,
                          .user = rounds };
  MN_TRY(mn_gp_latent_optimize(ctx, kernel, problem, &search));
  if (!search.converged) rounds->report->converged = false;
  rounds->report->change = fmax(rounds->report->change, search.change);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Square roots of precisions below this have finite squares in predictions. */
static bool is_root(double root)
{
  return root >= 0 && root < 1e150;
}

static mn_status fit_function(mn_context *ctx, mn_gp_latent_model *m, size_t f, mn_gp_problem_of_function problem_of,
                              mn_gp_keep_function kept, mn_part_rounds *rounds)
{
  const size_t n = m->x.rows;
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_gp_posterior p;
  mn_gp_latent problem;
  mn_kernel kernel;
  MN_TRY(problem_of(ctx, m, f, &problem));
  MN_TRY(mn_kernel_scratch_copy(ctx, &m->fitted_kernel, &kernel));
  if (m->optimizer == MN_GP_BFGS && mn_should_continue(ctx)) MN_TRY(optimize(ctx, m, &kernel, &problem, rounds));
  if (m->theta.cols > 0) mn_kernel_theta(&kernel, mn_row(&m->theta, f));
  MN_TRY(mn_gp_posterior_new(ctx, n, &p));
  MN_TRY(mn_gp_latent_solve(ctx, &kernel, &problem, &p));
  if (!isfinite(p.log_likelihood))
    return mn_fail(ctx, MN_SINGULAR, "%s: the values of the kernel are not finite", name_of(m));
  for (size_t i = 0; i < n; i++)
    if (!is_root(p.root[i]))
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: the values of y are too large; divide them by a constant", name_of(m));
  m->log_likelihood.at[f] = p.log_likelihood;
  memcpy(mn_row(&m->dual_coef, f), p.a, n * sizeof *p.a);
  memcpy(mn_row(&m->root_precision, f), p.root, n * sizeof *p.root);
  memcpy(m->factor.at + f * n * n, p.l, n * n * sizeof *p.l);
  if (kept) kept(m, &problem);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_gp_latent_init(mn_context *ctx, mn_gp_latent_model *m, const mn_data *data, size_t functions)
{
  const size_t n = data->rows;
  MN_TRY(mn_gp_kernel_resolve(ctx, &m->base, &m->kernel, false, data, &m->fitted_kernel));
  MN_TRY(mn_value_copy(ctx, MN_KIND_MATRIX, &data->x, &m->x));
  MN_TRY(mn_matrix_init(ctx, &m->theta, functions, mn_kernel_free_count(&m->fitted_kernel)));
  MN_TRY(mn_matrix_init(ctx, &m->dual_coef, functions, n));
  MN_TRY(mn_matrix_init(ctx, &m->root_precision, functions, n));
  MN_TRY(mn_matrix_init(ctx, &m->factor, functions * n, n));
  return mn_vector_init(ctx, &m->log_likelihood, functions);
}

mn_status mn_gp_latent_fit(mn_context *ctx, mn_gp_latent_model *m, const mn_data *data, size_t functions,
                           mn_gp_problem_of_function problem_of, mn_gp_keep_function kept)
{
  mn_report *report = &m->base.report;
  mn_part_rounds rounds = { .ctx = ctx, .report = report, .max_iter = m->max_iter };
  double *start = MN_RAW(ctx, double, functions, 1), sum;
  MN_CHECK_ALLOC(start);
  MN_TRY(mn_gp_latent_init(ctx, m, data, functions));
  *report = (mn_report){ .converged = true, .advice = "raise max_iter, or widen the bounds of the kernel" };
  MN_TRY(start_values(ctx, m, problem_of, start, &sum));
  for (size_t f = 0; f < functions; f++) {
    mn_progress_part(ctx, f, functions);
    mn_part_begin(&rounds, start[f], sum);
    MN_TRY(fit_function(ctx, m, f, problem_of, kept, &rounds));
    mn_part_end(&rounds, -m->log_likelihood.at[f]);
    sum += -m->log_likelihood.at[f] - start[f];
  }
  mn_progress_part(ctx, 0, 1);
  report->converged = report->converged && mn_should_continue(ctx);
  report->objective = sum;
  if (report->n_iter == 0) (void)mn_round(ctx, report, m->max_iter, sum);
  if (m->theta.cols > 0) mn_kernel_set_theta(&m->fitted_kernel, mn_row(&m->theta, 0));
  return mn_error_status(ctx);
}

/* --- archives --- */

mn_status mn_gp_latent_check(mn_context *ctx, const mn_gp_latent_model *m)
{
  const mn_kernel *k = &m->fitted_kernel;
  bool good = k->nodes > 0 && !mn_kernel_has(k, MN_KERNEL_PRECOMPUTED) && m->theta.cols == mn_kernel_free_count(k);
  for (size_t i = 0; good && i < m->root_precision.rows * m->root_precision.cols; i++)
    good = is_root(m->root_precision.at[i]);
  if (!good) return mn_fail(ctx, MN_BAD_FILE, "%s: the archive has parts that do not fit together", name_of(m));
  return mn_kernel_check(ctx, name_of(m), k, m->x.cols);
}

/* The kernel of function f. */
static mn_status kernel_of(mn_context *ctx, const mn_gp_latent_model *m, size_t f, mn_kernel *kernel)
{
  MN_TRY(mn_kernel_scratch_copy(ctx, &m->fitted_kernel, kernel));
  if (m->theta.cols > 0) mn_kernel_set_theta(kernel, mn_row(&m->theta, f));
  return MN_OK;
}

mn_status mn_gp_latent_derive(mn_context *ctx, void *self)
{
  mn_gp_latent_model *m = self;
  const size_t n = m->x.rows, functions = m->dual_coef.rows;
  const mn_kernel_rows rows = { .n = n, .d = m->x.cols, .x = m->x.at };
  const mn_mark mark = mn_scratch_mark(ctx);
  double *k = MN_RAW(ctx, double, n, n);
  mn_kernel kernel;
  MN_CHECK_ALLOC(k);
  MN_TRY(mn_matrix_init(ctx, &m->factor, functions * n, n));
  for (size_t f = 0; f < functions; f++) {
    MN_TRY(kernel_of(ctx, m, f, &kernel));
    MN_TRY(mn_kernel_matrix(ctx, &kernel, &rows, k, n));
    MN_TRY(mn_gp_latent_factor(ctx, name_of(m), n, k, mn_row(&m->root_precision, f), m->factor.at + f * n * n));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- results --- */

mn_status mn_gp_latent_model_moments(mn_context *ctx, const mn_gp_latent_model *m, const mn_data *data, size_t f,
                                     double *mean, double *variance)
{
  const size_t n = m->x.rows;
  const mn_kernel_rows stored = { .n = n, .d = m->x.cols, .x = m->x.at }, rows = mn_kernel_rows_of(data);
  mn_kernel kernel;
  MN_TRY(kernel_of(ctx, m, f, &kernel));
  return mn_gp_latent_moments(ctx, &kernel, &stored, mn_row(&m->dual_coef, f), mn_row(&m->root_precision, f),
                              m->factor.at + f * n * n, &rows, mean, variance);
}

mn_status mn_gp_latent_results(mn_context *ctx, const mn_gp_latent_model *m, const mn_data *data, double offset,
                               mn_results *results)
{
  const size_t rows = data->rows, functions = m->dual_coef.rows;
  mn_matrix *means, *variances;
  double *mean = MN_RAW(ctx, double, rows, 1), *variance = MN_RAW(ctx, double, rows, 1);
  if (!mean || !variance) return MN_NO_MEMORY;
  MN_TRY(mn_result_matrix(ctx, results, "mean", rows, functions, &means));
  MN_TRY(mn_result_matrix(ctx, results, "variance", rows, functions, &variances));
  for (size_t f = 0; f < functions; f++) {
    MN_TRY(mn_gp_latent_model_moments(ctx, m, data, f, mean, variance));
    for (size_t i = 0; i < rows; i++) {
      mn_row(means, i)[f] = offset + mean[i];
      mn_row(variances, i)[f] = variance[i];
    }
  }
  return MN_OK;
}

mn_status mn_gp_likelihood_results(mn_context *ctx, const mn_gp_latent_model *m, const mn_vector *theta,
                                   mn_gp_problem_of_function problem_of, mn_results *results)
{
  const size_t functions = m->dual_coef.rows, k = m->theta.cols;
  double value = 0, *own = MN_RAW(ctx, double, k + 1, 1);
  mn_vector *gradient;
  mn_gp_posterior p;
  mn_gp_latent problem;
  mn_kernel kernel;
  MN_CHECK_ALLOC(own);
  if (theta->at && theta->size != k)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: theta must have a value for each of %zu free hyperparameters, got %zu",
                   name_of(m), k, theta->size);
  MN_TRY(mn_result_vector(ctx, results, "gradient", k, &gradient));
  MN_TRY(mn_gp_posterior_new(ctx, m->x.rows, &p));
  for (size_t f = 0; f < functions; f++) {
    MN_TRY(problem_of(ctx, m, f, &problem));
    MN_TRY(kernel_of(ctx, m, f, &kernel));
    if (theta->at) mn_kernel_set_theta(&kernel, theta->at);
    MN_TRY(mn_gp_latent_solve(ctx, &kernel, &problem, &p));
    value += p.log_likelihood / (double)functions;
    if (!isfinite(p.log_likelihood)) continue;
    MN_TRY(mn_gp_latent_gradient(ctx, &kernel, &problem, &p, own));
    for (size_t j = 0; j < k; j++) gradient->at[j] += own[j] / (double)functions;
  }
  mn_result_real(results, "value", value);
  return MN_OK;
}
