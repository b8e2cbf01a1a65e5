/* The data of fit, predict and transform: as the caller has them, and as algorithms see them. */
#ifndef MN_MODEL_DATA_H
#define MN_MODEL_DATA_H
#include "../core/levels.h"
#include "../core/matrix.h"
#include <string.h>

typedef struct mn_fit_cache mn_fit_cache; /* fit_cache.h */

#define MN_MODERATE 1e100 /* sums of squares of smaller numbers are finite */

/* X as the caller has it: dense, with factor columns as codes (NaN for missing), or sparse. Borrowed, never changed. */
typedef struct mn_table {
  mn_matrix dense;      /* rows x cols; empty if sparse */
  const mn_csr *sparse; /* or NULL                      */
  size_t rows, cols;
  const char *const *names;       /* cols, or NULL                                     */
  const mn_levels *const *levels; /* cols, entries NULL for numeric columns; or NULL   */
  bool records;                   /* one factor column of rows of named values (named_value.h) */
  const double *moderate;         /* dense.at if its values are known to be below MN_MODERATE in magnitude; or NULL */
} mn_table;

/* y as the caller has it. */
typedef struct mn_target {
  enum { MN_TARGET_NONE, MN_TARGET_REALS, MN_TARGET_LABELS } kind;
  mn_matrix reals;  /* rows x targets                                                    */
  bool vector;      /* reals came as a vector, not as a matrix of one column             */
  bool whole;       /* reals came as Lua integers, so predicted labels are integers, too */
  mn_factor labels; /* borrowed                                                          */
} mn_target;

/* All that a caller can give to fit. */
typedef struct mn_input {
  mn_table x;
  mn_target y;
  const double *weights; /* sample weights, x.rows; or NULL */
  size_t n_weights;
  const int32_t *lengths; /* rows of each sequence or group; or NULL */
  size_t n_lengths;
  mn_table target_x;    /* a second X, or empty                */
  mn_matrix init_score; /* x.rows x decisions, or empty        */
  mn_fit_cache *cache;  /* shared by fits on the same X; or NULL */
  const double *folds;  /* n_folds: the test fold of each row, from 1; or NULL */
  size_t n_folds;
  mn_csr *transformed;         /* where fit may put transform of X, if it is sparse and comes with the fit; or NULL */
  const struct mn_input *eval; /* evaluation set: x, y, weights, lengths and init_score; or NULL */
} mn_input;

/* Rows of X, 0-based, in any order; a row may occur several times. */
typedef struct mn_row_list {
  const size_t *at;
  size_t n;
} mn_row_list;

/* What an algorithm sees: checked and encoded. */
typedef struct mn_data {
  mn_matrix x;            /* rows x features; at is NULL if sparse */
  const double *moderate; /* x.at if its values are known to be below MN_MODERATE in magnitude; or NULL */
  const mn_csr *sparse;   /* or NULL                               */
  size_t rows, features;
  const mn_levels *const *levels; /* features, entries NULL for numeric columns; or NULL. Codes in x: 0.., NaN for
                                     missing, -1 for a level unknown to fit                                       */
  bool records;                   /* X is one factor column of rows of named values (named_value.h)            */
  const double *original;         /* the codes before they were mapped to the levels of fit, as x; or NULL        */
  const mn_levels *const *original_levels; /* their levels, for messages                                          */
  mn_matrix y;                             /* rows x targets: reals                                               */
  const int32_t *code;                     /* rows: class codes 0..classes-1                                      */
  size_t classes;
  const double *weights; /* sample weights, rows, >= 0, class weights multiplied in; NULL: all 1 */
  const int32_t *lengths;
  size_t n_lengths;
  const mn_matrix *target_x;        /* a second X; or NULL                                                         */
  mn_matrix init_score;             /* rows x any number: raw predictions to start from; or empty                  */
  mn_fit_cache *cache;              /* shared by fits on the same X; or NULL                                       */
  const struct mn_data *unfiltered; /* before rows of weight 0 were removed, to which the cache refers; or NULL    */
  const size_t *kept_rows;          /* rows: their indices in `unfiltered`                                         */
  const double *folds;              /* rows: the test fold of each row, from 1; or NULL */
  mn_csr *transformed;              /* where fit may put transform of x, or NULL */
  const struct mn_data *eval;       /* evaluation set, with the same features and classes; or NULL */
} mn_data;

/* Rows to learn from in place of those of a fit. */
typedef struct mn_resampled {
  size_t rows;
  size_t *source; /* rows: the given row whose y and weight it has; of the rows before the made ones, X too */
  mn_matrix made; /* X of the last made.rows rows */
} mn_resampled;

/* The sample weight of row i. */
static inline double mn_weight(const mn_data *data, size_t i)
{
  return data->weights ? data->weights[i] : 1;
}

/* The sum of the sample weights; without weights the number of rows. */
static inline double mn_total_weight(const mn_data *data)
{
  double total = 0;
  for (size_t i = 0; data->weights && i < data->rows; i++) total += data->weights[i];
  return data->weights ? total : (double)data->rows;
}

/* Feature j of row i. Binary search if X is sparse. */
static inline double mn_element(const mn_data *data, size_t i, size_t j)
{
  const mn_csr *s = data->sparse;
  if (!s) return mn_row(&data->x, i)[j];
  size_t low = s->start[i], high = s->start[i + 1];
  while (low < high) {
    const size_t mid = low + (high - low) / 2;
    if ((size_t)s->col[mid] < j)
      low = mid + 1;
    else
      high = mid;
  }
  return low < s->start[i + 1] && (size_t)s->col[low] == j ? s->at[low] : 0;
}

/* The features of row i. A sparse row is written to `buffer`, which dense data do not use. */
static inline const double *mn_dense_row(const mn_data *data, size_t i, double *buffer)
{
  const mn_csr *s = data->sparse;
  if (!s) return mn_row(&data->x, i);
  memset(buffer, 0, data->features * sizeof *buffer);
  for (size_t k = s->start[i]; k < s->start[i + 1]; k++) buffer[s->col[k]] = s->at[k];
  return buffer;
}

#endif
