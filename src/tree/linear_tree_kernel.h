/* Sums that the cuts of a tree with linear leaves are judged by. A row is u = (z_1 .. z_p, 1, y), and `sums` the upper
 * triangle of sum w u u' in s x s numbers, s = p + 2. */
#ifndef MN_LINEAR_TREE_KERNEL_H
#define MN_LINEAR_TREE_KERNEL_H
#include <stddef.h>

/* sums += w u u' */
void mn_linear_add(size_t s, double w, const double *u, double *sums);

/* The sum of w (y - c - b'z)^2 for the b and c for which it is least together with alpha |b|^2, from the sums less
 * those of `without` (NULL: nothing). room: s x s. */
double mn_linear_rss(size_t s, double alpha, const double *sums, const double *without, double *room);

#endif
