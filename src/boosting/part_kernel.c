#include "part_kernel.h"
#include "../core/cpu.h"

/* No branch hangs on the side: it is as good as drawn. */
static size_t part_from(size_t i, size_t lefts, size_t n, uint32_t *restrict rows, uint32_t *restrict spill,
                        const uint8_t *restrict column, const uint8_t *restrict goes_left)
{
  size_t rights = i - lefts;
  for (; i < n; i++) {
    const uint32_t row = rows[i];
    const uint8_t left = goes_left[column[row]];
    rows[lefts] = row;
    spill[rights] = row;
    lefts += left;
    rights += !left;
  }
  return lefts;
}

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

/* Sixteen rows at a time: their bins by one gather, their sides out of a table of 256 bits in a register. What is
 * written behind the last left row has been read before. */
__attribute__((target("avx512f"))) static size_t part_avx512(size_t n, uint32_t *restrict rows,
                                                             uint32_t *restrict spill, const uint8_t *restrict column,
                                                             const uint8_t *restrict goes_left)
{
  enum { LANES = 16 };
  uint32_t side[LANES] = { 0 };
  for (unsigned bin = 0; bin < 256; bin++) side[bin / 32] |= (uint32_t)goes_left[bin] << bin % 32;
  const __m512i sides = _mm512_loadu_si512(side), one = _mm512_set1_epi32(1);
  size_t i = 0, lefts = 0;
  for (; i + LANES <= n; i += LANES) {
    const __m512i row = _mm512_loadu_si512(rows + i);
    const __m512i bin = _mm512_and_si512(_mm512_i32gather_epi32(row, (const void *)column, 1), _mm512_set1_epi32(255));
    const __m512i word = _mm512_permutexvar_epi32(_mm512_srli_epi32(bin, 5), sides);
    const __m512i bit = _mm512_srlv_epi32(word, _mm512_and_si512(bin, _mm512_set1_epi32(31)));
    const __mmask16 left = _mm512_test_epi32_mask(bit, one);
    _mm512_storeu_si512(rows + lefts, _mm512_maskz_compress_epi32(left, row));
    _mm512_storeu_si512(spill + (i - lefts), _mm512_maskz_compress_epi32((__mmask16)~left, row));
    lefts += (size_t)__builtin_popcount(left);
  }
  return part_from(i, lefts, n, rows, spill, column, goes_left);
}
#endif

size_t mn_part_rows(size_t n, uint32_t *restrict rows, uint32_t *restrict spill, const uint8_t *restrict column,
                    const uint8_t *restrict goes_left)
{
#if defined(__x86_64__) && defined(__GNUC__)
  enum { WORTH_A_TABLE = 256 };
  const int fits = n >= WORTH_A_TABLE && rows[n - 1] <= INT32_MAX; /* the gather takes its places as signed */
  if (fits && mn_cpu() == MN_CPU_AVX512) return part_avx512(n, rows, spill, column, goes_left);
#endif
  return part_from(0, 0, n, rows, spill, column, goes_left);
}
