/* Linear models by coordinate descent on quadratic models of the loss: Newton's method whose steps are found one
 * coordinate at a time, which suits an L1 penalty and many columns of which few are used. A round
 *
 *     1. computes the gradient of all active columns and the curvature of each row's score;
 *     2. sweeps over the quadratic model in random order until its subgradient is small relative to that of 1;
 *     3. backtracks along the step until F falls.
 *
 * Columns with a zero coefficient whose gradient lies well within the penalty are left out of later rounds and sweeps
 * until the rest is solved; then all columns are checked again, so screening costs no accuracy. Where a step must be
 * shortened a lot, a bound on the curvature replaces it for one round: then the full step decreases F.
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

#define MIN_CURVATURE 1e-12 /* lower limit of a curvature; that of a scaled column is about 1 */

struct state {
  mn_descent *d;
  double *u;
  /* Column j over its scale is unit_j times one of these: dense (p x n), centered; or sparse, not centered. */
  double *dense;
  mn_csr transposed;
  double *unit;                       /* p */
  double c;                           /* intercept that belongs to these columns; part of z */
  double *old_z, *pair;               /* n; n x 2: curvature of each score, and its step */
  double *gradient, *diagonal, *next; /* p: of loss and L2; coefficients after the full step */
  double next_c;
  size_t *active, *sweep_columns; /* columns that may change; those of them in the sweeps            */
  size_t active_count, sweep_count;
  double last_subgradient; /* largest subgradient element of the previous round: sets the screening margin */
  double loss;             /* at z */
  bool use_bound;          /* use the curvature bound in this round */
  uint64_t shuffles;
};

static mn_status copy_columns(mn_context *ctx, struct state *s)
{
  const mn_descent *d = s->d;
  if (d->data->sparse) {
    MN_TRY(mn_csr_transpose_scratch(ctx, d->data->sparse, &s->transposed));
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

/* Values and rows of a column, and how many. */
static size_t get_column(const struct state *s, size_t j, const double **x, const int32_t **row)
{
  if (s->dense) {
    *x = s->dense + j * s->d->n;
    *row = NULL;
    return s->d->n;
  }
  const size_t at = s->transposed.start[j];
  *x = s->transposed.at + at;
  *row = s->transposed.col + at;
  return s->transposed.start[j + 1] - at;
}

static double mean_of(const struct state *s, const double *u)
{
  double sum = 0;
  for (size_t j = 0; j < s->d->p; j++) sum += s->d->mean[j] * u[j] / s->d->scale[j];
  return sum;
}

static mn_status init_solver(mn_context *ctx, struct state *s)
{
  const size_t n = s->d->n, p = s->d->p;
  s->old_z = MN_RAW(ctx, double, n, 1);
  s->pair = MN_RAW(ctx, double, n, 2);
  s->gradient = MN_RAW(ctx, double, p, 1);
  s->diagonal = MN_RAW(ctx, double, p, 1);
  s->next = MN_RAW(ctx, double, p, 1);
  s->active = MN_RAW(ctx, size_t, p, 1);
  s->sweep_columns = MN_RAW(ctx, size_t, p, 1);
  s->unit = MN_RAW(ctx, double, p, 1);
  if (!s->unit || !s->old_z || !s->pair || !s->gradient || !s->diagonal || !s->next || !s->active || !s->sweep_columns)
    return MN_NO_MEMORY;
  MN_TRY(copy_columns(ctx, s));
  s->c = s->u[p] / s->d->scale[p] - (s->dense ? 0 : mean_of(s, s->u));
  for (size_t i = 0; i < n; i++) s->pair[2 * i + 1] = s->c;
  for (size_t j = 0; j < p; j++) {
    const double *x;
    const int32_t *row;
    const size_t size = get_column(s, j, &x, &row);
    if (s->u[j] != 0) mn_descent_add(size, s->unit[j] * s->u[j], x, row, s->pair);
    s->active[j] = j;
  }
  for (size_t i = 0; i < n; i++) s->d->z[i] = s->pair[2 * i + 1];
  s->active_count = p;
  s->last_subgradient = INFINITY;
  return MN_OK;
}

static double l2_of(const struct state *s, size_t j)
{
  return s->d->l2 / (s->d->scale[j] * s->d->scale[j]);
}

static double l1_of(const struct state *s, size_t j)
{
  return s->d->l1 / s->d->scale[j];
}

static double subgradient(double u, double g, double threshold)
{
  if (u > 0) return fabs(g + threshold);
  return u < 0 ? fabs(g - threshold) : fmax(fabs(g) - threshold, 0);
}

static double penalty_at(const struct state *s, double step_length)
{
  double sum = 0;
  for (size_t j = 0; j < s->d->p; j++) {
    const double u = s->u[j] + (step_length > 0 ? step_length * (s->next[j] - s->u[j]) : 0);
    if (u != 0) sum += l1_of(s, j) * fabs(u) + l2_of(s, j) / 2 * u * u;
  }
  return sum;
}

/* Set the curvature of all scores. The second half of each pair holds the slopes until the sweeps. */
static void find_curvature(struct state *s)
{
  const mn_descent *d = s->d;
  for (size_t i = 0; i < d->n; i++) {
    const double h = s->use_bound ? d->loss->max_curvature : d->loss->curvature(d->y[i], d->z[i], d->parameter);
    s->pair[2 * i] = d->weight[i] * h;
    s->pair[2 * i + 1] = d->slope[i];
  }
}

enum { BLOCK_COLUMNS = 64 };

struct column_work {
  struct state *s;
  size_t first;
  mn_blocks blocks;
};

static void column_task(void *work, size_t block, size_t worker)
{
  const struct column_work *w = work;
  struct state *s = w->s;
  (void)worker;
  for (size_t k = mn_block_begin(&w->blocks, block); k < mn_block_end(&w->blocks, block); k++) {
    const size_t j = s->active[w->first + k];
    const double *x;
    const int32_t *row;
    const size_t size = get_column(s, j, &x, &row);
    double g, h;
    mn_descent_gradient_diagonal(size, x, row, s->pair, &g, &h);
    s->gradient[j] = s->unit[j] * g + l2_of(s, j) * s->u[j];
    s->diagonal[j] = s->unit[j] * s->unit[j] * h + l2_of(s, j) + MIN_CURVATURE;
  }
}

/* Gradient and diagonal of active[first .. end - 1]. */
static mn_status update_columns(mn_context *ctx, struct state *s, size_t first, size_t end)
{
  struct column_work w = { .s = s, .first = first, .blocks = mn_make_blocks(end - first, BLOCK_COLUMNS, SIZE_MAX) };
  return mn_parallel(ctx, w.blocks.count, column_task, &w);
}

/* Update the active columns and drop those well within the penalty. *largest_subgradient: over the active columns. */
static mn_status update_active(mn_context *ctx, struct state *s, double *largest_subgradient)
{
  const double margin = s->last_subgradient / (double)s->d->n;
  double largest = 0;
  MN_TRY(update_columns(ctx, s, 0, s->active_count));
  for (size_t k = 0; k < s->active_count;) {
    const size_t j = s->active[k];
    if (s->u[j] == 0 && fabs(s->gradient[j]) < l1_of(s, j) - margin) {
      s->active[k] = s->active[--s->active_count];
      s->active[s->active_count] = j;
      continue;
    }
    largest = fmax(largest, subgradient(s->u[j], s->gradient[j], l1_of(s, j)));
    k++;
  }
  *largest_subgradient = largest;
  return MN_OK;
}

/* Set the intercept to the minimum of the model. Returns its slope before, by u. */
static double sweep_constant(struct state *s, double slope)
{
  const mn_descent *d = s->d;
  double g = slope, h = 0;
  for (size_t i = 0; i < d->n; i++) {
    g += s->pair[2 * i] * s->pair[2 * i + 1];
    h += s->pair[2 * i];
  }
  const double step = -g / fmax(h, MIN_CURVATURE * d->scale[d->p] * d->scale[d->p]);
  for (size_t i = 0; i < d->n; i++) s->pair[2 * i + 1] += step;
  s->next_c += step;
  return fabs(g) / d->scale[d->p];
}

/* Slope of the model by u_j, at the current coefficients and steps. */
static double slope_of_model(const struct state *s, size_t j)
{
  const double *x;
  const int32_t *row;
  const size_t size = get_column(s, j, &x, &row);
  return s->gradient[j] + l2_of(s, j) * (s->next[j] - s->u[j]) + s->unit[j] * mn_descent_dot(size, x, row, s->pair);
}

/* Columns come in random order, so prefetch the next one. */
static void prefetch_column(const struct state *s, size_t k)
{
  if (s->dense || k >= s->sweep_count) return;
  const size_t j = s->sweep_columns[k], at = s->transposed.start[j];
  __builtin_prefetch(s->transposed.at + at);
  __builtin_prefetch(s->transposed.col + at);
  __builtin_prefetch(s->next + j);
  __builtin_prefetch(s->u + j);
  __builtin_prefetch(s->unit + j);
  __builtin_prefetch(s->gradient + j);
  __builtin_prefetch(s->diagonal + j);
  __builtin_prefetch(s->d->scale + j);
}

/* One sweep; returns the largest element of the model's subgradient seen. */
static double sweep(struct state *s, double margin)
{
  double largest = 0;
  for (size_t k = 0; k < s->sweep_count;) {
    const size_t j = s->sweep_columns[k];
    const double *x, threshold = l1_of(s, j), v = s->next[j];
    const int32_t *row;
    prefetch_column(s, k + 1);
    const double g = slope_of_model(s, j);
    if (v == 0 && fabs(g) < threshold - margin) {
      s->sweep_columns[k] = s->sweep_columns[--s->sweep_count];
      s->sweep_columns[s->sweep_count] = j;
      continue;
    }
    k++;
    largest = fmax(largest, subgradient(v, g, threshold));
    const double h = s->diagonal[j], unpenalized = h * v - g;
    const double next = copysign(fmax(fabs(unpenalized) - threshold, 0), unpenalized) / h;
    if (next == v) continue;
    s->next[j] = next;
    const size_t size = get_column(s, j, &x, &row);
    mn_descent_add(size, s->unit[j] * (next - v), x, row, s->pair);
  }
  return largest;
}

/* Put columns first that have nonzero coefficients or nearly so; returns how many. */
static size_t select_sweep_columns(struct state *s)
{
  static const double near_threshold = 0.9;
  size_t first = 0, last_subgradient = s->active_count;
  for (size_t k = 0; k < s->active_count; k++) {
    const size_t j = s->active[k];
    const bool moves = s->u[j] != 0 || fabs(s->gradient[j]) >= near_threshold * l1_of(s, j);
    s->sweep_columns[moves ? first++ : --last_subgradient] = j;
  }
  return first;
}

/* Sweep until the model's subgradient is at most `tolerance`. */
static mn_status minimize_model(mn_context *ctx, struct state *s, double slope, double tolerance)
{
  enum { MAX_SWEEPS = 1000 };
  double previous = INFINITY;
  memcpy(s->next, s->u, s->d->p * sizeof *s->next);
  s->next_c = s->c;
  for (size_t i = 0; i < s->d->n; i++) s->pair[2 * i + 1] = 0;
  s->sweep_count = select_sweep_columns(s);
  for (int k = 0; k < MAX_SWEEPS; k++) {
    const bool all_active = s->sweep_count == s->active_count;
    mn_rng rng = mn_stream(s->d->seed, s->shuffles++);
    mn_shuffle(&rng, s->sweep_columns, s->sweep_count);
    double largest = s->d->fit_intercept ? sweep_constant(s, slope) : 0;
    largest = fmax(largest, sweep(s, previous / (double)s->d->n));
    MN_TRY(mn_poll(ctx));
    previous = largest;
    if (largest > tolerance) continue;
    if (all_active) break;
    s->sweep_count = s->active_count;
    previous = INFINITY;
  }
  return MN_OK;
}

/* Decrease of F to first order over the full step. */
static double predicted_decrease(const struct state *s)
{
  double sum = penalty_at(s, 0);
  for (size_t i = 0; i < s->d->n; i++) sum -= s->d->slope[i] * s->pair[2 * i + 1];
  for (size_t j = 0; j < s->d->p; j++) {
    const double move = s->next[j] - s->u[j];
    sum -=
        l1_of(s, j) * fabs(s->next[j]) + (move != 0 || s->u[j] != 0 ? l2_of(s, j) * s->u[j] * (s->u[j] / 2 + move) : 0);
  }
  return sum;
}

/* Backtrack until F falls by a share of the prediction. *objective in and out; *step_length out. */
static mn_status line_search(mn_context *ctx, struct state *s, double predicted, double *objective, double *step_length)
{
  enum { MAX_HALVINGS = 40 };
  mn_descent *d = s->d;
  memcpy(s->old_z, d->z, d->n * sizeof *d->z);
  *step_length = 1;
  for (int k = 0; k < MAX_HALVINGS; k++, *step_length /= 2) {
    double slope;
    for (size_t i = 0; i < d->n; i++) d->z[i] = s->old_z[i] + *step_length * s->pair[2 * i + 1];
    MN_TRY(mn_descent_compute_loss(ctx, d, &s->loss, &slope));
    const double now = s->loss + penalty_at(s, *step_length);
    if (!(now <= *objective - 1e-4 * *step_length * predicted)) continue;
    for (size_t j = 0; j < d->p; j++)
      s->u[j] = *step_length == 1 ? s->next[j] : s->u[j] + *step_length * (s->next[j] - s->u[j]);
    s->c += *step_length * (s->next_c - s->c);
    *objective = now;
    return MN_OK;
  }
  *step_length = 0;
  memcpy(d->z, s->old_z, d->n * sizeof *d->z);
  double slope;
  return mn_descent_compute_loss(ctx, d, &s->loss, &slope);
}

/* Accuracy of the model's minimum relative to its start: increasing, as superlinear convergence needs, but no higher
 * than useful, since the remaining gain falls with its square. */
static double model_tolerance(const mn_descent *d, const mn_descent_result *end)
{
  static const double max_tolerance = 0.1;
  const double enough = d->gain_tol > 0 && end->gain > 0 ? sqrt(d->gain_tol / end->gain) / 2 : 0;
  return fmin(max_tolerance, fmax(enough, end->max_subgradient / sqrt(d->start_value)));
}

/* One round. *end holds the values at its start, except for the objective. */
static mn_status run_round(mn_context *ctx, struct state *s, mn_descent_result *end, double *step_length)
{
  const mn_descent *d = s->d;
  double slope = 0, constant;
  for (size_t i = 0; i < d->n; i++) slope += d->slope[i];
  constant = d->fit_intercept ? fabs(slope) / d->scale[d->p] : 0;
  find_curvature(s);
  MN_TRY(update_active(ctx, s, &end->max_subgradient));
  if (fmax(end->max_subgradient, constant) <= d->subgradient_tol && s->active_count < d->p) {
    s->active_count = d->p;
    s->last_subgradient = INFINITY;
    MN_TRY(update_active(ctx, s, &end->max_subgradient));
  }
  end->max_subgradient = fmax(end->max_subgradient, constant);
  s->last_subgradient = end->max_subgradient;
  end->converged = end->max_subgradient <= d->subgradient_tol;
  if (end->converged) return MN_OK;
  const double accuracy = model_tolerance(d, end);
  MN_TRY(minimize_model(ctx, s, slope, fmax(accuracy * end->max_subgradient, d->subgradient_tol / 2)));
  const double predicted = predicted_decrease(s);
  end->gain = predicted / 2 / fmax(fabs(end->objective), DBL_MIN);
  return line_search(ctx, s, predicted, &end->objective, step_length);
}

/* What the inactive columns could gain, each by itself, as a share of F. */
static mn_status inactive_gain(mn_context *ctx, struct state *s, double objective, double *gain)
{
  double sum = 0;
  find_curvature(s);
  MN_TRY(update_columns(ctx, s, s->active_count, s->d->p));
  for (size_t k = s->active_count; k < s->d->p; k++) {
    const size_t j = s->active[k];
    const double slope = subgradient(0, s->gradient[j], l1_of(s, j));
    sum += slope * slope / (2 * s->diagonal[j]);
  }
  *gain = sum / fmax(fabs(objective), DBL_MIN);
  return MN_OK;
}

/* Whether this was the last round. If so, but with some columns inactive, all columns must be checked. */
static mn_status check_stopping(mn_context *ctx, struct state *s, const mn_descent_result *end, double step_length,
                                bool *last_subgradient)
{
  const mn_descent *d = s->d;
  /* no step decreases F, even with the bound: rounding, so stop */
  const bool rounding = step_length == 0 && (s->use_bound || isinf(d->loss->max_curvature));
  *last_subgradient = rounding || (d->gain_tol > 0 && end->gain <= d->gain_tol);
  if (!*last_subgradient || s->active_count == d->p) return MN_OK;
  double more;
  MN_TRY(inactive_gain(ctx, s, end->objective, &more));
  *last_subgradient = more <= fmax(d->gain_tol - end->gain, 0);
  if (*last_subgradient) return MN_OK;
  s->active_count = d->p;
  s->last_subgradient = INFINITY;
  return MN_OK;
}

mn_status mn_descent_solve_coordinate(mn_context *ctx, mn_descent *d, double *u, mn_descent_result *end)
{
  struct state s = { .d = d, .u = u };
  double slope, step_length = 1;
  bool keep_going = true;
  MN_TRY(init_solver(ctx, &s));
  MN_TRY(mn_descent_compute_loss(ctx, d, &s.loss, &slope));
  end->objective = s.loss + penalty_at(&s, 0);
  for (int64_t round = 0; keep_going && round < d->max_iter; round++) {
    MN_TRY(run_round(ctx, &s, end, &step_length));
    if (end->converged) break;
    MN_TRY(check_stopping(ctx, &s, end, step_length, &end->converged));
    s.use_bound = step_length < 0.1 && isfinite(d->loss->max_curvature) && !s.use_bound;
    keep_going = d->progress(d->user, end->objective) && !end->converged;
  }
  u[d->p] = (s.c + (s.dense ? 0 : mean_of(&s, u))) * d->scale[d->p];
  return MN_OK;
}
