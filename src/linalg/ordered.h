/* Sums whose order is fixed, so that every CPU gives the same bits, and so does a program that a model was exported to
 * (src/model/program.h): what predictions for a row are made of.
 *
 * The order: below sixteen terms, one after the other from 0. Else sixteen sums side by side over all whole groups of
 * sixteen, which are then added by halves (k and k + 8, then k and k + 4, ...); then the terms that are left, one after
 * the other. Products are rounded before they are added. */
#ifndef MN_LINALG_ORDERED_H
#define MN_LINALG_ORDERED_H
#include <stddef.h>

double mn_ordered_dot(size_t n, const double *x, const double *y);
double mn_ordered_distance2(size_t n, const double *x, const double *y);
double mn_ordered_absolutes(size_t n, const double *x);

/* out[i * step] = start + x_i b, for n rows of p values. */
void mn_ordered_dots(size_t n, size_t p, const double *x, const double *b, double start, double *out, size_t step);

/* out[i]: squared Euclidean, or Manhattan, distance of row i of x (n x d) from q. */
void mn_ordered_distances2(size_t n, size_t d, const double *x, const double *q, double *out);
void mn_ordered_manhattan(size_t n, size_t d, const double *x, const double *q, double *out);

/* out[i * k + c] = start[c] - sum_j (x_ij - mean_cj)^2 scale_cj, for n rows of p values and k of them. */
void mn_ordered_gaussian(size_t n, size_t p, size_t k, const double *x, const double *mean, const double *scale,
                         const double *start, double *out);

#endif
