#include "explain.h"
#include "../../explain/accumulated_effects.h"
#include "../../explain/counterfactual.h"
#include "../values/userdata.h"
#include <string.h>

/* The bins at `arg`, n whole numbers from 1 to `bins`. */
static const double *check_bins(lua_State *L, mn_context *ctx, int arg, size_t n, size_t bins)
{
  const mn_vector bin = mn_lua_check_vector(L, ctx, arg);
  luaL_argcheck(L, bin.size == n, arg, "must have one bin for each difference");
  for (size_t i = 0; i < n; i++)
    luaL_argcheck(L, bin.at[i] >= 1 && bin.at[i] <= (double)bins, arg, "must be bins from 1");
  return bin.at;
}

/* bins(values, edges) -> Vector: the bin of each value, from 1 */
static int bins(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_vector value = mn_lua_check_vector(L, ctx, 1), edges = mn_lua_check_vector(L, ctx, 2);
  luaL_argcheck(L, edges.size >= 2, 2, "must have at least two edges");
  mn_find_bins(value.size, value.at, edges, mn_lua_push_raw_vector(L, value.size)->at);
  return mn_lua_finish(L, ctx, 1);
}

/* accumulate(differences, bins, number of bins) -> Vectors effect, count */
static int accumulate(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_vector difference = mn_lua_check_vector(L, ctx, 1);
  const size_t k = mn_lua_check_size(L, 3);
  const double *bin = check_bins(L, ctx, 2, difference.size, k);
  double *effect = mn_lua_push_raw_vector(L, k + 1)->at, *count = mn_lua_push_raw_vector(L, k + 1)->at;
  mn_accumulate_effects(difference.size, difference.at, bin, k, effect, count);
  return mn_lua_finish(L, ctx, 2);
}

/* interaction(differences, first bins, second bins, first edges, second edges) -> Matrices effect, count */
static int interaction(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_vector difference = mn_lua_check_vector(L, ctx, 1);
  const mn_vector edges = mn_lua_check_vector(L, ctx, 4), other_edges = mn_lua_check_vector(L, ctx, 5);
  luaL_argcheck(L, edges.size >= 2, 4, "must have at least two edges");
  luaL_argcheck(L, other_edges.size >= 2, 5, "must have at least two edges");
  const size_t k = edges.size - 1, m = other_edges.size - 1;
  const double *first = check_bins(L, ctx, 2, difference.size, k);
  const double *second = check_bins(L, ctx, 3, difference.size, m);
  mn_matrix effect = { mn_lua_push_raw_matrix(L, k + 1, m + 1)->at, k + 1, m + 1 };
  mn_matrix count = { mn_lua_push_raw_matrix(L, k, m)->at, k, m };
  if (mn_accumulate_interaction(ctx, difference.size, difference.at, first, second, edges, other_edges, &effect,
                                &count) != MN_OK)
    return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 2);
}

/* --- counterfactuals --- */

static const double *check_field(lua_State *L, mn_context *ctx, const char *name, size_t p)
{
  lua_getfield(L, 1, name); /* stays on the stack, where it keeps the values alive */
  const mn_vector v = mn_lua_check_vector(L, ctx, lua_gettop(L));
  if (v.size != p) luaL_error(L, "%s must have %d values", name, (int)p);
  return v.at;
}

/* The table at index 1: Vectors row, kind, scale, low, high; squared, per_change. */
static mn_changes check_changes(lua_State *L, mn_context *ctx)
{
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_getfield(L, 1, "row");
  const mn_vector row = mn_lua_check_vector(L, ctx, lua_gettop(L));
  mn_changes c = { .p = row.size, .row = row.at };
  c.kind = check_field(L, ctx, "kind", c.p);
  c.scale = check_field(L, ctx, "scale", c.p);
  c.low = check_field(L, ctx, "low", c.p);
  c.high = check_field(L, ctx, "high", c.p);
  lua_getfield(L, 1, "squared");
  c.squared = lua_toboolean(L, -1);
  lua_getfield(L, 1, "per_change");
  c.per_change = luaL_checknumber(L, -1);
  return c;
}

static mn_matrix check_candidates(lua_State *L, mn_context *ctx, int arg, const mn_changes *c)
{
  const mn_matrix m = mn_lua_check_matrix(L, ctx, arg);
  luaL_argcheck(L, m.cols == c->p, arg, "must have a column for each value of the row");
  luaL_argcheck(L, m.rows > 0, arg, "must have rows");
  return m;
}

/* change_costs(changes, candidates) -> Vectors cost, number of changes, key of the set of changed columns */
static int change_costs(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_changes c = check_changes(L, ctx);
  const mn_matrix m = check_candidates(L, ctx, 2, &c);
  double *cost = mn_lua_push_raw_vector(L, m.rows)->at, *count = mn_lua_push_raw_vector(L, m.rows)->at;
  mn_change_costs(&c, m.rows, m.at, cost, count, mn_lua_push_raw_vector(L, m.rows)->at);
  return mn_lua_finish(L, ctx, 3);
}

/* permit_changes(changes, candidates) -> Matrix */
static int permit_changes(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_changes c = check_changes(L, ctx);
  const mn_matrix m = check_candidates(L, ctx, 2, &c);
  double *out = mn_lua_push_raw_matrix(L, m.rows, m.cols)->at;
  memcpy(out, m.at, m.rows * m.cols * sizeof *out);
  mn_permit_changes(&c, m.rows, out);
  return mn_lua_finish(L, ctx, 1);
}

/* breed_changes(changes, population, pool, seed, generation, children) -> Matrix children x p */
static int breed_changes(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_changes c = check_changes(L, ctx);
  const mn_matrix population = check_candidates(L, ctx, 2, &c), pool = check_candidates(L, ctx, 3, &c);
  const lua_Integer seed = luaL_checkinteger(L, 4), generation = luaL_checkinteger(L, 5);
  const size_t n = mn_lua_check_size(L, 6);
  mn_matrix child = { mn_lua_push_raw_matrix(L, n, c.p)->at, n, c.p };
  mn_breed_changes(&c, &population, &pool, seed, (uint64_t)generation, &child);
  return mn_lua_finish(L, ctx, 1);
}

/* nearest_on_planes(changes, candidates, gradients, free), Matrices of n rows -> Matrix: their nearest points */
static int nearest_on_planes(lua_State *L)
{
  mn_context *ctx = mn_lua_begin(L);
  const mn_changes c = check_changes(L, ctx);
  const mn_matrix m = check_candidates(L, ctx, 2, &c), gradient = check_candidates(L, ctx, 3, &c);
  const mn_matrix free_columns = check_candidates(L, ctx, 4, &c);
  luaL_argcheck(L, gradient.rows == m.rows, 3, "must have a row for each candidate");
  luaL_argcheck(L, free_columns.rows == m.rows, 4, "must have a row for each candidate");
  mn_matrix out = { mn_lua_push_raw_matrix(L, m.rows, m.cols)->at, m.rows, m.cols };
  for (size_t i = 0; i < m.rows; i++)
    mn_nearest_on_plane(&c, mn_row(&m, i), mn_row(&gradient, i), mn_row(&free_columns, i), mn_row(&out, i));
  return mn_lua_finish(L, ctx, 1);
}

static const luaL_Reg functions[] = {
  { "bins", bins },
  { "accumulate", accumulate },
  { "interaction", interaction },
  { "change_costs", change_costs },
  { "permit_changes", permit_changes },
  { "breed_changes", breed_changes },
  { "nearest_on_planes", nearest_on_planes },
  { NULL, NULL },
};

void mn_lua_open_explain(lua_State *L)
{
  luaL_newlib(L, functions);
  lua_setfield(L, -2, "explain");
}
