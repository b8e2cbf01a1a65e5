/* Matrix products: all products of dense matrices in the library go through these functions. The micro-kernels are our
 * own, for AVX-512, AVX2 and any other CPU.
 *
 * Matrices are row-major; `ld` is the distance in elements from one row to the next. Results do not depend on the
 * number of threads; they may differ in the last bits between CPU variants. NaN and infinity propagate as in a plain
 * loop. Scratch is released before the call returns. */
#ifndef MN_LINALG_PRODUCT_H
#define MN_LINALG_PRODUCT_H
#include "../core/context.h"

/* "avx512", "avx2" or "baseline": the best variant for this CPU, or the one that the environment variable MANILIUS_CPU
 * names. */
const char *mn_product_variant(void);

/* C = alpha op(A) op(B) + beta C, where op(Z) is Z, or Z transposed when its flag is set.
 *
 *   m, n, k  op(A) is m x k, op(B) is k x n, C is m x n; any may be 0
 *   a        m x k, or k x m when ta; rows lda apart; not read when alpha is 0
 *   b        k x n, or n x k when tb; rows ldb apart; not read when alpha is 0
 *   c        m x n, in and out, rows ldc apart; not read when beta is 0; must not overlap a or b
 *
 * 2 m n k flops. A small product runs on the calling thread; a long, thin one (large k) is split along k, and the
 * parts are added in order. MN_NO_MEMORY for the packing buffers, at most about 6 MB a thread (and 8 MB for the parts).
 */
mn_status mn_gemm(mn_context *ctx, bool ta, bool tb, size_t m, size_t n, size_t k, double alpha, const double *a,
                  size_t lda, const double *b, size_t ldb, double beta, double *c, size_t ldc);

/* The same on the calling thread, for use inside a task.
 *   work  mn_gemm_serial_bytes(m, n, k) bytes, 64-byte aligned; one for each worker. Workspace for the
 *         largest block suffices for all smaller ones */
size_t mn_gemm_serial_bytes(size_t m, size_t n, size_t k);
void mn_gemm_serial(bool ta, bool tb, size_t m, size_t n, size_t k, double alpha, const double *a, size_t lda,
                    const double *b, size_t ldb, double beta, double *c, size_t ldc, void *work);

/* y = alpha op(A) x + beta y, with op(A) as above; limited by the memory bandwidth for A.
 *
 *   rows, cols  of A as stored; either may be 0
 *   x           cols values, or rows when ta; not read when alpha is 0
 *   y           rows values, or cols when ta; in and out; not read when beta is 0; must not overlap a or x
 *
 * With ta the partial sums of up to 64 blocks of rows are added in order. */
mn_status mn_gemv(mn_context *ctx, bool ta, size_t rows, size_t cols, double alpha, const double *a, size_t lda,
                  const double *x, double beta, double *y);

/* G = (X - 1 c')' diag(w) (X - 1 c'), with c = center. Half of G is computed, all of it is written.
 *
 *   n, p    X is n x p, rows ldx apart; read once
 *   w       n weights of any sign; NULL: all 1
 *   center  p values subtracted from each row; NULL: none
 *   g       out: p x p, rows ldg apart, symmetric to the bit; must not overlap the inputs
 *
 * n p (p + 1) flops. Threads take chunks of rows, and the partial results are added in order; for large p they share
 * the packed rows and take blocks of G. MN_NO_MEMORY for the partial results (at most 8 MB or a 32nd of X), or, for
 * large p, for another p x p and 10 MB of packed rows. */
mn_status mn_syrk(mn_context *ctx, size_t n, size_t p, const double *x, size_t ldx, const double *w,
                  const double *center, double *g, size_t ldg);

/* Weighted means and the Gram matrix about them, of Z = [X Y], in one pass over the rows, as least squares and PCA need
 * them.
 *
 *   n, p, q   X is n x p, Y is n x q (q may be 0); rows ldx and ldy apart
 *   w         n weights; NULL: all 1
 *   centered  subtract the means; if false, `mean` is still computed
 *   weight    out, may be NULL: sum of w
 *   mean      out, may be NULL: p + q weighted means; 0 if the weights sum to 0
 *   g         out: (p + q) x (p + q), rows ldg apart: sum_i w_i (z_i - mean)(z_i - mean)', symmetric to the bit
 *
 * The rows are shifted by the mean of a sample, and the result is corrected at the end. If that costs more than four
 * bits in some column (sorted data, extreme weights), the pass is repeated about the mean, so the accuracy is that of
 * two passes. A constant column gives exact zeros. Work and memory as in mn_syrk. */
mn_status mn_gram(mn_context *ctx, size_t n, size_t p, const double *x, size_t ldx, size_t q, const double *y,
                  size_t ldy, const double *w, bool centered, double *weight, double *mean, double *g, size_t ldg);

/* K = exp(-gamma |x_i - y_j|^2): rows of the radial basis function kernel.
 *
 *   m, n, d  X is m x d, Y is n x d, both contiguous and finite
 *   y        may be x itself (with n = m): then only half is computed, K is exactly symmetric, and its diagonal is 1
 *   gamma    > 0, in the inverse of the units of X squared
 *   out      m x n, rows ldo apart
 *
 * 2 m n d flops and m n exp. Rows are shifted to a common origin first, which keeps the accuracy for data far from 0.
 */
mn_status mn_rbf(mn_context *ctx, size_t m, size_t n, size_t d, const double *x, const double *y, double gamma,
                 double *out, size_t ldo);

/* GFLOP/s of a product of square matrices of this order, in float32 (single) or float64, on the threads of `ctx`; the
 * best of five runs. */
mn_status mn_product_peak(mn_context *ctx, size_t order, bool single, double *gflops);

#endif
