#include "word_set.h"
#include "../core/hash.h"

size_t mn_word_set_slots(size_t n)
{
  size_t slots = 8;
  while (slots < 2 * n) slots *= 2;
  return slots;
}

static int32_t tag_of(uint64_t hash)
{
  return (int32_t)(hash >> 33);
}

static bool is_word(const char *word, const char *bytes, size_t size)
{
  return strncmp(word, bytes, size) == 0 && word[size] == '\0';
}

size_t mn_word_set_fill(const char *const *word, size_t n, int32_t *slot)
{
  const size_t slots = mn_word_set_slots(n);
  size_t duplicate = n;
  for (size_t s = 0; s < slots; s++) slot[2 * s + 1] = -1;
  for (size_t i = 0; i < n; i++) {
    const size_t size = strlen(word[i]);
    const uint64_t hash = mn_hash_bytes(word[i], size);
    size_t s = hash & (slots - 1);
    while (slot[2 * s + 1] >= 0 && !is_word(word[slot[2 * s + 1]], word[i], size)) s = (s + 1) & (slots - 1);
    if (slot[2 * s + 1] >= 0) {
      if (duplicate == n) duplicate = i;
      continue;
    }
    slot[2 * s] = tag_of(hash);
    slot[2 * s + 1] = (int32_t)i;
  }
  return duplicate;
}

mn_status mn_word_set_init(mn_context *ctx, mn_word_set *set, const char *const *word, size_t n)
{
  *set = (mn_word_set){ .word = word, .size = n };
  if (n == 0) return MN_OK;
  int32_t *slot = MN_RAW(ctx, int32_t, mn_word_set_slots(n), 2);
  MN_CHECK_ALLOC(slot);
  mn_word_set_fill(word, n, slot);
  set->slot = slot;
  set->slots = mn_word_set_slots(n);
  return MN_OK;
}

int32_t mn_word_set_find(const mn_word_set *set, const char *bytes, size_t size, uint64_t hash)
{
  if (set->slots == 0) return -1;
  const int32_t tag = tag_of(hash);
  for (size_t s = hash & (set->slots - 1); set->slot[2 * s + 1] >= 0; s = (s + 1) & (set->slots - 1)) {
    const int32_t index = set->slot[2 * s + 1];
    if (set->slot[2 * s] == tag && is_word(set->word[index], bytes, size)) return index;
  }
  return -1;
}
