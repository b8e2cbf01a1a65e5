/* The one shape in which data reach fit, predict and transform. */
#ifndef MN_MODEL_DATA_H
#define MN_MODEL_DATA_H
#include "../core/levels.h"
#include "../core/matrix.h"
#include <string.h>

typedef struct mn_fit_cache mn_fit_cache; /* cache.h */

/* X as the caller has it: dense with factor columns as codes (NaN missing), or CSR. Borrowed, never changed. */
typedef struct mn_table {
  mn_matrix dense;      /* rows x cols; empty when sparse */
  const mn_csr *sparse; /* or NULL                        */
  size_t rows, cols;
  const char *const *names;       /* cols, or NULL                                            */
  const mn_levels *const *levels; /* cols, an entry NULL for a numeric column; or NULL        */
} mn_table;

/* y as the caller has it. */
typedef struct mn_target {
  enum { MN_TARGET_NONE, MN_TARGET_REALS, MN_TARGET_LABELS } kind;
  mn_matrix reals;  /* rows x targets                                               */
  bool vector;      /* reals came as a vector, not as a matrix of one column        */
  bool whole;       /* reals came as Lua integers: labels go back as integers       */
  mn_factor labels; /* borrowed                                                     */
} mn_target;

/* All a caller can give to fit. */
typedef struct mn_input {
  mn_table x;
  mn_target y;
  const double *weights; /* x.rows, or NULL                       */
  size_t n_weights;
  const int32_t *lengths; /* rows of each sequence or group; or NULL */
  size_t n_lengths;
  mn_table target_x;
  mn_matrix init_score; /* x.rows x decisions, or empty */
  mn_fit_cache *cache;  /* for fits to the same X, or NULL */
} mn_input;

/* What an algorithm sees: checked and encoded. */
typedef struct mn_data {
  mn_matrix x;          /* rows x features; at is NULL when sparse                                       */
  const mn_csr *sparse; /* or NULL                                                                       */
  size_t rows, features;
  const mn_levels *const *levels; /* features, entries NULL for numeric columns; or NULL. Codes in x: 0.., NaN missing,
                                     -1 a level that fit did not see                                            */
  const double *original;         /* codes as they came, where x has other ones, laid out as x; else NULL          */
  const mn_levels *const *original_levels; /* their levels, so that a message can name one                            */
  mn_matrix y;         /* rows x targets: reals                                                         */
  const int32_t *code; /* rows: class codes 0..classes-1                                                */
  size_t classes;
  const double *weights; /* rows, >= 0, class weights multiplied in; NULL: all 1                         */
  const int32_t *lengths;
  size_t n_lengths;
  const mn_matrix *target_x;        /* a second x, or NULL */
  mn_matrix init_score;             /* rows x any number: raw predictions of something else to begin with; or empty */
  mn_fit_cache *cache;              /* what fits to the same X share; or NULL */
  const struct mn_data *unfiltered; /* before rows of weight 0 were left out, of which the cache tells; or NULL */
  const size_t *kept_rows;          /* rows: their places in `whole`                                            */
} mn_data;

/* The weight of row i. */
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

/* Column j of row i. */
static inline double mn_element(const mn_data *data, size_t i, size_t j)
{
  const mn_csr *s = data->sparse;
  if (!s) return mn_row(&data->x, i)[j];
  size_t low = s->start[i], high = s->start[i + 1]; /* binary search in the row */
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if ((size_t)s->col[middle] < j)
      low = middle + 1;
    else
      high = middle;
  }
  return low < s->start[i + 1] && (size_t)s->col[low] == j ? s->at[low] : 0;
}

/* Row i as features values; of sparse data they are written to room, of dense data room is not read. */
static inline const double *mn_dense_row(const mn_data *data, size_t i, double *room)
{
  const mn_csr *s = data->sparse;
  if (!s) return mn_row(&data->x, i);
  memset(room, 0, data->features * sizeof *room);
  for (size_t k = s->start[i]; k < s->start[i + 1]; k++) room[s->col[k]] = s->at[k];
  return room;
}

#endif
