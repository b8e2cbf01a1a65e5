/* Theil-Sen regression with several columns: least squares of many small subsets of the rows, and the spatial median
 * of all these coefficients,
 *
 *     b = argmin_b sum_s |b_s - b|,      b_s = argmin_b sum_{i in s} (y_i - x_i b)^2,
 *
 * where b includes the intercept. For one column without an intercept it is the median of the slopes y / x.
 *
 * Dang, Peng, Wang & Zhang, Theil-Sen estimators in a multiple linear regression model (2008); Vardi & Zhang, PNAS 97
 * (2000), equations 2.5 and 2.6, for the median. */
#include "../core/rng.h"
#include "../core/threads.h"
#include "../factorization/lapack.h"
#include "../stats/quantile.h"
#include "../linear/linear.h"
#include "../linear/coef_summary.h"
#include <string.h>

struct theil_sen {
  mn_linear linear;
  int64_t n_subsamples, max_subpopulation, max_iter, seed; /* parameters; n_subsamples may be unset */
  double tol;
  bool fit_intercept;
  double breakdown; /* learned */
  int64_t n_subpopulation;
};

enum { BLOCK_STEPS = 1 << 20 };

struct subsets {
  const mn_data *data;
  size_t rows, size, dims; /* rows of the data; of a subset; coefficients, intercept first */
  bool has_intercept;
  const size_t *column; /* dims - has_intercept: independent columns */
  size_t count;
  size_t *row; /* count x size */
};

/* Columns that are linearly independent of those before them. */
static mn_status find_independent_columns(mn_context *ctx, const mn_data *data, bool has_intercept, size_t *column,
                                          size_t *count)
{
  const size_t p = data->features;
  double *mean = MN_NEW(ctx, double, p + 1, 1), *coef = MN_RAW(ctx, double, p, 1);
  mn_rank found = { .pivot = MN_RAW(ctx, int32_t, p, 1) };
  bool *is_kept = MN_NEW(ctx, bool, p, 1);
  if (!mean || !coef || !found.pivot || !is_kept) return MN_NO_MEMORY;
  if (has_intercept) MN_TRY(mn_linear_means(ctx, data, mean, NULL));
  const mn_rows rows = { .n = data->rows, .p = p, .m = 1, .x = data->x.at, .y = data->y.at, .x_center = mean };
  MN_TRY(mn_least_squares(ctx, &rows, 0, coef, NULL, &found));
  for (size_t k = 0; k < found.rank; k++) is_kept[found.pivot[k]] = true;
  *count = 0;
  for (size_t j = 0; j < p; j++)
    if (is_kept[j]) column[(*count)++] = j;
  return MN_OK;
}

/* Number of subsets; exact only up to `limit`. */
static double count_subsets(size_t n, size_t k, double limit)
{
  double count = 1;
  for (size_t i = 1; i <= k && count <= limit * (double)n; i++) count *= (double)(n - k + i) / (double)i;
  return round(count);
}

/* The next subset in lexicographic order. */
static void next_subset(const struct subsets *s, const size_t *before, size_t *row)
{
  size_t k = s->size;
  memcpy(row, before, s->size * sizeof *row);
  while (k > 0 && row[k - 1] == s->rows - s->size + k - 1) k--;
  if (k == 0) return;
  row[k - 1]++;
  for (; k < s->size; k++) row[k] = row[k - 1] + 1;
}

/* Draw without replacement by Floyd's algorithm (Bentley & Floyd, Comm. ACM 30 (1987)). */
static void draw_subset(const struct subsets *s, mn_rng random, size_t *row)
{
  for (size_t k = 0; k < s->size; k++) {
    const size_t last = s->rows - s->size + k, candidate = mn_random_below(&random, last + 1);
    size_t l = 0;
    while (l < k && row[l] != candidate) l++;
    row[k] = l < k ? last : candidate;
  }
}

/* Check for cancellation in loops over all subsets. */
static mn_status poll_at(mn_context *ctx, size_t k)
{
  return k % 4096 == 0 ? mn_poll(ctx) : MN_OK;
}

static mn_status choose_subsets(mn_context *ctx, const struct theil_sen *m, struct subsets *s)
{
  const size_t n = s->rows, min_size = s->dims > 0 ? s->dims : 1;
  s->size = m->n_subsamples != MN_UNSET ? (size_t)m->n_subsamples : min_size;
  if (s->size < min_size || s->size > n)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "TheilSenRegressor: n_subsamples must be from %zu (coefficients) to %zu (rows), got %zu", min_size,
                   n, s->size);
  const double limit = (double)m->max_subpopulation, total = count_subsets(n, s->size, limit);
  s->count = (size_t)fmin(total, limit);
  s->row = MN_RAW(ctx, size_t, s->count, s->size);
  MN_CHECK_ALLOC(s->row);
  for (size_t k = 0; k < s->size; k++) s->row[k] = k;
  for (size_t k = total <= limit; k < s->count; k++) {
    size_t *row = s->row + k * s->size;
    MN_TRY(poll_at(ctx, k));
    if (total <= limit)
      next_subset(s, row - s->size, row);
    else
      draw_subset(s, mn_stream(m->seed, k), row);
  }
  return MN_OK;
}

/* Least squares of a few rows by Householder reflections; a LAPACK call would take longer than the solution.
 *
 *   a, y  n x d, n >= d, and n; overwritten
 *   b     d, out
 *
 * Returns false where b is not determined. */
static bool solve_small(size_t n, size_t d, double *a, double *y, double *b)
{
  static const double rank_tol = 1e-12;
  for (size_t j = 0; j < d; j++) {
    double square = 0, all = 0;
    for (size_t i = 0; i < n; i++) all += a[i * d + j] * a[i * d + j];
    for (size_t i = j; i < n; i++) square += a[i * d + j] * a[i * d + j];
    if (!(square > rank_tol * rank_tol * all)) return false;
    const double size = sqrt(square), top = a[j * d + j], share = 1 / (size * (size + fabs(top)));
    b[j] = top > 0 ? -size : size;
    a[j * d + j] = top - b[j];
    for (size_t c = j + 1; c <= d; c++) {
      double *to = c < d ? a + c : y, dot = 0;
      const size_t step = c < d ? d : 1;
      for (size_t i = j; i < n; i++) dot += a[i * d + j] * to[i * step];
      for (size_t i = j; i < n; i++) to[i * step] -= share * dot * a[i * d + j];
    }
  }
  for (size_t j = d; j-- > 0;) {
    double rest = y[j];
    for (size_t c = j + 1; c < d; c++) rest -= a[j * d + c] * b[c];
    b[j] = rest / b[j];
  }
  return true;
}

struct solve_work {
  const struct subsets *s;
  double *points, *workspace; /* count x dims; for each worker size x (dims + 1) */
  bool *solved;               /* count */
  mn_blocks blocks;
};

static void solve_block(void *work, size_t block, size_t worker)
{
  const struct solve_work *w = work;
  const struct subsets *s = w->s;
  const size_t d = s->dims;
  double *a = w->workspace + worker * s->size * (d + 1), *y = a + s->size * d;
  for (size_t k = mn_block_begin(&w->blocks, block); k < mn_block_end(&w->blocks, block); k++) {
    for (size_t i = 0; i < s->size; i++) {
      const size_t row = s->row[k * s->size + i];
      const double *x = mn_row(&s->data->x, row);
      if (s->has_intercept) a[i * d] = 1;
      for (size_t j = s->has_intercept; j < d; j++) a[i * d + j] = x[s->column[j - s->has_intercept]];
      y[i] = s->data->y.at[row];
    }
    w->solved[k] = solve_small(s->size, d, a, y, w->points + k * d);
  }
}

/* Coefficients of all subsets that determine them: kept x dims. */
static mn_status solve_all(mn_context *ctx, const struct subsets *s, double *points, size_t *kept)
{
  struct solve_work w = { .s = s, .points = points };
  w.blocks = mn_make_blocks(s->count, BLOCK_STEPS / (s->size * (s->dims * s->dims + 1)) + 1, SIZE_MAX);
  w.workspace = MN_RAW(ctx, double, mn_threads(ctx), s->size *(s->dims + 1));
  w.solved = MN_RAW(ctx, bool, s->count, 1);
  if (!w.workspace || !w.solved) return MN_NO_MEMORY;
  MN_TRY(mn_parallel(ctx, w.blocks.count, solve_block, &w));
  *kept = 0;
  for (size_t k = 0; k < s->count; k++) {
    MN_TRY(poll_at(ctx, k));
    if (w.solved[k]) memmove(points + (*kept)++ * s->dims, points + k * s->dims, s->dims * sizeof *points);
  }
  if (*kept > 0) return MN_OK;
  return mn_fail(
      ctx, MN_SINGULAR,
      "TheilSenRegressor: none of %zu subsets of %zu rows determines all coefficients; raise n_subsamples or max_subpopulation",
      s->count, s->size);
}

static double distance(size_t d, const double *a, const double *b)
{
  double sum = 0;
  for (size_t j = 0; j < d; j++) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return sqrt(sum);
}

static mn_status mean_distance(mn_context *ctx, size_t n, size_t d, const double *points, const double *from,
                               double *mean)
{
  double sum = 0;
  for (size_t k = 0; k < n; k++) {
    MN_TRY(poll_at(ctx, k));
    sum += distance(d, points + k * d, from);
  }
  *mean = sum / (double)n;
  return MN_OK;
}

/* A step from `at` that decreases the sum of the distances. Points at the current position hold it back with a force
 * equal to their number.
 *
 *   tolerance  points this close count as at the current position
 *   next       d, out */
static mn_status weiszfeld_step(mn_context *ctx, size_t n, size_t d, const double *points, const double *at,
                                double tolerance, double *next)
{
  double total = 0, coincident = 0, force = 0;
  memset(next, 0, d * sizeof *next);
  for (size_t k = 0; k < n; k++) {
    const double *point = points + k * d, dist = distance(d, point, at);
    MN_TRY(poll_at(ctx, k));
    if (dist <= tolerance) {
      coincident++;
      continue;
    }
    total += 1 / dist;
    for (size_t j = 0; j < d; j++) next[j] += (point[j] - at[j]) / dist;
  }
  for (size_t j = 0; j < d; j++) force += next[j] * next[j];
  force = sqrt(force);
  const double share = force > coincident ? (1 - coincident / force) / total : 0;
  for (size_t j = 0; j < d; j++) next[j] = at[j] + share * next[j];
  return MN_OK;
}

static mn_status spatial_median(mn_context *ctx, struct theil_sen *m, size_t n, size_t d, const double *points,
                                double *at)
{
  mn_report *report = &m->linear.base.report;
  double *next = MN_RAW(ctx, double, d, 1);
  bool keep_going = true;
  MN_CHECK_ALLOC(next);
  for (size_t k = 0; k < n; k++) {
    MN_TRY(poll_at(ctx, k));
    for (size_t j = 0; j < d; j++) at[j] += (points[k * d + j] - at[j]) / (double)(k + 1);
  }
  double spread;
  MN_TRY(mean_distance(ctx, n, d, points, at, &spread));
  while (keep_going && !report->converged && report->n_iter < m->max_iter) {
    MN_TRY(weiszfeld_step(ctx, n, d, points, at, DBL_EPSILON * spread, next));
    const double step = distance(d, at, next);
    memcpy(at, next, d * sizeof *at);
    MN_TRY(mean_distance(ctx, n, d, points, at, &spread));
    report->change = spread > 0 ? step / spread : 0;
    report->converged = report->change <= m->tol;
    keep_going = mn_round(ctx, report, m->max_iter, spread);
  }
  return mn_error_status(ctx);
}

static mn_status median(mn_context *ctx, struct theil_sen *m, size_t n, size_t d, const double *points, double *at)
{
  static const double half = 0.5;
  mn_report *report = &m->linear.base.report;
  if (d != 1) return spatial_median(ctx, m, n, d, points, at);
  MN_TRY(mn_quantiles(ctx, n, points, NULL, 1, &half, at));
  double spread;
  MN_TRY(mean_distance(ctx, n, d, points, at, &spread));
  report->converged = true;
  mn_round(ctx, report, m->max_iter, spread);
  return mn_error_status(ctx);
}

/* Share of the rows that may be arbitrary before half of the subsets are contaminated. */
static double breakdown_point(double n, double size)
{
  return 1 - (pow(0.5, 1 / size) * (n - size + 1) + size - 1) / n;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct theil_sen *m = self;
  struct subsets s = { .data = data, .rows = data->rows, .has_intercept = m->fit_intercept };
  size_t *column = MN_RAW(ctx, size_t, data->features, 1), columns, kept;
  m->linear.base.report.advice = "raise max_iter or tol";
  MN_CHECK_ALLOC(column);
  MN_TRY(mn_check_magnitudes(ctx, &m->linear.base, data));
  MN_TRY(find_independent_columns(ctx, data, s.has_intercept, column, &columns));
  s.column = column;
  s.dims = columns + s.has_intercept;
  MN_TRY(choose_subsets(ctx, m, &s));
  double *points = MN_RAW(ctx, double, s.count, s.dims), *at = MN_NEW(ctx, double, s.dims, 1);
  if (!points || !at) return MN_NO_MEMORY;
  MN_TRY(solve_all(ctx, &s, points, &kept));
  MN_TRY(median(ctx, m, kept, s.dims, points, at));
  m->breakdown = breakdown_point((double)s.rows, (double)s.size);
  m->n_subpopulation = (int64_t)kept;
  MN_TRY(mn_linear_init(ctx, &m->linear, 1, data->features));
  for (size_t j = 0; j < columns; j++) m->linear.coef.at[column[j]] = at[j + s.has_intercept];
  m->linear.intercept.at[0] = s.has_intercept ? at[0] : 0;
  return MN_OK;
}

static const mn_param params[] = {
  MN_FLAG(struct theil_sen, fit_intercept, true, "fit an intercept"),
  MN_COUNT(struct theil_sen, max_subpopulation, 10000, MN_AT_LEAST(1),
           "maximum number of subsets; if there are more, they are drawn at random"),
  MN_COUNT(
      struct theil_sen, n_subsamples, MN_UNSET, MN_AT_LEAST(1),
      "rows of a subset; nil: the number of coefficients, which is the most robust. More rows are closer to least squares"),
  MN_COUNT(struct theil_sen, max_iter, 300, MN_AT_LEAST(1), "maximum number of rounds for the spatial median"),
  MN_REAL(struct theil_sen, tol, 1e-3, MN_AT_LEAST(0),
          "stop when the median moves by at most this share of the mean distance of the subsets from it"),
  MN_SEED(struct theil_sen, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_NUMBER(struct theil_sen, breakdown, "share of the rows that may be arbitrary without ruining the fit"),
  MN_INTEGER(struct theil_sen, n_subpopulation, "number of subsets used"),
  MN_LINEAR_FIELDS("targets"),
  MN_END,
};

const mn_class mn_theil_sen_regressor = {
  .name = "TheilSenRegressor",
  .family = "linear",
  .brief = "Robust linear regression by the median of fits to small subsets of rows.",
  .objective = "sum_s |b_s - b| over b, with b_s the least squares of subset s; b with the constant",
  .source = "Dang, Peng, Wang & Zhang (2008); Theil (1950); Sen, JASA 63 (1968)",
  .notes =
      "Subsets that do not determine all coefficients (two rows with the same x) are left out, as by Theil and Sen; scikit-learn uses their minimum-norm solution. "
      "tol is relative to the mean distance of the subsets from the median; that of scikit-learn is in the units of the coefficients. "
      "Scale the columns first if their units differ. With many columns few outliers are tolerated: see breakdown.",
  .example = "local X, y = { {1}, {2}, {3}, {4}, {5} }, { 1.1, 1.9, 3.2, 3.9, 50 }\n"
             "local model = ml.TheilSenRegressor{}:fit(X, y)\nprint(model.coef, model.breakdown)",
  .capabilities = MN_REGRESS | MN_ITERATE | MN_RANDOM,
  .size = sizeof(struct theil_sen),
  .params = params,
  .fields = fields,
  .operations = mn_quantile_coef_operations,
  .fit = fit,
  MN_LINEAR_PREDICTION,
};
