/* A set of rows made ready to be screened: shifted by the mean and scaled by the width of a sample, rounded and packed
 * as the right operand of a product. Shared by nearest.c and neighbours.c. */
#ifndef MN_LINALG_SCREEN_H
#define MN_LINALG_SCREEN_H
#include "../core/context.h"
#include "gemm.h"
#include <float.h>

typedef struct mn_screen {
  double *shift; /* d; taken off the rows and off what is compared with them            */
  double scale;  /* then multiplied by this, a power of two, to lie about 1             */
  double error;  /* |computed - true| of |y|^2 / 2 - x y  <=  error (|x|^2 + |y|^2) / 2  */
  void *packed;
} mn_screen;

/* Prepare n rows of d values, about their mean if `shifted`. norm2 (scratch, n): their squared lengths after shift and
 * scale. */
mn_status mn_screen_init(mn_context *ctx, mn_screen *s, const mn_gemm_kernel *g, size_t n, size_t d, const double *rows,
                         bool shifted, double **norm2);

/* The power of two that brings the largest |value - shift| of these rows, ld apart, to between 1/2 and 1. */
double mn_scale_for(size_t rows, size_t d, const double *x, size_t ld, const double *shift);

/* Mean of a sample of the rows, spread over all; exact where all rows are the same. Zeros for no rows. */
void mn_middle_of(size_t n, size_t d, const double *x, double *mean);

#endif
