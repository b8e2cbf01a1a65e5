/* Multivariate distributions. lua/manilius/dist/multivariate.lua has checked the parameters, a table with `vector`,
 * `factor` or nil, `trials` or nil. */
#include "../../factorization/lapack.h"
#include "../../stats/multivariate.h"
#include "distribution.h"
#include "../values/userdata.h"
#include "../values/values.h"
#include <float.h>
#include <string.h>

static const mn_multivariate_kind *check_kind(lua_State *L, int arg)
{
  const char *name = luaL_checkstring(L, arg);
  for (const mn_multivariate_kind *k = mn_multivariate_kinds; k->name; k++)
    if (strcmp(k->name, name) == 0) return k;
  luaL_argerror(L, arg, "there is no such distribution");
  return NULL;
}

/* Read the parameters; they point to values that stay on the stack. */
static mn_multivariate check_multi(lua_State *L, mn_context *ctx, const mn_multivariate_kind *kind, int arg)
{
  mn_multivariate d = { 0 };
  luaL_checktype(L, arg, LUA_TTABLE);
  lua_getfield(L, arg, "vector");
  const mn_vector v = mn_lua_check_vector(L, ctx, lua_gettop(L));
  d.vector = v.at;
  d.size = v.size;
  if (lua_getfield(L, arg, "factor") != LUA_TNIL) {
    const mn_matrix m = mn_lua_check_matrix(L, ctx, lua_gettop(L));
    luaL_argcheck(L, m.rows == d.size && m.cols == d.size, arg, "factor must have the size of vector");
    d.factor = m.at;
  }
  luaL_argcheck(L, d.factor || strcmp(kind->name, "normal") != 0, arg, "must have a factor");
  lua_getfield(L, arg, "trials");
  d.trials = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : 0;
  luaL_argcheck(L, d.trials >= 0 && d.trials <= 0x1p53, arg, "trials must be from 0 to 2^53");
  return d;
}

/* Whether the conditional variance of each variable given those before it exceeds the rounding error. */
static bool is_definite(const mn_matrix *covariance, const double *l)
{
  const size_t n = covariance->rows;
  for (size_t j = 0; j < n; j++)
    if (!(l[j * n + j] * l[j * n + j] > 4 * (double)n * DBL_EPSILON * mn_row(covariance, j)[j])) return false;
  return true;
}

/* multi_factor(covariance) -> Matrix L with L L' = covariance; nil when it is not positive definite */
static int factor(lua_State *L)
{
  lua_settop(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  const mn_matrix m = mn_lua_check_matrix(L, ctx, 1);
  luaL_argcheck(L, m.rows == m.cols, 1, "must be a square matrix");
  mn_lua_matrix *out = mn_lua_push_matrix(L, m.rows, m.cols);
  size_t minor = 0;
  if (m.rows > 0) memcpy(out->at, m.at, m.rows * m.cols * sizeof *m.at);
  if (mn_chol_try(ctx, m.rows, out->at, NULL, &minor) != MN_OK) return mn_lua_raise(L, ctx);
  if (minor > 0 || !is_definite(&m, out->at)) lua_pushnil(L);
  return mn_lua_finish(L, ctx, 1);
}

/* multi_log_density(kind, parameters, X) -> Vector */
static int log_density(lua_State *L)
{
  lua_settop(L, 3);
  const mn_multivariate_kind *kind = check_kind(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  const mn_matrix x = mn_lua_check_matrix(L, ctx, 3);
  const mn_multivariate d = check_multi(L, ctx, kind, 2);
  luaL_argcheck(L, x.cols == d.size, 3, "must have as many columns as the distribution has variables");
  const mn_lua_vector *out = mn_lua_push_vector(L, x.rows);
  if (kind->log_density(ctx, &d, x.rows, x.at, out->at) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

/* multi_sample(kind, parameters, n, seed) -> Matrix */
static int sample(lua_State *L)
{
  static const uint64_t multi_streams = 0x6d756c74; /* "mult" */
  lua_settop(L, 4);
  const mn_multivariate_kind *kind = check_kind(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  const mn_multivariate d = check_multi(L, ctx, kind, 2);
  const size_t n = mn_lua_check_size(L, 3);
  mn_rng rng = mn_stream(mn_lua_opt_seed(L, 4), multi_streams);
  const mn_lua_matrix *out = mn_lua_push_matrix(L, n, d.size);
  if (kind->sample(ctx, &d, n, &rng, out->at) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

/* multi_moments(kind, parameters) -> Vector mean, Matrix covariance */
static int moments(lua_State *L)
{
  lua_settop(L, 2);
  const mn_multivariate_kind *kind = check_kind(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  const mn_multivariate d = check_multi(L, ctx, kind, 2);
  const mn_lua_vector *mean = mn_lua_push_vector(L, d.size);
  const mn_lua_matrix *covariance = mn_lua_push_matrix(L, d.size, d.size);
  kind->mean(&d, mean->at);
  kind->covariance(&d, covariance->at);
  return mn_lua_finish(L, ctx, 2);
}

/* multi_information(kind, parameters [, other]) -> entropy, or Kullback-Leibler divergence from the other */
static int information(lua_State *L)
{
  lua_settop(L, 3);
  const mn_multivariate_kind *kind = check_kind(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  const mn_multivariate d = check_multi(L, ctx, kind, 2);
  double value;
  if (lua_isnil(L, 3)) {
    value = kind->entropy(&d);
  } else {
    const mn_multivariate other = check_multi(L, ctx, kind, 3);
    luaL_argcheck(L, other.size == d.size, 3, "must have the same number of variables");
    if (kind->kl(ctx, &d, &other, &value) != MN_OK) return mn_lua_raise(L, ctx);
  }
  lua_pushnumber(L, value);
  return mn_lua_finish(L, ctx, 1);
}

/* multi_fit(kind, X, weights or nil) -> Vector, Matrix covariance (of the normal), number trials */
static int fit(lua_State *L)
{
  lua_settop(L, 3);
  const mn_multivariate_kind *kind = check_kind(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  const mn_matrix x = mn_lua_check_matrix(L, ctx, 2);
  mn_vector w = { 0 };
  double trials = 0;
  if (!lua_isnil(L, 3)) w = mn_lua_check_vector(L, ctx, 3);
  luaL_argcheck(L, !w.at || w.size == x.rows, 3, "must have as many weights as X has rows");
  const mn_lua_vector *vector = mn_lua_push_vector(L, x.cols);
  const mn_lua_matrix *covariance = mn_lua_push_matrix(L, x.cols, x.cols);
  if (kind->fit(ctx, x.rows, x.cols, x.at, w.at, vector->at, covariance->at, &trials) != MN_OK)
    return mn_lua_raise(L, ctx);
  lua_pushnumber(L, trials);
  return mn_lua_finish(L, ctx, 3);
}

void mn_lua_open_multivariate(lua_State *L)
{
  static const luaL_Reg parts[] = { { "multi_factor", factor },
                                    { "multi_log_density", log_density },
                                    { "multi_sample", sample },
                                    { "multi_moments", moments },
                                    { "multi_fit", fit },
                                    { "multi_information", information },
                                    { NULL, NULL } };
  luaL_setfuncs(L, parts, 0);
}
