/* By Poisson summation, a Gaussian that is repeated with period P is the Fourier series
 *
 *     sum_m exp(-(u + m P)^2 / (2 h^2)) = sum_k a_k exp(i k w u),   w = 2 pi / P,   a_k = sqrt(2 pi) h / P
 *                                                                                         exp(-(k w h)^2 / 2)
 *
 * so that the sum over all pairs of rows needs only the sums of exp(i k w x) over the rows:
 *
 *     sum_ij w_i w_j exp(-(x_i - x_j)^2 / (2 h^2)) = sum_k a_k |F_k|^2,   F_k = sum_j w_j exp(i k w x_j)
 *
 * P exceeds the range of the rows by REACH h, where the repetitions vanish, and the series ends where a_k does. Two
 * columns have products of such series; then, with C and S for cosine and sine of either column,
 *
 *     |F_kl|^2 + |F_k,-l|^2 = 2 (CC^2 + CS^2 + SC^2 + SS^2)
 *
 * where CS = sum_j w_j cos(k w x_j) sin(l v y_j): a product of two matrices with a column for each row of the data.
 * Raykar & Duraiswami, SIAM International Conference on Data Mining (2006), do the same by Taylor series. */
#include "gaussian_pairs.h"
#include "../linalg/product.h"
#include "gaussian_pairs_kernel.h"
#include <math.h>
#include <string.h>

enum { COLUMNS = 2, BLOCK = 256, MOST_FREQUENCIES = 4096, COST = 3 };
static const double REACH = 8.6, TWO_PI = 6.28318530717958647692; /* exp(-REACH^2 / 2) is 1e-16 */

/* The series of one column. */
struct series {
  double low, omega, h, period;
  size_t size; /* frequencies 0 to size - 1 */
};

static struct series series_of(const mn_gaussian_pairs *rows, size_t column, double h)
{
  if (column >= rows->d) return (struct series){ .size = 1 };
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < rows->n; i++) {
    low = fmin(low, rows->points[i * rows->d + column]);
    high = fmax(high, rows->points[i * rows->d + column]);
  }
  struct series s = { .low = low, .h = h, .period = high - low + REACH * h };
  s.omega = TWO_PI / s.period;
  const double last = REACH * s.period / (TWO_PI * h);
  s.size = last < MOST_FREQUENCIES ? (size_t)last + 1 : MOST_FREQUENCIES + 1;
  return s;
}

static double coefficient(const struct series *s, size_t k)
{
  if (s->period == 0) return 1; /* a column that is not there */
  const double z = (double)k * s->omega * s->h;
  return (k > 0 ? 2 : 1) * sqrt(TWO_PI) * s->h / s->period * exp(-z * z / 2);
}

bool mn_gaussian_pairs_suit(const mn_gaussian_pairs *rows, double h)
{
  if (rows->d < 1 || rows->d > COLUMNS || !(h > 0)) return false;
  const struct series first = series_of(rows, 0, h), second = series_of(rows, 1, h);
  return first.size <= MOST_FREQUENCIES && second.size <= MOST_FREQUENCIES &&
         COST * (double)first.size * (double)second.size <= (double)rows->n;
}

/* Workspace for a block of rows. */
struct block {
  double *cosine, *sine, *first; /* BLOCK: of the angles; values of the waves at frequency 0 */
  double *wave[COLUMNS];         /* 2 K x rows: cosines, then sines, of the multiples        */
};

static mn_status block_init(mn_context *ctx, const struct series *s, struct block *b)
{
  b->cosine = MN_RAW(ctx, double, BLOCK, 3);
  for (size_t c = 0; c < COLUMNS; c++) b->wave[c] = MN_RAW(ctx, double, BLOCK, 2 * s[c].size);
  if (!b->cosine || !b->wave[0] || !b->wave[1]) return MN_NO_MEMORY;
  b->sine = b->cosine + BLOCK;
  b->first = b->sine + BLOCK;
  return MN_OK;
}

/* The waves of one column for rows begin .. begin + n - 1; those of the first are multiplied by the weights. */
static void waves(const mn_gaussian_pairs *rows, const struct series *s, size_t column, size_t begin, size_t n,
                  struct block *b)
{
  for (size_t i = 0; i < n; i++) {
    const double x = column < rows->d ? rows->points[(begin + i) * rows->d + column] - s->low : 0;
    b->cosine[i] = cos(s->omega * x);
    b->sine[i] = sin(s->omega * x);
    b->first[i] = column == 0 && rows->weights ? rows->weights[begin + i] : 1;
  }
  mn_multiple_angles(n, s->size, b->cosine, b->sine, b->first, b->wave[column], b->wave[column] + s->size * n);
}

/* sums (2 K x 2 L): of the products of the waves of both columns, over the rows. */
static mn_status sum_waves(mn_context *ctx, const mn_gaussian_pairs *rows, const struct series *s, double *sums)
{
  const size_t k = 2 * s[0].size, l = 2 * s[1].size;
  struct block b;
  MN_TRY(block_init(ctx, s, &b));
  memset(sums, 0, k * l * sizeof *sums);
  for (size_t begin = 0; begin < rows->n; begin += BLOCK) {
    const size_t n = rows->n - begin < BLOCK ? rows->n - begin : BLOCK;
    MN_TRY(mn_poll(ctx));
    for (size_t c = 0; c < COLUMNS; c++) waves(rows, &s[c], c, begin, n, &b);
    MN_TRY(mn_gemm(ctx, false, true, k, l, n, 1, b.wave[0], n, b.wave[1], n, 1, sums, l));
  }
  return MN_OK;
}

mn_status mn_gaussian_pairs_sum(mn_context *ctx, const mn_gaussian_pairs *rows, double h, double *sum)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const struct series s[COLUMNS] = { series_of(rows, 0, h), series_of(rows, 1, h) };
  const size_t k = 2 * s[0].size, l = 2 * s[1].size;
  double *sums = MN_RAW(ctx, double, k, l);
  MN_CHECK_ALLOC(sums);
  MN_TRY(sum_waves(ctx, rows, s, sums));
  *sum = 0;
  for (size_t i = 0; i < k; i++)
    for (size_t j = 0; j < l; j++)
      *sum += coefficient(&s[0], i % s[0].size) * coefficient(&s[1], j % s[1].size) * sums[i * l + j] * sums[i * l + j];
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
