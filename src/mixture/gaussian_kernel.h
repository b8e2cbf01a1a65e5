/* Loops over the rows of Gaussian mixtures. Log densities are at least MN_LEAST_LOG, so that none is infinite. */
#ifndef MN_MIXTURE_GAUSSIAN_KERNEL_H
#define MN_MIXTURE_GAUSSIAN_KERNEL_H
#include <stddef.h>

#define MN_LEAST_LOG (-1e300)

/* out = x - mean, n x p. */
void mn_gaussian_center(size_t n, size_t p, const double *x, const double *mean, double *out);

/* log_density[i] = start - |z_i|^2 / 2, z: n x p. */
void mn_gaussian_norms(size_t n, size_t p, const double *z, double start, double *log_density);

/* log_density[i] = start - sum_j (root_j (x_ij - mean_j))^2 / 2. */
void mn_gaussian_diagonal(size_t n, size_t p, const double *x, const double *mean, const double *root, double start,
                          double *log_density);

/* Softmax over the columns of r, columns x n with n a multiple of 32, in place. Out: the largest value of each row and
 * the logarithm of the sum of the exponentials. */
void mn_gaussian_normalize(size_t n, size_t columns, double *r, double *largest, double *log_sum);

/* w_j = r (x_j - shift_j) for p columns of n values. */
void mn_gaussian_weigh(size_t n, size_t p, const double *x, const double *shift, const double *r, double *w);

/* sum_j += sum_i w_i z_ij and square_j += sum_i w_i z_ij^2. */
void mn_gaussian_moments(size_t n, size_t p, const double *z, const double *w, double *sum, double *square);

/* out_j = x_j - center_j by columns: value i of column j at out[j * stride + i], from n x p rows. */
void mn_gaussian_transpose(size_t n, size_t p, const double *x, const double *center, size_t stride, double *out);

/* *out += sum_i r_i. */
void mn_gaussian_total(size_t n, const double *r, double *out);

#endif
