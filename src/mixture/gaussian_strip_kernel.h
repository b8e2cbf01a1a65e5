/* Loops over strips of rows for Gaussian mixtures of few columns. A strip holds n rows, a multiple of 32, as columns:
 * column j is x[j * n ..]. Arrays are aligned to 64 bytes. */
#ifndef MN_MIXTURE_GAUSSIAN_STRIP_KERNEL_H
#define MN_MIXTURE_GAUSSIAN_STRIP_KERNEL_H
#include <stddef.h>

enum { MN_STRIP_LANES = 8 }; /* at most, of a vector */

/* Columns and rows of the sums, with room for whole tiles. */
#define MN_STRIP_COLUMNS(p) (((p) + 6) / 4 * 4)
#define MN_STRIP_ROWS(p) (((p) + 2) / 3 * 3)

/* log_density[i] = start - |x_i R - offset|^2 / 2, R upper triangular, p x p. */
void mn_strip_densities(size_t n, size_t p, const double *x, const double *root, const double *offset, double start,
                        double *log_density);

/* sums[i][j] += sum over the rows of w_i x_j for j <= i + 1, and some other j, in MN_STRIP_LANES parts each.
 *
 *   w     MN_STRIP_ROWS(p) columns
 *   x     MN_STRIP_COLUMNS(p) columns
 *   sums  MN_STRIP_ROWS(p) x MN_STRIP_COLUMNS(p) x MN_STRIP_LANES */
void mn_strip_products(size_t n, size_t p, const double *w, const double *x, double *sums);
#endif
