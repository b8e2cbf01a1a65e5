/* Univariate distributions: their table, and their functions applied to numbers and Vectors. lua/manilius/dist.lua has
 * checked the parameters when it created the distribution. */
#include "distribution.h"
#include "../../stats/distribution.h"
#include "../values/userdata.h"
#include "../values/values.h"
#include <math.h>
#include <string.h>

static const mn_distribution *const tables[] = { mn_continuous_distributions, mn_discrete_distributions,
                                                 mn_circular_distributions };
enum { TABLES = sizeof tables / sizeof *tables };

static const mn_distribution *check_distribution(lua_State *L, int arg)
{
  const char *name = luaL_checkstring(L, arg);
  for (int t = 0; t < TABLES; t++)
    for (const mn_distribution *d = tables[t]; d->name; d++)
      if (strcmp(d->name, name) == 0) return d;
  luaL_argerror(L, arg, "there is no such distribution");
  return NULL;
}

/* Read the list of parameters, in the order of the table. */
static void check_parameters(lua_State *L, int arg, double *p)
{
  luaL_checktype(L, arg, LUA_TTABLE);
  for (int i = 0; i < MN_MAX_PARAMETERS; i++) {
    p[i] = lua_rawgeti(L, arg, i + 1) == LUA_TNUMBER ? lua_tonumber(L, -1) : 0;
    lua_pop(L, 1);
  }
}

static double density(const mn_distribution *d, const double *p, double x)
{
  return exp(d->log_density(p, x));
}

enum { LOG_DENSITY, DENSITY, CDF, SF, QUANTILE, ISF };
static const char *const functions[] = { "log_density", "density", "cdf", "sf", "quantile", "isf", NULL };

enum { POLL_EVERY = 1024 };

static double evaluate(const mn_distribution *d, int function, const double *p, double x)
{
  switch (function) {
  case LOG_DENSITY: return d->log_density(p, x);
  case DENSITY: return density(d, p, x);
  case CDF: return d->cdf(p, x);
  case SF: return d->sf(p, x);
  case QUANTILE: return d->quantile(p, x);
  default: return d->isf(p, x);
  }
}

/* dist_apply(name, parameters, function, x) -> value for the number x, Vector for the Vector x */
static int apply(lua_State *L)
{
  const mn_distribution *d = check_distribution(L, 1);
  double p[MN_MAX_PARAMETERS];
  check_parameters(L, 2, p);
  const int function = luaL_checkoption(L, 3, NULL, functions);
  const mn_lua_vector *v = mn_lua_test_vector(L, 4);
  if (!v) {
    lua_pushnumber(L, evaluate(d, function, p, luaL_checknumber(L, 4)));
    return 1;
  }
  mn_context *ctx = mn_lua_begin(L);
  const mn_lua_vector *out = mn_lua_push_raw_vector(L, v->size);
  for (size_t i = 0; i < v->size; i++) {
    if (i % POLL_EVERY == 0 && mn_poll(ctx) != MN_OK) return mn_lua_raise(L, ctx);
    out->at[i] = evaluate(d, function, p, v->at[i * v->step]);
  }
  return mn_lua_finish(L, ctx, 1);
}

/* dist_statistic(name, parameters, "mean" | "variance" | "entropy" | "kl" [, parameters of the other]) -> number */
static int statistic(lua_State *L)
{
  static const char *const what[] = { "mean", "variance", "entropy", "kl", NULL };
  const mn_distribution *d = check_distribution(L, 1);
  double p[MN_MAX_PARAMETERS], q[MN_MAX_PARAMETERS];
  check_parameters(L, 2, p);
  switch (luaL_checkoption(L, 3, NULL, what)) {
  case 0: lua_pushnumber(L, d->mean(p)); return 1;
  case 1: lua_pushnumber(L, d->variance(p)); return 1;
  case 2: lua_pushnumber(L, d->entropy(p)); return 1;
  default: break;
  }
  check_parameters(L, 4, q);
  lua_pushnumber(L, d->kl(p, q));
  return 1;
}

/* dist_sample(name, parameters, n, seed) -> Vector */
static int sample(lua_State *L)
{
  static const uint64_t dist_streams = 0x64697374; /* "dist" */
  const mn_distribution *d = check_distribution(L, 1);
  double p[MN_MAX_PARAMETERS];
  check_parameters(L, 2, p);
  mn_context *ctx = mn_lua_begin(L);
  const size_t n = mn_lua_check_size(L, 3);
  mn_rng rng = mn_stream(mn_lua_opt_seed(L, 4), dist_streams);
  const mn_lua_vector *v = mn_lua_push_raw_vector(L, n);
  for (size_t i = 0; i < n; i++) {
    if (i % POLL_EVERY == 0 && mn_poll(ctx) != MN_OK) return mn_lua_raise(L, ctx);
    v->at[i] = d->sample(p, &rng);
  }
  return mn_lua_finish(L, ctx, 1);
}

/* dist_fit(name, Vector, weights or nil, known) -> maximum likelihood parameters; `known` holds the fixed parameters at
 * their positions */
static int fit(lua_State *L)
{
  const mn_distribution *d = check_distribution(L, 1);
  double p[MN_MAX_PARAMETERS];
  luaL_checktype(L, 4, LUA_TTABLE);
  for (int i = 0; i < MN_MAX_PARAMETERS; i++) {
    p[i] = lua_rawgeti(L, 4, i + 1) == LUA_TNUMBER ? lua_tonumber(L, -1) : (double)NAN;
    lua_pop(L, 1);
  }
  mn_context *ctx = mn_lua_begin(L);
  const mn_vector x = mn_lua_check_vector(L, ctx, 2);
  mn_vector w = { 0 };
  if (!lua_isnoneornil(L, 3)) w = mn_lua_check_vector(L, ctx, 3);
  luaL_argcheck(L, !w.at || w.size == x.size, 3, "must have as many weights as there are values");
  if (d->fit(ctx, x.size, x.at, w.at, p) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  lua_createtable(L, MN_MAX_PARAMETERS, 0);
  for (int i = 0; i < MN_MAX_PARAMETERS && d->parameters[i].name; i++) {
    lua_pushnumber(L, p[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static void push_parameter(lua_State *L, const mn_parameter *p)
{
  static const char *const known[] = { NULL, "maybe", "must" };
  lua_createtable(L, 0, 8);
  lua_pushstring(L, p->name);
  lua_setfield(L, -2, "name");
  lua_pushstring(L, p->brief);
  lua_setfield(L, -2, "brief");
  if (!isnan(p->initial)) {
    lua_pushnumber(L, p->initial);
    lua_setfield(L, -2, "initial");
  }
  lua_pushnumber(L, p->low);
  lua_setfield(L, -2, "low");
  lua_pushnumber(L, p->high);
  lua_setfield(L, -2, "high");
  lua_pushboolean(L, p->open);
  lua_setfield(L, -2, "open");
  lua_pushboolean(L, p->whole);
  lua_setfield(L, -2, "whole");
  lua_pushstring(L, known[p->known]);
  lua_setfield(L, -2, "known");
}

static void push_list(lua_State *L, const mn_distribution *d, lua_Integer *n)
{
  for (; d->name; d++) {
    lua_createtable(L, 0, 3);
    lua_pushstring(L, d->name);
    lua_setfield(L, -2, "name");
    lua_pushstring(L, d->brief);
    lua_setfield(L, -2, "brief");
    lua_newtable(L);
    for (int i = 0; i < MN_MAX_PARAMETERS && d->parameters[i].name; i++) {
      push_parameter(L, &d->parameters[i]);
      lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "parameters");
    lua_rawseti(L, -2, ++*n);
  }
}

/* dist_list() -> list of { name, brief, parameters = list of { name, brief, initial, low, high, open, whole, known } };
 * known: whether fit needs ("must") or accepts ("maybe") the parameter as known, or nil */
static int list(lua_State *L)
{
  lua_Integer n = 0;
  lua_newtable(L);
  for (int t = 0; t < TABLES; t++) push_list(L, tables[t], &n);
  return 1;
}

void mn_lua_open_distribution(lua_State *L)
{
  static const luaL_Reg parts[] = { { "dist_list", list },     { "dist_apply", apply }, { "dist_statistic", statistic },
                                    { "dist_sample", sample }, { "dist_fit", fit },     { NULL, NULL } };
  luaL_setfuncs(L, parts, 0);
}
