#include "tsne_affinities.h"
#include "../core/threads.h"
#include "tsne_affinity_kernel.h"
#include <math.h>
#include <string.h>

size_t mn_tsne_neighbors(mn_perplexities perplexities, size_t most)
{
  double largest = 1;
  for (size_t i = 0; i < perplexities.count; i++) largest = fmax(largest, perplexities.at[i]);
  const double k = floor(3 * largest);
  return k < (double)most ? (size_t)k : most;
}

/* p = the distribution with the given perplexity over squared distances d, of which the least is 0. The entropy falls
 * as beta grows, to the logarithm of the number of rows at distance 0. */
static void fit_width(double perplexity, size_t k, const double *d, double *p)
{
  enum { STEPS = 200 };
  const double target = log(perplexity), tolerance = 1e-10;
  double mean = 0, low = 0, high = INFINITY, sum[2];
  for (size_t j = 0; j < k; j++) mean += d[j] / (double)k;
  double beta = mean > 0 ? 1 / mean : 1;
  for (int step = 0; step < STEPS; step++) {
    mn_tsne_gaussian(k, beta, d, p, sum);
    const double entropy = log(sum[0]) + beta * sum[1] / sum[0];
    if (fabs(entropy - target) <= tolerance || mean == 0) break;
    if (entropy > target)
      low = beta;
    else
      high = beta;
    const double next = high < INFINITY ? (low + high) / 2 : 2 * beta;
    if (next == beta || !(next < 1e300)) break;
    beta = next;
  }
  for (size_t j = 0; j < k; j++) p[j] /= sum[0];
}

void mn_tsne_conditional(mn_perplexities perplexities, size_t k, double *distance, double *p, double *work)
{
  double least = INFINITY;
  for (size_t j = 0; j < k; j++) {
    distance[j] *= distance[j];
    least = fmin(least, distance[j]);
    p[j] = 0;
  }
  for (size_t j = 0; j < k; j++) distance[j] -= least;
  for (size_t i = 0; i < perplexities.count; i++) {
    fit_width(perplexities.at[i], k, distance, work);
    for (size_t j = 0; j < k; j++) p[j] += work[j] / (double)perplexities.count;
  }
}

/* --- all pairs --- */

struct widths {
  mn_perplexities perplexities;
  size_t n, k;
  double *distance, *p; /* n x k; for all pairs p is NULL and distance is overwritten by probabilities */
  double *workspace;    /* 3 k for each worker                                                         */
  mn_blocks blocks;
};

static void dense_block(void *work, size_t block, size_t worker)
{
  const struct widths *w = work;
  const size_t n = w->n, k = n - 1;
  double *others = w->workspace + worker * 3 * n, *p = others + n;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    double *row = w->distance + i * n;
    memcpy(others, row, i * sizeof *row);
    memcpy(others + i, row + i + 1, (k - i) * sizeof *row);
    mn_tsne_conditional(w->perplexities, k, others, p, p + n);
    memcpy(row, p, i * sizeof *row);
    row[i] = 0;
    memcpy(row + i + 1, p + i, (k - i) * sizeof *row);
  }
}

mn_status mn_tsne_dense_affinities(mn_context *ctx, mn_perplexities perplexities, size_t n, double *p)
{
  struct widths w = { .perplexities = perplexities,
                      .n = n,
                      .distance = p,
                      .workspace = MN_RAW(ctx, double, mn_threads(ctx), 3 * n),
                      .blocks = mn_make_blocks(n, 16, SIZE_MAX) };
  MN_CHECK_ALLOC(w.workspace);
  MN_TRY(mn_parallel(ctx, w.blocks.count, dense_block, &w));
  for (size_t i = 0; i < n; i++) {
    MN_TRY(mn_poll(ctx));
    for (size_t j = 0; j < i; j++) p[i * n + j] = p[j * n + i] = (p[i * n + j] + p[j * n + i]) / (double)(2 * n);
  }
  return MN_OK;
}

/* --- neighbors only --- */

enum { POLL_ROWS = 1024 /* rows between two questions whether the fit was cancelled */ };

static void sparse_block(void *work, size_t block, size_t worker)
{
  const struct widths *w = work;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++)
    mn_tsne_conditional(w->perplexities, w->k, w->distance + i * w->k, w->p + i * w->k, w->workspace + worker * w->k);
}

/* The transpose of the n x k neighbor lists: for each row those that have it as a neighbor, in ascending order. */
struct transposed {
  size_t *start; /* n + 1 */
  int32_t *row;  /* n k   */
  double *p;
};

static mn_status transpose(mn_context *ctx, size_t n, size_t k, const int32_t *found, const double *p,
                           struct transposed *t)
{
  t->start = MN_NEW(ctx, size_t, n + 1, 1);
  t->row = MN_RAW(ctx, int32_t, n, k);
  t->p = MN_RAW(ctx, double, n, k);
  if (!t->start || !t->row || !t->p) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) {
    if (i % POLL_ROWS == 0) MN_TRY(mn_poll(ctx));
    for (size_t e = i * k; e < (i + 1) * k; e++) t->start[found[e] + 1]++;
  }
  for (size_t i = 0; i < n; i++) t->start[i + 1] += t->start[i];
  for (size_t i = 0; i < n; i++) {
    if (i % POLL_ROWS == 0) MN_TRY(mn_poll(ctx));
    for (size_t e = i * k; e < (i + 1) * k; e++) {
      const size_t to = t->start[found[e]]++;
      t->row[to] = (int32_t)i;
      t->p[to] = p[e];
    }
  }
  for (size_t i = n; i > 0; i--) t->start[i] = t->start[i - 1];
  t->start[0] = 0;
  return MN_OK;
}

/* Sort the neighbors of one row by index. */
static void sort_by_index(size_t k, int32_t *index, double *p)
{
  for (size_t i = 1; i < k; i++) {
    const int32_t key = index[i];
    const double value = p[i];
    size_t j = i;
    for (; j > 0 && index[j - 1] > key; j--) {
      index[j] = index[j - 1];
      p[j] = p[j - 1];
    }
    index[j] = key;
    p[j] = value;
  }
}

/* Merge the neighbors of row i with those that have it as a neighbor. Returns the number of entries. */
static size_t merge_row(size_t k, const int32_t *index, const double *p, const struct transposed *t, size_t i,
                        double scale, int32_t *col, float *out)
{
  size_t a = 0, b = t->start[i], count = 0;
  while (a < k || b < t->start[i + 1]) {
    const int32_t left = a < k ? index[a] : INT32_MAX, right = b < t->start[i + 1] ? t->row[b] : INT32_MAX;
    const int32_t next = left < right ? left : right;
    double sum = 0;
    if (left == next) sum += p[a++];
    if (right == next) sum += t->p[b++];
    col[count] = next;
    out[count++] = sum * scale < FLT_MIN ? 0 : (float)(sum * scale);
  }
  return count;
}

static mn_status symmetrize(mn_context *ctx, size_t n, size_t k, const int32_t *found, const double *p,
                            mn_tsne_graph *g)
{
  int32_t *index = MN_RAW(ctx, int32_t, k, 1);
  double *sorted = MN_RAW(ctx, double, k, 1);
  struct transposed t;
  *g = (mn_tsne_graph){ .n = n,
                        .start = MN_NEW(ctx, size_t, n + 1, 1),
                        .col = MN_RAW(ctx, int32_t, n, 2 * k),
                        .p = MN_RAW(ctx, float, n, 2 * k) };
  if (!index || !sorted || !g->start || !g->col || !g->p) return MN_NO_MEMORY;
  MN_TRY(transpose(ctx, n, k, found, p, &t));
  for (size_t i = 0; i < n; i++) {
    if (i % POLL_ROWS == 0) MN_TRY(mn_poll(ctx));
    memcpy(index, found + i * k, k * sizeof *index);
    memcpy(sorted, p + i * k, k * sizeof *sorted);
    sort_by_index(k, index, sorted);
    const size_t begin = g->start[i];
    g->start[i + 1] = begin + merge_row(k, index, sorted, &t, i, 0.5 / (double)n, g->col + begin, g->p + begin);
  }
  return MN_OK;
}

mn_status mn_tsne_sparse_affinities(mn_context *ctx, mn_perplexities perplexities, size_t n, size_t k,
                                    const int32_t *found, double *distance, mn_tsne_graph *graph)
{
  struct widths w = { .perplexities = perplexities,
                      .n = n,
                      .k = k,
                      .distance = distance,
                      .p = MN_RAW(ctx, double, n, k),
                      .workspace = MN_RAW(ctx, double, mn_threads(ctx), k),
                      .blocks = mn_make_blocks(n, 64, SIZE_MAX) };
  if (!w.p || !w.workspace) return MN_NO_MEMORY;
  MN_TRY(mn_parallel(ctx, w.blocks.count, sparse_block, &w));
  return symmetrize(ctx, n, k, found, w.p, graph);
}
