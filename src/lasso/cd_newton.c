/* Newton's method of coordinate descent, on the columns whose weights are not 0: with the signs as they are, F is
 * quadratic there. Both forms of the data use it: that by columns makes the Gram matrix of these columns first.
 *
 * Where the columns depend on each other, as they do when there are more of them than rows, there are changes of
 * weights that cancel: no prediction changes, and along them F is a straight line. Down it until a weight is 0, over
 * and over, until the columns that are left are independent. Then to the minimum over these; a weight that would change
 * its sign on the way becomes 0 and the way goes on without it, which costs no new factorisation:
 *
 *     inv(H without row and column i) = P - P_i P_i' / P_ii without them, P = inv(H). */
#include "../linalg/lapack.h"
#include "cd.h"
#include "cd_kernel.h"
#include <string.h>

enum { MOST_ROUNDS = 3, MOST_DROPS = 100 };
#define DEPENDENT 1e-10 /* of a column's square: what is left beside the others that counts as nothing */

struct newton {
  mn_cd *s;
  double l2;
  bool positive;
  size_t n, *support;  /* positions in the set */
  double *l;           /* n x n: a factor, or an inverse whose live rows are first */
  double *step, *rest; /* n each */
};

static bool is_bound(const struct newton *w, size_t i)
{
  return w->positive || w->s->bound[w->support[i]] > 0;
}

/* The slope of F by a weight, with its sign as it is. */
static double slope_of(const struct newton *w, size_t i)
{
  const size_t k = w->support[i];
  return copysign(w->s->bound[k], w->s->set_b[k]) + w->l2 * w->s->set_b[k] - w->s->set_g[k];
}

static void set_weight(struct newton *w, size_t i, double next)
{
  mn_cd *s = w->s;
  const size_t k = w->support[i];
  const double moved = next - s->set_b[k];
  s->set_b[k] = next;
  if (moved != 0) mn_cd_subtract(s->size, moved, s->packed + k * s->room, s->set_g);
}

/* How far along the step the signs hold, at most `most`; *first: whose weight becomes 0 there, n if none does. */
static double reach(const struct newton *w, double most, size_t *first)
{
  *first = w->n;
  for (size_t i = 0; i < w->n; i++) {
    const double b = w->s->set_b[w->support[i]];
    if (!is_bound(w, i) || !(b * w->step[i] < 0) || !(-b / w->step[i] <= most)) continue;
    most = -b / w->step[i];
    *first = i;
  }
  return most;
}

static void walk(struct newton *w, double share, size_t first)
{
  for (size_t i = 0; i < w->n; i++) {
    const double b = w->s->set_b[w->support[i]], next = b + share * w->step[i];
    set_weight(w, i, i == first || (is_bound(w, i) && (next > 0) != (b > 0)) ? 0 : next);
  }
}

static void find_support(struct newton *w)
{
  w->n = 0;
  for (size_t k = 0; k < w->s->size; k++)
    if (w->s->set_b[k] != 0) w->support[w->n++] = k;
}

/* The Gram matrix of the first n columns of the support, and l2. */
static void take_gram(const struct newton *w, size_t n, double *out)
{
  const mn_cd *s = w->s;
  for (size_t i = 0; i < n; i++) {
    for (size_t m = 0; m < n; m++) out[i * n + m] = s->packed[w->support[i] * s->room + w->support[m]];
    out[i * n + i] += w->l2;
  }
}

/* Column i of the support is taken out of those that are left in `a` (n x n). */
static void take_out(size_t n, size_t i, const bool *taken, double *a)
{
  for (size_t m = 0; m < n; m++)
    if (!taken[m] && a[m * n + i] != 0) mn_cd_subtract(n, a[m * n + i] / a[i * n + i], a + i * n, a + m * n);
}

/* The support in another order: `rank` columns that are independent, always the one next of which most is left beside
 * those before it, and then columns that depend on them. */
static mn_status find_rank(mn_context *ctx, struct newton *w, size_t *rank)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t n = w->n;
  double *a = MN_RAW(ctx, double, n, n), *square = w->rest;
  bool *taken = MN_NEW(ctx, bool, n, 1);
  size_t *order = MN_RAW(ctx, size_t, n, 1), behind = n;
  if (!a || !taken || !order) return MN_NO_MEMORY;
  take_gram(w, n, a);
  for (size_t i = 0; i < n; i++) square[i] = a[i * n + i];
  for (*rank = 0; *rank < n; (*rank)++) {
    size_t next = n;
    double most = DEPENDENT;
    for (size_t i = 0; i < n; i++) {
      if (taken[i] || !(a[i * n + i] > most * square[i])) continue;
      most = a[i * n + i] / square[i];
      next = i;
    }
    if (next == n) break;
    taken[next] = true;
    order[*rank] = w->support[next];
    take_out(n, next, taken, a);
    MN_TRY(mn_poll(ctx));
  }
  for (size_t i = 0; i < n; i++)
    if (!taken[i]) order[--behind] = w->support[i];
  memcpy(w->support, order, n * sizeof *order);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Changes of weights that cancel: column f of `out` (n x (n - rank)) changes column rank + f of the support, and the
 * first `rank` by what makes up for it. */
static mn_status find_null(mn_context *ctx, struct newton *w, size_t rank, double *out, bool *found)
{
  const mn_cd *s = w->s;
  const size_t n = w->n, d = n - rank;
  double *x = MN_RAW(ctx, double, rank, d);
  size_t minor = 0;
  MN_CHECK_ALLOC(x);
  take_gram(w, rank, w->l);
  if (rank > 0) MN_TRY(mn_chol_try(ctx, rank, w->l, NULL, &minor));
  *found = minor == 0;
  if (minor > 0) return MN_OK;
  for (size_t i = 0; i < rank; i++)
    for (size_t f = 0; f < d; f++) x[i * d + f] = s->packed[w->support[i] * s->room + w->support[rank + f]];
  if (rank > 0) MN_TRY(mn_chol_apply(ctx, rank, d, w->l, x));
  memset(out, 0, n * d * sizeof *out);
  for (size_t f = 0; f < d; f++) {
    for (size_t i = 0; i < rank; i++) out[f * n + i] = -x[i * d + f];
    out[f * n + rank + f] = 1;
  }
  return MN_OK;
}

/* Without row i: a direction of the d ones gives way, and the others are freed of it. */
static void strike(size_t n, size_t i, double *null, size_t *d)
{
  size_t pivot = 0;
  for (size_t f = 1; f < *d; f++)
    if (fabs(null[f * n + i]) > fabs(null[pivot * n + i])) pivot = f;
  double *out = null + pivot * n, *last = null + --(*d) * n;
  for (size_t m = 0; m < n && out != last; m++) {
    const double value = out[m];
    out[m] = last[m];
    last[m] = value;
  }
  for (size_t f = 0; f < *d && last[i] != 0; f++) {
    const double share = null[f * n + i] / last[i];
    for (size_t m = 0; m < n; m++) null[f * n + m] -= share * last[m];
    null[f * n + i] = 0;
  }
}

static bool moves(size_t n, size_t i, const double *null, size_t d)
{
  for (size_t f = 0; f < d; f++)
    if (null[f * n + i] != 0) return true;
  return false;
}

/* Of d directions along which F is a straight line the steepest way down, to the next weight that becomes 0. */
static bool slide(struct newton *w, const double *null, size_t d, size_t *first)
{
  double all = 0;
  memset(w->step, 0, w->n * sizeof *w->step);
  for (size_t f = 0; f < d; f++) {
    double slope = 0;
    for (size_t i = 0; i < w->n; i++) slope += null[f * w->n + i] * w->rest[i];
    for (size_t i = 0; i < w->n; i++) w->step[i] -= slope * null[f * w->n + i];
    all += fabs(slope);
  }
  if (all == 0) memcpy(w->step, null, w->n * sizeof *w->step);
  const double share = reach(w, INFINITY, first);
  if (*first == w->n) return false;
  walk(w, share, *first);
  return true;
}

/* Until the columns that are left are independent. *slid: has any weight become 0? */
static mn_status make_independent(mn_context *ctx, struct newton *w, size_t rank, bool *slid)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *null = MN_RAW(ctx, double, w->n, w->n - rank);
  size_t d = w->n - rank, first;
  bool go_on;
  MN_CHECK_ALLOC(null);
  *slid = false;
  MN_TRY(find_null(ctx, w, rank, null, &go_on));
  for (size_t i = 0; i < w->n; i++) w->rest[i] = slope_of(w, i);
  while (go_on && d > 0) {
    go_on = slide(w, null, d, &first);
    for (size_t i = 0; i < w->n && go_on; i++) /* what has become 0 stays there */
      if (w->s->set_b[w->support[i]] == 0 && moves(w->n, i, null, d)) strike(w->n, i, null, &d);
    *slid = *slid || go_on;
    MN_TRY(mn_poll(ctx));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Row and column i leave the inverse, and the support. */
static void drop(struct newton *w, size_t i, size_t ld)
{
  double *p = w->l;
  const size_t last = --w->n;
  const double square = p[i * ld + i];
  for (size_t m = 0; m <= last; m++) w->rest[m] = p[i * ld + m];
  for (size_t a = 0; a <= last; a++)
    for (size_t c = 0; c <= last; c++) p[a * ld + c] -= w->rest[a] / square * w->rest[c];
  w->support[i] = w->support[last]; /* the last takes its place */
  for (size_t m = 0; m <= last; m++) p[i * ld + m] = p[last * ld + m];
  for (size_t m = 0; m <= last; m++) p[m * ld + i] = p[m * ld + last];
}

/* After a step that ended at a weight that became 0: the others go on, by the inverse of the matrix. */
static mn_status go_on_without(mn_context *ctx, struct newton *w, size_t first)
{
  const size_t ld = w->n;
  MN_TRY(mn_chol_inverse(ctx, ld, w->l));
  for (int drops = 0; first < w->n && w->n > 1 && drops < MOST_DROPS; drops++) {
    drop(w, first, ld);
    for (size_t i = 0; i < w->n; i++) w->rest[i] = -slope_of(w, i);
    for (size_t i = 0; i < w->n; i++) w->step[i] = mn_cd_dot(w->n, w->l + i * ld, w->rest);
    const double share = reach(w, 1, &first);
    walk(w, share, first);
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* Is F no higher than at these weights and slopes? Where columns all but depend on each other rounding could raise it.
 */
static bool is_lower(const struct newton *w, const double *b, const double *g)
{
  const mn_cd *s = w->s;
  double change = 0;
  for (size_t k = 0; k < s->size; k++) {
    const double now = s->set_b[k], moved = now - b[k];
    change += s->bound[k] * (fabs(now) - fabs(b[k])) + moved * (w->l2 * (now + b[k]) - g[k] - s->set_g[k]) / 2;
  }
  return change <= 0;
}

/* To the minimum over the support, of which w->l holds the factor. */
static mn_status go(mn_context *ctx, struct newton *w)
{
  size_t first;
  for (size_t i = 0; i < w->n; i++) w->step[i] = -slope_of(w, i);
  MN_TRY(mn_chol_apply(ctx, w->n, 1, w->l, w->step));
  const double share = reach(w, 1, &first);
  walk(w, share, first);
  return first < w->n ? go_on_without(ctx, w, first) : MN_OK;
}

static mn_status descend(mn_context *ctx, struct newton *w)
{
  bool again = true;
  for (int round = 0; again && round < MOST_ROUNDS; round++) {
    double rcond = 0;
    size_t minor, rank;
    find_support(w);
    if (w->n == 0) break;
    rank = w->n;
    again = false;
    take_gram(w, w->n, w->l);
    MN_TRY(mn_chol_try(ctx, w->n, w->l, &rcond, &minor));
    if (w->l2 == 0 && (minor > 0 || !(rcond > 1e-13))) MN_TRY(find_rank(ctx, w, &rank));
    if (rank < w->n)
      MN_TRY(make_independent(ctx, w, rank, &again));
    else if (minor == 0)
      MN_TRY(go(ctx, w));
  }
  return MN_OK;
}

mn_status mn_cd_newton(mn_context *ctx, mn_cd *s, const mn_cd_penalty *q)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct newton w = { .s = s, .l2 = q->l2, .positive = q->positive, .support = MN_RAW(ctx, size_t, s->size, 1) };
  w.l = MN_RAW(ctx, double, s->size, s->size);
  double *of_each = MN_RAW(ctx, double, s->size, 4);
  if (!w.support || !w.l || !of_each) return MN_NO_MEMORY;
  double *b = of_each + 2 * s->size, *g = b + s->size;
  const size_t bytes = s->size * sizeof *b;
  w.step = of_each;
  w.rest = of_each + s->size;
  memcpy(b, s->set_b, bytes);
  memcpy(g, s->set_g, bytes);
  MN_TRY(descend(ctx, &w));
  if (!is_lower(&w, b, g)) {
    memcpy(s->set_b, b, bytes);
    memcpy(s->set_g, g, bytes);
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
