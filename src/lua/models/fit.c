#include "fit.h"
#include "../params/anchors.h"
#include "fit_cache.h"
#include "input.h"
#include "model_userdata.h"
#include "../values/userdata.h"
#include "../values/warnings.h"

/* Stack indices. CACHE is nil except for fit_with_cache; USER_OPTIONS is the table of options, while OPTIONS becomes a
 * table of anchors; PINNED and FITTED are the estimators before and after. */
enum { SELF = 1, X, Y, OPTIONS, CACHE, USER_OPTIONS, PINNED, FITTED, TRANSFORMED };

/* on_iter = function(progress) -> nil, "stop" or "cancel". The access is raw, as for all options, so that no metamethod
 * of the user runs after the data were converted. */
static void check_on_iter(lua_State *L, mn_context *ctx, const mn_class *class)
{
  if (!lua_istable(L, USER_OPTIONS)) return;
  lua_pushliteral(L, "on_iter");
  if (lua_rawget(L, USER_OPTIONS) != LUA_TNIL) {
    if (!lua_isfunction(L, -1))
      luaL_error(L, "%s: on_iter must be a function, got %s", class->name, luaL_typename(L, -1));
    mn_lua_set_progress_function(L, ctx, lua_gettop(L));
  }
  lua_pop(L, 1);
}

static int convert_factor(lua_State *L)
{
  mn_lua_check_factor(L, lua_touserdata(L, 2), 1);
  lua_settop(L, 1);
  return 1;
}

/* The option classes of partial_fit: all labels of all batches. NULL when not given. */
static const mn_levels *check_classes(lua_State *L, mn_context *ctx, const char *who)
{
  if (!lua_istable(L, USER_OPTIONS)) return NULL;
  lua_pushliteral(L, "classes");
  if (lua_rawget(L, USER_OPTIONS) == LUA_TNIL) return NULL;
  const int index = lua_gettop(L); /* it stays on the stack */
  mn_lua_convert_argument_with(L, index, convert_factor, ctx, who, "classes");
  return mn_lua_test_factor(L, index)->levels;
}

/* A single row updates a large model in place, because a copy would cost far more. Nobody else is using the model:
 * mn_lua_has_exclusive_access and mn_lua_check_idle_model were true. */
static int update_in_place(lua_State *L, mn_context *ctx, mn_lua_model *m, const mn_estimator *model,
                           const mn_input *input)
{
  m->in_fit = true;
  const mn_status status = mn_update(ctx, (mn_estimator *)model, input);
  m->in_fit = false;
  if (status != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  lua_settop(L, SELF);
  return 1;
}

/* The result of fit: the model or, if wanted, the Sparse that fit has made, or nil. */
static int push_result(lua_State *L, const mn_csr *transformed)
{
  if (!transformed) {
    lua_settop(L, SELF);
  } else if (!transformed->start) {
    lua_pushnil(L);
  } else {
    mn_lua_charge(L, transformed->start[transformed->rows] * (sizeof *transformed->at + sizeof *transformed->col));
    lua_pushvalue(L, TRANSFORMED);
  }
  return 1;
}

static int fit(lua_State *L, bool partial, const char *const *options, bool transforms)
{
  mn_lua_check_receiver(L, partial ? "partial_fit" : "fit");
  mn_lua_model *m = mn_lua_check_idle_model(L, SELF, "fitted");
  lua_pushvalue(L, OPTIONS);
  const mn_estimator *model = mn_lua_pin_model(L, SELF);
  mn_estimator **fitted = mn_lua_push_estimator(L);
  mn_csr *transformed = transforms ? mn_lua_push_sparse(L) : NULL;
  mn_context *ctx = mn_lua_begin(L);
  const mn_levels *classes = partial ? check_classes(L, ctx, model->class->name) : NULL;
  mn_input input = { .transformed = transformed };
  input.x = mn_lua_check_x(L, ctx, X, model, "X");
  input.y = mn_lua_check_y(L, ctx, Y, mn_settings(model));
  input.cache = lua_isnil(L, CACHE) ? NULL : mn_lua_check_fit_cache(L, CACHE);
  mn_lua_check_options(L, ctx, OPTIONS, model, options, &input);
  mn_lua_check_same_estimator(L, SELF, PINNED);
  mn_lua_check_idle_model(L, SELF, "fitted"); /* a finalizer may have begun a job meanwhile */
  check_on_iter(L, ctx, model->class);
  mn_lua_set_operation_name(L, ctx, model->class->name, partial ? "partial_fit" : "fit");
  if (partial && mn_can_update(model, &input) && mn_lua_has_exclusive_access(L))
    return update_in_place(L, ctx, m, model, &input);
  m->in_fit = true;
  const mn_status status =
      partial ? mn_partial_fit(ctx, model, &input, classes, fitted) : mn_fit(ctx, model, &input, fitted);
  m->in_fit = false;
  if (status != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  mn_lua_replace_estimator(L, SELF, PINNED, FITTED);
  if (!partial && mn_lua_push_convergence_warning(L, *fitted)) mn_lua_warn(L);
  return push_result(L, transformed);
}

const char *const mn_lua_fit_options[] = { "weights", "lengths", "target",  "init_score",
                                           "eval",    "folds",   "on_iter", NULL };

int mn_lua_fit(lua_State *L)
{
  lua_settop(L, OPTIONS);
  lua_settop(L, CACHE);
  return fit(L, false, mn_lua_fit_options, false);
}

int mn_lua_fit_with_cache(lua_State *L)
{
  lua_settop(L, CACHE);
  return fit(L, false, mn_lua_fit_options, false);
}

int mn_lua_partial_fit(lua_State *L)
{
  static const char *const options[] = { "weights", "lengths", "target", "classes", "on_iter", NULL };
  lua_settop(L, OPTIONS);
  lua_settop(L, CACHE);
  return fit(L, true, options, false);
}

int mn_lua_fit_transform(lua_State *L)
{
  lua_settop(L, OPTIONS);
  lua_settop(L, CACHE);
  return fit(L, false, mn_lua_fit_options, true);
}
