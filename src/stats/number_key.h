#ifndef MN_STATS_NUMBER_KEY_H
#define MN_STATS_NUMBER_KEY_H
#include <stdint.h>

/* Doubles as keys that sort as they do (-0 as 0), and back. */
static inline uint64_t mn_key_of(double value)
{
  union {
    double real;
    uint64_t bits;
  } u = { .real = value + 0.0 };
  return u.bits >> 63 ? ~u.bits : u.bits | UINT64_C(1) << 63;
}
static inline double mn_value_of(uint64_t key)
{
  union {
    uint64_t bits;
    double real;
  } u = { .bits = key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key };
  return u.real;
}

#endif
