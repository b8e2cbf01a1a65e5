#include "../values/userdata.h"
#include "operations.h"
#include "../../model/operation.h"
#include "input.h"
#include "model_userdata.h"
#include "../params/params.h"
#include <string.h>

#define RESULTS "manilius.Results"
#define OPTIONS "manilius.Options"
#define RESULTS_FUNCTION "manilius.ResultsFunction"

static int results_gc(lua_State *L)
{
  mn_results *results = lua_touserdata(L, 1);
  mn_memory *memory = mn_lua_memory(L);
  if (memory) mn_results_free(memory, results);
  return 0;
}

static mn_results *push_results(lua_State *L)
{
  mn_results *results = lua_newuserdatauv(L, sizeof *results, 0);
  results->size = 0;
  luaL_setmetatable(L, RESULTS);
  return results;
}

/* Matrices are moved, since copying a large one takes long. */
static void push_result(lua_State *L, mn_context *ctx, mn_result *r)
{
  if (r->kind != MN_KIND_MATRIX || r->as.matrix.rows * r->as.matrix.cols <= MN_INLINE_BYTES / sizeof(double)) {
    mn_lua_push_value(L, ctx, r->kind, &r->as);
    return;
  }
  mn_lua_matrix *m = mn_lua_push_empty_matrix(L);
  m->own = r->as.matrix;
  r->as.matrix = (mn_matrix){ 0 };
  mn_lua_commit_matrix(L, m);
}

static int push_all_results(lua_State *L, mn_context *ctx, mn_results *results)
{
  if (results->size == 1) {
    push_result(L, ctx, &results->at[0]);
    return 1;
  }
  lua_createtable(L, 0, (int)results->size);
  lua_createtable(L, (int)results->size, 0); /* the names in order, for printing */
  for (size_t i = 0; i < results->size; i++) {
    lua_pushstring(L, results->at[i].name);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
    push_result(L, ctx, &results->at[i]);
    lua_setfield(L, -3, results->at[i].name);
  }
  lua_setfield(L, -2, "_order");
  if (lua_getfield(L, LUA_REGISTRYINDEX, RESULTS_FUNCTION) == LUA_TNIL) {
    lua_pop(L, 1);
    return 1;
  }
  lua_insert(L, -2);
  lua_call(L, 1, 1);
  return 1;
}

/* set_results_function(f): f(named values) gives what the user gets from an operation with several results */
static int set_results_function(lua_State *L)
{
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  lua_setfield(L, LUA_REGISTRYINDEX, RESULTS_FUNCTION);
  return 0;
}

/* The struct of options. User value 1: the operation. */
static int options_gc(lua_State *L)
{
  void *options = lua_touserdata(L, 1);
  mn_memory *memory = mn_lua_memory(L);
  lua_getiuservalue(L, 1, 1);
  const mn_operation *o = lua_touserdata(L, -1);
  if (memory && o) mn_params_free(memory, o->options, options);
  lua_pushnil(L);
  lua_setiuservalue(L, 1, 1);
  return 0;
}

static void *push_options(lua_State *L, const mn_operation *o)
{
  const size_t size = o->options_size > 0 ? o->options_size : 1;
  void *options = lua_newuserdatauv(L, size, 1);
  memset(options, 0, size);
  mn_params_init(o->options, options);
  lua_pushlightuserdata(L, (void *)o);
  lua_setiuservalue(L, -2, 1);
  luaL_setmetatable(L, OPTIONS);
  return options;
}

/* Pin the model at 1, whose struct only the operations of its own class can read. */
static const mn_estimator *pin_receiver(lua_State *L, const mn_operation *o)
{
  const mn_class *class = lua_touserdata(L, lua_upvalueindex(2));
  mn_lua_check_receiver(L, o->name);
  const mn_estimator *model = mn_lua_pin_model(L, 1);
  if (mn_operation_named(model->class, o->name) != o)
    luaL_error(L, "%s: this is a method of %s, got %s; call it with a colon, as in model:%s()", o->name, class->name,
               model->class->name, o->name);
  return model;
}

/* Whether the value at the top of the stack is the list of numbers of the first option, as in { 1, 2 }. */
static bool is_list_of_first(lua_State *L, const mn_operation *o)
{
  return lua_istable(L, -1) && o->options && o->options[0].kind == MN_KIND_VECTOR && lua_rawlen(L, -1) > 0;
}

/* An option given without its name, at the top of the stack, becomes a table of options. */
static void name_first_option(lua_State *L, const mn_operation *o)
{
  if ((lua_istable(L, -1) && !is_list_of_first(L, o)) || lua_isnil(L, -1)) return;
  lua_createtable(L, 0, 1);
  lua_insert(L, -2);
  lua_setfield(L, -2, o->options[0].name);
}

static void read_options(lua_State *L, mn_context *ctx, const mn_class *class, const mn_operation *o, int index,
                         void *options)
{
  char who[96];
  lua_pushfstring(L, "%s:%s", class->name, o->name);
  strncpy(who, lua_tostring(L, -1), sizeof who - 1);
  who[sizeof who - 1] = '\0';
  if (lua_isnil(L, index)) return;
  if (lua_type(L, index) != LUA_TTABLE || mn_lua_is_frame(L, index))
    luaL_error(L, "%s: options must be a table, got %s", who,
               mn_lua_is_frame(L, index) ? "Frame" : mn_lua_type_name(L, index));
  if (mn_lua_set_params(L, ctx, index, who, o->options, options, NULL) != MN_OK) mn_lua_raise(L, ctx);
}

/* The option lengths of rows X, for classes that use it: moved from the table `options` to *input. Its values live on
 * the stack. */
static void take_lengths(lua_State *L, mn_context *ctx, const mn_estimator *model, int options, mn_input *input)
{
  static const char *const names[] = { "lengths", NULL };
  if (!(model->class->accepts & MN_LENGTHS) || lua_type(L, options) != LUA_TTABLE || mn_lua_is_frame(L, options))
    return;
  lua_createtable(L, 0, 1);
  lua_pushstring(L, names[0]);
  if (lua_rawget(L, options) == LUA_TNIL) return;
  lua_setfield(L, -2, names[0]);
  mn_lua_check_options(L, ctx, lua_gettop(L), model, names, input);
  lua_newtable(L);
  lua_pushnil(L);
  while (lua_next(L, options)) {
    const bool is_lengths = lua_type(L, -2) == LUA_TSTRING && strcmp(lua_tostring(L, -2), names[0]) == 0;
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    if (is_lengths)
      lua_pop(L, 2);
    else
      lua_rawset(L, -4);
  }
  lua_replace(L, options);
}

/* model:forget(3): the model with another estimator. */
static int modify(lua_State *L, const mn_operation *o)
{
  enum { SELF = 1, GIVEN, PINNED };
  lua_settop(L, GIVEN);
  mn_lua_check_receiver(L, o->name);
  mn_lua_check_idle_model(L, SELF, "changed");
  name_first_option(L, o);
  const mn_estimator *model = pin_receiver(L, o);
  mn_estimator **modified = mn_lua_push_estimator(L);
  mn_context *ctx = mn_lua_begin(L);
  void *options = push_options(L, o);
  read_options(L, ctx, model->class, o, GIVEN, options);
  if (mn_modify(ctx, model, o, options, modified) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  mn_lua_replace_estimator(L, SELF, PINNED, PINNED + 1);
  lua_settop(L, SELF);
  return 1;
}

int mn_lua_call_operation(lua_State *L)
{
  const mn_operation *o = lua_touserdata(L, lua_upvalueindex(1));
  const bool takes_rows = o->needs & MN_TAKES_ROWS && lua_gettop(L) >= 3; /* X, y [, options], not [options] */
  const bool needs_x = o->needs & MN_NEEDS_X || takes_rows, needs_y = o->needs & MN_NEEDS_Y || takes_rows;
  const bool without_x = o->needs & MN_X_OR_NIL && lua_isnoneornil(L, 2);
  const int options_arg = 2 + needs_x + needs_y;
  if (o->modify) return modify(L, o);
  lua_settop(L, options_arg);
  const mn_estimator *model = pin_receiver(L, o);
  mn_lua_warn_of_settings(L, 1, model);
  mn_context *ctx = mn_lua_begin(L);
  if (!(o->needs & MN_WORKS_UNFITTED) && mn_require_fitted(ctx, model, o->name) != MN_OK) return mn_lua_raise(L, ctx);
  mn_results *results = push_results(L);
  void *options = push_options(L, o);
  mn_input input = { 0 };
  if (needs_x && !without_x) input.x = mn_lua_check_x(L, ctx, 2, model, "X");
  if (needs_y) input.y = mn_lua_check_y(L, ctx, 3, model);
  if (needs_x && !without_x) take_lengths(L, ctx, model, options_arg, &input);
  read_options(L, ctx, model->class, o, options_arg, options);
  if (mn_run_operation(ctx, model, o, &input, options, results) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  return push_all_results(L, ctx, results);
}

void mn_lua_open_operations(lua_State *L)
{
  mn_lua_new_gc_metatable(L, RESULTS, results_gc);
  mn_lua_new_gc_metatable(L, OPTIONS, options_gc);
  lua_pushcfunction(L, set_results_function);
  lua_setfield(L, -2, "set_results_function");
}
