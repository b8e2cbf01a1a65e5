/* Bayesian Gaussian process latent variable model: actions, operations and the class table. */
#include "bayesian_gplvm.h"
#include "gplvm.h"
#include "../model/program.h"
#include "../actions/embedding.h"
#include <string.h>

static mn_status inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return mn_bayesian_gplvm_predict(ctx, self, data->rows, data->x.at, out->at, NULL);
}

/* --- operations --- */

struct point_options {
  mn_matrix points;
};

static const mn_param posterior_params[] = {
  MN_TABLE(struct point_options, points, MN_NO_LIMITS(), "latent positions, rows x components; nil: the embedding"),
  MN_END,
};

static mn_status posterior(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                           mn_results *results)
{
  const struct mn_bayesian_gplvm *m = self;
  const mn_matrix *given = &((const struct point_options *)options)->points;
  const mn_matrix *points = given->at ? given : &m->embedding;
  const size_t p = m->training_rows.cols;
  mn_matrix *mean, *variance;
  (void)data;
  if (points->cols != m->embedding.cols)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "BayesianGPLVM: points must have %zu columns, one for each component, got %zu",
                   m->embedding.cols, points->cols);
  MN_TRY(mn_result_matrix(ctx, results, "mean", points->rows, p, &mean));
  MN_TRY(mn_result_matrix(ctx, results, "variance", points->rows, p, &variance));
  return mn_bayesian_gplvm_predict(ctx, m, points->rows, points->at, mean->at, variance->at);
}

struct bound_options {
  mn_vector variables;
};

static const mn_param bound_params[] = {
  MN_REALS(
      struct bound_options, variables, MN_NO_LIMITS(),
      "means, logarithms of variances, inducing positions, logarithms of signal, relevances and noise; nil: of the "
      "fit"),
  MN_END,
};

static mn_status bound(mn_context *ctx, const void *self, const mn_data *data, const void *options, mn_results *results)
{
  const struct mn_bayesian_gplvm *m = self;
  const mn_vector *given = &((const struct bound_options *)options)->variables;
  mn_psi_problem psi;
  mn_vector *gradient;
  double value;
  (void)data;
  MN_TRY(mn_psi_problem_init(ctx, &m->training_rows, m->mean.at, m->unit, m->inducing.cols, m->inducing.rows, &psi));
  double *v = MN_RAW(ctx, double, psi.at.size, 1);
  MN_CHECK_ALLOC(v);
  if (given->at && given->size != psi.at.size)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "BayesianGPLVM: variables must have %zu values, got %zu", psi.at.size,
                   given->size);
  if (given->at)
    memcpy(v, given->at, psi.at.size * sizeof *v);
  else
    mn_psi_variables(m, &psi.at, v);
  MN_TRY(mn_result_vector(ctx, results, "gradient", psi.at.size, &gradient));
  MN_TRY(mn_psi_bound(ctx, &psi, v, &value, gradient->at));
  mn_result_real(results, "value", value - psi.values * log(m->unit));
  return MN_OK;
}

static const mn_operation operations[] = {
  { .name = "posterior",
    .brief = "mean and variance of the columns of X at latent positions, noise included",
    .returns = "mean, variance (Matrix: points x features)",
    .options = posterior_params,
    .options_size = sizeof(struct point_options),
    .run = posterior },
  { .name = "bound",
    .brief = "lower bound on the log likelihood at given variables, with its gradient",
    .returns = "value, gradient (Vector: variables)",
    .options = bound_params,
    .options_size = sizeof(struct bound_options),
    .run = bound },
  { .name = NULL },
};

static bool all_positive(size_t n, const double *x)
{
  bool positive = true;
  for (size_t i = 0; i < n; i++) positive = positive && x[i] > 0;
  return positive;
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct mn_bayesian_gplvm *m = self;
  const bool valid = m->embedding.rows == m->training_rows.rows && m->unit > 0 && m->signal > 0 && m->noise > 0 &&
                     all_positive(m->relevance.size, m->relevance.at) &&
                     all_positive(m->embedding_variance.rows * m->embedding_variance.cols, m->embedding_variance.at);
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "BayesianGPLVM: variances or relevances are not positive");
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)action;
  (void)program;
  return mn_cannot_export(ctx, self, "new rows are placed by an iteration");
}

static const mn_param params[] = {
  MN_COUNT(
      struct mn_bayesian_gplvm, n_components, MN_UNSET, MN_CLOSED(1, INT32_MAX),
      "dimensions of latent space, at most the columns of X; those not needed get relevance 0; nil: 10, or the columns"),
  MN_COUNT(struct mn_bayesian_gplvm, n_inducing, 20, MN_CLOSED(1, INT32_MAX),
           "inducing positions, at most one for each row"),
  MN_TABLE(struct mn_bayesian_gplvm, start, MN_NO_LIMITS(),
           "means of positions to start from, rows x n_components; nil: principal components of variance 1"),
  MN_FLAG(struct mn_bayesian_gplvm, normalize, true, "divide X by the root of the mean variance of its columns"),
  MN_REAL(struct mn_bayesian_gplvm, tol, 1e-6, MN_AT_LEAST(0),
          "stop when the relative decrease of the objective is smaller"),
  MN_COUNT(struct mn_bayesian_gplvm, max_iter, 300, MN_CLOSED(1, INT32_MAX), "maximum number of iterations"),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct mn_bayesian_gplvm, embedding, "rows x components", "means of the positions of the training rows"),
  MN_MATRIX(struct mn_bayesian_gplvm, embedding_variance, "rows x components", "variances of these positions"),
  MN_VECTOR(struct mn_bayesian_gplvm, relevance, "components",
            "inverse squared length of the kernel along each component; near 0: not needed"),
  MN_MATRIX(struct mn_bayesian_gplvm, inducing, "inducing x components", "inducing positions"),
  MN_NUMBER(struct mn_bayesian_gplvm, signal, "variance of the kernel, in squared units of `unit`"),
  MN_NUMBER(struct mn_bayesian_gplvm, noise, "variance of the noise, in squared units of `unit`"),
  MN_NUMBER(struct mn_bayesian_gplvm, lower_bound, "lower bound on the log likelihood of X"),
  MN_VECTOR(struct mn_bayesian_gplvm, mean, "features", "mean of each column"),
  MN_NUMBER(struct mn_bayesian_gplvm, unit, "what the columns were divided by"),
  MN_LEARNED(MN_KIND_MATRIX, struct mn_bayesian_gplvm, training_rows, "rows x features", NULL),
  MN_END,
};

const mn_class mn_bayesian_gplvm = {
  .name = "BayesianGPLVM",
  .family = "latent",
  .brief = "Gaussian process latent variables whose number is found from the data.",
  .objective = "-(lower bound on log p(X)): positions and functions are integrated out",
  .source = "Titsias & Lawrence, AISTATS (2010)",
  .notes =
      "Positions have normal posterior distributions instead of values; the kernel is RBF with a relevance for each "
      "component. An iteration costs rows times squared n_inducing times components. Missing values are left out. "
      "transform finds the likeliest position of each new row; fit_transform gives the means of the training rows. "
      "Scale the columns first if their units differ. Local optima: compare `start`.",
  .example = "local X = ml.read_csv('examples/data/iris.csv'):drop('species'):slice(1, 60)\n"
             "local model = ml.BayesianGPLVM{ n_components = 3, n_inducing = 10, max_iter = 50 }:fit(X)\n"
             "print(model.relevance, model.lower_bound)",
  .capabilities = MN_TRANSFORM | MN_ITERATE | MN_APPROXIMATE_INVERSE,
  .accepts = MN_MISSING,
  .size = sizeof(struct mn_bayesian_gplvm),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = mn_bayesian_gplvm_fit,
  .transform = mn_bayesian_gplvm_transform,
  .training_transform = mn_training_embedding,
  .inverse_transform = inverse_transform,
  .outputs = mn_embedding_columns,
  .output_name = mn_gplvm_output_name,
  .check = check,
  .export = export,
};
