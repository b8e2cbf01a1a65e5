/* The pairs of rows of one group, whose rows stand in their order. */
#ifndef MN_BOOSTING_LAMBDA_RANK_KERNEL_H
#define MN_BOOSTING_LAMBDA_RANK_KERNEL_H
#include <stddef.h>

/* Those of place a with all places behind it, onto g and h. least: added to the distance of two scores, by which a pair
 * is then divided; 0: it is not. Returns the sum of the lambdas of both rows. */
double mn_lambda_pairs(size_t a, size_t n, const double *restrict score, const double *restrict gain,
                       const double *restrict discount, double ideal, double least, double *restrict g,
                       double *restrict h);

#endif
