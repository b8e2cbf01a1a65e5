/* The userdata Vector: creation, views, and access to elements. */
#include "userdata.h"
#include <string.h>

/* --- creation --- */

static mn_lua_vector *push_userdata(lua_State *L, size_t payload, int user_values, bool owns)
{
  mn_lua_vector *v = lua_newuserdatauv(L, sizeof *v + payload, user_values);
  *v = (mn_lua_vector){ .at = (double *)(void *)(v + 1), .step = 1 };
  mn_lua_set_metatable(L, MN_LUA_VECTOR, owns);
  return v;
}

mn_lua_vector *mn_lua_push_raw_vector(lua_State *L, size_t size)
{
  const bool fits = size <= MN_INLINE_BYTES / sizeof(double);
  mn_lua_vector *v = push_userdata(L, fits ? size * sizeof *v->at : 0, 0, !fits);
  if (!fits) {
    v->own = (mn_vector){ .at = mn_lua_alloc(L, sizeof *v->at, size, 1), .size = size };
    v->at = v->own.at;
    mn_lua_charge(L, size * sizeof *v->at);
  }
  v->size = size;
  return v;
}

mn_lua_vector *mn_lua_push_vector(lua_State *L, size_t size)
{
  mn_lua_vector *v = mn_lua_push_raw_vector(L, size);
  mn_lua_zero(L, v->at, size * sizeof *v->at);
  return v;
}

mn_lua_vector *mn_lua_push_empty_vector(lua_State *L)
{
  return push_userdata(L, 0, 0, true);
}

void mn_lua_commit_vector(lua_State *L, mn_lua_vector *v)
{
  v->at = v->own.at;
  v->size = v->own.size;
  mn_lua_charge(L, v->size * sizeof *v->at);
}

mn_lua_vector *mn_lua_push_vector_view(lua_State *L, int owner, double *at, size_t size, size_t step)
{
  owner = lua_absindex(L, owner);
  mn_lua_vector *v = push_userdata(L, 0, 1, false);
  v->owner_released = mn_lua_anchor_owner(L, owner);
  v->at = at;
  v->size = size;
  v->step = step;
  return v;
}

mn_lua_vector *mn_lua_test_vector(lua_State *L, int arg)
{
  mn_lua_vector *v = mn_lua_userdata_kind(L, arg) == MN_LUA_VECTOR ? lua_touserdata(L, arg) : NULL;
  if (v && v->owner_released && *v->owner_released) v->size = 0;
  return v;
}

/* __close leaves a value that a running operation may be reading to the collector. */
static void release(lua_State *L, bool collected)
{
  mn_lua_vector *v = mn_lua_test_vector(L, 1);
  mn_memory *memory = mn_lua_memory(L);
  if (!v || !v->own.at || !memory || (!collected && mn_lua_operation_running(L))) return;
  mn_vector_free(memory, &v->own);
  v->size = 0;
  v->released = true;
}

static int vector_gc(lua_State *L)
{
  release(L, true);
  return 0;
}

static int vector_close(lua_State *L)
{
  release(L, false);
  return 0;
}

/* --- elements --- */

static void push_element(lua_State *L, const mn_lua_vector *v, size_t i)
{
  const double value = v->at[i * v->step];
  if (v->whole && mn_lua_is_whole(value))
    lua_pushinteger(L, (lua_Integer)value);
  else
    lua_pushnumber(L, value);
}

/* v[i]: element i, nil outside 1..#v; v.size; methods */
static int vector_index(lua_State *L)
{
  const mn_lua_vector *v = mn_lua_checkudata_vector(L, 1);
  int whole = 0;
  if (lua_type(L, 2) == LUA_TNUMBER) {
    const lua_Integer i = lua_tointegerx(L, 2, &whole);
    if (!whole) return luaL_error(L, "Vector: an index must be a whole number, got %f", lua_tonumber(L, 2));
    if (i < 1 || (size_t)i > v->size)
      lua_pushnil(L);
    else
      push_element(L, v, (size_t)i - 1);
    return 1;
  }
  const int property = mn_lua_push_member(L, MN_LUA_VECTOR);
  if (property == 0) lua_pushinteger(L, (lua_Integer)v->size);
  if (property == 1) lua_pushboolean(L, v->whole);
  return 1;
}

static void set_element(lua_State *L, mn_lua_vector *v, size_t i, int arg)
{
  luaL_checktype(L, arg, LUA_TNUMBER);
  const double value = lua_tonumber(L, arg);
  if (v->whole && !(lua_isinteger(L, arg) && mn_lua_is_whole(value))) v->whole = false;
  v->at[i * v->step] = value;
}

/* v[i] = number */
static int vector_newindex(lua_State *L)
{
  mn_lua_vector *v = mn_lua_checkudata_vector(L, 1);
  if (lua_type(L, 2) == LUA_TSTRING) return luaL_error(L, "Vector: '%s' cannot be set", lua_tostring(L, 2));
  set_element(L, v, mn_lua_check_index(L, 2, v->size, "index"), 3);
  return 0;
}

static int vector_len(lua_State *L)
{
  lua_pushinteger(L, (lua_Integer)mn_lua_checkudata_vector(L, 1)->size);
  return 1;
}

static int next_element(lua_State *L)
{
  const mn_lua_vector *v = mn_lua_checkudata_vector(L, 1);
  size_t i;
  if (!mn_lua_push_next(L, v->size, &i)) return 0;
  push_element(L, v, i);
  return 2;
}

static int vector_pairs(lua_State *L)
{
  mn_lua_checkudata_vector(L, 1);
  return mn_lua_push_pairs(L, next_element);
}

/* v:get(i) -> number */
static int vector_get(lua_State *L)
{
  const mn_lua_vector *v = mn_lua_checkudata_vector(L, 1);
  push_element(L, v, mn_lua_check_index(L, 2, v->size, "index"));
  return 1;
}

/* v:set(i, value) */
static int vector_set(lua_State *L)
{
  mn_lua_vector *v = mn_lua_checkudata_vector(L, 1);
  set_element(L, v, mn_lua_check_index(L, 2, v->size, "index"), 3);
  return 0;
}

/* v:fill(value) -> v */
static int vector_fill(lua_State *L)
{
  mn_lua_vector *v = mn_lua_checkudata_vector(L, 1);
  luaL_checktype(L, 2, LUA_TNUMBER);
  const double value = lua_tonumber(L, 2);
  if (v->whole && !(lua_isinteger(L, 2) && mn_lua_is_whole(value))) v->whole = false;
  for (size_t i = 0; i < v->size; i++) v->at[i * v->step] = value;
  lua_settop(L, 1);
  return 1;
}

/* --- views and copies --- */

/* v:slice(first, last) -> Vector, a view */
static int vector_slice(lua_State *L)
{
  const mn_lua_vector *v = mn_lua_checkudata_vector(L, 1);
  size_t first;
  lua_settop(L, 3);
  const size_t size = mn_lua_opt_range(L, 2, v->size, "index", &first);
  mn_lua_push_vector_view(L, 1, size > 0 ? v->at + first * v->step : v->at, size, v->step)->whole = v->whole;
  return 1;
}

/* v:as_column() -> Matrix n x 1, a view */
static int vector_as_column(lua_State *L)
{
  const mn_lua_vector *v = mn_lua_checkudata_vector(L, 1);
  mn_lua_push_matrix_view(L, 1, v->at, v->size, 1, v->step, 1);
  return 1;
}

/* v:as_row() -> Matrix 1 x n, a view */
static int vector_as_row(lua_State *L)
{
  const mn_lua_vector *v = mn_lua_checkudata_vector(L, 1);
  mn_lua_push_matrix_view(L, 1, v->at, 1, v->size, v->size, v->step);
  return 1;
}

/* v:copy() -> Vector */
static int vector_copy(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_lua_vector *v = mn_lua_checkudata_vector(L, 1);
  mn_lua_vector *out = mn_lua_push_raw_vector(L, v->size);
  mn_lua_copy_strided(v->at, v->step, out->at, 1, v->size);
  out->whole = v->whole;
  return mn_lua_finish(L, ctx, 1);
}

/* v:reshape(rows, cols) -> Matrix, a copy, filled row by row */
static int vector_reshape(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_lua_vector *v = mn_lua_checkudata_vector(L, 1);
  const size_t rows = mn_lua_check_size(L, 2), cols = mn_lua_check_size(L, 3);
  size_t count;
  if (!mn_checked_size(1, rows, cols, &count) || count != v->size)
    return luaL_error(L, "Vector: %I values do not fit a shape of %I x %I", (lua_Integer)v->size, (lua_Integer)rows,
                      (lua_Integer)cols);
  const mn_lua_matrix *out = mn_lua_push_raw_matrix(L, rows, cols);
  mn_lua_copy_strided(v->at, v->step, out->at, 1, v->size);
  return mn_lua_finish(L, ctx, 1);
}

/* v:take(indices) -> Vector, a copy of these elements, in this order */
static int vector_take(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_lua_vector *v = mn_lua_checkudata_vector(L, 1);
  const size_t n = mn_lua_count_indices(L, 2);
  const mn_lua_vector *at = mn_lua_test_vector(L, 2);
  mn_lua_vector *out = mn_lua_push_vector(L, n);
  const double *valid = mn_lua_valid_indices(L, 2, v->size); /* after the push, whose finalizers may change them */
  for (size_t i = 0; valid && i < n; i++) out->at[i] = v->at[((size_t)valid[i] - 1) * v->step];
  for (size_t i = 0; !valid && i < n; i++)
    out->at[i] = v->at[mn_lua_check_index_at(L, 2, at, i, v->size, "index") * v->step];
  out->whole = v->whole;
  return mn_lua_finish(L, ctx, 1);
}

/* v:totable() -> table of numbers */
static int vector_totable(lua_State *L)
{
  const mn_lua_vector *v = mn_lua_checkudata_vector(L, 1);
  lua_createtable(L, mn_lua_table_size(v->size), 0);
  for (size_t i = 0; i < v->size; i++) {
    if (i % MN_LUA_POLL_EVERY == 0) mn_lua_check_interrupt(L);
    push_element(L, v, i);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

/* Equal sizes and values; NaN is not equal to itself */
static int vector_eq(lua_State *L)
{
  const mn_lua_vector *a = mn_lua_test_vector(L, 1), *b = mn_lua_test_vector(L, 2);
  bool equal = a && b && a->size == b->size;
  for (size_t i = 0; equal && i < a->size; i++) equal = a->at[i * a->step] == b->at[i * b->step];
  lua_pushboolean(L, equal);
  return 1;
}

/* Lua turns the result of a comparison into one boolean, so < cannot compare element by element. */
static int vector_order_error(lua_State *L)
{
  return luaL_error(L, "Vector cannot be compared with <, <=, > or >=; v:lt(x), v:le(x), v:gt(x) and v:ge(x) "
                       "compare each element");
}

void mn_lua_define_vector(lua_State *L)
{
  static const luaL_Reg metamethods[] = {
    { "__index", vector_index },
    { "__newindex", vector_newindex },
    { "__len", vector_len },
    { "__pairs", vector_pairs },
    { "__eq", vector_eq },
    { "__lt", vector_order_error },
    { "__le", vector_order_error },
    { "__tostring", mn_lua_vector_tostring },
    { "__add", mn_lua_add },
    { "__sub", mn_lua_sub },
    { "__mul", mn_lua_mul },
    { "__div", mn_lua_div },
    { "__pow", mn_lua_pow },
    { "__unm", mn_lua_unm },
    { "__concat", mn_lua_concat_error },
    { "__close", vector_close },
    { NULL, NULL },
  };
  static const luaL_Reg access[] = {
    { "get", vector_get },
    { "set", vector_set },
    { "fill", vector_fill },
    { "slice", vector_slice },
    { "as_column", vector_as_column },
    { "as_row", vector_as_row },
    { "copy", vector_copy },
    { "reshape", vector_reshape },
    { "take", vector_take },
    { "totable", vector_totable },
    { NULL, NULL },
  };
  static const char *const properties[] = { "size", "whole", NULL };
  const luaL_Reg *const methods[] = { access, mn_lua_elementwise, mn_lua_statistics, mn_lua_vector_statistics, NULL };
  mn_lua_define_metatables(L, MN_LUA_VECTOR, metamethods, methods, properties, vector_gc);
}
