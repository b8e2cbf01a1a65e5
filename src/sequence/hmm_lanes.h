/* Loops of hidden Markov models with rows of a few vectors, included by hmm_kernel.c for vectors of 4 and of 8 lanes:
 *   LANES   of a vector
 *   NAME    name for this instance
 * `nv`, the vectors of a row, is constant after inlining; matrices have as many rows as there are lanes in a row. */

typedef double NAME(vector) __attribute__((vector_size(LANES * 8), aligned(8), may_alias));

/* The vector at an address. */
#define AT(address) (*(NAME(vector) *)(void *)(uintptr_t)(address))

INLINE double NAME(sum)(const NAME(vector) * of)
{
  double sum = 0;
  UNROLL for (size_t l = 0; l < LANES; l++) sum += (*of)[l];
  return sum;
}

/* out = from A, of `rows` rows. */
INLINE void NAME(product)(size_t nv, size_t rows, const double *from, const double *a, NAME(vector) * out)
{
  NAME(vector) part[4][2];
  UNROLL for (size_t i = 0; i < 4; i++) UNROLL for (size_t v = 0; v < nv; v++) part[i][v] = (NAME(vector)){ 0 };
  for (size_t i = 0; i < rows; i += 4)
    UNROLL for (size_t h = 0; h < 4; h++) UNROLL for (size_t v = 0; v < nv; v++) part[h][v] +=
        from[i + h] * AT(a + (i + h) * nv * LANES + v * LANES);
  UNROLL for (size_t v = 0; v < nv; v++) out[v] = (part[0][v] + part[1][v]) + (part[2][v] + part[3][v]);
}

INLINE void NAME(forward)(size_t nv, size_t first, size_t n, size_t rows, const double *a, const mn_hmm_rows *b,
                          double *alpha, double *total, double *shift)
{
  const size_t w = nv * LANES;
  double before = total[first - 1];
  for (size_t t = first; t < n; t++) {
    NAME(vector) next[2], sum = { 0 };
    const double factor = inverse_power(before, &shift[t]), *density = row_of(b, t, w);
    NAME(product)(nv, rows, alpha + (t - 1) * w, a, next);
    UNROLL for (size_t v = 0; v < nv; v++)
    {
      next[v] *= factor * AT(density + v * LANES);
      AT(alpha + t * w + v * LANES) = next[v];
      sum += next[v];
    }
    before = total[t] = NAME(sum)(&sum);
  }
}

INLINE void NAME(backward)(size_t nv, size_t first, size_t n, size_t origin, size_t rows, const double *a,
                           const mn_hmm_rows *b, double *beta, double *scale)
{
  const size_t w = nv * LANES;
  for (size_t t = n - 1; t-- > first;) {
    NAME(vector) next[2], sum = { 0 };
    const double *ahead = beta + (t + 1 - origin) * w, *density = row_of(b, t + 1, w);
    double product[2 * LANES], e;
    UNROLL for (size_t v = 0; v < nv; v++)
    {
      const NAME(vector) one = AT(ahead + v * LANES);
      sum += one;
      AT(product + v * LANES) = one * AT(density + v * LANES);
    }
    const double factor = inverse_power(NAME(sum)(&sum), &e);
    NAME(product)(nv, rows, product, a, next);
    UNROLL for (size_t v = 0; v < nv; v++) AT(beta + (t - origin) * w + v * LANES) = factor * next[v];
    scale[t - origin] = factor;
  }
}

/* Of rows first .. end-1, for all of which pairs are counted, the matrix `pairs` being in registers if nv is 1. */
INLINE void NAME(add_pairs)(size_t nv, size_t rows, const double *now, const NAME(vector) * ahead,
                            NAME(vector) (*pairs)[2])
{
  UNROLL for (size_t i = 0; i < rows; i++) UNROLL for (size_t v = 0; v < nv; v++) pairs[i][v] += now[i] * ahead[v];
}

INLINE double NAME(posterior)(size_t nv, size_t first, size_t end, size_t last, size_t origin, size_t rows,
                              const mn_hmm_rows *b, const double *beta, const double *scale, double *alpha,
                              double *pairs)
{
  const size_t w = nv * LANES;
  NAME(vector) sums[16][2];
  double least = 1;
  for (size_t i = 0; i < rows; i++) UNROLL for (size_t v = 0; v < nv; v++) sums[i][v] = (NAME(vector)){ 0 };
  for (size_t t = first; t < end; t++) {
    double *now = alpha + t * w;
    const double *behind = beta + (t - origin) * w;
    NAME(vector) product[2], total = { 0 }, ahead[2];
    UNROLL for (size_t v = 0; v < nv; v++)
    {
      product[v] = AT(now + v * LANES) * AT(behind + v * LANES);
      total += product[v];
    }
    const double sum = NAME(sum)(&total), inverse = 1 / sum;
    least = sum < least ? sum : least;
    if (pairs && t < last) {
      const double *density = row_of(b, t + 1, w);
      UNROLL for (size_t v = 0; v < nv; v++) ahead[v] =
          AT(density + v * LANES) * AT(behind + w + v * LANES) * (inverse * scale[t - origin]);
      NAME(add_pairs)(nv, rows, now, ahead, sums);
    }
    UNROLL for (size_t v = 0; v < nv; v++) AT(now + v * LANES) = product[v] * inverse;
  }
  for (size_t i = 0; pairs && i < rows; i++)
    UNROLL for (size_t v = 0; v < nv; v++) AT(pairs + i * w + v * LANES) = AT(pairs + i * w + v * LANES) + sums[i][v];
  return least;
}

/* --- Gaussian emissions of p <= 4 columns, p being constant --- */

INLINE void NAME(gaussian_logs)(size_t nv, size_t p, int diagonal, size_t n, const double *x, const double *mean,
                                const double *root, const double *start, double *out)
{
  const size_t c = nv * LANES;
  for (size_t t = 0; t < n; t++) UNROLL for (size_t v = 0; v < nv; v++)
    {
      const size_t lane = v * LANES;
      NAME(vector) d[4], square = { 0 };
      UNROLL for (size_t j = 0; j < p; j++) d[j] = x[t * p + j] - AT(mean + j * c + lane);
      UNROLL for (size_t j = 0; j < p; j++)
      {
        NAME(vector) z = { 0 };
        if (diagonal)
          z = d[j] * AT(root + j * c + lane);
        else
          UNROLL for (size_t i = 0; i <= j; i++) z += d[i] * AT(root + (i * (2 * p - i - 1) / 2 + j) * c + lane);
        square += z * z;
      }
      AT(out + t * c + lane) = AT(start + lane) - square * 0.5;
    }
}

INLINE void NAME(gaussian_sums)(size_t p, int diagonal, size_t n, size_t c, const double *x, const double *mean,
                                const double *weight, double *count, double *sum, double *scatter)
{
  NAME(vector) total = { 0 }, first[4], second[4][4], m[4];
  UNROLL for (size_t j = 0; j < p; j++)
  {
    m[j] = AT(mean + j * c);
    first[j] = (NAME(vector)){ 0 };
    for (size_t i = j; i < p; i++) second[j][i] = (NAME(vector)){ 0 };
  }
  for (size_t t = 0; t < n; t++) {
    const NAME(vector) w = AT(weight + t * c);
    NAME(vector) d[4];
    total += w;
    UNROLL for (size_t j = 0; j < p; j++) d[j] = x[t * p + j] - m[j];
    UNROLL for (size_t j = 0; j < p; j++)
    {
      const NAME(vector) weighted = w * d[j];
      first[j] += weighted;
      for (size_t i = j; i < (diagonal ? j + 1 : p); i++) second[j][i] += weighted * d[i];
    }
  }
  AT(count) = AT(count) + total;
  UNROLL for (size_t j = 0; j < p; j++)
  {
    AT(sum + j * c) = AT(sum + j * c) + first[j];
    for (size_t i = j; i < (diagonal ? j + 1 : p); i++) {
      double *to = scatter + (diagonal ? j : j * (2 * p - j - 1) / 2 + i) * c;
      AT(to) = AT(to) + second[j][i];
    }
  }
}

#undef AT
#undef LANES
#undef NAME
