/* Coordinate descent on a Gram matrix. The part of the working set is stored contiguously, so that a sweep reads memory
 * in order. If convergence is slow because columns are collinear, a Newton step on the support (cd_newton.c) replaces
 * hundreds of sweeps. */
#include "../core/threads.h"
#include "cd.h"
#include "cd_kernel.h"
#include <string.h>

enum { INITIAL_CAPACITY = 64, FIRST_NEWTON = 5, SWEEPS_PER_NEWTON = 20, GRADIENT_COLUMNS = 256 };

static mn_status grow(mn_context *ctx, mn_cd *s)
{
  size_t capacity = s->capacity > 0 ? 2 * s->capacity : INITIAL_CAPACITY;
  if (capacity > s->p) capacity = s->p;
  double *set_gram = MN_RAW(ctx, double, capacity, capacity), *b = MN_RAW(ctx, double, capacity, 1),
         *g = MN_RAW(ctx, double, capacity, 1);
  if (!set_gram || !b || !g) return MN_NO_MEMORY;
  for (size_t k = 0; k < s->size; k++)
    memcpy(set_gram + k * capacity, s->set_gram + k * s->capacity, s->size * sizeof *set_gram);
  s->set_gram = set_gram;
  s->set_b = b;
  s->set_g = g;
  s->capacity = capacity;
  return MN_OK;
}

mn_status mn_cd_gram_add(mn_context *ctx, mn_cd *s, size_t j)
{
  if (s->size == s->capacity) MN_TRY(grow(ctx, s));
  const size_t k = s->size++;
  const double *row = s->gram + j * s->ld;
  s->set[k] = j;
  for (size_t l = 0; l <= k; l++) s->set_gram[k * s->capacity + l] = s->set_gram[l * s->capacity + k] = row[s->set[l]];
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

/* Only the columns outside the working set; the sweeps update the others. */
static void outside_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct gradient_work *w = work;
  mn_cd *s = w->s;
  for (size_t j = mn_block_begin(&w->blocks, block); j < mn_block_end(&w->blocks, block); j++)
    if (!s->in_set[j]) s->g[j] = s->c[j] - mn_cd_dot(s->p, s->gram + j * s->ld, s->b);
}

mn_status mn_cd_gram_refresh(mn_context *ctx, mn_cd *s, bool exact)
{
  struct gradient_work w = { .s = s, .blocks = mn_make_blocks(s->p, GRADIENT_COLUMNS, SIZE_MAX) };
  size_t support = 0;
  double product = 0;
  for (size_t j = 0; j < s->p; j++) support += s->b[j] != 0;
  const bool few_outside = !exact && s->p - s->size < support;
  MN_TRY(mn_parallel(ctx, w.blocks.count, few_outside ? outside_block : gradient_block, &w));
  for (size_t k = 0; few_outside && k < s->size; k++) s->g[s->set[k]] = s->set_g[k];
  for (size_t j = 0; j < s->p; j++) product += (s->c[j] + s->g[j]) * s->b[j];
  s->rss = fmax(s->yy - product, 0);
  return MN_OK;
}

/* The duality gap of the working set; without a penalty twice the largest gain of a single step. */
static double set_gap(const mn_cd *s, const mn_cd_penalty *q, double *rss)
{
  double product = 0, gain = 0;
  for (size_t k = 0; k < s->size; k++) product += (s->c[s->set[k]] + s->set_g[k]) * s->set_b[k];
  *rss = fmax(s->yy - product, 0);
  if (q->l1 > 0 || q->l2 > 0) return mn_cd_duality_gap(s->size, s->set_b, s->set_g, s->bound, q->l2, q->positive, *rss);
  for (size_t k = 0; k < s->size; k++) {
    const double norm = s->set_gram[k * s->capacity + k];
    if (norm > 0 && !(q->positive && s->set_b[k] == 0 && s->set_g[k] < 0))
      gain = fmax(gain, s->set_g[k] * s->set_g[k] / norm);
  }
  return gain;
}

static double set_objective(const mn_cd *s, const mn_cd_penalty *q, double rss)
{
  double sum = rss / 2;
  for (size_t k = 0; k < s->size; k++) sum += s->bound[k] * fabs(s->set_b[k]) + q->l2 / 2 * s->set_b[k] * s->set_b[k];
  return sum;
}

mn_status mn_cd_gram_inner(mn_context *ctx, mn_cd *s, const mn_cd_penalty *q, double max_gap, int64_t max_iter,
                           mn_cd_report *r, bool *stationary)
{
  double rss = 0;
  int64_t since = 0;
  for (size_t k = 0; k < s->size; k++) {
    s->set_b[k] = s->b[s->set[k]];
    s->set_g[k] = s->g[s->set[k]];
  }
  bool proceed = true;
  *stationary = false;
  while (proceed && !*stationary && r->n_iter < max_iter) {
    const double gain =
        mn_cd_sweep(s->size, s->set_gram, s->capacity, s->bound, q->l2, q->positive, s->set_b, s->set_g);
    r->n_iter++;
    *stationary = !(gain > MN_CD_ROUNDING * s->yy);
    const bool done = set_gap(s, q, &rss) <= max_gap;
    if (s->progress) proceed = s->progress(s->user, set_objective(s, q, rss));
    if (done) break;
    MN_TRY(mn_poll(ctx));
    if (++since < FIRST_NEWTON + (int64_t)s->size / SWEEPS_PER_NEWTON) continue;
    MN_TRY(mn_cd_newton(ctx, s, q));
    since = 0;
  }
  for (size_t k = 0; k < s->size; k++) s->b[s->set[k]] = s->set_b[k];
  return MN_OK;
}
