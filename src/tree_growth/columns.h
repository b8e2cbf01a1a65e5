/* The columns of X as trees read them: ranks instead of values, so that a node sorts small integers. Made once for all
 * trees of a fit. */
#ifndef MN_TREE_GROWTH_COLUMNS_H
#define MN_TREE_GROWTH_COLUMNS_H
#include "../model/data.h"
#include "packed.h"

/* A column of sparse X in which most rows are 0: its nonzero entries, sorted by value and once more by row. */
typedef struct mn_sparse_column {
  uint32_t *row;          /* size; NULL: the column is stored dense         */
  uint32_t *rank;         /* size, ascending                                */
  double *value;          /* size; only with MN_COLUMNS_VALUES              */
  uint32_t *sorted_row;   /* size: the same rows, ascending                 */
  uint32_t *sorted_entry; /* size: index of each in the arrays above        */
  size_t size;
  uint32_t zero_rank; /* rank of the value 0 */
} mn_sparse_column;

typedef struct mn_tree_columns {
  size_t rows, features;
  mn_data data;             /* a copy of the struct                                                          */
  mn_packed *rank;          /* features x rows: rank among the distinct values, or the code of a factor. Not set
                               for sparse columns, nor where `value` is set and no value is missing          */
  mn_sparse_column *sparse; /* features; NULL: all columns are dense                                         */
  uint32_t *distinct;       /* features: number of distinct values; as a rank it means missing               */
  double **sorted;          /* MN_COLUMNS_SORTED: distinct values of each feature, ascending; NULL of a factor */
  double **value;           /* MN_COLUMNS_VALUES: features x rows; NULL for sparse columns                   */
  uint16_t *quantized;      /* rows x features, or NULL: see quantized_columns.h                             */
  double *quantized_min, *quantized_scale; /* features: quantized = (x - min) * scale; scale 0: not quantized */
  mn_packed *order;              /* features x rows, or NULL: rows sorted by rank, without missing values. Only made
                                    where further fits to the same X will read it                                   */
  uint64_t *value_starts;        /* features x mn_row_bitmap_words: bit i is set where order[i] begins a new value  */
  bool *has_missing, *is_factor; /* features */
} mn_tree_columns;

/* What is wanted besides ranks. Values are needed for random thresholds. */
enum { MN_COLUMNS_RANKS, MN_COLUMNS_VALUES, MN_COLUMNS_SORTED };

/* The sparse column j, or NULL if the column is dense. */
static inline const mn_sparse_column *mn_sparse_column_of(const mn_tree_columns *c, size_t j)
{
  return c->sparse && c->sparse[j].row ? &c->sparse[j] : NULL;
}

/* Words of a bitmap with one bit for each row. */
static inline size_t mn_row_bitmap_words(size_t rows)
{
  return (rows + 63) / 64;
}

/* Make the columns, in scratch. Ranks alone are kept in data->cache if there is one and no column is sparse. */
mn_status mn_tree_columns_make(mn_context *ctx, const char *who, const mn_data *data, int wanted, mn_tree_columns *out);

/* Set flags[j] to 1 for each feature with missing values in a row of positive weight. Left empty if there is none. */
mn_status mn_features_with_missing(mn_context *ctx, const mn_tree_columns *c, const double *weights, mn_indexes *flags);

#endif
