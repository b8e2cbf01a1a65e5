/* Linear models by coordinate descent on quadratic models of the loss: Newton's method whose steps are found one
 * coordinate at a time, which suits an L1 penalty and many columns of which few are used. A round is
 *
 *     1. the gradient of all columns that may move, and the curvature of each row's score;
 *     2. sweeps in random order over the model that they make, until its subgradient is small beside that of 1;
 *     3. the step shortened until F falls as it should.
 *
 * Columns whose weight is 0 and whose gradient lies well within the penalty are left out of the rounds to come, and of
 * the sweeps, until what is left is solved; then all are looked at again. So screening costs no accuracy. Where a step
 * has to be cut to pieces, the bound on the curvature takes its place for a round: then the full step falls.
 *
 * Yuan, Ho & Lin, JMLR 13 (2012), for the rounds and the shrinking; Friedman, Hastie & Tibshirani, J. Stat. Software 33
 * (2010). */
#include "../core/rng.h"
#include "../linalg/csr.h"
#include "descent.h"
#include "descent_kernel.h"
#include <float.h>
#include <math.h>
#include <string.h>

#define TINY 1e-12 /* of a curvature of 1, which is about that of a column: none is less */

struct state {
  mn_descent *d;
  double *u;
  /* Columns over their scales are unit_j times these: dense ones (p x n) about their means, sparse ones as they are. */
  double *dense;
  mn_csr turned;
  double *unit;                       /* p */
  double c;                           /* the constant that belongs to such columns: in z                   */
  double *old_z, *pair;               /* n; n x 2: curvature of the score, and its step                    */
  double *gradient, *diagonal, *next; /* p: of the loss and L2; weights after the full step   */
  double next_c;
  size_t *order, *swept; /* columns that may move; those of them in the sweeps            */
  size_t count, left;
  double last;    /* largest element of the subgradient in the round before: sets how far screening goes */
  double loss;    /* at z */
  bool use_bound; /* of the curvature, in this round */
  uint64_t shuffles;
};

static mn_status copy_columns(mn_context *ctx, struct state *s)
{
  const mn_descent *d = s->d;
  if (d->data->sparse) {
    MN_TRY(mn_csr_turn(ctx, d->data->sparse, &s->turned));
    for (size_t j = 0; j < d->p; j++) s->unit[j] = 1 / d->scale[j];
    return MN_OK;
  }
  s->dense = MN_RAW(ctx, double, d->p, d->n);
  MN_CHECK_ALLOC(s->dense);
  for (size_t j = 0; j < d->p; j++) s->unit[j] = 1;
  for (size_t i = 0; i < d->n; i++)
    for (size_t j = 0; j < d->p; j++) s->dense[j * d->n + i] = (mn_row(&d->data->x, i)[j] - d->mean[j]) / d->scale[j];
  return MN_OK;
}

/* A column as it lies: its values and rows, and how many. */
static size_t column(const struct state *s, size_t j, const double **x, const int32_t **row)
{
  if (s->dense) {
    *x = s->dense + j * s->d->n;
    *row = NULL;
    return s->d->n;
  }
  const size_t at = s->turned.start[j];
  *x = s->turned.at + at;
  *row = s->turned.col + at;
  return s->turned.start[j + 1] - at;
}

static double mean_of(const struct state *s, const double *u)
{
  double sum = 0;
  for (size_t j = 0; j < s->d->p; j++) sum += s->d->mean[j] * u[j] / s->d->scale[j];
  return sum;
}

static mn_status make(mn_context *ctx, struct state *s)
{
  const size_t n = s->d->n, p = s->d->p;
  s->old_z = MN_RAW(ctx, double, n, 1);
  s->pair = MN_RAW(ctx, double, n, 2);
  s->gradient = MN_RAW(ctx, double, p, 1);
  s->diagonal = MN_RAW(ctx, double, p, 1);
  s->next = MN_RAW(ctx, double, p, 1);
  s->order = MN_RAW(ctx, size_t, p, 1);
  s->swept = MN_RAW(ctx, size_t, p, 1);
  s->unit = MN_RAW(ctx, double, p, 1);
  if (!s->unit || !s->old_z || !s->pair || !s->gradient || !s->diagonal || !s->next || !s->order || !s->swept)
    return MN_NO_MEMORY;
  MN_TRY(copy_columns(ctx, s));
  s->c = s->u[p] / s->d->scale[p] - (s->dense ? 0 : mean_of(s, s->u));
  for (size_t i = 0; i < n; i++) s->pair[2 * i + 1] = s->c;
  for (size_t j = 0; j < p; j++) {
    const double *x;
    const int32_t *row;
    const size_t size = column(s, j, &x, &row);
    if (s->u[j] != 0) mn_descent_add(size, s->unit[j] * s->u[j], x, row, s->pair);
    s->order[j] = j;
  }
  for (size_t i = 0; i < n; i++) s->d->z[i] = s->pair[2 * i + 1];
  s->count = p;
  s->last = INFINITY;
  return MN_OK;
}

static double l2_of(const struct state *s, size_t j)
{
  return s->d->l2 / (s->d->scale[j] * s->d->scale[j]);
}

static double pull_of(const struct state *s, size_t j)
{
  return s->d->l1 / s->d->scale[j];
}

static double least_slope(double u, double g, double pull)
{
  if (u > 0) return fabs(g + pull);
  return u < 0 ? fabs(g - pull) : fmax(fabs(g) - pull, 0);
}

static double penalty_at(const struct state *s, double share)
{
  double sum = 0;
  for (size_t j = 0; j < s->d->p; j++) {
    const double u = s->u[j] + (share > 0 ? share * (s->next[j] - s->u[j]) : 0);
    if (u != 0) sum += pull_of(s, j) * fabs(u) + l2_of(s, j) / 2 * u * u;
  }
  return sum;
}

/* Curvature of all scores; where their steps will be, the slopes meanwhile. */
static void find_curvature(struct state *s)
{
  const mn_descent *d = s->d;
  for (size_t i = 0; i < d->n; i++) {
    const double h = s->use_bound ? d->loss->steepest : d->loss->curvature(d->y[i], d->z[i], d->parameter);
    s->pair[2 * i] = d->share[i] * h;
    s->pair[2 * i + 1] = d->slope[i];
  }
}

enum { COLUMNS = 64 }; /* of a block */

struct looking {
  struct state *s;
  size_t first;
  mn_blocks blocks;
};

static void look_task(void *work, size_t block, size_t worker)
{
  const struct looking *w = work;
  struct state *s = w->s;
  (void)worker;
  for (size_t k = mn_block_begin(&w->blocks, block); k < mn_block_end(&w->blocks, block); k++) {
    const size_t j = s->order[w->first + k];
    const double *x;
    const int32_t *row;
    const size_t size = column(s, j, &x, &row);
    double g, h;
    mn_descent_look(size, x, row, s->pair, &g, &h);
    s->gradient[j] = s->unit[j] * g + l2_of(s, j) * s->u[j];
    s->diagonal[j] = s->unit[j] * s->unit[j] * h + l2_of(s, j) + TINY;
  }
}

/* Gradient and diagonal of some columns. */
static mn_status look_at(mn_context *ctx, struct state *s, size_t first, size_t end)
{
  struct looking w = { .s = s, .first = first, .blocks = mn_make_blocks(end - first, COLUMNS, SIZE_MAX) };
  return mn_parallel(ctx, w.blocks.count, look_task, &w);
}

/* Those of the columns that may move; those well within the penalty are dropped. *steepest: the largest element of the
 * subgradient. */
static mn_status look(mn_context *ctx, struct state *s, double *steepest)
{
  const double margin = s->last / (double)s->d->n;
  double largest = 0;
  MN_TRY(look_at(ctx, s, 0, s->count));
  for (size_t k = 0; k < s->count;) {
    const size_t j = s->order[k];
    if (s->u[j] == 0 && fabs(s->gradient[j]) < pull_of(s, j) - margin) {
      s->order[k] = s->order[--s->count];
      s->order[s->count] = j;
      continue;
    }
    largest = fmax(largest, least_slope(s->u[j], s->gradient[j], pull_of(s, j)));
    k++;
  }
  *steepest = largest;
  return MN_OK;
}

/* The constant, which has no penalty: its best for the model. Returns its slope before, by u. */
static double sweep_constant(struct state *s, double slope)
{
  const mn_descent *d = s->d;
  double g = slope, h = 0;
  for (size_t i = 0; i < d->n; i++) {
    g += s->pair[2 * i] * s->pair[2 * i + 1];
    h += s->pair[2 * i];
  }
  const double by = -g / fmax(h, TINY * d->scale[d->p] * d->scale[d->p]);
  for (size_t i = 0; i < d->n; i++) s->pair[2 * i + 1] += by;
  s->next_c += by;
  return fabs(g) / d->scale[d->p];
}

/* By u_j, at the weights and steps of now. */
static double slope_of_model(const struct state *s, size_t j)
{
  const double *x;
  const int32_t *row;
  const size_t size = column(s, j, &x, &row);
  return s->gradient[j] + l2_of(s, j) * (s->next[j] - s->u[j]) + s->unit[j] * mn_descent_dot(size, x, row, s->pair);
}

/* The order is random, so the cache has nothing of the column that comes next: send for it. */
static void send_for(const struct state *s, size_t k)
{
  if (s->dense || k >= s->left) return;
  const size_t j = s->swept[k], at = s->turned.start[j];
  __builtin_prefetch(s->turned.at + at);
  __builtin_prefetch(s->turned.col + at);
  __builtin_prefetch(s->next + j);
  __builtin_prefetch(s->u + j);
  __builtin_prefetch(s->unit + j);
  __builtin_prefetch(s->gradient + j);
  __builtin_prefetch(s->diagonal + j);
  __builtin_prefetch(s->d->scale + j);
}

/* One sweep over the columns left; returns the largest element of the model's subgradient on the way. */
static double sweep(struct state *s, double margin)
{
  double largest = 0;
  for (size_t k = 0; k < s->left;) {
    const size_t j = s->swept[k];
    const double *x, pull = pull_of(s, j), v = s->next[j];
    const int32_t *row;
    send_for(s, k + 1);
    const double g = slope_of_model(s, j);
    if (v == 0 && fabs(g) < pull - margin) {
      s->swept[k] = s->swept[--s->left];
      s->swept[s->left] = j;
      continue;
    }
    k++;
    largest = fmax(largest, least_slope(v, g, pull));
    const double h = s->diagonal[j], goal = h * v - g;
    const double next = copysign(fmax(fabs(goal) - pull, 0), goal) / h;
    if (next == v) continue;
    s->next[j] = next;
    const size_t size = column(s, j, &x, &row);
    mn_descent_add(size, s->unit[j] * (next - v), x, row, s->pair);
  }
  return largest;
}

/* Those columns first that have weights, or are near to having one; the others lie behind. Returns how many. */
static size_t enlist(struct state *s)
{
  static const double near = 0.9;
  size_t first = 0, last = s->count;
  for (size_t k = 0; k < s->count; k++) {
    const size_t j = s->order[k];
    const bool moves = s->u[j] != 0 || fabs(s->gradient[j]) >= near * pull_of(s, j);
    s->swept[moves ? first++ : --last] = j;
  }
  return first;
}

/* Sweeps until the model's subgradient is at most `wanted`. */
static mn_status minimise_model(mn_context *ctx, struct state *s, double slope, double wanted)
{
  enum { MOST_SWEEPS = 1000 };
  double before = INFINITY;
  memcpy(s->next, s->u, s->d->p * sizeof *s->next);
  s->next_c = s->c;
  for (size_t i = 0; i < s->d->n; i++) s->pair[2 * i + 1] = 0;
  s->left = enlist(s);
  for (int k = 0; k < MOST_SWEEPS; k++) {
    const bool whole = s->left == s->count;
    mn_rng rng = mn_stream(s->d->seed, s->shuffles++);
    mn_shuffle(&rng, s->swept, s->left);
    double largest = s->d->fit_intercept ? sweep_constant(s, slope) : 0;
    largest = fmax(largest, sweep(s, before / (double)s->d->n));
    MN_TRY(mn_poll(ctx));
    before = largest;
    if (largest > wanted) continue;
    if (whole) break;
    s->left = s->count;
    before = INFINITY;
  }
  return MN_OK;
}

/* The fall of F that the step promises to first order. */
static double promise_of(const struct state *s)
{
  double sum = penalty_at(s, 0);
  for (size_t i = 0; i < s->d->n; i++) sum -= s->d->slope[i] * s->pair[2 * i + 1];
  for (size_t j = 0; j < s->d->p; j++) {
    const double move = s->next[j] - s->u[j];
    sum -= pull_of(s, j) * fabs(s->next[j]) +
           (move != 0 || s->u[j] != 0 ? l2_of(s, j) * s->u[j] * (s->u[j] / 2 + move) : 0);
  }
  return sum;
}

/* Towards the trial, by halves until F falls by a share of the promise. *objective in and out; *share: how far. */
static mn_status shorten(mn_context *ctx, struct state *s, double promise, double *objective, double *share)
{
  enum { HALVINGS = 40 };
  mn_descent *d = s->d;
  memcpy(s->old_z, d->z, d->n * sizeof *d->z);
  *share = 1;
  for (int k = 0; k < HALVINGS; k++, *share /= 2) {
    double slope;
    for (size_t i = 0; i < d->n; i++) d->z[i] = s->old_z[i] + *share * s->pair[2 * i + 1];
    MN_TRY(mn_descent_lose(ctx, d, &s->loss, &slope));
    const double now = s->loss + penalty_at(s, *share);
    if (!(now <= *objective - 1e-4 * *share * promise)) continue;
    for (size_t j = 0; j < d->p; j++) s->u[j] = *share == 1 ? s->next[j] : s->u[j] + *share * (s->next[j] - s->u[j]);
    s->c += *share * (s->next_c - s->c);
    *objective = now;
    return MN_OK;
  }
  *share = 0;
  memcpy(d->z, s->old_z, d->n * sizeof *d->z);
  double slope;
  return mn_descent_lose(ctx, d, &s->loss, &slope);
}

/* How small the model's subgradient is to be beside that of its start: ever smaller, as Newton's method wants it, but
 * not so small that it serves no purpose: what is left of the gain falls with its square. */
static double how_well(const mn_descent *d, const mn_descent_end *end)
{
  static const double most = 0.1;
  const double enough = d->gain > 0 && end->gain > 0 ? sqrt(d->gain / end->gain) / 2 : 0;
  return fmin(most, fmax(enough, end->steepest / sqrt(d->begin)));
}

/* One round. *end: as of its start, but for the objective. */
static mn_status round_of(mn_context *ctx, struct state *s, mn_descent_end *end, double *share)
{
  const mn_descent *d = s->d;
  double slope = 0, constant;
  for (size_t i = 0; i < d->n; i++) slope += d->slope[i];
  constant = d->fit_intercept ? fabs(slope) / d->scale[d->p] : 0;
  find_curvature(s);
  MN_TRY(look(ctx, s, &end->steepest));
  if (fmax(end->steepest, constant) <= d->wanted && s->count < d->p) {
    s->count = d->p;
    s->last = INFINITY;
    MN_TRY(look(ctx, s, &end->steepest));
  }
  end->steepest = fmax(end->steepest, constant);
  s->last = end->steepest;
  end->converged = end->steepest <= d->wanted;
  if (end->converged) return MN_OK;
  const double few = how_well(d, end);
  MN_TRY(minimise_model(ctx, s, slope, fmax(few * end->steepest, d->wanted / 2)));
  const double promise = promise_of(s);
  end->gain = promise / 2 / fmax(fabs(end->objective), DBL_MIN);
  return shorten(ctx, s, promise, &end->objective, share);
}

/* What the columns that were left out could gain, each by itself, as a share of F. */
static mn_status gain_of_rest(mn_context *ctx, struct state *s, double objective, double *gain)
{
  double sum = 0;
  find_curvature(s);
  MN_TRY(look_at(ctx, s, s->count, s->d->p));
  for (size_t k = s->count; k < s->d->p; k++) {
    const size_t j = s->order[k];
    const double slope = least_slope(0, s->gradient[j], pull_of(s, j));
    sum += slope * slope / (2 * s->diagonal[j]);
  }
  *gain = sum / fmax(fabs(objective), DBL_MIN);
  return MN_OK;
}

/* Is the round that was made the last one? If so, but of some columns only, all are to be looked at again. */
static mn_status find_last(mn_context *ctx, struct state *s, const mn_descent_end *end, double share, bool *last)
{
  const mn_descent *d = s->d;
  /* no shorter step falls, though the bound would: rounding, which is an end, too */
  const bool rounding = share == 0 && (s->use_bound || isinf(d->loss->steepest));
  *last = rounding || (d->gain > 0 && end->gain <= d->gain);
  if (!*last || s->count == d->p) return MN_OK;
  double more;
  MN_TRY(gain_of_rest(ctx, s, end->objective, &more));
  *last = more <= fmax(d->gain - end->gain, 0);
  if (*last) return MN_OK;
  s->count = d->p;
  s->last = INFINITY;
  return MN_OK;
}

mn_status mn_descent_by_coordinates(mn_context *ctx, mn_descent *d, double *u, mn_descent_end *end)
{
  struct state s = { .d = d, .u = u };
  double slope, share = 1;
  bool go_on = true;
  MN_TRY(make(ctx, &s));
  MN_TRY(mn_descent_lose(ctx, d, &s.loss, &slope));
  end->objective = s.loss + penalty_at(&s, 0);
  for (int64_t round = 0; go_on && round < d->max_iter; round++) {
    MN_TRY(round_of(ctx, &s, end, &share));
    if (end->converged) break;
    MN_TRY(find_last(ctx, &s, end, share, &end->converged));
    s.use_bound = share < 0.1 && isfinite(d->loss->steepest) && !s.use_bound;
    go_on = d->note(d->user, end->objective) && !end->converged;
  }
  u[d->p] = (s.c + (s.dense ? 0 : mean_of(&s, u))) * d->scale[d->p];
  return MN_OK;
}
