#include "model_userdata.h"
#include "../values/warnings.h"
#include "../values/userdata.h"

#define ESTIMATOR "manilius.Estimator"

struct estimator {
  mn_estimator *at;
};

static int estimator_gc(lua_State *L)
{
  struct estimator *e = lua_touserdata(L, 1);
  mn_memory *memory = mn_lua_memory(L);
  if (memory) {
    mn_estimator_free(memory, e->at);
    e->at = NULL;
  }
  return 0;
}

mn_estimator **mn_lua_push_estimator(lua_State *L)
{
  struct estimator *e = lua_newuserdatauv(L, sizeof *e, 0);
  e->at = NULL;
  luaL_setmetatable(L, ESTIMATOR);
  return &e->at;
}

mn_estimator **mn_lua_push_model(lua_State *L)
{
  mn_lua_model *m = lua_newuserdatauv(L, sizeof *m, 1);
  *m = (mn_lua_model){ 0 };
  luaL_setmetatable(L, MN_LUA_MODEL_METATABLE);
  mn_estimator **estimator = mn_lua_push_estimator(L);
  lua_setiuservalue(L, -2, 1);
  return estimator;
}

bool mn_lua_is_model(lua_State *L, int arg)
{
  return luaL_testudata(L, arg, MN_LUA_MODEL_METATABLE) != NULL;
}

void mn_lua_check_receiver(lua_State *L, const char *method)
{
  if (!mn_lua_is_model(L, 1))
    luaL_error(L, "%s: call it with a colon, as in model:%s(...), got %s in place of the model", method, method,
               mn_lua_type_name(L, 1));
}

const mn_estimator *mn_lua_pin_model(lua_State *L, int arg)
{
  luaL_checkudata(L, arg, MN_LUA_MODEL_METATABLE);
  luaL_checkstack(L, 2, NULL);
  lua_getiuservalue(L, arg, 1);
  const struct estimator *e = lua_touserdata(L, -1);
  if (!e || !e->at) luaL_error(L, "the model was closed");
  return e->at;
}

mn_lua_model *mn_lua_check_idle_model(lua_State *L, int arg, const char *action)
{
  mn_lua_model *m = luaL_checkudata(L, arg, MN_LUA_MODEL_METATABLE);
  const char *name = mn_lua_pin_model(L, arg)->class->name;
  lua_pop(L, 1);
  if (m->in_job) luaL_error(L, "%s: cannot be %s while its job runs; call wait() or cancel() on the job", name, action);
  if (m->in_fit) luaL_error(L, "%s: cannot be %s while it is in use by its own fit", name, action);
  return m;
}

/* A finalizer that ran while the arguments were converted may have replaced the estimator; then they do not belong to
 * the present one. */
void mn_lua_check_same_estimator(lua_State *L, int arg, int pinned)
{
  lua_getiuservalue(L, arg, 1);
  if (!lua_rawequal(L, -1, pinned))
    luaL_error(L, "the model was changed by other code while this call read its arguments");
  lua_pop(L, 1);
}

void mn_lua_replace_estimator(lua_State *L, int arg, int pinned, int replacement)
{
  mn_lua_check_same_estimator(L, arg, pinned);
  lua_pushvalue(L, replacement);
  lua_setiuservalue(L, arg, 1);
}

void mn_lua_warn_of_settings(lua_State *L, int arg, const mn_estimator *model)
{
  mn_lua_model *m = lua_touserdata(L, arg);
  if (!model->settings || m->warned) return;
  m->warned = true;
  lua_pushfstring(L, "%s: set_params changed parameters after the fit; they take effect in the next fit",
                  model->class->name);
  mn_lua_warn(L);
}

static bool push_own_warning(lua_State *L, const mn_estimator *model)
{
  char text[512];
  mn_text_buffer buffer = { .at = text, .capacity = sizeof text };
  if (!model->class->warning) return false;
  model->class->warning(model, &buffer);
  if (buffer.size > 0) lua_pushfstring(L, "%s: %s", model->class->name, text);
  return buffer.size > 0;
}

bool mn_lua_push_convergence_warning(lua_State *L, const mn_estimator *model)
{
  const mn_report *r = &model->report;
  if (!(model->class->capabilities & MN_ITERATE) || r->converged || !r->advice) return push_own_warning(L, model);
  char change[MN_NUMBER_SIZE];
  lua_pushfstring(L, "%s: stopped after %d iteration%s before it converged (last change %s); %s", model->class->name,
                  (int)r->n_iter, r->n_iter == 1 ? "" : "s", mn_format_number(change, r->change), r->advice);
  return true;
}

void mn_lua_open_model_userdata(lua_State *L)
{
  mn_lua_new_gc_metatable(L, ESTIMATOR, estimator_gc);
}
