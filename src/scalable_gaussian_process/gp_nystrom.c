#include "gp_nystrom.h"
#include "../core/rng.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include <math.h>
#include <string.h>

/* The rows of the pivots, of which each step takes the one with the largest rest of the diagonal, `rest`. */
static mn_status choose_pivots(mn_context *ctx, mn_nystrom *p, size_t most, double *rest)
{
  static const double enough = 1e-12; /* of the largest element of the diagonal */
  const size_t n = p->rows->n, d = p->rows->d;
  double largest = 0;
  for (size_t k = 0; k < most; k++) {
    size_t next = 0;
    for (size_t i = 1; i < n; i++)
      if (rest[i] > rest[next]) next = i;
    if (k == 0) largest = rest[next];
    if (!(rest[next] > enough * largest)) break;
    const mn_kernel_rows one = { .n = 1, .d = d, .x = p->rows->x + next * d };
    double *row = p->l + k * n;
    MN_TRY(mn_kernel_cross(ctx, p->kernel, &one, p->rows, row, n));
    for (size_t j = 0; j < k; j++) {
      const double *before = p->l + j * n, factor = before[next];
      for (size_t i = 0; i < n; i++) row[i] -= factor * before[i];
    }
    const double scale = 1 / sqrt(rest[next]);
    for (size_t i = 0; i < n; i++) {
      row[i] *= scale;
      rest[i] -= row[i] * row[i];
    }
    for (size_t j = 0; j < k; j++) row[p->pivot[j]] = 0;
    rest[next] = 0;
    p->pivot[p->rank++] = next;
    if (k % 16 == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* inner and log_det */
static mn_status factorize(mn_context *ctx, mn_nystrom *p)
{
  const size_t n = p->rows->n, r = p->rank;
  double *scaled = MN_RAW(ctx, double, r + 1, n);
  size_t minor = 0;
  MN_CHECK_ALLOC(scaled);
  p->log_det = 0;
  for (size_t i = 0; i < n; i++) p->log_det += log(p->d[i]);
  if (r == 0) return MN_OK;
  for (size_t k = 0; k < r; k++)
    for (size_t i = 0; i < n; i++) scaled[k * n + i] = p->l[k * n + i] / p->d[i];
  MN_TRY(mn_gemm(ctx, false, true, r, r, n, 1, scaled, n, p->l, n, 0, p->inner, r));
  for (size_t k = 0; k < r; k++) p->inner[k * r + k] += 1;
  MN_TRY(mn_chol_try(ctx, r, p->inner, NULL, &minor));
  p->log_det = minor > 0 ? (double)NAN : p->log_det + mn_chol_logdet(r, p->inner);
  return MN_OK;
}

mn_status mn_nystrom_new(mn_context *ctx, const mn_kernel *kernel, const mn_kernel_rows *rows, double noise,
                         size_t rank, mn_nystrom *p)
{
  static const double least_noise = 1e-8; /* of the mean of the diagonal */
  const size_t n = rows->n, most = rank < n ? rank : n;
  double *rest = MN_RAW(ctx, double, n, 1), mean = 0, least = INFINITY;
  *p = (mn_nystrom){ .kernel = kernel,
                     .rows = rows,
                     .pivot = MN_RAW(ctx, size_t, most + 1, 1),
                     .l = MN_RAW(ctx, double, most + 1, n),
                     .d = MN_RAW(ctx, double, n, 1),
                     .inner = MN_RAW(ctx, double, most + 1, most + 1),
                     .log_det = (double)NAN };
  if (!rest || !p->pivot || !p->l || !p->d || !p->inner) return MN_NO_MEMORY;
  MN_TRY(mn_kernel_diagonal_parts(ctx, kernel, rows, rest, p->d));
  for (size_t i = 0; i < n; i++) {
    if (!(rest[i] >= 0 && p->d[i] >= 0 && isfinite(rest[i] + p->d[i]))) return MN_OK;
    mean += (rest[i] + p->d[i]) / (double)n;
    least = fmin(least, p->d[i] + noise);
  }
  p->jitter = fmax(least_noise * mean - least, 0);
  for (size_t i = 0; i < n; i++) p->d[i] += noise + p->jitter;
  if (!(least + p->jitter > 0)) return MN_OK;
  MN_TRY(choose_pivots(ctx, p, most, rest));
  return factorize(ctx, p);
}

/* Woodbury: inv(P) = inv(D) - inv(D) L inv(inner) L' inv(D) */
mn_status mn_nystrom_solve(mn_context *ctx, const mn_nystrom *p, size_t m, const double *b, double *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t n = p->rows->n, r = p->rank;
  double *part = MN_RAW(ctx, double, r + 1, m);
  MN_CHECK_ALLOC(part);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < m; j++) out[i * m + j] = b[i * m + j] / p->d[i];
  if (r > 0) {
    MN_TRY(mn_gemm(ctx, false, false, r, m, n, 1, p->l, n, out, m, 0, part, m));
    MN_TRY(mn_chol_apply(ctx, r, m, p->inner, part));
    double *rest = MN_RAW(ctx, double, n, m);
    MN_CHECK_ALLOC(rest);
    MN_TRY(mn_gemm(ctx, true, false, n, m, r, 1, p->l, n, part, m, 0, rest, m));
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < m; j++) out[i * m + j] -= rest[i * m + j] / p->d[i];
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_nystrom_draw(mn_context *ctx, const mn_nystrom *p, int64_t seed, size_t m, double *z)
{
  const size_t n = p->rows->n, r = p->rank;
  double *g = MN_RAW(ctx, double, r + 1, m);
  MN_CHECK_ALLOC(g);
  for (size_t i = 0; i < n; i++) {
    mn_rng random = mn_stream(seed, i);
    for (size_t j = 0; j < m; j++) z[i * m + j] = sqrt(p->d[i]) * mn_random_normal(&random);
  }
  for (size_t k = 0; k < r; k++) {
    mn_rng random = mn_stream(seed, n + k);
    for (size_t j = 0; j < m; j++) g[k * m + j] = mn_random_normal(&random);
  }
  return r > 0 ? mn_gemm(ctx, true, false, n, m, r, 1, p->l, n, g, m, 1, z, m) : MN_OK;
}

/* B' = inv(K_rr) K_rn, rank x n, from L' = inv(L_rr) K_rn. */
static mn_status interpolation(mn_context *ctx, const mn_nystrom *p, double *b)
{
  const size_t n = p->rows->n, r = p->rank;
  double *corner = MN_NEW(ctx, double, r, r);
  MN_CHECK_ALLOC(corner);
  for (size_t i = 0; i < r; i++)
    for (size_t k = 0; k <= i; k++) corner[i * r + k] = p->l[k * n + p->pivot[i]];
  memcpy(b, p->l, r * n * sizeof *b);
  return mn_chol_upper(ctx, r, n, corner, b);
}

/* With dP = dK_nr B' + B dK_rn - B dK_rr B' + dD, the weights of the elements of dK_nr, dK_rr and dD:
 *
 *     2 S B,   - B'S B,   diag(S)      for S = inv(P) - V V' / m
 *
 * where S B is `weights`, rank x n. */
static mn_status add_gradients(mn_context *ctx, const mn_nystrom *p, const double *b, double *weights,
                               const double *diagonal, double *g)
{
  const size_t n = p->rows->n, r = p->rank, d = p->rows->d, thetas = mn_kernel_free_count(p->kernel);
  double *chosen = MN_RAW(ctx, double, r + 1, d), *square = MN_RAW(ctx, double, r + 1, r + 1),
         *part = MN_RAW(ctx, double, thetas, 1), *zero = MN_NEW(ctx, double, n, 1);
  if (!chosen || !square || !part || !zero) return MN_NO_MEMORY;
  MN_TRY(mn_kernel_diagonal_gradient_dot(ctx, p->kernel, p->rows, zero, diagonal, part));
  for (size_t j = 0; j < thetas; j++) g[j] += part[j];
  if (r == 0) return MN_OK;
  for (size_t k = 0; k < r; k++) memcpy(chosen + k * d, p->rows->x + p->pivot[k] * d, d * sizeof *chosen);
  const mn_kernel_rows pivots = { .n = r, .d = d, .x = chosen };
  MN_TRY(mn_gemm(ctx, false, true, r, r, n, -1, weights, n, b, n, 0, square, r));
  MN_TRY(mn_kernel_cross_gradient_dot(ctx, p->kernel, &pivots, &pivots, square, r, part, NULL));
  for (size_t j = 0; j < thetas; j++) g[j] += part[j];
  MN_TRY(mn_kernel_cross_gradient_dot(ctx, p->kernel, &pivots, p->rows, weights, n, part, NULL));
  for (size_t j = 0; j < thetas; j++) g[j] += 2 * part[j];
  return MN_OK;
}

/* diagonal = diag(inv(P) - V V' / m) = 1 / D - |inv(L_inner) L' inv(D)|^2 - |v|^2 / m */
static mn_status find_diagonal(mn_context *ctx, const mn_nystrom *p, size_t m, const double *v, double *diagonal)
{
  const size_t n = p->rows->n, r = p->rank;
  double *part = MN_RAW(ctx, double, r + 1, n);
  MN_CHECK_ALLOC(part);
  for (size_t k = 0; k < r; k++)
    for (size_t i = 0; i < n; i++) part[k * n + i] = p->l[k * n + i] / p->d[i];
  MN_TRY(mn_chol_lower(ctx, r, n, p->inner, part));
  for (size_t i = 0; i < n; i++) {
    diagonal[i] = 1 / p->d[i];
    for (size_t j = 0; j < m; j++) diagonal[i] -= v[i * m + j] * v[i * m + j] / (double)m;
  }
  for (size_t k = 0; k < r; k++)
    for (size_t i = 0; i < n; i++) diagonal[i] -= part[k * n + i] * part[k * n + i];
  return MN_OK;
}

mn_status mn_nystrom_gradient(mn_context *ctx, const mn_nystrom *p, size_t m, const double *v, double *g)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t n = p->rows->n, r = p->rank;
  double *b = MN_RAW(ctx, double, r + 1, n), *across = MN_RAW(ctx, double, n, r + 1),
         *weights = MN_RAW(ctx, double, r + 1, n), *bv = MN_RAW(ctx, double, r + 1, m),
         *diagonal = MN_RAW(ctx, double, n, 1);
  if (!b || !across || !weights || !bv || !diagonal) return MN_NO_MEMORY;
  MN_TRY(find_diagonal(ctx, p, m, v, diagonal));
  if (r > 0) {
    MN_TRY(interpolation(ctx, p, b));
    for (size_t k = 0; k < r; k++)
      for (size_t i = 0; i < n; i++) across[i * r + k] = b[k * n + i];
    MN_TRY(mn_nystrom_solve(ctx, p, r, across, across));
    for (size_t k = 0; k < r; k++)
      for (size_t i = 0; i < n; i++) weights[k * n + i] = across[i * r + k];
    MN_TRY(mn_gemm(ctx, false, false, r, m, n, 1, b, n, v, m, 0, bv, m));
    MN_TRY(mn_gemm(ctx, false, true, r, n, m, -1 / (double)m, bv, m, v, m, 1, weights, n));
  }
  MN_TRY(add_gradients(ctx, p, b, weights, diagonal, g));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
