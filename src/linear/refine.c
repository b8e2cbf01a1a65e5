#include "refine.h"
#include "../linalg/lapack.h"
#include <math.h>
#include <string.h>

/* high + low, |low| at most half a unit in the last place of high. */
struct twice {
  double high, low;
};

/* sum += a, exactly but for the rounding of what is below `low` (Knuth's two-sum). */
static void add(struct twice *sum, double a)
{
  const double total = sum->high + a, part = total - sum->high;
  sum->low += (sum->high - (total - part)) + (a - part);
  sum->high = total;
}

/* sum += a b */
static void add_product(struct twice *sum, double a, double b)
{
  const double product = a * b;
  add(sum, product);
  sum->low += fma(a, b, -product);
}

static double value(struct twice sum)
{
  return sum.high + sum.low;
}

struct sums {
  struct twice *column; /* features: sum_i w_i r_i x_i */
  struct twice all;     /* sum_i w_i r_i               */
  double square, total; /* sum_i w_i r_i^2, sum_i w_i  */
};

static struct twice residual_of(const double *row, size_t p, double y, const double *b, double c)
{
  struct twice r = { .high = y };
  add(&r, -c);
  for (size_t j = 0; j < p; j++) add_product(&r, -row[j], b[j]);
  return r;
}

static void sum_rows(const mn_data *data, size_t target, const double *b, double c, double *residual, struct sums *s)
{
  const size_t p = data->features;
  memset(s->column, 0, p * sizeof *s->column);
  s->all = (struct twice){ 0 };
  s->square = s->total = 0;
  for (size_t i = 0; i < data->rows; i++) {
    const double *row = mn_row(&data->x, i), w = mn_weight(data, i);
    const struct twice r = residual_of(row, p, data->y.at[i * data->y.cols + target], b, c);
    const double high = w * r.high, low = w * r.low + fma(w, r.high, -high);
    for (size_t j = 0; j < p; j++) {
      add_product(&s->column[j], high, row[j]);
      s->column[j].low += low * row[j];
    }
    add(&s->all, high);
    s->all.low += low;
    s->square += w * value(r) * value(r);
    s->total += w;
    if (residual) residual[i] = value(r);
  }
}

/* The part of a column's sum that is about its mean. */
static double about_mean(const struct sums *s, size_t j, double mean)
{
  struct twice g = s->column[j];
  add_product(&g, -mean, s->all.high);
  g.low -= mean * s->all.low;
  return value(g);
}

mn_status mn_refine_least_squares(mn_context *ctx, const mn_data *data, size_t target, const double *mean,
                                  const double *factor, bool constant, double *b, double *c, double *residual,
                                  double *rss)
{
  enum { MOST_STEPS = 6 };
  const size_t p = data->features;
  double *step = MN_RAW(ctx, double, p, 1), before = INFINITY;
  struct sums s = { .column = MN_RAW(ctx, struct twice, p, 1) };
  if (!step || !s.column) return MN_NO_MEMORY;
  for (int round = 0; round <= MOST_STEPS; round++) {
    double size = 0, largest = 0;
    sum_rows(data, target, b, *c, residual, &s);
    *rss = s.square;
    for (size_t j = 0; j < p; j++) step[j] = about_mean(&s, j, mean[j]);
    MN_TRY(mn_chol_apply(ctx, p, 1, factor, step));
    for (size_t j = 0; j < p; j++) {
      if (!isfinite(step[j])) return MN_OK; /* beyond the range of double: what QR found stands */
      size = fmax(size, fabs(step[j]));
      largest = fmax(largest, fabs(b[j]));
    }
    if (round == MOST_STEPS || !(size < before / 2) || !(size > 0x1p-60 * largest)) return MN_OK;
    before = size;
    struct twice moved = { .high = constant ? value(s.all) / s.total : 0 };
    for (size_t j = 0; j < p; j++) {
      b[j] += step[j];
      add_product(&moved, -mean[j], step[j]);
    }
    if (constant) *c += value(moved);
  }
  return MN_OK;
}
