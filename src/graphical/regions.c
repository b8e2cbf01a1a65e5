#include "regions.h"
#include <stdlib.h>
#include <string.h>

/* A growing list of sets. */
struct sets {
  mn_context *ctx;
  size_t size, capacity;
  mn_region *at;
};

/* Larger sets first, then by their variables. */
static int compare(const void *x, const void *y)
{
  const mn_region *a = x, *b = y;
  if (a->n != b->n) return a->n > b->n ? -1 : 1;
  for (size_t i = 0; i < a->n; i++)
    if (a->at[i] != b->at[i]) return a->at[i] < b->at[i] ? -1 : 1;
  return 0;
}

static int compare_variables(const void *x, const void *y)
{
  const size_t a = *(const size_t *)x, b = *(const size_t *)y;
  return a < b ? -1 : a > b;
}

/* Add a copy of the set, sorted. */
static mn_status add(struct sets *s, size_t n, const size_t *variables)
{
  if (n == 0) return MN_OK;
  if (s->size == s->capacity) {
    s->capacity = s->capacity ? 2 * s->capacity : 64;
    s->at = MN_GROW(s->ctx, s->at, s->size, s->capacity);
    MN_CHECK_ALLOC(s->at);
  }
  size_t *copy = MN_RAW(s->ctx, size_t, n, 1);
  MN_CHECK_ALLOC(copy);
  memcpy(copy, variables, n * sizeof *copy);
  qsort(copy, n, sizeof *copy, compare_variables);
  s->at[s->size++] = (mn_region){ copy, n };
  return MN_OK;
}

static void sort_and_unite(struct sets *s)
{
  size_t kept = 0;
  if (s->size > 0) qsort(s->at, s->size, sizeof *s->at, compare);
  for (size_t i = 0; i < s->size; i++)
    if (kept == 0 || compare(&s->at[kept - 1], &s->at[i]) != 0) s->at[kept++] = s->at[i];
  s->size = kept;
}

/* The variables that both have, to `out`. */
static size_t intersect(const mn_region *a, const mn_region *b, size_t *out)
{
  size_t i = 0, j = 0, n = 0;
  while (i < a->n && j < b->n) {
    if (a->at[i] == b->at[j])
      out[n++] = a->at[i++], j++;
    else if (a->at[i] < b->at[j])
      i++;
    else
      j++;
  }
  return n;
}

static bool contains(const mn_region *a, const mn_region *b)
{
  size_t i = 0;
  for (size_t j = 0; j < b->n; j++) {
    while (i < a->n && a->at[i] < b->at[j]) i++;
    if (i == a->n || a->at[i] != b->at[j]) return false;
  }
  return true;
}

/* --- lists of sets by variable --- */

struct index {
  size_t *start, *set;
};

static mn_status make_index(mn_context *ctx, size_t variables, const mn_region *at, size_t n, struct index *out)
{
  size_t total = 0;
  for (size_t i = 0; i < n; i++) total += at[i].n;
  out->start = MN_NEW(ctx, size_t, variables + 2, 1);
  out->set = MN_RAW(ctx, size_t, total + 1, 1);
  if (!out->start || !out->set) return MN_NO_MEMORY;
  size_t *next = out->start + 1;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < at[i].n; k++) next[at[i].at[k] + 1]++;
  for (size_t v = 1; v <= variables; v++) next[v] += next[v - 1];
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < at[i].n; k++) out->set[next[at[i].at[k]]++] = i;
  return MN_OK;
}

/* --- outer regions --- */

/* Neighbors of each variable by factors of two free variables, ascending. */
static mn_status pairs_of(mn_context *ctx, const mn_factor_graph *g, const struct sets *factors, struct index *out)
{
  struct sets pairs = { .ctx = ctx };
  for (size_t i = 0; i < factors->size; i++)
    if (factors->at[i].n == 2) MN_TRY(add(&pairs, 2, factors->at[i].at));
  sort_and_unite(&pairs);
  MN_TRY(make_index(ctx, g->variables, pairs.at, pairs.size, out));
  for (size_t v = 0; v < g->variables; v++)
    for (size_t k = out->start[v]; k < out->start[v + 1]; k++) {
      const size_t *pair = pairs.at[out->set[k]].at;
      out->set[k] = pair[0] == v ? pair[1] : pair[0];
    }
  return MN_OK;
}

static bool are_neighbors(const struct index *n, size_t a, size_t b)
{
  for (size_t k = n->start[a]; k < n->start[a + 1]; k++)
    if (n->set[k] == b) return true;
  return false;
}

/* Loops of three, and of four without a chord, each from its smallest variable. */
static mn_status add_loops(struct sets *s, size_t variables, const struct index *n, size_t longest)
{
  for (size_t a = 0; a < variables && longest >= 3; a++) {
    for (size_t i = n->start[a]; i < n->start[a + 1]; i++)
      for (size_t j = n->start[a]; j < n->start[a + 1]; j++) {
        const size_t b = n->set[i], d = n->set[j];
        if (b <= a || d <= b) continue;
        if (are_neighbors(n, b, d)) {
          MN_TRY(add(s, 3, (const size_t[]){ a, b, d }));
          continue;
        }
        for (size_t k = n->start[b]; k < n->start[b + 1] && longest >= 4; k++) {
          const size_t c = n->set[k];
          if (c > a && c != d && are_neighbors(n, c, d) && !are_neighbors(n, a, c))
            MN_TRY(add(s, 4, (const size_t[]){ a, b, c, d }));
        }
      }
    if (a % 256 == 0) MN_TRY(mn_poll(s->ctx));
  }
  return MN_OK;
}

static mn_status add_clusters(struct sets *s, const mn_factor_graph *g, const int32_t *evidence,
                              const mn_region_options *o)
{
  size_t *cluster = MN_RAW(s->ctx, size_t, o->clusters + 1, 1), n = 0;
  MN_CHECK_ALLOC(cluster);
  for (size_t i = 0; i < o->clusters; i++) {
    const double v = o->cluster[i];
    if (!(v >= 0 && v <= (double)g->variables))
      return mn_fail(s->ctx, MN_BAD_ARGUMENT, "%s: a region has a variable that does not exist", o->who);
    if (v >= 1) {
      if (!mn_is_observed(evidence, (size_t)v - 1)) cluster[n++] = (size_t)v - 1;
      continue;
    }
    MN_TRY(add(s, n, cluster));
    n = 0;
  }
  return MN_OK;
}

/* Scopes of factors without observed variables, and every variable by itself. */
static mn_status add_factors(struct sets *s, const mn_factor_graph *g, const int32_t *evidence)
{
  size_t *scope = MN_RAW(s->ctx, size_t, g->variables + 1, 1);
  MN_CHECK_ALLOC(scope);
  for (size_t f = 0; f < g->factors; f++) {
    size_t n = 0;
    for (size_t i = g->scope_start[f]; i < g->scope_start[f + 1]; i++)
      if (!mn_is_observed(evidence, g->scope[i])) scope[n++] = g->scope[i];
    MN_TRY(add(s, n, scope));
  }
  for (size_t v = 0; v < g->variables; v++)
    if (!mn_is_observed(evidence, v)) MN_TRY(add(s, 1, &v));
  return MN_OK;
}

/* Leave only sets that no larger one contains. Larger ones come first. */
static mn_status keep_maximal(struct sets *s, size_t variables)
{
  struct index by;
  size_t kept = 0;
  bool *drop = MN_NEW(s->ctx, bool, s->size + 1, 1);
  MN_CHECK_ALLOC(drop);
  MN_TRY(make_index(s->ctx, variables, s->at, s->size, &by));
  for (size_t i = 0; i < s->size; i++)
    for (size_t v = s->at[i].at[0], k = by.start[v]; k < by.start[v + 1] && !drop[i]; k++)
      drop[i] = by.set[k] < i && contains(&s->at[by.set[k]], &s->at[i]);
  for (size_t i = 0; i < s->size; i++)
    if (!drop[i]) s->at[kept++] = s->at[i];
  s->size = kept;
  return MN_OK;
}

/* --- intersections --- */

/* Add the intersections of the sets of a list. */
static mn_status add_intersections(struct sets *to, const struct sets *from, size_t variables)
{
  struct index by;
  size_t *common = MN_RAW(to->ctx, size_t, variables + 1, 1);
  MN_CHECK_ALLOC(common);
  MN_TRY(make_index(to->ctx, variables, from->at, from->size, &by));
  for (size_t v = 0; v < variables; v++) {
    for (size_t i = by.start[v]; i < by.start[v + 1]; i++)
      for (size_t j = i + 1; j < by.start[v + 1]; j++) {
        const size_t n = intersect(&from->at[by.set[i]], &from->at[by.set[j]], common);
        if (common[0] == v) MN_TRY(add(to, n, common)); /* once for each pair */
      }
    if (v % 256 == 0) MN_TRY(mn_poll(to->ctx));
  }
  return MN_OK;
}

static mn_status close_intersections(struct sets *inner, const struct sets *outer, size_t variables)
{
  MN_TRY(add_intersections(inner, outer, variables));
  sort_and_unite(inner);
  for (size_t before = 0; before < inner->size;) {
    struct sets more = { .ctx = inner->ctx };
    before = inner->size;
    MN_TRY(add_intersections(&more, inner, variables));
    for (size_t i = 0; i < more.size; i++) MN_TRY(add(inner, more.at[i].n, more.at[i].at));
    sort_and_unite(inner);
  }
  return MN_OK;
}

/* Counting numbers, and the outer regions over each inner one. */
static mn_status count_regions(mn_context *ctx, size_t variables, mn_region_graph *r)
{
  struct index by;
  const size_t n = r->outer + r->inner;
  size_t edges = 0;
  r->count = MN_RAW(ctx, double, n + 1, 1);
  r->start = MN_NEW(ctx, size_t, r->inner + 1, 1);
  if (!r->count || !r->start) return MN_NO_MEMORY;
  MN_TRY(make_index(ctx, variables, r->region, n, &by));
  for (int pass = 0; pass < 2; pass++) {
    if (pass == 1 && !(r->over = MN_RAW(ctx, size_t, edges + 1, 1))) return MN_NO_MEMORY;
    edges = 0;
    for (size_t i = 0; i < r->outer; i++) r->count[i] = 1;
    for (size_t i = r->outer; i < n; i++) {
      const size_t v = r->region[i].at[0];
      r->count[i] = 1;
      r->start[i - r->outer] = edges;
      for (size_t k = by.start[v]; k < by.start[v + 1] && by.set[k] < i; k++) {
        if (!contains(&r->region[by.set[k]], &r->region[i])) continue;
        r->count[i] -= r->count[by.set[k]];
        if (by.set[k] >= r->outer) continue;
        if (pass == 1) r->over[edges] = by.set[k];
        edges++;
      }
    }
    r->start[r->inner] = edges;
  }
  return MN_OK;
}

mn_status mn_make_regions(mn_context *ctx, const mn_factor_graph *g, const int32_t *evidence,
                          const mn_region_options *options, mn_region_graph *out)
{
  struct sets outer = { .ctx = ctx }, inner = { .ctx = ctx };
  *out = (mn_region_graph){ 0 };
  MN_TRY(add_factors(&outer, g, evidence));
  sort_and_unite(&outer);
  if (options->loops > 0) {
    struct index pairs;
    MN_TRY(pairs_of(ctx, g, &outer, &pairs));
    MN_TRY(add_loops(&outer, g->variables, &pairs, options->loops));
  }
  MN_TRY(add_clusters(&outer, g, evidence, options));
  sort_and_unite(&outer);
  MN_TRY(keep_maximal(&outer, g->variables));
  MN_TRY(close_intersections(&inner, &outer, g->variables));
  out->outer = outer.size;
  out->inner = inner.size;
  out->region = MN_RAW(ctx, mn_region, outer.size + inner.size + 1, 1);
  MN_CHECK_ALLOC(out->region);
  if (outer.size > 0) memcpy(out->region, outer.at, outer.size * sizeof *outer.at);
  if (inner.size > 0) memcpy(out->region + outer.size, inner.at, inner.size * sizeof *inner.at);
  return count_regions(ctx, g->variables, out);
}
