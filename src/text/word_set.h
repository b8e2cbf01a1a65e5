/* A set of strings, each with its index. */
#ifndef MN_TEXT_WORD_SET_H
#define MN_TEXT_WORD_SET_H
#include "../core/context.h"

/* A hash table with open addressing. `slot` holds pairs: bits of the hash, and the index of a word or -1. */
typedef struct mn_word_set {
  const char *const *word; /* size; each NUL-terminated, borrowed        */
  const int32_t *slot;     /* 2 x slots                                  */
  size_t size, slots;      /* slots: a power of two, more than size; or 0 */
} mn_word_set;

/* The number of slots for n words. */
size_t mn_word_set_slots(size_t n);

/* Fill `slot`, 2 x mn_word_set_slots(n). Returns the index of the first word that occurs before, or n. */
size_t mn_word_set_fill(const char *const *word, size_t n, int32_t *slot);

/* A set in scratch; a word that occurs again is ignored. */
mn_status mn_word_set_init(mn_context *ctx, mn_word_set *set, const char *const *word, size_t n);

/* Begin to load what a search for this hash reads first. */
static inline void mn_word_set_load(const mn_word_set *set, uint64_t hash)
{
  if (set->slots > 0) __builtin_prefetch(&set->slot[2 * (hash & (set->slots - 1))]);
}

/* The index of a word with this hash (mn_hash_bytes), -1 if it is not in the set. */
int32_t mn_word_set_find(const mn_word_set *set, const char *bytes, size_t size, uint64_t hash);

#endif
