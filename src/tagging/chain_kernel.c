#include "chain_kernel.h"
#include <math.h>

typedef double lanes __attribute__((vector_size(64), may_alias));
typedef int64_t mask __attribute__((vector_size(64), may_alias));

#define INLINE static inline __attribute__((always_inline))
#define LEAST_EXPONENT (-300.0) /* so that products of three such exponentials are not 0 */

MN_CLONES(void, mn_chain_scores,
          (size_t n, const size_t *start, const int32_t *col, const double *value, const int32_t *first,
           const int32_t *label, const double *w, size_t classes, size_t ld, double *score),
          (n, start, col, value, first, label, w, classes, ld, score))
{
  for (size_t t = 0; t < n; t++) {
    double *restrict s = score + t * ld;
    for (size_t l = 0; l < ld; l++) s[l] = 0;
    for (size_t e = start[t]; e < start[t + 1]; e++) {
      const size_t begin = (size_t)first[col[e]], pairs = (size_t)first[col[e] + 1] - begin;
      const double v = value[e];
      const double *c = w + begin;
      if (pairs == classes)
        for (size_t l = 0; l < classes; l++) s[l] += v * c[l];
      else
        for (size_t f = 0; f < pairs; f++) s[label[begin + f]] += v * c[f];
    }
  }
}

MN_CLONES(void, mn_chain_add_expected,
          (size_t n, const size_t *start, const int32_t *col, const double *value, const int32_t *first,
           const int32_t *label, const double *p, const double *factor, size_t classes, size_t ld, double *g),
          (n, start, col, value, first, label, p, factor, classes, ld, g))
{
  for (size_t t = 0; t < n; t++) {
    const double *q = p + t * ld, scale = factor ? factor[t] : 1;
    for (size_t e = start[t]; e < start[t + 1]; e++) {
      const size_t begin = (size_t)first[col[e]], pairs = (size_t)first[col[e] + 1] - begin;
      const double v = scale * value[e];
      double *restrict to = g + begin;
      if (pairs == classes)
        for (size_t l = 0; l < classes; l++) to[l] += v * q[l];
      else
        for (size_t f = 0; f < pairs; f++) to[f] += v * q[label[begin + f]];
    }
  }
}

INLINE double row_max(size_t classes, const double *s)
{
  double most = s[0];
  for (size_t l = 1; l < classes; l++) most = s[l] > most ? s[l] : most;
  return most;
}

/* s = exp(s - most), padded with 0. */
INLINE void exp_row(size_t classes, size_t ld, double most, double *s)
{
  for (size_t l = classes; l < ld; l++) s[l] = most;
  for (size_t l = 0; l < ld; l++) {
    const double x = s[l] - most;
    s[l] = exp(x > LEAST_EXPONENT ? x : LEAST_EXPONENT);
  }
  for (size_t l = classes; l < ld; l++) s[l] = 0;
}

MN_CLONES(double, mn_chain_exp, (size_t n, size_t classes, size_t ld, double *score), (n, classes, ld, score))
{
  double sum = 0;
  for (size_t t = 0; t < n; t++) {
    const double most = row_max(classes, score + t * ld);
    exp_row(classes, ld, most, score + t * ld);
    sum += most;
  }
  return sum;
}

/* --- products of a row and a matrix --- */

#define DECLARE(v) lanes a##v = { 0 }, b##v = { 0 };
#define ADD_TWO(v) a##v += x[i] * r[v], b##v += x[i + 1] * q[v];
#define ADD_ONE(v) a##v += x[i] * r[v];
#define STORE(v) out[v] = a##v + b##v;

/* out = x m for some columns of m, as vectors; rows of m are ld vectors apart. */
#define MULTIPLY(name, EACH)                                                                                           \
  INLINE void name(size_t k, size_t ld, const double *x, const lanes *m, lanes *out)                                   \
  {                                                                                                                    \
    EACH(DECLARE)                                                                                                      \
    size_t i = 0;                                                                                                      \
    for (; i + 1 < k; i += 2) {                                                                                        \
      const lanes *r = m + i * ld, *q = r + ld;                                                                        \
      EACH(ADD_TWO)                                                                                                    \
    }                                                                                                                  \
    if (i < k) {                                                                                                       \
      const lanes *r = m + i * ld;                                                                                     \
      EACH(ADD_ONE)                                                                                                    \
    }                                                                                                                  \
    EACH(STORE)                                                                                                        \
  }

#define EACH1(f) f(0)
#define EACH2(f) f(0) f(1)
#define EACH3(f) f(0) f(1) f(2)
#define EACH4(f) f(0) f(1) f(2) f(3)

MULTIPLY(multiply1, EACH1)
MULTIPLY(multiply2, EACH2)
MULTIPLY(multiply3, EACH3)
MULTIPLY(multiply4, EACH4)

INLINE void multiply(size_t k, size_t vectors, const double *x, const lanes *m, lanes *out)
{
  size_t v = 0;
  for (; v + 4 <= vectors; v += 4) multiply4(k, vectors, x, m + v, out + v);
  switch (vectors - v) {
  case 3: multiply3(k, vectors, x, m + v, out + v); break;
  case 2: multiply2(k, vectors, x, m + v, out + v); break;
  case 1: multiply1(k, vectors, x, m + v, out + v); break;
  default: break;
  }
}

INLINE double sum_of(lanes v)
{
  return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
}

/* row = row * by; returns the sum. */
INLINE double weigh(size_t vectors, const lanes *by, lanes *row)
{
  lanes sum = { 0 };
  for (size_t v = 0; v < vectors; v++) {
    row[v] *= by[v];
    sum += row[v];
  }
  return sum_of(sum);
}

INLINE void scale(size_t vectors, double factor, lanes *row)
{
  for (size_t v = 0; v < vectors; v++) row[v] *= factor;
}

MN_CLONES(double, mn_chain_forward,
          (size_t n, size_t classes, size_t ld, const double *m, const double *e, double *alpha),
          (n, classes, ld, m, e, alpha))
{
  const size_t vectors = ld / MN_TAG_LANES;
  double log_sum = 0;
  for (size_t t = 0; t < n; t++) {
    lanes *row = (lanes *)(alpha + t * ld);
    if (t > 0)
      multiply(classes, vectors, alpha + (t - 1) * ld, (const lanes *)m, row);
    else
      for (size_t v = 0; v < vectors; v++) row[v] = (lanes){ 0 } + 1;
    const double sum = weigh(vectors, (const lanes *)(e + t * ld), row);
    scale(vectors, 1 / sum, row);
    log_sum += log(sum);
  }
  return log_sum;
}

/* beta[t], in row t of p, is scaled so that p[t] = alpha[t] beta[t] sums to 1. */
MN_CLONES(void, mn_chain_backward,
          (size_t n, size_t classes, size_t ld, const double *mt, const double *alpha, double *e, double *p),
          (n, classes, ld, mt, alpha, e, p))
{
  const size_t vectors = ld / MN_TAG_LANES;
  lanes *beta = (lanes *)(p + (n - 1) * ld);
  for (size_t v = 0; v < vectors; v++) beta[v] = (lanes){ 0 } + 1;
  for (size_t t = n - 1;; t--) {
    lanes *u = (lanes *)(e + t * ld), *now = (lanes *)(p + t * ld);
    for (size_t v = 0; v < vectors; v++) {
      u[v] *= now[v];
      now[v] *= ((const lanes *)(alpha + t * ld))[v];
    }
    if (t == 0) break;
    lanes *before = (lanes *)(p + (t - 1) * ld), sum = { 0 };
    multiply(classes, vectors, e + t * ld, (const lanes *)mt, before);
    for (size_t v = 0; v < vectors; v++) sum += before[v] * ((const lanes *)(alpha + (t - 1) * ld))[v];
    scale(vectors, 1 / sum_of(sum), before);
    scale(vectors, 1 / sum_of(sum), u);
  }
}

#define ADD_ROW(r, v) s##r##v += a[r] * u##v;

/* Four rows of the sum, and one or two of its vectors. */
INLINE void add_four_rows(size_t n, size_t ld, bool two, const double *alpha, const double *next, double *sum)
{
  const size_t vectors = ld / MN_TAG_LANES;
  lanes *to = (lanes *)sum;
  lanes s00 = to[0], s10 = to[vectors], s20 = to[2 * vectors], s30 = to[3 * vectors];
  lanes s01 = { 0 }, s11 = { 0 }, s21 = { 0 }, s31 = { 0 };
  for (size_t t = 1; t < n; t++) {
    const double *a = alpha + (t - 1) * ld;
    const lanes u0 = *(const lanes *)(next + t * ld);
    ADD_ROW(0, 0) ADD_ROW(1, 0) ADD_ROW(2, 0) ADD_ROW(3, 0) if (!two) continue;
    const lanes u1 = *(const lanes *)(next + t * ld + MN_TAG_LANES);
    ADD_ROW(0, 1) ADD_ROW(1, 1) ADD_ROW(2, 1) ADD_ROW(3, 1)
  }
  to[0] = s00, to[vectors] = s10, to[2 * vectors] = s20, to[3 * vectors] = s30;
  if (two) to[1] += s01, to[vectors + 1] += s11, to[2 * vectors + 1] += s21, to[3 * vectors + 1] += s31;
}

MN_CLONES(void, mn_chain_add_pairs,
          (size_t n, size_t classes, size_t ld, const double *alpha, const double *u, double *sum),
          (n, classes, ld, alpha, u, sum))
{
  for (size_t i = 0; i < classes; i += 4) {
    size_t j = 0;
    for (; j + 2 * MN_TAG_LANES <= ld; j += 2 * MN_TAG_LANES)
      add_four_rows(n, ld, true, alpha + i, u + j, sum + i * ld + j);
    if (j < ld) add_four_rows(n, ld, false, alpha + i, u + j, sum + i * ld + j);
  }
}

MN_CLONES(void, mn_chain_softmax,
          (size_t n, size_t classes, size_t ld, const double *transitions, bool continues, const int32_t *tag,
           double *score, double *loss),
          (n, classes, ld, transitions, continues, tag, score, loss))
{
  for (size_t t = 0; t < n; t++) {
    double *restrict s = score + t * ld, sum = 0;
    if (transitions && (t > 0 || continues)) {
      const double *from = transitions + (size_t) * (tag + t - 1) * ld;
      for (size_t l = 0; l < classes; l++) s[l] += from[l];
    }
    const double most = row_max(classes, s);
    exp_row(classes, ld, most, s);
    for (size_t l = 0; l < ld; l++) sum += s[l];
    /* cppcheck-suppress invalidFunctionArg ; the largest term is 1 */
    loss[t] = most + log(sum);
    sum = 1 / sum;
    for (size_t l = 0; l < ld; l++) s[l] *= sum;
  }
}

/* Eight tags of a step. */
INLINE void best_of(size_t classes, size_t ld, const double *transitions, const double *from, lanes *best, mask *at)
{
  *best = from[0] + *(const lanes *)transitions;
  *at = (mask){ 0 };
  for (size_t i = 1; i < classes; i++) {
    const lanes sum = from[i] + *(const lanes *)(transitions + i * ld);
    const mask better = sum > *best;
    *best = (lanes)(((mask)sum & better) | ((mask)*best & ~better));
    *at = ((int64_t)i & better) | (*at & ~better);
  }
}

MN_CLONES(void, mn_chain_best_step,
          (size_t classes, size_t ld, const double *transitions, const double *from, const double *score, double *to,
           int32_t *back),
          (classes, ld, transitions, from, score, to, back))
{
  for (size_t j = 0; j < ld; j += MN_TAG_LANES) {
    lanes best;
    mask at;
    best_of(classes, ld, transitions + j, from, &best, &at);
    *(lanes *)(to + j) = best + *(const lanes *)(score + j);
    for (size_t k = 0; k < MN_TAG_LANES; k++) back[j + k] = (int32_t)at[k];
  }
}

/* --- transitions that depend on features --- */

MN_CLONES(void, mn_chain_add_feature_scores,
          (size_t n, const int32_t *col, const double *value, const int32_t *first, const int32_t *label,
           const double *w, double factor, const int32_t *place, double *score),
          (n, col, value, first, label, w, factor, place, score))
{
  for (size_t e = 0; e < n; e++) {
    const double v = factor * value[e];
    for (int32_t f = first[col[e]]; f < first[col[e] + 1]; f++) score[place[label[f]]] += v * w[f];
  }
}

MN_CLONES(void, mn_chain_add_feature_pairs,
          (size_t n, const int32_t *col, const double *value, const int32_t *first, const int32_t *label,
           const int32_t *place, const double *pairs, double *g),
          (n, col, value, first, label, place, pairs, g))
{
  for (size_t e = 0; e < n; e++)
    for (int32_t f = first[col[e]]; f < first[col[e] + 1]; f++) g[f] += value[e] * pairs[place[label[f]]];
}

MN_CLONES(double, mn_chain_exp_transitions, (size_t classes, size_t ld, const double *score, double *m),
          (classes, ld, score, m))
{
  double most = score[0];
  for (size_t i = 0; i < classes; i++) {
    const double row = row_max(classes, score + i * ld);
    most = row > most ? row : most;
  }
  for (size_t i = 0; i < classes; i++) {
    for (size_t j = 0; j < classes; j++) m[i * ld + j] = score[i * ld + j];
    exp_row(classes, ld, most, m + i * ld);
  }
  return most;
}

MN_CLONES(double, mn_chain_forward_step,
          (size_t classes, size_t ld, const double *m, const double *e, const double *before, double *alpha),
          (classes, ld, m, e, before, alpha))
{
  const size_t vectors = ld / MN_TAG_LANES;
  multiply(classes, vectors, before, (const lanes *)m, (lanes *)alpha);
  const double sum = weigh(vectors, (const lanes *)e, (lanes *)alpha);
  scale(vectors, 1 / sum, (lanes *)alpha);
  return log(sum);
}

MN_CLONES(void, mn_chain_backward_step,
          (size_t classes, size_t ld, const double *m, const double *alpha_before, double *e, const double *beta,
           double *beta_before),
          (classes, ld, m, alpha_before, e, beta, beta_before))
{
  const size_t vectors = ld / MN_TAG_LANES;
  lanes *u = (lanes *)e;
  double sum = 0;
  for (size_t v = 0; v < vectors; v++) u[v] *= ((const lanes *)beta)[v];
  for (size_t i = 0; i < ld; i++) {
    lanes products = { 0 };
    for (size_t v = 0; v < vectors && i < classes; v++) products += ((const lanes *)(m + i * ld))[v] * u[v];
    beta_before[i] = sum_of(products);
    sum += beta_before[i] * alpha_before[i];
  }
  scale(vectors, 1 / sum, (lanes *)beta_before);
  scale(vectors, 1 / sum, u);
}

MN_CLONES(void, mn_chain_pairs,
          (size_t classes, size_t ld, const double *m, const double *alpha, const double *u, double *pairs,
           double *sums),
          (classes, ld, m, alpha, u, pairs, sums))
{
  for (size_t i = 0; i < classes; i++)
    for (size_t j = 0; j < ld; j++) {
      const double p = alpha[i] * m[i * ld + j] * u[j];
      pairs[i * ld + j] = p;
      sums[i * ld + j] += p;
    }
}
