#include "../../core/nearest_name.h"
#include "../params/anchors.h"
#include "input.h"
#include "../values/userdata.h"
#include <math.h>
#include <string.h>

static bool is_one_of(const char *name, const char *const *names)
{
  for (; names && *names; names++)
    if (strcmp(*names, name) == 0) return true;
  return false;
}

static void check_lengths(lua_State *L, mn_context *ctx, const char *who, int anchors, int index, mn_input *input)
{
  const mn_vector v = mn_lua_check_vector(L, ctx, index);
  int32_t *lengths = mn_lua_anchored_buffer(L, anchors, sizeof *lengths, v.size);
  mn_lua_check_lengths(L, who, &v);
  for (size_t i = 0; i < v.size; i++) lengths[i] = (int32_t)v.at[i];
  input->lengths = lengths;
  input->n_lengths = v.size;
}

static void check_init_score(lua_State *L, mn_context *ctx, const char *who, int index, mn_input *input)
{
  if (!mn_lua_is_flat_list(L, index) && !mn_lua_test_vector(L, index)) {
    mn_lua_convert_argument(L, index, MN_KIND_MATRIX, who, "init_score");
    input->init_score = mn_lua_check_matrix(L, ctx, index);
    return;
  }
  mn_lua_convert_argument(L, index, MN_KIND_VECTOR, who, "init_score");
  const mn_vector v = mn_lua_check_vector(L, ctx, index);
  input->init_score = (mn_matrix){ .at = v.at, .rows = v.size, .cols = 1 };
}

/* class_weight is not in the table of parameters. */
static bool is_parameter(const mn_class *class, const char *name)
{
  if (strcmp(name, "class_weight") == 0) return class->capabilities & MN_CLASSIFY && class->accepts & MN_CLASS_WEIGHT;
  return class->params && mn_param_named(class->params, name);
}

/* Whether the estimator takes an option of this name. */
static bool takes_option(const mn_class *class, const char *name)
{
  static const struct {
    const char *name;
    unsigned flag;
  } limited[] = {
    { "weights", MN_WEIGHTS },       { "lengths", MN_LENGTHS }, { "target", MN_TARGET_X },
    { "init_score", MN_INIT_SCORE }, { "eval", MN_EVAL },       { "folds", MN_FOLDS },
  };
  for (size_t i = 0; i < sizeof limited / sizeof *limited; i++)
    if (strcmp(name, limited[i].name) == 0) return class->accepts & limited[i].flag;
  return true;
}

static int unknown_option_error(lua_State *L, const mn_class *class, const char *const *names, const char *name)
{
  enum { MAX_OPTIONS = 16 };
  const char *who = class->name, *taken[MAX_OPTIONS];
  size_t n = 0;
  luaL_Buffer all;
  luaL_buffinit(L, &all);
  for (; *names && n < MAX_OPTIONS; names++) {
    if (!takes_option(class, *names)) continue;
    if (n > 0) luaL_addstring(&all, ", ");
    luaL_addstring(&all, *names);
    taken[n++] = *names;
  }
  luaL_pushresult(&all);
  if (is_parameter(class, name))
    return luaL_error(L, "%s: options are %s, got '%s', which is a parameter: ml.%s{ %s = ... }", who,
                      lua_tostring(L, -1), name, who, name);
  if (n == 0) return luaL_error(L, "%s takes no options here, got '%s'", who, name);
  const char *near = mn_nearest_name(name, taken, n);
  if (near)
    return luaL_error(L, "%s: options are %s, got '%s'; did you mean '%s'?", who, lua_tostring(L, -1), name, near);
  return luaL_error(L, "%s: options are %s, got '%s'", who, lua_tostring(L, -1), name);
}

/* Push a table of the options in the table at `index`, without its elements 1 and 2. */
static int push_named_options(lua_State *L, int index)
{
  lua_newtable(L);
  const int named = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, index)) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    const lua_Integer key = lua_isinteger(L, -2) ? lua_tointeger(L, -2) : 0;
    if (key == 1 || key == 2)
      lua_pop(L, 2);
    else
      lua_rawset(L, named);
  }
  return named;
}

/* eval = { X, y, weights = w }: converted like the arguments and options of fit. */
static const mn_input *check_eval(lua_State *L, mn_context *ctx, int anchors, int index, const mn_estimator *model)
{
  static const char *const names[] = { "weights", "lengths", "init_score", NULL };
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  if (!(model->class->accepts & MN_EVAL)) luaL_error(L, "%s does not support the option 'eval'", model->class->name);
  mn_input *eval = mn_lua_anchored_buffer(L, anchors, sizeof *eval, 1);
  if (lua_type(L, index) != LUA_TTABLE || mn_lua_is_frame(L, index) || lua_rawlen(L, index) != 2)
    luaL_error(L, "%s: eval must be { X, y } or { X, y, weights = w }, got %s", model->class->name,
               lua_type(L, index) == LUA_TTABLE ? "another table" : mn_lua_type_name(L, index));
  const int named = push_named_options(L, index);
  lua_rawgeti(L, index, 1);
  lua_rawgeti(L, index, 2);
  eval->x = mn_lua_check_x(L, ctx, named + 1, model, "X of eval");
  eval->y = mn_lua_check_y(L, ctx, named + 2, model);
  mn_lua_check_options(L, ctx, named, model, names, eval);
  while (lua_gettop(L) >= named) mn_lua_anchor_top(L, anchors);
  return eval;
}

/* Set the fold of the test rows of the split on top of the stack, and pop it. */
static void add_split(lua_State *L, mn_context *ctx, const char *who, size_t rows, size_t number, double *fold)
{
  size_t size[2];
  const int split = lua_gettop(L);
  for (int part = 0; part < 2; part++) {
    lua_pushstring(L, part == 0 ? "train" : "test");
    lua_rawget(L, split);
    mn_lua_convert_argument(L, split + 1 + part, MN_KIND_VECTOR, who, "folds");
    size[part] = mn_lua_check_vector(L, ctx, split + 1 + part).size;
  }
  const mn_vector test = mn_lua_check_vector(L, ctx, split + 2);
  if (size[0] + size[1] != rows)
    luaL_error(L, "%s: folds: split %d must divide the %d rows into training and test rows, got %d and %d", who,
               (int)number, (int)rows, (int)size[0], (int)size[1]);
  for (size_t i = 0; i < test.size; i++) {
    const bool is_row = test.at[i] >= 1 && test.at[i] <= (double)rows && test.at[i] == floor(test.at[i]);
    if (!is_row) luaL_error(L, "%s: folds must hold row numbers from 1 to %d, got %f", who, (int)rows, test.at[i]);
    if (fold[(size_t)test.at[i] - 1] > 0)
      luaL_error(L, "%s: folds must test each row once, but row %d is tested twice", who, (int)test.at[i]);
    fold[(size_t)test.at[i] - 1] = (double)number;
  }
  lua_settop(L, split - 1);
}

/* folds: the number of the test fold of each row, or a list of splits { train =, test = }. */
static void check_folds(lua_State *L, mn_context *ctx, const char *who, int anchors, int index, mn_input *input)
{
  const size_t rows = input->x.rows;
  const bool table = lua_type(L, index) == LUA_TTABLE && !mn_lua_is_frame(L, index);
  const int first = table ? lua_rawgeti(L, index, 1) : LUA_TNONE;
  const bool splits = first == LUA_TTABLE;
  lua_settop(L, index);
  if (first == LUA_TNIL)
    luaL_error(L,
               "%s: folds must be the fold of each row or a list of splits, such as splitter:split(X, y), "
               "got a table without element 1",
               who);
  if (!splits) {
    mn_lua_convert_argument(L, index, MN_KIND_VECTOR, who, "folds");
    const mn_vector v = mn_lua_check_vector(L, ctx, index);
    input->folds = v.at;
    input->n_folds = v.size;
    return;
  }
  double *fold = mn_lua_anchored_buffer(L, anchors, sizeof *fold, rows);
  const size_t count = lua_rawlen(L, index);
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  for (size_t f = 1; f <= count; f++) {
    if (lua_rawgeti(L, index, (lua_Integer)f) != LUA_TTABLE)
      luaL_error(L, "%s: folds must be a list of splits { train =, test = }, got %s at %d", who, luaL_typename(L, -1),
                 (int)f);
    add_split(L, ctx, who, rows, f, fold);
  }
  for (size_t i = 0; i < rows; i++)
    if (!(fold[i] > 0)) luaL_error(L, "%s: folds must test each row once, but row %d is not tested", who, (int)i + 1);
  input->folds = fold;
  input->n_folds = rows;
}

void mn_lua_check_options(lua_State *L, mn_context *ctx, int arg, const mn_estimator *model, const char *const *names,
                          mn_input *input)
{
  const char *who = model->class->name;
  if (lua_isnoneornil(L, arg)) return;
  if (lua_type(L, arg) != LUA_TTABLE)
    luaL_error(L, "%s: options must be a table, got %s", who, mn_lua_type_name(L, arg));
  const int anchors = mn_lua_begin_anchors(L);
  lua_pushnil(L);
  while (lua_next(L, arg)) {
    const int value = lua_gettop(L);
    const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : luaL_tolstring(L, -2, NULL);
    lua_settop(L, value);
    if (!is_one_of(name, names)) unknown_option_error(L, model->class, names, name);
    if (strcmp(name, "weights") == 0) {
      mn_lua_convert_argument(L, value, MN_KIND_VECTOR, who, name);
      const mn_vector w = mn_lua_check_vector(L, ctx, value);
      input->weights = w.at;
      input->n_weights = w.size;
    } else if (strcmp(name, "lengths") == 0) {
      mn_lua_convert_argument(L, value, MN_KIND_VECTOR, who, name);
      check_lengths(L, ctx, who, anchors, value, input);
    } else if (strcmp(name, "init_score") == 0) {
      check_init_score(L, ctx, who, value, input);
    } else if (strcmp(name, "target") == 0) {
      input->target_x = mn_lua_check_x(L, ctx, value, model, name);
    } else if (strcmp(name, "eval") == 0) {
      input->eval = check_eval(L, ctx, anchors, value, model);
    } else if (strcmp(name, "folds") == 0) {
      check_folds(L, ctx, who, anchors, value, input);
    }
    lua_settop(L, value);
    mn_lua_anchor_top(L, anchors); /* a converted value has replaced the original */
  }
  mn_lua_end_anchors(L, anchors, arg);
}
