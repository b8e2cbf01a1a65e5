#include "glm_design.h"
#include "../linalg/product.h"
#include "../linear/linear_kernel.h"
#include <string.h>

enum { BLOCK_ROWS = 256, MAX_BLOCKS = 8, TILE_VALUES = 1 << 18 };

size_t mn_glm_mean_row_size(const mn_glm_problem *m)
{
  return m->sparse ? m->sparse->start[m->n] / (m->n + 1) : m->p;
}

void mn_glm_row_predictors(const mn_glm_problem *m, size_t begin, size_t n, const double *b, double c, double *eta)
{
  const mn_csr *s = m->sparse;
  if (!s) {
    mn_linear_rows(n, m->p, m->x + begin * m->p, b, c, eta, 1);
    return;
  }
  for (size_t i = 0; i < n; i++) {
    double sum = c;
    for (size_t e = s->start[begin + i]; e < s->start[begin + i + 1]; e++) sum += s->at[e] * b[s->col[e]];
    eta[i] = sum;
  }
}

void mn_glm_add_gradient(const mn_glm_problem *m, size_t begin, size_t n, const double *r, double *g)
{
  const mn_csr *s = m->sparse;
  if (!s) {
    mn_row_gradient(n, m->p, m->x + begin * m->p, r, g);
    return;
  }
  for (size_t i = 0; i < n; i++)
    for (size_t e = s->start[begin + i]; e < s->start[begin + i + 1]; e++) g[s->col[e]] += r[i] * s->at[e];
}

struct gram_work {
  const mn_glm_problem *m;
  const double *w, *z;
  double z_mean;
  double *part; /* blocks x columns^2 */
  mn_blocks blocks;
};

/* Add the products of stored values; z is taken about its mean. */
static void add_products(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct gram_work *k = work;
  const mn_csr *x = k->m->sparse;
  const size_t p = k->m->p, columns = p + (k->z != NULL);
  double *g = k->part + block * columns * columns;
  for (size_t i = mn_block_begin(&k->blocks, block); i < mn_block_end(&k->blocks, block); i++) {
    const double deviation = k->z ? k->z[i] - k->z_mean : 0;
    for (size_t e = x->start[i]; e < x->start[i + 1]; e++) {
      double *row = g + (size_t)x->col[e] * columns;
      const double left = k->w[i] * x->at[e];
      for (size_t f = x->start[i]; f < x->start[i + 1]; f++) row[x->col[f]] += left * x->at[f];
      if (k->z) row[p] += left * deviation;
    }
    if (k->z) g[p * columns + p] += k->w[i] * deviation * deviation;
  }
}

/* Subtract the means from sums of products. *done is false where cancellation would cost digits. */
static mn_status gram_by_products(mn_context *ctx, struct gram_work *k, double total, const double *mean, double *g,
                                  bool *done)
{
  static const double max_ratio = 1e3; /* mean^2 / variance */
  const size_t p = k->m->p, columns = p + (k->z != NULL);
  k->blocks = mn_make_blocks(k->m->n, BLOCK_ROWS, MAX_BLOCKS);
  k->part = MN_NEW(ctx, double, k->blocks.count, columns *columns);
  MN_CHECK_ALLOC(k->part);
  MN_TRY(mn_parallel(ctx, k->blocks.count, add_products, k));
  mn_sum_blocks(k->blocks.count, columns * columns, k->part, g);
  *done = true;
  for (size_t i = 0; i < p; i++) {
    for (size_t j = 0; j < p; j++) g[i * columns + j] -= total * mean[i] * mean[j];
    if (k->z) g[p * columns + i] = g[i * columns + p];
    *done = *done && total * mean[i] * mean[i] <= max_ratio * g[i * columns + i];
  }
  return MN_OK;
}

/* Expand a few rows at a time and center them: for columns whose mean is large compared with their spread. */
static mn_status gram_by_tiles(mn_context *ctx, const struct gram_work *k, const double *mean, double *g)
{
  const mn_glm_problem *m = k->m;
  const size_t p = m->p, columns = p + (k->z != NULL), rows = TILE_VALUES / columns + 16;
  double *tile = MN_RAW(ctx, double, rows, columns), *part = MN_RAW(ctx, double, columns, columns);
  if (!tile || !part) return MN_NO_MEMORY;
  memset(g, 0, columns * columns * sizeof *g);
  for (size_t begin = 0; begin < m->n; begin += rows) {
    const size_t n = m->n - begin < rows ? m->n - begin : rows;
    memset(tile, 0, n * columns * sizeof *tile);
    for (size_t i = 0; i < n; i++) {
      for (size_t e = m->sparse->start[begin + i]; e < m->sparse->start[begin + i + 1]; e++)
        tile[i * columns + (size_t)m->sparse->col[e]] = m->sparse->at[e];
      if (k->z) tile[i * columns + p] = k->z[begin + i];
    }
    MN_TRY(mn_syrk(ctx, n, columns, tile, columns, k->w + begin, mean, part, columns));
    for (size_t e = 0; e < columns * columns; e++) g[e] += part[e];
  }
  return MN_OK;
}

static double compute_means(const mn_glm_problem *m, const double *z, const double *w, double *mean)
{
  double total = 0;
  for (size_t i = 0; i < m->n; i++) total += w[i];
  memset(mean, 0, (m->p + (z != NULL)) * sizeof *mean);
  for (size_t i = 0; m->fit_intercept && total > 0 && i < m->n; i++) {
    const double share = w[i] / total;
    for (size_t e = m->sparse->start[i]; e < m->sparse->start[i + 1]; e++)
      mean[m->sparse->col[e]] += share * m->sparse->at[e];
    if (z) mean[m->p] += share * z[i];
  }
  return total;
}

static mn_status sparse_gram(mn_context *ctx, const mn_glm_problem *m, const double *z, const double *w, double *total,
                             double *mean, double *g)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct gram_work k = { .m = m, .w = w, .z = z };
  bool done;
  *total = compute_means(m, z, w, mean);
  k.z_mean = z ? mean[m->p] : 0;
  MN_TRY(gram_by_products(ctx, &k, *total, mean, g, &done));
  if (!done) MN_TRY(gram_by_tiles(ctx, &k, mean, g));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_glm_gram(mn_context *ctx, const mn_glm_problem *m, const double *z, const double *w, double *total,
                      double *mean, double *g)
{
  const size_t p = m->p, q = z ? 1 : 0;
  if (m->sparse) return sparse_gram(ctx, m, z, w, total, mean, g);
  return mn_gram(ctx, m->n, p, m->x, p, q, z, q, w, m->fit_intercept, total, mean, g, p + q);
}
