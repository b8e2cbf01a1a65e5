/* Exact Gaussian process regression of one column in linear time: gp_kalman.h. */
#include "../model/program.h"
#include "../stats/argsort.h"
#include "gp_kalman.h"
#include "../kernel/prior.h"
#include "../gaussian_process/gp_kernel.h"
#include "../gaussian_process/gp_params.h"
#include "../gaussian_process/gp_report.h"
#include "../gaussian_process/gp_uncertainty.h"
#include <math.h>
#include <string.h>

struct state_space_gp {
  mn_estimator base;
  mn_kernel kernel; /* parameters */
  double alpha, tol;
  int64_t mean, optimizer, n_restarts, max_iter, seed;
  bool normalize_y;
  mn_kernel fitted_kernel; /* learned */
  mn_vector x;             /* rows, ascending                    */
  mn_matrix y;             /* rows x targets, normalized         */
  mn_vector weights;       /* rows; or empty                     */
  mn_matrix mean_coef;     /* columns of the mean function x targets */
  mn_vector y_mean, y_scale;
  double log_likelihood;
  mn_matrix state_mean, state_covariance, lambda, information; /* derived: mn_kalman_states */
  mn_matrix precision;                                         /* derived: the factor of H' inv(A) H */
};

/* --- likelihood --- */

/* The columns [y h] of the rows. */
static mn_status problem_of(mn_context *ctx, const struct state_space_gp *m, mn_kalman_problem *p)
{
  const size_t q = m->y.cols, c = q + mn_gp_mean_columns((mn_gp_mean)m->mean, 1);
  double *r = MN_RAW(ctx, double, m->x.size, c);
  MN_CHECK_ALLOC(r);
  for (size_t i = 0; i < m->x.size; i++) {
    memcpy(r + i * c, mn_row(&m->y, i), q * sizeof *r);
    mn_gp_mean_row((mn_gp_mean)m->mean, 1, &m->x.at[i], r + i * c + q);
  }
  *p = (mn_kalman_problem){
    .n = m->x.size, .columns = c, .x = m->x.at, .r = r, .weights = m->weights.at, .noise = m->alpha
  };
  return MN_OK;
}

struct workspace {
  const char *who;
  mn_kernel kernel; /* a copy whose hyperparameters change */
  const mn_kalman_problem *problem;
  size_t q;
  mn_kalman_sums sums;
  double *b, *precision; /* of the mean function */
};

static mn_status new_workspace(mn_context *ctx, const char *who, const mn_kernel *kernel, const mn_kalman_problem *p,
                               size_t q, struct workspace *w)
{
  const size_t c = p->columns, h = c - q, k = mn_kernel_free_count(kernel);
  *w = (struct workspace){ .who = who,
                           .problem = p,
                           .q = q,
                           .sums = { .square = MN_RAW(ctx, double, c, c),
                                     .dsquare = MN_RAW(ctx, double, k + 1, c * c),
                                     .dlog = MN_RAW(ctx, double, k + 1, 1) },
                           .b = MN_NEW(ctx, double, h + 1, q),
                           .precision = MN_NEW(ctx, double, h + 1, h + 1) };
  if (!w->sums.square || !w->sums.dsquare || !w->sums.dlog || !w->b || !w->precision) return MN_NO_MEMORY;
  return mn_kernel_scratch_copy(ctx, kernel, &w->kernel);
}

/* b' dR b over the targets, with b = [1 -b] of the columns. */
static double by_hyperparameter(const struct workspace *w, size_t theta)
{
  const size_t q = w->q, c = w->problem->columns;
  const double *d = w->sums.dsquare + theta * c * c;
  double sum = (double)q * w->sums.dlog[theta];
  for (size_t t = 0; t < q; t++)
    for (size_t i = 0; i < c; i++)
      for (size_t j = 0; j < c; j++) {
        const double left = i == t  ? 1
                            : i < q ? 0
                                    : -w->b[(i - q) * q + t],
                     right = j == t  ? 1
                             : j < q ? 0
                                     : -w->b[(j - q) * q + t];
        sum += left * right * d[i * c + j];
      }
  return -0.5 * sum;
}

/* gradient NULL: none */
static mn_status find_likelihood(mn_context *ctx, struct workspace *w, double *value, double *gradient)
{
  mn_ss_model model;
  mn_kalman_sums sums = w->sums;
  double square;
  bool failed;
  *value = (double)NAN;
  MN_TRY(mn_ss_read(ctx, w->who, &w->kernel, &model));
  if (!gradient) sums.dlog = NULL;
  MN_TRY(mn_kalman_run(ctx, &model, w->problem, &sums));
  if (sums.failed) return MN_OK;
  MN_TRY(mn_gp_eliminate_mean(ctx, w->q, w->problem->columns, sums.square, w->precision, w->b, &square, &failed));
  if (failed) return MN_OK;
  *value = -0.5 * (square + (double)w->q * sums.log_det);
  for (size_t j = 0; gradient && j < mn_kernel_free_count(&w->kernel); j++) gradient[j] = by_hyperparameter(w, j);
  return MN_OK;
}

/* --- fit --- */

struct target {
  const char *who;
  const mn_kernel *kernel;
  const mn_kalman_problem *problem;
  size_t q;
};

static mn_status prepare(mn_context *ctx, const void *problem, void **out)
{
  const struct target *t = problem;
  struct workspace *w = MN_NEW(ctx, struct workspace, 1, 1);
  MN_CHECK_ALLOC(w);
  *out = w;
  return new_workspace(ctx, t->who, t->kernel, t->problem, t->q, w);
}

static mn_status evaluate(mn_context *ctx, void *workspace, const double *theta, double *value, double *gradient)
{
  struct workspace *w = workspace;
  mn_kernel_set_theta(&w->kernel, theta);
  MN_TRY(find_likelihood(ctx, w, value, gradient));
  if (isfinite(*value)) mn_kernel_add_priors(&w->kernel, value, gradient);
  return MN_OK;
}

static mn_status optimize(mn_context *ctx, struct state_space_gp *m, const mn_kalman_problem *p)
{
  const struct target problem = { m->base.class->name, &m->fitted_kernel, p, m->y.cols };
  const mn_gp_target target = { .k = mn_kernel_free_count(&m->fitted_kernel),
                                .problem = &problem,
                                .workspace_bytes = 1 << 16,
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

/* Keep the rows in ascending order of x. */
static mn_status store_rows(mn_context *ctx, struct state_space_gp *m, const mn_data *data)
{
  const size_t n = data->rows, q = data->y.cols;
  size_t *order = MN_RAW(ctx, size_t, n, 1);
  double *y;
  MN_CHECK_ALLOC(order);
  MN_TRY(mn_gp_find_units(ctx, data, m->normalize_y, &m->y_mean, &m->y_scale));
  MN_TRY(mn_gp_to_units(ctx, m->base.class->name, data, &m->y_mean, &m->y_scale, &y));
  MN_TRY(mn_argsort(ctx, n, data->x.at, 1, order));
  MN_TRY(mn_vector_init(ctx, &m->x, n));
  MN_TRY(mn_matrix_init(ctx, &m->y, n, q));
  if (data->weights) MN_TRY(mn_vector_init(ctx, &m->weights, n));
  for (size_t i = 0; i < n; i++) {
    m->x.at[i] = data->x.at[order[i]];
    memcpy(mn_row(&m->y, i), y + order[i] * q, q * sizeof *y);
    if (data->weights) m->weights.at[i] = data->weights[order[i]];
  }
  return MN_OK;
}

static mn_status check_likelihood(mn_context *ctx, const struct state_space_gp *m)
{
  if (isfinite(m->log_likelihood)) return MN_OK;
  return mn_fail(ctx, MN_SINGULAR,
                 "%s: rows have the same x, or nearly so, and no noise, or the columns of the mean function are "
                 "collinear; add ml.kernel.White to the kernel, or raise alpha",
                 m->base.class->name);
}

/* What predictions need, from the rows and the kernel. */
static mn_status keep_states(mn_context *ctx, struct state_space_gp *m, const mn_kalman_problem *p,
                             const struct workspace *w)
{
  mn_ss_model model;
  mn_kalman_states states;
  const size_t h = p->columns - m->y.cols;
  MN_TRY(mn_ss_read(ctx, m->base.class->name, &m->fitted_kernel, &model));
  MN_TRY(mn_matrix_init(ctx, &m->state_mean, p->n, model.states * p->columns));
  MN_TRY(mn_matrix_init(ctx, &m->state_covariance, p->n, model.states * model.states));
  MN_TRY(mn_matrix_init(ctx, &m->lambda, p->n, model.states * p->columns));
  MN_TRY(mn_matrix_init(ctx, &m->information, p->n, model.states * model.states));
  states = (mn_kalman_states){ m->state_mean.at, m->state_covariance.at, m->lambda.at, m->information.at };
  if (h > 0) MN_TRY(mn_matrix_init(ctx, &m->precision, h, h));
  if (h > 0) memcpy(m->precision.at, w->precision, h * h * sizeof(double));
  return mn_kalman_smooth(ctx, &model, p, &states);
}

static mn_status finish(mn_context *ctx, struct state_space_gp *m, const mn_kalman_problem *p)
{
  const size_t q = m->y.cols, h = p->columns - q;
  struct workspace w;
  MN_TRY(new_workspace(ctx, m->base.class->name, &m->fitted_kernel, p, q, &w));
  MN_TRY(find_likelihood(ctx, &w, &m->log_likelihood, NULL));
  MN_TRY(check_likelihood(ctx, m));
  mn_matrix_free(mn_context_memory(ctx), &m->mean_coef);
  if (h > 0) MN_TRY(mn_matrix_init(ctx, &m->mean_coef, h, q));
  if (h > 0) memcpy(m->mean_coef.at, w.b, h * q * sizeof(double));
  return keep_states(ctx, m, p, &w);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct state_space_gp *m = self;
  mn_kalman_problem p;
  mn_ss_model model;
  MN_TRY(mn_gp_kernel_resolve(ctx, &m->base, &m->kernel, true, data, &m->fitted_kernel));
  MN_TRY(mn_ss_read(ctx, m->base.class->name, &m->fitted_kernel, &model));
  MN_TRY(store_rows(ctx, m, data));
  MN_TRY(problem_of(ctx, m, &p));
  m->base.report = (mn_report){ .converged = true, .advice = "raise max_iter, or widen the bounds of the kernel" };
  if (m->optimizer == MN_GP_BFGS && mn_kernel_free_count(&m->fitted_kernel) > 0) MN_TRY(optimize(ctx, m, &p));
  if (m->base.report.n_iter < 1) m->base.report.n_iter = 1;
  MN_TRY(finish(ctx, m, &p));
  m->base.report.objective = -m->log_likelihood;
  return MN_OK;
}

/* After loading: what the shapes of the fields cannot express. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct state_space_gp *m = self;
  const char *who = m->base.class->name;
  mn_ss_model model;
  bool sorted = m->x.size > 0 && (!m->weights.at || m->weights.size == m->x.size);
  for (size_t i = 1; i < m->x.size; i++) sorted = sorted && m->x.at[i] >= m->x.at[i - 1];
  for (size_t i = 0; i < m->weights.size; i++) sorted = sorted && m->weights.at[i] > 0;
  if (!sorted || m->fitted_kernel.nodes == 0 || m->base.n_features != 1 ||
      m->mean_coef.rows != mn_gp_mean_columns((mn_gp_mean)m->mean, 1) ||
      (m->mean_coef.at && m->mean_coef.cols != m->y.cols))
    return mn_fail(ctx, MN_BAD_FILE, "%s: the archive has parts that do not fit together", who);
  MN_TRY(mn_kernel_check(ctx, who, &m->fitted_kernel, 1));
  return mn_ss_read(ctx, who, &m->fitted_kernel, &model);
}

static mn_status derive(mn_context *ctx, void *self)
{
  struct state_space_gp *m = self;
  mn_kalman_problem p;
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(problem_of(ctx, m, &p));
  MN_TRY(finish(ctx, m, &p));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- predictions --- */

/* The posterior of the function without the mean function: means (rows x targets) and variances, each unless NULL. */
static mn_status smooth_at(mn_context *ctx, const struct state_space_gp *m, const mn_data *data, double *means,
                           double *variances)
{
  const size_t q = m->y.cols, h = m->mean_coef.rows, c = q + h;
  const mn_kalman_problem p = { .n = m->x.size, .columns = c, .x = m->x.at };
  const mn_kalman_states states = { m->state_mean.at, m->state_covariance.at, m->lambda.at, m->information.at };
  mn_ss_model model;
  MN_TRY(mn_ss_read(ctx, m->base.class->name, &m->fitted_kernel, &model));
  double *work = MN_RAW(ctx, double, mn_kalman_work_size(&model, c), 1), *found = MN_RAW(ctx, double, c, 1),
         *basis = MN_RAW(ctx, double, h + 1, 1), variance;
  if (!work || !found || !basis) return MN_NO_MEMORY;
  for (size_t i = 0; i < data->rows; i++) {
    const double *x = mn_row(&data->x, i);
    mn_kalman_predict(&model, &p, &states, *x, work, found, &variance);
    for (size_t t = 0; means && t < q; t++) {
      means[i * q + t] = found[t];
      for (size_t j = 0; j < h; j++) means[i * q + t] -= found[q + j] * mn_row(&m->mean_coef, j)[t];
    }
    if (variances) {
      mn_gp_mean_row((mn_gp_mean)m->mean, 1, x, basis);
      for (size_t j = 0; j < h; j++) basis[j] -= found[q + j];
      variances[i] = fmax(variance + mn_gp_mean_variance(&m->precision, basis), 0);
    }
    if (i % 1024 == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct state_space_gp *m = self;
  const mn_gp_mean_model mean = MN_GP_MEAN_OF(m, m->mean);
  MN_TRY(smooth_at(ctx, m, data, out->at, NULL));
  return mn_gp_finish_means(ctx, &mean, data, out);
}

static mn_status variances(mn_context *ctx, const void *self, const mn_data *data, double *function, double *noise)
{
  const struct state_space_gp *m = self;
  mn_ss_model model;
  MN_TRY(mn_ss_read(ctx, m->base.class->name, &m->fitted_kernel, &model));
  for (size_t i = 0; i < data->rows; i++) noise[i] = model.noise + m->alpha;
  return smooth_at(ctx, m, data, NULL, function);
}

static mn_gp_predictor predictor_of(const struct state_space_gp *m)
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
  const struct state_space_gp *m = self;
  const mn_gp_likelihood_options *o = options;
  const size_t k = mn_kernel_free_count(&m->fitted_kernel);
  struct workspace w;
  mn_kalman_problem p;
  mn_vector *gradient;
  double value;
  (void)data;
  MN_TRY(mn_gp_check_theta(ctx, &m->base, k, o));
  MN_TRY(mn_result_vector(ctx, results, "gradient", k, &gradient));
  MN_TRY(problem_of(ctx, m, &p));
  MN_TRY(new_workspace(ctx, m->base.class->name, &m->fitted_kernel, &p, m->y.cols, &w));
  if (o->theta.at) mn_kernel_set_theta(&w.kernel, o->theta.at);
  MN_TRY(find_likelihood(ctx, &w, &value, gradient->at));
  mn_result_real(results, "value", value);
  return MN_OK;
}

static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  const struct state_space_gp *m = self;
  const mn_matrix x = { .at = m->x.at, .rows = m->x.size, .cols = 1 };
  const mn_gp_account account =
      MN_GP_ACCOUNT(m, "log marginal likelihood", .rows = { .n = x.rows, .d = 1, .x = x.at }, .row_name = "row",
                    .x = &x, .y = &m->y, .mean = (mn_gp_mean)m->mean, .noise = m->alpha);
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
  MN_KERNEL_PARAM(
      struct state_space_gp, kernel, MN_KERNEL_LAPLACIAN,
      "sums of Matern (nu 0.5, 1.5, 2.5), OrnsteinUhlenbeck, Laplacian, Constant and White of ml.kernel, times "
      "constants; or \"laplacian\": Constant * Laplacian + White"),
  MN_GP_ALPHA(struct state_space_gp, 0),
  MN_GP_MEAN(struct state_space_gp),
  MN_GP_NORMALIZE(struct state_space_gp),
  MN_GP_OPTIMIZER(struct state_space_gp, "marginal likelihood"),
  MN_GP_RESTARTS(struct state_space_gp),
  MN_GP_TOL(struct state_space_gp, 1e-5),
  MN_GP_MAX_ITER(struct state_space_gp),
  MN_SEED(struct state_space_gp, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_GP_FITTED_KERNEL(struct state_space_gp),
  MN_NUMBER(struct state_space_gp, log_likelihood,
            "log marginal likelihood of y (normalized), summed over the targets"),
  MN_GP_MEAN_COEF(struct state_space_gp),
  MN_LEARNED(MN_KIND_VECTOR, struct state_space_gp, x, "rows", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct state_space_gp, y, "rows x targets", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct state_space_gp, weights, "weighted?", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct state_space_gp, y_mean, "targets", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct state_space_gp, y_scale, "targets", NULL),
  MN_DERIVED(MN_KIND_MATRIX, struct state_space_gp, state_mean),
  MN_DERIVED(MN_KIND_MATRIX, struct state_space_gp, state_covariance),
  MN_DERIVED(MN_KIND_MATRIX, struct state_space_gp, lambda),
  MN_DERIVED(MN_KIND_MATRIX, struct state_space_gp, information),
  MN_DERIVED(MN_KIND_MATRIX, struct state_space_gp, precision),
  MN_END,
};

const mn_class mn_state_space_gaussian_process_regressor = {
  .name = "StateSpaceGaussianProcessRegressor",
  .family = "gaussian process",
  .brief = "Exact Gaussian process regression of one column in linear time.",
  .objective = "maximize log p(y | x) = - sum_i (v_i^2 / s_i + log(2 pi s_i)) / 2 over innovations v of variance s",
  .source = "Hartikainen & Saerkkae, MLSP 2010",
  .notes =
      "The same results as GaussianProcessRegressor with the same kernel, in O(n) time and memory, by a Kalman filter and "
      "smoother; x may be irregular and have ties. The kernels are those whose function is a linear stochastic "
      "differential equation with few states: Matern and its sums. For RBF and many rows use "
      "SparseGaussianProcessRegressor.",
  .example =
      "local x, noise = ml.random(1000, 1, 1), ml.normal(1000, 1, 2):col(1)\n"
      "local k = ml.kernel\n"
      "local model = ml.StateSpaceGaussianProcessRegressor{ kernel = k.Matern{ nu = 1.5 } + k.White{ noise = 0.1 } }\n"
      "model:fit(x, (x:col(1) * 9):sin() + noise * 0.1)\n"
      "print(model.fitted_kernel, model:intervals({ {0.5} }))",
  .capabilities = MN_REGRESS | MN_RANDOM | MN_ITERATE,
  .accepts = MN_WEIGHTS | MN_MULTITARGET | MN_JOINT_TARGETS | MN_ONE_COLUMN,
  .size = sizeof(struct state_space_gp),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  .predict = predict,
  .export = export,
  .check = check,
  .derive = derive,
};
