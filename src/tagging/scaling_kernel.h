#ifndef MN_TAGGING_SCALING_KERNEL_H
#define MN_TAGGING_SCALING_KERNEL_H
#include "../core/clones.h"
#include <stddef.h>
#include <stdint.h>

/* For each pair f = (a, l) of the features of n tokens, with r = p[t, l] x_ta exp(step[f] total[t, l]):
 *     value[f] += r,     slope[f] += r total[t, l]
 * factor: sample weights, or NULL. */
void mn_scaling_sums(size_t n, const size_t *start, const int32_t *col, const double *x, const int32_t *first,
                     const int32_t *label, const double *p, const double *total, const double *factor, size_t ld,
                     const double *step, double *value, double *slope);

#endif
