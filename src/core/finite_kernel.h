#ifndef MN_CORE_FINITE_KERNEL_H
#define MN_CORE_FINITE_KERNEL_H
#include "clones.h"
#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* 1 if |x[i]| < bound for all i < n, bound > 0; NaN and infinity fail the test. */
int mn_all_below(size_t n, const double *restrict x, double bound);

/* 1 if all are finite and not negative; -0 fails the test, too. */
int mn_all_non_negative(size_t n, const double *restrict x);

/* 1 if all are whole numbers from 1 to limit, limit < 2^52. */
int mn_all_whole(size_t n, const double *restrict x, double limit);

/* 1 if all are finite. */
static inline int mn_all_finite(size_t n, const double *x)
{
  return mn_all_below(n, x, (double)INFINITY);
}

#endif
