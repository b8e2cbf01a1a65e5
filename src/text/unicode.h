/* Characters of UTF-8 texts: decoding (of any bytes), letters, lower case, accents. Independent of the locale. */
#ifndef MN_TEXT_UNICODE_H
#define MN_TEXT_UNICODE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MN_REPLACEMENT = 0xfffd, MN_MAX_UTF8 = 4 };

/* The character at `at`, which is before `end`; *next is the place behind it. An invalid sequence, shortened as by
 * other decoders, or a zero byte is U+FFFD. */
uint32_t mn_utf8_decode(const char *at, const char *end, const char **next);

/* Write a character to at most MN_MAX_UTF8 bytes; returns their number. */
size_t mn_utf8_encode(uint32_t code, char *out);

/* Whether a byte continues a character. */
static inline bool mn_utf8_continues(char byte)
{
  return ((unsigned char)byte & 0xc0) == 0x80;
}

/* A letter, digit or underscore; white space; a combining mark. */
bool mn_is_word(uint32_t code);
bool mn_is_space(uint32_t code);
bool mn_is_mark(uint32_t code);

/* The lower case. U+0130 gives i without the dot above that follows it; see analyzer.c. */
uint32_t mn_to_lower(uint32_t code);

/* The compatibility decomposition of a character without its marks: its size and *bytes, or 0 if it is the character
 * itself. */
size_t mn_without_accent(uint32_t code, const char **bytes);

#endif
