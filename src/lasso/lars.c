/* Least angle regression, and the lasso by its path.
 *
 * Lars. Starting from no columns, the coefficients of the active columns move together towards least squares, so that
 * the correlations of these columns with the residual stay equal and decrease. When the correlation of another column
 * reaches that value, the column becomes active. The common correlation is alpha = max_j |1/n sum_i w_i x_ij (y_i - x_i
 * b - c)|, n = sum_i w_i.
 *
 * LassoLars. Minimize over b and c
 *
 *     1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha |b|_1
 *
 * by the same path, on which a column is removed when its coefficient reaches 0. This gives the minimum for every
 * penalty down to alpha, without a tolerance.
 *
 * Efron, Hastie, Johnstone & Tibshirani, Ann. Statist. 32 (2004). */
#include "lars_path.h"
#include "../model/operation.h"
#include "lasso_path.h"
#include "../linear/coef_summary.h"
#include <string.h>

struct lars {
  mn_linear linear;
  double alpha, eps; /* parameters; alpha, max_iter, positive: of LassoLars; n_nonzero_coefs: of Lars */
  int64_t n_nonzero_coefs, max_iter;
  bool fit_intercept, positive;
  mn_vector alphas; /* learned fields */
  mn_matrix coef_path;
  mn_indexes active;
};

extern const mn_class mn_lasso_lars;

static bool is_lasso(const struct lars *m)
{
  return m->linear.base.class == &mn_lasso_lars;
}

static mn_status init_path(mn_context *ctx, const struct lars *m, const mn_data *data, mn_cd_data *d, mn_lars_path *s)
{
  const mn_lars_settings with = { .lasso = is_lasso(m), .positive = is_lasso(m) && m->positive, .eps = m->eps };
  MN_TRY(mn_check_magnitudes(ctx, &m->linear.base, data));
  MN_TRY(mn_cd_prepare_columns(ctx, data, m->fit_intercept, d));
  return mn_lars_path_init(ctx, d, 0, &with, s);
}

static mn_status copy_knots(mn_context *ctx, const mn_lars_path *s, mn_matrix *to)
{
  for (size_t k = 0; k < s->knots; k++) {
    MN_TRY(mn_poll(ctx));
    memcpy(mn_row(to, k), s->coefs[k], s->p * sizeof(double));
  }
  return MN_OK;
}

/* Store the path and its last coefficients. */
static mn_status store(mn_context *ctx, struct lars *m, const mn_cd_data *d, const mn_lars_path *s)
{
  const size_t p = s->p;
  MN_TRY(mn_linear_init(ctx, &m->linear, 1, p));
  MN_TRY(mn_vector_init(ctx, &m->alphas, s->knots));
  MN_TRY(mn_matrix_init(ctx, &m->coef_path, s->knots, p));
  if (s->set.size > 0)
    MN_TRY(mn_indexes_init(ctx, &m->active, s->set.size)); /* otherwise absent, as its shape allows */
  memcpy(m->alphas.at, s->alphas, s->knots * sizeof *s->alphas);
  MN_TRY(copy_knots(ctx, s, &m->coef_path));
  memcpy(m->linear.coef.at, s->coefs[s->knots - 1], p * sizeof(double));
  for (size_t k = 0; k < s->set.size; k++) m->active.at[k] = (int32_t)s->set.column[k];
  m->linear.intercept.at[0] = mn_cd_intercept(d, 0, m->linear.coef.at);
  return MN_OK;
}

static mn_status fit_lars(mn_context *ctx, void *self, const mn_data *data)
{
  struct lars *m = self;
  mn_cd_data d;
  mn_lars_path s;
  MN_TRY(init_path(ctx, m, data, &d, &s));
  MN_TRY(mn_lars_step(ctx, &s, 0));
  for (int64_t k = 0; k < m->n_nonzero_coefs && !s.done; k++) MN_TRY(mn_lars_step(ctx, &s, 0));
  return store(ctx, m, &d, &s);
}

static mn_status fit_lasso(mn_context *ctx, void *self, const mn_data *data)
{
  struct lars *m = self;
  mn_report *report = &m->linear.base.report;
  mn_cd_data d;
  mn_lars_path s;
  bool proceed;
  report->advice = "increase max_iter or alpha";
  MN_TRY(init_path(ctx, m, data, &d, &s));
  MN_TRY(mn_lars_step(ctx, &s, m->alpha));
  do {
    if (!s.done) MN_TRY(mn_lars_step(ctx, &s, m->alpha));
    report->converged = s.done;
    report->change = s.alpha - m->alpha;
    proceed = mn_round(ctx, report, m->max_iter, mn_lars_objective(&s, m->alpha));
  } while (proceed && !s.done && report->n_iter < m->max_iter);
  MN_TRY(mn_error_status(ctx));
  return store(ctx, m, &d, &s);
}

typedef struct path_options {
  mn_vector alphas;
} path_options;

static const mn_param path_params[] = {
  MN_REALS(path_options, alphas, MN_AT_LEAST(0),
           "penalties at which to evaluate the path; nil: its knots, between which it is linear"),
  MN_END,
};

/* Compute the path down to alpha_min or to its end. */
static mn_status run_path(mn_context *ctx, const struct lars *m, double alpha_min, mn_lars_path *s)
{
  const int64_t max_steps = is_lasso(m) ? m->max_iter : m->n_nonzero_coefs;
  MN_TRY(mn_lars_step(ctx, s, alpha_min));
  for (int64_t k = 0; k < max_steps && !s->done; k++) {
    MN_TRY(mn_lars_step(ctx, s, alpha_min));
    if (!mn_report_progress(ctx, (double)(k + 1), (double)max_steps, (double)NAN)) break;
  }
  return mn_error_status(ctx);
}

static mn_status path(mn_context *ctx, const void *self, const mn_data *data, const void *options, mn_results *results)
{
  const struct lars *m = self;
  const path_options *o = options;
  const size_t p = data->features;
  const bool given = o->alphas.size > 0;
  mn_cd_data d;
  mn_lars_path s;
  mn_vector grid = { 0 }, *alphas, *intercepts, *nonzero;
  mn_matrix *coefs;
  if (given) MN_TRY(mn_lasso_grid(ctx, &o->alphas, 0, 1, 1, 0, &grid));
  MN_TRY(init_path(ctx, m, data, &d, &s));
  MN_TRY(run_path(ctx, m, given ? grid.at[grid.size - 1] : 0, &s));
  if (!given) grid = (mn_vector){ .at = s.alphas, .size = s.knots };
  MN_TRY(mn_result_vector(ctx, results, "alphas", grid.size, &alphas));
  MN_TRY(mn_result_matrix(ctx, results, "coefs", grid.size, p, &coefs));
  MN_TRY(mn_result_vector(ctx, results, "intercepts", grid.size, &intercepts));
  MN_TRY(mn_result_vector(ctx, results, "nonzero", grid.size, &nonzero));
  if (!given) MN_TRY(copy_knots(ctx, &s, coefs));
  for (size_t k = 0; k < grid.size; k++) {
    double *b = mn_row(coefs, k);
    if (given && !mn_lars_coef_at(&s, grid.at[k], b))
      return mn_fail(ctx, MN_BAD_ARGUMENT,
                     "path: alphas must be at least %.6g, where the path ends with %s = %zu, got %.6g", s.alpha,
                     is_lasso(m) ? "max_iter" : "n_nonzero_coefs", s.knots - 1, grid.at[k]);
    alphas->at[k] = grid.at[k];
    intercepts->at[k] = mn_cd_intercept(&d, 0, b);
    for (size_t j = 0; j < p; j++) nonzero->at[k] += b[j] != 0;
  }
  return MN_OK;
}

static const mn_operation operations[] = {
  MN_COEF_SUMMARY(mn_coef_summary),
  { .name = "path",
    .brief = "coefficients along the whole path, at its knots or at given alphas",
    .returns = "alphas, coefs (alphas x features), intercepts, nonzero: for ml.plot.coef_path",
    .needs = MN_NEEDS_X | MN_NEEDS_Y | MN_WORKS_UNFITTED,
    .options = path_params,
    .options_size = sizeof(path_options),
    .run = path },
  { .name = NULL },
};

#define SHARED_PARAMS                                                                                                  \
  MN_FLAG(struct lars, fit_intercept, true, "fit an intercept, which is not penalized"),                               \
      MN_REAL(struct lars, eps, DBL_EPSILON, MN_CLOSED(0, 1),                                                          \
              "exclude a column if at most this fraction of its square is independent of the active columns")

static const mn_param lars_params[] = {
  MN_COUNT(struct lars, n_nonzero_coefs, 500, MN_AT_LEAST(1),
           "maximum number of steps, in each of which one column becomes active"),
  SHARED_PARAMS,
  MN_END,
};

static const mn_param lasso_lars_params[] = {
  MN_PENALTY(struct lars, alpha, 1.0, MN_AT_LEAST(0), "L1 penalty on the coefficients"),
  MN_COUNT(struct lars, max_iter, 500, MN_AT_LEAST(1),
           "maximum number of steps, in each of which a column is added or removed"),
  MN_FLAG(struct lars, positive, false, "constrain the coefficients to be non-negative"),
  SHARED_PARAMS,
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct lars, alphas, "knots", "knots, at which columns were added or removed, in decreasing order"),
  MN_MATRIX(struct lars, coef_path, "knots x features",
            "coefficients at each of alphas; piecewise linear between knots"),
  MN_INDEXES(struct lars, active, "active? < features",
             "active columns at the end of the path, in the order in which they were added"),
  MN_LINEAR_FIELDS("targets"),
  MN_END,
};

#define NOTES                                                                                                            \
  "alpha is divided by the sum of the sample weights, as in scikit-learn; R's lars reports n times that for columns of " \
  "norm 1. Columns are not scaled: scale them first if their units differ. A column that depends linearly on the "       \
  "active ones is excluded, and of two equal columns the first is added."

const mn_class mn_lars = {
  .name = "Lars",
  .family = "linear",
  .brief = "Least angle regression: adds columns in the order of their correlations.",
  .objective =
      "max_j |1/n sum_i w_i x_ij (y_i - x_i b - c)| decreases to 0, equal for all active columns, n = sum_i w_i",
  .source = "Efron, Hastie, Johnstone & Tibshirani, Ann. Statist. 32 (2004)",
  .notes = NOTES
  " Coefficients may pass through 0; from there on scikit-learn's Lars flips the sign of the column and follows another "
  "path.",
  .example = "local model = ml.Lars{ n_nonzero_coefs = 1 }:fit({ {1, 2}, {2, 1}, {3, 5}, {4, 4} }, { 1, 2, 3, 4 })\n"
             "print(model.active, model.coef, model.alphas)",
  .capabilities = MN_REGRESS,
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct lars),
  .params = lars_params,
  .fields = fields,
  .operations = operations,
  .fit = fit_lars,
  MN_LINEAR_PREDICTION,
};

const mn_class mn_lasso_lars = {
  .name = "LassoLars",
  .family = "linear",
  .brief = "Lasso by least angle regression: the exact path down to alpha.",
  .objective = "1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha |b|_1, n = sum_i w_i",
  .source = "Efron, Hastie, Johnstone & Tibshirani, Ann. Statist. 32 (2004), section 3.1",
  .notes = NOTES " Lasso is faster if thousands of columns are active, and accepts sparse X and several targets.",
  .example = "local model = ml.LassoLars{ alpha = 0.1 }:fit({ {1, 2}, {2, 1}, {3, 5}, {4, 4} }, { 1, 2, 3, 4 })\n"
             "print(model.coef, model.coef_path)",
  .capabilities = MN_REGRESS | MN_ITERATE,
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct lars),
  .params = lasso_lars_params,
  .fields = fields,
  .operations = operations,
  .fit = fit_lasso,
  MN_LINEAR_PREDICTION,
};
