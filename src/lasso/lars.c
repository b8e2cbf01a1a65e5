/* Least angle regression, and the lasso by its path.
 *
 * Lars. From no column at all: the weights of the active columns go from 0 towards least squares, together, so that the
 * correlations of those columns with what is left of y stay alike and fall; whenever another column is correlated as
 * much, it becomes active. The common correlation is alpha = max_j |1/n sum_i w_i x_ij (y_i - x_i b - c)|, n = sum_i
 * w_i.
 *
 * LassoLars. Minimise over b and c
 *
 *     1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha |b|_1
 *
 * by the same path, in which a column leaves when its weight comes to 0: all minima for all penalties down to alpha,
 * without a tolerance.
 *
 * Efron, Hastie, Johnstone & Tibshirani, Ann. Statist. 32 (2004). */
#include "lars_path.h"
#include "../model/operation.h"
#include "lasso_path.h"
#include "../linear/coef_summary.h"
#include <string.h>

struct lars {
  mn_linear linear;
  double alpha, eps; /* what the user sets; alpha, max_iter, positive: of LassoLars; n_nonzero_coefs: of Lars */
  int64_t n_nonzero_coefs, max_iter;
  bool fit_intercept, positive;
  mn_vector alphas; /* what fitting learns */
  mn_matrix coef_path;
  mn_indexes active;
};

extern const mn_class mn_lasso_lars;

static bool is_lasso(const struct lars *m)
{
  return m->linear.base.class == &mn_lasso_lars;
}

static mn_status begin(mn_context *ctx, const struct lars *m, const mn_data *data, mn_cd_data *d, mn_lars_path *s)
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

/* The path as it was walked, and its end. */
static mn_status keep(mn_context *ctx, struct lars *m, const mn_cd_data *d, const mn_lars_path *s)
{
  const size_t p = s->p;
  MN_TRY(mn_linear_init(ctx, &m->linear, 1, p));
  MN_TRY(mn_vector_init(ctx, &m->alphas, s->knots));
  MN_TRY(mn_matrix_init(ctx, &m->coef_path, s->knots, p));
  if (s->set.size > 0) MN_TRY(mn_indexes_init(ctx, &m->active, s->set.size)); /* none: empty, as the shape says */
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
  MN_TRY(begin(ctx, m, data, &d, &s));
  MN_TRY(mn_lars_step(ctx, &s, 0));
  for (int64_t k = 0; k < m->n_nonzero_coefs && !s.ended; k++) MN_TRY(mn_lars_step(ctx, &s, 0));
  return keep(ctx, m, &d, &s);
}

static mn_status fit_lasso(mn_context *ctx, void *self, const mn_data *data)
{
  struct lars *m = self;
  mn_report *report = &m->linear.base.report;
  mn_cd_data d;
  mn_lars_path s;
  bool go_on;
  report->advice = "raise max_iter or alpha";
  MN_TRY(begin(ctx, m, data, &d, &s));
  MN_TRY(mn_lars_step(ctx, &s, m->alpha));
  do {
    if (!s.ended) MN_TRY(mn_lars_step(ctx, &s, m->alpha));
    report->converged = s.ended;
    report->change = s.alpha - m->alpha;
    go_on = mn_round(ctx, report, m->max_iter, mn_lars_objective(&s, m->alpha));
  } while (go_on && !s.ended && report->n_iter < m->max_iter);
  MN_TRY(mn_error_status(ctx));
  return keep(ctx, m, &d, &s);
}

/* --- path --- */

typedef struct path_options {
  mn_vector alphas;
} path_options;

static const mn_param path_params[] = {
  MN_REALS(path_options, alphas, MN_AT_LEAST(0),
           "where to read the path; nil: at its knots, between which it is straight"),
  MN_END,
};

/* Down to the least alpha that was asked for, or to the end. */
static mn_status walk(mn_context *ctx, const struct lars *m, double until, mn_lars_path *s)
{
  const int64_t most = is_lasso(m) ? m->max_iter : m->n_nonzero_coefs;
  MN_TRY(mn_lars_step(ctx, s, until));
  for (int64_t k = 0; k < most && !s->ended; k++) {
    MN_TRY(mn_lars_step(ctx, s, until));
    if (!mn_report_progress(ctx, (double)(k + 1), (double)most, (double)NAN)) break;
  }
  return mn_error_status(ctx);
}

static mn_status path(mn_context *ctx, const void *self, const mn_data *data, const void *options, mn_results *results)
{
  const struct lars *m = self;
  const path_options *o = options;
  const size_t p = data->features;
  const bool asked = o->alphas.size > 0;
  mn_cd_data d;
  mn_lars_path s;
  mn_vector grid = { 0 }, *alphas, *intercepts, *nonzero;
  mn_matrix *coefs;
  if (asked) MN_TRY(mn_lasso_grid(ctx, &o->alphas, 0, 1, 1, 0, &grid));
  MN_TRY(begin(ctx, m, data, &d, &s));
  MN_TRY(walk(ctx, m, asked ? grid.at[grid.size - 1] : 0, &s));
  if (!asked) grid = (mn_vector){ .at = s.alphas, .size = s.knots };
  MN_TRY(mn_result_vector(ctx, results, "alphas", grid.size, &alphas));
  MN_TRY(mn_result_matrix(ctx, results, "coefs", grid.size, p, &coefs));
  MN_TRY(mn_result_vector(ctx, results, "intercepts", grid.size, &intercepts));
  MN_TRY(mn_result_vector(ctx, results, "nonzero", grid.size, &nonzero));
  if (!asked) MN_TRY(copy_knots(ctx, &s, coefs));
  for (size_t k = 0; k < grid.size; k++) {
    double *b = mn_row(coefs, k);
    if (asked && !mn_lars_coef_at(&s, grid.at[k], b))
      return mn_fail(ctx, MN_BAD_ARGUMENT, "path: alphas must be at least %.6g, where %s = %zu ends it, got %.6g",
                     s.alpha, is_lasso(m) ? "max_iter" : "n_nonzero_coefs", s.knots - 1, grid.at[k]);
    alphas->at[k] = grid.at[k];
    intercepts->at[k] = mn_cd_intercept(&d, 0, b);
    for (size_t j = 0; j < p; j++) nonzero->at[k] += b[j] != 0;
  }
  return MN_OK;
}

static const mn_operation operations[] = {
  MN_COEF_SUMMARY(mn_coef_summary),
  { .name = "path",
    .brief = "weights along the whole path, at its knots or at a list of alphas",
    .returns = "alphas, coefs (alphas x features), intercepts, nonzero: as ml.plot.coef_path takes them",
    .needs = MN_NEEDS_X | MN_NEEDS_Y,
    .options = path_params,
    .options_size = sizeof(path_options),
    .run = path },
  { .name = NULL },
};

#define SHARED_PARAMS                                                                                                  \
  MN_FLAG(struct lars, fit_intercept, true, "learn a constant term, never penalised"),                                 \
      MN_REAL(struct lars, eps, DBL_EPSILON, MN_CLOSED(0, 1),                                                          \
              "a column stays out while no more than this share of its square lies outside the active ones")

static const mn_param lars_params[] = {
  MN_COUNT(struct lars, n_nonzero_coefs, 500, MN_AT_LEAST(1), "most columns that become active, one a step"),
  SHARED_PARAMS,
  MN_END,
};

static const mn_param lasso_lars_params[] = {
  MN_PENALTY(struct lars, alpha, 1.0, MN_AT_LEAST(0), "penalty on the sum of the sizes of the weights"),
  MN_COUNT(struct lars, max_iter, 500, MN_AT_LEAST(1), "most steps, in each of which a column comes or leaves"),
  MN_FLAG(struct lars, positive, false, "hold the weights at 0 or above"),
  SHARED_PARAMS,
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct lars, alphas, "knots",
            "where columns came or left, from the largest down: size of the correlations"),
  MN_MATRIX(struct lars, coef_path, "knots x features", "weights at each of alphas; between them they change straight"),
  MN_INDEXES(struct lars, active, "active? < features", "the active columns at the end, in the order of their coming"),
  MN_LINEAR_FIELDS("targets"),
  MN_END,
};

#define NOTES                                                                                                          \
  "alpha is divided by the sum of the weights, as in scikit-learn; R's lars gives n times that, of columns of length " \
  "1. The columns are taken as they come: scale them first where their units differ. A column that the active ones "   \
  "determine stays out, and of two that are the same the first comes."

const mn_class mn_lars = {
  .name = "Lars",
  .family = "linear",
  .brief = "Least angle regression: columns join one at a time, the most correlated first.",
  .objective = "max_j |1/n sum_i w_i x_ij (y_i - x_i b - c)| falls to 0, alike for all active columns, n = sum_i w_i",
  .source = "Efron, Hastie, Johnstone & Tibshirani, Ann. Statist. 32 (2004)",
  .notes =
      NOTES " Weights may pass through 0; from there on scikit-learn's Lars turns the sign of the column, and its path "
            "is another.",
  .example = "local model = ml.Lars{ n_nonzero_coefs = 1 }:fit({ {1, 2}, {2, 1}, {3, 5}, {4, 4} }, { 1, 2, 3, 4 })\n"
             "print(model.active, model.coef, model.alphas)",
  .capabilities = MN_REGRESS,
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct lars),
  .params = lars_params,
  .fields = fields,
  .operations = operations,
  .fit = fit_lars,
  .export = mn_linear_export,
  .predict = mn_linear_predict,
};

const mn_class mn_lasso_lars = {
  .name = "LassoLars",
  .family = "linear",
  .brief = "Lasso by least angle regression: all minima down to alpha, to rounding.",
  .objective = "1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha |b|_1, n = sum_i w_i",
  .source = "Efron, Hastie, Johnstone & Tibshirani, Ann. Statist. 32 (2004), section 3.1",
  .notes = NOTES " Lasso is faster where thousands of columns are active, and takes sparse X and several targets.",
  .example = "local model = ml.LassoLars{ alpha = 0.1 }:fit({ {1, 2}, {2, 1}, {3, 5}, {4, 4} }, { 1, 2, 3, 4 })\n"
             "print(model.coef, model.coef_path)",
  .capabilities = MN_REGRESS | MN_ITERATE,
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct lars),
  .params = lasso_lars_params,
  .fields = fields,
  .operations = operations,
  .fit = fit_lasso,
  .export = mn_linear_export,
  .predict = mn_linear_predict,
};
