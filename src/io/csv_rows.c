#include "csv_parts.h"
#include "bytes.h"
#include "csv_text.h"
#include "../core/threads.h"
#include <math.h>
#include <stdio.h>

/* State of parsing one chunk. */
struct parser {
  const struct mn_csv_pass *pass;
  struct mn_csv_chunk *chunk;
  struct mn_csv_column_stats *stats; /* cols */
  unsigned char *kind; /* cols; a column that turns out not to be numeric is skipped in the rest of the chunk */
  const char
      *limit; /* a field that extends beyond it means a wrong row start; the end of the file if row starts are exact */
};

struct parse_work {
  const struct mn_csv_pass *pass;
  unsigned char *kind;                  /* workers x cols */
  struct mn_csv_text_table *text_table; /* workers */
  bool exact;
};

/* Codes hold offsets, -1 and MN_CSV_REPEAT. */
static const ptrdiff_t max_offset = INT32_MAX - 1;

static enum mn_csv_fault store_number(struct parser *p, size_t col, const char *begin, const mn_csv_field *f,
                                      size_t row)
{
  struct mn_csv_column_stats *stats = &p->stats[col];
  double value;
  bool whole;
  if (!f->escaped && mn_csv_number(p->pass->layout, f, &value, &whole)) {
    p->pass->number[col][row] = value;
    stats->missing += value != value;
    stats->not_whole |= !whole && value == value;
    stats->rounded |= whole && isfinite(value) && fabs(value) >= 0x1p53; /* also 2^53 + 1, which rounds to 2^53 */
    stats->overflowed |= mn_is_overflow(value, f->at + f->size);
    return MN_CSV_OK;
  }
  if (p->kind[col] == MN_CSV_NUMBER) return MN_CSV_NOT_NUMBER;
  stats->not_number = begin;
  p->kind[col] = MN_CSV_SKIP;
  return MN_CSV_OK;
}

static enum mn_csv_fault store_text(struct parser *p, size_t col, const char *begin, const mn_csv_field *f, size_t row)
{
  const ptrdiff_t offset = begin - p->chunk->row;
  const bool missing = mn_csv_is_missing(&p->pass->layout->missing, f, false);
  if (offset > max_offset) return MN_CSV_LONG_ROW;
  p->pass->code[col][row] = missing ? -1 : (int32_t)offset;
  p->stats[col].missing += missing;
  return MN_CSV_OK;
}

/* Read the field at `begin`; *next is its end, or the position of a fault. */
static enum mn_csv_fault read_field(const struct parser *p, const char *begin, mn_csv_field *f, const char **next)
{
  const bool exact_limit = p->limit == p->pass->layout->end;
  const enum mn_csv_fault fault = mn_read_field(&p->pass->layout->dialect, begin, p->limit, f);
  *next = fault == MN_CSV_OPEN_QUOTE ? f->at - 1 : f->next;
  if (fault == MN_CSV_OPEN_QUOTE) return exact_limit ? fault : MN_CSV_MISALIGNED;
  return f->next < p->limit || exact_limit ? fault : MN_CSV_MISALIGNED;
}

/* The same, and store its value. */
static enum mn_csv_fault store_field(struct parser *p, size_t col, const char *begin, size_t row, const char **next)
{
  mn_csv_field f = { .size = 0 };
  enum mn_csv_fault fault = read_field(p, begin, &f, next);
  if (fault != MN_CSV_OK) return fault;
  switch ((enum mn_csv_kind)p->kind[col]) {
  case MN_CSV_SKIP: break;
  case MN_CSV_GUESSED:
  case MN_CSV_NUMBER: fault = store_number(p, col, begin, &f, row); break;
  case MN_CSV_TEXT:
  case MN_CSV_BOOLEAN:
  case MN_CSV_FACTOR: fault = store_text(p, col, begin, &f, row); break;
  }
  if (fault == MN_CSV_NOT_NUMBER) *next = begin;
  return fault;
}

/* Store missing values for the absent fields of a short row. */
static void store_missing(struct parser *p, size_t col, size_t row)
{
  for (; col < p->pass->layout->cols; col++) {
    if (p->kind[col] == MN_CSV_SKIP) continue;
    if (p->pass->number[col]) p->pass->number[col][row] = __builtin_nan("");
    if (p->pass->code[col]) p->pass->code[col][row] = -1;
    p->stats[col].missing++;
  }
}

/* Skip the fields after the last column, from the delimiter at `at`; they must be well-formed. */
static enum mn_csv_fault skip_extra_fields(struct parser *p, const char *at, const char **row_end)
{
  *row_end = at;
  while (*row_end < p->limit && **row_end != p->pass->layout->dialect.newline) {
    mn_csv_field f;
    const enum mn_csv_fault fault = read_field(p, *row_end + 1, &f, row_end);
    if (fault != MN_CSV_OK) return fault;
  }
  return MN_CSV_OK;
}

/* The end of the field at `at` if it is a plain number, quoted or not; NULL otherwise. */
static inline const char *fast_number_field(const mn_csv_dialect *d, const char *at, const char *limit,
                                            mn_decimal *decimal)
{
  enum { QUOTES_AND_LINE_END = 4 };
  if (limit - at <= MN_QUICK_BYTES + QUOTES_AND_LINE_END) return NULL;
  const bool quoted = *at == d->quote;
  const char *next = mn_quick_decimal(at + quoted, d->decimal, decimal);
  if (!next || (quoted && *next++ != d->quote)) return NULL;
  next += *next == '\r' && next[1] == d->newline;
  return *next == d->delimiter || *next == d->newline ? next : NULL;
}

/* Store the fields of a row. *row_end: the end of the row, or the position of a fault. In most files nearly all fields
 * are numbers that take the fast path of this loop. */
static enum mn_csv_fault parse_row(struct parser *p, const char *at, size_t row, const char **row_end, size_t *fields)
{
  const mn_csv_dialect d = p->pass->layout->dialect;
  const size_t cols = p->pass->layout->cols;
  const unsigned char *kind = p->kind;
  for (size_t j = 0;; at++) {
    const bool numeric = kind[j] == MN_CSV_GUESSED || kind[j] == MN_CSV_NUMBER;
    mn_decimal decimal;
    const char *next = numeric ? fast_number_field(&d, at, p->limit, &decimal) : NULL;
    if (next && mn_quick_value(&decimal, &p->pass->number[j][row])) {
      p->stats[j].not_whole |= !decimal.whole;
      p->stats[j].rounded |= decimal.whole && decimal.digits > (uint64_t)1 << 53;
    } else {
      const enum mn_csv_fault fault = store_field(p, j, at, row, &next);
      if (fault != MN_CSV_OK) {
        *row_end = next;
        return fault;
      }
    }
    at = *row_end = next;
    j++;
    if (at == p->limit || *at == d.newline) {
      *fields = j;
      if (j == cols) return MN_CSV_OK;
      if (d.strict) return MN_CSV_TOO_FEW_FIELDS;
      store_missing(p, j, row);
      return MN_CSV_OK;
    }
    if (j == cols) {
      if (d.strict) return MN_CSV_TOO_MANY_FIELDS;
      return skip_extra_fields(p, at, row_end);
    }
  }
}

static size_t count_fields(const struct parser *p, const char *at)
{
  size_t fields = 1;
  mn_csv_field f;
  const struct mn_csv_layout *l = p->pass->layout;
  while (mn_read_field(&l->dialect, at, l->end, &f) == MN_CSV_OK && f.next < l->end && *f.next != l->dialect.newline) {
    fields++;
    at = f.next + 1;
  }
  return fields;
}

static void parse_chunk_rows(struct parser *p)
{
  const struct mn_csv_layout *l = p->pass->layout;
  struct mn_csv_chunk *c = p->chunk;
  const char *at = c->row;
  c->rows = 0;
  c->fault = MN_CSV_OK;
  while (at <= c->to && at < l->end) {
    const char *row_end = mn_skip_empty_line(&l->dialect, at, l->end);
    if (row_end > at) {
      at = row_end;
      continue;
    }
    c->fault = c->rows < c->max_rows ? parse_row(p, at, c->base + c->rows, &row_end, &c->fields) : MN_CSV_MISALIGNED;
    c->fault_at = row_end;
    if (c->fault == MN_CSV_TOO_MANY_FIELDS) c->fields = count_fields(p, at);
    if (c->fault != MN_CSV_OK) break;
    c->rows++;
    at = row_end < l->end ? row_end + 1 : row_end;
  }
  c->next_row = at;
}

/* Limit a chunk with a guessed row start to the next chunk, since a misinterpreted quote could extend to the end of the
 * file. */
static const char *chunk_limit(const struct parse_work *work, const struct mn_csv_chunk *c)
{
  const char *end = work->pass->layout->end;
  const size_t size = (size_t)(c->to - c->from);
  return work->exact || (size_t)(end - c->to) <= size ? end : c->to + size;
}

static void parse_chunk(void *user, size_t block, size_t worker)
{
  const struct parse_work *work = user;
  const struct mn_csv_layout *l = work->pass->layout;
  struct mn_csv_chunk *c = &work->pass->chunks->at[block];
  if (!c->row) return;
  struct parser p = { .pass = work->pass,
                      .chunk = c,
                      .stats = work->pass->stats + block * l->cols,
                      .kind = work->kind + worker * l->cols,
                      .limit = chunk_limit(work, c) };
  memcpy(p.kind, work->pass->kind, l->cols);
  memset(p.stats, 0, l->cols * sizeof *p.stats);
  parse_chunk_rows(&p);
  if (c->fault != MN_CSV_OK) return;
  for (size_t j = 0; j < l->cols; j++)
    if (work->pass->code[j] && p.kind[j] != MN_CSV_SKIP)
      p.stats[j].distinct = mn_csv_intern_texts(&l->dialect, c->row, l->end, &work->text_table[worker], c->rows,
                                                work->pass->code[j] + c->base);
  if (l->mapped) mn_bytes_release_pages(c->from, c->to);
}

static mn_status allocate_workers(mn_context *ctx, struct parse_work *work)
{
  const struct mn_csv_chunks *chunks = work->pass->chunks;
  const size_t workers = mn_threads(ctx);
  size_t max_rows = 0;
  for (size_t i = 0; i < chunks->size; i++)
    if (chunks->at[i].max_rows > max_rows) max_rows = chunks->at[i].max_rows;
  work->kind = MN_RAW(ctx, unsigned char, workers, work->pass->layout->cols);
  work->text_table = MN_NEW(ctx, struct mn_csv_text_table, workers, 1);
  if (!work->kind || !work->text_table) return MN_NO_MEMORY;
  bool any_text = false;
  for (size_t j = 0; j < work->pass->layout->cols; j++) any_text |= work->pass->code[j] != NULL;
  for (size_t i = 0; any_text && i < workers && i < chunks->size; i++) {
    work->text_table[i].text = MN_RAW(ctx, struct mn_csv_text, max_rows, 1);
    work->text_table[i].slot = MN_RAW(ctx, uint32_t, mn_csv_slot_count(max_rows), 1);
    if (!work->text_table[i].text || !work->text_table[i].slot) return MN_NO_MEMORY;
  }
  return MN_OK;
}

/* Check that each chunk ends where the next one begins: since the first row start is right, all are then right. */
static bool chunks_align(const struct mn_csv_layout *l, const struct mn_csv_chunks *chunks, size_t *valid)
{
  const char *expected = l->begin;
  *valid = 0;
  for (; *valid < chunks->size; ++*valid) {
    const struct mn_csv_chunk *c = &chunks->at[*valid];
    if (!c->row) continue;
    if (c->row != expected || c->fault == MN_CSV_MISALIGNED) return false;
    if (c->fault != MN_CSV_OK) return true;
    expected = c->next_row;
  }
  return expected == l->end;
}

static mn_status fail_chunk(mn_context *ctx, const struct mn_csv_layout *l, const struct mn_csv_chunk *c)
{
  char text[128];
  switch (c->fault) {
  case MN_CSV_TOO_FEW_FIELDS:
  case MN_CSV_TOO_MANY_FIELDS:
    snprintf(text, sizeof text, "row has %zu field%s, the %s has %zu", c->fields, c->fields == 1 ? "" : "s",
             l->has_header ? "header" : "first row", l->cols);
    return mn_csv_fail(ctx, l, c->fault_at, text);
  case MN_CSV_OPEN_QUOTE: return mn_csv_fail(ctx, l, c->fault_at, "a quote is opened here and never closed");
  case MN_CSV_AFTER_QUOTE: return mn_csv_fail(ctx, l, c->fault_at, "expected a delimiter after the closing quote");
  case MN_CSV_NOT_NUMBER: return mn_csv_fail_value(ctx, l, c->fault_at, "expected a number");
  case MN_CSV_LONG_ROW: return mn_csv_fail(ctx, l, c->fault_at, "expected a row of less than 2 gigabytes");
  case MN_CSV_MISALIGNED:
  case MN_CSV_OK: break;
  }
  return MN_OK;
}

mn_status mn_csv_parse_rows(mn_context *ctx, const struct mn_csv_pass *pass, bool exact, bool *fits)
{
  struct parse_work work = { .pass = pass, .exact = exact };
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_status status = allocate_workers(ctx, &work);
  if (status == MN_OK) status = mn_parallel(ctx, pass->chunks->size, parse_chunk, &work);
  mn_scratch_release(ctx, mark);
  MN_TRY(status);
  size_t valid;
  *fits = chunks_align(pass->layout, pass->chunks, &valid);
  return *fits && valid < pass->chunks->size ? fail_chunk(ctx, pass->layout, &pass->chunks->at[valid]) : MN_OK;
}
