#include "logistic_cd.h"
#include "../linalg/csr.h"
#include "../linalg/product.h"
#include "../lasso/cd_data.h"
#include "../loss/descent.h"
#include "logistic_joint.h"
#include "logistic_kernel.h"
#include <string.h>

enum { MAX_SWEEPS = 1000, ROUNDS_PER_JOINT = 3 };
#define FIRST_TOLERANCE 1e-2 /* relative to F: accuracy of the first model */

struct solver {
  const mn_logistic_problem *problem;
  mn_csr transposed; /* X' of sparse X */
  size_t n, p, k;
  double *score;                /* n x k: X B + c */
  double *offset, *class_score; /* n: log sum exp of the other classes; score of the class (minus offset: score of the
                                   two-class problem) */
  double *next, *slope, *curve; /* n: scores after a full step; first two derivatives of the loss, weights included */
  int32_t *code;                /* n: 1 for rows of this class */
  double *weight, *response;    /* n: of the quadratic model */
  double *trial, *direction;    /* p: coefficients after a full step, and at a shorter one */
  double fixed_loss; /* sum_i w_i (offset_i - [row is of another class] z_i,own): the part of the loss that is constant
                        in this step */
};

static mn_status init_solver(mn_context *ctx, struct solver *s)
{
  const size_t n = s->n, p = s->p;
  s->score = MN_RAW(ctx, double, n, s->k);
  s->offset = MN_NEW(ctx, double, n, 1);
  s->class_score = MN_RAW(ctx, double, n, 1);
  s->next = MN_RAW(ctx, double, n, 1);
  s->slope = MN_RAW(ctx, double, n, 1);
  s->curve = MN_RAW(ctx, double, n, 1);
  s->code = MN_RAW(ctx, int32_t, n, 1);
  s->weight = MN_RAW(ctx, double, n, 1);
  s->response = MN_RAW(ctx, double, n, 1);
  s->trial = MN_RAW(ctx, double, p, 1);
  s->direction = MN_RAW(ctx, double, p, 1);
  if (!s->score || !s->offset || !s->class_score || !s->next || !s->slope || !s->curve || !s->code) return MN_NO_MEMORY;
  return s->weight && s->response && s->trial && s->direction ? MN_OK : MN_NO_MEMORY;
}

/* out = X b + c. */
static mn_status compute_scores(mn_context *ctx, const struct solver *s, const double *b, double c, double *out)
{
  const mn_data *d = s->problem->data;
  if (d->sparse) {
    MN_TRY(mn_csr_multiply(ctx, d->sparse, 1, b, out));
    for (size_t i = 0; i < s->n; i++) out[i] += c;
    return MN_OK;
  }
  for (size_t i = 0; i < s->n; i++) out[i] = c;
  return mn_gemv(ctx, false, s->n, s->p, 1, d->x.at, s->p, b, 1, out);
}

/* log sum exp of the scores of a row, class t left out */
static double log_sum_exp_others(size_t k, size_t t, const double *z)
{
  double largest = -INFINITY, sum = 0;
  for (size_t c = 0; c < k; c++) largest = c != t ? fmax(largest, z[c]) : largest;
  for (size_t c = 0; c < k; c++) sum += c != t ? exp(z[c] - largest) : 0;
  return sum > 0 ? largest + log(sum) : -INFINITY;
}

/* Set up the two-class problem of class t against the rest. */
static void select_class(struct solver *s, size_t t)
{
  const mn_data *d = s->problem->data;
  s->fixed_loss = 0;
  for (size_t i = 0; i < s->n; i++) {
    const double *z = s->score + i * s->k;
    s->class_score[i] = z[t];
    s->code[i] = s->k == 1 ? d->code[i] : d->code[i] == (int32_t)t;
    if (s->k == 1) continue;
    s->offset[i] = log_sum_exp_others(s->k, t, z);
    s->fixed_loss += mn_weight(d, i) * (s->offset[i] - (s->code[i] ? s->offset[i] : z[d->code[i]]));
  }
}

/* Loss and derivatives at the scores from + step_length (to - from). */
static double loss_at(struct solver *s, const double *from, const double *to, double step_length, bool curved)
{
  for (size_t i = 0; i < s->n; i++) s->slope[i] = from[i] + step_length * (to[i] - from[i]) - s->offset[i];
  return mn_logistic_loss(s->n, s->slope, s->code, s->problem->data->weights, curved ? s->curve : NULL) + s->fixed_loss;
}

static double penalty_at(const struct solver *s, const double *b)
{
  double sum = 0;
  for (size_t j = 0; j < s->p; j++) sum += s->problem->l1 * fabs(b[j]) + s->problem->l2 / 2 * b[j] * b[j];
  return sum;
}

/* The quadratic model at the current scores: weighted least squares of working responses. The curvature of nearly
 * certain rows is bounded below so that their responses stay finite. */
static double build_model(struct solver *s)
{
  static const double min_weight = 1e-9;
  double total = 0;
  for (size_t i = 0; i < s->n; i++) {
    const double w = mn_weight(s->problem->data, i);
    s->weight[i] = fmax(s->curve[i], min_weight * w);
    s->response[i] = s->class_score[i] - (w > 0 ? s->slope[i] / s->weight[i] : 0);
    total += s->weight[i];
  }
  return total;
}

/* Minimize the model from b into s->trial and *c; tolerance: duality gap in units of F. */
static mn_status minimize_model(mn_context *ctx, struct solver *s, const double *b, double tolerance, double *c)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const double scale = s->problem->C * build_model(s);
  const mn_cd_penalty q = { .l1 = s->problem->l1 / scale, .l2 = s->problem->l2 / scale };
  mn_data data = *s->problem->data;
  mn_cd_data d;
  mn_cd problem;
  mn_cd_report r;
  data.weights = s->weight;
  data.y = (mn_matrix){ .at = s->response, .rows = s->n, .cols = 1 };
  MN_TRY(mn_cd_prepare(ctx, &data, s->problem->fit_intercept, data.sparse ? &s->transposed : NULL, &d));
  MN_TRY(mn_cd_target_at(ctx, &d, 0, b, &problem));
  const double tol = problem.yy > 0 ? tolerance / scale / problem.yy : 0;
  MN_TRY(mn_cd_solve(ctx, &problem, &q, (double)NAN, tol, MAX_SWEEPS, &r));
  memcpy(s->trial, problem.b, s->p * sizeof *s->trial);
  *c = mn_cd_intercept(&d, 0, problem.b);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Backtrack until F falls by a share of the predicted decrease. *value is F, in and out. */
static void line_search(struct solver *s, double predicted_decrease, double *b, double *c, double next_c, double *value)
{
  double step_length = 1;
  for (int halvings = 0; halvings < 40; halvings++, step_length /= 2) {
    for (size_t j = 0; j < s->p; j++) s->direction[j] = b[j] + step_length * (s->trial[j] - b[j]);
    const double now =
        s->problem->C * loss_at(s, s->class_score, s->next, step_length, false) + penalty_at(s, s->direction);
    if (!(now <= *value - 1e-4 * step_length * predicted_decrease + 1e-14 * fabs(*value))) continue;
    memcpy(b, step_length == 1 ? s->trial : s->direction, s->p * sizeof *b);
    *c += step_length * (next_c - *c);
    for (size_t i = 0; i < s->n; i++) s->class_score[i] += step_length * (s->next[i] - s->class_score[i]);
    *value = now;
    return;
  }
}

/* One step of class t. *predicted_decrease: fall of F to first order, penalty included; near the minimum twice the
 * remaining gain. */
static mn_status update_class(mn_context *ctx, struct solver *s, size_t t, double *b, double *c, double tolerance,
                              double *value, double *predicted_decrease)
{
  double next_c;
  select_class(s, t);
  const double loss = loss_at(s, s->class_score, s->class_score, 0, true), before = penalty_at(s, b);
  const double rest = *value - s->problem->C * loss - before;
  MN_TRY(minimize_model(ctx, s, b, tolerance, &next_c));
  MN_TRY(compute_scores(ctx, s, s->trial, next_c, s->next));
  *predicted_decrease = before - penalty_at(s, s->trial);
  for (size_t i = 0; i < s->n; i++)
    *predicted_decrease -= s->problem->C * s->slope[i] * (s->next[i] - s->class_score[i]);
  double class_score = *value - rest;
  if (*predicted_decrease > 0) line_search(s, *predicted_decrease, b, c, next_c, &class_score);
  *value = class_score + rest;
  for (size_t i = 0; i < s->n; i++) s->score[i * s->k + t] = s->class_score[i];
  return MN_OK;
}

/* F, penalties of all classes included. */
static double evaluate(struct solver *s, const double *b)
{
  double sum = 0;
  select_class(s, 0);
  for (size_t t = 0; t < s->k; t++) sum += penalty_at(s, b + t * s->p);
  return s->problem->C * loss_at(s, s->class_score, s->class_score, 0, false) + sum;
}

static mn_status start_solver(mn_context *ctx, const mn_logistic_problem *problem, struct solver *s, const double *b,
                              const double *c)
{
  *s = (struct solver){
    .problem = problem, .n = problem->data->rows, .p = problem->data->features, .k = problem->decisions
  };
  MN_TRY(init_solver(ctx, s));
  if (problem->transposed)
    s->transposed = *problem->transposed;
  else if (problem->data->sparse)
    MN_TRY(mn_csr_transpose_scratch(ctx, problem->data->sparse, &s->transposed));
  for (size_t t = 0; t < s->k; t++) {
    MN_TRY(compute_scores(ctx, s, b + t * s->p, c[t], s->next));
    for (size_t i = 0; i < s->n; i++) s->score[i * s->k + t] = s->next[i];
  }
  return MN_OK;
}

/* The intercepts of a softmax are determined up to a common shift: make their sum 0. */
static void center_intercepts(size_t k, double *c)
{
  double mean = 0;
  for (size_t t = 0; t < k; t++) mean += c[t] / (double)k;
  for (size_t t = 0; k > 1 && t < k; t++) c[t] -= mean;
}

/* Minimize over u: l1 sum_t |b_t - u| + l2 / 2 sum_t (b_t - u)^2, b in ascending order: the best common shift of the
 * coefficients of one column. It is 0 where many are 0. */
static double best_common_shift(size_t k, const double *b, double l1, double l2)
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

/* A common shift of the coefficients of a column over all classes changes the penalty but not the softmax; updating one
 * class at a time would find the best shift only slowly. */
static mn_status remove_common_shift(mn_context *ctx, struct solver *s, double *b, double *value)
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
    shift[j] = best_common_shift(s->k, sorted, s->problem->l1, s->problem->l2);
  }
  for (size_t t = 0; t < s->k; t++) {
    *value -= penalty_at(s, b + t * s->p);
    for (size_t j = 0; j < s->p; j++) b[t * s->p + j] -= shift[j];
    *value += penalty_at(s, b + t * s->p);
  }
  MN_TRY(compute_scores(ctx, s, shift, 0, s->next));
  for (size_t i = 0; i < s->n; i++)
    for (size_t t = 0; t < s->k; t++) s->score[i * s->k + t] -= s->next[i];
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* A joint Newton step for all classes. Its predicted gain decides convergence, as it accounts for the coupling of the
 * classes. */
static mn_status joint_step(mn_context *ctx, struct solver *s, double *b, double *c, double *value, mn_report *r)
{
  double gain;
  MN_TRY(mn_logistic_joint_step(ctx, s->problem, b, c, s->score, value, &gain));
  if (!(gain >= 0)) return MN_OK;
  const double change = gain / fmax(fabs(*value), DBL_MIN);
  r->change = fmax(r->change, change);
  r->converged = r->converged && change <= s->problem->tol;
  return remove_common_shift(ctx, s, b, value);
}

struct progress_state {
  mn_context *ctx;
  bool (*progress)(void *user, double objective);
  void *user;
  double unit; /* C sum w: F here is this times F of descent.h */
};

static bool report_progress(void *user, double objective)
{
  const struct progress_state *t = user;
  return t->progress ? t->progress(t->user, t->unit * objective) : mn_poll(t->ctx) == MN_OK;
}

static mn_status fit_by_descent(mn_context *ctx, const mn_logistic_problem *problem, double *b, double *c, mn_report *r,
                                struct progress_state *t)
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
                   .tol = problem->saga ? sqrt(problem->tol / 10)
                                        : 0, /* for a single coefficient; several can gain together */
                   .gain_tol = problem->tol,
                   .fit_intercept = problem->fit_intercept,
                   .max_iter = problem->max_iter,
                   .progress = report_progress,
                   .user = t };
  mn_descent_result end = { 0 };
  MN_TRY(mn_descent_init(ctx, &d));
  MN_TRY(mn_descent_set_target(ctx, &d, u));
  const double constant = u[d.p];
  bool at_zero = *c == 0;
  for (size_t j = 0; j < d.p; j++) at_zero = at_zero && b[j] == 0;
  mn_descent_from_coefficients(&d, b, *c, u);
  if (at_zero) u[d.p] = constant;
  MN_TRY((problem->saga ? mn_descent_solve_saga : mn_descent_solve_coordinate)(ctx, &d, u, &end));
  mn_descent_to_coefficients(&d, u, b, c);
  r->converged = end.converged;
  r->objective = t->unit * end.objective;
  r->change = problem->saga ? end.max_subgradient * end.max_subgradient / d.start_value : end.gain;
  if (r->n_iter == 0) (void)report_progress(t, end.objective); /* report at least one round */
  return mn_error_status(ctx);
}

mn_status mn_logistic_fit_cd(mn_context *ctx, const mn_logistic_problem *problem, double *b, double *c, mn_report *r,
                             bool (*progress)(void *user, double objective), void *user)
{
  if ((problem->data->sparse || problem->saga) && problem->decisions == 1)
    return fit_by_descent(ctx, problem, b, c, r,
                          &(struct progress_state){ .ctx = ctx, .progress = progress, .user = user });
  struct solver s;
  MN_TRY(start_solver(ctx, problem, &s, b, c));
  double value = evaluate(&s, b), step_length = FIRST_TOLERANCE;
  bool keep_going = true;
  for (int64_t round = 0; keep_going && !r->converged && round < problem->max_iter; round++) {
    double predicted_total = 0;
    const double inner = fmax(step_length, problem->tol / 10) * fabs(value) / (double)s.k;
    for (size_t t = 0; t < s.k && mn_should_continue(ctx); t++) {
      double predicted_decrease;
      MN_TRY(update_class(ctx, &s, t, b + t * s.p, c + t, inner, &value, &predicted_decrease));
      predicted_total += fmax(predicted_decrease, 0);
    }
    if (s.k > 1) MN_TRY(remove_common_shift(ctx, &s, b, &value));
    r->change = predicted_total / 2 / fmax(fabs(value), DBL_MIN);
    r->converged = r->change <= problem->tol && inner <= problem->tol * fabs(value);
    if (s.k > 1 && (r->converged || (round + 1) % ROUNDS_PER_JOINT == 0)) MN_TRY(joint_step(ctx, &s, b, c, &value, r));
    step_length = fmin(r->change / 100, step_length / 10);
    if (progress)
      keep_going = progress(user, value);
    else
      MN_TRY(mn_poll(ctx));
  }
  center_intercepts(s.k, c);
  r->objective = value;
  return mn_error_status(ctx);
}
