/* A table as read from a file: named columns of numbers or factors. */
#ifndef MN_IO_COLUMNS_H
#define MN_IO_COLUMNS_H
#include "../core/levels.h"
#include "../core/matrix.h"

enum mn_column_kind { MN_COLUMN_NUMBER, MN_COLUMN_FACTOR };

typedef struct mn_column {
  char *name; /* from mn_alloc, NUL-terminated */
  enum mn_column_kind kind;
  bool whole;       /* numbers: all values were written without point and exponent */
  bool rounded;     /* numbers: one of these exceeds 2^53 in absolute value, so it may have been rounded */
  bool overflowed;  /* numbers: one is beyond the largest double and has become inf or -inf                 */
  mn_vector number; /* rows; NaN: missing; empty for a factor                                    */
  mn_factor factor; /* rows; code -1: missing; levels are texts or booleans; empty for numbers   */
  size_t missing;   /* number of missing values */
  char *not_number; /* factors whose values are mostly numbers: position and text of the first that is not one, as in
                       3:1: "0x10"; NULL otherwise; from mn_alloc */
} mn_column;

typedef struct mn_columns {
  mn_column *at;
  size_t size, rows;
} mn_columns;

/* `size` columns without names and values. On failure *c is empty and the error is set. */
mn_status mn_columns_init(mn_context *ctx, mn_columns *c, size_t size, size_t rows);
void mn_columns_free(mn_memory *memory, mn_columns *c);

/* Set the name of a column to the first `size` bytes of `name`. */
mn_status mn_column_name(mn_context *ctx, mn_column *column, const char *name, size_t size);

#endif
