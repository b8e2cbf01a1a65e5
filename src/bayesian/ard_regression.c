/* Relevance determination: y = x b + c + noise of precision alpha, b_j ~ N(0, 1 / lambda_j), a precision for each
 * weight, Gamma priors on all of them. They are chosen where their evidence is largest (type II maximum likelihood):
 *
 *     log p(y | alpha, lambda) = 1/2 (sum_j log lambda_j + n log alpha - alpha |y - X b|^2 - sum_j lambda_j b_j^2
 *                                     - log |A| - n log 2 pi),      A = alpha X'X + diag(lambda),  b = alpha inv(A)
 * X'y,
 *
 * plus the logarithms of the priors; X and y are about their means. With S = inv(A) and g_j = 1 - lambda_j S_jj the
 * steps
 *
 *     lambda_j = (g_j + 2 lambda_1) / (b_j^2 + 2 lambda_2),    alpha = (n - sum_j g_j + 2 alpha_1) / (rss + 2 alpha_2)
 *
 * point uphill in the logarithms: the step is halved there until the evidence does not fall. A column whose lambda has
 * reached threshold_lambda is taken out: its weight is 0 from then on.
 *
 * MacKay, ASHRAE Transactions 100 (1994); Tipping, JMLR 1 (2001), equations 16 to 18 and appendix A. */
#include "../linalg/lapack.h"
#include "../linalg/product.h"
#include "../model/interval.h"
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
  mn_indexes relevant; /* columns that are left, ascending */
  mn_matrix sigma;     /* of their weights                 */
};

enum { MOST_HALVINGS = 30 };
static const double extreme = 1e100; /* precisions stay between this and its inverse */

struct problem {
  const mn_data *data;
  size_t p;
  double n, *mean; /* sum of weights; p + 1 */
  /* Rows no fewer than columns: (p + 1) x (p + 1), the Gram matrix of the columns and y about their means. */
  double *gram;
  /* Else the columns about their means, weights worked in: p x rows; and y: rows. */
  double *column, *answer;
  size_t kept, *index; /* columns that are left */
};

/* Precisions and what follows from them. Arrays are of the columns that are left, but for b. */
struct estimate {
  double alpha, *lambda, *b, *determined; /* kept; p; kept: g_j above */
  double rss, objective;
};

static mn_status new_estimate(mn_context *ctx, size_t p, struct estimate *t)
{
  t->lambda = MN_RAW(ctx, double, p, 1);
  t->b = MN_NEW(ctx, double, p, 1);
  t->determined = MN_RAW(ctx, double, p, 1);
  return t->lambda && t->b && t->determined ? MN_OK : MN_NO_MEMORY;
}

/* --- the posterior of the weights for given precisions --- */

/* By B = I + alpha D X'X D with D = diag(lambda^-1/2), so that S = D inv(B) D: eigenvalues of B are at least 1.
 *
 *   l  kept x kept, out: the Cholesky factor of B */
static mn_status narrow(mn_context *ctx, const struct problem *s, struct estimate *t, double *l, double *logdet)
{
  const size_t k = s->kept, both = s->p + 1;
  double *z = MN_RAW(ctx, double, k, 1), *inverse = MN_RAW(ctx, double, k, k);
  if (!z || !inverse) return MN_NO_MEMORY;
  for (size_t a = 0; a < k; a++) {
    for (size_t c = 0; c < k; c++)
      l[a * k + c] = t->alpha * s->gram[s->index[a] * both + s->index[c]] / sqrt(t->lambda[a] * t->lambda[c]);
    l[a * k + a] += 1;
    z[a] = t->alpha * s->gram[s->index[a] * both + s->p] / sqrt(t->lambda[a]);
  }
  MN_TRY(mn_chol(ctx, k, l, NULL));
  *logdet = mn_chol_logdet(k, l);
  MN_TRY(mn_chol_apply(ctx, k, 1, l, z));
  memcpy(inverse, l, k * k * sizeof *l);
  MN_TRY(mn_chol_inverse(ctx, k, inverse));
  for (size_t a = 0; a < k; a++) {
    t->b[s->index[a]] = z[a] / sqrt(t->lambda[a]);
    t->determined[a] = fmax(1 - inverse[a * k + a], 0);
  }
  return MN_OK;
}

/* The columns that are left over the square roots of their precisions, side by side: kept x rows. */
static double *scaled_columns(mn_context *ctx, const struct problem *s, const struct estimate *t)
{
  const size_t n = s->data->rows;
  double *z = MN_RAW(ctx, double, s->kept, n);
  for (size_t a = 0; z && a < s->kept; a++)
    for (size_t i = 0; i < n; i++) z[a * n + i] = s->column[s->index[a] * n + i] / sqrt(t->lambda[a]);
  return z;
}

/* By C = I + alpha Z Z' over the rows, with Z = X D: S = D (I - alpha Z' inv(C) Z) D (Woodbury).
 *
 *   l  rows x rows, out: the Cholesky factor of C
 *   w  rows x kept, out: inv(L) Z */
static mn_status wide(mn_context *ctx, const struct problem *s, struct estimate *t, double *l, double *w,
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
  memcpy(v, s->answer, n * sizeof *v);
  MN_TRY(mn_chol_lower(ctx, n, 1, l, v));
  for (size_t a = 0; a < k; a++) {
    double dot = 0, square = 0;
    for (size_t i = 0; i < n; i++) {
      dot += w[i * k + a] * v[i];
      square += w[i * k + a] * w[i * k + a];
    }
    t->b[s->index[a]] = t->alpha * dot / sqrt(t->lambda[a]);
    t->determined[a] = fmin(t->alpha * square, 1);
  }
  return MN_OK;
}

/* What narrow or wide factors, for who needs the whole of S. */
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
  return s->gram ? narrow(ctx, s, t, f->l, logdet) : wide(ctx, s, t, f->l, f->w, logdet);
}

/* b, g, the residuals and the negative log evidence with its priors. */
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

/* --- one round --- */

/* The precisions that `t` asks for, as far as the evidence goes up; *next is where that leads. */
static mn_status step_from(mn_context *ctx, const struct ard *m, const struct problem *s, const struct estimate *t,
                           struct estimate *next)
{
  double determined = 0, share = 1;
  for (size_t a = 0; a < s->kept; a++) determined += t->determined[a];
  const double alpha = (fmax(s->n - determined, 0) + 2 * m->alpha_1) / (t->rss + 2 * m->alpha_2);
  const double rounding = 1e-12 * fabs(t->objective); /* near the top it tells steps apart no more */
  for (int i = 0; i < MOST_HALVINGS; i++, share /= 2) {
    next->alpha = t->alpha * pow(alpha / t->alpha, share);
    bool sound = next->alpha > 1 / extreme && next->alpha < extreme;
    for (size_t a = 0; a < s->kept; a++) {
      const double b = t->b[s->index[a]];
      const double lambda = (t->determined[a] + 2 * m->lambda_1) / (b * b + 2 * m->lambda_2);
      next->lambda[a] = t->lambda[a] * pow(lambda / t->lambda[a], share);
      sound = sound && next->lambda[a] > 1 / extreme && next->lambda[a] < extreme;
    }
    if (!sound) continue;
    MN_TRY(evaluate(ctx, m, s, next));
    if (next->objective <= t->objective + rounding) return MN_OK;
  }
  next->alpha = t->alpha;
  memcpy(next->lambda, t->lambda, s->kept * sizeof *t->lambda);
  return evaluate(ctx, m, s, next);
}

/* Columns whose precision has reached the threshold go; `gone` gets it, for the record. True: some went. */
static bool prune(const struct ard *m, struct problem *s, struct estimate *t, double *gone)
{
  size_t left = 0;
  for (size_t a = 0; a < s->kept; a++) {
    const size_t j = s->index[a];
    if (t->lambda[a] < m->threshold_lambda) {
      t->lambda[left] = t->lambda[a];
      s->index[left++] = j;
    } else {
      gone[j] = t->lambda[a];
    }
  }
  const bool some = left < s->kept;
  s->kept = left;
  return some;
}

/* sum_j |b_j - before_j| as a share of sum_j |b_j|. */
static double change_of(size_t p, const double *before, const double *b)
{
  double way = 0, length = 0;
  for (size_t j = 0; j < p; j++) {
    way += fabs(b[j] - before[j]);
    length += fabs(b[j]);
  }
  return way == 0 ? 0 : way / fmax(length, DBL_MIN);
}

static mn_status climb(mn_context *ctx, struct ard *m, struct problem *s, struct estimate *t, double *gone)
{
  mn_report *r = &m->linear.base.report;
  struct estimate next;
  MN_TRY(new_estimate(ctx, s->p, &next));
  r->advice = "raise max_iter or tol";
  for (bool go_on = true; go_on && !r->converged && r->n_iter < m->max_iter;) {
    MN_TRY(step_from(ctx, m, s, t, &next));
    if (prune(m, s, &next, gone)) MN_TRY(evaluate(ctx, m, s, &next));
    r->change = change_of(s->p, t->b, next.b);
    r->converged = r->change <= m->tol || s->kept == 0;
    const struct estimate before = *t;
    *t = next;
    next = before;
    go_on = mn_round(ctx, r, m->max_iter, t->objective);
  }
  return mn_error_status(ctx);
}

/* --- what it begins with, and what is learned --- */

static mn_status prepare(mn_context *ctx, struct problem *s, bool centered)
{
  const mn_data *d = s->data;
  const size_t n = d->rows, p = s->p, both = p + 1;
  if (n >= p) {
    s->gram = MN_RAW(ctx, double, both, both);
    MN_CHECK_ALLOC(s->gram);
    MN_TRY(mn_gram(ctx, n, p, d->x.at, p, 1, d->y.at, 1, d->weights, centered, &s->n, s->mean, s->gram, both));
    if (!centered) memset(s->mean, 0, both * sizeof *s->mean);
    return MN_OK;
  }
  s->n = mn_linear_means(d, s->mean);
  if (!centered) memset(s->mean, 0, both * sizeof *s->mean);
  s->column = MN_RAW(ctx, double, p, n);
  s->answer = MN_RAW(ctx, double, n, 1);
  if (!s->column || !s->answer) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) {
    const double root = sqrt(mn_weight(d, i));
    for (size_t j = 0; j < p; j++) s->column[j * n + i] = root * (d->x.at[i * p + j] - s->mean[j]);
    s->answer[i] = root * (d->y.at[i] - s->mean[p]);
  }
  return MN_OK;
}

/* S = D (inv(B)) D, or D (I - alpha W'W) D. */
static mn_status learn_sigma(mn_context *ctx, struct ard *m, const struct problem *s, struct estimate *t)
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

static mn_status learn(mn_context *ctx, struct ard *m, const struct problem *s, struct estimate *t, const double *gone)
{
  const size_t p = s->p;
  MN_TRY(mn_linear_init(ctx, &m->linear, 1, p));
  MN_TRY(mn_vector_init(ctx, &m->center, p));
  MN_TRY(mn_vector_init(ctx, &m->lambda, p));
  if (s->kept > 0) {
    MN_TRY(mn_indexes_init(ctx, &m->relevant, s->kept));
    MN_TRY(learn_sigma(ctx, m, s, t));
  }
  memcpy(m->center.at, s->mean, p * sizeof *s->mean);
  memcpy(m->lambda.at, gone, p * sizeof *gone);
  memcpy(m->linear.coef.at, t->b, p * sizeof *t->b);
  double constant = s->mean[p];
  for (size_t j = 0; j < p; j++) constant -= s->mean[j] * t->b[j];
  m->linear.intercept.at[0] = constant;
  for (size_t a = 0; a < s->kept; a++) {
    m->relevant.at[a] = (int32_t)s->index[a];
    m->lambda.at[s->index[a]] = t->lambda[a];
  }
  m->alpha = t->alpha;
  m->n = s->n;
  return MN_OK;
}

static double variance_of(const mn_data *d, double mean, double n)
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
  double *gone = MN_NEW(ctx, double, p, 1);
  s.mean = MN_NEW(ctx, double, p + 1, 1);
  s.index = MN_RAW(ctx, size_t, p, 1);
  if (!gone || !s.mean || !s.index) return MN_NO_MEMORY;
  MN_TRY(prepare(ctx, &s, m->fit_intercept));
  MN_TRY(new_estimate(ctx, p, &t));
  t.alpha = 1 / (variance_of(data, s.mean[p], s.n) + DBL_EPSILON);
  for (size_t j = 0; j < p; j++) {
    s.index[j] = j;
    t.lambda[j] = 1;
  }
  MN_TRY(evaluate(ctx, m, &s, &t));
  MN_TRY(climb(ctx, m, &s, &t, gone));
  return learn(ctx, m, &s, &t, gone);
}

/* --- how sure predictions are --- */

/* x' S x for a row about the means. */
static double spread(const struct ard *m, const double *row)
{
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
  const size_t n = data->rows;
  mn_intervals out;
  MN_TRY(mn_intervals_make(ctx, results, n, &out));
  MN_TRY(mn_linear_predict(ctx, self, data, &(mn_matrix){ .at = out.mean->at, .rows = n, .cols = 1 }));
  const double constant = m->fit_intercept ? 1 / m->n : 0;
  for (size_t i = 0; i < n; i++) out.std->at[i] = sqrt((1 + constant) / m->alpha + spread(m, mn_row(&data->x, i)));
  mn_intervals_normal(&out, ((const mn_interval_options *)options)->level);
  return mn_poll(ctx);
}

/* A weight that was taken out is 0 for certain. */
static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  (void)data;
  const struct ard *m = self;
  const size_t p = m->center.size, k = m->relevant.size, constant = m->fit_intercept;
  double *variance = MN_NEW(ctx, double, constant + p, 1);
  mn_text_page page;
  MN_CHECK_ALLOC(variance);
  if (constant) variance[0] = 1 / (m->alpha * m->n) + spread(m, variance); /* which is the origin so far */
  for (size_t a = 0; a < k; a++) variance[constant + (size_t)m->relevant.at[a]] = m->sigma.at[a * k + a];
  MN_TRY(mn_posterior_normal(ctx, &m->linear, options, m->fit_intercept, variance, results, &page));
  mn_print(&page, "Noise: standard deviation %.4g. %zu of %zu columns are left; the weights of the others are 0.",
           1 / sqrt(m->alpha), k, p);
  return mn_result_text(ctx, results, "text", page.at, page.size);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct ard *m = self;
  for (size_t a = 0; a < m->relevant.size; a++)
    if (m->relevant.at[a] < 0) return mn_fail(ctx, MN_BAD_FILE, "ARDRegression: a column that is left has no number");
  if (m->sigma.rows == m->relevant.size && m->sigma.cols == m->relevant.size) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "ARDRegression: sigma must have %zu rows and columns, got %zu x %zu",
                 m->relevant.size, m->sigma.rows, m->sigma.cols);
}

static const mn_operation operations[] = {
  MN_PREDICT_INTERVAL("", predict_interval),
  MN_POSTERIOR_SUMMARY("", summary),
  { .name = NULL },
};

static const mn_param params[] = {
  MN_COUNT(struct ard, max_iter, 300, MN_AT_LEAST(1), "most rounds"),
  MN_REAL(struct ard, tol, 1e-3, MN_AT_LEAST(0),
          "done when the weights change by this share of the sum of their sizes"),
  MN_REAL(struct ard, alpha_1, 1e-6, MN_AT_LEAST(0), "shape of the Gamma prior of alpha"),
  MN_REAL(struct ard, alpha_2, 1e-6, MN_AT_LEAST(0), "rate of the Gamma prior of alpha"),
  MN_REAL(struct ard, lambda_1, 1e-6, MN_AT_LEAST(0), "shape of the Gamma prior of each lambda"),
  MN_REAL(struct ard, lambda_2, 1e-6, MN_AT_LEAST(0), "rate of the Gamma prior of each lambda"),
  MN_REAL(struct ard, threshold_lambda, 1e4, MN_AT_LEAST(0), "a column whose lambda reaches this is taken out"),
  MN_FLAG(struct ard, fit_intercept, true, "learn a constant term, never penalised"),
  MN_END,
};

static const mn_field fields[] = {
  MN_LINEAR_FIELDS("targets"),
  MN_NUMBER(struct ard, alpha, "precision of the noise: 1 / its variance"),
  MN_VECTOR(struct ard, lambda, "features", "precision of each weight; of those taken out, the one they went at"),
  MN_INDEXES(struct ard, relevant, "relevant? < features", "columns that are left"),
  MN_MATRIX(struct ard, sigma, "relevant? x relevant?", "posterior covariance of the weights that are left"),
  MN_NUMBER(struct ard, n, "sum of the weights: the number of rows when there are none"),
  MN_LEARNED(MN_KIND_VECTOR, struct ard, center, "features", NULL),
  MN_END,
};

const mn_class mn_ard_regression = {
  .name = "ARDRegression",
  .family = "linear",
  .brief = "Linear regression that finds by the evidence which columns matter, and leaves the others out.",
  .objective = "-log p(y | alpha, lambda) - log of their priors, at the alpha and lambda where it is least",
  .source = "MacKay, ASHRAE Transactions 100 (1994); Tipping, JMLR 1 (2001)",
  .notes =
      "tol is relative, scikit-learn's absolute; the trace is the negative log evidence with its priors of the columns "
      "that are left, which may jump when one is taken out, where scikit-learn's scores_ mixes the covariance of one "
      "round with the precisions of the next. The standard deviation of a prediction counts the constant term as "
      "learned, too. Lambda is in the units of the columns, and so is threshold_lambda: scale them first.",
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
  .predict = mn_linear_predict,
  .export = mn_linear_export,
  .check = check,
};
