#include "hist_narrow_kernel.h"
#include "../core/clones.h"
#include "hist_kernel.h"
#include <math.h>
#include <string.h>

enum { G_BITS = 25, H_BITS = 24, FULL = 256 };

MN_CLONES(void, mn_narrow_quantize,
          (size_t first, size_t n, const double *restrict g, const double *restrict h, double gscale, double hscale,
           const uint8_t *restrict used, uint64_t *restrict word),
          (first, n, g, h, gscale, hscale, used, word))
{
  const uint32_t golden = UINT32_C(2654435769); /* 2^32 / golden ratio: its multiples are evenly distributed */
  for (size_t i = 0; i < n; i++) {
    const double dither = (double)(int32_t)((uint32_t)(first + i) * golden) * 0x1p-32 + 0.5;
    const int32_t rounded_g = (int32_t)floor(g[i] * gscale + dither),
                  rounded_h = (int32_t)floor(h[i] * hscale + dither);
    word[i] =
        (UINT64_C(1) << (G_BITS + H_BITS)) + ((uint64_t)(int64_t)rounded_h << G_BITS) + (uint64_t)(int64_t)rounded_g;
  }
  for (size_t i = 0; used && i < n; i++)
    if (!used[i]) word[i] = 0;
}

/* Four columns at a time: one load brings four bins. If all columns have all bins, their offsets are constants. */
static inline __attribute__((always_inline)) void add_row(const uint8_t *restrict code, size_t width,
                                                          const uint32_t *restrict cell, uint64_t word,
                                                          uint64_t *restrict hist, int full)
{
  size_t j = 0;
  for (; j + 4 <= width; j += 4) {
    uint64_t *at = hist + j * FULL;
    uint32_t four;
    memcpy(&four, code + j, sizeof four);
    (full ? at : hist + cell[j])[(uint8_t)four] += word;
    (full ? at + FULL : hist + cell[j + 1])[(uint8_t)(four >> 8)] += word;
    four >>= 16; /* now both bytes are in registers that can be addressed */
    (full ? at + 2 * FULL : hist + cell[j + 2])[(uint8_t)four] += word;
    (full ? at + 3 * FULL : hist + cell[j + 3])[four >> 8] += word;
  }
  for (; j < width; j++) hist[(full ? j * FULL : cell[j]) + code[j]] += word;
}

static inline __attribute__((always_inline)) void add_all(size_t n, const uint32_t *restrict rows,
                                                          const uint8_t *restrict code, size_t stride, size_t width,
                                                          const uint32_t *restrict cell, const uint64_t *restrict word,
                                                          uint64_t *restrict hist, int full)
{
  size_t i = 0;
  if (!rows) {
    for (; i < n; i++) add_row(code + i * stride, width, cell, word[i], hist, full);
    return;
  }
  for (; i + MN_PREFETCH_ROWS < n; i++) {
    __builtin_prefetch(code + (size_t)rows[i + MN_PREFETCH_ROWS] * stride);
    __builtin_prefetch(word + rows[i + MN_PREFETCH_ROWS]);
    add_row(code + (size_t)rows[i] * stride, width, cell, word[rows[i]], hist, full);
  }
  for (; i < n; i++) add_row(code + (size_t)rows[i] * stride, width, cell, word[rows[i]], hist, full);
}

MN_CLONES(void, mn_narrow_add,
          (size_t n, const uint32_t *restrict rows, const uint8_t *restrict code, size_t stride, size_t width,
           const uint32_t *restrict cell, const uint64_t *restrict word, uint64_t *restrict hist),
          (n, rows, code, stride, width, cell, word, hist))
{
  if (cell[width] - cell[0] == FULL * width)
    add_all(n, rows, code, stride, width, cell, word, hist + cell[0], 1);
  else
    add_all(n, rows, code, stride, width, cell, word, hist, 0);
}

MN_CLONES(void, mn_narrow_unpack, (size_t n, uint64_t *restrict narrow, unsigned bits, int64_t *restrict sum),
          (n, narrow, bits, sum))
{
  const uint64_t half = UINT64_C(1) << (G_BITS - 1), h_mask = (UINT64_C(1) << H_BITS) - 1;
  for (size_t c = 0; c < n; c++) {
    const uint64_t word = narrow[c];
    const int64_t g = (int64_t)((word + half) & (2 * half - 1)) - (int64_t)half;
    const uint64_t count_h = (word - (uint64_t)g) >> G_BITS;
    sum[2 * c] += g;
    sum[2 * c + 1] += (int64_t)((count_h >> H_BITS << bits) + (count_h & h_mask));
    narrow[c] = 0;
  }
}
