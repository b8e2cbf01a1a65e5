#include "mars_kernel.h"
#include "../core/clones.h"

enum { LANES = 8 };

MN_CLONES(void, mn_mars_moments,
          (size_t count, const int32_t *row, const double *x, const double *z, const double *v, size_t ld, size_t width,
           double *first, double *zeroth),
          (count, row, x, z, v, ld, width, first, zeroth))
{
  for (size_t g = 0; g < width; g += LANES) {
    double a[LANES], b[LANES];
    for (size_t k = 0; k < LANES; k++) a[k] = first[g + k], b[k] = zeroth[g + k];
    for (size_t i = 0; i < count; i++) {
      const double *at = v + (size_t)row[i] * ld + g, xi = x[i], zi = z[i];
      for (size_t k = 0; k < LANES; k++) {
        const double y = zi * at[k];
        b[k] += y;
        a[k] += xi * y;
      }
    }
    for (size_t k = 0; k < LANES; k++) first[g + k] = a[k], zeroth[g + k] = b[k];
  }
}

MN_CLONES(void, mn_mars_project,
          (size_t n, const double *x, const double *z, const double *v, size_t ld, size_t width, double *first),
          (n, x, z, v, ld, width, first))
{
  for (size_t g = 0; g < width; g += LANES) {
    double a[LANES];
    for (size_t k = 0; k < LANES; k++) a[k] = first[g + k];
    for (size_t i = 0; i < n; i++) {
      const double *at = v + i * ld + g, zi = z[i] * x[i];
      for (size_t k = 0; k < LANES; k++) a[k] += zi * at[k];
    }
    for (size_t k = 0; k < LANES; k++) first[g + k] = a[k];
  }
}

MN_CLONES(double, mn_mars_square, (size_t n, const double *x, const double *z, const double *b), (n, x, z, b))
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += z[i] * b[i] * x[i] * x[i];
  return sum;
}

MN_CLONES(void, mn_mars_knot,
          (size_t m, double t, const double *first, const double *zeroth, const double *c, double *square,
           double *product),
          (m, t, first, zeroth, c, square, product))
{
  double s = 0, l = 0;
  for (size_t k = 0; k < m; k++) {
    const double h = first[k] - t * zeroth[k];
    s += h * h;
    l += h * c[k];
  }
  *square = s;
  *product = l;
}
