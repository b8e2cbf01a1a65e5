/* Sums that the cuts of a tree with linear leaves are judged by. A row is u = (z_1 .. z_p, 1, y), and `sums` the upper
 * triangle of sum w u u' in s x s numbers, s = p + 2. */
#ifndef MN_TREE_LINEAR_TREE_KERNEL_H
#define MN_TREE_LINEAR_TREE_KERNEL_H
#include <stddef.h>
#include <stdint.h>

/* sums += w u u' */
void mn_linear_add_row(size_t s, double w, const double *u, double *sums);

/* Values that are missing become the mean of the others. With the sums of wide x wide numbers, wide = s + q, of
 * u = (z_1 .. z_p, 1, y, r_1 .. r_q), r_k being 1 where z_j, j = gap[k], is there and 0, with z_j, where it is missing,
 * less those of `without`: those of (z_1 .. z_p, 1, y) in s x s numbers, each z_j of a gap as z_j - mean_j r_k.
 * room: wide x wide. */
void mn_linear_fill_missing(size_t s, size_t q, const uint32_t *gap, const double *sums, const double *without,
                            double *room, double *out);

/* The sum of w (y - c - b'z)^2 for the b and c for which it is least together with alpha |b|^2, from the sums less
 * those of `without` (NULL: nothing). room: s x s. */
double mn_linear_rss(size_t s, double alpha, const double *sums, const double *without, double *room);

#endif
