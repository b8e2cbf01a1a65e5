#include "vocabulary.h"

/* --- given terms --- */

mn_status mn_vocabulary_derive(mn_context *ctx, mn_vocabulary *v)
{
  if (v->terms.size > INT32_MAX / 8) return mn_fail(ctx, MN_BAD_DATA, "more than %d terms", INT32_MAX / 8);
  MN_TRY(mn_indexes_init(ctx, &v->slots, 2 * mn_word_set_slots(v->terms.size)));
  mn_word_set_fill((const char *const *)v->terms.at, v->terms.size, v->slots.at);
  return MN_OK;
}

bool mn_vocabulary_is_valid(const mn_vocabulary *v)
{
  return v->terms.at && v->terms.size > 0 && v->terms.size <= INT32_MAX / 8;
}

mn_word_set mn_vocabulary_words(const mn_vocabulary *v)
{
  return (mn_word_set){
    .word = (const char *const *)v->terms.at, .slot = v->slots.at, .size = v->terms.size, .slots = v->slots.size / 2
  };
}

mn_status mn_vocabulary_set(mn_context *ctx, const char *who, const mn_names *terms, mn_vocabulary *out)
{
  MN_TRY(mn_value_copy(ctx, MN_KIND_NAMES, terms, &out->terms));
  MN_TRY(mn_indexes_init(ctx, &out->slots, 2 * mn_word_set_slots(terms->size)));
  const size_t twice = mn_word_set_fill((const char *const *)out->terms.at, terms->size, out->slots.at);
  if (twice < terms->size)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: vocabulary must have different terms, got '%.60s' twice", who,
                   terms->at[twice]);
  return MN_OK;
}

/* --- counting the terms of a vocabulary --- */

struct lookup {
  const mn_term_source *source;
  mn_word_set words;
};

static mn_status look_up(mn_context *ctx, const void *reader, size_t row, const char *text, size_t size,
                         mn_row_part *part)
{
  const struct lookup *r = reader;
  mn_analysis *a = &part->analysis;
  mn_term_batch b = { 0 };
  MN_TRY(mn_find_terms(ctx, r->source, row, text, size, a));
  while (mn_next_terms(a, &b)) {
    for (size_t k = 0; k < b.size; k++) mn_word_set_load(&r->words, b.hash[k]);
    for (size_t k = 0; k < b.size; k++) {
      const int32_t column = mn_word_set_find(&r->words, a->bytes + b.term[k].begin, b.term[k].size, b.hash[k]);
      if (column >= 0) MN_TRY(mn_add_entry(ctx, part, column, mn_term_value(a, b.begin + k)));
    }
  }
  return MN_OK;
}

mn_status mn_vocabulary_count(mn_context *ctx, const mn_data *data, const mn_term_source *source,
                              const mn_vocabulary *vocabulary, bool binary, mn_csr *out)
{
  const struct lookup reader = { .source = source, .words = mn_vocabulary_words(vocabulary) };
  mn_document_rows rows;
  mn_status status = mn_read_documents(ctx, data, look_up, &reader, &rows);
  if (status == MN_OK) status = mn_rows_to_csr(ctx, &rows, NULL, vocabulary->terms.size, out);
  mn_document_rows_free(mn_context_memory(ctx), &rows);
  for (size_t k = 0; status == MN_OK && binary && k < out->start[out->rows]; k++) out->at[k] = 1;
  return status;
}
