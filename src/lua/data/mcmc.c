#include "mcmc.h"
#include "../../stats/mcmc.h"

/* mcmc_diagnostics(draws) -> r_hat, ess, ess_tail of a Matrix with a chain in each row */
static int mcmc_diagnostics(lua_State *L)
{
  lua_settop(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  const mn_matrix draws = mn_lua_check_matrix(L, ctx, 1);
  mn_chain_report a;
  if (mn_mcmc_diagnostics(ctx, draws.rows, draws.cols, draws.at, &a) != MN_OK) return mn_lua_raise(L, ctx);
  lua_pushnumber(L, a.r_hat);
  lua_pushnumber(L, a.ess);
  lua_pushnumber(L, a.ess_tail);
  return mn_lua_finish(L, ctx, 3);
}

void mn_lua_open_mcmc(lua_State *L)
{
  lua_pushcfunction(L, mcmc_diagnostics);
  lua_setfield(L, -2, "mcmc_diagnostics");
}
