/* A pointwise bootstrap band of an ROC curve. The rows are sorted once: a resampled curve then follows from how often
 * each distinct score was drawn. */
#include "../core/rng.h"
#include "../stats/argsort.h"
#include "../stats/quantile.h"
#include "curves.h"
#include <math.h>
#include <string.h>

/* The distinct scores in descending order, and the score of each row. */
struct ordered {
  size_t groups;
  size_t kind[2];     /* rows that are negative, positive                                  */
  uint32_t *group[2]; /* kind[0] and kind[1]: index of the score of each such row          */
  uint32_t *drawn[2]; /* groups each: number of rows of each kind drawn with each score    */
  double *reach[2];   /* kind[0] and kind[1]: sums of the weights up to each row; or NULL  */
  size_t draws[2];    /* rows that a curve draws of each kind                              */
};

static mn_status sort_rows(mn_context *ctx, const mn_ranking *r, struct ordered *o)
{
  size_t *order = MN_RAW(ctx, size_t, r->n, 1);
  uint32_t *memory = MN_RAW(ctx, uint32_t, r->n, 4);
  double *reach = r->w ? MN_RAW(ctx, double, r->n, 2) : NULL;
  if (!order || !memory || (r->w && !reach)) return MN_NO_MEMORY;
  MN_TRY(mn_argsort_descending(ctx, r->n, r->score, r->step, order));
  *o = (struct ordered){ .group = { memory, memory + r->n }, .drawn = { memory + 2 * r->n, memory + 3 * r->n } };
  if (reach) {
    o->reach[0] = reach;
    o->reach[1] = reach + r->n;
  }
  for (size_t i = 0; i < r->n; i++) {
    const size_t row = order[i];
    const bool positive = r->code[row] == r->positive;
    if (i == 0 || r->score[row * r->step] != r->score[order[i - 1] * r->step]) o->groups++;
    const size_t at = o->kind[positive]++;
    o->group[positive][at] = (uint32_t)(o->groups - 1);
    if (r->w) o->reach[positive][at] = (at > 0 ? o->reach[positive][at - 1] : 0) + r->w[row];
  }
  return MN_OK;
}

/* The weight of a single row: 1, or the smallest weight > 0 if that is below 1, so that normalized weights count rows.
 */
static double weight_unit(const mn_ranking *r)
{
  double unit = 1;
  for (size_t i = 0; i < r->n; i++)
    if (r->w[i] > 0 && r->w[i] < unit) unit = r->w[i];
  return unit;
}

/* As many rows of each kind as its weights count. */
static mn_status count_draws(mn_context *ctx, const mn_ranking *r, struct ordered *o)
{
  static const double max_draws = 1e8;
  for (size_t k = 0; k < 2; k++) {
    o->draws[k] = o->kind[k];
    if (!r->w) continue;
    const double total = o->reach[k][o->kind[k] - 1], draws = rint(total / weight_unit(r));
    if (!(total > 0)) return mn_fail(ctx, MN_BAD_ARGUMENT, "weights must be > 0 for a row of each class");
    if (!(draws <= max_draws))
      return mn_fail(ctx, MN_BAD_ARGUMENT, "weights must count at most 1e+08 rows, got %g", draws);
    o->draws[k] = draws < 1 ? 1 : (size_t)draws;
  }
  return MN_OK;
}

/* The row of a kind that a uniform place 0 .. draws - 1 falls on, in proportion to the weights: with whole weights, the
 * row at that place among repeated rows. */
static size_t weighted_row(const struct ordered *o, size_t k, size_t place)
{
  const double *reach = o->reach[k];
  const double at = ((double)place + 0.5) / (double)o->draws[k] * reach[o->kind[k] - 1];
  size_t low = 0, high = o->kind[k] - 1;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (reach[middle] > at)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

static void draw(struct ordered *o, mn_rng *rng)
{
  for (size_t k = 0; k < 2; k++) {
    memset(o->drawn[k], 0, o->groups * sizeof *o->drawn[k]);
    for (size_t i = 0; i < o->draws[k]; i++) {
      const size_t place = mn_random_below(rng, o->draws[k]);
      o->drawn[k][o->group[k][o->reach[k] ? weighted_row(o, k, place) : place]]++;
    }
  }
}

/* out[k * step] = the height of the drawn curve at rate k; the upper end of a vertical step. */
static void heights(const struct ordered *o, const mn_roc_band *band, double *out, size_t step)
{
  double right = 0, up = 0;
  size_t k = 0;
  for (size_t g = 0; g < o->groups; g++) {
    const double next_right = right + o->drawn[0][g] / (double)o->draws[0];
    const double next_up = up + o->drawn[1][g] / (double)o->draws[1];
    for (; k < band->points && band->rate[k] < next_right; k++)
      out[k * step] = up + (next_up - up) * (band->rate[k] - right) / (next_right - right);
    right = next_right;
    up = next_up;
  }
  for (; k < band->points; k++) out[k * step] = 1;
}

mn_status mn_ranking_band(mn_context *ctx, const mn_ranking *r, const mn_roc_band *band, double *low, double *high)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const double levels[] = { (1 - band->level) / 2, (1 + band->level) / 2 };
  struct ordered o;
  double *height = MN_RAW(ctx, double, band->points, band->curves);
  MN_CHECK_ALLOC(height);
  MN_TRY(sort_rows(ctx, r, &o));
  MN_TRY(count_draws(ctx, r, &o));
  for (size_t i = 0; i < band->curves; i++) {
    mn_rng rng = mn_stream(band->seed, i);
    draw(&o, &rng);
    heights(&o, band, height + i, band->curves);
    MN_TRY(mn_poll(ctx));
  }
  for (size_t k = 0; k < band->points; k++) {
    double at[2];
    MN_TRY(mn_quantiles(ctx, band->curves, height + k * band->curves, NULL, 2, levels, at));
    low[k] = at[0];
    high[k] = at[1];
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
