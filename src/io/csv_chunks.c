#include "csv_parts.h"
#include "csv_scan_kernel.h"
#include "../core/threads.h"

#ifndef MN_CSV_CHUNK
#define MN_CSV_CHUNK (512 << 10) /* fits a second-level cache; tests set it small, to have many in a short text */
#endif

enum { CHUNK = MN_CSV_CHUNK, WIDE = 64, MARKED_WORDS = 64 };

/* What counting tells of a chunk: [0] when it begins outside quotes, [1] when it begins inside. */
struct count {
  bool odd;           /* number of quotes */
  size_t lines[2];    /* line ends outside quotes */
  const char *row[2]; /* behind the first of those; NULL: none */
  const char *nul;    /* the first NUL byte; NULL: none */
};

struct counting {
  const struct mn_csv_layout *layout;
  const struct mn_csv_chunk *chunk;
  struct count *count;
};

/* Bit i: an odd number of the bits 0..i of x is set. */
static uint64_t parities(uint64_t x)
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
  uint64_t quotes[MARKED_WORDS], newlines[MARKED_WORDS], nuls[MARKED_WORDS];
  mn_csv_marks(words, at, d->quote, d->newline, quotes, newlines, nuls);
  for (size_t i = 0; i < words; i++, at += 64) {
    if (nuls[i] && !c->nul) c->nul = at + __builtin_ctzll(nuls[i]);
    if (quotes[i] && d->quote) {
      const uint64_t flipped = parities(quotes[i]);
      count_lines(c, c->odd, newlines[i] & ~flipped, at);
      count_lines(c, !c->odd, newlines[i] & flipped, at);
      c->odd ^= flipped >> 63;
    } else {
      count_lines(c, c->odd, newlines[i], at);
    }
  }
}

/* The state after an even number of quotes is that of the beginning, so lines[odd] counts what lies outside quotes when
 * the chunk begins in state `odd`. */
static void count_chunk(void *work, size_t block, size_t worker)
{
  const struct counting *w = work;
  const struct mn_csv_chunk *chunk = &w->chunk[block];
  struct count *c = &w->count[block];
  char tail[64];
  (void)worker;
  *c = (struct count){ 0 };
  const char *p = chunk->from;
  while (chunk->to - p >= 64) {
    const size_t left = (size_t)(chunk->to - p) / 64, words = left < MARKED_WORDS ? left : MARKED_WORDS;
    count_words(c, p, words, &w->layout->dialect);
    p += 64 * words;
  }
  const size_t rest = (size_t)(chunk->to - p);
  struct count last = { .odd = c->odd };
  memset(tail, ' ', sizeof tail);
  memcpy(tail, p, rest);
  count_words(&last, tail, 1, &w->layout->dialect);
  for (int state = 0; state < 2; state++) {
    c->lines[state] += last.lines[state];
    if (!c->row[state] && last.row[state]) c->row[state] = p + (last.row[state] - tail);
  }
  if (!c->nul && last.nul) c->nul = p + (last.nul - tail);
  c->odd = last.odd;
}

static mn_status cut_blindly(mn_context *ctx, const struct mn_csv_layout *l, struct mn_csv_chunks *chunks)
{
  const size_t bytes = (size_t)(l->end - l->begin);
  const size_t size =
      l->cols > CHUNK / WIDE ? l->cols * WIDE : CHUNK; /* what is kept for a chunk and column stays small */
  *chunks = (struct mn_csv_chunks){ .size = bytes / size + (bytes % size > 0) };
  chunks->at = MN_NEW(ctx, struct mn_csv_chunk, chunks->size, 1);
  MN_CHECK_ALLOC(chunks->at);
  for (size_t i = 0; i < chunks->size; i++) {
    chunks->at[i].from = l->begin + i * size;
    chunks->at[i].to = i + 1 < chunks->size ? chunks->at[i].from + size : l->end;
  }
  return MN_OK;
}

static mn_status count_all(mn_context *ctx, const struct mn_csv_layout *l, const struct mn_csv_chunks *chunks,
                           struct count *count)
{
  struct counting work = { .layout = l, .chunk = chunks->at, .count = count };
  MN_TRY(mn_parallel(ctx, chunks->size, count_chunk, &work));
  for (size_t i = 0; i < chunks->size; i++)
    if (count[i].nul) return mn_csv_fail(ctx, l, count[i].nul, "text was expected, got a NUL byte");
  return MN_OK;
}

/* The first row stands before any line end; a line end at the very end has no row behind it. */
static void place_by_counts(const struct mn_csv_layout *l, const struct count *count, struct mn_csv_chunks *chunks)
{
  bool inside = false;
  for (size_t i = 0; i < chunks->size; i++) {
    struct mn_csv_chunk *c = &chunks->at[i];
    c->row = i == 0 ? l->begin : count[i].row[inside];
    if (c->row == l->end) c->row = NULL;
    c->base = chunks->rows;
    c->most = c->row ? count[i].lines[inside] + (i == 0) : 0;
    chunks->rows += c->most;
    inside ^= count[i].odd;
  }
}

static void place_by_walking(const struct mn_csv_layout *l, struct mn_csv_chunks *chunks)
{
  const size_t size = chunks->size > 0 ? (size_t)(chunks->at[0].to - chunks->at[0].from) : 1;
  size_t placed = 0; /* chunks */
  for (const char *p = l->begin; p < l->end;) {
    const size_t i = p == l->begin ? 0 : (size_t)(p - 1 - l->begin) / size;
    for (; placed <= i; placed++) chunks->at[placed].base = chunks->rows;
    struct mn_csv_chunk *c = &chunks->at[i];
    if (!c->row) c->row = p;
    c->most++;
    chunks->rows++;
    const char *next = mn_pass_empty_line(&l->dialect, p, l->end);
    p = next > p ? next : mn_pass_row(&l->dialect, p, l->end);
  }
  for (; placed < chunks->size; placed++) chunks->at[placed].base = chunks->rows;
}

mn_status mn_csv_cut(mn_context *ctx, const struct mn_csv_layout *l, bool exactly, struct mn_csv_chunks *chunks)
{
  MN_TRY(cut_blindly(ctx, l, chunks));
  struct count *count = MN_RAW(ctx, struct count, chunks->size, 1);
  MN_CHECK_ALLOC(count);
  MN_TRY(count_all(ctx, l, chunks, count));
  if (exactly)
    place_by_walking(l, chunks);
  else
    place_by_counts(l, count, chunks);
  return MN_OK;
}
