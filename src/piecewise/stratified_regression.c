/* A linear regression for each value of a column, regularized toward those of neighboring values: see
 * stratified_solve.h. */
#include "stratified_solve.h"
#include "../stats/argsort.h"
#include "../linalg/ordered.h"
#include "../model/columns.h"
#include "../model/program.h"
#include <string.h>

struct stratified_regression {
  mn_estimator base;
  mn_feature column; /* parameters */
  int64_t graph;
  double smoothness, alpha;
  mn_vector levels; /* learned fields: strata */
  mn_matrix coef;   /* strata x features; 0 for the stratum  */
  mn_vector intercept, counts;
  mn_vector common_coef;
  double common_intercept;
  int64_t stratum; /* index of the column, 0-based */
};

static const char name[] = "StratifiedRegression";
static const char *const graphs[] = { "chain", "ring", "complete", NULL };

struct problem {
  const mn_data *data;
  size_t k, q;            /* strata, values of each: intercept and the other columns */
  double *center, *scale; /* q: of the columns; 0 and 1 for the intercept */
  double y_center;
  double *a, *r; /* k x q x q, k x q */
  double total;
};

/* Distinct values of the column, ascending. */
static mn_status find_levels(mn_context *ctx, struct stratified_regression *m, const mn_data *data)
{
  const size_t n = data->rows, p = data->features, column = (size_t)m->stratum;
  size_t *order = MN_RAW(ctx, size_t, n, 1), count = 0;
  MN_CHECK_ALLOC(order);
  MN_TRY(mn_argsort(ctx, n, data->x.at + column, p, order));
  for (size_t pass = 0; pass < 2; pass++) {
    if (pass > 0) MN_TRY(mn_vector_init(ctx, &m->levels, count));
    count = 0;
    double before = 0;
    for (size_t i = 0; i < n; i++) {
      const double value = data->x.at[order[i] * p + column];
      if (i > 0 && !(value > before)) continue;
      if (pass > 0) m->levels.at[count] = value;
      before = value;
      count++;
    }
  }
  return MN_OK;
}

/* Number of levels below a value. */
static size_t count_levels_below(const struct stratified_regression *m, double value)
{
  size_t low = 0, high = m->levels.size;
  while (low < high) {
    const size_t mid = (low + high) / 2;
    if (m->levels.at[mid] < value)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

/* 1 and the other columns of a row, centered and divided by their root mean square. */
static void scale_row(const struct problem *s, size_t stratum, size_t row, double *out)
{
  const double *x = mn_row(&s->data->x, row);
  out[0] = 1;
  for (size_t j = 0, to = 1; j < s->data->features; j++)
    if (j != stratum) {
      out[to] = (x[j] - s->center[to]) / s->scale[to];
      to++;
    }
}

static void find_scales(struct problem *s, size_t stratum, double *row)
{
  const mn_data *d = s->data;
  for (size_t j = 0; j < s->q; j++) s->scale[j] = 1;
  for (size_t i = 0; i < d->rows; i++) {
    const double w = mn_weight(d, i);
    s->total += w;
    scale_row(s, stratum, i, row);
    for (size_t j = 1; j < s->q; j++) s->center[j] += w / s->total * row[j];
    s->y_center += w / s->total * (d->y.at[i] - s->y_center);
  }
  for (size_t j = 1; j < s->q; j++) {
    const size_t from = j - 1 < stratum ? j - 1 : j;
    double largest = 0, sum = 0;
    for (size_t i = 0; i < d->rows; i++) largest = fmax(largest, fabs(mn_row(&d->x, i)[from] - s->center[j]));
    for (size_t i = 0; largest > 0 && i < d->rows; i++) {
      const double ratio = (mn_row(&d->x, i)[from] - s->center[j]) / largest;
      sum += mn_weight(d, i) * ratio * ratio;
    }
    if (largest > 0) s->scale[j] = fmax(largest * sqrt(sum / s->total), DBL_MIN);
  }
}

/* Sums of products of the columns and of y for each stratum; y is centered. */
static void add_products(const struct stratified_regression *m, struct problem *s, double *row)
{
  const size_t q = s->q;
  for (size_t i = 0; i < s->data->rows; i++) {
    const size_t k = count_levels_below(m, mn_row(&s->data->x, i)[m->stratum]);
    const double w = mn_weight(s->data, i), y = s->data->y.at[i] - s->y_center;
    double *a = s->a + k * q * q;
    scale_row(s, (size_t)m->stratum, i, row);
    m->counts.at[k] += w;
    for (size_t b = 0; b < q; b++) {
      for (size_t c = 0; c < q; c++) a[b * q + c] += w * row[b] * row[c];
      s->r[k * q + b] += w * row[b] * y;
    }
  }
  for (size_t k = 0; k < s->k; k++)
    for (size_t b = 1; b < q; b++) s->a[k * q * q + b * q + b] += m->alpha;
}

static mn_status make_problem(mn_context *ctx, struct stratified_regression *m, const mn_data *data, struct problem *s)
{
  *s = (struct problem){ .data = data, .k = m->levels.size, .q = data->features };
  s->center = MN_NEW(ctx, double, s->q, 1);
  s->scale = MN_NEW(ctx, double, s->q, 1);
  s->a = MN_NEW(ctx, double, s->k * s->q, s->q);
  s->r = MN_NEW(ctx, double, s->k, s->q);
  double *row = MN_RAW(ctx, double, s->q, 1);
  if (!s->center || !s->scale || !s->a || !s->r || !row) return MN_NO_MEMORY;
  find_scales(s, (size_t)m->stratum, row);
  add_products(m, s, row);
  return MN_OK;
}

/* Store the solution in the units of the data. */
static void store_model(struct stratified_regression *m, const struct problem *s)
{
  const size_t stratum = (size_t)m->stratum;
  for (size_t k = 0; k < s->k; k++) {
    const double *t = s->r + k * s->q;
    double intercept = s->y_center + t[0];
    for (size_t j = 1; j < s->q; j++) {
      const double coef = t[j] / s->scale[j];
      const size_t to = j - 1 < stratum ? j - 1 : j;
      mn_row(&m->coef, k)[to] = coef;
      m->common_coef.at[to] += coef / (double)s->k;
      intercept -= coef * s->center[j];
    }
    m->intercept.at[k] = intercept;
    m->common_intercept += intercept / (double)s->k;
  }
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct stratified_regression *m = self;
  struct problem s;
  size_t column;
  MN_TRY(mn_find_column(ctx, &m->base, "column", &m->column, &column));
  m->stratum = (int64_t)column;
  MN_TRY(find_levels(ctx, m, data));
  MN_TRY(mn_vector_init(ctx, &m->counts, m->levels.size));
  MN_TRY(mn_vector_init(ctx, &m->intercept, m->levels.size));
  MN_TRY(mn_matrix_init(ctx, &m->coef, m->levels.size, data->features));
  MN_TRY(mn_vector_init(ctx, &m->common_coef, data->features));
  MN_TRY(make_problem(ctx, m, data, &s));
  MN_TRY(mn_stratified_solve(ctx, m->graph, m->smoothness, s.k, s.q, s.a, s.r));
  store_model(m, &s);
  return MN_OK;
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct stratified_regression *m = self;
  for (size_t i = 0; i < data->rows; i++) {
    const double *row = mn_row(&data->x, i);
    const size_t k = count_levels_below(m, row[m->stratum]);
    if (k < m->levels.size && m->levels.at[k] == row[m->stratum])
      out->at[i] = m->intercept.at[k] + mn_ordered_dot(data->features, row, mn_row(&m->coef, k));
    else
      out->at[i] = m->common_intercept + mn_ordered_dot(data->features, row, m->common_coef.at);
  }
  return mn_poll(ctx);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)ctx;
  const struct stratified_regression *m = self;
  if (action != MN_PREDICT) return MN_OK;
  mn_program_reals(program, "level", m->levels.size, m->levels.at);
  mn_program_reals(program, "coef", m->coef.rows * m->coef.cols, m->coef.at);
  mn_program_reals(program, "intercept", m->intercept.size, m->intercept.at);
  mn_program_reals(program, "common_coef", m->common_coef.size, m->common_coef.at);
  mn_program_real(program, "common_intercept", m->common_intercept);
  mn_program_count(program, "column", (size_t)m->stratum);
  mn_program_count(program, "strata", m->levels.size);
  mn_program_code(program, "int k = count_at_most(level, 0, strata, x[column]) - 1"
                           " int known = 0"
                           " if k >= 0 { if level[k] == x[column] { known = 1 } }"
                           " if known == 1 { out[0] = intercept[k] + dot(features, x, 0, coef, k * features) }"
                           " else { out[0] = common_intercept + dot(features, x, 0, common_coef, 0) }");
  return MN_OK;
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct stratified_regression *m = self;
  bool valid = m->levels.size > 0 && m->stratum >= 0 && (uint64_t)m->stratum < m->base.n_features;
  for (size_t k = 1; valid && k < m->levels.size; k++) valid = m->levels.at[k - 1] < m->levels.at[k];
  return valid ? MN_OK
               : mn_fail(ctx, MN_BAD_FILE, "%s: levels must be ascending, and stratum the index of a column", name);
}

static const mn_param params[] = {
  MN_COLUMN(struct stratified_regression, column, 1, "number or name of the column whose values are the strata"),
  MN_CHOICE(struct stratified_regression, graph, MN_CHAIN, graphs,
            "neighboring strata: chain: adjacent values; ring: also the first and the last; complete: all pairs"),
  MN_PENALTY(
      struct stratified_regression, smoothness, 1, MN_AT_LEAST(0),
      "penalty on differences between neighboring strata (smoothness / 2 times their squares); 0 means separate regressions"),
  MN_PENALTY(struct stratified_regression, alpha, 0, MN_AT_LEAST(0),
             "L2 penalty on the coefficients of each stratum (alpha / 2 times their squares)"),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct stratified_regression, levels, "strata", "distinct values of the column, ascending"),
  MN_MATRIX(struct stratified_regression, coef, "strata x features",
            "coefficients in each stratum; 0 for the column itself"),
  MN_VECTOR(struct stratified_regression, intercept, "strata", "intercept of each stratum"),
  MN_VECTOR(struct stratified_regression, counts, "strata", "sum of the sample weights of each stratum"),
  MN_VECTOR(struct stratified_regression, common_coef, "features", "mean of the coefficients over the strata"),
  MN_NUMBER(struct stratified_regression, common_intercept, "mean of the intercepts over the strata"),
  MN_LEARNED(MN_KIND_COUNT, struct stratified_regression, stratum, "", NULL),
  MN_END,
};

const mn_class mn_stratified_regression = {
  .name = "StratifiedRegression",
  .family = "linear",
  .brief = "Linear regression for each value of a column, smoothed over neighboring values.",
  .objective =
      "1/2 sum_k sum_i(k) w_i (y_i - x_i b_k - c_k)^2 + alpha/2 sum_k |b_k|^2 + smoothness/2 sum_(k,l) (|b_k - b_l|^2 + (c_k - c_l)^2)",
  .source = "Tuck, Barratt & Boyd, A Distributed Method for Fitting Laplacian Regularized Stratified Models, JMLR 22 "
            "(2021)",
  .notes =
      "The penalties apply to centered columns of variance 1 and to intercepts at the column means, so units do not matter. "
      "smoothness = 0 fits each stratum separately, a large value fits all strata together. "
      "Solved exactly, at a cost linear in the number of strata. "
      "A value not seen in fit is predicted with common_coef and common_intercept. "
      "Encode strata that are text with OrdinalEncoder first.",
  .example = "local X, y = {}, {}\n"
             "for i = 1, 24 do X[i], y[i] = { i % 4, i }, 2 * (i % 4) + (1 + i % 4) * i end\n"
             "local model = ml.StratifiedRegression{ smoothness = 0.1, graph = \"ring\" }:fit(X, y)\n"
             "print(model.levels, model.coef, model:predict{ {1, 10}, {2, 10} })",
  .capabilities = MN_REGRESS,
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct stratified_regression),
  .params = params,
  .fields = fields,
  .fit = fit,
  .predict = predict,
  .export = export,
  .check = check,
};
