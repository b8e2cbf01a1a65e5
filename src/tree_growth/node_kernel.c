#include "node_kernel.h"
#include "../core/clones.h"

MN_CLONES(void, mn_sort_small,
          (size_t n, const uint32_t *restrict key, const uint32_t *restrict id, uint32_t *restrict out_key,
           uint32_t *restrict out_id),
          (n, key, id, out_key, out_id))
{
  uint32_t place[MN_SMALL_SORT] = { 0 };
  for (size_t j = 0; j < n; j++) {
    const uint32_t k = key[j];
    for (size_t i = 0; i < j; i++) place[i] += key[i] > k;
    for (size_t i = j + 1; i < n; i++) place[i] += key[i] >= k;
  }
  for (size_t i = 0; i < n; i++) {
    out_key[place[i]] = key[i];
    out_id[place[i]] = id[i];
  }
}

MN_CLONES(void, mn_min_max, (size_t n, const double *restrict v, double *restrict low, double *restrict high),
          (n, v, low, high))
{
  double least = v[0], largest = v[0];
  for (size_t i = 1; i < n; i++) {
    least = v[i] < least ? v[i] : least;
    largest = v[i] > largest ? v[i] : largest;
  }
  *low = least;
  *high = largest;
}

MN_CLONES(void, mn_mark_left, (size_t n, const double *restrict v, double cut, uint32_t *restrict left),
          (n, v, cut, left))
{
  for (size_t i = 0; i < n; i++) left[i] = v[i] <= cut;
}

MN_CLONES(uint64_t, mn_sum_class_words, (size_t n, const uint64_t *restrict vote), (n, vote))
{
  uint64_t sum = 0;
  for (size_t i = 0; i < n; i++) sum += vote[i];
  return sum;
}

MN_CLONES(uint64_t, mn_sum_class_words_left,
          (size_t n, const double *restrict v, double cut, const uint64_t *restrict vote), (n, v, cut, vote))
{
  uint64_t sum = 0;
  for (size_t i = 0; i < n; i++) sum += v[i] <= cut ? vote[i] : 0;
  return sum;
}

MN_CLONES(void, mn_quantized_range,
          (size_t n, const uint16_t *restrict step, uint16_t *restrict low, uint16_t *restrict high),
          (n, step, low, high))
{
  uint16_t least = step[0], largest = step[0];
  for (size_t i = 1; i < n; i++) {
    least = step[i] < least ? step[i] : least;
    largest = step[i] > largest ? step[i] : largest;
  }
  *low = least;
  *high = largest;
}

MN_CLONES(int, mn_has_quantized, (size_t n, const uint16_t *restrict step, uint16_t s), (n, step, s))
{
  uint16_t has = 0;
  for (size_t i = 0; i < n; i++) has |= step[i] == s;
  return has;
}

MN_CLONES(void, mn_mark_quantized_left,
          (size_t n, const uint16_t *restrict step, uint16_t last, uint32_t *restrict left), (n, step, last, left))
{
  for (size_t i = 0; i < n; i++) left[i] = step[i] <= last;
}

MN_CLONES(uint64_t, mn_sum_class_words_quantized_left,
          (size_t n, const uint16_t *restrict step, uint16_t last, const uint64_t *restrict vote),
          (n, step, last, vote))
{
  uint64_t sum = 0;
  for (size_t i = 0; i < n; i++) sum += step[i] <= last ? vote[i] : 0;
  return sum;
}
