/* Metrics of ranked lists. */
#include "../values/userdata.h"
#include "metrics.h"
#include "../../metrics/lists.h"

/* lists(relevance, scores, lengths, measure, k | nil, exponential, keep order) -> Vector with a value for each query.
 * lengths: Vector of the numbers of items by query. */
static int lists(lua_State *L)
{
  static const char *const names[] = { "dcg", "ndcg", "ap", "precision", "recall", "reciprocal", NULL };
  mn_context *ctx = mn_lua_begin_metric(L, 7);
  const mn_list_measure measure = (mn_list_measure)luaL_checkoption(L, 4, NULL, names);
  const mn_matrix relevance = mn_lua_check_matrix(L, ctx, 1), score = mn_lua_check_matrix(L, ctx, 2);
  const mn_vector lengths = mn_lua_check_vector(L, ctx, 3);
  const size_t items = relevance.rows * relevance.cols;
  mn_lists all = { .queries = lengths.size, .relevance = relevance.at, .score = score.at };
  size_t *start = mn_lua_push_buffer(L, sizeof *start, lengths.size + 1);
  start[0] = 0;
  for (size_t q = 0; q < lengths.size; q++) {
    const double length = lengths.at[q];
    if (!(length >= 1 && length <= (double)(items - start[q]) && mn_lua_is_whole(length)))
      return luaL_error(L, "lengths must be whole numbers >= 1 that add up to the number of items, %I",
                        (lua_Integer)items);
    start[q + 1] = start[q] + (size_t)length;
  }
  if (start[lengths.size] != items || score.rows * score.cols != items)
    return luaL_error(L, "lengths must add up to the number of items, %I, got %I", (lua_Integer)items,
                      (lua_Integer)start[lengths.size]);
  all.start = start;
  all.k = lua_isnil(L, 5) ? SIZE_MAX : mn_lua_check_count(L, 5);
  all.exponential = lua_toboolean(L, 6);
  all.keep_order = lua_toboolean(L, 7);
  double *out = mn_lua_push_raw_vector(L, lengths.size)->at;
  if (mn_measure_lists(ctx, &all, measure, out) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

const luaL_Reg mn_lua_metrics_lists[] = {
  { "lists", lists },
  { NULL, NULL },
};
