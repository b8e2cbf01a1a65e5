#ifndef MN_PREPROCESS_POWER_KERNEL_H
#define MN_PREPROCESS_POWER_KERNEL_H
#include "../core/clones.h"
#include <stddef.h>

/* Sums of w d and w d^2 with d = unit (f(s) - center) over n values; weight may be NULL. For Box-Cox s = log x and f(s)
 * = (exp(lambda s) - 1) / lambda. For Yeo-Johnson s = sign(x) log(1 + |x|), with the same f(s) for s >= 0 and
 * (exp((lambda - 2) s) - 1) / (lambda - 2) for s < 0. Neither lambda nor lambda - 2 may be 0. */
void mn_power_sums(size_t n, const double *restrict s, const double *restrict weight, int yeo_johnson, double lambda,
                   double center, double unit, double *sum, double *square);

#endif
