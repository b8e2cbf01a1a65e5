#include "values.h"
#include "../../bayes_net/columns.h"
#include "../values/userdata.h"
#include <math.h>
#include <string.h>

/* Largest index of a double that is an array size. */
#define MAX_SIZE 1e9

static mn_vector vector_field(lua_State *L, mn_context *ctx, int arg, const char *name)
{
  lua_getfield(L, arg, name);
  if (lua_isnil(L, -1)) luaL_error(L, "BayesNet: the network has no field '%s'", name);
  return mn_lua_check_vector(L, ctx, lua_gettop(L));
}

static int bad_network(lua_State *L, const char *what)
{
  return luaL_error(L, "BayesNet: %s of the network is invalid", what);
}

static int32_t *copy_cards(lua_State *L, mn_vector v)
{
  int32_t *card = mn_lua_push_buffer(L, sizeof *card, v.size + 1);
  for (size_t i = 0; i < v.size; i++) {
    if (!(v.at[i] >= 0 && v.at[i] <= MN_MAX_VALUES)) bad_network(L, "card");
    card[i] = (int32_t)v.at[i];
  }
  return card;
}

const int32_t *mn_lua_check_cards(lua_State *L, mn_context *ctx, int arg, size_t *n)
{
  const mn_vector v = mn_lua_check_vector(L, ctx, arg);
  *n = v.size;
  luaL_checkstack(L, 8, NULL);
  return copy_cards(L, v);
}

static void read_parents(lua_State *L, mn_vector start, mn_vector parent, mn_network *net)
{
  size_t *at = mn_lua_push_buffer(L, sizeof *at, net->nodes + 1);
  int32_t *list = mn_lua_push_buffer(L, sizeof *list, parent.size + 1);
  if (start.size != net->nodes + 1 || !(start.at[0] >= 0 && start.at[0] < 1)) bad_network(L, "start");
  for (size_t v = 0; v <= net->nodes; v++) {
    if (!(start.at[v] >= 0 && start.at[v] <= (double)parent.size)) bad_network(L, "start");
    at[v] = (size_t)start.at[v];
    if (v > 0 && at[v] < at[v - 1]) bad_network(L, "start");
  }
  if (at[net->nodes] != parent.size) bad_network(L, "start");
  for (size_t v = 0; v < net->nodes; v++)
    for (size_t k = at[v]; k < at[v + 1]; k++) {
      if (!(parent.at[k] >= 1 && parent.at[k] <= (double)net->nodes)) bad_network(L, "parent");
      list[k] = (int32_t)parent.at[k] - 1;
      if ((size_t)list[k] == v || (net->card[v] > 0 && net->card[list[k]] == 0)) bad_network(L, "parent");
      for (size_t j = at[v]; j < k; j++)
        if (list[j] == list[k]) bad_network(L, "parent");
    }
  net->start = at;
  net->parent = list;
}

mn_network mn_lua_check_structure(lua_State *L, mn_context *ctx, int arg)
{
  luaL_checktype(L, arg, LUA_TTABLE);
  luaL_checkstack(L, 20, NULL);
  const mn_vector card = vector_field(L, ctx, arg, "card"), start = vector_field(L, ctx, arg, "start");
  const mn_vector parent = vector_field(L, ctx, arg, "parent");
  mn_network net = { .nodes = card.size };
  if (card.size > 100000) bad_network(L, "card");
  net.card = copy_cards(L, card);
  read_parents(L, start, parent, &net);
  net.order = mn_lua_push_buffer(L, sizeof(int32_t), net.nodes + 1);
  return net;
}

/* Sizes of the tables; raises if one is too large. */
static size_t *table_sizes(lua_State *L, const mn_network *net)
{
  size_t *at = mn_lua_push_buffer(L, sizeof *at, net->nodes + 1);
  double total = 0;
  for (size_t v = 0; v < net->nodes; v++) {
    double size = (double)mn_table_width(net, v);
    for (size_t k = net->start[v]; k < net->start[v + 1]; k++) size *= fmax(net->card[net->parent[k]], 1);
    at[v] = (size_t)total;
    total += size;
    if (!(total <= MN_MAX_TABLE))
      luaL_error(L, "BayesNet: the tables of the nodes have more than %d elements at node %d; use fewer parents",
                 (int)MN_MAX_TABLE, (int)v + 1);
  }
  at[net->nodes] = (size_t)total;
  return at;
}

static void check_table(lua_State *L, const mn_network *net, mn_vector table)
{
  if (table.size != net->at[net->nodes]) bad_network(L, "table");
  for (size_t v = 0; v < net->nodes; v++) {
    const size_t width = mn_table_width(net, v);
    for (size_t i = net->at[v]; i < net->at[v + 1]; i++) {
      const bool positive = net->card[v] > 0 || (i - net->at[v]) % width == width - 1;
      if (!isfinite(table.at[i]) || (positive && !(table.at[i] >= 0))) bad_network(L, "table");
    }
  }
}

mn_network mn_lua_check_network(lua_State *L, mn_context *ctx, int arg, bool with_tables)
{
  mn_network net = mn_lua_check_structure(L, ctx, arg);
  int32_t *count = mn_lua_push_buffer(L, sizeof *count, net.nodes + 1);
  int32_t *order = mn_lua_push_buffer(L, sizeof *order, net.nodes + 1);
  size_t cycle;
  if (!mn_topological_order(&net, count, order, &cycle)) luaL_error(L, "BayesNet: the network has a cycle");
  net.order = order;
  net.at = table_sizes(L, &net);
  if (!with_tables) return net;
  const mn_vector table = vector_field(L, ctx, arg, "table");
  check_table(L, &net, table);
  net.table = table.at;
  return net;
}

/* Whether x may stand for a node: missing, a code, a finite number. */
static bool is_value(int32_t card, double x)
{
  if (isnan(x)) return true;
  return card > 0 ? x >= 0 && x < card && x == floor(x) : isfinite(x);
}

mn_matrix mn_lua_check_node_rows(lua_State *L, mn_context *ctx, int arg, size_t n, const int32_t *card)
{
  const mn_matrix rows = mn_lua_check_matrix(L, ctx, arg);
  if (rows.cols != n || rows.rows >= UINT32_MAX / 2)
    luaL_error(L, "BayesNet: rows must have %d columns, one for each node, got %d x %d", (int)n, (int)rows.rows,
               (int)rows.cols);
  for (size_t i = 0; i < rows.rows; i++)
    for (size_t v = 0; v < n; v++)
      if (!is_value(card[v], mn_row(&rows, i)[v]))
        luaL_error(L, "BayesNet: row %d has an invalid value of node %d", (int)i + 1, (int)v + 1);
  return rows;
}

const double *mn_lua_check_node_values(lua_State *L, mn_context *ctx, int arg, const mn_network *net)
{
  const mn_vector v = mn_lua_check_vector(L, ctx, arg);
  luaL_argcheck(L, v.size == net->nodes, arg, "must have a value for each node");
  for (size_t i = 0; i < v.size; i++) luaL_argcheck(L, is_value(net->card[i], v.at[i]), arg, "has an invalid value");
  return v.at;
}

const double *mn_lua_opt_row_weights(lua_State *L, mn_context *ctx, int arg, size_t n)
{
  if (lua_isnoneornil(L, arg)) return NULL;
  const mn_vector w = mn_lua_check_vector(L, ctx, arg);
  double total = 0;
  luaL_argcheck(L, w.size == n, arg, "must have a weight for each row");
  for (size_t i = 0; i < n; i++) {
    luaL_argcheck(L, w.at[i] >= 0 && isfinite(w.at[i]), arg, "must be finite numbers >= 0");
    total += w.at[i];
  }
  luaL_argcheck(L, n == 0 || (total > 0 && isfinite(total)), arg, "must not all be 0");
  return w.at;
}

size_t mn_lua_check_node(lua_State *L, int arg, size_t n)
{
  return mn_lua_check_index(L, arg, n, "node");
}

size_t mn_lua_opt_node(lua_State *L, int arg, size_t n)
{
  return lua_isnoneornil(L, arg) ? SIZE_MAX : mn_lua_check_node(L, arg, n);
}

const int32_t *mn_lua_check_nodes(lua_State *L, mn_context *ctx, int arg, size_t n, size_t *count)
{
  const mn_vector v = mn_lua_check_vector(L, ctx, arg);
  luaL_checkstack(L, 4, NULL);
  int32_t *list = mn_lua_push_buffer(L, sizeof *list, v.size + 1);
  luaL_argcheck(L, v.size <= n, arg, "must be nodes, none of them twice");
  for (size_t i = 0; i < v.size; i++) {
    luaL_argcheck(L, v.at[i] >= 1 && v.at[i] <= (double)n, arg, "must be numbers of nodes");
    list[i] = (int32_t)v.at[i] - 1;
    for (size_t j = 0; j < i; j++) luaL_argcheck(L, list[j] != list[i], arg, "must be nodes, none of them twice");
  }
  *count = v.size;
  return list;
}

uint8_t *mn_lua_check_edges(lua_State *L, mn_context *ctx, int arg, size_t n)
{
  const mn_matrix m = mn_lua_check_matrix(L, ctx, arg);
  luaL_checkstack(L, 4, NULL);
  luaL_argcheck(L, m.rows == n && m.cols == n, arg, "must be a Matrix of nodes x nodes");
  uint8_t *edge = mn_lua_push_buffer(L, sizeof *edge, n * n + 1);
  for (size_t i = 0; i < n * n; i++) edge[i] = m.at[i] > 0;
  for (size_t v = 0; v < n; v++) edge[v * n + v] = 0;
  return edge;
}

void mn_lua_fill_edges(const uint8_t *edge, size_t n, double *out)
{
  for (size_t i = 0; i < n * n; i++) out[i] = edge[i];
}

double mn_lua_number_option(lua_State *L, int arg, const char *name, double initial, double low, double high)
{
  double value = initial;
  luaL_checktype(L, arg, LUA_TTABLE);
  lua_getfield(L, arg, name);
  if (!lua_isnil(L, -1)) {
    if (!lua_isnumber(L, -1)) luaL_error(L, "BayesNet: %s must be a number, got %s", name, luaL_typename(L, -1));
    value = lua_tonumber(L, -1);
  }
  lua_pop(L, 1);
  if (!(value >= low && value <= high)) luaL_error(L, "BayesNet: %s must be from %f to %f", name, low, high);
  return value;
}

size_t mn_lua_size_option(lua_State *L, int arg, const char *name, size_t initial)
{
  return (size_t)mn_lua_number_option(L, arg, name, (double)initial, 0, MAX_SIZE);
}

void mn_lua_progress_option(lua_State *L, mn_context *ctx, int arg)
{
  lua_getfield(L, arg, "on_iter");
  if (lua_isfunction(L, -1))
    mn_lua_set_progress_function(L, ctx, lua_gettop(L));
  else
    lua_pop(L, 1);
}

void mn_lua_set_number_field(lua_State *L, const char *name, double value)
{
  lua_pushnumber(L, value);
  lua_setfield(L, -2, name);
}
