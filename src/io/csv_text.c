#include "csv_text.h"
#include "csv_parts.h"
#include "../core/threads.h"

size_t mn_csv_slot_count(size_t max_rows)
{
  size_t slots = 16;
  while (slots / 2 < max_rows) slots *= 2;
  return slots;
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

static uint32_t hash_field(const char *at, size_t size, bool escaped)
{
  uint64_t hash = mix(size, escaped);
  for (; size >= 8; size -= 8, at += 8) hash = mix(hash, mn_load8(at));
  uint64_t tail = 0;
  for (size_t i = 0; i < size; i++) tail |= (uint64_t)(unsigned char)at[i] << 8 * i;
  return (uint32_t)(mix(hash, tail) >> 16);
}

static bool same_text(const struct mn_csv_text *a, const struct mn_csv_text *b)
{
  return a->hash == b->hash && a->size == b->size && a->escaped == b->escaped && memcmp(a->at, b->at, a->size) == 0;
}

/* Read the text at `at`, whose row has been parsed, so it is well-formed. */
static struct mn_csv_text read_text(const mn_csv_dialect *d, const char *at, const char *end)
{
  mn_csv_field f = { .size = 0 };
  mn_read_field(d, at, end, &f);
  return (struct mn_csv_text){
    .at = f.at, .size = f.size, .escaped = f.escaped, .hash = hash_field(f.at, f.size, f.escaped)
  };
}

uint32_t mn_csv_intern_texts(const mn_csv_dialect *d, const char *from, const char *end,
                             struct mn_csv_text_table *table, size_t rows, int32_t *code)
{
  const size_t slots = mn_csv_slot_count(rows);
  uint32_t distinct = 0;
  memset(table->slot, 0, slots * sizeof *table->slot);
  for (size_t i = 0; i < rows; i++) {
    if (code[i] < 0) continue;
    struct mn_csv_text text = read_text(d, from + code[i], end);
    text.row = (uint32_t)i;
    size_t s = text.hash & (slots - 1);
    while (table->slot[s] && !same_text(&table->text[table->slot[s] - 1], &text)) s = (s + 1) & (slots - 1);
    if (table->slot[s]) {
      code[i] = (int32_t)(table->text[table->slot[s] - 1].row | MN_CSV_REPEAT);
    } else {
      table->text[distinct] = text;
      table->slot[s] = ++distinct;
    }
  }
  return distinct;
}

/* The distinct texts of a column in all chunks. */
struct text_collection {
  const struct mn_csv_pass *pass;
  size_t col;
  size_t *first;            /* chunks + 1: first index into `text` of each chunk */
  struct mn_csv_text *text; /* in file order; may repeat between chunks */
  int32_t *code;            /* for each text */
};

static void collect_chunk(void *user, size_t block, size_t worker)
{
  const struct text_collection *g = user;
  const struct mn_csv_layout *l = g->pass->layout;
  const struct mn_csv_chunk *c = &g->pass->chunks->at[block];
  const int32_t *code = g->pass->code[g->col] + c->base;
  struct mn_csv_text *next = g->text + g->first[block];
  (void)worker;
  for (size_t i = 0; i < c->rows; i++)
    if (code[i] >= 0) *next++ = read_text(&l->dialect, c->row + code[i], l->end);
}

static void assign_codes(void *user, size_t block, size_t worker)
{
  const struct text_collection *g = user;
  const struct mn_csv_chunk *c = &g->pass->chunks->at[block];
  int32_t *code = g->pass->code[g->col] + c->base;
  size_t next = g->first[block];
  (void)worker;
  for (size_t i = 0; i < c->rows; i++) {
    if (code[i] == -1) continue;
    code[i] = code[i] < 0 ? code[(uint32_t)code[i] & ~MN_CSV_REPEAT] : g->code[next++];
  }
}

static mn_status collect_texts(mn_context *ctx, struct text_collection *g)
{
  const struct mn_csv_chunks *chunks = g->pass->chunks;
  g->first = MN_NEW(ctx, size_t, chunks->size + 1, 1);
  MN_CHECK_ALLOC(g->first);
  for (size_t i = 0; i < chunks->size; i++)
    g->first[i + 1] =
        g->first[i] + (chunks->at[i].row ? g->pass->stats[i * g->pass->layout->cols + g->col].distinct : 0);
  const size_t texts = g->first[chunks->size];
  if (texts > INT32_MAX)
    return mn_fail(ctx, MN_BAD_DATA, "%s: column '%s' must have fewer different texts than %d", g->pass->layout->label,
                   g->pass->layout->name[g->col], INT32_MAX);
  g->text = MN_RAW(ctx, struct mn_csv_text, texts, 1);
  g->code = MN_RAW(ctx, int32_t, texts, 1);
  if (!g->text || !g->code) return MN_NO_MEMORY;
  return mn_parallel(ctx, chunks->size, collect_chunk, g);
}

/* Merge equal texts of different chunks: text[0..n-1] become distinct, and code[i] is the index of text i among them.
 */
static mn_status merge_texts(mn_context *ctx, struct text_collection *g, size_t *n)
{
  const size_t texts = g->first[g->pass->chunks->size], slots = mn_csv_slot_count(texts);
  uint32_t *slot = MN_NEW(ctx, uint32_t, slots, 1);
  MN_CHECK_ALLOC(slot);
  *n = 0;
  for (size_t i = 0; i < texts; i++) {
    size_t s = g->text[i].hash & (slots - 1);
    while (slot[s] && !same_text(&g->text[slot[s] - 1], &g->text[i])) s = (s + 1) & (slots - 1);
    if (!slot[s]) {
      g->text[*n] = g->text[i];
      slot[s] = (uint32_t)++ * n;
    }
    g->code[i] = (int32_t)slot[s] - 1;
  }
  return MN_OK;
}

static bool is_word(const struct mn_csv_text *t, const char *const words[3])
{
  for (int i = 0; i < 3; i++)
    if (t->size == strlen(words[i]) && memcmp(t->at, words[i], t->size) == 0) return true;
  return false;
}

/* Returns false if the text is not a boolean. */
static bool read_boolean(const struct mn_csv_text *t, bool *value)
{
  static const char *const yes[3] = { "true", "True", "TRUE" }, *const no[3] = { "false", "False", "FALSE" };
  *value = is_word(t, yes);
  return *value || is_word(t, no);
}

static const struct mn_csv_text *first_not_boolean(const struct mn_csv_text *text, size_t n)
{
  bool value;
  for (size_t i = 0; i < n; i++)
    if (!read_boolean(&text[i], &value)) return &text[i];
  return NULL;
}

static mn_status label_text(mn_context *ctx, const mn_csv_dialect *d, const struct mn_csv_text *t, mn_label *label)
{
  *label = (mn_label){ .kind = MN_LABEL_TEXT, .as.text = { .bytes = t->at, .size = t->size } };
  if (!t->escaped) return MN_OK;
  const mn_csv_field f = { .at = t->at, .size = t->size, .quoted = true, .escaped = true };
  char *plain = MN_RAW(ctx, char, t->size, 1);
  MN_CHECK_ALLOC(plain);
  label->as.text.size = mn_csv_unescape(d, &f, plain);
  label->as.text.bytes = plain;
  return MN_OK;
}

static mn_status label_all(mn_context *ctx, const struct text_collection *g, size_t n, mn_label *label)
{
  const struct mn_csv_layout *l = g->pass->layout;
  const enum mn_csv_kind kind = (enum mn_csv_kind)l->kind[g->col];
  const struct mn_csv_text *not_boolean = kind == MN_CSV_TEXT || n == 0 ? g->text : first_not_boolean(g->text, n);
  if (kind == MN_CSV_BOOLEAN && not_boolean && n > 0)
    return mn_csv_fail_value(ctx, l,
                             not_boolean->at - (not_boolean->at > l->file && not_boolean->at[-1] == l->dialect.quote),
                             "expected true or false");
  for (size_t i = 0; i < n; i++) {
    if (not_boolean) {
      MN_TRY(label_text(ctx, &l->dialect, &g->text[i], &label[i]));
    } else {
      label[i].kind = MN_LABEL_BOOLEAN;
      read_boolean(&g->text[i], &label[i].as.boolean);
    }
  }
  return MN_OK;
}

static mn_status make_levels(mn_context *ctx, struct text_collection *g, const mn_levels **levels)
{
  size_t n;
  MN_TRY(collect_texts(ctx, g));
  MN_TRY(merge_texts(ctx, g, &n));
  mn_label *label = MN_RAW(ctx, mn_label, n, 1);
  int32_t *rank = MN_RAW(ctx, int32_t, n, 1);
  if (!label || !rank) return MN_NO_MEMORY;
  MN_TRY(label_all(ctx, g, n, label));
  *levels = mn_levels_new(ctx, label, n, rank);
  MN_CHECK_ALLOC(*levels);
  const size_t texts = g->first[g->pass->chunks->size];
  for (size_t i = 0; i < texts; i++) g->code[i] = rank[g->code[i]];
  const mn_status status = mn_parallel(ctx, g->pass->chunks->size, assign_codes, g);
  if (status == MN_OK) return MN_OK;
  mn_levels_release(mn_context_memory(ctx), *levels);
  *levels = NULL;
  return status;
}

const mn_levels *mn_csv_make_levels(mn_context *ctx, const struct mn_csv_pass *pass, size_t col)
{
  struct text_collection g = { .pass = pass, .col = col };
  const mn_levels *levels = NULL;
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_status status = make_levels(ctx, &g, &levels);
  mn_scratch_release(ctx, mark);
  return status == MN_OK ? levels : NULL;
}
