/* Diffusion maps: coordinates whose distances are diffusion distances, those between the distributions of random walks
 * from two rows after time t. With the kernel k_ij = exp(-gamma d_ij^2), normalized against the density q of the rows,
 *
 *     q_i = sum_j k_ij,      w_ij = k_ij / (q_i q_j)^alpha,      p_ij = w_ij / sum_j w_ij,
 *     P psi_c = mu_c psi_c,      z_ic = mu_c^t psi_c(i),
 *
 * for the eigenvalues mu_c < mu_0 = 1, where psi has mean 0 and variance 1 in the stationary distribution. A new row is
 * given the mean of z_c by its p over mu_c, which leaves training rows where they are. Coifman & Lafon, Applied and
 * Computational Harmonic Analysis 21 (2006), 5-30 and 31-52. */
#include "../core/threads.h"
#include "../eigen/lanczos.h"
#include "../linalg/product.h"
#include "../manifold/training_distances.h"
#include "../model/program.h"
#include "../stats/quantile.h"
#include "../actions/embedding.h"
#include <string.h>

struct diffusion_maps {
  mn_estimator base;
  int64_t n_components, metric; /* parameters */
  double alpha, diffusion_time, gamma, p;
  mn_matrix covariance;
  mn_matrix embedding, training_rows; /* learned fields */
  mn_vector eigenvalues, density;     /* density: q^alpha */
  double kernel_gamma;
};

static const char who[] = "DiffusionMaps";
static const double rounding = 1e-13; /* smaller eigenvalues are taken for 0 */

static mn_metric metric_of(const struct diffusion_maps *m)
{
  return (mn_metric){ m->metric, m->p, &m->covariance };
}

/* *gamma = 1 / the median of the squared distances between at most MAX_ROWS rows at equal steps; 1 if it is 0. */
static mn_status choose_gamma(mn_context *ctx, size_t n, const double *distance, double *gamma)
{
  enum { MAX_ROWS = 1000 };
  const size_t step = (n + MAX_ROWS - 1) / MAX_ROWS, rows = (n + step - 1) / step;
  const double half = 0.5;
  double *square = MN_RAW(ctx, double, rows, rows), median = 0;
  size_t count = 0;
  MN_CHECK_ALLOC(square);
  for (size_t i = 0; i < n; i += step)
    for (size_t j = 0; j < i; j += step) square[count++] = distance[i * n + j] * distance[i * n + j];
  if (count > 0) MN_TRY(mn_quantiles(ctx, count, square, NULL, 1, &half, &median));
  *gamma = median > 0 ? 1 / median : 1;
  return MN_OK;
}

/* --- the normalized kernel --- */

struct kernel {
  size_t n;
  double *k; /* n x n: distances, then the kernel, then D^-1/2 W D^-1/2 */
  double gamma, alpha;
  double *sum;   /* n: of the rows */
  double *scale; /* n: factors of rows and columns */
  mn_blocks blocks;
};

static void kernel_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct kernel *w = work;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    double *row = w->k + i * w->n;
    w->sum[i] = 0;
    for (size_t j = 0; j < w->n; j++) {
      row[j] = exp(-w->gamma * row[j] * row[j]);
      w->sum[i] += row[j];
    }
  }
}

static void scale_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct kernel *w = work;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    double *row = w->k + i * w->n;
    w->sum[i] = 0;
    for (size_t j = 0; j < w->n; j++) {
      row[j] *= w->scale[i] * w->scale[j];
      w->sum[i] += row[j];
    }
  }
}

/* Distances become D^-1/2 W D^-1/2; density = q^alpha, w->sum = D. */
static mn_status normalize(mn_context *ctx, struct kernel *w, double *density)
{
  const size_t n = w->n;
  MN_TRY(mn_parallel(ctx, w->blocks.count, kernel_block, w));
  for (size_t i = 0; i < n; i++) {
    density[i] = pow(w->sum[i], w->alpha);
    w->scale[i] = 1 / density[i];
  }
  MN_TRY(mn_parallel(ctx, w->blocks.count, scale_block, w));
  double *degree = MN_RAW(ctx, double, n, 1);
  MN_CHECK_ALLOC(degree);
  memcpy(degree, w->sum, n * sizeof *degree);
  for (size_t i = 0; i < n; i++) w->scale[i] = 1 / sqrt(degree[i]);
  MN_TRY(mn_parallel(ctx, w->blocks.count, scale_block, w));
  memcpy(w->sum, degree, n * sizeof *degree);
  return MN_OK;
}

/* --- eigenvectors --- */

static mn_status apply_kernel(mn_context *ctx, void *user, size_t count, const double *x, double *y)
{
  const struct kernel *w = user;
  return mn_gemm(ctx, false, false, count, w->n, w->n, 1, x, w->n, w->k, w->n, 0, y, w->n);
}

/* The k largest pairs; LAPACK finds what Lanczos does not. */
static mn_status find_pairs(mn_context *ctx, struct kernel *w, size_t k, double *values, double *vectors)
{
  enum { MAX_RESTARTS = 300 };
  bool converged;
  const mn_eigenproblem problem = {
    .n = w->n, .k = k, .end = MN_LARGEST, .apply = apply_kernel, .user = w, .tolerance = 1e-11, .max_iter = MAX_RESTARTS
  };
  MN_TRY(mn_eigs(ctx, &problem, values, vectors, &converged));
  return converged ? MN_OK : mn_eigh(ctx, w->n, k, MN_LARGEST, w->k, values, vectors);
}

/* Coordinates from the pairs after the first; the largest element of each in magnitude positive. */
static mn_status store(mn_context *ctx, struct diffusion_maps *m, const struct kernel *w, const double *values,
                       const double *vectors)
{
  const size_t n = w->n, k = (size_t)m->n_components;
  double total = 0;
  MN_TRY(mn_matrix_init(ctx, &m->embedding, n, k));
  MN_TRY(mn_vector_init(ctx, &m->eigenvalues, k));
  for (size_t i = 0; i < n; i++) total += w->sum[i];
  for (size_t c = 0; c < k; c++) {
    const double *v = vectors + (c + 1) * n, value = values[c + 1] > rounding ? fmin(values[c + 1], 1) : 0;
    const double power = value > 0 ? pow(value, m->diffusion_time) : 0;
    double largest = 0;
    m->eigenvalues.at[c] = value;
    for (size_t i = 0; i < n; i++) {
      const double psi = v[i] * sqrt(total / w->sum[i]);
      mn_row(&m->embedding, i)[c] = power * psi;
      largest = fabs(psi) > fabs(largest) ? psi : largest;
    }
    for (size_t i = 0; largest < 0 && i < n; i++) mn_row(&m->embedding, i)[c] *= -1;
  }
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct diffusion_maps *m = self;
  const size_t n = data->rows, k = (size_t)m->n_components;
  struct kernel w = { .n = n, .alpha = m->alpha, .blocks = mn_make_blocks(n, 16, SIZE_MAX) };
  if (k >= n)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: n_components must be less than the number of rows, %zu, got %zu", who, n,
                   k);
  MN_TRY(mn_check_pairs(ctx, who, n, "fit a sample of the rows and transform the others"));
  w.k = MN_RAW(ctx, double, n, n);
  w.sum = MN_RAW(ctx, double, n, 1);
  w.scale = MN_RAW(ctx, double, n, 1);
  double *values = MN_RAW(ctx, double, k + 1, 1), *vectors = MN_RAW(ctx, double, k + 1, n);
  if (!w.k || !w.sum || !w.scale || !values || !vectors) return MN_NO_MEMORY;
  MN_TRY(mn_training_distances(ctx, who, metric_of(m), data, w.k));
  m->kernel_gamma = m->gamma;
  if (isnan(m->gamma)) MN_TRY(choose_gamma(ctx, n, w.k, &m->kernel_gamma));
  w.gamma = m->kernel_gamma;
  MN_TRY(mn_vector_init(ctx, &m->density, n));
  MN_TRY(normalize(ctx, &w, m->density.at));
  MN_TRY(find_pairs(ctx, &w, k + 1, values, vectors));
  MN_TRY(store(ctx, m, &w, values, vectors));
  return mn_keep_training_rows(ctx, metric_of(m), data, &m->training_rows);
}

static void warning(const void *self, mn_text_buffer *text)
{
  const struct diffusion_maps *m = self;
  if (m->eigenvalues.at[0] > 1 - 1e-9)
    mn_text_printf(text, "random walks hardly leave parts of the rows, and the first coordinates only separate these; "
                         "decrease gamma");
}

/* --- new rows --- */

struct placing {
  const struct diffusion_maps *model;
  const double *distance; /* rows x training rows */
  double *out;            /* rows x components    */
  mn_blocks blocks;
};

/* The kernel is relative to that of the nearest row, so it does not underflow. */
static void place_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct placing *w = work;
  const struct diffusion_maps *m = w->model;
  const size_t n = m->embedding.rows, k = m->embedding.cols;
  for (size_t q = mn_block_begin(&w->blocks, block); q < mn_block_end(&w->blocks, block); q++) {
    const double *distance = w->distance + q * n;
    double *z = w->out + q * k, nearest = INFINITY, sum = 0;
    for (size_t j = 0; j < n; j++) nearest = fmin(nearest, distance[j]);
    for (size_t c = 0; c < k; c++) z[c] = 0;
    for (size_t j = 0; j < n; j++) {
      const double d = distance[j];
      const double weight = exp(-m->kernel_gamma * (d - nearest) * (d + nearest)) / m->density.at[j];
      sum += weight;
      for (size_t c = 0; c < k; c++) z[c] += weight * mn_row(&m->embedding, j)[c];
    }
    for (size_t c = 0; c < k; c++) z[c] = m->eigenvalues.at[c] > 0 ? z[c] / (sum * m->eigenvalues.at[c]) : 0;
  }
}

static mn_status place(mn_context *ctx, const void *self, size_t rows, const double *distance, double *out)
{
  struct placing w = { self, distance, out, mn_make_blocks(rows, 16, SIZE_MAX) };
  return mn_parallel(ctx, w.blocks.count, place_block, &w);
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct diffusion_maps *m = self;
  return mn_place_rows(ctx, who, metric_of(m), &m->training_rows, data, place, m, out);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct diffusion_maps *m = self;
  return mn_check_training_rows(ctx, &m->base, metric_of(m), m->embedding.rows, &m->training_rows);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct diffusion_maps *m = self;
  (void)action, (void)program;
  return mn_cannot_export(ctx, &m->base, "new rows are placed by their distances to all training rows");
}

static const mn_param params[] = {
  MN_COUNT(struct diffusion_maps, n_components, 2, MN_CLOSED(1, INT32_MAX), "number of coordinates"),
  MN_REAL(
      struct diffusion_maps, alpha, 1, MN_CLOSED(0, 1),
      "how far the density of the rows is divided out. 0: not, the walk prefers dense regions; 1: fully, coordinates "
      "depend on the geometry only"),
  MN_REAL(struct diffusion_maps, diffusion_time, 1, MN_AT_LEAST(0),
          "steps of the random walk: more steps smooth over small features"),
  MN_REAL(struct diffusion_maps, gamma, MN_UNSET_REAL, MN_GREATER_THAN(0),
          "inverse squared width of the kernel exp(-gamma d^2); nil: 1 / the median of d^2"),
  MN_CHOICE(struct diffusion_maps, metric, MN_METRIC_EUCLIDEAN, mn_metric_names,
            "distance between rows; haversine: columns are latitude and longitude in radians; precomputed: X is a "
            "symmetric matrix of distances, see pairwise_distances"),
  MN_REAL(struct diffusion_maps, p, 2, MN_AT_LEAST(1), "exponent of the metric minkowski"),
  MN_TABLE(struct diffusion_maps, covariance, MN_NO_LIMITS(),
           "covariance of the metric mahalanobis; nil: that of the training rows"),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct diffusion_maps, embedding, "rows x components", "coordinates of the training rows"),
  MN_VECTOR(struct diffusion_maps, eigenvalues, "components",
            "largest eigenvalues of the random walk but for the first, 1; descending, from 0"),
  MN_NUMBER(struct diffusion_maps, kernel_gamma, "gamma of the kernel, also if it was chosen"),
  MN_LEARNED(MN_KIND_VECTOR, struct diffusion_maps, density, "rows", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct diffusion_maps, training_rows, "rows? x features?", NULL),
  MN_END,
};

const mn_class mn_diffusion_maps = {
  .name = "DiffusionMaps",
  .family = "manifold",
  .brief = "Coordinates whose distances are those of random walks among the rows.",
  .objective = "|z_i - z_j|^2 = sum_k (p_t(i, k) - p_t(j, k))^2 / pi_k, for probabilities p_t of walks of t steps",
  .source = "Coifman & Lafon, Applied and Computational Harmonic Analysis 21 (2006)",
  .notes =
      "With all n - 1 components distances are exactly the diffusion distances. Eigenvectors have mean 0 and variance "
      "1 in the stationary distribution pi; the largest element of each coordinate in magnitude is positive. New "
      "rows are placed by the Nystroem extension, which leaves training rows where they are. The kernel takes 8 n^2 "
      "bytes: fit a sample of many rows and transform the others.",
  .example = "local X = ml.read_csv('examples/data/iris.csv'):drop{ 'species' }\n"
             "local model = ml.DiffusionMaps{ diffusion_time = 2 }:fit(X)\n"
             "print(model.eigenvalues, model.kernel_gamma)",
  .missing_alternatives = "GPLVM and GTM",
  .capabilities = MN_TRANSFORM,
  .size = sizeof(struct diffusion_maps),
  .params = params,
  .fields = fields,
  .fit = fit,
  .warning = warning,
  .transform = transform,
  .training_transform = mn_training_embedding,
  .export = export,
  .overwrites = true,
  .outputs = mn_embedding_columns,
  .check = check,
};
