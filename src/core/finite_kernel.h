#ifndef MN_CORE_FINITE_KERNEL_H
#define MN_CORE_FINITE_KERNEL_H
#include "clones.h"
#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* 1 when the sizes of x[0..n-1] are all below `bound` > 0, which NaN and infinity never are. Reads x once. */
int mn_all_below(size_t n, const double *restrict x, double bound);

/* 1 when none is NaN or infinite. */
static inline int mn_all_finite(size_t n, const double *x)
{
  return mn_all_below(n, x, (double)INFINITY);
}

#endif
