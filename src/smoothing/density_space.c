#include "density_space.h"
#include "../stats/special.h"
#include <math.h>

const char *const mn_density_metric_names[] = { "euclidean",   "manhattan", "chebyshev",   "minkowski", "cosine",
                                                "correlation", "hamming",   "mahalanobis", "haversine", NULL };

static const double PI = 3.14159265358979323846;

bool mn_metric_is_norm(int64_t metric)
{
  return metric <= MN_METRIC_MINKOWSKI || metric == MN_METRIC_MAHALANOBIS;
}

/* The integral over the unit sphere, by Simpson's rule in u = distance / h. */
static double sphere_integral(mn_kernel_shape shape, double h)
{
  enum { STEPS = 4000 };
  const double reach = mn_shape_is_compact(shape) ? 1 : 60, end = fmin(reach, PI / h), step = end / STEPS;
  double sum = 0;
  for (int i = 0; i < STEPS; i++) {
    const double u = i * step, mid = u + step / 2, next = fmin(u + step, end * (1 - 1e-15));
    sum += mn_shape_value(shape, u) * sin(h * u) + 4 * mn_shape_value(shape, mid) * sin(h * mid) +
           mn_shape_value(shape, next) * sin(h * next);
  }
  return 2 * PI * h * sum * step / 6;
}

/* Logarithm of the volume of the unit ball of a norm. */
static double log_ball(const mn_space *s)
{
  const double d = (double)s->d;
  switch (s->form) {
  case MN_FORM_MAX: return d * log(2);
  case MN_FORM_SUM: return d * log(2) - mn_lgamma(d + 1);
  case MN_FORM_POWERS: return d * (log(2) + mn_lgamma(1 + 1 / s->p)) - mn_lgamma(1 + d / s->p);
  default: return d / 2 * log(PI) - mn_lgamma(1 + d / 2);
  }
}

double mn_density_log_integral(const mn_space *s, mn_kernel_shape shape, double h)
{
  const double d = (double)s->d;
  double log_determinant = 0; /* of L, where V = L L' */
  if (s->kind == MN_METRIC_HAVERSINE) return log(sphere_integral(shape, h));
  if (!mn_metric_is_norm(s->kind)) return 0;
  for (size_t j = 0; j < s->whitening.rows; j++) log_determinant -= log(mn_row(&s->whitening, j)[j]);
  return log_determinant + d * log(h) + log(d) + log_ball(s) + mn_shape_log_moment(shape, (size_t)s->d);
}

static double beta(mn_rng *rng, double a, double b)
{
  const double x = mn_random_gamma(rng, a), y = mn_random_gamma(rng, b);
  return x > 0 ? x / (x + y) : 0;
}

/* A radius with density proportional to K(u) u^(d-1). The cosine is below 1 - u^2: rejection. */
static double draw_radius(mn_kernel_shape shape, double d, mn_rng *rng)
{
  switch (shape) {
  case MN_SHAPE_GAUSSIAN: return sqrt(2 * mn_random_gamma(rng, d / 2));
  case MN_SHAPE_EXPONENTIAL: return mn_random_gamma(rng, d);
  case MN_SHAPE_EPANECHNIKOV: return sqrt(beta(rng, d / 2, 2));
  case MN_SHAPE_LINEAR: return beta(rng, d, 2);
  case MN_SHAPE_BIWEIGHT: return sqrt(beta(rng, d / 2, 3));
  case MN_SHAPE_TRIWEIGHT: return sqrt(beta(rng, d / 2, 4));
  case MN_SHAPE_TRICUBE: return cbrt(beta(rng, d / 3, 4));
  case MN_SHAPE_COSINE:
    for (;;) {
      const double u = sqrt(beta(rng, d / 2, 2));
      if (mn_random_uniform(rng) * (1 - u * u) <= mn_shape_value(shape, u)) return u;
    }
  default: return pow(mn_random_uniform(rng), 1 / d);
  }
}

/* A random direction of norm 1, such that a radius times the direction is spread over balls evenly: components have
 * densities proportional to exp(-|x|^p). */
static void draw_direction(const mn_space *s, mn_rng *rng, double *v)
{
  const size_t d = (size_t)s->d;
  double norm = 0;
  while (!(norm > 0)) {
    norm = 0;
    for (size_t j = 0; j < d; j++) {
      double size = 0;
      switch (s->form) {
      case MN_FORM_MAX: size = mn_random_uniform(rng); break;
      case MN_FORM_SUM: size = mn_random_exponential(rng); break;
      case MN_FORM_POWERS: size = pow(mn_random_gamma(rng, 1 / s->p), 1 / s->p); break;
      default: size = fabs(mn_random_normal(rng)); break;
      }
      v[j] = mn_random_below(rng, 2) ? size : -size;
      if (s->form == MN_FORM_MAX)
        norm = fmax(norm, size);
      else
        norm += s->form == MN_FORM_SUM ? size : pow(size, s->form == MN_FORM_POWERS ? s->p : 2);
    }
  }
  if (s->form == MN_FORM_SQUARES) norm = sqrt(norm);
  if (s->form == MN_FORM_POWERS) norm = pow(norm, 1 / s->p);
  for (size_t j = 0; j < d; j++) v[j] /= norm;
}

void mn_density_draw(const mn_space *s, mn_kernel_shape shape, double h, mn_rng *rng, double *noise, double *row)
{
  const size_t d = (size_t)s->d;
  const double radius = h * draw_radius(shape, (double)d, rng);
  draw_direction(s, rng, noise);
  for (size_t j = 0; j < d; j++) { /* of mahalanobis: L noise, by substitution in inv(L) x = noise */
    for (size_t k = 0; k < j && s->whitening.at; k++) noise[j] -= mn_row(&s->whitening, j)[k] * noise[k];
    if (s->whitening.at) noise[j] /= mn_row(&s->whitening, j)[j];
  }
  for (size_t j = 0; j < d; j++) row[j] += radius * noise[j];
}
