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

/* In each lane a where `yes` is -1, b where it is 0. C has no ?: for vectors. */
#define pick(yes, a, b) (((NAME(mask))(a) & (yes)) | ((NAME(mask))(b) & ~(yes)))

/* The two least of some values, and the place of the first, in each lane. */
struct NAME(two) {
  NAME(vector) least, second;
  NAME(mask) place;
};

/* Another two for each lane. */
TARGET static inline struct NAME(two) NAME(two_of)(struct NAME(two) a, struct NAME(two) b)
{
  const NAME(mask) less = b.least < a.least;
  const NAME(vector) larger = (NAME(vector))pick(less, a.least, b.least);
  NAME(vector) second = (NAME(vector))pick(a.second < b.second, a.second, b.second);
  second = (NAME(vector))pick(second < larger, second, larger);
  return (struct NAME(two)){ (NAME(vector))pick(less, b.least, a.least), second, pick(less, b.place, a.place) };
}

/* Lanes that differ in this bit come together. */
TARGET static inline struct NAME(two) NAME(fold)(struct NAME(two) a, size_t bit)
{
  struct NAME(two) b = a;
#if defined(__clang__) /* which has no shuffle by a vector, and makes one of this */
  UNROLL for (size_t lane = 0; lane < LANES; lane++)
  {
    b.least[lane] = a.least[lane ^ bit];
    b.second[lane] = a.second[lane ^ bit];
    b.place[lane] = a.place[lane ^ bit];
  }
#else
  NAME(mask) swap;
  for (size_t lane = 0; lane < LANES; lane++) swap[lane] = (NAME(lane))(lane ^ bit);
  b.least = __builtin_shuffle(a.least, swap);
  b.second = __builtin_shuffle(a.second, swap);
  b.place = __builtin_shuffle(a.place, swap);
#endif
  return NAME(two_of)(a, b);
}

/* The least of score + bias in each row, where it is, and the least of the others. */
TARGET static void NAME(least)(size_t rows, size_t k, const void *score_, const void *bias_, int32_t *index,
                               double *least_, double *second_)
{
  const NAME(vector) *bias = bias_;
  const REAL *score = score_;
  NAME(mask) lanes;
  for (size_t lane = 0; lane < LANES; lane++) lanes[lane] = (NAME(lane))lane;
  for (size_t i = 0; i < rows; i++, score += k) {
    const NAME(loose) *s = (const NAME(loose) *)score;
    struct NAME(two) two = { s[0] + bias[0], (NAME(vector)){ 0 } + (REAL)FLT_MAX, lanes };
    NAME(mask) here = lanes;
    for (size_t j = 1; j < k / LANES; j++) {
      const NAME(vector) sum = s[j] + bias[j];
      const NAME(mask) less = sum < two.least;
      const NAME(vector) larger = (NAME(vector))pick(less, two.least, sum);
      here += LANES;
      two.least = (NAME(vector))pick(less, sum, two.least);
      two.second = (NAME(vector))pick(larger < two.second, larger, two.second);
      two.place = pick(less, here, two.place);
    }
    if (LANES > 8) two = NAME(fold)(two, 8);
    if (LANES > 4) two = NAME(fold)(two, 4);
    if (LANES > 2) two = NAME(fold)(two, 2);
    two = NAME(fold)(two, 1);
    index[i] = (int32_t)two.place[0];
    least_[i] = (double)two.least[0];
    second_[i] = (double)two.second[0];
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

#undef pick
#undef LANES
#undef WIDTH
#undef REAL
#undef NAME
#undef DEPTH
