#include "junction_tree.h"
#include "table_kernel.h"
#include "walk.h"
#include <string.h>

static size_t scope_size(const mn_junction_tree *t, size_t c)
{
  return t->scope_start[c + 1] - t->scope_start[c];
}

static size_t messages(const mn_junction_tree *t, size_t c)
{
  return t->message_start[c + 1] - t->message_start[c];
}

static size_t row_width(const mn_junction_tree *t, size_t c)
{
  return (t->table_start[c + 1] - t->table_start[c]) / messages(t, c);
}

/* Prepare for walks over clique c: cards, places of its variables, strides 0. Returns the number of its variables. */
static size_t begin_walks(const mn_junction_tree *t, size_t c)
{
  const size_t n = scope_size(t, c), *scope = t->scope + t->scope_start[c];
  for (size_t i = 0; i < n; i++) {
    t->card[i] = t->g->card[scope[i]];
    t->position[scope[i]] = i;
    t->stride[i] = 0;
  }
  return n;
}

/* A walk over clique c in step with a table over `scope`, whose variables are in the clique or removed. */
static void walk_scope(const mn_junction_tree *t, size_t c, size_t n, const size_t *scope, mn_walk *w)
{
  const size_t dims = begin_walks(t, c);
  size_t base = 0, step = 1;
  for (size_t i = n; i-- > 0;) {
    if (mn_is_observed(t->removed, scope[i]))
      base += step * (size_t)t->evidence[scope[i]];
    else
      t->stride[t->position[scope[i]]] = step;
    step *= t->g->card[scope[i]];
  }
  mn_walk_begin(w, dims, t->card, t->stride, base);
}

/* --- before the passes --- */

static mn_status allocate_tables(mn_context *ctx, mn_junction_tree *t)
{
  if (t->table) return MN_OK;
  t->message = MN_RAW(ctx, double, t->message_start[t->cliques] + 1, 1);
  MN_CHECK_ALLOC(t->message);
  t->table = MN_RAW(ctx, double, t->table_start[t->cliques] + 1, 1);
  return t->table ? MN_OK : MN_NO_MEMORY;
}

static mn_status check_evidence(mn_context *ctx, const mn_junction_tree *t, const int32_t *evidence)
{
  for (size_t v = 0; v < t->g->variables; v++) {
    if (mn_is_observed(t->removed, v) && !mn_is_observed(evidence, v))
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: variable %zu must be observed as in the plan", t->who, v + 1);
    if (evidence && (evidence[v] < MN_FREE || evidence[v] >= (int64_t)t->g->card[v]))
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: variable %zu has %zu states, but state %d is observed", t->who, v + 1,
                     t->g->card[v], (int)evidence[v] + 1);
  }
  return MN_OK;
}

/* Other states of an observed variable of clique c become impossible. */
static mn_status mask_states(mn_context *ctx, mn_junction_tree *t, size_t c, size_t v)
{
  mn_walk w;
  const size_t n = begin_walks(t, c);
  const mn_mark mark = mn_scratch_mark(ctx);
  double *allowed = MN_RAW(ctx, double, t->g->card[v], 1);
  MN_CHECK_ALLOC(allowed);
  for (size_t s = 0; s < t->g->card[v]; s++) allowed[s] = (int64_t)s == t->evidence[v] ? 0 : MN_LOG_ZERO;
  t->stride[t->position[v]] = 1;
  mn_walk_begin(&w, n, t->card, t->stride, 0);
  const mn_status status = mn_walk_add(ctx, &w, t->table + t->table_start[c], allowed);
  mn_scratch_release(ctx, mark);
  return status;
}

/* Each table: the sum of the factors of the clique. *constant: that of the factors without free variables. */
static mn_status fill_tables(mn_context *ctx, mn_junction_tree *t, double *constant)
{
  const mn_factor_graph *g = t->g;
  mn_walk w;
  memset(t->table, 0, t->table_start[t->cliques] * sizeof *t->table);
  for (size_t c = 0; c < t->cliques; c++) {
    for (size_t i = t->factor_start[c]; i < t->factor_start[c + 1]; i++) {
      const size_t f = t->factor[i];
      walk_scope(t, c, mn_scope_size(g, f), mn_scope(g, f), &w);
      MN_TRY(mn_walk_add(ctx, &w, t->table + t->table_start[c], g->table + g->table_start[f]));
    }
    MN_TRY(mn_poll(ctx));
  }
  for (size_t v = 0; v < g->variables; v++)
    if (t->home[v] != SIZE_MAX && mn_is_observed(t->evidence, v)) MN_TRY(mask_states(ctx, t, t->home[v], v));
  *constant = 0;
  for (size_t i = t->factor_start[t->cliques]; i < t->factor_start[t->cliques + 1]; i++) {
    const size_t f = t->factor[i], *scope = mn_scope(g, f);
    size_t at = 0;
    for (size_t j = 0; j < mn_scope_size(g, f); j++) at = at * g->card[scope[j]] + (size_t)t->evidence[scope[j]];
    *constant += g->table[g->table_start[f] + at];
  }
  return MN_OK;
}

static mn_status impossible(mn_context *ctx, const mn_junction_tree *t)
{
  return mn_fail(ctx, MN_BAD_DATA, "%s: all states%s have probability 0", t->who,
                 t->evidence ? " that agree with the evidence" : "");
}

/* --- passes --- */

typedef void pass(size_t rows, size_t width, double *table, double *message);

static void max_pass(size_t rows, size_t width, double *table, double *message)
{
  mn_max_rows(rows, width, table, message);
}

/* In pieces, so that Ctrl-C is answered; a piece is small enough for the cache. */
static mn_status run_rows(mn_context *ctx, mn_junction_tree *t, size_t c, pass *run)
{
  const size_t rows = messages(t, c), width = row_width(t, c);
  const size_t piece = width >= 2048 ? 1 : 2048 / width;
  double *table = t->table + t->table_start[c], *message = t->message + t->message_start[c];
  for (size_t r = 0; r < rows; r += piece) {
    run(rows - r < piece ? rows - r : piece, width, table + r * width, message + r);
    if ((r / piece) % 64 == 63) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

static mn_status pass_up(mn_context *ctx, mn_junction_tree *t, const int32_t *evidence, pass *run, double *total)
{
  mn_walk w;
  MN_TRY(check_evidence(ctx, t, evidence));
  t->evidence = evidence;
  MN_TRY(allocate_tables(ctx, t));
  MN_TRY(fill_tables(ctx, t, total));
  for (size_t c = 0; c < t->cliques; c++) {
    const size_t up = t->parent[c];
    const double *message = t->message + t->message_start[c];
    MN_TRY(run_rows(ctx, t, c, run));
    if (up == SIZE_MAX) {
      *total += message[0];
      continue;
    }
    walk_scope(t, up, t->separators[c], t->scope + t->scope_start[c], &w);
    MN_TRY(mn_walk_add(ctx, &w, t->table + t->table_start[up], message));
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

mn_status mn_junction_tree_try_collect(mn_context *ctx, mn_junction_tree *t, const int32_t *evidence,
                                       double *log_partition)
{
  return pass_up(ctx, t, evidence, mn_condition_rows, log_partition);
}

mn_status mn_junction_tree_collect(mn_context *ctx, mn_junction_tree *t, const int32_t *evidence, double *log_partition)
{
  MN_TRY(mn_junction_tree_try_collect(ctx, t, evidence, log_partition));
  return mn_is_log_zero(*log_partition) ? impossible(ctx, t) : MN_OK;
}

mn_status mn_junction_tree_distribute(mn_context *ctx, mn_junction_tree *t)
{
  mn_walk w;
  for (size_t c = t->cliques; c-- > 0;) {
    const size_t up = t->parent[c], rows = messages(t, c), width = row_width(t, c);
    if (up == SIZE_MAX) continue;
    double *p = t->message + t->message_start[c], *table = t->table + t->table_start[c];
    memset(p, 0, rows * sizeof *p);
    walk_scope(t, up, t->separators[c], t->scope + t->scope_start[c], &w);
    MN_TRY(mn_walk_sum(ctx, &w, t->table + t->table_start[up], p));
    for (size_t r = 0; r < rows; r++)
      for (size_t k = 0; k < width; k++) table[r * width + k] *= p[r];
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* --- results --- */

mn_status mn_junction_tree_marginal(mn_context *ctx, mn_junction_tree *t, size_t variable, double *out)
{
  mn_walk w;
  memset(out, 0, t->g->card[variable] * sizeof *out);
  if (t->home[variable] == SIZE_MAX) {
    out[t->evidence[variable]] = 1;
    return MN_OK;
  }
  walk_scope(t, t->home[variable], 1, &variable, &w);
  return mn_walk_sum(ctx, &w, t->table + t->table_start[t->home[variable]], out);
}

mn_status mn_junction_tree_factor_marginal(mn_context *ctx, mn_junction_tree *t, size_t factor, double *out)
{
  const mn_factor_graph *g = t->g;
  const size_t c = t->factor_home[factor], *scope = mn_scope(g, factor);
  mn_walk w;
  memset(out, 0, mn_factor_size(g, factor) * sizeof *out);
  if (c < t->cliques) {
    walk_scope(t, c, mn_scope_size(g, factor), scope, &w);
    return mn_walk_sum(ctx, &w, t->table + t->table_start[c], out);
  }
  size_t at = 0;
  for (size_t j = 0; j < mn_scope_size(g, factor); j++) at = at * g->card[scope[j]] + (size_t)t->evidence[scope[j]];
  out[at] = 1;
  return MN_OK;
}

/* The row of clique c for the states of its separator. */
static size_t row_of(const mn_junction_tree *t, size_t c, const int32_t *state)
{
  size_t row = 0;
  for (size_t i = t->scope_start[c]; i < t->scope_start[c] + t->separators[c]; i++)
    row = row * t->g->card[t->scope[i]] + (size_t)state[t->scope[i]];
  return row;
}

/* The states of the rest of clique c at this element of a row. */
static void set_rest(const mn_junction_tree *t, size_t c, size_t element, int32_t *state)
{
  for (size_t i = t->scope_start[c + 1]; i-- > t->scope_start[c] + t->separators[c];) {
    const size_t card = t->g->card[t->scope[i]];
    state[t->scope[i]] = (int32_t)(element % card);
    element /= card;
  }
}

static void set_removed(const mn_junction_tree *t, int32_t *state)
{
  for (size_t v = 0; v < t->g->variables; v++)
    if (t->home[v] == SIZE_MAX) state[v] = t->evidence[v];
}

void mn_junction_tree_sample(mn_junction_tree *t, mn_rng *rng, int32_t *state)
{
  set_removed(t, state);
  for (size_t c = t->cliques; c-- > 0;) {
    const size_t width = row_width(t, c);
    const double *row = t->table + t->table_start[c] + row_of(t, c, state) * width;
    set_rest(t, c, mn_random_weighted(rng, row, width), state);
  }
}

mn_status mn_junction_tree_map(mn_context *ctx, mn_junction_tree *t, const int32_t *evidence, int32_t *state,
                               double *score)
{
  MN_TRY(pass_up(ctx, t, evidence, max_pass, score));
  if (mn_is_log_zero(*score)) return impossible(ctx, t);
  set_removed(t, state);
  for (size_t c = t->cliques; c-- > 0;) {
    const size_t width = row_width(t, c);
    const double *row = t->table + t->table_start[c] + row_of(t, c, state) * width;
    size_t best = 0;
    for (size_t k = 1; k < width; k++)
      if (row[k] > row[best]) best = k;
    set_rest(t, c, best, state);
  }
  *score = mn_factor_graph_score(t->g, state);
  return MN_OK;
}
