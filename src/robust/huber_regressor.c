/* Linear regression with Huber's loss and concomitant scale. Minimize over b, c and s > 0
 *
 *     sum_i w_i (s + s H((y_i - x_i b - c) / s)) + alpha |b|^2,   H(u) = u^2 for |u| <= epsilon, else 2 epsilon |u| -
 *     epsilon^2
 *
 * which is convex in all of them (Huber & Ronchetti, Robust Statistics (2009), section 7.7; Owen, Contemporary
 * Mathematics 443 (2007)). Newton's method with backtracking: with r the residuals and I the rows with |r_i| <= epsilon
 * s, the Hessian is
 *
 *     2 / s sum_{i in I} w_i v_i v_i',     v_i = (x_i, 1, r_i / s),
 *
 * plus 2 alpha for b: a Gram matrix, from which the intercept is eliminated by centering. The objective is piecewise
 * smooth, and Newton's method ends when the rows of I no longer change. Where it finds no lower point, because I has
 * few rows, all rows take part with the weights w_i min(1, epsilon s / |r_i|) of iteratively reweighted least squares.
 *
 * For epsilon near 1 the minimum may be at scale 0, where the loss is that of least absolute deviations. There s is
 * held at its lower bound, and the fit counts as not converged unless it is exact. */
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "../linear/coef_summary.h"
#include "../linear/linear.h"
#include <string.h>

enum { ROWS_PER_POLL = 1024 };

struct huber_regressor {
  mn_linear linear;
  double epsilon, alpha, tol; /* parameters */
  int64_t max_iter;
  bool fit_intercept;
  double scale; /* learned */
};

struct point {
  double *b, c, s; /* p */
  double value;
  double *residual; /* rows */
};

struct newton {
  const struct huber_regressor *m;
  const mn_data *data;
  size_t p;
  double total, min_scale; /* sum of the weights; lower bound of s */
  struct point at, trial;
  bool reweighted;            /* outliers take part in the Hessian */
  double *hessian_weight;     /* rows: w_i in I, else 0 or w_i epsilon s / |r_i| */
  double *relative;           /* rows: r_i / s */
  double *pull;               /* rows: minus the derivative of the loss by x_i b, over 2 */
  double *gram, *mean, *step; /* (p + 1)^2; p + 1; p + 1: of b and s */
  double step_c;
};

static bool is_outlier(const struct newton *w, double r, double s)
{
  return fabs(r) > w->m->epsilon * s;
}

static mn_status evaluate(mn_context *ctx, const struct newton *w, struct point *at)
{
  const mn_data *d = w->data;
  const double epsilon = w->m->epsilon;
  double value = 0, penalty = 0;
  for (size_t i = 0; i < d->rows; i++) at->residual[i] = d->y.at[i] - at->c;
  MN_TRY(mn_gemv(ctx, false, d->rows, w->p, -1, d->x.at, w->p, at->b, 1, at->residual));
  for (size_t i = 0; i < d->rows; i++) {
    const double r = at->residual[i];
    value += mn_weight(d, i) * (is_outlier(w, r, at->s) ? epsilon * (2 * fabs(r) - at->s * epsilon) : r / at->s * r);
  }
  for (size_t j = 0; j < w->p; j++) penalty += at->b[j] * at->b[j];
  at->value = w->total * at->s + value + w->m->alpha * penalty;
  return MN_OK;
}

/* Weights of the Hessian, and the derivatives of the loss by the fitted values, by c and by s. */
static void differentiate(struct newton *w, double *by_c, double *by_s)
{
  const mn_data *d = w->data;
  const double epsilon = w->m->epsilon, s = w->at.s;
  *by_c = 0;
  *by_s = w->total;
  for (size_t i = 0; i < d->rows; i++) {
    const double r = w->at.residual[i], weight = mn_weight(d, i);
    const bool outlier = is_outlier(w, r, s);
    w->pull[i] = weight * (outlier ? copysign(epsilon, r) : r / s);
    w->relative[i] = r / s;
    w->hessian_weight[i] = !outlier ? weight : w->reweighted ? weight * epsilon * s / fabs(r) : 0;
    *by_s -= weight * (outlier ? epsilon * epsilon : r / s * (r / s));
    *by_c -= 2 * w->pull[i];
  }
}

/* The gradient by b and s with the intercept eliminated: that of centered columns, which a row of large weight does not
 * spoil. */
static mn_status gradient(mn_context *ctx, const struct newton *w, bool centered, double by_c, double by_s, double *g)
{
  const size_t p = w->p;
  for (size_t j = 0; j < p; j++) g[j] = 2 * w->m->alpha * w->at.b[j];
  for (size_t i = 0; i < w->data->rows; i++) {
    if (i % ROWS_PER_POLL == 0) MN_TRY(mn_poll(ctx));
    const double *x = mn_row(&w->data->x, i), pull = 2 * w->pull[i];
    for (size_t j = 0; j < p; j++) g[j] -= pull * (x[j] - (centered ? w->mean[j] : 0));
  }
  g[p] = by_s - (centered ? w->mean[p] * by_c : 0);
  return MN_OK;
}

/* Hold s where it is at its lower bound and would decrease. */
static void hold_scale(struct newton *w, double *g, double by_s)
{
  const size_t p = w->p, k = p + 1;
  if (w->at.s > w->min_scale || !(by_s > 0)) return;
  g[p] = 0;
  for (size_t j = 0; j < k; j++) w->gram[p * k + j] = w->gram[j * k + p] = 0;
  w->gram[p * k + p] = 1;
}

/* L L' = Hessian of b and s, with a small multiple of its diagonal added where columns are collinear. */
static mn_status factor(mn_context *ctx, const struct newton *w, double *hessian)
{
  const size_t k = w->p + 1;
  double largest = 0, jitter = 0;
  size_t minor = 1;
  for (size_t i = 0; i < k * k; i++) w->gram[i] *= 2 / w->at.s;
  for (size_t j = 0; j < w->p; j++) w->gram[j * k + j] += 2 * w->m->alpha;
  for (size_t j = 0; j < k; j++) largest = fmax(largest, w->gram[j * k + j]);
  for (int attempt = 0; attempt < 12 && minor > 0; attempt++) {
    memcpy(hessian, w->gram, k * k * sizeof *hessian);
    for (size_t j = 0; j < k; j++) {
      const double own = w->gram[j * k + j];
      hessian[j * k + j] += own > 0 ? jitter * own : fmax(largest, DBL_MIN);
    }
    MN_TRY(mn_chol_try(ctx, k, hessian, NULL, &minor));
    jitter = jitter > 0 ? 100 * jitter : 1e-13;
  }
  return minor == 0 ? MN_OK
                    : mn_fail(ctx, MN_SINGULAR, "HuberRegressor: the columns of X are collinear; increase alpha");
}

/* The Newton step, and the decrement g' inv(H) g. */
static mn_status find_step(mn_context *ctx, struct newton *w, double *decrement)
{
  const size_t p = w->p, k = p + 1;
  const mn_data *d = w->data;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *g = MN_RAW(ctx, double, k, 1), *hessian = MN_RAW(ctx, double, k, k), by_c, by_s, total;
  if (!g || !hessian) return MN_NO_MEMORY;
  differentiate(w, &by_c, &by_s);
  MN_TRY(mn_gram(ctx, d->rows, p, d->x.at, p, 1, w->relative, 1, w->hessian_weight, w->m->fit_intercept, &total,
                 w->mean, w->gram, k));
  const bool centered = w->m->fit_intercept && total > 0;
  MN_TRY(gradient(ctx, w, centered, by_c, by_s, g));
  hold_scale(w, g, by_s);
  MN_TRY(factor(ctx, w, hessian));
  for (size_t j = 0; j < k; j++) w->step[j] = -g[j];
  MN_TRY(mn_chol_apply(ctx, k, 1, hessian, w->step));
  w->step_c = centered ? -by_c * w->at.s / (2 * total) : 0;
  for (size_t j = 0; centered && j < k; j++) w->step_c -= w->mean[j] * w->step[j];
  *decrement = centered ? by_c * by_c * w->at.s / (2 * total) : 0;
  for (size_t j = 0; j < k; j++) *decrement -= g[j] * w->step[j];
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Backtrack along the step; s falls to a tenth at most. *moved is false when rounding leaves nothing to gain. */
static mn_status line_search(mn_context *ctx, struct newton *w, double decrement, bool *moved)
{
  const double slack = 1e-14 * fabs(w->at.value);
  double length = w->step[w->p] < 0 ? fmin(1, -0.9 * w->at.s / w->step[w->p]) : 1;
  *moved = false;
  for (int halvings = 0; halvings < 40; halvings++, length /= 2) {
    for (size_t j = 0; j < w->p; j++) w->trial.b[j] = w->at.b[j] + length * w->step[j];
    w->trial.c = w->at.c + length * w->step_c;
    w->trial.s = fmax(w->at.s + length * w->step[w->p], w->min_scale);
    MN_TRY(evaluate(ctx, w, &w->trial));
    if (!(w->trial.value <= w->at.value - 1e-4 * length * decrement + slack)) continue;
    *moved = w->trial.value < w->at.value;
    const struct point swap = w->at;
    w->at = w->trial;
    w->trial = swap;
    return MN_OK;
  }
  return MN_OK;
}

/* Start from b = 0, the mean of y and a scale at which few rows are outliers. */
static mn_status init(mn_context *ctx, const struct huber_regressor *m, const mn_data *data, struct newton *w)
{
  const size_t n = data->rows, p = data->features, k = p + 1;
  *w = (struct newton){ .m = m, .data = data, .p = p, .total = mn_total_weight(data) };
  w->hessian_weight = MN_RAW(ctx, double, n, 1);
  w->relative = MN_RAW(ctx, double, n, 1);
  w->pull = MN_RAW(ctx, double, n, 1);
  w->gram = MN_RAW(ctx, double, k, k);
  w->mean = MN_NEW(ctx, double, k, 1);
  w->step = MN_RAW(ctx, double, k, 1);
  for (int t = 0; t < 2; t++) {
    struct point *point = t == 0 ? &w->at : &w->trial;
    point->b = MN_NEW(ctx, double, p, 1);
    point->residual = MN_RAW(ctx, double, n, 1);
    if (!point->b || !point->residual) return MN_NO_MEMORY;
  }
  if (!w->hessian_weight || !w->relative || !w->pull || !w->gram || !w->mean || !w->step) return MN_NO_MEMORY;
  double square = 0, largest = 0;
  for (size_t i = 0; m->fit_intercept && i < n; i++) w->at.c += mn_weight(data, i) / w->total * data->y.at[i];
  for (size_t i = 0; i < n; i++) {
    const double r = data->y.at[i] - w->at.c;
    square += mn_weight(data, i) / w->total * r * r;
    largest = fmax(largest, fabs(data->y.at[i]));
  }
  w->min_scale = fmax(10 * DBL_EPSILON * largest, DBL_MIN / DBL_EPSILON);
  w->at.s = fmax(sqrt(square), w->min_scale);
  return evaluate(ctx, w, &w->at);
}

/* With larger ratios the rows of small weight are lost in rounding, and the coefficients are not determined. */
static mn_status check_weights(mn_context *ctx, const mn_data *data)
{
  static const double max_ratio = 1e20;
  double low = INFINITY, high = 0;
  for (size_t i = 0; i < data->rows; i++) {
    low = fmin(low, mn_weight(data, i));
    high = fmax(high, mn_weight(data, i));
  }
  return high / max_ratio <= low
             ? MN_OK
             : mn_fail(
                   ctx, MN_BAD_DATA,
                   "HuberRegressor: the largest sample weight must be at most 1e+20 times the smallest, got %g and %g",
                   high, low);
}

/* A step, with the share of the objective that it could gain. */
static mn_status take_step(mn_context *ctx, struct newton *w, bool reweighted, double *change, bool *moved)
{
  double decrement;
  w->reweighted = reweighted;
  MN_TRY(find_step(ctx, w, &decrement));
  *change = fmax(decrement, 0) / 2 / fmax(fabs(w->at.value), DBL_MIN);
  return line_search(ctx, w, decrement, moved);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct huber_regressor *m = self;
  mn_report *r = &m->linear.base.report;
  struct newton w;
  bool moved = true, keep_going = true;
  r->advice = "raise max_iter";
  MN_TRY(mn_check_magnitudes(ctx, &m->linear.base, data));
  MN_TRY(check_weights(ctx, data));
  MN_TRY(init(ctx, m, data, &w));
  const double start = w.at.value;
  while (keep_going && moved && !r->converged && r->n_iter < m->max_iter) {
    MN_TRY(take_step(ctx, &w, false, &r->change, &moved));
    if (!moved || r->change <= m->tol) {
      MN_TRY(take_step(ctx, &w, true, &r->change, &moved));
      r->converged = r->change <= fmax(m->tol, moved ? 0 : 1e-12);
    }
    keep_going = mn_round(ctx, r, m->max_iter, w.at.value);
  }
  MN_TRY(mn_error_status(ctx));
  if (w.at.s <= w.min_scale && w.at.value > 1e-9 * start) {
    r->converged = false;
    r->advice = "the scale tends to 0; raise epsilon, or use QuantileRegressor for least absolute deviations";
  }
  MN_TRY(mn_linear_init(ctx, &m->linear, 1, data->features));
  memcpy(m->linear.coef.at, w.at.b, data->features * sizeof *w.at.b);
  m->linear.intercept.at[0] = w.at.c;
  m->scale = w.at.s;
  return MN_OK;
}

static mn_status diagnostics(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                             mn_results *results)
{
  (void)options;
  const struct huber_regressor *m = self;
  mn_vector *fitted, *residual, *outlier;
  MN_TRY(mn_result_vector(ctx, results, "rows.fitted", data->rows, &fitted));
  MN_TRY(mn_result_vector(ctx, results, "rows.residual", data->rows, &residual));
  MN_TRY(mn_result_vector(ctx, results, "rows.outlier", data->rows, &outlier));
  for (size_t i = 0; i < data->rows; i++) {
    double sum = m->linear.intercept.at[0];
    for (size_t j = 0; j < data->features; j++) sum += mn_row(&data->x, i)[j] * m->linear.coef.at[j];
    fitted->at[i] = sum;
    residual->at[i] = data->y.at[i] - sum;
    outlier->at[i] = fabs(residual->at[i]) > m->epsilon * m->scale;
  }
  return MN_OK;
}

static const mn_operation operations[] = {
  MN_COEF_SUMMARY(mn_coef_summary),
  { .name = "diagnostics",
    .brief = "residual of each row, and whether it is an outlier: larger than epsilon times the scale",
    .returns = "Frame: fitted, residual, outlier (1 or 0)",
    .needs = MN_NEEDS_X | MN_NEEDS_Y,
    .run = diagnostics },
  { .name = NULL },
};

static const mn_param params[] = {
  MN_REAL(struct huber_regressor, epsilon, 1.35, MN_AT_LEAST(1),
          "residual from which the loss is linear, in units of the scale; smaller is more robust"),
  MN_PENALTY(struct huber_regressor, alpha, 0.0001, MN_AT_LEAST(0), "L2 penalty on the coefficients"),
  MN_FLAG(struct huber_regressor, fit_intercept, true, "fit an intercept, which is not penalized"),
  MN_COUNT(struct huber_regressor, max_iter, 100, MN_AT_LEAST(1), "maximum number of iterations"),
  MN_REAL(struct huber_regressor, tol, 1e-10, MN_AT_LEAST(0),
          "stop when an iteration can lower the objective by at most this share"),
  MN_END,
};

static const mn_field fields[] = {
  MN_LINEAR_FIELDS("targets"),
  MN_NUMBER(struct huber_regressor, scale, "scale of the errors, estimated with the coefficients"),
  MN_END,
};

const mn_class mn_huber_regressor = {
  .name = "HuberRegressor",
  .family = "linear",
  .brief = "Linear regression with Huber's loss, its scale estimated jointly.",
  .objective = "sum_i w_i (s + s H((y_i - x_i b - c) / s)) + alpha |b|^2",
  .source = "Huber & Ronchetti, Robust Statistics, 2nd ed. (2009), section 7.7; Owen, Contemp. Math. 443 (2007)",
  .notes =
      "The objective is scikit-learn's; tol is smaller, because Newton's method reaches the minimum at little cost. "
      "RobustRegression sets the scale from the median absolute residual instead, which up to half of the rows cannot "
      "spoil, and has standard errors. diagnostics(X, y) marks the outliers.",
  .example = "local X, y = { {1}, {2}, {3}, {4}, {5} }, { 1.1, 1.9, 3.2, 3.9, 50 }\n"
             "local model = ml.HuberRegressor{}:fit(X, y)\n"
             "print(model.coef, model.scale, model:diagnostics(X, y).outlier)",
  .capabilities = MN_REGRESS | MN_ITERATE,
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct huber_regressor),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  MN_LINEAR_PREDICTION,
};
