/* The dual of logistic regression with an elastic net penalty,
 *
 *     F(B, c) = C sum_i w_i loss(y_i, x_i B + c) + l1 |B|_1 + l2 / 2 |B|^2.
 *
 * For each row let q_i be class probabilities, y_i the indicator of its own class, and V = C sum_i w_i x_i (q_i -
 * y_i)'. For any B, F is at least
 *
 *     -C sum_i w_i sum_t q_it log q_it - sum_jt (|V_jt| - l1)_+^2 / (2 l2),    sum_i w_i (q_i - y_i) = 0 with an
 * intercept,
 *
 * where without l2 no |V_jt| may exceed l1. At the minimum the optimal q are the model's probabilities and both sides
 * are equal. Near it the dual point is built from the probabilities: the intercepts are first optimized for B; what the
 * sums still lack is spread over the rows and mixed with the class frequencies, which keeps every q nonnegative; then q
 * is moved towards y until V is feasible.
 *
 * Ndiaye, Fercoq, Gramfort & Salmon, JMLR 18 (2017), section 3, for dual points from rescaled residuals. */
#include "logistic_gap.h"
#include "../linalg/csr.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "logistic_kernel.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_NEWTON_STEPS = 10 };

struct dual_point {
  const mn_logistic_problem *o;
  size_t n, p, k;     /* k: classes; with two, the score of the first is 0 */
  double total;       /* sum of the weights */
  double *score;      /* n x k                                                           */
  double *dual;       /* n x k: w (q - y) */
  double *dual_image; /* p x k: sum_i w_i x_i (q_i - y_i)'                               */
  double *class_sum;  /* k: sum_i w_i (q_i - y_i)                                        */
  double *shift;      /* k: shift that makes the intercepts optimal */
};

static mn_status alloc_workspace(mn_context *ctx, const mn_logistic_problem *o, struct dual_point *s)
{
  const size_t n = o->data->rows, p = o->data->features, k = o->decisions > 1 ? o->decisions : 2;
  *s = (struct dual_point){ .o = o, .n = n, .p = p, .k = k };
  s->score = MN_RAW(ctx, double, n, k);
  s->dual = MN_RAW(ctx, double, n, k);
  s->dual_image = MN_RAW(ctx, double, p, k);
  s->class_sum = MN_NEW(ctx, double, k, 2);
  if (!s->score || !s->dual || !s->dual_image || !s->class_sum) return MN_NO_MEMORY;
  s->shift = s->class_sum + k;
  s->total = mn_total_weight(o->data);
  return MN_OK;
}

static mn_status compute_scores(mn_context *ctx, struct dual_point *s, const double *b, const double *c)
{
  const mn_data *d = s->o->data;
  const size_t first = s->k - s->o->decisions;
  double *transposed = MN_NEW(ctx, double, s->p, s->k);
  MN_CHECK_ALLOC(transposed);
  for (size_t t = first; t < s->k; t++)
    for (size_t j = 0; j < s->p; j++) transposed[j * s->k + t] = b[(t - first) * s->p + j];
  if (d->sparse)
    MN_TRY(mn_csr_multiply(ctx, d->sparse, s->k, transposed, s->score));
  else
    MN_TRY(mn_gemm(ctx, false, false, s->n, s->k, s->p, 1, d->x.at, s->p, transposed, s->k, 0, s->score, s->k));
  for (size_t i = 0; i < s->n; i++)
    for (size_t t = first; t < s->k; t++) s->score[i * s->k + t] += c[t - first];
  return MN_OK;
}

/* Loss with the shifted intercepts; sets w (p - y) and its sums. */
static double compute_loss(struct dual_point *s)
{
  for (size_t i = 0; i < s->n; i++)
    for (size_t t = 0; t < s->k; t++) s->dual[i * s->k + t] = s->score[i * s->k + t] + s->shift[t];
  const double loss = mn_softmax_loss(s->n, s->k, s->k, s->dual, s->o->data->code, s->o->data->weights);
  memset(s->class_sum, 0, s->k * sizeof *s->class_sum);
  for (size_t i = 0; i < s->n; i++)
    for (size_t t = 0; t < s->k; t++) s->class_sum[t] += s->dual[i * s->k + t];
  return loss;
}

static double max_class_sum(const struct dual_point *s)
{
  double largest = 0;
  for (size_t t = 0; t < s->k; t++) largest = fmax(largest, fabs(s->class_sum[t]));
  return largest;
}

/* Hessian of the loss by the intercepts; the direction that shifts all of them equally gets curvature of its own. */
static void intercept_hessian(const struct dual_point *s, double *h)
{
  const size_t k = s->k;
  double max_curvature = 0;
  memset(h, 0, k * k * sizeof *h);
  for (size_t i = 0; i < s->n; i++) {
    const double w = mn_weight(s->o->data, i);
    for (size_t t = 0; t < k && w > 0; t++) {
      const size_t own = (size_t)s->o->data->code[i];
      const double p = s->dual[i * k + t] / w + (t == own ? 1 : 0);
      h[t * k + t] += w * p;
      for (size_t u = 0; u < k; u++) h[t * k + u] -= w * p * (s->dual[i * k + u] / w + (u == own ? 1 : 0));
    }
  }
  for (size_t t = 0; t < k; t++) max_curvature = fmax(max_curvature, h[t * k + t]);
  for (size_t t = 0; t < k * k; t++) h[t] += max_curvature > 0 ? max_curvature : 1;
}

/* Optimize the intercepts for fixed coefficients by Newton's method. */
static mn_status optimize_intercepts(mn_context *ctx, struct dual_point *s)
{
  static const double tolerance = 1e-15;
  const size_t k = s->k;
  double *h = MN_RAW(ctx, double, k, k), *step = MN_RAW(ctx, double, k, 1);
  size_t minor;
  if (!h || !step) return MN_NO_MEMORY;
  for (int round = 0; round < MAX_NEWTON_STEPS; round++) {
    const double before = max_class_sum(s);
    if (before <= tolerance * s->total) break;
    intercept_hessian(s, h);
    memcpy(step, s->class_sum, k * sizeof *step);
    MN_TRY(mn_chol_try(ctx, k, h, NULL, &minor));
    if (minor > 0) break;
    MN_TRY(mn_chol_apply(ctx, k, 1, h, step));
    for (size_t t = 0; t < k; t++) s->shift[t] -= step[t];
    (void)compute_loss(s);
    if (max_class_sum(s) < before) continue;
    for (size_t t = 0; t < k; t++) s->shift[t] += step[t];
    (void)compute_loss(s);
    break;
  }
  return MN_OK;
}

/* Make the sums 0. */
static mn_status satisfy_constraints(mn_context *ctx, struct dual_point *s)
{
  const size_t k = s->k;
  double *frequency = MN_NEW(ctx, double, k, 1), mixing = 0;
  MN_CHECK_ALLOC(frequency);
  for (size_t i = 0; i < s->n; i++) frequency[s->o->data->code[i]] += mn_weight(s->o->data, i) / s->total;
  for (size_t t = 0; t < k; t++) {
    const double excess = fmax(s->class_sum[t] / s->total, 0);
    if (excess > 0) mixing = fmax(mixing, excess / (frequency[t] + excess));
  }
  for (size_t i = 0; i < s->n; i++) {
    const double w = mn_weight(s->o->data, i);
    for (size_t t = 0; t < k; t++) {
      const double own = t == (size_t)s->o->data->code[i] ? 1 : 0;
      double *at = s->dual + i * k + t;
      *at = (1 - mixing) * (*at - w * s->class_sum[t] / s->total) + mixing * w * (frequency[t] - own);
    }
  }
  return MN_OK;
}

/* V / C. With an intercept X may be centered, which loses less to rounding. */
static mn_status compute_image(mn_context *ctx, struct dual_point *s)
{
  const mn_data *d = s->o->data;
  const size_t k = s->k;
  double *mean = MN_NEW(ctx, double, s->p, 1);
  MN_CHECK_ALLOC(mean);
  if (d->sparse)
    MN_TRY(mn_csr_multiply_transposed(ctx, d->sparse, k, s->dual, s->dual_image));
  else
    MN_TRY(mn_gemm(ctx, true, false, s->p, k, s->n, 1, d->x.at, s->p, s->dual, k, 0, s->dual_image, k));
  if (!s->o->fit_intercept) return MN_OK;
  memset(s->class_sum, 0, k * sizeof *s->class_sum);
  for (size_t i = 0; i < s->n; i++) {
    const double w = mn_weight(d, i) / s->total;
    for (size_t t = 0; t < k; t++) s->class_sum[t] += s->dual[i * k + t];
    for (size_t j = 0; j < s->p && !d->sparse; j++) mean[j] += w * mn_row(&d->x, i)[j];
    for (size_t e = d->sparse ? d->sparse->start[i] : 0; d->sparse && e < d->sparse->start[i + 1]; e++)
      mean[d->sparse->col[e]] += w * d->sparse->at[e];
  }
  for (size_t j = 0; j < s->p; j++)
    for (size_t t = 0; t < k; t++) s->dual_image[j * k + t] -= mean[j] * s->class_sum[t];
  return MN_OK;
}

/* The dual at y + share (q - y); the caller ensures feasibility where there is no l2. */
static double dual_value(const struct dual_point *s, double share)
{
  const mn_logistic_problem *o = s->o;
  double loss = 0, excess = 0;
  for (size_t i = 0; i < s->n; i++) {
    const double w = mn_weight(o->data, i);
    double entropy = 0;
    for (size_t t = 0; t < s->k && w > 0; t++) {
      const double q = share * s->dual[i * s->k + t] / w + (t == (size_t)o->data->code[i] ? 1 : 0);
      if (q > 0) entropy -= q * log(q);
    }
    loss += w * entropy;
  }
  for (size_t j = 0; j < s->p; j++)
    for (size_t t = s->k - o->decisions; t < s->k; t++) {
      const double beyond = share * o->C * fabs(s->dual_image[j * s->k + t]) - o->l1;
      if (beyond > 0) excess += beyond * beyond;
    }
  if (!(o->l2 > 0)) return o->C * loss; /* feasible by the choice of share */
  return o->C * loss - excess / (2 * o->l2);
}

/* Largest share, at most 1, at which V minus `ridge` times the coefficients is within l1. */
static double feasible_share(const struct dual_point *s, const double *b, double ridge)
{
  const size_t first = s->k - s->o->decisions;
  double largest = 0;
  for (size_t j = 0; j < s->p; j++)
    for (size_t t = first; t < s->k; t++)
      largest = fmax(largest, fabs(s->o->C * s->dual_image[j * s->k + t] + ridge * b[(t - first) * s->p + j]));
  return largest > s->o->l1 ? s->o->l1 / largest * (1 - DBL_EPSILON) : 1;
}

static double penalty_at(const mn_logistic_problem *o, const double *b)
{
  double sum = 0;
  for (size_t j = 0; j < o->decisions * o->data->features; j++) sum += o->l1 * fabs(b[j]) + o->l2 / 2 * b[j] * b[j];
  return sum;
}

mn_status mn_logistic_gap(mn_context *ctx, const mn_logistic_problem *o, const double *b, const double *c, double *gap)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct dual_point s;
  *gap = (double)NAN;
  if (!(o->l1 > 0)) return MN_OK;
  MN_TRY(alloc_workspace(ctx, o, &s));
  MN_TRY(compute_scores(ctx, &s, b, c));
  const double value = o->C * compute_loss(&s) + penalty_at(o, b);
  if (o->fit_intercept) {
    MN_TRY(optimize_intercepts(ctx, &s));
    MN_TRY(satisfy_constraints(ctx, &s));
  }
  MN_TRY(compute_image(ctx, &s));
  double highest = dual_value(&s, feasible_share(&s, b, 0));
  if (o->l2 > 0) highest = fmax(highest, fmax(dual_value(&s, 1), dual_value(&s, feasible_share(&s, b, o->l2))));
  *gap = fmax(value - highest, 0);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_logistic_gap_of_score(mn_context *ctx, const mn_descent *d, const double *b, double c, double *gap)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  int32_t *code = MN_RAW(ctx, int32_t, d->n, 1);
  mn_data data = *d->data;
  MN_CHECK_ALLOC(code);
  for (size_t i = 0; i < d->n; i++) code[i] = d->y[i] > 0;
  data.code = code;
  const mn_logistic_problem problem = { .data = &data,
                                        .C = 1 / mn_total_weight(d->data),
                                        .l1 = d->l1,
                                        .l2 = d->l2,
                                        .fit_intercept = d->fit_intercept,
                                        .decisions = 1 };
  MN_TRY(mn_logistic_gap(ctx, &problem, b, &c, gap));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
