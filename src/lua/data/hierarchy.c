#include "hierarchy.h"
#include "../../hierarchy/merges.h"
#include "../../search/row_distances.h"
#include <string.h>

/* The matrix of merges at index 1, as merges.h describes it, of n rows. Errors begin with the name of the Lua function
 * at `who`. Results are pushed before, since the merges are in scratch. */
static mn_merge *check_merges(lua_State *L, mn_context *ctx, const mn_matrix *z, const char *who)
{
  mn_merge *merges = MN_RAW(ctx, mn_merge, z->rows + 1, 1);
  if (!merges || mn_merges_from_matrix(ctx, who, MN_BAD_ARGUMENT, z->rows, z->at, merges) != MN_OK)
    mn_lua_raise(L, ctx);
  return merges;
}

static mn_matrix check_shape(lua_State *L, mn_context *ctx, const char *who)
{
  const mn_matrix z = mn_lua_check_matrix(L, ctx, 1);
  if (z.cols != 4 && z.rows > 0)
    luaL_error(L, "%s: merges must be a matrix of 4 columns: two clusters, distance, rows; got %d columns", who,
               (int)z.cols);
  if (z.rows >= INT32_MAX / 2) luaL_error(L, "%s: there are too many merges", who);
  return z;
}

/* cut_tree(merges, k or nil, height or nil) -> labels */
static int cut_tree(lua_State *L)
{
  static const char who[] = "cut_tree";
  lua_settop(L, 3);
  mn_context *ctx = mn_lua_begin(L);
  const mn_matrix z = check_shape(L, ctx, who);
  const size_t n = z.rows + 1;
  const lua_Integer k = luaL_optinteger(L, 2, 1);
  const lua_Number height = luaL_optnumber(L, 3, 0);
  if (k < 1 || (size_t)k > n)
    return luaL_error(L, "%s: n_clusters must be from 1 to the number of rows, %d, got %I", who, (int)n, k);
  const bool by_count = !lua_isnoneornil(L, 2);
  mn_lua_vector *labels = mn_lua_push_vector(L, n);
  labels->whole = true;
  const mn_merge *merges = check_merges(L, ctx, &z, who);
  int32_t *label = MN_RAW(ctx, int32_t, n, 1);
  size_t clusters;
  mn_status status = label ? MN_OK : MN_NO_MEMORY;
  if (status == MN_OK && by_count) status = mn_cut_count(ctx, n, merges, (size_t)k, label, &clusters);
  if (status == MN_OK && !by_count) status = mn_cut_height(ctx, n, merges, height, true, label, &clusters);
  if (status != MN_OK) return mn_lua_raise(L, ctx);
  for (size_t i = 0; i < n; i++) labels->at[i] = label[i] + 1;
  return mn_lua_finish(L, ctx, 1);
}

/* cophenetic(merges) -> Matrix */
static int cophenetic(lua_State *L)
{
  lua_settop(L, 1);
  mn_context *ctx = mn_lua_begin(L);
  const mn_matrix z = check_shape(L, ctx, "cophenetic");
  const size_t n = z.rows + 1;
  double *out = mn_lua_push_matrix(L, n, n)->at;
  const mn_merge *merges = check_merges(L, ctx, &z, "cophenetic");
  if (mn_cophenetic(ctx, n, merges, out) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

/* leaf_order(merges, distances or nil) -> rows in the order of the hierarchy, merges with their parts in that order.
 * With distances, parts are exchanged so that neighbors are near. */
static int leaf_order(lua_State *L)
{
  static const char who[] = "leaf_order";
  lua_settop(L, 2);
  mn_context *ctx = mn_lua_begin(L);
  const mn_matrix z = check_shape(L, ctx, who);
  const size_t n = z.rows + 1;
  mn_matrix distance = { 0 };
  if (!lua_isnil(L, 2)) {
    distance = mn_lua_check_matrix(L, ctx, 2);
    if (distance.rows != n || distance.cols != n)
      return luaL_error(L, "%s: distances must be %d x %d, as there are %d rows, got %d x %d", who, (int)n, (int)n,
                        (int)n, (int)distance.rows, (int)distance.cols);
  }
  mn_lua_vector *rows = mn_lua_push_vector(L, n);
  rows->whole = true;
  double *out = mn_lua_push_matrix(L, n - 1, 4)->at;
  mn_merge *merges = check_merges(L, ctx, &z, who);
  int32_t *order = MN_RAW(ctx, int32_t, n, 1);
  if (!order) return mn_lua_raise(L, ctx);
  if (distance.at && mn_check_distances_of(ctx, who, "distances", n, distance.at) != MN_OK) return mn_lua_raise(L, ctx);
  if (distance.at && mn_order_leaves(ctx, n, distance.at, merges) != MN_OK) return mn_lua_raise(L, ctx);
  if (mn_leaf_order(ctx, n, merges, order) != MN_OK) return mn_lua_raise(L, ctx);
  mn_merges_to_matrix(n - 1, merges, out);
  for (size_t i = 0; i < n; i++) rows->at[i] = order[i] + 1;
  return mn_lua_finish(L, ctx, 2);
}

void mn_lua_open_hierarchy(lua_State *L)
{
  static const luaL_Reg functions[] = {
    { "cut_tree", cut_tree }, { "cophenetic", cophenetic }, { "leaf_order", leaf_order }, { NULL, NULL }
  };
  luaL_setfuncs(L, functions, 0);
}
