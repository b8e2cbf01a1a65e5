/* Newton's method on the support of a coordinate descent problem: with fixed signs of the coefficients F is quadratic
 * there. Serves both forms of the data; the column form computes the Gram matrix of its support first.
 *
 * If the columns are dependent, as with more columns than rows, the Gram matrix has a null space, along which
 * predictions do not change and F is linear. Descend along it until a coefficient becomes 0, repeatedly, until the
 * remaining columns are independent. Then step to the minimum over them; a coefficient that would change its sign on
 * the way becomes 0 and the step continues without it. This needs no new factorization:
 *
 *     inv(H without row and column i) = P - P_i P_i' / P_ii without them, P = inv(H). */
#include "../factorization/lapack.h"
#include "cd.h"
#include "cd_kernel.h"
#include <string.h>

enum { MAX_ROUNDS = 3, MAX_DROPS = 100 };
#define DEPENDENT 1e-10 /* largest fraction of its square by which a dependent column differs from the others */

struct newton {
  mn_cd *s;
  double l2;
  bool positive;
  size_t n, *support;  /* positions in the working set */
  double *l;           /* n x n: a Cholesky factor, or an inverse whose remaining rows come first */
  double *step, *work; /* n each */
};

static bool keeps_sign(const struct newton *w, size_t i)
{
  return w->positive || w->s->bound[w->support[i]] > 0;
}

/* Derivative of F by a coefficient, with its present sign. */
static double derivative(const struct newton *w, size_t i)
{
  const size_t k = w->support[i];
  return copysign(w->s->bound[k], w->s->set_b[k]) + w->l2 * w->s->set_b[k] - w->s->set_g[k];
}

static void set_coef(struct newton *w, size_t i, double next)
{
  mn_cd *s = w->s;
  const size_t k = w->support[i];
  const double delta = next - s->set_b[k];
  s->set_b[k] = next;
  if (delta != 0) mn_cd_subtract(s->size, delta, s->set_gram + k * s->capacity, s->set_g);
}

/* The largest multiple of the step, at most `limit`, that changes no sign; *first: the coefficient that becomes 0
 * there, or n. */
static double max_step(const struct newton *w, double limit, size_t *first)
{
  *first = w->n;
  for (size_t i = 0; i < w->n; i++) {
    const double b = w->s->set_b[w->support[i]];
    if (!keeps_sign(w, i) || !(b * w->step[i] < 0) || !(-b / w->step[i] <= limit)) continue;
    limit = -b / w->step[i];
    *first = i;
  }
  return limit;
}

static void take_step(struct newton *w, double share, size_t first)
{
  for (size_t i = 0; i < w->n; i++) {
    const double b = w->s->set_b[w->support[i]], next = b + share * w->step[i];
    set_coef(w, i, i == first || (keeps_sign(w, i) && (next > 0) != (b > 0)) ? 0 : next);
  }
}

static void find_support(struct newton *w)
{
  w->n = 0;
  for (size_t k = 0; k < w->s->size; k++)
    if (w->s->set_b[k] != 0) w->support[w->n++] = k;
}

/* The Gram matrix of the first n columns of the support, and l2. */
static void copy_gram(const struct newton *w, size_t n, double *out)
{
  const mn_cd *s = w->s;
  for (size_t i = 0; i < n; i++) {
    for (size_t m = 0; m < n; m++) out[i * n + m] = s->set_gram[w->support[i] * s->capacity + w->support[m]];
    out[i * n + i] += w->l2;
  }
}

/* One step of Gaussian elimination: eliminate column i from the unused rows of `a` (n x n). */
static void eliminate(size_t n, size_t i, const bool *used, double *a)
{
  for (size_t m = 0; m < n; m++)
    if (!used[m] && a[m * n + i] != 0) mn_cd_subtract(n, a[m * n + i] / a[i * n + i], a + i * n, a + m * n);
}

/* Reorder the support: first `rank` independent columns, chosen by pivoting on the largest remaining fraction of their
 * squares, then the columns that depend on them. */
static mn_status find_rank(mn_context *ctx, struct newton *w, size_t *rank)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t n = w->n;
  double *a = MN_RAW(ctx, double, n, n), *square = w->work;
  bool *used = MN_NEW(ctx, bool, n, 1);
  size_t *order = MN_RAW(ctx, size_t, n, 1), end = n;
  if (!a || !used || !order) return MN_NO_MEMORY;
  copy_gram(w, n, a);
  for (size_t i = 0; i < n; i++) square[i] = a[i * n + i];
  for (*rank = 0; *rank < n; (*rank)++) {
    size_t next = n;
    double best = DEPENDENT;
    for (size_t i = 0; i < n; i++) {
      if (used[i] || !(a[i * n + i] > best * square[i])) continue;
      best = a[i * n + i] / square[i];
      next = i;
    }
    if (next == n) break;
    used[next] = true;
    order[*rank] = w->support[next];
    eliminate(n, next, used, a);
    MN_TRY(mn_poll(ctx));
  }
  for (size_t i = 0; i < n; i++)
    if (!used[i]) order[--end] = w->support[i];
  memcpy(w->support, order, n * sizeof *order);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Null space of the Gram matrix: vector f of `out` ((n - rank) x n) changes column rank + f of the support by 1, and
 * the first `rank` columns so that predictions do not change. */
static mn_status find_null_space(mn_context *ctx, struct newton *w, size_t rank, double *out, bool *found)
{
  const mn_cd *s = w->s;
  const size_t n = w->n, d = n - rank;
  double *x = MN_RAW(ctx, double, rank, d);
  size_t minor = 0;
  MN_CHECK_ALLOC(x);
  copy_gram(w, rank, w->l);
  if (rank > 0) MN_TRY(mn_chol_try(ctx, rank, w->l, NULL, &minor));
  *found = minor == 0;
  if (minor > 0) return MN_OK;
  for (size_t i = 0; i < rank; i++)
    for (size_t f = 0; f < d; f++) x[i * d + f] = s->set_gram[w->support[i] * s->capacity + w->support[rank + f]];
  if (rank > 0) MN_TRY(mn_chol_apply(ctx, rank, d, w->l, x));
  memset(out, 0, n * d * sizeof *out);
  for (size_t f = 0; f < d; f++) {
    for (size_t i = 0; i < rank; i++) out[f * n + i] = -x[i * d + f];
    out[f * n + rank + f] = 1;
  }
  return MN_OK;
}

/* Restrict the d null vectors to those with element i equal to 0: one vector is removed, and eliminated from the
 * others. */
static void remove_row(size_t n, size_t i, double *null, size_t *d)
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

static bool is_nonzero_row(size_t n, size_t i, const double *null, size_t d)
{
  for (size_t f = 0; f < d; f++)
    if (null[f * n + i] != 0) return true;
  return false;
}

/* Move along the direction of steepest descent in the null space, along which F is linear, to the next coefficient that
 * becomes 0. */
static bool descend_null_space(struct newton *w, const double *null, size_t d, size_t *first)
{
  double all = 0;
  memset(w->step, 0, w->n * sizeof *w->step);
  for (size_t f = 0; f < d; f++) {
    double slope = 0;
    for (size_t i = 0; i < w->n; i++) slope += null[f * w->n + i] * w->work[i];
    for (size_t i = 0; i < w->n; i++) w->step[i] -= slope * null[f * w->n + i];
    all += fabs(slope);
  }
  if (all == 0) memcpy(w->step, null, w->n * sizeof *w->step);
  const double share = max_step(w, INFINITY, first);
  if (*first == w->n) return false;
  take_step(w, share, *first);
  return true;
}

/* Move within the null space until the remaining columns are independent. *changed: whether a coefficient became 0. */
static mn_status make_independent(mn_context *ctx, struct newton *w, size_t rank, bool *changed)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *null = MN_RAW(ctx, double, w->n, w->n - rank);
  size_t d = w->n - rank, first;
  bool proceed;
  MN_CHECK_ALLOC(null);
  *changed = false;
  MN_TRY(find_null_space(ctx, w, rank, null, &proceed));
  for (size_t i = 0; i < w->n; i++) w->work[i] = derivative(w, i);
  while (proceed && d > 0) {
    proceed = descend_null_space(w, null, d, &first);
    for (size_t i = 0; i < w->n && proceed; i++) /* zeros stay 0 */
      if (w->s->set_b[w->support[i]] == 0 && is_nonzero_row(w->n, i, null, d)) remove_row(w->n, i, null, &d);
    *changed = *changed || proceed;
    MN_TRY(mn_poll(ctx));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Remove row and column i from the inverse, and coefficient i from the support. */
static void drop_column(struct newton *w, size_t i, size_t ld)
{
  double *p = w->l;
  const size_t last = --w->n;
  const double square = p[i * ld + i];
  for (size_t m = 0; m <= last; m++) w->work[m] = p[i * ld + m];
  for (size_t a = 0; a <= last; a++)
    for (size_t c = 0; c <= last; c++) p[a * ld + c] -= w->work[a] / square * w->work[c];
  w->support[i] = w->support[last]; /* replaced by the last */
  for (size_t m = 0; m <= last; m++) p[i * ld + m] = p[last * ld + m];
  for (size_t m = 0; m <= last; m++) p[m * ld + i] = p[m * ld + last];
}

/* Continue a step that ended at a coefficient that became 0, with the others and the inverse of the matrix. */
static mn_status continue_without(mn_context *ctx, struct newton *w, size_t first)
{
  const size_t ld = w->n;
  MN_TRY(mn_chol_inverse(ctx, ld, w->l));
  for (int drops = 0; first < w->n && w->n > 1 && drops < MAX_DROPS; drops++) {
    drop_column(w, first, ld);
    for (size_t i = 0; i < w->n; i++) w->work[i] = -derivative(w, i);
    for (size_t i = 0; i < w->n; i++) w->step[i] = mn_cd_dot(w->n, w->l + i * ld, w->work);
    const double share = max_step(w, 1, &first);
    take_step(w, share, first);
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* Whether F is at most its value at coefficients b and gradient g. With nearly dependent columns rounding could
 * increase it. */
static bool is_descent(const struct newton *w, const double *b, const double *g)
{
  const mn_cd *s = w->s;
  double change = 0;
  for (size_t k = 0; k < s->size; k++) {
    const double now = s->set_b[k], delta = now - b[k];
    change += s->bound[k] * (fabs(now) - fabs(b[k])) + delta * (w->l2 * (now + b[k]) - g[k] - s->set_g[k]) / 2;
  }
  return change <= 0;
}

/* Step to the minimum over the support; w->l holds the Cholesky factor. */
static mn_status step_to_minimum(mn_context *ctx, struct newton *w)
{
  size_t first;
  for (size_t i = 0; i < w->n; i++) w->step[i] = -derivative(w, i);
  MN_TRY(mn_chol_apply(ctx, w->n, 1, w->l, w->step));
  const double share = max_step(w, 1, &first);
  take_step(w, share, first);
  return first < w->n ? continue_without(ctx, w, first) : MN_OK;
}

static mn_status descend(mn_context *ctx, struct newton *w)
{
  bool repeat = true;
  for (int round = 0; repeat && round < MAX_ROUNDS; round++) {
    double rcond = 0;
    size_t minor, rank;
    find_support(w);
    if (w->n == 0) break;
    rank = w->n;
    repeat = false;
    copy_gram(w, w->n, w->l);
    MN_TRY(mn_chol_try(ctx, w->n, w->l, &rcond, &minor));
    if (w->l2 == 0 && (minor > 0 || !(rcond > 1e-13))) MN_TRY(find_rank(ctx, w, &rank));
    if (rank < w->n)
      MN_TRY(make_independent(ctx, w, rank, &repeat));
    else if (minor == 0)
      MN_TRY(step_to_minimum(ctx, w));
  }
  return MN_OK;
}

mn_status mn_cd_newton(mn_context *ctx, mn_cd *s, const mn_cd_penalty *q)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct newton w = { .s = s, .l2 = q->l2, .positive = q->positive, .support = MN_RAW(ctx, size_t, s->size, 1) };
  w.l = MN_RAW(ctx, double, s->size, s->size);
  double *buffer = MN_RAW(ctx, double, s->size, 4);
  if (!w.support || !w.l || !buffer) return MN_NO_MEMORY;
  double *b = buffer + 2 * s->size, *g = b + s->size;
  const size_t bytes = s->size * sizeof *b;
  w.step = buffer;
  w.work = buffer + s->size;
  memcpy(b, s->set_b, bytes);
  memcpy(g, s->set_g, bytes);
  MN_TRY(descend(ctx, &w));
  if (!is_descent(&w, b, g)) {
    memcpy(s->set_b, b, bytes);
    memcpy(s->set_g, g, bytes);
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
