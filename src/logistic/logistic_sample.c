#include "logistic_sample.h"
#include "../core/gather.h"
#include "logistic_newton.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { SAMPLE_PER_FEW = 8 }; /* rows of the sample for each of the few rows that the first steps use */

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
  size_t *from = MN_RAW(ctx, size_t, sample, 1);
  double *w = data->weights ? MN_RAW(ctx, double, sample, 1) : NULL;
  int32_t *code = MN_RAW(ctx, int32_t, sample, 1);
  *out = *data;
  out->rows = sample;
  out->x = (mn_matrix){ .at = MN_RAW(ctx, double, sample, data->features), .rows = sample, .cols = data->features };
  out->weights = w;
  out->code = code;
  if (!from || !out->x.at || !code || (data->weights && !w)) return MN_NO_MEMORY;
  for (size_t i = 0; i < sample; i++) {
    const size_t at = (size_t)((double)i * (double)n / (double)sample);
    from[i] = row ? row[at] : at;
    code[i] = data->code[from[i]];
    if (w) w[i] = data->weights[from[i]];
  }
  return mn_gather_many_rows(ctx, &data->x, from, sample, &out->x);
}

static double total_weight(const mn_data *data, const size_t *row, size_t n)
{
  double total = 0;
  if (!data->weights) return (double)n;
  if (!row) return mn_total_weight(data);
  for (size_t i = 0; i < n; i++) total += mn_weight(data, row[i]);
  return total;
}

/* Minimize the objective of a sample by at most max_iter steps from w->b, w->c (b NULL: from 0). */
static mn_status run_newton(mn_context *ctx, mn_logistic_objective *o, mn_logistic_newton *w, double tol,
                            int64_t max_iter)
{
  mn_report r = { 0 };
  w->o = o;
  MN_TRY(mn_logistic_objective_init(ctx, o));
  const mn_status status = mn_logistic_run_newton(ctx, w, tol, max_iter, &r);
  mn_vector_free(mn_context_memory(ctx), &r.trace);
  return status;
}

/* `rows` rows of the given ones, and their objective. It has the sum of the weights of all, C times `total`. */
static mn_status take_sample(mn_context *ctx, const mn_logistic_objective *o, double total, const size_t *row, size_t n,
                             size_t rows, mn_data *part, mn_logistic_objective *of_part)
{
  MN_TRY(mn_logistic_sample_rows(ctx, o->data, row, n, rows, part));
  *of_part = (mn_logistic_objective){ .data = part,
                                      .C = o->C * total / fmax(mn_total_weight(part), DBL_MIN),
                                      .penalty = o->penalty,
                                      .fit_intercept = o->fit_intercept,
                                      .decisions = o->decisions };
  return MN_OK;
}

/* The first steps, which are long, need few rows. */
static mn_status start_from_few_rows(mn_context *ctx, const mn_logistic_objective *o, mn_logistic_newton *w)
{
  mn_data few;
  mn_logistic_objective of_few;
  mn_logistic_newton first = { 0 };
  const size_t rows = o->data->rows;
  MN_TRY(take_sample(ctx, o, mn_total_weight(o->data), NULL, rows, rows / SAMPLE_PER_FEW, &few, &of_few));
  MN_TRY(run_newton(ctx, &of_few, &first, 1e-2, 10));
  w->b = first.b;
  w->c = first.c;
  return MN_OK;
}

static void keep(const mn_logistic_newton *w, mn_logistic_sample *out)
{
  const mn_logistic_objective *o = w->o;
  double curvature = 0;
  for (size_t i = 0; i < o->data->rows; i++) curvature += o->curvature[i];
  out->c = w->c;
  out->intercept_curvature = o->C * curvature;
  memcpy(out->b, w->b, o->p * sizeof *w->b);
  memcpy(out->factor, w->hessian, o->p * o->p * sizeof *w->hessian);
  if (o->fit_intercept) memcpy(out->mean, w->mean, o->p * sizeof *w->mean);
}

mn_status mn_logistic_sample_init(mn_context *ctx, size_t p, mn_logistic_sample *out)
{
  out->b = MN_RAW(ctx, double, p, 1);
  out->factor = MN_RAW(ctx, double, p, p);
  out->mean = MN_NEW(ctx, double, p, 1);
  return out->b && out->factor && out->mean ? MN_OK : MN_NO_MEMORY;
}

mn_status mn_logistic_solve_sample(mn_context *ctx, const mn_logistic_objective *o, const size_t *row, size_t n,
                                   mn_logistic_sample *out)
{
  mn_data part;
  mn_logistic_objective of_part;
  mn_logistic_newton w = { 0 };
  const size_t rows = newton_sample(o->data->features);
  MN_TRY(take_sample(ctx, o, total_weight(o->data, row, n), row, n, rows, &part, &of_part));
  MN_TRY(start_from_few_rows(ctx, &of_part, &w));
  MN_TRY(run_newton(ctx, &of_part, &w, 1e-3, 30)); /* of the order of the error of the sample */
  keep(&w, out);
  return MN_OK;
}
