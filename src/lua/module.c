/* luaopen_manilius_core: the C half of `require "manilius"`. */
#include "async.h"
#include "chains.h"
#include "distribution.h"
#include "ensembles.h"
#include "export.h"
#include "frame.h"
#include "metrics.h"
#include "model.h"
#include "module.h"
#include "plan.h"
#include "reflect.h"
#include "shelf.h"
#include "smooth.h"
#include "special.h"
#include "values.h"

int luaopen_manilius_core(lua_State *L)
{
  luaL_checkversion(L);
  mn_lua_open_state(L);
  mn_lua_open_values(L);
  mn_lua_open_model(L);
  mn_lua_open_reflect(L);
  mn_lua_open_plan(L);
  mn_lua_open_async(L);
  mn_lua_open_watch(L);
  mn_lua_open_archive(L);
  mn_lua_open_export(L);
  mn_lua_open_rng(L);
  mn_lua_open_shelf(L);
  mn_lua_open_frame(L);
  mn_lua_open_io(L);
  mn_lua_open_metrics(L);
  mn_lua_open_special(L);
  mn_lua_open_distribution(L);
  mn_lua_open_multivariate(L);
  mn_lua_open_smooth(L);
  mn_lua_open_ensembles(L);
  mn_lua_open_chains(L);
  mn_lua_open_memory(L);
  lua_setfield(L, -2, "memory");
  return 1;
}
