#include "jsonl.h"
#include "../core/hash.h"
#include "bytes.h"
#include "decimal.h"
#include <math.h>
#include <string.h>

/* A value as read: null, or a label. */
struct cell {
  bool present;
  mn_label label;
};

struct column {
  const char *name; /* of the given size; any bytes but NUL */
  size_t size;
  struct cell *cell; /* for each row */
  size_t last;       /* 1 + the last row that set it */
};

struct reader {
  mn_context *ctx;
  const char *label, *begin, *at, *end;
  struct column *column;
  size_t columns, capacity;
  size_t *slot; /* 2 x capacity: a hash table of 1 + the column, with open addressing; 0: empty */
  size_t rows, max_rows;
};

static mn_status fail(struct reader *r, const char *at, const char *what)
{
  return mn_fail_at(r->ctx, r->label, r->begin, at, '\n', what);
}

static void skip_blanks(struct reader *r)
{
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r')) r->at++;
}

static bool accept(struct reader *r, char c)
{
  skip_blanks(r);
  if (r->at == r->end || *r->at != c) return false;
  r->at++;
  return true;
}

static int hex_digit(char c)
{
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/* The value of four hexadecimal digits at `at`, -1 if malformed. */
static int32_t read_unit(const char *at, const char *end)
{
  int32_t unit = 0;
  if (end - at < 4) return -1;
  for (int i = 0; i < 4; i++) {
    const int digit = hex_digit(at[i]);
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

static size_t put_utf8(int32_t c, char *out)
{
  if (c < 0x80) {
    out[0] = (char)c;
    return 1;
  }
  if (c < 0x800) {
    out[0] = (char)(0xc0 | c >> 6);
    out[1] = (char)(0x80 | (c & 0x3f));
    return 2;
  }
  if (c < 0x10000) {
    out[0] = (char)(0xe0 | c >> 12);
    out[1] = (char)(0x80 | (c >> 6 & 0x3f));
    out[2] = (char)(0x80 | (c & 0x3f));
    return 3;
  }
  out[0] = (char)(0xf0 | c >> 18);
  out[1] = (char)(0x80 | (c >> 12 & 0x3f));
  out[2] = (char)(0x80 | (c >> 6 & 0x3f));
  out[3] = (char)(0x80 | (c & 0x3f));
  return 4;
}

/* Decode the \uXXXX at *at, and the second one of a surrogate pair. Sets *at to NULL if malformed. */
static size_t unescape_unit(const char **at, const char *end, char *out)
{
  int32_t c = read_unit(*at, end);
  *at += 4;
  const bool first_half = c >= 0xd800 && c < 0xdc00;
  if (first_half) {
    const bool has_second = end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u';
    const int32_t second = has_second ? read_unit(*at + 2, end) : -1;
    c = second >= 0xdc00 && second < 0xe000 ? 0x10000 + ((c - 0xd800) << 10) + (second - 0xdc00) : -1;
    *at += 6;
  }
  if (c < 0 || (c >= 0xdc00 && c < 0xe000)) {
    *at = NULL;
    return 0;
  }
  return put_utf8(c, out);
}

/* Unescape the string contents from .. to; never longer than the input. *bad is the position of an invalid escape, or
 * NULL. */
static size_t unescape(const char *from, const char *to, char *out, const char **bad)
{
  static const char escape_codes[] = "\"\\/bfnrt", escape_values[] = "\"\\/\b\f\n\r\t";
  size_t size = 0;
  *bad = NULL;
  while (from < to) {
    if (*from != '\\') {
      out[size++] = *from++;
      continue;
    }
    const char *escape = from, *found = memchr(escape_codes, escape[1], sizeof escape_codes - 1);
    from += 2;
    if (found) {
      out[size++] = escape_values[found - escape_codes];
    } else if (escape[1] == 'u') {
      size += unescape_unit(&from, to, out + size);
      if (!from) *bad = escape;
    } else {
      *bad = escape;
    }
    if (*bad) return 0;
  }
  return size;
}

/* Read the string at r->at, which is a quote. */
static mn_status read_text(struct reader *r, const char **text, size_t *size)
{
  const char *first = ++r->at;
  bool escaped = false;
  while (r->at < r->end && *r->at != '"' && (unsigned char)*r->at >= ' ') {
    if (*r->at == '\\') {
      escaped = true;
      if (++r->at == r->end) break;
    }
    r->at++;
  }
  if (r->at >= r->end || *r->at != '"')
    return fail(r, r->at < r->end ? r->at : r->end, "a string has no closing quote");
  *text = first;
  *size = (size_t)(r->at++ - first);
  if (!escaped) return MN_OK;
  char *unescaped = MN_RAW(r->ctx, char, *size, 1);
  MN_CHECK_ALLOC(unescaped);
  const char *bad;
  *size = unescape(first, first + *size, unescaped, &bad);
  *text = unescaped;
  return bad ? fail(r, bad, "invalid escape in a string") : MN_OK;
}

static bool accept_word(struct reader *r, const char *word)
{
  const size_t size = strlen(word);
  if ((size_t)(r->end - r->at) < size || memcmp(r->at, word, size) != 0) return false;
  r->at += size;
  return true;
}

/* Integers keep their value up to 63 bits, because they may become labels. */
static mn_label number_label(const char *from, const char *to, double value, bool whole)
{
  const bool negative = *from == '-';
  int64_t integer = 0;
  for (const char *p = from + negative; whole && p < to; p++)
    whole = !__builtin_mul_overflow(integer, (int64_t)10, &integer) &&
            !__builtin_add_overflow(integer, (int64_t)(*p - '0'), &integer);
  if (!whole) return (mn_label){ .kind = MN_LABEL_FLOAT, .as.number = value };
  return (mn_label){ .kind = MN_LABEL_INTEGER, .as.integer = negative ? -integer : integer };
}

static mn_status read_number(struct reader *r, struct cell *cell)
{
  const char *from = r->at, *digit = from + (*from == '-');
  double value = 0;
  bool whole = false;
  const char *to =
      digit < r->end && *digit >= '0' && *digit <= '9' ? mn_read_double(from, r->end, '.', &value, &whole) : from;
  if (to == from) return fail(r, from, "expected a number, text, true, false or null");
  *cell = (struct cell){ .present = true, .label = number_label(from, to, value, whole) };
  r->at = to;
  return MN_OK;
}

static mn_status read_value(struct reader *r, struct cell *cell)
{
  skip_blanks(r);
  *cell = (struct cell){ .label = { .kind = MN_LABEL_BOOLEAN } };
  if (r->at == r->end || *r->at == '\n') return fail(r, r->at, "expected a value, got the end of the line");
  if (*r->at == '"') {
    cell->present = true;
    cell->label.kind = MN_LABEL_TEXT;
    return read_text(r, &cell->label.as.text.bytes, &cell->label.as.text.size);
  }
  if (*r->at == '{' || *r->at == '[')
    return fail(r, r->at, "expected a number, text, true, false or null, got an object or array");
  cell->present = true;
  if (accept_word(r, "true")) {
    cell->label.as.boolean = true;
    return MN_OK;
  }
  if (accept_word(r, "false")) return MN_OK;
  cell->present = false;
  if (accept_word(r, "null")) return MN_OK;
  return read_number(r, cell);
}

static bool is_named(const struct column *c, const char *name, size_t size)
{
  return c->size == size && memcmp(c->name, name, size) == 0;
}

/* The slot of a name: that of its column, or an empty one. */
static size_t *find_slot(const struct reader *r, const char *name, size_t size)
{
  const size_t slots = 2 * r->capacity;
  for (size_t s = (size_t)mn_hash_bytes(name, size) & (slots - 1);; s = (s + 1) & (slots - 1))
    if (r->slot[s] == 0 || is_named(&r->column[r->slot[s] - 1], name, size)) return &r->slot[s];
}

static mn_status enlarge(struct reader *r)
{
  const size_t capacity = r->capacity > 0 ? 2 * r->capacity : 16;
  struct column *larger = MN_RAW(r->ctx, struct column, capacity, 1);
  size_t *slot = MN_NEW(r->ctx, size_t, capacity, 2);
  if (!larger || !slot) return MN_NO_MEMORY;
  if (r->columns > 0) memcpy(larger, r->column, r->columns * sizeof *larger);
  r->column = larger;
  r->slot = slot;
  r->capacity = capacity;
  for (size_t j = 0; j < r->columns; j++) *find_slot(r, larger[j].name, larger[j].size) = j + 1;
  return MN_OK;
}

static mn_status add_column(struct reader *r, const char *name, size_t size, struct column **column)
{
  if (r->columns % 256 == 0) MN_TRY(mn_poll(r->ctx));
  if (r->columns == r->capacity) MN_TRY(enlarge(r));
  struct cell *cell = MN_NEW(r->ctx, struct cell, r->max_rows, 1);
  MN_CHECK_ALLOC(cell);
  *find_slot(r, name, size) = r->columns + 1;
  *column = &r->column[r->columns++];
  **column = (struct column){ .name = name, .size = size, .cell = cell };
  return MN_OK;
}

/* Rows usually have their keys in the same order, so the expected column is tried first. */
static struct column *find_column(const struct reader *r, size_t expected, const char *name, size_t size)
{
  if (expected < r->columns && is_named(&r->column[expected], name, size)) return &r->column[expected];
  if (r->columns == 0) return NULL;
  const size_t found = *find_slot(r, name, size);
  return found > 0 ? &r->column[found - 1] : NULL;
}

static mn_status read_pair(struct reader *r, size_t *expected)
{
  const char *name;
  size_t size;
  skip_blanks(r);
  const char *from = r->at;
  if (r->at == r->end || *r->at != '"') return fail(r, r->at, "expected a key in quotes");
  MN_TRY(read_text(r, &name, &size));
  if (memchr(name, '\0', size)) return fail(r, from, "a key must not hold a NUL");
  struct column *column = find_column(r, *expected, name, size);
  if (!column) MN_TRY(add_column(r, name, size, &column));
  if (column->last == r->rows + 1) return fail(r, from, "duplicate key");
  column->last = r->rows + 1;
  *expected = (size_t)(column - r->column) + 1;
  if (!accept(r, ':')) return fail(r, r->at, "expected ':' after a key");
  return read_value(r, &column->cell[r->rows]);
}

static mn_status read_row(struct reader *r)
{
  size_t expected = 0;
  if (!accept(r, '{')) return fail(r, r->at, "a row must be an object, { \"key\": value, ... }");
  if (!accept(r, '}')) {
    do MN_TRY(read_pair(r, &expected));
    while (accept(r, ','));
    if (!accept(r, '}')) return fail(r, r->at, "expected ',' or '}'");
  }
  skip_blanks(r);
  if (r->at < r->end && *r->at != '\n') return fail(r, r->at, "unexpected text after the object");
  r->rows++;
  return MN_OK;
}

static size_t count_lines(const char *at, const char *end)
{
  size_t lines = at < end;
  while (at < end && (at = memchr(at, '\n', (size_t)(end - at)))) {
    lines++;
    at++;
  }
  return lines;
}

static mn_status read_rows(struct reader *r)
{
  if (r->end - r->at >= 3 && memcmp(r->at, "\xef\xbb\xbf", 3) == 0) r->begin = r->at += 3;
  r->max_rows = count_lines(r->at, r->end);
  while (r->at < r->end) {
    skip_blanks(r);
    if (r->at < r->end && *r->at != '\n') MN_TRY(read_row(r));
    if (r->at < r->end) r->at++;
    if (r->rows % 1024 == 0) MN_TRY(mn_poll(r->ctx));
  }
  return MN_OK;
}

static bool is_numeric(const struct column *c, size_t rows)
{
  for (size_t i = 0; i < rows; i++) {
    const mn_label_kind kind = c->cell[i].label.kind;
    if (c->cell[i].present && kind != MN_LABEL_INTEGER && kind != MN_LABEL_FLOAT) return false;
  }
  return true;
}

static mn_status finish_numbers(struct reader *r, const struct column *c, mn_column *out)
{
  out->kind = MN_COLUMN_NUMBER;
  MN_TRY(mn_vector_init(r->ctx, &out->number, r->rows));
  out->whole = true;
  for (size_t i = 0; i < r->rows; i++) {
    const struct cell *cell = &c->cell[i];
    const bool integer = cell->label.kind == MN_LABEL_INTEGER;
    out->number.at[i] = !cell->present ? (double)NAN : integer ? (double)cell->label.as.integer : cell->label.as.number;
    out->missing += !cell->present;
    if (!cell->present) continue;
    out->whole = out->whole && integer;
    out->overflowed = out->overflowed || isinf(out->number.at[i]);
    const int64_t max_exact = (int64_t)1 << 53;
    const int64_t n = integer ? cell->label.as.integer : 0;
    out->rounded = out->rounded || n > max_exact || n < -max_exact;
  }
  out->whole = out->whole && out->missing < r->rows;
  return MN_OK;
}

static mn_status finish_labels(struct reader *r, const struct column *c, mn_column *out)
{
  mn_label *label = MN_RAW(r->ctx, mn_label, r->rows, 1);
  int32_t *code = MN_RAW(r->ctx, int32_t, r->rows, 1);
  size_t n = 0;
  if (!label || !code) return MN_NO_MEMORY;
  for (size_t i = 0; i < r->rows; i++)
    if (c->cell[i].present) label[n++] = c->cell[i].label;
  const mn_levels *levels = mn_levels_new(r->ctx, label, n, code);
  MN_CHECK_ALLOC(levels);
  out->kind = MN_COLUMN_FACTOR;
  const mn_status status = mn_factor_init(r->ctx, &out->factor, r->rows, levels);
  mn_levels_release(mn_context_memory(r->ctx), levels);
  MN_TRY(status);
  out->missing = r->rows - n;
  for (size_t i = 0, k = 0; i < r->rows; i++) out->factor.code[i] = c->cell[i].present ? code[k++] : -1;
  return MN_OK;
}

static mn_status finish_columns(struct reader *r, mn_columns *out)
{
  MN_TRY(mn_columns_init(r->ctx, out, r->columns, r->rows));
  for (size_t j = 0; j < r->columns; j++) {
    const struct column *c = &r->column[j];
    const mn_mark mark = mn_scratch_mark(r->ctx);
    MN_TRY(mn_column_name(r->ctx, &out->at[j], c->name, c->size));
    MN_TRY(is_numeric(c, r->rows) ? finish_numbers(r, c, &out->at[j]) : finish_labels(r, c, &out->at[j]));
    mn_scratch_release(r->ctx, mark);
  }
  return MN_OK;
}

static mn_status read_bytes(mn_context *ctx, const mn_bytes *b, const char *label, mn_columns *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct reader r = { .ctx = ctx, .label = label, .begin = b->at, .at = b->at, .end = b->at + b->size };
  mn_status status = read_rows(&r);
  if (status == MN_OK) status = finish_columns(&r, out);
  mn_scratch_release(ctx, mark);
  if (status != MN_OK) mn_columns_free(mn_context_memory(ctx), out);
  return status;
}

mn_status mn_read_jsonl(mn_context *ctx, const char *path, mn_columns *out)
{
  mn_bytes bytes;
  *out = (mn_columns){ 0 };
  MN_TRY(mn_bytes_open(ctx, path, &bytes));
  const mn_status status = read_bytes(ctx, &bytes, path, out);
  mn_bytes_close(mn_context_memory(ctx), &bytes);
  return status;
}

mn_status mn_parse_jsonl(mn_context *ctx, const char *bytes, size_t size, const char *label, mn_columns *out)
{
  mn_bytes b;
  *out = (mn_columns){ 0 };
  MN_TRY(mn_bytes_wrap(ctx, bytes, size, label, &b));
  const mn_status status = read_bytes(ctx, &b, label, out);
  mn_bytes_close(mn_context_memory(ctx), &b);
  return status;
}
