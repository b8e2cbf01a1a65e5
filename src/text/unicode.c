#include "unicode.h"
#include "unicode_tables.h"

/* Size of the sequence that a first byte announces, and the range of the second byte (Unicode, table 3-7); 0: invalid.
 */
static size_t sequence_size(unsigned char first, unsigned char *low, unsigned char *high)
{
  *low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  *high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

uint32_t mn_utf8_decode(const char *at, const char *end, const char **next)
{
  const unsigned char *s = (const unsigned char *)at;
  unsigned char low, high;
  *next = at + 1;
  if (s[0] < 0x80) return s[0] ? s[0] : MN_REPLACEMENT;
  const size_t size = sequence_size(s[0], &low, &high);
  uint32_t code = s[0] & (0x7fu >> size);
  for (size_t i = 1; i < size; i++) {
    if (*next == end || s[i] < low || s[i] > high) return MN_REPLACEMENT;
    code = code << 6 | (s[i] & 0x3fu);
    ++*next;
    low = 0x80;
    high = 0xbf;
  }
  return size > 0 ? code : MN_REPLACEMENT;
}

size_t mn_utf8_encode(uint32_t code, char *out)
{
  if (code < 0x80) {
    out[0] = (char)code;
    return 1;
  }
  const size_t size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  static const unsigned char first[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
  for (size_t i = size; i-- > 1; code >>= 6) out[i] = (char)(0x80 | (code & 0x3f));
  out[0] = (char)(first[size] | code);
  return size;
}

/* The index of the first of n entries whose key is at least `code`, n if there is none. An entry has `size` bytes, with
 * its key, in ascending order, at `offset`. */
static inline size_t first_from(const void *table, size_t n, size_t size, size_t offset, uint32_t code)
{
  const char *key = (const char *)table + offset;
  size_t low = 0, high = n;
  while (low < high) {
    const size_t mid = low + (high - low) / 2;
    if (*(const uint32_t *)(const void *)(key + mid * size) < code)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

static bool is_in(const mn_code_range *range, size_t n, uint32_t code)
{
  const size_t at = first_from(range, n, sizeof *range, offsetof(mn_code_range, last), code);
  return at < n && range[at].first <= code;
}

bool mn_is_word(uint32_t code)
{
  if (code >= 0x80) return is_in(mn_word_ranges, mn_word_range_count, code);
  const uint32_t letter = code | 0x20;
  return (letter >= 'a' && letter <= 'z') || (code >= '0' && code <= '9') || code == '_';
}

bool mn_is_space(uint32_t code)
{
  if (code <= 0x20) return code == 0x20 || (code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x1f);
  return code == 0x85 || code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) || code == 0x2028 ||
         code == 0x2029 || code == 0x202f || code == 0x205f || code == 0x3000;
}

bool mn_is_mark(uint32_t code)
{
  return code >= 0x300 && is_in(mn_mark_ranges, mn_mark_range_count, code);
}

uint32_t mn_to_lower(uint32_t code)
{
  if (code < 0x80) return code >= 'A' && code <= 'Z' ? code + ('a' - 'A') : code;
  if (code == 0x130) return 'i';
  const size_t n = mn_lower_range_count;
  const size_t at = first_from(mn_lower_ranges, n, sizeof(mn_lower_range), offsetof(mn_lower_range, last), code);
  if (at == n) return code;
  const mn_lower_range *r = &mn_lower_ranges[at];
  const bool inside = r->first <= code && (code - r->first) % (uint32_t)r->step == 0;
  return inside ? (uint32_t)((int32_t)code + r->delta) : code;
}

/* The letter or digit of one of the mathematical alphabets of U+1D400 to U+1D7FF, such as bold A; NULL if it is none.
 * Greek letters are not converted. */
static const char *mathematical(uint32_t code)
{
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", digits[] = "0123456789";
  if (code >= 0x1d400 && code <= 0x1d6a3) return letters + (code - 0x1d400) % 52;
  if (code >= 0x1d7ce && code <= 0x1d7ff) return digits + (code - 0x1d7ce) % 10;
  return NULL;
}

size_t mn_without_accent(uint32_t code, const char **bytes)
{
  *bytes = mathematical(code);
  if (*bytes) return 1;
  const size_t n = mn_accent_count;
  const size_t at = first_from(mn_accents, n, sizeof(mn_accent), offsetof(mn_accent, code), code);
  if (at == n || mn_accents[at].code != code) return 0;
  *bytes = mn_accent_bytes + mn_accents[at].at;
  return mn_accents[at].size;
}
