#include "distance_block.h"
#include "../core/clones.h"
#include "distance_powers_kernel.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#include <immintrin.h>
#endif

MN_EXACT_BEGIN

/* Eight numbers, and the masks that comparisons of them give. */
typedef double lanes __attribute__((vector_size(64), aligned(8), may_alias));
typedef int64_t mask __attribute__((vector_size(64), may_alias));

#define SET(value)                                                                                                     \
  {                                                                                                                    \
    (value), (value), (value), (value), (value), (value), (value), (value)                                             \
  }
#define MAGNITUDE(x) ((lanes)((mask)(x)&INT64_MAX))
#define WHERE(test, x) ((lanes)((mask)(test) & (mask)(x)))
#define LARGER(a, b) ((lanes)(((mask)(a) & ((a) > (b))) | ((mask)(b) & ~((a) > (b)))))

/* Sum `sum` over the columns, where `update` uses x: the values of eight points minus those of the query. */
#define OVER_POINTS(update)                                                                                            \
  for (size_t i = 0; i < count; i += MN_LANES) {                                                                       \
    lanes sum = SET(0);                                                                                                \
    for (size_t j = 0; j < d; j++) {                                                                                   \
      const lanes query = SET(q[j]);                                                                                   \
      const lanes x = *(const lanes *)(points + j * capacity + i) - query;                                             \
      update;                                                                                                          \
    }                                                                                                                  \
    memcpy(out + i, &sum, sizeof sum);                                                                                 \
  }

static MN_CLONES(void, exact_distances,
                 (mn_distance_form form, size_t count, size_t capacity, size_t d, const double *points, const double *q,
                  double *out),
                 (form, count, capacity, d, points, q, out))
{
  MN_EXACT
  const lanes one = SET(1), zero = SET(0);
  switch (form) {
  case MN_FORM_SQUARES: OVER_POINTS(sum += x * x) break;
  case MN_FORM_SUM: OVER_POINTS(sum += MAGNITUDE(x)) break;
  case MN_FORM_MAX: OVER_POINTS(const lanes size = MAGNITUDE(x); sum = LARGER(size, sum)) break;
  default: OVER_POINTS(sum += WHERE(x != zero, one)) break;
  }
}

/* The same for boxes, where `update` uses x: how far the query box is outside of each box (`nearest`), or how far the
 * most distant point of each box is. */
#define OVER_BOXES(distance, update)                                                                                   \
  for (size_t j = 0; j < d; j++, box += 2 * MN_LANES) {                                                                \
    const lanes from = SET(low[j]), to = SET(high[j]);                                                                 \
    const lanes below = *(const lanes *)box - to, above = from - *(const lanes *)(box + MN_LANES);                     \
    const lanes x = (distance);                                                                                        \
    update;                                                                                                            \
  }
#define OUTSIDE LARGER(LARGER(below, above), zero)
#define FARTHEST LARGER(-below, -above)

static MN_CLONES(void, exact_box_bounds,
                 (mn_distance_form form, bool upper, size_t d, const double *box, const double *low, const double *high,
                  double *out),
                 (form, upper, d, box, low, high, out))
{
  MN_EXACT
  const lanes one = SET(1), zero = SET(0);
  lanes sum = zero;
  if (form == MN_FORM_SQUARES && !upper)
    OVER_BOXES(OUTSIDE, sum += x * x)
  else if (form == MN_FORM_SQUARES)
    OVER_BOXES(FARTHEST, sum += x * x)
  else if (form == MN_FORM_SUM && !upper)
    OVER_BOXES(OUTSIDE, sum += x)
  else if (form == MN_FORM_SUM)
    OVER_BOXES(FARTHEST, sum += x)
  else if (form == MN_FORM_MAX && !upper)
    OVER_BOXES(OUTSIDE, sum = LARGER(x, sum))
  else if (form == MN_FORM_MAX)
    OVER_BOXES(FARTHEST, sum = LARGER(x, sum))
  else if (!upper)
    OVER_BOXES(OUTSIDE, sum += WHERE(x > zero, one))
  else
    OVER_BOXES(FARTHEST, sum += WHERE(x > zero, one))
  memcpy(out, &sum, sizeof sum);
}

/* How far points are outside of one box. */
#define OVER_OUTSIDE(update)                                                                                           \
  for (size_t i = 0; i < count; i += MN_LANES) {                                                                       \
    lanes sum = SET(0);                                                                                                \
    for (size_t j = 0; j < d; j++) {                                                                                   \
      const lanes point = *(const lanes *)(points + j * capacity + i), from = SET(low[j]), to = SET(high[j]);          \
      const lanes below = from - point, above = point - to, x = OUTSIDE;                                               \
      update;                                                                                                          \
    }                                                                                                                  \
    memcpy(out + i, &sum, sizeof sum);                                                                                 \
  }

static MN_CLONES(void, exact_point_bounds,
                 (mn_distance_form form, size_t count, size_t capacity, size_t d, const double *points,
                  const double *low, const double *high, double *out),
                 (form, count, capacity, d, points, low, high, out))
{
  MN_EXACT
  const lanes one = SET(1), zero = SET(0);
  switch (form) {
  case MN_FORM_SQUARES: OVER_OUTSIDE(sum += x * x) break;
  case MN_FORM_SUM: OVER_OUTSIDE(sum += x) break;
  case MN_FORM_MAX: OVER_OUTSIDE(sum = LARGER(x, sum)) break;
  default: OVER_OUTSIDE(sum += WHERE(x > zero, one)) break;
  }
}

MN_EXACT_END

void mn_block_distances(mn_distance_form form, double p, size_t count, size_t capacity, size_t d, const double *points,
                        const double *q, double *out)
{
  if (form == MN_FORM_POWERS)
    mn_block_powers(p, count, capacity, d, points, q, out);
  else
    exact_distances(form, count, capacity, d, points, q, out);
}

/* The extents of eight boxes from q as points about 0, for the sum of powers. */
static void box_powers(double p, size_t d, const double *box, const double *q, bool upper, double *out)
{
  static const double origin = 0;
  double extent[MN_LANES], power[MN_LANES];
  for (size_t b = 0; b < MN_LANES; b++) out[b] = 0;
  for (size_t j = 0; j < d; j++, box += 2 * MN_LANES) {
    for (size_t b = 0; b < MN_LANES; b++) {
      const double below = box[b] - q[j], above = q[j] - box[MN_LANES + b];
      extent[b] = upper ? fmax(-below, -above) : fmax(fmax(below, above), 0);
    }
    mn_block_powers(p, MN_LANES, MN_LANES, 1, extent, &origin, power);
    for (size_t b = 0; b < MN_LANES; b++) out[b] += power[b];
  }
}

void mn_box_lower_bounds(mn_distance_form form, double p, size_t d, const double *box, const double *q, double *lower)
{
  if (form == MN_FORM_POWERS)
    box_powers(p, d, box, q, false, lower);
  else
    exact_box_bounds(form, false, d, box, q, q, lower);
}

void mn_box_gaps(mn_distance_form form, size_t d, const double *box, const double *low, const double *high, double *gap)
{
  exact_box_bounds(form, false, d, box, low, high, gap);
}

void mn_point_gaps(mn_distance_form form, size_t count, size_t capacity, size_t d, const double *points,
                   const double *low, const double *high, double *gap)
{
  exact_point_bounds(form, count, capacity, d, points, low, high, gap);
}

/* Bit i: not value[i] > limit. GCC does not vectorize the plain loop, with which searches in 10 columns take a quarter
 * longer. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
__attribute__((target("avx512f"))) static uint64_t within_avx512(size_t count, const double *value, double limit)
{
  const __m512d most = _mm512_set1_pd(limit);
  uint64_t bits = 0;
  for (size_t i = 0; i < count; i += MN_LANES)
    bits |= (uint64_t)_mm512_cmp_pd_mask(_mm512_loadu_pd(value + i), most, _CMP_NGT_UQ) << i;
  return bits;
}
#endif

uint64_t mn_within(size_t count, const double *value, double limit)
{
  uint64_t bits = 0;
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
  if (mn_cpu() == MN_CPU_AVX512) return within_avx512(count, value, limit);
#endif
  for (size_t i = 0; i < count; i++) bits |= (uint64_t) !(value[i] > limit) << i;
  return bits;
}

void mn_box_upper_bounds(mn_distance_form form, double p, size_t d, const double *box, const double *q, double *upper)
{
  if (form == MN_FORM_POWERS)
    box_powers(p, d, box, q, true, upper);
  else
    exact_box_bounds(form, true, d, box, q, q, upper);
}
