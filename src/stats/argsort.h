/* Argsort of numbers: NaN is last, -0 and 0 are equal, and ties keep their order. */
#ifndef MN_STATS_ARGSORT_H
#define MN_STATS_ARGSORT_H
#include "../core/threads.h"

/* order[i] = index (0-based) in x of the i-th smallest value; `step` is the distance between values. Linear time.
 * MN_NO_MEMORY for 16 n bytes of scratch; MN_BAD_DATA for 2^31 values or more. */
mn_status mn_argsort(mn_context *ctx, size_t n, const double *x, size_t step, size_t *order);

/* The same in descending order; NaN is last, and ties keep their order. */
mn_status mn_argsort_descending(mn_context *ctx, size_t n, const double *x, size_t step, size_t *order);

/* The same for tasks, which have no scratch, for n < 2^31: the indexes in ascending order of value, without those of
 * NaN, in an array within `workspace` (2 n values); *count is their number. MN_TIED is added to the index of a value
 * equal to the one before. NULL if the operation was cancelled. */
#define MN_TIED (UINT32_C(1) << 31)
uint32_t *mn_argsort_numbers(const mn_cancel_token *token, size_t n, const double *x, size_t step, uint64_t *workspace,
                             size_t *count);

/* Index of the first of n ascending numbers that is not below x; n if there is none. */
static inline size_t mn_lower_bound(const uint32_t *v, size_t n, uint32_t x)
{
  size_t low = 0, high = n;
  while (low < high) {
    const size_t mid = low + (high - low) / 2;
    if (v[mid] < x)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

#endif
