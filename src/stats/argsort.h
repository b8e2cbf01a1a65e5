/* Sorting numbers: NaN goes last, -0 and 0 are equal, equal numbers keep their order. */
#ifndef MN_STATS_ARGSORT_H
#define MN_STATS_ARGSORT_H
#include "../core/threads.h"

/* order[i] = the place (0-based) in x of the i-th smallest value; `step` elements from one value to the next. Time
 * grows with n alone. MN_NO_MEMORY for 16 n bytes of scratch; MN_BAD_DATA from 2^31 numbers on. */
mn_status mn_argsort(mn_context *ctx, size_t n, const double *x, size_t step, size_t *order);

/* The same, from the largest down; NaN last, equal numbers in their order. */
mn_status mn_argsort_descending(mn_context *ctx, size_t n, const double *x, size_t step, size_t *order);

/* The same for workers, which have no scratch, of n < 2^31: the places of the numbers, without those of NaN. Returned
 * where they stand in `room` (2 n); *numbers: how many. MN_TIED is added to the place of a number that is equal to the
 * one before. NULL where the operation was cancelled. */
#define MN_TIED (UINT32_C(1) << 31)
uint32_t *mn_argsort_numbers(const mn_cancel_token *token, size_t n, const double *x, size_t step, uint64_t *room,
                             size_t *numbers);

/* Where the first of the ascending numbers that is not below x stands; n: none. */
static inline size_t mn_first_from(const uint32_t *v, size_t n, uint32_t x)
{
  size_t low = 0, high = n;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (v[middle] < x)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

#endif
