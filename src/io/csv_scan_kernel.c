#include "csv_scan_kernel.h"
#include "../core/cpu.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

__attribute__((target("avx2"))) static uint64_t equal_64(__m256i low, __m256i high, __m256i byte)
{
  const uint32_t first = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, byte));
  const uint32_t second = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, byte));
  return first | (uint64_t)second << 32;
}

__attribute__((target("avx2"))) static void marks_avx2(size_t words, const char *restrict at, char quote, char newline,
                                                       uint64_t *restrict quotes, uint64_t *restrict newlines,
                                                       uint64_t *restrict nuls)
{
  const __m256i q = _mm256_set1_epi8(quote), n = _mm256_set1_epi8(newline), zero = _mm256_setzero_si256();
  for (size_t b = 0; b < words; b++) {
    const __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)(at + 64 * b));
    const __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(at + 64 * b + 32));
    quotes[b] = equal_64(low, high, q);
    newlines[b] = equal_64(low, high, n);
    nuls[b] = equal_64(low, high, zero);
  }
}
#endif

/* Bit i: byte i of eight is 0. Exact, unlike the shorter test that finds only the first. */
static uint64_t zeros_8(uint64_t x)
{
  const uint64_t low = 0x7f7f7f7f7f7f7f7fu;
  const uint64_t tops = ~(((x & low) + low) | x | low);
  return ((tops >> 7) * 0x0102040810204080u) >> 56;
}

static void marks_portable(size_t words, const char *restrict at, char quote, char newline, uint64_t *restrict quotes,
                           uint64_t *restrict newlines, uint64_t *restrict nuls)
{
  const uint64_t ones = 0x0101010101010101u;
  for (size_t b = 0; b < words; b++) {
    uint64_t q = 0, n = 0, z = 0;
    for (unsigned part = 0; part < 8; part++) {
      uint64_t x;
      __builtin_memcpy(&x, at + 64 * b + 8 * part, sizeof x);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
      x = __builtin_bswap64(x);
#endif
      q |= zeros_8(x ^ ones * (unsigned char)quote) << 8 * part;
      n |= zeros_8(x ^ ones * (unsigned char)newline) << 8 * part;
      z |= zeros_8(x) << 8 * part;
    }
    quotes[b] = q;
    newlines[b] = n;
    nuls[b] = z;
  }
}

void mn_csv_find_marks(size_t words, const char *restrict at, char quote, char newline, uint64_t *restrict quotes,
                       uint64_t *restrict newlines, uint64_t *restrict nuls)
{
#if defined(__x86_64__) && defined(__GNUC__)
  if (mn_cpu() >= MN_CPU_AVX2) {
    marks_avx2(words, at, quote, newline, quotes, newlines, nuls);
    return;
  }
#endif
  marks_portable(words, at, quote, newline, quotes, newlines, nuls);
}
