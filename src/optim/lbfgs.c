#include "lbfgs.h"
#include "lbfgs_kernel.h"
#include "linesearch.h"
#include "../core/threads.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum {
  BLOCK = 16384,       /* values in a block; sums by blocks do not depend on threads        */
  PARALLEL_BLOCKS = 8, /* fewer blocks run on one thread                                     */
  PATIENCE = 10,       /* iterations without progress before the search stops                */
  MAX_HALVINGS = 40
};

struct solver {
  mn_context *ctx;
  size_t n, max_iter, history;
  const mn_lbfgs_options *options;
  mn_lbfgs_report *report;
  mn_objective objective;
  void *problem;
  double *x, *gradient, value; /* the current point; value includes the L1 term   */
  double *next, *next_gradient, next_value;
  double *slope; /* gradient; with L1 the minimum-norm subgradient   */
  double *direction;
  double *steps, *changes;    /* history x n, ring buffers: changes of x and of the gradient */
  double *curvature, *factor; /* history: step . change; factors of the two-loop recursion   */
  size_t pairs, newest;
  const double *inverse; /* n, or NULL: the diagonal of the initial inverse Hessian */
  double *own_inverse;   /* the same if there are leading variables, or NULL */
  mn_blocks blocks;
  double *parts;
  mn_status status;
};

/* to += factor * from (unless from is NULL), then the sum of to * with (unless with is NULL). */
struct pass {
  const mn_blocks *blocks;
  double factor;
  const double *from, *with;
  double *to, *parts;
};

static void run_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct pass *p = work;
  const size_t begin = mn_block_begin(p->blocks, block), n = mn_block_end(p->blocks, block) - begin;
  if (p->from) mn_lbfgs_add(n, p->factor, p->from + begin, p->to + begin);
  if (p->with) p->parts[block] = mn_lbfgs_dot(n, p->to + begin, p->with + begin);
}

/* The result of a cancelled pass is undefined; the iteration ends at the next progress report. */
static double run(struct solver *s, double factor, const double *from, double *to, const double *with)
{
  struct pass pass = {
    .blocks = &s->blocks, .factor = factor, .from = from, .with = with, .to = to, .parts = s->parts
  };
  double sum = 0;
  if (s->blocks.count >= PARALLEL_BLOCKS)
    (void)mn_parallel(s->ctx, s->blocks.count, run_block, &pass);
  else
    for (size_t b = 0; b < s->blocks.count; b++) run_block(&pass, b, 0);
  for (size_t b = 0; with && b < s->blocks.count; b++) sum += s->parts[b];
  return sum;
}

static double dot(struct solver *s, double *a, const double *b)
{
  return run(s, 0, NULL, a, b);
}

/* Returns false when the call was cancelled or the objective failed. */
static bool evaluate(struct solver *s)
{
  s->report->evaluations++;
  s->next_value = s->objective(s->problem, s->next, s->next_gradient);
  s->status = mn_cancelled(s->ctx) ? mn_poll(s->ctx) : mn_error_status(s->ctx);
  for (size_t j = 0; s->options->l1 && j < s->n; j++) s->next_value += s->options->l1[j] * fabs(s->next[j]);
  return s->status == MN_OK;
}

static bool all_finite(size_t n, const double *v)
{
  double zero = 0; /* stays 0: 0 * v is NaN where v is not finite */
  for (size_t j = 0; j < n; j++) zero += 0 * v[j];
  return zero == 0;
}

/* The subgradient of minimum norm: 0 where the penalty keeps a variable at 0. */
static void update_subgradient(struct solver *s)
{
  double largest = 0;
  for (size_t j = 0; j < s->n; j++) {
    if (s->options->l1) {
      const double g = s->gradient[j], weight = s->options->l1[j], x = s->x[j];
      if (x != 0)
        s->slope[j] = g + (x > 0 ? weight : -weight);
      else
        s->slope[j] = fabs(g) > weight ? g - copysign(weight, g) : 0;
    }
    if (!(fabs(s->slope[j]) <= largest)) largest = fabs(s->slope[j]);
  }
  s->report->gradient_norm = largest;
}

static void accept(struct solver *s)
{
  memcpy(s->x, s->next, s->n * sizeof *s->x);
  memcpy(s->gradient, s->next_gradient, s->n * sizeof *s->x);
  s->value = s->report->objective = s->next_value;
  update_subgradient(s);
}

/* d *= the initial inverse Hessian, scaled to the newest pair: Nocedal & Wright (7.20). */
static void apply_initial_hessian(struct solver *s)
{
  const double *const inverse = s->inverse;
  double *const d = s->direction, *const change = s->changes + s->newest * s->n;
  double scale = 1;
  if (s->pairs > 0 && inverse) {
    double square = 0;
    for (size_t j = 0; j < s->n; j++) square += change[j] * inverse[j] * change[j];
    scale = s->curvature[s->newest] / square;
  } else if (s->pairs > 0)
    scale = s->curvature[s->newest] / dot(s, change, change);
  for (size_t j = 0; j < s->n; j++) d[j] *= inverse ? scale * inverse[j] : scale;
}

/* Two-loop recursion: minus the approximate inverse Hessian times the (sub)gradient. */
static void find_direction(struct solver *s)
{
  const size_t n = s->n;
  double *const d = s->direction;
  for (size_t j = 0; j < n; j++) d[j] = -s->slope[j];
  double product = s->pairs > 0 ? dot(s, d, s->steps + s->newest * n) : 0;
  for (size_t i = 0; i < s->pairs; i++) {
    const size_t at = (s->newest + s->history - i) % s->history, older = (at + s->history - 1) % s->history;
    s->factor[at] = product / s->curvature[at];
    product = run(s, -s->factor[at], s->changes + at * n, d, i + 1 < s->pairs ? s->steps + older * n : NULL);
  }
  apply_initial_hessian(s);
  if (s->pairs == 0) return;
  size_t at = (s->newest + s->history + 1 - s->pairs) % s->history;
  product = dot(s, d, s->changes + at * n);
  for (size_t i = 0; i < s->pairs; i++) {
    const size_t newer = (at + 1) % s->history;
    product = run(s, s->factor[at] - product / s->curvature[at], s->steps + at * n, d,
                  i + 1 < s->pairs ? s->changes + newer * n : NULL);
    at = newer;
  }
}

/* With an L1 term, zero the components that do not descend along the subgradient. */
static void align_direction(struct solver *s)
{
  for (size_t j = 0; s->options->l1 && j < s->n; j++)
    if (!(s->direction[j] * s->slope[j] < 0)) s->direction[j] = 0;
}

/* df/dt along a descent direction; discards the history if that gives none. 0: no descent direction exists. */
static double descent_direction(struct solver *s)
{
  find_direction(s);
  align_direction(s);
  double decrease = dot(s, s->direction, s->slope);
  if (decrease < 0 && decrease >= -DBL_MAX) return decrease;
  s->pairs = 0;
  find_direction(s);
  decrease = dot(s, s->direction, s->slope);
  if (decrease < -DBL_MAX) { /* the squared norm overflows, the gradient does not */
    for (size_t j = 0; j < s->n; j++) s->direction[j] /= s->report->gradient_norm;
    decrease = dot(s, s->direction, s->slope);
  }
  return decrease < 0 && decrease >= -DBL_MAX ? decrease : 0;
}

static bool evaluate_at(void *line, mn_line_point *point)
{
  struct solver *s = line;
  memcpy(s->next, s->x, s->n * sizeof *s->x);
  run(s, point->t, s->direction, s->next, NULL);
  if (!evaluate(s)) return false;
  point->value = s->next_value;
  point->slope = dot(s, s->next_gradient, s->direction);
  return true;
}

/* x + t d, but no variable with an L1 term crosses 0. */
static void project_to_orthant(struct solver *s, double t)
{
  for (size_t j = 0; j < s->n; j++) {
    const double to = s->x[j] + t * s->direction[j];
    const double side = s->x[j] != 0 ? s->x[j] : -s->slope[j];
    s->next[j] = s->options->l1[j] > 0 && !(to * side > 0) ? 0 : to;
  }
}

static mn_line_end step_within_orthant(struct solver *s, double first)
{
  double t = first;
  for (int i = 0; i < MAX_HALVINGS; i++, t /= 2) {
    project_to_orthant(s, t);
    if (!evaluate(s)) return MN_LINE_ABORTED;
    double decrease = 0;
    for (size_t j = 0; j < s->n; j++) decrease += s->slope[j] * (s->next[j] - s->x[j]);
    const bool finite = fabs(s->next_value) <= DBL_MAX && all_finite(s->n, s->next_gradient);
    if (finite && decrease < 0 && s->next_value <= s->value + 1e-4 * decrease + 4 * DBL_EPSILON * fabs(s->value))
      return MN_LINE_FOUND;
  }
  return MN_LINE_FAILED;
}

static mn_line_end search_line(struct solver *s, double decrease)
{
  const bool scaled = s->pairs > 0 || s->options->inverse;
  const double first = scaled ? 1 : fmin(1, 1 / sqrt(dot(s, s->direction, s->direction)));
  if (s->options->l1) return step_within_orthant(s, first);
  const mn_line_point start = { .value = s->value, .slope = decrease };
  mn_line_point found;
  return mn_line_search(evaluate_at, s, &start, first, &found);
}

/* Scale the variables after the first `leading` ones by the ratio of the mean curvatures of both along the step. */
static void scale_rest(struct solver *s, const double *step, const double *change)
{
  static const double least = 1e-4;
  const size_t leading = s->options->leading;
  double square[2] = { 0, 0 }, curvature[2] = { 0, 0 };
  for (size_t j = 0; j < s->n; j++) {
    square[j >= leading] += step[j] * step[j];
    curvature[j >= leading] += step[j] * change[j];
  }
  if (!(curvature[0] > 0) || !(curvature[1] > 0)) return;
  const double ratio = fmin(fmax(curvature[0] / square[0] * (square[1] / curvature[1]), least), 1);
  for (size_t j = leading; j < s->n; j++) s->own_inverse[j] = ratio;
}

/* Add the step to the history unless its curvature is lost to rounding. */
static void store_pair(struct solver *s)
{
  const size_t at = s->pairs > 0 ? (s->newest + 1) % s->history : 0;
  double *const step = s->steps + at * s->n, *const change = s->changes + at * s->n;
  memcpy(step, s->next, s->n * sizeof *step);
  memcpy(change, s->next_gradient, s->n * sizeof *change);
  run(s, -1, s->x, step, NULL);
  const double curvature = run(s, -1, s->gradient, change, step);
  if (!(curvature > DBL_EPSILON * dot(s, change, change))) return;
  if (s->own_inverse) scale_rest(s, step, change);
  s->curvature[at] = curvature;
  s->newest = at;
  if (s->pairs < s->history) s->pairs++;
}

/* The diagonal of the initial inverse Hessian, if it is not a multiple of 1. */
static bool start_inverse(struct solver *s)
{
  const size_t leading = s->options->leading;
  s->inverse = s->options->inverse;
  if (leading == 0) return true;
  if (!(s->own_inverse = MN_RAW(s->ctx, double, s->n, 1))) return false;
  for (size_t j = 0; j < s->n; j++) s->own_inverse[j] = j < leading ? 1 : s->options->rest_scale;
  s->inverse = s->own_inverse;
  return true;
}

static bool alloc_workspace(struct solver *s)
{
  const size_t n = s->n, m = s->history;
  mn_context *const ctx = s->ctx;
  s->blocks = mn_make_blocks(n, BLOCK, SIZE_MAX);
  return (s->gradient = MN_RAW(ctx, double, n, 1)) && (s->next = MN_RAW(ctx, double, n, 1)) &&
         (s->next_gradient = MN_NEW(ctx, double, n, 1)) && (s->direction = MN_RAW(ctx, double, n, 1)) &&
         (s->slope = s->options->l1 ? MN_RAW(ctx, double, n, 1) : s->gradient) &&
         (s->steps = MN_RAW(ctx, double, m, n)) && (s->changes = MN_RAW(ctx, double, m, n)) &&
         (s->curvature = MN_RAW(ctx, double, m, 1)) && (s->factor = MN_RAW(ctx, double, m, 1)) &&
         (s->parts = MN_RAW(ctx, double, s->blocks.count, 1)) && start_inverse(s);
}

static mn_status begin(struct solver *s)
{
  char number[MN_NUMBER_SIZE];
  memcpy(s->next, s->x, s->n * sizeof *s->x);
  if (!evaluate(s)) return s->status;
  if (!(fabs(s->next_value) <= DBL_MAX))
    return mn_fail(s->ctx, MN_BAD_DATA, "L-BFGS: the objective must be finite at the start, got %s",
                   mn_format_number(number, s->next_value));
  if (!all_finite(s->n, s->next_gradient))
    return mn_fail(s->ctx, MN_BAD_DATA, "L-BFGS: the gradient must be finite at the start, got nan or inf");
  accept(s);
  if (s->options->trace) s->options->trace[0] = s->value;
  return MN_OK;
}

static mn_status end(struct solver *s, mn_lbfgs_reason reason)
{
  s->report->reason = reason;
  s->report->converged = reason <= MN_LBFGS_ROUNDING;
  return MN_OK;
}

/* After a failed line search: stop if the expected decrease is at rounding level, else discard the history and try
 * steepest descent. Returns false to stop. */
static bool recover(struct solver *s, double decrease)
{
  const bool rounding = -decrease <= 1e-10 * fmax(fabs(s->value), 1);
  if (!rounding && s->pairs > 0) {
    s->pairs = 0;
    return true;
  }
  end(s, rounding ? MN_LBFGS_ROUNDING : MN_LBFGS_STALLED);
  return false;
}

/* One iteration. Returns false after the last. */
static bool iterate(struct solver *s)
{
  const double before = s->value;
  const double decrease = descent_direction(s);
  const mn_line_end step = decrease < 0 ? search_line(s, decrease) : MN_LINE_FAILED;
  if (step == MN_LINE_ABORTED) return false;
  if (step == MN_LINE_FAILED) return recover(s, decrease);
  store_pair(s);
  accept(s);
  s->report->n_iter++;
  if (s->options->trace) s->options->trace[s->report->n_iter] = s->value;
  if (s->options->note && !s->options->note(s->problem, s->value)) {
    s->status = mn_error_status(s->ctx);
    return false;
  }
  const double min_decrease = s->options->objective_tolerance * fmax(fmax(fabs(before), fabs(s->value)), 1);
  if (!(min_decrease > 0) || before - s->value > min_decrease) return true;
  end(s, MN_LBFGS_OBJECTIVE);
  return false;
}

static mn_status minimize(struct solver *s)
{
  double min_objective = INFINITY, min_gradient = INFINITY; /* so far */
  size_t stagnant = 0;
  if (!alloc_workspace(s)) return MN_NO_MEMORY;
  MN_TRY(begin(s));
  for (;;) {
    const mn_lbfgs_report *r = s->report;
    stagnant = r->objective < min_objective || r->gradient_norm < min_gradient ? 0 : stagnant + 1;
    min_objective = fmin(min_objective, r->objective);
    min_gradient = fmin(min_gradient, r->gradient_norm);
    if (r->gradient_norm <= s->options->gradient_tolerance) return end(s, MN_LBFGS_GRADIENT);
    if (stagnant >= PATIENCE) return end(s, MN_LBFGS_ROUNDING);
    if (r->n_iter >= s->max_iter) return end(s, MN_LBFGS_MAX_ITER);
    const bool keep_going = mn_report_progress(s->ctx, (double)r->n_iter, (double)s->max_iter, s->value);
    if (mn_cancelled(s->ctx)) return mn_poll(s->ctx);
    if (!keep_going) return end(s, MN_LBFGS_STOPPED);
    if (!iterate(s)) return s->status;
  }
}

mn_status mn_lbfgs(mn_context *ctx, size_t n, double *x, mn_objective objective, void *problem,
                   const mn_lbfgs_options *options, mn_lbfgs_report *report)
{
  *report = (mn_lbfgs_report){ .reason = MN_LBFGS_STOPPED };
  struct solver s = { .ctx = ctx,
                      .n = n,
                      .x = x,
                      .objective = objective,
                      .problem = problem,
                      .options = options,
                      .report = report,
                      .max_iter = options->max_iter > 0 ? options->max_iter : 100,
                      .history = options->history > 0 ? options->history : 10 };
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_status status = minimize(&s);
  mn_scratch_release(ctx, mark);
  return status;
}
