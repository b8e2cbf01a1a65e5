#include "pool_violators.h"

size_t mn_pool_violators(size_t n, double *value, double *weight, size_t *end)
{
  size_t count = 0;
  for (size_t i = 0; i < n; i++) {
    double f = value[i], w = weight[i];
    while (count > 0 && value[count - 1] >= f) {
      const double last = value[--count], total = weight[count] + w;
      f = last + w / total * (f - last);
      w = total;
    }
    value[count] = f;
    weight[count] = w;
    end[count++] = i + 1;
  }
  return count;
}

double mn_between_knots(size_t n, const double *at, const double *value, double x)
{
  size_t low = 0, high = n - 1;
  if (x <= at[0]) return value[0];
  if (x >= at[high]) return value[high];
  while (high - low > 1) {
    const size_t mid = (low + high) / 2;
    if (at[mid] <= x)
      low = mid;
    else
      high = mid;
  }
  return value[low] + (value[high] - value[low]) * ((x - at[low]) / (at[high] - at[low]));
}
