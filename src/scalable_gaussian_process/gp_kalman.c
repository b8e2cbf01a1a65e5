#include "gp_kalman.h"
#include <math.h>
#include <string.h>

static const double two_pi = 6.28318530717958647693;

/* out = op(a) b, or plus it; a is s x s, b is s x k. */
static void multiply(size_t s, size_t k, const double *a, bool transposed, const double *b, bool add, double *out)
{
  for (size_t i = 0; i < s; i++)
    for (size_t j = 0; j < k; j++) {
      double sum = add ? out[i * k + j] : 0;
      for (size_t l = 0; l < s; l++) sum += (transposed ? a[l * s + i] : a[i * s + l]) * b[l * k + j];
      out[i * k + j] = sum;
    }
}

/* out = a b c' + add, all s x s. */
static void sandwich(size_t s, const double *a, const double *b, const double *c, const double *add, double *work,
                     double *out)
{
  multiply(s, s, a, false, b, false, work);
  for (size_t i = 0; i < s; i++)
    for (size_t j = 0; j < s; j++) {
      double sum = add ? add[i * s + j] : 0;
      for (size_t l = 0; l < s; l++) sum += work[i * s + l] * c[j * s + l];
      out[i * s + j] = sum;
    }
}

static void symmetrize(size_t s, double *p)
{
  for (size_t i = 0; i < s; i++)
    for (size_t j = 0; j < i; j++) p[i * s + j] = p[j * s + i] = 0.5 * (p[i * s + j] + p[j * s + i]);
}

/* The sum over the terms of row i of b (s x k), as H b. */
static double observe(const mn_ss_model *m, size_t k, const double *b, size_t j)
{
  double sum = 0;
  for (size_t t = 0, at = 0; t < m->terms; at += m->term[t].order, t++) sum += b[at * k + j];
  return sum;
}

/* out = P H' */
static void cross_of(const mn_ss_model *m, const double *p, double *out)
{
  for (size_t i = 0; i < m->states; i++) {
    out[i] = 0;
    for (size_t t = 0, at = 0; t < m->terms; at += m->term[t].order, t++) out[i] += p[i * m->states + at];
  }
}

struct filter {
  const mn_ss_model *m;
  const mn_kalman_problem *p;
  size_t s, c;
  double *a, *q;       /* of the step                            */
  double *mean, *cov;  /* of the state                           */
  double *cross;       /* P H'                                   */
  double *innovation;  /* columns                                */
  double variance;     /* of the innovation                      */
  double *work, *next; /* s x max(s, columns)                    */
  /* for derivatives */
  size_t thetas;
  size_t *node;         /* of each hyperparameter  */
  double *dmean, *dcov; /* thetas x those of state */
  double *dnoise;       /* thetas                  */
  double *da, *dq, *dk, *work2;
};

static mn_status new_filter(mn_context *ctx, const mn_ss_model *m, const mn_kalman_problem *p, size_t thetas,
                            struct filter *f)
{
  const size_t s = m->states, c = p->columns, wide = s > c ? s : c;
  *f = (struct filter){ .m = m,
                        .p = p,
                        .s = s,
                        .c = c,
                        .a = MN_RAW(ctx, double, s, s),
                        .q = MN_RAW(ctx, double, s, s),
                        .mean = MN_NEW(ctx, double, s, c),
                        .cov = MN_RAW(ctx, double, s, s),
                        .cross = MN_RAW(ctx, double, s, 1),
                        .innovation = MN_RAW(ctx, double, c, 1),
                        .work = MN_RAW(ctx, double, s, wide),
                        .next = MN_RAW(ctx, double, s, wide),
                        .thetas = thetas,
                        .node = MN_RAW(ctx, size_t, thetas + 1, 1),
                        .dmean = MN_NEW(ctx, double, thetas + 1, s * c),
                        .dcov = MN_NEW(ctx, double, thetas + 1, s * s),
                        .dnoise = MN_NEW(ctx, double, thetas + 1, 1),
                        .da = MN_RAW(ctx, double, s, s),
                        .dq = MN_RAW(ctx, double, s, s),
                        .dk = MN_RAW(ctx, double, s, 1),
                        .work2 = MN_RAW(ctx, double, s, wide) };
  if (!f->a || !f->q || !f->mean || !f->cov || !f->cross || !f->innovation || !f->work || !f->next || !f->node ||
      !f->dmean || !f->dcov || !f->dnoise || !f->da || !f->dq || !f->dk || !f->work2)
    return MN_NO_MEMORY;
  mn_ss_stationary(m, f->cov);
  for (size_t i = 0, theta = 0; thetas > 0 && i < m->kernel->nodes; i++) {
    const mn_kernel_node *node = &m->kernel->node[i];
    if (node->op >= MN_KERNEL_SUM || m->kernel->hyper[node->first].fixed) continue;
    f->node[theta] = i;
    mn_ss_stationary_derivative(m, i, f->dcov + theta * s * s, &f->dnoise[theta]);
    theta++;
  }
  return MN_OK;
}

/* The derivatives of the predicted state, from those of the state before. */
static void predict_derivatives(struct filter *f, double step)
{
  const size_t s = f->s, c = f->c;
  for (size_t t = 0; t < f->thetas; t++) {
    double *dmean = f->dmean + t * s * c, *dcov = f->dcov + t * s * s;
    mn_ss_derivative(f->m, f->node[t], step, f->da, f->dq);
    multiply(s, c, f->a, false, dmean, false, f->work);
    multiply(s, c, f->da, false, f->mean, true, f->work);
    memcpy(dmean, f->work, s * c * sizeof *dmean);
    sandwich(s, f->a, dcov, f->a, f->dq, f->work, f->next);
    sandwich(s, f->da, f->cov, f->a, f->next, f->work, f->work2);
    sandwich(s, f->a, f->cov, f->da, f->work2, f->work, dcov);
    symmetrize(s, dcov);
  }
}

static void predict_state(struct filter *f)
{
  const size_t s = f->s, c = f->c;
  multiply(s, c, f->a, false, f->mean, false, f->next);
  memcpy(f->mean, f->next, s * c * sizeof *f->mean);
  sandwich(s, f->a, f->cov, f->a, f->q, f->work, f->next);
  memcpy(f->cov, f->next, s * s * sizeof *f->cov);
  symmetrize(s, f->cov);
}

static double weight_of(const mn_kalman_problem *p, size_t i)
{
  return p->weights ? p->weights[i] : 1;
}

/* The derivatives of the state after row i, and what they add to those of the sums. */
static void update_derivatives(struct filter *f, size_t i, mn_kalman_sums *sums)
{
  const size_t s = f->s, c = f->c;
  const double var = f->variance, weight = weight_of(f->p, i), noise = f->m->noise + f->p->noise;
  const double *v = f->innovation;
  for (size_t t = 0; t < f->thetas; t++) {
    double *dmean = f->dmean + t * s * c, *dcov = f->dcov + t * s * s, *dv = f->work;
    double *dcross = f->work2, *square = sums->dsquare + t * c * c;
    cross_of(f->m, dcov, dcross);
    const double dvar = observe(f->m, 1, dcross, 0) + f->dnoise[t] / weight;
    for (size_t j = 0; j < c; j++) dv[j] = -observe(f->m, c, dmean, j);
    for (size_t a = 0; a < c; a++)
      for (size_t b = 0; b < c; b++)
        square[a * c + b] += (dv[a] * v[b] + v[a] * dv[b]) / var - v[a] * v[b] * dvar / (var * var);
    sums->dlog[t] += dvar / var + (weight - 1) * f->dnoise[t] / noise;
    for (size_t k = 0; k < s; k++) f->dk[k] = (dcross[k] - f->cross[k] / var * dvar) / var;
    for (size_t k = 0; k < s; k++)
      for (size_t j = 0; j < c; j++) dmean[k * c + j] += f->dk[k] * v[j] + f->cross[k] / var * dv[j];
    for (size_t k = 0; k < s; k++)
      for (size_t l = 0; l < s; l++) dcov[k * s + l] -= f->dk[k] * f->cross[l] + f->cross[k] / var * dcross[l];
  }
}

/* The innovation of row i and its variance. */
static void innovate(struct filter *f, size_t i)
{
  cross_of(f->m, f->cov, f->cross);
  f->variance = observe(f->m, 1, f->cross, 0) + (f->m->noise + f->p->noise) / weight_of(f->p, i);
  for (size_t j = 0; j < f->c; j++) f->innovation[j] = f->p->r[i * f->c + j] - observe(f->m, f->c, f->mean, j);
}

static void update_state(struct filter *f)
{
  const size_t s = f->s, c = f->c;
  for (size_t k = 0; k < s; k++) {
    const double gain = f->cross[k] / f->variance;
    for (size_t j = 0; j < c; j++) f->mean[k * c + j] += gain * f->innovation[j];
    for (size_t l = 0; l < s; l++) f->cov[k * s + l] -= gain * f->cross[l];
  }
}

static void add_row(const struct filter *f, size_t i, mn_kalman_sums *sums)
{
  const size_t c = f->c;
  const double weight = weight_of(f->p, i);
  sums->log_det += log(two_pi * f->variance);
  if (weight < 1 || weight > 1) sums->log_det += (weight - 1) * log(two_pi * (f->m->noise + f->p->noise)) + log(weight);
  for (size_t a = 0; a < c; a++)
    for (size_t b = 0; b < c; b++) sums->square[a * c + b] += f->innovation[a] * f->innovation[b] / f->variance;
}

/* A and Q for the step to row i, unless it is as long as the last one. */
static void next_step(struct filter *f, size_t i, double *last)
{
  const double step = f->p->x[i] - f->p->x[i - 1];
  if (i > 1 && step <= *last && step >= *last) return;
  mn_ss_transition(f->m, step, f->a, f->q);
  *last = step;
}

/* The least variance of an innovation that is not rounding error, as a part of that of the function. */
static const double least_part = 1e-14;

mn_status mn_kalman_run(mn_context *ctx, const mn_ss_model *m, const mn_kalman_problem *p, mn_kalman_sums *sums)
{
  const size_t thetas = sums->dlog ? mn_kernel_free_count(m->kernel) : 0, c = p->columns;
  const mn_mark mark = mn_scratch_mark(ctx);
  struct filter f;
  double step = 0, prior = 0;
  MN_TRY(new_filter(ctx, m, p, thetas, &f));
  memset(sums->square, 0, c * c * sizeof *sums->square);
  sums->log_det = 0;
  sums->failed = false;
  if (thetas > 0) memset(sums->dsquare, 0, thetas * c * c * sizeof *sums->dsquare);
  if (thetas > 0) memset(sums->dlog, 0, thetas * sizeof *sums->dlog);
  for (size_t i = 0; i < p->n && !sums->failed; i++) {
    if (i > 0) {
      next_step(&f, i, &step);
      if (thetas > 0) predict_derivatives(&f, step);
      predict_state(&f);
    }
    innovate(&f, i);
    prior = i == 0 ? f.variance : prior;
    sums->failed = !(f.variance > least_part * prior);
    if (sums->failed) break;
    if (thetas > 0) update_derivatives(&f, i, sums);
    add_row(&f, i, sums);
    update_state(&f);
    if (i % 1024 == 0) MN_TRY(mn_poll(ctx));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- smoother --- */

/* Forward: the state after each row, with the gain, innovation and variance of it. */
static mn_status forward(mn_context *ctx, struct filter *f, mn_kalman_states *out, double *gain, double *innovation,
                         double *variance)
{
  const size_t s = f->s, c = f->c;
  double step = 0;
  for (size_t i = 0; i < f->p->n; i++) {
    if (i > 0) {
      next_step(f, i, &step);
      predict_state(f);
    }
    innovate(f, i);
    for (size_t k = 0; k < s; k++) gain[i * s + k] = f->cross[k] / f->variance;
    memcpy(innovation + i * c, f->innovation, c * sizeof *innovation);
    variance[i] = f->variance;
    update_state(f);
    memcpy(out->mean + i * s * c, f->mean, s * c * sizeof *f->mean);
    memcpy(out->covariance + i * s * s, f->cov, s * s * sizeof *f->cov);
    if (i % 1024 == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* One step backward: from what later rows say about the state after row i (lambda, information; A' of the next step
 * applied) to what they and row i say about it before. Bryson & Frazier (1963). */
static void backward(const struct filter *f, const double *gain, const double *v, double variance, double *lambda,
                     double *information)
{
  const size_t s = f->s, c = f->c;
  double *g = f->work;
  for (size_t j = 0; j < c; j++) {
    double along = 0;
    for (size_t k = 0; k < s; k++) along += gain[k] * lambda[k * c + j];
    for (size_t t = 0, at = 0; t < f->m->terms; at += f->m->term[t].order, t++)
      lambda[at * c + j] -= along + v[j] / variance;
  }
  double square = 1 / variance;
  for (size_t k = 0; k < s; k++) {
    g[k] = 0;
    for (size_t l = 0; l < s; l++) g[k] += information[k * s + l] * gain[l];
  }
  for (size_t k = 0; k < s; k++) square += gain[k] * g[k];
  for (size_t t = 0, at = 0; t < f->m->terms; at += f->m->term[t].order, t++) {
    for (size_t k = 0; k < s; k++) {
      information[at * s + k] -= g[k];
      information[k * s + at] -= g[k];
    }
    for (size_t u = 0, to = 0; u < f->m->terms; to += f->m->term[u].order, u++) information[at * s + to] += square;
  }
}

mn_status mn_kalman_smooth(mn_context *ctx, const mn_ss_model *m, const mn_kalman_problem *p, mn_kalman_states *out)
{
  const size_t s = m->states, c = p->columns;
  const mn_mark mark = mn_scratch_mark(ctx);
  struct filter f;
  double *gain = MN_RAW(ctx, double, p->n, s), *innovation = MN_RAW(ctx, double, p->n, c),
         *variance = MN_RAW(ctx, double, p->n, 1), *lambda = MN_NEW(ctx, double, s, c),
         *information = MN_NEW(ctx, double, s, s);
  if (!gain || !innovation || !variance || !lambda || !information) return MN_NO_MEMORY;
  MN_TRY(new_filter(ctx, m, p, 0, &f));
  MN_TRY(forward(ctx, &f, out, gain, innovation, variance));
  for (size_t i = p->n; i-- > 0;) {
    if (i + 1 < p->n) {
      mn_ss_transition(m, p->x[i + 1] - p->x[i], f.a, f.q);
      multiply(s, c, f.a, true, lambda, false, f.next);
      memcpy(lambda, f.next, s * c * sizeof *lambda);
      for (size_t k = 0; k < s; k++) /* A' information A */
        for (size_t l = 0; l < s; l++) f.q[k * s + l] = f.a[l * s + k];
      sandwich(s, f.q, information, f.q, NULL, f.work, f.next);
      memcpy(information, f.next, s * s * sizeof *information);
    }
    backward(&f, gain + i * s, innovation + i * c, variance[i], lambda, information);
    memcpy(out->lambda + i * s * c, lambda, s * c * sizeof *lambda);
    memcpy(out->information + i * s * s, information, s * s * sizeof *information);
    if (i % 1024 == 0) MN_TRY(mn_poll(ctx));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- predictions --- */

size_t mn_kalman_work_size(const mn_ss_model *m, size_t columns)
{
  const size_t s = m->states, wide = s > columns ? s : columns;
  return 7 * s * wide + s;
}

/* The number of rows at or before x. */
static size_t rows_until(const mn_kalman_problem *p, double x)
{
  size_t low = 0, high = p->n;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (p->x[middle] <= x)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void mn_kalman_predict(const mn_ss_model *m, const mn_kalman_problem *p, const mn_kalman_states *states, double x,
                       double *work, double *mean, double *variance)
{
  const size_t s = m->states, c = p->columns, wide = s > c ? s : c, before = rows_until(p, x);
  double *a = work, *q = a + s * wide, *state = q + s * wide, *cov = state + s * wide, *lambda = cov + s * wide,
         *information = lambda + s * wide, *next = information + s * wide, *cross = next + s * wide;
  memset(state, 0, s * c * sizeof *state);
  mn_ss_stationary(m, cov);
  if (before > 0) {
    mn_ss_transition(m, x - p->x[before - 1], a, q);
    multiply(s, c, a, false, states->mean + (before - 1) * s * c, false, state);
    sandwich(s, a, states->covariance + (before - 1) * s * s, a, q, next, cov);
  }
  cross_of(m, cov, cross);
  *variance = observe(m, 1, cross, 0);
  for (size_t j = 0; j < c; j++) mean[j] = observe(m, c, state, j);
  if (before == p->n) return;
  mn_ss_transition(m, p->x[before] - x, a, q);
  multiply(s, c, a, true, states->lambda + before * s * c, false, lambda);
  multiply(s, 1, a, false, cross, false, next); /* A P H' */
  for (size_t k = 0; k < s; k++)
    for (size_t l = 0; l < s; l++) *variance -= next[k] * states->information[before * s * s + k * s + l] * next[l];
  for (size_t j = 0; j < c; j++)
    for (size_t k = 0; k < s; k++) mean[j] -= cross[k] * lambda[k * c + j];
}
