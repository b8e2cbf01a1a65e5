/* One pass over the rows of a Gaussian mixture: log densities, responsibilities, and the sums that the M step needs.
 *
 * With R R' = inv(covariance), the quadratic form is |(x - mean) R|^2. Sums are taken about the means of the E step, so
 * that they lose no digits if the data are far from 0. Rows are processed in chunks; memory does not grow with n. For
 * few columns gaussian_strips.c is faster. */
#include "../linalg/elementwise_kernel.h"
#include "../linalg/product.h"
#include "gaussian.h"
#include "gaussian_kernel.h"
#include "gaussian_strips.h"
#include <string.h>

enum { CHUNK_VALUES = 1 << 17, MIN_CHUNK_ROWS = 256, MAX_CHUNK_ROWS = 4096 };

struct chunk {
  const mn_gaussian_pass *pass;
  size_t begin, n, stride; /* stride: rows of a column of `r`                                   */
  double *r;               /* columns x stride: log densities, then responsibilities            */
  double *centered, *z;    /* stride x p                                                        */
  double *log_density;     /* stride                                                            */
  double *largest;         /* stride: of the log responsibilities */
  double *product;         /* width */
};

static size_t chunk_rows(const mn_gaussian_pass *pass)
{
  const size_t rows = CHUNK_VALUES / pass->g->p;
  const size_t wanted = rows < MIN_CHUNK_ROWS ? MIN_CHUNK_ROWS : rows > MAX_CHUNK_ROWS ? MAX_CHUNK_ROWS : rows;
  const size_t most = (pass->n + MN_VECTOR_LANES - 1) / MN_VECTOR_LANES * MN_VECTOR_LANES;
  return wanted / MN_VECTOR_LANES * MN_VECTOR_LANES < most ? wanted / MN_VECTOR_LANES * MN_VECTOR_LANES : most;
}

static mn_status make_chunk(mn_context *ctx, const mn_gaussian_pass *pass, struct chunk *c)
{
  *c = (struct chunk){ .pass = pass, .stride = chunk_rows(pass) };
  c->r = MN_NEW(ctx, double, pass->columns, c->stride);
  c->centered = MN_RAW(ctx, double, c->stride, pass->g->p);
  c->z = MN_RAW(ctx, double, c->stride, pass->g->p);
  c->log_density = MN_NEW(ctx, double, c->stride, 1);
  c->largest = MN_NEW(ctx, double, c->stride, 1);
  c->product = MN_RAW(ctx, double, pass->g->width, 1);
  return c->r && c->centered && c->z && c->log_density && c->largest && c->product ? MN_OK : MN_NO_MEMORY;
}

/* r[k] = log(weight_k N(x | mean_k, covariance_k)) for the rows of the chunk. */
static mn_status log_densities(mn_context *ctx, struct chunk *c, size_t k)
{
  const mn_gaussians *g = c->pass->g;
  const size_t p = g->p;
  const double *x = c->pass->x + c->begin * p;
  double *r = c->r + k * c->stride;
  if (g->diagonal) {
    mn_gaussian_diagonal(c->n, p, x, g->mean + k * p, g->root + k * p, g->start[k], r);
    return MN_OK;
  }
  mn_gaussian_center(c->n, p, x, g->mean + k * p, c->centered);
  MN_TRY(mn_gemm(ctx, false, false, c->n, p, p, 1, c->centered, p, g->root + k * p * p, p, 0, c->z, p));
  mn_gaussian_norms(c->n, p, c->z, g->start[k], r);
  return MN_OK;
}

void mn_gaussian_finish(const mn_gaussian_pass *pass, size_t begin, size_t n, size_t stride, double *r, double *largest,
                        double *log_density)
{
  const size_t k = pass->g->k, columns = pass->columns;
  double *out = pass->log_responsibility ? pass->log_responsibility + begin * columns : NULL;
  const double log_noise = fmax(pass->log_noise, MN_LEAST_LOG);
  for (size_t i = 0; columns > k && i < n; i++) r[k * stride + i] = log_noise;
  for (size_t i = 0; out && i < n; i++)
    for (size_t j = 0; j < columns; j++) out[i * columns + j] = r[j * stride + i];
  mn_gaussian_normalize(stride, columns, r, largest, log_density);
  for (size_t i = 0; out && i < n; i++)
    for (size_t j = 0; j < columns; j++) out[i * columns + j] -= log_density[i];
  if (pass->log_density) memcpy(pass->log_density + begin, log_density, n * sizeof *log_density);
}

static void copy_given(struct chunk *c)
{
  const mn_gaussian_pass *pass = c->pass;
  if (pass->label) {
    memset(c->r, 0, pass->columns * c->stride * sizeof *c->r);
    for (size_t i = 0; i < c->n; i++) c->r[(size_t)pass->label[c->begin + i] * c->stride + i] = 1;
    return;
  }
  for (size_t i = 0; i < c->n; i++)
    for (size_t j = 0; j < pass->columns; j++)
      c->r[j * c->stride + i] = pass->given[(c->begin + i) * pass->columns + j];
}

void mn_gaussian_add_likelihood(const mn_gaussian_pass *pass, size_t begin, size_t n, size_t stride, double *r,
                                const double *largest, const double *log_density, mn_gaussian_sums *sums)
{
  const double *w = pass->weights ? pass->weights + begin : NULL;
  const bool expected = !pass->given && !pass->label;
  double loglik = 0, hard = 0;
  for (size_t j = 0; w && j < pass->columns; j++)
    for (size_t i = 0; i < n; i++) r[j * stride + i] *= w[i];
  for (size_t i = 0; expected && i < n; i++) {
    const double weight = w ? w[i] : 1;
    loglik += weight * log_density[i];
    hard += weight * (largest[i] - log_density[i]);
  }
  *sums->loglik += loglik;
  *sums->hard += hard;
}

static mn_status add_sums(mn_context *ctx, struct chunk *c)
{
  const mn_gaussian_pass *pass = c->pass;
  const mn_gaussians *g = pass->g;
  const mn_gaussian_sums *s = pass->sums;
  const size_t p = g->p;
  for (size_t k = 0; k < g->k; k++) {
    const double *r = c->r + k * c->stride;
    double *scatter = s->scatter + k * g->width, *sum = s->sum + k * p;
    mn_gaussian_total(c->n, r, &s->count[k]);
    mn_gaussian_center(c->n, p, pass->x + c->begin * p, g->mean + k * p, c->centered);
    if (g->diagonal) {
      mn_gaussian_moments(c->n, p, c->centered, r, sum, scatter);
      continue;
    }
    MN_TRY(mn_gemv(ctx, true, c->n, p, 1, c->centered, p, r, 1, sum));
    MN_TRY(mn_syrk(ctx, c->n, p, c->centered, p, r, NULL, c->product, p));
    for (size_t j = 0; j < g->width; j++) scatter[j] += c->product[j];
  }
  if (pass->columns > g->k) mn_gaussian_total(c->n, c->r + g->k * c->stride, s->noise);
  return MN_OK;
}

static mn_status run_chunk(mn_context *ctx, struct chunk *c)
{
  const mn_gaussian_pass *pass = c->pass;
  if (pass->given || pass->label) {
    copy_given(c);
  } else {
    for (size_t k = 0; k < pass->g->k; k++) MN_TRY(log_densities(ctx, c, k));
    mn_gaussian_finish(pass, c->begin, c->n, c->stride, c->r, c->largest, c->log_density);
  }
  if (!pass->sums) return MN_OK;
  mn_gaussian_add_likelihood(pass, c->begin, c->n, c->stride, c->r, c->largest, c->log_density, pass->sums);
  return add_sums(ctx, c);
}

mn_status mn_gaussian_run_pass(mn_context *ctx, const mn_gaussian_pass *pass)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct chunk c;
  if (!pass->given && !pass->label && mn_gaussian_has_strips(pass->g)) {
    MN_TRY(mn_gaussian_run_strips(ctx, pass));
    mn_scratch_release(ctx, mark);
    return MN_OK;
  }
  if (pass->sums) memset(pass->sums->count, 0, pass->sums->size * sizeof *pass->sums->count);
  MN_TRY(make_chunk(ctx, pass, &c));
  for (; c.begin < pass->n; c.begin += c.n) {
    c.n = pass->n - c.begin < c.stride ? pass->n - c.begin : c.stride;
    MN_TRY(run_chunk(ctx, &c));
    MN_TRY(mn_poll(ctx));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
