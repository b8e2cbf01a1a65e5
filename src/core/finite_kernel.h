#ifndef MN_FINITE_KERNEL_H
#define MN_FINITE_KERNEL_H
#include "clones.h"
#include <stddef.h>
#include <stdint.h>

/* 1 when none of x[0..n-1] is NaN or infinite. Reads x once. */
int mn_all_finite(size_t n, const double *restrict x);

#endif
