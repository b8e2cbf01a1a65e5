/* Finds the terms of a document: the text is normalized and split into units (words or characters); n consecutive units
 * form a term. */
#ifndef MN_TEXT_ANALYZER_H
#define MN_TEXT_ANALYZER_H
#include "../model/class.h"
#include "analysis.h"

/* The parameters of an analyzer, a member of estimators. */
typedef struct mn_text_params {
  int64_t analyzer, strip_accents, min_length;
  bool lowercase;
  mn_vector ngram_range;
  mn_feature_list stop_words;
  mn_text word_characters;
} mn_text_params;

extern const char *const mn_analyzer_names[], *const mn_strip_accents_names[], *const mn_stop_list_names[];

/* Their entries in a table of parameters; `member` is the mn_text_params of the struct `type`. */
#define MN_TEXT_PARAM(type, member, field, kind_, start)                                                               \
  .name = #field, .kind = (kind_), .offset = offsetof(type, member.field), .initial = (start)
#define MN_TEXT_PARAMS(type, member)                                                                                   \
  { MN_TEXT_PARAM(type, member, analyzer, MN_KIND_CHOICE, MN_ANALYZE_WORDS), .choices = mn_analyzer_names,             \
    .brief = "terms are words, characters, characters within words, or words between white space" },                   \
      { MN_TEXT_PARAM(type, member, ngram_range, MN_KIND_VECTOR, (double)NAN), MN_CLOSED(1, 100), .or_number = true,   \
        .brief = "smallest and largest number of words or characters of a term; nil: { 1, 1 }" },                      \
      { MN_TEXT_PARAM(type, member, lowercase, MN_KIND_FLAG, true), .high = 1, .brief = "convert to lower case" },     \
      { MN_TEXT_PARAM(type, member, strip_accents, MN_KIND_CHOICE, MN_KEEP_ACCENTS),                                   \
        .choices = mn_strip_accents_names,                                                                             \
        .brief = "ascii: remove accents and all other non-ASCII characters; unicode: remove combining marks" },        \
      { MN_TEXT_PARAM(type, member, stop_words, MN_KIND_COLUMNS, (double)NAN), MN_NO_LIMITS(), .words = true,          \
        .choices = mn_stop_list_names,                                                                                 \
        .brief = "list of words to leave out, or \"english\" for the built-in list; nil: none" },                      \
      { MN_TEXT_PARAM(type, member, min_length, MN_KIND_COUNT, 2), MN_CLOSED(1, INT32_MAX),                            \
        .brief = "minimum length of a word, in characters (analyzer word)" },                                          \
  {                                                                                                                    \
    MN_TEXT_PARAM(type, member, word_characters, MN_KIND_TEXT, 0), MN_NO_LIMITS(),                                     \
        .brief = "characters allowed in words besides letters, digits and _, as in \"'-\" (analyzer word)"             \
  }

mn_status mn_analyzer_init(mn_context *ctx, const char *who, const mn_text_params *params, mn_analyzer *out);

mn_status mn_analyze(mn_context *ctx, const mn_analyzer *analyzer, const char *text, size_t size, mn_analysis *out);

#endif
