/* Products of sparse and dense rows: S has the values at[start[i]..start[i + 1] - 1] in row i, in the columns col. No
 * argument is checked; arrays must not overlap. */
#ifndef MN_LINALG_CSR_KERNEL_H
#define MN_LINALG_CSR_KERNEL_H
#include <stddef.h>
#include <stdint.h>

/* out = S B: B has rows of n values, out is rows x n. */
void mn_csr_multiply_rows(size_t rows, const size_t *start, const int32_t *col, const double *at, size_t n,
                          const double *b, double *out);

/* out += S'B: B is rows x n, out has a row of n values for each column of S. */
void mn_csr_add_transposed_rows(size_t rows, const size_t *start, const int32_t *col, const double *at, size_t n,
                                const double *b, double *out);

#endif
