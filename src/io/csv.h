/* Tables in text: CSV, TSV and kin (RFC 4180), read into typed columns and written from them.
 *
 * How bytes become values
 *   - Rows end in LF or CRLF (in CR when the file has no LF). The last one may lack it. Empty lines are passed over.
 *   - A field that begins with a quote ends at the next single one; between them delimiters, line ends and doubled
 *     quotes stand for themselves. A quote inside an unquoted field is an ordinary character.
 *   - Spaces and tabs around a field (outside its quotes) are dropped unless `keep_blanks`.
 *   - A column is numeric when every field in the whole file is a number or missing; one other field, even in the last
 *     row, makes it a factor. A factor of nothing but true, True, TRUE, false, False, FALSE has booleans for levels.
 *     A column without any value is numeric.
 *   - A number has an optional sign, digits, point and exponent, or is inf, infinity in any case; it becomes the
 * nearest double: beyond the largest (1e999) inf, below the least 0. No thousands separators, no hexadecimal.
 *   - Missing are the strings of `missing`; in numeric columns also the empty field. Between quotes they are missing in
 *     numeric columns, but text in factors ("NA" may be Namibia), save the empty one.
 *   - A byte order mark of UTF-8 is dropped. A NUL byte is an error: such a file is no text.
 *   - A column without a name is called column_3 by its place; a second "x" becomes x_2, a third x_3.
 *
 * Errors of the file read "path:line:column: what is wrong", lines and bytes counted from 1. */
#ifndef MN_IO_CSV_H
#define MN_IO_CSV_H
#include "columns.h"

typedef enum mn_csv_header {
  MN_CSV_HEADER_YES,
  MN_CSV_HEADER_NO,
  MN_CSV_HEADER_AUTO /* yes, unless a field of the first row is a number */
} mn_csv_header;

typedef struct mn_csv_names {
  const char *const *at;
  size_t size;
} mn_csv_names;

typedef struct mn_csv_options {
  char delimiter; /* 0: the one of , ; tab | that cuts the first rows alike into most fields */
  char quote;     /* 0: none                                                                 */
  char comment;   /* rows that begin with it are passed over; 0: none                        */
  char decimal;
  mn_csv_header header;
  bool keep_blanks;
  bool strict;                 /* false: missing fields at a row's end are missing values, extra ones are dropped */
  mn_csv_names missing;        /* at = NULL: mn_csv_missing                                                       */
  mn_csv_names number, factor; /* columns whose kind is given, not found                                          */
  mn_csv_names select;         /* columns wanted, in this order; at = NULL: all                                   */
  size_t skip;                 /* lines before the header                                                         */
  size_t max_rows;             /* 0: all                                                                          */
} mn_csv_options;

/* The strings that pandas takes for missing: "", NA, N/A, n/a, #N/A, NaN, nan, NULL, null, None, <NA> and so on. */
extern const mn_csv_names mn_csv_missing;

/* Sniffed delimiter, '"', no comments, '.', header yes, strict, everything. */
mn_csv_options mn_csv_defaults(void);

/* Read a file (gzip is seen by its first bytes), or bytes at hand; `label` stands for the path in messages. `options`
 * may be NULL. On failure *out stays empty. The result does not depend on the number of threads. */
mn_status mn_read_csv(mn_context *ctx, const char *path, const mn_csv_options *options, mn_columns *out);
mn_status mn_parse_csv(mn_context *ctx, const char *bytes, size_t size, const char *label,
                       const mn_csv_options *options, mn_columns *out);

/* Read a file in pieces. The kinds of the columns are those of the first piece (and of the options); a later field that
 * contradicts is an error. Each piece has its own levels. max_rows counts over all pieces. Of a plain file only what is
 * being read need be in memory; a compressed one is decompressed as a whole. */
typedef struct mn_csv mn_csv;
mn_status mn_csv_open(mn_context *ctx, const char *path, const mn_csv_options *options, mn_csv **out);

/* The next at most `rows` >= 1 rows; out->rows is 0 (and all columns are there) at the end. */
mn_status mn_csv_next(mn_context *ctx, mn_csv *csv, size_t rows, mn_columns *out);
void mn_csv_close(mn_memory *memory, mn_csv *csv); /* NULL is allowed */

typedef struct mn_csv_format {
  char delimiter;
  const char *missing; /* unquoted; a text equal to it is quoted */
  bool header;
  bool quote_all; /* quote every text, needed or not */
} mn_csv_format;

/* ',', "", with header, quoted where needed. */
mn_csv_format mn_csv_format_defaults(void);

/* Numbers are written as the shortest decimal that reads back the same, booleans as true and false. The file is
 * complete or not there: it is written beside its place and then put there. A path that ends in .gz is compressed.
 * `format` may be NULL. */
mn_status mn_write_csv(mn_context *ctx, const char *path, const mn_columns *columns, const mn_csv_format *format);

/* The same into memory: *bytes is the caller's, by mn_free. */
mn_status mn_format_csv(mn_context *ctx, const mn_columns *columns, const mn_csv_format *format, char **bytes,
                        size_t *size);

#endif
