/* The terms of a document: words or characters of a text, or the names in a row of named values. */
#ifndef MN_TEXT_TERM_SOURCE_H
#define MN_TEXT_TERM_SOURCE_H
#include "analyzer.h"

typedef struct mn_term_source {
  const char *who;             /* of messages */
  const mn_analyzer *analyzer; /* NULL: documents are rows of named values (model/named_value.h) */
  const char *separator;       /* between name and text, as in "city=Oslo" */
} mn_term_source;

/* Find the terms of a document, with their values. The term of a number is its name, and that of a text "name=text",
 * with the value 1. */
mn_status mn_find_terms(mn_context *ctx, const mn_term_source *source, const char *document, size_t size,
                        mn_analysis *out);

static inline double mn_term_value(const mn_analysis *a, size_t i)
{
  return a->has_values ? a->value[i] : 1;
}

#endif
