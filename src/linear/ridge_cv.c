/* Ridge regression with the penalty chosen by leave-one-out cross-validation. For each alpha of a list minimize
 *
 *     sum_i w_i |y_i - x_i b - c|^2 + alpha |b|^2
 *
 * and select the alpha with the smallest squared error of the left-out rows, computed in closed form from one SVD. With
 * sqrt(w) (X - mean) = U diag(s) V', the residuals E (times sqrt(w)) and the leverages h are
 *
 *     E_i = E0_i + sum_j g_j U_ij (U'y)_j,    1 - h_i = a_i + sum_j g_j U_ij^2,    g_j = alpha / (s_j^2 + alpha),
 *
 * where E0 = y - U U'y and a_i = 1 - w_i / sum w - sum_j U_ij^2 do not depend on alpha. No small number is computed as
 * a difference of large ones as alpha tends to 0. A weight counts equal rows of which one is left out, so the residual
 * of row i grows by 1 / (1 - h_i min(1, 1 / w_i)); a row of weight below 1 is left out entirely.
 *
 * Allen, Technometrics 16 (1974); Golub, Heath & Wahba, Technometrics 21 (1979), section 2; Rifkin & Lippert, MIT
 * CSAIL TR 2007-025, section 2. */
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "linear.h"
#include "coef_summary.h"
#include <string.h>

struct ridge_cv {
  mn_linear linear;
  mn_vector alphas; /* parameters */
  bool fit_intercept;
  double alpha, best_score; /* learned fields */
  mn_vector scores;
};

struct problem {
  const mn_data *data;
  size_t n, p, q, k, rank;        /* k = min(n, p) */
  double total;                   /* sum of the sample weights      */
  double *mean;                   /* p + q, 0 without an intercept  */
  double *u, *s, *vt;             /* n x k, k, k x p                */
  double *uty;                    /* k x q: U'y                     */
  double *residual0;              /* n x q: E0                      */
  double *one_minus_h0;           /* n: a                           */
  double *residual;               /* n x q: E for one alpha         */
  double *shrinkage, *shrunk_uty; /* k: g; k x q: g U'y             */
};

static mn_status make_problem(mn_context *ctx, struct problem *r)
{
  r->mean = MN_NEW(ctx, double, r->p + r->q, 1);
  r->u = MN_RAW(ctx, double, r->n, r->k);
  r->s = MN_RAW(ctx, double, r->k, 1);
  r->vt = MN_RAW(ctx, double, r->k, r->p);
  r->uty = MN_RAW(ctx, double, r->k, r->q);
  r->residual0 = MN_RAW(ctx, double, r->n, r->q);
  r->one_minus_h0 = MN_RAW(ctx, double, r->n, 1);
  r->residual = MN_RAW(ctx, double, r->n, r->q);
  r->shrinkage = MN_RAW(ctx, double, r->k, 1);
  r->shrunk_uty = MN_RAW(ctx, double, r->k, r->q);
  const bool all =
      r->mean && r->u && r->s && r->vt && r->uty && r->residual0 && r->one_minus_h0 && r->residual && r->shrinkage;
  return all && r->shrunk_uty ? MN_OK : MN_NO_MEMORY;
}

/* z = sqrt(w) (X - mean), and r->residual0 the same for y. */
static void center_rows(struct problem *r, double *z)
{
  const mn_data *d = r->data;
  r->total = mn_total_weight(d);
  for (size_t i = 0; i < r->n; i++) {
    const double root = sqrt(mn_weight(d, i));
    for (size_t j = 0; j < r->p; j++) z[i * r->p + j] = root * (d->x.at[i * r->p + j] - r->mean[j]);
    for (size_t t = 0; t < r->q; t++) r->residual0[i * r->q + t] = root * (d->y.at[i * r->q + t] - r->mean[r->p + t]);
  }
}

/* Compute everything that does not depend on alpha. Singular values at rounding level are dropped. */
static mn_status decompose(mn_context *ctx, struct problem *r, bool centered)
{
  const size_t n = r->n, p = r->p, q = r->q, k = r->k;
  double *z = MN_RAW(ctx, double, n, p);
  MN_CHECK_ALLOC(z);
  if (centered) MN_TRY(mn_linear_means(ctx, r->data, r->mean, NULL));
  center_rows(r, z);
  MN_TRY(mn_svd(ctx, n, p, z, r->u, r->s, r->vt));
  const double rounding = DBL_EPSILON * (double)(n > p ? n : p) * r->s[0];
  while (r->rank < k && r->s[r->rank] > rounding) r->rank++;
  MN_TRY(mn_gemm(ctx, true, false, r->rank, q, n, 1, r->u, k, r->residual0, q, 0, r->uty, q));
  MN_TRY(mn_gemm(ctx, false, false, n, q, r->rank, -1, r->u, k, r->uty, q, 1, r->residual0, q));
  for (size_t i = 0; i < n; i++) {
    double h = centered ? mn_weight(r->data, i) / r->total : 0;
    for (size_t j = 0; j < r->rank; j++) h += r->u[i * k + j] * r->u[i * k + j];
    r->one_minus_h0[i] = fmax(1 - h, 0);
  }
  if (r->rank + centered < n) return MN_OK;
  /* U (and the intercept) span all rows, so E0 and a are 0; their rounding errors would matter for small alpha. */
  memset(r->residual0, 0, n * q * sizeof *r->residual0);
  memset(r->one_minus_h0, 0, n * sizeof *r->one_minus_h0);
  return MN_OK;
}

/* Minus the mean squared leave-one-out error. */
static mn_status leave_one_out(mn_context *ctx, struct problem *r, double alpha, double *score)
{
  const size_t n = r->n, q = r->q, k = r->k;
  for (size_t j = 0; j < r->rank; j++) {
    r->shrinkage[j] = alpha / (r->s[j] * r->s[j] + alpha);
    for (size_t t = 0; t < q; t++) r->shrunk_uty[j * q + t] = r->shrinkage[j] * r->uty[j * q + t];
  }
  memcpy(r->residual, r->residual0, n * q * sizeof *r->residual);
  MN_TRY(mn_gemm(ctx, false, false, n, q, r->rank, 1, r->u, k, r->shrunk_uty, q, 1, r->residual, q));
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    double one_minus_h = r->one_minus_h0[i];
    for (size_t j = 0; j < r->rank; j++) one_minus_h += r->shrinkage[j] * r->u[i * k + j] * r->u[i * k + j];
    const double share = fmin(1, 1 / mn_weight(r->data, i)), divisor = (1 - share) + share * one_minus_h;
    if (!(divisor > 0))
      return mn_fail(
          ctx, MN_BAD_DATA,
          "RidgeCV: row %zu has leverage 1, so the fit without it is undetermined; add rows or remove columns", i + 1);
    for (size_t t = 0; t < q; t++) {
      const double error = r->residual[i * q + t] / divisor;
      sum += error * error;
    }
  }
  *score = -sum / (r->total * (double)q);
  return MN_OK;
}

/* b = V diag(s / (s^2 + alpha)) U'y */
static mn_status solve(mn_context *ctx, struct problem *r, struct ridge_cv *m)
{
  const size_t p = r->p, q = r->q;
  MN_TRY(mn_linear_init(ctx, &m->linear, q, p));
  for (size_t j = 0; j < r->rank; j++)
    for (size_t t = 0; t < q; t++)
      r->shrunk_uty[j * q + t] = r->s[j] / (r->s[j] * r->s[j] + m->alpha) * r->uty[j * q + t];
  MN_TRY(mn_gemm(ctx, true, false, q, p, r->rank, 1, r->shrunk_uty, q, r->vt, p, 0, m->linear.coef.at, p));
  for (size_t t = 0; t < q; t++) {
    double intercept = r->mean[p + t];
    for (size_t j = 0; j < p; j++) intercept -= r->mean[j] * m->linear.coef.at[t * p + j];
    m->linear.intercept.at[t] = intercept;
  }
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  static const double default_alphas[] = { 0.1, 1, 10 };
  struct ridge_cv *m = self;
  const size_t n = data->rows, p = data->features;
  struct problem r = { .data = data, .n = n, .p = p, .q = data->y.cols, .k = n < p ? n : p };
  const size_t alphas = m->alphas.size > 0 ? m->alphas.size : sizeof default_alphas / sizeof *default_alphas;
  const double *alpha = m->alphas.size > 0 ? m->alphas.at : default_alphas;
  if (m->alphas.at && m->alphas.size == 0)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "RidgeCV: alphas must not be empty; nil stands for 0.1, 1 and 10");
  MN_TRY(mn_check_magnitudes(ctx, &m->linear.base, data));
  MN_TRY(make_problem(ctx, &r));
  MN_TRY(decompose(ctx, &r, m->fit_intercept));
  MN_TRY(mn_vector_init(ctx, &m->scores, alphas));
  for (size_t a = 0; a < alphas; a++) {
    MN_TRY(mn_poll(ctx));
    MN_TRY(leave_one_out(ctx, &r, alpha[a], &m->scores.at[a]));
    if (a > 0 && !(m->scores.at[a] > m->best_score)) continue;
    m->best_score = m->scores.at[a];
    m->alpha = alpha[a];
  }
  return solve(ctx, &r, m);
}

static const mn_param params[] = {
  MN_REALS(struct ridge_cv, alphas, MN_GREATER_THAN(0), "candidate L2 penalties; nil: 0.1, 1 and 10"),
  MN_FLAG(struct ridge_cv, fit_intercept, true, "fit an intercept, which is not penalized"),
  MN_END,
};

static const mn_field fields[] = {
  MN_NUMBER(struct ridge_cv, alpha, "selected penalty; ties are broken by the lowest index"),
  MN_NUMBER(struct ridge_cv, best_score, "minus the mean squared leave-one-out error at alpha"),
  MN_VECTOR(struct ridge_cv, scores, "alphas", "minus the mean squared leave-one-out error at each of alphas"),
  MN_LINEAR_FIELDS("targets"),
  MN_END,
};

const mn_class mn_ridge_cv = {
  .name = "RidgeCV",
  .family = "linear",
  .brief = "Ridge regression with alpha chosen by leave-one-out cross-validation.",
  .objective =
      "sum_i w_i |y_i - x_i b - c|^2 + alpha |b|^2, alpha minimizes sum_i w_i (y_i - yhat_i fitted without i)^2",
  .source = "Golub, Heath & Wahba, Technometrics 21 (1979); Allen, Technometrics 16 (1974)",
  .notes =
      "The leave-one-out errors are exact and computed in closed form, at the cost of one fit. A sample weight counts equal "
      "rows, of which one is left out; scikit-learn leaves out all of them and divides by the number of rows, not by the "
      "sum of the weights. All targets share one alpha. Scale the columns first if their units differ.",
  .example = "local model = ml.RidgeCV{ alphas = { 0.01, 0.1, 1 } }\n"
             "model:fit({ {1, 2}, {2, 1}, {3, 5}, {4, 4} }, { 1, 2, 3, 4 })\n"
             "print(model.alpha, model.best_score, model:predict{ {4, 5} })",
  .capabilities = MN_REGRESS,
  .accepts = MN_WEIGHTS | MN_MULTITARGET,
  .size = sizeof(struct ridge_cv),
  .params = params,
  .fields = fields,
  .operations = mn_coef_operations,
  .fit = fit,
  MN_LINEAR_PREDICTION,
};
