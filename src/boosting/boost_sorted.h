/* Columns in sorted order, for exact split search: each leaf owns a range of positions, the same in every column, that
 * holds its rows in ascending order of the column, rows with missing values last. */
#ifndef MN_BOOSTING_BOOST_SORTED_H
#define MN_BOOSTING_BOOST_SORTED_H
#include "../core/context.h"
#include "../histogram/bins.h"

typedef struct mn_sorted_columns {
  size_t rows, features;
  double **value;          /* features: distinct values, ascending; of a factor NULL, ranks are codes */
  uint32_t *rank;          /* features x rows: index of the value; of a missing one, the number of distinct values */
  uint32_t *initial, *row; /* features x rows: rows of the whole set in sorted order; rows of the leaves */
  uint32_t *right_rows;    /* workers x rows */
  uint8_t *side;           /* rows: 1 if the row goes left in the current split */
} mn_sorted_columns;

/* Sort the columns of X, dense or sparse, in scratch. *bins receives the dimensions, `categorical` and the number of
 * distinct values or levels of each feature, without edges or codes. Fails if a factor has more than MN_MAX_BINS
 * levels.
 */
mn_status mn_sorted_columns_make(mn_context *ctx, const char *who, const mn_data *data, mn_bins *bins,
                                 mn_sorted_columns **out);

/* Begin a tree: all rows are in the root. */
void mn_sorted_columns_reset(mn_sorted_columns *s);

/* Split the positions begin .. begin + n - 1 of a feature by `side`, keeping the order on both sides. */
void mn_sorted_columns_partition(mn_sorted_columns *s, size_t feature, size_t begin, size_t n, size_t worker);

#endif
