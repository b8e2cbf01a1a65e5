/* Compressed sparse rows: making, turning, multiplying. */
#ifndef MN_LINALG_CSR_H
#define MN_LINALG_CSR_H
#include "../core/matrix.h"

/* One value of a matrix, 0-based. */
typedef struct mn_entry {
  size_t row;
  int32_t col;
  double value;
} mn_entry;

/* Entries in any order into `out` (rows, cols and start, col, at made by mn_csr_init with room for n values): sorted by
 * row, then column; those of one place are added, in the order given. Rows and columns must be in range. Returns
 * through out->start[rows] how many values there are then. MN_NO_MEMORY for scratch. */
mn_status mn_csr_fill(mn_context *ctx, const mn_entry *entry, size_t n, mn_csr *out);

/* The values of x that are not 0 (NaN is not 0), `room` of them at most; out must have that room, mn_csr_count(x). */
size_t mn_csr_count(const mn_matrix *x);
void mn_csr_from_dense(const mn_matrix *x, size_t room, mn_csr *out);

/* out is rows x cols, cleared by the caller. */
void mn_csr_to_dense(const mn_csr *s, mn_matrix *out);

/* out = s transposed; out is made by the caller: cols x rows, as many values. mn_csr_turn makes it of scratch. Rows
 * over the threads of the context. MN_CANCELLED, MN_NO_MEMORY. */
mn_status mn_csr_transpose(mn_context *ctx, const mn_csr *s, mn_csr *out);
mn_status mn_csr_turn(mn_context *ctx, const mn_csr *s, mn_csr *out);

/* out = S B: B is s->cols x n, out s->rows x n. Rows over the threads of the context. MN_CANCELLED. */
mn_status mn_csr_multiply(mn_context *ctx, const mn_csr *s, size_t n, const double *b, double *out);

/* out = S' B: B is s->rows x n, out s->cols x n. MN_NO_MEMORY for the parts of blocks; MN_CANCELLED. */
mn_status mn_csr_multiply_transposed(mn_context *ctx, const mn_csr *s, size_t n, const double *b, double *out);

#endif
