#ifndef MN_PREPROCESS_POLYNOMIAL_KERNEL_H
#define MN_PREPROCESS_POLYNOMIAL_KERNEL_H
#include "../core/clones.h"
#include <stddef.h>

/* Terms that follow from earlier ones: the next `size` terms are x[feature] times those from `begin` on. */
struct mn_run {
  size_t feature, begin, size;
};

/* All monomials of one row. The runs fill term[from], term[from + 1], ...; what stands before them is there already. */
void mn_monomials(size_t runs, const struct mn_run *run, const double *restrict x, size_t from, double *term);

#endif
