#include "term_index.h"
#include "../core/hash.h"

void *mn_resize_array(mn_context *ctx, void *old, size_t size, size_t n)
{
  mn_memory *memory = mn_context_memory(ctx);
  size_t bytes;
  void *made = NULL;
  if (mn_checked_size(size, n, 1, &bytes)) made = old ? mn_realloc(memory, old, bytes) : mn_alloc(memory, bytes);
  if (!made) mn_fail(ctx, MN_NO_MEMORY, "not enough memory for %zu terms", n);
  return made;
}

static int32_t tag_of(uint64_t hash)
{
  return (int32_t)(hash >> 33);
}

static mn_status grow(mn_context *ctx, mn_term_index *t)
{
  if (t->terms > INT32_MAX / 4) return mn_fail(ctx, MN_BAD_DATA, "more than %d distinct terms", INT32_MAX / 4);
  const size_t slots = t->slots ? 4 * t->slots : 1024;
  mn_term *term = mn_resize_array(ctx, t->term, sizeof *term, slots / 2);
  MN_CHECK_ALLOC(term);
  t->term = term;
  int32_t *slot = mn_resize_array(ctx, t->slot, 2 * sizeof *slot, slots);
  MN_CHECK_ALLOC(slot);
  t->slot = slot;
  t->slots = slots;
  for (size_t s = 0; s < slots; s++) slot[2 * s + 1] = -1;
  for (size_t i = 0; i < t->terms; i++) {
    size_t s = term[i].hash & (slots - 1);
    while (slot[2 * s + 1] >= 0) s = (s + 1) & (slots - 1);
    slot[2 * s] = tag_of(term[i].hash);
    slot[2 * s + 1] = (int32_t)i;
  }
  return MN_OK;
}

static mn_status add(mn_context *ctx, mn_term_index *t, const char *bytes, size_t size, uint64_t hash, size_t s)
{
  if (size > t->capacity - t->size) {
    const size_t capacity = t->size + size + t->capacity + 4096;
    char *grown = mn_resize_array(ctx, t->bytes, 1, capacity);
    MN_CHECK_ALLOC(grown);
    t->bytes = grown;
    t->capacity = capacity;
  }
  memcpy(t->bytes + t->size, bytes, size);
  t->term[t->terms] =
      (mn_term){ .hash = hash, .first = mn_first_bytes(bytes, size), .at = t->size, .size = size, .last = -1 };
  t->size += size;
  t->slot[2 * s] = tag_of(hash);
  t->slot[2 * s + 1] = (int32_t)t->terms++;
  return MN_OK;
}

static inline bool is_same(const mn_term_index *t, const mn_term *a, const char *bytes, size_t size, uint64_t first)
{
  if (a->size != size || a->first != first) return false;
  return size <= sizeof first || memcmp(t->bytes + a->at, bytes, size) == 0;
}

mn_status mn_term_index_insert(mn_context *ctx, mn_term_index *t, const char *bytes, size_t size, uint64_t hash,
                               int32_t *index)
{
  if (t->terms >= t->slots / 2) MN_TRY(grow(ctx, t));
  const uint64_t first = mn_first_bytes(bytes, size);
  size_t s = hash & (t->slots - 1);
  for (; t->slot[2 * s + 1] >= 0; s = (s + 1) & (t->slots - 1)) {
    *index = t->slot[2 * s + 1];
    if (t->slot[2 * s] == tag_of(hash) && is_same(t, &t->term[*index], bytes, size, first)) return MN_OK;
  }
  *index = (int32_t)t->terms;
  return add(ctx, t, bytes, size, hash, s);
}

void mn_term_index_free(mn_memory *memory, mn_term_index *t)
{
  mn_free(memory, t->term);
  mn_free(memory, t->bytes);
  mn_free(memory, t->slot);
  *t = (mn_term_index){ 0 };
}
