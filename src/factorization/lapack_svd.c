#include "lapack.h"
#include "lapack_table.h"
#include "lapack_thread.h"
#include "../linalg/product.h"
#include <string.h>

/* The arguments of LAPACK: A = left diag(s) right, all column-major. */
struct problem {
  const mn_lapack *lapack;
  size_t m, n, k; /* of X                                     */
  const double *x;
  bool tall;            /* A is X; otherwise A is X', which is the memory of X as it is */
  int rows, cols, rank; /* of A                                     */
  double *a, *left, *s, *right;
  const char *job;
};

static mn_status too_large(mn_context *ctx, const struct problem *p)
{
  return mn_fail(ctx, MN_BAD_ARGUMENT, "singular values: %zu x %zu is too large for the 32-bit workspace of LAPACK",
                 p->m, p->n);
}

static void copy_x(const struct problem *p)
{
  if (p->tall)
    mn_transpose_into(p->m, p->n, p->x, p->n, p->a, p->m);
  else
    memcpy(p->a, p->x, p->m * p->n * sizeof *p->a);
}

/* A call of dgesdd. */
struct call {
  struct problem p;
  double *work;
  int *iwork, size, info;
};

static void call_dgesdd(void *call)
{
  struct call *c = call;
  const struct problem *p = &c->p;
  p->lapack->dgesdd(p->job, &p->rows, &p->cols, p->a, &p->rows, p->s, p->left, &p->rows, p->right, &p->rank, c->work,
                    &c->size, c->iwork, &c->info, 1);
}

static double *new_values(mn_memory *memory, size_t rows, size_t cols)
{
  size_t bytes;
  return mn_checked_size(sizeof(double), rows, cols, &bytes) ? mn_alloc(memory, bytes) : NULL;
}

/* Arrays of its own for a call that may be abandoned. */
static struct call *new_call(mn_memory *memory, const struct problem *p, int size)
{
  struct call *c = mn_alloc(memory, sizeof *c);
  if (!c) return NULL;
  *c = (struct call){ .p = *p, .size = size };
  c->work = new_values(memory, (size_t)size, 1);
  c->iwork = mn_alloc(memory, 8 * p->k * sizeof *c->iwork);
  c->p.a = new_values(memory, p->m, p->n);
  c->p.s = new_values(memory, p->k, 1);
  if (p->left) c->p.left = new_values(memory, (size_t)p->rows, p->k);
  if (p->right) c->p.right = new_values(memory, p->k, (size_t)p->cols);
  const bool complete = c->work && c->iwork && c->p.a && c->p.s && (!p->left || c->p.left) && (!p->right || c->p.right);
  return complete ? c : NULL;
}

static mn_status run_in_thread(mn_context *ctx, const struct problem *p, int size, bool *converged)
{
  mn_memory *memory = mn_memory_child(mn_context_memory(ctx));
  struct call *c = memory ? new_call(memory, p, size) : NULL;
  if (!c) {
    mn_memory_free(memory);
    return mn_fail(ctx, MN_NO_MEMORY, "not enough memory for the singular values of %zu x %zu values", p->m, p->n);
  }
  copy_x(&c->p);
  MN_TRY(mn_lapack_run(ctx, memory, call_dgesdd, c));
  memcpy(p->s, c->p.s, p->k * sizeof *p->s);
  if (p->left) memcpy(p->left, c->p.left, (size_t)p->rows * p->k * sizeof *p->left);
  if (p->right) memcpy(p->right, c->p.right, (size_t)p->cols * p->k * sizeof *p->right);
  *converged = c->info == 0;
  mn_memory_free(memory);
  return MN_OK;
}

static mn_status divide_and_conquer(mn_context *ctx, const struct problem *p, bool *converged)
{
  double wanted_size = 0;
  struct call c = { .p = *p, .work = &wanted_size, .size = -1 };
  MN_CHECK_ALLOC(c.iwork = MN_RAW(ctx, int, 8, p->k));
  call_dgesdd(&c);
  if (!(wanted_size >= 1 && wanted_size <= INT32_MAX)) return too_large(ctx, p);
  c.size = (int)wanted_size;
  if (p->k >= MN_LONG_ORDER) return run_in_thread(ctx, p, c.size, converged);
  MN_CHECK_ALLOC(c.work = MN_RAW(ctx, double, (size_t)c.size, 1));
  copy_x(p);
  call_dgesdd(&c);
  *converged = c.info == 0;
  return MN_OK;
}

static mn_status qr_iteration(mn_context *ctx, const struct problem *p)
{
  int info, query = -1;
  double wanted_size = 0;
  copy_x(p);
  p->lapack->dgesvd(p->job, p->job, &p->rows, &p->cols, p->a, &p->rows, p->s, p->left, &p->rows, p->right, &p->rank,
                    &wanted_size, &query, &info, 1, 1);
  if (!(wanted_size >= 1 && wanted_size <= INT32_MAX)) return too_large(ctx, p);
  const int size = (int)wanted_size;
  double *work = MN_RAW(ctx, double, (size_t)size, 1);
  MN_CHECK_ALLOC(work);
  p->lapack->dgesvd(p->job, p->job, &p->rows, &p->cols, p->a, &p->rows, p->s, p->left, &p->rows, p->right, &p->rank,
                    work, &size, &info, 1, 1);
  return info == 0 ? MN_OK : mn_fail(ctx, MN_SINGULAR, "singular values: LAPACK dgesvd did not converge");
}

/* The memory of X is column-major X', whose left vectors are laid out as vt and right ones as u. But LAPACK is twice as
 * fast on a tall matrix as on a wide one, so a tall X is transposed, and its vectors are transposed back. */
static mn_status decompose(mn_context *ctx, struct problem *p, double *u, double *vt)
{
  bool converged = false;
  const bool vectors = u || vt;
  p->tall = p->m > p->n;
  p->job = vectors ? "S" : "N";
  p->left = p->tall ? NULL : vt;
  p->right = p->tall ? NULL : u;
  MN_TRY(mn_lapack_int(ctx, "singular values: the number of rows", p->tall ? p->m : p->n, &p->rows));
  MN_TRY(mn_lapack_int(ctx, "singular values: the number of columns", p->tall ? p->n : p->m, &p->cols));
  p->rank = (int)p->k;
  MN_CHECK_ALLOC(p->a = MN_RAW(ctx, double, p->m, p->n));
  if (vectors && !p->left) MN_CHECK_ALLOC(p->left = MN_RAW(ctx, double, (size_t)p->rows, p->k));
  if (vectors && !p->right) MN_CHECK_ALLOC(p->right = MN_RAW(ctx, double, p->k, (size_t)p->cols));
  MN_TRY(divide_and_conquer(ctx, p, &converged));
  if (!converged) MN_TRY(qr_iteration(ctx, p));
  if (p->tall && u) mn_transpose_into(p->k, p->m, p->left, p->m, u, p->k);
  if (p->tall && vt) mn_transpose_into(p->n, p->k, p->right, p->k, vt, p->n);
  return MN_OK;
}

/* Without U, X can be replaced by its R, which has the same s and V. */
static mn_status reduce_to_r(mn_context *ctx, struct problem *p)
{
  const mn_rows rows = { .n = p->m, .p = p->n, .x = p->x };
  double *r = MN_RAW(ctx, double, p->n, p->n);
  MN_CHECK_ALLOC(r);
  MN_TRY(mn_tall_qr(ctx, &rows, r, NULL, NULL));
  p->x = r;
  p->m = p->n;
  return MN_OK;
}

enum { CHUNK_ROWS = 8192 };

/* With U, a tall X is decomposed in chunks of rows: X_b = Q_b R_b. The stacked R_b have the s and V of X; if their left
 * vectors are W, those of X are Q_b W_b. Each step is short, so cancellation is prompt. */
static mn_status svd_by_chunks(mn_context *ctx, const struct problem *p, double *u, double *vt)
{
  const size_t n = p->n, chunks = p->m / (CHUNK_ROWS > 4 * n ? CHUNK_ROWS : 4 * n), size = p->m / chunks;
  double *r = MN_RAW(ctx, double, chunks *n, n), *w = MN_RAW(ctx, double, chunks *n, n);
  double *q = MN_RAW(ctx, double, size + p->m % chunks, n);
  if (!r || !w || !q) return MN_NO_MEMORY;
  for (size_t b = 0; b < chunks; b++) {
    const size_t rows = size + (b + 1 == chunks ? p->m % chunks : 0);
    MN_TRY(mn_poll(ctx));
    MN_TRY(mn_qr(ctx, rows, n, p->x + b * size * n, u + b * size * n, r + b * n * n));
  }
  MN_TRY(mn_svd(ctx, chunks * n, n, r, w, p->s, vt));
  for (size_t b = 0; b < chunks; b++) {
    const size_t rows = size + (b + 1 == chunks ? p->m % chunks : 0);
    double *u_chunk = u + b * size * n;
    memcpy(q, u_chunk, rows * n * sizeof *q);
    MN_TRY(mn_gemm(ctx, false, false, rows, n, n, 1, q, n, w + b * n * n, n, 0, u_chunk, n));
  }
  return MN_OK;
}

static mn_status choose_method(mn_context *ctx, struct problem *p, double *u, double *vt)
{
  if (u && p->m / 2 >= CHUNK_ROWS && p->m / 8 >= p->n) return svd_by_chunks(ctx, p, u, vt);
  if (!u && p->m > p->n) MN_TRY(reduce_to_r(ctx, p));
  return decompose(ctx, p, u, vt);
}

mn_status mn_svd(mn_context *ctx, size_t m, size_t n, const double *x, double *u, double *s, double *vt)
{
  struct problem p = { .m = m, .n = n, .k = m < n ? m : n, .x = x, .s = s };
  if (p.k == 0) return MN_OK;
  MN_TRY(mn_lapack_get(ctx, &p.lapack));
  if (!mn_all_finite(m * n, x))
    return mn_fail(ctx, MN_BAD_DATA, "singular values: the matrix must be finite, got nan or inf");
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_status status = choose_method(ctx, &p, u, vt);
  mn_scratch_release(ctx, mark);
  return status;
}
