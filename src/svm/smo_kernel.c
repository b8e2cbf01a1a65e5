#include "smo_kernel.h"

enum { GROUP = 8 }; /* rows that are added in one pass over f */

#define ADD_ROWS(type)                                                                                                 \
  {                                                                                                                    \
    size_t k = 0;                                                                                                      \
    for (; k + GROUP <= count; k += GROUP) {                                                                           \
      const type *restrict r0 = row[k] + begin, *restrict r1 = row[k + 1] + begin, *restrict r2 = row[k + 2] + begin,  \
                           *restrict r3 = row[k + 3] + begin, *restrict r4 = row[k + 4] + begin,                       \
                           *restrict r5 = row[k + 5] + begin, *restrict r6 = row[k + 6] + begin,                       \
                           *restrict r7 = row[k + 7] + begin;                                                          \
      const double *s = step + k;                                                                                      \
      MN_INDEPENDENT                                                                                                   \
      for (size_t i = 0; i < n; i++)                                                                                   \
        f[i] += ((s[0] * (double)r0[i] + s[1] * (double)r1[i]) + (s[2] * (double)r2[i] + s[3] * (double)r3[i])) +      \
                ((s[4] * (double)r4[i] + s[5] * (double)r5[i]) + (s[6] * (double)r6[i] + s[7] * (double)r7[i]));       \
    }                                                                                                                  \
    for (; k < count; k++) {                                                                                           \
      const type *restrict one = row[k] + begin;                                                                       \
      MN_INDEPENDENT                                                                                                   \
      for (size_t i = 0; i < n; i++) f[i] += step[k] * (double)one[i];                                                 \
    }                                                                                                                  \
  }

MN_CLONES(void, mn_smo_add_rows32,
          (size_t count, const float *const *row, const double *step, size_t begin, size_t n, double *f),
          (count, row, step, begin, n, f))
ADD_ROWS(float)

MN_CLONES(void, mn_smo_add_rows64,
          (size_t count, const double *const *row, const double *step, size_t begin, size_t n, double *f),
          (count, row, step, begin, n, f))
ADD_ROWS(double)

MN_CLONES(void, mn_smo_move, (size_t n, double step, const double *ki, const double *kj, double *v),
          (n, step, ki, kj, v))
{
  MN_INDEPENDENT
  for (size_t t = 0; t < n; t++) v[t] -= step * (ki[t] - kj[t]);
}

MN_CLONES(double, mn_smo_largest, (size_t n, const double *v, const double *mask, size_t *index), (n, v, mask, index))
{
  double best = -2e300;
  for (size_t t = 0; t < n; t++) {
    const double value = v[t] + mask[t];
    best = value > best ? value : best;
  }
  size_t t = 0;
  while (t + 1 < n && v[t] + mask[t] < best) t++;
  *index = t;
  return best;
}

MN_CLONES(double, mn_smo_second,
          (size_t n, double vi, double kii, const double *ki, const double *diagonal, const double *v,
           const double *mask, double *gain, size_t *index, double *excess_),
          (n, vi, kii, ki, diagonal, v, mask, gain, index, excess_))
{
  const double tau = 1e-12;
  double best = 0, largest = 0;
  for (size_t t = 0; t < n; t++) {
    double excess = vi - (v[t] + mask[t]), eta = kii + diagonal[t] - 2 * ki[t];
    excess = excess > 0 ? excess : 0;
    largest = excess > largest ? excess : largest;
    eta = eta > tau ? eta : tau;
    gain[t] = excess * excess / eta;
    best = gain[t] > best ? gain[t] : best;
  }
  size_t t = 0;
  while (t + 1 < n && gain[t] < best) t++;
  *index = t;
  *excess_ = largest;
  return best;
}
