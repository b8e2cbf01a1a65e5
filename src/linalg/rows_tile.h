/* Loops over rows of doubles, included by gemm_kernel.c once for each instruction set, with TARGET and NAME defined. */

#define LANES (BYTES / sizeof(double))
typedef double NAME(row) __attribute__((vector_size(BYTES), aligned(sizeof(double)), may_alias));

/* Four partial sums, since each addition waits for the previous one. Never inlined, so that every call executes the
 * same instructions. */
TARGET __attribute__((noinline)) static double NAME(distance2)(size_t d, const double *x, const double *y)
{
  NAME(row) part[4] = { 0 };
  size_t f = 0;
  for (; f + 4 * LANES <= d; f += 4 * LANES) UNROLL for (size_t v = 0; v < 4; v++)
    {
      const NAME(row) difference = *(const NAME(row) *)(x + f + v * LANES) - *(const NAME(row) *)(y + f + v * LANES);
      part[v] += difference * difference;
    }
  for (; f + LANES <= d; f += LANES) {
    const NAME(row) difference = *(const NAME(row) *)(x + f) - *(const NAME(row) *)(y + f);
    part[0] += difference * difference;
  }
  part[0] = (part[0] + part[1]) + (part[2] + part[3]);
  double sum = 0;
  UNROLL for (size_t lane = 0; lane < LANES; lane++) sum += part[0][lane];
  for (; f < d; f++) sum += (x[f] - y[f]) * (x[f] - y[f]);
  return sum;
}

TARGET static void NAME(assigned_distance2)(size_t rows, size_t d, const double *x, const double *y,
                                            const int32_t *label, double *distance2)
{
  for (size_t i = 0; i < rows; i++) distance2[i] = NAME(distance2)(d, x + i * d, y + (size_t)label[i] * d);
}

TARGET static void NAME(add_labeled_rows)(size_t rows, size_t d, const double *restrict x,
                                          const double *restrict weight, const int32_t *restrict label,
                                          double *restrict sums, double *restrict totals)
{
  for (size_t i = 0; i < rows; i++, x += d) {
    const double w = weight ? weight[i] : 1;
    double *restrict sum = sums + (size_t)label[i] * d;
    for (size_t f = 0; f < d; f++) sum[f] += w * x[f];
    totals[label[i]] += w;
  }
}

/* Four rows at a time, so that x is loaded once for all four. */
TARGET static void NAME(matrix_times_vector)(size_t rows, size_t cols, const double *restrict a, size_t lda,
                                             const double *restrict x, double *restrict y)
{
  size_t i = 0;
  for (; i + 4 <= rows; i += 4, a += 4 * lda) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (size_t j = 0; j < cols; j++) {
      s0 += a[j] * x[j];
      s1 += a[lda + j] * x[j];
      s2 += a[2 * lda + j] * x[j];
      s3 += a[3 * lda + j] * x[j];
    }
    y[i] = s0;
    y[i + 1] = s1;
    y[i + 2] = s2;
    y[i + 3] = s3;
  }
  for (; i < rows; i++, a += lda) {
    double s = 0;
    for (size_t j = 0; j < cols; j++) s += a[j] * x[j];
    y[i] = s;
  }
}

/* Four rows at a time, so that y is loaded and stored once for all four. */
TARGET static void NAME(add_vector_times_matrix)(size_t rows, size_t cols, const double *restrict a, size_t lda,
                                                 const double *restrict x, double *restrict y)
{
  size_t i = 0;
  for (; i + 4 <= rows; i += 4, a += 4 * lda) {
    const double x0 = x[i], x1 = x[i + 1], x2 = x[i + 2], x3 = x[i + 3];
    for (size_t j = 0; j < cols; j++) y[j] += x0 * a[j] + x1 * a[lda + j] + x2 * a[2 * lda + j] + x3 * a[3 * lda + j];
  }
  for (; i < rows; i++, a += lda)
    for (size_t j = 0; j < cols; j++) y[j] += x[i] * a[j];
}

TARGET static void NAME(rbf_from_products)(size_t cols, double gamma, double norm2, const double *restrict norms2,
                                           double *restrict product)
{
  for (size_t j = 0; j < cols; j++) {
    const double distance2 = norm2 + norms2[j] - 2 * product[j];
    product[j] = exp(-gamma * (distance2 > 0 ? distance2 : 0));
  }
}

#undef LANES
#undef NAME
