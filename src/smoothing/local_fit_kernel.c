#include "local_fit_kernel.h"
#include "../core/clones.h"
#include <math.h>
#include <string.h>

MN_CLONES(void, mn_column_distances2,
          (size_t n, size_t d, const double *restrict z, const double *restrict q, double *restrict out),
          (n, d, z, q, out))
{
  memset(out, 0, n * sizeof *out);
  for (size_t j = 0; j < d; j++)
    for (size_t i = 0; i < n; i++) out[i] += (z[j * n + i] - q[j]) * (z[j * n + i] - q[j]);
}

/* w_i *= K(|z_i - q|) of a compact kernel; the shape is a constant in each call. */
static inline __attribute__((always_inline)) void multiply_shape(mn_kernel_shape shape, size_t n,
                                                                 const double *restrict z, double q, double *restrict w)
{
  for (size_t i = 0; i < n; i++) {
    const double u = fmin(fabs(z[i] - q), 1), v = 1 - u * u, c = 1 - u * u * u;
    double k;
    switch (shape) {
    case MN_SHAPE_EPANECHNIKOV: k = v; break;
    case MN_SHAPE_LINEAR: k = 1 - u; break;
    case MN_SHAPE_COSINE: k = u < 1 ? cos(1.57079632679489661923 * u) : 0; break;
    case MN_SHAPE_BIWEIGHT: k = v * v; break;
    case MN_SHAPE_TRIWEIGHT: k = v * v * v; break;
    case MN_SHAPE_TRICUBE: k = c * c * c; break;
    default: k = u < 1 ? 1 : 0; break;
    }
    w[i] *= k;
  }
}

static MN_CLONES(void, multiply_compact,
                 (mn_kernel_shape shape, size_t n, const double *restrict z, double q, double *restrict w),
                 (shape, n, z, q, w))
{
  switch (shape) {
  case MN_SHAPE_EPANECHNIKOV: multiply_shape(MN_SHAPE_EPANECHNIKOV, n, z, q, w); break;
  case MN_SHAPE_LINEAR: multiply_shape(MN_SHAPE_LINEAR, n, z, q, w); break;
  case MN_SHAPE_COSINE: multiply_shape(MN_SHAPE_COSINE, n, z, q, w); break;
  case MN_SHAPE_BIWEIGHT: multiply_shape(MN_SHAPE_BIWEIGHT, n, z, q, w); break;
  case MN_SHAPE_TRIWEIGHT: multiply_shape(MN_SHAPE_TRIWEIGHT, n, z, q, w); break;
  case MN_SHAPE_TRICUBE: multiply_shape(MN_SHAPE_TRICUBE, n, z, q, w); break;
  default: multiply_shape(MN_SHAPE_TOPHAT, n, z, q, w); break;
  }
}

/* w_i = exp(-(e_i - least)), in place of the exponents e_i; returns the least. */
static MN_CLONES(double, exponentials, (size_t n, double *restrict w), (n, w))
{
  double least = w[0];
  for (size_t i = 1; i < n; i++) least = fmin(least, w[i]);
  for (size_t i = 0; i < n; i++) w[i] = exp(least - w[i]);
  return least;
}

static MN_CLONES(void, sum_exponents,
                 (mn_kernel_shape shape, size_t n, size_t d, const double *restrict z, const double *restrict q,
                  double *restrict w),
                 (shape, n, d, z, q, w))
{
  memset(w, 0, n * sizeof *w);
  for (size_t j = 0; j < d; j++)
    if (shape == MN_SHAPE_GAUSSIAN)
      for (size_t i = 0; i < n; i++) w[i] += (z[j * n + i] - q[j]) * (z[j * n + i] - q[j]) / 2;
    else
      for (size_t i = 0; i < n; i++) w[i] += fabs(z[j * n + i] - q[j]);
}

double mn_product_kernel(mn_kernel_shape shape, size_t n, size_t d, const double *restrict z, const double *restrict q,
                         double *restrict w)
{
  if (!mn_shape_is_compact(shape)) {
    sum_exponents(shape, n, d, z, q, w);
    return -exponentials(n, w);
  }
  for (size_t i = 0; i < n; i++) w[i] = 1;
  for (size_t j = 0; j < d; j++) multiply_compact(shape, n, z + j * n, q[j], w);
  return 0;
}

MN_CLONES(void, mn_tricube_weights, (size_t n, const double *restrict distance2, double h2, double *restrict w),
          (n, distance2, h2, w))
{
  for (size_t i = 0; i < n; i++) {
    const double u = sqrt(fmin(distance2[i] / h2, 1)), v = 1 - u * u * u;
    w[i] = v * v * v;
  }
}

MN_CLONES(double, mn_multiply_weights, (size_t n, const double *restrict factor, double *restrict w), (n, factor, w))
{
  double largest = 0;
  for (size_t i = 0; i < n; i++) {
    w[i] *= factor[i];
    largest = fmax(largest, w[i]);
  }
  return largest;
}

MN_CLONES(double, mn_largest, (size_t n, const double *w), (n, w))
{
  double largest = 0;
  for (size_t i = 0; i < n; i++) largest = fmax(largest, w[i]);
  return largest;
}

MN_CLONES(double, mn_fast_dot, (size_t n, const double *restrict x, const double *restrict y), (n, x, y))
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

MN_CLONES(double, mn_fast_norm2, (size_t n, const double *restrict x, const double *restrict f), (n, x, f))
{
  double sum = 0;
  if (f)
    for (size_t i = 0; i < n; i++) sum += x[i] * x[i] * f[i];
  else
    for (size_t i = 0; i < n; i++) sum += x[i] * x[i];
  return sum;
}

/* y += a x */
static MN_CLONES(void, add_multiple, (size_t n, double a, const double *restrict x, double *restrict y), (n, a, x, y))
{
  for (size_t i = 0; i < n; i++) y[i] += a * x[i];
}

static MN_CLONES(void, product, (size_t n, const double *restrict x, const double *restrict y, double *restrict out),
                 (n, x, y, out))
{
  for (size_t i = 0; i < n; i++) out[i] = x[i] * y[i];
}

static MN_CLONES(void, scale, (size_t n, double a, double *restrict x), (n, a, x))
{
  for (size_t i = 0; i < n; i++) x[i] *= a;
}

/* A term whose part orthogonal to the earlier ones is below this fraction of its norm is dependent. */
static const double DEPENDENT = 1e-10;

/* Make v orthogonal to the `count` rows of the basis, and the value of its function at the point to match. */
static void orthogonalize(size_t m, size_t count, const double *basis, const double *value, double *v, double *at_point)
{
  for (int pass = 0; pass < 2; pass++)
    for (size_t k = 0; k < count; k++) {
      const double r = mn_fast_dot(m, basis + k * m, v);
      add_multiple(m, -r, basis + k * m, v);
      *at_point -= r * value[k];
    }
}

void mn_local_polynomial(size_t m, size_t terms, const double *restrict root, const double *restrict x, size_t ld,
                         const double *restrict at, const int32_t *parent, const int32_t *variable,
                         double *restrict basis, double *restrict value, double *restrict l)
{
  const double norm0 = sqrt(mn_fast_norm2(m, root, NULL));
  size_t kept = 1;
  memcpy(basis, root, m * sizeof *basis);
  scale(m, 1 / norm0, basis);
  value[0] = 1 / norm0;
  int32_t *place = (int32_t *)(void *)(value + terms); /* of each term in the basis, -1: dropped */
  place[0] = 0;
  for (size_t t = 1; t < terms; t++) {
    double *v = basis + kept * m;
    const int32_t from = place[parent[t]];
    place[t] = -1;
    if (from < 0 || kept == m) continue;
    product(m, basis + (size_t)from * m, x + (size_t)variable[t] * ld, v);
    double at_point = value[from] * at[variable[t]];
    const double before = mn_fast_norm2(m, v, NULL);
    orthogonalize(m, kept, basis, value, v, &at_point);
    const double after = mn_fast_norm2(m, v, NULL);
    if (!(after > DEPENDENT * DEPENDENT * before)) continue;
    scale(m, 1 / sqrt(after), v);
    value[kept] = at_point / sqrt(after);
    place[t] = (int32_t)kept++;
  }
  memset(l, 0, m * sizeof *l);
  for (size_t k = 0; k < kept; k++) add_multiple(m, value[k], basis + k * m, l);
  mn_multiply_weights(m, root, l);
}
