/* Sparse principal components V: dictionary learning of the transposed, centered X,
 *
 *     minimize 1/2 |X - U V|^2 + alpha |V|_1     over V and U with columns of norm at most 1,
 *
 * by turns (atoms.h). Components are then scaled to norm 1. They are not orthogonal, so a row is transformed by ridge
 * regression on them: z = inv(V V' + ridge_alpha I) V (x - mean).
 *
 * Jenatton, Obozinski & Bach, AISTATS (2010). */
#include "../factorization/lapack.h"
#include "../linalg/ordered.h"
#include "../linalg/product.h"
#include "../model/class.h"
#include "../model/program.h"
#include "atoms.h"
#include "../model/magnitudes.h"
#include <stdio.h>
#include <string.h>

struct sparse_pca {
  mn_estimator base;
  int64_t n_components, method, max_iter, seed; /* parameters */
  double alpha, ridge_alpha, tol;
  mn_matrix components; /* learned: components x features */
  mn_vector mean;       /* features */
  double error;
};

/* The transposed, centered rows: p x n. */
static mn_status transpose(mn_context *ctx, struct sparse_pca *m, const mn_data *data, double **out)
{
  const size_t n = data->rows, p = data->features;
  *out = MN_RAW(ctx, double, p, n);
  MN_CHECK_ALLOC(*out);
  MN_TRY(mn_vector_init(ctx, &m->mean, p));
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < p; j++) m->mean.at[j] += (mn_row(&data->x, i)[j] - m->mean.at[j]) / (double)(i + 1);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < p; j++) (*out)[j * n + i] = mn_row(&data->x, i)[j] - m->mean.at[j];
  return mn_poll(ctx);
}

/* Components from the codes, of norm 1 or 0, the element of largest magnitude positive. */
static mn_status store(mn_context *ctx, struct sparse_pca *m, const mn_atoms *s)
{
  const size_t p = s->n, k = s->k;
  MN_TRY(mn_matrix_init(ctx, &m->components, k, p));
  for (size_t c = 0; c < k; c++) {
    double *row = mn_row(&m->components, c), square = 0, largest = 0;
    for (size_t j = 0; j < p; j++) {
      row[j] = s->code[j * k + c];
      square += row[j] * row[j];
      if (fabs(row[j]) > fabs(largest)) largest = row[j];
    }
    const double scale = largest < 0 ? -sqrt(square) : sqrt(square);
    for (size_t j = 0; scale != 0 && j < p; j++) row[j] = row[j] != 0 ? row[j] / scale : 0;
  }
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct sparse_pca *m = self;
  const size_t n = data->rows, p = data->features, k = m->n_components == MN_UNSET ? p : (size_t)m->n_components;
  double *x;
  MN_TRY(mn_check_magnitudes(ctx, self, data));
  MN_TRY(transpose(ctx, m, data, &x));
  mn_atoms s = { .n = p, .p = n, .k = k, .x = x, .coding = mn_atoms_coding(m->method, m->alpha, false, 1000) };
  s.rng = mn_stream(m->seed, 0);
  MN_TRY(mn_atoms_init(ctx, &s));
  MN_TRY(mn_atoms_start(ctx, &s, "SparsePCA", NULL));
  m->base.report = (mn_report){ .advice = "increase max_iter or tol" };
  MN_TRY(mn_atoms_alternate(ctx, &s, &m->base.report, m->max_iter, m->tol, &m->error));
  return store(ctx, m, &s);
}

/* inv(V V' + ridge_alpha I) V; with ridge_alpha = 0 and dependent components, of the independent ones. */
static mn_status projection(mn_context *ctx, const struct sparse_pca *m, double *out)
{
  const size_t k = m->components.rows, p = m->components.cols;
  double *gram = MN_RAW(ctx, double, k, k), *values = MN_RAW(ctx, double, k, 1), *vectors = MN_RAW(ctx, double, k, k);
  double *rotated = MN_RAW(ctx, double, k, p);
  if (!gram || !values || !vectors || !rotated) return MN_NO_MEMORY;
  for (size_t a = 0; a < k; a++)
    for (size_t b = 0; b < k; b++)
      gram[a * k + b] = mn_ordered_dot(p, mn_row(&m->components, a), mn_row(&m->components, b));
  MN_TRY(mn_eigh(ctx, k, k, MN_LARGEST, gram, values, vectors));
  MN_TRY(mn_gemm(ctx, false, false, k, p, k, 1, vectors, k, m->components.at, p, 0, rotated, p));
  for (size_t c = 0; c < k; c++) {
    const double value = values[c] + m->ridge_alpha, scale = value > 1e-13 * values[0] && value > 0 ? 1 / value : 0;
    for (size_t j = 0; j < p; j++) rotated[c * p + j] *= scale;
  }
  return mn_gemm(ctx, true, false, k, p, k, 1, vectors, k, rotated, p, 0, out, p);
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct sparse_pca *m = self;
  const size_t p = data->features, k = out->cols;
  double *projections = MN_RAW(ctx, double, k, p), *z = MN_RAW(ctx, double, p, 1);
  if (!projections || !z) return MN_NO_MEMORY;
  MN_TRY(projection(ctx, m, projections));
  for (size_t i = 0; i < data->rows; i++) {
    for (size_t j = 0; j < p; j++) z[j] = mn_row(&data->x, i)[j] - m->mean.at[j];
    for (size_t c = 0; c < k; c++) mn_row(out, i)[c] = mn_ordered_dot(p, z, projections + c * p);
    if (i % 256 == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

static mn_status inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct sparse_pca *m = self;
  const size_t n = data->rows, p = out->cols, k = data->features;
  for (size_t i = 0; i < n; i++) memcpy(mn_row(out, i), m->mean.at, p * sizeof *out->at);
  return mn_gemm(ctx, false, false, n, p, k, 1, data->x.at, k, m->components.at, p, 1, out->at, p);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct sparse_pca *m = self;
  const size_t k = m->components.rows, p = m->components.cols;
  if (action != MN_TRANSFORM_X) return MN_OK;
  double *projections = MN_RAW(ctx, double, k, p);
  MN_CHECK_ALLOC(projections);
  MN_TRY(projection(ctx, m, projections));
  mn_program_reals(program, "mean", p, m->mean.at);
  mn_program_reals(program, "projections", k * p, projections);
  mn_program_code(program, "reals z[features] for j < features { z[j] = x[j] - mean[j] }"
                           " for c < outputs { out[c] = 0.0 + dot(features, z, 0, projections, c * features) }");
  return MN_OK;
}

static size_t outputs(const void *self)
{
  return ((const struct sparse_pca *)self)->components.rows;
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  (void)self;
  (void)inputs;
  snprintf(text, size, "spca%zu", j + 1);
}

static const mn_param params[] = {
  MN_COUNT(struct sparse_pca, n_components, MN_UNSET, MN_CLOSED(1, 2147483647),
           "number of components; nil: columns of X"),
  MN_PENALTY(struct sparse_pca, alpha, 1, MN_AT_LEAST(0), "L1 penalty on the components; larger: more zeros"),
  MN_PENALTY(struct sparse_pca, ridge_alpha, 0.01, MN_AT_LEAST(0), "L2 penalty of the regression in transform"),
  MN_COUNT(struct sparse_pca, max_iter, 1000, MN_AT_LEAST(1), "maximum number of iterations"),
  MN_REAL(struct sparse_pca, tol, 1e-8, MN_AT_LEAST(0),
          "stop when an iteration lowers the objective by at most this part of it"),
  MN_CHOICE(struct sparse_pca, method, MN_FIT_LARS, mn_fit_algorithms,
            "solver of the lasso: its path, or coordinate descent"),
  MN_SEED(struct sparse_pca, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct sparse_pca, components, "components x features", "sparse vectors of norm 1, or 0"),
  MN_VECTOR(struct sparse_pca, mean, "features", "mean of each column"),
  MN_NUMBER(struct sparse_pca, error, "the objective at the end"),
  MN_END,
};

const mn_class mn_sparse_pca = {
  .name = "SparsePCA",
  .family = "decomposition",
  .brief = "Sparse principal components: each uses few columns, so it can be interpreted.",
  .objective = "1/2 |X - U V|^2 + alpha |V|_1 over V and U with columns of norm at most 1",
  .source = "Jenatton, Obozinski & Bach, AISTATS (2010); Mairal et al., J. Mach. Learn. Res. 11 (2010)",
  .notes = "Columns are centered, not scaled: use StandardScaler first if their units differ. Components are not "
           "orthogonal; transform is a ridge regression on them. The largest element of each in magnitude is positive. "
           "alpha is compared with sums over rows, so more rows need a larger alpha. The result is a local minimum.",
  .example = "local X = ml.normal(60, 6, 1)\n"
             "local model = ml.SparsePCA{ n_components = 2, alpha = 3, tol = 0.001 }:fit(X)\n"
             "print(model.components)",
  .missing_alternatives = "ProbabilisticPCA",
  .capabilities = MN_TRANSFORM | MN_ITERATE | MN_RANDOM | MN_NOISY_OBJECTIVE,
  .size = sizeof(struct sparse_pca),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .inverse_transform = inverse_transform,
  .export = export,
  .outputs = outputs,
  .output_name = output_name,
};
