#include "spectral_labels.h"
#include "../core/rng.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include <float.h>
#include <math.h>
#include <string.h>

static size_t largest(size_t k, const double *x)
{
  size_t best = 0;
  for (size_t c = 1; c < k; c++) best = x[c] > x[best] ? c : best;
  return best;
}

/* rotation = W U' for the singular vectors of U S W' = a (k x k); *trace is the sum of S. */
static mn_status nearest_rotation(mn_context *ctx, size_t k, const double *a, double *rotation, double *trace)
{
  double *u = MN_RAW(ctx, double, k, k), *s = MN_RAW(ctx, double, k, 1), *vt = MN_RAW(ctx, double, k, k);
  if (!u || !s || !vt) return MN_NO_MEMORY;
  MN_TRY(mn_svd(ctx, k, k, a, u, s, vt));
  *trace = 0;
  for (size_t c = 0; c < k; c++) *trace += s[c];
  return mn_gemm(ctx, true, true, k, k, k, 1, vt, k, u, k, 0, rotation, k);
}

/* Columns scaled to length sqrt(n) with a first element >= 0, then rows to length 1. */
static void normalize(size_t n, size_t k, double *v)
{
  for (size_t c = 0; c < k; c++) {
    double square = 0;
    for (size_t i = 0; i < n; i++) square += v[i * k + c] * v[i * k + c];
    const double scale = square > 0 ? sqrt((double)n / square) * (v[c] < 0 ? -1 : 1) : 0;
    for (size_t i = 0; i < n; i++) v[i * k + c] *= scale;
  }
  for (size_t i = 0; i < n; i++) {
    double square = 0;
    for (size_t c = 0; c < k; c++) square += v[i * k + c] * v[i * k + c];
    for (size_t c = 0; c < k && square > 0; c++) v[i * k + c] /= sqrt(square);
  }
}

/* The first axis is a random row, each next one the row most orthogonal to those before. */
static void choose_axes(size_t n, size_t k, const double *v, int64_t seed, double *seen, double *rotation)
{
  mn_rng rng = mn_stream(seed, 0);
  size_t row = mn_random_below(&rng, n);
  memset(seen, 0, n * sizeof *seen);
  for (size_t c = 0; c < k; c++) {
    for (size_t j = 0; j < k; j++) rotation[j * k + c] = v[row * k + j];
    const double *axis = v + row * k;
    size_t next = 0;
    for (size_t i = 0; i < n; i++) {
      double dot = 0;
      for (size_t j = 0; j < k; j++) dot += v[i * k + j] * axis[j];
      seen[i] += fabs(dot);
      next = seen[i] < seen[next] ? i : next;
    }
    row = next;
  }
}

mn_status mn_spectral_discretize(mn_context *ctx, size_t n, size_t k, const double *u, int64_t seed, int32_t *label)
{
  enum { MAX_ITER = 20 };
  double *v = MN_RAW(ctx, double, n, k), *turned = MN_RAW(ctx, double, n, k), *seen = MN_RAW(ctx, double, n, 1);
  double *rotation = MN_RAW(ctx, double, k, k), *sums = MN_RAW(ctx, double, k, k), last = 0;
  if (!v || !turned || !seen || !rotation || !sums) return MN_NO_MEMORY;
  memcpy(v, u, n * k * sizeof *v);
  normalize(n, k, v);
  choose_axes(n, k, v, seed, seen, rotation);
  for (int iter = 0; iter <= MAX_ITER; iter++) {
    const mn_mark mark = mn_scratch_mark(ctx);
    double trace;
    MN_TRY(mn_gemm(ctx, false, false, n, k, k, 1, v, k, rotation, k, 0, turned, k));
    memset(sums, 0, k * k * sizeof *sums);
    for (size_t i = 0; i < n; i++) {
      label[i] = (int32_t)largest(k, turned + i * k);
      for (size_t j = 0; j < k; j++) sums[(size_t)label[i] * k + j] += v[i * k + j];
    }
    MN_TRY(nearest_rotation(ctx, k, sums, rotation, &trace));
    mn_scratch_release(ctx, mark);
    const double cut = 2 * ((double)n - trace);
    if (fabs(cut - last) < DBL_EPSILON) break;
    last = cut;
  }
  return MN_OK;
}

/* rows[0..k-1]: the pivots of the QR factorization of u', by modified Gram-Schmidt; `rest` (n x k) is overwritten. */
static void choose_pivots(size_t n, size_t k, double *rest, double *axis, size_t *rows)
{
  for (size_t c = 0; c < k; c++) {
    double best = -1;
    for (size_t i = 0; i < n; i++) {
      double square = 0;
      for (size_t j = 0; j < k; j++) square += rest[i * k + j] * rest[i * k + j];
      if (square > best) rows[c] = i;
      best = square > best ? square : best;
    }
    for (size_t j = 0; j < k; j++) axis[j] = best > 0 ? rest[rows[c] * k + j] / sqrt(best) : 0;
    for (size_t i = 0; i < n; i++) {
      double dot = 0;
      for (size_t j = 0; j < k; j++) dot += rest[i * k + j] * axis[j];
      for (size_t j = 0; j < k; j++) rest[i * k + j] -= dot * axis[j];
    }
  }
}

mn_status mn_spectral_qr(mn_context *ctx, size_t n, size_t k, const double *u, int32_t *label)
{
  double *rest = MN_RAW(ctx, double, n, k), *axis = MN_RAW(ctx, double, k, 1), *chosen = MN_RAW(ctx, double, k, k);
  double *rotation = MN_RAW(ctx, double, k, k), trace;
  size_t *rows = MN_NEW(ctx, size_t, k, 1);
  if (!rest || !axis || !chosen || !rotation || !rows) return MN_NO_MEMORY;
  memcpy(rest, u, n * k * sizeof *rest);
  choose_pivots(n, k, rest, axis, rows);
  for (size_t c = 0; c < k; c++) memcpy(chosen + c * k, u + rows[c] * k, k * sizeof *chosen);
  MN_TRY(nearest_rotation(ctx, k, chosen, rotation, &trace));
  MN_TRY(mn_gemm(ctx, false, false, n, k, k, 1, u, k, rotation, k, 0, rest, k));
  for (size_t i = 0; i < n * k; i++) rest[i] = fabs(rest[i]);
  for (size_t i = 0; i < n; i++) label[i] = (int32_t)largest(k, rest + i * k);
  return MN_OK;
}
