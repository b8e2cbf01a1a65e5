/* Internals of the CSV reader, in order of execution:
 *
 *   csv_layout.c  detect the layout from the first rows: delimiter, names, selected columns and their kinds
 *   csv_chunks.c  split the bytes into chunks and find the first row of each, taking quotes into account
 *   csv_rows.c    parse the chunks in parallel, each row directly into the columns
 *   csv_text.c    turn the texts of a column into a factor
 *   csv_read.c    run these steps, and parse columns again that turned out not to be numeric
 *   csv_stream.c  the same in batches of rows */
#ifndef MN_IO_CSV_PARTS_H
#define MN_IO_CSV_PARTS_H
#include "csv.h"
#include "csv_field.h"

enum mn_csv_kind {
  MN_CSV_SKIP,    /* not selected */
  MN_CSV_GUESSED, /* a number so far                    */
  MN_CSV_NUMBER,  /* must be a number                   */
  MN_CSV_TEXT,    /* levels are texts                   */
  MN_CSV_BOOLEAN, /* must be true or false              */
  MN_CSV_FACTOR   /* texts, or booleans if all are such */
};

/* Strings that mean "missing". */
struct mn_csv_missing_set {
  mn_csv_names names;
  size_t longest;
  bool empty;      /* "" is one of them            */
  bool first[256]; /* a name begins with this byte */
};

struct mn_csv_layout {
  mn_csv_dialect dialect;
  struct mn_csv_missing_set missing;
  const char *label;       /* the path, for messages                         */
  const char *file;        /* the first byte, from which lines are counted   */
  const char *begin, *end; /* the rows after the header                      */
  const char **name;       /* cols                                           */
  unsigned char *kind;     /* cols, enum mn_csv_kind                         */
  size_t *order;           /* selected: which columns, in the order wanted   */
  const char **not_number; /* cols; position and text of the first field that is not a number, if it may be a mistake */
  size_t cols, selected;
  bool has_header;
  bool mapped; /* the bytes are those of a mapped file */
};

/* Detect the layout. It is allocated in scratch of `ctx` and points into `bytes` and `options`. */
mn_status mn_csv_detect_layout(mn_context *ctx, const char *label, const char *bytes, size_t size,
                               const mn_csv_options *options, struct mn_csv_layout *layout);

/* End the layout after at most `max_rows` rows, so that nothing after them is read. */
void mn_csv_limit_rows(struct mn_csv_layout *layout, size_t max_rows);

/* Whether the field is missing in a numeric column (or in a factor). */
bool mn_csv_is_missing(const struct mn_csv_missing_set *set, const mn_csv_field *f, bool numeric);

/* Read a field of a numeric column, NaN if missing; returns false if it is not a number. */
bool mn_csv_number(const struct mn_csv_layout *layout, const mn_csv_field *f, double *value, bool *whole);

/* Copy the field with doubled quotes replaced by single ones to `to`, which has space for f->size bytes. Returns the
 * number of bytes used. */
size_t mn_csv_unescape(const mn_csv_dialect *d, const mn_csv_field *f, char *to);

/* Position and text of the field at `at`, as in 3:1: "0x10", in scratch of ctx; NULL if there is no memory. */
const char *mn_csv_quote_field(mn_context *ctx, const struct mn_csv_layout *layout, const char *at);

/* Error "label:line:column: ..." for a position in the file. */
mn_status mn_csv_fail(mn_context *ctx, const struct mn_csv_layout *layout, const char *at, const char *what);
mn_status mn_csv_fail_value(mn_context *ctx, const struct mn_csv_layout *layout, const char *at, const char *what);

/* A range of the file. A row belongs to the chunk that holds the line end before it. */
struct mn_csv_chunk {
  const char *from, *to; /* the bytes, split without regard to rows */
  const char *row;       /* the first row that belongs to it; NULL: none                */
  const char *next_row;  /* out: start of the row after its last one */
  size_t base, max_rows; /* its rows are stored from `base` on, at most this many */
  size_t rows;           /* out: rows found                                             */
  enum mn_csv_fault fault;
  const char *fault_at; /* position of the fault */
  size_t fields;        /* of the faulty row */
};

struct mn_csv_chunks {
  struct mn_csv_chunk *at;
  size_t size, rows; /* rows: sum of max_rows */
};

/* Split the rows of a layout into chunks. The first row of a chunk is found by counting quotes, which can only fail if
 * quotes are part of unquoted fields or comments; `exact` scans every row instead, on one thread. */
mn_status mn_csv_split(mn_context *ctx, const struct mn_csv_layout *layout, bool exact, struct mn_csv_chunks *chunks);

/* Statistics of a column within a chunk. */
struct mn_csv_column_stats {
  uint32_t missing;
  uint32_t distinct; /* number of distinct texts */
  bool not_whole, rounded, overflowed;
  const char *not_number; /* the first field that is not a number */
};

/* A pass over the rows: which columns it reads, and where they are stored. */
struct mn_csv_pass {
  const struct mn_csv_layout *layout;
  struct mn_csv_chunks *chunks;
  unsigned char *kind;               /* cols; MN_CSV_SKIP: not read in this pass */
  double **number;                   /* cols; values of a numeric column, else NULL */
  int32_t **code;                    /* cols; codes of a factor, else NULL */
  struct mn_csv_column_stats *stats; /* chunks x cols, row-major                          */
};

/* Parse all chunks. *fits: whether each chunk ended where the next one begins. If not, split exactly and parse again.
 *
 * Afterwards a code of a factor is -1 (missing); or, with the top bit clear, the offset from chunk->row of the first
 * field of the chunk with this text; or, with the top bit set, the row of the chunk (low 31 bits) that has this offset.
 * So no memory beyond the result is needed, whatever the number of distinct texts. */
mn_status mn_csv_parse_rows(mn_context *ctx, const struct mn_csv_pass *pass, bool exact, bool *fits);

#define MN_CSV_REPEAT 0x80000000u

/* The levels of column `col`, whose rows have been parsed; replaces its codes by level indexes. NULL with the error set
 * on failure. */
const mn_levels *mn_csv_make_levels(mn_context *ctx, const struct mn_csv_pass *pass, size_t col);

/* Read all rows of a layout. The kinds detected replace the guesses in layout->kind. */
mn_status mn_csv_read_rows(mn_context *ctx, struct mn_csv_layout *layout, mn_columns *out);

#endif
