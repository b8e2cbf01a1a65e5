/* The 128 leading bits of 5^q (hence of 10^q, up to a power of two), q from -342 to 324: high word, low word.
 *
 * Truncated where they do not fit, that is for q < -27 and q > 55; rounded up for q from -27 to -1. This is the table
 * of Lemire, "Number parsing at a gigabyte per second", Software: Practice and Experience 51 (2021), extended to 324
 * for writing. In Python:
 *
 *     def row(q):
 *         if q >= 0: return 5**q << 400 >> ((5**q).bit_length() + 400 - 128)
 *         v = (1 << 1200) // 5**-q
 *         return (v >> (v.bit_length() - 128)) + (q >= -27)
 */
#ifndef MN_IO_POWERS_OF_FIVE_H
#define MN_IO_POWERS_OF_FIVE_H
#include <stdint.h>

enum { MN_FIVE_MIN = -342, MN_FIVE_MAX = 324 };

extern const uint64_t mn_powers_of_five[MN_FIVE_MAX - MN_FIVE_MIN + 1][2];

#endif
