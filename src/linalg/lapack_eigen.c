#include "lapack.h"
#include "lapack_table.h"
#include <string.h>

/* For k <= n / SUBSET_RATIO bisection is faster than divide and conquer (measured for n from 100 to 2000). */
enum { SUBSET_RATIO = 10 };

struct problem {
  const mn_lapack *lapack;
  size_t n, k;
  mn_spectrum_end end;
  int order;
  double *a, *values, *vectors;
};

static mn_status did_not_converge(mn_context *ctx, const char *routine)
{
  return mn_fail(ctx, MN_SINGULAR, "eigenvectors: LAPACK %s did not converge", routine);
}

/* Reverse ascending values and vectors to descending order. */
static void reverse(const struct problem *p)
{
  for (size_t i = 0, j = p->k - 1; i < j; i++, j--) {
    const double value = p->values[i];
    p->values[i] = p->values[j];
    p->values[j] = value;
    for (size_t c = 0; p->vectors && c < p->n; c++) {
      const double element = p->vectors[i * p->n + c];
      p->vectors[i * p->n + c] = p->vectors[j * p->n + c];
      p->vectors[j * p->n + c] = element;
    }
  }
}

/* The column-major n x k matrix of vectors is our row-major k x n. LAPACK writes n values, of which the first k count.
 */
static mn_status solve_subset(mn_context *ctx, const struct problem *p)
{
  const size_t n = p->n;
  const int last = p->end == MN_LARGEST ? p->order : (int)p->k;
  const int first = last - (int)p->k + 1;
  const double unused = 0, tolerance = 0;
  double *values = MN_RAW(ctx, double, n, 1);
  MN_CHECK_ALLOC(values);
  int *support = MN_RAW(ctx, int, 2, n);
  MN_CHECK_ALLOC(support);
  const char *const job = p->vectors ? "V" : "N";
  double wanted_size;
  int found, info, iwork_size, query = -1;
  p->lapack->dsyevr(job, "I", "U", &p->order, p->a, &p->order, &unused, &unused, &first, &last, &tolerance, &found,
                    values, p->vectors, &p->order, support, &wanted_size, &query, &iwork_size, &query, &info, 1, 1, 1);
  const int size = (int)wanted_size;
  double *work = MN_RAW(ctx, double, (size_t)size, 1);
  MN_CHECK_ALLOC(work);
  int *iwork = MN_RAW(ctx, int, (size_t)iwork_size, 1);
  MN_CHECK_ALLOC(iwork);
  p->lapack->dsyevr(job, "I", "U", &p->order, p->a, &p->order, &unused, &unused, &first, &last, &tolerance, &found,
                    values, p->vectors, &p->order, support, work, &size, iwork, &iwork_size, &info, 1, 1, 1);
  if (info != 0 || found != (int)p->k) return did_not_converge(ctx, "dsyevr");
  memcpy(p->values, values, p->k * sizeof *values);
  return MN_OK;
}

static mn_status solve_all(mn_context *ctx, const struct problem *p)
{
  const size_t n = p->n, first = p->end == MN_LARGEST ? n - p->k : 0;
  double *values = MN_RAW(ctx, double, n, 1);
  MN_CHECK_ALLOC(values);
  const char *const job = p->vectors ? "V" : "N";
  double wanted_size;
  int info, iwork_size, query = -1;
  p->lapack->dsyevd(job, "U", &p->order, p->a, &p->order, values, &wanted_size, &query, &iwork_size, &query, &info, 1,
                    1);
  const int size = (int)wanted_size;
  double *work = MN_RAW(ctx, double, (size_t)size, 1);
  MN_CHECK_ALLOC(work);
  int *iwork = MN_RAW(ctx, int, (size_t)iwork_size, 1);
  MN_CHECK_ALLOC(iwork);
  p->lapack->dsyevd(job, "U", &p->order, p->a, &p->order, values, work, &size, iwork, &iwork_size, &info, 1, 1);
  if (info != 0) return did_not_converge(ctx, "dsyevd");
  memcpy(p->values, values + first, p->k * sizeof *values);
  if (p->vectors) memcpy(p->vectors, p->a + first * n, p->k * n * sizeof *values);
  return MN_OK;
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

mn_status mn_eigh(mn_context *ctx, size_t n, size_t k, mn_spectrum_end end, double *a, double *values, double *vectors)
{
  struct problem p = { .n = n, .k = k, .end = end, .order = (int)n, .a = a, .values = values, .vectors = vectors };
  MN_TRY(check(ctx, n, k, a));
  if (k == 0) return MN_OK;
  MN_TRY(mn_lapack_get(ctx, &p.lapack));
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_status status = k <= n / SUBSET_RATIO ? solve_subset(ctx, &p) : solve_all(ctx, &p);
  mn_scratch_release(ctx, mark);
  if (status == MN_OK && end == MN_LARGEST) reverse(&p);
  return status;
}
