/* Gram matrices in one pass: rows are shifted and packed once, and the packed panels serve as both operands. Only tiles
 * on or above the diagonal are computed. */
#include "gram_parts.h"
#include "product.h"
#include <string.h>

enum { SAMPLE = 256 }; /* rows for the provisional mean */

/* g = sum - total total' / weight, mirrored from the upper triangle of sum. */
static void write_symmetric(const struct mn_gram_work *s, size_t width, const double *total, double weight, double *g,
                            size_t ldg)
{
  for (size_t i = 0; i < width; i++)
    for (size_t j = i; j < width; j++) {
      double value = s->sum[i * s->ld + j];
      if (total && weight != 0) value -= total[i * s->ld] * (total[j * s->ld] / weight);
      g[i * ldg + j] = g[j * ldg + i] = value;
    }
}

static void write_zeros(size_t rows, size_t cols, double *g, size_t ldg)
{
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < cols; j++) g[i * ldg + j] = 0;
}

mn_status mn_syrk(mn_context *ctx, size_t n, size_t p, const double *x, size_t ldx, const double *w,
                  const double *center, double *g, size_t ldg)
{
  if (p == 0) return MN_OK;
  if (n == 0) {
    write_zeros(p, p, g, ldg);
    return MN_OK;
  }
  struct mn_gram_work s = { .g = mn_kernels()->f64, .n = n, .p = p, .width = p, .x = x, .w = w, .ldx = ldx };
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(mn_gram_prepare(ctx, &s));
  if (center) memcpy(s.shift, center, sizeof(double) * p);
  MN_TRY(mn_gram_pass(ctx, &s));
  write_symmetric(&s, p, NULL, 0, g, ldg);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* The mean of rows sampled at even distances: close enough to the true mean for the correction to cost no digits. It is
 * computed about the first row, so that a constant column gives its value exactly. */
static void sample_mean(struct mn_gram_work *s)
{
  const size_t rows = mn_min_size(s->n, SAMPLE), width = s->p + s->q;
  double weight = 0;
  for (size_t r = 0; r < rows && s->w; r++) weight += s->w[r * (s->n / rows)];
  const bool weighted = weight > 0;
  for (size_t r = 0; r < rows; r++) {
    const size_t i = r * (s->n / rows);
    const double share = weighted ? s->w[i] / weight : 1 / (double)rows;
    for (size_t j = 0; j < s->p; j++) s->shift[j] += share * (s->x[i * s->ldx + j] - s->x[j]);
    for (size_t j = 0; j < s->q; j++) s->shift[s->p + j] += share * (s->y[i * s->ldy + j] - s->y[j]);
  }
  for (size_t j = 0; j < width; j++) s->shift[j] += j < s->p ? s->x[j] : s->y[j - s->p];
}

/* Whether subtracting the means loses more than four bits in some column. */
static bool far_from_mean(const struct mn_gram_work *s, const double *total, double weight)
{
  for (size_t j = 0; j < s->p + s->q; j++) {
    const double t = total[j * s->ld];
    if (weight > 0 && t * t / weight > 0.9375 * s->sum[j * s->ld + j]) return true;
  }
  return false;
}

static mn_status gram(mn_context *ctx, struct mn_gram_work *s, bool centered, double *weight, double *mean, double *g,
                      size_t ldg)
{
  const size_t width = s->p + s->q;
  MN_TRY(mn_gram_prepare(ctx, s));
  const double *total = s->sum + width, *sum_w = total + width * s->ld; /* the last column */
  if (centered) sample_mean(s);
  MN_TRY(mn_gram_pass(ctx, s));
  if (centered && far_from_mean(s, total, *sum_w)) {
    for (size_t j = 0; j < width; j++) s->shift[j] += total[j * s->ld] / *sum_w;
    MN_TRY(mn_gram_pass(ctx, s));
  }
  write_symmetric(s, width, centered ? total : NULL, *sum_w, g, ldg);
  for (size_t j = 0; mean && j < width; j++) mean[j] = *sum_w != 0 ? s->shift[j] + total[j * s->ld] / *sum_w : 0;
  if (weight) *weight = *sum_w;
  return MN_OK;
}

mn_status mn_gram(mn_context *ctx, size_t n, size_t p, const double *x, size_t ldx, size_t q, const double *y,
                  size_t ldy, const double *w, bool centered, double *weight, double *mean, double *g, size_t ldg)
{
  if (n == 0) {
    write_zeros(p + q, p + q, g, ldg);
    if (mean) write_zeros(1, p + q, mean, p + q);
    if (weight) *weight = 0;
    return MN_OK;
  }
  struct mn_gram_work s = {
    .g = mn_kernels()->f64, .n = n, .p = p, .q = q, .width = p + q + 1, .x = x, .y = y, .w = w, .ldx = ldx, .ldy = ldy
  };
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_status status = gram(ctx, &s, centered, weight, mean, g, ldg);
  mn_scratch_release(ctx, mark);
  return status;
}
