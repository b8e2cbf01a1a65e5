#include "bge.h"
#include "../linalg/product.h"
#include "../stats/special.h"
#include <math.h>

mn_status mn_bge_sums(mn_context *ctx, const mn_net_columns *data, double **out)
{
  const size_t n = data->nodes;
  double total;
  double *x = MN_RAW(ctx, double, data->rows + 1, n), *mean = MN_RAW(ctx, double, n + 1, 1);
  MN_CHECK_ALLOC(*out = MN_RAW(ctx, double, n + 1, n));
  if (!x || !mean) return MN_NO_MEMORY;
  for (size_t i = 0; i < data->rows; i++)
    for (size_t v = 0; v < n; v++) x[i * n + v] = data->value[v][i];
  return mn_gram(ctx, data->rows, n, x, n, 0, NULL, 0, data->weights, true, &total, mean, *out, n);
}

/* Cholesky factorization of m, p x p, in place. Returns the log determinant of its leading block of p - 1 rows, and the
 * last pivot. m is T + S with T = least * I and S positive semidefinite, so a pivot below `least` is a rounding error.
 */
static double factor(size_t p, double least, double *m, double *last)
{
  double sum = 0;
  for (size_t i = 0; i < p; i++) {
    for (size_t j = 0; j < i; j++) {
      for (size_t l = 0; l < j; l++) m[i * p + j] -= m[i * p + l] * m[j * p + l];
      m[i * p + j] /= m[j * p + j];
      m[i * p + i] -= m[i * p + j] * m[i * p + j];
    }
    *last = fmax(m[i * p + i], least);
    if (i + 1 < p) sum += log(*last);
    m[i * p + i] = sqrt(*last);
  }
  return sum;
}

double mn_bge_score(const mn_net_columns *data, const double *sums, double ess, size_t v, size_t k,
                    const int32_t *parents, double *moment)
{
  const size_t n = data->nodes, p = k + 1;
  const double rows = data->total, t = ess * ess / (ess + 1), free = ess + 2 + (double)k;
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j <= i; j++) {
      const size_t a = i < k ? (size_t)parents[i] : v, b = j < k ? (size_t)parents[j] : v;
      moment[i * p + j] = sums[a * n + b] + (i == j ? t : 0);
    }
  double residual = t;
  const double log_det = factor(p, t, moment, &residual);
  return 0.5 * (log(ess / (rows + ess)) + rows * (log(2) - MN_LOG_2PI) + (free + (double)k) * log(t)) +
         mn_lgamma(0.5 * (rows + free)) - mn_lgamma(0.5 * free) - 0.5 * (rows + free) * log(residual) - 0.5 * log_det;
}
