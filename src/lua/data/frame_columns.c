#include "frame_columns.h"
#include "../values/userdata.h"
#include "../values/warnings.h"

#define COLUMNS "manilius.Columns"

mn_view mn_lua_check_column(lua_State *L, int index, size_t *size)
{
  const mn_lua_vector *v = mn_lua_test_vector(L, index);
  const mn_factor *f = v ? NULL : mn_lua_test_factor(L, index);
  if (!v && !f) luaL_error(L, "a column must be a Vector or a Factor, got %s", mn_lua_type_name(L, index));
  *size = v ? v->size : f->size;
  return v ? (mn_view){ .number = v->at, .step = v->step } : (mn_view){ .code = f->code, .levels = f->levels };
}

mn_view *mn_lua_check_columns(lua_State *L, int table, size_t *columns, size_t *rows)
{
  mn_lua_copy_list(L, table, "columns");
  *columns = lua_rawlen(L, table);
  mn_view *view = lua_newuserdatauv(L, *columns * sizeof *view + 1, 0);
  *rows = 0;
  for (size_t j = 0; j < *columns; j++) {
    size_t size;
    lua_rawgeti(L, table, (lua_Integer)j + 1);
    view[j] = mn_lua_check_column(L, -1, &size);
    lua_pop(L, 1);
    if (j > 0 && size != *rows)
      luaL_error(L, "columns must have the same length, column 1 has %I, column %I has %I", (lua_Integer)*rows,
                 (lua_Integer)j + 1, (lua_Integer)size);
    *rows = size;
  }
  if (*rows > INT32_MAX) luaL_error(L, "a Frame can have at most %d rows here, got %I", INT32_MAX, (lua_Integer)*rows);
  return view;
}

/* --- columns of C --- */

static int free_columns(lua_State *L)
{
  mn_columns *columns = lua_touserdata(L, 1);
  mn_memory *memory = mn_lua_memory(L);
  if (memory) mn_columns_free(memory, columns);
  return 0;
}

mn_columns *mn_lua_push_columns(lua_State *L)
{
  mn_columns *columns = lua_newuserdatauv(L, sizeof *columns, 0);
  *columns = (mn_columns){ 0 };
  luaL_setmetatable(L, COLUMNS);
  return columns;
}

static void push_column(lua_State *L, mn_column *column)
{
  if (column->kind == MN_COLUMN_NUMBER) {
    mn_lua_vector *v = mn_lua_push_empty_vector(L);
    v->own = column->number;
    column->number = (mn_vector){ 0 };
    mn_lua_commit_vector(L, v);
    v->whole = column->whole;
    return;
  }
  mn_factor *f = mn_lua_push_factor(L, 0, NULL);
  mn_memory *memory = mn_lua_memory(L);
  if (!memory) return;
  mn_factor_free(memory, f);
  *f = column->factor;
  column->factor = (mn_factor){ 0 };
  mn_lua_charge(L, f->size * sizeof *f->code);
}

static void warn_rounded(lua_State *L, const char *label, const char *name)
{
  lua_pushfstring(
      L, "%s: column '%s' has integers beyond 2^53, which were rounded; types = { [name] = 'factor' } keeps them",
      label, name);
  mn_lua_warn(L);
}

static void warn_overflowed(lua_State *L, const char *label, const char *name)
{
  lua_pushfstring(
      L,
      "%s: column '%s' has numbers beyond 1.8e308, the largest one, which were read as inf; types = { [name] = "
      "'factor' } keeps their text",
      label, name);
  mn_lua_warn(L);
}

static void warn_not_number(lua_State *L, const char *label, const mn_column *column)
{
  lua_pushfstring(
      L,
      "%s:%s is not a number, so column '%s' is read as labels; types = { [name] = 'factor' } confirms this, "
      "'number' makes it an error",
      label, column->not_number, column->name);
  mn_lua_warn(L);
}

void mn_lua_open_columns(lua_State *L)
{
  mn_lua_new_gc_metatable(L, COLUMNS, free_columns);
}

void mn_lua_set_frame_metatable(lua_State *L)
{
  lua_pushliteral(L, "names");
  if (lua_rawget(L, -2) == LUA_TTABLE) mn_lua_set_list_metatable(L);
  lua_pop(L, 1);
  luaL_newmetatable(L, MN_LUA_FRAME_METATABLE);
  lua_setmetatable(L, -2);
}

void mn_lua_push_frame(lua_State *L, const char *label, mn_columns *columns)
{
  luaL_checkstack(L, 8, label);
  lua_createtable(L, 0, 2);
  lua_createtable(L, mn_lua_table_size(columns->size), 0);
  lua_createtable(L, mn_lua_table_size(columns->size), 0);
  for (size_t j = 0; j < columns->size; j++) {
    lua_pushstring(L, columns->at[j].name);
    lua_rawseti(L, -3, (lua_Integer)j + 1);
    if (columns->at[j].rounded) warn_rounded(L, label, columns->at[j].name);
    if (columns->at[j].overflowed) warn_overflowed(L, label, columns->at[j].name);
    if (columns->at[j].not_number) warn_not_number(L, label, &columns->at[j]);
    push_column(L, &columns->at[j]);
    lua_rawseti(L, -2, (lua_Integer)j + 1);
  }
  lua_setfield(L, -3, "columns");
  lua_setfield(L, -2, "names");
  mn_lua_set_frame_metatable(L);
}

/* Let *column share the column of a Frame on top of the stack (or a copy), which is anchored and popped. */
static void borrow_column(lua_State *L, const mn_lua_call *call, mn_context *ctx, mn_column *column)
{
  const int top = lua_gettop(L);
  const mn_factor *f = mn_lua_test_factor(L, top);
  if (f) {
    column->kind = MN_COLUMN_FACTOR;
    column->factor = *f;
  } else {
    const mn_lua_vector *v = mn_lua_checkudata_vector(L, top);
    column->whole = v->whole;
    column->number = mn_lua_check_vector(L, ctx, top);
  }
  mn_lua_anchor_in_call(L, call);
}

mn_columns mn_lua_check_frame(lua_State *L, const mn_lua_call *call, int arg)
{
  if (!mn_lua_is_frame(L, arg)) luaL_error(L, "%s: Frame expected, got %s", call->who, mn_lua_type_name(L, arg));
  mn_context *ctx = mn_lua_begin(L);
  lua_getfield(L, arg, "names");
  lua_getfield(L, arg, "columns");
  if (!lua_istable(L, -1) || !lua_istable(L, -2)) luaL_error(L, "%s: a Frame must have names and columns", call->who);
  const int columns = lua_gettop(L), names = columns - 1;
  mn_columns all = { .size = lua_rawlen(L, columns) };
  all.at = mn_lua_call_buffer(L, call, sizeof *all.at, all.size);
  for (size_t j = 0; j < all.size; j++) {
    mn_column *column = &all.at[j];
    *column = (mn_column){ 0 };
    lua_rawgeti(L, names, (lua_Integer)j + 1);
    /* The Frame keeps the string alive; a number would be converted to a string that nothing keeps alive. */
    column->name = lua_type(L, -1) == LUA_TSTRING ? (char *)lua_tostring(L, -1) : NULL;
    if (!column->name) luaL_error(L, "%s: column %I has no name", call->who, (lua_Integer)j + 1);
    lua_pop(L, 1);
    lua_rawgeti(L, columns, (lua_Integer)j + 1);
    borrow_column(L, call, ctx, column);
    const size_t rows = column->kind == MN_COLUMN_NUMBER ? column->number.size : column->factor.size;
    if (j == 0) all.rows = rows;
    if (rows != all.rows) luaL_error(L, "%s: column '%s' differs in length from the first", call->who, column->name);
  }
  lua_pop(L, 2);
  return all;
}
