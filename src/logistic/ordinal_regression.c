/* Regression for ordered classes: proportional odds and other cumulative link models. With F the logistic, normal or
 * complementary log-log distribution function and classes 1 .. K in order,
 *
 *     P(y <= k | x) = F(theta_k - x b),     theta_1 < ... < theta_{K-1}
 *
 * Minimize -sum_i w_i log P(y_i | x_i) + alpha / 2 |b|^2, which is convex in (theta, b), by Newton's method with
 * backtracking; a step that would put the thresholds out of order has an infinite objective. Columns are centered and
 * divided by their root mean squares; standard errors are those of the observed information.
 *
 * McCullagh, JRSS B 42 (1980); Agresti, Analysis of Ordinal Categorical Data, 2nd ed. (2010), chapters 3 and 5. */
#include "ordinal_regression.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "../linear/linear.h"
#include "../linear/scaled_columns.h"
#include "ordinal_likelihood.h"
#include <string.h>

enum { ROWS_PER_POLL = 1024 };
static const char *const links[] = { "logit", "probit", "cloglog", NULL };

struct newton {
  const struct mn_ordinal *m;
  const mn_data *data;
  mn_scaled_columns columns;
  size_t p, t, k;             /* columns, thresholds, both                  */
  double *z;                  /* rows x p                                   */
  size_t *rank;               /* rows                                       */
  double *at, *trial, *step;  /* k: thresholds, then coefficients           */
  double *gradient, *hessian; /* k; k x k                                   */
  double *eta, *curvature;    /* rows                                       */
  double *pull, *cross;       /* rows: derivative by eta; p x t             */
  double value;
};

/* The penalty is on the coefficients of X, not of the scaled columns. */
static double penalty_of(const struct newton *w, size_t j)
{
  return w->m->alpha / (w->columns.norm[j] * w->columns.norm[j]);
}

static mn_status evaluate(mn_context *ctx, const struct newton *w, const double *at, double *value)
{
  *value = 0;
  MN_TRY(mn_gemv(ctx, false, w->data->rows, w->p, 1, w->z, w->p, at + w->t, 0, w->eta));
  for (size_t i = 0; i < w->data->rows; i++) {
    if (i % ROWS_PER_POLL == 0) MN_TRY(mn_poll(ctx));
    *value -= mn_weight(w->data, i) * mn_ordinal_log_proba((int)w->m->link, w->t + 1, at, w->rank[i], w->eta[i]);
  }
  for (size_t j = 0; j < w->p; j++) *value += penalty_of(w, j) / 2 * at[w->t + j] * at[w->t + j];
  return MN_OK;
}

/* Add the terms of row i to the gradient and, in its lower triangle, the Hessian of the thresholds. */
static void add_row(struct newton *w, size_t i)
{
  const size_t k = w->rank[i], above = k, below = k - 1, n = w->k;
  const double weight = mn_weight(w->data, i), *z = w->z + i * w->p;
  const mn_ordinal_row r = mn_ordinal_derivatives((int)w->m->link, w->t + 1, w->at, k, w->eta[i]);
  w->pull[i] = -weight * r.eta;
  w->curvature[i] = fmax(-weight * r.eta_eta, 0); /* rounding may make a zero negative */
  if (above < w->t) {
    w->gradient[above] -= weight * r.above;
    w->hessian[above * n + above] -= weight * r.above_above;
    for (size_t j = 0; j < w->p; j++) w->cross[j * w->t + above] -= weight * r.eta_above * z[j];
  }
  if (k > 0) {
    w->gradient[below] -= weight * r.below;
    w->hessian[below * n + below] -= weight * r.below_below;
    for (size_t j = 0; j < w->p; j++) w->cross[j * w->t + below] -= weight * r.eta_below * z[j];
  }
  if (k > 0 && above < w->t) w->hessian[above * n + below] -= weight * r.above_below;
}

/* Gradient and Hessian at w->at, with both triangles. */
static mn_status differentiate(mn_context *ctx, struct newton *w)
{
  const size_t p = w->p, t = w->t, k = w->k;
  memset(w->gradient, 0, k * sizeof *w->gradient);
  memset(w->hessian, 0, k * k * sizeof *w->hessian);
  memset(w->cross, 0, p * t * sizeof *w->cross);
  MN_TRY(mn_gemv(ctx, false, w->data->rows, p, 1, w->z, p, w->at + t, 0, w->eta));
  for (size_t i = 0; i < w->data->rows; i++) {
    if (i % ROWS_PER_POLL == 0) MN_TRY(mn_poll(ctx));
    add_row(w, i);
  }
  const mn_mark mark = mn_scratch_mark(ctx);
  double *gram = MN_RAW(ctx, double, p, p);
  MN_CHECK_ALLOC(gram);
  MN_TRY(mn_gemv(ctx, true, w->data->rows, p, 1, w->z, p, w->pull, 0, w->gradient + t));
  MN_TRY(mn_syrk(ctx, w->data->rows, p, w->z, p, w->curvature, NULL, gram, p));
  for (size_t j = 0; j < p; j++) {
    w->gradient[t + j] += penalty_of(w, j) * w->at[t + j];
    for (size_t i = 0; i < p; i++) w->hessian[(t + j) * k + t + i] = gram[j * p + i];
    for (size_t i = 0; i < t; i++) w->hessian[(t + j) * k + i] = w->cross[j * t + i];
    w->hessian[(t + j) * k + t + j] += penalty_of(w, j);
  }
  for (size_t i = 0; i < k; i++)
    for (size_t j = 0; j < i; j++) w->hessian[j * k + i] = w->hessian[i * k + j];
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* The Newton step; where columns are collinear, a small multiple of the diagonal is added. */
static mn_status find_step(mn_context *ctx, struct newton *w, double *decrement)
{
  const size_t k = w->k;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *l = MN_RAW(ctx, double, k, k), jitter = 0;
  size_t minor = 1;
  MN_CHECK_ALLOC(l);
  MN_TRY(differentiate(ctx, w));
  for (int attempt = 0; attempt < 12 && minor > 0; attempt++) {
    memcpy(l, w->hessian, k * k * sizeof *l);
    for (size_t j = 0; j < k; j++) l[j * k + j] += l[j * k + j] > 0 ? jitter * l[j * k + j] : 1;
    MN_TRY(mn_chol_try(ctx, k, l, NULL, &minor));
    jitter = jitter > 0 ? 100 * jitter : 1e-13;
  }
  if (minor > 0)
    return mn_fail(ctx, MN_SINGULAR,
                   "OrdinalRegression: the columns of X are collinear; remove columns, or raise alpha");
  for (size_t j = 0; j < k; j++) w->step[j] = -w->gradient[j];
  MN_TRY(mn_chol_apply(ctx, k, 1, l, w->step));
  *decrement = 0;
  for (size_t j = 0; j < k; j++) *decrement -= w->gradient[j] * w->step[j];
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status line_search(mn_context *ctx, struct newton *w, double decrement, bool *moved)
{
  const double slack = 1e-14 * fabs(w->value);
  double length = 1, value;
  *moved = false;
  for (int halvings = 0; halvings < 40; halvings++, length /= 2) {
    for (size_t j = 0; j < w->k; j++) w->trial[j] = w->at[j] + length * w->step[j];
    MN_TRY(evaluate(ctx, w, w->trial, &value));
    if (!(value <= w->value - 1e-4 * length * decrement + slack)) continue;
    double *swap = w->at;
    w->at = w->trial;
    w->trial = swap;
    *moved = value < w->value;
    w->value = value;
    return MN_OK;
  }
  return MN_OK;
}

/* The thresholds of the shares of the classes, which minimize without columns; also the log-likelihood there. */
static void start(struct newton *w, double *figure)
{
  const double total = figure[MN_ORDINAL_TOTAL] = mn_total_weight(w->data);
  double below = 0;
  for (size_t k = 0; k <= w->t; k++) {
    double weight = 0;
    for (size_t i = 0; i < w->data->rows; i++) weight += w->rank[i] == k ? mn_weight(w->data, i) : 0;
    if (weight > 0) figure[MN_ORDINAL_NULL_LOGLIK] += weight * log(weight / total);
    below += weight;
    if (k < w->t) w->at[k] = mn_ordinal_quantile((int)w->m->link, fmin(fmax(below / total, 1e-9), 1 - 1e-9));
  }
}

static mn_status init(mn_context *ctx, struct mn_ordinal *m, const mn_data *data, struct newton *w)
{
  const size_t n = data->rows, p = data->features, t = data->classes - 1, k = p + t;
  *w = (struct newton){ .m = m, .data = data, .p = p, .t = t, .k = k };
  MN_TRY(mn_scaled_columns_init(ctx, data, true, &w->columns));
  w->columns.intercept = false; /* the thresholds take its place */
  w->z = MN_RAW(ctx, double, n, p);
  w->rank = MN_RAW(ctx, size_t, n, 1);
  double *at = MN_NEW(ctx, double, 4, k), *of_rows = MN_RAW(ctx, double, 3, n);
  w->hessian = MN_RAW(ctx, double, k, k);
  w->cross = MN_RAW(ctx, double, p, t);
  if (!w->z || !w->rank || !at || !of_rows || !w->hessian || !w->cross) return MN_NO_MEMORY;
  w->at = at;
  w->trial = at + k;
  w->step = at + 2 * k;
  w->gradient = at + 3 * k;
  w->eta = of_rows;
  w->curvature = of_rows + n;
  w->pull = of_rows + 2 * n;
  MN_TRY(mn_scaled_matrix(ctx, &w->columns, data, w->z));
  for (size_t i = 0; i < n; i++) w->rank[i] = (size_t)m->ranks.at[data->code[i]];
  start(w, m->figures.at);
  return evaluate(ctx, w, w->at, &w->value);
}

/* Whether the label is the one that the parameter gives at a position. */
static bool is_label(const struct mn_ordinal *m, size_t position, const mn_label *label)
{
  char text[128], number[MN_NUMBER_SIZE];
  const char *name = mn_format_label(text, sizeof text, *label);
  if (m->order.name.size > 0) return strcmp(name, m->order.name.at[position]) == 0;
  return strcmp(name, mn_format_number(number, m->order.value.at[position])) == 0;
}

/* The position of each class in the order that was given, or that of the classes. */
static mn_status find_ranks(mn_context *ctx, struct mn_ordinal *m, size_t classes)
{
  const size_t given = m->order.name.size > 0 ? m->order.name.size : m->order.value.size;
  char text[128];
  MN_TRY(mn_indexes_init(ctx, &m->ranks, classes));
  if (mn_columns_are_set(&m->order) && given != classes)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "OrdinalRegression: order must list each of the %zu classes, got %zu", classes,
                   given);
  for (size_t c = 0; c < classes; c++) {
    const mn_label label = mn_levels_at(m->base.classes, c);
    size_t position = given > 0 ? 0 : c;
    while (position < given && !is_label(m, position, &label)) position++;
    if (given > 0 && position == given)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "OrdinalRegression: order must list each class, but not %s",
                     mn_format_label(text, sizeof text, label));
    m->ranks.at[c] = (int32_t)position;
  }
  return MN_OK;
}

/* In place, a covariance of the scaled coefficients and thresholds to that of coefficients, then thresholds, of X. */
static mn_status unscale_covariance(mn_context *ctx, const struct newton *w, const double *v, double *out)
{
  const size_t p = w->p, t = w->t, k = w->k;
  double *map = MN_NEW(ctx, double, k, k), *half = MN_RAW(ctx, double, k, k); /* map: rows as in out */
  if (!map || !half) return MN_NO_MEMORY;
  for (size_t j = 0; j < p; j++) map[j * k + t + j] = 1 / w->columns.norm[j];
  for (size_t i = 0; i < t; i++) {
    map[(p + i) * k + i] = 1;
    for (size_t j = 0; j < p; j++) map[(p + i) * k + t + j] = w->columns.mean[j] / w->columns.norm[j];
  }
  MN_TRY(mn_gemm(ctx, false, false, k, k, k, 1, map, k, v, k, 0, half, k));
  return mn_gemm(ctx, false, true, k, k, k, 1, half, k, map, k, 0, out, k);
}

/* The inverse of the observed information; NaN if it is singular. */
static mn_status infer(mn_context *ctx, struct newton *w, mn_matrix *out)
{
  const size_t k = w->k;
  double *scale = MN_RAW(ctx, double, k, 1), *v = MN_RAW(ctx, double, k, k), rcond = 0;
  size_t minor;
  if (!scale || !v) return MN_NO_MEMORY;
  MN_TRY(differentiate(ctx, w));
  MN_TRY(mn_matrix_init(ctx, out, k, k));
  for (size_t i = 0; i < k; i++) scale[i] = w->hessian[i * k + i] > 0 ? 1 / sqrt(w->hessian[i * k + i]) : 0;
  for (size_t i = 0; i < k; i++)
    for (size_t j = 0; j < k; j++) v[i * k + j] = w->hessian[i * k + j] * scale[i] * scale[j];
  MN_TRY(mn_chol_try(ctx, k, v, &rcond, &minor));
  if (minor > 0 || !(rcond > 100 * DBL_EPSILON)) {
    for (size_t i = 0; i < k * k; i++) out->at[i] = (double)NAN;
    return MN_OK;
  }
  MN_TRY(mn_chol_inverse(ctx, k, v));
  for (size_t i = 0; i < k; i++)
    for (size_t j = 0; j < k; j++) v[i * k + j] *= scale[i] * scale[j];
  return unscale_covariance(ctx, w, v, out->at);
}

static mn_status store(mn_context *ctx, struct mn_ordinal *m, struct newton *w)
{
  double shift = 0;
  MN_TRY(mn_vector_init(ctx, &m->coef, w->p));
  MN_TRY(mn_vector_init(ctx, &m->thresholds, w->t));
  for (size_t j = 0; j < w->p; j++) {
    m->coef.at[j] = w->at[w->t + j] / w->columns.norm[j];
    shift += m->coef.at[j] * w->columns.mean[j];
  }
  for (size_t k = 0; k < w->t; k++) m->thresholds.at[k] = w->at[k] + shift;
  for (size_t j = 0; j < w->p; j++)
    m->figures.at[MN_ORDINAL_LOGLIK] += penalty_of(w, j) / 2 * w->at[w->t + j] * w->at[w->t + j];
  m->figures.at[MN_ORDINAL_LOGLIK] -= w->value;
  return m->alpha > 0 ? MN_OK : infer(ctx, w, &m->covariance);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_ordinal *m = self;
  mn_report *r = &m->base.report;
  struct newton w;
  bool moved = true, keep_going = true;
  r->advice =
      m->alpha > 0 ? "raise max_iter or alpha" : "if the classes are separable the coefficients diverge; use alpha > 0";
  MN_TRY(mn_check_magnitudes(ctx, &m->base, data));
  MN_TRY(find_ranks(ctx, m, data->classes));
  MN_TRY(mn_vector_init(ctx, &m->figures, MN_ORDINAL_FIGURES));
  MN_TRY(init(ctx, m, data, &w));
  while (keep_going && moved && !r->converged && r->n_iter < m->max_iter) {
    double decrement = 0;
    MN_TRY(find_step(ctx, &w, &decrement));
    r->change = fmax(decrement, 0) / 2 / fmax(fabs(w.value), DBL_MIN);
    r->converged = r->change <= m->tol;
    MN_TRY(line_search(ctx, &w, decrement, &moved));
    r->converged = r->converged || !moved;
    keep_going = mn_round(ctx, r, m->max_iter, w.value);
  }
  MN_TRY(mn_error_status(ctx));
  MN_TRY(store(ctx, m, &w));
  if (m->alpha > 0 || m->figures.at[MN_ORDINAL_LOGLIK] < 1e-6 * m->figures.at[MN_ORDINAL_NULL_LOGLIK]) return MN_OK;
  r->converged = false; /* the likelihood is 1 up to rounding: the classes are separable */
  return MN_OK;
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct mn_ordinal *m = self;
  for (size_t i = 0; i < data->rows; i++) {
    if (i % ROWS_PER_POLL == 0) MN_TRY(mn_poll(ctx));
    const double *x = mn_row(&data->x, i);
    double eta = 0;
    for (size_t j = 0; j < data->features; j++) eta += x[j] * m->coef.at[j];
    for (size_t c = 0; c < out->cols; c++)
      mn_row(out, i)[c] = mn_ordinal_log_proba((int)m->link, out->cols, m->thresholds.at, (size_t)m->ranks.at[c], eta);
  }
  return MN_OK;
}

/* Checks after load that array shapes do not cover. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct mn_ordinal *m = self;
  const size_t classes = mn_levels_size(m->base.classes), k = m->base.n_features + classes - 1;
  bool valid = m->coef.size == m->base.n_features && m->thresholds.size == classes - 1 && m->ranks.size == classes &&
               m->figures.size == MN_ORDINAL_FIGURES &&
               (!m->covariance.at || (m->covariance.rows == k && m->covariance.cols == k));
  for (size_t t = 1; valid && t < m->thresholds.size; t++) valid = m->thresholds.at[t - 1] <= m->thresholds.at[t];
  for (size_t a = 0; valid && a < classes; a++)
    for (size_t b = 0; b < a; b++) valid = valid && m->ranks.at[a] != m->ranks.at[b];
  return valid ? MN_OK
               : mn_fail(ctx, MN_BAD_FILE, "OrdinalRegression: a part of the fitted model is missing or invalid");
}

/* log F and log(1 - F) at z, in the row language; the same as in ordinal_likelihood.c. */
#define LOGIT_TAILS(z, cdf, sf)                                                                                        \
  "real q = log1p(exp(-abs(" z "))) " cdf " = (" z " < 0 ? " z " : 0.0) - q " sf " = (" z " > 0 ? -" z " : 0.0) - q"
#define CLOGLOG_TAILS(z, cdf, sf) sf " = -exp(" z ") " cdf " = log(-expm1(-exp(" z ")))"

#define ADD_LOG_ONE_MINUS_EXP " out[c] = out[c] + (d > -0.6931471805599453 ? log(-expm1(d)) : log1p(-exp(d)))"

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct mn_ordinal *m = self;
  const bool logit = m->link == MN_ORDINAL_LOGIT;
  if (m->link == MN_ORDINAL_PROBIT)
    return mn_cannot_export(ctx, self, "exported programs have no normal distribution for link 'probit'");
  if (action != MN_PREDICT_LOG_PROBA) return MN_OK;
  mn_program_reals(program, "coef", m->coef.size, m->coef.at);
  mn_program_reals(program, "threshold", m->thresholds.size, m->thresholds.at);
  mn_program_indexes(program, "rank", m->ranks.size, m->ranks.at);
  mn_program_count(program, "last", m->thresholds.size);
  mn_program_code(program, "real eta = 0.0 for j < features { eta += x[j] * coef[j] }"
                           " for c < outputs { int k = rank[c] real u = 0.0 real l = 0.0"
                           " real cdf = 0.0 real above = 0.0 real below = 0.0 real sf = 0.0"
                           " if k < last { u = threshold[k] - eta ");
  mn_program_code(program, logit ? LOGIT_TAILS("u", "cdf", "above") : CLOGLOG_TAILS("u", "cdf", "above"));
  mn_program_code(program, " } if k > 0 { l = threshold[k - 1] - eta ");
  mn_program_code(program, logit ? LOGIT_TAILS("l", "below", "sf") : CLOGLOG_TAILS("l", "below", "sf"));
  mn_program_code(program, " } if k > 0 and k < last and !(u > l) { out[c] = -infinity } else {"
                           " if cdf <= sf { out[c] = cdf if k > 0 { real d = below - cdf" ADD_LOG_ONE_MINUS_EXP " } }"
                           " else { out[c] = sf if k < last { real d = above - sf" ADD_LOG_ONE_MINUS_EXP " } } } }");
  return MN_OK;
}

static const mn_param params[] = {
  MN_CHOICE(struct mn_ordinal, link, MN_ORDINAL_LOGIT, links,
            "distribution of the latent variable; logit: proportional odds; probit; cloglog: proportional hazards"),
  { .name = "order",
    .kind = MN_KIND_COLUMNS,
    .offset = offsetof(struct mn_ordinal, order),
    .initial = (double)NAN,
    MN_NO_LIMITS(),
    .labels = true,
    .brief =
        "classes from low to high, { 'low', 'medium', 'high' }; nil: numbers ascending, text in alphabetical order" },
  MN_PENALTY(struct mn_ordinal, alpha, 0, MN_AT_LEAST(0), "L2 penalty on the coefficients; 0: none"),
  MN_COUNT(struct mn_ordinal, max_iter, 100, MN_AT_LEAST(1), "maximum number of iterations"),
  MN_REAL(struct mn_ordinal, tol, 1e-10, MN_AT_LEAST(0),
          "stop when an iteration can lower the objective by at most this share"),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct mn_ordinal, coef, "features", "coefficients: a positive one makes high classes more likely"),
  MN_VECTOR(struct mn_ordinal, thresholds, "thresholds", "thresholds between neighboring classes, ascending"),
  MN_INDEXES(struct mn_ordinal, ranks, "classes < classes", "position of each class in the order"),
  MN_LEARNED(MN_KIND_MATRIX, struct mn_ordinal, covariance, "terms? x terms?", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct mn_ordinal, figures, "figures", NULL),
  MN_END,
};

const mn_class mn_ordinal_regression = {
  .name = "OrdinalRegression",
  .family = "linear",
  .brief = "Regression for ordered classes: proportional odds, ordered probit, cloglog.",
  .objective = "-sum_i w_i log P(y_i | x_i) + alpha / 2 |b|^2, P(y <= k | x) = F(theta_k - x b)",
  .source = "McCullagh, JRSS B 42 (1980); Agresti, Analysis of Ordinal Categorical Data (2010)",
  .notes =
      "As polr of R's MASS and OrderedModel of statsmodels. Give the order of text labels, which would be "
      "alphabetical, or use numbers. There is no intercept: the thresholds take its place. Standard errors are those "
      "of the observed information. Exported Lua programs agree within 4 units in the last place; link probit is not "
      "exported.",
  .example = "local X, y = { {1}, {2}, {3}, {4}, {5}, {6} }, { 'low', 'low', 'mid', 'low', 'high', 'mid' }\n"
             "local model = ml.OrdinalRegression{ order = { 'low', 'mid', 'high' } }:fit(X, y)\n"
             "print(model:summary(), model:predict{ {2.5}, {9} })",
  .capabilities = MN_CLASSIFY | MN_ITERATE,
  .accepts = MN_WEIGHTS | MN_CLASS_WEIGHT,
  .size = sizeof(struct mn_ordinal),
  .params = params,
  .fields = fields,
  .operations = mn_ordinal_operations,
  .fit = fit,
  .log_proba = log_proba,
  .export = export,
  .check = check,
};
