/* The loop over the values of a sparse row in the search for its nearest center. */
#ifndef MN_SEARCH_SPARSE_SCORES_KERNEL_H
#define MN_SEARCH_SPARSE_SCORES_KERNEL_H
#include <stddef.h>
#include <stdint.h>

/* score[c] = start[c] - sum_e x_e across[col_e * ld + c], c < ld. Returns |x|^2.
 *
 *   n       values of the row, in columns col
 *   across  columns x ld; ld is a multiple of 8 */
double mn_sparse_scores(size_t n, const int32_t *col, const double *x, size_t ld, const double *restrict across,
                        const double *restrict start, double *restrict score);

#endif
