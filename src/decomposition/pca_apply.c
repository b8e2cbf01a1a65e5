/* What a fitted PCA computes: transform and its inverse, reconstruction error, log density, and their export.
 *
 * The density is that of probabilistic PCA: Tipping & Bishop, J. R. Statist. Soc. B 61 (1999). */
#include "pca.h"
#include "../linalg/ordered.h"
#include "../linalg/product.h"
#include "components.h"
#include <string.h>

/* The divisor of a component. */
static double component_scale(const struct mn_pca *m, size_t c)
{
  const double variance = m->explained_variance.at[c];
  return m->whiten && variance > 0 ? sqrt(variance) : 1;
}

/* The coordinates of the mean in each component. */
static mn_status project_mean(mn_context *ctx, const struct mn_pca *m, double **shift)
{
  const size_t k = m->components.rows, p = m->components.cols;
  *shift = MN_NEW(ctx, double, k, 1);
  MN_CHECK_ALLOC(*shift);
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++) (*shift)[c] += m->mean.at[j] * m->components.at[c * p + j];
  return MN_OK;
}

mn_status mn_pca_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct mn_pca *m = self;
  const size_t n = data->rows, k = out->cols;
  double *shift;
  MN_TRY(project_mean(ctx, m, &shift));
  MN_TRY(mn_project_rows(ctx, data, &m->components, out));
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < k; c++) out->at[i * k + c] = (out->at[i * k + c] - shift[c]) / component_scale(m, c);
  return MN_OK;
}

mn_status mn_pca_inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct mn_pca *m = self;
  const size_t n = data->rows, p = out->cols, k = data->features;
  double *v = MN_RAW(ctx, double, k, p);
  MN_CHECK_ALLOC(v);
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++) v[c * p + j] = m->components.at[c * p + j] * component_scale(m, c);
  for (size_t i = 0; i < n; i++) memcpy(mn_row(out, i), m->mean.at, p * sizeof *out->at);
  return mn_gemm(ctx, false, false, n, p, k, 1, data->x.at, k, v, p, 1, out->at, p);
}

double mn_pca_decompose_row(const struct mn_pca *m, const mn_data *data, size_t i, double *z, double *squares)
{
  const size_t p = m->base.n_features, k = m->components.rows;
  const double *row = mn_dense_row(data, i, z);
  for (size_t j = 0; j < p; j++) z[j] = row[j] - m->mean.at[j];
  for (size_t c = 0; c < k; c++) {
    const double projection = mn_ordered_dot(p, z, mn_row(&m->components, c));
    squares[c] = projection * projection;
  }
  return mn_ordered_dot(p, z, z);
}

static double component_variance(const struct mn_pca *m, size_t c)
{
  return fmax(m->explained_variance.at[c], DBL_MIN);
}

/* The log density at the mean. */
static double log_density_at_mean(const struct mn_pca *m)
{
  const size_t p = m->base.n_features, k = m->components.rows;
  double log_density = -(double)p / 2 * 1.83787706640934548356; /* log(2 pi) */
  for (size_t c = 0; c < k; c++) log_density -= log(component_variance(m, c)) / 2;
  return log_density - (double)(p - k) / 2 * log(fmax(m->noise_variance, DBL_MIN));
}

mn_status mn_pca_score_samples(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct mn_pca *m = self;
  const size_t p = m->base.n_features, k = m->components.rows;
  const double noise = fmax(m->noise_variance, DBL_MIN), start = log_density_at_mean(m);
  double *squares = MN_RAW(ctx, double, k, 1), *z = MN_RAW(ctx, double, p, 1);
  if (!squares || !z) return MN_NO_MEMORY;
  for (size_t i = 0; i < data->rows; i++) {
    double rest = mn_pca_decompose_row(m, data, i, z, squares), distance = 0;
    for (size_t c = 0; c < k; c++) {
      distance += squares[c] / component_variance(m, c);
      rest -= squares[c];
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
  const struct mn_pca *m = self;
  mn_vector *out;
  double *squares = MN_RAW(ctx, double, m->components.rows, 1), *z = MN_RAW(ctx, double, data->features, 1);
  if (!squares || !z) return MN_NO_MEMORY;
  MN_TRY(mn_result_vector(ctx, results, "reconstruction_error", data->rows, &out));
  for (size_t i = 0; i < data->rows; i++) {
    double rest = mn_pca_decompose_row(m, data, i, z, squares);
    for (size_t c = 0; c < m->components.rows; c++) rest -= squares[c];
    out->at[i] = fmax(rest, 0);
  }
  return MN_OK;
}

static mn_status export_density(mn_context *ctx, const struct mn_pca *m, mn_program *program)
{
  const size_t k = m->components.rows, p = m->base.n_features;
  double *variance = MN_RAW(ctx, double, k, 1);
  MN_CHECK_ALLOC(variance);
  for (size_t c = 0; c < k; c++) variance[c] = component_variance(m, c);
  mn_program_reals(program, "components", k * p, m->components.at);
  mn_program_reals(program, "mean", p, m->mean.at);
  mn_program_reals(program, "variance", k, variance);
  mn_program_count(program, "k", k);
  mn_program_real(program, "start", log_density_at_mean(m));
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

mn_status mn_pca_export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct mn_pca *m = self;
  const size_t k = m->components.rows;
  double *shift, *unit = MN_RAW(ctx, double, k, 1);
  if (action == MN_SCORE_SAMPLES) return export_density(ctx, m, program);
  if (action != MN_TRANSFORM_X) return MN_OK;
  MN_CHECK_ALLOC(unit);
  MN_TRY(project_mean(ctx, m, &shift));
  for (size_t c = 0; c < k; c++) unit[c] = component_scale(m, c);
  mn_program_reals(program, "components", k * m->components.cols, m->components.at);
  mn_program_reals(program, "shift", k, shift);
  mn_program_reals(program, "unit", k, unit);
  mn_program_code(program, "for c < outputs {"
                           "  out[c] = (0.0 + dot(features, x, 0, components, c * features) - shift[c]) / unit[c]"
                           "}");
  return MN_OK;
}

const mn_operation mn_pca_operations[] = {
  { .name = "reconstruction_error",
    .brief = "squared distance of each row of X from the subspace of the components",
    .returns = "Vector: rows",
    .needs = MN_NEEDS_X,
    .run = reconstruction_error },
  { .name = "monitor",
    .brief = "Hotelling's T squared and the Q statistic of each row of X, with their limits",
    .returns = "rows (Frame: t_squared, q), t_squared_limit, q_limit",
    .needs = MN_NEEDS_X,
    .options = mn_pca_monitor_params,
    .options_size = sizeof(mn_pca_monitor_options),
    .run = mn_pca_monitor },
  { .name = "evidence",
    .brief = "Minka's log evidence of 1, 2, ... components, up to a constant",
    .returns = "Vector: columns of X - 1",
    .run = mn_pca_evidence },
  { .name = NULL },
};
