#include "lapack_solve.h"
#include "lapack_table.h"
#include "lapack_thread.h"
#include "../linalg/product.h"
#include <float.h>
#include <math.h>
#include <stdint.h>

/* A inv(D) P = Q R, where D holds the norms of the columns. Column-major. */
struct system {
  const mn_lapack *lapack;
  size_t n, m, rank;
  int order, columns;
  double *norm; /* n: D                                   */
  double *r;    /* n x n: R, and the reflectors of Q below */
  double *tau;  /* n                                      */
  double *c;    /* n x m: B, then the solution            */
  int *pivot;   /* n, 1-based: column of A at each place  */
  double *work;
  int size;
};

static void *new_array(mn_memory *memory, size_t size, size_t rows, size_t cols)
{
  size_t bytes;
  return mn_checked_size(size, rows, cols, &bytes) ? mn_alloc(memory, bytes) : NULL;
}

/* The size of the workspace. */
static int work_size(struct system *s)
{
  double factor = 1, apply = 1;
  int info;
  const int query = -1;
  s->lapack->dgeqp3(&s->order, &s->order, s->r, &s->order, s->pivot, s->tau, &factor, &query, &info);
  s->lapack->dormqr("L", "T", &s->order, &s->columns, &s->order, s->r, &s->order, s->tau, s->c, &s->order, &apply,
                    &query, &info, 1, 1);
  return (int)fmin(fmax(factor, apply), INT32_MAX);
}

static struct system *new_system(mn_memory *memory, const struct system *given)
{
  struct system *s = mn_alloc(memory, sizeof *s);
  if (!s) return NULL;
  *s = *given;
  s->norm = new_array(memory, sizeof *s->norm, s->n, 1);
  s->r = new_array(memory, sizeof *s->r, s->n, s->n);
  s->tau = new_array(memory, sizeof *s->tau, s->n, 1);
  s->c = new_array(memory, sizeof *s->c, s->n, s->m);
  s->pivot = new_array(memory, sizeof *s->pivot, s->n, 1);
  if (!s->norm || !s->r || !s->tau || !s->c || !s->pivot) return NULL;
  s->size = work_size(s);
  s->work = new_array(memory, sizeof *s->work, (size_t)s->size, 1);
  return s->work ? s : NULL;
}

/* Copy A with columns of norm 1, and B. */
static void load(struct system *s, const double *a, const double *b)
{
  const size_t n = s->n;
  mn_transpose_into(n, n, a, n, s->r, n);
  if (s->m > 0) mn_transpose_into(n, s->m, b, s->m, s->c, n);
  for (size_t j = 0; j < n; j++) {
    double *const column = s->r + j * n;
    double largest = 0, sum = 0; /* scaled, so that squares neither overflow nor underflow */
    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(column[i]));
    for (size_t i = 0; i < n && largest > 0; i++) sum += (column[i] / largest) * (column[i] / largest);
    s->norm[j] = largest > 0 ? largest * sqrt(sum) : 1;
    for (size_t i = 0; i < n; i++) column[i] /= s->norm[j];
    s->pivot[j] = 0;
  }
}

static void solve(void *system)
{
  struct system *s = system;
  const double tolerance = ((double)s->n + 100) * DBL_EPSILON, one = 1;
  int info;
  s->lapack->dgeqp3(&s->order, &s->order, s->r, &s->order, s->pivot, s->tau, s->work, &s->size, &info);
  while (s->rank < s->n && fabs(s->r[s->rank * s->n + s->rank]) > tolerance * fabs(s->r[0])) s->rank++;
  if (s->rank < s->n || s->m == 0) return;
  s->lapack->dormqr("L", "T", &s->order, &s->columns, &s->order, s->r, &s->order, s->tau, s->c, &s->order, s->work,
                    &s->size, &info, 1, 1);
  s->lapack->dtrsm("L", "U", "N", "N", &s->order, &s->columns, &one, s->r, &s->order, s->c, &s->order, 1, 1, 1, 1);
}

static void copy_solution(const struct system *s, double *x)
{
  for (size_t j = 0; j < s->n; j++) {
    const size_t row = (size_t)s->pivot[j] - 1;
    for (size_t c = 0; c < s->m; c++) x[row * s->m + c] = s->c[c * s->n + j] / s->norm[row];
  }
}

mn_status mn_lapack_solve(mn_context *ctx, size_t n, size_t m, const double *a, const double *b, double *x,
                          size_t *rank)
{
  struct system given = { .n = n, .m = m };
  MN_TRY(mn_lapack_get(ctx, &given.lapack));
  MN_TRY(mn_lapack_int(ctx, "solve: the order of the matrix", n, &given.order));
  MN_TRY(mn_lapack_int(ctx, "solve: the number of right sides", m, &given.columns));
  if (!mn_all_finite(n * n, a) || !mn_all_finite(n * m, b))
    return mn_fail(ctx, MN_BAD_DATA, "the matrix and the right side must be finite, got nan or inf");
  mn_memory *memory = mn_memory_child(mn_context_memory(ctx));
  struct system *s = memory ? new_system(memory, &given) : NULL;
  if (!s) {
    mn_memory_free(memory);
    return mn_fail(ctx, MN_NO_MEMORY, "not enough memory for a system of %zu equations", n);
  }
  load(s, a, b);
  MN_TRY(mn_lapack_run(ctx, memory, solve, s));
  *rank = s->rank;
  if (s->rank == n) copy_solution(s, x);
  mn_memory_free(memory);
  return MN_OK;
}
