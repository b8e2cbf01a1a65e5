/* The plain data types of algorithms: contiguous, row-major, 0-based. Strided views exist in the binding only. */
#ifndef MN_CORE_MATRIX_H
#define MN_CORE_MATRIX_H
#include "context.h"

typedef struct mn_matrix {
  double *at; /* rows x cols, row-major */
  size_t rows, cols;
} mn_matrix;

typedef struct mn_vector {
  double *at; /* size */
  size_t size;
} mn_vector;

typedef struct mn_indexes {
  int32_t *at; /* size; 0-based, which Lua shows 1-based */
  size_t size;
} mn_indexes;

/* Compressed sparse rows. Columns ascend strictly within a row. */
typedef struct mn_csr {
  size_t rows, cols;
  size_t *start; /* rows + 1; row i holds the entries start[i] .. start[i+1]-1 */
  int32_t *col;  /* start[rows]; 0-based                                       */
  double *at;    /* start[rows]; explicit zeros are allowed                    */
} mn_csr;

/* Whether a matrix may have this size. Memory does not bound the rows of a matrix without values, as a damaged file may
 * claim it, but loops over them take time. */
enum { MN_MAX_EMPTY = 1 << 24 };
bool mn_matrix_size_allowed(size_t rows, size_t cols);

/* Results, which outlive the operation: zeroed, except for col and at of an mn_csr, which are not set; to be freed by
 * the function of the type. On failure the struct is empty ({0}), which may be freed, too, and the error is set. */
mn_status mn_matrix_init(mn_context *ctx, mn_matrix *m, size_t rows, size_t cols);
mn_status mn_vector_init(mn_context *ctx, mn_vector *v, size_t size);
mn_status mn_indexes_init(mn_context *ctx, mn_indexes *v, size_t size);
mn_status mn_csr_init(mn_context *ctx, mn_csr *s, size_t rows, size_t cols, size_t nonzeros);

/* Change the size; new elements are not set. `v` may be empty. On failure it is unchanged. */
mn_status mn_vector_resize(mn_context *ctx, mn_vector *v, size_t size);
mn_status mn_indexes_resize(mn_context *ctx, mn_indexes *v, size_t size);

void mn_matrix_free(mn_memory *memory, mn_matrix *m);
void mn_vector_free(mn_memory *memory, mn_vector *v);
void mn_indexes_free(mn_memory *memory, mn_indexes *v);
void mn_csr_free(mn_memory *memory, mn_csr *s);

static inline double *mn_row(const mn_matrix *m, size_t i)
{
  return m->at + i * m->cols;
}

/* Stable insertion sort of the n entries of one row by column, for short or nearly sorted rows; its own because columns
 * and values are two arrays. */
void mn_csr_sort_row(int32_t *col, double *at, size_t n);

/* Copy rows[0..n-1] of x to out, n x x->cols. */
void mn_gather_rows(const mn_matrix *x, const size_t *rows, size_t n, mn_matrix *out);

#endif
