/* The innermost loops of the products, in one variant for each instruction set. `product.c` and `nearest.c` cut the
 * work into pieces that fit these; nobody else needs this header.
 *
 * A tile of C, mr x nr, is held in registers: vectors lie along the nr columns, rows are broadcast. The right operand
 * is packed in panels of nr columns, the left one is packed in panels of mr rows or read where it lies. For float64 mr
 * divides nr, so a panel packed as right operand also serves as nr / mr left ones (SYRK packs once). */
#ifndef MN_LINALG_GEMM_KERNEL_H
#define MN_LINALG_GEMM_KERNEL_H
#include <stddef.h>
#include <stdint.h>

/* One element type in one instruction set. Pointers are to that type; strides and sizes count elements. */
typedef struct mn_gemm_kernel {
  size_t size;       /* bytes of an element                                               */
  size_t mr, nr;     /* tile; mr divides nr for float64                                   */
  size_t mc, kc, nc; /* block of the left operand mc x kc (L2), of the right kc x nc (L3) */

  /* C = beta C + alpha A B on one tile; C is not read when beta is 0.
   *   a           mr x k: element (i, l) at a[i * row_step + l * k_step]
   *   b           k x nr, packed and 64-byte aligned
   *   c           rows x cols, row-major with stride ldc; rows <= mr, cols <= nr */
  void (*tile)(size_t k, const void *a, size_t row_step, size_t k_step, const void *b, double alpha, double beta,
               void *c, size_t ldc, size_t rows, size_t cols);

  /* Pack `lines` lines of k elements into panels of `width` lines: out[panel][l][line], missing lines zero.
   * Element (line, l) at source[line * line_step + l * k_step]; fastest when one step is 1. */
  void (*pack)(size_t lines, size_t k, const void *source, size_t line_step, size_t k_step, size_t width, void *out);

  /* Columns of a row-major source, less shift[column], as lines first .. first+cols-1 of panels of nr lines. */
  void (*pack_shifted)(size_t first, size_t cols, size_t k, const void *source, size_t ld, const void *shift,
                       void *out);

  /* out = packed panels of nr lines, times weight[l], l < k. */
  void (*weigh)(size_t panels, size_t k, const void *packed, const void *weight, void *out);

  /* out = scale (x - shift) for rows of d values, rounded to this type; norm2[row] = squared length before rounding.
   */
  void (*convert)(size_t rows, size_t d, const double *x, const double *shift, double scale, void *out, double *norm2);

  /* For each row of scores, rows x k, plus bias[k] (64-byte aligned): where the least sum is, and the least of the
   * others. k is a multiple of nr. With NaN in a row they mean nothing, but index is below k. */
  void (*least)(size_t rows, size_t k, const void *score, const void *bias, int32_t *index, double *least,
                double *second);

  /* The places where score + bias < limit, ascending, with the sums; returns how many. k is a multiple of nr. */
  size_t (*below)(size_t k, const void *score, const void *bias, double limit, int32_t *index, double *value);

  /* out = beta out + the sum of `parts` >= 1 arrays of `size` elements, `apart` elements apart, in their order. */
  void (*combine)(size_t parts, size_t apart, size_t size, const void *part, double beta, void *out);
} mn_gemm_kernel;

/* All hot loops of one instruction set. */
typedef struct mn_product_kernels {
  const char *name;
  const mn_gemm_kernel *f64, *f32;

  /* sum_f (x_f - y_f)^2: everywhere the same instructions, so that equal pairs have equal distances. */
  double (*distance2)(size_t d, const double *x, const double *y);

  /* distance2[i] = the same for row i of x and row label[i] of y. */
  void (*own_distance2)(size_t rows, size_t d, const double *x, const double *y, const int32_t *label,
                        double *distance2);

  /* sums[label[i]] += weight_i x_i, a row of d values; totals[label[i]] += weight_i. weight NULL: all 1. */
  void (*add_rows)(size_t rows, size_t d, const double *x, const double *weight, const int32_t *label, double *sums,
                   double *totals);

  /* y = A x; and y += x A, added in the order of the rows. A is rows x cols. */
  void (*rows_times)(size_t rows, size_t cols, const double *a, size_t lda, const double *x, double *y);
  void (*times_rows)(size_t rows, size_t cols, const double *a, size_t lda, const double *x, double *y);

  /* product[j] = exp(-gamma (norm2 + norms2[j] - 2 product[j])), with distances below 0 taken as 0. */
  void (*exp_distance)(size_t cols, double gamma, double norm2, const double *norms2, double *product);
} mn_product_kernels;

extern const mn_product_kernels mn_kernels_baseline;
#if defined(__x86_64__)
extern const mn_product_kernels mn_kernels_avx2, mn_kernels_avx512;
#endif

/* The variant for this CPU, or the one that MANILIUS_CPU names if this CPU has it; decided on the first call. */
const mn_product_kernels *mn_kernels(void);

#endif
