#include "svmlight.h"
#include "bytes.h"
#include "csv_scan_kernel.h"
#include "decimal.h"
#include "../core/threads.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef MN_SVMLIGHT_CHUNK
#define MN_SVMLIGHT_CHUNK (256 << 10) /* small in tests */
#endif

/* A chunk of full lines, and where its content is stored. */
struct chunk {
  const char *from, *to;
  size_t row, entry;        /* index of its first row and entry */
  size_t rows, entries;     /* upper bounds, then counts */
  int64_t min_col, max_col; /* smallest and largest column, as written */
  size_t queries;           /* number of rows with a qid */
  const char *nul;
  const char *fault, *at; /* a fault and its position */
};

struct reader {
  const char *label, *begin, *end;
  mn_svmlight_options options;
  struct chunk *chunk;
  size_t chunks, rows, entries; /* rows, entries: capacity for all chunks */
  int32_t *col;                 /* entries */
  double *value;                /* entries */
  double *y;                    /* rows    */
  size_t *count;                /* rows: number of entries */
  int64_t *query;               /* rows    */
  bool has_queries;
};

static mn_status split_chunks(mn_context *ctx, struct reader *r)
{
  const size_t size = (size_t)(r->end - r->begin), max_col = size / MN_SVMLIGHT_CHUNK + 1;
  r->chunk = MN_NEW(ctx, struct chunk, max_col, 1);
  MN_CHECK_ALLOC(r->chunk);
  for (const char *p = r->begin; p < r->end; r->chunks++) {
    const char *to = r->end - p > MN_SVMLIGHT_CHUNK ? p + MN_SVMLIGHT_CHUNK : r->end;
    const char *line_end = to < r->end ? memchr(to, '\n', (size_t)(r->end - to)) : NULL;
    r->chunk[r->chunks].from = p;
    r->chunk[r->chunks].to = p = line_end ? line_end + 1 : r->end;
  }
  return MN_OK;
}

static void count_words(struct chunk *c, const char *at, size_t words)
{
  enum { MAX_WORDS = 64 };
  uint64_t colons[MAX_WORDS], lines[MAX_WORDS], nuls[MAX_WORDS];
  for (; words > 0;) {
    const size_t part = words < MAX_WORDS ? words : MAX_WORDS;
    mn_csv_find_marks(part, at, ':', '\n', colons, lines, nuls);
    for (size_t i = 0; i < part; i++) {
      c->entries += (size_t)__builtin_popcountll(colons[i]);
      c->rows += (size_t)__builtin_popcountll(lines[i]);
      if (nuls[i] && !c->nul) c->nul = at + 64 * i + __builtin_ctzll(nuls[i]);
    }
    at += 64 * part;
    words -= part;
  }
}

/* Upper bounds: there are at most as many entries as colons, and at most as many rows as lines. */
static void count_chunk(void *user, size_t block, size_t worker)
{
  const struct reader *r = user;
  struct chunk *c = &r->chunk[block];
  const size_t size = (size_t)(c->to - c->from), words = size / 64, tail_size = size % 64;
  char tail[64];
  (void)worker;
  count_words(c, c->from, words);
  memset(tail, ' ', sizeof tail);
  memcpy(tail, c->to - tail_size, tail_size);
  const char *found = c->nul;
  count_words(c, tail, 1);
  if (c->nul && !found) c->nul = c->to - tail_size + (c->nul - tail);
  c->rows++; /* the last line end is optional */
}

static bool is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

static const char *skip_blanks(const char *p, const char *end)
{
  while (p < end && is_blank(*p)) p++;
  return p;
}

static bool is_field_end(const char *p, const char *end)
{
  return p == end || is_blank(*p) || *p == '#';
}

/* Read a number followed by a blank; NULL if there is none. `end` is the end of the line, `readable` that of the file.
 */
static const char *read_number(const char *p, const char *end, const char *readable, double *value)
{
  mn_decimal d;
  bool whole;
  const char *after = readable - p > MN_QUICK_BYTES ? mn_quick_decimal(p, '.', &d) : NULL;
  if (!after || !mn_quick_value(&d, value)) after = mn_read_double(p, end, '.', value, &whole);
  return after > p && is_field_end(after, end) && *value == *value ? after : NULL;
}

static const char *read_integer(const char *p, const char *end, int64_t max_col, int64_t *value)
{
  const char *first = p;
  *value = 0;
  for (; p < end && *p >= '0' && *p <= '9'; p++) {
    if (*value > (max_col - (*p - '0')) / 10) return NULL;
    *value = *value * 10 + (*p - '0');
  }
  return p > first ? p : NULL;
}

static bool set_fault(struct chunk *c, const char *fault, const char *at)
{
  c->fault = fault;
  c->at = at;
  return false;
}

static bool parse_query(const struct reader *r, struct chunk *c, const char **p, const char *end)
{
  if (end - *p < 4 || memcmp(*p, "qid:", 4) != 0) return true;
  const char *after = read_integer(*p + 4, end, INT64_MAX, &r->query[c->row + c->rows]);
  if (!after || !is_field_end(after, end)) return set_fault(c, "expected a whole number as qid", *p + 4);
  *p = after;
  c->queries++;
  return true;
}

static bool parse_entry(const struct reader *r, struct chunk *c, const char **p, const char *end, int64_t *last)
{
  const mn_svmlight_options *o = &r->options;
  const size_t position = c->entry + c->entries;
  int64_t col;
  const char *after = read_integer(*p, end, INT32_MAX, &col);
  if (!after || after == end || *after != ':') return set_fault(c, "expected column:value", *p);
  if (col <= *last) return set_fault(c, "expected columns in ascending order", *p);
  if (o->base == MN_SVMLIGHT_ONE && col == 0) return set_fault(c, "expected a column of at least 1", *p);
  if (o->cols > 0 && (uint64_t)col >= o->cols + (o->base != MN_SVMLIGHT_ZERO))
    return set_fault(c, "expected a column within `cols`", *p);
  const char *value = after + 1;
  after = read_number(value, end, r->end, &r->value[position]);
  if (!after) return set_fault(c, "expected a number", value);
  if (mn_is_overflow(r->value[position], after)) return set_fault(c, "expected a number below 1.8e308", value);
  r->col[position] = (int32_t)col;
  *last = col;
  *p = after;
  c->entries++;
  return true;
}

/* Parse a line; returns false on a fault, which is then in c. */
static bool parse_line(const struct reader *r, struct chunk *c, const char *p, const char *end)
{
  int64_t last = -1;
  p = skip_blanks(p, end);
  if (p == end || *p == '#') return true;
  const char *after = read_number(p, end, r->end, &r->y[c->row + c->rows]);
  if (!after) return set_fault(c, "expected a number as label", p);
  if (mn_is_overflow(r->y[c->row + c->rows], after)) return set_fault(c, "expected a label below 1.8e308", p);
  const size_t first = c->entries;
  p = skip_blanks(after, end);
  if (!parse_query(r, c, &p, end)) return false;
  for (p = skip_blanks(p, end); p < end && *p != '#'; p = skip_blanks(p, end)) {
    if (!parse_entry(r, c, &p, end, &last)) return false;
    if (c->entries == first + 1 && last < c->min_col) c->min_col = last;
  }
  if (last > c->max_col) c->max_col = last;
  r->count[c->row + c->rows++] = c->entries - first;
  return true;
}

static void parse_chunk(void *user, size_t block, size_t worker)
{
  const struct reader *r = user;
  struct chunk *c = &r->chunk[block];
  (void)worker;
  c->rows = c->entries = 0;
  c->min_col = INT64_MAX;
  c->max_col = -1;
  for (const char *p = c->from; p < c->to;) {
    const char *line_end = memchr(p, '\n', (size_t)(c->to - p));
    if (!line_end) line_end = c->to;
    if (!parse_line(r, c, p, line_end)) return;
    p = line_end < c->to ? line_end + 1 : line_end;
  }
}

static mn_status fail_value(mn_context *ctx, const struct reader *r, const struct chunk *c)
{
  enum { MAX_WORDS = 40 };
  char text[128];
  int size = 0;
  while (size < MAX_WORDS && c->at + size < c->to && !is_blank(c->at[size]) && c->at[size] != '\n') size++;
  snprintf(text, sizeof text, "%s, got \"%.*s\"", c->fault, size, c->at);
  return mn_fail_at(ctx, r->label, r->begin, c->at, '\n', text);
}

static mn_status check(mn_context *ctx, struct reader *r)
{
  size_t queries = 0, rows = 0;
  for (size_t i = 0; i < r->chunks; i++) {
    if (r->chunk[i].fault) return fail_value(ctx, r, &r->chunk[i]);
    queries += r->chunk[i].queries;
    rows += r->chunk[i].rows;
  }
  if (queries > 0 && queries < rows)
    return mn_fail(ctx, MN_BAD_FILE, "%s: all rows or none must have a qid, got %zu of %zu", r->label, queries, rows);
  r->has_queries = queries > 0;
  return MN_OK;
}

static void *allocate_result(mn_context *ctx, const struct reader *r, size_t size, size_t n)
{
  size_t bytes;
  void *memory = mn_checked_size(size, n, 1, &bytes) ? mn_alloc(mn_context_memory(ctx), bytes) : NULL;
  if (!memory) mn_fail(ctx, MN_NO_MEMORY, "%s: not enough memory for %zu values of %zu bytes", r->label, n, size);
  return memory;
}

/* Allocate memory for everything. Results are stored in *out at once, so that they are freed on failure. */
static mn_status allocate_all(mn_context *ctx, struct reader *r, mn_svmlight *out)
{
  for (size_t i = 0; i < r->chunks; i++) {
    struct chunk *c = &r->chunk[i];
    if (c->nul) return mn_fail_at(ctx, r->label, r->begin, c->nul, '\n', "expected text, got a NUL byte");
    c->row = r->rows;
    c->entry = r->entries;
    r->rows += c->rows;
    r->entries += c->entries;
  }
  r->col = out->x.col = allocate_result(ctx, r, sizeof *r->col, r->entries);
  r->value = out->x.at = allocate_result(ctx, r, sizeof *r->value, r->entries);
  r->y = out->y.at = allocate_result(ctx, r, sizeof *r->y, r->rows);
  out->x.start = allocate_result(ctx, r, sizeof *out->x.start, r->rows + 1);
  r->count = MN_RAW(ctx, size_t, r->rows, 1);
  r->query = MN_RAW(ctx, int64_t, r->rows, 1);
  return r->col && r->value && r->y && out->x.start && r->count && r->query ? MN_OK : MN_NO_MEMORY;
}

static void move_values(void *array, size_t size, size_t to, size_t from, size_t n)
{
  if (n > 0 && to != from) memmove((char *)array + to * size, (char *)array + from * size, n * size);
}

/* Close the gaps left by comments and empty lines. */
static void close_gaps(struct reader *r, mn_svmlight *out)
{
  size_t rows = 0, entries = 0;
  for (size_t i = 0; i < r->chunks; i++) {
    const struct chunk *c = &r->chunk[i];
    move_values(r->col, sizeof *r->col, entries, c->entry, c->entries);
    move_values(r->value, sizeof *r->value, entries, c->entry, c->entries);
    move_values(r->y, sizeof *r->y, rows, c->row, c->rows);
    move_values(r->count, sizeof *r->count, rows, c->row, c->rows);
    move_values(r->query, sizeof *r->query, rows, c->row, c->rows);
    rows += c->rows;
    entries += c->entries;
  }
  out->x.rows = out->y.size = rows;
  out->x.start[0] = 0;
  for (size_t i = 0; i < rows; i++) out->x.start[i + 1] = out->x.start[i] + r->count[i];
}

static mn_status finish_columns(mn_context *ctx, const struct reader *r, mn_svmlight *out)
{
  int64_t min_col = INT64_MAX, max_col = -1;
  for (size_t i = 0; i < r->chunks; i++) {
    if (r->chunk[i].min_col < min_col) min_col = r->chunk[i].min_col;
    if (r->chunk[i].max_col > max_col) max_col = r->chunk[i].max_col;
  }
  const bool from_one = r->options.base == MN_SVMLIGHT_ONE || (r->options.base == MN_SVMLIGHT_GUESS && min_col > 0);
  const size_t cols = (size_t)(max_col + 1 - (from_one && max_col >= 0));
  if (r->options.cols > 0 && cols > r->options.cols)
    return mn_fail(ctx, MN_BAD_FILE, "%s: there must be at most %zu columns, got %zu", r->label, r->options.cols, cols);
  out->x.cols = r->options.cols > 0 ? r->options.cols : cols;
  const size_t entries = out->x.start[out->x.rows];
  for (size_t k = 0; from_one && k < entries; k++) out->x.col[k]--;
  return MN_OK;
}

static int compare_queries(const void *a, const void *b)
{
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* Collect runs of rows with the same qid. A qid that occurs in two runs is an error, because other programs would read
 * two queries. */
static mn_status finish_queries(mn_context *ctx, const struct reader *r, mn_svmlight *out)
{
  const size_t rows = out->x.rows;
  size_t runs = 0;
  if (!r->has_queries) return MN_OK;
  for (size_t i = 0; i < rows; i++) runs += i == 0 || r->query[i] != r->query[i - 1];
  int64_t *query = MN_RAW(ctx, int64_t, runs, 1);
  MN_CHECK_ALLOC(query);
  MN_TRY(mn_indexes_init(ctx, &out->lengths, runs));
  for (size_t i = 0, run = 0; i < rows; i++) {
    if (i > 0 && r->query[i] != r->query[i - 1]) run++;
    query[run] = r->query[i];
    if (out->lengths.at[run] == INT32_MAX)
      return mn_fail(ctx, MN_BAD_FILE, "%s: a query must have at most %d rows, qid %lld has more", r->label, INT32_MAX,
                     (long long)query[run]);
    out->lengths.at[run]++;
  }
  if (runs > 0) qsort(query, runs, sizeof *query, compare_queries);
  for (size_t i = 1; i < runs; i++)
    if (query[i] == query[i - 1])
      return mn_fail(ctx, MN_BAD_FILE, "%s: the rows of a query must stand together, those of qid %lld do not",
                     r->label, (long long)query[i]);
  return MN_OK;
}

static mn_status read_all(mn_context *ctx, struct reader *r, mn_svmlight *out)
{
  if (r->end - r->begin >= 3 && memcmp(r->begin, "\xef\xbb\xbf", 3) == 0) r->begin += 3;
  MN_TRY(split_chunks(ctx, r));
  MN_TRY(mn_parallel(ctx, r->chunks, count_chunk, r));
  MN_TRY(allocate_all(ctx, r, out));
  MN_TRY(mn_parallel(ctx, r->chunks, parse_chunk, r));
  MN_TRY(check(ctx, r));
  close_gaps(r, out);
  MN_TRY(finish_columns(ctx, r, out));
  return finish_queries(ctx, r, out);
}

static mn_status read_bytes(mn_context *ctx, const mn_bytes *b, const char *label, const mn_svmlight_options *options,
                            mn_svmlight *out)
{
  struct reader r = { .label = label, .begin = b->at, .end = b->at + b->size };
  if (options) r.options = *options;
  if (r.options.cols > INT32_MAX)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: cols must be at most %d, got %zu", label, INT32_MAX, r.options.cols);
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_status status = read_all(ctx, &r, out);
  mn_scratch_release(ctx, mark);
  if (status != MN_OK) mn_svmlight_free(mn_context_memory(ctx), out);
  return status;
}

mn_status mn_read_svmlight(mn_context *ctx, const char *path, const mn_svmlight_options *options, mn_svmlight *out)
{
  mn_bytes b;
  *out = (mn_svmlight){ .x = { 0 } };
  MN_TRY(mn_bytes_open(ctx, path, &b));
  const mn_status status = read_bytes(ctx, &b, path, options, out);
  mn_bytes_close(mn_context_memory(ctx), &b);
  return status;
}

mn_status mn_parse_svmlight(mn_context *ctx, const char *bytes, size_t size, const char *label,
                            const mn_svmlight_options *options, mn_svmlight *out)
{
  mn_bytes b;
  *out = (mn_svmlight){ .x = { 0 } };
  MN_TRY(mn_bytes_wrap(ctx, bytes, size, label, &b));
  const mn_status status = read_bytes(ctx, &b, label, options, out);
  mn_bytes_close(mn_context_memory(ctx), &b);
  return status;
}

void mn_svmlight_free(mn_memory *memory, mn_svmlight *s)
{
  mn_csr_free(memory, &s->x);
  mn_vector_free(memory, &s->y);
  mn_indexes_free(memory, &s->lengths);
}
