#include "cpdag.h"
#include <string.h>

static bool adjacent(size_t n, const uint8_t *edge, size_t u, size_t v)
{
  return edge[u * n + v] || edge[v * n + u];
}

static bool directed(size_t n, const uint8_t *edge, size_t u, size_t v)
{
  return edge[u * n + v] && !edge[v * n + u];
}

static bool undirected(size_t n, const uint8_t *edge, size_t u, size_t v)
{
  return edge[u * n + v] && edge[v * n + u];
}

/* Whether directed edges lead from u to v. */
static bool leads(size_t n, const uint8_t *edge, size_t u, size_t v, int32_t *stack, uint8_t *seen)
{
  size_t size = 1;
  memset(seen, 0, n);
  stack[0] = (int32_t)u;
  while (size > 0) {
    const size_t at = (size_t)stack[--size];
    if (at == v) return true;
    for (size_t w = 0; w < n; w++) {
      if (seen[w] || !directed(n, edge, at, w)) continue;
      seen[w] = 1;
      stack[size++] = (int32_t)w;
    }
  }
  return false;
}

bool mn_direct(size_t n, uint8_t *edge, size_t u, size_t v, int32_t *stack, uint8_t *seen)
{
  if (!undirected(n, edge, u, v) || leads(n, edge, v, u, stack, seen)) return false;
  edge[v * n + u] = 0;
  return true;
}

/* Whether a rule directs the undirected edge u - v as u -> v. */
static bool rule_applies(size_t n, const uint8_t *edge, size_t u, size_t v)
{
  for (size_t w = 0; w < n; w++) {
    if (w == u || w == v) continue;
    if (directed(n, edge, w, u) && !adjacent(n, edge, w, v)) return true; /* 1 */
    if (directed(n, edge, u, w) && directed(n, edge, w, v)) return true;  /* 2 */
    if (!undirected(n, edge, u, w)) continue;
    for (size_t x = 0; x < n; x++) {
      if (x == u || x == v || x == w) continue;
      const bool into_v = directed(n, edge, x, v);
      if (into_v && x > w && undirected(n, edge, u, x) && directed(n, edge, w, v) && !adjacent(n, edge, w, x))
        return true;                                                                                             /* 3 */
      if (into_v && directed(n, edge, w, x) && adjacent(n, edge, u, x) && !adjacent(n, edge, w, v)) return true; /* 4 */
    }
  }
  return false;
}

void mn_meek_rules(size_t n, uint8_t *edge, int32_t *stack, uint8_t *seen)
{
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t u = 0; u < n; u++)
      for (size_t v = 0; v < n; v++)
        if (undirected(n, edge, u, v) && rule_applies(n, edge, u, v))
          changed = mn_direct(n, edge, u, v, stack, seen) || changed;
  }
}

mn_status mn_equivalence_class(mn_context *ctx, size_t n, const uint8_t *dag, uint8_t *out)
{
  int32_t *stack = MN_RAW(ctx, int32_t, n + 1, 1);
  uint8_t *seen = MN_RAW(ctx, uint8_t, n + 1, 1);
  if (!stack || !seen) return MN_NO_MEMORY;
  for (size_t u = 0; u < n; u++)
    for (size_t v = 0; v < n; v++) out[u * n + v] = adjacent(n, dag, u, v);
  for (size_t v = 0; v < n; v++)
    for (size_t a = 0; a < n; a++)
      for (size_t b = 0; dag[a * n + v] && b < a; b++)
        if (dag[b * n + v] && !adjacent(n, dag, a, b)) out[v * n + a] = out[v * n + b] = 0;
  MN_TRY(mn_poll(ctx));
  mn_meek_rules(n, out, stack, seen);
  return MN_OK;
}

/* Whether x has no edge out of it, and each neighbor by an undirected edge is adjacent to all other neighbors. */
static bool is_sink(size_t n, const uint8_t *edge, const uint8_t *removed, size_t x, bool strict)
{
  for (size_t y = 0; y < n; y++) {
    if (removed[y] || y == x) continue;
    if (directed(n, edge, x, y)) return false;
    if (!strict || !undirected(n, edge, x, y)) continue;
    for (size_t z = 0; z < n; z++)
      if (z != x && z != y && !removed[z] && adjacent(n, edge, x, z) && !adjacent(n, edge, y, z)) return false;
  }
  return true;
}

bool mn_extend_to_dag(size_t n, uint8_t *edge, uint8_t *removed)
{
  bool consistent = true;
  memset(removed, 0, n);
  for (size_t left = n; left > 0; left--) {
    size_t x = 0;
    while (x < n && (removed[x] || !is_sink(n, edge, removed, x, true))) x++;
    if (x == n) {
      consistent = false;
      for (x = 0; x + 1 < n && (removed[x] || !is_sink(n, edge, removed, x, false));) x++;
    }
    for (size_t y = 0; y < n; y++)
      if (!removed[y] && undirected(n, edge, x, y)) edge[x * n + y] = 0;
    removed[x] = 1;
  }
  return consistent;
}
