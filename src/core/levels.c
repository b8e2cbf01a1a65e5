#include "levels.h"
#include "hash.h"
#include "matrix.h"
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mn_levels {
  atomic_size_t references;
  size_t size;
  mn_label *at;
  char *bytes; /* of all texts */
};

static int compare_sizes(size_t a, size_t b)
{
  return (a > b) - (a < b);
}

/* An integer against a float, exactly: a cast to double would merge neighbors above 2^53. */
static int compare_integer_float(int64_t a, double b)
{
  if (b >= 0x1p63) return -1;
  if (b < -0x1p63) return 1;
  const int64_t whole = (int64_t)b;
  if (a != whole) return a < whole ? -1 : 1;
  const double rest = b - (double)whole;
  return (rest < 0) - (rest > 0);
}

static int compare_numbers(mn_label a, mn_label b)
{
  if (a.kind == MN_LABEL_INTEGER && b.kind == MN_LABEL_INTEGER)
    return (a.as.integer > b.as.integer) - (a.as.integer < b.as.integer);
  if (a.kind == MN_LABEL_INTEGER) return compare_integer_float(a.as.integer, b.as.number);
  if (b.kind == MN_LABEL_INTEGER) return -compare_integer_float(b.as.integer, a.as.number);
  return (a.as.number > b.as.number) - (a.as.number < b.as.number);
}

static int compare_texts(mn_label a, mn_label b)
{
  const size_t shorter = a.as.text.size < b.as.text.size ? a.as.text.size : b.as.text.size;
  const int order = shorter > 0 ? memcmp(a.as.text.bytes, b.as.text.bytes, shorter) : 0;
  return order != 0 ? order : compare_sizes(a.as.text.size, b.as.text.size);
}

static int kind_order(mn_label_kind kind)
{
  switch (kind) {
  case MN_LABEL_BOOLEAN: return 0;
  case MN_LABEL_INTEGER:
  case MN_LABEL_FLOAT: return 1;
  case MN_LABEL_TEXT: return 2;
  }
  return 3;
}

int mn_label_compare(mn_label a, mn_label b)
{
  if (kind_order(a.kind) != kind_order(b.kind)) return kind_order(a.kind) - kind_order(b.kind);
  switch (a.kind) {
  case MN_LABEL_BOOLEAN: return (int)a.as.boolean - (int)b.as.boolean;
  case MN_LABEL_INTEGER:
  case MN_LABEL_FLOAT: return compare_numbers(a, b);
  case MN_LABEL_TEXT: return compare_texts(a, b);
  }
  return 0;
}

struct entry {
  mn_label label;
  uint64_t hash;
  uint64_t first; /* of texts: the first bytes, ordered like the texts */
  int32_t code;   /* by first appearance */
};

static int compare_entries(const void *left, const void *right)
{
  const struct entry *a = left, *b = right;
  if (a->label.kind == MN_LABEL_TEXT && b->label.kind == MN_LABEL_TEXT && a->first != b->first)
    return a->first < b->first ? -1 : 1;
  return mn_label_compare(a->label, b->label);
}

static uint64_t first_bytes(mn_label label)
{
  uint64_t first = 0;
  if (label.kind != MN_LABEL_TEXT) return 0;
  for (size_t i = 0; i < sizeof first; i++)
    first = first << 8 | (i < label.as.text.size ? (unsigned char)label.as.text.bytes[i] : 0);
  return first;
}

static uint64_t hash_label(mn_label label)
{
  switch (label.kind) {
  case MN_LABEL_TEXT: return mn_hash_bytes(label.as.text.bytes, label.as.text.size);
  case MN_LABEL_BOOLEAN: return label.as.boolean ? 3 : 5;
  case MN_LABEL_INTEGER:
  case MN_LABEL_FLOAT: {
    /* equal numbers of either kind need equal hashes: hash the double; + 0.0 turns -0 into 0 */
    const double value = (label.kind == MN_LABEL_INTEGER ? (double)label.as.integer : label.as.number) + 0.0;
    char bytes[sizeof value];
    memcpy(bytes, &value, sizeof value);
    return mn_hash_bytes(bytes, sizeof value);
  }
  }
  return 0;
}

/* A hash table of the distinct labels, with open addressing; entries are in order of first appearance. */
struct table {
  struct entry *entry;
  int32_t *slot; /* 1 + index of an entry; 0: free */
  size_t size, slots;
};

static mn_status grow(mn_context *ctx, struct table *t)
{
  const size_t slots = t->slots ? t->slots * 4 : 64;
  struct entry *entry = MN_RAW(ctx, struct entry, slots / 2, 1);
  int32_t *slot = MN_NEW(ctx, int32_t, slots, 1);
  if (!entry || !slot) return MN_NO_MEMORY;
  if (t->size > 0) memcpy(entry, t->entry, t->size * sizeof *entry);
  for (size_t i = 0; i < t->size; i++) {
    size_t s = entry[i].hash & (slots - 1);
    while (slot[s]) s = (s + 1) & (slots - 1);
    slot[s] = (int32_t)i + 1;
  }
  *t = (struct table){ .entry = entry, .slot = slot, .size = t->size, .slots = slots };
  return MN_OK;
}

static bool is_entry(const struct entry *e, mn_label label, uint64_t hash)
{
  return e->hash == hash && mn_label_compare(e->label, label) == 0;
}

static mn_status insert(mn_context *ctx, struct table *t, mn_label label, int32_t *code)
{
  if (t->size >= t->slots / 2) {
    if (t->size >= INT32_MAX / 8) return mn_fail(ctx, MN_BAD_DATA, "more than %d distinct labels", INT32_MAX / 8);
    MN_TRY(grow(ctx, t));
  }
  const uint64_t hash = hash_label(label);
  size_t s = hash & (t->slots - 1);
  while (t->slot[s] && !is_entry(&t->entry[t->slot[s] - 1], label, hash)) s = (s + 1) & (t->slots - 1);
  if (!t->slot[s]) {
    t->entry[t->size] =
        (struct entry){ .label = label, .hash = hash, .first = first_bytes(label), .code = (int32_t)t->size };
    t->slot[s] = (int32_t)++t->size;
  }
  *code = t->slot[s] - 1;
  return MN_OK;
}

/* Copy the sorted entries and their texts. */
static mn_levels *make_levels(mn_context *ctx, const struct entry *entry, size_t size)
{
  mn_memory *memory = mn_context_memory(ctx);
  size_t text_size = 0;
  for (size_t i = 0; i < size; i++)
    if (entry[i].label.kind == MN_LABEL_TEXT) text_size += entry[i].label.as.text.size;
  mn_levels *levels = mn_alloc(memory, sizeof *levels);
  mn_label *at = mn_alloc(memory, size * sizeof *at);
  char *bytes = mn_alloc(memory, text_size);
  if (!levels || !at || !bytes) {
    mn_free(memory, levels);
    mn_free(memory, at);
    mn_free(memory, bytes);
    mn_fail(ctx, MN_NO_MEMORY, "not enough memory for %zu levels", size);
    return NULL;
  }
  *levels = (mn_levels){ .size = size, .at = at, .bytes = bytes };
  atomic_init(&levels->references, 1);
  for (size_t i = 0; i < size; i++) {
    at[i] = entry[i].label;
    if (at[i].kind != MN_LABEL_TEXT) continue;
    if (at[i].as.text.size > 0) memcpy(bytes, at[i].as.text.bytes, at[i].as.text.size);
    at[i].as.text.bytes = bytes;
    bytes += at[i].as.text.size;
  }
  return levels;
}

mn_levels *mn_levels_new(mn_context *ctx, const mn_label *labels, size_t n, int32_t *codes)
{
  enum { POLL_EVERY = 1 << 16 };
  const mn_mark mark = mn_scratch_mark(ctx);
  struct table table = { 0 };
  mn_levels *levels = NULL;
  mn_status status = MN_OK;
  for (size_t i = 0; status == MN_OK && i < n; i++) {
    int32_t code = 0;
    status = i % POLL_EVERY == POLL_EVERY - 1 ? mn_poll(ctx) : MN_OK;
    if (status == MN_OK) status = insert(ctx, &table, labels[i], &code);
    if (status == MN_OK && codes) codes[i] = code;
  }
  int32_t *rank = status == MN_OK ? MN_RAW(ctx, int32_t, table.size, 1) : NULL;
  if (rank) {
    if (table.size > 0) qsort(table.entry, table.size, sizeof *table.entry, compare_entries);
    for (size_t i = 0; i < table.size; i++) rank[table.entry[i].code] = (int32_t)i;
    for (size_t i = 0; codes && i < n; i++) codes[i] = rank[codes[i]];
    levels = make_levels(ctx, table.entry, table.size);
  }
  mn_scratch_release(ctx, mark);
  return levels;
}

mn_status mn_levels_copy(mn_context *ctx, const mn_levels *from, const mn_levels **to)
{
  *to = from ? mn_levels_new(ctx, from->at, from->size, NULL) : NULL; /* already sorted, so codes do not change */
  return *to || !from ? MN_OK : MN_NO_MEMORY;
}

const mn_levels *mn_levels_retain(const mn_levels *levels)
{
  if (levels) atomic_fetch_add(&((mn_levels *)levels)->references, 1); /* the count is not part of the value */
  return levels;
}

void mn_levels_release(mn_memory *memory, const mn_levels *levels)
{
  if (!levels || atomic_fetch_sub(&((mn_levels *)levels)->references, 1) > 1) return;
  mn_free(memory, levels->at);
  mn_free(memory, levels->bytes);
  mn_free(memory, (mn_levels *)levels);
}

size_t mn_levels_size(const mn_levels *levels)
{
  return levels->size;
}

mn_label mn_levels_at(const mn_levels *levels, size_t code)
{
  return levels->at[code];
}

int32_t mn_levels_find(const mn_levels *levels, mn_label label)
{
  size_t low = 0, high = levels->size;
  while (low < high) {
    const size_t mid = low + (high - low) / 2;
    const int order = mn_label_compare(levels->at[mid], label);
    if (order == 0) return (int32_t)mid;
    if (order < 0)
      low = mid + 1;
    else
      high = mid;
  }
  return -1;
}

const char *mn_format_label(char *buffer, size_t size, mn_label label)
{
  char number[MN_NUMBER_SIZE];
  switch (label.kind) {
  case MN_LABEL_BOOLEAN: snprintf(buffer, size, "%s", label.as.boolean ? "true" : "false"); break;
  case MN_LABEL_INTEGER: snprintf(buffer, size, "%lld", (long long)label.as.integer); break;
  case MN_LABEL_FLOAT: snprintf(buffer, size, "%s", mn_format_number(number, label.as.number)); break;
  case MN_LABEL_TEXT: {
    const size_t fits = label.as.text.size < size ? label.as.text.size : size - 1;
    if (fits > 0) memcpy(buffer, label.as.text.bytes, fits);
    buffer[fits] = '\0';
    break;
  }
  }
  return buffer;
}

void mn_levels_map(const mn_levels *from, const mn_levels *to, int32_t *map)
{
  for (size_t i = 0; i < from->size; i++) map[i] = mn_levels_find(to, from->at[i]);
}

mn_status mn_factor_init(mn_context *ctx, mn_factor *f, size_t size, const mn_levels *levels)
{
  *f = (mn_factor){ 0 };
  mn_indexes codes;
  MN_TRY(mn_indexes_init(ctx, &codes, size));
  *f = (mn_factor){ .code = codes.at, .size = size, .levels = mn_levels_retain(levels) };
  return MN_OK;
}

void mn_factor_free(mn_memory *memory, mn_factor *f)
{
  mn_free(memory, f->code);
  mn_levels_release(memory, f->levels);
  *f = (mn_factor){ 0 };
}
