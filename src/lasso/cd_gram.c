/* Coordinate descent on a Gram matrix. The part of it that belongs to the working set is kept packed, so that a sweep
 * runs through memory in order; where sweeps are slow, for columns that are much alike, a Newton step on the support
 * (cd_newton.c) ends what hundreds of sweeps would. */
#include "../core/threads.h"
#include "cd.h"
#include "cd_kernel.h"
#include <string.h>

enum { FIRST_ROOM = 64, FIRST_NEWTON = 5, SWEEPS_PER_NEWTON = 20, GRADIENT_COLUMNS = 256 };

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
    if (s->b[j] != 0) mn_cd_subtract(n, s->b[j], s->gram + j * s->ld + begin, s->g + begin);
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
  struct gradient_work w = { .s = s, .blocks = mn_make_blocks(s->p, GRADIENT_COLUMNS, SIZE_MAX) };
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
  if (q->l1 > 0 || q->l2 > 0) return mn_cd_duality_gap(s->size, s->set_b, s->set_g, s->bound, q->l2, q->positive, *squares);
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
    MN_TRY(mn_cd_newton(ctx, s, q));
    since = 0;
  }
  for (size_t k = 0; k < s->size; k++) s->b[s->set[k]] = s->set_b[k];
  return MN_OK;
}
