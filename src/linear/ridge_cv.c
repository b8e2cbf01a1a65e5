/* Ridge regression with the penalty chosen by leave-one-out cross-validation. For each alpha of a list minimise
 *
 *     sum_i w_i |y_i - x_i b - c|^2 + alpha |b|^2
 *
 * and keep the alpha with the least squared error of rows that the fit did not see. No fit is repeated: with
 * sqrt(w) (X - mean) = U diag(s) V' the residuals E (times sqrt(w)) and what a row leaves to the others are
 *
 *     E_i = E0_i + sum_j g_j U_ij (U'y)_j,    1 - h_i = a_i + sum_j g_j U_ij^2,    g_j = alpha / (s_j^2 + alpha),
 *
 * where E0 = y - U U'y and a_i = 1 - w_i / sum w - sum_j U_ij^2 do not depend on alpha (nor is anything small found as
 * the difference of large numbers as alpha tends to 0). A weight counts equal rows of which one is left out, so the
 * residual grows by 1 / (1 - h_i min(1, 1 / w_i)): a weight below 1 leaves as a whole.
 *
 * Allen, Technometrics 16 (1974); Golub, Heath & Wahba, Technometrics 21 (1979), section 2; Rifkin & Lippert, MIT
 * CSAIL TR 2007-025, section 2. */
#include "../linalg/lapack.h"
#include "../linalg/product.h"
#include "linear.h"
#include "coef_summary.h"
#include <string.h>

struct ridge_cv {
  mn_linear linear;
  mn_vector alphas; /* what the user sets  */
  bool fit_intercept;
  double alpha, best_score; /* what fitting learns */
  mn_vector scores;
};

struct problem {
  const mn_data *data;
  size_t n, p, q, k, rank; /* k = min(n, p) */
  double total;            /* sum of the weights             */
  double *mean;            /* p + q, 0 without an intercept  */
  double *u, *s, *vt;      /* n x k, k, k x p                */
  double *along;           /* k x q: U'y                     */
  double *outside;         /* n x q: E0                      */
  double *away;            /* n: a                           */
  double *residual;        /* n x q, of the alpha at hand    */
  double *gap, *shrunk;    /* k: g; k x q: g U'y             */
};

static mn_status make_problem(mn_context *ctx, struct problem *r)
{
  r->mean = MN_NEW(ctx, double, r->p + r->q, 1);
  r->u = MN_RAW(ctx, double, r->n, r->k);
  r->s = MN_RAW(ctx, double, r->k, 1);
  r->vt = MN_RAW(ctx, double, r->k, r->p);
  r->along = MN_RAW(ctx, double, r->k, r->q);
  r->outside = MN_RAW(ctx, double, r->n, r->q);
  r->away = MN_RAW(ctx, double, r->n, 1);
  r->residual = MN_RAW(ctx, double, r->n, r->q);
  r->gap = MN_RAW(ctx, double, r->k, 1);
  r->shrunk = MN_RAW(ctx, double, r->k, r->q);
  const bool all = r->mean && r->u && r->s && r->vt && r->along && r->outside && r->away && r->residual && r->gap;
  return all && r->shrunk ? MN_OK : MN_NO_MEMORY;
}

/* sqrt(w) (x - mean) into z, the same of y into r->outside. */
static void center_rows(struct problem *r, double *z)
{
  const mn_data *d = r->data;
  for (size_t i = 0; i < r->n; i++) {
    const double root = sqrt(mn_weight(d, i));
    r->total += mn_weight(d, i);
    for (size_t j = 0; j < r->p; j++) z[i * r->p + j] = root * (d->x.at[i * r->p + j] - r->mean[j]);
    for (size_t t = 0; t < r->q; t++) r->outside[i * r->q + t] = root * (d->y.at[i * r->q + t] - r->mean[r->p + t]);
  }
}

/* All that does not depend on alpha. Singular values that are mere rounding are no directions of X. */
static mn_status decompose(mn_context *ctx, struct problem *r, bool centered)
{
  const size_t n = r->n, p = r->p, q = r->q, k = r->k;
  double *z = MN_RAW(ctx, double, n, p);
  MN_CHECK_ALLOC(z);
  if (centered) mn_linear_means(r->data, r->mean);
  center_rows(r, z);
  MN_TRY(mn_svd(ctx, n, p, z, r->u, r->s, r->vt));
  const double rounding = DBL_EPSILON * (double)(n > p ? n : p) * r->s[0];
  while (r->rank < k && r->s[r->rank] > rounding) r->rank++;
  MN_TRY(mn_gemm(ctx, true, false, r->rank, q, n, 1, r->u, k, r->outside, q, 0, r->along, q));
  MN_TRY(mn_gemm(ctx, false, false, n, q, r->rank, -1, r->u, k, r->along, q, 1, r->outside, q));
  for (size_t i = 0; i < n; i++) {
    double inside = centered ? mn_weight(r->data, i) / r->total : 0;
    for (size_t j = 0; j < r->rank; j++) inside += r->u[i * k + j] * r->u[i * k + j];
    r->away[i] = fmax(1 - inside, 0);
  }
  if (r->rank + centered < n) return MN_OK;
  /* U (and the constant) span all rows: what is outside would be rounding, and weigh much when alpha is small. */
  memset(r->outside, 0, n * q * sizeof *r->outside);
  memset(r->away, 0, n * sizeof *r->away);
  return MN_OK;
}

/* Minus the mean squared error of rows left out. */
static mn_status leave_one_out(mn_context *ctx, struct problem *r, double alpha, double *score)
{
  const size_t n = r->n, q = r->q, k = r->k;
  for (size_t j = 0; j < r->rank; j++) {
    r->gap[j] = alpha / (r->s[j] * r->s[j] + alpha);
    for (size_t t = 0; t < q; t++) r->shrunk[j * q + t] = r->gap[j] * r->along[j * q + t];
  }
  memcpy(r->residual, r->outside, n * q * sizeof *r->residual);
  MN_TRY(mn_gemm(ctx, false, false, n, q, r->rank, 1, r->u, k, r->shrunk, q, 1, r->residual, q));
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    double left = r->away[i]; /* 1 - h */
    for (size_t j = 0; j < r->rank; j++) left += r->gap[j] * r->u[i * k + j] * r->u[i * k + j];
    const double share = fmin(1, 1 / mn_weight(r->data, i)), divisor = (1 - share) + share * left;
    if (!(divisor > 0))
      return mn_fail(ctx, MN_BAD_DATA, "RidgeCV: X must have rows to fit when one is left out, got none beside row %zu",
                     i + 1);
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
      r->shrunk[j * q + t] = r->s[j] / (r->s[j] * r->s[j] + m->alpha) * r->along[j * q + t];
  MN_TRY(mn_gemm(ctx, true, false, q, p, r->rank, 1, r->shrunk, q, r->vt, p, 0, m->linear.coef.at, p));
  for (size_t t = 0; t < q; t++) {
    double constant = r->mean[p + t];
    for (size_t j = 0; j < p; j++) constant -= r->mean[j] * m->linear.coef.at[t * p + j];
    m->linear.intercept.at[t] = constant;
  }
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  static const double usual[] = { 0.1, 1, 10 };
  struct ridge_cv *m = self;
  const size_t n = data->rows, p = data->features;
  struct problem r = { .data = data, .n = n, .p = p, .q = data->y.cols, .k = n < p ? n : p };
  const size_t alphas = m->alphas.size > 0 ? m->alphas.size : sizeof usual / sizeof *usual;
  const double *alpha = m->alphas.size > 0 ? m->alphas.at : usual;
  if (m->alphas.at && m->alphas.size == 0)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "RidgeCV: alphas must hold at least one value, got none");
  MN_TRY(mn_need_squares(ctx, &m->linear.base, data));
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
  MN_REALS(struct ridge_cv, alphas, MN_GREATER_THAN(0), "penalties to choose from; nil: 0.1, 1 and 10"),
  MN_FLAG(struct ridge_cv, fit_intercept, true, "learn a constant term, never penalised"),
  MN_END,
};

static const mn_field fields[] = {
  MN_NUMBER(struct ridge_cv, alpha, "the chosen penalty; the first of equals"),
  MN_NUMBER(struct ridge_cv, best_score, "minus the mean squared leave-one-out error of it"),
  MN_VECTOR(struct ridge_cv, scores, "alphas", "the same for each of alphas"),
  MN_LINEAR_FIELDS("targets"),
  MN_END,
};

const mn_class mn_ridge_cv = {
  .name = "RidgeCV",
  .family = "linear",
  .brief = "Ridge regression, its penalty chosen by leave-one-out cross-validation at the price of one fit.",
  .objective = "sum_i w_i |y_i - x_i b - c|^2 + alpha |b|^2, with alpha of least sum_i w_i (y_i - yhat without i)^2",
  .source = "Golub, Heath & Wahba, Technometrics 21 (1979); Allen, Technometrics 16 (1974)",
  .notes =
      "The errors are those of leaving out each row and fitting again, in closed form. A weight counts equal rows, "
      "of which one is left out; scikit-learn leaves out all of them, and divides by the number of rows, not by "
      "the sum of the weights. All targets share one alpha. Scale the columns first where their units differ.",
  .example = "local model = ml.RidgeCV{ alphas = { 0.01, 0.1, 1 } }\n"
             "model:fit({ {1, 2}, {2, 1}, {3, 5}, {4, 4} }, { 1, 2, 3, 4 })\n"
             "print(model.alpha, model.best_score, model:predict{ {4, 5} })",
  .capabilities = MN_REGRESS,
  .accepts = MN_WEIGHTS | MN_MULTITARGET,
  .size = sizeof(struct ridge_cv),
  .params = params,
  .fields = fields,
  .operations = mn_weights_operations,
  .fit = fit,
  .predict = mn_linear_predict,
  .export = mn_linear_export,
};
