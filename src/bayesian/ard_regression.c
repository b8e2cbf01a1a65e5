/* Automatic relevance determination: y = x b + c + noise of precision alpha, b_j ~ N(0, 1 / lambda_j), a precision for
 * each coefficient, with Gamma priors on all precisions. They maximize the evidence (type II maximum likelihood):
 *
 *     log p(y | alpha, lambda) = 1/2 (sum_j log lambda_j + n log alpha - alpha |y - X b|^2 - sum_j lambda_j b_j^2
 *                                     - log |A| - n log 2 pi),
 *     A = alpha X'X + diag(lambda),  b = alpha inv(A) X'y,
 *
 * plus the log priors; X and y are centered. With S = inv(A) and g_j = 1 - lambda_j S_jj the updates
 *
 *     lambda_j = (g_j + 2 lambda_1) / (b_j^2 + 2 lambda_2),    alpha = (n - sum_j g_j + 2 alpha_1) / (rss + 2 alpha_2)
 *
 * are ascent directions in the logarithms; the step is halved there until the evidence does not decrease. A column
 * whose lambda reaches threshold_lambda is removed: its coefficient is 0 from then on.
 *
 * MacKay, ASHRAE Transactions 100 (1994); Tipping, JMLR 1 (2001), equations 16 to 18 and appendix A. */
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "../actions/interval.h"
#include "../linear/linear.h"
#include "posterior_summary.h"
#include <float.h>
#include <string.h>

struct ard {
  mn_linear linear;
  int64_t max_iter;
  double tol, alpha_1, alpha_2, lambda_1, lambda_2, threshold_lambda;
  bool fit_intercept;
  double alpha, n;
  mn_vector lambda, center;
  mn_indexes relevant; /* remaining columns, ascending */
  mn_matrix sigma;     /* posterior covariance of their coefficients */
};

enum { MAX_HALVINGS = 30 };
static const double max_precision = 1e100; /* precisions are kept between this and its inverse */

struct problem {
  const mn_data *data;
  size_t p;
  double n, *mean; /* sum of sample weights; p + 1: means of the columns and y */
  /* At least as many rows as columns: (p + 1) x (p + 1), the Gram matrix of the centered columns and y. */
  double *gram;
  /* Otherwise the centered columns and y, times the square roots of the sample weights: p x rows, rows. */
  double *column, *y;
  size_t kept, *index; /* remaining columns */
};

/* Precisions and the values that follow from them. `lambda` and `gamma` are indexed by the remaining columns, `b` by
 * all. */
struct estimate {
  double alpha, *lambda, *b, *gamma; /* kept; p; kept: g_j above */
  double rss, objective;
};

static mn_status estimate_init(mn_context *ctx, size_t p, struct estimate *t)
{
  t->lambda = MN_RAW(ctx, double, p, 1);
  t->b = MN_NEW(ctx, double, p, 1);
  t->gamma = MN_RAW(ctx, double, p, 1);
  return t->lambda && t->b && t->gamma ? MN_OK : MN_NO_MEMORY;
}

/* Posterior of the coefficients given the precisions, by B = I + alpha D X'X D with D = diag(lambda^-1/2), so that S =
 * D inv(B) D: the eigenvalues of B are at least 1.
 *
 *   l  kept x kept, out: Cholesky factor of B */
static mn_status posterior_tall(mn_context *ctx, const struct problem *s, struct estimate *t, double *l, double *logdet)
{
  const size_t k = s->kept, order = s->p + 1;
  double *z = MN_RAW(ctx, double, k, 1), *inverse = MN_RAW(ctx, double, k, k);
  if (!z || !inverse) return MN_NO_MEMORY;
  for (size_t a = 0; a < k; a++) {
    for (size_t c = 0; c < k; c++)
      l[a * k + c] = t->alpha * s->gram[s->index[a] * order + s->index[c]] / sqrt(t->lambda[a] * t->lambda[c]);
    l[a * k + a] += 1;
    z[a] = t->alpha * s->gram[s->index[a] * order + s->p] / sqrt(t->lambda[a]);
  }
  MN_TRY(mn_chol(ctx, k, l, NULL));
  *logdet = mn_chol_logdet(k, l);
  MN_TRY(mn_chol_apply(ctx, k, 1, l, z));
  memcpy(inverse, l, k * k * sizeof *l);
  MN_TRY(mn_chol_inverse(ctx, k, inverse));
  for (size_t a = 0; a < k; a++) {
    t->b[s->index[a]] = z[a] / sqrt(t->lambda[a]);
    t->gamma[a] = fmax(1 - inverse[a * k + a], 0);
  }
  return MN_OK;
}

/* The remaining columns divided by the square roots of their precisions: kept x rows. */
static double *scaled_columns(mn_context *ctx, const struct problem *s, const struct estimate *t)
{
  const size_t n = s->data->rows;
  double *z = MN_RAW(ctx, double, s->kept, n);
  for (size_t a = 0; z && a < s->kept; a++)
    for (size_t i = 0; i < n; i++) z[a * n + i] = s->column[s->index[a] * n + i] / sqrt(t->lambda[a]);
  return z;
}

/* The same with fewer rows than columns, by C = I + alpha Z Z' with Z = X D: S = D (I - alpha Z' inv(C) Z) D
 * (Woodbury).
 *
 *   l  rows x rows, out: Cholesky factor of C
 *   w  rows x kept, out: inv(L) Z */
static mn_status posterior_wide(mn_context *ctx, const struct problem *s, struct estimate *t, double *l, double *w,
                                double *logdet)
{
  const size_t n = s->data->rows, k = s->kept;
  double *z = scaled_columns(ctx, s, t), *v = MN_RAW(ctx, double, n, 1);
  if (!z || !v) return MN_NO_MEMORY;
  MN_TRY(mn_syrk(ctx, k, n, z, n, NULL, NULL, l, n));
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) l[i * n + j] *= t->alpha;
    l[i * n + i] += 1;
    for (size_t a = 0; a < k; a++) w[i * k + a] = z[a * n + i];
  }
  MN_TRY(mn_chol(ctx, n, l, NULL));
  *logdet = mn_chol_logdet(n, l);
  MN_TRY(mn_chol_lower(ctx, n, k, l, w));
  memcpy(v, s->y, n * sizeof *v);
  MN_TRY(mn_chol_lower(ctx, n, 1, l, v));
  for (size_t a = 0; a < k; a++) {
    double dot = 0, square = 0;
    for (size_t i = 0; i < n; i++) {
      dot += w[i * k + a] * v[i];
      square += w[i * k + a] * w[i * k + a];
    }
    t->b[s->index[a]] = t->alpha * dot / sqrt(t->lambda[a]);
    t->gamma[a] = fmin(t->alpha * square, 1);
  }
  return MN_OK;
}

/* The factors computed by posterior_tall or posterior_wide, from which all of S follows. */
struct factors {
  double *l, *w;
};

static mn_status posterior(mn_context *ctx, const struct problem *s, struct estimate *t, struct factors *f,
                           double *logdet)
{
  const size_t n = s->data->rows, k = s->kept;
  f->l = s->gram ? MN_RAW(ctx, double, k, k) : MN_RAW(ctx, double, n, n);
  f->w = s->gram ? NULL : MN_RAW(ctx, double, n, k);
  if (!f->l || (!s->gram && !f->w)) return MN_NO_MEMORY;
  memset(t->b, 0, s->p * sizeof *t->b);
  return s->gram ? posterior_tall(ctx, s, t, f->l, logdet) : posterior_wide(ctx, s, t, f->l, f->w, logdet);
}

/* Compute b, g, the residual sum of squares and the negative log evidence with its priors. */
static mn_status evaluate(mn_context *ctx, const struct ard *m, const struct problem *s, struct estimate *t)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct factors f;
  double logdet, evidence, fit = 0;
  MN_TRY(posterior(ctx, s, t, &f, &logdet));
  MN_TRY(mn_linear_gradient(ctx, s->data, 0, s->mean, t->b, NULL, NULL, &t->rss));
  mn_scratch_release(ctx, mark);
  evidence = s->n * log(t->alpha) - t->alpha * t->rss - logdet - s->n * log(2 * M_PI);
  double priors = m->alpha_1 * log(t->alpha) - m->alpha_2 * t->alpha;
  for (size_t a = 0; a < s->kept; a++) {
    const double b = t->b[s->index[a]];
    fit += t->lambda[a] * b * b;
    priors += m->lambda_1 * log(t->lambda[a]) - m->lambda_2 * t->lambda[a];
  }
  t->objective = -(evidence - fit) / 2 - priors;
  return MN_OK;
}

/* Update the precisions of `t` as far as the evidence increases; the result goes to *next. */
static mn_status step_from(mn_context *ctx, const struct ard *m, const struct problem *s, const struct estimate *t,
                           struct estimate *next)
{
  double gamma = 0, share = 1;
  for (size_t a = 0; a < s->kept; a++) gamma += t->gamma[a];
  const double alpha = (fmax(s->n - gamma, 0) + 2 * m->alpha_1) / (t->rss + 2 * m->alpha_2);
  const double rounding = 1e-12 * fabs(t->objective); /* near the maximum, smaller differences are rounding error */
  for (int i = 0; i < MAX_HALVINGS; i++, share /= 2) {
    next->alpha = t->alpha * pow(alpha / t->alpha, share);
    bool in_range = next->alpha > 1 / max_precision && next->alpha < max_precision;
    for (size_t a = 0; a < s->kept; a++) {
      const double b = t->b[s->index[a]];
      const double lambda = (t->gamma[a] + 2 * m->lambda_1) / (b * b + 2 * m->lambda_2);
      next->lambda[a] = t->lambda[a] * pow(lambda / t->lambda[a], share);
      in_range = in_range && next->lambda[a] > 1 / max_precision && next->lambda[a] < max_precision;
    }
    if (!in_range) continue;
    MN_TRY(evaluate(ctx, m, s, next));
    if (next->objective <= t->objective + rounding) return MN_OK;
  }
  next->alpha = t->alpha;
  memcpy(next->lambda, t->lambda, s->kept * sizeof *t->lambda);
  return evaluate(ctx, m, s, next);
}

/* Remove the columns whose precision has reached the threshold and store it in `removed_lambda`. Returns whether there
 * were any. */
static bool prune(const struct ard *m, struct problem *s, struct estimate *t, double *removed_lambda)
{
  size_t left = 0;
  for (size_t a = 0; a < s->kept; a++) {
    const size_t j = s->index[a];
    if (t->lambda[a] < m->threshold_lambda) {
      t->lambda[left] = t->lambda[a];
      s->index[left++] = j;
    } else {
      removed_lambda[j] = t->lambda[a];
    }
  }
  const bool any_removed = left < s->kept;
  s->kept = left;
  return any_removed;
}

/* sum_j |b_j - before_j| / sum_j |b_j| */
static double relative_change(size_t p, const double *before, const double *b)
{
  double change = 0, length = 0;
  for (size_t j = 0; j < p; j++) {
    change += fabs(b[j] - before[j]);
    length += fabs(b[j]);
  }
  return change == 0 ? 0 : change / fmax(length, DBL_MIN);
}

static mn_status maximize_evidence(mn_context *ctx, struct ard *m, struct problem *s, struct estimate *t,
                                   double *removed_lambda)
{
  mn_report *r = &m->linear.base.report;
  struct estimate next;
  MN_TRY(estimate_init(ctx, s->p, &next));
  r->advice = "increase max_iter or tol";
  for (bool proceed = true; proceed && !r->converged && r->n_iter < m->max_iter;) {
    MN_TRY(step_from(ctx, m, s, t, &next));
    if (prune(m, s, &next, removed_lambda)) MN_TRY(evaluate(ctx, m, s, &next));
    r->change = relative_change(s->p, t->b, next.b);
    r->converged = r->change <= m->tol || s->kept == 0;
    const struct estimate before = *t;
    *t = next;
    next = before;
    proceed = mn_round(ctx, r, m->max_iter, t->objective);
  }
  return mn_error_status(ctx);
}

static mn_status prepare(mn_context *ctx, struct problem *s, bool centered)
{
  const mn_data *d = s->data;
  const size_t n = d->rows, p = s->p, order = p + 1;
  if (n >= p) {
    s->gram = MN_RAW(ctx, double, order, order);
    MN_CHECK_ALLOC(s->gram);
    MN_TRY(mn_gram(ctx, n, p, d->x.at, p, 1, d->y.at, 1, d->weights, centered, &s->n, s->mean, s->gram, order));
    if (!centered) memset(s->mean, 0, order * sizeof *s->mean);
    return MN_OK;
  }
  MN_TRY(mn_linear_means(ctx, d, s->mean, &s->n));
  if (!centered) memset(s->mean, 0, order * sizeof *s->mean);
  s->column = MN_RAW(ctx, double, p, n);
  s->y = MN_RAW(ctx, double, n, 1);
  if (!s->column || !s->y) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) {
    const double root = sqrt(mn_weight(d, i));
    for (size_t j = 0; j < p; j++) s->column[j * n + i] = root * (d->x.at[i * p + j] - s->mean[j]);
    s->y[i] = root * (d->y.at[i] - s->mean[p]);
  }
  return MN_OK;
}

/* S = D inv(B) D, or D (I - alpha W'W) D. */
static mn_status store_sigma(mn_context *ctx, struct ard *m, const struct problem *s, struct estimate *t)
{
  const size_t n = s->data->rows, k = s->kept;
  struct factors f;
  double logdet;
  MN_TRY(mn_matrix_init(ctx, &m->sigma, k, k));
  MN_TRY(posterior(ctx, s, t, &f, &logdet));
  double *a = m->sigma.at;
  if (s->gram) {
    memcpy(a, f.l, k * k * sizeof *a);
    MN_TRY(mn_chol_inverse(ctx, k, a));
  } else {
    MN_TRY(mn_syrk(ctx, n, k, f.w, k, NULL, NULL, a, k));
    for (size_t i = 0; i < k * k; i++) a[i] *= -t->alpha;
    for (size_t i = 0; i < k; i++) a[i * k + i] += 1;
  }
  for (size_t i = 0; i < k; i++)
    for (size_t j = 0; j < k; j++) a[i * k + j] /= sqrt(t->lambda[i] * t->lambda[j]);
  return MN_OK;
}

static mn_status store_model(mn_context *ctx, struct ard *m, const struct problem *s, struct estimate *t,
                             const double *removed_lambda)
{
  const size_t p = s->p;
  MN_TRY(mn_linear_init(ctx, &m->linear, 1, p));
  MN_TRY(mn_vector_init(ctx, &m->center, p));
  MN_TRY(mn_vector_init(ctx, &m->lambda, p));
  if (s->kept > 0) {
    MN_TRY(mn_indexes_init(ctx, &m->relevant, s->kept));
    MN_TRY(store_sigma(ctx, m, s, t));
  }
  memcpy(m->center.at, s->mean, p * sizeof *s->mean);
  memcpy(m->lambda.at, removed_lambda, p * sizeof *removed_lambda);
  memcpy(m->linear.coef.at, t->b, p * sizeof *t->b);
  double intercept = s->mean[p];
  for (size_t j = 0; j < p; j++) intercept -= s->mean[j] * t->b[j];
  m->linear.intercept.at[0] = intercept;
  for (size_t a = 0; a < s->kept; a++) {
    m->relevant.at[a] = (int32_t)s->index[a];
    m->lambda.at[s->index[a]] = t->lambda[a];
  }
  m->alpha = t->alpha;
  m->n = s->n;
  return MN_OK;
}

static double weighted_variance(const mn_data *d, double mean, double n)
{
  double sum = 0;
  for (size_t i = 0; i < d->rows; i++) sum += mn_weight(d, i) * (d->y.at[i] - mean) * (d->y.at[i] - mean);
  return sum / n;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct ard *m = self;
  const size_t p = data->features;
  struct problem s = { .data = data, .p = p, .kept = p };
  struct estimate t;
  MN_TRY(mn_check_magnitudes(ctx, &m->linear.base, data));
  double *removed_lambda = MN_NEW(ctx, double, p, 1);
  s.mean = MN_NEW(ctx, double, p + 1, 1);
  s.index = MN_RAW(ctx, size_t, p, 1);
  if (!removed_lambda || !s.mean || !s.index) return MN_NO_MEMORY;
  MN_TRY(prepare(ctx, &s, m->fit_intercept));
  MN_TRY(estimate_init(ctx, p, &t));
  t.alpha = 1 / (weighted_variance(data, s.mean[p], s.n) + DBL_EPSILON);
  for (size_t j = 0; j < p; j++) {
    s.index[j] = j;
    t.lambda[j] = 1;
  }
  MN_TRY(evaluate(ctx, m, &s, &t));
  MN_TRY(maximize_evidence(ctx, m, &s, &t, removed_lambda));
  return store_model(ctx, m, &s, &t, removed_lambda);
}

/* Posterior variance x' S x of the mean at a centered row x. */
static double posterior_variance(const void *self, const double *row)
{
  const struct ard *m = self;
  const size_t k = m->relevant.size;
  double sum = 0;
  for (size_t a = 0; a < k; a++) {
    const size_t i = (size_t)m->relevant.at[a];
    double dot = 0;
    for (size_t c = 0; c < k; c++) {
      const size_t j = (size_t)m->relevant.at[c];
      dot += m->sigma.at[a * k + c] * (row[j] - m->center.at[j]);
    }
    sum += dot * (row[i] - m->center.at[i]);
  }
  return fmax(sum, 0);
}

static mn_status predict_interval(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                  mn_results *results)
{
  const struct ard *m = self;
  const double noise = (1 + (m->fit_intercept ? 1 / m->n : 0)) / m->alpha;
  return mn_posterior_interval(ctx, self, data, options, noise, posterior_variance, results);
}

/* A removed coefficient is 0 with variance 0. */
static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  (void)data;
  const struct ard *m = self;
  const size_t p = m->center.size, k = m->relevant.size, intercept = m->fit_intercept;
  double *variance = MN_NEW(ctx, double, intercept + p, 1);
  mn_text_page page;
  MN_CHECK_ALLOC(variance);
  if (intercept)
    variance[0] = 1 / (m->alpha * m->n) + posterior_variance(m, variance); /* variance is all zeros here: the origin */
  for (size_t a = 0; a < k; a++) variance[intercept + (size_t)m->relevant.at[a]] = m->sigma.at[a * k + a];
  MN_TRY(mn_posterior_normal(ctx, &m->linear, options, m->fit_intercept, variance, results, &page));
  mn_print(&page, "Noise: standard deviation %.4g. %zu of %zu columns remain; the coefficients of the others are 0.",
           1 / sqrt(m->alpha), k, p);
  return mn_result_text(ctx, results, "text", page.at, page.size);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct ard *m = self;
  for (size_t a = 0; a < m->relevant.size; a++)
    if (m->relevant.at[a] < 0)
      return mn_fail(ctx, MN_BAD_FILE, "ARDRegression: relevant must hold column indices, got a negative one");
  if (m->sigma.rows == m->relevant.size && m->sigma.cols == m->relevant.size) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "ARDRegression: sigma must be %zu x %zu, got %zu x %zu", m->relevant.size,
                 m->relevant.size, m->sigma.rows, m->sigma.cols);
}

static const mn_operation operations[] = {
  MN_PREDICT_INTERVAL("", predict_interval),
  MN_POSTERIOR_SUMMARY("", summary),
  { .name = NULL },
};

static const mn_param params[] = {
  MN_COUNT(struct ard, max_iter, 300, MN_AT_LEAST(1), "maximum number of iterations"),
  MN_REAL(struct ard, tol, 1e-3, MN_AT_LEAST(0),
          "stop when the coefficients change by less than this, relative to the sum of their magnitudes"),
  MN_REAL(struct ard, alpha_1, 1e-6, MN_AT_LEAST(0), "shape of the Gamma prior on alpha"),
  MN_REAL(struct ard, alpha_2, 1e-6, MN_AT_LEAST(0), "rate of the Gamma prior on alpha"),
  MN_REAL(struct ard, lambda_1, 1e-6, MN_AT_LEAST(0), "shape of the Gamma prior on each lambda"),
  MN_REAL(struct ard, lambda_2, 1e-6, MN_AT_LEAST(0), "rate of the Gamma prior on each lambda"),
  MN_REAL(struct ard, threshold_lambda, 1e4, MN_AT_LEAST(0), "remove a column when its lambda reaches this"),
  MN_FLAG(struct ard, fit_intercept, true, "learn an intercept, which is not penalized"),
  MN_END,
};

static const mn_field fields[] = {
  MN_LINEAR_FIELDS("targets"),
  MN_NUMBER(struct ard, alpha, "precision (1 / variance) of the noise"),
  MN_VECTOR(struct ard, lambda, "features",
            "prior precision of each coefficient; of a removed column, the value at its removal"),
  MN_INDEXES(struct ard, relevant, "relevant? < features", "indices of the remaining columns"),
  MN_MATRIX(struct ard, sigma, "relevant? x relevant?", "posterior covariance of the remaining coefficients"),
  MN_NUMBER(struct ard, n, "sum of the sample weights; the number of rows if there are none"),
  MN_LEARNED(MN_KIND_VECTOR, struct ard, center, "features", NULL),
  MN_END,
};

const mn_class mn_ard_regression = {
  .name = "ARDRegression",
  .family = "linear",
  .brief = "Linear regression that selects columns by maximum evidence.",
  .objective = "-log p(y | alpha, lambda) - log priors, minimized over alpha and lambda",
  .source = "MacKay, ASHRAE Transactions 100 (1994); Tipping, JMLR 1 (2001)",
  .notes = "lambda and threshold_lambda depend on the units of the columns: scale them first. "
           "tol is relative (absolute in scikit-learn). "
           "The trace is the negative log evidence with its priors; it may jump when a column is removed. "
           "The standard deviation of a prediction includes the uncertainty of the intercept.",
  .example = "local X = ml.normal(50, 4, 1)\n"
             "local model = ml.ARDRegression{}:fit(X, X:col(2) * 3)\n"
             "print(model, model.relevant, model:predict_interval(X:slice(1, 2)).std)",
  .capabilities = MN_REGRESS | MN_ITERATE | MN_NOISY_OBJECTIVE,
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct ard),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  MN_LINEAR_PREDICTION,
  .check = check,
};
