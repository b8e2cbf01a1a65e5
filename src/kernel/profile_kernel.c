#include "profile_kernel.h"
#include <math.h>

/* The constant inner count avoids a remainder loop, which would compute values by another function than the rest. */
#define MN_PROFILE(name, parameters, arguments, expression)                                                            \
  MN_CLONES(void, name, parameters, arguments)                                                                         \
  {                                                                                                                    \
    for (size_t b = 0; b < blocks; b++, v += MN_VECTOR_LANES) {                                                        \
      double s[MN_VECTOR_LANES];                                                                                       \
      for (int i = 0; i < MN_VECTOR_LANES; i++) s[i] = v[i];                                                           \
      for (int i = 0; i < MN_VECTOR_LANES; i++) s[i] = (expression);                                                   \
      for (int i = 0; i < MN_VECTOR_LANES; i++) v[i] = s[i];                                                           \
    }                                                                                                                  \
  }

MN_PROFILE(mn_profile_rbf, (size_t blocks, double *v), (blocks, v), exp(-0.5 * s[i]))
MN_PROFILE(mn_profile_matern12, (size_t blocks, double *v), (blocks, v), exp(-sqrt(s[i])))
MN_PROFILE(mn_profile_matern32, (size_t blocks, double *v), (blocks, v), (1 + sqrt(3 * s[i])) * exp(-sqrt(3 * s[i])))
MN_PROFILE(mn_profile_matern52, (size_t blocks, double *v), (blocks, v),
           (1 + sqrt(5 * s[i]) + 5. / 3 * s[i]) * exp(-sqrt(5 * s[i])))
MN_PROFILE(mn_profile_rational, (size_t blocks, double alpha, double *v), (blocks, alpha, v),
           exp(-alpha *log1p(s[i] / (2 * alpha))))
MN_PROFILE(mn_profile_exp, (size_t blocks, double gamma, double *v), (blocks, gamma, v), exp(-gamma *s[i]))
MN_PROFILE(mn_profile_affine, (size_t blocks, double gamma, double coef0, double *v), (blocks, gamma, coef0, v),
           gamma *s[i] + coef0)

MN_CLONES(void, mn_profile_power, (size_t blocks, unsigned exponent, double *v), (blocks, exponent, v))
{
  for (size_t b = 0; b < blocks; b++, v += MN_VECTOR_LANES) {
    double base[MN_VECTOR_LANES], result[MN_VECTOR_LANES];
    for (int i = 0; i < MN_VECTOR_LANES; i++) base[i] = v[i], result[i] = 1;
    for (unsigned e = exponent; e > 0; e >>= 1) {
      if (e & 1)
        for (int i = 0; i < MN_VECTOR_LANES; i++) result[i] *= base[i];
      for (int i = 0; i < MN_VECTOR_LANES; i++) base[i] *= base[i];
    }
    for (int i = 0; i < MN_VECTOR_LANES; i++) v[i] = result[i];
  }
}

MN_CLONES(void, mn_profile_add, (size_t blocks, const double *b, double *a), (blocks, b, a))
{
  MN_INDEPENDENT
  for (size_t i = 0; i < blocks * MN_VECTOR_LANES; i++) a[i] += b[i];
}

MN_CLONES(void, mn_profile_multiply, (size_t blocks, const double *b, double *a), (blocks, b, a))
{
  MN_INDEPENDENT
  for (size_t i = 0; i < blocks * MN_VECTOR_LANES; i++) a[i] *= b[i];
}

MN_CLONES(size_t, mn_profile_distances, (size_t blocks, double norm2, const double *norms2, double *product),
          (blocks, norm2, norms2, product))
{
  double cancelled = 0;
  MN_INDEPENDENT
  for (size_t i = 0; i < blocks * MN_VECTOR_LANES; i++) {
    const double distance2 = norm2 + norms2[i] - 2 * product[i];
    cancelled += mn_is_cancelled(distance2, norm2, norms2[i]) ? 1 : 0;
    product[i] = distance2 > 0 ? distance2 : 0;
  }
  return (size_t)cancelled;
}

MN_CLONES(double, mn_profile_dot, (size_t n, const double *x, const double *y), (n, x, y))
{
  double sum = 0;
  for (size_t j = 0; j < n; j++) sum += x[j] * y[j];
  return sum;
}

MN_CLONES(void, mn_profile_dots, (size_t rows, size_t width, const double *x, const double *y, double *out),
          (rows, width, x, y, out))
{
  for (size_t j = 0; j < rows; j++, y += width) {
    double sum = 0;
    for (size_t l = 0; l < width; l++) sum += x[l] * y[l];
    out[j] = sum;
  }
}

MN_CLONES(double, mn_profile_distance2, (size_t n, const double *x, const double *y), (n, x, y))
{
  double sum = 0;
  for (size_t j = 0; j < n; j++) sum += (x[j] - y[j]) * (x[j] - y[j]);
  return sum;
}

MN_CLONES(void, mn_profile_add_absolute, (size_t blocks, double x, const double *y, double *out), (blocks, x, y, out))
{
  MN_INDEPENDENT
  for (size_t j = 0; j < blocks * MN_VECTOR_LANES; j++) out[j] += fabs(x - y[j]);
}

MN_CLONES(void, mn_profile_add_square, (size_t blocks, double x, const double *y, double *out), (blocks, x, y, out))
{
  MN_INDEPENDENT
  for (size_t j = 0; j < blocks * MN_VECTOR_LANES; j++) out[j] += (x - y[j]) * (x - y[j]);
}

MN_CLONES(void, mn_profile_add_chi2, (size_t blocks, double x, const double *y, double *out), (blocks, x, y, out))
{
  MN_INDEPENDENT
  for (size_t j = 0; j < blocks * MN_VECTOR_LANES; j++) {
    const double sum = x + y[j], difference = x - y[j];
    out[j] += sum > 0 ? difference * difference / sum : 0;
  }
}

MN_CLONES(void, mn_profile_add_turn,
          (size_t blocks, double rate, double x, double u, double v, const double *y, const double *us,
           const double *vs, double *out),
          (blocks, rate, x, u, v, y, us, vs, out))
{
  MN_INDEPENDENT
  for (size_t j = 0; j < blocks * MN_VECTOR_LANES; j++) out[j] += rate * (x - y[j]) * (u * vs[j] - v * us[j]);
}
