#include "node_kernel.h"
#include "../core/clones.h"

MN_CLONES(void, mn_sort_small,
          (size_t n, const uint32_t *restrict key, const uint32_t *restrict id, uint32_t *restrict out_key,
           uint32_t *restrict out_id),
          (n, key, id, out_key, out_id))
{
  uint32_t index[MN_SMALL_SORT] = { 0 };
  for (size_t j = 0; j < n; j++) {
    const uint32_t k = key[j];
    for (size_t i = 0; i < j; i++) index[i] += key[i] > k;
    for (size_t i = j + 1; i < n; i++) index[i] += key[i] >= k;
  }
  for (size_t i = 0; i < n; i++) {
    out_key[index[i]] = key[i];
    out_id[index[i]] = id[i];
  }
}

MN_CLONES(void, mn_min_max, (size_t n, const double *restrict v, double *restrict low, double *restrict high),
          (n, v, low, high))
{
  double min = v[0], max = v[0];
  for (size_t i = 1; i < n; i++) {
    min = v[i] < min ? v[i] : min;
    max = v[i] > max ? v[i] : max;
  }
  *low = min;
  *high = max;
}

MN_CLONES(void, mn_mark_left, (size_t n, const double *restrict v, double threshold, uint32_t *restrict left),
          (n, v, threshold, left))
{
  for (size_t i = 0; i < n; i++) left[i] = v[i] <= threshold;
}

MN_CLONES(uint64_t, mn_sum_class_words, (size_t n, const uint64_t *restrict word), (n, word))
{
  uint64_t sum = 0;
  for (size_t i = 0; i < n; i++) sum += word[i];
  return sum;
}

MN_CLONES(uint64_t, mn_sum_class_words_left,
          (size_t n, const double *restrict v, double threshold, const uint64_t *restrict word),
          (n, v, threshold, word))
{
  uint64_t sum = 0;
  for (size_t i = 0; i < n; i++) sum += v[i] <= threshold ? word[i] : 0;
  return sum;
}

MN_CLONES(void, mn_quantized_range,
          (size_t n, const uint16_t *restrict q, uint16_t *restrict low, uint16_t *restrict high), (n, q, low, high))
{
  uint16_t min = q[0], max = q[0];
  for (size_t i = 1; i < n; i++) {
    min = q[i] < min ? q[i] : min;
    max = q[i] > max ? q[i] : max;
  }
  *low = min;
  *high = max;
}

MN_CLONES(int, mn_has_quantized, (size_t n, const uint16_t *restrict q, uint16_t value), (n, q, value))
{
  uint16_t has = 0;
  for (size_t i = 0; i < n; i++) has |= q[i] == value;
  return has;
}

MN_CLONES(void, mn_mark_quantized_left, (size_t n, const uint16_t *restrict q, uint16_t last, uint32_t *restrict left),
          (n, q, last, left))
{
  for (size_t i = 0; i < n; i++) left[i] = q[i] <= last;
}

MN_CLONES(uint64_t, mn_sum_class_words_quantized_left,
          (size_t n, const uint16_t *restrict q, uint16_t last, const uint64_t *restrict word), (n, q, last, word))
{
  uint64_t sum = 0;
  for (size_t i = 0; i < n; i++) sum += q[i] <= last ? word[i] : 0;
  return sum;
}
