/* One tile of a kernel matrix: what each leaf is computed from, its value, and the expression. */
#include "evaluate.h"
#include "../linalg/product.h"
#include "function.h"
#include <math.h>
#include <string.h>

enum {
  CHUNK = 64,      /* columns of X that are transposed at a time                 */
  LEAST_CHUNK = 3, /* columns in which derivative.c works                     */
  FEW_ROWS = 4,    /* of a plan, for which packing the other rows does not pay */
  WIDE = 8         /* columns from which single dot products are fast          */
};

mn_status mn_tile_work_new(mn_context *ctx, const mn_kernel_plan *p, size_t tiles, size_t workers, mn_tile_work **work)
{
  const size_t bytes = mn_gemm_serial_bytes(p->tile_rows, p->tile_cols, p->width),
               stride = mn_tile_stride(p->tile_cols),
               chunk = p->width < LEAST_CHUNK ? LEAST_CHUNK
                       : p->width < CHUNK     ? p->width
                                              : CHUNK;
  const bool dense = p->b.rows->x != NULL;
  mn_tile_work *w = MN_NEW(ctx, mn_tile_work, workers, 1);
  MN_CHECK_ALLOC(w);
  for (size_t i = 0; i < workers; i++) {
    w[i].size = p->tile_rows * stride;
    w[i].stack = MN_NEW(ctx, double, tiles, w[i].size);
    w[i].za = MN_NEW(ctx, double, dense ? p->tile_rows : 1, p->width);
    w[i].zb = MN_RAW(ctx, double, dense ? p->tile_cols : 1, p->width);
    w[i].norm_b = MN_NEW(ctx, double, stride, 1);
    w[i].by_column = MN_NEW(ctx, double, stride, chunk);
    w[i].product = MN_RAW(ctx, char, bytes, 1);
    if (!w[i].stack || !w[i].za || !w[i].zb || !w[i].norm_b || !w[i].by_column || !w[i].product) return MN_NO_MEMORY;
  }
  *work = w;
  return MN_OK;
}

mn_tile_rows mn_tile_gather(const mn_kernel_plan *p, size_t node, const mn_tile *t, const mn_tile_work *w)
{
  const mn_leaf_rows *a = &p->a.leaf[node], *b = &p->b.leaf[node];
  for (size_t j = 0; j < t->cols; j++) w->norm_b[j] = b->norm2[mn_tile_column(t, j)];
  if (!b->z) return (mn_tile_rows){ .norm_b = w->norm_b };
  mn_tile_rows rows = { .za = a->z + t->row0 * a->width, .zb = b->z + t->column0 * b->width, .norm_b = w->norm_b };
  if (t->row) {
    for (size_t i = 0; i < t->rows; i++)
      memcpy(w->za + i * a->width, a->z + t->row[i] * a->width, a->width * sizeof *w->za);
    rows.za = w->za;
  }
  if (t->column) {
    for (size_t j = 0; j < t->cols; j++)
      memcpy(w->zb + j * b->width, b->z + t->column[j] * b->width, b->width * sizeof *w->zb);
    rows.zb = w->zb;
  }
  return rows;
}

static double sparse_term(mn_kernel_op op, double x, double y)
{
  const double difference = x - y;
  if (op == MN_KERNEL_LAPLACIAN) return fabs(difference);
  if (op == MN_KERNEL_CHI2) return x + y > 0 ? difference * difference / (x + y) : 0;
  return difference * difference;
}

/* |a - b|^2 of two sparse rows, and other sums over the columns where either is not zero. */
static double sparse_sum(mn_kernel_op op, const mn_csr *a, size_t i, const mn_csr *b, size_t j)
{
  size_t p = a->start[i], q = b->start[j];
  const size_t p_end = a->start[i + 1], q_end = b->start[j + 1];
  double sum = 0;
  while (p < p_end || q < q_end) {
    const int32_t left = p < p_end ? a->col[p] : INT32_MAX, right = q < q_end ? b->col[q] : INT32_MAX;
    const double x = left <= right ? a->at[p++] : 0, y = right <= left ? b->at[q++] : 0;
    sum += sparse_term(op, x, y);
  }
  return sum;
}

/* Write row i of a to the dense row, or zeros in its place. */
static void scatter(const mn_csr *a, size_t i, bool zeros, double *dense)
{
  for (size_t e = a->start[i]; e < a->start[i + 1]; e++) dense[a->col[e]] = zeros ? 0 : a->at[e];
}

static double sparse_product(const mn_csr *b, size_t j, const double *dense)
{
  double sum = 0;
  for (size_t e = b->start[j]; e < b->start[j + 1]; e++) sum += b->at[e] * dense[b->col[e]];
  return sum;
}

/* The sum over the columns of a, `total`, corrected at those of b: exact unless little of it is left. */
static double sparse_coordinates(mn_kernel_op op, const mn_csr *a, size_t i, const mn_csr *b, size_t j, double total,
                                 const double *dense)
{
  double sum = total;
  for (size_t e = b->start[j]; e < b->start[j + 1]; e++) {
    const double x = dense[b->col[e]];
    sum += sparse_term(op, x, b->at[e]) - sparse_term(op, x, 0);
  }
  return sum > 0x1p-10 * total ? sum : sparse_sum(op, a, i, b, j);
}

/* Products, or sums over the coordinates, of sparse rows: each row of a is dense while it meets those of b. */
static void sparse_tile(const mn_kernel_plan *p, size_t node, const mn_tile *t, const mn_tile_work *w, double *out)
{
  const mn_csr *a = p->a.leaf[node].sparse, *b = p->b.leaf[node].sparse;
  const mn_kernel_op op = p->kernel->node[node].op;
  for (size_t i = 0; i < t->rows; i++) {
    const size_t row = mn_tile_row(t, i);
    double total = 0, *to = out + i * t->stride;
    scatter(a, row, false, w->za);
    for (size_t e = a->start[row]; e < a->start[row + 1]; e++) total += sparse_term(op, a->at[e], 0);
    for (size_t j = 0; j < t->cols; j++)
      to[j] = mn_leaf_form_of(op) == MN_FORM_COORDINATES
                  ? sparse_coordinates(op, a, row, b, mn_tile_column(t, j), total, w->za)
                  : sparse_product(b, mn_tile_column(t, j), w->za);
    scatter(a, row, true, w->za);
  }
}

/* Products of the rows. */
static void products(const mn_kernel_plan *p, size_t node, const mn_tile *t, const mn_tile_work *w,
                     const mn_tile_rows *rows, double *out)
{
  const size_t width = p->a.leaf[node].width;
  if (!rows->zb)
    sparse_tile(p, node, t, w, out);
  else if (p->work && t->rows <= FEW_ROWS && width >= WIDE) /* else a row is the same alone and among others */
    for (size_t i = 0; i < t->rows; i++)
      mn_profile_dots(t->cols, width, rows->za + i * width, rows->zb, out + i * t->stride);
  else
    mn_gemm_serial(false, true, t->rows, t->cols, width, 1, rows->za, width, rows->zb, width, 0, out, t->stride,
                   w->product);
}

/* Squared distances by the expanded square. Those that lost digits are computed again from differences. */
static void distances(const mn_kernel_plan *p, size_t node, const mn_tile *t, const mn_tile_rows *rows, double *out)
{
  const mn_leaf_rows *a = &p->a.leaf[node], *b = &p->b.leaf[node];
  for (size_t i = 0; i < t->rows; i++) {
    const double norm2 = a->norm2[mn_tile_row(t, i)];
    double *row = out + i * t->stride;
    if (mn_profile_distances(t->stride / MN_VECTOR_LANES, norm2, rows->norm_b, row) == 0) continue;
    for (size_t j = 0; j < t->cols; j++) {
      if (!mn_is_cancelled(row[j], norm2, rows->norm_b[j])) continue;
      row[j] = rows->zb ? mn_profile_distance2(a->width, rows->za + i * a->width, rows->zb + j * a->width)
                        : sparse_sum(MN_KERNEL_RBF, a->sparse, mn_tile_row(t, i), b->sparse, mn_tile_column(t, j));
    }
  }
}

/* Sums over the coordinates, for a few of them at a time, transposed. */
static void coordinates(const mn_kernel_plan *p, size_t node, const mn_tile *t, const mn_tile_work *w,
                        const mn_tile_rows *rows, double *out)
{
  const mn_leaf_rows *a = &p->a.leaf[node];
  const mn_kernel_op op = p->kernel->node[node].op;
  const size_t blocks = t->stride / MN_VECTOR_LANES;
  if (!rows->zb) {
    sparse_tile(p, node, t, w, out);
    return;
  }
  memset(out, 0, mn_tile_size(t) * sizeof *out);
  for (size_t from = 0; from < a->width; from += CHUNK) {
    const size_t chunk = a->width - from < CHUNK ? a->width - from : CHUNK;
    for (size_t j = 0; j < t->cols; j++)
      for (size_t l = 0; l < chunk; l++) w->by_column[l * t->stride + j] = rows->zb[j * a->width + from + l];
    for (size_t i = 0; i < t->rows; i++)
      for (size_t l = 0; l < chunk; l++) {
        const double x = rows->za[i * a->width + from + l];
        if (op == MN_KERNEL_LAPLACIAN)
          mn_profile_add_absolute(blocks, x, w->by_column + l * t->stride, out + i * t->stride);
        else
          mn_profile_add_chi2(blocks, x, w->by_column + l * t->stride, out + i * t->stride);
      }
  }
}

/* The values of constant, white and precomputed kernels. */
static void fill_simple(const mn_kernel_plan *p, const mn_kernel_node *node, const mn_tile *t, double *out)
{
  const mn_kernel_rows *a = p->a.rows, *b = p->b.rows;
  const bool white = node->op == MN_KERNEL_WHITE;
  for (size_t i = 0; i < t->rows; i++) {
    const size_t row = mn_tile_row(t, i);
    double *to = out + i * t->stride;
    if (node->op == MN_KERNEL_PRECOMPUTED) {
      const double *from = a->x + row * a->d;
      for (size_t j = 0; j < t->cols; j++)
        to[j] = from[b->place ? b->place[mn_tile_column(t, j)] : mn_tile_column(t, j)];
      continue;
    }
    const double value = p->kernel->hyper[node->first].value;
    for (size_t j = 0; j < t->cols; j++) to[j] = white ? 0 : value;
    if (!white || !p->same) continue;
    for (size_t j = 0; t->column && j < t->cols; j++)
      if (t->column[j] == row) to[j] = value;
    if (!t->column && row >= t->column0 && row < t->column0 + t->cols) to[row - t->column0] = value;
  }
}

/* The rows of X for a function of the host: its columns of these rows, dense. */
mn_status mn_kernel_host_rows(mn_context *ctx, const mn_kernel *k, const mn_kernel_node *node,
                              const mn_kernel_rows *from, const mn_tile *t, bool left, mn_matrix *out)
{
  *out = (mn_matrix){ .rows = left ? t->rows : t->cols, .cols = node->columns > 0 ? node->columns : from->d };
  double *full = MN_RAW(ctx, double, from->d, 1);
  out->at = MN_RAW(ctx, double, out->rows, out->cols);
  if (!full || !out->at) return MN_NO_MEMORY;
  for (size_t i = 0; i < out->rows; i++) {
    const size_t row = left ? mn_tile_row(t, i) : mn_tile_column(t, i);
    const double *x = from->x ? from->x + row * from->d : full;
    if (!from->x) {
      memset(full, 0, from->d * sizeof *full);
      for (size_t e = from->sparse->start[row]; e < from->sparse->start[row + 1]; e++)
        full[from->sparse->col[e]] = from->sparse->at[e];
    }
    for (size_t j = 0; j < out->cols; j++)
      out->at[i * out->cols + j] = x[node->columns > 0 ? (size_t)k->column[node->first_column + j] : j];
  }
  return MN_OK;
}

static mn_status host_values(mn_context *ctx, const mn_kernel_plan *p, const mn_kernel_node *node, const mn_tile *t,
                             double *out)
{
  mn_matrix a, b;
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(mn_kernel_host_rows(ctx, p->kernel, node, p->a.rows, t, true, &a));
  MN_TRY(mn_kernel_host_rows(ctx, p->kernel, node, p->b.rows, t, false, &b));
  MN_TRY(node->function->call(ctx, node->function->user, a, b, out, t->stride));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_tile_base(mn_context *ctx, const mn_kernel_plan *p, size_t node, const mn_tile *t, const mn_tile_work *w,
                       double *out)
{
  const mn_kernel_node *n = &p->kernel->node[node];
  const mn_leaf_form form = mn_leaf_form_of(n->op);
  if (n->op == MN_KERNEL_FUNCTION) return host_values(ctx, p, n, t, out);
  if (form == MN_FORM_NONE) {
    fill_simple(p, n, t, out);
    return MN_OK;
  }
  const mn_tile_rows rows = mn_tile_gather(p, node, t, w);
  if (form == MN_FORM_COORDINATES)
    coordinates(p, node, t, w, &rows, out);
  else
    products(p, node, t, w, &rows, out);
  if (form == MN_FORM_DISTANCE) distances(p, node, t, &rows, out);
  return MN_OK;
}

static bool is_small_whole(double exponent)
{
  return exponent <= 1024 && exponent == floor(exponent);
}

static void raise_to(double exponent, size_t size, double *tile)
{
  if (is_small_whole(exponent)) {
    mn_profile_power(size / MN_VECTOR_LANES, (unsigned)exponent, tile);
    return;
  }
  for (size_t i = 0; i < size; i++) tile[i] = pow(tile[i], exponent);
}

void mn_tile_profile(const mn_kernel *k, const mn_kernel_node *node, size_t size, double *tile)
{
  const size_t blocks = size / MN_VECTOR_LANES;
  const mn_hyperparameter *h = k->hyper + node->first;
  switch (node->op) {
  case MN_KERNEL_RBF:
  case MN_KERNEL_PERIODIC: mn_profile_rbf(blocks, tile); break;
  case MN_KERNEL_OU:
  case MN_KERNEL_MATERN12: mn_profile_matern12(blocks, tile); break;
  case MN_KERNEL_MATERN32: mn_profile_matern32(blocks, tile); break;
  case MN_KERNEL_MATERN52: mn_profile_matern52(blocks, tile); break;
  case MN_KERNEL_RATIONAL: mn_profile_rational(blocks, h[node->count - 1].value, tile); break;
  case MN_KERNEL_LAPLACIAN: mn_profile_exp(blocks, 1, tile); break;
  case MN_KERNEL_CHI2: mn_profile_exp(blocks, h[0].value, tile); break;
  case MN_KERNEL_POLYNOMIAL:
    mn_profile_affine(blocks, h[0].value, h[1].value, tile);
    raise_to(node->exponent, size, tile);
    break;
  case MN_KERNEL_SIGMOID:
    mn_profile_affine(blocks, h[0].value, h[1].value, tile);
    mn_kernel_tanh(blocks, tile, tile);
    break;
  default: break;
  }
}

void mn_tile_operate(const mn_kernel_node *node, size_t size, const double *right, double *left)
{
  const size_t blocks = size / MN_VECTOR_LANES;
  if (node->op == MN_KERNEL_SUM)
    mn_profile_add(blocks, right, left);
  else if (node->op == MN_KERNEL_PRODUCT)
    mn_profile_multiply(blocks, right, left);
  else
    raise_to(node->exponent, size, left);
}

/* Whether the leaf has the same value in all of the tile: constants, and white off the diagonal. */
static bool is_uniform(const mn_kernel_plan *p, const mn_kernel_node *node, const mn_tile *t)
{
  if (node->op == MN_KERNEL_CONSTANT) return true;
  if (node->op != MN_KERNEL_WHITE) return false;
  if (!p->same) return true;
  if (t->column) return false;
  for (size_t i = 0; i < t->rows; i++) {
    const size_t row = mn_tile_row(t, i);
    if (row >= t->column0 && row < t->column0 + t->cols) return false;
  }
  return true;
}

/* tile = tile op the value of a uniform leaf, for a sum or product. */
static void operate_uniform(const mn_kernel_plan *p, const mn_kernel_node *node, const mn_kernel_node *leaf,
                            size_t size, double *tile)
{
  const double value = leaf->op == MN_KERNEL_CONSTANT ? p->kernel->hyper[leaf->first].value : 0;
  if (node->op == MN_KERNEL_PRODUCT)
    mn_profile_affine(size / MN_VECTOR_LANES, value, 0, tile);
  else if (value != 0)
    mn_profile_affine(size / MN_VECTOR_LANES, 1, value, tile);
}

static bool joins(const mn_kernel_plan *p, size_t node)
{
  return node < p->kernel->nodes &&
         (p->kernel->node[node].op == MN_KERNEL_SUM || p->kernel->node[node].op == MN_KERNEL_PRODUCT);
}

static mn_status leaf_value(mn_context *ctx, const mn_kernel_plan *p, size_t node, const mn_tile *t,
                            const mn_tile_work *w, double *out)
{
  MN_TRY(mn_tile_base(ctx, p, node, t, w, out));
  mn_tile_profile(p->kernel, &p->kernel->node[node], mn_tile_size(t), out);
  return MN_OK;
}

mn_status mn_tile_evaluate(mn_context *ctx, const mn_kernel_plan *p, const mn_tile *t, const mn_tile_work *w)
{
  const mn_kernel_node *node = p->kernel->node;
  double *top = w->stack; /* the first free tile */
  const size_t size = mn_tile_size(t);
  for (size_t i = 0; i < p->kernel->nodes; i++) {
    const bool leaf = node[i].op < MN_KERNEL_SUM, uniform = leaf && is_uniform(p, &node[i], t);
    if (uniform && joins(p, i + 1)) { /* a uniform leaf needs no tile as right operand, or left one of a leaf */
      operate_uniform(p, &node[i + 1], &node[i], size, top - w->size);
      i++;
    } else if (uniform && joins(p, i + 2) && node[i + 1].op < MN_KERNEL_SUM) {
      MN_TRY(leaf_value(ctx, p, i + 1, t, w, top));
      operate_uniform(p, &node[i + 2], &node[i], size, top);
      top += w->size;
      i += 2;
    } else if (leaf) {
      MN_TRY(leaf_value(ctx, p, i, t, w, top));
      top += w->size;
    } else if (node[i].op == MN_KERNEL_POWER) {
      mn_tile_operate(&node[i], size, NULL, top - w->size);
    } else {
      top -= w->size;
      mn_tile_operate(&node[i], size, top, top - w->size);
    }
  }
  return MN_OK;
}
