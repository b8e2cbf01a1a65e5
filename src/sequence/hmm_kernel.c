#include "hmm_kernel.h"
#include "../core/clones.h"
#include <math.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 16")

/* 2^-e for value = m 2^e, 1 <= m < 2; *e gets e. */
INLINE double inverse_power(double value, double *e)
{
  uint64_t bits;
  double out;
  memcpy(&bits, &value, sizeof bits);
  const uint64_t exponent = bits >> 52 & 0x7ff;
  *e = (double)exponent - 1023;
  bits = (uint64_t)(2046 - (exponent == 0 ? 1 : exponent)) << 52;
  memcpy(&out, &bits, sizeof out);
  return out;
}

INLINE const double *row_of(const mn_hmm_rows *b, size_t t, size_t w)
{
  return b->at + (b->row ? (size_t)b->row[t] : t) * w;
}

#define LANES 4
#define NAME(x) x##_4
#include "hmm_lanes.h"
#define LANES 8
#define NAME(x) x##_8
#include "hmm_lanes.h"

/* --- densities --- */

MN_CLONES(void, mn_hmm_normalize, (size_t n, size_t w, double *b, double *largest), (n, w, b, largest))
{
  for (size_t t = 0; t < n; t++, b += w) {
    double most = b[0];
    for (size_t l = 1; l < w; l++) most = b[l] > most ? b[l] : most;
    largest[t] = most;
    for (size_t l = 0; l < w; l++) {
      const double z = b[l] - most, power = exp(z > -700 ? z : -700);
      b[l] = b[l] > MN_HMM_IMPOSSIBLE ? power : 0;
    }
  }
}

/* --- forward and backward --- */

/* to = factor * (from A) b, of any number of lanes. */
INLINE void step(size_t k, size_t w, const double *from, const double *a, double factor, const double *b, double *to)
{
  for (size_t l = 0; l < w; l++) to[l] = 0;
  for (size_t i = 0; i < k; i++)
    for (size_t l = 0; l < w; l++) to[l] += from[i] * a[i * w + l];
  for (size_t l = 0; l < w; l++) to[l] *= factor * (b ? b[l] : 1);
}

INLINE double total_of(size_t w, const double *v)
{
  double sum = 0;
  for (size_t l = 0; l < w; l++) sum += v[l];
  return sum;
}

MN_CLONES(void, mn_hmm_forward,
          (size_t first, size_t n, size_t k, size_t w, const double *a, const mn_hmm_rows *b, double *alpha,
           double *total, double *shift),
          (first, n, k, w, a, b, alpha, total, shift))
{
  switch (w) {
  case 4: forward_4(1, first, n, 4, a, b, alpha, total, shift); return;
  case 8: forward_8(1, first, n, 8, a, b, alpha, total, shift); return;
  case 16:
    if (k <= 12)
      forward_8(2, first, n, 12, a, b, alpha, total, shift);
    else
      forward_8(2, first, n, 16, a, b, alpha, total, shift);
    return;
  default: break;
  }
  for (size_t t = first; t < n; t++) {
    const double factor = inverse_power(total[t - 1], &shift[t]);
    step(k, w, alpha + (t - 1) * w, a, factor, row_of(b, t, w), alpha + t * w);
    total[t] = total_of(w, alpha + t * w);
  }
}

MN_CLONES(void, mn_hmm_backward,
          (size_t first, size_t n, size_t origin, size_t k, size_t w, const double *a, const mn_hmm_rows *b,
           double *beta, double *scale, double *work),
          (first, n, origin, k, w, a, b, beta, scale, work))
{
  double e;
  switch (w) {
  case 4: backward_4(1, first, n, origin, 4, a, b, beta, scale); return;
  case 8: backward_8(1, first, n, origin, 8, a, b, beta, scale); return;
  case 16:
    if (k <= 12)
      backward_8(2, first, n, origin, 12, a, b, beta, scale);
    else
      backward_8(2, first, n, origin, 16, a, b, beta, scale);
    return;
  default: break;
  }
  for (size_t t = n - 1; t-- > first;) {
    const double *ahead = beta + (t + 1 - origin) * w, *density = row_of(b, t + 1, w);
    for (size_t l = 0; l < w; l++) work[l] = ahead[l] * density[l];
    scale[t - origin] = inverse_power(total_of(w, ahead), &e);
    step(k, w, work, a, scale[t - origin], NULL, beta + (t - origin) * w);
  }
}

MN_CLONES(double, mn_hmm_posterior,
          (size_t first, size_t end, size_t last, size_t origin, size_t k, size_t w, const mn_hmm_rows *b,
           const double *beta, const double *scale, double *alpha, double *pairs),
          (first, end, last, origin, k, w, b, beta, scale, alpha, pairs))
{
  double least = 1;
  switch (w) {
  case 4: return posterior_4(1, first, end, last, origin, 4, b, beta, scale, alpha, pairs);
  case 8: return posterior_8(1, first, end, last, origin, 8, b, beta, scale, alpha, pairs);
  case 16:
    return k <= 12 ? posterior_8(2, first, end, last, origin, 12, b, beta, scale, alpha, pairs)
                   : posterior_8(2, first, end, last, origin, 16, b, beta, scale, alpha, pairs);
  default: break;
  }
  for (size_t t = first; t < end; t++) {
    double *now = alpha + t * w, sum = 0;
    const double *behind = beta + (t - origin) * w, *density = pairs && t < last ? row_of(b, t + 1, w) : NULL;
    for (size_t l = 0; l < w; l++) sum += now[l] * behind[l];
    const double inverse = 1 / sum;
    least = sum < least ? sum : least;
    for (size_t i = 0; density && i < k; i++) {
      const double from = now[i] * inverse * scale[t - origin];
      for (size_t l = 0; l < w; l++) pairs[i * w + l] += from * (density[l] * behind[w + l]);
    }
    for (size_t l = 0; l < w; l++) now[l] *= behind[l] * inverse;
  }
  return least;
}

/* --- likeliest path --- */

/* Sums of logarithms of 0 do not overflow. */
INLINE double at_least_zero(double value)
{
  return value > MN_HMM_LOG_ZERO ? value : MN_HMM_LOG_ZERO;
}

INLINE void viterbi(size_t n, size_t k, size_t w, const double *a, const mn_hmm_rows *log_b, double *delta,
                    uint16_t *from)
{
  for (size_t t = 1; t < n; t++) {
    const double *before = delta + (t - 1) % 2 * w, *density = row_of(log_b, t, w);
    double *now = delta + t % 2 * w, which[16];
    if (w <= 16) {
      double best[16];
      for (size_t l = 0; l < w; l++) best[l] = before[0] + a[l], which[l] = 0;
      for (size_t i = 1; i < k; i++)
        for (size_t l = 0; l < w; l++) {
          const double value = before[i] + a[i * w + l];
          which[l] = value > best[l] ? (double)i : which[l];
          best[l] = value > best[l] ? value : best[l];
        }
      for (size_t l = 0; l < w; l++) now[l] = at_least_zero(best[l] + density[l]);
      for (size_t l = 0; l < w; l++) from[t * w + l] = (uint16_t)(int32_t)which[l];
      continue;
    }
    for (size_t l = 0; l < w; l++) now[l] = before[0] + a[l], from[t * w + l] = 0;
    for (size_t i = 1; i < k; i++)
      for (size_t l = 0; l < w; l++) {
        const double value = before[i] + a[i * w + l];
        from[t * w + l] = value > now[l] ? (uint16_t)i : from[t * w + l];
        now[l] = value > now[l] ? value : now[l];
      }
    for (size_t l = 0; l < w; l++) now[l] = at_least_zero(now[l] + density[l]);
  }
}

MN_CLONES(void, mn_hmm_viterbi,
          (size_t n, size_t k, size_t w, const double *a, const mn_hmm_rows *log_b, double *delta, uint16_t *from),
          (n, k, w, a, log_b, delta, from))
{
  switch (w) {
  case 4: viterbi(n, k, 4, a, log_b, delta, from); break;
  case 8: viterbi(n, k, 8, a, log_b, delta, from); break;
  case 16: viterbi(n, k, 16, a, log_b, delta, from); break;
  default: viterbi(n, k, w, a, log_b, delta, from);
  }
}

/* --- Gaussian emissions --- */

/* Instances for the usual numbers of lanes and columns. */
#define BY_COLUMNS(c, p, call)                                                                                         \
  switch ((c)*8 + (p)) {                                                                                               \
  case 33: call(4, 1); return;                                                                                         \
  case 34: call(4, 2); return;                                                                                         \
  case 35: call(4, 3); return;                                                                                         \
  case 36: call(4, 4); return;                                                                                         \
  case 65: call(8, 1); return;                                                                                         \
  case 66: call(8, 2); return;                                                                                         \
  case 67: call(8, 3); return;                                                                                         \
  case 68: call(8, 4); return;                                                                                         \
  default: break;                                                                                                      \
  }

MN_CLONES(void, mn_hmm_gaussian_logs,
          (size_t n, size_t p, size_t c, int diagonal, const double *x, const double *mean, const double *root,
           const double *start, double *work, double *out),
          (n, p, c, diagonal, x, mean, root, start, work, out))
{
#define CALL(lanes, columns)                                                                                           \
  if (diagonal)                                                                                                        \
    gaussian_logs_##lanes(1, columns, 1, n, x, mean, root, start, out);                                                \
  else                                                                                                                 \
    gaussian_logs_##lanes(1, columns, 0, n, x, mean, root, start, out)
  BY_COLUMNS(c, p, CALL)
#undef CALL
  for (size_t t = 0; t < n; t++, x += p, out += c) {
    for (size_t l = 0; l < c; l++) out[l] = 0;
    for (size_t j = 0; j < p; j++)
      for (size_t l = 0; l < c; l++) work[j * c + l] = x[j] - mean[j * c + l];
    for (size_t j = 0; diagonal && j < p; j++)
      for (size_t l = 0; l < c; l++) {
        const double z = work[j * c + l] * root[j * c + l];
        out[l] += z * z;
      }
    /* Column j of R, whose entries in row i stand at i (2 p - i - 1) / 2 + j; work[j] is not needed after it. */
    for (size_t j = p; !diagonal && j-- > 0;) {
      const double *last = root + (j * (2 * p - j - 1) / 2 + j) * c;
      for (size_t l = 0; l < c; l++) work[j * c + l] *= last[l];
      for (size_t i = 0; i < j; i++)
        for (size_t l = 0; l < c; l++) work[j * c + l] += work[i * c + l] * root[(i * (2 * p - i - 1) / 2 + j) * c + l];
      for (size_t l = 0; l < c; l++) out[l] += work[j * c + l] * work[j * c + l];
    }
    for (size_t l = 0; l < c; l++) out[l] = start[l] - out[l] / 2;
  }
}

MN_CLONES(void, mn_hmm_gaussian_sums,
          (size_t n, size_t p, size_t c, int diagonal, const double *x, const double *mean, const double *weight,
           double *work, double *count, double *sum, double *scatter),
          (n, p, c, diagonal, x, mean, weight, work, count, sum, scatter))
{
#define CALL(lanes, columns)                                                                                           \
  if (diagonal)                                                                                                        \
    gaussian_sums_##lanes(columns, 1, n, lanes, x, mean, weight, count, sum, scatter);                                 \
  else                                                                                                                 \
    gaussian_sums_##lanes(columns, 0, n, lanes, x, mean, weight, count, sum, scatter)
  BY_COLUMNS(c, p, CALL)
#undef CALL
  for (size_t t = 0; t < n; t++, x += p, weight += c) {
    double *to = scatter;
    for (size_t l = 0; l < c; l++) count[l] += weight[l];
    for (size_t j = 0; j < p; j++)
      for (size_t l = 0; l < c; l++) work[j * c + l] = x[j] - mean[j * c + l];
    for (size_t j = 0; j < p; j++) {
      const double *zj = work + j * c;
      for (size_t l = 0; l < c; l++) sum[j * c + l] += weight[l] * zj[l];
      for (size_t i = j; i < (diagonal ? j + 1 : p); i++, to += c)
        for (size_t l = 0; l < c; l++) to[l] += weight[l] * zj[l] * work[i * c + l];
    }
  }
}

MN_CLONES(void, mn_hmm_category_sums, (size_t n, size_t w, const int32_t *code, const double *weight, double *table),
          (n, w, code, weight, table))
{
  for (size_t t = 0; t < n; t++) {
    double *to = table + (size_t)code[t] * w;
    MN_INDEPENDENT
    for (size_t l = 0; l < w; l++) to[l] += weight[t * w + l];
  }
}

MN_CLONES(void, mn_hmm_mix, (size_t n, size_t mix, size_t w, const double *component, double *out),
          (n, mix, w, component, out))
{
  for (size_t t = 0; t < n; t++, component += mix * w, out += w)
    for (size_t l = 0; l < w; l++) {
      double most = component[l];
      for (size_t m = 1; m < mix; m++) most = component[m * w + l] > most ? component[m * w + l] : most;
      double sum = exp(component[l] - most);
      for (size_t m = 1; m < mix; m++) sum += exp(component[m * w + l] - most);
      out[l] = most + log(sum);
    }
}

MN_CLONES(void, mn_hmm_unmix,
          (size_t n, size_t mix, size_t w, const double *state, const double *out, double *component),
          (n, mix, w, state, out, component))
{
  for (size_t t = 0; t < n; t++, component += mix * w, out += w, state += w)
    for (size_t m = 0; m < mix; m++)
      for (size_t l = 0; l < w; l++) {
        const double z = component[m * w + l] - out[l];
        component[m * w + l] = state[l] * exp(z > -700 ? z : -700);
      }
}
