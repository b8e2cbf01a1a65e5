/* The k nearest rows. A strip of queries is multiplied with the packed rows, a chunk at a time; lower bounds on
 * distances that beat the worst one kept go into a heap for each query, and float64 decides. If the rows vary in few
 * directions, the bounds come from projections to few columns (projection.h). */
#include "nearest.h"
#include "../core/threads.h"
#include "../linalg/gemm.h"
#include "../linalg/ordered.h"
#include "../linalg/screen.h"
#include "candidates.h"
#include "projection.h"
#include <math.h>
#include <string.h>

enum {
  STRIP = 96,                 /* queries at a time */
  CHUNK = 384,                /* rows at a time: a multiple of every nr */
  MAX_FLOAT_COLUMNS = 100000, /* up to which float32 still separates neighbors */
  MAX_DIRECT_QUERIES = 8,     /* up to this many queries are measured without packing the rows */
  MIN_QUERIES = 512,          /* that repay a projection of the rows */
  MIN_PAIRS = 1 << 22,        /* of queries and rows that repay testing one */
  MIN_COLUMNS = 256,
  PROJECTED_COLUMNS = 64,
  PART_VALUES = 1 << 15,
  MAX_PARTS = 16
};

struct search {
  const mn_product_kernels *kernels;
  const mn_gemm_kernel *g;
  size_t m, n, d, k, heap_size, padded; /* heap_size: candidates for each query */
  bool others;
  const double *queries, *rows;
  mn_projection projection; /* width 0: none */
  size_t width;             /* columns screened: d, or those of the projection */
  mn_screen screen;         /* of the rows, or of their projections */
  double scale;             /* of the screened values */
  char *bias; /* padded: |row|^2 / 2 minus its part of the error bound; large for the padding after the n-th */
  mn_blocks strips;
  int32_t *index;
  double *distance2;
  char *work; /* for each worker: heaps, projections, strip, scores, and left operand or workspace of the projection */
  size_t heap_bytes, projection_bytes, strip_bytes, score_bytes, work_bytes;
};

/* NaN counts as infinitely far, so that the order is total. */
static double distance2(const struct search *s, size_t query, size_t row)
{
  const double value = mn_ordered_distance2(s->d, s->queries + query * s->d, s->rows + row * s->d);
  return value <= DBL_MAX ? value : INFINITY;
}

/* Longer queries have no valid float32 scores. */
static bool is_screened(double norm2)
{
  return norm2 <= FLT_MAX / 16;
}

/* Rows with a larger score are certainly farther than `farthest` from a screened query. The last term covers products
 * that underflow. */
static double score_bound(const struct search *s, double norm2, double farthest)
{
  const double rounding = 4 * DBL_EPSILON * ((double)s->d + 4), underflow = FLT_MIN * ((double)s->width + 4);
  return (farthest * s->scale * s->scale * (1 + rounding) - norm2 * (1 - 2 * s->screen.error)) / 2 + underflow;
}

static bool is_beyond(const struct search *s, double value, double norm2, double farthest)
{
  return is_screened(norm2) && value > score_bound(s, norm2, farthest);
}

/* Measure the candidates in order of their scores until the others are certainly farther, and sort the k nearest.
 * Returns whether they are certainly the neighbors: rows outside the heap score at least as high as its top. */
static bool decide(const struct search *s, size_t query, double norm2, mn_candidate *heap)
{
  const double worst = heap[0].value;
  if (heap[0].index == INT32_MAX) return false;
  mn_heap_sort(heap, s->heap_size);
  for (size_t c = 0; c < s->k; c++) heap[c].value = distance2(s, query, (size_t)heap[c].index);
  mn_heap_rebuild(heap, s->k);
  bool certain = s->heap_size == s->n - (s->others ? 1 : 0);
  for (size_t c = s->k; c < s->heap_size; c++) {
    if (is_beyond(s, heap[c].value, norm2, heap[0].value)) {
      certain = true;
      break;
    }
    mn_heap_offer(heap, s->k, (mn_candidate){ distance2(s, query, (size_t)heap[c].index), heap[c].index });
  }
  certain = certain || is_beyond(s, worst, norm2, heap[0].value);
  mn_heap_sort(heap, s->k);
  return certain;
}

static void measure_query(const struct search *s, size_t query, mn_candidate *heap)
{
  mn_heap_clear(heap, s->k);
  for (size_t row = 0; row < s->n; row++)
    if (!s->others || row != query) mn_heap_offer(heap, s->k, (mn_candidate){ distance2(s, query, row), (int32_t)row });
  mn_heap_sort(heap, s->k);
}

/* Offer one chunk of rows to the heap of one query. */
static void offer_chunk(const struct search *s, size_t query, size_t from, size_t cols, const char *score,
                        mn_candidate *heap)
{
  int32_t index[CHUNK];
  double value[CHUNK];
  const double limit = fmin(heap[0].value, FLT_MAX / 8); /* the kernels require finite limits */
  const size_t found = s->g->find_below(cols, score, s->bias + from * s->g->size, limit, index, value);
  for (size_t f = 0; f < found; f++) {
    const size_t row = from + (size_t)index[f];
    if (row < s->n && !(s->others && row == query))
      mn_heap_offer(heap, s->heap_size, (mn_candidate){ value[f], (int32_t)row });
  }
}

static void store_neighbors(const struct search *s, size_t query, const mn_candidate *heap)
{
  for (size_t i = 0; i < s->k; i++) {
    s->index[query * s->k + i] = heap[i].index;
    s->distance2[query * s->k + i] = heap[i].value;
  }
}

/* A query whose candidates did not determine its neighbors. */
struct unresolved {
  size_t query;
  double norm2, farthest; /* the k-th nearest is at most this far */
  mn_candidate *heap;
};

/* Screen all rows again, and measure every row that may be nearer than the k-th. */
static void screen_again(const struct search *s, size_t count, const struct unresolved *unresolved,
                         const char *converted, char *score, char *work)
{
  int32_t index[CHUNK];
  double value[CHUNK];
  for (size_t o = 0; o < count; o++) mn_heap_clear(unresolved[o].heap, s->k);
  for (size_t from = 0; from < s->padded; from += CHUNK) {
    const size_t cols = mn_min_size(CHUNK, s->padded - from);
    mn_gemm_packed(s->g, count, s->n, s->width, -1, (mn_operand){ converted, s->width, 1 }, s->screen.packed, from,
                   cols, 0, score, cols, work);
    for (size_t o = 0; o < count; o++) {
      const double at = score_bound(s, unresolved[o].norm2, fmin(unresolved[o].farthest, unresolved[o].heap[0].value));
      const double limit = at + 4 * FLT_EPSILON * fabs(at) + FLT_MIN; /* also as a float an upper bound */
      const size_t found =
          s->g->find_below(cols, score + o * cols * s->g->size, s->bias + from * s->g->size, limit, index, value);
      for (size_t f = 0; f < found; f++) {
        const size_t row = from + (size_t)index[f];
        if (row >= s->n || (s->others && row == unresolved[o].query)) continue;
        mn_heap_offer(unresolved[o].heap, s->k, (mn_candidate){ distance2(s, unresolved[o].query, row), (int32_t)row });
      }
    }
  }
  for (size_t o = 0; o < count; o++) {
    mn_heap_sort(unresolved[o].heap, s->k);
    store_neighbors(s, unresolved[o].query, unresolved[o].heap);
  }
}

/* Find the neighbors of a strip of queries from their candidates; unresolved queries are moved to the front and
 * screened again. */
static void resolve_strip(const struct search *s, size_t begin, size_t queries, const double *norm2,
                          mn_candidate *heaps, char *converted, char *score, char *work)
{
  const size_t row_bytes = s->width * s->g->size;
  struct unresolved unresolved[STRIP];
  size_t count = 0;
  for (size_t q = 0; q < queries; q++) {
    mn_candidate *heap = heaps + q * s->heap_size;
    const bool full = heap[0].index != INT32_MAX, resolved = decide(s, begin + q, norm2[q], heap);
    const double farthest = full ? heap[s->k - 1].value : INFINITY;
    if (!resolved && is_screened(norm2[q]) && score_bound(s, norm2[q], farthest) < FLT_MAX / 16) {
      memmove(converted + count * row_bytes, converted + q * row_bytes, row_bytes);
      unresolved[count++] = (struct unresolved){ begin + q, norm2[q], farthest, heap };
      continue;
    }
    if (!resolved) measure_query(s, begin + q, heap);
    store_neighbors(s, begin + q, heap);
  }
  if (count > 0) screen_again(s, count, unresolved, converted, score, work);
}

static void search_strip(void *work, size_t strip, size_t worker)
{
  const struct search *s = work;
  const size_t begin = mn_block_begin(&s->strips, strip), queries = mn_block_end(&s->strips, strip) - begin;
  char *at = s->work + worker * s->work_bytes;
  mn_candidate *heaps = (mn_candidate *)(void *)at;
  double *projected = (double *)(void *)(at + s->heap_bytes), norm2[STRIP];
  char *converted = at + s->heap_bytes + s->projection_bytes;
  char *score = converted + s->strip_bytes, *scratch = score + s->score_bytes;
  const double *from_queries = s->queries + begin * s->d;
  if (s->projection.width > 0) mn_projection_apply(&s->projection, queries, from_queries, projected, scratch);
  s->g->convert(queries, s->width, s->projection.width > 0 ? projected : from_queries, s->screen.shift, s->screen.scale,
                converted, norm2);
  mn_heap_clear(heaps, queries * s->heap_size);
  for (size_t from = 0; from < s->padded; from += CHUNK) {
    const size_t cols = mn_min_size(CHUNK, s->padded - from);
    mn_gemm_packed(s->g, queries, s->n, s->width, -1, (mn_operand){ converted, s->width, 1 }, s->screen.packed, from,
                   cols, 0, score, cols, scratch);
    for (size_t q = 0; q < queries; q++)
      offer_chunk(s, begin + q, from, cols, score + q * cols * s->g->size, heaps + q * s->heap_size);
  }
  resolve_strip(s, begin, queries, norm2, heaps, converted, score, scratch);
}

/* A few queries: the k nearest in each part of the rows, then among those. */
struct direct_search {
  const struct search *s;
  mn_blocks parts;
  mn_candidate *heap; /* queries x parts x k */
};

static void measure_part(void *work, size_t item, size_t worker)
{
  (void)worker;
  const struct direct_search *w = work;
  const struct search *s = w->s;
  const size_t query = item / w->parts.count, part = item % w->parts.count, end = mn_block_end(&w->parts, part);
  mn_candidate *heap = w->heap + item * s->k;
  mn_heap_clear(heap, s->k);
  for (size_t row = mn_block_begin(&w->parts, part); row < end; row++)
    if (!s->others || row != query) mn_heap_offer(heap, s->k, (mn_candidate){ distance2(s, query, row), (int32_t)row });
}

static mn_status search_directly(mn_context *ctx, const struct search *s)
{
  struct direct_search w = { .s = s, .parts = mn_make_blocks(s->n, PART_VALUES / (s->d + 1) + 1, MAX_PARTS) };
  const size_t each = w.parts.count * s->k;
  w.heap = MN_RAW(ctx, mn_candidate, s->m, each);
  MN_CHECK_ALLOC(w.heap);
  MN_TRY(mn_parallel(ctx, s->m * w.parts.count, measure_part, &w));
  for (size_t q = 0; q < s->m; q++) {
    mn_candidate *heap = w.heap + q * each;
    for (size_t i = s->k; i < each; i++) mn_heap_offer(heap, s->k, heap[i]);
    mn_heap_sort(heap, s->k);
    store_neighbors(s, q, heap);
  }
  return MN_OK;
}

/* Screen projections of the rows if that saves work and no row is too long for float32. */
static mn_status screen_projections(mn_context *ctx, struct search *s, double **norm2)
{
  bool pays;
  s->projection.width = 0;
  if (s->d < MIN_COLUMNS || s->m < MIN_QUERIES || s->n < MIN_PAIRS / s->m) return MN_OK;
  if (s->k > s->n / PROJECTED_COLUMNS) return MN_OK;
  mn_projection projection;
  MN_TRY(mn_projection_init(ctx, &projection, s->n, s->d, PROJECTED_COLUMNS, s->rows));
  MN_TRY(mn_projection_pays(ctx, &projection, s->m, s->queries, s->n, s->rows, s->k, &pays));
  if (!pays) return MN_OK;
  double *projected = MN_RAW(ctx, double, s->n, projection.width);
  MN_CHECK_ALLOC(projected);
  MN_TRY(mn_projection_rows(ctx, &projection, s->n, s->rows, projected));
  MN_TRY(mn_screen_init(ctx, &s->screen, s->g, s->n, projection.width, projected, false, norm2));
  s->screen.error += 2 * projection.slack;
  for (size_t i = 0; i < s->n; i++)
    if (!((*norm2)[i] <= FLT_MAX)) return MN_OK;
  s->projection = projection;
  return MN_OK;
}

static mn_status screen_rows(mn_context *ctx, struct search *s)
{
  double *norm2;
  MN_TRY(screen_projections(ctx, s, &norm2));
  const bool full = s->projection.width == 0;
  s->width = full ? s->d : s->projection.width;
  if (full) MN_TRY(mn_screen_init(ctx, &s->screen, s->g, s->n, s->d, s->rows, true, &norm2));
  s->scale = s->screen.scale * (full ? 1 : s->projection.scale);
  s->padded = mn_round_up(s->n, s->g->nr);
  s->bias = mn_scratch_raw(ctx, s->g->size, s->padded, 1);
  MN_CHECK_ALLOC(s->bias);
  for (size_t j = 0; j < s->padded; j++) {
    const double bias = j < s->n ? norm2[j] / 2 * (1 - s->screen.error) : FLT_MAX / 4;
    if (s->g->size == sizeof(float))
      ((float *)(void *)s->bias)[j] = (float)bias;
    else
      ((double *)(void *)s->bias)[j] = bias;
  }
  return MN_OK;
}

static mn_status prepare(mn_context *ctx, struct search *s)
{
  MN_TRY(screen_rows(ctx, s));
  const bool full = s->projection.width == 0;
  s->heap_size = mn_min_size(full ? s->k + s->k / 2 + 8 : 4 * s->k + 24, s->n - (s->others ? 1 : 0));
  s->strips = mn_make_blocks(s->m, STRIP, s->m);
  s->heap_bytes = mn_round_up(STRIP * s->heap_size * sizeof(mn_candidate), 64);
  s->projection_bytes = mn_round_up(STRIP * s->projection.width * sizeof(double), 64);
  s->strip_bytes = mn_round_up(STRIP * s->width * s->g->size, 64);
  s->score_bytes = STRIP * CHUNK * s->g->size;
  const size_t product = mn_gemm_left_bytes(s->g, STRIP, s->width),
               projected = full ? 0 : mn_projection_workspace(&s->projection);
  s->work_bytes = s->heap_bytes + s->projection_bytes + s->strip_bytes + s->score_bytes +
                  (product > projected ? product : projected);
  s->work = MN_RAW(ctx, char, mn_threads(ctx), s->work_bytes);
  MN_CHECK_ALLOC(s->work);
  return MN_OK;
}

mn_status mn_nearest_rows(mn_context *ctx, size_t m, size_t n, size_t d, const double *queries, const double *rows,
                          size_t k, bool others, int32_t *index, double *distance2_)
{
  const size_t max_k = others && n > 0 ? n - 1 : n;
  if (!(k >= 1 && k <= max_k))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "nearest rows: k must be from 1 to the number of rows, %zu, got %zu", max_k,
                   k);
  if (n > INT32_MAX)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "nearest rows: the number of rows must be at most %d, got %zu", INT32_MAX, n);
  struct search s = { .kernels = mn_kernels(),
                      .m = m,
                      .n = n,
                      .d = d,
                      .k = k,
                      .others = others,
                      .queries = queries,
                      .rows = rows,
                      .index = index,
                      .distance2 = distance2_ };
  s.g = d <= MAX_FLOAT_COLUMNS ? s.kernels->f32 : s.kernels->f64;
  const mn_mark mark = mn_scratch_mark(ctx);
  if (m <= MAX_DIRECT_QUERIES) {
    MN_TRY(search_directly(ctx, &s));
  } else {
    MN_TRY(prepare(ctx, &s));
    MN_TRY(mn_parallel(ctx, s.strips.count, search_strip, &s));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
