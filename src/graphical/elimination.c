#include "elimination.h"
#include <math.h>
#include <stdio.h>

/* A growing list of variables. */
struct list {
  size_t size, capacity, *at;
};

static mn_status append(mn_context *ctx, struct list *list, size_t value)
{
  if (list->size == list->capacity) {
    list->capacity = list->capacity ? 2 * list->capacity : 8;
    list->at = MN_GROW(ctx, list->at, list->size, list->capacity);
    MN_CHECK_ALLOC(list->at);
  }
  list->at[list->size++] = value;
  return MN_OK;
}

/* The cost of eliminating a variable next, in the heap. It is outdated if its stamp is not that of the variable. */
struct entry {
  double fill, weight;
  size_t variable, stamp;
};

struct search {
  mn_context *ctx;
  const mn_factor_graph *g;
  bool by_fill;
  struct list *adjacent; /* of each variable that is not yet eliminated */
  double *log_card;
  size_t *mark, marks; /* mark[v] == marks: v is in the current set */
  size_t *stamp;
  bool *alive, *is_dirty;
  struct entry *heap;
  size_t heap_size, heap_capacity;
  struct list dirty; /* whose cost has changed */
  double work;
};

/* --- heap --- */

static bool is_cheaper(const struct entry *a, const struct entry *b)
{
  if (a->fill < b->fill || a->fill > b->fill) return a->fill < b->fill;
  if (a->weight < b->weight || a->weight > b->weight) return a->weight < b->weight;
  return a->variable < b->variable;
}

static mn_status push(struct search *s, struct entry e)
{
  if (s->heap_size == s->heap_capacity) {
    s->heap_capacity = s->heap_capacity ? 2 * s->heap_capacity : 64;
    s->heap = MN_GROW(s->ctx, s->heap, s->heap_size, s->heap_capacity);
    MN_CHECK_ALLOC(s->heap);
  }
  size_t i = s->heap_size++;
  for (; i > 0 && is_cheaper(&e, &s->heap[(i - 1) / 2]); i = (i - 1) / 2) s->heap[i] = s->heap[(i - 1) / 2];
  s->heap[i] = e;
  return MN_OK;
}

static struct entry pop(struct search *s)
{
  const struct entry first = s->heap[0], e = s->heap[--s->heap_size];
  size_t i = 0;
  for (size_t child = 1; child < s->heap_size; child = 2 * i + 1) {
    if (child + 1 < s->heap_size && is_cheaper(&s->heap[child + 1], &s->heap[child])) child++;
    if (!is_cheaper(&s->heap[child], &e)) break;
    s->heap[i] = s->heap[child];
    i = child;
  }
  if (s->heap_size > 0) s->heap[i] = e;
  return first;
}

/* --- costs --- */

static size_t begin_set(struct search *s)
{
  return ++s->marks;
}

/* Pairs of neighbors of v that are not neighbors of each other. */
static double fill_of(struct search *s, size_t v)
{
  const struct list *n = &s->adjacent[v];
  double edges = 0;
  for (size_t i = 0; i < n->size; i++) s->mark[n->at[i]] = s->marks + 1;
  const size_t set = begin_set(s);
  for (size_t i = 0; i < n->size; i++) {
    const struct list *m = &s->adjacent[n->at[i]];
    for (size_t j = 0; j < m->size; j++) edges += s->mark[m->at[j]] == set;
    s->work += (double)m->size;
  }
  const double d = (double)n->size;
  return d * (d - 1) / 2 - edges / 2;
}

static mn_status push_cost(struct search *s, size_t v)
{
  struct entry e = { .variable = v, .stamp = ++s->stamp[v], .weight = s->log_card[v] };
  const struct list *n = &s->adjacent[v];
  for (size_t i = 0; i < n->size; i++) e.weight += s->log_card[n->at[i]];
  if (s->by_fill) e.fill = fill_of(s, v);
  return push(s, e);
}

static mn_status make_dirty(struct search *s, size_t v)
{
  if (s->is_dirty[v] || !s->alive[v]) return MN_OK;
  s->is_dirty[v] = true;
  return append(s->ctx, &s->dirty, v);
}

/* --- elimination --- */

static void remove_value(struct list *list, size_t value)
{
  for (size_t i = 0; i < list->size; i++)
    if (list->at[i] == value) {
      list->at[i] = list->at[--list->size];
      return;
    }
}

/* Make the neighbors of v, which is eliminated, neighbors of each other. */
static mn_status connect(struct search *s, size_t v)
{
  const struct list *n = &s->adjacent[v];
  for (size_t i = 0; i < n->size; i++) {
    const size_t u = n->at[i];
    struct list *m = &s->adjacent[u];
    remove_value(m, v);
    const size_t set = begin_set(s), before = m->size;
    s->mark[u] = set;
    for (size_t j = 0; j < m->size; j++) s->mark[m->at[j]] = set;
    for (size_t j = 0; j < n->size; j++)
      if (s->mark[n->at[j]] != set) MN_TRY(append(s->ctx, m, n->at[j]));
    s->work += (double)(m->size + n->size);
    MN_TRY(make_dirty(s, u));
    if (s->by_fill && m->size > before)
      for (size_t j = 0; j < m->size; j++) MN_TRY(make_dirty(s, m->at[j]));
  }
  return MN_OK;
}

static mn_status record(struct search *s, size_t v, mn_elimination *out, struct list *neighbors)
{
  const struct list *n = &s->adjacent[v];
  double separator = 1;
  for (size_t i = 0; i < n->size; i++) {
    MN_TRY(append(s->ctx, neighbors, n->at[i]));
    separator *= (double)s->g->card[n->at[i]];
  }
  const double table = separator * (double)s->g->card[v];
  out->order[out->steps++] = v;
  out->start[out->steps] = neighbors->size;
  if (n->size > out->cost.width) out->cost.width = n->size;
  if (table > out->cost.largest) out->cost.largest = table;
  out->cost.entries += table + separator;
  return MN_OK;
}

static mn_status make_adjacent(struct search *s, const int32_t *evidence)
{
  const mn_factor_graph *g = s->g;
  mn_incidence at;
  MN_TRY(mn_factor_graph_incidence(s->ctx, g, &at));
  for (size_t v = 0; v < g->variables; v++) {
    if (mn_is_observed(evidence, v)) continue;
    const size_t set = begin_set(s);
    s->mark[v] = set;
    for (size_t k = at.start[v]; k < at.start[v + 1]; k++) {
      const size_t f = at.factor[k];
      for (size_t i = g->scope_start[f]; i < g->scope_start[f + 1]; i++) {
        const size_t u = g->scope[i];
        if (s->mark[u] == set || mn_is_observed(evidence, u)) continue;
        s->mark[u] = set;
        MN_TRY(append(s->ctx, &s->adjacent[v], u));
      }
    }
    if (v % 4096 == 0) MN_TRY(mn_poll(s->ctx));
  }
  return MN_OK;
}

static mn_status begin_search(struct search *s, const int32_t *evidence, const bool *kept)
{
  const size_t n = s->g->variables;
  s->adjacent = MN_NEW(s->ctx, struct list, n + 1, 1);
  s->mark = MN_NEW(s->ctx, size_t, n + 1, 1);
  s->stamp = MN_NEW(s->ctx, size_t, n + 1, 1);
  s->log_card = MN_RAW(s->ctx, double, n + 1, 1);
  s->alive = MN_NEW(s->ctx, bool, n + 1, 1);
  s->is_dirty = MN_NEW(s->ctx, bool, n + 1, 1);
  if (!s->adjacent || !s->mark || !s->stamp || !s->log_card || !s->alive || !s->is_dirty) return MN_NO_MEMORY;
  MN_TRY(make_adjacent(s, evidence));
  for (size_t v = 0; v < n; v++) s->log_card[v] = log((double)s->g->card[v]);
  for (size_t v = 0; v < n; v++) {
    if (mn_is_observed(evidence, v) || (kept && kept[v])) continue;
    s->alive[v] = true;
    MN_TRY(push_cost(s, v));
    if (v % 1024 == 0) MN_TRY(mn_poll(s->ctx));
  }
  return MN_OK;
}

/* The work after which a search is given up whose tables are too large already. */
static const double ENOUGH_WORK = 3e7;

static mn_status run_search(struct search *s, double limit, mn_elimination *out)
{
  struct list neighbors = { 0 };
  MN_TRY(append(s->ctx, &neighbors, 0)); /* so that the list is never NULL */
  neighbors.size = 0;
  out->cost.complete = true;
  while (s->heap_size > 0) {
    const struct entry e = pop(s);
    const size_t v = e.variable;
    if (!s->alive[v] || e.stamp != s->stamp[v]) continue;
    s->alive[v] = false;
    MN_TRY(record(s, v, out, &neighbors));
    if (s->work > ENOUGH_WORK && 8 * out->cost.entries > limit) {
      out->cost.complete = false;
      break;
    }
    MN_TRY(connect(s, v));
    for (size_t i = 0; i < s->dirty.size; i++) {
      s->is_dirty[s->dirty.at[i]] = false;
      MN_TRY(push_cost(s, s->dirty.at[i]));
    }
    s->dirty.size = 0;
    if (out->steps % 64 == 0) MN_TRY(mn_poll(s->ctx));
  }
  out->neighbor = neighbors.at;
  out->cost.bytes = 8 * out->cost.entries;
  return MN_OK;
}

static mn_status eliminate_by(mn_context *ctx, const mn_factor_graph *g, const int32_t *evidence, const bool *kept,
                              bool by_fill, double limit, mn_elimination *out)
{
  struct search s = { .ctx = ctx, .g = g, .by_fill = by_fill };
  *out = (mn_elimination){ .order = MN_RAW(ctx, size_t, g->variables + 1, 1),
                           .start = MN_NEW(ctx, size_t, g->variables + 2, 1) };
  if (!out->order || !out->start) return MN_NO_MEMORY;
  MN_TRY(begin_search(&s, evidence, kept));
  return run_search(&s, limit, out);
}

mn_status mn_eliminate(mn_context *ctx, const mn_factor_graph *g, const int32_t *evidence, const bool *kept,
                       mn_elimination_rule rule, double limit, mn_elimination *out)
{
  const bool is_large = g->variables > 2000;
  if (rule != MN_ELIMINATION_AUTO || is_large)
    return eliminate_by(ctx, g, evidence, kept, rule == MN_MIN_FILL, limit, out);
  mn_elimination other;
  MN_TRY(eliminate_by(ctx, g, evidence, kept, true, limit, out));
  MN_TRY(eliminate_by(ctx, g, evidence, kept, false, limit, &other));
  if (other.cost.complete && (!out->cost.complete || other.cost.entries < out->cost.entries)) *out = other;
  return MN_OK;
}

/* "1.5 GB" */
static const char *size_text(char *buffer, size_t size, double bytes)
{
  static const char *const units[] = { "bytes", "KB", "MB", "GB", "TB", "PB", "EB" };
  size_t u = 0;
  for (; bytes >= 1000 && u < 6; u++) bytes /= 1000;
  (void)snprintf(buffer, size, bytes >= 1e4 ? "%.3g %s" : "%.4g %s", bytes, units[u]);
  return buffer;
}

mn_status mn_elimination_refuse(mn_context *ctx, const char *who, const mn_exact_advice *advice,
                                const mn_elimination_cost *cost, double limit)
{
  static const mn_exact_advice of_graphs = {
    "max_bytes", "\"sum_product\", \"trw\", \"region\", \"mean_field\", \"tap\" or \"gibbs\"; for the most probable "
                 "state \"max_product\" or \"dual_decomposition\""
  };
  char need[48], most[48];
  if (cost->complete && cost->bytes <= limit) return MN_OK;
  if (!advice) advice = &of_graphs;
  return mn_fail(ctx, MN_NO_MEMORY,
                 "%s: exact inference needs %s%s for its tables (treewidth up to %s%zu), and %s is %s; raise %s, or "
                 "choose an approximate method: %s",
                 who, cost->complete ? "" : "more than ", size_text(need, sizeof need, cost->bytes),
                 cost->complete ? "" : "more than ", cost->width, advice->setting, size_text(most, sizeof most, limit),
                 advice->setting, advice->methods);
}
