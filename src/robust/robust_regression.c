/* Robust regression: M-estimation by iteratively reweighted least squares. Minimize over b and c
 *
 *     sum_i w_i rho((y_i - x_i b - c) / (tuning s)),
 *
 * where the scale s is the median absolute residual over 0.6745, recomputed in each round. The weight of a row
 * decreases with its residual: huber keeps a share of it, bisquare and andrews drop to 0. Loss absolute has no scale:
 * it is the median regression of QuantileRegressor.
 *
 * Huber, Annals of Math. Statistics 35 (1964); Beaton & Tukey, Technometrics 16 (1974); Andrews, Technometrics 16
 * (1974); the rounds as in rlm of Venables & Ripley, Modern Applied Statistics with S (2002), section 6.5.
 *
 * For huber the same solution is reached with one factorization: a round solves least squares for the residuals clipped
 * at the tuning constant, with the Gram matrix of all rows times the share of unclipped rows, which approximates the
 * Hessian (Huber & Ronchetti, Robust Statistics (2009), section 7.8, modified residuals). Where that does not halve the
 * change per round, reweighting takes over. */
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "../stats/quantile.h"
#include "frisch_newton.h"
#include "robust.h"
#include <string.h>

static const char *const losses[] = { "huber", "bisquare", "andrews", "absolute", NULL };

/* 95% efficiency relative to least squares for normal errors */
static const double tunings[] = { 1.345, 4.685, 1.339, 1 };

static double tuning_of(const struct mn_robust *m)
{
  return isnan(m->tuning) ? tunings[m->loss] : m->tuning;
}

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

struct fit_state {
  const mn_data *data;
  double *b, c;
  double *residual, *weight; /* rows */
  double *step, *mean;       /* features */
  double *r, total;          /* features x features: R of the QR of all rows; sum of the weights */
  bool use_fixed_r;          /* whether rounds use r */
};

static mn_status compute_residuals(mn_context *ctx, struct fit_state *f)
{
  const mn_data *d = f->data;
  for (size_t i = 0; i < d->rows; i++) f->residual[i] = d->y.at[i] - f->c;
  return mn_gemv(ctx, false, d->rows, d->features, -1, d->x.at, d->features, f->b, 1, f->residual);
}

/* Apply f->step, and `mean_step` to the intercept at the column means. */
static void apply_step(struct fit_state *f, double mean_step)
{
  f->c += mean_step;
  for (size_t j = 0; j < f->data->features; j++) {
    f->b[j] += f->step[j];
    f->c -= f->mean[j] * f->step[j];
  }
}

/* Least squares with all rows; R is kept unless columns are nearly collinear. */
static mn_status factor_all_rows(mn_context *ctx, struct fit_state *f, const mn_rows *rows)
{
  static const double min_change = 1e-8;
  const size_t p = rows->p;
  double *r = MN_RAW(ctx, double, p, p), *qty = MN_RAW(ctx, double, p, 1);
  if (!r || !qty) return MN_NO_MEMORY;
  MN_TRY(mn_tall_qr(ctx, rows, r, qty, NULL));
  for (size_t j = 0; j < p; j++) {
    double square = 0;
    for (size_t k = 0; k <= j; k++) square += r[k * p + j] * r[k * p + j];
    f->use_fixed_r = f->use_fixed_r && r[j * p + j] > min_change * sqrt(square);
  }
  if (f->use_fixed_r) f->r = r;
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
static mn_status huber_step(mn_context *ctx, const struct mn_robust *m, struct fit_state *f)
{
  const mn_data *d = f->data;
  const double cutoff = tuning_of(m) * m->scale;
  double sum = 0, inlier_weight = 0;
  for (size_t i = 0; i < d->rows; i++) {
    const double w = mn_weight(d, i), r = f->residual[i];
    inlier_weight += fabs(r) <= cutoff ? w : 0;
    f->weight[i] = w * fmax(fmin(r, cutoff), -cutoff);
    sum += f->weight[i];
  }
  const double inverse_count = 1 / fmax(inlier_weight, f->total / 2);
  MN_TRY(mn_gemv(ctx, true, d->rows, d->features, 1, d->x.at, d->features, f->weight, 0, f->step));
  for (size_t j = 0; j < d->features; j++) f->step[j] -= f->mean[j] * sum;
  solve(d->features, f->r, f->step);
  for (size_t j = 0; j < d->features; j++) f->step[j] *= f->total * inverse_count;
  apply_step(f, m->fit_intercept ? sum * inverse_count : 0);
  return MN_OK;
}

/* The step of a round: weighted least squares on the residuals. */
static mn_status reweighted_step(mn_context *ctx, const struct mn_robust *m, struct fit_state *f)
{
  const mn_data *d = f->data;
  const size_t p = d->features;
  double total = 0, y_mean = 0;
  if (f->use_fixed_r && f->r) return huber_step(ctx, m, f);
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
  MN_TRY(f->use_fixed_r ? factor_all_rows(ctx, f, &rows) : mn_least_squares(ctx, &rows, 0, f->step, NULL, NULL));
  f->total = total;
  apply_step(f, y_mean);
  return MN_OK;
}

static mn_status compute_scale(mn_context *ctx, struct mn_robust *m, const struct fit_state *f)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const double half = 0.5;
  double *absolute = MN_RAW(ctx, double, f->data->rows, 1), median;
  MN_CHECK_ALLOC(absolute);
  for (size_t i = 0; i < f->data->rows; i++) absolute[i] = fabs(f->residual[i]);
  MN_TRY(mn_quantiles(ctx, f->data->rows, absolute, f->data->weights, 1, &half, &median));
  m->scale = median / 0.6745;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* sqrt(sum w (r - previous)^2 / sum w previous^2); `previous` is overwritten with r */
static double relative_change(const struct fit_state *f, double *previous)
{
  double moved = 0, square = 0;
  for (size_t i = 0; i < f->data->rows; i++) {
    const double w = mn_weight(f->data, i), r = f->residual[i];
    moved += w * (r - previous[i]) * (r - previous[i]);
    square += w * previous[i] * previous[i];
    previous[i] = r;
  }
  return sqrt(moved / fmax(square, DBL_MIN));
}

static mn_status iterate(mn_context *ctx, struct mn_robust *m, struct fit_state *f)
{
  mn_report *report = &m->linear.base.report;
  const mn_data *d = f->data;
  double *previous = MN_RAW(ctx, double, d->rows, 1);
  bool keep_going = true;
  double min_change = INFINITY; /* rho may rise as the scale changes, so the smallest change shows the progress */
  MN_CHECK_ALLOC(previous);
  for (size_t i = 0; i < d->rows; i++) f->weight[i] = mn_weight(d, i);
  f->use_fixed_r = m->loss == MN_ROBUST_HUBER;
  MN_TRY(reweighted_step(ctx, m, f));
  MN_TRY(compute_residuals(ctx, f));
  memcpy(previous, f->residual, d->rows * sizeof *previous);
  for (int64_t round = 0; keep_going && !report->converged && round < m->max_iter; round++) {
    const mn_mark mark = mn_scratch_mark(ctx);
    MN_TRY(compute_scale(ctx, m, f));
    report->converged = !(m->scale > 0); /* half of the rows are fitted exactly */
    for (size_t i = 0; i < d->rows && m->scale > 0; i++)
      f->weight[i] = mn_weight(d, i) * mn_robust_weight(m, f->residual[i] / m->scale);
    if (m->scale > 0) MN_TRY(reweighted_step(ctx, m, f));
    MN_TRY(compute_residuals(ctx, f));
    const double before = report->change;
    report->change = relative_change(f, previous);
    f->use_fixed_r = f->use_fixed_r && (round == 0 || report->change < before / 2);
    min_change = fmin(min_change, report->change);
    report->converged = report->converged || report->change <= m->tol;
    keep_going = mn_round(ctx, report, m->max_iter, min_change);
    mn_scratch_release(ctx, mark);
  }
  return compute_scale(ctx, m, f);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_robust *m = self;
  const size_t n = data->rows, p = data->features;
  m->linear.base.report.advice =
      "raise max_iter; bisquare and andrews may oscillate where few rows agree, then use loss 'huber'";
  struct fit_state f = { .data = data };
  f.residual = MN_NEW(ctx, double, n, 1);
  f.weight = MN_NEW(ctx, double, n, 1);
  f.b = MN_NEW(ctx, double, p, 1);
  f.step = MN_NEW(ctx, double, p, 1);
  f.mean = MN_NEW(ctx, double, p, 1);
  if (!f.residual || !f.weight || !f.b || !f.step || !f.mean) return MN_NO_MEMORY;
  if (m->loss == MN_ROBUST_ABSOLUTE) {
    MN_TRY(
        mn_frisch_newton(ctx, data, 0.5, 0, m->fit_intercept, m->max_iter, 1e-10, &m->linear.base.report, f.b, &f.c));
    MN_TRY(compute_residuals(ctx, &f));
    MN_TRY(compute_scale(ctx, m, &f));
  } else {
    MN_TRY(compute_residuals(ctx, &f));
    MN_TRY(iterate(ctx, m, &f));
  }
  MN_TRY(mn_linear_init(ctx, &m->linear, 1, p));
  memcpy(m->linear.coef.at, f.b, p * sizeof *f.b);
  m->linear.intercept.at[0] = f.c;
  return mn_robust_inference(ctx, m, data, f.residual);
}

/* Checks after load that array shapes do not cover. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct mn_robust *m = self;
  const size_t features = m->linear.base.n_features;
  if (!m->figures.at) return MN_OK; /* archives of early versions have no summary */
  const bool early = m->figures.size == MN_ROBUST_EARLY_FIGURES;
  const size_t terms = m->std_error.size;
  const bool whole = (early || m->figures.size == MN_ROBUST_FIGURES) && (terms == features || terms == features + 1) &&
                     (!m->aliased.at || m->aliased.size == terms);
  if (whole && m->figures.at[MN_ROBUST_RANK] >= 0 && m->figures.at[MN_ROBUST_RANK] <= (double)features) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "RobustRegression: a part of the fitted model is missing or invalid");
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
        "coefficients with standard errors and t, as summary of rlm in R; no p-values, since t is only asymptotically normal",
    .returns = "coefficients (Frame: term, estimate, std_error, t), sigma, the residual scale; spread, the unit of the "
               "standard errors; df; prints as a table",
    .run = mn_robust_summary },
  { .name = "diagnostics",
    .brief = "weight of each row in the fit; outliers have weights near 0",
    .returns = "Frame: fitted, residual, weight",
    .needs = MN_NEEDS_X | MN_NEEDS_Y,
    .run = diagnostics },
  { .name = NULL },
};

static const mn_param params[] = {
  MN_CHOICE(
      struct mn_robust, loss, MN_ROBUST_HUBER, losses,
      "huber: large residuals are downweighted; bisquare, andrews: down to weight 0; absolute: median regression"),
  MN_REAL(
      struct mn_robust, tuning, MN_UNSET_REAL, MN_GREATER_THAN(0),
      "residual from which rows are downweighted, in units of the scale; nil: 1.345 huber, 4.685 bisquare, 1.339 andrews"),
  MN_FLAG(struct mn_robust, fit_intercept, true, "fit an intercept"),
  MN_COUNT(struct mn_robust, max_iter, 200, MN_AT_LEAST(1), "maximum number of rounds"),
  MN_REAL(struct mn_robust, tol, 1e-9, MN_AT_LEAST(0), "stop when the residuals change by at most this share"),
  MN_WEIGHTS_TYPE_PARAM(struct mn_robust, "The coefficients are the same"),
  MN_END,
};

static const mn_field fields[] = {
  MN_LINEAR_FIELDS("targets"),
  MN_VECTOR(struct mn_robust, std_error, "terms?", "standard errors of the intercept and the coefficients"),
  MN_LEARNED(MN_KIND_VECTOR, struct mn_robust, aliased, "terms?", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct mn_robust, figures, "figures?", NULL),
  MN_NUMBER(struct mn_robust, scale, "scale of the errors: median absolute residual / 0.6745"),
  MN_END,
};

const mn_class mn_robust_regression = {
  .name = "RobustRegression",
  .family = "linear",
  .brief = "Linear regression that is robust to outliers in y (M-estimation).",
  .objective = "sum_i w_i rho((y_i - x_i b - c) / (tuning s))",
  .source = "Huber & Ronchetti, Robust Statistics, 2nd ed. (2009), chapter 7",
  .notes =
      "As rlm of R's MASS. Since the scale changes from round to round there is no single objective: `objective` and `trace` hold the smallest relative change of the residuals so far. "
      "bisquare and andrews start at least squares and may find a local minimum. "
      "Sample weights multiply the loss; with weights_type = 'frequency' the standard errors are those of rlm's wt.method = \"case\". loss absolute has none.",
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
  MN_LINEAR_PREDICTION,
  .check = check,
};
