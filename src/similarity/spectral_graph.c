#include "spectral_graph.h"
#include "../eigen/lanczos.h"
#include "../linalg/csr.h"
#include "../linalg/product.h"
#include "../linalg/sparse_chol.h"
#include "../manifold/training_distances.h"
#include "../search/neighbor_index.h"
#include "../spanning_tree/components.h"
#include <string.h>

const char *const mn_affinity_names[] = { "rbf", "nearest_neighbors", "precomputed", NULL };
enum { LEAF_SIZE = 30, MAX_RESTARTS = 300, MAX_DENSE = 4000, MANY_ROWS = 2000 };

static mn_status check_similarities(mn_context *ctx, const char *who, const mn_data *data)
{
  const size_t n = data->rows;
  char number[MN_NUMBER_SIZE];
  if (n != data->features)
    return mn_fail(ctx, MN_BAD_DATA, "%s: X must be a square matrix of similarities, got %zu x %zu", who, n,
                   data->features);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      const double a = mn_row(&data->x, i)[j], b = mn_row(&data->x, j)[i];
      if (!(a >= 0))
        return mn_fail(ctx, MN_BAD_DATA, "%s: similarities must be >= 0, got %s in row %zu, column %zu", who,
                       mn_format_number(number, a), i + 1, j + 1);
      if (fabs(a - b) > 1e-10 * fmax(a, b))
        return mn_fail(ctx, MN_BAD_DATA, "%s: similarities must be symmetric, got different ones of rows %zu and %zu",
                       who, i + 1, j + 1);
    }
  return MN_OK;
}

/* Fails for a graph that fits into no memory. */
static mn_status check_graph_size(mn_context *ctx, const char *who, size_t rows, size_t neighbors)
{
  const double most = 80e9, bytes = 2 * (double)sizeof(mn_entry) * (double)rows * (double)neighbors;
  if (neighbors > rows)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: n_neighbors must be at most the number of rows, %zu, got %zu", who, rows,
                   neighbors);
  if (bytes <= most) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT,
                 "%s: the graph of %zu neighbors of each of %zu rows takes %.0f GB; decrease n_neighbors", who,
                 neighbors, rows, 1e-9 * bytes);
}

/* (C + C') / 2, where C_ij = 1 if j is one of the n_neighbors - 1 nearest other rows of i. */
static mn_status neighbor_graph(mn_context *ctx, const char *who, mn_affinity affinity, const mn_data *data,
                                mn_spectral_graph *g)
{
  const mn_points rows = { .n = data->rows, .d = data->features, .x = data->x.at, .sparse = data->sparse };
  const size_t k = affinity.n_neighbors - 1;
  mn_neighbor_index index = { 0 };
  MN_TRY(check_graph_size(ctx, who, data->rows, affinity.n_neighbors));
  const mn_index_options options = { .metric = { .kind = MN_METRIC_EUCLIDEAN },
                                     .leaf_size = LEAF_SIZE,
                                     .scratch = true };
  int32_t *found = MN_RAW(ctx, int32_t, data->rows, k + 1);
  double *distance = MN_RAW(ctx, double, data->rows, k + 1);
  mn_entry *entry = MN_RAW(ctx, mn_entry, data->rows, 2 * k + 1);
  if (!found || !distance || !entry) return MN_NO_MEMORY;
  if (k > 0) {
    MN_TRY(mn_neighbor_index_init(ctx, who, &index, &rows, options));
    MN_TRY(mn_neighbor_nearest(ctx, &index, &rows, NULL, k, found, distance));
  }
  for (size_t i = 0; i < data->rows * k; i++) {
    entry[2 * i] = (mn_entry){ .row = i / k, .col = found[i], .value = 0.5 };
    entry[2 * i + 1] = (mn_entry){ .row = (size_t)found[i], .col = (int32_t)(i / k), .value = 0.5 };
  }
  g->sparse = (mn_csr){ .rows = data->rows, .cols = data->rows };
  g->sparse.start = MN_NEW(ctx, size_t, data->rows + 1, 1);
  g->sparse.col = MN_RAW(ctx, int32_t, data->rows, 2 * k + 1);
  g->sparse.at = MN_RAW(ctx, double, data->rows, 2 * k + 1);
  if (!g->sparse.start || !g->sparse.col || !g->sparse.at) return MN_NO_MEMORY;
  return mn_csr_from_entries(ctx, entry, 2 * data->rows * k, &g->sparse);
}

static mn_status asymmetric(mn_context *ctx, const char *who, size_t i, size_t j)
{
  return mn_fail(ctx, MN_BAD_DATA, "%s: similarities must be symmetric, got different ones of rows %zu and %zu", who,
                 i + 1, j + 1);
}

/* Copy a sparse matrix of similarities without its diagonal. */
static mn_status copy_similarities(mn_context *ctx, const char *who, const mn_csr *x, mn_spectral_graph *g)
{
  const size_t n = x->rows, values = x->start[n];
  mn_csr transposed, *out = &g->sparse;
  char number[MN_NUMBER_SIZE];
  size_t at = 0;
  if (n != x->cols)
    return mn_fail(ctx, MN_BAD_DATA, "%s: X must be a square matrix of similarities, got %zu x %zu", who, n, x->cols);
  MN_TRY(mn_csr_transpose_scratch(ctx, x, &transposed));
  *out = (mn_csr){ .rows = n,
                   .cols = n,
                   .start = MN_NEW(ctx, size_t, n + 1, 1),
                   .col = MN_RAW(ctx, int32_t, values + 1, 1),
                   .at = MN_RAW(ctx, double, values + 1, 1) };
  if (!out->start || !out->col || !out->at) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) {
    if (x->start[i + 1] != transposed.start[i + 1])
      return mn_fail(ctx, MN_BAD_DATA,
                     "%s: similarities must be symmetric, got %zu stored ones in row %zu and %zu in the column", who,
                     x->start[i + 1] - x->start[i], i + 1, transposed.start[i + 1] - transposed.start[i]);
    for (size_t e = x->start[i]; e < x->start[i + 1]; e++) {
      const double value = x->at[e];
      if (!(value >= 0))
        return mn_fail(ctx, MN_BAD_DATA, "%s: similarities must be >= 0, got %s in row %zu, column %d", who,
                       mn_format_number(number, value), i + 1, x->col[e] + 1);
      if (x->col[e] != transposed.col[e] || fabs(value - transposed.at[e]) > 1e-10 * fmax(value, transposed.at[e]))
        return asymmetric(ctx, who, i, (size_t)x->col[e]);
      if ((size_t)x->col[e] == i || value == 0) continue;
      out->col[at] = x->col[e];
      out->at[at++] = value;
    }
    out->start[i + 1] = at;
  }
  return MN_OK;
}

static mn_status make_graph(mn_context *ctx, const char *who, mn_affinity affinity, const mn_data *data,
                            mn_spectral_graph *g)
{
  const size_t n = data->rows;
  *g = (mn_spectral_graph){ .n = n };
  if (affinity.kind == MN_AFFINITY_NEIGHBORS) return neighbor_graph(ctx, who, affinity, data, g);
  if (affinity.kind == MN_AFFINITY_PRECOMPUTED && data->sparse) return copy_similarities(ctx, who, data->sparse, g);
  if (data->sparse)
    return mn_fail(ctx, MN_BAD_DATA, "%s: the affinity rbf requires a dense X; convert it with X:todense()", who);
  MN_TRY(mn_check_pairs(ctx, who, n, "use the affinity nearest_neighbors, whose graph is sparse"));
  g->dense = MN_RAW(ctx, double, n, n);
  MN_CHECK_ALLOC(g->dense);
  if (affinity.kind == MN_AFFINITY_RBF) {
    MN_TRY(mn_rbf(ctx, n, n, data->features, data->x.at, data->x.at, affinity.gamma, g->dense, n));
  } else {
    MN_TRY(check_similarities(ctx, who, data));
    memcpy(g->dense, data->x.at, n * n * sizeof *g->dense);
  }
  for (size_t i = 0; i < n; i++) g->dense[i * n + i] = 0;
  return MN_OK;
}

static mn_status normalize_graph(mn_context *ctx, mn_spectral_graph *g)
{
  const mn_csr *s = &g->sparse;
  g->root = MN_NEW(ctx, double, g->n, 1);
  MN_CHECK_ALLOC(g->root);
  for (size_t i = 0; i < g->n; i++) {
    for (size_t j = 0; g->dense && j < g->n; j++) g->root[i] += g->dense[i * g->n + j];
    for (size_t e = s->start ? s->start[i] : 0; s->start && e < s->start[i + 1]; e++) g->root[i] += s->at[e];
    g->root[i] = g->root[i] > 0 ? sqrt(g->root[i]) : 1;
  }
  for (size_t i = 0; i < g->n; i++) {
    for (size_t j = 0; g->dense && j < g->n; j++) g->dense[i * g->n + j] /= g->root[i] * g->root[j];
    for (size_t e = s->start ? s->start[i] : 0; s->start && e < s->start[i + 1]; e++)
      s->at[e] /= g->root[i] * g->root[s->col[e]];
  }
  return MN_OK;
}

static void transpose(size_t rows, size_t cols, const double *from, double *to)
{
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < cols; j++) to[j * rows + i] = from[i * cols + j];
}

static mn_status apply_graph(mn_context *ctx, void *user, size_t count, const double *x, double *y)
{
  const mn_spectral_graph *g = user;
  const size_t n = g->n;
  if (g->dense) return mn_gemm(ctx, false, false, count, n, n, 1, x, n, g->dense, n, 0, y, n);
  const mn_mark mark = mn_scratch_mark(ctx);
  double *from = MN_RAW(ctx, double, n, count), *to = MN_RAW(ctx, double, n, count);
  if (!from || !to) return MN_NO_MEMORY;
  transpose(count, n, x, from);
  MN_TRY(mn_csr_multiply(ctx, &g->sparse, count, from, to));
  transpose(n, count, to, y);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* All eigenvectors of a small graph whose few ones Lanczos has not found, as if eigenvalues are nearly equal. */
static mn_status solve_dense(mn_context *ctx, const mn_spectral_graph *g, size_t k, double *values, double *vectors)
{
  double *a = MN_NEW(ctx, double, g->n, g->n);
  mn_matrix full = { .at = a, .rows = g->n, .cols = g->n };
  MN_CHECK_ALLOC(a);
  if (g->dense)
    memcpy(a, g->dense, g->n * g->n * sizeof *a);
  else
    mn_csr_to_dense(&g->sparse, &full);
  return mn_eigh(ctx, g->n, k, MN_LARGEST, a, values, vectors);
}

mn_status mn_spectral_graph_init(mn_context *ctx, const char *who, mn_affinity affinity, const mn_data *data,
                                 mn_spectral_graph *g)
{
  MN_TRY(make_graph(ctx, who, affinity, data, g));
  return normalize_graph(ctx, g);
}

/* --- many rows of a sparse graph --- */

/* The Laplacian, which has the pattern of the graph and a diagonal. */
static mn_status make_laplacian(mn_context *ctx, const mn_spectral_graph *g, mn_csr *out)
{
  const mn_csr *s = &g->sparse;
  const size_t n = g->n, values = s->start[n] + n;
  *out = (mn_csr){ .rows = n,
                   .cols = n,
                   .start = MN_RAW(ctx, size_t, n + 1, 1),
                   .col = MN_RAW(ctx, int32_t, values, 1),
                   .at = MN_RAW(ctx, double, values, 1) };
  if (!out->start || !out->col || !out->at) return MN_NO_MEMORY;
  for (size_t i = 0, at = 0; i < n; i++) {
    out->start[i] = at;
    out->col[at] = (int32_t)i;
    out->at[at++] = 1;
    for (size_t e = s->start[i]; e < s->start[i + 1]; e++) {
      out->col[at] = s->col[e];
      out->at[at++] = -s->at[e];
    }
    out->start[i + 1] = at;
  }
  return MN_OK;
}

static mn_status apply_inverse(mn_context *ctx, void *user, size_t count, const double *x, double *y)
{
  const mn_sparse_chol *factor = user;
  memcpy(y, x, count * factor->n * sizeof *y);
  return mn_sparse_chol_solve(ctx, factor, count, y);
}

/* 1 minus the eigenvalues, from the inverse of the shifted Laplacian: those near 1 are too close for Lanczos. */
static mn_status solve_by_inverse(mn_context *ctx, const mn_spectral_graph *g, size_t k, double tolerance,
                                  double *values, double *vectors, bool *converged)
{
  const double shift = 1e-5;
  mn_csr laplacian;
  mn_sparse_chol factor;
  MN_TRY(make_laplacian(ctx, g, &laplacian));
  MN_TRY(mn_sparse_chol_init(ctx, &laplacian, shift, &factor));
  const mn_eigenproblem problem = { .n = g->n,
                                    .k = k,
                                    .end = MN_LARGEST,
                                    .apply = apply_inverse,
                                    .user = &factor,
                                    .tolerance = tolerance,
                                    .max_iter = MAX_RESTARTS };
  MN_TRY(mn_eigs(ctx, &problem, values, vectors, converged));
  for (size_t c = 0; c < k; c++) values[c] = 1 - (1 / values[c] - shift);
  return MN_OK;
}

static mn_status solve_by_products(mn_context *ctx, const mn_spectral_graph *g, size_t k, double tolerance,
                                   double *values, double *vectors, bool *converged)
{
  mn_spectral_graph copy = *g;
  const mn_eigenproblem problem = { .n = g->n,
                                    .k = k,
                                    .end = MN_LARGEST,
                                    .apply = apply_graph,
                                    .user = &copy,
                                    .tolerance = tolerance,
                                    .max_iter = MAX_RESTARTS };
  return mn_eigs(ctx, &problem, values, vectors, converged);
}

mn_status mn_spectral_vectors(mn_context *ctx, const char *who, const mn_spectral_graph *g, size_t k, double tolerance,
                              double *values, double *vectors)
{
  const size_t n = g->n;
  bool converged = false;
  if (!g->dense && n > MANY_ROWS)
    MN_TRY(solve_by_inverse(ctx, g, k, tolerance, values, vectors, &converged));
  else
    MN_TRY(solve_by_products(ctx, g, k, tolerance, values, vectors, &converged));
  if (!converged && n > MAX_DENSE)
    return mn_fail(ctx, MN_SINGULAR,
                   "%s: the eigenvectors did not converge in %d restarts; increase eigen_tol or n_neighbors", who,
                   MAX_RESTARTS);
  if (!converged) MN_TRY(solve_dense(ctx, g, k, values, vectors));
  for (size_t c = 0; c < k; c++) {
    double largest = 0, *v = vectors + c * n;
    for (size_t i = 0; i < n; i++) largest = fabs(v[i] / g->root[i]) > fabs(largest) ? v[i] / g->root[i] : largest;
    for (size_t i = 0; largest < 0 && i < n; i++) v[i] = -v[i];
    values[c] = 1 - values[c];
  }
  return MN_OK;
}

mn_status mn_spectral_parts(mn_context *ctx, const mn_spectral_graph *g, size_t *parts)
{
  const size_t n = g->n;
  int32_t *parent = MN_RAW(ctx, int32_t, n, 1);
  MN_CHECK_ALLOC(parent);
  mn_components_init(parent, n);
  *parts = n;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; g->dense && j < i; j++)
      if (g->dense[i * n + j] > 0) *parts -= (size_t)mn_components_join(parent, (int32_t)i, (int32_t)j);
    for (size_t e = g->dense ? 0 : g->sparse.start[i]; !g->dense && e < g->sparse.start[i + 1]; e++)
      *parts -= (size_t)mn_components_join(parent, (int32_t)i, g->sparse.col[e]);
  }
  return MN_OK;
}
