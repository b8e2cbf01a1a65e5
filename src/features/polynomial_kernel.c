#include "polynomial_kernel.h"

MN_CLONES(void, mn_monomials,
          (size_t runs, const struct mn_run *run, const double *restrict x, size_t from, double *term),
          (runs, run, x, from, term))
{
  double *next = term + from;
  for (size_t r = 0; r < runs; r++) {
    const double factor = x[run[r].feature];
    const double *earlier = term + run[r].begin;
    const size_t size = run[r].size;
    MN_INDEPENDENT
    for (size_t k = 0; k < size; k++) next[k] = factor * earlier[k]; /* a run reads only earlier terms */
    next += size;
  }
}
