#include "fft.h"
#include "../core/status.h"
#include <math.h>

static bool is_smooth(size_t n)
{
  for (size_t p = 2; p <= 5; p++)
    while (n % p == 0) n /= p;
  return n == 1;
}

size_t mn_fft_length(size_t least)
{
  size_t n = least + least % 2;
  if (n == 0) n = 2;
  while (!is_smooth(n)) n += 2;
  return n;
}

static size_t next_radix(size_t n)
{
  return n % 4 == 0 ? 4 : n % 2 == 0 ? 2 : n % 3 == 0 ? 3 : 5;
}

mn_status mn_fft_init(mn_context *ctx, size_t n, mn_fft *f)
{
  const double full_turn = 6.28318530717958647693;
  *f = (mn_fft){ .n = n, .twiddle = MN_RAW(ctx, double, n, 2) };
  MN_CHECK_ALLOC(f->twiddle);
  double *w = f->twiddle;
  for (size_t left = n; left > 1;) {
    const size_t r = next_radix(left), m = left / r;
    f->radix[f->stages++] = (unsigned char)r;
    for (size_t p = 0; p < m; p++)
      for (size_t t = 1; t < r; t++) {
        const double angle = full_turn * (double)(p * t) / (double)left;
        *w++ = cos(angle);
        *w++ = -sin(angle);
      }
    left = m;
  }
  return MN_OK;
}
