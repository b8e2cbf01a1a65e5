/* Numbers of any length. Up to 19 digits decide almost always (Eisel & Lemire); when they do not, the text is compared
 * exactly, as big integers, with the point half way between two neighbouring doubles. */
#include "decimal.h"
#include <math.h>

/* A half-way point between doubles has at most 767 digits, so what follows the 800th digit can only break a tie. */
enum { MOST_DIGITS = 800, LIMBS = 64 };

/* A natural number below 2^4096; the largest that arises here (800 digits, or 2^54 5^1124) has fewer than 2,800 bits.
 */
struct big {
  uint64_t limb[LIMBS];
  size_t size;
};

static void multiply_add(struct big *b, uint64_t factor, uint64_t carry)
{
  for (size_t i = 0; i < b->size; i++) {
    const unsigned __int128 product = (unsigned __int128)b->limb[i] * factor + carry;
    b->limb[i] = (uint64_t)product;
    carry = (uint64_t)(product >> 64);
  }
  if (carry && b->size < LIMBS) b->limb[b->size++] = carry;
}

static void multiply_by_five_to(struct big *b, int64_t power)
{
  const uint64_t five_to_27 = 7450580596923828125u;
  for (; power >= 27; power -= 27) multiply_add(b, five_to_27, 0);
  uint64_t rest = 1;
  for (; power > 0; power--) rest *= 5;
  multiply_add(b, rest, 0);
}

static void shift_left(struct big *b, int64_t bits)
{
  const size_t limbs = (size_t)bits / 64;
  multiply_add(b, (uint64_t)1 << (bits % 64), 0);
  if (limbs == 0 || b->size + limbs > LIMBS) return;
  memmove(b->limb + limbs, b->limb, b->size * sizeof *b->limb);
  memset(b->limb, 0, limbs * sizeof *b->limb);
  b->size += limbs;
}

static int compare(const struct big *a, const struct big *b)
{
  if (a->size != b->size) return a->size < b->size ? -1 : 1;
  for (size_t i = a->size; i-- > 0;)
    if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
  return 0;
}

/* The text of the digits, with at most one point among them, and what was found in it. */
struct number {
  const char *from, *to; /* the first and behind the last digit or point */
  uint64_t digits;       /* the first 19, leading zeros not counted      */
  int64_t exponent;      /* of the last of those                         */
  bool cut, whole, negative;
};

/* The digits as a big integer times 10^*exponent; *more: digits that are not all 0 were left out. */
static void read_big(const struct number *t, struct big *b, int64_t *exponent, bool *more)
{
  size_t taken = 0;
  int64_t place = t->exponent; /* of the 19th digit: then counts on */
  *b = (struct big){ .size = 0 };
  *more = false;
  for (const char *p = t->from; p < t->to; p++) {
    if (*p < '0' || *p > '9' || (taken == 0 && *p == '0')) continue;
    if (taken < MOST_DIGITS) {
      multiply_add(b, 10, (uint64_t)(*p - '0'));
      if (++taken > 19) place--;
    } else if (*p != '0') {
      *more = true;
      break;
    }
  }
  *exponent = place;
}

/* The text against the middle of the doubles with bits `low` and `low + 1` (inf counting as 2^1024). */
static int compare_with_middle(const struct big *digits, int64_t exponent, bool more, uint64_t low)
{
  const uint64_t fraction = low & (((uint64_t)1 << 52) - 1);
  const int64_t power = (int64_t)(low >> 52);
  const uint64_t mantissa = power ? fraction | (uint64_t)1 << 52 : fraction;
  struct big text = *digits, middle = { .size = 1, .limb = { 2 * mantissa + 1 } };
  const int64_t shift = (power ? power : 1) - 1076 - exponent; /* of the middle, once 10^exponent is 5^exponent */
  if (exponent >= 0)
    multiply_by_five_to(&text, exponent);
  else
    multiply_by_five_to(&middle, -exponent);
  if (shift >= 0)
    shift_left(&middle, shift);
  else
    shift_left(&text, -shift);
  const int order = compare(&text, &middle);
  return order == 0 && more ? 1 : order;
}

/* From a neighbour to the nearest. */
static uint64_t settle(const struct number *t, uint64_t bits)
{
  const uint64_t infinite = (uint64_t)0x7ff << 52;
  struct big digits;
  int64_t exponent;
  bool more;
  read_big(t, &digits, &exponent, &more);
  while (bits < infinite) {
    const int order = compare_with_middle(&digits, exponent, more, bits);
    if (order < 0 || (order == 0 && (bits & 1) == 0)) break;
    bits++;
  }
  while (bits > 0) {
    const int order = compare_with_middle(&digits, exponent, more, bits - 1);
    if (order > 0 || (order == 0 && (bits & 1) == 0)) break;
    bits--;
  }
  return bits;
}

static double value_of(const struct number *t)
{
  bool sure;
  uint64_t bits = mn_nearest_bits(t->digits, t->exponent, &sure);
  if (t->cut && sure) sure = bits == mn_nearest_bits(t->digits + 1, t->exponent, &sure) && sure;
  if (!sure) bits = settle(t, bits);
  bits |= (uint64_t)t->negative << 63;
  double value;
  memcpy(&value, &bits, sizeof bits);
  return value;
}

/* Digits and at most one point into t; the byte after them, NULL when there is no digit. */
static const char *scan_digits(const char *p, const char *end, char point, struct number *t)
{
  int count = 0; /* digits taken, leading zeros aside */
  bool any = false, after_point = false;
  t->from = p;
  for (; p < end; p++) {
    if (*p == point && !after_point) {
      after_point = true;
      continue;
    }
    const unsigned digit = (unsigned)(unsigned char)*p - '0';
    if (digit > 9) break;
    any = true;
    if (count < 19) {
      t->digits = t->digits * 10 + digit;
      count += t->digits > 0;
      t->exponent -= after_point;
    } else {
      t->cut |= digit > 0;
      t->exponent += !after_point;
    }
  }
  t->to = p;
  t->whole = !after_point;
  return any ? p : NULL;
}

/* e, sign, digits; `p` itself when they are not all there. */
static const char *scan_exponent(const char *p, const char *end, struct number *t)
{
  const int64_t most = (int64_t)1 << 50; /* beyond any length of digits that could balance it */
  const char *q = p + 1;
  if (p == end || (*p | 0x20) != 'e' || q == end) return p;
  const bool down = *q == '-';
  if (*q == '-' || *q == '+') q++;
  if (q == end || *q < '0' || *q > '9') return p;
  int64_t power = 0;
  for (; q < end && *q >= '0' && *q <= '9'; q++)
    if (power < most) power = power * 10 + (*q - '0');
  t->exponent += down ? -power : power;
  t->whole = false;
  return q;
}

static bool begins_with(const char *p, const char *end, const char *word)
{
  for (; *word; word++, p++)
    if (p == end || (*p | 0x20) != *word) return false;
  return true;
}

const char *mn_read_double(const char *at, const char *end, char point, double *value, bool *whole)
{
  struct number t = { 0 };
  const char *p = at;
  if (p < end && (*p == '-' || *p == '+')) t.negative = *p++ == '-';
  const char *after = scan_digits(p, end, point, &t);
  if (after) {
    after = scan_exponent(after, end, &t);
    *value = value_of(&t);
    *whole = t.whole;
    return after;
  }
  *whole = false;
  if (begins_with(p, end, "inf")) {
    *value = t.negative ? -INFINITY : INFINITY;
    return p + (begins_with(p, end, "infinity") ? 8 : 3);
  }
  if (begins_with(p, end, "nan")) {
    *value = NAN;
    return p + 3;
  }
  return at;
}
