#include "classical.h"
#include "../core/threads.h"
#include "../eigen/centered_eigen.h"
#include <math.h>
#include <string.h>

/* Few eigenpairs of many rows are found by Lanczos. */
enum { FEW_ROWS = 500, FEW_PAIRS = 20 };

/* Replace distances by -1/2 of their squares, and find the sums of the eigenvalues of B and of their squares. */
static void square(size_t n, double *distance, double *mean, mn_classical_scaling *s)
{
  double all = 0;
  for (size_t i = 0; i < n; i++) {
    double *row = distance + i * n;
    mean[i] = 0;
    for (size_t j = 0; j < n; j++) {
      row[j] *= -0.5 * row[j];
      mean[i] += row[j] / (double)n;
    }
    all += mean[i] / (double)n;
  }
  s->trace = -(double)n * all;
  s->squares = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      const double b = distance[i * n + j] - mean[i] - mean[j] + all;
      s->squares += b * b;
    }
}

mn_status mn_classical_scale(mn_context *ctx, size_t n, size_t k, double *distance, mn_classical_scaling *s)
{
  return mn_classical_scale_to(ctx, n, k, 1e-12, distance, s);
}

mn_status mn_classical_scale_to(mn_context *ctx, size_t n, size_t k, double tolerance, double *distance,
                                mn_classical_scaling *s)
{
  double *vectors = MN_RAW(ctx, double, k, n);
  *s = (mn_classical_scaling){ .values = MN_RAW(ctx, double, k, 1),
                               .embedding = MN_RAW(ctx, double, n, k),
                               .mean = MN_RAW(ctx, double, n, 1) };
  if (!vectors || !s->values || !s->embedding || !s->mean) return MN_NO_MEMORY;
  square(n, distance, s->mean, s);
  const double rounding = mn_eigenvalue_rounding(n, distance);
  const bool few = n >= FEW_ROWS && FEW_PAIRS * k <= n;
  MN_TRY(mn_centered_eigen(ctx, n, k, few ? tolerance : 0, s->mean, distance, s->values, vectors));
  mn_clip_eigenvalues(k, rounding, s->values);
  for (size_t i = 0; i < n; i++) {
    for (size_t c = 0; c < k; c++) s->embedding[i * k + c] = sqrt(s->values[c]) * vectors[c * n + i];
    s->mean[i] *= -2;
  }
  return MN_OK;
}

mn_status mn_keep_scaling(mn_context *ctx, size_t n, size_t k, const mn_classical_scaling *s, mn_matrix *embedding,
                          mn_matrix *projection, mn_vector *eigenvalues, mn_vector *squared_means)
{
  MN_TRY(mn_matrix_init(ctx, embedding, n, k));
  MN_TRY(mn_matrix_init(ctx, projection, n, k));
  MN_TRY(mn_vector_init(ctx, eigenvalues, k));
  MN_TRY(mn_vector_init(ctx, squared_means, n));
  memcpy(embedding->at, s->embedding, n * k * sizeof *s->embedding);
  memcpy(eigenvalues->at, s->values, k * sizeof *s->values);
  memcpy(squared_means->at, s->mean, n * sizeof *s->mean);
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < k; c++)
      mn_row(projection, i)[c] = s->values[c] > 0 ? mn_row(embedding, i)[c] / (2 * s->values[c]) : 0;
  return MN_OK;
}

struct placing {
  const mn_matrix *projection;
  const double *squared_means, *distance; /* distance: rows x training rows */
  double *out;                            /* rows x components              */
  mn_blocks blocks;
};

static void place_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct placing *w = work;
  const size_t n = w->projection->rows, k = w->projection->cols;
  for (size_t q = mn_block_begin(&w->blocks, block); q < mn_block_end(&w->blocks, block); q++) {
    double *z = w->out + q * k;
    for (size_t c = 0; c < k; c++) z[c] = 0;
    for (size_t i = 0; i < n; i++) {
      const double d = w->distance[q * n + i], closer = w->squared_means[i] - d * d;
      for (size_t c = 0; c < k; c++) z[c] += closer * mn_row(w->projection, i)[c];
    }
  }
}

mn_status mn_place_by_gower(mn_context *ctx, size_t rows, const double *distance, const mn_matrix *projection,
                            const double *squared_means, double *out)
{
  struct placing w = { projection, squared_means, distance, out, mn_make_blocks(rows, 16, SIZE_MAX) };
  return mn_parallel(ctx, w.blocks.count, place_block, &w);
}
