/* A set of rows prepared for screening by approximate distances: shifted by a sample mean, scaled, rounded (to float32
 * if the kernel is) and packed as the right operand of a product. Used by the neighbor searches in src/search. */
#ifndef MN_LINALG_SCREEN_H
#define MN_LINALG_SCREEN_H
#include "../core/context.h"
#include "gemm.h"
#include <float.h>

typedef struct mn_screen {
  double *shift; /* d; subtracted from the rows and from the queries */
  double scale;  /* a power of two, which brings shifted values to about 1 */
  double error;  /* |computed - true| of |y|^2 / 2 - x y  <=  error (|x|^2 + |y|^2) / 2  */
  void *packed;
} mn_screen;

/* Prepare n rows of d values, relative to their sample mean if `shifted`. norm2 (scratch, n): squared lengths of the
 * rows after shift and scale. */
mn_status mn_screen_init(mn_context *ctx, mn_screen *s, const mn_gemm_kernel *g, size_t n, size_t d, const double *rows,
                         bool shifted, double **norm2);

/* The power of two that scales the largest |value - shift| of these rows, ld apart, to between 1/2 and 1. */
double mn_power_of_two_scale(size_t rows, size_t d, const double *x, size_t ld, const double *shift);

/* Mean of rows sampled at even distances; exact if all rows are equal. Zeros if there are no rows. */
void mn_sample_mean(size_t n, size_t d, const double *x, double *mean);

#endif
