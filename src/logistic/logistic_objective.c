#include "logistic_objective.h"
#include "../linear/linear_kernel.h"
#include "logistic_kernel.h"
#include <string.h>

enum { MAX_BLOCKS = 32, CHUNK_VALUES = 1 << 15 }; /* values of X per chunk, which stay in the L2 cache */

/* Rows of a chunk. */
static size_t chunk_rows(const mn_logistic_objective *o)
{
  const size_t rows = CHUNK_VALUES / (o->data->sparse ? 64 : o->p) + 1;
  return (rows + 3) & ~(size_t)3;
}

mn_status mn_logistic_objective_init(mn_context *ctx, mn_logistic_objective *o)
{
  o->p = o->data->features;
  o->width = o->decisions == 1 ? 1 : (o->decisions + 3) & ~(size_t)3;
  const size_t partial = (o->p + 1) * o->width;
  size_t max_blocks = ((size_t)1 << 23) / partial + 1; /* partial gradients take at most 64 MB in total */
  if (max_blocks > MAX_BLOCKS) max_blocks = MAX_BLOCKS;
  o->blocks = mn_make_blocks(o->data->rows, chunk_rows(o), max_blocks);
  o->padded = MN_NEW(ctx, double, o->p, o->width);
  o->start = MN_NEW(ctx, double, o->width, 1);
  o->score = MN_RAW(ctx, double, mn_threads(ctx) * chunk_rows(o), o->width);
  o->gradient = MN_RAW(ctx, double, o->blocks.count, partial);
  o->loss = MN_RAW(ctx, double, o->blocks.count, 1);
  return o->padded && o->start && o->score && o->gradient && o->loss ? MN_OK : MN_NO_MEMORY;
}

static void sparse_scores(const mn_logistic_objective *o, size_t begin, size_t n, double *z)
{
  const mn_csr *s = o->data->sparse;
  for (size_t i = 0; i < n; i++) {
    double *row = z + i * o->width;
    memcpy(row, o->start, o->width * sizeof *row);
    for (size_t e = s->start[begin + i]; e < s->start[begin + i + 1]; e++) {
      const double *b = o->padded + (size_t)s->col[e] * o->width;
      for (size_t c = 0; c < o->width; c++) row[c] += s->at[e] * b[c];
    }
  }
}

static void sparse_gradient(const mn_logistic_objective *o, size_t begin, size_t n, const double *r, double *g)
{
  const mn_csr *s = o->data->sparse;
  for (size_t i = 0; i < n; i++)
    for (size_t e = s->start[begin + i]; e < s->start[begin + i + 1]; e++)
      for (size_t c = 0; c < o->width; c++) g[(size_t)s->col[e] * o->width + c] += s->at[e] * r[i * o->width + c];
}

static void compute_scores(const mn_logistic_objective *o, size_t begin, size_t n, double *z)
{
  const double *x = o->data->sparse ? NULL : o->data->x.at + begin * o->p;
  if (o->data->sparse)
    sparse_scores(o, begin, n, z);
  else if (o->width == 1)
    mn_linear_rows(n, o->p, x, o->padded, o->start[0], z, 1);
  else
    mn_thin_scores(n, o->p, o->width, x, o->padded, o->start, z);
}

static void add_gradient(const mn_logistic_objective *o, size_t begin, size_t n, const double *r, double *g)
{
  const double *x = o->data->sparse ? NULL : o->data->x.at + begin * o->p;
  if (o->data->sparse)
    sparse_gradient(o, begin, n, r, g);
  else if (o->width == 1)
    mn_row_gradient(n, o->p, x, r, g);
  else
    mn_thin_gradient(n, o->p, o->width, x, r, g);
  double *intercept_gradient = g + o->p * o->width;
  if (o->width == 1) {
    *intercept_gradient += mn_residual_sum(n, r);
    return;
  }
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < o->width; c++) intercept_gradient[c] += r[i * o->width + c];
}

/* One block, chunk by chunk: scores, loss, then the gradient while the rows are in cache. */
static void evaluate_block(void *work, size_t block, size_t worker)
{
  const mn_logistic_objective *o = work;
  const mn_data *d = o->data;
  const size_t chunk = chunk_rows(o), end = mn_block_end(&o->blocks, block), partial = (o->p + 1) * o->width;
  double *z = o->score + worker * chunk * o->width, *g = o->gradient + block * partial, loss = 0;
  memset(g, 0, partial * sizeof *g);
  for (size_t begin = mn_block_begin(&o->blocks, block); begin < end; begin += chunk) {
    const size_t n = end - begin < chunk ? end - begin : chunk;
    const double *w = d->weights ? d->weights + begin : NULL;
    compute_scores(o, begin, n, z);
    loss += o->width == 1 ? mn_logistic_loss(n, z, d->code + begin, w, o->curvature ? o->curvature + begin : NULL)
                          : mn_softmax_loss(n, o->decisions, o->width, z, d->code + begin, w);
    add_gradient(o, begin, n, z, g);
  }
  o->loss[block] = loss;
}

mn_status mn_logistic_evaluate(mn_context *ctx, mn_logistic_objective *o, const double *b, const double *c,
                               double *value, double *gb, double *gc)
{
  const size_t p = o->p, k = o->decisions, partial = (p + 1) * o->width;
  double square = 0, loss;
  for (size_t j = 0; j < p; j++)
    for (size_t t = 0; t < k; t++) {
      o->padded[j * o->width + t] = b[j * k + t];
      square += b[j * k + t] * b[j * k + t];
    }
  memcpy(o->start, c, k * sizeof *c);
  MN_TRY(mn_parallel(ctx, o->blocks.count, evaluate_block, o));
  mn_sum_blocks(o->blocks.count, 1, o->loss, &loss);
  for (size_t q = 1; q < o->blocks.count; q++)
    for (size_t j = 0; j < partial; j++) o->gradient[j] += o->gradient[q * partial + j];
  for (size_t j = 0; j < p; j++)
    for (size_t t = 0; t < k; t++) gb[j * k + t] = o->C * o->gradient[j * o->width + t] + o->penalty * b[j * k + t];
  for (size_t t = 0; t < k; t++) gc[t] = o->fit_intercept ? o->C * o->gradient[p * o->width + t] : 0;
  *value = o->C * loss + o->penalty / 2 * square;
  return MN_OK;
}
