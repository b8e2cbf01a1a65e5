/* Kernel matrices, by tiles in parallel; their diagonals; and single rows of them. */
#include "evaluate.h"
#include "../core/finite.h"
#include "../linalg/csr.h"
#include "function.h"
#include <math.h>
#include <string.h>

mn_status mn_kernel_plan_init(mn_context *ctx, mn_kernel_plan *p, const mn_kernel *k, const mn_kernel_rows *a,
                              const mn_kernel_rows *b)
{
  *p = (mn_kernel_plan){ .kernel = k,
                         .same = a == b,
                         .width = 1,
                         .tile_rows = a->n < MN_TILE_ROWS ? a->n : MN_TILE_ROWS,
                         .tile_cols = b->n < MN_TILE_COLS ? b->n : MN_TILE_COLS };
  p->has_function = mn_kernel_has(k, MN_KERNEL_FUNCTION);
  if (mn_kernel_has(k, MN_KERNEL_PRECOMPUTED) && (a->sparse || (!b->place && b->n > a->d)))
    return mn_fail(ctx, MN_BAD_DATA,
                   "kernel precomputed: X must be a dense matrix with a column for each of %zu rows, got %zu columns",
                   b->n, a->d);
  MN_TRY(mn_kernel_prepare(ctx, k, a, b, &p->a, &p->b));
  size_t depth = 0;
  for (size_t i = 0; i < k->nodes; i++) {
    if (k->node[i].op < MN_KERNEL_SUM)
      depth++;
    else if (k->node[i].op != MN_KERNEL_POWER)
      depth--;
    if (depth > p->depth) p->depth = depth;
    if (p->b.leaf[i].width > p->width) p->width = p->b.leaf[i].width;
  }
  return MN_OK;
}

/* Evaluation of a whole matrix, or of some of its rows and columns. */
struct job {
  mn_context *ctx; /* for functions of the host */
  const mn_kernel_plan *plan;
  mn_blocks rows, cols;
  const size_t *row, *column;
  bool half; /* only tiles that reach above the diagonal */
  double *out64;
  float *out32;
  size_t ldo;
  mn_tile_work *work;
  bool failed;
};

static void write_tile(const struct job *job, const mn_tile *t, size_t i0, size_t j0, const double *tile)
{
  for (size_t i = 0; i < t->rows; i++) {
    const double *from = tile + i * t->stride;
    const size_t at = (i0 + i) * job->ldo + j0;
    if (job->out64)
      memcpy(job->out64 + at, from, t->cols * sizeof *from);
    else
      for (size_t j = 0; j < t->cols; j++) job->out32[at + j] = (float)from[j];
  }
}

static void tile_task(void *work, size_t block, size_t worker)
{
  struct job *job = work;
  const size_t bi = block / job->cols.count, bj = block % job->cols.count;
  const size_t i = mn_block_begin(&job->rows, bi), j = mn_block_begin(&job->cols, bj);
  const mn_tile t = { .rows = mn_block_end(&job->rows, bi) - i,
                      .cols = mn_block_end(&job->cols, bj) - j,
                      .stride = mn_tile_stride(mn_block_end(&job->cols, bj) - j),
                      .row = job->row ? job->row + i : NULL,
                      .column = job->column ? job->column + j : NULL,
                      .row0 = i,
                      .column0 = j };
  if (job->failed || (job->half && j + t.cols <= i)) return;
  if (mn_tile_evaluate(job->ctx, job->plan, &t, &job->work[worker]) != MN_OK)
    job->failed = true;
  else
    write_tile(job, &t, i, j, job->work[worker].stack);
}

/* Functions of the host run on the calling thread. */
static size_t workers_of(mn_context *ctx, const mn_kernel_plan *p)
{
  return p->has_function ? 1 : mn_threads(ctx);
}

static mn_status run(mn_context *ctx, struct job *job)
{
  const size_t tiles = job->rows.count * job->cols.count;
  job->work = job->plan->work;
  if (!job->work) MN_TRY(mn_tile_work_new(ctx, job->plan, job->plan->depth, workers_of(ctx, job->plan), &job->work));
  if (!job->plan->has_function) return mn_parallel(ctx, tiles, tile_task, job);
  for (size_t b = 0; b < tiles && !job->failed; b++) {
    MN_TRY(mn_poll(ctx));
    tile_task(job, b, 0);
  }
  return job->failed ? mn_error_status(ctx) : MN_OK;
}

static void mirror_rows(void *work, size_t block, size_t worker)
{
  enum { SQUARE = 32 };
  const struct job *job = work;
  const size_t i = mn_block_begin(&job->rows, block), end = mn_block_end(&job->rows, block), n = job->rows.n;
  double *out = job->out64;
  (void)worker;
  for (size_t i0 = i; i0 < end; i0 += SQUARE)
    for (size_t j0 = i0; j0 < n; j0 += SQUARE)
      for (size_t j = j0; j < n && j < j0 + SQUARE; j++)
        for (size_t row = i0; row < end && row < i0 + SQUARE && row < j; row++)
          out[j * job->ldo + row] = out[row * job->ldo + j];
}

/* Kernels whose values may overflow or be undefined; all others are bounded, or checked with the norms of the rows. */
static bool may_overflow(const mn_kernel *k)
{
  return mn_kernel_has(k, MN_KERNEL_POLYNOMIAL) || mn_kernel_has(k, MN_KERNEL_POWER) ||
         mn_kernel_has(k, MN_KERNEL_FUNCTION) || mn_kernel_has(k, MN_KERNEL_PRODUCT);
}

static mn_status check_finite(mn_context *ctx, const mn_kernel *k, size_t rows, size_t cols, const double *out,
                              size_t ldo)
{
  char number[MN_NUMBER_SIZE], text[200];
  for (size_t i = 0; may_overflow(k) && i < rows; i++) {
    size_t first;
    MN_TRY(mn_find_beyond(ctx, cols, out + i * ldo, (double)INFINITY, &first));
    if (first == cols) continue;
    mn_kernel_text(k, text, sizeof text);
    return mn_fail(ctx, MN_BAD_DATA, "kernel %s is %s for rows %zu and %zu", text,
                   mn_format_number(number, out[i * ldo + first]), i + 1, first + 1);
  }
  return MN_OK;
}

/* --- diagonal --- */

static double leaf_diagonal(const mn_kernel_plan *p, size_t node, size_t i)
{
  const mn_kernel_node *n = &p->kernel->node[node];
  const mn_hyperparameter *h = p->kernel->hyper + n->first;
  const mn_kernel_rows *rows = p->a.rows;
  const double *norm2 = p->a.leaf[node].norm2;
  switch (n->op) {
  case MN_KERNEL_LINEAR:
  case MN_KERNEL_COSINE: return norm2[i];
  case MN_KERNEL_POLYNOMIAL: return pow(h[0].value * norm2[i] + h[1].value, n->exponent);
  case MN_KERNEL_SIGMOID: return tanh(h[0].value * norm2[i] + h[1].value);
  case MN_KERNEL_WHITE:
  case MN_KERNEL_CONSTANT: return h[0].value;
  case MN_KERNEL_PRECOMPUTED: return rows->x[i * rows->d + (rows->place ? rows->place[i] : i)];
  default: return 1;
  }
}

static double row_diagonal(const mn_kernel_plan *p, size_t i, const double *const *host)
{
  double stack[MN_KERNEL_MAX_NODES];
  size_t top = 0;
  stack[0] = 0;
  for (size_t m = 0; m < p->kernel->nodes; m++) {
    const mn_kernel_node *node = &p->kernel->node[m];
    if (node->op == MN_KERNEL_SUM)
      stack[top - 2] += stack[top - 1], top--;
    else if (node->op == MN_KERNEL_PRODUCT)
      stack[top - 2] *= stack[top - 1], top--;
    else if (node->op == MN_KERNEL_POWER)
      stack[top - 1] = pow(stack[top - 1], node->exponent);
    else
      stack[top++] = node->op == MN_KERNEL_FUNCTION ? host[m][i] : leaf_diagonal(p, m, i);
  }
  return stack[0];
}

/* The diagonal of each function of the host. */
static mn_status host_diagonals(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *rows, double **host)
{
  for (size_t m = 0; m < k->nodes; m++) {
    const mn_kernel_node *node = &k->node[m];
    if (node->op != MN_KERNEL_FUNCTION) continue;
    mn_matrix x;
    host[m] = MN_RAW(ctx, double, rows->n, 1);
    MN_CHECK_ALLOC(host[m]);
    MN_TRY(mn_kernel_host_rows(ctx, k, node, rows, &(mn_tile){ .rows = rows->n }, true, &x));
    MN_TRY(node->function->diagonal(ctx, node->function->user, x, host[m]));
  }
  return MN_OK;
}

mn_status mn_kernel_diagonal(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *rows, double *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *host[MN_KERNEL_MAX_NODES] = { 0 };
  mn_kernel_plan p;
  if (rows->n == 0) return MN_OK;
  MN_TRY(mn_kernel_plan_init(ctx, &p, k, rows, rows));
  MN_TRY(host_diagonals(ctx, k, rows, host));
  for (size_t i = 0; i < rows->n; i++) out[i] = row_diagonal(&p, i, (const double *const *)host);
  MN_TRY(check_finite(ctx, k, 1, rows->n, out, rows->n));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- matrices --- */

mn_status mn_kernel_matrix(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *rows, double *out, size_t ldo)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_kernel_plan p;
  if (rows->n == 0) return MN_OK;
  MN_TRY(mn_kernel_plan_init(ctx, &p, k, rows, rows));
  struct job job = { .ctx = ctx,
                     .plan = &p,
                     .rows = mn_make_blocks(rows->n, p.tile_rows, rows->n),
                     .cols = mn_make_blocks(rows->n, p.tile_cols, rows->n),
                     .half = !mn_kernel_has(k, MN_KERNEL_PRECOMPUTED),
                     .out64 = out,
                     .ldo = ldo };
  MN_TRY(run(ctx, &job));
  if (job.half) {
    MN_TRY(mn_parallel(ctx, job.rows.count, mirror_rows, &job));
    for (size_t i = 0; !p.has_function && i < rows->n; i++) out[i * ldo + i] = row_diagonal(&p, i, NULL);
  }
  MN_TRY(check_finite(ctx, k, rows->n, rows->n, out, ldo));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Sparse rows in scratch. */
static mn_status to_sparse(mn_context *ctx, const mn_kernel_rows *rows, mn_kernel_rows *out)
{
  const mn_matrix x = { .at = (double *)rows->x, .rows = rows->n, .cols = rows->d };
  const size_t n = mn_count_nonzeros(&x);
  mn_csr *s = MN_NEW(ctx, mn_csr, 1, 1);
  MN_CHECK_ALLOC(s);
  *s = (mn_csr){ .rows = rows->n, .cols = rows->d };
  s->start = MN_NEW(ctx, size_t, rows->n + 1, 1);
  s->col = MN_RAW(ctx, int32_t, n, 1);
  s->at = MN_RAW(ctx, double, n, 1);
  if (!s->start || !s->col || !s->at) return MN_NO_MEMORY;
  mn_csr_from_dense(&x, n, s);
  *out = (mn_kernel_rows){ .n = rows->n, .d = rows->d, .sparse = s, .place = rows->place };
  return MN_OK;
}

mn_status mn_kernel_cross(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *a, const mn_kernel_rows *b,
                          double *out, size_t ldo)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_kernel_plan p;
  mn_kernel_rows left = *a, right = *b; /* copies, which are never the same set */
  if (a->n == 0 || b->n == 0) return MN_OK;
  if (a->sparse && !b->sparse && b->x) MN_TRY(to_sparse(ctx, b, &right));
  if (b->sparse && !a->sparse) MN_TRY(to_sparse(ctx, a, &left));
  MN_TRY(mn_kernel_plan_init(ctx, &p, k, &left, &right));
  struct job job = { .ctx = ctx,
                     .plan = &p,
                     .rows = mn_make_blocks(a->n, p.tile_rows, a->n),
                     .cols = mn_make_blocks(b->n, p.tile_cols, b->n),
                     .out64 = out,
                     .ldo = ldo };
  MN_TRY(run(ctx, &job));
  MN_TRY(check_finite(ctx, k, a->n, b->n, out, ldo));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- single rows --- */

mn_status mn_kernel_plan_new(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *rows, mn_kernel_plan **plan)
{
  mn_kernel_plan *p = MN_NEW(ctx, mn_kernel_plan, 1, 1);
  MN_CHECK_ALLOC(p);
  MN_TRY(mn_kernel_plan_init(ctx, p, k, rows, rows));
  MN_TRY(mn_tile_work_new(ctx, p, p->depth, workers_of(ctx, p), &p->work));
  *plan = p;
  return MN_OK;
}

/* Products of rows, too, may be larger than a float. */
static mn_status check_floats(mn_context *ctx, const mn_kernel *k, size_t rows, size_t cols, const float *out,
                              size_t ldo)
{
  if (!may_overflow(k) && !mn_kernel_has(k, MN_KERNEL_LINEAR) && !mn_kernel_has(k, MN_KERNEL_PRECOMPUTED)) return MN_OK;
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < cols; j++)
      if (!isfinite(out[i * ldo + j]))
        return mn_fail(ctx, MN_BAD_DATA,
                       "the values of the kernel are too large for float32; scale the "
                       "columns of X");
  return MN_OK;
}

mn_status mn_kernel_plan_rows(mn_context *ctx, const mn_kernel_plan *plan, size_t rows, const size_t *row,
                              size_t columns, const size_t *column, double *out64, float *out32, size_t ldo)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct job job = { .ctx = ctx,
                     .plan = plan,
                     .rows = mn_make_blocks(rows, plan->tile_rows, rows),
                     .cols = mn_make_blocks(columns, plan->tile_cols, columns),
                     .row = row,
                     .column = column,
                     .out64 = out64,
                     .out32 = out32,
                     .ldo = ldo };
  if (rows == 0 || columns == 0) return MN_OK;
  MN_TRY(run(ctx, &job));
  if (out64) MN_TRY(check_finite(ctx, plan->kernel, rows, columns, out64, ldo));
  if (out32) MN_TRY(check_floats(ctx, plan->kernel, rows, columns, out32, ldo));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
