#include "csv_parts.h"
#include "bytes.h"
#include <stdio.h>

enum { SAMPLE_BYTES = 16 << 20 };

static const char *const missing_names[] = { "",     "NA",     "N/A",     "n/a",     "#N/A",    "#N/A N/A", "#NA",
                                             "NaN",  "nan",    "-NaN",    "-nan",    "NULL",    "null",     "None",
                                             "<NA>", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN" };

const mn_csv_names mn_csv_missing = { missing_names, sizeof missing_names / sizeof *missing_names };

mn_csv_options mn_csv_defaults(void)
{
  return (mn_csv_options){ .quote = '"', .decimal = '.', .strict = true };
}

/* Letters, digits and signs are part of numbers; blanks and line ends have their own meaning. */
static bool is_valid_mark(char c, bool delimiter)
{
  if (c == '\n' || c == '\r' || c == '+' || c == '-') return false;
  if (c == ' ' || c == '\t') return delimiter;
  return !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
}

static mn_status check_options(mn_context *ctx, const char *label, const mn_csv_options *o)
{
  enum { MARKS = 4 };
  const char *const name[MARKS] = { "delimiter", "quote", "comment", "decimal" };
  const char value[MARKS] = { o->delimiter, o->quote, o->comment, o->decimal };
  for (size_t i = 0; i < MARKS; i++) {
    if (!is_valid_mark(value[i], i == 0))
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must be a punctuation mark, got character %d", label, name[i],
                     (unsigned char)value[i]);
    for (size_t j = 0; j < i; j++)
      if (value[i] && value[i] == value[j])
        return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s and %s must differ, got '%c' for both", label, name[j], name[i],
                       value[i]);
  }
  if (!o->decimal) return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: decimal must be a punctuation mark, got none", label);
  return MN_OK;
}

static void index_missing(mn_csv_names names, struct mn_csv_missing_set *set)
{
  *set = (struct mn_csv_missing_set){ .names = names.at ? names : mn_csv_missing };
  for (size_t i = 0; i < set->names.size; i++) {
    const char *name = set->names.at[i];
    const size_t size = strlen(name);
    if (size > set->longest) set->longest = size;
    if (size == 0) set->empty = true;
    set->first[(unsigned char)name[0]] = true;
  }
}

bool mn_csv_is_missing(const struct mn_csv_missing_set *set, const mn_csv_field *f, bool numeric)
{
  if (f->size == 0) return numeric || set->empty;
  if ((f->quoted && !numeric) || f->size > set->longest || !set->first[(unsigned char)f->at[0]]) return false;
  for (size_t i = 0; i < set->names.size; i++)
    if (strlen(set->names.at[i]) == f->size && memcmp(set->names.at[i], f->at, f->size) == 0) return true;
  return false;
}

bool mn_csv_number(const struct mn_csv_layout *layout, const mn_csv_field *f, double *value, bool *whole)
{
  if (mn_csv_is_missing(&layout->missing, f, true)) {
    *value = __builtin_nan("");
    *whole = true;
    return true;
  }
  return mn_read_double(f->at, f->at + f->size, layout->dialect.decimal, value, whole) == f->at + f->size;
}

size_t mn_csv_unescape(const mn_csv_dialect *d, const mn_csv_field *f, char *to)
{
  size_t n = 0;
  for (size_t i = 0; i < f->size; i++) {
    to[n++] = f->at[i];
    if (f->escaped && f->at[i] == d->quote) i++;
  }
  return n;
}

mn_status mn_csv_fail(mn_context *ctx, const struct mn_csv_layout *layout, const char *at, const char *what)
{
  return mn_fail_at(ctx, layout->label, layout->file, at, layout->dialect.newline, what);
}

enum { MAX_SHOWN = 40 }; /* bytes of a value shown in a message */

const char *mn_csv_quote_field(mn_context *ctx, const struct mn_csv_layout *layout, const char *at)
{
  enum { SIZE = MAX_SHOWN + 64 };
  mn_csv_field f;
  size_t line, column;
  char *text = MN_RAW(ctx, char, SIZE, 1);
  if (!text) return NULL;
  if (mn_read_field(&layout->dialect, at, layout->end, &f) != MN_CSV_OK) f.size = 0;
  const bool cut = f.size > MAX_SHOWN;
  mn_find_position(layout->file, f.at, layout->dialect.newline, &line, &column);
  snprintf(text, SIZE, "%zu:%zu: \"%.*s%s\"", line, column, (int)(cut ? MAX_SHOWN : f.size), f.at, cut ? "..." : "");
  return text;
}

mn_status mn_csv_fail_value(mn_context *ctx, const struct mn_csv_layout *layout, const char *at, const char *what)
{
  char text[128];
  mn_csv_field f;
  if (mn_read_field(&layout->dialect, at, layout->end, &f) != MN_CSV_OK) f.size = 0;
  const bool cut = f.size > MAX_SHOWN;
  snprintf(text, sizeof text, "%s, got \"%.*s%s\"", what, (int)(cut ? MAX_SHOWN : f.size), f.at, cut ? "..." : "");
  return mn_csv_fail(ctx, layout, f.at, text);
}

/* The end of the sample from which the layout is detected. */
static const char *sample_end(const struct mn_csv_layout *l)
{
  return l->end - l->begin > SAMPLE_BYTES ? l->begin + SAMPLE_BYTES : l->end;
}

/* The number of fields per row that a delimiter gives in the first rows, up to `end`; 0 if rows differ. A row truncated
 * at `end` counts only if it is the first. */
static size_t count_consistent_fields(const struct mn_csv_layout *layout, const char *end, char delimiter)
{
  enum { SAMPLE_ROWS = 20 };
  const bool cut = end < layout->end;
  mn_csv_dialect d = layout->dialect;
  d.delimiter = delimiter;
  size_t expected = 0;
  const char *p = mn_find_row(&d, layout->begin, end);
  for (size_t row = 0; row < SAMPLE_ROWS && p < end; row++) {
    size_t fields = 0;
    for (bool more = true; more; fields++) {
      mn_csv_field f;
      const bool sound = mn_read_field(&d, p, end, &f) == MN_CSV_OK;
      if (cut && (!sound || f.next == end)) return row == 0 ? fields + 1 : expected;
      if (!sound) return 0;
      more = f.next < end && *f.next == delimiter;
      p = f.next < end ? f.next + 1 : f.next;
    }
    if (row == 0) expected = fields;
    if (fields != expected) return 0;
    p = mn_find_row(&d, p, end);
  }
  return expected;
}

/* The delimiter that gives the most fields wins; if none gives the same number of fields in all rows, the most frequent
 * candidate in the first line. Only the sample is read, since a line may be arbitrarily long. */
static char detect_delimiter(const struct mn_csv_layout *layout)
{
  const char *end = sample_end(layout);
  static const char candidates[] = ",;\t|";
  size_t best = 1, max_count = 0;
  char delimiter = ',', most_frequent = 0;
  for (const char *c = candidates; *c; c++) {
    if (*c == layout->dialect.decimal) continue;
    const size_t fields = count_consistent_fields(layout, end, *c);
    if (fields > best) {
      best = fields;
      delimiter = *c;
    }
    size_t count = 0;
    for (const char *p = layout->begin; p < end && *p != layout->dialect.newline; p++) count += *p == *c;
    if (count > max_count) {
      max_count = count;
      most_frequent = *c;
    }
  }
  return best == 1 && most_frequent ? most_frequent : delimiter;
}

/* Find the start of the rows, after a byte order mark and the lines to skip. */
static mn_status find_begin(mn_context *ctx, const char *bytes, size_t size, size_t skip, struct mn_csv_layout *l)
{
  l->file = l->begin = bytes;
  l->end = bytes + size;
  l->dialect.newline = size > 0 && !memchr(bytes, '\n', size) && memchr(bytes, '\r', size) ? '\r' : '\n';
  if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) l->begin += 3;
  if (size >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0))
    return mn_csv_fail(ctx, l, bytes, "text must be UTF-8, got UTF-16");
  for (; skip > 0 && l->begin < l->end; skip--) {
    const char *line_end = memchr(l->begin, l->dialect.newline, (size_t)(l->end - l->begin));
    l->begin = line_end ? line_end + 1 : l->end;
  }
  const size_t seen = (size_t)(sample_end(l) - l->begin);
  const char *nul = memchr(l->begin, '\0', seen);
  if (nul && !memchr(l->begin, l->dialect.newline, (size_t)(nul - l->begin))) /* before the line is scanned further */
    return mn_csv_fail(ctx, l, nul, "expected text, got a NUL byte");
  if (!l->dialect.delimiter) l->dialect.delimiter = detect_delimiter(l);
  l->begin = mn_find_row(&l->dialect, l->begin, l->end);
  if (l->begin == l->end)
    return mn_fail(ctx, MN_BAD_FILE, "%s: expected a table, got %s", l->label, size > 0 ? "no row" : "an empty file");
  return MN_OK;
}

static mn_status fail_field(mn_context *ctx, const struct mn_csv_layout *l, enum mn_csv_fault fault,
                            const mn_csv_field *f)
{
  return fault == MN_CSV_OPEN_QUOTE ? mn_csv_fail(ctx, l, f->at - 1, "a quote is opened here and never closed")
                                    : mn_csv_fail(ctx, l, f->next, "expected a delimiter after the closing quote");
}

/* Read the fields of the first row; *next_row is the start of the second. */
static mn_status read_first_row(mn_context *ctx, struct mn_csv_layout *l, mn_csv_field **fields, const char **next_row)
{
  mn_csv_field f;
  for (int counting = 1; counting >= 0; counting--) {
    const char *p = l->begin;
    size_t n = 0;
    for (;;) {
      const enum mn_csv_fault fault = mn_read_field(&l->dialect, p, l->end, &f);
      if (fault != MN_CSV_OK) return fail_field(ctx, l, fault, &f);
      if (!counting) (*fields)[n] = f;
      n++;
      if (f.next == l->end || *f.next == l->dialect.newline) break;
      p = f.next + 1;
    }
    l->cols = n;
    if (counting) *fields = MN_RAW(ctx, mn_csv_field, n, 1);
    MN_CHECK_ALLOC(*fields);
  }
  *next_row = f.next < l->end ? f.next + 1 : f.next;
  return MN_OK;
}

static bool is_header(const struct mn_csv_layout *l, mn_csv_header header, const mn_csv_field *fields)
{
  double value;
  bool whole;
  if (header != MN_CSV_HEADER_AUTO) return header == MN_CSV_HEADER_YES;
  for (size_t j = 0; j < l->cols; j++)
    if (fields[j].size > 0 && mn_csv_number(l, &fields[j], &value, &whole)) return false;
  return true;
}

/* A hash table of names with open addressing, so that a header of a million names is fast. */
struct name_table {
  struct mn_csv_layout *layout;
  size_t *slot, slot_count; /* 1 + column; a power of two, at least twice the columns */
  size_t *copies;           /* cols: number of repeats of the name that have been renamed */
};

static size_t *find_name(const struct name_table *t, const char *name)
{
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char *c = name; *c; c++) hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
  size_t i = (hash ^ hash >> 32) & (t->slot_count - 1);
  while (t->slot[i] && strcmp(t->layout->name[t->slot[i] - 1], name) != 0) i = (i + 1) & (t->slot_count - 1);
  return &t->slot[i];
}

static mn_status name_column(mn_context *ctx, struct name_table *t, size_t j, const mn_csv_field *f)
{
  enum { SUFFIX = 24 };
  if (f && f->size > (size_t)PTRDIFF_MAX - SUFFIX)
    return mn_fail(ctx, MN_BAD_FILE, "%s: a name is too long", t->layout->label);
  char *name = MN_RAW(ctx, char, (f ? f->size : 0) + SUFFIX, 1);
  MN_CHECK_ALLOC(name);
  size_t size = f ? mn_csv_unescape(&t->layout->dialect, f, name) : 0;
  name[size] = '\0';
  if (size == 0) size = (size_t)snprintf(name, SUFFIX, "column_%zu", j + 1);
  size_t *slot = find_name(t, name);
  if (*slot) {
    size_t *copies = &t->copies[*slot - 1];
    while (*slot) {
      snprintf(name + size, SUFFIX, "_%zu", ++*copies + 1);
      slot = find_name(t, name);
    }
  }
  t->layout->name[j] = name;
  *slot = j + 1;
  return MN_OK;
}

static mn_status name_columns(mn_context *ctx, struct name_table *t, const mn_csv_field *fields)
{
  struct mn_csv_layout *l = t->layout;
  t->slot_count = 4;
  while (t->slot_count / 2 < l->cols) t->slot_count *= 2;
  l->name = MN_NEW(ctx, const char *, l->cols, 1);
  t->slot = MN_NEW(ctx, size_t, t->slot_count, 1);
  t->copies = MN_NEW(ctx, size_t, l->cols, 1);
  if (!l->name || !t->slot || !t->copies) return MN_NO_MEMORY;
  for (size_t j = 0; j < l->cols; j++) {
    if (l->has_header && memchr(fields[j].at, '\0', fields[j].size))
      return mn_csv_fail(ctx, l, fields[j].at, "expected text, got a NUL byte");
    MN_TRY(name_column(ctx, t, j, l->has_header ? &fields[j] : NULL));
  }
  return MN_OK;
}

/* Find the column with a name that the caller passed as option `purpose`. */
static mn_status find_column(mn_context *ctx, const struct name_table *t, const char *name, const char *purpose,
                             size_t *column)
{
  const size_t slot = *find_name(t, name);
  if (slot == 0)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must name columns of the file, got '%s'; the first of %zu is '%s'",
                   t->layout->label, purpose, name, t->layout->cols, t->layout->name[0]);
  *column = slot - 1;
  return MN_OK;
}

static mn_status select_columns(mn_context *ctx, const struct name_table *t, const mn_csv_options *o)
{
  struct mn_csv_layout *l = t->layout;
  l->selected = o->select.at ? o->select.size : l->cols;
  l->kind = MN_NEW(ctx, unsigned char, l->cols, 1);
  l->order = MN_NEW(ctx, size_t, l->selected, 1);
  if (!l->kind || !l->order) return MN_NO_MEMORY;
  for (size_t i = 0; i < l->selected; i++) {
    l->order[i] = i;
    if (o->select.at) MN_TRY(find_column(ctx, t, o->select.at[i], "select", &l->order[i]));
    if (l->kind[l->order[i]] != MN_CSV_SKIP)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: select must name a column once, got '%s' twice", l->label,
                     o->select.at[i]);
    l->kind[l->order[i]] = MN_CSV_GUESSED;
  }
  return MN_OK;
}

static mn_status force_kinds(mn_context *ctx, const struct name_table *t, mn_csv_names names, enum mn_csv_kind kind,
                             const char *purpose)
{
  struct mn_csv_layout *l = t->layout;
  for (size_t i = 0; i < names.size; i++) {
    size_t j = 0;
    MN_TRY(find_column(ctx, t, names.at[i], purpose, &j));
    if (l->kind[j] == MN_CSV_NUMBER && kind == MN_CSV_TEXT)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: column '%s' must be number or factor, got both", l->label, names.at[i]);
    if (l->kind[j] != MN_CSV_SKIP) l->kind[j] = (unsigned char)kind;
  }
  return MN_OK;
}

/* The fields of the first rows of a column: how many are numbers, and how many are not (a repeated text, such as a mark
 * for missing values, counts once). */
struct sample {
  size_t numbers, texts;
  const char *at;    /* start of the first that is not a number */
  mn_csv_field text; /* the same */
};

static void sample_field(struct mn_csv_layout *l, size_t j, const char *at, const mn_csv_field *f, struct sample *s)
{
  double value;
  bool whole;
  if (l->kind[j] != MN_CSV_GUESSED && s->texts == 0) return;
  if (mn_csv_number(l, f, &value, &whole)) {
    s->numbers += value == value;
    return;
  }
  if (s->texts == 0)
    *s = (struct sample){ .numbers = s->numbers, .at = at, .text = *f };
  else if (f->size == s->text.size && memcmp(f->at, s->text.at, f->size) == 0)
    return;
  s->texts++;
  l->kind[j] = MN_CSV_FACTOR;
}

static void sample_rows(struct mn_csv_layout *l, struct sample *sample)
{
  enum { SAMPLE_ROWS = 100 };
  const char *p = l->begin;
  for (size_t row = 0; row < SAMPLE_ROWS; row++) {
    p = mn_find_row(&l->dialect, p, l->end);
    for (size_t j = 0; p < l->end; j++) {
      mn_csv_field f;
      if (mn_read_field(&l->dialect, p, l->end, &f) != MN_CSV_OK) return;
      if (j < l->cols) sample_field(l, j, p, &f, &sample[j]);
      p = f.next < l->end ? f.next + 1 : l->end;
      if (f.next == l->end || *f.next == l->dialect.newline) break;
    }
  }
}

/* Classify columns as factors if their first rows hold anything but numbers, which saves an attempt to parse them as
 * numbers. A single text among numbers, or few, may be a mistake. */
static mn_status guess_kinds(mn_context *ctx, struct mn_csv_layout *l)
{
  enum { NUMBERS_PER_MISTAKE = 10 };
  struct sample *sample = MN_NEW(ctx, struct sample, l->cols, 1);
  l->not_number = MN_NEW(ctx, const char *, l->cols, 1);
  if (!sample || !l->not_number) return MN_NO_MEMORY;
  sample_rows(l, sample);
  for (size_t j = 0; j < l->cols; j++) {
    const struct sample *s = &sample[j];
    const bool few = s->texts == 1 || s->numbers >= NUMBERS_PER_MISTAKE * s->texts;
    if (s->texts == 0 || s->numbers <= s->texts || !few) continue;
    l->not_number[j] = mn_csv_quote_field(ctx, l, s->at);
    MN_CHECK_ALLOC(l->not_number[j]);
  }
  return MN_OK;
}

/* In a table with one column an empty line is a missing value, except at the end of the file. */
static void keep_empty_lines(struct mn_csv_layout *l)
{
  l->dialect.keep_empty_lines = true;
  while (l->end > l->begin && (l->end[-1] == l->dialect.newline || l->end[-1] == '\r')) l->end--;
}

void mn_csv_limit_rows(struct mn_csv_layout *l, size_t max_rows)
{
  const char *p = l->begin;
  for (; max_rows > 0 && p < l->end; max_rows--)
    p = mn_skip_row(&l->dialect, mn_find_row(&l->dialect, p, l->end), l->end);
  l->end = p;
}

mn_status mn_csv_detect_layout(mn_context *ctx, const char *label, const char *bytes, size_t size,
                               const mn_csv_options *o, struct mn_csv_layout *l)
{
  mn_csv_field *fields = NULL;
  const char *next_row = NULL;
  struct name_table table = { .layout = l };
  *l = (struct mn_csv_layout){ .label = label,
                               .dialect = { .delimiter = o->delimiter,
                                            .quote = o->quote,
                                            .comment = o->comment,
                                            .decimal = o->decimal,
                                            .keep_blanks = o->keep_blanks,
                                            .strict = o->strict } };
  MN_TRY(check_options(ctx, label, o));
  index_missing(o->missing, &l->missing);
  MN_TRY(find_begin(ctx, bytes, size, o->skip, l));
  MN_TRY(read_first_row(ctx, l, &fields, &next_row));
  l->has_header = is_header(l, o->header, fields);
  MN_TRY(name_columns(ctx, &table, fields));
  MN_TRY(select_columns(ctx, &table, o));
  MN_TRY(force_kinds(ctx, &table, o->number, MN_CSV_NUMBER, "number"));
  MN_TRY(force_kinds(ctx, &table, o->factor, MN_CSV_TEXT, "factor"));
  if (l->has_header) l->begin = next_row;
  if (l->cols == 1) keep_empty_lines(l);
  if (o->max_rows > 0) mn_csv_limit_rows(l, o->max_rows);
  return guess_kinds(ctx, l);
}
