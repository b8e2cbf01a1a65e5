/* Loops for quantizing columns. Plain arrays, no allocation, no checks. */
#ifndef MN_HISTOGRAM_BINS_KERNEL_H
#define MN_HISTOGRAM_BINS_KERNEL_H
#include "../stats/number_key.h"
#include <stddef.h>

/* code[i] = number of edges below x[i * step], or `missing` where x is NaN. `edge` is padded with infinities to
 * 2 half - 1 values, `half` being a power of two. */
void mn_bin_column(size_t n, const double *restrict x, size_t step, const double *restrict edge, size_t half,
                   uint8_t missing, uint8_t *restrict code);

/* Radix sort of the keys, ascending, with the numbers `with` (NULL: none, and then other_with is NULL, too). The result
 * is in key and with; the others are buffers. */
void mn_sort_keys(size_t n, uint64_t *restrict key, uint64_t *restrict other, double *restrict with,
                  double *restrict other_with);

#endif
