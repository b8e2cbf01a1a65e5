/* The first of many numbers that is too large, or no number. */
#ifndef MN_CORE_FINITE_H
#define MN_CORE_FINITE_H
#include "context.h"

/* *first: the index of the first of `at` whose size is not below `bound` (infinity: that is not finite), n when there
 * is none. Over the threads of the context where there are many. */
mn_status mn_find_beyond(mn_context *ctx, size_t n, const double *at, double bound, size_t *first);

#endif
