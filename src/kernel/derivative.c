#include "derivative.h"
#include <math.h>
#include <string.h>

/* -2 times the derivative of a leaf by its squared distance, as r^2 has derivative -2 r^2 by the logarithm of a length;
 * of a Laplacian kernel, minus its derivative by the sum. */
static double slope_of(const mn_kernel_node *node, const mn_hyperparameter *h, double value, double base)
{
  const double r = sqrt(base);
  switch (node->op) {
  case MN_KERNEL_OU:
  case MN_KERNEL_MATERN12: return r > 0 ? value / r : 0;
  case MN_KERNEL_MATERN32: return 3 * exp(-sqrt(3.) * r);
  case MN_KERNEL_MATERN52: return 5. / 3 * (1 + sqrt(5.) * r) * exp(-sqrt(5.) * r);
  case MN_KERNEL_RATIONAL: {
    const double alpha = h[node->count - 1].value;
    return value / (1 + base / (2 * alpha));
  }
  default: return value;
  }
}

/* Coordinate j of the row as the leaf sees it. */
static double coordinate(const mn_leaf_rows *rows, size_t i, size_t j)
{
  const mn_csr *s = rows->sparse;
  if (!s) return rows->z[i * rows->width + j];
  for (size_t e = s->start[i]; e < s->start[i + 1] && (size_t)s->col[e] <= j; e++)
    if ((size_t)s->col[e] == j) return s->at[e];
  return 0;
}

/* out += |x_j - y_j|, or its square, for all pairs of the tile. */
static void add_coordinate(const mn_kernel_plan *p, size_t node, size_t j, const mn_tile *t, const mn_tile_work *w,
                           double *out)
{
  const bool absolute = p->kernel->node[node].op == MN_KERNEL_LAPLACIAN;
  const size_t blocks = t->stride / MN_VECTOR_LANES;
  for (size_t b = 0; b < t->cols; b++) w->by_column[b] = coordinate(&p->b.leaf[node], mn_tile_column(t, b), j);
  for (size_t a = 0; a < t->rows; a++) {
    const double x = coordinate(&p->a.leaf[node], mn_tile_row(t, a), j);
    if (absolute)
      mn_profile_add_absolute(blocks, x, w->by_column, out + a * t->stride);
    else
      mn_profile_add_square(blocks, x, w->by_column, out + a * t->stride);
  }
}

void mn_tile_slope(const mn_kernel *k, const mn_kernel_node *node, size_t size, const double *value, const double *base,
                   double *out)
{
  if (node->op == MN_KERNEL_RBF || node->op == MN_KERNEL_PERIODIC || node->op == MN_KERNEL_LAPLACIAN) {
    memcpy(out, value, size * sizeof *out);
    return;
  }
  for (size_t i = 0; i < size; i++) out[i] = slope_of(node, k->hyper + node->first, value[i], base[i]);
}

/* By one length: the share of its column, or of all columns, times the slope. */
static void by_length(const mn_kernel_plan *p, size_t node, size_t j, bool shared, const mn_tile *t,
                      const mn_tile_work *w, const double *base, const double *slope, double *out)
{
  const mn_kernel_node *n = &p->kernel->node[node];
  const size_t size = mn_tile_size(t);
  if (shared) {
    memcpy(out, base, size * sizeof *out);
  } else {
    memset(out, 0, size * sizeof *out);
    add_coordinate(p, node, n->op == MN_KERNEL_PERIODIC ? 2 * j : j, t, w, out);
    if (n->op == MN_KERNEL_PERIODIC) add_coordinate(p, node, 2 * j + 1, t, w, out);
  }
  mn_profile_multiply(size / MN_VECTOR_LANES, slope, out);
}

/* d log K / d log period = sum_j angle_j sin(angle_j) / l_j^2, with the angle 2 pi (x_j - y_j) / period. The sine is
 * that of the difference of two angles, whose sine and cosine - 1 over l_j are the coordinates of the leaf. */
static void by_period(const mn_kernel_plan *p, size_t node, const mn_tile *t, const mn_tile_work *w,
                      const double *value, double *out)
{
  const mn_kernel_node *n = &p->kernel->node[node];
  const mn_hyperparameter *h = p->kernel->hyper + n->first;
  const mn_leaf_rows *left = &p->a.leaf[node], *right = &p->b.leaf[node];
  const mn_leaf_rows all_left = { .width = p->a.rows->d, .z = p->a.rows->x, .sparse = p->a.rows->sparse },
                     all_right = { .width = p->b.rows->d, .z = p->b.rows->x, .sparse = p->b.rows->sparse };
  const double rate = 2 * 3.14159265358979323846 / h[n->count - 1].value;
  double *y = w->by_column, *u = y + t->stride, *v = u + t->stride;
  memset(out, 0, mn_tile_size(t) * sizeof *out);
  for (size_t j = 0; 2 * j < left->width; j++) {
    const size_t column = n->columns > 0 ? (size_t)p->kernel->column[n->first_column + j] : j;
    const double one = 1 / h[n->count > 2 ? j : 0].value;
    for (size_t b = 0; b < t->cols; b++) {
      const size_t row = mn_tile_column(t, b);
      y[b] = coordinate(&all_right, row, column);
      u[b] = coordinate(right, row, 2 * j + 1);
      v[b] = coordinate(right, row, 2 * j) + one;
    }
    for (size_t a = 0; a < t->rows; a++) {
      const size_t row = mn_tile_row(t, a);
      mn_profile_add_turn(t->stride / MN_VECTOR_LANES, rate, coordinate(&all_left, row, column),
                          coordinate(left, row, 2 * j + 1), coordinate(left, row, 2 * j) + one, y, u, v,
                          out + a * t->stride);
    }
  }
  mn_profile_multiply(mn_tile_size(t) / MN_VECTOR_LANES, value, out);
}

double mn_leaf_extra_derivative(const mn_kernel_node *node, const mn_hyperparameter *h, size_t extra, double value,
                                double base)
{
  switch (node->op) {
  case MN_KERNEL_POLYNOMIAL: {
    const double inner = h[0].value * base + h[1].value;
    return node->exponent * pow(inner, node->exponent - 1) * (extra == 0 ? h[0].value * base : h[1].value);
  }
  case MN_KERNEL_SIGMOID: return (1 - value * value) * (extra == 0 ? h[0].value * base : h[1].value);
  case MN_KERNEL_CHI2: return -h[0].value * base * value;
  case MN_KERNEL_RATIONAL: {
    const double alpha = h[node->count - 1].value, u = base / (2 * alpha);
    return value * alpha * (u / (1 + u) - log1p(u));
  }
  default: return value; /* white and constant */
  }
}

void mn_tile_derivative(const mn_kernel_plan *plan, size_t node, size_t p, const mn_tile *t, const mn_tile_work *w,
                        const double *value, const double *base, const double *slope, double *out)
{
  const mn_kernel_node *n = &plan->kernel->node[node];
  const size_t lengths = mn_kernel_lengths(n);
  if (p < lengths)
    by_length(plan, node, p, lengths == 1, t, w, base, slope, out);
  else if (n->op == MN_KERNEL_PERIODIC)
    by_period(plan, node, t, w, value, out);
  else if (n->op == MN_KERNEL_CONSTANT || n->op == MN_KERNEL_WHITE)
    memcpy(out, value, mn_tile_size(t) * sizeof *out);
  else
    for (size_t i = 0; i < mn_tile_size(t); i++)
      out[i] = mn_leaf_extra_derivative(n, plan->kernel->hyper + n->first, p - lengths, value[i], base[i]);
}

void mn_tile_multiply_power_derivative(double exponent, size_t size, const double *value, double *out)
{
  for (size_t i = 0; i < size; i++)
    out[i] *= exponent < 1 && !(value[i] > 0) ? 0 : exponent * pow(value[i], exponent - 1);
}
