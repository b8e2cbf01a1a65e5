#include "csv_parts.h"
#include "bytes.h"
#include "csv_text.h"
#include "../core/threads.h"
#include <math.h>
#include <stdio.h>

/* What parsing a chunk needs at hand. */
struct parser {
  const struct mn_csv_pass *pass;
  struct mn_csv_chunk *chunk;
  struct mn_csv_seen *seen; /* cols */
  unsigned char *kind;      /* cols: a column that turns out not to be numeric is skipped in the rest of the chunk */
  const char *limit;        /* a field that goes on beyond it is not believed; the end when places are exact */
};

struct parsing {
  const struct mn_csv_pass *pass;
  unsigned char *kind;       /* workers x cols */
  struct mn_csv_texts *room; /* workers */
  bool exactly;
};

/* Offsets share their word with MN_CSV_REPEAT and -1. */
static const ptrdiff_t most_offset = INT32_MAX - 1;

static enum mn_csv_fault take_number(struct parser *p, size_t col, const mn_csv_field *f, size_t row)
{
  struct mn_csv_seen *seen = &p->seen[col];
  double value;
  bool whole;
  if (!f->doubled && mn_csv_number(p->pass->layout, f, &value, &whole)) {
    p->pass->number[col][row] = value;
    seen->missing += value != value;
    seen->not_whole |= !whole && value == value;
    seen->rounded |= whole && fabs(value) > 0x1p53;
    return MN_CSV_SOUND;
  }
  if (p->kind[col] == MN_CSV_NUMBER) return MN_CSV_NO_NUMBER;
  seen->no_number = true;
  p->kind[col] = MN_CSV_SKIP;
  return MN_CSV_SOUND;
}

static enum mn_csv_fault take_text(struct parser *p, size_t col, const char *begin, const mn_csv_field *f, size_t row)
{
  const ptrdiff_t offset = begin - p->chunk->row;
  const bool missing = mn_csv_is_missing(&p->pass->layout->missing, f, false);
  if (offset > most_offset) return MN_CSV_LONG_ROW;
  p->pass->code[col][row] = missing ? -1 : (int32_t)offset;
  p->seen[col].missing += missing;
  return MN_CSV_SOUND;
}

/* The field that begins at `begin`; *next is behind it, or the place of a fault. */
static enum mn_csv_fault read_field(const struct parser *p, const char *begin, mn_csv_field *f, const char **next)
{
  const bool believed = p->limit == p->pass->layout->end;
  const enum mn_csv_fault fault = mn_read_field(&p->pass->layout->dialect, begin, p->limit, f);
  *next = fault == MN_CSV_OPEN_QUOTE ? f->at - 1 : f->next;
  if (fault == MN_CSV_OPEN_QUOTE) return believed ? fault : MN_CSV_LOST;
  return f->next < p->limit || believed ? fault : MN_CSV_LOST;
}

/* The same, and its value put where it belongs. */
static enum mn_csv_fault take_field(struct parser *p, size_t col, const char *begin, size_t row, const char **next)
{
  mn_csv_field f = { .size = 0 };
  enum mn_csv_fault fault = read_field(p, begin, &f, next);
  if (fault != MN_CSV_SOUND) return fault;
  switch ((enum mn_csv_kind)p->kind[col]) {
  case MN_CSV_SKIP: break;
  case MN_CSV_GUESSED:
  case MN_CSV_NUMBER: fault = take_number(p, col, &f, row); break;
  case MN_CSV_TEXT:
  case MN_CSV_BOOLEAN:
  case MN_CSV_FACTOR: fault = take_text(p, col, begin, &f, row); break;
  }
  if (fault == MN_CSV_NO_NUMBER) *next = begin;
  return fault;
}

/* Fill up a row that is too short. */
static void take_nothing(struct parser *p, size_t col, size_t row)
{
  for (; col < p->pass->layout->cols; col++) {
    if (p->kind[col] == MN_CSV_SKIP) continue;
    if (p->pass->number[col]) p->pass->number[col][row] = __builtin_nan("");
    if (p->pass->code[col]) p->pass->code[col][row] = -1;
    p->seen[col].missing++;
  }
}

/* The fields beyond the last column, from the delimiter at `at` on, are dropped; but they must be sound. */
static enum mn_csv_fault drop_fields(struct parser *p, const char *at, const char **behind)
{
  *behind = at;
  while (*behind < p->limit && **behind != p->pass->layout->dialect.newline) {
    mn_csv_field f;
    const enum mn_csv_fault fault = read_field(p, *behind + 1, &f, behind);
    if (fault != MN_CSV_SOUND) return fault;
  }
  return MN_CSV_SOUND;
}

/* Behind the plain number, in quotes or not, that is the whole field at `at`; NULL when it is something else. */
static inline const char *quick_field(const mn_csv_dialect *d, const char *at, const char *limit, mn_decimal *decimal)
{
  enum { QUOTES_AND_LINE_END = 4 };
  if (limit - at <= MN_QUICK_BYTES + QUOTES_AND_LINE_END) return NULL;
  const bool quoted = *at == d->quote;
  const char *next = mn_quick_decimal(at + quoted, d->decimal, decimal);
  if (!next || (quoted && *next++ != d->quote)) return NULL;
  next += *next == '\r' && next[1] == d->newline;
  return *next == d->delimiter || *next == d->newline ? next : NULL;
}

/* A row's fields into their columns. *behind: the row's end, or the place of a fault. The way a number takes through
 * this loop is all the work there is in most files. */
static enum mn_csv_fault take_row(struct parser *p, const char *at, size_t row, const char **behind, size_t *fields)
{
  const mn_csv_dialect d = p->pass->layout->dialect;
  const size_t cols = p->pass->layout->cols;
  const unsigned char *kind = p->kind;
  for (size_t j = 0;; at++) {
    const bool numeric = kind[j] == MN_CSV_GUESSED || kind[j] == MN_CSV_NUMBER;
    mn_decimal decimal;
    const char *next = numeric ? quick_field(&d, at, p->limit, &decimal) : NULL;
    if (next && mn_quick_value(&decimal, &p->pass->number[j][row])) {
      p->seen[j].not_whole |= !decimal.whole;
      p->seen[j].rounded |= decimal.whole && decimal.digits > (uint64_t)1 << 53;
    } else {
      const enum mn_csv_fault fault = take_field(p, j, at, row, &next);
      if (fault != MN_CSV_SOUND) {
        *behind = next;
        return fault;
      }
    }
    at = *behind = next;
    j++;
    if (at == p->limit || *at == d.newline) {
      *fields = j;
      if (j == cols) return MN_CSV_SOUND;
      if (d.strict) return MN_CSV_FEW_FIELDS;
      take_nothing(p, j, row);
      return MN_CSV_SOUND;
    }
    if (j == cols) {
      if (d.strict) return MN_CSV_MANY_FIELDS;
      return drop_fields(p, at, behind);
    }
  }
}

static size_t count_fields(const struct parser *p, const char *at)
{
  size_t fields = 1;
  mn_csv_field f;
  const struct mn_csv_layout *l = p->pass->layout;
  while (mn_read_field(&l->dialect, at, l->end, &f) == MN_CSV_SOUND && f.next < l->end &&
         *f.next != l->dialect.newline) {
    fields++;
    at = f.next + 1;
  }
  return fields;
}

static void take_chunk(struct parser *p)
{
  const struct mn_csv_layout *l = p->pass->layout;
  struct mn_csv_chunk *c = p->chunk;
  const char *at = c->row;
  c->rows = 0;
  c->fault = MN_CSV_SOUND;
  while (at <= c->to && at < l->end) {
    const char *behind = mn_pass_empty_line(&l->dialect, at, l->end);
    if (behind > at) {
      at = behind;
      continue;
    }
    c->fault = c->rows < c->most ? take_row(p, at, c->base + c->rows, &behind, &c->fields) : MN_CSV_LOST;
    c->fault_at = behind;
    if (c->fault == MN_CSV_MANY_FIELDS) c->fields = count_fields(p, at);
    if (c->fault != MN_CSV_SOUND) break;
    c->rows++;
    at = behind < l->end ? behind + 1 : behind;
  }
  c->behind = at;
}

/* Believe a guessed beginning only as far as the next chunk: a quote taken for the wrong one could run to the end. */
static const char *limit_of(const struct parsing *work, const struct mn_csv_chunk *c)
{
  const char *end = work->pass->layout->end;
  const size_t size = (size_t)(c->to - c->from);
  return work->exactly || (size_t)(end - c->to) <= size ? end : c->to + size;
}

static void parse_chunk(void *user, size_t block, size_t worker)
{
  const struct parsing *work = user;
  const struct mn_csv_layout *l = work->pass->layout;
  struct mn_csv_chunk *c = &work->pass->chunks->at[block];
  if (!c->row) return;
  struct parser p = { .pass = work->pass,
                      .chunk = c,
                      .seen = work->pass->seen + block * l->cols,
                      .kind = work->kind + worker * l->cols,
                      .limit = limit_of(work, c) };
  memcpy(p.kind, work->pass->kind, l->cols);
  memset(p.seen, 0, l->cols * sizeof *p.seen);
  take_chunk(&p);
  if (c->fault != MN_CSV_SOUND) return;
  for (size_t j = 0; j < l->cols; j++)
    if (work->pass->code[j] && p.kind[j] != MN_CSV_SKIP)
      p.seen[j].distinct =
          mn_csv_find_repeats(&l->dialect, c->row, l->end, &work->room[worker], c->rows, work->pass->code[j] + c->base);
  if (l->mapped) mn_bytes_let_go(c->from, c->to);
}

static mn_status make_rooms(mn_context *ctx, struct parsing *work)
{
  const struct mn_csv_chunks *chunks = work->pass->chunks;
  const size_t workers = mn_threads(ctx);
  size_t most = 0;
  for (size_t i = 0; i < chunks->size; i++)
    if (chunks->at[i].most > most) most = chunks->at[i].most;
  work->kind = MN_RAW(ctx, unsigned char, workers, work->pass->layout->cols);
  work->room = MN_NEW(ctx, struct mn_csv_texts, workers, 1);
  if (!work->kind || !work->room) return MN_NO_MEMORY;
  bool any_text = false;
  for (size_t j = 0; j < work->pass->layout->cols; j++) any_text |= work->pass->code[j] != NULL;
  for (size_t i = 0; any_text && i < workers && i < chunks->size; i++) {
    work->room[i].text = MN_RAW(ctx, struct mn_csv_text, most, 1);
    work->room[i].slot = MN_RAW(ctx, uint32_t, mn_csv_slots(most), 1);
    if (!work->room[i].text || !work->room[i].slot) return MN_NO_MEMORY;
  }
  return MN_OK;
}

/* Each chunk must end where the next one begins: since the first one begins rightly, all do. */
static bool fit_together(const struct mn_csv_layout *l, const struct mn_csv_chunks *chunks, size_t *sound)
{
  const char *expected = l->begin;
  *sound = 0;
  for (; *sound < chunks->size; ++*sound) {
    const struct mn_csv_chunk *c = &chunks->at[*sound];
    if (!c->row) continue;
    if (c->row != expected || c->fault == MN_CSV_LOST) return false;
    if (c->fault != MN_CSV_SOUND) return true;
    expected = c->behind;
  }
  return expected == l->end;
}

static mn_status fail_chunk(mn_context *ctx, const struct mn_csv_layout *l, const struct mn_csv_chunk *c)
{
  char text[128];
  switch (c->fault) {
  case MN_CSV_FEW_FIELDS:
  case MN_CSV_MANY_FIELDS:
    snprintf(text, sizeof text, "row has %zu field%s, the %s has %zu", c->fields, c->fields == 1 ? "" : "s",
             l->has_header ? "header" : "first row", l->cols);
    return mn_csv_fail(ctx, l, c->fault_at, text);
  case MN_CSV_OPEN_QUOTE: return mn_csv_fail(ctx, l, c->fault_at, "a quote is opened here and never closed");
  case MN_CSV_AFTER_QUOTE: return mn_csv_fail(ctx, l, c->fault_at, "a delimiter was expected after the closing quote");
  case MN_CSV_NO_NUMBER: return mn_csv_fail_value(ctx, l, c->fault_at, "a number was expected");
  case MN_CSV_LONG_ROW: return mn_csv_fail(ctx, l, c->fault_at, "a row of less than 2 gigabytes was expected");
  case MN_CSV_LOST:
  case MN_CSV_SOUND: break;
  }
  return MN_OK;
}

mn_status mn_csv_parse_rows(mn_context *ctx, const struct mn_csv_pass *pass, bool exactly, bool *fits)
{
  struct parsing work = { .pass = pass, .exactly = exactly };
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_status status = make_rooms(ctx, &work);
  if (status == MN_OK) status = mn_parallel(ctx, pass->chunks->size, parse_chunk, &work);
  mn_scratch_release(ctx, mark);
  MN_TRY(status);
  size_t sound;
  *fits = fit_together(pass->layout, pass->chunks, &sound);
  return *fits && sound < pass->chunks->size ? fail_chunk(ctx, pass->layout, &pass->chunks->at[sound]) : MN_OK;
}
