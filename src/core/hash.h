/* A hash of bytes for tables in memory; its values differ between machines and must not reach results. */
#ifndef MN_CORE_HASH_H
#define MN_CORE_HASH_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t mn_hash_step(uint64_t hash, uint64_t word)
{
  hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 32;
}

/* The first min(size, 8) bytes as a number, in which equal numbers and sizes mean equal bytes. */
static inline uint64_t mn_first_bytes(const char *bytes, size_t size)
{
  uint64_t word = 0;
  if (size >= sizeof word) {
    memcpy(&word, bytes, sizeof word);
  } else if (size >= sizeof(uint32_t)) {
    uint32_t first, last; /* they overlap */
    memcpy(&first, bytes, sizeof first);
    memcpy(&last, bytes + size - sizeof last, sizeof last);
    word = (uint64_t)last << 32 | first;
  } else {
    for (size_t i = 0; i < size; i++) word = word << 8 | (unsigned char)bytes[i];
  }
  return word;
}

static inline uint64_t mn_hash_bytes(const char *bytes, size_t size)
{
  uint64_t hash = mn_hash_step(size, mn_first_bytes(bytes, size));
  for (size_t i = sizeof hash; i < size; i += sizeof hash)
    hash = mn_hash_step(hash, mn_first_bytes(bytes + i, size - i));
  return hash;
}

#endif
