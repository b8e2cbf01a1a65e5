/* Lambdas of the pairs of one group, whose rows are in ranked order. */
#ifndef MN_BOOSTING_LAMBDA_RANK_KERNEL_H
#define MN_BOOSTING_LAMBDA_RANK_KERNEL_H
#include <stddef.h>

/* Add the lambdas of the pairs of row a with all rows after it to g and h. damping: added to the score difference by
 * which a pair is divided; 0: pairs are not divided. Returns the sum of the lambdas of both rows. */
double mn_lambda_pairs(size_t a, size_t n, const double *restrict score, const double *restrict gain,
                       const double *restrict discount, double ideal, double damping, double *restrict g,
                       double *restrict h);

#endif
