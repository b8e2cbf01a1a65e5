/* The terms of a document: words or characters of a text, or the names in a row of named values. */
#ifndef MN_TEXT_TERM_SOURCE_H
#define MN_TEXT_TERM_SOURCE_H
#include "analyzer.h"
#include "../core/hash.h"

typedef struct mn_term_source {
  const char *who;             /* class name, for messages */
  const mn_analyzer *analyzer; /* NULL: documents are rows of named values (model/named_value.h) */
  const char *separator;       /* between name and text, as in "city=Oslo" */

  /* Finds the terms of a row in place of reading a document; then data have no levels. NULL: documents are read. */
  mn_status (*find)(mn_context *ctx, const void *finder, size_t row, mn_analysis *out);
  const void *finder;
} mn_term_source;

/* Find the terms of a document, with their values. The term of a number is its name, and that of a text "name=text",
 * with the value 1. */
mn_status mn_find_terms(mn_context *ctx, const mn_term_source *source, size_t row, const char *document, size_t size,
                        mn_analysis *out);

/* For .find: begin the terms of a row, append bytes to the term after the last one, end it. */
void mn_begin_terms(mn_analysis *a);
mn_status mn_append_to_term(mn_context *ctx, mn_analysis *a, const char *bytes, size_t size);
mn_status mn_end_term(mn_context *ctx, mn_analysis *a, double value);

/* Some terms of an analysis, so that the memory that they need is loaded at the same time. Starts zeroed. */
typedef struct mn_term_batch {
  const mn_span *term;
  size_t begin, size;
  uint64_t hash[16];
} mn_term_batch;

/* Go to the next terms and hash them. False: there are no more. */
static inline bool mn_next_terms(const mn_analysis *a, mn_term_batch *b)
{
  enum { BATCH = sizeof b->hash / sizeof *b->hash };
  b->begin += b->size;
  const size_t left = a->term.size - b->begin;
  b->size = left < BATCH ? left : BATCH;
  if (b->size == 0) return false;
  b->term = a->term.at + b->begin;
  for (size_t k = 0; k < b->size; k++) b->hash[k] = mn_hash_bytes(a->bytes + b->term[k].begin, b->term[k].size);
  return true;
}

static inline double mn_term_value(const mn_analysis *a, size_t i)
{
  return a->has_values ? a->value[i] : 1;
}

#endif
