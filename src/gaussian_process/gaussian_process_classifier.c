/* Gaussian process classification: a latent function for two classes, or one for each class against the rest
 * (gp_latent_model.h). With f ~ N(m, v) at a row,
 *
 *     p(1 | x) = integral of p(1 | f) N(f; m, v) df
 *
 * which is Phi(m / sqrt(1 + v)) for probit; for logit the trapezoidal rule, whose error falls exponentially. */
#include "../model/program.h"
#include "../stats/special.h"
#include "gp_latent_model.h"

struct gp_classifier {
  mn_gp_latent_model latent;
  int64_t inference;
  mn_indexes code; /* learned: rows, classes */
  int64_t fitted_inference;
};

static const char *const inferences[] = { "laplace", "ep", NULL };

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
  *problem = (mn_gp_latent){ .who = m->latent.base.class->name,
                             .rows = { .n = x->rows, .d = x->cols, .x = x->at },
                             .y = y,
                             .likelihood = { .family = m->fitted_inference == MN_GP_EP ? MN_GP_PROBIT : MN_GP_LOGIT,
                                             .scale = 1 },
                             .inference = (mn_gp_inference)m->fitted_inference };
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct gp_classifier *m = self;
  const mn_indexes code = { .at = (int32_t *)data->code, .size = data->rows };
  MN_TRY(mn_value_copy(ctx, MN_KIND_INDEXES, &code, &m->code));
  m->fitted_inference = m->inference;
  return mn_gp_latent_fit(ctx, &m->latent, data, data->classes == 2 ? 1 : data->classes, problem_of, NULL);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct gp_classifier *m = self;
  if (m->fitted_inference != MN_GP_LAPLACE && m->fitted_inference != MN_GP_EP)
    return mn_fail(ctx, MN_BAD_FILE, "GaussianProcessClassifier: the archive has an unknown kind of inference");
  return mn_gp_latent_check(ctx, &m->latent);
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

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct gp_classifier *m = self;
  const size_t rows = data->rows, functions = m->latent.dual_coef.rows;
  double *mean = MN_RAW(ctx, double, rows, 1), *variance = MN_RAW(ctx, double, rows, 1);
  if (!mean || !variance) return MN_NO_MEMORY;
  for (size_t f = 0; f < functions; f++) {
    MN_TRY(mn_gp_latent_model_moments(ctx, &m->latent, data, f, mean, variance));
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
  (void)options;
  return mn_gp_latent_results(ctx, &m->latent, data, 0, results);
}

static mn_status likelihood(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                            mn_results *results)
{
  const struct gp_classifier *m = self;
  const struct mn_gp_theta_option *o = options;
  (void)data;
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
  MN_END,
};

static const mn_field fields[] = {
  MN_GP_LATENT_FIELDS("decisions"),
  MN_LEARNED(MN_KIND_INDEXES, struct gp_classifier, code, "rows < classes", NULL),
  MN_LEARNED(MN_KIND_COUNT, struct gp_classifier, fitted_inference, "", NULL),
  MN_END,
};

const mn_class mn_gaussian_process_classifier = {
  .name = "GaussianProcessClassifier",
  .family = "gaussian process",
  .brief = "Gaussian process classification: probabilities less certain far from data.",
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
  .derive = mn_gp_latent_derive,
};
