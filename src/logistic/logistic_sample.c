#include "logistic_sample.h"
#include "logistic_newton.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* Number of rows that determine the Hessian of two classes to about 10%. */
static size_t newton_sample(size_t p)
{
  return 128 * p + 4000;
}

bool mn_logistic_prefers_sample(const mn_logistic_objective *o, size_t rows)
{
  const size_t p = o->data->features;
  return o->decisions == 1 && !o->data->sparse && o->penalty > 0 && p <= 1000 && rows >= 4 * newton_sample(p);
}

mn_status mn_logistic_sample_rows(mn_context *ctx, const mn_data *data, const size_t *row, size_t n, size_t sample,
                                  mn_data *out)
{
  double *w = data->weights ? MN_RAW(ctx, double, sample, 1) : NULL;
  int32_t *code = MN_RAW(ctx, int32_t, sample, 1);
  *out = *data;
  out->rows = sample;
  out->x = (mn_matrix){ .at = MN_RAW(ctx, double, sample, data->features), .rows = sample, .cols = data->features };
  out->weights = w;
  out->code = code;
  if (!out->x.at || !code || (data->weights && !w)) return MN_NO_MEMORY;
  for (size_t i = 0; i < sample; i++) {
    const size_t at = (size_t)((double)i * (double)n / (double)sample), from = row ? row[at] : at;
    memcpy(mn_row(&out->x, i), mn_row(&data->x, from), data->features * sizeof *out->x.at);
    code[i] = data->code[from];
    if (w) w[i] = data->weights[from];
  }
  return MN_OK;
}

static double total_weight(const mn_data *data, const size_t *row, size_t n)
{
  double total = 0;
  if (!row) return mn_total_weight(data);
  for (size_t i = 0; i < n; i++) total += mn_weight(data, row[i]);
  return total;
}

/* The objective of a sample has the sum of the weights of all rows. */
static mn_status solve(mn_context *ctx, mn_logistic_objective *o, mn_logistic_sample *out)
{
  mn_report r = { 0 };
  mn_logistic_newton w = { .o = o };
  double curvature = 0;
  MN_TRY(mn_logistic_objective_init(ctx, o));
  const mn_status status = mn_logistic_run_newton(ctx, &w, 1e-5, 30, &r);
  mn_vector_free(mn_context_memory(ctx), &r.trace);
  MN_TRY(status);
  for (size_t i = 0; i < o->data->rows; i++) curvature += o->curvature[i];
  out->c = w.c;
  out->intercept_curvature = o->C * curvature;
  memcpy(out->b, w.b, o->p * sizeof *w.b);
  memcpy(out->factor, w.hessian, o->p * o->p * sizeof *w.hessian);
  if (o->fit_intercept) memcpy(out->mean, w.mean, o->p * sizeof *w.mean);
  return MN_OK;
}

mn_status mn_logistic_solve_sample(mn_context *ctx, const mn_logistic_objective *o, const size_t *row, size_t n,
                                   mn_logistic_sample *out)
{
  const size_t p = o->data->features;
  mn_data part;
  out->b = MN_RAW(ctx, double, p, 1);
  out->factor = MN_RAW(ctx, double, p, p);
  out->mean = MN_NEW(ctx, double, p, 1);
  if (!out->b || !out->factor || !out->mean) return MN_NO_MEMORY;
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(mn_logistic_sample_rows(ctx, o->data, row, n, newton_sample(p), &part));
  mn_logistic_objective of_sample = { .data = &part,
                                      .C = o->C * total_weight(o->data, row, n) / fmax(mn_total_weight(&part), DBL_MIN),
                                      .penalty = o->penalty,
                                      .fit_intercept = o->fit_intercept,
                                      .decisions = o->decisions };
  MN_TRY(solve(ctx, &of_sample, out));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
