#include "medians.h"
#include "../math/running_median.h"

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

void mn_lua_open_medians(lua_State *L)
{
  lua_pushcfunction(L, running_medians);
  lua_setfield(L, -2, "running_medians");
}
