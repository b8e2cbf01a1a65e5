/* The shortest decimal of a double, by the Schubfach algorithm: Giulietti, "The Schubfach way to render doubles"
 * (2020). Of all decimals that round to the double it takes those with the fewest digits, and of these the closest. */
#include "decimal.h"
#include <math.h>

/* digits * 10^exponent, digits < 10^17. */
struct shortest {
  uint64_t digits;
  int exponent;
};

/* The table rounds down where Schubfach needs rounding up; incrementing the low word never overflows. */
static void power_of_ten(int k, uint64_t *high, uint64_t *low)
{
  const uint64_t *five = mn_powers_of_five[k - MN_FIVE_MIN];
  *high = five[0];
  *low = five[1] + (k < -27 || k > 55);
}

/* The bits of the product above 2^128, with the lowest bit set if any lower bit is (round to odd). */
static uint64_t product_to_odd(uint64_t high, uint64_t low, uint64_t c)
{
  const uint64_t below = (uint64_t)(((unsigned __int128)low * c) >> 64);
  const unsigned __int128 product = (unsigned __int128)high * c + below;
  return (uint64_t)(product >> 64) | ((uint64_t)product > 1);
}

static struct shortest find_shortest(uint64_t c, int q, bool even, bool lower_is_closer)
{
  const int k = (int)(((int64_t)q * 1262611 - (lower_is_closer ? 524031 : 0)) >> 22);
  const int h = q + (int)((-(int64_t)k * 1741647) >> 19) + 1;
  uint64_t high, low;
  power_of_ten(-k, &high, &low);
  const uint64_t left = product_to_odd(high, low, (4 * c - 2 + lower_is_closer) << h) + !even;
  const uint64_t midpoint = product_to_odd(high, low, (4 * c) << h);
  const uint64_t right = product_to_odd(high, low, (4 * c + 2) << h) - !even;

  const uint64_t s = midpoint / 4;
  if (s >= 10) {
    const uint64_t tens = s / 10;
    const bool down_inside = left <= 40 * tens, up_inside = 40 * tens + 40 <= right;
    if (down_inside != up_inside) return (struct shortest){ tens + up_inside, k + 1 };
  }
  const bool down_inside = left <= 4 * s, up_inside = 4 * s + 4 <= right;
  if (down_inside != up_inside) return (struct shortest){ s + up_inside, k };
  const uint64_t half = 4 * s + 2;
  const bool up = midpoint > half || (midpoint == half && (s & 1));
  return (struct shortest){ s + up, k };
}

static struct shortest shortest_decimal(uint64_t bits)
{
  const uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
  const int power = (int)(bits >> 52 & 0x7ff);
  const uint64_t c = power ? fraction | (uint64_t)1 << 52 : fraction;
  const int q = (power ? power : 1) - 1075;
  if (q <= 0 && q > -53 && (c & (((uint64_t)1 << -q) - 1)) == 0) return (struct shortest){ c >> -q, 0 }; /* whole */
  return find_shortest(c, q, (c & 1) == 0, fraction == 0 && power > 1);
}

static size_t write_digits(char *out, uint64_t digits)
{
  char reversed[20];
  size_t n = 0, i = 0;
  do {
    reversed[n++] = (char)('0' + digits % 10);
    digits /= 10;
  } while (digits > 0);
  while (n > 0) out[i++] = reversed[--n];
  return i;
}

/* Format digits[0..n-1] with the point after `point` digits: from 0.001 to 123456789012345680 in plain notation,
 * otherwise like 1.5e+300. */
static size_t format_decimal(char *out, const char *digits, int n, int point)
{
  char *p = out;
  if (point > 0 && point <= 17) {
    for (int i = 0; i < n || i < point; i++) {
      if (i == point) *p++ = '.';
      *p++ = i < n ? digits[i] : '0';
    }
  } else if (point <= 0 && point > -4) {
    *p++ = '0';
    *p++ = '.';
    for (int i = point; i < 0; i++) *p++ = '0';
    for (int i = 0; i < n; i++) *p++ = digits[i];
  } else {
    *p++ = digits[0];
    if (n > 1) *p++ = '.';
    for (int i = 1; i < n; i++) *p++ = digits[i];
    *p++ = 'e';
    *p++ = point - 1 < 0 ? '-' : '+';
    p += write_digits(p, (uint64_t)(point - 1 < 0 ? 1 - point : point - 1));
  }
  return (size_t)(p - out);
}

static size_t copy(char *out, const char *text)
{
  const size_t size = strlen(text);
  memcpy(out, text, size);
  return size;
}

size_t mn_write_double(char out[MN_DOUBLE_SIZE], double value)
{
  if (isnan(value)) return copy(out, "nan");
  if (isinf(value)) return copy(out, value > 0 ? "inf" : "-inf");
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  size_t sign = 0;
  if (bits >> 63) out[sign++] = '-';
  bits &= ~((uint64_t)1 << 63);
  if (bits == 0) {
    out[sign] = '0';
    return sign + 1;
  }
  const struct shortest s = shortest_decimal(bits);
  char digits[20];
  int n = (int)write_digits(digits, s.digits);
  const int point = n + s.exponent;
  while (n > 1 && digits[n - 1] == '0') n--;
  return sign + format_decimal(out + sign, digits, n, point);
}
