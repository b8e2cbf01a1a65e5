/* What sparse Gaussian process regression computes beside means: variances, intervals, samples and bounds. */
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "../model/kernel_param.h"
#include "../gaussian_process/gp_report.h"
#include "gp_sparse_model.h"
#include "../gaussian_process/gp_uncertainty.h"
#include <math.h>
#include <string.h>

/* What the posterior covariance of rows consists of, for n of them: the prior one less a'a, plus c'c and r'r with
 * a = inv(L) k(Z, x), c = inv(factor) a and r = inv(precision) (h - basis' a). */
struct parts {
  double *a, *c, *r; /* inducing x n, the same, columns of the mean function x n */
};

static mn_status find_parts(mn_context *ctx, const struct mn_sparse_model *m, const mn_data *data, struct parts *p)
{
  const size_t k = m->inducing_inputs.rows, n = data->rows, columns = m->mean_coef.rows;
  const mn_kernel_rows z = { .n = k, .d = m->inducing_inputs.cols, .x = m->inducing_inputs.at },
                       x = mn_kernel_rows_of(data);
  double *h = MN_RAW(ctx, double, columns + 1, 1);
  p->a = MN_RAW(ctx, double, k, n);
  p->c = MN_RAW(ctx, double, k, n);
  p->r = MN_RAW(ctx, double, columns + 1, n);
  if (!h || !p->a || !p->c || !p->r) return MN_NO_MEMORY;
  MN_TRY(mn_kernel_cross(ctx, &m->fitted_kernel, &z, &x, p->a, n));
  MN_TRY(mn_chol_lower(ctx, k, n, m->l.at, p->a));
  memcpy(p->c, p->a, k * n * sizeof *p->c);
  MN_TRY(mn_chol_lower(ctx, k, n, m->factor.at, p->c));
  if (columns == 0) return MN_OK;
  for (size_t i = 0; i < n; i++) {
    mn_gp_mean_row((mn_gp_mean)m->mean_kind, data->features, mn_row(&data->x, i), h);
    for (size_t j = 0; j < columns; j++) p->r[j * n + i] = h[j];
  }
  MN_TRY(mn_gemm(ctx, true, false, columns, n, k, -1, m->basis.at, columns, p->a, n, 1, p->r, n));
  return mn_chol_lower(ctx, columns, n, m->precision.at, p->r);
}

static void add_squares(size_t rows, size_t n, const double *v, double sign, double *out)
{
  for (size_t k = 0; k < rows; k++)
    for (size_t i = 0; i < n; i++) out[i] += sign * v[k * n + i] * v[k * n + i];
}

static mn_status variances(mn_context *ctx, const void *self, const mn_data *data, double *function, double *noise)
{
  const struct mn_sparse_model *m = self;
  const size_t k = m->inducing_inputs.rows, step = mn_sparse_block_rows(k);
  for (size_t begin = 0; begin < data->rows; begin += step) {
    const mn_mark mark = mn_scratch_mark(ctx);
    mn_data part = *data;
    struct parts p;
    part.rows = part.x.rows = data->rows - begin < step ? data->rows - begin : step;
    part.x.at = mn_row(&data->x, begin);
    const mn_kernel_rows rows = mn_kernel_rows_of(&part);
    MN_TRY(mn_kernel_diagonal_parts(ctx, &m->fitted_kernel, &rows, function + begin, noise + begin));
    MN_TRY(find_parts(ctx, m, &part, &p));
    add_squares(k, part.rows, p.a, -1, function + begin);
    add_squares(k, part.rows, p.c, 1, function + begin);
    add_squares(m->mean_coef.rows, part.rows, p.r, 1, function + begin);
    for (size_t i = begin; i < begin + part.rows; i++) {
      function[i] = fmax(function[i], 0);
      noise[i] += m->noise;
    }
    mn_scratch_release(ctx, mark);
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

static mn_status covariance(mn_context *ctx, const void *self, const mn_data *data, double *out)
{
  const struct mn_sparse_model *m = self;
  const size_t k = m->inducing_inputs.rows, n = data->rows, columns = m->mean_coef.rows;
  const mn_kernel_rows x = mn_kernel_rows_of(data);
  struct parts p;
  MN_TRY(mn_kernel_cross(ctx, &m->fitted_kernel, &x, &x, out, n));
  MN_TRY(find_parts(ctx, m, data, &p));
  MN_TRY(mn_gemm(ctx, true, false, n, n, k, -1, p.a, n, p.a, n, 1, out, n));
  MN_TRY(mn_gemm(ctx, true, false, n, n, k, 1, p.c, n, p.c, n, 1, out, n));
  return mn_gemm(ctx, true, false, n, n, columns, 1, p.r, n, p.r, n, 1, out, n);
}

static mn_gp_predictor predictor_of(const struct mn_sparse_model *m)
{
  return (mn_gp_predictor){ .model = &m->base,
                            .targets = m->dual_coef.cols,
                            .scale = m->y_scale.at[0],
                            .predict = mn_sparse_predict,
                            .variances = variances,
                            .covariance = covariance };
}

MN_GP_WITH_PREDICTOR(predict_interval, mn_gp_predict_interval, predictor_of)
MN_GP_WITH_PREDICTOR(intervals, mn_gp_intervals, predictor_of)
MN_GP_WITH_PREDICTOR(posterior, mn_gp_give_posterior, predictor_of)
MN_GP_WITH_PREDICTOR(sample_y, mn_gp_sample_y, predictor_of)

/* --- bounds --- */

static mn_status bounds(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results)
{
  const struct mn_sparse_model *m = self;
  mn_sparse_state s;
  double upper;
  (void)data;
  (void)options;
  if (m->steps > 0)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: bounds requires fit, since partial_fit with svi estimates them",
                   m->base.class->name);
  if (m->method_kind == MN_SPARSE_FITC)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: bounds requires method = \"variational\", the fit used \"fitc\"",
                   m->base.class->name);
  MN_TRY(mn_sparse_state_of(ctx, m, &s));
  MN_TRY(mn_sparse_upper_bound(ctx, &s, &upper));
  mn_result_real(results, "lower", s.log_likelihood);
  mn_result_real(results, "upper", upper);
  mn_result_real(results, "gap", (upper - s.log_likelihood) / (s.sums.weight * (double)s.q));
  return MN_OK;
}

/* --- likelihood of given data --- */

static mn_status log_marginal_likelihood(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                         mn_results *results)
{
  const struct mn_sparse_model *m = self;
  const mn_kernel_rows z = { .n = m->inducing_inputs.rows, .d = m->inducing_inputs.cols, .x = m->inducing_inputs.at };
  mn_kernel kernel;
  mn_sparse_problem problem;
  mn_sparse_state s;
  double *gradient;
  mn_matrix *by_inputs;
  MN_TRY(mn_gp_start_likelihood(ctx, &m->base, &m->fitted_kernel, options, results, &kernel, &gradient));
  MN_TRY(mn_result_matrix(ctx, results, "input_gradient", z.n, z.d, &by_inputs));
  MN_TRY(mn_sparse_problem_of(ctx, m, data, &problem));
  MN_TRY(mn_sparse_new(ctx, &problem, &z, &s));
  MN_TRY(mn_sparse_evaluate(ctx, &kernel, &problem, &s));
  if (isfinite(s.log_likelihood)) MN_TRY(mn_sparse_gradient(ctx, &kernel, &problem, &s, gradient, by_inputs->at));
  mn_result_real(results, "value", s.log_likelihood);
  return MN_OK;
}

static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  const struct mn_sparse_model *m = self;
  const mn_gp_account account = MN_GP_ACCOUNT(
      m,
      m->method_kind == MN_SPARSE_FITC ? "approximate log marginal likelihood"
                                       : "lower bound on the log marginal likelihood",
      .rows = { .n = m->inducing_inputs.rows, .d = m->inducing_inputs.cols, .x = m->inducing_inputs.at },
      .row_name = "inducing input", .mean = (mn_gp_mean)m->mean_kind, .jitter = m->jitter, .noise = m->noise);
  (void)data;
  (void)options;
  return mn_gp_summarize(ctx, &account, results);
}

const mn_operation mn_sparse_operations[] = {
  MN_PREDICT_INTERVAL(", of a new observation", predict_interval),
  MN_GP_INTERVALS(intervals),
  MN_GP_POSTERIOR(posterior),
  MN_GP_SAMPLE_Y(sample_y),
  { .name = "bounds",
    .brief = "bounds on the log likelihood of the exact model; gap: their difference for each row",
    .returns = "lower, upper, gap",
    .run = bounds },
  MN_GP_SUMMARY(summary),
  { .name = "log_marginal_likelihood",
    .brief = "approximate log likelihood of X, y and its gradient at given hyperparameters",
    .returns = "value, gradient (free hyperparameters), input_gradient (inducing inputs x features)",
    .needs = MN_NEEDS_X | MN_NEEDS_Y,
    .options = mn_gp_likelihood_params,
    .options_size = sizeof(mn_gp_likelihood_options),
    .run = log_marginal_likelihood },
  { .name = NULL },
};
