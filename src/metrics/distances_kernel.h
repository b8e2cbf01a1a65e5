/* Loops for distances. Arrays must not overlap. */
#ifndef MN_METRICS_DISTANCES_KERNEL_H
#define MN_METRICS_DISTANCES_KERNEL_H
#include <stddef.h>

/* out[j] = sum_f (x[f] - t[f * step + j])^2, or sum_f |x[f] - t[f * step + j]|, for j < n. */
void mn_squared_distances(size_t n, size_t d, const double *restrict x, const double *restrict t, size_t step,
                          double *restrict out);
void mn_manhattan_distances(size_t n, size_t d, const double *restrict x, const double *restrict t, size_t step,
                            double *restrict out);

/* product[j] = max(0, own + norm[j] - 2 product[j]). Returns the number of elements that lost too many digits: those
 * below min_kept * (own + norm[j]). */
size_t mn_squared_distances_from_products(size_t n, double own, const double *restrict norm, double min_kept,
                                          double *restrict product);

void mn_square_roots(size_t n, double *restrict x);

/* sum_j w[j] x[j]; w NULL: all 1. */
double mn_weighted_sum(size_t n, const double *restrict x, const double *restrict w);

/* The number of elements below `value`. */
size_t mn_count_below(size_t n, const double *restrict x, double value);

/* sums = sum_j w[j] (x[j] - y[j])^2, sum_j w[j] x[j]^2; w NULL: all 1. */
void mn_stress_terms(size_t n, const double *restrict x, const double *restrict y, const double *restrict w,
                     double sums[2]);

#endif
