/* Sparse rows in text, as SVMlight and LIBSVM have them:
 *
 *     label [qid:query] column:value column:value ...  # comment
 *
 * Columns ascend within a row. Numbers are read as in CSV (csv.h), but none may be nan. */
#ifndef MN_IO_SVMLIGHT_H
#define MN_IO_SVMLIGHT_H
#include "../core/matrix.h"

typedef struct mn_svmlight {
  mn_csr x;
  mn_vector y;        /* rows */
  mn_indexes lengths; /* rows of each query, which stand together; empty when the file has none */
} mn_svmlight;

typedef enum mn_svmlight_base {
  MN_SVMLIGHT_GUESS, /* 0 when a column 0 occurs, else 1 */
  MN_SVMLIGHT_ZERO,
  MN_SVMLIGHT_ONE
} mn_svmlight_base;

typedef struct mn_svmlight_options {
  mn_svmlight_base base; /* what the first column is called                                      */
  size_t cols;           /* 0: up to the highest that occurs; else a higher one is an error      */
} mn_svmlight_options;

/* gzip is seen by its first bytes. `options` may be NULL. On failure *out stays empty. The result does not depend on
 * the number of threads. */
mn_status mn_read_svmlight(mn_context *ctx, const char *path, const mn_svmlight_options *options, mn_svmlight *out);
mn_status mn_parse_svmlight(mn_context *ctx, const char *bytes, size_t size, const char *label,
                            const mn_svmlight_options *options, mn_svmlight *out);
void mn_svmlight_free(mn_memory *memory, mn_svmlight *s);

/* `y` and `lengths` may be NULL: labels 0, no queries. Queries are numbered from 1, and columns from 1 unless the base
 * is zero. The file is complete or not there; .gz is compressed. */
mn_status mn_write_svmlight(mn_context *ctx, const char *path, const mn_csr *x, const mn_vector *y,
                            const mn_indexes *lengths, mn_svmlight_base base);

/* The same into memory: *bytes is the caller's, by mn_free. */
mn_status mn_format_svmlight(mn_context *ctx, const mn_csr *x, const mn_vector *y, const mn_indexes *lengths,
                             mn_svmlight_base base, char **bytes, size_t *size);

#endif
