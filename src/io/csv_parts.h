/* The parts of the CSV reader, in the order in which they work:
 *
 *   csv_layout.c  what the first rows tell: delimiter, names, which columns are wanted, the kind of each
 *   csv_chunks.c  cut the bytes into chunks and find the first row of each, quotes regarded
 *   csv_rows.c    parse the chunks in parallel, each row straight into its place in the columns
 *   csv_text.c    turn the texts of a column into a factor
 *   csv_read.c    all of these, and a second look at columns that turned out not to be numbers
 *   csv_stream.c  the same piece by piece */
#ifndef MN_IO_CSV_PARTS_H
#define MN_IO_CSV_PARTS_H
#include "csv.h"
#include "csv_field.h"

enum mn_csv_kind {
  MN_CSV_SKIP,    /* not wanted                         */
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
  size_t cols, selected;
  bool has_header;
  bool mapped; /* the bytes are those of a mapped file */
};

/* Everything in scratch of `ctx`; points into `bytes` and `options`. */
mn_status mn_csv_lay_out(mn_context *ctx, const char *label, const char *bytes, size_t size,
                         const mn_csv_options *options, struct mn_csv_layout *layout);

/* Let the rows end behind the `most`-th, so that nothing after it is looked at. */
void mn_csv_limit_rows(struct mn_csv_layout *layout, size_t most);

/* Is the field missing, in a numeric column (or in a factor)? */
bool mn_csv_is_missing(const struct mn_csv_missing_set *set, const mn_csv_field *f, bool numeric);

/* The value of a field of a numeric column, NaN when missing; false when it is no number. */
bool mn_csv_number(const struct mn_csv_layout *layout, const mn_csv_field *f, double *value, bool *whole);

/* The field without doubled quotes: `to` has room for f->size bytes. Returns how many are used. */
size_t mn_csv_undouble(const mn_csv_dialect *d, const mn_csv_field *f, char *to);

/* "label:line:column: ..." for a place in the file. */
mn_status mn_csv_fail(mn_context *ctx, const struct mn_csv_layout *layout, const char *at, const char *what);
mn_status mn_csv_fail_value(mn_context *ctx, const struct mn_csv_layout *layout, const char *at, const char *what);

/* A piece of the file. A row belongs to the chunk that holds the line end before it. */
struct mn_csv_chunk {
  const char *from, *to; /* the bytes, cut blindly                                      */
  const char *row;       /* the first row that belongs to it; NULL: none                */
  const char *behind;    /* out: where the row after its last one begins                */
  size_t base, most;     /* its rows have their places from `base` on, at most so many  */
  size_t rows;           /* out: rows found                                             */
  enum mn_csv_fault fault;
  const char *fault_at; /* and where */
  size_t fields;        /* of the row at fault */
};

struct mn_csv_chunks {
  struct mn_csv_chunk *at;
  size_t size, rows; /* rows: places taken by all */
};

/* Cut the rows of a layout. The first rows of chunks are found by counting quotes, which only errs when quotes stand
 * inside unquoted fields or comments; `exactly` walks through every row instead, on one thread. */
mn_status mn_csv_cut(mn_context *ctx, const struct mn_csv_layout *layout, bool exactly, struct mn_csv_chunks *chunks);

/* What a chunk saw of a column. */
struct mn_csv_seen {
  uint32_t missing;
  uint32_t distinct; /* texts */
  bool not_whole, rounded, no_number;
};

/* One reading of the rows: of which columns, and where to. */
struct mn_csv_pass {
  const struct mn_csv_layout *layout;
  struct mn_csv_chunks *chunks;
  unsigned char *kind;      /* cols; MN_CSV_SKIP where this pass has no business */
  double **number;          /* cols; places of a numeric column                  */
  int32_t **code;           /* cols; places of a factor                          */
  struct mn_csv_seen *seen; /* chunks x cols, row-major                          */
};

/* Parse all chunks. *fits: each chunk ended where the next one began; when they do not, cut exactly and parse again.
 *
 * After it a factor's place holds: -1 missing; else, with the top bit clear, the first row of the chunk that has this
 * text, as the offset of the field from chunk->row; else a repeat: the row of the chunk, in the low 31 bits, that has
 * the offset. No memory beyond the result is needed so, however many different texts there are. */
mn_status mn_csv_parse_rows(mn_context *ctx, const struct mn_csv_pass *pass, bool exactly, bool *fits);

#define MN_CSV_REPEAT 0x80000000u

/* The levels of column `col`, whose rows were parsed; its places then hold codes. NULL with the text set on failure. */
const mn_levels *mn_csv_make_levels(mn_context *ctx, const struct mn_csv_pass *pass, size_t col);

/* Read all rows of a layout; kinds are settled in layout->kind: guesses are replaced by what was found. */
mn_status mn_csv_read_rows(mn_context *ctx, struct mn_csv_layout *layout, mn_columns *out);

#endif
