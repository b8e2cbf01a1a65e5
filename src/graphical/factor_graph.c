#include "factor_graph.h"
#include <math.h>

size_t mn_factor_size(const mn_factor_graph *g, size_t factor)
{
  size_t size = 1;
  for (size_t i = g->scope_start[factor]; i < g->scope_start[factor + 1]; i++) size *= g->card[g->scope[i]];
  return size;
}

double mn_table_entries(const mn_factor_graph *g, const size_t *scope, size_t n)
{
  double entries = 1;
  for (size_t i = 0; i < n; i++) entries *= (double)g->card[scope[i]];
  return entries;
}

/* `seen` holds, for each variable, 1 + the last factor with it. */
static mn_status check_scope(mn_context *ctx, const char *who, const mn_factor_graph *g, size_t f, size_t *seen)
{
  size_t several = 0;
  for (size_t i = g->scope_start[f]; i < g->scope_start[f + 1]; i++) {
    const size_t v = g->scope[i];
    if (v >= g->variables)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: factor %zu has variable %zu, but there are %zu", who, f + 1, v + 1,
                     g->variables);
    if (seen[v] == f + 1)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: factor %zu has variable %zu twice", who, f + 1, v + 1);
    seen[v] = f + 1;
    several += g->card[v] > 1;
  }
  if (several > MN_MAX_SCOPE)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: factor %zu has more than %d variables", who, f + 1, MN_MAX_SCOPE);
  return MN_OK;
}

static mn_status check_values(mn_context *ctx, const char *who, const mn_factor_graph *g, size_t f, size_t tables)
{
  const double entries = mn_table_entries(g, mn_scope(g, f), mn_scope_size(g, f));
  const size_t start = g->table_start[f];
  if (start > tables || entries > (double)(tables - start))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: the table of factor %zu must have %.0f values", who, f + 1, entries);
  for (size_t i = start; i < start + (size_t)entries; i++)
    if (!(g->table[i] == MN_LOG_ZERO || fabs(g->table[i]) <= 1e15)) {
      char number[MN_NUMBER_SIZE];
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: factor %zu: logarithms must be between -1e15 and 1e15, got %s", who,
                     f + 1, mn_format_number(number, g->table[i]));
    }
  return MN_OK;
}

mn_status mn_factor_graph_check(mn_context *ctx, const char *who, const mn_factor_graph *g, size_t tables)
{
  size_t *seen = MN_NEW(ctx, size_t, g->variables + 1, 1), last = SIZE_MAX, last_size = 0;
  MN_CHECK_ALLOC(seen);
  for (size_t v = 0; v < g->variables; v++)
    if (g->card[v] < 1 || g->card[v] > INT32_MAX)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: variable %zu must have at least one state", who, v + 1);
  for (size_t f = 0; f < g->factors; f++) {
    MN_TRY(check_scope(ctx, who, g, f, seen));
    const double entries = mn_table_entries(g, mn_scope(g, f), mn_scope_size(g, f));
    if (g->table_start[f] == last && entries <= (double)last_size) continue; /* a shared table, already checked */
    MN_TRY(check_values(ctx, who, g, f, tables));
    last = g->table_start[f];
    last_size = (size_t)entries;
    if (f % 1024 == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

double mn_factor_graph_score(const mn_factor_graph *g, const int32_t *state)
{
  double sum = 0;
  for (size_t f = 0; f < g->factors; f++) {
    size_t index = 0;
    for (size_t i = g->scope_start[f]; i < g->scope_start[f + 1]; i++)
      index = index * g->card[g->scope[i]] + (size_t)state[g->scope[i]];
    sum += g->table[g->table_start[f] + index];
  }
  return mn_is_log_zero(sum) ? MN_LOG_ZERO : sum;
}

mn_status mn_factor_graph_incidence(mn_context *ctx, const mn_factor_graph *g, mn_incidence *out)
{
  const size_t edges = g->scope_start[g->factors];
  out->start = MN_NEW(ctx, size_t, g->variables + 2, 1);
  out->factor = MN_RAW(ctx, size_t, edges + 1, 1);
  out->position = MN_RAW(ctx, size_t, edges + 1, 1);
  if (!out->start || !out->factor || !out->position) return MN_NO_MEMORY;
  size_t *next = out->start + 1; /* start[v+1] is where the next factor of v goes, and finally where v ends */
  for (size_t i = 0; i < edges; i++) next[g->scope[i] + 1]++;
  for (size_t v = 1; v <= g->variables; v++) next[v] += next[v - 1];
  for (size_t f = 0; f < g->factors; f++)
    for (size_t i = g->scope_start[f]; i < g->scope_start[f + 1]; i++) {
      const size_t at = next[g->scope[i]]++;
      out->factor[at] = f;
      out->position[at] = i - g->scope_start[f];
    }
  return MN_OK;
}
