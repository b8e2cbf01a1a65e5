/* Newton's method for the groups whose weights are not 0. There F is smooth: with u_g = B_g / |B_g|, the part of a
 * group in the Hessian is
 *
 *     G_gg + l2 + l1 s_g / |B_g| (1 - u_g u_g'),
 *
 * and others meet in the Gram matrix alone. A step goes as far as F falls along it, which is found exactly, for F is
 * convex there with derivatives that cost a pass over the groups. A group that the step brings to 0 leaves, and the
 * others take the next step. Sweeps find which groups have weights; what hundreds of them would do for groups that are
 * much alike, or for more columns than rows, a few of these steps do.
 *
 * Roth & Fischer, ICML 2008; Qin, Scheinberg & Goldfarb, Math. Prog. Comput. 5 (2013). */
#include "../linalg/lapack.h"
#include "cd_kernel.h"
#include "group_blocks.h"
#include <string.h>

enum { FIRST_NEWTON = 5, SWEEPS_PER_NEWTON = 20, MOST_STEPS = 20, MOST_UNKNOWNS = 2000, HALVINGS = 60 };
#define MN_NEWTON_ENOUGH 1e-13 /* of the squares of y */

struct newton {
  mn_group_blocks *s;
  size_t count, *group;           /* the groups that are not 0 */
  size_t size, *row;              /* their rows of B, together */
  size_t m;                       /* size * q                  */
  double *hessian, *step, *image; /* m x m; m; p x q: G times the step */
  double promise;                 /* of a step: twice what it gains where F is quadratic */
  double *norm, *along, *square;  /* count: |B_g|^2, B_g d_g, |d_g|^2  */
};

static size_t rows_of(const mn_group_blocks *s, size_t group)
{
  return s->groups.first[group + 1] - s->groups.first[group];
}

/* Which groups are not 0, and how many unknowns they make. */
static void find_active(struct newton *w)
{
  const mn_group_blocks *s = w->s;
  w->count = w->size = 0;
  for (size_t k = 0; k < s->groups.count; k++) {
    if (!(mn_group_norm(s, k, s->b, 0) > 0)) continue;
    w->group[w->count++] = k;
    for (size_t i = 0; i < rows_of(s, k); i++) w->row[w->size++] = s->groups.member[s->groups.first[k] + i];
  }
  w->m = w->size * s->q;
}

/* Row i of `row`, target t: unknown i q + t. */
static void add_gram(struct newton *w)
{
  const mn_group_blocks *s = w->s;
  const size_t q = s->q;
  memset(w->hessian, 0, w->m * w->m * sizeof *w->hessian);
  for (size_t i = 0; i < w->size; i++)
    for (size_t j = 0; j < w->size; j++) {
      const double value = mn_group_gram_at(s, w->row[i], w->row[j]) + (i == j ? s->l2 : 0);
      for (size_t t = 0; t < q; t++) w->hessian[(i * q + t) * w->m + j * q + t] = value;
    }
}

/* The norms' part of the Hessian, and the least subgradient, of group k whose first unknown is `at`. */
static void add_norm(struct newton *w, size_t k, size_t at)
{
  const mn_group_blocks *s = w->s;
  const size_t q = s->q, values = rows_of(s, w->group[k]) * q;
  const double norm = mn_group_norm(s, w->group[k], s->b, 0), pull = s->l1 * s->groups.scale[w->group[k]];
  for (size_t v = 0; v < values; v++) {
    const size_t here = w->row[(at + v) / q] * q + (at + v) % q;
    const double direction = s->b[here] / norm;
    w->step[at + v] = s->g[here] - s->l2 * s->b[here] - pull * direction;
    if (values == 1) continue; /* flat: 1 - u u' = 0 */
    for (size_t o = 0; o < values; o++) {
      const double other = s->b[w->row[(at + o) / q] * q + (at + o) % q] / norm;
      w->hessian[(at + v) * w->m + at + o] += pull / norm * ((v == o ? 1 : 0) - direction * other);
    }
  }
}

/* The step of Newton's method; a Hessian that is not positive definite, as that of more groups than rows may be, is
 * helped by a little of its diagonal. *found: is there one? */
static mn_status find_step(mn_context *ctx, struct newton *w, bool *found)
{
  double jitter = 1e-14;
  size_t minor = 1;
  for (int attempt = 0; attempt < 4 && minor > 0; attempt++) {
    size_t at = 0;
    add_gram(w);
    for (size_t k = 0; k < w->count; at += rows_of(w->s, w->group[k++]) * w->s->q) add_norm(w, k, at);
    for (size_t i = 0; i < w->m; i++) w->hessian[i * w->m + i] *= 1 + jitter;
    MN_TRY(mn_chol_try(ctx, w->m, w->hessian, NULL, &minor));
    jitter *= 100;
  }
  *found = minor == 0;
  if (!*found) return MN_OK;
  double *slope = w->image; /* room enough until it is measured */
  memcpy(slope, w->step, w->m * sizeof *slope);
  MN_TRY(mn_chol_apply(ctx, w->m, 1, w->hessian, w->step));
  w->promise = 0;
  for (size_t i = 0; i < w->m; i++) w->promise += slope[i] * w->step[i];
  return MN_OK;
}

/* What a derivative of F along the step needs: image, and the products of each group. */
static void measure(struct newton *w)
{
  const mn_group_blocks *s = w->s;
  const size_t q = s->q;
  memset(w->image, 0, s->p * q * sizeof *w->image);
  for (size_t i = 0; i < w->size; i++) {
    const double *row = s->d->gram + w->row[i] * (s->p + q);
    for (size_t j = 0; j < s->p; j++)
      for (size_t t = 0; t < q; t++) w->image[j * q + t] += row[j] * w->step[i * q + t];
  }
  for (size_t k = 0, at = 0; k < w->count; k++) {
    w->norm[k] = w->along[k] = w->square[k] = 0;
    for (size_t v = 0; v < rows_of(s, w->group[k]) * q; v++, at++) {
      const double b = s->b[w->row[at / q] * q + at % q];
      w->norm[k] += b * b;
      w->along[k] += b * w->step[at];
      w->square[k] += w->step[at] * w->step[at];
    }
  }
}

/* How far along the step F falls, 1 at most: where its derivative, which rises, is 0. */
static double find_share(const struct newton *w)
{
  const mn_group_blocks *s = w->s;
  double linear = 0, quadratic = 0, low = 0, high = 1;
  for (size_t v = 0; v < w->m; v++) {
    const size_t at = w->row[v / s->q] * s->q + v % s->q;
    linear -= w->step[v] * s->g[at];
    quadratic += w->step[v] * w->image[at];
  }
  for (int round = 0; round < HALVINGS; round++) {
    const double share = round == 0 ? 1 : (low + high) / 2;
    double slope = linear + share * quadratic;
    for (size_t k = 0; k < w->count; k++) {
      const double moved = w->along[k] + share * w->square[k];
      const double norm = sqrt(fmax(w->norm[k] + share * (w->along[k] + moved), 0));
      slope += s->l2 * moved + (norm > 0 ? s->l1 * s->groups.scale[w->group[k]] * moved / norm : 0);
    }
    if (slope <= 0)
      low = share;
    else
      high = share;
    if (low == 1) break;
  }
  return low;
}

/* Along the step. A group of which nothing but rounding is left is 0. */
static void go(struct newton *w, double share)
{
  static const double rounding = 1e-12;
  mn_group_blocks *s = w->s;
  const size_t q = s->q;
  for (size_t k = 0, at = 0; k < w->count; k++) {
    const size_t values = rows_of(s, w->group[k]) * q;
    const double left = w->norm[k] + share * (2 * w->along[k] + share * w->square[k]);
    const bool gone = share < 1 && left <= rounding * rounding * w->norm[k];
    for (size_t v = 0; v < values; v++, at++) {
      double *b = s->b + w->row[at / q] * q + at % q;
      *b = gone ? 0 : *b + share * w->step[at];
    }
  }
  for (size_t j = 0; j < s->p; j++)
    for (size_t t = 0; t < q; t++) s->g[j * q + t] = mn_group_gram_at(s, j, s->p + t);
  for (size_t i = 0; i < w->size; i++)
    for (size_t t = 0; t < q; t++) {
      const double b = s->b[w->row[i] * q + t];
      const double *row = s->d->gram + w->row[i] * (s->p + q);
      for (size_t j = 0; j < s->p && b != 0; j++) s->g[j * q + t] -= b * row[j];
    }
}

static mn_status make(mn_context *ctx, struct newton *w)
{
  const mn_group_blocks *s = w->s;
  w->group = MN_RAW(ctx, size_t, s->groups.count, 1);
  w->row = MN_RAW(ctx, size_t, s->p, 1);
  w->norm = MN_RAW(ctx, double, s->groups.count, 3);
  MN_CHECK_ALLOC(w->norm);
  w->along = w->norm + s->groups.count;
  w->square = w->along + s->groups.count;
  return w->group && w->row ? MN_OK : MN_NO_MEMORY;
}

mn_status mn_group_newton(mn_context *ctx, mn_group_blocks *s, int64_t sweeps)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct newton w = { .s = s };
  if (sweeps < s->newton + FIRST_NEWTON) return MN_OK;
  MN_TRY(make(ctx, &w));
  find_active(&w);
  const int64_t due = FIRST_NEWTON + (int64_t)(w.m * w.m / (SWEEPS_PER_NEWTON * s->p * s->q));
  bool go_on = sweeps >= s->newton + due && w.m > 0 && w.m <= MOST_UNKNOWNS;
  if (go_on) {
    w.hessian = MN_RAW(ctx, double, w.m, w.m);
    w.step = MN_RAW(ctx, double, w.m, 1);
    w.image = MN_RAW(ctx, double, s->p, s->q);
    if (!w.hessian || !w.step || !w.image) return MN_NO_MEMORY;
    s->newton = sweeps;
  }
  for (int t = 0; go_on && t < MOST_STEPS; t++) {
    MN_TRY(find_step(ctx, &w, &go_on));
    if (!go_on) break;
    measure(&w);
    const double share = find_share(&w);
    go(&w, share);
    find_active(&w);
    go_on = share > 0 && w.m > 0 && w.promise > MN_NEWTON_ENOUGH * s->yy;
    MN_TRY(mn_poll(ctx));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
