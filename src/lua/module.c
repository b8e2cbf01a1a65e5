/* luaopen_manilius_core: the C half of `require "manilius"`. */
#include "module.h"
#include "../core/cpu.h"
#include "bayes_net/bayes_net.h"
#include "data/calibration.h"
#include "data/coding.h"
#include "data/distribution.h"
#include "data/explain.h"
#include "data/frame.h"
#include "data/hierarchy.h"
#include "data/io.h"
#include "data/lowess.h"
#include "data/filters.h"
#include "data/mcmc.h"
#include "data/metrics.h"
#include "data/nonlinear.h"
#include "data/special.h"
#include "data/strata.h"
#include "data/tests.h"
#include "graphical/approximate.h"
#include "graphical/exact.h"
#include "graphical/learning.h"
#include "graphical/message_passing.h"
#include "graphical/random_field.h"
#include "models/archive.h"
#include "models/async.h"
#include "models/describe.h"
#include "models/ensembles.h"
#include "models/export.h"
#include "models/fit_cache.h"
#include "models/jobs.h"
#include "models/kernel.h"
#include "models/model.h"
#include "models/plan.h"
#include "models/rng.h"
#include "values/values.h"
#include "values/warnings.h"

/* A misspelled name would go unnoticed otherwise: results differ in their last digits only. */
static void check_cpu(lua_State *L)
{
  int level;
  const char *name = mn_cpu_requested(&level);
  if (name && level == MN_CPU_UNKNOWN)
    luaL_error(
        L,
        "manilius: the environment variable MANILIUS_CPU must be \"baseline\", \"avx2\" or \"avx512\", or unset, got \"%s\"",
        name);
}

static void open_graphs(lua_State *L)
{
  mn_lua_open_graphical_exact(L);
  mn_lua_open_graphical_approximate(L);
  mn_lua_open_message_passing(L);
  mn_lua_open_graphical_learning(L);
  mn_lua_open_random_field(L);
  mn_lua_open_bayes_net(L);
  mn_lua_open_bayes_net_learn(L);
}

int luaopen_manilius_core(lua_State *L)
{
  luaL_checkversion(L);
  check_cpu(L);
  mn_lua_open_values(L);
  mn_lua_open_model(L);
  mn_lua_open_describe(L);
  mn_lua_open_kernel(L);
  mn_lua_open_plan(L);
  mn_lua_open_jobs(L);
  mn_lua_open_async(L);
  mn_lua_open_progress(L);
  mn_lua_open_archive(L);
  mn_lua_open_export(L);
  mn_lua_open_rng(L);
  mn_lua_open_fit_cache(L);
  mn_lua_open_frame(L);
  mn_lua_open_io(L);
  mn_lua_open_metrics(L);
  mn_lua_open_special(L);
  mn_lua_open_distribution(L);
  mn_lua_open_multivariate(L);
  mn_lua_open_lowess(L);
  mn_lua_open_hierarchy(L);
  mn_lua_open_strata(L);
  mn_lua_open_calibration(L);
  mn_lua_open_explain(L);
  mn_lua_open_ensembles(L);
  mn_lua_open_coding(L);
  mn_lua_open_filters(L);
  mn_lua_open_mcmc(L);
  mn_lua_open_nonlinear(L);
  mn_lua_open_tests(L);
  open_graphs(L);
  mn_lua_open_warnings(L);
  mn_lua_open_memory(L);
  lua_setfield(L, -2, "memory");
  return 1;
}
