#include "embedding.h"
#include "distances_kernel.h"
#include "../core/threads.h"
#include "../stats/quantile.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { ROWS = 16, COLS = 512, ALIGN = 64 };

struct task {
  const mn_distance_points *high, *low;
  size_t k;
  const double *w;
  mn_blocks blocks;
  double *row; /* of each worker */
  size_t row_size;
  char *work;
  size_t work_size;
  double *part; /* of each block */
};

static size_t round_up(size_t bytes)
{
  return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* Allocate tiles of ROWS x cols for each worker, and `parts` sums for each block of ROWS rows. */
static mn_status allocate(mn_context *ctx, struct task *t, size_t cols, size_t row_size, size_t parts)
{
  const size_t workers = mn_threads(ctx);
  const size_t high = mn_tile_space(t->high, ROWS, cols), low = mn_tile_space(t->low, ROWS, cols);
  t->blocks = mn_make_blocks(t->high->n, ROWS, SIZE_MAX);
  t->row_size = row_size;
  t->work_size = round_up(high > low ? high : low);
  t->row = MN_RAW(ctx, double, workers, row_size);
  t->work = MN_RAW(ctx, char, workers, t->work_size);
  t->part = MN_NEW(ctx, double, t->blocks.count, parts);
  MN_CHECK_ALLOC(t->row);
  MN_CHECK_ALLOC(t->work);
  MN_CHECK_ALLOC(t->part);
  return MN_OK;
}

/* --- neighbors --- */

/* The rank of row j by distance, 1 for the nearest. */
static size_t rank_of(size_t n, const double *distance, size_t j)
{
  size_t rank = 1 + mn_count_below(n, distance, distance[j]);
  for (size_t i = 0; i < j; i++) rank += distance[i] == distance[j];
  return rank;
}

/* The penalty for the false neighbors of row i, from its distances to all rows. */
static double penalty(const struct task *t, size_t i, double *high, double *low, double *copy)
{
  const size_t n = t->high->n, k = t->k;
  double sum = 0;
  high[i] = low[i] = DBL_MAX; /* a row is not its own neighbor */
  memcpy(copy, low, n * sizeof *low);
  mn_select(&(mn_cancel_token){ .ctx = NULL }, n, copy, k - 1);
  const double reach = copy[k - 1];
  size_t at_reach = k - mn_count_below(n, low, reach); /* how many of the ties at this distance are neighbors */
  for (size_t j = 0; j < n; j++) {
    if (!(low[j] <= reach) || (low[j] == reach && at_reach == 0)) continue;
    if (low[j] == reach) at_reach--;
    const size_t rank = rank_of(n, high, j);
    if (rank > k) sum += (double)(rank - k);
  }
  return sum;
}

static void add_penalties(void *work, size_t block, size_t worker)
{
  const struct task *t = work;
  const size_t n = t->high->n, begin = mn_block_begin(&t->blocks, block);
  const size_t rows = mn_block_end(&t->blocks, block) - begin;
  double *high = t->row + worker * t->row_size, *low = high + ROWS * n, *copy = low + ROWS * n;
  void *tile_work = t->work + worker * t->work_size;
  mn_distance_tile(t->high, begin, rows, 0, n, high, tile_work);
  mn_distance_tile(t->low, begin, rows, 0, n, low, tile_work);
  for (size_t r = 0; r < rows; r++) {
    const double weight = t->w ? t->w[begin + r] : 1;
    if (weight > 0) t->part[block] += weight * penalty(t, begin + r, high + r * n, low + r * n, copy);
  }
}

mn_status mn_trustworthiness(mn_context *ctx, const mn_distance_points *high, const mn_distance_points *low, size_t k,
                             const double *w, double *value)
{
  const double n = (double)high->n, near = (double)k;
  struct task t = { .high = high, .low = low, .k = k, .w = w };
  double sum, total = 0;
  MN_TRY(allocate(ctx, &t, high->n, (2 * ROWS + 1) * high->n, 1));
  MN_TRY(mn_parallel(ctx, t.blocks.count, add_penalties, &t));
  mn_sum_blocks(t.blocks.count, 1, t.part, &sum);
  for (size_t i = 0; i < high->n; i++) total += w ? w[i] : 1;
  *value = 1 - sum * 2 / (total * near * (2 * n - 3 * near - 1));
  return MN_OK;
}

/* --- stress --- */

static void add_stress(void *work, size_t block, size_t worker)
{
  const struct task *t = work;
  const size_t n = t->high->n, begin = mn_block_begin(&t->blocks, block);
  const size_t rows = mn_block_end(&t->blocks, block) - begin;
  double *high = t->row + worker * t->row_size, *low = high + ROWS * COLS, *part = t->part + 2 * block;
  void *tile_work = t->work + worker * t->work_size;
  for (size_t j = 0; j < n; j += COLS) {
    const size_t cols = n - j < COLS ? n - j : COLS;
    mn_distance_tile(t->high, begin, rows, j, cols, high, tile_work);
    mn_distance_tile(t->low, begin, rows, j, cols, low, tile_work);
    for (size_t r = 0; r < rows; r++) {
      double sums[2];
      mn_stress_terms(cols, high + r * cols, low + r * cols, t->w ? t->w + j : NULL, sums);
      part[0] += (t->w ? t->w[begin + r] : 1) * sums[0];
      part[1] += (t->w ? t->w[begin + r] : 1) * sums[1];
    }
  }
}

mn_status mn_stress_sums(mn_context *ctx, const mn_distance_points *high, const mn_distance_points *low,
                         const double *w, double sums[2])
{
  struct task t = { .high = high, .low = low, .w = w };
  MN_TRY(allocate(ctx, &t, COLS, (size_t)2 * ROWS * COLS, 2));
  MN_TRY(mn_parallel(ctx, t.blocks.count, add_stress, &t));
  mn_sum_blocks(t.blocks.count, 2, t.part, sums);
  return MN_OK;
}
