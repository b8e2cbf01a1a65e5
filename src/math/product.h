/* Products of matrices: the one seam through which all of them go, with micro-kernels of our own for AVX-512, AVX2 and
 * every other CPU.
 *
 * Matrices are row-major; `ld` is the distance in elements from one row to the next. Results do not depend on the
 * number of threads; they may differ in the last bits between the variants. NaN and infinity spread as they do in a
 * plain loop. Scratch is given back before the call returns. */
#ifndef MN_PRODUCT_H
#define MN_PRODUCT_H
#include "../core/context.h"

/* "avx512", "avx2" or "baseline": what this CPU has, or what the environment variable MANILIUS_CPU asked for. */
const char *mn_product_variant(void);

/* C = alpha op(A) op(B) + beta C, where op(Z) is Z, or Z transposed when its flag is set.
 *
 *   m, n, k  op(A) is m x k, op(B) is k x n, C is m x n; any may be 0
 *   a        m x k, or k x m when ta; rows lda apart; not read when alpha is 0
 *   b        k x n, or n x k when tb; rows ldb apart; not read when alpha is 0
 *   c        m x n, in and out, rows ldc apart; not read when beta is 0; must not overlap a or b
 *
 * 2 m n k flops. A small product runs on the calling thread; a long, thin one (large k) is cut along k, and the parts
 * are added in order. MN_NO_MEMORY for the packing buffers, at most about 6 MB a thread (and 8 MB for the parts). */
mn_status mn_gemm(mn_context *ctx, bool ta, bool tb, size_t m, size_t n, size_t k, double alpha, const double *a,
                  size_t lda, const double *b, size_t ldb, double beta, double *c, size_t ldc);
mn_status mn_gemm_f32(mn_context *ctx, bool ta, bool tb, size_t m, size_t n, size_t k, float alpha, const float *a,
                      size_t lda, const float *b, size_t ldb, float beta, float *c, size_t ldc);

/* The same on the calling thread, for use inside a task.
 *   work  mn_gemm_space(m, n, k) bytes, 64-byte aligned; one for each worker. Sizes are monotone: the space for the
 *         largest block serves all smaller ones */
size_t mn_gemm_space(size_t m, size_t n, size_t k);
void mn_gemm_serial(bool ta, bool tb, size_t m, size_t n, size_t k, double alpha, const double *a, size_t lda,
                    const double *b, size_t ldb, double beta, double *c, size_t ldc, void *work);
size_t mn_gemm_space_f32(size_t m, size_t n, size_t k);
void mn_gemm_serial_f32(bool ta, bool tb, size_t m, size_t n, size_t k, float alpha, const float *a, size_t lda,
                        const float *b, size_t ldb, float beta, float *c, size_t ldc, void *work);

/* GFLOP/s of a float64 product of order 768 on the threads of `ctx`, the best of a few: about 50 ms. */
mn_status mn_product_peak(mn_context *ctx, double *gflops);

#endif
