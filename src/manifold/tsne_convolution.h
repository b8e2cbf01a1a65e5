/* Convolution of a real matrix, padded with zeros, with a real, even kernel, by Fourier transforms in both directions.
 */
#ifndef MN_MANIFOLD_TSNE_CONVOLUTION_H
#define MN_MANIFOLD_TSNE_CONVOLUTION_H
#include "../core/threads.h"
#include "../linalg/fft.h"

/* Pairs of rows are the real and imaginary part of one transform. Columns 0 .. cols / 2 of the spectrum stand in blocks
 * of MN_FFT_LANES: element i of column c is spectrum[((c / 8) rows + i) 16 + c % 8], its imaginary part 8 later. */
typedef struct mn_tsne_convolution {
  size_t rows, cols; /* padded */
  const mn_fft *down, *across;
  double *spectrum;  /* blocks of columns x rows x 16                 */
  double *workspace; /* for each worker 32 x the larger of rows, cols */
} mn_tsne_convolution;

static inline size_t mn_tsne_column_blocks(size_t cols)
{
  return cols / 2 / MN_FFT_LANES + 1;
}

/* spectrum = the transform of `in` (given_rows x given_cols), which is zero beyond. With a kernel (blocks x rows x 8),
 * it is multiplied by the kernel, and out (given_rows x given_cols) is the transform back. `out` may be `in`. */
mn_status mn_tsne_convolve(mn_context *ctx, const mn_tsne_convolution *t, const double *kernel, size_t given_rows,
                           size_t given_cols, const double *in, double *out);

#endif
