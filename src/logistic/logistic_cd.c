#include "logistic_cd.h"
#include "../linalg/csr.h"
#include "../linalg/product.h"
#include "../lasso/cd_data.h"
#include "../loss/descent.h"
#include "logistic_joint.h"
#include "logistic_kernel.h"
#include <string.h>

enum { MOST_SWEEPS = 1000, ROUNDS_PER_JOINT = 3 };
#define FIRST_SHARE 1e-2 /* of F: how well the first model is minimised */

struct solver {
  const mn_logistic_cd *o;
  mn_csr turned; /* X' of sparse X */
  size_t n, p, k;
  double *score;                /* n x k: X B + c                                     */
  double *offset, *own;         /* n: what the other classes leave; own - offset is the score of two classes */
  double *next, *slope, *curve; /* n: scores after a full step; the first two derivatives, weights included  */
  int32_t *code;                /* n: is it this class?                               */
  double *weight, *response;    /* n: of the quadratic model                          */
  double *trial, *direction;    /* p: weights after a full step, and at a shorter one */
  double loss_of_rest;          /* sum_i w_i (offset_i - [own class is another] z_i,own): no part of what moves   */
};

static mn_status make(mn_context *ctx, struct solver *s)
{
  const size_t n = s->n, p = s->p;
  s->score = MN_RAW(ctx, double, n, s->k);
  s->offset = MN_NEW(ctx, double, n, 1);
  s->own = MN_RAW(ctx, double, n, 1);
  s->next = MN_RAW(ctx, double, n, 1);
  s->slope = MN_RAW(ctx, double, n, 1);
  s->curve = MN_RAW(ctx, double, n, 1);
  s->code = MN_RAW(ctx, int32_t, n, 1);
  s->weight = MN_RAW(ctx, double, n, 1);
  s->response = MN_RAW(ctx, double, n, 1);
  s->trial = MN_RAW(ctx, double, p, 1);
  s->direction = MN_RAW(ctx, double, p, 1);
  if (!s->score || !s->offset || !s->own || !s->next || !s->slope || !s->curve || !s->code) return MN_NO_MEMORY;
  return s->weight && s->response && s->trial && s->direction ? MN_OK : MN_NO_MEMORY;
}

/* out = X b + c. */
static mn_status scores(mn_context *ctx, const struct solver *s, const double *b, double c, double *out)
{
  const mn_data *d = s->o->data;
  if (d->sparse) {
    MN_TRY(mn_csr_multiply(ctx, d->sparse, 1, b, out));
    for (size_t i = 0; i < s->n; i++) out[i] += c;
    return MN_OK;
  }
  for (size_t i = 0; i < s->n; i++) out[i] = c;
  return mn_gemv(ctx, false, s->n, s->p, 1, d->x.at, s->p, b, 1, out);
}

/* log sum exp of the scores of one row, that of class t left out. */
static double log_sum_of_others(size_t k, size_t t, const double *z)
{
  double largest = -INFINITY, sum = 0;
  for (size_t c = 0; c < k; c++) largest = c != t ? fmax(largest, z[c]) : largest;
  for (size_t c = 0; c < k; c++) sum += c != t ? exp(z[c] - largest) : 0;
  return sum > 0 ? largest + log(sum) : -INFINITY;
}

/* Class t against the rest: which rows are of it, its scores, and the logarithm of what the others add up to. */
static void face(struct solver *s, size_t t)
{
  const mn_data *d = s->o->data;
  s->loss_of_rest = 0;
  for (size_t i = 0; i < s->n; i++) {
    const double *z = s->score + i * s->k;
    s->own[i] = z[t];
    s->code[i] = s->k == 1 ? d->code[i] : d->code[i] == (int32_t)t;
    if (s->k == 1) continue;
    s->offset[i] = log_sum_of_others(s->k, t, z);
    s->loss_of_rest += mn_weight(d, i) * (s->offset[i] - (s->code[i] ? s->offset[i] : z[d->code[i]]));
  }
}

/* The loss of scores z = from + share (to - from), with its derivatives. */
static double loss_at(struct solver *s, const double *from, const double *to, double share, bool curved)
{
  for (size_t i = 0; i < s->n; i++) s->slope[i] = from[i] + share * (to[i] - from[i]) - s->offset[i];
  return mn_logistic_loss(s->n, s->slope, s->code, s->o->data->weights, curved ? s->curve : NULL) + s->loss_of_rest;
}

static double penalty_of(const struct solver *s, const double *b)
{
  double sum = 0;
  for (size_t j = 0; j < s->p; j++) sum += s->o->l1 * fabs(b[j]) + s->o->l2 / 2 * b[j] * b[j];
  return sum;
}

/* The quadratic model at the scores of now: weighted least squares of working responses. Where a row is all but certain
 * its curvature is held up a little, lest its response run away. */
static double make_model(struct solver *s)
{
  static const double least = 1e-9;
  double total = 0;
  for (size_t i = 0; i < s->n; i++) {
    const double w = mn_weight(s->o->data, i);
    s->weight[i] = fmax(s->curve[i], least * w);
    s->response[i] = s->own[i] - (w > 0 ? s->slope[i] / s->weight[i] : 0);
    total += s->weight[i];
  }
  return total;
}

/* The minimum of the model, from b: trial, and the constant through *c. wanted: a gap in units of F. */
static mn_status minimise_model(mn_context *ctx, struct solver *s, const double *b, double wanted, double *c)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const double scale = s->o->C * make_model(s);
  const mn_cd_penalty q = { .l1 = s->o->l1 / scale, .l2 = s->o->l2 / scale };
  mn_data data = *s->o->data;
  mn_cd_data d;
  mn_cd problem;
  mn_cd_report r;
  data.weights = s->weight;
  data.y = (mn_matrix){ .at = s->response, .rows = s->n, .cols = 1 };
  MN_TRY(mn_cd_prepare(ctx, &data, s->o->fit_intercept, data.sparse ? &s->turned : NULL, &d));
  MN_TRY(mn_cd_target_at(ctx, &d, 0, b, &problem));
  const double tol = problem.yy > 0 ? wanted / scale / problem.yy : 0;
  MN_TRY(mn_cd_solve(ctx, &problem, &q, (double)NAN, tol, MOST_SWEEPS, &r));
  memcpy(s->trial, problem.b, s->p * sizeof *s->trial);
  *c = mn_cd_intercept(&d, 0, problem.b);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Towards the trial, by halves until F falls by a share of what the step promises. *value is F, in and out. */
static void shorten(struct solver *s, double promise, double *b, double *c, double next_c, double *value)
{
  double share = 1;
  for (int halvings = 0; halvings < 40; halvings++, share /= 2) {
    for (size_t j = 0; j < s->p; j++) s->direction[j] = b[j] + share * (s->trial[j] - b[j]);
    const double now = s->o->C * loss_at(s, s->own, s->next, share, false) + penalty_of(s, s->direction);
    if (!(now <= *value - 1e-4 * share * promise + 1e-14 * fabs(*value))) continue;
    memcpy(b, share == 1 ? s->trial : s->direction, s->p * sizeof *b);
    *c += share * (next_c - *c);
    for (size_t i = 0; i < s->n; i++) s->own[i] += share * (s->next[i] - s->own[i]);
    *value = now;
    return;
  }
}

/* One step of class t. `rest`: the penalty of the other classes. *promise: the fall of F to first order, penalty
 * included; near the minimum twice what is left to gain. */
static mn_status step(mn_context *ctx, struct solver *s, size_t t, double *b, double *c, double wanted, double *value,
                      double *promise)
{
  double next_c;
  face(s, t);
  const double loss = loss_at(s, s->own, s->own, 0, true), before = penalty_of(s, b);
  const double rest = *value - s->o->C * loss - before;
  MN_TRY(minimise_model(ctx, s, b, wanted, &next_c));
  MN_TRY(scores(ctx, s, s->trial, next_c, s->next));
  *promise = before - penalty_of(s, s->trial);
  for (size_t i = 0; i < s->n; i++) *promise -= s->o->C * s->slope[i] * (s->next[i] - s->own[i]);
  double own = *value - rest;
  if (*promise > 0) shorten(s, *promise, b, c, next_c, &own);
  *value = own + rest;
  for (size_t i = 0; i < s->n; i++) s->score[i * s->k + t] = s->own[i];
  return MN_OK;
}

/* F, with the penalties of all classes. */
static double value_of(struct solver *s, const double *b)
{
  double sum = 0;
  face(s, 0);
  for (size_t t = 0; t < s->k; t++) sum += penalty_of(s, b + t * s->p);
  return s->o->C * loss_at(s, s->own, s->own, 0, false) + sum;
}

static mn_status begin(mn_context *ctx, const mn_logistic_cd *problem, struct solver *s, const double *b,
                       const double *c)
{
  *s = (struct solver){ .o = problem, .n = problem->data->rows, .p = problem->data->features, .k = problem->decisions };
  MN_TRY(make(ctx, s));
  if (problem->transposed)
    s->turned = *problem->transposed;
  else if (problem->data->sparse)
    MN_TRY(mn_csr_turn(ctx, problem->data->sparse, &s->turned));
  for (size_t t = 0; t < s->k; t++) {
    MN_TRY(scores(ctx, s, b + t * s->p, c[t], s->next));
    for (size_t i = 0; i < s->n; i++) s->score[i * s->k + t] = s->next[i];
  }
  return MN_OK;
}

/* The constants of a softmax may all be moved alike: their sum is 0. */
static void center(size_t k, double *c)
{
  double mean = 0;
  for (size_t t = 0; t < k; t++) mean += c[t] / (double)k;
  for (size_t t = 0; k > 1 && t < k; t++) c[t] -= mean;
}

/* What is best taken off the weights of one column for all k classes: the minimum over u of
 * l1 sum_t |b_t - u| + l2 / 2 sum_t (b_t - u)^2, b in ascending order. Where many are 0 it is 0. */
static double excess(size_t k, const double *b, double l1, double l2)
{
  double sum = 0;
  for (size_t t = 0; t < k; t++) sum += b[t];
  for (size_t t = 0; t < k; t++) {
    const double smooth = l2 * ((double)k * b[t] - sum), below = l1 * (2 * (double)t - (double)k);
    if (smooth + below > 0) return (l2 * sum - below) / (l2 * (double)k);
    if (smooth + below + 2 * l1 >= 0) return b[t];
  }
  return 0;
}

/* The weights of a column may be moved alike for all classes, which the softmax does not see, but the penalty does; the
 * classes one at a time would be long about it. */
static mn_status even_out(mn_context *ctx, struct solver *s, double *b, double *value)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *sorted = MN_RAW(ctx, double, s->k, 1), *shift = s->direction;
  MN_CHECK_ALLOC(sorted);
  for (size_t j = 0; j < s->p; j++) {
    for (size_t t = 0; t < s->k; t++) {
      size_t at = t;
      for (; at > 0 && sorted[at - 1] > b[t * s->p + j]; at--) sorted[at] = sorted[at - 1];
      sorted[at] = b[t * s->p + j];
    }
    shift[j] = excess(s->k, sorted, s->o->l1, s->o->l2);
  }
  for (size_t t = 0; t < s->k; t++) {
    *value -= penalty_of(s, b + t * s->p);
    for (size_t j = 0; j < s->p; j++) b[t * s->p + j] -= shift[j];
    *value += penalty_of(s, b + t * s->p);
  }
  MN_TRY(scores(ctx, s, shift, 0, s->next));
  for (size_t i = 0; i < s->n; i++)
    for (size_t t = 0; t < s->k; t++) s->score[i * s->k + t] -= s->next[i];
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* All classes at once; what that can gain is what counts in the end, for it knows how they hang together. */
static mn_status join(mn_context *ctx, struct solver *s, double *b, double *c, double *value, mn_report *r)
{
  double gain;
  MN_TRY(mn_logistic_joint_step(ctx, s->o, b, c, s->score, value, &gain));
  if (!(gain >= 0)) return MN_OK;
  const double change = gain / fmax(fabs(*value), DBL_MIN);
  r->change = fmax(r->change, change);
  r->converged = r->converged && change <= s->o->tol;
  return even_out(ctx, s, b, value);
}

/* --- two classes of sparse rows, or SAGA: by descent.h, whose mean loss is 1 / (C sum w) of ours --- */

struct telling {
  mn_context *ctx;
  bool (*note)(void *user, double objective);
  void *user;
  double unit; /* C sum w */
};

static bool tell(void *user, double objective)
{
  const struct telling *t = user;
  return t->note ? t->note(t->user, t->unit * objective) : mn_poll(t->ctx) == MN_OK;
}

static mn_status by_descent(mn_context *ctx, const mn_logistic_cd *problem, double *b, double *c, mn_report *r,
                            struct telling *t)
{
  const mn_data *data = problem->data;
  const size_t n = data->rows;
  double *y = MN_RAW(ctx, double, n, 1), *u = MN_RAW(ctx, double, data->features + 1, 1);
  if (!y || !u) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) y[i] = data->code[i] ? 1 : -1;
  t->unit = problem->C * mn_total_weight(data);
  mn_descent d = { .data = data,
                   .y = y,
                   .loss = &mn_linear_losses[MN_LOSS_LOG_LOSS],
                   .l1 = problem->l1 / t->unit,
                   .l2 = problem->l2 / t->unit,
                   .tol = problem->saga ? sqrt(problem->tol / 10) : 0, /* of one weight: several gain together */
                   .gain = problem->tol,
                   .fit_intercept = problem->fit_intercept,
                   .max_iter = problem->max_iter,
                   .note = tell,
                   .user = t };
  mn_descent_end end = { 0 };
  MN_TRY(mn_descent_prepare(ctx, &d));
  MN_TRY(mn_descent_begin(ctx, &d, u));
  const double constant = u[d.p];
  bool fresh = *c == 0;
  for (size_t j = 0; j < d.p; j++) fresh = fresh && b[j] == 0;
  mn_descent_start(&d, b, *c, u);
  if (fresh) u[d.p] = constant;
  MN_TRY((problem->saga ? mn_descent_by_saga : mn_descent_by_coordinates)(ctx, &d, u, &end));
  mn_descent_weights(&d, u, b, c);
  r->converged = end.converged;
  r->objective = t->unit * end.objective;
  r->change = problem->saga ? end.steepest * end.steepest / d.begin : end.gain;
  if (r->n_iter == 0) (void)tell(t, end.objective); /* nothing to do: that is told, too */
  return mn_error_status(ctx);
}

mn_status mn_logistic_by_cd(mn_context *ctx, const mn_logistic_cd *problem, double *b, double *c, mn_report *r,
                            bool (*note)(void *user, double objective), void *user)
{
  if ((problem->data->sparse || problem->saga) && problem->decisions == 1)
    return by_descent(ctx, problem, b, c, r, &(struct telling){ .ctx = ctx, .note = note, .user = user });
  struct solver s;
  MN_TRY(begin(ctx, problem, &s, b, c));
  double value = value_of(&s, b), share = FIRST_SHARE;
  bool go_on = true;
  for (int64_t round = 0; go_on && !r->converged && round < problem->max_iter; round++) {
    double promised = 0;
    const double inner = fmax(share, problem->tol / 10) * fabs(value) / (double)s.k;
    for (size_t t = 0; t < s.k && mn_should_continue(ctx); t++) {
      double promise;
      MN_TRY(step(ctx, &s, t, b + t * s.p, c + t, inner, &value, &promise));
      promised += fmax(promise, 0);
    }
    if (s.k > 1) MN_TRY(even_out(ctx, &s, b, &value));
    r->change = promised / 2 / fmax(fabs(value), DBL_MIN);
    r->converged = r->change <= problem->tol && inner <= problem->tol * fabs(value);
    if (s.k > 1 && (r->converged || (round + 1) % ROUNDS_PER_JOINT == 0)) MN_TRY(join(ctx, &s, b, c, &value, r));
    share = fmin(r->change / 100, share / 10);
    if (note)
      go_on = note(user, value);
    else
      MN_TRY(mn_poll(ctx));
  }
  center(s.k, c);
  r->objective = value;
  return mn_error_status(ctx);
}
