/* Reading and writing delimited text: CSV, TSV and similar formats (RFC 4180).
 *
 * How bytes become values
 *   - Rows end with LF or CRLF (with CR if the file has no LF); the last line end is optional. Empty lines are skipped;
 *     in a table with one column they are missing values, except at the end.
 *   - A field that begins with a quote ends at the next single quote. Delimiters and line ends between quotes are part
 *     of the value, and a doubled quote is one quote. A quote within an unquoted field is an ordinary character.
 *   - Spaces and tabs around a field (outside its quotes) are removed unless `keep_blanks`.
 *   - A column is numeric if every field in the file is a number or missing; otherwise it is a factor. A factor whose
 *     values are all true, True, TRUE, false, False or FALSE has boolean levels. A column without values is numeric.
 *   - A number has an optional sign, digits, point and exponent, or is inf or infinity in any case. It is read as the
 *     nearest double: 1e999 is inf, 1e-999 is 0. Thousands separators and hexadecimal numbers are not supported.
 *   - The strings of `missing` are missing values, and in numeric columns so is the empty field. In quotes they are
 *     missing in numeric columns, but text in factors ("NA" may be Namibia), except for the empty string.
 *   - A UTF-8 byte order mark is skipped. A NUL byte is an error.
 *   - Column 3 without a name is called column_3; repeated names x become x, x_2, x_3.
 *
 * Messages about a file begin with "path:line:column: "; lines and bytes count from 1. */
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
  char delimiter; /* 0: detected, the one of , ; tab | that splits the first rows into the most fields */
  char quote;     /* 0: none                                                                 */
  char comment;   /* rows that begin with it are skipped; 0: none                        */
  char decimal;
  mn_csv_header header;
  bool keep_blanks;
  bool strict;                 /* false: absent fields at the end of a row are missing values, extra ones are ignored */
  mn_csv_names missing;        /* at = NULL: mn_csv_missing                                                       */
  mn_csv_names number, factor; /* columns whose kind is given, not detected                                          */
  mn_csv_names select;         /* columns to read, in this order; at = NULL: all                                   */
  size_t skip;                 /* lines before the header                                                         */
  size_t max_rows;             /* 0: all                                                                          */
} mn_csv_options;

/* The strings that pandas reads as missing: "", NA, N/A, n/a, #N/A, NaN, nan, NULL, null, None, <NA> and so on. */
extern const mn_csv_names mn_csv_missing;

/* Detected delimiter, '"', no comments, '.', header, strict, all rows and columns. */
mn_csv_options mn_csv_defaults(void);

/* Read a file (gzip is detected by its first bytes), or bytes in memory; `label` replaces the path in messages.
 * `options` may be NULL. On failure *out is empty. The result does not depend on the number of threads. */
mn_status mn_read_csv(mn_context *ctx, const char *path, const mn_csv_options *options, mn_columns *out);
mn_status mn_parse_csv(mn_context *ctx, const char *bytes, size_t size, const char *label,
                       const mn_csv_options *options, mn_columns *out);

/* Read a file in batches of rows. The kinds of the columns are those of the first batch (and of the options); a later
 * field of another kind is an error. Each batch has its own levels. max_rows applies to all batches together. Of a
 * plain file only the current batch is in memory; a compressed file is decompressed as a whole. */
typedef struct mn_csv mn_csv;
mn_status mn_csv_open(mn_context *ctx, const char *path, const mn_csv_options *options, mn_csv **out);

/* Read the next `rows` >= 1 rows or fewer. At the end out->rows is 0, and all columns are present. */
mn_status mn_csv_next(mn_context *ctx, mn_csv *csv, size_t rows, mn_columns *out);
void mn_csv_close(mn_memory *memory, mn_csv *csv); /* NULL is allowed */

typedef struct mn_csv_format {
  char delimiter;
  const char *missing; /* unquoted; a text equal to it is quoted */
  bool header;
  bool quote_all; /* quote every text, needed or not */
} mn_csv_format;

/* ',', "", with header, quotes where needed. */
mn_csv_format mn_csv_format_defaults(void);

/* Numbers are written as the shortest decimal that reads back the same, booleans as true and false. The file is
 * replaced atomically: it is written under a temporary name and then renamed. A path that ends in .gz is compressed.
 * `format` may be NULL. */
mn_status mn_write_csv(mn_context *ctx, const char *path, const mn_columns *columns, const mn_csv_format *format);

/* The same into memory: the caller frees *bytes with mn_free. */
mn_status mn_format_csv(mn_context *ctx, const mn_columns *columns, const mn_csv_format *format, char **bytes,
                        size_t *size);

#endif
