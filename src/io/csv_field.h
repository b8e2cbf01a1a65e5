/* Tokenizing delimited text: the bounds of a field. */
#ifndef MN_IO_CSV_FIELD_H
#define MN_IO_CSV_FIELD_H
#include "decimal.h"
#include <stddef.h>

/* Special characters; 0: none (a table has no NUL byte). */
typedef struct mn_csv_dialect {
  char delimiter, quote, comment, decimal, newline;
  bool keep_blanks, strict;
  bool keep_empty_lines; /* of a table with one column, where an empty line is a missing value */
} mn_csv_dialect;

enum mn_csv_fault {
  MN_CSV_OK,
  MN_CSV_MISALIGNED, /* a guessed row start was wrong; this is not an error of the file */
  MN_CSV_TOO_FEW_FIELDS,
  MN_CSV_TOO_MANY_FIELDS,
  MN_CSV_OPEN_QUOTE,
  MN_CSV_AFTER_QUOTE,
  MN_CSV_NOT_NUMBER,
  MN_CSV_LONG_ROW
};

typedef struct mn_csv_field {
  const char *at; /* the value without quotes and blanks */
  size_t size;
  const char *next;     /* the delimiter, line end or `end` after the field */
  bool quoted, escaped; /* escaped: has doubled quotes */
} mn_csv_field;

static inline bool mn_is_blank(const mn_csv_dialect *d, char c)
{
  return (c == ' ' || c == '\t') && c != d->delimiter;
}

/* The first byte in p .. end-1 that is a or b; `end` if there is none. */
static inline const char *mn_find_either(const char *p, const char *end, char a, char b)
{
  const uint64_t ones = 0x0101010101010101u;
  const uint64_t as = ones * (unsigned char)a, bs = ones * (unsigned char)b;
  for (; end - p >= 8; p += 8) {
    const uint64_t x = mn_load8(p) ^ as, y = mn_load8(p) ^ bs;
    const uint64_t zeros = (((x - ones) & ~x) | ((y - ones) & ~y)) & 0x8080808080808080u;
    if (zeros) return p + (__builtin_ctzll(zeros) >> 3);
  }
  while (p < end && *p != a && *p != b) p++;
  return p;
}

static inline const char *mn_skip_blanks(const mn_csv_dialect *d, const char *p, const char *end)
{
  if (!d->keep_blanks)
    while (p < end && mn_is_blank(d, *p)) p++;
  return p;
}

/* Read a field whose opening quote is at p[-1]. */
static inline enum mn_csv_fault mn_quoted_field(const mn_csv_dialect *d, const char *p, const char *end,
                                                mn_csv_field *f)
{
  f->at = p;
  f->quoted = true;
  for (;;) {
    const char *quote = p < end ? memchr(p, d->quote, (size_t)(end - p)) : NULL;
    if (!quote) return MN_CSV_OPEN_QUOTE;
    p = quote + 1;
    if (p == end || *p != d->quote) break;
    f->escaped = true;
    p++;
  }
  f->size = (size_t)(p - 1 - f->at);
  p = mn_skip_blanks(d, p, end);
  if (p < end && *p == '\r' && (p + 1 == end || p[1] == d->newline)) p++;
  f->next = p;
  return p == end || *p == d->delimiter || *p == d->newline ? MN_CSV_OK : MN_CSV_AFTER_QUOTE;
}

/* Read the field at p. On a fault its position is f->at or, for MN_CSV_AFTER_QUOTE, f->next. */
static inline enum mn_csv_fault mn_read_field(const mn_csv_dialect *d, const char *p, const char *end, mn_csv_field *f)
{
  f->quoted = f->escaped = false;
  p = mn_skip_blanks(d, p, end);
  if (p < end && *p == d->quote) return mn_quoted_field(d, p + 1, end, f);
  const char *next = mn_find_either(p, end, d->delimiter, d->newline), *last = next;
  if (last > p && last[-1] == '\r' && (next == end || *next == d->newline)) last--;
  if (!d->keep_blanks)
    while (last > p && mn_is_blank(d, last[-1])) last--;
  f->at = p;
  f->size = (size_t)(last - p);
  f->next = next;
  return MN_CSV_OK;
}

/* Skip one comment or empty line; returns p if a row begins there. */
static inline const char *mn_skip_empty_line(const mn_csv_dialect *d, const char *p, const char *end)
{
  if (p == end) return p;
  if (*p == d->newline) return p + !d->keep_empty_lines;
  if (*p == '\r' && p + 1 < end && p[1] == d->newline) return d->keep_empty_lines ? p : p + 2;
  if (!d->comment || *p != d->comment) return p;
  const char *line_end = memchr(p, d->newline, (size_t)(end - p));
  return line_end ? line_end + 1 : end;
}

/* Skip empty lines and comments. */
static inline const char *mn_find_row(const mn_csv_dialect *d, const char *p, const char *end)
{
  for (;;) {
    const char *next = mn_skip_empty_line(d, p, end);
    if (next == p) return p;
    p = next;
  }
}

/* Skip the row at p. Returns `end` if the row has a fault. */
static inline const char *mn_skip_row(const mn_csv_dialect *d, const char *p, const char *end)
{
  mn_csv_field f;
  do {
    if (mn_read_field(d, p, end, &f) != MN_CSV_OK || f.next == end) return end;
    p = f.next + 1;
  } while (*f.next != d->newline);
  return p;
}

#endif
