/* Regression on all columns and all products of two columns by the kernel interaction trick (model: interaction.h). The
 * hyperparameters maximize the evidence under priors that keep most kappa at 0 (interaction_evidence.c), found by a
 * search over sets of columns (interaction_search.c).
 *
 * With a = D P y (interaction.h) the mean at a row z is
 *
 *     c + sum_r a_r k(z_r, z) = c + sum_j t_j z_j + sum_j bend_j z_j^2 + omega^2 / 2 sum_r a_r (sum_j u_j z_rj z_j)^2,
 *     t_j = u_j sum_r a_r z_rj,    bend_j = -omega^2 / 2 u_j^2 sum_r a_r z_rj^2  [squares: 0]. */
#include "../factorization/lapack.h"
#include "../linalg/ordered.h"
#include "interaction.h"
#include <float.h>
#include <string.h>

/* Lower bound on the noise variance relative to that of y: without noise the likelihood is unbounded. */
static const double min_noise = 1e-8;

/* Standard deviation of column j of x (width columns) about `mean`; 0 if it is at rounding level. */
static double standard_deviation(const mn_data *data, const double *x, size_t width, size_t j, double mean,
                                 double total)
{
  double sum = 0, largest = 0;
  for (size_t i = 0; i < data->rows; i++) {
    const double v = x[i * width + j];
    sum += mn_weight(data, i) * (v - mean) * (v - mean);
    largest = fmax(largest, fabs(v));
  }
  const double std_dev = sqrt(sum / total);
  return std_dev > 64 * DBL_EPSILON * largest ? std_dev : 0;
}

static mn_status standardize(mn_context *ctx, mn_interaction *m, const mn_data *data, const double *mean,
                             mn_interaction_rows *rows)
{
  const size_t n = data->rows, p = data->features;
  double *z = MN_NEW(ctx, double, n, p), *root = MN_RAW(ctx, double, n, 1), *y = MN_RAW(ctx, double, n, 1);
  double *target = MN_RAW(ctx, double, n, 1);
  if (!z || !root || !y || !target) return MN_NO_MEMORY;
  MN_TRY(mn_vector_init(ctx, &m->center, p));
  MN_TRY(mn_vector_init(ctx, &m->scale, p));
  memcpy(m->center.at, mean, p * sizeof *mean);
  for (size_t j = 0; j < p; j++) m->scale.at[j] = standard_deviation(data, data->x.at, p, j, mean[j], m->n);
  m->unit = standard_deviation(data, data->y.at, 1, 0, mean[p], m->n);
  for (size_t i = 0; i < n; i++) {
    const double *x = mn_row(&data->x, i);
    root[i] = sqrt(mn_weight(data, i));
    target[i] = m->unit > 0 ? (data->y.at[i] - mean[p]) / m->unit : 0;
    y[i] = root[i] * target[i];
    for (size_t j = 0; j < p; j++)
      if (m->scale.at[j] > 0) z[i * p + j] = (x[j] - mean[j]) / m->scale.at[j];
  }
  *rows = (mn_interaction_rows){ .n = n,
                                 .p = p,
                                 .z = z,
                                 .root = root,
                                 .y = y,
                                 .target = target,
                                 .weights = data->weights,
                                 .total_weight = m->n,
                                 .squares = m->squares };
  return MN_OK;
}

static double estimate_sigma(const mn_interaction_problem *p)
{
  const double weight = p->rows.total_weight;
  return sqrt((p->f.ypy + p->floor) / (weight > 1 ? weight - 1 : weight));
}

static void sort_columns(mn_interaction_state *s)
{
  for (size_t i = 1; i < s->k; i++) {
    const size_t column = s->column[i];
    const double u = s->u[i];
    size_t k = i;
    for (; k > 0 && s->column[k - 1] > column; k--) {
      s->column[k] = s->column[k - 1];
      s->u[k] = s->u[k - 1];
    }
    s->column[k] = column;
    s->u[k] = u;
  }
}

static mn_status init_fields(mn_context *ctx, mn_interaction *m, size_t n, size_t k)
{
  MN_TRY(mn_indexes_init(ctx, &m->relevant, k));
  MN_TRY(mn_vector_init(ctx, &m->u, k));
  MN_TRY(mn_vector_init(ctx, &m->bend, k));
  MN_TRY(mn_vector_init(ctx, &m->root, n));
  MN_TRY(mn_vector_init(ctx, &m->pull, n));
  return mn_matrix_init(ctx, &m->z, n, k);
}

/* Compute main effects and coefficients of squares from the dual coefficients of the rows. */
static void sum_effects(mn_interaction *m)
{
  const size_t k = m->relevant.size;
  const double half = m->squares ? 0 : m->omega * m->omega / 2;
  for (size_t c = 0; c < k; c++) {
    const size_t j = (size_t)m->relevant.at[c];
    const double u = m->u.at[c];
    double line = 0, bend = 0;
    for (size_t i = 0; i < m->z.rows; i++) {
      const double z = mn_row(&m->z, i)[c];
      line += m->pull.at[i] * z;
      bend += m->pull.at[i] * z * z;
    }
    m->linear.coef.at[j] = u * line / m->scale.at[j];
    m->bend.at[c] = -half * u * u * bend;
  }
}

static mn_status store(mn_context *ctx, mn_interaction *m, mn_interaction_problem *p, mn_interaction_state *s)
{
  const size_t n = p->rows.n;
  double largest = 0;
  sort_columns(s);
  MN_TRY(mn_interaction_update(p, s, false));
  for (size_t c = 0; c < s->k; c++) largest = fmax(largest, s->u[c]);
  const double sigma = estimate_sigma(p);
  m->sigma = m->unit * sigma;
  m->eta_1 = m->sigma * sqrt(largest);
  m->omega = exp(s->log_omega);
  m->eta_2 = m->sigma * m->omega * largest;
  m->linear.intercept.at[0] += m->unit * p->f.intercept;
  if (s->k == 0) return MN_OK;
  MN_TRY(init_fields(ctx, m, n, s->k));
  for (size_t c = 0; c < s->k; c++) {
    m->relevant.at[c] = (int32_t)s->column[c];
    m->u.at[c] = s->u[c];
    m->kappa.at[s->column[c]] = sqrt(s->u[c] / largest);
  }
  for (size_t i = 0; i < n; i++) {
    m->root.at[i] = p->rows.root[i];
    m->pull.at[i] = m->unit * p->rows.root[i] * p->f.py[i];
    for (size_t c = 0; c < s->k; c++) mn_row(&m->z, i)[c] = p->rows.z[i * p->rows.p + s->column[c]];
  }
  sum_effects(m);
  return MN_OK;
}

/* The kernel of a row and its rounding error are multiplied by its weight; noise and effects are computed from
 * differences of such numbers. */
static mn_status check_weights(mn_context *ctx, const mn_data *data)
{
  static const double max_weight = 1e9;
  for (size_t i = 0; i < data->rows; i++)
    if (mn_weight(data, i) > max_weight)
      return mn_fail(ctx, MN_BAD_DATA,
                     "KernelInteractionRegression: weights count rows and must be at most %g, got %g in row %zu",
                     max_weight, mn_weight(data, i), i + 1);
  return MN_OK;
}

static mn_status search(mn_context *ctx, mn_interaction *m, const mn_interaction_rows *rows)
{
  double squares = 0;
  bool *varies = MN_RAW(ctx, bool, rows->p, 1);
  mn_interaction_problem p = { .rows = *rows, .varies = varies, .tol = m->tol };
  mn_interaction_state s;
  MN_CHECK_ALLOC(varies);
  for (size_t j = 0; j < rows->p; j++) varies[j] = m->scale.at[j] > 0 && m->unit > 0;
  for (size_t i = 0; i < rows->n; i++) squares += rows->y[i] * rows->y[i];
  p.rho = m->sparsity * m->n * log1p((double)rows->p);
  p.freedom = fmax(m->n - 1, 0);
  p.floor = m->unit > 0 ? min_noise * squares : 0;
  MN_TRY(mn_interaction_problem_init(ctx, &p));
  MN_TRY(mn_interaction_state_init(ctx, rows->p, &s));
  MN_TRY(mn_interaction_search(ctx, m, &p, &s));
  return store(ctx, m, &p, &s);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_interaction *m = self;
  mn_interaction_rows rows;
  MN_TRY(mn_check_magnitudes(ctx, &m->linear.base, data));
  MN_TRY(check_weights(ctx, data));
  double *mean = MN_NEW(ctx, double, data->features + 1, 1);
  MN_CHECK_ALLOC(mean);
  MN_TRY(mn_linear_means(ctx, data, mean, &m->n));
  MN_TRY(mn_linear_init(ctx, &m->linear, 1, data->features));
  MN_TRY(mn_vector_init(ctx, &m->kappa, data->features));
  m->linear.intercept.at[0] = mean[data->features];
  MN_TRY(standardize(ctx, m, data, mean, &rows));
  return search(ctx, m, &rows);
}

/* The mean at a row; v and z: workspaces of k values. export does the same, operation by operation. */
static double mean_at(const mn_interaction *m, const double *x, double *z, double *v)
{
  const size_t k = m->relevant.size;
  double sum = m->linear.intercept.at[0], products = 0;
  for (size_t c = 0; c < k; c++) {
    const size_t j = (size_t)m->relevant.at[c];
    const double from = x[j] - m->center.at[j];
    z[c] = from / m->scale.at[j];
    v[c] = m->u.at[c] * z[c];
    sum += m->linear.coef.at[j] * from;
    sum += m->bend.at[c] * z[c] * z[c];
  }
  for (size_t i = 0; i < m->z.rows; i++) {
    const double s = mn_ordered_dot(k, mn_row(&m->z, i), v);
    products += m->pull.at[i] * (s * s);
  }
  return sum + m->omega * m->omega / 2 * products;
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_interaction *m = self;
  const size_t k = m->relevant.size;
  double *z = MN_RAW(ctx, double, k, 1), *v = MN_RAW(ctx, double, k, 1);
  if (!z || !v) return MN_NO_MEMORY;
  for (size_t i = 0; i < data->rows; i++) {
    out->at[i] = mean_at(m, mn_row(&data->x, i), z, v);
    if (i % 1024 == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)ctx;
  const mn_interaction *m = self;
  const size_t k = m->relevant.size, p = m->kappa.size;
  if (action != MN_PREDICT) return MN_OK;
  mn_program_real(program, "intercept", m->linear.intercept.at[0]);
  if (k == 0) {
    mn_program_code(program, "out[0] = intercept");
    return MN_OK;
  }
  mn_program_indexes(program, "relevant", k, m->relevant.at);
  mn_program_reals(program, "center", p, m->center.at);
  mn_program_reals(program, "scale", p, m->scale.at);
  mn_program_reals(program, "coef", p, m->linear.coef.at);
  mn_program_reals(program, "u", k, m->u.at);
  mn_program_reals(program, "bend", k, m->bend.at);
  mn_program_reals(program, "rows", m->z.rows * k, m->z.at);
  mn_program_reals(program, "pull", m->z.rows, m->pull.at);
  mn_program_count(program, "columns", k);
  mn_program_count(program, "count", m->z.rows);
  mn_program_real(program, "half", m->omega * m->omega / 2);
  mn_program_code(program, "real sum = intercept"
                           " real products = 0.0"
                           " reals v[columns]"
                           " for c < columns {"
                           "   int j = relevant[c]"
                           "   real from = x[j] - center[j]"
                           "   real z = from / scale[j]"
                           "   v[c] = u[c] * z"
                           "   sum += coef[j] * from"
                           "   sum += bend[c] * z * z"
                           " }"
                           " for i < count {"
                           "   real s = dot(columns, v, 0, rows, i * columns)"
                           "   products += pull[i] * (s * s)"
                           " }"
                           " out[0] = sum + half * products");
  return MN_OK;
}

static mn_status check(mn_context *ctx, const void *self)
{
  const mn_interaction *m = self;
  const size_t k = m->relevant.size, n = m->z.rows;
  const bool fits = m->u.size == k && m->bend.size == k && m->root.size == n && m->pull.size == n && m->z.cols == k;
  if (fits && (k == 0) == (n == 0)) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE,
                 "KernelInteractionRegression: the archive has %zu relevant columns, but a matrix of %zu x %zu", k, n,
                 m->z.cols);
}

static const mn_param params[] = {
  MN_COUNT(mn_interaction, max_iter, 100, MN_AT_LEAST(1),
           "maximum number of rounds, each of which adds one or two columns"),
  MN_REAL(mn_interaction, tol, 1e-3, MN_AT_LEAST(0), "stop when no column lowers the objective by more than this"),
  MN_PENALTY(mn_interaction, sparsity, 1, MN_GREATER_THAN(0), "penalty on the number of relevant columns"),
  MN_FLAG(mn_interaction, squares, false, "include the squares of columns"),
  MN_END,
};

static const mn_field fields[] = {
  MN_LINEAR_FIELDS("targets"),
  MN_VECTOR(mn_interaction, kappa, "features", "relevance of each column: the largest is 1, and most are 0"),
  MN_NUMBER(mn_interaction, eta_1, "prior standard deviation of main effects of a column with kappa 1"),
  MN_NUMBER(mn_interaction, eta_2, "prior standard deviation of interactions of columns with kappa 1"),
  MN_NUMBER(mn_interaction, sigma, "standard deviation of the noise"),
  MN_INDEXES(mn_interaction, relevant, "relevant? < features", "columns with nonzero kappa"),
  MN_VECTOR(mn_interaction, center, "features", "means of the columns, at which effects are defined"),
  MN_VECTOR(mn_interaction, scale, "features", "standard deviations of the columns; 0 for constant ones"),
  MN_NUMBER(mn_interaction, n, "sum of the sample weights; the number of rows without weights"),
  MN_LEARNED(MN_KIND_REAL, mn_interaction, omega, "", NULL),
  MN_LEARNED(MN_KIND_REAL, mn_interaction, unit, "", NULL),
  MN_LEARNED(MN_KIND_VECTOR, mn_interaction, u, "relevant?", NULL),
  MN_LEARNED(MN_KIND_VECTOR, mn_interaction, bend, "relevant?", NULL),
  MN_LEARNED(MN_KIND_VECTOR, mn_interaction, root, "rows?", NULL),
  MN_LEARNED(MN_KIND_VECTOR, mn_interaction, pull, "rows?", NULL),
  MN_LEARNED(MN_KIND_MATRIX, mn_interaction, z, "rows? x relevant?", NULL),
  MN_END,
};

const mn_class mn_kernel_interaction_regression = {
  .name = "KernelInteractionRegression",
  .family = "linear",
  .brief = "Sparse Bayesian regression on all columns and all products of two columns.",
  .objective =
      "-log p(y | kappa, eta_1, eta_2, sigma) + sum_j log(1 + sparsity n log(1 + p) v_j) + log(omega)^2 / 8, intercept "
      "integrated out, minimized over sigma; v_j: expected variance of the effects of column j relative to the noise; "
      "omega = eta_2 sigma / eta_1^2",
  .source = "Agrawal, Huggins, Trippe & Broderick, ICML 2019",
  .notes =
      "y = intercept + sum_j b_j x_j + sum_{i<j} b_ij x_i x_j + noise with centered x. For columns scaled to unit variance, b_j has "
      "prior variance eta_1^2 kappa_j^2 and b_ij has eta_2^2 kappa_i^2 kappa_j^2. A round takes O(n^2 p + n^3) time, linear in "
      "the number of columns. Hyperparameters are point estimates: sigma, std and intervals ignore their uncertainty. coef "
      "holds the main effects only; predict includes the products. Weights count rows and must be at most 1e9.",
  .example = "local X = ml.normal(100, 20, 1)\n"
             "local y = X:col(3) * 2 + X:col(3):mul(X:col(8)) + ml.normal(100, nil, 2) * 0.1\n"
             "local model = ml.KernelInteractionRegression{}:fit(X, y)\n"
             "print(model.relevant, model:interactions())",
  .capabilities = MN_REGRESS | MN_ITERATE | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS,
  .size = sizeof(mn_interaction),
  .params = params,
  .fields = fields,
  .operations = mn_interaction_operations,
  .fit = fit,
  .predict = predict,
  .export = export,
  .check = check,
};
