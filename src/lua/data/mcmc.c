#include "mcmc.h"
#include "../../stats/mcmc.h"

/* mcmc_diagnostics(draws) -> r_hat, ess, ess_tail; draws is a Matrix with one chain per row */
static int mcmc_diagnostics(lua_State *L)
{
  lua_settop(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  const mn_matrix draws = mn_lua_check_matrix(L, ctx, 1);
  mn_chain_report report;
  if (mn_mcmc_diagnostics(ctx, draws.rows, draws.cols, draws.at, &report) != MN_OK) return mn_lua_raise(L, ctx);
  lua_pushnumber(L, report.r_hat);
  lua_pushnumber(L, report.ess);
  lua_pushnumber(L, report.ess_tail);
  return mn_lua_finish(L, ctx, 3);
}

void mn_lua_open_mcmc(lua_State *L)
{
  lua_pushcfunction(L, mcmc_diagnostics);
  lua_setfield(L, -2, "mcmc_diagnostics");
}
