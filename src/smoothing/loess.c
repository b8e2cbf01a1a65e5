/* Loess: local polynomials over the nearest rows. At each point q, with h the distance of the k-th nearest row and
 * k = span * rows, it minimizes
 *
 *     sum_i w_i (1 - (|x_i - q| / h)^3)^3 (y_i - p(x_i))^2
 *
 * over polynomials p. The family symmetric repeats the fit with w_i multiplied by bisquare weights of the residuals.
 * Cleveland & Devlin, JASA 83 (1988); R's loess with surface = "direct" and statistics = "exact". */
#include "../actions/interval.h"
#include "../model/program.h"
#include "../stats/argsort.h"
#include "../stats/lowess.h"
#include "smoother.h"
#include <string.h>

struct loess {
  mn_smoother smoother;
  double span;
  int64_t degree, family, iterations, statistics;
  bool normalize;
  mn_vector center, divisor, robustness;
  double unit; /* a power of two near the range of the normalized columns, so that squares stay in range */
};

enum { GAUSSIAN, SYMMETRIC };
static const char *const families[] = { "gaussian", "symmetric", NULL };
static const char name[] = "Loess";

/* R allows at most this many columns; with more, a quadratic has so many terms that a line is the better default. */
enum { MAX_QUADRATIC = 4 };

static size_t degree_of(const struct loess *m)
{
  if (m->degree != MN_UNSET) return (size_t)m->degree;
  return m->smoother.x.cols <= MAX_QUADRATIC ? 2 : 1;
}

/* The number of neighbors: at least one for each term of the polynomial. */
static size_t count_neighbors(const struct loess *m)
{
  const double n = (double)m->smoother.x.rows, terms = mn_polynomial_terms(m->smoother.x.cols, degree_of(m));
  return (size_t)fmin(fmax(floor(n * m->span + 1e-5), terms), n);
}

/* `weights` are those of the plan, n or NULL. */
static mn_status make_plan_weighted(mn_context *ctx, const struct loess *m, const double *weights,
                                    mn_smoother_plan *plan)
{
  const size_t d = m->smoother.x.cols;
  double *scale = MN_RAW(ctx, double, d, 1);
  MN_CHECK_ALLOC(scale);
  for (size_t j = 0; j < d; j++) scale[j] = m->divisor.at[j] * m->unit;
  *plan = (mn_smoother_plan){ .method = MN_LOCAL_POLYNOMIAL,
                              .neighbors = count_neighbors(m),
                              .widening = fmax(1, m->span),
                              .center = m->center.at,
                              .scale = scale,
                              .weights = weights };
  return mn_smoother_plan_make(ctx, name, &m->smoother.x, degree_of(m), plan);
}

/* out = sample weights times robustness weights. */
static void combine_weights(const mn_smoother *s, const double *robustness, double *out)
{
  for (size_t i = 0; i < s->y.size; i++) out[i] = robustness[i] * (s->weights.size > 0 ? s->weights.at[i] : 1);
}

static mn_status make_plan(mn_context *ctx, const mn_smoother *smoother, mn_smoother_plan *plan)
{
  const struct loess *m = (const struct loess *)smoother;
  const double *weights = smoother->weights.size > 0 ? smoother->weights.at : NULL;
  if (m->robustness.size > 0) {
    double *combined = MN_RAW(ctx, double, m->robustness.size, 1);
    MN_CHECK_ALLOC(combined);
    combine_weights(smoother, m->robustness.at, combined);
    weights = combined;
  }
  return make_plan_weighted(ctx, m, weights, plan);
}

/* Standard deviation of the sorted values at rows order[begin..end-1] of column j; 0 for fewer than two. */
static double deviation(const mn_matrix *x, size_t j, const size_t *order, size_t begin, size_t end)
{
  double mean = 0, sum = 0;
  if (end < begin + 2) return 0;
  for (size_t k = begin; k < end; k++) mean += (mn_row(x, order[k])[j] - mean) / (double)(k - begin + 1);
  for (size_t k = begin; k < end; k++) sum += (mn_row(x, order[k])[j] - mean) * (mn_row(x, order[k])[j] - mean);
  return sqrt(sum / (double)(end - begin - 1));
}

/* Divide each of several columns by its standard deviation without a tenth of the rows at either end, or by that of all
 * rows if that is 0. */
static mn_status set_divisor(mn_context *ctx, struct loess *m)
{
  const mn_matrix *x = &m->smoother.x;
  const size_t n = x->rows, trim = (size_t)ceil(0.1 * (double)n);
  size_t *order = MN_RAW(ctx, size_t, n, 1);
  MN_CHECK_ALLOC(order);
  MN_TRY(mn_vector_init(ctx, &m->divisor, x->cols));
  for (size_t j = 0; j < x->cols; j++) {
    m->divisor.at[j] = 1;
    if (!m->normalize || x->cols == 1) continue;
    MN_TRY(mn_argsort(ctx, n, x->at + j, x->cols, order));
    double s = deviation(x, j, order, trim, n > trim ? n - trim : 0);
    if (!(s > 0)) s = deviation(x, j, order, 0, n);
    if (s > 0 && isfinite(s)) m->divisor.at[j] = s;
  }
  return MN_OK;
}

static mn_status set_coordinates(mn_context *ctx, struct loess *m)
{
  const mn_matrix *x = &m->smoother.x;
  double range = 0;
  MN_TRY(set_divisor(ctx, m));
  MN_TRY(mn_vector_init(ctx, &m->center, x->cols));
  for (size_t i = 0; i < x->rows; i++)
    for (size_t j = 0; j < x->cols; j++) m->center.at[j] += (mn_row(x, i)[j] - m->center.at[j]) / (double)(i + 1);
  for (size_t i = 0; i < x->rows; i++)
    for (size_t j = 0; j < x->cols; j++)
      range = fmax(range, fabs(mn_row(x, i)[j] - m->center.at[j]) / m->divisor.at[j]);
  m->unit = range > 0 ? exp2(floor(log2(range))) : 1;
  return MN_OK;
}

static void subtract(size_t n, const double *y, const double *fitted, double *residual)
{
  for (size_t i = 0; i < n; i++) residual[i] = y[i] - fitted[i];
}

/* Values that, smoothed without robustness weights, have about the residual variance of the robust fit. Cleveland &
 * Grosse, Statistics and Computing 1 (1991). */
static void pseudovalues(mn_context *ctx, const struct loess *m, const double *residual, double *work, double *out)
{
  const mn_smoother *s = &m->smoother;
  const size_t n = s->y.size;
  double sum = 0;
  for (size_t i = 0; i < n; i++) out[i] = residual[i] * (s->weights.size > 0 ? sqrt(s->weights.at[i]) : 1);
  const double cutoff = mn_residual_cutoff(ctx, n, out, work), scale = cutoff * cutoff / 5;
  for (size_t i = 0; i < n; i++) sum += (1 - out[i] * out[i] / scale) * sqrt(m->robustness.at[i]);
  const double factor = scale > 0 && sum > 0 ? (double)n / sum : 1;
  for (size_t i = 0; i < n; i++) out[i] = s->y.at[i] - residual[i] + factor * m->robustness.at[i] * residual[i];
}

/* Refit with robustness weights; replaces the residuals by those of the pseudovalues. work: 3n values. */
static mn_status fit_robust(mn_context *ctx, struct loess *m, double *residual, double *work)
{
  const mn_smoother *s = &m->smoother;
  const size_t n = s->y.size;
  double *combined = work + n, *pseudo = work + 2 * n;
  mn_smoother_plan plan;
  MN_TRY(mn_vector_init(ctx, &m->robustness, n));
  for (size_t i = 0; i < n; i++) m->robustness.at[i] = combined[i] = 1;
  MN_TRY(make_plan_weighted(ctx, m, combined, &plan));
  for (int64_t k = 1; k < m->iterations; k++) {
    const double cutoff = mn_residual_cutoff(ctx, n, residual, work);
    if (cutoff >= DBL_MIN) mn_bisquare_weights(n, residual, cutoff, m->robustness.at);
    combine_weights(s, m->robustness.at, combined);
    MN_TRY(mn_smoother_predict(ctx, &plan, &s->x, false, s->y.at, work));
    subtract(n, s->y.at, work, residual);
  }
  pseudovalues(ctx, m, residual, work, pseudo);
  plan.weights = s->weights.size > 0 ? s->weights.at : NULL;
  MN_TRY(mn_smoother_predict(ctx, &plan, &s->x, false, pseudo, work));
  subtract(n, pseudo, work, residual);
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct loess *m = self;
  mn_smoother *s = &m->smoother;
  mn_smoother_plan plan;
  const size_t n = data->rows;
  double *residual = MN_RAW(ctx, double, n, 1), *work = MN_RAW(ctx, double, n, 3);
  if (!residual || !work) return MN_NO_MEMORY;
  MN_TRY(mn_smoother_store(ctx, s, data));
  MN_TRY(set_coordinates(ctx, m));
  MN_TRY(make_plan(ctx, s, &plan));
  const bool robust = m->family == SYMMETRIC && m->iterations > 1;
  if (m->statistics != MN_STATISTICS_NONE)
    MN_TRY(mn_smoother_compute_statistics(ctx, s, &plan, m->statistics, false, work));
  else if (robust)
    MN_TRY(mn_smoother_predict(ctx, &plan, &s->x, false, s->y.at, work));
  else
    return MN_OK;
  subtract(n, s->y.at, work, residual);
  if (robust) MN_TRY(fit_robust(ctx, m, residual, work));
  mn_smoother_set_sigma(s, residual);
  return MN_OK;
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct loess *m = self;
  mn_smoother_plan plan;
  MN_TRY(make_plan(ctx, &m->smoother, &plan));
  return mn_smoother_predict(ctx, &plan, &data->x, false, m->smoother.y.at, out->at);
}

static mn_status intervals(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                           mn_results *results)
{
  return mn_smoother_intervals(ctx, self, make_plan, data, options, results);
}

static mn_status predict_interval(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                  mn_results *results)
{
  const mn_interval_options *o = options;
  return mn_smoother_predict_interval(ctx, self, make_plan, data, o->level, results);
}

static const mn_operation operations[] = {
  MN_SMOOTHER_OPERATIONS(intervals, predict_interval),
  { .name = NULL },
};

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)action, (void)program;
  return mn_cannot_export(ctx, self, "each prediction is a fit to the nearest training rows");
}

static const mn_param params[] = {
  MN_REAL(struct loess, span, 0.75, MN_GREATER_THAN(0),
          "fraction of the rows in each neighborhood; above 1: all rows, and the bandwidth grows with its square "
          "root"),
  MN_COUNT(struct loess, degree, MN_UNSET, MN_CLOSED(0, 3),
           "degree of the polynomials; nil: 2, or 1 for more than 4 columns"),
  MN_CHOICE(struct loess, family, GAUSSIAN, families,
            "gaussian: least squares; symmetric: robust, by bisquare weights"),
  MN_COUNT(struct loess, iterations, 4, MN_CLOSED(1, 1000), "number of fits for the family symmetric"),
  MN_FLAG(struct loess, normalize, true, "with several columns: divide each by its standard deviation, trimmed by 10%"),
  MN_SMOOTHER_STATISTICS_PARAM(struct loess),
  MN_END,
};

static const mn_field fields[] = {
  MN_SMOOTHER_FIELDS(struct loess),
  MN_LEARNED(MN_KIND_VECTOR, struct loess, center, "features", NULL),
  MN_VECTOR(struct loess, divisor, "features", "divisor of each column"),
  MN_VECTOR(struct loess, robustness, "rows?", "robustness weights of the family symmetric"),
  MN_LEARNED(MN_KIND_REAL, struct loess, unit, "", NULL),
  MN_END,
};

const mn_class mn_loess = {
  .name = "Loess",
  .family = "smoothing",
  .brief = "Local polynomial regression over the nearest rows (R's loess).",
  .objective = "minimize sum_i w_i tricube(|x_i - q| / h(q)) (y_i - p(x_i))^2 at each point q",
  .source = "Cleveland & Devlin, JASA 83 (1988)",
  .notes =
      "Results are those of R's loess with surface = 'direct' and statistics = 'exact'; by default R interpolates. "
      "Extrapolation, degree 3 and more than 4 columns are supported. A neighborhood has at least as many rows as "
      "the polynomial has terms. Terms that its rows do not determine are dropped, where R uses a pseudoinverse. "
      "Sample weights are inverse variances. Time is O(rows * neighbors), or O(rows^3) with exact statistics.",
  .example = "local model = ml.Loess{ degree = 1 }:fit({ {0}, {1}, {2}, {3}, {4}, {5} }, { 0, 1, 4, 9, 16, 25 })\n"
             "print(model:predict{ {2.5} })",
  .capabilities = MN_REGRESS | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_WEIGHTS_SCALE,
  .size = sizeof(struct loess),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  .predict = predict,
  .export = export,
};
