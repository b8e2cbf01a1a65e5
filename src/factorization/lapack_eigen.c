#include "lapack.h"
#include "lapack_partial_eigen.h"
#include "lapack_table.h"
#include "lapack_thread.h"
#include <string.h>

/* For k <= n / SUBSET_RATIO inverse iteration is faster than divide and conquer (measured for n from 100 to 2000). */
enum { SUBSET_RATIO = 10 };

struct problem {
  const mn_lapack *lapack;
  size_t n, k;
  mn_spectrum_end end;
  int order;
  bool all; /* whether `values` has all n eigenvalues, not only k */
  double *a, *values, *vectors;
};

/* Reverse ascending values and vectors to descending order. */
static void reverse(const struct problem *p)
{
  for (size_t i = 0, j = (p->all ? p->n : p->k) - 1; i < j; i++, j--) {
    const double value = p->values[i];
    p->values[i] = p->values[j];
    p->values[j] = value;
  }
  for (size_t i = 0, j = p->k - 1; p->vectors && i < j; i++, j--)
    for (size_t c = 0; c < p->n; c++) {
      const double element = p->vectors[i * p->n + c];
      p->vectors[i * p->n + c] = p->vectors[j * p->n + c];
      p->vectors[j * p->n + c] = element;
    }
}

/* A call of LAPACK with its arrays; the column-major n x k matrix of vectors is our row-major k x n. */
struct call {
  const mn_lapack *lapack;
  bool subset; /* the steps of lapack_partial_eigen.h, which store k vectors; else dsyevd, which has all n of them in a
                */
  const char *job;
  int n, k;
  bool largest;
  double *a, *values, *vectors, *work; /* n x n, n, k x n, work_size */
  int *iwork;                          /* iwork_size                 */
  int work_size, iwork_size, info;
};

static mn_partial_eigen make_subset(const struct call *c)
{
  return (mn_partial_eigen){ .lapack = c->lapack,
                             .n = c->n,
                             .k = c->k,
                             .largest = c->largest,
                             .a = c->a,
                             .values = c->values,
                             .vectors = c->vectors,
                             .work = c->work,
                             .work_size = c->work_size,
                             .iwork = c->iwork };
}

static void call_lapack(void *call)
{
  struct call *c = call;
  if (c->subset) {
    mn_partial_eigen s = make_subset(c);
    c->info = !mn_partial_eigen_solve(&s);
  } else
    c->lapack->dsyevd(c->job, "U", &c->n, c->a, &c->n, c->values, c->work, &c->work_size, c->iwork, &c->iwork_size,
                      &c->info, 1, 1);
}

static void query_sizes(struct call *c)
{
  if (c->subset) {
    const mn_partial_eigen s = make_subset(c);
    c->work_size = mn_partial_eigen_work(&s);
    c->iwork_size = (int)mn_partial_eigen_iwork(&s);
    return;
  }
  struct call query = *c;
  double work_size = 0;
  int iwork_size = 0;
  query.work = &work_size;
  query.iwork = &iwork_size;
  query.work_size = query.iwork_size = -1;
  call_lapack(&query);
  c->work_size = (int)work_size;
  c->iwork_size = iwork_size;
}

/* Memory of the account, or scratch for NULL. */
static void *new_array(mn_context *ctx, mn_memory *memory, size_t size, size_t rows, size_t cols)
{
  size_t bytes;
  if (!memory) return mn_scratch_raw(ctx, size, rows, cols);
  return mn_checked_size(size, rows, cols, &bytes) ? mn_alloc(memory, bytes) : NULL;
}

static bool allocate(mn_context *ctx, mn_memory *memory, const struct problem *p, struct call *c)
{
  c->values = new_array(ctx, memory, sizeof(double), p->n, 1);
  query_sizes(c);
  c->work = new_array(ctx, memory, sizeof(double), (size_t)c->work_size, 1);
  c->iwork = new_array(ctx, memory, sizeof(int), (size_t)c->iwork_size, 1);
  if (memory) c->a = new_array(ctx, memory, sizeof(double), p->n, p->n);
  if (memory && c->vectors) c->vectors = new_array(ctx, memory, sizeof(double), p->k, p->n);
  return c->values && c->work && c->iwork && c->a && (c->vectors || !p->vectors);
}

/* False: LAPACK has failed. */
static bool store(const struct problem *p, const struct call *c)
{
  const size_t first = p->end == MN_LARGEST ? p->n - p->k : 0;
  if (c->info != 0) return false;
  const double *from = c->subset ? c->vectors : c->a + first * p->n;
  if (p->all)
    memcpy(p->values, c->values, p->n * sizeof *p->values);
  else
    memcpy(p->values, c->values + first, p->k * sizeof *p->values);
  if (p->vectors && from != p->vectors) memcpy(p->vectors, from, p->k * p->n * sizeof *p->vectors);
  return true;
}

static mn_status no_memory(mn_context *ctx, size_t n)
{
  return mn_fail(ctx, MN_NO_MEMORY, "not enough memory for the eigenvectors of %zu x %zu values", n, n);
}

static mn_status call_in_thread(mn_context *ctx, const struct problem *p, const struct call *call, bool *found)
{
  mn_memory *memory = mn_memory_child(mn_context_memory(ctx));
  struct call *c = memory ? mn_alloc(memory, sizeof *c) : NULL;
  if (c) *c = *call;
  if (!c || !allocate(ctx, memory, p, c)) {
    mn_memory_free(memory);
    return no_memory(ctx, p->n);
  }
  memcpy(c->a, p->a, p->n * p->n * sizeof *p->a);
  MN_TRY(mn_lapack_run(ctx, memory, call_lapack, c));
  *found = store(p, c);
  mn_memory_free(memory);
  return MN_OK;
}

/* *found: whether LAPACK has converged. A subset leaves p->a unchanged. */
static mn_status solve_by(mn_context *ctx, const struct problem *p, bool subset, bool *found)
{
  struct call c = { .lapack = p->lapack,
                    .subset = subset,
                    .job = p->vectors ? "V" : "N",
                    .n = p->order,
                    .k = (int)p->k,
                    .largest = p->end == MN_LARGEST,
                    .a = p->a,
                    .vectors = p->vectors };
  if (p->n >= MN_LONG_ORDER) return call_in_thread(ctx, p, &c, found);
  if (subset) {
    c.a = MN_RAW(ctx, double, p->n, p->n);
    if (!c.a) return no_memory(ctx, p->n);
    memcpy(c.a, p->a, p->n * p->n * sizeof *c.a);
  }
  if (!allocate(ctx, NULL, p, &c)) return no_memory(ctx, p->n);
  call_lapack(&c);
  *found = store(p, &c);
  return MN_OK;
}

static mn_status solve(mn_context *ctx, const struct problem *p)
{
  bool found = false;
  if (p->k <= p->n / SUBSET_RATIO) MN_TRY(solve_by(ctx, p, true, &found));
  if (!found) MN_TRY(solve_by(ctx, p, false, &found)); /* inverse iteration can fail if many eigenvalues are equal */
  return found ? MN_OK : mn_fail(ctx, MN_SINGULAR, "eigenvectors: LAPACK dsyevd did not converge");
}

static mn_status check(mn_context *ctx, size_t n, size_t k, const double *a)
{
  enum { MAX_ORDER = 32000 }; /* divide and conquer needs a workspace of 2 n^2 values, counted in 32 bits */
  if (k > n) return mn_fail(ctx, MN_BAD_ARGUMENT, "eigenvectors: their number must be at most %zu, got %zu", n, k);
  if (n > MAX_ORDER)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "eigenvectors: the order must be at most %d, got %zu", MAX_ORDER, n);
  for (size_t i = 0; i < n; i++)
    if (!mn_all_finite(i + 1, a + i * n))
      return mn_fail(ctx, MN_BAD_DATA, "eigenvectors: the matrix must be finite, got nan or inf in row %zu", i + 1);
  return MN_OK;
}

static mn_status run(mn_context *ctx, struct problem *p)
{
  MN_TRY(check(ctx, p->n, p->k, p->a));
  if (p->k == 0) return MN_OK;
  MN_TRY(mn_lapack_get(ctx, &p->lapack));
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_status status = solve(ctx, p);
  mn_scratch_release(ctx, mark);
  if (status == MN_OK && p->end == MN_LARGEST) reverse(p);
  return status;
}

mn_status mn_eigh(mn_context *ctx, size_t n, size_t k, mn_spectrum_end end, double *a, double *values, double *vectors)
{
  struct problem p = { .n = n, .k = k, .end = end, .order = (int)n, .a = a, .values = values, .vectors = vectors };
  return run(ctx, &p);
}

mn_status mn_eigh_spectrum(mn_context *ctx, size_t n, size_t k, double *a, double *values, double *vectors)
{
  struct problem p = {
    .n = n, .k = k, .end = MN_LARGEST, .order = (int)n, .all = true, .a = a, .values = values, .vectors = vectors
  };
  return run(ctx, &p);
}
