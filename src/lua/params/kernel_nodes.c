#include "kernel_nodes.h"
#include "../../kernel/function.h"
#include "../../kernel/prior.h"
#include "../values/userdata.h"
#include "kernel_userdata.h"
#include "kernel_function.h"
#include <math.h>
#include <string.h>

/* --- nodes: a list of { part =, exponent =, values =, low =, high =, fixed =, columns =, priors =, func =, by_matrices
 * = }
 * ---; priors: by number of the hyperparameter { family, a, b }, or nil */

enum { LIST = 1, RESULT, NODE }; /* indices on the stack while nodes are read */
enum { VALUES, LOW, HIGH, FIXED, COLUMNS, LISTS };
static const char *const list_names[LISTS] = { "values", "low", "high", "fixed", "columns" };

static void push_field(lua_State *L, const char *name)
{
  lua_pushstring(L, name);
  lua_rawget(L, NODE);
}

/* Push the list `which` of the node; returns its length. */
static size_t push_list(lua_State *L, int which)
{
  push_field(L, list_names[which]);
  if (lua_type(L, -1) != LUA_TTABLE) luaL_error(L, "kernel: '%s' must be a list", list_names[which]);
  return lua_rawlen(L, -1);
}

static void push_node(lua_State *L, size_t i)
{
  lua_settop(L, RESULT);
  if (lua_rawgeti(L, LIST, (lua_Integer)i + 1) != LUA_TTABLE)
    luaL_error(L, "kernel: part %d must be a table", (int)i + 1);
}

/* Sizes of all nodes: hyperparameters, columns, bytes of names. */
static void measure(lua_State *L, size_t nodes, size_t *hypers, size_t *columns, size_t *names)
{
  *hypers = *columns = *names = 0;
  for (size_t i = 0; i < nodes; i++) {
    push_node(L, i);
    *hypers += push_list(L, VALUES);
    const size_t n = push_list(L, COLUMNS);
    *columns += n;
    for (size_t j = 0; j < n; j++, lua_pop(L, 1))
      if (lua_rawgeti(L, -1, (lua_Integer)j + 1) == LUA_TSTRING) *names += lua_rawlen(L, -1) + 1;
  }
  if (*hypers > INT32_MAX || *columns > INT32_MAX || *names > INT32_MAX) luaL_error(L, "kernel: too many values");
}

static mn_kernel_op read_op(lua_State *L, double *exponent)
{
  push_field(L, "exponent");
  *exponent = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : 0;
  push_field(L, "part");
  const char *part = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
  return mn_kernel_find_part(part, strlen(part), exponent);
}

/* Number j of a list of the node. */
static double list_number(lua_State *L, int which, size_t j)
{
  push_list(L, which);
  lua_rawgeti(L, -1, (lua_Integer)j + 1);
  const double value = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : (double)NAN;
  lua_pop(L, 2);
  return value;
}

static void read_hypers(lua_State *L, mn_kernel *k, const mn_kernel_node *node)
{
  for (size_t j = 0; j < node->count; j++) {
    mn_hyperparameter *h = &k->hyper[node->first + j];
    h->value = list_number(L, VALUES, j);
    h->low = list_number(L, LOW, j);
    h->high = list_number(L, HIGH, j);
    push_list(L, FIXED);
    lua_rawgeti(L, -1, (lua_Integer)j + 1);
    h->fixed = lua_toboolean(L, -1);
    lua_pop(L, 2);
  }
}

static double prior_number(lua_State *L, int i)
{
  lua_rawgeti(L, -1, i);
  const double value = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : 0;
  lua_pop(L, 1);
  return value;
}

static void read_priors(lua_State *L, mn_kernel *k, const mn_kernel_node *node)
{
  push_field(L, "priors");
  for (size_t j = 0; j < node->count && lua_istable(L, -1); j++) {
    mn_prior *prior = &k->hyper[node->first + j].prior;
    if (lua_rawgeti(L, -1, (lua_Integer)j + 1) == LUA_TTABLE) {
      lua_rawgeti(L, -1, 1);
      if (lua_type(L, -1) == LUA_TSTRING) prior->family = mn_prior_named(lua_tostring(L, -1));
      lua_pop(L, 1);
      prior->a = prior_number(L, 2);
      prior->b = prior_number(L, 3);
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

static void read_columns(lua_State *L, mn_kernel *k, const mn_kernel_node *node, size_t *names)
{
  push_list(L, COLUMNS);
  for (size_t j = 0; j < node->columns; j++, lua_pop(L, 1)) {
    int32_t *column = &k->column[node->first_column + j];
    const int type = lua_rawgeti(L, -1, (lua_Integer)j + 1);
    if (type == LUA_TSTRING) {
      size_t size;
      const char *name = lua_tolstring(L, -1, &size);
      if (size == 0 || strlen(name) != size || *names + size >= k->names_size)
        luaL_error(L, "kernel: the name of a column must not be empty or contain a zero byte");
      *column = -1 - (int32_t)*names;
      memcpy(k->names + *names, name, size + 1);
      *names += size + 1;
      continue;
    }
    const double value = type == LUA_TNUMBER ? lua_tonumber(L, -1) : 0;
    if (!(value >= 1 && value <= INT32_MAX && mn_lua_is_whole(value)))
      luaL_error(L, "kernel: columns must be given by number, from 1, or by name");
    *column = (int32_t)value - 1;
  }
}

static void read_function(lua_State *L, mn_kernel_node *node)
{
  push_field(L, "by_matrices");
  const bool by_matrices = lua_toboolean(L, -1);
  push_field(L, "func");
  if (lua_type(L, -1) != LUA_TFUNCTION) luaL_error(L, "kernel: func must be a function, got %s", luaL_typename(L, -1));
  node->function = mn_lua_new_kernel_function(L, -1, by_matrices);
  mn_kernel_function_retain(node->function);
}

static void read_nodes(lua_State *L, mn_kernel *k)
{
  size_t hypers = 0, columns = 0, names = 0;
  for (size_t i = 0; i < k->nodes; i++) {
    mn_kernel_node *node = &k->node[i];
    push_node(L, i);
    node->op = read_op(L, &node->exponent);
    node->first = hypers;
    node->count = push_list(L, VALUES);
    node->first_column = columns;
    node->columns = push_list(L, COLUMNS);
    hypers += node->count;
    columns += node->columns;
    if (hypers > k->hypers || columns > k->columns) luaL_error(L, "kernel: the table has changed while it was read");
    read_hypers(L, k, node);
    read_priors(L, k, node);
    read_columns(L, k, node, &names);
    if (node->op == MN_KERNEL_FUNCTION) read_function(L, node);
  }
}

int mn_lua_kernel_build(lua_State *L)
{
  size_t hypers, columns, names;
  luaL_checktype(L, LIST, LUA_TTABLE);
  lua_settop(L, RESULT);
  luaL_checkstack(L, 20, NULL);
  mn_context *ctx = mn_lua_begin(L);
  const size_t nodes = lua_rawlen(L, LIST);
  if (nodes < 1 || nodes > MN_KERNEL_MAX_NODES)
    return luaL_error(L, "kernel: from 1 to %d parts are allowed, got %d", MN_KERNEL_MAX_NODES, (int)nodes);
  measure(L, nodes, &hypers, &columns, &names);
  lua_settop(L, LIST);
  mn_kernel *k = mn_lua_push_kernel(L);
  if (mn_kernel_init(ctx, k, nodes, hypers, columns, names) != MN_OK) return mn_lua_raise(L, ctx);
  read_nodes(L, k);
  lua_settop(L, RESULT);
  if (mn_kernel_validate(ctx, "kernel", k) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

static void set_list(lua_State *L, const mn_kernel *k, const mn_kernel_node *node, int which)
{
  const size_t n = which == COLUMNS ? node->columns : node->count;
  lua_createtable(L, (int)n, 0);
  for (size_t j = 0; j < n; j++) {
    const mn_hyperparameter *h = &k->hyper[node->first + j];
    const int32_t column = which == COLUMNS ? k->column[node->first_column + j] : 0;
    if (which == FIXED)
      lua_pushboolean(L, h->fixed);
    else if (which != COLUMNS)
      lua_pushnumber(L, which == VALUES ? h->value : which == LOW ? h->low : h->high);
    else if (column < 0)
      lua_pushstring(L, k->names + (-1 - column));
    else
      lua_pushinteger(L, (lua_Integer)column + 1);
    lua_rawseti(L, -2, (lua_Integer)j + 1);
  }
  lua_setfield(L, -2, list_names[which]);
}

static void set_priors(lua_State *L, const mn_kernel *k, const mn_kernel_node *node)
{
  lua_newtable(L);
  for (size_t j = 0; j < node->count; j++) {
    const mn_prior *prior = &k->hyper[node->first + j].prior;
    if (prior->family == MN_PRIOR_NONE) continue;
    lua_createtable(L, 3, 0);
    lua_pushstring(L, mn_prior_types[prior->family].name);
    lua_rawseti(L, -2, 1);
    lua_pushnumber(L, prior->a);
    lua_rawseti(L, -2, 2);
    if (mn_prior_types[prior->family].second) {
      lua_pushnumber(L, prior->b);
      lua_rawseti(L, -2, 3);
    }
    lua_rawseti(L, -2, (lua_Integer)j + 1);
  }
  lua_setfield(L, -2, "priors");
}

int mn_lua_kernel_nodes(lua_State *L)
{
  const mn_kernel *k = mn_lua_check_kernel(L, 1);
  luaL_checkstack(L, 10, NULL);
  lua_createtable(L, (int)k->nodes, 0);
  for (size_t i = 0; i < k->nodes; i++) {
    const mn_kernel_node *node = &k->node[i];
    lua_newtable(L);
    lua_pushstring(L, mn_kernel_types[node->op].label);
    lua_setfield(L, -2, "part");
    lua_pushnumber(L, mn_kernel_part_exponent(node));
    lua_setfield(L, -2, "exponent");
    for (int which = 0; which < LISTS; which++) set_list(L, k, node, which);
    set_priors(L, k, node);
    if (node->function) {
      lua_pushboolean(L, mn_lua_push_kernel_function(L, node->function));
      lua_setfield(L, -3, "by_matrices");
      lua_setfield(L, -2, "func");
    }
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}
