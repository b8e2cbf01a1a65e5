/* Breakpoints of lines that meet. A breakpoint psi_k with a change of slope b_k is moved by what a term -1(z > psi_k),
 * added to the regression, says: its coefficient is b_k times the way to go (Muggeo 2003). Steps are halved until the
 * squares fall. Where that starts decides where it ends, so the places are looked for first: what a breakpoint at each
 * place of a grid would take off the squares, those before it held. */
#include "../optim/brent.h"
#include "../linalg/lapack.h"
#include "../linalg/product.h"
#include "segmented.h"
#include <string.h>

enum { GRID = 64, STARTS = 4, STARTS_AGAIN = 2, MOST_SWEEPS = 3, MOST_FINISHES = 3 };

/* How long to go down: while places are compared, and at the end. */
struct patience {
  size_t rounds, halvings;
  double share; /* of the squares, that a round must take off */
  bool roughly; /* by the normal equations */
};
static const struct patience brief = { 10, 5, 1e-4, true }, long_one = { 100, 20, 1e-13, true };
static const struct patience exact = { 10, 5, 0, false };

static void sort(double *v, size_t n)
{
  for (size_t i = 1; i < n; i++)
    for (size_t k = i; k > 0 && v[k] < v[k - 1]; k--) {
      const double swap = v[k];
      v[k] = v[k - 1];
      v[k - 1] = swap;
    }
}

/* Room for all of this, taken once: there are many descents. */
struct room {
  double *coef, *step;
  mn_broken next, other, held, best;
  double *l, *e, *u, *inside, *square, *along; /* of the grid */
};

static mn_status make_room(mn_context *ctx, const mn_segments *s, size_t m, struct room *r)
{
  const size_t q = mn_segments_width(s, m, false);
  r->coef = MN_RAW(ctx, double, s->widest, 1);
  r->step = MN_RAW(ctx, double, m, 1);
  r->l = MN_RAW(ctx, double, q, q);
  r->e = MN_RAW(ctx, double, s->n, 1);
  r->u = MN_RAW(ctx, double, s->n, GRID);
  r->inside = MN_RAW(ctx, double, q, GRID);
  r->square = MN_RAW(ctx, double, GRID, 1);
  r->along = MN_RAW(ctx, double, GRID, 1);
  if (!r->coef || !r->step || !r->l || !r->e || !r->u || !r->inside || !r->square || !r->along) return MN_NO_MEMORY;
  MN_TRY(mn_broken_make(ctx, s, &r->next, m));
  MN_TRY(mn_broken_make(ctx, s, &r->other, m));
  MN_TRY(mn_broken_make(ctx, s, &r->held, m));
  return mn_broken_make(ctx, s, &r->best, m);
}

/* How far each breakpoint should go, by the regression in which it may move. */
static mn_status find_steps(mn_context *ctx, const mn_segments *s, const mn_broken *b, bool roughly, double *coef,
                            double *step)
{
  const size_t q = mn_segments_design(s, b->psi, b->m, true), first = 2 + s->others;
  double rest;
  MN_TRY(mn_segments_least_squares(ctx, s, q, roughly, coef, &rest, NULL));
  for (size_t k = 0; k < b->m; k++) {
    step[k] = coef[first + b->m + k] / coef[first + k];
    if (!isfinite(step[k])) step[k] = 0;
  }
  return MN_OK;
}

/* Down from b->psi until the squares hardly fall. */
static mn_status descend(mn_context *ctx, const mn_segments *s, const struct patience *patience, struct room *r,
                         mn_broken *b)
{
  mn_broken *next = &r->next;
  MN_TRY(mn_segments_solve(ctx, s, patience->roughly, b));
  bool falls = true;
  for (size_t round = 0; falls && round < patience->rounds; round++) {
    const double before = b->rss;
    double share = 1;
    MN_TRY(find_steps(ctx, s, b, patience->roughly, r->coef, r->step));
    next->m = b->m;
    next->rss = INFINITY;
    for (size_t t = 0; t < patience->halvings && !(next->rss < before); t++, share /= 2) {
      for (size_t k = 0; k < b->m; k++) next->psi[k] = b->psi[k] + share * r->step[k];
      sort(next->psi, b->m);
      if (mn_segments_allow(s, next->psi, b->m)) MN_TRY(mn_segments_solve(ctx, s, patience->roughly, next));
    }
    falls = before - next->rss > patience->share * before;
    if (next->rss < before) mn_broken_copy(s, next, b);
  }
  return mn_poll(ctx);
}

/* --- kinks ---
 *
 * Where a row has z = psi_k the squares have a kink, and what the rows to the right say of a move to the left is wrong.
 * Between two neighbouring z they are smooth: the least of them there, to both sides of each breakpoint in turn. */

/* The least z above this; itself at the end. */
static double next_above(const mn_segments *s, double z)
{
  const size_t rows = mn_segments_rows_to(s, z);
  return rows < s->n ? s->sorted[rows] : z;
}

struct along {
  mn_context *ctx;
  const mn_segments *s;
  mn_broken *b;
  size_t k;
};

static double squares_at(void *user, double psi)
{
  const struct along *a = user;
  a->b->psi[a->k] = psi;
  if (!mn_segments_allow(a->s, a->b->psi, a->b->m)) return INFINITY;
  return mn_segments_solve(a->ctx, a->s, true, a->b) == MN_OK ? a->b->rss : (double)NAN;
}

/* Breakpoint k of b to the least squares from `low` to `high`, if they are lower; `next` is room. */
static mn_status move_between(mn_context *ctx, const mn_segments *s, size_t k, double low, double high, mn_broken *next,
                              mn_broken *b)
{
  struct along a = { .ctx = ctx, .s = s, .b = next, .k = k };
  double psi, value;
  if (!(high > low)) return MN_OK;
  mn_broken_copy(s, b, next);
  MN_TRY(mn_brent_minimize(ctx, squares_at, &a, low, high, 1e-8, &psi, &value));
  MN_TRY(mn_error_status(ctx));
  if (!(value < b->rss)) return MN_OK;
  next->psi[k] = psi;
  MN_TRY(mn_segments_solve(ctx, s, true, next));
  if (next->rss < b->rss) mn_broken_copy(s, next, b);
  return MN_OK;
}

/* To the end: down, and over the kinks, as long as that helps. */
static mn_status finish(mn_context *ctx, const mn_segments *s, struct room *r, mn_broken *b)
{
  double before = INFINITY;
  MN_TRY(descend(ctx, s, &long_one, r, b));
  for (size_t sweep = 0; sweep < MOST_FINISHES && b->rss < before * (1 - 1e-10); sweep++) {
    before = b->rss;
    for (size_t k = 0; k < b->m; k++) {
      const double psi = b->psi[k];
      const size_t below = mn_segments_rows_to(s, nextafter(psi, -INFINITY));
      MN_TRY(move_between(ctx, s, k, below > 0 ? s->sorted[below - 1] : psi, psi, &r->next, b));
      MN_TRY(move_between(ctx, s, k, psi, next_above(s, psi), &r->next, b));
    }
    MN_TRY(descend(ctx, s, &long_one, r, b));
  }
  return descend(ctx, s, &exact, r, b);
}

/* --- the grid --- */

struct grid {
  size_t size;
  double place[GRID], gain[GRID];
};

static bool fits_grid(const mn_segments *s)
{
  size_t values = 1;
  for (size_t i = 1; i < s->n && values <= GRID; i++) values += s->sorted[i] > s->sorted[i - 1];
  return values <= GRID;
}

/* Between neighbours among the values of z, all of them or as many of their quantiles as the grid has room for; those
 * only where a breakpoint beside the m of psi is allowed. Rows count by their weights, so that one of weight 2 is two.
 */
static void place_grid(const mn_segments *s, const double *psi, size_t m, double *room, struct grid *g)
{
  const bool all = fits_grid(s);
  const double share = s->total / GRID;
  double due = 0; /* the weight that rows up to the next place have at least */
  g->size = 0;
  for (size_t i = 0; i + 1 < s->n && g->size < GRID; i++) {
    if (!(s->sorted[i + 1] > s->sorted[i])) continue;
    if (!all && !(s->before[i + 1] > due)) continue;
    due = ceil(s->before[i + 1] / share) * share;
    const double z = (s->sorted[i] + s->sorted[i + 1]) / 2;
    memcpy(room, psi, m * sizeof *room);
    room[m] = z;
    sort(room, m + 1);
    if (mn_segments_allow(s, room, m + 1)) g->place[g->size++] = z;
  }
}

/* Residuals of b times the weights of the rows into e; the design stays. */
static void weigh_residuals(const mn_segments *s, const mn_broken *b, size_t q, double *e)
{
  for (size_t i = 0; i < s->n; i++) {
    e[i] = s->y[i];
    for (size_t j = 0; j < q; j++) e[i] -= s->design[i * q + j] * b->coef[j];
    e[i] *= mn_weight(s->data, i);
  }
}

/* What the column (z - place)+ takes off the squares: with e the residuals of the columns D that are there, and u the
 * column, (u'e)^2 over what of u'u lies outside D. */
static mn_status measure_grid(mn_context *ctx, const mn_segments *s, const mn_broken *b, struct room *r, struct grid *g)
{
  const size_t n = s->n, q = mn_segments_design(s, b->psi, b->m, false);
  double largest = 0;
  size_t minor;
  weigh_residuals(s, b, q, r->e);
  memset(r->square, 0, g->size * sizeof *r->square);
  memset(r->along, 0, g->size * sizeof *r->along);
  for (size_t i = 0; i < n; i++)
    for (size_t t = 0; t < g->size; t++) {
      const double hinge = s->z[i] > g->place[t] ? s->z[i] - g->place[t] : 0;
      r->along[t] += hinge * r->e[i];
      r->u[i * g->size + t] = mn_weight(s->data, i) * hinge;
      r->square[t] += r->u[i * g->size + t] * hinge;
    }
  MN_TRY(mn_syrk(ctx, n, q, s->design, q, s->data->weights, NULL, r->l, q));
  for (size_t j = 0; j < q; j++) largest = fmax(largest, r->l[j * q + j]);
  for (size_t j = 0; j < q; j++) r->l[j * q + j] += 1e-11 * largest;
  MN_TRY(mn_chol_try(ctx, q, r->l, NULL, &minor));
  MN_TRY(mn_gemm(ctx, true, false, q, g->size, n, 1, s->design, q, r->u, g->size, 0, r->inside, g->size));
  if (minor == 0) MN_TRY(mn_chol_lower(ctx, q, g->size, r->l, r->inside));
  for (size_t t = 0; t < g->size; t++) {
    double outside = r->square[t];
    for (size_t j = 0; minor == 0 && j < q; j++) outside -= r->inside[j * g->size + t] * r->inside[j * g->size + t];
    g->gain[t] = outside > 1e-9 * r->square[t] ? r->along[t] * r->along[t] / outside : 0;
  }
  return MN_OK;
}

/* The best of the places that gain more than both beside them, which is then passed over; false: there is none. */
static bool take_peak(struct grid *g, double *place)
{
  size_t best = g->size;
  for (size_t t = 0; t < g->size; t++) {
    const bool peak =
        (t == 0 || g->gain[t] >= fabs(g->gain[t - 1])) && (t + 1 == g->size || g->gain[t] >= fabs(g->gain[t + 1]));
    if (peak && (best == g->size || g->gain[t] > g->gain[best])) best = t;
  }
  if (best == g->size) return false;
  *place = g->place[best];
  g->gain[best] = -g->gain[best];
  return true;
}

/* Add one breakpoint to r->held, at the best places of the grid in turn, and let all descend; the best goes to r->best
 * if it is better than what is there. */
static mn_status extend(mn_context *ctx, const mn_segments *s, size_t starts, struct room *r)
{
  mn_broken *held = &r->held, *next = &r->other;
  struct grid g;
  double place;
  MN_TRY(mn_segments_solve(ctx, s, true, held));
  place_grid(s, held->psi, held->m, next->psi, &g);
  if (g.size > 0) MN_TRY(measure_grid(ctx, s, held, r, &g));
  for (size_t start = 0; start < starts && take_peak(&g, &place); start++) {
    next->m = held->m + 1;
    memcpy(next->psi, held->psi, held->m * sizeof *next->psi);
    next->psi[held->m] = place;
    sort(next->psi, next->m);
    MN_TRY(descend(ctx, s, &brief, r, next));
    if (next->rss < r->best.rss) mn_broken_copy(s, next, &r->best);
  }
  return MN_OK;
}

mn_status mn_segments_add(mn_context *ctx, const mn_segments *s, mn_broken *b, bool *found)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct room r;
  mn_broken *best = &r.best;
  MN_TRY(make_room(ctx, s, b->m + 1, &r));
  mn_broken_copy(s, b, &r.held);
  MN_TRY(extend(ctx, s, STARTS, &r));
  *found = best->m == b->m + 1;
  double before = INFINITY;
  for (size_t sweep = 0; *found && best->m > 1 && sweep < MOST_SWEEPS && best->rss < before * (1 - 1e-6); sweep++) {
    before = best->rss;
    for (size_t k = 0; k < best->m; k++) {
      r.held.m = best->m - 1;
      for (size_t i = 0, to = 0; i < best->m; i++)
        if (i != k) r.held.psi[to++] = best->psi[i];
      MN_TRY(extend(ctx, s, STARTS_AGAIN, &r));
    }
  }
  if (*found) {
    MN_TRY(finish(ctx, s, &r, best));
    mn_broken_copy(s, best, b);
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
