/* Collecting neighbors, and searches that compute all distances. */
#include "neighbor_search.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum {
  STRIP = 16,    /* queries of a task                               */
  CHUNK = 64,    /* rows scanned at a time                          */
  MAX_LIST = 16, /* neighbors up to which a sorted list is faster than a heap */
  MIN_POOL = 64  /* neighbors from which selection is faster than a heap      */
};

size_t mn_collector_pool_size(const mn_neighbor_search *s)
{
  return s->k >= MIN_POOL ? 2 * s->k : 0;
}

mn_collector mn_collector_begin(const mn_neighbor_search *s, size_t query, mn_candidate *pool)
{
  mn_collector c = { .search = s, .query = query, .limit = INFINITY, .pool = pool };
  if (pool) return c;
  if (s->k > 0) {
    c.heap = s->nearest + query * s->k;
    mn_heap_clear(c.heap, s->k);
    return c;
  }
  c.limit = mn_space_scan_limit(s->space, mn_space_reduce(s->space, s->radius));
  if (s->lists) c.list = s->lists + s->start[query];
  return c;
}

/* Keep the k nearest of the pool. */
static void reduce_pool(mn_collector *c)
{
  const mn_neighbor_search *s = c->search;
  mn_select_nearest(c->pool, c->count, s->k);
  c->count = s->k;
  c->limit = fmin(c->limit, mn_space_scan_limit(s->space, c->pool[s->k - 1].value));
}

/* Insert into the k nearest in order, without the last. */
static void insert(mn_candidate *nearest, size_t k, mn_candidate item)
{
  size_t at = k - 1;
  if (!mn_is_nearer(item, nearest[at])) return;
  for (; at > 0 && mn_is_nearer(item, nearest[at - 1]); at--) nearest[at] = nearest[at - 1];
  nearest[at] = item;
}

void mn_collector_add_reduced(mn_collector *c, double reduced, int32_t row)
{
  const mn_neighbor_search *s = c->search;
  const double value = reduced < INFINITY ? reduced : INFINITY; /* NaN by overflow counts as infinitely far */
  if (s->others && (size_t)row == c->query) return;
  if (c->pool) {
    c->pool[c->count++] = (mn_candidate){ value, row };
    if (c->count == mn_collector_pool_size(s)) reduce_pool(c);
    return;
  }
  if (c->heap) {
    if (s->k <= MAX_LIST)
      insert(c->heap, s->k, (mn_candidate){ value, row });
    else
      mn_heap_offer(c->heap, s->k, (mn_candidate){ value, row });
    const double farthest = c->heap[s->k <= MAX_LIST ? s->k - 1 : 0].value;
    c->limit = s->exact ? farthest : mn_space_scan_limit(s->space, farthest);
    return;
  }
  const double distance = mn_space_distance(s->space, value);
  if (!(distance <= s->radius)) return;
  if (c->list) c->list[c->count] = (mn_candidate){ distance, row };
  c->count++;
}

void mn_collector_add(mn_collector *c, double scanned, int32_t row)
{
  const mn_neighbor_search *s = c->search;
  double reduced = scanned;
  if (!s->exact && s->space->kind == MN_METRIC_HAVERSINE)
    reduced = mn_space_measure(s->space, s->queries->x + c->query * 2, s->rows->x + (size_t)row * 2);
  else if (!s->exact) {
    const size_t width = (size_t)s->space->width;
    reduced =
        mn_space_measure(s->space, s->embedded_queries + c->query * width, s->embedded_rows + (size_t)row * width);
  }
  mn_collector_add_reduced(c, reduced, row);
}

void mn_collector_end(mn_collector *c)
{
  const mn_neighbor_search *s = c->search;
  if (c->pool) {
    reduce_pool(c);
    if (!s->unordered) mn_sort_nearest(c->pool, s->k);
    memcpy(s->nearest + c->query * s->k, c->pool, s->k * sizeof *c->pool);
  } else if (c->heap) {
    if (s->k > MAX_LIST) mn_heap_sort(c->heap, s->k);
  } else if (!c->list)
    s->start[c->query + 1] = c->count;
}

/* A strip of queries against all rows, in chunks of rows that are copied by column. */
struct scan {
  const mn_neighbor_search *search;
  mn_blocks strips;
  double *chunk; /* workers x width x CHUNK */
};

/* The rows after the last one are copies of it, which are not used. */
static void copy_columns(size_t n, size_t width, const double *rows, double *points)
{
  for (size_t i = 0; i < CHUNK; i++)
    for (size_t j = 0; j < width; j++) points[j * CHUNK + i] = rows[(i < n ? i : n - 1) * width + j];
}

static void scan_strip(void *work, size_t strip, size_t worker)
{
  const struct scan *w = work;
  const mn_neighbor_search *s = w->search;
  const size_t width = (size_t)s->space->width, begin = mn_block_begin(&w->strips, strip);
  const size_t queries = mn_block_end(&w->strips, strip) - begin;
  double *points = w->chunk + worker * width * CHUNK, value[CHUNK];
  mn_collector collector[STRIP];
  for (size_t q = 0; q < queries; q++) collector[q] = mn_collector_begin(s, begin + q, NULL);
  const mn_cancel_token token = { s->ctx, worker };
  for (size_t from = 0; from < s->rows->n && mn_task_should_continue(&token); from += CHUNK) {
    const size_t n = s->rows->n - from < CHUNK ? s->rows->n - from : CHUNK;
    copy_columns(n, width, s->embedded_rows + from * width, points);
    for (size_t q = 0; q < queries; q++) {
      const double *query = s->embedded_queries + (begin + q) * width;
      mn_block_distances((mn_distance_form)s->space->form, s->space->p, CHUNK, CHUNK, width, points, query, value);
      for (size_t i = 0; i < n; i++)
        if (!(value[i] > collector[q].limit)) mn_collector_add(&collector[q], value[i], (int32_t)(from + i));
    }
  }
  for (size_t q = 0; q < queries; q++) mn_collector_end(&collector[q]);
}

mn_status mn_search_scan(mn_context *ctx, const mn_neighbor_search *s)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct scan w = { .search = s, .strips = mn_make_blocks(s->queries->n, STRIP, SIZE_MAX) };
  w.chunk = MN_RAW(ctx, double, mn_threads(ctx), (size_t)s->space->width *CHUNK);
  MN_CHECK_ALLOC(w.chunk);
  MN_TRY(mn_parallel(ctx, w.strips.count, scan_strip, &w));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Sparse rows: products with the query, in a dense copy, exclude most rows; the others are measured. */
struct sparse_search {
  const mn_neighbor_search *search;
  double *norm2; /* rows: squared lengths                           */
  double *dense; /* workers x columns, zero except during a query   */
};

static double sparse_norm2(const mn_csr *s, size_t row)
{
  double sum = 0;
  for (size_t e = s->start[row]; e < s->start[row + 1]; e++) sum += s->at[e] * s->at[e];
  return sum;
}

/* Whether the squared distance of row i from the query is certainly above the limit, allowing for cancellation. */
static bool is_beyond(const struct sparse_search *w, size_t i, const double *query, double norm2, double limit)
{
  const mn_csr *x = w->search->rows->sparse;
  const double both = w->norm2[i] + norm2;
  double dot = 0;
  for (size_t e = x->start[i]; e < x->start[i + 1]; e++) dot += x->at[e] * query[x->col[e]];
  return both - 2 * dot - 4 * DBL_EPSILON * ((double)x->cols + 8) * both > limit;
}

static double measure_sparse(const struct sparse_search *w, size_t query, size_t row, double norm2)
{
  const mn_neighbor_search *s = w->search;
  const mn_csr *x = s->rows->sparse, *q = s->queries->sparse;
  const size_t from = x->start[row], at = q->start[query];
  if (s->space->kind == MN_METRIC_COSINE && !(norm2 > 0 && w->norm2[row] > 0)) return 2; /* 0 is at a right angle */
  return mn_space_measure_sparse(s->space, q->start[query + 1] - at, q->col + at, q->at + at, x->start[row + 1] - from,
                                 x->col + from, x->at + from);
}

static void search_sparse_query(void *work, size_t query, size_t worker)
{
  const struct sparse_search *w = work;
  const mn_neighbor_search *s = w->search;
  const mn_cancel_token token = { s->ctx, worker };
  const mn_csr *q = s->queries->sparse;
  const double norm2 = sparse_norm2(q, query);
  const bool products = s->space->form == MN_FORM_SQUARES;
  double *dense = w->dense + worker * q->cols;
  mn_collector c = mn_collector_begin(s, query, NULL);
  for (size_t e = q->start[query]; e < q->start[query + 1]; e++) dense[q->col[e]] = q->at[e];
  for (size_t i = 0; i < s->rows->n; i++) {
    if (i % MN_CHUNK == MN_CHUNK - 1 && !mn_task_should_continue(&token)) break;
    if (products && is_beyond(w, i, dense, norm2, c.limit)) continue;
    const double reduced = measure_sparse(w, query, i, norm2);
    if (!(reduced > c.limit)) mn_collector_add_reduced(&c, reduced, (int32_t)i);
  }
  for (size_t e = q->start[query]; e < q->start[query + 1]; e++) dense[q->col[e]] = 0;
  mn_collector_end(&c);
}

mn_status mn_search_sparse(mn_context *ctx, const mn_neighbor_search *s)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct sparse_search w = { .search = s,
                             .norm2 = MN_RAW(ctx, double, s->rows->n, 1),
                             .dense = MN_NEW(ctx, double, mn_threads(ctx), s->rows->d) };
  if (!w.norm2 || !w.dense) return MN_NO_MEMORY;
  for (size_t i = 0; i < s->rows->n; i++) w.norm2[i] = sparse_norm2(s->rows->sparse, i);
  MN_TRY(mn_parallel(ctx, s->queries->n, search_sparse_query, &w));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static void search_precomputed_query(void *work, size_t query, size_t worker)
{
  (void)worker;
  const mn_neighbor_search *s = work;
  const double *distance = s->queries->x + query * s->rows->n;
  mn_collector c = mn_collector_begin(s, query, NULL);
  for (size_t i = 0; i < s->rows->n; i++)
    if (!(distance[i] > c.limit)) mn_collector_add_reduced(&c, distance[i], (int32_t)i);
  mn_collector_end(&c);
}

mn_status mn_search_precomputed(mn_context *ctx, const mn_neighbor_search *s)
{
  return mn_parallel(ctx, s->queries->n, search_precomputed_query, (void *)(uintptr_t)s);
}
