/* Ordinary least squares. Minimize over b and c
 *
 *     sum_i w_i |y_i - x_i b - c|^2
 *
 * Small or ill-conditioned problems are solved by QR of the rows (TSQR), whose error grows with the condition number of
 * X; the solution is then refined in twice the working precision if that is cheap. Large well-conditioned problems are
 * solved by Cholesky of the centered Gram matrix with one step of refinement (corrected seminormal equations), which is
 * as accurate as QR while the condition number is below about 1e5 and takes half its arithmetic at the speed of a
 * matrix product: Bjoerck, Linear Algebra and its Applications 88 (1987). partial_fit updates a QR factorization
 * (qr_accumulator.h), and folds of cross-validation share Gram matrices (subset_grams.h). QR with pivoting finds the
 * rank; a rank-deficient problem gets the minimum-norm solution. */
#include "linear_regression.h"
#include "alias.h"
#include "refine.h"
#include "subset_grams.h"
#include "terms.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "../stats/quantile.h"
#include <string.h>

enum { SMALL_FLOPS = 20000000 };       /* below this QR takes only a few milliseconds */
static const double safe_rcond = 1e-9; /* of the scaled Gram matrix: condition number of X below 3e4 */

struct problem {
  const mn_data *data;
  size_t p, q;
  double *mean;      /* p + q: 0 without an intercept            */
  double *factor;    /* p x p: L with L L' = X' W X              */
  double *coef;      /* p x q                                     */
  double *intercept; /* q                                      */
  bool by_gram;      /* solved by the Gram matrix                */
  mn_alias alias;    /* of a rank-deficient X                     */
};

/* Find the dependent columns in the order of the columns; row j of the factor is column j of R. */
static mn_status find_dependent(mn_context *ctx, struct mn_ols *m, struct problem *s, size_t rank)
{
  const size_t p = s->p;
  if (rank == p) return MN_OK;
  double *scale = MN_RAW(ctx, double, p, 1);
  MN_CHECK_ALLOC(scale);
  MN_TRY(mn_alias_find_unscaled(ctx, p, s->factor, rank, scale, &s->alias));
  const size_t dependent = p - s->alias.rank;
  m->rank = (int64_t)s->alias.rank;
  MN_TRY(mn_indexes_init(ctx, &m->dependent, dependent));
  MN_TRY(mn_matrix_init(ctx, &m->alias, dependent, p));
  memcpy(m->dependent.at, s->alias.dependent, dependent * sizeof *m->dependent.at);
  memcpy(m->alias.at, s->alias.combination, dependent * p * sizeof *m->alias.at);
  return MN_OK;
}

/* rss (may be NULL): residual sums of squares at full rank, to which the part of dropped columns is added. */
static mn_status solve_triangle(mn_context *ctx, struct mn_ols *m, struct problem *s, const double *r,
                                const double *qty, double *rss)
{
  const size_t p = s->p;
  mn_rank found = { .pivot = NULL };
  MN_TRY(mn_solve_r(ctx, p, s->q, r, qty, 0, s->coef, rss, &found));
  m->rank = (int64_t)found.rank;
  m->rcond = found.rcond;
  for (size_t i = 0; i < p; i++) /* L = R' */
    for (size_t j = 0; j < p; j++) s->factor[i * p + j] = j <= i ? r[j * p + i] : 0;
  return find_dependent(ctx, m, s, found.rank);
}

static mn_status solve_by_qr(mn_context *ctx, struct mn_ols *m, struct problem *s)
{
  const mn_data *d = s->data;
  const size_t p = s->p, q = s->q;
  MN_TRY(mn_linear_means(ctx, d, s->mean, &m->n));
  if (!m->fit_intercept) memset(s->mean, 0, (p + q) * sizeof *s->mean);
  const mn_rows rows = mn_linear_problem(d, m->fit_intercept ? s->mean : NULL);
  double *r = MN_RAW(ctx, double, p, p), *qty = MN_RAW(ctx, double, p, q);
  if (!r || !qty) return MN_NO_MEMORY;
  MN_TRY(mn_tall_qr(ctx, &rows, r, qty, NULL));
  return solve_triangle(ctx, m, s, r, qty, NULL);
}

/* Leaves s->by_gram false if the Gram matrix is too ill-conditioned. */
static mn_status solve_by_gram(mn_context *ctx, struct mn_ols *m, struct problem *s)
{
  const mn_data *d = s->data;
  const size_t p = s->p, q = s->q, both = p + q;
  double *g = MN_RAW(ctx, double, both, both), *scale = MN_RAW(ctx, double, p, 1), *l = s->factor, rcond;
  size_t minor;
  if (!g || !scale) return MN_NO_MEMORY;
  MN_TRY(mn_gram(ctx, d->rows, p, d->x.at, p, q, d->y.at, q, d->weights, m->fit_intercept, &m->n, s->mean, g, both));
  if (!m->fit_intercept) memset(s->mean, 0, both * sizeof *s->mean);
  for (size_t j = 0; j < p; j++) {
    if (!(g[j * both + j] > 0 && g[j * both + j] < INFINITY)) return MN_OK;
    scale[j] = sqrt(g[j * both + j]);
  }
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++) l[i * p + j] = g[i * both + j] / scale[i] / scale[j];
  MN_TRY(mn_chol_try(ctx, p, l, &rcond, &minor));
  if (minor > 0 || !(rcond >= safe_rcond)) return MN_OK;
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j <= i; j++) l[i * p + j] *= scale[i];
  for (size_t j = 0; j < p; j++)
    for (size_t t = 0; t < q; t++) s->coef[j * q + t] = g[j * both + p + t];
  MN_TRY(mn_chol_apply(ctx, p, q, l, s->coef));
  m->rank = (int64_t)p;
  m->rcond = sqrt(rcond);
  s->by_gram = true;
  return MN_OK;
}

static mn_status solve(mn_context *ctx, struct mn_ols *m, struct problem *s)
{
  const double both = (double)(s->p + s->q), n = (double)s->data->rows;
  if (n * both * both > SMALL_FLOPS && s->data->rows > s->p) MN_TRY(solve_by_gram(ctx, m, s));
  if (s->by_gram) return MN_OK;
  memset(s->mean, 0, (s->p + s->q) * sizeof *s->mean);
  return solve_by_qr(ctx, m, s);
}

/* Compute residuals in one more pass over the rows. A solution by the Gram matrix is corrected by
 * b += inv(X'WX) X'W r, which lowers the residual sum of squares by the gradient times the step. */
static mn_status correct(mn_context *ctx, struct mn_ols *m, struct problem *s, size_t target, double *residual)
{
  const size_t p = s->p;
  double *b = MN_RAW(ctx, double, p, 1), *gradient = MN_RAW(ctx, double, p, 1), *step = MN_RAW(ctx, double, p, 1), rss;
  if (!b || !gradient || !step) return MN_NO_MEMORY;
  for (size_t j = 0; j < p; j++) b[j] = s->coef[j * s->q + target];
  MN_TRY(mn_linear_gradient(ctx, s->data, target, s->mean, b, residual, gradient, &rss));
  if (s->by_gram) {
    memcpy(step, gradient, p * sizeof *step);
    MN_TRY(mn_chol_apply(ctx, p, 1, s->factor, step));
    for (size_t j = 0; j < p; j++) {
      s->coef[j * s->q + target] += step[j];
      rss -= gradient[j] * step[j];
    }
  }
  if (m->rss.at) m->rss.at[target] = rss > 0 ? rss : 0;
  return MN_OK;
}

/* sum_i w_i (y_i - mean)^2, about 0 without an intercept. The rounding error of the mean is removed by the corrected
 * two-pass formula: Chan, Golub & LeVeque, The American Statistician 37 (1983), equation 1.7. */
static double total_sum_of_squares(const struct problem *s, size_t target, double n, bool centered)
{
  const mn_data *d = s->data;
  double square = 0, sum = 0;
  for (size_t i = 0; i < d->rows; i++) {
    const double deviation = d->y.at[i * s->q + target] - s->mean[s->p + target], w = mn_weight(d, i);
    square += w * deviation * deviation;
    sum += w * deviation;
  }
  return centered ? square - sum * (sum / n) : square;
}

/* Whether refinement of a QR solution in twice the working precision is cheap. */
static bool refinable(const struct mn_ols *m, const struct problem *s)
{
  enum { MAX_VALUES = 2000000 };
  return !s->by_gram && (size_t)m->rank == s->p && s->data->rows * s->p <= MAX_VALUES;
}

static mn_status refine(mn_context *ctx, struct mn_ols *m, struct problem *s, size_t target, double *residual)
{
  double *b = MN_RAW(ctx, double, s->p, 1), rss;
  MN_CHECK_ALLOC(b);
  for (size_t j = 0; j < s->p; j++) b[j] = s->coef[j * s->q + target];
  MN_TRY(mn_refine_least_squares(ctx, s->data, target, s->mean, s->factor, m->fit_intercept, b, &s->intercept[target],
                                 residual, &rss));
  for (size_t j = 0; j < s->p; j++) s->coef[j * s->q + target] = b[j];
  if (m->rss.at) m->rss.at[target] = rss;
  return MN_OK;
}

static void set_intercept(struct problem *s, size_t target)
{
  s->intercept[target] = s->mean[s->p + target];
  for (size_t j = 0; j < s->p; j++) s->intercept[target] -= s->mean[j] * s->coef[j * s->q + target];
}

static mn_status polish(mn_context *ctx, struct mn_ols *m, struct problem *s, size_t target, double *residual)
{
  set_intercept(s, target);
  if (refinable(m, s)) return refine(ctx, m, s, target, residual);
  if (!residual && !s->by_gram) return MN_OK;
  MN_TRY(correct(ctx, m, s, target, residual));
  set_intercept(s, target);
  return MN_OK;
}

/* R b, whose squares are the sequential sums of squares; of a rank-deficient X in the basis of its independent columns.
 */
static mn_status set_effects(mn_context *ctx, struct mn_ols *m, const struct problem *s, size_t target)
{
  const size_t p = s->p;
  double *v = MN_NEW(ctx, double, p, 1), *effect = m->effects.at + target * p;
  MN_CHECK_ALLOC(v);
  for (size_t j = 0; j < p; j++)
    for (size_t k = 0; k <= j; k++) v[k] += s->factor[j * p + k] * s->coef[j * s->q + target];
  if (!s->alias.basis) {
    memcpy(effect, v, p * sizeof *v);
    return MN_OK;
  }
  for (size_t j = 0; j < p; j++)
    for (size_t k = 0; k < p; k++) effect[j] += s->alias.basis[j * p + k] * v[k];
  return MN_OK;
}

static mn_status set_residual_quartiles(mn_context *ctx, struct mn_ols *m, size_t n, const double *residual,
                                        const double *weights, size_t target)
{
  static const double levels[MN_QUARTILES] = { 0, 0.25, 0.5, 0.75, 1 };
  return mn_quantiles(ctx, n, residual, weights, MN_QUARTILES, levels, mn_row(&m->residuals, target));
}

static mn_status finish_target(mn_context *ctx, struct mn_ols *m, struct problem *s, size_t target)
{
  if (!m->inference) return polish(ctx, m, s, target, NULL);
  double *residual = MN_RAW(ctx, double, s->data->rows, 1);
  MN_CHECK_ALLOC(residual);
  MN_TRY(polish(ctx, m, s, target, residual));
  MN_TRY(set_effects(ctx, m, s, target));
  m->tss.at[target] = total_sum_of_squares(s, target, m->n, m->fit_intercept);
  const bool frequency = m->weights_type == MN_WEIGHTS_FREQUENCY;
  for (size_t i = 0; i < s->data->rows && !frequency; i++) residual[i] *= sqrt(mn_weight(s->data, i));
  return set_residual_quartiles(ctx, m, s->data->rows, residual, frequency ? s->data->weights : NULL, target);
}

static mn_status init_inference(mn_context *ctx, struct mn_ols *m, const struct problem *s)
{
  const size_t p = s->p, q = s->q;
  MN_TRY(mn_vector_init(ctx, &m->mean, p));
  MN_TRY(mn_vector_init(ctx, &m->rss, q));
  MN_TRY(mn_vector_init(ctx, &m->tss, q));
  MN_TRY(mn_matrix_init(ctx, &m->residuals, q, MN_QUARTILES));
  MN_TRY(mn_matrix_init(ctx, &m->unscaled, p, p));
  MN_TRY(mn_matrix_init(ctx, &m->effects, q, p));
  memcpy(m->mean.at, s->mean, p * sizeof *s->mean);
  MN_TRY(mn_vector_init(ctx, &m->scale, p));
  for (size_t j = 0; j < p; j++) {
    m->scale.at[j] = mn_column_norm(j + 1, s->factor + j * p); /* row j of L has the norm of column j of X */
    for (size_t k = 0; k <= j; k++) m->unscaled.at[j * p + k] = s->factor[j * p + k] / m->scale.at[j];
  }
  if (!s->alias.inverse) return mn_chol_inverse(ctx, p, m->unscaled.at);
  memcpy(m->unscaled.at, s->alias.inverse, p * p * sizeof *m->unscaled.at);
  return MN_OK;
}

static mn_status make_problem(mn_context *ctx, const mn_data *data, struct problem *s)
{
  *s = (struct problem){ .data = data, .p = data->features, .q = data->y.cols };
  s->mean = MN_NEW(ctx, double, s->p + s->q, 1);
  s->factor = MN_NEW(ctx, double, s->p, s->p);
  s->coef = MN_NEW(ctx, double, s->p, s->q);
  s->intercept = MN_NEW(ctx, double, s->q, 1);
  return s->mean && s->factor && s->coef && s->intercept ? MN_OK : MN_NO_MEMORY;
}

static mn_status store(mn_context *ctx, struct mn_ols *m, const struct problem *s)
{
  MN_TRY(mn_linear_init(ctx, &m->linear, s->q, s->p));
  memcpy(m->linear.intercept.at, s->intercept, s->q * sizeof *s->intercept);
  for (size_t t = 0; t < s->q; t++)
    for (size_t j = 0; j < s->p; j++) m->linear.coef.at[t * s->p + j] = s->coef[j * s->q + t];
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_ols *m = self;
  struct problem s;
  MN_TRY(make_problem(ctx, data, &s));
  MN_TRY(solve(ctx, m, &s));
  mn_count_observations(data, &m->rows, &m->log_weights);
  if (m->inference) MN_TRY(init_inference(ctx, m, &s));
  for (size_t t = 0; t < s.q; t++) {
    const mn_mark mark = mn_scratch_mark(ctx);
    MN_TRY(finish_target(ctx, m, &s, t));
    mn_scratch_release(ctx, mark);
  }
  return store(ctx, m, &s);
}

struct subset_fits {
  mn_estimator *const *self;
  const mn_row_list *subset;
  const mn_data *data;
  bool *done;
};

/* Residuals of the rows of a subset, from the predictions of all rows. */
static mn_status infer_subset(mn_context *ctx, struct mn_ols *m, const struct problem *s, const mn_row_list *subset,
                              const mn_subset_solution *solution)
{
  const size_t p = s->p, q = s->q, both = p + q;
  mn_matrix fitted = { .rows = s->data->rows, .cols = q, .at = MN_RAW(ctx, double, s->data->rows, q) };
  double *residual = MN_RAW(ctx, double, subset->n, 1);
  if (!fitted.at || !residual) return MN_NO_MEMORY;
  MN_TRY(init_inference(ctx, m, s));
  MN_TRY(mn_linear_predict(ctx, m, s->data, &fitted));
  for (size_t t = 0; t < q; t++) {
    for (size_t i = 0; i < subset->n; i++) {
      const size_t at = subset->at[i] * q + t;
      residual[i] = s->data->y.at[at] - fitted.at[at];
      m->rss.at[t] += residual[i] * residual[i];
    }
    m->tss.at[t] = solution->g[(p + t) * both + p + t];
    MN_TRY(set_effects(ctx, m, s, t));
    MN_TRY(set_residual_quartiles(ctx, m, subset->n, residual, NULL, t));
  }
  return MN_OK;
}

static mn_status store_subset(mn_context *ctx, void *work, size_t i, const mn_subset_solution *solution)
{
  const struct subset_fits *f = work;
  struct mn_ols *m = (struct mn_ols *)f->self[i];
  struct problem s = { .data = f->data,
                       .p = f->data->features,
                       .q = f->data->y.cols,
                       .mean = solution->mean,
                       .factor = solution->factor,
                       .coef = solution->coef };
  s.intercept = MN_RAW(ctx, double, s.q, 1);
  MN_CHECK_ALLOC(s.intercept);
  for (size_t t = 0; t < s.q; t++) set_intercept(&s, t);
  m->rank = (int64_t)s.p;
  m->rcond = sqrt(solution->rcond);
  m->n = m->rows = solution->n;
  f->done[i] = true;
  MN_TRY(store(ctx, m, &s));
  return m->inference ? infer_subset(ctx, m, &s, &f->subset[i], solution) : MN_OK;
}

static mn_status fit_subsets(mn_context *ctx, mn_estimator *const *selves, const mn_row_list *subset, size_t n,
                             const mn_data *data, bool *done)
{
  struct subset_fits f = { .self = selves, .subset = subset, .data = data, .done = done };
  return mn_solve_subsets(ctx, data, subset, n, ((const struct mn_ols *)selves[0])->fit_intercept, 0, store_subset, &f);
}

/* Free what earlier batches learned, except the accumulator. */
static void free_learned(mn_memory *memory, struct mn_ols *m)
{
  mn_matrix_free(memory, &m->linear.coef);
  mn_vector_free(memory, &m->linear.intercept);
  mn_indexes_free(memory, &m->dependent);
  mn_matrix_free(memory, &m->alias);
  mn_matrix_free(memory, &m->effects);
  mn_vector_free(memory, &m->mean);
  mn_vector_free(memory, &m->scale);
  mn_vector_free(memory, &m->rss);
  mn_vector_free(memory, &m->tss);
  mn_matrix_free(memory, &m->unscaled);
  mn_matrix_free(memory, &m->residuals);
}

/* Inference from the accumulated sums of squares. Quartiles of the residuals would need the rows again, so they are
 * NaN. */
static mn_status infer_from_sums(mn_context *ctx, struct mn_ols *m, const struct problem *s, const double *rss,
                                 const double *tss)
{
  MN_TRY(init_inference(ctx, m, s));
  memcpy(m->rss.at, rss, s->q * sizeof *rss);
  memcpy(m->tss.at, tss, s->q * sizeof *tss);
  for (size_t i = 0; i < MN_QUARTILES * s->q; i++) m->residuals.at[i] = (double)NAN;
  for (size_t t = 0; t < s->q; t++) MN_TRY(set_effects(ctx, m, s, t));
  return MN_OK;
}

static mn_status partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_ols *m = self;
  struct problem s;
  if (m->linear.coef.at && !m->accumulator.r.at)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "LinearRegression: partial_fit cannot continue after fit; create a new model");
  MN_TRY(mn_qr_accumulator_add(ctx, &m->accumulator, data));
  MN_TRY(make_problem(ctx, data, &s));
  double *r = MN_RAW(ctx, double, s.p, s.p), *qty = MN_RAW(ctx, double, s.p, s.q);
  double *rss = MN_RAW(ctx, double, s.q, 1), *tss = MN_RAW(ctx, double, s.q, 1);
  if (!r || !qty || !rss || !tss) return MN_NO_MEMORY;
  MN_TRY(mn_qr_accumulator_problem(ctx, &m->accumulator, s.p, s.q, m->fit_intercept, r, qty, rss, tss));
  if (m->fit_intercept) memcpy(s.mean, m->accumulator.mean.at, (s.p + s.q) * sizeof *s.mean);
  free_learned(mn_context_memory(ctx), m);
  m->n = m->accumulator.total.at[0];
  double rows, log_weights;
  mn_count_observations(data, &rows, &log_weights);
  m->rows += rows;
  m->log_weights += log_weights;
  MN_TRY(solve_triangle(ctx, m, &s, r, qty, rss));
  if (m->inference) MN_TRY(infer_from_sums(ctx, m, &s, rss, tss));
  for (size_t t = 0; t < s.q; t++) set_intercept(&s, t);
  return store(ctx, m, &s);
}

/* After loading: the fields for inference are present together or not at all. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct mn_ols *m = self;
  const bool all = m->mean.at && m->rss.at && m->tss.at && m->unscaled.at && m->residuals.at && m->scale.at;
  const bool none = !m->mean.at && !m->rss.at && !m->tss.at && !m->unscaled.at && !m->residuals.at && !m->scale.at;
  if (!all && !none)
    return mn_fail(ctx, MN_BAD_FILE, "LinearRegression: the archive holds only part of the fields for inference");
  if (mn_qr_accumulator_is_valid(&m->accumulator, m->linear.base.n_features, m->linear.base.n_targets)) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "LinearRegression: the state of partial_fit in the archive is damaged");
}

static const mn_param params[] = {
  MN_FLAG(struct mn_ols, fit_intercept, true, "fit an intercept"),
  MN_FLAG(struct mn_ols, inference, true, "store what summary, intervals and diagnostics require"),
  MN_WEIGHTS_TYPE_PARAM(struct mn_ols, "The coefficients are the same"),
  MN_END,
};

static const mn_field fields[] = {
  MN_LINEAR_FIELDS("targets"),
  MN_INTEGER(struct mn_ols, rank, "number of linearly independent columns of X"),
  MN_NUMBER(struct mn_ols, rcond, "1 / condition number of the columns of X, scaled to norm 1"),
  MN_NUMBER(struct mn_ols, n, "sum of the sample weights; the number of rows without weights"),
  MN_OPTIONAL_NUMBER(struct mn_ols, rows, NULL),
  MN_OPTIONAL_NUMBER(struct mn_ols, log_weights, NULL),
  MN_INDEXES(struct mn_ols, dependent, "dependent? < features",
             "aliased columns: those that are linear combinations of columns before them"),
  MN_MATRIX(struct mn_ols, alias, "dependent? x features?", "these combinations of the centered columns"),
  MN_LEARNED(MN_KIND_VECTOR, struct mn_ols, mean, "features?", NULL),
  MN_VECTOR(struct mn_ols, rss, "targets?", "residual sum of squares"),
  MN_VECTOR(struct mn_ols, tss, "targets?", "total sum of squares (about the mean with an intercept)"),
  MN_LEARNED(MN_KIND_VECTOR, struct mn_ols, scale, "features?", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct mn_ols, unscaled, "features? x features?", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct mn_ols, effects, "targets? x features?", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct mn_ols, residuals, "targets? x 5?", NULL),
  MN_QR_ACCUMULATOR_FIELDS(struct mn_ols),
  MN_END,
};

const mn_class mn_linear_regression = {
  .name = "LinearRegression",
  .family = "linear",
  .brief = "Ordinary least squares with standard errors, tests and diagnostics.",
  .objective = "sum_i w_i |y_i - x_i b - c|^2",
  .source = "Bjoerck, Numerical Methods for Least Squares Problems (1996)",
  .notes =
      "Sample weights are precisions in standard errors and tests, as in R's lm; weights_type = 'frequency' counts rows instead. "
      "If X is rank-deficient, coef is the minimum-norm solution, as in scikit-learn; summary has R's table, with columns that depend on earlier ones aliased. "
      "partial_fit gives the model of fit on all rows so far, without residual quartiles; it stores about p^2 / 2 numbers. "
      "Robust covariances need the rows of fit: summary(X, y, { covariance = 'HC3' }).",
  .example = "local model = ml.LinearRegression{}:fit({ {1}, {2}, {3}, {4} }, { 1.1, 1.9, 3.2, 3.8 })\n"
             "print(model:summary())",
  .capabilities = MN_REGRESS | MN_SCALE_EQUIVARIANT | MN_ADDITIVE,
  .accepts = MN_WEIGHTS | MN_MULTITARGET | MN_NO_COLUMNS,
  .size = sizeof(struct mn_ols),
  .params = params,
  .fields = fields,
  .operations = mn_ols_operations,
  .fit = fit,
  .fit_subsets = fit_subsets,
  .partial_fit = partial_fit,
  MN_LINEAR_PREDICTION,
  .check = check,
};
