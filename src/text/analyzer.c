#include "analyzer.h"
#include "../core/hash.h"
#include "normalize.h"
#include "stop_words.h"
#include "unicode.h"

const char *const mn_analyzer_names[] = { "word", "char", "char_wb", "whitespace", NULL };
const char *const mn_stop_list_names[] = { "english", NULL };
const char *const mn_strip_accents_names[] = { "none", "ascii", "unicode", NULL };

/* --- settings --- */

static mn_status read_ngram_range(mn_context *ctx, const char *who, const mn_vector *range, mn_analyzer *out)
{
  static const double words[] = { 1 };
  const double *given = range->at ? range->at : words;
  const size_t count = range->at ? range->size : 1;
  if (count < 1 || count > 2)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: ngram_range must have 2 numbers, as { 1, 2 }, got %zu", who, count);
  const double low = given[0], high = given[count - 1];
  const bool whole = low == floor(low) && high == floor(high);
  if (!whole || low > high)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: ngram_range must be whole numbers in ascending order, got %.10g and %.10g", who, low, high);
  out->min_n = (size_t)low;
  out->max_n = (size_t)high;
  return MN_OK;
}

static mn_status read_stop_words(mn_context *ctx, const mn_names *given, mn_analyzer *out)
{
  if (out->kind != MN_ANALYZE_WORDS && out->kind != MN_ANALYZE_SPACED_WORDS) return MN_OK;
  const bool english = given->size == 1 && strcmp(given->at[0], "english") == 0;
  if (english) return mn_word_set_init(ctx, &out->stop, mn_english_stop_words, mn_english_stop_word_count);
  return mn_word_set_init(ctx, &out->stop, (const char *const *)given->at, given->size);
}

static mn_status read_word_characters(mn_context *ctx, const mn_text *extra, mn_analyzer *out)
{
  const char *at = extra->bytes, *end = at + extra->size;
  uint32_t *code = MN_RAW(ctx, uint32_t, extra->size, 1);
  MN_CHECK_ALLOC(code);
  const bool words = out->kind == MN_ANALYZE_WORDS;
  for (uint32_t c = 0; c < 128; c++) out->is_ascii_word[c] = words ? mn_is_word(c) : !mn_is_space(c);
  while (extra->size > 0 && at < end) {
    const uint32_t c = mn_utf8_decode(at, end, &at);
    if (c < 128)
      out->is_ascii_word[c] = out->is_ascii_word[c] || words;
    else
      code[out->n_extra++] = c;
  }
  out->extra = code;
  return MN_OK;
}

mn_status mn_analyzer_init(mn_context *ctx, const char *who, const mn_text_params *params, mn_analyzer *out)
{
  *out = (mn_analyzer){ .kind = (enum mn_analyzer_kind)params->analyzer,
                        .strip = (enum mn_strip_accents)params->strip_accents,
                        .lowercase = params->lowercase,
                        .min_length = params->analyzer == MN_ANALYZE_WORDS ? (size_t)params->min_length : 1 };
  MN_TRY(read_ngram_range(ctx, who, &params->ngram_range, out));
  MN_TRY(read_stop_words(ctx, &params->stop_words.name, out));
  return read_word_characters(ctx, &params->word_characters, out);
}

/* --- parts of a text --- */

enum { POLL_EVERY = 1 << 16 };

static mn_status grow(mn_context *ctx, mn_span_list *list)
{
  const size_t capacity = list->capacity ? 2 * list->capacity : 256;
  mn_span *at = MN_GROW(ctx, list->at, list->size, capacity);
  MN_CHECK_ALLOC(at);
  list->at = at;
  list->capacity = capacity;
  return MN_OK;
}

static inline mn_status add(mn_context *ctx, mn_span_list *list, size_t begin, size_t end)
{
  if (list->size % POLL_EVERY == POLL_EVERY - 1) MN_TRY(mn_poll(ctx));
  if (list->size == list->capacity) MN_TRY(grow(ctx, list));
  list->at[list->size++] = (mn_span){ .begin = begin, .size = end - begin };
  return MN_OK;
}

static bool is_extra(const mn_analyzer *an, uint32_t code)
{
  for (size_t i = 0; i < an->n_extra; i++)
    if (an->extra[i] == code) return true;
  return false;
}

/* Whether the character at `at`, which ends before *next, belongs to a word. */
static inline bool in_word(const mn_analyzer *an, const char *at, const char *end, const char **next)
{
  const unsigned char c = (unsigned char)*at;
  *next = at + 1;
  if (c < 128) return an->is_ascii_word[c];
  const uint32_t code = mn_utf8_decode(at, end, next);
  return an->kind == MN_ANALYZE_WORDS ? mn_is_word(code) || is_extra(an, code) : !mn_is_space(code);
}

static bool is_stop_word(const mn_analyzer *an, const char *word, size_t size)
{
  return an->stop.size > 0 && mn_word_set_find(&an->stop, word, size, mn_hash_bytes(word, size)) >= 0;
}

static mn_status find_words(mn_context *ctx, const mn_analyzer *an, mn_analysis *a)
{
  const char *at = a->bytes + 1, *end = a->bytes + a->size, *next;
  while (at < end) {
    const char *begin = at;
    size_t length = 0;
    for (; at < end && in_word(an, at, end, &next); at = next) length++;
    if (length >= an->min_length && !is_stop_word(an, begin, (size_t)(at - begin)))
      MN_TRY(add(ctx, &a->word, (size_t)(begin - a->bytes), (size_t)(at - a->bytes)));
    if (at < end) at = next;
  }
  return MN_OK;
}

/* Move the words together, with a space between two, so that n words are consecutive bytes. */
static void join_words(mn_analysis *a)
{
  size_t next = 1;
  for (size_t i = 0; i < a->word.size; i++) {
    mn_span *word = &a->word.at[i];
    memmove(a->bytes + next, a->bytes + word->begin, word->size);
    word->begin = next;
    next += word->size;
    a->bytes[next++] = ' ';
  }
  a->size = next;
}

static mn_status find_characters(mn_context *ctx, mn_analysis *a, size_t begin, size_t end)
{
  a->unit.size = 0;
  for (size_t i = begin, next; i < end; i = next) {
    next = i + 1;
    while (next < end && mn_utf8_continues(a->bytes[next])) next++;
    MN_TRY(add(ctx, &a->unit, i, next));
  }
  return MN_OK;
}

/* Two or more characters of white space become one space. */
static void collapse_spaces(mn_analysis *a)
{
  const char *at = a->bytes + 1, *end = a->bytes + a->size, *next = at;
  size_t out = 1;
  while (at < end) {
    const char *begin = at;
    size_t spaces = 0;
    for (; at < end && mn_is_space(mn_utf8_decode(at, end, &next)); at = next) spaces++;
    if (spaces == 0) at = next;
    if (spaces > 1) a->bytes[out++] = ' ';
    for (; spaces <= 1 && begin < at; begin++) a->bytes[out++] = *begin;
  }
  a->size = out;
}

/* --- terms --- */

/* All n consecutive units. */
static mn_status add_terms(mn_context *ctx, mn_analysis *a, const mn_span_list *unit, size_t n)
{
  for (size_t i = 0; i + n <= unit->size; i++) {
    const mn_span *last = &unit->at[i + n - 1];
    MN_TRY(add(ctx, &a->term, unit->at[i].begin, last->begin + last->size));
  }
  return MN_OK;
}

/* The characters of each word with a space on either side; a word that is shorter than n is one term. */
static mn_status add_terms_of_words(mn_context *ctx, const mn_analyzer *an, mn_analysis *a)
{
  join_words(a);
  for (size_t i = 0; i < a->word.size; i++) {
    const size_t begin = a->word.at[i].begin - 1, end = begin + a->word.at[i].size + 2;
    MN_TRY(find_characters(ctx, a, begin, end));
    for (size_t n = an->min_n; n <= an->max_n; n++) {
      MN_TRY(add_terms(ctx, a, &a->unit, n));
      if (a->unit.size < n) MN_TRY(add(ctx, &a->term, begin, end));
      if (a->unit.size <= n) break;
    }
  }
  return MN_OK;
}

static mn_status add_all_terms(mn_context *ctx, const mn_analyzer *an, mn_analysis *a, const mn_span_list *unit)
{
  for (size_t n = an->min_n; n <= an->max_n && n <= unit->size; n++) MN_TRY(add_terms(ctx, a, unit, n));
  return MN_OK;
}

mn_status mn_analyze(mn_context *ctx, const mn_analyzer *an, const char *text, size_t size, mn_analysis *a)
{
  MN_TRY(mn_normalize(ctx, an, text, size, a));
  a->term.size = a->word.size = a->unit.size = 0;
  if (an->kind == MN_ANALYZE_CHARS) {
    collapse_spaces(a);
    MN_TRY(find_characters(ctx, a, 1, a->size));
    return add_all_terms(ctx, an, a, &a->unit);
  }
  MN_TRY(find_words(ctx, an, a));
  if (an->kind == MN_ANALYZE_CHARS_OF_WORDS) return add_terms_of_words(ctx, an, a);
  if (an->max_n == 1) { /* the words are the terms */
    const mn_span_list term = a->term;
    a->term = a->word;
    a->word = term;
    return MN_OK;
  }
  join_words(a);
  return add_all_terms(ctx, an, a, &a->word);
}
