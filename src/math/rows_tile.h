/* Loops over rows of doubles, included by gemm_kernel.c once for each instruction set, with TARGET and NAME defined. */

TARGET static double NAME(distance2)(size_t d, const double *restrict x, const double *restrict y)
{
  double sum = 0;
  for (size_t f = 0; f < d; f++) sum += (x[f] - y[f]) * (x[f] - y[f]);
  return sum;
}

TARGET static void NAME(add_rows)(size_t rows, size_t d, const double *restrict x, const double *restrict weight,
                                  const int32_t *restrict label, double *restrict sums, double *restrict totals)
{
  for (size_t i = 0; i < rows; i++, x += d) {
    const double w = weight ? weight[i] : 1;
    double *restrict sum = sums + (size_t)label[i] * d;
    for (size_t f = 0; f < d; f++) sum[f] += w * x[f];
    totals[label[i]] += w;
  }
}

#undef NAME
