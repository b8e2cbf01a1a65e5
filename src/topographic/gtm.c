/* Generative topographic mapping: actions, operations and the class table. The fit is in gtm_fit.c. */
#include "gtm.h"
#include "../core/rng.h"
#include "../factorization/lapack.h"
#include <stdio.h>
#include <string.h>

static const char *const projections[] = { "mean", "mode", NULL };

/* A pass over `data` with the fitted model. */
static mn_status prepare_pass(mn_context *ctx, const mn_gtm_model *m, const mn_data *data, mn_gtm_pass *pass)
{
  const size_t k = m->centers.rows, p = m->centers.cols;
  double *y = MN_RAW(ctx, double, k, p);
  MN_CHECK_ALLOC(y);
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++) y[c * p + j] = m->centers.at[c * p + j] - m->intercept.at[j];
  *pass = (mn_gtm_pass){ .data = data,
                         .k = k,
                         .p = p,
                         .q = m->latent_points.cols,
                         .origin = m->intercept.at,
                         .y = y,
                         .latent = m->latent_points.at,
                         .noise_variance = m->noise_variance,
                         .missing = mn_gtm_has_missing(data) };
  return MN_OK;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_gtm_model *m = self;
  mn_gtm_pass pass;
  MN_TRY(prepare_pass(ctx, m, data, &pass));
  *(m->projection == MN_GTM_MODE ? &pass.mode : &pass.mean) = out->at;
  return mn_gtm_run_pass(ctx, &pass);
}

static mn_status inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return mn_gtm_map(ctx, self, data->rows, data->x.at, out->at);
}

static mn_status score_samples(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  mn_gtm_pass pass;
  MN_TRY(prepare_pass(ctx, self, data, &pass));
  pass.log_density = out->at;
  return mn_gtm_run_pass(ctx, &pass);
}

static size_t outputs(const void *self)
{
  return ((const mn_gtm_model *)self)->latent_points.cols;
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  (void)self;
  (void)inputs;
  snprintf(text, size, "gtm%zu", j + 1);
}

/* --- operations --- */

static mn_status responsibilities(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                  mn_results *results)
{
  const mn_gtm_model *m = self;
  mn_gtm_pass pass;
  mn_matrix *out;
  (void)options;
  MN_TRY(mn_result_matrix(ctx, results, "responsibilities", data->rows, m->centers.rows, &out));
  MN_TRY(prepare_pass(ctx, m, data, &pass));
  pass.responsibility = out->at;
  return mn_gtm_run_pass(ctx, &pass);
}

static mn_status posterior(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                           mn_results *results)
{
  const mn_gtm_model *m = self;
  const size_t n = data->rows, q = m->latent_points.cols;
  mn_gtm_pass pass;
  mn_matrix *mean, *mode, *variance;
  mn_vector *entropy;
  (void)options;
  MN_TRY(mn_result_matrix(ctx, results, "mean", n, q, &mean));
  MN_TRY(mn_result_matrix(ctx, results, "mode", n, q, &mode));
  MN_TRY(mn_result_matrix(ctx, results, "variance", n, q, &variance));
  MN_TRY(mn_result_vector(ctx, results, "entropy", n, &entropy));
  MN_TRY(prepare_pass(ctx, m, data, &pass));
  pass.mean = mean->at;
  pass.mode = mode->at;
  pass.variance = variance->at;
  pass.entropy = entropy->at;
  return mn_gtm_run_pass(ctx, &pass);
}

struct magnification_options {
  mn_matrix points;
};

static const mn_param magnification_params[] = {
  MN_TABLE(struct magnification_options, points, MN_NO_LIMITS(),
           "points of latent space, rows x components; nil: latent_points"),
  MN_END,
};

/* From the eigenvalues of J J', with J the q x p Jacobian: the stretches are their roots, and the factor the product.
 */
static mn_status magnification(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                               mn_results *results)
{
  const mn_gtm_model *m = self;
  const mn_matrix *given = &((const struct magnification_options *)options)->points;
  const mn_matrix *at = given->at ? given : &m->latent_points;
  const size_t q = m->latent_points.cols, p = m->coef.cols;
  double *phi = MN_RAW(ctx, double, m->coef.rows, 1), *jacobian = MN_RAW(ctx, double, q, p);
  double *metric = MN_RAW(ctx, double, q, q);
  mn_vector *factor;
  mn_matrix *stretch;
  (void)data;
  if (!phi || !jacobian || !metric) return MN_NO_MEMORY;
  if (at->cols != q)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "GTM: points must have %zu columns, one for each component, got %zu", q,
                   at->cols);
  MN_TRY(mn_result_vector(ctx, results, "factor", at->rows, &factor));
  MN_TRY(mn_result_matrix(ctx, results, "stretch", at->rows, q, &stretch));
  for (size_t i = 0; i < at->rows; i++) {
    mn_gtm_jacobian(m, mn_row(at, i), phi, jacobian);
    for (size_t a = 0; a < q; a++)
      for (size_t b = 0; b < q; b++) {
        metric[a * q + b] = 0;
        for (size_t j = 0; j < p; j++) metric[a * q + b] += jacobian[a * p + j] * jacobian[b * p + j];
      }
    MN_TRY(mn_eigh(ctx, q, q, MN_LARGEST, metric, mn_row(stretch, i), NULL));
    factor->at[i] = 1;
    for (size_t c = 0; c < q; c++) {
      mn_row(stretch, i)[c] = sqrt(fmax(mn_row(stretch, i)[c], 0));
      factor->at[i] *= mn_row(stretch, i)[c];
    }
    if (i % 1024 == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

static mn_status sample(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results)
{
  const mn_gtm_model *m = self;
  const mn_sample_options *o = options;
  const double deviation = sqrt(m->noise_variance);
  mn_matrix *x;
  (void)data;
  MN_TRY(mn_result_matrix(ctx, results, "sample", (size_t)o->n, m->centers.cols, &x));
  for (size_t i = 0; i < x->rows; i++) {
    mn_rng rng = mn_stream(o->seed, i);
    const double *center = mn_row(&m->centers, mn_random_below(&rng, m->centers.rows));
    for (size_t j = 0; j < x->cols; j++) mn_row(x, i)[j] = center[j] + deviation * mn_random_normal(&rng);
    if (i % MN_CHUNK == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

static const mn_operation operations[] = {
  { .name = "responsibilities",
    .brief = "probability of each node for each row of X",
    .returns = "Matrix: rows x nodes",
    .needs = MN_NEEDS_X,
    .run = responsibilities },
  { .name = "posterior",
    .brief = "mean, mode, variance and entropy of the distribution of each row of X over the nodes",
    .returns = "mean, mode, variance (Matrix: rows x components), entropy (Vector: rows)",
    .needs = MN_NEEDS_X,
    .run = posterior },
  { .name = "magnification",
    .brief = "how much the mapping enlarges areas: factor, and stretch along the principal directions",
    .returns = "factor (Vector: points), stretch (Matrix: points x components)",
    .options = magnification_params,
    .options_size = sizeof(struct magnification_options),
    .run = magnification },
  { .name = "sample",
    .brief = "rows drawn from the model",
    .returns = "Matrix: n x features",
    .options = mn_sample_params,
    .options_size = sizeof(mn_sample_options),
    .run = sample },
  { .name = NULL },
};

/* --- loading and export --- */

static mn_status check(mn_context *ctx, const void *self)
{
  const mn_gtm_model *m = self;
  const size_t q = (size_t)m->n_components, k = m->latent_points.rows;
  const bool valid = m->latent_points.cols == q && mn_gtm_power((size_t)m->grid_size, q, k) == k &&
                     mn_gtm_power((size_t)m->basis_size, q, m->coef.rows) == m->coef.rows && m->noise_variance > 0;
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "GTM: the grids do not fit the parameters");
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_gtm_model *m = self;
  const size_t k = m->centers.rows;
  (void)ctx;
  if (action != MN_TRANSFORM_X && action != MN_SCORE_SAMPLES) return MN_OK;
  mn_program_reals(program, "centers", k * m->centers.cols, m->centers.at);
  mn_program_count(program, "nodes", k);
  mn_program_real(program, "scale", -0.5 / m->noise_variance);
  mn_program_code(program,
                  "reals score[nodes] real present = 0.0"
                  " for j < features { if !isnan(x[j]) { present += 1.0 } }"
                  " for c < nodes {"
                  "   real distance = 0.0"
                  "   for j < features { if !isnan(x[j]) {"
                  "     distance += (x[j] - centers[c * features + j]) * (x[j] - centers[c * features + j]) } }"
                  "   score[c] = scale * distance"
                  " }"
                  " int best = 0"
                  " for c < nodes { if score[c] > score[best] { best = c } }");
  if (action == MN_SCORE_SAMPLES) {
    mn_program_real(program, "log_nodes", log((double)k));
    mn_program_real(program, "log_scale", (log(m->noise_variance) + 1.83787706640934548356) / 2);
    mn_program_code(program, "real sum = 0.0 for c < nodes { sum += exp(score[c] - score[best]) }"
                             " out[0] = score[best] + log(sum) - log_nodes - present * log_scale");
    return MN_OK;
  }
  mn_program_reals(program, "latent", k * m->latent_points.cols, m->latent_points.at);
  if (m->projection == MN_GTM_MODE)
    mn_program_code(program, "for d < outputs { out[d] = latent[best * outputs + d] }");
  else
    mn_program_code(program, "real sum = 0.0 real r = score[best] for d < outputs { out[d] = 0.0 }"
                             " for c < nodes { r = exp(score[c] - score[best]) sum += r"
                             " for d < outputs { out[d] += r * latent[c * outputs + d] } }"
                             " for d < outputs { out[d] = out[d] / sum }");
  return MN_OK;
}

static const mn_param params[] = {
  MN_COUNT(mn_gtm_model, n_components, 2, MN_CLOSED(1, 8), "dimensions of latent space, at most the columns of X"),
  MN_COUNT(mn_gtm_model, grid_size, 16, MN_CLOSED(2, 1 << 12), "nodes of the latent grid in each dimension"),
  MN_COUNT(mn_gtm_model, basis_size, 4, MN_CLOSED(1, 1 << 10), "basis functions in each dimension"),
  MN_REAL(mn_gtm_model, basis_width, 1, MN_CLOSED(0.01, 100),
          "standard deviation of the basis functions, in distances between their centers; larger: smoother"),
  MN_PENALTY(mn_gtm_model, alpha, 0.1, MN_AT_LEAST(0),
             "precision of the normal prior of the coefficients, in inverse mean variances of the columns of X"),
  MN_CHOICE(mn_gtm_model, projection, MN_GTM_MEAN, projections,
            "what transform returns of the posterior distribution: its mean, or the likeliest node"),
  MN_REAL(mn_gtm_model, tol, 1e-4, MN_AT_LEAST(0),
          "stop when an iteration increases the log likelihood per row by at most this"),
  MN_COUNT(mn_gtm_model, max_iter, 200, MN_CLOSED(1, INT32_MAX), "maximum number of iterations"),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(mn_gtm_model, latent_points, "nodes x components",
            "the nodes: a regular grid in [-1, 1] in each dimension"),
  MN_MATRIX(mn_gtm_model, centers, "nodes x features", "the nodes mapped to the space of X"),
  MN_MATRIX(mn_gtm_model, coef, "basis x features", "coefficients of the basis functions"),
  MN_VECTOR(mn_gtm_model, intercept, "features", "constant term of the mapping"),
  MN_NUMBER(mn_gtm_model, noise_variance, "variance of the rows about the centers, in each column"),
  MN_NUMBER(mn_gtm_model, loglike, "log likelihood of the rows of fit, without the prior"),
  MN_END,
};

const mn_class mn_gtm = {
  .name = "GTM",
  .family = "manifold",
  .brief = "Generative topographic mapping: a curved sheet through the data, with noise.",
  .objective = "-sum_i w_i log (1/K sum_k N(x_i | y(u_k), v I)) + alpha/2 |W|^2",
  .source = "Bishop, Svensen & Williams, Neural Computation 10 (1998)",
  .notes = "EM from the plane of the principal components; the penalized likelihood never decreases. The intercept is "
           "not penalized, unlike in the GTM toolbox. Missing values are integrated out. Scale the columns first if "
           "their units differ. transform returns the posterior mean, which may lie between two likely regions: "
           "posterior(X) also has mode, variance and entropy. magnification() shows where the sheet is stretched. "
           "Exported programs agree to 1e-7.",
  .example = "local X = ml.StandardScaler{}:fit_transform(ml.read_csv('examples/data/wine.csv'):drop('class'))\n"
             "local model = ml.GTM{ grid_size = 10 }:fit(X)\n"
             "print(model.loglike, model:transform(X):slice(1, 3))",
  .capabilities = MN_TRANSFORM | MN_DENSITY | MN_ITERATE | MN_APPROXIMATE_INVERSE,
  .accepts = MN_WEIGHTS | MN_MISSING,
  .size = sizeof(mn_gtm_model),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = mn_gtm_fit,
  .transform = transform,
  .inverse_transform = inverse_transform,
  .score_samples = score_samples,
  .outputs = outputs,
  .output_name = output_name,
  .check = check,
  .export = export,
  .export_tolerance = 1e-7,
};
