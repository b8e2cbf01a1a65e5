/* The dual of logistic regression with an elastic net penalty,
 *
 *     F(B, c) = C sum_i w_i loss(y_i, x_i B + c) + l1 |B|_1 + l2 / 2 |B|^2.
 *
 * For each row let q_i be probabilities of the classes, y_i those that are 1 for its own class, and
 * V = C sum_i w_i x_i (q_i - y_i)'. Whatever B is, F is no less than
 *
 *     -C sum_i w_i sum_t q_it log q_it - sum_jt (|V_jt| - l1)_+^2 / (2 l2),    sum_i w_i (q_i - y_i) = 0 with a
 * constant,
 *
 * where without l2 no |V_jt| may be above l1. At the minimum q are the model's probabilities, and both are equal. Near
 * it they are a start: the constants are made best for B first; what the sums then still lack is spread over the rows,
 * with a share of the classes' frequencies, which keeps every q at 0 or above; and q is drawn to y until V fits.
 *
 * Ndiaye, Fercoq, Gramfort & Salmon, JMLR 18 (2017), section 3, for dual points that are residuals made to fit. */
#include "logistic_gap.h"
#include "../linalg/csr.h"
#include "../linalg/lapack.h"
#include "../linalg/product.h"
#include "logistic_kernel.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { NEWTONS = 10 };

struct dual {
  const mn_logistic_cd *o;
  size_t n, p, k;  /* k: classes; of two the score of the first is 0                  */
  double total;    /* sum of the weights                                              */
  double *score;   /* n x k                                                           */
  double *away;    /* n x k: w (q - y)                                                */
  double *image;   /* p x k: sum_i w_i x_i (q_i - y_i)'                               */
  double *lacking; /* k: sum_i w_i (q_i - y_i)                                        */
  double *shift;   /* k: what makes the constants best                                */
};

static mn_status make(mn_context *ctx, const mn_logistic_cd *o, struct dual *s)
{
  const size_t n = o->data->rows, p = o->data->features, k = o->decisions > 1 ? o->decisions : 2;
  *s = (struct dual){ .o = o, .n = n, .p = p, .k = k };
  s->score = MN_RAW(ctx, double, n, k);
  s->away = MN_RAW(ctx, double, n, k);
  s->image = MN_RAW(ctx, double, p, k);
  s->lacking = MN_NEW(ctx, double, k, 2);
  if (!s->score || !s->away || !s->image || !s->lacking) return MN_NO_MEMORY;
  s->shift = s->lacking + k;
  s->total = mn_total_weight(o->data);
  return MN_OK;
}

static mn_status find_scores(mn_context *ctx, struct dual *s, const double *b, const double *c)
{
  const mn_data *d = s->o->data;
  const size_t first = s->k - s->o->decisions;
  double *turned = MN_NEW(ctx, double, s->p, s->k);
  MN_CHECK_ALLOC(turned);
  for (size_t t = first; t < s->k; t++)
    for (size_t j = 0; j < s->p; j++) turned[j * s->k + t] = b[(t - first) * s->p + j];
  if (d->sparse)
    MN_TRY(mn_csr_multiply(ctx, d->sparse, s->k, turned, s->score));
  else
    MN_TRY(mn_gemm(ctx, false, false, s->n, s->k, s->p, 1, d->x.at, s->p, turned, s->k, 0, s->score, s->k));
  for (size_t i = 0; i < s->n; i++)
    for (size_t t = first; t < s->k; t++) s->score[i * s->k + t] += c[t - first];
  return MN_OK;
}

/* The loss with the shift on the constants, w (p - y), and the sums of that. */
static double lose(struct dual *s)
{
  for (size_t i = 0; i < s->n; i++)
    for (size_t t = 0; t < s->k; t++) s->away[i * s->k + t] = s->score[i * s->k + t] + s->shift[t];
  const double loss = mn_softmax_loss(s->n, s->k, s->k, s->away, s->o->data->code, s->o->data->weights);
  memset(s->lacking, 0, s->k * sizeof *s->lacking);
  for (size_t i = 0; i < s->n; i++)
    for (size_t t = 0; t < s->k; t++) s->lacking[t] += s->away[i * s->k + t];
  return loss;
}

static double largest_of(const struct dual *s)
{
  double largest = 0;
  for (size_t t = 0; t < s->k; t++) largest = fmax(largest, fabs(s->lacking[t]));
  return largest;
}

/* The second derivative of the loss by the constants; the direction that moves all alike gets a curvature of its own.
 */
static void constant_hessian(const struct dual *s, double *h)
{
  const size_t k = s->k;
  double hold = 0;
  memset(h, 0, k * k * sizeof *h);
  for (size_t i = 0; i < s->n; i++) {
    const double w = mn_weight(s->o->data, i);
    for (size_t t = 0; t < k && w > 0; t++) {
      const size_t own = (size_t)s->o->data->code[i];
      const double p = s->away[i * k + t] / w + (t == own ? 1 : 0);
      h[t * k + t] += w * p;
      for (size_t u = 0; u < k; u++) h[t * k + u] -= w * p * (s->away[i * k + u] / w + (u == own ? 1 : 0));
    }
  }
  for (size_t t = 0; t < k; t++) hold = fmax(hold, h[t * k + t]);
  for (size_t t = 0; t < k * k; t++) h[t] += hold > 0 ? hold : 1;
}

/* The constants that are best with the weights as they are, by Newton's method from near. */
static mn_status shift_constants(mn_context *ctx, struct dual *s)
{
  static const double enough = 1e-15;
  const size_t k = s->k;
  double *h = MN_RAW(ctx, double, k, k), *step = MN_RAW(ctx, double, k, 1);
  size_t minor;
  if (!h || !step) return MN_NO_MEMORY;
  for (int round = 0; round < NEWTONS; round++) {
    const double before = largest_of(s);
    if (before <= enough * s->total) break;
    constant_hessian(s, h);
    memcpy(step, s->lacking, k * sizeof *step);
    MN_TRY(mn_chol_try(ctx, k, h, NULL, &minor));
    if (minor > 0) break;
    MN_TRY(mn_chol_apply(ctx, k, 1, h, step));
    for (size_t t = 0; t < k; t++) s->shift[t] -= step[t];
    (void)lose(s);
    if (largest_of(s) < before) continue;
    for (size_t t = 0; t < k; t++) s->shift[t] += step[t];
    (void)lose(s);
    break;
  }
  return MN_OK;
}

/* The sums to 0. */
static mn_status meet_constants(mn_context *ctx, struct dual *s)
{
  const size_t k = s->k;
  double *often = MN_NEW(ctx, double, k, 1), mixed = 0;
  MN_CHECK_ALLOC(often);
  for (size_t i = 0; i < s->n; i++) often[s->o->data->code[i]] += mn_weight(s->o->data, i) / s->total;
  for (size_t t = 0; t < k; t++) {
    const double off = fmax(s->lacking[t] / s->total, 0);
    if (off > 0) mixed = fmax(mixed, off / (often[t] + off));
  }
  for (size_t i = 0; i < s->n; i++) {
    const double w = mn_weight(s->o->data, i);
    for (size_t t = 0; t < k; t++) {
      const double own = t == (size_t)s->o->data->code[i] ? 1 : 0;
      double *at = s->away + i * k + t;
      *at = (1 - mixed) * (*at - w * s->lacking[t] / s->total) + mixed * w * (often[t] - own);
    }
  }
  return MN_OK;
}

/* V / C. With a constant X may be about its means, which loses less to rounding. */
static mn_status find_image(mn_context *ctx, struct dual *s)
{
  const mn_data *d = s->o->data;
  const size_t k = s->k;
  double *mean = MN_NEW(ctx, double, s->p, 1);
  MN_CHECK_ALLOC(mean);
  if (d->sparse)
    MN_TRY(mn_csr_multiply_transposed(ctx, d->sparse, k, s->away, s->image));
  else
    MN_TRY(mn_gemm(ctx, true, false, s->p, k, s->n, 1, d->x.at, s->p, s->away, k, 0, s->image, k));
  if (!s->o->fit_intercept) return MN_OK;
  memset(s->lacking, 0, k * sizeof *s->lacking);
  for (size_t i = 0; i < s->n; i++) {
    const double w = mn_weight(d, i) / s->total;
    for (size_t t = 0; t < k; t++) s->lacking[t] += s->away[i * k + t];
    for (size_t j = 0; j < s->p && !d->sparse; j++) mean[j] += w * mn_row(&d->x, i)[j];
    for (size_t e = d->sparse ? d->sparse->start[i] : 0; d->sparse && e < d->sparse->start[i + 1]; e++)
      mean[d->sparse->col[e]] += w * d->sparse->at[e];
  }
  for (size_t j = 0; j < s->p; j++)
    for (size_t t = 0; t < k; t++) s->image[j * k + t] -= mean[j] * s->lacking[t];
  return MN_OK;
}

/* The dual at y + share (q - y); -infinity where V does not fit. */
static double dual_at(const struct dual *s, double share)
{
  const mn_logistic_cd *o = s->o;
  double loss = 0, over = 0;
  for (size_t i = 0; i < s->n; i++) {
    const double w = mn_weight(o->data, i);
    double entropy = 0;
    for (size_t t = 0; t < s->k && w > 0; t++) {
      const double q = share * s->away[i * s->k + t] / w + (t == (size_t)o->data->code[i] ? 1 : 0);
      if (q > 0) entropy -= q * log(q);
    }
    loss += w * entropy;
  }
  for (size_t j = 0; j < s->p; j++)
    for (size_t t = s->k - o->decisions; t < s->k; t++) {
      const double beyond = share * o->C * fabs(s->image[j * s->k + t]) - o->l1;
      if (beyond > 0) over += beyond * beyond;
    }
  if (!(o->l2 > 0)) return o->C * loss; /* share is small enough then */
  return o->C * loss - over / (2 * o->l2);
}

/* The largest share at which V, less `ridge` times the weights, is within l1; 1 at most. */
static double fitting_share(const struct dual *s, const double *b, double ridge)
{
  const size_t first = s->k - s->o->decisions;
  double largest = 0;
  for (size_t j = 0; j < s->p; j++)
    for (size_t t = first; t < s->k; t++)
      largest = fmax(largest, fabs(s->o->C * s->image[j * s->k + t] + ridge * b[(t - first) * s->p + j]));
  return largest > s->o->l1 ? s->o->l1 / largest * (1 - DBL_EPSILON) : 1;
}

static double penalty_of(const mn_logistic_cd *o, const double *b)
{
  double sum = 0;
  for (size_t j = 0; j < o->decisions * o->data->features; j++) sum += o->l1 * fabs(b[j]) + o->l2 / 2 * b[j] * b[j];
  return sum;
}

mn_status mn_logistic_gap(mn_context *ctx, const mn_logistic_cd *o, const double *b, const double *c, double *gap)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct dual s;
  *gap = (double)NAN;
  if (!(o->l1 > 0)) return MN_OK;
  MN_TRY(make(ctx, o, &s));
  MN_TRY(find_scores(ctx, &s, b, c));
  const double value = o->C * lose(&s) + penalty_of(o, b);
  if (o->fit_intercept) {
    MN_TRY(shift_constants(ctx, &s));
    MN_TRY(meet_constants(ctx, &s));
  }
  MN_TRY(find_image(ctx, &s));
  double highest = dual_at(&s, fitting_share(&s, b, 0));
  if (o->l2 > 0) highest = fmax(highest, fmax(dual_at(&s, 1), dual_at(&s, fitting_share(&s, b, o->l2))));
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
  const mn_logistic_cd problem = { .data = &data,
                                   .C = 1 / mn_total_weight(d->data),
                                   .l1 = d->l1,
                                   .l2 = d->l2,
                                   .fit_intercept = d->fit_intercept,
                                   .decisions = 1 };
  MN_TRY(mn_logistic_gap(ctx, &problem, b, &c, gap));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
