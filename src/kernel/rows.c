/* The rows as each leaf sees them: its columns, about an origin, divided by its lengths. */
#include "evaluate.h"
#include <math.h>
#include <string.h>

enum { ORIGIN_ROWS = 1024 };

mn_leaf_form mn_leaf_form_of(mn_kernel_op op)
{
  switch (op) {
  case MN_KERNEL_LINEAR:
  case MN_KERNEL_POLYNOMIAL:
  case MN_KERNEL_SIGMOID:
  case MN_KERNEL_COSINE: return MN_FORM_PRODUCT;
  case MN_KERNEL_RBF:
  case MN_KERNEL_OU:
  case MN_KERNEL_MATERN12:
  case MN_KERNEL_MATERN32:
  case MN_KERNEL_MATERN52:
  case MN_KERNEL_RATIONAL:
  case MN_KERNEL_PERIODIC: return MN_FORM_DISTANCE;
  case MN_KERNEL_LAPLACIAN:
  case MN_KERNEL_CHI2: return MN_FORM_COORDINATES;
  default: return MN_FORM_NONE;
  }
}

/* How one leaf reads rows. */
struct reader {
  const mn_kernel *kernel;
  const mn_kernel_node *node;
  size_t columns; /* that it reads */
  double *scale;  /* columns: 1 / length, or 1 */
  double *origin; /* columns; all 0 if sparse */
  int32_t *place; /* of each column of X, in the columns of the leaf; -1: not used */
  double period;  /* > 0: a column becomes two, cos - 1 and sin of its angle */
};

static size_t column_of(const struct reader *r, size_t j)
{
  return r->node->columns > 0 ? (size_t)r->kernel->column[r->node->first_column + j] : j;
}

static size_t width_of(const struct reader *r)
{
  return r->period > 0 ? 2 * r->columns : r->columns;
}

/* The mean of the first rows: distances do not depend on it, but their rounding errors do. */
static void find_origin(const struct reader *r, const mn_kernel_rows *rows)
{
  const size_t n = rows->n < ORIGIN_ROWS ? rows->n : ORIGIN_ROWS;
  for (size_t j = 0; j < r->columns; j++) {
    double mean = 0;
    for (size_t i = 0; i < n; i++) mean += (rows->x[i * rows->d + column_of(r, j)] - mean) / (double)(i + 1);
    r->origin[j] = mean;
  }
}

static mn_status new_reader(mn_context *ctx, const mn_kernel *k, const mn_kernel_node *node, const mn_kernel_rows *rows,
                            struct reader *r)
{
  const mn_hyperparameter *h = k->hyper + node->first;
  const bool has_lengths = mn_kernel_types[node->op].lengths;
  *r = (struct reader){ .kernel = k, .node = node, .columns = node->columns > 0 ? node->columns : rows->d };
  r->scale = MN_RAW(ctx, double, r->columns, 1);
  r->origin = MN_NEW(ctx, double, r->columns, 1);
  r->place = MN_RAW(ctx, int32_t, rows->d, 1);
  if (!r->scale || !r->origin || !r->place) return MN_NO_MEMORY;
  if (node->op == MN_KERNEL_PERIODIC) r->period = h[node->count - 1].value;
  const size_t lengths = mn_kernel_lengths(node);
  for (size_t j = 0; j < r->columns; j++) r->scale[j] = has_lengths ? 1 / h[lengths > 1 ? j : 0].value : 1;
  for (size_t j = 0; j < rows->d; j++) r->place[j] = -1;
  for (size_t j = 0; j < r->columns; j++) r->place[column_of(r, j)] = (int32_t)j;
  if (has_lengths && !rows->sparse) find_origin(r, rows);
  return MN_OK;
}

/* Write one value, or its two coordinates on the circle: |u - v|^2 = 2 - 2 cos(angle), and 0 stays 0. */
static void read_value(const struct reader *r, size_t j, double x, double *out)
{
  if (!(r->period > 0)) {
    *out = (x - r->origin[j]) * r->scale[j];
    return;
  }
  const double half = 3.14159265358979323846 * (fmod(x - r->origin[j], r->period) / r->period), sine = sin(half);
  out[0] = -2 * sine * sine * r->scale[j];
  out[1] = 2 * sine * cos(half) * r->scale[j];
}

/* Whether the rows can be used as they are. */
static bool reads_all(const struct reader *r)
{
  const mn_kernel_op op = r->node->op;
  return r->node->columns == 0 && !mn_kernel_types[op].lengths && op != MN_KERNEL_COSINE;
}

static mn_status read_dense(mn_context *ctx, const struct reader *r, const mn_kernel_rows *rows, mn_leaf_rows *out)
{
  const size_t step = r->period > 0 ? 2 : 1;
  out->z = rows->x;
  if (reads_all(r)) return MN_OK;
  double *z = MN_RAW(ctx, double, rows->n, out->width);
  MN_CHECK_ALLOC(z);
  for (size_t i = 0; i < rows->n; i++) {
    if (i % 1024 == 0) MN_TRY(mn_poll(ctx));
    for (size_t j = 0; j < r->columns; j++)
      read_value(r, j, rows->x[i * rows->d + column_of(r, j)], z + i * out->width + step * j);
  }
  out->z = z;
  return MN_OK;
}

static mn_status read_sparse(mn_context *ctx, const struct reader *r, const mn_csr *from, mn_leaf_rows *out)
{
  const size_t step = r->period > 0 ? 2 : 1, nonzeros = from->start[from->rows];
  mn_csr *to = MN_NEW(ctx, mn_csr, 1, 1);
  MN_CHECK_ALLOC(to);
  out->sparse = from;
  if (reads_all(r)) return MN_OK;
  *to = (mn_csr){ .rows = from->rows,
                  .cols = out->width,
                  .start = MN_NEW(ctx, size_t, from->rows + 1, 1),
                  .col = MN_RAW(ctx, int32_t, nonzeros, step),
                  .at = MN_RAW(ctx, double, nonzeros, step) };
  if (!to->start || !to->col || !to->at) return MN_NO_MEMORY;
  for (size_t i = 0; i < from->rows; i++) {
    size_t next = to->start[i];
    for (size_t e = from->start[i]; e < from->start[i + 1]; e++) {
      const int32_t place = r->place[from->col[e]];
      if (place < 0) continue;
      read_value(r, (size_t)place, from->at[e], to->at + next);
      for (size_t s = 0; s < step; s++) to->col[next++] = (int32_t)((size_t)place * step + s);
    }
    if (r->node->columns > 0 && step == 1)
      mn_csr_sort_row(to->col + to->start[i], to->at + to->start[i], next - to->start[i]);
    to->start[i + 1] = next;
  }
  if (r->node->columns > 0 && step == 2)
    for (size_t i = 0; i < to->rows; i++)
      mn_csr_sort_row(to->col + to->start[i], to->at + to->start[i], to->start[i + 1] - to->start[i]);
  out->sparse = to;
  return MN_OK;
}

/* The values of row i, dense or sparse. */
static double *row_values(const mn_leaf_rows *leaf, size_t i, size_t *n)
{
  const mn_csr *s = leaf->sparse;
  *n = s ? s->start[i + 1] - s->start[i] : leaf->width;
  return s ? s->at + s->start[i] : (double *)leaf->z + i * leaf->width;
}

/* Divide the rows of a cosine kernel, which are copies, by their lengths, without overflow. */
static void normalize_rows(const mn_leaf_rows *leaf, size_t n, double *norm2)
{
  for (size_t i = 0; i < n; i++) {
    size_t size;
    double *v = row_values(leaf, i, &size), largest = 0, sum = 0;
    for (size_t j = 0; j < size; j++) largest = fmax(largest, fabs(v[j]));
    norm2[i] = largest > 0;
    if (!(largest > 0)) continue;
    for (size_t j = 0; j < size; j++) v[j] /= largest;
    for (size_t j = 0; j < size; j++) sum += v[j] * v[j];
    for (size_t j = 0; j < size; j++) v[j] /= sqrt(sum);
  }
}

static mn_status find_norms(mn_context *ctx, const mn_leaf_rows *leaf, size_t n, double *norm2)
{
  for (size_t i = 0; i < n; i++) {
    size_t size;
    const double *v = row_values(leaf, i, &size);
    double sum = 0;
    for (size_t j = 0; j < size; j++) sum += v[j] * v[j];
    norm2[i] = sum;
    if (!(sum < 1e300))
      return mn_fail(ctx, MN_BAD_DATA,
                     "kernel: row %zu of X is too large, its squares overflow; scale the columns of X", i + 1);
  }
  return MN_OK;
}

static mn_status check_not_negative(mn_context *ctx, const mn_leaf_rows *leaf, size_t n)
{
  char number[MN_NUMBER_SIZE];
  for (size_t i = 0; i < n; i++) {
    size_t size;
    const double *v = row_values(leaf, i, &size);
    for (size_t j = 0; j < size; j++)
      if (v[j] < 0)
        return mn_fail(ctx, MN_BAD_DATA, "kernel chi2: X must be >= 0, got %s in row %zu",
                       mn_format_number(number, v[j]), i + 1);
  }
  return MN_OK;
}

static mn_status read_rows(mn_context *ctx, const struct reader *r, const mn_kernel_rows *rows, mn_leaf_rows *out)
{
  *out = (mn_leaf_rows){ .width = width_of(r) };
  MN_TRY(rows->sparse ? read_sparse(ctx, r, rows->sparse, out) : read_dense(ctx, r, rows, out));
  if (r->node->op == MN_KERNEL_CHI2) MN_TRY(check_not_negative(ctx, out, rows->n));
  double *norm2 = MN_RAW(ctx, double, rows->n, 1);
  MN_CHECK_ALLOC(norm2);
  out->norm2 = norm2;
  if (r->node->op != MN_KERNEL_COSINE) return find_norms(ctx, out, rows->n, norm2);
  normalize_rows(out, rows->n, norm2);
  return MN_OK;
}

mn_status mn_kernel_prepare(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *a, const mn_kernel_rows *b,
                            mn_kernel_side *left, mn_kernel_side *right)
{
  *left = (mn_kernel_side){ .rows = a, .leaf = MN_NEW(ctx, mn_leaf_rows, k->nodes, 1) };
  *right = a == b ? *left : (mn_kernel_side){ .rows = b, .leaf = MN_NEW(ctx, mn_leaf_rows, k->nodes, 1) };
  if (!left->leaf || !right->leaf) return MN_NO_MEMORY;
  for (size_t i = 0; i < k->nodes; i++) {
    if (mn_leaf_form_of(k->node[i].op) == MN_FORM_NONE) continue;
    struct reader r;
    MN_TRY(new_reader(ctx, k, &k->node[i], b, &r));
    MN_TRY(read_rows(ctx, &r, b, &right->leaf[i]));
    if (a != b) MN_TRY(read_rows(ctx, &r, a, &left->leaf[i]));
  }
  return MN_OK;
}
