/* The userdata Matrix: creation, views, and access to elements. */
#include "userdata.h"
#include <string.h>

/* --- creation --- */

static mn_lua_matrix *push_userdata(lua_State *L, size_t payload, int user_values, bool owns)
{
  mn_lua_matrix *m = lua_newuserdatauv(L, sizeof *m + payload, user_values);
  *m = (mn_lua_matrix){ .at = (double *)(void *)(m + 1), .col_step = 1 };
  mn_lua_set_metatable(L, MN_LUA_MATRIX, owns);
  return m;
}

static void set_shape(mn_lua_matrix *m, double *at, size_t rows, size_t cols)
{
  m->at = at;
  m->rows = rows;
  m->cols = m->row_step = cols;
  m->col_step = 1;
}

mn_lua_matrix *mn_lua_push_raw_matrix(lua_State *L, size_t rows, size_t cols)
{
  size_t bytes;
  if (!mn_matrix_size_allowed(rows, cols))
    luaL_error(L, "a matrix without values can have at most %d rows and columns, got %I x %I", MN_MAX_EMPTY,
               (lua_Integer)rows, (lua_Integer)cols);
  const bool fits = mn_checked_size(sizeof(double), rows, cols, &bytes) && bytes <= MN_INLINE_BYTES;
  mn_lua_matrix *m = push_userdata(L, fits ? bytes : 0, 0, !fits);
  if (!fits) {
    m->own = (mn_matrix){ .at = mn_lua_alloc(L, sizeof *m->at, rows, cols), .rows = rows, .cols = cols };
    m->at = m->own.at;
    mn_lua_charge(L, bytes);
  }
  set_shape(m, m->at, rows, cols);
  return m;
}

mn_lua_matrix *mn_lua_push_matrix(lua_State *L, size_t rows, size_t cols)
{
  mn_lua_matrix *m = mn_lua_push_raw_matrix(L, rows, cols);
  mn_lua_zero(L, m->at, rows * cols * sizeof *m->at);
  return m;
}

mn_lua_matrix *mn_lua_push_empty_matrix(lua_State *L)
{
  return push_userdata(L, 0, 0, true);
}

void mn_lua_commit_matrix(lua_State *L, mn_lua_matrix *m)
{
  set_shape(m, m->own.at, m->own.rows, m->own.cols);
  mn_lua_charge(L, m->rows * m->cols * sizeof *m->at);
}

mn_lua_matrix *mn_lua_push_matrix_view(lua_State *L, int owner, double *at, size_t rows, size_t cols, size_t row_step,
                                       size_t col_step)
{
  owner = lua_absindex(L, owner);
  mn_lua_matrix *m = push_userdata(L, 0, 1, false);
  m->owner_released = mn_lua_anchor_owner(L, owner);
  m->at = at;
  m->rows = rows;
  m->cols = cols;
  m->row_step = row_step;
  m->col_step = col_step;
  return m;
}

/* The user value of a view with named columns that is the list of the names; user value 1 is the owner. */
enum { NAMES = 2 };

/* A view of the Matrix at `owner` whose columns are named by the list on top of the stack, which is popped. `only`: the
 * owner is reached through this view only. */
static mn_lua_matrix *push_named_view(lua_State *L, int owner, bool only)
{
  owner = lua_absindex(L, owner);
  const mn_lua_matrix *from = lua_touserdata(L, owner);
  mn_lua_matrix *m = push_userdata(L, 0, NAMES, false);
  m->owner_released = mn_lua_anchor_owner(L, owner);
  m->at = from->at;
  m->rows = from->rows;
  m->cols = from->cols;
  m->row_step = from->row_step;
  m->col_step = from->col_step;
  m->closes_owner = only;
  lua_insert(L, -2);
  lua_setiuservalue(L, -2, NAMES);
  return m;
}

mn_lua_matrix *mn_lua_push_named_matrix(lua_State *L, int owner, const mn_levels *names)
{
  owner = lua_absindex(L, owner);
  mn_lua_push_levels(L, names);
  return push_named_view(L, owner, true);
}

bool mn_lua_push_column_names(lua_State *L, int arg)
{
  return lua_getiuservalue(L, arg, NAMES) == LUA_TTABLE;
}

/* Push a copy of the list at `index`, which scripts may change. */
static void copy_names(lua_State *L, int index, size_t n)
{
  lua_createtable(L, mn_lua_table_size(n), 0);
  for (lua_Integer j = 1; j <= (lua_Integer)n; j++) {
    lua_rawgeti(L, index, j);
    lua_rawseti(L, -2, j);
  }
  mn_lua_set_list_metatable(L);
}

/* name_columns(X, names) -> view of X whose columns have names */
static int name_columns(lua_State *L)
{
  const mn_lua_matrix *m = mn_lua_checkudata_matrix(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  luaL_argcheck(L, lua_rawlen(L, 2) == m->cols, 2, "must have a name for each column");
  copy_names(L, 2, m->cols);
  push_named_view(L, 1, true);
  return 1;
}

mn_lua_matrix *mn_lua_test_matrix(lua_State *L, int arg)
{
  mn_lua_matrix *m = mn_lua_userdata_kind(L, arg) == MN_LUA_MATRIX ? lua_touserdata(L, arg) : NULL;
  if (m && m->owner_released && *m->owner_released) m->rows = m->cols = 0;
  return m;
}

/* __close leaves a value that a running operation may be reading to the collector. */
static void release(lua_State *L, bool collected)
{
  mn_lua_matrix *m = mn_lua_test_matrix(L, 1);
  mn_memory *memory = mn_lua_memory(L);
  if (!m || !m->own.at || !memory || (!collected && mn_lua_operation_running(L))) return;
  mn_matrix_free(memory, &m->own);
  m->rows = m->cols = 0;
  m->released = true;
}

static int matrix_gc(lua_State *L)
{
  release(L, true);
  return 0;
}

static int matrix_close(lua_State *L)
{
  const mn_lua_matrix *m = mn_lua_test_matrix(L, 1);
  if (m && m->closes_owner) {
    lua_getiuservalue(L, 1, 1);
    lua_replace(L, 1);
  }
  release(L, false);
  return 0;
}

/* --- elements --- */

static double *element(const mn_lua_matrix *m, size_t i, size_t j)
{
  return &m->at[i * m->row_step + j * m->col_step];
}

static mn_lua_vector *push_row(lua_State *L, const mn_lua_matrix *m, size_t i)
{
  return mn_lua_push_vector_view(L, 1, element(m, i, 0), m->cols, m->col_step);
}

/* X[i]: a view of row i, nil outside 1..rows, so that ipairs ends; X.rows, X.cols; methods */
static int matrix_index(lua_State *L)
{
  const mn_lua_matrix *m = mn_lua_checkudata_matrix(L, 1);
  int whole = 0;
  if (lua_type(L, 2) == LUA_TNUMBER) {
    const lua_Integer i = lua_tointegerx(L, 2, &whole);
    if (!whole) return luaL_error(L, "Matrix: an index must be a whole number, got %f", lua_tonumber(L, 2));
    if (i < 1 || (size_t)i > m->rows)
      lua_pushnil(L);
    else
      push_row(L, m, (size_t)i - 1);
    return 1;
  }
  const int property = mn_lua_push_member(L, MN_LUA_MATRIX);
  if (property == 0) lua_pushinteger(L, (lua_Integer)m->rows);
  if (property == 1) lua_pushinteger(L, (lua_Integer)m->cols);
  if (property == 2 && mn_lua_push_column_names(L, 1)) copy_names(L, lua_gettop(L), m->cols);
  return 1;
}

/* X[i] = Vector, table of numbers, or one number for all elements */
static int matrix_newindex(lua_State *L)
{
  const mn_lua_matrix *m = mn_lua_checkudata_matrix(L, 1);
  if (lua_type(L, 2) == LUA_TSTRING) return luaL_error(L, "Matrix: '%s' cannot be set", lua_tostring(L, 2));
  const size_t i = mn_lua_check_index(L, 2, m->rows, "row");
  if (lua_type(L, 3) == LUA_TNUMBER) {
    const double value = lua_tonumber(L, 3);
    for (size_t j = 0; j < m->cols; j++) *element(m, i, j) = value;
    return 0;
  }
  mn_context *ctx = mn_lua_begin(L);
  const mn_vector v = mn_lua_check_vector(L, ctx, 3);
  if (v.size != m->cols)
    return luaL_error(L, "Matrix: row %d has %d values, a row of this matrix has %d", (int)i + 1, (int)v.size,
                      (int)m->cols);
  const double *from = v.at;
  if (m->col_step != 1) { /* v may be a column that crosses this row */
    mn_lua_vector *copy = mn_lua_push_raw_vector(L, v.size);
    mn_lua_copy_strided(v.at, 1, copy->at, 1, v.size);
    from = copy->at;
  }
  mn_lua_copy_strided(from, 1, element(m, i, 0), m->col_step, m->cols);
  return mn_lua_finish(L, ctx, 0);
}

static int matrix_len(lua_State *L)
{
  lua_pushinteger(L, (lua_Integer)mn_lua_checkudata_matrix(L, 1)->rows);
  return 1;
}

static int next_row(lua_State *L)
{
  const mn_lua_matrix *m = mn_lua_checkudata_matrix(L, 1);
  size_t i;
  if (!mn_lua_push_next(L, m->rows, &i)) return 0;
  push_row(L, m, i);
  return 2;
}

static int matrix_pairs(lua_State *L)
{
  mn_lua_checkudata_matrix(L, 1);
  return mn_lua_push_pairs(L, next_row);
}

/* X:get(i, j) -> number */
static int matrix_get(lua_State *L)
{
  const mn_lua_matrix *m = mn_lua_checkudata_matrix(L, 1);
  const size_t i = mn_lua_check_index(L, 2, m->rows, "row");
  const size_t j = mn_lua_check_index(L, 3, m->cols, "column");
  lua_pushnumber(L, *element(m, i, j));
  return 1;
}

/* X:set(i, j, value) */
static int matrix_set(lua_State *L)
{
  const mn_lua_matrix *m = mn_lua_checkudata_matrix(L, 1);
  const size_t i = mn_lua_check_index(L, 2, m->rows, "row");
  const size_t j = mn_lua_check_index(L, 3, m->cols, "column");
  luaL_checktype(L, 4, LUA_TNUMBER);
  *element(m, i, j) = lua_tonumber(L, 4);
  return 0;
}

/* X:fill(value) -> X */
static int matrix_fill(lua_State *L)
{
  const mn_lua_matrix *m = mn_lua_checkudata_matrix(L, 1);
  luaL_checktype(L, 2, LUA_TNUMBER);
  const double value = lua_tonumber(L, 2);
  for (size_t i = 0; i < m->rows; i++)
    for (size_t j = 0; j < m->cols; j++) *element(m, i, j) = value;
  lua_settop(L, 1);
  return 1;
}

/* --- views --- */

/* X:row(i) -> Vector, a view */
static int matrix_row(lua_State *L)
{
  const mn_lua_matrix *m = mn_lua_checkudata_matrix(L, 1);
  push_row(L, m, mn_lua_check_index(L, 2, m->rows, "row"));
  return 1;
}

/* The index of the column with the name at `arg`, a string. Raises. */
static size_t find_column(lua_State *L, int arg, const mn_lua_matrix *m)
{
  if (mn_lua_push_column_names(L, 1)) {
    const int names = lua_gettop(L);
    for (size_t j = 0; j < m->cols; j++) {
      lua_rawgeti(L, names, (lua_Integer)j + 1);
      if (lua_rawequal(L, -1, arg)) return j;
      lua_pop(L, 1);
    }
    luaL_argerror(L, arg, lua_pushfstring(L, "there is no column '%s'", lua_tostring(L, arg)));
  }
  return (size_t)luaL_argerror(L, arg, "the columns of this Matrix have no names; give the index of a column");
}

/* X:col(j) -> Vector, a view; j: index, or name if the columns have names */
static int matrix_col(lua_State *L)
{
  const mn_lua_matrix *m = mn_lua_checkudata_matrix(L, 1);
  const size_t j = lua_type(L, 2) == LUA_TSTRING ? find_column(L, 2, m) : mn_lua_check_index(L, 2, m->cols, "column");
  mn_lua_push_vector_view(L, 1, element(m, 0, j), m->rows, m->row_step);
  return 1;
}

/* X:diag() -> Vector, a view of the main diagonal */
static int matrix_diag(lua_State *L)
{
  const mn_lua_matrix *m = mn_lua_checkudata_matrix(L, 1);
  mn_lua_push_vector_view(L, 1, m->at, m->rows < m->cols ? m->rows : m->cols, m->row_step + m->col_step);
  return 1;
}

/* X:t() -> Matrix, a view: X transposed */
static int matrix_t(lua_State *L)
{
  const mn_lua_matrix *m = mn_lua_checkudata_matrix(L, 1);
  mn_lua_push_matrix_view(L, 1, m->at, m->cols, m->rows, m->col_step, m->row_step);
  return 1;
}

/* Return the Matrix on top of the stack, with the names of the columns of the Matrix at 1 if it has `cols` columns,
 * too. */
static int keep_names(lua_State *L, size_t cols)
{
  const mn_lua_matrix *m = lua_touserdata(L, -1);
  if (m->cols != cols) return 1;
  if (mn_lua_push_column_names(L, 1))
    push_named_view(L, -2, false);
  else
    lua_pop(L, 1);
  return 1;
}

/* X:slice(first_row, last_row, first_col, last_col) -> Matrix, a view; the defaults are the first and the last */
static int matrix_slice(lua_State *L)
{
  const mn_lua_matrix *m = mn_lua_checkudata_matrix(L, 1);
  size_t i, j;
  lua_settop(L, 5);
  const size_t rows = mn_lua_opt_range(L, 2, m->rows, "row", &i);
  const size_t cols = mn_lua_opt_range(L, 4, m->cols, "column", &j);
  double *first = rows > 0 && cols > 0 ? element(m, i, j) : m->at;
  mn_lua_push_matrix_view(L, 1, first, rows, cols, m->row_step, m->col_step);
  return keep_names(L, m->cols);
}

/* --- copies --- */

/* X:copy() -> Matrix */
static int matrix_copy(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_lua_matrix *m = mn_lua_checkudata_matrix(L, 1);
  const mn_lua_matrix *out = mn_lua_push_raw_matrix(L, m->rows, m->cols);
  mn_lua_copy_matrix(m, out->at);
  return mn_lua_finish(L, ctx, 1);
}

/* X:reshape(rows, cols) -> Matrix, a copy: the values of X row by row in another shape */
static int matrix_reshape(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_lua_matrix *m = mn_lua_checkudata_matrix(L, 1);
  const size_t rows = mn_lua_check_size(L, 2), cols = mn_lua_check_size(L, 3);
  size_t count;
  if (!mn_checked_size(1, rows, cols, &count) || count != m->rows * m->cols)
    return luaL_error(L, "Matrix: %I x %I values do not fit a shape of %I x %I", (lua_Integer)m->rows,
                      (lua_Integer)m->cols, (lua_Integer)rows, (lua_Integer)cols);
  const mn_lua_matrix *out = mn_lua_push_raw_matrix(L, rows, cols);
  mn_lua_copy_matrix(m, out->at);
  return mn_lua_finish(L, ctx, 1);
}

/* X:flatten() -> Vector, a copy: the values row by row */
static int matrix_flatten(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_lua_matrix *m = mn_lua_checkudata_matrix(L, 1);
  const mn_lua_vector *out = mn_lua_push_raw_vector(L, m->rows * m->cols);
  mn_lua_copy_matrix(m, out->at);
  return mn_lua_finish(L, ctx, 1);
}

/* X:take(rows) -> Matrix, a copy of these rows, in this order; rows may repeat */
static int matrix_take(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_lua_matrix *m = mn_lua_checkudata_matrix(L, 1);
  const size_t n = mn_lua_count_indices(L, 2);
  const mn_lua_vector *at = mn_lua_test_vector(L, 2);
  const mn_lua_matrix *out = mn_lua_push_raw_matrix(L, n, m->cols);
  for (size_t i = 0; i < n; i++) {
    const size_t from = mn_lua_check_index_at(L, 2, at, i, m->rows, "row");
    mn_lua_copy_strided(element(m, from, 0), m->col_step, out->at + i * out->cols, 1, out->cols);
  }
  return mn_lua_finish(L, ctx, keep_names(L, m->cols));
}

/* X:select(cols) -> Matrix, a copy of these columns, in this order */
static int matrix_select(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_lua_matrix *m = mn_lua_checkudata_matrix(L, 1);
  const size_t n = mn_lua_count_indices(L, 2);
  const mn_lua_vector *at = mn_lua_test_vector(L, 2);
  size_t *from = MN_RAW(ctx, size_t, n + 1, 1);
  if (!from) return mn_lua_raise(L, ctx);
  for (size_t j = 0; j < n; j++) from[j] = mn_lua_check_index_at(L, 2, at, j, m->cols, "column") * m->col_step;
  const mn_lua_matrix *out = mn_lua_push_raw_matrix(L, m->rows, n);
  for (size_t i = 0; i < m->rows; i++)
    for (size_t j = 0; j < n; j++) out->at[i * n + j] = m->at[i * m->row_step + from[j]];
  return mn_lua_finish(L, ctx, 1);
}

/* X:totable() -> table of rows, each a table of numbers */
static int matrix_totable(lua_State *L)
{
  const mn_lua_matrix *m = mn_lua_checkudata_matrix(L, 1);
  lua_createtable(L, mn_lua_table_size(m->rows), 0);
  for (size_t i = 0, done = 0; i < m->rows; i++, done += m->cols + 8) {
    if (done >= MN_LUA_POLL_EVERY) {
      mn_lua_check_interrupt(L);
      done = 0;
    }
    lua_createtable(L, mn_lua_table_size(m->cols), 0);
    for (size_t j = 0; j < m->cols; j++) {
      lua_pushnumber(L, *element(m, i, j));
      lua_rawseti(L, -2, (lua_Integer)j + 1);
    }
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

/* Equal shapes and values; NaN is not equal to itself */
static int matrix_eq(lua_State *L)
{
  const mn_lua_matrix *a = mn_lua_test_matrix(L, 1), *b = mn_lua_test_matrix(L, 2);
  bool equal = a && b && a->rows == b->rows && a->cols == b->cols;
  for (size_t i = 0; equal && i < a->rows; i++)
    for (size_t j = 0; equal && j < a->cols; j++) equal = *element(a, i, j) == *element(b, i, j);
  lua_pushboolean(L, equal);
  return 1;
}

static const luaL_Reg access_methods[] = {
  { "get", matrix_get },
  { "set", matrix_set },
  { "fill", matrix_fill },
  { "row", matrix_row },
  { "col", matrix_col },
  { "diag", matrix_diag },
  { "t", matrix_t },
  { "slice", matrix_slice },
  { "copy", matrix_copy },
  { "reshape", matrix_reshape },
  { "flatten", matrix_flatten },
  { "take", matrix_take },
  { "select", matrix_select },
  { "totable", matrix_totable },
  { NULL, NULL },
};

void mn_lua_define_matrix(lua_State *L)
{
  static const luaL_Reg metamethods[] = {
    { "__index", matrix_index },
    { "__newindex", matrix_newindex },
    { "__len", matrix_len },
    { "__pairs", matrix_pairs },
    { "__eq", matrix_eq },
    { "__tostring", mn_lua_matrix_tostring },
    { "__add", mn_lua_add },
    { "__sub", mn_lua_sub },
    { "__mul", mn_lua_mul },
    { "__div", mn_lua_div },
    { "__pow", mn_lua_pow },
    { "__unm", mn_lua_unm },
    { "__concat", mn_lua_concat_error },
    { "__close", matrix_close },
    { NULL, NULL },
  };
  static const char *const properties[] = { "rows", "cols", "names", NULL };
  const luaL_Reg *const methods[] = { access_methods,           mn_lua_elementwise,    mn_lua_statistics,
                                      mn_lua_matrix_statistics, mn_lua_linear_algebra, NULL };
  mn_lua_define_metatables(L, MN_LUA_MATRIX, metamethods, methods, properties, matrix_gc);
  lua_pushcfunction(L, name_columns);
  lua_setfield(L, -2, "name_columns");
}
