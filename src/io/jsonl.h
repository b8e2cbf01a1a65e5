/* JSON lines: a flat object on each line, read into typed columns.
 *
 * A column is numeric if all its values are numbers or null; otherwise it is a factor with the values as levels. A key
 * absent from a row is missing, like null. Columns are in the order in which their keys first appear. Nested arrays and
 * objects and repeated keys are errors. Empty lines are skipped.
 *
 * RFC 8259; messages begin with "path:line:column: ". */
#ifndef MN_IO_JSONL_H
#define MN_IO_JSONL_H
#include "columns.h"

/* gzip is detected by its first bytes. On failure *out is empty. */
mn_status mn_read_jsonl(mn_context *ctx, const char *path, mn_columns *out);
mn_status mn_parse_jsonl(mn_context *ctx, const char *bytes, size_t size, const char *label, mn_columns *out);

/* Write an object for each row; missing values are null. MN_BAD_DATA for infinite values. The file is replaced
 * atomically. */
mn_status mn_write_jsonl(mn_context *ctx, const char *path, const mn_columns *columns);

/* The same into memory: the caller frees *bytes with mn_free. */
mn_status mn_format_jsonl(mn_context *ctx, const mn_columns *columns, char **bytes, size_t *size);

#endif
