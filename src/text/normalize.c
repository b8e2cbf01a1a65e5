#include "normalize.h"
#include "lower_kernel.h"
#include "unicode.h"

enum { LONGEST = 64, POLL_EVERY = 1 << 16 }; /* bytes of one normalized character */

static mn_status reserve(mn_context *ctx, mn_analysis *a, size_t size)
{
  if (size <= a->capacity) return MN_OK;
  if (size > SIZE_MAX / 4) return mn_fail(ctx, MN_BAD_DATA, "a document has %zu bytes", size);
  const size_t capacity = size > 2 * a->capacity ? size : 2 * a->capacity;
  char *bytes = MN_GROW(ctx, a->bytes, a->size, capacity);
  MN_CHECK_ALLOC(bytes);
  a->bytes = bytes;
  a->capacity = capacity;
  return MN_OK;
}

static void put(mn_analysis *a, uint32_t code)
{
  a->size += mn_utf8_encode(code, a->bytes + a->size);
}

/* Append a character without its accents; marks are dropped. */
static void put_plain(const mn_analyzer *an, uint32_t code, mn_analysis *a)
{
  const char *bytes;
  const size_t size = mn_without_accent(code, &bytes);
  if (mn_is_mark(code)) return;
  for (size_t i = 0; i < size; i++)
    if (an->strip == MN_STRIP_ACCENTS || (unsigned char)bytes[i] < 0x80) a->bytes[a->size++] = bytes[i];
  if (size == 0 && (an->strip == MN_STRIP_ACCENTS || code < 0x80)) put(a, code);
}

enum { SIGMA = 0x3a3, SMALL_SIGMA = 0x3c3, FINAL_SIGMA = 0x3c2, DOTTED_I = 0x130, DOT_ABOVE = 0x307 };

/* The lower case of a capital sigma depends on whether it ends a word. */
static uint32_t lower_sigma(uint32_t before, const char *next, const char *end)
{
  const bool follows = next < end && mn_is_word(mn_utf8_decode(next, end, &next));
  return mn_is_word(before) && !follows ? FINAL_SIGMA : SMALL_SIGMA;
}

static void normalize_character(const mn_analyzer *an, uint32_t code, mn_analysis *a)
{
  if (an->strip == MN_KEEP_ACCENTS)
    put(a, code);
  else
    put_plain(an, code, a);
}

static mn_status normalize_characters(mn_context *ctx, const mn_analyzer *an, const char *at, const char *end,
                                      mn_analysis *a)
{
  uint32_t before = ' ';
  for (size_t i = 1; at < end; i++) {
    const char *next;
    const uint32_t code = mn_utf8_decode(at, end, &next);
    uint32_t lower = an->lowercase ? mn_to_lower(code) : code;
    if (i % POLL_EVERY == 0) MN_TRY(mn_poll(ctx));
    MN_TRY(reserve(ctx, a, a->size + LONGEST));
    if (an->lowercase && code == SIGMA) lower = lower_sigma(before, next, end);
    normalize_character(an, lower, a);
    if (an->lowercase && code == DOTTED_I) normalize_character(an, DOT_ABOVE, a);
    before = code;
    at = next;
  }
  return MN_OK;
}

mn_status mn_normalize(mn_context *ctx, const mn_analyzer *an, const char *text, size_t size, mn_analysis *a)
{
  if (size > SIZE_MAX / 8) return mn_fail(ctx, MN_BAD_DATA, "a document has %zu bytes", size);
  a->size = 0;
  MN_TRY(reserve(ctx, a, size + LONGEST));
  a->bytes[0] = ' ';
  a->size = 1;
  if (mn_copy_ascii(size, text, an->lowercase, a->bytes + 1)) {
    a->size += size;
    return MN_OK;
  }
  return normalize_characters(ctx, an, text, text + size, a);
}
