#include "null_space.h"
#include "../eigen/lanczos.h"
#include "../eigen/signs.h"
#include "../linalg/csr.h"
#include "../linalg/sparse_chol.h"
#include <math.h>

enum { FEW_ROWS = 600, MAX_RESTARTS = 300 };

static double largest_diagonal(const mn_csr *m)
{
  double largest = 0;
  for (size_t i = 0; i < m->rows; i++)
    for (size_t e = m->start[i]; e < m->start[i + 1]; e++)
      if ((size_t)m->col[e] == i) largest = fmax(largest, m->at[e]);
  return largest;
}

/* All eigenvectors; the constant one gets an eigenvalue above the others. */
static mn_status solve_densely(mn_context *ctx, const mn_csr *m, size_t k, double *values, double *vectors)
{
  const size_t n = m->rows;
  double *a = MN_NEW(ctx, double, n, n), trace = 0;
  mn_matrix full = { .at = a, .rows = n, .cols = n };
  MN_CHECK_ALLOC(a);
  mn_csr_to_dense(m, &full);
  for (size_t i = 0; i < n; i++) trace += a[i * n + i];
  for (size_t i = 0; i < n * n; i++) a[i] += (trace + 1) / (double)n;
  return mn_eigh(ctx, n, k, MN_SMALLEST, a, values, vectors);
}

/* --- the inverse --- */

static void subtract_mean(size_t n, double *x)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i];
  for (size_t i = 0; i < n; i++) x[i] -= sum / (double)n;
}

/* y = inv(M + shift) x on vectors orthogonal to 1. */
static mn_status apply_inverse(mn_context *ctx, void *user, size_t count, const double *x, double *y)
{
  const mn_sparse_chol *factor = user;
  const size_t n = factor->n;
  for (size_t i = 0; i < count * n; i++) y[i] = x[i];
  for (size_t i = 0; i < count; i++) subtract_mean(n, y + i * n);
  MN_TRY(mn_sparse_chol_solve(ctx, factor, count, y));
  for (size_t i = 0; i < count; i++) subtract_mean(n, y + i * n);
  return MN_OK;
}

/* values = v' M v */
static mn_status rayleigh_quotients(mn_context *ctx, const mn_csr *m, size_t k, const double *vectors, double *values)
{
  const size_t n = m->rows;
  double *product = MN_RAW(ctx, double, n, 1);
  MN_CHECK_ALLOC(product);
  for (size_t c = 0; c < k; c++) {
    MN_TRY(mn_csr_multiply(ctx, m, 1, vectors + c * n, product));
    values[c] = 0;
    for (size_t i = 0; i < n; i++) values[c] += product[i] * vectors[c * n + i];
  }
  return MN_OK;
}

static mn_status solve_by_inverse(mn_context *ctx, const char *who, const mn_csr *m, size_t k, double *values,
                                  double *vectors)
{
  const double shift = 1e-13 * largest_diagonal(m);
  mn_sparse_chol factor;
  bool converged;
  MN_TRY(mn_sparse_chol_init(ctx, m, shift, &factor));
  const mn_eigenproblem problem = { .n = m->rows,
                                    .k = k,
                                    .end = MN_LARGEST,
                                    .apply = apply_inverse,
                                    .user = &factor,
                                    .tolerance = 1e-9,
                                    .max_iter = MAX_RESTARTS };
  MN_TRY(mn_eigs(ctx, &problem, values, vectors, &converged));
  if (!converged)
    return mn_fail(ctx, MN_SINGULAR, "%s: the eigenvectors did not converge in %d restarts; increase n_neighbors", who,
                   MAX_RESTARTS);
  return rayleigh_quotients(ctx, m, k, vectors, values);
}

mn_status mn_smallest_pairs(mn_context *ctx, const char *who, const mn_csr *m, size_t k, double *values,
                            double *vectors)
{
  if (m->rows <= FEW_ROWS)
    MN_TRY(solve_densely(ctx, m, k, values, vectors));
  else
    MN_TRY(solve_by_inverse(ctx, who, m, k, values, vectors));
  for (size_t c = 0; c < k; c++) values[c] = fmax(values[c], 0);
  mn_fix_signs(k, m->rows, vectors);
  return MN_OK;
}
