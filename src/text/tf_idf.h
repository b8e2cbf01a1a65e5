/* Term frequency times inverse document frequency.
 *
 *     z_ij = tf(x_ij) idf_j / |row i|,     idf_j = log((1 + n) / (1 + n_j)) + 1,
 *
 * n rows, n_j of them with feature j; without smoothing log(n / n_j) + 1. */
#ifndef MN_TEXT_TF_IDF_H
#define MN_TEXT_TF_IDF_H
#include "../model/class.h"

enum mn_row_norm { MN_NORM_L2, MN_NORM_L1, MN_NORM_NONE };
extern const char *const mn_row_norm_names[];

typedef struct mn_tf_idf {
  int64_t norm; /* parameters */
  bool use_idf, smooth_idf, sublinear_tf;
  mn_vector idf; /* learned; empty without use_idf */
} mn_tf_idf;

#define MN_TF_IDF_PARAM(type, member, field, kind_, start)                                                             \
  .name = #field, .kind = (kind_), .offset = offsetof(type, member.field), .initial = (start)
#define MN_TF_IDF_PARAMS(type, member)                                                                                 \
  { MN_TF_IDF_PARAM(type, member, norm, MN_KIND_CHOICE, MN_NORM_L2), .choices = mn_row_norm_names,                     \
    .brief = "norm that each row is divided by" },                                                                     \
      { MN_TF_IDF_PARAM(type, member, use_idf, MN_KIND_FLAG, true), .high = 1,                                         \
        .brief = "multiply by the inverse document frequency" },                                                       \
      { MN_TF_IDF_PARAM(type, member, smooth_idf, MN_KIND_FLAG, true), .high = 1,                                      \
        .brief = "add one document that contains every term" },                                                        \
  {                                                                                                                    \
    MN_TF_IDF_PARAM(type, member, sublinear_tf, MN_KIND_FLAG, false), .high = 1,                                       \
                                                                      .brief = "replace a count c by log(c) + 1"       \
  }
#define MN_TF_IDF_FIELD(type, member, shape_)                                                                          \
  {                                                                                                                    \
    .name = "idf", .kind = MN_KIND_VECTOR, .offset = offsetof(type, member.idf), .shape = (shape_),                    \
    .brief = "inverse document frequency of each column; empty without use_idf"                                        \
  }

/* Learn idf from the number of rows with each of n features; a feature that occurs in no row counts as if it occurred
 * in one. */
mn_status mn_learn_idf(mn_context *ctx, size_t rows, size_t n, const double *documents, mn_tf_idf *out);

/* Replace counts by TF-IDF values. */
mn_status mn_apply_tf_idf(mn_context *ctx, const mn_tf_idf *tf_idf, mn_csr *x);

/* The same for n values in the columns col[0..n-1]; NULL: 0..n-1. */
void mn_apply_tf_idf_row(const mn_tf_idf *tf_idf, size_t n, const int32_t *col, double *at);

/* Divide each row by its norm; rows of zeros stay. */
mn_status mn_normalize_rows(mn_context *ctx, enum mn_row_norm norm, mn_csr *x);

#endif
