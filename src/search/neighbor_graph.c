#include "neighbor_graph.h"
#include "../core/rng.h"
#include "../core/threads.h"
#include "hnsw_kernel.h"
#include <math.h>
#include <string.h>

static bool is_before(mn_near a, mn_candidate b)
{
  const double distance = (double)a.distance;
  if (a.link == MN_NO_LINK) return false;
  return distance < b.value || (distance <= b.value && mn_linked_node(a.link) <= (uint32_t)b.index);
}

size_t mn_near_merge(mn_near *list, size_t k, mn_candidate *candidate, size_t count, mn_near *work)
{
  size_t used = 0, old = 0, next = 0, added = 0;
  uint32_t last = MN_NO_LINK;
  if (count == 0) return 0;
  if (count > k) {
    mn_select_nearest(candidate, count, k);
    count = k;
  }
  mn_sort_nearest(candidate, count);
  while (used < k) {
    if (next == count || is_before(list[old], candidate[next])) {
      work[used] = list[old++];
    } else {
      const mn_candidate c = candidate[next++];
      if ((uint32_t)c.index == last) continue;
      work[used] = (mn_near){ (float)c.value, (uint32_t)c.index | MN_NEW_LINK };
      added++;
    }
    last = mn_linked_node(work[used++].link);
  }
  memcpy(list, work, k * sizeof *list);
  return added;
}

enum { SAMPLE = 100 };

struct sample {
  const mn_neighbor_graph *g;
  size_t node[SAMPLE], hits[SAMPLE];
  mn_candidate *heap; /* workers x k */
};

/* A neighbor is a hit if it is no farther than the true k-th nearest, so that ties count. */
static void count_hits(void *work, size_t query, size_t worker)
{
  struct sample *s = work;
  const mn_neighbor_graph *g = s->g;
  const mn_cancel_token token = { g->ctx, worker };
  const size_t node = s->node[query];
  mn_candidate *heap = s->heap + worker * g->k;
  const mn_near *list = mn_near_list(g, node);
  mn_chunk c = { 0 };
  mn_heap_clear(heap, g->k);
  while (mn_next_chunk(&token, g->n, &c))
    for (size_t other = c.begin; other < c.end; other++) {
      const double distance = (double)mn_single_distance(g->width, mn_node_row(g, node), mn_node_row(g, other));
      if (other != node) mn_heap_offer(heap, g->k, (mn_candidate){ distance, (int32_t)other });
    }
  s->hits[query] = 0;
  for (size_t e = 0; e < g->k; e++) s->hits[query] += (double)list[e].distance <= heap[0].value * (1 + 1e-6);
}

mn_status mn_graph_recall(const mn_neighbor_graph *g, double *recall)
{
  struct sample s = { .g = g, .heap = MN_RAW(g->ctx, mn_candidate, mn_threads(g->ctx), g->k) };
  mn_rng rng = mn_stream(0, 0);
  size_t hits = 0;
  MN_CHECK_ALLOC(s.heap);
  for (size_t q = 0; q < SAMPLE; q++) s.node[q] = mn_random_below(&rng, g->n);
  MN_TRY(mn_parallel(g->ctx, SAMPLE, count_hits, &s));
  for (size_t q = 0; q < SAMPLE; q++) hits += s.hits[q];
  *recall = (double)hits / (double)(SAMPLE * g->k);
  return MN_OK;
}
