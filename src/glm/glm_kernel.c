#include "glm_kernel.h"
#include "../core/clones.h"
#include <math.h>

/* Head of an inverse link. */
#define LINK(name)                                                                                                     \
  MN_CLONES(size_t, name,                                                                                              \
            (double power, size_t n, const double *restrict eta, double *restrict mu, double *restrict complement,     \
             double *restrict dmu),                                                                                    \
            (power, n, eta, mu, complement, dmu))

LINK(mn_glm_identity)
{
  (void)power;
  for (size_t i = 0; i < n; i++) {
    mu[i] = eta[i];
    complement[i] = 1 - eta[i];
    dmu[i] = 1;
  }
  return 0;
}

LINK(mn_glm_log)
{
  (void)power;
  double bad = 0;
  for (size_t i = 0; i < n; i++) {
    const double e = fmin(fmax(eta[i], -MN_GLM_MAX_EXP_ETA), MN_GLM_MAX_EXP_ETA), m = exp(e);
    bad += eta[i] > MN_GLM_MAX_EXP_ETA ? 1 : 0; /* at the other end the mean is 0 to rounding */
    mu[i] = m;
    complement[i] = 1 - m;
    dmu[i] = m;
  }
  return (size_t)bad;
}

LINK(mn_glm_logit)
{
  (void)power;
  for (size_t i = 0; i < n; i++) {
    const double e = fmin(fmax(eta[i], -MN_GLM_MAX_EXP_ETA), MN_GLM_MAX_EXP_ETA), odds = exp(e), r = 1 / (1 + odds);
    mu[i] = odds * r;
    complement[i] = r;
    dmu[i] = odds * r * r;
  }
  return 0;
}

LINK(mn_glm_reciprocal)
{
  (void)power;
  double bad = 0;
  for (size_t i = 0; i < n; i++) {
    const int zero = fabs(eta[i]) < MN_GLM_MIN_ETA;
    const double m = 1 / (zero ? 1 : eta[i]);
    bad += zero ? 1 : 0;
    mu[i] = m;
    complement[i] = 1 - m;
    dmu[i] = -m * m;
  }
  return (size_t)bad;
}

LINK(mn_glm_sqrt)
{
  (void)power;
  double bad = 0;
  for (size_t i = 0; i < n; i++) {
    bad += eta[i] > MN_GLM_MIN_ETA ? 0 : 1;
    mu[i] = eta[i] * eta[i];
    complement[i] = 1 - eta[i] * eta[i];
    dmu[i] = 2 * eta[i];
  }
  return (size_t)bad;
}

LINK(mn_glm_power)
{
  double bad = 0;
  for (size_t i = 0; i < n; i++) {
    const int positive = eta[i] > MN_GLM_MIN_ETA;
    const double e = positive ? eta[i] : 1, m = pow(e, 1 / power);
    bad += positive ? 0 : 1;
    mu[i] = m;
    complement[i] = 1 - m;
    dmu[i] = m / (power * e);
  }
  return (size_t)bad;
}

/* Loop of a family. VARIANCE and UNIT (deviance of one observation) are in terms of a, m, r: y, mu, 1 - mu. */
#define FAMILY(name, VARIANCE, UNIT)                                                                                   \
  MN_CLONES(double, name,                                                                                              \
            (double parameter, size_t n, const double *restrict y, const double *restrict mu,                          \
             const double *restrict complement, const double *restrict dmu, const double *restrict w,                  \
             double *restrict score, double *restrict curvature),                                                      \
            (parameter, n, y, mu, complement, dmu, w, score, curvature))                                               \
  {                                                                                                                    \
    double total = 0;                                                                                                  \
    (void)parameter;                                                                                                   \
    for (size_t i = 0; i < n; i++) {                                                                                   \
      const double a = y[i], m = mu[i], r = complement[i], weight = w ? w[i] : 1;                                      \
      (void)r;                                                                                                         \
      const double slope = weight * dmu[i] / (VARIANCE);                                                               \
      score[i] = slope * (m - a);                                                                                      \
      curvature[i] = slope * dmu[i];                                                                                   \
      total += weight * (UNIT);                                                                                        \
    }                                                                                                                  \
    return total;                                                                                                      \
  }

/* a log(a / m), with limit 0 at a = 0 */
#define LOG_RATIO(a, m) ((a)*log(((a) > 0 ? (a) : 1) / (m)))

FAMILY(mn_glm_gaussian, 1, (a - m) * (a - m))
FAMILY(mn_glm_binomial, m *r, 2 * (LOG_RATIO(a, m) + LOG_RATIO(1 - a, r)))
FAMILY(mn_glm_poisson, m, 2 * (LOG_RATIO(a, m) - (a - m)))
FAMILY(mn_glm_gamma, m *m, 2 * ((a - m) / m - log(a / m)))
FAMILY(mn_glm_inverse_gaussian, m *m *m, (a - m) * (a - m) / (a * m * m))
FAMILY(mn_glm_tweedie, pow(m, parameter),
       2 * ((a > 0 ? pow(a > 0 ? a : 1, 2 - parameter) : 0) / ((1 - parameter) * (2 - parameter)) -
            a * pow(m, 1 - parameter) / (1 - parameter) + pow(m, 2 - parameter) / (2 - parameter)))
FAMILY(mn_glm_negative_binomial, m + m * m / parameter,
       2 * (LOG_RATIO(a, m) - (a + parameter) * log1p((a - m) / (m + parameter))))

MN_CLONES(size_t, mn_glm_count_outside, (size_t n, const double *restrict x, double low, double high),
          (n, x, low, high))
{
  double bad = 0;
  for (size_t i = 0; i < n; i++) bad += x[i] > low && x[i] < high ? 0 : 1;
  return (size_t)bad;
}
