#include "../core/clones.h"
#include "gp_factor.h"
#include <math.h>

MN_CLONES(void, mn_packed_lower_from, (size_t n, size_t first, const double *l, size_t m, double *b),
          (n, first, l, m, b))
{
  l += mn_packed_factor_size(first);
  for (size_t i = first; i < n; l += ++i)
    for (size_t r = 0; r < m; r++) {
      double *x = b + r * n, sum = x[i];
      for (size_t j = 0; j < i; j++) sum -= l[j] * x[j];
      x[i] = sum / l[i];
    }
}

MN_CLONES(void, mn_packed_lower_tile, (const double *l, mn_factor_tile tile, double *x), (l, tile, x))
{
  l += mn_packed_factor_size(tile.row);
  for (size_t i = tile.row; i < tile.row_end; l += ++i) {
    const size_t end = i < tile.column_end ? i : tile.column_end;
    double sum = x[i];
    for (size_t j = tile.column; j < end; j++) sum -= l[j] * x[j];
    x[i] = i < tile.column_end ? sum / l[i] : sum;
  }
}

MN_CLONES(void, mn_packed_upper, (size_t n, const double *l, size_t m, double *b), (n, l, m, b))
{
  l += mn_packed_factor_size(n);
  for (size_t i = n; i-- > 0;) {
    l -= i + 1;
    for (size_t r = 0; r < m; r++) {
      double *x = b + r * n;
      const double value = x[i] / l[i];
      x[i] = value;
      for (size_t j = 0; j < i; j++) x[j] -= value * l[j];
    }
  }
}

MN_CLONES(void, mn_packed_upper_corner, (const double *l, size_t begin, size_t end, double *x), (l, begin, end, x))
{
  l += mn_packed_factor_size(end);
  for (size_t i = end; i-- > begin;) {
    l -= i + 1;
    const double value = x[i] / l[i];
    x[i] = value;
    for (size_t j = begin; j < i; j++) x[j] -= value * l[j];
  }
}

MN_CLONES(void, mn_packed_upper_tile, (const double *l, mn_factor_tile tile, const double *x, double *sum),
          (l, tile, x, sum))
{
  l += mn_packed_factor_size(tile.row);
  for (size_t i = tile.row; i < tile.row_end; l += ++i) {
    const double value = x[i];
    MN_INDEPENDENT
    for (size_t j = tile.column; j < tile.column_end; j++) sum[j] += value * l[j];
  }
}

/* Row j > i without column i, whose values w are turned into the columns behind it by rotations c, s. The new row
 * begins before the old one and never reaches what has not been read. */
MN_CLONES(void, mn_packed_remove, (size_t n, size_t i, double *l, double *c, double *s), (n, i, l, c, s))
{
  double *to = l + mn_packed_factor_size(i);
  const double *from = to + i + 1;
  for (size_t j = i + 1; j < n; j++) {
    double w = from[i];
    for (size_t k = 0; k < i; k++) to[k] = from[k];
    for (size_t k = i + 1; k < j; k++) {
      const double t = from[k];
      to[k - 1] = c[k] * t + s[k] * w;
      w = c[k] * w - s[k] * t;
    }
    const double length = sqrt(from[j] * from[j] + w * w);
    c[j] = from[j] / length;
    s[j] = w / length;
    to[j - 1] = length;
    to += j;
    from += j + 1;
  }
}
