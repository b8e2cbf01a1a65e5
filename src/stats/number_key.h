#ifndef MN_STATS_NUMBER_KEY_H
#define MN_STATS_NUMBER_KEY_H
#include <stdint.h>

/* Maps doubles to unsigned keys with the same order (-0 as 0), and back. */
static inline uint64_t mn_sort_key(double value)
{
  union {
    double real;
    uint64_t bits;
  } u = { .real = value + 0.0 };
  return u.bits >> 63 ? ~u.bits : u.bits | UINT64_C(1) << 63;
}
static inline double mn_sort_key_value(uint64_t key)
{
  union {
    uint64_t bits;
    double real;
  } u = { .bits = key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key };
  return u.real;
}

#endif
