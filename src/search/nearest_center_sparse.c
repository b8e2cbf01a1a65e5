/* Nearest centers of sparse rows. */
#include "../core/threads.h"
#include "../linalg/gemm.h"
#include "nearest.h"
#include "sparse_scores_kernel.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { BLOCK_ROWS = 512, LANES = 8 };

struct assignment {
  const mn_product_kernels *kernels;
  const mn_csr *x;
  size_t k, ld; /* ld: k rounded up to LANES */
  const double *centers, *w;
  double *across;                /* columns x ld: the centers transposed       */
  double *half_norm2, max_norm2; /* ld: |c|^2 / 2, infinite for the padding    */
  mn_blocks rows;
  int32_t *label;
  double *distance2;
  double *score, *buffer; /* of each worker: ld scores; columns, all 0 */
  double *inertia;        /* of each block */
  size_t *order, *start;  /* rows sorted by label; k + 2 */
  double *sums, *totals;
};

static void fill_row(const mn_csr *x, size_t row, double *buffer)
{
  for (size_t e = x->start[row]; e < x->start[row + 1]; e++) buffer[x->col[e]] = x->at[e];
}

static void clear_row(const mn_csr *x, size_t row, double *buffer)
{
  for (size_t e = x->start[row]; e < x->start[row + 1]; e++) buffer[x->col[e]] = 0;
}

/* The nearest center of those whose score is at most `limit`, from differences. */
static double measure(const struct assignment *a, size_t row, const double *score, double limit, double *buffer)
{
  double best = INFINITY;
  fill_row(a->x, row, buffer);
  for (size_t c = 0; c < a->k; c++) {
    if (score[c] > limit) continue;
    const double distance2 = a->kernels->distance2(a->x->cols, buffer, a->centers + c * a->x->cols);
    if (!(distance2 < best)) continue;
    best = distance2;
    a->label[row] = (int32_t)c;
  }
  clear_row(a->x, row, buffer);
  return best;
}

/* Label and squared distance of one row. */
static double assign_row(const struct assignment *a, size_t row, double *score, double *buffer)
{
  const mn_csr *x = a->x;
  const size_t begin = x->start[row], values = x->start[row + 1] - begin;
  const double norm2 = mn_sparse_scores(values, x->col + begin, x->at + begin, a->ld, a->across, a->half_norm2, score);
  size_t best = 0, near = 0;
  for (size_t c = 1; c < a->k; c++)
    if (score[c] < score[best]) best = c;
  const double scale = norm2 + a->max_norm2, margin = (double)(values + 8) * 2 * DBL_EPSILON * scale;
  for (size_t c = 0; c < a->k; c++) near += score[c] <= score[best] + margin;
  const double distance2 = norm2 + 2 * score[best];
  a->label[row] = (int32_t)best;
  if (near == 1 && distance2 > 1e-3 * scale) return distance2;
  return measure(a, row, score, score[best] + margin, buffer);
}

static void assign_block(void *work, size_t block, size_t worker)
{
  const struct assignment *a = work;
  a->inertia[block] = 0;
  for (size_t i = mn_block_begin(&a->rows, block); i < mn_block_end(&a->rows, block); i++) {
    const double distance2 = assign_row(a, i, a->score + worker * a->ld, a->buffer + worker * a->x->cols);
    if (a->distance2) a->distance2[i] = distance2;
    a->inertia[block] += (a->w ? a->w[i] : 1) * distance2;
  }
}

/* The sum of the rows of one cluster, in the order of the rows. */
static void sum_cluster(void *work, size_t c, size_t worker)
{
  (void)worker;
  const struct assignment *a = work;
  double *sum = a->sums + c * a->x->cols, total = 0;
  memset(sum, 0, a->x->cols * sizeof *sum);
  for (size_t s = a->start[c]; s < a->start[c + 1]; s++) {
    const size_t row = a->order[s];
    const double w = a->w ? a->w[row] : 1;
    total += w;
    for (size_t e = a->x->start[row]; e < a->x->start[row + 1]; e++) sum[a->x->col[e]] += w * a->x->at[e];
  }
  a->totals[c] = total;
}

static mn_status sum_clusters(mn_context *ctx, struct assignment *a)
{
  const size_t n = a->x->rows;
  a->order = MN_RAW(ctx, size_t, n, 1);
  a->start = MN_NEW(ctx, size_t, a->k + 2, 1);
  if (!a->order || !a->start) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) a->start[(size_t)a->label[i] + 2]++;
  for (size_t c = 2; c < a->k + 2; c++) a->start[c] += a->start[c - 1];
  for (size_t i = 0; i < n; i++) a->order[a->start[(size_t)a->label[i] + 1]++] = i;
  return mn_parallel(ctx, a->k, sum_cluster, a);
}

static mn_status prepare(mn_context *ctx, struct assignment *a)
{
  const size_t d = a->x->cols;
  a->across = MN_NEW(ctx, double, d, a->ld);
  a->half_norm2 = MN_RAW(ctx, double, a->ld, 1);
  a->score = MN_RAW(ctx, double, mn_threads(ctx), a->ld);
  a->buffer = MN_NEW(ctx, double, mn_threads(ctx), d);
  a->rows = mn_make_blocks(a->x->rows, BLOCK_ROWS, SIZE_MAX);
  a->inertia = MN_RAW(ctx, double, a->rows.count, 1);
  if (!a->across || !a->half_norm2 || !a->score || !a->buffer || !a->inertia) return MN_NO_MEMORY;
  for (size_t c = 0; c < a->ld; c++) a->half_norm2[c] = DBL_MAX;
  for (size_t c = 0; c < a->k; c++) {
    const double *center = a->centers + c * d;
    double norm2 = 0;
    for (size_t j = 0; j < d; j++) {
      norm2 += center[j] * center[j];
      a->across[j * a->ld + c] = center[j];
    }
    a->half_norm2[c] = norm2 / 2;
    a->max_norm2 = fmax(a->max_norm2, norm2);
  }
  return MN_OK;
}

mn_status mn_nearest_center_sparse(mn_context *ctx, const mn_csr *x, size_t k, const double *centers, const double *w,
                                   int32_t *label, double *distance2, double *sums, double *totals, double *inertia)
{
  struct assignment a = { .kernels = mn_kernels(),
                          .x = x,
                          .k = k,
                          .ld = (k + LANES - 1) / LANES * LANES,
                          .centers = centers,
                          .w = w,
                          .label = label,
                          .distance2 = distance2,
                          .sums = sums,
                          .totals = totals };
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(prepare(ctx, &a));
  MN_TRY(mn_parallel(ctx, a.rows.count, assign_block, &a));
  if (inertia) mn_sum_blocks(a.rows.count, 1, a.inertia, inertia);
  if (sums) MN_TRY(sum_clusters(ctx, &a));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
