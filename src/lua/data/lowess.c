#include "lowess.h"
#include "../../stats/lowess.h"
#include "../../stats/argsort.h"

/* Sort x and y by x; `order` is the permutation. */
static mn_status sort_points(mn_context *ctx, mn_vector x, mn_vector y, size_t *order, double *xs, double *ys)
{
  MN_TRY(mn_argsort(ctx, x.size, x.at, 1, order));
  for (size_t i = 0; i < x.size; i++) {
    xs[i] = x.at[order[i]];
    ys[i] = y.at[order[i]];
  }
  return MN_OK;
}

/* lowess(x, y, fraction, rounds, delta) -> Vectors of x in ascending order and of the fitted values. x and y are
 * finite, of equal length and not empty; delta is a fraction of the range of x. */
static int lowess(lua_State *L)
{
  lua_settop(L, 5);
  mn_context *ctx = mn_lua_begin(L);
  const mn_vector x = mn_lua_check_vector(L, ctx, 1), y = mn_lua_check_vector(L, ctx, 2);
  mn_lowess options = { .fraction = luaL_checknumber(L, 3), .delta = luaL_checknumber(L, 5) };
  const lua_Integer rounds = luaL_checkinteger(L, 4);
  luaL_argcheck(L, x.size > 0 && x.size == y.size, 2, "must have as many values as x, at least one");
  luaL_argcheck(L, options.fraction > 0 && options.fraction <= 1, 3, "must be above 0 and at most 1");
  luaL_argcheck(L, rounds >= 0, 4, "must be >= 0");
  luaL_argcheck(L, options.delta >= 0, 5, "must be >= 0");
  options.rounds = (size_t)rounds;
  double *xs = mn_lua_push_vector(L, x.size)->at, *fitted = mn_lua_push_vector(L, x.size)->at;
  size_t *order = MN_RAW(ctx, size_t, x.size, 1);
  double *ys = MN_RAW(ctx, double, x.size, 1);
  if (!order || !ys || sort_points(ctx, x, y, order, xs, ys) != MN_OK) return mn_lua_raise(L, ctx);
  options.delta *= xs[x.size - 1] - xs[0];
  if (mn_lowess_fit(ctx, &options, x.size, xs, ys, fitted) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 2);
}

void mn_lua_open_lowess(lua_State *L)
{
  lua_pushcfunction(L, lowess);
  lua_setfield(L, -2, "lowess");
}
