/* Breakpoints of joined lines. A breakpoint psi_k with slope change b_k is moved by the coefficient of a column -1(z >
 * psi_k) divided by b_k (Muggeo 2003); steps are halved until the RSS decreases. The result depends on the start, so
 * candidates are searched on a grid first: the decrease of the RSS by one more breakpoint at each point, given the
 * others. */
#include "../optim/brent.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "segmented.h"
#include <string.h>

enum { GRID = 64, STARTS = 4, STARTS_AGAIN = 2, MAX_SWEEPS = 3, MAX_REFINEMENTS = 3 };

/* Limits of the descent: for comparing candidates, and at the end. */
struct descent_limits {
  size_t max_iter, max_halvings;
  double share; /* minimum relative decrease of the RSS in an iteration */
  bool fast;    /* use the normal equations */
};
static const struct descent_limits quick_limits = { 10, 5, 1e-4, true }, final_limits = { 100, 20, 1e-13, true };
static const struct descent_limits exact_limits = { 10, 5, 0, false };

static void sort(double *v, size_t n)
{
  for (size_t i = 1; i < n; i++)
    for (size_t k = i; k > 0 && v[k] < v[k - 1]; k--) {
      const double swap = v[k];
      v[k] = v[k - 1];
      v[k - 1] = swap;
    }
}

/* Workspace, allocated once for many descents. */
struct workspace {
  double *coef, *step;
  mn_segmented_solution next, candidate, held, best;
  double *l, *e, *u, *projection, *square, *product; /* for the grid */
};

static mn_status workspace_init(mn_context *ctx, const mn_segmented_problem *s, size_t m, struct workspace *r)
{
  const size_t q = mn_segmented_width(s, m, false);
  r->coef = MN_RAW(ctx, double, s->max_width, 1);
  r->step = MN_RAW(ctx, double, m, 1);
  r->l = MN_RAW(ctx, double, q, q);
  r->e = MN_RAW(ctx, double, s->n, 1);
  r->u = MN_RAW(ctx, double, s->n, GRID);
  r->projection = MN_RAW(ctx, double, q, GRID);
  r->square = MN_RAW(ctx, double, GRID, 1);
  r->product = MN_RAW(ctx, double, GRID, 1);
  if (!r->coef || !r->step || !r->l || !r->e || !r->u || !r->projection || !r->square || !r->product)
    return MN_NO_MEMORY;
  MN_TRY(mn_segmented_solution_init(ctx, s, &r->next, m));
  MN_TRY(mn_segmented_solution_init(ctx, s, &r->candidate, m));
  MN_TRY(mn_segmented_solution_init(ctx, s, &r->held, m));
  return mn_segmented_solution_init(ctx, s, &r->best, m);
}

/* Step of each breakpoint, from the regression with their derivative columns. */
static mn_status find_steps(mn_context *ctx, const mn_segmented_problem *s, const mn_segmented_solution *b, bool fast,
                            double *coef, double *step)
{
  const size_t q = mn_segmented_design(s, b->psi, b->m, true), first = 2 + s->others;
  double rest;
  MN_TRY(mn_segmented_least_squares(ctx, s, q, fast, coef, &rest, NULL));
  for (size_t k = 0; k < b->m; k++) {
    step[k] = coef[first + b->m + k] / coef[first + k];
    if (!isfinite(step[k])) step[k] = 0;
  }
  return MN_OK;
}

/* Iterate from b->psi until the RSS hardly decreases. */
static mn_status descend(mn_context *ctx, const mn_segmented_problem *s, const struct descent_limits *limits,
                         struct workspace *r, mn_segmented_solution *b)
{
  mn_segmented_solution *next = &r->next;
  MN_TRY(mn_segmented_solve(ctx, s, limits->fast, b));
  bool decreases = true;
  for (size_t iter = 0; decreases && iter < limits->max_iter; iter++) {
    const double before = b->rss;
    double share = 1;
    MN_TRY(find_steps(ctx, s, b, limits->fast, r->coef, r->step));
    next->m = b->m;
    next->rss = INFINITY;
    for (size_t t = 0; t < limits->max_halvings && !(next->rss < before); t++, share /= 2) {
      for (size_t k = 0; k < b->m; k++) next->psi[k] = b->psi[k] + share * r->step[k];
      sort(next->psi, b->m);
      if (mn_segmented_is_valid(s, next->psi, b->m)) MN_TRY(mn_segmented_solve(ctx, s, limits->fast, next));
    }
    decreases = before - next->rss > limits->share * before;
    if (next->rss < before) mn_segmented_solution_copy(s, next, b);
  }
  return mn_poll(ctx);
}

/* The RSS has a kink where psi_k equals a value of z, and the derivative from the rows to the right is wrong for a move
 * to the left. Between adjacent values of z it is smooth and is minimized there, on both sides of each breakpoint in
 * turn. */

/* The smallest z above this value; the value itself if there is none. */
static double next_above(const mn_segmented_problem *s, double z)
{
  const size_t rows = mn_segmented_count_rows(s, z);
  return rows < s->n ? s->sorted[rows] : z;
}

struct rss_along {
  mn_context *ctx;
  const mn_segmented_problem *s;
  mn_segmented_solution *b;
  size_t k;
};

static double rss_at(void *user, double psi)
{
  const struct rss_along *a = user;
  a->b->psi[a->k] = psi;
  if (!mn_segmented_is_valid(a->s, a->b->psi, a->b->m)) return INFINITY;
  return mn_segmented_solve(a->ctx, a->s, true, a->b) == MN_OK ? a->b->rss : (double)NAN;
}

/* Move breakpoint k of b to the minimum of the RSS in [low, high] if that is lower. `next` is workspace. */
static mn_status minimize_between(mn_context *ctx, const mn_segmented_problem *s, size_t k, double low, double high,
                                  mn_segmented_solution *next, mn_segmented_solution *b)
{
  struct rss_along a = { .ctx = ctx, .s = s, .b = next, .k = k };
  double psi, value;
  if (!(high > low)) return MN_OK;
  mn_segmented_solution_copy(s, b, next);
  MN_TRY(mn_brent_minimize(ctx, rss_at, &a, low, high, 1e-8, &psi, &value));
  MN_TRY(mn_error_status(ctx));
  if (!(value < b->rss)) return MN_OK;
  next->psi[k] = psi;
  MN_TRY(mn_segmented_solve(ctx, s, true, next));
  if (next->rss < b->rss) mn_segmented_solution_copy(s, next, b);
  return MN_OK;
}

/* Run the descent to convergence, then minimize across kinks, and repeat while that helps. */
static mn_status refine(mn_context *ctx, const mn_segmented_problem *s, struct workspace *r, mn_segmented_solution *b)
{
  double before = INFINITY;
  MN_TRY(descend(ctx, s, &final_limits, r, b));
  for (size_t sweep = 0; sweep < MAX_REFINEMENTS && b->rss < before * (1 - 1e-10); sweep++) {
    before = b->rss;
    for (size_t k = 0; k < b->m; k++) {
      const double psi = b->psi[k];
      const size_t below = mn_segmented_count_rows(s, nextafter(psi, -INFINITY));
      MN_TRY(minimize_between(ctx, s, k, below > 0 ? s->sorted[below - 1] : psi, psi, &r->next, b));
      MN_TRY(minimize_between(ctx, s, k, psi, next_above(s, psi), &r->next, b));
    }
    MN_TRY(descend(ctx, s, &final_limits, r, b));
  }
  return descend(ctx, s, &exact_limits, r, b);
}

struct grid {
  size_t size;
  double point[GRID], gain[GRID];
};

static bool fits_grid(const mn_segmented_problem *s)
{
  size_t values = 1;
  for (size_t i = 1; i < s->n && values <= GRID; i++) values += s->sorted[i] > s->sorted[i - 1];
  return values <= GRID;
}

/* Grid points midway between adjacent values of z: all of them, or as many quantiles as the grid can hold. Only points
 * where a breakpoint is valid next to the m breakpoints psi. Rows count by their sample weights. */
static void make_grid(const mn_segmented_problem *s, const double *psi, size_t m, double *scratch, struct grid *g)
{
  const bool all = fits_grid(s);
  const double share = s->total / GRID;
  double target_weight = 0; /* minimum weight of the rows up to the next grid point */
  g->size = 0;
  for (size_t i = 0; i + 1 < s->n && g->size < GRID; i++) {
    if (!(s->sorted[i + 1] > s->sorted[i])) continue;
    if (!all && !(s->weight_before[i + 1] > target_weight)) continue;
    target_weight = ceil(s->weight_before[i + 1] / share) * share;
    const double z = (s->sorted[i] + s->sorted[i + 1]) / 2;
    memcpy(scratch, psi, m * sizeof *scratch);
    scratch[m] = z;
    sort(scratch, m + 1);
    if (mn_segmented_is_valid(s, scratch, m + 1)) g->point[g->size++] = z;
  }
}

/* Residuals of b times the sample weights, into e; the design is kept. */
static void weighted_residuals(const mn_segmented_problem *s, const mn_segmented_solution *b, size_t q, double *e)
{
  for (size_t i = 0; i < s->n; i++) {
    e[i] = s->y[i];
    for (size_t j = 0; j < q; j++) e[i] -= s->design[i * q + j] * b->coef[j];
    e[i] *= mn_weight(s->data, i);
  }
}

/* Decrease of the RSS by the column u = (z - point)+ for each grid point: (u'e)^2 divided by the part of u'u outside
 * the span of the design, with e the residuals. */
static mn_status compute_gains(mn_context *ctx, const mn_segmented_problem *s, const mn_segmented_solution *b,
                               struct workspace *r, struct grid *g)
{
  const size_t n = s->n, q = mn_segmented_design(s, b->psi, b->m, false);
  double largest = 0;
  size_t minor;
  weighted_residuals(s, b, q, r->e);
  memset(r->square, 0, g->size * sizeof *r->square);
  memset(r->product, 0, g->size * sizeof *r->product);
  for (size_t i = 0; i < n; i++)
    for (size_t t = 0; t < g->size; t++) {
      const double hinge = s->z[i] > g->point[t] ? s->z[i] - g->point[t] : 0;
      r->product[t] += hinge * r->e[i];
      r->u[i * g->size + t] = mn_weight(s->data, i) * hinge;
      r->square[t] += r->u[i * g->size + t] * hinge;
    }
  MN_TRY(mn_syrk(ctx, n, q, s->design, q, s->data->weights, NULL, r->l, q));
  for (size_t j = 0; j < q; j++) largest = fmax(largest, r->l[j * q + j]);
  for (size_t j = 0; j < q; j++) r->l[j * q + j] += 1e-11 * largest;
  MN_TRY(mn_chol_try(ctx, q, r->l, NULL, &minor));
  MN_TRY(mn_gemm(ctx, true, false, q, g->size, n, 1, s->design, q, r->u, g->size, 0, r->projection, g->size));
  if (minor == 0) MN_TRY(mn_chol_lower(ctx, q, g->size, r->l, r->projection));
  for (size_t t = 0; t < g->size; t++) {
    double outside = r->square[t];
    for (size_t j = 0; minor == 0 && j < q; j++)
      outside -= r->projection[j * g->size + t] * r->projection[j * g->size + t];
    g->gain[t] = outside > 1e-9 * r->square[t] ? r->product[t] * r->product[t] / outside : 0;
  }
  return MN_OK;
}

/* The best local maximum of the gain that has not been returned yet. Returns false if
 * no other is left. */
static bool next_peak(struct grid *g, double *point)
{
  size_t best = g->size;
  for (size_t t = 0; t < g->size; t++) {
    const bool peak =
        (t == 0 || g->gain[t] >= fabs(g->gain[t - 1])) && (t + 1 == g->size || g->gain[t] >= fabs(g->gain[t + 1]));
    if (peak && (best == g->size || g->gain[t] > g->gain[best])) best = t;
  }
  if (best == g->size) return false;
  *point = g->point[best];
  g->gain[best] = -g->gain[best];
  return true;
}

/* Add one breakpoint to r->held at each of the best grid points in turn and descend; the best solution goes to r->best
 * if it is better. */
static mn_status extend(mn_context *ctx, const mn_segmented_problem *s, size_t starts, struct workspace *r)
{
  mn_segmented_solution *held = &r->held, *next = &r->candidate;
  struct grid g;
  double point;
  MN_TRY(mn_segmented_solve(ctx, s, true, held));
  make_grid(s, held->psi, held->m, next->psi, &g);
  if (g.size > 0) MN_TRY(compute_gains(ctx, s, held, r, &g));
  for (size_t start = 0; start < starts && next_peak(&g, &point); start++) {
    next->m = held->m + 1;
    memcpy(next->psi, held->psi, held->m * sizeof *next->psi);
    next->psi[held->m] = point;
    sort(next->psi, next->m);
    MN_TRY(descend(ctx, s, &quick_limits, r, next));
    if (next->rss < r->best.rss) mn_segmented_solution_copy(s, next, &r->best);
  }
  return MN_OK;
}

mn_status mn_segmented_add_breakpoint(mn_context *ctx, const mn_segmented_problem *s, mn_segmented_solution *b,
                                      bool *found)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct workspace r;
  mn_segmented_solution *best = &r.best;
  MN_TRY(workspace_init(ctx, s, b->m + 1, &r));
  mn_segmented_solution_copy(s, b, &r.held);
  MN_TRY(extend(ctx, s, STARTS, &r));
  *found = best->m == b->m + 1;
  double before = INFINITY;
  for (size_t sweep = 0; *found && best->m > 1 && sweep < MAX_SWEEPS && best->rss < before * (1 - 1e-6); sweep++) {
    before = best->rss;
    for (size_t k = 0; k < best->m; k++) {
      r.held.m = best->m - 1;
      for (size_t i = 0, to = 0; i < best->m; i++)
        if (i != k) r.held.psi[to++] = best->psi[i];
      MN_TRY(extend(ctx, s, STARTS_AGAIN, &r));
    }
  }
  if (*found) {
    MN_TRY(refine(ctx, s, &r, best));
    mn_segmented_solution_copy(s, best, b);
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
