#include "logistic_kernel.h"
#include "../core/clones.h"
#include <math.h>

MN_CLONES(double, mn_logistic_loss,
          (size_t n, double *restrict z, const int32_t *restrict code, const double *restrict w,
           double *restrict curvature),
          (n, z, code, w, curvature))
{
  double total = 0;
  for (size_t i = 0; i < n; i++) {
    const double score = z[i], magnitude = fabs(score);
    const double small = exp(-magnitude); /* never overflows */
    const double larger = 1 / (1 + small), smaller = small * larger;
    const double p = score >= 0 ? larger : smaller, weight = w ? w[i] : 1;
    const double y = code[i], signed_score = (1 - 2 * y) * score; /* loss log(1 + exp(signed_score)) */
    const double above = signed_score > 0 ? signed_score : 0;
    total += weight * (above + log1p(small));
    z[i] = weight * (p - y);
    if (curvature) curvature[i] = weight * larger * smaller;
  }
  return total;
}

MN_CLONES(void, mn_signed_logistic_loss, (size_t n, const float *restrict v, double *restrict z, double *restrict loss),
          (n, v, z, loss))
{
  for (size_t i = 0; i < n; i++) {
    const double weight = fabs((double)v[i]), margin = v[i] >= 0 ? z[i] : -z[i]; /* loss log(1 + exp(-margin)) */
    const double small = exp(-fabs(margin));                                     /* never overflows */
    const double larger = 1 / (1 + small), smaller = small * larger;
    loss[i] = weight * ((margin < 0 ? -margin : 0) + log1p(small));
    z[i] = -(double)v[i] * (margin >= 0 ? smaller : larger);
  }
}

MN_CLONES(void, mn_add_row_sums, (size_t n, size_t width, const double *restrict rows, double *restrict sum),
          (n, width, rows, sum))
{
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < width; c++) sum[c] += rows[i * width + c];
}

MN_CLONES(double, mn_residual_sum, (size_t n, const double *restrict r), (n, r))
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += r[i];
  return sum;
}

MN_CLONES(double, mn_softmax_loss,
          (size_t n, size_t k, size_t width, double *restrict z, const int32_t *restrict code,
           const double *restrict w),
          (n, k, width, z, code, w))
{
  double total = 0;
  for (size_t i = 0; i < n; i++) {
    double *row = z + i * width, largest = row[0], sum = 0;
    const double weight = w ? w[i] : 1, own = row[code[i]];
    for (size_t c = 1; c < k; c++) largest = row[c] > largest ? row[c] : largest;
    for (size_t c = 0; c < k; c++) {
      row[c] = exp(row[c] - largest);
      sum += row[c];
    }
    const double scale = weight / sum;
    for (size_t c = 0; c < k; c++) row[c] *= scale;
    for (size_t c = k; c < width; c++) row[c] = 0;
    row[code[i]] -= weight;
    total += weight * (log(sum) + largest - own);
  }
  return total;
}

/* SIMD vector of four values; unaligned, since rows need not begin at a multiple of 32 bytes. */
typedef double vec4 __attribute__((vector_size(32), aligned(8)));

enum { LANES = 4, ROWS = 4 }; /* rows per iteration: each load of b serves four */

/* Macros: as functions they would pass vectors by the calling convention of the baseline CPU. */
#define load(at) (*(const vec4 *)(at))
#define store(at, value) (*(vec4 *)(at) = (value))

/* Fetch the rows of X that follow some groups later. X is too large for the caches, and the hardware alone does not see
 * in time which rows come next: this doubles the speed. Nothing is read, so that the end of X does not matter. */
static inline __attribute__((always_inline)) void prefetch_rows(size_t p, const double *x)
{
  enum { BYTES_AHEAD = 1 << 14, CACHE_LINE = 64 };
  const uintptr_t first = (uintptr_t)x + BYTES_AHEAD;
  for (size_t at = 0; at < ROWS * p * sizeof *x; at += CACHE_LINE) __builtin_prefetch((const void *)(first + at));
}

/* Scores of four rows of X in two or three vectors of columns; b, start and z point to the first of them. */
static inline __attribute__((always_inline)) void score_three(size_t p, size_t width, const double *x,
                                                              const double *restrict b, const double *restrict start,
                                                              double *restrict z)
{
  const double *x0 = x, *x1 = x0 + p, *x2 = x1 + p, *x3 = x2 + p;
  vec4 a0 = load(start), a1 = load(start + LANES), a2 = load(start + 2 * LANES);
  vec4 b0 = a0, b1 = a1, b2 = a2, c0 = a0, c1 = a1, c2 = a2, d0 = a0, d1 = a1, d2 = a2;
  for (size_t j = 0; j < p; j++) {
    const double *row = b + j * width;
    const vec4 u = load(row), v = load(row + LANES), t = load(row + 2 * LANES);
    a0 += x0[j] * u, a1 += x0[j] * v, a2 += x0[j] * t;
    b0 += x1[j] * u, b1 += x1[j] * v, b2 += x1[j] * t;
    c0 += x2[j] * u, c1 += x2[j] * v, c2 += x2[j] * t;
    d0 += x3[j] * u, d1 += x3[j] * v, d2 += x3[j] * t;
  }
  store(z, a0), store(z + LANES, a1), store(z + 2 * LANES, a2), z += width;
  store(z, b0), store(z + LANES, b1), store(z + 2 * LANES, b2), z += width;
  store(z, c0), store(z + LANES, c1), store(z + 2 * LANES, c2), z += width;
  store(z, d0), store(z + LANES, d1), store(z + 2 * LANES, d2);
}

static inline __attribute__((always_inline)) void score_two(size_t p, size_t width, const double *x,
                                                            const double *restrict b, const double *restrict start,
                                                            double *restrict z)
{
  const double *x0 = x, *x1 = x0 + p, *x2 = x1 + p, *x3 = x2 + p;
  vec4 a0 = load(start), a1 = load(start + LANES);
  vec4 b0 = a0, b1 = a1, c0 = a0, c1 = a1, d0 = a0, d1 = a1;
  for (size_t j = 0; j < p; j++) {
    const vec4 u = load(b + j * width), v = load(b + j * width + LANES);
    a0 += x0[j] * u, a1 += x0[j] * v, b0 += x1[j] * u, b1 += x1[j] * v;
    c0 += x2[j] * u, c1 += x2[j] * v, d0 += x3[j] * u, d1 += x3[j] * v;
  }
  store(z, a0), store(z + LANES, a1), z += width, store(z, b0), store(z + LANES, b1), z += width;
  store(z, c0), store(z + LANES, c1), z += width, store(z, d0), store(z + LANES, d1);
}

MN_CLONES(void, mn_thin_scores,
          (size_t n, size_t p, size_t width, const double *restrict x, const double *restrict b,
           const double *restrict start, double *restrict z),
          (n, p, width, x, b, start, z))
{
  size_t i = 0;
  for (; i + ROWS <= n; i += ROWS) {
    const double *x0 = x + i * p, *x1 = x0 + p, *x2 = x1 + p, *x3 = x2 + p;
    size_t c = 0;
    prefetch_rows(p, x0);
    for (; c + 3 * LANES <= width; c += 3 * LANES) score_three(p, width, x0, b + c, start + c, z + i * width + c);
    for (; c + 2 * LANES <= width; c += 2 * LANES) score_two(p, width, x0, b + c, start + c, z + i * width + c);
    for (; c < width; c += LANES) {
      vec4 s0 = load(start + c), s1 = s0, s2 = s0, s3 = s0;
      for (size_t j = 0; j < p; j++) {
        const vec4 u = load(b + j * width + c);
        s0 += x0[j] * u, s1 += x1[j] * u, s2 += x2[j] * u, s3 += x3[j] * u;
      }
      double *out = z + i * width + c;
      store(out, s0), store(out + width, s1), store(out + 2 * width, s2), store(out + 3 * width, s3);
    }
  }
  for (; i < n; i++)
    for (size_t c = 0; c < width; c += LANES) {
      vec4 s = load(start + c);
      for (size_t j = 0; j < p; j++) s += x[i * p + j] * load(b + j * width + c);
      store(z + i * width + c, s);
    }
}

/* Add the gradients of four rows of X in two or three vectors of columns. */
static inline __attribute__((always_inline)) void add_three(size_t p, size_t width, const double *x,
                                                            const double *restrict r, double *restrict g)
{
  const double *x0 = x, *x1 = x0 + p, *x2 = x1 + p, *x3 = x2 + p;
  const double *r0 = r, *r1 = r0 + width, *r2 = r1 + width, *r3 = r2 + width;
  const vec4 a0 = load(r0), a1 = load(r0 + LANES), a2 = load(r0 + 2 * LANES);
  const vec4 b0 = load(r1), b1 = load(r1 + LANES), b2 = load(r1 + 2 * LANES);
  const vec4 c0 = load(r2), c1 = load(r2 + LANES), c2 = load(r2 + 2 * LANES);
  const vec4 d0 = load(r3), d1 = load(r3 + LANES), d2 = load(r3 + 2 * LANES);
  for (size_t j = 0; j < p; j++) {
    double *to = g + j * width;
    store(to, load(to) + x0[j] * a0 + x1[j] * b0 + x2[j] * c0 + x3[j] * d0);
    store(to + LANES, load(to + LANES) + x0[j] * a1 + x1[j] * b1 + x2[j] * c1 + x3[j] * d1);
    store(to + 2 * LANES, load(to + 2 * LANES) + x0[j] * a2 + x1[j] * b2 + x2[j] * c2 + x3[j] * d2);
  }
}

static inline __attribute__((always_inline)) void add_two(size_t p, size_t width, const double *x,
                                                          const double *restrict r, double *restrict g)
{
  const double *x0 = x, *x1 = x0 + p, *x2 = x1 + p, *x3 = x2 + p;
  const double *r0 = r, *r1 = r0 + width, *r2 = r1 + width, *r3 = r2 + width;
  const vec4 a0 = load(r0), a1 = load(r0 + LANES), b0 = load(r1), b1 = load(r1 + LANES);
  const vec4 c0 = load(r2), c1 = load(r2 + LANES), d0 = load(r3), d1 = load(r3 + LANES);
  for (size_t j = 0; j < p; j++) {
    double *to = g + j * width;
    store(to, load(to) + x0[j] * a0 + x1[j] * b0 + x2[j] * c0 + x3[j] * d0);
    store(to + LANES, load(to + LANES) + x0[j] * a1 + x1[j] * b1 + x2[j] * c1 + x3[j] * d1);
  }
}

MN_CLONES(void, mn_thin_gradient,
          (size_t n, size_t p, size_t width, const double *restrict x, const double *restrict r, double *restrict g),
          (n, p, width, x, r, g))
{
  size_t i = 0;
  for (; i + ROWS <= n; i += ROWS) {
    const double *x0 = x + i * p, *x1 = x0 + p, *x2 = x1 + p, *x3 = x2 + p;
    const double *r0 = r + i * width, *r1 = r0 + width, *r2 = r1 + width, *r3 = r2 + width;
    size_t c = 0;
    for (; c + 3 * LANES <= width; c += 3 * LANES) add_three(p, width, x0, r0 + c, g + c);
    for (; c + 2 * LANES <= width; c += 2 * LANES) add_two(p, width, x0, r0 + c, g + c);
    for (; c < width; c += LANES) {
      const vec4 a = load(r0 + c), b = load(r1 + c), e = load(r2 + c), d = load(r3 + c);
      for (size_t j = 0; j < p; j++) {
        double *to = g + j * width + c;
        store(to, load(to) + x0[j] * a + x1[j] * b + x2[j] * e + x3[j] * d);
      }
    }
  }
  for (; i < n; i++)
    for (size_t c = 0; c < width; c += LANES) {
      const vec4 a = load(r + i * width + c);
      for (size_t j = 0; j < p; j++) {
        double *to = g + j * width + c;
        store(to, load(to) + x[i * p + j] * a);
      }
    }
}
