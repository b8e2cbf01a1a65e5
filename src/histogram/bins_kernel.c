#include "bins_kernel.h"
#include "../core/clones.h"
#include <string.h>

enum { DIGIT = 11, DIGITS = 6, VALUES = 1 << DIGIT };

MN_CLONES(void, mn_bin_column,
          (size_t n, const double *restrict x, size_t step, const double *restrict edge, size_t half, uint8_t missing,
           uint8_t *restrict code),
          (n, x, step, edge, half, missing, code))
{
  for (size_t i = 0; i < n; i++) {
    const double value = x[i * step];
    uint64_t bits;
    size_t below = 0;
    for (size_t jump = half; jump > 0; jump /= 2) below += edge[below + jump - 1] < value ? jump : 0;
    memcpy(&bits, &value, sizeof bits); /* test NaN by its bits: with -ffast-math comparisons do not work */
    code[i] = (bits << 1) > UINT64_C(0xffe0000000000000) ? missing : (uint8_t)below;
  }
}

static void scatter(size_t n, unsigned shift, size_t *restrict at, const uint64_t *restrict key, uint64_t *restrict out,
                    const double *restrict with, double *restrict out_with)
{
  for (size_t i = 0; i < n; i++) {
    const size_t to = at[key[i] >> shift & (VALUES - 1)]++;
    out[to] = key[i];
    if (with) out_with[to] = with[i];
  }
}

void mn_sort_keys(size_t n, uint64_t *restrict key, uint64_t *restrict other, double *restrict with,
                  double *restrict other_with)
{
  uint64_t *from = key, *to = other;
  double *from_with = with, *to_with = other_with;
  for (unsigned digit = 0; digit < DIGITS; digit++) {
    size_t at[VALUES] = { 0 }, sum = 0;
    const unsigned shift = digit * DIGIT;
    for (size_t i = 0; i < n; i++) at[from[i] >> shift & (VALUES - 1)]++;
    if (n == 0 || at[from[0] >> shift & (VALUES - 1)] == n) continue; /* all digits are equal */
    for (size_t v = 0; v < VALUES; v++) {
      const size_t count = at[v];
      at[v] = sum;
      sum += count;
    }
    scatter(n, shift, at, from, to, from_with, to_with);
    uint64_t *keys = from;
    double *withs = from_with;
    from = to;
    to = keys;
    from_with = to_with;
    to_with = withs;
  }
  if (from == key) return;
  memcpy(key, from, n * sizeof *key);
  if (with) memcpy(with, from_with, n * sizeof *with);
}
