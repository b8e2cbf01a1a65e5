/* Metrics of true labels and scores or probabilities. The labels y are a Factor at 1, the classes a Factor of distinct
 * labels at 2. */
#include "../values/userdata.h"
#include "metrics.h"
#include "../../metrics/curves.h"
#include "../../metrics/probability.h"
#include <string.h>

/* --- rankings --- */

typedef mn_status (*ranking_value)(mn_context *ctx, const mn_ranking *r, double *value);

static ranking_value check_measure(lua_State *L, int arg)
{
  return strcmp(luaL_checkstring(L, arg), "area") == 0 ? mn_ranking_area : mn_ranking_precision;
}

/* ranking(y, classes, scores n x k, weights | nil, "area" | "precision") -> Vector of k values, NaN where a class or
 * its complement does not occur; Vector of the weights of the classes */
static int ranking(lua_State *L)
{
  size_t n, k;
  mn_context *ctx = mn_lua_begin_metric(L, 5);
  const ranking_value measure = check_measure(L, 5);
  const mn_matrix score = mn_lua_check_matrix(L, ctx, 3);
  const int32_t *code = mn_lua_class_codes(L, &n, &k);
  const double *w = mn_lua_opt_weights(L, ctx, 4, n);
  if (score.rows != n || score.cols != k) return luaL_error(L, "scores must be %d x %d", (int)n, (int)k);
  double *value = mn_lua_push_vector(L, k)->at, *mass = mn_lua_push_vector(L, k)->at;
  for (size_t c = 0; c < k; c++) {
    const mn_ranking r = { n, code, (int32_t)c, score.at + c, k, w };
    if (measure(ctx, &r, &value[c]) != MN_OK) return mn_lua_raise(L, ctx);
  }
  for (size_t i = 0; i < n; i++)
    if (code[i] >= 0) mass[code[i]] += w ? w[i] : 1;
  return mn_lua_finish(L, ctx, 2);
}

/* micro_ranking(y, classes, scores n x k, weights | nil, "area" | "precision") -> number: each score is a sample,
 * positive in the column of the true class */
static int micro_ranking(lua_State *L)
{
  size_t n, k;
  double value = 0;
  mn_context *ctx = mn_lua_begin_metric(L, 5);
  const ranking_value measure = check_measure(L, 5);
  const mn_matrix score = mn_lua_check_matrix(L, ctx, 3);
  const int32_t *code = mn_lua_class_codes(L, &n, &k);
  const double *w = mn_lua_opt_weights(L, ctx, 4, n);
  if (score.rows != n || score.cols != k) return luaL_error(L, "scores must be %d x %d", (int)n, (int)k);
  int32_t *is_true = MN_RAW(ctx, int32_t, n, k);
  double *weight = MN_RAW(ctx, double, n, k);
  if (!is_true || !weight) return mn_lua_raise(L, ctx);
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < k; c++) {
      is_true[i * k + c] = code[i] == (int32_t)c;
      weight[i * k + c] = w ? w[i] : 1;
    }
  const mn_ranking r = { n * k, is_true, 1, score.at, 1, w ? weight : NULL };
  if (measure(ctx, &r, &value) != MN_OK) return mn_lua_raise(L, ctx);
  lua_pushnumber(L, value);
  return mn_lua_finish(L, ctx, 1);
}

/* pair_areas(y, classes, scores n x k, weights | nil) -> k x k Matrix of areas above the diagonal, Matrix of weights */
static int pair_areas(lua_State *L)
{
  size_t n, k;
  mn_context *ctx = mn_lua_begin_metric(L, 4);
  const mn_matrix score = mn_lua_check_matrix(L, ctx, 3);
  const int32_t *code = mn_lua_class_codes(L, &n, &k);
  const double *w = mn_lua_opt_weights(L, ctx, 4, n);
  if (score.rows != n || score.cols != k) return luaL_error(L, "scores must be %d x %d", (int)n, (int)k);
  double *area = mn_lua_push_matrix(L, k, k)->at, *mass = mn_lua_push_matrix(L, k, k)->at;
  for (size_t a = 0; a < k; a++)
    for (size_t b = a + 1; b < k; b++)
      if (mn_pair_area(ctx, n, k, code, score.at, w, (int32_t)a, (int32_t)b, &area[a * k + b], &mass[a * k + b]) !=
          MN_OK)
        return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 2);
}

/* Ranking of class 1 against the others. */
static mn_ranking check_binary_ranking(lua_State *L, mn_context *ctx)
{
  size_t n, k;
  const mn_vector score = mn_lua_check_vector(L, ctx, 3);
  const int32_t *code = mn_lua_class_codes(L, &n, &k);
  if (score.size != n) luaL_error(L, "scores must be %d values", (int)n);
  return (mn_ranking){ n, code, 0, score.at, 1, NULL };
}

/* delong(y, classes, scores, weights | nil) -> area under the ROC curve of class 1, variance of the estimate */
static int delong(lua_State *L)
{
  double area, variance;
  mn_context *ctx = mn_lua_begin_metric(L, 4);
  mn_ranking r = check_binary_ranking(L, ctx);
  r.w = mn_lua_opt_weights(L, ctx, 4, r.n);
  if (mn_ranking_delong(ctx, &r, &area, &variance) != MN_OK) return mn_lua_raise(L, ctx);
  lua_pushnumber(L, area);
  lua_pushnumber(L, variance);
  return mn_lua_finish(L, ctx, 2);
}

static void check_both_occur(lua_State *L, const mn_ranking *r)
{
  size_t found = 0;
  for (size_t i = 0; i < r->n; i++) found += r->code[i] == r->positive;
  if (found == 0 || found == r->n) luaL_error(L, "y must contain both classes");
}

/* roc_band(y, classes, scores, rates, curves, level, seed, weights | nil) -> Vectors low and high at each rate, which
 * enclose a fraction `level` of the bootstrapped ROC curves. Class 1 and other classes must occur. */
static int roc_band(lua_State *L)
{
  mn_context *ctx = mn_lua_begin_metric(L, 8);
  mn_ranking r = check_binary_ranking(L, ctx);
  r.w = mn_lua_opt_weights(L, ctx, 8, r.n);
  check_both_occur(L, &r);
  const mn_vector rate = mn_lua_check_vector(L, ctx, 4);
  const mn_roc_band band = { .curves = mn_lua_check_count(L, 5),
                             .points = rate.size,
                             .rate = rate.at,
                             .seed = (int64_t)luaL_checkinteger(L, 7),
                             .level = luaL_checknumber(L, 6) };
  luaL_argcheck(L, band.level >= 0 && band.level <= 1, 6, "must be from 0 to 1");
  double *low = mn_lua_push_vector(L, rate.size)->at, *high = mn_lua_push_vector(L, rate.size)->at;
  if (mn_ranking_band(ctx, &r, &band, low, high) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 2);
}

/* curve(y, classes, scores, weights | nil, corners) -> Vectors: weight of the negative and of the positive rows with at
 * least each distinct score, and the scores from infinity down */
static int curve(lua_State *L)
{
  size_t n, k, count = 0;
  mn_context *ctx = mn_lua_begin_metric(L, 5);
  const mn_vector score = mn_lua_check_vector(L, ctx, 3);
  const int32_t *code = mn_lua_class_codes(L, &n, &k);
  const double *w = mn_lua_opt_weights(L, ctx, 4, n);
  if (score.size != n) return luaL_error(L, "scores must be %d values", (int)n);
  mn_lua_vector *negative = mn_lua_push_empty_vector(L), *positive = mn_lua_push_empty_vector(L),
                *at = mn_lua_push_empty_vector(L);
  double *found = MN_RAW(ctx, double, n + 1, 3);
  if (!found) return mn_lua_raise(L, ctx);
  const mn_ranking r = { n, code, 0, score.at, 1, w };
  if (mn_ranking_curve(ctx, &r, lua_toboolean(L, 5), found, found + n + 1, found + 2 * (n + 1), &count) != MN_OK)
    return mn_lua_raise(L, ctx);
  mn_lua_vector *const out[] = { negative, positive, at };
  for (size_t i = 0; i < 3; i++) {
    if (mn_vector_init(ctx, &out[i]->own, count) != MN_OK) return mn_lua_raise(L, ctx);
    if (count > 0) memcpy(out[i]->own.at, found + i * (n + 1), count * sizeof *found);
  }
  mn_lua_end(L, ctx);
  for (size_t i = 0; i < 3; i++) mn_lua_commit_vector(L, out[i]);
  return 3;
}

/* --- probabilities and margins --- */

/* Codes, n x k scores (n x 1 for two classes), weights. */
struct scored_rows {
  size_t n, k;
  const int32_t *code;
  const double *at, *w;
};

static struct scored_rows check_scores(lua_State *L, mn_context *ctx)
{
  size_t classes;
  struct scored_rows s;
  const mn_matrix score = mn_lua_check_matrix(L, ctx, 3);
  s.at = score.at;
  s.k = score.cols;
  s.code = mn_lua_class_codes(L, &s.n, &classes);
  s.w = mn_lua_opt_weights(L, ctx, 4, s.n);
  if (score.rows != s.n || (s.k != classes && !(s.k == 1 && classes == 2)))
    luaL_error(L, "scores must be %d x %d, got %d x %d", (int)s.n, (int)classes, (int)score.rows, (int)s.k);
  for (size_t i = 0; i < s.n; i++)
    if (s.code[i] < 0)
      luaL_error(L, "y must contain labels of the classes only, got another label in row %d", (int)i + 1);
  return s;
}

typedef double (*mean_of_rows)(size_t n, size_t k, const int32_t *code, const double *p, const double *w);

static int push_mean(lua_State *L, mean_of_rows mean, bool of_probabilities)
{
  mn_context *ctx = mn_lua_begin_metric(L, 4);
  const struct scored_rows s = check_scores(L, ctx);
  if (of_probabilities && mn_check_probabilities(ctx, s.n, s.k, s.at) != MN_OK) return mn_lua_raise(L, ctx);
  lua_pushnumber(L, mean(s.n, s.k, s.code, s.at, s.w));
  return mn_lua_finish(L, ctx, 1);
}

/* log_loss(y, classes, probabilities n x k, weights | nil) -> number */
static int log_loss(lua_State *L)
{
  return push_mean(L, mn_log_loss, true);
}

static int brier(lua_State *L)
{
  return push_mean(L, mn_brier, true);
}

static int hinge(lua_State *L)
{
  return push_mean(L, mn_hinge, false);
}

/* top_hits(y, classes, scores n x k, weights | nil, top) -> weight of the rows whose class is among the top scores */
static int top_hits(lua_State *L)
{
  mn_context *ctx = mn_lua_begin_metric(L, 5);
  const size_t top = mn_lua_check_count(L, 5);
  const struct scored_rows s = check_scores(L, ctx);
  lua_pushnumber(L, mn_top_hits(s.n, s.k, s.code, s.at, s.w, top));
  return mn_lua_finish(L, ctx, 1);
}

/* calibration(y, { other, class }, probabilities n x 1, weights | nil, bins, quantile) -> Vectors of `bins` each:
 * weight, sum of probabilities, weight of the class */
static int calibration(lua_State *L)
{
  mn_context *ctx = mn_lua_begin_metric(L, 6);
  const size_t bins = mn_lua_check_count(L, 5);
  const struct scored_rows s = check_scores(L, ctx);
  double *weight = mn_lua_push_vector(L, bins)->at, *p_sum = mn_lua_push_vector(L, bins)->at;
  double *y_sum = mn_lua_push_vector(L, bins)->at;
  if (mn_check_probabilities(ctx, s.n, 1, s.at) != MN_OK ||
      mn_calibration(ctx, s.n, s.code, s.at, s.w, bins, lua_toboolean(L, 6), weight, p_sum, y_sum) != MN_OK)
    return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 3);
}

const luaL_Reg mn_lua_metrics_scores[] = {
  { "ranking", ranking }, { "micro_ranking", micro_ranking }, { "pair_areas", pair_areas },   { "curve", curve },
  { "delong", delong },   { "roc_band", roc_band },           { "log_loss", log_loss },       { "brier", brier },
  { "hinge", hinge },     { "top_hits", top_hits },           { "calibration", calibration }, { NULL, NULL },
};
