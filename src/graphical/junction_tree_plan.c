#include "junction_tree.h"
#include <string.h>

/* What the plan is made from. */
struct planner {
  mn_context *ctx;
  mn_junction_tree *t;
  mn_elimination e;
  size_t *step;   /* of each variable, SIZE_MAX for those without one         */
  size_t *parent; /* of each step: the first step that eliminates a neighbor  */
  size_t *child;  /* of each step: a step whose clique contains that of this  */
  size_t *clique; /* of each step, numbered by the last step of the clique    */
  size_t *last;   /* of each clique: the step whose neighbors are its separator */
};

static size_t neighbors(const mn_elimination *e, size_t k)
{
  return e->start[k + 1] - e->start[k];
}

static mn_status allocate_planner(struct planner *p)
{
  const size_t n = p->t->g->variables + 1;
  p->step = MN_RAW(p->ctx, size_t, n, 1);
  p->parent = MN_RAW(p->ctx, size_t, n, 1);
  p->child = MN_RAW(p->ctx, size_t, n, 1);
  p->clique = MN_RAW(p->ctx, size_t, n, 1);
  p->last = MN_RAW(p->ctx, size_t, n, 1);
  return p->step && p->parent && p->child && p->clique && p->last ? MN_OK : MN_NO_MEMORY;
}

/* A clique that is contained in that of a child is merged with it; the others are numbered by their last steps, so that
 * children come before parents. */
static void find_cliques(struct planner *p)
{
  const mn_elimination *e = &p->e;
  for (size_t v = 0; v < p->t->g->variables; v++) p->step[v] = SIZE_MAX;
  for (size_t k = 0; k < e->steps; k++) p->step[e->order[k]] = k;
  for (size_t k = 0; k < e->steps; k++) p->child[k] = SIZE_MAX;
  for (size_t k = 0; k < e->steps; k++) {
    p->parent[k] = SIZE_MAX;
    for (size_t i = e->start[k]; i < e->start[k + 1]; i++)
      if (p->step[e->neighbor[i]] < p->parent[k]) p->parent[k] = p->step[e->neighbor[i]];
    const size_t up = p->parent[k];
    if (up != SIZE_MAX && p->child[up] == SIZE_MAX && neighbors(e, k) == neighbors(e, up) + 1) p->child[up] = k;
  }
  /* last[clique[k]] == k for steps that no parent absorbs */
  size_t count = 0;
  for (size_t k = 0; k < e->steps; k++) {
    const size_t up = p->parent[k];
    p->clique[k] = up != SIZE_MAX && p->child[up] == k ? SIZE_MAX : count++;
    if (p->clique[k] != SIZE_MAX) p->last[p->clique[k]] = k;
  }
  for (size_t k = e->steps; k-- > 0;)
    if (p->clique[k] == SIZE_MAX) p->clique[k] = p->clique[p->parent[k]];
  p->t->cliques = count;
}

static mn_status allocate_tree(struct planner *p)
{
  mn_junction_tree *t = p->t;
  const size_t n = t->cliques + 3, variables = t->g->variables + 1, factors = t->g->factors + 1;
  t->scope_start = MN_NEW(p->ctx, size_t, n, 1);
  t->separators = MN_NEW(p->ctx, size_t, n, 1);
  t->parent = MN_RAW(p->ctx, size_t, n, 1);
  t->table_start = MN_NEW(p->ctx, size_t, n, 1);
  t->message_start = MN_NEW(p->ctx, size_t, n, 1);
  t->home = MN_RAW(p->ctx, size_t, variables, 1);
  t->factor_start = MN_NEW(p->ctx, size_t, n, 1);
  t->factor = MN_RAW(p->ctx, size_t, factors, 1);
  t->factor_home = MN_RAW(p->ctx, size_t, factors, 1);
  t->position = MN_RAW(p->ctx, size_t, variables, 1);
  t->card = MN_RAW(p->ctx, size_t, variables, 1);
  t->stride = MN_RAW(p->ctx, size_t, variables, 1);
  const bool ok = t->scope_start && t->separators && t->parent && t->table_start && t->message_start && t->home &&
                  t->factor_start && t->factor && t->factor_home && t->position && t->card && t->stride;
  return ok ? MN_OK : MN_NO_MEMORY;
}

/* The separator in the order of the parent's scope, then the rest. Parents have been filled before. */
static void fill_scope(struct planner *p, size_t c)
{
  mn_junction_tree *t = p->t;
  const mn_elimination *e = &p->e;
  const size_t k = p->last[c];
  size_t *scope = t->scope + t->scope_start[c], n = 0;
  if (t->parent[c] != SIZE_MAX) {
    const size_t up = t->parent[c];
    for (size_t i = t->scope_start[up]; i < t->scope_start[up + 1]; i++) t->position[t->scope[i]] = i;
    for (size_t i = e->start[k]; i < e->start[k + 1]; i++) { /* insertion sort: separators are short */
      const size_t v = e->neighbor[i];
      size_t j = n++;
      for (; j > 0 && t->position[scope[j - 1]] > t->position[v]; j--) scope[j] = scope[j - 1];
      scope[j] = v;
    }
  }
  for (size_t s = k; s != SIZE_MAX; s = p->child[s]) scope[n++] = e->order[s];
}

static mn_status make_scopes(struct planner *p)
{
  mn_junction_tree *t = p->t;
  for (size_t c = 0; c < t->cliques; c++) {
    const size_t k = p->last[c];
    size_t rest = 0;
    for (size_t s = k; s != SIZE_MAX; s = p->child[s]) rest++;
    t->separators[c] = neighbors(&p->e, k);
    t->parent[c] = p->parent[k] == SIZE_MAX ? SIZE_MAX : p->clique[p->parent[k]];
    t->scope_start[c + 1] = t->scope_start[c] + t->separators[c] + rest;
  }
  t->scope = MN_RAW(p->ctx, size_t, t->scope_start[t->cliques] + 1, 1);
  MN_CHECK_ALLOC(t->scope);
  for (size_t c = t->cliques; c-- > 0;) fill_scope(p, c);
  t->cost.entries = 0;
  t->cost.largest = 0;
  for (size_t c = 0; c < t->cliques; c++) {
    const size_t *scope = t->scope + t->scope_start[c];
    const double table = mn_table_entries(t->g, scope, t->scope_start[c + 1] - t->scope_start[c]);
    t->cost.entries += table + mn_table_entries(t->g, scope, t->separators[c]);
    if (table > t->cost.largest) t->cost.largest = table;
  }
  t->cost.bytes = 8 * t->cost.entries;
  return MN_OK;
}

/* Each factor belongs to the clique of its variable that is eliminated first, which contains all of its variables. */
static void place_factors(struct planner *p)
{
  mn_junction_tree *t = p->t;
  const mn_factor_graph *g = t->g;
  for (size_t v = 0; v < g->variables; v++) t->home[v] = p->step[v] == SIZE_MAX ? SIZE_MAX : p->clique[p->step[v]];
  for (size_t f = 0; f < g->factors; f++) {
    size_t first = SIZE_MAX;
    for (size_t i = g->scope_start[f]; i < g->scope_start[f + 1]; i++)
      if (p->step[g->scope[i]] < first) first = p->step[g->scope[i]];
    t->factor_home[f] = first == SIZE_MAX ? t->cliques : p->clique[first];
    t->factor_start[t->factor_home[f] + 1]++;
  }
  for (size_t c = 0; c <= t->cliques; c++) t->factor_start[c + 1] += t->factor_start[c];
  size_t *next = t->table_start; /* not yet used */
  memcpy(next, t->factor_start, (t->cliques + 1) * sizeof *next);
  for (size_t f = 0; f < g->factors; f++) t->factor[next[t->factor_home[f]]++] = f;
}

static void place_tables(mn_junction_tree *t)
{
  t->table_start[0] = t->message_start[0] = 0;
  for (size_t c = 0; c < t->cliques; c++) {
    size_t message = 1, table = 1;
    for (size_t i = t->scope_start[c]; i < t->scope_start[c + 1]; i++) {
      table *= t->g->card[t->scope[i]];
      if (i - t->scope_start[c] < t->separators[c]) message *= t->g->card[t->scope[i]];
    }
    t->table_start[c + 1] = t->table_start[c] + table;
    t->message_start[c + 1] = t->message_start[c] + message;
  }
}

mn_status mn_junction_tree_plan(mn_context *ctx, const char *who, const mn_exact_advice *advice,
                                const mn_factor_graph *g, const int32_t *evidence, mn_elimination_rule rule,
                                double limit, mn_junction_tree *out)
{
  struct planner p = { .ctx = ctx, .t = out };
  *out = (mn_junction_tree){ .who = who, .g = g };
  if (evidence) {
    int32_t *removed = MN_RAW(ctx, int32_t, g->variables + 1, 1);
    MN_CHECK_ALLOC(removed);
    memcpy(removed, evidence, g->variables * sizeof *removed);
    out->removed = removed;
  }
  MN_TRY(allocate_planner(&p));
  MN_TRY(mn_eliminate(ctx, g, evidence, NULL, rule, limit, &p.e));
  out->cost = p.e.cost;
  if (!p.e.cost.complete) return mn_elimination_refuse(ctx, who, advice, &out->cost, limit);
  find_cliques(&p);
  MN_TRY(allocate_tree(&p));
  MN_TRY(make_scopes(&p));
  MN_TRY(mn_elimination_refuse(ctx, who, advice, &out->cost, limit));
  place_factors(&p);
  place_tables(out);
  return MN_OK;
}
