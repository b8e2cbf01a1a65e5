/* Gaussian process classification: a latent function for two classes, or one for each class against the rest
 * (gp_latent.h). With f ~ N(m, v) at a row,
 *
 *     p(1 | x) = integral of p(1 | f) N(f; m, v) df
 *
 * which is Phi(m / sqrt(1 + v)) for probit; for logit the trapezoidal rule, whose error falls exponentially. */
#include "../model/class.h"
#include "../model/operation.h"
#include "../model/part_rounds.h"
#include "../model/program.h"
#include "../stats/special.h"
#include "gp_kernel.h"
#include "gp_latent.h"

struct gp_classifier {
  mn_estimator base;
  mn_kernel kernel; /* parameters */
  double tol;
  int64_t inference, optimizer, n_restarts, max_iter, seed;
  mn_kernel fitted_kernel;  /* learned: of the first function                     */
  mn_matrix theta;          /* functions x logarithms of the free hyperparameters */
  mn_matrix x;              /* rows x features                                    */
  mn_matrix dual_coef;      /* functions x rows: a                                */
  mn_matrix root_precision; /* functions x rows: the square roots of W            */
  mn_vector log_likelihood; /* functions                                          */
  mn_indexes code;          /* rows: classes                                      */
  int64_t fitted_inference;
  mn_matrix factor; /* derived: L of each function, stacked               */
};

static const char *const inferences[] = { "laplace", "ep", NULL };
enum { OPTIMIZER_BFGS, OPTIMIZER_NONE };
static const char *const optimizers[] = { "bfgs", "none", NULL };

static mn_gp_latent problem_of(const struct gp_classifier *m, int64_t inference, const double *y)
{
  return (mn_gp_latent){ .rows = { .n = m->x.rows, .d = m->x.cols, .x = m->x.at },
                         .y = y,
                         .likelihood = { .family = inference == MN_GP_EP ? MN_GP_PROBIT : MN_GP_LOGIT },
                         .inference = (mn_gp_inference)inference };
}

/* --- fit --- */

/* y of function `f`: 1 for its class, -1 for the rest. In scratch. */
static double *signs(mn_context *ctx, const struct gp_classifier *m, size_t f)
{
  const size_t n = m->code.size;
  const int32_t class = m->dual_coef.rows == 1 ? 1 : (int32_t)f;
  double *y = MN_RAW(ctx, double, n, 1);
  for (size_t i = 0; y && i < n; i++) y[i] = m->code.at[i] == class ? 1 : -1;
  return y;
}

/* Minus the log likelihood of each function at the first hyperparameters; *sum: of all. */
static mn_status start_values(mn_context *ctx, const struct gp_classifier *m, double *start, double *sum)
{
  const size_t functions = m->dual_coef.rows;
  mn_gp_posterior p;
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(mn_gp_posterior_new(ctx, m->x.rows, &p));
  *sum = 0;
  for (size_t f = 0; f < functions; f++) {
    const double *y = signs(ctx, m, f);
    MN_CHECK_ALLOC(y);
    const mn_gp_latent problem = problem_of(m, m->inference, y);
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

static mn_status optimize(mn_context *ctx, const struct gp_classifier *m, mn_kernel *kernel, mn_gp_latent *problem,
                          mn_part_rounds *rounds)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_gp_search search = { .restarts = (size_t)m->n_restarts,
                          .max_iter = (size_t)m->max_iter,
                          .tol = m->tol,
                          .seed = m->seed,
                          .note = note,
                          .user = rounds };
  MN_TRY(mn_gp_latent_optimize(ctx, kernel, problem, &search));
  if (!search.converged) rounds->report->converged = false;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status fit_function(mn_context *ctx, struct gp_classifier *m, size_t f, mn_part_rounds *rounds)
{
  const size_t n = m->x.rows, k = m->theta.cols;
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_gp_posterior p;
  mn_kernel kernel;
  const double *y = signs(ctx, m, f);
  MN_CHECK_ALLOC(y);
  mn_gp_latent problem = problem_of(m, m->inference, y);
  MN_TRY(mn_kernel_scratch_copy(ctx, &m->fitted_kernel, &kernel));
  if (m->optimizer == OPTIMIZER_BFGS && k > 0 && mn_should_continue(ctx))
    MN_TRY(optimize(ctx, m, &kernel, &problem, rounds));
  mn_kernel_theta(&kernel, mn_row(&m->theta, f));
  MN_TRY(mn_gp_posterior_new(ctx, n, &p));
  MN_TRY(mn_gp_latent_solve(ctx, &kernel, &problem, &p));
  if (!isfinite(p.log_likelihood))
    return mn_fail(ctx, MN_SINGULAR, "GaussianProcessClassifier: the values of the kernel are not finite");
  m->log_likelihood.at[f] = p.log_likelihood;
  memcpy(mn_row(&m->dual_coef, f), p.a, n * sizeof *p.a);
  memcpy(mn_row(&m->root_precision, f), p.root, n * sizeof *p.root);
  memcpy(m->factor.at + f * n * n, p.l, n * n * sizeof *p.l);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status init(mn_context *ctx, struct gp_classifier *m, const mn_data *data)
{
  const size_t n = data->rows, functions = data->classes == 2 ? 1 : data->classes;
  const mn_indexes code = { .at = (int32_t *)data->code, .size = n };
  MN_TRY(mn_gp_kernel_resolve(ctx, &m->base, &m->kernel, false, data, &m->fitted_kernel));
  m->fitted_inference = m->inference;
  MN_TRY(mn_value_copy(ctx, MN_KIND_MATRIX, &data->x, &m->x));
  MN_TRY(mn_value_copy(ctx, MN_KIND_INDEXES, &code, &m->code));
  MN_TRY(mn_matrix_init(ctx, &m->theta, functions, mn_kernel_free_count(&m->fitted_kernel)));
  MN_TRY(mn_matrix_init(ctx, &m->dual_coef, functions, n));
  MN_TRY(mn_matrix_init(ctx, &m->root_precision, functions, n));
  MN_TRY(mn_matrix_init(ctx, &m->factor, functions * n, n));
  return mn_vector_init(ctx, &m->log_likelihood, functions);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct gp_classifier *m = self;
  mn_report *report = &m->base.report;
  mn_part_rounds rounds = { .ctx = ctx, .report = report, .max_iter = m->max_iter };
  MN_TRY(init(ctx, m, data));
  *report = (mn_report){ .converged = true, .advice = "raise max_iter, or widen the bounds of the kernel" };
  double *start = MN_RAW(ctx, double, m->dual_coef.rows, 1), sum;
  MN_CHECK_ALLOC(start);
  MN_TRY(start_values(ctx, m, start, &sum));
  for (size_t f = 0; f < m->dual_coef.rows; f++) {
    mn_progress_part(ctx, f, m->dual_coef.rows);
    mn_part_begin(&rounds, start[f], sum);
    MN_TRY(fit_function(ctx, m, f, &rounds));
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

static mn_status check(mn_context *ctx, const void *self)
{
  const struct gp_classifier *m = self;
  const mn_kernel *k = &m->fitted_kernel;
  bool good = k->nodes > 0 && !mn_kernel_has(k, MN_KERNEL_PRECOMPUTED) && m->theta.cols == mn_kernel_free_count(k) &&
              m->fitted_inference >= MN_GP_LAPLACE && m->fitted_inference <= MN_GP_EP;
  for (size_t i = 0; good && i < m->root_precision.rows * m->root_precision.cols; i++)
    good = m->root_precision.at[i] >= 0 && m->root_precision.at[i] < 1e150;
  if (!good)
    return mn_fail(ctx, MN_BAD_FILE, "GaussianProcessClassifier: the archive has parts that do not fit together");
  return mn_kernel_check(ctx, m->base.class->name, k, m->x.cols);
}

static mn_status derive(mn_context *ctx, void *self)
{
  struct gp_classifier *m = self;
  const size_t n = m->x.rows, functions = m->dual_coef.rows;
  const mn_kernel_rows rows = { .n = n, .d = m->x.cols, .x = m->x.at };
  const mn_mark mark = mn_scratch_mark(ctx);
  double *k = MN_RAW(ctx, double, n, n);
  mn_kernel kernel;
  MN_CHECK_ALLOC(k);
  MN_TRY(mn_kernel_scratch_copy(ctx, &m->fitted_kernel, &kernel));
  MN_TRY(mn_matrix_init(ctx, &m->factor, functions * n, n));
  for (size_t f = 0; f < functions; f++) {
    if (m->theta.cols > 0) mn_kernel_set_theta(&kernel, mn_row(&m->theta, f));
    MN_TRY(mn_kernel_matrix(ctx, &kernel, &rows, k, n));
    MN_TRY(mn_gp_latent_factor(ctx, n, k, mn_row(&m->root_precision, f), m->factor.at + f * n * n));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- predictions --- */

/* The mean of 1 / (1 + exp(-f)) over f ~ N(m, v). */
static double mean_logit(double m, double v)
{
  const double s = sqrt(v), width = 8.5, step = s > 1 ? 0.55 / s : 0.55; /* of f = m + s z, in z */
  double sum = 0, total = 0;
  const int points = (int)ceil(width / step);
  for (int i = -points; i <= points; i++) {
    const double z = i * step, weight = exp(-z * z / 2);
    total += weight;
    sum += weight / (1 + exp(-m - s * z));
  }
  return sum / total;
}

static double probability(int64_t inference, double m, double v)
{
  const double p = inference == MN_GP_EP ? mn_normal_cdf(m / sqrt(1 + v)) : mean_logit(m, v);
  return fmin(fmax(p, DBL_MIN), 1);
}

/* Means and variances of function f at the rows of data. */
static mn_status moments(mn_context *ctx, const struct gp_classifier *m, const mn_data *data, size_t f, double *mean,
                         double *variance)
{
  const size_t n = m->x.rows;
  const mn_kernel_rows stored = { .n = n, .d = m->x.cols, .x = m->x.at }, rows = mn_kernel_rows_of(data);
  mn_kernel kernel;
  MN_TRY(mn_kernel_scratch_copy(ctx, &m->fitted_kernel, &kernel));
  if (m->theta.cols > 0) mn_kernel_set_theta(&kernel, mn_row(&m->theta, f));
  return mn_gp_latent_moments(ctx, &kernel, &stored, mn_row(&m->dual_coef, f), mn_row(&m->root_precision, f),
                              m->factor.at + f * n * n, &rows, mean, variance);
}

static void normalize(size_t classes, double *log_p)
{
  double sum = 0;
  for (size_t c = 0; c < classes; c++) sum += exp(log_p[c]);
  for (size_t c = 0; c < classes; c++) log_p[c] -= log(sum);
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct gp_classifier *m = self;
  const size_t rows = data->rows, functions = m->dual_coef.rows;
  double *mean = MN_RAW(ctx, double, rows, 1), *variance = MN_RAW(ctx, double, rows, 1);
  if (!mean || !variance) return MN_NO_MEMORY;
  for (size_t f = 0; f < functions; f++) {
    MN_TRY(moments(ctx, m, data, f, mean, variance));
    for (size_t i = 0; i < rows; i++) {
      double *p = mn_row(out, i);
      p[functions == 1 ? 1 : f] = log(probability(m->fitted_inference, mean[i], variance[i]));
      if (functions == 1) p[0] = log(probability(m->fitted_inference, -mean[i], variance[i]));
    }
  }
  for (size_t i = 0; i < rows; i++) normalize(out->cols, mn_row(out, i));
  return MN_OK;
}

/* --- operations --- */

static mn_status latent(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results)
{
  const struct gp_classifier *m = self;
  const size_t rows = data->rows, functions = m->dual_coef.rows;
  mn_matrix *means, *variances;
  double *mean = MN_RAW(ctx, double, rows, 1), *variance = MN_RAW(ctx, double, rows, 1);
  (void)options;
  if (!mean || !variance) return MN_NO_MEMORY;
  MN_TRY(mn_result_matrix(ctx, results, "mean", rows, functions, &means));
  MN_TRY(mn_result_matrix(ctx, results, "variance", rows, functions, &variances));
  for (size_t f = 0; f < functions; f++) {
    MN_TRY(moments(ctx, m, data, f, mean, variance));
    for (size_t i = 0; i < rows; i++) {
      mn_row(means, i)[f] = mean[i];
      mn_row(variances, i)[f] = variance[i];
    }
  }
  return MN_OK;
}

struct likelihood_options {
  mn_vector theta;
};

static const mn_param likelihood_params[] = {
  MN_REALS(struct likelihood_options, theta, MN_NO_LIMITS(),
           "logarithms of the free hyperparameters, for all functions; nil: those of the fit"),
  MN_END,
};

static mn_status log_marginal_likelihood(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                         mn_results *results)
{
  const struct gp_classifier *m = self;
  const struct likelihood_options *o = options;
  const size_t functions = m->dual_coef.rows, k = m->theta.cols;
  double value = 0, *own = MN_RAW(ctx, double, k + 1, 1);
  mn_vector *gradient;
  mn_gp_posterior p;
  mn_kernel kernel;
  (void)data;
  MN_CHECK_ALLOC(own);
  if (o->theta.at && o->theta.size != k)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "GaussianProcessClassifier: theta must have a value for each of %zu free hyperparameters, got %zu",
                   k, o->theta.size);
  MN_TRY(mn_result_vector(ctx, results, "gradient", k, &gradient));
  MN_TRY(mn_gp_posterior_new(ctx, m->x.rows, &p));
  MN_TRY(mn_kernel_scratch_copy(ctx, &m->fitted_kernel, &kernel));
  for (size_t f = 0; f < functions; f++) {
    const double *y = signs(ctx, m, f);
    MN_CHECK_ALLOC(y);
    const mn_gp_latent problem = problem_of(m, m->fitted_inference, y);
    if (k > 0) mn_kernel_set_theta(&kernel, o->theta.at ? o->theta.at : mn_row(&m->theta, f));
    MN_TRY(mn_gp_latent_solve(ctx, &kernel, &problem, &p));
    value += p.log_likelihood / (double)functions;
    if (!isfinite(p.log_likelihood)) continue;
    MN_TRY(mn_gp_latent_gradient(ctx, &kernel, &problem, &p, own));
    for (size_t j = 0; j < k; j++) gradient->at[j] += own[j] / (double)functions;
  }
  mn_result_real(results, "value", value);
  return MN_OK;
}

static const mn_operation operations[] = {
  { .name = "log_marginal_likelihood",
    .brief = "approximate log marginal likelihood and its gradient at given hyperparameters",
    .returns = "value (mean over the functions), gradient (free hyperparameters)",
    .options = likelihood_params,
    .options_size = sizeof(struct likelihood_options),
    .run = log_marginal_likelihood },
  { .name = "latent",
    .brief = "mean and variance of the latent functions",
    .returns = "mean, variance (rows x functions; a single function, of the second class, for two classes)",
    .needs = MN_NEEDS_X,
    .run = latent },
  { .name = NULL },
};

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct gp_classifier *m = self;
  (void)action, (void)program;
  return mn_cannot_export(ctx, &m->base, "its probabilities need a rows x rows factor for each function");
}

static const mn_param params[] = {
  MN_KERNEL_PARAM(struct gp_classifier, kernel, MN_KERNEL_RBF,
                  "a kernel built with ml.kernel; or a name, which means Constant * kernel with all hyperparameters "
                  "estimated"),
  MN_CHOICE(struct gp_classifier, inference, MN_GP_LAPLACE, inferences,
            "laplace: normal approximation at the mode, logit link; ep: expectation propagation, probit link"),
  MN_CHOICE(struct gp_classifier, optimizer, OPTIMIZER_BFGS, optimizers,
            "bfgs: maximize the approximate marginal likelihood; none: use the kernel as it is"),
  MN_COUNT(struct gp_classifier, n_restarts, 0, MN_CLOSED(0, 100000),
           "number of further searches, from random hyperparameters within the bounds"),
  MN_REAL(struct gp_classifier, tol, 1e-5, MN_GREATER_THAN(0),
          "stop when all derivatives of the log marginal likelihood are at most this"),
  MN_COUNT(struct gp_classifier, max_iter, 200, MN_CLOSED(1, INT32_MAX), "maximum number of iterations of a search"),
  MN_SEED(struct gp_classifier, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_LEARNED(MN_KIND_KERNEL, struct gp_classifier, fitted_kernel, "",
             "the kernel with the hyperparameters of the first function"),
  MN_MATRIX(struct gp_classifier, theta, "decisions x hyperparameters?",
            "logarithms of the free hyperparameters of each function"),
  MN_VECTOR(struct gp_classifier, log_likelihood, "decisions", "approximate log marginal likelihood of each function"),
  MN_MATRIX(struct gp_classifier, dual_coef, "decisions x rows", "coefficients of the kernel at the training rows"),
  MN_LEARNED(MN_KIND_MATRIX, struct gp_classifier, root_precision, "decisions x rows", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct gp_classifier, x, "rows x features", NULL),
  MN_LEARNED(MN_KIND_INDEXES, struct gp_classifier, code, "rows < classes", NULL),
  MN_LEARNED(MN_KIND_COUNT, struct gp_classifier, fitted_inference, "", NULL),
  MN_DERIVED(MN_KIND_MATRIX, struct gp_classifier, factor),
  MN_END,
};

const mn_class mn_gaussian_process_classifier = {
  .name = "GaussianProcessClassifier",
  .family = "gaussian process",
  .brief = "Gaussian process classification: probabilities that widen away from data.",
  .objective = "maximize log p(y | X), with p(y | f) a logit or probit link of f ~ GP(0, k)",
  .source = "Rasmussen & Williams, Gaussian Processes for Machine Learning (2006), chapter 3",
  .notes = "Several classes: one function for each class against the rest, with hyperparameters of its own, and "
           "normalized probabilities. Probabilities are exact integrals over the function; scikit-learn approximates "
           "them. The hyperparameters of the default kernel are estimated; in scikit-learn they are fixed. A fit "
           "stores an n x n matrix for each function, works with three more, and takes O(n^3) time an iteration.",
  .example =
      "local X, y = ml.read_csv('examples/data/iris.csv'):split 'species'\n"
      "local model = ml.GaussianProcessClassifier{ kernel = 4 * ml.kernel.RBF{ length = 1 }, optimizer = 'none' }\n"
      "print(model:fit(X, y):score(X, y))",
  .capabilities = MN_CLASSIFY | MN_RANDOM | MN_ITERATE,
  .size = sizeof(struct gp_classifier),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  .log_proba = log_proba,
  .export = export,
  .check = check,
  .derive = derive,
};
