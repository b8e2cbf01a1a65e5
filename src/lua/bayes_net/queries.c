#include "bayes_net.h"
#include "values.h"
#include "../../bayes_net/fit.h"
#include "../../bayes_net/inference.h"
#include "../../bayes_net/prediction.h"
#include "../../bayes_net/sample.h"
#include "../../bayes_net/sensitivity.h"
#include "../values/userdata.h"
#include <math.h>
#include <string.h>

static const char who[] = "BayesNet";

/* --- structure --- */

static void push_nodes(lua_State *L, const int32_t *node, size_t n)
{
  mn_lua_vector *out = mn_lua_push_vector(L, n);
  out->whole = true;
  for (size_t i = 0; i < n; i++) out->at[i] = node[i] + 1;
}

/* bayes_order(structure) -> nodes with parents first, true; or a cycle, false */
static int bayes_order(lua_State *L)
{
  lua_settop(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  const mn_network net = mn_lua_check_structure(L, ctx, 1);
  int32_t *count = mn_lua_push_buffer(L, sizeof *count, net.nodes + 1);
  int32_t *order = mn_lua_push_buffer(L, sizeof *order, net.nodes + 1);
  size_t size = net.nodes;
  const bool ok = mn_topological_order(&net, count, order, &size);
  mn_lua_end(L, ctx);
  push_nodes(L, order, size);
  lua_pushboolean(L, ok);
  return 2;
}

/* A flag for each node from a list of nodes; a buffer. */
static bool *check_marks(lua_State *L, mn_context *ctx, int arg, size_t n)
{
  size_t count;
  const int32_t *list = mn_lua_check_nodes(L, ctx, arg, n, &count);
  bool *mark = mn_lua_push_zeroed_buffer(L, sizeof *mark, n + 1);
  for (size_t i = 0; i < count; i++) mark[list[i]] = true;
  return mark;
}

/* bayes_connected(structure, nodes, observed nodes) -> Vector of 1 for the nodes that are not d-separated from them */
static int bayes_connected(lua_State *L)
{
  lua_settop(L, 3);
  mn_context *ctx = mn_lua_begin(L);
  const mn_network net = mn_lua_check_network(L, ctx, 1, false);
  const bool *from = check_marks(L, ctx, 2, net.nodes), *observed = check_marks(L, ctx, 3, net.nodes);
  double *out = mn_lua_push_vector(L, net.nodes)->at;
  bool *reached = MN_RAW(ctx, bool, net.nodes + 1, 1);
  if (!reached || mn_d_connected(ctx, &net, from, observed, reached) != MN_OK) return mn_lua_raise(L, ctx);
  for (size_t v = 0; v < net.nodes; v++) out[v] = reached[v];
  return mn_lua_finish(L, ctx, 1);
}

/* bayes_ancestors(structure, nodes) -> Vector of 1 for these and their ancestors */
static int bayes_ancestors(lua_State *L)
{
  lua_settop(L, 2);
  mn_context *ctx = mn_lua_begin(L);
  const mn_network net = mn_lua_check_network(L, ctx, 1, false);
  bool *mark = check_marks(L, ctx, 2, net.nodes);
  double *out = mn_lua_push_vector(L, net.nodes)->at;
  mn_mark_ancestors(&net, mark);
  for (size_t v = 0; v < net.nodes; v++) out[v] = mark[v];
  return mn_lua_finish(L, ctx, 1);
}

/* --- rows --- */

/* bayes_rows(n, columns, maps) -> Matrix: for each node a Factor with a Vector that maps its codes to values (0-based),
 * a Vector of numbers, or false for none. */
static int bayes_rows(lua_State *L)
{
  lua_settop(L, 3);
  mn_context *ctx = mn_lua_begin(L);
  const size_t n = mn_lua_check_size(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  luaL_checktype(L, 3, LUA_TTABLE);
  const size_t nodes = (size_t)lua_rawlen(L, 2);
  mn_lua_matrix *m = mn_lua_push_raw_matrix(L, n, nodes);
  for (size_t v = 0; v < nodes; v++) {
    lua_rawgeti(L, 2, (lua_Integer)v + 1);
    lua_rawgeti(L, 3, (lua_Integer)v + 1);
    const int at = lua_gettop(L) - 1;
    const mn_factor *f = mn_lua_test_factor(L, at);
    const bool none = lua_isboolean(L, at);
    mn_vector map = { 0 }, values = { 0 };
    if (f)
      map = mn_lua_check_vector(L, ctx, at + 1);
    else if (!none)
      values = mn_lua_check_vector(L, ctx, at);
    if (f && (f->size != n || map.size != (f->levels ? mn_levels_size(f->levels) : 0)))
      return luaL_error(L, "BayesNet: column %d has the wrong size", (int)v + 1);
    if (!f && !none && values.size != n) return luaL_error(L, "BayesNet: column %d has the wrong size", (int)v + 1);
    for (size_t i = 0; i < n; i++) {
      double x = (double)NAN;
      if (f && f->code[i] >= 0) x = map.at[f->code[i]];
      if (values.at) x = values.at[i];
      m->at[i * nodes + v] = x;
    }
    lua_pop(L, 2);
  }
  return mn_lua_finish(L, ctx, 1);
}

/* bayes_log_rows(network, rows, limit) -> log probability of each row, of what is known of it */
static int bayes_log_rows(lua_State *L)
{
  lua_settop(L, 3);
  mn_context *ctx = mn_lua_begin(L);
  const mn_network net = mn_lua_check_network(L, ctx, 1, true);
  const mn_matrix rows = mn_lua_check_node_rows(L, ctx, 2, net.nodes, net.card);
  const double limit = luaL_checknumber(L, 3);
  double *out = mn_lua_push_vector(L, rows.rows)->at;
  mn_lua_set_operation_name(L, ctx, who, "score_samples");
  if (mn_log_incomplete_rows(ctx, &net, &rows, limit, out) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

/* bayes_sample(network, n, seed) -> rows */
static int bayes_sample(lua_State *L)
{
  lua_settop(L, 3);
  mn_context *ctx = mn_lua_begin(L);
  const mn_network net = mn_lua_check_network(L, ctx, 1, true);
  const size_t n = mn_lua_check_size(L, 2);
  const lua_Integer seed = luaL_checkinteger(L, 3);
  const mn_lua_matrix *m = mn_lua_push_matrix(L, n, net.nodes);
  mn_matrix out = { m->at, n, net.nodes };
  mn_lua_set_operation_name(L, ctx, who, "sample");
  if (mn_sample_rows(ctx, &net, seed, &out) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

/* bayes_predict(network, rows, node, limit) -> probabilities of its values, or mean and standard deviation */
static int bayes_predict(lua_State *L)
{
  lua_settop(L, 4);
  mn_context *ctx = mn_lua_begin(L);
  const mn_network net = mn_lua_check_network(L, ctx, 1, true);
  const mn_matrix rows = mn_lua_check_node_rows(L, ctx, 2, net.nodes, net.card);
  const size_t v = mn_lua_check_node(L, 3, net.nodes), cols = net.card[v] > 0 ? (size_t)net.card[v] : 2;
  const double limit = luaL_checknumber(L, 4);
  const mn_lua_matrix *m = mn_lua_push_matrix(L, rows.rows, cols);
  mn_matrix out = { m->at, rows.rows, cols };
  mn_lua_set_operation_name(L, ctx, who, "predict");
  if (mn_predict_node(ctx, &net, &rows, v, limit, &out) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

/* --- queries --- */

/* What queries begin with: (network, evidence, likelihoods or nil, limit). Likelihoods are a value for each value of
 * each node, one after the other, NaN for nodes without. */
struct query {
  mn_network net;
  const double *evidence;
  mn_inference_options options;
};

static const double *const *check_likelihoods(lua_State *L, mn_context *ctx, int arg, const mn_network *net)
{
  if (lua_isnoneornil(L, arg)) return NULL;
  const mn_vector v = mn_lua_check_vector(L, ctx, arg);
  const double **out = mn_lua_push_zeroed_buffer(L, sizeof *out, net->nodes + 1);
  size_t at = 0;
  for (size_t u = 0; u < net->nodes; u++) {
    const size_t card = (size_t)net->card[u];
    double sum = 0;
    luaL_argcheck(L, at + card <= v.size, arg, "has the wrong size");
    if (card > 0 && !isnan(v.at[at])) {
      for (size_t y = 0; y < card; y++) {
        luaL_argcheck(L, v.at[at + y] >= 0 && isfinite(v.at[at + y]), arg, "must be finite numbers >= 0");
        sum += v.at[at + y];
      }
      luaL_argcheck(L, sum > 0, arg, "must not all be 0");
      out[u] = v.at + at;
    }
    at += card;
  }
  return out;
}

static struct query check_query(lua_State *L, mn_context *ctx)
{
  struct query q = { .net = mn_lua_check_network(L, ctx, 1, true) };
  q.evidence = mn_lua_check_node_values(L, ctx, 2, &q.net);
  q.options = (mn_inference_options){ .relaxed = SIZE_MAX, .fixed_evidence = true, .evidence = q.evidence };
  q.options.likelihood = check_likelihoods(L, ctx, 3, &q.net);
  q.options.limit = luaL_checknumber(L, 4);
  luaL_checkstack(L, 20, NULL);
  return q;
}

/* Marginals of discrete nodes, mean and standard deviation of numbers, one node after the other. */
static mn_status read_marginals(mn_context *ctx, mn_net_inference *inf, const bool *wanted, double *out)
{
  const mn_network *net = inf->net;
  double *mean = MN_RAW(ctx, double, net->nodes + 1, 1), *sd = MN_RAW(ctx, double, net->nodes + 1, 1);
  if (!mean || !sd) return MN_NO_MEMORY;
  MN_TRY(mn_inference_moments(ctx, inf, mean, sd));
  for (size_t v = 0; v < net->nodes; v++) {
    const size_t width = net->card[v] > 0 ? (size_t)net->card[v] : 2;
    if (wanted && !wanted[v])
      for (size_t y = 0; y < width; y++) out[y] = (double)NAN;
    else if (net->card[v] > 0)
      MN_TRY(mn_inference_marginal(ctx, inf, v, out));
    else {
      out[0] = mean[v];
      out[1] = sd[v];
    }
    out += width;
  }
  return MN_OK;
}

static size_t values_of(const mn_network *net)
{
  size_t size = 0;
  for (size_t v = 0; v < net->nodes; v++) size += net->card[v] > 0 ? (size_t)net->card[v] : 2;
  return size;
}

static void push_cost(lua_State *L, const mn_net_inference *inf)
{
  lua_createtable(L, 0, 3);
  mn_lua_set_number_field(L, "width", (double)inf->tree.cost.width);
  mn_lua_set_number_field(L, "largest", inf->tree.cost.largest);
  mn_lua_set_number_field(L, "bytes", inf->tree.cost.bytes);
}

/* bayes_posterior(network, evidence, likelihoods, limit, relevant nodes or nil) -> values, log p(evidence), cost */
static int bayes_posterior(lua_State *L)
{
  lua_settop(L, 5);
  mn_context *ctx = mn_lua_begin(L);
  struct query q = check_query(L, ctx);
  if (!lua_isnil(L, 5)) q.options.relevant = check_marks(L, ctx, 5, q.net.nodes);
  double *out = mn_lua_push_vector(L, values_of(&q.net))->at, log_p;
  const int at = lua_gettop(L);
  mn_lua_set_operation_name(L, ctx, who, "posterior");
  mn_net_inference inf;
  mn_status status = mn_inference_init(ctx, &q.net, &q.options, &inf);
  if (status == MN_OK) status = mn_inference_run(ctx, &inf, q.evidence, &log_p);
  if (status == MN_OK) status = read_marginals(ctx, &inf, q.options.relevant, out);
  if (status != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  lua_pushvalue(L, at);
  lua_pushnumber(L, log_p);
  push_cost(L, &inf);
  return 3;
}

/* bayes_cost(network, evidence, likelihoods, limit) -> table of width, largest, bytes */
static int bayes_cost(lua_State *L)
{
  lua_settop(L, 4);
  mn_context *ctx = mn_lua_begin(L);
  const struct query q = check_query(L, ctx);
  mn_net_inference inf;
  if (mn_inference_init(ctx, &q.net, &q.options, &inf) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  push_cost(L, &inf);
  return 1;
}

/* bayes_joint(network, evidence, likelihoods, limit, nodes) -> probabilities, the last node fastest, log p(evidence) */
static int bayes_joint(lua_State *L)
{
  lua_settop(L, 5);
  mn_context *ctx = mn_lua_begin(L);
  struct query q = check_query(L, ctx);
  double size = 1, log_p;
  q.options.joint_nodes = mn_lua_check_nodes(L, ctx, 5, q.net.nodes, &q.options.joints);
  luaL_argcheck(L, q.options.joints > 0, 5, "must not be empty");
  for (size_t j = 0; j < q.options.joints; j++) {
    luaL_argcheck(L, q.net.card[q.options.joint_nodes[j]] > 0, 5, "must have labels");
    size *= q.net.card[q.options.joint_nodes[j]];
  }
  if (size > MN_MAX_TABLE)
    return luaL_error(L, "BayesNet: the joint distribution has %f values, at most %d are allowed", size,
                      (int)MN_MAX_TABLE);
  double *out = mn_lua_push_vector(L, (size_t)size)->at;
  mn_lua_set_operation_name(L, ctx, who, "joint");
  mn_net_inference inf;
  mn_status status = mn_inference_init(ctx, &q.net, &q.options, &inf);
  if (status == MN_OK) status = mn_inference_run(ctx, &inf, q.evidence, &log_p);
  if (status == MN_OK) status = mn_inference_joint(ctx, &inf, out);
  if (status != MN_OK) return mn_lua_raise(L, ctx);
  lua_pushnumber(L, log_p);
  return mn_lua_finish(L, ctx, 2);
}

/* Sums over the configurations of a group: p, p m_i, p (m_i m_j + cov_ij). */
struct joint_numbers {
  size_t n;
  const int32_t *node;
  const mn_normal *normal;
  double *mean, *square;
};

static mn_status add_numbers(mn_context *ctx, void *user, const mn_number_group *g, double p, const mn_normal *normal)
{
  struct joint_numbers *j = user;
  (void)ctx;
  for (size_t a = 0; a < j->n; a++) {
    const size_t x = (size_t)normal->position[j->node[a]];
    j->mean[a] += p * normal->mean[x];
    for (size_t b = 0; b < j->n; b++) {
      const size_t y = (size_t)normal->position[j->node[b]];
      j->square[a * j->n + b] += p * (normal->mean[x] * normal->mean[y] + normal->cov[x * g->size + y]);
    }
  }
  return MN_OK;
}

/* The group with all of these numbers; count if there is none. */
static size_t common_group(const mn_number_groups *groups, size_t n, const int32_t *node)
{
  for (size_t i = 0; i < groups->count; i++) {
    size_t found = 0;
    for (size_t j = 0; j < n; j++)
      for (size_t k = 0; k < groups->at[i].size; k++) found += groups->at[i].node[k] == node[j];
    if (found == n) return i;
  }
  return groups->count;
}

/* bayes_joint_numbers(network, evidence, likelihoods, limit, nodes) -> means, covariances, log p(evidence) */
static int bayes_joint_numbers(lua_State *L)
{
  lua_settop(L, 5);
  mn_context *ctx = mn_lua_begin(L);
  const struct query q = check_query(L, ctx);
  struct joint_numbers j = { 0 };
  double log_p;
  j.node = mn_lua_check_nodes(L, ctx, 5, q.net.nodes, &j.n);
  for (size_t i = 0; i < j.n; i++) luaL_argcheck(L, q.net.card[j.node[i]] == 0, 5, "must be numbers");
  j.mean = mn_lua_push_vector(L, j.n)->at;
  j.square = mn_lua_push_matrix(L, j.n, j.n)->at;
  mn_net_inference inf;
  mn_status status = mn_inference_init(ctx, &q.net, &q.options, &inf);
  if (status == MN_OK) status = mn_inference_run(ctx, &inf, q.evidence, &log_p);
  if (status != MN_OK) return mn_lua_raise(L, ctx);
  const size_t group = common_group(&inf.groups, j.n, j.node);
  if (group == inf.groups.count)
    mn_fail(ctx, MN_BAD_ARGUMENT,
            "BayesNet: the joint distribution of numbers needs edges between them; these have "
            "different discrete parents only: estimate it from sample(n)");
  else
    status = mn_inference_normals(ctx, &inf, group, add_numbers, &j);
  if (status != MN_OK || group == inf.groups.count) return mn_lua_raise(L, ctx);
  for (size_t a = 0; a < j.n; a++)
    for (size_t b = 0; b < j.n; b++) j.square[a * j.n + b] -= j.mean[a] * j.mean[b];
  lua_pushnumber(L, log_p);
  return mn_lua_finish(L, ctx, 3);
}

/* bayes_mpe(network, evidence, likelihoods, limit) -> value of each node, log density */
static int bayes_mpe(lua_State *L)
{
  lua_settop(L, 4);
  mn_context *ctx = mn_lua_begin(L);
  const struct query q = check_query(L, ctx);
  double *out = mn_lua_push_vector(L, q.net.nodes)->at, log_p;
  mn_lua_set_operation_name(L, ctx, who, "mpe");
  mn_net_inference inf;
  mn_status status = mn_inference_init(ctx, &q.net, &q.options, &inf);
  if (status == MN_OK) status = mn_inference_mpe(ctx, &inf, q.evidence, out, &log_p);
  if (status != MN_OK) return mn_lua_raise(L, ctx);
  lua_pushnumber(L, log_p);
  return mn_lua_finish(L, ctx, 2);
}

/* bayes_sensitivity(network, evidence, likelihoods, limit, query node, its value from 1, node) -> derivatives */
static int bayes_sensitivity(lua_State *L)
{
  lua_settop(L, 7);
  mn_context *ctx = mn_lua_begin(L);
  const struct query q = check_query(L, ctx);
  const size_t query = mn_lua_check_node(L, 5, q.net.nodes), v = mn_lua_check_node(L, 7, q.net.nodes);
  luaL_argcheck(L, q.net.card[query] > 0, 5, "must have labels");
  luaL_argcheck(L, q.net.card[v] > 0, 7, "must have labels");
  const size_t value = mn_lua_check_index(L, 6, (size_t)q.net.card[query], "value");
  double *out = mn_lua_push_vector(L, q.net.at[v + 1] - q.net.at[v])->at;
  mn_lua_set_operation_name(L, ctx, who, "sensitivity");
  if (mn_sensitivity(ctx, &q.net, &q.options, q.evidence, query, value, v, out) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

/* bayes_approximate(network, evidence, likelihoods, options) -> values, standard errors, effective number of samples,
 * log p(evidence). Options: samples, chains (0: likelihood weighting), burn_in, seed. */
static int bayes_approximate(lua_State *L)
{
  lua_settop(L, 4);
  mn_context *ctx = mn_lua_begin(L);
  const mn_network net = mn_lua_check_network(L, ctx, 1, true);
  mn_net_sampling s = { .net = &net, .evidence = mn_lua_check_node_values(L, ctx, 2, &net) };
  s.likelihood = check_likelihoods(L, ctx, 3, &net);
  s.samples = mn_lua_size_option(L, 4, "samples", 10000);
  s.chains = (size_t)mn_lua_number_option(L, 4, "chains", 0, 0, 1000);
  s.burn_in = mn_lua_size_option(L, 4, "burn_in", 1000);
  s.seed = (int64_t)mn_lua_number_option(L, 4, "seed", 0, -9e15, 9e15);
  luaL_argcheck(L, s.samples > 0, 4, "needs samples");
  const size_t size = values_of(&net);
  double *value = mn_lua_push_vector(L, size)->at, *error = mn_lua_push_vector(L, size)->at;
  mn_lua_set_operation_name(L, ctx, who, "posterior");
  mn_sampled out;
  mn_status status = mn_sampled_new(ctx, &net, &out);
  if (status == MN_OK)
    status = s.chains > 0 ? mn_gibbs_marginals(ctx, &s, &out) : mn_likelihood_weighting(ctx, &s, &out);
  if (status != MN_OK) return mn_lua_raise(L, ctx);
  memcpy(value, out.estimate, size * sizeof *value);
  memcpy(error, out.error, size * sizeof *error);
  lua_pushnumber(L, out.effective);
  lua_pushnumber(L, out.log_p);
  return mn_lua_finish(L, ctx, 4);
}

void mn_lua_open_bayes_net(lua_State *L)
{
  static const luaL_Reg functions[] = {
    { "bayes_order", bayes_order },
    { "bayes_connected", bayes_connected },
    { "bayes_ancestors", bayes_ancestors },
    { "bayes_rows", bayes_rows },
    { "bayes_log_rows", bayes_log_rows },
    { "bayes_sample", bayes_sample },
    { "bayes_predict", bayes_predict },
    { "bayes_posterior", bayes_posterior },
    { "bayes_cost", bayes_cost },
    { "bayes_joint", bayes_joint },
    { "bayes_joint_numbers", bayes_joint_numbers },
    { "bayes_mpe", bayes_mpe },
    { "bayes_sensitivity", bayes_sensitivity },
    { "bayes_approximate", bayes_approximate },
    { NULL, NULL },
  };
  luaL_setfuncs(L, functions, 0);
}
