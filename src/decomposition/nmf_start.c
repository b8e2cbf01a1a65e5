#include "nmf_start.h"
#include "../core/rng.h"
#include "../linalg/csr.h"
#include "singular.h"
#include <math.h>

void mn_nmf_random_start(const mn_data *data, double mean, int64_t seed, size_t k, double *w, double *ht)
{
  const double scale = sqrt(mean / (double)k);
  mn_rng r = mn_stream(seed, 0);
  for (size_t i = 0; i < data->features * k; i++) ht[i] = scale * fabs(mn_random_normal(&r));
  for (size_t i = 0; i < data->rows * k; i++) w[i] = scale * fabs(mn_random_normal(&r));
}

/* The norm of the part of x that has this sign. */
static double part_norm(size_t n, const double *x, double sign)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += sign * x[i] > 0 ? x[i] * x[i] : 0;
  return sqrt(sum);
}

/* Column c of out (n x k): scale times the part of x with this sign; values below 1e-6, and zeros, become `fill`. */
static void set_part(size_t n, const double *x, double sign, double scale, double fill, size_t k, size_t c, double *out)
{
  static const double least = 1e-6;
  for (size_t i = 0; i < n; i++) {
    const double value = sign * x[i] > 0 ? scale * fabs(x[i]) : 0;
    out[i * k + c] = value < least ? fill : value;
  }
}

/* Column c of w and ht from u, of any length, and the unit vector v. */
static void split_pair(const mn_data *data, double s, double *u, double *v, double fill, size_t k, size_t c, double *w,
                       double *ht)
{
  const size_t n = data->rows, p = data->features;
  for (size_t i = 0; i < n; i++) u[i] = s > 0 ? u[i] / s : 0;
  for (size_t i = 0; c == 0 && i < n; i++) u[i] = fabs(u[i]); /* the leading pair has no sign */
  for (size_t j = 0; c == 0 && j < p; j++) v[j] = fabs(v[j]);
  double sign = 1, u_norm = part_norm(n, u, 1), v_norm = part_norm(p, v, 1);
  const double u_negative = part_norm(n, u, -1), v_negative = part_norm(p, v, -1);
  if (!(u_norm * v_norm > u_negative * v_negative)) {
    sign = -1;
    u_norm = u_negative;
    v_norm = v_negative;
  }
  const double scale = sqrt(s * u_norm * v_norm);
  set_part(n, u, sign, u_norm > 0 ? scale / u_norm : 0, fill, k, c, w);
  set_part(p, v, sign, v_norm > 0 ? scale / v_norm : 0, fill, k, c, ht);
}

mn_status mn_nmf_singular_start(mn_context *ctx, const mn_data *data, const mn_csr *sparse, double fill, size_t k,
                                double *w, double *ht)
{
  const size_t n = data->rows, p = data->features;
  const mn_mark mark = mn_scratch_mark(ctx);
  struct mn_svd_operand a = { .rows = n, .cols = p, .dense = data->x.at, .sparse = sparse };
  if (a.sparse) MN_TRY(mn_csr_transpose_scratch(ctx, a.sparse, &a.transposed));
  double *s = MN_RAW(ctx, double, k, 1), *v = MN_RAW(ctx, double, k, p), *u = MN_RAW(ctx, double, k, n);
  if (!s || !v || !u) return MN_NO_MEMORY;
  MN_TRY(mn_largest_singular(ctx, &a, k, s, v));
  MN_TRY(mn_svd_multiply(ctx, &a, true, k, v, u));
  for (size_t c = 0; c < k; c++) split_pair(data, s[c], u + c * n, v + c * p, fill, k, c, w, ht);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
