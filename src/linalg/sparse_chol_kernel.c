#include "sparse_chol_kernel.h"
#include "../core/clones.h"

MN_CLONES(void, mn_subtract_sparse,
          (size_t count, const int32_t *restrict row, const double *restrict at, double value, double *restrict x),
          (count, row, at, value, x))
{
  MN_INDEPENDENT
  for (size_t e = 0; e < count; e++) x[row[e]] -= at[e] * value;
}

MN_CLONES(void, mn_solve_sparse_factor,
          (size_t n, const size_t *restrict start, const int32_t *restrict row, const double *restrict at,
           double *restrict z),
          (n, start, row, at, z))
{
  enum { LANES = MN_SOLVE_LANES };
  for (size_t j = 0; j < n; j++) {
    double own[LANES];
    for (size_t l = 0; l < LANES; l++) z[j * LANES + l] = own[l] = z[j * LANES + l] / at[start[j]];
    for (size_t e = start[j] + 1; e < start[j + 1]; e++) {
      double *other = z + (size_t)row[e] * LANES;
      for (size_t l = 0; l < LANES; l++) other[l] -= at[e] * own[l];
    }
  }
  for (size_t j = n; j-- > 0;) {
    double own[LANES];
    for (size_t l = 0; l < LANES; l++) own[l] = z[j * LANES + l];
    for (size_t e = start[j] + 1; e < start[j + 1]; e++) {
      const double *other = z + (size_t)row[e] * LANES;
      for (size_t l = 0; l < LANES; l++) own[l] -= at[e] * other[l];
    }
    for (size_t l = 0; l < LANES; l++) z[j * LANES + l] = own[l] / at[start[j]];
  }
}
