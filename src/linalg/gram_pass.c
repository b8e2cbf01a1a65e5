/* Where G is small each task takes a chunk of the rows and makes a Gram matrix of its own, and these are added in
 * order. Where it is wide that would take too much memory, and packing rows for every block of G too much time: then
 * all threads pack a chunk together, and share it while each adds it to blocks of G of its own. */
#include "gram_parts.h"
#include <math.h>
#include <string.h>

enum {
  WIDE_FROM = 240,      /* columns */
  PANEL_VALUES = 1728,  /* of a panel: two of them stay in the first cache */
  LEAST_DEPTH = 96,     /* rows of a panel */
  MOST_DEPTH = 248,     /* not 256: panels a power of two apart fall on the same cache lines */
  ROWS_OF_CHUNK = 1024, /* no fewer, where there are as many */
  MOST_CHUNKS = 64,
  PARTS_BYTES = 8 << 20,  /* of all chunks, */
  PARTS_SHARE = 32,       /* or this part of the rows: many cores want many chunks */
  SHARED_BYTES = 5 << 20, /* of one packed chunk, while G is wide */
  SHARED_DEPTHS = 6,      /* of it, at most */
  BLOCK = 132,            /* columns of a block of G */
  LEAST_BLOCKS = 5,
  PACK_WIDTH = 480,   /* columns packed by a task */
  SMALL_SUM = 1 << 15 /* values of all parts that are added before a thread has woken */
};

/* Columns from .. to-1 of Z: of X, of Y and the constant. `right` begins with the panel of `from`. */
static void pack_cols(const struct mn_gram_work *s, size_t row, size_t k, size_t from, size_t to, double *right)
{
  static const double zero = 0, one = 1;
  const size_t nr = s->g->nr, x_end = s->p, y_end = s->p + s->q;
  if (to > s->width) memset(right + (to - from - nr) * k, 0, sizeof(double) * nr * k);
  if (from < x_end)
    s->g->pack_shifted(0, mn_least(to, x_end) - from, k, s->x + row * s->ldx + from, s->ldx, s->shift + from, right);
  if (to > x_end && from < y_end) {
    const size_t begin = from > x_end ? from : x_end;
    s->g->pack_shifted(begin - from, mn_least(to, y_end) - begin, k, s->y + row * s->ldy + (begin - x_end), s->ldy,
                       s->shift + begin, right);
  }
  if (to > y_end && s->width > y_end) s->g->pack_shifted(y_end - from, 1, k, &one, 0, &zero, right);
}

/* One block of G, or its upper triangle, and a bit below, if it lies on the diagonal. */
static void add_rows(const struct mn_gram_work *s, size_t rows, size_t cols, bool diagonal, size_t k,
                     const double *left, const double *right, double beta, double *part)
{
  const size_t mr = s->g->mr, nr = s->g->nr;
  for (size_t j = 0; j < cols; j += nr)
    for (size_t i = 0; i < (diagonal ? j + nr : rows); i += mr)
      s->g->tile(k, left + i / nr * nr * k + i % nr, 1, nr, right + j * k, 1, beta, part + i * s->padded + j, s->padded,
                 mr, nr);
}

/* One chunk of rows, all of G. */
static void add_chunk(void *work, size_t chunk, size_t worker)
{
  const struct mn_gram_work *s = work;
  const size_t end = mn_block_end(&s->chunks, chunk);
  double *right = s->packed + worker * s->packed_size, *left = right;
  double *part = s->part + chunk * s->padded * s->padded, beta = 0;
  for (size_t row = mn_block_begin(&s->chunks, chunk); row < end; row += s->depth, beta = 1) {
    const size_t k = mn_least(s->depth, end - row);
    pack_cols(s, row, k, 0, s->padded, right);
    if (s->w) {
      left = s->weighed + worker * s->weighed_size;
      s->g->weigh(s->padded / s->g->nr, k, right, s->w + row, left);
    }
    add_rows(s, s->padded, s->padded, true, k, left, right, beta, part);
  }
}

static void add_parts(void *work, size_t i, size_t worker)
{
  const struct mn_gram_work *s = work;
  (void)worker;
  s->g->combine(s->chunks.count, s->padded * s->padded, s->width - i, s->part + i * s->padded + i, 0,
                s->sum + i * s->ld + i);
}

/* A round of a wide G: one chunk, which is packed, goes into all blocks of G, while the next is packed. */
struct round {
  const struct mn_gram_work *s;
  size_t chunk, blocks, pieces; /* tasks: blocks of G first; then pieces of the next chunk, depth by depth */
  size_t pieces_across;
};

static double *packed_at(const struct mn_gram_work *s, size_t chunk, size_t row)
{
  return s->packed + chunk % 2 * s->packed_size + (row - mn_block_begin(&s->chunks, chunk)) * s->padded;
}

static void pack_piece(const struct round *r, size_t chunk, size_t piece)
{
  const struct mn_gram_work *s = r->s;
  const size_t row = mn_block_begin(&s->chunks, chunk) + piece / r->pieces_across * s->depth;
  const size_t end = mn_block_end(&s->chunks, chunk);
  if (row >= end) return;
  const size_t k = mn_least(s->depth, end - row), width = PACK_WIDTH / s->g->nr * s->g->nr;
  const size_t from = piece % r->pieces_across * width;
  pack_cols(s, row, k, from, mn_least(from + width, s->padded), packed_at(s, chunk, row) + from * k);
}

/* Blocks off the diagonal are numbered first, since they are the larger ones: (0,1) (0,2) (1,2) (0,3) ... */
static void find_block(size_t count, size_t block, size_t *bi, size_t *bj)
{
  const size_t apart = count * (count - 1) / 2;
  *bi = *bj = block - apart;
  if (block >= apart) return;
  *bi = block;
  for (*bj = 1; *bi >= *bj; ++*bj) *bi -= *bj;
}

static void add_block(const struct round *r, size_t block, size_t worker)
{
  const struct mn_gram_work *s = r->s;
  const size_t nr = s->g->nr, begin = mn_block_begin(&s->chunks, r->chunk), end = mn_block_end(&s->chunks, r->chunk);
  size_t bi, bj;
  find_block(s->cols.count, block, &bi, &bj);
  const size_t i = mn_block_begin(&s->cols, bi) * nr, rows = mn_block_end(&s->cols, bi) * nr - i;
  const size_t j = mn_block_begin(&s->cols, bj) * nr, cols = mn_block_end(&s->cols, bj) * nr - j;
  for (size_t row = begin; row < end; row += s->depth) {
    const size_t k = mn_least(s->depth, end - row);
    const double *packed = packed_at(s, r->chunk, row), *left = packed + i * k;
    if (s->w) {
      double *weighed = s->weighed + worker * s->weighed_size;
      s->g->weigh(rows / nr, k, left, s->w + row, weighed);
      left = weighed;
    }
    add_rows(s, rows, cols, bi == bj, k, left, packed + j * k, row == 0 ? 0 : 1, s->part + i * s->padded + j);
  }
}

static void one_task(void *work, size_t task, size_t worker)
{
  const struct round *r = work;
  if (task < r->blocks)
    add_block(r, task, worker);
  else
    pack_piece(r, r->chunk + 1, task - r->blocks);
}

static void pack_first(void *work, size_t piece, size_t worker)
{
  (void)worker;
  pack_piece(work, 0, piece);
}

static mn_status wide_pass(mn_context *ctx, struct mn_gram_work *s)
{
  const size_t width = PACK_WIDTH / s->g->nr * s->g->nr, across = (s->padded + width - 1) / width;
  struct round r = { .s = s, .blocks = s->cols.count * (s->cols.count + 1) / 2, .pieces_across = across };
  r.pieces = across * ((s->chunks.size + s->depth - 1) / s->depth);
  MN_TRY(mn_parallel(ctx, r.pieces, pack_first, &r));
  for (; r.chunk < s->chunks.count; r.chunk++)
    MN_TRY(mn_parallel(ctx, r.blocks + (r.chunk + 1 < s->chunks.count ? r.pieces : 0), one_task, &r));
  return MN_OK;
}

mn_status mn_gram_pass(mn_context *ctx, struct mn_gram_work *s)
{
  if (s->wide) return wide_pass(ctx, s);
  MN_TRY(mn_parallel(ctx, s->chunks.count, add_chunk, s));
  if (s->chunks.count * s->width * s->width > SMALL_SUM) return mn_parallel(ctx, s->width, add_parts, s);
  for (size_t i = 0; i < s->width; i++) add_parts(s, i, 0);
  return MN_OK;
}

static void plan(struct mn_gram_work *s)
{
  const size_t nr = s->g->nr, panels = (s->width + nr - 1) / nr;
  s->padded = panels * nr;
  s->wide = s->width >= WIDE_FROM;
  s->depth = PANEL_VALUES / nr;
  s->depth = s->depth > MOST_DEPTH ? MOST_DEPTH : s->depth < LEAST_DEPTH ? LEAST_DEPTH : s->depth;
  s->ld = s->wide ? s->padded : s->width;
  if (s->wide) {
    const size_t depths = SHARED_BYTES / (s->padded * s->depth * sizeof(double));
    s->chunks = mn_make_blocks(s->n, s->depth * (depths < 1 ? 1 : mn_least(depths, SHARED_DEPTHS)), s->n);
    const size_t most = (panels + LEAST_BLOCKS - 1) / LEAST_BLOCKS;
    s->cols = mn_make_blocks(panels, mn_least(most, BLOCK / nr), panels);
  } else {
    const double bytes = fmax(PARTS_BYTES, (double)s->n * (double)s->width * sizeof(double) / PARTS_SHARE);
    const double most = bytes / ((double)s->padded * (double)s->padded * sizeof(double));
    s->chunks = mn_make_blocks(s->n, ROWS_OF_CHUNK, (size_t)fmin(MOST_CHUNKS, most));
    s->cols = mn_make_blocks(panels, panels, 1);
  }
}

mn_status mn_gram_prepare(mn_context *ctx, struct mn_gram_work *s)
{
  plan(s);
  s->packed_size = s->padded * (s->wide ? mn_least(s->chunks.size, s->n) : s->depth);
  s->weighed_size = s->cols.size * s->g->nr * s->depth;
  MN_CHECK_ALLOC(s->packed = MN_RAW(ctx, double, s->wide ? 2 : mn_threads(ctx), s->packed_size));
  if (s->w) MN_CHECK_ALLOC(s->weighed = MN_RAW(ctx, double, mn_threads(ctx), s->weighed_size));
  MN_CHECK_ALLOC(s->part = mn_scratch_raw(ctx, sizeof(double) * s->padded, s->padded, s->wide ? 1 : s->chunks.count));
  s->sum = s->part;
  if (!s->wide) MN_CHECK_ALLOC(s->sum = MN_RAW(ctx, double, s->width, s->width));
  MN_CHECK_ALLOC(s->shift = MN_NEW(ctx, double, s->width, 1));
  return MN_OK;
}
