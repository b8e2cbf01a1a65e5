/* The C half of Frame. What Lua calls here are steps of its methods: they check what only they can see, and say it
 * without "bad argument", for the methods hand their text on. */
#include "frame.h"
#include "frame_parts.h"
#include "io.h"
#include "../../core/nearest_name.h"
#include <math.h>
#include <string.h>

/* --- values --- */

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

/* --- columns that C made --- */

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
  if (luaL_newmetatable(L, "manilius.compose.columns")) {
    lua_pushcfunction(L, free_columns);
    lua_setfield(L, -2, "__gc");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
  }
  lua_setmetatable(L, -2);
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

static void warn_of_rounding(lua_State *L, const char *label, const char *name)
{
  lua_warning(L, "manilius: ", 1);
  lua_warning(L, label, 1);
  lua_warning(L, ": column '", 1);
  lua_warning(L, name, 1);
  lua_warning(L, "' has whole numbers beyond 2^53, which were rounded; types = { [name] = 'factor' } keeps them", 0);
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
    if (columns->at[j].rounded) warn_of_rounding(L, label, columns->at[j].name);
    push_column(L, &columns->at[j]);
    lua_rawseti(L, -2, (lua_Integer)j + 1);
  }
  lua_setfield(L, -3, "columns");
  lua_setfield(L, -2, "names");
  mn_lua_set_frame_metatable(L);
}

/* One column of a Frame, on top of the stack, which is kept (or its copy) and taken off. */
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
  lua_rawseti(L, call->keep, (lua_Integer)lua_rawlen(L, call->keep) + 1);
}

mn_columns mn_lua_check_frame(lua_State *L, const mn_lua_call *call, int arg)
{
  if (lua_type(L, arg) != LUA_TTABLE || !lua_getmetatable(L, arg)) lua_pushnil(L);
  luaL_getmetatable(L, MN_LUA_FRAME_METATABLE);
  if (!lua_rawequal(L, -1, -2)) luaL_error(L, "%s: a Frame expected, got %s", call->who, mn_lua_type_name(L, arg));
  lua_pop(L, 2);
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
    /* Only read, and held by the Frame: of a number in its place Lua would make a string that nobody holds. */
    column->name = lua_type(L, -1) == LUA_TSTRING ? (char *)lua_tostring(L, -1) : NULL;
    if (!column->name) luaL_error(L, "%s: column %I has no name", call->who, (lua_Integer)j + 1);
    lua_pop(L, 1);
    lua_rawgeti(L, columns, (lua_Integer)j + 1);
    borrow_column(L, call, ctx, column);
    const size_t rows = column->kind == MN_COLUMN_NUMBER ? column->number.size : column->factor.size;
    if (j == 0) all.rows = rows;
    if (rows != all.rows) luaL_error(L, "%s: column '%s' has another length", call->who, column->name);
  }
  lua_pop(L, 2);
  return all;
}

/* --- steps --- */

static mn_status bad_row(mn_context *ctx, size_t i, size_t rows, double value)
{
  char text[MN_NUMBER_SIZE];
  return mn_fail(ctx, MN_BAD_ARGUMENT, "row at position %zu must be a whole number from 1 to %zu, got %s", i + 1, rows,
                 mn_format_number(text, value));
}

/* Row numbers from Lua, 1-based, where nan is none if that is allowed. */
static mn_status read_rows(mn_context *ctx, lua_State *L, int arg, size_t n, size_t rows, bool none, int32_t *row)
{
  const mn_lua_vector *v = mn_lua_test_vector(L, arg);
  for (size_t i = 0; i < n; i++) {
    double value = (double)NAN;
    if (v) {
      value = v->at[i * v->step];
    } else {
      if (lua_rawgeti(L, arg, (lua_Integer)i + 1) == LUA_TNUMBER) value = lua_tonumber(L, -1);
      lua_pop(L, 1);
    }
    const int32_t whole = value >= 1 && value <= (double)rows ? (int32_t)value : 0;
    row[i] = whole - 1; /* MN_NO_ROW for 0 */
    if (whole != value && !(none && isnan(value))) return bad_row(ctx, i, rows, value);
    if (whole == 0 && !none) return bad_row(ctx, i, rows, value);
  }
  return MN_OK;
}

/* A new column like the one at `index` with n rows, on top of the stack. */
static void push_like(lua_State *L, int index, size_t n, mn_taking *t)
{
  const mn_lua_vector *from = mn_lua_test_vector(L, index);
  if (from) {
    mn_lua_vector *v = mn_lua_push_raw_vector(L, n);
    v->whole = from->whole;
    t->number = v->at;
  } else {
    t->code = mn_lua_push_factor(L, n, t->from.levels)->code;
  }
}

/* take(columns, rows, allow_none) -> columns with these rows; rows is a Vector or list, where nan is none */
static int take(lua_State *L)
{
  size_t columns, rows;
  lua_settop(L, 3);
  const mn_view *view = mn_lua_check_columns(L, 1, &columns, &rows);
  if (!mn_lua_test_vector(L, 2) && lua_type(L, 2) != LUA_TTABLE)
    return luaL_error(L, "rows must be a Vector or a list, got %s", mn_lua_type_name(L, 2));
  const size_t n = columns > 0 ? mn_lua_count_indices(L, 2) : 0;
  mn_taking *taking = lua_newuserdatauv(L, columns * sizeof *taking + 1, 0);
  lua_createtable(L, mn_lua_table_size(columns), 0);
  for (size_t j = 0; j < columns; j++) {
    taking[j] = (mn_taking){ .from = view[j] };
    lua_rawgeti(L, 1, (lua_Integer)j + 1);
    push_like(L, lua_gettop(L), n, &taking[j]);
    lua_rawseti(L, -3, (lua_Integer)j + 1);
    lua_pop(L, 1);
  }
  mn_context *ctx = mn_lua_begin(L);
  int32_t *row = MN_RAW(ctx, int32_t, n, 1);
  const bool done = row && read_rows(ctx, L, 2, n, rows, lua_toboolean(L, 3), row) == MN_OK &&
                    mn_frame_take(ctx, columns, taking, row, n) == MN_OK;
  if (!done) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  return 1;
}

/* The truth at place i of a Factor, or else of the list at `arg`: 1 true, 0 false, -1 neither. */
static int truth(lua_State *L, int arg, const mn_factor *f, size_t i)
{
  if (f) {
    if (f->code[i] < 0) return 0;
    const mn_label label = mn_levels_at(f->levels, (size_t)f->code[i]);
    return label.kind == MN_LABEL_BOOLEAN ? label.as.boolean : -1;
  }
  const int type = lua_rawgeti(L, arg, (lua_Integer)i + 1);
  const bool yes = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return type == LUA_TBOOLEAN ? yes : -1;
}

/* Places where a Vector of 0 and 1 is 1: their number, and the first place that is neither (n: none). */
static size_t count_ones(const mn_lua_vector *v, size_t *bad)
{
  size_t count = 0, good = 0;
  for (size_t i = 0; i < v->size; i++) {
    const double value = v->at[i * v->step];
    count += value == 1;
    good += value == 1 || value == 0;
  }
  *bad = 0;
  if (good == v->size) *bad = v->size;
  while (*bad < v->size && (v->at[*bad * v->step] == 1 || v->at[*bad * v->step] == 0)) ++*bad;
  return count;
}

static size_t count_true(lua_State *L, const mn_factor *f, size_t n, size_t *bad)
{
  size_t count = 0;
  for (*bad = 0; *bad < n; ++*bad) {
    const int yes = truth(L, 1, f, *bad);
    if (yes < 0) break;
    count += (size_t)yes;
  }
  return count;
}

/* which(mask) -> Vector of the rows where the mask (Vector of 0 and 1, Factor or list of booleans) is true */
static int which(lua_State *L)
{
  const mn_lua_vector *v = mn_lua_test_vector(L, 1);
  const mn_factor *f = mn_lua_test_factor(L, 1);
  if (!v && !f && lua_type(L, 1) != LUA_TTABLE)
    return luaL_error(L, "a mask must be a Vector of 0 and 1, or a list of booleans, got %s", mn_lua_type_name(L, 1));
  const size_t n = v ? v->size : f ? f->size : lua_rawlen(L, 1);
  size_t bad, place = 0;
  const size_t count = v ? count_ones(v, &bad) : count_true(L, f, n, &bad);
  if (bad < n)
    return luaL_error(L, "a mask must be 0 or 1 (false or true) everywhere, it is not at row %I", (lua_Integer)bad + 1);
  mn_lua_vector *out = mn_lua_push_raw_vector(L, count);
  out->whole = true;
  for (size_t i = 0; i < n && place < count; i++) {
    out->at[place] = (double)(i + 1); /* overwritten unless it is true here */
    place += v ? v->at[i * v->step] == 1 : truth(L, 1, f, i) > 0;
  }
  return 1;
}

/* equal(a, b) -> whether the two columns have the same length and values */
static int equal(lua_State *L)
{
  size_t n, m;
  const mn_view a = mn_lua_check_column(L, 1, &n), b = mn_lua_check_column(L, 2, &m);
  lua_pushboolean(L, n == m && mn_frame_same(&a, &b, n));
  return 1;
}

static bool is_missing(const mn_view *view, size_t i)
{
  return view->number ? isnan(view->number[i * view->step]) : view->code[i] < 0;
}

/* count_missing(column) -> number of missing values */
static int count_missing(lua_State *L)
{
  size_t n, count = 0;
  const mn_view view = mn_lua_check_column(L, 1, &n);
  for (size_t i = 0; i < n; i++) count += is_missing(&view, i);
  lua_pushinteger(L, (lua_Integer)count);
  return 1;
}

/* complete_rows(columns) -> Vector of the rows without a missing value */
static int complete_rows(lua_State *L)
{
  size_t columns, rows, count = 0;
  lua_settop(L, 1);
  const mn_view *view = mn_lua_check_columns(L, 1, &columns, &rows);
  bool *kept = lua_newuserdatauv(L, rows + 1, 0);
  memset(kept, 1, rows);
  for (size_t j = 0; j < columns; j++)
    for (size_t i = 0; i < rows; i++)
      if (is_missing(&view[j], i)) kept[i] = false;
  for (size_t i = 0; i < rows; i++) count += kept[i];
  mn_lua_vector *out = mn_lua_push_raw_vector(L, count);
  out->whole = true;
  for (size_t i = 0, place = 0; i < rows; i++)
    if (kept[i]) out->at[place++] = (double)(i + 1);
  return 1;
}

/* matrix(columns, rows) -> Matrix rows x columns of Vectors */
static int matrix(lua_State *L)
{
  size_t columns, rows;
  lua_settop(L, 2);
  const mn_view *view = mn_lua_check_columns(L, 1, &columns, &rows);
  if (columns == 0) rows = mn_lua_check_size(L, 2);
  const mn_lua_matrix *m = mn_lua_push_raw_matrix(L, rows, columns);
  enum { TILE = 64 };
  for (size_t begin = 0; begin < rows; begin += TILE)
    for (size_t j = 0; j < columns; j++) {
      if (!view[j].number) return luaL_error(L, "column %I is a Factor", (lua_Integer)j + 1);
      for (size_t i = begin; i < rows && i < begin + TILE; i++)
        m->at[i * columns + j] = view[j].number[i * view[j].step];
    }
  return 1;
}

/* The value at the top of the stack as an element of a column: is there one, and is it a number? */
static bool classify(lua_State *L, size_t i, bool *number, bool *whole)
{
  mn_label label;
  switch (lua_type(L, -1)) {
  case LUA_TNIL: return false;
  case LUA_TNUMBER:
    *whole = *whole && lua_isinteger(L, -1) && mn_lua_is_whole(lua_tonumber(L, -1));
    return lua_tonumber(L, -1) == lua_tonumber(L, -1);
  default: break;
  }
  if (!mn_lua_to_label(L, -1, &label))
    luaL_error(L, "element %I is a %s, not a number, text or boolean", (lua_Integer)i + 1, mn_lua_type_name(L, -1));
  *number = false;
  return true;
}

/* numbers(list, n) -> Vector when all elements 1..n are numbers or nil, which is missing; nil when one is text or a
 * boolean, so that the list is one of labels */
static int numbers(lua_State *L)
{
  enum { POLL_EVERY = 1 << 16 };
  mn_context *ctx = mn_lua_begin(L);
  luaL_checktype(L, 1, LUA_TTABLE);
  const size_t n = mn_lua_check_size(L, 2);
  bool number = true, whole = true;
  mn_lua_vector *v = mn_lua_push_raw_vector(L, n); /* before all: a size that is no size ends here */
  for (size_t i = 0; i < n; i++) {
    if (i % POLL_EVERY == 0 && mn_poll(ctx) != MN_OK) return mn_lua_raise(L, ctx);
    v->at[i] = lua_rawgeti(L, 1, (lua_Integer)i + 1) == LUA_TNUMBER ? lua_tonumber(L, -1) : (double)NAN;
    classify(L, i, &number, &whole);
    lua_pop(L, 1);
  }
  v->whole = whole && n > 0;
  return mn_lua_finish(L, ctx, number ? 1 : 0);
}

/* nearest(name, list) -> the name in the list that was most likely meant, or nil */
static int nearest(lua_State *L)
{
  const char *name = luaL_checkstring(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  const size_t n = lua_rawlen(L, 2);
  const char **known = lua_newuserdatauv(L, n * sizeof *known + 1, 0);
  for (size_t i = 0; i < n; i++) {
    known[i] = lua_rawgeti(L, 2, (lua_Integer)i + 1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    lua_pop(L, 1);
  }
  lua_pushstring(L, mn_nearest_name(name, known, n));
  return 1;
}

void mn_lua_open_frame(lua_State *L)
{
  static const luaL_Reg functions[] = {
    { "take", take },
    { "which", which },
    { "equal", equal },
    { "count_missing", count_missing },
    { "complete_rows", complete_rows },
    { "matrix", matrix },
    { "numbers", numbers },
    { NULL, NULL },
  };
  luaL_newlib(L, functions);
  luaL_setfuncs(L, mn_lua_frame_keys, 0);
  luaL_newmetatable(L, MN_LUA_FRAME_METATABLE);
  lua_setfield(L, -2, "metatable");
  lua_setfield(L, -2, "frame");
  lua_pushcfunction(L, nearest);
  lua_setfield(L, -2, "nearest");
}
