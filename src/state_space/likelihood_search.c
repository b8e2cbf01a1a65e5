#include "likelihood_search.h"
#include "../factorization/lapack.h"
#include "../optim/bounded_bfgs.h"
#include "../stats/special.h"
#include <math.h>
#include <string.h>

mn_status mn_series_system_new(mn_context *ctx, size_t d, mn_series_system *s)
{
  *s = (mn_series_system){ .d = d,
                           .f = MN_NEW(ctx, double, d, d),
                           .q = MN_NEW(ctx, double, d, d),
                           .h = MN_NEW(ctx, double, d, 1),
                           .b = MN_NEW(ctx, double, d, 1),
                           .mean = MN_NEW(ctx, double, d, 1),
                           .cov = MN_NEW(ctx, double, d, d),
                           .diffuse = MN_NEW(ctx, bool, d, 1) };
  return s->f && s->q && s->h && s->b && s->mean && s->cov && s->diffuse ? MN_OK : MN_NO_MEMORY;
}

static mn_linear_system linear_system(const mn_series_system *s)
{
  const size_t d = s->d;
  return (mn_linear_system){ .d = d,
                             .p = 1,
                             .transition = { .at = s->f, .size = d * d },
                             .state_cov = { .at = s->q, .size = d * d },
                             .observation = { .at = s->h, .size = d },
                             .observation_cov = { .at = &s->r, .size = 1 },
                             .state_offset = s->b,
                             .observation_offset = &s->c,
                             .start_mean = s->mean,
                             .start_cov = s->cov,
                             .diffuse = s->diffuse };
}

/* --- likelihood --- */

/* Sums over values: of v^2 / F and log F where F is finite, of log F_inf where it is not. */
struct sums {
  double squares, log_variance, log_infinite, values;
};

static void add_value(const mn_filter_value *v, struct sums *s)
{
  if (!v->used) return;
  if (v->diffuse_variance > 0) {
    s->log_infinite += log(v->diffuse_variance);
    return;
  }
  s->squares += v->error * v->error / v->variance;
  s->log_variance += log(v->variance);
  s->values++;
}

static mn_status filter_series(mn_context *ctx, const mn_linear_system *system, const mn_data *data, struct sums *s)
{
  mn_filter k;
  double unused;
  MN_TRY(mn_filter_new(ctx, system, &k));
  for (size_t i = 0, first = 0; i < mn_sequences(data); first += mn_sequence_rows(data, i), i++) {
    const size_t end = first + mn_sequence_rows(data, i);
    MN_TRY(mn_filter_start(&k));
    for (size_t t = first; t < end; t++) {
      MN_TRY(mn_filter_update(&k, t, data->x.at + t, &unused));
      if (k.count > 0) add_value(k.value, s);
      if (t + 1 < end) MN_TRY(mn_filter_predict(&k, t));
      if (t % 1024 == 0) MN_TRY(mn_poll(ctx));
    }
  }
  return MN_OK;
}

mn_status mn_series_likelihood(mn_context *ctx, const mn_series_form *form, const mn_data *data, const double *x,
                               mn_series_fit *fit)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_series_system system;
  struct sums s = { 0 };
  bool valid = false;
  MN_TRY(mn_series_system_new(ctx, form->d, &system));
  MN_TRY(form->build(ctx, form->model, x, &system, &valid));
  *fit = (mn_series_fit){ .loglike = -INFINITY, .variance = 1 };
  const mn_linear_system linear = linear_system(&system);
  if (valid) MN_TRY(filter_series(ctx, &linear, data, &s));
  if (s.values > 0) {
    fit->values = (size_t)s.values;
    if (form->unit_variance) fit->variance = s.squares / s.values;
    fit->loglike = -0.5 * (s.values * (MN_LOG_2PI + log(fit->variance)) + s.log_variance + s.squares / fit->variance +
                           s.log_infinite);
    if (!isfinite(fit->loglike)) fit->loglike = -INFINITY;
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- search --- */

struct search {
  mn_context *ctx;
  const mn_series_form *form;
  const mn_data *data;
  mn_estimator *m;
  int64_t max_iter;
  double *x;
  mn_status status;
};

static double value_at(struct search *s, const double *x)
{
  mn_series_fit fit = { .loglike = -INFINITY };
  if (s->status == MN_OK) s->status = mn_series_likelihood(s->ctx, s->form, s->data, x, &fit);
  return -fit.loglike;
}

/* Steps that balance the error of the difference, h^2, and rounding, 1e-13 / h relative to the log likelihood. */
static double step_of(double x)
{
  return 1e-4 * fmax(fabs(x), 1);
}

static double objective(void *problem, const double *x, double *gradient)
{
  struct search *s = problem;
  memcpy(s->x, x, s->form->size * sizeof *x);
  for (size_t j = 0; j < s->form->size; j++) {
    const double h = step_of(x[j]);
    s->x[j] = x[j] + h;
    const double above = value_at(s, s->x);
    s->x[j] = x[j] - h;
    gradient[j] = (above - value_at(s, s->x)) / (2 * h);
    s->x[j] = x[j];
    if (!isfinite(gradient[j])) return INFINITY;
  }
  return value_at(s, x);
}

static bool note(void *problem, double objective)
{
  struct search *s = problem;
  return mn_round(s->ctx, &s->m->report, s->max_iter, objective);
}

mn_status mn_series_maximize(mn_context *ctx, const mn_series_form *form, const mn_data *data, mn_estimator *m,
                             int64_t max_iter, double tol, double *x, mn_series_fit *fit)
{
  const size_t n = form->size;
  struct search s = { .ctx = ctx, .form = form, .data = data, .m = m, .max_iter = max_iter };
  s.x = MN_RAW(ctx, double, n + 1, 1);
  double *low = MN_RAW(ctx, double, n + 1, 1), *high = MN_RAW(ctx, double, n + 1, 1);
  if (!s.x || !low || !high) return MN_NO_MEMORY;
  for (size_t j = 0; j < n; j++) {
    low[j] = form->low < form->high ? form->low : -INFINITY;
    high[j] = form->low < form->high ? form->high : INFINITY;
  }
  const mn_bounded_options options = { .low = low,
                                       .high = high,
                                       .max_iter = (size_t)max_iter,
                                       .gradient_tolerance = 1e-5,
                                       .objective_tolerance = tol,
                                       .note = note };
  mn_lbfgs_report found = { .converged = true };
  if (n > 0) MN_TRY(mn_bounded_bfgs(ctx, n, x, objective, &s, &options, &found));
  MN_TRY(s.status);
  m->report.converged = found.converged;
  m->report.advice = "raise max_iter, or use a simpler model";
  MN_TRY(mn_series_likelihood(ctx, form, data, x, fit));
  if (!isfinite(fit->loglike) || fit->values == 0)
    return mn_fail(ctx, MN_BAD_DATA,
                   "%s: the series has no finite likelihood; use more rows, a simpler model, or scale X",
                   m->class->name);
  if (m->report.n_iter > 0) return MN_OK;
  return mn_record_round(ctx, &m->report, -fit->loglike) ? MN_OK : MN_NO_MEMORY;
}

/* --- standard errors --- */

/* The element j, k of the Hessian of -log likelihood. */
static double second_difference(struct search *s, const double *x, size_t j, size_t k)
{
  const double hj = 10 * step_of(x[j]), hk = 10 * step_of(x[k]),
               both[4][2] = { { 1, 1 }, { 1, -1 }, { -1, 1 }, { -1, -1 } };
  double sum = 0;
  for (int corner = 0; corner < 4; corner++) {
    memcpy(s->x, x, s->form->size * sizeof *x);
    s->x[j] += both[corner][0] * hj;
    s->x[k] += both[corner][1] * hk;
    sum += both[corner][0] * both[corner][1] * value_at(s, s->x);
  }
  return sum / (4 * hj * hk);
}

mn_status mn_series_std_errors(mn_context *ctx, const mn_series_form *form, const mn_data *data, const double *x,
                               double *std_errors)
{
  const size_t n = form->size;
  struct search s = { .ctx = ctx, .form = form, .data = data, .x = MN_RAW(ctx, double, n + 1, 1) };
  double *hessian = MN_RAW(ctx, double, n, n), *values = MN_RAW(ctx, double, n, 1),
         *vectors = MN_RAW(ctx, double, n, n);
  if (n == 0) return MN_OK;
  if (!s.x || !hessian || !values || !vectors) return MN_NO_MEMORY;
  bool positive = true;
  for (size_t j = 0; j < n; j++)
    for (size_t k = 0; k <= j; k++) {
      hessian[j * n + k] = hessian[k * n + j] = second_difference(&s, x, j, k);
      MN_TRY(s.status);
      positive = positive && isfinite(hessian[j * n + k]);
    }
  if (positive) MN_TRY(mn_eigh(ctx, n, n, MN_LARGEST, hessian, values, vectors));
  positive = positive && values[n - 1] > 1e-10 * values[0];
  for (size_t j = 0; j < n; j++) {
    double variance = positive ? 0 : (double)NAN;
    for (size_t c = 0; positive && c < n; c++) variance += vectors[c * n + j] * vectors[c * n + j] / values[c];
    std_errors[j] = sqrt(variance);
  }
  return MN_OK;
}

/* --- result --- */

mn_status mn_series_store(mn_context *ctx, const mn_series_system *s, double scale, mn_state_space *m)
{
  const size_t d = s->d;
  MN_TRY(mn_state_space_init_states(ctx, m, d));
  MN_TRY(mn_state_space_init_system(ctx, m, d, 1));
  for (size_t i = 0; i < d * d; i++) {
    m->transition_matrix.at[i] = s->f[i];
    m->state_covariance.at[i] = scale * s->q[i];
    m->start_covariance.at[i] = scale * s->cov[i];
  }
  for (size_t i = 0; i < d; i++) {
    m->observation_matrix.at[i] = s->h[i];
    m->state_intercept.at[i] = s->b[i];
    m->start_mean.at[i] = s->mean[i];
    m->diffuse.at[i] = s->diffuse[i];
  }
  m->observation_covariance.at[0] = scale * s->r;
  m->observation_intercept.at[0] = s->c;
  return MN_OK;
}
