#include "csv_parts.h"
#include "csv_scan_kernel.h"
#include "../core/threads.h"

#ifndef MN_CSV_CHUNK
#define MN_CSV_CHUNK                                                                                                   \
  (512 << 10) /* fits the second-level cache; tests set a small size to get many chunks from a short text */
#endif

enum { CHUNK = MN_CSV_CHUNK, BYTES_PER_COLUMN = 64, MARK_WORDS = 64 };

/* Counts of a chunk: index 0 if it begins outside quotes, 1 if it begins inside. */
struct count {
  bool odd;           /* the number of quotes is odd */
  size_t lines[2];    /* line ends outside quotes */
  const char *row[2]; /* the row after the first of these; NULL: none */
  const char *nul;    /* the first NUL byte; NULL: none */
};

struct count_work {
  const struct mn_csv_layout *layout;
  const struct mn_csv_chunk *chunk;
  struct count *count;
};

/* Bit i of the result: 1 if the number of set bits among 0..i of x is odd. */
static uint64_t prefix_parity(uint64_t x)
{
  for (unsigned shift = 1; shift < 64; shift *= 2) x ^= x << shift;
  return x;
}

static void count_lines(struct count *c, int state, uint64_t lines, const char *at)
{
  if (!lines) return;
  if (!c->row[state]) c->row[state] = at + __builtin_ctzll(lines) + 1;
  c->lines[state] += (size_t)__builtin_popcountll(lines);
}

static void count_words(struct count *c, const char *at, size_t words, const mn_csv_dialect *d)
{
  uint64_t quotes[MARK_WORDS], newlines[MARK_WORDS], nuls[MARK_WORDS];
  mn_csv_find_marks(words, at, d->quote, d->newline, quotes, newlines, nuls);
  for (size_t i = 0; i < words; i++, at += 64) {
    if (nuls[i] && !c->nul) c->nul = at + __builtin_ctzll(nuls[i]);
    if (quotes[i] && d->quote) {
      const uint64_t flipped = prefix_parity(quotes[i]);
      count_lines(c, c->odd, newlines[i] & ~flipped, at);
      count_lines(c, !c->odd, newlines[i] & flipped, at);
      c->odd ^= flipped >> 63;
    } else {
      count_lines(c, c->odd, newlines[i], at);
    }
  }
}

/* An even number of quotes restores the state, so lines[odd] counts the line ends outside quotes if the chunk begins in
 * state `odd`. */
static void count_chunk(void *work, size_t block, size_t worker)
{
  const struct count_work *w = work;
  const struct mn_csv_chunk *chunk = &w->chunk[block];
  struct count *c = &w->count[block];
  char tail[64];
  (void)worker;
  *c = (struct count){ 0 };
  const char *p = chunk->from;
  while (chunk->to - p >= 64) {
    const size_t left = (size_t)(chunk->to - p) / 64, words = left < MARK_WORDS ? left : MARK_WORDS;
    count_words(c, p, words, &w->layout->dialect);
    p += 64 * words;
  }
  const size_t tail_size = (size_t)(chunk->to - p);
  struct count last = { .odd = c->odd };
  memset(tail, ' ', sizeof tail);
  memcpy(tail, p, tail_size);
  count_words(&last, tail, 1, &w->layout->dialect);
  for (int state = 0; state < 2; state++) {
    c->lines[state] += last.lines[state];
    if (!c->row[state] && last.row[state]) c->row[state] = p + (last.row[state] - tail);
  }
  if (!c->nul && last.nul) c->nul = p + (last.nul - tail);
  c->odd = last.odd;
}

static mn_status split_bytes(mn_context *ctx, const struct mn_csv_layout *l, struct mn_csv_chunks *chunks)
{
  const size_t bytes = (size_t)(l->end - l->begin);
  const size_t size = l->cols > CHUNK / BYTES_PER_COLUMN ? l->cols * BYTES_PER_COLUMN
                                                         : CHUNK; /* bounds the memory per chunk and column */
  *chunks = (struct mn_csv_chunks){ .size = bytes / size + (bytes % size > 0) };
  chunks->at = MN_NEW(ctx, struct mn_csv_chunk, chunks->size, 1);
  MN_CHECK_ALLOC(chunks->at);
  for (size_t i = 0; i < chunks->size; i++) {
    chunks->at[i].from = l->begin + i * size;
    chunks->at[i].to = i + 1 < chunks->size ? chunks->at[i].from + size : l->end;
  }
  return MN_OK;
}

static mn_status count_chunks(mn_context *ctx, const struct mn_csv_layout *l, const struct mn_csv_chunks *chunks,
                              struct count *count)
{
  struct count_work work = { .layout = l, .chunk = chunks->at, .count = count };
  MN_TRY(mn_parallel(ctx, chunks->size, count_chunk, &work));
  for (size_t i = 0; i < chunks->size; i++)
    if (count[i].nul) return mn_csv_fail(ctx, l, count[i].nul, "expected text, got a NUL byte");
  return MN_OK;
}

/* The first row has no line end before it, and a line end at the end of the file has no row after it. */
static void assign_rows_by_counts(const struct mn_csv_layout *l, const struct count *count,
                                  struct mn_csv_chunks *chunks)
{
  bool inside = false;
  for (size_t i = 0; i < chunks->size; i++) {
    struct mn_csv_chunk *c = &chunks->at[i];
    c->row = i == 0 ? l->begin : count[i].row[inside];
    if (c->row == l->end) c->row = NULL;
    c->base = chunks->rows;
    c->max_rows = c->row ? count[i].lines[inside] + (i == 0) : 0;
    chunks->rows += c->max_rows;
    inside ^= count[i].odd;
  }
}

static void assign_rows_by_scan(const struct mn_csv_layout *l, struct mn_csv_chunks *chunks)
{
  const size_t size = chunks->size > 0 ? (size_t)(chunks->at[0].to - chunks->at[0].from) : 1;
  size_t assigned = 0; /* chunks */
  for (const char *p = l->begin; p < l->end;) {
    const size_t i = p == l->begin ? 0 : (size_t)(p - 1 - l->begin) / size;
    for (; assigned <= i; assigned++) chunks->at[assigned].base = chunks->rows;
    struct mn_csv_chunk *c = &chunks->at[i];
    if (!c->row) c->row = p;
    c->max_rows++;
    chunks->rows++;
    const char *next = mn_skip_empty_line(&l->dialect, p, l->end);
    p = next > p ? next : mn_skip_row(&l->dialect, p, l->end);
  }
  for (; assigned < chunks->size; assigned++) chunks->at[assigned].base = chunks->rows;
}

mn_status mn_csv_split(mn_context *ctx, const struct mn_csv_layout *l, bool exact, struct mn_csv_chunks *chunks)
{
  MN_TRY(split_bytes(ctx, l, chunks));
  struct count *count = MN_RAW(ctx, struct count, chunks->size, 1);
  MN_CHECK_ALLOC(count);
  MN_TRY(count_chunks(ctx, l, chunks, count));
  if (exact)
    assign_rows_by_scan(l, chunks);
  else
    assign_rows_by_counts(l, count, chunks);
  return MN_OK;
}
