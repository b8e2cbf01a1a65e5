/* Arguments are converted once, with errors that give 1-based positions. */
#include "userdata.h"
#include "../../core/finite_kernel.h"
#include "../../frame/frame.h"
#include <limits.h>
#include <math.h>
#include <string.h>

static const double max_whole = 9007199254740992; /* 2^53; larger doubles skip integers */

static int type_error(lua_State *L, int arg, const char *expected)
{
  return luaL_argerror(L, arg, lua_pushfstring(L, "%s expected, got %s", expected, mn_lua_type_name(L, arg)));
}

mn_lua_matrix *mn_lua_checkudata_matrix(lua_State *L, int arg)
{
  mn_lua_matrix *m = mn_lua_test_matrix(L, arg);
  if (!m) type_error(L, arg, "Matrix");
  return m;
}

mn_lua_vector *mn_lua_checkudata_vector(lua_State *L, int arg)
{
  mn_lua_vector *v = mn_lua_test_vector(L, arg);
  if (!v) type_error(L, arg, "Vector");
  return v;
}

mn_factor *mn_lua_checkudata_factor(lua_State *L, int arg)
{
  mn_factor *f = mn_lua_test_factor(L, arg);
  if (!f) type_error(L, arg, "Factor");
  return f;
}

mn_csr *mn_lua_checkudata_sparse(lua_State *L, int arg)
{
  mn_csr *s = mn_lua_test_sparse(L, arg);
  if (!s) type_error(L, arg, "Sparse");
  return s;
}

bool mn_lua_is_whole(double value)
{
  return value >= -max_whole && value <= max_whole && value == floor(value);
}

/* The number at `arg` for a message. */
static const char *number_text(lua_State *L, int arg)
{
  char text[MN_NUMBER_SIZE];
  if (lua_type(L, arg) != LUA_TNUMBER) return mn_lua_type_name(L, arg);
  return lua_pushstring(L, mn_format_number(text, lua_tonumber(L, arg)));
}

size_t mn_lua_check_size(lua_State *L, int arg)
{
  const double value = lua_type(L, arg) == LUA_TNUMBER ? lua_tonumber(L, arg) : -1;
  const bool valid = value >= 0 && mn_lua_is_whole(value);
  if (!valid)
    luaL_argerror(L, arg, lua_pushfstring(L, "a size must be a whole number from 0, got %s", number_text(L, arg)));
  return (size_t)value;
}

size_t mn_lua_check_index(lua_State *L, int arg, size_t n, const char *what)
{
  int whole = 0;
  const lua_Integer i = lua_type(L, arg) == LUA_TNUMBER ? lua_tointegerx(L, arg, &whole) : 0;
  if (!whole || i < 1 || (size_t)i > n)
    luaL_argerror(L, arg,
                  lua_pushfstring(L, "%s must be a whole number from 1 to %I, got %s", what, (lua_Integer)n,
                                  number_text(L, arg)));
  return (size_t)i - 1;
}

size_t mn_lua_count_indices(lua_State *L, int arg)
{
  const mn_lua_vector *v = mn_lua_test_vector(L, arg);
  if (v) return v->size;
  if (lua_type(L, arg) != LUA_TTABLE) type_error(L, arg, "Vector or table of indices");
  return lua_rawlen(L, arg);
}

static int index_error(lua_State *L, int arg, size_t i, size_t n, const char *what, const char *got)
{
  return luaL_argerror(L, arg,
                       lua_pushfstring(L, "%s at position %I must be a whole number from 1 to %I, got %s", what,
                                       (lua_Integer)i + 1, (lua_Integer)n, got));
}

size_t mn_lua_check_index_at(lua_State *L, int arg, const mn_lua_vector *v, size_t i, size_t n, const char *what)
{
  double value = v ? v->at[i * v->step] : 0;
  if (!v) {
    if (lua_rawgeti(L, arg, (lua_Integer)i + 1) != LUA_TNUMBER)
      index_error(L, arg, i, n, what, mn_lua_type_name(L, -1));
    value = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  const bool valid = value >= 1 && value <= (double)n && value == floor(value);
  if (!valid) {
    char text[MN_NUMBER_SIZE];
    index_error(L, arg, i, n, what, mn_format_number(text, value));
  }
  return (size_t)value - 1;
}

bool mn_lua_are_indices(size_t count, const double *value, size_t n)
{
  return count == 0 || (n > 0 && n < (size_t)1 << 52 && mn_all_whole(count, value, (double)n));
}

const double *mn_lua_valid_indices(lua_State *L, int arg, size_t n)
{
  const mn_lua_vector *v = mn_lua_test_vector(L, arg);
  return v && v->step == 1 && mn_lua_are_indices(v->size, v->at, n) ? v->at : NULL;
}

size_t mn_lua_opt_range(lua_State *L, int arg, size_t n, const char *what, size_t *first)
{
  *first = lua_isnoneornil(L, arg) ? 0 : mn_lua_check_index(L, arg, n + 1, what);
  if (lua_isnoneornil(L, arg + 1)) return n - (*first < n ? *first : n);
  int whole = 0;
  const lua_Integer last = lua_type(L, arg + 1) == LUA_TNUMBER ? lua_tointegerx(L, arg + 1, &whole) : 0;
  if (!whole || last < (lua_Integer)*first || (size_t)last > n)
    luaL_argerror(L, arg + 1,
                  lua_pushfstring(L, "last %s must be a whole number from %I to %I, got %s", what, (lua_Integer)*first,
                                  (lua_Integer)n, number_text(L, arg + 1)));
  return (size_t)last - *first;
}

void *mn_lua_push_buffer(lua_State *L, size_t size, size_t n)
{
  size_t bytes;
  if (!mn_checked_size(size, n, 1, &bytes)) luaL_error(L, "not enough memory");
  return lua_newuserdatauv(L, bytes > 0 ? bytes : 1, 0);
}

void *mn_lua_push_zeroed_buffer(lua_State *L, size_t size, size_t n)
{
  void *buffer = mn_lua_push_buffer(L, size, n);
  memset(buffer, 0, size * n);
  return buffer;
}

int mn_lua_table_size(size_t n)
{
  return n < INT_MAX ? (int)n : INT_MAX;
}

int64_t mn_lua_opt_seed(lua_State *L, int arg)
{
  if (lua_isnoneornil(L, arg)) return 0;
  int whole = 0;
  const lua_Integer seed = lua_type(L, arg) == LUA_TNUMBER ? lua_tointegerx(L, arg, &whole) : 0;
  if (!whole) luaL_argerror(L, arg, lua_pushfstring(L, "seed must be a whole number, got %s", number_text(L, arg)));
  return seed;
}

/* --- Frames --- */

bool mn_lua_is_frame(lua_State *L, int index)
{
  if (lua_type(L, index) != LUA_TTABLE || !lua_getmetatable(L, index)) return false;
  luaL_getmetatable(L, MN_LUA_FRAME_METATABLE);
  const bool same = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return same;
}

/* --- matrices --- */

static bool is_contiguous(const mn_lua_matrix *m)
{
  return m->col_step == 1 && (m->row_step == m->cols || m->rows <= 1);
}

void mn_lua_copy_list(lua_State *L, int list, const char *what)
{
  if (lua_type(L, list) != LUA_TTABLE) luaL_error(L, "%s must be a list, got %s", what, mn_lua_type_name(L, list));
  const size_t n = lua_rawlen(L, list);
  lua_createtable(L, mn_lua_table_size(n), 0);
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(L, list, (lua_Integer)i + 1);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_replace(L, list);
}

void mn_lua_check_lengths(lua_State *L, const char *who, const mn_vector *lengths)
{
  for (size_t i = 0; i < lengths->size; i++) {
    const double value = lengths->at[i];
    char number[MN_NUMBER_SIZE];
    if (!(value >= 1 && value <= INT32_MAX && value == floor(value)))
      luaL_error(L, "%s%slengths must be whole numbers >= 1, got %s at position %d", who ? who : "", who ? ": " : "",
                 mn_format_number(number, value), (int)i + 1);
  }
}

void mn_lua_copy_strided(const double *from, size_t from_step, double *to, size_t to_step, size_t n)
{
  if (from_step == 1 && to_step == 1) {
    if (n > 0) memmove(to, from, n * sizeof *to);
    return;
  }
  for (size_t i = 0; i < n; i++) to[i * to_step] = from[i * from_step];
}

/* In tiles: a transposed matrix is read across cache lines. */
void mn_lua_copy_matrix(const mn_lua_matrix *m, double *out)
{
  enum { TILE = 32 };
  if (m->col_step == 1) {
    for (size_t i = 0; i < m->rows; i++) mn_lua_copy_strided(m->at + i * m->row_step, 1, out + i * m->cols, 1, m->cols);
    return;
  }
  for (size_t i0 = 0; i0 < m->rows; i0 += TILE)
    for (size_t j0 = 0; j0 < m->cols; j0 += TILE)
      for (size_t i = i0; i < m->rows && i < i0 + TILE; i++)
        for (size_t j = j0; j < m->cols && j < j0 + TILE; j++)
          out[i * m->cols + j] = m->at[i * m->row_step + j * m->col_step];
}

int mn_lua_row_length_error(lua_State *L, int arg, size_t row, size_t size, size_t cols)
{
  return luaL_argerror(L, arg,
                       lua_pushfstring(L, "row %I has %I value%s, row 1 has %I", (lua_Integer)row + 1,
                                       (lua_Integer)size, size == 1 ? "" : "s", (lua_Integer)cols));
}

/* Convert a row of the table at `arg`, which is on top of the stack, into out[0..cols-1]. */
static void convert_row(lua_State *L, int arg, size_t row, size_t cols, double *out)
{
  const int r = (int)(row + 1);
  const mn_lua_vector *v = mn_lua_test_vector(L, -1);
  const size_t size = v ? v->size : lua_rawlen(L, -1);
  if (size != cols) mn_lua_row_length_error(L, arg, row, size, cols);
  for (size_t j = 0; j < cols; j++) {
    if (v) {
      out[j] = v->at[j * v->step];
      continue;
    }
    if (lua_rawgeti(L, -1, (lua_Integer)j + 1) != LUA_TNUMBER)
      luaL_argerror(
          L, arg,
          lua_pushfstring(L, "row %d, column %d is a %s, not a number", r, (int)j + 1, mn_lua_type_name(L, -1)));
    out[j] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
}

/* Push row `row` of the table at `arg`, a table or a Vector, and return its size. */
static size_t push_row(lua_State *L, int arg, size_t row)
{
  if (lua_rawgeti(L, arg, (lua_Integer)row + 1) == LUA_TTABLE) return lua_rawlen(L, -1);
  const mn_lua_vector *v = mn_lua_test_vector(L, -1);
  if (!v)
    luaL_argerror(L, arg, lua_pushfstring(L, "row %d is a %s, not a table", (int)row + 1, mn_lua_type_name(L, -1)));
  return v ? v->size : 0;
}

/* Column j of a Frame whose names and columns are on top of the stack. The Frame keeps it alive. */
static const mn_lua_vector *frame_column(lua_State *L, int arg, size_t j)
{
  lua_rawgeti(L, -1, (lua_Integer)j + 1);
  const mn_lua_vector *v = mn_lua_test_vector(L, -1);
  lua_pop(L, 1);
  if (v) return v;
  lua_rawgeti(L, -2, (lua_Integer)j + 1);
  luaL_argerror(L, arg,
                lua_pushfstring(L, "all columns of the Frame must be numbers, but '%s' holds labels; drop or encode it",
                                lua_tostring(L, -1)));
  return NULL;
}

static mn_lua_matrix *convert_frame(lua_State *L, int arg)
{
  lua_pushliteral(L, "names");
  const int names = lua_rawget(L, arg);
  lua_pushliteral(L, "columns");
  if (names != LUA_TTABLE || lua_rawget(L, arg) != LUA_TTABLE)
    luaL_argerror(L, arg, "a Frame must have lists of names and columns");
  const size_t cols = lua_rawlen(L, -1), rows = cols > 0 ? frame_column(L, arg, 0)->size : 0;
  mn_lua_matrix *m = mn_lua_push_raw_matrix(L, rows, cols);
  mn_view *view = mn_lua_push_buffer(L, sizeof *view, cols);
  lua_rotate(L, -4, 2); /* matrix, buffer, names, columns */
  for (size_t j = 0; j < cols; j++) {
    const mn_lua_vector *v = frame_column(L, arg, j);
    if (v->size != rows) luaL_argerror(L, arg, "the columns of a Frame must have the same length");
    view[j] = (mn_view){ .number = v->at, .step = v->step };
  }
  mn_frame_to_rows(rows, cols, view, m->at);
  lua_pop(L, 3);
  return m;
}

static mn_lua_matrix *convert_table(lua_State *L, int arg)
{
  if (mn_lua_is_frame(L, arg)) return convert_frame(L, arg);
  const size_t rows = lua_rawlen(L, arg);
  size_t cols = 0;
  luaL_checkstack(L, 8, "too many values");
  if (rows > 0) {
    cols = push_row(L, arg, 0);
    lua_pop(L, 1);
  } else {
    lua_pushnil(L);
    if (lua_next(L, arg)) luaL_argerror(L, arg, "must be a table of rows, got a table without rows 1, 2, ...");
  }
  mn_lua_matrix *m = mn_lua_push_raw_matrix(L, rows, cols);
  memset(m->at, 0, rows * cols * sizeof *m->at);
  for (size_t i = 0; i < rows; i++) {
    push_row(L, arg, i);
    convert_row(L, arg, i, cols, m->at + i * cols);
    lua_pop(L, 1);
  }
  return m;
}

static mn_lua_matrix *convert_vector(lua_State *L, const mn_lua_vector *v)
{
  mn_lua_matrix *m = mn_lua_push_raw_matrix(L, v->size, 1);
  for (size_t i = 0; i < v->size; i++) m->at[i] = v->at[i * v->step];
  return m;
}

mn_matrix mn_lua_check_matrix(lua_State *L, mn_context *ctx, int arg)
{
  (void)ctx;
  mn_lua_matrix *m = mn_lua_test_matrix(L, arg);
  if (m && is_contiguous(m)) return (mn_matrix){ .at = m->at, .rows = m->rows, .cols = m->cols };
  const mn_lua_vector *v = m ? NULL : mn_lua_test_vector(L, arg);
  if (v && v->step == 1) return (mn_matrix){ .at = v->at, .rows = v->size, .cols = 1 };
  if (m) {
    mn_lua_matrix *copy = mn_lua_push_raw_matrix(L, m->rows, m->cols);
    mn_lua_copy_matrix(m, copy->at);
    m = copy;
  } else if (v) {
    m = convert_vector(L, v);
  } else {
    if (lua_type(L, arg) != LUA_TTABLE) type_error(L, arg, "Matrix or table of rows");
    m = convert_table(L, arg);
  }
  lua_replace(L, arg);
  return (mn_matrix){ .at = m->at, .rows = m->rows, .cols = m->cols };
}

/* --- vectors --- */

/* Raise unless a double holds the integer on top of the stack exactly. */
static void check_exact(lua_State *L, int arg, size_t i)
{
  const lua_Integer n = lua_tointeger(L, -1);
  if (n < -((lua_Integer)1 << 53) || n > (lua_Integer)1 << 53)
    luaL_argerror(L, arg,
                  lua_pushfstring(L,
                                  "element %I is %I, beyond 2^53, where doubles skip integers; use a Factor for labels",
                                  (lua_Integer)i + 1, n));
}

static mn_lua_vector *convert_flat_table(lua_State *L, int arg)
{
  const size_t size = lua_rawlen(L, arg);
  luaL_checkstack(L, 8, "too many values");
  if (size == 0) {
    lua_pushnil(L);
    if (lua_next(L, arg))
      luaL_argerror(
          L, arg,
          "must be a table of numbers, got a table without element 1; missing values are 0 / 0, missing labels "
          "nil in ml.Factor { ..., n = rows }");
  }
  mn_lua_vector *v = mn_lua_push_raw_vector(L, size);
  bool whole = size > 0;
  for (size_t i = 0; i < size; i++) {
    if (lua_rawgeti(L, arg, (lua_Integer)i + 1) != LUA_TNUMBER)
      luaL_argerror(
          L, arg, lua_pushfstring(L, "element %I is a %s, not a number", (lua_Integer)i + 1, mn_lua_type_name(L, -1)));
    if (lua_isinteger(L, -1))
      check_exact(L, arg, i);
    else
      whole = false;
    v->at[i] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  v->whole = whole;
  return v;
}

mn_vector mn_lua_check_vector(lua_State *L, mn_context *ctx, int arg)
{
  (void)ctx;
  mn_lua_vector *v = mn_lua_test_vector(L, arg);
  if (v && v->step == 1) return (mn_vector){ .at = v->at, .size = v->size };
  const mn_lua_matrix *m = v ? NULL : mn_lua_test_matrix(L, arg);
  if (m) {
    if (m->rows != 1 && m->cols != 1)
      luaL_argerror(
          L, arg,
          lua_pushfstring(L, "Vector expected, got Matrix %I x %I", (lua_Integer)m->rows, (lua_Integer)m->cols));
    const size_t size = m->rows * m->cols, step = m->cols == 1 ? m->row_step : m->col_step;
    if (step == 1) return (mn_vector){ .at = m->at, .size = size };
    v = mn_lua_push_raw_vector(L, size);
    for (size_t i = 0; i < size; i++) v->at[i] = m->at[i * step];
  } else if (v) {
    const mn_lua_vector *from = v;
    v = mn_lua_push_raw_vector(L, from->size);
    for (size_t i = 0; i < from->size; i++) v->at[i] = from->at[i * from->step];
    v->whole = from->whole;
  } else {
    if (lua_type(L, arg) != LUA_TTABLE) type_error(L, arg, "Vector or table of numbers");
    v = convert_flat_table(L, arg);
  }
  lua_replace(L, arg);
  return (mn_vector){ .at = v->at, .size = v->size };
}

/* --- labels --- */

bool mn_lua_to_label(lua_State *L, int index, mn_label *label)
{
  switch (lua_type(L, index)) {
  case LUA_TBOOLEAN:
    *label = (mn_label){ .kind = MN_LABEL_BOOLEAN, .as.boolean = lua_toboolean(L, index) };
    return true;
  case LUA_TNUMBER:
    if (lua_isinteger(L, index)) {
      *label = (mn_label){ .kind = MN_LABEL_INTEGER, .as.integer = lua_tointeger(L, index) };
      return true;
    }
    *label = (mn_label){ .kind = MN_LABEL_FLOAT, .as.number = lua_tonumber(L, index) };
    return !isnan(label->as.number);
  case LUA_TSTRING:
    label->kind = MN_LABEL_TEXT;
    label->as.text.bytes = lua_tolstring(L, index, &label->as.text.size);
    return true;
  default: return false;
  }
}

void mn_lua_push_label(lua_State *L, mn_label label)
{
  switch (label.kind) {
  case MN_LABEL_BOOLEAN: lua_pushboolean(L, label.as.boolean); break;
  case MN_LABEL_INTEGER: lua_pushinteger(L, (lua_Integer)label.as.integer); break;
  case MN_LABEL_FLOAT: lua_pushnumber(L, label.as.number); break;
  case MN_LABEL_TEXT: lua_pushlstring(L, label.as.text.bytes, label.as.text.size); break;
  }
}
