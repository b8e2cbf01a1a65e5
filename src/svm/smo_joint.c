/* Moving all free variables of the working set together: pairs converge slowly where the kernel matrix is nearly
 * singular, as that of a linear kernel with columns of very different ranges.
 *
 * With F the variables between their bounds, the step d of b_F solves
 *
 *     K_FF d = v_F - o 1,   sum d = 0          (a sum and a multiplier o for each group)
 *
 * and is cut where the first variable reaches a bound. That one leaves F, until a step is not cut: the active set
 * method for quadratic programs. Nocedal & Wright, Numerical Optimization (2006), section 16.5. Directions along which
 * K_FF is singular get long steps from the small multiple of the identity that is added, up to a bound. */
#include "../factorization/lapack.h"
#include "smo_kernel.h"
#include "smo_state.h"
#include <math.h>
#include <string.h>

enum { GROUPS = 2 };

struct joint {
  mn_smo_set *w;
  const unsigned char *group;
  size_t groups, n; /* n: free variables                                              */
  size_t *index;    /* n: their places in the working set                             */
  double *solved;   /* n x (1 + groups): inv(K_FF) (v, indicators of the groups); d   */
  double ridge;     /* share of the largest diagonal element that is added            */
};

static void find_free(struct joint *t)
{
  const mn_smo_set *w = t->w;
  t->n = 0;
  for (size_t k = 0; k < w->count; k++)
    if (w->a[k] > 0 && w->a[k] < w->c[k]) t->index[t->n++] = k;
}

static mn_status factorize(mn_context *ctx, const struct joint *t, size_t *minor)
{
  mn_smo_set *w = t->w;
  double largest = 0;
  for (size_t i = 0; i < t->n; i++) {
    const double *row = w->k + t->index[i] * w->count;
    for (size_t j = 0; j < t->n; j++) w->factor[i * t->n + j] = row[t->index[j]];
    largest = fmax(largest, row[t->index[i]]);
  }
  for (size_t i = 0; i < t->n; i++) w->factor[i * (t->n + 1)] += t->ridge * largest;
  return mn_chol_try(ctx, t->n, w->factor, NULL, minor);
}

/* The multipliers: sum_g d = 0 for each group. One group, or the 2 x 2 system of two. */
static void multipliers(const struct joint *t, double *o)
{
  const size_t m = 1 + t->groups;
  double a[GROUPS][GROUPS] = { { 0 } }, b[GROUPS] = { 0 };
  for (size_t i = 0; i < t->n; i++) {
    const size_t g = t->group[t->index[i]];
    b[g] += t->solved[i * m];
    for (size_t h = 0; h < t->groups; h++) a[g][h] += t->solved[i * m + 1 + h];
  }
  for (size_t g = t->groups; g < GROUPS; g++) a[g][g] = 1;
  for (size_t g = 0; g < GROUPS; g++)
    if (!(a[g][g] > 0)) a[g][g] = 1; /* a group without free variables */
  const double determinant = a[0][0] * a[1][1] - a[0][1] * a[1][0];
  o[0] = determinant > 0 ? (b[0] * a[1][1] - b[1] * a[0][1]) / determinant : 0;
  o[1] = determinant > 0 ? (b[1] * a[0][0] - b[0] * a[1][0]) / determinant : 0;
}

/* d, into the first n values of `solved`; zero where there is no step. */
static mn_status solve(mn_context *ctx, struct joint *t, bool *found)
{
  const mn_smo_set *w = t->w;
  const size_t m = 1 + t->groups;
  size_t minor;
  double o[GROUPS];
  MN_TRY(factorize(ctx, t, &minor));
  *found = minor == 0;
  if (!*found) return MN_OK;
  memset(t->solved, 0, t->n * m * sizeof *t->solved);
  for (size_t i = 0; i < t->n; i++) {
    t->solved[i * m] = w->v[t->index[i]];
    t->solved[i * m + 1 + t->group[t->index[i]]] = 1;
  }
  MN_TRY(mn_chol_apply(ctx, t->n, m, w->factor, t->solved));
  multipliers(t, o);
  for (size_t i = 0; i < t->n; i++) {
    double d = t->solved[i * m];
    for (size_t g = 0; g < t->groups; g++) d -= o[g] * t->solved[i * m + 1 + g];
    t->solved[i] = d;
  }
  return MN_OK;
}

/* The length of the step up to the first bound, of variable *first of F. */
static double longest(const struct joint *t, size_t *first)
{
  const mn_smo_set *w = t->w;
  double length = INFINITY;
  for (size_t i = 0; i < t->n; i++) {
    const size_t k = t->index[i];
    const double rate = w->s[k] * t->solved[i];
    const double most = rate > 0 ? (w->c[k] - w->a[k]) / rate : rate < 0 ? w->a[k] / -rate : INFINITY;
    if (most >= length) continue;
    length = most;
    *first = i;
  }
  return length;
}

/* Move along d. *decrease: of the objective; false: d does not lead down. *cut: whether a bound was reached. */
static bool take_step(struct joint *t, double *decrease, bool *cut)
{
  mn_smo_set *w = t->w;
  double *image = w->gain, rise = 0, curvature = 0;
  size_t first = 0;
  memset(image, 0, w->count * sizeof *image);
  for (size_t i = 0; i < t->n; i++) {
    const double *row = w->k + t->index[i] * w->count;
    for (size_t k = 0; k < w->count; k++) image[k] += t->solved[i] * row[k];
    rise += t->solved[i] * w->v[t->index[i]];
  }
  for (size_t i = 0; i < t->n; i++) curvature += t->solved[i] * image[t->index[i]];
  const double most = longest(t, &first), best = curvature > 0 ? rise / curvature : INFINITY;
  const double length = fmin(best, most);
  if (!(rise > 0) || !(length > 0 && length < INFINITY)) return false;
  *cut = most <= best;
  for (size_t i = 0; i < t->n; i++) {
    const size_t k = t->index[i];
    w->a[k] = fmin(fmax(w->a[k] + w->s[k] * length * t->solved[i], 0), w->c[k]);
  }
  if (*cut) w->a[t->index[first]] = w->s[t->index[first]] * t->solved[first] > 0 ? w->c[t->index[first]] : 0;
  for (size_t k = 0; k < w->count; k++) w->v[k] -= length * image[k];
  *decrease = length * (rise - curvature * length / 2);
  return true;
}

mn_status mn_smo_move_together(mn_context *ctx, mn_smo_state *s, const unsigned char *group, double *decrease)
{
  static const double budget = 3e8; /* multiplications of the factorizations */
  mn_smo_set *w = &s->set;
  struct joint t = { .w = w, .group = group, .groups = s->groups, .index = w->free, .solved = w->solved };
  t.ridge = s->cache.single ? 1e-7 : 1e-12;
  bool cut = true, found = true;
  for (double work = 0; cut && found && work < budget;) {
    double gained = 0;
    find_free(&t);
    if (t.n < 2) break;
    work += (double)t.n * (double)t.n * (double)t.n / 6 + 1e5;
    MN_TRY(solve(ctx, &t, &found));
    if (!found || !take_step(&t, &gained, &cut)) break;
    *decrease += gained;
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}
