/* Bayesian ridge regression: y = x b + c + noise of precision alpha, b ~ N(0, I / lambda), with Gamma priors on alpha
 * and lambda. Both maximize the evidence of evidence.h (type II maximum likelihood); X and y are centered. */
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "../actions/interval.h"
#include "../linear/linear.h"
#include "evidence.h"
#include "posterior_summary.h"
#include <float.h>
#include <string.h>

struct bayesian_ridge {
  mn_linear linear;
  int64_t max_iter;
  double tol, alpha_1, alpha_2, lambda_1, lambda_2, alpha_init, lambda_init;
  bool fit_intercept;
  double alpha, lambda, gamma, n;
  mn_vector center, eigenvalues;
  mn_matrix basis;
};

struct problem {
  const mn_data *data;
  size_t p, kept;        /* columns; eigenvalues above rounding error */
  double n, rest;        /* sum of sample weights; residual sum of squares of least squares */
  double *mean;          /* p + 1 */
  double *value, *basis; /* kept; kept x p: eigenvalues and unit eigenvectors of X'X */
  double *b_ls;          /* kept: least-squares coefficients in the basis */
};

/* Express the data in the eigenvectors of X'X. */
static mn_status decompose_tall(mn_context *ctx, struct problem *s, bool centered)
{
  const mn_data *d = s->data;
  const size_t p = s->p, order = p + 1;
  double *g = MN_RAW(ctx, double, order, order), *a = MN_RAW(ctx, double, p, p);
  if (!g || !a) return MN_NO_MEMORY;
  MN_TRY(mn_gram(ctx, d->rows, p, d->x.at, p, 1, d->y.at, 1, d->weights, centered, &s->n, s->mean, g, order));
  if (!centered) memset(s->mean, 0, order * sizeof *s->mean);
  for (size_t i = 0; i < p; i++) memcpy(a + i * p, g + i * order, p * sizeof *a);
  MN_TRY(mn_eigh(ctx, p, p, MN_LARGEST, a, s->value, s->basis));
  for (size_t k = 0; k < p; k++) {
    s->b_ls[k] = 0;
    for (size_t j = 0; j < p; j++) s->b_ls[k] += s->basis[k * p + j] * g[j * order + p];
  }
  return MN_OK;
}

/* With fewer rows than columns, by the singular value decomposition of the rows. */
static mn_status decompose_wide(mn_context *ctx, struct problem *s, bool centered)
{
  const mn_data *d = s->data;
  const size_t n = d->rows, p = s->p;
  double *z = MN_RAW(ctx, double, n, p), *v = MN_RAW(ctx, double, n, 1), *u = MN_RAW(ctx, double, n, n);
  if (!z || !v || !u) return MN_NO_MEMORY;
  MN_TRY(mn_linear_means(ctx, d, s->mean, &s->n));
  if (!centered) memset(s->mean, 0, (p + 1) * sizeof *s->mean);
  for (size_t i = 0; i < n; i++) {
    const double root = sqrt(mn_weight(d, i));
    for (size_t j = 0; j < p; j++) z[i * p + j] = root * (d->x.at[i * p + j] - s->mean[j]);
    v[i] = root * (d->y.at[i] - s->mean[p]);
  }
  MN_TRY(mn_svd(ctx, n, p, z, u, s->value, s->basis));
  for (size_t k = 0; k < n; k++) {
    s->b_ls[k] = 0;
    for (size_t i = 0; i < n; i++) s->b_ls[k] += s->value[k] * u[i * n + k] * v[i];
    s->value[k] *= s->value[k];
  }
  return MN_OK;
}

/* Least squares in the eigenvectors whose eigenvalues exceed rounding error, and its residual sum of squares. */
static mn_status solve(mn_context *ctx, struct problem *s)
{
  const size_t n_values = s->kept;
  const double threshold = n_values > 0 ? s->value[0] * DBL_EPSILON * (double)(s->p + 100) : 0;
  double *b = MN_NEW(ctx, double, s->p, 1);
  MN_CHECK_ALLOC(b);
  for (s->kept = 0; s->kept < n_values && s->value[s->kept] > threshold; s->kept++) {
    const size_t k = s->kept;
    s->b_ls[k] /= s->value[k];
    for (size_t j = 0; j < s->p; j++) b[j] += s->b_ls[k] * s->basis[k * s->p + j];
  }
  return mn_linear_gradient(ctx, s->data, 0, s->mean, b, NULL, NULL, &s->rest);
}

static double weighted_variance(const mn_data *d, double mean, double n)
{
  double sum = 0;
  for (size_t i = 0; i < d->rows; i++) sum += mn_weight(d, i) * (d->y.at[i] - mean) * (d->y.at[i] - mean);
  return sum / n;
}

static mn_status store_model(mn_context *ctx, struct bayesian_ridge *m, const struct problem *s, const mn_evidence *e,
                             const mn_precisions *t)
{
  const size_t p = s->p;
  MN_TRY(mn_linear_init(ctx, &m->linear, 1, p));
  MN_TRY(mn_vector_init(ctx, &m->center, p));
  MN_TRY(mn_vector_init(ctx, &m->eigenvalues, s->kept));
  MN_TRY(mn_matrix_init(ctx, &m->basis, s->kept, p));
  memcpy(m->center.at, s->mean, p * sizeof *s->mean);
  memcpy(m->eigenvalues.at, s->value, s->kept * sizeof *s->value);
  memcpy(m->basis.at, s->basis, s->kept * p * sizeof *s->basis);
  double intercept = s->mean[p];
  for (size_t k = 0; k < s->kept; k++) {
    const double b = mn_evidence_coef(e, t, k);
    for (size_t j = 0; j < p; j++) m->linear.coef.at[j] += b * s->basis[k * p + j];
  }
  for (size_t j = 0; j < p; j++) intercept -= s->mean[j] * m->linear.coef.at[j];
  m->linear.intercept.at[0] = intercept;
  m->alpha = t->alpha;
  m->lambda = t->lambda;
  m->gamma = t->gamma;
  m->n = s->n;
  return MN_OK;
}

static mn_evidence evidence_of(const struct bayesian_ridge *m, const struct problem *s)
{
  return (mn_evidence){ .p = s->p,
                        .kept = s->kept,
                        .n = s->n,
                        .rest = s->rest,
                        .value = s->value,
                        .b_ls = s->b_ls,
                        .alpha_1 = m->alpha_1,
                        .alpha_2 = m->alpha_2,
                        .lambda_1 = m->lambda_1,
                        .lambda_2 = m->lambda_2 };
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct bayesian_ridge *m = self;
  mn_report *r = &m->linear.base.report;
  const size_t p = data->features, kept = data->rows < p ? data->rows : p;
  struct problem s = { .data = data, .p = p, .kept = kept };
  MN_TRY(mn_check_magnitudes(ctx, &m->linear.base, data));
  s.mean = MN_NEW(ctx, double, p + 1, 1);
  s.value = MN_RAW(ctx, double, kept, 1);
  s.b_ls = MN_RAW(ctx, double, kept, 1);
  s.basis = MN_RAW(ctx, double, kept, p);
  if (!s.mean || !s.value || !s.b_ls || !s.basis) return MN_NO_MEMORY;
  MN_TRY(data->rows < p ? decompose_wide(ctx, &s, m->fit_intercept) : decompose_tall(ctx, &s, m->fit_intercept));
  MN_TRY(solve(ctx, &s));
  const double variance = weighted_variance(data, s.mean[p], s.n);
  const mn_evidence e = evidence_of(m, &s);
  mn_precisions t =
      mn_precisions_at(&e, isnan(m->alpha_init) ? 1 / (variance + DBL_EPSILON) : m->alpha_init, m->lambda_init);
  r->advice = "increase max_iter or tol";
  for (bool proceed = true; proceed && !r->converged && r->n_iter < m->max_iter;) {
    const mn_precisions next = mn_precisions_step(&e, &t);
    r->change = mn_precisions_change(&e, &t, &next);
    r->converged = r->change <= m->tol;
    t = next;
    proceed = mn_round(ctx, r, m->max_iter, t.objective);
  }
  MN_TRY(mn_error_status(ctx));
  return store_model(ctx, m, &s, &e, &t);
}

/* Posterior variance of the mean at a centered row x: x' inv(A) x. Directions outside the basis keep the prior
 * variance. */
static double posterior_variance(const void *self, const double *row)
{
  const struct bayesian_ridge *m = self;
  const size_t p = m->center.size;
  double all = 0, sum = 0, inside = 0;
  for (size_t j = 0; j < p; j++) all += (row[j] - m->center.at[j]) * (row[j] - m->center.at[j]);
  for (size_t k = 0; k < m->eigenvalues.size; k++) {
    double z = 0;
    for (size_t j = 0; j < p; j++) z += (row[j] - m->center.at[j]) * m->basis.at[k * p + j];
    inside += z * z;
    sum += z * z / (m->lambda + m->alpha * m->eigenvalues.at[k]);
  }
  return sum + fmax(all - inside, 0) / m->lambda;
}

static mn_status predict_interval(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                  mn_results *results)
{
  const struct bayesian_ridge *m = self;
  const double noise = (1 + (m->fit_intercept ? 1 / m->n : 0)) / m->alpha;
  return mn_posterior_interval(ctx, self, data, options, noise, posterior_variance, results);
}

/* Posterior variance of coefficient j. */
static double coef_variance(const struct bayesian_ridge *m, size_t j)
{
  double sum = 0, inside = 0;
  for (size_t k = 0; k < m->eigenvalues.size; k++) {
    const double z = mn_row(&m->basis, k)[j];
    inside += z * z;
    sum += z * z / (m->lambda + m->alpha * m->eigenvalues.at[k]);
  }
  return sum + fmax(1 - inside, 0) / m->lambda;
}

static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  (void)data;
  const struct bayesian_ridge *m = self;
  const size_t p = m->center.size, intercept = m->fit_intercept;
  double *variance = MN_NEW(ctx, double, intercept + p, 1);
  mn_text_page page;
  MN_CHECK_ALLOC(variance);
  if (intercept)
    variance[0] = 1 / (m->alpha * m->n) + posterior_variance(m, variance); /* variance is all zeros here: the origin */
  for (size_t j = 0; j < p; j++) variance[intercept + j] = coef_variance(m, j);
  MN_TRY(mn_posterior_normal(ctx, &m->linear, options, m->fit_intercept, variance, results, &page));
  mn_print(&page,
           "Noise: standard deviation %.4g. Prior of the coefficients: standard deviation %.4g.\n"
           "Effective number of coefficients: %.4g of %zu.",
           1 / sqrt(m->alpha), 1 / sqrt(m->lambda), m->gamma, p);
  return mn_result_text(ctx, results, "text", page.at, page.size);
}

static const mn_operation operations[] = {
  MN_PREDICT_INTERVAL("", predict_interval),
  MN_POSTERIOR_SUMMARY("", summary),
  { .name = NULL },
};

static const mn_param params[] = {
  MN_COUNT(struct bayesian_ridge, max_iter, 300, MN_AT_LEAST(1), "maximum number of iterations"),
  MN_REAL(struct bayesian_ridge, tol, 1e-3, MN_AT_LEAST(0),
          "stop when the coefficients change by less than this, relative to their norm"),
  MN_REAL(struct bayesian_ridge, alpha_1, 1e-6, MN_AT_LEAST(0), "shape of the Gamma prior on alpha"),
  MN_REAL(struct bayesian_ridge, alpha_2, 1e-6, MN_AT_LEAST(0), "rate of the Gamma prior on alpha"),
  MN_REAL(struct bayesian_ridge, lambda_1, 1e-6, MN_AT_LEAST(0), "shape of the Gamma prior on lambda"),
  MN_REAL(struct bayesian_ridge, lambda_2, 1e-6, MN_AT_LEAST(0), "rate of the Gamma prior on lambda"),
  MN_REAL(struct bayesian_ridge, alpha_init, MN_UNSET_REAL, MN_GREATER_THAN(0),
          "initial alpha; nil: 1 / variance of y"),
  MN_REAL(struct bayesian_ridge, lambda_init, 1, MN_GREATER_THAN(0), "initial lambda"),
  MN_FLAG(struct bayesian_ridge, fit_intercept, true, "learn an intercept, which is not penalized"),
  MN_END,
};

static const mn_field fields[] = {
  MN_LINEAR_FIELDS("targets"),
  MN_NUMBER(struct bayesian_ridge, alpha, "precision (1 / variance) of the noise"),
  MN_NUMBER(struct bayesian_ridge, lambda, "precision of the prior on the coefficients"),
  MN_NUMBER(struct bayesian_ridge, gamma, "effective number of coefficients determined by the data"),
  MN_NUMBER(struct bayesian_ridge, n, "sum of the sample weights; the number of rows if there are none"),
  MN_LEARNED(MN_KIND_VECTOR, struct bayesian_ridge, center, "features", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct bayesian_ridge, eigenvalues, "directions", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct bayesian_ridge, basis, "directions x features", NULL),
  MN_END,
};

const mn_class mn_bayesian_ridge = {
  .name = "BayesianRidge",
  .family = "linear",
  .brief = "Ridge regression with penalty and noise chosen by maximum evidence.",
  .objective = "-log p(y | alpha, lambda) - log priors, minimized over alpha and lambda",
  .source = "MacKay, Neural Computation 4 (1992); Tipping, JMLR 1 (2001)",
  .notes = "The equivalent penalty of Ridge is lambda / alpha. "
           "tol is relative (absolute in scikit-learn). "
           "The standard deviation of a prediction includes the uncertainty of the intercept.",
  .example = "local model = ml.BayesianRidge{}:fit({ {1}, {2}, {3}, {4} }, { 1.1, 1.9, 3.2, 3.8 })\n"
             "print(model, model:predict_interval{ {5} }.std)",
  .capabilities = MN_REGRESS | MN_ITERATE,
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct bayesian_ridge),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  MN_LINEAR_PREDICTION,
};
