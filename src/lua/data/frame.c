/* The C half of Frame: functions that its Lua methods call. They check what only C can see, and raise messages without
 * "bad argument", because the methods prefix them. */
#include "frame.h"
#include "frame_columns.h"
#include "frame_keys.h"
#include "../values/userdata.h"
#include "../../core/foreign_names.h"
#include "../../core/nearest_name.h"
#include <math.h>
#include <string.h>

static mn_status row_error(mn_context *ctx, size_t i, size_t rows, double value)
{
  char text[MN_NUMBER_SIZE];
  return mn_fail(ctx, MN_BAD_ARGUMENT, "row at position %zu must be a whole number from 1 to %zu, got %s", i + 1, rows,
                 mn_format_number(text, value));
}

/* Read 1-based row numbers; NaN stands for no row if that is allowed. */
static mn_status read_rows(mn_context *ctx, lua_State *L, int arg, size_t n, size_t rows, bool allow_none, int32_t *row)
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
    if (whole != value && !(allow_none && isnan(value))) return row_error(ctx, i, rows, value);
    if (whole == 0 && !allow_none) return row_error(ctx, i, rows, value);
  }
  return MN_OK;
}

/* Push a new column of n rows with the type of the one at `index`. */
static void push_similar(lua_State *L, int index, size_t n, mn_column_copy *t)
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

/* take(columns, rows, allow_none) -> columns with these rows; rows is a Vector or list, in which NaN gives missing
 * values */
static int take(lua_State *L)
{
  size_t columns, rows;
  lua_settop(L, 3);
  const mn_view *view = mn_lua_check_columns(L, 1, &columns, &rows);
  if (!mn_lua_test_vector(L, 2) && lua_type(L, 2) != LUA_TTABLE)
    return luaL_error(L, "rows must be a Vector or a list, got %s", mn_lua_type_name(L, 2));
  const size_t n = columns > 0 ? mn_lua_count_indices(L, 2) : 0;
  mn_column_copy *copy = lua_newuserdatauv(L, columns * sizeof *copy + 1, 0);
  lua_createtable(L, mn_lua_table_size(columns), 0);
  for (size_t j = 0; j < columns; j++) {
    copy[j] = (mn_column_copy){ .from = view[j] };
    lua_rawgeti(L, 1, (lua_Integer)j + 1);
    push_similar(L, lua_gettop(L), n, &copy[j]);
    lua_rawseti(L, -3, (lua_Integer)j + 1);
    lua_pop(L, 1);
  }
  mn_context *ctx = mn_lua_begin(L);
  int32_t *row = MN_RAW(ctx, int32_t, n, 1);
  const bool done = row && read_rows(ctx, L, 2, n, rows, lua_toboolean(L, 3), row) == MN_OK &&
                    mn_frame_gather_rows(ctx, columns, copy, row, n) == MN_OK;
  if (!done) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  return 1;
}

/* Element i of a boolean Factor, or of the list at `arg`: 1 true, 0 false, -1 neither. */
static int boolean_at(lua_State *L, int arg, const mn_factor *f, size_t i)
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

/* Number of ones in a Vector of 0 and 1; *invalid is the first element that is neither, or the size. */
static size_t count_ones(const mn_lua_vector *v, size_t *invalid)
{
  size_t count = 0, valid = 0;
  for (size_t i = 0; i < v->size; i++) {
    const double value = v->at[i * v->step];
    count += value == 1;
    valid += value == 1 || value == 0;
  }
  *invalid = 0;
  if (valid == v->size) *invalid = v->size;
  while (*invalid < v->size && (v->at[*invalid * v->step] == 1 || v->at[*invalid * v->step] == 0)) ++*invalid;
  return count;
}

static size_t count_true(lua_State *L, const mn_factor *f, size_t n, size_t *invalid)
{
  size_t count = 0;
  for (*invalid = 0; *invalid < n; ++*invalid) {
    const int yes = boolean_at(L, 1, f, *invalid);
    if (yes < 0) break;
    count += (size_t)yes;
  }
  return count;
}

/* which(mask) -> Vector of the rows where the mask (a Vector of 0 and 1, a Factor or list of booleans) is true */
static int which(lua_State *L)
{
  const mn_lua_vector *v = mn_lua_test_vector(L, 1);
  const mn_factor *f = mn_lua_test_factor(L, 1);
  if (!v && !f && lua_type(L, 1) != LUA_TTABLE)
    return luaL_error(L, "a mask must be a Vector of 0 and 1, or a list of booleans, got %s", mn_lua_type_name(L, 1));
  const size_t n = v ? v->size : f ? f->size : lua_rawlen(L, 1);
  size_t invalid, position = 0;
  const size_t count = v ? count_ones(v, &invalid) : count_true(L, f, n, &invalid);
  if (invalid < n)
    return luaL_error(L, "a mask must be 0 or 1 (false or true) in every row; it is neither in row %I",
                      (lua_Integer)invalid + 1);
  mn_lua_vector *out = mn_lua_push_raw_vector(L, count);
  out->whole = true;
  for (size_t i = 0; i < n && position < count; i++) {
    out->at[position] = (double)(i + 1); /* overwritten unless the mask is true here */
    position += v ? v->at[i * v->step] == 1 : boolean_at(L, 1, f, i) > 0;
  }
  return 1;
}

/* equal(a, b) -> whether the two columns have the same length and values */
static int equal(lua_State *L)
{
  size_t n, m;
  const mn_view a = mn_lua_check_column(L, 1, &n), b = mn_lua_check_column(L, 2, &m);
  lua_pushboolean(L, n == m && mn_frame_equal(&a, &b, n));
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
  for (size_t i = 0, position = 0; i < rows; i++)
    if (kept[i]) out->at[position++] = (double)(i + 1);
  return 1;
}

/* matrix(columns, rows) -> Matrix of the Vectors; `rows` counts when there are no columns */
static int matrix(lua_State *L)
{
  size_t columns, rows;
  lua_settop(L, 2);
  const mn_view *view = mn_lua_check_columns(L, 1, &columns, &rows);
  if (columns == 0) rows = mn_lua_check_size(L, 2);
  const mn_lua_matrix *m = mn_lua_push_raw_matrix(L, rows, columns);
  for (size_t j = 0; j < columns; j++)
    if (!view[j].number) return luaL_error(L, "column %I is a Factor", (lua_Integer)j + 1);
  mn_frame_to_rows(rows, columns, view, m->at);
  return 1;
}

/* Classify the element on top of the stack: *number stays true for numbers and missing ones, *whole for integers. */
static void classify(lua_State *L, size_t i, bool *number, bool *whole)
{
  mn_label label;
  switch (lua_type(L, -1)) {
  case LUA_TNIL: return;
  case LUA_TNUMBER: *whole = *whole && lua_isinteger(L, -1) && mn_lua_is_whole(lua_tonumber(L, -1)); return;
  default: break;
  }
  if (!mn_lua_to_label(L, -1, &label))
    luaL_error(L, "element %I is a %s, not a number, string or boolean", (lua_Integer)i + 1, mn_lua_type_name(L, -1));
  *number = false;
}

/* numbers(list, n) -> Vector when the elements 1..n are numbers or nil (missing); nothing when one is a string or
 * boolean, so that the list is one of labels */
static int numbers(lua_State *L)
{
  enum { POLL_EVERY = 1 << 16 };
  mn_context *ctx = mn_lua_begin(L);
  luaL_checktype(L, 1, LUA_TTABLE);
  const size_t n = mn_lua_check_size(L, 2);
  bool number = true, whole = true;
  mn_lua_vector *v = mn_lua_push_raw_vector(L, n); /* first, so that an impossible size fails here */
  for (size_t i = 0; i < n; i++) {
    if (i % POLL_EVERY == 0 && mn_poll(ctx) != MN_OK) return mn_lua_raise(L, ctx);
    v->at[i] = lua_rawgeti(L, 1, (lua_Integer)i + 1) == LUA_TNUMBER ? lua_tonumber(L, -1) : (double)NAN;
    classify(L, i, &number, &whole);
    lua_pop(L, 1);
  }
  v->whole = whole && n > 0;
  return mn_lua_finish(L, ctx, number ? 1 : 0);
}

/* Push an array of the strings of the list at `index`, NULL for other elements; *n is their number. */
static const char **push_names(lua_State *L, int index, size_t *n)
{
  luaL_checktype(L, index, LUA_TTABLE);
  *n = lua_rawlen(L, index);
  const char **names = lua_newuserdatauv(L, *n * sizeof *names + 1, 0);
  for (size_t i = 0; i < *n; i++) {
    names[i] = lua_rawgeti(L, index, (lua_Integer)i + 1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    lua_pop(L, 1);
  }
  return names;
}

/* nearest(name, names) -> the name that was probably meant, or nil */
static int nearest(lua_State *L)
{
  const char *name = luaL_checkstring(L, 1);
  size_t n = 0;
  const char **known = push_names(L, 2, &n);
  lua_pushstring(L, mn_nearest_name(name, known, n));
  return 1;
}

/* foreign_name(name, names) -> the name for what another library calls `name`, or nil; what to use instead, or nil */
static int foreign_name(lua_State *L)
{
  const char *name = luaL_checkstring(L, 1);
  size_t n = 0;
  const char **known = push_names(L, 2, &n);
  lua_pushstring(L, mn_translate_name(name, known, n));
  lua_pushstring(L, mn_foreign_name_note(name));
  return 2;
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
  mn_lua_open_frame_keys(L);
  luaL_newmetatable(L, MN_LUA_FRAME_METATABLE);
  lua_setfield(L, -2, "metatable");
  lua_setfield(L, -2, "frame");
  lua_pushcfunction(L, nearest);
  lua_setfield(L, -2, "nearest");
  lua_pushcfunction(L, foreign_name);
  lua_setfield(L, -2, "foreign_name");
}
