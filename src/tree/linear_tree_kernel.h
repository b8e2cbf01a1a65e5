/* Sums from which the loss of linear leaves is computed. A row is u = (z_1 .. z_p, 1, y), and `sums` is the upper
 * triangle of sum w u u' in s x s numbers, s = p + 2. */
#ifndef MN_TREE_LINEAR_TREE_KERNEL_H
#define MN_TREE_LINEAR_TREE_KERNEL_H
#include <stddef.h>
#include <stdint.h>

/* sums += w u u' */
void mn_linear_add_row(size_t s, double w, const double *u, double *sums);

/* Replace missing values by the mean of the others. The input are sums of full x full numbers, full = s + q, of
 * u = (z_1 .. z_p, 1, y, r_1 .. r_q), less those of `without`. r_k is 1 where z_j, j = gap[k], has a value; where it is
 * missing, r_k and z_j are 0. The output are sums of (z_1 .. z_p, 1, y) in s x s numbers, each z_j with missing values
 * replaced by z_j - mean_j r_k. buffer: full x full. */
void mn_linear_fill_missing(size_t s, size_t q, const uint32_t *gap, const double *sums, const double *without,
                            double *buffer, double *out);

/* sum w (y - c - b'z)^2 for the b and c that minimize it plus alpha |b|^2, from the sums less those of `without` (NULL:
 * none). buffer: s x s. */
double mn_linear_rss(size_t s, double alpha, const double *sums, const double *without, double *buffer);

#endif
