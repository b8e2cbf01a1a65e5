/* Gaussian process classification: a latent function for two classes, or one for each class against the rest
 * (gp_latent_model.h). With f ~ N(m, v) at a row,
 *
 *     p(1 | x) = integral of p(1 | f) N(f; m, v) df
 *
 * which is Phi(m / sqrt(1 + v)) for probit; for logit the trapezoidal rule, whose error falls exponentially. */
#include "../model/program.h"
#include "../stats/special.h"
#include "gp_latent_model.h"
#include "gp_softmax.h"
#include <string.h>

struct gp_classifier {
  mn_gp_latent_model latent;
  int64_t inference, multi_class;
  mn_indexes code;        /* learned: rows, classes */
  int64_t is_joint;       /* 1: the functions of softmax, whose precisions are probabilities  */
  mn_matrix joint_factor; /* derived: M of gp_softmax.h, or empty                             */
};

enum { ONE_VS_REST, SOFTMAX };
static const char *const inferences[] = { "laplace", "ep", NULL };
static const char *const multi_classes[] = { "one_vs_rest", "softmax", NULL };

/* --- fit --- */

/* y is 1 for the class of function f, -1 for the rest. */
static mn_status problem_of(mn_context *ctx, const void *model, size_t f, mn_gp_latent *problem)
{
  const struct gp_classifier *m = model;
  const mn_matrix *x = &m->latent.x;
  const int32_t class = m->latent.dual_coef.rows == 1 ? 1 : (int32_t)f;
  double *y = MN_RAW(ctx, double, x->rows, 1);
  MN_CHECK_ALLOC(y);
  for (size_t i = 0; i < x->rows; i++) y[i] = m->code.at[i] == class ? 1 : -1;
  *problem =
      (mn_gp_latent){ .who = m->latent.base.class->name,
                      .rows = { .n = x->rows, .d = x->cols, .x = x->at },
                      .y = y,
                      .likelihood = { .family = m->inference == MN_GP_EP ? MN_GP_PROBIT : MN_GP_LOGIT, .scale = 1 },
                      .inference = (mn_gp_inference)m->inference };
  return MN_OK;
}

static mn_gp_softmax joint_problem(const struct gp_classifier *m)
{
  return (mn_gp_softmax){ .who = m->latent.base.class->name,
                          .rows = { .n = m->latent.x.rows, .d = m->latent.x.cols, .x = m->latent.x.at },
                          .code = m->code.at,
                          .classes = m->latent.dual_coef.rows };
}

static mn_status keep_joint(mn_context *ctx, struct gp_classifier *m, const mn_gp_softmax_posterior *p)
{
  const size_t n = m->latent.x.rows, classes = m->latent.dual_coef.rows;
  memcpy(m->latent.dual_coef.at, p->a, n * classes * sizeof *p->a);
  memcpy(m->latent.root_precision.at, p->root, n * classes * sizeof *p->root);
  memcpy(m->latent.factor.at, p->l, n * n * classes * sizeof *p->l);
  MN_TRY(mn_matrix_init(ctx, &m->joint_factor, n, n));
  memcpy(m->joint_factor.at, p->m, n * n * sizeof *p->m);
  for (size_t c = 0; c < classes; c++) {
    m->latent.log_likelihood.at[c] = p->log_likelihood;
    if (m->latent.theta.cols > 0) mn_kernel_theta(&m->latent.fitted_kernel, mn_row(&m->latent.theta, c));
  }
  return MN_OK;
}

/* All classes at once, by softmax. */
static mn_status fit_joint(mn_context *ctx, struct gp_classifier *m, const mn_data *data)
{
  mn_gp_latent_model *l = &m->latent;
  mn_report *report = &l->base.report;
  mn_gp_rounds user = { ctx, report, l->max_iter };
  mn_gp_softmax_posterior p;
  if (m->inference == MN_GP_EP)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "GaussianProcessClassifier: multi_class = \"softmax\" requires inference = \"laplace\"");
  MN_TRY(mn_gp_latent_init(ctx, l, data, data->classes));
  *report = (mn_report){ .converged = true, .advice = "raise max_iter, or widen the bounds of the kernel" };
  const mn_gp_softmax problem = joint_problem(m);
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_gp_search search = { .restarts = (size_t)l->n_restarts,
                          .max_iter = (size_t)l->max_iter,
                          .tol = l->tol,
                          .seed = l->seed,
                          .converged = true,
                          .note = mn_gp_note_round,
                          .user = &user };
  if (l->optimizer == MN_GP_BFGS) MN_TRY(mn_gp_softmax_optimize(ctx, &l->fitted_kernel, &problem, &search));
  mn_scratch_release(ctx, mark);
  MN_TRY(mn_gp_softmax_new(ctx, &problem, &p));
  MN_TRY(mn_gp_softmax_solve(ctx, &l->fitted_kernel, &problem, &p));
  if (!isfinite(p.log_likelihood))
    return mn_fail(ctx, MN_SINGULAR, "GaussianProcessClassifier: the values of the kernel are not finite");
  if (report->n_iter == 0) (void)mn_round(ctx, report, l->max_iter, -p.log_likelihood);
  if (search.n_iter == 0) search.n_iter = 1;
  mn_gp_report_search(&search, report);
  report->objective = -p.log_likelihood;
  return keep_joint(ctx, m, &p);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct gp_classifier *m = self;
  const mn_indexes code = { .at = (int32_t *)data->code, .size = data->rows };
  MN_TRY(mn_value_copy(ctx, MN_KIND_INDEXES, &code, &m->code));
  m->is_joint = m->multi_class == SOFTMAX && data->classes > 2;
  if (m->is_joint) return fit_joint(ctx, m, data);
  return mn_gp_latent_fit(ctx, &m->latent, data, data->classes == 2 ? 1 : data->classes, problem_of, NULL);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct gp_classifier *m = self;
  if (m->is_joint < 0 || m->is_joint > 1 || (m->is_joint && m->latent.dual_coef.rows < 3))
    return mn_fail(ctx, MN_BAD_FILE, "GaussianProcessClassifier: the archive has a wrong number of functions");
  return mn_gp_latent_check(ctx, &m->latent);
}

static mn_status derive(mn_context *ctx, void *self)
{
  struct gp_classifier *m = self;
  if (!m->is_joint) return mn_gp_latent_derive(ctx, self);
  const mn_gp_softmax problem = joint_problem(m);
  const size_t n = problem.rows.n, classes = problem.classes;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *k = MN_RAW(ctx, double, n, n), *e = MN_RAW(ctx, double, n *classes, n);
  if (!k || !e) return MN_NO_MEMORY;
  MN_TRY(mn_matrix_init(ctx, &m->latent.factor, n * classes, n));
  MN_TRY(mn_matrix_init(ctx, &m->joint_factor, n, n));
  MN_TRY(mn_kernel_matrix(ctx, &m->latent.fitted_kernel, &problem.rows, k, n));
  MN_TRY(mn_gp_softmax_factor(ctx, problem.who, n, classes, k, m->latent.root_precision.at, m->latent.factor.at, e,
                              m->joint_factor.at));
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

static void normalize(size_t classes, double *log_p)
{
  double sum = 0;
  for (size_t c = 0; c < classes; c++) sum += exp(log_p[c]);
  for (size_t c = 0; c < classes; c++) log_p[c] -= log(sum);
}

/* Means, rows x classes, and covariances, rows x classes x classes, of softmax, in scratch. */
static mn_status joint_moments(mn_context *ctx, const struct gp_classifier *m, const mn_data *data, double **mean,
                               double **covariance)
{
  const mn_gp_softmax problem = joint_problem(m);
  const mn_kernel_rows rows = mn_kernel_rows_of(data);
  *mean = MN_RAW(ctx, double, data->rows, problem.classes);
  *covariance = MN_RAW(ctx, double, data->rows, problem.classes *problem.classes);
  if (!*mean || !*covariance) return MN_NO_MEMORY;
  return mn_gp_softmax_moments(ctx, &m->latent.fitted_kernel, &problem.rows, problem.classes, m->latent.dual_coef.at,
                               m->latent.root_precision.at, m->latent.factor.at, m->joint_factor.at, &rows, *mean,
                               *covariance);
}

static mn_status joint_log_proba(mn_context *ctx, const struct gp_classifier *m, const mn_data *data, mn_matrix *out)
{
  double *mean, *covariance;
  MN_TRY(joint_moments(ctx, m, data, &mean, &covariance));
  MN_TRY(mn_gp_softmax_log_proba(ctx, data->rows, out->cols, mean, covariance, out->at));
  for (size_t i = 0; i < data->rows; i++) normalize(out->cols, mn_row(out, i));
  return MN_OK;
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct gp_classifier *m = self;
  const size_t rows = data->rows, functions = m->latent.dual_coef.rows;
  if (m->is_joint) return joint_log_proba(ctx, m, data, out);
  double *mean = MN_RAW(ctx, double, rows, 1), *variance = MN_RAW(ctx, double, rows, 1);
  if (!mean || !variance) return MN_NO_MEMORY;
  for (size_t f = 0; f < functions; f++) {
    MN_TRY(mn_gp_latent_model_moments(ctx, &m->latent, data, f, mean, variance));
    for (size_t i = 0; i < rows; i++) {
      double *p = mn_row(out, i);
      p[functions == 1 ? 1 : f] = log(probability(m->inference, mean[i], variance[i]));
      if (functions == 1) p[0] = log(probability(m->inference, -mean[i], variance[i]));
    }
  }
  for (size_t i = 0; i < rows; i++) normalize(out->cols, mn_row(out, i));
  return MN_OK;
}

/* --- operations --- */

static mn_status joint_latent(mn_context *ctx, const struct gp_classifier *m, const mn_data *data, mn_results *results)
{
  const size_t rows = data->rows, classes = m->latent.dual_coef.rows;
  mn_matrix *means, *variances;
  double *mean, *covariance;
  MN_TRY(mn_result_matrix(ctx, results, "mean", rows, classes, &means));
  MN_TRY(mn_result_matrix(ctx, results, "variance", rows, classes, &variances));
  MN_TRY(joint_moments(ctx, m, data, &mean, &covariance));
  memcpy(means->at, mean, rows * classes * sizeof *mean);
  for (size_t i = 0; i < rows; i++)
    for (size_t c = 0; c < classes; c++) mn_row(variances, i)[c] = covariance[(i * classes + c) * classes + c];
  return MN_OK;
}

static mn_status joint_likelihood(mn_context *ctx, const struct gp_classifier *m, const mn_vector *theta,
                                  mn_results *results)
{
  const size_t k = mn_kernel_free_count(&m->latent.fitted_kernel);
  const mn_gp_softmax problem = joint_problem(m);
  mn_gp_softmax_posterior p;
  mn_vector *gradient;
  mn_kernel kernel;
  if (theta->at && theta->size != k)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: theta must have a value for each of %zu free hyperparameters, got %zu",
                   problem.who, k, theta->size);
  MN_TRY(mn_result_vector(ctx, results, "gradient", k, &gradient));
  MN_TRY(mn_kernel_scratch_copy(ctx, &m->latent.fitted_kernel, &kernel));
  if (theta->at) mn_kernel_set_theta(&kernel, theta->at);
  MN_TRY(mn_gp_softmax_new(ctx, &problem, &p));
  MN_TRY(mn_gp_softmax_solve(ctx, &kernel, &problem, &p));
  if (isfinite(p.log_likelihood)) MN_TRY(mn_gp_softmax_gradient(ctx, &kernel, &problem, &p, gradient->at));
  mn_result_real(results, "value", p.log_likelihood);
  return MN_OK;
}

static mn_status latent(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results)
{
  const struct gp_classifier *m = self;
  (void)options;
  if (m->is_joint) return joint_latent(ctx, m, data, results);
  return mn_gp_latent_results(ctx, &m->latent, data, 0, results);
}

static mn_status likelihood(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                            mn_results *results)
{
  const struct gp_classifier *m = self;
  const struct mn_gp_theta_option *o = options;
  (void)data;
  if (m->is_joint) return joint_likelihood(ctx, m, &o->theta, results);
  return mn_gp_likelihood_results(ctx, &m->latent, &o->theta, problem_of, results);
}

static const mn_operation operations[] = {
  { .name = "log_marginal_likelihood",
    .brief = "approximate log marginal likelihood and its gradient at given hyperparameters",
    .returns = "value (mean over the functions), gradient (free hyperparameters)",
    .options = mn_gp_theta_params,
    .options_size = sizeof(struct mn_gp_theta_option),
    .run = likelihood },
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
  return mn_cannot_export(ctx, &m->latent.base, "its probabilities need a rows x rows factor for each function");
}

static const mn_param params[] = {
  MN_GP_LATENT_PARAMS,
  MN_CHOICE(struct gp_classifier, inference, MN_GP_LAPLACE, inferences,
            "laplace: normal approximation at the mode, logit link; ep: expectation propagation, probit link"),
  MN_CHOICE(struct gp_classifier, multi_class, ONE_VS_REST, multi_classes,
            "of more than two classes: one_vs_rest, a function and hyperparameters for each; softmax, all at once with "
            "common hyperparameters"),
  MN_END,
};

static const mn_field fields[] = {
  MN_GP_LATENT_FIELDS("decisions"),
  MN_LEARNED(MN_KIND_INDEXES, struct gp_classifier, code, "rows < classes", NULL),
  MN_LEARNED(MN_KIND_COUNT, struct gp_classifier, is_joint, "", NULL),
  MN_DERIVED(MN_KIND_MATRIX, struct gp_classifier, joint_factor),
  MN_END,
};

const mn_class mn_gaussian_process_classifier = {
  .name = "GaussianProcessClassifier",
  .family = "gaussian process",
  .brief = "Gaussian process classification: probabilities less certain far from data.",
  .objective = "maximize log p(y | X), with p(y | f) a logit or probit link of f ~ GP(0, k)",
  .source = "Rasmussen & Williams, Gaussian Processes for Machine Learning (2006), chapter 3",
  .notes = "One-vs-rest normalizes the probabilities of the classes; softmax is a joint model. Probabilities are exact "
           "integrals over the function, of softmax a mean over 1,024 points; scikit-learn approximates them. The "
           "hyperparameters of the default kernel are estimated; in scikit-learn they are fixed. A fit stores an n x n "
           "matrix for each function and works with three more, softmax with three for each class; it takes O(n^3) "
           "time an iteration.",
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
