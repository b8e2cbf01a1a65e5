/* Histograms of many rows by gradients in one word each: half the memory to walk through, and sums of rows that stay in
 * the nearest cache. A word is
 *
 *     count << 49 | h << 25 | g,
 *
 * h from 0 and g from -MN_NARROW_MAX to MN_NARROW_MAX, so that sums over MN_NARROW_ROWS rows fit; a g below 0 borrows
 * from h. Such sums are taken apart into the cells of hist_kernel.h. All are exact sums of integers: no order of rows
 * changes them. */
#ifndef MN_HISTOGRAM_HIST_NARROW_KERNEL_H
#define MN_HISTOGRAM_HIST_NARROW_KERNEL_H
#include <stddef.h>
#include <stdint.h>

enum { MN_NARROW_ROWS = 8192, MN_NARROW_MAX = 2047 };

/* Words of the rows `first` .. first + n - 1: g * gscale and h * hscale, none above MN_NARROW_MAX, and a count of 1.
 * They are rounded up or down in the proportion of their fraction, by a dither that goes with the number of the row, so
 * that sums are right in the mean even where all rows have the same gradient. Rows whose `used` (or NULL) is 0 count
 * nothing. */
void mn_narrow_quantize(size_t first, size_t n, const double *restrict g, const double *restrict h, double gscale,
                        double hscale, const uint8_t *restrict used, uint64_t *restrict word);

/* As mn_hist_add: hist[cell[j] + code[row][j]] += word[row]. */
void mn_narrow_add(size_t n, const uint32_t *restrict rows, const uint8_t *restrict code, size_t stride, size_t width,
                   const uint32_t *restrict cell, const uint64_t *restrict word, uint64_t *restrict hist);

/* n narrow cells, taken apart, are added to `sum`, in which a count is 1 << bits; they are 0 afterwards. */
void mn_narrow_unpack(size_t n, uint64_t *restrict narrow, unsigned bits, int64_t *restrict sum);

#endif
