#include "hnsw_search.h"
#include "../core/threads.h"
#include <string.h>

enum { STRIP = 16 /* queries of a task */, SEEN = 64 /* places of `seen` for each node of a beam */ };

static size_t seen_size(size_t capacity)
{
  size_t size = 1024;
  while (size < SEEN * capacity && size < 1 << 20) size *= 2;
  return size;
}

static size_t beam_bytes(size_t capacity)
{
  return ((capacity + 1) * sizeof(mn_beam_node) + 63) / 64 * 64;
}

size_t mn_beam_bytes(size_t capacity)
{
  return beam_bytes(capacity) + seen_size(capacity) * sizeof(int32_t);
}

mn_beam mn_beam_make(size_t capacity, void *memory)
{
  return (mn_beam){ .at = memory,
                    .capacity = capacity,
                    .seen = (int32_t *)(void *)((char *)memory + beam_bytes(capacity)),
                    .seen_size = seen_size(capacity) };
}

/* Whether the node was measured before, as far as `seen` remembers. */
static bool mark_seen(mn_beam *beam, int32_t node)
{
  int32_t *place = beam->seen + (((uint32_t)node * UINT32_C(2654435769)) >> 7 & (beam->seen_size - 1));
  const bool seen = *place == node;
  *place = node;
  return seen;
}

/* Insert a node that belongs in the beam. Returns its place, or the capacity if it is there already. */
static size_t insert(mn_beam *beam, float distance, int32_t node)
{
  mn_beam_node *at = beam->at;
  size_t low = 0, high = beam->size;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (at[middle].distance < distance || (at[middle].distance <= distance && at[middle].node < node))
      low = middle + 1;
    else
      high = middle;
  }
  if (low < beam->size && at[low].node == node) return beam->capacity;
  memmove(at + low + 1, at + low, (beam->size - low) * sizeof *at);
  at[low] = (mn_beam_node){ distance, node, false };
  if (beam->size < beam->capacity) beam->size++;
  return low;
}

void mn_hnsw_collect(const mn_hnsw *h, const float *q, size_t level, mn_beam *beam)
{
  int32_t id[MN_HNSW_BOTTOM];
  float distance[MN_HNSW_BOTTOM];
  memset(beam->seen, 0xff, beam->seen_size * sizeof *beam->seen);
  for (size_t i = 0; i < beam->size; i++) {
    mark_seen(beam, beam->at[i].node);
    beam->at[i].expanded = false;
  }
  for (size_t next = 0; next < beam->size;) {
    if (beam->at[next].expanded) {
      next++;
      continue;
    }
    const int32_t *list = mn_hnsw_list(h, level, (size_t)beam->at[next].node);
    size_t count = 0, first = next + 1;
    beam->at[next].expanded = true;
    for (int32_t i = 1; i <= list[0]; i++)
      if (!mark_seen(beam, list[i])) id[count++] = list[i];
    mn_single_distances(count, id, (size_t)h->width, mn_hnsw_row(h, 0), q, distance);
    for (size_t i = 0; i < count; i++) {
      if (beam->size == beam->capacity && !(distance[i] < beam->at[beam->size - 1].distance)) continue;
      const size_t place = insert(beam, distance[i], id[i]);
      if (place < first) first = place;
    }
    next = first;
  }
}

void mn_hnsw_descend(const mn_hnsw *h, const float *q, size_t level, mn_beam *beam)
{
  int32_t node = (int32_t)h->entry;
  float nearest = mn_single_distance((size_t)h->width, mn_hnsw_row(h, (size_t)node), q), distance[MN_HNSW_BOTTOM];
  for (size_t at = mn_hnsw_level(h, (size_t)node); at > level; at--)
    for (bool moved = true; moved;) {
      const int32_t *list = mn_hnsw_list(h, at, (size_t)node);
      moved = false;
      mn_single_distances((size_t)list[0], list + 1, (size_t)h->width, mn_hnsw_row(h, 0), q, distance);
      for (int32_t i = 0; i < list[0]; i++) {
        if (!(distance[i] < nearest)) continue;
        nearest = distance[i];
        node = list[i + 1];
        moved = true;
      }
    }
  beam->at[0] = (mn_beam_node){ nearest, node, false };
  beam->size = 1;
}

void mn_hnsw_convert(const mn_hnsw *h, const double *query, float *out)
{
  const size_t d = h->shift.size;
  for (size_t j = 0; j < d; j++) out[j] = (float)((query[j] - h->shift.at[j]) * h->scale);
  for (size_t j = d; j < (size_t)h->width; j++) out[j] = 0;
}

struct search {
  mn_context *ctx;
  const mn_hnsw *h;
  mn_blocks strips;
  const double *queries;
  size_t k, ef, bytes, query_bytes;
  bool others;
  int32_t *found;
  char *work; /* workers x bytes: a query and a beam */
};

static void search_strip(void *work, size_t strip, size_t worker)
{
  const struct search *s = work;
  const mn_cancel_token token = { s->ctx, worker };
  const size_t end = mn_block_end(&s->strips, strip);
  char *memory = s->work + worker * s->bytes;
  float *q = (float *)(void *)memory;
  mn_beam beam = mn_beam_make(s->ef, memory + s->query_bytes);
  for (size_t i = mn_block_begin(&s->strips, strip); i < end && mn_task_should_continue(&token); i++) {
    int32_t *found = s->found + i * s->k;
    size_t count = 0;
    mn_hnsw_convert(s->h, s->queries + i * s->h->shift.size, q);
    mn_hnsw_descend(s->h, q, 0, &beam);
    mn_hnsw_collect(s->h, q, 0, &beam);
    for (size_t b = 0; b < beam.size && count < s->k; b++) {
      const int32_t row = s->h->row.at[beam.at[b].node];
      if (!(s->others && (size_t)row == i)) found[count++] = row;
    }
    for (; count < s->k; count++) found[count] = INT32_MAX;
  }
}

mn_status mn_hnsw_search(mn_context *ctx, const mn_hnsw *h, size_t m, const double *queries, size_t k, bool others,
                         int32_t *found)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t least = k + (others ? 1 : 0), tuned = (size_t)h->k, of_tuned = (size_t)h->ef;
  const size_t scaled = k > tuned ? of_tuned * k / tuned : of_tuned, ef = scaled < (size_t)h->n ? scaled : (size_t)h->n;
  struct search s = { .ctx = ctx,
                      .h = h,
                      .strips = mn_make_blocks(m, STRIP, SIZE_MAX),
                      .queries = queries,
                      .k = k,
                      .ef = ef < least ? least : ef,
                      .others = others,
                      .found = found };
  s.query_bytes = (size_t)h->width * sizeof(float); /* a multiple of 64 */
  s.bytes = s.query_bytes + mn_beam_bytes(s.ef);
  s.work = MN_RAW(ctx, char, mn_threads(ctx), s.bytes);
  MN_CHECK_ALLOC(s.work);
  MN_TRY(mn_parallel(ctx, s.strips.count, search_strip, &s));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
