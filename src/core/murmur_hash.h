/* MurmurHash3, 32 bits (Appleby, public domain): the hash of scikit-learn's FeatureHasher; the same on all machines. */
#ifndef MN_CORE_MURMUR_HASH_H
#define MN_CORE_MURMUR_HASH_H
#include <stddef.h>
#include <stdint.h>

static inline uint32_t mn_rotate_left(uint32_t x, int bits)
{
  return x << bits | x >> (32 - bits);
}

static inline uint32_t mn_murmur_word(uint32_t word)
{
  return mn_rotate_left(word * UINT32_C(0xcc9e2d51), 15) * UINT32_C(0x1b873593);
}

static inline uint32_t mn_murmur_hash(const char *bytes, size_t size, uint32_t seed)
{
  const unsigned char *p = (const unsigned char *)bytes;
  uint32_t hash = seed, word = 0;
  for (size_t i = 0; i + 4 <= size; i += 4) {
    word = (uint32_t)p[i] | (uint32_t)p[i + 1] << 8 | (uint32_t)p[i + 2] << 16 | (uint32_t)p[i + 3] << 24;
    hash = mn_rotate_left(hash ^ mn_murmur_word(word), 13) * 5 + UINT32_C(0xe6546b64);
  }
  word = 0;
  for (size_t i = size % 4; i-- > 0;) word = word << 8 | p[size / 4 * 4 + i];
  hash ^= mn_murmur_word(word) ^ (uint32_t)size;
  hash = (hash ^ hash >> 16) * UINT32_C(0x85ebca6b);
  hash = (hash ^ hash >> 13) * UINT32_C(0xc2b2ae35);
  return hash ^ hash >> 16;
}

/* Column and sign of a hashed feature among n columns, as in scikit-learn: |h| mod n, and the sign of h, for h signed.
 */
static inline size_t mn_hash_column(uint32_t hash, size_t n, double *sign)
{
  const int64_t h = hash < UINT32_C(0x80000000) ? (int64_t)hash : (int64_t)hash - INT64_C(0x100000000);
  *sign = h >= 0 ? 1 : -1;
  return (size_t)(h >= 0 ? h : -h) % n;
}

#endif
