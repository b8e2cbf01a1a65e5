/* Rows are sorted by cluster first, so that the distances of a tile to one cluster are contiguous. */
#include "clusters.h"
#include "distances_kernel.h"
#include "../core/threads.h"
#include <math.h>

enum { TILE_ROWS = 64, TILE_COLS = 512, ALIGN = 64 };

struct task {
  mn_distance_points points;
  size_t k;
  const size_t *order, *start; /* sorted rows; first of each cluster, k + 1 */
  const double *w;             /* sorted, or NULL                           */
  const double *weight;        /* of the clusters                           */
  mn_blocks blocks;
  double *tile, *sum; /* of each worker: a tile; TILE_ROWS x k sums of distances */
  char *work;
  size_t work_size;
  double *out;
};

static size_t cluster_of(const struct task *t, size_t row)
{
  size_t low = 0, high = t->k - 1; /* the last cluster that starts at or before the row */
  while (low < high) {
    const size_t mid = (low + high + 1) / 2;
    if (t->start[mid] <= row)
      low = mid;
    else
      high = mid - 1;
  }
  return low;
}

/* Add the distances of one row to columns j .. j + cols - 1, cluster by cluster. */
static void add_row(const struct task *t, size_t j, size_t cols, const double *distance, double *sum)
{
  const size_t end = j + cols;
  for (size_t c = cluster_of(t, j); j < end; c++) {
    const size_t stop = t->start[c + 1] < end ? t->start[c + 1] : end;
    if (stop > j) sum[c] += mn_weighted_sum(stop - j, distance, t->w ? t->w + j : NULL);
    distance += stop - j;
    j = stop;
  }
}

static double silhouette(const struct task *t, size_t own, const double *sum)
{
  double near = INFINITY;
  if (!(t->weight[own] > 1)) return 0;
  const double inside = sum[own] / (t->weight[own] - 1);
  for (size_t c = 0; c < t->k; c++)
    if (c != own && t->weight[c] > 0) near = fmin(near, sum[c] / t->weight[c]);
  const double max = fmax(inside, near);
  return max > 0 ? (near - inside) / max : 0;
}

static void run_block(void *work, size_t block, size_t worker)
{
  const struct task *t = work;
  const size_t begin = mn_block_begin(&t->blocks, block), rows = mn_block_end(&t->blocks, block) - begin;
  double *tile = t->tile + worker * TILE_ROWS * TILE_COLS, *sum = t->sum + worker * TILE_ROWS * t->k;
  for (size_t s = 0; s < rows * t->k; s++) sum[s] = 0;
  for (size_t j = 0; j < t->points.n; j += TILE_COLS) {
    const size_t cols = t->points.n - j < TILE_COLS ? t->points.n - j : TILE_COLS;
    mn_distance_tile(&t->points, begin, rows, j, cols, tile, t->work + worker * t->work_size);
    for (size_t r = 0; r < rows; r++) add_row(t, j, cols, tile + r * cols, sum + r * t->k);
  }
  for (size_t r = 0; r < rows; r++)
    t->out[t->order[begin + r]] = silhouette(t, cluster_of(t, begin + r), sum + r * t->k);
}

static mn_status sort_rows(mn_context *ctx, size_t n, size_t k, const int32_t *label, const double *w, struct task *t)
{
  size_t *order = MN_RAW(ctx, size_t, n, 1), *start = MN_NEW(ctx, size_t, k + 2, 1);
  double *sorted = MN_RAW(ctx, double, w ? n : 0, 1), *weight = MN_NEW(ctx, double, k, 1);
  MN_CHECK_ALLOC(order);
  MN_CHECK_ALLOC(start);
  MN_CHECK_ALLOC(sorted);
  MN_CHECK_ALLOC(weight);
  for (size_t i = 0; i < n; i++) {
    start[(size_t)label[i] + 2]++;
    weight[label[i]] += w ? w[i] : 1;
  }
  for (size_t c = 2; c < k + 2; c++) start[c] += start[c - 1];
  for (size_t i = 0; i < n; i++) order[start[(size_t)label[i] + 1]++] = i;
  for (size_t i = 0; w && i < n; i++) sorted[i] = w[order[i]];
  t->order = order;
  t->start = start;
  t->weight = weight;
  t->w = w ? sorted : NULL;
  return MN_OK;
}

mn_status mn_silhouettes(mn_context *ctx, mn_distance distance, size_t n, size_t d, size_t k, const double *x,
                         const int32_t *label, const double *w, double *out)
{
  const size_t workers = mn_threads(ctx);
  struct task t = { .k = k, .blocks = mn_make_blocks(n, TILE_ROWS, SIZE_MAX), .out = out };
  MN_TRY(sort_rows(ctx, n, k, label, w, &t));
  MN_TRY(mn_distance_points_init(ctx, &t.points, distance, n, d, x, t.order));
  t.work_size = (mn_tile_space(&t.points, TILE_ROWS, TILE_COLS) + ALIGN - 1) / ALIGN * ALIGN;
  t.tile = MN_RAW(ctx, double, workers, TILE_ROWS *TILE_COLS);
  t.sum = MN_RAW(ctx, double, workers *TILE_ROWS, k);
  t.work = MN_RAW(ctx, char, workers, t.work_size);
  MN_CHECK_ALLOC(t.tile);
  MN_CHECK_ALLOC(t.sum);
  MN_CHECK_ALLOC(t.work);
  return mn_parallel(ctx, t.blocks.count, run_block, &t);
}
