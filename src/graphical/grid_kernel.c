#include "grid_kernel.h"
#include <math.h>

#define BLEND(keep, old, new) ((keep) > 0 ? exp((keep)*log(old) + (1 - (keep)) * log(new)) : (new))

/* Two states. */
static inline __attribute__((always_inline)) double two_states(size_t n, const double *restrict t,
                                                               const double *restrict in, const double *restrict old,
                                                               double *restrict out, double keep, int maximum)
{
  double most = 0;
  const double a = t[0], b = t[1], c = t[2], d = t[3];
  for (size_t i = 0; i < n; i++) {
    const double x = in[i];
    const double up = maximum ? (b > d * x ? b : d * x) : b + d * x;
    const double down = maximum ? (a > c * x ? a : c * x) : a + c * x;
    double new = up / down;
    if (keep > 0) new = BLEND(keep, old[i], new);
    const double change = fabs(new - old[i]) / ((1 + new) * (1 + old[i]));
    most = change > most ? change : most;
    out[i] = new;
  }
  return most;
}

/* Any number of states, in blocks of pixels that stay in the first cache. */
static inline __attribute__((always_inline)) double many_states(size_t n, size_t states, const double *restrict table,
                                                                const double *const *in, const double *const *old,
                                                                double *const *out, double keep, int maximum)
{
  enum { BLOCK = 64 };
  double most = 0, down[BLOCK] = { 0 }, up[BLOCK] = { 0 };
  for (size_t from = 0; from < n; from += BLOCK) {
    const size_t count = n - from < BLOCK ? n - from : BLOCK;
    for (size_t t = 0; t < states; t++) {
      double *restrict sum = t == 0 ? down : up;
      for (size_t i = 0; i < count; i++) sum[i] = table[t];
      for (size_t s = 1; s < states; s++) {
        const double w = table[s * states + t], *restrict x = in[s - 1] + from;
        for (size_t i = 0; i < count; i++) {
          const double y = w * x[i];
          sum[i] = maximum ? (y > sum[i] ? y : sum[i]) : sum[i] + y;
        }
      }
      if (t == 0) continue;
      const double *restrict before = old[t - 1] + from;
      double *restrict after = out[t - 1] + from;
      for (size_t i = 0; i < count; i++) {
        double new = up[i] / down[i];
        if (keep > 0) new = BLEND(keep, before[i], new);
        const double change = fabs(new - before[i]) / ((1 + new) * (1 + before[i]));
        most = change > most ? change : most;
        after[i] = new;
      }
    }
  }
  return most;
}

MN_CLONES(double, mn_grid_row_sum,
          (size_t n, size_t states, const double *table, const double *const *in, const double *const *old,
           double *const *out, double keep),
          (n, states, table, in, old, out, keep))
{
  return states == 2 ? two_states(n, table, in[0], old[0], out[0], keep, 0)
                     : many_states(n, states, table, in, old, out, keep, 0);
}

MN_CLONES(double, mn_grid_row_max,
          (size_t n, size_t states, const double *table, const double *const *in, const double *const *old,
           double *const *out, double keep),
          (n, states, table, in, old, out, keep))
{
  return states == 2 ? two_states(n, table, in[0], old[0], out[0], keep, 1)
                     : many_states(n, states, table, in, old, out, keep, 1);
}

MN_CLONES(void, mn_grid_product,
          (size_t n, const double *restrict unary, size_t count, const double *const *message,
           double *restrict product),
          (n, unary, count, message, product))
{
  for (size_t i = 0; i < n; i++) product[i] = unary[i];
  for (size_t k = 0; k < count; k++) {
    const double *restrict m = message[k];
    for (size_t i = 0; i < n; i++) product[i] *= m[i];
  }
}
