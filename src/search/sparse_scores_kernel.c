#include "sparse_scores_kernel.h"
#include "../core/clones.h"

MN_CLONES(double, mn_sparse_scores,
          (size_t n, const int32_t *col, const double *x, size_t ld, const double *restrict across,
           const double *restrict start, double *restrict score),
          (n, col, x, ld, across, start, score))
{
  double norm2 = 0;
  for (size_t c = 0; c < ld; c++) score[c] = start[c];
  for (size_t e = 0; e < n; e++) {
    const double value = x[e], *row = across + (size_t)col[e] * ld;
    norm2 += value * value;
    for (size_t c = 0; c < ld; c++) score[c] -= value * row[c];
  }
  return norm2;
}
