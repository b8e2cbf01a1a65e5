/* Robust regression: M-estimation by iteratively reweighted least squares. Minimise over b and c
 *
 *     sum_i w_i rho((y_i - x_i b - c) / (tuning s)),
 *
 * the scale s being the median of the absolute residuals over 0.6745, anew in each round. The weight of a row in a
 * round falls with its residual: huber's to a share of it, those of bisquare and andrews to 0. Loss absolute has no
 * scale: it is the median regression of QuantileRegressor.
 *
 * Huber, Annals of Math. Statistics 35 (1964); Beaton & Tukey, Technometrics 16 (1974); Andrews, Technometrics 16
 * (1974); the rounds as in rlm of Venables & Ripley, Modern Applied Statistics with S (2002), section 6.5.
 *
 * For huber the same point is reached with one factorisation: a round solves least squares for the residuals cut off at
 * the tuning, with the Gram matrix of all rows times the share of rows that are not cut off, which is about the Hessian
 * (Huber & Ronchetti, Robust Statistics (2009), section 7.8, modified residuals). Where that does not halve the change
 * of a round, reweighing takes over. */
#include "../linalg/lapack.h"
#include "../linalg/product.h"
#include "../stats/quantile.h"
#include "frisch_newton.h"
#include "robust.h"
#include <string.h>

static const char *const losses[] = { "huber", "bisquare", "andrews", "absolute", NULL };

/* 95 per cent of the efficiency of least squares when the errors are normal. */
static const double tunings[] = { 1.345, 4.685, 1.339, 1 };

static double tuning_of(const struct mn_robust *m)
{
  return isnan(m->tuning) ? tunings[m->loss] : m->tuning;
}

/* psi(u) / u of a residual in units of the scale. */
double mn_robust_weight(const struct mn_robust *m, double u)
{
  const double pi = 3.14159265358979323846, t = fabs(u) / tuning_of(m);
  switch (m->loss) {
  case MN_ROBUST_HUBER: return t <= 1 ? 1 : 1 / t;
  case MN_ROBUST_BISQUARE: return t < 1 ? (1 - t * t) * (1 - t * t) : 0;
  case MN_ROBUST_ANDREWS: return t < 1e-8 ? 1 : t < pi ? sin(t) / t : 0;
  default: return 1;
  }
}

double mn_robust_slope(const struct mn_robust *m, double u)
{
  const double pi = 3.14159265358979323846, t = fabs(u) / tuning_of(m);
  switch (m->loss) {
  case MN_ROBUST_HUBER: return t <= 1 ? 1 : 0;
  case MN_ROBUST_BISQUARE: return t < 1 ? (1 - t * t) * (1 - 5 * t * t) : 0;
  case MN_ROBUST_ANDREWS: return t < pi ? cos(t) : 0;
  default: return 0;
  }
}

struct fitting {
  const mn_data *data;
  double *b, c;
  double *residual, *weight; /* rows */
  double *step, *mean;       /* features */
  double *r, total;          /* features x features: of the QR of all rows; sum of the weights */
  bool steady;               /* do rounds use it? */
};

static mn_status find_residuals(mn_context *ctx, struct fitting *f)
{
  const mn_data *d = f->data;
  for (size_t i = 0; i < d->rows; i++) f->residual[i] = d->y.at[i] - f->c;
  return mn_gemv(ctx, false, d->rows, d->features, -1, d->x.at, d->features, f->b, 1, f->residual);
}

/* By f->step, and the mean by `up`. */
static void go(struct fitting *f, double up)
{
  f->c += up;
  for (size_t j = 0; j < f->data->features; j++) {
    f->b[j] += f->step[j];
    f->c -= f->mean[j] * f->step[j];
  }
}

/* Least squares with all rows, whose R is kept unless columns are all but determined by others. */
static mn_status factor(mn_context *ctx, struct fitting *f, const mn_rows *rows)
{
  static const double least = 1e-8;
  const size_t p = rows->p;
  double *r = MN_RAW(ctx, double, p, p), *qty = MN_RAW(ctx, double, p, 1);
  if (!r || !qty) return MN_NO_MEMORY;
  MN_TRY(mn_tall_qr(ctx, rows, r, qty, NULL));
  for (size_t j = 0; j < p; j++) {
    double square = 0;
    for (size_t k = 0; k <= j; k++) square += r[k * p + j] * r[k * p + j];
    f->steady = f->steady && r[j * p + j] > least * sqrt(square);
  }
  if (f->steady) f->r = r;
  return mn_solve_r(ctx, p, 1, r, qty, 0, f->step, NULL, NULL);
}

/* g := inv(R'R) g */
static void solve(size_t p, const double *r, double *g)
{
  for (size_t j = 0; j < p; j++) {
    g[j] /= r[j * p + j];
    for (size_t k = j + 1; k < p; k++) g[k] -= r[j * p + k] * g[j];
  }
  for (size_t j = p; j-- > 0;) {
    for (size_t k = j + 1; k < p; k++) g[j] -= r[j * p + k] * g[k];
    g[j] /= r[j * p + j];
  }
}

/* A round of huber with the R of all rows. */
static mn_status steer(mn_context *ctx, const struct mn_robust *m, struct fitting *f)
{
  const mn_data *d = f->data;
  const double most = tuning_of(m) * m->scale;
  double sum = 0, free = 0;
  for (size_t i = 0; i < d->rows; i++) {
    const double w = mn_weight(d, i), r = f->residual[i];
    free += fabs(r) <= most ? w : 0;
    f->weight[i] = w * fmax(fmin(r, most), -most);
    sum += f->weight[i];
  }
  const double by = 1 / fmax(free, f->total / 2);
  MN_TRY(mn_gemv(ctx, true, d->rows, d->features, 1, d->x.at, d->features, f->weight, 0, f->step));
  for (size_t j = 0; j < d->features; j++) f->step[j] -= f->mean[j] * sum;
  solve(d->features, f->r, f->step);
  for (size_t j = 0; j < d->features; j++) f->step[j] *= f->total * by;
  go(f, m->fit_intercept ? sum * by : 0);
  return MN_OK;
}

/* Least squares on the residuals, with the weights of this round, is the step. */
static mn_status move(mn_context *ctx, const struct mn_robust *m, struct fitting *f)
{
  const mn_data *d = f->data;
  const size_t p = d->features;
  double total = 0, y_mean = 0;
  if (f->steady && f->r) return steer(ctx, m, f);
  memset(f->mean, 0, p * sizeof *f->mean);
  for (size_t i = 0; i < d->rows; i++) {
    total += f->weight[i];
    if (!(total > 0) || !m->fit_intercept) continue;
    const double share = f->weight[i] / total;
    y_mean += share * (f->residual[i] - y_mean);
    for (size_t j = 0; j < p; j++) f->mean[j] += share * (d->x.at[i * p + j] - f->mean[j]);
  }
  const mn_rows rows = { .n = d->rows,
                         .p = p,
                         .m = 1,
                         .x = d->x.at,
                         .y = f->residual,
                         .weights = f->weight,
                         .x_center = f->mean,
                         .y_center = &y_mean };
  MN_TRY(f->steady ? factor(ctx, f, &rows) : mn_least_squares(ctx, &rows, 0, f->step, NULL, NULL));
  f->total = total;
  go(f, y_mean);
  return MN_OK;
}

static mn_status find_scale(mn_context *ctx, struct mn_robust *m, const struct fitting *f)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const double half = 0.5;
  double *size = MN_RAW(ctx, double, f->data->rows, 1), median;
  MN_CHECK_ALLOC(size);
  for (size_t i = 0; i < f->data->rows; i++) size[i] = fabs(f->residual[i]);
  MN_TRY(mn_quantiles(ctx, f->data->rows, size, f->data->weights, 1, &half, &median));
  m->scale = median / 0.6745;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* sqrt(sum w (r - old)^2 / sum w old^2); `old` is overwritten with r. */
static double change(const struct fitting *f, double *old)
{
  double moved = 0, square = 0;
  for (size_t i = 0; i < f->data->rows; i++) {
    const double w = mn_weight(f->data, i), r = f->residual[i];
    moved += w * (r - old[i]) * (r - old[i]);
    square += w * old[i] * old[i];
    old[i] = r;
  }
  return sqrt(moved / fmax(square, DBL_MIN));
}

static mn_status reweigh(mn_context *ctx, struct mn_robust *m, struct fitting *f)
{
  mn_report *report = &m->linear.base.report;
  const mn_data *d = f->data;
  double *old = MN_RAW(ctx, double, d->rows, 1);
  bool go_on = true;
  double least = INFINITY; /* the scale moves too, so that rho need not fall: this shows how the rounds go */
  MN_CHECK_ALLOC(old);
  for (size_t i = 0; i < d->rows; i++) f->weight[i] = mn_weight(d, i);
  f->steady = m->loss == MN_ROBUST_HUBER;
  MN_TRY(move(ctx, m, f));
  MN_TRY(find_residuals(ctx, f));
  memcpy(old, f->residual, d->rows * sizeof *old);
  for (int64_t round = 0; go_on && !report->converged && round < m->max_iter; round++) {
    const mn_mark mark = mn_scratch_mark(ctx);
    MN_TRY(find_scale(ctx, m, f));
    report->converged = !(m->scale > 0); /* half of the rows lie on the plane */
    for (size_t i = 0; i < d->rows && m->scale > 0; i++)
      f->weight[i] = mn_weight(d, i) * mn_robust_weight(m, f->residual[i] / m->scale);
    if (m->scale > 0) MN_TRY(move(ctx, m, f));
    MN_TRY(find_residuals(ctx, f));
    const double before = report->change;
    report->change = change(f, old);
    f->steady = f->steady && (round == 0 || report->change < before / 2);
    least = fmin(least, report->change);
    report->converged = report->converged || report->change <= m->tol;
    go_on = mn_round(ctx, report, m->max_iter, least);
    mn_scratch_release(ctx, mark);
  }
  return find_scale(ctx, m, f);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_robust *m = self;
  const size_t n = data->rows, p = data->features;
  m->linear.base.report.advice =
      "raise max_iter; bisquare and andrews may go to and fro where few rows agree: use huber";
  struct fitting f = { .data = data };
  f.residual = MN_NEW(ctx, double, n, 1);
  f.weight = MN_NEW(ctx, double, n, 1);
  f.b = MN_NEW(ctx, double, p, 1);
  f.step = MN_NEW(ctx, double, p, 1);
  f.mean = MN_NEW(ctx, double, p, 1);
  if (!f.residual || !f.weight || !f.b || !f.step || !f.mean) return MN_NO_MEMORY;
  if (m->loss == MN_ROBUST_ABSOLUTE) {
    MN_TRY(
        mn_frisch_newton(ctx, data, 0.5, 0, m->fit_intercept, m->max_iter, 1e-10, &m->linear.base.report, f.b, &f.c));
    MN_TRY(find_residuals(ctx, &f));
    MN_TRY(find_scale(ctx, m, &f));
  } else {
    MN_TRY(find_residuals(ctx, &f));
    MN_TRY(reweigh(ctx, m, &f));
  }
  MN_TRY(mn_linear_init(ctx, &m->linear, 1, p));
  memcpy(m->linear.coef.at, f.b, p * sizeof *f.b);
  m->linear.intercept.at[0] = f.c;
  return mn_robust_infer(ctx, m, data, f.residual);
}

/* What shapes cannot say. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct mn_robust *m = self;
  const size_t features = m->linear.base.n_features;
  if (!m->figures.at) return MN_OK; /* of a file from before there was a summary */
  const bool whole = m->figures.size == MN_ROBUST_FIGURES && m->std_error.size == features + m->fit_intercept;
  if (whole && m->figures.at[MN_ROBUST_RANK] >= 0 && m->figures.at[MN_ROBUST_RANK] <= (double)features) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "RobustRegression: a part of the fitted model is missing or wrong");
}

static mn_status diagnostics(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                             mn_results *results)
{
  (void)options;
  const struct mn_robust *m = self;
  const size_t p = data->features;
  mn_vector *fitted, *residual, *weight;
  MN_TRY(mn_result_vector(ctx, results, "rows.fitted", data->rows, &fitted));
  MN_TRY(mn_result_vector(ctx, results, "rows.residual", data->rows, &residual));
  MN_TRY(mn_result_vector(ctx, results, "rows.weight", data->rows, &weight));
  for (size_t i = 0; i < data->rows; i++) {
    double sum = m->linear.intercept.at[0];
    for (size_t j = 0; j < p; j++) sum += mn_row(&data->x, i)[j] * m->linear.coef.at[j];
    fitted->at[i] = sum;
    residual->at[i] = data->y.at[i] - sum;
    weight->at[i] = m->scale > 0 ? mn_robust_weight(m, residual->at[i] / m->scale) : 1;
  }
  return MN_OK;
}

static const mn_operation operations[] = {
  { .name = "summary",
    .brief =
        "coefficients with standard errors and t, as summary of R's rlm; no p-values, for the distribution of t is "
        "known for many rows only",
    .returns = "coefficients (Frame: term, estimate, std_error, t), sigma, the residual scale; spread, the unit of the "
               "standard errors; df; prints as a table",
    .run = mn_robust_summary },
  { .name = "diagnostics",
    .brief = "how much each row counts: those that the fit holds for outliers have a weight near 0",
    .returns = "Frame: fitted, residual, weight",
    .needs = MN_NEEDS_X | MN_NEEDS_Y,
    .run = diagnostics },
  { .name = NULL },
};

static const mn_param params[] = {
  MN_CHOICE(struct mn_robust, loss, MN_ROBUST_HUBER, losses,
            "huber: far rows count less; bisquare, andrews: rows far enough do not count; absolute: median regression"),
  MN_REAL(struct mn_robust, tuning, MN_UNSET_REAL, MN_GREATER_THAN(0),
          "where rows begin to count less, in units of the scale; nil: 1.345 huber, 4.685 bisquare, 1.339 andrews"),
  MN_FLAG(struct mn_robust, fit_intercept, true, "learn a constant term"),
  MN_COUNT(struct mn_robust, max_iter, 200, MN_AT_LEAST(1), "most rounds"),
  MN_REAL(struct mn_robust, tol, 1e-9, MN_AT_LEAST(0), "stop when residuals move by less than this share"),
  MN_END,
};

static const mn_field fields[] = {
  MN_LINEAR_FIELDS("targets"),
  MN_VECTOR(struct mn_robust, std_error, "terms?", "standard errors of the constant and the weights"),
  MN_LEARNED(MN_KIND_VECTOR, struct mn_robust, figures, "figures?", NULL),
  MN_NUMBER(struct mn_robust, scale, "of the errors: median of the absolute residuals over 0.6745"),
  MN_END,
};

const mn_class mn_robust_regression = {
  .name = "RobustRegression",
  .family = "linear",
  .brief = "Linear regression that outliers in y do not pull along.",
  .objective = "sum_i w_i rho((y_i - x_i b - c) / (tuning s))",
  .source = "Huber & Ronchetti, Robust Statistics, 2nd ed. (2009), chapter 7",
  .notes =
      "As rlm of R's MASS. The scale moves from round to round, so there is no one objective: `objective` and "
      "`trace` hold "
      "the least share by which residuals have moved in a round. bisquare and andrews begin at least squares and "
      "may find a local minimum. Standard errors count weights as rows (wt.method = \"case\" of rlm); loss absolute "
      "has none.",
  .example = "local X, y = { {1}, {2}, {3}, {4}, {5} }, { 1.1, 1.9, 3.2, 3.9, 50 }\n"
             "local model = ml.RobustRegression{ loss = 'bisquare' }:fit(X, y)\n"
             "print(model.coef, model:diagnostics(X, y))",
  .capabilities = MN_REGRESS | MN_ITERATE | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_NO_COLUMNS,
  .size = sizeof(struct mn_robust),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  .export = mn_linear_export,
  .predict = mn_linear_predict,
  .check = check,
};
