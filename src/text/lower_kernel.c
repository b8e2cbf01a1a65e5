#include "lower_kernel.h"

MN_CLONES(bool, mn_copy_ascii, (size_t n, const char *restrict from, bool lower, char *restrict to),
          (n, from, lower, to))
{
  const unsigned char bit = lower ? 'a' - 'A' : 0;
  unsigned char bad = 0;
  for (size_t i = 0; i < n; i++) {
    const unsigned char c = (unsigned char)from[i], is_upper = (unsigned char)(c - 'A') < 26;
    bad |= (unsigned char)((c >> 7) | (c == 0));
    to[i] = (char)(c | (unsigned char)(is_upper * bit));
  }
  return bad == 0;
}
