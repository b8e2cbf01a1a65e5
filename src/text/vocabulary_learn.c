/* Each worker collects the terms of its documents in a table of its own; the tables are merged, and the terms that are
 * kept are sorted. Counts are whole numbers, so the result does not depend on the number of workers. */
#include "vocabulary.h"
#include <stdlib.h>

struct learner {
  const mn_term_source *source;
  bool keeps_rows;
};

/* Count term i of the analysis. */
static mn_status learn_term(mn_context *ctx, const struct learner *r, int32_t row, size_t i, uint64_t hash,
                            mn_row_part *part)
{
  const mn_analysis *a = &part->analysis;
  int32_t index;
  MN_TRY(mn_term_index_insert(ctx, &part->table, a->bytes + a->term.at[i].begin, a->term.at[i].size, hash, &index));
  mn_term *term = &part->table.term[index];
  term->total++;
  if (term->last == row) {
    if (r->keeps_rows) part->value[term->place] += mn_term_value(a, i);
    return MN_OK;
  }
  term->last = row;
  term->documents++;
  term->place = part->size;
  return r->keeps_rows ? mn_add_entry(ctx, part, index, mn_term_value(a, i)) : MN_OK;
}

static mn_status learn_document(mn_context *ctx, const void *reader, size_t row, const char *text, size_t size,
                                mn_row_part *part)
{
  const struct learner *r = reader;
  mn_analysis *a = &part->analysis;
  mn_term_batch b = { 0 };
  MN_TRY(mn_find_terms(ctx, r->source, row, text, size, a));
  while (mn_next_terms(a, &b)) {
    for (size_t k = 0; k < b.size; k++) mn_term_index_load_slot(&part->table, b.hash[k]);
    for (size_t k = 0; k < b.size; k++) mn_term_index_load_term(&part->table, b.hash[k]);
    for (size_t k = 0; k < b.size; k++) MN_TRY(learn_term(ctx, r, (int32_t)row, b.begin + k, b.hash[k], part));
  }
  return MN_OK;
}

/* --- merging --- */

/* Add the terms of a part to those of all; map[i] is the index there of its term i. */
static mn_status merge_part(mn_context *ctx, const mn_term_index *part, mn_term_index *all, int32_t **map)
{
  enum { POLL_EVERY = 1 << 14 };
  *map = MN_RAW(ctx, int32_t, part->terms, 1);
  MN_CHECK_ALLOC(*map);
  for (size_t i = 0; i < part->terms; i++) {
    const mn_term *from = &part->term[i];
    if (i % POLL_EVERY == 0) MN_TRY(mn_poll(ctx));
    MN_TRY(mn_term_index_insert(ctx, all, part->bytes + from->at, from->size, from->hash, &(*map)[i]));
    mn_term *to = &all->term[(*map)[i]];
    to->documents += from->documents;
    to->total += from->total;
  }
  return MN_OK;
}

/* The first part becomes the table of all terms. */
static mn_status merge(mn_context *ctx, mn_document_rows *rows, mn_term_index *all, int32_t **map)
{
  *all = rows->part[0].table;
  rows->part[0].table = (mn_term_index){ 0 };
  map[0] = MN_RAW(ctx, int32_t, all->terms, 1);
  MN_CHECK_ALLOC(map[0]);
  for (size_t i = 0; i < all->terms; i++) map[0][i] = (int32_t)i;
  for (size_t p = 1; p < rows->parts; p++) {
    MN_TRY(merge_part(ctx, &rows->part[p].table, all, &map[p]));
    mn_term_index_free(mn_context_memory(ctx), &rows->part[p].table);
  }
  return MN_OK;
}

/* --- selection and order --- */

struct candidate {
  uint64_t key; /* the first bytes, in an order that is that of the numbers */
  const char *bytes;
  size_t size, total;
  int32_t index, documents;
};

static uint64_t big_endian_key(const char *bytes, size_t size)
{
  uint64_t key = 0;
  for (size_t i = 0; i < sizeof key; i++) key = key << 8 | (i < size ? (unsigned char)bytes[i] : 0);
  return key;
}

static int by_term(const void *left, const void *right)
{
  const struct candidate *a = left, *b = right;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  const size_t shorter = a->size < b->size ? a->size : b->size;
  const int order = memcmp(a->bytes, b->bytes, shorter);
  return order != 0 ? order : (a->size > b->size) - (a->size < b->size);
}

static int by_total(const void *left, const void *right)
{
  const struct candidate *a = left, *b = right;
  if (a->total != b->total) return a->total > b->total ? -1 : 1;
  return by_term(left, right);
}

static mn_status find_candidates(mn_context *ctx, const mn_term_index *all, const struct mn_term_limits *limits,
                                 struct candidate **out, size_t *n)
{
  struct candidate *c = MN_RAW(ctx, struct candidate, all->terms, 1);
  MN_CHECK_ALLOC(c);
  *n = 0;
  *out = c;
  for (size_t i = 0; i < all->terms; i++) {
    const mn_term *t = &all->term[i];
    if (t->documents < limits->min_documents || t->documents > limits->max_documents) continue;
    const char *bytes = all->bytes + t->at;
    c[(*n)++] = (struct candidate){ .key = big_endian_key(bytes, t->size),
                                    .bytes = bytes,
                                    .size = t->size,
                                    .total = limits->binary ? (size_t)t->documents : t->total,
                                    .index = (int32_t)i,
                                    .documents = t->documents };
  }
  return MN_OK;
}

static mn_status store_terms(mn_context *ctx, const struct candidate *c, size_t n, mn_vocabulary *out)
{
  size_t bytes = 0;
  for (size_t i = 0; i < n; i++) bytes += c[i].size + 1;
  char *next = MN_RAW(ctx, char, bytes, 1);
  const char **term = MN_RAW(ctx, const char *, n, 1);
  if (!next || !term) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) {
    term[i] = memcpy(next, c[i].bytes, c[i].size);
    next += c[i].size;
    *next++ = '\0';
  }
  MN_TRY(mn_names_init(ctx, &out->terms, term, n));
  return mn_vocabulary_derive(ctx, out);
}

/* Choose and sort the terms; column[i] is that of term i of the table, or -1. */
static mn_status select_terms(mn_context *ctx, const mn_term_source *source, const mn_term_index *all,
                              const struct mn_term_limits *limits, mn_vocabulary *out, double **documents,
                              int32_t *column)
{
  struct candidate *c;
  size_t n;
  MN_TRY(find_candidates(ctx, all, limits, &c, &n));
  if (all->terms == 0)
    return mn_fail(ctx, MN_BAD_DATA, "%s: X must have terms, got %s", source->who,
                   source->analyzer ? "documents that are empty or have only stop words and short words; see "
                                      "stop_words, min_length and analyzer"
                                    : "empty tables");
  if (n == 0) return mn_fail(ctx, MN_BAD_DATA, "%s: no term remains; decrease min_df or increase max_df", source->who);
  if (limits->max_features != MN_UNSET && (size_t)limits->max_features < n) {
    qsort(c, n, sizeof *c, by_total);
    n = (size_t)limits->max_features;
  }
  MN_TRY(mn_poll(ctx));
  qsort(c, n, sizeof *c, by_term);
  *documents = MN_RAW(ctx, double, n, 1);
  MN_CHECK_ALLOC(*documents);
  for (size_t i = 0; i < all->terms; i++) column[i] = -1;
  for (size_t i = 0; i < n; i++) {
    column[c[i].index] = (int32_t)i;
    (*documents)[i] = c[i].documents;
  }
  return store_terms(ctx, c, n, out);
}

static mn_status make_vocabulary(mn_context *ctx, const mn_term_source *source, mn_document_rows *rows,
                                 mn_term_index *all, const struct mn_term_limits *limits, mn_vocabulary *out,
                                 double **documents, mn_csr *counts)
{
  int32_t **map = MN_NEW(ctx, int32_t *, rows->parts, 1);
  MN_CHECK_ALLOC(map);
  size_t *sizes = MN_RAW(ctx, size_t, rows->parts, 1);
  MN_CHECK_ALLOC(sizes);
  for (size_t p = 0; p < rows->parts; p++) sizes[p] = rows->part[p].table.terms;
  MN_TRY(merge(ctx, rows, all, map));
  int32_t *column = MN_RAW(ctx, int32_t, all->terms, 1);
  MN_CHECK_ALLOC(column);
  MN_TRY(select_terms(ctx, source, all, limits, out, documents, column));
  if (!counts) return MN_OK;
  for (size_t p = 0; p < rows->parts; p++)
    for (size_t i = 0; i < sizes[p]; i++) map[p][i] = column[map[p][i]];
  MN_TRY(mn_rows_to_csr(ctx, rows, (const int32_t *const *)map, out->terms.size, counts));
  for (size_t k = 0; limits->binary && k < counts->start[counts->rows]; k++) counts->at[k] = 1;
  return MN_OK;
}

mn_status mn_vocabulary_learn(mn_context *ctx, const mn_data *data, const mn_term_source *source,
                              const struct mn_term_limits *limits, mn_vocabulary *out, double **documents,
                              mn_csr *counts)
{
  const struct learner reader = { .source = source, .keeps_rows = counts != NULL };
  mn_document_rows rows;
  mn_term_index all = { 0 };
  mn_status status = mn_read_documents(ctx, data, learn_document, &reader, &rows);
  if (status == MN_OK) status = make_vocabulary(ctx, source, &rows, &all, limits, out, documents, counts);
  mn_document_rows_free(mn_context_memory(ctx), &rows);
  mn_term_index_free(mn_context_memory(ctx), &all);
  return status;
}
