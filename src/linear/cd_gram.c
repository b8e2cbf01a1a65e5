/* Coordinate descent on a Gram matrix. The part of it that belongs to the working set is kept packed, so that a sweep
 * runs through memory in order; where sweeps are slow, for columns that are much alike, a Newton step on the support
 * ends what hundreds of sweeps would. */
#include "../core/threads.h"
#include "../math/lapack.h"
#include "cd.h"
#include "cd_kernel.h"
#include <string.h>

enum { FIRST_ROOM = 64, FIRST_NEWTON = 5, SWEEPS_PER_NEWTON = 20, MOST_SLIDES = 20, GRADIENT_COLUMNS = 256 };

static mn_status grow(mn_context *ctx, mn_cd *s)
{
  size_t room = s->room > 0 ? 2 * s->room : FIRST_ROOM;
  if (room > s->p) room = s->p;
  double *packed = MN_RAW(ctx, double, room, room), *b = MN_RAW(ctx, double, room, 1),
         *g = MN_RAW(ctx, double, room, 1);
  if (!packed || !b || !g) return MN_NO_MEMORY;
  for (size_t k = 0; k < s->size; k++) memcpy(packed + k * room, s->packed + k * s->room, s->size * sizeof *packed);
  s->packed = packed;
  s->set_b = b;
  s->set_g = g;
  s->room = room;
  return MN_OK;
}

mn_status mn_cd_gram_add(mn_context *ctx, mn_cd *s, size_t j)
{
  if (s->size == s->room) MN_TRY(grow(ctx, s));
  const size_t k = s->size++;
  const double *row = s->gram + j * s->ld;
  s->set[k] = j;
  for (size_t l = 0; l <= k; l++) s->packed[k * s->room + l] = s->packed[l * s->room + k] = row[s->set[l]];
  return MN_OK;
}

struct gradient_work {
  mn_cd *s;
  mn_blocks blocks;
};

static void gradient_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct gradient_work *w = work;
  mn_cd *s = w->s;
  const size_t begin = mn_block_begin(&w->blocks, block), n = mn_block_end(&w->blocks, block) - begin;
  memcpy(s->g + begin, s->c + begin, n * sizeof *s->g);
  for (size_t j = 0; j < s->p; j++)
    if (s->b[j] != 0) mn_cd_take(n, s->b[j], s->gram + j * s->ld + begin, s->g + begin);
}

/* Only of the columns outside the set: the sweeps have kept the others. */
static void outside_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct gradient_work *w = work;
  mn_cd *s = w->s;
  for (size_t j = mn_block_begin(&w->blocks, block); j < mn_block_end(&w->blocks, block); j++)
    if (!s->inside[j]) s->g[j] = s->c[j] - mn_cd_dot(s->p, s->gram + j * s->ld, s->b);
}

mn_status mn_cd_gram_refresh(mn_context *ctx, mn_cd *s, bool exact)
{
  struct gradient_work w = { .s = s, .blocks = mn_cut(s->p, GRADIENT_COLUMNS, SIZE_MAX) };
  size_t support = 0;
  double along = 0;
  for (size_t j = 0; j < s->p; j++) support += s->b[j] != 0;
  const bool few_outside = !exact && s->p - s->size < support;
  MN_TRY(mn_parallel(ctx, w.blocks.count, few_outside ? outside_block : gradient_block, &w));
  for (size_t k = 0; few_outside && k < s->size; k++) s->g[s->set[k]] = s->set_g[k];
  for (size_t j = 0; j < s->p; j++) along += (s->c[j] + s->g[j]) * s->b[j];
  s->squares = fmax(s->yy - along, 0);
  return MN_OK;
}

/* Twice the gain of the best step, where there is no penalty; else the duality gap of the set. */
static double set_gap(const mn_cd *s, const mn_cd_penalty *q, double *squares)
{
  double along = 0, gain = 0;
  for (size_t k = 0; k < s->size; k++) along += (s->c[s->set[k]] + s->set_g[k]) * s->set_b[k];
  *squares = fmax(s->yy - along, 0);
  if (q->l1 > 0 || q->l2 > 0) return mn_cd_gap(s->size, s->set_b, s->set_g, s->bound, q->l2, q->positive, *squares);
  for (size_t k = 0; k < s->size; k++) {
    const double norm = s->packed[k * s->room + k];
    if (norm > 0 && !(q->positive && s->set_b[k] == 0 && s->set_g[k] < 0))
      gain = fmax(gain, s->set_g[k] * s->set_g[k] / norm);
  }
  return gain;
}

static double set_objective(const mn_cd *s, const mn_cd_penalty *q, double squares)
{
  double sum = squares / 2;
  for (size_t k = 0; k < s->size; k++) sum += s->bound[k] * fabs(s->set_b[k]) + q->l2 / 2 * s->set_b[k] * s->set_b[k];
  return sum;
}

/* Along `step` on the support, as far as the signs hold; the weight that would change its sign becomes 0. */
static void walk(mn_cd *s, bool positive, size_t n, const size_t *support, const double *step)
{
  double share = 1;
  size_t first = n;
  for (size_t i = 0; i < n; i++) {
    const double b = s->set_b[support[i]];
    const bool bound = positive || s->bound[support[i]] > 0;
    if (!bound || (b + step[i] > 0) == (b > 0) || !(-b / step[i] <= share)) continue;
    share = -b / step[i];
    first = i;
  }
  for (size_t i = 0; i < n; i++) {
    const size_t k = support[i];
    const double b = s->set_b[k], next = b + share * step[i];
    const bool bound = positive || s->bound[k] > 0;
    s->set_b[k] = i == first || (bound && (next > 0) != (b > 0)) ? 0 : next;
    mn_cd_take(s->size, s->set_b[k] - b, s->packed + k * s->room, s->set_g);
  }
}

/* The Gram matrix of the first n columns of the support. */
static void take_gram(const mn_cd *s, size_t n, const size_t *support, double *l)
{
  for (size_t i = 0; i < n; i++)
    for (size_t m = 0; m < n; m++) l[i * n + m] = s->packed[support[i] * s->room + support[m]];
}

/* Column k of the support follows from those before it: changes of these weights that cancel change no prediction, and
 * along them F is a straight line. Down it until a weight is 0, which leaves a column fewer. */
static mn_status slide(mn_context *ctx, mn_cd *s, bool positive, size_t k, const size_t *support, double *l,
                       double *step, bool *slid)
{
  const double *column = s->packed + support[k] * s->room;
  double rcond, slope = 0, share = INFINITY;
  size_t minor = 0;
  take_gram(s, k, support, l);
  if (k > 0) MN_TRY(mn_chol_try(ctx, k, l, &rcond, &minor));
  *slid = false;
  if (minor > 0) return MN_OK;
  for (size_t i = 0; i < k; i++) step[i] = -column[support[i]];
  if (k > 0) MN_TRY(mn_chol_apply(ctx, k, 1, l, step));
  step[k] = 1;
  for (size_t i = 0; i <= k; i++) {
    const size_t at = support[i];
    slope += step[i] * (copysign(s->bound[at], s->set_b[at]) - s->set_g[at]);
  }
  for (size_t i = 0; i <= k; i++) {
    const double b = s->set_b[support[i]];
    if (slope > 0) step[i] = -step[i];
    if ((positive || s->bound[support[i]] > 0) && b * step[i] < 0) share = fmin(share, -b / step[i]);
  }
  if (!(share < INFINITY)) return MN_OK;
  for (size_t i = 0; i <= k; i++) step[i] *= share * (1 + 4 * DBL_EPSILON);
  walk(s, positive, k + 1, support, step);
  *slid = true;
  return MN_OK;
}

/* The column that has least of its own beside those before it. */
static size_t weakest(const mn_cd *s, size_t n, const size_t *support, const double *l)
{
  size_t found = 0;
  double least = INFINITY;
  for (size_t i = 0; i < n; i++) {
    const double share = l[i * n + i] * l[i * n + i] / s->packed[support[i] * s->room + support[i]];
    if (share < least) found = i;
    least = fmin(least, share);
  }
  return found;
}

/* With the signs as they are F is quadratic on the support: go to its minimum there, or as far as the signs hold; where
 * its columns depend on each other, as they do when there are more of them than rows, first to fewer columns. */
static mn_status newton(mn_context *ctx, mn_cd *s, const mn_cd_penalty *q)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  size_t *support = MN_RAW(ctx, size_t, s->size, 1), minor;
  double *l = MN_RAW(ctx, double, s->size, s->size), *step = MN_RAW(ctx, double, s->size, 1), rcond = 0;
  if (!support || !l || !step) return MN_NO_MEMORY;
  bool slid = true;
  for (int t = 0; slid && t < MOST_SLIDES; t++) {
    size_t n = 0;
    for (size_t k = 0; k < s->size; k++)
      if (s->set_b[k] != 0) support[n++] = k;
    if (n == 0) break;
    take_gram(s, n, support, l);
    for (size_t i = 0; i < n; i++) l[i * n + i] += q->l2;
    MN_TRY(mn_chol_try(ctx, n, l, &rcond, &minor));
    slid = false;
    if (minor > 0 || !(rcond > 1e-13)) {
      if (q->l2 > 0) break;
      MN_TRY(slide(ctx, s, q->positive, minor > 0 ? minor - 1 : weakest(s, n, support, l), support, l, step, &slid));
      continue;
    }
    for (size_t i = 0; i < n; i++) {
      const size_t k = support[i];
      step[i] = s->set_g[k] - copysign(s->bound[k], s->set_b[k]) - q->l2 * s->set_b[k];
    }
    MN_TRY(mn_chol_apply(ctx, n, 1, l, step));
    walk(s, q->positive, n, support, step);
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_cd_gram_inner(mn_context *ctx, mn_cd *s, const mn_cd_penalty *q, double wanted, int64_t max_iter,
                           mn_cd_report *r, bool *still)
{
  double squares = 0;
  int64_t since = 0;
  for (size_t k = 0; k < s->size; k++) {
    s->set_b[k] = s->b[s->set[k]];
    s->set_g[k] = s->g[s->set[k]];
  }
  bool go_on = true;
  *still = false;
  while (go_on && !*still && r->n_iter < max_iter) {
    const double gain = mn_cd_sweep(s->size, s->packed, s->room, s->bound, q->l2, q->positive, s->set_b, s->set_g);
    r->n_iter++;
    *still = !(gain > MN_CD_ROUNDING * s->yy);
    const bool there = set_gap(s, q, &squares) <= wanted;
    if (s->note) go_on = s->note(s->user, set_objective(s, q, squares));
    if (there) break;
    MN_TRY(mn_poll(ctx));
    if (++since < FIRST_NEWTON + (int64_t)s->size / SWEEPS_PER_NEWTON) continue;
    MN_TRY(newton(ctx, s, q));
    since = 0;
  }
  for (size_t k = 0; k < s->size; k++) s->b[s->set[k]] = s->set_b[k];
  return MN_OK;
}
