#include "variable_elimination.h"
#include "factor_table.h"
#include "table_kernel.h"
#include <math.h>

/* Tables that are not yet multiplied, in a list for each variable: that of their scope which is eliminated first. The
 * list after the last variable is for tables over query variables only. */
struct buckets {
  mn_context *ctx;
  const mn_factor_graph *g;
  size_t *step; /* of each variable; SIZE_MAX for query variables */
  size_t *head, *next;
  mn_factor_table *table;
  size_t tables;
};

static void add_table(struct buckets *b, const mn_factor_table *t)
{
  size_t first = b->g->variables;
  for (size_t i = 0; i < t->n; i++)
    if (b->step[t->scope[i]] != SIZE_MAX && (first == b->g->variables || b->step[t->scope[i]] < b->step[first]))
      first = t->scope[i];
  b->table[b->tables] = *t;
  b->next[b->tables] = b->head[first];
  b->head[first] = b->tables++;
}

static mn_status begin(struct buckets *b, const int32_t *evidence, const mn_elimination *e)
{
  const size_t variables = b->g->variables, most = b->g->factors + e->steps + 1;
  b->step = MN_RAW(b->ctx, size_t, variables + 1, 1);
  b->head = MN_RAW(b->ctx, size_t, variables + 1, 1);
  b->next = MN_RAW(b->ctx, size_t, most, 1);
  b->table = MN_RAW(b->ctx, mn_factor_table, most, 1);
  if (!b->step || !b->head || !b->next || !b->table) return MN_NO_MEMORY;
  for (size_t v = 0; v <= variables; v++) b->step[v] = b->head[v] = SIZE_MAX;
  for (size_t k = 0; k < e->steps; k++) b->step[e->order[k]] = k;
  for (size_t f = 0; f < b->g->factors; f++) {
    mn_factor_table t;
    MN_TRY(mn_table_of_factor(b->ctx, b->g, f, evidence, &t));
    add_table(b, &t);
  }
  return MN_OK;
}

/* The product of the tables of a list, over `scope`. */
static mn_status multiply(struct buckets *b, size_t list, size_t n, const size_t *scope, mn_factor_table *out)
{
  MN_TRY(mn_table_new(b->ctx, b->g->card, n, scope, out));
  for (size_t i = b->head[list]; i != SIZE_MAX; i = b->next[i]) MN_TRY(mn_table_add(b->ctx, out, &b->table[i]));
  return MN_OK;
}

/* Sum out the variable of step k; its rows are contiguous, since it is last in the scope. */
static mn_status eliminate(struct buckets *b, const mn_elimination *e, size_t k)
{
  const size_t v = e->order[k], n = e->start[k + 1] - e->start[k];
  mn_factor_table message, product;
  size_t *scope = MN_RAW(b->ctx, size_t, n + 1, 1);
  MN_CHECK_ALLOC(scope);
  for (size_t i = 0; i < n; i++) scope[i] = e->neighbor[e->start[k] + i];
  scope[n] = v;
  MN_TRY(mn_table_new(b->ctx, b->g->card, n, scope, &message));
  const mn_mark mark = mn_scratch_mark(b->ctx);
  MN_TRY(multiply(b, v, n + 1, scope, &product));
  mn_condition_rows(message.size, b->g->card[v], product.at, message.at);
  mn_scratch_release(b->ctx, mark);
  add_table(b, &message);
  return mn_poll(b->ctx);
}

mn_status mn_variable_elimination(mn_context *ctx, const char *who, const mn_factor_graph *g, const int32_t *evidence,
                                  size_t n, const size_t *query, mn_elimination_rule rule, double limit, double *out,
                                  double *log_partition, mn_elimination_cost *cost)
{
  struct buckets b = { .ctx = ctx, .g = g };
  mn_elimination e;
  mn_factor_table joint;
  bool *kept = MN_NEW(ctx, bool, g->variables + 1, 1);
  MN_CHECK_ALLOC(kept);
  for (size_t i = 0; i < n; i++) kept[query[i]] = true;
  MN_TRY(mn_eliminate(ctx, g, evidence, kept, rule, limit, &e));
  *cost = e.cost;
  cost->entries += mn_table_entries(g, query, n);
  cost->bytes = 8 * cost->entries;
  MN_TRY(mn_elimination_refuse(ctx, who, NULL, cost, limit));
  MN_TRY(begin(&b, evidence, &e));
  for (size_t k = 0; k < e.steps; k++) MN_TRY(eliminate(&b, &e, k));
  MN_TRY(multiply(&b, g->variables, n, query, &joint));
  *log_partition = mn_table_normalize(&joint);
  if (mn_is_log_zero(*log_partition))
    return mn_fail(ctx, MN_BAD_DATA, "%s: all states%s have probability 0", who,
                   evidence ? " that agree with the evidence" : "");
  for (size_t i = 0; i < joint.size; i++) out[i] = mn_is_log_zero(joint.at[i]) ? 0 : exp(joint.at[i]);
  return MN_OK;
}
