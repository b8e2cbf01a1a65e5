/* Lasso and elastic net with the penalty chosen by cross-validation. Minimize over b and c, with n = sum_i w_i,
 *
 *     1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2)
 *
 * for the alpha (and l1_ratio) with the smallest mean squared error on held-out folds, or the largest alpha within one
 * standard error of it. Each fold computes the whole path; folds run in parallel. With at least as many rows as columns
 * the Gram matrix of each fold is computed once, about its own mean, and those of the other folds are added up for
 * training: all folds together cost one pass over X, and there is no cancellation.
 *
 * Breiman et al. (1984), section 3.4.3, for the one-standard-error rule; Friedman, Hastie & Tibshirani, J. Stat.
 * Software 33 (2010). */
#include "../linalg/csr.h"
#include "../linalg/product.h"
#include "../linear/folds.h"
#include "lasso_path.h"
#include "../linear/coef_summary.h"
#include <string.h>

struct lasso_cv {
  mn_linear linear;
  mn_vector alphas, l1_ratio; /* parameters; l1_ratio: of ElasticNetCV */
  double eps, tol;
  int64_t n_alphas, cv, max_iter, rule;
  bool fit_intercept, positive;
  double alpha, alpha_min, alpha_1se, best_l1_ratio; /* learned fields */
  mn_vector gap, grid_alpha, grid_l1_ratio, mse, se;
  mn_matrix mse_path;
};

enum { RULE_MIN, RULE_1SE };
static const char *const rules[] = { "min", "1se", NULL };

extern const mn_class mn_lasso_cv;

struct search {
  struct lasso_cv *m;
  const mn_data *data;
  mn_folds folds;
  size_t alphas;          /* number of alphas for each l1_ratio */
  double **gram, *weight; /* folds: centered (p + 1) x (p + 1) matrices, and sums of sample weights */
  double *mean;           /* folds x (p + 1) */
};

/* The Gram matrix of the training rows of a fold, from those of the other folds. */
static mn_status train_gram(mn_context *ctx, const struct search *s, size_t fold, mn_cd_data *d)
{
  const size_t p = d->p, both = p + 1, folds = s->folds.count;
  double *shift = MN_RAW(ctx, double, both, 1);
  d->gram = MN_NEW(ctx, double, both, both);
  if (!shift || !d->gram) return MN_NO_MEMORY;
  for (size_t f = 0; f < folds; f++) d->total += f != fold ? s->weight[f] : 0;
  for (size_t f = 0; s->m->fit_intercept && f < folds; f++)
    for (size_t j = 0; f != fold && j < both; j++) d->mean[j] += s->weight[f] / d->total * s->mean[f * both + j];
  for (size_t f = 0; f < folds; f++) {
    if (f == fold || !(s->weight[f] > 0)) continue;
    const double share = 1 / d->total, part = s->weight[f] / d->total;
    for (size_t j = 0; j < both; j++) shift[j] = s->m->fit_intercept ? s->mean[f * both + j] - d->mean[j] : 0;
    for (size_t i = 0; i < both; i++)
      for (size_t j = 0; j < both; j++)
        d->gram[i * both + j] += share * s->gram[f][i * both + j] + part * shift[i] * shift[j];
  }
  return MN_OK;
}

static mn_status prepare_fold(mn_context *ctx, const struct search *s, size_t fold, mn_data *train, mn_cd_data *d)
{
  double *weights = MN_RAW(ctx, double, s->data->rows, 1);
  MN_CHECK_ALLOC(weights);
  *train = mn_fold_train(&s->folds, s->data, fold, weights);
  if (!s->gram) return mn_cd_prepare(ctx, train, s->m->fit_intercept, NULL, d);
  const size_t p = train->features;
  *d = (mn_cd_data){ .data = train, .p = p, .q = 1, .mean = MN_NEW(ctx, double, p + 1, 1) };
  MN_CHECK_ALLOC(d->mean);
  return train_gram(ctx, s, fold, d);
}

/* Mean squared errors on the rows of a fold of several models with coefficients b (models x p) and intercepts c. */
static mn_status fold_errors(mn_context *ctx, const struct search *s, size_t fold, size_t models, const double *b,
                             const double *c, double *error)
{
  const mn_data *d = s->data;
  const size_t p = d->features;
  const double *test = s->folds.test + fold * d->rows;
  size_t begin = 0, end = d->rows;
  while (begin < end && test[begin] == 0) begin++;
  while (end > begin && test[end - 1] == 0) end--;
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t n = end - begin;
  double *out = MN_RAW(ctx, double, n, models), *turned = MN_RAW(ctx, double, d->sparse ? p : 0, models), total = 0;
  if (!out || !turned) return MN_NO_MEMORY;
  if (d->sparse) {
    const mn_csr rows = {
      .rows = n, .cols = p, .start = d->sparse->start + begin, .col = d->sparse->col, .at = d->sparse->at
    };
    for (size_t j = 0; j < p; j++)
      for (size_t k = 0; k < models; k++) turned[j * models + k] = b[k * p + j];
    MN_TRY(mn_csr_multiply(ctx, &rows, models, turned, out));
  } else {
    MN_TRY(mn_gemm(ctx, false, true, n, models, p, 1, d->x.at + begin * p, p, b, p, 0, out, models));
  }
  for (size_t i = 0; i < n; i++) total += test[begin + i];
  memset(error, 0, models * sizeof *error);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < models; k++) {
      const double r = d->y.at[begin + i] - c[k] - out[i * models + k];
      error[k] += test[begin + i] / total * r * r;
    }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* One fold: the path for each l1_ratio. */
static mn_status run_fold(mn_context *ctx, void *work, size_t fold)
{
  const struct search *s = work;
  struct lasso_cv *m = s->m;
  const size_t p = s->data->features, folds = s->folds.count;
  mn_cd_data d;
  mn_data train;
  MN_TRY(prepare_fold(ctx, s, fold, &train, &d));
  double *b = MN_RAW(ctx, double, s->alphas, p), *c = MN_RAW(ctx, double, s->alphas, 1);
  double *error = MN_RAW(ctx, double, s->alphas, 1);
  if (!b || !c || !error) return MN_NO_MEMORY;
  for (size_t from = 0; from < m->grid_alpha.size; from += s->alphas) {
    const mn_mark mark = mn_scratch_mark(ctx);
    double before = (double)NAN;
    mn_cd problem;
    MN_TRY(mn_cd_target(ctx, &d, 0, &problem));
    for (size_t k = 0; k < s->alphas; k++) {
      const double alpha = m->grid_alpha.at[from + k], l1 = alpha * m->grid_l1_ratio.at[from + k];
      const mn_cd_penalty q = { .l1 = l1, .l2 = alpha - l1, .positive = m->positive };
      mn_cd_report r;
      MN_TRY(mn_cd_solve(ctx, &problem, &q, before, m->tol, m->max_iter, &r));
      before = l1;
      memcpy(b + k * p, problem.b, p * sizeof *b);
      c[k] = mn_cd_intercept(&d, 0, problem.b);
    }
    MN_TRY(fold_errors(ctx, s, fold, s->alphas, b, c, error));
    for (size_t k = 0; k < s->alphas; k++) m->mse_path.at[(from + k) * folds + fold] = error[k];
    mn_scratch_release(ctx, mark);
  }
  return MN_OK;
}

/* The Gram matrix of each fold about its mean, in one pass over X. */
static mn_status fold_grams(mn_context *ctx, struct search *s)
{
  const mn_data *d = s->data;
  const size_t p = d->features, both = p + 1, folds = s->folds.count;
  s->gram = MN_NEW(ctx, double *, folds, 1);
  s->weight = MN_NEW(ctx, double, folds, 1);
  s->mean = MN_NEW(ctx, double, folds, both);
  if (!s->gram || !s->weight || !s->mean) return MN_NO_MEMORY;
  for (size_t f = 0; f < folds; f++) {
    const double *test = s->folds.test + f * d->rows;
    size_t begin = 0, end = d->rows;
    bool unweighted = true;
    while (begin < end && test[begin] == 0) begin++;
    while (end > begin && test[end - 1] == 0) end--;
    for (size_t i = begin; i < end; i++) unweighted = unweighted && test[i] == 1;
    s->gram[f] = MN_RAW(ctx, double, both, both);
    MN_CHECK_ALLOC(s->gram[f]);
    MN_TRY(mn_gram(ctx, end - begin, p, d->x.at + begin * p, p, 1, d->y.at + begin, 1, unweighted ? NULL : test + begin,
                   s->m->fit_intercept, &s->weight[f], s->mean + f * both, s->gram[f], both));
  }
  return MN_OK;
}

/* The problem of all rows, from the Gram matrices of the folds if there are any. */
static mn_status prepare_all(mn_context *ctx, const struct search *s, mn_cd_data *d)
{
  if (!s->gram) return mn_cd_prepare(ctx, s->data, s->m->fit_intercept, NULL, d);
  const size_t p = s->data->features;
  *d = (mn_cd_data){ .data = s->data, .p = p, .q = 1, .mean = MN_NEW(ctx, double, p + 1, 1) };
  MN_CHECK_ALLOC(d->mean);
  return train_gram(ctx, s, s->folds.count, d);
}

static mn_status make_grid(mn_context *ctx, struct search *s, const mn_cd_data *d)
{
  static const double half = 0.5, one = 1;
  struct lasso_cv *m = s->m;
  const bool lasso = m->linear.base.class == &mn_lasso_cv, given = !lasso && m->l1_ratio.size > 0;
  const size_t ratios = given ? m->l1_ratio.size : 1;
  const double *ratio = given ? m->l1_ratio.at : lasso ? &one : &half;
  mn_cd problem;
  mn_vector grid;
  MN_TRY(mn_cd_target(ctx, d, 0, &problem));
  const double largest = mn_cd_max_l1(&problem, NULL, m->positive);
  s->alphas = m->alphas.size > 0 ? m->alphas.size : (size_t)m->n_alphas;
  const size_t all = ratios * s->alphas;
  MN_TRY(mn_vector_init(ctx, &m->grid_alpha, all));
  MN_TRY(mn_vector_init(ctx, &m->grid_l1_ratio, all));
  MN_TRY(mn_vector_init(ctx, &m->mse, all));
  MN_TRY(mn_vector_init(ctx, &m->se, all));
  MN_TRY(mn_matrix_init(ctx, &m->mse_path, all, s->folds.count));
  for (size_t k = 0; k < all; k++) {
    m->grid_l1_ratio.at[k] = ratio[k / s->alphas];
    if (k % s->alphas == 0)
      MN_TRY(mn_lasso_grid(ctx, &m->alphas, largest, ratio[k / s->alphas], m->eps, m->n_alphas, &grid));
    m->grid_alpha.at[k] = grid.at[k % s->alphas];
  }
  return MN_OK;
}

/* Compute means and standard errors over the folds, and select; ties are broken by the lowest index. */
static void choose(struct lasso_cv *m, size_t alphas)
{
  const size_t folds = m->mse_path.cols;
  size_t best = 0;
  for (size_t k = 0; k < m->mse.size; k++) {
    const double *error = mn_row(&m->mse_path, k);
    double square = 0;
    for (size_t f = 0; f < folds; f++) m->mse.at[k] += error[f] / (double)folds;
    for (size_t f = 0; f < folds; f++) square += (error[f] - m->mse.at[k]) * (error[f] - m->mse.at[k]);
    m->se.at[k] = sqrt(square / (double)(folds - 1) / (double)folds);
    if (m->mse.at[k] < m->mse.at[best]) best = k;
  }
  size_t one_se = best;
  while (one_se % alphas > 0 && m->mse.at[one_se - 1] <= m->mse.at[best] + m->se.at[best]) one_se--;
  m->alpha_min = m->grid_alpha.at[best];
  m->alpha_1se = m->grid_alpha.at[one_se];
  m->alpha = m->rule == RULE_1SE ? m->alpha_1se : m->alpha_min;
  m->best_l1_ratio = m->grid_l1_ratio.at[best];
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct lasso_cv *m = self;
  const char *who = m->linear.base.class->name;
  struct search s = { .m = m, .data = data };
  mn_cd_data d;
  if ((m->alphas.at && m->alphas.size == 0) || (m->l1_ratio.at && m->l1_ratio.size == 0))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must not be empty; leave it out for the default", who,
                   m->alphas.at && m->alphas.size == 0 ? "alphas" : "l1_ratio");
  m->linear.base.report.advice = "increase max_iter, or scale the columns";
  m->linear.base.report.scaled_advice = "increase max_iter";
  MN_TRY(mn_check_magnitudes(ctx, &m->linear.base, data));
  MN_TRY(mn_folds_make(ctx, who, data, m->cv, &s.folds));
  if (!data->sparse && data->features <= data->rows) MN_TRY(fold_grams(ctx, &s));
  MN_TRY(prepare_all(ctx, &s, &d));
  MN_TRY(make_grid(ctx, &s, &d));
  MN_TRY(mn_folds_run(ctx, s.folds.count, run_fold, &s));
  choose(m, s.alphas);
  const mn_cd_settings settings = {
    .alpha = m->alpha, .l1_ratio = m->best_l1_ratio, .tol = m->tol, .max_iter = m->max_iter, .positive = m->positive
  };
  return mn_cd_fit(ctx, &d, &settings, &m->linear, &m->gap);
}

static mn_status errors(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results)
{
  (void)data, (void)options;
  const struct lasso_cv *m = self;
  const struct {
    const char *name;
    const mn_vector *from;
  } column[] = { { "errors.l1_ratio", &m->grid_l1_ratio },
                 { "errors.alpha", &m->grid_alpha },
                 { "errors.mse", &m->mse },
                 { "errors.se", &m->se } };
  mn_vector *copy;
  mn_matrix *folds;
  for (size_t k = 0; k < sizeof column / sizeof *column; k++) {
    MN_TRY(mn_result_vector(ctx, results, column[k].name, m->mse.size, &copy));
    memcpy(copy->at, column[k].from->at, m->mse.size * sizeof *copy->at);
  }
  MN_TRY(mn_result_matrix(ctx, results, "folds", m->mse_path.rows, m->mse_path.cols, &folds));
  memcpy(folds->at, m->mse_path.at, m->mse_path.rows * m->mse_path.cols * sizeof *folds->at);
  return MN_OK;
}

static const mn_operation operations[] = {
  MN_COEF_SUMMARY(mn_coef_summary),
  { .name = "errors",
    .brief = "mean squared errors of the folds for each candidate penalty",
    .returns = "errors (Frame: l1_ratio, alpha, mse, se), folds (Matrix: rows as in errors, one column for each fold)",
    .run = errors },
  { .name = NULL },
};

#define SHARED_PARAMS                                                                                                  \
  MN_REALS(struct lasso_cv, alphas, MN_AT_LEAST(0),                                                                    \
           "candidate penalties; nil: n_alphas, from the smallest one that makes all coefficients 0"),                 \
      MN_COUNT(struct lasso_cv, n_alphas, 100, MN_CLOSED(1, 100000),                                                   \
               "number of candidates, evenly spaced in the logarithm"),                                                \
      MN_REAL(struct lasso_cv, eps, 1e-3, MN_OPEN(0, 1), "smallest candidate divided by the largest"),                 \
      MN_COUNT(struct lasso_cv, cv, 5, MN_CLOSED(2, 100000),                                                           \
               "number of folds, which are runs of consecutive rows; the fit option folds replaces them"),             \
      MN_CHOICE(struct lasso_cv, rule, RULE_MIN, rules,                                                                \
                "min: alpha with the smallest error; 1se: largest alpha within one standard error of it"),             \
      MN_FLAG(struct lasso_cv, fit_intercept, true, "fit an intercept, which is not penalized"),                       \
      MN_FLAG(struct lasso_cv, positive, false, "constrain the coefficients to be non-negative"),                      \
      MN_COUNT(struct lasso_cv, max_iter, 1000, MN_AT_LEAST(1),                                                        \
               "maximum number of sweeps over the coefficients, for each penalty"),                                    \
      MN_REAL(struct lasso_cv, tol, 1e-4, MN_AT_LEAST(0),                                                              \
              "stop when the duality gap is at most this fraction of the mean square of the centered y")

static const mn_param lasso_params[] = { SHARED_PARAMS, MN_END };

static const mn_param elastic_net_params[] = {
  MN_REALS(struct lasso_cv, l1_ratio, MN_CLOSED(0, 1), "candidate fractions of the L1 penalty; nil: 0.5"),
  SHARED_PARAMS,
  MN_END,
};

#define SHARED_FIELDS                                                                                                  \
  MN_NUMBER(struct lasso_cv, alpha, "selected penalty"),                                                               \
      MN_NUMBER(struct lasso_cv, alpha_min, "penalty with the smallest error"),                                        \
      MN_NUMBER(struct lasso_cv, alpha_1se, "largest penalty within one standard error of the smallest error"),        \
      MN_NUMBER(struct lasso_cv, best_l1_ratio, "selected fraction of the L1 penalty; 1 for LassoCV"),                 \
      MN_VECTOR(struct lasso_cv, gap, "targets", "duality gap of the final fit; a number if y is a Vector"),           \
      MN_VECTOR(struct lasso_cv, grid_alpha, "candidates", "candidate penalties"),                                     \
      MN_VECTOR(struct lasso_cv, grid_l1_ratio, "candidates", "fraction of the L1 penalty of each candidate"),         \
      MN_VECTOR(struct lasso_cv, mse, "candidates",                                                                    \
                "mean over the folds of the mean squared error of each candidate"),                                    \
      MN_VECTOR(struct lasso_cv, se, "candidates", "standard error of mse"),                                           \
      MN_MATRIX(struct lasso_cv, mse_path, "candidates x folds", "mean squared error of each candidate and fold"),     \
      MN_LINEAR_FIELDS("targets")

static const mn_field fields[] = { SHARED_FIELDS, MN_END };

#define NOTES                                                                                                             \
  "Folds are runs of consecutive rows, as in scikit-learn: shuffle rows that are sorted. A row of weight k counts as k "  \
  "rows, which may fall into different folds. The mean over the folds is not weighted by their sizes, unlike in glmnet. " \
  "The final model is fitted to all rows with the selected penalty. model:errors() returns a table of all candidates."

const mn_class mn_lasso_cv = {
  .name = "LassoCV",
  .family = "linear",
  .brief = "Lasso with alpha chosen by cross-validation.",
  .objective = "1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha |b|_1, with alpha of smallest error on held-out folds",
  .source = "Friedman, Hastie & Tibshirani, J. Stat. Software 33 (2010); Breiman et al. (1984), section 3.4.3 (1se)",
  .notes = NOTES,
  .example = "local X = ml.normal(60, 5, 1)\nlocal model = ml.LassoCV{ cv = 3 }:fit(X, X:col(1) * 3 - X:col(2))\n"
             "print(model.alpha, model.alpha_1se, model.coef)",
  .capabilities = MN_REGRESS | MN_ITERATE | MN_SCALE_EQUIVARIANT,
  .accepts = MN_FOLDS | MN_WEIGHTS | MN_SPARSE,
  .size = sizeof(struct lasso_cv),
  .params = lasso_params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  MN_LINEAR_PREDICTION,
};

const mn_class mn_elastic_net_cv = {
  .name = "ElasticNetCV",
  .family = "linear",
  .brief = "Elastic net with alpha and l1_ratio chosen by cross-validation.",
  .objective = "1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2), with "
               "alpha and l1_ratio of smallest error on held-out folds",
  .source = "Zou & Hastie, JRSS B 67 (2005); Friedman, Hastie & Tibshirani, J. Stat. Software 33 (2010)",
  .notes = NOTES,
  .example = "local X = ml.normal(60, 5, 1)\nlocal model = ml.ElasticNetCV{ cv = 3, l1_ratio = { 0.5, 0.9 } }\n"
             "model:fit(X, X:col(1) * 3 - X:col(2))\nprint(model.alpha, model.best_l1_ratio, model.coef)",
  .capabilities = MN_REGRESS | MN_ITERATE,
  .accepts = MN_FOLDS | MN_WEIGHTS | MN_SPARSE,
  .size = sizeof(struct lasso_cv),
  .params = elastic_net_params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  MN_LINEAR_PREDICTION,
};
