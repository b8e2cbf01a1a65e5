/* Gradients by the logarithms of hyperparameters. Each hyperparameter belongs to one leaf, so with the derivative of
 * the kernel by the value of its leaf, found backward through the expression,
 *
 *     dK / dtheta = (dK / dleaf) (dleaf / dtheta).
 *
 * A worker keeps three tiles for each node: its value, what a leaf is computed from, and dK / dnode. */
#include "evaluate.h"
#include "derivative.h"
#include <math.h>
#include <string.h>

struct job {
  const mn_kernel_plan *plan;
  bool symmetric; /* rows with themselves: only tiles that reach below the diagonal */
  size_t n, thetas;
  mn_blocks rows, cols;
  size_t left[MN_KERNEL_MAX_NODES], right[MN_KERNEL_MAX_NODES]; /* operands of each node */
  const double *w; /* n x n, rows ldw apart; symmetric: its lower triangle; NULL: write the gradient itself */
  size_t ldw;
  double *out;    /* thetas x n x n     */
  double *parts;  /* tiles x thetas, of w */
  double *by_row; /* tiles x MN_TILE_ROWS x columns of X, of w: by the rows on the left; or NULL */
  void *products; /* of mn_tile_coordinates, product_bytes for each worker                       */
  size_t product_bytes;
  mn_tile_work *work;
};

/* The tiles of one worker, in its stack. */
static double *value_of(const mn_tile_work *w, size_t node)
{
  return w->stack + 3 * node * w->size;
}

static double *base_of(const mn_tile_work *w, size_t node)
{
  return w->stack + (3 * node + 1) * w->size;
}

static double *factor_of(const mn_tile_work *w, size_t node)
{
  return w->stack + (3 * node + 2) * w->size;
}

static void find_operands(struct job *job)
{
  size_t stack[MN_KERNEL_MAX_NODES], top = 0;
  for (size_t i = 0; i < job->plan->kernel->nodes; i++) {
    const mn_kernel_op op = job->plan->kernel->node[i].op;
    if (op >= MN_KERNEL_SUM) job->right[i] = stack[--top];
    if (op == MN_KERNEL_POWER) job->left[i] = job->right[i];
    if (op == MN_KERNEL_SUM || op == MN_KERNEL_PRODUCT) job->left[i] = stack[--top];
    stack[top++] = i;
  }
}

static void forward(const struct job *job, const mn_tile *t, const mn_tile_work *w)
{
  const mn_kernel *k = job->plan->kernel;
  const size_t size = mn_tile_size(t);
  for (size_t i = 0; i < k->nodes; i++) {
    double *value = value_of(w, i);
    if (k->node[i].op < MN_KERNEL_SUM) {
      mn_tile_base(NULL, job->plan, i, t, w, base_of(w, i)); /* only functions of the host fail, which are refused */
      memcpy(value, base_of(w, i), size * sizeof *value);
      mn_tile_profile(k, &k->node[i], size, value);
    } else {
      memcpy(value, value_of(w, job->left[i]), size * sizeof *value);
      mn_tile_operate(&k->node[i], size, value_of(w, job->right[i]), value);
    }
  }
}

/* dK / dnode of the operands of each node, from the last one. */
static void backward(const struct job *job, const mn_tile *t, const mn_tile_work *w)
{
  const mn_kernel *k = job->plan->kernel;
  const size_t size = mn_tile_size(t);
  for (size_t i = k->nodes; i-- > 0;) {
    const mn_kernel_node *node = &k->node[i];
    if (node->op < MN_KERNEL_SUM) continue;
    double *left = factor_of(w, job->left[i]), *right = factor_of(w, job->right[i]);
    memcpy(left, factor_of(w, i), size * sizeof *left);
    if (node->op == MN_KERNEL_POWER) {
      mn_tile_multiply_power_derivative(node->exponent, size, value_of(w, job->left[i]), left);
      continue;
    }
    memcpy(right, left, size * sizeof *right);
    if (node->op == MN_KERNEL_SUM) continue;
    mn_profile_multiply(size / MN_VECTOR_LANES, value_of(w, job->right[i]), left);
    mn_profile_multiply(size / MN_VECTOR_LANES, value_of(w, job->left[i]), right);
  }
}

/* 2 w below the diagonal, w on it, 0 above if the matrix is symmetric. Without w: 1. */
static void first_factor(const struct job *job, const mn_tile *t, double *factor)
{
  for (size_t i = 0; i < t->rows; i++) {
    const size_t a = t->row0 + i;
    const double *w = job->w ? job->w + a * job->ldw + t->column0 : NULL;
    double *to = factor + i * t->stride;
    if (!job->w || !job->symmetric) {
      for (size_t j = 0; j < t->cols; j++) to[j] = w ? w[j] : 1;
      continue;
    }
    const size_t below = a < t->column0 ? 0 : a - t->column0 < t->cols ? a - t->column0 : t->cols;
    for (size_t j = 0; j < below; j++) to[j] = 2 * w[j];
    for (size_t j = below; j < t->cols; j++) to[j] = 0;
    if (below < t->cols && a >= t->column0) to[below] = w[below];
  }
}

/* Write the derivative by one hyperparameter on and below the diagonal, and its mirror image. */
static void write_gradient(const struct job *job, const mn_tile *t, size_t theta, const double *factor,
                           const double *derivative)
{
  double *out = job->out + theta * job->n * job->n;
  for (size_t i = 0; i < t->rows; i++)
    for (size_t j = 0; j < t->cols; j++) {
      const size_t a = t->row0 + i, b = t->column0 + j;
      if (b > a) continue;
      out[a * job->n + b] = out[b * job->n + a] = factor[i * t->stride + j] * derivative[i * t->stride + j];
    }
}

/* The derivatives by the hyperparameters of one leaf; *theta is the first of them, then the next one. */
static void leaf_gradient(const struct job *job, size_t block, size_t worker, size_t node, const mn_tile *t,
                          size_t *theta)
{
  const mn_kernel *k = job->plan->kernel;
  const mn_tile_work *w = &job->work[worker];
  const mn_kernel_node *n = &k->node[node];
  const double *value = value_of(w, node), *base = base_of(w, node), *factor = factor_of(w, node);
  double *derivative = value_of(w, k->nodes), *slope = base_of(w, k->nodes);
  if (mn_kernel_types[n->op].lengths) mn_tile_slope(k, n, mn_tile_size(t), value, base, slope);
  if (job->by_row) {
    const mn_tile_values v = { .value = value, .base = base, .slope = slope, .factor = factor, .work = derivative };
    mn_tile_coordinates(job->plan, node, t, w, &v, (char *)job->products + worker * job->product_bytes,
                        job->by_row + block * MN_TILE_ROWS * job->plan->a.rows->d);
  }
  for (size_t p = 0; p < n->count; p++) {
    if (k->hyper[n->first + p].fixed) continue;
    if (!job->symmetric && n->op == MN_KERNEL_WHITE) { /* 0 for two sets of rows */
      ++*theta;
      continue;
    }
    mn_tile_derivative(job->plan, node, p, t, w, value, base, slope, derivative);
    if (!job->w) write_gradient(job, t, *theta, factor, derivative);
    for (size_t i = 0; job->w && i < t->rows; i++)
      job->parts[block * job->thetas + *theta] +=
          mn_profile_dot(t->cols, factor + i * t->stride, derivative + i * t->stride);
    ++*theta;
  }
}

static void tile_task(void *work, size_t block, size_t worker)
{
  const struct job *job = work;
  const mn_kernel *k = job->plan->kernel;
  const mn_tile_work *w = &job->work[worker];
  const size_t i0 = mn_block_begin(&job->rows, block / job->cols.count),
               j0 = mn_block_begin(&job->cols, block % job->cols.count);
  const mn_tile t = { .rows = mn_block_end(&job->rows, block / job->cols.count) - i0,
                      .cols = mn_block_end(&job->cols, block % job->cols.count) - j0,
                      .stride = mn_tile_stride(mn_block_end(&job->cols, block % job->cols.count) - j0),
                      .row0 = i0,
                      .column0 = j0 };
  if (job->symmetric && j0 >= i0 + t.rows) return; /* above the diagonal */
  forward(job, &t, w);
  first_factor(job, &t, factor_of(w, k->nodes - 1));
  backward(job, &t, w);
  for (size_t node = 0, theta = 0; node < k->nodes; node++) leaf_gradient(job, block, worker, node, &t, &theta);
}

static mn_status run(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *a, const mn_kernel_rows *b,
                     struct job *job)
{
  mn_kernel_plan *p = MN_NEW(ctx, mn_kernel_plan, 1, 1);
  MN_CHECK_ALLOC(p);
  if (mn_kernel_has(k, MN_KERNEL_FUNCTION)) return mn_fail(ctx, MN_BAD_ARGUMENT, "kernel Function has no gradient");
  MN_TRY(mn_kernel_plan_init(ctx, p, k, a, b));
  job->plan = p;
  job->symmetric = a == b;
  job->n = a->n;
  job->thetas = mn_kernel_free_count(k);
  job->rows = mn_make_blocks(a->n, p->tile_rows, a->n);
  job->cols = mn_make_blocks(b->n, p->tile_cols, b->n);
  const size_t tiles = job->rows.count * job->cols.count;
  job->parts = MN_NEW(ctx, double, tiles, job->thetas);
  MN_CHECK_ALLOC(job->parts);
  find_operands(job);
  MN_TRY(mn_tile_work_new(ctx, p, 3 * (k->nodes + 1), mn_threads(ctx), &job->work));
  return mn_parallel(ctx, tiles, tile_task, job);
}

mn_status mn_kernel_gradient(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *rows, double *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct job job = { .out = out };
  if (rows->n > 0 && mn_kernel_free_count(k) > 0) MN_TRY(run(ctx, k, rows, rows, &job));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_kernel_gradient_dot(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *rows, const double *w,
                                 size_t ldw, double *g)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct job job = { .w = w, .ldw = ldw };
  const size_t thetas = mn_kernel_free_count(k);
  for (size_t j = 0; j < thetas; j++) g[j] = 0;
  if (rows->n > 0 && thetas > 0) {
    MN_TRY(run(ctx, k, rows, rows, &job));
    mn_sum_blocks(job.rows.count * job.cols.count, thetas, job.parts, g);
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Sum the parts of the tiles of each block of rows, in order. */
static void sum_by_row(const struct job *job, double *ga)
{
  const size_t d = job->plan->a.rows->d;
  memset(ga, 0, job->n * d * sizeof *ga);
  for (size_t i = 0; i < job->rows.count; i++) {
    const size_t begin = mn_block_begin(&job->rows, i), size = (mn_block_end(&job->rows, i) - begin) * d;
    for (size_t j = 0; j < job->cols.count; j++) {
      const double *part = job->by_row + (i * job->cols.count + j) * MN_TILE_ROWS * d;
      for (size_t e = 0; e < size; e++) ga[begin * d + e] += part[e];
    }
  }
}

mn_status mn_kernel_cross_gradient_dot(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *a,
                                       const mn_kernel_rows *b, const double *w, size_t ldw, double *g, double *ga)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_kernel_rows left = *a, right = *b; /* copies, which are never the same set */
  const size_t thetas = mn_kernel_free_count(k), row_blocks = mn_make_blocks(a->n, MN_TILE_ROWS, a->n).count;
  struct job job = { .w = w, .ldw = ldw };
  for (size_t j = 0; j < thetas; j++) g[j] = 0;
  for (size_t i = 0; ga && i < a->n * a->d; i++) ga[i] = 0;
  if (a->n == 0 || b->n == 0 || (thetas == 0 && !ga)) return MN_OK;
  if (ga) {
    job.by_row = MN_NEW(ctx, double, row_blocks *mn_make_blocks(b->n, MN_TILE_COLS, b->n).count, MN_TILE_ROWS * a->d);
    job.product_bytes = mn_tile_coordinates_bytes(2 * a->d);
    job.products = MN_RAW(ctx, char, job.product_bytes, mn_threads(ctx));
    if (!job.by_row || !job.products) return MN_NO_MEMORY;
  }
  MN_TRY(run(ctx, k, &left, &right, &job));
  mn_sum_blocks(job.rows.count * job.cols.count, thetas, job.parts, g);
  if (ga) sum_by_row(&job, ga);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
