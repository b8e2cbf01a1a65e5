#include "kernel.h"
#include "../../model/model.h"
#include "../values/userdata.h"
#include "../params/anchors.h"
#include "../params/kernel_nodes.h"
#include "../params/kernel_userdata.h"
#include "model_userdata.h"
#include <math.h>
#include <string.h>

/* text(k) -> its formula */
static int text_of(lua_State *L)
{
  const mn_kernel *k = mn_lua_check_kernel(L, 1);
  const size_t size = mn_kernel_text(k, NULL, 0) + 1;
  char *text = mn_lua_push_buffer(L, 1, size);
  mn_kernel_text(k, text, size);
  lua_pushstring(L, text);
  return 1;
}

static int equal(lua_State *L)
{
  const mn_kernel *a = mn_lua_test_kernel(L, 1), *b = mn_lua_test_kernel(L, 2);
  lua_pushboolean(L, a && b && mn_kernel_equal(a, b));
  return 1;
}

/* theta_names(k) -> names of the elements of theta */
static int theta_names(lua_State *L)
{
  const mn_kernel *k = mn_lua_check_kernel(L, 1);
  const size_t n = mn_kernel_free_count(k);
  char text[96];
  lua_createtable(L, (int)n, 0);
  for (size_t j = 0; j < n; j++) {
    lua_pushstring(L, mn_kernel_theta_name(k, j, text, sizeof text));
    lua_rawseti(L, -2, (lua_Integer)j + 1);
  }
  mn_lua_set_list_metatable(L);
  return 1;
}

/* theta(k) -> Vector; bounds(k) -> Matrix of its bounds, one row each */
static int theta_of(lua_State *L)
{
  const mn_kernel *k = mn_lua_check_kernel(L, 1);
  mn_kernel_theta(k, mn_lua_push_vector(L, mn_kernel_free_count(k))->at);
  return 1;
}

static int bounds_of(lua_State *L)
{
  const mn_kernel *k = mn_lua_check_kernel(L, 1);
  const size_t n = mn_kernel_free_count(k);
  double *low = mn_lua_push_zeroed_buffer(L, sizeof *low, n), *high = mn_lua_push_zeroed_buffer(L, sizeof *high, n);
  const mn_lua_matrix *out = mn_lua_push_matrix(L, n, 2);
  mn_kernel_bounds(k, low, high);
  for (size_t j = 0; j < n; j++) {
    out->at[2 * j] = low[j];
    out->at[2 * j + 1] = high[j];
  }
  return 1;
}

/* with_theta(k, theta) -> Kernel */
static int with_theta(lua_State *L)
{
  lua_settop(L, 2);
  const mn_kernel *k = mn_lua_check_kernel(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  mn_lua_convert_argument(L, 2, MN_KIND_VECTOR, "with_theta", "theta");
  const mn_vector theta = mn_lua_check_vector(L, ctx, 2);
  if (theta.size != mn_kernel_free_count(k))
    return luaL_error(L, "with_theta: theta must have %d values, got %d", (int)mn_kernel_free_count(k),
                      (int)theta.size);
  mn_kernel *out = mn_lua_push_kernel(L);
  if (mn_kernel_copy(ctx, k, out) != MN_OK) return mn_lua_raise(L, ctx);
  mn_kernel_set_theta(out, theta.at);
  if (mn_kernel_validate(ctx, "with_theta", out) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

/* combine("+" or "*", a, b) -> Kernel; power(a, exponent) -> Kernel */
static int combine(lua_State *L)
{
  lua_settop(L, 3);
  const char *part = luaL_checkstring(L, 1);
  double exponent = 0;
  const mn_kernel_op op = mn_kernel_find_part(part, strlen(part), &exponent);
  const mn_kernel *a = mn_lua_check_kernel(L, 2), *b = mn_lua_check_kernel(L, 3);
  luaL_argcheck(L, op == MN_KERNEL_SUM || op == MN_KERNEL_PRODUCT, 1, "must be + or *");
  mn_context *ctx = mn_lua_begin(L);
  mn_kernel *out = mn_lua_push_kernel(L);
  if (mn_kernel_combine(ctx, op, a, b, out) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

static int power(lua_State *L)
{
  lua_settop(L, 2);
  const mn_kernel *a = mn_lua_check_kernel(L, 1);
  const double exponent = luaL_checknumber(L, 2);
  mn_context *ctx = mn_lua_begin(L);
  mn_kernel *out = mn_lua_push_kernel(L);
  if (mn_kernel_power(ctx, a, exponent, out) != MN_OK || mn_kernel_validate(ctx, "kernel", out) != MN_OK)
    return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

/* --- evaluation --- */

/* The rows at `arg`: a Sparse, or what converts to a Matrix, of finite numbers. */
static mn_kernel_rows check_rows(lua_State *L, mn_context *ctx, int arg, const char *what)
{
  char number[MN_NUMBER_SIZE];
  const mn_csr *s = mn_lua_test_sparse(L, arg);
  mn_kernel_rows rows;
  if (s) {
    rows = (mn_kernel_rows){ .n = s->rows, .d = s->cols, .sparse = s };
  } else {
    mn_lua_convert_argument(L, arg, MN_KIND_MATRIX, "kernel", what);
    const mn_matrix x = mn_lua_check_matrix(L, ctx, arg);
    rows = (mn_kernel_rows){ .n = x.rows, .d = x.cols, .x = x.at };
  }
  const size_t n = s ? s->start[s->rows] : rows.n * rows.d;
  const double *values = s ? s->at : rows.x;
  for (size_t i = 0; i < n; i++)
    if (!isfinite(values[i])) {
      const size_t row = s ? 0 : i / rows.d + 1, column = s ? (size_t)s->col[i] + 1 : i % rows.d + 1;
      if (s)
        luaL_error(L, "kernel: %s must be finite, got %s in column %d", what, mn_format_number(number, values[i]),
                   (int)column);
      luaL_error(L, "kernel: %s must be finite, got %s in row %d, column %d", what, mn_format_number(number, values[i]),
                 (int)row, (int)column);
    }
  if (rows.d == 0) luaL_error(L, "kernel: %s must have columns", what);
  return rows;
}

/* Push a copy of the kernel at 1 that fits d columns with the names in the list at `arg`, or nil. */
static const mn_kernel *fit_columns(lua_State *L, mn_context *ctx, int arg, size_t d)
{
  const mn_kernel *k = mn_lua_check_kernel(L, 1);
  const char **names = NULL;
  mn_kernel *copy = mn_lua_push_kernel(L);
  if (lua_istable(L, arg)) {
    names = mn_lua_push_buffer(L, sizeof *names, d);
    for (size_t j = 0; j < d; j++) {
      if (lua_rawgeti(L, arg, (lua_Integer)j + 1) != LUA_TSTRING) luaL_error(L, "kernel: X has too few column names");
      names[j] = lua_tostring(L, -1); /* kept by the list */
      lua_pop(L, 1);
    }
  }
  if (mn_kernel_copy(ctx, k, copy) != MN_OK || mn_kernel_find_columns(ctx, "kernel", copy, names, d) != MN_OK ||
      mn_kernel_check(ctx, "kernel", copy, d) != MN_OK)
    mn_lua_raise(L, ctx);
  return copy;
}

/* matrix(k, X, Y or nil, names or nil) -> Matrix */
static int matrix(lua_State *L)
{
  lua_settop(L, 4);
  mn_lua_check_kernel(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  const bool cross = !lua_isnil(L, 3);
  const mn_kernel_rows a = check_rows(L, ctx, 2, "X"), b = cross ? check_rows(L, ctx, 3, "Y") : a;
  const mn_kernel *k = fit_columns(L, ctx, 4, a.d);
  const bool precomputed = mn_kernel_has(k, MN_KERNEL_PRECOMPUTED);
  if (a.d != b.d) return luaL_error(L, "kernel: X and Y must have the same columns, got %d and %d", (int)a.d, (int)b.d);
  if (precomputed && !cross && a.n != a.d)
    return luaL_error(L, "kernel Precomputed: X must be square, got %d x %d", (int)a.n, (int)a.d);
  mn_lua_matrix *out = mn_lua_push_matrix(L, a.n, b.n);
  const mn_status status =
      cross ? mn_kernel_cross(ctx, k, &a, &b, out->at, b.n) : mn_kernel_matrix(ctx, k, &a, out->at, b.n);
  if (status != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

/* diagonal(k, X, names or nil) -> Vector */
static int diagonal(lua_State *L)
{
  lua_settop(L, 3);
  mn_lua_check_kernel(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  const mn_kernel_rows rows = check_rows(L, ctx, 2, "X");
  const mn_kernel *k = fit_columns(L, ctx, 3, rows.d);
  mn_lua_vector *out = mn_lua_push_vector(L, rows.n);
  if (mn_kernel_diagonal(ctx, k, &rows, out->at) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

/* gradient(k, X, names or nil) -> list of Matrix, one for each element of theta */
static int gradient(lua_State *L)
{
  lua_settop(L, 3);
  mn_lua_check_kernel(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  const mn_kernel_rows rows = check_rows(L, ctx, 2, "X");
  const mn_kernel *k = fit_columns(L, ctx, 3, rows.d);
  const size_t n = rows.n, thetas = mn_kernel_free_count(k);
  mn_lua_matrix *all = mn_lua_push_matrix(L, thetas * n, n);
  const int owner = lua_gettop(L);
  lua_createtable(L, (int)thetas, 0);
  for (size_t j = 0; j < thetas; j++) {
    mn_lua_push_matrix_view(L, owner, all->at + j * n * n, n, n, n, 1);
    lua_rawseti(L, -2, (lua_Integer)j + 1);
  }
  if (mn_kernel_gradient(ctx, k, &rows, all->at) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

/* gradient_dot(k, X, W, names or nil) -> Vector of sum_ab W_ab dK_ab / dtheta_j */
static int gradient_dot(lua_State *L)
{
  lua_settop(L, 4);
  mn_lua_check_kernel(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  const mn_kernel_rows rows = check_rows(L, ctx, 2, "X");
  mn_lua_convert_argument(L, 3, MN_KIND_MATRIX, "kernel", "W");
  const mn_matrix w = mn_lua_check_matrix(L, ctx, 3);
  const mn_kernel *k = fit_columns(L, ctx, 4, rows.d);
  if (w.rows != rows.n || w.cols != rows.n)
    return luaL_error(L, "gradient_dot: W must be %d x %d, got %d x %d", (int)rows.n, (int)rows.n, (int)w.rows,
                      (int)w.cols);
  mn_lua_matrix *both = mn_lua_push_matrix(L, w.rows, w.cols);
  for (size_t i = 0; i < w.rows; i++)
    for (size_t j = 0; j <= i; j++) both->at[i * w.cols + j] = (w.at[i * w.cols + j] + w.at[j * w.cols + i]) / 2;
  mn_lua_vector *out = mn_lua_push_vector(L, mn_kernel_free_count(k));
  if (mn_kernel_gradient_dot(ctx, k, &rows, both->at, w.cols, out->at) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

/* is_lua(model) -> whether a kernel among its parameters is a Lua function */
static int is_lua(lua_State *L)
{
  bool found = false;
  if (mn_lua_is_model(L, 1)) {
    const mn_estimator *model = mn_settings(mn_lua_pin_model(L, 1));
    for (const mn_param *p = model->class->params; p && p->name; p++)
      if (p->kind == MN_KIND_KERNEL)
        found = found || mn_kernel_has((const mn_kernel *)mn_member(model, p->offset), MN_KERNEL_FUNCTION);
  }
  lua_pushboolean(L, found);
  return 1;
}

/* needs_square(model) -> mn_needs_square_x */
static int needs_square(lua_State *L)
{
  lua_pushboolean(L, mn_lua_is_model(L, 1) && mn_needs_square_x(mn_settings(mn_lua_pin_model(L, 1))));
  return 1;
}

void mn_lua_open_kernel(lua_State *L)
{
  static const luaL_Reg functions[] = { { "build", mn_lua_kernel_build },
                                        { "nodes", mn_lua_kernel_nodes },
                                        { "text", text_of },
                                        { "equal", equal },
                                        { "theta", theta_of },
                                        { "bounds", bounds_of },
                                        { "theta_names", theta_names },
                                        { "with_theta", with_theta },
                                        { "combine", combine },
                                        { "power", power },
                                        { "matrix", matrix },
                                        { "diagonal", diagonal },
                                        { "gradient", gradient },
                                        { "gradient_dot", gradient_dot },
                                        { "is_lua", is_lua },
                                        { "needs_square", needs_square },
                                        { NULL, NULL } };
  mn_lua_define_kernel(L);
  luaL_newlib(L, functions);
  lua_insert(L, -2);
  lua_setfield(L, -2, "metatable"); /* lua/manilius/init.lua fills it and removes the field */
  lua_setfield(L, -2, "kernel");
}
