/* Accumulated local effects of one column and of two.
 *
 * Apley & Zhu, Journal of the Royal Statistical Society B 82 (2020): equations 13 to 16 for one column, 17 to 22 for
 * two
 */
#ifndef MN_EXPLAIN_ACCUMULATED_EFFECTS_H
#define MN_EXPLAIN_ACCUMULATED_EFFECTS_H
#include "../core/matrix.h"

/* The bin of each value, from 1 to edges.size - 1: the first whose upper edge is not below the value.
 *
 *   edges  ascending, at least two
 *   bin    out, n */
void mn_find_bins(size_t n, const double *value, mn_vector edges, double *bin);

/* effect_k = sum_{b <= k} mean of the differences in bin b, minus its mean over the rows, where the effect in a bin is
 * the mean of the effects at its edges. Bins without rows have mean difference 0.
 *
 *   difference  n: f(upper edge) - f(lower edge) of the bin of each row
 *   bin         n, from 1 to bins
 *   effect      out, bins + 1
 *   count       out, bins + 1: the rows in the bin that ends there; the first is 0 */
void mn_accumulate_effects(size_t n, const double *difference, const double *bin, size_t bins, double *effect,
                           double *count);

/* The effect of two columns together without the effects of each, with mean 0 over the rows. A cell without rows has
 * the mean difference of the nearest cell with rows, by the distance of their centers as fractions of the two ranges;
 * the first of equally near ones.
 *
 *   difference          n: f(b, d) - f(a, d) - f(b, c) + f(a, c) for the cell a..b x c..d of each row
 *   first               n, from 1 to count->rows; second: n, from 1 to count->cols
 *   edges, other_edges  ascending, count->rows + 1 and count->cols + 1
 *   effect              out, at the edges
 *   count               out: the rows in each cell */
mn_status mn_accumulate_interaction(mn_context *ctx, size_t n, const double *difference, const double *first,
                                    const double *second, mn_vector edges, mn_vector other_edges, mn_matrix *effect,
                                    mn_matrix *count);

#endif
