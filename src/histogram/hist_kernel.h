/* Histograms of gradients. A cell is a pair of integers (g, hc): the sum of the gradients in fixed point, and the
 * number of rows with the sum of the Hessians, count << bits | hessian. Integer sums are exact, so neither the order of
 * the rows nor the number of threads changes them. */
#ifndef MN_HISTOGRAM_HIST_KERNEL_H
#define MN_HISTOGRAM_HIST_KERNEL_H
#include <stddef.h>
#include <stdint.h>

/* Bins and gradients are prefetched this many rows ahead. */
enum { MN_PREFETCH_ROWS = 8 };

/* hist[cell[j] + code[row][j]] += gh[row] for the `width` columns of a group, over rows[0..n-1], or over rows 0..n-1 if
 * `rows` is NULL. */
void mn_hist_add(size_t n, const uint32_t *restrict rows, const uint8_t *restrict code, size_t stride, size_t width,
                 const uint32_t *restrict cell, const int64_t *restrict gh, int64_t *restrict hist);

/* sum += part, and rest -= sum, elementwise. */
void mn_hist_merge(size_t n, int64_t *restrict sum, const int64_t *restrict part);
void mn_hist_subtract(size_t n, int64_t *restrict rest, const int64_t *restrict sum);

/* Quantize gradients and Hessians: g * gscale and h * hscale rounded, with a count of 1 << bits. `times` (integer
 * weights) multiplies all three; with `weight`, g and h are multiplied by that, and only the count by `times`. Rows
 * with used = 0 are left out. times, weight and used may be NULL. */
void mn_hist_quantize(size_t n, const double *restrict g, const double *restrict h, double gscale, double hscale,
                      unsigned bits, const int64_t *restrict times, const double *restrict weight,
                      const uint8_t *restrict used, int64_t *restrict gh);

/* Scores of splits: the decrease of the loss by both children with their best values. In split k the left child has
 * gradient G = g[k], Hessian H = h[k] and count c[k], and the right one the rest of the totals. The best value is
 *
 *     v = -soft(G, l1) / (H + l2), clipped to [low, high], with score -(G v + (H + l2) v^2 / 2 + l1 |v|).
 *
 * Splits that violate a constraint score -1e300. */
typedef struct mn_hist_split_params {
  double l1, l2, low, high;
  double min_count, min_hessian;
  double direction; /* 1: the right value must not be lower; -1: not higher; 0: no constraint */
} mn_hist_split_params;

void mn_hist_split_scores(size_t n, const double *restrict g, const double *restrict h, const double *restrict c,
                          double all_g, double all_h, double all_c, const mn_hist_split_params *params,
                          double *restrict score);

/* The best value of a node, and the score of a value. */
double mn_hist_node_value(double g, double h, const mn_hist_split_params *params);
double mn_hist_node_score(double g, double h, double value, const mn_hist_split_params *params);

#endif
