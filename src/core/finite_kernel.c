#include "finite_kernel.h"
#include <string.h>

/* Bits, not comparisons: under -ffast-math a test for NaN may be optimised away. An exponent of all ones is NaN or
 * infinite. */
MN_CLONES(int, mn_all_finite, (size_t n, const double *restrict x), (n, x))
{
  const uint64_t exponent = UINT64_C(0x7ff0000000000000);
  uint64_t bad = 0;
  for (size_t i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, x + i, sizeof bits);
    bad |= (uint64_t)((bits & exponent) == exponent);
  }
  return bad == 0;
}
