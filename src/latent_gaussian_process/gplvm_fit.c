/* Positions and hyperparameters of a GPLVM by L-BFGS, from the principal components.
 *
 * The variables are the positions, or with back constraints C (n x q) with Z = K_b inv(L') C, L L' = K_b + 1e-6 I,
 * where K_b is an RBF kernel of the rows of X; and t with theta = low + (high - low) sigmoid(4 t / (high - low)) for
 * each logarithm of a hyperparameter, which keeps it within its bounds. Lawrence & Quinonero-Candela, ICML (2006). */
#include "../eigen/principal_axes.h"
#include "../gaussian_process/gp_kernel.h"
#include "../kernel/kernel_value.h"
#include "../kernel/prior.h"
#include "../factorization/lapack.h"
#include "../linalg/ordered.h"
#include "../linalg/product.h"
#include "../optim/lbfgs.h"
#include "gplvm.h"
#include <string.h>

struct problem {
  mn_context *ctx;
  struct mn_gplvm *m;
  size_t n, q, free;
  mn_gplvm_groups groups;
  double *low, *high;    /* free: of theta                          */
  double *theta, *slope; /* free: and d theta / dt                  */
  double *z, *by_z;      /* n x q                                   */
  double *chol, *root;   /* n x n, of back constraints: L; K_b inv(L'), or NULL */
};

static void read_theta(struct problem *s, const double *t)
{
  for (size_t j = 0; j < s->free; j++) {
    const double range = s->high[j] - s->low[j], share = 1 / (1 + exp(-4 * t[j] / range));
    s->theta[j] = s->low[j] + range * share;
    s->slope[j] = 4 * share * (1 - share);
  }
  mn_kernel_set_theta(&s->m->fitted_kernel, s->theta);
}

static mn_status read_positions(struct problem *s, const double *v)
{
  if (s->root) return mn_gemm(s->ctx, false, false, s->n, s->q, s->n, 1, s->root, s->n, v, s->q, 0, s->z, s->q);
  memcpy(s->z, v, s->n * s->q * sizeof *v);
  return MN_OK;
}

/* The negative log posterior density and its gradient. */
static double evaluate(void *problem, const double *v, double *gradient)
{
  struct problem *s = problem;
  const size_t size = s->n * s->q;
  double value, *by_theta = gradient + size;
  read_theta(s, v + size);
  if (read_positions(s, v)) return NAN;
  if (mn_gplvm_likelihood(s->ctx, &s->m->fitted_kernel, s->q, s->z, &s->groups, &value, by_theta, s->by_z)) return NAN;
  if (isnan(value)) return NAN;
  s->m->loglike = value;
  mn_kernel_add_priors(&s->m->fitted_kernel, &value, by_theta);
  for (size_t i = 0; s->m->prior == MN_GPLVM_NORMAL && i < size; i++) {
    value -= s->z[i] * s->z[i] / 2;
    s->by_z[i] -= s->z[i];
  }
  for (size_t j = 0; j < s->free; j++) by_theta[j] *= -s->slope[j];
  for (size_t i = 0; i < size; i++) gradient[i] = -s->by_z[i];
  if (s->root && mn_gemm(s->ctx, true, false, s->n, s->q, s->n, -1, s->root, s->n, s->by_z, s->q, 0, gradient, s->q))
    return NAN;
  return -value;
}

static bool note(void *problem, double objective)
{
  struct problem *s = problem;
  return mn_round(s->ctx, &s->m->base.report, s->m->max_iter, objective);
}

mn_status mn_gplvm_find_scale(mn_context *ctx, const char *who, const mn_data *data, bool normalize, double *mean,
                              double *unit)
{
  const size_t n = data->rows, p = data->features;
  double squares = 0, count = 0;
  for (size_t j = 0; j < p; j++) {
    double sum = 0, present = 0;
    for (size_t i = 0; i < n; i++) {
      const double x = mn_row(&data->x, i)[j];
      if (!isnan(x)) sum += (x - sum) / ++present;
    }
    if (!(present > 0)) return mn_fail(ctx, MN_BAD_DATA, "%s: column %zu of X has no values; remove it", who, j + 1);
    for (size_t i = 0; i < n; i++) {
      const double x = mn_row(&data->x, i)[j];
      if (!isnan(x)) squares += (x - sum) * (x - sum);
    }
    mean[j] = sum;
    count += present;
  }
  if (!isfinite(squares)) return mn_fail(ctx, MN_BAD_DATA, "%s: the squares of X overflow; scale the columns", who);
  *unit = normalize && squares > 0 ? sqrt(squares / count) : 1;
  return MN_OK;
}

mn_status mn_gplvm_start_positions(mn_context *ctx, const mn_data *data, const double *center, double unit, size_t q,
                                   double *z)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t n = data->rows, p = data->features;
  double *x = MN_RAW(ctx, double, n, p), *mean = MN_RAW(ctx, double, p, 1), trace;
  double *values = MN_RAW(ctx, double, q, 1), *vectors = MN_RAW(ctx, double, q, p);
  if (!x || !mean || !values || !vectors) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < p; j++) {
      const double value = mn_row(&data->x, i)[j];
      x[i * p + j] = isnan(value) ? 0 : (value - center[j]) / unit;
    }
  MN_TRY(mn_principal_axes(ctx, n, p, x, NULL, q, mean, values, vectors, &trace));
  for (size_t c = 0; c < q; c++)
    for (size_t i = 0; i < n; i++) {
      const double score = mn_ordered_dot(p, x + i * p, vectors + c * p);
      z[i * q + c] = values[c] > 1e-14 * trace ? score / sqrt(values[c]) : 0;
    }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status start_positions(struct problem *s, const mn_data *data)
{
  if (!s->m->start.at) return mn_gplvm_start_positions(s->ctx, data, s->m->mean.at, s->m->unit, s->q, s->z);
  memcpy(s->z, s->m->start.at, s->n * s->q * sizeof *s->z);
  return MN_OK;
}

/* K_b of the rows of X, its root, and C for the positions. */
static mn_status start_back(struct problem *s, const mn_data *data)
{
  const size_t n = s->n, p = data->features;
  static const double jitter = 1e-6;
  double sum = 0;
  size_t pairs = 0;
  s->chol = MN_RAW(s->ctx, double, n, n);
  s->root = MN_NEW(s->ctx, double, n, n);
  if (!s->chol || !s->root) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) {
    mn_ordered_distances2(n, p, data->x.at, mn_row(&data->x, i), s->chol + i * n);
    for (size_t j = 0; j < n; j++) {
      sum += sqrt(s->chol[i * n + j]);
      pairs += s->chol[i * n + j] > 0;
    }
  }
  s->m->back_length = s->m->back_width * (pairs > 0 ? sum / (double)pairs : 1);
  for (size_t i = 0; i < n * n; i++) s->chol[i] = exp(-s->chol[i] / (2 * s->m->back_length * s->m->back_length));
  for (size_t i = 0; i < n; i++) s->chol[i * n + i] += jitter;
  MN_TRY(mn_chol(s->ctx, n, s->chol, NULL));
  for (size_t i = 0; i < n; i++) s->root[i * n + i] = 1;
  MN_TRY(mn_chol_upper(s->ctx, n, n, s->chol, s->root));
  for (size_t i = 0; i < n * n; i++) s->root[i] = s->chol[i] - jitter * s->root[i]; /* K_b inv(L') */
  return MN_OK;
}

static mn_status start(struct problem *s, const mn_data *data, double *v)
{
  const size_t size = s->n * s->q;
  MN_TRY(start_positions(s, data));
  memcpy(v, s->z, size * sizeof *v);
  if (s->m->back_constraints) {
    MN_TRY(start_back(s, data));
    MN_TRY(mn_chol_lower(s->ctx, s->n, s->q, s->chol, v));
  }
  mn_kernel_theta(&s->m->fitted_kernel, s->theta);
  mn_kernel_bounds(&s->m->fitted_kernel, s->low, s->high);
  for (size_t j = 0; j < s->free; j++) {
    const double range = s->high[j] - s->low[j];
    const double share = range > 0 ? fmin(fmax((s->theta[j] - s->low[j]) / range, 1e-4), 1 - 1e-4) : 0.5;
    v[size + j] = log(share / (1 - share)) * range / 4;
  }
  return MN_OK;
}

static mn_status check_arguments(mn_context *ctx, const struct mn_gplvm *m, const mn_data *data)
{
  const size_t n = data->rows, q = (size_t)m->n_components;
  if (q > data->features)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "GPLVM: n_components must be at most the number of columns, %zu, got %zu",
                   data->features, q);
  if (m->start.at && (m->start.rows != n || m->start.cols != q))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "GPLVM: start must be rows x n_components = %zu x %zu, got %zu x %zu", n, q,
                   m->start.rows, m->start.cols);
  if (n > (uint64_t)m->max_rows)
    return mn_fail(ctx, MN_BAD_DATA,
                   "GPLVM: X must have at most max_rows = %lld rows, got %zu, whose kernel matrix takes %.3g GB five "
                   "times; use BayesianGPLVM, or raise max_rows",
                   (long long)m->max_rows, n, 8e-9 * (double)n * (double)n);
  for (size_t i = 0; m->back_constraints && i < n * data->features; i++)
    if (isnan(data->x.at[i]))
      return mn_fail(ctx, MN_BAD_DATA, "GPLVM: back_constraints require X without missing values, got NaN in row %zu",
                     i / data->features + 1);
  return MN_OK;
}

/* The kernel as a value for positions of q columns. */
static mn_status resolve_kernel(struct problem *s)
{
  mn_data positions = { .x = { .at = s->z, .rows = s->n, .cols = s->q }, .rows = s->n, .features = s->q };
  mn_estimator unnamed = s->m->base;
  unnamed.feature_names = (mn_names){ 0 };
  MN_TRY(mn_gp_kernel_resolve(s->ctx, &unnamed, &s->m->kernel, true, &positions, &s->m->fitted_kernel));
  if (mn_kernel_has_values(&s->m->fitted_kernel)) return MN_OK;
  return mn_fail(s->ctx, MN_BAD_ARGUMENT, "GPLVM: kernel must not be a function, since it needs derivatives");
}

static mn_status prepare(mn_context *ctx, struct mn_gplvm *m, const mn_data *data, struct problem *s)
{
  *s = (struct problem){ .ctx = ctx, .m = m, .n = data->rows, .q = (size_t)m->n_components };
  MN_TRY(check_arguments(ctx, m, data));
  MN_TRY(mn_vector_init(ctx, &m->mean, data->features));
  MN_TRY(mn_gplvm_find_scale(ctx, "GPLVM", data, m->normalize, m->mean.at, &m->unit));
  MN_TRY(mn_gplvm_make_groups(ctx, s->n, data->features, data->x.at, m->mean.at, m->unit, &s->groups));
  s->z = MN_RAW(ctx, double, s->n, s->q);
  s->by_z = MN_RAW(ctx, double, s->n, s->q);
  if (!s->z || !s->by_z) return MN_NO_MEMORY;
  MN_TRY(start_positions(s, data));
  MN_TRY(resolve_kernel(s));
  s->free = mn_kernel_free_count(&m->fitted_kernel);
  s->low = MN_RAW(ctx, double, s->free, 1);
  s->high = MN_RAW(ctx, double, s->free, 1);
  s->theta = MN_RAW(ctx, double, s->free, 1);
  s->slope = MN_RAW(ctx, double, s->free, 1);
  return s->low && s->high && s->theta && s->slope ? MN_OK : MN_NO_MEMORY;
}

static mn_status store(struct problem *s, const mn_data *data, const double *v)
{
  struct mn_gplvm *m = s->m;
  MN_TRY(mn_matrix_init(s->ctx, &m->embedding, s->n, s->q));
  MN_TRY(mn_matrix_init(s->ctx, &m->training_rows, s->n, data->features));
  memcpy(m->embedding.at, s->z, s->n * s->q * sizeof *s->z);
  memcpy(m->training_rows.at, data->x.at, s->n * data->features * sizeof *data->x.at);
  m->loglike -= s->groups.values * log(m->unit);
  if (!s->root) return MN_OK;
  MN_TRY(mn_matrix_init(s->ctx, &m->back_coef, s->n, s->q));
  memcpy(m->back_coef.at, v, s->n * s->q * sizeof *v);
  return mn_chol_upper(s->ctx, s->n, s->q, s->chol, m->back_coef.at);
}

/* All rows determine a hyperparameter and one row a position, so the curvature along hyperparameters is larger. Without
 * this guess, L-BFGS needs 3 times as many iterations on 500 rows of 784 columns. */
static const double first_scale = 0.02;

mn_status mn_gplvm_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_gplvm *m = self;
  struct problem s;
  mn_lbfgs_report found;
  MN_TRY(prepare(ctx, m, data, &s));
  const size_t variables = s.n * s.q + s.free;
  double *v = MN_RAW(ctx, double, 2, variables);
  MN_CHECK_ALLOC(v);
  MN_TRY(start(&s, data, v));
  m->base.report = (mn_report){ .advice = "increase max_iter or tol" };
  const mn_lbfgs_options options = { .max_iter = (size_t)m->max_iter,
                                     .gradient_tolerance = 1e-6,
                                     .objective_tolerance = m->tol,
                                     .history = 20,
                                     .leading = s.n * s.q,
                                     .rest_scale = first_scale,
                                     .note = note };
  MN_TRY(mn_lbfgs(ctx, variables, v, evaluate, &s, &options, &found));
  const double objective = evaluate(&s, v, v + variables); /* at the best point */
  MN_TRY(mn_error_status(ctx));
  if (m->base.report.n_iter == 0) note(&s, objective);
  m->base.report.converged = found.converged;
  m->base.report.change = found.gradient_norm;
  MN_TRY(mn_error_status(ctx));
  return store(&s, data, v);
}
