/* An analyzer of documents, and its result for one document. */
#ifndef MN_TEXT_ANALYSIS_H
#define MN_TEXT_ANALYSIS_H
#include "word_set.h"

enum mn_analyzer_kind { MN_ANALYZE_WORDS, MN_ANALYZE_CHARS, MN_ANALYZE_CHARS_OF_WORDS, MN_ANALYZE_SPACED_WORDS };
enum mn_strip_accents { MN_KEEP_ACCENTS, MN_STRIP_TO_ASCII, MN_STRIP_ACCENTS };

/* An analyzer with its tables, in scratch. Read-only, so that threads share it. */
typedef struct mn_analyzer {
  enum mn_analyzer_kind kind;
  enum mn_strip_accents strip;
  bool lowercase;
  size_t min_n, max_n, min_length;
  mn_word_set stop;
  bool is_ascii_word[128];
  const uint32_t *extra; /* word characters beyond ASCII */
  size_t n_extra;
} mn_analyzer;

/* A list of parts of a text, in scratch. */
typedef struct mn_span {
  size_t begin, size;
} mn_span;

typedef struct mn_span_list {
  mn_span *at;
  size_t size, capacity;
} mn_span_list;

/* The terms of the last document, and memory that is reused for the next; in scratch. Starts zeroed. */
typedef struct mn_analysis {
  char *bytes; /* the normalized text, which begins with a space; the terms are parts of it */
  size_t size, capacity;
  mn_span_list term;
  mn_span_list word, unit; /* intermediate results: words; words or characters */
  double *value;           /* of each term, if has_values                     */
  bool has_values;
} mn_analysis;

#endif
