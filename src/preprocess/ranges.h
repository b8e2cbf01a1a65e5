/* Minimum and maximum of each column, ignoring missing values. */
#ifndef MN_PREPROCESS_RANGES_H
#define MN_PREPROCESS_RANGES_H
#include "../model/data.h"

/* Extend low[0..cols-1] and high[0..cols-1] to the rows of x. Initialize them with INFINITY and -INFINITY, which remain
 * for columns without values. */
mn_status mn_extend_ranges(mn_context *ctx, const mn_matrix *x, double *low, double *high);

#endif
