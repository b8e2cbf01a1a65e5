/* Search for values that are too large or not finite. */
#ifndef MN_CORE_FINITE_H
#define MN_CORE_FINITE_H
#include "context.h"

/* *first = the lowest i with |values[i]| >= bound or values[i] NaN, n if there is none. `bound` INFINITY finds values
 * that are not finite. Large arrays are searched by all threads. */
mn_status mn_find_beyond(mn_context *ctx, size_t n, const double *values, double bound, size_t *first);

/* *all = true if all values are finite and not negative; false also if one is -0. */
mn_status mn_are_non_negative(mn_context *ctx, size_t n, const double *values, bool *all);

#endif
