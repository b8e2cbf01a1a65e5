/* Loops of Gaussian mixtures over strips of transposed rows, included by gaussian_strip_kernel.c once for each
 * instruction set, with these defined:
 *   TARGET  attribute that admits the instructions
 *   BYTES   of a vector
 *   NAME    name for this instance
 * The lanes are rows: column j of a strip is x[j * n], aligned; n is a multiple of 2 LANES. */
#define LANES (BYTES / sizeof(double))

typedef double NAME(vector) __attribute__((vector_size(BYTES), may_alias));

/* Add the squares of some columns of z = x R - offset, for 2 LANES rows. R has rows ld apart. */
TARGET static inline __attribute__((always_inline)) void NAME(add_squares)(const size_t outputs, size_t depth,
                                                                           const double *x, size_t n,
                                                                           const double *root, size_t ld,
                                                                           const double *offset, NAME(vector) * square)
{
  NAME(vector) sum[6][2];
  UNROLL for (size_t o = 0; o < outputs; o++) sum[o][0] = sum[o][1] = (NAME(vector)){ 0 } - offset[o];
  for (size_t i = 0; i < depth; i++, x += n, root += ld) {
    const NAME(vector) a = ((const NAME(vector) *)x)[0], b = ((const NAME(vector) *)x)[1];
    UNROLL for (size_t o = 0; o < outputs; o++)
    {
      sum[o][0] += root[o] * a;
      sum[o][1] += root[o] * b;
    }
  }
  UNROLL for (size_t o = 0; o < outputs; o++)
  {
    square[0] += sum[o][0] * sum[o][0];
    square[1] += sum[o][1] * sum[o][1];
  }
}

TARGET static void NAME(strip_densities)(size_t n, size_t p, const double *x, const double *root, const double *offset,
                                         double start, double *log_density)
{
  for (size_t row = 0; row < n; row += 2 * LANES) {
    NAME(vector) square[2] = { 0 };
    size_t j = 0;
    for (; j + 6 <= p; j += 6) NAME(add_squares)(6, j + 6, x + row, n, root + j, p, offset + j, square);
    for (; j + 2 <= p; j += 2) NAME(add_squares)(2, j + 2, x + row, n, root + j, p, offset + j, square);
    if (j < p) NAME(add_squares)(1, j + 1, x + row, n, root + j, p, offset + j, square);
    for (size_t lane = 0; lane < 2 * LANES; lane++) {
      const double value = start - ((const double *)square)[lane] / 2;
      log_density[row + lane] = value > MN_LEAST_LOG ? value : MN_LEAST_LOG;
    }
  }
}

/* sums[i][j] += a_i b_j lane by lane, for three columns of `a` and four of `b`. */
TARGET static inline __attribute__((always_inline)) void NAME(add_tile)(size_t n, const double *a, const double *b,
                                                                        double *sums, size_t step)
{
  NAME(vector) sum[3][4];
  UNROLL for (size_t i = 0; i < 3; i++) UNROLL for (size_t j = 0; j < 4; j++) sum[i][j] =
      *(const NAME(vector) *)(sums + i * step + j * MN_STRIP_LANES);
  for (size_t row = 0; row < n; row += LANES) {
    NAME(vector) left[3], right[4];
    UNROLL for (size_t i = 0; i < 3; i++) left[i] = *(const NAME(vector) *)(a + i * n + row);
    UNROLL for (size_t j = 0; j < 4; j++) right[j] = *(const NAME(vector) *)(b + j * n + row);
    UNROLL for (size_t i = 0; i < 3; i++) UNROLL for (size_t j = 0; j < 4; j++) sum[i][j] += left[i] * right[j];
  }
  UNROLL for (size_t i = 0; i < 3; i++) UNROLL for (size_t j = 0; j < 4; j++) *
      (NAME(vector) *)(sums + i * step + j * MN_STRIP_LANES) = sum[i][j];
}

TARGET static void NAME(strip_products)(size_t n, size_t p, const double *w, const double *x, double *sums)
{
  const size_t step = MN_STRIP_COLUMNS(p) * MN_STRIP_LANES;
  for (size_t i = 0; i < p; i += 3)
    for (size_t j = 0; j < i + 4; j += 4)
      NAME(add_tile)(n, w + i * n, x + j * n, sums + i * step + j * MN_STRIP_LANES, step);
}

#undef LANES
#undef BYTES
#undef TARGET
#undef NAME
