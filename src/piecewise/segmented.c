#include "segmented.h"
#include "../model/columns.h"
#include "../factorization/lapack.h"
#include "../stats/argsort.h"
#include "../linalg/ordered.h"
#include <string.h>

static const char name[] = "SegmentedRegression";
static const char *const segment_kinds[] = { "joined", "lines", "levels", NULL };

static void find_scales(const mn_data *d, size_t column, mn_segmented_problem *s)
{
  const size_t p = d->features;
  for (size_t c = 0; c < p + 1; c++) {
    const double *value = c < p ? d->x.at + c : d->y.at;
    const size_t step = c < p ? p : 1, to = c == p ? p : c < column ? c : c > column ? c - 1 : p - 1;
    double mean = 0, total = 0, low = INFINITY, high = -INFINITY, sum = 0;
    for (size_t i = 0; i < d->rows; i++) {
      total += mn_weight(d, i);
      mean += mn_weight(d, i) / total * (value[i * step] - mean);
      low = fmin(low, value[i * step]);
      high = fmax(high, value[i * step]);
    }
    const double max_deviation = fmax(high - mean, mean - low);
    for (size_t i = 0; max_deviation > 0 && i < d->rows; i++)
      sum += mn_weight(d, i) * ((value[i * step] - mean) / max_deviation) * ((value[i * step] - mean) / max_deviation);
    const double scale = c == column ? high - low : max_deviation * sqrt(sum / total);
    s->center[to] = c == column ? low : mean;
    s->scale[to] = scale > 0 && isfinite(scale) ? scale : 1;
    s->total = total;
  }
}

static mn_status allocate(mn_context *ctx, size_t max_breakpoints, mn_segmented_problem *s)
{
  const size_t n = s->n;
  s->max_width = mn_segmented_width(s, max_breakpoints, s->joined);
  s->z = MN_RAW(ctx, double, n, 1);
  s->y = MN_RAW(ctx, double, n, 1);
  s->x = MN_RAW(ctx, double, n, s->others);
  s->order = MN_RAW(ctx, size_t, n, 1);
  s->sorted = MN_RAW(ctx, double, n, 1);
  s->weight_before = MN_RAW(ctx, double, n + 1, 1);
  s->center = MN_RAW(ctx, double, s->others + 2, 1);
  s->scale = MN_RAW(ctx, double, s->others + 2, 1);
  s->design = MN_RAW(ctx, double, n, s->max_width);
  s->gram = MN_RAW(ctx, double, s->max_width + 1, s->max_width + 1);
  s->fixed_gram = MN_RAW(ctx, double, s->others + 3, s->others + 3);
  const bool allocated = s->gram && s->z && s->y && s->x && s->order && s->sorted && s->weight_before && s->center &&
                         s->scale && s->design && s->fixed_gram;
  return allocated ? MN_OK : MN_NO_MEMORY;
}

static mn_status prepare(mn_context *ctx, const mn_segmented *m, const mn_data *data, size_t max_breakpoints,
                         mn_segmented_problem *s)
{
  const size_t n = data->rows, p = data->features, column = (size_t)m->segmented;
  *s = (mn_segmented_problem){ .data = data, .n = n, .others = p - 1 };
  s->joined = m->segments == MN_SEGMENTS_JOINED;
  s->line = m->segments != MN_SEGMENTS_LEVELS;
  s->min_distinct = s->line ? 2 : 1;
  MN_TRY(allocate(ctx, max_breakpoints, s));
  find_scales(data, column, s);
  s->observations = (mn_observations){ .type = m->weights_type, .total = s->total };
  mn_count_observations(data, &s->observations.rows, &s->observations.log_sum);
  s->min_weight = m->min_segment * s->total * (1 - 1e-12);
  for (size_t i = 0; i < n; i++) {
    const double *row = mn_row(&data->x, i);
    for (size_t j = 0, to = 0; j < p; j++)
      if (j != column) {
        s->x[i * s->others + to] = (row[j] - s->center[to]) / s->scale[to];
        to++;
      }
    s->z[i] = (row[column] - s->center[p - 1]) / s->scale[p - 1];
    s->y[i] = (data->y.at[i] - s->center[p]) / s->scale[p];
  }
  MN_TRY(mn_argsort(ctx, n, s->z, 1, s->order));
  s->weight_before[0] = 0;
  for (size_t i = 0; i < n; i++) {
    s->sorted[i] = s->z[s->order[i]];
    s->weight_before[i + 1] = s->weight_before[i] + mn_weight(data, s->order[i]);
  }
  if (s->joined) mn_segmented_precompute(s);
  return MN_OK;
}

/* BIC with normal errors. The variance is bounded below, where differences are rounding error. */
static double compute_bic(const mn_segmented_problem *s, const mn_segmented_solution *b)
{
  const double pi = 3.14159265358979323846, parameters = (double)(b->rank + b->m + 1);
  const double y_scale = s->scale[s->others + 1], n = mn_observation_count(&s->observations);
  const double variance = fmax(b->rss / s->total, 1e-24) * (s->total / n) * y_scale * y_scale;
  const double log_weights = mn_is_frequency(&s->observations) ? 0 : s->observations.log_sum;
  return n * (log(2 * pi * variance) + 1) - log_weights + log(n) * parameters;
}

/* Try 0, 1, ... breakpoints and keep the solution with minimum BIC, or the last one if their number is fixed. */
static mn_status choose_breakpoints(mn_context *ctx, mn_segmented *m, const mn_segmented_problem *s,
                                    size_t max_breakpoints, bool fixed, mn_segmented_solution *best)
{
  mn_segmented_solution b;
  double *path = MN_RAW(ctx, double, max_breakpoints + 1, 1);
  size_t tried = 0;
  bool found = true;
  MN_CHECK_ALLOC(path);
  MN_TRY(mn_segmented_solution_init(ctx, s, &b, max_breakpoints));
  MN_TRY(mn_segmented_solve(ctx, s, false, &b));
  for (size_t k = 0; k <= max_breakpoints; k++) {
    if (k > 0)
      MN_TRY(s->joined ? mn_segmented_add_breakpoint(ctx, s, &b, &found)
                       : mn_segmented_partition(ctx, s, k, &b, &found));
    if (!found) break;
    path[k] = compute_bic(s, &b);
    tried = k + 1;
    if (fixed ? k == max_breakpoints : k == 0 || path[k] < path[best->m]) mn_segmented_solution_copy(s, &b, best);
  }
  if (fixed && tried <= max_breakpoints)
    return mn_fail(
        ctx, MN_BAD_DATA,
        "%s: column %lld has too few distinct values for %zu breakpoints with min_segment = %g; decrease n_breakpoints or min_segment",
        name, (long long)m->segmented + 1, max_breakpoints, m->min_segment);
  MN_TRY(mn_vector_init(ctx, &m->bic_path, tried));
  memcpy(m->bic_path.at, path, tried * sizeof *path);
  return MN_OK;
}

/* Slope and intercept of each segment, and the coefficients of the other columns. */
static mn_status store_lines(mn_context *ctx, mn_segmented *m, const mn_segmented_problem *s,
                             const mn_segmented_solution *b)
{
  const size_t o = s->others, width = s->line ? 2 : 1, first = s->joined ? 2 : (b->m + 1) * width;
  const double y_scale = s->scale[o + 1], range = s->scale[o];
  double offset = s->center[o + 1], slope = 0, level = 0;
  MN_TRY(mn_vector_init(ctx, &m->coef, o + 1));
  MN_TRY(mn_vector_init(ctx, &m->slope, b->m + 1));
  MN_TRY(mn_vector_init(ctx, &m->intercept, b->m + 1));
  for (size_t j = 0; j < o; j++) {
    const double coef = y_scale * b->coef[first + j] / s->scale[j];
    m->coef.at[j < (size_t)m->segmented ? j : j + 1] = coef;
    offset -= coef * s->center[j];
  }
  for (size_t k = 0; k <= b->m; k++) {
    if (!s->joined) {
      level = b->coef[k * width];
      slope = s->line ? b->coef[k * width + 1] : 0;
    } else if (k == 0) {
      level = b->coef[0];
      slope = b->coef[1];
    } else {
      slope += b->coef[2 + o + k - 1];
      level -= b->coef[2 + o + k - 1] * b->psi[k - 1];
    }
    m->slope.at[k] = y_scale * slope / range;
    m->intercept.at[k] = offset + y_scale * level - m->slope.at[k] * s->center[o];
  }
  return MN_OK;
}

/* For separate segments a breakpoint is the last z before the break, exactly. */
static mn_status store_breakpoints(mn_context *ctx, mn_segmented *m, const mn_segmented_problem *s,
                                   const mn_segmented_solution *b)
{
  if (b->m == 0) return MN_OK;
  MN_TRY(mn_vector_init(ctx, &m->breakpoints, b->m));
  for (size_t k = 0; k < b->m; k++) {
    const size_t row = s->order[mn_segmented_count_rows(s, b->psi[k]) - 1];
    m->breakpoints.at[k] =
        s->joined ? s->center[s->others] + s->scale[s->others] * b->psi[k] : mn_row(&s->data->x, row)[m->segmented];
  }
  return MN_OK;
}

/* Covariance of the coefficients and breakpoints divided by the noise variance, q x q; NULL if the columns are
 * collinear. */
static mn_status covariance(mn_context *ctx, const mn_segmented_problem *s, const mn_segmented_solution *b, size_t q,
                            double **inverse)
{
  double *r = MN_RAW(ctx, double, q, q), *l = MN_NEW(ctx, double, q, q), *qty = MN_RAW(ctx, double, q, 1);
  double *coef = MN_RAW(ctx, double, q, 1);
  mn_rank rank = { 0 };
  if (!r || !l || !qty || !coef) return MN_NO_MEMORY;
  mn_segmented_design(s, b->psi, b->m, s->joined);
  const mn_rows rows = { .n = s->n, .p = q, .m = 1, .x = s->design, .y = s->y, .weights = s->data->weights };
  MN_TRY(mn_tall_qr(ctx, &rows, r, qty, NULL));
  MN_TRY(mn_solve_r(ctx, q, 1, r, qty, 0, coef, NULL, &rank));
  *inverse = NULL;
  if (rank.rank < q) return MN_OK;
  for (size_t i = 0; i < q; i++)
    for (size_t j = 0; j <= i; j++) l[i * q + j] = r[j * q + i];
  MN_TRY(mn_chol_inverse(ctx, q, l));
  *inverse = l;
  return MN_OK;
}

/* Standard errors: of slopes as sums of coefficients, of breakpoints by the delta method from their derivative columns
 * (Muggeo 2003, section 3). */
static mn_status store_errors(mn_context *ctx, mn_segmented *m, const mn_segmented_problem *s,
                              const mn_segmented_solution *b)
{
  const size_t q = mn_segmented_width(s, b->m, s->joined), first = 2 + s->others;
  const double sigma = sqrt(b->rss / m->df), range = s->scale[s->others];
  double *c;
  MN_TRY(mn_vector_init(ctx, &m->slope_se, b->m + 1));
  if (b->m > 0) MN_TRY(mn_vector_init(ctx, &m->breakpoint_se, b->m));
  MN_TRY(covariance(ctx, s, b, q, &c));
  const bool available = c && m->df > 0;
  for (size_t k = 0; k <= b->m; k++) {
    double sum = 0;
    const size_t slope_column = s->line ? 2 * k + 1 : 0;
    for (size_t i = 0; available && s->joined && i <= k; i++)
      for (size_t j = 0; j <= k; j++) sum += c[(i ? first + i - 1 : 1) * q + (j ? first + j - 1 : 1)];
    if (available && !s->joined && s->line) sum = c[slope_column * q + slope_column];
    m->slope_se.at[k] = available ? sigma * sqrt(sum) * s->scale[s->others + 1] / range : (double)NAN;
  }
  for (size_t k = 0; k < b->m; k++) {
    const size_t move = first + b->m + k;
    m->breakpoint_se.at[k] =
        available && s->joined ? range * sigma * sqrt(c[move * q + move]) / fabs(b->coef[first + k]) : (double)NAN;
  }
  return MN_OK;
}

static mn_status store_model(mn_context *ctx, mn_segmented *m, const mn_segmented_problem *s,
                             const mn_segmented_solution *b)
{
  const double y_scale = s->scale[s->others + 1], n = mn_observation_count(&s->observations);
  m->n = s->total;
  m->rows = s->observations.rows;
  m->log_weights = s->observations.log_sum;
  m->df = n - (double)(b->rank + b->m);
  m->rss = b->rss * y_scale * y_scale;
  m->tss = 0;
  for (size_t i = 0; i < s->n; i++) m->tss += mn_weight(s->data, i) * s->y[i] * s->y[i];
  m->tss *= y_scale * y_scale;
  m->bic = compute_bic(s, b);
  m->loglik = (log(n) * (double)(b->rank + b->m + 1) - m->bic) / 2;
  MN_TRY(store_breakpoints(ctx, m, s, b));
  MN_TRY(store_lines(ctx, m, s, b));
  return store_errors(ctx, m, s, b);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_segmented *m = self;
  const bool fixed = m->n_breakpoints != MN_UNSET;
  size_t column;
  MN_TRY(mn_find_column(ctx, &m->base, "column", &m->column, &column));
  m->segmented = (int64_t)column;
  if (fixed && (uint64_t)m->n_breakpoints >= data->rows)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: n_breakpoints must be less than the number of rows, %zu, got %lld", name,
                   data->rows, (long long)m->n_breakpoints);
  size_t max_breakpoints = (size_t)(fixed ? m->n_breakpoints : m->max_breakpoints);
  if (max_breakpoints >= data->rows) max_breakpoints = data->rows - 1;
  mn_segmented_problem s;
  mn_segmented_solution best;
  MN_TRY(prepare(ctx, m, data, max_breakpoints, &s));
  MN_TRY(mn_segmented_solution_init(ctx, &s, &best, max_breakpoints));
  MN_TRY(choose_breakpoints(ctx, m, &s, max_breakpoints, fixed, &best));
  return store_model(ctx, m, &s, &best);
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_segmented *m = self;
  for (size_t i = 0; i < data->rows; i++) {
    const double *row = mn_row(&data->x, i), z = row[m->segmented];
    size_t segment = 0;
    while (segment < m->breakpoints.size && m->breakpoints.at[segment] < z) segment++;
    const double line = m->intercept.at[segment] + m->slope.at[segment] * z;
    out->at[i] = line + mn_ordered_dot(data->features, row, m->coef.at);
  }
  return mn_poll(ctx);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)ctx;
  const mn_segmented *m = self;
  if (action != MN_PREDICT) return MN_OK;
  mn_program_reals(program, "coef", m->coef.size, m->coef.at);
  mn_program_reals(program, "intercept", m->intercept.size, m->intercept.at);
  mn_program_reals(program, "slope", m->slope.size, m->slope.at);
  mn_program_count(program, "column", (size_t)m->segmented);
  mn_program_code(program, "int s = 0");
  if (m->breakpoints.size > 0) {
    mn_program_reals(program, "breakpoint", m->breakpoints.size, m->breakpoints.at);
    mn_program_count(program, "breaks", m->breakpoints.size);
    mn_program_code(program, "s = count_below(breakpoint, 0, breaks, x[column])");
  }
  mn_program_code(program, "real line = intercept[s] + slope[s] * x[column]"
                           " out[0] = line + dot(features, x, 0, coef, 0)");
  return MN_OK;
}

static mn_status check(mn_context *ctx, const void *self)
{
  const mn_segmented *m = self;
  bool valid = m->slope.size == m->breakpoints.size + 1 && m->breakpoint_se.size == m->breakpoints.size &&
               m->segmented >= 0 && (uint64_t)m->segmented < m->base.n_features;
  for (size_t k = 1; valid && k < m->breakpoints.size; k++) valid = m->breakpoints.at[k - 1] < m->breakpoints.at[k];
  return valid ? MN_OK
               : mn_fail(ctx, MN_BAD_FILE, "%s: breakpoints must be ascending and one fewer than the segments", name);
}

static const mn_param params[] = {
  MN_COLUMN(mn_segmented, column, 1, "number or name of the segmented column; the other columns enter linearly"),
  MN_COUNT(mn_segmented, n_breakpoints, MN_UNSET, MN_AT_LEAST(0), "number of breakpoints; nil: chosen by BIC"),
  MN_COUNT(mn_segmented, max_breakpoints, 3, MN_CLOSED(0, 1000),
           "maximum number of breakpoints tried if n_breakpoints is nil"),
  MN_CHOICE(
      mn_segmented, segments, MN_SEGMENTS_JOINED, segment_kinds,
      "joined: lines that meet at the breakpoints; lines: a separate line in each segment; levels: a separate constant in each segment"),
  MN_REAL(mn_segmented, min_segment, 0.05, MN_OPEN(0, 1), "minimum share of the rows in each segment"),
  MN_WEIGHTS_TYPE_PARAM(mn_segmented, "It matters for the BIC that chooses breakpoints, too"),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(mn_segmented, breakpoints, "breaks?", "breakpoints, ascending"),
  MN_VECTOR(mn_segmented, breakpoint_se, "breaks?",
            "standard errors of the breakpoints; nan unless segments is joined"),
  MN_VECTOR(mn_segmented, slope, "segments", "slope in each segment"),
  MN_VECTOR(mn_segmented, slope_se, "segments", "standard errors of the slopes"),
  MN_VECTOR(mn_segmented, intercept, "segments", "intercept of each segment"),
  MN_VECTOR(mn_segmented, coef, "features", "coefficients of the other columns; 0 for the segmented column"),
  MN_VECTOR(mn_segmented, bic_path, "tried", "BIC with 0, 1, ... breakpoints"),
  MN_LEARNED(MN_KIND_COUNT, mn_segmented, segmented, "", NULL),
  MN_NUMBER(mn_segmented, n, "sum of the sample weights; the number of rows if there are none"),
  MN_OPTIONAL_NUMBER(mn_segmented, rows, NULL),
  MN_OPTIONAL_NUMBER(mn_segmented, log_weights, NULL),
  MN_NUMBER(mn_segmented, df, "residual degrees of freedom: number of observations minus coefficients and breakpoints"),
  MN_NUMBER(mn_segmented, rss, "residual sum of squares"),
  MN_NUMBER(mn_segmented, tss, "total sum of squares of y about its mean"),
  MN_NUMBER(mn_segmented, loglik, "log likelihood with normal errors"),
  MN_NUMBER(mn_segmented, bic,
            "log(observations) times the number of parameters (coefficients, breakpoints and variance) - 2 loglik"),
  MN_END,
};

const mn_class mn_segmented_regression = {
  .name = "SegmentedRegression",
  .family = "linear",
  .brief = "Piecewise linear or constant regression with estimated breakpoints.",
  .objective = "sum_i w_i (y_i - x_i b - a_s - d_s z_i)^2, s being the number of breakpoints below z_i",
  .source = "Muggeo, Statistics in Medicine 22 (2003); Bai & Perron, J. Applied Econometrics 18 (2003)",
  .notes =
      "Joined lines: grid search for starting points, then the iteration of R's segmented, repeated for each breakpoint given the others; deterministic. "
      "The standard error of a breakpoint is unreliable if the slope hardly changes there. "
      "Lines and levels: exact minimum by dynamic programming, as in strucchange, in time quadratic in the rows; coefficients of the other columns and breakpoints are updated in turn. "
      "Their slopes have standard errors for known breakpoints.",
  .example = "local X, y = {}, {}\n"
             "for i = 1, 30 do X[i], y[i] = { i }, math.abs(i - 12) + (i % 3) / 10 end\n"
             "print(ml.SegmentedRegression{ n_breakpoints = 1 }:fit(X, y):summary())",
  .capabilities = MN_REGRESS,
  .accepts = MN_WEIGHTS,
  .size = sizeof(mn_segmented),
  .params = params,
  .fields = fields,
  .operations = mn_segmented_operations,
  .fit = fit,
  .predict = predict,
  .export = export,
  .check = check,
};
