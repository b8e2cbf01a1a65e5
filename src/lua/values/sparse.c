/* The userdata Sparse: a matrix in compressed sparse row format. */
#include "userdata.h"
#include "../../core/nearest_name.h"
#include "../../linalg/csr.h"
#include <string.h>

/* --- creation --- */

mn_csr *mn_lua_push_sparse(lua_State *L)
{
  mn_csr *s = lua_newuserdatauv(L, sizeof *s, 0);
  *s = (mn_csr){ 0 };
  mn_lua_set_metatable(L, MN_LUA_SPARSE, true);
  return s;
}

mn_csr *mn_lua_test_sparse(lua_State *L, int arg)
{
  return mn_lua_userdata_kind(L, arg) == MN_LUA_SPARSE ? lua_touserdata(L, arg) : NULL;
}

static void release(lua_State *L, bool collected)
{
  mn_csr *s = mn_lua_test_sparse(L, 1);
  mn_memory *memory = mn_lua_memory(L);
  if (s && memory && (collected || !mn_lua_operation_running(L))) mn_csr_free(memory, s);
}

static int sparse_gc(lua_State *L)
{
  release(L, true);
  return 0;
}

static int sparse_close(lua_State *L)
{
  release(L, false);
  return 0;
}

/* The Sparse at `arg`; raises when it has been closed. */
static mn_csr *check_open(lua_State *L, int arg)
{
  mn_csr *s = mn_lua_checkudata_sparse(L, arg);
  if (!s->start) luaL_argerror(L, arg, "this Sparse has been closed");
  return s;
}

static mn_csr *push_initialized(lua_State *L, size_t rows, size_t cols, size_t nonzeros)
{
  mn_csr *s = mn_lua_push_sparse(L);
  mn_lua_init_sparse(L, s, rows, cols, nonzeros);
  return s;
}

static void check_width(lua_State *L, size_t cols)
{
  if (cols > INT32_MAX) luaL_error(L, "Sparse: there can be at most %d columns, got %I", INT32_MAX, (lua_Integer)cols);
}

/* Sparse.from(X): the nonzero values of X */
static int sparse_from(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_matrix x = mn_lua_check_matrix(L, ctx, 1);
  check_width(L, x.cols);
  const size_t nonzeros = mn_count_nonzeros(&x);
  mn_csr_from_dense(&x, nonzeros, push_initialized(L, x.rows, x.cols, nonzeros));
  return mn_lua_finish(L, ctx, 1);
}

static size_t check_size_option(lua_State *L, const char *name)
{
  lua_getfield(L, 1, name);
  const double value = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
  const bool valid = value >= 0 && mn_lua_is_whole(value);
  if (!valid) luaL_error(L, "Sparse: %s must be a whole number from 0, got %s", name, luaL_tolstring(L, -1, NULL));
  lua_pop(L, 1);
  return (size_t)value;
}

static void check_option_names(lua_State *L)
{
  static const char *const known[] = { "rows", "cols", "entries" };
  lua_pushnil(L);
  while (lua_next(L, 1)) {
    const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "[1]";
    bool is_known = false;
    for (size_t i = 0; i < 3; i++) is_known |= strcmp(name, known[i]) == 0;
    if (!is_known) {
      const char *near = mn_nearest_name(name, known, 3);
      if (near) luaL_error(L, "Sparse has no option '%s'; did you mean '%s'?", name, near);
      luaL_error(L, "Sparse has no option '%s'; there are rows, cols and entries", name);
    }
    lua_pop(L, 1);
  }
}

/* The number at `position` of the entry on top of the stack. */
static double entry_number(lua_State *L, size_t entry, int position, const char *what)
{
  if (lua_rawgeti(L, -1, position) != LUA_TNUMBER)
    luaL_error(L, "Sparse: entry %I: the %s is a %s, not a number", (lua_Integer)entry + 1, what,
               mn_lua_type_name(L, -1));
  const double value = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return value;
}

static size_t entry_index(lua_State *L, size_t entry, int position, const char *what, size_t n)
{
  const double value = entry_number(L, entry, position, what);
  const bool valid = value >= 1 && value <= (double)n && mn_lua_is_whole(value);
  char text[MN_NUMBER_SIZE];
  if (!valid)
    luaL_error(L, "Sparse: entry %I: the %s must be a whole number from 1 to %I, got %s", (lua_Integer)entry + 1, what,
               (lua_Integer)n, mn_format_number(text, value));
  return (size_t)value - 1;
}

/* Read the table of entries on top of the stack. No Lua value is created here, so scratch stays valid. */
static void read_entries(lua_State *L, mn_entry *entry, size_t n, size_t rows, size_t cols)
{
  for (size_t k = 0; k < n; k++) {
    if (lua_rawgeti(L, -1, (lua_Integer)k + 1) != LUA_TTABLE)
      luaL_error(L, "Sparse: entry %I is a %s, not a table { row, column, value }", (lua_Integer)k + 1,
                 mn_lua_type_name(L, -1));
    entry[k].row = entry_index(L, k, 1, "row", rows);
    entry[k].col = (int32_t)entry_index(L, k, 2, "column", cols);
    entry[k].value = entry_number(L, k, 3, "value");
    lua_pop(L, 1);
  }
}

/* Sparse{ rows = , cols = , entries = { { i, j, value }, ... } }; entries of the same position are added. Sparse(X)
 * is Sparse.from(X). This is __call of the table Sparse, which is argument 1. */
static int sparse_new(lua_State *L)
{
  lua_remove(L, 1);
  lua_settop(L, 1);
  if (mn_lua_test_matrix(L, 1)) return sparse_from(L);
  luaL_checktype(L, 1, LUA_TTABLE);
  check_option_names(L);
  const size_t rows = check_size_option(L, "rows"), cols = check_size_option(L, "cols");
  check_width(L, cols);
  luaL_checkstack(L, 8, "too many values");
  if (lua_getfield(L, 1, "entries") != LUA_TTABLE)
    return luaL_error(L, "Sparse: entries must be a table of { row, column, value }, got %s", mn_lua_type_name(L, -1));
  const size_t n = lua_rawlen(L, -1);
  mn_context *ctx = mn_lua_begin(L);
  mn_csr *s = push_initialized(L, rows, cols, n);
  lua_insert(L, -2);
  mn_entry *entry = MN_RAW(ctx, mn_entry, n, 1);
  if (!entry) return mn_lua_raise(L, ctx);
  read_entries(L, entry, n, rows, cols);
  if (mn_csr_from_entries(ctx, entry, n, s) != MN_OK) return mn_lua_raise(L, ctx);
  lua_pop(L, 1);
  return mn_lua_finish(L, ctx, 1);
}

/* --- access --- */

static size_t count_nonzeros(const mn_csr *s)
{
  return s->start ? s->start[s->rows] : 0;
}

static int sparse_index(lua_State *L)
{
  const mn_csr *s = mn_lua_checkudata_sparse(L, 1);
  switch (mn_lua_push_member(L, MN_LUA_SPARSE)) {
  case 0: lua_pushinteger(L, (lua_Integer)s->rows); break;
  case 1: lua_pushinteger(L, (lua_Integer)s->cols); break;
  case 2: lua_pushinteger(L, (lua_Integer)count_nonzeros(s)); break;
  default: break;
  }
  return 1;
}

static int sparse_newindex(lua_State *L)
{
  return luaL_error(L, "Sparse: values cannot be set; create a new one with Sparse{...}");
}

static int sparse_len(lua_State *L)
{
  lua_pushinteger(L, (lua_Integer)mn_lua_checkudata_sparse(L, 1)->rows);
  return 1;
}

/* S:get(i, j) -> number */
static int sparse_get(lua_State *L)
{
  const mn_csr *s = check_open(L, 1);
  const size_t i = mn_lua_check_index(L, 2, s->rows, "row");
  const int32_t j = (int32_t)mn_lua_check_index(L, 3, s->cols, "column");
  size_t low = s->start[i], high = s->start[i + 1];
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (s->col[middle] < j)
      low = middle + 1;
    else
      high = middle;
  }
  lua_pushnumber(L, low < s->start[i + 1] && s->col[low] == j ? s->at[low] : 0);
  return 1;
}

/* S:row(i) -> table of columns, table of their values */
static int sparse_row(lua_State *L)
{
  const mn_csr *s = check_open(L, 1);
  const size_t i = mn_lua_check_index(L, 2, s->rows, "row");
  const size_t begin = s->start[i], n = s->start[i + 1] - begin;
  lua_createtable(L, mn_lua_table_size(n), 0);
  lua_createtable(L, mn_lua_table_size(n), 0);
  for (size_t k = 0; k < n; k++) {
    lua_pushinteger(L, (lua_Integer)s->col[begin + k] + 1);
    lua_rawseti(L, -3, (lua_Integer)k + 1);
    lua_pushnumber(L, s->at[begin + k]);
    lua_rawseti(L, -2, (lua_Integer)k + 1);
  }
  return 2;
}

/* S:todense() -> Matrix */
static int sparse_todense(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_csr *s = check_open(L, 1);
  const mn_lua_matrix *m = mn_lua_push_matrix(L, s->rows, s->cols);
  mn_matrix out = { .at = m->at, .rows = m->rows, .cols = m->cols };
  mn_csr_to_dense(s, &out);
  return mn_lua_finish(L, ctx, 1);
}

/* --- new matrices --- */

/* S:t() -> Sparse, transposed */
static int sparse_t(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_csr *s = check_open(L, 1);
  check_width(L, s->rows);
  if (mn_csr_transpose(ctx, s, push_initialized(L, s->cols, s->rows, count_nonzeros(s))) != MN_OK)
    return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

static void copy_row(const mn_csr *s, size_t i, mn_csr *out, size_t to)
{
  const size_t n = s->start[i + 1] - s->start[i], begin = out->start[to];
  if (n > 0) {
    memcpy(out->col + begin, s->col + s->start[i], n * sizeof *s->col);
    memcpy(out->at + begin, s->at + s->start[i], n * sizeof *s->at);
  }
  out->start[to + 1] = begin + n;
}

/* S:take(rows) -> Sparse: these rows, in this order */
static int sparse_take(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_csr *s = check_open(L, 1);
  const size_t n = mn_lua_count_indices(L, 2);
  const mn_lua_vector *at = mn_lua_test_vector(L, 2);
  size_t nonzeros = 0;
  mn_lua_vector *row = mn_lua_push_raw_vector(L, n); /* read once: a finalizer may change a table */
  for (size_t i = 0; i < n; i++) {
    const size_t from = mn_lua_check_index_at(L, 2, at, i, s->rows, "row");
    row->at[i] = (double)from;
    if (__builtin_add_overflow(nonzeros, s->start[from + 1] - s->start[from], &nonzeros))
      return luaL_error(L, "not enough memory");
  }
  mn_csr *out = push_initialized(L, n, s->cols, nonzeros);
  for (size_t i = 0; i < n; i++) copy_row(s, (size_t)row->at[i], out, i);
  return mn_lua_finish(L, ctx, 1);
}

/* S:slice(first, last) -> Sparse: rows first to last, a copy */
static int sparse_slice(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_csr *s = check_open(L, 1);
  size_t first;
  lua_settop(L, 3);
  const size_t n = mn_lua_opt_range(L, 2, s->rows, "row", &first);
  mn_csr *out = push_initialized(L, n, s->cols, s->start[first + n] - s->start[first]);
  for (size_t i = 0; i < n; i++) copy_row(s, first + i, out, i);
  return mn_lua_finish(L, ctx, 1);
}

/* --- sums and products --- */

/* S:sum([axis]): the sum of all values, of each row ("rows") or of each column ("cols") */
static int sparse_sum(lua_State *L)
{
  static const char *const axes[] = { "rows", "cols", NULL };
  mn_context *ctx = mn_lua_begin(L);
  const mn_csr *s = check_open(L, 1);
  if (lua_isnoneornil(L, 2)) {
    double sum = 0;
    for (size_t k = 0; k < count_nonzeros(s); k++) sum += s->at[k];
    lua_pushnumber(L, sum);
    return mn_lua_finish(L, ctx, 1);
  }
  const bool by_row = luaL_checkoption(L, 2, NULL, axes) == 0;
  const mn_lua_vector *out = mn_lua_push_vector(L, by_row ? s->rows : s->cols);
  for (size_t i = 0; i < s->rows; i++)
    for (size_t k = s->start[i]; k < s->start[i + 1]; k++) out->at[by_row ? i : (size_t)s->col[k]] += s->at[k];
  return mn_lua_finish(L, ctx, 1);
}

static int scale(lua_State *L, const mn_csr *s, double factor)
{
  mn_csr *out = push_initialized(L, s->rows, s->cols, count_nonzeros(s));
  memcpy(out->start, s->start, (s->rows + 1) * sizeof *s->start);
  if (count_nonzeros(s) > 0) memcpy(out->col, s->col, count_nonzeros(s) * sizeof *s->col);
  for (size_t k = 0; k < count_nonzeros(s); k++) out->at[k] = s->at[k] * factor;
  return 1;
}

static int product_error(lua_State *L, const char *left, size_t cols, const char *right, size_t rows)
{
  return luaL_error(L, "%s * %s: the left side has %I columns, the right side %I rows", left, right, (lua_Integer)cols,
                    (lua_Integer)rows);
}

/* S * v and v * S (= S' v) */
static mn_status times_vector(lua_State *L, mn_context *ctx, const mn_csr *s, int other)
{
  const mn_vector v = mn_lua_check_vector(L, ctx, other);
  const bool right = other == 2;
  if (v.size != (right ? s->cols : s->rows))
    product_error(L, right ? "Sparse" : "Vector", right ? s->cols : v.size, right ? "Vector" : "Sparse",
                  right ? v.size : s->rows);
  double *out = mn_lua_push_raw_vector(L, right ? s->rows : s->cols)->at;
  return right ? mn_csr_multiply(ctx, s, 1, v.at, out) : mn_csr_multiply_transposed(ctx, s, 1, v.at, out);
}

/* X * S: row i is the sum over j of X[i][j] times row j of S */
static void dense_times(const mn_matrix *x, const mn_csr *s, double *out)
{
  for (size_t i = 0; i < x->rows; i++)
    for (size_t j = 0; j < x->cols; j++) {
      const double value = mn_row(x, i)[j];
      for (size_t k = s->start[j]; k < s->start[j + 1]; k++) out[i * s->cols + (size_t)s->col[k]] += value * s->at[k];
    }
}

static mn_status times_matrix(lua_State *L, mn_context *ctx, const mn_csr *s, int other)
{
  const mn_matrix x = mn_lua_check_matrix(L, ctx, other);
  if (other == 1) {
    if (x.cols != s->rows) product_error(L, "Matrix", x.cols, "Sparse", s->rows);
    dense_times(&x, s, mn_lua_push_matrix(L, x.rows, s->cols)->at);
    return MN_OK;
  }
  if (x.rows != s->cols) product_error(L, "Sparse", s->cols, "Matrix", x.rows);
  return mn_csr_multiply(ctx, s, x.cols, x.at, mn_lua_push_raw_matrix(L, s->rows, x.cols)->at);
}

/* S * X, S * v, X * S, v * S, and products with numbers */
int mn_lua_sparse_mul(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  mn_status status = MN_OK;
  lua_settop(L, 2);
  const int other = mn_lua_test_sparse(L, 1) ? 2 : 1;
  const mn_csr *s = check_open(L, 3 - other);
  switch (mn_lua_userdata_kind(L, other)) {
  case MN_LUA_VECTOR: status = times_vector(L, ctx, s, other); break;
  case MN_LUA_MATRIX: status = times_matrix(L, ctx, s, other); break;
  default:
    if (lua_type(L, other) != LUA_TNUMBER)
      return luaL_error(L, "%s * %s: a Sparse can be multiplied by a number, a Vector or a Matrix",
                        mn_lua_type_name(L, 1), mn_lua_type_name(L, 2));
    scale(L, s, lua_tonumber(L, other));
  }
  if (status != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

/* Equal values, whether zeros are stored or not; NaN is not equal to itself */
static bool rows_equal(const mn_csr *a, const mn_csr *b, size_t i)
{
  size_t k = a->start[i], l = b->start[i];
  const size_t a_end = a->start[i + 1], b_end = b->start[i + 1];
  while (k < a_end || l < b_end) {
    const int32_t left = k < a_end ? a->col[k] : INT32_MAX, right = l < b_end ? b->col[l] : INT32_MAX;
    const double x = left <= right ? a->at[k] : 0, y = right <= left ? b->at[l] : 0;
    if (!(x == y)) return false;
    k += left <= right;
    l += right <= left;
  }
  return true;
}

static int sparse_eq(lua_State *L)
{
  const mn_csr *a = mn_lua_test_sparse(L, 1), *b = mn_lua_test_sparse(L, 2);
  bool equal = a && b && a->start && b->start && a->rows == b->rows && a->cols == b->cols;
  for (size_t i = 0; equal && i < a->rows; i++) equal = rows_equal(a, b, i);
  lua_pushboolean(L, equal);
  return 1;
}

void mn_lua_define_sparse(lua_State *L)
{
  static const luaL_Reg metamethods[] = {
    { "__index", sparse_index },
    { "__newindex", sparse_newindex },
    { "__len", sparse_len },
    { "__mul", mn_lua_sparse_mul },
    { "__eq", sparse_eq },
    { "__tostring", mn_lua_sparse_tostring },
    { "__concat", mn_lua_concat_error },
    { "__close", sparse_close },
    { NULL, NULL },
  };
  static const luaL_Reg access[] = {
    { "get", sparse_get },   { "row", sparse_row },     { "todense", sparse_todense }, { "t", sparse_t },
    { "take", sparse_take }, { "slice", sparse_slice }, { "sum", sparse_sum },         { NULL, NULL },
  };
  static const char *const properties[] = { "rows", "cols", "nnz", NULL };
  const luaL_Reg *const methods[] = { access, NULL };
  mn_lua_define_metatables(L, MN_LUA_SPARSE, metamethods, methods, properties, sparse_gc);
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, sparse_from);
  lua_setfield(L, -2, "from");
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, sparse_new);
  lua_setfield(L, -2, "__call");
  lua_setmetatable(L, -2);
  lua_setfield(L, -2, "Sparse");
}
