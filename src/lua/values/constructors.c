/* The constructors of Matrix and Vector: from tables, of constants, ranges, random numbers, by concatenation. */
#include "userdata.h"
#include "../../core/rng.h"
#include <math.h>
#include <string.h>

/* Like luaL_optnumber, but without conversion of strings. */
static double opt_number(lua_State *L, int arg, double default_value)
{
  if (lua_isnoneornil(L, arg)) return default_value;
  luaL_checktype(L, arg, LUA_TNUMBER);
  return lua_tonumber(L, arg);
}

static void fill(double *at, size_t n, double value)
{
  for (size_t i = 0; i < n; i++) at[i] = value;
}

/* Push a Matrix of the size given by arguments 1 and 2, filled with `value`. */
static int push_full(lua_State *L, double value)
{
  mn_context *ctx = mn_lua_begin(L);
  const size_t rows = mn_lua_check_size(L, 1), cols = mn_lua_check_size(L, 2);
  const mn_lua_matrix *m = mn_lua_push_raw_matrix(L, rows, cols);
  fill(m->at, rows * cols, value);
  return mn_lua_finish(L, ctx, 1);
}

/* Matrix{ { number, ... }, ... }; Matrix(X), a copy; Matrix(v), one column, a copy; Matrix(rows, cols [, fill]) */
static int new_matrix(lua_State *L)
{
  if (lua_type(L, 1) == LUA_TNUMBER) {
    lua_settop(L, 3);
    return push_full(L, opt_number(L, 3, 0));
  }
  mn_context *ctx = mn_lua_begin(L);
  lua_settop(L, 1);
  lua_pushvalue(L, 1);
  const mn_matrix x = mn_lua_check_matrix(L, ctx, 1);
  if (lua_rawequal(L, 1, 2)) { /* not converted, so copy it */
    const mn_lua_matrix *out = mn_lua_push_raw_matrix(L, x.rows, x.cols);
    mn_lua_copy_strided(x.at, 1, out->at, 1, x.rows * x.cols);
  } else {
    lua_settop(L, 1);
  }
  return mn_lua_finish(L, ctx, 1);
}

/* zeros(rows, cols) */
static int new_zeros(lua_State *L)
{
  return push_full(L, 0);
}

/* ones(rows, cols) */
static int new_ones(lua_State *L)
{
  return push_full(L, 1);
}

/* full(rows, cols, value) */
static int new_full(lua_State *L)
{
  luaL_checktype(L, 3, LUA_TNUMBER);
  return push_full(L, lua_tonumber(L, 3));
}

/* eye(n): the identity matrix */
static int new_eye(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const size_t n = mn_lua_check_size(L, 1);
  const mn_lua_matrix *m = mn_lua_push_matrix(L, n, n);
  for (size_t i = 0; i < n; i++) m->at[i * n + i] = 1;
  return mn_lua_finish(L, ctx, 1);
}

static void push_filled_vector(lua_State *L)
{
  const size_t n = mn_lua_check_size(L, 1);
  const double value = opt_number(L, 2, 0);
  mn_lua_vector *v = mn_lua_push_raw_vector(L, n);
  fill(v->at, n, value);
  v->whole = lua_isinteger(L, 2) && mn_lua_is_whole(value);
}

/* Vector{ number, ... }; Vector(v), a copy; Vector(n [, fill]) */
static int new_vector(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  lua_settop(L, 2);
  if (lua_type(L, 1) == LUA_TNUMBER) {
    push_filled_vector(L);
    return mn_lua_finish(L, ctx, 1);
  }
  lua_pushvalue(L, 1);
  lua_replace(L, 2);
  const mn_vector x = mn_lua_check_vector(L, ctx, 1);
  if (lua_rawequal(L, 1, 2)) { /* not converted, so copy it */
    const mn_lua_vector *from = mn_lua_test_vector(L, 1);
    mn_lua_vector *out = mn_lua_push_raw_vector(L, x.size);
    mn_lua_copy_strided(x.at, 1, out->at, 1, x.size);
    out->whole = from && from->whole;
  } else {
    lua_settop(L, 1);
  }
  return mn_lua_finish(L, ctx, 1);
}

/* Number of elements of a range; raises when it is infinite or too large. */
static size_t count_steps(lua_State *L, double a, double b, double step)
{
  const double steps = floor((b - a) / step * (1 + 1e-15) + 1e-12);
  luaL_argcheck(L, step > 0 || step < 0, 3, "step must be a number other than 0");
  luaL_argcheck(L, isfinite(a) && isfinite(b) && isfinite(step), 1, "range needs finite numbers");
  luaL_argcheck(L, steps < 9e15, 3, "step is too small for this range");
  return steps >= 0 ? (size_t)steps + 1 : 0;
}

/* range(a, b [, step]) -> Vector of a, a + step, ... up to b inclusive; range(n) is range(1, n) */
static int new_range(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  luaL_checktype(L, 1, LUA_TNUMBER);
  if (lua_isnoneornil(L, 2)) {
    lua_settop(L, 1);
    lua_pushinteger(L, 1);
    lua_insert(L, 1);
  }
  luaL_checktype(L, 2, LUA_TNUMBER);
  lua_settop(L, 3);
  const double a = lua_tonumber(L, 1), b = lua_tonumber(L, 2), step = opt_number(L, 3, 1);
  const bool whole = lua_isinteger(L, 1) && (lua_isnil(L, 3) || lua_isinteger(L, 3));
  const size_t n = count_steps(L, a, b, step);
  mn_lua_vector *v = mn_lua_push_raw_vector(L, n);
  for (size_t i = 0; i < n; i++) v->at[i] = a + (double)i * step;
  v->whole = whole;
  return mn_lua_finish(L, ctx, 1);
}

/* linspace(a, b, n) -> Vector of n equally spaced numbers from a to b inclusive */
static int new_linspace(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  luaL_checktype(L, 1, LUA_TNUMBER);
  luaL_checktype(L, 2, LUA_TNUMBER);
  const double a = lua_tonumber(L, 1), b = lua_tonumber(L, 2);
  const size_t n = mn_lua_check_size(L, 3);
  const mn_lua_vector *v = mn_lua_push_raw_vector(L, n);
  for (size_t i = 0; i < n; i++) v->at[i] = n > 1 ? a + (b - a) * ((double)i / (double)(n - 1)) : a;
  if (n > 1) v->at[n - 1] = b;
  return mn_lua_finish(L, ctx, 1);
}

/* --- random --- */

static const uint64_t values_stream = 0x76616c756573; /* "values"; distinct from the streams of the estimators */

/* Push the result of random or normal: a Matrix when both sizes are given, else a Vector. Returns the number of values
 * at *at. */
static size_t push_random_result(lua_State *L, int arg, double **at)
{
  if (lua_isnoneornil(L, arg + 1)) {
    const mn_lua_vector *v = mn_lua_push_raw_vector(L, mn_lua_check_size(L, arg));
    *at = v->at;
    return v->size;
  }
  const size_t rows = mn_lua_check_size(L, arg), cols = mn_lua_check_size(L, arg + 1);
  const mn_lua_matrix *m = mn_lua_push_raw_matrix(L, rows, cols);
  *at = m->at;
  return rows * cols;
}

static int new_random_by(lua_State *L, double (*draw)(mn_rng *))
{
  enum { POLL_EVERY = 1 << 16 };
  mn_context *ctx = mn_lua_begin(L);
  mn_rng rng = mn_stream(mn_lua_opt_seed(L, 3), values_stream);
  double *at;
  lua_settop(L, 3);
  const size_t n = push_random_result(L, 1, &at);
  for (size_t i = 0; i < n; i++) {
    if (i % POLL_EVERY == 0 && mn_poll(ctx) != MN_OK) return mn_lua_raise(L, ctx);
    at[i] = draw(&rng);
  }
  return mn_lua_finish(L, ctx, 1);
}

/* random(rows, cols [, seed]) -> Matrix of uniform numbers in [0, 1); random(n, nil [, seed]) -> Vector */
static int new_random(lua_State *L)
{
  return new_random_by(L, mn_random_uniform);
}

/* normal(rows, cols [, seed]) -> Matrix of standard normal numbers; normal(n, nil [, seed]) -> Vector */
static int new_normal(lua_State *L)
{
  return new_random_by(L, mn_random_normal);
}

/* permutation(n [, seed]) -> Vector: 1..n in random order */
static int new_permutation(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const size_t n = mn_lua_check_size(L, 1);
  mn_rng rng = mn_stream(mn_lua_opt_seed(L, 2), values_stream);
  mn_lua_vector *v = mn_lua_push_raw_vector(L, n);
  for (size_t i = 0; i < n; i++) v->at[i] = (double)(i + 1);
  for (size_t i = n; i > 1; i--) {
    const size_t j = mn_random_below(&rng, i);
    const double last = v->at[i - 1];
    v->at[i - 1] = v->at[j];
    v->at[j] = last;
  }
  v->whole = true;
  return mn_lua_finish(L, ctx, 1);
}

/* --- concatenation --- */

/* Convert arguments 1..n to matrices with the same number of columns (vertical) or rows, *shared. Returns the sum of
 * their sizes in the other dimension. */
static size_t check_parts(lua_State *L, mn_context *ctx, int n, bool vertical, size_t *shared)
{
  size_t total = 0;
  for (int arg = 1; arg <= n; arg++) {
    if (vertical && mn_lua_test_vector(L, arg)) { /* a Vector is a row here */
      const mn_lua_vector *v = mn_lua_test_vector(L, arg);
      mn_lua_push_matrix_view(L, arg, v->at, 1, v->size, v->size, v->step);
      lua_replace(L, arg);
    }
    const mn_matrix x = mn_lua_check_matrix(L, ctx, arg);
    const size_t size = vertical ? x.cols : x.rows;
    if (arg == 1) *shared = size;
    if (size != *shared)
      luaL_argerror(L, arg,
                    lua_pushfstring(L, "has %I %s, the first has %I", (lua_Integer)size, vertical ? "columns" : "rows",
                                    (lua_Integer)*shared));
    total += vertical ? x.rows : x.cols; /* cannot overflow, since the parts exist */
  }
  return total;
}

/* vcat(X, Y, ...) -> Matrix: concatenated vertically; a Vector is a row */
static int new_vcat(lua_State *L)
{
  const int n = lua_gettop(L);
  mn_context *ctx = mn_lua_begin(L);
  size_t cols = 0;
  luaL_checkstack(L, 8, "too many matrices");
  const size_t rows = check_parts(L, ctx, n, true, &cols);
  double *to = mn_lua_push_raw_matrix(L, rows, cols)->at;
  for (int arg = 1; arg <= n; arg++) {
    const mn_matrix x = mn_lua_check_matrix(L, ctx, arg);
    if (x.rows * cols > 0) memcpy(to, x.at, x.rows * cols * sizeof *to);
    to += x.rows * cols;
  }
  return mn_lua_finish(L, ctx, 1);
}

/* hcat(X, Y, ...) -> Matrix: concatenated horizontally; a Vector is a column */
static int new_hcat(lua_State *L)
{
  const int n = lua_gettop(L);
  mn_context *ctx = mn_lua_begin(L);
  size_t rows = 0;
  luaL_checkstack(L, 8, "too many matrices");
  const size_t cols = check_parts(L, ctx, n, false, &rows);
  const mn_lua_matrix *out = mn_lua_push_raw_matrix(L, rows, cols);
  size_t first = 0;
  for (int arg = 1; arg <= n; arg++) {
    const mn_matrix x = mn_lua_check_matrix(L, ctx, arg);
    for (size_t i = 0; i < rows; i++) mn_lua_copy_strided(x.at + i * x.cols, 1, out->at + i * cols + first, 1, x.cols);
    first += x.cols;
  }
  return mn_lua_finish(L, ctx, 1);
}

/* --- unset --- */

#define UNSET "manilius.unset"

bool mn_lua_is_unset(lua_State *L, int arg)
{
  return luaL_testudata(L, arg, UNSET) != NULL;
}

static int unset_tostring(lua_State *L)
{
  lua_pushliteral(L, "unset");
  return 1;
}

static void push_unset(lua_State *L)
{
  lua_newuserdatauv(L, 0, 0);
  luaL_newmetatable(L, UNSET);
  lua_pushcfunction(L, unset_tostring);
  lua_setfield(L, -2, "__tostring");
  lua_pushliteral(L, "unset");
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
}

/* --- lists --- */

#define LIST "manilius.List"

void mn_lua_set_list_metatable(lua_State *L)
{
  luaL_newmetatable(L, LIST); /* lua/manilius adds __tostring */
  lua_setmetatable(L, -2);
}

int mn_lua_open_values(lua_State *L)
{
  static const luaL_Reg functions[] = {
    { "Matrix", new_matrix },
    { "Vector", new_vector },
    { "zeros", new_zeros },
    { "ones", new_ones },
    { "full", new_full },
    { "eye", new_eye },
    { "range", new_range },
    { "linspace", new_linspace },
    { "random", new_random },
    { "normal", new_normal },
    { "permutation", new_permutation },
    { "vcat", new_vcat },
    { "hcat", new_hcat },
    { "screen", mn_lua_screen_width },
    { "member_names", mn_lua_member_names },
    { NULL, NULL },
  };
  mn_lua_open_state(L);
  luaL_newlib(L, functions);
  luaL_newmetatable(L, LIST);
  lua_setfield(L, -2, "list_meta");
  push_unset(L);
  lua_setfield(L, -2, "unset");
  mn_lua_define_matrix(L);
  mn_lua_define_vector(L);
  mn_lua_define_factor(L);
  mn_lua_define_sparse(L);
  return 1;
}
