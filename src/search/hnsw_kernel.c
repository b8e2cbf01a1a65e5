#include "hnsw_kernel.h"
#include "../core/clones.h"

typedef float float_lanes __attribute__((vector_size(64), aligned(4), may_alias));

enum { AHEAD = 4 /* rows that are fetched ahead */, LINE = 16 /* floats of a cache line */ };

static inline __attribute__((always_inline)) float distance(size_t width, const float *a, const float *b)
{
  float_lanes first = { 0 }, second = { 0 };
  size_t j = 0;
  for (; j + 2 * MN_SINGLE_LANES <= width; j += 2 * MN_SINGLE_LANES) {
    const float_lanes x = *(const float_lanes *)(a + j) - *(const float_lanes *)(b + j);
    const float_lanes y =
        *(const float_lanes *)(a + j + MN_SINGLE_LANES) - *(const float_lanes *)(b + j + MN_SINGLE_LANES);
    first += x * x;
    second += y * y;
  }
  if (j < width) {
    const float_lanes x = *(const float_lanes *)(a + j) - *(const float_lanes *)(b + j);
    first += x * x;
  }
  first += second;
  float sum = 0;
  for (int l = 0; l < MN_SINGLE_LANES; l++) sum += first[l];
  return sum;
}

static inline __attribute__((always_inline)) void fetch(size_t width, const float *row)
{
  for (size_t j = 0; j < width; j += LINE) __builtin_prefetch(row + j);
}

MN_CLONES(void, mn_single_distances,
          (size_t count, const int32_t *id, size_t width, const float *rows, const float *q, float *out),
          (count, id, width, rows, q, out))
{
  for (size_t i = 0; i < count && i < AHEAD; i++) fetch(width, rows + (size_t)id[i] * width);
  for (size_t i = 0; i < count; i++) {
    if (i + AHEAD < count) fetch(width, rows + (size_t)id[i + AHEAD] * width);
    out[i] = distance(width, rows + (size_t)id[i] * width, q);
  }
}

MN_CLONES(float, mn_single_distance, (size_t width, const float *a, const float *b), (width, a, b))
{
  return distance(width, a, b);
}
