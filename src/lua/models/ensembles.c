#include "ensembles.h"
#include "../values/values.h"
#include "../../optim/brent.h"
#include "../../linalg/row_softmax.h"
#include "../../stats/running_median.h"
#include <math.h>
#include <string.h>

/* running_medians(X, weights, stages) -> Vector of the weighted medians of the rows of X; with stages = true, a Matrix
 * whose column m has the medians of the first m columns of X */
static int running_medians(lua_State *L)
{
  lua_settop(L, 3);
  mn_context *ctx = mn_lua_begin(L);
  const mn_matrix x = mn_lua_check_matrix(L, ctx, 1);
  const mn_vector weight = mn_lua_check_vector(L, ctx, 2);
  const bool stages = lua_toboolean(L, 3);
  luaL_argcheck(L, x.cols > 0 && weight.size == x.cols, 2, "must have a weight for each column, at least one");
  double *out = stages ? mn_lua_push_raw_matrix(L, x.rows, x.cols)->at : mn_lua_push_raw_vector(L, x.rows)->at;
  if (mn_weighted_row_medians(ctx, x.rows, x.cols, x.at, weight.at, stages, out) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

/* log_softmax(X) -> Matrix of log probabilities from rows of scores */
static int log_softmax(lua_State *L)
{
  lua_settop(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  const mn_matrix x = mn_lua_check_matrix(L, ctx, 1);
  luaL_argcheck(L, x.cols > 0, 1, "must have at least one column");
  double *out = mn_lua_push_raw_matrix(L, x.rows, x.cols)->at;
  if (x.rows > 0) memcpy(out, x.at, x.rows * x.cols * sizeof *out);
  mn_row_log_softmax(x.rows, x.cols, out);
  return mn_lua_finish(L, ctx, 1);
}

/* The objective of minimize: the Lua function at 1. */
struct objective {
  lua_State *L;
  bool failed;
};

/* f(x). After an error, which stays on the stack, f is not called again. */
static double evaluate(void *user, double x)
{
  struct objective *o = user;
  if (o->failed) return (double)NAN;
  lua_pushvalue(o->L, 1);
  lua_pushnumber(o->L, x);
  o->failed = lua_pcall(o->L, 1, 1, 0) != LUA_OK;
  if (o->failed) return (double)NAN;
  const double value = lua_tonumber(o->L, -1);
  lua_pop(o->L, 1);
  return value;
}

/* minimize(f, low, high) -> x, f(x) at a local minimum in an interval; NaN counts as infinity */
static int minimize(lua_State *L)
{
  struct objective o = { .L = L };
  double x = 0, value = 0;
  luaL_checktype(L, 1, LUA_TFUNCTION);
  const double low = luaL_checknumber(L, 2), high = luaL_checknumber(L, 3);
  luaL_argcheck(L, isfinite(low) && isfinite(high), 2, "low and high must be finite");
  lua_settop(L, 3);
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  mn_brent_minimize(NULL, evaluate, &o, low, high, 0, &x, &value); /* fails only for bounds that are not finite */
  if (o.failed) return lua_error(L);
  lua_pushnumber(L, x);
  lua_pushnumber(L, value);
  return 2;
}

void mn_lua_open_ensembles(lua_State *L)
{
  lua_pushcfunction(L, log_softmax);
  lua_setfield(L, -2, "log_softmax");
  lua_pushcfunction(L, minimize);
  lua_setfield(L, -2, "minimize");
  lua_pushcfunction(L, running_medians);
  lua_setfield(L, -2, "running_medians");
}
