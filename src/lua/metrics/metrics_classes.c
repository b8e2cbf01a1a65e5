/* Metrics of true labels and predicted labels. */
#include "../values/userdata.h"
#include "metrics.h"
#include "../../metrics/classes.h"
#include "../../metrics/interval.h"
#include "../../metrics/tags.h"
#include <math.h>
#include <string.h>

/* first_missing(factor) -> position of the first missing label, or nothing */
static int first_missing(lua_State *L)
{
  const mn_factor *f = mn_lua_checkudata_factor(L, 1);
  size_t i = 0;
  while (i < f->size && f->code[i] >= 0) i++;
  if (i == f->size) return 0;
  lua_pushinteger(L, (lua_Integer)i + 1);
  return 1;
}

enum { MAX_SPAN = 1 << 16 };

/* If all values are integers within a small range, their minimum and the size of the range. */
static bool find_range(const mn_lua_vector *v, double *min, size_t *span)
{
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < v->size; i++) {
    const double value = v->at[i * v->step];
    if (!mn_lua_is_whole(value)) return false;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (!(high - low < MAX_SPAN)) return false;
  *min = low;
  *span = (size_t)(high - low) + 1;
  return true;
}

/* whole_labels(Vector) -> Factor of its values if they are integers within a small range, else nothing. Much faster
 * than the conversion of arbitrary labels. */
static int whole_labels(lua_State *L)
{
  double min;
  size_t span, k = 0;
  mn_context *ctx = mn_lua_begin_metric(L, 1);
  const mn_lua_vector *v = mn_lua_checkudata_vector(L, 1);
  if (v->size == 0 || !find_range(v, &min, &span)) return mn_lua_finish(L, ctx, 0);
  int32_t *code = mn_lua_push_buffer(L, sizeof *code, span);
  mn_label *label = mn_lua_push_buffer(L, sizeof *label, span);
  for (size_t s = 0; s < span; s++) code[s] = -1;
  for (size_t i = 0; i < v->size; i++) code[(size_t)(v->at[i * v->step] - min)] = 0;
  for (size_t s = 0; s < span; s++) {
    if (code[s] < 0) continue;
    const double value = min + (double)s;
    code[s] = (int32_t)k;
    label[k++] = v->whole ? (mn_label){ .kind = MN_LABEL_INTEGER, .as.integer = (int64_t)value }
                          : (mn_label){ .kind = MN_LABEL_FLOAT, .as.number = value };
  }
  mn_factor *f = mn_lua_push_factor(L, v->size, NULL);
  f->levels = mn_levels_new(ctx, label, k, NULL); /* in ascending order already; the Factor owns them */
  if (!f->levels) return mn_lua_raise(L, ctx);
  for (size_t i = 0; i < v->size; i++) f->code[i] = code[(size_t)(v->at[i * v->step] - min)];
  return mn_lua_finish(L, ctx, 1);
}

/* The weights at 4 of the rows of the Factor y at 1. */
static const double *opt_label_weights(lua_State *L, mn_context *ctx)
{
  return mn_lua_opt_weights(L, ctx, 4, mn_lua_checkudata_factor(L, 1)->size);
}

/* class_totals(y, predicted, labels | nil, weights | nil) -> labels, hits, sums of y, sums of predicted, weight of all
 * rows */
static int class_totals(lua_State *L)
{
  mn_context *ctx = mn_lua_begin_metric(L, 4);
  const double *w = opt_label_weights(L, ctx);
  const mn_lua_codes c = mn_lua_align_labels(L);
  lua_pushvalue(L, c.names);
  double *hits = mn_lua_push_vector(L, c.k)->at, *y_sum = mn_lua_push_vector(L, c.k)->at;
  double *predicted_sum = mn_lua_push_vector(L, c.k)->at;
  lua_pushnumber(L, mn_class_totals(c.n, c.k, c.y, c.predicted, w, hits, y_sum, predicted_sum));
  return mn_lua_finish(L, ctx, 5);
}

/* multilabel_totals(y, predicted, weights | nil) -> Vectors of hits and of the weights of y and of predicted by tag,
 * total weight, weight of the rows without errors, weight of the wrong tags. y and predicted are Matrices of 0 and 1.
 */
static int multilabel_totals(lua_State *L)
{
  double same, wrong;
  mn_context *ctx = mn_lua_begin_metric(L, 3);
  const mn_matrix y = mn_lua_check_matrix(L, ctx, 1), predicted = mn_lua_check_matrix(L, ctx, 2);
  if (y.rows != predicted.rows || y.cols != predicted.cols) return luaL_error(L, "tags must have the same shape");
  const double *w = mn_lua_opt_weights(L, ctx, 3, y.rows);
  double *hits = mn_lua_push_vector(L, y.cols)->at, *y_sum = mn_lua_push_vector(L, y.cols)->at;
  double *predicted_sum = mn_lua_push_vector(L, y.cols)->at;
  lua_pushnumber(
      L, mn_multilabel_totals(y.rows, y.cols, y.at, predicted.at, w, hits, y_sum, predicted_sum, &same, &wrong));
  lua_pushnumber(L, same);
  lua_pushnumber(L, wrong);
  return mn_lua_finish(L, ctx, 6);
}

/* measure_tags(y, scores, weights | nil, "coverage", "precision" or "loss") -> number */
static int measure_tags(lua_State *L)
{
  static const char *const names[] = { "coverage", "precision", "loss", NULL };
  mn_context *ctx = mn_lua_begin_metric(L, 4);
  const mn_matrix y = mn_lua_check_matrix(L, ctx, 1), score = mn_lua_check_matrix(L, ctx, 2);
  if (y.rows != score.rows || y.cols != score.cols) return luaL_error(L, "tags must have the same shape");
  const double *w = mn_lua_opt_weights(L, ctx, 3, y.rows);
  const mn_tag_measure measure = (mn_tag_measure)luaL_checkoption(L, 4, NULL, names);
  lua_pushnumber(L, mn_measure_tags(y.rows, y.cols, y.at, score.at, w, measure));
  return mn_lua_finish(L, ctx, 1);
}

/* confusion(y, predicted, labels | nil, weights | nil) -> labels, Matrix */
static int confusion(lua_State *L)
{
  mn_context *ctx = mn_lua_begin_metric(L, 4);
  const double *w = opt_label_weights(L, ctx);
  const mn_lua_codes c = mn_lua_align_labels(L);
  lua_pushvalue(L, c.names);
  double *count = mn_lua_push_raw_matrix(L, c.k, c.k)->at;
  if (mn_confusion(ctx, c.n, c.k, c.y, c.predicted, w, count) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 2);
}

/* kappa(y, predicted, labels | nil, weights | nil, power) -> number */
static int kappa(lua_State *L)
{
  double value = 0;
  mn_context *ctx = mn_lua_begin_metric(L, 5);
  const double *w = opt_label_weights(L, ctx);
  const mn_lua_codes c = mn_lua_align_labels(L);
  const int power = (int)luaL_checkinteger(L, 5);
  if (mn_kappa(ctx, c.n, c.k, c.y, c.predicted, w, power, &value) != MN_OK) return mn_lua_raise(L, ctx);
  lua_pushnumber(L, value);
  return mn_lua_finish(L, ctx, 1);
}

/* interval(method, proportion, n, level) -> low, high */
static int interval(lua_State *L)
{
  const double proportion = luaL_checknumber(L, 2), n = luaL_checknumber(L, 3), level = luaL_checknumber(L, 4);
  const bool wilson = strcmp(luaL_checkstring(L, 1), "wilson") == 0;
  const mn_interval i = wilson ? mn_wilson_interval(proportion, n, level) : mn_normal_interval(proportion, n, level);
  lua_pushnumber(L, i.low);
  lua_pushnumber(L, i.high);
  return 2;
}

/* mcnemar(only first wrong, only second wrong, exact, continuity correction) -> p-value, statistic */
static int mcnemar(lua_State *L)
{
  double statistic;
  const double first = luaL_checknumber(L, 1), second = luaL_checknumber(L, 2);
  lua_pushnumber(L, mn_mcnemar(first, second, lua_toboolean(L, 3), lua_toboolean(L, 4), &statistic));
  lua_pushnumber(L, statistic);
  return 2;
}

const luaL_Reg mn_lua_metrics_classes[] = {
  { "first_missing", first_missing },
  { "whole_labels", whole_labels },
  { "class_totals", class_totals },
  { "multilabel_totals", multilabel_totals },
  { "measure_tags", measure_tags },
  { "confusion", confusion },
  { "kappa", kappa },
  { "interval", interval },
  { "mcnemar", mcnemar },
  { NULL, NULL },
};
