#include "sensing.h"
#include "../../compressed_sensing/amp.h"
#include <math.h>

enum { MOST_STEPS = 1000000 };

/* The arguments from `arg` on: denoiser, alpha, share, scale. */
static mn_denoiser check_denoiser(lua_State *L, int arg)
{
  static const char *const kinds[] = { "soft", "mmse", NULL };
  const mn_denoiser d = { .kind = (mn_denoiser_kind)luaL_checkoption(L, arg, "soft", kinds),
                          .alpha = luaL_checknumber(L, arg + 1),
                          .share = luaL_checknumber(L, arg + 2),
                          .scale = luaL_checknumber(L, arg + 3) };
  luaL_argcheck(L, d.alpha >= 0 && d.alpha < HUGE_VAL, arg + 1, "must be >= 0");
  luaL_argcheck(L, d.share > 0 && d.share < 1, arg + 2, "must be between 0 and 1");
  luaL_argcheck(L, d.scale > 0 && d.scale < HUGE_VAL, arg + 3, "must be > 0");
  return d;
}

static size_t check_steps(lua_State *L, int arg)
{
  const lua_Integer steps = luaL_checkinteger(L, arg);
  luaL_argcheck(L, steps >= 1 && steps <= MOST_STEPS, arg, "must be from 1 to 1000000");
  return (size_t)steps;
}

/* amp(A, y, denoiser, alpha, share, scale, max_iter, tol, damping) -> x, tau, n_iter, converged, diverged */
static int amp(lua_State *L)
{
  lua_settop(L, 9);
  mn_context *ctx = mn_lua_begin(L);
  const mn_matrix a = mn_lua_check_matrix(L, ctx, 1);
  const mn_vector y = mn_lua_check_vector(L, ctx, 2);
  if (a.rows == 0 || a.cols == 0 || y.size != a.rows)
    return luaL_error(L, "y must have a value for each row of A, %d, got %d", (int)a.rows, (int)y.size);
  const mn_amp_options o = { .denoiser = check_denoiser(L, 3),
                             .max_iter = check_steps(L, 7),
                             .tol = luaL_checknumber(L, 8),
                             .damping = luaL_checknumber(L, 9) };
  luaL_argcheck(L, o.damping >= 0 && o.damping < 1, 9, "must be from 0 to 1");
  for (size_t i = 0; i < a.rows * a.cols; i++)
    if (!isfinite(a.at[i])) return luaL_error(L, "A must be finite");
  for (size_t i = 0; i < y.size; i++)
    if (!isfinite(y.at[i])) return luaL_error(L, "y must be finite");
  double *x = mn_lua_push_vector(L, a.cols)->at;
  mn_lua_vector *tau = mn_lua_push_vector(L, o.max_iter);
  mn_amp_result result;
  if (mn_amp(ctx, a.rows, a.cols, a.at, y.at, &o, x, tau->at, &result) != MN_OK) return mn_lua_raise(L, ctx);
  lua_pushinteger(L, (lua_Integer)result.n_iter);
  lua_pushboolean(L, result.converged);
  lua_pushboolean(L, result.diverged);
  return mn_lua_finish(L, ctx, 5);
}

/* amp_state_evolution(denoiser, alpha, share, scale, delta, noise, steps) -> tau, mse */
static int state_evolution(lua_State *L)
{
  lua_settop(L, 7);
  mn_context *ctx = mn_lua_begin(L);
  const mn_denoiser d = check_denoiser(L, 1);
  const double delta = luaL_checknumber(L, 5), noise = luaL_checknumber(L, 6);
  const size_t steps = check_steps(L, 7);
  luaL_argcheck(L, delta > 0 && delta < HUGE_VAL, 5, "must be > 0");
  luaL_argcheck(L, noise >= 0 && noise < HUGE_VAL, 6, "must be >= 0");
  luaL_argcheck(L, steps <= 10000, 7, "must be at most 10000");
  double *tau = mn_lua_push_vector(L, steps)->at, *mse = mn_lua_push_vector(L, steps)->at;
  mn_amp_state_evolution(&d, delta, noise, d.share, d.scale, steps, tau, mse);
  return mn_lua_finish(L, ctx, 2);
}

/* amp_minimax_alpha(share) -> number */
static int minimax_alpha(lua_State *L)
{
  const double share = luaL_checknumber(L, 1);
  luaL_argcheck(L, share > 0 && share < 1, 1, "must be between 0 and 1");
  lua_pushnumber(L, mn_amp_minimax_alpha(share));
  return 1;
}

void mn_lua_open_sensing(lua_State *L)
{
  static const luaL_Reg functions[] = {
    { "amp", amp }, { "amp_state_evolution", state_evolution }, { "amp_minimax_alpha", minimax_alpha }, { NULL, NULL }
  };
  luaL_setfuncs(L, functions, 0);
}
