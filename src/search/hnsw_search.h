/* Beam search in a graph of hnsw.h. Internal to src/search. */
#ifndef MN_SEARCH_HNSW_SEARCH_H
#define MN_SEARCH_HNSW_SEARCH_H
#include "hnsw.h"
#include "hnsw_kernel.h"

typedef struct mn_beam_node {
  float distance;
  int32_t node;
  bool expanded;
} mn_beam_node;

/* The nearest nodes found so far, and what a search needs. For one worker. */
typedef struct mn_beam {
  mn_beam_node *at; /* capacity + 1, nearest first; ties in order of nodes */
  size_t size, capacity;
  int32_t *seen;    /* seen_size: nodes that were measured, by hash; a later one replaces an earlier one */
  size_t seen_size; /* a power of 2 */
} mn_beam;

/* Bytes of a beam for up to `capacity` nodes, and a beam in such memory (64-byte aligned). */
size_t mn_beam_bytes(size_t capacity);
mn_beam mn_beam_make(size_t capacity, void *memory);

/* The list of a node: its count, then nodes. */
static inline int32_t *mn_hnsw_list(const mn_hnsw *h, size_t level, size_t node)
{
  if (level == 0) return h->links.at + node * MN_HNSW_BOTTOM;
  const size_t list = (size_t)h->upper.at[node] + level - 1;
  return h->links.at + (size_t)h->n * MN_HNSW_BOTTOM + list * MN_HNSW_LIST;
}

static inline size_t mn_hnsw_level(const mn_hnsw *h, size_t node)
{
  return (size_t)(h->upper.at[node + 1] - h->upper.at[node]);
}

static inline const float *mn_hnsw_row(const mn_hnsw *h, size_t node)
{
  return (const float *)(const void *)h->single.at + node * (size_t)h->width;
}

/* The node nearest to q that is found by descending from the entry to level `level`, as a beam of one node. */
void mn_hnsw_descend(const mn_hnsw *h, const float *q, size_t level, mn_beam *beam);

/* Fill the beam with the nearest nodes of one level, from those in it. */
void mn_hnsw_collect(const mn_hnsw *h, const float *q, size_t level, mn_beam *beam);

/* out = the query as rows of `single`. */
void mn_hnsw_convert(const mn_hnsw *h, const double *query, float *out);

#endif
