/* Compressed sparse rows: construction, transpose, products. */
#ifndef MN_LINALG_CSR_H
#define MN_LINALG_CSR_H
#include "../core/matrix.h"

/* One value of a matrix, 0-based. */
typedef struct mn_entry {
  size_t row;
  int32_t col;
  double value;
} mn_entry;

/* Convert entries in any order to compressed rows, sorted by row, then column; entries with the same row and column are
 * added in the order given. `out` comes from mn_csr_init with a capacity of n values; row and column indexes must be in
 * range. On return out->start[rows] is the number of values. MN_NO_MEMORY for scratch. */
mn_status mn_csr_from_entries(mn_context *ctx, const mn_entry *entry, size_t n, mn_csr *out);

/* Copy the values of x that are not 0 (NaN is kept), at most `capacity` of them; `out` must have that capacity
 * (mn_count_nonzeros). */
size_t mn_count_nonzeros(const mn_matrix *x);
void mn_csr_from_dense(const mn_matrix *x, size_t capacity, mn_csr *out);

/* Write the values into out (rows x cols), which the caller has set to zero. */
void mn_csr_to_dense(const mn_csr *s, mn_matrix *out);

/* out = s transposed, in parallel over rows. mn_csr_transpose writes into an `out` from the caller (cols x rows, the
 * same number of values); mn_csr_transpose_scratch allocates it in scratch. MN_CANCELLED, MN_NO_MEMORY. */
mn_status mn_csr_transpose(mn_context *ctx, const mn_csr *s, mn_csr *out);
mn_status mn_csr_transpose_scratch(mn_context *ctx, const mn_csr *s, mn_csr *out);

/* out = S B, in parallel over rows: B is s->cols x n, out is s->rows x n. MN_CANCELLED. */
mn_status mn_csr_multiply(mn_context *ctx, const mn_csr *s, size_t n, const double *b, double *out);

/* out = S' B: B is s->rows x n, out is s->cols x n. MN_NO_MEMORY for the partial results; MN_CANCELLED. */
mn_status mn_csr_multiply_transposed(mn_context *ctx, const mn_csr *s, size_t n, const double *b, double *out);

#endif
