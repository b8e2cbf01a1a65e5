#include "tsne_convolution.h"
#include <string.h>

enum { LANES = MN_FFT_LANES, PAIR = 2 * MN_FFT_LANES };

struct convolution {
  const mn_tsne_convolution *t;
  const double *kernel, *in;
  double *out;
  size_t rows, cols; /* of in and out */
};

static double *workspace_of(const mn_tsne_convolution *t, size_t worker)
{
  const size_t longer = t->rows > t->cols ? t->rows : t->cols;
  return t->workspace + worker * longer * 2 * PAIR;
}

static double *spectrum_at(const mn_tsne_convolution *t, size_t row, size_t col)
{
  return t->spectrum + (col / LANES * t->rows + row) * PAIR + col % LANES;
}

/* z = rows first .. first + 15 as the parts of eight complex vectors: lane l has rows first + 2 l and the next. */
static void load_rows(const struct convolution *c, size_t first, double *z)
{
  memset(z, 0, c->t->cols * PAIR * sizeof *z);
  for (size_t r = 0; r < PAIR && first + r < c->rows; r++) {
    const double *from = c->in + (first + r) * c->cols;
    double *to = z + r / 2 + r % 2 * LANES;
    for (size_t k = 0; k < c->cols; k++) to[k * PAIR] = from[k];
  }
}

/* The transforms A and B of two real rows from that of A + i B: A_k = (Z_k + conj Z_-k) / 2, B_k = (Z_k - conj Z_-k) /
 * 2i. */
static void split_rows(const struct convolution *c, size_t first, const double *z)
{
  const size_t n = c->t->cols;
  for (size_t k = 0; k <= n / 2; k++) {
    const double *p = z + k * PAIR, *q = z + (n - k) % n * PAIR;
    for (size_t l = 0; l < LANES && first + 2 * l < c->t->rows; l++) {
      double *a = spectrum_at(c->t, first + 2 * l, k);
      a[0] = (p[l] + q[l]) / 2;
      a[LANES] = (p[l + LANES] - q[l + LANES]) / 2;
      if (first + 2 * l + 1 >= c->t->rows) continue;
      a[PAIR] = (p[l + LANES] + q[l + LANES]) / 2;
      a[PAIR + LANES] = (q[l] - p[l]) / 2;
    }
  }
}

static void transform_rows(void *work, size_t block, size_t worker)
{
  const struct convolution *c = work;
  double *z = workspace_of(c->t, worker);
  load_rows(c, block * PAIR, z);
  split_rows(c, block * PAIR, mn_fft_lanes(c->t->across, false, z, z + c->t->cols * PAIR));
}

/* Eight columns: transform, multiply by the kernel, transform back. */
static void transform_columns(void *work, size_t block, size_t worker)
{
  const struct convolution *c = work;
  const size_t rows = c->t->rows;
  double *x = c->t->spectrum + block * rows * PAIR, *other = workspace_of(c->t, worker);
  memset(x + c->rows * PAIR, 0, (rows - c->rows) * PAIR * sizeof *x);
  double *found = mn_fft_lanes(c->t->down, false, x, other);
  if (c->kernel) {
    const double *kernel = c->kernel + block * rows * LANES;
    for (size_t i = 0; i < rows; i++)
      for (size_t l = 0; l < LANES; l++) {
        found[i * PAIR + l] *= kernel[i * LANES + l];
        found[i * PAIR + LANES + l] *= kernel[i * LANES + l];
      }
    found = mn_fft_lanes(c->t->down, true, found, found == x ? other : x);
  }
  if (found != x) memcpy(x, found, (c->kernel ? c->rows : rows) * PAIR * sizeof *x);
}

/* Z = A + i B, of which Z_-k = conj A_k + i conj B_k. */
static void join_rows(const struct convolution *c, size_t first, double *z)
{
  const size_t n = c->t->cols;
  for (size_t k = 0; k <= n / 2; k++) {
    double *p = z + k * PAIR, *q = z + (n - k) % n * PAIR;
    for (size_t l = 0; l < LANES; l++) {
      const bool one = first + 2 * l < c->rows, two = first + 2 * l + 1 < c->rows;
      const double *a = spectrum_at(c->t, one ? first + 2 * l : 0, k);
      const double ar = one ? a[0] : 0, ai = one ? a[LANES] : 0;
      const double br = two ? a[PAIR] : 0, bi = two ? a[PAIR + LANES] : 0;
      q[l] = ar + bi;
      q[l + LANES] = br - ai;
      p[l] = ar - bi;
      p[l + LANES] = ai + br;
    }
  }
}

static void transform_rows_back(void *work, size_t block, size_t worker)
{
  const struct convolution *c = work;
  const size_t first = block * PAIR;
  double *z = workspace_of(c->t, worker);
  join_rows(c, first, z);
  const double *found = mn_fft_lanes(c->t->across, true, z, z + c->t->cols * PAIR);
  for (size_t r = 0; r < PAIR && first + r < c->rows; r++) {
    const double *from = found + r / 2 + r % 2 * LANES;
    double *to = c->out + (first + r) * c->cols;
    for (size_t k = 0; k < c->cols; k++) to[k] = from[k * PAIR];
  }
}

mn_status mn_tsne_convolve(mn_context *ctx, const mn_tsne_convolution *t, const double *kernel, size_t given_rows,
                           size_t given_cols, const double *in, double *out)
{
  struct convolution c = { t, kernel, in, out, given_rows, given_cols };
  const size_t row_blocks = (given_rows + PAIR - 1) / PAIR;
  MN_TRY(mn_parallel(ctx, row_blocks, transform_rows, &c));
  MN_TRY(mn_parallel(ctx, mn_tsne_column_blocks(t->cols), transform_columns, &c));
  return kernel ? mn_parallel(ctx, row_blocks, transform_rows_back, &c) : MN_OK;
}
