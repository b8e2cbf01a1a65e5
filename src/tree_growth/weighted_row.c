#include "weighted_row.h"

enum { DIGIT_BITS = 8, INSERTION_SORT_MAX = 48 };

/* Its own because 32-bit keys in a second array move with the rows. */
static void insertion_sort(size_t n, mn_weighted_row *rows, uint32_t *key)
{
  for (size_t i = 1; i < n; i++) {
    const mn_weighted_row c = rows[i];
    const uint32_t k = key[i];
    size_t at = i;
    for (; at > 0 && key[at - 1] > k; at--) {
      rows[at] = rows[at - 1];
      key[at] = key[at - 1];
    }
    rows[at] = c;
    key[at] = k;
  }
}

bool mn_sort_weighted_rows(const mn_cancel_token *token, size_t n, mn_weighted_row *rows, uint32_t *key,
                           mn_weighted_row *other, uint32_t *key_other)
{
  uint32_t max = 0;
  if (n <= INSERTION_SORT_MAX) {
    insertion_sort(n, rows, key);
    return true;
  }
  bool sorted = true; /* true after a split by the same column */
  for (size_t i = 0; i < n; i++) {
    sorted = sorted && (i == 0 || key[i] >= key[i - 1]);
    max = key[i] > max ? key[i] : max;
  }
  if (sorted) return true;
  for (unsigned shift = 0; shift < 32 && max >> shift > 0; shift += DIGIT_BITS) {
    size_t offset[1 << DIGIT_BITS] = { 0 }, sum = 0;
    mn_chunk p = { 0 };
    while (mn_next_chunk(token, n, &p))
      for (size_t i = p.begin; i < p.end; i++) offset[key[i] >> shift & 255]++;
    if (p.end < n) return false;
    for (size_t d = 0; d < 1 << DIGIT_BITS; d++) {
      const size_t count = offset[d];
      offset[d] = sum;
      sum += count;
    }
    p = (mn_chunk){ 0 };
    while (mn_next_chunk(token, n, &p))
      for (size_t i = p.begin; i < p.end; i++) {
        const size_t to = offset[key[i] >> shift & 255]++;
        other[to] = rows[i];
        key_other[to] = key[i];
      }
    if (p.end < n) return false;
    if (!mn_copy_cancellable(token, rows, other, n * sizeof *rows)) return false;
    if (!mn_copy_cancellable(token, key, key_other, n * sizeof *key)) return false;
  }
  return true;
}
