/* Principal components: the directions v_1, v_2, ... of largest variance, the eigenvectors of the covariance matrix
 *
 *     S = sum_i w_i (x_i - mean)(x_i - mean)' / (sum_i w_i - 1).
 *
 * covariance  S by one symmetric product, its largest eigenvectors: fast for many rows. Singular values below about
 * 1e-8 of the largest drown in rounding. full        singular values of the centred rows: accurate to the last, and for
 * more columns than rows. randomized  a basis of the range by products with a random matrix, sharpened by power
 * iterations: Halko, Martinsson & Tropp, SIAM Review 53 (2011), algorithms 4.4 and 5.1. partial_fit keeps the scatter
 * matrix, so batches give the same components as all rows at once.
 *
 * The density is that of probabilistic PCA: Tipping & Bishop, J. R. Statist. Soc. B 61 (1999). */
#include "../core/rng.h"
#include "../linalg/lapack.h"
#include "../linalg/ordered.h"
#include "../linalg/product.h"
#include "../model/class.h"
#include "../model/operation.h"
#include "../model/program.h"
#include <stdio.h>
#include <string.h>

struct pca {
  mn_estimator base;
  double n_components; /* what the user sets: NaN all, below 1 a share of the variance */
  bool whiten;
  int64_t solver, iterated_power, seed;
  mn_matrix components; /* what fitting learns: components x features */
  mn_vector mean, explained_variance, explained_variance_ratio, singular_values;
  double noise_variance, n;
  mn_matrix scatter; /* features x features, by partial_fit: sum w (x - mean)(x - mean)' */
};

enum { SOLVER_AUTO, SOLVER_COVARIANCE, SOLVER_FULL, SOLVER_RANDOMIZED };
static const char *const solvers[] = { "auto", "covariance", "full", "randomized", NULL };

enum { OVERSAMPLES = 10, MOST_COVARIANCE_COLUMNS = 2000 };

/* How many components can be asked for. */
static mn_status most_components(mn_context *ctx, const struct pca *m, size_t rows, size_t cols, size_t *wanted)
{
  const size_t most = rows < cols ? rows : cols;
  char number[MN_NUMBER_SIZE];
  *wanted = most;
  if (isnan(m->n_components) || m->n_components < 1) return MN_OK; /* a share is settled when the variances are known */
  if (m->n_components != floor(m->n_components))
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "PCA: n_components must be a whole number, or below 1 a share of the variance, "
                   "got %s",
                   mn_format_number(number, m->n_components));
  if (m->n_components > (double)most)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "PCA: n_components must be at most min(rows, columns) = %zu, got %s", most,
                   mn_format_number(number, m->n_components));
  *wanted = (size_t)m->n_components;
  return MN_OK;
}

/* The first components that together have the share of the variance that was asked for. */
static size_t settle_count(const struct pca *m, size_t found, const double *variance, double total)
{
  if (isnan(m->n_components) || m->n_components >= 1) return found;
  double sum = 0;
  for (size_t c = 0; c < found; c++) {
    sum += variance[c];
    if (sum > m->n_components * total) return c + 1;
  }
  return found;
}

/* The element of largest size in each row becomes positive, so that signs do not depend on the solver. */
static void fix_signs(size_t k, size_t p, double *v)
{
  for (size_t c = 0; c < k; c++) {
    double *row = v + c * p;
    size_t largest = 0;
    for (size_t j = 1; j < p; j++)
      if (fabs(row[j]) > fabs(row[largest])) largest = j;
    if (!(row[largest] < 0)) continue;
    for (size_t j = 0; j < p; j++) row[j] = -row[j];
  }
}

/* What a solver hands over. */
struct found {
  size_t count;     /* vectors                                  */
  double *variance; /* count, descending                        */
  double *vectors;  /* count x features                         */
  double total;     /* sum of all variances                     */
  size_t rank;      /* min(rows, columns): how many there are   */
};

static mn_status learn(mn_context *ctx, struct pca *m, struct found *f, const double *mean)
{
  const size_t p = m->base.n_features, k = settle_count(m, f->count, f->variance, f->total);
  mn_memory *memory = mn_context_memory(ctx);
  mn_matrix_free(memory, &m->components); /* of an earlier batch */
  mn_vector_free(memory, &m->explained_variance);
  mn_vector_free(memory, &m->explained_variance_ratio);
  mn_vector_free(memory, &m->singular_values);
  if (!m->mean.at) MN_TRY(mn_vector_init(ctx, &m->mean, p));
  MN_TRY(mn_matrix_init(ctx, &m->components, k, p));
  MN_TRY(mn_vector_init(ctx, &m->explained_variance, k));
  MN_TRY(mn_vector_init(ctx, &m->explained_variance_ratio, k));
  MN_TRY(mn_vector_init(ctx, &m->singular_values, k));
  fix_signs(k, p, f->vectors);
  memcpy(m->components.at, f->vectors, k * p * sizeof *f->vectors);
  memcpy(m->mean.at, mean, p * sizeof *mean);
  double rest = f->total;
  for (size_t c = 0; c < k; c++) {
    const double variance = fmax(f->variance[c], 0);
    m->explained_variance.at[c] = variance;
    m->explained_variance_ratio.at[c] = f->total > 0 ? variance / f->total : 0;
    m->singular_values.at[c] = sqrt(variance * (m->n - 1));
    rest -= variance;
  }
  m->noise_variance = f->rank > k ? fmax(rest, 0) / (double)(f->rank - k) : 0;
  return MN_OK;
}

/* From the scatter matrix about `mean`, which is overwritten. */
static mn_status learn_from_scatter(mn_context *ctx, struct pca *m, size_t k, size_t rows, double *scatter,
                                    const double *mean)
{
  const size_t p = m->base.n_features;
  struct found f = {
    .count = k, .variance = MN_RAW(ctx, double, k, 1), .vectors = MN_RAW(ctx, double, k, p), .rank = rows < p ? rows : p
  };
  if (!f.variance || !f.vectors) return MN_NO_MEMORY;
  for (size_t i = 0; i < p * p; i++) scatter[i] /= m->n - 1;
  for (size_t j = 0; j < p; j++) f.total += scatter[j * p + j];
  MN_TRY(mn_eigh(ctx, p, k, MN_LARGEST, scatter, f.variance, f.vectors));
  return learn(ctx, m, &f, mean);
}

static mn_status solve_covariance(mn_context *ctx, struct pca *m, const mn_data *data, size_t k)
{
  const size_t p = data->features;
  double *scatter = MN_RAW(ctx, double, p, p), *mean = MN_RAW(ctx, double, p, 1);
  if (!scatter || !mean) return MN_NO_MEMORY;
  MN_TRY(mn_gram(ctx, data->rows, p, data->x.at, p, 0, NULL, 0, data->weights, true, &m->n, mean, scatter, p));
  return learn_from_scatter(ctx, m, k, data->rows, scatter, mean);
}

/* sqrt(w) (x - mean), whose squared singular values are the variances times n - 1. */
static mn_status centred_rows(mn_context *ctx, struct pca *m, const mn_data *data, double *mean, double **rows)
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

/* Singular values to variances. */
static void to_variances(const struct pca *m, size_t n, double *s)
{
  for (size_t c = 0; c < n; c++) s[c] = s[c] * s[c] / (m->n - 1);
}

static mn_status solve_full(mn_context *ctx, struct pca *m, const mn_data *data, size_t k)
{
  const size_t n = data->rows, p = data->features, rank = n < p ? n : p;
  double *mean = MN_NEW(ctx, double, p, 1), *rows;
  struct found f = {
    .count = k, .variance = MN_RAW(ctx, double, rank, 1), .vectors = MN_RAW(ctx, double, rank, p), .rank = rank
  };
  if (!mean || !f.variance || !f.vectors) return MN_NO_MEMORY;
  MN_TRY(centred_rows(ctx, m, data, mean, &rows));
  MN_TRY(mn_svd(ctx, n, p, rows, NULL, f.variance, f.vectors));
  to_variances(m, rank, f.variance);
  for (size_t c = 0; c < rank; c++) f.total += f.variance[c];
  return learn(ctx, m, &f, mean);
}

/* Orthonormal columns in place of those of y (rows x k), of the same span. */
static mn_status orthonormalise(mn_context *ctx, size_t rows, size_t k, double *y)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *q = MN_RAW(ctx, double, rows, k);
  MN_CHECK_ALLOC(q);
  MN_TRY(mn_qr(ctx, rows, k, y, q, NULL));
  memcpy(y, q, rows * k * sizeof *y);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status solve_randomized(mn_context *ctx, struct pca *m, const mn_data *data, size_t k)
{
  const size_t n = data->rows, p = data->features, rank = n < p ? n : p;
  const size_t wide = k + OVERSAMPLES < rank ? k + OVERSAMPLES : rank;
  double *mean = MN_NEW(ctx, double, p, 1), *rows;
  double *q = MN_RAW(ctx, double, n, wide), *z = MN_RAW(ctx, double, p, wide), *small = MN_RAW(ctx, double, wide, p);
  struct found f = {
    .count = k, .variance = MN_RAW(ctx, double, wide, 1), .vectors = MN_RAW(ctx, double, wide, p), .rank = rank
  };
  if (!mean || !q || !z || !small || !f.variance || !f.vectors) return MN_NO_MEMORY;
  MN_TRY(centred_rows(ctx, m, data, mean, &rows));
  mn_rng r = mn_stream(m->seed, 0);
  for (size_t i = 0; i < p * wide; i++) z[i] = mn_random_normal(&r);
  for (int64_t power = 0; power <= m->iterated_power; power++) {
    MN_TRY(mn_gemm(ctx, false, false, n, wide, p, 1, rows, p, z, wide, 0, q, wide));
    MN_TRY(orthonormalise(ctx, n, wide, q));
    if (power == m->iterated_power) break;
    MN_TRY(mn_gemm(ctx, true, false, p, wide, n, 1, rows, p, q, wide, 0, z, wide));
    MN_TRY(orthonormalise(ctx, p, wide, z));
  }
  MN_TRY(mn_gemm(ctx, true, false, wide, p, n, 1, q, wide, rows, p, 0, small, p));
  MN_TRY(mn_svd(ctx, wide, p, small, NULL, f.variance, f.vectors));
  to_variances(m, wide, f.variance);
  f.total = square_sum(n * p, rows) / (m->n - 1);
  return learn(ctx, m, &f, mean);
}

static int64_t choose_solver(const struct pca *m, const mn_data *data, size_t k)
{
  const size_t n = data->rows, p = data->features, shorter = n < p ? n : p;
  if (m->solver != SOLVER_AUTO) return m->solver;
  if (n >= 10 * p && p <= MOST_COVARIANCE_COLUMNS) return SOLVER_COVARIANCE;
  return shorter > 500 && 10 * k < 8 * shorter && m->n_components >= 1 ? SOLVER_RANDOMIZED : SOLVER_FULL;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct pca *m = self;
  size_t k;
  if (data->rows < 2) return mn_fail(ctx, MN_BAD_DATA, "PCA: X must have at least 2 rows, got %zu", data->rows);
  MN_TRY(most_components(ctx, m, data->rows, data->features, &k));
  switch (choose_solver(m, data, k)) {
  case SOLVER_COVARIANCE: return solve_covariance(ctx, m, data, k);
  case SOLVER_RANDOMIZED: return solve_randomized(ctx, m, data, k);
  default: return solve_full(ctx, m, data, k);
  }
}

/* Scatter matrices add, plus the outer product of what the means differ by. */
static mn_status partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct pca *m = self;
  const size_t p = data->features;
  double *scatter = MN_RAW(ctx, double, p, p), *mean = MN_RAW(ctx, double, p, 1), n;
  if (!scatter || !mean) return MN_NO_MEMORY;
  if (m->components.at && !m->scatter.at)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "PCA: partial_fit can only continue what partial_fit began");
  MN_TRY(mn_gram(ctx, data->rows, p, data->x.at, p, 0, NULL, 0, data->weights, true, &n, mean, scatter, p));
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
  MN_TRY(most_components(ctx, m, rows, p, &k));
  memcpy(scatter, m->scatter.at, p * p * sizeof *scatter);
  return learn_from_scatter(ctx, m, k, rows, scatter, mean);
}

static double whitening(const struct pca *m, size_t c)
{
  const double variance = m->explained_variance.at[c];
  return m->whiten && variance > 0 ? sqrt(variance) : 1;
}

/* The mean along each component. */
static mn_status make_shift(mn_context *ctx, const struct pca *m, double **shift)
{
  const size_t k = m->components.rows, p = m->components.cols;
  *shift = MN_NEW(ctx, double, k, 1);
  MN_CHECK_ALLOC(*shift);
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++) (*shift)[c] += m->mean.at[j] * m->components.at[c * p + j];
  return MN_OK;
}

/* Packing the components would cost more than the products of so few rows, whose sums have one order on every CPU. */
enum { FEW_ROWS = 8 };

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct pca *m = self;
  const size_t n = data->rows, p = data->features, k = out->cols;
  double *shift;
  MN_TRY(make_shift(ctx, m, &shift));
  for (size_t c = 0; n <= FEW_ROWS && c < k; c++)
    mn_ordered_dots(n, p, data->x.at, mn_row(&m->components, c), 0, out->at + c, k);
  if (n > FEW_ROWS) MN_TRY(mn_gemm(ctx, false, true, n, k, p, 1, data->x.at, p, m->components.at, p, 0, out->at, k));
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < k; c++) out->at[i * k + c] = (out->at[i * k + c] - shift[c]) / whitening(m, c);
  return MN_OK;
}

static mn_status inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct pca *m = self;
  const size_t n = data->rows, p = out->cols, k = data->features;
  double *v = MN_RAW(ctx, double, k, p);
  MN_CHECK_ALLOC(v);
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++) v[c * p + j] = m->components.at[c * p + j] * whitening(m, c);
  for (size_t i = 0; i < n; i++) memcpy(mn_row(out, i), m->mean.at, p * sizeof *out->at);
  return mn_gemm(ctx, false, false, n, p, k, 1, data->x.at, k, v, p, 1, out->at, p);
}

/* Squared distance of a row from the mean, and the part of it within each component. z: features, room. */
static double row_parts(const struct pca *m, const double *row, double *z, double *within)
{
  const size_t p = m->base.n_features, k = m->components.rows;
  for (size_t j = 0; j < p; j++) z[j] = row[j] - m->mean.at[j];
  for (size_t c = 0; c < k; c++) {
    const double along = mn_ordered_dot(p, z, mn_row(&m->components, c));
    within[c] = along * along;
  }
  return mn_ordered_dot(p, z, z);
}

static double variance_along(const struct pca *m, size_t c)
{
  return fmax(m->explained_variance.at[c], DBL_MIN);
}

/* The log density at the mean. */
static double log_density_of_mean(const struct pca *m)
{
  const size_t p = m->base.n_features, k = m->components.rows;
  double log_density = -(double)p / 2 * 1.83787706640934548356; /* log(2 pi) */
  for (size_t c = 0; c < k; c++) log_density -= log(variance_along(m, c)) / 2;
  return log_density - (double)(p - k) / 2 * log(fmax(m->noise_variance, DBL_MIN));
}

static mn_status score_samples(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct pca *m = self;
  const size_t p = m->base.n_features, k = m->components.rows;
  const double noise = fmax(m->noise_variance, DBL_MIN), start = log_density_of_mean(m);
  double *within = MN_RAW(ctx, double, k, 1), *z = MN_RAW(ctx, double, p, 1);
  if (!within || !z) return MN_NO_MEMORY;
  for (size_t i = 0; i < data->rows; i++) {
    double rest = row_parts(m, mn_row(&data->x, i), z, within), distance = 0;
    for (size_t c = 0; c < k; c++) {
      distance += within[c] / variance_along(m, c);
      rest -= within[c];
    }
    if (p > k) distance += fmax(rest, 0) / noise;
    out->at[i] = start - distance / 2;
  }
  return MN_OK;
}

static mn_status reconstruction_error(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                      mn_results *results)
{
  (void)options;
  const struct pca *m = self;
  mn_vector *out;
  double *within = MN_RAW(ctx, double, m->components.rows, 1), *z = MN_RAW(ctx, double, data->features, 1);
  if (!within || !z) return MN_NO_MEMORY;
  MN_TRY(mn_result_vector(ctx, results, "reconstruction_error", data->rows, &out));
  for (size_t i = 0; i < data->rows; i++) {
    double rest = row_parts(m, mn_row(&data->x, i), z, within);
    for (size_t c = 0; c < m->components.rows; c++) rest -= within[c];
    out->at[i] = fmax(rest, 0);
  }
  return MN_OK;
}

static size_t outputs(const void *self)
{
  return ((const struct pca *)self)->components.rows;
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  (void)self;
  (void)inputs;
  snprintf(text, size, "pca%zu", j + 1);
}

static mn_status export_scores(mn_context *ctx, const struct pca *m, mn_program *program)
{
  const size_t k = m->components.rows, p = m->base.n_features;
  double *variance = MN_RAW(ctx, double, k, 1);
  MN_CHECK_ALLOC(variance);
  for (size_t c = 0; c < k; c++) variance[c] = variance_along(m, c);
  mn_program_reals(program, "components", k * p, m->components.at);
  mn_program_reals(program, "mean", p, m->mean.at);
  mn_program_reals(program, "variance", k, variance);
  mn_program_count(program, "k", k);
  mn_program_real(program, "start", log_density_of_mean(m));
  mn_program_real(program, "noise", fmax(m->noise_variance, DBL_MIN));
  mn_program_code(program, "reals z[features] real distance = 0.0"
                           " for j < features { z[j] = x[j] - mean[j] }"
                           " real rest = dot(features, z, 0, z, 0)"
                           " for c < k {"
                           "   real along = dot(features, z, 0, components, c * features)"
                           "   real within = along * along distance += within / variance[c] rest -= within"
                           " }");
  if (p > k) mn_program_code(program, "distance += (rest > 0 ? rest : 0.0) / noise");
  mn_program_code(program, "out[0] = start - distance / 2");
  return MN_OK;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct pca *m = self;
  const size_t k = m->components.rows;
  double *shift, *unit = MN_RAW(ctx, double, k, 1);
  if (action == MN_SCORE_SAMPLES) return export_scores(ctx, m, program);
  if (action != MN_TRANSFORM_X) return MN_OK;
  MN_CHECK_ALLOC(unit);
  MN_TRY(make_shift(ctx, m, &shift));
  for (size_t c = 0; c < k; c++) unit[c] = whitening(m, c);
  mn_program_reals(program, "components", k * m->components.cols, m->components.at);
  mn_program_reals(program, "shift", k, shift);
  mn_program_reals(program, "unit", k, unit);
  mn_program_code(program, "for c < outputs {"
                           "  out[c] = (0.0 + dot(features, x, 0, components, c * features) - shift[c]) / unit[c]"
                           "}");
  return MN_OK;
}

static const mn_param params[] = {
  MN_REAL(struct pca, n_components, MN_UNSET_REAL, MN_GREATER_THAN(0),
          "how many; below 1 the share of the variance to keep; nil: min(rows, columns)"),
  MN_FLAG(struct pca, whiten, false, "divide by the standard deviation of each component"),
  MN_CHOICE(struct pca, solver, SOLVER_AUTO, solvers, "auto chooses by the shape of X"),
  MN_COUNT(struct pca, iterated_power, 4, MN_CLOSED(0, 1000), "power iterations of the randomized solver"),
  MN_SEED(struct pca, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct pca, components, "components x features", "directions of largest variance, of norm 1"),
  MN_VECTOR(struct pca, mean, "features", "mean of each column"),
  MN_VECTOR(struct pca, explained_variance, "components", "variance along each component (divided by n - 1)"),
  MN_VECTOR(struct pca, explained_variance_ratio, "components", "the same as shares of the total variance"),
  MN_VECTOR(struct pca, singular_values, "components", "singular values of the centred rows"),
  MN_NUMBER(struct pca, noise_variance, "mean variance of what is left out"),
  MN_NUMBER(struct pca, n, "sum of the weights: the number of rows when there are none"),
  MN_LEARNED(MN_KIND_MATRIX, struct pca, scatter, "features? x features?", NULL),
  MN_END,
};

static const mn_operation operations[] = {
  { .name = "reconstruction_error",
    .brief = "squared distance of each row of X from the plane of the components: high for what does not fit",
    .returns = "Vector: rows",
    .needs = MN_NEEDS_X,
    .run = reconstruction_error },
  { .name = NULL },
};

const mn_class mn_pca = {
  .name = "PCA",
  .family = "decomposition",
  .brief = "Principal components: the directions of largest variance.",
  .objective = "maximise v' S v with |v| = 1, S the covariance matrix; each next v orthogonal to those before",
  .source = "Jolliffe, Principal Component Analysis (2002); Halko, Martinsson & Tropp, SIAM Review 53 (2011)",
  .notes =
      "Columns are centred, not scaled: put a StandardScaler before it where units differ. The element of largest "
      "size of each component is positive, as in scikit-learn. score_samples is the log density of probabilistic "
      "PCA. Many rows go through a blocked product, whose sums round otherwise in the last bits than those of up to "
      "8 rows and of what is exported: within 1e-13 of the largest term.",
  .example = "local model = ml.PCA{ n_components = 1 }:fit{ {1, 1.1}, {2, 1.9}, {3, 3.2}, {4, 3.9} }\n"
             "print(model.explained_variance_ratio, model:transform{ {2.5, 2.5} })",
  .capabilities = MN_TRANSFORM | MN_DENSITY | MN_RANDOM | MN_SCALE_EQUIVARIANT | MN_ADDITIVE,
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct pca),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  .partial_fit = partial_fit,
  .transform = transform,
  .inverse_transform = inverse_transform,
  .score_samples = score_samples,
  .export = export,
  .outputs = outputs,
  .output_name = output_name,
};
