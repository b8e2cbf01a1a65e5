#include "constraint.h"
#include "../../constraint/coloring.h"
#include "../../constraint/satisfiability.h"
#include <math.h>

enum { MOST_VARIABLES = 100000000 };

static double number_within(lua_State *L, int arg, double low, double high)
{
  const double value = luaL_checknumber(L, arg);
  luaL_argcheck(L, value >= low && value <= high, arg, "is out of range");
  return value;
}

static lua_Integer whole_within(lua_State *L, int arg, lua_Integer low, lua_Integer high)
{
  const lua_Integer value = luaL_checkinteger(L, arg);
  luaL_argcheck(L, value >= low && value <= high, arg, "is out of range");
  return value;
}

/* Whole numbers from low to high as int32_t, in scratch. */
static int32_t *whole_numbers(lua_State *L, mn_context *ctx, const mn_vector *v, double low, double high)
{
  int32_t *out = MN_RAW(ctx, int32_t, v->size + 1, 1);
  if (!out) mn_lua_raise(L, ctx);
  for (size_t i = 0; i < v->size; i++) {
    if (!(v->at[i] >= low && v->at[i] <= high && v->at[i] == floor(v->at[i])))
      luaL_error(L, "element %d is not a whole number in its range", (int)i + 1);
    out[i] = (int32_t)v->at[i];
  }
  return out;
}

/* A variable occurs once in a clause: unit propagation relies on it. */
static void check_formula(lua_State *L, mn_context *ctx, const mn_formula *f, size_t edges)
{
  size_t *seen = MN_NEW(ctx, size_t, f->n + 1, 1);
  if (!seen) mn_lua_raise(L, ctx);
  if (f->start[0] != 0 || (size_t)f->start[f->m] != edges) luaL_error(L, "start must be from 0 to the literals");
  for (size_t c = 0; c < f->m; c++) {
    if (f->start[c] > f->start[c + 1]) luaL_error(L, "start must ascend");
    for (int32_t e = f->start[c]; e < f->start[c + 1]; e++) {
      if (f->literal[e] == 0) luaL_error(L, "literals must not be 0");
      const size_t v = mn_literal_variable(f->literal[e]);
      if (seen[v] == c + 1) luaL_error(L, "clause %d has variable %d twice", (int)c + 1, (int)v + 1);
      seen[v] = c + 1;
    }
  }
}

/* tol, max_iter, fraction, max_moves, restarts, seed: the last six arguments. */
static mn_decimation check_decimation(lua_State *L, int arg)
{
  return (mn_decimation){ .tol = number_within(L, arg, 0, 1),
                          .max_iter = (size_t)whole_within(L, arg + 1, 1, INT32_MAX),
                          .fraction = number_within(L, arg + 2, 0, 1),
                          .max_moves = (uint64_t)whole_within(L, arg + 3, 0, INT64_MAX),
                          .restarts = (size_t)whole_within(L, arg + 4, 1, INT32_MAX),
                          .seed = luaL_checkinteger(L, arg + 5) };
}

static void set_integer(lua_State *L, const char *name, uint64_t value)
{
  lua_pushinteger(L, (lua_Integer)value);
  lua_setfield(L, -2, name);
}

static void set_boolean(lua_State *L, const char *name, bool value)
{
  lua_pushboolean(L, value);
  lua_setfield(L, -2, name);
}

/* Add the report to the table on top of the stack. */
static void set_report(lua_State *L, const mn_decimation_report *r)
{
  set_integer(L, "violated", r->violated);
  set_integer(L, "attempts", r->attempts);
  set_integer(L, "rounds", r->rounds);
  set_integer(L, "unconverged", r->unconverged);
  set_integer(L, "fixed", r->fixed);
  set_integer(L, "sweeps", r->sweeps);
  set_integer(L, "moves", r->moves);
}

/* solve_sat(n, start, literal, method, noise, tol, max_iter, fraction, max_moves, restarts, seed)
 * -> truth (1 or 0), bias (n x 3), table of the report */
static int solve_sat(lua_State *L)
{
  static const char *const methods[] = { "survey", "belief", "walk", NULL };
  lua_settop(L, 11);
  mn_context *ctx = mn_lua_begin(L);
  const size_t n = (size_t)whole_within(L, 1, 0, MOST_VARIABLES);
  const mn_vector start = mn_lua_check_vector(L, ctx, 2), literal = mn_lua_check_vector(L, ctx, 3);
  luaL_argcheck(L, start.size >= 1 && start.size < INT32_MAX && literal.size < INT32_MAX, 2, "has the wrong size");
  const int method = luaL_checkoption(L, 4, NULL, methods);
  const mn_sat_settings s = {
    .walk = method == 2, .rho = method == 0, .noise = number_within(L, 5, -1, 1), .decimation = check_decimation(L, 6)
  };
  mn_lua_vector *out = mn_lua_push_vector(L, n);
  out->whole = true;
  double *bias = mn_lua_push_matrix(L, n, 3)->at;
  lua_createtable(L, 0, 9);
  mn_formula f = { .n = n, .m = start.size - 1 };
  f.start = whole_numbers(L, ctx, &start, 0, (double)literal.size);
  f.literal = whole_numbers(L, ctx, &literal, -(double)n, (double)n);
  check_formula(L, ctx, &f, literal.size);
  int8_t *truth = MN_NEW(ctx, int8_t, n + 1, 1);
  mn_sat_report r;
  if (!truth || mn_solve_sat(ctx, &f, &s, truth, s.walk ? NULL : bias, &r) != MN_OK) return mn_lua_raise(L, ctx);
  for (size_t v = 0; v < n; v++) out->at[v] = truth[v] > 0;
  set_boolean(L, "proved", r.proved);
  set_boolean(L, "contradiction", r.contradiction);
  set_report(L, &r.decimation);
  return mn_lua_finish(L, ctx, 3);
}

/* color_graph(n, from, to, method, colors, tol, max_iter, fraction, max_moves, restarts, seed)
 * -> colors from 1, bias (n x colors + 1), table of the report */
static int color_graph(lua_State *L)
{
  static const char *const methods[] = { "survey", "belief", NULL };
  lua_settop(L, 11);
  mn_context *ctx = mn_lua_begin(L);
  const size_t n = (size_t)whole_within(L, 1, 1, MOST_VARIABLES);
  const mn_vector from = mn_lua_check_vector(L, ctx, 2), to = mn_lua_check_vector(L, ctx, 3);
  luaL_argcheck(L, from.size == to.size && from.size < INT32_MAX / 2, 3, "has the wrong size");
  const mn_coloring_settings s = { .survey = luaL_checkoption(L, 4, NULL, methods) == 0,
                                   .colors = (size_t)whole_within(L, 5, 1, MN_MOST_COLORS),
                                   .decimation = check_decimation(L, 6) };
  mn_lua_vector *out = mn_lua_push_vector(L, n);
  out->whole = true;
  double *bias = mn_lua_push_matrix(L, n, s.colors + 1)->at;
  lua_createtable(L, 0, 7);
  mn_edges g = { .n = n, .m = from.size };
  g.from = whole_numbers(L, ctx, &from, 1, (double)n);
  g.to = whole_numbers(L, ctx, &to, 1, (double)n);
  for (size_t e = 0; e < g.m; e++)
    if (g.from[e] == g.to[e]) return luaL_error(L, "edge %d joins a vertex with itself", (int)e + 1);
  int32_t *color = MN_NEW(ctx, int32_t, n, 1);
  mn_decimation_report r;
  if (!color || mn_color_graph(ctx, &g, &s, color, bias, &r) != MN_OK) return mn_lua_raise(L, ctx);
  for (size_t v = 0; v < n; v++) out->at[v] = color[v] + 1;
  set_report(L, &r);
  return mn_lua_finish(L, ctx, 3);
}

void mn_lua_open_constraint(lua_State *L)
{
  static const luaL_Reg functions[] = { { "solve_sat", solve_sat }, { "color_graph", color_graph }, { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
}
