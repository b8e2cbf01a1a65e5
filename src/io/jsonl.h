/* JSON lines: a flat object on each line, read into typed columns.
 *
 * A column is numeric when all its values are numbers or null; one text or boolean makes it a factor, whose levels are
 * the values as they are. A key that a row lacks is missing there, like null. Columns stand in the order in which their
 * keys appear. Arrays and objects within a row are errors, as are keys that repeat. Empty lines are passed over.
 *
 * RFC 8259; errors read "path:line:column: what is wrong". */
#ifndef MN_IO_JSONL_H
#define MN_IO_JSONL_H
#include "columns.h"

/* gzip is seen by its first bytes. On failure *out stays empty. */
mn_status mn_read_jsonl(mn_context *ctx, const char *path, mn_columns *out);
mn_status mn_parse_jsonl(mn_context *ctx, const char *bytes, size_t size, const char *label, mn_columns *out);

#endif
