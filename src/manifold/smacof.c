#include "smacof.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "guttman_kernel.h"
#include <string.h>

void mn_points_by_column(size_t n, size_t k, const double *z, double *out)
{
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < k; c++) out[c * n + i] = z[i * k + c];
}

/* inv(V + 1 1' / n), which equals V+ on centered coordinates; V has rank n - 1 if the weights connect all rows. */
static mn_status invert_laplacian(mn_context *ctx, const char *who, mn_smacof *s)
{
  const size_t n = s->n;
  size_t minor;
  double rcond, sum = 0;
  s->inverse = MN_RAW(ctx, double, n, n);
  MN_CHECK_ALLOC(s->inverse);
  for (size_t i = 0; i < n * n; i++) sum += s->weights[i];
  const double level = n > 1 ? sum / (double)n : 1; /* the mean of the diagonal: V and the rest have one scale */
  for (size_t i = 0; i < n; i++) {
    double *row = s->inverse + i * n, degree = 0;
    for (size_t j = 0; j < n; j++) {
      degree += s->weights[i * n + j];
      row[j] = level / (double)n - s->weights[i * n + j];
    }
    row[i] += degree;
  }
  MN_TRY(mn_chol_try(ctx, n, s->inverse, &rcond, &minor));
  if (minor > 0 || rcond < 1e-14)
    return mn_fail(ctx, MN_BAD_DATA, "%s: the weights must connect all rows, but some rows have weight 0 to all others",
                   who);
  return mn_chol_inverse(ctx, n, s->inverse);
}

static void sum_total(mn_smacof *s)
{
  const size_t n = s->n;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++) {
      const double w = s->weights ? s->weights[i * n + j] : 1;
      s->total += s->nonmetric ? w : w * s->delta[i * n + j] * s->delta[i * n + j];
    }
}

mn_status mn_smacof_init(mn_context *ctx, const char *who, mn_smacof *s)
{
  const size_t n = s->n, k = s->k;
  s->target = s->delta;
  s->z = MN_RAW(ctx, double, n, k);
  s->next = MN_RAW(ctx, double, n, k);
  s->product = MN_RAW(ctx, double, n, k);
  s->points = MN_RAW(ctx, double, k, n);
  s->stress = MN_RAW(ctx, double, n, 1);
  s->blocks = mn_make_blocks(n, 16, SIZE_MAX);
  if (!s->z || !s->next || !s->product || !s->points || !s->stress) return MN_NO_MEMORY;
  sum_total(s);
  if (s->weights) MN_TRY(invert_laplacian(ctx, who, s));
  if (!s->nonmetric) return MN_OK;
  s->disparity = MN_RAW(ctx, double, n, n);
  s->distance = MN_RAW(ctx, double, n, n);
  if (!s->disparity || !s->distance) return MN_NO_MEMORY;
  s->target = s->disparity;
  return mn_disparities_init(ctx, n, s->delta, s->weights, s->split_ties, &s->order);
}

static void distance_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const mn_smacof *s = work;
  for (size_t i = mn_block_begin(&s->blocks, block); i < mn_block_end(&s->blocks, block); i++)
    mn_distances_to_points(s->n, s->k, s->points, s->z + i * s->k, s->distance + i * s->n);
}

/* The stress of each row at z, and its row of B Z. */
static void guttman_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const mn_smacof *s = work;
  const size_t n = s->n, k = s->k;
  for (size_t i = mn_block_begin(&s->blocks, block); i < mn_block_end(&s->blocks, block); i++)
    s->stress[i] = mn_guttman_sums(n, k, s->target + i * n, s->weights ? s->weights + i * n : NULL, s->points,
                                   s->z + i * k, s->product + i * k);
}

/* next = the Guttman transform of z, and the stress at z. */
static mn_status guttman(mn_context *ctx, mn_smacof *s, double *stress)
{
  const size_t n = s->n, k = s->k;
  mn_points_by_column(n, k, s->z, s->points);
  if (s->nonmetric) {
    MN_TRY(mn_parallel(ctx, s->blocks.count, distance_block, s));
    MN_TRY(mn_compute_disparities(ctx, &s->order, s->distance, s->disparity));
  }
  MN_TRY(mn_parallel(ctx, s->blocks.count, guttman_block, s));
  *stress = 0;
  for (size_t i = 0; i < n; i++) *stress += s->stress[i] / 2;
  if (s->weights) return mn_gemm(ctx, false, false, n, k, n, 1, s->inverse, n, s->product, k, 0, s->next, k);
  for (size_t i = 0; i < n * k; i++) s->next[i] = s->product[i] / (double)n;
  return MN_OK;
}

mn_status mn_smacof_run(mn_context *ctx, mn_smacof *s, mn_report *r)
{
  double before, now;
  MN_TRY(guttman(ctx, s, &before));
  do {
    double *const old = s->z;
    s->z = s->next;
    s->next = old;
    MN_TRY(guttman(ctx, s, &now));
    r->change = s->total > 0 ? (before - now) / s->total : 0;
    r->converged = r->change <= s->tol;
    before = now;
  } while (mn_round(ctx, r, s->max_iter, now) && !r->converged && r->n_iter < s->max_iter);
  return MN_OK;
}

/* --- new rows --- */

struct placing {
  const mn_matrix *fixed; /* points x k                */
  const double *points;   /* k x points                */
  const double *delta;    /* rows x points             */
  const double *weights;  /* rows x points, or NULL    */
  double *out, *next;     /* rows x k                  */
  mn_blocks blocks;
};

/* center = the weighted mean of the fixed points; returns the sum of the weights. */
static double weighted_center(const mn_matrix *fixed, const double *weights, double *center)
{
  double total = 0;
  for (size_t c = 0; c < fixed->cols; c++) center[c] = 0;
  for (size_t j = 0; j < fixed->rows; j++) {
    const double w = weights ? weights[j] : 1;
    total += w;
    for (size_t c = 0; c < fixed->cols; c++) center[c] += w * mn_row(fixed, j)[c];
  }
  for (size_t c = 0; c < fixed->cols; c++) center[c] /= total;
  return total;
}

/* Majorize from z. `work` has room for the center and the next position. */
static void place_row(const struct placing *w, const double *delta, const double *weights, double *z, double *work)
{
  enum { MAX_STEPS = 1000 };
  const size_t n = w->fixed->rows, k = w->fixed->cols;
  double *center = work, *next = work + k, mean = 0;
  const double total = weighted_center(w->fixed, weights, center);
  for (size_t j = 0; j < n; j++) mean += delta[j] / (double)n;
  for (int step = 0; step < MAX_STEPS; step++) {
    double moved = 0;
    mn_guttman_sums(n, k, delta, weights, w->points, z, next);
    for (size_t c = 0; c < k; c++) {
      next[c] = center[c] + next[c] / total;
      moved += (next[c] - z[c]) * (next[c] - z[c]);
      z[c] = next[c];
    }
    if (!(sqrt(moved) > 1e-9 * mean)) return;
  }
}

static void place_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct placing *w = work;
  const size_t n = w->fixed->rows, k = w->fixed->cols;
  for (size_t q = mn_block_begin(&w->blocks, block); q < mn_block_end(&w->blocks, block); q++) {
    const double *delta = w->delta + q * n;
    size_t nearest = 0;
    for (size_t j = 1; j < n; j++) nearest = delta[j] < delta[nearest] ? j : nearest;
    memcpy(w->out + q * k, mn_row(w->fixed, nearest), k * sizeof *w->out);
    place_row(w, delta, w->weights ? w->weights + q * n : NULL, w->out + q * k, w->next + 2 * q * k);
  }
}

mn_status mn_place_by_majorization(mn_context *ctx, size_t rows, const double *delta, const double *weights,
                                   const mn_matrix *fixed, double *out)
{
  double *points = MN_RAW(ctx, double, fixed->cols, fixed->rows), *next = MN_RAW(ctx, double, rows, 2 * fixed->cols);
  if (!points || !next) return MN_NO_MEMORY;
  mn_points_by_column(fixed->rows, fixed->cols, fixed->at, points);
  struct placing w = { fixed, points, delta, weights, out, next, mn_make_blocks(rows, 4, SIZE_MAX) };
  return mn_parallel(ctx, w.blocks.count, place_block, &w);
}
