/* One micro-kernel, included by gemm_kernel.c once for each element type and instruction set, with these defined:
 *   REAL     element type              TARGET  attribute that admits the instructions
 *   BYTES    of a vector               NAME    name for this instance
 *   ROWS     of the tile               VECTORS across the tile
 *   DEPTH    of a packed panel: DEPTH * ROWS * VECTORS lanes stay in the first cache
 * The vectors are GCC's portable ones, so every instance runs (slower) without its instructions too. */
#define LANES (BYTES / sizeof(REAL))
#define WIDTH (VECTORS * LANES)

typedef REAL NAME(vector) __attribute__((vector_size(BYTES), may_alias));
typedef REAL NAME(loose) __attribute__((vector_size(BYTES), aligned(sizeof(REAL)), may_alias));
typedef __typeof__(((NAME(vector)){ 0 } < (NAME(vector)){ 0 })[0]) NAME(lane); /* an integer as wide as REAL */
typedef NAME(lane) NAME(mask) __attribute__((vector_size(BYTES)));

TARGET static void NAME(tile)(size_t k, const void *a_, size_t row_step, size_t k_step, const void *b_, double alpha_,
                              double beta_, void *c_, size_t ldc, size_t rows, size_t cols)
{
  const REAL *a = a_, alpha = (REAL)alpha_, beta = (REAL)beta_;
  const NAME(vector) *b = b_;
  REAL *c = c_;
  NAME(vector) sum[ROWS][VECTORS] = { 0 };
  for (size_t i = 0; i < rows; i++) {
    __builtin_prefetch(c + i * ldc, 1);
    __builtin_prefetch(c + i * ldc + cols - 1, 1);
  }
  for (size_t l = 0; l < k; l++, a += k_step, b += VECTORS) {
    NAME(vector) right[VECTORS];
    UNROLL for (size_t j = 0; j < VECTORS; j++) right[j] = b[j];
    UNROLL for (size_t i = 0; i < ROWS; i++)
    {
      const REAL left = a[i * row_step];
      UNROLL for (size_t j = 0; j < VECTORS; j++) sum[i][j] += left * right[j];
    }
  }
  UNROLL for (size_t i = 0; i < ROWS; i++) UNROLL for (size_t j = 0; j < VECTORS; j++) sum[i][j] *= alpha;

  if (rows == ROWS && cols == WIDTH) {
    UNROLL for (size_t i = 0; i < ROWS; i++)
    {
      NAME(loose) *out = (NAME(loose) *)(c + i * ldc);
      if (beta == 0) {
        UNROLL for (size_t j = 0; j < VECTORS; j++) out[j] = sum[i][j];
      } else {
        UNROLL for (size_t j = 0; j < VECTORS; j++) out[j] = beta * out[j] + sum[i][j];
      }
    }
    return;
  }
  const REAL *flat = (const REAL *)sum;
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < cols; j++)
      c[i * ldc + j] = beta == 0 ? flat[i * WIDTH + j] : beta * c[i * ldc + j] + flat[i * WIDTH + j];
}

/* Whole panels whose lines lie side by side, a few at a time: long enough reads, and few enough places written to. */
TARGET static inline void NAME(pack_across)(size_t panels, size_t k, const REAL *source, size_t k_step, size_t width,
                                            REAL *out)
{
  enum { GROUP = 8 };
  for (size_t first = 0; first < panels; first += GROUP) {
    const size_t last = first + GROUP < panels ? first + GROUP : panels;
    for (size_t l = 0; l < k; l++) {
      const REAL *from = source + l * k_step + first * width;
      REAL *to = out + (first * k + l) * width;
      for (size_t p = first; p < last; p++, from += width, to += k * width)
        UNROLL for (size_t i = 0; i < width; i++) to[i] = from[i];
    }
  }
}

/* Whole panels whose lines run along k. */
TARGET static inline void NAME(pack_along)(size_t panels, size_t k, const REAL *source, size_t line_step, size_t width,
                                           REAL *out)
{
  for (size_t p = 0; p < panels; p++, source += width * line_step)
    for (size_t l = 0; l < k; l++, out += width)
      UNROLL for (size_t i = 0; i < width; i++) out[i] = source[i * line_step + l];
}

TARGET static void NAME(pack)(size_t lines, size_t k, const void *source_, size_t line_step, size_t k_step,
                              size_t width, void *out_)
{
  const REAL *source = source_;
  REAL *out = out_;
  size_t panels = lines / width;
  if (width == ROWS && line_step == 1)
    NAME(pack_across)(panels, k, source, k_step, ROWS, out);
  else if (width == WIDTH && line_step == 1)
    NAME(pack_across)(panels, k, source, k_step, WIDTH, out);
  else if (width == ROWS && k_step == 1)
    NAME(pack_along)(panels, k, source, line_step, ROWS, out);
  else if (width == WIDTH && k_step == 1)
    NAME(pack_along)(panels, k, source, line_step, WIDTH, out);
  else
    panels = 0;
  const size_t done = panels * width;
  for (size_t first = done; first < lines; first += width)
    for (size_t l = 0; l < k; l++)
      for (size_t i = 0; i < width; i++)
        out[first * k + l * width + i] = first + i < lines ? source[(first + i) * line_step + l * k_step] : 0;
}

/* Columns of a row-major source less `shift`, as lines `first` .. of panels of WIDTH lines. Whole panels a few at a
 * time, as in pack_across. */
TARGET static void NAME(pack_shifted)(size_t first, size_t cols, size_t k, const void *source_, size_t ld,
                                      const void *shift_, void *out_)
{
  enum { GROUP = 8 };
  const REAL *source = source_, *shift = shift_;
  REAL *out = out_;
  const size_t panels = first % WIDTH == 0 ? cols / WIDTH : 0;
  for (size_t begin = 0; begin < panels; begin += GROUP) {
    const size_t end = begin + GROUP < panels ? begin + GROUP : panels;
    for (size_t l = 0; l < k; l++) {
      const REAL *from = source + l * ld + begin * WIDTH, *less = shift + begin * WIDTH;
      REAL *to = out + ((first / WIDTH + begin) * k + l) * WIDTH;
      for (size_t p = begin; p < end; p++, from += WIDTH, less += WIDTH, to += k * WIDTH)
        UNROLL for (size_t v = 0; v < VECTORS; v++)((NAME(vector) *)to)[v] =
            ((const NAME(loose) *)from)[v] - ((const NAME(loose) *)less)[v];
    }
  }
  for (size_t j = panels * WIDTH, run; j < cols; j += run) {
    const size_t lane = (first + j) % WIDTH;
    REAL *to = out + (first + j - lane) * k + lane;
    run = WIDTH - lane < cols - j ? WIDTH - lane : cols - j;
    for (size_t l = 0; l < k; l++)
      for (size_t i = 0; i < run; i++) to[l * WIDTH + i] = source[l * ld + j + i] - shift[j + i];
  }
}

/* Panels of WIDTH lines times one weight for each of the k places. */
TARGET static void NAME(weigh)(size_t panels, size_t k, const void *packed_, const void *weight_, void *out_)
{
  const REAL *packed = packed_, *weight = weight_;
  REAL *out = out_;
  for (size_t p = 0; p < panels; p++)
    for (size_t l = 0; l < k; l++, packed += WIDTH, out += WIDTH)
      for (size_t i = 0; i < WIDTH; i++) out[i] = weight[l] * packed[i];
}

/* out = beta out + the sum of `parts` arrays, `apart` elements apart, in their order. */
TARGET static void NAME(combine)(size_t parts, size_t apart, size_t size, const void *part_, double beta_, void *out_)
{
  const REAL *part = part_, beta = (REAL)beta_;
  REAL *out = out_;
  if (beta == 0) {
    for (size_t j = 0; j < size; j++) out[j] = part[j];
  } else {
    for (size_t j = 0; j < size; j++) out[j] = beta * out[j] + part[j];
  }
  for (size_t p = 1; p < parts; p++)
    for (size_t j = 0; j < size; j++) out[j] += part[p * apart + j];
}

/* out = scale (x - shift), rounded; norm2 = its squared lengths before that. */
TARGET static void NAME(convert)(size_t rows, size_t d, const double *restrict x, const double *restrict shift,
                                 double scale, void *restrict out_, double *restrict norm2)
{
  REAL *restrict out = out_;
  for (size_t i = 0; i < rows; i++, x += d, out += d) {
    double sum = 0;
    for (size_t f = 0; f < d; f++) {
      const double value = (x[f] - shift[f]) * scale;
      out[f] = (REAL)value;
      sum += value * value;
    }
    norm2[i] = sum;
  }
}

/* In each lane the lesser one. In bits, since C has no ?: for vectors: a comparison gives -1 or 0 in each lane. */
#define lesser(less, a, b) ((NAME(vector))(((NAME(mask))(a) & (less)) | ((NAME(mask))(b) & ~(less))))

/* The least of score + bias. */
TARGET static REAL NAME(least_of)(size_t k, const REAL *score, const NAME(vector) * bias)
{
  const NAME(loose) *s = (const NAME(loose) *)score;
  NAME(vector) least[VECTORS];
  UNROLL for (size_t v = 0; v < VECTORS; v++) least[v] = s[v] + bias[v];
  for (size_t j = VECTORS; j < k / LANES; j += VECTORS) UNROLL for (size_t v = 0; v < VECTORS; v++)
    {
      const NAME(vector) sum = s[j + v] + bias[j + v];
      least[v] = lesser(sum < least[v], sum, least[v]);
    }
  REAL first = least[0][0];
  for (size_t v = 0; v < VECTORS; v++)
    for (size_t lane = 0; lane < LANES; lane++) first = least[v][lane] < first ? least[v][lane] : first;
  return first;
}

/* The same, with the least of the others. */
TARGET static REAL NAME(two_least_of)(size_t k, const REAL *score, const NAME(vector) * bias, double *other)
{
  const NAME(loose) *s = (const NAME(loose) *)score;
  NAME(vector) least = s[0] + bias[0], second = (NAME(vector)){ 0 } + (REAL)FLT_MAX;
  for (size_t j = 1; j < k / LANES; j++) {
    const NAME(vector) sum = s[j] + bias[j];
    const NAME(mask) less = sum < least;
    const NAME(vector) larger = lesser(less, least, sum);
    least = lesser(less, sum, least);
    second = lesser(larger < second, larger, second);
  }
  REAL first = least[0], next = second[0];
  for (size_t lane = 1; lane < LANES; lane++) {
    const REAL larger = least[lane] < first ? first : least[lane];
    first = least[lane] < first ? least[lane] : first;
    next = larger < next ? larger : next;
    next = second[lane] < next ? second[lane] : next;
  }
  *other = next;
  return first;
}

/* Where score + bias is least in each row, and how many lie within `margin` of that. */
TARGET static void NAME(least)(size_t rows, size_t k, const void *score_, const void *bias_, const double *margin,
                               int32_t *index, int32_t *near, double *second)
{
  const NAME(vector) *bias = bias_;
  const REAL *score = score_;
  for (size_t i = 0; i < rows; i++, score += k) {
    const NAME(loose) *s = (const NAME(loose) *)score;
    const REAL limit = second ? NAME(two_least_of)(k, score, bias, second + i) : NAME(least_of)(k, score, bias);
    const NAME(vector) limits = (NAME(vector)){ 0 } + (limit + (REAL)margin[i]);
    NAME(mask) count = { 0 }, place = { 0 }, here;
    for (size_t lane = 0; lane < LANES; lane++) here[lane] = (NAME(lane))lane;
    for (size_t j = 0; j < k / LANES; j++, here += LANES) {
      const NAME(mask) within = s[j] + bias[j] <= limits;
      count -= within;
      place += within & here;
    }
    NAME(lane) total = 0, sum = 0;
    for (size_t lane = 0; lane < LANES; lane++) {
      total += count[lane];
      sum += place[lane];
    }
    index[i] = (int32_t)sum;
    near[i] = (int32_t)total;
  }
}

/* Places where score + bias < limit. Nearly always none: several vectors are asked at once. */
TARGET static size_t NAME(below)(size_t k, const void *score_, const void *bias_, double limit_, int32_t *index,
                                 double *value)
{
  const REAL *score = score_, *bias = bias_, limit = (REAL)limit_;
  const NAME(vector) limits = (NAME(vector)){ 0 } + limit;
  size_t found = 0;
  for (size_t j = 0; j < k; j += WIDTH) {
    NAME(mask) any = { 0 };
    UNROLL for (size_t v = 0; v < VECTORS; v++)
    {
      const NAME(vector) sum =
          *(const NAME(loose) *)(score + j + v * LANES) + *(const NAME(loose) *)(bias + j + v * LANES);
      any |= sum < limits;
    }
    NAME(lane) some = 0;
    UNROLL for (size_t lane = 0; lane < LANES; lane++) some |= any[lane];
    if (!some) continue;
    for (size_t i = j; i < j + WIDTH; i++)
      if (score[i] + bias[i] < limit) {
        index[found] = (int32_t)i;
        value[found++] = (double)(score[i] + bias[i]);
      }
  }
  return found;
}

static const mn_gemm_kernel NAME(gemm) = { .size = sizeof(REAL),
                                           .mr = ROWS,
                                           .nr = WIDTH,
                                           .mc = 24 * ROWS,
                                           .kc = DEPTH,
                                           .nc = 1536 / WIDTH * WIDTH,
                                           .tile = NAME(tile),
                                           .pack = NAME(pack),
                                           .pack_shifted = NAME(pack_shifted),
                                           .weigh = NAME(weigh),
                                           .convert = NAME(convert),
                                           .least = NAME(least),
                                           .below = NAME(below),
                                           .combine = NAME(combine) };

#undef lesser
#undef LANES
#undef WIDTH
#undef REAL
#undef NAME
#undef DEPTH
