#include "gp_gradient.h"
#include "../kernel/kernel_value.h"
#include "gp_uncertainty.h"
#include <string.h>

/* With k = k(X, x), D = dk / dx (n x d), h the row of the mean function and G = dh / dx:
 *
 *     mean      b'h + c'k                               its gradient: G'b + D'c
 *     variance  k(x, x) - k' inv(A) k + r' inv(P) r     its gradient: d k(x, x) - 2 D'(inv(A) k)
 *               r = h - H' inv(A) k, P = H' inv(A) H                  + 2 (G - H' inv(A) D)' inv(P) r */
struct gradient {
  const struct mn_gp_regressor *m;
  size_t n, d, columns;
  double *slope;    /* n x d: D               */
  double *solved;   /* n: k, then inv(A) k    */
  double *residual; /* columns: inv(P) r      */
  double *work;     /* of the kernel          */
};

static void find_residual(const struct gradient *g, const double *x, const double *v)
{
  const struct mn_gp_regressor *m = g->m;
  double *r = g->residual;
  mn_gp_mean_row((mn_gp_mean)m->mean_kind, g->d, x, r);
  for (size_t i = 0; i < g->n; i++)
    for (size_t k = 0; k < g->columns; k++) r[k] -= mn_row(&m->basis, i)[k] * v[i];
  for (size_t k = 0; k < g->columns; k++) {
    for (size_t j = 0; j < k; j++) r[k] -= mn_row(&m->precision, k)[j] * r[j];
    r[k] /= mn_row(&m->precision, k)[k];
  }
  for (size_t k = g->columns; k-- > 0;) {
    for (size_t j = k + 1; j < g->columns; j++) r[k] -= mn_row(&m->precision, j)[k] * r[j];
    r[k] /= mn_row(&m->precision, k)[k];
  }
}

/* One row: mean_gradient, in normalized units, d x targets; variance_gradient, d. */
static void row_gradient(const struct gradient *g, const double *x, double *mean, double *variance)
{
  const struct mn_gp_regressor *m = g->m;
  const size_t n = g->n, d = g->d, q = m->y.cols;
  double *v = g->solved;
  mn_kernel_values(&m->fitted_kernel, d, n, m->x.at, x, v);
  for (size_t i = 0; i < n; i++)
    mn_kernel_input_gradient(&m->fitted_kernel, d, mn_row(&m->x, i), x, g->work, g->slope + i * d);
  mn_packed_lower(n, m->factor.at, 1, v);
  find_residual(g, x, v);
  for (size_t i = 0; i < n; i++) /* inv(A) (k + H inv(P) r), up to inv(L') */
    for (size_t k = 0; k < g->columns; k++) v[i] += mn_row(&m->basis, i)[k] * g->residual[k];
  mn_packed_upper(n, m->factor.at, 1, v);
  mn_kernel_input_gradient(&m->fitted_kernel, d, x, x, g->work, variance);
  for (size_t j = 0; j < d; j++) {
    const size_t column = m->mean_kind == MN_GP_LINEAR ? j + 1 : g->columns; /* of h that depends on x_j */
    variance[j] = 2 * variance[j] + (column < g->columns ? 2 * g->residual[column] : 0);
    for (size_t i = 0; i < n; i++) variance[j] -= 2 * g->slope[i * d + j] * v[i];
    for (size_t t = 0; t < q; t++) {
      double sum = column < g->columns ? mn_row(&m->mean_coef, column)[t] : 0;
      for (size_t i = 0; i < n; i++) sum += g->slope[i * d + j] * mn_row(&m->dual_coef, i)[t];
      mean[j * q + t] = sum;
    }
  }
}

mn_status mn_gp_predict_gradient(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                 mn_results *results)
{
  const struct mn_gp_regressor *m = self;
  const size_t n = m->x.rows, d = m->x.cols;
  mn_matrix *mean, *variance;
  struct gradient g = { .m = m, .n = n, .d = d, .columns = mn_gp_columns(m) };
  (void)options;
  MN_TRY(mn_gp_require_one_target(ctx, &m->base, m->y.cols, "predict_gradient"));
  if (!mn_kernel_has_values(&m->fitted_kernel))
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "GaussianProcessRegressor: a kernel that is a Lua function has no derivative by the columns of X");
  g.slope = MN_RAW(ctx, double, n, d);
  g.solved = MN_RAW(ctx, double, n, 1);
  g.residual = MN_RAW(ctx, double, g.columns + d + 1, 1);
  g.work = MN_RAW(ctx, double, m->fitted_kernel.nodes, d);
  if (!g.slope || !g.solved || !g.residual || !g.work) return MN_NO_MEMORY;
  MN_TRY(mn_result_matrix(ctx, results, "mean", data->rows, d, &mean));
  MN_TRY(mn_result_matrix(ctx, results, "variance", data->rows, d, &variance));
  const double scale = m->y_scale.at[0];
  for (size_t i = 0; i < data->rows; i++) {
    MN_TRY(mn_poll(ctx));
    row_gradient(&g, mn_row(&data->x, i), mn_row(mean, i), mn_row(variance, i));
    for (size_t j = 0; j < d; j++) {
      mn_row(mean, i)[j] *= scale;
      mn_row(variance, i)[j] *= scale * scale;
    }
  }
  return MN_OK;
}
