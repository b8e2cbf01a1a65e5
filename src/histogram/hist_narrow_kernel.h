/* Histograms with gradients and cells of one word: half the memory to read, and cells that stay in L1. A word is
 *
 *     count << 49 | h << 25 | g,
 *
 * with h from 0 and g from -MN_NARROW_MAX to MN_NARROW_MAX, so that sums over MN_NARROW_ROWS rows fit; a negative g
 * borrows from h. Such sums are unpacked into the cells of hist_kernel.h. Integer sums are exact, so the order of the
 * rows does not change them. */
#ifndef MN_HISTOGRAM_HIST_NARROW_KERNEL_H
#define MN_HISTOGRAM_HIST_NARROW_KERNEL_H
#include <stddef.h>
#include <stdint.h>

enum { MN_NARROW_ROWS = 8192, MN_NARROW_MAX = 2047 };

/* Words of the rows first .. first + n - 1: g * gscale and h * hscale, at most MN_NARROW_MAX, and a count of 1. They
 * are rounded up with a probability equal to their fraction, by a dither that depends on the row, so that sums are
 * unbiased even if all rows have the same gradient. Rows with used = 0 are left out; used may be NULL. */
void mn_narrow_quantize(size_t first, size_t n, const double *restrict g, const double *restrict h, double gscale,
                        double hscale, const uint8_t *restrict used, uint64_t *restrict word);

/* As mn_hist_add: hist[cell[j] + code[row][j]] += word[row]. */
void mn_narrow_add(size_t n, const uint32_t *restrict rows, const uint8_t *restrict code, size_t stride, size_t width,
                   const uint32_t *restrict cell, const uint64_t *restrict word, uint64_t *restrict hist);

/* Unpack n narrow cells, add them to `sum`, in which a count is 1 << bits, and set them to 0. */
void mn_narrow_unpack(size_t n, uint64_t *restrict narrow, unsigned bits, int64_t *restrict sum);

#endif
