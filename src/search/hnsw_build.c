#include "../core/rng.h"
#include "../core/threads.h"
#include "../linalg/screen.h"
#include "hnsw_search.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  EF_BUILD = 200, /* nodes collected for a new node */
  MAX_LEVEL = 12,
  GROWTH = 4,      /* a batch has at most a fourth of the rows before it ... */
  BATCHES = 50,    /* ... and a fiftieth of all rows */
  STRIP = 8,       /* nodes of a task */
  SAMPLE = 200,    /* queries by which ef is chosen */
  MIN_TUNED = 100, /* rows */
  MAX_EF = 4096
};

/* A link from a new node back to it: `to` gets the link. */
struct link {
  int32_t level, to, from;
};

struct build {
  mn_context *ctx;
  mn_hnsw *h;
  size_t begin, end; /* nodes of the batch */
  mn_blocks strips;
  struct link *links; /* of the batch, sorted */
  size_t *group;      /* groups + 1: where links to the same list begin */
  size_t groups;
  char *work; /* workers x bytes: a beam */
  size_t bytes;
};

void mn_hnsw_free(mn_memory *memory, mn_hnsw *h)
{
  mn_vector_free(memory, &h->shift);
  mn_vector_free(memory, &h->single);
  mn_indexes_free(memory, &h->row);
  mn_indexes_free(memory, &h->upper);
  mn_indexes_free(memory, &h->links);
}

/* From candidates, nearest first, take those that are nearer to the node than to any taken before: neighbors in all
 * directions. Returns their number. */
static size_t select_neighbors(const mn_hnsw *h, const mn_beam_node *candidate, size_t n, size_t most, int32_t *taken)
{
  size_t count = 0;
  for (size_t i = 0; i < n && count < most; i++) {
    const float *row = mn_hnsw_row(h, (size_t)candidate[i].node);
    bool direct = true;
    for (size_t t = 0; t < count && direct; t++)
      direct = mn_single_distance((size_t)h->width, row, mn_hnsw_row(h, (size_t)taken[t])) > candidate[i].distance;
    if (direct) taken[count++] = candidate[i].node;
  }
  return count;
}

/* Link the nodes of the batch to earlier ones; nothing leads to them yet. */
static void link_strip(void *work, size_t strip, size_t worker)
{
  const struct build *b = work;
  const mn_cancel_token token = { b->ctx, worker };
  const mn_hnsw *h = b->h;
  const size_t end = b->begin + mn_block_end(&b->strips, strip), top = mn_hnsw_level(h, (size_t)h->entry);
  mn_beam beam = mn_beam_make(EF_BUILD, b->work + worker * b->bytes);
  for (size_t node = b->begin + mn_block_begin(&b->strips, strip); node < end; node++) {
    const float *q = mn_hnsw_row(h, node);
    const size_t own = mn_hnsw_level(h, node), first = own < top ? own : top;
    if (!mn_task_should_continue(&token)) return;
    mn_hnsw_descend(h, q, first, &beam);
    for (size_t level = first + 1; level-- > 0;) {
      int32_t *list = mn_hnsw_list(h, level, node);
      mn_hnsw_collect(h, q, level, &beam);
      list[0] = (int32_t)select_neighbors(h, beam.at, beam.size, MN_HNSW_LINKS, list + 1);
    }
  }
}

static int compare_links(const void *a, const void *b)
{
  const struct link *x = a, *y = b;
  if (x->level != y->level) return x->level < y->level ? -1 : 1;
  if (x->to != y->to) return x->to < y->to ? -1 : 1;
  return (x->from > y->from) - (x->from < y->from);
}

static void gather_links(struct build *b)
{
  size_t count = 0;
  for (size_t node = b->begin; node < b->end; node++)
    for (size_t level = 0; level <= mn_hnsw_level(b->h, node); level++) {
      const int32_t *list = mn_hnsw_list(b->h, level, node);
      for (int32_t i = 1; i <= list[0]; i++)
        b->links[count++] = (struct link){ (int32_t)level, list[i], (int32_t)node };
    }
  qsort(b->links, count, sizeof *b->links, compare_links);
  b->groups = 0;
  for (size_t i = 0; i < count; i++)
    if (i == 0 || b->links[i].level != b->links[i - 1].level || b->links[i].to != b->links[i - 1].to)
      b->group[b->groups++] = i;
  b->group[b->groups] = count;
}

static int compare_nodes(const void *a, const void *b)
{
  const mn_beam_node *x = a, *y = b;
  if (x->distance < y->distance || x->distance > y->distance) return x->distance < y->distance ? -1 : 1;
  return (x->node > y->node) - (x->node < y->node);
}

/* Add the links to one node; if its list is full, select again among old and new ones. */
static void link_back(void *work, size_t group, size_t worker)
{
  const struct build *b = work;
  const mn_hnsw *h = b->h;
  const struct link *link = b->links + b->group[group];
  const size_t new = b->group[group + 1] - b->group[group], level = (size_t)link->level, node = (size_t)link->to;
  const size_t most = level == 0 ? 2 * MN_HNSW_LINKS : MN_HNSW_LINKS;
  int32_t *list = mn_hnsw_list(h, level, node);
  const size_t old = (size_t)list[0], used = new < EF_BUILD - old ? new : EF_BUILD - old;
  if (old + new <= most) {
    for (size_t i = 0; i < new; i++) list[1 + old + i] = link[i].from;
    list[0] = (int32_t)(old + new);
    return;
  }
  mn_beam_node *candidate = mn_beam_make(EF_BUILD, b->work + worker * b->bytes).at;
  for (size_t i = 0; i < old + used; i++) {
    const int32_t other = i < old ? list[1 + i] : link[i - old].from;
    const float distance = mn_single_distance((size_t)h->width, mn_hnsw_row(h, node), mn_hnsw_row(h, (size_t)other));
    candidate[i] = (mn_beam_node){ distance, other, false };
  }
  qsort(candidate, old + used, sizeof *candidate, compare_nodes);
  list[0] = (int32_t)select_neighbors(h, candidate, old + used, most, list + 1);
}

static mn_status insert_batch(struct build *b)
{
  mn_hnsw *h = b->h;
  b->strips = mn_make_blocks(b->end - b->begin, STRIP, SIZE_MAX);
  MN_TRY(mn_parallel(b->ctx, b->strips.count, link_strip, b));
  gather_links(b);
  MN_TRY(mn_parallel(b->ctx, b->groups, link_back, b));
  for (size_t node = b->begin; node < b->end; node++)
    if (mn_hnsw_level(h, node) > mn_hnsw_level(h, (size_t)h->entry)) h->entry = (int64_t)node;
  return MN_OK;
}

/* The recall of searches with beam size ef: queries are the nodes after the first n. A node is a hit if it is no
 * farther than the true k-th nearest, so that ties count. */
struct tuning {
  const mn_hnsw *h;
  size_t n, k, ef, bytes;
  double *farthest; /* of the true k nearest of each query */
  size_t *hits;
  char *work;
};

static void find_farthest(void *work, size_t query, size_t worker)
{
  const struct tuning *t = work;
  const float *q = mn_hnsw_row(t->h, t->n + query);
  mn_candidate *heap = (mn_candidate *)(void *)(t->work + worker * t->bytes);
  mn_heap_clear(heap, t->k);
  for (size_t node = 0; node < t->n; node++) {
    const double distance = (double)mn_single_distance((size_t)t->h->width, q, mn_hnsw_row(t->h, node));
    mn_heap_offer(heap, t->k, (mn_candidate){ distance, (int32_t)node });
  }
  t->farthest[query] = heap[0].value * (1 + 1e-6); /* distances of a beam may be rounded differently */
}

static void count_hits(void *work, size_t query, size_t worker)
{
  const struct tuning *t = work;
  mn_beam beam = mn_beam_make(t->ef, t->work + worker * t->bytes);
  mn_hnsw_descend(t->h, mn_hnsw_row(t->h, t->n + query), 0, &beam);
  mn_hnsw_collect(t->h, mn_hnsw_row(t->h, t->n + query), 0, &beam);
  t->hits[query] = 0;
  for (size_t b = 0; b < beam.size && b < t->k; b++)
    t->hits[query] += (double)beam.at[b].distance <= t->farthest[query];
}

/* Choose ef by searching for the nodes n .. n + queries - 1, which are not inserted yet. */
static mn_status tune(mn_context *ctx, mn_hnsw *h, size_t n, size_t queries, size_t k, double target)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct tuning t = { .h = h, .n = n, .k = k < n ? k : n, .bytes = mn_beam_bytes(MAX_EF) };
  const size_t heap = mn_round_up(t.k * sizeof(mn_candidate), 64);
  if (t.bytes < heap) t.bytes = heap;
  t.farthest = MN_RAW(ctx, double, queries, 1);
  t.hits = MN_NEW(ctx, size_t, queries, 1);
  t.work = MN_RAW(ctx, char, mn_threads(ctx), t.bytes);
  if (!t.farthest || !t.hits || !t.work) return MN_NO_MEMORY;
  MN_TRY(mn_parallel(ctx, queries, find_farthest, &t));
  t.ef = t.k < MAX_EF ? t.k : MAX_EF;
  for (h->recall = 0; h->recall < target; t.ef += t.ef / 5 + 1) {
    size_t hits = 0;
    if (t.ef > MAX_EF) break;
    MN_TRY(mn_parallel(ctx, queries, count_hits, &t));
    for (size_t q = 0; q < queries; q++) hits += t.hits[q];
    h->ef = (int64_t)t.ef;
    h->recall = (double)hits / ((double)queries * (double)t.k);
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status build_graph(mn_context *ctx, mn_hnsw *h, size_t k, double target)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t n = (size_t)h->n, cap = n / BATCHES > 64 ? n / BATCHES : 64;
  const size_t lists = cap * (MAX_LEVEL + 1) * MN_HNSW_LINKS;
  struct build b = { .ctx = ctx, .h = h, .bytes = mn_beam_bytes(EF_BUILD) };
  b.links = MN_RAW(ctx, struct link, lists, 1);
  b.group = MN_RAW(ctx, size_t, lists + 1, 1);
  b.work = MN_RAW(ctx, char, mn_threads(ctx), b.bytes);
  if (!b.links || !b.group || !b.work) return MN_NO_MEMORY;
  for (b.begin = 1; b.begin < n; b.begin = b.end) {
    const size_t grown = b.begin / GROWTH + 1, left = n - b.begin;
    const size_t size = grown < cap ? grown : cap;
    if (size >= left && n >= MIN_TUNED) MN_TRY(tune(ctx, h, b.begin, left < SAMPLE ? left : SAMPLE, k, target));
    b.end = b.begin + (size < left ? size : left);
    MN_TRY(insert_batch(&b));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* A vector or indexes in scratch or owned, zeroed. */
static mn_status new_vector(mn_context *ctx, mn_vector *v, size_t size, bool scratch)
{
  if (!scratch) return mn_vector_init(ctx, v, size);
  *v = (mn_vector){ MN_NEW(ctx, double, size, 1), size };
  return v->at ? MN_OK : MN_NO_MEMORY;
}

static mn_status new_indexes(mn_context *ctx, mn_indexes *v, size_t size, bool scratch)
{
  if (!scratch) return mn_indexes_init(ctx, v, size);
  *v = (mn_indexes){ MN_NEW(ctx, int32_t, size, 1), size };
  return v->at ? MN_OK : MN_NO_MEMORY;
}

/* The order of insertion and the levels, which depend on n alone. */
static mn_status draw_nodes(mn_context *ctx, mn_hnsw *h, bool scratch)
{
  const size_t n = (size_t)h->n;
  MN_TRY(new_indexes(ctx, &h->row, n, scratch));
  MN_TRY(new_indexes(ctx, &h->upper, n + 1, scratch));
  const mn_mark mark = mn_scratch_mark(ctx);
  size_t *order = MN_RAW(ctx, size_t, n, 1);
  MN_CHECK_ALLOC(order);
  mn_rng r = mn_stream(0, 0);
  for (size_t i = 0; i < n; i++) order[i] = i;
  mn_shuffle(&r, order, n);
  for (size_t i = 0; i < n; i++) {
    const double level = mn_random_exponential(&r) / log(MN_HNSW_LINKS);
    h->row.at[i] = (int32_t)order[i];
    h->upper.at[i + 1] = h->upper.at[i] + (int32_t)fmin(level, MAX_LEVEL);
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status convert_rows(mn_context *ctx, mn_hnsw *h, size_t d, const double *rows, bool scratch)
{
  const size_t n = (size_t)h->n, width = (size_t)h->width;
  MN_TRY(new_vector(ctx, &h->shift, d, scratch));
  MN_TRY(new_vector(ctx, &h->single, n * width / 2, scratch));
  mn_sample_mean(n, d, rows, h->shift.at);
  h->scale = mn_power_of_two_scale(n, d, rows, d, h->shift.at);
  float *single = (float *)(void *)h->single.at;
  for (size_t i = 0; i < n; i++) {
    if (i % MN_CHUNK == 0) MN_TRY(mn_poll(ctx));
    mn_hnsw_convert(h, rows + (size_t)h->row.at[i] * d, single + i * width);
  }
  return MN_OK;
}

/* Between the first rows. */
static double span_of(size_t n, size_t d, const double *rows)
{
  enum { ROWS = 1000 };
  double sum = 0;
  for (size_t i = 1; i < n && i < ROWS; i++)
    for (size_t j = 0; j < d; j++) {
      const double apart = rows[i * d + j] - rows[(i - 1) * d + j];
      sum += apart * apart;
    }
  return sum;
}

/* Remove links of an archive that do not belong to these rows and this metric. */
static void keep_links_of_metric(mn_context *ctx, mn_hnsw *h, double span)
{
  static const double rounding = 1e-9;
  if (h->links.at && fabs(h->span - span) > rounding * span) mn_indexes_free(mn_context_memory(ctx), &h->links);
  h->span = span;
}

/* Whether the links of an archive stay within the graph; the entry is the first node of the highest level. */
static mn_status check_graph(mn_context *ctx, const char *who, mn_hnsw *h, size_t size)
{
  const size_t n = (size_t)h->n;
  bool good = h->links.size == size && h->ef >= 1 && h->ef <= INT32_MAX && h->k >= 1 && h->k <= INT32_MAX;
  h->entry = 0;
  for (size_t node = 0; node < n && good; node++) {
    if (mn_hnsw_level(h, node) > mn_hnsw_level(h, (size_t)h->entry)) h->entry = (int64_t)node;
    for (size_t level = 0; level <= mn_hnsw_level(h, node); level++) {
      const int32_t *list = mn_hnsw_list(h, level, node);
      good = good && list[0] >= 0 && list[0] <= (level == 0 ? 2 : 1) * MN_HNSW_LINKS;
      for (int32_t i = 1; good && i <= list[0]; i++)
        good = list[i] >= 0 && (size_t)list[i] < n && mn_hnsw_level(h, (size_t)list[i]) >= level;
    }
  }
  return good ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "%s: the graph of the archive does not match its rows", who);
}

mn_status mn_hnsw_init(mn_context *ctx, const char *who, mn_hnsw *h, size_t n, size_t d, const double *rows, size_t k,
                       double target, bool scratch)
{
  h->n = (int64_t)n;
  h->width = (int64_t)((d + MN_SINGLE_LANES - 1) / MN_SINGLE_LANES * MN_SINGLE_LANES);
  MN_TRY(draw_nodes(ctx, h, scratch));
  MN_TRY(convert_rows(ctx, h, d, rows, scratch));
  const size_t size = n * MN_HNSW_BOTTOM + (size_t)h->upper.at[n] * MN_HNSW_LIST;
  keep_links_of_metric(ctx, h, span_of(n, d, rows));
  if (h->links.at) return check_graph(ctx, who, h, size);
  h->k = (int64_t)(k < n ? k : n);
  h->ef = 2 * h->k + 50 < h->n ? 2 * h->k + 50 : h->n;
  h->recall = (double)NAN;
  MN_TRY(new_indexes(ctx, &h->links, size, scratch));
  return build_graph(ctx, h, k, target);
}
