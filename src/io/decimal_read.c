/* Numbers with any number of digits. The first 19 digits nearly always suffice (Eisel & Lemire); otherwise the text is
 * compared, in exact big-integer arithmetic, with the midpoint of two adjacent doubles. */
#include "decimal.h"
#include <math.h>

/* A midpoint between doubles has at most 767 digits, so digits after the 800th can only break a tie. */
enum { MAX_DIGITS = 800, LIMBS = 64 };

/* A natural number below 2^4096; the largest that occurs (800 digits, or 2^54 5^1124) has fewer than 2,800 bits. */
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
  uint64_t remaining_power = 1;
  for (; power > 0; power--) remaining_power *= 5;
  multiply_add(b, remaining_power, 0);
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

/* The parts of a number: its digits, with at most one point among them. */
struct number {
  const char *from, *to; /* from the first to after the last digit or point */
  uint64_t digits;       /* the first 19, without leading zeros */
  int64_t exponent;      /* exponent of the last of these */
  bool truncated_digits, whole, negative;
};

/* The digits as a big integer times 10^*exponent; *truncated: non-zero digits were dropped. */
static void read_big(const struct number *t, struct big *b, int64_t *exponent, bool *truncated)
{
  size_t used = 0;
  int64_t exponent_so_far = t->exponent; /* of the 19th digit, then of each further one */
  *b = (struct big){ .size = 0 };
  *truncated = false;
  for (const char *p = t->from; p < t->to; p++) {
    if (*p < '0' || *p > '9' || (used == 0 && *p == '0')) continue;
    if (used < MAX_DIGITS) {
      multiply_add(b, 10, (uint64_t)(*p - '0'));
      if (++used > 19) exponent_so_far--;
    } else if (*p != '0') {
      *truncated = true;
      break;
    }
  }
  *exponent = exponent_so_far;
}

/* Compare the text with the midpoint of the doubles with bits `low` and `low + 1` (inf counts as 2^1024). */
static int compare_with_midpoint(const struct big *digits, int64_t exponent, bool truncated, uint64_t low)
{
  const uint64_t fraction = low & (((uint64_t)1 << 52) - 1);
  const int64_t power = (int64_t)(low >> 52);
  const uint64_t mantissa = power ? fraction | (uint64_t)1 << 52 : fraction;
  struct big text = *digits, midpoint = { .size = 1, .limb = { 2 * mantissa + 1 } };
  const int64_t shift =
      (power ? power : 1) - 1076 - exponent; /* of the midpoint, after 10^exponent is replaced by 5^exponent */
  if (exponent >= 0)
    multiply_by_five_to(&text, exponent);
  else
    multiply_by_five_to(&midpoint, -exponent);
  if (shift >= 0)
    shift_left(&midpoint, shift);
  else
    shift_left(&text, -shift);
  const int order = compare(&text, &midpoint);
  return order == 0 && truncated ? 1 : order;
}

/* Correct an approximate result to the nearest double. */
static uint64_t resolve_rounding(const struct number *t, uint64_t bits)
{
  const uint64_t infinite = (uint64_t)0x7ff << 52;
  struct big digits;
  int64_t exponent;
  bool truncated;
  read_big(t, &digits, &exponent, &truncated);
  while (bits < infinite) {
    const int order = compare_with_midpoint(&digits, exponent, truncated, bits);
    if (order < 0 || (order == 0 && (bits & 1) == 0)) break;
    bits++;
  }
  while (bits > 0) {
    const int order = compare_with_midpoint(&digits, exponent, truncated, bits - 1);
    if (order > 0 || (order == 0 && (bits & 1) == 0)) break;
    bits--;
  }
  return bits;
}

static double to_double(const struct number *t)
{
  bool exact;
  uint64_t bits = mn_nearest_bits(t->digits, t->exponent, &exact);
  if (t->truncated_digits && exact) exact = bits == mn_nearest_bits(t->digits + 1, t->exponent, &exact) && exact;
  if (!exact) bits = resolve_rounding(t, bits);
  bits |= (uint64_t)t->negative << 63;
  double value;
  memcpy(&value, &bits, sizeof bits);
  return value;
}

/* Scan digits with at most one point. Returns the byte after them, NULL if there is no digit. */
static const char *scan_digits(const char *p, const char *end, char point, struct number *t)
{
  int count = 0; /* digits used, without leading zeros */
  bool any_digit = false, after_point = false;
  t->from = p;
  for (; p < end; p++) {
    if (*p == point && !after_point) {
      after_point = true;
      continue;
    }
    const unsigned digit = (unsigned)(unsigned char)*p - '0';
    if (digit > 9) break;
    any_digit = true;
    if (count < 19) {
      t->digits = t->digits * 10 + digit;
      count += t->digits > 0;
      t->exponent -= after_point;
    } else {
      t->truncated_digits |= digit > 0;
      t->exponent += !after_point;
    }
  }
  t->to = p;
  t->whole = !after_point;
  return any_digit ? p : NULL;
}

/* Scan e, sign and digits; returns `p` itself if the exponent is incomplete. */
static const char *scan_exponent(const char *p, const char *end, struct number *t)
{
  const int64_t max_power = (int64_t)1 << 50; /* larger than any number of digits could balance */
  const char *q = p + 1;
  if (p == end || (*p | 0x20) != 'e' || q == end) return p;
  const bool negative_power = *q == '-';
  if (*q == '-' || *q == '+') q++;
  if (q == end || *q < '0' || *q > '9') return p;
  int64_t power = 0;
  for (; q < end && *q >= '0' && *q <= '9'; q++)
    if (power < max_power) power = power * 10 + (*q - '0');
  t->exponent += negative_power ? -power : power;
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
    *value = to_double(&t);
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
