/* Quadratic discriminant analysis: normal classes, each with its own covariance S_c. The score of class c is
 *
 *     log prior_c - 1/2 log det S_c - 1/2 (x - mean_c)' inv(S_c) (x - mean_c).
 *
 * S_c is computed from the SVD of the centered rows of the class, or regularized: (1 - reg_param) S_c + reg_param I, or
 * shrinkage. Hastie, Tibshirani & Friedman, The Elements of Statistical Learning, 2nd ed., section 4.3. */
#include "../factorization/lapack.h"
#include "../linalg/ordered.h"
#include "../linalg/product.h"
#include "../linalg/row_softmax.h"
#include "../model/program.h"
#include "class_prior.h"
#include "discriminant.h"
#include "discriminant_summary.h"
#include "../linear/terms.h"
#include "../linear/linear.h"
#include <string.h>

struct qda {
  mn_estimator base;
  double reg_param, shrinkage, tol; /* parameters */
  int64_t covariance_estimator;
  mn_vector priors;
  mn_matrix means, whitening; /* learned fields; whitening: classes stacked blocks of features x features, each of which
                                 maps rows to unit covariance */
  mn_vector class_prior, log_det;
};

static const char name[] = "QuadraticDiscriminantAnalysis";
enum { CHUNK_ROWS = 1024, MAX_DOT_ROWS = 8 };

/* Variances (descending) and directions (rows of vt) of class c. The columns are divided by `scale`, their standard
 * deviations, unless `unscaled`. */
static mn_status decompose_rows(mn_context *ctx, const mn_class_rows *g, size_t c, bool unscaled, double *scale,
                                double *variance, double *vt)
{
  const mn_data *d = g->data;
  const size_t p = d->features, n = g->first[c + 1] - g->first[c];
  double *z = MN_RAW(ctx, double, n, p);
  MN_CHECK_ALLOC(z);
  for (size_t i = 0; i < n; i++) {
    const size_t row = g->row[g->first[c] + i];
    const double root = sqrt(mn_weight(d, row) / g->count[c]);
    for (size_t j = 0; j < p; j++) z[i * p + j] = root * (mn_row(&d->x, row)[j] - g->mean[c * p + j]);
  }
  for (size_t j = 0; j < p && !unscaled; j++) {
    double square = 0;
    for (size_t i = 0; i < n; i++) square += z[i * p + j] * z[i * p + j];
    scale[j] = square > 0 ? sqrt(square) : 1;
    for (size_t i = 0; i < n; i++) z[i * p + j] /= scale[j];
  }
  MN_TRY(mn_svd(ctx, n, p, z, NULL, variance, vt));
  for (size_t j = 0; j < p; j++) variance[j] *= variance[j];
  return MN_OK;
}

static mn_status decompose_covariance(mn_context *ctx, const struct qda *m, const mn_class_rows *g, size_t c,
                                      double *variance, double *vt)
{
  const size_t p = g->data->features;
  const mn_covariance_rule rule = { .estimator = m->covariance_estimator, .shrinkage = m->shrinkage };
  double *s = MN_RAW(ctx, double, p, p);
  MN_CHECK_ALLOC(s);
  MN_TRY(mn_class_covariance(ctx, g->data, g->first[c + 1] - g->first[c], g->row + g->first[c], g->mean + c * p, &rule,
                             s));
  return mn_eigh(ctx, p, p, MN_LARGEST, s, variance, vt);
}

static mn_status fit_class(mn_context *ctx, struct qda *m, const mn_class_rows *g, size_t c)
{
  const size_t p = g->data->features, n = g->first[c + 1] - g->first[c];
  const mn_mark mark = mn_scratch_mark(ctx);
  double *variance = MN_RAW(ctx, double, p, 1), *vt = MN_RAW(ctx, double, p, p), *w = m->whitening.at + c * p * p;
  double *scale = MN_RAW(ctx, double, p, 1);
  char label[64];
  if (!variance || !vt || !scale) return MN_NO_MEMORY;
  for (size_t j = 0; j < p; j++) scale[j] = 1;
  const mn_label which = mn_levels_at(m->base.classes, c);
  if (!(g->count[c] > 1))
    return mn_fail(ctx, MN_BAD_DATA, "%s: class %s must have at least 2 rows to estimate its covariance, got 1", name,
                   mn_format_label(label, sizeof label, which));
  const bool has_shrinkage = !isnan(m->shrinkage) || m->covariance_estimator != MN_EMPIRICAL || n < p;
  MN_TRY(has_shrinkage ? decompose_covariance(ctx, m, g, c, variance, vt)
                       : decompose_rows(ctx, g, c, m->reg_param > 0, scale, variance, vt));
  const double largest = (1 - m->reg_param) * fmax(variance[0], 0) + m->reg_param;
  for (size_t j = 0; j < p; j++) {
    const double v = (1 - m->reg_param) * fmax(variance[j], 0) + m->reg_param;
    if (!(v > m->tol * largest))
      return mn_fail(
          ctx, MN_SINGULAR,
          "%s: the covariance of class %s is singular (%zu rows, %zu columns, rank %zu); increase reg_param or use shrinkage",
          name, mn_format_label(label, sizeof label, which), n, p, j);
    m->log_det.at[c] += log(v) + 2 * log(scale[j]);
    for (size_t i = 0; i < p; i++) w[i * p + j] = vt[j * p + i] / sqrt(v) / scale[i];
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct qda *m = self;
  const size_t k = data->classes, p = data->features;
  char number[MN_NUMBER_SIZE];
  mn_class_rows g;
  const mn_prior_rule rule = { .who = name, .param = "priors", .given = &m->priors, .fit = true, .positive = true };
  if (!isnan(m->shrinkage) && m->covariance_estimator != MN_EMPIRICAL)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: shrinkage must be nil with covariance_estimator 'ledoit_wolf', which estimates it, got %s",
                   name, mn_format_number(number, m->shrinkage));
  MN_TRY(mn_check_magnitudes(ctx, &m->base, data));
  MN_TRY(mn_sort_by_class(ctx, data, &g));
  MN_TRY(mn_vector_init(ctx, &m->class_prior, k));
  MN_TRY(mn_class_priors(ctx, &rule, k, g.count, m->class_prior.at));
  MN_TRY(mn_matrix_init(ctx, &m->means, k, p));
  MN_TRY(mn_matrix_init(ctx, &m->whitening, k * p, p));
  MN_TRY(mn_vector_init(ctx, &m->log_det, k));
  memcpy(m->means.at, g.mean, k * p * sizeof *g.mean);
  for (size_t c = 0; c < k; c++) MN_TRY(fit_class(ctx, m, &g, c));
  return MN_OK;
}

static void transpose(size_t p, const double *w, double *transposed)
{
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++) transposed[j * p + i] = w[i * p + j];
}

/* u = z W for n rows. Few rows use a summation order that is the same on every CPU and in exported programs;
 * transposed: workspace (p x p). */
static mn_status whiten(mn_context *ctx, size_t n, size_t p, const double *z, const double *w, double *transposed,
                        double *u)
{
  if (n > MAX_DOT_ROWS) return mn_gemm(ctx, false, false, n, p, p, 1, z, p, w, p, 0, u, p);
  transpose(p, w, transposed);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < p; j++) u[i * p + j] = mn_ordered_dot(p, z + i * p, transposed + j * p);
  return MN_OK;
}

/* Scores of all classes; out: rows x classes. */
static mn_status scores(mn_context *ctx, const struct qda *m, const mn_data *data, double *out)
{
  const size_t k = m->means.rows, p = data->features;
  double *z = MN_RAW(ctx, double, CHUNK_ROWS, p), *u = MN_RAW(ctx, double, CHUNK_ROWS, p);
  double *transposed = MN_RAW(ctx, double, p, p);
  if (!z || !u || !transposed) return MN_NO_MEMORY;
  for (size_t begin = 0; begin < data->rows; begin += CHUNK_ROWS) {
    const size_t n = data->rows - begin < CHUNK_ROWS ? data->rows - begin : CHUNK_ROWS;
    MN_TRY(mn_poll(ctx));
    for (size_t c = 0; c < k; c++) {
      for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < p; j++) z[i * p + j] = data->x.at[(begin + i) * p + j] - m->means.at[c * p + j];
      MN_TRY(whiten(ctx, n, p, z, m->whitening.at + c * p * p, transposed, u));
      for (size_t i = 0; i < n; i++) {
        const double square = mn_ordered_dot(p, u + i * p, u + i * p);
        out[(begin + i) * k + c] = log(m->class_prior.at[c]) - (m->log_det.at[c] + square) / 2;
      }
    }
  }
  return MN_OK;
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  MN_TRY(scores(ctx, self, data, out->at));
  mn_row_log_softmax(out->rows, out->cols, out->at);
  return MN_OK;
}

static mn_status decision(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  if (out->cols > 1) return scores(ctx, self, data, out->at);
  double *both = MN_RAW(ctx, double, data->rows, 2);
  MN_CHECK_ALLOC(both);
  MN_TRY(scores(ctx, self, data, both));
  for (size_t i = 0; i < data->rows; i++) out->at[i] = both[2 * i + 1] - both[2 * i];
  return MN_OK;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct qda *m = self;
  const size_t k = m->means.rows, p = m->means.cols;
  if (action != MN_DECISION_FUNCTION && action != MN_PREDICT_LOG_PROBA) return MN_OK;
  double *transposed = MN_RAW(ctx, double, m->whitening.rows, p), *log_prior = MN_RAW(ctx, double, k, 1);
  if (!transposed || !log_prior) return MN_NO_MEMORY;
  for (size_t c = 0; c < k; c++) {
    transpose(p, m->whitening.at + c * p * p, transposed + c * p * p);
    log_prior[c] = log(m->class_prior.at[c]);
  }
  mn_program_reals(program, "mean", k * p, m->means.at);
  mn_program_reals(program, "whitening", k * p * p, transposed);
  mn_program_reals(program, "log_prior", k, log_prior);
  mn_program_reals(program, "log_det", k, m->log_det.at);
  mn_program_count(program, "classes", k);
  mn_program_code(program, "reals score[classes] reals z[features] reals u[features]"
                           " for c < classes {"
                           "   for j < features { z[j] = x[j] - mean[c * features + j] }"
                           "   for j < features {"
                           "     u[j] = dot(features, z, 0, whitening, (c * features + j) * features)"
                           "   }"
                           "   score[c] = log_prior[c] - (log_det[c] + dot(features, u, 0, u, 0)) / 2"
                           " }");
  if (action == MN_DECISION_FUNCTION && k == 2)
    mn_program_code(program, "out[0] = score[1] - score[0]");
  else
    mn_program_code(program, "for c < classes { out[c] = score[c] }");
  if (action == MN_PREDICT_LOG_PROBA) mn_program_code(program, "log_softmax(outputs, out)");
  return MN_OK;
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct qda *m = self;
  if (m->whitening.rows == m->means.rows * m->means.cols) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "%s: the size of whitening in the archive does not match means", name);
}

static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  (void)data, (void)options;
  static const char *const columns[] = { "Prior", "log det" };
  const struct qda *m = self;
  const size_t p = m->means.cols, classes = m->means.rows;
  const char **labels, **features;
  double *values = MN_RAW(ctx, double, classes, 2);
  mn_vector *log_det;
  mn_text_page page;
  MN_CHECK_ALLOC(values);
  MN_TRY(mn_class_labels(ctx, &m->base, &labels));
  MN_TRY(mn_term_names(ctx, &m->base, NULL, p, false, &features));
  MN_TRY(mn_add_classes(ctx, labels, &m->class_prior, &m->means, results));
  MN_TRY(mn_result_vector(ctx, results, "log_det", classes, &log_det));
  for (size_t c = 0; c < classes; c++) {
    values[2 * c] = m->class_prior.at[c];
    values[2 * c + 1] = log_det->at[c] = m->log_det.at[c];
  }
  MN_TRY(mn_page_begin(ctx, &page, mn_table_size(classes, 2) + mn_table_size(classes, p)));
  mn_print_table(&page, "Prior probabilities, and logarithms of the determinants of the covariances", labels, classes,
                 columns, 2, values);
  mn_print_table(&page, "Means of the classes", labels, classes, features, p, m->means.at);
  return mn_result_text(ctx, results, "text", page.at, page.size > 1 ? page.size - 2 : 0);
}

static const mn_operation operations[] = {
  { .name = "summary",
    .brief = "priors and means of the classes, and the sizes of their covariances",
    .returns = "classes (Frame: class, prior), means (Matrix: classes x features), log_det (Vector); prints as tables",
    .run = summary },
  { .name = NULL },
};

static const mn_param params[] = {
  MN_REAL(struct qda, reg_param, 0, MN_CLOSED(0, 1), "covariances become (1 - reg_param) S_c + reg_param I"),
  MN_REAL(struct qda, shrinkage, MN_UNSET_REAL, MN_CLOSED(0, 1),
          "s in (1 - s) S_c + s trace(S_c) / p I, the covariance of each class; nil: none"),
  MN_CHOICE(struct qda, covariance_estimator, MN_EMPIRICAL, mn_covariance_estimators,
            "ledoit_wolf: estimated shrinkage"),
  MN_REALS(struct qda, priors, MN_CLOSED(0, 1), "prior probabilities of the classes; nil: class frequencies"),
  MN_REAL(
      struct qda, tol, 1e-9, MN_AT_LEAST(0),
      "a covariance is singular if a variance is at most this fraction of the largest; columns are scaled to 1 unless regularized"),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct qda, means, "classes x features", "mean of each class"),
  MN_VECTOR(struct qda, class_prior, "classes", "prior probability of each class"),
  MN_VECTOR(struct qda, log_det, "classes", "logarithm of the determinant of each covariance"),
  MN_MATRIX(struct qda, whitening, "stacked x features",
            "stacked features x features blocks W, one for each class, with W W' the inverse of its covariance"),
  MN_END,
};

const mn_class mn_quadratic_discriminant = {
  .name = "QuadraticDiscriminantAnalysis",
  .family = "linear",
  .brief = "Quadratic discriminant analysis: normal classes with different covariances.",
  .objective = "log p(c | x) = log prior_c - 1/2 log det S_c - 1/2 (x - mean_c)' inv(S_c) (x - mean_c) + constant",
  .source = "Hastie, Tibshirani & Friedman, The Elements of Statistical Learning, 2nd ed., section 4.3",
  .notes =
      "Covariances are divided by the number of rows of the class, as in scikit-learn since 1.8. reg_param mixes in the identity, so "
      "scale the columns first.",
  .example = "local X, y = ml.read_csv('examples/data/iris.csv'):split 'species'\n"
             "print(ml.QuadraticDiscriminantAnalysis{}:fit(X, y):score(X, y))",
  .capabilities = MN_CLASSIFY,
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct qda),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  .decision = decision,
  .log_proba = log_proba,
  .export = export,
  .check = check,
};
