#ifndef MN_FEATURES_POLYNOMIAL_KERNEL_H
#define MN_FEATURES_POLYNOMIAL_KERNEL_H
#include "../core/clones.h"
#include <stddef.h>

/* A run of terms computed from earlier ones: the next `size` terms are x[feature] times the terms from `begin` on. */
struct mn_run {
  size_t feature, begin, size;
};

/* Compute the monomials of one row. The runs fill term[from], term[from + 1], ...; earlier terms are set before. */
void mn_monomials(size_t runs, const struct mn_run *run, const double *restrict x, size_t from, double *term);

#endif
