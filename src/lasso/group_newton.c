/* Newton's method on the groups with nonzero coefficients, where F is smooth: with u_g = B_g / |B_g|, the diagonal
 * block of a group in the Hessian is
 *
 *     G_gg + l2 + l1 s_g / |B_g| (1 - u_g u_g'),
 *
 * and the other blocks are those of the Gram matrix. An exact line search finds the minimum of F along each step: F is
 * convex there, and its derivative costs one pass over the groups. A group that a step brings to 0 is removed. Sweeps
 * identify the nonzero groups; with collinear groups or more columns than rows, a few of these steps replace hundreds
 * of sweeps.
 *
 * Roth & Fischer, ICML 2008; Qin, Scheinberg & Goldfarb, Math. Prog. Comput. 5 (2013). */
#include "../factorization/lapack.h"
#include "cd_kernel.h"
#include "group_blocks.h"
#include <string.h>

enum { FIRST_NEWTON = 5, SWEEPS_PER_NEWTON = 20, MAX_STEPS = 20, MAX_UNKNOWNS = 2000, BISECTIONS = 60 };
#define MIN_DECREMENT 1e-13 /* relative to |v|^2 */

struct newton {
  mn_group_blocks *s;
  size_t count, *group;           /* the nonzero groups */
  size_t size, *row;              /* their rows of B, concatenated */
  size_t m;                       /* size * q                  */
  double *hessian, *step, *image; /* m x m; m; p x q: G times the step */
  double decrement;               /* Newton decrement: twice the gain of the step for quadratic F */
  double *norm, *along, *square;  /* count: |B_g|^2, B_g'd_g, |d_g|^2 */
};

static size_t group_size(const mn_group_blocks *s, size_t group)
{
  return s->groups.first[group + 1] - s->groups.first[group];
}

/* Find the nonzero groups and count their unknowns. */
static void find_active(struct newton *w)
{
  const mn_group_blocks *s = w->s;
  w->count = w->size = 0;
  for (size_t k = 0; k < s->groups.count; k++) {
    if (!(mn_group_norm(s, k, s->b, 0) > 0)) continue;
    w->group[w->count++] = k;
    for (size_t i = 0; i < group_size(s, k); i++) w->row[w->size++] = s->groups.member[s->groups.first[k] + i];
  }
  w->m = w->size * s->q;
}

/* The Gram matrix's part of the Hessian. Unknown i q + t is row[i], target t. */
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

/* The penalty's part of the Hessian, and minus the gradient of F, of group k with first unknown `at`. */
static void add_norm(struct newton *w, size_t k, size_t at)
{
  const mn_group_blocks *s = w->s;
  const size_t q = s->q, values = group_size(s, w->group[k]) * q;
  const double norm = mn_group_norm(s, w->group[k], s->b, 0), strength = s->l1 * s->groups.scale[w->group[k]];
  for (size_t v = 0; v < values; v++) {
    const size_t here = w->row[(at + v) / q] * q + (at + v) % q;
    const double direction = s->b[here] / norm;
    w->step[at + v] = s->g[here] - s->l2 * s->b[here] - strength * direction;
    if (values == 1) continue; /* 1 - u u' = 0 */
    for (size_t o = 0; o < values; o++) {
      const double other = s->b[w->row[(at + o) / q] * q + (at + o) % q] / norm;
      w->hessian[(at + v) * w->m + at + o] += strength / norm * ((v == o ? 1 : 0) - direction * other);
    }
  }
}

/* The Newton step. If the Hessian is not positive definite, as with more unknowns than rows, a small multiple of its
 * diagonal is added. Leaves *found false if that does not help. */
static mn_status find_step(mn_context *ctx, struct newton *w, bool *found)
{
  double ridge = 1e-14;
  size_t minor = 1;
  for (int attempt = 0; attempt < 4 && minor > 0; attempt++) {
    size_t at = 0;
    add_gram(w);
    for (size_t k = 0; k < w->count; at += group_size(w->s, w->group[k++]) * w->s->q) add_norm(w, k, at);
    for (size_t i = 0; i < w->m; i++) w->hessian[i * w->m + i] *= 1 + ridge;
    MN_TRY(mn_chol_try(ctx, w->m, w->hessian, NULL, &minor));
    ridge *= 100;
  }
  *found = minor == 0;
  if (!*found) return MN_OK;
  double *slope = w->image; /* large enough, and not in use yet */
  memcpy(slope, w->step, w->m * sizeof *slope);
  MN_TRY(mn_chol_apply(ctx, w->m, 1, w->hessian, w->step));
  w->decrement = 0;
  for (size_t i = 0; i < w->m; i++) w->decrement += slope[i] * w->step[i];
  return MN_OK;
}

/* Products that the derivative of F along the step needs. */
static void prepare_line_search(struct newton *w)
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
    for (size_t v = 0; v < group_size(s, w->group[k]) * q; v++, at++) {
      const double b = s->b[w->row[at / q] * q + at % q];
      w->norm[k] += b * b;
      w->along[k] += b * w->step[at];
      w->square[k] += w->step[at] * w->step[at];
    }
  }
}

/* The length of the step, at most 1, at which the derivative of F, which is increasing, is 0. */
static double line_search(const struct newton *w)
{
  const mn_group_blocks *s = w->s;
  double linear = 0, quadratic = 0, low = 0, high = 1;
  for (size_t v = 0; v < w->m; v++) {
    const size_t at = w->row[v / s->q] * s->q + v % s->q;
    linear -= w->step[v] * s->g[at];
    quadratic += w->step[v] * w->image[at];
  }
  for (int round = 0; round < BISECTIONS; round++) {
    const double length = round == 0 ? 1 : (low + high) / 2;
    double slope = linear + length * quadratic;
    for (size_t k = 0; k < w->count; k++) {
      const double moved = w->along[k] + length * w->square[k];
      const double norm = sqrt(fmax(w->norm[k] + length * (w->along[k] + moved), 0));
      slope += s->l2 * moved + (norm > 0 ? s->l1 * s->groups.scale[w->group[k]] * moved / norm : 0);
    }
    if (slope <= 0)
      low = length;
    else
      high = length;
    if (low == 1) break;
  }
  return low;
}

/* Take the step, and recompute the gradient. A group reduced to rounding errors becomes 0. */
static void take_step(struct newton *w, double length)
{
  static const double rounding = 1e-12;
  mn_group_blocks *s = w->s;
  const size_t q = s->q;
  for (size_t k = 0, at = 0; k < w->count; k++) {
    const size_t values = group_size(s, w->group[k]) * q;
    const double square = w->norm[k] + length * (2 * w->along[k] + length * w->square[k]);
    const bool vanishes = length < 1 && square <= rounding * rounding * w->norm[k];
    for (size_t v = 0; v < values; v++, at++) {
      double *b = s->b + w->row[at / q] * q + at % q;
      *b = vanishes ? 0 : *b + length * w->step[at];
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

static mn_status init_workspace(mn_context *ctx, struct newton *w)
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
  if (sweeps < s->last_newton + FIRST_NEWTON) return MN_OK;
  MN_TRY(init_workspace(ctx, &w));
  find_active(&w);
  const int64_t due = FIRST_NEWTON + (int64_t)(w.m * w.m / (SWEEPS_PER_NEWTON * s->p * s->q));
  bool proceed = sweeps >= s->last_newton + due && w.m > 0 && w.m <= MAX_UNKNOWNS;
  if (proceed) {
    w.hessian = MN_RAW(ctx, double, w.m, w.m);
    w.step = MN_RAW(ctx, double, w.m, 1);
    w.image = MN_RAW(ctx, double, s->p, s->q);
    if (!w.hessian || !w.step || !w.image) return MN_NO_MEMORY;
    s->last_newton = sweeps;
  }
  for (int t = 0; proceed && t < MAX_STEPS; t++) {
    MN_TRY(find_step(ctx, &w, &proceed));
    if (!proceed) break;
    prepare_line_search(&w);
    const double length = line_search(&w);
    take_step(&w, length);
    find_active(&w);
    proceed = length > 0 && w.m > 0 && w.decrement > MIN_DECREMENT * s->yy;
    MN_TRY(mn_poll(ctx));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
