#include "search.h"
#include "family_cache.h"
#include "../core/rng.h"
#include "../core/threads.h"
#include <math.h>
#include <string.h>

struct change {
  enum { NOTHING, ADD_ARC, REMOVE_ARC, REVERSE_ARC } kind;
  size_t u, v;
  double gain;
};

struct climber {
  const mn_structure_search *search;
  size_t n;
  uint8_t *edge, *reach; /* n x n; reach[u * n + v]: a path from u to v      */
  double *delta;         /* n x n: gain of adding or removing u among the parents of v */
  double *score;         /* n: of the node in the structure                  */
  mn_family_cache cache;
  mn_score_space prepared, *space; /* space: one for each worker             */
  size_t spaces;
  int32_t *parents, *candidate; /* n; n                                      */
  double *found;                /* n                                         */
  uint64_t *set;
  uint64_t *recent; /* hashes of the last structures, a ring                 */
  size_t recents;
  uint64_t hash;
  size_t evaluations;
};

/* --- scores of the families of one node --- */

struct evaluation {
  struct climber *c;
  size_t v, parents;
};

static void set_bit(uint64_t *set, size_t i, bool on)
{
  const uint64_t bit = UINT64_C(1) << i % 64;
  set[i / 64] = on ? set[i / 64] | bit : set[i / 64] & ~bit;
}

/* Score the family of v with candidate[item] among its parents, or without it if it is there. */
static void evaluate(void *work, size_t item, size_t worker)
{
  const struct evaluation *e = work;
  struct climber *c = e->c;
  const mn_scorer *s = c->search->scorer;
  const size_t u = (size_t)c->candidate[item];
  mn_score_space *space = &c->space[worker];
  if (!c->edge[u * c->n + e->v] && s->data->card[e->v] > 0) {
    c->found[item] = mn_score_with(s, &c->prepared, space, e->v, u);
    return;
  }
  int32_t *list = space->list;
  size_t k = 0;
  for (size_t j = 0; j < e->parents; j++)
    if ((size_t)c->parents[j] != u) list[k++] = c->parents[j];
  if (k == e->parents) list[k++] = (int32_t)u;
  c->found[item] = mn_score_node(s, space, e->v, k, list);
}

static size_t list_parents(struct climber *c, size_t v)
{
  size_t k = 0;
  memset(c->set, 0, c->cache.words * sizeof *c->set);
  for (size_t u = 0; u < c->n; u++) {
    if (!c->edge[u * c->n + v]) continue;
    c->parents[k++] = (int32_t)u;
    set_bit(c->set, u, true);
  }
  return k;
}

static mn_status reserve(mn_context *ctx, struct climber *c, size_t cells)
{
  for (size_t w = 0; w < c->spaces; w++) {
    if (c->space[w].cells >= cells) continue;
    MN_CHECK_ALLOC(c->space[w].count = MN_RAW(ctx, double, 2 * cells + 1, 1));
    c->space[w].cells = 2 * cells;
  }
  return MN_OK;
}

/* The largest number of cells among the candidates; those that need too many remain and are scored -inf. */
static size_t cells_needed(struct climber *c, size_t v, size_t k, size_t candidates)
{
  size_t most = 1;
  for (size_t i = 0; i < candidates; i++) {
    c->parents[k] = c->candidate[i];
    const size_t cells = mn_score_cells(c->search->scorer, v, k + 1, c->parents);
    if (cells > most) most = cells;
  }
  return most;
}

static mn_status own_score(mn_context *ctx, struct climber *c, size_t v, size_t k)
{
  double score = mn_family_cache_find(&c->cache, (int32_t)v, c->set);
  if (isnan(score)) {
    const size_t cells = mn_score_cells(c->search->scorer, v, k, c->parents);
    MN_TRY(reserve(ctx, c, cells));
    score = mn_score_node(c->search->scorer, &c->space[0], v, k, c->parents);
    c->evaluations++;
    MN_TRY(mn_family_cache_add(ctx, &c->cache, (int32_t)v, c->set, score));
  }
  c->score[v] = score;
  return MN_OK;
}

/* The gains of all changes of the parents of v. */
static mn_status refresh(mn_context *ctx, struct climber *c, size_t v)
{
  const mn_structure_search *search = c->search;
  const size_t n = c->n, k = list_parents(c, v);
  size_t candidates = 0;
  MN_TRY(own_score(ctx, c, v, k));
  for (size_t u = 0; u < n; u++) {
    const bool there = c->edge[u * n + v];
    c->delta[u * n + v] = -INFINITY;
    if (u == v || (!there && (!search->allowed[u * n + v] || k >= search->max_parents))) continue;
    set_bit(c->set, u, !there);
    const double score = mn_family_cache_find(&c->cache, (int32_t)v, c->set);
    set_bit(c->set, u, there);
    if (isnan(score))
      c->candidate[candidates++] = (int32_t)u;
    else
      c->delta[u * n + v] = score - c->score[v];
  }
  if (candidates == 0) return MN_OK;
  MN_TRY(reserve(ctx, c, cells_needed(c, v, k, candidates)));
  if (search->scorer->data->card[v] > 0) mn_score_prepare(search->scorer, &c->prepared, v, k, c->parents);
  struct evaluation e = { .c = c, .v = v, .parents = k };
  MN_TRY(mn_parallel(ctx, candidates, evaluate, &e));
  c->evaluations += candidates;
  for (size_t i = 0; i < candidates; i++) {
    const size_t u = (size_t)c->candidate[i];
    const bool there = c->edge[u * n + v];
    c->delta[u * n + v] = c->found[i] - c->score[v];
    set_bit(c->set, u, !there);
    MN_TRY(mn_family_cache_add(ctx, &c->cache, (int32_t)v, c->set, c->found[i]));
    set_bit(c->set, u, there);
  }
  return MN_OK;
}

/* --- changes --- */

static void mark_reachable(struct climber *c, size_t from)
{
  const size_t n = c->n;
  uint8_t *reach = c->reach + from * n;
  int32_t *stack = c->candidate;
  size_t size = 1;
  memset(reach, 0, n);
  stack[0] = (int32_t)from;
  while (size > 0) {
    const uint8_t *children = c->edge + (size_t)stack[--size] * n;
    for (size_t v = 0; v < n; v++) {
      if (!children[v] || reach[v]) continue;
      reach[v] = 1;
      stack[size++] = (int32_t)v;
    }
  }
}

/* Whether u reaches v without the edge u -> v. */
static bool other_path(const struct climber *c, size_t u, size_t v)
{
  for (size_t w = 0; w < c->n; w++)
    if (w != v && c->edge[u * c->n + w] && c->reach[w * c->n + v]) return true;
  return false;
}

static uint64_t edge_hash(size_t u, size_t v)
{
  uint64_t x = ((uint64_t)u << 32 | (uint64_t)v) + UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

static bool is_recent(const struct climber *c, struct change change)
{
  uint64_t hash = c->hash ^ edge_hash(change.u, change.v);
  if (change.kind == REVERSE_ARC) hash ^= edge_hash(change.v, change.u);
  for (size_t i = 0; i < c->recents; i++)
    if (c->recent[i] == hash) return true;
  return false;
}

static bool is_legal(const struct climber *c, struct change change)
{
  const size_t n = c->n, u = change.u, v = change.v;
  const mn_structure_search *s = c->search;
  if (change.kind == ADD_ARC) return !c->edge[v * n + u] && !c->reach[v * n + u];
  if (s->required[u * n + v]) return false;
  return change.kind == REMOVE_ARC || !other_path(c, u, v);
}

static void consider(const struct climber *c, struct change change, struct change *best)
{
  if (!(change.gain > best->gain) || !is_legal(c, change) || is_recent(c, change)) return;
  *best = change;
}

static struct change best_change(const struct climber *c)
{
  const size_t n = c->n;
  struct change best = { .kind = NOTHING, .gain = -INFINITY };
  for (size_t u = 0; u < n; u++)
    for (size_t v = 0; v < n; v++) {
      const double gain = c->delta[u * n + v];
      if (!c->edge[u * n + v]) {
        consider(c, (struct change){ ADD_ARC, u, v, gain }, &best);
        continue;
      }
      consider(c, (struct change){ REMOVE_ARC, u, v, gain }, &best);
      consider(c, (struct change){ REVERSE_ARC, u, v, gain + c->delta[v * n + u] }, &best);
    }
  return best;
}

static mn_status apply(mn_context *ctx, struct climber *c, struct change change)
{
  const size_t n = c->n, u = change.u, v = change.v;
  c->edge[u * n + v] = change.kind == ADD_ARC;
  c->hash ^= edge_hash(u, v);
  if (change.kind == REVERSE_ARC) {
    c->edge[v * n + u] = 1;
    c->hash ^= edge_hash(v, u);
  }
  for (size_t w = 0; w < n; w++) mark_reachable(c, w);
  MN_TRY(refresh(ctx, c, v));
  return change.kind == REVERSE_ARC ? refresh(ctx, c, u) : MN_OK;
}

static double total(const struct climber *c)
{
  double sum = 0;
  for (size_t v = 0; v < c->n; v++) sum += c->score[v];
  return sum;
}

/* --- the search --- */

static mn_status start(mn_context *ctx, const mn_structure_search *search, struct climber *c)
{
  const size_t n = search->scorer->data->nodes;
  *c = (struct climber){ .search = search, .n = n, .spaces = mn_threads(ctx), .recents = search->tabu };
  c->edge = MN_RAW(ctx, uint8_t, n + 1, n);
  c->reach = MN_RAW(ctx, uint8_t, n + 1, n);
  c->delta = MN_RAW(ctx, double, n + 1, n);
  c->score = MN_RAW(ctx, double, n + 1, 1);
  c->found = MN_RAW(ctx, double, n + 1, 1);
  c->parents = MN_RAW(ctx, int32_t, n + 1, 1);
  c->candidate = MN_RAW(ctx, int32_t, n + 1, 1);
  c->set = MN_RAW(ctx, uint64_t, n / 64 + 1, 1);
  c->recent = MN_NEW(ctx, uint64_t, search->tabu + 1, 1);
  c->space = MN_NEW(ctx, mn_score_space, c->spaces, 1);
  if (!c->edge || !c->reach || !c->delta || !c->score || !c->found || !c->parents || !c->candidate) return MN_NO_MEMORY;
  if (!c->set || !c->recent || !c->space) return MN_NO_MEMORY;
  for (size_t w = 0; w < c->spaces; w++) MN_TRY(mn_score_space_new(ctx, search->scorer, 1 << 10, &c->space[w]));
  MN_TRY(mn_score_space_new(ctx, search->scorer, 1, &c->prepared));
  return mn_family_cache_init(ctx, n, &c->cache);
}

static mn_status begin_at(mn_context *ctx, struct climber *c, const uint8_t *edge)
{
  memcpy(c->edge, edge, c->n * c->n);
  c->hash = 0;
  for (size_t u = 0; u < c->n; u++)
    for (size_t v = 0; v < c->n; v++)
      if (edge[u * c->n + v]) c->hash ^= edge_hash(u, v);
  for (size_t i = 0; i < c->recents; i++) c->recent[i] = ~c->hash;
  for (size_t w = 0; w < c->n; w++) mark_reachable(c, w);
  for (size_t v = 0; v < c->n; v++) MN_TRY(refresh(ctx, c, v));
  return MN_OK;
}

static void keep_best(const struct climber *c, double score, mn_structure *best)
{
  if (!(score > best->score + 1e-9 * fabs(score))) return;
  best->score = score;
  memcpy(best->edge, c->edge, c->n * c->n);
}

/* Climb from the structure of c. `best` is updated. */
static mn_status climb(mn_context *ctx, struct climber *c, mn_structure *best)
{
  const mn_structure_search *s = c->search;
  double highest = total(c);
  keep_best(c, highest, best);
  best->converged = false;
  for (size_t worse = 0; best->n_iter < s->max_iter; best->n_iter++) {
    if (c->recents > 0) c->recent[best->n_iter % c->recents] = c->hash;
    const struct change change = best_change(c);
    const bool improves = change.gain > 1e-9 * fabs(highest);
    if (change.kind == NOTHING || !(change.gain > -INFINITY) || (s->tabu == 0 && !improves)) {
      best->converged = true;
      break;
    }
    MN_TRY(apply(ctx, c, change));
    const double score = total(c);
    worse = score > highest + 1e-9 * fabs(highest) ? 0 : worse + 1;
    if (worse == 0) highest = score;
    keep_best(c, score, best);
    best->converged = s->tabu > 0 && worse >= s->max_tabu;
    if (best->converged) break;
    if (!mn_report_progress(ctx, (double)best->n_iter + 1, (double)s->max_iter, -highest)) break;
  }
  return mn_cancelled(ctx) ? MN_CANCELLED : MN_OK;
}

/* Random legal changes. */
static mn_status perturb(mn_context *ctx, struct climber *c, mn_rng *random)
{
  const size_t n = c->n;
  for (size_t done = 0, tries = 0; done < c->search->perturb && tries < 1000 * n; tries++) {
    const size_t u = mn_random_below(random, n), v = mn_random_below(random, n);
    const bool there = c->edge[u * n + v];
    struct change change = { there ? REMOVE_ARC : ADD_ARC, u, v, c->delta[u * n + v] };
    if (there && mn_random_below(random, 2)) {
      change.kind = REVERSE_ARC;
      change.gain += c->delta[v * n + u];
    }
    if (!(change.gain > -INFINITY) || !is_legal(c, change)) continue;
    MN_TRY(apply(ctx, c, change));
    done++;
  }
  return MN_OK;
}

mn_status mn_search_structure(mn_context *ctx, const mn_structure_search *search, mn_structure *best)
{
  struct climber c;
  mn_rng random = mn_stream(search->seed, 0);
  MN_TRY(start(ctx, search, &c));
  MN_TRY(begin_at(ctx, &c, best->edge));
  best->n_iter = 0;
  best->score = -INFINITY;
  MN_TRY(climb(ctx, &c, best));
  for (size_t r = 0; r < search->restarts && mn_should_continue(ctx); r++) {
    MN_TRY(begin_at(ctx, &c, best->edge));
    MN_TRY(perturb(ctx, &c, &random));
    MN_TRY(climb(ctx, &c, best));
  }
  best->evaluations = c.evaluations;
  return MN_OK;
}
