/* Code shared by CountVectorizer and TfidfVectorizer. */
#ifndef MN_TEXT_VECTORIZER_H
#define MN_TEXT_VECTORIZER_H
#include "../model/operation.h"
#include "tf_idf.h"
#include "vocabulary.h"

typedef struct mn_vectorizer {
  mn_estimator base;
  mn_text_params text; /* parameters */
  double min_df, max_df;
  int64_t max_features;
  bool binary;
  mn_feature_list vocabulary;
  mn_tf_idf tf_idf;                /* of TfidfVectorizer: parameters and a learned field */
  mn_vocabulary fitted_vocabulary; /* learned fields */
} mn_vectorizer;

#define MN_VECTORIZER_PARAMS                                                                                           \
  MN_TEXT_PARAMS(mn_vectorizer, text),                                                                                 \
      MN_REAL(mn_vectorizer, min_df, 1, MN_AT_LEAST(0),                                                                \
              "minimum number of documents that contain a term; below 1 a fraction of the documents"),                 \
      MN_REAL(mn_vectorizer, max_df, 1, MN_GREATER_THAN(0),                                                            \
              "maximum number of documents that contain a term; up to 1 a fraction of the documents"),                 \
      MN_COUNT(mn_vectorizer, max_features, MN_UNSET, MN_CLOSED(1, INT32_MAX),                                         \
               "maximum number of terms, of which the most frequent are kept; nil: all"),                              \
      { .name = "vocabulary",                                                                                          \
        .kind = MN_KIND_COLUMNS,                                                                                       \
        .offset = offsetof(mn_vectorizer, vocabulary),                                                                 \
        .initial = (double)NAN,                                                                                        \
        MN_NO_LIMITS(),                                                                                                \
        .words = true,                                                                                                 \
        .brief = "list of terms, in the order of the columns; nil: the terms of the documents in fit" },               \
      MN_FLAG(mn_vectorizer, binary, false, "count each term at most once per document")

/* Learn the terms, or take those given; data->transformed, if not NULL, gets the counts of the terms. *documents, in
 * scratch: the number of documents with each term; NULL: not wanted. */
mn_status mn_learn_terms(mn_context *ctx, mn_vectorizer *m, const mn_data *data, double **documents);

/* The counts of the terms of each document. Initializes `out`. */
mn_status mn_count_terms(mn_context *ctx, const mn_vectorizer *m, const mn_data *data, mn_csr *out);

size_t mn_vectorizer_outputs(const void *self);
void mn_vectorizer_output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size);
mn_status mn_check_vectorizer(mn_context *ctx, const void *self);
mn_status mn_derive_vectorizer(mn_context *ctx, void *self);
mn_status mn_no_text_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);

extern const mn_operation mn_vectorizer_operations[];

#endif
