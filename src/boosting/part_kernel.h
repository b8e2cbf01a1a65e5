/* Rows of a leaf to the two sides of its split. */
#ifndef MN_BOOSTING_PART_KERNEL_H
#define MN_BOOSTING_PART_KERNEL_H
#include <stddef.h>
#include <stdint.h>

/* Those that go left stay in front of rows[0..n-1], which ascend, the others come to `spill` (n), both in their order.
 * column: a bin for each row of X, behind which 3 bytes more may be read; goes_left: 256, of each bin 1 or 0. Returns
 * how many go left.
 */
size_t mn_part_rows(size_t n, uint32_t *restrict rows, uint32_t *restrict spill, const uint8_t *restrict column,
                    const uint8_t *restrict goes_left);

#endif
