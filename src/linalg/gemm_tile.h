/* One micro-kernel, included by gemm_kernel.c once for each element type and instruction set, with these defined:
 *   REAL     element type              TARGET  attribute that admits the instructions
 *   BYTES    of a vector               NAME    name for this instance
 *   ROWS     of the tile               VECTORS across the tile
 *   DEPTH    of a packed panel: DEPTH * ROWS * VECTORS lanes stay in the first cache
 * The vectors are GCC's portable ones, so every instance runs (slower) without its instructions too. */
#define LANES (BYTES / sizeof(REAL))
#define WIDTH (VECTORS * LANES)

typedef REAL NAME(vector) __attribute__((vector_size(BYTES), may_alias));
typedef REAL NAME(unaligned) __attribute__((vector_size(BYTES), aligned(sizeof(REAL)), may_alias));
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
      NAME(unaligned) *out = (NAME(unaligned) *)(c + i * ldc);
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

/* Pack full panels with contiguous lines, a few panels at a time: long reads, and few write streams. */
TARGET static inline void NAME(pack_across)(size_t panels, size_t k, const REAL *source, size_t k_step, size_t width,
                                            REAL *out)
{
  enum { GROUP = 8 };
  for (size_t first = 0; first < panels; first += GROUP) {
    const size_t last = first + GROUP < panels ? first + GROUP : panels;
    for (size_t l = 0; l < k; l++) {
      const REAL *source_row = source + l * k_step + first * width;
      REAL *to = out + (first * k + l) * width;
      for (size_t p = first; p < last; p++, source_row += width, to += k * width)
        UNROLL for (size_t i = 0; i < width; i++) to[i] = source_row[i];
    }
  }
}

/* Pack full panels whose lines are contiguous along k. */
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

/* Pack columns of a row-major source minus `shift` as lines `first` .. of panels of WIDTH lines; full panels a few at a
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
      const REAL *source_row = source + l * ld + begin * WIDTH, *offset = shift + begin * WIDTH;
      REAL *to = out + ((first / WIDTH + begin) * k + l) * WIDTH;
      for (size_t p = begin; p < end; p++, source_row += WIDTH, offset += WIDTH, to += k * WIDTH)
        UNROLL for (size_t v = 0; v < VECTORS; v++)((NAME(vector) *)to)[v] =
            ((const NAME(unaligned) *)source_row)[v] - ((const NAME(unaligned) *)offset)[v];
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

/* out = packed panels with element l of each line multiplied by weight[l]. */
TARGET static void NAME(multiply_weights)(size_t panels, size_t k, const void *packed_, const void *weight_, void *out_)
{
  const REAL *packed = packed_, *weight = weight_;
  REAL *out = out_;
  for (size_t p = 0; p < panels; p++)
    for (size_t l = 0; l < k; l++, packed += WIDTH, out += WIDTH)
      for (size_t i = 0; i < WIDTH; i++) out[i] = weight[l] * packed[i];
}

/* out = beta out + the sum of `parts` arrays that are `stride` elements apart, in their order. */
TARGET static void NAME(sum_parts)(size_t parts, size_t stride, size_t size, const void *part_, double beta_,
                                   void *out_)
{
  const REAL *part = part_, beta = (REAL)beta_;
  REAL *out = out_;
  if (beta == 0) {
    for (size_t j = 0; j < size; j++) out[j] = part[j];
  } else {
    for (size_t j = 0; j < size; j++) out[j] = beta * out[j] + part[j];
  }
  for (size_t p = 1; p < parts; p++)
    for (size_t j = 0; j < size; j++) out[j] += part[p * stride + j];
}

/* out = scale (x - shift), rounded to REAL; norm2 = squared row lengths before rounding. */
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

/* Per lane a where `yes` is -1, b where it is 0; C has no ?: for vectors. */
#define select_lanes(yes, a, b) (((NAME(mask))(a) & (yes)) | ((NAME(mask))(b) & ~(yes)))

/* Per lane the two smallest values, and the index of the smallest. */
struct NAME(two_smallest) {
  NAME(vector) smallest, second;
  NAME(mask) index;
};

/* Merge the results of two sets of values, lane by lane. */
TARGET static inline struct NAME(two_smallest) NAME(merge_two)(struct NAME(two_smallest) a, struct NAME(two_smallest) b)
{
  const NAME(mask) smaller = b.smallest < a.smallest;
  const NAME(vector) larger = (NAME(vector))select_lanes(smaller, a.smallest, b.smallest);
  NAME(vector) second = (NAME(vector))select_lanes(a.second < b.second, a.second, b.second);
  second = (NAME(vector))select_lanes(second < larger, second, larger);
  return (struct NAME(two_smallest)){ (NAME(vector))select_lanes(smaller, b.smallest, a.smallest), second,
                                      select_lanes(smaller, b.index, a.index) };
}

/* Merge the lanes whose numbers differ in this bit. */
TARGET static inline struct NAME(two_smallest) NAME(merge_lanes)(struct NAME(two_smallest) a, size_t bit)
{
  struct NAME(two_smallest) b = a;
#if defined(__clang__) /* clang has no shuffle by a vector, but makes one of this loop */
  UNROLL for (size_t lane = 0; lane < LANES; lane++)
  {
    b.smallest[lane] = a.smallest[lane ^ bit];
    b.second[lane] = a.second[lane ^ bit];
    b.index[lane] = a.index[lane ^ bit];
  }
#else
  NAME(mask) swap;
  for (size_t lane = 0; lane < LANES; lane++) swap[lane] = (NAME(lane))(lane ^ bit);
  b.smallest = __builtin_shuffle(a.smallest, swap);
  b.second = __builtin_shuffle(a.second, swap);
  b.index = __builtin_shuffle(a.index, swap);
#endif
  return NAME(merge_two)(a, b);
}

/* Per row the smallest and second smallest score + bias, and the index of the smallest. */
TARGET static void NAME(find_two_smallest)(size_t rows, size_t k, const void *score_, const void *bias_, int32_t *index,
                                           double *smallest_, double *second_)
{
  const NAME(vector) *bias = bias_;
  const REAL *score = score_;
  NAME(mask) lanes;
  for (size_t lane = 0; lane < LANES; lane++) lanes[lane] = (NAME(lane))lane;
  for (size_t i = 0; i < rows; i++, score += k) {
    const NAME(unaligned) *s = (const NAME(unaligned) *)score;
    struct NAME(two_smallest) best = { s[0] + bias[0], (NAME(vector)){ 0 } + (REAL)FLT_MAX, lanes };
    NAME(mask) position = lanes;
    for (size_t j = 1; j < k / LANES; j++) {
      const NAME(vector) sum = s[j] + bias[j];
      const NAME(mask) smaller = sum < best.smallest;
      const NAME(vector) larger = (NAME(vector))select_lanes(smaller, best.smallest, sum);
      position += LANES;
      best.smallest = (NAME(vector))select_lanes(smaller, sum, best.smallest);
      best.second = (NAME(vector))select_lanes(larger < best.second, larger, best.second);
      best.index = select_lanes(smaller, position, best.index);
    }
    if (LANES > 8) best = NAME(merge_lanes)(best, 8);
    if (LANES > 4) best = NAME(merge_lanes)(best, 4);
    if (LANES > 2) best = NAME(merge_lanes)(best, 2);
    best = NAME(merge_lanes)(best, 1);
    index[i] = (int32_t)best.index[0];
    smallest_[i] = (double)best.smallest[0];
    second_[i] = (double)best.second[0];
  }
}

/* Indexes where score + bias < limit. Nearly always none, so several vectors are tested at once. */
TARGET static size_t NAME(find_below)(size_t k, const void *score_, const void *bias_, double limit_, int32_t *index,
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
          *(const NAME(unaligned) *)(score + j + v * LANES) + *(const NAME(unaligned) *)(bias + j + v * LANES);
      any |= sum < limits;
    }
    NAME(lane) found_any = 0;
    UNROLL for (size_t lane = 0; lane < LANES; lane++) found_any |= any[lane];
    if (!found_any) continue;
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
                                           .multiply_weights = NAME(multiply_weights),
                                           .convert = NAME(convert),
                                           .two_smallest = NAME(find_two_smallest),
                                           .find_below = NAME(find_below),
                                           .sum_parts = NAME(sum_parts) };

#undef select_lanes
#undef LANES
#undef WIDTH
#undef REAL
#undef NAME
#undef DEPTH
