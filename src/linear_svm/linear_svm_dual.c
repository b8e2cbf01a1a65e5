/* Coordinate ascent on the dual, one term at a time in random order: Hsieh, Chang, Lin, Keerthi & Sundararajan, ICML
 * 2008, with the shrinking of section 3.2; tubes as in Ho & Lin, JMLR 13 (2012).
 *
 * An intercept without penalty demands sum g = 0. The method of multipliers meets it: D(g) - center sum g -
 * inverse_rho (sum g)^2 / 2 is maximized over g for a fixed center, and center + inverse_rho sum g is the next one. To
 * g this is an intercept c = center + inverse_rho sum g with a penalty, so every step is that of a penalized intercept.
 * The error of the center shrinks by about 1 / (1 + number of free terms) each time, so it is replaced after each
 * round.
 *
 * Single terms may converge slowly once it is known which of them are at a bound; then all others are moved together
 * (linear_svm_joint.c).
 *
 * descent_dual.c solves hinge losses too, also with an L1 norm, but visits all terms in each round. With shrinking, one
 * cache line a term and joint steps, 200000 x 50000 with 49 values a row take 0.35 s of CPU to 9e-4 of the minimum
 * (instead of 3.8 s to 5e-4), 0.63 s to 8e-6 and 1.3 s to 7e-9, which rounds alone do not reach. */
#include "../core/rng.h"
#include "linear_svm_dual.h"
#include "linear_svm_kernel.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum {
  TERMS_PER_POLL = 1 << 12,
  MAX_ROUNDS_PER_STAGE = 10, /* after these rounds, ask for the gap and move the free terms together */
  TERM_PREFETCH = 16,
  ROW_PREFETCH = 6
};

struct solver {
  mn_svm_dual dual;
  const mn_linear_svm *s;
  size_t *order, active; /* n: a permutation of the terms, those in use first */
  double threshold;      /* terms whose optimality condition holds with more slack than this are shrunk */
  double best_dual;
  double *z, *g;           /* n: workspace */
  double *best_b, *best_c; /* the best solution so far: of the caller */
  mn_linear_svm_result *result;
};

static double squared_length(const mn_linear_svm *s, const mn_svm_term *t, size_t i)
{
  const mn_data *d = s->data;
  double sum = 0;
  for (size_t e = 0; e < t->size; e++) {
    const double x = d->sparse ? d->sparse->at[t->begin + e] : mn_row(&d->x, i)[e];
    sum += x * x;
  }
  return sum;
}

static void init_term(const mn_linear_svm *s, size_t i, mn_svm_term *t)
{
  const mn_csr *x = s->row ? NULL : s->data->sparse;
  *t = (mn_svm_term){ .target = s->target[i],
                      .lower = s->squared && s->down[i] > 0 ? -INFINITY : -s->down[i],
                      .upper = s->squared && s->up[i] > 0 ? INFINITY : s->up[i],
                      .ridge = s->squared ? 1 / (2 * mn_svm_cost(s, i)) : 0,
                      .begin = x ? x->start[i] : i * s->p,
                      .size = (uint32_t)(x ? x->start[i + 1] - x->start[i] : s->p) };
  if (!s->row) t->curvature = squared_length(s, t, i);
}

static mn_status init(mn_context *ctx, const mn_linear_svm *s, struct solver *w)
{
  double mean_square = 0;
  mn_svm_term *term = MN_RAW(ctx, mn_svm_term, s->n, 1);
  *w = (struct solver){ .s = s, .dual = { .s = s, .term = term }, .active = s->n, .threshold = INFINITY };
  w->dual.v = MN_NEW(ctx, double, s->p, 1);
  w->z = MN_RAW(ctx, double, s->n, 1);
  w->g = MN_NEW(ctx, double, s->n, 1);
  w->order = MN_RAW(ctx, size_t, s->n, 1);
  if (!term || !w->dual.v || !w->z || !w->g || !w->order) return MN_NO_MEMORY;
  for (size_t i = 0; i < s->n; i++) {
    w->order[i] = i;
    init_term(s, i, term + i);
    if (s->row) {
      mn_svm_add(s, i, 1, w->dual.v);
      term[i].curvature = mn_svm_dot(s, i, w->dual.v);
      mn_svm_add(s, i, -1, w->dual.v);
    }
    mean_square += term[i].curvature / (double)s->n;
    if (i % TERMS_PER_POLL == 0) MN_TRY(mn_poll(ctx));
  }
  memset(w->dual.v, 0, s->p * sizeof *w->dual.v);
  if (s->intercept == MN_SVM_PENALIZED) w->dual.inverse_rho = s->scaling * s->scaling;
  if (s->intercept == MN_SVM_FREE) w->dual.inverse_rho = mean_square > 0 ? 0.1 * mean_square : 1;
  for (size_t i = 0; i < s->n; i++) term[i].curvature += term[i].ridge + w->dual.inverse_rho;
  return MN_OK;
}

static double soft_threshold(double x, double pull)
{
  return x > pull ? x - pull : x < -pull ? x + pull : 0;
}

/* Ask for a term and a row that are needed soon. */
static void prefetch(const struct solver *w, size_t k)
{
  const mn_csr *x = w->s->row ? NULL : w->s->data->sparse;
  if (k + TERM_PREFETCH < w->active) __builtin_prefetch(w->dual.term + w->order[k + TERM_PREFETCH]);
  if (!x || k + ROW_PREFETCH >= w->active) return;
  const mn_svm_term *t = w->dual.term + w->order[k + ROW_PREFETCH];
  const size_t size = t->size < 128 ? t->size : 128;
  for (size_t e = 0; e < size; e += 8) __builtin_prefetch(x->at + t->begin + e);
  for (size_t e = 0; e < size; e += 16) __builtin_prefetch(x->col + t->begin + e);
}

/* The values and columns of a row. */
static const double *values(const struct solver *w, const mn_svm_term *t, const int32_t **col)
{
  const mn_data *d = w->s->data;
  *col = d->sparse ? d->sparse->col + t->begin : NULL;
  return (d->sparse ? d->sparse->at : d->x.at) + t->begin;
}

/* dD/dg_i without the tube. */
static double slope_at(const struct solver *w, size_t i)
{
  const mn_svm_term *t = w->dual.term + i;
  const int32_t *col;
  if (w->s->row) return t->target - mn_svm_dot(w->s, i, w->dual.v) - w->dual.c - t->ridge * t->g;
  const double *x = values(w, t, &col);
  return t->target - mn_svm_row_dot(t->size, x, col, w->dual.v) - w->dual.c - t->ridge * t->g;
}

static void move_term(struct solver *w, size_t i, double slope)
{
  mn_svm_term *t = w->dual.term + i;
  const double q = t->curvature, tube = w->s->tube;
  double next = slope > tube ? t->upper : slope < -tube ? t->lower : 0;
  if (q > 0) next = soft_threshold(t->g + slope / q, tube / q);
  next = fmin(fmax(next, t->lower), t->upper);
  const double change = next - t->g;
  if (!(change > 0) && !(change < 0)) return;
  t->g = next;
  w->dual.sum += change;
  w->dual.c += change * w->dual.inverse_rho;
  if (w->s->row) {
    mn_svm_add(w->s, i, change, w->dual.v);
    return;
  }
  const int32_t *col;
  const double *x = values(w, t, &col);
  mn_svm_row_add(t->size, change, x, col, w->dual.v);
}

/* How far D can still rise along g_i by its slope, or, if negative, the slack with which its optimality holds. */
static double violation(const struct solver *w, size_t i, double slope)
{
  const mn_svm_term *t = w->dual.term + i;
  const double tube = w->s->tube;
  const double right = t->g < t->upper ? slope - (t->g >= 0 ? tube : -tube) : -INFINITY;
  const double left = t->g > t->lower ? (t->g > 0 ? tube : -tube) - slope : -INFINITY;
  return fmax(right, left);
}

/* A round over the active terms; *largest is their largest violation. */
static mn_status run_round(mn_context *ctx, struct solver *w, int64_t round, double *largest)
{
  mn_rng rng = mn_stream(w->s->seed, (uint64_t)round);
  double most = 0;
  mn_shuffle(&rng, w->order, w->active);
  for (size_t k = 0; k < w->active; k++) {
    if (k % TERMS_PER_POLL == 0) MN_TRY(mn_poll(ctx));
    prefetch(w, k);
    const size_t i = w->order[k];
    const double slope = slope_at(w, i), found = violation(w, i, slope);
    if (found < -w->threshold) {
      w->order[k] = w->order[--w->active];
      w->order[w->active] = i;
      k--;
      continue;
    }
    most = fmax(most, found);
    move_term(w, i, slope);
  }
  w->threshold = most > 0 ? most : INFINITY;
  *largest = most;
  if (w->s->intercept == MN_SVM_FREE) w->dual.c += w->dual.sum * w->dual.inverse_rho;
  return MN_OK;
}

/* Use the terms whose optimality holds with less slack than `slack` at the scores z. */
static void activate(struct solver *w, double slack)
{
  const mn_svm_dual *d = &w->dual;
  size_t last = w->s->n;
  w->active = 0;
  w->threshold = INFINITY;
  for (size_t i = 0; i < w->s->n; i++) {
    const mn_svm_term *t = d->term + i;
    if (violation(w, i, t->target - w->z[i] - d->c - t->ridge * t->g) >= -slack)
      w->order[w->active++] = i;
    else
      w->order[--last] = i;
  }
}

/* F at b = X'g, which is kept if it is the best so far, and its distance from the best dual. */
static mn_status check_gap(mn_context *ctx, struct solver *w)
{
  const mn_linear_svm *s = w->s;
  mn_linear_svm_result *r = w->result;
  double c = w->dual.c, dual;
  MN_TRY(mn_svm_scores(ctx, s, w->dual.v, w->z));
  if (s->intercept == MN_SVM_FREE) MN_TRY(mn_svm_best_intercept(ctx, s, w->z, &c));
  const double primal = mn_svm_loss(s, w->z, c) + mn_svm_penalty(s, w->dual.v, c);
  if (primal < r->objective) {
    r->objective = primal;
    memcpy(w->best_b, w->dual.v, s->p * sizeof *w->best_b);
    *w->best_c = c;
  }
  for (size_t i = 0; i < s->n; i++) w->g[i] = w->dual.term[i].g;
  MN_TRY(mn_svm_dual_value(ctx, s, w->g, &dual));
  w->best_dual = fmax(w->best_dual, dual);
  r->gap = fmax(r->objective - w->best_dual, 0);
  r->converged = r->gap <= s->tol * r->objective;
  return MN_OK;
}

/* Rounds until the largest violation is at most `limit`, which is then lowered; at least one. *slow: they do not get
 * there soon, so that a joint step, which costs as much as a hundred of them, is worth its time. */
static mn_status run_stage(mn_context *ctx, struct solver *w, double *limit, int64_t *round, bool *keep_going,
                           bool *slow)
{
  static const double slow_rate = 0.7, limit_factor = 0.2;
  const mn_linear_svm *s = w->s;
  double largest = INFINITY, first = 0;
  for (int k = 0; k < MAX_ROUNDS_PER_STAGE && largest > *limit && *keep_going && *round < s->max_iter; k++) {
    MN_TRY(run_round(ctx, w, (*round)++, &largest));
    if (k == 0) first = largest;
    *keep_going = s->progress(s->user, w->result->objective);
  }
  *slow = largest > *limit && largest > slow_rate * first;
  if (largest <= *limit) *limit *= limit_factor;
  return MN_OK;
}

/* b = 0 with the best intercept; *unit is the size of a typical residual there. */
static mn_status start(mn_context *ctx, struct solver *w, double *unit)
{
  const mn_linear_svm *s = w->s;
  double total = 0;
  memset(w->best_b, 0, s->p * sizeof *w->best_b);
  memset(w->z, 0, s->n * sizeof *w->z);
  *w->best_c = 0;
  if (s->intercept == MN_SVM_FREE) MN_TRY(mn_svm_best_intercept(ctx, s, w->z, w->best_c));
  w->dual.c = *w->best_c;
  for (size_t i = 0; i < s->n; i++) total += mn_svm_cost(s, i);
  w->result->objective = w->result->gap = mn_svm_loss(s, w->z, w->dual.c);
  w->result->converged = !(w->result->objective > 0);
  *unit = w->result->objective / total;
  if (s->squared) *unit = sqrt(*unit);
  return MN_OK;
}

static mn_status ascend(mn_context *ctx, const mn_linear_svm *s, double *b, double *c, mn_linear_svm_result *r)
{
  static const double first_limit = 0.1, cg_tolerance = 0.01;
  struct solver w;
  double unit;
  int64_t round = 0;
  bool keep_going = true, slow;
  MN_TRY(init(ctx, s, &w));
  w.best_b = b;
  w.best_c = c;
  w.result = r;
  MN_TRY(start(ctx, &w, &unit));
  double limit = first_limit * unit;
  while (keep_going && !r->converged && round < s->max_iter) {
    MN_TRY(run_stage(ctx, &w, &limit, &round, &keep_going, &slow));
    MN_TRY(check_gap(ctx, &w));
    if (!r->converged && keep_going && slow) MN_TRY(mn_svm_joint_step(ctx, &w.dual, cg_tolerance));
    activate(&w, limit);
  }
  return MN_OK;
}

mn_status mn_svm_solve_dual(mn_context *ctx, const mn_linear_svm *s, double *b, double *c, mn_linear_svm_result *r)
{
  if (s->intercept != MN_SVM_FREE || s->data->sparse) return ascend(ctx, s, b, c, r);
  mn_data data;
  mn_linear_svm centered = *s;
  double *mean;
  MN_TRY(mn_svm_center(ctx, s->data, &data, &mean));
  centered.data = &data;
  MN_TRY(ascend(ctx, &centered, b, c, r));
  for (size_t j = 0; j < s->p; j++) *c -= mean[j] * b[j];
  return MN_OK;
}
