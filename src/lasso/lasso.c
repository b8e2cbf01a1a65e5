/* Lasso and elastic net. Minimize over b and c, with n = sum_i w_i,
 *
 *     1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2)
 *
 * by coordinate descent (cd.h), for each target separately.
 *
 * Tibshirani, JRSS B 58 (1996); Zou & Hastie, JRSS B 67 (2005); Friedman, Hastie & Tibshirani, J. Stat. Software 33
 * (2010). */
#include "../model/operation.h"
#include "cd_data.h"
#include "lasso_path.h"
#include "../linear/coef_summary.h"

struct lasso {
  mn_linear linear;
  double alpha, l1_ratio, tol; /* parameters; l1_ratio: of ElasticNet */
  int64_t max_iter;
  bool fit_intercept, positive;
  mn_vector gap; /* learned fields */
};

static double ratio_of(const struct lasso *m)
{
  return m->linear.base.class == &mn_lasso ? 1 : m->l1_ratio;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct lasso *m = self;
  mn_cd_data d;
  const mn_cd_settings settings = {
    .alpha = m->alpha, .l1_ratio = ratio_of(m), .tol = m->tol, .max_iter = m->max_iter, .positive = m->positive
  };
  m->linear.base.report.advice = "increase max_iter or alpha, or scale the columns";
  m->linear.base.report.scaled_advice = "increase max_iter or alpha";
  MN_TRY(mn_check_magnitudes(ctx, &m->linear.base, data));
  MN_TRY(mn_cd_prepare(ctx, data, m->fit_intercept, NULL, &d));
  return mn_cd_fit(ctx, &d, &settings, &m->linear, &m->gap);
}

static mn_status path(mn_context *ctx, const void *self, const mn_data *data, const void *options, mn_results *results)
{
  const struct lasso *m = self;
  const mn_cd_settings settings = {
    .l1_ratio = ratio_of(m), .tol = m->tol, .max_iter = m->max_iter, .positive = m->positive
  };
  return mn_lasso_path(ctx, data, m->fit_intercept, &settings, options, results);
}

static const mn_operation operations[] = {
  MN_COEF_SUMMARY(mn_coef_summary),
  { .name = "path",
    .brief = "coefficients along a path of decreasing penalties",
    .returns = "alphas, coefs (alphas x features), intercepts, gaps, n_iter, nonzero: for ml.plot.coef_path",
    .needs = MN_NEEDS_X | MN_NEEDS_Y | MN_WORKS_UNFITTED,
    .options = mn_lasso_path_params,
    .options_size = sizeof(mn_lasso_path_options),
    .run = path },
  { .name = NULL },
};

#define SHARED_PARAMS                                                                                                  \
  MN_FLAG(struct lasso, fit_intercept, true, "fit an intercept, which is not penalized"),                              \
      MN_FLAG(struct lasso, positive, false, "constrain the coefficients to be non-negative"),                         \
      MN_COUNT(struct lasso, max_iter, 1000, MN_AT_LEAST(1),                                                           \
               "maximum number of sweeps over the coefficients, for each target"),                                     \
      MN_REAL(struct lasso, tol, 1e-4, MN_AT_LEAST(0),                                                                 \
              "stop when the duality gap is at most this fraction of the mean square of the centered y")

static const mn_param lasso_params[] = {
  MN_PENALTY(struct lasso, alpha, 1.0, MN_AT_LEAST(0), "L1 penalty on the coefficients"),
  SHARED_PARAMS,
  MN_END,
};

static const mn_param elastic_net_params[] = {
  MN_PENALTY(struct lasso, alpha, 1.0, MN_AT_LEAST(0), "strength of the combined penalty"),
  MN_PENALTY(struct lasso, l1_ratio, 0.5, MN_CLOSED(0, 1), "fraction of the L1 penalty in alpha; 1 equals Lasso"),
  SHARED_PARAMS,
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct lasso, gap, "targets",
            "duality gap, an upper bound on the objective minus its minimum; a number if y is a Vector"),
  MN_LINEAR_FIELDS("targets"),
  MN_END,
};

#define NOTES                                                                                                                \
  "The loss is divided by the sum of the sample weights, as in scikit-learn and glmnet. Unless standardize = FALSE, glmnet " \
  "scales the columns to unit variance first, and its lambda is alpha for coefficients on that scale. tol is relative to "   \
  "the mean square of y, as in scikit-learn. With alpha = 0 there is no dual problem and gap is twice the largest gain of "  \
  "one step; LinearRegression is the better choice."

const mn_class mn_lasso = {
  .name = "Lasso",
  .family = "linear",
  .brief = "Linear least squares with an L1 penalty, which sets coefficients exactly to 0.",
  .objective = "1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha |b|_1, n = sum_i w_i",
  .source = "Tibshirani, JRSS B 58 (1996); Friedman, Hastie & Tibshirani, J. Stat. Software 33 (2010)",
  .notes = NOTES,
  .example = "local model = ml.Lasso{ alpha = 0.1 }:fit({ {1, 2}, {2, 1}, {3, 5}, {4, 4} }, { 1, 2, 3, 4 })\n"
             "print(model.coef, model.gap, model:predict{ {4, 5} })",
  .capabilities = MN_REGRESS | MN_ITERATE,
  .accepts = MN_WEIGHTS | MN_SPARSE | MN_MULTITARGET,
  .size = sizeof(struct lasso),
  .params = lasso_params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  MN_LINEAR_PREDICTION,
};

const mn_class mn_elastic_net = {
  .name = "ElasticNet",
  .family = "linear",
  .brief = "Linear least squares with both an L1 and an L2 penalty.",
  .objective = "1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2), "
               "n = sum_i w_i",
  .source = "Zou & Hastie, JRSS B 67 (2005); Friedman, Hastie & Tibshirani, J. Stat. Software 33 (2010)",
  .notes = NOTES,
  .example = "local model = ml.ElasticNet{ alpha = 0.1, l1_ratio = 0.7 }\n"
             "model:fit({ {1, 2}, {2, 1}, {3, 5}, {4, 4} }, { 1, 2, 3, 4 })\nprint(model.coef, model.gap)",
  .capabilities = MN_REGRESS | MN_ITERATE,
  .accepts = MN_WEIGHTS | MN_SPARSE | MN_MULTITARGET,
  .size = sizeof(struct lasso),
  .params = elastic_net_params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  MN_LINEAR_PREDICTION,
};
