/* Conversion between decimal text and double: correctly rounded, shortest text that reads back, independent of the
 * locale.
 *
 * The fast paths are inline, since a file of a gigabyte holds a hundred million numbers. They decline rare input, which
 * mn_read_double handles. */
#ifndef MN_IO_DECIMAL_H
#define MN_IO_DECIMAL_H
#include "powers_of_five.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Read the number that begins at `at`: digits with an optional sign, point and exponent, or inf, infinity, nan in any
 * case. Nothing at or after `end` is read. Returns the byte after it, or `at` when no number begins there.
 *
 *   value  out: the nearest double, ties to even; inf on overflow, 0 on underflow
 *   whole  out: written without point and exponent
 *
 * Linear time and constant memory for any number of digits. */
const char *mn_read_double(const char *at, const char *end, char point, double *value, bool *whole);

/* Is the value of the number whose text ends at `after` inf because of its digits, as that of 1e400, and not as "inf"
 * says? */
static inline bool mn_is_overflow(double value, const char *after)
{
  return isinf(value) && (after[-1] | 0x20) < 'a';
}

/* The shortest decimal that reads back as `value`, closest to it among those, with the point '.'; nan, inf, -inf.
 * Not terminated; returns the number of bytes. */
enum { MN_DOUBLE_SIZE = 32 };
size_t mn_write_double(char out[MN_DOUBLE_SIZE], double value);

static const uint64_t mn_powers_of_ten[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000 };

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

/* Number of leading digits among the eight. A byte of 10 or more has its top bit set after adding 0x76, or before; a
 * carry can only affect bytes after the first such byte. */
static inline unsigned mn_count_digits8(uint64_t x)
{
  const uint64_t others = ((x + 0x7676767676767676u) | x) & 0x8080808080808080u;
  return others ? (unsigned)__builtin_ctzll(others) >> 3 : 8;
}

/* The number formed by the first n of eight digits, combined by pairs, fours and eights. Two shifts avoid an undefined
 * shift by 64 without a branch for n = 0. */
static inline uint64_t mn_digits8_value(uint64_t x, unsigned n)
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

enum { MN_QUICK_BYTES = 64 }; /* that mn_quick_decimal may read */

/* Append the digits at *p to *digits and advance *p. The loop is arranged so that after eight digits, which branch
 * prediction handles well, the next load does not wait for the count. Returns false if there may be more digits. */
static inline bool mn_append_digits(const char **p, uint64_t *digits, int blocks)
{
  for (; blocks > 0; blocks--) {
    const uint64_t x = mn_digits8(*p);
    const unsigned n = mn_count_digits8(x);
    if (n < 8) {
      *digits = *digits * mn_powers_of_ten[n] + mn_digits8_value(x, n);
      *p += n;
      return true;
    }
    *digits = *digits * 100000000 + mn_digits8_value(x, 8);
    *p += 8;
  }
  return false;
}

/* Parse e, sign and up to 3 digits; NULL if malformed. */
static inline const char *mn_quick_exponent(const char *p, int *exponent)
{
  int power = 0, places = 0;
  const bool negative_power = *++p == '-';
  p += (*p == '-') | (*p == '+');
  for (; *p >= '0' && *p <= '9'; p++, places++) {
    if (places == 3) return NULL;
    power = power * 10 + (*p - '0');
  }
  *exponent += negative_power ? -power : power;
  return places > 0 ? p : NULL;
}

/* Parse the number at `at` if it begins with a digit or a sign and a digit, and has at most 15 digits before the point,
 * 19 in total and 3 in the exponent; NULL otherwise. Returns the byte after it. */
static inline const char *mn_quick_decimal(const char *at, char point, mn_decimal *d)
{
  const char *p = at;
  uint64_t digits = 0; /* overflows only with more than 19 digits */
  int exponent = 0;
  const bool negative = *p == '-';
  p += (*p == '-') | (*p == '+');

  const char *const first = p;
  if (first[1] == point && (unsigned char)(*first - '0') <= 9) { /* fast path for one digit before the point */
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

/* The bits, without sign, of the double nearest to digits * 10^exponent. `exact` is false if the 128 bits of the power
 * do not determine the rounding; the result is then off by at most one unit.
 *
 * Eisel & Lemire: Lemire, "Number parsing at a gigabyte per second", Software: Practice and Experience 51 (2021). */
static inline uint64_t mn_nearest_bits(uint64_t digits, int64_t exponent, bool *exact)
{
  const uint64_t infinite = (uint64_t)0x7ff << 52;
  *exact = true;
  if (digits == 0 || exponent < MN_FIVE_MIN) return 0;
  if (exponent > 308) return infinite;

  const int e = (int)exponent, zeros = __builtin_clzll(digits);
  const uint64_t *five = mn_powers_of_five[e - MN_FIVE_MIN];
  const uint64_t w = digits << zeros;
  const unsigned __int128 first = (unsigned __int128)w * five[0];
  uint64_t high = (uint64_t)(first >> 64), low = (uint64_t)first;
  if ((high & 0x1ff) == 0x1ff) { /* the bits below the rounding position are all ones: the low word may carry */
    const uint64_t second = (uint64_t)(((unsigned __int128)w * five[1]) >> 64);
    low += second;
    high += second > low;
  }
  if (low == UINT64_MAX && (e < -27 || e > 55)) *exact = false;

  const int upper = (int)(high >> 63), shift = upper + 9;
  uint64_t mantissa = high >> shift;
  /* cppcheck-suppress shiftNegativeLHS ; every compiler shifts the sign in, which rounds down as it must */
  int64_t power = (((152170 + 65536) * (int64_t)e) >> 16) + 63 + upper - zeros + 1023;
  if (power <= 0) { /* subnormal or 0 */
    if (1 - power >= 64) return 0;
    mantissa >>= 1 - power;
    mantissa = (mantissa + (mantissa & 1)) >> 1;
    return mantissa; /* a carry into bit 52 gives the smallest normal double */
  }
  if (low <= 1 && e >= -4 && e <= 23 && (mantissa & 3) == 1 && mantissa << shift == high)
    mantissa &= ~(uint64_t)1; /* exact tie: round to even */
  mantissa = (mantissa + (mantissa & 1)) >> 1;
  if (mantissa >> 53) {
    mantissa = (uint64_t)1 << 52;
    power++;
  }
  if (power >= 0x7ff) return infinite;
  return (mantissa & (((uint64_t)1 << 52) - 1)) | (uint64_t)power << 52;
}

/* Convert to double; returns false if mn_read_double must decide the rounding. */
static inline bool mn_quick_value(const mn_decimal *d, double *value)
{
  bool exact = true;
  if (d->exponent == 0) {
    const double whole = (double)d->digits; /* the processor rounds to nearest, ties to even */
    *value = d->negative ? -whole : whole;
    return true;
  }
  const uint64_t bits = mn_nearest_bits(d->digits, d->exponent, &exact) | (uint64_t)d->negative << 63;
  memcpy(value, &bits, sizeof bits);
  return exact;
}

#endif
