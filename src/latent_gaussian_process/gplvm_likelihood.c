#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "gplvm.h"
#include "../stats/special.h"
#include <string.h>

static bool same_rows(size_t n, size_t p, const double *x, size_t a, size_t b)
{
  for (size_t i = 0; i < n; i++)
    if (isnan(x[i * p + a]) != isnan(x[i * p + b])) return false;
  return true;
}

/* y' itself, or R of y' = Q R if there are more columns than rows. */
static mn_status find_root(mn_context *ctx, mn_gplvm_group *g)
{
  const size_t r = g->rows, c = g->columns;
  g->depth = c < r ? c : r;
  g->root = MN_RAW(ctx, double, g->depth, r);
  MN_CHECK_ALLOC(g->root);
  const mn_mark mark = mn_scratch_mark(ctx);
  double *transposed = c > r ? MN_RAW(ctx, double, c, r) : g->root;
  MN_CHECK_ALLOC(transposed);
  for (size_t i = 0; i < r; i++)
    for (size_t j = 0; j < c; j++) transposed[j * r + i] = g->y[i * c + j];
  if (c > r) MN_TRY(mn_qr(ctx, c, r, transposed, NULL, g->root));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status fill_group(mn_context *ctx, size_t n, size_t p, const double *x, const double *mean, double unit,
                            mn_gplvm_group *g)
{
  for (size_t i = 0; i < n; i++)
    if (!isnan(x[i * p + g->column[0]])) g->row[g->rows++] = i;
  g->y = MN_RAW(ctx, double, g->rows, g->columns);
  g->alpha = MN_RAW(ctx, double, g->rows, g->columns);
  g->inverse = MN_RAW(ctx, double, g->rows, g->rows);
  g->rotated = MN_RAW(ctx, double, g->columns < g->rows ? g->columns : g->rows, g->rows);
  if (!g->y || !g->alpha || !g->inverse || !g->rotated) return MN_NO_MEMORY;
  for (size_t i = 0; i < g->rows; i++)
    for (size_t c = 0; c < g->columns; c++)
      g->y[i * g->columns + c] = (x[g->row[i] * p + g->column[c]] - mean[g->column[c]]) / unit;
  return find_root(ctx, g);
}

mn_status mn_gplvm_make_groups(mn_context *ctx, size_t n, size_t p, const double *x, const double *mean, double unit,
                               mn_gplvm_groups *groups)
{
  *groups = (mn_gplvm_groups){ .n = n,
                               .group = MN_NEW(ctx, mn_gplvm_group, p, 1),
                               .k = MN_RAW(ctx, double, n, n),
                               .w = MN_RAW(ctx, double, n, n),
                               .products = MN_RAW(ctx, double, n, n) };
  if (!groups->group || !groups->k || !groups->w || !groups->products) return MN_NO_MEMORY;
  for (size_t j = 0; j < p; j++) {
    size_t g = 0;
    while (g < groups->count && !same_rows(n, p, x, groups->group[g].column[0], j)) g++;
    mn_gplvm_group *group = &groups->group[g];
    if (g == groups->count) {
      groups->count++;
      group->row = MN_RAW(ctx, size_t, n, 1);
      group->column = MN_RAW(ctx, size_t, p, 1);
      if (!group->row || !group->column) return MN_NO_MEMORY;
    }
    group->column[group->columns++] = j;
  }
  for (size_t g = 0; g < groups->count; g++) {
    MN_TRY(fill_group(ctx, n, p, x, mean, unit, &groups->group[g]));
    groups->values += (double)(groups->group[g].rows * groups->group[g].columns);
  }
  return MN_OK;
}

/* w += 1/2 (alpha alpha' - columns inv(K)), in the rows and columns that the group has, from rotated = root inv(K). */
static mn_status add_derivative(mn_context *ctx, const mn_gplvm_groups *groups, const mn_gplvm_group *g, double *w)
{
  const size_t n = groups->n, r = g->rows;
  const double factor = (double)g->columns;
  double *products = groups->products;
  MN_TRY(mn_syrk(ctx, g->depth, r, g->rotated, r, NULL, NULL, products, r));
  for (size_t i = 0; i < r; i++) {
    double *row = w + g->row[i] * n;
    for (size_t j = 0; j < r; j++) row[g->row[j]] += (products[i * r + j] - factor * g->inverse[i * r + j]) / 2;
  }
  return MN_OK;
}

/* *squares = tr y' inv(K) y; alpha, or with w what it adds to w. `inverse` holds the Cholesky factor of K, and on
 * return the inverse. */
static mn_status invert_group(mn_context *ctx, const mn_gplvm_groups *groups, mn_gplvm_group *g, double *squares,
                              double *w)
{
  const size_t r = g->rows, c = g->columns;
  *squares = 0;
  if (!w) {
    memcpy(g->alpha, g->y, r * c * sizeof *g->y);
    MN_TRY(mn_chol_apply(ctx, r, c, g->inverse, g->alpha));
    for (size_t i = 0; i < r * c; i++) *squares += g->y[i] * g->alpha[i];
    return mn_chol_inverse(ctx, r, g->inverse);
  }
  MN_TRY(mn_chol_inverse(ctx, r, g->inverse));
  MN_TRY(mn_gemm(ctx, false, false, g->depth, r, r, 1, g->root, r, g->inverse, r, 0, g->rotated, r));
  for (size_t i = 0; i < g->depth * r; i++) *squares += g->root[i] * g->rotated[i];
  return add_derivative(ctx, groups, g, w);
}

/* Add the log likelihood of a group. */
static mn_status add_group(mn_context *ctx, const mn_gplvm_groups *groups, mn_gplvm_group *g, double *value, double *w)
{
  const size_t r = g->rows;
  size_t minor;
  for (size_t i = 0; i < r; i++) {
    if (i % 256 == 0) MN_TRY(mn_poll(ctx));
    const double *row = groups->k + g->row[i] * groups->n;
    for (size_t j = 0; j < r; j++) g->inverse[i * r + j] = row[g->row[j]];
  }
  MN_TRY(mn_chol_try(ctx, r, g->inverse, NULL, &minor));
  if (minor > 0) {
    *value = NAN;
    return MN_OK;
  }
  const double log_det = mn_chol_logdet(r, g->inverse);
  const mn_mark mark = mn_scratch_mark(ctx);
  double squares;
  MN_TRY(invert_group(ctx, groups, g, &squares, w));
  *value -= (double)g->columns * (log_det + (double)r * MN_LOG_2PI) / 2 + squares / 2;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* From w = d log p / dK: each position is a row and a column of K. */
static mn_status find_gradients(mn_context *ctx, const mn_kernel *kernel, size_t n, size_t q, const double *z,
                                const double *w, double *by_theta, double *by_z)
{
  const mn_kernel_rows rows = { .n = n, .d = q, .x = z }, others = rows;
  const size_t free = mn_kernel_free_count(kernel);
  double *diagonal = MN_RAW(ctx, double, n, 1), *none = MN_NEW(ctx, double, n, 1);
  double *white = MN_NEW(ctx, double, free + 1, 1);
  if (!diagonal || !none || !white) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) diagonal[i] = w[i * n + i];
  MN_TRY(mn_kernel_cross_gradient_dot(ctx, kernel, &rows, &others, w, n, by_theta, by_z));
  MN_TRY(mn_kernel_diagonal_gradient_dot(ctx, kernel, &rows, none, diagonal, white));
  for (size_t j = 0; j < free; j++) by_theta[j] += white[j];
  for (size_t i = 0; i < n * q; i++) by_z[i] *= 2;
  return MN_OK;
}

mn_status mn_gplvm_likelihood(mn_context *ctx, const mn_kernel *kernel, size_t q, const double *z,
                              mn_gplvm_groups *groups, double *value, double *by_theta, double *by_z)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t n = groups->n;
  const mn_kernel_rows rows = { .n = n, .d = q, .x = z };
  double *k = groups->k, *w = by_z ? groups->w : NULL;
  *value = 0;
  if (w) memset(w, 0, n * n * sizeof *w);
  MN_TRY(mn_kernel_matrix(ctx, kernel, &rows, k, n));
  for (size_t g = 0; g < groups->count && !isnan(*value); g++)
    if (groups->group[g].rows > 0) MN_TRY(add_group(ctx, groups, &groups->group[g], value, w));
  if (w && !isnan(*value)) MN_TRY(find_gradients(ctx, kernel, n, q, z, w, by_theta, by_z));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
