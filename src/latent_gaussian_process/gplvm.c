/* Gaussian process latent variable model: actions, operations and the class table. */
#include "gplvm.h"
#include "../kernel/kernel_value.h"
#include "../model/program.h"
#include "../actions/embedding.h"
#include <stdio.h>

static const char *const priors[] = { "normal", "none", NULL };

static mn_status predict_rows(mn_context *ctx, const struct mn_gplvm *m, size_t n, const double *z, double *mean,
                              double *variance)
{
  const size_t p = m->training_rows.cols;
  mn_gplvm_groups groups;
  double *work = MN_RAW(ctx, double, 2, m->embedding.rows);
  MN_CHECK_ALLOC(work);
  MN_TRY(mn_gplvm_posterior(ctx, m, &groups));
  for (size_t i = 0; i < n; i++) {
    mn_gplvm_predict(m, &groups, z + i * m->embedding.cols, work, mean + i * p, variance ? variance + i * p : NULL);
    if (i % 64 == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

static mn_status inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return predict_rows(ctx, self, data->rows, data->x.at, out->at, NULL);
}

void mn_gplvm_output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  (void)self;
  (void)inputs;
  snprintf(text, size, "gplvm%zu", j + 1);
}

/* --- operations --- */

struct point_options {
  mn_matrix points;
  mn_vector theta;
};

static const mn_param posterior_params[] = {
  MN_TABLE(struct point_options, points, MN_NO_LIMITS(), "latent positions, rows x components; nil: the embedding"),
  MN_END,
};

static mn_status check_points(mn_context *ctx, const struct mn_gplvm *m, const mn_matrix *points)
{
  if (points->cols == m->embedding.cols) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "GPLVM: points must have %zu columns, one for each component, got %zu",
                 m->embedding.cols, points->cols);
}

static mn_status posterior(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                           mn_results *results)
{
  const struct mn_gplvm *m = self;
  const struct point_options *o = options;
  const mn_matrix *points = o->points.at ? &o->points : &m->embedding;
  const size_t p = m->training_rows.cols;
  mn_matrix *mean, *variance;
  (void)data;
  MN_TRY(check_points(ctx, m, points));
  MN_TRY(mn_result_matrix(ctx, results, "mean", points->rows, p, &mean));
  MN_TRY(mn_result_matrix(ctx, results, "variance", points->rows, p, &variance));
  return predict_rows(ctx, m, points->rows, points->at, mean->at, variance->at);
}

static const mn_param likelihood_params[] = {
  MN_TABLE(struct point_options, points, MN_NO_LIMITS(), "positions of the training rows; nil: the embedding"),
  MN_REALS(struct point_options, theta, MN_NO_LIMITS(),
           "logarithms of the hyperparameters that are not fixed; nil: those of the fit"),
  MN_END,
};

static mn_status log_likelihood(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                mn_results *results)
{
  const struct mn_gplvm *m = self;
  const struct point_options *o = options;
  const mn_matrix *points = o->points.at ? &o->points : &m->embedding, *rows = &m->training_rows;
  const size_t free = mn_kernel_free_count(&m->fitted_kernel);
  mn_gplvm_groups groups;
  mn_kernel kernel;
  mn_vector *by_theta;
  mn_matrix *by_points;
  double value;
  (void)data;
  MN_TRY(check_points(ctx, m, points));
  if (points->rows != rows->rows)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "GPLVM: points must have a row for each training row, %zu, got %zu",
                   rows->rows, points->rows);
  if (o->theta.at && o->theta.size != free)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "GPLVM: theta must have %zu values, got %zu", free, o->theta.size);
  MN_TRY(mn_kernel_scratch_copy(ctx, &m->fitted_kernel, &kernel));
  if (o->theta.at) mn_kernel_set_theta(&kernel, o->theta.at);
  MN_TRY(mn_result_vector(ctx, results, "theta_gradient", free, &by_theta));
  MN_TRY(mn_result_matrix(ctx, results, "points_gradient", points->rows, points->cols, &by_points));
  MN_TRY(mn_gplvm_make_groups(ctx, rows->rows, rows->cols, rows->at, m->mean.at, m->unit, &groups));
  MN_TRY(mn_gplvm_likelihood(ctx, &kernel, points->cols, points->at, &groups, &value, by_theta->at, by_points->at));
  mn_result_real(results, "value", value - groups.values * log(m->unit));
  return MN_OK;
}

static const mn_operation operations[] = {
  { .name = "posterior",
    .brief = "mean and variance of the columns of X at latent positions, noise included",
    .returns = "mean, variance (Matrix: points x features)",
    .options = posterior_params,
    .options_size = sizeof(struct point_options),
    .run = posterior },
  { .name = "log_likelihood",
    .brief = "log likelihood of the training rows at given positions and hyperparameters, with its gradients",
    .returns = "value, theta_gradient (Vector: hyperparameters), points_gradient (Matrix: rows x components)",
    .options = likelihood_params,
    .options_size = sizeof(struct point_options),
    .run = log_likelihood },
  { .name = NULL },
};

static mn_status check(mn_context *ctx, const void *self)
{
  const struct mn_gplvm *m = self;
  const bool valid = m->embedding.rows == m->training_rows.rows && m->unit > 0 &&
                     mn_kernel_has_values(&m->fitted_kernel) &&
                     (!m->back_coef.at || (m->back_coef.rows == m->embedding.rows && m->back_length > 0));
  if (!valid) return mn_fail(ctx, MN_BAD_FILE, "GPLVM: embedding, rows and kernel do not fit");
  return mn_kernel_check(ctx, "GPLVM", &m->fitted_kernel, m->embedding.cols);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct mn_gplvm *m = self;
  (void)action;
  (void)program;
  return mn_cannot_export(ctx, &m->base, "new rows are placed by an iteration");
}

static const mn_param params[] = {
  MN_COUNT(struct mn_gplvm, n_components, 2, MN_CLOSED(1, INT32_MAX),
           "dimensions of latent space, at most the columns of X"),
  MN_KERNEL_PARAM(struct mn_gplvm, kernel, MN_KERNEL_RBF,
                  "kernel of latent positions: a name, which stands for Constant * kernel + White, or a value of "
                  "ml.kernel, which should have White"),
  MN_CHOICE(struct mn_gplvm, prior, MN_GPLVM_NORMAL, priors, "prior of the positions: standard normal, or none"),
  MN_TABLE(struct mn_gplvm, start, MN_NO_LIMITS(),
           "positions to start from, rows x n_components; nil: principal components of variance 1"),
  MN_FLAG(struct mn_gplvm, back_constraints, false,
          "make positions a smooth function of the rows: near rows stay near, and new rows are placed at once"),
  MN_REAL(struct mn_gplvm, back_width, 1, MN_CLOSED(0.01, 100),
          "length of the RBF kernel of the back constraints, in mean distances between rows"),
  MN_FLAG(struct mn_gplvm, normalize, true, "divide X by the root of the mean variance of its columns"),
  MN_COUNT(struct mn_gplvm, max_rows, 3000, MN_CLOSED(1, INT32_MAX), "more rows are an error"),
  MN_REAL(struct mn_gplvm, tol, 1e-6, MN_AT_LEAST(0), "stop when the relative decrease of the objective is smaller"),
  MN_COUNT(struct mn_gplvm, max_iter, 200, MN_CLOSED(1, INT32_MAX), "maximum number of iterations"),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct mn_gplvm, embedding, "rows x components", "latent positions of the training rows"),
  MN_LEARNED(MN_KIND_KERNEL, struct mn_gplvm, fitted_kernel, "", "kernel with its hyperparameters"),
  MN_NUMBER(struct mn_gplvm, loglike, "log likelihood of X at the embedding, without priors"),
  MN_VECTOR(struct mn_gplvm, mean, "features", "mean of each column"),
  MN_NUMBER(struct mn_gplvm, unit, "what the columns were divided by"),
  MN_LEARNED(MN_KIND_MATRIX, struct mn_gplvm, training_rows, "rows x features", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct mn_gplvm, back_coef, "mapped? x components?", NULL),
  MN_LEARNED(MN_KIND_REAL, struct mn_gplvm, back_length, "", NULL),
  MN_END,
};

const mn_class mn_gplvm = {
  .name = "GPLVM",
  .family = "latent",
  .brief = "Gaussian process latent variables: a smooth nonlinear form of PCA.",
  .objective = "-sum_j log N(x_.j | 0, K(Z, Z)) + |Z|^2 / 2 over positions Z and hyperparameters",
  .source = "Lawrence, JMLR 6 (2005); back constraints: Lawrence & Quinonero-Candela, ICML (2006)",
  .notes = "Columns are centered, and share one kernel. For few rows: an iteration costs n^3. Missing values are left "
           "out of the likelihood. Local optima: compare `start`. transform finds the likeliest position of each new "
           "row, from those of its nearest training rows; fit_transform gives the embedding. posterior() has means "
           "and variances at any position. Scale the columns first if their units differ.",
  .example = "local X = ml.read_csv('examples/data/iris.csv'):drop('species'):slice(1, 60)\n"
             "local model = ml.GPLVM{ max_iter = 50 }:fit(X)\n"
             "print(model.fitted_kernel, model.loglike, model.embedding:slice(1, 3))",
  .capabilities = MN_TRANSFORM | MN_ITERATE | MN_APPROXIMATE_INVERSE,
  .accepts = MN_MISSING,
  .size = sizeof(struct mn_gplvm),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = mn_gplvm_fit,
  .transform = mn_gplvm_transform,
  .training_transform = mn_training_embedding,
  .inverse_transform = inverse_transform,
  .outputs = mn_embedding_columns,
  .output_name = mn_gplvm_output_name,
  .check = check,
  .export = export,
};
