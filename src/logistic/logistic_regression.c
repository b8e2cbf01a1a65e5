/* Logistic regression. Minimize over B and c
 *
 *     C sum_i w_i loss(y_i, x_i B + c) + 1/2 |B|^2
 *
 * with the logistic loss for two classes and that of the softmax for more; or with |B|_1, a mixture of both norms, or
 * no penalty. Solvers:
 *
 * newton  (two classes) Newton's method (logistic_newton.h). With auto and many rows, a few iterations of lbfgs lead to
 *         its start, and the Hessian of all rows is computed about once.
 * lbfgs   L-BFGS, preconditioned by the Hessian at 0 of a sample of the rows: B = inv(L') Z with L L' = C a X'X + I, X
 *         centered, a = p(1 - p) at equal probabilities. Boehning (Ann. Inst. Stat. Math. 44, 1992) shows that this
 *         Hessian bounds the others up to a factor. Sparse X: its diagonal. With two classes and many rows, newton
 *         solves the sample, and L-BFGS starts there with the Hessian there; it then takes a few passes over X and no
 *         Gram matrix of all rows.
 * cd      with an L1 norm in the penalty: Newton's method with coordinate descent inside (logistic_cd.h).
 *
 * Without an L1 norm auto chooses newton for two classes, unless there are many times more rows than columns.
 *
 * LinearModelClassifier minimizes the same loss by the general solvers of descent.h. What this class adds is the
 * softmax and, for few columns, speed: newton takes half the time of their L-BFGS for 20000 x 20 (7 against 14 ms), but
 * eight times as long for 2000 x 300 (61 against 8 ms). */
#include "../factorization/lapack.h"
#include "../optim/lbfgs.h"
#include "../linalg/product.h"
#include "logistic_cd.h"
#include "logistic_gap.h"
#include "logistic_model.h"
#include "logistic_newton.h"
#include "logistic_objective.h"
#include "logistic_sample.h"
#include "logistic_separation.h"
#include "logistic_subsets.h"
#include <string.h>

enum { SOLVER_AUTO, SOLVER_NEWTON, SOLVER_LBFGS, SOLVER_CD, SOLVER_SAGA };
static const char *const penalties[] = { "l2", "none", "l1", "elasticnet", NULL };
static const char *const solvers[] = { "auto", "newton", "lbfgs", "cd", "saga", NULL };

/* Store B (p x k, by columns) and c as coef (k x p) and intercept. */
static mn_status store_coefficients(mn_context *ctx, struct mn_logistic *m, size_t p, size_t k, const double *b,
                                    const double *c)
{
  MN_TRY(mn_linear_init(ctx, &m->linear, k, p));
  for (size_t t = 0; t < k; t++) {
    m->linear.intercept.at[t] = c[t];
    for (size_t j = 0; j < p; j++) m->linear.coef.at[t * p + j] = b[j * k + t];
  }
  return MN_OK;
}

#define SMALL_CHANGE 1e-6 /* share of the objective: the step changes each curvature by about 0.3% */
#define EXPECTED_DECREASE 1e-4

struct scaled_problem {
  mn_context *ctx;
  mn_logistic_objective *o;
  struct mn_logistic *m;
  double *factor;          /* p x p: L; NULL: no change of variables (sparse X) */
  double *mean;            /* p */
  double *b, *c, *gb, *gc; /* unscaled */
  double intercept_scale;  /* c = scaled intercept / intercept_scale */
};

/* Convert Z (p x k) and the scaled intercepts to B and c. */
static mn_status unscale(struct scaled_problem *s, const double *z)
{
  const size_t p = s->o->p, k = s->o->decisions;
  memcpy(s->b, z, p * k * sizeof *z);
  if (s->factor) MN_TRY(mn_chol_upper(s->ctx, p, k, s->factor, s->b));
  for (size_t t = 0; t < k; t++) {
    s->c[t] = s->o->fit_intercept ? z[p * k + t] / s->intercept_scale : 0;
    for (size_t j = 0; s->o->fit_intercept && j < p; j++) s->c[t] -= s->mean[j] * s->b[j * k + t];
  }
  return MN_OK;
}

static double scaled_value(void *problem, const double *z, double *gradient)
{
  struct scaled_problem *s = problem;
  const size_t p = s->o->p, k = s->o->decisions;
  double value = (double)NAN;
  if (unscale(s, z) != MN_OK || mn_logistic_evaluate(s->ctx, s->o, s->b, s->c, &value, s->gb, s->gc) != MN_OK)
    return (double)NAN;
  for (size_t j = 0; j < p; j++)
    for (size_t t = 0; t < k; t++) gradient[j * k + t] = s->gb[j * k + t] - s->mean[j] * s->gc[t];
  if (s->factor && mn_chol_lower(s->ctx, p, k, s->factor, gradient) != MN_OK) return (double)NAN;
  for (size_t t = 0; t < k; t++) gradient[p * k + t] = s->gc[t] / s->intercept_scale;
  return value;
}

static bool progress(void *problem, double objective)
{
  struct scaled_problem *s = problem;
  return mn_record_round(s->ctx, &s->m->linear.base.report, objective);
}

/* Number of rows whose Hessian at 0 preconditions L-BFGS. */
static size_t sample_size(size_t p)
{
  return 8 * p + 1000;
}

static mn_status precondition(struct scaled_problem *s, double curvature)
{
  mn_context *ctx = s->ctx;
  const mn_data *d = s->o->data;
  const size_t p = s->o->p, sample_limit = sample_size(p), sample = d->rows < sample_limit ? d->rows : sample_limit;
  double total, largest = 0;
  mn_data part;
  size_t minor;
  double *l = MN_RAW(ctx, double, p, p);
  MN_CHECK_ALLOC(l);
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(mn_logistic_sample_rows(ctx, d, NULL, d->rows, sample, &part));
  MN_TRY(mn_gram(ctx, sample, p, part.x.at, p, 0, NULL, 0, part.weights, s->o->fit_intercept, &total, s->mean, l, p));
  if (!s->o->fit_intercept) memset(s->mean, 0, p * sizeof *s->mean);
  const double scale = s->o->C * curvature * mn_total_weight(d) / (total > 0 ? total : 1);
  for (size_t i = 0; i < p * p; i++) l[i] *= scale;
  for (size_t j = 0; j < p; j++) largest = fmax(largest, l[j * p + j]);
  for (size_t j = 0; j < p; j++) l[j * p + j] += s->o->penalty + 1e-8 * largest + DBL_MIN;
  MN_TRY(mn_chol_try(ctx, p, l, NULL, &minor));
  mn_scratch_release(ctx, mark);
  s->factor = minor == 0 ? l : NULL;
  return MN_OK;
}

/* Two classes: start z from the solution of a sample, with the Hessian there. *found is false when it is no better than
 * 0. */
static mn_status start_from_sample(struct scaled_problem *s, double *z, bool *found)
{
  mn_context *ctx = s->ctx;
  const size_t p = s->o->p;
  mn_logistic_sample w;
  double value;
  MN_TRY(mn_logistic_sample_init(ctx, p, &w));
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(mn_logistic_solve_sample(ctx, s->o, NULL, s->o->data->rows, &w));
  mn_scratch_release(ctx, mark);
  MN_TRY(mn_logistic_evaluate(ctx, s->o, w.b, &w.c, &value, s->gb, s->gc));
  *found = value < s->o->C * mn_total_weight(s->o->data) * log(2);
  if (!*found) return MN_OK;
  s->factor = w.factor;
  s->intercept_scale = fmax(sqrt(w.intercept_curvature), 1e-150);
  memcpy(s->mean, w.mean, p * sizeof *s->mean);
  z[p] = w.c;
  for (size_t i = 0; i < p; i++) {
    z[p] += s->mean[i] * w.b[i];
    for (size_t j = i; j < p; j++) z[i] += s->factor[j * p + i] * w.b[j]; /* L' b */
  }
  z[p] *= s->intercept_scale;
  return MN_OK;
}

/* Approximate inverse of the diagonal of the Hessian at 0, for sparse X. */
static mn_status diagonal_preconditioner(struct scaled_problem *s, double curvature, double **inverse)
{
  const mn_csr *x = s->o->data->sparse;
  const size_t p = s->o->p, k = s->o->decisions;
  double *diagonal = MN_NEW(s->ctx, double, p, 1);
  *inverse = MN_RAW(s->ctx, double, p + 1, k);
  if (!diagonal || !*inverse) return MN_NO_MEMORY;
  for (size_t i = 0; i < x->rows; i++)
    for (size_t e = x->start[i]; e < x->start[i + 1]; e++)
      diagonal[x->col[e]] += mn_weight(s->o->data, i) * x->at[e] * x->at[e];
  for (size_t j = 0; j < p; j++) {
    const double h = s->o->C * curvature * diagonal[j] + s->o->penalty;
    for (size_t t = 0; t < k; t++) (*inverse)[j * k + t] = h > 0 ? 1 / h : 1;
  }
  for (size_t t = 0; t < k; t++) (*inverse)[p * k + t] = 1;
  return MN_OK;
}

static mn_status alloc_scaled(mn_context *ctx, struct scaled_problem *s)
{
  const size_t p = s->o->p, k = s->o->decisions;
  s->mean = MN_NEW(ctx, double, p + 1, 1);
  s->b = MN_NEW(ctx, double, p, k);
  s->gb = MN_NEW(ctx, double, p, k);
  s->c = MN_NEW(ctx, double, k, 1);
  s->gc = MN_NEW(ctx, double, k, 1);
  return s->mean && s->b && s->gb && s->c && s->gc ? MN_OK : MN_NO_MEMORY;
}

/* L-BFGS from z; then s->b and s->c are the result. */
static mn_status run_lbfgs(struct scaled_problem *s, double *z, double *inverse, double tol, int64_t max_iter)
{
  mn_context *ctx = s->ctx;
  const size_t n = (s->o->p + 1) * s->o->decisions;
  mn_report *r = &s->m->linear.base.report;
  if (s->factor) { /* the Hessian is close to the identity in these variables: try the full first step */
    inverse = MN_RAW(ctx, double, n, 1);
    MN_CHECK_ALLOC(inverse);
    for (size_t i = 0; i < n; i++) inverse[i] = 1;
  }
  const mn_lbfgs_options options = {
    .max_iter = (size_t)max_iter, .objective_tolerance = tol, .inverse = inverse, .note = progress
  };
  mn_lbfgs_report report;
  MN_TRY(mn_lbfgs(ctx, n, z, scaled_value, s, &options, &report));
  r->converged = report.converged;
  r->objective = report.objective;
  r->change = report.gradient_norm;
  if (r->n_iter == 0) r->n_iter = 1;
  return unscale(s, z);
}

/* Curvature of the loss at equal probabilities. */
static double initial_curvature(const mn_logistic_objective *o)
{
  const double classes = (double)o->data->classes;
  return 1 / classes * (1 - 1 / classes);
}

static mn_status solve_by_lbfgs(mn_context *ctx, struct mn_logistic *m, mn_logistic_objective *o)
{
  const size_t p = o->p, k = o->decisions;
  struct scaled_problem s = { .ctx = ctx, .o = o, .m = m };
  double *z = MN_NEW(ctx, double, p + 1, k), *inverse = NULL;
  const double curvature = initial_curvature(o);
  MN_CHECK_ALLOC(z);
  MN_TRY(alloc_scaled(ctx, &s));
  s.intercept_scale = fmax(sqrt(o->C * curvature * mn_total_weight(o->data)), 1e-150);
  bool found = false;
  if (mn_logistic_prefers_sample(o, o->data->rows)) MN_TRY(start_from_sample(&s, z, &found));
  if (o->data->sparse)
    MN_TRY(diagonal_preconditioner(&s, curvature, &inverse));
  else if (!found)
    MN_TRY(precondition(&s, curvature));
  MN_TRY(run_lbfgs(&s, z, inverse, m->tol, m->max_iter));
  return store_coefficients(ctx, m, p, k, s.b, s.c);
}

#define START_TOL 1e-4 /* share of the objective that the last iteration lowers; much less is then left to gain */
enum { START_ITERATIONS = 8 };

/* Start Newton's method where a few iterations of L-BFGS lead: each costs a quarter of a Hessian of all rows. */
static mn_status start_newton(mn_context *ctx, struct mn_logistic *m, mn_logistic_newton *w)
{
  mn_logistic_objective *o = w->o;
  struct scaled_problem s = { .ctx = ctx, .o = o, .m = m };
  const double curvature = initial_curvature(o);
  double *z = MN_NEW(ctx, double, o->p + 1, 1);
  MN_CHECK_ALLOC(z);
  MN_TRY(alloc_scaled(ctx, &s));
  s.intercept_scale = fmax(sqrt(o->C * curvature * mn_total_weight(o->data)), 1e-150);
  MN_TRY(precondition(&s, curvature));
  if (!s.factor) return MN_OK;
  MN_TRY(run_lbfgs(&s, z, NULL, START_TOL, m->max_iter < START_ITERATIONS ? m->max_iter : START_ITERATIONS));
  m->linear.base.report.converged = false;
  w->b = s.b;
  w->c = s.c[0];
  return MN_OK;
}

/* Whether there are so many rows that the Hessian of all of them costs far more than that of a sample. */
static bool prefer_start(const mn_logistic_objective *o)
{
  return o->penalty > 0 && o->data->rows >= 8 * sample_size(o->p);
}

static mn_status solve_by_newton(mn_context *ctx, struct mn_logistic *m, mn_logistic_objective *o)
{
  mn_logistic_newton w = { .o = o };
  if (m->solver == SOLVER_AUTO && prefer_start(o)) MN_TRY(start_newton(ctx, m, &w));
  MN_TRY(mn_logistic_run_newton(ctx, &w, m->tol, m->max_iter, &m->linear.base.report));
  return store_coefficients(ctx, m, o->p, 1, w.b, &w.c);
}

static bool progress_cd(void *user, double objective)
{
  struct scaled_problem *s = user;
  return mn_round(s->ctx, &s->m->linear.base.report, s->m->max_iter, objective);
}

static mn_status solve_by_cd(mn_context *ctx, struct mn_logistic *m, const mn_logistic_objective *o)
{
  const double l1 = m->penalty == MN_PENALTY_L1 ? 1 : m->penalty == MN_PENALTY_ELASTICNET ? m->l1_ratio : 0;
  const mn_logistic_problem problem = { .data = o->data,
                                        .C = o->C,
                                        .l1 = l1,
                                        .l2 = m->penalty == MN_PENALTY_NONE ? 0 : 1 - l1,
                                        .tol = m->tol,
                                        .fit_intercept = o->fit_intercept,
                                        .decisions = o->decisions,
                                        .max_iter = m->max_iter,
                                        .saga = m->solver == SOLVER_SAGA };
  struct scaled_problem progress_state = { .ctx = ctx, .m = m };
  MN_TRY(mn_linear_init(ctx, &m->linear, o->decisions, o->data->features));
  MN_TRY(mn_logistic_fit_cd(ctx, &problem, m->linear.coef.at, m->linear.intercept.at, &m->linear.base.report,
                            progress_cd, &progress_state));
  return mn_logistic_gap(ctx, &problem, m->linear.coef.at, m->linear.intercept.at, &m->gap);
}

static bool prefer_newton(const mn_logistic_objective *o)
{
  return o->decisions == 1 && !o->data->sparse && o->p <= 1000 && !mn_logistic_prefers_sample(o, o->data->rows);
}

static mn_status minimize(mn_context *ctx, struct mn_logistic *m, mn_logistic_objective *o)
{
  const bool has_l1 = m->penalty == MN_PENALTY_L1 || m->penalty == MN_PENALTY_ELASTICNET;
  if (has_l1 || m->solver == SOLVER_CD || m->solver == SOLVER_SAGA) return solve_by_cd(ctx, m, o);
  MN_TRY(mn_logistic_objective_init(ctx, o));
  const bool newton = m->solver == SOLVER_NEWTON || (m->solver == SOLVER_AUTO && prefer_newton(o));
  return newton ? solve_by_newton(ctx, m, o) : solve_by_lbfgs(ctx, m, o);
}

/* Without a penalty separable classes have no minimum. */
static mn_status check_separation(mn_context *ctx, struct mn_logistic *m, const mn_logistic_objective *o)
{
  const size_t n = o->data->rows, k = o->decisions;
  if (m->penalty != MN_PENALTY_NONE) return MN_OK;
  mn_matrix z = { .rows = n, .cols = k, .at = MN_RAW(ctx, double, n, k) };
  MN_CHECK_ALLOC(z.at);
  MN_TRY(mn_linear_predict(ctx, m, o->data, &z));
  if (!mn_logistic_separates(o->data, o->data->code, k, z.at, k)) return MN_OK;
  m->linear.base.report.converged = false;
  m->linear.base.report.advice = mn_logistic_separable_advice;
  m->linear.base.report.scaled_advice = NULL;
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_logistic *m = self;
  mn_logistic_objective o = { .data = data,
                              .C = m->C,
                              .penalty = m->penalty == MN_PENALTY_L2 ? 1 : 0,
                              .fit_intercept = m->fit_intercept,
                              .decisions = mn_decisions(&m->linear.base) };
  m->gap = (double)NAN;
  m->linear.base.report.advice = m->penalty == MN_PENALTY_NONE
                                     ? "if the classes are separable the coefficients diverge; use penalty = 'l2'"
                                     : "raise max_iter or scale the columns";
  if (m->penalty != MN_PENALTY_NONE) m->linear.base.report.scaled_advice = "raise max_iter or tol, or lower C";
  MN_TRY(mn_check_magnitudes(ctx, &m->linear.base, data));
  if (m->solver == SOLVER_NEWTON && (o.decisions > 1 || data->sparse))
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "LogisticRegression: solver 'newton' supports only two classes and dense X; use 'auto'");
  if (m->solver == SOLVER_SAGA && o.decisions > 1)
    return mn_fail(
        ctx, MN_BAD_ARGUMENT,
        "LogisticRegression: solver 'saga' supports only two classes, got %zu; use 'auto', or OneVsRestClassifier for one against the rest",
        data->classes);
  const bool has_l1 = m->penalty == MN_PENALTY_L1 || m->penalty == MN_PENALTY_ELASTICNET;
  const bool supports_l1 = m->solver == SOLVER_CD || m->solver == SOLVER_SAGA;
  if (has_l1 && m->solver != SOLVER_AUTO && !supports_l1)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "LogisticRegression: penalty '%s' requires solver 'cd' or 'saga', got '%s'; use 'auto'",
                   penalties[m->penalty], solvers[m->solver]);
  MN_TRY(minimize(ctx, m, &o));
  MN_TRY(check_separation(ctx, m, &o));
  return m->penalty == MN_PENALTY_NONE ? mn_logistic_inference(ctx, m, data) : MN_OK;
}

enum { MAX_SUBSETS = 16 }; /* at once: the scores take as many values as 16 columns of X */

static mn_status fit_batch(mn_context *ctx, mn_estimator *const *selves, const mn_row_list *subset, size_t n,
                           const mn_logistic_objective *o, bool *done)
{
  mn_logistic_solution solution[MAX_SUBSETS];
  for (size_t s = 0; s < n; s++) solution[s] = (mn_logistic_solution){ .report = &selves[s]->report };
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(mn_logistic_fit_subsets(ctx, o, subset, n, ((struct mn_logistic *)selves[0])->tol, solution));
  for (size_t s = 0; s < n; s++) {
    struct mn_logistic *m = (struct mn_logistic *)selves[s];
    if (!solution[s].found) continue;
    m->gap = (double)NAN;
    m->linear.base.report.converged = done[s] = true;
    MN_TRY(store_coefficients(ctx, m, o->data->features, 1, solution[s].b, &solution[s].c));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Where fit would start L-BFGS from the solution of a sample. */
static mn_status fit_subsets(mn_context *ctx, mn_estimator *const *selves, const mn_row_list *subset, size_t n,
                             const mn_data *data, bool *done)
{
  const struct mn_logistic *m = (const struct mn_logistic *)selves[0];
  const mn_logistic_objective o = {
    .data = data, .C = m->C, .penalty = 1, .fit_intercept = m->fit_intercept, .decisions = mn_decisions(selves[0])
  };
  const bool lbfgs = m->solver == SOLVER_AUTO || m->solver == SOLVER_LBFGS;
  if (m->penalty != MN_PENALTY_L2 || !lbfgs || data->features == 0 || m->max_iter < MN_LOGISTIC_SUBSET_STEPS)
    return MN_OK;
  for (size_t s = 0; s < n; s++)
    if (!mn_logistic_prefers_sample(&o, subset[s].n)) return MN_OK;
  MN_TRY(mn_check_magnitudes(ctx, selves[0], data));
  for (size_t first = 0; first < n; first += MAX_SUBSETS) {
    const size_t batch = n - first < MAX_SUBSETS ? n - first : MAX_SUBSETS;
    MN_TRY(fit_batch(ctx, selves + first, subset + first, batch, &o, done + first));
  }
  return MN_OK;
}

static const mn_param params[] = {
  MN_PENALTY(struct mn_logistic, C, 1.0, MN_GREATER_THAN(0),
             "inverse strength of the penalty; larger values fit the data more closely; no effect if penalty is none"),
  MN_CHOICE(struct mn_logistic, penalty, MN_PENALTY_L2, penalties, "l2, none, l1, or elasticnet (both)"),
  MN_REAL(struct mn_logistic, l1_ratio, 0.5, MN_CLOSED(0, 1), "share of the L1 norm in elasticnet"),
  MN_FLAG(struct mn_logistic, fit_intercept, true, "fit an intercept; it is never penalized"),
  MN_CHOICE(struct mn_logistic, solver, SOLVER_AUTO, solvers,
            "algorithm; auto chooses by the penalty and the shape of X"),
  MN_COUNT(struct mn_logistic, max_iter, 1000, MN_AT_LEAST(1), "maximum number of iterations"),
  MN_REAL(
      struct mn_logistic, tol, 1e-10, MN_AT_LEAST(0),
      "stop when an iteration can lower (newton, cd, saga) or has lowered (lbfgs) the objective by at most this share"),
  MN_FLAG(
      struct mn_logistic, std_errors, true,
      "with penalty none: compute the covariance of the coefficients (at most 1000) for summary and vcov, about a quarter of the time of a fit for two classes"),
  MN_END,
};

static const mn_field fields[] = {
  MN_LOGISTIC_GAP(struct mn_logistic),
  MN_LINEAR_FIELDS("decisions"),
  MN_LEARNED(MN_KIND_MATRIX, struct mn_logistic, covariance, "contrasts? x contrasts?", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct mn_logistic, figures, "figures?", NULL),
  MN_END,
};

/* Checks after load that array shapes do not cover. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct mn_logistic *m = self;
  const mn_estimator *base = &m->linear.base;
  if (!m->covariance.at && !m->figures.at) return MN_OK;
  const size_t q = (base->n_features + m->fit_intercept) * (mn_levels_size(base->classes) - 1);
  if (m->covariance.at && m->covariance.rows == q && m->figures.at && m->figures.size == MN_LOGISTIC_FIGURES)
    return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "LogisticRegression: a part of the fitted model is missing or invalid");
}

const mn_class mn_logistic_regression = {
  .name = "LogisticRegression",
  .family = "linear",
  .brief = "Logistic regression for two or more classes, with L2, L1, both or no penalty.",
  .objective =
      "C sum_i w_i loss(y_i, x_i B + c) + l1_ratio |B|_1 + (1 - l1_ratio) / 2 |B|^2; l1_ratio is 0 for l2, 1 for "
      "l1",
  .source = "Boyd & Vandenberghe, Convex Optimization (2004), section 9.5; Nocedal & Wright (2006), section 7.2",
  .notes =
      "Two classes have one row of coefficients, for the second class; more classes have one row each (softmax). For one against the rest use OneVsRestClassifier { LogisticRegression {} }. "
      "C is that of scikit-learn and liblinear; lambda of glmnet is 1 / (C n). "
      "Exported Lua programs agree in probabilities of two classes within 4 units in the last place.",
  .example = "local model = ml.LogisticRegression{ C = 10 }:fit({ {0}, {1}, {2}, {3} }, { 'no', 'no', 'yes', 'yes' })\n"
             "print(model:predict{ {0.5}, {2.5} }, model:predict_proba{ {1.5} })",
  .capabilities = MN_CLASSIFY | MN_ITERATE,
  .accepts = MN_WEIGHTS | MN_SPARSE | MN_CLASS_WEIGHT,
  .size = sizeof(struct mn_logistic),
  .params = params,
  .fields = fields,
  .operations = mn_logistic_operations,
  .fit = fit,
  .fit_subsets = fit_subsets,
  .export = mn_linear_export_proba,
  .decision = mn_linear_predict,
  .log_proba = mn_linear_log_proba,
  .check = check,
};
