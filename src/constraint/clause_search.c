#include "clause_search.h"
#include <math.h>
#include <string.h>

struct mn_clause_search {
  const mn_partial *p;
  const mn_formula *f;
  double noise;     /* of WalkSAT; negative: probSAT */
  double *weight;   /* of probSAT, by the number of clauses that a flip would violate */
  double *chance;   /* of the longest clause */
  uint32_t *occurs; /* start[m]: 2 c + (negative in clause c), by variable as p->edge */
  int8_t *truth;    /* n */
  int32_t *broken;  /* n: clauses that the flip of a variable would violate */
  int32_t *count;   /* m: true literals of each clause */
  uint32_t *only;   /* m: exclusive or of the variables of the true literals: the variable, if it is one */
  size_t *list;     /* the violated clauses */
  size_t *at;       /* m: place of a violated clause in the list */
  size_t violated;
  uint32_t *flipped; /* n: variables flipped since the best assignment */
  size_t changes;    /* their number; more than n: not listed */
};

static bool allocate(mn_context *ctx, mn_clause_search *w, size_t longest, size_t most)
{
  const size_t n = w->f->n + 1, m = w->f->m + 1;
  w->weight = MN_RAW(ctx, double, most + 1, 1);
  w->chance = MN_RAW(ctx, double, longest + 1, 1);
  w->occurs = MN_RAW(ctx, uint32_t, (size_t)w->f->start[w->f->m] + 1, 1);
  w->truth = MN_RAW(ctx, int8_t, n, 1);
  w->broken = MN_RAW(ctx, int32_t, n, 1);
  w->count = MN_RAW(ctx, int32_t, m, 1);
  w->only = MN_RAW(ctx, uint32_t, m, 1);
  w->list = MN_RAW(ctx, size_t, m, 1);
  w->at = MN_RAW(ctx, size_t, m, 1);
  w->flipped = MN_RAW(ctx, uint32_t, n, 1);
  return w->weight && w->chance && w->occurs && w->truth && w->broken && w->count && w->only && w->list && w->at &&
         w->flipped;
}

/* The settings of the paper for random formulas with clauses of `length` literals. */
static double probsat_weight(size_t length, size_t broken)
{
  static const double base[] = { 3.0, 3.7, 5.0, 5.4 }; /* 4, 5, 6, 7 literals and more */
  if (length <= 3) return pow(0.9 + (double)broken, -2.06);
  return pow(base[length < 7 ? length - 4 : 3], -(double)broken);
}

mn_status mn_clause_search_new(mn_context *ctx, const mn_partial *p, double noise, mn_clause_search **search)
{
  const mn_formula *f = p->f;
  size_t longest = 0, most = 0;
  mn_clause_search *w = *search = MN_NEW(ctx, mn_clause_search, 1, 1);
  if (!w) return MN_NO_MEMORY;
  for (size_t c = 0; c < f->m; c++) {
    const size_t length = (size_t)(f->start[c + 1] - f->start[c]);
    if (length > longest) longest = length;
  }
  for (size_t v = 0; v < f->n; v++)
    if (p->first[v + 1] - p->first[v] > most) most = p->first[v + 1] - p->first[v];
  *w = (mn_clause_search){ .p = p, .f = f, .noise = noise };
  if (!allocate(ctx, w, longest, most)) return MN_NO_MEMORY;
  for (size_t b = 0; b <= most; b++) w->weight[b] = probsat_weight(longest, b);
  for (size_t k = 0; k < (size_t)f->start[f->m]; k++)
    w->occurs[k] = 2 * (uint32_t)p->clause[p->edge[k]] + (f->literal[p->edge[k]] < 0);
  return MN_OK;
}

static void add_violated(mn_clause_search *w, size_t c)
{
  w->at[c] = w->violated;
  w->list[w->violated++] = c;
}

static void remove_violated(mn_clause_search *w, size_t c)
{
  const size_t last = w->list[--w->violated];
  w->list[w->at[c]] = last;
  w->at[last] = w->at[c];
}

static void count_all(mn_clause_search *w)
{
  w->violated = 0;
  memset(w->broken, 0, w->f->n * sizeof *w->broken);
  for (size_t c = 0; c < w->f->m; c++) {
    w->count[c] = 0;
    w->only[c] = 0;
    for (int32_t e = w->f->start[c]; e < w->f->start[c + 1]; e++) {
      const size_t v = mn_literal_variable(w->f->literal[e]);
      if ((w->f->literal[e] > 0) != (w->truth[v] > 0)) continue;
      w->count[c]++;
      w->only[c] ^= (uint32_t)v;
    }
    if (w->count[c] == 0) add_violated(w, c);
    if (w->count[c] == 1) w->broken[w->only[c]]++;
  }
}

/* The literal of variable v in clause c becomes true. */
static void make_true(mn_clause_search *w, size_t c, size_t v)
{
  if (w->count[c] == 0) {
    remove_violated(w, c);
    w->broken[v]++;
  } else if (w->count[c] == 1) {
    w->broken[w->only[c]]--;
  }
  w->count[c]++;
  w->only[c] ^= (uint32_t)v;
}

static void make_false(mn_clause_search *w, size_t c, size_t v)
{
  w->count[c]--;
  w->only[c] ^= (uint32_t)v;
  if (w->count[c] == 0) {
    add_violated(w, c);
    w->broken[v]--;
  } else if (w->count[c] == 1) {
    w->broken[w->only[c]]++;
  }
}

static void flip(mn_clause_search *w, size_t v)
{
  w->truth[v] = (int8_t)-w->truth[v];
  const uint32_t against = w->truth[v] < 0 ? 0 : 1; /* the sign that is false now */
  for (size_t k = w->p->first[v]; k < w->p->first[v + 1]; k++) {
    const size_t c = w->occurs[k] >> 1;
    if ((w->occurs[k] & 1) == against)
      make_false(w, c, v);
    else
      make_true(w, c, v);
  }
  if (w->changes < w->f->n) w->flipped[w->changes] = (uint32_t)v;
  if (w->changes <= w->f->n) w->changes++;
}

/* Bring the best assignment up to the present one: at a cost in proportion to the flips between them. */
static void keep_best(mn_clause_search *w, int8_t *best)
{
  if (w->changes > w->f->n)
    memcpy(best, w->truth, w->f->n);
  else
    for (size_t k = 0; k < w->changes; k++) best[w->flipped[k]] = w->truth[w->flipped[k]];
  w->changes = 0;
}

/* The variable of clause c to flip; n if all are fixed. */
static size_t choose_walksat(const mn_clause_search *w, size_t c, mn_rng *rng)
{
  const size_t none = w->f->n;
  size_t chosen = none, drawn = none, ties = 0, free = 0;
  int32_t fewest = INT32_MAX;
  for (int32_t e = w->f->start[c]; e < w->f->start[c + 1]; e++) {
    const size_t v = mn_literal_variable(w->f->literal[e]);
    if (w->p->value[v] != 0) continue;
    free++;
    if (mn_random_below(rng, free) == 0) drawn = v;
    if (w->broken[v] > fewest) continue;
    ties = w->broken[v] < fewest ? 1 : ties + 1;
    fewest = w->broken[v];
    if (mn_random_below(rng, ties) == 0) chosen = v;
  }
  return fewest > 0 && mn_random_uniform(rng) < w->noise ? drawn : chosen;
}

static size_t choose_probsat(const mn_clause_search *w, size_t c, mn_rng *rng)
{
  const int32_t *literal = w->f->literal + w->f->start[c];
  const size_t length = (size_t)(w->f->start[c + 1] - w->f->start[c]);
  size_t chosen = w->f->n;
  double sum = 0;
  for (size_t k = 0; k < length; k++) {
    const size_t v = mn_literal_variable(literal[k]);
    w->chance[k] = w->p->value[v] == 0 ? w->weight[w->broken[v]] : 0;
    sum += w->chance[k];
  }
  double rest = mn_random_uniform(rng) * sum;
  for (size_t k = 0; k < length; k++) {
    if (w->chance[k] <= 0) continue;
    chosen = mn_literal_variable(literal[k]);
    if ((rest -= w->chance[k]) < 0) break;
  }
  return chosen;
}

mn_status mn_clause_search_run(mn_context *ctx, mn_clause_search *w, uint64_t max_flips, mn_rng *rng, int8_t *truth,
                               uint64_t *flips, size_t *violated)
{
  for (size_t v = 0; v < w->f->n; v++)
    if (w->p->value[v] != 0) truth[v] = w->p->value[v];
  memcpy(w->truth, truth, w->f->n);
  count_all(w);
  w->changes = 0;
  *violated = w->violated;
  for (uint64_t i = 0; i < max_flips && w->violated > 0; i++) {
    const size_t c = w->list[mn_random_below(rng, w->violated)];
    const size_t v = w->noise >= 0 ? choose_walksat(w, c, rng) : choose_probsat(w, c, rng);
    ++*flips;
    if (v < w->f->n) flip(w, v);
    if (w->violated < *violated) {
      *violated = w->violated;
      keep_best(w, truth);
    }
    if (i % 4096 == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}
