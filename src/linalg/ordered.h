/* Sums in a fixed order, which give the same bits on every CPU and in exported programs (src/model/program.h).
 * Predictions for a row are computed with them.
 *
 * The order: fewer than sixteen terms are added one after the other from 0. Otherwise sixteen partial sums run over all
 * full groups of sixteen terms and are added by halves (k and k + 8, then k and k + 4, ...); the remaining terms follow
 * one after the other. Products are rounded before they are added (no fused multiply-add). */
#ifndef MN_LINALG_ORDERED_H
#define MN_LINALG_ORDERED_H
#include <stddef.h>

double mn_ordered_dot(size_t n, const double *x, const double *y);
double mn_ordered_distance2(size_t n, const double *x, const double *y);
double mn_ordered_abs_sum(size_t n, const double *x);

/* out[i * step] = start + x_i b, for n rows of p values. */
void mn_ordered_dots(size_t n, size_t p, const double *x, const double *b, double start, double *out, size_t step);

/* out[i]: squared Euclidean, or Manhattan, distance of row i of x (n x d) from q. */
void mn_ordered_distances2(size_t n, size_t d, const double *x, const double *q, double *out);
void mn_ordered_manhattan(size_t n, size_t d, const double *x, const double *q, double *out);

/* out[i * k + c] = start[c] - sum_j (x_ij - mean_cj)^2 scale_cj, for n rows of p values and k of them. */
void mn_ordered_gaussian(size_t n, size_t p, size_t k, const double *x, const double *mean, const double *scale,
                         const double *start, double *out);

#endif
