/* Fitting of sparse Gaussian process regression: at once, by passes of mini-batches, and by partial_fit. */
#include "../kernel/kernel_value.h"
#include "gp_inducing.h"
#include "../gaussian_process/gp_kernel.h"
#include "../gaussian_process/gp_mean.h"
#include "gp_sparse_model.h"
#include "gp_sparse_search.h"
#include "gp_sparse_steps.h"
#include <math.h>
#include <string.h>

mn_status mn_sparse_problem_of(mn_context *ctx, const struct mn_sparse_model *m, const mn_data *data,
                               mn_sparse_problem *p)
{
  double *y;
  MN_TRY(mn_gp_to_units(ctx, m->base.class->name, data, &m->y_mean, &m->y_scale, &y));
  *p = (mn_sparse_problem){ .rows = mn_kernel_rows_of(data),
                            .y = y,
                            .weights = data->weights,
                            .q = data->y.cols,
                            .noise = m->noise,
                            .mean = (mn_gp_mean)m->mean_kind,
                            .fitc = m->method_kind == MN_SPARSE_FITC };
  return MN_OK;
}

/* --- the state as learned fields --- */

static mn_status keep(mn_context *ctx, size_t rows, size_t cols, const double *from, mn_matrix *to)
{
  const mn_matrix value = { .at = (double *)from, .rows = rows, .cols = cols };
  if (from == to->at) return MN_OK;
  mn_matrix_free(mn_context_memory(ctx), to);
  return rows * cols > 0 ? mn_value_copy(ctx, MN_KIND_MATRIX, &value, to) : MN_OK;
}

mn_status mn_sparse_keep_factors(mn_context *ctx, struct mn_sparse_model *m, const mn_sparse_state *s)
{
  const size_t h = s->columns - s->q;
  double *basis = MN_RAW(ctx, double, s->m, h + 1);
  MN_CHECK_ALLOC(basis);
  for (size_t k = 0; k < s->m; k++)
    for (size_t j = 0; j < h; j++) basis[k * h + j] = s->basis[k * s->columns + s->q + j];
  MN_TRY(keep(ctx, s->m, s->m, s->l, &m->l));
  MN_TRY(keep(ctx, s->m, s->m, s->factor, &m->factor));
  MN_TRY(keep(ctx, s->m, h, basis, &m->basis));
  return keep(ctx, h, h, s->precision, &m->precision);
}

static mn_status keep_state(mn_context *ctx, struct mn_sparse_model *m, const mn_sparse_state *s)
{
  const mn_sparse_sums *t = &s->sums;
  const double totals[MN_SPARSE_TOTALS] = {
    t->weight, t->log_noise, t->trace, t->slack, t->least_noise, t->most_noise
  };
  m->log_likelihood = s->log_likelihood;
  m->jitter = s->jitter;
  m->base.report.objective = -s->log_likelihood;
  MN_TRY(keep(ctx, s->m, s->z.d, s->z.x, &m->inducing_inputs));
  MN_TRY(keep(ctx, s->m, s->q, s->coef, &m->dual_coef));
  MN_TRY(keep(ctx, s->columns - s->q, s->q, s->b, &m->mean_coef));
  MN_TRY(keep(ctx, s->m, s->m, t->gram, &m->gram));
  MN_TRY(keep(ctx, s->m, s->columns, t->cross, &m->cross));
  MN_TRY(keep(ctx, s->columns, s->columns, t->square, &m->square));
  mn_vector_free(mn_context_memory(ctx), &m->totals);
  MN_TRY(mn_vector_init(ctx, &m->totals, MN_SPARSE_TOTALS));
  memcpy(m->totals.at, totals, sizeof totals);
  return mn_sparse_keep_factors(ctx, m, s);
}

mn_status mn_sparse_check_state(mn_context *ctx, const struct mn_sparse_model *m, const mn_sparse_state *s)
{
  if (isfinite(s->log_likelihood)) return MN_OK;
  if (!(s->sums.least_noise > 0))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: the noise must be > 0; add ml.kernel.White to the kernel, or raise alpha",
                   m->base.class->name);
  return mn_fail(
      ctx, MN_SINGULAR,
      "%s: the kernel matrix of the inducing inputs is not positive definite; choose a positive semidefinite "
      "kernel, or fewer inducing inputs",
      m->base.class->name);
}

mn_status mn_sparse_state_of(mn_context *ctx, const struct mn_sparse_model *m, mn_sparse_state *s)
{
  const mn_kernel_rows z = { .n = m->inducing_inputs.rows, .d = m->inducing_inputs.cols, .x = m->inducing_inputs.at };
  const mn_sparse_problem p = { .rows = { .d = z.d }, .q = m->dual_coef.cols, .mean = (mn_gp_mean)m->mean_kind };
  const double *t = m->totals.at;
  bool failed;
  MN_TRY(mn_sparse_new(ctx, &p, &z, s));
  MN_TRY(mn_sparse_prior_again(ctx, &m->fitted_kernel, m->jitter, s, &failed));
  memcpy(s->sums.gram, m->gram.at, s->m * s->m * sizeof(double));
  memcpy(s->sums.cross, m->cross.at, s->m * s->columns * sizeof(double));
  memcpy(s->sums.square, m->square.at, s->columns * s->columns * sizeof(double));
  s->sums.weight = t[0], s->sums.log_noise = t[1], s->sums.trace = t[2];
  s->sums.slack = t[3], s->sums.least_noise = t[4], s->sums.most_noise = t[5];
  s->log_likelihood = (double)NAN;
  return failed ? MN_OK : mn_sparse_solve(ctx, s);
}

/* --- fit --- */

static mn_status optimize(mn_context *ctx, struct mn_sparse_model *m, const mn_sparse_problem *p, size_t k, double *z)
{
  const bool learned = m->inducing == MN_INDUCING_LEARNED;
  mn_gp_rounds rounds = { ctx, &m->base.report, m->max_iter };
  mn_gp_search search = { .restarts = (size_t)m->n_restarts,
                          .max_iter = (size_t)m->max_iter,
                          .tol = m->tol,
                          .seed = m->seed,
                          .note = mn_gp_note_round,
                          .user = &rounds };
  if (m->optimizer == MN_GP_NO_OPTIMIZER || (mn_kernel_free_count(&m->fitted_kernel) == 0 && !learned)) return MN_OK;
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(mn_sparse_optimize(ctx, &m->fitted_kernel, p, k, z, learned, &search));
  mn_scratch_release(ctx, mark);
  mn_gp_report_search(&search, &m->base.report);
  return MN_OK;
}

static mn_status new_steps(mn_context *ctx, struct mn_sparse_model *m, const mn_sparse_problem *p, mn_sparse_state *s,
                           double *z, mn_sparse_steps *steps)
{
  const bool learned = m->inducing == MN_INDUCING_LEARNED;
  const size_t variables = mn_sparse_step_variables(&m->fitted_kernel, s->m, p->rows.d, learned);
  *steps = (mn_sparse_steps){ .variables = variables,
                              .kernel = &m->fitted_kernel,
                              .state = s,
                              .z = z,
                              .learned = learned,
                              .rate = m->optimizer == MN_GP_NO_OPTIMIZER ? 0 : m->learning_rate,
                              .natural_rate = m->natural_rate,
                              .moment = MN_NEW(ctx, double, variables, 2) };
  MN_CHECK_ALLOC(steps->moment);
  return mn_gp_column_scales(ctx, &p->rows, &steps->scale);
}

/* Hyperparameters by passes of mini-batches; the posterior is then computed from all rows. */
static mn_status run_passes(mn_context *ctx, struct mn_sparse_model *m, const mn_sparse_problem *p, size_t k, double *z)
{
  mn_gp_rounds rounds = { ctx, &m->base.report, m->max_iter };
  mn_sparse_passes passes = { .batch_size = (size_t)m->batch_size,
                              .max_passes = (size_t)m->max_iter,
                              .tol = m->tol,
                              .seed = m->seed,
                              .note = mn_gp_note_round,
                              .user = &rounds };
  const mn_kernel_rows rows = { .n = k, .d = p->rows.d, .x = z };
  mn_sparse_state s;
  mn_sparse_steps steps;
  if (m->optimizer == MN_GP_NO_OPTIMIZER) return MN_OK;
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(mn_sparse_new(ctx, p, &rows, &s));
  MN_TRY(new_steps(ctx, m, p, &s, z, &steps));
  MN_TRY(mn_sparse_run_passes(ctx, &steps, p, &passes));
  mn_scratch_release(ctx, mark);
  m->base.report.converged = passes.converged;
  m->base.report.change = passes.change;
  return MN_OK;
}

static mn_status check_data(mn_context *ctx, const struct mn_sparse_model *m, const mn_data *data)
{
  const char *who = m->base.class->name;
  if (!mn_kernel_has_values(&m->fitted_kernel))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: kernel must be a formula, not a Lua function, which has no gradient",
                   who);
  if (m->inducing_start.at && m->inducing_start.cols != data->features)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: inducing_start must have a column for each of %zu features, got %zu", who,
                   data->features, m->inducing_start.cols);
  if (!isnan(m->max_gap) && m->method == MN_SPARSE_FITC)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: max_gap requires method = \"variational\", since FITC is not a bound",
                   who);
  return MN_OK;
}

static mn_status begin_fit(mn_context *ctx, struct mn_sparse_model *m, const mn_data *data)
{
  m->noise = m->alpha;
  m->mean_kind = m->mean;
  m->method_kind = m->method;
  m->steps = 0;
  m->seen = 0;
  mn_vector_free(mn_context_memory(ctx), &m->moment);
  MN_TRY(mn_gp_kernel_resolve(ctx, &m->base, &m->kernel, true, data, &m->fitted_kernel));
  MN_TRY(check_data(ctx, m, data));
  m->base.report =
      (mn_report){ .converged = true, .advice = "raise max_iter or tol, or widen the bounds of the kernel" };
  return mn_gp_find_units(ctx, data, m->normalize_y, &m->y_mean, &m->y_scale);
}

/* The inducing inputs of a fit, k at most. */
static mn_status choose_inputs(mn_context *ctx, const struct mn_sparse_model *m, const mn_data *data, size_t k,
                               double **z, size_t *count)
{
  *z = MN_RAW(ctx, double, k, data->features);
  *count = k;
  MN_CHECK_ALLOC(*z);
  if (!m->inducing_start.at)
    return mn_gp_choose_inducing(ctx, data, m->inducing != MN_INDUCING_RANDOM, m->seed, k, *z, count);
  memcpy(*z, m->inducing_start.at, k * data->features * sizeof **z);
  return MN_OK;
}

/* Fit with at most k inducing inputs. */
static mn_status fit_with(mn_context *ctx, struct mn_sparse_model *m, const mn_data *data, const mn_sparse_problem *p,
                          size_t k, mn_sparse_state *s)
{
  double *z;
  size_t count;
  MN_TRY(choose_inputs(ctx, m, data, k, &z, &count));
  MN_TRY(m->method == MN_SPARSE_SVI ? run_passes(ctx, m, p, count, z) : optimize(ctx, m, p, count, z));
  const mn_kernel_rows rows = { .n = count, .d = data->features, .x = z };
  MN_TRY(mn_sparse_new(ctx, p, &rows, s));
  MN_TRY(mn_sparse_evaluate(ctx, &m->fitted_kernel, p, s));
  return mn_sparse_check_state(ctx, m, s);
}

/* The number of inducing inputs to begin with. */
static size_t first_size(const struct mn_sparse_model *m, const mn_data *data)
{
  if (m->inducing_start.at) return m->inducing_start.rows;
  return (size_t)m->n_inducing < data->rows ? (size_t)m->n_inducing : data->rows;
}

/* Whether the gap of the bounds is small enough, or there are no more inducing inputs to have. */
static mn_status is_enough(mn_context *ctx, const struct mn_sparse_model *m, const mn_data *data, size_t k,
                           const mn_sparse_state *s, bool *enough)
{
  double upper;
  *enough = isnan(m->max_gap) || s->m < k || k >= data->rows || m->inducing_start.at || !mn_should_continue(ctx);
  if (*enough) return MN_OK;
  MN_TRY(mn_sparse_upper_bound(ctx, s, &upper));
  *enough = upper - s->log_likelihood <= m->max_gap * s->sums.weight * (double)s->q;
  return MN_OK;
}

mn_status mn_sparse_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_sparse_model *m = self;
  mn_sparse_problem p;
  mn_sparse_state s;
  bool enough;
  MN_TRY(begin_fit(ctx, m, data));
  MN_TRY(mn_sparse_problem_of(ctx, m, data, &p));
  for (size_t k = first_size(m, data);; k = 2 * k < data->rows ? 2 * k : data->rows) {
    const mn_mark mark = mn_scratch_mark(ctx);
    MN_TRY(fit_with(ctx, m, data, &p, k, &s));
    MN_TRY(is_enough(ctx, m, data, k, &s, &enough));
    if (enough) break;
    mn_scratch_release(ctx, mark);
  }
  if (m->base.report.n_iter < 1) m->base.report.n_iter = 1;
  return keep_state(ctx, m, &s);
}

/* --- partial_fit --- */

/* Add rows to the sums; hyperparameters and inducing inputs stay. */
static mn_status add_rows(mn_context *ctx, struct mn_sparse_model *m, const mn_data *data, mn_sparse_state *s)
{
  mn_sparse_problem p;
  MN_TRY(mn_sparse_state_of(ctx, m, s));
  MN_TRY(mn_sparse_problem_of(ctx, m, data, &p));
  MN_TRY(mn_sparse_add(ctx, &m->fitted_kernel, &p, s));
  return s->sums.least_noise > 0 ? mn_sparse_solve(ctx, s) : MN_OK;
}

/* The weights of a batch, whose sum is that of all rows: total_rows, or those seen so far. */
static mn_status scale_weights(mn_context *ctx, struct mn_sparse_model *m, const mn_data *data, mn_sparse_problem *p)
{
  const double sum = mn_total_weight(data);
  double *weights = MN_RAW(ctx, double, data->rows, 1);
  MN_CHECK_ALLOC(weights);
  m->seen += sum;
  const double total = m->total_rows == MN_UNSET ? m->seen : (double)m->total_rows;
  for (size_t i = 0; i < data->rows; i++) weights[i] = mn_weight(data, i) * total / sum;
  p->weights = weights;
  return MN_OK;
}

/* One step of stochastic variational inference; the inducing inputs of the first batch. */
static mn_status take_step(mn_context *ctx, struct mn_sparse_model *m, const mn_data *data, mn_sparse_state *s)
{
  const bool first = !m->totals.at;
  mn_sparse_problem p;
  mn_sparse_steps steps;
  double bound, *z;
  size_t count = m->inducing_inputs.rows;
  bool failed;
  if (first) MN_TRY(begin_fit(ctx, m, data));
  MN_TRY(mn_sparse_problem_of(ctx, m, data, &p));
  MN_TRY(scale_weights(ctx, m, data, &p));
  if (first) {
    MN_TRY(choose_inputs(ctx, m, data, first_size(m, data), &z, &count));
    const mn_kernel_rows rows = { .n = count, .d = data->features, .x = z };
    MN_TRY(mn_sparse_new(ctx, &p, &rows, s));
  } else {
    z = MN_RAW(ctx, double, count, data->features);
    MN_CHECK_ALLOC(z);
    memcpy(z, m->inducing_inputs.at, count * data->features * sizeof *z);
    MN_TRY(mn_sparse_state_of(ctx, m, s));
    s->z.x = z;
  }
  MN_TRY(new_steps(ctx, m, &p, s, z, &steps));
  steps.started = !first;
  steps.steps = m->steps++;
  if (m->moment.size == 2 * steps.variables) memcpy(steps.moment, m->moment.at, m->moment.size * sizeof(double));
  MN_TRY(mn_sparse_step(ctx, &steps, &p, &bound));
  MN_TRY(mn_sparse_check_state(ctx, m, s));
  mn_vector_free(mn_context_memory(ctx), &m->moment);
  MN_TRY(mn_vector_init(ctx, &m->moment, 2 * steps.variables));
  memcpy(m->moment.at, steps.moment, m->moment.size * sizeof(double));
  MN_TRY(mn_sparse_prior(ctx, &m->fitted_kernel, s, &failed)); /* with the new hyperparameters */
  return failed ? MN_OK : mn_sparse_solve(ctx, s);
}

mn_status mn_sparse_partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_sparse_model *m = self;
  const bool first = !m->totals.at, svi = (first ? m->method : m->method_kind) == MN_SPARSE_SVI;
  mn_sparse_state s;
  if (first && !svi) return mn_sparse_fit(ctx, self, data);
  MN_TRY(svi ? take_step(ctx, m, data, &s) : add_rows(ctx, m, data, &s));
  MN_TRY(mn_sparse_check_state(ctx, m, &s));
  m->base.report.change = (double)NAN;
  m->base.report.converged = false;
  MN_TRY(keep_state(ctx, m, &s));
  mn_record_round(ctx, &m->base.report, -s.log_likelihood);
  return mn_error_status(ctx);
}
