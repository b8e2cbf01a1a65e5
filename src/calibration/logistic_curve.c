#include "logistic_curve.h"
#include "../stats/special.h"
#include <math.h>

enum { MAX_ROUNDS = 100, MAX_HALVINGS = 40, SIZE = MN_CURVE_TERMS + 1 };
static const double smallest_decrease = 1e-15; /* of the loss, relative to the total weight */

void mn_count_codes(const mn_data *data, double count[2])
{
  count[0] = count[1] = 0;
  for (size_t i = 0; i < data->rows; i++) count[data->code[i] > 0] += mn_weight(data, i);
}

void mn_log_sigmoid(double z, double log_p[2])
{
  const double tail = log1p(exp(-fabs(z)));
  log_p[0] = (-z < 0 ? -z : 0) - tail;
  log_p[1] = (z < 0 ? z : 0) - tail;
}

/* The curve with terms in units of their largest deviation from their mean; constant terms are 0. */
struct problem {
  mn_logistic_curve curve;
  double mean[MN_CURVE_TERMS], scale[MN_CURVE_TERMS], total;
};

static mn_status scale_terms(mn_context *ctx, const mn_logistic_curve *curve, struct problem *q)
{
  const size_t n = curve->n, d = curve->terms;
  double *term = MN_RAW(ctx, double, n, d);
  MN_CHECK_ALLOC(term);
  *q = (struct problem){ .curve = *curve };
  q->curve.term = term;
  for (size_t i = 0; i < n; i++) q->total += curve->weights ? curve->weights[i] : 1;
  for (size_t j = 0; j < d; j++) {
    for (size_t i = 0; i < n; i++)
      q->mean[j] += (curve->weights ? curve->weights[i] : 1) / q->total * curve->term[i * d + j];
    for (size_t i = 0; i < n; i++) q->scale[j] = fmax(q->scale[j], fabs(curve->term[i * d + j] - q->mean[j]));
    if (!(q->scale[j] > 1e-14 * fabs(q->mean[j]))) q->scale[j] = 0;
    for (size_t i = 0; i < n; i++)
      term[i * d + j] = q->scale[j] > 0 ? (curve->term[i * d + j] - q->mean[j]) / q->scale[j] : 0;
  }
  return MN_OK;
}

static double score_of(const mn_logistic_curve *c, size_t i, const double *coef)
{
  double z = coef[c->terms];
  for (size_t j = 0; j < c->terms; j++) z += coef[j] * c->term[i * c->terms + j];
  return z;
}

static double loss_at(const mn_logistic_curve *c, const double *coef)
{
  double sum = 0;
  for (size_t i = 0; i < c->n; i++) {
    const double z = score_of(c, i, coef);
    sum += (c->weights ? c->weights[i] : 1) * ((z > 0 ? z : 0) + log1p(exp(-fabs(z))) - c->target[i] * z);
  }
  for (size_t j = 0; j < c->terms; j++) sum += c->penalty / 2 * coef[j] * coef[j];
  return sum;
}

/* The gradient and the lower half of the Hessian. A term that is always 0 gets a unit curvature. */
static void derivatives(const struct problem *q, const double *coef, double *g, double h[SIZE][SIZE])
{
  const mn_logistic_curve *c = &q->curve;
  const size_t size = c->terms + 1;
  for (size_t a = 0; a < size; a++) {
    g[a] = a < c->terms ? c->penalty * coef[a] : 0;
    for (size_t b = 0; b <= a; b++) h[a][b] = a == b && a < c->terms ? c->penalty + (q->scale[a] > 0 ? 0 : 1) : 0;
  }
  for (size_t i = 0; i < c->n; i++) {
    const double w = c->weights ? c->weights[i] : 1, z = score_of(c, i, coef), p = mn_logistic(z);
    const double off = w * (p - c->target[i]), curvature = w * mn_logistic_slope(z);
    double term[SIZE];
    for (size_t a = 0; a < size; a++) term[a] = a < c->terms ? c->term[i * c->terms + a] : 1;
    for (size_t a = 0; a < size; a++) {
      g[a] += off * term[a];
      for (size_t b = 0; b <= a; b++) h[a][b] += curvature * term[a] * term[b];
    }
  }
}

/* step = H^-1 g by Cholesky's factorization in place; pivots that vanish are replaced, which drops their direction. */
static void solve(size_t size, double h[SIZE][SIZE], const double *g, double *step)
{
  for (size_t a = 0; a < size; a++)
    for (size_t b = 0; b <= a; b++) {
      double sum = h[a][b];
      for (size_t k = 0; k < b; k++) sum -= h[a][k] * h[b][k];
      if (a == b)
        h[a][a] = sum > 1e-14 * h[a][a] && sum > 0 ? sqrt(sum) : INFINITY;
      else
        h[a][b] = sum / h[b][b];
    }
  for (size_t a = 0; a < size; a++) {
    double sum = g[a];
    for (size_t k = 0; k < a; k++) sum -= h[a][k] * step[k];
    step[a] = sum / h[a][a];
  }
  for (size_t a = size; a-- > 0;) {
    double sum = step[a];
    for (size_t k = a + 1; k < size; k++) sum -= h[k][a] * step[k];
    step[a] = sum / h[a][a];
  }
}

/* One damped Newton step from `coef`. Returns the decrease of the loss. */
static double descend(const struct problem *q, double *coef, double *loss)
{
  const size_t size = q->curve.terms + 1;
  double g[SIZE], h[SIZE][SIZE], step[SIZE], next[SIZE], length = 1;
  derivatives(q, coef, g, h);
  solve(size, h, g, step);
  for (int k = 0; k < MAX_HALVINGS; k++, length /= 2) {
    for (size_t a = 0; a < size; a++) next[a] = coef[a] - length * step[a];
    const double value = loss_at(&q->curve, next), decrease = *loss - value;
    if (!(decrease >= 0)) continue;
    for (size_t a = 0; a < size; a++) coef[a] = next[a];
    *loss = value;
    return decrease;
  }
  return 0;
}

/* The intercept alone: the logarithm of the odds of the targets. */
static double start_intercept(const struct problem *q)
{
  double sum = 0;
  for (size_t i = 0; i < q->curve.n; i++) sum += (q->curve.weights ? q->curve.weights[i] : 1) * q->curve.target[i];
  const double share = fmin(fmax(sum / q->total, 1e-12), 1 - 1e-12);
  return log(share / (1 - share));
}

mn_status mn_fit_logistic_curve(mn_context *ctx, const mn_logistic_curve *curve, double *coef, double *loss)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct problem q;
  MN_TRY(scale_terms(ctx, curve, &q));
  const size_t d = curve->terms;
  for (size_t j = 0; j < d; j++) coef[j] = 0;
  coef[d] = start_intercept(&q);
  double value = loss_at(&q.curve, coef);
  for (int round = 0, quiet = 0; round < MAX_ROUNDS && quiet < 2; round++) {
    MN_TRY(mn_poll(ctx));
    quiet = descend(&q, coef, &value) <= smallest_decrease * q.total ? quiet + 1 : 0;
  }
  for (size_t j = 0; j < d; j++) {
    coef[j] = q.scale[j] > 0 ? coef[j] / q.scale[j] : 0;
    coef[d] -= coef[j] * q.mean[j];
  }
  if (loss) *loss = value;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
