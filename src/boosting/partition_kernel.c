#include "partition_kernel.h"
#include "../core/cpu.h"

/* Branch-free, because the side of a row is hard to predict. */
static size_t partition_scalar(size_t i, size_t left_count, size_t n, uint32_t *restrict rows,
                               uint32_t *restrict right_rows, const uint8_t *restrict column,
                               const uint8_t *restrict left_mask)
{
  size_t right_count = i - left_count;
  for (; i < n; i++) {
    const uint32_t row = rows[i];
    const uint8_t left = left_mask[column[row]];
    rows[left_count] = row;
    right_rows[right_count] = row;
    left_count += left;
    right_count += !left;
  }
  return left_count;
}

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

/* Sixteen rows at a time: one gather reads their bins, and a 256-bit table in a register gives their sides. Entries of
 * `rows` are read before they are overwritten. */
__attribute__((target("avx512f"))) static size_t partition_avx512(size_t n, uint32_t *restrict rows,
                                                                  uint32_t *restrict right_rows,
                                                                  const uint8_t *restrict column,
                                                                  const uint8_t *restrict left_mask)
{
  enum { LANES = 16 };
  uint32_t side[LANES] = { 0 };
  for (unsigned bin = 0; bin < 256; bin++) side[bin / 32] |= (uint32_t)left_mask[bin] << bin % 32;
  const __m512i sides = _mm512_loadu_si512(side), one = _mm512_set1_epi32(1);
  size_t i = 0, left_count = 0;
  for (; i + LANES <= n; i += LANES) {
    const __m512i row = _mm512_loadu_si512(rows + i);
    const __m512i bin = _mm512_and_si512(_mm512_i32gather_epi32(row, (const void *)column, 1), _mm512_set1_epi32(255));
    const __m512i word = _mm512_permutexvar_epi32(_mm512_srli_epi32(bin, 5), sides);
    const __m512i bit = _mm512_srlv_epi32(word, _mm512_and_si512(bin, _mm512_set1_epi32(31)));
    const __mmask16 left = _mm512_test_epi32_mask(bit, one);
    _mm512_storeu_si512(rows + left_count, _mm512_maskz_compress_epi32(left, row));
    _mm512_storeu_si512(right_rows + (i - left_count), _mm512_maskz_compress_epi32((__mmask16)~left, row));
    left_count += (size_t)__builtin_popcount(left);
  }
  return partition_scalar(i, left_count, n, rows, right_rows, column, left_mask);
}
#endif

size_t mn_partition_rows(size_t n, uint32_t *restrict rows, uint32_t *restrict right_rows,
                         const uint8_t *restrict column, const uint8_t *restrict left_mask)
{
#if defined(__x86_64__) && defined(__GNUC__)
  enum { MIN_TABLE_ROWS = 256 };
  const int fits = n >= MIN_TABLE_ROWS && rows[n - 1] <= INT32_MAX; /* gather offsets are signed */
  if (fits && mn_cpu() == MN_CPU_AVX512) return partition_avx512(n, rows, right_rows, column, left_mask);
#endif
  return partition_scalar(0, 0, n, rows, right_rows, column, left_mask);
}
