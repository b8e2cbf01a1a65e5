/* Monitoring of new rows x by principal components: T squared within their space, Q beside it,
 *
 *     T^2 = sum_c z_c^2 / l_c,      Q = |x - mean|^2 - sum_c z_c^2,      z = V (x - mean),
 *
 * and limits that rows from the normal distribution of the rows of fit exceed with probability 1 - confidence:
 *
 *   T^2   k (n^2 - 1) / (n (n - k)) times the quantile of F with k and n - k degrees of freedom
 *   Q     theta_1 (1 + c sqrt(2 theta_2 h^2) / theta_1 + theta_2 h (h - 1) / theta_1^2)^(1 / h),
 *         theta_i the sums of powers of the variances beyond the components, h = 1 - 2 theta_1 theta_3 / (3 theta_2^2),
 *         c the normal quantile; where that is not defined (h <= 0), Box's theta_2 / theta_1 times the quantile of
 *         chi squared with theta_1^2 / theta_2 degrees of freedom
 *
 * Jackson & Mudholkar, Technometrics 21 (1979); Box, Ann. Math. Stat. 25 (1954). */
#include "../stats/special.h"
#include "pca.h"

static double t_squared_limit(const struct mn_pca *m, double confidence)
{
  const double n = m->n, k = (double)m->components.rows;
  return n > k ? k * (n * n - 1) / (n * (n - k)) * mn_f_quantile(confidence, k, n - k) : INFINITY;
}

static double q_limit(const double theta[3], double confidence)
{
  if (!(theta[0] > 0 && theta[1] > 0)) return 0;
  const double h = 1 - 2 * theta[0] * theta[2] / (3 * theta[1] * theta[1]);
  const double base = 1 + mn_normal_quantile(confidence) * sqrt(2 * theta[1] * h * h) / theta[0] +
                      theta[1] * h * (h - 1) / (theta[0] * theta[0]);
  if (h > 0 && base > 0) return theta[0] * pow(base, 1 / h);
  return theta[1] / theta[0] * mn_chi2_quantile(confidence, theta[0] * theta[0] / theta[1]);
}

mn_status mn_pca_monitor(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  const struct mn_pca *m = self;
  const mn_pca_monitor_options *o = options;
  const size_t n = data->rows, k = m->components.rows;
  double *squares = MN_RAW(ctx, double, k, 1), *z = MN_RAW(ctx, double, data->features, 1);
  mn_vector *t, *q;
  if (!squares || !z) return MN_NO_MEMORY;
  if (m->residual_moments.size < 3)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "PCA: monitor requires the variances of the omitted components, which solver = \"randomized\" and "
                   "sparse X do not give; fit with solver = \"covariance\" or \"full\"");
  MN_TRY(mn_result_vector(ctx, results, "rows.t_squared", n, &t));
  MN_TRY(mn_result_vector(ctx, results, "rows.q", n, &q));
  for (size_t i = 0; i < n; i++) {
    double rest = mn_pca_decompose_row(m, data, i, z, squares);
    for (size_t c = 0; c < k; c++) {
      rest -= squares[c];
      if (m->explained_variance.at[c] > 0) t->at[i] += squares[c] / m->explained_variance.at[c];
    }
    q->at[i] = fmax(rest, 0);
    if (i % 256 == 0) MN_TRY(mn_poll(ctx));
  }
  mn_result_real(results, "t_squared_limit", t_squared_limit(m, o->confidence));
  mn_result_real(results, "q_limit", q_limit(m->residual_moments.at, o->confidence));
  return MN_OK;
}

const mn_param mn_pca_monitor_params[] = {
  MN_REAL(mn_pca_monitor_options, confidence, 0.95, MN_OPEN(0, 1), "probability that a row is within a limit"),
  MN_END,
};
