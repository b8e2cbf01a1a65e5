/* Decimal text to double and back: every double correctly rounded, every text the shortest that reads back, and no
 * locale anywhere.
 *
 * The quick parts stand here, inline, because a table of a gigabyte holds a hundred million numbers; what they decline
 * goes to mn_read_double, which takes everything. */
#ifndef MN_IO_DECIMAL_H
#define MN_IO_DECIMAL_H
#include "powers_of_five.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Read the number that begins at `at`: digits with an optional sign, point and exponent, or inf, infinity, nan in any
 * case. Nothing at or after `end` is read. Returns the byte after it, or `at` when no number begins there.
 *
 *   value  out: the nearest double, ties to even; beyond the largest double inf, below the least one 0
 *   whole  out: written without point and exponent
 *
 * Digits without end cost time in proportion and no memory. */
const char *mn_read_double(const char *at, const char *end, char point, double *value, bool *whole);

/* The shortest decimal that reads back as `value`, closest to it among those, with the point '.'; nan, inf, -inf.
 * Not terminated; returns the number of bytes. */
enum { MN_DOUBLE_SIZE = 32 };
size_t mn_write_double(char out[MN_DOUBLE_SIZE], double value);

static const uint64_t mn_ten_to[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000 };

static inline uint64_t mn_load8(const char *at)
{
  uint64_t x;
  memcpy(&x, at, sizeof x);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  x = __builtin_bswap64(x);
#endif
  return x;
}

/* Eight bytes as digit values: those that were digits become 0..9. */
static inline uint64_t mn_digits8(const char *at)
{
  return mn_load8(at) ^ 0x3030303030303030u;
}

/* How many of the eight, from the first on, are digits. A byte from 10 on raises its top bit when 0x76 is added, or has
 * it; a carry can only spoil bytes behind the first such. */
static inline unsigned mn_count8(uint64_t x)
{
  const uint64_t others = ((x + 0x7676767676767676u) | x) & 0x8080808080808080u;
  return others ? (unsigned)__builtin_ctzll(others) >> 3 : 8;
}

/* The number that the first n of eight digits form: by pairs, by fours, by eights. In two shifts, for one by 64 is not
 * defined and n = 0 shall need no branch. */
static inline uint64_t mn_value8(uint64_t x, unsigned n)
{
  x = x << (32 - 4 * n) << (32 - 4 * n);
  x = x * 10 + (x >> 8);
  return ((x & 0x000000ff000000ffu) * 0x000f424000000064u + ((x >> 16) & 0x000000ff000000ffu) * 0x0000271000000001u) >>
         32;
}

/* digits * 10^exponent. */
typedef struct mn_decimal {
  uint64_t digits;
  int exponent;
  bool negative, whole;
} mn_decimal;

enum { MN_QUICK_BYTES = 64 }; /* that must be readable for mn_quick_decimal */

/* The digits at *p appended to d->digits; *p goes behind them. Where a run of eight is full, which a processor guesses
 * well, the next load does not wait for the count. Returns false when there may be more of them. */
static inline bool mn_append_digits(const char **p, uint64_t *digits, int blocks)
{
  for (; blocks > 0; blocks--) {
    const uint64_t x = mn_digits8(*p);
    const unsigned n = mn_count8(x);
    if (n < 8) {
      *digits = *digits * mn_ten_to[n] + mn_value8(x, n);
      *p += n;
      return true;
    }
    *digits = *digits * 100000000 + mn_value8(x, 8);
    *p += 8;
  }
  return false;
}

/* e, sign and up to 3 digits; NULL when they are not so. */
static inline const char *mn_quick_exponent(const char *p, int *exponent)
{
  int power = 0, places = 0;
  const bool down = *++p == '-';
  p += (*p == '-') | (*p == '+');
  for (; *p >= '0' && *p <= '9'; p++, places++) {
    if (places == 3) return NULL;
    power = power * 10 + (*p - '0');
  }
  *exponent += down ? -power : power;
  return places > 0 ? p : NULL;
}

/* The number at `at`, when it begins with a digit or a sign and a digit, and has at most 15 digits before the point, 19
 * in all and 3 in the exponent; NULL otherwise. Returns the byte after it. */
static inline const char *mn_quick_decimal(const char *at, char point, mn_decimal *d)
{
  const char *p = at;
  uint64_t digits = 0; /* wraps only when there are more than 19 */
  int exponent = 0;
  const bool negative = *p == '-';
  p += (*p == '-') | (*p == '+');

  const char *const first = p;
  if (first[1] == point && (unsigned char)(*first - '0') <= 9) { /* the commonest numbers need no counting here */
    digits = (uint64_t)(*first - '0');
    p++;
  } else if (!mn_append_digits(&p, &digits, 2) || p == first) {
    return NULL;
  }
  bool whole = *p != point;
  if (!whole) {
    const char *const fraction = ++p;
    if (!mn_append_digits(&p, &digits, 3)) return NULL;
    exponent = (int)(fraction - p);
    if (p - first > 20) return NULL;
  }
  if ((*p | 0x20) == 'e') {
    whole = false;
    p = mn_quick_exponent(p, &exponent);
  }
  *d = (mn_decimal){ .digits = digits, .exponent = exponent, .negative = negative, .whole = whole };
  return p;
}

/* The double nearest to digits * 10^exponent, as bits without sign. `sure` is false when the 128 bits of the power did
 * not decide the rounding; the result is then a neighbour.
 *
 * Eisel & Lemire: Lemire, "Number parsing at a gigabyte per second", Software: Practice and Experience 51 (2021). */
static inline uint64_t mn_nearest_bits(uint64_t digits, int64_t exponent, bool *sure)
{
  const uint64_t infinite = (uint64_t)0x7ff << 52;
  *sure = true;
  if (digits == 0 || exponent < MN_FIVE_LOW) return 0;
  if (exponent > 308) return infinite;

  const int e = (int)exponent, zeros = __builtin_clzll(digits);
  const uint64_t *five = mn_powers_of_five[e - MN_FIVE_LOW];
  const uint64_t w = digits << zeros;
  const unsigned __int128 first = (unsigned __int128)w * five[0];
  uint64_t high = (uint64_t)(first >> 64), low = (uint64_t)first;
  if ((high & 0x1ff) == 0x1ff) { /* the bits below the rounding position are all ones: the low word may carry */
    const uint64_t second = (uint64_t)(((unsigned __int128)w * five[1]) >> 64);
    low += second;
    high += second > low;
  }
  if (low == UINT64_MAX && (e < -27 || e > 55)) *sure = false;

  const int upper = (int)(high >> 63), shift = upper + 9;
  uint64_t mantissa = high >> shift;
  /* cppcheck-suppress shiftNegativeLHS ; every compiler shifts the sign in, which rounds down as it must */
  int64_t power = (((152170 + 65536) * (int64_t)e) >> 16) + 63 + upper - zeros + 1023;
  if (power <= 0) { /* subnormal, or nothing */
    if (1 - power >= 64) return 0;
    mantissa >>= 1 - power;
    mantissa = (mantissa + (mantissa & 1)) >> 1;
    return mantissa; /* a carry into bit 52 is the least normal double */
  }
  if (low <= 1 && e >= -4 && e <= 23 && (mantissa & 3) == 1 && mantissa << shift == high)
    mantissa &= ~(uint64_t)1; /* exactly half way: to even */
  mantissa = (mantissa + (mantissa & 1)) >> 1;
  if (mantissa >> 53) {
    mantissa = (uint64_t)1 << 52;
    power++;
  }
  if (power >= 0x7ff) return infinite;
  return (mantissa & (((uint64_t)1 << 52) - 1)) | (uint64_t)power << 52;
}

/* False: ask mn_read_double. */
static inline bool mn_quick_value(const mn_decimal *d, double *value)
{
  bool sure = true;
  if (d->exponent == 0) {
    const double whole = (double)d->digits; /* the processor rounds to nearest, ties to even */
    *value = d->negative ? -whole : whole;
    return true;
  }
  const uint64_t bits = mn_nearest_bits(d->digits, d->exponent, &sure) | (uint64_t)d->negative << 63;
  memcpy(value, &bits, sizeof bits);
  return sure;
}

#endif
