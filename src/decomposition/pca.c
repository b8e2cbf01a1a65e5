/* Principal components: the directions v_1, v_2, ... of largest variance, the eigenvectors of the covariance matrix
 *
 *     S = sum_i w_i (x_i - mean)(x_i - mean)' / (sum_i w_i - 1).
 *
 *   covariance  the largest eigenvectors of S: fast for many rows; singular values below about 1e-8 of the
 *               largest are lost to rounding
 *   full        SVD of the centered rows: accurate, also for more columns than rows
 *   randomized  randomized SVD with power iterations: Halko, Martinsson & Tropp, SIAM Review 53 (2011), algorithms
 *               4.4, 5.1
 *
 * partial_fit accumulates the scatter matrix, so batches give the same components as all rows at once. */
#include "pca.h"
#include "../core/rng.h"
#include "../linalg/csr.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "components.h"
#include <string.h>

enum { SOLVER_AUTO, SOLVER_COVARIANCE, SOLVER_FULL, SOLVER_RANDOMIZED };
static const char *const solvers[] = { "auto", "covariance", "full", "randomized", NULL };
enum { CHOOSE_GIVEN, CHOOSE_MLE };
static const char *const choices[] = { "given", "mle", NULL };

enum { OVERSAMPLES = 10, MAX_COVARIANCE_COLUMNS = 2000 };

/* The number of components to compute. */
static mn_status max_components(mn_context *ctx, const struct mn_pca *m, size_t rows, size_t cols, size_t *k)
{
  const size_t max = rows < cols ? rows : cols;
  char number[MN_NUMBER_SIZE];
  *k = max;
  if (m->choose == CHOOSE_MLE && rows < cols)
    return mn_fail(ctx, MN_BAD_DATA, "PCA: choose = \"mle\" requires at least as many rows as columns, got %zu and %zu",
                   rows, cols);
  if (m->choose == CHOOSE_MLE || isnan(m->n_components) || m->n_components < 1)
    return MN_OK; /* a fraction is resolved when the variances are known */
  if (m->n_components != floor(m->n_components))
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "PCA: n_components must be a whole number or, below 1, a fraction of the variance, got %s",
                   mn_format_number(number, m->n_components));
  if (m->n_components > (double)max)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "PCA: n_components must be at most min(rows, columns) = %zu, got %s", max,
                   mn_format_number(number, m->n_components));
  *k = (size_t)m->n_components;
  return MN_OK;
}

/* The number of components to keep: for a fraction, the first ones that together explain more than it. */
static mn_status count_kept(mn_context *ctx, const struct mn_pca *m, const struct mn_pca_solution *f, size_t *kept)
{
  *kept = f->count;
  if (m->choose == CHOOSE_MLE) return mn_pca_most_evident(ctx, m->base.n_features, m->n, f->variance, kept);
  if (isnan(m->n_components) || m->n_components >= 1) return MN_OK;
  double sum = 0;
  for (size_t c = 0; c < f->count; c++) {
    sum += f->variance[c];
    if (sum > m->n_components * f->total) {
      *kept = c + 1;
      break;
    }
  }
  return MN_OK;
}

void mn_pca_add_moments(size_t count, const double *variance, double moments[3])
{
  for (size_t c = 0; c < count; c++) {
    const double v = fmax(variance[c], 0);
    moments[0] += v;
    moments[1] += v * v;
    moments[2] += v * v * v;
  }
}

/* The moments of the omitted components, without the rounding of those that are 0. */
static mn_status store_moments(mn_context *ctx, struct mn_pca *m, const struct mn_pca_solution *f, size_t kept)
{
  double moments[3] = { f->moments[0], f->moments[1], f->moments[2] };
  mn_vector_free(mn_context_memory(ctx), &m->residual_moments);
  mn_pca_add_moments(f->count - kept, f->variance + kept, moments);
  if (isnan(moments[2])) return MN_OK;
  MN_TRY(mn_vector_init(ctx, &m->residual_moments, 3));
  for (size_t i = 0; i < 3 && kept < f->rank; i++) m->residual_moments.at[i] = fmax(moments[i], 0);
  return MN_OK;
}

static mn_status check_total(mn_context *ctx, double total)
{
  return isfinite(total) ? MN_OK : mn_fail(ctx, MN_BAD_DATA, "PCA: the squares of X overflow; scale the columns");
}

mn_status mn_pca_store(mn_context *ctx, struct mn_pca *m, struct mn_pca_solution *f, const double *mean)
{
  const size_t p = m->base.n_features;
  size_t k;
  mn_memory *memory = mn_context_memory(ctx);
  MN_TRY(check_total(ctx, f->total));
  MN_TRY(count_kept(ctx, m, f, &k));
  MN_TRY(store_moments(ctx, m, f, k));
  mn_matrix_free(memory, &m->components); /* of an earlier batch */
  mn_vector_free(memory, &m->explained_variance);
  mn_vector_free(memory, &m->explained_variance_ratio);
  mn_vector_free(memory, &m->singular_values);
  if (!m->mean.at) MN_TRY(mn_vector_init(ctx, &m->mean, p));
  MN_TRY(mn_matrix_init(ctx, &m->components, k, p));
  MN_TRY(mn_vector_init(ctx, &m->explained_variance, k));
  MN_TRY(mn_vector_init(ctx, &m->explained_variance_ratio, k));
  MN_TRY(mn_vector_init(ctx, &m->singular_values, k));
  mn_fix_signs(k, p, f->vectors);
  memcpy(m->components.at, f->vectors, k * p * sizeof *f->vectors);
  memcpy(m->mean.at, mean, p * sizeof *mean);
  double noise = f->total;
  for (size_t c = 0; c < k; c++) {
    const double variance = fmax(f->variance[c], 0);
    m->explained_variance.at[c] = variance;
    m->explained_variance_ratio.at[c] = f->total > 0 ? variance / f->total : 0;
    m->singular_values.at[c] = sqrt(variance * (m->n - 1));
    noise -= variance;
  }
  m->noise_variance = f->rank > k ? fmax(noise, 0) / (double)(f->rank - k) : 0;
  return MN_OK;
}

/* Components of the centered scatter matrix, which is overwritten. */
static mn_status solve_scatter(mn_context *ctx, struct mn_pca *m, size_t k, size_t rows, double *scatter,
                               const double *mean)
{
  const size_t p = m->base.n_features;
  struct mn_pca_solution f = {
    .count = k, .variance = MN_RAW(ctx, double, p, 1), .vectors = MN_RAW(ctx, double, k, p), .rank = rows < p ? rows : p
  };
  if (!f.variance || !f.vectors) return MN_NO_MEMORY;
  for (size_t i = 0; i < p * p; i++) scatter[i] /= m->n - 1;
  for (size_t j = 0; j < p; j++) f.total += scatter[j * p + j];
  MN_TRY(check_total(ctx, f.total));
  MN_TRY(mn_eigh_spectrum(ctx, p, k, scatter, f.variance, f.vectors));
  mn_pca_add_moments(p - k, f.variance + k, f.moments);
  return mn_pca_store(ctx, m, &f, mean);
}

static mn_status solve_covariance(mn_context *ctx, struct mn_pca *m, const mn_data *data, size_t k)
{
  const size_t p = data->features;
  double *scatter = MN_RAW(ctx, double, p, p), *mean = MN_RAW(ctx, double, p, 1);
  if (!scatter || !mean) return MN_NO_MEMORY;
  MN_TRY(mn_gram(ctx, data->rows, p, data->x.at, p, 0, NULL, 0, data->weights, true, &m->n, mean, scatter, p));
  return solve_scatter(ctx, m, k, data->rows, scatter, mean);
}

/* rows = sqrt(w) (X - mean), whose squared singular values are the variances times n - 1. */
static mn_status center_rows(mn_context *ctx, struct mn_pca *m, const mn_data *data, double *mean, double **rows)
{
  const size_t n = data->rows, p = data->features;
  *rows = MN_RAW(ctx, double, n, p);
  MN_CHECK_ALLOC(*rows);
  m->n = 0;
  for (size_t i = 0; i < n; i++) {
    const double w = mn_weight(data, i);
    m->n += w;
    for (size_t j = 0; j < p; j++) mean[j] += w / m->n * (data->x.at[i * p + j] - mean[j]);
  }
  for (size_t i = 0; i < n; i++) {
    const double root = sqrt(mn_weight(data, i));
    for (size_t j = 0; j < p; j++) (*rows)[i * p + j] = root * (data->x.at[i * p + j] - mean[j]);
  }
  return MN_OK;
}

static double square_sum(size_t n, const double *x)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i] * x[i];
  return sum;
}

/* Convert singular values to variances. */
static void to_variances(const struct mn_pca *m, size_t n, double *s)
{
  for (size_t c = 0; c < n; c++) s[c] = s[c] * s[c] / (m->n - 1);
}

static mn_status solve_full(mn_context *ctx, struct mn_pca *m, const mn_data *data, size_t k)
{
  const size_t n = data->rows, p = data->features, rank = n < p ? n : p;
  double *mean = MN_NEW(ctx, double, p, 1), *rows;
  struct mn_pca_solution f = {
    .count = k, .variance = MN_RAW(ctx, double, rank, 1), .vectors = MN_RAW(ctx, double, rank, p), .rank = rank
  };
  if (!mean || !f.variance || !f.vectors) return MN_NO_MEMORY;
  MN_TRY(center_rows(ctx, m, data, mean, &rows));
  MN_TRY(mn_svd(ctx, n, p, rows, NULL, f.variance, f.vectors));
  to_variances(m, rank, f.variance);
  for (size_t c = 0; c < rank; c++) f.total += f.variance[c];
  mn_pca_add_moments(rank - k, f.variance + k, f.moments);
  return mn_pca_store(ctx, m, &f, mean);
}

/* Replace the columns of y (rows x k) by an orthonormal basis of their span. */
static mn_status orthonormalize(mn_context *ctx, size_t rows, size_t k, double *y)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *q = MN_RAW(ctx, double, rows, k);
  MN_CHECK_ALLOC(q);
  MN_TRY(mn_qr(ctx, rows, k, y, q, NULL));
  memcpy(y, q, rows * k * sizeof *y);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status solve_randomized(mn_context *ctx, struct mn_pca *m, const mn_data *data, size_t k)
{
  const size_t n = data->rows, p = data->features, rank = n < p ? n : p;
  const size_t width = k + OVERSAMPLES < rank ? k + OVERSAMPLES : rank;
  double *mean = MN_NEW(ctx, double, p, 1), *rows;
  double *q = MN_RAW(ctx, double, n, width), *z = MN_RAW(ctx, double, p, width), *small = MN_RAW(ctx, double, width, p);
  struct mn_pca_solution f = {
    .count = k, .variance = MN_RAW(ctx, double, width, 1), .vectors = MN_RAW(ctx, double, width, p), .rank = rank
  };
  if (!mean || !q || !z || !small || !f.variance || !f.vectors) return MN_NO_MEMORY;
  MN_TRY(center_rows(ctx, m, data, mean, &rows));
  mn_rng r = mn_stream(m->seed, 0);
  for (size_t i = 0; i < p * width; i++) z[i] = mn_random_normal(&r);
  for (int64_t power = 0; power <= m->iterated_power; power++) {
    MN_TRY(mn_gemm(ctx, false, false, n, width, p, 1, rows, p, z, width, 0, q, width));
    MN_TRY(orthonormalize(ctx, n, width, q));
    if (power == m->iterated_power) break;
    MN_TRY(mn_gemm(ctx, true, false, p, width, n, 1, rows, p, q, width, 0, z, width));
    MN_TRY(orthonormalize(ctx, p, width, z));
  }
  MN_TRY(mn_gemm(ctx, true, false, width, p, n, 1, q, width, rows, p, 0, small, p));
  MN_TRY(mn_svd(ctx, width, p, small, NULL, f.variance, f.vectors));
  to_variances(m, width, f.variance);
  f.total = square_sum(n * p, rows) / (m->n - 1);
  if (k < rank) f.moments[2] = (double)NAN;
  return mn_pca_store(ctx, m, &f, mean);
}

static int64_t choose_solver(const struct mn_pca *m, const mn_data *data, size_t k)
{
  const size_t n = data->rows, p = data->features, shorter = n < p ? n : p;
  if (m->solver != SOLVER_AUTO) return m->solver;
  if (n >= 10 * p && p <= MAX_COVARIANCE_COLUMNS) return SOLVER_COVARIANCE;
  return shorter > 500 && 10 * k < 8 * shorter && m->choose == CHOOSE_GIVEN && m->n_components >= 1 ? SOLVER_RANDOMIZED
                                                                                                    : SOLVER_FULL;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_pca *m = self;
  size_t k;
  if (data->rows < 2) return mn_fail(ctx, MN_BAD_DATA, "PCA: X must have at least 2 rows, got %zu", data->rows);
  MN_TRY(max_components(ctx, m, data->rows, data->features, &k));
  if (data->sparse) return mn_pca_solve_sparse(ctx, m, data, k);
  switch (choose_solver(m, data, k)) {
  case SOLVER_COVARIANCE: return solve_covariance(ctx, m, data, k);
  case SOLVER_RANDOMIZED: return solve_randomized(ctx, m, data, k);
  default: return solve_full(ctx, m, data, k);
  }
}

/* Add the scatter matrix of the batch, and the outer product of the difference of the means. */
static mn_status partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_pca *m = self;
  const size_t p = data->features;
  double *scatter = MN_RAW(ctx, double, p, p), *mean = MN_RAW(ctx, double, p, 1), n;
  if (!scatter || !mean) return MN_NO_MEMORY;
  if (m->components.at && !m->scatter.at)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "PCA: partial_fit cannot continue after fit; create a new model");
  mn_matrix x = data->x;
  if (data->sparse) {
    x = (mn_matrix){ .at = MN_NEW(ctx, double, data->rows, p), .rows = data->rows, .cols = p };
    MN_CHECK_ALLOC(x.at);
    mn_csr_to_dense(data->sparse, &x);
  }
  MN_TRY(mn_gram(ctx, data->rows, p, x.at, p, 0, NULL, 0, data->weights, true, &n, mean, scatter, p));
  if (!m->scatter.at) {
    MN_TRY(mn_matrix_init(ctx, &m->scatter, p, p));
    MN_TRY(mn_vector_init(ctx, &m->mean, p));
  }
  const double total = m->n + n, share = n / total;
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++)
      m->scatter.at[i * p + j] +=
          scatter[i * p + j] + (mean[i] - m->mean.at[i]) * (mean[j] - m->mean.at[j]) * m->n * share;
  for (size_t j = 0; j < p; j++) mean[j] = m->mean.at[j] + (mean[j] - m->mean.at[j]) * share;
  m->n = total;
  if (!(total > 1)) return mn_fail(ctx, MN_BAD_DATA, "PCA: the first batch must have at least 2 rows");
  size_t k;
  const size_t rows = total < (double)p ? (size_t)total : p;
  MN_TRY(max_components(ctx, m, rows, p, &k));
  memcpy(scatter, m->scatter.at, p * p * sizeof *scatter);
  return solve_scatter(ctx, m, k, rows, scatter, mean);
}

static size_t outputs(const void *self)
{
  return ((const struct mn_pca *)self)->components.rows;
}

static const mn_param params[] = {
  MN_REAL(struct mn_pca, n_components, MN_UNSET_REAL, MN_GREATER_THAN(0),
          "number of components; below 1: fraction of the variance to explain; nil: min(rows, columns)"),
  MN_CHOICE(struct mn_pca, choose, CHOOSE_GIVEN, choices,
            "given: n_components says how many; mle: Minka's estimate, for at least as many rows as columns"),
  MN_FLAG(struct mn_pca, whiten, false, "divide each component by its standard deviation"),
  MN_CHOICE(struct mn_pca, solver, SOLVER_AUTO, solvers,
            "algorithm; auto chooses by the shape of X; sparse X: always block Lanczos"),
  MN_COUNT(struct mn_pca, iterated_power, 4, MN_CLOSED(0, 1000), "number of power iterations of the randomized solver"),
  MN_SEED(struct mn_pca, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct mn_pca, components, "components x features", "unit vectors of largest variance"),
  MN_VECTOR(struct mn_pca, mean, "features", "mean of each column"),
  MN_VECTOR(struct mn_pca, explained_variance, "components", "variance of each component, with divisor n - 1"),
  MN_VECTOR(struct mn_pca, explained_variance_ratio, "components", "fraction of the total variance of each component"),
  MN_VECTOR(struct mn_pca, singular_values, "components", "singular values of the centered rows"),
  MN_NUMBER(struct mn_pca, noise_variance, "mean variance of the omitted components"),
  MN_NUMBER(struct mn_pca, n, "sum of the sample weights; the number of rows without weights"),
  MN_LEARNED(MN_KIND_MATRIX, struct mn_pca, scatter, "features? x features?", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct mn_pca, residual_moments, "moments?", NULL),
  MN_END,
};

const mn_class mn_pca = {
  .name = "PCA",
  .family = "decomposition",
  .brief = "Principal component analysis: projection on the directions of largest variance.",
  .objective = "maximize v' S v with |v| = 1, S the covariance matrix; each v orthogonal to the previous ones",
  .source = "Jolliffe, Principal Component Analysis (2002); Halko, Martinsson & Tropp, SIAM Review 53 (2011)",
  .notes =
      "Columns are centered, not scaled: use StandardScaler first if their units differ. The largest element of each component "
      "in magnitude is positive, as in scikit-learn. score_samples is the log density of probabilistic PCA. partial_fit "
      "replaces IncrementalPCA and is exact. choose = \"mle\" replaces n_components = \"mle\". More than 8 rows are "
      "transformed by a blocked product, which agrees with exported programs within 1e-13 of the largest term.",
  .example = "local model = ml.PCA{ n_components = 1 }:fit{ {1, 1.1}, {2, 1.9}, {3, 3.2}, {4, 3.9} }\n"
             "print(model.explained_variance_ratio, model:transform{ {2.5, 2.5} })",
  .missing_alternatives = "ProbabilisticPCA",
  .capabilities = MN_TRANSFORM | MN_DENSITY | MN_RANDOM | MN_SCALE_EQUIVARIANT | MN_ADDITIVE,
  .accepts = MN_WEIGHTS | MN_SPARSE,
  .size = sizeof(struct mn_pca),
  .params = params,
  .fields = fields,
  .operations = mn_pca_operations,
  .fit = fit,
  .partial_fit = partial_fit,
  .transform = mn_pca_transform,
  .inverse_transform = mn_pca_inverse_transform,
  .score_samples = mn_pca_score_samples,
  .export = mn_pca_export,
  .outputs = outputs,
};
