#include "finite_kernel.h"
#include <string.h>

/* Compares bits, since with -ffast-math a test for NaN may be optimized away: doubles without their sign are ordered as
 * their bits, followed by infinity and NaN. */
MN_CLONES(int, mn_all_below, (size_t n, const double *restrict x, double bound), (n, x, bound))
{
  int64_t limit, bad = 0;
  memcpy(&limit, &bound, sizeof limit);
  for (size_t i = 0; i < n; i++) {
    int64_t bits;
    memcpy(&bits, x + i, sizeof bits);
    bad |= (int64_t)((bits & INT64_MAX) >= limit);
  }
  return bad == 0;
}

/* The sign bit makes a number larger than all others, compared without sign. */
MN_CLONES(int, mn_all_non_negative, (size_t n, const double *restrict x), (n, x))
{
  const double bound = (double)INFINITY;
  uint64_t limit, bad = 0;
  memcpy(&limit, &bound, sizeof limit);
  for (size_t i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, x + i, sizeof bits);
    bad |= (uint64_t)(bits >= limit);
  }
  return bad == 0;
}

/* Whole numbers have only zeros behind the bits of their magnitude. */
MN_CLONES(int, mn_all_whole, (size_t n, const double *restrict x, double limit), (n, x, limit))
{
  const double one = 1;
  uint64_t least, most, bad = 0;
  memcpy(&least, &one, sizeof least);
  memcpy(&most, &limit, sizeof most);
  for (size_t i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, x + i, sizeof bits);
    const uint64_t magnitude = (bits - least) >> 52; /* the power of two, if x[i] is in range */
    bad |= (uint64_t)(bits - least > most - least) | bits << ((12 + magnitude) & 63);
  }
  return bad == 0;
}
