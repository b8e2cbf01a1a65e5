/* The SVMlight and LIBSVM text format of sparse rows:
 *
 *     label [qid:query] column:value column:value ...  # comment
 *
 * Columns ascend within a row. Numbers are read as in CSV (csv.h), but nan is an error. */
#ifndef MN_IO_SVMLIGHT_H
#define MN_IO_SVMLIGHT_H
#include "../core/matrix.h"

typedef struct mn_svmlight {
  mn_csr x;
  mn_vector y;        /* rows */
  mn_indexes lengths; /* rows of each query, which are contiguous; empty if the file has no queries */
} mn_svmlight;

typedef enum mn_svmlight_base {
  MN_SVMLIGHT_GUESS, /* 0 if a column 0 occurs, otherwise 1 */
  MN_SVMLIGHT_ZERO,
  MN_SVMLIGHT_ONE
} mn_svmlight_base;

typedef struct mn_svmlight_options {
  mn_svmlight_base base; /* number of the first column */
  size_t cols;           /* 0: up to the largest that occurs; otherwise larger ones are an error */
} mn_svmlight_options;

/* gzip is detected by its first bytes. `options` may be NULL. On failure *out is empty. The result does not depend on
 * the number of threads. */
mn_status mn_read_svmlight(mn_context *ctx, const char *path, const mn_svmlight_options *options, mn_svmlight *out);
mn_status mn_parse_svmlight(mn_context *ctx, const char *bytes, size_t size, const char *label,
                            const mn_svmlight_options *options, mn_svmlight *out);
void mn_svmlight_free(mn_memory *memory, mn_svmlight *s);

/* `y` and `lengths` may be NULL: labels 0, no queries. Queries are numbered from 1, and so are columns unless the base
 * is zero. The file is replaced atomically; .gz is compressed. */
mn_status mn_write_svmlight(mn_context *ctx, const char *path, const mn_csr *x, const mn_vector *y,
                            const mn_indexes *lengths, mn_svmlight_base base);

/* The same into memory: the caller frees *bytes with mn_free. */
mn_status mn_format_svmlight(mn_context *ctx, const mn_csr *x, const mn_vector *y, const mn_indexes *lengths,
                             mn_svmlight_base base, char **bytes, size_t *size);

#endif
