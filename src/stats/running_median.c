#include "running_median.h"
#include "../core/threads.h"
#include <math.h>
#include <string.h>

enum { BLOCK_ROWS = 64 };

struct medians {
  const double *x, *weight;
  size_t members;
  bool stages;
  double *room; /* workers x 2 members: values in ascending order, and their weights */
  double *out;
  mn_blocks blocks;
};

/* Where a value goes among n ascending ones: behind those that are equal. */
static size_t place_of(const double *value, size_t n, double v)
{
  size_t low = 0, high = n;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (value[middle] <= v || isnan(v))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void insert(double *list, size_t n, size_t at, double v)
{
  memmove(list + at + 1, list + at, (n - at) * sizeof *list);
  list[at] = v;
}

/* Weights are summed anew for each stage, in the order of the values, so that a stage is to the bit the median of a
 * smaller ensemble: ties are frequent where members have the same weight. */
static double median_of(const double *value, const double *weight, size_t n, double half)
{
  size_t k = 0;
  double sum = weight[0];
  while (k + 1 < n && !(sum >= half)) sum += weight[++k];
  return value[k];
}

static void medians_of_row(const struct medians *w, size_t i, double *room)
{
  const size_t members = w->members;
  const double *x = w->x + i * members;
  double *value = room, *weight = room + members, half = 0;
  for (size_t m = 0; m < members; m++) {
    const size_t at = place_of(value, m, x[m]);
    insert(value, m, at, x[m]);
    insert(weight, m, at, w->weight[m]);
    half += w->weight[m] / 2;
    if (w->stages) w->out[i * members + m] = median_of(value, weight, m + 1, half);
  }
  if (!w->stages) w->out[i] = median_of(value, weight, members, half);
}

static void medians_of_block(void *work, size_t block, size_t worker)
{
  const struct medians *w = work;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++)
    medians_of_row(w, i, w->room + worker * 2 * w->members);
}

mn_status mn_running_medians(mn_context *ctx, size_t rows, size_t members, const double *x, const double *weight,
                             bool stages, double *out)
{
  struct medians w = { .x = x, .weight = weight, .members = members, .stages = stages, .out = out };
  w.blocks = mn_make_blocks(rows, BLOCK_ROWS, SIZE_MAX);
  w.room = MN_RAW(ctx, double, mn_threads(ctx), 2 * members);
  MN_CHECK_ALLOC(w.room);
  return mn_parallel(ctx, w.blocks.count, medians_of_block, &w);
}
