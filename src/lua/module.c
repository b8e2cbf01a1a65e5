/* luaopen_manilius_core: the C half of `require "manilius"`. */
#include "module.h"
#include "../core/cpu.h"
#include "bayes_net/bayes_net.h"
#include "data/calibration.h"
#include "data/coding.h"
#include "data/constraint.h"
#include "data/distribution.h"
#include "data/explain.h"
#include "data/frame.h"
#include "data/hierarchy.h"
#include "data/io.h"
#include "data/lowess.h"
#include "data/filters.h"
#include "data/mcmc.h"
#include "data/sensing.h"
#include "metrics/metrics.h"
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

/* Each adds its functions to the table of the module, on top of the stack. */
static void (*const parts[])(lua_State *) = { mn_lua_open_graphical_exact,
                                              mn_lua_open_graphical_approximate,
                                              mn_lua_open_message_passing,
                                              mn_lua_open_graphical_learning,
                                              mn_lua_open_random_field,
                                              mn_lua_open_bayes_net,
                                              mn_lua_open_bayes_net_learn,
                                              mn_lua_open_model,
                                              mn_lua_open_describe,
                                              mn_lua_open_kernel,
                                              mn_lua_open_plan,
                                              mn_lua_open_jobs,
                                              mn_lua_open_async,
                                              mn_lua_open_progress,
                                              mn_lua_open_archive,
                                              mn_lua_open_export,
                                              mn_lua_open_rng,
                                              mn_lua_open_fit_cache,
                                              mn_lua_open_frame,
                                              mn_lua_open_io,
                                              mn_lua_open_metrics,
                                              mn_lua_open_special,
                                              mn_lua_open_distribution,
                                              mn_lua_open_multivariate,
                                              mn_lua_open_lowess,
                                              mn_lua_open_hierarchy,
                                              mn_lua_open_strata,
                                              mn_lua_open_calibration,
                                              mn_lua_open_explain,
                                              mn_lua_open_ensembles,
                                              mn_lua_open_coding,
                                              mn_lua_open_constraint,
                                              mn_lua_open_filters,
                                              mn_lua_open_mcmc,
                                              mn_lua_open_nonlinear,
                                              mn_lua_open_tests,
                                              mn_lua_open_warnings,
                                              mn_lua_open_sensing };

int luaopen_manilius_core(lua_State *L)
{
  luaL_checkversion(L);
  check_cpu(L);
  mn_lua_open_values(L);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) parts[i](L);
  mn_lua_open_memory(L);
  lua_setfield(L, -2, "memory");
  return 1;
}
