#include "kernel_shape.h"
#include "../stats/special.h"
#include <math.h>

const char *const mn_kernel_shape_names[] = { "gaussian", "tophat",   "epanechnikov", "exponential", "linear",
                                              "cosine",   "biweight", "triweight",    "tricube",     NULL };

static const double PI = 3.14159265358979323846;

bool mn_shape_is_compact(mn_kernel_shape shape)
{
  return shape != MN_SHAPE_GAUSSIAN && shape != MN_SHAPE_EXPONENTIAL;
}

static double cube(double x)
{
  return x * x * x;
}

double mn_shape_value(mn_kernel_shape shape, double u)
{
  if (shape == MN_SHAPE_GAUSSIAN) return exp(-u * u / 2);
  if (shape == MN_SHAPE_EXPONENTIAL) return exp(-u);
  if (!(u < 1)) return 0;
  switch (shape) {
  case MN_SHAPE_EPANECHNIKOV: return 1 - u * u;
  case MN_SHAPE_LINEAR: return 1 - u;
  case MN_SHAPE_COSINE: return cos(PI / 2 * u);
  case MN_SHAPE_BIWEIGHT: return (1 - u * u) * (1 - u * u);
  case MN_SHAPE_TRIWEIGHT: return cube(1 - u * u);
  case MN_SHAPE_TRICUBE: return cube(1 - cube(u));
  default: return 1;
  }
}

double mn_shape_variance(mn_kernel_shape shape)
{
  switch (shape) {
  case MN_SHAPE_TOPHAT: return 1.0 / 3;
  case MN_SHAPE_EPANECHNIKOV: return 1.0 / 5;
  case MN_SHAPE_EXPONENTIAL: return 2;
  case MN_SHAPE_LINEAR: return 1.0 / 6;
  case MN_SHAPE_COSINE: return 1 - 8 / (PI * PI);
  case MN_SHAPE_BIWEIGHT: return 1.0 / 7;
  case MN_SHAPE_TRIWEIGHT: return 1.0 / 9;
  case MN_SHAPE_TRICUBE: return 35.0 / 243;
  default: return 1;
  }
}

/* The probability of (0, u) for 0 <= u <= 1. */
static double compact_half(mn_kernel_shape shape, double u)
{
  const double u2 = u * u, u3 = u2 * u;
  switch (shape) {
  case MN_SHAPE_EPANECHNIKOV: return u * (3 - u2) / 4;
  case MN_SHAPE_LINEAR: return u * (1 - u / 2);
  case MN_SHAPE_COSINE: return sin(PI / 2 * u) / 2;
  case MN_SHAPE_BIWEIGHT: return 15.0 / 16 * u * (1 + u2 * (-2.0 / 3 + u2 / 5));
  case MN_SHAPE_TRIWEIGHT: return 35.0 / 32 * u * (1 + u2 * (-1 + u2 * (3.0 / 5 - u2 / 7)));
  case MN_SHAPE_TRICUBE: return 70.0 / 81 * u * (1 + u3 * (-3.0 / 4 + u3 * (3.0 / 7 - u3 / 10)));
  default: return u / 2;
  }
}

double mn_shape_cdf(mn_kernel_shape shape, double u)
{
  if (shape == MN_SHAPE_GAUSSIAN) return mn_normal_cdf(u);
  const double a = fabs(u), half = shape == MN_SHAPE_EXPONENTIAL ? (1 - exp(-a)) / 2 : compact_half(shape, fmin(a, 1));
  return u < 0 ? 0.5 - half : 0.5 + half;
}

/* Integral of cos(pi u / 2) u^(d-1) over 0..1, from the power series of the cosine. */
static double cosine_moment(double d)
{
  const double square = PI * PI / 4;
  double term = 1, sum = 0;
  for (size_t j = 0; j < 20; j++) {
    sum += term / (d + (double)(2 * j));
    term *= -square / ((double)(2 * j + 1) * (double)(2 * j + 2));
  }
  return sum;
}

double mn_shape_log_moment(mn_kernel_shape shape, size_t size)
{
  const double d = (double)size;
  switch (shape) {
  case MN_SHAPE_GAUSSIAN: return (d / 2 - 1) * log(2) + mn_lgamma(d / 2);
  case MN_SHAPE_EPANECHNIKOV: return log(2 / (d * (d + 2)));
  case MN_SHAPE_EXPONENTIAL: return mn_lgamma(d);
  case MN_SHAPE_LINEAR: return -log(d * (d + 1));
  case MN_SHAPE_COSINE: return log(cosine_moment(d));
  case MN_SHAPE_BIWEIGHT: return mn_lbeta(d / 2, 3) - log(2);
  case MN_SHAPE_TRIWEIGHT: return mn_lbeta(d / 2, 4) - log(2);
  case MN_SHAPE_TRICUBE: return mn_lbeta(d / 3, 4) - log(3);
  default: return -log(d);
  }
}

double mn_shape_log_integral(mn_kernel_shape shape, size_t d)
{
  const double n = (double)d, log_sphere = log(2) + n / 2 * log(PI) - mn_lgamma(n / 2);
  return log_sphere + mn_shape_log_moment(shape, d);
}
