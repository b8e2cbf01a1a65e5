/* The terms of a vectorizer: learned from documents, or given; each is a column. */
#ifndef MN_TEXT_VOCABULARY_H
#define MN_TEXT_VOCABULARY_H
#include "document_rows.h"

/* Learned fields. */
typedef struct mn_vocabulary {
  mn_names terms;   /* in the order of the columns */
  mn_indexes slots; /* derived: a word set of them */
} mn_vocabulary;

#define MN_VOCABULARY_FIELDS(type, member)                                                                             \
  { .name = "terms",                                                                                                   \
    .kind = MN_KIND_NAMES,                                                                                             \
    .offset = offsetof(type, member.terms),                                                                            \
    .shape = "terms",                                                                                                  \
    .brief = "the terms in the order of the columns" },                                                                \
  {                                                                                                                    \
    .name = "slots", .kind = MN_KIND_INDEXES, .offset = offsetof(type, member.slots), .shape = "", .derived = true     \
  }

/* Which terms are kept. */
struct mn_term_limits {
  double min_documents, max_documents;
  int64_t max_features; /* MN_UNSET: all; else those with the most occurrences, ties by term */
  bool binary;          /* a document counts as one occurrence */
};

/* Learn the terms of all documents, sorted by their bytes: ascending code points. `documents` (in scratch) counts the
 * documents with each term. If `counts` is not NULL, it gets the occurrences in each document. */
mn_status mn_vocabulary_learn(mn_context *ctx, const mn_data *data, const mn_term_source *source,
                              const struct mn_term_limits *limits, mn_vocabulary *out, double **documents,
                              mn_csr *counts);

/* The terms as the user gives them. */
mn_status mn_vocabulary_set(mn_context *ctx, const char *who, const mn_names *terms, mn_vocabulary *out);

/* Compute the derived field. */
mn_status mn_vocabulary_derive(mn_context *ctx, mn_vocabulary *vocabulary);
bool mn_vocabulary_is_valid(const mn_vocabulary *vocabulary);
mn_word_set mn_vocabulary_words(const mn_vocabulary *vocabulary);

/* The occurrences of the terms in each document; `binary`: 1 for any number. Initializes `out`. */
mn_status mn_vocabulary_count(mn_context *ctx, const mn_data *data, const mn_term_source *source,
                              const mn_vocabulary *vocabulary, bool binary, mn_csr *out);

#endif
