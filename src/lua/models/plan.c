#include "plan.h"
#include "../../linalg/product.h"
#include "../../plan/plan_info.h"
#include "../../model/table.h"
#include "input.h"
#include "model_userdata.h"
#include "../values/userdata.h"
#include <string.h>

static int plan_gc(lua_State *L)
{
  mn_plan **plan = lua_touserdata(L, 1);
  mn_memory *memory = mn_lua_memory(L);
  if (memory) {
    mn_plan_free(memory, *plan);
    *plan = NULL;
  }
  return 0;
}

mn_plan **mn_lua_push_plan(lua_State *L)
{
  mn_plan **plan = lua_newuserdatauv(L, sizeof *plan, 0);
  *plan = NULL;
  luaL_setmetatable(L, MN_LUA_PLAN_METATABLE);
  return plan;
}

const mn_plan *mn_lua_check_plan(lua_State *L, int arg)
{
  return *(mn_plan **)luaL_checkudata(L, arg, MN_LUA_PLAN_METATABLE);
}

static void push_chain(lua_State *L, mn_plan *plan, int warnings)
{
  luaL_checkstack(L, 4, "nested too deeply");
  lua_createtable(L, (int)plan->parts, 0);
  for (size_t p = 0; p < plan->parts; p++) {
    mn_lua_push_fitted(L, plan->part[p].plan, warnings);
    lua_rawseti(L, -2, (lua_Integer)p + 1);
  }
}

void mn_lua_push_fitted(lua_State *L, mn_plan *plan, int warnings)
{
  if (plan->kind == MN_PLAN_MODEL) {
    mn_estimator **estimator = mn_lua_push_model(L);
    *estimator = plan->model;
    plan->model = NULL;
    if (warnings && mn_lua_push_convergence_warning(L, *estimator))
      lua_rawseti(L, warnings, (lua_Integer)lua_rawlen(L, warnings) + 1);
  } else if (plan->kind == MN_PLAN_CHAIN) {
    push_chain(L, plan, warnings);
  } else {
    lua_pushliteral(L, "passthrough");
  }
}

enum { MAX_DEPTH = 100 }; /* of plans in plans */

static void build_plan(lua_State *L, mn_context *ctx, int index, int depth, mn_plan **out);

/* Push the list `name` of the description at `index`. */
static void push_list(lua_State *L, int index, const char *name)
{
  if (lua_getfield(L, index, name) != LUA_TTABLE)
    luaL_error(L, "plan: %s must be a list, got %s", name, mn_lua_type_name(L, -1));
}

/* Raise the error of ctx for NULL. */
static void *check_pointer(lua_State *L, mn_context *ctx, void *pointer)
{
  if (!pointer) mn_lua_raise(L, ctx);
  return pointer;
}

static void check_status(lua_State *L, mn_context *ctx, mn_status status)
{
  if (status != MN_OK) mn_lua_raise(L, ctx);
}

static void set_indexes(lua_State *L, mn_context *ctx, int list, mn_plan_part *part)
{
  const size_t n = lua_rawlen(L, list);
  part->by = MN_COLUMNS_INDEX;
  check_status(L, ctx, mn_indexes_init(ctx, &part->index, n));
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(L, list, (lua_Integer)i + 1);
    part->index.at[i] = (int32_t)(luaL_checkinteger(L, -1) - 1);
    lua_pop(L, 1);
  }
}

static void set_names(lua_State *L, mn_context *ctx, int list, mn_plan_part *part)
{
  const size_t n = lua_rawlen(L, list);
  const char **names = lua_newuserdatauv(L, n * sizeof *names + 1, 0);
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(L, list, (lua_Integer)i + 1);
    luaL_checktype(L, -1, LUA_TSTRING); /* a number would be converted to a string that nothing keeps alive */
    names[i] = lua_tostring(L, -1);
    lua_pop(L, 1);
  }
  part->by = MN_COLUMNS_NAMES;
  check_status(L, ctx, mn_names_init(ctx, &part->names, names, n));
  lua_pop(L, 1);
}

/* The columns of a part, on top of the stack: "numeric", "factor", "rest", a list of positions or of names. */
static void set_columns(lua_State *L, mn_context *ctx, mn_plan_part *part)
{
  static const char *const words[] = { "numeric", "factor", "rest", NULL };
  static const mn_columns_by by[] = { MN_COLUMNS_NUMERIC, MN_COLUMNS_FACTOR, MN_COLUMNS_REST };
  const int top = lua_gettop(L);
  if (!lua_istable(L, top)) {
    part->by = by[luaL_checkoption(L, top, NULL, words)];
    return;
  }
  const bool names = lua_rawgeti(L, top, 1) == LUA_TSTRING;
  lua_pop(L, 1);
  if (names)
    set_names(L, ctx, top, part);
  else
    set_indexes(L, ctx, top, part);
}

static void build_part(lua_State *L, mn_context *ctx, int index, int depth, mn_plan *plan, size_t p)
{
  const lua_Integer i = (lua_Integer)p + 1;
  mn_plan_part *part = &plan->part[p];
  size_t size;
  push_list(L, index, "names");
  lua_rawgeti(L, -1, i);
  const char *name = luaL_checklstring(L, -1, &size);
  check_status(L, ctx, mn_text_init(ctx, &part->name, name, size));
  lua_pop(L, 2);
  if (plan->kind == MN_PLAN_COLUMNS) {
    push_list(L, index, "columns");
    lua_rawgeti(L, -1, i);
    set_columns(L, ctx, part);
    lua_pop(L, 2);
  }
  lua_rawgeti(L, index, i);
  if (lua_toboolean(L, -1)) build_plan(L, ctx, lua_gettop(L), depth + 1, &part->plan);
  if (!part->plan && plan->kind == MN_PLAN_CHAIN) luaL_error(L, "plan: a chain must not drop parts");
  lua_pop(L, 1);
}

/* Build the plan of the description at `index`: a model, "passthrough", or { kind =, names =, part, ... }, in which
 * false is a dropped part. New plans are attached to *out at once, so that an error frees them. */
static void build_plan(lua_State *L, mn_context *ctx, int index, int depth, mn_plan **out)
{
  static const char *const kinds[] = { "chain", "columns", "union", NULL };
  static const mn_plan_kind kind[] = { MN_PLAN_CHAIN, MN_PLAN_COLUMNS, MN_PLAN_UNION };
  if (depth > MAX_DEPTH) luaL_error(L, "plan: nested more than %d times", MAX_DEPTH);
  luaL_checkstack(L, 12, "nested too deeply");
  if (mn_lua_is_model(L, index)) {
    const mn_estimator *model = mn_lua_pin_model(L, index);
    *out = check_pointer(L, ctx, mn_plan_new(ctx, MN_PLAN_MODEL, 0));
    (*out)->model = check_pointer(L, ctx, mn_estimator_clone(ctx, model));
    lua_pop(L, 1);
  } else if (lua_type(L, index) == LUA_TSTRING) {
    *out = check_pointer(L, ctx, mn_plan_new(ctx, MN_PLAN_PASS, 0));
  } else {
    luaL_checktype(L, index, LUA_TTABLE);
    lua_getfield(L, index, "kind");
    const mn_plan_kind this = kind[luaL_checkoption(L, lua_gettop(L), NULL, kinds)];
    if (this == MN_PLAN_CHAIN && lua_rawlen(L, index) == 0) luaL_error(L, "plan: a chain must have parts");
    mn_plan *plan = *out = check_pointer(L, ctx, mn_plan_new(ctx, this, lua_rawlen(L, index)));
    lua_getfield(L, index, "prefix");
    lua_getfield(L, index, "sparse_threshold");
    plan->prefix = lua_toboolean(L, -2);
    plan->sparse_threshold = luaL_optnumber(L, -1, 0.3);
    lua_pop(L, 3);
    for (size_t p = 0; p < plan->parts; p++) build_part(L, ctx, index, depth, plan, p);
  }
}

/* plan(description) -> Plan */
static int plan_new(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  lua_settop(L, 1);
  mn_plan **plan = mn_lua_push_plan(L);
  build_plan(L, ctx, 1, 0, plan);
  mn_lua_end(L, ctx);
  return 1;
}

/* plan_of_archive(bytes) -> Plan, as a host without Lua loads it; for plan_apply */
static int plan_of_archive(lua_State *L)
{
  size_t size;
  const char *bytes = luaL_checklstring(L, 1, &size);
  mn_plan **plan = mn_lua_push_plan(L);
  mn_context *ctx = mn_lua_begin(L);
  mn_reader r;
  if (mn_read_begin(ctx, "archive", bytes, size, &r) != MN_OK) return mn_lua_raise(L, ctx);
  const mn_record *found = mn_find_record(&r, SIZE_MAX, "model");
  if (!found) return luaL_error(L, "archive: contains no model");
  *plan = check_pointer(L, ctx, mn_load_plan(&r, (size_t)(found - r.record)));
  mn_lua_end(L, ctx);
  return 1;
}

/* plan_apply(plan, X, action) -> Matrix rows x width; classes are 0-based codes */
static int plan_apply(lua_State *L)
{
  mn_plan **plan = luaL_checkudata(L, 1, MN_LUA_PLAN_METATABLE);
  const mn_estimator *final = mn_plan_final(*plan);
  const char *name = luaL_optstring(L, 3, "predict");
  mn_action action = MN_PREDICT;
  while (action < MN_ACTIONS && strcmp(mn_action_name(action), name) != 0) action++;
  if (!final || action == MN_ACTIONS) return luaL_error(L, "the plan does not support %s", name);
  mn_context *ctx = mn_lua_begin(L);
  mn_input input = { .x = mn_lua_check_x(L, ctx, 2, mn_plan_x_model(*plan), "X") };
  const size_t width = mn_plan_width(*plan, action, input.x.cols);
  mn_matrix out = { .at = mn_lua_push_matrix(L, input.x.rows, width)->at, .rows = input.x.rows, .cols = width };
  if (mn_plan_apply(ctx, *plan, action, &input, &out) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  return 1;
}

/* join_sparse(list of Matrix and Sparse with equal numbers of rows) -> Sparse: concatenated horizontally */
static int join_sparse(lua_State *L)
{
  lua_settop(L, 1);
  luaL_checktype(L, 1, LUA_TTABLE);
  mn_context *ctx = mn_lua_begin(L);
  const size_t n = lua_rawlen(L, 1);
  lua_newtable(L); /* anchors converted matrices */
  mn_table *part = mn_lua_push_zeroed_buffer(L, sizeof *part, n);
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(L, 1, (lua_Integer)i + 1);
    const mn_csr *s = mn_lua_test_sparse(L, -1);
    if (s) {
      part[i] = (mn_table){ .sparse = s, .rows = s->rows, .cols = s->cols };
    } else {
      const mn_matrix m = mn_lua_check_matrix(L, ctx, lua_gettop(L));
      part[i] = (mn_table){ .dense = m, .rows = m.rows, .cols = m.cols };
    }
    if (part[i].rows != part[0].rows)
      return luaL_error(L, "part %d has %d rows, the first has %d", (int)i + 1, (int)part[i].rows, (int)part[0].rows);
    lua_rawseti(L, 2, (lua_Integer)i + 1);
  }
  mn_csr *out = mn_lua_push_sparse(L);
  if (mn_table_join_sparse(ctx, part, n, n > 0 ? part[0].rows : 0, out) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_charge(L, out->start[out->rows] * (sizeof *out->at + sizeof *out->col));
  mn_lua_end(L, ctx);
  return 1;
}

/* seconds() -> time of a monotonic clock */
static int seconds(lua_State *L)
{
  lua_pushnumber(L, mn_seconds());
  return 1;
}

void mn_lua_open_plan(lua_State *L)
{
  static const luaL_Reg functions[] = { { "plan", plan_new },         { "plan_of_archive", plan_of_archive },
                                        { "plan_apply", plan_apply }, { "join_sparse", join_sparse },
                                        { "seconds", seconds },       { NULL, NULL } };
  mn_lua_new_gc_metatable(L, MN_LUA_PLAN_METATABLE, plan_gc);
  luaL_setfuncs(L, functions, 0);
}
