/* The gradient of a leaf by the rows on the left, on one tile. With S = dK / dleaf times the derivative of the leaf by
 * what it is computed from,
 *
 *     products x'y        sum_j S_ij y_j
 *     distances           sum_j S_ij (y_j - x_i), in the coordinates of the leaf
 *     other sums          coordinate by coordinate */
#include "../linalg/product.h"
#include "derivative.h"
#include <math.h>
#include <string.h>

/* The columns of `product`: sums over the tile for each row, the rows x width matrix S Y, and the packing buffers. */
enum { LEAST_WIDTH = 2 };

size_t mn_tile_coordinates_bytes(size_t width)
{
  const size_t bytes = mn_gemm_serial_bytes(MN_TILE_ROWS, width + LEAST_WIDTH, MN_TILE_COLS);
  return bytes + (MN_TILE_ROWS * (width + LEAST_WIDTH + 1) * sizeof(double) / 64 + 1) * 64;
}

struct tile {
  const mn_kernel *kernel;
  const mn_kernel_node *node;
  const mn_leaf_rows *left;
  const mn_tile *t;
  const mn_tile_values *v;
  mn_tile_rows rows;
  size_t d; /* columns of X */
  double *sum, *product;
};

static size_t column_of(const struct tile *s, size_t j)
{
  return s->node->columns > 0 ? (size_t)s->kernel->column[s->node->first_column + j] : j;
}

static double length_of(const struct tile *s, size_t j)
{
  const mn_hyperparameter *h = s->kernel->hyper + s->node->first;
  return h[mn_kernel_lengths(s->node) > 1 ? j : 0].value;
}

/* S, for the leaves that are functions of products or distances. */
static void find_factors(const struct tile *s, double *out)
{
  const mn_tile_values *v = s->v;
  const mn_hyperparameter *h = s->kernel->hyper + s->node->first;
  const size_t size = mn_tile_size(s->t);
  memcpy(out, v->factor, size * sizeof *out);
  if (mn_leaf_form_of(s->node->op) == MN_FORM_DISTANCE)
    mn_profile_multiply(size / MN_VECTOR_LANES, v->slope, out);
  else if (s->node->op == MN_KERNEL_POLYNOMIAL)
    for (size_t i = 0; i < size; i++)
      out[i] *= s->node->exponent * pow(h[0].value * v->base[i] + h[1].value, s->node->exponent - 1) * h[0].value;
  else if (s->node->op == MN_KERNEL_SIGMOID)
    for (size_t i = 0; i < size; i++) out[i] *= (1 - v->value[i] * v->value[i]) * h[0].value;
}

/* sum[i] = sum_j S_ij, times the value if the leaf is a cosine. */
static void sum_rows(const struct tile *s, const double *factors)
{
  for (size_t i = 0; i < s->t->rows; i++) {
    const double *f = factors + i * s->t->stride, *value = s->v->value + i * s->t->stride;
    s->sum[i] = 0;
    for (size_t j = 0; j < s->t->cols; j++) s->sum[i] += s->node->op == MN_KERNEL_COSINE ? f[j] * value[j] : f[j];
  }
}

/* From the gradient by the two coordinates on the circle, (cos(angle) - 1) / length and sin(angle) / length, to that by
 * the angle's x. */
static double periodic_chain(const struct tile *s, size_t j, const double *z, const double *g)
{
  const double period = s->kernel->hyper[s->node->first + s->node->count - 1].value;
  const double rate = 2 * 3.14159265358979323846 / period;
  return rate * (g[2 * j + 1] * (z[2 * j] + 1 / length_of(s, j)) - g[2 * j] * z[2 * j + 1]);
}

/* The length of row i of X in the columns of a cosine leaf; 1 for a row of zeros, whose gradient is 0. */
static double row_length(const struct tile *s, const mn_kernel_rows *rows, size_t i)
{
  double sum = 0;
  for (size_t j = 0; j < s->left->width; j++) {
    const double x = rows->x[i * rows->d + column_of(s, j)];
    sum += x * x;
  }
  return sum > 0 ? sqrt(sum) : INFINITY;
}

static void by_products(const struct tile *s, const mn_kernel_rows *rows, void *work, double *out)
{
  const mn_kernel_op op = s->node->op;
  const size_t width = s->left->width;
  const bool subtract = mn_leaf_form_of(op) == MN_FORM_DISTANCE || op == MN_KERNEL_COSINE;
  find_factors(s, s->v->work);
  if (subtract) sum_rows(s, s->v->work);
  mn_gemm_serial(false, false, s->t->rows, width, s->t->cols, 1, s->v->work, s->t->stride, s->rows.zb, width, 0,
                 s->product, width, work);
  for (size_t i = 0; i < s->t->rows; i++) {
    double *g = s->product + i * width;
    const double *z = s->left->z + (s->t->row0 + i) * width;
    const double scale = op == MN_KERNEL_COSINE ? 1 / row_length(s, rows, s->t->row0 + i) : 1;
    for (size_t j = 0; subtract && j < width; j++) g[j] -= s->sum[i] * z[j];
    if (op == MN_KERNEL_PERIODIC)
      for (size_t j = 0; j < width / 2; j++) out[i * s->d + column_of(s, j)] += periodic_chain(s, j, z, g);
    else
      for (size_t j = 0; j < width; j++)
        out[i * s->d + column_of(s, j)] += g[j] * (mn_kernel_types[op].lengths ? 1 / length_of(s, j) : scale);
  }
}

/* The derivative of a Laplacian or chi2 leaf by coordinate x of the left row, over its value. */
static double slope_at(const struct tile *s, size_t j, double x, double y)
{
  if (s->node->op == MN_KERNEL_LAPLACIAN) return (y > x ? 1 : y < x ? -1 : 0) / length_of(s, j);
  const double share = x + y > 0 ? (x - y) / (x + y) : 0;
  return -s->kernel->hyper[s->node->first].value * (2 * share - share * share);
}

static void by_coordinates(const struct tile *s, double *out)
{
  const size_t width = s->left->width;
  for (size_t i = 0; i < s->t->rows; i++) {
    const double *x = s->left->z + (s->t->row0 + i) * width;
    for (size_t b = 0; b < s->t->cols; b++) {
      const double factor = s->v->factor[i * s->t->stride + b] * s->v->value[i * s->t->stride + b];
      const double *y = s->rows.zb + b * width;
      for (size_t j = 0; j < width; j++) out[i * s->d + column_of(s, j)] += factor * slope_at(s, j, x[j], y[j]);
    }
  }
}

void mn_tile_coordinates(const mn_kernel_plan *plan, size_t node, const mn_tile *t, const mn_tile_work *w,
                         const mn_tile_values *v, void *product, double *out)
{
  const mn_kernel_node *n = &plan->kernel->node[node];
  const mn_leaf_form form = mn_leaf_form_of(n->op);
  const size_t width = plan->a.leaf[node].width;
  if (form == MN_FORM_NONE) return;
  struct tile s = { .kernel = plan->kernel,
                    .node = n,
                    .left = &plan->a.leaf[node],
                    .t = t,
                    .v = v,
                    .rows = mn_tile_gather(plan, node, t, w),
                    .d = plan->a.rows->d };
  s.sum = product;
  s.product = s.sum + MN_TILE_ROWS;
  const size_t used = (MN_TILE_ROWS * (width + 1) * sizeof(double) / 64 + 1) * 64;
  if (form == MN_FORM_COORDINATES)
    by_coordinates(&s, out);
  else
    by_products(&s, plan->a.rows, (char *)product + used, out);
}
