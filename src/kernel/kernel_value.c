#include "kernel_value.h"
#include "../linalg/ordered.h"
#include <math.h>
#include <string.h>

/* One leaf, and the two rows. */
struct leaf {
  const mn_kernel *kernel;
  const mn_kernel_node *node;
  const mn_hyperparameter *hyper; /* lengths, then the others */
  size_t lengths, columns;
  const double *y, *x;
  double *g; /* of gradients: d k(y, x) / d x, a value for each column of X */
};

static struct leaf leaf_of(const mn_kernel *k, const mn_kernel_node *node, size_t d, const double *y, const double *x)
{
  struct leaf l = { .kernel = k, .node = node, .hyper = k->hyper + node->first, .y = y, .x = x };
  l.lengths = mn_kernel_lengths(node);
  l.columns = node->columns > 0 ? node->columns : d;
  return l;
}

static size_t column_of(const struct leaf *l, size_t j)
{
  return l->node->columns > 0 ? (size_t)l->kernel->column[l->node->first_column + j] : j;
}

/* Hyperparameter i after the lengths. */
static double other(const struct leaf *l, size_t i)
{
  return l->hyper[l->lengths + i].value;
}

static double length_of(const struct leaf *l, size_t j)
{
  return l->hyper[l->lengths > 1 ? j : 0].value;
}

static double product(const struct leaf *l, const double *a, const double *b)
{
  if (l->node->columns == 0) return mn_ordered_dot(l->columns, a, b);
  double sum = 0;
  for (size_t j = 0; j < l->columns; j++) sum += a[column_of(l, j)] * b[column_of(l, j)];
  return sum;
}

/* sum_j ((y_j - x_j) / l_j)^2 */
static double distance2(const struct leaf *l)
{
  double sum = 0;
  for (size_t j = 0; j < l->columns; j++) {
    const double apart = (l->y[column_of(l, j)] - l->x[column_of(l, j)]) / length_of(l, j);
    sum += apart * apart;
  }
  return sum;
}

static double absolute_distance(const struct leaf *l)
{
  double sum = 0;
  for (size_t j = 0; j < l->columns; j++) sum += fabs(l->y[column_of(l, j)] - l->x[column_of(l, j)]) / length_of(l, j);
  return sum;
}

/* sum_j (sin(pi (y_j - x_j) / period) / l_j)^2 */
static double periodic_distance(const struct leaf *l)
{
  double sum = 0;
  for (size_t j = 0; j < l->columns; j++) {
    const double angle = 3.141592653589793 * (l->y[column_of(l, j)] - l->x[column_of(l, j)]) / other(l, 0);
    const double apart = sin(angle) / length_of(l, j);
    sum += apart * apart;
  }
  return sum;
}

static double chi2_distance(const struct leaf *l)
{
  double sum = 0;
  for (size_t j = 0; j < l->columns; j++) {
    const double a = l->y[column_of(l, j)], b = l->x[column_of(l, j)];
    sum += a + b > 0 ? (a - b) * (a - b) / (a + b) : 0;
  }
  return sum;
}

static double cosine(const struct leaf *l)
{
  const double both = product(l, l->y, l->y) * product(l, l->x, l->x);
  return both > 0 ? product(l, l->y, l->x) / sqrt(both) : 0;
}

/* By expm1, which the programs have. */
static double hyperbolic_tangent(double z)
{
  const double e = expm1(-2 * fabs(z)), size = -e / (e + 2);
  return z < 0 ? -size : size;
}

double mn_kernel_whole_power(double exponent)
{
  enum { MAX_FACTORS = 16 };
  return exponent >= 1 && exponent <= MAX_FACTORS && exponent == floor(exponent) ? exponent : 0;
}

/* x^exponent; of small whole exponents a product, since compilers may replace pow(x, 2.0) by x * x in programs. */
static double power(double x, double exponent)
{
  const double factors = mn_kernel_whole_power(exponent);
  double result = x;
  for (double i = 1; i < factors; i++) result *= x;
  return factors > 0 ? result : pow(x, exponent);
}

static double leaf_value(const struct leaf *l)
{
  double r;
  switch (l->node->op) {
  case MN_KERNEL_LINEAR: return product(l, l->y, l->x);
  case MN_KERNEL_POLYNOMIAL: return power(other(l, 0) * product(l, l->y, l->x) + other(l, 1), l->node->exponent);
  case MN_KERNEL_SIGMOID: return hyperbolic_tangent(other(l, 0) * product(l, l->y, l->x) + other(l, 1));
  case MN_KERNEL_COSINE: return cosine(l);
  case MN_KERNEL_RBF: return exp(-0.5 * distance2(l));
  case MN_KERNEL_LAPLACIAN: return exp(-absolute_distance(l));
  case MN_KERNEL_OU:
  case MN_KERNEL_MATERN12: return exp(-sqrt(distance2(l)));
  case MN_KERNEL_MATERN32: r = sqrt(3.0 * distance2(l)); return (1.0 + r) * exp(-r);
  case MN_KERNEL_MATERN52: r = sqrt(5.0 * distance2(l)); return (1.0 + r + r * r / 3.0) * exp(-r);
  case MN_KERNEL_RATIONAL: return pow(1.0 + distance2(l) / (2.0 * other(l, 0)), -other(l, 0));
  case MN_KERNEL_PERIODIC: return exp(-2.0 * periodic_distance(l));
  case MN_KERNEL_CHI2: return exp(-(other(l, 0) * chi2_distance(l)));
  case MN_KERNEL_CONSTANT: return other(l, 0);
  default: return 0; /* white: the rows differ */
  }
}

static double value(const mn_kernel *k, size_t d, const double *y, const double *x)
{
  double stack[MN_KERNEL_MAX_NODES];
  size_t top = 0;
  stack[0] = 0;
  for (size_t m = 0; m < k->nodes; m++) {
    const mn_kernel_node *node = &k->node[m];
    if (node->op == MN_KERNEL_SUM || node->op == MN_KERNEL_PRODUCT) {
      top--;
      stack[top - 1] = node->op == MN_KERNEL_SUM ? stack[top - 1] + stack[top] : stack[top - 1] * stack[top];
    } else if (node->op == MN_KERNEL_POWER) {
      stack[top - 1] = power(stack[top - 1], node->exponent);
    } else {
      const struct leaf l = leaf_of(k, node, d, y, x);
      stack[top++] = leaf_value(&l);
    }
  }
  return stack[0];
}

bool mn_kernel_has_values(const mn_kernel *k)
{
  return !mn_kernel_has(k, MN_KERNEL_PRECOMPUTED) && !mn_kernel_has(k, MN_KERNEL_FUNCTION);
}

void mn_kernel_values(const mn_kernel *k, size_t d, size_t n, const double *y, const double *x, double *out)
{
  for (size_t i = 0; i < n; i++) out[i] = value(k, d, y + i * d, x);
}

/* --- derivatives by the columns of x --- */

/* g_j += factor * (y_j - x_j) / l_j^2, which is -factor / 2 times the derivative of r^2 = sum ((y_j - x_j) / l_j)^2 */
static void add_distance(const struct leaf *l, double factor)
{
  for (size_t j = 0; j < l->columns; j++) {
    const size_t c = column_of(l, j);
    l->g[c] += factor * (l->y[c] - l->x[c]) / (length_of(l, j) * length_of(l, j));
  }
}

/* Of kernels f(r^2): -2 f'. At r = 0 the derivative of exp(-r) does not exist; 0 is the mean of those of both sides. */
static double distance_factor(const struct leaf *l, double r2)
{
  const double r = sqrt(r2);
  switch (l->node->op) {
  case MN_KERNEL_RBF: return exp(-r2 / 2);
  case MN_KERNEL_OU:
  case MN_KERNEL_MATERN12: return r > 0 ? exp(-r) / r : 0;
  case MN_KERNEL_MATERN32: return 3 * exp(-sqrt(3.0) * r);
  case MN_KERNEL_MATERN52: return 5.0 / 3 * (1 + sqrt(5.0) * r) * exp(-sqrt(5.0) * r);
  default: return pow(1 + r2 / (2 * other(l, 0)), -other(l, 0) - 1); /* rational quadratic */
  }
}

static void add_product(const struct leaf *l, double factor)
{
  for (size_t j = 0; j < l->columns; j++) l->g[column_of(l, j)] += factor * l->y[column_of(l, j)];
}

static void add_laplacian(const struct leaf *l, double value)
{
  for (size_t j = 0; j < l->columns; j++) {
    const double apart = l->y[column_of(l, j)] - l->x[column_of(l, j)];
    l->g[column_of(l, j)] += value * (apart > 0 ? 1 : apart < 0 ? -1 : 0) / length_of(l, j);
  }
}

/* d/dx of -2 sin^2(pi (y - x) / p) / l^2 is 2 pi / p sin(2 pi (y - x) / p) / l^2 */
static void add_periodic(const struct leaf *l, double value)
{
  const double rate = 2 * M_PI / other(l, 0);
  for (size_t j = 0; j < l->columns; j++) {
    const size_t c = column_of(l, j);
    l->g[c] += value * rate * sin(rate * (l->y[c] - l->x[c])) / (length_of(l, j) * length_of(l, j));
  }
}

/* d/dx of (y - x)^2 / (x + y) is -(y - x) (3 y + x) / (x + y)^2 */
static void add_chi2(const struct leaf *l, double value)
{
  for (size_t j = 0; j < l->columns; j++) {
    const double a = l->y[column_of(l, j)], b = l->x[column_of(l, j)], sum = a + b;
    if (sum > 0) l->g[column_of(l, j)] += value * other(l, 0) * (a - b) * (3 * a + b) / (sum * sum);
  }
}

static void add_cosine(const struct leaf *l, double value)
{
  const double xx = product(l, l->x, l->x), both = xx * product(l, l->y, l->y);
  if (!(both > 0)) return;
  add_product(l, 1 / sqrt(both));
  for (size_t j = 0; j < l->columns; j++) l->g[column_of(l, j)] -= value * l->x[column_of(l, j)] / xx;
}

static void add_leaf(const struct leaf *l, double value)
{
  const double dot_factor = l->node->op == MN_KERNEL_POLYNOMIAL || l->node->op == MN_KERNEL_SIGMOID ? other(l, 0) : 1;
  switch (l->node->op) {
  case MN_KERNEL_LINEAR: add_product(l, 1); return;
  case MN_KERNEL_POLYNOMIAL: {
    const double base = dot_factor * product(l, l->y, l->x) + other(l, 1);
    add_product(l, dot_factor * l->node->exponent * pow(base, l->node->exponent - 1));
    return;
  }
  case MN_KERNEL_SIGMOID: add_product(l, dot_factor * (1 - value * value)); return;
  case MN_KERNEL_COSINE: add_cosine(l, value); return;
  case MN_KERNEL_RBF:
  case MN_KERNEL_OU:
  case MN_KERNEL_MATERN12:
  case MN_KERNEL_MATERN32:
  case MN_KERNEL_MATERN52:
  case MN_KERNEL_RATIONAL: add_distance(l, distance_factor(l, distance2(l))); return;
  case MN_KERNEL_LAPLACIAN: add_laplacian(l, value); return;
  case MN_KERNEL_PERIODIC: add_periodic(l, value); return;
  case MN_KERNEL_CHI2: add_chi2(l, value); return;
  default: return; /* constant, white */
  }
}

static double push_leaf(const mn_kernel *k, const mn_kernel_node *node, size_t d, const double *y, const double *x,
                        double *g)
{
  struct leaf l = leaf_of(k, node, d, y, x);
  const double at = leaf_value(&l);
  l.g = g;
  memset(g, 0, d * sizeof *g);
  add_leaf(&l, at);
  return at;
}

void mn_kernel_input_gradient(const mn_kernel *k, size_t d, const double *y, const double *x, double *work, double *g)
{
  double at[MN_KERNEL_MAX_NODES] = { 0 };
  size_t top = 0;
  for (size_t m = 0; m < k->nodes; m++) {
    const mn_kernel_node *node = &k->node[m];
    if (node->op < MN_KERNEL_SUM) {
      at[top] = push_leaf(k, node, d, y, x, work + top * d);
      top++;
      continue;
    }
    if (node->op != MN_KERNEL_POWER) top--;
    double *left = work + (top - 1) * d, *right = work + top * d;
    if (node->op == MN_KERNEL_POWER) {
      const double slope = node->exponent * pow(at[top - 1], node->exponent - 1);
      for (size_t j = 0; j < d; j++) left[j] *= slope;
      at[top - 1] = pow(at[top - 1], node->exponent);
    } else if (node->op == MN_KERNEL_PRODUCT) {
      for (size_t j = 0; j < d; j++) left[j] = left[j] * at[top] + at[top - 1] * right[j];
      at[top - 1] *= at[top];
    } else {
      for (size_t j = 0; j < d; j++) left[j] += right[j];
      at[top - 1] += at[top];
    }
  }
  memcpy(g, work, d * sizeof *g);
}
