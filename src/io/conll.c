#include "conll.h"
#include <string.h>

enum { POLL_EVERY = 1 << 14 };

struct cursor {
  const mn_conll *text;
  const char *next, *end; /* of the text */
  size_t line;            /* number of the line from `from` to `to` */
  const char *from, *to;
};

static struct cursor begin_lines(const mn_conll *t)
{
  static const char mark[] = "\xEF\xBB\xBF"; /* of UTF-8 */
  const size_t skip = t->size >= 3 && memcmp(t->bytes, mark, 3) == 0 ? 3 : 0;
  return (struct cursor){ .text = t, .next = t->bytes + skip, .end = t->bytes + t->size };
}

static bool next_line(struct cursor *c)
{
  if (c->next >= c->end) return false;
  const char *stop = memchr(c->next, '\n', (size_t)(c->end - c->next));
  c->from = c->next;
  c->to = stop ? stop : c->end;
  c->next = stop ? stop + 1 : c->end;
  if (c->to > c->from && c->to[-1] == '\r') c->to--;
  c->line++;
  return true;
}

static bool is_space(char c)
{
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_blank(const struct cursor *c)
{
  const char *at = c->from;
  while (at < c->to && is_space(*at)) at++;
  return at == c->to;
}

static bool is_comment(const struct cursor *c)
{
  const mn_conll *t = c->text;
  return t->comment && (size_t)(c->to - c->from) >= t->comment_size &&
         memcmp(c->from, t->comment, t->comment_size) == 0;
}

/* Where the next delimiter begins, or the end of the line. */
static const char *find_delimiter(const mn_conll *t, const char *at, const char *end)
{
  for (; at + t->delimiter_size <= end; at++)
    if (memcmp(at, t->delimiter, t->delimiter_size) == 0) return at;
  return end;
}

/* The next field of the line; false behind the last one. */
static bool next_field(const mn_conll *t, mn_conll_line *line, mn_label *field)
{
  const char *from = line->next, *to = from;
  if (!from) return false;
  if (t->delimiter) {
    to = find_delimiter(t, from, line->end);
    line->next = to < line->end ? to + t->delimiter_size : NULL;
  } else {
    while (from < line->end && is_space(*from)) from++;
    for (to = from; to < line->end && !is_space(*to);) to++;
    line->next = to;
    if (to == from) return false;
  }
  field->kind = MN_LABEL_TEXT;
  field->as.text.bytes = from;
  field->as.text.size = (size_t)(to - from);
  return true;
}

/* Files in UTF-16, and damaged ones, have zero bytes, which would end the text of a field in C. */
static mn_status refuse_zero_byte(mn_context *ctx, const mn_conll *t)
{
  struct cursor c = begin_lines(t);
  const char *zero = memchr(t->bytes, 0, t->size);
  if (!zero) return MN_OK;
  while (next_line(&c) && c.next <= zero) continue;
  return mn_fail(ctx, MN_BAD_FILE, "%s, line %zu: a zero byte at position %zu; the text must be UTF-8", t->label,
                 c.line, (size_t)(zero - c.from) + 1);
}

/* Moves to the next line with a token. *blank: there was a blank line before it. */
static bool next_token(struct cursor *c, bool *blank)
{
  *blank = false;
  while (next_line(c)) {
    if (is_blank(c))
      *blank = true;
    else if (!is_comment(c))
      return true;
  }
  return false;
}

mn_status mn_conll_measure(mn_context *ctx, mn_conll *t)
{
  struct cursor c = begin_lines(t);
  size_t first = 0;
  bool blank;
  t->rows = t->cols = t->sentences = 0;
  MN_TRY(refuse_zero_byte(ctx, t));
  while (next_token(&c, &blank)) {
    mn_conll_line line = { c.from, c.to };
    mn_label field;
    size_t cols = 0;
    while (next_field(t, &line, &field)) cols++;
    if (t->rows == 0) {
      t->cols = cols;
      first = c.line;
    } else if (cols != t->cols) {
      return mn_fail(ctx, MN_BAD_FILE, "%s, line %zu: there must be %zu columns, as in line %zu, got %zu", t->label,
                     c.line, t->cols, first, cols);
    }
    t->sentences += t->rows == 0 || blank;
    if (t->rows++ % POLL_EVERY == 0) MN_TRY(mn_poll(ctx));
  }
  return t->rows > 0 ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "%s has no tokens", t->label);
}

/* The lines of the tokens, and the rows of the sentences. */
static void list_tokens(const mn_conll *t, mn_conll_line *line, double *lengths)
{
  struct cursor c = begin_lines(t);
  size_t sentence = 0;
  bool blank;
  for (size_t i = 0; next_token(&c, &blank); i++) {
    line[i] = (mn_conll_line){ c.from, c.to };
    if (i > 0 && blank) sentence++;
    if (i == 0 || blank) lengths[sentence] = 0;
    lengths[sentence]++;
  }
}

mn_status mn_conll_read(mn_context *ctx, const mn_conll *t, mn_conll_line *line, mn_label *cell,
                        mn_factor *const *factor, double *lengths)
{
  list_tokens(t, line, lengths);
  for (size_t j = 0; j < t->cols; j++) {
    for (size_t i = 0; i < t->rows; i++) next_field(t, &line[i], &cell[i]);
    MN_TRY(mn_poll(ctx));
    factor[j]->levels = mn_levels_new(ctx, cell, t->rows, factor[j]->code);
    if (!factor[j]->levels) return mn_error_status(ctx);
  }
  return MN_OK;
}
