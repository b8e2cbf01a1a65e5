/* Convert documents to sparse rows in parallel: a reader turns each document into entries, which are sorted by column.
 */
#ifndef MN_TEXT_DOCUMENT_ROWS_H
#define MN_TEXT_DOCUMENT_ROWS_H
#include "../core/threads.h"
#include "../model/class.h"
#include "term_source.h"
#include "term_index.h"

/* The entries that a worker has read, in cache lines of its own. */
typedef struct mn_row_part {
  _Alignas(64) int32_t *column;
  double *value;
  size_t size, capacity;
  mn_analysis analysis; /* workspace of the reader: in scratch, until the documents are read */
  mn_term_index table;  /* of readers that learn terms */
} mn_row_part;

/* Append an entry. */
mn_status mn_add_entry(mn_context *ctx, mn_row_part *part, int32_t column, double value);

/* Append the entries of document `row`; columns may repeat, and their values are then added. */
typedef mn_status (*mn_document_reader)(mn_context *ctx, const void *reader, size_t row, const char *text, size_t size,
                                        mn_row_part *part);

typedef struct mn_document_rows {
  size_t rows, parts;
  mn_blocks blocks;
  mn_row_part *part;   /* parts                                        */
  size_t *part_of;     /* blocks: the part with their rows             */
  size_t *begin, *end; /* rows: entries in their part                  */
} mn_document_rows;

/* Read all documents, the texts of the only column of data. Arrays are in scratch, except those of the parts, which
 * mn_document_rows_free releases, also on failure. */
mn_status mn_read_documents(mn_context *ctx, const mn_data *data, mn_document_reader read, const void *reader,
                            mn_document_rows *out);
void mn_document_rows_free(mn_memory *memory, mn_document_rows *rows);

/* Sort the rows, add repeated columns, and copy them to `out`, which is initialized. `column`: for each part the column
 * of its columns, -1 for those that are left out; NULL: the same. */
mn_status mn_rows_to_csr(mn_context *ctx, mn_document_rows *rows, const int32_t *const *column, size_t cols,
                         mn_csr *out);

#endif
