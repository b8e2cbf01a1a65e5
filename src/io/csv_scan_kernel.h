/* Bit masks of the quotes, line ends and NUL bytes of a text. */
#ifndef MN_IO_CSV_SCAN_KERNEL_H
#define MN_IO_CSV_SCAN_KERNEL_H
#include <stddef.h>
#include <stdint.h>

/* Bit i of word b refers to byte 64 b + i.
 *
 *   at        64 * words bytes
 *   quotes    words, out: bytes equal to `quote`
 *   newlines  words, out: bytes equal to `newline`
 *   nuls      words, out: bytes equal to 0 */
void mn_csv_find_marks(size_t words, const char *restrict at, char quote, char newline, uint64_t *restrict quotes,
                       uint64_t *restrict newlines, uint64_t *restrict nuls);

#endif
