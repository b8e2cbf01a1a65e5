/* Probabilistic independent component analysis: x = mean + A z + e, independent z of Laplace distributions with
 * variance 1, noise e ~ N(0, noise I), by EM on a bound of the likelihood (ppca_em.h).
 *
 * Lewicki & Sejnowski, Neural Computation 12 (2000); Girolami, Neural Computation 13 (2001). */
#include "../core/rng.h"
#include "../core/threads.h"
#include "../linalg/ordered.h"
#include "../linalg/product.h"
#include "../model/operation.h"
#include "../model/program.h"
#include "ica.h"
#include "ppca_em.h"
#include "whitening.h"
#include "../model/magnitudes.h"
#include <stdio.h>
#include <string.h>

struct probabilistic_ica {
  mn_estimator base;
  int64_t n_components, max_iter, seed; /* parameters */
  double tol;
  mn_matrix mixing; /* learned fields */
  mn_vector mean;
  double noise_variance, lower_bound;
};

enum { APPLY_ROUNDS = 100, START_ITERATIONS = 100 }; /* of the bound for new rows; of FastICA */

static mn_status count_components(mn_context *ctx, const struct probabilistic_ica *m, const mn_data *data, size_t *k)
{
  const size_t n = data->rows, p = data->features, most = n < p ? n : p;
  if (n < 2) return mn_fail(ctx, MN_BAD_DATA, "ProbabilisticICA: X must have at least 2 rows, got %zu", n);
  if (m->n_components != MN_UNSET && m->n_components > (int64_t)most)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "ProbabilisticICA: n_components must be at most min(rows, columns) = %zu, got %lld", most,
                   (long long)m->n_components);
  *k = m->n_components == MN_UNSET ? most : (size_t)m->n_components;
  return MN_OK;
}

/* The rotation of FastICA from a random start, k x k. */
static mn_status rotation(mn_context *ctx, int64_t seed, const mn_data *filled, const mn_whitening *white, double *w)
{
  const size_t k = white->rank;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *z = MN_RAW(ctx, double, filled->rows, k);
  mn_rng rng = mn_stream(seed, 0);
  MN_CHECK_ALLOC(z);
  for (size_t i = 0; i < k * k; i++) w[i] = mn_random_normal(&rng);
  MN_TRY(mn_whitened_rows(ctx, filled, k, white->matrix, white->mean, z));
  MN_TRY(mn_ica_rotate(ctx, filled, k, z, START_ITERATIONS, 1e-4, w));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Start from the components of FastICA, which EM alone would reach slowly if the noise is small. Row c of the whitening
 * matrix is u / s, so that s u = row / |row|^2. *mean_variance: of the columns. */
static mn_status start(mn_context *ctx, const struct probabilistic_ica *m, const mn_data *filled,
                       const mn_whitening *white, const mn_ppca *f, double *mean_variance)
{
  const size_t p = f->p, k = f->k;
  double *axes = MN_RAW(ctx, double, k, p), *turn = MN_RAW(ctx, double, k, k), least = INFINITY, rest = 0;
  if (!axes || !turn) return MN_NO_MEMORY;
  for (size_t i = 0; i < filled->rows; i++)
    for (size_t j = 0; j < p; j++) {
      const double d = mn_row(&filled->x, i)[j] - white->mean[j];
      rest += mn_weight(filled, i) / white->total * d * d;
    }
  *mean_variance = rest / (double)p;
  for (size_t c = 0; c < k; c++) {
    const double *row = white->matrix + c * p, variance = 1 / mn_ordered_dot(p, row, row);
    for (size_t j = 0; j < p; j++) axes[c * p + j] = row[j] * variance;
    rest -= variance;
    least = fmin(least, variance);
  }
  MN_TRY(rotation(ctx, m->seed, filled, white, turn));
  MN_TRY(mn_gemm(ctx, true, true, p, k, k, 1, axes, p, turn, k, 0, f->w, k));
  memcpy(f->mean, white->mean, p * sizeof *f->mean);
  *f->noise = fmax(p > k ? rest / (double)(p - k) : 0, 0.05 * least);
  return MN_OK;
}

/* Sources by the variance that they explain, descending; the largest element of each column of mixing is positive. */
static mn_status store(mn_context *ctx, struct probabilistic_ica *m, const mn_ppca *f)
{
  const size_t p = f->p, k = f->k;
  double *size = MN_NEW(ctx, double, k, 1);
  MN_CHECK_ALLOC(size);
  MN_TRY(mn_matrix_init(ctx, &m->mixing, p, k));
  MN_TRY(mn_vector_init(ctx, &m->mean, p));
  memcpy(m->mean.at, f->mean, p * sizeof *f->mean);
  m->noise_variance = *f->noise;
  for (size_t i = 0; i < p * k; i++) size[i % k] += f->w[i] * f->w[i];
  for (size_t to = 0; to < k; to++) {
    size_t from = 0, top = 0;
    for (size_t c = 1; c < k; c++)
      if (size[c] > size[from]) from = c;
    size[from] = -1;
    for (size_t j = 1; j < p; j++)
      if (fabs(f->w[j * k + from]) > fabs(f->w[top * k + from])) top = j;
    const double sign = f->w[top * k + from] < 0 ? -1 : 1;
    for (size_t j = 0; j < p; j++) m->mixing.at[j * k + to] = sign * f->w[j * k + from];
  }
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct probabilistic_ica *m = self;
  size_t k = 0;
  mn_data filled;
  bool missing;
  mn_whitening white;
  double variance;
  MN_TRY(mn_check_magnitudes(ctx, self, data));
  MN_TRY(count_components(ctx, m, data, &k));
  MN_TRY(mn_ppca_fill(ctx, "ProbabilisticICA", data, &filled, &missing));
  MN_TRY(mn_whiten(ctx, &filled, MN_WHITEN_AUTO, k, &white));
  if (white.rank == 0) return mn_fail(ctx, MN_BAD_DATA, "ProbabilisticICA: all columns of X are constant");
  if (m->n_components != MN_UNSET && white.rank < k)
    return mn_fail(ctx, MN_BAD_DATA,
                   "ProbabilisticICA: X has only %zu linearly independent columns; reduce n_components", white.rank);
  k = white.rank;
  double *state = MN_RAW(ctx, double, mn_ppca_size(data->features, k), 1), *xi = MN_RAW(ctx, double, data->rows, k);
  if (!state || !xi) return MN_NO_MEMORY;
  const mn_ppca f = mn_ppca_view(data->features, k, state);
  MN_TRY(start(ctx, m, &filled, &white, &f, &variance));
  for (size_t i = 0; i < data->rows * k; i++) xi[i] = 1;
  m->base.report.advice =
      "increase max_iter or tol; EM is slow if the noise is small: FastICA is for data without noise";
  MN_TRY(mn_ppca_fit(ctx, data, k, m->tol, 1e-10 * variance, m->max_iter, xi, state, &m->base.report));
  m->lower_bound = -m->base.report.objective;
  return store(ctx, m, &f);
}

/* What to do with the posterior mean z of row i. */
typedef void (*row_function)(const mn_ppca *f, mn_matrix *out, size_t i, const double *z);

static mn_status for_each_row(mn_context *ctx, const struct probabilistic_ica *m, const mn_data *data, row_function use,
                              mn_matrix *out)
{
  const size_t p = m->mixing.rows, k = m->mixing.cols;
  double noise = m->noise_variance, *xi = MN_RAW(ctx, double, k, 1), *space = MN_RAW(ctx, double, 2 * k + 2, k);
  if (!xi || !space) return MN_NO_MEMORY;
  const mn_ppca f = { .p = p, .k = k, .w = m->mixing.at, .mean = m->mean.at, .noise = &noise };
  mn_ppca_posterior posterior = mn_ppca_posterior_view(k, space);
  for (size_t i = 0; i < data->rows; i++) {
    double before = -INFINITY;
    if (i % 256 == 0) MN_TRY(mn_poll(ctx));
    for (size_t c = 0; c < k; c++) xi[c] = 1;
    for (int round = 0; round < APPLY_ROUNDS; round++) {
      mn_ppca_laplace_row(&f, mn_row(&data->x, i), 1, xi, &posterior);
      if (!(posterior.log_density > before + 1e-12 * fabs(before))) break;
      before = posterior.log_density;
    }
    use(&f, out, i, posterior.z);
  }
  return MN_OK;
}

static void copy_sources(const mn_ppca *f, mn_matrix *out, size_t i, const double *z)
{
  memcpy(mn_row(out, i), z, f->k * sizeof *z);
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return for_each_row(ctx, self, data, copy_sources, out);
}

static void mix(const mn_ppca *f, mn_matrix *out, size_t i, const double *z)
{
  for (size_t j = 0; j < f->p; j++) mn_row(out, i)[j] = f->mean[j] + mn_ordered_dot(f->k, f->w + j * f->k, z);
}

static mn_status reconstruct(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                             mn_results *results)
{
  (void)options;
  mn_matrix *out;
  MN_TRY(mn_result_matrix(ctx, results, "X", data->rows, data->features, &out));
  return for_each_row(ctx, self, data, mix, out);
}

static const mn_operation operations[] = {
  { .name = "reconstruct",
    .brief = "rows without noise: mean + mixing z, z the sources of transform; missing values filled",
    .returns = "Matrix: rows x features",
    .needs = MN_NEEDS_X,
    .run = reconstruct },
  { .name = NULL },
};

static mn_status export_program(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)action, (void)program;
  return mn_cannot_export(ctx, self, "programs do not have its iterations");
}

static size_t outputs(const void *self)
{
  return ((const struct probabilistic_ica *)self)->mixing.cols;
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  (void)self, (void)inputs;
  snprintf(text, size, "source%zu", j + 1);
}

/* Check a loaded model. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct probabilistic_ica *m = self;
  return m->noise_variance > 0 ? MN_OK
                               : mn_fail(ctx, MN_BAD_FILE, "ProbabilisticICA: the noise variance is not positive");
}

static const mn_param params[] = {
  MN_COUNT(struct probabilistic_ica, n_components, MN_UNSET, MN_AT_LEAST(1),
           "number of sources; nil: as many as X has linearly independent columns"),
  MN_REAL(struct probabilistic_ica, tol, 1e-5, MN_AT_LEAST(0),
          "stop when the bound of the mean log likelihood of a row rises by less"),
  MN_COUNT(struct probabilistic_ica, max_iter, 200, MN_AT_LEAST(1), "maximum number of iterations"),
  MN_SEED(struct probabilistic_ica, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct probabilistic_ica, mixing, "features x components",
            "mixing matrix A, by descending length of its columns"),
  MN_VECTOR(struct probabilistic_ica, mean, "features", "mean of each column"),
  MN_NUMBER(struct probabilistic_ica, noise_variance, "variance of the noise"),
  MN_NUMBER(struct probabilistic_ica, lower_bound, "lower bound of the log likelihood"),
  MN_END,
};

const mn_class mn_probabilistic_ica = {
  .name = "ProbabilisticICA",
  .family = "decomposition",
  .brief = "Independent components with Laplace sources and noise; missing values.",
  .objective = "maximize a bound of the likelihood of x = mean + A z + e, z Laplace with variance 1, e ~ N(0, noise I)",
  .source = "Lewicki & Sejnowski, Neural Computation 12 (2000); Girolami, Neural Computation 13 (2001)",
  .notes =
      "For sources with more values near 0 and far from it than normal ones, such as speech. transform gives "
      "posterior means, which noise shrinks towards 0. Missing values are integrated out. EM is slow with many of them, "
      "and as the noise goes to 0: use FastICA for data without noise. The bound is lower than the likelihood, so it "
      "compares runs, not models.",
  .example = "local S = ml.random(300, 2, 1):sub(0.5)\n"
             "local Z = S:sign():mul((S:abs() * -2 + 1):log())\n"
             "local X = Z * ml.Matrix{ {1, 0.5, 0}, {0.3, 1, 1} } + ml.normal(300, 3, 2) * 0.1\n"
             "local model = ml.ProbabilisticICA{ n_components = 2 }:fit(X)\n"
             "print(model.mixing, model.noise_variance)",
  .capabilities = MN_TRANSFORM | MN_ITERATE | MN_RANDOM,
  .accepts = MN_WEIGHTS | MN_MISSING,
  .size = sizeof(struct probabilistic_ica),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  .transform = transform,
  .export = export_program,
  .outputs = outputs,
  .output_name = output_name,
  .check = check,
};
