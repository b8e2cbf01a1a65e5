/* Limits of Markov chains: the stationary distribution, hitting times, absorption. A chain of higher order is one of
 * first order on its contexts. */
#include "../factorization/dense.h"
#include "markov_chain.h"
#include <string.h>

enum { MAX_CONTEXTS = 4000 };

struct graph {
  const mn_chain_view *v;
  size_t n;       /* contexts                                                       */
  double *p;      /* n x n                                                          */
  int32_t *class; /* n: communicating class, 0..                                    */
  bool *closed;   /* n: by class, whether no transition leaves it                   */
  size_t classes;
};

/* --- communicating classes --- */

/* The contexts that can be reached from `from`, or that can reach it. */
static void reach(const struct graph *g, size_t from, bool forward, int32_t *stack, bool *seen)
{
  size_t used = 0;
  memset(seen, 0, g->n * sizeof *seen);
  seen[from] = true;
  stack[used++] = (int32_t)from;
  while (used > 0) {
    const size_t i = (size_t)stack[--used];
    for (size_t j = 0; j < g->n; j++) {
      const double p = forward ? g->p[i * g->n + j] : g->p[j * g->n + i];
      if (!(p > 0) || seen[j]) continue;
      seen[j] = true;
      stack[used++] = (int32_t)j;
    }
  }
}

static mn_status find_classes(mn_context *ctx, struct graph *g)
{
  bool *ahead = MN_RAW(ctx, bool, g->n, 1), *behind = MN_RAW(ctx, bool, g->n, 1);
  int32_t *stack = MN_RAW(ctx, int32_t, g->n, 1);
  if (!ahead || !behind || !stack) return MN_NO_MEMORY;
  for (size_t i = 0; i < g->n; i++) g->class[i] = -1;
  for (size_t i = 0; i < g->n; i++) {
    if (g->class[i] >= 0) continue;
    reach(g, i, true, stack, ahead);
    reach(g, i, false, stack, behind);
    g->closed[g->classes] = true;
    for (size_t j = 0; j < g->n; j++) {
      if (ahead[j] && behind[j]) g->class[j] = (int32_t)g->classes;
      if (ahead[j] && !behind[j]) g->closed[g->classes] = false;
    }
    g->classes++;
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

static mn_status make_graph(mn_context *ctx, const mn_markov *m, mn_chain_view *view, struct graph *g)
{
  MN_TRY(mn_chain_view_make(ctx, m, view));
  const size_t n = view->contexts, k = view->states;
  if (n > MAX_CONTEXTS)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "MarkovChain: limits of the chain require at most %d contexts, got %zu; use a lower order",
                   (int)MAX_CONTEXTS, n);
  *g = (struct graph){ .v = view, .n = n };
  g->p = MN_NEW(ctx, double, n, n);
  g->class = MN_RAW(ctx, int32_t, n, 1);
  g->closed = MN_NEW(ctx, bool, n, 1);
  if (!g->p || !g->class || !g->closed) return MN_NO_MEMORY;
  for (size_t c = 0; c < n; c++)
    for (size_t s = 0; s < k; s++) g->p[c * n + (c * k + s) % n] += view->p[c * k + s];
  return find_classes(ctx, g);
}

/* --- stationary distribution --- */

/* State reduction without subtractions: x P = x for the irreducible P (n x n), which is overwritten. */
static mn_status reduce(mn_context *ctx, size_t n, double *p, double *x)
{
  double total = 0;
  for (size_t k = n; k-- > 1;) {
    double leave = 0;
    for (size_t j = 0; j < k; j++) leave += p[k * n + j];
    for (size_t i = 0; i < k; i++) p[i * n + k] /= leave;
    for (size_t i = 0; i < k; i++)
      for (size_t j = 0; p[i * n + k] > 0 && j < k; j++) p[i * n + j] += p[i * n + k] * p[k * n + j];
    MN_TRY(mn_poll(ctx));
  }
  x[0] = 1;
  for (size_t k = 1; k < n; k++) {
    x[k] = 0;
    for (size_t i = 0; i < k; i++) x[k] += x[i] * p[i * n + k];
  }
  for (size_t k = 0; k < n; k++) total += x[k];
  for (size_t k = 0; k < n; k++) x[k] /= total;
  return MN_OK;
}

static size_t first_in(const struct graph *g, size_t class)
{
  size_t i = 0;
  while ((size_t)g->class[i] != class) i++;
  return i;
}

/* The only closed class, from which the distribution does not depend on the start. */
static mn_status only_closed(mn_context *ctx, const struct graph *g, size_t *out)
{
  char one[96], other[96];
  size_t found = SIZE_MAX;
  for (size_t c = 0; c < g->classes; c++) {
    if (!g->closed[c]) continue;
    if (found != SIZE_MAX)
      return mn_fail(ctx, MN_BAD_ARGUMENT,
                     "MarkovChain: the chain has several stationary distributions, since states %s and %s cannot reach "
                     "each other; see absorption",
                     mn_chain_name(g->v, first_in(g, found), one, sizeof one),
                     mn_chain_name(g->v, first_in(g, c), other, sizeof other));
    found = c;
  }
  *out = found;
  return MN_OK;
}

mn_status mn_chain_stationary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                              mn_results *results)
{
  (void)data, (void)options;
  mn_chain_view view;
  struct graph g;
  size_t closed = 0, size = 0;
  mn_vector *out;
  MN_TRY(make_graph(ctx, self, &view, &g));
  MN_TRY(only_closed(ctx, &g, &closed));
  size_t *at = MN_RAW(ctx, size_t, g.n, 1);
  double *x = MN_RAW(ctx, double, g.n, 1);
  if (!at || !x) return MN_NO_MEMORY;
  for (size_t i = 0; i < g.n; i++)
    if ((size_t)g.class[i] == closed) at[size++] = i;
  double *p = MN_RAW(ctx, double, size, size);
  MN_CHECK_ALLOC(p);
  for (size_t i = 0; i < size; i++)
    for (size_t j = 0; j < size; j++) p[i * size + j] = g.p[at[i] * g.n + at[j]];
  MN_TRY(reduce(ctx, size, p, x));
  MN_TRY(mn_result_vector(ctx, results, "stationary", view.states, &out));
  for (size_t i = 0; i < size; i++) out->at[at[i] % view.states] += x[i];
  return MN_OK;
}

/* --- hitting --- */

const mn_param mn_chain_target_params[] = {
  { .name = "target",
    .kind = MN_KIND_COLUMNS,
    .offset = offsetof(mn_chain_target, target),
    .initial = (double)NAN,
    MN_NO_LIMITS(),
    .labels = true,
    .brief = "states to reach, { 'rain' }; without fit their numbers, from 1" },
  MN_END,
};

static mn_status find_state(mn_context *ctx, const mn_chain_view *v, mn_label label, bool *is_target)
{
  char text[64];
  const mn_levels *levels = v->m->base.classes;
  int64_t state = -1;
  if (levels)
    state = mn_levels_find(levels, label);
  else if (label.kind == MN_LABEL_INTEGER)
    state = label.as.integer - 1;
  if (!(state >= 0 && state < (int64_t)v->states))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "MarkovChain: target must be one of the %zu states, got %s", v->states,
                   mn_format_label(text, sizeof text, label));
  is_target[state] = true;
  return MN_OK;
}

static mn_status read_target(mn_context *ctx, const mn_chain_view *v, const mn_feature_list *list, bool *is_target)
{
  if (list->name.size + list->value.size == 0)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "MarkovChain: hitting_times requires target, such as { target = { 1 } }");
  for (size_t i = 0; i < list->name.size; i++)
    MN_TRY(find_state(
        ctx, v,
        (mn_label){ .kind = MN_LABEL_TEXT, .as.text = { .bytes = list->name.at[i], .size = strlen(list->name.at[i]) } },
        is_target));
  for (size_t i = 0; i < list->value.size; i++) {
    const double value = list->value.at[i];
    const bool whole = fabs(value) <= 0x1p53 && !(floor(value) < value);
    MN_TRY(find_state(ctx, v,
                      whole ? (mn_label){ .kind = MN_LABEL_INTEGER, .as.integer = (int64_t)value }
                            : (mn_label){ .kind = MN_LABEL_FLOAT, .as.number = value },
                      is_target));
  }
  return MN_OK;
}

/* x = right + P x on the contexts of `inside`, m columns of right and x; contexts outside have the x given. */
static mn_status solve_inside(mn_context *ctx, const struct graph *g, const bool *inside, size_t m, double *x)
{
  size_t *at = MN_RAW(ctx, size_t, g->n, 1), size = 0;
  MN_CHECK_ALLOC(at);
  for (size_t i = 0; i < g->n; i++)
    if (inside[i]) at[size++] = i;
  if (size == 0) return MN_OK;
  double *a = MN_RAW(ctx, double, size, size), *right = MN_RAW(ctx, double, size, m);
  double *solved = MN_RAW(ctx, double, size, m);
  if (!a || !right || !solved) return MN_NO_MEMORY;
  for (size_t i = 0; i < size; i++) {
    for (size_t j = 0; j < size; j++) a[i * size + j] = (i == j) - g->p[at[i] * g->n + at[j]];
    for (size_t c = 0; c < m; c++) {
      right[i * m + c] = x[at[i] * m + c];
      for (size_t j = 0; j < g->n; j++)
        if (!inside[j] && g->p[at[i] * g->n + j] > 0) right[i * m + c] += g->p[at[i] * g->n + j] * x[j * m + c];
    }
  }
  MN_TRY(mn_solve(ctx, size, m, a, right, solved));
  for (size_t i = 0; i < size; i++) memcpy(x + at[i] * m, solved + i * m, m * sizeof *x);
  return MN_OK;
}

/* can[i]: whether a context of `goal` can be reached from i, without passing through one of `wall`. */
static void can_reach(const struct graph *g, const bool *goal, const bool *wall, bool *can)
{
  memcpy(can, goal, g->n * sizeof *can);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < g->n; i++)
      for (size_t j = 0; !can[i] && !(wall && wall[i]) && j < g->n; j++)
        if (can[j] && g->p[i * g->n + j] > 0) changed = can[i] = true;
  }
}

/* Probabilities solve h = P h, expected times t = 1 + P t where h is 1. */
mn_status mn_chain_hitting_times(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                 mn_results *results)
{
  (void)data;
  mn_chain_view view;
  struct graph g;
  mn_vector *times, *probability;
  MN_TRY(make_graph(ctx, self, &view, &g));
  const size_t n = g.n;
  bool *state = MN_NEW(ctx, bool, view.states, 1), *goal = MN_NEW(ctx, bool, n, 1), *can = MN_NEW(ctx, bool, n, 1);
  bool *never = MN_NEW(ctx, bool, n, 1), *may_miss = MN_NEW(ctx, bool, n, 1), *inside = MN_NEW(ctx, bool, n, 1);
  if (!state || !goal || !can || !never || !may_miss || !inside) return MN_NO_MEMORY;
  MN_TRY(read_target(ctx, &view, &((const mn_chain_target *)options)->target, state));
  MN_TRY(mn_result_vector(ctx, results, "times", n, &times));
  MN_TRY(mn_result_vector(ctx, results, "probability", n, &probability));
  for (size_t i = 0; i < n; i++) goal[i] = state[i % view.states];
  can_reach(&g, goal, NULL, can);
  for (size_t i = 0; i < n; i++) never[i] = !can[i];
  can_reach(&g, never, goal, may_miss);
  for (size_t i = 0; i < n; i++) {
    inside[i] = can[i] && may_miss[i] && !goal[i];
    probability->at[i] = can[i] && !inside[i];
  }
  MN_TRY(solve_inside(ctx, &g, inside, 1, probability->at));
  for (size_t i = 0; i < n; i++) {
    inside[i] = can[i] && !may_miss[i] && !goal[i];
    times->at[i] = goal[i] ? 0 : inside[i] ? 1 : INFINITY;
    if (inside[i]) probability->at[i] = 1;
  }
  return solve_inside(ctx, &g, inside, 1, times->at);
}

mn_status mn_chain_absorption(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                              mn_results *results)
{
  (void)data, (void)options;
  mn_chain_view view;
  struct graph g;
  mn_matrix *probability;
  mn_vector *times, *class;
  size_t closed = 0;
  MN_TRY(make_graph(ctx, self, &view, &g));
  size_t *number = MN_NEW(ctx, size_t, g.classes, 1);
  bool *inside = MN_NEW(ctx, bool, g.n, 1);
  if (!number || !inside) return MN_NO_MEMORY;
  for (size_t c = 0; c < g.classes; c++) number[c] = g.closed[c] ? ++closed : 0;
  MN_TRY(mn_result_matrix(ctx, results, "probability", g.n, closed, &probability));
  MN_TRY(mn_result_vector(ctx, results, "times", g.n, &times));
  MN_TRY(mn_result_vector(ctx, results, "class", g.n, &class));
  for (size_t i = 0; i < g.n; i++) {
    const size_t to = number[g.class[i]];
    class->at[i] = (double)to;
    inside[i] = to == 0;
    times->at[i] = to == 0;
    if (to > 0) mn_row(probability, i)[to - 1] = 1;
  }
  MN_TRY(solve_inside(ctx, &g, inside, closed, probability->at));
  return solve_inside(ctx, &g, inside, 1, times->at);
}
