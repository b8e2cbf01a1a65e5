#include "sort_kernel.h"
#include "../core/clones.h"

MN_CLONES
void mn_sort_small(size_t n, const uint32_t *restrict key, const uint32_t *restrict id, uint32_t *restrict out_key,
                   uint32_t *restrict out_id)
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
