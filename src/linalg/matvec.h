/* Products of strided matrices and vectors for Lua: transposed and sliced views are multiplied without a copy. */
#ifndef MN_LINALG_MATVEC_H
#define MN_LINALG_MATVEC_H
#include "../core/context.h"

/* out = A v: A is rows x cols, value (i, j) is a[i * row_step + j * col_step]; v has cols values v_step apart; out has
 * rows values. Reads A in memory order. MN_NO_MEMORY, MN_CANCELLED. */
mn_status mn_matvec(mn_context *ctx, size_t rows, size_t cols, const double *a, size_t row_step, size_t col_step,
                    const double *v, size_t v_step, double *out);

/* out = A B: A is m x k, B is k x n, out is m x n, contiguous. Operands strided in both directions are copied to
 * scratch. */
mn_status mn_matmul(mn_context *ctx, size_t m, size_t n, size_t k, const double *a, size_t a_row, size_t a_col,
                    const double *b, size_t b_row, size_t b_col, double *out);

#endif
