#include "bayes_net.h"
#include "values.h"
#include "../../bayes_net/chow_liu.h"
#include "../../bayes_net/complete.h"
#include "../../bayes_net/cpdag.h"
#include "../../bayes_net/fit.h"
#include "../../bayes_net/pc.h"
#include "../../bayes_net/search.h"
#include <math.h>
#include <string.h>

static const char who[] = "BayesNet";

/* What the functions below begin with: (card, rows, weights or nil, ...). */
struct sample {
  size_t n;
  const int32_t *card;
  mn_matrix rows;
  const double *weights;
};

static struct sample check_sample(lua_State *L, mn_context *ctx)
{
  struct sample s;
  s.card = mn_lua_check_cards(L, ctx, 1, &s.n);
  s.rows = mn_lua_check_node_rows(L, ctx, 2, s.n, s.card);
  s.weights = mn_lua_opt_row_weights(L, ctx, 3, s.rows.rows);
  luaL_argcheck(L, s.n <= 10000, 1, "must be at most 10000 nodes");
  return s;
}

static mn_status make_columns(mn_context *ctx, const struct sample *s, mn_net_columns *out)
{
  MN_TRY(mn_make_net_columns(ctx, &s->rows, s->card, s->weights, out));
  if (out->rows > 0) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA,
                 "BayesNet: all rows have missing values; structures are learned from "
                 "complete rows; use missing = \"em\" with hill_climbing or tabu, or impute them");
}

static const char *const criteria[] = { "loglik", "aic", "bic", "bdeu", "k2", "bge", NULL };
static const char *const tests[] = { "chi2", "g", "fisher_z", NULL };

/* The name `name` among the options. */
static int choice_option(lua_State *L, int arg, const char *name, const char *const *names)
{
  luaL_checktype(L, arg, LUA_TTABLE);
  lua_getfield(L, arg, name);
  const char *given = lua_tostring(L, -1);
  int found = 0;
  while (given && names[found] && strcmp(names[found], given) != 0) found++;
  if (!given || !names[found]) return luaL_error(L, "BayesNet: unknown %s", name);
  lua_pop(L, 1);
  return found;
}

/* Marginal likelihoods have priors of discrete nodes only, or of numbers only. */
static void check_criterion(lua_State *L, const struct sample *s, int criterion)
{
  const bool numbers = criterion == MN_NET_BGE;
  for (size_t v = 0; v < s->n && criterion >= MN_NET_BDEU; v++)
    if ((s->card[v] == 0) != numbers)
      luaL_error(L, "BayesNet: criterion %s is for %s, and node %d %s; use bic", criteria[criterion],
                 numbers ? "numbers" : "labels", (int)v + 1, numbers ? "has labels" : "is a number");
}

/* bayes_search(card, rows, weights, allowed, required, start, options) -> edges, score, table of n_iter, evaluations,
 * converged, incomplete */
static int bayes_search(lua_State *L)
{
  lua_settop(L, 7);
  mn_context *ctx = mn_lua_begin(L);
  const struct sample s = check_sample(L, ctx);
  mn_structure_search search = { .allowed = mn_lua_check_edges(L, ctx, 4, s.n),
                                 .required = mn_lua_check_edges(L, ctx, 5, s.n) };
  mn_structure best = { .edge = mn_lua_check_edges(L, ctx, 6, s.n) };
  const int criterion = choice_option(L, 7, "criterion", criteria);
  const double ess = mn_lua_number_option(L, 7, "ess", 1, 1e-6, 1e9);
  check_criterion(L, &s, criterion);
  search.max_parents = mn_lua_size_option(L, 7, "max_parents", s.n);
  search.max_iter = mn_lua_size_option(L, 7, "max_iter", 10000);
  search.tabu = mn_lua_size_option(L, 7, "tabu", 0);
  search.max_tabu = mn_lua_size_option(L, 7, "max_tabu", 10);
  search.restarts = mn_lua_size_option(L, 7, "restarts", 0);
  search.perturb = mn_lua_size_option(L, 7, "perturb", 1);
  search.seed = (int64_t)mn_lua_number_option(L, 7, "seed", 0, -9e15, 9e15);
  double *out = mn_lua_push_matrix(L, s.n, s.n)->at;
  const int result = lua_gettop(L);
  mn_lua_progress_option(L, ctx, 7);
  mn_lua_set_operation_name(L, ctx, who, "fit");
  mn_net_columns d;
  mn_scorer scorer;
  mn_status status = make_columns(ctx, &s, &d);
  if (status == MN_OK) status = mn_scorer_init(ctx, &d, (enum mn_net_criterion)criterion, ess, &scorer);
  search.scorer = &scorer;
  if (status == MN_OK) status = mn_search_structure(ctx, &search, &best);
  if (status != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_fill_edges(best.edge, s.n, out);
  const size_t incomplete = d.incomplete;
  mn_lua_end(L, ctx);
  lua_pushvalue(L, result);
  lua_pushnumber(L, best.score);
  lua_createtable(L, 0, 4);
  mn_lua_set_number_field(L, "n_iter", (double)best.n_iter);
  mn_lua_set_number_field(L, "evaluations", (double)best.evaluations);
  mn_lua_set_number_field(L, "incomplete", (double)incomplete);
  lua_pushboolean(L, best.converged);
  lua_setfield(L, -2, "converged");
  return 3;
}

/* bayes_scores(network, rows, weights, options) -> score of each node */
static int bayes_scores(lua_State *L)
{
  lua_settop(L, 4);
  mn_context *ctx = mn_lua_begin(L);
  const mn_network net = mn_lua_check_network(L, ctx, 1, false);
  struct sample s = { .n = net.nodes, .card = net.card };
  s.rows = mn_lua_check_node_rows(L, ctx, 2, s.n, s.card);
  s.weights = mn_lua_opt_row_weights(L, ctx, 3, s.rows.rows);
  const int criterion = choice_option(L, 4, "criterion", criteria);
  const double ess = mn_lua_number_option(L, 4, "ess", 1, 1e-6, 1e9);
  check_criterion(L, &s, criterion);
  double *out = mn_lua_push_vector(L, s.n)->at;
  mn_net_columns d;
  mn_scorer scorer;
  mn_score_space space;
  size_t cells = 1;
  mn_status status = make_columns(ctx, &s, &d);
  if (status == MN_OK) status = mn_scorer_init(ctx, &d, (enum mn_net_criterion)criterion, ess, &scorer);
  for (size_t v = 0; status == MN_OK && v < s.n; v++) {
    const size_t own = mn_score_cells(&scorer, v, mn_parent_count(&net, v), mn_parents(&net, v));
    if (own > cells) cells = own;
  }
  if (status == MN_OK) status = mn_score_space_new(ctx, &scorer, cells, &space);
  for (size_t v = 0; status == MN_OK && v < s.n; v++) {
    status = mn_poll(ctx);
    out[v] = mn_score_node(&scorer, &space, v, mn_parent_count(&net, v), mn_parents(&net, v));
  }
  return status == MN_OK ? mn_lua_finish(L, ctx, 1) : mn_lua_raise(L, ctx);
}

/* --- tests --- */

static enum mn_independence_test check_test(lua_State *L, const struct sample *s, int arg)
{
  const int test = choice_option(L, arg, "test", tests);
  for (size_t v = 0; v < s->n; v++)
    if ((s->card[v] == 0) != (test == MN_TEST_FISHER_Z))
      luaL_error(L, "BayesNet: test %s is for %s, but node %d %s", tests[test],
                 test == MN_TEST_FISHER_Z ? "numbers" : "labels", (int)v + 1,
                 s->card[v] == 0 ? "is a number" : "has labels");
  return (enum mn_independence_test)test;
}

/* bayes_pc(card, rows, weights, allowed, required, options) -> partially directed edges, number of tests, incomplete */
static int bayes_pc(lua_State *L)
{
  lua_settop(L, 6);
  mn_context *ctx = mn_lua_begin(L);
  const struct sample s = check_sample(L, ctx);
  mn_independence test;
  mn_pc pc = { .test = &test,
               .allowed = mn_lua_check_edges(L, ctx, 4, s.n),
               .required = mn_lua_check_edges(L, ctx, 5, s.n) };
  const enum mn_independence_test kind = check_test(L, &s, 6);
  pc.alpha = mn_lua_number_option(L, 6, "alpha", 0.05, 0, 1);
  pc.max_given = mn_lua_size_option(L, 6, "max_given", s.n);
  double *out = mn_lua_push_matrix(L, s.n, s.n)->at;
  const int at = lua_gettop(L);
  mn_pc_result result = { .edge = mn_lua_push_buffer(L, 1, s.n * s.n + 1) };
  mn_lua_progress_option(L, ctx, 6);
  mn_lua_set_operation_name(L, ctx, who, "fit");
  mn_net_columns d;
  mn_status status = make_columns(ctx, &s, &d);
  if (status == MN_OK) status = mn_independence_init(ctx, &d, kind, &test);
  if (status == MN_OK) status = mn_pc_search(ctx, &pc, &result);
  if (status != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_fill_edges(result.edge, s.n, out);
  lua_pushvalue(L, at);
  lua_pushinteger(L, (lua_Integer)result.tests);
  lua_pushinteger(L, (lua_Integer)d.incomplete);
  return mn_lua_finish(L, ctx, 3);
}

/* bayes_test(card, rows, weights, u, v, given, options) -> statistic, degrees of freedom, p */
static int bayes_test(lua_State *L)
{
  lua_settop(L, 7);
  mn_context *ctx = mn_lua_begin(L);
  const struct sample s = check_sample(L, ctx);
  const size_t u = mn_lua_check_node(L, 4, s.n), v = mn_lua_check_node(L, 5, s.n);
  size_t k;
  const int32_t *given = mn_lua_check_nodes(L, ctx, 6, s.n, &k);
  luaL_argcheck(L, u != v, 5, "must be another node");
  for (size_t i = 0; i < k; i++)
    luaL_argcheck(L, (size_t)given[i] != u && (size_t)given[i] != v, 6, "must be other nodes");
  const enum mn_independence_test kind = check_test(L, &s, 7);
  mn_net_columns d;
  mn_scorer scorer;
  mn_score_space space;
  mn_independence test;
  mn_test_result r = { 0 };
  mn_status status = make_columns(ctx, &s, &d);
  if (status == MN_OK) status = mn_independence_init(ctx, &d, kind, &test);
  if (status == MN_OK) status = mn_scorer_init(ctx, &d, MN_NET_LOGLIK, 1, &scorer);
  if (status == MN_OK) status = mn_score_space_new(ctx, &scorer, mn_test_cells(&d, u, v), &space);
  if (status == MN_OK) r = mn_test_independence(&test, &space, u, v, k, given);
  if (status != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  lua_pushnumber(L, r.statistic);
  lua_pushnumber(L, r.df);
  lua_pushnumber(L, r.p);
  return 3;
}

/* --- classes of structures, trees --- */

static size_t check_square(lua_State *L, mn_context *ctx, int arg)
{
  const mn_matrix m = mn_lua_check_matrix(L, ctx, arg);
  luaL_argcheck(L, m.rows == m.cols && m.rows <= 10000, arg, "must be a Matrix of nodes x nodes");
  return m.rows;
}

/* bayes_class(edges of a directed acyclic graph) -> the edges of its equivalence class */
static int bayes_class(lua_State *L)
{
  lua_settop(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  const size_t n = check_square(L, ctx, 1);
  const uint8_t *edge = mn_lua_check_edges(L, ctx, 1, n);
  double *out = mn_lua_push_matrix(L, n, n)->at;
  uint8_t *made = MN_RAW(ctx, uint8_t, n + 1, n);
  if (!made || mn_equivalence_class(ctx, n, edge, made) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_fill_edges(made, n, out);
  return mn_lua_finish(L, ctx, 1);
}

/* bayes_extend(partially directed edges) -> a directed acyclic graph, whether it has the same independences */
static int bayes_extend(lua_State *L)
{
  lua_settop(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  const size_t n = check_square(L, ctx, 1);
  uint8_t *edge = mn_lua_check_edges(L, ctx, 1, n);
  double *out = mn_lua_push_matrix(L, n, n)->at;
  uint8_t *removed = MN_RAW(ctx, uint8_t, n + 1, 1);
  if (!removed) return mn_lua_raise(L, ctx);
  const bool consistent = mn_extend_to_dag(n, edge, removed);
  mn_lua_fill_edges(edge, n, out);
  lua_pushboolean(L, consistent);
  return mn_lua_finish(L, ctx, 2);
}

/* bayes_tree(card, rows, weights, root, given or nil) -> parent of each node (0: none), mutual information */
static int bayes_tree(lua_State *L)
{
  lua_settop(L, 5);
  mn_context *ctx = mn_lua_begin(L);
  const struct sample s = check_sample(L, ctx);
  const size_t root = mn_lua_check_node(L, 4, s.n), given = mn_lua_opt_node(L, 5, s.n);
  luaL_argcheck(L, root != given, 5, "must be another node");
  if (given != SIZE_MAX)
    for (size_t v = 0; v < s.n; v++) luaL_argcheck(L, s.card[v] > 0, 1, "must be those of labels");
  double *parent = mn_lua_push_vector(L, s.n)->at, *weight = mn_lua_push_matrix(L, s.n, s.n)->at;
  mn_net_columns d;
  mn_status status = make_columns(ctx, &s, &d);
  int32_t *up = MN_RAW(ctx, int32_t, s.n + 1, 1);
  if (status == MN_OK && up) status = mn_chow_liu(ctx, &d, root, given, up, weight);
  if (status != MN_OK || !up) return mn_lua_raise(L, ctx);
  for (size_t v = 0; v < s.n; v++) parent[v] = up[v] + 1;
  for (size_t v = 0; v < s.n * s.n; v++) weight[v] = fmax(weight[v], 0);
  return mn_lua_finish(L, ctx, 2);
}

/* --- tables --- */

/* bayes_fit(network, rows, weights, options) -> table, trace of the objective, table of log_likelihood, n_iter,
 * converged. EM starts from the table of the network if option `start` is 1. */
static int bayes_fit(lua_State *L)
{
  lua_settop(L, 4);
  mn_context *ctx = mn_lua_begin(L);
  const bool from_table = mn_lua_number_option(L, 4, "start", 0, 0, 1) > 0;
  const mn_network net = mn_lua_check_network(L, ctx, 1, from_table);
  const mn_matrix rows = mn_lua_check_node_rows(L, ctx, 2, net.nodes, net.card);
  mn_net_fit fit = { .net = &net, .rows = &rows, .weights = mn_lua_opt_row_weights(L, ctx, 3, rows.rows) };
  fit.prior = (mn_table_prior){ .ess = mn_lua_number_option(L, 4, "ess", 0, 0, 1e9),
                                .pseudo = mn_lua_number_option(L, 4, "pseudo", 0, 0, 1e9) };
  fit.starts = mn_lua_size_option(L, 4, "starts", 1);
  fit.max_iter = mn_lua_size_option(L, 4, "max_iter", 200);
  fit.tol = mn_lua_number_option(L, 4, "tol", 1e-6, 0, INFINITY);
  fit.seed = (int64_t)mn_lua_number_option(L, 4, "seed", 0, -9e15, 9e15);
  fit.limit = mn_lua_number_option(L, 4, "limit", 1e9, 0, INFINITY);
  luaL_argcheck(L, fit.starts > 0 && fit.max_iter > 0 && rows.rows > 0, 4, "needs rows, starts and iterations");
  double *table = mn_lua_push_vector(L, net.at[net.nodes])->at;
  const int at = lua_gettop(L);
  mn_lua_vector *trace = mn_lua_push_empty_vector(L);
  mn_lua_progress_option(L, ctx, 4);
  mn_lua_set_operation_name(L, ctx, who, "fit");
  mn_report report = { 0 };
  double log_likelihood = 0;
  const mn_status status = mn_net_fit_tables(ctx, &fit, table, &log_likelihood, &report);
  trace->own = report.trace;
  if (status != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  mn_lua_commit_vector(L, trace);
  lua_pushvalue(L, at);
  lua_pushvalue(L, at + 1);
  lua_createtable(L, 0, 3);
  mn_lua_set_number_field(L, "log_likelihood", log_likelihood);
  mn_lua_set_number_field(L, "n_iter", (double)report.n_iter);
  lua_pushboolean(L, report.converged);
  lua_setfield(L, -2, "converged");
  return 3;
}

/* bayes_complete(network, rows, weights, limit) -> completed rows, their weights */
static int bayes_complete(lua_State *L)
{
  lua_settop(L, 4);
  mn_context *ctx = mn_lua_begin(L);
  const mn_network net = mn_lua_check_network(L, ctx, 1, true);
  const mn_matrix rows = mn_lua_check_node_rows(L, ctx, 2, net.nodes, net.card);
  const double *weights = mn_lua_opt_row_weights(L, ctx, 3, rows.rows);
  size_t count = 0;
  if (mn_count_completions(ctx, &net, &rows, luaL_checknumber(L, 4), &count) != MN_OK) return mn_lua_raise(L, ctx);
  mn_matrix out = { mn_lua_push_matrix(L, count, net.nodes)->at, count, net.nodes };
  double *p = mn_lua_push_vector(L, count)->at;
  mn_lua_set_operation_name(L, ctx, who, "fit");
  if (mn_complete_rows(ctx, &net, &rows, weights, &out, p) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 2);
}

void mn_lua_open_bayes_net_learn(lua_State *L)
{
  static const luaL_Reg functions[] = {
    { "bayes_search", bayes_search },
    { "bayes_scores", bayes_scores },
    { "bayes_pc", bayes_pc },
    { "bayes_test", bayes_test },
    { "bayes_class", bayes_class },
    { "bayes_extend", bayes_extend },
    { "bayes_tree", bayes_tree },
    { "bayes_fit", bayes_fit },
    { "bayes_complete", bayes_complete },
    { NULL, NULL },
  };
  luaL_setfuncs(L, functions, 0);
}
