#include "template.h"
#include "../text/unicode.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OFFSET = 1000000, MAX_CHARACTERS = 1000 };

struct parser {
  mn_context *ctx;
  const char *who, *at;
  bool transitions, of_transition; /* the model has them; the line is of them */
  size_t line, unnamed, columns;   /* unnamed: the first line of a token that begins with a macro, 0 for none */
  const char *const *names;
  mn_template_piece *piece;
  size_t pieces, capacity;
};

static mn_status refuse(const struct parser *p, const char *what)
{
  return mn_fail(p->ctx, MN_BAD_ARGUMENT, "%s: template, line %zu: %s, got '%.40s'", p->who, p->line, what, p->at);
}

static mn_status add_piece(struct parser *p, mn_template_piece piece)
{
  if (p->pieces == p->capacity) {
    const size_t capacity = 2 * p->capacity + 16;
    mn_template_piece *grown = MN_GROW(p->ctx, p->piece, p->pieces, capacity);
    MN_CHECK_ALLOC(grown);
    p->piece = grown;
    p->capacity = capacity;
  }
  piece.of_transition = p->of_transition;
  p->piece[p->pieces++] = piece;
  return MN_OK;
}

/* A column by its number from 0, as in CRF++, or by its name, up to `end`. */
static mn_status find_column(const struct parser *p, const char *end, size_t *column)
{
  const size_t size = (size_t)(end - p->at);
  for (size_t j = 0; p->names && j < p->columns; j++)
    if (strlen(p->names[j]) == size && memcmp(p->names[j], p->at, size) == 0) {
      *column = j;
      return MN_OK;
    }
  char *stop;
  const long number = strtol(p->at, &stop, 10);
  if (size == 0 || stop != end) return refuse(p, "no column of X has this name");
  if (number < 0 || (size_t)number >= p->columns)
    return mn_fail(p->ctx, MN_BAD_ARGUMENT, "%s: template, line %zu: X has the columns 0 to %zu, got %ld", p->who,
                   p->line, p->columns - 1, number);
  *column = (size_t)number;
  return MN_OK;
}

static bool takes_number(enum mn_macro_kind kind)
{
  return kind == MN_MACRO_PREFIX || kind == MN_MACRO_SUFFIX;
}

/* The macro at p->at, "%x[row,column]"; moves behind it. */
static mn_status read_macro(struct parser *p, mn_template_piece *out)
{
  static const char kinds[] = "xlpsw";
  const char *kind = p->at[1] ? strchr(kinds, p->at[1]) : NULL;
  if (!kind || p->at[2] != '[') return refuse(p, "macros are %x[row,column], %l, %w, %p[row,column,n] and %s");
  out->kind = (enum mn_macro_kind)(kind - kinds);
  const char *macro = p->at, *close = strpbrk(macro, "]\n");
  if (!close || *close != ']') return refuse(p, "a macro must end with ]");
  char *stop;
  const long offset = strtol(macro + 3, &stop, 10);
  if (stop == macro + 3 || *stop != ',' || labs(offset) > MAX_OFFSET)
    return refuse(p, "a macro must have a row, relative to the token, and a column");
  out->offset = offset;
  p->at = stop + 1;
  const char *end = takes_number(out->kind) ? memchr(p->at, ',', (size_t)(close - p->at)) : close;
  if (!end) return refuse(p, "%p and %s must have a number of characters, as in %s[0,form,3]");
  MN_TRY(find_column(p, end, &out->column));
  if (takes_number(out->kind)) {
    const long n = strtol(end + 1, &stop, 10);
    if (stop != close || n < 1 || n > MAX_CHARACTERS) return refuse(p, "the number of characters must be 1 to 1000");
    out->characters = (size_t)n;
  }
  p->at = close + 1;
  return MN_OK;
}

bool mn_is_of_transition(const char *line, size_t size)
{
  size_t i = 1;
  if (size == 0 || line[0] != 'B') return false;
  while (i < size && isdigit((unsigned char)line[i])) i++;
  return i == size || line[i] == ':' || line[i] == '%';
}

static mn_status read_line(struct parser *p, const char *end)
{
  const size_t size = (size_t)(end - p->at);
  p->of_transition = mn_is_of_transition(p->at, size);
  if (p->of_transition && !memchr(p->at, '%', size)) return MN_OK; /* transitions are always there */
  if (p->of_transition && !p->transitions)
    return refuse(p, "only models of sequences, such as CRF, have features of transitions (B); write a U line");
  if (!p->of_transition && *p->at == '%' && p->unnamed == 0) p->unnamed = p->line;
  const char *begin = p->at;
  while (p->at < end) {
    if (*p->at != '%') {
      p->at++;
      continue;
    }
    mn_template_piece piece = { .bytes = begin, .size = (size_t)(p->at - begin) };
    MN_TRY(read_macro(p, &piece));
    MN_TRY(add_piece(p, piece));
    begin = p->at;
  }
  return add_piece(
      p, (mn_template_piece){ .bytes = begin, .size = (size_t)(end - begin), .column = SIZE_MAX, .ends_line = true });
}

mn_status mn_template_parse(mn_context *ctx, const char *who, bool transitions, const char *text, size_t columns,
                            const char *const *names, mn_template *out)
{
  struct parser p = {
    .ctx = ctx, .who = who, .at = text, .transitions = transitions, .columns = columns, .names = names
  };
  while (*p.at) {
    const char *stop = p.at + strcspn(p.at, "\n"), *end = stop;
    p.line++;
    while (p.at < end && isspace((unsigned char)*p.at)) p.at++;
    while (end > p.at && isspace((unsigned char)end[-1])) end--;
    if (p.at < end && *p.at != '#') MN_TRY(read_line(&p, end));
    p.at = *stop ? stop + 1 : stop;
  }
  if (p.pieces == 0)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: template must have features, as in U00:%%x[0,0], got none", who);
  *out = (mn_template){ .piece = p.piece, .pieces = p.pieces };
  for (size_t i = 0; i < p.pieces; i++) out->has_transition_features |= p.piece[i].of_transition;
  if (out->has_transition_features && p.unnamed > 0) /* its text could begin with B: as well */
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: template, line %zu: in a template with features of transitions (B), features of tokens must "
                   "begin with a name, as in U01:%%x[0,0], got a macro",
                   who, p.unnamed);
  return MN_OK;
}

/* --- what a macro takes --- */

static mn_status append_lower(mn_context *ctx, const char *text, size_t size, mn_analysis *a)
{
  char bytes[MN_MAX_UTF8];
  for (const char *at = text, *end = text + size; at < end;) {
    const uint32_t code = mn_to_lower(mn_utf8_decode(at, end, &at));
    MN_TRY(mn_append_to_term(ctx, a, bytes, mn_utf8_encode(code, bytes)));
  }
  return MN_OK;
}

/* X, x or 0 for a capital, another letter or a digit; else the character. */
static uint32_t shape_of(uint32_t code)
{
  if (code >= '0' && code <= '9') return '0';
  if (code == '_' || !mn_is_word(code)) return code;
  return mn_to_lower(code) != code ? 'X' : 'x';
}

static mn_status append_shape(mn_context *ctx, const char *text, size_t size, mn_analysis *a)
{
  char bytes[MN_MAX_UTF8];
  uint32_t last = 0;
  for (const char *at = text, *end = text + size; at < end;) {
    const uint32_t shape = shape_of(mn_utf8_decode(at, end, &at));
    if (shape != last) MN_TRY(mn_append_to_term(ctx, a, bytes, mn_utf8_encode(shape, bytes)));
    last = shape;
  }
  return MN_OK;
}

/* The bytes of the first n characters. */
static size_t prefix_size(const char *text, size_t size, size_t n)
{
  size_t i = 0;
  for (; n > 0 && i < size; n--)
    for (i++; i < size && mn_utf8_continues(text[i]);) i++;
  return i;
}

/* Where the last n characters begin. */
static size_t suffix_begin(const char *text, size_t size, size_t n)
{
  size_t i = size;
  for (; n > 0 && i > 0; n--)
    for (i--; i > 0 && mn_utf8_continues(text[i]);) i--;
  return i;
}

mn_status mn_template_append(mn_context *ctx, const mn_template_piece *piece, const char *text, size_t size,
                             mn_analysis *a)
{
  switch (piece->kind) {
  case MN_MACRO_LOWER: return append_lower(ctx, text, size, a);
  case MN_MACRO_SHAPE: return append_shape(ctx, text, size, a);
  case MN_MACRO_PREFIX: return mn_append_to_term(ctx, a, text, prefix_size(text, size, piece->characters));
  case MN_MACRO_SUFFIX: {
    const size_t begin = suffix_begin(text, size, piece->characters);
    return mn_append_to_term(ctx, a, text + begin, size - begin);
  }
  case MN_MACRO_TEXT: break;
  }
  return mn_append_to_term(ctx, a, text, size);
}
