#include "geodesic.h"
#include "../core/threads.h"
#include "../stats/argsort.h"
#include "geodesic_kernel.h"
#include <string.h>

enum { BRANCH = 4 }; /* children of a node of the heap */

/* The nodes that have been reached and not left, nearest on top. */
struct heap {
  size_t size;
  int32_t *node;  /* n: nodes                                    */
  int32_t *place; /* n: where a node is; -1: not reached, -2: left */
  double *key;    /* n: distances of nodes, by node              */
};

static void sift_up(struct heap *h, size_t at, int32_t node)
{
  const double key = h->key[node];
  while (at > 0) {
    const size_t parent = (at - 1) / BRANCH;
    const int32_t above = h->node[parent];
    if (!(key < h->key[above])) break;
    h->node[at] = above;
    h->place[above] = (int32_t)at;
    at = parent;
  }
  h->node[at] = node;
  h->place[node] = (int32_t)at;
}

static void sift_down(struct heap *h, int32_t node)
{
  const double key = h->key[node];
  size_t at = 0;
  for (size_t child; (child = BRANCH * at + 1) < h->size;) {
    const size_t end = child + BRANCH < h->size ? child + BRANCH : h->size;
    size_t least = child;
    for (size_t c = child + 1; c < end; c++)
      if (h->key[h->node[c]] < h->key[h->node[least]]) least = c;
    if (!(h->key[h->node[least]] < key)) break;
    h->node[at] = h->node[least];
    h->place[h->node[at]] = (int32_t)at;
    at = least;
  }
  h->node[at] = node;
  h->place[node] = (int32_t)at;
}

static void reach(struct heap *h, int32_t node, double distance)
{
  if (h->place[node] == -1) {
    h->key[node] = distance;
    sift_up(h, h->size++, node);
  } else if (h->place[node] >= 0 && distance < h->key[node]) {
    h->key[node] = distance;
    sift_up(h, (size_t)h->place[node], node);
  }
}

static int32_t leave_nearest(struct heap *h)
{
  const int32_t top = h->node[0], last = h->node[--h->size];
  if (h->size > 0) sift_down(h, last);
  h->place[top] = -2;
  return top;
}

/* --- groups of sources --- */

/* New nodes, each joined to the nodes in its list, in groups of MN_PATH_LANES that are near each other. */
struct search {
  const mn_csr *graph;
  const mn_neighbor_lists *lists;
  size_t *source;        /* lists->n: in the order of the groups                   */
  int32_t *node, *place; /* threads x n                                           */
  double *key;           /* threads x n                                            */
  int32_t *order;        /* threads x n: nodes by their distance from one source   */
  double *distance;      /* threads x n x MN_PATH_LANES                            */
  unsigned char *stale;  /* threads x n: nodes whose neighbors have changed */
  double *out;           /* lists->n x n */
  mn_cancel_token token;
};

static const double unreached = 1e300;

/* order = the nodes by their distance from a source, as they are left. Nodes without a path come last. */
static void order_nodes(const struct search *s, size_t source, struct heap *h, int32_t *order)
{
  const mn_csr *g = s->graph;
  size_t count = 0;
  for (size_t j = 0; j < g->rows; j++) h->place[j] = -1;
  for (size_t e = s->lists->start[source]; e < s->lists->start[source + 1]; e++)
    reach(h, s->lists->at[e].index, s->lists->at[e].value);
  while (h->size > 0) {
    const size_t node = (size_t)leave_nearest(h);
    order[count++] = (int32_t)node;
    for (size_t e = g->start[node]; e < g->start[node + 1]; e++) reach(h, g->col[e], h->key[node] + g->at[e]);
  }
  for (size_t j = 0; j < g->rows; j++)
    if (h->place[j] == -1) order[count++] = (int32_t)j;
}

/* Paths from near sources pass the nodes in about the same order, so in that of the first source few nodes are visited
 * more than three times until no distance changes. Then all are what Dijkstra's algorithm gives. */
static void search_group(void *work, size_t group, size_t worker)
{
  enum { LANES = MN_PATH_LANES };
  const struct search *s = work;
  const size_t n = s->graph->rows, begin = group * LANES;
  const size_t count = s->lists->n - begin < LANES ? s->lists->n - begin : LANES;
  struct heap h = { .node = s->node + worker * n, .place = s->place + worker * n, .key = s->key + worker * n };
  double *distance = s->distance + worker * n * LANES;
  int32_t *order = s->order + worker * n;
  unsigned char *stale = s->stale + worker * n;
  order_nodes(s, s->source[begin], &h, order);
  for (size_t i = 0; i < n * LANES; i++) distance[i] = unreached;
  for (size_t l = 0; l < count; l++)
    for (size_t e = s->lists->start[s->source[begin + l]]; e < s->lists->start[s->source[begin + l] + 1]; e++)
      distance[(size_t)s->lists->at[e].index * LANES + l] = s->lists->at[e].value;
  const mn_cancel_token token = { s->token.ctx, worker };
  memset(stale, 1, n);
  while (mn_relax_paths(s->graph, order, stale, distance))
    if (!mn_task_should_continue(&token)) return;
  for (size_t l = 0; l < count; l++)
    for (size_t j = 0; j < n; j++) {
      const double d = distance[j * LANES + l];
      s->out[s->source[begin + l] * n + j] = d < unreached ? d : INFINITY;
    }
}

/* queue[begin ..] = nodes that are not marked yet, found from the seed by breadth-first search, at most `most`; they
 * are marked. Returns the end. */
static size_t search_around(const mn_csr *g, size_t seed, size_t most, size_t begin, bool *marked, int32_t *queue)
{
  size_t head = begin, tail = begin;
  queue[tail++] = (int32_t)seed;
  marked[seed] = true;
  for (; head < tail; head++) {
    const size_t node = (size_t)queue[head];
    for (size_t e = g->start[node]; e < g->start[node + 1] && tail - begin < most; e++) {
      const size_t other = (size_t)g->col[e];
      if (marked[other]) continue;
      queue[tail++] = (int32_t)other;
      marked[other] = true;
    }
  }
  return tail;
}

/* rank[node] = its place in an order in which most runs of MN_PATH_LANES nodes are near each other. */
static mn_status rank_nodes(mn_context *ctx, const mn_csr *g, double *rank)
{
  const size_t n = g->rows;
  int32_t *seeds = MN_RAW(ctx, int32_t, n, 1), *queue = MN_RAW(ctx, int32_t, n, 1);
  bool *marked = MN_NEW(ctx, bool, n, 1);
  size_t found = 0, ranked = 0;
  if (!seeds || !queue || !marked) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++)
    if (!marked[i]) found = search_around(g, i, n, found, marked, seeds);
  memset(marked, 0, n * sizeof *marked);
  for (size_t i = 0; i < n; i++)
    if (!marked[seeds[i]]) ranked = search_around(g, (size_t)seeds[i], MN_PATH_LANES, ranked, marked, queue);
  for (size_t i = 0; i < n; i++) rank[queue[i]] = (double)i;
  return MN_OK;
}

static double rank_of_nearest(const mn_neighbor_lists *lists, size_t i, const double *rank)
{
  size_t nearest = lists->start[i];
  if (nearest == lists->start[i + 1]) return 0;
  for (size_t e = nearest; e < lists->start[i + 1]; e++)
    if (lists->at[e].value < lists->at[nearest].value) nearest = e;
  return rank[lists->at[nearest].index];
}

/* source = the new nodes in the order of their nearest neighbors. */
static mn_status order_sources(mn_context *ctx, struct search *s)
{
  const mn_neighbor_lists *lists = s->lists;
  double *rank = MN_RAW(ctx, double, s->graph->rows, 1), *first = MN_RAW(ctx, double, lists->n, 1);
  if (!rank || !first) return MN_NO_MEMORY;
  MN_TRY(rank_nodes(ctx, s->graph, rank));
  for (size_t i = 0; i < lists->n; i++) first[i] = rank_of_nearest(lists, i, rank);
  return mn_argsort(ctx, lists->n, first, 1, s->source);
}

mn_status mn_geodesic_from_lists(mn_context *ctx, const mn_csr *graph, const mn_neighbor_lists *lists, double *out)
{
  const size_t n = graph->rows, threads = mn_threads(ctx);
  struct search s = { .graph = graph,
                      .lists = lists,
                      .source = MN_RAW(ctx, size_t, lists->n, 1),
                      .node = MN_RAW(ctx, int32_t, threads, n),
                      .place = MN_RAW(ctx, int32_t, threads, n),
                      .key = MN_RAW(ctx, double, threads, n),
                      .order = MN_RAW(ctx, int32_t, threads, n),
                      .distance = MN_RAW(ctx, double, threads *MN_PATH_LANES, n),
                      .stale = MN_RAW(ctx, unsigned char, threads, n),
                      .out = out,
                      .token = { ctx, 0 } };
  if (!s.source || !s.node || !s.place || !s.key || !s.order || !s.distance || !s.stale) return MN_NO_MEMORY;
  MN_TRY(order_sources(ctx, &s));
  return mn_parallel(ctx, (lists->n + MN_PATH_LANES - 1) / MN_PATH_LANES, search_group, &s);
}

mn_status mn_geodesic_distances(mn_context *ctx, const mn_csr *graph, double *out)
{
  const size_t n = graph->rows;
  mn_neighbor_lists self = { .n = n, .start = MN_RAW(ctx, size_t, n + 1, 1), .at = MN_RAW(ctx, mn_candidate, n, 1) };
  if (!self.start || !self.at) return MN_NO_MEMORY;
  for (size_t i = 0; i <= n; i++) self.start[i] = i;
  for (size_t i = 0; i < n; i++) self.at[i] = (mn_candidate){ 0, (int32_t)i };
  MN_TRY(mn_geodesic_from_lists(ctx, graph, &self, out));
  for (size_t i = 0; i < n; i++) /* paths in opposite directions may differ in rounding */
    for (size_t j = 0; j < i; j++) out[i * n + j] = out[j * n + i];
  return MN_OK;
}
