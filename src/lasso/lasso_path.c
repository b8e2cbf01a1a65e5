#include "lasso_path.h"
#include <string.h>

const mn_param mn_lasso_path_params[] = {
  MN_REALS(mn_lasso_path_options, alphas, MN_AT_LEAST(0),
           "penalties; nil: n_alphas, from the smallest one that makes all coefficients 0"),
  MN_COUNT(mn_lasso_path_options, n_alphas, 100, MN_CLOSED(1, 100000),
           "number of penalties, evenly spaced in the logarithm"),
  MN_REAL(mn_lasso_path_options, eps, 1e-3, MN_OPEN(0, 1), "smallest penalty divided by the largest"),
  MN_COUNT(mn_lasso_path_options, target, 1, MN_AT_LEAST(1), "column of y, from 1"),
  MN_END,
};

static void sort_descending(size_t n, double *v)
{
  for (size_t i = 1; i < n; i++) {
    const double x = v[i];
    size_t k = i;
    for (; k > 0 && v[k - 1] < x; k--) v[k] = v[k - 1];
    v[k] = x;
  }
}

mn_status mn_lasso_grid(mn_context *ctx, const mn_vector *given, double largest, double l1_ratio, double eps,
                        int64_t n_alphas, mn_vector *out)
{
  const size_t n = given->size > 0 ? given->size : (size_t)n_alphas;
  *out = (mn_vector){ .at = MN_RAW(ctx, double, n, 1), .size = n };
  MN_CHECK_ALLOC(out->at);
  if (given->size > 0) {
    memcpy(out->at, given->at, n * sizeof *out->at);
    sort_descending(n, out->at);
    return MN_OK;
  }
  const double first = largest / fmax(l1_ratio, 1e-3);
  mn_cd_alpha_grid(first > 0 ? first : DBL_EPSILON, eps, n, out->at);
  return MN_OK;
}

mn_status mn_lasso_path(mn_context *ctx, const mn_data *data, bool fit_intercept, const mn_cd_settings *settings,
                        const mn_lasso_path_options *options, mn_results *results)
{
  const size_t p = data->features, target = (size_t)options->target - 1;
  mn_cd_data d;
  mn_cd s;
  mn_vector grid, *alphas, *intercepts, *gaps, *n_iter, *nonzero;
  mn_matrix *coefs;
  double before = (double)NAN;
  if (target >= data->y.cols)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "path: target must be from 1 to %zu, got %zu", data->y.cols, target + 1);
  MN_TRY(mn_cd_prepare(ctx, data, fit_intercept, NULL, &d));
  MN_TRY(mn_cd_target(ctx, &d, target, &s));
  MN_TRY(mn_lasso_grid(ctx, &options->alphas, mn_cd_max_l1(&s, NULL, settings->positive), settings->l1_ratio,
                       options->eps, options->n_alphas, &grid));
  MN_TRY(mn_result_vector(ctx, results, "alphas", grid.size, &alphas));
  MN_TRY(mn_result_matrix(ctx, results, "coefs", grid.size, p, &coefs));
  MN_TRY(mn_result_vector(ctx, results, "intercepts", grid.size, &intercepts));
  MN_TRY(mn_result_vector(ctx, results, "gaps", grid.size, &gaps));
  MN_TRY(mn_result_vector(ctx, results, "n_iter", grid.size, &n_iter));
  MN_TRY(mn_result_vector(ctx, results, "nonzero", grid.size, &nonzero));
  for (size_t k = 0; k < grid.size; k++) {
    const double l1 = grid.at[k] * settings->l1_ratio;
    const mn_cd_penalty q = { .l1 = l1, .l2 = grid.at[k] - l1, .positive = settings->positive };
    mn_cd_report r;
    MN_TRY(mn_cd_solve(ctx, &s, &q, before, settings->tol, settings->max_iter, &r));
    before = l1;
    alphas->at[k] = grid.at[k];
    memcpy(mn_row(coefs, k), s.b, p * sizeof *s.b);
    intercepts->at[k] = mn_cd_intercept(&d, target, s.b);
    gaps->at[k] = r.gap;
    n_iter->at[k] = (double)r.n_iter;
    for (size_t j = 0; j < p; j++) nonzero->at[k] += s.b[j] != 0;
    if (!mn_report_progress(ctx, (double)(k + 1), (double)grid.size, r.objective)) break;
  }
  return mn_error_status(ctx);
}
