/* Partition the rows of a leaf by the side of a split. */
#ifndef MN_BOOSTING_PARTITION_KERNEL_H
#define MN_BOOSTING_PARTITION_KERNEL_H
#include <stddef.h>
#include <stdint.h>

/* Rows that go left stay at the front of rows[0..n-1], which is ascending; the others are copied to right_rows (n),
 * both in order. column: a bin for each row of X, with 3 readable bytes after the end; left_mask: 256 entries, 1 for
 * bins that go left. Returns the number of rows that go left. */
size_t mn_partition_rows(size_t n, uint32_t *restrict rows, uint32_t *restrict right_rows,
                         const uint8_t *restrict column, const uint8_t *restrict left_mask);

#endif
