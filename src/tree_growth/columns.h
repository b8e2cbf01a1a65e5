/* The columns of X as trees read them: ranks in place of values, so that a node sorts small whole numbers; made once
 * for all trees. */
#ifndef MN_TREE_GROWTH_COLUMNS_H
#define MN_TREE_GROWTH_COLUMNS_H
#include "../model/data.h"
#include "packed.h"

/* A column of sparse X in which most rows have 0: the others, by their values. */
typedef struct mn_sparse_column {
  uint32_t *row;   /* size; NULL: the column is kept whole */
  uint32_t *rank;  /* size, ascending */
  double *value;   /* size; of MN_COLUMNS_VALUES */
  uint32_t *named; /* size: the same rows, ascending ... */
  uint32_t *entry; /* ... and which entries they are */
  size_t size;
  uint32_t zero; /* the rank of 0 */
} mn_sparse_column;

typedef struct mn_tree_columns {
  size_t rows, features;
  mn_data data;          /* a copy: what it was made of is not always there later */
  mn_packed *rank;       /* features, of rows: place among the distinct values; of a factor its code. Not set
                        for columns of numbers without missing values where `value` is kept, nor for few */
  mn_sparse_column *few; /* features; or NULL: all columns are kept whole                          */
  uint32_t *distinct;    /* features: how many; a row of this rank is missing                      */
  double **sorted;       /* MN_COLUMNS_SORTED: of each feature the distinct values, ascending; NULL for a factor */
  double **value;        /* MN_COLUMNS_VALUES: of each feature the values by row; NULL for few      */
  uint16_t *coarse;      /* rows x features, or NULL: of values, see coarse.h                      */
  double *least, *steps; /* features: how coarse values are made of values; steps 0: they are not  */
  mn_packed *order;      /* features, of rows, or NULL: the rows by rank, of numbers without missing ones. Only
                        where further fits to the same X will read them, too                       */
  uint64_t *starts; /* features x mn_row_bitmap_words: a bit for each place in the order where a new value begins */
  bool *missing, *by_levels; /* features: has missing values; is a factor                          */
} mn_tree_columns;

/* What is wanted besides ranks. Values are for cuts drawn at random. */
enum { MN_COLUMNS_RANKS, MN_COLUMNS_VALUES, MN_COLUMNS_SORTED };

/* Column j where only few rows have something; NULL: it is kept whole. */
static inline const mn_sparse_column *mn_sparse_column_of(const mn_tree_columns *c, size_t j)
{
  return c->few && c->few[j].row ? &c->few[j] : NULL;
}

static inline size_t mn_row_bitmap_words(size_t rows)
{
  return (rows + 63) / 64;
}

/* In scratch; ranks alone, where data->cache is there and no column is kept as few, on it. */
mn_status mn_tree_columns_make(mn_context *ctx, const char *who, const mn_data *data, int wanted, mn_tree_columns *out);

/* 1 for each column with missing values, of rows that weigh; none where no column has any. Lasting. */
mn_status mn_features_with_missing(mn_context *ctx, const mn_tree_columns *c, const double *weights, mn_indexes *gaps);

#endif
