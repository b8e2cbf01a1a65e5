#include "bounded_bfgs.h"
#include <math.h>
#include <string.h>

static const double min_step = 1e-9; /* of a line search */

struct search {
  size_t n;
  const mn_bounded_options *o;
  mn_objective objective;
  void *problem;
  double *x, *g, value;      /* the current point                                      */
  double *next, *next_g;     /* a trial                                                */
  double *direction, *b, *l; /* n; n x n: approximate Hessian; n x n: its factor       */
  double *s, *y, *bs;        /* n                                                      */
  double slope;              /* g times the last step of the line search               */
  bool *held;                /* n: variables at a bound                                */
};

static double clamp(const struct search *w, size_t i, double x)
{
  return fmin(fmax(x, w->o->low[i]), w->o->high[i]);
}

/* Hold variables at a bound that the negative gradient points to. Returns the largest element of the others. */
static double find_held(struct search *w)
{
  double largest = 0;
  for (size_t i = 0; i < w->n; i++) {
    w->held[i] = (w->x[i] <= w->o->low[i] && w->g[i] >= 0) || (w->x[i] >= w->o->high[i] && w->g[i] <= 0);
    if (!w->held[i]) largest = fmax(largest, fabs(w->g[i]));
  }
  return largest;
}

/* l = the Cholesky factor of b, with rows and columns of held variables replaced by those of the identity. Damped
 * updates keep b positive definite. */
static void factorize(struct search *w)
{
  const size_t n = w->n;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++) {
      double sum = w->held[i] || w->held[j] ? (i == j) : w->b[i * n + j];
      for (size_t k = 0; k < j; k++) sum -= w->l[i * n + k] * w->l[j * n + k];
      if (i == j)
        w->l[i * n + i] = sqrt(fmax(sum, 1e-300));
      else
        w->l[i * n + j] = sum / w->l[j * n + j];
    }
}

/* direction = - inv(b) g among the free variables, 0 for the others. Returns the decrease of f that b predicts. */
static double find_direction(struct search *w)
{
  const size_t n = w->n;
  double *d = w->direction;
  factorize(w);
  for (size_t i = 0; i < n; i++) {
    d[i] = w->held[i] ? 0 : -w->g[i];
    for (size_t k = 0; k < i; k++) d[i] -= w->l[i * n + k] * d[k];
    d[i] /= w->l[i * n + i];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; k++) d[i] -= w->l[k * n + i] * d[k];
    d[i] /= w->l[i * n + i];
  }
  double decrease = 0;
  for (size_t i = 0; i < n; i++) decrease -= w->g[i] * d[i] / 2;
  return decrease;
}

/* A decrease of f that does not matter, or is lost in rounding errors. */
static double least_decrease(const struct search *w)
{
  return w->o->objective_tolerance * fmax(fabs(w->value), 1);
}

/* Part of the step at which a parabola through both values of f, with this slope, is lowest; 0.1 to 0.5. */
static double shortened(double change, double slope)
{
  const double part = slope / (2 * (slope - change));
  return isfinite(part) ? fmin(fmax(part, 0.1), 0.5) : 0.5;
}

/* Shorten the projected step until f decreases enough. False: no lower point, or none that is lower by more than
 * least_decrease. */
static bool line_search(struct search *w)
{
  static const double armijo = 1e-4;
  for (double step = 1, next; step > min_step; step *= shortened(next - w->value, w->slope)) {
    w->slope = 0;
    for (size_t i = 0; i < w->n; i++) {
      w->next[i] = clamp(w, i, w->x[i] + step * w->direction[i]);
      w->slope += w->g[i] * (w->next[i] - w->x[i]);
    }
    if (step < 1 && -w->slope <= least_decrease(w)) return false;
    next = w->objective(w->problem, w->next, w->next_g);
    if (isfinite(next) && next <= w->value + armijo * fmin(w->slope, 0) && next < w->value) {
      w->value = next;
      return true;
    }
  }
  return false;
}

/* b += y y' / s'y - b s s' b / s'b s, with y moved towards b s where s'y is too small (Powell's damping), and b made
 * smaller first where it is larger along s than f is curved (Oren & Luenberger, Management Science 20, 1974). */
static void update(struct search *w, bool first)
{
  const size_t n = w->n;
  double sy = 0, sbs = 0, yy = 0;
  for (size_t i = 0; i < n; i++) {
    w->s[i] = w->next[i] - w->x[i];
    w->y[i] = w->next_g[i] - w->g[i];
    sy += w->s[i] * w->y[i];
    yy += w->y[i] * w->y[i];
  }
  if (first && sy > 0) /* the scale of the first matrix */
    for (size_t i = 0; i < n; i++) w->b[i * n + i] = yy / sy;
  for (size_t i = 0; i < n; i++) {
    w->bs[i] = 0;
    for (size_t j = 0; j < n; j++) w->bs[i] += w->b[i * n + j] * w->s[j];
    sbs += w->s[i] * w->bs[i];
  }
  if (!(sbs > 0)) return;
  if (sy > 0 && sy < sbs) {
    for (size_t i = 0; i < n * n; i++) w->b[i] *= sy / sbs;
    for (size_t i = 0; i < n; i++) w->bs[i] *= sy / sbs;
    sbs = sy;
  }
  if (sy < 0.2 * sbs) {
    const double part = 0.8 * sbs / (sbs - sy);
    for (size_t i = 0; i < n; i++) w->y[i] = part * w->y[i] + (1 - part) * w->bs[i];
    sy = 0.2 * sbs;
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) w->b[i * n + j] += w->y[i] * w->y[j] / sy - w->bs[i] * w->bs[j] / sbs;
}

static void reset(struct search *w)
{
  double norm = 0;
  for (size_t i = 0; i < w->n; i++) norm = fmax(norm, fabs(w->g[i]));
  memset(w->b, 0, w->n * w->n * sizeof *w->b);
  for (size_t i = 0; i < w->n; i++) w->b[i * w->n + i] = fmax(norm, 1e-8); /* a first step of about 1 */
}

static mn_status allocate(mn_context *ctx, struct search *w)
{
  const size_t n = w->n;
  double *vectors = MN_RAW(ctx, double, 7, n);
  w->b = MN_RAW(ctx, double, n, n);
  w->l = MN_NEW(ctx, double, n, n);
  w->held = MN_RAW(ctx, bool, n, 1);
  if (!vectors || !w->b || !w->l || !w->held) return MN_NO_MEMORY;
  double **const part[] = { &w->g, &w->next, &w->next_g, &w->direction, &w->s, &w->y, &w->bs };
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) *part[i] = vectors + i * n;
  return MN_OK;
}

static mn_status stop(mn_lbfgs_report *r, mn_lbfgs_reason reason)
{
  r->reason = reason;
  r->converged = reason == MN_LBFGS_GRADIENT || reason == MN_LBFGS_OBJECTIVE || reason == MN_LBFGS_ROUNDING;
  return MN_OK;
}

static mn_status iterate(mn_context *ctx, struct search *w, mn_lbfgs_report *r)
{
  const mn_bounded_options *o = w->o;
  bool fresh = true;
  int small = 0;
  for (r->n_iter = 0; r->n_iter < o->max_iter;) {
    const double before = w->value;
    r->gradient_norm = find_held(w);
    if (r->gradient_norm <= o->gradient_tolerance) return stop(r, MN_LBFGS_GRADIENT);
    const double predicted = find_direction(w);
    if (small == 1 && predicted <= least_decrease(w)) return stop(r, MN_LBFGS_OBJECTIVE);
    if (!line_search(w)) {
      MN_TRY(mn_error_status(ctx));
      if (fresh) return stop(r, MN_LBFGS_ROUNDING);
      fresh = true;
      reset(w);
      continue;
    }
    MN_TRY(mn_error_status(ctx));
    update(w, fresh);
    fresh = false;
    memcpy(w->x, w->next, w->n * sizeof *w->x);
    memcpy(w->g, w->next_g, w->n * sizeof *w->g);
    r->n_iter++;
    if (o->note && !o->note(w->problem, w->value)) return stop(r, MN_LBFGS_STOPPED);
    small = before - w->value <= least_decrease(w) ? small + 1 : 0;
    if (small == 2) return stop(r, MN_LBFGS_OBJECTIVE);
  }
  return stop(r, MN_LBFGS_MAX_ITER);
}

mn_status mn_bounded_bfgs(mn_context *ctx, size_t n, double *x, mn_objective objective, void *problem,
                          const mn_bounded_options *options, mn_lbfgs_report *report)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct search w = { .n = n, .o = options, .objective = objective, .problem = problem, .x = x };
  *report = (mn_lbfgs_report){ 0 };
  MN_TRY(allocate(ctx, &w));
  for (size_t i = 0; i < n; i++) x[i] = clamp(&w, i, x[i]);
  w.value = objective(problem, x, w.g);
  MN_TRY(mn_error_status(ctx));
  report->reason = MN_LBFGS_STALLED;
  report->objective = INFINITY;
  if (isfinite(w.value)) {
    reset(&w);
    MN_TRY(iterate(ctx, &w, report));
    report->objective = w.value;
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
