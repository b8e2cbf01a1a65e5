/* Micro-kernels of the products, in one variant for each instruction set. Internal to src/linalg and src/search, which
 * split products into blocks that fit them.
 *
 * A tile of C, mr x nr, is held in registers: vectors lie along the nr columns, rows are broadcast. The right operand
 * is packed in panels of nr columns, the left one is packed in panels of mr rows or read in place. For float64 mr
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

  /* Columns of a row-major source, minus shift[column], as lines first .. first+cols-1 of panels of nr lines. */
  void (*pack_shifted)(size_t first, size_t cols, size_t k, const void *source, size_t ld, const void *shift,
                       void *out);

  /* out = packed panels of nr lines with element l of each line multiplied by weight[l], l < k. */
  void (*multiply_weights)(size_t panels, size_t k, const void *packed, const void *weight, void *out);

  /* out = scale (x - shift) for rows of d values, rounded to this type; norm2[row] = squared length before rounding. */
  void (*convert)(size_t rows, size_t d, const double *x, const double *shift, double scale, void *out, double *norm2);

  /* For each row of scores, rows x k, plus bias[k] (64-byte aligned): the smallest sum, its index, and the second
   * smallest. k is a multiple of nr. The results are undefined if the row has NaN, except that index < k. */
  void (*two_smallest)(size_t rows, size_t k, const void *score, const void *bias, int32_t *index, double *smallest,
                       double *second);

  /* The indexes where score + bias < limit, ascending, with the sums; returns their number. k is a multiple of nr. */
  size_t (*find_below)(size_t k, const void *score, const void *bias, double limit, int32_t *index, double *value);

  /* out = beta out + the sum of `parts` >= 1 arrays of `size` elements, `apart` elements apart, in their order. */
  void (*sum_parts)(size_t parts, size_t stride, size_t size, const void *part, double beta, void *out);
} mn_gemm_kernel;

/* All kernels of one instruction set. */
typedef struct mn_product_kernels {
  const char *name;
  const mn_gemm_kernel *f64, *f32;

  /* sum_f (x_f - y_f)^2: the same instructions for every call, so that equal pairs have equal distances. */
  double (*distance2)(size_t d, const double *x, const double *y);

  /* distance2[i] = squared distance of row i of x from row label[i] of y. */
  void (*assigned_distance2)(size_t rows, size_t d, const double *x, const double *y, const int32_t *label,
                             double *distance2);

  /* sums[label[i]] += weight_i x_i, a row of d values; totals[label[i]] += weight_i. weight NULL: all 1. */
  void (*add_labeled_rows)(size_t rows, size_t d, const double *x, const double *weight, const int32_t *label,
                           double *sums, double *totals);

  /* y = A x; and y += x A, added in the order of the rows. A is rows x cols. */
  void (*matrix_times_vector)(size_t rows, size_t cols, const double *a, size_t lda, const double *x, double *y);
  void (*add_vector_times_matrix)(size_t rows, size_t cols, const double *a, size_t lda, const double *x, double *y);

  /* product[j] = exp(-gamma (norm2 + norms2[j] - 2 product[j])), with distances below 0 taken as 0. */
  void (*rbf_from_products)(size_t cols, double gamma, double norm2, const double *norms2, double *product);
} mn_product_kernels;

extern const mn_product_kernels mn_kernels_baseline;
#if defined(__x86_64__)
extern const mn_product_kernels mn_kernels_avx2, mn_kernels_avx512;
#endif

/* The kernels for this CPU, or those that MANILIUS_CPU names if the CPU supports them; chosen on the first call. */
const mn_product_kernels *mn_kernels(void);

#endif
