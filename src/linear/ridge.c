/* Ridge regression. Minimize over b and c
 *
 *     sum_i w_i |y_i - x_i b - c|^2 + alpha |b|^2
 *
 * The intercept is not penalized: X and y are centered. The solver depends on the shape of X:
 *
 *   QR of the rows with sqrt(alpha) I below them    small or ill-conditioned problems; X'X is not formed
 *   Cholesky of X'WX + alpha I, refined once        many rows
 *   Cholesky of XX' + alpha I                       more columns than rows
 *   preconditioned conjugate gradients              sparse X
 *
 * Folds of cross-validation share the Gram matrices of their rows (subset_grams.h).
 *
 * Hoerl & Kennard, Technometrics 12 (1970). */
#include "../linalg/csr.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "linear.h"
#include "qr_accumulator.h"
#include "coef_summary.h"
#include "subset_grams.h"
#include <string.h>

struct ridge {
  mn_linear linear;
  double alpha; /* parameters */
  bool fit_intercept;
  mn_qr_accumulator accumulator; /* of partial_fit */
};

enum { SMALL_FLOPS = 20000000 };
static const double safe_rcond = 1e-9;

struct problem {
  const mn_data *data;
  size_t p, q;
  double alpha;
  bool centered;
  double *mean; /* p + q */
  double *coef; /* p x q */
};

/* Least squares of [R; sqrt(alpha) I] b on [Q'y; 0]. r and qty have 2 p rows; the first p hold R and Q'y. */
static mn_status solve_triangle(mn_context *ctx, struct problem *s, double *r, double *qty)
{
  const size_t p = s->p;
  for (size_t j = 0; j < p; j++) r[(p + j) * p + j] = sqrt(s->alpha);
  const mn_rows penalized = { .n = 2 * p, .p = p, .m = s->q, .x = r, .y = qty };
  return mn_least_squares(ctx, &penalized, 0, s->coef, NULL, NULL);
}

static mn_status solve_by_qr(mn_context *ctx, struct problem *s)
{
  const size_t p = s->p, q = s->q;
  if (s->centered) MN_TRY(mn_linear_means(ctx, s->data, s->mean, NULL));
  const mn_rows rows = mn_linear_problem(s->data, s->centered ? s->mean : NULL);
  double *r = MN_NEW(ctx, double, 2 * p, p), *qty = MN_NEW(ctx, double, 2 * p, q);
  if (!r || !qty) return MN_NO_MEMORY;
  MN_TRY(mn_tall_qr(ctx, &rows, r, qty, NULL));
  return solve_triangle(ctx, s, r, qty);
}

/* b += inv(X'WX + alpha I) (X'W r - alpha b) */
static mn_status refine(mn_context *ctx, struct problem *s, const double *l)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *b = MN_RAW(ctx, double, s->p, 1), *gradient = MN_RAW(ctx, double, s->p, 1), rss;
  if (!b || !gradient) return MN_NO_MEMORY;
  for (size_t t = 0; t < s->q; t++) {
    for (size_t j = 0; j < s->p; j++) b[j] = s->coef[j * s->q + t];
    MN_TRY(mn_linear_gradient(ctx, s->data, t, s->mean, b, NULL, gradient, &rss));
    for (size_t j = 0; j < s->p; j++) gradient[j] -= s->alpha * b[j];
    MN_TRY(mn_chol_apply(ctx, s->p, 1, l, gradient));
    for (size_t j = 0; j < s->p; j++) s->coef[j * s->q + t] += gradient[j];
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Leaves *done false if the matrix is too ill-conditioned. */
static mn_status solve_primal(mn_context *ctx, struct problem *s, bool *done)
{
  static const double plain_rcond = 1e-4; /* above it the Cholesky solution has 11 digits without refinement */
  const mn_data *d = s->data;
  const size_t p = s->p, q = s->q, both = p + q;
  double *g = MN_RAW(ctx, double, both, both), *l = MN_RAW(ctx, double, p, p), rcond;
  size_t minor;
  if (!g || !l) return MN_NO_MEMORY;
  *done = false;
  MN_TRY(mn_gram(ctx, d->rows, p, d->x.at, p, q, d->y.at, q, d->weights, s->centered, NULL, s->mean, g, both));
  if (!s->centered) memset(s->mean, 0, both * sizeof *s->mean);
  for (size_t i = 0; i < p; i++) {
    memcpy(l + i * p, g + i * both, p * sizeof *l);
    l[i * p + i] += s->alpha;
    memcpy(s->coef + i * q, g + i * both + p, q * sizeof *l);
  }
  MN_TRY(mn_chol_try(ctx, p, l, &rcond, &minor));
  if (minor > 0 || !(rcond >= safe_rcond)) return MN_OK;
  MN_TRY(mn_chol_apply(ctx, p, q, l, s->coef));
  *done = true;
  return rcond >= plain_rcond ? MN_OK : refine(ctx, s, l);
}

/* b = Z' inv(Z Z' + alpha I) v, where Z and v are the centered rows of X and y times sqrt(w): a system of order n. */
static mn_status solve_dual(mn_context *ctx, struct problem *s, bool *done)
{
  const mn_data *d = s->data;
  const size_t n = d->rows, p = s->p, q = s->q;
  double *z = MN_RAW(ctx, double, n, p), *v = MN_RAW(ctx, double, n, q), *k = MN_RAW(ctx, double, n, n), rcond;
  size_t minor;
  if (!z || !v || !k) return MN_NO_MEMORY;
  *done = false;
  if (s->centered) MN_TRY(mn_linear_means(ctx, s->data, s->mean, NULL));
  for (size_t i = 0; i < n; i++) {
    const double root = sqrt(mn_weight(d, i));
    for (size_t j = 0; j < p; j++) z[i * p + j] = root * (d->x.at[i * p + j] - s->mean[j]);
    for (size_t t = 0; t < q; t++) v[i * q + t] = root * (d->y.at[i * q + t] - s->mean[p + t]);
  }
  MN_TRY(mn_gemm(ctx, false, true, n, n, p, 1, z, p, z, p, 0, k, n));
  for (size_t i = 0; i < n; i++) k[i * n + i] += s->alpha;
  MN_TRY(mn_chol_try(ctx, n, k, &rcond, &minor));
  if (minor > 0 || !(rcond >= safe_rcond)) return MN_OK;
  MN_TRY(mn_chol_apply(ctx, n, q, k, v));
  MN_TRY(mn_gemm(ctx, true, false, p, q, n, 1, z, p, v, q, 0, s->coef, q));
  *done = true;
  return MN_OK;
}

static mn_status solve_dense(mn_context *ctx, struct problem *s)
{
  const double n = (double)s->data->rows, p = (double)s->p, both = p + (double)s->q;
  const bool wide = s->p > s->data->rows && s->alpha > 0;
  bool done = false;
  if (wide)
    MN_TRY(solve_dual(ctx, s, &done));
  else if (n * both * both > SMALL_FLOPS)
    MN_TRY(solve_primal(ctx, s, &done));
  if (done) return MN_OK;
  memset(s->mean, 0, (s->p + s->q) * sizeof *s->mean);
  return solve_by_qr(ctx, s);
}

/* Conjugate cg on (Z'WZ + alpha I) b = Z'Wy for sparse X; Z = X - 1 mean' is never formed. */
struct cg {
  struct problem *s;
  double total;           /* sum of the sample weights */
  double *row, *diagonal; /* n: workspace; p: diagonal of the matrix, the preconditioner */
};

static void sparse_means(struct problem *s, struct cg *g)
{
  const mn_csr *x = s->data->sparse;
  g->total = mn_total_weight(s->data);
  for (size_t i = 0; i < x->rows; i++) {
    const double w = mn_weight(s->data, i);
    for (size_t e = x->start[i]; e < x->start[i + 1]; e++) {
      if (s->centered) s->mean[x->col[e]] += w / g->total * x->at[e];
      g->diagonal[x->col[e]] += w * x->at[e] * x->at[e];
    }
    for (size_t t = 0; s->centered && t < s->q; t++) s->mean[s->p + t] += w / g->total * s->data->y.at[i * s->q + t];
  }
  for (size_t j = 0; j < s->p; j++) {
    g->diagonal[j] += s->alpha - g->total * s->mean[j] * s->mean[j];
    if (!(g->diagonal[j] > 0)) g->diagonal[j] = 1;
  }
}

/* out = Z'W row; row (n) is overwritten by W row. */
static mn_status multiply_transposed(mn_context *ctx, const struct cg *g, double *row, double *out)
{
  const struct problem *s = g->s;
  double sum = 0;
  for (size_t i = 0; i < s->data->rows; i++) sum += row[i] *= mn_weight(s->data, i);
  MN_TRY(mn_csr_multiply_transposed(ctx, s->data->sparse, 1, row, out));
  for (size_t j = 0; j < s->p; j++) out[j] -= s->mean[j] * sum;
  return MN_OK;
}

/* out = (Z'WZ + alpha I) b */
static mn_status multiply(mn_context *ctx, const struct cg *g, const double *b, double *out)
{
  const struct problem *s = g->s;
  double shift = 0;
  for (size_t j = 0; j < s->p; j++) shift += s->mean[j] * b[j];
  MN_TRY(mn_csr_multiply(ctx, s->data->sparse, 1, b, g->row));
  for (size_t i = 0; i < s->data->rows; i++) g->row[i] -= shift;
  MN_TRY(multiply_transposed(ctx, g, g->row, out));
  for (size_t j = 0; j < s->p; j++) out[j] += s->alpha * b[j];
  return MN_OK;
}

static double dot(size_t n, const double *a, const double *b)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* Golub & Van Loan, Matrix Computations, 4th ed., algorithm 11.5.1. On entry r holds the right-hand side and b is 0. */
static mn_status conjugate_gradients(mn_context *ctx, const struct cg *g, double *b, double *r)
{
  const size_t p = g->s->p, max_iter = 10 * p + 1000;
  double *direction = MN_NEW(ctx, double, p, 1), *z = MN_RAW(ctx, double, p, 1), *image = MN_RAW(ctx, double, p, 1);
  if (!direction || !z || !image) return MN_NO_MEMORY;
  const double tolerance = 1e-26 * dot(p, r, r);
  double before = 1;
  for (size_t round = 0; dot(p, r, r) > tolerance; round++) {
    if (round == max_iter)
      return mn_fail(
          ctx, MN_SINGULAR,
          "Ridge: X is nearly collinear and conjugate gradients did not converge in %zu iterations; increase alpha",
          max_iter);
    for (size_t j = 0; j < p; j++) z[j] = r[j] / g->diagonal[j];
    const double now = dot(p, r, z);
    for (size_t j = 0; j < p; j++) direction[j] = z[j] + (round > 0 ? now / before * direction[j] : 0);
    MN_TRY(multiply(ctx, g, direction, image));
    const double length = now / dot(p, direction, image);
    for (size_t j = 0; j < p; j++) {
      b[j] += length * direction[j];
      r[j] -= length * image[j];
    }
    before = now;
    if (!mn_report_progress(ctx, (double)round, (double)max_iter, (double)NAN)) return MN_OK;
  }
  return MN_OK;
}

static mn_status solve_sparse(mn_context *ctx, struct problem *s)
{
  const size_t n = s->data->rows, p = s->p, q = s->q;
  struct cg g = { .s = s, .row = MN_RAW(ctx, double, n, 1), .diagonal = MN_NEW(ctx, double, p, 1) };
  double *r = MN_RAW(ctx, double, p, 1), *b = MN_RAW(ctx, double, p, 1);
  if (!g.row || !g.diagonal || !r || !b) return MN_NO_MEMORY;
  sparse_means(s, &g);
  for (size_t t = 0; t < q; t++) {
    for (size_t i = 0; i < n; i++) g.row[i] = s->data->y.at[i * q + t] - s->mean[p + t];
    MN_TRY(multiply_transposed(ctx, &g, g.row, r));
    memset(b, 0, p * sizeof *b);
    MN_TRY(conjugate_gradients(ctx, &g, b, r));
    for (size_t j = 0; j < p; j++) s->coef[j * q + t] = b[j];
  }
  return MN_OK;
}

static mn_status make_problem(mn_context *ctx, const struct ridge *m, const mn_data *data, struct problem *s)
{
  *s = (struct problem){
    .data = data, .p = data->features, .q = data->y.cols, .alpha = m->alpha, .centered = m->fit_intercept
  };
  s->mean = MN_NEW(ctx, double, s->p + s->q, 1);
  s->coef = MN_NEW(ctx, double, s->p, s->q);
  return s->mean && s->coef ? MN_OK : MN_NO_MEMORY;
}

static mn_status store(mn_context *ctx, struct ridge *m, const struct problem *s)
{
  const size_t p = s->p, q = s->q;
  MN_TRY(mn_linear_init(ctx, &m->linear, q, p));
  for (size_t t = 0; t < q; t++) {
    double intercept = s->mean[p + t];
    for (size_t j = 0; j < p; j++) {
      m->linear.coef.at[t * p + j] = s->coef[j * q + t];
      intercept -= s->mean[j] * s->coef[j * q + t];
    }
    m->linear.intercept.at[t] = intercept;
  }
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct ridge *m = self;
  struct problem s;
  MN_TRY(make_problem(ctx, m, data, &s));
  MN_TRY(data->sparse ? solve_sparse(ctx, &s) : solve_dense(ctx, &s));
  return store(ctx, m, &s);
}

struct subset_fits {
  mn_estimator *const *self;
  const mn_data *data;
  bool *done;
};

static mn_status store_subset(mn_context *ctx, void *work, size_t i, const mn_subset_solution *solution)
{
  const struct subset_fits *f = work;
  const struct problem s = {
    .data = f->data, .p = f->data->features, .q = f->data->y.cols, .mean = solution->mean, .coef = solution->coef
  };
  f->done[i] = true;
  return store(ctx, (struct ridge *)f->self[i], &s);
}

static mn_status fit_subsets(mn_context *ctx, mn_estimator *const *selves, const mn_row_list *subset, size_t n,
                             const mn_data *data, bool *done)
{
  const struct ridge *m = (const struct ridge *)selves[0];
  struct subset_fits f = { .self = selves, .data = data, .done = done };
  return mn_solve_subsets(ctx, data, subset, n, m->fit_intercept, m->alpha, store_subset, &f);
}

static mn_status partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct ridge *m = self;
  struct problem s;
  if (m->linear.coef.at && !m->accumulator.r.at)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "Ridge: partial_fit cannot continue after fit; create a new model");
  MN_TRY(mn_qr_accumulator_add(ctx, &m->accumulator, data));
  MN_TRY(make_problem(ctx, m, data, &s));
  double *r = MN_NEW(ctx, double, 2 * s.p, s.p), *qty = MN_NEW(ctx, double, 2 * s.p, s.q);
  double *rss = MN_RAW(ctx, double, s.q, 1), *tss = MN_RAW(ctx, double, s.q, 1);
  if (!r || !qty || !rss || !tss) return MN_NO_MEMORY;
  MN_TRY(mn_qr_accumulator_problem(ctx, &m->accumulator, s.p, s.q, s.centered, r, qty, rss, tss));
  if (s.centered) memcpy(s.mean, m->accumulator.mean.at, (s.p + s.q) * sizeof *s.mean);
  MN_TRY(solve_triangle(ctx, &s, r, qty));
  mn_matrix_free(mn_context_memory(ctx), &m->linear.coef);
  mn_vector_free(mn_context_memory(ctx), &m->linear.intercept);
  return store(ctx, m, &s);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct ridge *m = self;
  if (mn_qr_accumulator_is_valid(&m->accumulator, m->linear.base.n_features, m->linear.base.n_targets)) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "Ridge: the state of partial_fit in the archive is damaged");
}

static const mn_param params[] = {
  MN_PENALTY(struct ridge, alpha, 1.0, MN_AT_LEAST(0), "penalty on the squared L2 norm of the coefficients"),
  MN_FLAG(struct ridge, fit_intercept, true, "fit an intercept, which is not penalized"),
  MN_END,
};

static const mn_field fields[] = {
  MN_LINEAR_FIELDS("targets"),
  MN_QR_ACCUMULATOR_FIELDS(struct ridge),
  MN_END,
};

const mn_class mn_ridge = {
  .name = "Ridge",
  .family = "linear",
  .brief = "Linear least squares with an L2 penalty.",
  .objective = "sum_i w_i |y_i - x_i b - c|^2 + alpha |b|^2",
  .source = "Hoerl & Kennard, Technometrics 12 (1970)",
  .notes =
      "The loss is a sum over rows, as in scikit-learn; glmnet's lambda is alpha / n. Scale the columns first if their "
      "units differ. partial_fit gives the same model as fit on all rows so far, and alpha may change between batches. "
      "It stores p x p numbers even for sparse X; use SGDRegressor for very many columns.",
  .example = "local model = ml.Ridge{ alpha = 0.5 }:fit({ {1, 2}, {2, 1}, {3, 5} }, { 1, 2, 3 })\n"
             "print(model.coef, model:predict{ {4, 4} })",
  .capabilities = MN_REGRESS | MN_ADDITIVE,
  .accepts = MN_WEIGHTS | MN_SPARSE | MN_MULTITARGET,
  .size = sizeof(struct ridge),
  .params = params,
  .fields = fields,
  .operations = mn_coef_operations,
  .fit = fit,
  .fit_subsets = fit_subsets,
  .partial_fit = partial_fit,
  MN_LINEAR_PREDICTION,
  .check = check,
};
