#include "refine.h"
#include "../factorization/lapack.h"
#include <math.h>
#include <string.h>

/* A double-double number: high + low, |low| at most half a unit in the last place of high. */
struct double_double {
  double high, low;
};

/* sum += a by Knuth's two-sum: the only rounding is in the last place of `low`. */
static void add(struct double_double *sum, double a)
{
  const double total = sum->high + a, part = total - sum->high;
  sum->low += (sum->high - (total - part)) + (a - part);
  sum->high = total;
}

/* sum += a b */
static void add_product(struct double_double *sum, double a, double b)
{
  const double product = a * b;
  add(sum, product);
  sum->low += fma(a, b, -product);
}

static double value(struct double_double sum)
{
  return sum.high + sum.low;
}

struct sums {
  struct double_double *column; /* features: sum_i w_i r_i x_i */
  struct double_double all;     /* sum_i w_i r_i               */
  double square, total;         /* sum_i w_i r_i^2, sum_i w_i  */
};

static struct double_double compute_residual(const double *row, size_t p, double y, const double *b, double c)
{
  struct double_double r = { .high = y };
  add(&r, -c);
  for (size_t j = 0; j < p; j++) add_product(&r, -row[j], b[j]);
  return r;
}

static void sum_rows(const mn_data *data, size_t target, const double *b, double c, double *residual, struct sums *s)
{
  const size_t p = data->features;
  memset(s->column, 0, p * sizeof *s->column);
  s->all = (struct double_double){ 0 };
  s->square = s->total = 0;
  for (size_t i = 0; i < data->rows; i++) {
    const double *row = mn_row(&data->x, i), w = mn_weight(data, i);
    const struct double_double r = compute_residual(row, p, data->y.at[i * data->y.cols + target], b, c);
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

/* The sum of a column after centering: sum_i w_i r_i (x_ij - mean_j). */
static double centered_sum(const struct sums *s, size_t j, double mean)
{
  struct double_double g = s->column[j];
  add_product(&g, -mean, s->all.high);
  g.low -= mean * s->all.low;
  return value(g);
}

mn_status mn_refine_least_squares(mn_context *ctx, const mn_data *data, size_t target, const double *mean,
                                  const double *factor, bool intercept, double *b, double *c, double *residual,
                                  double *rss)
{
  enum { MAX_STEPS = 6 };
  const size_t p = data->features;
  double *step = MN_RAW(ctx, double, p, 1), before = INFINITY;
  struct sums s = { .column = MN_RAW(ctx, struct double_double, p, 1) };
  if (!step || !s.column) return MN_NO_MEMORY;
  for (int round = 0; round <= MAX_STEPS; round++) {
    double step_max = 0, coef_max = 0;
    sum_rows(data, target, b, *c, residual, &s);
    *rss = s.square;
    for (size_t j = 0; j < p; j++) step[j] = centered_sum(&s, j, mean[j]);
    MN_TRY(mn_chol_apply(ctx, p, 1, factor, step));
    for (size_t j = 0; j < p; j++) {
      if (!isfinite(step[j])) return MN_OK; /* overflow: keep the solution by QR */
      step_max = fmax(step_max, fabs(step[j]));
      coef_max = fmax(coef_max, fabs(b[j]));
    }
    if (round == MAX_STEPS || !(step_max < before / 2) || !(step_max > 0x1p-60 * coef_max)) return MN_OK;
    before = step_max;
    struct double_double shift = { .high = intercept ? value(s.all) / s.total : 0 };
    for (size_t j = 0; j < p; j++) {
      b[j] += step[j];
      add_product(&shift, -mean[j], step[j]);
    }
    if (intercept) *c += value(shift);
  }
  return MN_OK;
}
