/* Ridge regression. Minimise over b and c
 *
 *     sum_i w_i |y_i - x_i b - c|^2 + alpha |b|^2
 *
 * The constant is not penalised: X and y are taken about their means. Four ways to the one answer, chosen by shape:
 * QR of the rows and of sqrt(alpha) I below them (small or ill-conditioned problems: no X'X is formed), Cholesky of
 * X'WX + alpha I with one step of refinement (many rows), Cholesky of XX' + alpha I (more columns than rows), and
 * conjugate gradients (sparse X). Hoerl & Kennard, Technometrics 12 (1970). */
#include "../linalg/csr.h"
#include "../linalg/lapack.h"
#include "../linalg/product.h"
#include "linear.h"
#include "stream.h"
#include "coef_summary.h"
#include <string.h>

struct ridge {
  mn_linear linear;
  double alpha; /* what the user sets */
  bool fit_intercept;
  mn_linear_stream stream; /* of partial_fit */
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

/* Least squares of [R; sqrt(alpha) I] b on [Q'y; 0]. r and qty have 2 p rows, of which the first p are given. */
static mn_status solve_triangle(mn_context *ctx, struct problem *s, double *r, double *qty)
{
  const size_t p = s->p;
  for (size_t j = 0; j < p; j++) r[(p + j) * p + j] = sqrt(s->alpha);
  const mn_rows penalised = { .n = 2 * p, .p = p, .m = s->q, .x = r, .y = qty };
  return mn_least_squares(ctx, &penalised, 0, s->coef, NULL, NULL);
}

static mn_status solve_by_qr(mn_context *ctx, struct problem *s)
{
  const mn_data *d = s->data;
  const size_t p = s->p, q = s->q;
  if (s->centered) mn_linear_means(s->data, s->mean);
  const mn_rows rows = { .n = d->rows,
                         .p = p,
                         .m = q,
                         .x = d->x.at,
                         .y = d->y.at,
                         .weights = d->weights,
                         .x_center = s->centered ? s->mean : NULL,
                         .y_center = s->centered ? s->mean + p : NULL };
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
    MN_TRY(mn_linear_pass(ctx, s->data, t, s->mean, b, NULL, gradient, &rss));
    for (size_t j = 0; j < s->p; j++) gradient[j] -= s->alpha * b[j];
    MN_TRY(mn_chol_apply(ctx, s->p, 1, l, gradient));
    for (size_t j = 0; j < s->p; j++) s->coef[j * s->q + t] += gradient[j];
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* *done is false when the matrix is too near to singular to be trusted. */
static mn_status solve_primal(mn_context *ctx, struct problem *s, bool *done)
{
  static const double plain_rcond = 1e-4; /* above it the Cholesky answer has 11 digits as it is */
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

/* b = Z' inv(Z Z' + alpha I) v with Z, v the rows about their means times sqrt(w): a system of order n, not p. */
static mn_status solve_dual(mn_context *ctx, struct problem *s, bool *done)
{
  const mn_data *d = s->data;
  const size_t n = d->rows, p = s->p, q = s->q;
  double *z = MN_RAW(ctx, double, n, p), *v = MN_RAW(ctx, double, n, q), *k = MN_RAW(ctx, double, n, n), rcond;
  size_t minor;
  if (!z || !v || !k) return MN_NO_MEMORY;
  *done = false;
  if (s->centered) mn_linear_means(s->data, s->mean);
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

/* --- sparse X: conjugate gradients on (Z'WZ + alpha I) b = Z'Wy, Z = X - 1 mean', never formed --- */

struct gradients {
  struct problem *s;
  double total;           /* sum of the weights */
  double *row, *diagonal; /* n; p: of the matrix, for preconditioning */
};

static void sparse_means(struct problem *s, struct gradients *g)
{
  const mn_csr *x = s->data->sparse;
  for (size_t i = 0; i < x->rows; i++) g->total += mn_weight(s->data, i);
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

/* out = Z'W row, where row (n) is overwritten by W row. */
static mn_status transposed(mn_context *ctx, const struct gradients *g, double *row, double *out)
{
  const struct problem *s = g->s;
  double sum = 0;
  for (size_t i = 0; i < s->data->rows; i++) sum += row[i] *= mn_weight(s->data, i);
  MN_TRY(mn_csr_multiply_transposed(ctx, s->data->sparse, 1, row, out));
  for (size_t j = 0; j < s->p; j++) out[j] -= s->mean[j] * sum;
  return MN_OK;
}

static mn_status apply(mn_context *ctx, const struct gradients *g, const double *b, double *out)
{
  const struct problem *s = g->s;
  double shift = 0;
  for (size_t j = 0; j < s->p; j++) shift += s->mean[j] * b[j];
  MN_TRY(mn_csr_multiply(ctx, s->data->sparse, 1, b, g->row));
  for (size_t i = 0; i < s->data->rows; i++) g->row[i] -= shift;
  MN_TRY(transposed(ctx, g, g->row, out));
  for (size_t j = 0; j < s->p; j++) out[j] += s->alpha * b[j];
  return MN_OK;
}

static double dot(size_t n, const double *a, const double *b)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* Golub & Van Loan, Matrix Computations, 4th ed., algorithm 11.5.1. r holds the right-hand side; b is 0. */
static mn_status conjugate_gradients(mn_context *ctx, const struct gradients *g, double *b, double *r)
{
  const size_t p = g->s->p, most = 10 * p + 1000;
  double *direction = MN_NEW(ctx, double, p, 1), *z = MN_RAW(ctx, double, p, 1), *image = MN_RAW(ctx, double, p, 1);
  if (!direction || !z || !image) return MN_NO_MEMORY;
  const double wanted = 1e-26 * dot(p, r, r);
  double before = 1;
  for (size_t round = 0; dot(p, r, r) > wanted; round++) {
    if (round == most)
      return mn_fail(ctx, MN_SINGULAR, "Ridge: the columns of X nearly determine each other; raise alpha");
    for (size_t j = 0; j < p; j++) z[j] = r[j] / g->diagonal[j];
    const double now = dot(p, r, z);
    for (size_t j = 0; j < p; j++) direction[j] = z[j] + (round > 0 ? now / before * direction[j] : 0);
    MN_TRY(apply(ctx, g, direction, image));
    const double length = now / dot(p, direction, image);
    for (size_t j = 0; j < p; j++) {
      b[j] += length * direction[j];
      r[j] -= length * image[j];
    }
    before = now;
    if (!mn_report_progress(ctx, (double)round, (double)most, (double)NAN)) return MN_OK;
  }
  return MN_OK;
}

static mn_status solve_sparse(mn_context *ctx, struct problem *s)
{
  const size_t n = s->data->rows, p = s->p, q = s->q;
  struct gradients g = { .s = s, .row = MN_RAW(ctx, double, n, 1), .diagonal = MN_NEW(ctx, double, p, 1) };
  double *r = MN_RAW(ctx, double, p, 1), *b = MN_RAW(ctx, double, p, 1);
  if (!g.row || !g.diagonal || !r || !b) return MN_NO_MEMORY;
  sparse_means(s, &g);
  for (size_t t = 0; t < q; t++) {
    for (size_t i = 0; i < n; i++) g.row[i] = s->data->y.at[i * q + t] - s->mean[p + t];
    MN_TRY(transposed(ctx, &g, g.row, r));
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

static mn_status keep(mn_context *ctx, struct ridge *m, const struct problem *s)
{
  const size_t p = s->p, q = s->q;
  MN_TRY(mn_linear_init(ctx, &m->linear, q, p));
  for (size_t t = 0; t < q; t++) {
    double constant = s->mean[p + t];
    for (size_t j = 0; j < p; j++) {
      m->linear.coef.at[t * p + j] = s->coef[j * q + t];
      constant -= s->mean[j] * s->coef[j * q + t];
    }
    m->linear.intercept.at[t] = constant;
  }
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct ridge *m = self;
  struct problem s;
  MN_TRY(make_problem(ctx, m, data, &s));
  MN_TRY(data->sparse ? solve_sparse(ctx, &s) : solve_dense(ctx, &s));
  return keep(ctx, m, &s);
}

static mn_status partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct ridge *m = self;
  struct problem s;
  if (m->linear.coef.at && !m->stream.stream_triangle.at)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "Ridge: partial_fit can only continue what partial_fit began");
  MN_TRY(mn_linear_stream_add(ctx, &m->stream, data));
  MN_TRY(make_problem(ctx, m, data, &s));
  double *r = MN_NEW(ctx, double, 2 * s.p, s.p), *qty = MN_NEW(ctx, double, 2 * s.p, s.q);
  double *rest = MN_RAW(ctx, double, s.q, 1), *total = MN_RAW(ctx, double, s.q, 1);
  if (!r || !qty || !rest || !total) return MN_NO_MEMORY;
  MN_TRY(mn_linear_stream_problem(ctx, &m->stream, s.p, s.q, s.centered, r, qty, rest, total));
  if (s.centered) memcpy(s.mean, m->stream.stream_mean.at, (s.p + s.q) * sizeof *s.mean);
  MN_TRY(solve_triangle(ctx, &s, r, qty));
  mn_matrix_free(mn_context_memory(ctx), &m->linear.coef);
  mn_vector_free(mn_context_memory(ctx), &m->linear.intercept);
  return keep(ctx, m, &s);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct ridge *m = self;
  if (mn_linear_stream_fits(&m->stream, m->linear.base.n_features, m->linear.base.n_targets)) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "Ridge: what partial_fit goes on from is damaged");
}

static const mn_param params[] = {
  MN_PENALTY(struct ridge, alpha, 1.0, MN_AT_LEAST(0), "penalty on the squared L2 norm of the weights"),
  MN_FLAG(struct ridge, fit_intercept, true, "learn a constant term, never penalised"),
  MN_END,
};

static const mn_field fields[] = {
  MN_LINEAR_FIELDS("targets"),
  MN_LINEAR_STREAM_FIELDS(struct ridge),
  MN_END,
};

const mn_class mn_ridge = {
  .name = "Ridge",
  .family = "linear",
  .brief = "Linear least squares with an L2 penalty.",
  .objective = "sum_i w_i |y_i - x_i b - c|^2 + alpha |b|^2",
  .source = "Hoerl & Kennard, Technometrics 12 (1970)",
  .notes = "The sum is not divided by the number of rows, as in scikit-learn; glmnet's lambda is alpha / n. Scale the "
           "columns first where their units differ. partial_fit gives what fit gives for all rows so far; alpha may be "
           "another one at each batch. It keeps p x p numbers, of sparse X too: for very many columns there is "
           "SGDRegressor.",
  .example = "local model = ml.Ridge{ alpha = 0.5 }:fit({ {1, 2}, {2, 1}, {3, 5} }, { 1, 2, 3 })\n"
             "print(model.coef, model:predict{ {4, 4} })",
  .capabilities = MN_REGRESS | MN_ADDITIVE,
  .accepts = MN_WEIGHTS | MN_SPARSE | MN_MULTITARGET,
  .size = sizeof(struct ridge),
  .params = params,
  .fields = fields,
  .operations = mn_weights_operations,
  .fit = fit,
  .partial_fit = partial_fit,
  .predict = mn_linear_predict,
  .export = mn_linear_export,
  .check = check,
};
