#include "running_median.h"
#include "../core/threads.h"
#include <math.h>
#include <string.h>

enum { BLOCK_ROWS = 64 };

struct median_work {
  const double *x, *weight;
  size_t members;
  bool stages;
  double *workspace; /* workers x 2 members: values in ascending order, and their weights */
  double *out;
  mn_blocks blocks;
};

/* Insertion index of v among n ascending values, after equal ones. */
static size_t upper_bound(const double *value, size_t n, double v)
{
  size_t low = 0, high = n;
  while (low < high) {
    const size_t mid = low + (high - low) / 2;
    if (value[mid] <= v || isnan(v))
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

static void insert(double *array, size_t n, size_t at, double v)
{
  memmove(array + at + 1, array + at, (n - at) * sizeof *array);
  array[at] = v;
}

/* The weights are added again for each stage, in the order of the values, so that a stage is bit-identical to the
 * median of the smaller ensemble; ties are frequent if members have equal weights. */
static double weighted_median(const double *value, const double *weight, size_t n, double half)
{
  size_t k = 0;
  double sum = weight[0];
  while (k + 1 < n && !(sum >= half)) sum += weight[++k];
  return value[k];
}

static void row_medians(const struct median_work *w, size_t i, double *workspace)
{
  const size_t members = w->members;
  const double *x = w->x + i * members;
  double *value = workspace, *weight = workspace + members, half = 0;
  for (size_t m = 0; m < members; m++) {
    const size_t at = upper_bound(value, m, x[m]);
    insert(value, m, at, x[m]);
    insert(weight, m, at, w->weight[m]);
    half += w->weight[m] / 2;
    if (w->stages) w->out[i * members + m] = weighted_median(value, weight, m + 1, half);
  }
  if (!w->stages) w->out[i] = weighted_median(value, weight, members, half);
}

static void block_medians(void *work, size_t block, size_t worker)
{
  const struct median_work *w = work;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++)
    row_medians(w, i, w->workspace + worker * 2 * w->members);
}

mn_status mn_weighted_row_medians(mn_context *ctx, size_t rows, size_t members, const double *x, const double *weight,
                                  bool stages, double *out)
{
  struct median_work w = { .x = x, .weight = weight, .members = members, .stages = stages, .out = out };
  w.blocks = mn_make_blocks(rows, BLOCK_ROWS, SIZE_MAX);
  w.workspace = MN_RAW(ctx, double, mn_threads(ctx), 2 * members);
  MN_CHECK_ALLOC(w.workspace);
  return mn_parallel(ctx, w.blocks.count, block_medians, &w);
}
