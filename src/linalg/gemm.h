/* Single-threaded product of two blocks, for either element type; product.c, gram.c and the neighbor searches build on
 * it. The public interface is product.h. */
#ifndef MN_LINALG_GEMM_H
#define MN_LINALG_GEMM_H
#include "gemm_kernel.h"

/* A strided matrix: element (i, j) is at[i * row + j * col], counted in elements. A transpose swaps row and col. */
typedef struct mn_operand {
  const void *at;
  size_t row, col;
} mn_operand;

static inline size_t mn_min_size(size_t a, size_t b)
{
  return a < b ? a : b;
}

/* a rounded up to a multiple of unit. */
static inline size_t mn_round_up(size_t a, size_t unit)
{
  return (a + unit - 1) / unit * unit;
}

/* The submatrix of x that begins at row i, column j. */
mn_operand mn_operand_block(const mn_gemm_kernel *g, mn_operand x, size_t i, size_t j);

/* Workspace in bytes, a multiple of 64, for a product m x k by k x n. */
size_t mn_gemm_work_bytes(const mn_gemm_kernel *g, size_t m, size_t n, size_t k);

/* C = beta C + alpha A B. C is not read when beta is 0; A and B are not read when alpha is 0.
 *   a, b   m x k and k x n
 *   c      m x n, row-major with stride ldc, must not overlap a and b
 *   work   mn_gemm_work_bytes(g, m, n, k), 64-byte aligned
 * Each element is summed over k in an order that depends on k alone. */
void mn_gemm_block(const mn_gemm_kernel *g, size_t m, size_t n, size_t k, double alpha, mn_operand a, mn_operand b,
                   double beta, void *c, size_t ldc, void *work);

/* The same with a right operand k x n that is packed once and used by many products, from any thread.
 *   packed  mn_gemm_packed_bytes(g, n, k), 64-byte aligned. mn_gemm_pack fills in columns from .. from+cols-1; `from`
 *           is a multiple of nr, and so is `cols` except at the end; b holds these columns, k x cols
 *   from    first column used, a multiple of nr; `cols` columns are multiplied into C
 *   work    mn_gemm_left_bytes(g, m, k) */
size_t mn_gemm_packed_bytes(const mn_gemm_kernel *g, size_t n, size_t k);
size_t mn_gemm_left_bytes(const mn_gemm_kernel *g, size_t m, size_t k);
void mn_gemm_pack(const mn_gemm_kernel *g, size_t n, size_t k, size_t from, size_t cols, mn_operand b, void *packed);
void mn_gemm_packed(const mn_gemm_kernel *g, size_t m, size_t n, size_t k, double alpha, mn_operand a,
                    const void *packed, size_t from, size_t cols, double beta, void *c, size_t ldc, void *work);

#endif
