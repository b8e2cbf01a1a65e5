#include "projection.h"
#include "../core/rng.h"
#include "../core/threads.h"
#include "../linalg/gemm.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "../linalg/screen.h"
#include <math.h>
#include <string.h>

enum {
  SAMPLE_ROWS = 512,    /* for finding the basis */
  SAMPLE_QUERIES = 16,  /* for testing it */
  POWER_ITERATIONS = 2, /* of the sample matrix */
  MAX_SHARE = 50        /* the projection pays if less than 1 / MAX_SHARE of the sample are candidates */
};

static mn_status find_basis(mn_context *ctx, mn_projection *s, size_t sample, const double *x)
{
  const size_t d = s->d, r = s->width - 1;
  double *y = MN_RAW(ctx, double, sample, r), *z = MN_RAW(ctx, double, d, r);
  if (!y || !z) return MN_NO_MEMORY;
  mn_rng random = mn_stream(0, 0);
  for (size_t i = 0; i < d * r; i++) s->basis[i] = mn_random_normal(&random);
  for (size_t t = 0; t < POWER_ITERATIONS; t++) {
    MN_TRY(mn_gemm(ctx, false, false, sample, r, d, 1, x, d, s->basis, r, 0, y, r));
    MN_TRY(mn_gemm(ctx, true, false, d, r, sample, 1, x, d, y, r, 0, z, r));
    MN_TRY(mn_qr(ctx, d, r, z, s->basis, NULL));
  }
  return MN_OK;
}

mn_status mn_projection_init(mn_context *ctx, mn_projection *s, size_t n, size_t d, size_t width, const double *rows)
{
  const size_t sample = mn_min_size(n, SAMPLE_ROWS), ld = n / sample * d;
  *s = (mn_projection){ .d = d, .width = width, .slack = 8 * DBL_EPSILON * ((double)d + 16) * (double)width };
  MN_CHECK_ALLOC(s->shift = MN_RAW(ctx, double, d, 1));
  MN_CHECK_ALLOC(s->basis = MN_RAW(ctx, double, d, width - 1));
  mn_sample_mean(n, d, rows, s->shift);
  s->scale = mn_power_of_two_scale(sample, d, rows, ld, s->shift);
  const mn_mark mark = mn_scratch_mark(ctx);
  double *x = MN_RAW(ctx, double, sample, d), norm2;
  MN_CHECK_ALLOC(x);
  for (size_t i = 0; i < sample; i++)
    mn_kernels()->f64->convert(1, d, rows + i * ld, s->shift, s->scale, x + i * d, &norm2);
  MN_TRY(find_basis(ctx, s, sample, x));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Workspace: shifted rows, their products with the basis, and the workspace of the matrix product. */
static size_t shifted_bytes(const mn_projection *s)
{
  return mn_round_up(MN_PROJECTION_ROWS * s->d * sizeof(double), 64);
}

static size_t product_bytes(const mn_projection *s)
{
  return mn_round_up(MN_PROJECTION_ROWS * (s->width - 1) * sizeof(double), 64);
}

size_t mn_projection_workspace(const mn_projection *s)
{
  return shifted_bytes(s) + product_bytes(s) + mn_gemm_serial_bytes(MN_PROJECTION_ROWS, s->width - 1, s->d);
}

void mn_projection_apply(const mn_projection *s, size_t rows, const double *x, double *out, char *work)
{
  const size_t d = s->d, r = s->width - 1;
  double *shifted = (double *)(void *)work, *z = (double *)(void *)(work + shifted_bytes(s)), norm2[MN_PROJECTION_ROWS];
  mn_kernels()->f64->convert(rows, d, x, s->shift, s->scale, shifted, norm2);
  mn_gemm_serial(false, false, rows, r, d, 1, shifted, d, s->basis, r, 0, z, r,
                 work + shifted_bytes(s) + product_bytes(s));
  for (size_t i = 0; i < rows; i++, out += r + 1) {
    double inside2 = 0;
    for (size_t j = 0; j < r; j++) {
      out[j] = z[i * r + j];
      inside2 += out[j] * out[j];
    }
    const double rest2 = norm2[i] - inside2; /* rounded up, so that distances stay lower bounds */
    out[r] = sqrt((rest2 < 0 ? 0 : rest2) + norm2[i] * s->slack / 8);
  }
}

struct projection_work {
  const mn_projection *s;
  const double *rows;
  double *out;
  mn_blocks blocks;
  char *work;
  size_t bytes;
};

static void project_block(void *work, size_t block, size_t worker)
{
  const struct projection_work *c = work;
  const size_t begin = mn_block_begin(&c->blocks, block), rows = mn_block_end(&c->blocks, block) - begin;
  mn_projection_apply(c->s, rows, c->rows + begin * c->s->d, c->out + begin * c->s->width, c->work + worker * c->bytes);
}

mn_status mn_projection_rows(mn_context *ctx, const mn_projection *s, size_t n, const double *rows, double *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct projection_work c = { .s = s, .rows = rows, .out = out, .blocks = mn_make_blocks(n, MN_PROJECTION_ROWS, n) };
  c.bytes = mn_projection_workspace(s);
  MN_CHECK_ALLOC(c.work = MN_RAW(ctx, char, mn_threads(ctx), c.bytes));
  MN_TRY(mn_parallel(ctx, c.blocks.count, project_block, &c));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Copy `count` evenly spaced rows. */
static void sample_rows(size_t n, size_t d, const double *rows, size_t count, double *out)
{
  for (size_t i = 0; i < count; i++) memcpy(out + i * d, rows + n / count * i * d, d * sizeof *out);
}

/* The number of sample rows that are nearer in the projection than the k-th nearest row really is. */
static size_t count_candidates(size_t sample, size_t k_sample, const double *projected, const double *exact,
                               double *nearest)
{
  size_t size = 0, count = 0;
  for (size_t i = 0; i < sample; i++) {
    if (size == k_sample && !(exact[i] < nearest[size - 1])) continue;
    size_t at = size < k_sample ? size++ : size - 1;
    for (; at > 0 && exact[i] < nearest[at - 1]; at--) nearest[at] = nearest[at - 1];
    nearest[at] = exact[i];
  }
  for (size_t i = 0; i < sample; i++) count += projected[i] < nearest[size - 1];
  return count;
}

mn_status mn_projection_pays(mn_context *ctx, const mn_projection *s, size_t m, const double *queries, size_t n,
                             const double *rows, size_t k, bool *pays)
{
  const mn_product_kernels *kernels = mn_kernels();
  const size_t sample = mn_min_size(n, SAMPLE_ROWS), queried = mn_min_size(m, SAMPLE_QUERIES), d = s->d,
               width = s->width;
  const size_t k_sample = mn_min_size(k * sample / n + 1, sample);
  const mn_mark mark = mn_scratch_mark(ctx);
  double *x = MN_RAW(ctx, double, sample, d), *q = MN_RAW(ctx, double, queried, d);
  double *x_projected = MN_RAW(ctx, double, sample, width), *q_projected = MN_RAW(ctx, double, queried, width);
  double *distance2 = MN_RAW(ctx, double, 3, sample);
  if (!x || !q || !x_projected || !q_projected || !distance2) return MN_NO_MEMORY;
  sample_rows(n, d, rows, sample, x);
  sample_rows(m, d, queries, queried, q);
  MN_TRY(mn_projection_rows(ctx, s, sample, x, x_projected));
  MN_TRY(mn_projection_rows(ctx, s, queried, q, q_projected));
  size_t found = 0;
  for (size_t a = 0; a < queried; a++) {
    double *projected = distance2 + sample;
    for (size_t i = 0; i < sample; i++) {
      distance2[i] = kernels->distance2(d, q + a * d, x + i * d) * s->scale * s->scale;
      projected[i] = kernels->distance2(width, q_projected + a * width, x_projected + i * width);
    }
    found += count_candidates(sample, k_sample, projected, distance2, distance2 + 2 * sample);
  }
  *pays = found <= queried * (sample / MAX_SHARE + 2 * k_sample);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
