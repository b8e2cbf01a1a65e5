#include "principal_axes.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "lanczos.h"
#include "signs.h"
#include <math.h>
#include <string.h>

/* Up to this many columns, and fewer than rows, S and its eigenvectors take less time than products with the rows. */
enum { MOST_COLUMNS = 1500 };

struct rows {
  size_t n, p;
  double *z; /* n x p: sqrt(w_i / sum w) (x_i - mean) */
};

/* y = x S for `count` vectors. */
static mn_status apply(mn_context *ctx, void *user, size_t count, const double *x, double *y)
{
  const struct rows *r = user;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *scores = MN_RAW(ctx, double, count, r->n);
  MN_CHECK_ALLOC(scores);
  MN_TRY(mn_gemm(ctx, false, true, count, r->n, r->p, 1, x, r->p, r->z, r->p, 0, scores, r->n));
  MN_TRY(mn_gemm(ctx, false, false, count, r->p, r->n, 1, scores, r->n, r->z, r->p, 0, y, r->p));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status overflow(mn_context *ctx)
{
  return mn_fail(ctx, MN_BAD_DATA, "X: the squares of its values overflow; scale the columns");
}

static mn_status center(mn_context *ctx, const double *x, const double *w, double *mean, double *trace, struct rows *r)
{
  double total = 0;
  r->z = MN_RAW(ctx, double, r->n, r->p);
  MN_CHECK_ALLOC(r->z);
  memset(mean, 0, r->p * sizeof *mean);
  for (size_t i = 0; i < r->n; i++) {
    const double weight = w ? w[i] : 1;
    total += weight;
    for (size_t j = 0; j < r->p; j++) mean[j] += weight / total * (x[i * r->p + j] - mean[j]);
  }
  *trace = 0;
  for (size_t i = 0; i < r->n; i++) {
    const double root = sqrt((w ? w[i] : 1) / total);
    for (size_t j = 0; j < r->p; j++) {
      const double z = root * (x[i * r->p + j] - mean[j]);
      r->z[i * r->p + j] = z;
      *trace += z * z;
    }
  }
  return isfinite(*trace) ? MN_OK : overflow(ctx);
}

static mn_status axes_of_covariance(mn_context *ctx, size_t n, size_t p, const double *x, const double *w, size_t k,
                                    double *mean, double *values, double *vectors, double *trace)
{
  double *s = MN_RAW(ctx, double, p, p), total;
  MN_CHECK_ALLOC(s);
  MN_TRY(mn_gram(ctx, n, p, x, p, 0, NULL, 0, w, true, &total, mean, s, p));
  *trace = 0;
  for (size_t e = 0; e < p * p; e++) s[e] /= total;
  for (size_t j = 0; j < p; j++) *trace += s[j * (p + 1)];
  if (!isfinite(*trace)) return overflow(ctx);
  return *trace > 0 ? mn_eigh(ctx, p, k, MN_LARGEST, s, values, vectors) : MN_OK;
}

static mn_status axes_of_rows(mn_context *ctx, size_t n, size_t p, const double *x, const double *w, size_t k,
                              double *mean, double *values, double *vectors, double *trace)
{
  struct rows r = { .n = n, .p = p };
  bool converged;
  MN_TRY(center(ctx, x, w, mean, trace, &r));
  if (!(*trace > 0)) return MN_OK;
  const mn_eigenproblem problem = {
    .n = p, .k = k, .end = MN_LARGEST, .apply = apply, .user = &r, .tolerance = 1e-13, .max_iter = 300
  };
  return mn_eigs(ctx, &problem, values, vectors, &converged);
}

mn_status mn_principal_axes(mn_context *ctx, size_t n, size_t p, const double *x, const double *w, size_t k,
                            double *mean, double *values, double *vectors, double *trace)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY((p <= MOST_COLUMNS && p < n ? axes_of_covariance : axes_of_rows)(ctx, n, p, x, w, k, mean, values, vectors,
                                                                          trace));
  if (!(*trace > 0)) {
    memset(values, 0, k * sizeof *values);
    memset(vectors, 0, k * p * sizeof *vectors);
    for (size_t c = 0; c < k; c++) vectors[c * p + c] = 1;
  }
  for (size_t c = 0; c < k; c++) values[c] = fmax(values[c], 0);
  mn_fix_signs(k, p, vectors);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
