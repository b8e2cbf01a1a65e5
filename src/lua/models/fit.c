/* model:fit and model:partial_fit. */
#include "../../core/nearest_name.h"
#include "anchors.h"
#include "../values/userdata.h"
#include "model.h"
#include "fit_cache.h"

/* SHELF: nil, but for fit_on; GIVEN: the options themselves; OPTIONS becomes what they make */
enum { SELF = 1, X, Y, OPTIONS, SHELF, GIVEN, HELD, MADE };

/* The option that is no data: on_iter = function(state) -> nil, "stop" or "cancel". Read raw, as all options are: what
 * a metamethod of the user may do must be done before the data are read. */
static void watch(lua_State *L, mn_context *ctx, const mn_class *class)
{
  if (!lua_istable(L, GIVEN)) return;
  lua_pushliteral(L, "on_iter");
  if (lua_rawget(L, GIVEN) != LUA_TNIL) {
    if (!lua_isfunction(L, -1))
      luaL_error(L, "%s: on_iter must be a function, got %s", class->name, luaL_typename(L, -1));
    mn_lua_set_progress_function(L, ctx, lua_gettop(L));
  }
  lua_pop(L, 1);
}

void mn_lua_warn_not_converged(lua_State *L, const mn_estimator *model)
{
  const mn_report *r = &model->report;
  if (!(model->class->capabilities & MN_ITERATE) || r->converged || !r->advice) return;
  char change[MN_NUMBER_SIZE];
  lua_pushfstring(L, "%s: stopped after %d iterations before it converged (last change %s); %s", model->class->name,
                  (int)r->n_iter, mn_format_number(change, r->change), r->advice);
  lua_warning(L, lua_tostring(L, -1), 0);
  lua_pop(L, 1);
}

static int read_factor(lua_State *L)
{
  mn_lua_check_factor(L, lua_touserdata(L, 2), 1);
  lua_settop(L, 1);
  return 1;
}

/* options.classes of partial_fit: all labels that will ever come. NULL: none are given. */
static const mn_levels *check_classes(lua_State *L, mn_context *ctx, const char *who)
{
  if (!lua_istable(L, GIVEN)) return NULL;
  lua_pushliteral(L, "classes");
  if (lua_rawget(L, GIVEN) == LUA_TNIL) return NULL;
  const int at = lua_gettop(L); /* where it stays */
  mn_lua_convert_argument_with(L, at, read_factor, ctx, who, "classes");
  return mn_lua_test_factor(L, at)->levels;
}

/* One row into a large model: the model itself is changed, for a copy of it would cost far more. Nobody else can be
 * using it (mn_lua_has_exclusive_access), and no job: mn_lua_check_idle_model has said so. */
static int update(lua_State *L, mn_context *ctx, mn_lua_model *m, const mn_estimator *model, const mn_input *input)
{
  m->in_fit = true;
  const mn_status status = mn_update(ctx, (mn_estimator *)model, input);
  m->in_fit = false;
  if (status != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  lua_settop(L, SELF);
  return 1;
}

static int learn(lua_State *L, bool partial, const char *const *options)
{
  mn_lua_model *m = mn_lua_check_idle_model(L, SELF, "fitted");
  lua_pushvalue(L, OPTIONS);
  const mn_estimator *model = mn_lua_pin_model(L, SELF);
  mn_estimator **made = mn_lua_push_estimator(L);
  mn_context *ctx = mn_lua_begin(L);
  const mn_levels *classes = partial ? check_classes(L, ctx, model->class->name) : NULL;
  mn_input input = { 0 };
  input.x = mn_lua_check_x(L, ctx, X, model, "X");
  input.y = mn_lua_check_y(L, ctx, Y, model);
  input.cache = lua_isnil(L, SHELF) ? NULL : mn_lua_check_fit_cache(L, SHELF);
  mn_lua_check_options(L, ctx, OPTIONS, model, options, &input);
  mn_lua_check_same_estimator(L, SELF, HELD);
  mn_lua_check_idle_model(L, SELF, "fitted"); /* a finaliser may have begun a job meanwhile */
  watch(L, ctx, model->class);
  mn_lua_set_operation_name(L, ctx, model->class->name, partial ? "partial_fit" : "fit");
  if (partial && mn_can_update(model, &input) && mn_lua_has_exclusive_access(L))
    return update(L, ctx, m, model, &input);
  m->in_fit = true;
  const mn_status status =
      partial ? mn_partial_fit(ctx, model, &input, classes, made) : mn_fit(ctx, model, &input, made);
  m->in_fit = false;
  if (status != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_end(L, ctx);
  mn_lua_replace_estimator(L, SELF, HELD, MADE);
  if (!partial) mn_lua_warn_not_converged(L, *made);
  lua_settop(L, SELF);
  return 1;
}

static const char *const fit_options[] = { "weights", "lengths", "target", "init_score", "on_iter", NULL };

int mn_lua_fit(lua_State *L)
{
  lua_settop(L, OPTIONS);
  lua_settop(L, SHELF);
  return learn(L, false, fit_options);
}

int mn_lua_fit_with_cache(lua_State *L)
{
  lua_settop(L, SHELF);
  return learn(L, false, fit_options);
}

int mn_lua_partial_fit(lua_State *L)
{
  static const char *const options[] = { "weights", "lengths", "target", "classes", "on_iter", NULL };
  lua_settop(L, OPTIONS);
  lua_settop(L, SHELF);
  return learn(L, true, options);
}
