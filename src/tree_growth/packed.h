/* Arrays of integers of 1 to 4 bytes each, as many as the largest needs: 2 for the ranks of 50,000 rows, 3 for those of
 * 200,000. Smaller arrays are also read faster. */
#ifndef MN_TREE_GROWTH_PACKED_H
#define MN_TREE_GROWTH_PACKED_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct mn_packed {
  uint8_t *at; /* little endian, the low byte first */
  uint32_t bytes, mask;
} mn_packed;

static inline uint32_t mn_packed_element_size(uint32_t max)
{
  return max < 1U << 8 ? 1 : max < 1U << 16 ? 2 : max < 1U << 24 ? 3 : 4;
}

/* Bytes for n numbers. 4 bytes are read and written at once, and columns must not share a cache line. */
static inline size_t mn_packed_size(size_t n, uint32_t max)
{
  return (n * mn_packed_element_size(max) + sizeof(uint32_t) + 63) / 64 * 64;
}

/* The array of numbers up to `max` in that memory. */
static inline mn_packed mn_packed_view(uint8_t *at, uint32_t max)
{
  const uint32_t bytes = mn_packed_element_size(max);
  return (mn_packed){ .at = at, .bytes = bytes, .mask = UINT32_MAX >> (32 - 8 * bytes) };
}

static inline uint32_t mn_little_endian(uint32_t x)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  x = __builtin_bswap32(x);
#endif
  return x;
}

static inline uint32_t mn_packed_get(mn_packed p, size_t i)
{
  uint32_t word;
  memcpy(&word, p.at + i * p.bytes, sizeof word);
  return mn_little_endian(word) & p.mask;
}

static inline void mn_packed_set(mn_packed p, size_t i, uint32_t x)
{
  uint32_t word;
  memcpy(&word, p.at + i * p.bytes, sizeof word);
  word = mn_little_endian((mn_little_endian(word) & ~p.mask) | x);
  memcpy(p.at + i * p.bytes, &word, sizeof word);
}

#endif
