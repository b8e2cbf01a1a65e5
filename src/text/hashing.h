/* The hashing trick: the column of a term follows from its hash, without a vocabulary.
 *
 *     column = |h| mod n,     value times the sign of h,     h = MurmurHash3 of the bytes as a signed number */
#ifndef MN_TEXT_HASHING_H
#define MN_TEXT_HASHING_H
#include "document_rows.h"

typedef struct mn_hashing {
  int64_t n_columns;
  bool alternate_sign;
} mn_hashing;

#define MN_HASHING_PARAMS(type, member)                                                                                \
  { .name = "n_columns",                                                                                               \
    .kind = MN_KIND_COUNT,                                                                                             \
    .offset = offsetof(type, member.n_columns),                                                                        \
    .initial = 1 << 20,                                                                                                \
    MN_CLOSED(1, INT32_MAX),                                                                                           \
    .brief = "number of columns; terms with the same column are added" },                                              \
  {                                                                                                                    \
    .name = "alternate_sign", .kind = MN_KIND_FLAG, .offset = offsetof(type, member.alternate_sign), .initial = true,  \
    .high = 1, .brief = "count terms as 1 or -1, depending on their hash, so that collisions cancel on average"        \
  }

/* The hashed terms of each document. Initializes `out`. */
mn_status mn_hash_documents(mn_context *ctx, const mn_hashing *hashing, const mn_data *data,
                            const mn_term_source *source, mn_csr *out);

/* MurmurHash3, x86, 32 bits (Appleby, in the public domain), seed 0. */
uint32_t mn_murmur3(const char *bytes, size_t size);

#endif
