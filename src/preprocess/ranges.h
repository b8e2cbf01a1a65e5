/* Smallest and largest value of each column, missing ones passed over. */
#ifndef MN_PREPROCESS_RANGES_H
#define MN_PREPROCESS_RANGES_H
#include "../model/data.h"

/* Extends low[0..cols-1] and high[0..cols-1] to the rows of x. Begin with low = INFINITY, high = -INFINITY: what a
 * column without values keeps. */
mn_status mn_extend_ranges(mn_context *ctx, const mn_matrix *x, double *low, double *high);

#endif
