#include "linear_loss.h"
#include <math.h>

static double hinge(double y, double z, double epsilon)
{
  (void)epsilon;
  return y * z <= 1 ? 1 - y * z : 0;
}

static double hinge_slope(double y, double z, double epsilon)
{
  (void)epsilon;
  return y * z <= 1 ? -y : 0;
}

/* Stable in both tails. */
static double log_loss(double y, double z, double epsilon)
{
  (void)epsilon;
  const double margin = y * z;
  return (margin < 0 ? -margin : 0) + log1p(exp(-fabs(margin)));
}

static double log_loss_slope(double y, double z, double epsilon)
{
  (void)epsilon;
  const double margin = y * z, rest = exp(-fabs(margin));
  return margin > 0 ? -y * rest / (1 + rest) : -y / (1 + rest);
}

static double log_loss_curvature(double y, double z, double epsilon)
{
  (void)epsilon;
  (void)y;
  const double rest = exp(-fabs(z));
  return rest / ((1 + rest) * (1 + rest));
}

static double modified_huber(double y, double z, double epsilon)
{
  (void)epsilon;
  const double margin = y * z;
  if (margin >= 1) return 0;
  return margin >= -1 ? (1 - margin) * (1 - margin) : -4 * margin;
}

static double modified_huber_slope(double y, double z, double epsilon)
{
  (void)epsilon;
  const double margin = y * z;
  if (margin >= 1) return 0;
  return margin >= -1 ? -2 * y * (1 - margin) : -4 * y;
}

static double modified_huber_curvature(double y, double z, double epsilon)
{
  (void)epsilon;
  return fabs(y * z) < 1 ? 2 : 0;
}

static double squared_hinge(double y, double z, double epsilon)
{
  (void)epsilon;
  const double shortfall = 1 - y * z;
  return shortfall > 0 ? shortfall * shortfall : 0;
}

static double squared_hinge_slope(double y, double z, double epsilon)
{
  (void)epsilon;
  const double shortfall = 1 - y * z;
  return shortfall > 0 ? -2 * y * shortfall : 0;
}

static double squared_hinge_curvature(double y, double z, double epsilon)
{
  (void)epsilon;
  return y * z < 1 ? 2 : 0;
}

static double perceptron(double y, double z, double epsilon)
{
  (void)epsilon;
  return y * z <= 0 ? -y * z : 0;
}

static double perceptron_slope(double y, double z, double epsilon)
{
  (void)epsilon;
  return y * z <= 0 ? -y : 0;
}

static double squared_error(double y, double z, double epsilon)
{
  (void)epsilon;
  return (z - y) * (z - y) / 2;
}

static double squared_error_slope(double y, double z, double epsilon)
{
  (void)epsilon;
  return z - y;
}

static double squared_error_curvature(double y, double z, double epsilon)
{
  (void)epsilon;
  (void)y;
  (void)z;
  return 1;
}

static double huber(double y, double z, double epsilon)
{
  const double distance = fabs(z - y);
  return distance <= epsilon ? distance * distance / 2 : epsilon * (distance - epsilon / 2);
}

static double huber_slope(double y, double z, double epsilon)
{
  const double rest = z - y;
  if (fabs(rest) <= epsilon) return rest;
  return rest > 0 ? epsilon : -epsilon;
}

static double huber_curvature(double y, double z, double epsilon)
{
  return fabs(z - y) <= epsilon ? 1 : 0;
}

/* Distance of z beyond the tube about y; negative inside. */
static double excess(double y, double z, double epsilon)
{
  return fabs(y - z) - epsilon;
}

static double epsilon_insensitive(double y, double z, double epsilon)
{
  return fmax(0, excess(y, z, epsilon));
}

static double epsilon_insensitive_slope(double y, double z, double epsilon)
{
  if (!(excess(y, z, epsilon) > 0)) return 0;
  return z > y ? 1 : -1;
}

static double squared_epsilon_insensitive(double y, double z, double epsilon)
{
  const double distance = epsilon_insensitive(y, z, epsilon);
  return distance * distance;
}

static double squared_epsilon_insensitive_slope(double y, double z, double epsilon)
{
  return 2 * epsilon_insensitive(y, z, epsilon) * (z > y ? 1 : -1);
}

static double squared_epsilon_insensitive_curvature(double y, double z, double epsilon)
{
  return excess(y, z, epsilon) > 0 ? 2 : 0;
}

static double quantile(double y, double z, double share)
{
  return y > z ? share * (y - z) : (1 - share) * (z - y);
}

static double quantile_slope(double y, double z, double share)
{
  if (y > z) return -share;
  return y < z ? 1 - share : 0;
}

static double absolute(double y, double z, double epsilon)
{
  (void)epsilon;
  return fabs(y - z);
}

static double absolute_slope(double y, double z, double epsilon)
{
  (void)epsilon;
  if (y > z) return -1;
  return y < z ? 1 : 0;
}

static double exponential(double y, double z, double epsilon)
{
  (void)epsilon;
  return exp(-y * z);
}

static double exponential_slope(double y, double z, double epsilon)
{
  (void)epsilon;
  return -y * exp(-y * z);
}

/* Half the deviance of a count y whose mean is exp(z). */
static double poisson(double y, double z, double epsilon)
{
  (void)epsilon;
  return exp(z) - y * z + (y > 0 ? y * log(y) - y : 0);
}

static double poisson_slope(double y, double z, double epsilon)
{
  (void)epsilon;
  return exp(z) - y;
}

static double poisson_curvature(double y, double z, double epsilon)
{
  (void)epsilon;
  (void)y;
  return exp(z);
}

const mn_linear_loss mn_linear_losses[MN_LOSSES] = {
  [MN_LOSS_HINGE] = { "hinge", hinge, hinge_slope, NULL, 0 },
  [MN_LOSS_LOG_LOSS] = { "log_loss", log_loss, log_loss_slope, log_loss_curvature, 0.25 },
  [MN_LOSS_MODIFIED_HUBER] = { "modified_huber", modified_huber, modified_huber_slope, modified_huber_curvature, 2 },
  [MN_LOSS_SQUARED_HINGE] = { "squared_hinge", squared_hinge, squared_hinge_slope, squared_hinge_curvature, 2 },
  [MN_LOSS_PERCEPTRON] = { "perceptron", perceptron, perceptron_slope, NULL, 0 },
  [MN_LOSS_SQUARED_ERROR] = { "squared_error", squared_error, squared_error_slope, squared_error_curvature, 1 },
  [MN_LOSS_HUBER] = { "huber", huber, huber_slope, huber_curvature, 1 },
  [MN_LOSS_EPSILON_INSENSITIVE] = { "epsilon_insensitive", epsilon_insensitive, epsilon_insensitive_slope, NULL, 0 },
  [MN_LOSS_SQUARED_EPSILON_INSENSITIVE] = { "squared_epsilon_insensitive", squared_epsilon_insensitive,
                                            squared_epsilon_insensitive_slope, squared_epsilon_insensitive_curvature,
                                            2 },
  [MN_LOSS_ABSOLUTE_ERROR] = { "absolute_error", absolute, absolute_slope, NULL, 0 },
  [MN_LOSS_QUANTILE] = { "quantile", quantile, quantile_slope, NULL, 0 },
  /* its second derivative is itself */
  [MN_LOSS_EXPONENTIAL] = { "exponential", exponential, exponential_slope, exponential, INFINITY },
  [MN_LOSS_POISSON] = { "poisson", poisson, poisson_slope, poisson_curvature, INFINITY },
};

const char *const mn_linear_loss_names[] = { "hinge",
                                             "log_loss",
                                             "modified_huber",
                                             "squared_hinge",
                                             "perceptron",
                                             "squared_error",
                                             "huber",
                                             "epsilon_insensitive",
                                             "squared_epsilon_insensitive",
                                             NULL };
