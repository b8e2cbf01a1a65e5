#include "ensembles.h"
#include "../math/row_softmax.h"
#include "../math/running_median.h"
#include <string.h>

/* running_medians(X, weights, stages) -> Vector: of each row of X the weighted median; with stages = true a Matrix,
 * whose column m has those of the first m columns of X */
static int running_medians(lua_State *L)
{
  lua_settop(L, 3);
  mn_context *ctx = mn_lua_context(L);
  const mn_matrix x = mn_lua_check_matrix(L, ctx, 1);
  const mn_vector weight = mn_lua_check_vector(L, ctx, 2);
  const bool stages = lua_toboolean(L, 3);
  luaL_argcheck(L, x.cols > 0 && weight.size == x.cols, 2, "must have a weight for each column, at least one");
  double *out = stages ? mn_lua_push_raw_matrix(L, x.rows, x.cols)->at : mn_lua_push_raw_vector(L, x.rows)->at;
  if (mn_running_medians(ctx, x.rows, x.cols, x.at, weight.at, stages, out) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_done(L, ctx, 1);
}

/* log_softmax(X) -> Matrix: of each row of scores the logarithms of probabilities */
static int log_softmax(lua_State *L)
{
  lua_settop(L, 1);
  mn_context *ctx = mn_lua_context(L);
  const mn_matrix x = mn_lua_check_matrix(L, ctx, 1);
  luaL_argcheck(L, x.cols > 0, 1, "must have a column at least");
  double *out = mn_lua_push_raw_matrix(L, x.rows, x.cols)->at;
  if (x.rows > 0) memcpy(out, x.at, x.rows * x.cols * sizeof *out);
  mn_row_log_softmax(x.rows, x.cols, out);
  return mn_lua_done(L, ctx, 1);
}

void mn_lua_open_ensembles(lua_State *L)
{
  lua_pushcfunction(L, log_softmax);
  lua_setfield(L, -2, "log_softmax");
  lua_pushcfunction(L, running_medians);
  lua_setfield(L, -2, "running_medians");
}
