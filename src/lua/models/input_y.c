/* y, and the options beside it. */
#include "../../core/nearest_name.h"
#include "anchors.h"
#include "../values/userdata.h"
#include <string.h>

/* A flat list: numbers, or labels of any kind. */
static mn_target answers_of_list(lua_State *L, mn_context *ctx, int arg)
{
  enum { POLL_EVERY = 1 << 16 };
  const int keep = mn_lua_begin_anchors(L);
  const size_t n = lua_rawlen(L, arg);
  double *number = mn_lua_anchored_buffer(L, keep, sizeof *number, n);
  mn_label *label = mn_lua_anchored_buffer(L, keep, sizeof *label, n);
  int32_t *code = mn_lua_anchored_buffer(L, keep, sizeof *code, n);
  mn_factor *f = mn_lua_anchored_factor(L, keep);
  bool numbers = true, whole = true, exact = true; /* exact: a double holds each integer */
  size_t nan_at = n;
  for (size_t i = 0; i < n; i++) {
    if (i % POLL_EVERY == 0 && mn_poll(ctx) != MN_OK) mn_lua_raise(L, ctx);
    lua_rawgeti(L, arg, (lua_Integer)i + 1);
    const bool is_number = lua_type(L, -1) == LUA_TNUMBER;
    if (is_number) {
      number[i] = lua_tonumber(L, -1);
      whole = whole && lua_isinteger(L, -1);
      exact = exact && (!lua_isinteger(L, -1) || fabs(number[i]) <= 0x1p53);
    } else {
      numbers = false;
    }
    const bool is_label = mn_lua_to_label(L, -1, &label[i]);
    if (!is_label && !is_number)
      luaL_argerror(
          L, arg,
          lua_pushfstring(L, "at position %d is a %s, not a number or a label", (int)i + 1, luaL_typename(L, -1)));
    if (!is_label && nan_at == n) nan_at = i;
    lua_pop(L, 1);
  }
  if (!numbers && nan_at < n)
    luaL_argerror(L, arg, lua_pushfstring(L, "at position %d is no label, but nan", (int)nan_at + 1));
  mn_target y = {
    .kind = MN_TARGET_REALS, .reals = { .at = number, .rows = n, .cols = 1 }, .vector = true, .whole = whole
  };
  if (!numbers || !exact) { /* reals too where all are numbers: what is a label to one class is a number to another */
    mn_lua_encode_labels(L, ctx, f, label, n, code);
    if (!numbers) y = (mn_target){ 0 };
    y.kind = MN_TARGET_LABELS;
    y.labels = (mn_factor){ .code = code, .size = n, .levels = f->levels };
  }
  mn_lua_end_anchors(L, keep, arg);
  return y;
}

static mn_target answers_of_frame(lua_State *L, int arg)
{
  const int keep = mn_lua_begin_anchors(L);
  const mn_table t = mn_lua_frame_to_table(L, keep, arg);
  if (t.levels) luaL_argerror(L, arg, "must be numbers or one Factor, got a Frame with factors");
  mn_lua_end_anchors(L, keep, arg);
  return (mn_target){ .kind = MN_TARGET_REALS, .reals = t.dense };
}

static bool is_flat_list(lua_State *L, int arg)
{
  if (lua_type(L, arg) != LUA_TTABLE) return false;
  const int first = lua_rawgeti(L, arg, 1);
  lua_pop(L, 1);
  return first != LUA_TTABLE && first != LUA_TUSERDATA;
}

/* { weights = w } in the place of y would go unheard where y is not needed. */
static void refuse_named(lua_State *L, int arg)
{
  if (lua_rawlen(L, arg) > 0) return;
  lua_pushnil(L);
  if (!lua_next(L, arg)) return;
  luaL_argerror(L, arg,
                lua_pushfstring(L, "must be a list, got a table with the key '%s'; options come third: (X, y, options)",
                                luaL_tolstring(L, -2, NULL)));
}

static mn_target answers_of_vector(lua_State *L, mn_context *ctx, int arg, bool whole)
{
  const mn_vector y = mn_lua_check_vector(L, ctx, arg);
  return (mn_target){
    .kind = MN_TARGET_REALS, .reals = { .at = y.at, .rows = y.size, .cols = 1 }, .vector = true, .whole = whole
  };
}

static mn_target answers_of_rows(lua_State *L, mn_context *ctx, int arg)
{
  if (!mn_lua_test_matrix(L, arg) && lua_type(L, arg) != LUA_TTABLE)
    luaL_argerror(
        L, arg,
        lua_pushfstring(L, "must be a Vector, Matrix, Factor, Frame or list, got %s", mn_lua_type_name(L, arg)));
  const mn_matrix m = mn_lua_check_matrix(L, ctx, arg);
  return (mn_target){ .kind = MN_TARGET_REALS, .reals = m, .vector = m.cols == 1 };
}

struct reading {
  mn_context *ctx;
  mn_target y;
};

static int read_y(lua_State *L)
{
  struct reading *r = lua_touserdata(L, 2);
  const bool list = is_flat_list(L, 1) && !mn_lua_is_frame(L, 1);
  if (list) refuse_named(L, 1);
  r->y = list                    ? answers_of_list(L, r->ctx, 1)
         : mn_lua_is_frame(L, 1) ? answers_of_frame(L, 1)
                                 : answers_of_rows(L, r->ctx, 1);
  lua_settop(L, 1);
  return 1;
}

mn_target mn_lua_check_y(lua_State *L, mn_context *ctx, int arg, const mn_estimator *model)
{
  if (lua_isnoneornil(L, arg)) return (mn_target){ .kind = MN_TARGET_NONE };
  const mn_factor *f = mn_lua_test_factor(L, arg);
  if (f) return (mn_target){ .kind = MN_TARGET_LABELS, .labels = *f };
  const mn_lua_vector *v = mn_lua_test_vector(L, arg);
  if (v) return answers_of_vector(L, ctx, arg, v->whole);
  struct reading r = { .ctx = ctx };
  mn_lua_convert_argument_with(L, arg, read_y, &r, model->class->name, "y");
  return r.y;
}

static bool is_one_of(const char *name, const char *const *names)
{
  for (; names && *names; names++)
    if (strcmp(*names, name) == 0) return true;
  return false;
}

static void check_lengths(lua_State *L, mn_context *ctx, int keep, int index, mn_input *input)
{
  const mn_vector v = mn_lua_check_vector(L, ctx, index);
  int32_t *lengths = mn_lua_anchored_buffer(L, keep, sizeof *lengths, v.size);
  for (size_t i = 0; i < v.size; i++) {
    if (!(v.at[i] >= 1 && v.at[i] <= INT32_MAX && v.at[i] == floor(v.at[i])))
      luaL_error(L, "lengths must be whole numbers >= 1, got %f at position %d", v.at[i], (int)i + 1);
    lengths[i] = (int32_t)v.at[i];
  }
  input->lengths = lengths;
  input->n_lengths = v.size;
}

static void check_init_score(lua_State *L, mn_context *ctx, const char *who, int index, mn_input *input)
{
  if (!is_flat_list(L, index) && !mn_lua_test_vector(L, index)) {
    mn_lua_convert_argument(L, index, MN_KIND_MATRIX, who, "init_score");
    input->init_score = mn_lua_check_matrix(L, ctx, index);
    return;
  }
  mn_lua_convert_argument(L, index, MN_KIND_VECTOR, who, "init_score");
  const mn_vector v = mn_lua_check_vector(L, ctx, index);
  input->init_score = (mn_matrix){ .at = v.at, .rows = v.size, .cols = 1 };
}

/* Is there a setting of that name? class_weight stands in no table of parameters. */
static bool is_setting(const mn_class *class, const char *name)
{
  if (strcmp(name, "class_weight") == 0) return class->capabilities & MN_CLASSIFY && class->accepts & MN_CLASS_WEIGHT;
  return class->params && mn_param_named(class->params, name);
}

static int no_option(lua_State *L, const mn_class *class, const char *const *names, const char *name)
{
  const char *who = class->name;
  size_t n = 0;
  luaL_Buffer all;
  luaL_buffinit(L, &all);
  for (; names[n]; n++) {
    if (n > 0) luaL_addstring(&all, ", ");
    luaL_addstring(&all, names[n]);
  }
  luaL_pushresult(&all);
  if (is_setting(class, name))
    return luaL_error(L, "%s: options are %s, got '%s', which is a setting: ml.%s{ %s = ... }", who,
                      lua_tostring(L, -1), name, who, name);
  const char *near = mn_nearest_name(name, names, n);
  if (near)
    return luaL_error(L, "%s: options are %s, got '%s'; did you mean '%s'?", who, lua_tostring(L, -1), name, near);
  return luaL_error(L, "%s: options are %s, got '%s'", who, lua_tostring(L, -1), name);
}

void mn_lua_check_options(lua_State *L, mn_context *ctx, int arg, const mn_estimator *model, const char *const *names,
                          mn_input *input)
{
  const char *who = model->class->name;
  if (lua_isnoneornil(L, arg)) return;
  if (lua_type(L, arg) != LUA_TTABLE)
    luaL_error(L, "%s: options must be a table, got %s", who, mn_lua_type_name(L, arg));
  const int keep = mn_lua_begin_anchors(L);
  lua_pushnil(L);
  while (lua_next(L, arg)) {
    const int value = lua_gettop(L);
    const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : luaL_tolstring(L, -2, NULL);
    lua_settop(L, value);
    if (!is_one_of(name, names)) no_option(L, model->class, names, name);
    if (strcmp(name, "weights") == 0) {
      mn_lua_convert_argument(L, value, MN_KIND_VECTOR, who, name);
      const mn_vector w = mn_lua_check_vector(L, ctx, value);
      input->weights = w.at;
      input->n_weights = w.size;
    } else if (strcmp(name, "lengths") == 0) {
      mn_lua_convert_argument(L, value, MN_KIND_VECTOR, who, name);
      check_lengths(L, ctx, keep, value, input);
    } else if (strcmp(name, "init_score") == 0) {
      check_init_score(L, ctx, who, value, input);
    } else if (strcmp(name, "target") == 0) {
      input->target_x = mn_lua_check_x(L, ctx, value, model, name);
    }
    lua_settop(L, value);
    mn_lua_anchor_top(L, keep); /* a converted value took the place of what was there */
  }
  mn_lua_end_anchors(L, keep, arg);
}
