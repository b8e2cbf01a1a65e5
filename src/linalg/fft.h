/* Discrete Fourier transforms of eight complex vectors at once, of any length 2^a 3^b 5^c:
 *
 *     X_k = sum_j x_j exp(-2 pi i j k / n)
 *
 * Stockham's algorithm, which needs no reordering: Van Loan, Computational Frameworks for the Fast Fourier Transform
 * (1992), section 1.7. */
#ifndef MN_LINALG_FFT_H
#define MN_LINALG_FFT_H
#include "../core/context.h"

enum { MN_FFT_LANES = 8, MN_FFT_STAGES = 64 };

/* The transform of one length. Memory is scratch. */
typedef struct mn_fft {
  size_t n, stages;
  unsigned char radix[MN_FFT_STAGES]; /* stages: 2, 3, 4 or 5; their product is n           */
  double *twiddle; /* for each stage and p < m the powers 1 .. radix - 1 of exp(-2 pi i p / (m radix)),
                      where m is the length that the stage leaves        */
} mn_fft;

/* The least even length 2^a 3^b 5^c >= least. */
size_t mn_fft_length(size_t least);

/* n >= 1 has no other prime factors than 2, 3 and 5. */
mn_status mn_fft_init(mn_context *ctx, size_t n, mn_fft *f);

/* Transform eight vectors; the inverse is not divided by n.
 *
 *   x, work  2 n MN_FFT_LANES values each, 64-byte aligned: element k of vector l is x[2 k MN_FFT_LANES + l], its
 *            imaginary part MN_FFT_LANES later. x is overwritten
 *
 * Returns where the result is: x or work. */
double *mn_fft_lanes(const mn_fft *f, bool inverse, double *x, double *work);

#endif
