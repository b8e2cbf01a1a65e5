#include "segmented.h"
#include "../linalg/lapack.h"
#include "../stats/argsort.h"
#include "../linalg/ordered.h"
#include <string.h>

static const char name[] = "SegmentedRegression";
static const char *const kinds[] = { "joined", "lines", "levels", NULL };

/* --- the data --- */

static void find_scales(const mn_data *d, size_t column, mn_segments *s)
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
    const double reach = fmax(high - mean, mean - low);
    for (size_t i = 0; reach > 0 && i < d->rows; i++)
      sum += mn_weight(d, i) * ((value[i * step] - mean) / reach) * ((value[i * step] - mean) / reach);
    const double scale = c == column ? high - low : reach * sqrt(sum / total);
    s->center[to] = c == column ? low : mean;
    s->scale[to] = scale > 0 && isfinite(scale) ? scale : 1;
    s->total = total;
  }
}

static mn_status take_memory(mn_context *ctx, size_t most, mn_segments *s)
{
  const size_t n = s->n;
  s->widest = mn_segments_width(s, most, s->joined);
  s->z = MN_RAW(ctx, double, n, 1);
  s->y = MN_RAW(ctx, double, n, 1);
  s->x = MN_RAW(ctx, double, n, s->others);
  s->order = MN_RAW(ctx, size_t, n, 1);
  s->sorted = MN_RAW(ctx, double, n, 1);
  s->before = MN_RAW(ctx, double, n + 1, 1);
  s->center = MN_RAW(ctx, double, s->others + 2, 1);
  s->scale = MN_RAW(ctx, double, s->others + 2, 1);
  s->design = MN_RAW(ctx, double, n, s->widest);
  s->gram = MN_RAW(ctx, double, s->widest + 1, s->widest + 1);
  s->fixed = MN_RAW(ctx, double, s->others + 3, s->others + 3);
  const bool all =
      s->gram && s->z && s->y && s->x && s->order && s->sorted && s->before && s->center && s->scale && s->design;
  return all ? MN_OK : MN_NO_MEMORY;
}

static mn_status prepare(mn_context *ctx, const mn_segmented *m, const mn_data *data, size_t most, mn_segments *s)
{
  const size_t n = data->rows, p = data->features, column = (size_t)m->column - 1;
  *s = (mn_segments){ .data = data, .n = n, .others = p - 1 };
  s->joined = m->segments == MN_JOINED;
  s->line = m->segments != MN_LEVELS;
  s->distinct = s->line ? 2 : 1;
  MN_TRY(take_memory(ctx, most, s));
  find_scales(data, column, s);
  s->least = m->min_segment * s->total * (1 - 1e-12);
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
  s->before[0] = 0;
  for (size_t i = 0; i < n; i++) {
    s->sorted[i] = s->z[s->order[i]];
    s->before[i + 1] = s->before[i] + mn_weight(data, s->order[i]);
  }
  if (s->joined) mn_segments_fix(s);
  return MN_OK;
}

/* --- how many --- */

/* Of normal errors, up to what all numbers of breakpoints share; below rounding no fit is better than another. */
static double bic_of(const mn_segments *s, const mn_broken *b)
{
  const double pi = 3.14159265358979323846, parameters = (double)(b->rank + b->m + 1);
  const double variance = fmax(b->rss / s->total, 1e-24) * s->scale[s->others + 1] * s->scale[s->others + 1];
  return s->total * (log(2 * pi * variance) + 1) + log(s->total) * parameters;
}

/* From no breakpoint up, as far as asked for; the best by BIC, or with a given number that one. */
static mn_status choose(mn_context *ctx, mn_segmented *m, const mn_segments *s, size_t most, bool fixed,
                        mn_broken *best)
{
  mn_broken b;
  double *path = MN_RAW(ctx, double, most + 1, 1);
  size_t tried = 0;
  bool found = true;
  MN_CHECK_ALLOC(path);
  MN_TRY(mn_broken_make(ctx, s, &b, most));
  MN_TRY(mn_segments_solve(ctx, s, false, &b));
  for (size_t k = 0; k <= most; k++) {
    if (k > 0) MN_TRY(s->joined ? mn_segments_add(ctx, s, &b, &found) : mn_segments_part(ctx, s, k, &b, &found));
    if (!found) break;
    path[k] = bic_of(s, &b);
    tried = k + 1;
    if (fixed ? k == most : k == 0 || path[k] < path[best->m]) mn_broken_copy(s, &b, best);
  }
  if (fixed && tried <= most)
    return mn_fail(ctx, MN_BAD_DATA,
                   "%s: column %lld has too few different values for %zu breakpoints with min_segment = %g in each "
                   "segment",
                   name, (long long)m->column, most, m->min_segment);
  MN_TRY(mn_vector_init(ctx, &m->bic_path, tried));
  memcpy(m->bic_path.at, path, tried * sizeof *path);
  return MN_OK;
}

/* --- what is learned, in the units of the data --- */

/* Slope and constant of each segment, and the weights of the other columns. */
static mn_status keep_lines(mn_context *ctx, mn_segmented *m, const mn_segments *s, const mn_broken *b)
{
  const size_t o = s->others, own = s->line ? 2 : 1, first = s->joined ? 2 : (b->m + 1) * own;
  const double unit = s->scale[o + 1], range = s->scale[o];
  double shift = s->center[o + 1], slope = 0, level = 0;
  MN_TRY(mn_vector_init(ctx, &m->coef, o + 1));
  MN_TRY(mn_vector_init(ctx, &m->slope, b->m + 1));
  MN_TRY(mn_vector_init(ctx, &m->intercept, b->m + 1));
  for (size_t j = 0; j < o; j++) {
    const double weight = unit * b->coef[first + j] / s->scale[j];
    m->coef.at[j < (size_t)m->segmented ? j : j + 1] = weight;
    shift -= weight * s->center[j];
  }
  for (size_t k = 0; k <= b->m; k++) {
    if (!s->joined) {
      level = b->coef[k * own];
      slope = s->line ? b->coef[k * own + 1] : 0;
    } else if (k == 0) {
      level = b->coef[0];
      slope = b->coef[1];
    } else {
      slope += b->coef[2 + o + k - 1];
      level -= b->coef[2 + o + k - 1] * b->psi[k - 1];
    }
    m->slope.at[k] = unit * slope / range;
    m->intercept.at[k] = shift + unit * level - m->slope.at[k] * s->center[o];
  }
  return MN_OK;
}

/* Where segments need not meet, a breakpoint is the last z before it, to the bit. */
static mn_status keep_breakpoints(mn_context *ctx, mn_segmented *m, const mn_segments *s, const mn_broken *b)
{
  if (b->m == 0) return MN_OK;
  MN_TRY(mn_vector_init(ctx, &m->breakpoints, b->m));
  for (size_t k = 0; k < b->m; k++) {
    const size_t row = s->order[mn_segments_rows_to(s, b->psi[k]) - 1];
    m->breakpoints.at[k] =
        s->joined ? s->center[s->others] + s->scale[s->others] * b->psi[k] : mn_row(&s->data->x, row)[m->segmented];
  }
  return MN_OK;
}

/* The covariance of the coefficients by the variance, q x q, moves of the breakpoints among them; NULL when the columns
 * determine each other. */
static mn_status covariance(mn_context *ctx, const mn_segments *s, const mn_broken *b, size_t q, double **inverse)
{
  double *r = MN_RAW(ctx, double, q, q), *l = MN_NEW(ctx, double, q, q), *qty = MN_RAW(ctx, double, q, 1);
  double *coef = MN_RAW(ctx, double, q, 1);
  mn_rank rank = { 0 };
  if (!r || !l || !qty || !coef) return MN_NO_MEMORY;
  mn_segments_design(s, b->psi, b->m, s->joined);
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

/* Standard errors: of slopes as sums of coefficients, of breakpoints by the linear term that moves them (Muggeo 2003,
 * section 3). */
static mn_status keep_errors(mn_context *ctx, mn_segmented *m, const mn_segments *s, const mn_broken *b)
{
  const size_t q = mn_segments_width(s, b->m, s->joined), first = 2 + s->others;
  const double sigma = sqrt(b->rss / m->df), range = s->scale[s->others];
  double *c;
  MN_TRY(mn_vector_init(ctx, &m->slope_se, b->m + 1));
  if (b->m > 0) MN_TRY(mn_vector_init(ctx, &m->breakpoint_se, b->m));
  MN_TRY(covariance(ctx, s, b, q, &c));
  const bool known = c && m->df > 0;
  for (size_t k = 0; k <= b->m; k++) {
    double sum = 0;
    const size_t own = s->line ? 2 * k + 1 : 0;
    for (size_t i = 0; known && s->joined && i <= k; i++)
      for (size_t j = 0; j <= k; j++) sum += c[(i ? first + i - 1 : 1) * q + (j ? first + j - 1 : 1)];
    if (known && !s->joined && s->line) sum = c[own * q + own];
    m->slope_se.at[k] = known ? sigma * sqrt(sum) * s->scale[s->others + 1] / range : (double)NAN;
  }
  for (size_t k = 0; k < b->m; k++) {
    const size_t move = first + b->m + k;
    m->breakpoint_se.at[k] =
        known && s->joined ? range * sigma * sqrt(c[move * q + move]) / fabs(b->coef[first + k]) : (double)NAN;
  }
  return MN_OK;
}

static mn_status learn(mn_context *ctx, mn_segmented *m, const mn_segments *s, const mn_broken *b)
{
  const double unit = s->scale[s->others + 1];
  m->segmented = m->column - 1;
  m->n = s->total;
  m->df = s->total - (double)(b->rank + b->m);
  m->rss = b->rss * unit * unit;
  m->tss = 0;
  for (size_t i = 0; i < s->n; i++) m->tss += mn_weight(s->data, i) * s->y[i] * s->y[i];
  m->tss *= unit * unit;
  m->bic = bic_of(s, b);
  m->loglik = (log(s->total) * (double)(b->rank + b->m + 1) - m->bic) / 2;
  MN_TRY(keep_breakpoints(ctx, m, s, b));
  MN_TRY(keep_lines(ctx, m, s, b));
  return keep_errors(ctx, m, s, b);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_segmented *m = self;
  const bool fixed = m->n_breakpoints != MN_UNSET;
  if ((uint64_t)m->column > data->features)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: column must be at most the number of columns, %zu, got %lld", name,
                   data->features, (long long)m->column);
  if (fixed && (uint64_t)m->n_breakpoints >= data->rows)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: n_breakpoints must be less than the number of rows, %zu, got %lld", name,
                   data->rows, (long long)m->n_breakpoints);
  size_t most = (size_t)(fixed ? m->n_breakpoints : m->max_breakpoints);
  if (most >= data->rows) most = data->rows - 1;
  mn_segments s;
  mn_broken best;
  MN_TRY(prepare(ctx, m, data, most, &s));
  MN_TRY(mn_broken_make(ctx, &s, &best, most));
  MN_TRY(choose(ctx, m, &s, most, fixed, &best));
  return learn(ctx, m, &s, &best);
}

/* --- use --- */

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
  bool fits = m->slope.size == m->breakpoints.size + 1 && m->breakpoint_se.size == m->breakpoints.size &&
              m->segmented >= 0 && (uint64_t)m->segmented < m->base.n_features;
  for (size_t k = 1; fits && k < m->breakpoints.size; k++) fits = m->breakpoints.at[k - 1] < m->breakpoints.at[k];
  return fits ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "%s: breakpoints and segments do not fit together", name);
}

static const mn_param params[] = {
  MN_COUNT(mn_segmented, column, 1, MN_AT_LEAST(1), "the column that is broken; the others are linear"),
  MN_COUNT(mn_segmented, n_breakpoints, MN_UNSET, MN_AT_LEAST(0), "how many; nil: chosen by BIC"),
  MN_COUNT(mn_segmented, max_breakpoints, 3, MN_CLOSED(0, 1000), "most that BIC may choose"),
  MN_CHOICE(
      mn_segmented, segments, MN_JOINED, kinds,
      "joined: lines that meet at the breakpoints; lines, levels: a line, or a level, of its own in each segment"),
  MN_REAL(mn_segmented, min_segment, 0.05, MN_OPEN(0, 1), "least share of the rows in a segment"),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(mn_segmented, breakpoints, "breaks?", "where the column is broken, ascending"),
  MN_VECTOR(mn_segmented, breakpoint_se, "breaks?", "their standard errors; nan unless joined"),
  MN_VECTOR(mn_segmented, slope, "segments", "of y along the column in each segment"),
  MN_VECTOR(mn_segmented, slope_se, "segments", "standard errors of the slopes"),
  MN_VECTOR(mn_segmented, intercept, "segments", "constant term of each segment"),
  MN_VECTOR(mn_segmented, coef, "features", "weights of the other columns; 0 for the one that is broken"),
  MN_VECTOR(mn_segmented, bic_path, "tried", "BIC of 0, 1, ... breakpoints"),
  MN_LEARNED(MN_KIND_COUNT, mn_segmented, segmented, "", NULL),
  MN_NUMBER(mn_segmented, n, "sum of the weights: the number of rows when there are none"),
  MN_NUMBER(mn_segmented, df, "n less all coefficients and breakpoints"),
  MN_NUMBER(mn_segmented, rss, "sum of squared residuals"),
  MN_NUMBER(mn_segmented, tss, "sum of squares of y about its mean"),
  MN_NUMBER(mn_segmented, loglik, "log likelihood of normal errors"),
  MN_NUMBER(mn_segmented, bic, "log(n) times all parameters, breakpoints and variance among them, - 2 loglik"),
  MN_END,
};

const mn_class mn_segmented_regression = {
  .name = "SegmentedRegression",
  .family = "linear",
  .brief = "A column whose line breaks at places that are estimated, or jumps there.",
  .objective = "sum_i w_i (y_i - x_i b - a_s - d_s z_i)^2, s counting the breakpoints below z_i",
  .source = "Muggeo, Statistics in Medicine 22 (2003); Bai & Perron, J. Applied Econometrics 18 (2003)",
  .notes =
      "Joined: from the best places of a grid, and again from each breakpoint's best place given the others, by "
      "the steps of R's segmented, which agree on breakpoints, slopes and standard errors; no random restarts, so no "
      "seed. A breakpoint's standard error tells nothing where the slope hardly changes. Lines and levels: the "
      "exact minimum by dynamic programming, in time that grows with the square of the rows, as strucchange has it; "
      "the other columns and the breakpoints take turns, a breakpoint is the last z before it, and slopes have the "
      "errors of known breakpoints.",
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
