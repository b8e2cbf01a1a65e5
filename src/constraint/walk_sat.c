#include "walk_sat.h"
#include <string.h>

struct walk {
  const mn_partial *p;
  const mn_formula *f;
  int8_t *truth, *best;
  int32_t *count; /* m: true literals of each clause */
  size_t *list;   /* the violated clauses */
  size_t *at;     /* m: place of a violated clause in the list */
  size_t violated;
};

static bool is_true(const struct walk *w, size_t e)
{
  const int32_t literal = w->f->literal[e];
  return (literal > 0) == (w->truth[mn_literal_variable(literal)] > 0);
}

static void add_violated(struct walk *w, size_t c)
{
  w->at[c] = w->violated;
  w->list[w->violated++] = c;
}

static void remove_violated(struct walk *w, size_t c)
{
  const size_t last = w->list[--w->violated];
  w->list[w->at[c]] = last;
  w->at[last] = w->at[c];
}

static void count_all(struct walk *w)
{
  w->violated = 0;
  for (size_t c = 0; c < w->f->m; c++) {
    w->count[c] = 0;
    for (int32_t e = w->f->start[c]; e < w->f->start[c + 1]; e++) w->count[c] += is_true(w, (size_t)e);
    if (w->count[c] == 0) add_violated(w, c);
  }
}

/* How many clauses the flip of a variable would violate. */
static size_t breaks(const struct walk *w, size_t v)
{
  size_t sum = 0;
  for (size_t k = w->p->first[v]; k < w->p->first[v + 1]; k++) {
    const size_t e = w->p->edge[k];
    sum += w->count[w->p->clause[e]] == 1 && is_true(w, e);
  }
  return sum;
}

static void flip(struct walk *w, size_t v)
{
  w->truth[v] = (int8_t)-w->truth[v];
  for (size_t k = w->p->first[v]; k < w->p->first[v + 1]; k++) {
    const size_t e = w->p->edge[k], c = w->p->clause[e];
    if (is_true(w, e)) {
      if (w->count[c]++ == 0) remove_violated(w, c);
    } else if (--w->count[c] == 0) {
      add_violated(w, c);
    }
  }
}

/* The variable of clause c to flip; n if all are fixed. */
static size_t choose(const struct walk *w, size_t c, double noise, mn_rng *rng)
{
  const size_t none = w->f->n;
  size_t chosen = none, drawn = none, fewest = SIZE_MAX, ties = 0, open = 0;
  for (int32_t e = w->f->start[c]; e < w->f->start[c + 1]; e++) {
    const size_t v = mn_literal_variable(w->f->literal[e]);
    if (w->p->value[v] != 0) continue;
    open++;
    if (mn_random_below(rng, open) == 0) drawn = v;
    const size_t broken = breaks(w, v);
    if (broken > fewest) continue;
    ties = broken < fewest ? 1 : ties + 1;
    fewest = broken;
    if (mn_random_below(rng, ties) == 0) chosen = v;
  }
  return fewest > 0 && mn_random_uniform(rng) < noise ? drawn : chosen;
}

mn_status mn_walk_sat(mn_context *ctx, const mn_partial *p, double noise, uint64_t max_flips, mn_rng *rng,
                      int8_t *truth, uint64_t *flips, size_t *violated)
{
  struct walk w = { .p = p, .f = p->f, .truth = truth };
  w.best = MN_RAW(ctx, int8_t, w.f->n + 1, 1);
  w.count = MN_RAW(ctx, int32_t, w.f->m + 1, 1);
  w.list = MN_RAW(ctx, size_t, w.f->m + 1, 1);
  w.at = MN_RAW(ctx, size_t, w.f->m + 1, 1);
  if (!w.best || !w.count || !w.list || !w.at) return MN_NO_MEMORY;
  for (size_t v = 0; v < w.f->n; v++)
    if (p->value[v] != 0) truth[v] = p->value[v];
  count_all(&w);
  memcpy(w.best, truth, w.f->n);
  *violated = w.violated;
  for (uint64_t i = 0; i < max_flips && w.violated > 0; i++) {
    const size_t v = choose(&w, w.list[mn_random_below(rng, w.violated)], noise, rng);
    ++*flips;
    if (v < w.f->n) flip(&w, v);
    if (w.violated < *violated) {
      *violated = w.violated;
      memcpy(w.best, truth, w.f->n);
    }
    if (i % 4096 == 0) MN_TRY(mn_poll(ctx));
  }
  memcpy(truth, w.best, w.f->n);
  return MN_OK;
}
