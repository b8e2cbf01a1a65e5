/* Logistic regression with the penalty chosen by cross-validation: minimize over B and c
 *
 *     C sum_i w_i loss(y_i, x_i B + c) + l1_ratio |B|_1 + (1 - l1_ratio) / 2 |B|^2
 *
 * for the C (and l1_ratio) with the best score on held-out, stratified folds. Each fold fits the values of C from the
 * strongest penalty on, each from the previous solution; folds run in parallel. */
#include "../linalg/csr.h"
#include "../stats/argsort.h"
#include "../linalg/product.h"
#include "../linalg/row_softmax.h"
#include "../model/operation.h"
#include "../lasso/cd_data.h"
#include "../linear/folds.h"
#include "logistic_cd.h"
#include "logistic_gap.h"
#include "../linear/coef_summary.h"
#include <string.h>

struct logistic_cv {
  mn_linear linear;
  mn_vector Cs, l1_ratios; /* parameters */
  int64_t penalty, scoring, cv, max_iter;
  double tol;
  bool fit_intercept;
  double C, best_l1_ratio, best_score, gap; /* learned */
  mn_vector grid_C, grid_l1_ratio, mean_score;
  mn_matrix score_path;
};

enum { PENALTY_L2, PENALTY_L1, PENALTY_ELASTICNET };
enum { SCORE_ACCURACY, SCORE_LOG_LOSS };
static const char *const penalties[] = { "l2", "l1", "elasticnet", NULL };
static const char *const scorings[] = { "accuracy", "neg_log_loss", NULL };

struct search {
  struct logistic_cv *m;
  const mn_data *data;
  mn_folds folds;
  mn_csr transposed;
  size_t k, values; /* decisions; number of Cs for each l1_ratio */
};

static mn_logistic_problem make_problem(const struct search *s, const mn_data *data, double C, double l1_ratio)
{
  return (mn_logistic_problem){ .data = data,
                                .C = C,
                                .l1 = l1_ratio,
                                .l2 = 1 - l1_ratio,
                                .tol = s->m->tol,
                                .fit_intercept = s->m->fit_intercept,
                                .decisions = s->k,
                                .max_iter = s->m->max_iter,
                                .transposed = data->sparse ? &s->transposed : NULL };
}

/* Weighted mean over the rows of a fold of the log probability of their class, or of the accuracy. */
static double score_fold(const struct search *s, size_t fold, double *z)
{
  const mn_data *d = s->data;
  const double *test = s->folds.test + fold * d->rows;
  const bool loss = s->m->scoring == SCORE_LOG_LOSS;
  double sum = 0, total = 0;
  if (s->k > 1 && loss) mn_row_log_softmax(d->rows, s->k, z);
  for (size_t i = 0; i < d->rows; i++) {
    const double *row = z + i * s->k;
    const size_t code = (size_t)d->code[i];
    size_t best = s->k == 1 ? row[0] > 0 : 0;
    for (size_t c = 1; c < s->k; c++) best = row[c] > row[best] ? c : best;
    const double neg_margin = s->k == 1 ? (code ? -row[0] : row[0]) : 0; /* loss log(1 + exp(neg_margin)) */
    const double log_proba = s->k > 1 ? row[code] : -(fmax(neg_margin, 0) + log1p(exp(-fabs(neg_margin))));
    sum += test[i] * (loss ? log_proba : best == code);
    total += test[i];
  }
  return sum / total;
}

static mn_status predict(mn_context *ctx, const struct search *s, const double *b, const double *c, double *transposed,
                         double *z)
{
  const mn_data *d = s->data;
  const size_t p = d->features, k = s->k;
  if (d->sparse) {
    for (size_t j = 0; j < p; j++)
      for (size_t t = 0; t < k; t++) transposed[j * k + t] = b[t * p + j];
    MN_TRY(mn_csr_multiply(ctx, d->sparse, k, transposed, z));
  } else {
    MN_TRY(mn_gemm(ctx, false, true, d->rows, k, p, 1, d->x.at, p, b, p, 0, z, k));
  }
  for (size_t i = 0; i < d->rows; i++)
    for (size_t t = 0; t < k; t++) z[i * k + t] += c[t];
  return MN_OK;
}

static mn_status run_fold(mn_context *ctx, void *work, size_t fold)
{
  const struct search *s = work;
  struct logistic_cv *m = s->m;
  const size_t p = s->data->features, n = s->data->rows, k = s->k;
  double *weights = MN_RAW(ctx, double, n, 1), *z = MN_RAW(ctx, double, n, k), *b = MN_NEW(ctx, double, k, p);
  double *c = MN_NEW(ctx, double, k, 1), *transposed = MN_RAW(ctx, double, p, k);
  if (!weights || !z || !b || !c || !transposed) return MN_NO_MEMORY;
  const mn_data train = mn_fold_train(&s->folds, s->data, fold, weights);
  mn_mark mark = mn_scratch_mark(ctx);
  for (size_t at = 0; at < m->grid_C.size; at++) {
    if (at % s->values == 0) {
      memset(b, 0, k * p * sizeof *b);
      memset(c, 0, k * sizeof *c);
    }
    const mn_logistic_problem problem = make_problem(s, &train, m->grid_C.at[at], m->grid_l1_ratio.at[at]);
    mn_report r = { 0 };
    MN_TRY(mn_logistic_fit_cd(ctx, &problem, b, c, &r, NULL, NULL));
    MN_TRY(predict(ctx, s, b, c, transposed, z));
    m->score_path.at[at * s->folds.count + fold] = score_fold(s, fold, z);
    MN_TRY(mn_scratch_recycle(ctx, &mark));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* All pairs of C and l1_ratio, C ascending within each l1_ratio. */
static mn_status make_grid(mn_context *ctx, struct search *s)
{
  enum { DEFAULT_CS = 10 };
  struct logistic_cv *m = s->m;
  const bool elastic_net = m->penalty == PENALTY_ELASTICNET;
  const size_t ratios = elastic_net && m->l1_ratios.size > 0 ? m->l1_ratios.size : 1;
  s->values = m->Cs.size > 0 ? m->Cs.size : DEFAULT_CS;
  MN_TRY(mn_vector_init(ctx, &m->grid_C, ratios * s->values));
  MN_TRY(mn_vector_init(ctx, &m->grid_l1_ratio, ratios * s->values));
  MN_TRY(mn_vector_init(ctx, &m->mean_score, ratios * s->values));
  MN_TRY(mn_matrix_init(ctx, &m->score_path, ratios * s->values, s->folds.count));
  const mn_mark mark = mn_scratch_mark(ctx);
  size_t *order = MN_RAW(ctx, size_t, s->values, 1);
  MN_CHECK_ALLOC(order);
  if (m->Cs.size > 0) MN_TRY(mn_argsort(ctx, s->values, m->Cs.at, 1, order));
  for (size_t at = 0; at < m->grid_C.size; at++) {
    const size_t i = at % s->values;
    const double fixed = m->penalty == PENALTY_L1 ? 1 : m->penalty == PENALTY_L2 ? 0 : 0.5;
    m->grid_C.at[at] = m->Cs.size > 0 ? m->Cs.at[order[i]] : pow(10, -4 + 8 * (double)i / (DEFAULT_CS - 1));
    m->grid_l1_ratio.at[at] = elastic_net && m->l1_ratios.size > 0 ? m->l1_ratios.at[at / s->values] : fixed;
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Average over the folds and choose the best; ties are broken by the lowest index (strongest penalty). */
static void choose_best(struct logistic_cv *m)
{
  size_t best = 0;
  for (size_t at = 0; at < m->mean_score.size; at++) {
    const double *row = mn_row(&m->score_path, at);
    for (size_t f = 0; f < m->score_path.cols; f++) m->mean_score.at[at] += row[f] / (double)m->score_path.cols;
    if (m->mean_score.at[at] > m->mean_score.at[best]) best = at;
  }
  m->C = m->grid_C.at[best];
  m->best_l1_ratio = m->grid_l1_ratio.at[best];
  m->best_score = m->mean_score.at[best];
}

struct progress_state {
  mn_context *ctx;
  struct logistic_cv *m;
};

static bool progress(void *user, double objective)
{
  struct progress_state *l = user;
  return mn_round(l->ctx, &l->m->linear.base.report, l->m->max_iter, objective);
}

/* A class that occurs in one fold only cannot be learned without it. */
static mn_status check_classes(mn_context *ctx, const mn_data *data)
{
  double *class_weight_sum = MN_NEW(ctx, double, data->classes, 1);
  size_t *class_rows = MN_NEW(ctx, size_t, data->classes, 1);
  if (!class_weight_sum || !class_rows) return MN_NO_MEMORY;
  for (size_t i = 0; i < data->rows; i++) {
    class_weight_sum[data->code[i]] += mn_weight(data, i);
    class_rows[data->code[i]]++;
  }
  for (size_t c = 0; c < data->classes; c++)
    if (class_rows[c] < 2 && !(class_weight_sum[c] >= 2))
      return mn_fail(ctx, MN_BAD_DATA,
                     "LogisticRegressionCV: each class must have at least 2 rows, got 1 for class %zu", c + 1);
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct logistic_cv *m = self;
  struct search s = { .m = m, .data = data, .k = mn_decisions(&m->linear.base) };
  struct progress_state l = { .ctx = ctx, .m = m };
  if ((m->Cs.at && m->Cs.size == 0) || (m->l1_ratios.at && m->l1_ratios.size == 0))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "LogisticRegressionCV: %s must hold at least one value, got none",
                   m->Cs.at && m->Cs.size == 0 ? "Cs" : "l1_ratios");
  m->linear.base.report.advice = "raise max_iter or scale the columns";
  m->linear.base.report.scaled_advice = "raise max_iter";
  MN_TRY(mn_check_magnitudes(ctx, &m->linear.base, data));
  MN_TRY(check_classes(ctx, data));
  MN_TRY(mn_folds_stratified(ctx, "LogisticRegressionCV", data, m->cv, &s.folds));
  if (data->sparse) MN_TRY(mn_csr_transpose_scratch(ctx, data->sparse, &s.transposed));
  MN_TRY(make_grid(ctx, &s));
  MN_TRY(mn_folds_run(ctx, s.folds.count, run_fold, &s));
  choose_best(m);
  MN_TRY(mn_linear_init(ctx, &m->linear, s.k, data->features));
  const mn_logistic_problem problem = make_problem(&s, data, m->C, m->best_l1_ratio);
  MN_TRY(mn_logistic_fit_cd(ctx, &problem, m->linear.coef.at, m->linear.intercept.at, &m->linear.base.report, progress,
                            &l));
  return mn_logistic_gap(ctx, &problem, m->linear.coef.at, m->linear.intercept.at, &m->gap);
}

static mn_status scores(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results)
{
  (void)data, (void)options;
  const struct logistic_cv *m = self;
  const struct {
    const char *name;
    const mn_vector *from;
  } column[] = { { "scores.C", &m->grid_C },
                 { "scores.l1_ratio", &m->grid_l1_ratio },
                 { "scores.score", &m->mean_score } };
  mn_vector *copy;
  mn_matrix *folds;
  for (size_t k = 0; k < sizeof column / sizeof *column; k++) {
    MN_TRY(mn_result_vector(ctx, results, column[k].name, m->mean_score.size, &copy));
    memcpy(copy->at, column[k].from->at, m->mean_score.size * sizeof *copy->at);
  }
  MN_TRY(mn_result_matrix(ctx, results, "folds", m->score_path.rows, m->score_path.cols, &folds));
  memcpy(folds->at, m->score_path.at, m->score_path.rows * m->score_path.cols * sizeof *folds->at);
  return MN_OK;
}

static const mn_operation operations[] = {
  MN_COEF_SUMMARY(mn_coef_summary),
  { .name = "scores",
    .brief = "scores of all folds for each candidate penalty",
    .returns =
        "scores (Frame: C, l1_ratio, score), folds (Matrix: one row for each row of scores, one column per fold)",
    .run = scores },
  { .name = NULL },
};

static const mn_param params[] = {
  MN_REALS(struct logistic_cv, Cs, MN_GREATER_THAN(0),
           "candidates for C, the inverse strength of the penalty; nil: 10 values from 1e-4 to 1e4"),
  MN_CHOICE(struct logistic_cv, penalty, PENALTY_L2, penalties, "l2, l1, or elasticnet (both)"),
  MN_REALS(struct logistic_cv, l1_ratios, MN_CLOSED(0, 1),
           "candidates for the share of the L1 norm in elasticnet; nil: 0.5"),
  MN_COUNT(struct logistic_cv, cv, 5, MN_CLOSED(2, 100000),
           "number of folds: stratified, consecutive rows of each class"),
  MN_CHOICE(struct logistic_cv, scoring, SCORE_ACCURACY, scorings,
            "score on the held-out folds: accuracy or negative log loss"),
  MN_FLAG(struct logistic_cv, fit_intercept, true, "fit an intercept; it is never penalized"),
  MN_COUNT(struct logistic_cv, max_iter, 100, MN_AT_LEAST(1), "maximum number of rounds for each penalty"),
  MN_REAL(struct logistic_cv, tol, 1e-6, MN_AT_LEAST(0),
          "stop when a round can lower the objective by at most this share"),
  MN_END,
};

static const mn_field fields[] = {
  MN_NUMBER(struct logistic_cv, C, "chosen C; ties are broken in favor of the stronger penalty"),
  MN_NUMBER(struct logistic_cv, best_l1_ratio, "chosen share of the L1 norm; 0 for l2, 1 for l1"),
  MN_NUMBER(struct logistic_cv, best_score, "its mean score over the folds"),
  MN_VECTOR(struct logistic_cv, grid_C, "candidates", "C of each candidate"),
  MN_VECTOR(struct logistic_cv, grid_l1_ratio, "candidates", "l1_ratio of each candidate"),
  MN_VECTOR(struct logistic_cv, mean_score, "candidates", "mean score of each candidate over the folds"),
  MN_MATRIX(struct logistic_cv, score_path, "candidates x folds", "score of each candidate on each fold"),
  MN_LOGISTIC_GAP(struct logistic_cv),
  MN_LINEAR_FIELDS("decisions"),
  MN_END,
};

const mn_class mn_logistic_regression_cv = {
  .name = "LogisticRegressionCV",
  .family = "linear",
  .brief = "Logistic regression with the penalty chosen by cross-validation.",
  .objective =
      "C sum_i w_i loss(y_i, x_i B + c) + l1_ratio |B|_1 + (1 - l1_ratio) / 2 |B|^2, with C and l1_ratio chosen by the score on held-out folds",
  .source = "Friedman, Hastie & Tibshirani, J. Stat. Software 33 (2010); Hastie, Tibshirani & Friedman (2009), 7.10",
  .notes =
      "Folds are stratified and keep the order of the rows, like StratifiedKFold of scikit-learn: shuffle rows that are sorted within a class. "
      "A row of weight k counts as k rows, which may fall into different folds. "
      "The final model is fitted to all rows with the chosen penalty; model:scores() lists all candidates. "
      "Exported Lua programs agree in probabilities of two classes within 4 units in the last place.",
  .example = "local X, y = ml.read_csv(\"examples/data/iris.csv\"):split \"species\"\n"
             "local model = ml.LogisticRegressionCV{ Cs = { 0.1, 1, 10 }, penalty = 'l1', cv = 3 }:fit(X, y)\n"
             "print(model.C, model.best_score, model.coef)",
  .capabilities = MN_CLASSIFY | MN_ITERATE,
  .accepts = MN_FOLDS | MN_WEIGHTS | MN_SPARSE | MN_CLASS_WEIGHT,
  .size = sizeof(struct logistic_cv),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  .decision = mn_linear_predict,
  .export = mn_linear_export_proba,
  .log_proba = mn_linear_log_proba,
};
