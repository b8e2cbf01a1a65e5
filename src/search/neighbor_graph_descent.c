/* Neighbors of neighbors. Each node collects candidates from the links of the round before and from its own list, which
 * no other node reads. */
#include "../core/threads.h"
#include "hnsw_kernel.h"
#include "neighbor_graph.h"
#include <string.h>

enum {
  MAX_LINKS = 24, /* of a node that are followed; and as many that lead to it */
  SEEN = 1 << 12, /* places of a table of nodes that were collected */
  BLOCK = 64,     /* nodes of a task */
  MAX_ROUNDS = 10
};
static const double least_added = 1e-3; /* of all entries, in a round that is not the last */

struct descent {
  const mn_neighbor_graph *g;
  size_t links;
  uint32_t *link;  /* n x 2 links: nearest neighbors of each node, then nodes of which it is one */
  int32_t *before; /* n: how many of the latter */
  mn_blocks blocks;
  size_t *added; /* for each block */
  char *work;    /* workers x bytes */
  size_t bytes;
};

/* The workspace of one worker. */
struct descent_work {
  int32_t *seen, *found; /* SEEN; most */
  float *distance;       /* most       */
  mn_candidate *near;    /* most       */
  mn_near *merged;       /* k          */
};

/* Split the memory; returns its size. */
static size_t divide(const struct descent *w, char *memory, struct descent_work *s)
{
  const size_t most = 4 * w->links * w->links;
  char *at = memory;
  s->seen = mn_next_piece(&at, SEEN * sizeof *s->seen);
  s->found = mn_next_piece(&at, most * sizeof *s->found);
  s->distance = mn_next_piece(&at, most * sizeof *s->distance);
  s->near = mn_next_piece(&at, most * sizeof *s->near);
  s->merged = mn_next_piece(&at, w->g->k * sizeof *s->merged);
  return (size_t)(at - memory);
}

/* The links of this round; they are no longer new in the lists. */
static void copy_links(void *work, size_t block, size_t worker)
{
  const struct descent *w = work;
  (void)worker;
  for (size_t node = mn_block_begin(&w->blocks, block); node < mn_block_end(&w->blocks, block); node++) {
    mn_near *list = mn_near_list(w->g, node);
    uint32_t *link = w->link + node * 2 * w->links;
    for (size_t e = 0; e < w->links; e++) link[e] = list[e].link;
    for (size_t e = 0; e < w->g->k; e++) list[e].link = mn_linked_node(list[e].link);
    w->before[node] = 0;
  }
}

/* Links back, those of the nearest neighbors first. */
static mn_status add_links_back(struct descent *w)
{
  const size_t n = w->g->n, links = w->links;
  for (size_t e = 0; e < links; e++)
    for (size_t node = 0; node < n; node++) {
      if (node % MN_CHUNK == 0) MN_TRY(mn_poll(w->g->ctx));
      const uint32_t link = w->link[node * 2 * links + e], to = mn_linked_node(link);
      if (to == MN_NO_LINK || (size_t)w->before[to] == links) continue;
      w->link[(2 * (size_t)to + 1) * links + (size_t)w->before[to]++] = (uint32_t)node | (link & MN_NEW_LINK);
    }
  return MN_OK;
}

/* Whether a node was collected before, as far as the table remembers. */
static bool mark_seen(int32_t *seen, uint32_t node)
{
  int32_t *place = seen + (node * UINT32_C(2654435769) >> 7 & (SEEN - 1));
  const bool before = *place == (int32_t)node;
  *place = (int32_t)node;
  return before;
}

/* Collect the nodes that two links lead to, one of them new. Returns their number. */
static size_t collect(const struct descent *w, size_t node, const struct descent_work *s)
{
  const mn_near *list = mn_near_list(w->g, node);
  const uint32_t *own = w->link + node * 2 * w->links;
  size_t count = 0;
  memset(s->seen, 0xff, SEEN * sizeof *s->seen);
  mark_seen(s->seen, MN_NO_LINK);
  mark_seen(s->seen, (uint32_t)node);
  for (size_t e = 0; e < w->g->k; e++) mark_seen(s->seen, mn_linked_node(list[e].link));
  for (size_t e = 0; e < w->links + (size_t)w->before[node]; e++) {
    const uint32_t middle = mn_linked_node(own[e]);
    if (middle == MN_NO_LINK) continue;
    const uint32_t *at = w->link + (size_t)middle * 2 * w->links;
    for (size_t i = 0; i < w->links + (size_t)w->before[middle]; i++) {
      const uint32_t to = mn_linked_node(at[i]);
      if (((own[e] | at[i]) & MN_NEW_LINK) && to != MN_NO_LINK && !mark_seen(s->seen, to))
        s->found[count++] = (int32_t)to;
    }
  }
  return count;
}

static size_t improve_node(const struct descent *w, size_t node, const struct descent_work *s)
{
  const mn_neighbor_graph *g = w->g;
  const size_t found = collect(w, node, s);
  mn_near *list = mn_near_list(g, node);
  const float farthest = list[g->k - 1].distance;
  size_t count = 0;
  mn_single_distances(found, s->found, g->width, g->rows, mn_node_row(g, node), s->distance);
  for (size_t e = 0; e < found; e++)
    if (s->distance[e] < farthest && s->found[e] != (int32_t)node)
      s->near[count++] = (mn_candidate){ (double)s->distance[e], s->found[e] };
  return mn_near_merge(list, g->k, s->near, count, s->merged);
}

static void improve_block(void *work, size_t block, size_t worker)
{
  const struct descent *w = work;
  const mn_cancel_token token = { w->g->ctx, worker };
  struct descent_work s;
  divide(w, w->work + worker * w->bytes, &s);
  w->added[block] = 0;
  for (size_t node = mn_block_begin(&w->blocks, block); node < mn_block_end(&w->blocks, block); node++) {
    if (!mn_task_should_continue(&token)) return;
    w->added[block] += improve_node(w, node, &s);
  }
}

mn_status mn_graph_descend(mn_neighbor_graph *g)
{
  const mn_mark mark = mn_scratch_mark(g->ctx);
  struct descent w = { .g = g, .links = mn_min_size(g->k, MAX_LINKS), .blocks = mn_make_blocks(g->n, BLOCK, SIZE_MAX) };
  struct descent_work none;
  w.link = MN_RAW(g->ctx, uint32_t, g->n, 2 * w.links);
  w.before = MN_RAW(g->ctx, int32_t, g->n, 1);
  w.added = MN_RAW(g->ctx, size_t, w.blocks.count, 1);
  w.bytes = divide(&w, NULL, &none);
  w.work = MN_RAW(g->ctx, char, mn_threads(g->ctx), w.bytes);
  if (!w.link || !w.before || !w.added || !w.work) return MN_NO_MEMORY;
  for (int round = 0; round < MAX_ROUNDS; round++) {
    size_t added = 0;
    MN_TRY(mn_parallel(g->ctx, w.blocks.count, copy_links, &w));
    MN_TRY(add_links_back(&w));
    MN_TRY(mn_parallel(g->ctx, w.blocks.count, improve_block, &w));
    for (size_t b = 0; b < w.blocks.count; b++) added += w.added[b];
    if ((double)added <= least_added * (double)g->n * (double)g->k) break;
  }
  mn_scratch_release(g->ctx, mark);
  return MN_OK;
}
