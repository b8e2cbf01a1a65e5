/* Linear discriminant analysis: normal classes with a common covariance S. The score of class c is
 *
 *     log prior_c + x' inv(S) mean_c - 1/2 mean_c' inv(S) mean_c,
 *
 * linear in x. The solvers differ in how they compute inv(S):
 *
 *   svd    SVD of the rows centered by class, without forming S; directions without variance are dropped
 *   lsqr   eigenvectors of S, which may be shrunken
 *   eigen  generalized eigenvectors of the covariance between classes with respect to S
 *
 * transform projects on the directions that best separate the class means in units of S, at most classes - 1.
 *
 * Hastie, Tibshirani & Friedman, The Elements of Statistical Learning, 2nd ed., section 4.3; Ledoit & Wolf (2004). */
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "../model/program.h"
#include "class_prior.h"
#include "discriminant.h"
#include "discriminant_summary.h"
#include "../linear/linear.h"
#include "../linear/terms.h"
#include <stdio.h>
#include <string.h>

struct lda {
  mn_linear linear;
  int64_t solver, covariance_estimator, n_components; /* parameters */
  double shrinkage, tol;
  mn_vector priors;
  mn_matrix means, scalings, covariance; /* learned fields */
  mn_vector class_prior, xbar, explained_variance_ratio;
};

enum { SOLVER_SVD, SOLVER_LSQR, SOLVER_EIGEN };
static const char *const solvers[] = { "svd", "lsqr", "eigen", NULL };
static const char name[] = "LinearDiscriminantAnalysis";

/* Directions W (p x rank) in which the covariance within classes is the identity: W' S W = I. */
struct whitening {
  size_t rank;
  double *w; /* p x rank */
};

static mn_status whiten_by_svd(mn_context *ctx, const struct lda *m, const mn_class_rows *g, struct whitening *out)
{
  const mn_data *d = g->data;
  const size_t n = d->rows, p = d->features, k = n < p ? n : p;
  double *z = MN_RAW(ctx, double, n, p), *scale = MN_NEW(ctx, double, p, 1), *s = MN_RAW(ctx, double, k, 1);
  double *vt = MN_RAW(ctx, double, k, p);
  out->w = MN_RAW(ctx, double, p, k);
  if (!z || !scale || !s || !vt || !out->w) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) {
    const double *mean = g->mean + (size_t)d->code[i] * p, share = mn_weight(d, i) / g->total;
    for (size_t j = 0; j < p; j++) {
      const double deviation = mn_row(&d->x, i)[j] - mean[j];
      z[i * p + j] = sqrt(share) * deviation;
      scale[j] += share * deviation * deviation;
    }
  }
  for (size_t j = 0; j < p; j++) scale[j] = scale[j] > 0 ? sqrt(scale[j]) : 1;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < p; j++) z[i * p + j] /= scale[j];
  MN_TRY(mn_svd(ctx, n, p, z, NULL, s, vt));
  for (out->rank = 0; out->rank < k && s[out->rank] > m->tol;) out->rank++;
  for (size_t j = 0; j < p; j++)
    for (size_t c = 0; c < out->rank; c++) out->w[j * out->rank + c] = vt[c * p + j] / scale[j] / s[c];
  return MN_OK;
}

/* sum_c prior_c S_c, each S_c shrunken separately. */
static mn_status within_covariance(mn_context *ctx, struct lda *m, const mn_class_rows *g)
{
  const size_t p = g->data->features;
  const mn_covariance_rule rule = { .estimator = m->covariance_estimator, .shrinkage = m->shrinkage };
  double *class_covariance = MN_RAW(ctx, double, p, p);
  MN_CHECK_ALLOC(class_covariance);
  MN_TRY(mn_matrix_init(ctx, &m->covariance, p, p));
  for (size_t c = 0; c < g->classes; c++) {
    MN_TRY(mn_class_covariance(ctx, g->data, g->first[c + 1] - g->first[c], g->row + g->first[c], g->mean + c * p,
                               &rule, class_covariance));
    for (size_t i = 0; i < p * p; i++) m->covariance.at[i] += m->class_prior.at[c] * class_covariance[i];
  }
  return MN_OK;
}

/* By eigenvectors of the covariance of columns scaled to unit variance, so that units do not matter. */
static mn_status whiten_by_covariance(mn_context *ctx, const struct lda *m, struct whitening *out)
{
  const size_t p = m->covariance.cols;
  double *s = MN_RAW(ctx, double, p, p), *value = MN_RAW(ctx, double, p, 1), *vector = MN_RAW(ctx, double, p, p);
  double *scale = MN_RAW(ctx, double, p, 1);
  out->w = MN_RAW(ctx, double, p, p);
  if (!s || !value || !vector || !scale || !out->w) return MN_NO_MEMORY;
  for (size_t j = 0; j < p; j++) scale[j] = m->covariance.at[j * p + j] > 0 ? sqrt(m->covariance.at[j * p + j]) : 1;
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++) s[i * p + j] = m->covariance.at[i * p + j] / scale[i] / scale[j];
  MN_TRY(mn_eigh(ctx, p, p, MN_LARGEST, s, value, vector));
  for (out->rank = 0; out->rank < p && value[out->rank] > (double)p * DBL_EPSILON * value[0];) out->rank++;
  for (size_t j = 0; j < p; j++)
    for (size_t c = 0; c < out->rank; c++) out->w[j * out->rank + c] = vector[c * p + j] / scale[j] / sqrt(value[c]);
  return MN_OK;
}

/* Coefficients of the scores, B = W W' (mean_c - origin) for all classes; two classes have one row, the difference. The
 * origin adds a constant to all scores and is chosen to match the coefficients of scikit-learn. */
static mn_status set_scores(mn_context *ctx, struct lda *m, const struct whitening *h, const double *origin)
{
  const size_t k = m->means.rows, p = m->means.cols;
  double *b = MN_NEW(ctx, double, k, p), *c = MN_NEW(ctx, double, k, 1), *z = MN_RAW(ctx, double, h->rank + 1, 1);
  if (!b || !c || !z) return MN_NO_MEMORY;
  for (size_t l = 0; l < k; l++) {
    double half = 0;
    for (size_t r = 0; r < h->rank; r++) {
      z[r] = 0;
      for (size_t j = 0; j < p; j++) z[r] += (m->means.at[l * p + j] - origin[j]) * h->w[j * h->rank + r];
      half += z[r] * z[r] / 2;
    }
    c[l] = log(m->class_prior.at[l]) - half;
    for (size_t j = 0; j < p; j++) {
      for (size_t r = 0; r < h->rank; r++) b[l * p + j] += h->w[j * h->rank + r] * z[r];
      c[l] -= b[l * p + j] * origin[j];
    }
  }
  MN_TRY(mn_linear_init(ctx, &m->linear, k == 2 ? 1 : k, p));
  for (size_t l = 0; l < m->linear.coef.rows; l++) {
    m->linear.intercept.at[l] = k == 2 ? c[1] - c[0] : c[l];
    for (size_t j = 0; j < p; j++) m->linear.coef.at[l * p + j] = k == 2 ? b[p + j] - b[j] : b[l * p + j];
  }
  return MN_OK;
}

/* Store the first of `rank` directions (p x rank, best first) with their variances. */
static mn_status store_directions(mn_context *ctx, struct lda *m, size_t rank, double *w, const double *variance,
                                  double total)
{
  const size_t k = m->means.rows, p = m->means.cols;
  size_t max_count = k - 1 < p ? k - 1 : p;
  if (m->n_components != MN_UNSET && (size_t)m->n_components < max_count) max_count = (size_t)m->n_components;
  const size_t count = max_count < rank ? max_count : rank;
  if (count == 0)
    return mn_fail(
        ctx, MN_SINGULAR,
        "%s: no direction separates the classes: X is constant within classes, the class means are equal, or tol is too large",
        name);
  MN_TRY(mn_matrix_init(ctx, &m->scalings, p, count));
  MN_TRY(mn_vector_init(ctx, &m->explained_variance_ratio, count));
  for (size_t c = 0; c < count; c++) {
    m->explained_variance_ratio.at[c] = total > 0 ? variance[c] / total : 0;
    for (size_t j = 0; j < p; j++) m->scalings.at[j * count + c] = w[j * rank + c];
  }
  mn_fix_column_signs(p, count, m->scalings.at);
  return MN_OK;
}

/* Directions of transform: principal components of the class means after whitening. */
static mn_status set_directions(mn_context *ctx, struct lda *m, const mn_class_rows *g, const struct whitening *h)
{
  const size_t k = g->classes, p = m->means.cols, r = h->rank, smaller = k < r ? k : r;
  double *z = MN_NEW(ctx, double, k, r), *s = MN_RAW(ctx, double, smaller + 1, 1),
         *vt = MN_RAW(ctx, double, smaller + 1, r);
  double *w = MN_NEW(ctx, double, p, smaller + 1), total = 0;
  size_t rank = 0;
  if (!z || !s || !vt || !w) return MN_NO_MEMORY;
  for (size_t l = 0; l < k; l++)
    for (size_t c = 0; c < r; c++) {
      for (size_t j = 0; j < p; j++) z[l * r + c] += (m->means.at[l * p + j] - m->xbar.at[j]) * h->w[j * r + c];
      z[l * r + c] *= sqrt(m->class_prior.at[l]);
    }
  if (smaller > 0) MN_TRY(mn_svd(ctx, k, r, z, NULL, s, vt));
  for (size_t c = 0; c < smaller; c++) {
    rank += s[c] > m->tol * s[0];
    s[c] *= s[c];
    total += s[c];
  }
  for (size_t j = 0; j < p; j++)
    for (size_t c = 0; c < rank; c++)
      for (size_t q = 0; q < r; q++) w[j * rank + c] += h->w[j * r + q] * vt[c * r + q];
  return store_directions(ctx, m, rank, w, s, total);
}

/* b = inv(L) B inv(L') for symmetric B = total - within; L in `l`. */
static mn_status whiten_between(mn_context *ctx, size_t p, const double *l, double *b)
{
  MN_TRY(mn_chol_lower(ctx, p, p, l, b));
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < i; j++) {
      const double swap = b[i * p + j];
      b[i * p + j] = b[j * p + i];
      b[j * p + i] = swap;
    }
  return mn_chol_lower(ctx, p, p, l, b);
}

/* Scale the covariance within classes (into l) and between classes (total b - within) to unit variances within classes,
 * so that singularity does not depend on units. */
static void scale_covariances(const double *within, size_t p, double *b, double *l, double *scale)
{
  for (size_t j = 0; j < p; j++) scale[j] = within[j * p + j] > 0 ? sqrt(within[j * p + j]) : 1;
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++) {
      l[i * p + j] = within[i * p + j] / scale[i] / scale[j];
      b[i * p + j] = (b[i * p + j] - within[i * p + j]) / scale[i] / scale[j];
    }
}

static mn_status solve_by_eigen(mn_context *ctx, struct lda *m, const mn_class_rows *g)
{
  const mn_data *d = g->data;
  const size_t p = d->features;
  const mn_covariance_rule rule = { .estimator = m->covariance_estimator, .shrinkage = m->shrinkage };
  double *l = MN_RAW(ctx, double, p, p), *b = MN_RAW(ctx, double, p, p), *value = MN_RAW(ctx, double, p, 1);
  double *vector = MN_RAW(ctx, double, p, p), *w = MN_RAW(ctx, double, p, p), *mean = MN_NEW(ctx, double, p, 1);
  double *scale = MN_RAW(ctx, double, p, 1);
  const double *zero = MN_NEW(ctx, double, p, 1);
  size_t minor;
  double rcond, total = 0;
  if (!l || !b || !value || !vector || !w || !mean || !scale || !zero) return MN_NO_MEMORY;
  for (size_t c = 0; c < g->classes; c++)
    for (size_t j = 0; j < p; j++) mean[j] += g->count[c] / g->total * g->mean[c * p + j];
  MN_TRY(mn_class_covariance(ctx, d, d->rows, g->row, mean, &rule, b));
  scale_covariances(m->covariance.at, p, b, l, scale);
  MN_TRY(mn_chol_try(ctx, p, l, &rcond, &minor));
  if (minor > 0 || !(rcond > DBL_EPSILON))
    return mn_fail(
        ctx, MN_SINGULAR,
        "%s: the covariance within the classes is singular; use shrinkage or solver 'svd' instead of 'eigen'", name);
  MN_TRY(whiten_between(ctx, p, l, b));
  MN_TRY(mn_eigh(ctx, p, p, MN_LARGEST, b, value, vector));
  for (size_t j = 0; j < p; j++)
    for (size_t c = 0; c < p; c++) w[j * p + c] = vector[c * p + j];
  MN_TRY(mn_chol_upper(ctx, p, p, l, w));
  for (size_t j = 0; j < p; j++)
    for (size_t c = 0; c < p; c++) w[j * p + c] /= scale[j];
  for (size_t c = 0; c < p; c++) total += value[c];
  MN_TRY(set_scores(ctx, m, &(struct whitening){ .rank = p, .w = w }, zero));
  return store_directions(ctx, m, p, w, value, total);
}

static mn_status check_settings(mn_context *ctx, const struct lda *m, const mn_class_rows *g)
{
  const bool has_shrinkage = !isnan(m->shrinkage) || m->covariance_estimator != MN_EMPIRICAL;
  char number[MN_NUMBER_SIZE];
  if (m->solver == SOLVER_SVD && has_shrinkage)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: shrinkage requires solver 'lsqr' or 'eigen', got 'svd'", name);
  if (!isnan(m->shrinkage) && m->covariance_estimator != MN_EMPIRICAL)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: shrinkage must be nil with covariance_estimator 'ledoit_wolf', which estimates it, got %s",
                   name, mn_format_number(number, m->shrinkage));
  if (!(g->total > (double)g->classes))
    return mn_fail(ctx, MN_BAD_DATA, "%s: there must be more rows than classes, got %s rows and %zu classes", name,
                   mn_format_number(number, g->total), g->classes);
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct lda *m = self;
  const size_t k = data->classes, p = data->features;
  mn_class_rows g;
  struct whitening h = { 0 };
  const mn_prior_rule rule = { .who = name, .param = "priors", .given = &m->priors, .fit = true, .positive = true };
  MN_TRY(mn_check_magnitudes(ctx, &m->linear.base, data));
  MN_TRY(mn_sort_by_class(ctx, data, &g));
  MN_TRY(check_settings(ctx, m, &g));
  MN_TRY(mn_vector_init(ctx, &m->class_prior, k));
  MN_TRY(mn_class_priors(ctx, &rule, k, g.count, m->class_prior.at));
  MN_TRY(mn_matrix_init(ctx, &m->means, k, p));
  MN_TRY(mn_vector_init(ctx, &m->xbar, p));
  memcpy(m->means.at, g.mean, k * p * sizeof *g.mean);
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++) m->xbar.at[j] += m->class_prior.at[c] * g.mean[c * p + j];
  if (m->solver != SOLVER_SVD) MN_TRY(within_covariance(ctx, m, &g));
  if (m->solver == SOLVER_EIGEN) return solve_by_eigen(ctx, m, &g);
  MN_TRY(m->solver == SOLVER_SVD ? whiten_by_svd(ctx, m, &g, &h) : whiten_by_covariance(ctx, m, &h));
  const double *zero = MN_NEW(ctx, double, p, 1);
  MN_CHECK_ALLOC(zero);
  MN_TRY(set_scores(ctx, m, &h, m->solver == SOLVER_SVD ? m->xbar.at : zero));
  return set_directions(ctx, m, &g, &h);
}

static size_t outputs(const void *self)
{
  return ((const struct lda *)self)->scalings.cols;
}

/* transform as a linear model with one output for each direction; scratch. */
static mn_status projection(mn_context *ctx, const struct lda *m, mn_linear *out)
{
  const size_t p = m->scalings.rows, q = m->scalings.cols;
  double *offset = MN_NEW(ctx, double, q + 1, 1), *rows = MN_RAW(ctx, double, q + 1, p);
  if (!offset || !rows) return MN_NO_MEMORY;
  for (size_t c = 0; c < q; c++)
    for (size_t j = 0; j < p; j++) {
      rows[c * p + j] = m->scalings.at[j * q + c];
      offset[c] -= m->xbar.at[j] * rows[c * p + j];
    }
  *out = (mn_linear){ .coef = { .at = rows, .rows = q, .cols = p }, .intercept = { .at = offset, .size = q } };
  return MN_OK;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  mn_linear directions;
  MN_TRY(projection(ctx, self, &directions));
  return mn_linear_predict(ctx, &directions, data, out);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct lda *m = self;
  mn_linear directions;
  if (action != MN_TRANSFORM_X) return mn_linear_export_proba(ctx, self, action, program);
  MN_TRY(projection(ctx, m, &directions));
  return mn_linear_export(ctx, &directions, action, program);
}

/* Names LD1, LD2, ... (scratch) of the directions. */
static mn_status direction_names(mn_context *ctx, size_t n, const char ***names)
{
  enum { NAME_SIZE = 24 };
  char *buffer = MN_RAW(ctx, char, n, NAME_SIZE);
  *names = MN_RAW(ctx, const char *, n, 1);
  if (!buffer || !*names) return MN_NO_MEMORY;
  for (size_t k = 0; k < n; k++) {
    (*names)[k] = buffer + k * NAME_SIZE;
    snprintf(buffer + k * NAME_SIZE, NAME_SIZE, "LD%zu", k + 1);
  }
  return MN_OK;
}

static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  (void)data, (void)options;
  static const char *const prior[] = { "Prior" }, *const share[] = { "Share" };
  const struct lda *m = self;
  const size_t p = m->means.cols, classes = m->means.rows, ratios = m->explained_variance_ratio.size;
  const size_t directions = ratios < m->scalings.cols ? ratios : m->scalings.cols; /* an archive may lack either */
  const char **labels, **features, **names;
  mn_matrix *scalings;
  mn_vector *ratio;
  mn_text_page page;
  MN_TRY(mn_class_labels(ctx, &m->linear.base, &labels));
  MN_TRY(mn_term_names(ctx, &m->linear.base, NULL, p, false, &features));
  MN_TRY(direction_names(ctx, directions, &names));
  MN_TRY(mn_add_classes(ctx, labels, &m->class_prior, &m->means, results));
  MN_TRY(mn_result_matrix(ctx, results, "scalings", p, directions, &scalings));
  for (size_t j = 0; directions > 0 && j < p; j++) /* the fit may keep more directions than transform returns */
    memcpy(mn_row(scalings, j), mn_row(&m->scalings, j), directions * sizeof *scalings->at);
  MN_TRY(mn_result_vector(ctx, results, "explained_variance_ratio", directions, &ratio));
  if (directions > 0) memcpy(ratio->at, m->explained_variance_ratio.at, directions * sizeof *ratio->at);
  MN_TRY(mn_page_begin(ctx, &page, 2 * mn_table_size(classes, p) + 2 * mn_table_size(p + classes, directions)));
  mn_print_table(&page, "Prior probabilities of the classes", labels, classes, prior, 1, m->class_prior.at);
  mn_print_table(&page, "Means of the classes", labels, classes, features, p, m->means.at);
  if (directions > 0) mn_print_table(&page, "Directions of transform", features, p, names, directions, scalings->at);
  if (directions > 0)
    mn_print_table(&page, "Share of the variance between classes", names, directions, share, 1, ratio->at);
  return mn_result_text(ctx, results, "text", page.at, page.size > 1 ? page.size - 2 : 0);
}

static const mn_operation operations[] = {
  { .name = "summary",
    .brief = "priors and means of the classes, and the directions that separate them",
    .returns = "classes (Frame: class, prior), means (Matrix: classes x features), scalings (Matrix: features x "
               "components), explained_variance_ratio (Vector); prints as tables",
    .run = summary },
  { .name = NULL },
};

static const mn_param params[] = {
  MN_CHOICE(struct lda, solver, SOLVER_SVD, solvers,
            "svd: accurate for all data, without shrinkage; lsqr, eigen: by the covariance, optionally shrunken"),
  MN_REAL(struct lda, shrinkage, MN_UNSET_REAL, MN_CLOSED(0, 1),
          "s in (1 - s) S_c + s trace(S_c) / p I, the covariance of each class; nil: none"),
  MN_CHOICE(struct lda, covariance_estimator, MN_EMPIRICAL, mn_covariance_estimators,
            "ledoit_wolf: estimated shrinkage (scikit-learn's shrinkage = 'auto')"),
  MN_REALS(struct lda, priors, MN_CLOSED(0, 1), "prior probabilities of the classes; nil: class frequencies"),
  MN_COUNT(struct lda, n_components, MN_UNSET, MN_AT_LEAST(1),
           "number of columns of transform, at most min(classes - 1, features); nil: all"),
  MN_REAL(struct lda, tol, 1e-4, MN_AT_LEAST(0),
          "svd: drop directions whose standard deviation within classes, for scaled columns, is below this"),
  MN_END,
};

static const mn_field fields[] = {
  MN_LINEAR_FIELDS("decisions"),
  MN_MATRIX(struct lda, means, "classes x features", "mean of each class"),
  MN_VECTOR(struct lda, class_prior, "classes", "prior probability of each class"),
  MN_VECTOR(struct lda, xbar, "features", "mean of the class means, weighted by class_prior"),
  MN_MATRIX(struct lda, scalings, "features x components?", "directions of transform"),
  MN_VECTOR(struct lda, explained_variance_ratio, "components?",
            "fraction of the variance between classes of each direction"),
  MN_MATRIX(struct lda, covariance, "features? x features?", "covariance within the classes; empty with solver svd"),
  MN_END,
};

const mn_class mn_linear_discriminant = {
  .name = "LinearDiscriminantAnalysis",
  .family = "linear",
  .brief = "Linear discriminant analysis: classification and supervised projection.",
  .objective = "log p(c | x) = log prior_c + x' inv(S) mean_c - 1/2 mean_c' inv(S) mean_c + constant",
  .source = "Hastie, Tibshirani & Friedman, The Elements of Statistical Learning, 2nd ed., section 4.3",
  .notes =
      "Classes are normal with a common covariance. Unlike scikit-learn it accepts weights, and transform works with solver lsqr. "
      "transform is centered for every solver (scikit-learn's eigen is not), and the largest element of each direction in "
      "magnitude is positive. Covariances are divided by the number of rows, not by rows - 1.",
  .example = "local X, y = ml.read_csv('examples/data/iris.csv'):split 'species'\n"
             "local model = ml.LinearDiscriminantAnalysis{}:fit(X, y)\n"
             "print(model:score(X, y), model.explained_variance_ratio)",
  .capabilities = MN_CLASSIFY | MN_TRANSFORM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct lda),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  .decision = mn_linear_predict,
  .log_proba = mn_linear_log_proba,
  .transform = transform,
  .outputs = outputs,
  .export = export,
};
