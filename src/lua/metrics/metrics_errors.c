/* Metrics of regression: y and predicted are n x q Matrices at 1 and 2, weights (or nil) is at 3. */
#include "../values/userdata.h"
#include "metrics.h"
#include "../../metrics/errors.h"
#include <math.h>

struct pair {
  size_t n, q;
  const double *y, *p, *w;
};

static struct pair check_pair(lua_State *L, mn_context *ctx)
{
  const mn_matrix y = mn_lua_check_matrix(L, ctx, 1), p = mn_lua_check_matrix(L, ctx, 2);
  if (y.rows != p.rows || y.cols != p.cols) luaL_error(L, "y and predicted must have the same shape");
  return (struct pair){ y.rows, y.cols, y.at, p.at, mn_lua_opt_weights(L, ctx, 3, y.rows) };
}

/* first_nonfinite(Vector or Matrix, allow infinity) -> row, column and value of the first non-finite value, or nothing
 */
static int first_nonfinite(lua_State *L)
{
  mn_context *ctx = mn_lua_begin_metric(L, 2);
  const bool allowed = lua_toboolean(L, 2);
  const mn_matrix x = mn_lua_check_matrix(L, ctx, 1);
  for (size_t i = 0; i < x.rows * x.cols; i++) {
    if (isfinite(x.at[i]) || (allowed && !isnan(x.at[i]))) continue;
    lua_pushinteger(L, (lua_Integer)(i / x.cols) + 1);
    lua_pushinteger(L, (lua_Integer)(i % x.cols) + 1);
    lua_pushnumber(L, x.at[i]);
    return mn_lua_finish(L, ctx, 3);
  }
  return mn_lua_finish(L, ctx, 0);
}

/* mean_loss(y, predicted, weights, loss, parameter) -> Vector of q values */
static int mean_loss(lua_State *L)
{
  static const char *const names[] = { "squared", "absolute", "relative", "log_squared", "pinball", "tweedie", NULL };
  mn_context *ctx = mn_lua_begin_metric(L, 5);
  const mn_loss loss = (mn_loss)luaL_checkoption(L, 4, NULL, names);
  const double parameter = luaL_optnumber(L, 5, 0);
  const struct pair d = check_pair(L, ctx);
  double *mean = mn_lua_push_vector(L, d.q)->at;
  if (mn_check_loss(ctx, loss, parameter, d.n, d.q, d.y, d.p) != MN_OK ||
      mn_mean_loss(ctx, loss, parameter, d.n, d.q, d.y, d.p, d.w, mean) != MN_OK)
    return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

static int median_error(lua_State *L)
{
  mn_context *ctx = mn_lua_begin_metric(L, 3);
  const struct pair d = check_pair(L, ctx);
  double *median = mn_lua_push_vector(L, d.q)->at;
  if (mn_median_error(ctx, d.n, d.q, d.y, d.p, d.w, median) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

static int max_errors(lua_State *L)
{
  mn_context *ctx = mn_lua_begin_metric(L, 3);
  const struct pair d = check_pair(L, ctx);
  mn_max_error(d.n, d.q, d.y, d.p, d.w, mn_lua_push_vector(L, d.q)->at);
  return mn_lua_finish(L, ctx, 1);
}

/* sums_of_squares(y, predicted, weights, centered) -> Vectors of the q residual and total sums of squares */
static int sums_of_squares(lua_State *L)
{
  mn_context *ctx = mn_lua_begin_metric(L, 4);
  const struct pair d = check_pair(L, ctx);
  double *residual = mn_lua_push_vector(L, d.q)->at, *total = mn_lua_push_vector(L, d.q)->at;
  mn_sums_of_squares(d.n, d.q, d.y, d.p, d.w, lua_toboolean(L, 4), residual, total);
  return mn_lua_finish(L, ctx, 2);
}

const luaL_Reg mn_lua_metrics_errors[] = {
  { "first_nonfinite", first_nonfinite }, { "mean_loss", mean_loss },
  { "median_error", median_error },       { "max_errors", max_errors },
  { "sums_of_squares", sums_of_squares }, { NULL, NULL },
};
