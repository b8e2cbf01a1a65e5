/* Gaussian process regression of many rows by nearest neighbors: gp_vecchia.h. */
#include "../gaussian_process/gp_kernel.h"
#include "../kernel/kernel_value.h"
#include "../kernel/prior.h"
#include "../gaussian_process/gp_params.h"
#include "../gaussian_process/gp_report.h"
#include "../gaussian_process/gp_uncertainty.h"
#include "gp_vecchia.h"
#include <math.h>
#include <string.h>

static const char *const orders[] = { "maxmin", "random", "coordinate", NULL };

struct vecchia {
  mn_estimator base;
  mn_kernel kernel; /* parameters */
  double alpha, tol;
  int64_t n_neighbors, n_predict_neighbors, order, mean, optimizer, n_restarts, max_iter, seed;
  bool normalize_y;
  mn_kernel fitted_kernel;           /* learned */
  mn_matrix x;                       /* rows x features, in the order of the conditioning */
  mn_matrix y;                       /* rows x targets, normalized                        */
  mn_matrix mean_coef;               /* columns of the mean function x targets            */
  mn_matrix precision;               /* the factor of H' inv(A) H, or empty               */
  mn_vector y_mean, y_scale, spread; /* spread: units of the columns in distances */
  double log_likelihood, jitter;
  mn_matrix scaled;    /* derived: x / spread                     */
  mn_indexes neighbor; /* derived: rows x neighbors, -1 for none */
};

/* Neighbors of a row of the fit, at least 1, and of a new one. */
static size_t neighbors_of(const struct vecchia *m)
{
  const size_t n = m->x.rows, k = (size_t)m->n_neighbors;
  return n > 1 && k >= n ? n - 1 : n > 1 ? k : 1;
}

static size_t predict_neighbors_of(const struct vecchia *m)
{
  const size_t wanted = (size_t)(m->n_predict_neighbors == MN_UNSET ? 2 * m->n_neighbors : m->n_predict_neighbors);
  return wanted < m->x.rows ? wanted : m->x.rows;
}

/* --- fit --- */

static mn_status scale_rows(mn_context *ctx, const mn_vector *spread, const mn_matrix *x, double **out)
{
  *out = MN_RAW(ctx, double, x->rows, x->cols);
  MN_CHECK_ALLOC(*out);
  for (size_t i = 0; i < x->rows; i++)
    for (size_t j = 0; j < x->cols; j++) (*out)[i * x->cols + j] = mn_row(x, i)[j] / spread->at[j];
  return MN_OK;
}

/* Standard deviations, 1 for constant columns. */
static mn_status find_spread(mn_context *ctx, struct vecchia *m, const mn_data *data)
{
  MN_TRY(mn_vector_init(ctx, &m->spread, data->features));
  for (size_t j = 0; j < data->features; j++) {
    double mean = 0, square = 0;
    for (size_t i = 0; i < data->rows; i++) mean += (mn_row(&data->x, i)[j] - mean) / (double)(i + 1);
    for (size_t i = 0; i < data->rows; i++) {
      const double z = mn_row(&data->x, i)[j] - mean;
      square += z * z / (double)data->rows;
    }
    m->spread.at[j] = square > 0 && isfinite(square) ? sqrt(square) : 1;
  }
  return MN_OK;
}

static mn_status store_rows(mn_context *ctx, struct vecchia *m, const mn_data *data)
{
  const size_t n = data->rows, d = data->features, q = data->y.cols;
  size_t *order = MN_RAW(ctx, size_t, n, 1);
  double *y, *scaled;
  MN_CHECK_ALLOC(order);
  MN_TRY(mn_gp_find_units(ctx, data, m->normalize_y, &m->y_mean, &m->y_scale));
  MN_TRY(mn_gp_to_units(ctx, m->base.class->name, data, &m->y_mean, &m->y_scale, &y));
  MN_TRY(find_spread(ctx, m, data));
  MN_TRY(scale_rows(ctx, &m->spread, &data->x, &scaled));
  MN_TRY(mn_vecchia_find_order(ctx, (mn_vecchia_order)m->order, n, d, scaled, m->seed, order));
  MN_TRY(mn_matrix_init(ctx, &m->x, n, d));
  MN_TRY(mn_matrix_init(ctx, &m->y, n, q));
  for (size_t i = 0; i < n; i++) {
    memcpy(mn_row(&m->x, i), mn_row(&data->x, order[i]), d * sizeof(double));
    memcpy(mn_row(&m->y, i), y + order[i] * q, q * sizeof(double));
  }
  return MN_OK;
}

static mn_status derive(mn_context *ctx, void *self)
{
  struct vecchia *m = self;
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t n = m->x.rows, d = m->x.cols, k = neighbors_of(m);
  double *scaled;
  MN_TRY(scale_rows(ctx, &m->spread, &m->x, &scaled));
  MN_TRY(mn_matrix_init(ctx, &m->scaled, n, d));
  memcpy(m->scaled.at, scaled, n * d * sizeof *scaled);
  MN_TRY(mn_indexes_init(ctx, &m->neighbor, n * k));
  MN_TRY(mn_vecchia_neighbors(ctx, n, d, scaled, n, NULL, k, m->neighbor.at));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* The columns [y h] of the rows. */
static mn_status problem_of(mn_context *ctx, const struct vecchia *m, mn_vecchia_problem *p)
{
  const size_t n = m->x.rows, d = m->x.cols, q = m->y.cols, c = q + mn_gp_mean_columns((mn_gp_mean)m->mean, d);
  double *r = MN_RAW(ctx, double, n, c);
  MN_CHECK_ALLOC(r);
  for (size_t i = 0; i < n; i++) {
    memcpy(r + i * c, mn_row(&m->y, i), q * sizeof *r);
    mn_gp_mean_row((mn_gp_mean)m->mean, d, mn_row(&m->x, i), r + i * c + q);
  }
  *p = (mn_vecchia_problem){ .rows = { .n = n, .d = d, .x = m->x.at },
                             .q = q,
                             .columns = c,
                             .r = r,
                             .m = neighbors_of(m),
                             .neighbor = m->neighbor.at,
                             .noise = m->alpha };
  return MN_OK;
}

struct target {
  const mn_kernel *kernel;
  const mn_vecchia_problem *problem;
};

struct workspace {
  mn_kernel kernel; /* a copy whose hyperparameters change */
  const mn_vecchia_problem *problem;
  mn_vecchia_state state;
};

static mn_status prepare(mn_context *ctx, const void *problem, void **out)
{
  const struct target *t = problem;
  struct workspace *w = MN_NEW(ctx, struct workspace, 1, 1);
  MN_CHECK_ALLOC(w);
  *out = w;
  w->problem = t->problem;
  MN_TRY(mn_vecchia_new(ctx, t->problem, &w->state));
  return mn_kernel_scratch_copy(ctx, t->kernel, &w->kernel);
}

static mn_status evaluate(mn_context *ctx, void *workspace, const double *theta, double *value, double *gradient)
{
  struct workspace *w = workspace;
  mn_kernel_set_theta(&w->kernel, theta);
  MN_TRY(mn_vecchia_evaluate(ctx, &w->kernel, w->problem, &w->state, gradient));
  *value = w->state.log_likelihood;
  mn_kernel_add_priors(&w->kernel, value, gradient);
  return MN_OK;
}

static mn_status optimize(mn_context *ctx, struct vecchia *m, const mn_vecchia_problem *p)
{
  static const size_t one_at_a_time = (size_t)1 << 40; /* rows run in parallel, not searches */
  const struct target problem = { &m->fitted_kernel, p };
  const mn_gp_target target = { .k = mn_kernel_free_count(&m->fitted_kernel),
                                .problem = &problem,
                                .workspace_bytes = one_at_a_time,
                                .prepare = prepare,
                                .evaluate = evaluate };
  mn_gp_rounds rounds = { ctx, &m->base.report, m->max_iter };
  mn_gp_search search = { .restarts = (size_t)m->n_restarts,
                          .max_iter = (size_t)m->max_iter,
                          .tol = m->tol,
                          .seed = m->seed,
                          .note = mn_gp_note_round,
                          .user = &rounds };
  MN_TRY(mn_gp_maximize_kernel(ctx, &target, &search, &m->fitted_kernel));
  mn_gp_report_search(&search, &m->base.report);
  return MN_OK;
}

static mn_status finish(mn_context *ctx, struct vecchia *m, const mn_vecchia_problem *p)
{
  const size_t q = p->q, h = p->columns - q;
  mn_vecchia_state s;
  MN_TRY(mn_vecchia_new(ctx, p, &s));
  MN_TRY(mn_vecchia_evaluate(ctx, &m->fitted_kernel, p, &s, NULL));
  if (!isfinite(s.log_likelihood))
    return mn_fail(ctx, MN_SINGULAR,
                   "%s: a kernel matrix of neighbors is not positive definite, or the columns of the mean function are "
                   "collinear; add ml.kernel.White to the kernel, or raise alpha",
                   m->base.class->name);
  m->log_likelihood = s.log_likelihood;
  m->jitter = s.jitter;
  m->base.report.objective = -s.log_likelihood;
  if (h == 0) return MN_OK;
  MN_TRY(mn_matrix_init(ctx, &m->mean_coef, h, q));
  MN_TRY(mn_matrix_init(ctx, &m->precision, h, h));
  memcpy(m->mean_coef.at, s.b, h * q * sizeof(double));
  memcpy(m->precision.at, s.precision, h * h * sizeof(double));
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct vecchia *m = self;
  mn_vecchia_problem p;
  MN_TRY(mn_gp_kernel_resolve(ctx, &m->base, &m->kernel, true, data, &m->fitted_kernel));
  if (!mn_kernel_has_values(&m->fitted_kernel))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: kernel must not be a Lua function; use GaussianProcessRegressor",
                   m->base.class->name);
  MN_TRY(store_rows(ctx, m, data));
  MN_TRY(derive(ctx, m));
  MN_TRY(problem_of(ctx, m, &p));
  m->base.report = (mn_report){ .converged = true, .advice = "raise max_iter, or widen the bounds of the kernel" };
  if (m->optimizer == MN_GP_BFGS && mn_kernel_free_count(&m->fitted_kernel) > 0) MN_TRY(optimize(ctx, m, &p));
  if (m->base.report.n_iter < 1) m->base.report.n_iter = 1;
  return finish(ctx, m, &p);
}

/* After loading: what the shapes of the fields cannot express. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct vecchia *m = self;
  const size_t h = mn_gp_mean_columns((mn_gp_mean)m->mean, m->x.cols);
  bool positive = m->spread.size == m->x.cols;
  for (size_t j = 0; j < m->spread.size; j++) positive = positive && m->spread.at[j] > 0;
  if (!positive || m->x.rows == 0 || m->fitted_kernel.nodes == 0 || !mn_kernel_has_values(&m->fitted_kernel) ||
      m->mean_coef.rows != h || m->precision.rows != h || m->precision.cols != h ||
      (m->mean_coef.at && m->mean_coef.cols != m->y.cols))
    return mn_fail(ctx, MN_BAD_FILE, "%s: the archive has parts that do not fit together", m->base.class->name);
  return mn_kernel_check(ctx, m->base.class->name, &m->fitted_kernel, m->x.cols);
}

/* --- predictions --- */

/* Means of the function (rows x targets) without units, and variances of the function and of the noise; each unless
 * NULL. */
static mn_status predict_at(mn_context *ctx, const struct vecchia *m, const mn_data *data, double *means,
                            double *function, double *noise)
{
  const size_t rows = data->rows, d = m->x.cols, q = m->y.cols, h = m->mean_coef.rows, c = q + h,
               k = predict_neighbors_of(m);
  const mn_kernel_rows at = mn_kernel_rows_of(data);
  mn_vecchia_problem p;
  double *scaled, *found = MN_RAW(ctx, double, rows, c), *variance = MN_RAW(ctx, double, rows, 1),
                  *basis = MN_RAW(ctx, double, h + 1, 1), *prior = MN_RAW(ctx, double, rows, 1);
  int32_t *neighbor = MN_RAW(ctx, int32_t, rows, k);
  if (!found || !variance || !basis || !prior || !neighbor) return MN_NO_MEMORY;
  MN_TRY(scale_rows(ctx, &m->spread, &data->x, &scaled));
  MN_TRY(mn_vecchia_neighbors(ctx, m->x.rows, d, m->scaled.at, rows, scaled, k, neighbor));
  MN_TRY(problem_of(ctx, m, &p));
  p.m = k;
  p.neighbor = neighbor;
  MN_TRY(mn_vecchia_predict(ctx, &m->fitted_kernel, &p, &at, found, variance));
  if (noise) MN_TRY(mn_kernel_diagonal_parts(ctx, &m->fitted_kernel, &at, prior, noise));
  for (size_t i = 0; i < rows; i++) {
    for (size_t t = 0; means && t < q; t++) {
      means[i * q + t] = found[i * c + t];
      for (size_t j = 0; j < h; j++) means[i * q + t] -= found[i * c + q + j] * mn_row(&m->mean_coef, j)[t];
    }
    if (!function) continue;
    noise[i] += m->alpha;
    function[i] = fmax(variance[i] - noise[i], 0);
    mn_gp_mean_row((mn_gp_mean)m->mean, d, mn_row(&data->x, i), basis);
    for (size_t j = 0; j < h; j++) basis[j] -= found[i * c + q + j];
    function[i] += mn_gp_mean_variance(&m->precision, basis);
  }
  return MN_OK;
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct vecchia *m = self;
  const mn_gp_mean_model mean = MN_GP_MEAN_OF(m, m->mean);
  MN_TRY(predict_at(ctx, m, data, out->at, NULL, NULL));
  return mn_gp_finish_means(ctx, &mean, data, out);
}

static mn_status variances(mn_context *ctx, const void *self, const mn_data *data, double *function, double *noise)
{
  return predict_at(ctx, self, data, NULL, function, noise);
}

static mn_gp_predictor predictor_of(const struct vecchia *m)
{
  return (mn_gp_predictor){
    .model = &m->base, .targets = m->y.cols, .scale = m->y_scale.at[0], .predict = predict, .variances = variances
  };
}

MN_GP_WITH_PREDICTOR(predict_interval, mn_gp_predict_interval, predictor_of)
MN_GP_WITH_PREDICTOR(intervals, mn_gp_intervals, predictor_of)

static mn_status log_marginal_likelihood(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                         mn_results *results)
{
  const struct vecchia *m = self;
  mn_kernel kernel;
  mn_vecchia_problem p;
  mn_vecchia_state s;
  double *gradient;
  (void)data;
  MN_TRY(mn_gp_start_likelihood(ctx, &m->base, &m->fitted_kernel, options, results, &kernel, &gradient));
  MN_TRY(problem_of(ctx, m, &p));
  MN_TRY(mn_vecchia_new(ctx, &p, &s));
  MN_TRY(mn_vecchia_evaluate(ctx, &kernel, &p, &s, gradient));
  mn_result_real(results, "value", s.log_likelihood);
  return MN_OK;
}

static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  const struct vecchia *m = self;
  const mn_gp_account account = MN_GP_ACCOUNT(
      m, "approximate log marginal likelihood", .rows = { .n = m->x.rows, .d = m->x.cols, .x = m->x.at },
      .row_name = "row", .x = &m->x, .y = &m->y, .mean = (mn_gp_mean)m->mean, .jitter = m->jitter, .noise = m->alpha);
  (void)data;
  (void)options;
  return mn_gp_summarize(ctx, &account, results);
}

static const mn_operation operations[] = {
  MN_PREDICT_INTERVAL(", of a new observation", predict_interval),
  MN_GP_INTERVALS(intervals),
  MN_GP_LIKELIHOOD(log_marginal_likelihood),
  MN_GP_SUMMARY(summary),
  { .name = NULL },
};

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)action;
  (void)program;
  return mn_cannot_export(ctx, self, "its predictions need a search among the training rows");
}

static const mn_param params[] = {
  MN_GP_KERNEL(struct vecchia),
  MN_COUNT(struct vecchia, n_neighbors, 30, MN_CLOSED(1, 100000),
           "number of earlier rows on which each row is conditioned; at most rows - 1"),
  MN_COUNT(struct vecchia, n_predict_neighbors, MN_UNSET, MN_CLOSED(1, 200000),
           "number of nearest training rows that a prediction uses; nil: twice n_neighbors; at most all rows"),
  MN_CHOICE(struct vecchia, order, MN_VECCHIA_MAXMIN, orders,
            "order of the rows. maxmin: each as far as possible from those before it; random: by seed; coordinate: by "
            "the sum of the columns"),
  MN_GP_ALPHA(struct vecchia, 0),
  MN_GP_MEAN(struct vecchia),
  MN_GP_NORMALIZE(struct vecchia),
  MN_GP_OPTIMIZER(struct vecchia, "likelihood"),
  MN_GP_RESTARTS(struct vecchia),
  MN_GP_TOL(struct vecchia, 1e-5),
  MN_GP_MAX_ITER(struct vecchia),
  MN_SEED(struct vecchia, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_GP_FITTED_KERNEL(struct vecchia),
  MN_NUMBER(struct vecchia, log_likelihood, "approximate log likelihood of y (normalized), summed over the targets"),
  MN_NUMBER(struct vecchia, jitter, "largest variance added to a matrix of neighbors that was singular; 0: none"),
  MN_GP_MEAN_COEF(struct vecchia),
  MN_LEARNED(MN_KIND_MATRIX, struct vecchia, x, "rows x features", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct vecchia, y, "rows x targets", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct vecchia, precision, "columns? x columns?", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct vecchia, y_mean, "targets", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct vecchia, y_scale, "targets", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct vecchia, spread, "features", NULL),
  MN_DERIVED(MN_KIND_MATRIX, struct vecchia, scaled),
  MN_DERIVED(MN_KIND_INDEXES, struct vecchia, neighbor),
  MN_END,
};

const mn_class mn_vecchia_gaussian_process_regressor = {
  .name = "VecchiaGaussianProcessRegressor",
  .family = "gaussian process",
  .brief = "Gaussian process regression of many rows through nearest neighbors.",
  .objective = "maximize sum_i log p(y_i | y_N(i)), N(i) the nearest rows before row i",
  .source = "Vecchia, JRSS B 50 (1988); Guinness, Technometrics 60 (2018)",
  .notes =
      "Time O(n m^3) an iteration, memory O(n m), for m = n_neighbors; order maxmin and the search for neighbors take "
      "O(n^2) time, once. Distances are Euclidean, of columns divided by their standard deviations. With n - 1 neighbors "
      "the results are those of GaussianProcessRegressor. It follows short lengths, where "
      "SparseGaussianProcessRegressor needs many inducing inputs; neighboring predictions may differ by small jumps.",
  .example = "local X = ml.random(400, 2, 1)\n"
             "local y = (X:col(1) * 9):sin() + X:col(2) + ml.normal(400, 1, 2):col(1) * 0.1\n"
             "local model = ml.VecchiaGaussianProcessRegressor{ n_neighbors = 10 }:fit(X, y)\n"
             "print(model.fitted_kernel, model:predict_interval({ {0.5, 0.5} }).mean)",
  .capabilities = MN_REGRESS | MN_RANDOM | MN_ITERATE,
  .accepts = MN_MULTITARGET | MN_JOINT_TARGETS,
  .size = sizeof(struct vecchia),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  .predict = predict,
  .export = export,
  .check = check,
  .derive = derive,
};
