/* See shadow.h. */
#include "shadow.h"
#include "../core/rng.h"
#include "../core/threads.h"
#include "../linalg/gemm.h"
#include "../linalg/lapack.h"
#include "../linalg/product.h"
#include "../linalg/screen.h"
#include <math.h>
#include <string.h>

enum {
  SAMPLE = 512,  /* rows that tell the directions */
  ASKED = 16,    /* queries that try them */
  TIMES = 2,     /* that the sample is multiplied with the basis */
  FEW_SHARE = 50 /* of the sample: as many candidates are too many */
};

static mn_status find_basis(mn_context *ctx, mn_shadow *s, size_t sample, const double *x)
{
  const size_t d = s->d, r = s->width - 1;
  double *y = MN_RAW(ctx, double, sample, r), *z = MN_RAW(ctx, double, d, r);
  if (!y || !z) return MN_NO_MEMORY;
  mn_rng random = mn_stream(0, 0);
  for (size_t i = 0; i < d * r; i++) s->basis[i] = mn_random_normal(&random);
  for (size_t t = 0; t < TIMES; t++) {
    MN_TRY(mn_gemm(ctx, false, false, sample, r, d, 1, x, d, s->basis, r, 0, y, r));
    MN_TRY(mn_gemm(ctx, true, false, d, r, sample, 1, x, d, y, r, 0, z, r));
    MN_TRY(mn_qr(ctx, d, r, z, s->basis, NULL));
  }
  return MN_OK;
}

mn_status mn_shadow_init(mn_context *ctx, mn_shadow *s, size_t n, size_t d, size_t width, const double *rows)
{
  const size_t sample = mn_least(n, SAMPLE), ld = n / sample * d;
  *s = (mn_shadow){ .d = d, .width = width, .slack = 8 * DBL_EPSILON * ((double)d + 16) * (double)width };
  MN_CHECK_ALLOC(s->shift = MN_RAW(ctx, double, d, 1));
  MN_CHECK_ALLOC(s->basis = MN_RAW(ctx, double, d, width - 1));
  mn_middle_of(n, d, rows, s->shift);
  s->scale = mn_scale_for(sample, d, rows, ld, s->shift);
  const mn_mark mark = mn_scratch_mark(ctx);
  double *x = MN_RAW(ctx, double, sample, d), norm2;
  MN_CHECK_ALLOC(x);
  for (size_t i = 0; i < sample; i++)
    mn_kernels()->f64->convert(1, d, rows + i * ld, s->shift, s->scale, x + i * d, &norm2);
  MN_TRY(find_basis(ctx, s, sample, x));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Workspace: shifted rows, their products, and what the product needs. */
static size_t shifted_bytes(const mn_shadow *s)
{
  return mn_round_up(MN_SHADOW_ROWS * s->d * sizeof(double), 64);
}

static size_t product_bytes(const mn_shadow *s)
{
  return mn_round_up(MN_SHADOW_ROWS * (s->width - 1) * sizeof(double), 64);
}

size_t mn_shadow_bytes(const mn_shadow *s)
{
  return shifted_bytes(s) + product_bytes(s) + mn_gemm_space(MN_SHADOW_ROWS, s->width - 1, s->d);
}

void mn_shadow_cast(const mn_shadow *s, size_t rows, const double *x, double *out, char *work)
{
  const size_t d = s->d, r = s->width - 1;
  double *shifted = (double *)(void *)work, *z = (double *)(void *)(work + shifted_bytes(s)), norm2[MN_SHADOW_ROWS];
  mn_kernels()->f64->convert(rows, d, x, s->shift, s->scale, shifted, norm2);
  mn_gemm_serial(false, false, rows, r, d, 1, shifted, d, s->basis, r, 0, z, r,
                 work + shifted_bytes(s) + product_bytes(s));
  for (size_t i = 0; i < rows; i++, out += r + 1) {
    double within = 0;
    for (size_t j = 0; j < r; j++) {
      out[j] = z[i * r + j];
      within += out[j] * out[j];
    }
    const double left = norm2[i] - within; /* rounded up, so that the bound stays one */
    out[r] = sqrt((left < 0 ? 0 : left) + norm2[i] * s->slack / 8);
  }
}

struct casting {
  const mn_shadow *s;
  const double *rows;
  double *out;
  mn_blocks blocks;
  char *work;
  size_t bytes;
};

static void cast_block(void *work, size_t block, size_t worker)
{
  const struct casting *c = work;
  const size_t begin = mn_block_begin(&c->blocks, block), rows = mn_block_end(&c->blocks, block) - begin;
  mn_shadow_cast(c->s, rows, c->rows + begin * c->s->d, c->out + begin * c->s->width, c->work + worker * c->bytes);
}

mn_status mn_shadow_rows(mn_context *ctx, const mn_shadow *s, size_t n, const double *rows, double *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct casting c = { .s = s, .rows = rows, .out = out, .blocks = mn_make_blocks(n, MN_SHADOW_ROWS, n) };
  c.bytes = mn_shadow_bytes(s);
  MN_CHECK_ALLOC(c.work = MN_RAW(ctx, char, mn_threads(ctx), c.bytes));
  MN_TRY(mn_parallel(ctx, c.blocks.count, cast_block, &c));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Rows spread over all, side by side. */
static void pick_rows(size_t n, size_t d, const double *rows, size_t picked, double *out)
{
  for (size_t i = 0; i < picked; i++) memcpy(out + i * d, rows + n / picked * i * d, d * sizeof *out);
}

/* How many of the sample are nearer in the shadow than the (wanted)-th nearest is? */
static size_t candidates(size_t sample, size_t wanted, const double *shadow, const double *true_, double *nearest)
{
  size_t size = 0, count = 0;
  for (size_t i = 0; i < sample; i++) {
    if (size == wanted && !(true_[i] < nearest[size - 1])) continue;
    size_t at = size < wanted ? size++ : size - 1;
    for (; at > 0 && true_[i] < nearest[at - 1]; at--) nearest[at] = nearest[at - 1];
    nearest[at] = true_[i];
  }
  for (size_t i = 0; i < sample; i++) count += shadow[i] < nearest[size - 1];
  return count;
}

mn_status mn_shadow_pays(mn_context *ctx, const mn_shadow *s, size_t m, const double *queries, size_t n,
                         const double *rows, size_t k, bool *pays)
{
  const mn_product_kernels *kernels = mn_kernels();
  const size_t sample = mn_least(n, SAMPLE), asked = mn_least(m, ASKED), d = s->d, width = s->width;
  const size_t wanted = mn_least(k * sample / n + 1, sample);
  const mn_mark mark = mn_scratch_mark(ctx);
  double *x = MN_RAW(ctx, double, sample, d), *q = MN_RAW(ctx, double, asked, d);
  double *x_cast = MN_RAW(ctx, double, sample, width), *q_cast = MN_RAW(ctx, double, asked, width);
  double *distance2 = MN_RAW(ctx, double, 3, sample);
  if (!x || !q || !x_cast || !q_cast || !distance2) return MN_NO_MEMORY;
  pick_rows(n, d, rows, sample, x);
  pick_rows(m, d, queries, asked, q);
  MN_TRY(mn_shadow_rows(ctx, s, sample, x, x_cast));
  MN_TRY(mn_shadow_rows(ctx, s, asked, q, q_cast));
  size_t found = 0;
  for (size_t a = 0; a < asked; a++) {
    double *in_shadow = distance2 + sample;
    for (size_t i = 0; i < sample; i++) {
      distance2[i] = kernels->distance2(d, q + a * d, x + i * d) * s->scale * s->scale;
      in_shadow[i] = kernels->distance2(width, q_cast + a * width, x_cast + i * width);
    }
    found += candidates(sample, wanted, in_shadow, distance2, distance2 + 2 * sample);
  }
  *pays = found <= asked * (sample / FEW_SHARE + 2 * wanted);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
