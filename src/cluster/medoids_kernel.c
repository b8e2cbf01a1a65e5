#include "medoids_kernel.h"
#include "../core/clones.h"

enum { BLOCK = 64 };

MN_CLONES(double, mn_medoid_sum, (size_t n, const double *d, const double *w), (n, d, w))
{
  double sum = 0;
  for (size_t o = 0; o < n; o++) sum += w[o] * d[o];
  return sum;
}

MN_CLONES(double, mn_medoid_gain, (size_t n, const double *d, const double *near, const double *w), (n, d, near, w))
{
  double sum = 0;
  for (size_t o = 0; o < n; o++) sum += w[o] * (near[o] > d[o] ? near[o] - d[o] : 0);
  return sum;
}

/* A row moves to the candidate if that is nearer. If its nearest medoid is removed, it moves to the candidate or to the
 * second one: max(min(d, second), near) - second counts for that medoid. */
static inline __attribute__((always_inline)) double swap_block(size_t n, const double *d, const double *near,
                                                               const double *second, const double *w,
                                                               const int32_t *nearest, double *loss)
{
  double shared = 0, part[BLOCK];
  int32_t index[BLOCK];
  size_t count = 0;
  for (size_t o = 0; o < n; o++) {
    const double closest = d[o] < second[o] ? d[o] : second[o];
    shared += w[o] * (d[o] < near[o] ? d[o] - near[o] : 0);
    part[o] = w[o] * ((closest > near[o] ? closest : near[o]) - second[o]);
  }
  for (size_t o = 0; o < n; o++) {
    index[count] = (int32_t)o;
    count += d[o] < second[o];
  }
  /* cppcheck-suppress uninitvar ; the loops above set them */
  for (size_t c = 0; c < count; c++) loss[nearest[index[c]]] += part[index[c]];
  return shared;
}

MN_CLONES(double, mn_medoid_swap,
          (size_t n, const double *d, const double *near, const double *second, const double *w, const int32_t *nearest,
           double *loss),
          (n, d, near, second, w, nearest, loss))
{
  double shared = 0;
  size_t o = 0;
  for (; o + BLOCK <= n; o += BLOCK) shared += swap_block(BLOCK, d + o, near + o, second + o, w + o, nearest + o, loss);
  return shared + swap_block(n - o, d + o, near + o, second + o, w + o, nearest + o, loss);
}
