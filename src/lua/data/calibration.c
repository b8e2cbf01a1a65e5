#include "calibration.h"
#include "../../calibration/conformal.h"
#include "../../calibration/temperature.h"
#include "../values/userdata.h"
#include "../metrics/metrics.h"
#include <string.h>

/* temperature(y, classes, scores n x k, weights | nil) -> the inverse temperature */
static int temperature(lua_State *L)
{
  size_t n, k;
  double inverse;
  mn_context *ctx = mn_lua_begin_metric(L, 4);
  const mn_matrix x = mn_lua_check_matrix(L, ctx, 3);
  const int32_t *code = mn_lua_class_codes(L, &n, &k);
  const double *w = mn_lua_opt_weights(L, ctx, 4, n);
  if (x.rows != n || x.cols != k) return luaL_error(L, "scores must be %d x %d", (int)n, (int)k);
  for (size_t i = 0; i < n; i++)
    if (code[i] < 0) return luaL_error(L, "y must contain labels of the classes only");
  if (mn_fit_temperature(ctx, n, k, x.at, code, w, &inverse) != MN_OK) return mn_lua_raise(L, ctx);
  lua_pushnumber(L, inverse);
  return mn_lua_finish(L, ctx, 1);
}

/* quantile(scores, level, weights | nil) -> number, infinity if there are too few scores */
static int quantile(lua_State *L)
{
  double q;
  mn_context *ctx = mn_lua_begin_metric(L, 3);
  const mn_vector score = mn_lua_check_vector(L, ctx, 1);
  const double *w = mn_lua_opt_weights(L, ctx, 3, score.size);
  if (mn_conformal_quantile(ctx, score.size, score.at, w, luaL_checknumber(L, 2), &q) != MN_OK)
    return mn_lua_raise(L, ctx);
  lua_pushnumber(L, q);
  return mn_lua_finish(L, ctx, 1);
}

/* intervals(predictions tests x members, member of each row, residuals, level, weights | nil) -> Vectors low, high */
static int intervals(lua_State *L)
{
  mn_context *ctx = mn_lua_begin_metric(L, 5);
  const mn_matrix p = mn_lua_check_matrix(L, ctx, 1);
  const mn_vector member = mn_lua_check_vector(L, ctx, 2), residual = mn_lua_check_vector(L, ctx, 3);
  const double level = luaL_checknumber(L, 4);
  const mn_held_out h = { residual.size, p.cols, member.at, residual.at, mn_lua_opt_weights(L, ctx, 5, residual.size) };
  luaL_argcheck(L, member.size == residual.size, 2, "must have as many values as there are residuals");
  for (size_t i = 0; i < member.size; i++)
    luaL_argcheck(L, member.at[i] >= 1 && member.at[i] <= (double)p.cols, 2, "must be columns of the predictions");
  double *low = mn_lua_push_vector(L, p.rows)->at, *high = mn_lua_push_vector(L, p.rows)->at;
  if (mn_held_out_intervals(ctx, &h, p.rows, p.at, level, low, high) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 2);
}

/* label_scores(probabilities n x k, "lac" | "adaptive", penalty, free rank, u | nil) -> Matrix n x k */
static int label_scores(lua_State *L)
{
  mn_context *ctx = mn_lua_begin_metric(L, 5);
  const mn_matrix p = mn_lua_check_matrix(L, ctx, 1);
  const bool lac = strcmp(luaL_checkstring(L, 2), "lac") == 0;
  const mn_label_scores s = { .form = lac ? MN_LAC : MN_ADAPTIVE,
                              .penalty = luaL_checknumber(L, 3),
                              .free_rank = luaL_checknumber(L, 4),
                              .u = mn_lua_opt_weights(L, ctx, 5, p.rows) };
  double *out = mn_lua_push_matrix(L, p.rows, p.cols)->at;
  if (mn_score_labels(ctx, &s, p.rows, p.cols, p.at, out) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

static const luaL_Reg functions[] = {
  { "temperature", temperature },   { "quantile", quantile }, { "intervals", intervals },
  { "label_scores", label_scores }, { NULL, NULL },
};

void mn_lua_open_calibration(lua_State *L)
{
  luaL_newlib(L, functions);
  lua_setfield(L, -2, "calibration");
}
