#include "density_sum_kernel.h"
#include "../core/clones.h"
#include <math.h>
#include <stdbool.h>

/* Below this the exponential is 0. */
#define LEAST_EXPONENT (-700.0)

/* One value; shape and squared are constants in each call. */
static inline __attribute__((always_inline)) double value(mn_kernel_shape shape, bool squared, double factor,
                                                          double shift, double r)
{
  const double scaled = factor * r;
  if (shape == MN_SHAPE_GAUSSIAN) {
    const double e = shift - (squared ? scaled : scaled * scaled) / 2;
    return e > LEAST_EXPONENT ? exp(e) : 0;
  }
  if (shape == MN_SHAPE_EXPONENTIAL) {
    const double e = shift - (squared ? sqrt(scaled) : scaled);
    return e > LEAST_EXPONENT ? exp(e) : 0;
  }
  const double u2 = fmin(squared ? scaled : scaled * scaled, 1), v = 1 - u2;
  switch (shape) {
  case MN_SHAPE_EPANECHNIKOV: return v;
  case MN_SHAPE_LINEAR: return 1 - sqrt(u2);
  case MN_SHAPE_COSINE: return u2 < 1 ? cos(1.57079632679489661923 * sqrt(u2)) : 0;
  case MN_SHAPE_BIWEIGHT: return v * v;
  case MN_SHAPE_TRIWEIGHT: return v * v * v;
  case MN_SHAPE_TRICUBE: {
    const double c = 1 - u2 * sqrt(u2);
    return c * c * c;
  }
  default: return u2 < 1 ? 1 : 0;
  }
}

static inline __attribute__((always_inline)) double sum_shape(mn_kernel_shape shape, const mn_scaled_shape *s, size_t n,
                                                              const double *restrict r, const double *restrict w)
{
  const double factor = s->factor, shift = s->shift;
  double sum = 0;
  if (s->squared && !w)
    for (size_t i = 0; i < n; i++) sum += value(shape, true, factor, shift, r[i]);
  else if (s->squared)
    for (size_t i = 0; i < n; i++) sum += w[i] * value(shape, true, factor, shift, r[i]);
  else if (!w)
    for (size_t i = 0; i < n; i++) sum += value(shape, false, factor, shift, r[i]);
  else
    for (size_t i = 0; i < n; i++) sum += w[i] * value(shape, false, factor, shift, r[i]);
  return sum;
}

MN_CLONES(double, mn_shape_sum,
          (const mn_scaled_shape *s, size_t n, const double *restrict r, const double *restrict w), (s, n, r, w))
{
  switch (s->shape) {
  case MN_SHAPE_GAUSSIAN: return sum_shape(MN_SHAPE_GAUSSIAN, s, n, r, w);
  case MN_SHAPE_EPANECHNIKOV: return sum_shape(MN_SHAPE_EPANECHNIKOV, s, n, r, w);
  case MN_SHAPE_EXPONENTIAL: return sum_shape(MN_SHAPE_EXPONENTIAL, s, n, r, w);
  case MN_SHAPE_LINEAR: return sum_shape(MN_SHAPE_LINEAR, s, n, r, w);
  case MN_SHAPE_COSINE: return sum_shape(MN_SHAPE_COSINE, s, n, r, w);
  case MN_SHAPE_BIWEIGHT: return sum_shape(MN_SHAPE_BIWEIGHT, s, n, r, w);
  case MN_SHAPE_TRIWEIGHT: return sum_shape(MN_SHAPE_TRIWEIGHT, s, n, r, w);
  case MN_SHAPE_TRICUBE: return sum_shape(MN_SHAPE_TRICUBE, s, n, r, w);
  default: return sum_shape(MN_SHAPE_TOPHAT, s, n, r, w);
  }
}

static inline __attribute__((always_inline)) void fill_shape(mn_kernel_shape shape, const mn_scaled_shape *s, size_t n,
                                                             const double *restrict r, double *restrict out)
{
  const double factor = s->factor, shift = s->shift;
  if (s->squared)
    for (size_t i = 0; i < n; i++) out[i] = value(shape, true, factor, shift, r[i]);
  else
    for (size_t i = 0; i < n; i++) out[i] = value(shape, false, factor, shift, r[i]);
}

MN_CLONES(void, mn_shape_values, (const mn_scaled_shape *s, size_t n, const double *restrict r, double *restrict out),
          (s, n, r, out))
{
  if (s->shape == MN_SHAPE_GAUSSIAN)
    fill_shape(MN_SHAPE_GAUSSIAN, s, n, r, out);
  else if (s->shape == MN_SHAPE_EXPONENTIAL)
    fill_shape(MN_SHAPE_EXPONENTIAL, s, n, r, out);
  else
    for (size_t i = 0; i < n; i++) out[i] = value(s->shape, s->squared, s->factor, s->shift, r[i]);
}
