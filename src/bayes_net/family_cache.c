#include "family_cache.h"
#include "../core/hash.h"
#include <math.h>

enum { FIRST_CAPACITY = 1 << 12, MOST_ENTRIES = 1 << 20 };

static mn_status allocate(mn_context *ctx, size_t capacity, mn_family_cache *c)
{
  c->capacity = capacity;
  c->set = MN_RAW(ctx, uint64_t, capacity, c->words);
  c->node = MN_RAW(ctx, int32_t, capacity, 1);
  c->score = MN_RAW(ctx, double, capacity, 1);
  if (!c->set || !c->node || !c->score) return MN_NO_MEMORY;
  for (size_t i = 0; i < capacity; i++) c->node[i] = -1;
  return MN_OK;
}

mn_status mn_family_cache_init(mn_context *ctx, size_t nodes, mn_family_cache *c)
{
  *c = (mn_family_cache){ .words = (nodes + 63) / 64 };
  return allocate(ctx, FIRST_CAPACITY, c);
}

static size_t slot_of(const mn_family_cache *c, int32_t node, const uint64_t *set)
{
  uint64_t hash = (uint64_t)node;
  for (size_t w = 0; w < c->words; w++) hash = mn_hash_step(hash, set[w]);
  size_t at = hash & (c->capacity - 1);
  while (c->node[at] >= 0 && (c->node[at] != node || memcmp(c->set + at * c->words, set, c->words * sizeof *set) != 0))
    at = (at + 1) & (c->capacity - 1);
  return at;
}

double mn_family_cache_find(const mn_family_cache *c, int32_t node, const uint64_t *set)
{
  const size_t at = slot_of(c, node, set);
  return c->node[at] < 0 ? (double)NAN : c->score[at];
}

static void put(mn_family_cache *c, int32_t node, const uint64_t *set, double score)
{
  const size_t at = slot_of(c, node, set);
  if (c->node[at] < 0) c->size++;
  c->node[at] = node;
  c->score[at] = score;
  memcpy(c->set + at * c->words, set, c->words * sizeof *set);
}

mn_status mn_family_cache_add(mn_context *ctx, mn_family_cache *c, int32_t node, const uint64_t *set, double score)
{
  if (c->size >= MOST_ENTRIES) return MN_OK;
  if (2 * c->size >= c->capacity) {
    mn_family_cache larger = { .words = c->words };
    MN_TRY(allocate(ctx, 4 * c->capacity, &larger));
    for (size_t i = 0; i < c->capacity; i++)
      if (c->node[i] >= 0) put(&larger, c->node[i], c->set + i * c->words, c->score[i]);
    *c = larger;
  }
  put(c, node, set, score);
  return MN_OK;
}
