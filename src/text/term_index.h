/* The distinct terms of documents with their counts: a hash table whose strings are stored in one array of bytes. */
#ifndef MN_TEXT_TERM_INDEX_H
#define MN_TEXT_TERM_INDEX_H
#include "../core/context.h"

typedef struct mn_term {
  _Alignas(64) uint64_t hash; /* one cache line a term */
  uint64_t first;             /* of mn_hash_bytes, mn_first_bytes        */
  size_t at, size;            /* its bytes in those of the table         */
  size_t total;               /* occurrences                             */
  int32_t documents;          /* documents in which it occurs            */
  int32_t last;               /* the last of them, and its place there;  */
  size_t place;               /* for use by the caller                   */
} mn_term;

typedef struct mn_term_index {
  mn_term *term; /* in order of first appearance                               */
  char *bytes;
  int32_t *slot; /* pairs: bits of the hash, and the index of a term or -1      */
  size_t terms, slots, size, capacity;
} mn_term_index;

/* Begin to load what an insertion with this hash reads: first the slot, then, some insertions later, the term. */
static inline void mn_term_index_load_slot(const mn_term_index *table, uint64_t hash)
{
  if (table->slots > 0) __builtin_prefetch(&table->slot[2 * (hash & (table->slots - 1))]);
}
static inline void mn_term_index_load_term(const mn_term_index *table, uint64_t hash)
{
  const int32_t index = table->slots > 0 ? table->slot[2 * (hash & (table->slots - 1)) + 1] : -1;
  if (index >= 0) __builtin_prefetch(&table->term[index]);
}

/* The index of a term; a new one has no documents, and `last` is -1. The table starts zeroed. */
mn_status mn_term_index_insert(mn_context *ctx, mn_term_index *table, const char *bytes, size_t size, uint64_t hash,
                               int32_t *index);

/* Reallocate an array to n elements, counted in the memory use of `ctx`; `old` NULL: allocate one. NULL, with the error
 * set, on failure. */
void *mn_resize_array(mn_context *ctx, void *old, size_t size, size_t n);

void mn_term_index_free(mn_memory *memory, mn_term_index *table);

#endif
