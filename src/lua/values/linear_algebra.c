/* Methods of Matrix: solve, inverse, pinv, svd, cov, corr. */
#include "../../factorization/dense.h"
#include "../../factorization/lapack.h"
#include "../../linalg/product.h"
#include "../../stats/correlation.h"
#include "userdata.h"
#include <math.h>
#include <string.h>

/* Raise the error of the context as that of the method `name`. */
static int raise_error(lua_State *L, mn_context *ctx, const char *name)
{
  mn_prefix_error(ctx, name);
  return mn_lua_raise(L, ctx);
}

static mn_matrix check_square(lua_State *L, mn_context *ctx, const char *name)
{
  mn_lua_checkudata_matrix(L, 1);
  const mn_matrix a = mn_lua_check_matrix(L, ctx, 1);
  if (a.rows != a.cols)
    luaL_error(L, "%s: the matrix must be square, got %d x %d; use pinv", name, (int)a.rows, (int)a.cols);
  return a;
}

/* A:solve(B) -> X with A X = B; a Vector if B is one */
static int solve(lua_State *L)
{
  lua_settop(L, 2);
  mn_context *ctx = mn_lua_begin(L);
  const mn_matrix a = check_square(L, ctx, "solve");
  const bool is_vector = mn_lua_test_vector(L, 2) != NULL ||
                         (lua_istable(L, 2) && lua_geti(L, 2, 1) == LUA_TNUMBER && !mn_lua_is_frame(L, 2));
  lua_settop(L, 2);
  if (is_vector) {
    const mn_vector b = mn_lua_check_vector(L, ctx, 2);
    luaL_argcheck(L, b.size == a.rows, 2, "must have as many values as the matrix has rows");
    double *x = mn_lua_push_vector(L, b.size)->at;
    if (mn_solve(ctx, a.rows, 1, a.at, b.at, x) != MN_OK) return raise_error(L, ctx, "solve");
    return mn_lua_finish(L, ctx, 1);
  }
  const mn_matrix b = mn_lua_check_matrix(L, ctx, 2);
  luaL_argcheck(L, b.rows == a.rows, 2, "must have as many rows as the matrix");
  double *x = mn_lua_push_matrix(L, b.rows, b.cols)->at;
  if (mn_solve(ctx, a.rows, b.cols, a.at, b.at, x) != MN_OK) return raise_error(L, ctx, "solve");
  return mn_lua_finish(L, ctx, 1);
}

/* A:inverse() */
static int inverse(lua_State *L)
{
  lua_settop(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  const mn_matrix a = check_square(L, ctx, "inverse");
  double *x = mn_lua_push_matrix(L, a.rows, a.rows)->at;
  double *identity = mn_lua_push_zeroed_buffer(L, sizeof *identity, a.rows * a.rows);
  for (size_t i = 0; i < a.rows; i++) identity[i * a.rows + i] = 1;
  if (mn_solve(ctx, a.rows, a.rows, a.at, identity, x) != MN_OK) return raise_error(L, ctx, "inverse");
  lua_pop(L, 1);
  return mn_lua_finish(L, ctx, 1);
}

/* A:pinv([tolerance]) */
static int pinv(lua_State *L)
{
  lua_settop(L, 2);
  mn_context *ctx = mn_lua_begin(L);
  mn_lua_checkudata_matrix(L, 1);
  const mn_matrix a = mn_lua_check_matrix(L, ctx, 1);
  const double tolerance = luaL_optnumber(L, 2, -1);
  luaL_argcheck(L, lua_isnil(L, 2) || (tolerance >= 0 && tolerance < 1), 2, "must be >= 0 and below 1");
  double *out = mn_lua_push_matrix(L, a.cols, a.rows)->at;
  if (mn_pinv(ctx, a.rows, a.cols, a.at, tolerance, out) != MN_OK) return raise_error(L, ctx, "pinv");
  return mn_lua_finish(L, ctx, 1);
}

/* A:svd() -> U, s, V with A = U diag(s) V' */
static int svd(lua_State *L)
{
  lua_settop(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  mn_lua_checkudata_matrix(L, 1);
  const mn_matrix a = mn_lua_check_matrix(L, ctx, 1);
  const size_t k = a.rows < a.cols ? a.rows : a.cols;
  double *u = mn_lua_push_matrix(L, a.rows, k)->at, *s = mn_lua_push_vector(L, k)->at;
  double *v = mn_lua_push_matrix(L, a.cols, k)->at;
  double *vt = mn_lua_push_buffer(L, sizeof *vt, k * a.cols);
  if (mn_svd(ctx, a.rows, a.cols, a.at, u, s, vt) != MN_OK) return raise_error(L, ctx, "svd");
  for (size_t i = 0; i < k; i++)
    for (size_t j = 0; j < a.cols; j++) v[j * k + i] = vt[i * a.cols + j];
  lua_pop(L, 1);
  return mn_lua_finish(L, ctx, 3);
}

/* X:cov([ddof]) -> covariance matrix of the columns */
static int cov(lua_State *L)
{
  lua_settop(L, 2);
  mn_context *ctx = mn_lua_begin(L);
  mn_lua_checkudata_matrix(L, 1);
  const mn_matrix x = mn_lua_check_matrix(L, ctx, 1);
  const double divisor = (double)x.rows - luaL_optnumber(L, 2, 1);
  double *out = mn_lua_push_matrix(L, x.cols, x.cols)->at;
  if (mn_gram(ctx, x.rows, x.cols, x.at, x.cols, 0, NULL, 0, NULL, true, NULL, NULL, out, x.cols) != MN_OK)
    return raise_error(L, ctx, "cov");
  for (size_t i = 0; i < x.cols * x.cols; i++) out[i] = divisor > 0 ? out[i] / divisor : (double)NAN;
  return mn_lua_finish(L, ctx, 1);
}

/* X:corr([method]) -> correlation matrix of the columns */
static int corr(lua_State *L)
{
  static const char *const methods[] = { "pearson", "spearman", "kendall" }; /* as in mn_correlation */
  lua_settop(L, 2);
  mn_context *ctx = mn_lua_begin(L);
  mn_lua_checkudata_matrix(L, 1);
  const mn_matrix x = mn_lua_check_matrix(L, ctx, 1);
  const char *name = luaL_optstring(L, 2, methods[0]);
  int method = 0;
  while (method < 3 && strcmp(name, methods[method]) != 0) method++;
  if (method == 3) return luaL_error(L, "corr: method must be pearson, spearman or kendall, got %s", name);
  double *out = mn_lua_push_matrix(L, x.cols, x.cols)->at;
  if (mn_correlation_matrix(ctx, (mn_correlation)method, x.rows, x.cols, x.at, out) != MN_OK)
    return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

const luaL_Reg mn_lua_linear_algebra[] = { { "solve", solve }, { "inverse", inverse }, { "pinv", pinv }, { "svd", svd },
                                           { "cov", cov },     { "corr", corr },       { NULL, NULL } };
