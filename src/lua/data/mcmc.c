#include "mcmc.h"
#include "../../stats/mcmc.h"

/* chains_agree(draws) -> r_hat, ess, ess_tail of a Matrix with a chain in each row */
static int chains_agree(lua_State *L)
{
  lua_settop(L, 1);
  mn_context *ctx = mn_lua_context(L);
  const mn_matrix draws = mn_lua_check_matrix(L, ctx, 1);
  mn_chain_report a;
  if (mn_mcmc_diagnostics(ctx, draws.rows, draws.cols, draws.at, &a) != MN_OK) return mn_lua_raise(L, ctx);
  lua_pushnumber(L, a.r_hat);
  lua_pushnumber(L, a.ess);
  lua_pushnumber(L, a.ess_tail);
  return mn_lua_done(L, ctx, 3);
}

void mn_lua_open_chains(lua_State *L)
{
  lua_pushcfunction(L, chains_agree);
  lua_setfield(L, -2, "chains_agree");
}
