#include "pc.h"
#include "cpdag.h"
#include "../core/threads.h"
#include <math.h>
#include <string.h>

/* One edge under test. */
struct pair {
  int32_t u, v;
  bool removed;
  size_t tests, size; /* of the separating set */
  int32_t *separator; /* room for max_given */
};

struct phase {
  mn_context *ctx;
  const mn_pc *pc;
  size_t n, level;
  const uint8_t *edge; /* as the level began */
  struct pair *pairs;
  mn_score_space *space;
  int32_t *lists; /* workers x 3 n: neighbors, positions, conditions */
};

/* The next combination of k of n positions in lexical order; false: that was the last. */
static bool next_combination(int32_t *at, size_t k, size_t n)
{
  size_t i = k;
  while (i > 0 && (size_t)at[i - 1] == n - k + i - 1) i--;
  if (i == 0) return false;
  at[i - 1]++;
  for (size_t j = i; j < k; j++) at[j] = at[j - 1] + 1;
  return true;
}

/* Test the pair given all sets of `level` neighbors of `of` but for `other`. */
static void test_sets(const struct phase *f, struct pair *p, size_t of, size_t other, size_t worker)
{
  int32_t *neighbor = f->lists + worker * 3 * f->n, *at = neighbor + f->n, *given = at + f->n;
  const mn_cancel_token token = { f->ctx, worker };
  size_t count = 0;
  for (size_t w = 0; w < f->n; w++)
    if (w != other && f->edge[of * f->n + w]) neighbor[count++] = (int32_t)w;
  if (count < f->level) return;
  for (size_t i = 0; i < f->level; i++) at[i] = (int32_t)i;
  do {
    for (size_t i = 0; i < f->level; i++) given[i] = neighbor[at[i]];
    const mn_test_result r =
        mn_test_independence(f->pc->test, &f->space[worker], (size_t)p->u, (size_t)p->v, f->level, given);
    p->tests++;
    if (r.p > f->pc->alpha) {
      p->removed = true;
      p->size = f->level;
      memcpy(p->separator, given, f->level * sizeof *given);
      return;
    }
  } while (mn_task_should_continue(&token) && next_combination(at, f->level, count));
}

static void test_pair(void *work, size_t item, size_t worker)
{
  struct phase *f = work;
  struct pair *p = &f->pairs[item];
  test_sets(f, p, (size_t)p->u, (size_t)p->v, worker);
  if (!p->removed && f->level > 0) test_sets(f, p, (size_t)p->v, (size_t)p->u, worker);
}

static mn_status begin(mn_context *ctx, const mn_pc *pc, uint8_t *edge, struct phase *f)
{
  const mn_net_columns *d = pc->test->data;
  const size_t n = d->nodes, workers = mn_threads(ctx);
  size_t cells = 1;
  for (size_t u = 0; u < n; u++)
    for (size_t v = 0; v < u; v++) {
      edge[u * n + v] = edge[v * n + u] = pc->allowed[u * n + v] | pc->allowed[v * n + u];
      if (edge[u * n + v] && mn_test_cells(d, u, v) > cells) cells = mn_test_cells(d, u, v);
    }
  *f = (struct phase){ .ctx = ctx, .pc = pc, .n = n };
  mn_scorer scorer;
  MN_TRY(mn_scorer_init(ctx, d, MN_NET_LOGLIK, 1, &scorer));
  f->space = MN_NEW(ctx, mn_score_space, workers, 1);
  f->lists = MN_RAW(ctx, int32_t, workers * 3, n + 1);
  f->pairs = MN_NEW(ctx, struct pair, n + 1, n);
  if (!f->space || !f->lists || !f->pairs) return MN_NO_MEMORY;
  for (size_t w = 0; w < workers; w++) MN_TRY(mn_score_space_new(ctx, &scorer, cells, &f->space[w]));
  return MN_OK;
}

/* The pairs that still have an edge, without those that must. */
static size_t list_pairs(const struct phase *f, const uint8_t *edge)
{
  size_t count = 0;
  for (size_t u = 0; u < f->n; u++)
    for (size_t v = u + 1; v < f->n; v++)
      if (edge[u * f->n + v] && !f->pc->required[u * f->n + v] && !f->pc->required[v * f->n + u])
        f->pairs[count++] = (struct pair){ .u = (int32_t)u, .v = (int32_t)v };
  return count;
}

static bool any_neighbors(const struct phase *f, const uint8_t *edge)
{
  for (size_t u = 0; u < f->n; u++) {
    size_t count = 0;
    for (size_t w = 0; w < f->n; w++) count += edge[u * f->n + w];
    if (count > f->level) return true;
  }
  return false;
}

/* separator[u * n + v]: whether w is in the set that separated u and v. */
struct separators {
  int32_t **set;
  size_t *size;
};

static mn_status find_skeleton(mn_context *ctx, struct phase *f, uint8_t *edge, struct separators *s, size_t *tests)
{
  const size_t n = f->n;
  uint8_t *before = MN_RAW(ctx, uint8_t, n + 1, n);
  MN_CHECK_ALLOC(before);
  f->edge = before;
  for (f->level = 0; f->level <= f->pc->max_given && any_neighbors(f, edge); f->level++) {
    memcpy(before, edge, n * n);
    const size_t pairs = list_pairs(f, edge);
    int32_t *sets = MN_RAW(ctx, int32_t, pairs + 1, f->level + 1);
    MN_CHECK_ALLOC(sets);
    for (size_t i = 0; i < pairs; i++) f->pairs[i].separator = sets + i * (f->level + 1);
    MN_TRY(mn_parallel(ctx, pairs, test_pair, f));
    for (size_t i = 0; i < pairs; i++) {
      const struct pair *p = &f->pairs[i];
      const size_t at = (size_t)p->u * n + (size_t)p->v;
      *tests += p->tests;
      if (!p->removed) continue;
      edge[at] = edge[(size_t)p->v * n + (size_t)p->u] = 0;
      s->set[at] = p->separator;
      s->size[at] = p->size;
    }
    if (!mn_report_progress(ctx, (double)f->level + 1, (double)n, (double)NAN)) break;
  }
  return mn_cancelled(ctx) ? MN_CANCELLED : MN_OK;
}

static bool separates(const struct separators *s, size_t at, size_t w)
{
  for (size_t i = 0; i < s->size[at]; i++)
    if ((size_t)s->set[at][i] == w) return true;
  return false;
}

/* Directions that are given, and those of colliders u -> w <- v, in the order of w, u, v. */
static void direct_edges(const struct phase *f, const struct separators *s, uint8_t *edge, int32_t *stack,
                         uint8_t *seen)
{
  const size_t n = f->n;
  for (size_t u = 0; u < n; u++)
    for (size_t v = 0; v < n; v++)
      if (edge[u * n + v] && (f->pc->required[u * n + v] || !f->pc->allowed[v * n + u]))
        mn_direct(n, edge, u, v, stack, seen);
  for (size_t w = 0; w < n; w++)
    for (size_t u = 0; u < n; u++)
      for (size_t v = u + 1; v < n; v++) {
        if (u == w || v == w || edge[u * n + v] || edge[v * n + u] || !edge[u * n + w] || !edge[v * n + w]) continue;
        if (separates(s, u * n + v, w)) continue;
        mn_direct(n, edge, u, w, stack, seen);
        mn_direct(n, edge, v, w, stack, seen);
      }
  mn_meek_rules(n, edge, stack, seen);
}

mn_status mn_pc_search(mn_context *ctx, const mn_pc *pc, mn_pc_result *out)
{
  const size_t n = pc->test->data->nodes;
  struct phase f;
  struct separators s = { .set = MN_NEW(ctx, int32_t *, n + 1, n), .size = MN_NEW(ctx, size_t, n + 1, n) };
  int32_t *stack = MN_RAW(ctx, int32_t, n + 1, 1);
  uint8_t *seen = MN_RAW(ctx, uint8_t, n + 1, 1);
  if (!s.set || !s.size || !stack || !seen) return MN_NO_MEMORY;
  memset(out->edge, 0, n * n);
  out->tests = 0;
  MN_TRY(begin(ctx, pc, out->edge, &f));
  MN_TRY(find_skeleton(ctx, &f, out->edge, &s, &out->tests));
  direct_edges(&f, &s, out->edge, stack, seen);
  return MN_OK;
}
