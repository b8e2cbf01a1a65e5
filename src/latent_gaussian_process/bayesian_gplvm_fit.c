/* Fit of a Bayesian GPLVM by L-BFGS, its predictions, and positions of new rows. */
#include "../core/rng.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "../optim/lbfgs.h"
#include "bayesian_gplvm.h"
#include <string.h>

struct search {
  mn_context *ctx;
  struct mn_bayesian_gplvm *m;
  mn_psi_problem psi;
};

/* Variables whose exponentials would overflow are not tried. */
static const double largest_log = 40;

static double evaluate(void *problem, const double *v, double *gradient)
{
  struct search *s = problem;
  const mn_psi_layout *at = &s->psi.at;
  double value;
  for (size_t i = at->log_s; i < at->size; i++)
    if ((i < at->z || i >= at->log_signal) && !(fabs(v[i]) <= largest_log)) return NAN;
  if (mn_psi_bound(s->ctx, &s->psi, v, &value, gradient)) return NAN;
  for (size_t i = 0; i < at->size; i++) gradient[i] = -gradient[i];
  return -value;
}

static bool note(void *problem, double objective)
{
  struct search *s = problem;
  return mn_round(s->ctx, &s->m->base.report, s->m->max_iter, objective);
}

void mn_psi_variables(const struct mn_bayesian_gplvm *m, const mn_psi_layout *at, double *v)
{
  memcpy(v, m->embedding.at, at->n * at->q * sizeof *v);
  for (size_t i = 0; i < at->n * at->q; i++) v[at->log_s + i] = log(m->embedding_variance.at[i]);
  memcpy(v + at->z, m->inducing.at, at->m * at->q * sizeof *v);
  v[at->log_signal] = log(m->signal);
  for (size_t c = 0; c < at->q; c++) v[at->log_relevance + c] = log(m->relevance.at[c]);
  v[at->log_noise] = log(m->noise);
}

/* Positions at the principal components with variance 0.1, some of them as inducing positions; signal and relevances 1,
 * noise 0.1. */
static mn_status start(struct search *s, const mn_data *data, double *v)
{
  const mn_psi_layout *at = &s->psi.at;
  const struct mn_bayesian_gplvm *m = s->m;
  size_t *order = MN_RAW(s->ctx, size_t, at->n, 1);
  mn_rng rng = mn_stream(0, 0);
  MN_CHECK_ALLOC(order);
  if (m->start.at)
    memcpy(v, m->start.at, at->n * at->q * sizeof *v);
  else
    MN_TRY(mn_gplvm_start_positions(s->ctx, data, m->mean.at, m->unit, at->q, v));
  for (size_t i = 0; i < at->n * at->q; i++) v[at->log_s + i] = log(0.1);
  for (size_t i = 0; i < at->n; i++) order[i] = i;
  mn_shuffle(&rng, order, at->n);
  for (size_t a = 0; a < at->m; a++) memcpy(v + at->z + a * at->q, v + order[a] * at->q, at->q * sizeof *v);
  for (size_t i = at->log_signal; i < at->size; i++) v[i] = 0;
  v[at->log_noise] = log(0.1);
  return MN_OK;
}

static mn_status store(struct search *s, const mn_data *data, const double *v, double objective)
{
  const mn_psi_layout *at = &s->psi.at;
  struct mn_bayesian_gplvm *m = s->m;
  MN_TRY(mn_matrix_init(s->ctx, &m->embedding, at->n, at->q));
  MN_TRY(mn_matrix_init(s->ctx, &m->embedding_variance, at->n, at->q));
  MN_TRY(mn_matrix_init(s->ctx, &m->inducing, at->m, at->q));
  MN_TRY(mn_vector_init(s->ctx, &m->relevance, at->q));
  MN_TRY(mn_matrix_init(s->ctx, &m->training_rows, at->n, data->features));
  memcpy(m->training_rows.at, data->x.at, at->n * data->features * sizeof *v);
  memcpy(m->embedding.at, v, at->n * at->q * sizeof *v);
  memcpy(m->inducing.at, v + at->z, at->m * at->q * sizeof *v);
  for (size_t i = 0; i < at->n * at->q; i++) m->embedding_variance.at[i] = exp(v[at->log_s + i]);
  for (size_t c = 0; c < at->q; c++) m->relevance.at[c] = exp(v[at->log_relevance + c]);
  m->signal = exp(v[at->log_signal]);
  m->noise = exp(v[at->log_noise]);
  m->lower_bound = -objective - s->psi.values * log(m->unit);
  return MN_OK;
}

static size_t count_components(const struct mn_bayesian_gplvm *m, size_t features)
{
  enum { MOST = 10 };
  if (m->n_components != MN_UNSET) return (size_t)m->n_components;
  return features < MOST ? features : MOST;
}

static mn_status check_arguments(mn_context *ctx, const struct mn_bayesian_gplvm *m, const mn_data *data)
{
  const size_t n = data->rows, q = count_components(m, data->features);
  if (q > data->features)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "BayesianGPLVM: n_components must be at most the number of columns, %zu, got %zu", data->features,
                   q);
  if (m->start.at && (m->start.rows != n || m->start.cols != q))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "BayesianGPLVM: start must be rows x n_components = %zu x %zu, got %zu x %zu",
                   n, q, m->start.rows, m->start.cols);
  return MN_OK;
}

mn_status mn_bayesian_gplvm_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_bayesian_gplvm *m = self;
  struct search s = { .ctx = ctx, .m = m };
  const size_t inducing = (size_t)m->n_inducing < data->rows ? (size_t)m->n_inducing : data->rows;
  mn_lbfgs_report found;
  MN_TRY(check_arguments(ctx, m, data));
  MN_TRY(mn_vector_init(ctx, &m->mean, data->features));
  MN_TRY(mn_gplvm_find_scale(ctx, "BayesianGPLVM", data, m->normalize, m->mean.at, &m->unit));
  MN_TRY(
      mn_psi_problem_init(ctx, &data->x, m->mean.at, m->unit, count_components(m, data->features), inducing, &s.psi));
  double *v = MN_RAW(ctx, double, s.psi.at.size, 1);
  MN_CHECK_ALLOC(v);
  MN_TRY(start(&s, data, v));
  m->base.report = (mn_report){ .advice = "increase max_iter or tol" };
  const mn_lbfgs_options options = { .max_iter = (size_t)m->max_iter,
                                     .gradient_tolerance = 1e-6,
                                     .objective_tolerance = m->tol,
                                     .history = 20,
                                     .note = note };
  MN_TRY(mn_lbfgs(ctx, s.psi.at.size, v, evaluate, &s, &options, &found));
  if (m->base.report.n_iter == 0) note(&s, found.objective);
  m->base.report.converged = found.converged;
  m->base.report.change = found.gradient_norm;
  MN_TRY(mn_error_status(ctx));
  return store(&s, data, v, found.objective);
}

/* --- predictions --- */

/* The model at a position: mean of column j is b k' e_j, the variance of group g is signal - k' (inv(K) - inv(A_g)) k
 * + noise, for the kernel values k of the inducing positions. */
struct predictor {
  const struct mn_bayesian_gplvm *m;
  mn_psi_problem psi;
  double *k, *solved; /* inducing                       */
  double *mean;       /* features                       */
  double *variance;   /* groups                         */
  const double *x;    /* row to be placed               */
};

static mn_status make_predictor(mn_context *ctx, const struct mn_bayesian_gplvm *m, struct predictor *f)
{
  const size_t q = m->inducing.cols, count = m->inducing.rows;
  double value;
  *f = (struct predictor){ .m = m };
  MN_TRY(mn_psi_problem_init(ctx, &m->training_rows, m->mean.at, m->unit, q, count, &f->psi));
  double *v = MN_RAW(ctx, double, f->psi.at.size, 1);
  f->k = MN_RAW(ctx, double, count, 1);
  f->solved = MN_RAW(ctx, double, count, 1);
  f->mean = MN_RAW(ctx, double, f->psi.p, 1);
  f->variance = MN_RAW(ctx, double, f->psi.p, 1);
  if (!v || !f->k || !f->solved || !f->mean || !f->variance) return MN_NO_MEMORY;
  mn_psi_variables(m, &f->psi.at, v);
  MN_TRY(mn_psi_bound(ctx, &f->psi, v, &value, NULL));
  if (!isnan(value)) return MN_OK;
  return mn_fail(ctx, MN_SINGULAR,
                 "BayesianGPLVM: the kernel matrix of the inducing positions is singular; decrease "
                 "n_inducing");
}

static void find_values(struct predictor *f, const double *z)
{
  const struct mn_bayesian_gplvm *m = f->m;
  for (size_t a = 0; a < m->inducing.rows; a++) {
    double distance = 0;
    for (size_t c = 0; c < m->inducing.cols; c++) {
      const double d = z[c] - mn_row(&m->inducing, a)[c];
      distance += m->relevance.at[c] * d * d;
    }
    f->k[a] = m->signal * exp(-distance / 2);
  }
}

/* (inv(K) - inv(A_g)) k */
static void solve_group(struct predictor *f, size_t g)
{
  const size_t m = f->psi.at.m;
  memset(f->solved, 0, m * sizeof *f->solved);
  for (size_t a = 0; a < m; a++)
    for (size_t b = 0; b < m; b++)
      f->solved[b] += f->k[a] * (f->psi.k_inverse[a * m + b] - f->psi.a_inverse[(g * m + a) * m + b]);
}

static void predict_at(struct predictor *f, const double *z)
{
  const size_t m = f->psi.at.m, p = f->psi.p;
  find_values(f, z);
  memset(f->mean, 0, p * sizeof *f->mean);
  for (size_t a = 0; a < m; a++)
    for (size_t j = 0; j < p; j++) f->mean[j] += f->k[a] / f->m->noise * f->psi.e[a * p + j];
  for (size_t g = 0; g < f->psi.groups; g++) {
    solve_group(f, g);
    f->variance[g] = f->m->signal + f->m->noise;
    for (size_t a = 0; a < m; a++) f->variance[g] -= f->solved[a] * f->k[a];
    f->variance[g] = fmax(f->variance[g], f->m->noise);
  }
}

mn_status mn_bayesian_gplvm_predict(mn_context *ctx, const struct mn_bayesian_gplvm *m, size_t n, const double *z,
                                    double *mean, double *variance)
{
  struct predictor f;
  const size_t p = m->training_rows.cols;
  MN_TRY(make_predictor(ctx, m, &f));
  for (size_t i = 0; i < n; i++) {
    predict_at(&f, z + i * m->inducing.cols);
    for (size_t j = 0; j < p; j++) {
      mean[i * p + j] = m->mean.at[j] + m->unit * f.mean[j];
      if (variance) variance[i * p + j] = m->unit * m->unit * f.variance[f.psi.group[j]];
    }
    if (i % 256 == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* --- new rows --- */

/* The negative log density of the row at z with its prior, and its gradient. */
static double row_objective(void *problem, const double *z, double *gradient)
{
  struct predictor *f = problem;
  const struct mn_bayesian_gplvm *model = f->m;
  const size_t m = f->psi.at.m, p = f->psi.p, q = model->inducing.cols;
  double value = 0;
  predict_at(f, z);
  memset(gradient, 0, q * sizeof *gradient);
  for (size_t g = 0; g < f->psi.groups; g++) {
    const double v = f->variance[g];
    double by_variance = 0;
    solve_group(f, g);
    for (size_t j = 0; j < p; j++) {
      if (f->psi.group[j] != g || isnan(f->x[j])) continue;
      const double error = (f->x[j] - model->mean.at[j]) / model->unit - f->mean[j];
      value += (log(v) + error * error / v) / 2;
      by_variance += (1 / v - error * error / (v * v)) / 2;
      for (size_t a = 0; a < m; a++)
        for (size_t c = 0; c < q; c++)
          gradient[c] += error / v / model->noise * f->psi.e[a * p + j] * f->k[a] * model->relevance.at[c] *
                         (z[c] - mn_row(&model->inducing, a)[c]);
    }
    if (!(v > model->noise)) by_variance = 0;
    for (size_t a = 0; a < m; a++)
      for (size_t c = 0; c < q; c++)
        gradient[c] +=
            2 * by_variance * f->solved[a] * f->k[a] * model->relevance.at[c] * (z[c] - mn_row(&model->inducing, a)[c]);
  }
  for (size_t c = 0; c < q; c++) {
    value += z[c] * z[c] / 2;
    gradient[c] += z[c];
  }
  return value;
}

/* The better of the origin and the position of the nearest training row. */
static void choose_start(struct predictor *f, double *gradient, double *z)
{
  const struct mn_bayesian_gplvm *m = f->m;
  const size_t p = f->psi.p, q = m->inducing.cols;
  double least = INFINITY;
  size_t nearest = 0;
  for (size_t i = 0; i < m->training_rows.rows; i++) {
    double sum = 0, count = 0;
    for (size_t j = 0; j < p; j++) {
      const double d = f->x[j] - mn_row(&m->training_rows, i)[j];
      if (isnan(d)) continue;
      sum += d * d;
      count++;
    }
    if (!(count > 0 && sum / count < least)) continue;
    least = sum / count;
    nearest = i;
  }
  memset(z, 0, q * sizeof *z);
  if (isinf(least)) return;
  const double *there = mn_row(&m->embedding, nearest);
  if (row_objective(f, there, gradient) < row_objective(f, z, gradient)) memcpy(z, there, q * sizeof *z);
}

mn_status mn_bayesian_gplvm_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct mn_bayesian_gplvm *m = self;
  const size_t q = m->inducing.cols;
  struct predictor f;
  double *gradient = MN_RAW(ctx, double, q, 1);
  MN_CHECK_ALLOC(gradient);
  MN_TRY(make_predictor(ctx, m, &f));
  const mn_lbfgs_options options = { .max_iter = 50, .gradient_tolerance = 1e-7, .objective_tolerance = 1e-10 };
  for (size_t i = 0; i < data->rows; i++) {
    const mn_mark mark = mn_scratch_mark(ctx);
    mn_lbfgs_report report;
    f.x = mn_row(&data->x, i);
    choose_start(&f, gradient, mn_row(out, i));
    MN_TRY(mn_lbfgs(ctx, q, mn_row(out, i), row_objective, &f, &options, &report));
    mn_scratch_release(ctx, mark);
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}
