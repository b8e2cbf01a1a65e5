#include "linear_svm_kernel.h"
#include "../core/clones.h"

MN_CLONES(double, mn_svm_row_dot,
          (size_t n, const double *restrict x, const int32_t *restrict col, const double *restrict v), (n, x, col, v))
{
  double sum = 0;
  if (col)
    for (size_t e = 0; e < n; e++) sum += x[e] * v[col[e]];
  else
    for (size_t e = 0; e < n; e++) sum += x[e] * v[e];
  return sum;
}

MN_CLONES(void, mn_svm_row_add,
          (size_t n, double a, const double *restrict x, const int32_t *restrict col, double *restrict v),
          (n, a, x, col, v))
{
  if (col)
    for (size_t e = 0; e < n; e++) v[col[e]] += a * x[e];
  else
    for (size_t e = 0; e < n; e++) v[e] += a * x[e];
}

MN_CLONES(void, mn_svm_row_add_squares,
          (size_t n, double a, double h, const double *restrict x, const int32_t *restrict col, double *restrict v,
           double *restrict square),
          (n, a, h, x, col, v, square))
{
  if (col)
    for (size_t e = 0; e < n; e++) {
      v[col[e]] += a * x[e];
      square[col[e]] += h * x[e] * x[e];
    }
  else
    for (size_t e = 0; e < n; e++) {
      v[e] += a * x[e];
      square[e] += h * x[e] * x[e];
    }
}

MN_CLONES(void, mn_svm_row_scores,
          (size_t n, size_t k, const double *restrict x, const int32_t *restrict col, const double *restrict v,
           double *restrict z),
          (n, k, x, col, v, z))
{
  for (size_t e = 0; e < n; e++) {
    const double *at = v + (col ? (size_t)col[e] : e) * k;
    for (size_t m = 0; m < k; m++) z[m] += x[e] * at[m];
  }
}

MN_CLONES(void, mn_svm_row_step,
          (size_t n, size_t k, const double *restrict x, const int32_t *restrict col, const double *restrict step,
           double *restrict v),
          (n, k, x, col, step, v))
{
  for (size_t e = 0; e < n; e++) {
    double *at = v + (col ? (size_t)col[e] : e) * k;
    for (size_t m = 0; m < k; m++) at[m] += x[e] * step[m];
  }
}

MN_CLONES(double, mn_svm_squared_losses,
          (size_t n, double tube, double shift, const double *restrict z, const double *restrict dz,
           const double *restrict target, const double *restrict up, const double *restrict down,
           double *restrict slope, double *restrict curvature, double *restrict along),
          (n, tube, shift, z, dz, target, up, down, slope, curvature, along))
{
  double sum = 0, first = 0, second = 0;
  for (size_t i = 0; i < n; i++) {
    const double step = dz ? dz[i] : 1, r = target[i] - z[i] - shift * step;
    const double below = r - tube > 0 ? r - tube : 0, above = -r - tube > 0 ? -r - tube : 0;
    const double h = 2 * ((r - tube > 0 ? up[i] : 0) + (-r - tube > 0 ? down[i] : 0));
    const double g = 2 * (down[i] * above - up[i] * below);
    sum += up[i] * below * below + down[i] * above * above;
    first += g * step;
    second += h * step * step;
    if (slope) {
      slope[i] = g;
      curvature[i] = h;
    }
  }
  along[0] = first;
  along[1] = second;
  return sum;
}
