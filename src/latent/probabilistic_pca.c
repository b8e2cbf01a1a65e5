/* Probabilistic PCA: x = mean + W z + e with z ~ N(0, I) and e ~ N(0, noise I), that is x ~ N(mean, W W' + noise I).
 *
 * Without missing values the maximum of the likelihood is known. With the eigenvalues l_1 >= l_2 >= ... and vectors u
 * of the covariance S (divisor: the sum of the weights),
 *
 *     noise = mean of l_c, c > k;   W = U (L - noise I)^(1/2), c <= k.
 *
 * With missing values EM finds it, ppca_em.c. Tipping & Bishop, J. R. Statist. Soc. B 61 (1999). */
#include "../core/threads.h"
#include "../factorization/lapack.h"
#include "../linalg/ordered.h"
#include "../linalg/product.h"
#include "../decomposition/components.h"
#include "../model/program.h"
#include "probabilistic_pca.h"
#include "../stats/special.h"
#include <stdio.h>
#include <string.h>

enum { SOLVER_AUTO, SOLVER_CLOSED_FORM, SOLVER_EM };
static const char *const solvers[] = { "auto", "closed_form", "em", NULL };

/* The noise variance is at least this fraction of the mean variance of the columns, so that densities are finite. */
static const double least_noise = 1e-10;

static mn_status count_components(mn_context *ctx, const struct probabilistic_pca *m, const mn_data *data, size_t *k)
{
  const size_t p = data->features, n = data->rows, most = n >= p + 1 ? p - 1 : n > 2 ? n - 2 : 1;
  if (n < 2) return mn_fail(ctx, MN_BAD_DATA, "ProbabilisticPCA: X must have at least 2 rows, got %zu", n);
  if (p < 2) return mn_fail(ctx, MN_BAD_DATA, "ProbabilisticPCA: X must have at least 2 columns, got %zu", p);
  if (m->n_components != MN_UNSET && m->n_components >= (int64_t)p)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "ProbabilisticPCA: n_components must be less than columns = %zu, got %lld", p,
                   (long long)m->n_components);
  *k = m->n_components != MN_UNSET ? (size_t)m->n_components : most;
  return MN_OK;
}

/* Eigenvalues, all of them, and the first k vectors of the covariance. */
struct spectrum {
  size_t p, k;
  double *mean, *values, *vectors, noise, floor;
};

static mn_status find_spectrum(mn_context *ctx, struct probabilistic_pca *m, const mn_data *data, size_t k,
                               struct spectrum *s)
{
  const size_t p = data->features;
  double *scatter = MN_RAW(ctx, double, p, p), total = 0, rest = 0;
  *s = (struct spectrum){ .p = p,
                          .k = k,
                          .mean = MN_RAW(ctx, double, p, 1),
                          .values = MN_RAW(ctx, double, k, 1),
                          .vectors = MN_RAW(ctx, double, k, p) };
  if (!scatter || !s->mean || !s->values || !s->vectors) return MN_NO_MEMORY;
  MN_TRY(mn_gram(ctx, data->rows, p, data->x.at, p, 0, NULL, 0, data->weights, true, &m->n, s->mean, scatter, p));
  for (size_t i = 0; i < p * p; i++) scatter[i] /= m->n;
  for (size_t j = 0; j < p; j++) total += scatter[j * p + j];
  if (!isfinite(total))
    return mn_fail(ctx, MN_BAD_DATA, "ProbabilisticPCA: the squares of X overflow; scale the columns");
  if (!(total > 0)) return mn_fail(ctx, MN_BAD_DATA, "ProbabilisticPCA: all columns of X are constant");
  MN_TRY(mn_eigh(ctx, p, k, MN_LARGEST, scatter, s->values, s->vectors));
  rest = total;
  for (size_t c = 0; c < k; c++) rest -= s->values[c];
  s->floor = least_noise * total / (double)p;
  s->noise = fmax(rest / (double)(p - k), s->floor);
  m->loglike = fmax(rest, 0) / s->noise + (double)(p - k) * log(s->noise) + (double)p * MN_LOG_2PI;
  for (size_t c = 0; c < k; c++) {
    const double variance = fmax(s->values[c], s->noise);
    m->loglike += log(variance) + s->values[c] / variance;
    s->values[c] = variance;
  }
  m->loglike *= -m->n / 2;
  return MN_OK;
}

static mn_status store(mn_context *ctx, struct probabilistic_pca *m, const struct spectrum *s)
{
  const size_t p = s->p, k = s->k;
  MN_TRY(mn_matrix_init(ctx, &m->components, k, p));
  MN_TRY(mn_vector_init(ctx, &m->mean, p));
  MN_TRY(mn_vector_init(ctx, &m->explained_variance, k));
  mn_fix_signs(k, p, s->vectors);
  memcpy(m->components.at, s->vectors, k * p * sizeof *s->vectors);
  memcpy(m->mean.at, s->mean, p * sizeof *s->mean);
  memcpy(m->explained_variance.at, s->values, k * sizeof *s->values);
  m->noise_variance = s->noise;
  m->n_parameters = (int64_t)(p * k - k * (k - 1) / 2 + p + 1);
  m->aic = 2 * (double)m->n_parameters - 2 * m->loglike;
  m->bic = log(m->n) * (double)m->n_parameters - 2 * m->loglike;
  return MN_OK;
}

/* The parameters of EM: W is determined up to a rotation. */
static void to_state(const struct spectrum *s, const mn_ppca *f)
{
  memcpy(f->mean, s->mean, s->p * sizeof *s->mean);
  *f->noise = s->noise;
  for (size_t j = 0; j < s->p; j++)
    for (size_t c = 0; c < s->k; c++)
      f->w[j * s->k + c] = sqrt(fmax(s->values[c] - s->noise, 0)) * s->vectors[c * s->p + j];
}

/* Its principal axes, by singular values. */
static mn_status from_state(mn_context *ctx, const mn_ppca *f, struct spectrum *s)
{
  const size_t p = s->p, k = s->k;
  double *turned = MN_RAW(ctx, double, k, p);
  MN_CHECK_ALLOC(turned);
  for (size_t j = 0; j < p; j++)
    for (size_t c = 0; c < k; c++) turned[c * p + j] = f->w[j * k + c];
  MN_TRY(mn_svd(ctx, k, p, turned, NULL, s->values, s->vectors));
  memcpy(s->mean, f->mean, p * sizeof *s->mean);
  s->noise = *f->noise;
  for (size_t c = 0; c < k; c++) s->values[c] = s->values[c] * s->values[c] + s->noise;
  return MN_OK;
}

/* A start of EM with loadings of any size: all directions may still grow. */
static void lift_noise(struct spectrum *s)
{
  if (s->noise <= s->floor) s->noise = fmax(0.1 * s->values[s->k - 1], s->floor);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct probabilistic_pca *m = self;
  size_t k = 0;
  struct spectrum s;
  mn_data filled;
  bool missing;
  MN_TRY(count_components(ctx, m, data, &k));
  MN_TRY(mn_ppca_fill(ctx, "ProbabilisticPCA", data, &filled, &missing));
  if (missing && m->solver == SOLVER_CLOSED_FORM)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "ProbabilisticPCA: X has missing values, which need solver = \"em\" or \"auto\"");
  MN_TRY(find_spectrum(ctx, m, &filled, k, &s));
  if (m->solver == SOLVER_EM || missing) {
    double *state = MN_RAW(ctx, double, mn_ppca_size(s.p, k), 1);
    MN_CHECK_ALLOC(state);
    const mn_ppca f = mn_ppca_view(s.p, k, state);
    lift_noise(&s);
    to_state(&s, &f);
    m->base.report.advice = "increase max_iter or tol";
    MN_TRY(mn_ppca_fit(ctx, data, k, m->tol, s.floor, m->max_iter, NULL, state, &m->base.report));
    m->loglike = -m->base.report.objective;
    MN_TRY(from_state(ctx, &f, &s));
  } else {
    MN_TRY(mn_round(ctx, &m->base.report, 1, -m->loglike) ? MN_OK : mn_error_status(ctx));
    m->base.report.converged = true;
  }
  return store(ctx, m, &s);
}

/* z_c = gain_c u_c (x - mean), the posterior mean of a complete row. */
static double gain(const struct probabilistic_pca *m, size_t c)
{
  const double variance = m->explained_variance.at[c];
  return sqrt(fmax(variance - m->noise_variance, 0)) / variance;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct probabilistic_pca *m = self;
  const size_t p = data->features, k = out->cols;
  mn_ppca f;
  mn_ppca_posterior posterior;
  double *z = MN_RAW(ctx, double, p, 1);
  MN_CHECK_ALLOC(z);
  MN_TRY(mn_ppca_of(ctx, m, &f, &posterior));
  for (size_t i = 0; i < data->rows; i++) {
    const double *x = mn_row(&data->x, i);
    if (i % MN_CHUNK == 0) MN_TRY(mn_poll(ctx));
    if (!mn_ppca_is_complete(p, x)) {
      mn_ppca_row(&f, x, &posterior);
      memcpy(mn_row(out, i), posterior.z, k * sizeof *posterior.z);
      continue;
    }
    for (size_t j = 0; j < p; j++) z[j] = x[j] - m->mean.at[j];
    for (size_t c = 0; c < k; c++) mn_row(out, i)[c] = mn_ordered_dot(p, z, mn_row(&m->components, c)) * gain(m, c);
  }
  return MN_OK;
}

/* The row in the span of the axes whose posterior mean is z. */
static mn_status inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct probabilistic_pca *m = self;
  const size_t p = out->cols, k = data->features;
  double *v = MN_NEW(ctx, double, k, p);
  MN_CHECK_ALLOC(v);
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; gain(m, c) > 0 && j < p; j++) v[c * p + j] = mn_row(&m->components, c)[j] / gain(m, c);
  for (size_t i = 0; i < out->rows; i++) memcpy(mn_row(out, i), m->mean.at, p * sizeof *out->at);
  return mn_gemm(ctx, false, false, out->rows, p, k, 1, data->x.at, k, v, p, 1, out->at, p);
}

static double log_density_at_mean(const struct probabilistic_pca *m)
{
  const size_t k = m->components.rows, p = m->components.cols;
  double log_density = -(double)p / 2 * MN_LOG_2PI - (double)(p - k) / 2 * log(m->noise_variance);
  for (size_t c = 0; c < k; c++) log_density -= log(m->explained_variance.at[c]) / 2;
  return log_density;
}

/* The log density of a complete row; z: workspace (features). */
static double complete_density(const struct probabilistic_pca *m, double start, const double *x, double *z)
{
  const size_t k = m->components.rows, p = m->components.cols;
  double distance = 0;
  for (size_t j = 0; j < p; j++) z[j] = x[j] - m->mean.at[j];
  double rest = mn_ordered_dot(p, z, z);
  for (size_t c = 0; c < k; c++) {
    const double along = mn_ordered_dot(p, z, mn_row(&m->components, c));
    distance += along * along / m->explained_variance.at[c];
    rest -= along * along;
  }
  distance += (rest > 0 ? rest : 0) / m->noise_variance;
  return start - distance / 2;
}

static mn_status score_samples(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct probabilistic_pca *m = self;
  const double start = log_density_at_mean(m);
  mn_ppca f;
  mn_ppca_posterior posterior;
  double *z = MN_RAW(ctx, double, data->features, 1);
  MN_CHECK_ALLOC(z);
  MN_TRY(mn_ppca_of(ctx, m, &f, &posterior));
  for (size_t i = 0; i < data->rows; i++) {
    const double *x = mn_row(&data->x, i);
    if (i % MN_CHUNK == 0) MN_TRY(mn_poll(ctx));
    if (mn_ppca_is_complete(data->features, x)) {
      out->at[i] = complete_density(m, start, x, z);
      continue;
    }
    mn_ppca_row(&f, x, &posterior);
    out->at[i] = posterior.log_density;
  }
  return MN_OK;
}

static mn_status export_program(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct probabilistic_pca *m = self;
  const size_t k = m->components.rows;
  double *gains = MN_RAW(ctx, double, k, 1);
  MN_CHECK_ALLOC(gains);
  if (action != MN_TRANSFORM_X && action != MN_SCORE_SAMPLES) return MN_OK;
  for (size_t c = 0; c < k; c++) gains[c] = gain(m, c);
  mn_program_reals(program, "components", k * m->components.cols, m->components.at);
  mn_program_reals(program, "mean", m->mean.size, m->mean.at);
  mn_program_code(program, "for j < features { if isnan(x[j]) {"
                           " refuse \"missing values are supported in Lua only\" } }"
                           " reals z[features] for j < features { z[j] = x[j] - mean[j] }");
  if (action == MN_TRANSFORM_X) {
    mn_program_reals(program, "gain", k, gains);
    mn_program_code(program, "for c < outputs { out[c] = dot(features, z, 0, components, c * features) * gain[c] }");
    return MN_OK;
  }
  mn_program_reals(program, "variance", k, m->explained_variance.at);
  mn_program_count(program, "k", k);
  mn_program_real(program, "start", log_density_at_mean(m));
  mn_program_real(program, "noise", m->noise_variance);
  mn_program_code(program, "real distance = 0.0 real rest = dot(features, z, 0, z, 0)"
                           " for c < k {"
                           "   real along = dot(features, z, 0, components, c * features)"
                           "   distance += along * along / variance[c] rest -= along * along"
                           " }"
                           " distance += (rest > 0 ? rest : 0.0) / noise"
                           " out[0] = start - distance / 2");
  return MN_OK;
}

static size_t outputs(const void *self)
{
  return ((const struct probabilistic_pca *)self)->components.rows;
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  (void)self;
  (void)inputs;
  snprintf(text, size, "ppca%zu", j + 1);
}

/* Check a loaded model. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct probabilistic_pca *m = self;
  bool valid = m->noise_variance > 0;
  for (size_t c = 0; valid && c < m->explained_variance.size; c++) valid = m->explained_variance.at[c] > 0;
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "ProbabilisticPCA: a variance is not positive");
}

static const mn_param params[] = {
  MN_COUNT(struct probabilistic_pca, n_components, MN_UNSET, MN_AT_LEAST(1),
           "number of components, less than the columns of X; nil: as many as leave some noise"),
  MN_CHOICE(struct probabilistic_pca, solver, SOLVER_AUTO, solvers,
            "closed_form, for X without missing values; em; auto chooses"),
  MN_REAL(struct probabilistic_pca, tol, 1e-6, MN_AT_LEAST(0),
          "of em: stop when the mean log likelihood of a row rises by less"),
  MN_COUNT(struct probabilistic_pca, max_iter, 1000, MN_AT_LEAST(1), "of em: maximum number of iterations"),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct probabilistic_pca, components, "components x features", "unit vectors of the principal axes"),
  MN_VECTOR(struct probabilistic_pca, mean, "features", "mean of each column"),
  MN_VECTOR(struct probabilistic_pca, explained_variance, "components",
            "variance of the model along each axis, noise included"),
  MN_NUMBER(struct probabilistic_pca, noise_variance, "variance of the noise, in all directions"),
  MN_NUMBER(struct probabilistic_pca, loglike, "log likelihood of the rows of fit"),
  MN_INTEGER(struct probabilistic_pca, n_parameters, "number of free parameters"),
  MN_NUMBER(struct probabilistic_pca, aic, "2 n_parameters - 2 loglike"),
  MN_NUMBER(struct probabilistic_pca, bic, "n_parameters log(n) - 2 loglike"),
  MN_NUMBER(struct probabilistic_pca, n, "sum of the sample weights; the number of rows without weights"),
  MN_END,
};

const mn_class mn_probabilistic_pca = {
  .name = "ProbabilisticPCA",
  .family = "decomposition",
  .brief = "PCA as a density: latent coordinates, noise, missing values.",
  .objective = "maximize the likelihood of x ~ N(mean, W W' + noise I)",
  .source = "Tipping & Bishop, J. R. Statist. Soc. B 61 (1999); Ilin & Raiko, JMLR 11 (2010)",
  .notes =
      "The axes are those of PCA; variances have divisor n, not n - 1. transform gives posterior means of z, which "
      "are PCA with whitening as the noise goes to 0; inverse_transform the projections onto the axes. Missing values "
      "are integrated out. Noise is at least 1e-10 of the mean variance of the columns. Compare bic to choose "
      "n_components.",
  .example = "local X = ml.normal(50, 1, 1) * ml.Matrix{ {3, 2, 1} } + ml.normal(50, 3, 2)\n"
             "X:set(1, 2, 0/0)\n"
             "local model = ml.ProbabilisticPCA{ n_components = 1 }:fit(X)\n"
             "print(model.components, model:conditional(X:slice(1, 1)).mean)",
  .capabilities = MN_TRANSFORM | MN_DENSITY | MN_ITERATE,
  .accepts = MN_WEIGHTS | MN_MISSING,
  .size = sizeof(struct probabilistic_pca),
  .params = params,
  .fields = fields,
  .operations = mn_ppca_operations,
  .fit = fit,
  .transform = transform,
  .inverse_transform = inverse_transform,
  .score_samples = score_samples,
  .export = export_program,
  .outputs = outputs,
  .output_name = output_name,
  .check = check,
};
