/* One pass over the rows of a Gram matrix. If G is narrow, each task accumulates its own G over a chunk of rows, and
 * the partial results are added in order. If G is wide, this would take too much memory, so all threads pack a chunk of
 * rows together and each adds it to blocks of G. */
#include "gram_parts.h"
#include <math.h>
#include <string.h>

enum {
  WIDE_MIN = 240,      /* columns */
  PANEL_VALUES = 1728, /* of a panel; two of them fit the first-level cache */
  MIN_DEPTH = 96,      /* rows of a panel */
  MAX_DEPTH = 248,     /* not 256: panels a power of two apart share cache lines */
  MIN_CHUNK_ROWS = 1024,
  MAX_CHUNKS = 64,
  PARTS_BYTES = 8 << 20,  /* of the partial results of all chunks, */
  PARTS_SHARE = 32,       /* or this fraction of the rows: many cores need many chunks */
  SHARED_BYTES = 5 << 20, /* of one packed chunk, while G is wide */
  MAX_SHARED_PANELS = 6,
  BLOCK = 132, /* columns of a block of G */
  MIN_BLOCKS = 5,
  PACK_WIDTH = 480,   /* columns packed by one task */
  SMALL_SUM = 1 << 15 /* partial values that are added sooner than a thread wakes */
};

/* Pack columns from .. to-1 of [X Y 1]. `right` begins with the panel of `from`. */
static void pack_cols(const struct mn_gram_work *s, size_t row, size_t k, size_t from, size_t to, double *right)
{
  static const double zero = 0, one = 1;
  const size_t nr = s->g->nr, x_end = s->p, y_end = s->p + s->q;
  if (to > s->width) memset(right + (to - from - nr) * k, 0, sizeof(double) * nr * k);
  if (from < x_end)
    s->g->pack_shifted(0, mn_min_size(to, x_end) - from, k, s->x + row * s->ldx + from, s->ldx, s->shift + from, right);
  if (to > x_end && from < y_end) {
    const size_t begin = from > x_end ? from : x_end;
    s->g->pack_shifted(begin - from, mn_min_size(to, y_end) - begin, k, s->y + row * s->ldy + (begin - x_end), s->ldy,
                       s->shift + begin, right);
  }
  if (to > y_end && s->width > y_end) s->g->pack_shifted(y_end - from, 1, k, &one, 0, &zero, right);
}

/* Add k rows to one block of G, or to its upper triangle (and the rest of the diagonal tiles) if it is on the diagonal.
 */
static void multiply_add(const struct mn_gram_work *s, size_t rows, size_t cols, bool diagonal, size_t k,
                         const double *left, const double *right, double beta, double *partial)
{
  const size_t mr = s->g->mr, nr = s->g->nr;
  for (size_t j = 0; j < cols; j += nr)
    for (size_t i = 0; i < (diagonal ? j + nr : rows); i += mr)
      s->g->tile(k, left + i / nr * nr * k + i % nr, 1, nr, right + j * k, 1, beta, partial + i * s->padded + j,
                 s->padded, mr, nr);
}

/* Add one chunk of rows to its partial G. */
static void add_chunk(void *work, size_t chunk, size_t worker)
{
  const struct mn_gram_work *s = work;
  const size_t end = mn_block_end(&s->chunks, chunk);
  double *right = s->packed + worker * s->packed_size, *left = right;
  double *partial = s->partial + chunk * s->padded * s->padded, beta = 0;
  for (size_t row = mn_block_begin(&s->chunks, chunk); row < end; row += s->depth, beta = 1) {
    const size_t k = mn_min_size(s->depth, end - row);
    pack_cols(s, row, k, 0, s->padded, right);
    if (s->w) {
      left = s->weighted + worker * s->weighted_size;
      s->g->multiply_weights(s->padded / s->g->nr, k, right, s->w + row, left);
    }
    multiply_add(s, s->padded, s->padded, true, k, left, right, beta, partial);
  }
}

static void add_parts(void *work, size_t i, size_t worker)
{
  const struct mn_gram_work *s = work;
  (void)worker;
  s->g->sum_parts(s->chunks.count, s->padded * s->padded, s->width - i, s->partial + i * s->padded + i, 0,
                  s->sum + i * s->ld + i);
}

/* A round of a wide G: one packed chunk is added to all blocks of G while the next one is packed. */
struct round {
  const struct mn_gram_work *s;
  size_t chunk, blocks, pack_tasks; /* tasks: first the blocks of G, then the parts of the next chunk to pack */
  size_t pack_tasks_per_depth;
};

static double *packed_at(const struct mn_gram_work *s, size_t chunk, size_t row)
{
  return s->packed + chunk % 2 * s->packed_size + (row - mn_block_begin(&s->chunks, chunk)) * s->padded;
}

static void pack_part(const struct round *r, size_t chunk, size_t pack_task)
{
  const struct mn_gram_work *s = r->s;
  const size_t row = mn_block_begin(&s->chunks, chunk) + pack_task / r->pack_tasks_per_depth * s->depth;
  const size_t end = mn_block_end(&s->chunks, chunk);
  if (row >= end) return;
  const size_t k = mn_min_size(s->depth, end - row), width = PACK_WIDTH / s->g->nr * s->g->nr;
  const size_t from = pack_task % r->pack_tasks_per_depth * width;
  pack_cols(s, row, k, from, mn_min_size(from + width, s->padded), packed_at(s, chunk, row) + from * k);
}

/* Maps a task to a block (bi, bj). Off-diagonal blocks come first since they are larger: (0,1) (0,2) (1,2) (0,3) ... */
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
    const size_t k = mn_min_size(s->depth, end - row);
    const double *packed = packed_at(s, r->chunk, row), *left = packed + i * k;
    if (s->w) {
      double *weighted = s->weighted + worker * s->weighted_size;
      s->g->multiply_weights(rows / nr, k, left, s->w + row, weighted);
      left = weighted;
    }
    multiply_add(s, rows, cols, bi == bj, k, left, packed + j * k, row == 0 ? 0 : 1, s->partial + i * s->padded + j);
  }
}

static void block_or_pack_task(void *work, size_t task, size_t worker)
{
  const struct round *r = work;
  if (task < r->blocks)
    add_block(r, task, worker);
  else
    pack_part(r, r->chunk + 1, task - r->blocks);
}

static void pack_first(void *work, size_t pack_task, size_t worker)
{
  (void)worker;
  pack_part(work, 0, pack_task);
}

static mn_status wide_pass(mn_context *ctx, struct mn_gram_work *s)
{
  const size_t width = PACK_WIDTH / s->g->nr * s->g->nr, across = (s->padded + width - 1) / width;
  struct round r = { .s = s, .blocks = s->cols.count * (s->cols.count + 1) / 2, .pack_tasks_per_depth = across };
  r.pack_tasks = across * ((s->chunks.size + s->depth - 1) / s->depth);
  MN_TRY(mn_parallel(ctx, r.pack_tasks, pack_first, &r));
  for (; r.chunk < s->chunks.count; r.chunk++)
    MN_TRY(mn_parallel(ctx, r.blocks + (r.chunk + 1 < s->chunks.count ? r.pack_tasks : 0), block_or_pack_task, &r));
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

static void choose_sizes(struct mn_gram_work *s)
{
  const size_t nr = s->g->nr, panels = (s->width + nr - 1) / nr;
  s->padded = panels * nr;
  s->wide = s->width >= WIDE_MIN;
  s->depth = PANEL_VALUES / nr;
  s->depth = s->depth > MAX_DEPTH ? MAX_DEPTH : s->depth < MIN_DEPTH ? MIN_DEPTH : s->depth;
  s->ld = s->wide ? s->padded : s->width;
  if (s->wide) {
    const size_t panel_count = SHARED_BYTES / (s->padded * s->depth * sizeof(double));
    s->chunks =
        mn_make_blocks(s->n, s->depth * (panel_count < 1 ? 1 : mn_min_size(panel_count, MAX_SHARED_PANELS)), s->n);
    const size_t max_count = (panels + MIN_BLOCKS - 1) / MIN_BLOCKS;
    s->cols = mn_make_blocks(panels, mn_min_size(max_count, BLOCK / nr), panels);
  } else {
    const double bytes = fmax(PARTS_BYTES, (double)s->n * (double)s->width * sizeof(double) / PARTS_SHARE);
    const double max_count = bytes / ((double)s->padded * (double)s->padded * sizeof(double));
    s->chunks = mn_make_blocks(s->n, MIN_CHUNK_ROWS, (size_t)fmin(MAX_CHUNKS, max_count));
    s->cols = mn_make_blocks(panels, panels, 1);
  }
}

mn_status mn_gram_prepare(mn_context *ctx, struct mn_gram_work *s)
{
  choose_sizes(s);
  s->packed_size = s->padded * (s->wide ? mn_min_size(s->chunks.size, s->n) : s->depth);
  s->weighted_size = s->cols.size * s->g->nr * s->depth;
  MN_CHECK_ALLOC(s->packed = MN_RAW(ctx, double, s->wide ? 2 : mn_threads(ctx), s->packed_size));
  if (s->w) MN_CHECK_ALLOC(s->weighted = MN_RAW(ctx, double, mn_threads(ctx), s->weighted_size));
  MN_CHECK_ALLOC(s->partial =
                     mn_scratch_raw(ctx, sizeof(double) * s->padded, s->padded, s->wide ? 1 : s->chunks.count));
  s->sum = s->partial;
  if (!s->wide) MN_CHECK_ALLOC(s->sum = MN_RAW(ctx, double, s->width, s->width));
  MN_CHECK_ALLOC(s->shift = MN_NEW(ctx, double, s->width, 1));
  return MN_OK;
}
