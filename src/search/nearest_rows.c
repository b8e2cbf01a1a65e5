/* The k nearest rows. A strip of queries is multiplied with the packed rows, a piece at a time; lower bounds of the
 * distances that beat the worst one kept go into a heap for each query. Then float64 decides. Where the rows vary in
 * few directions only, the bounds come from shadows of a few columns (shadow.h). */
#include "nearest.h"
#include "../core/threads.h"
#include "../linalg/gemm.h"
#include "../linalg/screen.h"
#include "shadow.h"
#include <math.h>
#include <string.h>

enum {
  STRIP = 96,            /* queries at a time */
  PIECE = 384,           /* rows at a time: a multiple of every nr */
  FLOAT_ENOUGH = 100000, /* columns for which float32 still tells neighbours apart */
  FEW_QUERIES = 8,       /* packing the rows would cost more than measuring them all */
  LEAST_QUERIES = 512,   /* that repay a shadow of the rows */
  LEAST_PAIRS = 1 << 22, /* of queries and rows that repay looking for one */
  LEAST_COLUMNS = 256,
  SHADOW_COLUMNS = 64,
  PART_VALUES = 1 << 15,
  MOST_PARTS = 16
};

struct near {
  double value;
  int32_t index;
};

struct search {
  const mn_product_kernels *kernels;
  const mn_gemm_kernel *g;
  size_t m, n, d, k, kept, padded; /* kept: candidates for each query */
  bool others;
  const double *queries, *rows;
  mn_shadow shadow; /* width 0: none */
  size_t width;     /* columns screened: d, or those of the shadow */
  mn_screen screen; /* of the rows, or of their shadows */
  double scale;     /* of all that is screened */
  char *bias;       /* padded: |row|^2 / 2 less its share of the error; beyond the n-th too large to matter */
  mn_blocks strips;
  int32_t *index;
  double *distance2;
  char *work; /* for each worker: heaps, shadows, strip, scores, left operand or the work of a shadow */
  size_t heap_bytes, shadow_bytes, strip_bytes, score_bytes, work_bytes;
};

static bool before(struct near a, struct near b)
{
  return a.value < b.value || (a.value == b.value && a.index < b.index);
}

static void sift_down(struct near *heap, size_t size, size_t i)
{
  const struct near item = heap[i];
  for (size_t child; (child = 2 * i + 1) < size; i = child) {
    if (child + 1 < size && before(heap[child], heap[child + 1])) child++;
    if (!before(item, heap[child])) break;
    heap[i] = heap[child];
  }
  heap[i] = item;
}

/* A heap with the farthest on top. It is full from the start, of rows that do not exist: INT32_MAX, infinitely far. */
static void clear(struct near *heap, size_t size)
{
  for (size_t i = 0; i < size; i++) heap[i] = (struct near){ INFINITY, INT32_MAX };
}

static void offer(struct near *heap, size_t size, struct near item)
{
  if (!before(item, heap[0])) return;
  heap[0] = item;
  sift_down(heap, size, 0);
}

static void sort(struct near *heap, size_t size)
{
  for (size_t i = size / 2; i-- > 0;) sift_down(heap, size, i);
  for (size_t last = size; last-- > 1;) {
    const struct near top = heap[0];
    heap[0] = heap[last];
    heap[last] = top;
    sift_down(heap, last, 0);
  }
}

/* NaN counts as far away, so that every order is a total one. */
static double distance2(const struct search *s, size_t query, size_t row)
{
  const double value = s->kernels->distance2(s->d, s->queries + query * s->d, s->rows + row * s->d);
  return value <= DBL_MAX ? value : INFINITY;
}

/* Shorter queries have float32 scores with all rows that are not certainly far. */
static bool screened(double norm2)
{
  return norm2 <= FLT_MAX / 16;
}

/* Rows with a larger score than this are farther than `farthest` for certain, of a screened query. The last term is for
 * products so small that they lose digits. */
static double score_at(const struct search *s, double norm2, double farthest)
{
  const double rounding = 4 * DBL_EPSILON * ((double)s->d + 4), least = FLT_MIN * ((double)s->width + 4);
  return (farthest * s->scale * s->scale * (1 + rounding) - norm2 * (1 - 2 * s->screen.error)) / 2 + least;
}

static bool beyond(const struct search *s, double value, double norm2, double farthest)
{
  return screened(norm2) && value > score_at(s, norm2, farthest);
}

/* Measure the candidates from the best score on, until the others are out of reach, and sort the k nearest by distance.
 * Are they the neighbours for certain? All rows that were not kept score no less than the heap's top. */
static bool decide(const struct search *s, size_t query, double norm2, struct near *heap)
{
  const double worst = heap[0].value;
  if (heap[0].index == INT32_MAX) return false;
  sort(heap, s->kept);
  for (size_t c = 0; c < s->k; c++) heap[c].value = distance2(s, query, (size_t)heap[c].index);
  for (size_t i = s->k / 2; i-- > 0;) sift_down(heap, s->k, i);
  bool certain = s->kept == s->n - (s->others ? 1 : 0);
  for (size_t c = s->k; c < s->kept; c++) {
    if (beyond(s, heap[c].value, norm2, heap[0].value)) {
      certain = true;
      break;
    }
    offer(heap, s->k, (struct near){ distance2(s, query, (size_t)heap[c].index), heap[c].index });
  }
  certain = certain || beyond(s, worst, norm2, heap[0].value);
  sort(heap, s->k);
  return certain;
}

static void measure_all(const struct search *s, size_t query, struct near *heap)
{
  clear(heap, s->k);
  for (size_t row = 0; row < s->n; row++)
    if (!s->others || row != query) offer(heap, s->k, (struct near){ distance2(s, query, row), (int32_t)row });
  sort(heap, s->k);
}

/* Offer one piece of rows to one query. */
static void scan(const struct search *s, size_t query, size_t from, size_t cols, const char *score, struct near *heap)
{
  int32_t index[PIECE];
  double value[PIECE];
  const double limit = fmin(heap[0].value, FLT_MAX / 8); /* the kernels know no infinity */
  const size_t found = s->g->below(cols, score, s->bias + from * s->g->size, limit, index, value);
  for (size_t f = 0; f < found; f++) {
    const size_t row = from + (size_t)index[f];
    if (row < s->n && !(s->others && row == query)) offer(heap, s->kept, (struct near){ value[f], (int32_t)row });
  }
}

static void write_out(const struct search *s, size_t query, const struct near *heap)
{
  for (size_t i = 0; i < s->k; i++) {
    s->index[query * s->k + i] = heap[i].index;
    s->distance2[query * s->k + i] = heap[i].value;
  }
}

/* A query that its candidates did not settle. */
struct open {
  size_t query;
  double norm2, farthest; /* the k-th nearest is no farther than this */
  struct near *heap;
};

/* All rows go by once more, and what may be nearer than the k-th is measured at once. */
static void search_again(const struct search *s, size_t count, const struct open *open, const char *converted,
                         char *score, char *left)
{
  int32_t index[PIECE];
  double value[PIECE];
  for (size_t o = 0; o < count; o++) clear(open[o].heap, s->k);
  for (size_t from = 0; from < s->padded; from += PIECE) {
    const size_t cols = mn_least(PIECE, s->padded - from);
    mn_gemm_packed(s->g, count, s->n, s->width, -1, (mn_operand){ converted, s->width, 1 }, s->screen.packed, from,
                   cols, 0, score, cols, left);
    for (size_t o = 0; o < count; o++) {
      const double at = score_at(s, open[o].norm2, fmin(open[o].farthest, open[o].heap[0].value));
      const double limit = at + 4 * FLT_EPSILON * fabs(at) + FLT_MIN; /* as a float it is above */
      const size_t found =
          s->g->below(cols, score + o * cols * s->g->size, s->bias + from * s->g->size, limit, index, value);
      for (size_t f = 0; f < found; f++) {
        const size_t row = from + (size_t)index[f];
        if (row >= s->n || (s->others && row == open[o].query)) continue;
        offer(open[o].heap, s->k, (struct near){ distance2(s, open[o].query, row), (int32_t)row });
      }
    }
  }
  for (size_t o = 0; o < count; o++) {
    sort(open[o].heap, s->k);
    write_out(s, open[o].query, open[o].heap);
  }
}

/* The neighbours of a strip of queries from their candidates; those not settled by them gather at the front. */
static void settle(const struct search *s, size_t begin, size_t queries, const double *norm2, struct near *heaps,
                   char *converted, char *score, char *left)
{
  const size_t row_bytes = s->width * s->g->size;
  struct open open[STRIP];
  size_t count = 0;
  for (size_t q = 0; q < queries; q++) {
    struct near *heap = heaps + q * s->kept;
    const bool full = heap[0].index != INT32_MAX, settled = decide(s, begin + q, norm2[q], heap);
    const double farthest = full ? heap[s->k - 1].value : INFINITY;
    if (!settled && screened(norm2[q]) && score_at(s, norm2[q], farthest) < FLT_MAX / 16) {
      memmove(converted + count * row_bytes, converted + q * row_bytes, row_bytes);
      open[count++] = (struct open){ begin + q, norm2[q], farthest, heap };
      continue;
    }
    if (!settled) measure_all(s, begin + q, heap);
    write_out(s, begin + q, heap);
  }
  if (count > 0) search_again(s, count, open, converted, score, left);
}

static void one_strip(void *work, size_t strip, size_t worker)
{
  const struct search *s = work;
  const size_t begin = mn_block_begin(&s->strips, strip), queries = mn_block_end(&s->strips, strip) - begin;
  char *at = s->work + worker * s->work_bytes;
  struct near *heaps = (struct near *)(void *)at;
  double *shadows = (double *)(void *)(at + s->heap_bytes), norm2[STRIP];
  char *converted = at + s->heap_bytes + s->shadow_bytes;
  char *score = converted + s->strip_bytes, *left = score + s->score_bytes;
  const double *from_queries = s->queries + begin * s->d;
  if (s->shadow.width > 0) mn_shadow_cast(&s->shadow, queries, from_queries, shadows, left);
  s->g->convert(queries, s->width, s->shadow.width > 0 ? shadows : from_queries, s->screen.shift, s->screen.scale,
                converted, norm2);
  clear(heaps, queries * s->kept);
  for (size_t from = 0; from < s->padded; from += PIECE) {
    const size_t cols = mn_least(PIECE, s->padded - from);
    mn_gemm_packed(s->g, queries, s->n, s->width, -1, (mn_operand){ converted, s->width, 1 }, s->screen.packed, from,
                   cols, 0, score, cols, left);
    for (size_t q = 0; q < queries; q++)
      scan(s, begin + q, from, cols, score + q * cols * s->g->size, heaps + q * s->kept);
  }
  settle(s, begin, queries, norm2, heaps, converted, score, left);
}

/* For a few queries: the k nearest in each part of the rows, then among those. */
struct direct {
  const struct search *s;
  mn_blocks parts;
  struct near *heap; /* queries x parts x k */
};

static void measure_part(void *work, size_t item, size_t worker)
{
  (void)worker;
  const struct direct *w = work;
  const struct search *s = w->s;
  const size_t query = item / w->parts.count, part = item % w->parts.count, end = mn_block_end(&w->parts, part);
  struct near *heap = w->heap + item * s->k;
  clear(heap, s->k);
  for (size_t row = mn_block_begin(&w->parts, part); row < end; row++)
    if (!s->others || row != query) offer(heap, s->k, (struct near){ distance2(s, query, row), (int32_t)row });
}

static mn_status search_directly(mn_context *ctx, const struct search *s)
{
  struct direct w = { .s = s, .parts = mn_make_blocks(s->n, PART_VALUES / (s->d + 1) + 1, MOST_PARTS) };
  const size_t each = w.parts.count * s->k;
  w.heap = MN_RAW(ctx, struct near, s->m, each);
  MN_CHECK_ALLOC(w.heap);
  MN_TRY(mn_parallel(ctx, s->m * w.parts.count, measure_part, &w));
  for (size_t q = 0; q < s->m; q++) {
    struct near *heap = w.heap + q * each;
    for (size_t i = s->k; i < each; i++) offer(heap, s->k, heap[i]);
    sort(heap, s->k);
    write_out(s, q, heap);
  }
  return MN_OK;
}

/* The shadows of the rows as what is screened, if they pay and none is too long. */
static mn_status screen_shadows(mn_context *ctx, struct search *s, double **norm2)
{
  bool pays;
  s->shadow.width = 0;
  if (s->d < LEAST_COLUMNS || s->m < LEAST_QUERIES || s->n < LEAST_PAIRS / s->m) return MN_OK;
  if (s->k > s->n / SHADOW_COLUMNS) return MN_OK;
  mn_shadow shadow;
  MN_TRY(mn_shadow_init(ctx, &shadow, s->n, s->d, SHADOW_COLUMNS, s->rows));
  MN_TRY(mn_shadow_pays(ctx, &shadow, s->m, s->queries, s->n, s->rows, s->k, &pays));
  if (!pays) return MN_OK;
  double *cast = MN_RAW(ctx, double, s->n, shadow.width);
  MN_CHECK_ALLOC(cast);
  MN_TRY(mn_shadow_rows(ctx, &shadow, s->n, s->rows, cast));
  MN_TRY(mn_screen_init(ctx, &s->screen, s->g, s->n, shadow.width, cast, false, norm2));
  s->screen.error += 2 * shadow.slack;
  for (size_t i = 0; i < s->n; i++)
    if (!((*norm2)[i] <= FLT_MAX)) return MN_OK;
  s->shadow = shadow;
  return MN_OK;
}

static mn_status screen_rows(mn_context *ctx, struct search *s)
{
  double *norm2;
  MN_TRY(screen_shadows(ctx, s, &norm2));
  const bool plain = s->shadow.width == 0;
  s->width = plain ? s->d : s->shadow.width;
  if (plain) MN_TRY(mn_screen_init(ctx, &s->screen, s->g, s->n, s->d, s->rows, true, &norm2));
  s->scale = s->screen.scale * (plain ? 1 : s->shadow.scale);
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
  const bool plain = s->shadow.width == 0;
  s->kept = mn_least(plain ? s->k + s->k / 2 + 8 : 4 * s->k + 24, s->n - (s->others ? 1 : 0));
  s->strips = mn_make_blocks(s->m, STRIP, s->m);
  s->heap_bytes = mn_round_up(STRIP * s->kept * sizeof(struct near), 64);
  s->shadow_bytes = mn_round_up(STRIP * s->shadow.width * sizeof(double), 64);
  s->strip_bytes = mn_round_up(STRIP * s->width * s->g->size, 64);
  s->score_bytes = STRIP * PIECE * s->g->size;
  const size_t left = mn_left_bytes(s->g, STRIP, s->width), cast = plain ? 0 : mn_shadow_bytes(&s->shadow);
  s->work_bytes = s->heap_bytes + s->shadow_bytes + s->strip_bytes + s->score_bytes + (left > cast ? left : cast);
  s->work = MN_RAW(ctx, char, mn_threads(ctx), s->work_bytes);
  MN_CHECK_ALLOC(s->work);
  return MN_OK;
}

mn_status mn_nearest_rows(mn_context *ctx, size_t m, size_t n, size_t d, const double *queries, const double *rows,
                          size_t k, bool others, int32_t *index, double *distance2_)
{
  const size_t most = others && n > 0 ? n - 1 : n;
  if (!(k >= 1 && k <= most))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "nearest rows: k must be from 1 to %zu, the rows there are, got %zu", most, k);
  if (n > INT32_MAX)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "nearest rows: there must be at most %d rows, got %zu", INT32_MAX, n);
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
  s.g = d <= FLOAT_ENOUGH ? s.kernels->f32 : s.kernels->f64;
  const mn_mark mark = mn_scratch_mark(ctx);
  if (m <= FEW_QUERIES) {
    MN_TRY(search_directly(ctx, &s));
  } else {
    MN_TRY(prepare(ctx, &s));
    MN_TRY(mn_parallel(ctx, s.strips.count, one_strip, &s));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
